"""Split words into pieces, such as characters."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from scoring.alignment.numbered import NULL, NumberedSide, WordType
from scoring.model.errors import InputError, OriginalError
from scoring.nist.segmentation.word_graph import Arc, WordPieces
from scoring.text.alternations import Alternations, MarkupError

if TYPE_CHECKING:
    from scoring.alignment.numbered import NumberedItem
    from scoring.nist.transcripts.character_units import CharacterUnits


class Splitter:
    """Splits words into pieces; each distinct word is split only once."""

    def __init__(self, units: CharacterUnits) -> None:
        self.units = units
        self._pieces: dict[WordType, WordPieces | None] = {}

    def pieces(self, word: WordType) -> WordPieces | None:
        """Return the pieces of a word, or None if the word stays whole; see `pieces_of`."""
        if word not in self._pieces:
            self._pieces[word] = pieces_of(word, self.units.split, self.units.shape)
        return self._pieces[word]

    def pieces_at(self, side: NumberedSide, utterance: int, arc: Arc) -> WordPieces | None:
        """Return the pieces of the word at an arc, or None if the word stays whole."""
        try:
            return self.pieces(arc.word)
        except MarkupError as error:
            problem = f"the word {arc.word.text!r} cannot be split: {error.problem}"
            if side.place is None or arc.position is None:
                raise OriginalError(f"sclite: {problem}\n") from None
            location = side.place(utterance, arc.position, arc.word.text)
            raise InputError(*location, problem) from None


def pieces_of(
    word: WordType,
    split: Callable[[str], Sequence[str]],  # gives the pieces of a text
    shape: Callable[[str], str] | None = None,
) -> WordPieces | None:
    """Return the pieces of a word, or None if the word stays whole.

    A word of one byte stays whole. A word with a single piece stays whole unless it is optional.
    Pieces have no tags and are not fragments. The pieces of an optional word are optional. As in
    sclite, an opening brace among the pieces (possible in ctm only) begins alternatives.

    >>> word = WordType("(ab)", ("tag", None), "ab", False, True, False)
    >>> [piece.text for piece in pieces_of(word, list).words]
    ['(a)', '(b)']
    """
    texts = texts_of(word, split)
    if texts is None:
        return None
    items: Sequence[NumberedItem] = range(len(texts))
    if any("{" in text for text in texts):
        items, texts = _alternatives(" ".join(texts), shape)
    return WordPieces([piece(text, word.optional) for text in texts], items)


def texts_of(word: WordType, split: Callable[[str], Sequence[str]]) -> Sequence[str] | None:
    """Return the texts of a word's pieces, or None if the word stays whole."""
    if len(word.text) < 2:
        return None
    texts = split(word.value)
    if len(texts) == 1 and texts[0] == word.text:
        return None
    if not texts and word.value:
        raise MarkupError(0, "nothing is left of it without its hyphens")
    return texts or None


def _alternatives(
    text: str, shape: Callable[[str], str] | None
) -> tuple[Sequence[NumberedItem], list[str]]:
    """Return the items of a text with alternatives, and the words to which the items refer."""
    texts: list[str] = []

    def add(token: str) -> int:
        texts.append(token)
        return len(texts) - 1

    reader = Alternations(add)
    items = reader.read(text, None if shape is None else shape(text))
    if reader.unclosed is not None:
        raise MarkupError(reader.unclosed, "expected a closing brace, found none")
    return items, texts


def piece(text: str, optional: bool) -> WordType:
    """Return one piece of a word as a word of its own."""
    value = text[:-1] if len(text) > 1 and text[-1] == "*" else text
    shown = f"({value})" if optional else value
    return WordType(shown, (None, None), value, shown == NULL, optional, False)
