"""Meetings: a measure assigns the speakers of every session to streams.

=======  ============================================  ============================================
measure  who is paired with whom                       errors that do not count
=======  ============================================  ============================================
cp       each speaker with one stream                  other names of speakers
dicp     each hypothesis segment with one speaker      wrong speakers of whole hypothesis segments
orc      each reference segment with one stream        wrong speakers of whole reference segments
mimo     as orc; only each speaker's own order counts  also a wrong order between speakers
=======  ============================================  ============================================

`tcp`, `ditcp`, `tcorc` and `tcmimo` are the same measures with times: words that are far apart are
not paired. The result of matching says which words of both sides are aligned with each other.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import accumulate, chain, pairwise
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from formats.schema.remarks import Remark
from scoring.alignment.compounds import CORE_COMPOUNDS
from scoring.model.counts import NO_REFERENCE, Edit
from scoring.model.errors import InputError
from scoring.sides import messages
from scoring.sides.corpus import Corpus
from scoring.sides.matching.by_graph import GraphProblem, choose_turns, has_choices
from scoring.sides.matching.by_segment import (
    DI,
    MIMO,
    ORC,
    SessionTooLargeError,
    assign_segments,
    lowest_bound,
)
from scoring.sides.matching.by_speaker import (
    Assigned,
    AssignedPair,
    Problem,
    assign_speakers,
    edits_of,
)
from scoring.sides.matching.outcome import (
    DECLINED,
    EMPTY,
    MISSING,
    PARTIAL,
    SCORED,
    DeclinedError,
    SessionErrors,
)
from scoring.sides.matching.word_times import NoWordTimesError, Turn, WordTiming
from scoring.sides.messages import Message

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from formats.schema.words import Words

CP = "cp"
# A hypothesis that lacks so much before its first word, or after its last, is of a part alone.
PARTIAL_NS = 60 * 10**9
# Of each measure what is assigned, and whether times matter.
MEASURES = {
    "cp": (CP, False),
    "tcp": (CP, True),
    "orc": (ORC, False),
    "tcorc": (ORC, True),
    "mimo": (MIMO, False),
    "tcmimo": (MIMO, True),
    "dicp": (DI, False),
    "ditcp": (DI, True),
}
# The stream of a segment whose speaker the file does not name; None: unknown.
StreamOfSegment: TypeAlias = "Callable[[Segment], str | None]"


class Spoken(NamedTuple):
    """A segment as read, and the turn with its words in the form that is compared."""

    segment: Segment
    turn: Turn


class SessionUtterance(NamedTuple):
    """A part of a session that is scored as one utterance."""

    session: str  # whose it is; speaker None: words of a stream that belong to nobody
    speaker: str | None
    stream: str | None  # what it is compared with; None: nothing, or segments of several streams
    reference: tuple[Spoken, ...]  # segments
    # Of each word of the hypothesis its segment, and its position among the words of that
    heard: Sequence[tuple[Spoken, int]]
    edits: bytes  # as of `scoring.Edit`

    @property
    def spoken(self) -> Sequence[tuple[Spoken, int]]:
        """The segment of each reference word, and the word's position in the segment."""
        return word_positions(self.reference)


