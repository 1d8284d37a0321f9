"""Spelling variants within a script: Devanagari, Arabic and Hebrew."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass, field
from typing import ClassVar

from scoring.model.errors import OptionValueError
from scoring.text.step import Step, put
from scoring.text.unicode_forms import JOINERS

_JOINERS: dict[int, str | None] = {**dict.fromkeys(map(ord, JOINERS))}
_NUKTA = "\u093c"
# a nasal letter and a virama before a letter of its own class
_NASALS = re.compile(
    "(?:\u0919\u094d(?=[\u0915-\u0918])|\u091e\u094d(?=[\u091a-\u091d])"
    "|\u0923\u094d(?=[\u091f-\u0922])|[\u0928\u0929]\u094d(?=[\u0924-\u0927])"
    "|\u092e\u094d(?=[\u092a-\u092d]))"
)
# candra a becomes e, and letters with a nukta are decomposed
_LETTERS = {0x0972: "\u090f"} | {
    code: unicodedata.normalize("NFD", chr(code))
    for code in (0x0929, 0x0931, 0x0934, *range(0x0958, 0x0960))
}
_ARABIC: dict[str, dict[int, str | None]] = {
    "hamza": {**dict.fromkeys(map(ord, "أإآٱ"), "ا"), ord("ؤ"): "و", ord("ئ"): "ي"},
    "taa": {ord("ة"): "ه"},
    "yaa": {ord("ى"): "ي"},
    "marks": {**dict.fromkeys((*range(0x064B, 0x0653), 0x0670, 0x0640))},
    "digits": {first + digit: str(digit) for first in (0x0660, 0x06F0) for digit in range(10)},
}
_HEBREW: dict[str, dict[int, str | None]] = {
    "niqqud": {**dict.fromkeys((*range(0x05B0, 0x05BE), 0x05BF, 0x05C1, 0x05C2, 0x05C7))},
    "cantillation": {**dict.fromkeys((*range(0x0591, 0x05B0), 0x05C4, 0x05C5))},
}
_HEBREW_FORMS = re.compile("[\ufb1d-\ufb4f]+")


@dataclass(frozen=True, slots=True, repr=False)
class _Spelling(Step):
    """Base of the steps for one script. `kinds` selects the kinds of changes."""

    word_by_word = True
    removes = True
    kinds: tuple[str, ...] = ()
    _table: dict[int, str | None] = field(init=False, compare=False)
    tables: ClassVar[dict[str, dict[int, str | None]]] = {}

    def __post_init__(self) -> None:
        Step.__post_init__(self)
        if not self.kinds:
            expected = f"some of {', '.join(self.tables)}"
            raise OptionValueError("kinds", expected=expected, found="none")
        table = {code: text for kind in self.kinds for code, text in self.tables[kind].items()}
        put(self, kinds=tuple(self.kinds), _table=table)

    def __call__(self, text: str) -> str:
        """Return the text with uniform spelling."""
        return text if text.isascii() else self._spelled(text)

    def _spelled(self, text: str) -> str:
        return text.translate(self._table)


@dataclass(frozen=True, slots=True, repr=False)
class HindiSpelling(_Spelling):
    """Devanagari without joiners and nukta, and with anusvara in place of a nasal letter.

    The result is that of the package indic-nlp-library with `remove_nuktas` and
    `to_anusvaara_strict`, which also changes punctuation.

    Parameters
    ----------
    kinds
        The changes to make. Without `nukta`, letters with a nukta are only decomposed.

    >>> HindiSpelling()("हिन्दी अंग्रेज़ी")
    'हिंदी अंग्रेजी'
    """

    name = "hindi-spelling"
    tables: ClassVar = {"joiners": _JOINERS, "nukta": {ord(_NUKTA): None}, "anusvara": {}}
    choices: ClassVar = {"kinds": tuple(tables)}
    kinds: tuple[str, ...] = ("joiners", "nukta", "anusvara")

    def _spelled(self, text: str) -> str:
        if "joiners" in self.kinds:
            text = text.translate(_JOINERS)
        if "anusvara" in self.kinds:
            text = _NASALS.sub("\u0902", text)
        return text.translate(_LETTERS).translate(self._table)


@dataclass(frozen=True, slots=True, repr=False)
class ArabicSpelling(_Spelling):
    """Arabic without vowel marks, and with one letter for letters that writers interchange.

    Parameters
    ----------
    kinds
        What to change: `hamza` (أ إ آ ٱ to ا, ؤ to و, ئ to ي), `taa` (ة to ه), `yaa` (ى to ي),
        `marks` (remove vowel marks and the long stroke), `digits` (to 0-9).

    >>> ArabicSpelling()("مَدرسةٌ إلى ٢٥")
    'مدرسه الي 25'
    """

    name = "arabic-spelling"
    tables: ClassVar = _ARABIC
    choices: ClassVar = {"kinds": tuple(_ARABIC)}
    kinds: tuple[str, ...] = tuple(_ARABIC)


@dataclass(frozen=True, slots=True, repr=False)
class HebrewSpelling(_Spelling):
    """Hebrew without vowel points and accents; the maqaf and other punctuation are kept.

    Parameters
    ----------
    kinds
        The marks to remove: `niqqud`, `cantillation`.

    >>> HebrewSpelling()("שָׁלוֹם")
    'שלום'
    """

    name = "hebrew-spelling"
    tables: ClassVar = _HEBREW
    choices: ClassVar = {"kinds": tuple(_HEBREW)}
    kinds: tuple[str, ...] = tuple(_HEBREW)

    def _spelled(self, text: str) -> str:
        whole = _HEBREW_FORMS.sub(lambda run: unicodedata.normalize("NFKD", run[0]), text)
        return whole.translate(self._table)
