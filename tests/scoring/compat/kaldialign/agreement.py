"""Compare with the installed kaldialign on random pairs, in every mode.

    python -m tests.scoring.compat.kaldialign.agreement --pairs 20000

Symbols are words, words that can be joined to others, empty words, words of other scripts and
numbers. Prints what disagrees and ends with status 1 if anything does.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator
from typing import Any, NamedTuple

from scoring import kaldialign as our_functions

MODES = tuple((sclite, merge) for sclite in (False, True) for merge in (False, True))
VOCABULARIES: tuple[list[Any], ...] = (
    ["a", "b", "c", "d"], ["a", "b", "ab", "aba", "ba"], ["a", "", "aa", "aaa"], [1, 2, 11, 12, 21],
    ["a", "é", "aé", "éa", "字a", "字"],
)  # fmt: skip


class SymbolPair(NamedTuple):
    """Two sequences and a symbol that is in neither."""

    reference: list[Any]
    hypothesis: list[Any]
    epsilon: Any


def random_pairs(count: int, seed: int) -> Iterator[SymbolPair]:
    """Pairs of 0 to 9 symbols out of 1 to 6."""
    rng = random.Random(seed)
    for _ in range(count):
        vocabulary = rng.choice(VOCABULARIES)
        symbols = vocabulary[: rng.randint(1, len(vocabulary))]
        sides = [rng.choices(symbols, k=rng.randint(0, 9)) for _ in range(2)]
        yield SymbolPair(sides[0], sides[1], 0 if isinstance(symbols[0], int) else "*")


def disagreements(pair: SymbolPair) -> Iterator[str]:
    """What differs from kaldialign on this pair."""
    import kaldialign  # an import above would keep the tests from being collected without it

    reference, hypothesis, epsilon = pair
    for sclite, merge in MODES:
        options: Any = {"sclite_mode": sclite, "merge_compounds": merge}
        theirs = kaldialign.align(reference, hypothesis, epsilon, **options)
        ours = our_functions.align(reference, hypothesis, epsilon, **options)
        if ours != theirs:
            yield f"align {pair} {options}: expected {theirs}, found {ours}"
        expected = kaldialign.edit_distance(reference, hypothesis, **options)
        found = our_functions.edit_distance(reference, hypothesis, **options)
        if list(found.items()) != list(expected.items()):
            yield f"edit_distance {pair} {options}: expected {expected}, found {found}"


def main() -> int:
    parser = argparse.ArgumentParser(description="compare with kaldialign")
    parser.add_argument("--pairs", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    wrong = 0
    for pair in random_pairs(arguments.pairs, arguments.seed):
        for disagreement in disagreements(pair):
            wrong += 1
            print(disagreement)
    print(f"{arguments.pairs} pairs in {len(MODES)} modes, {wrong} disagreements")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
