"""Names of numbers, from CLDR's rules in `unicode_rbnf` and from tables of languages."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from scoring.text.spoken.combining import combine, in_turn
from scoring.text.spoken.rule_sets import RuleSets
from scoring.text.spoken.table import Respelling, SpokenTable, TableRows, table_of

if TYPE_CHECKING:
    from unicode_rbnf import RbnfEngine

KEPT = 1 << 14
MOST_NAMES = 48
_SHY = "\xad"
_NO_NAME = re.compile(r"[\d#=<>−]")
_UNUSUAL = re.compile(r"[\d#=<>−,ʼ]|^\s|\s$")
# the smallest number whose names no other name contains so often that caching pays
_FEW = 10_000
_LONGEST = 27
_RUN, _REPEATED = re.compile(r"(\d)\1*"), re.compile(r"(\d)\1")
# rule sets of numbers that are not counted with: on cheques, days of the Chinese month
_NOT_SAID = re.compile("financial|numbering-days")
# years that no rules of years spell: as ordinals, as cardinals, digit by digit, in hundreds
_NO_RULES = ("ordinal", "cardinal", "digits", "hundreds")


def _engines_of(table: SpokenTable) -> list[RbnfEngine]:
    """Return engines with CLDR's rules of a language and its regions, or the table's rules."""
    from unicode_rbnf import RbnfEngine

    langs = table.values("rbnf") or (table.lang,)
    if not table.rows("rule"):
        return list(map(RbnfEngine.for_language, langs))
    engine = RbnfEngine(langs[0])
    for name, base, text in table.rows("rule"):
        value, _, radix = base.partition("/")
        engine.add_rule(value, f"{text};", f"spellout-{name}", radix=int(radix or 10))
    return [engine]


class NumberNames:
    """Names of numbers in a language, most likely names first."""

    def __init__(self, table: SpokenTable) -> None:
        self._table = table
        self._regions: list[tuple[RuleSets, dict[str, list[str]]]] = [
            (RuleSets(engine), self._sets_of(engine)) for engine in _engines_of(table)
        ]
        self._splits = "no" not in table.values("compounds")
        self._names_of_digits: dict[str, tuple[str, ...]] = {}
        self._respellings: dict[str, list[Respelling]] = {}
        self._digits = {int(digit): tuple(names) for digit, *names in table.rows("digit")}
        # of the same number again and again, in all of a corpus
        self.cardinals: Callable[[int], tuple[str, ...]] = lru_cache(KEPT)(self._cardinals)
        self.ordinals: Callable[[int], tuple[str, ...]] = lru_cache(KEPT)(self._ordinals)
        self.years: Callable[[int], tuple[str, ...]] = lru_cache(KEPT)(self._years)
        self.digits: Callable[[str], tuple[str, ...]] = lru_cache(KEPT)(self._by_digit)
        self.groups: Callable[[str], tuple[str, ...]] = lru_cache(KEPT)(self._in_groups)
        self._pair: Callable[[str], str] = lru_cache(KEPT)(self._name_of_pair)

    def _sets_of(self, engine: RbnfEngine) -> dict[str, list[str]]:
        """Return a region's rule sets by the kind of name: cardinal, ordinal, year or feminine."""
        years = (name for name in self._table.values("years") if name not in _NO_RULES)
        named = _named(engine, "numbering", "cardinal")
        cardinals = _targets(engine, named)
        feminine = _targets(engine, (name for name in named if "feminine" in name))
        return {
            "cardinal": cardinals,
            "ordinal": self._first_of_table(_named(engine, "ordinal")),
            "year": [*_named(engine, "numbering-year"), *(f"spellout-{name}" for name in years)],
            "feminine": feminine or cardinals,
        }

    def _first_of_table(self, rules: Iterable[str]) -> list[str]:
        """Return the given rule sets; those that the table names are first."""
        first = [f"spellout-{name}" for name in self._table.values("ordinals")]
        return sorted(rules, key=lambda name: first.index(name) if name in first else len(first))

    def _spelled(self, kind: str, number: int) -> tuple[str, ...]:
        """Return the names of a number by the rule sets of a kind, in all spellings."""
        if len(str(number)) > _LONGEST:
            return ()
        names: dict[str, None] = {}
        for region, sets in self._regions:
            names |= dict.fromkeys(_name_in(region, rules, number) for rules in sets[kind])
        return self._respelled(kind, [name for name in names if name])

    def _respelled(self, kind: str, names: Collection[str]) -> tuple[str, ...]:
        """Return names with and without soft hyphens, and with the table's spellings."""
        spelled: dict[str, None] = {}
        for name in names:
            spelled[name.replace(_SHY, "")] = None
        for name in names if self._splits else ():
            if _SHY in name:
                spelled[name.replace(_SHY, " ")] = None
        if kind not in self._respellings:
            kinds = "instead", "beside", kind, "any"
            self._respellings[kind] = [row for row in self._table.respellings if row.kind in kinds]
        lines = "\n".join(spelled)
        for row in self._respellings[kind]:
            if row.literal not in lines:
                continue
            texts = [row.respell(name) for name in spelled]
            if row.kind == "instead":
                spelled = dict.fromkeys(texts)
            elif row.kind == "beside":
                pairs = zip(spelled, texts, strict=True)
                spelled = dict.fromkeys(text for pair in pairs for text in pair)
            else:
                spelled |= dict.fromkeys(texts)
            lines = "\n".join(spelled)
        return tuple(filter(None, map(_single_blanks, spelled)))[:MOST_NAMES]

    def respelled(self, kind: str, names: Iterable[str]) -> tuple[str, ...]:
        """Return further spellings of the names of a kind, without the names themselves."""
        rows = [row for row in self._table.respellings if row.kind == kind]
        found: dict[str, None] = {}
        for row in rows:
            for name in (*names, *found):
                if row.pattern.search(name):
                    found[_single_blanks(row.pattern.sub(row.replacement, name))] = None
        return tuple(found)

    def _cardinals(self, number: int) -> tuple[str, ...]:
        extra = self._table.extra_names.get(number, ())
        return tuple(dict.fromkeys((*self._spelled("cardinal", number), *extra)))

    def of_month(self, month: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the cardinals and the ordinals of a month's number, a few of each."""
        return self.cardinals(month)[:2], self.ordinals(month)[:4]

    def in_same_case(self, *numbers: int) -> list[tuple[tuple[str, ...], ...]]:
        """Return the names of numbers in each grammatical case and gender, feminine first."""
        cases: dict[tuple[tuple[str, ...], ...], None] = {}
        for region, sets in self._regions:
            for rules in dict.fromkeys((*sets["feminine"], *sets["cardinal"])):
                spelled = [_name_in(region, rules, number) for number in numbers]
                names = tuple(self._respelled("cardinal", [name]) for name in spelled if name)
                if len(names) == len(numbers):
                    cases[names] = None
        return list(cases)

    def _ordinals(self, number: int) -> tuple[str, ...]:
        names = (*self._spelled("ordinal", number), *self._declined(number))
        return tuple(dict.fromkeys(names))[:MOST_NAMES]

    def _declined(self, number: int) -> tuple[str, ...]:
        """Return the table's ordinals of a number, in all grammatical cases.

        Only the last two words are ordinals; the words before them are cardinals.
        """
        known = self._table.ordinals
        if not known:
            return ()
        end = number % 100 or (0 if number in known else number % 1000)
        head = number - end if end else 0
        tens = number % 100 - number % 10 if number % 100 > 20 and number % 10 else 0
        last = known.get(number - head - tens, ())
        before = self.cardinals(head)[:1] if head else ("",)
        said = tens and "cardinal" in self._table.values("tens")
        middles = self.cardinals(tens)[:1] if said else ()
        middles = middles or known.get(tens, ()) or ("",)
        found = []
        for place, name in enumerate(last):
            middle = middles[min(place, len(middles) - 1)]
            found += [" ".join(filter(None, (first, middle, name))) for first in before]
        return self._respelled("ordinal", found)

    def _years(self, number: int) -> tuple[str, ...]:
        names = self._spelled("year", number)
        if "digits" in self._table.values("years"):
            names = self.digits(str(number))
        if "split" in self._table.values("years") and number % 100_000 >= 1000 and number % 100 > 9:
            # two digits and a number: Vietnamese `hai không mười chín`
            parts = [self.digits(str(number // 100))[:2], self.cardinals(number % 100)[:4]]
            names = (*names, *combine(parts))
        if "cardinal" in self._table.values("years"):
            names = (*names, *self.cardinals(number)[:8])
        if "ordinal" in self._table.values("years"):
            names = (*names, *self.ordinals(number))
        hundreds = self.hundreds(number)
        first = hundreds if "hundreds" in self._table.values("years") else ()
        return tuple(dict.fromkeys((*first, *names, *hundreds)))

    def hundreds(self, number: int) -> tuple[str, ...]:
        """Return the names that count a four-digit number in hundreds: `eleven hundred`."""
        words = self._table.values("hundreds")
        if not words or not 1100 <= number <= 9999 or number % 1000 < 100:
            return ()
        hundreds, rest = divmod(number, 100)
        parts = [self.cardinals(hundreds)[:2], words]
        if not rest:
            return tuple(combine(parts))
        ands = ("", *self._table.values("and"))
        return tuple(combine([*parts, ands, self.cardinals(rest)[:2]]))

    def digit(self, digit: int) -> tuple[str, ...]:
        """Return the names of a single digit."""
        return self._digits.get(digit) or self.cardinals(digit)[:1]

    def _by_digit(self, text: str) -> tuple[str, ...]:
        """Return readings digit by digit. A reading uses the same name for a digit throughout."""
        if len(text) > _LONGEST:
            return ()
        between = "" if self._table.few_blanks else " "
        rows = zip(*map(self._choices_of, text), strict=True)
        readings = dict.fromkeys(between.join(names) for names in rows if all(names))
        return (*readings, *self.repeated(text))

    def _choices_of(self, character: str) -> tuple[str, ...]:
        """Return the names of a digit, as many as any digit has; the last name may repeat."""
        known = self._names_of_digits.get(character)
        if known is None:
            names = self.digit(int(character)) or ("",)
            most = max(len(self.digit(digit)) for digit in range(10))
            known = (*names, *(names[-1:] * (most - len(names))))
            self._names_of_digits[character] = known
        return known

    def repeated(self, text: str) -> tuple[str, ...]:
        """Return readings of repeated digits with `double` and `triple`; empty if none repeats."""
        if not _REPEATED.search(text):
            return ()
        most = len(self._choices_of(text[0]))
        found = (reading for choice in range(most) for reading in self._with_repeats(text, choice))
        return tuple(dict.fromkeys(found))

    def _with_repeats(self, text: str, choice: int) -> Iterator[str]:
        """Yield readings of repeated digits with `double`, `triple`, in languages that use them."""
        runs = [match[0] for match in _RUN.finditer(text)]
        for length, word in ((2, "double"), (3, "triple")):
            for name in self._table.values(word):
                if any(len(run) == length for run in runs):
                    yield " ".join(self._run(run, choice, length, name) for run in runs)

    def _run(self, run: str, choice: int, length: int, name: str) -> str:
        digit = self._choices_of(run[0])[choice]
        return f"{name} {digit}" if len(run) == length else " ".join([digit] * len(run))

    def _in_groups(self, text: str) -> tuple[str, ...]:
        """Return readings as single digits, as pairs, as a digit and pairs, and as one number."""
        found = [list(self.digits(text))]
        if text[0] != "0" and len(text) <= 15:
            found.append(list(self.cardinals(int(text))[:4]))
        if len(text) > 2:
            begin = len(text) % 2
            # of three digits never two and one: Swedish 201 is not `tjugo ett`, which is 21
            for first in {begin, 2} if len(text) > 3 else {begin}:
                pairs = [text[:first], *(text[at : at + 2] for at in range(first, len(text), 2))]
                found.append([" ".join(filter(None, map(self._pair, pairs)))])
        return in_turn(found)

    def _name_of_pair(self, text: str) -> str:
        if not text:
            return ""
        if text[0] == "0" or len(text) == 1:
            return next(iter(self.digits(text)), "")
        return next(iter(self.cardinals(int(text))), "")


def _name_in(region: RuleSets, rules: str, number: int) -> str:
    """Return the name of a number in a rule set; an empty text if it has none."""
    spell = region.spell if number < _FEW else region.spell_anew
    name = spell(rules, number) or ""
    if not _UNUSUAL.search(name):
        return name
    return "" if _NO_NAME.search(name) else name.strip().replace(",", "").replace("ʼ", "'")


def _named(engine: RbnfEngine, *starts: str) -> list[str]:
    """Return the public rule sets whose kind begins with one of `starts`, such as `cardinal`.

    Rule sets for cheques and days are skipped, and those for years unless `starts` has them.
    """
    names = []
    for name, rules in engine.rulesets.items():
        if rules.is_private or not name.startswith("spellout-") or _NOT_SAID.search(name):
            continue
        kind = name.removeprefix("spellout-")
        if kind.startswith(starts) and (
            kind.startswith("numbering-year") == ("numbering-year" in starts)
        ):
            names.append(name)
    # little is counted in the neuter
    return sorted(names, key=lambda name: ("verbose" in name, "neuter" in name))


def _targets(engine: RbnfEngine, names: Iterable[str]) -> list[str]:
    """Return the rule sets; a set that only refers to another set is replaced by that set.

    For example, `numbering` refers to `cardinal` in most languages. Each number is therefore
    spelled only once.
    """
    from unicode_rbnf.engine import ReplaceRulePart

    targets: dict[str, None] = {}
    for name in names:
        rules = list(engine.rulesets[name].numeric_rules.values())
        parts = rules[0].parts if len(rules) == 1 else []
        if len(parts) == 1 and isinstance(parts[0], ReplaceRulePart):
            name = parts[0].ruleset_name
        targets[name] = None
    return list(targets)


def _single_blanks(text: str) -> str:
    if text.isprintable() and "  " not in text and text[:1] != " " != text[-1:]:
        return text  # with no other blanks than single spaces
    return " ".join(text.split())


def names_of(lang: str, rows: TableRows = ()) -> NumberNames:
    """Return the names of numbers in a language, with its table and a user's rows."""
    return _names_of(lang, rows)


@cache
def _names_of(lang: str, rows: TableRows) -> NumberNames:
    return NumberNames(table_of(lang, rows))
