"""Upper and lower case by Unicode's rules, independent of the locale."""

from __future__ import annotations

import re
from dataclasses import dataclass
from string import ascii_lowercase, ascii_uppercase
from typing import ClassVar

from scoring.text.step import Step

LANGUAGES = ("tr", "az", "lt")
ASCII = "ascii"
DOT_ABOVE = "\u0307"
_TURKIC = re.compile(f"I{DOT_ABOVE}|[Iİ]")
# i, j and į keep their dot in Lithuanian when an accent stands above: it is written out.
_LITHUANIAN_CAPITAL = re.compile("([IJĮ])(?=[\u0323-\u0332]*[\u0300-\u0304\u0306-\u030c])|[ÌÍĨ]")
_LITHUANIAN_ACCENTED = {"Ì": "i\u0307\u0300", "Í": "i\u0307\u0301", "Ĩ": "i\u0307\u0303"}
_LITHUANIAN_DOT = re.compile(f"(?<=[ijį]){DOT_ABOVE}(?=[\u0300\u0301\u0303])")
_OF_ASCII = str.maketrans(ascii_uppercase, ascii_lowercase)


def _turkic(text: str) -> str:
    return _TURKIC.sub(lambda match: "ı" if match[0] == "I" else "i", text)


def _lithuanian(text: str) -> str:
    def dotted(match: re.Match[str]) -> str:
        return _LITHUANIAN_ACCENTED.get(match[0]) or match[0].lower() + DOT_ABOVE

    return _LITHUANIAN_CAPITAL.sub(dotted, text)


@dataclass(frozen=True, slots=True, repr=False)
class _OfLanguage(Step):
    """A step for languages whose letters have special case rules."""

    word_by_word = True
    choices: ClassVar = {"lang": (None, *LANGUAGES)}
    lang: str | None = None


@dataclass(frozen=True, slots=True, repr=False)
class Lowercase(_OfLanguage):
    """Convert to lower case.

    Parameters
    ----------
    lang
        `tr` and `az`: `I` becomes dotless `ı`, `İ` becomes `i`. `lt`: capital `I`, `J` and `Į`
        under an accent keep a dot, as Unicode's SpecialCasing says. `ascii`: only A to Z change, as
        in sclite. None: Unicode's default rules.

    >>> Lowercase()("Easy, Mungo"), Lowercase("tr")("DIŞ İŞLERİ")
    ('easy, mungo', 'dış işleri')
    """

    name = "lowercase"
    choices: ClassVar = {"lang": (None, *LANGUAGES, ASCII)}

    def __call__(self, text: str) -> str:
        """Return the text in lower case."""
        if self.lang == ASCII:
            return text.translate(_OF_ASCII)
        if self.lang == "lt":
            text = _lithuanian(text)
        elif self.lang is not None:
            text = _turkic(text)
        return text.lower()


@dataclass(frozen=True, slots=True, repr=False)
class Casefold(_OfLanguage):
    """Fold case: texts that differ only in case become equal, such as `STRASSE` and `Straße`.

    Parameters
    ----------
    lang
        `tr` and `az`: `I` equals `ı`, and `İ` equals `i`. `lt`: the dot of an `i` under an accent,
        as Lithuanian writes it, is dropped. None: Unicode's default rules.

    >>> Casefold()("Straße"), Casefold("az")("ILIQ")
    ('strasse', 'ılıq')
    """

    name = "casefold"

    def __call__(self, text: str) -> str:
        """Return the text with folded case."""
        if self.lang == "lt":
            return _LITHUANIAN_DOT.sub("", text.casefold())
        if self.lang is not None:
            text = _turkic(text)
        return text.casefold()
