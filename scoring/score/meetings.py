"""Meetings with many speakers: read sessions, assign speakers and score."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, partial
from itertools import accumulate, chain, starmap
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from formats.io.progress import told
from formats.schema.errors import close_names
from formats.schema.messages import Entry, Message
from formats.schema.times import parse_time
from scoring.alignment.compounds import has_compounds
from scoring.alignment.results import Alignments
from scoring.model.counts import UNIT_COSTS, Alignment, Counts
from scoring.model.errors import InputError
from scoring.options import TITLES, Options, Rules
from scoring.results.groups import groups_with_metadata
from scoring.results.record import Shard
from scoring.results.sources import Sources, WordOrigin, normalized
from scoring.score import messages
from scoring.score.doubts import PlaceOfRow, doubts_of
from scoring.score.rates import ErrorRates
from scoring.sides.corpus import Account, Basis, Corpus, InputFile, ListedNames, SideRemark
from scoring.sides.matching import MatchingError
from scoring.sides.matching.by_segment import DI, ORC
from scoring.sides.matching.by_time import clock_remarks
from scoring.sides.matching.in_common import swap_remarks
from scoring.sides.matching.outcome import DECLINED, SessionErrors, sums_of_sessions
from scoring.sides.matching.sessions import (
    CP,
    MEASURES,
    SessionRules,
    SessionUtterance,
    Spoken,
    StreamOfSegment,
    as_spoken,
    by_session,
    identifiers_of,
    score_session,
    segments_of,
    stem,
    word_positions,
)
from scoring.sides.rows import folded, items_of, row_of
from scoring.sides.side_files import takes_option
from scoring.sides.variants import with_variants
from scoring.text.units import in_units

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from formats.schema.words import Words
    from scoring.results.forgiven import Forgiveness
    from scoring.results.written import Taken, Writing
    from scoring.score.chooser import Chooser
    from scoring.score.plan import ScorePlan
    from scoring.text.pipeline import Pipeline

AUTO = "auto"

# The name of a session with its turns of the reference and of the hypothesis.
SessionSides: TypeAlias = "tuple[str, Sequence[Spoken], Sequence[Spoken] | None]"
ScoredSession: TypeAlias = "tuple[SessionErrors, Sequence[SessionUtterance]]"
# Scores sessions in other processes, and yields the results in the same order.
ScoresSessions: TypeAlias = (
    "Callable[[Callable[[SessionSides], ScoredSession], Sequence[SessionSides]], "
    "Iterator[ScoredSession]]"
)

_elsewhere: ContextVar[ScoresSessions | None] = ContextVar("elsewhere", default=None)


@contextmanager
def scored_elsewhere(scores: ScoresSessions) -> Iterator[None]:
    """Let the function `scores` score all sessions within a `with` block, as on a cluster."""
    token = _elsewhere.set(scores)
    try:
        yield
    finally:
        _elsewhere.reset(token)


class _SideSessions(NamedTuple):
    """The sessions of a side, with the input and the remarks.

    The side may consist of several files.
    """

    input: InputFile
    sessions: dict[str, list[Spoken]]
    remarks: tuple[SideRemark, ...]


def score_meetings(
    references: Sequence[Corpus],
    hypothesis: Sequence[Corpus],
    plan: ScorePlan,
    shard: Shard | None = None,
    chooser: Chooser | None = None,
) -> ErrorRates:
    """Score two opened sides with a measure for several speakers.

    Several references all have the segments of the first reference.
    """
    options, pipeline = plan.options, plan.pipeline
    corpora = [references[0]], hypothesis
    measure, chosen = _decided(options, *corpora)
    remarks: list[SideRemark] = list(chosen)
    session_rules = _with_compounds(_session_rules(options, measure), options)
    rules = plan.rules._replace(
        meeting=session_rules.signature,
        missing=options.missing or _usual_missing(session_rules),
    )
    if chooser is not None:
        rules = chooser.named(rules)
    more = [[side] for side in references[1:]]
    left, right = _sides(corpora, more, session_rules, rules, pipeline, options.variants, chooser)
    left, right, read = _kept(left, right, references[0], options)
    remarks += _clock_remarks(left, right) if session_rules.is_timed else ()
    names, account = _account(left, right, options, rules.missing, measure)
    if shard is not None:
        names = names[slice(*shard.bounds(len(names)))]
    path = left.input.path
    sessions, utterances = _score_sessions(names, left, right, session_rules, options.jobs)
    remarks += chain.from_iterable(_remarks_on(each, session_rules, path) for each in sessions)
    remarks += _greedy_remarks(sessions, session_rules, path)
    if shard is None and sessions and all(session.state == DECLINED for session in sessions):
        raise MatchingError(next(_remarks_on(sessions[0], session_rules, path)))
    aligned = Alignments.of(list(map(_alignment, utterances)), UNIT_COSTS)
    forgiveness = _forgiveness(utterances, rules, options.variants)
    remarks += _doubts(aligned, options, corpora, _places(utterances, (left, right)))
    needs_sources = options.by or options.metadata is not None or options.keep_sources
    sources = _sources(utterances, pipeline) if needs_sources else None
    speakers = [utterance.speaker for utterance in utterances]
    identifiers = identifiers_of(utterances)
    segments = [] if sources is None else sources.references
    words = [len(utterance.spoken) for utterance in utterances]
    groups, notes = groups_with_metadata(options, identifiers, speakers, segments, path, words)
    session_of = [utterance.session for utterance in utterances]
    if rules.is_by_places and forgiveness is not None:
        aligned, forgiveness, sessions = _counted(aligned, forgiveness, sessions, session_of)
    return ErrorRates(
        left.input,
        right.input,
        rules,
        account,
        identifiers,
        speakers,
        aligned,
        (*left.remarks, *right.remarks, *remarks, *notes, *plan.notes),
        sources if options.keep_sources else None,
        groups,
        sessions=sessions,
        session_of=session_of,
        basis=Basis((read,), options, sources=plan.sources),
        forgiveness=forgiveness,
    )


def _with_compounds(session_rules: SessionRules, options: Options) -> SessionRules:
    """Return the session rules with the compounds to merge, if there are any."""
    compounds = options.rules().compounds
    if not has_compounds(compounds, options.value("unit")):
        return session_rules
    return session_rules._replace(compounds=compounds)


def _counted(
    aligned: Alignments,
    forgiveness: Forgiveness,
    sessions: Iterable[SessionErrors],
    session_of: Iterable[str],
) -> tuple[Alignments, Forgiveness, list[SessionErrors]]:
    """Count alternatives by place.

    Return the alignments, the forgiven places and the sessions, all with the new counts.

    The assignment of speakers does not change.
    """
    from scoring.results.places import counted_by_places

    aligned, forgiveness = counted_by_places(aligned, forgiveness)
    sums = sums_of_sessions(session_of, aligned.counts)
    counted = [session.counted(sums.get(session.session, Counts())) for session in sessions]
    return aligned, forgiveness, counted


def planned_measure(
    options: Options, rules: Rules, pairs: Sequence[tuple[Corpus, Corpus]]
) -> tuple[Rules, tuple[Message, ...]]:
    """Return the rules after choosing the meeting measure, and a note that gives the reason."""
    hypotheses = [hypothesis for _, hypothesis in pairs]
    measure, notes = _decided(options, [pairs[0][0]], hypotheses)
    session_rules = _session_rules(options, measure)
    by = "speaker" if MEASURES[measure][0] == CP else "segment"
    missing = options.missing or _usual_missing(session_rules)
    return rules._replace(meeting=session_rules.signature, missing=missing, matched_by=by), notes


def _forgiveness(
    utterances: Sequence[SessionUtterance], rules: Rules, variants: bool
) -> Forgiveness | None:
    """Return the forgiven places in the turns of utterances.

    Return None if no turn has alternatives.
    """
    turns = [spoken for piece in utterances for spoken in (*piece.reference, *_heard_turns(piece))]
    if all(spoken.turn.written is None for spoken in turns):
        return None
    from scoring.results.forgiven import Forgiveness, Listed
    from scoring.results.written import Writing

    writings = (
        Writing(
            "reference", rules.unit, variants or rules.forgive_optional, None, rules.ignore_case
        ),
        Writing("hypothesis", rules.unit, rules.forgive_optional, None, rules.ignore_case),
    )
    places: dict[int, list[Taken]] = {}
    # a segment of the hypothesis may go on in other utterances
    homes = {
        (id(spoken), word): (row, position)
        for row, piece in enumerate(utterances)
        for position, (spoken, word) in enumerate(piece.heard)
    }
    for row, piece in enumerate(utterances):
        sides = (piece.reference, piece.spoken), (_heard_turns(piece), piece.heard)
        for writing, (turns_of_side, positions) in zip(writings, sides, strict=True):
            begins = {(id(spoken), word): n for n, (spoken, word) in enumerate(positions)}
            begin = 0
            for spoken in turns_of_side:
                begin = begins.get((id(spoken), 0), begin)
                for choice in _choices_of(spoken, writing):
                    home = row, begin + choice.begin
                    if writing.side == "hypothesis":
                        home = homes.get((id(spoken), choice.begin), home)
                        most = len(utterances[home[0]].heard)
                        home = home[0], min(home[1], most)
                        end = min(home[1] + choice.end - choice.begin, most)
                    else:
                        end = home[1] + choice.end - choice.begin
                    shifted = choice._replace(begin=home[1], end=end)
                    places.setdefault(home[0], []).append(shifted)
                begin += len(spoken.turn.words)
    return Forgiveness.of(Listed(len(utterances), places))


def _choices_of(spoken: Spoken, writing: Writing) -> Sequence[Taken]:
    """Return the choices in a segment, each with the words that were chosen."""
    from scoring.results.forgiven import places_of_turn

    if spoken.turn.written is None:
        return ()
    return places_of_turn(*spoken.turn.written, spoken.turn.words, writing)


def _heard_turns(piece: SessionUtterance) -> list[Spoken]:
    """Return the hypothesis segments of which a scored utterance has the first word."""
    return [spoken for spoken, word in piece.heard if not word]


def _sides(
    corpora: tuple[Sequence[Corpus], Sequence[Corpus]],
    more: Sequence[list[Corpus]],
    session_rules: SessionRules,
    rules: Rules,
    pipeline: Pipeline | None,
    notation: bool,
    chooser: Chooser | None,
) -> tuple[_SideSessions, _SideSessions]:
    """Return both sides ready for comparison; `more` are the files of further references."""

    @cache
    def heard() -> list[str]:
        sides = [_plain(corpus, "hypothesis", pipeline, False) for corpus in corpora[1]]
        rows = [
            row_of(segment, "word", True) for side in sides for segment in side.special.values()
        ]
        rows += [words for side in sides for words in side.words]
        return [item for item in items_of(*rows) if isinstance(item, str)]

    def equivalents(corpus: Corpus) -> Corpus:
        return corpus if chooser is None else chooser.equivalents(corpus, heard)

    read = partial(
        _read,
        session_rules=session_rules,
        rules=rules,
        pipeline=pipeline,
        notation=notation,
        equivalents=equivalents,
    )
    left, right = read(corpora[0], "reference"), read(corpora[1], "hypothesis")
    for other in more:
        left = _with_reference(left, read(other, "reference"))
    return left, _of_same_recording(left, right, corpora)


def _kept(
    left: _SideSessions, right: _SideSessions, reference: Corpus, options: Options
) -> tuple[_SideSessions, _SideSessions, Corpus]:
    """Return both sides with only the sessions of the reference that meet `options.where`.

    Sessions without a reference stay. The reference has the values by which sessions were chosen.
    """
    if not options.where:
        return left, right, reference
    from scoring.results.where import KeptRecordings

    kept, remarks, reference = KeptRecordings.of(reference, options)
    dropped = left.sessions.keys() - kept
    sides = [
        side._replace(
            sessions={name: side.sessions[name] for name in side.sessions if name not in dropped}
        )
        for side in (left, right)
    ]
    return sides[0]._replace(remarks=(*left.remarks, *remarks)), sides[1], reference


def _score_sessions(
    names: Sequence[str], left: _SideSessions, right: _SideSessions, rules: SessionRules, jobs: int
) -> tuple[list[SessionErrors], list[SessionUtterance]]:
    """Return the errors of all sessions, and the utterances in which these errors are."""
    sides = [(name, left.sessions[name], right.sessions.get(name)) for name in names]
    work = partial(_scored_session, rules, left.input.path)
    elsewhere = _elsewhere.get()
    results: Iterator[ScoredSession]
    if elsewhere is not None:
        results = elsewhere(work, sides)
    elif jobs > 1:
        from scoring.score.threads import in_order

        results = in_order(lambda number: work(sides[number]), len(names), jobs)
    else:
        results = map(work, sides)
    sessions: list[SessionErrors] = []
    utterances: list[SessionUtterance] = []
    for _, (session, pieces) in zip(told(names, "sessions"), results, strict=True):
        sessions.append(session)
        utterances += pieces
    return sessions, utterances


def _scored_session(rules: SessionRules, path: str, sides: SessionSides) -> ScoredSession:
    """Return the score of a session. Other processes also call this function."""
    return score_session(*sides, rules, path)


def _doubts(
    aligned: Alignments,
    options: Options,
    corpora: tuple[Sequence[Corpus], Sequence[Corpus]],
    place: PlaceOfRow,
) -> Iterator[Message]:
    """Yield warnings about a score that is probably wrong."""
    first = corpora[0][0], corpora[1][0]
    yield from swap_remarks(*first)
    yield from doubts_of(aligned, options, first, place)


def _places(
    utterances: Sequence[SessionUtterance], sides: tuple[_SideSessions, _SideSessions]
) -> PlaceOfRow:
    """Return a function from an utterance to the file and line of its first segment."""

    def place(side: int, row: int) -> str:
        utterance = utterances[row]
        heard = utterance.heard[0][:1] if utterance.heard else ()
        line = next((spoken.segment.line for spoken in (utterance.reference, heard)[side]), None)
        path = sides[side].input.path
        return f"{path}: {utterance.session}" if line is None else f"{path}:{line}"

    return place


def _alignment(utterance: SessionUtterance) -> Alignment:
    words, heard = (
        [spoken.turn.words[word] for spoken, word in positions]
        for positions in (utterance.spoken, utterance.heard)
    )
    return Alignment(utterance.edits, words, heard, 0.0)


def _sources(utterances: Sequence[SessionUtterance], pipeline: Pipeline | None) -> Sources:
    """Return the segments of utterances, and the origin of each word."""
    return Sources(
        [
            _joined(utterance.session, utterance.speaker, utterance.reference)
            for utterance in utterances
        ],
        list(map(_heard, utterances)),
        (),
        pipeline,
        [list(starmap(_origin, utterance.spoken)) for utterance in utterances],
        [list(starmap(_origin, utterance.heard)) for utterance in utterances],
    )


def _remarks_on(session: SessionErrors, rules: SessionRules, path: str) -> Iterator[Message]:
    about = {"path": path, "session": session.session}
    if session.reason is not None:
        state = {"state": session.state, "reason": session.reason.message}
        # of too many speakers there is no estimate
        is_large = session.state == DECLINED and rules.kind != CP
        yield Message(messages.TOO_LARGE if is_large else messages.SESSION, {**about, **state})


_MOST_NAMED = 5  # sessions in one warning


def _greedy_remarks(
    sessions: Sequence[SessionErrors], rules: SessionRules, path: str
) -> Iterator[Message]:
    """Yield a warning if sessions were searched greedily, although nobody asked for it."""
    if rules.exact is not None:
        return
    greedy = [each for each in sessions if each.state != DECLINED and not each.exact]
    if not greedy:
        return
    names = [session.session for session in greedy]
    errors, least = (
        sum(getattr(session, name) or 0 for session in greedy) for name in ("errors", "at_least")
    )
    if len(greedy) == 1:
        fields = {"path": path, "session": names[0], "errors": errors, "least": least}
        yield Message(messages.GREEDY, fields)
        return
    shown = [*names[:_MOST_NAMED], *["…"] * (len(names) > _MOST_NAMED)]
    entry = messages.GREEDY_ORC_OF_SEVERAL if rules.kind == ORC else messages.GREEDY_OF_SEVERAL
    yield Message(
        entry,
        {
            "path": path,
            "sessions": len(greedy),
            "errors": errors,
            "least": least,
            "names": shown,
        },
    )


def _origin(spoken: Spoken, word: int) -> WordOrigin:
    """Return the speaker and the times of a word.

    If only its segment has times, the word gets a part in proportion to its length.
    """
    turn = spoken.turn
    if turn.times is not None:
        return WordOrigin(turn.speaker, *turn.times[word])
    if turn.start is None or turn.end is None:
        return WordOrigin(turn.speaker, None, None)
    borders = list(accumulate(map(len, turn.words), initial=0))
    start, end = (
        turn.start + (turn.end - turn.start) * border // borders[-1]
        for border in borders[word : word + 2]
    )
    return WordOrigin(turn.speaker, start, end)


def _heard(utterance: SessionUtterance) -> Segment:
    """Return the words of the hypothesis as one segment.

    A complete segment keeps all its columns.
    """
    segments = [spoken for spoken, word in utterance.heard if not word]
    if list(utterance.heard) == word_positions(segments):
        return _joined(utterance.session, utterance.stream, segments)
    from formats.schema.model import Segment
    from formats.schema.words import Token

    items = [
        list(segment.items())[word] if turn.words == segment.words else Token(turn.words[word])
        for (segment, turn), word in utterance.heard
    ]
    return Segment.from_items(utterance.session, items, speaker=utterance.stream)


def _session_rules(options: Options, measure: str) -> SessionRules:
    collar, arithmetic = options.collar, "exact"
    if options.like is not None:
        from scoring.text.recipes import recipe_named

        arithmetic = recipe_named(options.like).arithmetic
    return SessionRules(
        measure,
        parse_time(collar.removesuffix("s")) if isinstance(collar, str) else round(collar * 10**9),
        options.reference_times,
        options.hypothesis_times,
        None if options.search is None else options.search == "exact",
        options.explain,
        like_meeteval=arithmetic == "meeteval",
    )


def _usual_missing(rules: SessionRules) -> str:
    """Return the default for missing sessions: `delete`, or `error` with meeteval's recipe."""
    return "error" if rules.like_meeteval else "delete"


