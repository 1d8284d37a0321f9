"""Search for repeated words (loops). This module imports no other module of the package.

Tokens are words in lower case without punctuation at both ends. A word in a script without blanks
(Han, Kana, Thai, Lao, Khmer, Burmese) is split into characters with their marks.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

from formats.schema import NamedTuple, lazy_pattern

# Copies from which a single token, or a longer unit, is a loop, and the longest unit.
LIMITS = (4, 3, 24)
CHARACTER_COPIES = 6
"""Smallest number of copies of a single character, in scripts without blanks, that is a loop."""
LEAST_REPEATED = 3
"""Smallest number of repeated tokens (all tokens minus distinct tokens) in a text with a loop."""
UNSEPARATED = lazy_pattern(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff"
    "\U00020000-\U0003ffff]"
)
_INSIDE = lazy_pattern("[\u055b-\u055e]")  # Armenian marks, which are written inside words


class Loop(NamedTuple):
    """A unit of `length` tokens that occurs `copies` times in a row, from `start` on."""

    start: int
    length: int
    copies: int
    spoken: int = 0  # the most copies in a row in the reference

    @property
    def excess(self) -> int:
        """The number of tokens beyond the expected copies. At least one copy is always expected."""
        return self.length * max(0, self.copies - max(1, self.spoken))


def cut_word(word: str) -> list[tuple[str, str]]:
    """Cut a word into tokens, each with the marks after it; leading marks follow an empty token.

    >>> cut_word('"Well,'), cut_word("你好，"), cut_word("?!"), cut_word("ի՞նչ")
    ([('', '"'), ('Well', ',')], [('你', ''), ('好', '，')], [('', '?!')], [('ինչ', '՞')])
    """
    begin, end = 0, len(word)
    while begin < end and _is_mark(word[begin]):
        begin += 1
    while end > begin and _is_mark(word[end - 1]):
        end -= 1
    pieces = [("", word[:begin])] if begin else []
    inner, after = word[begin:end], word[end:]
    if not inner.isascii() and _INSIDE.search(inner):  # the marks belong to the slot after the word
        inner, after = _INSIDE.sub("", inner), "".join(_INSIDE.findall(inner)) + after
    if inner.isascii() or not UNSEPARATED.search(inner):
        return [*pieces, (inner, after)] if inner else pieces
    for character in inner + after:
        token, marks = pieces[-1] if pieces else ("", "")
        if _is_mark(character):
            pieces[-1] = token, marks + character
        elif token and unicodedata.category(character)[0] == "M":
            pieces[-1] = token + character, marks
        else:
            pieces.append((character, ""))
    return pieces


def pieces_of(word: str) -> tuple[str, ...]:
    """Return the tokens of a word; a word that is only punctuation has none.

    >>> pieces_of("Hello,"), pieces_of("—"), pieces_of("はい。")
    (('hello',), (), ('は', 'い'))
    """
    if word.isascii() and word.isalnum():
        return (word.lower(),)
    return tuple(token for token, _ in cut_word(word.lower()) if token)


def _is_mark(character: str) -> bool:
    return not character.isalnum() and unicodedata.category(character)[0] in "PS"


def find_loops(tokens: Sequence[str], limits: tuple[int, int, int] = LIMITS) -> list[Loop]:
    """Return the loops among tokens, from left to right.

    `limits` are the least number of copies of a single token, the least number of copies of a
    longer unit, and the length of the longest unit. At each position, the shortest unit with enough
    copies is taken, and the search continues after the loop. A single character of a script without
    blanks needs at least `CHARACTER_COPIES` copies.
    """
    first, others, longest = limits
    loops: list[Loop] = []
    start, number = 0, len(tokens)
    while start < number:
        for length in range(1, min(longest, (number - start) // 2) + 1):
            needed = others if length > 1 else first
            if start + length * needed > number or tokens[start] != tokens[start + length]:
                continue
            if length == 1 and UNSEPARATED.match(tokens[start]):
                needed = max(first, CHARACTER_COPIES)
            copies = _copies(tokens, start, length)
            if copies >= needed:
                loops.append(Loop(start, length, copies))
                start += length * copies
                break
        else:
            start += 1
    return loops


def _copies(tokens: Sequence[str], start: int, length: int) -> int:
    """Return how many times in a row a unit of `length` tokens occurs from `start` on."""
    unit = tokens[start : start + length]
    copies, place = 1, start + length
    while tokens[place : place + length] == unit:
        copies += 1
        place += length
    return copies


def most_copies(unit: Sequence[str], tokens: Sequence[str]) -> int:
    """Return the largest number of consecutive copies of a unit among tokens."""
    most, length = 0, len(unit)
    for start in range(len(tokens) - length + 1):
        if tokens[start] == unit[0] and tokens[start : start + length] == unit:
            most = max(most, _copies(tokens, start, length))
    return most


def loops_of(
    hypothesis: Sequence[str], reference: Sequence[str], limits: tuple[int, int, int] = LIMITS
) -> list[Loop]:
    """Return the loops of a hypothesis.

    `spoken` of a loop is the largest number of consecutive copies of its unit in the reference.
    """
    if len(set(hypothesis)) > len(hypothesis) - LEAST_REPEATED:
        return []
    return [
        loop._replace(
            spoken=most_copies(hypothesis[loop.start : loop.start + loop.length], reference)
        )
        for loop in find_loops(hypothesis, limits)
    ]