class SessionRules(NamedTuple):
    """The rules for scoring the sessions of meetings."""

    measure: str  # one of `MEASURES`
    collar_ns: int  # how far words of the hypothesis reach beyond their times
    reference_times: str  # of `scoring.sides.matching.word_times.WORD_TIMES`
    hypothesis_times: str
    # Whether to search for the least number of errors; None: unless a session is too large
    exact: bool | None = None
    explain: bool = False  # count the errors that labels and times cause
    compounds: str = ""  # words written apart that match others, as of the options
    like_meeteval: bool = False  # compare times as meeteval does

    @property
    def kind(self) -> str:
        """The kind of measure: `cp`, `orc`, `mimo` or `di`."""
        return MEASURES[self.measure][0]

    @property
    def is_timed(self) -> bool:
        """True if the measure uses times."""
        return MEASURES[self.measure][1]

    @property
    def clock(self) -> WordTiming | None:
        """The rule for word times; None if times are ignored."""
        if not self.is_timed:
            return None
        return WordTiming(
            self.collar_ns / 10**9 if self.like_meeteval else self.collar_ns,
            self.reference_times,
            self.hypothesis_times,
            self.like_meeteval,
            self.kind == DI,
        )

    @property
    def signature(self) -> str:
        """The measure and its settings, for the signature.

        >>> SessionRules("cp", 0, "characters", "characters-points").signature
        'cp'
        >>> SessionRules("tcp", 5_000_000_000, "characters", "characters-points").signature
        'tcp(collar:5s,times:characters,characters-points)'
        """
        choices = []
        if self.exact is not None and self.kind != CP:
            choices.append("exact" if self.exact else "greedy")
        if self.is_timed:
            collar = f"{self.collar_ns / 10**9:.9f}".rstrip("0").rstrip(".")
            choices += [
                f"collar:{collar}s",
                f"times:{self.reference_times},{self.hypothesis_times}",
            ]
            choices += ["as-meeteval"] * self.like_meeteval
        return f"{self.measure}({','.join(choices)})" if choices else self.measure


def word_positions(segments: Iterable[Spoken]) -> list[tuple[Spoken, int]]:
    """Return, for each word of the segments, its segment and its position there."""
    return [(spoken, word) for spoken in segments for word in range(len(spoken.turn.words))]


def segments_of(side: Corpus) -> list[Segment]:
    """Return the scored segments of a side."""
    segments: list[Segment] = []
    for segment in side.spoken:
        if segment.start_ns is None and segment.starts_ns:
            segments += _single_words(segment)
        else:
            segments.append(segment)
    return segments


def _single_words(segment: Segment) -> Iterator[Segment]:
    """Yield timed words outside segments, as in ctm, each as a segment of its own."""
    from formats.schema.model import COLUMNS

    empty = dict.fromkeys(COLUMNS)
    times = zip(segment.starts_ns or (), segment.ends_ns or (), strict=True)
    for word, (start, end) in zip(segment.words, times, strict=True):
        columns = {**empty, "starts_ns": (start,), "ends_ns": (end,)}
        yield segment.replace(words=(word,), start_ns=start, end_ns=end, **columns)


def as_spoken(
    side: Corpus,
    segments: Sequence[Segment],
    words: Sequence[Words],
    rows: Mapping[int, Sequence[str | int]],
    rules: SessionRules,
    stream: StreamOfSegment,
) -> Iterator[Spoken]:
    """Yield the segments of a side as turns, with their words in the form that is compared.

    `rows` has the turns with alternatives, by position.
    """
    for position, (segment, compared) in enumerate(zip(segments, words, strict=True)):
        row = rows.get(position)
        start, end = segment.start_ns, segment.end_ns
        speaker = segment.speaker or stream(segment)
        problem = ""
        if speaker is None:
            problem = f"{rules.measure} needs the speaker of every segment, and this one has none"
        elif start is not None and end is not None and end < start:
            problem = "the segment ends before it starts"
        elif rules.is_timed and compared and (start is None or end is None):
            problem = f"{rules.measure} needs the start and the end of every segment"
        if speaker is None or problem:
            raise InputError(side.name, segment.line, None, problem)
        times = None
        if rules.is_timed and len(compared) == len(segment.words):
            times = list(zip(segment.starts_ns or (), segment.ends_ns or (), strict=False))
            if len(times) < len(compared) or any(None in pair for pair in times):
                times = None
        yield Spoken(segment, Turn(speaker, compared, start, end, times or None, segment.line, row))


def by_session(turns: Iterable[Spoken]) -> dict[str, list[Spoken]]:
    """Group turns by recording in order of first appearance, and sort each group by time."""
    sessions: dict[str, list[Spoken]] = {}
    for spoken in turns:
        sessions.setdefault(spoken.segment.recording, []).append(spoken)
    for session in sessions.values():
        if all(spoken.turn.start is not None for spoken in session):
            session.sort(key=lambda spoken: int(spoken.turn.start))
    return sessions


