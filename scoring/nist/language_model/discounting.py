"""Discounts: the part of an n-gram's count that is left for seen n-grams.

A discount turns the count of an n-gram into a number that, divided by the count of its history,
is its probability.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

TWO_TO_31 = 1 << 31
# What is left of a count, given the count of the n-gram without its last word, and in how many
# different ways that goes on.
Discount: TypeAlias = Callable[[int, int, int], float]


def good_turing(ratios: Sequence[float]) -> Discount:
    """Return a count up to some range is multiplied by the ratio for that count; others stay."""
    return lambda count, *_: count * ratios[count] if 0 <= count < len(ratios) else float(count)


def linear(ratio: float) -> Discount:
    """Return a discount that multiplies every count by one ratio."""
    return lambda count, *_: ratio * count


def absolute(constant: float) -> Discount:
    """Return a discount that subtracts one constant from every count."""
    return lambda count, *_: count - constant


def witten_bell(count: int, history: int, continuations: int) -> float:
    """Return the Witten-Bell discount of a count.

    As in the toolkit the ways are cut to 16 bits, the product to 32.
    """
    product = (history * count + TWO_TO_31) % (2 * TWO_TO_31) - TWO_TO_31
    total = history + continuations % 65536
    return product / total if total else 0.0
