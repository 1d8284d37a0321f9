"""Tables of languages from Unicode's CLDR, by the packages babel and unicode-rbnf.

`python -m tests.scoring.text.cldr_tables xx ...` writes `scoring/text/tables/cldr/xx.csv`, and
without languages the tables of all that CLDR can count in and that have no table of ours. The rows
of `cldr_tables.csv` beside this module correct CLDR's names and add to them.
"""

from __future__ import annotations

import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from scoring.text.csv_dialects import read_file
from scoring.text.language_tables import folder_of, languages

if TYPE_CHECKING:
    from babel import Locale

HEADER = """\
# Written forms and how they are said: from CLDR {cldr}, by babel {babel} and unicode-rbnf {rbnf}.
# Copyright (C) 1991-2026 Unicode, Inc., SPDX-License-Identifier: Unicode-3.0
# Written by tests/scoring/text/cldr_tables.py; corrections belong into cldr_tables.csv there.
"""
CORRECTIONS = str(Path(__file__).with_suffix(".csv"))
UNITS = {
    "length-kilometer": "km",
    "length-meter": "m",
    "length-centimeter": "cm",
    "length-millimeter": "mm",
    "length-mile": "mi",
    "length-foot": "ft",
    "length-inch": "",
    "mass-kilogram": "kg",
    "mass-gram": "g",
    "mass-milligram": "mg",
    "mass-tonne": "t",
    "mass-pound": "lb",
    "volume-liter": "l|L",
    "volume-milliliter": "ml|mL",
    "volume-centiliter": "cl",
    "area-square-meter": "m²|m2",
    "area-square-kilometer": "km²|km2",
    "area-hectare": "ha",
    "volume-cubic-meter": "m³|m3",
    "duration-hour": "h",
    "duration-minute": "min",
    "duration-second": "s",
    "duration-millisecond": "ms",
    "speed-kilometer-per-hour": "km/h",
    "speed-meter-per-second": "m/s",
    "temperature-celsius": "°C|℃",
    "temperature-fahrenheit": "°F|℉",
    "angle-degree": "°",
    "energy-kilowatt-hour": "kWh",
    "energy-kilocalorie": "kcal",
    "energy-joule": "J",
    "power-watt": "W",
    "power-kilowatt": "kW",
    "power-megawatt": "MW",
    "electric-volt": "V",
    "electric-ampere": "A",
    "frequency-hertz": "Hz",
    "frequency-kilohertz": "kHz",
    "frequency-megahertz": "MHz",
    "frequency-gigahertz": "GHz",
    "digital-byte": "B",
    "digital-kilobyte": "kB|KB",
    "digital-megabyte": "MB",
    "digital-gigabyte": "GB",
    "digital-terabyte": "TB",
    "digital-bit": "bit",
    "pressure-hectopascal": "hPa",
}
"""CLDR's units, and their signs in all languages."""
CURRENCIES = ("EUR", "USD", "GBP", "JPY", "CHF", "CNY", "INR", "RUB", "SEK", "NOK", "DKK", "PLN")
_SAMPLES = (1, 2, 3, 5, 11, 21, 100, 1_000_000, 0)
_SIGNS = {"USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥", "INR": "₹", "RUB": "₽", "PLN": "zł"}
_SCRIPTS_WITHOUT_BLANKS = ("Hani", "Hans", "Hant", "Thai", "Khmr", "Laoo", "Mymr")
"""Scripts without blanks between words."""
_DIGITS = re.compile(r"[\d.,٫٬\u00a0\u202f]+")
_FIELDS = re.compile(r"'([^']*)'|[yu]+|[ML]+|d+|[^\w']+|\w")
_SPECIAL = re.compile('[,#"]')
_DATE = re.compile(r"[a-zA-Z]+")


