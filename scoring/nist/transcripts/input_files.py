"""Bytes of an input file: encodings, irregular and invalid bytes, definitions of labels.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

import os

from formats.schema import NamedTuple
from scoring.alignment.system import LabelDefinition
from scoring.model.errors import InputError, OriginalError
from scoring.nist.transcripts.characters import Characters, byte_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    from scoring.model.aliases import Say
    from scoring.nist.transcripts.characters import Characters

SINGLE_MARK = {
    b";": (";;", "comment"),
    b"*": ("**", "comment info"),
}


class TranscriptFile(NamedTuple):
    """An input file: its path, its format, and its title in reports (byte text)."""

    path: str
    format: str
    title: str

    @property
    def name(self) -> str:
        """The path as byte text, for messages and reports."""
        return byte_text(os.fsencode(self.path))


def read_file(source: TranscriptFile, kind: str) -> bytes:
    """Return the bytes of an input file; messages call it a `kind` file."""
    try:
        with open(source.path, "rb") as file:
            return file.read()
    except IsADirectoryError:
        raise InputError(source.name, None, None, "expected a file, found a directory") from None
    except OSError as problem:
        if isinstance(problem, PermissionError | FileNotFoundError):
            raise OriginalError(f"Can't open input {kind} file {source.name}\n") from None
        raise InputError(source.name, None, None, f"cannot be read: {problem.strerror}") from None
    except MemoryError:
        raise InputError(source.name, None, None, "does not fit into memory") from None


def remark(name: str, problem: str, line: int | None = None, column: int | None = None) -> str:
    r"""Return one of our own warnings, which NIST's programs do not print.

    >>> remark("ref.trn", "found a NUL byte", 3)
    'sclite: warning: ref.trn:3: found a NUL byte\n'
    """
    place = ":".join(str(part) for part in (name, line, column) if part)
    return f"sclite: warning: {place}: {problem}\n"


class Oddity(str):
    """A warning about harmless input: sclite neither loses data nor crashes.

    Commands print it only if all warnings are enabled, because scripts may compare their standard
    error with that of sclite.
    """

    __slots__ = ()


def line_at(data: bytes, offset: int) -> int:
    """Return the number, from 1, of the line that contains byte `offset`."""
    return data.count(b"\n", 0, offset) + 1


def whole_line(data: bytes, offset: int) -> bytes:
    """Return the line that begins at `offset`, including its newline."""
    end = data.find(b"\n", offset)
    return data[offset:] if end < 0 else data[offset : end + 1]


def same_line(data: bytes, offset: int, other: bytes) -> bytes:
    r"""Find the line of `data` that contains byte `offset`; return the same line of `other`.

    >>> same_line(b"ab\nc\n", 3, b"a\nC\n")
    b'C\n'
    """
    if data is other:
        return whole_line(other, offset)
    begin = 0
    for _ in range(data.count(b"\n", 0, offset)):
        begin = other.index(b"\n", begin) + 1
    return whole_line(other, begin)


def single_mark_warning(line: bytes) -> str:
    """Return sclite's warning about a line that begins with a single `;` or `*`."""
    wanted, name = SINGLE_MARK[line[:1]]
    return (
        f"Warning: The comment designation is now {wanted}, the line below\n"
        f"         has only one {name} character, this may be an error\n"
        f"         {byte_text(line.split(bytes(1))[0])}\n"
    )


def warn_of_odd_bytes(name: str, data: bytes, warn: Say) -> None:
    """Warn about an empty file, a byte order mark and NUL bytes; sclite does not warn."""
    if not data:
        warn(Oddity(remark(name, "the file is empty")))
    if data.startswith(b"\xef\xbb\xbf"):
        warn(remark(name, "a byte order mark is read as part of the first field", 1, 1))
    nul = data.find(b"\0")
    if nul >= 0:
        count = data.count(b"\0")
        column = nul - data.rfind(b"\n", 0, nul)
        problem = f"found a NUL byte, the rest of the line is not read ({count} in the file)"
        warn(remark(name, problem, line_at(data, nul), column))


# A line, with its newline, and the offset in it of bytes that are no character: does sclite look?
Looks: TypeAlias = "Callable[[bytes, int], bool]"

_DEFINITIONS = (b";; LABEL ", b";; CATEGORY ")


