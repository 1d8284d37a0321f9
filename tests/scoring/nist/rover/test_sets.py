"""Alignment and vote in columns: the compiled functions against the plain ones, and the lattice."""

from __future__ import annotations

import random
from array import array
from itertools import pairwise
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from scoring.alignment import load_core
from scoring.nist.rover import plain
from scoring.nist.rover.lattice import Lattice
from scoring.nist.rover.pricing import (
    NULL_ALONE,
    NULL_WEIGHT,
    WORD_ALONE,
    WORD_WEIGHT,
    Pricing,
)
from tests.each_case import each_case

NATIVE: Any = load_core()
needs_native = pytest.mark.skipif(NATIVE is None, reason="the native core is not built")
TEXTS = ["@", "a", "b", "c", "d\xe9"]
MOST = 65534
RULES = range(3)


class Drawn(NamedTuple):
    """The words of some files in columns, and the ranges of the files."""

    begins: array[int]
    ends: array[int]
    compared: array[int]
    voted: array[int]
    starts: array[float]
    finishes: array[float]
    confidences: array[float]

    def aligned(
        self, core: Any, by_time: bool, most: int = MOST
    ) -> tuple[list[int], list[int], int]:
        singles = array("d", [NULL_ALONE, *[WORD_ALONE] * 4])
        weights = array("d", [NULL_WEIGHT, *[WORD_WEIGHT] * 4])
        members, offsets, lost = core.align_files(*self[:6], singles, weights, 0, by_time, most)
        return memoryview(members).cast("i").tolist(), memoryview(offsets).cast("q").tolist(), lost

    def sets(self) -> tuple[array[int], array[int]]:
        members, offsets, _ = self.aligned(plain, by_time=False)
        return array("i", members), array("q", offsets)

    def voted_on(
        self, core: Any, sets: tuple[array[int], array[int]], rule: int, alpha: float
    ) -> tuple[str, int]:
        vote: tuple[str, int] = core.vote_on_sets(*sets, *self[3:], rule, alpha, TEXTS, 0, b"m A ")
        return vote

    @property
    def files(self) -> list[range]:
        return [range(*bounds) for bounds in zip(self.begins, self.ends, strict=True)]


def draw(seed: int, longest: int = 12) -> Drawn:
    """Two to five files of words, of which some are written like the null word."""
    source = random.Random(seed)
    empty: list[Any] = [array(code) for code in "qqiiddd"]
    columns = Drawn(*empty)
    for word in range(1 + source.randrange(4)):
        columns.compared.append(word and source.randrange(5))
        columns.voted.append(columns.compared[-1])
    while len(columns.starts) < len(columns.voted):
        columns.starts.append(0.0)
        columns.finishes.append(0.0)
        columns.confidences.append(source.choice([0.0, 0.5]))
    for _ in range(source.randrange(2, 6)):
        columns.begins.append(len(columns.voted))
        time = source.choice([0.0, 2.5])
        for _ in range(source.choice([0, longest, source.randrange(longest + 1)])):
            text = source.randrange(source.choice([0, 1]), 5)
            columns.compared.append(text)
            columns.voted.append(text if source.random() < 0.9 else source.randrange(5))
            columns.starts.append(time)
            columns.finishes.append(time + source.choice([0.0005, 0.1, 0.25, 1 / 3]))
            columns.confidences.append(source.choice([-3.0, 0.0, 0.25, 0.0000005, 0.7, 1e13]))
            time += source.choice([0.1, 0.125, 0.7])
        columns.ends.append(len(columns.voted))
    return columns


@needs_native
@each_case("seed", range(60))
def test_cores_align_alike(seed: int) -> None:
    drawn = draw(seed)
    for by_time in (False, True):
        assert drawn.aligned(NATIVE, by_time) == drawn.aligned(plain, by_time)


@needs_native
@each_case("seed", range(60))
def test_cores_vote_alike(seed: int) -> None:
    drawn = draw(seed)
    sets = drawn.sets()
    for rule in RULES:
        for alpha in (0.0, 0.5, 1.0, -2.0):
            voted = drawn.voted_on(NATIVE, sets, rule, alpha)
            assert voted == drawn.voted_on(plain, sets, rule, alpha)