def _suitable(
    reference: Sequence[Corpus], hypothesis: Sequence[Corpus], takes_times: bool
) -> tuple[str, Entry]:
    """Return the measure that suits the speakers and times of the files, and the reason."""
    sides = [list(chain.from_iterable(map(segments_of, side))) for side in (reference, hypothesis)]
    timed = takes_times and all(
        segment.start_ns is not None and segment.end_ns is not None
        for side in sides
        for segment in side
    )
    if any(segment.speaker is None for segment in sides[1]):
        measure = "tcorc" if timed else "orc"
        return measure, messages.SUITABLE[measure]
    if _lacks_speakers(reference, hypothesis):
        measure = "tcorc" if timed else "orc"
        return measure, messages.SUITABLE_WITHOUT[measure]
    measure = "tcp" if timed else "cp"
    return measure, messages.SUITABLE[measure]


def _decided(
    options: Options, reference: Sequence[Corpus], hypothesis: Sequence[Corpus]
) -> tuple[str, tuple[Message, ...]]:
    """Return the measure for these files, with a note on the choice.

    InputError if none is suitable.
    """
    measure = str(options.meeting)
    if measure != AUTO:
        _require_speakers(measure, reference, hypothesis)
        return measure, ()
    # words that are joined have no times of their own
    measure, entry = _suitable(reference, hypothesis, not options.merge_compounds)
    return measure, (Message(entry, {"title": TITLES[measure]}),)


