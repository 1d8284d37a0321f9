"""Dates, times of day and decades."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from scoring.text.spoken.amounts import SpokenAmounts, quantity_at, unit_names
from scoring.text.spoken.combining import MOST, combine, fill_all, in_turn, slots_of
from scoring.text.spoken.table import SpokenTable
from scoring.text.spoken.view import FoundForm, WordsView

_NUMERIC = re.compile(r"(\d{1,4})([-/.])(\d{1,4})(?:\2(\d{1,4}))?")
_CLOCK = re.compile(r"(\d{1,2})([:：.hHg٫])(\d{2})(?:[:：.](\d{2}))?(.*)")
_RATIO = re.compile(r"(\d{1,4})([:：x×])(\d{1,4})")
_HOUR = re.compile(r"(\d{1,2})(.*)")
_DECADE = re.compile(r"(['’‘]?)((?:\d\d)?\d0)['’]?s")
# What stands for a mark of hours after a time, instead of what else follows.
MARKED = " "
_CONDITION = re.compile(r"([hm])(<=|>=|=|<|>)(\d+)")


class WrittenDate(NamedTuple):
    """A date; missing parts are None."""

    day: int | None = None
    month: int | None = None
    year: int | None = None
    ending: str = ""
    """The pattern that the name of the day must match, given by the ending after its number."""
    zeros: frozenset[str] = frozenset()
    """The letters of the parts that are written with a leading zero."""

    @property
    def is_real(self) -> bool:
        """True if day and month are in their ranges."""
        return 1 <= (self.day or 1) <= 31 and 1 <= (self.month or 1) <= 12


def read_dates(view: WordsView, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    """Yield readings of dates in digits, or with the name of a month."""
    for word in dict.fromkeys((view.core, view.full)):
        digits, mark_names = _without_mark(word, amounts.table)
        match = _NUMERIC.fullmatch(digits)
        if match is not None:
            dates = [date_readings(amounts, date) for date in _numeric_dates(amounts, match)]
            if mark_names:
                dates += [tuple(combine([readings[:16], mark_names])) for readings in dates]
            # a decimal with a point shares the room
            most = 24 if match[2] == "." and not match[4] else MOST
            yield FoundForm("date", 1, in_turn(dates, most))
    for date, size in _named_dates(view, amounts):
        readings = date_readings(amounts, date)
        if readings:
            yield FoundForm("date", size, readings)


def _without_mark(word: str, table: SpokenTable) -> tuple[str, tuple[str, ...]]:
    """Return a word without the year mark at its end, and its names: Russian `06.03.1906г.`."""
    mark = word.lstrip("0123456789./-")
    names = table.year_marks.get(mark, ()) if mark else ()
    return word.removesuffix(mark) if names else word, names


def _numeric_dates(amounts: SpokenAmounts, match: re.Match[str]) -> Iterator[WrittenDate]:
    first, sign, second, third = match.groups()
    for order in amounts.table.values("numeric"):
        parts = [first, second, third] if third else [first, second]
        if len(order) != len(parts):
            continue
        fields = {"dmy".index(letter): int(part) for letter, part in zip(order, parts, strict=True)}
        lengths = {letter: len(part) for letter, part in zip(order, parts, strict=True)}
        if lengths.get("d", 1) > 2 or lengths.get("m", 1) > 2 or lengths.get("y", 4) in (1, 3):
            continue
        is_year = 4 in lengths.values()
        if not third and sign == "." and not is_year and not _is_padded(amounts, parts):
            continue
        zeros = frozenset(
            letter for letter, part in zip(order, parts, strict=True) if part[0] == "0"
        )
        date = WrittenDate(fields.get(0), fields.get(1), fields.get(2), zeros=zeros)
        if date.is_real and date.day != 0 and date.month != 0:
            yield date


def _is_padded(amounts: SpokenAmounts, parts: Sequence[str]) -> bool:
    """Return True if parts look like a day and a month, not like a decimal."""
    if "dotted" in amounts.table.values("numeric"):
        return True
    return parts[0][0] == "0" and all(len(part) == 2 for part in parts)


def _named_dates(view: WordsView, amounts: SpokenAmounts) -> Iterator[tuple[WrittenDate, int]]:
    """Yield dates that have the name of a month, each with its number of words: `March 3, 2020`."""
    hyphened = view.core.split("-")
    if 2 <= len(hyphened) <= 3:
        date = _date_of([_field(amounts, part) for part in hyphened])
        if date is not None:
            yield date, 1
    if amounts.table.date_marks:
        yield from _marked_dates(view, amounts)
    fields: list[tuple[str, int] | None] = []
    ending = ""
    for distance in range(5):
        word = view.at(distance)
        if fields and word.casefold() in amounts.table.date_links:
            continue
        field = _field(amounts, word)
        if field is None:
            break
        fields.append(field)
        ending = _ending(amounts, word) or ending
        date = _date_of(fields) or _dotted_date(view, amounts, fields)
        if date is not None:
            yield date._replace(ending=ending), distance + 1
        if len(fields) == 3:
            break


def _marked_dates(view: WordsView, amounts: SpokenAmounts) -> Iterator[tuple[WrittenDate, int]]:
    """Yield dates with a mark after each number, and how many words a date has: `2020年3月5日`."""
    values: dict[str, int] = {}
    distance = 0
    while len(values) < 3:
        number = amounts.parse(view.bare(distance))
        if number is None or number.sign or number.point or len(number.whole) > 4:
            return
        mark, size = view.bare(distance)[number.end :], 1
        if not mark and view.goes_on(distance):
            mark, size = view.bare(distance + 1), 2
        letter = amounts.table.date_marks.get(mark)
        if letter is None or letter in values:
            return
        values[letter] = int(number.whole)
        distance += size
        date = WrittenDate(values.get("d"), values.get("m"), values.get("y"))
        if not date.is_real:
            return
        yield date, distance


def _field(amounts: SpokenAmounts, word: str) -> tuple[str, int] | None:
    """Return the kind of a date's part (one letter) and its number; None for other words."""
    month = amounts.table.months.get(word.casefold())
    if month is None:
        month = amounts.table.months.get(word.rstrip(".").casefold())
    if month is not None:
        return "m", month
    number = amounts.parse(word)
    if number is None or number.sign or number.point or number.grouped:
        return None
    rest = word[number.end :].rstrip(".,").casefold()
    if len(number.whole) <= 2 and (not rest or rest in amounts.table.suffixes):
        return "d", int(number.whole)
    return ("y", int(number.whole)) if 3 <= len(number.whole) <= 4 and not rest else None


