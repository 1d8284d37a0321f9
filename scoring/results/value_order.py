"""The order in which groups are listed."""

from __future__ import annotations

from math import inf

from formats.schema import lazy_pattern

NONE = "(none)"  # the value of utterances that metadata do not list
_DIGITS = lazy_pattern(r"([0-9]+)")
# The name of a range of numbers, see `scoring.results.metadata.binned`.
_RANGE = lazy_pattern(r"(?:< |>= |\[)(-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)(?:, [^,]+\))?\Z")


def value_order(value: str | None) -> tuple[bool, float, str]:
    """Return the key that sorts values of a column: ranges ascending, then names, then none.

    >>> sorted([">= 10", "west", "(none)", "[2, 10)", "< 2", "east"], key=value_order)
    ['< 2', '[2, 10)', '>= 10', 'east', 'west', '(none)']
    """
    return value is None or value == NONE, _lower_border(value), value or ""


def natural_order(name: str) -> list[tuple[int, str]]:
    """Return the key that sorts names with numbers by these numbers.

    >>> sorted(["10.tra", "9.tra", "a"], key=natural_order)
    ['9.tra', '10.tra', 'a']
    """
    return [(int(piece), "") if piece.isdecimal() else (0, piece) for piece in _DIGITS.split(name)]


def _lower_border(value: str | None) -> float:
    """Return the lower border of a range; infinity for other values."""
    match = _RANGE.match(value or "")
    if match is None:
        return inf
    return -inf if match[0].startswith("<") else float(match[1])
