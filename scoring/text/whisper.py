"""The normalisers published with the speech recogniser Whisper.

Both normalisers drop letters or marks that distinguish words, and rates are comparable only with
rates from the same normaliser. For other uses there are `whisper-basic-safe` and
`whisper-english-safe`, see `scoring.text.bundled`.
"""

from __future__ import annotations

import contextlib
import json
import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache, partial
from hashlib import sha256

from scoring.text.downloads import (
    WHISPER_LIST,
    DownloadError,
    files_of_package,
    package_version,
)
from scoring.text.english_rules import EnglishRules
from scoring.text.punctuation import replace_classes, without_brackets
from scoring.text.step import Step, put
from scoring.text.unicode_forms import BLANK, CharacterTable

_BLANKS = re.compile(r"\s+")
MARKS = CharacterTable(partial(replace_classes, "MSP", BLANK))  # and symbols and punctuation
_FILLERS = "hmm mm mhm mmm uh um"


@dataclass(frozen=True, slots=True, repr=False)
class WhisperBasic(Step):
    """Whisper's normaliser for every language except English, with the same output byte for byte.

    Text is converted to lower case and NFKC. Brackets and their content are dropped. Punctuation,
    symbols *and marks* become blanks. Without its marks, a word of Hindi, Tamil, Thai, Arabic with
    vowels or decomposed Latin is split into several words that match more easily, so that the error
    rate is too low.

    >>> WhisperBasic()("Ja, [Lärm] “schön”!"), WhisperBasic()("हिन्दी").split()
    ('ja schön ', ['ह', 'न', 'द'])
    """

    name = "whisper-basic"
    removes = True

    def __call__(self, text: str) -> str:
        """Return the text as Whisper's authors normalise it."""
        text = without_brackets(text.lower())
        text = unicodedata.normalize("NFKC", text).translate(MARKS).lower()
        return _BLANKS.sub(BLANK, text)


@dataclass(frozen=True, slots=True, repr=False)
class WhisperEnglish(Step):
    """Whisper's normaliser for English.

    Brackets and `uh`, `um`, `hmm` are dropped, contractions are written out (`'s` always as *is*),
    accents are dropped, number words become digits (`oh` becomes `0`), spelling becomes American.
    The list of spellings comes from the package whisper-normalizer, or from `scoring recipes
    install whisper-paper`.
    """

    name = "whisper-english"
    removes = True
    package: str | None = None

    def __post_init__(self) -> None:
        put(self, package=package_version(WHISPER_LIST, self.package))
        _spellings()

    def __call__(self, text: str) -> str:
        """Return the text as Whisper's authors normalise it."""
        try:
            return _english().normalize(text)
        except ValueError as problem:
            raise ValueError(f"whisper-english: {problem} in {text[:80]!r}") from None


@dataclass(frozen=True, slots=True, repr=False)
class WhisperSpelling(Step):
    """Replace British by American spelling, by Whisper's list.

    Only words in lower case are replaced, because the list contains lower case only.
    """

    name = "whisper-spelling"
    word_by_word = True
    package: str | None = None

    def __post_init__(self) -> None:
        put(self, package=package_version(WHISPER_LIST, self.package))
        _spellings()

    def __call__(self, text: str) -> str:
        """Return the text in American spelling."""
        spellings = _spellings()
        return BLANK.join([spellings.get(word, word) for word in text.split()])


@lru_cache(maxsize=1)
def _english() -> EnglishRules:
    """Return the rules of Whisper's English normaliser, with the list of spellings."""
    return EnglishRules(_FILLERS, _spellings(), {}, is_leaderboard=False)


@lru_cache(maxsize=1)
def _spellings() -> dict[str, str]:
    """Return Whisper's list of British and American spellings, after verifying its hash."""
    paths = (WHISPER_LIST.place, *files_of_package(WHISPER_LIST))
    for path in paths:
        with contextlib.suppress(OSError), open(path, "rb") as file:
            data = file.read()
            if sha256(data).hexdigest() == WHISPER_LIST.digest:
                spellings: dict[str, str] = json.loads(data)
                return spellings
    raise DownloadError(
        f"expected Whisper's list of spellings, found another: {WHISPER_LIST.command}"
    )
