"""Fillers such as `uh`, and fragments of words."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import ClassVar

from scoring.text.csv_dialects import read_file
from scoring.text.language_tables import languages, table_digest, table_rows
from scoring.text.punctuation import HYPHENS
from scoring.text.readings import WordReadingsStep
from scoring.text.step import FileName, Step, put

POLICIES = ("score", "optional", "ignore")


@dataclass(frozen=True, slots=True, repr=False)
class _ByPolicy(WordReadingsStep):
    """Base of steps that score certain words, make them optional, or drop them, by a policy."""

    counted = True
    removes = True
    choices: ClassVar = {"policy": POLICIES}
    policy: str = "optional"

    @property
    def leaves_open(self) -> bool:
        """True if the policy makes the words optional."""
        return self.policy == "optional"

    def readings(self, word: str) -> tuple[str, ...]:
        """Return the readings of a word to which the policy applies; empty for all other words.

        An optional word has two readings, the word and an empty text. A dropped word has an empty
        text.
        """
        if self.policy == "score" or not self.concerns(word):
            return ()
        return (word, "") if self.policy == "optional" else ("",)


@dataclass(frozen=True, slots=True, repr=False)
class Fillers(_ByPolicy):
    """Handle hesitations and similar words that a table lists.

    Parameters
    ----------
    policy
        `score`: fillers are scored like other words. `optional`: fillers on either side may be
        missing at no cost; fillers on both sides are compared. `ignore`: fillers are dropped.
    lang
        The language of the fillers.
    words
        A CSV file of fillers, one per row, which replaces the table.

    >>> Fillers("ignore")("so uh I mean Um, yes"), Fillers("optional")("so uh")
    ('so I mean Um, yes', 'so { uh / @ }')
    """

    name = "fillers"
    origin_of_readings = "filler"
    choices: ClassVar = {"policy": POLICIES, "lang": languages("fillers")}
    lang: str = "en"
    words: FileName | None = field(default=None, compare=False)
    _table: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        Step.__post_init__(self)
        rows = (
            table_rows("fillers", self.lang)
            if self.words is None
            else read_file(os.fspath(self.words))
        )
        put(self, _table=frozenset(row[0].casefold() for row in rows))

    def arguments(self) -> dict[str, object]:
        """Return the arguments of the step, with the fillers that come from a file."""
        values: dict[str, object] = {"policy": self.policy, "lang": self.lang}
        return values if self.words is None else {**values, "words": tuple(sorted(self._table))}

    def table(self) -> str | None:
        """Return a hash of the table of fillers."""
        return table_digest("fillers", self.lang) if self.words is None else None

    def concerns(self, word: str) -> bool:
        """Return True if a word is a filler, in any case."""
        return word in self._table or word.casefold() in self._table


@dataclass(frozen=True, slots=True, repr=False)
class Fragments(_ByPolicy):
    """Handle word fragments, which begin or end with a hyphen.

    Parameters
    ----------
    policy
        As in `Fillers`.

    >>> Fragments("ignore")("th- the wo- -ld - end")
    'the - end'
    """

    name = "fragments"
    origin_of_readings = "fragment"

    def concerns(self, word: str) -> bool:
        """Return True if a word of at least two characters begins or ends with a hyphen."""
        return len(word) > 1 and (word[0] in HYPHENS) != (word[-1] in HYPHENS)