@each_case("seed", range(30))
def test_columns_are_aligned_like_lattices(seed: int) -> None:
    drawn = draw(seed)
    words: Any = SimpleNamespace(
        texts=TEXTS, null_text=0, has_null_words=True, starts=drawn.starts, finishes=drawn.finishes
    )
    pricing = Pricing(words, by_time=True)
    first, *others = drawn.files
    lattice, lost = Lattice(list(first)), 0
    for number, file in enumerate(others, 1):
        arcs, added = lattice.number(), Lattice(list(file)).number()
        left, right = (
            numbered.graph(array("i", [texts[word] for word in numbered.words]))
            for numbered, texts in ((arcs, drawn.voted), (added, drawn.compared))
        )
        path = pricing.path(left, arcs.words, right, added.words)
        lost += 0 if path else len(file)
        lattice.merge(arcs, added.words, path, number)
    sets = list(lattice.sets())
    members, offsets, uncombined = drawn.aligned(plain, by_time=True)
    bounds = pairwise(offsets)
    assert [members[begin:end] for begin, end in bounds] == sets
    assert uncombined == lost


CORES = [plain, pytest.param(NATIVE, marks=needs_native)]


@pytest.mark.parametrize("core", CORES)
def test_networks_have_a_limit_and_costs_may_be_too_high(core: Any) -> None:
    types = array("i", [0, 1, 2, 3, 3])
    times = [array("d", ends) for ends in ([0, 0, 1, 2, 0], [0, 1, 2, 1e7, 1])]
    begins, ends = array("q", [1, 3, 4]), array("q", [3, 4, 5])
    words = Drawn(begins, ends, types, types, times[0], times[1], array("d"))
    with pytest.raises(OverflowError):
        words.aligned(core, by_time=False, most=1)
    # the word of the second file is lost
    assert words.aligned(core, by_time=True) == ([1, 4, 2, 0], [0, 2, 4], 1)
    assert words.aligned(core, by_time=False) == ([1, 0, 0, 2, 3, 4], [0, 3, 6], 0)


@pytest.mark.parametrize("core", CORES)
@pytest.mark.parametrize(
    ("members", "texts", "expected"),
    [
        ([[1, 1, 2], [3, 0], [1]], 5, 3),
        ([[1], [3, 3], [1]], 5, 1),
        ([[1], [*range(4, 53)], [1]], 60, 3),
        ([[1], [*range(4, 54)], [1]], 60, 1),
    ],
    ids=["all", "score of -1 and below", "49 texts", "50 texts"],
)
def test_a_vote_ends_before_a_set_without_winner(
    core: Any, members: list[list[int]], texts: int, expected: int
) -> None:
    flat = [word for words in members for word in words]
    offsets = [sum(map(len, members[:size])) for size in range(len(members) + 1)]
    confidences = [0.5] * 60
    confidences[3] = -30.0
    lines, count = core.vote_on_sets(
        *(array("i", flat), array("q", offsets), array("i", range(60))),
        *(array("d", range(60)), array("d", range(1, 61)), array("d", confidences)),
        *(0, 0.5, ["@", *map(str, range(1, 60))], 0, b"m A "),
    )
    assert count == expected
    assert lines.startswith("m A 1.000 1.000 1 0.500000\n")
    assert lines.count("\n") == expected - (len(members[1]) == 2 and expected > 1)


@needs_native
@pytest.mark.parametrize(
    "value", [0.0005, 0.0015, 2.5e-7, -0.0001, 1e15 + 0.5, 123456.0005, 1e-320]
)
def test_figures_are_rounded_like_those_of_c(value: float) -> None:
    columns = array("d", [value]), array("d", [2 * value]), array("d", [value])
    lines = [
        core.vote_on_sets(
            *(array("i", [0]), array("q", [0, 1]), array("i", [1]), *columns),
            *(0, 1.0, ["@", "a"], 0, b""),
        )
        for core in (NATIVE, plain)
    ]
    assert lines[0] == lines[1] == (f"{value:.3f} {value:.3f} a {value:.6f}\n", 1)
