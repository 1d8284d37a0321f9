"""Columns of whole numbers and a head in JSON, packed small enough to lie inside a page.

The packed form is gzip of: the length of the head in bytes as four bytes, low byte first; the head
as JSON, which says under `columns` where each one lies; the columns. A column is written byte by
byte of its numbers: first the low bytes of all of them, then the next ones, in as many planes as
its greatest number needs. Bytes that are alike thus stand together, which packs far better.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

Numbers: TypeAlias = "NDArray[np.int64]"
PLANES = 4
LIMIT = 1 << (8 * PLANES)
GZIP_WINDOW = 31  # of zlib: 15 for the greatest window, 16 more for gzip's head
LEVEL = 6


class Columns:
    """Named columns, in the order in which they came."""

    def __init__(self) -> None:
        self._places: dict[str, tuple[int, int, int]] = {}
        self._pieces: list[bytes] = []
        self._size = 0

    def add(self, name: str, numbers: Iterable[int] | Numbers) -> None:
        """Add a column.

        Raises
        ------
        ValueError
            If a number is negative or has more than 32 bits, or the name is taken.
        """
        if name in self._places:
            raise ValueError(f"expected another name than {name!r}, which a column has already")
        if not isinstance(numbers, np.ndarray):
            numbers = np.fromiter(numbers, np.int64)
        if len(numbers) and (numbers.min() < 0 or numbers.max() >= LIMIT):
            raise ValueError(f"expected whole numbers of 32 bits in {name!r}, found others")
        planes = (int(numbers.max()).bit_length() + 7) // 8 if len(numbers) else 0
        bytes_of = numbers.astype("<u4").view(np.uint8).reshape(-1, PLANES)
        packed = np.ascontiguousarray(bytes_of[:, :planes].T).tobytes()
        self._places[name] = (self._size, len(numbers), planes)
        self._pieces.append(packed)
        self._size += len(packed)

    def packed(self, head: Mapping[str, object]) -> str:
        """The head and all columns, gzipped, in base64.

        Equal content gives equal text. Lone surrogates in the head's texts stay what they are.
        """
        places = {name: list(place) for name, place in self._places.items()}
        text = json.dumps({**head, "columns": places}, separators=(",", ":"), allow_nan=False)
        encoded = text.encode("ascii")
        packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP_WINDOW)
        pieces = [packer.compress(len(encoded).to_bytes(4, "little") + encoded)]
        pieces += [packer.compress(piece) for piece in self._pieces]
        pieces.append(packer.flush())
        return base64.b64encode(b"".join(pieces)).decode("ascii")


def folded(numbers: Numbers) -> Numbers:
    """Whole numbers of either sign as such without sign: 0, -1, 1, -2 become 0, 1, 2, 3.

    >>> folded(np.array([0, -1, 1, -2])).tolist()
    [0, 1, 2, 3]
    """
    return np.where(numbers < 0, -2 * numbers - 1, 2 * numbers)


def optional_steps(numbers: Numbers, known: NDArray[np.bool_]) -> Numbers:
    """Each known number as the step from the known one before it, folded, plus 1; 0: unknown.

    >>> optional_steps(np.array([5, 0, 4]), np.array([True, False, True])).tolist()
    [11, 0, 2]
    """
    made = np.zeros(len(numbers), np.int64)
    values = numbers[known]
    made[known] = folded(np.diff(values, prepend=0)) + 1
    return made