def table_from_cldr(lang: str) -> str:
    """Return the table of a language as CSV; empty if CLDR or babel does not have it."""
    from importlib.metadata import version

    from babel import Locale, UnknownLocaleError
    from babel.core import get_cldr_version

    try:
        locale = Locale.parse(lang)
    except UnknownLocaleError:
        return ""
    versions = {"babel": version("babel"), "rbnf": version("unicode-rbnf")}
    lines = dict.fromkeys(",".join(map(_quoted, row)) for row in _rows(lang, locale))
    header = HEADER.format(cldr=get_cldr_version(), **versions)
    return header + "".join(f"{line}\n" for line in lines)


def _quoted(value: str) -> str:
    """Return a value as it is written in a table."""
    is_plain = value == value.strip() and not _SPECIAL.search(value)
    doubled = value.replace('"', '""')
    return value if is_plain else f'"{doubled}"'


def _rows(lang: str, locale: Locale) -> Iterator[tuple[str, ...]]:
    corrections = [row[1:] for row in read_file(CORRECTIONS) if row[0] == lang]
    yield "rbnf", lang, *(name for name in _supported() if name.startswith(f"{lang}_"))
    points, minus = _words_of_signs(lang)
    months = locale.months["format"]["wide"]
    yield "script", _script_of("".join(map(str, months.values())))
    if _written_in(locale) in _SCRIPTS_WITHOUT_BLANKS:
        yield "blanks", "no"
        # CLDR has marks between the parts of a number where a line may end
        yield "respell", "instead", r"\u200b", ""
        yield "pieces", "[0-9]+(?:[.,:/-][0-9]+)*|[%$€£¥฿°]+|[^0-9%$€£¥฿°]+"
    yield from (tuple(row) for row in corrections if row[0] != "point")
    symbols = locale.number_symbols["latn"]
    more = [row for row in corrections if row[0] == "point"]
    if points:
        yield "point", symbols["decimal"], *points, *(word for row in more for word in row[2:])
    # all blanks are alike
    yield "group", " " if symbols["group"].isspace() else symbols["group"]
    if not points:
        # CLDR has too little of the language for more than cardinals
        return
    yield "minus", *minus
    yield from _unit_rows(locale)
    yield from _currency_rows(locale)
    yield from _date_rows(locale, months)
    yield from _time_rows(locale)
    yield from _ordinal_rows(lang, locale)
    links = locale.list_patterns.get("standard", {}).get("2", "")
    word = links.removeprefix("{0}").removesuffix("{1}").strip()
    if word.isalpha():
        yield "symbol", "&", _said(word)


def _words_of_signs(lang: str) -> tuple[list[str], list[str]]:
    """Return the words for the decimal point and for minus, which CLDR's rules contain."""
    from unicode_rbnf import RbnfEngine
    from unicode_rbnf.engine import RbnfSpecialRule, TextRulePart

    kinds = (RbnfSpecialRule.IMPROPER_FRACTION, RbnfSpecialRule.NEGATIVE_NUMBER)
    found: tuple[dict[str, None], dict[str, None]] = ({}, {})
    for name, rules in RbnfEngine.for_language(lang).rulesets.items():
        for words, kind in zip(found, kinds, strict=True):
            rule = rules.special_rules.get(kind) if name.startswith("spellout") else None
            texts = (
                (part.text for part in rule.parts if isinstance(part, TextRulePart)) if rule else ()
            )
            words |= dict.fromkeys(_said(text) for text in texts if text and _is_word(text))
    return list(found[0]), list(found[1])


def _is_word(text: str) -> bool:
    return any(map(str.isalpha, text)) and not any(map(str.isdigit, text))


def _said(text: str) -> str:
    """Return a name as a speaker says it: in lower case, without dots and marks of direction."""
    plain = "".join(letter for letter in text if unicodedata.category(letter) != "Cf")
    return " ".join(plain.replace("’", "'").lower().split())


def _script_of(text: str) -> str:
    """Return the script of a text by the names of its letters."""
    names = [unicodedata.name(letter).split()[0] for letter in text if letter.isalpha()]
    script = max(sorted(set(names)), key=names.count)
    return "Han" if script == "CJK" else script.title()


def _likely(locale: Locale) -> list[str]:
    """Return the likely language, script and territory of a locale; an empty text if unknown."""
    from babel.core import get_global

    return str(get_global("likely_subtags").get(str(locale), "")).split("_")


