"""Titles of parts beside the times of a text without names: over a time, or behind it.

A position is the index of a line, from 0.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping

from formats.meetings.turns.heads import CLOCK_ANYWHERE, TurnHead
from formats.meetings.turns.lines import TextLines
from formats.meetings.turns.outside import is_brief_line
from formats.meetings.turns.plain import LEAST, LEAST_NUMBERED, MOST_ALIKE, SEPARATED
from formats.reading.patterns import parse_stamp

FEWEST_CAPTIONS = 10
"""The fewest captions between which titles are looked for."""
MOST_UNTITLED = 3
"""Words of a title, and characters of a word, in small letters."""
MOST_OF_TITLE, TIMES_LONGER = 8, 3
"""Words of a title behind a time, and how many times longer the texts below are on average."""


def are_titles(heads: dict[int, TurnHead], text: TextLines) -> bool:
    """Return True if texts beside increasing times are titles: all differ, one is a sentence.

    A text is below each of them, but perhaps not below the last: ``29:30 - End``.
    """
    names = {head.name or "" for head in heads.values()}
    starts = [head.start or 0 for head in heads.values()]
    if (
        len(heads) < LEAST or len(names) < len(heads) or any(x.text for x in heads.values())
        or any(head.start is None for head in heads.values())
        or any(b <= a for a, b in itertools.pairwise(starts))
        or not any(word.islower() for name in names for word in name.split()[1:])
    ):  # fmt: skip
        return False
    above = [any(map(text.is_spoken, range(a + 1, b))) for a, b in itertools.pairwise(heads)]
    return sum(above) >= SEPARATED * len(above)


def titles_over_times(heads: Mapping[int, TurnHead], text: TextLines) -> set[int]:
    """Return the positions of titles directly above the times of captions that are one line each.

    A title begins with a capital. Most captions go on in small letters, and then a page may have
    brief lines below the last one; otherwise all words of a title but short ones have capitals.
    """
    if len(heads) < FEWEST_CAPTIONS or any(x.name or x.start is None for x in heads.values()):
        return set()
    behind = sum(bool(head.text) for head in heads.values())
    if 0 < behind < len(heads):
        return set()
    size = 0 if behind else 1
    blocks = [
        [n for n in range(a + 1, b) if text.is_filled[n]]
        for a, b in itertools.pairwise([*heads, len(text.lines)])
    ]
    captions = [
        (text.folded[block[0]].text if block else heads[a].text)
        for a, block in zip(heads, blocks, strict=True) if len(block) == size
    ]  # fmt: skip
    if len(captions) < LEAST_NUMBERED * len(blocks):
        return set()
    are_small = sum(x[:1].islower() for x in captions) >= LEAST_NUMBERED * len(captions)
    lasts = [block[-1] for block in blocks[:-1] if len(block) == size + 1]
    titles = {
        n for n in lasts if _is_title(text.folded[n].text)
        and (are_small or is_titled(text.folded[n].text))
    }  # fmt: skip
    end = blocks[-1][size:]
    is_of_page = are_small and all(_is_title(text.folded[n].text) for n in end)
    return titles.union(end if is_of_page else ())


def _is_title(line: str) -> bool:
    """Return True for a brief line that begins with a capital and ends no sentence."""
    return is_brief_line(line) and line[0].isupper()


def titles_below_rules(heads: Mapping[int, TurnHead], text: TextLines) -> set[int]:
    """Return the positions of lines between a rule and a time, if nearly all times have one.

    The lines differ; names would return.
    """
    if len(heads) < LEAST or any(head.name or head.start is None for head in heads.values()):
        return set()
    filled = text.filled
    titles = {
        n: text.folded[n].text
        for above, n, below in zip(filled, filled[1:], filled[2:], strict=False)
        if above in text.is_rule and n not in text.is_rule and n not in heads and below in heads
    }  # fmt: skip
    titles |= {filled[0]: text.folded[filled[0]].text} if filled[1] in heads else {}
    least = SEPARATED * len(heads)
    return {*titles} if min(len(titles), len({*titles.values()})) >= least else set()


def titles_behind_times(heads: Mapping[int, TurnHead], text: TextLines) -> dict[int, str]:
    """Return the titles behind times by position, if the text of each turn is below its time.

    Some turns may have no title: ``[0:00 - 0:08] The bridge``, ``[0:09 - 0:15]``.
    """
    titles = {n: head.text for n, head in heads.items() if head.text}
    if (
        len(heads) < LEAST or not titles
        or any(head.name or head.start is None for head in heads.values())
        or not all(
            is_brief_line(title) and title[0].isupper() and title.count(" ") < MOST_OF_TITLE
            for title in titles.values()
        )
    ):  # fmt: skip
        return {}
    below = [
        [text.folded[n].text for n in range(a + 1, b) if text.is_spoken(n)]
        for a, b in itertools.pairwise([*heads, len(text.lines)])
    ]
    texts = [lines for lines in below if lines and not lines[0][0].islower()]
    said = sum(not is_brief_line(lines[-1]) for lines in texts)
    words = sum(map(len, itertools.chain(*texts)))
    are_longer = words * len(titles) >= TIMES_LONGER * sum(map(len, titles.values())) * len(heads)
    return titles if said >= SEPARATED * len(heads) and are_longer else {}


def is_titled(line: str) -> bool:
    """Return True for at most three words, or if all words but short ones have capitals."""
    return len(line.split()) <= MOST_UNTITLED or has_capitals(line)


def has_capitals(line: str) -> bool:
    """Return True if all words of a line but short ones have capitals, or it is one word.

    >>> has_capitals("The Road to Bern"), has_capitals("Why does pausing"), has_capitals("Pausing")
    (True, False, True)
    """
    return not any(word.islower() and len(word) > MOST_UNTITLED for word in line.split())


def times_of_parts(heads: Mapping[int, TurnHead], text: TextLines) -> set[int]:
    """Return the positions of times that are whole paragraphs between turns, as of each minute.

    They increase, and no turn has its time there: a name or a text is behind or above its time.
    """
    first, last = min(heads, default=0), max(heads, default=0)
    alone = [
        n for n in sorted(text.is_time_alone)
        if n not in heads and n < last and text.is_filled[n - 1 : n] != [True]
        and text.is_filled[n + 1 : n + 2] == [False]
    ]  # fmt: skip
    clocks = [CLOCK_ANYWHERE.search(text.folded[n].text) for n in alone]
    times = [parse_stamp(clock[0]) for clock in clocks if clock is not None]
    are_inside = sum(n > first for n in alone) >= MOST_ALIKE
    are_few = SEPARATED * len(heads) > len(alone)
    is_ordered = len(times) == len(alone) and times == sorted({*times})
    return {*alone} if are_inside and are_few and is_ordered else set()
