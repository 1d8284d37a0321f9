"""Transliteration of any script to ASCII letters."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from scoring.text.step import Step


def _in_ascii(text: str, tables: str = "anyascii") -> str:
    if text.isascii():
        return text
    if tables == "anyascii":
        from anyascii import anyascii

        return str(anyascii(text))
    from importlib import import_module

    try:
        return str(import_module("unidecode").unidecode(text))
    except ImportError:
        raise ValueError(
            "tables: expected package Unidecode to be installed, found none (pip install Unidecode)"
        ) from None


@dataclass(frozen=True, slots=True, repr=False)
class Transliterate(Step):
    """Transliterate every script to ASCII, by the tables of the package anyascii.

    >>> Transliterate()("Жанна große äö")
    'Zhanna grosse ao'
    """

    name = "transliterate"
    removes = True
    word_by_word = True

    def __call__(self, text: str) -> str:
        """Return the text in ASCII."""
        return _in_ascii(text)


@dataclass(frozen=True, slots=True, repr=False)
class Unidecode(Step):
    """Transliterate every script to ASCII; the name is that of BenchmarkSTT.

    Parameters
    ----------
    tables
        `anyascii`: the tables of the step `transliterate`. Accented Latin letters give the same
        result as with Unidecode; other scripts may differ (Han has no blanks between syllables).
        `unidecode`: the package Unidecode, which must be installed and has the licence GPL.

    Raises
    ------
    ValueError
        If the step is used without the package installed.
    """

    name = "unidecode"
    removes = True
    word_by_word = True
    choices: ClassVar = {"tables": ("anyascii", "unidecode")}
    tables: str = "anyascii"

    def __call__(self, text: str) -> str:
        """Return the text in ASCII."""
        return _in_ascii(text, self.tables)
