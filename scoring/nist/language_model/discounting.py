"""Discounts of n-gram counts, which reserve probability for unseen n-grams.

The probability of an n-gram is its discounted count divided by the count of its history.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

TWO_TO_31 = 1 << 31
# What is left of a count, given the count of the n-gram without its last word, and in how many
# different ways that goes on.
Discount: TypeAlias = Callable[[int, int, int], float]


def good_turing(ratios: Sequence[float]) -> Discount:
    """Return a discount that multiplies a count n by `ratios[n]`.

    Counts beyond the end of `ratios` are unchanged.
    """
    return lambda count, *_: count * ratios[count] if 0 <= count < len(ratios) else float(count)


def linear(ratio: float) -> Discount:
    """Return a discount that multiplies every count by the same ratio."""
    return lambda count, *_: ratio * count


def absolute(constant: float) -> Discount:
    """Return a discount that subtracts the same constant from every count."""
    return lambda count, *_: count - constant


def witten_bell(count: int, history: int, continuations: int) -> float:
    """Return the count after Witten-Bell discounting.

    `history` is the count of the history, and `continuations` the number of different words after
    it. As in the toolkit, `continuations` is truncated to 16 bits, and `count` · `history` to 32
    bits.
    """
    product = (history * count + TWO_TO_31) % (2 * TWO_TO_31) - TWO_TO_31
    total = history + continuations % 65536
    return product / total if total else 0.0
