"""Evidence that times begin turns: signs and weights for the layouts with times, or with none.

The times of a layout are also those of logs, tables, schedules and lists of chapters. As for names
without times, each sign is a number between 0 and 1, and the table says how much it speaks for
turns or against them.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from operator import le

from formats.detection.line_shapes import DATE_AND_TIME
from formats.meetings.layouts import DATED_ALONE, INSIDE, TextLayout
from formats.meetings.turns.accounts import TurnLayout, TurnText, times_inside
from formats.meetings.turns.completed import times_after_midnight
from formats.meetings.turns.evidence import (
    LEVELS,
    are_logged,
    are_nothing_else,
    are_participants,
    are_said,
    are_sounds,
    is_mostly_above,
    with_texts,
)
from formats.meetings.turns.heads import CLOCK, CLOCK_ANYWHERE, IDS, TurnHead, row_of
from formats.meetings.turns.lines import STAMP
from formats.meetings.turns.outside import is_brief
from formats.meetings.turns.plain import LEAST, MOST_ALIKE, SEPARATED
from formats.reading.speakers import LOG_WORDS, is_label, is_name
from formats.reading.time_values import FASTEST, NO_BLANKS, SLOWEST
from formats.schema import lazy_pattern
from formats.schema.times import SECOND

WEIGHTS_OF_TIMES = {
    "always": -5.5,  # most texts have no turns
    "share of the lines": 10.0,  # in a talk, a time begins every line or paragraph
    "names whose times increase": 4.0,  # names with times are no prose: other lines go on with them
    "the pace of speech": 1.0,
    "times alone, from zero": 4.0,  # many paragraphs may be below each
    "times of chapters": 5.0,  # several paragraphs are below each title
    "times throughout the text": 6.0,  # many paragraphs may be without one
    "nearly every line": 5.5,  # with a time and a name, in order
    "labels": 1.5,  # Speaker 1
    "a list of the persons": 4.0,
    "names in a chat": 6.5,  # each person may write once
    "messages with dates": 3.0,
    "too few turns": -9.0,
    "most names once": -10.0,  # chapters and programmes
    "fewer lines than the layout needs": -5.0,  # a time with a text is also in prose
    "few paragraphs": -6.0,
    "other lines begin with times": -7.5,
    "times behind the times": -10.5,  # the layout ends inside a span
    "times in brackets that go back": -17.5,  # notes of other times
    "most of the text above the first": -10.0,
    "times below texts": -16.0,  # they belong to the line above
    "nothing but names or identifiers": -16.0,  # segments of Kaldi
    "names of sounds": -16.0,
    "numbers without the pace of speech": -17.5,  # results, prices
    "signs that prose has, too": -6.0,  # and no name returns, or one begins nearly all turns
    "no identifiers of utterances": -7.0,
    "records of a log": -6.0,
    "levels of a log": -10.0,  # ERROR behind the time
    "dates before records": -13.0,
    "dates before other lines": -10.0,  # of the records of a log some have a colon
}
"""What each sign says for turns with times, in log odds."""
DOUBT_OF_TIMES = 1.0
"""The evidence below which turns with times are doubtful."""
CERTAIN, FEW = 4, 0.1
"""The fewest turns whose names and times in order are a sign, and their share of paragraphs."""
MANY_TURNS, MANY = 5, 10
"""Turns for each name, and turns, that are turns whatever their times are."""
LEAST_ALONE = 0.2
"""The share of paragraphs that heads without text must begin where text should follow them."""
CHATTED = 0.3
"""The share of lines that are messages in a chat whose messages have several lines."""
THROUGHOUT = 0.8
"""The share of lines that are nearly all."""
MOST_DATED = 0.6
"""The share of lines with a date that are messages with a name, and of texts that are said."""
FEWEST_OF_WHOLE = 2
"""The fewest turns of a text in which every line begins a turn with a time."""
MOST_OF_ONE, MOST_BACK = 0.85, 0.05
"""The largest share of turns of one speaker in doubtful layouts, and of times that go back."""
FEWEST_SPOKEN = 10
"""The fewest words whose pace shows the unit of times."""
FEWEST_STAMPS = 6
"""The fewest lines with times that make turns of a text in which fewer paragraphs have one."""
SEPARATORS = ",;|\t"
NUMBER_FIELD = lazy_pattern(rf"-?[0-9]+(?:\.[0-9]+)?[ ]?[{SEPARATORS}]")
"""Signs between the fields of a table, and a field with a number."""
PLAIN_WORDS = lazy_pattern(r"(?:[^\W\d_]['’\w]{0,30}(?:[ ]|\Z)){2,400}\Z")
TIME_LEFT = lazy_pattern(rf"(?:[^\w\s]{{0,3}}|to|bis|a)[ \t]{{0,9}}{CLOCK}(?![0-9])")
TWO_PARTS = lazy_pattern(r"(?<![0-9:.])[0-9]{1,2}:[0-9]{2}(?![0-9:.,])")
"""A time of two parts: minutes and seconds, or hours and minutes."""


def score_of_times(layout: TurnLayout, text: TurnText) -> float:
    """Return how much the evidence is for turns with times, in log odds."""
    return sum(
        WEIGHTS_OF_TIMES[name] * value for name, value in evidence_of_times(layout, text).items()
    )


def evidence_of_times(layout: TurnLayout, text: TurnText) -> dict[str, float]:
    """Return the signs of turns with times, and the signs of other texts, each between 0 and 1."""
    row = row_of(layout.pattern)
    assert row is not None, layout.pattern
    heads = text.heads(layout.pattern)
    is_paced = (
        _are_milliseconds(heads.values()) if row.is_in_milliseconds else _is_paced(heads, text)
    )
    is_whole = _is_timed_throughout(layout, heads, text, is_paced=is_paced)
    return {
        "always": 1.0,
        "the pace of speech": is_paced,
        "nearly every line": is_whole,
        **dict(_of_shares(row, layout, heads, text, is_paced=is_paced)),
        **dict(_of_names(row, layout, heads, text, is_whole=is_whole)),
        **dict(_of_times(row, layout, heads, text, is_paced=is_paced)),
        **dict(_of_records(row, layout, heads, text)),
    }


def _of_shares(
    row: TextLayout, layout: TurnLayout, heads: Mapping[int, TurnHead], text: TurnText, *,
    is_paced: bool,
) -> Iterator[tuple[str, float]]:  # fmt: skip
    """Yield the evidence of how many lines and paragraphs begin turns."""
    of_lines = layout.heads / (layout.heads + layout.left)
    of_paragraphs = layout.heads / layout.paragraphs
    turns = layout.heads
    if layout.pattern == INSIDE:
        first = sum(STAMP.match(text.folded[n].line) is not None for n in heads)
        of_paragraphs = max(of_paragraphs, first / len(text.filled))
        turns = len(times_inside(text.lines[n][1] for n in heads))
        if is_paced:  # the text of several turns may be in one paragraph
            of_paragraphs = max(of_paragraphs, min(1.0, turns / layout.paragraphs))
    are_few = turns < row.least and not _is_every_line(heads, text, is_paced=is_paced)
    are_alone = row.share > 0 and not layout.left
    yield "share of the lines", of_lines if row.share else of_paragraphs
    yield "too few turns", are_few
    yield "fewer lines than the layout needs", of_lines < row.share
    yield "few paragraphs", are_alone and of_paragraphs < LEAST_ALONE
    yield "most of the text above the first", is_mostly_above(min(heads), text)


def _of_names(
    row: TextLayout, layout: TurnLayout, heads: Mapping[int, TurnHead], text: TurnText, *,
    is_whole: bool,
) -> Iterator[tuple[str, float]]:  # fmt: skip
    """Yield the evidence of the names beside the times."""
    is_prose = row.fewest > 0 and not is_whole and not _are_several(row.fewest, heads.values())
    are_labels = layout.speakers > 0 and _are_labels(layout, heads.values())
    yield "most names once", layout.speakers > max(2, layout.heads / 2) and not are_labels
    yield "labels", are_labels
    yield "a list of the persons", are_participants(heads, text)
    yield "names in a chat", row.is_dated and (row.names == "any" or _are_known(heads.values()))
    yield "names of sounds", are_sounds(heads.values())
    yield "nothing but names or identifiers", are_nothing_else(layout, heads, text)
    yield "signs that prose has, too", is_prose


def _of_times(
    row: TextLayout, layout: TurnLayout, heads: Mapping[int, TurnHead], text: TurnText, *,
    is_paced: bool,
) -> Iterator[tuple[str, float]]:  # fmt: skip
    """Yield the evidence of the times, and of the lines with times beside the turns."""
    starts = [head.start for head in heads.values() if head.start is not None]
    is_named = layout.speakers > 0 and layout.timed > 0 and not row.share
    is_certain = layout.heads >= max(CERTAIN, FEW * layout.paragraphs)
    do_return = layout.speakers > 1 and layout.heads >= max(MANY, MANY_TURNS * layout.speakers)
    times = text.is_stamped if layout.timed else text.is_time_alone
    left = sum(TIME_LEFT.match(head.text) is not None for head in heads.values())
    are_alone = len(starts) >= MANY_TURNS and not any(x.name or x.text for x in heads.values())
    are_alone = are_alone and starts[0] == 0 and all(map(le, starts, starts[1:]))
    yield "times alone, from zero", are_alone and is_paced
    yield "times of chapters", bool(text.chapters) and text.chapters.keys() >= heads.keys()
    is_inside = layout.pattern == INSIDE
    yield "times throughout the text", is_inside and _are_throughout(heads, text)
    yield "times in brackets that go back", is_inside and _do_go_back(heads, text)
    yield "names whose times increase", is_named and is_certain and starts == sorted(starts)
    yield "numbers without the pace of speech", row.is_paced and not is_paced and not do_return
    yield "other lines begin with times", min(1.0, len(times - heads.keys()) / len(heads))
    yield "times behind the times", left / len(heads)
    yield "times below texts", layout.timed > 0 and _are_below_texts(heads, text)


def _of_records(
    row: TextLayout, layout: TurnLayout, heads: Mapping[int, TurnHead], text: TurnText
) -> Iterator[tuple[str, float]]:
    """Yield the evidence of identifiers, and of chats and logs."""
    turns = heads.values()
    is_journal = layout.speakers < MOST_ALIKE and row.fewest > 0
    is_chat = row.is_dated and (row.names != "" or row.name == DATED_ALONE) and not is_journal
    levels = sum(head.text.partition(" ")[0].strip("[]:-") in LEVELS for head in turns)
    are_dated = _are_dated_throughout(heads, text)
    is_message = is_chat and (
        layout.heads >= CHATTED * (layout.heads + layout.left)
        or (are_dated and layout.heads >= max(MANY, layout.paragraphs / 2))
    )  # messages with lists have many lines
    yield "no identifiers of utterances", row.names == IDS and not _are_utterances(turns)
    yield "records of a log", row.share > 0 and not layout.timed and are_logged(turns)
    yield "levels of a log", levels / len(heads)
    yield "messages with dates", is_message
    yield "dates before records", row.is_dated and not is_chat and not _are_spoken(turns)
    yield "dates before other lines", row.is_dated and not are_dated


def _are_dated_throughout(heads: Mapping[int, TurnHead], text: TurnText) -> bool:
    """Return True if most lines that begin with a date and a time are messages with a name."""
    dated = sum(DATE_AND_TIME.match(folded.text) is not None for folded in text.folded)
    return len(heads) >= MOST_DATED * dated


def _are_throughout(heads: Collection[int], text: TurnText) -> bool:
    """Return True if lines with times are from the head of a document to the second half."""
    least = max(FEWEST_STAMPS, FEW * len(text.filled))
    return (
        len(heads) >= least and not is_mostly_above(min(heads), text)
        and max(heads) >= text.filled[len(text.filled) // 2]
    )  # fmt: skip


def _do_go_back(heads: Iterable[int], text: TurnText) -> bool:
    """Return True if more than a few of all times in brackets are before the times above them.

    In a second part of a recording, the times begin again.
    """
    times = times_inside(text.lines[n][1] for n in heads)
    times = [time for time in times_after_midnight(times) or times if time is not None]
    begun = times[0] + SECOND if times else 0
    back = sum(begun < second < first for first, second in itertools.pairwise(times))
    return back > MOST_BACK * len(times)


def _are_below_texts(heads: Mapping[int, TurnHead], text: TurnText) -> bool:
    """Return True if nearly all heads have no text and end paragraphs of other lines."""
    if any(head.text for head in heads.values()) or len(heads) < LEAST:
        return False
    if not any(text.is_filled[: min(heads)]):
        return False  # the first text is below its head
    size = len(text.lines)
    ends = sum(
        n > 0 and text.is_filled[n - 1] and n - 1 not in heads
        and not is_name(text.folded[n - 1].text.rstrip(":"))
        and not (n + 1 < size and text.is_filled[n + 1])
        for n in heads
    )  # fmt: skip
    return ends >= SEPARATED * len(heads)


def _are_known(heads: Collection[TurnHead]) -> bool:
    """Return True if most turns are of names that return, and several names do."""
    counts = Counter(head.name for head in heads if head.name)
    again = [count for count in counts.values() if count > 1]
    return len(again) > LEAST and 2 * sum(again) > len(heads)


def _is_every_line(heads: Mapping[int, TurnHead], text: TurnText, *, is_paced: bool) -> bool:
    """Return True if each line has a time and a text, and the times have the pace of speech."""
    if _are_spans_over_texts(heads, text):
        return is_paced
    if len(heads) != sum(text.is_filled):
        return False
    starts = [head.start for head in heads.values()]
    are_clocks = all(
        head.end is not None or CLOCK_ANYWHERE.search(text.folded[n].text)
        for n, head in heads.items()
    )
    are_full = all(head.text and head.start is not None for head in heads.values())
    is_forward = all((a or 0) < (b or 0) for a, b in itertools.pairwise(starts))
    if len(heads) < FEWEST_OF_WHOLE:
        return are_clocks and are_full and text.folded[min(heads)].text[0] == "["
    return are_clocks and are_full and is_forward and is_paced


def _are_spans_over_texts(heads: Mapping[int, TurnHead], text: TurnText) -> bool:
    """Return True if a text is below each start and end, and each turn ends before the next one."""
    filled = text.filled
    if len(heads) < FEWEST_OF_WHOLE or filled[0] not in heads or filled[-1] in heads:
        return False
    are_over = all(b not in heads for a, b in itertools.pairwise(filled) if a in heads)
    times = [(head.start, head.end) for head in heads.values() if not head.text]
    borders = [time for pair in times for time in pair if time is not None]
    return are_over and len(borders) == 2 * len(heads) and borders == sorted(borders)


def _are_several(fewest: int, heads: Iterable[TurnHead]) -> bool:
    """Return True if enough names repeat, and no single name begins nearly all turns."""
    counts = Counter(head.name or "" for head in heads)
    if len(counts) > 1 and all(map(is_label, counts)):
        return True
    returning = [count for count in counts.values() if count > 1]
    most = MOST_OF_ONE * counts.total()
    return len(returning) >= fewest and max(returning) <= most and 2 * len(counts) <= counts.total()


def _are_spoken(heads: Collection[TurnHead]) -> bool:
    """Return True if most texts end like sentences, and none begins with a level of a log."""
    said = sum(
        not is_brief(head) or (head.text.islower() and PLAIN_WORDS.match(head.text) is not None)
        for head in heads
    )
    levels = (head.text.split(maxsplit=1)[:1] for head in heads)
    is_log = any(word[0].strip("[]:-") in LOG_WORDS for word in levels if word)
    return said >= MOST_DATED * len(heads) and not is_log


def _are_utterances(heads: Collection[TurnHead]) -> bool:
    """Return True if identifiers differ, and texts have several words or only letters."""
    ids = [head.utterance for head in heads if head.utterance]
    signs = [{head.text.count(sign) for head in heads} for sign in SEPARATORS]
    are_numbers = all(NUMBER_FIELD.match(head.text) for head in heads)
    if are_numbers or any(len(counts) == 1 and 0 not in counts for counts in signs):
        return False
    spoken = sum(
        " " in head.text or head.text.isalpha() or NO_BLANKS.search(head.text) is not None
        for head in heads
    )
    return len(set(ids)) == len(ids) and spoken >= SEPARATED * len(heads)


def _is_paced(begins: Mapping[int, TurnHead], text: TurnText) -> bool:
    """Return True if times increase, and the words after the first time have the pace of speech.

    Times with two parts may also be hours and minutes.
    """
    heads, first = begins.values(), min(begins)
    below = (
        _word_count(folded.text)
        for n, folded in enumerate(text.folded)
        if n > first and n not in begins
    )
    starts = [head.start or 0 for head in heads]
    ends = [head.end for head in heads if head.end is not None]
    back = sum(second < first for first, second in itertools.pairwise(starts))
    inverted = sum(head.end is not None and head.end < (head.start or 0) for head in heads)
    words = sum(_word_count(head.text) for head in heads) + sum(below)
    seconds = (max([*starts, *ends]) - starts[0]) / SECOND
    is_forward = max(back, inverted) <= MOST_BACK * len(starts)
    units = [1, 60] if all(map(TWO_PARTS.search, (text.folded[n].text for n in begins))) else [1]
    is_plausible = any(
        SLOWEST * n * seconds <= words <= FASTEST * max(n * seconds, 1) for n in units
    )
    return is_forward and is_plausible


def _are_milliseconds(heads: Collection[TurnHead]) -> bool:
    """Return True if spans follow each other, and have the pace of speech in milliseconds.

    Times are those of seconds, which are 1,000 times as long.
    """
    borders = [time for head in heads for time in (head.start, head.end) if time is not None]
    spans = zip(borders[::2], borders[1::2], strict=False)
    seconds = sum(end - begin for begin, end in spans) / (1000 * SECOND)
    words = sum(_word_count(head.text) for head in heads if any(map(str.isalpha, head.text)))
    are_spans = len(borders) == 2 * len(heads) and borders == sorted(borders)
    is_enough = words >= FEWEST_SPOKEN
    return are_spans and is_enough and SLOWEST * seconds <= words <= FASTEST * seconds


def _word_count(text: str) -> int:
    """Return the number of words; two characters of a script without blanks count as a word."""
    return len(text.split()) + len(NO_BLANKS.findall(text)) // 2


def _is_timed_throughout(
    layout: TurnLayout, heads: Mapping[int, TurnHead], text: TurnText, *, is_paced: bool
) -> bool:
    """Return True if nearly every line begins with a time and a name, and times increase."""
    starts = [head.start for head in heads.values() if head.name and head.start is not None]
    are_behind = all(head.text for head in heads.values())
    are_behind = are_behind or _are_over_turns(heads, layout, text)
    are_behind = are_behind or _are_between_colons(heads, text)
    is_most = len(starts) == len(heads) >= THROUGHOUT * (len(heads) + layout.left)
    if not (are_behind and is_most) or starts != sorted(starts):
        return False
    names = {head.name or "" for head in heads.values()}
    are_names = all(
        is_label(x) or (is_name(x) and (len(x) <= LEAST or not any(map(str.isdigit, x))))
        for x in names
    )
    return len(names) < len(heads) or (are_names and is_paced and are_said(with_texts(heads, text)))


def _are_over_turns(heads: Mapping[int, TurnHead], layout: TurnLayout, text: TurnText) -> bool:
    """Return True if names return, are in capitals, and all over the texts of nearly all turns."""
    words = [word for head in heads.values() for word in (head.name or "").split()]
    are_over = all(n + 1 not in heads and text.is_filled[n + 1 : n + 2] == [True] for n in heads)
    are_alone = not any(head.text for head in heads.values()) and len(heads) > layout.speakers
    is_most = len(heads) >= MOST_DATED * layout.paragraphs
    return are_over and are_alone and is_most and not any(word[0].islower() for word in words)


def _are_between_colons(heads: Mapping[int, TurnHead], text: TurnText) -> bool:
    """Return True if a begin, an end, a name and a colon are over a text: ``0:01 - 0:05 Ann:``."""
    return all(
        head.end is not None and not head.text and text.folded[n].text.endswith(":")
        for n, head in heads.items()
    )


def _are_labels(layout: TurnLayout, heads: Iterable[TurnHead]) -> bool:
    """Return True if turns have times, and all names are generic labels, such as Speaker 1."""
    names = {head.name for head in heads if head.name}
    return layout.timed > 0 and all(map(is_label, names))