class Refusal(NamedTuple):
    """A rejected line, given by its offset, and the error with which it ends the run."""

    line: int
    error: OriginalError


def first_refusal(
    data: bytes,
    characters: Characters,
    looks: Looks,
    *,
    lengths_only: bool = False,  # it looks at the lengths of characters only
    quotes_newline: bool = True,  # what it quotes ends with the newline of the line
) -> Refusal | None:
    r"""Return the first line of a file with an invalid character at which sclite stops, or None.

    `looks(line, offset)` is True if sclite examines this byte of the line.

    >>> from scoring.nist.transcripts.input_files import characters_of
    >>> data = b"** a comment \xff\nnot a \xff comment\n"
    >>> found = first_refusal(data, characters_of("utf-8"), lambda line, _: line[:2] != b"**")
    >>> found.line
    15
    """
    begin = 0
    while (bad := characters.first_bad(data[begin:], lengths_only=lengths_only)) is not None:
        line = data.rfind(b"\n", 0, begin + bad.offset) + 1
        end = data.find(b"\n", begin + bad.offset) + 1 or len(data)
        text = data[line:end]
        offset = begin + bad.offset - line
        if b"\0" not in text[:offset] and looks(text, offset):
            quoted = text if quotes_newline else text.removesuffix(b"\n")
            return Refusal(line, OriginalError(bad._replace(offset=offset).text(quoted)))
        begin = end
    return None


def defines(line: bytes, offset: int) -> bool:
    """Return True if sclite reads this byte when it looks for `;; LABEL` or `;; CATEGORY`."""
    if line[offset] in (0xFC, 0xFD):
        return False
    return any(
        offset < len(beginning) and beginning.startswith(line[:offset])
        for beginning in _DEFINITIONS
    )


LINE = rb'^;; (LABEL|CATEGORY) [^"\n\0]*"([^"\n\0]*)"[^"\n\0]*"([^"\n\0]*)"[^"\n\0]*"([^"\n\0]*)"'


class Definitions:
    """Labels and categories in order of definition, without duplicates.

    sclite's table of categories has 10 entries and doubles when it is full. `expansions` is the
    number of doublings so far; at each, sclite prints `Expanding` to standard output.
    """

    def __init__(self, warn: Say) -> None:
        self._warn = warn
        self.labels: list[LabelDefinition] = []
        self.categories: list[LabelDefinition] = []
        self.expansions = 0
        self._room = 10

    def read(
        self, data: bytes, *, terminated_only: bool = False, warn_of_single_marks: bool = False
    ) -> None:
        """Add the definitions of one file."""
        if b";" not in data:
            return
        import re  # few files have marks

        if terminated_only:
            data = data[: data.rfind(b"\n") + 1]
        if warn_of_single_marks:
            for line in re.finditer(rb"^;(?!;)", data, re.MULTILINE):
                self._warn(single_mark_warning(whole_line(data, line.start())))
        for kind, *fields in re.findall(LINE, data, re.MULTILINE):
            definition = LabelDefinition(*map(byte_text, fields))
            definitions = self.labels if kind == b"LABEL" else self.categories
            if kind == b"CATEGORY" and len(definitions) == self._room:
                self.expansions += 1
                self._room *= 2
            if definition not in definitions:
                definitions.append(definition)


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


def characters_of(
    encoding: str = "ascii", localization: str = "generic", *, case_sensitive: bool = False
) -> Characters:
    """Return the character set that option `-e` selects.

    >>> characters_of("ext_ascii").fold(bytes([0xC9])).hex()
    'e9'
    """
    if encoding not in ENCODINGS:
        raise ValueError(f"expected an encoding of {', '.join(ENCODINGS)}, found {encoding!r}")
    if localization not in LOCALIZATIONS:
        raise ValueError(
            f"expected a localization of {', '.join(LOCALIZATIONS)}, found {localization!r}"
        )
    if encoding == "ascii":
        return Characters(case_sensitive)
    from scoring.nist.transcripts.encodings import ExtendedAscii, TwoByte, Utf8

    if encoding == "utf-8":
        return Utf8(localization, case_sensitive)
    return (ExtendedAscii if encoding == "ext_ascii" else TwoByte)(case_sensitive)
