"""Numbers as reports print them; as in Kaldi, some are computed in single precision."""

from __future__ import annotations

from array import array

LEAST_SHOWN = 0.0001


def single(number: float) -> float:
    """Return the nearest single-precision number."""
    rounded: float = array("f", [number])[0]
    return rounded


def percentage(part: int, whole: int) -> float:
    """Return 100 * part / whole; NaN for 0 / 0, infinity if only the whole is 0.

    >>> decimals(percentage(4, 7)), decimals(percentage(0, 0)), decimals(percentage(1, 0))
    ('57.14', '-nan', 'inf')
    """
    if not whole:
        return float("inf" if part else "nan")
    return single(100 * single(part) / single(whole))


def decimals(number: float) -> str:
    """Return a number as text with two decimals; NaN becomes `-nan`, as in the C library."""
    return "-nan" if number != number else f"{number:.2f}"


def fixed(number: float, places: int, sign: str = "") -> str:
    """Return a number with `places` decimals; a negative number that rounds to 0 has no minus.

    >>> fixed(-0.04, 1), fixed(-0.04, 1, sign="+"), fixed(-0.06, 1)
    ('0.0', '+0.0', '-0.1')
    """
    return f"{round(number, places) + 0.0:{sign}.{places}f}"


def percent(rate: float | None, digits: int = 2, sign: str = "") -> str:
    """Return a ratio in percent; None becomes `n/a`.

    A tie such as 63.205 % is rounded in single precision, so the digits are those of Kaldi's lines.

    >>> percent(0.125), percent(None), percent(0.01, sign="+"), percent(-0.00001)
    ('12.50', 'n/a', '+1.00', '0.00')
    >>> percent(0.63205), decimals(percentage(126_410, 200_000))
    ('63.21', '63.21')
    """
    return "n/a" if rate is None else fixed(single(100 * rate), digits, sign)


def points(change: float | None) -> str:
    """Return a change of a ratio in percentage points.

    >>> points(0.0125), points(None)
    ('+1.25', 'n/a')
    """
    return percent(change, sign="+")


def decimal(number: float | None, places: int = 3) -> str:
    """Return a number with a fixed number of decimals; `n/a` for None."""
    return "n/a" if number is None else fixed(number, places)


def probability(value: float | None) -> str:
    """Return a probability as text with four decimals; `n/a` for None.

    >>> probability(0.0421), probability(0.0), probability(None)
    ('0.0421', '< 0.0001', 'n/a')
    """
    if value is None:
        return "n/a"
    return f"{value:.4f}" if value >= LEAST_SHOWN else f"< {LEAST_SHOWN}"


def p_text(p_value: float | None) -> str:
    """Return a p-value as text with four decimals.

    >>> p_text(0.0421), p_text(0.00001), p_text(None)
    ('p = 0.0421', 'p < 0.0001', 'p = n/a')
    """
    text = probability(p_value)
    return f"p {text}" if text[0] == "<" else f"p = {text}"
