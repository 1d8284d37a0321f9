"""Time spans in which no label begins or ends.

Such a span has any number of labels; `flattened` converts spans to segments with at most one label
on each side.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from formats.schema.times import SECOND
from formats.schema.words import Label, time_order
from scoring.tasks.labels.aligners.pairs import ActiveStretch
from scoring.tasks.labels.aligners.spans import (
    OPEN,
    LabelError,
    LabelLike,
    Labels,
    Span,
    described,
    has_open_end,
    seconds_of,
    span_of,
    threshold_of,
)

TIME_THRESHOLD = 0.01
START, END = "S", "E"


class LabelBorder(NamedTuple):
    """The start (`S`) or end (`E`) of a label on side 0 (reference) or 1 (hypothesis)."""

    time: float
    kind: str
    side: int
    label: LabelLike


class _Event(NamedTuple):
    """The start or end of a label: time in nanoseconds, side and index; ends sort before starts."""

    time: int
    kind: str
    side: int
    label: int


class InvariantSegmentAligner:
    """Splits time wherever a label of either side begins or ends.

    Parameters
    ----------
    time_threshold
        Seconds. Times closer than this are merged into the first of them, so that differences of a
        few milliseconds create no segments; a chain of such times becomes one time. The end of a
        label is never merged with its own start.

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

    @staticmethod
    def set_absolute_end_of_labels(
        labels: Labels, duration: float | None = None
    ) -> list[LabelLike]:
        """Return labels sorted by start; missing ends (None, -1) become the end of the utterance.

        The end is `duration` in seconds, or for a label of audiomate the duration of its utterance.
        Labels are not modified: a label with a new end is a new object. Raises `LabelError` if the
        end is unknown or not after the start.

        >>> from formats import Label
        >>> InvariantSegmentAligner.set_absolute_end_of_labels([Label("a", 1)], 4)[0].end
        4.0
        """
        ended = []
        for label in sorted(labels, key=time_order):
            seconds = duration
            if seconds is None and has_open_end(label):
                utterance = getattr(getattr(label, "label_list", None), "utterance", None)
                seconds = getattr(utterance, "duration", None)
                if seconds is None:
                    raise LabelError(
                        f"expected the duration of the utterance, because {described(label)} has "
                        "no end, found none"
                    )
            span = absolute_span(label, seconds)
            if has_open_end(label):
                label = Label(label.value, label.start, span.end / SECOND)
            ended.append(label)
        return ended

    def align(
        self,
        ref_labels: Labels,
        hyp_labels: Labels,
        duration: float | None = None,
    ) -> list[ActiveStretch]:
        """Return the segments from the first event to the last, including gaps between labels.

        Parameters
        ----------
        duration
            Duration of the utterance in seconds; labels without an end last until then. If it is
            not given, such labels and the last segment have no end.

        Raises `LabelError` if a label has no start or does not end after it.
        """
        sides = list(ref_labels), list(hyp_labels)
        active: tuple[dict[int, LabelLike], dict[int, LabelLike]] = ({}, {})
        segments = []
        # nothing is active after the last event
        for (time, events), (end, _) in pairwise(_groups(sides, self.time_threshold, duration)):
            for event in events:
                if event.kind == START:
                    active[event.side][event.label] = sides[event.side][event.label]
                else:
                    del active[event.side][event.label]
            labels = (side.values() for side in active)
            segments.append(ActiveStretch(time / SECOND, seconds_of(end), *labels))
        return segments

    @staticmethod
    def create_event_list(
        ref_labels: Labels,
        hyp_labels: Labels,
        time_threshold: float = TIME_THRESHOLD,
    ) -> list[tuple[float, list[LabelBorder]]]:
        """Return the groups of events: a time, and the events that are merged to this time.

        Within a group, events are ordered by their own times, ends before starts, the reference
        before the hypothesis. Raises the errors of `align`.

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
        sides = list(ref_labels), list(hyp_labels)
        return [
            (
                seconds_of(group_time),
                [
                    LabelBorder(seconds_of(time), kind, side, sides[side][index])
                    for time, kind, side, index in events
                ],
            )
            for group_time, events in _groups(sides, time_threshold, None)
        ]


def _groups(
    sides: tuple[Labels, Labels],
    time_threshold: float,
    duration: float | None,
) -> list[tuple[int, list[_Event]]]:
    """Return the borders of labels in groups, each with its time.

    Borders close together are a group.
    """
    threshold = threshold_of("time_threshold", time_threshold)
    events = []
    for side, labels in enumerate(sides):
        for index, label in enumerate(labels):
            start, end = absolute_span(label, duration)
            events += [_Event(start, START, side, index), _Event(end, END, side, index)]
    groups: list[tuple[int, list[_Event]]] = []
    begun: set[tuple[int, int]] = set()
    previous = 0
    for event in sorted(events):
        ends_in_its_group = event.kind == END and event[2:] in begun
        near = event.time - previous < threshold and not ends_in_its_group
        # without a threshold equal times still are one time
        if groups and (near or event.time == groups[-1][0]):
            groups[-1][1].append(event)
        else:
            groups.append((event.time, [event]))
            begun.clear()
        previous = event.time
        if event.kind == START:
            begun.add(event[2:])
    return groups


def absolute_span(label: LabelLike, duration: float | None) -> Span:
    """Return the times of a label with positive length; an open end is the utterance's end."""
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


def flattened(segments: Iterable[ActiveStretch]) -> list[ActiveStretch]:
    """Return segments with one label, or None, on each side; LabelError if labels overlap."""
    flat = []
    for segment in segments:
        for side, labels in zip(("reference", "hypothesis"), segment.labels, strict=True):
            if len(labels) > 1:
                raise LabelError(
                    f"Overlapping labels in {side}. ({' and '.join(map(described, labels))} "
                    f"overlap from {segment.start:g} to {segment.end:g} s)"
                )
        if any(segment.labels):
            pair = (next(iter(labels), None) for labels in segment.labels)
            flat.append(ActiveStretch(segment.start, segment.end, *pair))
    return flat
