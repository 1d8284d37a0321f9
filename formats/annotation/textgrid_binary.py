"""Converter from Praat's binary TextGrids to their text form."""

import struct

from formats.annotation.textgrid_parser import praat_text

LONG_TEXT = 0xFFFF
"""The length that stands before texts of UTF-16."""


def as_text(data: bytes) -> str:
    """Return the short text form of a binary TextGrid."""
    reader = _BinaryReader(data)
    if reader.take(12) != b"ooBinaryFile":
        raise ValueError("no binary file of Praat")
    kind = reader.name()
    if kind != "TextGrid":
        raise ValueError(f"an object of class {kind[:40]!r}")
    tokens = ['"ooTextFile"', '"TextGrid"', reader.number(), reader.number()]
    if not reader.take(1)[0]:
        return "\n".join([*tokens, "<absent>"])
    tiers = reader.count()
    tokens += ["<exists>", str(tiers)]
    for _ in range(tiers):
        kind = reader.name()
        tokens += [praat_text(kind), praat_text(reader.text()), reader.number(), reader.number()]
        size = reader.count()
        tokens.append(str(size))
        for _ in range(size):
            times = [reader.number() for _ in range(2 if kind == "IntervalTier" else 1)]
            tokens += [*times, praat_text(reader.text())]
    if reader.position != len(data):
        raise ValueError(f"{len(data) - reader.position} bytes after the last tier")
    return "\n".join(tokens)


class _BinaryReader:
    """Reads the fields of a file in order; numbers are big-endian."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.position = 0

    def take(self, size: int) -> bytes:
        """Return the next `size` bytes."""
        data = self.data[self.position : self.position + size]
        if len(data) < size:
            raise ValueError(f"the end of the file at byte {len(self.data)}")
        self.position += size
        return data

    def count(self) -> int:
        """Read the next whole number, which says how many items follow."""
        (number,) = struct.unpack(">i", self.take(4))
        if number < 0:
            raise ValueError(f"a number below 0 at byte {self.position - 4}")
        return int(number)

    def number(self) -> str:
        """Read the next number, which is in seconds; return it as text."""
        return repr(struct.unpack(">d", self.take(8))[0])

    def name(self) -> str:
        """Return the next short text, for example the name of a class."""
        return self.take(self.take(1)[0]).decode("latin-1")

    def text(self) -> str:
        """Return the next text, which is stored as single bytes or as UTF-16."""
        (size,) = struct.unpack(">H", self.take(2))
        if size != LONG_TEXT:
            return self.take(size).decode("latin-1")
        (size,) = struct.unpack(">H", self.take(2))
        return self.take(2 * size).decode("utf-16-be", "replace")
