"""Numbers in digits, with all the ways to read them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from scoring.normalize.language_tables import languages, table_digest
from scoring.normalize.number_rules import NumberRules, rules_of
from scoring.normalize.readings import MOST_READINGS, WordReadingsStep

LONGEST = 15


@dataclass(frozen=True, slots=True, repr=False)
class Numbers(WordReadingsStep):
    """A number in digits becomes a choice between itself and its readings in words.

    So `50` is right for `fifty` and `50`, and nothing is lost where the recogniser writes words:
    those stay as they are, and cannot be joined to a number that nobody said. Numbers, years,
    ordinals (`21st`), decimals and digits one by one, at most 32 readings. A word with anything
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
    """All readings, the likeliest first."""
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
