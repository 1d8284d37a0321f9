"""One line of advice where a class of errors explains more than a third of them."""

import scoring
from scoring.pages import FEWEST, hint_of
from scoring.pages.hint import advice_of
from tests.each_case import each_case
from tests.tables import table_of

WORDS = "alpha beta gamma delta epsilon"


@each_case(("reference", "hypothesis", "kind"), table_of(__file__, "a_class_of_errors_is_named"))
def test_a_class_of_errors_is_named(reference: str, hypothesis: str, kind: str) -> None:
    rates = scoring.wer([reference] * 6, [hypothesis] * 6)
    found = advice_of(rates, FEWEST)
    assert found is not None
    assert (found.code, found.severity) == (kind, "hint")


@each_case(("reference", "hypothesis"), table_of(__file__, "no_class_of_errors_is_named"))
def test_no_class_of_errors_is_named(reference: str, hypothesis: str) -> None:
    assert advice_of(scoring.wer([reference] * 6, [hypothesis] * 6), FEWEST) is None


def test_a_third_of_the_errors_is_too_few() -> None:
    reference = ["it costs 5 today"] * 5 + [WORDS] * 2
    hypothesis = ["it costs five today"] * 5 + ["a b c d e"] * 2
    assert advice_of(scoring.wer(reference, hypothesis), FEWEST) is None
    assert advice_of(scoring.wer(reference[:6], hypothesis[:6]), FEWEST) is not None


def test_identifiers_that_differ_are_named() -> None:
    reference = {f"u{number}": WORDS for number in range(4)}
    hypothesis = {f"u{number}.wav": WORDS for number in range(3)} | {"u3": WORDS}
    rates = scoring.wer(reference, hypothesis, allow_unmatched=True)
    found = advice_of(rates, FEWEST)
    assert found is not None
    assert (found.code, found.fields) == ("NO-PARTNER", {"number": 15, "errors": 15})
    assert found.advice == (("match", "position"),)


def test_recipes_and_other_units_get_no_advice() -> None:
    reference, hypothesis = ["it costs 5 today"] * 6, ["it costs five today"] * 6
    assert hint_of(scoring.wer(reference, hypothesis)) is not None
    assert hint_of(scoring.cer(reference, hypothesis)) is None
    assert hint_of(scoring.wer(reference, hypothesis, normalize="numbers")) is None
