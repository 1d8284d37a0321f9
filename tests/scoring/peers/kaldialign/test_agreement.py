"""Agreement with the installed kaldialign on random pairs, in every mode.

Symbols are words, words that can be joined to others, empty words, words of other scripts and
numbers.
"""

import random
from collections.abc import Iterator
from typing import Any

import pytest

from scoring import kaldialign as our_functions

ours: Any = our_functions
kaldialign = pytest.importorskip("kaldialign")

SEED = 20_260
MODES = tuple((sclite, merge) for sclite in (False, True) for merge in (False, True))
VOCABULARIES: tuple[list[Any], ...] = (
    ["a", "b", "c", "d"], ["a", "b", "ab", "aba", "ba"], ["a", "", "aa", "aaa"], [1, 2, 11, 12, 21],
    ["a", "é", "aé", "éa", "字a", "字"],
)  # fmt: skip


def random_pairs(count: int) -> Iterator[tuple[list[Any], list[Any], Any]]:
    """Pairs of 0 to 9 symbols out of 1 to 6, and a symbol that is in neither."""
    rng = random.Random(SEED)
    for _ in range(count):
        vocabulary = rng.choice(VOCABULARIES)
        symbols = vocabulary[: rng.randint(1, len(vocabulary))]
        sides = [rng.choices(symbols, k=rng.randint(0, 9)) for _ in range(2)]
        yield sides[0], sides[1], 0 if isinstance(symbols[0], int) else "*"


@pytest.mark.parametrize(("sclite", "merge"), MODES)
def test_alignments_and_counts_agree(sclite: bool, merge: bool) -> None:
    options: Any = {"sclite_mode": sclite, "merge_compounds": merge}
    for *sides, epsilon in random_pairs(600):
        expected = kaldialign.align(*sides, epsilon, **options)
        assert ours.align(*sides, epsilon, **options) == expected, sides
        counts = ours.edit_distance(*sides, **options)
        assert list(counts.items()) == list(kaldialign.edit_distance(*sides, **options).items())


@pytest.mark.parametrize(("sclite", "merge"), MODES)
def test_batches_agree(sclite: bool, merge: bool) -> None:
    pairs = [pair for pair in random_pairs(400) if pair[2] == "*"]
    sides: Any = [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    expected = kaldialign.batch_error_rate(*sides, sclite_mode=sclite, merge_compounds=merge)
    assert ours.batch_error_rate(*sides, sclite, merge) == expected


@pytest.mark.parametrize("merge", [False, True])
def test_bootstrap_agrees_to_the_last_bit(merge: bool) -> None:
    rng = random.Random(SEED)
    for number in range(25):
        size = rng.randint(0, 5)
        least = number % 3 and 1  # with empty sequences now and then
        sides: Any = [
            [rng.choices(["a", "b", "ab"], k=rng.randint(least, 4)) for _ in range(size)]
            for _ in range(3)
        ]
        options: Any = {
            "replications": rng.randint(1, 60),
            "seed": rng.randrange(5),
            "merge_compounds": merge,
        }
        for arguments in (sides, sides[:2]):
            expected = kaldialign.bootstrap_wer_ci(*arguments, **options)
            found = ours.bootstrap_wer_ci(*arguments, **options)
            # as text, because NaN is not equal to itself
            assert repr(found) == repr(expected)
