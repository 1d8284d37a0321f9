"""Numbers in digits, with all the ways to read them, from a table of rules of each language.

The rules are written in the manner of ICU's rule-based number formats (RBNF), with several
readings a rule: a rule holds from its number on up to the next one of its set.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import islice, product
from typing import ClassVar, NamedTuple

from scoring.text.csv_dialects import CsvRow
from scoring.text.language_tables import languages, table_digest, table_rows
from scoring.text.readings import MOST_READINGS, WordReadingsStep

LONGEST = 15
MOST = 64
_PART = re.compile(r"<(\w*)<|>(\w*)>|=(\w+)=")
_OPTIONAL = re.compile(r"\[([^\[\]|]*)(?:\|([^\[\]]*))?\]")
LARGEST = 10**12


class _Rule(NamedTuple):
    base: int
    divisor: int
    readings: tuple[str, ...]


class NumberRules:
    """The table of a language."""

    def __init__(self, rows: list[CsvRow]) -> None:
        self.signs: dict[str, str] = {}
        self.groups = ""
        self.suffixes: dict[str, str] = {}
        self._sets: dict[str, list[_Rule]] = {}
        for name, key, *readings in rows:
            if name == "decimal":
                self.signs[key] = readings[0]
            elif name == "group":
                self.groups += key
            elif name == "suffix":
                self.suffixes[key] = readings[0]
            else:
                self._sets.setdefault(name, []).append(_rule(key, readings))
        self._bases = {name: [rule.base for rule in rules] for name, rules in self._sets.items()}

    def readings(self, name: str, number: int) -> tuple[str, ...]:
        """The readings of a number in a rule set; empty where the set has no rule for it."""
        if name not in self._sets or number >= LARGEST:
            return ()
        return tuple(dict.fromkeys(islice(self._readings(name, number), MOST)))

    def digits(self, text: str) -> tuple[str, ...]:
        """The readings of a number digit by digit."""
        each = [self.readings("digit", int(character)) for character in text]
        if not all(each):
            return ()
        return tuple(islice((" ".join(words) for words in product(*each)), MOST))

    def _readings(self, name: str, number: int) -> Iterator[str]:
        position = bisect_right(self._bases[name], number) - 1
        if position < 0:
            return
        rule = self._sets[name][position]
        quotient, remainder = divmod(number, rule.divisor)
        for reading in rule.readings:
            text = _OPTIONAL.sub(lambda m: (m[1] if remainder else m[2]) or "", reading)
            yield from self._filled(name, text, number, quotient, remainder)

    def _filled(
        self, name: str, text: str, number: int, quotient: int, remainder: int
    ) -> Iterator[str]:
        pieces: list[tuple[str, ...]] = []
        begin = 0
        for match in _PART.finditer(text):
            which = next(group for group in (1, 2, 3) if match[group] is not None)
            value = (quotient, remainder, number)[which - 1]
            pieces += [(text[begin : match.start()],), self.readings(match[which] or name, value)]
            begin = match.end()
        pieces.append((text[begin:],))
        return map("".join, product(*pieces))


def _rule(key: str, readings: list[str]) -> _Rule:
    base_text, _, radix_text = key.partition("/")
    base, radix = int(base_text), int(radix_text or 10)
    divisor = 1
    while divisor * radix <= base:
        divisor *= radix
    return _Rule(base, divisor if base else 1, tuple(readings))


@cache
def rules_of(lang: str) -> NumberRules:
    """The rules of a language that has a table."""
    return NumberRules(table_rows("numbers", lang))


@dataclass(frozen=True, slots=True, repr=False)
class Numbers(WordReadingsStep):
    """A number in digits becomes a choice between itself and its readings in words.

    So `50` is right for `fifty` and `50`, and nothing is lost where the recogniser writes words:
    those stay as they are, and cannot be joined to a number that nobody said. Numbers, years,
    ordinals (`21st`), decimals, numbers digit by digit; at most 32 readings. A word with anything
    else in it stays.

    >>> Numbers()("all 36")
    'all { 36 / thirty six / thirty-six / three six }'
    >>> Numbers().readings("1905")[6:8]
    ('nineteen oh five', 'nineteen hundred five')
    """

    name = "numbers"
    choices: ClassVar = {"lang": languages("numbers")}
    lang: str = "en"

    def table(self) -> str:
        """A hash of the table."""
        return table_digest("numbers", self.lang)

    def readings(self, word: str) -> tuple[str, ...]:
        """The word and its readings, if it is a number."""
        if not any(map(str.isdecimal, word)):
            return ()
        readings = dict.fromkeys(_readings(word, rules_of(self.lang)))
        return (word, *readings)[:MOST_READINGS] if readings else ()


def _readings(word: str, rules: NumberRules) -> Iterator[str]:
    """Iterate over the readings, the likeliest first."""
    groups, signs = re.escape(rules.groups), re.escape("".join(rules.signs))
    parts = re.fullmatch(rf"(\d{{1,3}}(?:[{groups}]\d{{3}})+|\d+)(?:([{signs}])(\d+))?(\D*)", word)
    if parts is None:
        return
    whole = re.sub(r"\D", "", parts[1])
    sign, decimals, suffix = parts[2], parts[3], parts[4]
    if rules.groups and not suffix:
        yield from _grouped(parts, whole, rules.groups[0])
    if suffix:
        if sign is None and suffix.lower() in rules.suffixes:
            yield from rules.readings(rules.suffixes[suffix.lower()], int(whole))
    elif sign:
        yield from _decimal(whole, rules.signs[sign], decimals, rules)
    else:
        yield from _whole(whole, rules)


def _grouped(parts: re.Match[str], whole: str, sign: str) -> Iterator[str]:
    """The number with a sign between thousands, if it has none, and without, if it has."""
    rest = parts.string[parts.end(1) :]
    if parts[1] != whole:
        yield whole + rest
    elif len(whole) > 3 and whole[0] != "0":
        yield f"{int(whole):,}".replace(",", sign) + rest


def _whole(digits: str, rules: NumberRules) -> Iterator[str]:
    if len(digits) <= LONGEST and (digits[0] != "0" or len(digits) == 1):
        yield from rules.readings("cardinal", int(digits))
        if len(digits) == 4:
            yield from rules.readings("year", int(digits))
    if len(digits) > 1:
        yield from rules.digits(digits)


def _decimal(whole: str, sign: str, decimals: str, rules: NumberRules) -> Iterator[str]:
    befores = rules.readings("cardinal", int(whole)) if len(whole) <= LONGEST else ()
    afters = (*rules.digits(decimals), *_whole(decimals, rules))
    for after in dict.fromkeys(afters):
        for before in befores:
            yield f"{before} {sign} {after}"
        if whole == "0":
            yield f"{sign} {after}"