def _require_speakers(
    measure: str, reference: Sequence[Corpus], hypothesis: Sequence[Corpus]
) -> None:
    """Reject a side without speakers and streams if sessions have several speakers."""
    if MEASURES[measure][0] not in (CP, DI):
        return
    sides = {"hypothesis": (hypothesis, reference), "reference": (reference, hypothesis)}
    for role, (side, partner) in sides.items():
        if _lacks_speakers(side, partner):
            knows_turns = takes_option(side[0].format, "speakers")
            entry = messages.NO_SPEAKERS_BUT_TURNS if knows_turns else messages.NO_SPEAKERS
            value = Message(entry, {"title": TITLES[measure], "side": role})
            raise InputError(side[0].name, None, None, value)


def _lacks_speakers(side: Sequence[Corpus], partner: Sequence[Corpus]) -> bool:
    """Return True if a side without speakers has one stream where the other side has several.

    Each channel counts as a stream, and so does each file if a session has several.
    """
    streams, others = _streams_by_session(side), _streams_by_session(partner)
    if any(isinstance(stream, str) for own in streams.values() for stream in own):
        return False
    common = streams.keys() & others.keys()
    if common:
        return any(len(streams[name]) == 1 < len(others[name]) for name in common)
    # names of files
    has_streams = any(len(own) > 1 for own in streams.values())
    is_one_session = len(side) > 1 and len(others) == 1
    is_many = any(len(own) > 1 for own in others.values())
    return bool(streams) and is_many and not has_streams and not is_one_session


