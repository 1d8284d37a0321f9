"""Texts parsed like in sclite: alternatives in braces, null words, tags, escapes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from formats.schema.words import Alternation, Item, Token
from scoring.alignment.numbered import NULL, word_type
from scoring.text.alternations import Alternations, MarkupError
from scoring.text.readings import ReadingsStep

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.alignment.numbered import Branch


_MARKS = re.compile(r"[{};@*\\]")
# A word whose text is empty, as of `;tag`: all of them are equal, and no text has a backslash.
EMPTY = "\\"
# One character for the name `<space>`.
BLANK = "␣"


@dataclass(frozen=True, slots=True, repr=False)
class ScliteWords(ReadingsStep):
    r"""The words and alternatives that sclite reads in the text of a trn.

    `{ a / b c / @ }` is a choice; `@` is the null word. An opening brace without a closing brace
    drops the rest of the text. A word ends at its first `;`. Backslashes, and a `*` at the end of a
    word, are removed. Braces on which sclite crashes, for example inside a word, are an error.

    >>> ScliteWords()(r"a {b/c;tag} \; @ d* { e")
    'a { b / c } ; @ d'
    """

    name = "sclite-words"
    removes = True
    origin_of_readings = "alternation"

    def items(self, words: Sequence[str]) -> list[Item]:
        """Return the words, with alternatives for braces."""
        tokens: list[str] = []

        def add(token: str) -> int:
            tokens.append(token)
            return len(tokens) - 1

        text = " ".join(words)
        try:
            return _items(Alternations(add).read(text), tokens)
        except MarkupError as error:
            raise MarkupError(error.offset, f"{self.name}: {error.problem} in {text!r}") from None

    def touches(self, words: Sequence[str]) -> bool:
        """Return True if the text has any of sclite's marks."""
        return _MARKS.search(" ".join(words)) is not None


@dataclass(frozen=True, slots=True, repr=False)
class ScliteCharacters(ScliteWords):
    """Make each character a word; blanks become the word `␣`, as ESPnet does for sclite.

    >>> ScliteCharacters()("ab {c/d}")
    'a b ␣ { c / d }'
    """

    name = "sclite-characters"

    def items(self, words: Sequence[str]) -> list[Item]:
        """Return the characters, with alternatives for braces."""
        return ScliteWords.items(self, [*BLANK.join(words)])

    def touches(self, words: Sequence[str]) -> bool:
        """Return True if there are words to split."""
        return bool(words)


def _items(branch: Branch, tokens: Sequence[str]) -> list[Item]:
    items: list[Item] = []
    for item in branch:
        if isinstance(item, tuple):
            items.append(Alternation([_items(inner, tokens) for inner in item]))
            continue
        word = word_type(tokens[item], optional_deletable=False, fragments_correct=False)
        items.append(Alternation([[]]) if word.text == NULL else Token(word.text or EMPTY))
    return items
