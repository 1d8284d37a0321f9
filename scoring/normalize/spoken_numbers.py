"""Spoken English numbers as digits, by the rules that Whisper's authors published.

A state machine goes over the words with the number so far: a whole number while its words add up,
a text once digits have been put side by side. `one oh one` is `101`, `twenty twenty` is `2020`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
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
ZEROS = frozenset(("o", "oh", "zero"))
UNITS = {word: value for value, word in enumerate(_UNITS, 1)}
TENS = {word: value for value, word in zip(range(20, 100, 10), _TENS, strict=True)}
SCALES = {"hundred": 100, **{word: 1000**power for power, word in enumerate(_SCALES, 1)}}
# Words that end a number at once, with what is written after its digits. `ninth` is none of them.
_UNIT_ENDINGS: dict[str, tuple[int, str]] = {
    "zeroth": (0, "th"),
    "first": (1, "st"),
    "second": (2, "nd"),
    "third": (3, "rd"),
    "fifth": (5, "th"),
    "twelfth": (12, "th"),
}
for _word, _value in UNITS.items():
    _UNIT_ENDINGS["sixes" if _word == "six" else f"{_word}s"] = (_value, "s")
    if _value not in (1, 2, 3, 5, 12):
        _UNIT_ENDINGS[_word + ("h" if _word == "eight" else "th")] = (_value, "th")
_TEN_ENDINGS = {
    word[:-1] + ending: (value, letters)
    for word, value in TENS.items()
    for ending, letters in (("ies", "s"), ("ieth", "th"))
}
_SCALE_ENDINGS = {
    word + letters: (value, letters) for word, value in SCALES.items() for letters in ("s", "th")
}
_SIGNS = {"minus": "-", "negative": "-", "plus": "+", "positive": "+"}
_CURRENCIES = {
    word + plural: sign
    for word, sign in (("pound", "£"), ("euro", "€"), ("dollar", "$"), ("cent", "¢"))
    for plural in ("", "s")
}
_REPEATS = {"double": 2, "triple": 3}
_PREFIXES = frozenset("-+£€$¢")
DECIMALS = frozenset((*ZEROS, *UNITS, *TENS))
WORDS = frozenset(
    (
        *DECIMALS,
        *_UNIT_ENDINGS,
        *_TEN_ENDINGS,
        *SCALES,
        *_SCALE_ENDINGS,
        *_SIGNS,
        *_CURRENCIES,
        *_REPEATS,
        *("per", "percent", "and", "point"),
    )
)
_NUMERIC = re.compile(r"\d+(?:\.\d+)?$")


def _is_numeric(word: str) -> bool:
    return _NUMERIC.match(word) is not None


def write_numbers(words: Sequence[str]) -> list[str]:
    """Words with numbers in digits; raises ValueError where a number is too long for Python.

    >>> write_numbers("two hundred and five point o one dollars".split())
    ['$205.01']
    """
    return list(_Numbers(words))


class _Numbers:
    """One pass over the words."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words
        self._prefix = ""
        self._value: Value = None

    def __iter__(self) -> Iterator[str]:
        words = self._words
        places = iter(range(len(words)))
        for place in places:
            word = words[place]
            before = words[place - 1] if place else ""
            after = words[place + 1] if place + 1 < len(words) else ""
            prefix = word[0] if word[0] in _PREFIXES else ""
            if _is_numeric(word[len(prefix) :]):
                yield from self._digits(word, prefix)
            elif word not in WORDS:
                yield from self._rest()
                yield self._write(word)
            elif word in DECIMALS or word in SCALES:
                yield from self._extend(word, before)
            elif word in _UNIT_ENDINGS or word in _TEN_ENDINGS or word in _SCALE_ENDINGS:
                yield from self._end(word, before)
            elif word in _SIGNS:
                yield from self._rest()
                if after in WORDS or _is_numeric(after):
                    self._prefix = _SIGNS[word]
                else:
                    yield self._write(word)
            elif word in _CURRENCIES:
                if self._value is not None:
                    self._prefix = _CURRENCIES[word]
                yield from self._rest() if self._value is not None else [self._write(word)]
            elif word in ("per", "percent"):
                is_percent = word == "percent" or after == "cent"
                if self._value is not None and is_percent:
                    yield self._write(f"{self._value}%")
                    if word == "per":
                        next(places)
                else:
                    yield from self._rest()
                    yield self._write(word)
            elif after not in WORDS and not _is_numeric(after):
                yield from self._rest()
                yield self._write(word)
            elif word == "and":
                if before not in SCALES:
                    yield from self._rest()
                    yield self._write(word)
            elif word == "point":
                if after in DECIMALS or _is_numeric(after):
                    self._value = f"{self._value or ''}."
            elif after in UNITS or after in ZEROS:  # double, triple
                digits = str(UNITS.get(after, 0)) * _REPEATS[word]
                self._value = f"{self._value or ''}{digits}"
                next(places)
            else:
                yield from self._rest()
                yield self._write(word)
        yield from self._rest()

    def _write(self, text: str) -> str:
        """A text after the sign that waits; the number is done."""
        text, self._prefix, self._value = self._prefix + text, "", None
        return text

    def _rest(self) -> Iterator[str]:
        """The number so far, if there is one."""
        if self._value is not None:
            yield self._write(str(self._value))

    def _digits(self, word: str, prefix: str) -> Iterator[str]:
        number = word[len(prefix) :]
        whole, _, decimals = number.partition(".")
        int(whole), int(decimals or 0)  # ValueError where they are too long
        if isinstance(self._value, str) and self._value.endswith("."):
            self._value += word
            return
        yield from self._rest()
        self._prefix = prefix or self._prefix
        self._value = number if int(decimals or 0) else int(whole)

    def _extend(self, word: str, before: str) -> Iterator[str]:
        """A word that goes on with the number."""
        if word in ZEROS:
            self._value = f"{self._value or ''}0"
        elif word in UNITS:
            self._value = _with_unit(self._value, UNITS[word], before)
        elif word in TENS:
            self._value = _added(self._value, TENS[word], 100)
        else:
            scaled = _scaled(self._value, SCALES[word])
            if scaled is None:
                yield from self._rest()
            self._value = SCALES[word] if scaled is None else scaled

    def _end(self, word: str, before: str) -> Iterator[str]:
        """A word that ends the number."""
        value: Value
        if word in _UNIT_ENDINGS:
            number, letters = _UNIT_ENDINGS[word]
            value = _with_unit(self._value, number, before)
        elif word in _TEN_ENDINGS:
            number, letters = _TEN_ENDINGS[word]
            value = _added(self._value, number, 100)
        else:
            number, letters = _SCALE_ENDINGS[word]
            value = _scaled(self._value, number)
            if value is None:
                yield from self._rest()
                value = number
        yield self._write(f"{value}{letters}")


def _added(value: Value, number: int, room: int) -> Value:
    """A number that is added where the value ends in zeros, otherwise written after it."""
    if value is None:
        return number
    return value + number if isinstance(value, int) and value % room == 0 else f"{value}{number}"


def _with_unit(value: Value, number: int, before: str) -> Value:
    if value is not None and (isinstance(value, str) or before in UNITS):
        if before in TENS and number < 10:
            return f"{str(value)[:-1]}{number}"
        return f"{value}{number}"
    return _added(value, number, 10 if number < 10 else 100)


def _scaled(value: Value, scale: int) -> Value:
    """The value times a scale, of a whole number only what is below a thousand; None: it cannot."""
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
