"""Search for the lines with invalid characters at which sclite stops.

An invalid character in a comment is no error, because sclite skips comments.
"""

from __future__ import annotations

from collections.abc import Callable

from formats.schema import NamedTuple
from scoring.model.errors import OriginalError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from scoring.nist.transcripts.characters import Characters

# A line, with its newline, and the offset in it of bytes that are no character: does sclite look?
Looks: TypeAlias = Callable[[bytes, int], bool]

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

    >>> from scoring.nist.transcripts.alphabets import characters_of
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