def _written_in(locale: Locale) -> str:
    return str(locale.script or "".join(_likely(locale)[1:2]))


def _unit_rows(locale: Locale) -> Iterator[tuple[str, ...]]:
    from babel.units import UnknownUnitError, format_unit

    for unit, signs in {"concentr-percent": "%", "concentr-permille": "‰", **UNITS}.items():
        try:
            long = [_name(str(format_unit(n, unit, "long", locale=locale))) for n in _SAMPLES]
            short = [_sign(str(format_unit(n, unit, "short", locale=locale))) for n in (1, 2, 5)]
        except UnknownUnitError:
            continue
        known = [name for name in long if name and name != unit]
        if not known and unit.startswith("concentr"):
            texts = [str(format_unit(n, unit, "short", locale=locale)) for n in (1, 2, 5)]
            known = [_name(text) for text in texts]
        names = [name for name in dict.fromkeys(known) if not _has_sign(name)]
        forms = dict.fromkeys((*signs.split("|"), *short))
        written = [form for form in forms if form and _said(form) not in names and "," not in form]
        if names and written:
            key = "percent" if unit.startswith("concentr") else "unit"
            yield key, "|".join(written), *names


def _has_sign(name: str) -> bool:
    """Return True for a name that is only an abbreviation or a sign."""
    return not any(map(str.isalpha, name)) or "/" in name or "°" in name or "." in name


def _name(text: str) -> str:
    """Return the name of what is counted, with `{n}` for a number that is not before it."""
    found = _DIGITS.search(text)
    if found is None:
        return ""
    before, after = text[: found.start()].strip(), text[found.end() :].strip()
    return _said(f"{before} {{n}} {after}".strip() if before else after)


def _sign(text: str) -> str:
    """Return the sign of a unit without the number; empty if that is not before it."""
    found = _DIGITS.match(text)
    sign = text[found.end() :].strip() if found else ""
    return "" if "|" in sign or " " in sign else sign


def _currency_rows(locale: Locale) -> Iterator[tuple[str, ...]]:
    from babel.numbers import get_currency_name, get_currency_symbol, get_territory_currencies

    likely = _likely(locale)[-1]
    own = get_territory_currencies(likely) if len(likely) == 2 else []
    for code in dict.fromkeys((*own, *CURRENCIES)):
        counted = [get_currency_name(code, count=n, locale=locale) for n in _SAMPLES]
        names = [*map(_said, counted), _said(get_currency_name(code, locale=locale))]
        names = [name for name in dict.fromkeys(names) if name != code.casefold()]
        symbol = get_currency_symbol(code, locale=locale)
        forms = dict.fromkeys((code, _SIGNS.get(code, code), symbol.strip()))
        if names:
            short = _nouns(names, str(locale.territories.get(likely, ""))) if code in own else ()
            yield "currency", "|".join(forms), "|".join(dict.fromkeys((*names, *short))), ""


def _nouns(names: Sequence[str], territory: str) -> Iterator[str]:
    """Yield the only long word of a currency's name that does not begin as its country does."""
    for name in names:
        words = [word for word in name.split() if len(word) > 2]
        nouns = [word for word in words if word[:3] != territory[:3].lower()]
        if len(nouns) == 1 < len(words):
            yield nouns[0]


def _date_rows(locale: Locale, months: Any) -> Iterator[tuple[str, ...]]:
    alone = locale.months["stand-alone"]["wide"]
    short = [locale.months[context]["abbreviated"] for context in ("format", "stand-alone")]
    for number in range(1, 13):
        names = dict.fromkeys((_said(months[number]), _said(alone[number])))
        forms = dict.fromkeys(str(table[number]).rstrip(".").casefold() for table in short)
        brief = [name for name in forms if name not in names and not name.isdecimal()]
        yield "month", str(number), "|".join(names), *brief
    orders = [_order(locale.date_formats[style].pattern) for style in ("short", "medium")]
    numeric = [order for order in dict.fromkeys((*orders, "ymd")) if len(order) == 3]
    yield "numeric", *numeric, *(("dm",) if numeric[0] == "dmy" else ())
    skeletons = locale.datetime_skeletons
    patterns = [locale.date_formats["long"].pattern]
    patterns += [skeletons[key].pattern for key in ("MMMMd", "yMMMM") if key in skeletons]
    for pattern in patterns:
        template = _template(pattern)
        ordinal = template.replace("{d}", "{do}")
        yield "date", *dict.fromkeys((template, ordinal))


