"""Meetings: the speakers and streams of every session found, and laid beside each other.

=======  ====================================================  ===================================
measure  what goes with what                                   what it forgives
=======  ====================================================  ===================================
cp       each speaker with one stream                          names of speakers
dicp     each segment of the hypothesis with one speaker       wrong speakers of whole segments
orc      each segment of the reference with one stream         speakers, where segments are whole
mimo     as orc, in the order of each speaker alone            the order between speakers, too
=======  ====================================================  ===================================

`tcp`, `ditcp`, `tcorc` and `tcmimo` are the same with times: words far apart are no pair. What
comes out is what every matching gives: words of both sides to be aligned with each other.
"""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, NamedTuple

from scoring.errors import InputError
from scoring.matching.by_segment import DI, MIMO, ORC, TooLargeError, assign_segments
from scoring.matching.by_speaker import (
    Assigned,
    Laid,
    Problem,
    TooManySpeakersError,
    assign_speakers,
    edits_of,
    equally_good,
    next_best,
)
from scoring.matching.identifier import MatchingError
from scoring.matching.word_times import Clock, NoWordTimesError, Turn
from scoring.model import NO_REFERENCE, Edit
from scoring.sides.corpus import Corpus, Words

if TYPE_CHECKING:
    from formats.model import Segment

CP = "cp"
# Of each measure what is laid where, and whether times matter.
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
TITLES = {
    "cp": "cpWER",
    "tcp": "tcpWER",
    "orc": "ORC-WER",
    "tcorc": "tcORC-WER",
    "mimo": "MIMO-WER",
    "tcmimo": "tcMIMO-WER",
    "dicp": "DI-cpWER",
    "ditcp": "DI-tcpWER",
}


class Spoken(NamedTuple):
    """A segment as it was read, with its words as they are compared, and its side's file."""

    segment: Segment
    words: Words
    turn: Turn


class Utterance(NamedTuple):
    """What is scored in one piece.

    Attributes
    ----------
    session, speaker
        Whose it is; speaker None: words of a stream that belong to nobody.
    stream
        What it is compared with; None: nothing.
    reference, hypothesis
        Segments of both sides.
    words, heard
        Theirs, as they are compared.
    edits
        As of `scoring.Edit`.
    """

    session: str
    speaker: str | None
    stream: str | None
    reference: tuple[Segment, ...]
    hypothesis: tuple[Segment, ...]
    words: Words
    heard: Words
    edits: bytes


class SpeakerCost(NamedTuple):
    """Errors of a speaker with its stream, and with the best of all others; None is silence."""

    speaker: str
    stream: str | None
    errors: int
    other: str | None
    other_errors: int


class Session(NamedTuple):
    """The errors of a session.

    Attributes
    ----------
    session
        Its name.
    reference_words, errors, insertions, deletions, substitutions
        Counts.
    error_rate
        Errors per word of the reference; None without such words.
    exact
        Whether no other assignment has fewer errors.
    at_least
        No assignment has fewer errors than this.
    assignment
        Pairs of speaker and stream, None for nobody; for ORC and DI the stream, or speaker, of each
        segment in the order of its side.
    equally_good
        How many assignments of speakers have as few errors, up to 1000; None but for cp and tcp.
    speakers
        What other streams would cost; empty but for cp and tcp.
    label_errors, time_errors
        How many of the errors are due to labels of whole segments alone (as far as is known: those
        that the greedy DI measure does not have), and to times; None unless asked for.
    """

    session: str
    reference_words: int
    errors: int
    insertions: int
    deletions: int
    substitutions: int
    error_rate: float | None
    exact: bool
    at_least: int
    assignment: Sequence[object]
    equally_good: int | None = None
    speakers: tuple[SpeakerCost, ...] = ()
    label_errors: int | None = None
    time_errors: int | None = None


class How(NamedTuple):
    """How sessions are scored.

    Attributes
    ----------
    measure
        One of `MEASURES`.
    collar_ns
        How far words of the hypothesis reach beyond their times.
    reference_times, hypothesis_times
        Of `scoring.matching.word_times.WORD_TIMES`.
    exact
        Whether the least number of errors is wanted; None: where it can be afforded.
    explain
        Work out what is told of `Session` beyond counts and assignment.
    """

    measure: str
    collar_ns: int
    reference_times: str
    hypothesis_times: str
    exact: bool | None = None
    explain: bool = False
    like_meeteval: bool = False

    @property
    def clock(self) -> Clock | None:
        """When words are said, where that matters."""
        if not MEASURES[self.measure][1]:
            return None
        return self.with_times()

    def with_times(self) -> Clock:
        """When words are said."""
        return Clock(
            self.collar_ns / 10**9 if self.like_meeteval else self.collar_ns,
            self.reference_times,
            self.hypothesis_times,
            self.like_meeteval,
        )


