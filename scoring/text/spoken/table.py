"""The table of a language: names of units, currencies and months, abbreviations, phrases.

A row has a key and values; a value may have several written forms, separated by `|`.
`docs/spoken-forms.md` lists the keys.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache, cached_property
from itertools import chain
from typing import NamedTuple, TypeAlias

from scoring.text.language_tables import spoken_rows, varieties_of

KEYS = frozenset(
    (
        *("abbreviation", "after", "agrees", "and", "blanks", "by", "clock", "clock3", "compounds"),
        *("count", "counts", "currency", "date", "datemark", "dayform", "decade", "decademark"),
        *("denominator", "digit", "double", "endings", "fraction", "gap", "group", "hour"),
        *("hourmark", "hourordinal", "hundreds", "joined", "joint", "letter", "minus"),
        *(
            "minutemark",
            "mixed",
            "money",
            "month",
            "name",
            "numeric",
            "ordinal",
            "ordinalprefix",
            "ordinals",
        ),
        *("over", "parts", "per", "percent", "period", "pieces", "plus", "point", "power"),
        *(
            "prefix",
            "quarter",
            "range",
            "ratio",
            "rbnf",
            "respell",
            "roman",
            "romanword",
            "rule",
            "scale",
        ),
        *("script", "si", "spelling", "suffix", "symbol", "tens", "title", "triple", "unit"),
        *("web", "wholes", "yearmark", "years", "zone"),
    )
)
_SINGULAR = re.compile("^1$"), 2
_DOTTED = str.maketrans({"²": "2", "³": "3", "^": None})


class CurrencyNames(NamedTuple):
    """The names of a currency (`major`), of its hundredth (`minor`) and of its tenth (`tenth`)."""

    major: tuple[str, ...]
    minor: tuple[str, ...]
    tenth: tuple[str, ...] = ()
    """Names of the tenth; empty if it has no name."""


class Respelling(NamedTuple):
    """A rule for another spelling of the names of numbers: a pattern and its replacement."""

    kind: str
    pattern: re.Pattern[str]
    replacement: str
    literal: str
    """A text that every name to which the rule applies has; it may be empty."""

    def respell(self, name: str) -> str:
        """Return the other spelling of a name; the name itself if the rule does not apply."""
        return self.pattern.sub(self.replacement, name) if self.literal in name else name


_GROUP = re.compile(r"\([^()]*\)")
_START = re.compile(r"(?:\^|\(\?<=([\w ]+)\))?([\w ]*)([*?{]?)")


def literal_of(pattern: str) -> str:
    """Return a text that a name has if a regular expression matches in it; it may be empty.

    >>> literal_of("(?<=thousand) (?!and |.*hundred)")
    'thousand '
    """
    outside, inside = pattern, ""
    while outside != inside:
        inside, outside = outside, _GROUP.sub("", outside)
    start = _START.match(pattern)
    if "|" in outside or "\\(" in pattern or start is None:
        return ""
    before, text, quantifier = start.groups("")
    return before + (text[:-1] if quantifier else text)


class SpokenTable:
    """The table rows of a language, by key."""

    def __init__(self, lang: str, rows: Iterable[tuple[str, ...]]) -> None:
        self.lang = lang
        self._rows: dict[str, list[tuple[str, ...]]] = {}
        for key, *values in rows:
            if key not in KEYS:
                raise ValueError(f"table of spoken forms: expected a known key, found {key!r}")
            self._rows.setdefault(key, []).append(tuple(values))
        self._values: dict[str, tuple[str, ...]] = {}
        self.units = self._units()
        self.currencies = self._currencies()
        self.months = self._months()
        self.respellings = [
            Respelling(kind, re.compile(pattern), replacement, literal_of(pattern))
            for kind, pattern, replacement in self.rows("respell")
        ]
        self.points = {sign: tuple(words) for sign, *words in self.rows("point")}
        self.groups = "".join(self.values("group"))
        self.suffixes = {
            form.casefold(): tuple(kinds)
            for forms, *kinds in self.rows("suffix")
            for form in forms.split("|")
        }
        self.hours = {int(hour): tuple(names) for hour, *names in self.rows("hour")}
        self.fractions = {int(number): tuple(names) for number, *names in self.rows("fraction")}
        endings = {kind: forms.split("|") for kind, forms in self.rows("endings")}
        self.ordinals = {
            int(number): tuple(stem + ending for ending in endings[kind])
            for number, stem, kind in self.rows("ordinal")
        }
        self.day_forms = {int(day): tuple(names) for day, *names in self.rows("dayform")}
        self.parts = {int(places): tuple(names) for places, *names in self.rows("parts")}
        self._read_counting()
        self.letters = self.written("letter")
        self.symbols = self.written("symbol")
        self.web = self.written("web")
        self.titles = self.written("title")
        self.after = self.written("after")
        self.abbreviations = self.written("abbreviation")
        self.spellings = self.written("spelling")
        self.year_marks = self.written("yearmark")
        self.scales = self.written("scale")
        self.periods = self.written("period")
        # words between the parts of a date that its templates have, too: `de`
        self.date_links = frozenset(
            word for template in self.values("date") for word in template.split() if "{" not in word
        )
        self.zones = self.written("zone")
        self.pieces = next(map(re.compile, self.values("pieces")), None)
        self.has_blanks = "no" not in self.values("blanks")
        # blanks between the words of a number and what it counts as the writer likes
        self.few_blanks = "few" in self.values("blanks")
        self.date_marks = {
            form: letter for letter, *forms in self.rows("datemark") for form in forms
        }
        self.minute_marks = frozenset(self.values("minutemark"))
        self.hour_marks = frozenset(
            form.casefold() for row in self.rows("hourmark") for form in row
        )

    def _read_counting(self) -> None:
        """Read the rows about units of counting and about words for small numbers."""
        # units whose row has `+` count numbers with a rest, too
        self.counts = {int(unit): tuple(names) for unit, *names in self.rows("counts")}
        # the place of a noun's name among its names, by the digits of the number before it
        self._agreements = [
            (re.compile(pattern), int(place)) for pattern, place in self.rows("agrees")
        ]
        self.extra_names = {int(number): tuple(names) for number, *names in self.rows("name")}
        self.of_few = [
            (int(number), re.compile(pattern), replacements)
            for number, pattern, *replacements in self.rows("count")
        ]
        self.percents = self.written("percent")
        self.quarters: dict[tuple[int, int | None], tuple[str, ...]] = {
            (int(quarter), int(whole) if whole.isdecimal() else None): tuple(templates)
            for quarter, whole, *templates in self.rows("quarter")
        }
        self.before_romans = frozenset(self.values("romanword"))
        self.joined = frozenset(self.values("joined"))
        self.joints = self.written("joint")

    @cached_property
    def varieties(self) -> dict[str, tuple[str, ...]]:
        """Spellings of words in other countries, by the spelling in lower case."""
        return {spelling.casefold(): tuple(others) for spelling, *others in varieties_of(self.lang)}

    def rows(self, key: str) -> list[tuple[str, ...]]:
        """Return the rows of a key, without the key."""
        return self._rows.get(key, [])

    def values(self, key: str) -> tuple[str, ...]:
        """Return the values of all rows of a key."""
        values = self._values.get(key)
        if values is None:
            values = self._values[key] = tuple(chain.from_iterable(self.rows(key)))
        return values

    def written(self, key: str) -> dict[str, tuple[str, ...]]:
        """Return the spoken forms in the rows of a key, by written form.

        Written forms are as in the table, and also in lower case.
        """
        forms: dict[str, tuple[str, ...]] = {}
        for written, *spoken in self.rows(key):
            for form in written.split("|") if written != "|" else "|":
                for name in dict.fromkeys((form, form.casefold())):
                    forms[name] = (*forms.get(name, ()), *spoken)
        return forms

    def unit(self, text: str) -> tuple[str, ...]:
        """Return the names of a unit; a unit with the same case as `text` has priority."""
        return self.units.get(text) or self.units.get(text.casefold()) or ()

    def few(self, number: int, names: Iterable[str]) -> tuple[str, ...]:
        """Return the words for a small number and its noun together: `a dollar`, `لتران`."""
        found: dict[str, None] = {}
        for few, pattern, replacements in self.of_few if number < 3 else ():
            for name in names if few == number else ():
                if pattern.search(name):
                    found |= dict.fromkeys(pattern.sub(text, name) for text in replacements)
        return tuple(found)

    def agreeing(self, digits: str, names: tuple[str, ...]) -> tuple[str, ...]:
        """Return the names of a counted noun; the name that agrees with the number is first.

        If the table has rows for agreement, at most one other name is returned: the most common
        one.
        """
        for pattern, place in self._agreements or [_SINGULAR]:
            if pattern.search(digits):
                names = (*names[place - 1 : place], *names[: place - 1], *names[place:])
                return names[:2] if self._agreements else names
        return names[:3] if self._agreements else names

    def currency(self, text: str) -> CurrencyNames | None:
        """Return the currency of a sign or a code."""
        return self.currencies.get(text) or self.currencies.get(text.casefold())

    def _units(self) -> dict[str, tuple[str, ...]]:
        units: dict[str, tuple[str, ...]] = {}
        rows = [(written.split("|"), tuple(names)) for written, *names in self.rows("unit")]
        for written, *names in self.rows("si"):
            rows.append((written.split("|"), tuple(names)))
            for signs, *prefixes in self.rows("prefix"):
                forms = [sign + form for sign in signs.split("|") for form in written.split("|")]
                joined = [prefix + name for name in names for prefix in prefixes]
                split = [f"{prefix} {name}" for name in names for prefix in prefixes]
                rows.append((forms, (*joined, *split)))
        rows += [row for forms, names in rows for row in self._powers(forms, names)]
        for forms, spoken in rows:
            unique = tuple(dict.fromkeys(spoken))
            for form in forms:
                units[form] = _merged(units[form], unique) if form in units else unique
        for form, spoken in list(units.items()):
            folded = form.casefold()
            if folded != form:
                units[folded] = _merged(units[folded], spoken) if folded in units else spoken
        return units

    def _powers(
        self, forms: list[str], names: tuple[str, ...]
    ) -> Iterable[tuple[list[str], tuple[str, ...]]]:
        for sign, *templates in self.rows("power"):
            signs = (sign, sign.translate(_DOTTED), "^" + sign.translate(_DOTTED))
            raised = [form + power for form in forms for power in dict.fromkeys(signs)]
            yield raised, tuple(t.replace("{u}", n) for n in names for t in templates)

    def _currencies(self) -> dict[str, CurrencyNames]:
        currencies: dict[str, CurrencyNames] = {}
        for written, *names in self.rows("currency"):
            value = CurrencyNames(*(tuple(filter(None, name.split("|"))) for name in names))
            for form in written.split("|"):
                for name in (form, form.casefold()):
                    currencies.setdefault(name, value)
        return currencies

    def _months(self) -> dict[str, int]:
        months: dict[str, int] = {}
        self.month_names: dict[int, tuple[str, ...]] = {}
        for number, names, *short in self.rows("month"):
            self.month_names[int(number)] = tuple(names.split("|"))
            for name in (*names.split("|"), *short):
                months[name.casefold()] = int(number)
        return months


def _merged(first: tuple[str, ...], second: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of both, each once."""
    return tuple(dict.fromkeys((*first, *second)))


TableRows: TypeAlias = tuple[tuple[str, ...], ...]


def table_of(lang: str, rows: TableRows = ()) -> SpokenTable:
    """Return the table of a language; a user's rows precede its rows.

    If the rows of the user include `rbnf`, they replace the whole table.
    """
    return _table_of(lang, rows)


@cache
def _table_of(lang: str, rows: TableRows) -> SpokenTable:
    is_whole = any(key == "rbnf" for key, *_ in rows)
    return SpokenTable(lang, rows if is_whole else (*rows, *spoken_rows(lang)))