def _order(pattern: str) -> str:
    """Return the order of the fields of a date: `dmy`."""
    letters = (run[0].casefold().replace("l", "m") for run in _DATE.findall(pattern))
    return "".join(letter for letter in dict.fromkeys(letters) if letter in "dmy")


def _template(pattern: str) -> str:
    """Return the template of a pattern such as `d 'de' MMMM y`."""
    parts = []
    for match in _FIELDS.finditer(pattern):
        text, literal = match[0], match[1]
        field = {"y": "{y}", "u": "{y}", "M": "{m}", "L": "{m}", "d": "{d}"}.get(text[0])
        if literal is not None:
            parts.append(_said(literal).strip("."))
        elif field is not None:
            parts.append(field)
        elif text in "年月日":
            parts.append(text)
    return " ".join(filter(None, parts))


def _time_rows(locale: Locale) -> Iterator[tuple[str, ...]]:
    from babel.units import format_unit

    hours, minutes = (
        [_name(str(format_unit(n, unit, "long", locale=locale))) for n in (5, 2, 1)]
        for unit in ("duration-hour", "duration-minute")
    )
    pairs = [
        (hour, minute)
        for hour, minute in dict.fromkeys(zip(hours, minutes, strict=True))
        if hour and minute and "{n}" not in hour + minute
    ]
    yield "clock", "m=0", "{h}", "{g}", *(f"{{h}} {hour}" for hour, _ in pairs)
    yield "clock", "m>0", "{h} {m}", "{g} {m}", *(f"{{h}} {h} {{m}} {m}" for h, m in pairs)
    yield "clock", "m>0 m<10", "{h} {mm}", "{g} {mm}"
    yield "clock3", "m>=0", "{h} {m} {s}"
    for key, form in (("am", "am|a.m."), ("pm", "pm|p.m.")):
        periods = locale.day_periods["format"]["wide"]
        name = str(periods.get(key, "")).replace(".", " ")
        if name.strip():
            yield "period", form, _said(name)


def _ordinal_rows(lang: str, locale: Locale) -> Iterator[tuple[str, ...]]:
    """Yield the endings after the digits of an ordinal, where dates or rules show some."""
    from unicode_rbnf import RbnfEngine

    if "d." in locale.date_formats["long"].pattern:
        yield "suffix", "."
    endings: dict[str, None] = {}
    for name, rules in RbnfEngine.for_language(lang).rulesets.items():
        if name.startswith("digits-ordinal"):
            for rule in rules.numeric_rules.values():
                texts = [getattr(part, "text", None) for part in rule.parts]
                endings |= {text.strip(): None for text in texts if text and text.strip(". '-")}
    plain = [ending.casefold() for ending in endings if not any(map(str.isdigit, ending))]
    if plain:
        yield "suffix", "|".join(dict.fromkeys(plain))


def _supported() -> list[str]:
    from unicode_rbnf import RbnfEngine

    return sorted(RbnfEngine.get_supported_languages())


def write(langs: Sequence[str]) -> None:
    """Write the tables of languages; of all that have none of ours if no language is given.

    Each in an interpreter of its own, because babel mixes up the months of languages that it has
    loaded together.
    """
    if len(langs) == 1:
        text = table_from_cldr(langs[0])
        if text:
            Path(folder_of("cldr"), f"{langs[0]}.csv").write_text(text, "utf-8")
        return
    known = (lang for lang in _supported() if "_" not in lang)
    for lang in sorted(langs or {*known} - {*languages("spoken")}):
        subprocess.run((sys.executable, "-m", __spec__.name, lang), check=True)


if __name__ == "__main__":
    write(sys.argv[1:])
