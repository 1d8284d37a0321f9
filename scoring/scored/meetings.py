"""Many speakers: sessions read, each laid out by its measure, and what that scores."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import accumulate, starmap
from typing import TYPE_CHECKING, NamedTuple

from formats.times import parse_time
from formats.working import told
from scoring.alignment.results import Alignments, CountsTable
from scoring.errors import InputError
from scoring.matching.identifier import MatchingError
from scoring.matching.outcome import DECLINED, SCORED, SessionErrors
from scoring.matching.sessions import (
    MEASURES,
    How,
    SessionUtterance,
    Spoken,
    Stream,
    as_spoken,
    by_session,
    counts_of,
    identifiers_of,
    offsets_of,
    score_session,
    segments_of,
    stem,
)
from scoring.model import UNIT_COSTS
from scoring.normalize.units import in_units
from scoring.options import TITLES, Options, Rules
from scoring.rates.groups import read_groups
from scoring.rates.record import Shard
from scoring.rates.sources import Sources, WordOrigin, normalized
from scoring.scored.rates import ErrorRates
from scoring.sides.account import Account, InputFile, ListedNames
from scoring.sides.corpus import Corpus, Words
from scoring.sides.given import File, Given, as_corpus
from scoring.sides.reading import readings_of

if TYPE_CHECKING:
    from formats.model import Segment
    from scoring.normalize.pipeline import Pipeline

AUTO = "auto"


class _Side(NamedTuple):
    """A side read from one file or several."""

    input: InputFile
    sessions: dict[str, list[Spoken]]
    remarks: tuple[str, ...]


def score_meetings(
    reference: Given,
    hypothesis: Given | Sequence[Given],
    options: Options,
    pipeline: Pipeline | None,
    shard: Shard | None = None,
) -> ErrorRates:
    """As `scoring.scored.score.score`, by a measure of many speakers."""
    corpora = _corpora(reference, hypothesis, options)
    remarks: list[str] = []
    measure: str = options.measure or ""
    if measure == AUTO:
        measure, why = _suited([segments_of(one) for side in corpora for one in side])
        remarks.append(f"note: measured is {TITLES[measure]}: {why}")
    rules = options.rules("none" if pipeline is None else pipeline.signature)
    how = _how(options, measure)
    rules = rules._replace(measure=described(how), missing=options.missing or "error")
    left, right = (
        _read(side, what, how, rules, pipeline)
        for side, what in zip(corpora, ("reference", "hypothesis"), strict=True)
    )
    right = _of_same_recording(left, right, corpora)
    names, account = _account(left, right, options, measure)
    if shard is not None:
        names = names[slice(*shard.bounds(len(names)))]
    sessions: list[SessionErrors] = []
    utterances: list[SessionUtterance] = []
    for name in told(names, "sessions"):
        found, own = score_session(
            name, left.sessions[name], right.sessions.get(name), how, left.input.path
        )
        sessions.append(found)
        utterances += own
        remarks += _remarks_on(found, how, left.input.path)
    if shard is None and sessions and all(one.state == DECLINED for one in sessions):
        raise MatchingError(
            f"{left.input.path}: session {sessions[0].session!r}: {sessions[0].remark}"
        )
    speakers = [one.speaker for one in utterances]
    segments: Sequence[Segment] = ()
    if options.by or options.keep_sources:
        segments = [
            _joined(one.session, one.speaker, [each.segment for each in one.reference])
            for one in utterances
        ]
    aligned = Alignments(
        [one.words for one in utterances],
        [one.heard_words for one in utterances],
        b"".join([one.edits for one in utterances]),
        offsets_of(utterances),
        CountsTable(counts_of(utterances)),
        UNIT_COSTS,
    )
    sources = None
    if options.keep_sources:
        sources = Sources(
            segments,
            list(map(_heard, utterances)),
            (),
            pipeline,
            [list(starmap(_said, one.said)) for one in utterances],
            [list(starmap(_said, one.heard)) for one in utterances],
        )
    return ErrorRates(
        left.input,
        right.input,
        rules,
        account,
        identifiers_of(utterances),
        speakers,
        aligned,
        (*left.remarks, *right.remarks, *remarks),
        sources,
        read_groups(options.by, speakers, segments, left.input.path),
        sessions=sessions,
        session_of=[one.session for one in utterances],
    )


def _remarks_on(found: SessionErrors, how: How, path: str) -> Iterator[str]:
    about = f"{path}: warning: session {found.session!r}"
    if found.state != SCORED:
        yield f"{about} is {found.state}: {found.remark}"
    if found.state != DECLINED and not found.exact and how.exact is None:
        yield (
            f"{about} is too large to be worked out exactly: {found.errors} errors were found "
            f"greedily, there are at least {found.at_least}"
        )


def _said(spoken: Spoken, place: int) -> WordOrigin:
    """Who says a word, and when: as far as that is known of its segment alone, in equal parts."""
    turn, own = spoken.turn, spoken.turn.times
    if own is not None:
        return WordOrigin(turn.speaker, *own[place])
    if turn.start is None or turn.end is None:
        return WordOrigin(turn.speaker, None, None)
    parts = list(accumulate(map(len, turn.words), initial=0))
    first, last = (
        turn.start + (turn.end - turn.start) * parts[at] // parts[-1] for at in (place, place + 1)
    )
    return WordOrigin(turn.speaker, first, last)


def _heard(one: SessionUtterance) -> Segment:
    """The words of the hypothesis as one segment: as they were read, where segments are whole."""
    spoken = [each for each, place in one.heard if not place]
    whole = [(each, place) for each in spoken for place in range(len(each.words))]
    if list(one.heard) == whole:
        return _joined(one.session, one.stream, [each.segment for each in spoken])
    from formats.model import Segment
    from formats.words import Token

    items = [
        list(each.segment.items())[place]
        if each.words == each.segment.words
        else Token(each.words[place])
        for each, place in one.heard
    ]
    return Segment.from_items(one.session, items, speaker=one.stream)


def described(how: How) -> str:
    """The measure and what it depends on, for signatures.

    >>> described(How("cp", 0, "characters", "characters-points"))
    'cp'
    >>> described(How("tcp", 5_000_000_000, "characters", "characters-points"))
    'tcp(collar:5s,times:characters,characters-points)'
    """
    choices = []
    if how.exact is not None and MEASURES[how.measure][0] != "cp":
        choices.append("exact" if how.exact else "greedy")
    if MEASURES[how.measure][1]:
        collar = f"{how.collar_ns / 10**9:.9f}".rstrip("0").rstrip(".")
        choices += [f"collar:{collar}s", f"times:{how.reference_times},{how.hypothesis_times}"]
        if how.like_meeteval:
            choices.append("as-meeteval")
    return f"{how.measure}({','.join(choices)})" if choices else how.measure


def _how(options: Options, measure: str) -> How:
    collar = options.collar
    return How(
        measure,
        parse_time(collar.removesuffix("s")) if isinstance(collar, str) else round(collar * 10**9),
        options.reference_times,
        options.hypothesis_times,
        None if options.search is None else options.search == "exact",
        options.explain,
        options.like == "meeteval",
    )


def _suited(sides: Sequence[Sequence[Segment]]) -> tuple[str, str]:
    """The measure for what the files say of speakers and times, and why."""
    every = [one for side in sides for one in side]
    timed = all(one.start_ns is not None and one.end_ns is not None for one in every)
    labelled = all(one.speaker is not None for side in sides[1:] for one in side)
    if labelled:
        return ("tcp", "segments have speakers and times") if timed else ("cp", "no times")
    if timed:
        return "tcorc", "segments have times, those of the hypothesis no speakers"
    return "orc", "segments have no times, and those of the hypothesis no speakers"


def _corpora(
    reference: Given, hypothesis: Given | Sequence[Given], options: Options
) -> tuple[list[Corpus], list[Corpus]]:
    readings = [one._replace(keep=True) for one in readings_of(options)]
    several: Sequence[Given] = [hypothesis]  # type: ignore[list-item]
    if isinstance(hypothesis, list | tuple) and hypothesis:
        files = [isinstance(one, File | os.PathLike) for one in hypothesis]
        if all(files):
            several = hypothesis
    sides = (
        [as_corpus(reference, "reference", readings[0])],
        [as_corpus(one, "hypothesis", readings[1]) for one in several],
    )
    for side in (*sides[0], *sides[1]):
        if side.format is None:
            raise InputError(
                side.name,
                None,
                None,
                "expected a file with speakers, since these are to be assigned, found texts",
            )
    return sides


def _read(
    side: Sequence[Corpus], what: str, how: How, rules: Rules, pipeline: Pipeline | None
) -> _Side:
    every: list[Spoken] = []
    remarks: list[str] = []
    for corpus in side:
        segments = segments_of(corpus)
        plain = corpus._replace(
            identifiers=[one.utterance or f"{one.recording}:{one.line}" for one in segments],
            words=[one.words for one in segments],
            lines=[one.line for one in segments],
            special={},
        )
        if pipeline is not None:
            plain = normalized(plain, pipeline, what)
        words: Sequence[Words] = in_units(plain.words, rules.unit)
        if rules.ignore_case:
            words = [tuple(map(str.casefold, one)) for one in words]
        remarks += plain.remarks
        every += as_spoken(corpus, segments, words, how, _stream(corpus, segments, what, len(side)))
    first = side[0]
    path = first.name if len(side) == 1 else " ".join(one.name for one in side)
    return _Side(InputFile(path, first.format), by_session(every), tuple(remarks))


def _stream(corpus: Corpus, segments: Sequence[Segment], what: str, files: int) -> Stream:
    """How a segment without a speaker is called: after its channel, or its file.

    Each of several files is a stream, or as many as it has channels.
    """
    own = stem(corpus.name) if what == "hypothesis" or corpus.named_by_file else None
    if files == 1 or own is None:
        return lambda one: one.channel or own
    if len({one.channel for one in segments}) == 1:
        return lambda _: own
    return lambda one: own if one.channel is None else f"{own}-{one.channel}"


def _of_same_recording(
    left: _Side, right: _Side, corpora: tuple[Sequence[Corpus], Sequence[Corpus]]
) -> _Side:
    """The hypothesis under the name of the only recording, where its own is only a file's."""
    named = any(one.named_by_file for side in corpora for one in side)
    if not named or len(left.sessions) != 1:
        return right
    [name] = left.sessions
    if right.sessions.keys() == left.sessions.keys():
        return right
    every = [one for own in right.sessions.values() for one in own]
    merged = by_session(one._replace(segment=one.segment.replace(recording=name)) for one in every)
    remark = f"note: {right.input.path}: taken for the recording {name}"
    return right._replace(sessions=merged, remarks=(*right.remarks, remark))


