"""Graphs on both sides: brute force over all pairs of paths, and laws of what is forgiven."""

import random
from array import array
from collections.abc import Iterator, Sequence
from itertools import product
from types import ModuleType

import pytest

from scoring.alignment import kernel, plain
from scoring.alignment.plain_references import BAR, CLOSE, OPEN, Paths
from scoring.model.counts import Costs
from scoring.options import profile_named
from tests.scoring.alignment.implementations import SEED

WORDS = "a", "b", "ab", "ba", "aab", "c"
PROFILES = [profile_named(name).costs for name in ("sclite", "levenshtein", "bias-fbai")]
Items = list[str | int]


def draw(rng: random.Random, size: int, depth: int = 2) -> Items:
    """A row of words and alternatives."""
    row: Items = []
    for _ in range(size):
        if depth and rng.random() < 0.3:
            for number in range(rng.randint(1, 3)):
                row.append(BAR if number else OPEN)
                row += draw(rng, rng.randint(0, 2), depth - 1)
            row.append(CLOSE)
        else:
            row.append(rng.choice(WORDS))
    return row


def all_paths(row: Items) -> set[tuple[str, ...]]:
    """The words of every path through a row."""
    items = iter(row)

    def branch(end: tuple[int, ...]) -> tuple[list[list[str]], int]:
        paths: list[list[str]] = [[]]
        for item in items:
            if isinstance(item, str):
                paths = [[*path, item] for path in paths]
            elif item == OPEN:
                options: list[list[str]] = []
                mark = BAR
                while mark != CLOSE:
                    more, mark = branch((BAR, CLOSE))
                    options += more
                paths = [path + option for path, option in product(paths, options)]
            elif item in end:
                return paths, item
        return paths, CLOSE

    return {tuple(path) for path in branch(())[0]}


def cost_of(left: tuple[str, ...], right: tuple[str, ...], costs: Costs, compounds: int) -> int:
    """The least cost of two texts, by a table; with compounds by the aligner for these."""
    if compounds:
        packed = plain.align_compounds(list(left), list(right), *costs, several=compounds == 2)
        steps = array("i", packed)
        if steps:
            return sum(step_costs(left, right, steps, costs))
    table = {(-1, -1): 0}
    for i in range(-1, len(left)):
        for j in range(-1, len(right)):
            ways = []
            if i >= 0 and j >= 0:
                ways.append(table[i - 1, j - 1] + (left[i] != right[j]) * costs.substitution)
            if i >= 0:
                ways.append(table[i - 1, j] + costs.deletion)
            if j >= 0:
                ways.append(table[i, j - 1] + costs.insertion)
            table[i, j] = min(ways, default=0)
    return table[len(left) - 1, len(right) - 1]


def step_costs(
    left: tuple[str, ...], right: tuple[str, ...], steps: Sequence[int], costs: Costs
) -> Iterator[int]:
    i = j = 0
    for up, back in zip(steps[::2], steps[1::2], strict=True):
        if up and back:
            is_right = up + back > 2 or left[i] == right[j]
            yield 0 if is_right else costs.substitution
        else:
            yield costs.deletion if up else costs.insertion
        i, j = i + up, j + back


def taken(row: Items, places: bytes) -> tuple[str, ...]:
    """The words of a row at some places."""
    return tuple(str(row[place]) for place in array("i", places))


@pytest.mark.parametrize("compounds", [0, 1, 2])
def test_the_cost_is_the_least_of_all_pairs_of_paths(compounds: int) -> None:
    rng = random.Random(SEED + compounds)
    for _ in range(250):
        sides = draw(rng, rng.randint(0, 4)), draw(rng, rng.randint(0, 4))
        costs, longest = rng.choice(PROFILES), rng.random() < 0.5
        result = Paths(*kernel.best_paths([sides[0]], [sides[1]], 1, *costs, longest, compounds))
        paths = taken(sides[0], result.places), taken(sides[1], result.heard)
        pairs = product(all_paths(sides[0]), all_paths(sides[1]))
        least = min(cost_of(left, right, costs, compounds) for left, right in pairs)
        own = cost_of(paths[0], paths[1], costs, compounds)
        assert array("d", result.costs)[0] == least == own, sides


def test_native_equals_plain() -> None:
    rng = random.Random(SEED)
    for _ in range(600):
        number = rng.randint(1, 3)
        references = [draw(rng, rng.randint(0, 4)) for _ in range(number)]
        choices = (
            *rng.choice(PROFILES),
            rng.random() < 0.5,
            rng.randint(0, 2),
        )
        call = references, [draw(rng, rng.randint(0, 4))], number, *choices
        assert kernel.best_paths(*call) == plain.best_paths(*call)


def test_without_a_choice_the_words_are_all_taken(module: ModuleType) -> None:
    result = Paths(*module.best_paths(["a b c"], ["a x"], 1, 4, 3, 3))
    assert array("i", result.places).tolist() == [0, 1, 2]
    assert array("i", result.heard).tolist() == [0, 1]
    assert array("d", result.costs).tolist() == [7.0]


def test_of_equally_cheap_paths_the_first_written_one_is_taken(module: ModuleType) -> None:
    row = [OPEN, "x", BAR, "y", CLOSE]
    result = Paths(*module.best_paths([row], ["z"], 1, prefers_length=False))
    assert array("i", result.places).tolist() == [1]
    result = Paths(*module.best_paths(["z"], [row], 1, prefers_length=False))
    assert array("i", result.heard).tolist() == [1]


@pytest.mark.parametrize(
    ("row", "error", "message"),
    [
        ([OPEN, "a"], ValueError, "hypotheses: expected a mark that closes alternatives"),
        (["a", CLOSE], ValueError, "hypotheses: expected a mark that opens alternatives"),
        ([-4], ValueError, "hypotheses: expected a whole number from -3 to -1, found -4"),
    ],
)
def test_refuses_what_is_no_row(
    module: ModuleType, row: Items, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        module.best_paths(["a"], [row], 1)


def test_refuses_what_is_no_kind_of_compounds(module: ModuleType) -> None:
    with pytest.raises(ValueError, match="compounds: expected a whole number from 0 to 2, found 3"):
        module.best_paths(["a"], ["a"], 1, compounds=3)
