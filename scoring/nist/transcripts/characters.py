"""Bytes, characters, and upper and lower case.

sclite works in the C locale: text is bytes, and only the letters in the table of an encoding have a
case. Texts here are *byte text*: a `str` with one character per byte (Latin-1).
"""

from __future__ import annotations

import sys

from formats.schema import NamedTuple, reason_of
from scoring.model.errors import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def byte_text(data: bytes) -> str:
    """Decode bytes to a string with one character per byte."""
    return data.decode("latin-1")


def to_bytes(text: str) -> bytes:
    """Encode byte text as bytes."""
    return text.encode("latin-1")


def bsearch(ordered: Sequence[str], text: str) -> int | None:
    """Return the index of the equal entry that C's `bsearch` finds, or None.

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
    """Bytes that are not a valid character of the encoding."""

    offset: int  # where, in bytes from 0
    message: str  # what sclite says, without what stands after it on the line
    quotes_rest: bool  # whether sclite goes on with the rest of the line

    def text(self, data: bytes) -> str:
        """Return sclite's message about the bytes at `offset`, with the rest of their line."""
        rest = byte_text(data[self.offset :].split(b"\0")[0]) if self.quotes_rest else ""
        return f"{self.message}{rest}\n"


class Characters:
    r"""ASCII, sclite's default encoding: one byte per character, case for A to Z only.

    Other encodings are subclasses. `alphabets.characters_of` returns the encoding that options
    select.

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
        """Return data in lower case, unless case matters.

        The number of bytes in a line may change.
        """
        return data if self.case_sensitive else self.lower(data)

    def lower(self, data: bytes) -> bytes:
        """Return data in lower case, even if case matters."""
        return data.lower()

    def lower_text(self, text: str) -> str:
        """Return byte text in lower case."""
        return byte_text(self.lower(to_bytes(text)))

    def upper(self, text: str) -> str:
        """Return byte text in upper case, in which reports print incorrect words."""
        return text.upper() if text.isascii() else byte_text(to_bytes(text).upper())

    def shape(self, data: bytes) -> bytes:
        """Return data of equal length in which each byte below 0x80 is a whole character.

        If a byte below 0x80 is part of a longer character, another byte replaces it. Readers search
        the result for blanks, braces, slashes and semicolons. The result is `data` itself if
        nothing has to be replaced, for example in all single-byte encodings.
        """
        return data

    def first_bad(self, data: bytes, *, lengths_only: bool = False) -> BadCharacter | None:
        """Return the first invalid bytes in a text of lines, or None.

        Most encodings have no invalid bytes.
        """
        return None

    def split(self, text: str) -> list[str]:
        """Split byte text into characters."""
        return list(text)

    def length(self, text: str) -> int:
        """Return the number of characters of byte text.

        Characters that `split` joins count separately.
        """
        return len(text)

    def is_ascii(self, character: str) -> bool:
        """Return True if `-c NOASCII` keeps the character together with its neighbours."""
        return True


def standard_input() -> bytes:
    """Read standard input; raise `InputError` if it is closed or unreadable."""
    if sys.stdin is None:
        raise InputError("<stdin>", None, None, "expected input, found it closed")
    try:
        return sys.stdin.buffer.read()
    except OSError as problem:
        raise InputError("<stdin>", None, None, f"cannot be read: {reason_of(problem)}") from None
