"""The normalisers that were published with the speech recogniser Whisper.

Both drop what they should not, and figures made with them are only comparable to such figures.
For everything else there are `whisper-basic-safe` and `whisper-english-safe`, see
`scoring.text.bundled`.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import Any

from scoring.text.punctuation import replace_classes
from scoring.text.step import Step, put
from scoring.text.unicode_forms import BLANK, CharacterTable

# From an opening bracket to the nearest closing one, of the same kind or not. Where there is none,
# to the end, so that nobody looks for it again; that is kept.
_SQUARE_OR_ANGLE = re.compile(r"[\[<][^\]>]*(?:[\]>]|(\Z))")
_ROUND = re.compile(r"\([^)]+(?:\)|(\Z))")
_BLANKS = re.compile(r"\s+")
MARKS = CharacterTable(partial(replace_classes, "MSP", BLANK))  # and symbols and punctuation
_ADDED = ("kinda", "sorta", "dunno", "cause")  # the package writes them out, Whisper does not
PACKAGE, EXTRA = "whisper-normalizer", "pip install 'sclite-kit[whisper]'"


def _unclosed(match: re.Match[str]) -> str:
    """Keep a bracket that nothing closes; drop one with its content."""
    return "" if match[1] is None else match[0]


def without_brackets(text: str) -> str:
    """A text without brackets and what is in them."""
    return _ROUND.sub(_unclosed, _SQUARE_OR_ANGLE.sub(_unclosed, text))


@dataclass(frozen=True, slots=True, repr=False)
class WhisperBasic(Step):
    """Whisper's normaliser for every language but English, to the byte.

    Lower case; brackets and what is in them go; NFKC; punctuation, symbols *and marks* become
    blanks. Without its marks a word of Hindi, Tamil, Thai, Arabic with vowels or decomposed Latin
    falls apart into several that match more easily: the error rate comes out too low.

    >>> WhisperBasic()("Ja, [Lärm] “schön”!"), WhisperBasic()("हिन्दी").split()
    ('ja schön ', ['ह', 'न', 'द'])
    """

    name = "whisper-basic"
    removes = True

    def __call__(self, text: str) -> str:
        """The text as Whisper's authors normalise it."""
        text = without_brackets(text.lower())
        text = unicodedata.normalize("NFKC", text).translate(MARKS).lower()
        return _BLANKS.sub(BLANK, text)


@dataclass(frozen=True, slots=True, repr=False)
class WhisperEnglish(Step):
    """Whisper's normaliser for English, by the package whisper-normalizer without its additions.

    Brackets and `uh`, `um`, `hmm` go, contractions are written out (`'s` always as *is*), accents
    are dropped, number words become digits (`oh` becomes `0`), spelling becomes American.
    """

    name = "whisper-english"
    removes = True
    package: str | None = None

    def __post_init__(self) -> None:
        put(self, package=checked_version(self.package, PACKAGE, EXTRA))

    def __call__(self, text: str) -> str:
        """The text as Whisper's authors normalise it."""
        try:
            return str(_english()(text))
        except (ArithmeticError, AssertionError, LookupError, TypeError, ValueError) as problem:
            raise ValueError(
                f"whisper-english: {PACKAGE} {self.package} breaks down "
                f"({type(problem).__name__}: {problem}) on {text[:80]!r}"
            ) from None


@dataclass(frozen=True, slots=True, repr=False)
class WhisperSpelling(Step):
    """American spelling for British, by the list of the package whisper-normalizer.

    Words are looked up in lower case only, as the list has them.
    """

    name = "whisper-spelling"
    word_by_word = True
    package: str | None = None

    def __post_init__(self) -> None:
        put(self, package=checked_version(self.package, PACKAGE, EXTRA))

    def __call__(self, text: str) -> str:
        """The text in American spelling."""
        spellings = _english().standardize_spellings.mapping
        return BLANK.join([spellings.get(word, word) for word in text.split()])


def checked_version(expected: str | None, package: str, command: str) -> str:
    """The installed version of a package; ValueError without it or if another is expected."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        installed = version(package)
    except PackageNotFoundError:
        raise ValueError(f"expected the package {package}, found none: {command}") from None
    if expected is not None and expected != installed:
        raise ValueError(f"expected {package} {expected}, found {installed}")
    return installed


@lru_cache(maxsize=1)
def _english() -> Any:
    from importlib import import_module

    normaliser: Any = import_module("whisper_normalizer.english").EnglishTextNormalizer()
    for word in _ADDED:
        normaliser.replacers.pop(rf"\b{word}\b", None)
    return normaliser
