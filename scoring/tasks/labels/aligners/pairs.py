"""Results of aligners: pairs of labels, and time spans with the labels of both sides."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite
from typing import Any, ClassVar, Protocol, TypeVar

from formats.schema.times import SECOND
from formats.schema.words import time_order
from scoring.model.counts import Edit
from scoring.tasks.labels.aligners.spans import LabelError, LabelLike, Labels, described

_Element = TypeVar("_Element")


class ListLikeTuple(tuple[_Element, ...]):
    """A tuple that equals the list of the same elements."""

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return tuple.__eq__(self, tuple(other) if isinstance(other, list) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__


class Aligned:
    """Two aligned labels, one of which may be missing; sorts by time."""

    __slots__ = ()

    noun: ClassVar[str] = "a pair"
    ref: Any
    hyp: Any

    @property
    def edit(self) -> Edit:
        """The edit of the pair; values are compared unchanged, case included.

        Raises `ValueError` if both sides are missing.
        """
        if self.ref is None:
            if self.hyp is None:
                raise ValueError(f"{self.noun} needs a label on at least one side, found none")
            return Edit.INSERTION
        if self.hyp is None:
            return Edit.DELETION
        return Edit.CORRECT if self.ref.value == self.hyp.value else Edit.SUBSTITUTION

    @property
    def label(self) -> Any:
        """The reference label, or the hypothesis label if the reference label is missing."""
        return self.hyp if self.ref is None else self.ref

    @property
    def amount(self) -> int:
        """The weight in counts: 1 for a pair of labels, the nanoseconds for a segment."""
        return 1

    def _order(self) -> tuple[object, ...]:
        raise NotImplementedError

    # Python derives > and >= by swapping the operands
    def __lt__(self, other: object) -> bool:
        return self._order() < other._order() if isinstance(other, Aligned) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self._order() <= other._order() if isinstance(other, Aligned) else NotImplemented


@dataclass(frozen=True, slots=True, repr=False)
class LabelPair(Aligned):
    """Two aligned labels. If one of them is None, the pair is a deletion or an insertion.

    Two pairs are equal if their references are equal and their hypotheses are equal. A label of
    another package equals ours if value and times are the same.

    Pairs sort by the time of the reference label, or of the hypothesis label if there is none.

    >>> from formats import Label
    >>> pair = LabelPair(Label("up", 1, 2), Label("down", 1, 2))
    >>> pair, pair.edit.letter
    (LabelPair(up, down), 'S')
    """

    ref: LabelLike | None
    hyp: LabelLike | None

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, LabelPair):
            return NotImplemented
        return _same(self.ref, other.ref) and _same(self.hyp, other.hyp)

    def max_length(self) -> int:
        """Return the length of the longer value; a missing value counts as the text `None`."""
        missing = len(str(None))
        sides = self.ref, self.hyp
        return max(missing if label is None else len(label.value) for label in sides)

    def padded_ref_value(self) -> str:
        """Return the reference value or `-`, right-aligned to the width of the longer value.

        >>> from formats import Label
        >>> pair = LabelPair(Label("up", 1, 2), Label("down", 1, 2))
        >>> pair.padded_ref_value(), pair.padded_hyp_value(), pair.max_length()
        ('  up', 'down', 4)
        """
        return _value(self.ref).rjust(self.max_length())

    def padded_hyp_value(self) -> str:
        """Return the value of the hypothesis, padded as `padded_ref_value` is."""
        return _value(self.hyp).rjust(self.max_length())

    def _order(self) -> tuple[object, ...]:
        return (-inf, -inf, "") if self.label is None else time_order(self.label)

    def __repr__(self) -> str:
        return f"LabelPair({_value(self.ref)}, {_value(self.hyp)})"


def _same(label: LabelLike | None, other: LabelLike | None) -> bool:
    """Return True if labels are equal; the different forms of an open end are equal."""
    if label is None or other is None or type(label) is type(other):
        return label == other
    return label.value == other.value and time_order(label) == time_order(other)


def _value(label: LabelLike | None) -> str:
    return "-" if label is None else label.value


@dataclass(frozen=True, slots=True, repr=False)
class ActiveStretch(Aligned):
    """A time span during which the same labels of both sides are active.

    Sorts by start, end, reference and hypothesis; a missing label sorts first.

    Times are in seconds; the end may be infinite. Aligners set `ref` and `hyp` to lists of labels
    in the order of activation, or None. After `flattened`, each is a single label or None, and
    `edit` is defined.

    Examples
    --------
    >>> from formats import Label
    >>> a, b = Label("a", 0, 2), Label("b", 0, 1)
    >>> ActiveStretch(0, 1, [a], []), ActiveStretch(0, 1, a, b)
    (0 - 1 REF: [a] HYP: [], 0 - 1 REF: a HYP: b)
    >>> ActiveStretch(0, 1, ref=a).edit.letter
    'D'
    """

    noun: ClassVar[str] = "a segment"
    start: float
    end: float
    ref: Any = None
    hyp: Any = None

    def __post_init__(self) -> None:
        for side, labels in (("ref", self.ref), ("hyp", self.hyp)):
            if labels is not None and not hasattr(labels, "value"):
                object.__setattr__(self, side, ListLikeTuple(labels))

    @property
    def duration(self) -> float:
        """The duration in seconds, without rounding errors of binary numbers."""
        return duration(self.start, self.end)

    @property
    def labels(self) -> tuple[tuple[LabelLike, ...], tuple[LabelLike, ...]]:
        """The labels of the reference and of the hypothesis; each side has any number of labels."""
        return _labels(self.ref), _labels(self.hyp)

    @property
    def nanoseconds(self) -> int:
        """The duration in nanoseconds.

        Raises `LabelError` if the end is infinite.
        """
        if self.end == inf:
            left, right = self.labels
            label = next((described(label) for label in (*left, *right)), "nothing")
            raise LabelError(
                f"expected the duration of the utterance, because {label} has no end, found none"
            )
        return round(self.end * SECOND) - round(self.start * SECOND)

    amount = nanoseconds

    def _order(self) -> tuple[object, ...]:
        sides = (tuple(map(time_order, side)) for side in self.labels)
        return (self.start, self.end, *sides)

    def __repr__(self) -> str:
        sides = (
            f"[{', '.join(label.value for label in side)}]"
            if isinstance(side, tuple)
            else side and side.value
            for side in (self.ref, self.hyp)
        )
        return "{:g} - {:g} REF: {} HYP: {}".format(self.start, self.end, *sides)


def _labels(side: Any) -> tuple[LabelLike, ...]:
    if side is None:
        return ()
    return side if isinstance(side, tuple) else (side,)


def duration(start: float, end: float) -> float:
    """Return the seconds between two times, without rounding errors of binary numbers."""
    return (round(end * SECOND) - round(start * SECOND)) / SECOND if isfinite(end) else inf


class EventAligner(Protocol):
    """Pairs whole labels with whole labels."""

    def align(self, ref_labels: Labels, hyp_labels: Labels) -> list[LabelPair]:
        """Return pairs that include every label."""


class SegmentAligner(Protocol):
    """Interface of aligners that cut time into segments."""

    def align(
        self, ref_labels: Labels, hyp_labels: Labels, duration: float | None = None
    ) -> list[ActiveStretch]:
        """Return segments in order of time."""
