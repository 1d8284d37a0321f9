"""Numbers, alone and with units: decimals, fractions, percentages, money, measures."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from copy import copy
from functools import lru_cache
from typing import NamedTuple

from scoring.text.spoken.combining import combine, fill_all, in_turn
from scoring.text.spoken.names import NumberNames, names_of
from scoring.text.spoken.table import CurrencyNames, SpokenTable, TableRows, table_of
from scoring.text.spoken.view import FoundForm, WordsView

BLANKS = "\u00a0\u202f\u2009"
SIGNS = "-−–+±"
DASHES = "-−–—~〜"
RAISED = frozenset("²³")
VULGAR = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5),
    "⅗": (3, 5), "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8),
    "⅞": (7, 8),
}  # fmt: skip
_QUARTERS = {"25": 1, "5": 2, "50": 2, "75": 3}
_FRACTION = re.compile(r"(\d{1,18})[/⁄](\d{1,7})(.{0,3})")
_TERMS = re.compile(r"(√?)(\d{1,9}(?:[.,]\d{1,9})?)/(√?)(\d{1,9}(?:[.,]\d{1,9})?)")
LONGEST_NAME = 24


class WrittenNumber(NamedTuple):
    """A number in digits; `end` is the position after the number in its word."""

    sign: str
    whole: str
    point: str
    decimals: str
    end: int
    grouped: bool = False
    split: str = ""
    """The digits before the only sign between thousands, if it may be a decimal point, too."""

    @property
    def is_whole(self) -> bool:
        """True if the number has no decimals and no leading zero."""
        return not self.point and (len(self.whole) == 1 or self.whole[:1] != "0")


def _in_ascii(digits: str) -> str:
    """Return the digits of any script as ASCII digits.

    >>> _in_ascii("२५")
    '25'
    """
    return digits if digits.isascii() else "".join(str(int(digit)) for digit in digits)


class SpokenAmounts:
    """Creates the readings of numbers in a language."""

    def __init__(self, lang: str, rows: TableRows = ()) -> None:
        self.table: SpokenTable = table_of(lang, rows)
        self.names: NumberNames = names_of(lang, rows)
        groups = re.escape(self.table.groups + BLANKS) or "x"
        points = re.escape("".join(self.table.points)) or "x"
        thousands = rf"(?!0)\d{{1,3}}(?:[{groups}]\d{{3}})+(?!\d)"
        lakhs = r"(?!0)\d{1,2}(?:,\d\d)+,\d{3}(?!\d)" if "," in groups else "(?!)"
        self._whole = re.compile(rf"{thousands}|{lakhs}|\d+")
        self._decimals = re.compile(rf"([{points}])(\d+)")
        self.parse = lru_cache(1 << 12)(self._parse)
        self._keep()

    def with_names(self, names: NumberNames) -> SpokenAmounts:
        """Return a copy with other names of numbers."""
        amounts = copy(self)
        amounts.names = names
        amounts._keep()
        return amounts

    def _keep(self) -> None:
        """Create the caches for readings of numbers."""
        self.say = lru_cache(1 << 12)(self._say)
        self.say_fraction = lru_cache(1 << 10)(self._say_fraction)

    def _parse(self, text: str, begin: int = 0) -> WrittenNumber | None:
        """Return the number that begins at a position of a word; None if there is none."""
        sign = text[begin] if text[begin : begin + 1] and text[begin] in SIGNS else ""
        at = begin + len(sign)
        match = self._whole.match(text, at)
        whole, end = (match[0], match.end()) if match else ("", at)
        digits = "".join(filter(str.isdecimal, whole))
        decimals = self._decimals.match(text, end)
        if decimals is None:
            separators = [letter for letter in whole if not letter.isdecimal()]
            is_split = len(separators) == 1 and separators[0] in self.table.points
            split = whole[: whole.index(separators[0]) + 1] if is_split else ""
            if not whole:
                return None
            return WrittenNumber(sign, digits, "", "", end, digits != whole, split)
        point, places = decimals[1], decimals[2]
        return WrittenNumber(sign, digits, point, places, decimals.end(), digits != whole)

    def _say(self, number: WrittenNumber) -> tuple[str, ...]:
        """Return the readings of a number with its sign and decimals."""
        readings = self._decimal(number) if number.point else self._integer(number.whole)
        if number.split:
            whole, point = number.split[:-1], number.split[-1]
            places = number.whole[len(whole) :]
            decimal = WrittenNumber("", whole, point, places, number.end)
            readings = in_turn([readings, self._decimal(decimal)])
        return self.signed(number.sign, readings)

    def signed(self, sign: str, readings: Sequence[str]) -> tuple[str, ...]:
        """Return the readings with a word for the sign before each; unchanged without a sign."""
        if not sign or not readings:
            return tuple(readings)
        words = {"+": "plus", "±": "plus"}.get(sign, "minus")
        return tuple(combine([self.table.values(words), readings]))

    def _integer(self, digits: str) -> tuple[str, ...]:
        if len(digits) > LONGEST_NAME or (len(digits) > 1 and digits[0] == "0"):
            value = self.names.cardinals(int(digits)) if len(digits) == 2 and digits != "00" else ()
            return (*self.names.digits(digits), *value)
        number = int(digits)
        names = self.names
        counted = *self._in_millions(number), *self._in_counts(number)
        return (*names.cardinals(number), *names.hundreds(number), *counted)

    def _in_counts(self, number: int) -> Iterator[str]:
        """Yield readings that count in large units of the table: `three hundred crore`."""
        for unit, words in self.table.counts.items():
            count, rest = divmod(number, unit)
            quarters, odd = divmod(rest * 4, unit)
            if "+" in words and count and rest and count < 1000:
                yield from self._with_rest(count, words, rest)
            if odd or not 1 <= number * 4 // unit < 4000:
                continue
            counts: list[str] = list(self.names.cardinals(count)[:4]) if count and not rest else []
            if quarters and count and self.table.quarters:
                counts += self.with_quarters(count, quarters)
            elif quarters == 2 and self.table.points and count:
                half = WrittenNumber("", str(count), next(iter(self.table.points)), "5", 0)
                counts += self.say(half)[:6]
            if not count:
                counts += self.say_fraction(*((1, 2) if quarters == 2 else (quarters, 4)))[:4]
            yield from combine([counts, [word for word in words if word != "+"]], 24)

    def _with_rest(self, count: int, words: Sequence[str], rest: int) -> Iterator[str]:
        """Yield readings: a count of a unit, then the rest, with and without `and` between them."""
        counts = [*self.names.cardinals(count)[:3]] if count > 1 else [""]
        units = [word for word in words if word != "+"]
        rests = [text for text in self._integer(str(rest))[:5] if not text.isdecimal()]
        for glue in ("", *self.table.values("and")):
            yield from combine([counts, units, [glue + text for text in rests]], 12)

    def _in_millions(self, number: int) -> Iterator[str]:
        """Yield readings of a round number in millions or billions: `two point five million`."""
        for unit in (10**6, 10**9):
            tenths, rest = divmod(number, unit // 10)
            if rest or not tenths % 10 or not 10 < tenths < 10_000 or not self.table.points:
                continue
            named = [name.split() for n in (1, 2, 5) for name in self.names.cardinals(n * unit)[:1]]
            # where the number and the scale are one word, there is none of its own
            scales = dict.fromkeys(words[1] for words in named if len(words) == 2)
            whole, part = divmod(tenths, 10)
            point = next(iter(self.table.points))
            decimal = WrittenNumber("", str(whole), point, str(part), 0)
            yield from combine([self.say(decimal)[:12], list(scales)], 24) if scales else ()

    def with_quarters(self, whole: int, quarters: int) -> tuple[str, ...]:
        """Return readings of a whole number and quarters, as in Hindi `सवा तीन` (3 1/4)."""
        rows = self.table.quarters
        templates = rows.get((quarters, whole)) or rows.get((quarters, None), ())
        slots = {"n": self.names.cardinals(whole)[:4], "N": self.names.cardinals(whole + 1)[:4]}
        return fill_all(templates, slots)

    def _decimal(self, number: WrittenNumber) -> tuple[str, ...]:
        words = self.table.points[number.point]
        after = list(self.names.digits(number.decimals)[:6])
        if number.decimals[0] != "0" and len(number.decimals) <= 6:
            after += self.names.cardinals(int(number.decimals))[:4]
        after += [text for text in self.names.groups(number.decimals)[:6] if text not in after]
        if not number.whole:
            return tuple(combine([words, after]))
        befores = self._integer(number.whole)[:8]
        said = list(combine([befores, words, after], 56))
        parts = list(self._parts(number))
        readings = [*in_turn([parts[::2], parts[1::2], said], 96)]
        if set(number.whole) == {"0"}:
            readings += combine([words, after[:6]])
        if set(_in_ascii(number.decimals)) == {"0"}:
            readings[8:8] = self._integer(number.whole)[:12]
        # `two and a half` in place of `two point five`
        special = self.names.respelled("decimal", readings)
        quarters = _QUARTERS.get(_in_ascii(number.decimals), 0) if self.table.quarters else 0
        if quarters and number.whole:
            special = (*self.with_quarters(int(number.whole), quarters), *special)
        return tuple(dict.fromkeys((*readings[:1], *special, *readings)))

    def _parts(self, number: WrittenNumber) -> Iterator[str]:
        """Yield readings of a decimal as whole number and tenths, hundredths or smaller parts."""
        names = self.table.parts.get(len(number.decimals))
        wholes = next(iter(self.table.rows("wholes")), ())
        if not names or not wholes or not 1 <= len(number.whole) <= LONGEST_NAME:
            return
        ands = ("", *self.table.values("and"))
        numbers = int(number.whole), int(number.decimals)
        nouns = [self._nouns(*pair) for pair in zip(numbers, (wholes, names), strict=True)]
        # the feminine cases, which are right, and what people say in their place
        cases = self.names.in_same_case(*numbers)[:5]
        readings = [
            list(combine([whole, nouns[0], ands, part, nouns[1]], 40 // len(cases)))
            for whole, part in cases
        ]
        yield from in_turn(readings, 40)

    @staticmethod
    def _nouns(number: int, names: Sequence[str]) -> list[str]:
        """Return the last name for 1, 21, 31 and so on (not 11), otherwise the first name."""
        is_one = number % 10 == 1 and number % 100 != 11
        return names[-1 if is_one else 0].split("|")

    def _say_fraction(self, numerator: int, denominator: int) -> tuple[str, ...]:
        tops, bottoms = self.names.cardinals(numerator), self.names.cardinals(denominator)
        quarters, odd = divmod(numerator * 4, denominator) if denominator else (0, 1)
        special = () if odd or quarters > 3 else self.table.quarters.get((quarters, 0), ())
        ordinals = self._denominators(numerator, denominator)
        choices = [list(combine([tops[:6], ordinals]))] if ordinals else []
        if numerator == 1:
            choices.append(list(ordinals))
        ones = self._denominators(1, denominator) if self.table.of_few else ()
        choices.append(list(self.table.few(numerator, ones)))
        if special:
            choices.append(list(special))
        # house numbers such as 14/3 in Hindi
        single = "digits" in self.table.values("over")
        digits = [self.names.digits(str(n))[:1] if single else () for n in (numerator, denominator)]
        slots = {"n": (*tops[:6], *digits[0]), "d": (*bottoms[:8], *digits[1])}
        templates = [template for template in self.table.values("over") if "{" in template]
        choices.append(list(fill_all(templates, slots)))
        return in_turn(choices)

    def _denominators(self, numerator: int, denominator: int) -> tuple[str, ...]:
        special = self.table.fractions.get(denominator, ())
        chosen = 0 if numerator == 1 else 1
        names = [form for name in special[chosen : chosen + 1] for form in name.split("|")]
        if denominator < 2:
            return tuple(names)
        for pattern, *replacements in self.table.rows("denominator"):
            replacement = replacements[min(chosen, len(replacements) - 1)]
            for ordinal in self.names.ordinals(denominator):
                if re.search(pattern, ordinal):
                    names.append(re.sub(pattern, replacement, ordinal))
        return tuple(dict.fromkeys(names))[:12]


class WrittenQuantity(NamedTuple):
    """A number, fraction or range at the beginning of a written form, and what follows it."""

    readings: tuple[str, ...]
    size: int  # words
    rest: str  # of the last word
    kind: str
    number: WrittenNumber | None = None
    ends: tuple[Sequence[str], ...] = ()
    """The readings of the first and the last number of a range."""

    @property
    def few(self) -> int:
        """The number if it is a single digit without a sign; otherwise 3, which means many."""
        number = self.number
        if number is None or number.sign or len(number.whole) != 1:
            return 3
        return int(number.whole) if not _in_ascii(number.decimals).strip("0") else 3


def quantity_at(
    view: WordsView, amounts: SpokenAmounts, text: str | None = None
) -> WrittenQuantity | None:
    """Parse the number, range or fraction at the beginning of words or of a text.

    None without one.
    """
    if text is not None:
        return _quantity_of(view, amounts, text)
    if "quantity" not in view.notes:
        view.notes["quantity"] = _quantity_of(view, amounts, None)
    quantity: WrittenQuantity | None = view.notes["quantity"]
    return quantity


def _quantity_of(
    view: WordsView, amounts: SpokenAmounts, text: str | None
) -> WrittenQuantity | None:
    word = view.core if text is None else text
    if text is None and view.full[:1] in SIGNS and len(view.full) == 1 and view.goes_on(0):
        return None
    fraction = _fraction_at(view, amounts, word) if text is None else None
    if fraction is not None:
        return fraction
    number = amounts.parse(word)
    if number is None:
        return None
    ranged = _range_at(amounts, word, number)
    if ranged is not None:
        return ranged
    size = 1
    if text is None and number.end == len(word):
        number, size, word = _with_groups(view, amounts, number, word)
    rest = word[number.end :]
    if rest[:1] in VULGAR and not number.point:
        parts = amounts.say_fraction(*VULGAR[rest[0]])
        readings = _mixed(amounts, number, parts, VULGAR[rest[0]])
        return WrittenQuantity(readings, size, rest[1:], "fraction")
    kind = "decimal" if number.point else "cardinal"
    return WrittenQuantity(amounts.say(number), size, rest, kind, number)


def _with_groups(
    view: WordsView, amounts: SpokenAmounts, number: WrittenNumber, word: str
) -> tuple[WrittenNumber, int, str]:
    """Return the number including the groups of three digits after it, and where it ends.

    The end is given by the number of words, and by the text of the last word.
    """
    if " " not in amounts.table.groups or number.point or len(number.whole) > 3:
        return number, 1, word
    size, digits = 1, number.whole
    while view.goes_on(size - 1) and len(view.bare(size)) >= 3:
        following = amounts.parse(view.bare(size))
        if following is None or following.sign or len(following.whole) != 3:
            break
        digits, size = digits + following.whole, size + 1
        word, number = view.bare(size - 1), following._replace(sign=number.sign, grouped=True)
        if following.point or following.end < len(word):
            break
    return number._replace(whole=digits), size, word


def _range_at(amounts: SpokenAmounts, word: str, number: WrittenNumber) -> WrittenQuantity | None:
    """Return the range of two numbers with a dash between them; None if there is none."""
    dash = word[number.end : number.end + 1]
    if not dash or dash not in DASHES or not word[number.end + 1 : number.end + 2].isdecimal():
        return None
    other = amounts.parse(word, number.end + 1)
    if other is None or (other.end < len(word) and word[other.end] in DASHES):
        return None
    words = amounts.table.values("range")
    parts = [amounts.say(number)[:6], words, amounts.say(other)[:6]]
    readings = list(combine(parts))
    if number.whole == other.whole and number.is_whole and other.is_whole:
        # `fifty fifty`
        readings += [f"{name} {name}" for name in amounts.say(number)[:6]]
    if "" in words:
        readings += _with_one_scale(amounts, number, other)
    if number.is_whole and other.is_whole and 1 <= len(other.whole) <= 2 < len(number.whole):
        year = int(number.whole)
        last = amounts.names.cardinals(int(other.whole))[:2]
        readings += combine([amounts.names.years(year)[:6], words, last])
    elif len(number.whole) == 4 == len(other.whole):
        years = [amounts.names.years(int(n.whole))[:5] for n in (number, other)]
        readings += combine([years[0], words, years[1]])
    ends = amounts.say(number)[:6], amounts.say(other)[:6]
    return WrittenQuantity(tuple(readings), 1, word[other.end :], "range", None, ends)


def _with_one_scale(
    amounts: SpokenAmounts, number: WrittenNumber, other: WrittenNumber
) -> Iterator[str]:
    """Yield readings of a range of round numbers with the zeros read once: `300~500` as 三五百."""
    first, last = _in_ascii(number.whole), _in_ascii(other.whole)
    if number.point or other.point or len(first) != len(last) or set(first[1:]) != {"0"}:
        return
    if set(last[1:]) == {"0"}:
        yield from combine([amounts.names.cardinals(int(first[0]))[:3], amounts.say(other)[:6]])


def _mixed(
    amounts: SpokenAmounts, number: WrittenNumber, parts: Sequence[str], value: tuple[int, int]
) -> tuple[str, ...]:
    """Return the readings of a whole number followed by a fraction, whose readings are `parts`."""
    quarters, odd = divmod(value[0] * 4, value[1]) if value[1] else (0, 1)
    is_said = amounts.table.quarters and not odd and 0 < quarters < 4 and not number.sign
    special = amounts.with_quarters(int(number.whole or "0"), quarters) if is_said else ()
    slots = {"w": amounts.say(number)[:4], "f": parts[:16]}
    return (*special, *fill_all(amounts.table.values("mixed"), slots))


def _of_terms(amounts: SpokenAmounts, terms: re.Match[str]) -> tuple[str, ...]:
    """Return the readings of a fraction whose terms are decimals or roots: `1.5/3`, `1/√2`."""
    sides = []
    for root, text in (terms.group(1, 2), terms.group(3, 4)):
        number = amounts.parse(text)
        names = amounts.say(number)[:6] if number is not None and number.end == len(text) else ()
        roots = amounts.table.symbols.get("√", ()) if root else ("",)
        sides.append(tuple(combine([roots, names])))
    templates = [template for template in amounts.table.values("over") if "{" in template]
    return fill_all(templates, {"n": sides[0], "d": sides[1]})


def _fraction_at(view: WordsView, amounts: SpokenAmounts, word: str) -> WrittenQuantity | None:
    """Return the fraction at a position, with the whole number before it: `1 1/2`, `½`."""
    sign = word[:1] if word[:1] in SIGNS else ""
    body = word[len(sign) :]
    if body[:1] in VULGAR:
        parts = amounts.signed(sign, amounts.say_fraction(*VULGAR[body[0]]))
        return WrittenQuantity(parts, 1, body[1:], "fraction")
    match = _FRACTION.fullmatch(body)
    if match is not None and not match[3][:1].isdecimal() and match[3][:1] not in ("/", "⁄"):
        parts = amounts.signed(sign, amounts.say_fraction(int(match[1]), int(match[2])))
        rest = match[3]
        return WrittenQuantity(parts, 1, "" if rest.casefold() == "th" else rest, "fraction")
    terms = _TERMS.fullmatch(body)
    if terms is not None:
        return WrittenQuantity(amounts.signed(sign, _of_terms(amounts, terms)), 1, "", "fraction")
    if body.isdecimal() and view.goes_on(0):
        following = _FRACTION.fullmatch(view.bare(1))
        vulgar = VULGAR.get(view.bare(1))
        below = view.bare(2)
        if view.at(1) in ("/", "⁄") and view.goes_on(1) and below.isdecimal() and len(below) < 8:
            parts = amounts.signed(sign, amounts.say_fraction(int(body), int(below)))
            return WrittenQuantity(parts, 3, "", "fraction")
        if (following is not None and following[3].casefold() in ("", "th")) or vulgar:
            top, bottom = vulgar or (
                int(view.bare(1).split("/")[0]),
                int(following[2]) if following else 1,
            )
            number = WrittenNumber(sign, body, "", "", len(word))
            parts = amounts.say_fraction(top, bottom)
            return WrittenQuantity(_mixed(amounts, number, parts, (top, bottom)), 2, "", "fraction")
    return None


def read_numbers(view: WordsView, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    """Yield readings of plain numbers: cardinals, decimals, years, digits, fractions, ranges."""
    if view.core in amounts.table.joined and view.goes_on(0):
        # Arabic `و 200`, spoken as one word
        following = quantity_at(view.moved(1), amounts)
        if following is not None and not following.rest:
            parts = [(view.core,), following.readings]
            yield FoundForm("cardinal", 1 + following.size, tuple(combine(parts, between="")))
        return
    quantity = quantity_at(view, amounts)
    if quantity is None or quantity.rest:
        return
    number = quantity.number
    if number is None or number.point:
        kind = "negative" if view.core[:1] in SIGNS and number is not None else quantity.kind
        yield FoundForm(
            kind, quantity.size, (*quantity.readings, *_regrouped(view, amounts, number))
        )
        return
    regrouped = _regrouped(view, amounts, number)
    if number.sign:
        yield FoundForm("negative", quantity.size, quantity.readings)
        return
    if number.is_whole:
        gap = amounts.table.values("gap") if view.previous in amounts.table.scales else ()
        after_gap = combine([gap, quantity.readings[:8]]) if gap else ()
        readings = (*quantity.readings[:40], *regrouped, *after_gap)
        yield FoundForm("cardinal", quantity.size, readings)
    if number.is_whole and len(number.whole) in (3, 4) and not number.grouped:
        yield FoundForm("year", 1, amounts.names.years(int(number.whole)))
    if len(number.whole) > 1:
        names = amounts.names.digits(number.whole)
        # of two digits `03` is a three, too
        names = amounts.say(number) if len(number.whole) == 2 and not number.is_whole else names
        yield FoundForm("digits", quantity.size, names)
        if len(number.whole) > 2 and not number.grouped and "telephone" in view.classes:
            yield FoundForm("telephone", 1, amounts.names.groups(number.whole))


def _regrouped(
    view: WordsView, amounts: SpokenAmounts, number: WrittenNumber | None
) -> Iterator[str]:
    """Yield other notations of a number: with thousands separators or, if it has them, without."""
    if number is None or not amounts.table.groups or number.whole[:1] == "0":
        return
    rest = number.sign, number.point + number.decimals
    if number.grouped:
        yield number.whole.join(rest)
    elif len(number.whole) > 3:
        for sign in amounts.table.groups:
            yield f"{int(number.whole):,}".replace(",", sign).join(rest)


def read_ordinals(view: WordsView, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    """Yield readings of ordinals: a number with an ending, or after a word (`21st`, `ke-4`)."""
    for before in amounts.table.values("ordinalprefix"):
        digits = view.core[len(before) :]
        if view.core.casefold().startswith(before) and digits.isdecimal():
            yield FoundForm("ordinal", 1, amounts.names.ordinals(int(digits)))
    words = [(word, amounts.parse(word), 1) for word in dict.fromkeys((view.full, view.core))]
    first = words[0][1]
    if first is not None:
        # `1 000.º`: signs between thousands may be blanks
        grouped, groups, last = _with_groups(view, amounts, first, view.full)
        words += [(last, grouped, groups)] if groups > 1 else []
    for word, number, size in words:
        if number is None or number.point or number.sign or not number.is_whole:
            continue
        rest = (word[number.end :] or _dot_after(view, size)).casefold()
        if rest and rest in amounts.table.suffixes:
            endings = amounts.table.suffixes[rest]
            names = amounts.names.ordinals(int(number.whole))
            if endings and endings[0]:
                names = tuple(name for name in names if re.search(endings[0], name))
            yield FoundForm("ordinal", size, names)
            if "cardinal" in endings:
                # Russian `4-х`, четырех
                cardinals = amounts.names.cardinals(int(number.whole))
                names = tuple(name for name in cardinals if re.search(endings[0], name))
                yield FoundForm("cardinal", size, names)


def _dot_after(view: WordsView, size: int) -> str:
    """Return the dot at the end of the last of `size` words, or an empty text."""
    return "." if size > 1 and view.at(size - 1).endswith(".") else ""


def _after(view: WordsView, quantity: WrittenQuantity) -> Iterator[tuple[int, str]]:
    """Yield each possible unit after a quantity, with the number of words up to the unit's end."""
    if quantity.rest:
        rest = quantity.rest
        yield quantity.size, rest.lstrip("-").strip() or rest
        if quantity.size == 1 and view.goes_on(0):
            for size, phrase in view.phrases(1, 2):
                yield 1 + size, f"{rest} {phrase}"
    elif view.goes_on(quantity.size - 1):
        for size, phrase in view.phrases(quantity.size):
            yield quantity.size + size, phrase


