"""Lines, fields and numbers as the Perl of the originals reads and prints them."""

from __future__ import annotations

import re
from math import isfinite, isnan

NUMBER = re.compile(rb"\s*([-+]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][-+]?[0-9]+)?)")


def leading_number(text: bytes) -> float:
    """The number a text begins with, 0 if it begins with none.

    >>> leading_number(b"1.50*"), leading_number(b"<NA>")
    (1.5, 0.0)
    """
    number = NUMBER.match(text)
    return float(number[1]) if number else 0.0


def fixed(value: float, decimals: int = 3) -> bytes:
    """A number with so many decimals, as Perl prints it.

    >>> fixed(0.5), fixed(float("inf"))
    (b'0.500', b'Inf')
    """
    if isfinite(value):
        return b"%.*f" % (decimals, value)
    return b"NaN" if isnan(value) else b"Inf" if value > 0 else b"-Inf"


def lines_of(data: bytes) -> list[bytes]:
    """The lines with their ends."""
    lines = data.split(b"\n")
    last = lines.pop()
    return [line + b"\n" for line in lines] + ([last] if last else [])


def fields_of(line: bytes) -> list[bytes]:
    """Fields between white space; the first is empty where a line begins with white space."""
    fields = line.split()
    return [b"", *fields] if fields and line[:1].isspace() else fields