def score_session(
    name: str,
    reference: Sequence[Spoken],
    hypothesis: Sequence[Spoken] | None,
    rules: SessionRules,
    path: str,
) -> tuple[SessionErrors, list[SessionUtterance]]:
    """Return the errors of a session, and the utterances in which they are counted.

    A session that is too large for the chosen search is not scored and has no utterances.
    """
    state, cause = _state(reference, hypothesis)
    hypothesis = hypothesis or ()
    turns = _turns(reference, rules), _turns(hypothesis, rules)
    try:
        written = _problem(turns, rules)
        problem, assigned, known = _solved(written, rules.kind, rules.exact)
    except DeclinedError as declined:
        words, least = written.words[0], lowest_bound(written)
        none, remark = (None,) * 5, Remark.of(declined.value)
        return SessionErrors(name, words, *none, False, least, (), DECLINED, remark), []
    except NoWordTimesError as reason:
        raise InputError(path, None, None, f"session {name!r}: {reason}") from None
    reference, hypothesis = (
        [spoken._replace(turn=turn) for spoken, turn in zip(side, own, strict=True)]
        for side, own in zip((reference, hypothesis), problem.sides, strict=True)
    )
    if known is None:
        edits, bounds = edits_of(problem, assigned, rules.compounds)
    else:
        edits, bounds = b"".join(known), list(accumulate(map(len, known), initial=0))
    utterances: list[tuple[int, SessionUtterance]] = []
    for pair, (begin, end) in zip(assigned.pairs, pairwise(bounds), strict=True):
        utterances += _utterances(name, pair, edits[begin:end], reference, hypothesis, rules.kind)
    if rules.kind in (ORC, MIMO):
        # in the order of the reference, whatever stream a segment is on
        utterances.sort(key=itemgetter(0))
    words = problem.words[0]
    session = SessionErrors(
        name,
        words,
        assigned.errors,
        edits.count(Edit.INSERTION),
        edits.count(Edit.DELETION),
        edits.count(Edit.SUBSTITUTION),
        assigned.errors / words if words else None,
        assigned.exact,
        assigned.bound,
        tuple(assigned.assignment),
        state,
        cause and Remark.of(cause),
    )
    if rules.explain:
        session = _explained(session, written, assigned, rules.kind)
    return session, [utterance for _, utterance in utterances]


def _problem(turns: tuple[Sequence[Turn], Sequence[Turn]], rules: SessionRules) -> Problem:
    """Return both sides with words as numbers: sequences, or graphs if turns have alternatives."""
    if rules.compounds or has_choices(chain(*turns)):
        return GraphProblem(*turns, rules.clock, CORE_COMPOUNDS[rules.compounds])
    return Problem(*turns, rules.clock)


class _Solved(NamedTuple):
    """The assignment of a session, its problem, and the edits if they are already known."""

    problem: Problem
    assigned: Assigned
    edits: list[bytes] | None = None


def _solved(problem: Problem, kind: str, exact: bool | None) -> _Solved:
    """Return the assignment of a session, with the words that were chosen from alternatives."""
    if not isinstance(problem, GraphProblem):
        is_cp = kind == CP
        assigned = assign_speakers(problem) if is_cp else assign_segments(problem, kind, exact)
        return _Solved(problem, assigned)
    if kind == CP:
        chosen, costs = choose_turns(problem)
    else:
        assigned, costs = assign_segments(problem, kind, exact), None
        chosen = problem.chosen(assigned.pairs, moving=int(kind == DI))
    # edits that are known need no times
    clock = problem.clock if chosen.edits is None else None
    words = Problem(chosen.reference, chosen.hypothesis, clock, costs)
    return _Solved(words, assign_speakers(words) if kind == CP else assigned, chosen.edits)


