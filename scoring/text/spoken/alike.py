"""The names of a number, adapted from the names of a number with other digits.

In English, the names of 611,098 are those of 211,034 with `six` instead of `two`, `ninety` instead
of `thirty`, and `eight` instead of `four`. Digits are alike if all rules for the names of numbers
treat them in the same way, so that their names differ only in the digits' own words. The names are
computed for one number of each arrangement of digits: the model of all numbers like it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from scoring.text.spoken.names import NumberNames

ALIKE = {
    **dict.fromkeys(("en", "en-GB", "en-US", "id", "ja"), "23456789"),
    **dict.fromkeys(("de", "de-AT", "hu", "sv", "zh"), "3456789"),
}
"""The digits of a language that are alike; `test_amount_shapes.py` compares all arrangements.

The table of a region may add spellings of some digits: `dreissig` in Switzerland.
"""


class Model(NamedTuple):
    """A number whose names are known, and the digits of a number like it."""

    number: str
    own: str
    """The digits in place of the model's first digit, its second digit, and so on."""


class NameTemplate(NamedTuple):
    """Texts with names of a model, cut at the words of its digits."""

    pieces: Sequence[str]
    slots: Sequence[int]
    """The index of the word in place of every second piece."""

    def fill(self, words: Sequence[str]) -> str:
        """Return the texts with the words of other digits."""
        pieces = [*self.pieces]
        pieces[1::2] = map(words.__getitem__, self.slots)
        return "".join(pieces)


class AlikeDigits:
    """The digits of a language that are alike, with their words."""

    def __init__(self, names: NumberNames, digits: str) -> None:
        self._digits = digits
        self._words = {
            digit: [names.cardinals(int(number))[0] for number in (digit, f"1{digit}", f"{digit}0")]
            for digit in digits
        }
        words = chain.from_iterable(self._words.values())
        self._slots = {word: slot for slot, word in enumerate(words)}
        # `eighty` before `eight`: a word may be the beginning of a longer one
        longest_first = sorted(self._slots, key=len, reverse=True)
        self._own_words = re.compile(f"({'|'.join(longest_first)})")

    def model_of(self, digits: str) -> Model:
        """Return the model of a number.

        The digits that are alike become the first such digits, in order of appearance.
        """
        own, firsts, model = "", self._digits, ""
        for digit in digits:
            if digit in firsts and digit not in own:
                own += digit
            model += firsts[own.index(digit)] if digit in own else digit
        return Model(model, own)

    def template_of(self, texts: str) -> NameTemplate:
        """Return texts with names of a model as a template."""
        pieces = self._own_words.split(texts)
        return NameTemplate(pieces, [self._slots[word] for word in pieces[1::2]])

    def words_of(self, digits: str) -> list[str]:
        """Return the words of digits: alone, after ten, and as tens (`two`, `twelve`, `twenty`)."""
        return list(chain.from_iterable(map(self._words.__getitem__, digits)))
