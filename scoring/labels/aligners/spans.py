"""Where labels lie in time: whole nanoseconds, open ends, and what two labels have in common.

Seconds as floats do not add up (1.05 - 1 is more than 0.05, 2.05 - 2 is less), so every comparison
of times is made in whole nanoseconds, and a threshold means the same everywhere on the axis.

An end of `None`, infinity or -1 is *open*: the label lasts to the end of the utterance, however
long that is. (audiomate, whose labels evalmate takes, wrote -1 up to its third version and infinity
from the fourth on.)
"""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Final, NamedTuple, Protocol

from formats.times import SECOND
from scoring.errors import ScoringError

OPEN: Final = 2**62
"""The end of a label that is open, in nanoseconds: later than anything a file can say."""


class LabelLike(Protocol):
    """What aligners need of a label: `formats.Label` has it, and so has audiomate's."""

    @property
    def value(self) -> str:
        """What the label says."""

    @property
    def start(self) -> float | None:
        """Seconds, or None without times."""

    @property
    def end(self) -> float | None:
        """Seconds; None, infinity and -1 are open."""


class LabelError(ScoringError, ValueError):
    """Labels that cannot be scored: impossible times, overlap where there may be none."""

    status = 2


class Span(NamedTuple):
    """Start and end in whole nanoseconds; the end may be `OPEN`."""

    start: int
    end: int


def has_open_end(label: LabelLike) -> bool:
    """Whether the label lasts to the end of the utterance, wherever that is."""
    return label.end is None or label.end in (inf, -1)


def described(label: LabelLike) -> str:
    """A label in words, for messages.

    >>> from formats import Label
    >>> described(Label("speech", 1.5)), described(Label("speech"))
    ("'speech' from 1.5 s on", "'speech' without times")
    """
    if label.start is None:
        return f"{label.value!r} without times"
    if has_open_end(label):
        return f"{label.value!r} from {label.start:g} s on"
    return f"{label.value!r} from {label.start:g} to {label.end:g} s"


def span_of(label: LabelLike) -> Span:
    """The times of a label."""
    start, end = label.start, label.end
    if start is None:
        raise LabelError(f"expected a label with a start, found {label.value!r} without times")
    try:
        begin = round(start * SECOND)
        finish = OPEN if end is None or end in (inf, -1) else round(end * SECOND)
    except (OverflowError, ValueError):
        raise LabelError(
            f"expected times in seconds, found {start} and {end} of label {label.value!r}"
        ) from None
    if max(begin, finish) > OPEN or begin == OPEN:
        raise LabelError(
            f"expected times within {OPEN // SECOND} s, found {start} and {end} of label "
            f"{label.value!r}"
        )
    if finish < begin:
        raise LabelError(
            f"Label-end {end} is smaller than label-start {start}! (label {label.value!r})"
        )
    return Span(begin, finish)


def spans_of(labels: Sequence[LabelLike]) -> list[Span]:
    """The times of labels, errors as of `span_of`."""
    return [span_of(label) for label in labels]


def threshold_of(name: str, seconds: float) -> int:
    """Nanoseconds of a threshold."""
    if not 0 <= seconds < OPEN / SECOND:
        raise ValueError(f"{name}: expected seconds from 0, found {seconds}")
    return round(seconds * SECOND)


def overlap_of(left: Span, right: Span) -> int:
    """Nanoseconds in common; `OPEN` or thereabouts for two open ends."""
    return max(0, min(left.end, right.end) - max(left.start, right.start))


def share_of(reference: Span, hypothesis: Span) -> float:
    """Overlap as a share of the reference, 0 to 1."""
    if reference.end == OPEN:
        return float(hypothesis.end == OPEN)
    length = reference.end - reference.start
    return overlap_of(reference, hypothesis) / length if length > 0 else 0.0


def overlap_time(reference: LabelLike, hypothesis: LabelLike) -> float:
    """Seconds that two labels have in common; infinite if both ends are open.

    evalmate says 0 where both ends are written as -1, and infinite where both are infinity.

    Raises
    ------
    LabelError
        As of `span_of`.

    Examples
    --------
    >>> from formats import Label
    >>> overlap_time(Label("a", 1.5, 2.25), Label("b", 0.5, -1))
    0.75
    """
    left, right = span_of(reference), span_of(hypothesis)
    if left.end == right.end == OPEN:
        return inf
    return overlap_of(left, right) / SECOND


def overlap_percentage(reference: LabelLike, hypothesis: LabelLike) -> float:
    """What share of the reference the hypothesis covers: 0 to 1, for all its name.

    0 for a reference without length. Two open ends give 1 (evalmate: not a number).

    Raises
    ------
    LabelError
        As of `span_of`.

    Examples
    --------
    >>> from formats import Label
    >>> overlap_percentage(Label("a", 0, 4), Label("b", 3, 9))
    0.25
    """
    return share_of(span_of(reference), span_of(hypothesis))
