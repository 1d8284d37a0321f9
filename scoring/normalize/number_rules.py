"""How a language reads numbers, from a table of rules.

The rules are written in the manner of ICU's rule-based number formats (RBNF), with several
readings a rule: a rule holds from its number on up to the next one of its set.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice, product
from typing import NamedTuple

from scoring.normalize.csv_dialects import CsvRow
from scoring.normalize.language_tables import table_rows

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
        """How a number is read by a rule set; nothing where the set has no rule for it."""
        if name not in self._sets or number >= LARGEST:
            return ()
        return tuple(dict.fromkeys(islice(self._readings(name, number), MOST)))

    def digits(self, text: str) -> tuple[str, ...]:
        """How digits are read one by one."""
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
            text = _OPTIONAL.sub(_chooser(remainder), reading)
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


def _chooser(remainder: int) -> Callable[[re.Match[str]], str]:
    return lambda match: (match[1] if remainder else match[2]) or ""


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
