"""Lines that go through Kaldi's detail scripts: UTF-8 if all of it is, else bytes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scoring.errors import InputError

BLANKS = " \t\n\v\f\r"


class StreamLine(NamedTuple):
    """A line that is not blank: its number from 1, and its fields, cut at ASCII blanks."""

    number: int
    fields: list[str]


class EncodedText(NamedTuple):
    r"""A text and how its characters are encoded.

    >>> EncodedText.of("x", b"u1 \xc3\xa4").text, EncodedText.of("x", b"u1 \xe4").encoding
    ('u1 ä', 'latin-1')
    """

    name: str
    text: str
    encoding: str

    @classmethod
    def of(cls, name: str, data: bytes) -> EncodedText:
        """Bytes as a text."""
        try:
            return cls(name, data.decode("utf-8"), "utf-8")
        except UnicodeDecodeError:
            return cls(name, data.decode("latin-1"), "latin-1")

    @classmethod
    def like(cls, other: EncodedText, name: str, data: bytes) -> EncodedText:
        """Bytes as a text to be compared with another; what is no UTF-8 there matches nothing."""
        return cls(name, data.decode(other.encoding, "surrogateescape"), other.encoding)

    def note(self) -> str:
        """How the text is taken, as Kaldi's scripts announce it."""
        what = "utf-8 text" if self.encoding == "utf-8" else "byte stream"
        return f"Note: handling as {what}"

    def lines(self) -> Iterator[StreamLine]:
        """The lines that are not blank."""
        for number, line in enumerate(self.text.split("\n"), 1):
            fields = fields_of(line)
            if fields:
                yield StreamLine(number, fields)

    def error(self, line: int, problem: str) -> InputError:
        """An error that says where."""
        return InputError(self.name, line, None, problem)


def fields_of(line: str) -> list[str]:
    r"""A line cut at ASCII blanks.

    >>> fields_of("utt1 ref  a\xa0b \r")
    ['utt1', 'ref', 'a\xa0b']
    """
    if line.isascii() and line.isprintable():
        return line.split()
    for blank in BLANKS[1:]:
        line = line.replace(blank, " ")
    return [field for field in line.split(" ") if field]
