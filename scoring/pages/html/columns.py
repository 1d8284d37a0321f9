"""Integer columns and a JSON header, compressed for embedding in a page.

The packed form is the gzip of three parts: the length of the header in bytes (four bytes,
little-endian), the header as JSON with the position of each column under `columns`, and the
columns. A column holds the lowest byte of every number, then the second byte of every number, and
so on, up to the highest byte of the largest number. Neighbouring bytes are then similar, which
makes the compressed form far smaller.
"""

from __future__ import annotations

import base64
import json
import sys
import zlib
from array import array
from collections.abc import Iterable, Mapping

PLANES = 4
GZIP_WINDOW = 31  # of zlib: 15 for the greatest window, 16 more for gzip's head
LEVEL = 6


class Columns:
    """Integer columns with names, in the order in which they were added."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[int, int, int]] = {}
        self._pieces: list[bytes] = []
        self._size = 0

    def add(self, name: str, numbers: Iterable[int]) -> None:
        """Add a column."""
        if name in self._places:
            raise ValueError(f"expected another name than {name!r}, which a column has already")
        try:
            column = array("I", iter(numbers))
        except OverflowError:
            raise ValueError(
                f"expected whole numbers of 32 bits in {name!r}, found other values"
            ) from None
        if sys.byteorder == "big":
            column.byteswap()
        data = column.tobytes()
        planes = [data[plane::PLANES] for plane in range(PLANES)]
        while planes and not any(planes[-1]):
            planes.pop()
        self._places[name] = (self._size, len(column), len(planes))
        self._pieces += planes
        self._size += sum(map(len, planes))

    def packed(self, head: Mapping[str, object]) -> str:
        """Return the header and all columns, compressed by gzip, in base64.

        Equal content gives equal text. Lone surrogates in texts of the header are preserved.
        """
        places = {name: list(position) for name, position in self._places.items()}
        text = json.dumps({**head, "columns": places}, separators=(",", ":"), allow_nan=False)
        encoded = text.encode("ascii")
        packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP_WINDOW)
        pieces = [packer.compress(len(encoded).to_bytes(4, "little") + encoded)]
        pieces += [packer.compress(piece) for piece in self._pieces]
        pieces.append(packer.flush())
        return base64.b64encode(b"".join(pieces)).decode("ascii")


def folded(number: int) -> int:
    """Map an integer to a non-negative integer: 0, -1, 1, -2 become 0, 1, 2, 3.

    >>> list(map(folded, [0, -1, 1, -2]))
    [0, 1, 2, 3]
    """
    return -2 * number - 1 if number < 0 else 2 * number


def optional_steps(numbers: Iterable[int]) -> list[int]:
    """Return the differences of known numbers: each from the known number before it.

    A difference is folded (see `folded`) and increased by 1. Unknown (negative) numbers become 0.

    >>> optional_steps([5, -1, 4])
    [11, 0, 2]
    """
    steps, last = [], 0
    for number in numbers:
        steps.append(0 if number < 0 else folded(number - last) + 1)
        last = last if number < 0 else number
    return steps
