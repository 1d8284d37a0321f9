"""The normaliser of the Open ASR Leaderboard for languages other than English, as of 2026-08-21."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache

from scoring.model.errors import OptionValueError
from scoring.text.downloads import NUM2WORDS, package_version
from scoring.text.punctuation import without_brackets
from scoring.text.step import Step, put
from scoring.text.unicode_forms import BLANK
from scoring.text.whisper import MARKS

_MOST = 1 << 16  # words and numbers that are remembered
_NO_WORD = re.compile(r"[^\w\s]")


@dataclass(frozen=True, slots=True, repr=False)
class LeaderboardMultilingual(Step):
    """The Open ASR Leaderboard's normaliser for other languages, as of 2026-08-21.

    Text is converted to lower case and NFKC. Brackets are removed. Punctuation, symbols and
    uncomposed marks become blanks. The package num2words converts numbers to words.

    Parameters
    ----------
    lang
        A language of num2words, such as `de`.
    package
        The version that num2words must have. None: the installed version, which is part of the
        signature.
    """

    name = "leaderboard-multilingual@2026-08-21"
    removes = True
    lang: str
    package: str | None = None

    def __post_init__(self) -> None:
        put(self, package=package_version(NUM2WORDS, self.package))
        from num2words import CONVERTER_CLASSES

        if not {self.lang, self.lang[:2]} & set(CONVERTER_CLASSES):
            languages = ", ".join(CONVERTER_CLASSES)
            raise OptionValueError(
                "lang", expected=f"a language of num2words, {languages}", found=repr(self.lang)
            )

    def __call__(self, text: str) -> str:
        """Return the text as the leaderboard normalises it."""
        words = map(_plain_words, without_brackets(text.lower()).split(" "))
        text = BLANK.join(filter(None, words))
        if any(map(str.isdecimal, text)):
            text = re.sub(r"(\d)\s+(\d{3})\b", r"\1\2", text)
            text = re.sub(r"\d+", lambda match: _in_words(match[0], self.lang), text)
        return text


@lru_cache(_MOST)
def _plain_words(text: str) -> str:
    """Return the words of a text without punctuation and symbols, with single blanks."""
    text = unicodedata.normalize("NFKC", text).translate(MARKS).lower()
    return BLANK.join(_NO_WORD.sub("", text).split())


@lru_cache(_MOST)
def _in_words(digits: str, lang: str) -> str:
    from num2words import num2words

    try:
        return str(num2words(int(digits), lang=lang))
    except Exception:  # num2words raises what it happens to; the leaderboard keeps the digits
        return digits