def _streams_by_session(
    side: Sequence[Corpus],
) -> dict[str, set[str | tuple[int, str | None]]]:
    """Return the speakers of each recording.

    For a segment without speaker, the number of its file and its channel are used.
    """
    streams: dict[str, set[str | tuple[int, str | None]]] = {}
    for number, corpus in enumerate(side):
        for segment in segments_of(corpus):
            stream = (number, segment.channel) if segment.speaker is None else segment.speaker
            streams.setdefault(segment.recording, set()).add(stream)
    return streams


def _with_reference(first: _SideSessions, other: _SideSessions) -> _SideSessions:
    """Add the words of another reference to turns; MatchingError if the turns do not match."""

    def shape(side: _SideSessions) -> list[tuple[str, list[str]]]:
        turns = side.sessions.items()
        return [(name, [spoken.turn.speaker for spoken in spoken]) for name, spoken in turns]

    if shape(first) != shape(other):
        raise MatchingError(
            f"{other.input.path}: expected the segments and speakers of {first.input.path}, found "
            "others"
        )
    from formats.schema.model import Segment

    sessions: dict[str, list[Spoken]] = {}
    for name, turns in first.sessions.items():
        sessions[name] = []
        for spoken, (_, turn) in zip(turns, other.sessions[name], strict=True):
            row = turn.words if turn.row is None else turn.row
            others = (*spoken.turn.others, row)
            own = spoken.turn.written
            # of plain words the row itself is what is written
            segment = Segment("-", spoken.turn.words) if own is None else own[0]
            changed = spoken.turn._replace(others=others, written=(segment, others))
            sessions[name].append(spoken._replace(turn=changed))
    return first._replace(sessions=sessions, remarks=(*first.remarks, *other.remarks))


