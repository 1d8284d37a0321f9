"""Written forms with their spoken readings: numbers, dates, money, units, abbreviations."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from typing import ClassVar

from formats.schema.words import Alternation, Item, Token, plain_token
from scoring.text.csv_dialects import read_file
from scoring.text.language_tables import spoken_languages, table_digest
from scoring.text.readings import FormsInWords, PlacesStep, WrittenForm
from scoring.text.spoken.pieces import CutWords
from scoring.text.spoken.places import CLASSES, FormFinder, finder_of
from scoring.text.spoken.table import SpokenTable, TableRows, table_of
from scoring.text.step import FileName, Step, put


@dataclass(frozen=True, slots=True, repr=False)
class _FormsStep(PlacesStep):
    """Base of the steps that read written forms with a language's table."""

    choices: ClassVar = {"lang": spoken_languages()}
    lang: str = "en"

    def table(self) -> str:
        """Return a hash of the language's table and of the versions of libraries."""
        return _digest(self.lang)

    @property
    def script(self) -> str:
        """The script that the language uses."""
        return next(iter(self._table().values("script")), "")

    def items(self, words: Sequence[str]) -> list[Item]:
        """Return the words, with alternatives for written forms."""
        table = self._table()
        if table.pieces is not None:
            return CutWords(words, self._finder(), table).items()
        return self.items_of(words, self._finder().places(words))

    @property
    def has_blanks(self) -> bool:
        """True if blanks separate the words of the language."""
        return self._table().pieces is None

    @property
    def finder(self) -> FormsInWords:
        """The finder of written forms in windows of words."""
        return self._finder()

    def places(self, words: Sequence[str]) -> Iterator[WrittenForm]:
        """Yield the written forms in a text, from left to right."""
        return self._finder().places(words)

    def items_of(self, words: Sequence[str], places: Iterable[WrittenForm]) -> list[Item]:
        """Return the words, with alternatives at the given places."""
        items: list[Item] = []
        at = 0
        for place in places:
            items += map(Token, words[at : place.begin])
            at = place.begin + place.size
            items.append(alternation_of(tuple(words[place.begin : at]), place.readings, place.kind))
        return [*items, *map(Token, words[at:])]

    def concerns(self, word: str) -> bool:
        """Return True if a written form may begin with the word."""
        return self._finder().concerns(word)

    def _table(self) -> SpokenTable:
        return table_of(self.lang)

    def _finder(self) -> FormFinder:
        raise NotImplementedError


@dataclass(frozen=True, slots=True, repr=False)
class SpokenForms(_FormsStep):
    """Replace a written form by a choice between the form and its readings, and keep spoken text.

    The step sees the original text before all other steps; the other steps then process the added
    readings.

    Parameters
    ----------
    lang
        The language of the table.
    classes
        The classes of written forms: by default all except names; `numbers` for plain numbers.
    rows
        A CSV file whose rows precede those of the language. With a row `rbnf`, it replaces the
        whole table.

    >>> SpokenForms(classes=("percent",))("some 20% more")
    'some { 20% / twenty percent / twenty per cent } more'
    """

    name = "spoken-forms"
    reads_written = True
    choices: ClassVar = {**_FormsStep.choices, "classes": ("numbers", *CLASSES)}
    classes: tuple[str, ...] = ()
    rows: FileName | None = field(default=None, compare=False)
    _rows: TableRows = field(init=False)

    def __post_init__(self) -> None:
        Step.__post_init__(self)
        rows = () if self.rows is None else read_file(os.fspath(self.rows))
        put(self, _rows=tuple(map(tuple, rows)))
        if rows:
            table_of(self.lang, self._rows)

    def arguments(self) -> dict[str, object]:
        """Return the arguments of the step, with the rows that come from a file."""
        values: dict[str, object] = {"lang": self.lang, "classes": self.classes}
        return {**values, "rows": tuple(map(",".join, self._rows))} if self._rows else values

    def _table(self) -> SpokenTable:
        return table_of(self.lang, self._rows)

    def _finder(self) -> FormFinder:
        return finder_of(self.lang, self.classes, "", self._rows)


@dataclass(frozen=True, slots=True, repr=False)
class Numbers(_FormsStep):
    """Replace a plain number by a choice between the number and its readings in words.

    The classes are those of `numbers` in `SpokenForms`. The step processes the output of earlier
    steps. Both `fifty` and `50` match `50`. Number words stay words. They are never joined to a
    number that nobody said.

    >>> Numbers()("all 36")
    'all { 36 / thirty six / three six / thirty-six }'
    """

    name = "numbers"
    version = 2

    def _finder(self) -> FormFinder:
        return finder_of(self.lang, ("numbers",), "number")


@lru_cache(1 << 15)
def alternation_of(written: Sequence[str], readings: Sequence[str], kind: str) -> Alternation:
    """Return a choice between a written form and its readings. Equal choices are one object."""
    branches = [map(plain_token, written), *(map(plain_token, text.split()) for text in readings)]
    return Alternation(branches, kind, is_written=True)


@cache
def _digest(lang: str) -> str:
    """Return a hash of a language's table and of the library with the names of numbers."""
    from hashlib import sha256
    from importlib.metadata import version

    text = f"{table_digest('spoken', lang)} unicode-rbnf {version('unicode-rbnf')}"
    return sha256(text.encode("ascii")).hexdigest()
