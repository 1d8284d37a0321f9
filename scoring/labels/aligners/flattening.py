"""From segments with any number of labels to segments with at most one on each side."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import zip_longest
from typing import Any, Final

from scoring.labels.aligners.segments import Segment, SegmentPair
from scoring.labels.aligners.spans import LabelError, LabelLike, described

REFUSE: Final = "refuse"
MATCH: Final = "match"
OVERLAPS = (REFUSE, MATCH)


def flattened(segments: Iterable[Segment[Any]], overlaps: str = REFUSE) -> list[SegmentPair]:
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
        references, hypotheses = segment.labels
        if overlaps == REFUSE:
            _check(segment, references, "reference")
            _check(segment, hypotheses, "hypothesis")
        pairs = _matched(references, hypotheses)
        flat += [Segment(segment.start, segment.end, *pair) for pair in pairs]
    return flat


def _check(segment: Segment[Any], labels: Sequence[LabelLike], side: str) -> None:
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
