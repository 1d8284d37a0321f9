"""How much of an n-gram's count is left when some is set aside for n-grams never seen.

A discount turns the count of an n-gram into a number that, divided by the count of its history,
is its probability.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

TWO_TO_31 = 1 << 31


class Discount(Protocol):
    """A kind of discounting, with its settings for n-grams of one length."""

    def of(self, count: int, history: int, continuations: int) -> float:
        """What is left of `count`.

        Parameters
        ----------
        history
            Count of the n-gram without its last word.
        continuations
            In how many different ways the history goes on.
        """


class GoodTuring:
    """A count up to some range is multiplied by the ratio for that count; others stay."""

    def __init__(self, ratios: Sequence[float]) -> None:
        self._ratios = ratios

    def of(self, count: int, history: int, continuations: int) -> float:
        """What is left of `count`."""
        return count * self._ratios[count] if 0 <= count < len(self._ratios) else float(count)


class Linear:
    """Every count is multiplied by the same ratio."""

    def __init__(self, ratio: float) -> None:
        self._ratio = ratio

    def of(self, count: int, history: int, continuations: int) -> float:
        """What is left of `count`."""
        return self._ratio * count


class Absolute:
    """The same constant is taken from every count."""

    def __init__(self, constant: float) -> None:
        self._constant = constant

    def of(self, count: int, history: int, continuations: int) -> float:
        """What is left of `count`."""
        return count - self._constant


class WittenBell:
    """A history that goes on in many ways gives away more.

    As in the toolkit the number of ways is cut to 16 bits, and the product to 32.
    """

    def of(self, count: int, history: int, continuations: int) -> float:
        """What is left of `count`."""
        product = (history * count + TWO_TO_31) % (2 * TWO_TO_31) - TWO_TO_31
        total = history + continuations % 65536
        return product / total if total else 0.0
