"""Names of numbers by our walk of CLDR's rules, against the package's own."""

from __future__ import annotations

from random import Random

import pytest
from unicode_rbnf import RbnfEngine
from unicode_rbnf.engine import FormatOptions, NoRuleForNumberError

from scoring.text.language_tables import spoken_languages
from scoring.text.spoken.names import names_of
from scoring.text.spoken.rule_sets import RuleSets
from scoring.text.spoken.table import literal_of, table_of
from tests.each_case import each_case


def numbers(random: Random) -> list[int]:
    """Small numbers, borders of rules and their neighbours, and others of any length."""
    powers = [10**exponent for exponent in range(2, 13)]
    borders = [
        power * factor + more for power in powers for factor in (1, 2) for more in (-1, 0, 1)
    ]
    drawn = [random.randrange(10 ** random.randint(1, 15)) for _ in range(8)]
    return [*random.sample(range(130), 12), *random.sample(borders, 10), *drawn]


DIVIDED_WRONGLY = ("fr", "hu", "it", "vec", "zu")
"""Languages with a rule for 1001 or 2001: from 10,000 on the package divides by 10,000 for it."""


def test_rules_that_are_no_round_numbers_divide_by_a_power_below_them() -> None:
    italian = RuleSets(RbnfEngine.for_language("it"))
    name = italian.spell("spellout-ordinal-masculine", 200001)
    assert name is not None
    assert name.replace("\xad", "") == "duecentomilaunesimo"
    hungarian = RuleSets(RbnfEngine.for_language("hu")).spell("spellout-ordinal", 131111)
    assert hungarian is not None
    assert hungarian.replace("\xad", "") == "százharmincegyezerszáztizenegyedik"


def name_by_package(engine: RbnfEngine, rules: str, number: int) -> str | None:
    """The package's name of a number; None where it has no rule."""
    keep = FormatOptions.PRESERVE_SOFT_HYPENS
    try:
        result = engine.format_number(number, ruleset_names=[rules], options=keep)
    except NoRuleForNumberError:
        return None
    return str(result.text_by_ruleset[rules])


@pytest.mark.share(3)
@pytest.mark.parametrize("part", range(3))
def test_every_rule_set_has_the_names_of_the_package(part: int) -> None:
    for lang in sorted(RbnfEngine.get_supported_languages())[part::3]:
        check_names(lang)


def check_names(lang: str) -> None:
    engine = RbnfEngine.for_language(lang)
    ours = RuleSets(engine)
    public = [name for name, rules in engine.rulesets.items() if not rules.is_private]
    random = Random(f"rule sets of {lang}")
    for rules in (name for name in public if name.startswith("spellout-")):
        most = 10_000 if lang in DIVIDED_WRONGLY else 10**18
        for number in (number for number in numbers(random) if number < most):
            expected = name_by_package(engine, rules, number)
            assert ours.spell(rules, number) == expected, (rules, number)


@pytest.mark.share(2)
@pytest.mark.parametrize("part", range(2))
def test_a_respelling_applies_only_to_names_with_its_literal(part: int) -> None:
    for lang in spoken_languages()[part::2]:
        check_respellings(lang)


def check_respellings(lang: str) -> None:
    names, random = names_of(lang), Random(f"respellings of {lang}")
    drawn = [
        name for number in random.sample(range(200_000), 25) for name in names.cardinals(number)
    ]
    for row in table_of(lang).respellings:
        for name in drawn:
            assert row.respell(name) == row.pattern.sub(row.replacement, name)


@each_case(
    ("pattern", "literal"),
    [
        ("^one (?=hundred|thousand)", "one "),
        (" and (?=.* and )", " and "),
        ("ab?c", "a"),
        ("a{0}b", ""),
        ("one|two", ""),
        ("(?i)one", ""),
        ("(?:one|two) x", ""),
        (r"\\(one|two\\)", ""),
    ],
)
def test_the_literal_of_a_respelling(pattern: str, literal: str) -> None:
    assert literal_of(pattern) == literal