def _date_of(fields: Sequence[tuple[str, int] | None]) -> WrittenDate | None:
    """Return the date with these parts; None if it is invalid or has no month."""
    known = [field for field in fields if field is not None]
    letters = "".join(letter for letter, _ in known)
    if len(known) < len(fields):
        return None
    if letters == "ydd":
        # year, month, day, each with a dot after it, as Hungarians write
        known = [known[0], ("m", known[1][1]), known[2]]
        letters = "ymd"
    if letters == "ddm" or letters in ("mdd", "dmd"):
        known = [*known[:-1], ("y", known[-1][1])] if letters != "ddm" else []
        letters = "".join(letter for letter, _ in known)
    if letters not in ("dm", "md", "my", "ym", "dmy", "mdy", "ymd", "ydm"):
        return None
    values = dict(known)
    date = WrittenDate(values.get("d"), values.get("m"), values.get("y"))
    return date if date.is_real and date.day != 0 else None


def _ending(amounts: SpokenAmounts, word: str) -> str:
    """Return the pattern that the name of a number must match because of its ending: `1-jén`."""
    kinds = amounts.table.suffixes.get(word.lstrip("0123456789").rstrip(".,").casefold(), ())
    return next(iter(kinds), "")


def _dotted_date(
    view: WordsView, amounts: SpokenAmounts, fields: Sequence[tuple[str, int] | None]
) -> WrittenDate | None:
    """Return the date of a month and a day, in languages that write both with dots: `04. 1-je`."""
    if len(fields) != 2 or not {"md", "dotted"} <= {*amounts.table.values("numeric")}:
        return None
    (first, month), (last, day) = (field or ("", 0) for field in fields)
    is_dotted = view.at(0).endswith(".") and not view.at(1)[-1:].isdecimal()
    date = WrittenDate(day, month)
    return date if (first, last) == ("d", "d") and is_dotted and date.is_real and day else None


