"""From segments with any number of labels to segments with at most one on each side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from math import inf
from typing import Final

from formats.times import SECOND
from formats.value import Value
from scoring.alignment.labels.pairs import edit_between, time_order
from scoring.alignment.labels.segments import Segment, duration
from scoring.alignment.labels.spans import LabelError, LabelLike, described
from scoring.model import Edit

REFUSE: Final = "refuse"
MATCH: Final = "match"
OVERLAPS = (REFUSE, MATCH)

_set = object.__setattr__


class SegmentPair(Value):
    """A stretch of time with one label of each side, or None.

    It stands to `Segment` as evalmate's segments after flattening do to those before it. Sorts by
    start, end, reference and hypothesis, None first.
    """

    __slots__ = ("end", "hyp", "ref", "start")

    start: float
    end: float
    ref: LabelLike | None
    hyp: LabelLike | None

    def __init__(
        self,
        start: float,
        end: float,
        ref: LabelLike | None = None,
        hyp: LabelLike | None = None,
    ) -> None:
        _set(self, "start", start)
        _set(self, "end", end)
        _set(self, "ref", ref)
        _set(self, "hyp", hyp)

    @property
    def duration(self) -> float:
        """Seconds, without binary noise."""
        return duration(self.start, self.end)

    @property
    def nanoseconds(self) -> int:
        """The duration as a whole number.

        Raises
        ------
        LabelError
            If it has no end.
        """
        if self.end == inf:
            label = self.ref or self.hyp
            what = "nothing" if label is None else described(label)
            raise LabelError(f"expected the duration of the utterance, found none to end {what}")
        return round(self.end * SECOND) - round(self.start * SECOND)

    @property
    def edit(self) -> Edit:
        """What happened in this time.

        Raises
        ------
        ValueError
            If both sides are missing.
        """
        return edit_between(self.ref, self.hyp, "a segment")

    def __lt__(self, other: SegmentPair) -> bool:
        return self._order() < other._order()

    def _order(self) -> tuple[object, ...]:
        sides = (() if one is None else time_order(one) for one in (self.ref, self.hyp))
        return (self.start, self.end, *sides)

    def __repr__(self) -> str:
        left, right = (None if one is None else one.value for one in (self.ref, self.hyp))
        return f"{self.start:g} - {self.end:g} REF: {left} HYP: {right}"


def flattened(segments: Iterable[Segment], overlaps: str = REFUSE) -> list[SegmentPair]:
    """Segments with at most one label on each side; those without any are left out.

    Parameters
    ----------
    overlaps
        What becomes of several labels of one side. ``refuse``: an error. ``match``: in each
        segment equal values of both sides are paired, the others in order of activation, and each
        pair makes a segment of its own; the seconds are then seconds of labels, not of time.

    Raises
    ------
    LabelError
        If labels of one side overlap and that is refused.
    ValueError
        If there is no such way to treat overlaps.

    Examples
    --------
    >>> from formats import Label
    >>> speech, music = Label("speech", 0, 4), Label("music", 0, 4)
    >>> flattened([Segment(0, 4, [speech, music], [music])], overlaps="match")
    [0 - 4 REF: music HYP: music, 0 - 4 REF: speech HYP: None]
    """
    if overlaps not in OVERLAPS:
        raise ValueError(f"overlaps: expected one of {', '.join(OVERLAPS)}, found {overlaps!r}")
    flat = []
    for segment in segments:
        if overlaps == REFUSE:
            _check(segment, segment.ref, "reference")
            _check(segment, segment.hyp, "hypothesis")
        flat += [SegmentPair(segment.start, segment.end, *pair) for pair in _matched(segment)]
    return flat


def _check(segment: Segment, labels: Sequence[LabelLike], side: str) -> None:
    if len(labels) > 1:
        named = " and ".join(map(described, labels))
        raise LabelError(
            f"Overlapping labels in {side}. ({named} overlap from {segment.start:g} to "
            f"{segment.end:g} s)"
        )


def _matched(segment: Segment) -> Iterator[tuple[LabelLike | None, LabelLike | None]]:
    if len(segment.ref) < 2 and len(segment.hyp) < 2:
        if segment.ref or segment.hyp:
            yield (*segment.ref, None)[0], (*segment.hyp, None)[0]
        return
    # by place, the first of a value first: labels of other packages may be equal in other respects
    places: dict[str, list[int]] = {}
    for place in reversed(range(len(segment.hyp))):
        places.setdefault(segment.hyp[place].value, []).append(place)
    left, taken = [], set()
    for label in segment.ref:
        if waiting := places.get(label.value):
            taken.add(waiting[-1])
            yield label, segment.hyp[waiting.pop()]
        else:
            left.append(label)
    yield from zip_longest(
        left, [label for place, label in enumerate(segment.hyp) if place not in taken]
    )
