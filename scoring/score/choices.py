"""Utterances that offer alternatives or optional words: aligned singly, by sclite's costs."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from scoring.alignment.numbered import Branch, Side, WordType
from scoring.alignment.sides import align_sides
from scoring.alignment.word_costs import WordCosts
from scoring.model.counts import Alignment

if TYPE_CHECKING:
    from formats.schema.words import Alternation, Token

NULL = "@"
Parts = Sequence["Token | Alternation"]


def align_choices(
    reference: Parts, hypothesis: Parts, fold: Callable[[str], str], forgive_optional: bool
) -> Alignment:
    """Align two sequences of words and alternatives; the alignment has the alternatives it took.

    >>> from formats.schema.words import Alternation, Token
    >>> either = Alternation([[Token("grey")], [Token("gray")]])
    >>> align_choices([either], [Token("gray")], str.casefold, False).reference
    ('gray',)
    """
    words = _Words(fold, forgive_optional)
    left, right = words.side(reference), words.side(hypothesis)
    edits = align_sides(left, right, WordCosts(words.types))
    return Alignment(edits.edits, words.texts(left), words.texts(right), 0.0)


class _Words:
    """Numbers words and writes sides in these numbers."""

    def __init__(self, fold: Callable[[str], str], forgive_optional: bool) -> None:
        self.types: list[WordType] = []
        self._numbers: dict[tuple[str, bool, bool], int] = {}
        self._fold = fold
        self._forgive_optional = forgive_optional

    def side(self, parts: Parts) -> Side:
        """One utterance; its branches hold positions in the column of words."""
        types = array("i")
        items = [self._item(part, types) for part in parts]
        graphs: dict[int, Branch] = (
            {0: tuple(items)} if any(not isinstance(item, int) for item in items) else {}
        )
        return Side(types, array("q", [0]), array("q", [len(types)]), graphs)

    def texts(self, side: Side) -> tuple[str, ...]:
        """The words an alignment left of the utterance."""
        numbers = side.types[side.begins[0] : side.ends[0]]
        return tuple(self.types[number].text for number in numbers)

    def _item(self, part: Token | Alternation, types: array[int]) -> int | tuple[Branch, ...]:
        from formats.schema.words import Token

        if isinstance(part, Token):
            return self._add(part.text, part.optional and self._forgive_optional, False, types)
        if part.is_null:
            return self._add(NULL, False, True, types)
        return tuple(
            tuple(self._item(inner, types) for inner in branch)
            or (self._add(NULL, False, True, types),)
            for branch in part.branches
        )

    def _add(self, text: str, optional: bool, null: bool, types: array[int]) -> int:
        key = (text, optional, null)
        if key not in self._numbers:
            # no word read from a file can hold a NUL
            value = "\0" if null else self._fold(text)
            self._numbers[key] = len(self.types)
            self.types.append(WordType(text, (None, None), value, null, optional, False))
        types.append(self._numbers[key])
        return len(types) - 1
