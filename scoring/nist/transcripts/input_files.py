"""Reading of the bytes of an input file, with warnings about irregular bytes.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

import os

from formats.schema import NamedTuple
from scoring.model.errors import InputError, OriginalError
from scoring.nist.transcripts.characters import byte_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.model.aliases import Say

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
