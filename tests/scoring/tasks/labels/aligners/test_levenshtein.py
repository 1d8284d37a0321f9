"""Alignment by order: examples, ties, costs of any kind, and the compiled path against the plain."""

import random
from fractions import Fraction
from typing import Any

import pytest

from formats import Label
from scoring.tasks.labels.aligners import LabelPair, LevenshteinAligner
from scoring.tasks.labels.aligners.spans import LabelLike
from tests.each_case import each_case
from tests.tables import table_of


def labels(text: str) -> list[Label]:
    return [Label(value) for value in text.split()]


def shown(pairs: list[LabelPair]) -> str:
    return " ".join(
        f"{pair.ref.value if pair.ref else '-'}/{pair.hyp.value if pair.hyp else '-'}"
        for pair in pairs
    )


def plain(aligner: LevenshteinAligner) -> LevenshteinAligner:
    """The same aligner on the path that takes any cost."""
    return LevenshteinAligner(
        aligner.deletion_cost,
        aligner.insertion_cost,
        aligner.substitution_cost,
        lambda _ref, _hyp: aligner.substitution_cost,
    )


@each_case(("reference", "hypothesis", "expected"), table_of(__file__, "examples"))
def test_examples(reference: str, hypothesis: str, expected: str) -> None:
    aligner = LevenshteinAligner()
    for way in (aligner, plain(aligner)):
        assert shown(way.align(labels(reference), labels(hypothesis))) == expected


def test_times_make_no_difference() -> None:
    pairs = LevenshteinAligner().align([Label("a", 0, 1)], [Label("a", 500, 600)])
    assert pairs == [LabelPair(Label("a", 0, 1), Label("a", 500, 600))]


def test_ties_prefer_insertions_then_deletions() -> None:
    aligner = LevenshteinAligner(1, 1, 2)
    for way in (aligner, plain(aligner)):
        assert shown(way.align(labels("a"), labels("b"))) == "a/- -/b"


@each_case("seed", range(200))
def test_both_paths_agree(seed: int) -> None:
    rng = random.Random(seed)
    sides = [[Label(rng.choice("abcd")) for _ in range(rng.randrange(12))] for _ in range(2)]
    deletion, insertion, substitution = (rng.randrange(5) for _ in range(3))
    aligner = LevenshteinAligner(deletion, insertion, substitution)
    assert aligner.align(*sides) == plain(aligner).align(*sides)
    distance = aligner.calculate_edit_distance(*sides)
    assert distance == plain(aligner).calculate_edit_distance(*sides)
    halves = LevenshteinAligner(deletion / 2, insertion / 2, substitution / 2)
    assert halves.align(*sides) == aligner.align(*sides)
    assert halves.calculate_edit_distance(*sides) == distance / 2
    assert isinstance(distance, int)


def test_fractions_of_costs_count() -> None:
    """In the original 0.5 becomes 0, and a hypothesis is paired twice."""
    aligner = LevenshteinAligner(0.5, 0.5, 0.75)
    assert shown(aligner.align(labels("a b c"), labels("x b"))) == "a/x b/b c/-"
    assert aligner.calculate_edit_distance(labels("a b c"), labels("x b")) == 1.25
    third: Any = Fraction(1, 3)
    thirds = LevenshteinAligner(third, third, third)
    assert thirds.calculate_edit_distance(labels("a b c"), labels("x")) == 1


def test_long_sequences_do_not_overflow() -> None:
    """In the original 11,000 deletions cost -32536."""
    aligner = LevenshteinAligner()
    assert aligner.calculate_edit_distance(labels("a " * 11_000), []) == 33_000
    assert plain(aligner).calculate_edit_distance(labels("a " * 11_000), []) == 33_000
    assert LevenshteinAligner(10**12).calculate_edit_distance(labels("a a"), []) == 2 * 10**12


def test_costs_of_ones_own() -> None:
    asked = []

    def cost(reference: LabelLike, hypothesis: LabelLike) -> float:
        asked.append((reference.value, hypothesis.value))
        return 0.25 if {reference.value, hypothesis.value} == {"b", "p"} else 9

    aligner = LevenshteinAligner(custom_substitution_cost_function=cost)
    assert shown(aligner.align(labels("a b"), labels("p a"))) == "-/p a/a b/-"
    assert ("a", "a") not in asked
    assert set(asked) == {("a", "p"), ("b", "p"), ("b", "a")}
    assert aligner.calculate_edit_distance(labels("b a"), labels("p a")) == 0.25


def test_impossible_costs() -> None:
    with pytest.raises(ValueError, match="deletion_cost: expected a number from 0, found -1"):
        LevenshteinAligner(-1)
    aligner = LevenshteinAligner(custom_substitution_cost_function=lambda _r, _h: float("nan"))
    with pytest.raises(ValueError, match="custom_substitution_cost_function: expected a number"):
        aligner.align(labels("a"), labels("b"))