def read_percent(view: WordsView, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    """Yield readings of a number before a percent sign."""
    signs = amounts.table.percents
    first = signs.get(view.core[:1])
    if first and len(view.core) > 1:
        after = quantity_at(view, amounts, view.core[1:])
        if after is not None and not after.rest:
            yield FoundForm("percent", 1, _percent(amounts, after, first))
    quantity = quantity_at(view, amounts)
    if quantity is None:
        return
    for size, text in _after(view, quantity):
        names = signs.get(text) or signs.get(text.rstrip("."))
        if names:
            yield FoundForm("percent", size, _percent(amounts, quantity, names))


def _percent(
    amounts: SpokenAmounts, quantity: WrittenQuantity, names: Sequence[str]
) -> tuple[str, ...]:
    """Return the readings of a percentage; in some languages, the words for percent come first."""
    choices = [counted(quantity.readings, names)]
    number = quantity.number
    if any("{n}" in name for name in names):
        if number is not None and number.sign:
            plain = counted(amounts.say(number._replace(sign="")), names)
            choices.append(amounts.signed(number.sign, plain))
        if quantity.ends:
            ends = [counted(end, names)[:6] for end in quantity.ends]
            choices.append(tuple(combine([ends[0], amounts.table.values("range"), ends[1]])))
    return (*amounts.table.few(quantity.few, names), *in_turn(choices))


def counted(numbers: Sequence[str], names: Sequence[str]) -> tuple[str, ...]:
    """Return readings of numbers before nouns; in a noun with `{n}`, the number is there."""
    plain = [name for name in names if "{n}" not in name]
    placed = [name for name in names if "{n}" in name]
    readings = list(combine([numbers, plain])) if plain else []
    return in_turn([readings, fill_all(placed, {"n": numbers})])


def unit_names(table: SpokenTable, text: str) -> tuple[str, ...]:
    """Return the names of a unit, or of a unit per another unit such as `kg/m³`."""
    for form in dict.fromkeys((text, text.rstrip("."), text.replace(" ", ""))):
        names = table.unit(form)
        if names:
            return names
    above, slash, below = text.rstrip(".").partition("/")
    if not slash or not below:
        return ()
    tops = table.unit(above) if above else ("",)
    bottoms = table.unit(below)[:4]
    if not tops or not bottoms:
        return ()
    return tuple(combine([tops[:4], table.values("per"), bottoms], 24))


def read_measures(view: WordsView, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    """Yield readings of a number before a unit: `5 km`, `20 °C`, `3 kg/m³`."""
    quantity = quantity_at(view, amounts)
    if quantity is None:
        if view.core[-1:] in RAISED:
            # the sign of an area or a volume says that it is a unit: `one m²`
            yield FoundForm("measure", 1, amounts.table.unit(view.core))
        return
    has_unit = False
    for size, text in _after(view, quantity):
        year = quantity.number if text in amounts.table.year_marks else None
        if year is not None and year.is_whole and 3 <= len(year.whole) <= 4:
            has_unit = True
            years = amounts.names.years(int(year.whole))
            yield FoundForm("year", size, counted(years, amounts.table.year_marks[text]))
            break
        names = unit_names(amounts.table, text)
        if names:
            has_unit = True
            few = amounts.table.few(quantity.few, names)
            readings = counted(quantity.readings, (*names, *_as_letters(text)))
            yield FoundForm("measure", size, (*few, *readings))
    # `10k dollars` and `1,5 mn` are thousands and millions although `k` and `mN` are units, too
    if not has_unit or quantity.rest or len(view.bare(quantity.size)) > 1:
        yield from _scaled_measures(view, amounts, quantity)


def _as_letters(text: str) -> tuple[str, ...]:
    """Return a short unit spelled letter by letter, and as a word."""
    return (" ".join(text), text) if text.isalpha() and text.isascii() and len(text) < 4 else ()


def _scaled_measures(
    view: WordsView, amounts: SpokenAmounts, quantity: WrittenQuantity
) -> Iterator[FoundForm]:
    """Yield readings of a number followed by a word such as million, with or without a unit."""
    for scale, size in _scales_after(view, amounts, quantity):
        readings = tuple(combine([quantity.readings, scale]))
        shifted = amounts.names.respelled("scaled", readings)
        yield FoundForm("measure", size, (*readings[:1], *shifted, *readings[1:]))
        for more, phrase in view.phrases(size, 2) if view.goes_on(size - 1) else ():
            names = unit_names(amounts.table, phrase)
            if names:
                numbers = tuple(combine([quantity.readings, scale], 32))
                yield FoundForm("measure", size + more, counted(numbers, names))


def _scales_after(
    view: WordsView, amounts: SpokenAmounts, quantity: WrittenQuantity
) -> Iterator[tuple[tuple[str, ...], int]]:
    text, size = quantity.rest, quantity.size
    if not text and view.goes_on(size - 1):
        text, size = view.bare(size), size + 1
    scale = amounts.table.scales.get(text) or amounts.table.scales.get(text.casefold())
    if scale:
        yield scale, size


def read_money(view: WordsView, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    """Yield readings of an amount of money with its currency before or after the number."""
    yield from _money_after_sign(view, amounts)
    quantity = quantity_at(view, amounts)
    if quantity is None:
        return
    for size, text in _after(view, quantity):
        currency, per = _currency_per(amounts.table, text)
        if currency is not None:
            yield FoundForm("money", size, _money(amounts, quantity, currency, (), per))
    for scale, size in _scales_after(view, amounts, quantity):
        for more, phrase in view.phrases(size, 2) if view.goes_on(size - 1) else ():
            currency = amounts.table.currency(phrase)
            if currency is not None:
                yield FoundForm("money", size + more, _money(amounts, quantity, currency, scale))


def _currency_per(table: SpokenTable, text: str) -> tuple[CurrencyNames | None, tuple[str, ...]]:
    """Return the names of a currency, and those of the unit after a slash, as in `$/kg`."""
    sign, slash, unit = text.rstrip(".").partition("/")
    return table.currency(sign), unit_names(table, "/" + unit) if slash else ()


def _money_after_sign(view: WordsView, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    word, table = view.core, amounts.table
    sign = word[:1] if word[:1] in SIGNS else ""
    begin = next((at for at, letter in enumerate(word) if letter.isdecimal()), len(word))
    currency = table.currency(word[len(sign) : begin]) if begin > len(sign) else None
    if currency is None and begin > len(sign) + 1 and word[begin - 1] in table.points:
        # `$.50`
        begin -= 1
        currency = table.currency(word[len(sign) : begin])
    if currency is None:
        return
    if begin < len(word):
        text, size = word[begin:], 1
    elif view.goes_on(0):
        text, size = view.bare(1), 2
    else:
        return
    first, *others = _split_range(text, word[len(sign) : begin])
    quantity = quantity_at(view, amounts, sign + first)
    if quantity is None or not any(map(str.isdecimal, first)):
        return
    quantity = quantity._replace(size=size)
    if size == 1 and not others and not quantity.rest and quantity.number is not None:
        # `$15 000`
        number, size, last = _with_groups(view, amounts, quantity.number, sign + first)
        if size > 1:
            readings = amounts.say(number)
            quantity = WrittenQuantity(readings, size, last[number.end :], "cardinal", number)
    if others:
        other = quantity_at(view, amounts, others[0])
        if other is not None and not other.rest and not quantity.rest:
            both = [_money(amounts, part, currency)[:5] for part in (quantity, other)]
            yield FoundForm(
                "range", size, tuple(combine([both[0], table.values("range"), both[1]]))
            )
        return
    per: tuple[str, ...] = ()
    if quantity.rest[:1] == "/":
        per = unit_names(table, quantity.rest)
        quantity = quantity._replace(rest="")
    if not quantity.rest:
        yield FoundForm("money", size, _money(amounts, quantity, currency, (), per))
    for scale, end in _scales_after(view, amounts, quantity):
        yield FoundForm("money", end, _money(amounts, quantity, currency, scale, per))


def _split_range(text: str, sign: str) -> list[str]:
    """Return the amounts of a range whose second amount repeats the currency sign: `$5-$10`."""
    for dash in DASHES:
        first, separator, other = text.partition(dash + sign)
        if separator:
            return [first, other]
    return [text]


def _money(
    amounts: SpokenAmounts,
    quantity: WrittenQuantity,
    currency: CurrencyNames,
    scale: Sequence[str] = (),
    per: Sequence[str] = (),
) -> tuple[str, ...]:
    number = quantity.number
    if scale:
        numbers = tuple(combine([quantity.readings, scale], 32))
        return counted(numbers, currency.major)
    few = amounts.table.few(quantity.few, currency.major)
    choices = [[*few, *counted(quantity.readings, currency.major)]]
    if number is not None and currency.minor and len(number.decimals) in (1, 2):
        choices = [list(_with_minor(amounts, number, currency)), *choices]
    elif (
        number is not None
        and number.decimals
        and set(number.decimals[2:]) <= {"0"}
        and currency.minor
    ):
        cut = number._replace(decimals=number.decimals[:2])
        choices = [list(_with_minor(amounts, cut, currency)), *choices]
    readings = in_turn(choices)
    return tuple(combine([readings[:16], per])) if per else readings


def _with_minor(
    amounts: SpokenAmounts, number: WrittenNumber, currency: CurrencyNames
) -> tuple[str, ...]:
    """Return the readings of an amount in large and small units: `two dollars fifty cents`."""
    cents = int((number.decimals + "0")[:2])
    whole = number.whole or "0"
    numbers = amounts.say(number._replace(point="", decimals="", whole=whole))
    minors = amounts.names.cardinals(cents)
    if not cents:
        return counted(numbers, currency.major)
    if currency.tenth and set(whole) != {"0"}:
        return (*_with_tenths(amounts, numbers, cents, currency), *counted(numbers, ()))
    slots = {
        "n": numbers[:12],
        "major": amounts.table.agreeing(whole, currency.major)[:5],
        "m": minors[:2],
        "minor": amounts.table.agreeing(str(cents), currency.minor)[:3],
    }
    readings = fill_all(amounts.table.values("money"), slots)
    if set(_in_ascii(whole)) == {"0"}:
        return (*counted(minors, currency.minor)[:40], *readings)
    return readings


def _with_tenths(
    amounts: SpokenAmounts, numbers: Sequence[str], cents: int, currency: CurrencyNames
) -> Iterator[str]:
    """Yield readings of an amount in three units: `三元五角八分`. The last unit may be omitted."""
    tenths, rest = divmod(cents, 10)
    parts: list[Sequence[str]] = [numbers[:6], currency.major[:3]]
    zero = amounts.names.digit(0)[:1]
    parts.append(
        list(combine([amounts.names.cardinals(tenths)[:2], currency.tenth])) if tenths else zero
    )
    if rest:
        ones = amounts.names.cardinals(rest)[:2]
        parts.append([*combine([ones, currency.minor]), *(ones if tenths else ())])
    yield from combine(parts)


FormReader = Callable[[WordsView, SpokenAmounts], Iterator[FoundForm]]
