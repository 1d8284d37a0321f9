"""Bytes, characters and their case.

sclite works in the C locale: text is bytes, and the only letters that have a case are those an
encoding's own table names. Text is *byte text*: `str` with one character per byte (Latin-1).
"""

from __future__ import annotations

ENCODINGS = ("ascii", "ext_ascii", "gb", "euc", "utf-8")
LOCALIZATIONS = (
    "generic",
    "babel_turkish",
    "babel_vietnamese",
    "babel_lithuanian",
    "babel_kurmanji",
    "babel_cebuano",
    "babel_kazakh",
    "babel_mongolian",
    "babel_guarani",
    "ukrainian",
)
BLANKS = " \t\n\v\f\r"


def byte_text(data: bytes) -> str:
    """Bytes as a string of one character per byte."""
    return data.decode("latin-1")


def to_bytes(text: str) -> bytes:
    """Byte text as bytes.

    Raises
    ------
    UnicodeEncodeError
        If the text is not byte text.
    """
    return text.encode("latin-1")


class Characters:
    r"""ASCII, sclite's default encoding: one byte a character, A-Z the only capitals.

    Parameters
    ----------
    case_sensitive
        Option `-s`: `fold` leaves everything as it is.

    Examples
    --------
    >>> Characters().fold(b"\xc9T\xe9").hex()
    'c974e9'
    >>> Characters(case_sensitive=True).fold(b"A")
    b'A'
    """

    def __init__(self, case_sensitive: bool = False) -> None:
        self.case_sensitive = case_sensitive

    def fold(self, data: bytes) -> bytes:
        """Lower case, unless case matters. The length stays the same."""
        return data if self.case_sensitive else data.lower()

    def upper(self, text: str) -> str:
        """Upper case of byte text, as reports show words in error."""
        return text.upper() if text.isascii() else byte_text(to_bytes(text).upper())
