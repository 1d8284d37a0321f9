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
from collections.abc import Callable, Iterable, Sequence
from itertools import accumulate, pairwise, starmap
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from scoring.errors import InputError
from scoring.matching.by_segment import (
    DI,
    MIMO,
    ORC,
    SessionTooLargeError,
    assign_segments,
    lowest_bound,
    with_one_moved,
)
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
from scoring.matching.outcome import (
    DECLINED,
    EMPTY,
    MISSING,
    PARTIAL,
    SCORED,
    OtherPartner,
    SessionErrors,
)
from scoring.matching.word_times import NoWordTimesError, Turn, WordTiming
from scoring.model import NO_REFERENCE, Edit
from scoring.sides.corpus import Corpus, Words

if TYPE_CHECKING:
    from formats.model import Segment

# So long nothing is heard before, or after, all that is: a hypothesis of a part of the session.
PARTIAL_NS = 60 * 10**9
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


Stream: TypeAlias = "Callable[[Segment], str | None]"


class Spoken(NamedTuple):
    """A segment as it was read, with its words as they are compared, and its side's file."""

    segment: Segment
    words: Words
    turn: Turn


class SessionUtterance(NamedTuple):
    """What is scored in one piece.

    Attributes
    ----------
    session, speaker
        Whose it is; speaker None: words of a stream that belong to nobody.
    stream
        What it is compared with; None: nothing, or segments of several streams.
    reference
        Segments.
    heard
        Of each word of the hypothesis its segment, and its place among the words of that.
    edits
        As of `scoring.Edit`.
    """

    session: str
    speaker: str | None
    stream: str | None
    reference: tuple[Spoken, ...]
    heard: Sequence[tuple[Spoken, int]]
    edits: bytes

    @property
    def said(self) -> Sequence[tuple[Spoken, int]]:
        """Of each word of the reference its segment, and its place there."""
        return [(one, place) for one in self.reference for place in range(len(one.words))]

    @property
    def words(self) -> Words:
        """Those of the reference, as they are compared."""
        return tuple(word for one in self.reference for word in one.words)

    @property
    def heard_words(self) -> Words:
        """Those of the hypothesis."""
        return tuple(one.words[place] for one, place in self.heard)


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
        Work out what is told of `SessionErrors` beyond counts and assignment.
    """

    measure: str
    collar_ns: int
    reference_times: str
    hypothesis_times: str
    exact: bool | None = None
    explain: bool = False
    like_meeteval: bool = False

    @property
    def clock(self) -> WordTiming | None:
        """When words are said, where that matters."""
        kind, timed = MEASURES[self.measure]
        return self.with_times()._replace(collar_on_reference=kind == DI) if timed else None

    def with_times(self) -> WordTiming:
        """When words are said."""
        return WordTiming(
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
    side: Corpus, segments: Sequence[Segment], words: Sequence[Words], how: How, stream: Stream
) -> list[Spoken]:
    """The segments of a side as turns.

    Parameters
    ----------
    words
        Of each segment, as they are compared.
    stream
        Who speaks in a segment whose speaker the file does not tell; None: that is not known.

    Raises
    ------
    InputError
        If a segment has no speaker, no times where they are needed, or ends before it starts.
    """
    timed = MEASURES[how.measure][1] or how.explain
    found = []
    for segment, own in zip(segments, words, strict=True):
        speaker = segment.speaker or stream(segment)
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
    hypothesis: Sequence[Spoken] | None,
    how: How,
    path: str,
) -> tuple[SessionErrors, list[SessionUtterance]]:
    """The errors of a session, and the utterances they are counted in.

    A session that is too large for what is wanted is declined: it has no utterances.

    Parameters
    ----------
    hypothesis
        None: there is none of the session.
    path
        Of the reference, for messages.

    Raises
    ------
    InputError
        If words have no times of their own, and these are to count.
    """
    kind, _ = MEASURES[how.measure]
    state, remark = _state(reference, hypothesis)
    hypothesis = hypothesis or ()
    turns = [_turns(side, how) for side in (reference, hypothesis)]
    try:
        problem = Problem(turns[0], turns[1], how.clock)
        assigned = _assigned(problem, kind, how.exact)
    except (SessionTooLargeError, TooManySpeakersError) as reason:
        words, least = problem.words[0], lowest_bound(problem)
        none = (None,) * 5
        return SessionErrors(name, words, *none, False, least, (), DECLINED, str(reason)), []
    except NoWordTimesError as reason:
        raise InputError(path, None, None, f"session {name!r}: {reason}") from None
    edits, bounds = edits_of(problem, assigned)
    utterances: list[tuple[int, SessionUtterance]] = []
    for pair, own in zip(assigned.pairs, map(edits.__getitem__, _slices(bounds)), strict=True):
        parts = _parts(pair.references, reference, own) if kind in (ORC, MIMO) else None
        utterances += _utterances(name, pair, parts, own, reference, hypothesis)
    if kind in (ORC, MIMO):
        # in the order of the reference, whatever stream a segment lies on
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
        assigned.assignment,
        state,
        remark,
    )
    if how.explain:
        session = _explained(session, problem, assigned, turns, kind)
    return session, [one for _, one in utterances]


def _assigned(problem: Problem, kind: str, exact: bool | None) -> Assigned:
    return assign_speakers(problem) if kind == CP else assign_segments(problem, kind, exact)


def _slices(bounds: Sequence[int]) -> Iterable[slice]:
    return starmap(slice, pairwise(bounds))


def _state(
    reference: Sequence[Spoken], hypothesis: Sequence[Spoken] | None
) -> tuple[str, str | None]:
    """Whether a session is there in full, and what is the matter with it otherwise."""
    if hypothesis is None:
        return MISSING, "not in the hypothesis, scored as silence"
    said, heard = ([one.turn for one in side if one.words] for side in (reference, hypothesis))
    if bool(said) != bool(heard):
        return EMPTY, f"no words in the {'reference' if heard else 'hypothesis'}"
    if not heard or any(one.start is None or one.end is None for one in (*said, *heard)):
        return SCORED, None
    after = max(one.end for one in said) - max(one.end for one in heard)
    before = min(one.start for one in heard) - min(one.start for one in said)
    if max(before, after) < PARTIAL_NS:
        return SCORED, None
    gap, where = max((before, "first"), (after, "last"))
    return (
        PARTIAL,
        f"no words of the hypothesis in the {where} {gap / 10**9:.0f} s of the reference",
    )


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
) -> Iterable[tuple[int, SessionUtterance]]:
    """What is scored of a pair, each with the place of its segment, what has none at the end."""
    stream = pair.hypothesis
    ours, theirs = (
        tuple(map(side.__getitem__, places))
        for side, places in ((reference, pair.references), (hypothesis, pair.hypotheses))
    )
    heard = [(one, place) for one in theirs for place in range(len(one.words))]
    if not parts:
        if not (pair.reference is None and not edits and not ours):
            yield len(reference), SessionUtterance(name, pair.reference, stream, ours, heard, edits)
        return
    begin = 0
    for place, own in parts:
        end = begin + sum(edit != Edit.DELETION for edit in own)
        one = reference[place]
        yield place, SessionUtterance(name, one.turn.speaker, stream, (one,), heard[begin:end], own)
        begin = end


def _explained(
    session: SessionErrors,
    problem: Problem,
    assigned: Assigned,
    turns: Sequence[Sequence[Turn]],
    kind: str,
) -> SessionErrors:
    """What other partners would cost, and how many errors labels and times cause."""
    labels = times = good = None
    if kind == CP:
        labels = max(0, assigned.errors - assign_segments(problem, DI).errors)
        good = equally_good(problem)
        others = tuple(OtherPartner(name, *found) for name, found in next_best(problem).items())
    else:
        moved = with_one_moved(problem, kind, assigned)
        moving = turns[kind == DI]
        others = tuple(
            OtherPartner(
                moving[at].speaker, one.held, assigned.errors, one.best, one.errors, at + 1
            )
            for at, one in sorted(moved.items())
        )
        if assigned.exact:
            good = 1 + sum(one.as_good for one in moved.values())
    if problem.clock is not None:
        try:
            plain = _assigned(Problem(turns[0], turns[1]), kind, None)
        except SessionTooLargeError:
            plain = None
        if plain is not None and plain.exact and assigned.exact:
            times = assigned.errors - plain.errors
    return session._replace(
        equally_good=good, others=others, label_errors=labels, time_errors=times
    )


def counts_of(utterances: Iterable[SessionUtterance]) -> bytes:
    """A row of int32 of each: correct, substitutions, deletions, insertions."""
    order = (Edit.CORRECT, Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION)
    return array("i", [one.edits.count(edit) for one in utterances for edit in order]).tobytes()


def offsets_of(utterances: Iterable[SessionUtterance]) -> array[int]:
    """Where the edits of each begin, and the end of the last."""
    return array("q", accumulate((len(one.edits) for one in utterances), initial=0))


def identifiers_of(utterances: Iterable[SessionUtterance]) -> list[str]:
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
