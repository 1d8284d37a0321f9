"""Languages and scripts of lines: a text and its translation in turn, or two scripts in a line."""

from __future__ import annotations

import itertools
from collections import Counter

from formats.reading.part_titles import LONGEST_TITLE
from formats.schema import lazy_pattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

WORD = lazy_pattern(r"[^\W\d_]+")
LATIN = lazy_pattern(r"[A-Za-z\u00c0-\u024f]")
KANA, HAN = lazy_pattern(r"[\u3041-\u30ff]"), lazy_pattern(r"[\u3400-\u9fff]")
LETTER = lazy_pattern(r"[^\W\d_]")
FEWEST_PAIRS, SHARE_OF_PAIRS, SHARE_OF_KANA = 3, 0.8, 0.1
FEWEST_FORMS = 10
FEWEST_OF_TWO, SHARE_OF_TWO, MOST_SCRIPTS = 4, 0.6, 2
"""The fewest lines in two scripts, and their share."""
COMMONEST, FEWEST_COMMON, SHARE_OF_COMMON, MOST_SHARED = 25, 60, 0.25, 0.15
"""The number of the commonest words, the fewest words, their share, and the largest overlap."""


def do_lines_alternate(lines: Sequence[str]) -> bool:
    """Return True if lines alternate between two languages, such as a text and its translation.

    The scripts of the lines differ, or the commonest words of every other line are not among those
    of the lines between.
    """
    pairs = list(zip(lines[::2], lines[1::2], strict=False))
    if len(pairs) < FEWEST_PAIRS:
        is_twice = len(lines) == 2 and min(map(len, lines)) > LONGEST_TITLE
        return is_twice and do_scripts_differ(*lines)
    scripts = [(script_of(first), script_of(second)) for first, second in pairs]
    known = Counter(pair for pair in scripts if all(pair))
    (most, count), *_ = known.most_common(1) or [(("", ""), 0)]
    if most[0] != most[1] and count >= SHARE_OF_PAIRS * len(pairs):
        return True
    sides = [_words(side) for side in zip(*pairs, strict=True)]
    return all(map(_is_of_language, sides)) and _overlap(*sides) <= MOST_SHARED


def lines_of_two_languages(lines: Sequence[str]) -> list[str]:
    """Return the lines that go on in another script than they begin in, if most lines do.

    >>> lines_of_two_languages(["そうです 是的", "橋です 这是桥", "はい 对", "いいえ 不"])[:1]
    ['そうです 是的']
    """
    pairs = [(line, _two_scripts(line)) for line in lines]
    counts = Counter(pair for _, pair in pairs if pair)
    pair, count = counts.most_common(1)[0] if counts else ((), 0)
    is_most = count >= max(FEWEST_OF_TWO, SHARE_OF_TWO * len(lines))
    return [line for line, scripts in pairs if scripts == pair] if is_most else []


def _two_scripts(line: str) -> tuple[str, ...]:
    """Return the scripts of a line that changes its script once, at a blank; otherwise nothing.

    Words of Han before a word of kana are Japanese.
    """
    scripts = list(filter(None, map(script_of, line.split())))
    last = max((n for n, script in enumerate(scripts) if script == "Japanese"), default=-1)
    scripts[: last + 1] = ["Japanese" if x == "Chinese" else x for x in scripts[: last + 1]]
    runs = tuple(script for script, _ in itertools.groupby(scripts))
    return runs if len(runs) == MOST_SCRIPTS and len(set(runs)) == MOST_SCRIPTS else ()


def do_scripts_differ(first: str, second: str) -> bool:
    """Return True if two texts are in different scripts: Latin, Japanese, Chinese or others."""
    scripts = script_of(first), script_of(second)
    return all(scripts) and scripts[0] != scripts[1]


def script_of(line: str) -> str:
    """Return the script of most letters; empty without letters. Kana among Han is Japanese."""
    size = len(LETTER.findall(line))
    if size < 2 * len(LATIN.findall(line)):
        return "Latin"
    if SHARE_OF_KANA * size < len(KANA.findall(line)):
        return "Japanese"
    return ("Chinese" if size < 2 * len(HAN.findall(line)) else "other") if size else ""


def _words(lines: Iterable[str]) -> Counter[str]:
    return Counter(word for line in lines for word in WORD.findall(line.casefold()))


def _is_of_language(words: Counter[str]) -> bool:
    """Return True if there are enough words, and some of them are as common as in a language."""
    total = words.total()
    common = sum(count for _, count in words.most_common(COMMONEST))
    are_common = common >= max(SHARE_OF_COMMON * total, 2 * min(COMMONEST, len(words)))
    return total >= FEWEST_COMMON and len(words) >= FEWEST_FORMS and are_common


def _overlap(first: Counter[str], second: Counter[str]) -> float:
    """Return the share of the commonest words of each text that the other text has, too."""
    common = [[word for word, _ in words.most_common(COMMONEST)] for words in (first, second)]
    shared = sum(word in second for word in common[0]) + sum(word in first for word in common[1])
    return shared / sum(map(len, common))