def _read(
    side: Sequence[Corpus],
    role: str,
    session_rules: SessionRules,
    rules: Rules,
    pipeline: Pipeline | None,
    notation: bool,
    equivalents: Callable[[Corpus], Corpus],
) -> _SideSessions:
    """Return the turns of a side by session."""
    turns: list[Spoken] = []
    remarks: list[SideRemark] = []
    for corpus in side:
        segments = segments_of(corpus)
        plain = _plain(corpus, role, pipeline, notation)
        if role == "reference":
            plain = equivalents(plain)
        words: Sequence[Words] = in_units(plain.words, rules.unit)
        rows = _rows(plain, rules, notation and role == "reference")
        if rules.ignore_case:
            words = [tuple(map(str.casefold, utterance)) for utterance in words]
            rows = {number: folded(row) for number, row in rows.items()}
        remarks += plain.remarks
        stream = _stream(corpus, segments, role, len(side))
        spoken = as_spoken(corpus, segments, words, rows, session_rules, stream)
        turns += _with_written(spoken, plain.special)
    path = " ".join(corpus.name for corpus in side)
    return _SideSessions(InputFile(path, side[0].format), by_session(turns), tuple(remarks))


def _plain(corpus: Corpus, role: str, pipeline: Pipeline | None, notation: bool) -> Corpus:
    """Return the segments of a file as normalised utterances, with variants."""
    segments = segments_of(corpus)
    plain = corpus._replace(
        identifiers=[
            segment.utterance or f"{segment.recording}:{segment.line}" for segment in segments
        ],
        words=[segment.words for segment in segments],
        lines=[segment.line for segment in segments],
        special={
            row: segment
            for row, segment in enumerate(segments)
            if segment.alternations or segment.optional is not None
        },
    )
    if notation and role == "reference":
        plain = with_variants(plain)
    return plain if pipeline is None else normalized(plain, pipeline, role)


