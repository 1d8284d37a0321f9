"""A reference label and the hypothesis label that stands for it; either may be missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import Protocol, TypeVar

from formats.words import time_order
from scoring.labels.aligners.spans import LabelLike
from scoring.model import Edit

NOTHING = "-"
_WIDTH_OF_NOTHING = 4

_Item = TypeVar("_Item")


class ListLikeTuple(tuple[_Item, ...]):
    """A tuple that equals the list of the same items.

    >>> made = ListLikeTuple("ab")
    >>> made == ["a", "b"], ["a", "b"] == made, made == ("a", "b")
    (True, True, True)
    """

    __slots__ = ()

    def __eq__(self, other: object) -> bool:
        return tuple.__eq__(self, tuple(other) if isinstance(other, list) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    __hash__ = tuple.__hash__


def edit_between(ref: LabelLike | None, hyp: LabelLike | None, what: str) -> Edit:
    """What happened between two labels; `what` they are called together, for the message."""
    if ref is None:
        if hyp is None:
            raise ValueError(f"{what} without labels is no edit")
        return Edit.INSERTION
    if hyp is None:
        return Edit.DELETION
    return Edit.CORRECT if ref.value == hyp.value else Edit.SUBSTITUTION


class Ordered:
    """What sorts by less than what makes it equal."""

    __slots__ = ()

    def _order(self) -> tuple[object, ...]:
        raise NotImplementedError

    # Python finds > and >= by turning these round
    def __lt__(self, other: object) -> bool:
        return self._order() < other._order() if isinstance(other, Ordered) else NotImplemented

    def __le__(self, other: object) -> bool:
        return self._order() <= other._order() if isinstance(other, Ordered) else NotImplemented


@dataclass(frozen=True, slots=True, repr=False)
class LabelPair(Ordered):
    """Two labels that are aligned; None on a side is a deletion or an insertion.

    Pairs are equal if both sides are. (evalmate compares one side only as soon as a side is None,
    so that an inserted b equals an inserted d.) They sort by the time of the reference, or of the
    hypothesis where there is no reference.

    >>> from formats import Label
    >>> pair = LabelPair(Label("up", 1, 2), Label("down", 1, 2))
    >>> pair, pair.edit.letter, pair.padded_ref_value()
    (LabelPair(up, down), 'S', '  up')
    """

    ref: LabelLike | None
    hyp: LabelLike | None

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
            _WIDTH_OF_NOTHING if item is None else len(item.value) for item in (self.ref, self.hyp)
        )

    def padded_ref_value(self) -> str:
        """The reference value, or ``-``, with blanks before it up to `max_length`."""
        return self._padded(self.ref)

    def padded_hyp_value(self) -> str:
        """The hypothesis value, or ``-``, with blanks before it up to `max_length`."""
        return self._padded(self.hyp)

    def _padded(self, label: LabelLike | None) -> str:
        return (NOTHING if label is None else label.value).rjust(self.max_length())

    def _order(self) -> tuple[float, float, str]:
        label = self.hyp if self.ref is None else self.ref
        return (-inf, -inf, "") if label is None else time_order(label)

    def __repr__(self) -> str:
        left, right = (NOTHING if item is None else item.value for item in (self.ref, self.hyp))
        return f"LabelPair({left}, {right})"


class EventAligner(Protocol):
    """Pairs whole labels with whole labels."""

    def align(
        self, ref_labels: Sequence[LabelLike], hyp_labels: Sequence[LabelLike]
    ) -> list[LabelPair]:
        """Pairs in which every label occurs."""
