from math import inf, isnan, nan, sqrt

import pytest

from scoring.nist.report.rounding import mean, median, percentage, rounded, standard_deviation
from tests.each_case import each_case


@each_case(
    ("value", "places", "text"),
    [
        (6.25, 1, "6.3"),
        (93.75, 1, "93.8"),
        (-6.25, 1, "-6.3"),
        (0.0, 1, "0.0"),
        (-0.04, 1, "0.0"),
        (nan, 1, "-214748364.8"),
        (inf, 3, "-2147483.648"),
        (-inf, 3, "-2147483.648"),
        (3e9, 0, "-2147483648"),
        (16777217.0, 0, "16777216"),  # single precision
    ],
)
def test_half_away_from_zero_through_a_small_int(value: float, places: int, text: str) -> None:
    assert f"{rounded(value, places):.{places}f}" == text


def test_percentage_divides_first() -> None:
    assert percentage(7, 25) == 7 / 25 * 100.0
    assert percentage(7, 0) == 0.0


def test_statistics_of_nothing_and_of_one() -> None:
    assert mean([]) == standard_deviation([]) == median([]) == 0.0
    assert (mean([4.0]), standard_deviation([4.0]), median([4.0])) == (4.0, 0.0, 4.0)


def test_standard_deviation_is_that_of_a_sample() -> None:
    assert standard_deviation([1.0, 2.0, 4.0]) == pytest.approx(sqrt(7 / 3))


def test_nan_spoils_mean_and_deviation_even_alone() -> None:
    assert isnan(mean([1.0, nan]))
    assert isnan(standard_deviation([nan]))
    assert isnan(standard_deviation([1.0, nan]))


def test_nan_equals_everything_when_sorted() -> None:
    # halves [3] and [nan, 1]: neither moves past NaN
    assert median([3.0, nan, 1.0]) != median([3.0, nan, 1.0])
    assert median([nan, 3.0, 1.0]) == 1.0