def _with_written(turns: Iterable[Spoken], special: Mapping[int, Segment]) -> Iterator[Spoken]:
    """Yield the turns of a side; turns with alternatives keep their written form."""
    for number, spoken in enumerate(turns):
        if number not in special:
            yield spoken
            continue
        yield spoken._replace(turn=spoken.turn._replace(written=(special[number], ())))


def _rows(side: Corpus, rules: Rules, notation: bool) -> dict[int, list[str | int]]:
    """Return the utterances that have alternatives, by position, as words and marks."""
    has_optional = rules.forgive_optional or notation
    return {
        row: items_of(row_of(segment, rules.unit, has_optional))
        for row, segment in side.special.items()
        if segment.alternations or has_optional
    }


def _stream(corpus: Corpus, segments: Sequence[Segment], role: str, files: int) -> StreamOfSegment:
    """Return a function that names the stream of a segment without speaker.

    If there are several files, each channel of each file is a stream.
    """
    file = stem(corpus.name) if role == "hypothesis" or corpus.named_by_file else None
    if files == 1 or file is None:
        return lambda segment: segment.channel or file
    if len({segment.channel for segment in segments}) == 1:
        return lambda _: file
    return lambda segment: file if segment.channel is None else f"{file}-{segment.channel}"


def _clock_remarks(left: _SideSessions, right: _SideSessions) -> Iterator[Message]:
    """Yield a warning if the times of the hypothesis come from another clock."""
    common = [
        (
            [spoken.segment for spoken in left.sessions[name]],
            [spoken.segment for spoken in right.sessions[name]],
        )
        for name in left.sessions
        if name in right.sessions
    ]
    return clock_remarks(common, right.input.path, right.input.format)