def date_readings(amounts: SpokenAmounts, date: WrittenDate) -> tuple[str, ...]:
    """Return the ways to say a date."""
    names, table = amounts.names, amounts.table
    slots: dict[str, Sequence[str]] = {}
    if date.day is not None:
        slots["d"] = names.cardinals(date.day)[:4]
        slots["df"] = amounts.table.day_forms.get(date.day, ())
        slots["do"] = names.ordinals(date.day)[:12]
        if date.ending:
            fitting: dict[str, Sequence[str]] = {
                slot: [name for name in texts if re.search(date.ending, name)]
                for slot, texts in slots.items()
            }
            slots = fitting if any(fitting.values()) else slots
    if date.month is not None:
        slots["m"] = table.month_names.get(date.month, ())
        slots["mc"], slots["mo"] = names.of_month(date.month)
    if date.year is not None:
        slots["y"] = year_readings(amounts, date.year)[:10]
    for letter in date.zeros & {"d", "m"}:
        # a zero that is said: `ноль второго ноль первого`
        slots[letter + "z"] = list(combine([names.digit(0)[:1], slots[letter + "o"]]))
    given = frozenset(
        letter for letter, value in zip("dmy", date[:3], strict=True) if value is not None
    )
    templates = [
        template
        for template in table.values("date")
        if frozenset(slot[0] for slot in slots_of(template)) == given
    ]
    return fill_all(templates, slots)


def year_readings(amounts: SpokenAmounts, year: int) -> tuple[str, ...]:
    """Return the ways to say a year; a two-digit year is also read as two digits."""
    if year < 100:
        spelled = [*amounts.names.digits(f"{year:02}")[:2], *amounts.names.cardinals(year)[:2]]
        if not any(name.startswith("ordinal") for name in amounts.table.values("years")):
            return tuple(spelled)
        ordinals = amounts.names.years(year)[:3]
        zero = amounts.names.digit(0)[:1] if year < 10 else ()
        return in_turn([spelled, [*combine([zero, ordinals])] if zero else ordinals, ordinals])
    return in_turn([list(amounts.names.years(year)), list(amounts.names.cardinals(year)[:4])])


