"""Conversion of English number words to digits, by the rules that Whisper's authors published.

A state machine processes the words and keeps the current number: an integer as long as its words
add up, a text after digits were concatenated. `one oh one` is `101`, `twenty twenty` is `2020`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TypeAlias

Value: TypeAlias = "int | str | None"

_words = str.split
_UNITS = _words(
    "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen "
    "sixteen seventeen eighteen nineteen"
)
_TENS = _words("twenty thirty forty fifty sixty seventy eighty ninety")
_SCALES = _words(
    "thousand million billion trillion quadrillion quintillion sextillion septillion octillion "
    "nonillion decillion"
)
_ZEROS = frozenset(("o", "oh", "zero"))
_UNIT_VALUES = {word: value for value, word in enumerate(_UNITS, 1)}
SCALES = {"hundred": 100, **{word: 1000**power for power, word in enumerate(_SCALES, 1)}}
_ORDINALS = {"zeroth": 0, "first": 1, "second": 2, "third": 3, "fifth": 5, "twelfth": 12}
# Words with a value, of each its kind, and what follows its digits; such a letter ends the number.
# `ninth` is none of them.
_NUMBERS: dict[str, tuple[str, int, str]] = {
    **dict.fromkeys(_ZEROS, ("zero", 0, "")),
    **{word: ("unit", value, word[-2:]) for word, value in _ORDINALS.items()},
    **{word: ("unit", value, "") for word, value in _UNIT_VALUES.items()},
    **{
        "sixes" if word == "six" else f"{word}s": ("unit", value, "s")
        for word, value in _UNIT_VALUES.items()
    },
    **{
        "eighth" if word == "eight" else f"{word}th": ("unit", value, "th")
        for word, value in _UNIT_VALUES.items()
        if value not in _ORDINALS.values()
    },
    **{
        word[:-1] + ending: ("ten", value, letters)
        for value, word in zip(range(20, 100, 10), _TENS, strict=True)
        for ending, letters in (("y", ""), ("ies", "s"), ("ieth", "th"))
    },
    **{
        word + letters: ("scale", value, letters)
        for word, value in SCALES.items()
        for letters in ("", "s", "th")
    },
}
_SIGNS = {"minus": "-", "negative": "-", "plus": "+", "positive": "+"}
_CURRENCIES = {
    word + plural: sign
    for word, sign in (("pound", "£"), ("euro", "€"), ("dollar", "$"), ("cent", "¢"))
    for plural in ("", "s")
}
_REPEATS = {"double": 2, "triple": 3}
_PREFIXES = frozenset("-+£€$¢")
DECIMALS = frozenset((*_ZEROS, *_UNITS, *_TENS))
WORDS = frozenset((*_NUMBERS, *_SIGNS, *_CURRENCIES, *_REPEATS, "per", "percent", "and", "point"))
_NUMERIC = re.compile(r"\d+(?:\.\d+)?$")


def write_numbers(words: Sequence[str]) -> list[str]:
    """Return the words, with number words replaced by digits.

    Raises ValueError if a number is too long for Python.
    """
    writer = _Writer()
    before, last = "", len(words)
    places = iter(range(last))
    for place in places:
        word = words[place]
        after = words[place + 1] if place + 1 < last else ""
        if writer.take(word, before, after):
            word = words[next(places)]
        before = word
    writer.finish()
    return writer.words


def _is_numeric(word: str) -> bool:
    return word[-1:].isdecimal() and _NUMERIC.match(word) is not None


class _Writer:
    """The words written so far, and the current number with its sign."""

    def __init__(self) -> None:
        self.words: list[str] = []
        self._prefix = ""
        self._value: Value = None

    def take(self, word: str, before: str, after: str) -> bool:
        """Process a word, given its neighbours; return True if the next word was processed, too."""
        if word in _NUMBERS:
            self._take_number(word, before)
        elif word not in WORDS:
            prefix = word[0] if word[0] in _PREFIXES else ""
            if _is_numeric(word[len(prefix) :]):
                self._take_digits(word, prefix)
            else:
                self._write(word)
        elif word in _CURRENCIES and self._value is not None:
            self._prefix = _CURRENCIES[word]
            self.finish()
        elif word in ("per", "percent") and self._value is not None:
            if word == "per" and after != "cent":
                self._write(word)
            else:
                self._value = f"{self._value}%"
                self.finish()
                return word == "per"
        elif after not in WORDS and not _is_numeric(after):
            self._write(word)
        elif word in _SIGNS:
            self.finish()
            self._prefix = _SIGNS[word]
        elif word == "point":
            if after in DECIMALS or _is_numeric(after):
                self._value = f"{self._value or ''}."
        elif word in _REPEATS and (after in _UNIT_VALUES or after in _ZEROS):
            digits = str(_UNIT_VALUES.get(after, 0)) * _REPEATS[word]
            self._value = f"{self._value or ''}{digits}"
            return True
        elif word != "and" or before not in SCALES:
            self._write(word)
        return False

    def finish(self) -> None:
        """Finish the current number, if there is one."""
        if self._value is not None:
            self.words.append(f"{self._prefix}{self._value}")
            self._prefix, self._value = "", None

    def _write(self, word: str) -> None:
        """Write a word that is not a number, after a pending sign."""
        self.finish()
        self.words.append(self._prefix + word)
        self._prefix = ""

    def _take_digits(self, word: str, prefix: str) -> None:
        number = word[len(prefix) :]
        whole, _, decimals = number.partition(".")
        int(whole), int(decimals or 0)  # ValueError where they are too long
        if isinstance(self._value, str) and self._value.endswith("."):
            self._value += word
            return
        self.finish()
        self._prefix = prefix or self._prefix
        self._value = number if int(decimals or 0) else int(whole)

    def _take_number(self, word: str, before: str) -> None:
        """Process a word that continues or ends the number."""
        kind, number, letters = _NUMBERS[word]
        if kind == "zero":
            self._value = f"{self._value or ''}0"
        elif kind == "unit":
            self._value = _with_unit(self._value, number, before)
        elif kind == "ten":
            self._value = _added(self._value, number, 100)
        else:
            scaled = _scaled(self._value, number)
            if scaled is None:
                self.finish()
            self._value = number if scaled is None else scaled
        if letters:
            self._value = f"{self._value}{letters}"
            self.finish()


def _added(value: Value, number: int, room: int) -> Value:
    """Return the sum if `value` is a multiple of `room`.

    Otherwise both numbers' digits in a row.
    """
    if value is None:
        return number
    return value + number if isinstance(value, int) and value % room == 0 else f"{value}{number}"


def _with_unit(value: Value, number: int, before: str) -> Value:
    if value is not None and (isinstance(value, str) or before in _UNIT_VALUES):
        if before in _TENS and number < 10:
            return f"{str(value)[:-1]}{number}"
        return f"{value}{number}"
    return _added(value, number, 10 if number < 10 else 100)


def _scaled(value: Value, scale: int) -> Value:
    """Return the value times a scale; None if that is impossible.

    Only the part of an integer below 1,000 is multiplied.
    """
    if value is None:
        return scale
    if isinstance(value, int):
        return value // 1000 * 1000 + value % 1000 * scale
    from fractions import Fraction

    try:
        product = Fraction(value) * scale
    except ValueError:
        return None
    return product.numerator if product.denominator == 1 else None
