"""Search for the positions in a text at which rules of a map apply."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, compress
from typing import NamedTuple

# Rules that may begin anywhere are found by so many letters of what they replace.
_LETTERS = 3


class GlmRule(NamedTuple):
    """A rule: a text, its replacement, and the contexts around the text."""

    source: str
    target: str
    left: str
    right: str


class RuleIndex:
    """An index of rules, for scanning a text once from left to right.

    At each position, the first matching rule applies. Replacements are not searched again.
    Contexts are compared with the original text. A rule that replaces nothing never matches.

    Rules for whole words are found by their first word and all other rules by their first letters,
    so that few rules are tried.

    >>> rules = [GlmRule("uh", "", " ", " "), GlmRule("h", "x", "", "")]
    >>> list(RuleIndex(rules, str.lower).matches("oh UH uh"))
    [(1, 2, 1), (3, 5, 0), (7, 8, 1)]
    """

    def __init__(self, rules: Iterable[GlmRule], fold: Callable[[str], str]) -> None:
        self._fold = fold
        self._rules = [GlmRule(*map(fold, rule)) for rule in rules]
        self._by_word: dict[str, list[int]] = {}
        sources: dict[str, list[int]] = {}
        for number, rule in enumerate(self._rules):
            word, blank, _ = (rule.source + rule.right).partition(" ")
            if not rule.source:
                continue
            if rule.left.endswith(" ") and blank and word:
                self._by_word.setdefault(word, []).append(number)
            else:
                sources.setdefault(rule.source[:_LETTERS], []).append(number)
        self._by_letters = sources
        self._letters = re.compile(_any_of({*sources}), re.DOTALL) if sources else None
        self._tried: dict[str, Sequence[int]] = {}

    def matches(self, text: str) -> Iterator[tuple[int, int, int]]:
        """Yield start, end and rule number of each match, from left to right; all count from 0."""
        folded = self._fold(text)
        done = 0
        for position in self._places(folded):
            if position < done:
                continue
            for number in self._candidates(folded, position):
                source, _, left, right = self._rules[number]
                end = position + len(source)
                if (
                    folded.startswith(source, position)
                    and folded.startswith(right, end)
                    and folded.endswith(left, 0, position)
                ):
                    yield position, end, number
                    done = end
                    break

    def _places(self, text: str) -> Iterable[int]:
        """Return the positions, in order, at which a rule may begin to match."""
        words: list[int] = []
        if self._by_word:
            pieces = text.split(" ")
            pieces[0] = ""
            begins = accumulate(map(len, pieces), initial=text.find(" ") if " " in text else 0)
            matching = map(self._by_word.__contains__, pieces)
            words = [begin + number for number, begin in compress(enumerate(begins), matching)]
        if self._letters is None:
            return words
        letters = [match.start() for match in self._letters.finditer(text)]
        return sorted({*letters, *words}) if words else letters

    def _candidates(self, text: str, position: int) -> Sequence[int]:
        """Return the rules that may begin at a position, in the order of the map."""
        key = text[position : position + _LETTERS]
        if self._letters is None:
            numbers: Sequence[int] = ()
        elif key in self._tried:
            numbers = self._tried[key]
        else:
            begins = (self._by_letters.get(key[:n], []) for n in range(1, len(key) + 1))
            numbers = self._tried[key] = sorted(
                number for candidates in begins for number in candidates
            )
        if self._by_word and position and text[position - 1] == " ":
            end = text.find(" ", position)
            words = self._by_word.get(text[position:] if end < 0 else text[position:end], [])
            return sorted([*numbers, *words]) if numbers and words else numbers or words
        return numbers


def _any_of(texts: set[str]) -> str:
    """Return a pattern that matches any letter with which a text of the set begins."""
    begins: dict[str, set[str]] = {}
    for text in texts:
        begins.setdefault(text[0], set()).add(text[1:])
    return "|".join(
        re.escape(letter) + ("" if "" in rests else f"(?=(?:{_any_of(rests)}))")
        for letter, rests in sorted(begins.items())
    )
