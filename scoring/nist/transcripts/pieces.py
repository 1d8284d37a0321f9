"""Words for the alignment by diff: texts are split at blanks, and only first alternatives count."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from scoring.model.errors import OriginalError

if TYPE_CHECKING:
    from scoring.model.aliases import Say
    from scoring.nist.transcripts.characters import Characters

PIECE = re.compile(rb"[^ \t\n]+")
OPENING, CLOSING, BETWEEN = b"{", b"}", b"/"
NULL = b"@"


def pieces(text: bytes, characters: Characters) -> list[bytes]:
    r"""Split a text at blanks, tabs and newlines; all other white space is part of a piece.

    >>> from scoring.nist.transcripts.characters import Characters
    >>> pieces(b"{ a\t/ b;x\r\n", Characters())
    [b'{', b'a', b'/', b'b;x\r']
    """
    bad = characters.first_bad(text)
    if bad is not None:
        raise OriginalError(bad.text(text))
    shape = characters.shape(text)
    if shape is text:
        return PIECE.findall(text)
    return [text[match.start() : match.end()] for match in PIECE.finditer(shape)]


class FirstAlternatives:
    """Reads the words of reference texts; only the first of several alternatives is read.

    Here, as in sclite's option `-d`, a mark must be a separate piece: text attached to a brace is
    lost. Alternations do not nest, and an unclosed alternation ends with its text. Only the first
    alternation causes a warning.

    >>> from scoring.nist.transcripts.characters import Characters
    >>> reader = FirstAlternatives(Characters(), lambda text: None)
    >>> reader.words(b"pick { big / large blue } / box {one two")
    [b'pick', b'big', b'/', b'box', b'two']
    >>> reader.words(b"{ @ / um } well @")
    [b'well']
    """

    def __init__(self, characters: Characters, warn: Say) -> None:
        self._characters = characters
        self._warn = warn
        self._warned = False

    def words(self, text: bytes) -> list[bytes]:
        """Return the words of one text."""
        texts = pieces(text, self._characters)
        if OPENING not in text:
            return [piece for piece in texts if not piece.startswith(CLOSING) and piece != NULL]
        words: list[bytes] = []
        inside = first = False
        for piece in texts:
            mark = piece[:1]
            if mark == OPENING:
                if not self._warned:
                    self._warned = True
                    self._warn(
                        "Warning: Alternates in reference texts removed in favor of the first "
                        "alternate.\n"
                    )
                inside = first = True
                continue
            if mark == CLOSING:
                inside = False
                continue
            if mark == BETWEEN:
                first = False
            if (not inside or first) and piece != NULL:
                words.append(piece)
        return words
