"""Names of whole numbers by the rule sets that `unicode_rbnf` parses, with cached parts.

The package spells every number separately. This module caches the names of parts of a number
(`hundred five` in 1,105 and in 2,105), and parses each rule once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from unicode_rbnf import RbnfEngine

KEPT = 1 << 16
_KEPT_OF_PART = 1 << 12
Spell = Callable[[int], "str | None"]
"""Spells a number, a quotient or a remainder; None: no name."""


class _Part(NamedTuple):
    """A part of a rule: text, or the spelling of the number, its quotient or its remainder."""

    source: str  # "number", "quotient" or "remainder"; empty for a fixed text
    spell: Spell


class _Rule:
    """A rule for the names of numbers: its parts, and the divisor of the number.

    The divisor is the largest power of the radix that does not exceed the rule's base number, as in
    ICU. `unicode_rbnf` uses the next power for large numbers if the base number is not round
    (1,001).
    """

    def __init__(self, parts: Iterable[_Part], value: int, radix: int) -> None:
        self._divisor = 1
        while self._divisor * radix <= value:
            self._divisor *= radix
        sources: list[str] = []
        spells: list[list[Spell]] = []
        for part in parts:
            if spells and part.source in ("", sources[-1]):
                spells[-1].append(part.spell)
            elif spells and not sources[-1]:
                sources[-1] = part.source
                spells[-1].append(part.spell)
            else:
                sources.append(part.source)
                spells.append([part.spell])
        joined = zip(sources, map(_joined, spells), strict=True)
        # numbers have few different quotients and remainders, so these parts are cached
        self._parts = [
            (source, spell if source == "number" else lru_cache(_KEPT_OF_PART)(spell))
            for source, spell in joined
        ]

    def spell(self, number: int) -> str | None:
        """Return the name of a number to which the rule applies."""
        quotient, remainder = divmod(number, self._divisor)
        name = ""
        for source, spell in self._parts:
            text = spell(
                quotient if source == "quotient" else remainder if source == "remainder" else number
            )
            if text is None:
                return None
            name += text
        return name


def _joined(spells: Sequence[Spell]) -> Spell:
    """Return a function that joins the texts of several parts."""
    if len(spells) == 1:
        return spells[0]

    def spell(value: int) -> str | None:
        texts = [spell_part(value) for spell_part in spells]
        return None if None in texts else "".join(filter(None, texts))

    return spell


class RuleSets:
    """The rule sets of a language for the names of numbers."""

    def __init__(self, engine: RbnfEngine) -> None:
        self._engine = engine
        self._rules: dict[str, tuple[list[int], list[_Rule]]] = {}
        self._open: set[tuple[str, int]] = set()
        self.spell = lru_cache(KEPT)(self.spell_anew)

    def spell_anew(self, name: str, number: int) -> str | None:
        """Return the name of a number in a rule set; None if the set has no name for it."""
        if name not in self._rules:
            self._rules[name] = self._parsed(name)
        starts, rules = self._rules[name]
        if not rules or (name, number) in self._open:
            # rules for small numbers that call themselves for large ones
            return None
        self._open.add((name, number))
        try:
            return rules[max(0, bisect_right(starts, number) - 1)].spell(number)
        finally:
            self._open.discard((name, number))

    def _parsed(self, name: str) -> tuple[list[int], list[_Rule]]:
        known = self._engine.rulesets.get(name)
        numbered = sorted(known.numeric_rules.items()) if known is not None else []
        starts = [start for start, _ in numbered]
        # not `rule.value`, which the package changes when it spells a number
        rules = [_Rule(self._parts(name, rule), int(start), rule.radix) for start, rule in numbered]
        return starts, rules

    def _parts(self, name: str, rule: Any) -> Iterator[_Part]:
        from unicode_rbnf.engine import PluralFormatPart, ReplaceRulePart, SubRulePart, TextRulePart

        for part in rule.parts:
            if isinstance(part, TextRulePart):
                yield _fixed(part.text or "")
            elif isinstance(part, PluralFormatPart):
                if part.function_name:
                    yield self._plural(part)
            elif isinstance(part, SubRulePart):
                yield self._sub(name, part)
            elif isinstance(part, ReplaceRulePart):
                yield self._replaced(part.ruleset_name)

    def _plural(self, part: Any) -> _Part:
        """Return the plural form of a quotient, or of an ordinal's number."""
        language = self._engine.language
        source = "quotient" if part.plural_type.name == "CARDINAL" else "number"
        return _Part(source, lambda value: str(part.render(value, language)))

    def _replaced(self, name: str) -> _Part:
        return _Part("number", lambda number: self.spell(name, number))

    def _sub(self, name: str, part: Any) -> _Part:
        """Return the spelling of the quotient or remainder by a rule set."""
        is_silent = part.is_optional or part.ruleset_name is None
        rules = part.ruleset_name or name
        before, after = part.text_before or "", part.text_after or ""

        def spell(value: int) -> str | None:
            if not value and is_silent:
                return ""
            spelled = self.spell(rules, value)
            return None if spelled is None else f"{before}{spelled}{after}"

        return _Part("quotient" if part.type.name == "QUOTIENT" else "remainder", spell)


def _fixed(text: str) -> _Part:
    return _Part("", lambda value: text)
