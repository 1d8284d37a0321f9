"""Utterances that offer alternatives or optional words: aligned singly, by sclite's costs."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from itertools import pairwise
from operator import ne
from typing import TYPE_CHECKING

from scoring.alignment.numbered import Branch, Side, WordType
from scoring.alignment.sides import align_sides
from scoring.alignment.word_costs import WordCosts
from scoring.model.counts import Alignment, Edit

if TYPE_CHECKING:
    from formats.schema.words import Alternation, Token

NULL = "@"
Parts = Sequence["Token | Alternation"]


def align_choices(
    references: Sequence[Parts],
    hypotheses: Sequence[Parts],
    fold: Callable[[str], str],
    forgive_optional: bool,
) -> list[Alignment]:
    """Align sequences of words and alternatives; the alignments have the alternatives they took.

    Two sides with readings that are equal as written take the written forms. Otherwise sclite
    decides between equal paths.

    >>> from formats.schema.words import Alternation, Token
    >>> either = Alternation([[Token("grey")], [Token("gray")]])
    >>> align_choices([[either]], [[Token("gray")]], str.casefold, False)[0].reference
    ('gray',)
    """
    words = _Words(fold, forgive_optional)
    pairs = list(zip(references, hypotheses, strict=True))
    aligned = {row: _as_written(*pair, fold) for row, pair in enumerate(pairs)}
    others = [row for row, alignment in aligned.items() if alignment is None]
    left, right = (words.side(pairs[row][side] for row in others) for side in (0, 1))
    edits = align_sides(left, right, WordCosts(words.types))
    for place, (row, (begin, end)) in enumerate(zip(others, pairwise(edits.offsets), strict=True)):
        texts = words.texts(left, place), words.texts(right, place)
        aligned[row] = Alignment(edits.edits[begin:end], *texts, 0.0)
    return [alignment for alignment in aligned.values() if alignment is not None]


def _as_written(
    reference: Parts, hypothesis: Parts, fold: Callable[[str], str]
) -> Alignment | None:
    """The first of all alternatives if they are equal, as no other pair is better; else None.

    Only sides with readings of written forms; where a file has all alternatives, none is first.
    """
    if not _has_readings(reference) and not _has_readings(hypothesis):
        return None
    written = _first_path(reference), _first_path(hypothesis)
    if len(written[0]) != len(written[1]) or any(map(ne, *(map(fold, side) for side in written))):
        return None
    return Alignment(bytes([Edit.CORRECT]) * len(written[0]), *written, 0.0)


def _has_readings(parts: Parts) -> bool:
    """True if a part is a written form with readings."""
    from formats.schema.words import Alternation

    return any(isinstance(part, Alternation) and part.is_written for part in parts)


def _first_path(parts: Iterable[Token | Alternation]) -> tuple[str, ...]:
    """The words, of alternatives the first."""
    from formats.schema.words import Token

    words: list[str] = []
    for part in parts:
        if isinstance(part, Token):
            words.append(part.text)
        else:
            words += [token.text for token in part.first_branch()]
    return tuple(words)


class _Words:
    """Numbers words and writes sides in these numbers."""

    def __init__(self, fold: Callable[[str], str], forgive_optional: bool) -> None:
        self.types: list[WordType] = []
        self._numbers: dict[tuple[str, bool, bool], int] = {}
        self._plain: dict[str, int] = {}
        self._fold = fold
        self._forgive_optional = forgive_optional

    def side(self, utterances: Iterable[Parts]) -> Side:
        """One side; its branches hold positions in the column of words."""
        types, begins, ends = array("i"), array("q"), array("q")
        graphs: dict[int, Branch] = {}
        for row, parts in enumerate(utterances):
            begins.append(len(types))
            items = self._branch(parts, types)
            ends.append(len(types))
            if any(not isinstance(item, int) for item in items):
                graphs[row] = items
        return Side(types, begins, ends, graphs)

    def texts(self, side: Side, row: int) -> tuple[str, ...]:
        """The words an alignment left of an utterance."""
        numbers = side.types[side.begins[row] : side.ends[row]]
        return tuple([self.types[number].text for number in numbers])

    def _branch(self, parts: Parts, types: array[int]) -> Branch:
        """The positions of words one after the other, of alternatives those of each branch."""
        from formats.schema.words import Token

        items: list[int | tuple[Branch, ...]] = []
        for part in parts:
            if isinstance(part, Token):
                number = None if part.optional else self._plain.get(part.text)
                if number is None:
                    optional = part.optional and self._forgive_optional
                    items.append(self._add(part.text, optional, False, types))
                    continue
                items.append(len(types))
                types.append(number)
            elif part.is_null:
                items.append(self._add(NULL, False, True, types))
            else:
                branches = [
                    self._branch(branch, types) or (self._add(NULL, False, True, types),)
                    for branch in part.branches
                ]
                items.append(tuple(branches))
        return tuple(items)

    def _add(self, text: str, optional: bool, null: bool, types: array[int]) -> int:
        key = (text, optional, null)
        if key not in self._numbers:
            # no word read from a file can hold a NUL
            value = "\0" if null else self._fold(text)
            self._numbers[key] = len(self.types)
            self.types.append(WordType(text, (None, None), value, null, optional, False))
            if not null and not optional:
                self._plain[text] = self._numbers[key]
        types.append(self._numbers[key])
        return len(types) - 1