def read_decades(view: WordsView, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    """Yield readings of decades: `1980s`, `'90s`."""
    word = view.core
    text = view.words[view.place].strip(".,;:!?()")
    for form in dict.fromkeys((text, word)):
        before, dash, last = form.rpartition("-")
        match = _DECADE.fullmatch(last)
        if match is None or not amounts.table.rows("decade"):
            yield from _marked_decade(form, amounts)
            continue
        number = int(match[2])
        tens = amounts.names.cardinals(number % 100 or number)
        plurals = [_decade(amounts, name) for name in tens]
        if number >= 100:
            years = amounts.names.years(number)
            plurals = [_decade(amounts, name) for name in years]
        readings = [f"{before} {name}" if dash else name for name in plurals]
        yield FoundForm("decade", 1, readings)


def _marked_decade(form: str, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    """Yield readings of decades with a language's mark: German `90er`, Swedish `1990-talet`."""
    for mark in amounts.table.values("decademark"):
        digits = form.removesuffix(mark)
        if digits != form and digits.isdecimal() and digits[-1] == "0" and len(digits) in (2, 4):
            names = amounts.names.years if len(digits) == 4 else amounts.names.cardinals
            yield FoundForm("decade", 1, [_decade(amounts, name) for name in names(int(digits))])


def _decade(amounts: SpokenAmounts, name: str) -> str:
    """Return the name of a decade, formed from `name`, the name of its first year."""
    for pattern, replacement in amounts.table.rows("decade"):
        if re.search(pattern, name):
            return re.sub(pattern, replacement, name)
    return name


class ClockTime(NamedTuple):
    """A time of day; None for missing parts."""

    hour: int
    minute: int | None = None
    second: int | None = None


def read_times(view: WordsView, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    """Yield readings of times of day, with half of the day or time zone: `10:30 p.m.`."""
    for clock, size, rest in _clocks(view, amounts):
        if clock.hour > 24 or (clock.minute or 0) > 59 or (clock.second or 0) > 59:
            continue
        is_whole = rest == MARKED or (clock.minute is not None and not rest)
        ends = list(_periods(view, amounts, size, rest))
        readings = clock_readings(amounts, clock) if is_whole or ends else ()
        for end, periods in ends:
            yield FoundForm("time", end, _in_period(amounts, readings, periods))
        if is_whole:
            yield FoundForm("time", size, readings)


def _clocks(view: WordsView, amounts: SpokenAmounts) -> Iterator[tuple[ClockTime, int, str]]:
    """Yield times of day: the time, its number of words, and what follows it in its last word."""
    marks = amounts.table.hour_marks
    for word in dict.fromkeys((view.full, view.core)):
        match = _CLOCK.fullmatch(word)
        if match is not None:
            hour, sign, minute, second, rest = match.groups()
            if sign == "g" and sign not in marks:
                continue
            seconds = None if second is None else int(second)
            clock = ClockTime(int(hour), int(minute), seconds)
            marked = view.goes_on(0) and view.bare(1).casefold() in marks
            has_mark = marked or rest or "." in marks or _has_period(view, amounts, 1)
            if sign == "." and not has_mark:
                continue
            if rest.casefold() in marks or not rest:
                yield clock, 1, ""
            else:
                yield clock, 1, rest
            if marked and not rest:
                yield clock, 2, MARKED
        match = _HOUR.fullmatch(word)
        if match is None:
            continue
        hour, rest = match.groups()
        if rest.casefold() in marks:
            yield from _with_minutes(view, amounts.table, ClockTime(int(hour)), 1)
        elif not rest and view.goes_on(0) and view.bare(1).casefold() in marks:
            yield from _with_minutes(view, amounts.table, ClockTime(int(hour)), 2)
        elif not rest:
            yield ClockTime(int(hour)), 1, ""
        else:
            yield ClockTime(int(hour)), 1, rest


def _with_minutes(
    view: WordsView, table: SpokenTable, clock: ClockTime, size: int
) -> Iterator[tuple[ClockTime, int, str]]:
    """Yield a time that has a mark for hours, alone and with the minutes after it: `11 h 30`."""
    yield clock, size, MARKED
    minute, marks = view.bare(size), table.minute_marks
    if not view.goes_on(size - 1) or not minute.isdecimal() or len(minute) > 2:
        return
    if view.goes_on(size) and view.bare(size + 1) in marks:
        yield clock._replace(minute=int(minute)), size + 2, MARKED
    elif len(minute) == 2 and table.has_blanks:
        yield clock._replace(minute=int(minute)), size + 1, MARKED


def _has_period(view: WordsView, amounts: SpokenAmounts, size: int) -> bool:
    return any(phrase.casefold() in amounts.table.periods for _, phrase in view.phrases(size))


def _periods(
    view: WordsView, amounts: SpokenAmounts, size: int, rest: str
) -> Iterator[tuple[int, tuple[tuple[str, ...], ...]]]:
    """Yield what may follow a time: half of the day, time zone, or both.

    Each comes with a number of words, counted from the beginning of the time.
    """
    table = amounts.table
    tables = (table.periods, table.zones)
    if rest and rest != MARKED:
        names = table.periods.get(rest.casefold())
        if names:
            yield size, (names,)
            if view.goes_on(size - 1):
                for more, zone in view.phrases(size, 1):
                    if zone.casefold() in table.zones:
                        yield size + more, (names, table.zones[zone.casefold()])
        return
    if not view.goes_on(size - 1):
        return
    for more, phrase in view.phrases(size, 3):
        for known in tables:
            names = known.get(phrase.casefold()) or known.get(phrase.casefold().rstrip("."))
            if not names:
                continue
            yield size + more, (names,)
            if known is table.periods and view.goes_on(size + more - 1):
                for last, zone in view.phrases(size + more, 3):
                    zones = table.zones.get(zone.casefold())
                    if zones:
                        yield size + more + last, (names, zones)


def _in_period(
    amounts: SpokenAmounts, readings: Sequence[str], periods: Sequence[Sequence[str]]
) -> tuple[str, ...]:
    found = tuple(readings)
    for names in periods:
        plain = [name for name in names if "{t}" not in name]
        placed = [name for name in names if "{t}" in name]
        texts = [list(combine([found[:20], plain]))] if plain else []
        found = in_turn([*texts, list(fill_all(placed, {"t": found[:20]}))])
    return found


def clock_readings(amounts: SpokenAmounts, clock: ClockTime) -> tuple[str, ...]:
    """Return the ways to say a time of day."""
    minute = clock.minute or 0
    slots = _clock_slots(amounts, clock)
    key = "clock" if clock.second is None else "clock3"
    templates = [
        template
        for condition, *phrases in amounts.table.rows(key)
        if _fits(condition, clock.hour, minute)
        for template in phrases
    ]
    readings = fill_all(templates, slots)
    if clock.second == 0:
        # nobody needs to say no seconds
        return in_turn([readings, clock_readings(amounts, clock._replace(second=None))])
    return readings


def _fits(condition: str, hour: int, minute: int) -> bool:
    """Return True if a time meets all conditions of a table row, such as `m=30` or `m<30 h>12`."""
    for name, sign, text in _CONDITION.findall(condition):
        value, limit = (hour if name == "h" else minute), int(text)
        meets = {
            "=": value == limit,
            "<": value < limit,
            ">": value > limit,
            "<=": value <= limit,
            ">=": value >= limit,
        }
        if not meets[sign]:
            return False
    return True


def _clock_slots(amounts: SpokenAmounts, clock: ClockTime) -> Mapping[str, Sequence[str]]:
    names, minute = amounts.names, clock.minute or 0
    following = clock.hour + 1
    slots = {
        "h": _hour(amounts, clock.hour, False),
        "g": _hour(amounts, clock.hour, True),
        "H": _hour(amounts, following % 24, False),
        "G": _hour(amounts, following, True),
        # the hour as an ordinal: `wpół do jedenastej`
        "ho": _hour_ordinals(amounts, clock.hour),
        "go": _hour_ordinals(amounts, clock.hour % 12 or 12),
        "GO": _hour_ordinals(amounts, following % 12 or 12),
        "m": names.cardinals(minute)[:6],
        "r": names.cardinals(60 - minute)[:6],
        "half": names.cardinals(abs(minute - 30))[:6],
        "q": names.cardinals(abs(minute - 45))[:6],
        "mm": names.digits(f"{minute:02}")[:4],
    }
    if clock.second is not None:
        slots["s"] = names.cardinals(clock.second)[:3]
    return slots


def _hour_ordinals(amounts: SpokenAmounts, hour: int) -> tuple[str, ...]:
    """Return the ordinals of an hour in the grammatical cases that the table lists."""
    pattern = next(iter(amounts.table.values("hourordinal")), None)
    if pattern is None:
        return ()
    return tuple(name for name in amounts.names.ordinals(hour) if re.search(pattern, name))[:6]


def _hour(amounts: SpokenAmounts, hour: int, twelve: bool) -> tuple[str, ...]:
    """Return the names of an hour on the 12-hour or 24-hour clock."""
    given = amounts.table.hours.get(hour, ())
    value = (hour - 1) % 12 + 1 if twelve else hour
    given = (*given, *amounts.table.hours.get(value, ()))
    return tuple(dict.fromkeys((*given, *amounts.names.cardinals(value)[:8])))


def _measured_range(
    view: WordsView, amounts: SpokenAmounts, first: str, last: str
) -> Iterator[FoundForm]:
    """Yield readings of a range of two numbers that each have a unit: `15cm-25cm`."""
    ends: list[list[str]] = []
    for text in (first, last) if first[:1].isdecimal() and last[:1].isdecimal() else ():
        quantity = quantity_at(view, amounts, text)
        rest = quantity.rest if quantity is not None else ""
        currency = amounts.table.currency(rest)
        names = amounts.table.scales.get(rest) or unit_names(amounts.table, rest)
        names = currency.major if currency is not None else names
        if quantity is None or not rest or not names:
            return
        ends.append(list(combine([quantity.readings[:6], names], 16)))
    if ends:
        yield FoundForm(
            "range", 1, tuple(combine([ends[0], amounts.table.values("range"), ends[1]]))
        )


def read_ranges(view: WordsView, amounts: SpokenAmounts) -> Iterator[FoundForm]:
    """Yield readings of ranges of times, of ratios (`2:1`) and of sizes (`2x4`)."""
    ratio = _RATIO.fullmatch(view.core)
    words = amounts.table.values("ratio" if ratio[2] in ":：" else "by") if ratio else ()
    if ratio is not None and words:
        sides = [amounts.names.cardinals(int(side))[:6] for side in (ratio[1], ratio[3])]
        yield FoundForm("range", 1, tuple(combine([sides[0], words, sides[1]])))
    first, dash, last = view.core.replace("–", "-").partition("-")
    yield from _measured_range(view, amounts, first, last)
    if not dash or quantity_at(view, amounts) is None:
        return
    clocks = [_CLOCK.fullmatch(part) for part in (first, last)]
    if all(match is not None and match[2] == ":" and not match[5] for match in clocks):
        times = [
            clock_readings(amounts, ClockTime(int(match[1]), int(match[3])))[:7]
            for match in clocks
            if match is not None
        ]
        words = amounts.table.values("range")
        yield FoundForm("range", 1, tuple(combine([times[0], words, times[1]])))
