"""The grammar of gates: amounts, their extremes, significance, measures, and what is refused."""

from fractions import Fraction

import pytest

from scoring.regression.conditions import (
    parse_group_increase,
    parse_increase,
    parse_measure,
    parse_own_measure,
)
from scoring.regression.verdict import Finding, Significance, combined, judge_number
from tests.each_case import each_case

TENTH, HALF = Fraction(1, 10), Fraction(1, 2)


@each_case(
    ("text", "of_tenth", "of_half"),
    [
        ("5%", Fraction(105, 1000), Fraction(525, 1000)),
        ("0.3pt", Fraction(103, 1000), Fraction(503, 1000)),
        ("max(1pt, 5%)", Fraction(110, 1000), Fraction(525, 1000)),
        ("min(1pt,5%)", Fraction(105, 1000), Fraction(510, 1000)),
        (" max( 5 % , min(1pt, 4%), .2pt ) ", Fraction(105, 1000), Fraction(525, 1000)),
        ("max(1pt, 5%):significant", Fraction(110, 1000), Fraction(525, 1000)),
    ],
)
def test_amounts(text: str, of_tenth: Fraction, of_half: Fraction) -> None:
    condition = parse_increase(text)
    assert (condition.bound(TENTH), condition.bound(HALF)) == (of_tenth, of_half)
    assert condition.only_significant == text.endswith(":significant")
    assert parse_group_increase(text).of_groups


@pytest.mark.parametrize(
    ("text", "number"), [("5", "5"), ("max(0.3pt, 2)", "2"), ("5:significant", "5")]
)
def test_a_number_without_unit_asks_which_is_meant(text: str, number: str) -> None:
    with pytest.raises(ValueError, match=f"which of {number}% and {number}pt is meant"):
        parse_increase(text)


@each_case("text", ["max()", "max(5%", "max(5%,)", "5%)", "5%,1pt", "mean(5%)", "5pp"])
def test_other_texts_are_no_amounts(text: str) -> None:
    with pytest.raises(ValueError, match="expected 5%"):
        parse_increase(text)


def test_measures_are_limited_by_themselves_or_against_the_baseline() -> None:
    assert parse_measure("loops.loop_rate=1").bound() == Fraction(1, 100)
    increase = parse_measure("loops.loop_rate=+max(0.5pt, 10%):significant")
    assert increase.bound(TENTH) == Fraction(11, 100)
    assert increase.only_significant
    assert parse_measure("loops.longest_loop=+3").bound(Fraction(4)) == 7
    # where a greater value is better, the bound is below the baseline's
    assert parse_measure("der.purity=+5pt").bound(HALF) == Fraction(45, 100)
    assert parse_measure("kws.atwv=+0.05").bound(HALF) == Fraction(45, 100)
    with pytest.raises(ValueError, match="longest_loop is no percentage"):
        parse_measure("loops.longest_loop=+3pt")
    with pytest.raises(ValueError, match=r"which of 3% and 3pt is meant"):
        parse_measure("loops.loop_rate=+3")
    with pytest.raises(
        ValueError, match="to limit an increase over a baseline, use scoring compare"
    ):
        parse_own_measure("loops.loop_rate=+3pt")


@pytest.mark.parametrize(
    ("is_significant", "failed", "words"),
    [
        (True, True, "is above 10.50 %, significantly (p)"),
        (False, False, "is above 10.50 %, but not significantly (p)"),
        (None, False, "is above 10.50 %, but not significantly (p)"),
    ],
)
def test_an_increase_may_have_to_be_significant(
    is_significant: bool | None, failed: bool, words: str
) -> None:
    condition = parse_increase("5%:significant")
    test = Significance(is_significant, "p")
    finding = judge_number(condition, "it", Fraction(11, 100), TENTH, test)
    assert finding == Finding(
        "fail increase 5%:significant", f"it 11.00 % {words}", failed, not failed
    )
    within = judge_number(condition, "it", Fraction(105, 1000), TENTH, test)
    assert within.text == "it 10.50 % is not above 10.50 %"
    assert not within.failed


def test_all_conditions_together() -> None:
    mixed = [Finding("a", "x is above 1", True), Finding("b", "y is not above 2", False)]
    assert combined(mixed, needs_all=False) == mixed
    assert [item.failed for item in combined(mixed, needs_all=True)] == [False, False]
    assert combined(mixed[:1], needs_all=True) == mixed[:1]
    assert combined([], needs_all=True) == []
