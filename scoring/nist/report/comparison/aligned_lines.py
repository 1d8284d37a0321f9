"""Words of several systems below each other, broken into lines."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from scoring.errors import OriginalError
from scoring.nist.report.comparison.layout import longest

_CONTINUED = ">>> "


class TitlesTooLongError(OriginalError):
    """The titles leave no room for words; the text is what the original prints."""


class AlignedLines:
    """Texts of the reference and of all systems, column by column."""

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

    def add(self, texts: Sequence[str], width: int) -> Iterator[str]:
        """Add a column; yields what had to be broken off before it."""
        if width + self._used > self._line_width - 1:
            yield from self.flush()
            self._start(_CONTINUED)
        for buffer, text in zip(self._buffers, texts, strict=True):
            buffer.append(text.ljust(width))
        self._used += width
        if 1 + self._used < self._line_width - 1:
            for buffer in self._buffers:
                buffer.append(" ")
            self._used += 1

    def flush(self) -> Iterator[str]:
        """What was added since the last break."""
        for buffer in self._buffers:
            yield "".join(buffer) + "\n"
        yield "\n"