def _of_same_recording(
    left: _SideSessions, right: _SideSessions, corpora: tuple[Sequence[Corpus], Sequence[Corpus]]
) -> _SideSessions:
    """Rename the only hypothesis recording like the reference's if it has the name of its file."""
    named = any(corpus.named_by_file for side in corpora for corpus in side)
    if not named or len(left.sessions) != 1 or right.sessions.keys() == left.sessions.keys():
        return right
    [name] = left.sessions
    merged = by_session(
        spoken._replace(segment=spoken.segment.replace(recording=name))
        for turns in right.sessions.values()
        for spoken in turns
    )
    remark = Message(messages.AS_RECORDING, {"path": right.input.path, "recording": name})
    return right._replace(sessions=merged, remarks=(*right.remarks, remark))


def check_sessions(
    sides: Mapping[str, str],
    lacking: Sequence[str],
    extra: Sequence[str],
    missing: str | None,
    allow_unmatched: bool,
    *,
    is_none_common: bool,
) -> None:
    """Raise MatchingError if a session is on one side only, unless the options allow this.

    `lacking` has the sessions without hypothesis, and `extra` the sessions without reference.
    """
    fields, absent = {**sides, **ListedNames.of(extra).fields}, ListedNames.of(lacking).fields
    if lacking and missing == "error":
        raise MatchingError(Message(messages.SESSIONS_MISSING, {**sides, **absent}))
    if extra and lacking and not allow_unmatched:
        fields |= {"lacking": absent["number"], "absent": absent["names"]}
        plain = {name.casefold(): name for name in lacking}
        pairs = [(plain[name.casefold()], name) for name in extra if name.casefold() in plain]
        pairs += [(near, name) for name in extra for near in close_names(name, lacking)[:1]]
        if not pairs:
            raise MatchingError(Message(messages.SESSIONS_RENAMED, fields))
        fields |= dict(zip(("near", "found"), pairs[0], strict=True))
        raise MatchingError(Message(messages.SESSIONS_NEAR, fields))
    if extra and lacking and is_none_common:
        raise MatchingError(Message(messages.SESSIONS_MISSING, {**sides, **absent}))
    if extra and not allow_unmatched:
        raise MatchingError(Message(messages.SESSIONS_EXTRA, fields))


