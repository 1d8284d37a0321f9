"""Names of whole numbers by the rule sets that `unicode_rbnf` parses, with cached parts.

The package spells every number separately. This module caches the names of parts of a number
(`hundred five` in 1,105 and in 2,105), and parses each rule once.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from unicode_rbnf import RbnfEngine

KEPT = 1 << 16
Part = Callable[[int, int, int], "str | None"]
"""The text of a part of a rule for a number, its quotient and its remainder; None: no name."""


class _Rule:
    """A rule for the names of numbers: its parts, and the divisor of the number.

    The divisor is the largest power of the radix that does not exceed the rule's base number, as in
    ICU. `unicode_rbnf` uses the next power for large numbers if the base number is not round
    (1,001).
    """

    def __init__(self, parts: list[Part], value: int, radix: int) -> None:
        self._parts = parts
        self._divisor = 1
        while self._divisor * radix <= value:
            self._divisor *= radix

    def spell(self, number: int) -> str | None:
        """Return the name of a number to which the rule applies."""
        quotient, remainder = divmod(number, self._divisor)
        texts = []
        for part in self._parts:
            text = part(number, quotient, remainder)
            if text is None:
                return None
            texts.append(text)
        return "".join(texts)


class RuleSets:
    """The rule sets of a language for the names of numbers."""

    def __init__(self, engine: RbnfEngine) -> None:
        self._engine = engine
        self._rules: dict[str, tuple[list[int], list[_Rule]]] = {}
        self._open: set[tuple[str, int]] = set()
        self.spell = lru_cache(KEPT)(self._spell)

    def _spell(self, name: str, number: int) -> str | None:
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
        rules = [
            _Rule(list(self._parts(name, rule)), int(start), rule.radix) for start, rule in numbered
        ]
        return starts, rules

    def _parts(self, name: str, rule: Any) -> Iterator[Part]:
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

    def _plural(self, part: Any) -> Part:
        """Return a function for the plural form of a quotient, or of an ordinal's number."""
        agrees = part.plural_type.name == "CARDINAL"
        language = self._engine.language
        return lambda number, quotient, _: str(
            part.render(quotient if agrees else number, language)
        )

    def _replaced(self, name: str) -> Part:
        return lambda number, quotient, remainder: self.spell(name, number)

    def _sub(self, name: str, part: Any) -> Part:
        """Return a function that spells the quotient or remainder by a rule set."""
        of_quotient = part.type.name == "QUOTIENT"
        is_silent = part.is_optional or part.ruleset_name is None
        rules = part.ruleset_name or name
        before, after = part.text_before or "", part.text_after or ""

        def text(_: int, quotient: int, remainder: int) -> str | None:
            value = quotient if of_quotient else remainder
            if not value and is_silent:
                return ""
            spelled = self.spell(rules, value)
            return None if spelled is None else f"{before}{spelled}{after}"

        return text


def _fixed(text: str) -> Part:
    return lambda number, quotient, remainder: text
