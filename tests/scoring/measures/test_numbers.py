"""Numbers of both sides, in digits and in words: values, units, missing and invented ones."""

from __future__ import annotations

import random
from itertools import combinations, pairwise
from typing import Any

import pytest

import scoring
from scoring.measures.numbers import NumberPairs, paired
from scoring.model.errors import OptionValueError
from tests.each_case import each_case

STEPS = (("plain",), ("plain", "spoken-forms"), ("none",))


def counted(
    reference: str, hypothesis: str, steps: Any = ("plain",), lang: str = "en"
) -> dict[str, int]:
    """The columns that are not 0."""
    rates = scoring.wer(
        reference,
        hypothesis,
        normalize=steps,
        measures=["numbers"],
        measure_options={"numbers_in": lang},
    )
    totals = rates.measured["numbers"].columns.totals()
    return {name: int(totals[name]) for name in totals if totals[name]}


def right(kind: str, times: int = 1) -> dict[str, int]:
    return {f"{kind}_{part}": times for part in ("reference", "value", "whole")}


@each_case("steps", STEPS)
@each_case(
    ("one", "other", "kind"),
    [
        ("it cost $50 then", "it cost fifty dollars then", "amount"),
        ("we met on March 3, 2020 there", "we met on march third twenty twenty there", "date"),
        ("come at 10:30 please", "come at half past ten please", "time"),
        ("call 919-696-3901 now", "call nine one nine six nine six three nine oh one now", "phone"),
        ("the A380 left", "the a three eighty left", "code"),
        ("he had twenty five dogs", "he had 25 dogs", "amount"),
        ("five kilometers of it", "5 km of it", "amount"),
        ("$2.50 then", "two dollars fifty cents then", "amount"),
    ],
)
def test_a_number_is_right_however_it_is_written(
    one: str, other: str, kind: str, steps: tuple[str, ...]
) -> None:
    assert counted(one, other, steps) == right(kind)
    assert counted(other, one, steps) == right(kind)


@pytest.mark.parametrize("steps", STEPS)
def test_values_units_missing_and_invented_numbers(steps: tuple[str, ...]) -> None:
    value = {"amount_reference": 1, "amount_value": 1}
    assert counted("it cost $50 then", "it cost fifty euros then", steps) == value
    assert counted("it cost $50 then", "it cost 60 dollars then", steps) == {"amount_reference": 1}
    missing = {"amount_reference": 1, "amount_missing": 1}
    assert counted("we saw 12 of them there", "we saw some of them there", steps) == missing
    assert counted("we saw some of them", "we saw 12 of them", steps) == {"amount_invented": 1}
    # at another place
    moved = {**missing, "amount_invented": 1}
    assert (
        counted("5 dogs ran and then all went home", "dogs ran and then all went home 7", steps)
        == moved
    )
    assert counted("one of them left", "that of them left", steps) == {}


def test_it_knows_languages() -> None:
    assert counted("es waren 25 Euro", "es waren fünfundzwanzig Euro", lang="de") == right("amount")
    assert counted("à 18 h 30", "à dix-huit heures trente", lang="fr") == right("time")
    with pytest.raises(OptionValueError, match="numbers_in"):
        counted("2024年", "2024年", lang="ja")


def test_pairs_leave_the_fewest_errors() -> None:
    draw = random.Random(5)
    for _ in range(60):
        sizes = draw.randint(0, 4), draw.randint(0, 4)
        pairs: NumberPairs = {}
        for left in range(sizes[0]):
            for right_one in range(sizes[1]):
                value = draw.random() < 0.5
                if draw.random() < 0.7:
                    pairs[left, right_one] = value, value and draw.random() < 0.5
        best = min(
            cost_of(chosen, pairs, sizes)
            for many in range(min(sizes) + 1)
            for chosen in combinations(pairs, many)
            if all(a[0] < b[0] and a[1] < b[1] for a, b in pairwise(chosen))
        )
        assert cost_of(paired(pairs, sizes), pairs, sizes) == best


def cost_of(chosen: Any, pairs: NumberPairs, sizes: tuple[int, int]) -> int:
    alone = sum(sizes) - 2 * len(chosen)
    return 2 * alone + sum(2 - sum(pairs[pair]) for pair in chosen)
