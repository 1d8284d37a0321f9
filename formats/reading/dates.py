"""Dates with times of day, as messages and logs have them, and dates without times."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from functools import lru_cache
from itertools import pairwise
from typing import Any

from formats.schema import lazy_pattern

NUMBERS = (
    r"(?:(?P<year>[0-9]{4})(?P<sign>[-/.])(?P<month>[0-9]{1,2})(?P=sign)(?P<day>[0-9]{1,2})"
    r"|(?P<first>[0-9]{1,2})(?P<mark>[-/.])(?P<second>[0-9]{1,2})(?P=mark)"
    r"(?P<last>[0-9]{4}|[0-9]{2}))"
)
"""A date in numbers."""
NAME_OF_MONTH = r"[^\W\d_]{3,10}\.?"
WORDS = (
    r"(?:[^\W\d_]{2,10}\.?,? )?"
    rf"(?:(?P<name>{NAME_OF_MONTH}) (?P<day>[0-9]{{1,2}})(?:st|nd|rd|th)?"
    rf"|(?P<before>[0-9]{{1,2}})(?:st|nd|rd|th|\.)?[- ](?:(?:de|of) )?(?P<behind>{NAME_OF_MONTH}))"
    r"(?:,?(?: de)?[- ](?P<year>[0-9]{4}|[0-9]{2}(?![0-9:])))?"
)
"""A date with the name of its month, perhaps after the name of the day."""
CLOCK = (
    r"(?P<hours>[0-9]{1,2}):(?P<minutes>[0-9]{2})"
    r"(?::(?P<seconds>[0-9]{2})(?:[.,](?P<fraction>[0-9]{1,9}))?)?"
    r"(?:[ \u202f]?(?P<half>[AaPp])\.?[Mm]\.?)?"
)
AWAY = r"(?P<away>[+-][0-9]{2}):?(?P<away_minutes>[0-9]{2})"
DATE = lazy_pattern(rf"{NUMBERS}(?:[T ]|, ?){CLOCK}(?:Z|{AWAY}| (?:UTC|GMT))?\Z", re.ASCII)
"""A date with a time of day; without a year first, the day is before the month if it can be.