def segments_of(side: Corpus) -> list[Segment]:
    """All segments of a side that are to be scored, however it was read."""
    every = side.segments or side.timed_segments or side.sources or ()
    found = []
    for one in every:
        if one.kind == "ignored":
            continue
        if one.alternations:
            raise InputError(
                side.name,
                one.line,
                None,
                "expected plain words, since speakers are to be assigned, found alternatives",
            )
        found += _one_by_one(one) if one.start_ns is None and one.starts_ns else [one]
    return found


def _one_by_one(segment: Segment) -> list[Segment]:
    """Words with times that stand in no segment, as in ctm, each as a segment of its own."""
    starts, ends = segment.starts_ns or (), segment.ends_ns or ()
    made = []
    for word, start, end in zip(segment.words, starts, ends, strict=True):
        made.append(
            segment.replace(
                words=(word,),
                start_ns=start,
                end_ns=end,
                starts_ns=(start,),
                ends_ns=(end,),
                confidences=None,
                kinds=None,
                optional=None,
                displays=None,
                interpolated=None,
            )
        )
    return made


def as_spoken(
    side: Corpus, segments: Sequence[Segment], words: Sequence[Words], how: How, default: str | None
) -> list[Spoken]:
    """The segments of a side as turns.

    Parameters
    ----------
    words
        Of each segment, as they are compared.
    default
        Who speaks where the file says nothing.

    Raises
    ------
    InputError
        If a segment has no speaker, no times where they are needed, or ends before it starts.
    """
    timed = MEASURES[how.measure][1] or how.explain
    found = []
    for segment, own in zip(segments, words, strict=True):
        speaker = segment.speaker or segment.channel or default
        if speaker is None:
            raise InputError(
                side.name, segment.line, None, "expected a speaker of every segment, found none"
            )
        start, end = segment.start_ns, segment.end_ns
        if start is not None and end is not None and end < start:
            problem = "expected an end not before the start, found one"
            raise InputError(side.name, segment.line, None, problem)
        if MEASURES[how.measure][1] and own and (start is None or end is None):
            problem = f"expected start and end of every segment for {how.measure}, found none"
            raise InputError(side.name, segment.line, None, problem)
        times = None
        if timed and segment.starts_ns and len(own) == len(segment.words):
            pairs = list(zip(segment.starts_ns, segment.ends_ns or (), strict=False))
            if len(pairs) == len(own) and all(None not in pair for pair in pairs):
                times = pairs
        found.append(Spoken(segment, own, Turn(speaker, own, start, end, times, segment.line)))
    return found


def by_session(spoken: Iterable[Spoken]) -> dict[str, list[Spoken]]:
    """Turns by recording, in order of first appearance, those of each in the order of time."""
    found: dict[str, list[Spoken]] = {}
    for one in spoken:
        found.setdefault(one.segment.recording, []).append(one)
    for own in found.values():
        if all(one.turn.start is not None for one in own):
            own.sort(key=_start)
    return found


def _start(one: Spoken) -> int:
    start: int = one.turn.start
    return start


def score_session(
    name: str,
    reference: Sequence[Spoken],
    hypothesis: Sequence[Spoken],
    how: How,
    path: str,
) -> tuple[Session, list[Utterance]]:
    """The errors of a session, and the utterances they are counted in.

    Parameters
    ----------
    path
        Of the reference, for messages.

    Raises
    ------
    MatchingError
        If the session is too large for what is wanted.
    InputError
        If words have no times of their own, and these are to count.
    """
    kind, _ = MEASURES[how.measure]
    turns = [_turns(side, how) for side in (reference, hypothesis)]
    try:
        problem = Problem(turns[0], turns[1], how.clock)
        if kind == CP:
            assigned = assign_speakers(problem)
        else:
            assigned = assign_segments(problem, kind, how.exact)
    except (TooLargeError, TooManySpeakersError) as reason:
        raise MatchingError(f"{path}: session {name!r}: {reason}") from None
    except NoWordTimesError as reason:
        raise InputError(path, None, None, f"session {name!r}: {reason}") from None
    edits, bounds = edits_of(problem, assigned)
    utterances: list[Utterance] = []
    for number, pair in enumerate(assigned.pairs):
        own = edits[bounds[number] : bounds[number + 1]]
        parts = _parts(pair.references, reference, own) if kind in (ORC, MIMO) else None
        utterances += _utterances(name, pair, parts, own, reference, hypothesis)
    words = problem.words[0]
    session = Session(
        name,
        words,
        assigned.errors,
        edits.count(Edit.INSERTION),
        edits.count(Edit.DELETION),
        edits.count(Edit.SUBSTITUTION),
        assigned.errors / words if words else None,
        assigned.exact,
        assigned.bound,
        assigned.assignment,
    )
    if how.explain:
        session = _explained(session, problem, assigned, turns, how)
    return session, utterances


