"""Bytes, characters and their case.

sclite works in the C locale: text is bytes, and the only letters that have a case are those an
encoding's own table names. Text is *byte text*: `str` with one character per byte (Latin-1).
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from formats.schema import NamedTuple
from formats.schema.errors import reason_of
from scoring.model.errors import InputError


def byte_text(data: bytes) -> str:
    """Return bytes as a string of one character per byte."""
    return data.decode("latin-1")


def to_bytes(text: str) -> bytes:
    """Return the byte text as bytes."""
    return text.encode("latin-1")


def bsearch(ordered: Sequence[str], text: str) -> int | None:
    """Return the equal entry that C's `bsearch` finds first among several; None if there is none.

    >>> bsearch(["a", "b", "b", "b", "c"], "b"), bsearch(["a", "c"], "b")
    (2, None)
    """
    low, high = 0, len(ordered)
    while low < high:
        middle = (low + high) // 2
        if ordered[middle] == text:
            return middle
        if ordered[middle] < text:
            low = middle + 1
        else:
            high = middle
    return None


class BadCharacter(NamedTuple):
    """Bytes that are no character of the encoding."""

    offset: int  # where, in bytes from 0
    message: str  # what sclite says, without what stands after it on the line
    quotes_rest: bool  # whether sclite goes on with the rest of the line

    def text(self, data: bytes) -> str:
        """Return sclite's message; `offset` points into the text (up to the end of a line)."""
        rest = byte_text(data[self.offset :].split(b"\0")[0]) if self.quotes_rest else ""
        return f"{self.message}{rest}\n"


class Characters:
    r"""ASCII, sclite's default encoding: one byte a character, A-Z the only capitals.

    Other encodings derive from it; `alphabets.characters_of` gives the one that options name.

    >>> Characters().fold(b"\xc9T\xe9").hex()
    'c974e9'
    >>> Characters(case_sensitive=True).fold(b"A")
    b'A'
    """

    # Whether a folded line is as long as the line, so that offsets into one hold for the other.
    keeps_lengths = True

    def __init__(self, case_sensitive: bool = False) -> None:
        self.case_sensitive = case_sensitive

    def fold(self, data: bytes) -> bytes:
        """Return lower case, unless case matters. Lines stay lines; their lengths may change."""
        return data if self.case_sensitive else self.lower(data)

    def lower(self, data: bytes) -> bytes:
        """Return the lower case, also where case matters."""
        return data.lower()

    def lower_text(self, text: str) -> str:
        """Return the lower case of byte text."""
        return byte_text(self.lower(to_bytes(text)))

    def upper(self, text: str) -> str:
        """Return the upper case of byte text, as reports show words in error."""
        return text.upper() if text.isascii() else byte_text(to_bytes(text).upper())

    def shape(self, data: bytes) -> bytes:
        """Return data of the same length in which no byte below 0x80 is part of a longer character.

        Blanks, braces, slashes and semicolons are looked for in the shape. It is `data` itself
        where that has the property, as all text in an encoding of single bytes.
        """
        return data

    def first_bad(self, data: bytes, *, lengths_only: bool = False) -> BadCharacter | None:
        """Return the first bytes of some lines that are no character; None in most encodings."""
        return None

    def split(self, text: str) -> list[str]:
        """Return the characters of a piece of byte text."""
        return list(text)

    def length(self, text: str) -> int:
        """Count the characters of a piece of byte text, without what `split` joins."""
        return len(text)

    def is_ascii(self, character: str) -> bool:
        """Return True if `-c NOASCII` keeps the character whole; always, in encodings of bytes."""
        return True


def standard_input() -> bytes:
    """Read standard input; an `InputError` if it is closed or cannot be read."""
    if sys.stdin is None:
        raise InputError("<stdin>", None, None, "expected input, found it closed")
    try:
        return sys.stdin.buffer.read()
    except OSError as problem:
        raise InputError("<stdin>", None, None, f"cannot be read: {reason_of(problem)}") from None
