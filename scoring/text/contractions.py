"""Contractions and their expansions."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import ClassVar, NamedTuple

from scoring.text.language_tables import languages, table_digest, table_rows
from scoring.text.punctuation import fold_apostrophes
from scoring.text.readings import WordReadingsStep

ANY = "*"


class _Table(NamedTuple):
    words: dict[str, tuple[str, ...]]
    endings: tuple[tuple[str, tuple[str, ...]], ...]


@cache
def _table(lang: str) -> _Table:
    words, endings = {}, []
    for contraction, *readings in table_rows("contractions", lang):
        if contraction.startswith(ANY):
            endings.append((contraction[len(ANY) :], tuple(readings)))
        else:
            words[contraction] = tuple(readings)
    return _Table(words, tuple(endings))


@dataclass(frozen=True, slots=True, repr=False)
class Contractions(WordReadingsStep):
    """Replace a contraction by a choice between the contraction and its expansions.

    >>> Contractions()("Don't say anne's gone")
    "{ Don't / Do not } say { anne's / anne is / anne has } gone"
    """

    name = "contractions"
    origin_of_readings = "contraction"
    choices: ClassVar = {"lang": languages("contractions")}
    lang: str = "en"

    def table(self) -> str:
        """Return a hash of the table of contractions."""
        return table_digest("contractions", self.lang)

    def readings(self, word: str) -> tuple[str, ...]:
        """Return the word and its expansions; empty if the word is not a contraction."""
        table = _table(self.lang)
        plain = fold_apostrophes(word).replace("’", "'")
        folded = plain.casefold()
        meanings = table.words.get(folded)
        if meanings is not None:
            return (word, *(_in_case(reading, plain) for reading in meanings))
        for ending, readings in table.endings:
            if folded.endswith(ending) and len(folded) > len(ending):
                stem = plain[: len(plain) - len(ending)]
                return (word, *(reading.replace(ANY, stem) for reading in readings))
        return ()


def _in_case(reading: str, like: str) -> str:
    """Return a reading in the case of `like`: capitals, a capital first letter, or unchanged."""
    letters = [character for character in like if character.isalpha()]
    if len(letters) > 1 and all(map(str.isupper, letters)):
        return reading.upper()
    return reading[0].upper() + reading[1:] if letters and letters[0].isupper() else reading