def _turns(side: Sequence[Spoken], how: How) -> list[Turn]:
    if not how.like_meeteval:
        return [one.turn for one in side]
    # decimals, as meeteval has them from files
    from decimal import Decimal

    def seconds(time: int | None) -> Decimal | None:
        return None if time is None else Decimal(time).scaleb(-9).normalize() + 0

    return [
        one.turn._replace(
            start=seconds(one.turn.start),
            end=seconds(one.turn.end),
            times=None
            if one.turn.times is None
            else [(seconds(start), seconds(end)) for start, end in one.turn.times],
        )
        for one in side
    ]


def _parts(
    places: Sequence[int], reference: Sequence[Spoken], edits: bytes
) -> list[tuple[int, bytes]]:
    """The edits of each segment on a stream: insertions stay with the segment before."""
    found: list[tuple[int, bytes]] = []
    begin = at = 0
    for place in places:
        words = len(reference[place].words)
        while words:
            words -= edits[at] not in NO_REFERENCE
            at += 1
        while at < len(edits) and edits[at] in NO_REFERENCE:
            at += 1
        found.append((place, edits[begin:at]))
        begin = at
    return found


def _utterances(
    name: str,
    pair: Laid,
    parts: list[tuple[int, bytes]] | None,
    edits: bytes,
    reference: Sequence[Spoken],
    hypothesis: Sequence[Spoken],
) -> Iterable[Utterance]:
    heard = tuple(word for at in pair.hypotheses for word in hypothesis[at].words)
    theirs = tuple(hypothesis[at].segment for at in pair.hypotheses)
    if not parts:
        words = tuple(word for at in pair.references for word in reference[at].words)
        ours = tuple(reference[at].segment for at in pair.references)
        if not (pair.reference is None and not edits and pair.references == ()):
            yield Utterance(
                name, pair.reference, pair.hypothesis, ours, theirs, words, heard, edits
            )
        return
    begin = 0
    for place, own in parts:
        end = begin + sum(edit != Edit.DELETION for edit in own)
        one = reference[place]
        yield Utterance(
            name,
            one.turn.speaker,
            pair.hypothesis,
            (one.segment,),
            (),
            one.words,
            heard[begin:end],
            own,
        )
        begin = end


def _explained(
    session: Session,
    problem: Problem,
    assigned: Assigned,
    turns: Sequence[Sequence[Turn]],
    how: How,
) -> Session:
    """What a wrong label costs, and times; of cp and tcp also what other partners would."""
    if MEASURES[how.measure][0] != CP:
        return session
    labels = assign_segments(problem, DI, how.exact)
    times = None
    if problem.clock is not None:
        times = assigned.errors - assign_speakers(Problem(turns[0], turns[1])).errors
    return session._replace(
        equally_good=equally_good(problem),
        speakers=tuple(SpeakerCost(name, *found) for name, found in next_best(problem).items()),
        label_errors=max(0, assigned.errors - labels.errors),
        time_errors=times,
    )


def counts_of(utterances: Iterable[Utterance]) -> bytes:
    """A row of int32 of each: correct, substitutions, deletions, insertions."""
    order = (Edit.CORRECT, Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION)
    return array("i", [one.edits.count(edit) for one in utterances for edit in order]).tobytes()


def offsets_of(utterances: Iterable[Utterance]) -> array[int]:
    """Where the edits of each begin, and the end of the last."""
    return array("q", accumulate((len(one.edits) for one in utterances), initial=0))


def identifiers_of(utterances: Iterable[Utterance]) -> list[str]:
    """A name of each: session and speaker, or stream, and a number where there are several."""
    seen: dict[str, int] = {}
    found = []
    taken = set()
    for one in utterances:
        base = f"{one.session}-{one.speaker if one.speaker is not None else one.stream or '-'}"
        name = base
        while name in taken or (one.speaker is None and name == base and base in seen):
            seen[base] = seen.get(base, 1) + 1
            name = f"{base}-{seen[base]}"
        taken.add(name)
        seen.setdefault(base, 1)
        found.append(name)
    return found


def stem(path: str) -> str:
    """What a file without speakers is called by."""
    return os.path.splitext(os.path.basename(path))[0]