A year of two digits is one of this century.
"""
WORDED = lazy_pattern(
    rf"{WORDS},? (?:(?:at|um|à) )?{CLOCK}(?: ?(?:Z|{AWAY}|[A-Z]{{2,5}}(?:[+-][0-9:]{{1,5}})?))?"
    r"(?: (?P<late>[0-9]{4}))?\Z"
)
"""A date with the name of the month, and a time of day, as ``date``, mail and chats write it."""
DAY_ALONE = lazy_pattern(
    r"\s{0,9}(?:[0-9]{4}([-/.])[0-9]{1,2}\1[0-9]{1,2}"
    r"|[0-9]{1,2}([-/.])[0-9]{1,2}\2(?:[0-9]{4}|[0-9]{2}))\s{0,9}\Z"
)
"""A date in numbers without a time."""
WORDED_DAY = lazy_pattern(rf"\s{{0,9}}{WORDS}\s{{0,9}}\Z")
OF_DAY = lazy_pattern(
    r"(?!0?0:)[0-9]{1,2}:[0-5][0-9](?::[0-5][0-9])?(?:[ \u202f]?[AaPp]\.?[Mm]\.?)?\s{0,9}\Z"
)
"""A time of day after midnight and its first hour."""
OF_MIDNIGHT = lazy_pattern(r"00:[0-5][0-9](?::[0-5][0-9])?\s{0,9}\Z")
"""A time in the first hour of a day, or minutes and seconds."""
LAST_MILLISECOND = 253_402_300_799_999
"""The last millisecond of the year 9999 since 1970."""
COUNT_OF_DATE = lazy_pattern(r"(1[0-9]{9})(?:([0-9]{3})|\.([0-9]{1,9}))?\Z", re.ASCII)
"""Seconds or milliseconds since 1970, from 2001 to 2033."""
DATES_OF_MESSAGES = frozenset(
    ("date", "createdat", "created", "createdtime", "creationtime",
     "creationdatetime", "createddatetime", "sent", "sentat", "sentdate",
     "senddate", "senttime", "messagedate", "messagetime", "datesent", "dateandtime", "posted",
     "postedat", "publishedat", "datum", "fecha", "data", "дата", "日期")
)  # fmt: skip
"""Names of the dates of messages; elsewhere, such a date is one of a recording or of a file."""
MONTHS = (
    ("jan", "gen", "ene", "янв"),
    ("feb", "fév", "fev", "фев"),
    ("mar", "mär", "мар"),
    ("apr", "avr", "abr", "апр"),
    ("may", "mai", "mag", "мая", "май"),
    ("jun", "juin", "giu", "июн"),
    ("jul", "juil", "lug", "июл"),
    ("aug", "aoû", "ago", "авг"),
    ("sep", "set", "сен"),
    ("oct", "okt", "ott", "out", "окт"),
    ("nov", "ноя"),
    ("dec", "dez", "déc", "dic", "дек"),
)
"""Beginnings of the names of the months in several languages."""


def date_of(seconds: float) -> str:
    """Return the date and the time of day of seconds since 1970.

    >>> date_of(1_700_000_000), date_of(1_700_000_000.25)
    ('2023-11-14 22:13:20', '2023-11-14 22:13:20.250')
    """
    milliseconds = min(round(seconds * 1000), LAST_MILLISECOND)
    date = datetime(1970, 1, 1) + timedelta(milliseconds=milliseconds)
    return date.isoformat(" ", "milliseconds" if date.microsecond else "seconds")


def seconds_of_date(text: object, *, is_month_first: bool = False) -> float | None:
    """Return the seconds since 1970 of a date with a time of day, or `None`.

    >>> seconds_of_date("1970-01-02T00:00:01.5Z"), seconds_of_date("1970-01-02")
    (86401.5, None)
    >>> seconds_of_date("2/1/1970, 12:00 AM"), seconds_of_date("01/13/1970 00:01")
    (86400.0, 1036860.0)
    >>> seconds_of_date("2/1/24, 12:00 AM") == seconds_of_date("2024-01-02 00:00")
    True
    >>> seconds_of_date("1/2/1970 00:00", is_month_first=True)
    86400.0
    >>> seconds_of_date("Jan 2, 1970 at 1:00 AM"), seconds_of_date("02-Jan-70 10:00 AM")
    (90000.0, 3155882400.0)
    >>> seconds_of_date("Fri Jan 02 00:00:00 +0000 1970"), seconds_of_date("Well 5, 1970 at 1:00")
    (86400.0, None)
    """
    if not isinstance(text, str):
        return None
    if date := DATE.match(text):
        if date["year"]:
            year, month, day = (int(date[name]) for name in ("year", "month", "day"))
        else:
            day, month, year = (int(date[name]) for name in ("first", "second", "last"))
            day, month = (
                (month, day) if month > 12 or (is_month_first and day <= 12) else (day, month)
            )
    elif date := WORDED.match(text):
        month = _month_named(date["name"] or date["behind"])
        day, year = int(date["day"] or date["before"]), int(date["year"] or date["late"] or 0)
        if not (month and year):
            return None
    else:
        return None
    return _moment(date, year + (2000 if year < 100 else 0), month, day)


def _moment(date: re.Match[str], year: int, month: int, day: int) -> float | None:
    """Return the seconds since 1970 of a day and the time of day in a match; `None` if invalid."""
    hour = int(date["hours"])
    if date["half"]:
        hour = hour % 12 + 12 * (date["half"] in "Pp")
    away = timedelta(hours=int(date["away"] or 0))
    away += timedelta(minutes=int(f"{(date['away'] or '+')[0]}{date['away_minutes'] or 0}"))
    try:
        minute, second = int(date["minutes"]), int(date["seconds"] or 0)
        moment = datetime(year, month, day, hour, minute, second, tzinfo=timezone.utc) - away
    except (ValueError, OverflowError):
        return None
    return moment.timestamp() + float(f"0.{date['fraction'] or 0}")


@lru_cache(maxsize=64)
def _month_named(name: str) -> int:
    """Return the number of the month that a name begins like; 0 for another word.

    >>> _month_named("Sept."), _month_named("juillet"), _month_named("Well")
    (9, 7, 0)
    """
    small = name.casefold()
    return next((n for n, known in enumerate(MONTHS, 1) if small.startswith(known)), 0)


def seconds_since_1970(text: str, *, is_month_first: bool = False) -> float | None:
    """Return the seconds since 1970 of a date with a time of day, or of a text that counts them.

    A count has 10 digits of seconds, or 13 digits of milliseconds.

    >>> seconds_since_1970("1970-01-02T00:00:01Z"), seconds_since_1970("1710000000500")
    (86401.0, 1710000000.5)
    >>> seconds_since_1970("12.5")
    """
    count = COUNT_OF_DATE.match(text)
    if count is None:
        return seconds_of_date(text, is_month_first=is_month_first)
    return float(f"{count[1]}.{count[2] or count[3] or 0}")


def is_date(text: str) -> bool:
    """Return True for a date with a time of day, in numbers or with the name of the month.

    >>> is_date("2024-05-01 10:00:00"), is_date("Wed May 01 10:00:00 GMT 2024"), is_date("1:00")
    (True, True, False)
    >>> is_date("We may go at 10:00:00")
    False
    """
    return DATE.match(text) is not None or seconds_of_date(text) is not None


def is_day(text: str) -> bool:
    """Return True for a date without a time of day.

    >>> is_day("1/5/2026"), is_day("May 12, 2023"), is_day("12-May-23"), is_day("Number 12, 2023")
    (True, True, True, False)
    """
    if DAY_ALONE.match(text):
        return True
    date = WORDED_DAY.match(text)
    return date is not None and bool(date["year"] and _month_named(date["name"] or date["behind"]))


def are_times_of_day(texts: Iterable[str]) -> bool:
    """Return True if texts are times of day, at least one of them after the first hour.

    >>> are_times_of_day(["23:58", "00:12"]), are_times_of_day(["0:12", "0:15"])
    (True, False)
    """
    texts = [*texts]
    are_times = all(OF_DAY.match(text) or OF_MIDNIGHT.match(text) for text in texts)
    return are_times and any(map(OF_DAY.match, texts))


def is_month_first(texts: Iterable[str]) -> bool:
    """Return True if the month is before the day in dates of numbers, whose year is last.

    A number above 12 shows it. Otherwise, the dates are read so that they go on; if both ways fit,
    they are read as those of the shorter time.

    >>> is_month_first(["5/12/23 1:00", "5/13/23 1:00"]), is_month_first(["12/5/23 1:00"])
    (True, False)
    >>> is_month_first(["12/1/23 1:00", "12/2/23 1:00"]), is_month_first(["1/2/23 1:00"] * 2)
    (True, False)
    """
    texts = [text for text in texts if (date := DATE.match(text)) and date["first"]]
    parts = [(int(date["first"]), int(date["second"])) for t in texts if (date := DATE.match(t))]
    if any(first > 12 or second > 12 for first, second in parts):
        return not any(first > 12 for first, _ in parts)
    ways = [
        [seconds_of_date(text, is_month_first=is_first) or 0 for text in texts]
        for is_first in (False, True)
    ]
    ranks = [
        (min(sum(a > b for a, b in pairwise(way)), sum(a < b for a, b in pairwise(way))),
         max(way, default=0) - min(way, default=0)) for way in ways
    ]  # fmt: skip
    return ranks[1] < ranks[0]


def dates_of_messages(columns: Mapping[str, Sequence[Any]]) -> str:
    """Return the first column with the dates of messages; empty if there is none.

    >>> dates_of_messages({"id": ["7"], "Date": ["1/5/2026"]}), dates_of_messages({"date": ["so"]})
    ('Date', '')
    """
    for name, values in columns.items():
        plain = "".join(filter(str.isalnum, name)).lower()
        dates = [str(value).strip() for value in values if value not in (None, "")]
        if plain in DATES_OF_MESSAGES and dates and all(is_day(d) or is_date(d) for d in dates):
            return name
    return ""