def _account(
    left: _Side, right: _Side, options: Options, measure: str
) -> tuple[list[str], Account]:
    """The sessions to be scored, and what became of all."""
    lacking = [name for name in left.sessions if name not in right.sessions]
    extra = [name for name in right.sessions if name not in left.sessions]
    missing = options.missing or "error"
    if lacking and (missing == "error" or len(lacking) == len(left.sessions) > 0 < len(extra)):
        raise MatchingError(
            f"{right.input.path}: expected every session of {left.input.path}, found none for "
            f"{ListedNames.of(lacking)} (--missing delete scores them as silence, skip leaves "
            "them out)"
        )
    if extra and not options.allow_unmatched:
        raise MatchingError(
            f"{right.input.path}: expected sessions of {left.input.path} only, found others, "
            f"{ListedNames.of(extra)} (--allow-unmatched leaves them out)"
        )
    names = [name for name in left.sessions if missing != "skip" or name in right.sessions]
    skipped = lacking if missing == "skip" else []
    account = Account(
        "speaker" if MEASURES[measure][0] == "cp" else "segment",
        len(left.sessions),
        len(right.sessions),
        len(left.sessions) - len(lacking),
        ListedNames.of(lacking),
        ListedNames.of(extra),
        sum(len(one.words) for name in extra for one in right.sessions[name]),
        sum(len(one.words) for name in skipped for one in left.sessions[name]),
    )
    return names, account


def _joined(session: str, speaker: str | None, segments: Sequence[Segment]) -> Segment:
    """Several segments as one, with all that is known of their words."""
    from formats.model import Segment

    if not segments:
        return Segment(session, (), speaker=speaker)
    first = segments[0]
    starts = [one.start_ns for one in segments if one.start_ns is not None]
    ends = [one.end_ns for one in segments if one.end_ns is not None]
    return Segment.from_items(
        session,
        [item for one in segments for item in one.items()],
        speaker=speaker,
        channel=first.channel,
        start_ns=min(starts, default=None),
        end_ns=max(ends, default=None),
        labels=first.labels,
        properties=first.properties,
        line=first.line,
    )
