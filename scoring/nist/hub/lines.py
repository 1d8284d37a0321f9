"""Parsing and printing of lines, fields and numbers, as NIST's Perl scripts do it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import islice
from math import isfinite, isnan
from operator import methodcaller

NUMBER = re.compile(rb"\s*([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)")

# White space that is neither a blank nor a line feed.
_OTHER_WHITE = b"\t\r\v\f"
# Lines per block. The fields of a whole file would take twenty times its size in memory.
LINES = 1 << 15
# A number of more digits may be infinite.
_MOST_DIGITS = 300


def leading_number(text: bytes) -> float:
    """Return the number with which a text begins; 0 if there is none.

    >>> leading_number(b"1.50*"), leading_number(b"<NA>")
    (1.5, 0.0)
    """
    number = NUMBER.match(text)
    return float(number[1]) if number else 0.0


def fixed(value: float, decimals: int = 3) -> bytes:
    """Format a number with a fixed number of decimals, as Perl prints it.

    >>> fixed(0.5), fixed(float("inf"))
    (b'0.500', b'Inf')
    """
    if isfinite(value):
        return b"%.*f" % (decimals, value)
    return b"NaN" if isnan(value) else b"Inf" if value > 0 else b"-Inf"


def lines_of(data: bytes) -> list[bytes]:
    """Split data into lines and keep the line ends."""
    lines = data.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


def line_blocks(*files: bytes) -> Iterator[tuple[bytes, ...]]:
    r"""Yield equally many lines of each file, up to the last line of the first file.

    >>> list(line_blocks(b"a\nb", b"1\n2\n3\n"))
    [(b'a\nb', b'1\n2\n')]
    """
    streams = [BytesIO(file) for file in files]
    while lines := [*islice(streams[0], LINES)]:
        others = (b"".join(islice(stream, len(lines))) for stream in streams[1:])
        yield b"".join(lines), *others


def fields_of(line: bytes) -> list[bytes]:
    """Split a line at white space.

    If the line begins with white space, the first field is empty.
    """
    fields = line.split()
    return [b"", *fields] if fields and line[:1].isspace() else fields


def even_fields(data: bytes) -> tuple[list[bytes], int] | None:
    """Return the fields of all lines as one list, and the number of fields per line.

    Return None if any line is irregular. Regular lines have equally many fields, with a single
    blank between two fields. Most ctm files are regular, so that the vectorised path reads their
    columns.
    """
    lines = data.split(b"\n")
    if not lines[0] or lines.pop() or data.translate(None, _OTHER_WHITE) != data:
        return None
    width = lines[0].count(b" ") + 1
    fields = data.split()
    # no line has more fields than `width`, so that none has fewer if all together have enough
    if set(map(methodcaller("count", b" "), lines)) != {width - 1}:
        return None
    return (fields, width) if len(fields) == width * len(lines) else None


def plain_numbers(texts: Sequence[bytes]) -> list[float]:
    """Parse texts of digits and points as numbers; return an empty list if any is irregular."""
    if b"".join(texts).translate(None, b"0123456789.") or max(map(len, texts)) > _MOST_DIGITS:
        return []
    try:
        return list(map(float, texts))
    except ValueError:
        return []
