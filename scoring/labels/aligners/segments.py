"""Stretches of time in which nothing begins and nothing ends.

They have any number of labels, and from these come segments with at most one on each side.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from math import inf, isfinite
from typing import (
    Any,
    Final,
    Generic,
    Literal,
    NamedTuple,
    Protocol,
    TypeAlias,
    TypeVar,
    get_args,
    overload,
)

from formats.times import SECOND
from formats.words import time_order
from scoring.labels.aligners.pairs import ListLikeTuple, Ordered, edit_between
from scoring.labels.aligners.spans import (
    OPEN,
    LabelError,
    LabelLike,
    Span,
    described,
    span_of,
    threshold_of,
)
from scoring.model import Edit

TIME_THRESHOLD = 0.01
START, END = "S", "E"
REFERENCE, HYPOTHESIS = 0, 1

_set = object.__setattr__
Active = TypeVar("Active")


@dataclass(frozen=True, init=False, repr=False)  # slots and `Generic` do not go together
class ActiveStretch(Ordered, Generic[Active]):
    """A stretch of time with the labels of both sides that are active all through it.

    Sorts by start, end, reference and hypothesis, where nothing comes first.

    Attributes
    ----------
    start, end
        Seconds; the end may be infinite.
    ref, hyp
        As aligners give them: the labels, in order of their activation; both may be empty. Once
        overlaps are resolved (`flattened`): one label, or None. Then there is one answer to what
        happened, `edit`.

    Examples
    --------
    >>> from formats import Label
    >>> a, b = Label("a", 0, 2), Label("b", 0, 1)
    >>> ActiveStretch(0, 1, [a], []), ActiveStretch(0, 1, a, b)
    (0 - 1 REF: [a] HYP: [], 0 - 1 REF: a HYP: b)
    >>> ActiveStretch(0, 1, ref=a).edit.letter
    'D'
    """

    start: float
    end: float
    ref: Active
    hyp: Active

    @overload
    def __init__(
        self: SegmentPair,
        start: float,
        end: float,
        ref: LabelLike | None = None,
        hyp: LabelLike | None = None,
    ) -> None: ...
    @overload
    def __init__(
        self: ActiveStretch[ListLikeTuple[LabelLike]],
        start: float,
        end: float,
        ref: Iterable[LabelLike],
        hyp: Iterable[LabelLike] | None = None,
    ) -> None: ...
    def __init__(
        self,
        start: float,
        end: float,
        ref: Iterable[LabelLike] | LabelLike | None = None,
        hyp: Iterable[LabelLike] | LabelLike | None = None,
    ) -> None:
        _set(self, "start", start)
        _set(self, "end", end)
        _set(self, "ref", ref if ref is None or hasattr(ref, "value") else ListLikeTuple(ref))
        _set(self, "hyp", hyp if hyp is None or hasattr(hyp, "value") else ListLikeTuple(hyp))

    @property
    def duration(self) -> float:
        """Seconds, without binary noise."""
        return duration(self.start, self.end)

    @property
    def labels(self) -> tuple[tuple[LabelLike, ...], tuple[LabelLike, ...]]:
        """Those of the reference and those of the hypothesis, however many there are."""
        return _labels(self.ref), _labels(self.hyp)

    @property
    def nanoseconds(self) -> int:
        """The duration as a whole number.

        Raises
        ------
        LabelError
            If it has no end.
        """
        if self.end == inf:
            left, right = self.labels
            what = next((described(label) for label in (*left, *right)), "nothing")
            raise LabelError(f"expected the duration of the utterance, found none to end {what}")
        return round(self.end * SECOND) - round(self.start * SECOND)

    @property
    def edit(self: SegmentPair) -> Edit:
        """What happened in this time, in which each side has one label or None.

        Raises
        ------
        ValueError
            If both sides are missing.
        """
        return edit_between(self.ref, self.hyp, "a segment")

    def _order(self) -> tuple[object, ...]:
        sides = (tuple(map(time_order, side)) for side in self.labels)
        return (self.start, self.end, *sides)

    def __repr__(self) -> str:
        left, right = map(_shown, (self.ref, self.hyp))
        return f"{self.start:g} - {self.end:g} REF: {left} HYP: {right}"


# as evalmate calls it
Segment = ActiveStretch
SegmentPair: TypeAlias = ActiveStretch["LabelLike | None"]
"""A segment in which each side has one label, or None."""


def _labels(side: Any) -> tuple[LabelLike, ...]:
    if side is None:
        return ()
    return side if isinstance(side, tuple) else (side,)


def _shown(side: Any) -> str | None:
    if isinstance(side, tuple):
        return f"[{', '.join(item.value for item in side)}]"
    return None if side is None else side.value


def duration(start: float, end: float) -> float:
    """Seconds between two times, without binary noise.

    >>> duration(1, 1.1), 1.1 - 1
    (0.1, 0.10000000000000009)
    """
    if not isfinite(end):
        return inf
    return (round(end * SECOND) - round(start * SECOND)) / SECOND


class LabelBorder(NamedTuple):
    """A label begins or ends."""

    time: float
    kind: str
    side: int
    label: LabelLike


class _Event(NamedTuple):
    """The same with what it takes to sort and to find the other end; compared in this order."""

    time: int
    kind: str
    side: int
    place: int
    label: LabelLike

    @property
    def key(self) -> tuple[int, int]:
        return self.side, self.place

    @property
    def public(self) -> LabelBorder:
        seconds = inf if self.time >= OPEN else self.time / SECOND
        return LabelBorder(seconds, self.kind, self.side, self.label)


class SegmentAligner(Protocol):
    """Cuts time into segments."""

    def align(
        self,
        ref_labels: Sequence[LabelLike],
        hyp_labels: Sequence[LabelLike],
        duration: float | None = None,
    ) -> list[ActiveStretch[ListLikeTuple[LabelLike]]]:
        """Segments in order of time."""


class InvariantSegmentAligner:
    """Cuts time wherever a label of either side begins or ends.

    Parameters
    ----------
    time_threshold
        Seconds. Times closer than this are taken for one, the first of them, so that slips of a few
        milliseconds make no segments of their own; a row of times each closer than this to the next
        is one time. A label's own end is never taken for its start. (In evalmate a label shorter
        than the threshold vanishes, or never ends.)

    Raises
    ------
    ValueError
        If the threshold is negative or no number.

    Examples
    --------
    >>> from formats import Label
    >>> reference = [Label("a", 0, 3), Label("b", 3, 6), Label("c", 7, 10)]
    >>> hypothesis = [Label("a", 0, 3), Label("b", 4, 8), Label("c", 8, 10)]
    >>> for segment in InvariantSegmentAligner().align(reference, hypothesis):
    ...     print(segment)
    0 - 3 REF: [a] HYP: [a]
    3 - 4 REF: [b] HYP: []
    4 - 6 REF: [b] HYP: [b]
    6 - 7 REF: [] HYP: [b]
    7 - 8 REF: [c] HYP: [b]
    8 - 10 REF: [c] HYP: [c]
    """

    def __init__(self, time_threshold: float = TIME_THRESHOLD) -> None:
        self.time_threshold = time_threshold
        threshold_of("time_threshold", time_threshold)

    def align(
        self,
        ref_labels: Sequence[LabelLike],
        hyp_labels: Sequence[LabelLike],
        duration: float | None = None,
    ) -> list[ActiveStretch[ListLikeTuple[LabelLike]]]:
        """Segments from the first event to the last, gaps between labels among them.

        The labels are left as they are. (evalmate changes the ends of the caller's.)

        Parameters
        ----------
        duration
            Seconds of the utterance, where open ends end; without it they are infinite, and so is
            the last segment. (evalmate refuses labels that end at -1.)

        Raises
        ------
        LabelError
            If a label has no start or does not end after it.
        """
        groups = _groups(ref_labels, hyp_labels, self.time_threshold, duration)
        active: tuple[dict[int, LabelLike], dict[int, LabelLike]] = ({}, {})
        segments = []
        # nothing is active after the last event
        for (time, events), (following, _) in pairwise(groups):
            for event in events:
                if event.kind == START:
                    active[event.side][event.place] = event.label
                else:
                    del active[event.side][event.place]
            end = inf if following >= OPEN else following / SECOND
            segments.append(
                ActiveStretch(time / SECOND, end, active[0].values(), active[1].values())
            )
        return segments

    @staticmethod
    def create_event_list(
        ref_labels: Sequence[LabelLike],
        hyp_labels: Sequence[LabelLike],
        time_threshold: float = TIME_THRESHOLD,
    ) -> list[tuple[float, list[LabelBorder]]]:
        """What happens when: a time, and the events that are taken to happen at that time.

        Within a group events stand in the order of their own times, ends before starts, the
        reference before the hypothesis.

        Raises
        ------
        LabelError
            As of `align`.

        Examples
        --------
        >>> from formats import Label
        >>> labels = [Label("a", 0, 1), Label("b", 1.005, 2)]
        >>> for time, events in InvariantSegmentAligner.create_event_list(labels, []):
        ...     print(time, [(event.kind, event.label.value) for event in events])
        0.0 [('S', 'a')]
        1.0 [('E', 'a'), ('S', 'b')]
        2.0 [('E', 'b')]
        """
        return [
            (inf if time >= OPEN else time / SECOND, [event.public for event in events])
            for time, events in _groups(ref_labels, hyp_labels, time_threshold, None)
        ]


def _groups(
    ref_labels: Sequence[LabelLike],
    hyp_labels: Sequence[LabelLike],
    time_threshold: float,
    duration: float | None,
) -> list[tuple[int, list[_Event]]]:
    threshold = threshold_of("time_threshold", time_threshold)
    events = sorted(
        [*_events(ref_labels, REFERENCE, duration), *_events(hyp_labels, HYPOTHESIS, duration)],
        key=lambda event: event[:4],
    )
    groups: list[tuple[int, list[_Event]]] = []
    begun: set[tuple[int, int]] = set()
    previous = 0
    for event in events:
        own_start = event.kind == END and event.key in begun
        if groups and event.time - previous < threshold and not own_start:
            groups[-1][1].append(event)
        elif groups and event.time == groups[-1][0]:
            # without a threshold equal times still are one time
            groups[-1][1].append(event)
        else:
            groups.append((event.time, [event]))
            begun.clear()
        previous = event.time
        if event.kind == START:
            begun.add(event.key)
    return groups


def _events(labels: Iterable[LabelLike], side: int, duration: float | None) -> Iterator[_Event]:
    for place, label in enumerate(labels):
        span = absolute_span(label, duration)
        yield _Event(span.start, START, side, place, label)
        yield _Event(span.end, END, side, place, label)


def absolute_span(label: LabelLike, duration: float | None) -> Span:
    """The times of a label that must have a length; an open end is that of the utterance."""
    span = span_of(label)
    if span.end == OPEN and duration is not None:
        span = Span(span.start, round(duration * SECOND))
        if span.end <= span.start:
            raise LabelError(
                f"expected labels within the {duration:g} s of the utterance, found "
                f"{described(label)}"
            )
    if span.end <= span.start:
        raise LabelError(f"expected a label with a length, found {described(label)}")
    return span


REFUSE: Final = "refuse"
Overlaps: TypeAlias = Literal["refuse", "match"]
OVERLAPS: tuple[Overlaps, ...] = get_args(Overlaps)


def flattened(segments: Iterable[ActiveStretch[Any]], overlaps: str = REFUSE) -> list[SegmentPair]:
    """Segments with at most one label on each side; those without any are left out.

    >>> from formats import Label
    >>> speech, music = Label("speech", 0, 4), Label("music", 0, 4)
    >>> flattened([ActiveStretch(0, 4, [speech, music], [music])], overlaps="match")
    [0 - 4 REF: music HYP: music, 0 - 4 REF: speech HYP: None]
    """
    if overlaps not in OVERLAPS:
        raise ValueError(f"overlaps: expected one of {', '.join(OVERLAPS)}, found {overlaps!r}")
    flat = []
    for segment in segments:
        references, hypotheses = segment.labels
        if overlaps == REFUSE:
            _check(segment, references, "reference")
            _check(segment, hypotheses, "hypothesis")
        pairs = _matched(references, hypotheses)
        flat += [ActiveStretch(segment.start, segment.end, *pair) for pair in pairs]
    return flat


def _check(segment: ActiveStretch[Any], labels: Sequence[LabelLike], side: str) -> None:
    if len(labels) > 1:
        named = " and ".join(map(described, labels))
        raise LabelError(
            f"Overlapping labels in {side}. ({named} overlap from {segment.start:g} to "
            f"{segment.end:g} s)"
        )


def _matched(
    references: Sequence[LabelLike], hypotheses: Sequence[LabelLike]
) -> Iterator[tuple[LabelLike | None, LabelLike | None]]:
    if len(references) < 2 and len(hypotheses) < 2:
        if references or hypotheses:
            yield (*references, None)[0], (*hypotheses, None)[0]
        return
    # by place, the first of a value first: labels of other packages may be equal in other respects
    places: dict[str, list[int]] = {}
    for place in reversed(range(len(hypotheses))):
        places.setdefault(hypotheses[place].value, []).append(place)
    left, taken = [], set()
    for label in references:
        if waiting := places.get(label.value):
            taken.add(waiting[-1])
            yield label, hypotheses[waiting.pop()]
        else:
            left.append(label)
    yield from zip_longest(
        left, [label for place, label in enumerate(hypotheses) if place not in taken]
    )
