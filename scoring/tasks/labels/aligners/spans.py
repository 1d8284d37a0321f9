"""Times of labels in nanoseconds, open ends, and the overlap of two labels.

Differences of seconds as floats are inexact (1.05 - 1 is more than 0.05, 2.05 - 2 is less). Times
are therefore compared as integer nanoseconds, so that a threshold has the same effect everywhere.

An end of `None`, infinity or -1 is *open*: the label lasts to the end of the utterance. (audiomate,
whose labels evalmate takes, wrote -1 up to its third version and infinity from the fourth on.)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final, NamedTuple, Protocol, TypeAlias

from formats.schema.times import SECOND
from scoring.model.errors import ScoringError

OPEN: Final = 2**62
"""The value of an open end in nanoseconds: later than any time in a file."""


class LabelLike(Protocol):
    """The interface of a label to align: `formats.Label`, a label of audiomate and others."""

    @property
    def value(self) -> str:
        """The text of the label."""

    @property
    def start(self) -> float | None:
        """The start in seconds; None without times."""

    @property
    def end(self) -> float | None:
        """The end in seconds; None, infinity and -1 mean an open end."""


Labels: TypeAlias = Sequence[LabelLike]


class LabelError(ScoringError, ValueError):
    """Raised for labels that cannot be scored: invalid times, or overlaps that are not allowed."""

    status = 2


class Span(NamedTuple):
    """Start and end in whole nanoseconds; the end may be `OPEN`."""

    start: int
    end: int

    def overlap(self, hypothesis: Span) -> int:
        """Return the nanoseconds that two spans share.

        If both ends are open, the result is near `OPEN`.
        """
        return max(0, min(self.end, hypothesis.end) - max(self.start, hypothesis.start))

    def share(self, hypothesis: Span) -> float:
        """Return the overlap with the other span divided by this span's length, from 0 to 1."""
        if self.end == OPEN:
            return float(hypothesis.end == OPEN)
        length = self.end - self.start
        return self.overlap(hypothesis) / length if length > 0 else 0.0


def has_open_end(label: LabelLike) -> bool:
    """Return True if the label lasts to the end of the utterance."""
    return label.end is None or label.end in (inf, -1)


def described(label: LabelLike) -> str:
    """Return a description of a label for messages."""
    if label.start is None:
        return f"{label.value!r} without times"
    end = "s on" if has_open_end(label) else f"to {label.end:g} s"
    return f"{label.value!r} from {label.start:g} {end}"


def span_of(label: LabelLike) -> Span:
    """Return the times of a label; raises `LabelError` if times are missing or impossible."""
    start, end = label.start, label.end
    if start is None:
        raise LabelError(f"expected a label with a start, found {label.value!r} without times")
    expected = ""
    begin = finish = 0
    try:
        begin = round(start * SECOND)
        finish = OPEN if end is None or end in (inf, -1) else round(end * SECOND)
    except (OverflowError, ValueError):
        expected = "in seconds"
    if finish > OPEN or begin >= OPEN:
        expected = f"within {OPEN // SECOND} s"
    if expected:
        times = f"{start} and {end} of label {label.value!r}"
        raise LabelError(f"expected times {expected}, found {times}")
    if finish < begin:
        raise LabelError(
            f"Label-end {end} is smaller than label-start {start}! (label {label.value!r})"
        )
    return Span(begin, finish)


def spans_of(labels: Labels) -> list[Span]:
    """Return the times of labels; raises the errors of `span_of`."""
    return [span_of(label) for label in labels]


def threshold_of(name: str, seconds: float) -> int:
    """Convert a threshold from seconds to nanoseconds."""
    if not 0 <= seconds < OPEN / SECOND:
        raise ValueError(f"{name}: expected seconds from 0, found {seconds}")
    return round(seconds * SECOND)


def seconds_of(time: int) -> float:
    """Convert nanoseconds to seconds; infinity if `OPEN`."""
    return inf if time >= OPEN else time / SECOND


def overlap_time(reference: LabelLike, hypothesis: LabelLike) -> float:
    """Return the seconds that two labels have in common; infinite if both ends are open.

    Raises `LabelError` if a label has no times or invalid times.

    Examples
    --------
    >>> from formats import Label
    >>> overlap_time(Label("a", 1.5, 2.25), Label("b", 0.5, -1))
    0.75
    """
    left, right = spans_of([reference, hypothesis])
    return inf if left.end == right.end == OPEN else left.overlap(right) / SECOND


def overlap_percentage(reference: LabelLike, hypothesis: LabelLike) -> float:
    """Return the share of the reference label's time that the hypothesis label covers, 0 to 1.

    The result is 0 for a reference without length, and 1 if both ends are open.

    Raises `LabelError` like `overlap_time`.

    Examples
    --------
    >>> from formats import Label
    >>> overlap_percentage(Label("a", 0, 4), Label("b", 3, 9))
    0.25
    """
    return span_of(reference).share(span_of(hypothesis))
