"""The costs of edits as the plain aligners take them; a part of `scoring.alignment.plain`."""

from __future__ import annotations

from math import gcd

from scoring.alignment.arguments import whole

GREATEST_COST = 2**62
MOST_THREADS = 2**31 - 1


def checked_costs(
    substitution: object, deletion: object, insertion: object
) -> tuple[int, int, int]:
    """Whole numbers without a factor in common, which changes no choice."""
    first = whole(substitution, "substitution", 0, GREATEST_COST)
    second = whole(deletion, "deletion", 0, GREATEST_COST)
    third = whole(insertion, "insertion", 0, GREATEST_COST)
    factor = gcd(first, second, third) or 1
    return first // factor, second // factor, third // factor


def check_overflow(costs: tuple[int, int, int], words: int) -> None:
    """Refuse what could pass the 62 bits of the compiled core."""
    if max(costs) > GREATEST_COST // (words + 2):
        raise OverflowError("costs are too large for sequences of this length")
