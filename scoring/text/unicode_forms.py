"""Unicode's normalisation forms, and removal of invisible characters."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Literal

from scoring.text.step import Step

FORMS = ("NFC", "NFD", "NFKC", "NFKD")
# Joiners change how letters of Persian and Indic scripts look and read: they stay.
JOINERS = "\u200c\u200d"
NOTHING, BLANK = "", " "


@dataclass(frozen=True, slots=True, repr=False)
class UnicodeForm(Step):
    """Convert text to a normalisation form of Unicode (UAX 15).

    NFC and NFD only change how characters are encoded. NFKC and NFKD also replace characters that
    look different (full-width letters, ligatures, superscripts), so that `x²` becomes `x2`.

    >>> UnicodeForm("NFKC")("ﬁve ２")
    'five 2'
    """

    name = "unicode"
    word_by_word = True  # nothing composes with a blank
    choices: ClassVar = {"form": FORMS}
    form: Literal["NFC", "NFD", "NFKC", "NFKD"] = "NFC"

    def __call__(self, text: str) -> str:
        """Return the text in the normalisation form of the step."""
        return unicodedata.normalize(self.form, text)


@dataclass(frozen=True, slots=True, repr=False)
class Whitespace(Step):
    r"""Replace every run of whitespace by one blank; drop whitespace at the ends.

    >>> Whitespace()(" a\u3000\t b\n")
    'a b'
    """

    name = "whitespace"
    word_by_word = True

    def __call__(self, text: str) -> str:
        """Return the text with single blanks."""
        return BLANK.join(text.split())


@dataclass(frozen=True, slots=True, repr=False)
class Controls(Step):
    r"""Drop control and invisible format characters, except joiners.

    The dropped characters are Unicode categories Cc and Cf (such as soft hyphens, byte order marks,
    zero width spaces and direction marks), except white space and the joiners U+200C and U+200D;
    also the variation selectors U+FE00 to U+FE0F, for example after an emoji.

    >>> Controls()("co\u00adop\ufeff")
    'coop'
    """

    name = "controls"
    word_by_word = True

    def __call__(self, text: str) -> str:
        """Return a text without invisible control characters."""
        return text if text.isascii() and text.isprintable() else text.translate(_CONTROLS)


class CharacterTable(dict[int, "str | None"]):
    """A cache of a function's results by character, for `str.translate`.

    The result None removes the character.
    """

    def __init__(self, replace: Callable[[str], str | None]) -> None:
        super().__init__()
        self._replace = replace

    def __missing__(self, code: int) -> str | None:
        replacement = self[code] = self._replace(chr(code))
        return replacement

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self._replace,)


def _without_controls(character: str) -> str | None:
    if "\ufe00" <= character <= "\ufe0f":
        return None
    kept = character.isspace() or character in JOINERS
    return character if kept or unicodedata.category(character) not in ("Cc", "Cf") else None


_CONTROLS = CharacterTable(_without_controls)


def is_letter_or_mark(character: str) -> bool:
    """Return True if a character is of Unicode category L or M."""
    return unicodedata.category(character)[0] in "LM"


def is_of_word(character: str) -> bool:
    """Return True if a character is a letter, mark or digit, so that it may belong to a word."""
    return character.isalnum() or unicodedata.category(character)[0] == "M"
