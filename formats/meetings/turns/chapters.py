"""Titles of chapters with their times, each above the speech of a chapter: ``0:27 - The bridge``.

The speech below may have names, but no times of its own. The lines are read as times alone.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from formats.meetings.layouts import fold
from formats.meetings.turns.heads import CLOCK, CLOCK_ANYWHERE, any_untimed
from formats.meetings.turns.plain import LEAST, MOST_ALIKE, SEPARATED, Lines
from formats.reading.lines import SENTENCE_ENDS
from formats.reading.patterns import TO, parse_stamp
from formats.reading.speakers import is_label
from formats.reading.time_values import FASTEST, NO_BLANKS, SLOWEST
from formats.schema import NamedTuple, lazy_pattern
from formats.schema.times import SECOND

TIMES = rf"({CLOCK})(?:[ ]{{0,2}}{TO}[ ]{{0,2}}({CLOCK}))?"
TIME_FIRST = lazy_pattern(
    rf"(?:\[{TIMES}\]|\({TIMES}\)|{TIMES})(?:[ ]{{0,3}}[-–—:|]{{1,2}})?[ ]{{1,3}}"
    r"(?P<title>[\[(]?[^\W_][^\n]{0,90})\Z"
)
TIME_LAST = lazy_pattern(
    rf"(?P<title>[^\W_][^\n]{{0,90}}?)[ ]{{1,3}}(?:[-–—|@][ ])?(?:\[{TIMES}\]|\({TIMES}\))\Z"
)
"""A time, perhaps with an end, before or behind the title of a chapter."""
LONGEST_LINE, MOST_WORDS, FEW_TIMES = 130, 14, 0.1
"""Characters of such a line, words of a title, and the share of other times beside chapters."""
SOME, MOST_TITLES = 300, 0.75
"""The first lines of a text, and the largest share of them that are titles with times."""
LATEST = 60 * SECOND
"""The latest time of the first chapter of a recording without names."""
SHORTEST_WORD = 4
"""The letters of a word in small letters that no name has, unlike ``van`` and ``de``."""


class ChapterTitle(NamedTuple):
    """The title of a chapter, and its times as they would be alone on a line."""

    title: str
    times: str

    @property
    def start(self) -> str:
        """The first of the times."""
        return self.times.partition(" ")[0]


def chapters_over(lines: Lines) -> dict[int, ChapterTitle]:
    """Return the titles of chapters above speech by position; empty if a text has none.

    Their times increase, they differ, and below each but the last is text without times.
    """
    texts = [line for _, line in lines]
    some = [_title_in(text) is not None for text in texts[:SOME] if text.strip()]
    if sum(some) > MOST_TITLES * len(some):
        return {}  # times begin turns
    chapters = {n: title for n, text in enumerate(texts) if (title := _title_in(text)) is not None}
    if len(chapters) < LEAST:
        return {}
    starts = [parse_stamp(chapter.start) for chapter in chapters.values()]
    if any(b <= a for a, b in itertools.pairwise(starts)):
        return {}
    others = {
        n: fold(text).text for n, text in enumerate(texts)
        if n > min(chapters) and n not in chapters and text.strip()
    }  # fmt: skip
    timed = sum(CLOCK_ANYWHERE.match(text.lstrip("[(")) is not None for text in others.values())
    filled = sorted({*others, *chapters})
    above = sum(a in chapters and b in others for a, b in itertools.pairwise(filled))
    is_over = above >= SEPARATED * (len(chapters) - 1) and timed <= FEW_TIMES * len(chapters)
    if not is_over:
        return {}
    have_turns = _have_turns(chapters, others.values())
    if have_turns:
        return {n: chapter._replace(times=chapter.start) for n, chapter in chapters.items()}
    is_talk = have_turns is None and _are_of_talk(chapters, others.values(), starts)
    return chapters if is_talk else {}


def _have_turns(chapters: Mapping[int, ChapterTitle], others: Collection[str]) -> bool | None:
    """Return whether the lines with times are no names, if returning names are below.

    Return `None` without such names.
    """
    heads = [head for text in others if (head := any_untimed(fold(text))) is not None]
    names = Counter(head.name for head in heads if head.text)
    turns = sum(count for count in names.values() if count > 1)
    if len(names) < MOST_ALIKE or turns < max(LEAST, len(others) / 2):
        return None
    return names.keys().isdisjoint(chapter.title for chapter in chapters.values())


def _are_of_talk(
    chapters: Mapping[int, ChapterTitle], others: Collection[str], starts: Sequence[int]
) -> bool:
    """Return True if lines with times are titles of parts of a talk without names of speakers.

    They differ, some have words that no name has, and the text below is as long as people speak.
    """
    titles = [chapter.title for chapter in chapters.values()]
    if len({*titles}) < len(titles) or any(map(is_label, titles)):
        return False
    words = [word for title in titles for word in title.split()[1:]]
    have_words = any(word.islower() and len(word) >= SHORTEST_WORD for word in words)
    size = sum(len(text.split()) + len(NO_BLANKS.findall(text)) // 2 for text in others)
    seconds = (starts[-1] - starts[0]) / SECOND
    is_speech = SLOWEST * seconds <= size <= 2 * FASTEST * seconds
    sentences = sum(text.endswith(SENTENCE_ENDS) for text in others)
    return have_words and is_speech and starts[0] <= LATEST and 2 * sentences >= len(others)


def _title_in(line: str) -> ChapterTitle | None:
    """Return the title and the times of a line that may be above a chapter; otherwise `None`."""
    text = line.strip()
    if not 0 < len(text) <= LONGEST_LINE or not any(map(str.isdigit, text)):
        return None
    text = fold(text).text.strip("-=─━═* ")
    match = TIME_FIRST.match(text) or TIME_LAST.match(text)
    if match is None:
        return None
    title = match["title"].strip("-=─━═*|: ")
    if title.endswith((*SENTENCE_ENDS, ",", ":")) or len(title.split()) > MOST_WORDS:
        return None
    groups = (match[n] for n in range(1, match.re.groups + 1) if n != match.re.groupindex["title"])
    start, *end = filter(None, groups)
    return ChapterTitle(title, start if not end else f"{start} - {end[0]}")