def _state(
    reference: Sequence[Spoken], hypothesis: Sequence[Spoken] | None
) -> tuple[str, Message | None]:
    """Return the state of a session (complete, or which side is missing) and the reason."""
    if hypothesis is None:
        return MISSING, Message(messages.NO_SESSION)
    turns, heard = (
        [spoken.turn for spoken in side if spoken.turn.words] for side in (reference, hypothesis)
    )
    if bool(turns) != bool(heard):
        side = "reference" if heard else "hypothesis"
        return EMPTY, Message(messages.EMPTY_SESSION, {"side": side})
    if not heard or any(turn.start is None or turn.end is None for turn in (*turns, *heard)):
        return SCORED, None
    after = max(turn.end for turn in turns) - max(turn.end for turn in heard)
    before = min(turn.start for turn in heard) - min(turn.start for turn in turns)
    gap, where = max((before, "first"), (after, "last"))
    if gap < PARTIAL_NS:
        return SCORED, None
    fields = {"place": where, "seconds": round(gap / 10**9)}
    return PARTIAL, Message(messages.PARTIAL_SESSION, fields)


def _turns(side: Sequence[Spoken], rules: SessionRules) -> list[Turn]:
    turns = [spoken.turn for spoken in side]
    return list(map(_in_decimals, turns)) if rules.like_meeteval else turns


def _in_decimals(turn: Turn) -> Turn:
    """Return a turn with its times as decimal seconds, as meeteval reads them from files."""

    def seconds(time: int | None) -> Decimal | None:
        return None if time is None else Decimal(time).scaleb(-9).normalize() + 0

    times = turn.times and [(seconds(start), seconds(end)) for start, end in turn.times]
    return turn._replace(start=seconds(turn.start), end=seconds(turn.end), times=times)


def _utterances(
    name: str,
    pair: AssignedPair,
    edits: bytes,
    reference: Sequence[Spoken],
    hypothesis: Sequence[Spoken],
    kind: str,
) -> Iterator[tuple[int, SessionUtterance]]:
    """Yield the scored utterances of a pair, each with the index of its segment.

    An utterance of several segments has the number of reference segments as its index.
    """
    segments = tuple(reference[position] for position in pair.references)
    heard = word_positions(hypothesis[position] for position in pair.hypotheses)
    if kind not in (ORC, MIMO) or not segments:
        if pair.speaker is not None or edits or segments:
            utterance = SessionUtterance(name, pair.speaker, pair.stream, segments, heard, edits)
            yield len(reference), utterance
        return
    first = begin = end = 0
    for position, segment in zip(pair.references, segments, strict=True):
        words = len(segment.turn.words)
        # insertions stay with the segment before
        while end < len(edits) and (words or edits[end] in NO_REFERENCE):
            words -= edits[end] not in NO_REFERENCE
            end += 1
        own_edits = edits[begin:end]
        last = first + len(own_edits) - own_edits.count(Edit.DELETION)
        speaker, shared = segment.turn.speaker, heard[first:last]
        yield (
            position,
            SessionUtterance(name, speaker, pair.stream, (segment,), shared, own_edits),
        )
        begin, first = end, last


def _explained(
    session: SessionErrors, problem: Problem, assigned: Assigned, kind: str
) -> SessionErrors:
    """Return the errors of a session, and how many of them speaker labels and times cause."""
    labels = times = None
    if kind == CP:
        labels = max(0, assigned.errors - assign_segments(problem, DI).errors)
    if problem.clock is not None:
        try:
            untimed = _solved(problem.untimed(), kind, None).assigned
        except SessionTooLargeError:
            untimed = None
        if untimed is not None and untimed.exact and assigned.exact:
            times = assigned.errors - untimed.errors
    return session._replace(label_errors=labels, time_errors=times)


def identifiers_of(utterances: Iterable[SessionUtterance]) -> list[str]:
    """Return the names of utterances: session and speaker or stream, with numbers if necessary."""
    numbers: dict[str, int] = {}
    identifiers: dict[str, None] = {}
    for utterance in utterances:
        speaker = utterance.stream or "-" if utterance.speaker is None else utterance.speaker
        base = name = f"{utterance.session}-{speaker}"
        while name in identifiers or (
            utterance.speaker is None and name == base and base in numbers
        ):
            numbers[base] = numbers.get(base, 1) + 1
            name = f"{base}-{numbers[base]}"
        identifiers[name] = None
        numbers.setdefault(base, 1)
    return list(identifiers)


def stem(path: str) -> str:
    """Return the name of a file without folder and suffix."""
    return os.path.splitext(os.path.basename(path))[0]
