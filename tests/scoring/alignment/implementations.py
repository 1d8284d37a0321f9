"""Both implementations of the aligners, and ways to feed them."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from types import ModuleType
from typing import NamedTuple

SEED = 20_260


class Columns(NamedTuple):
    """Pairs of type sequences, as `align_linear` takes them."""

    reference_types: array[int]
    reference_begins: array[int]
    reference_ends: array[int]
    hypothesis_types: array[int]
    hypothesis_begins: array[int]
    hypothesis_ends: array[int]


Pairs = Sequence[tuple[Sequence[int], Sequence[int]]]


def columns(pairs: Pairs) -> Columns:
    """The pairs, with a type that belongs to nobody between any two of them."""
    made = Columns(*(array(code) for code in "iqqiqq"))
    for reference, hypothesis in pairs:
        for side, types in ((0, reference), (3, hypothesis)):
            made[side + 1].append(len(made[side]))
            made[side].extend(types)
            made[side + 2].append(len(made[side]))
            made[side].append(99)
    return made


def edits(
    module: ModuleType, pairs: Pairs, costs: tuple[int, int, int], ties: int, threads: int = 1
) -> tuple[list[bytes], list[tuple[int, ...]]]:
    """Edits and counts of each pair."""
    joined, offsets, counts = module.align_linear(*columns(pairs), *costs, ties, threads)
    bounds = memoryview(offsets).cast("q")
    numbers = memoryview(counts).cast("i")
    return (
        [joined[bounds[k] : bounds[k + 1]] for k in range(len(pairs))],
        [tuple(numbers[4 * k : 4 * k + 4]) for k in range(len(pairs))],
    )


def cost_of(counts: Sequence[int], costs: tuple[int, int, int]) -> int:
    return sum(number * cost for number, cost in zip(counts[1:], costs, strict=True))


def words(rng: random.Random, length: int, vocabulary: int) -> list[int]:
    return [rng.randrange(vocabulary) for _ in range(length)]


def garbled(rng: random.Random, reference: Sequence[int], rate: float, types: int) -> list[int]:
    """The reference with about `rate` errors of all kinds."""
    hypothesis: list[int] = []
    for word in reference:
        draw = rng.random()
        if draw < rate / 3:
            continue
        hypothesis.append(word if draw > 2 * rate / 3 else rng.randrange(types))
        if draw > 1 - rate / 3:
            hypothesis.append(rng.randrange(types))
    return hypothesis