def _account(
    left: _SideSessions, right: _SideSessions, options: Options, missing: str, measure: str
) -> tuple[list[str], Account]:
    """Return the sessions to score, and the account of matched and unmatched sessions."""
    lacking = [name for name in left.sessions if name not in right.sessions]
    extra = [name for name in right.sessions if name not in left.sessions]
    sides = {"path": right.input.path, "reference": left.input.path}
    is_none_common = len(lacking) == len(left.sessions)
    check_sessions(
        sides, lacking, extra, missing, options.allow_unmatched, is_none_common=is_none_common
    )
    names = [name for name in left.sessions if missing != "skip" or name in right.sessions]
    skipped = lacking if missing == "skip" else []
    account = Account(
        "speaker" if MEASURES[measure][0] == CP else "segment",
        len(left.sessions),
        len(right.sessions),
        len(left.sessions) - len(lacking),
        ListedNames.of(lacking),
        ListedNames.of(extra),
        sum(len(spoken.turn.words) for name in extra for spoken in right.sessions[name]),
        sum(len(spoken.turn.words) for name in skipped for spoken in left.sessions[name]),
    )
    return names, account


def _joined(session: str, speaker: str | None, turns: Sequence[Spoken]) -> Segment:
    """Return several segments joined into one, with all columns of their words."""
    from formats.schema.model import Segment

    if not turns:
        return Segment(session, (), speaker=speaker)
    segments = [spoken.segment for spoken in turns]
    first = segments[0]
    starts = [segment.start_ns for segment in segments if segment.start_ns is not None]
    ends = [segment.end_ns for segment in segments if segment.end_ns is not None]
    return Segment.from_items(
        session,
        [item for segment in segments for item in segment.items()],
        speaker=speaker,
        channel=first.channel,
        start_ns=min(starts, default=None),
        end_ns=max(ends, default=None),
        labels=first.labels,
        properties=first.properties,
        line=first.line,
    )
