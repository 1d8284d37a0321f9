"""Layout helpers for the lines of the comparison reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isnan

from scoring.model.errors import OriginalError
from scoring.nist.report.tables import PAGE_WIDTH

_WIDEST_INDENT = 131
_LONGEST_RULE = 49
FORM_FEED = "\f"
_CONTINUED = ">>> "


def indent(length: int) -> str:
    """Return the blanks before a line of `length` columns: one blank less than for centring.

    >>> len(indent(42)), len(indent(200))
    (18, 0)
    """
    half = int((PAGE_WIDTH - length) / 2)
    return " " * (min(half, _WIDEST_INDENT) - 1)


def indented(text: str) -> str:
    """Return a line with the indentation for its length."""
    return f"{indent(len(text))}{text}\n"


def decimal(value: float, width: int, places: int) -> str:
    """Format a number as C's printf does on this machine; NaN is printed as `-nan`.

    >>> decimal(1.25, 6, 1), decimal(float("nan"), 6, 1)
    ('   1.2', '  -nan')
    """
    return "-nan".rjust(width) if isnan(value) else f"{value:{width}.{places}f}"


def rule(width: int) -> str:
    """Return a line of hyphens, which is never longer than that of sc_stats."""
    return "-" * min(_LONGEST_RULE, width)


def gap(width: int) -> str:
    """Return blanks, at most as many as sc_stats prints."""
    return " " * min(_LONGEST_RULE, width)


def longest(names: Sequence[str], least: int = 0) -> int:
    """Return the length of the longest name, or `least` if that is greater."""
    return max([least, *map(len, names)])


class TitlesTooLongError(OriginalError):
    """Raised with the message of sc_stats if the titles are too long for the line width."""


class AlignedLines:
    """The texts of the reference and of all systems, aligned in columns."""

    def __init__(self, titles: Sequence[str], line_width: int) -> None:
        self._names = ["REF:", *(f"{title}:" for title in titles)]
        self._name_width = max(3, longest(titles)) + 2
        self._line_width = line_width
        self._start("")

    def _start(self, mark: str) -> None:
        self._used = self._name_width + len(mark)
        if self._used > self._line_width:
            raise TitlesTooLongError(
                "Error: Failed to add header data lines for PRN report.  System names too long.  "
                "increase via -l option\n"
            )
        self._buffers = [[f"{mark}{name:<{self._name_width}}"] for name in self._names]

    def add(self, texts: Sequence[str | None], width: int) -> Iterator[str]:
        """Add a column with a text in each line (None: an empty text).

        If the lines have no room for the column, yield the lines first, and begin new ones.
        """
        if width + self._used > self._line_width - 1:
            yield from self.flush()
            self._start(_CONTINUED)
        for buffer, text in zip(self._buffers, texts, strict=True):
            buffer.append("" if text is None else text.ljust(width))
        self._used += width
        if 1 + self._used < self._line_width - 1:
            for buffer in self._buffers:
                buffer.append(" ")
            self._used += 1

    def flush(self) -> Iterator[str]:
        """Yield the lines of the columns that were added since the last line break."""
        for buffer in self._buffers:
            yield "".join(buffer) + "\n"
        yield "\n"
