"""Where the lines of the comparison reports stand on the page."""

from __future__ import annotations

from collections.abc import Sequence
from math import isnan

from scoring.nist.report.tables import PAGE_WIDTH

_WIDEST_INDENT = 131
_LONGEST_RULE = 49
FORM_FEED = "\f"


def indent(length: int) -> str:
    """The blanks before a line of `length` columns: one less than would put it into the middle.

    Examples
    --------
    >>> len(indent(42)), len(indent(200))
    (18, 0)
    """
    half = int((PAGE_WIDTH - length) / 2)
    return " " * (min(half, _WIDEST_INDENT) - 1)


def indented(text: str) -> str:
    """A line, indented for its own length."""
    return f"{indent(len(text))}{text}\n"


def decimal(value: float, width: int, places: int) -> str:
    """A number as C prints it on this machine; one that is not a number is `-nan`.

    Examples
    --------
    >>> decimal(1.25, 6, 1), decimal(float("nan"), 6, 1)
    ('   1.2', '  -nan')
    """
    return "-nan".rjust(width) if isnan(value) else f"{value:{width}.{places}f}"


def rule(width: int) -> str:
    """Hyphens, as many as the original has."""
    return "-" * min(_LONGEST_RULE, width)


def gap(width: int) -> str:
    """Blanks, as many as the original has."""
    return " " * min(_LONGEST_RULE, width)


def longest(names: Sequence[str], least: int = 0) -> int:
    """The length of the longest name, at least `least`."""
    return max([least, *map(len, names)])
