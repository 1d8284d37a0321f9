"""The possible layouts of a text, each with the number of lines it explains."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from formats.meetings.layouts import INSIDE, NAME_AND_ROLE, Folded
from formats.meetings.turns.headed import HeadedLines
from formats.meetings.turns.heads import (
    BLOCKS,
    BY_NAME,
    CLOCK,
    UNTIMED,
    UNTIMED_MARKDOWN,
    RowSigns,
    TurnHead,
    example_of,
    head_of,
    shown_notation,
    signs_of_row,
)
from formats.meetings.turns.induced import induced_patterns
from formats.meetings.turns.lines import BARE_STAMP, DIGIT, FOOTER
from formats.meetings.turns.plain import LEAST, LONE, SAMPLE, Lines
from formats.reading.patterns import compile_pattern, parse_stamp
from formats.reading.speakers import CLOSED, NOTATIONS, is_name
from formats.schema import lazy_pattern

ENDED = lazy_pattern(rf".{{3,60}} ({CLOCK})[ \xa0]*\Z")
NO_PROSE = lazy_pattern(
    r"\[(?:Script Info|Events|INFORMATION|SUBTITLE|BEGIN)\]|\*+ START SCRIPT|WEBVTT|@Begin"
    r"|File type|LHD:[ \t]*Partitur|\[(?:ti|ar|al|by|offset):"
)
CUE = lazy_pattern(
    r"(?!.*\[).*[0-9]:[0-9.,]{1,12}[ \t]?-->[ \t]*(?:[0-9:.,]+[ \t]*)?"
    r"(?:[A-Za-z]\w{0,9}:\S+(?:[ \t]+|\Z))*\Z"
)
FIRST_OF_CUE = 2
"""The times of a cue of subtitles, and the first lines of a file of which one has them."""
SOME = 200
LEAST_OF_OTHERS = 0.05
"""The turns of another layout that texts beside a text may have, as a share of those of the best.
"""
MOST_EXAMPLES = 6
FEWEST_PARAGRAPHS = 3
"""The paragraphs of a text that has none but itself, its head and its end."""


class TurnLayout(NamedTuple):
    """The layout of a text's turns, with counts of the paragraphs and lines that it explains.

    `heads` is the number of paragraphs that begin a turn, and `paragraphs` the number of all
    paragraphs. `speakers` is the number of different names. `left` is the number of lines that do
    not match, and `examples` quotes some of them.
    """

    pattern: str
    heads: int
    paragraphs: int
    speakers: int
    left: int = 0
    timed: int = 0
    is_marked: bool = False
    examples: tuple[str, ...] = ()

    @property
    def shown(self) -> str:
        """The most frequent beginning of a turn, as a pattern."""
        return self.examples[0] if self.examples else shown_notation(self.pattern)


class TurnText(HeadedLines):
    """The lines of a text with the possible layouts of turns.

    If `patterns` is not empty, only layouts with these patterns are possible.
    """

    def __init__(self, lines: Lines, patterns: Sequence[str] = ()) -> None:
        super().__init__(lines)
        self._patterns = patterns

    @cached_property
    def layouts(self) -> list[TurnLayout]:
        """The possible layouts of the text, each with the number of lines that it explains."""
        return list(_account_rows(self, self._patterns))

    def likely_patterns(self, best: TurnLayout) -> tuple[str, ...]:
        """Return the pattern of the best layout, and those of others where it has no turns.

        There are none if the best layout is that of times inside or alone.
        """
        if best.pattern in (INSIDE, BLOCKS):
            return ()
        heads = self.heads(best.pattern)
        others = (x.pattern for x in self.layouts if x.pattern not in (INSIDE, BLOCKS))
        least = LEAST_OF_OTHERS * best.heads
        return best.pattern, *(p for p in others if len(self.heads(p).keys() - heads) >= least)


def times_inside(texts: Iterable[str]) -> list[int]:
    """Return the times in brackets of the texts, in nanoseconds."""
    return [parse_stamp(time) for text in texts for time in BARE_STAMP.findall(text)]


def _account_rows(text: HeadedLines, patterns: Sequence[str]) -> Iterator[TurnLayout]:
    """Yield each possible layout, with the number of lines that it explains.

    If `patterns` is not empty, it has the patterns of all possible layouts.
    """
    first = (text.lines[n][1] for n in text.filled[:FIRST_OF_CUE])
    if any(map(CUE.match, first)) or any(NO_PROSE.match(line) for _, line in text.lines[:50]):
        return
    for pattern in patterns or _likely(text):
        heads = text.heads(pattern)
        if heads:
            yield _account(pattern, heads, text)
    if patterns:
        return
    yield from _blocks(text)
    texts = [line for _, line in text.lines]
    texts = [line for n, line in enumerate(texts) if n not in text.is_rule]
    paragraphs = [p for p in "\n".join(texts).split("\n\n") if p.strip()]
    stamped = sum(BARE_STAMP.search(paragraph) is not None for paragraph in paragraphs)
    if stamped:
        yield TurnLayout(INSIDE, stamped, len(paragraphs), 0, timed=stamped)


def _likely(text: HeadedLines) -> list[str]:
    """Return the patterns of layouts that occur in a sample of lines.

    In a long text, a layout counts only if it occurs often.
    """
    sample = [text.folded[n] for n in text.sample() if text.is_filled[n]]
    induced = induced_patterns(folded.text for folded in sample)
    rows = {
        pattern: signs_of_row(pattern)
        for pattern in dict.fromkeys((*BY_NAME, *induced, *NOTATIONS))
    }
    signs = frozenset().union(*(sign for row in rows.values() if row for _, sign, _ in row.signs))
    groups: dict[tuple[frozenset[str], bool], list[Folded]] = {}
    for folded in sample:
        key = signs.intersection(folded.line + folded.text), DIGIT.search(folded.text) is not None
        groups.setdefault(key, []).append(folded)
    everywhere = frozenset().union(*(has for has, _ in groups))
    is_long = len(text.lines) > SAMPLE
    counts = {}
    for pattern, row in rows.items():
        may_fit = sample if row is None else _may_begin(row, groups, everywhere)
        fitting = (folded for folded in may_fit if head_of(pattern, folded) is not None)
        counts[pattern] = sum(1 for _ in fitting) if is_long else int(any(fitting))
    if is_long and counts[CLOSED] == counts[UNTIMED]:
        counts[CLOSED] = 0
    # a verse may look like a name alone
    most = max(count for pattern, count in counts.items() if pattern != NAME_AND_ROLE)
    return [pattern for pattern, count in counts.items() if count and 3 * count >= most]


def _may_begin(
    row: RowSigns,
    groups: Mapping[tuple[frozenset[str], bool], list[Folded]],
    everywhere: frozenset[str],
) -> Iterator[Folded]:
    """Yield the lines that may begin turns of a layout.

    Most lines fit none: each is compared with those patterns alone whose signs its group has, and
    only these are compiled. Most patterns have signs that no line has.
    """
    possible = [each for each in row.signs if each[1] <= everywhere]
    for (has, has_digit), lines in groups.items() if possible else ():
        if has_digit or not row.needs_digit:
            fitting = [(pattern, leads) for pattern, signs, leads in possible if signs <= has]
            is_raw = row.layout.is_raw
            texts = [x.line if is_raw else x.text for x in lines] if fitting else []
            matches = [
                compile_pattern(pattern).lines[0].match for pattern, leads in fitting
                if not leads or any(text.startswith(leads) for text in texts)
            ]  # fmt: skip
            for folded, text in zip(lines, texts, strict=True) if matches else ():
                for match in matches:
                    if match(text) is not None:
                        yield folded
                        break


def _account(pattern: str, heads: dict[int, TurnHead], text: HeadedLines) -> TurnLayout:
    """Return the layout with this pattern, with its number of heads and of explained paragraphs."""
    size = len(text.lines)
    inner = len(heads.keys() - text.is_first)
    if not any(head.name for head in heads.values()):
        inner -= sum(
            n - 1 in text.is_first and n not in text.is_first and is_name(text.folded[n - 1].text)
            for n in heads
        )
    outside = text.rules(pattern)
    apart = _count_apart(heads, outside, text)
    last, first = max(heads), min(heads)
    footers = sum(FOOTER.match(text.folded[n].text) is not None for n in range(last + 1, size))
    rules = len(outside & text.is_first - heads.keys())
    names = {head.name for head in heads.values() if head.name}
    minutes = text.minutes(pattern)
    paragraphs = len(text.is_first - minutes) + inner - apart - footers - rules
    above = sum(n < first for n in text.is_first - outside)
    persons = text.participants(first)
    are_listed = bool(persons) and all(name in persons for name in names)
    is_headed = len(heads) >= LEAST and (len(heads) > above or are_listed)
    is_headed = is_headed and first - text.speech_title <= max(12, size // 10)
    if is_headed:
        paragraphs -= above
    left = 0
    hanging = text.hanging(heads)
    behind = sum(bool(head.text) for head in heads.values())
    # without blank lines, only the lines tell how much of a text has no name
    are_behind = behind > (0.7 if len(text.is_first) > FEWEST_PARAGRAPHS else 0.3) * len(heads)
    if are_behind:
        is_wrapped = text.is_wrapped(set(heads))
        directions = text.directions(heads)
        has_times = all(head.start is not None for head in heads.values())
        labels = text.labels_alone if has_times else frozenset()
        left = sum(
            (n in text.is_first if is_wrapped else text.is_filled[n])
            and n not in heads
            and n not in hanging
            and n not in minutes
            and n not in outside
            and n not in text.is_heading
            and n not in directions
            and n not in labels
            for n in range(first if is_headed else 0, size)
        )
        left = max(0, left - footers)
        is_plain = pattern in NOTATIONS and pattern != UNTIMED_MARKDOWN
        if is_plain and not is_wrapped:
            paragraphs = len(heads) + left
    timed = sum(head.start is not None or head.end is not None for head in heads.values())
    is_marked = 2 * sum(head.is_marked for head in heads.values()) > len(heads)
    some = itertools.islice(heads, SOME)
    examples = Counter(example_of(pattern, text.folded[n]) for n in some).most_common(MOST_EXAMPLES)
    shown = tuple(example for example, _ in examples)
    paragraphs = max(paragraphs, len(heads))
    return TurnLayout(pattern, len(heads), paragraphs, len(names), left, timed, is_marked, shown)


def _count_apart(heads: dict[int, TurnHead], outside: set[int], text: HeadedLines) -> int:
    """Count the heads alone in their paragraph, which have the next one for their text."""
    lines_under = {n: n + 2 if n + 1 in outside else n + 1 for n in heads}
    return sum(
        not head.text and (m := lines_under[n]) + 1 < len(text.lines) and not text.is_filled[m]
        and m + 1 in text.is_first and m + 1 not in heads
        for n, head in heads.items()
    )  # fmt: skip


def _blocks(text: HeadedLines) -> Iterator[TurnLayout]:
    """Yield the layout of blocks if the text has it."""
    lines = [folded.line for folded in text.folded]
    lone = [n for n, line in enumerate(lines) if LONE.match(line)]
    if len(lone) < 2:
        return
    others = [
        n for n in range(lone[0], len(lines))
        if lines[n] and n not in text.is_rule
        and not any(p.match(lines[n]) for p in (LONE, FOOTER, ENDED))
    ]  # fmt: skip
    heads = text.heads(BLOCKS)
    speakers = [heads[n].name for n in others if n in heads]
    if len(speakers) > 1:
        left = len(others) - len(speakers)
        yield TurnLayout(
            BLOCKS, len(speakers), len(others), len(set(speakers)), left, timed=len(lone)
        )
