"""A reference label and the hypothesis label that stands for it; either may be missing."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf
from typing import Protocol

from formats.value import Value
from scoring.alignment.labels.spans import LabelLike, has_open_end
from scoring.model import Edit

NOTHING = "-"
_WIDTH_OF_NOTHING = 4

_set = object.__setattr__


def edit_between(ref: LabelLike | None, hyp: LabelLike | None, what: str) -> Edit:
    """What happened between two labels; `what` they are called together, for the message.

    Raises
    ------
    ValueError
        If both are missing.
    """
    if ref is None:
        if hyp is None:
            raise ValueError(f"{what} without labels is no edit")
        return Edit.INSERTION
    if hyp is None:
        return Edit.DELETION
    return Edit.CORRECT if ref.value == hyp.value else Edit.SUBSTITUTION


class LabelPair(Value):
    """Two labels that are aligned; None on a side is a deletion or an insertion.

    Pairs are equal if both sides are. (evalmate compares one side only as soon as a side is None,
    so that an inserted b equals an inserted d.) They sort by the time of the reference, or of the
    hypothesis where there is no reference.

    >>> from formats import Label
    >>> pair = LabelPair(Label("up", 1, 2), Label("down", 1, 2))
    >>> pair, pair.edit.letter, pair.padded_ref_value()
    (LabelPair(up, down), 'S', '  up')
    """

    __slots__ = ("hyp", "ref")

    ref: LabelLike | None
    hyp: LabelLike | None

    def __init__(self, ref: LabelLike | None, hyp: LabelLike | None) -> None:
        _set(self, "ref", ref)
        _set(self, "hyp", hyp)

    @property
    def edit(self) -> Edit:
        """What happened. Values are compared as they are, case included.

        Raises
        ------
        ValueError
            If both sides are missing.
        """
        return edit_between(self.ref, self.hyp, "a pair")

    def max_length(self) -> int:
        """Characters of the longer value; a missing one counts 4."""
        return max(
            _WIDTH_OF_NOTHING if one is None else len(one.value) for one in (self.ref, self.hyp)
        )

    def padded_ref_value(self) -> str:
        """The reference value, or ``-``, with blanks before it up to `max_length`."""
        return self._padded(self.ref)

    def padded_hyp_value(self) -> str:
        """The hypothesis value, or ``-``, with blanks before it up to `max_length`."""
        return self._padded(self.hyp)

    def _padded(self, label: LabelLike | None) -> str:
        return (NOTHING if label is None else label.value).rjust(self.max_length())

    def __lt__(self, other: LabelPair) -> bool:
        return self._order() < other._order()

    def _order(self) -> tuple[float, float, str]:
        label = self.hyp if self.ref is None else self.ref
        return (-inf, -inf, "") if label is None else time_order(label)

    def __repr__(self) -> str:
        left, right = (NOTHING if one is None else one.value for one in (self.ref, self.hyp))
        return f"LabelPair({left}, {right})"


def time_order(label: LabelLike) -> tuple[float, float, str]:
    """The order of labels: start, end (open ends last), value without case."""
    start = -inf if label.start is None else label.start
    end = label.end
    if end is None or has_open_end(label):
        return start, inf, label.value.lower()
    return start, end, label.value.lower()


class EventAligner(Protocol):
    """Pairs whole labels with whole labels."""

    def align(
        self, ref_labels: Sequence[LabelLike], hyp_labels: Sequence[LabelLike]
    ) -> list[LabelPair]:
        """Pairs in which every label occurs."""
