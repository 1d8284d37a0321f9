"""asclite's reader of a line's words and alternatives, as in `{ a / b c / @ }`."""

from __future__ import annotations

import re
from collections.abc import Callable

from scoring.nist.asclite.network_words import NetworkWord, link

_SPECIAL = re.compile("([{}/@])")
_BLANKS = re.compile("[ \t\r\n]+")
DEEPEST = 200

# Makes the word of a text; the other two numbers are its place and how many stand beside it.
Maker = Callable[[str, int, int], NetworkWord]


class BracesError(ValueError):
    """Raised for an opening brace for which asclite finds no closing brace."""


class AlternationPiece:
    """A part of a line: the words with which it may begin or end.

    `empty` is True if a path may skip the part.
    """

    def __init__(self, *words: NetworkWord) -> None:
        self.starts = [*words]
        self.ends = [*words]
        self.empty = False


def read(text: str, make: Maker) -> tuple[AlternationPiece, int]:
    """Parse a text into linked words.

    Returns the whole text as a piece, and how many words and marks an unclosed brace loses. Blanks
    around braces, slashes and `@` are optional. A slash outside of braces also separates
    alternatives.
    """
    pieces = [piece for piece in _BLANKS.split(_SPECIAL.sub(r" \1 ", text)) if piece]
    reader = _AlternationReader(make)
    return reader.alternatives(pieces, 0), reader.lost


class _AlternationReader:
    def __init__(self, make: Maker) -> None:
        self._make = make
        self.lost = 0

    def alternatives(self, pieces: list[str], depth: int) -> AlternationPiece:
        """Parse the alternatives after an opening brace; slashes separate them."""
        if depth > DEEPEST:
            raise BracesError(f"alternations nest more than {DEEPEST} deep")
        branches: list[list[str]] = [[]]
        level = 0
        for piece in pieces:
            level += (piece == "{") - (piece == "}")
            if piece == "/" and level == 0:
                branches.append([])
            else:
                branches[-1].append(piece)
        if len(branches) == 1:
            return self._sequence(branches[0], depth)
        whole = AlternationPiece()
        for branch in branches:
            one = self.alternatives(branch, depth + 1)
            whole.starts += one.starts
            whole.ends += one.ends
            whole.empty |= one.empty
        return whole

    def _sequence(self, pieces: list[str], depth: int) -> AlternationPiece:
        items = self._items(pieces) or [[""]]
        whole = AlternationPiece()
        before: AlternationPiece | None = None
        beginning = True
        for index, item in enumerate(items):
            if len(item) > 1:
                if item == pieces:
                    raise BracesError("found braces that do not match")
                piece = self.alternatives(item, depth + 1)
                whole.empty |= piece.empty and len(items) == 1
            elif item and item[0] not in ("", "@"):
                word = self._make(item[0], index, len(items))
                piece = AlternationPiece(word)
            elif len(items) > 1:
                continue
            else:
                whole.empty = True
                piece = AlternationPiece()
            if before is not None:
                link(before.ends, piece.starts)
            if beginning:
                whole.starts += piece.starts
            if not piece.empty:
                beginning = False
                whole.ends.clear()
            whole.ends += piece.ends
            if piece.empty and before is not None:
                before.ends += piece.ends
            else:
                before = piece
        return whole

    def _items(self, pieces: list[str]) -> list[list[str]]:
        """Return the items of a text.

        An item is a list with one word, or with the pieces inside outer braces.
        """
        items: list[list[str]] = []
        current: list[str] = []
        level = 0
        for piece in pieces:
            level += (piece == "{") - (piece == "}")
            if piece == "{" and level == 1:
                continue
            if piece != "}" or level != 0:
                current.append(piece)
                if level != 0:
                    continue
            items.append(current)
            current = []
        self.lost += len(current)
        return items
