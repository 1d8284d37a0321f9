"""Steps that add alternative readings, from which the aligner chooses.

Rewriting chooses one reading, which may be wrong; an alternative `{ a / b }` accepts both readings.
A null word `@` is a reading without words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, Protocol

from formats.schema.words import Alternation, Item, Token
from scoring.model.counts import BY_PATH
from scoring.text.step import Step

# Bits of a word: whether it begins forms, ends forms, is in capitals. BEFORE is the shift of the
# number of its kind as a word before a form.
BEGINS, ENDS, UPPER, BEFORE = 1, 2, 4, 3
FIRST_SLOT = 0xE000
_SLOT = re.compile("([\ue000-\uf8ff])")


class WrittenForm(NamedTuple):
    """A written form: its class, the position and number of its words, and its readings."""

    kind: str
    begin: int
    size: int
    readings: tuple[str, ...]


def is_slot(word: str) -> bool:
    r"""Return True if a word of a `FormPattern` is a slot.

    >>> is_slot("\ue000"), is_slot("dollars")
    (True, False)
    """
    return _SLOT.fullmatch(word) is not None


class FormPattern:
    """The readings of written forms that differ only in an amount.

    `lines` has a line for each reading. A character from FIRST_SLOT on is a slot for a name of the
    amount; slots are numbered from 0.
    """

    __slots__ = ("_pieces", "_slots", "begin", "has_whole_words", "kind", "lines", "size")

    def __init__(self, kind: str, begin: int, size: int, lines: str) -> None:
        self.kind, self.begin, self.size, self.lines = kind, begin, size, lines
        self._pieces = _SLOT.split(lines)
        self._slots = [ord(slot) - FIRST_SLOT for slot in self._pieces[1::2]]
        words = (word for word in lines.split() if len(word) > 1)
        # a blank or the end of a line separates each slot from other texts
        self.has_whole_words = not any(map(_SLOT.search, words))

    def fill(self, names: str) -> WrittenForm:
        """Return the written form with names in the slots; `names` has a line for each slot."""
        pieces, names_of_slots = [*self._pieces], names.split("\n")
        pieces[1::2] = map(names_of_slots.__getitem__, self._slots)
        return WrittenForm(self.kind, self.begin, self.size, tuple("".join(pieces).split("\n")))


class PatternedForm(NamedTuple):
    """A written form as a pattern of readings, and the names in its slots, a line each."""

    pattern: FormPattern
    names: str

    def written_form(self) -> WrittenForm:
        """Return the form with its readings."""
        return self.pattern.fill(self.names)


class FormsInWords(Protocol):
    """Finds written forms in windows of words."""

    longest: int
    """The number of words of the longest window."""

    def bits(self, words: Sequence[str]) -> bytes:
        """Return properties of words as bits, one byte per word.

        BEGINS: a form may begin with the word; ENDS: every form ends before the word; UPPER: the
        word is in capitals. The bits from BEFORE on are the kind of the word if it precedes a form.
        """
        ...

    def place_in(
        self, before: str, words: Sequence[str], capitals: bool, is_closed: bool
    ) -> WrittenForm | PatternedForm | None:
        """Return the written form that begins at the first of `words`; None if there is none.

        `before` is the kind of the preceding word. `capitals` is true if the text is in capitals.
        `is_closed` is true if no form can extend beyond `words`, because of the next word or its
        distance.
        """
        ...


@dataclass(frozen=True, slots=True, repr=False)
class ReadingsStep(Step):
    """Base of steps that turn words into alternatives.

    Calling a step with a text returns the notation of NIST's files: `{ don't / do not }`.
    """

    counted: ClassVar[bool] = False  # whether people want to know how many words were concerned
    origin_of_readings: ClassVar[str] = ""  # as lists of what is forgiven call it; empty: the name

    @property
    def leaves_open(self) -> bool:
        """True if the step may create alternatives."""
        return True

    @property
    def has_places(self) -> bool:
        """True if a place with readings counts as its written words (`scoring.results.places`).

        If false, the place counts as the words on the chosen path.
        """
        return self.leaves_open and self.origin_of_readings not in BY_PATH

    def __call__(self, text: str) -> str:
        """Return the text with its alternatives in NIST's notation."""
        return written(self.items(text.split()))

    def items(self, words: Sequence[str]) -> list[Item]:
        """Return the words, with alternatives at the places to which the step applies."""
        raise NotImplementedError

    def touches(self, words: Sequence[str]) -> bool:
        """Return True if `items` would change the words."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, repr=False)
class ScreenedReadingsStep(ReadingsStep):
    """Base of steps that change a text only if it has a word that concerns them."""

    def concerns(self, word: str) -> bool:
        """Return True if a text with this word may be changed."""
        raise NotImplementedError

    def touches(self, words: Sequence[str]) -> bool:
        """Return True if the step concerns any of the words."""
        return any(map(self.concerns, words))


@dataclass(frozen=True, slots=True, repr=False)
class PlacesStep(ScreenedReadingsStep):
    """Base of steps that find written forms, which may have several words, with their readings."""

    @property
    def has_blanks(self) -> bool:
        """True if blanks separate the words of the language."""
        return True

    @property
    def finder(self) -> FormsInWords:
        """The finder of written forms in windows of words."""
        raise NotImplementedError

    def places(self, words: Sequence[str]) -> Iterator[WrittenForm]:
        """Yield the written forms in a text, from left to right."""
        raise NotImplementedError

    def items_of(self, words: Sequence[str], places: Iterable[WrittenForm]) -> list[Item]:
        """Return the words, with alternatives at the given places."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True, repr=False)
class WordReadingsStep(ScreenedReadingsStep):
    """Base of steps that process each word alone."""

    word_by_word = True

    def concerns(self, word: str) -> bool:
        """Return True if the word has readings."""
        return bool(self.readings(word))

    def readings(self, word: str) -> Sequence[str]:
        """Return the readings of a word, the preferred one first.

        The result is empty if the word is unchanged.
        """
        raise NotImplementedError

    def items(self, words: Sequence[str]) -> list[Item]:
        """Return the words, with alternatives for words that have readings."""
        items: list[Item] = []
        for word in words:
            readings = self.readings(word)
            if not readings:
                items.append(Token(word))
            elif tuple(readings) != ("",):
                items.append(alternation(readings))
        return items


def alternation(readings: Iterable[str]) -> Alternation:
    """Return a choice between texts. An empty text becomes the null word."""
    return Alternation([map(Token, reading.split()) for reading in readings])


def written(items: Iterable[Item]) -> str:
    """Return words and alternatives in the notation of NIST's files.

    >>> written([Token("so"), alternation(["uh", ""])])
    'so { uh / @ }'
    """
    texts = []
    for item in items:
        if isinstance(item, Token):
            texts.append(item.text)
        elif item.is_null:
            texts.append("@")
        else:
            branches = " / ".join(written(branch) or "@" for branch in item.branches)
            texts.append(f"{{ {branches} }}")
    return " ".join(texts)
