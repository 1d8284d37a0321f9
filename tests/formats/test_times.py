"""Times: the grammar, exactness, rounding."""

from decimal import ROUND_HALF_EVEN, Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.schema.times import (
    format_time,
    is_finer_than_a_nanosecond,
    nanoseconds,
    parse_time,
    round_time,
    seconds,
)
from tests.each_case import each_case


@each_case(
    ("text", "value"),
    [
        ("0", 0),
        ("-0.0", 0),
        ("12.34", 12_340_000_000),
        (".5", 500_000_000),
        ("5.", 5_000_000_000),
        ("-1.5", -1_500_000_000),
        ("0.000000001", 1),
        ("0.0000000005", 0),
        ("0.0000000015", 2),
        ("0.00000000050001", 1),
        ("000000000000001", 1_000_000_000),
        ("9223372036.854775807", 2**63 - 1),
        ("1e0", 1_000_000_000),
        ("-1.5E+1", -15_000_000_000),
        ("123.4e-2", 1_234_000_000),
        ("9.5e-05", 95_000),
        ("5.e-9", 5),
        ("0e999", 0),
        ("1e-999", 0),
    ],
)
def test_parse_time(text: str, value: int) -> None:
    assert parse_time(text) == value


@each_case(
    "text",
    [
        "",
        ".",
        "-",
        "nan",
        "inf",
        "1e",
        "e5",
        ".e5",
        "1e5.0",
        "1e1000",
        "1e10",
        "1" * 21 + "e0",
        "1_0",
        "٣",
        "1,5",
        "+1",
        " 1",
        "0x1",
        "1.2.3",
        "--1",
        "9223372036.854775808",
        "1" * 5000,
    ],
)
def test_other_texts_are_no_times(text: str) -> None:
    with pytest.raises(ValueError, match=r"not (a decimal number|within 292 years)"):
        parse_time(text)


@given(st.decimals(min_value=0, max_value=Decimal(9_000_000), places=9))
def test_parsed_time_is_the_double_that_c_would_read(value: Decimal) -> None:
    assert seconds(parse_time(f"{value:f}")) == float(f"{value:f}")


@given(st.decimals(min_value=-9_000_000, max_value=9_000_000, places=9), st.integers(-12, 2))
def test_an_exponent_moves_the_point(value: Decimal, exponent: int) -> None:
    exact = (value.scaleb(exponent + 9)).quantize(Decimal(1), ROUND_HALF_EVEN)
    assert parse_time(f"{value:f}e{exponent}") == exact


@given(st.integers(min_value=-(10**15), max_value=10**15), st.integers(0, 9))
def test_format_rounds_half_to_even(value: int, precision: int) -> None:
    exact = Decimal(value).scaleb(-9).quantize(Decimal(1).scaleb(-precision), ROUND_HALF_EVEN)
    assert Decimal(format_time(value, precision)) == exact
    assert parse_time(format_time(value, precision)) == round_time(value, precision)


@given(st.integers(min_value=0, max_value=2**23 * 10**9))
def test_float_seconds_come_back(value: int) -> None:
    assert nanoseconds(seconds(value)) == value


def test_nanoseconds_of_exact_numbers() -> None:
    assert nanoseconds(Decimal("0.1")) == nanoseconds(Fraction(1, 10)) == 100_000_000


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 1e10])
def test_nanoseconds_refuses_what_is_no_time(value: float) -> None:
    with pytest.raises(ValueError, match=r"292 years|NaN"):
        nanoseconds(value)


def test_finer_than_a_nanosecond() -> None:
    assert not is_finer_than_a_nanosecond("1.1234567890")
    assert is_finer_than_a_nanosecond("1.12345678901")
