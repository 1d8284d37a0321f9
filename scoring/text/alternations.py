"""Text with alternations, `{ a / b c / @ }`, as nested items.

An item is the position of a word, or a tuple of branches. A branch is a tuple of items. Texts are
parsed as in sclite: empty branches do not exist, and an opening brace without a closing brace drops
the rest of the text.
"""

from __future__ import annotations

from collections.abc import Callable

from scoring.model.errors import ScoringError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.alignment.numbered import Branch, NumberedItem

BLANKS = " \t\n\v\f\r"

DEEPEST = 200


class MarkupError(ScoringError):
    """Raised for braces on which sclite would crash. `offset` is the byte position in the text."""

    def __init__(self, offset: int, problem: str) -> None:
        super().__init__(offset, problem)
        self.offset = offset
        self.problem = problem

    def __str__(self) -> str:
        return self.problem


class Alternations:
    """Parses texts; `add` is called with each word and returns the word's position.

    `unclosed` is the offset of an unclosed opening brace in the last text, or None. The text after
    such a brace is dropped.

    >>> words = []
    >>> def add(word):
    ...     words.append(word)
    ...     return len(words) - 1
    >>> Alternations(add).read("a {b/{c d / e}} f")
    (0, ((1,), (((2, 3), (4,)),)), 5)
    >>> words
    ['a', 'b', 'c', 'd', 'e', 'f']
    """

    def __init__(self, add: Callable[[str], int]) -> None:
        self._add = add
        self._text = ""
        self.unclosed: int | None = None

    def read(self, text: str, shape: str | None = None) -> Branch:
        """Return the items of a text."""
        self.unclosed = None
        self._text = text
        return self._items(text if shape is None else shape, 0, len(text), 0)

    def _items(self, shape: str, position: int, end: int, depth: int) -> Branch:
        items: list[NumberedItem] = []
        while True:
            while position < end and shape[position] in BLANKS:
                position += 1
            if position == end:
                return tuple(items)
            begin = position
            if shape[position] == "{":
                position = _skipped(shape, position, end, "")
                if position < 0:
                    self.unclosed = begin
                    return tuple(items)
                items.append(self._branches(shape, begin, position, depth + 1))
                continue
            while position < end and shape[position] not in BLANKS:
                position += 1
            word = self._text[begin:position]
            if "{" in shape[begin:position].partition(";")[0]:
                raise MarkupError(
                    shape.index("{", begin), f"found a brace inside the word {word!r}"
                )
            items.append(self._add(word))

    def _branches(self, shape: str, begin: int, end: int, depth: int) -> tuple[Branch, ...]:
        if depth > DEEPEST:
            raise MarkupError(begin, f"alternations nest more than {DEEPEST} deep")
        last = shape.rindex("}", begin, end)
        branches: list[Branch] = []
        position = begin + 1
        while True:
            while position < last and (shape[position] in BLANKS or shape[position] == "/"):
                position += 1
            if position == last:
                break
            piece = position
            position = _skipped(shape, position, last, "/")
            branches.append(self._items(shape, piece, position, depth))
        if not branches:
            word = self._text[begin:end]
            raise MarkupError(begin, f"expected alternatives, found {word!r}")
        return tuple(branches)


def _skipped(shape: str, index: int, end: int, stop: str) -> int:
    """Return the position of the next `stop` character outside nested braces, or `end`.

    With an empty `stop`, return the position after the brace that closes the one at `index`. Return
    -1 if nothing closes it.
    """
    depth = 0
    for position in range(index, end):
        character = shape[position]
        if character == stop and depth == 0:
            return position
        depth += (character == "{") - (character == "}")
        if not stop and depth == 0:
            return position + 1
    return end if stop else -1
