"""Choice of the layout that explains most lines of a text, if it explains enough.

In a layout of blocks, the times are alone on their lines.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from formats.detection import SIGNS_OF_TURNS
from formats.detection.line_shapes import DATE_AND_TIME
from formats.meetings.layouts import INSIDE, TextLayout
from formats.meetings.turns.accounts import STAMP, TurnLayout, TurnText, times_inside
from formats.meetings.turns.completed import FASTEST, SLOWEST, times_after_midnight
from formats.meetings.turns.evidence import (
    MOST_OF_HEAD,
    are_participants,
    are_said,
    is_mostly_above,
    score_of,
    with_texts,
)
from formats.meetings.turns.heads import (
    BLOCKS,
    CLOCK,
    CLOCK_ANYWHERE,
    IDS,
    UNTIMED,
    WRITTEN_UNTIMED,
    TurnHead,
    head_of,
    row_of,
)
from formats.meetings.turns.outside import is_brief
from formats.meetings.turns.plain import LEAST, SAMPLE, SEPARATED, Lines
from formats.reading.lines import strip_blanks
from formats.reading.member_names import NO_BLANKS, are_fields
from formats.reading.patterns import FRENCH_TITLE, TITLE
from formats.reading.speakers import (
    LOG_WORDS,
    LONGEST,
    NOTATIONS,
    SOUNDS_TOO,
    VOICE,
    is_label,
    is_name,
    is_sound,
)
from formats.schema import lazy_pattern
from formats.schema.times import SECOND

DOUBTFUL = 0.6
"""The share of lines with a head from which a text that has no layout is none of prose either."""
FIELDS = frozenset(
    ("action", "aligned transcription", "audio", "author", "caption", "category", "cons", "content",
     "copyright", "description", "dialogue", "duration", "eng", "english", "expected", "files",
     "final", "full text", "ground truth", "groundtruth", "gt", "hyp", "hypothesis", "image",
     "interim", "key points", "keywords", "lab", "license", "lrc", "partial", "predicted",
     "prediction", "prompt", "pros", "rec", "ref", "reference", "scene", "sent", "sentence",
     "setting", "summary", "target", "text", "title", "transcript", "transcription", "url",
     "version", "visual", "visuals", "voiceover", "website", "word", "作曲", "作词", "编曲")
)  # fmt: skip
"""Names of the fields of records, which nobody speaks under."""
MANY_TURNS = 5
"""Turns for each name that are turns whatever their times are."""
MANY = 10
"""Turns that are enough in a text in which other lines are no turns."""
LEAST_ALONE = 0.2
"""The share of paragraphs that heads without text must begin where text should follow them."""
CHATTED = 0.3
"""The share of lines that are messages in a chat whose messages have several lines."""
FEWEST_OF_WHOLE = 2
"""The fewest turns of a text in which every line begins a turn with a time."""
MOST_BETWEEN = 4
"""The farthest line below a name that is its text: blank lines and rules may be between."""
FEWEST_STAMPS = 6
"""The fewest times that make turns of a text in which fewer paragraphs have one."""
MOST_OF_ONE, MOST_BACK = 0.85, 0.05
"""The largest share of turns of one speaker in doubtful layouts, and of times that go back."""
MOST_VALUES = 0.5
SEPARATORS = ",;|\t"
NUMBER_FIELD = lazy_pattern(rf"-?[0-9]+(?:\.[0-9]+)?[ ]?[{SEPARATORS}]")
"""Signs between the fields of a table, and a field with a number."""
PLAIN_WORDS = lazy_pattern(r"(?:[^\W\d_]['’\w]{0,30}(?:[ ]|\Z)){2,400}\Z")
TIME_LEFT = lazy_pattern(rf"(?:[^\w\s]{{0,3}}|to|bis|a)[ \t]{{0,9}}{CLOCK}(?![0-9])")
TWO_PARTS = lazy_pattern(r"(?<![0-9:.])[0-9]{1,2}:[0-9]{2}(?![0-9:.,])")
"""A time of two parts: minutes and seconds, or hours and minutes."""
MARKS = tuple(sign for sign in SIGNS_OF_TURNS.split(" ") if sign not in ("*", "_", "0", '"'))
"""Signs of turns anywhere in a line; of the others `BEGIN` tells where they are signs."""
BEGIN = lazy_pattern(
    rf"[ \t]*(?:{FRENCH_TITLE}|[0-9]{{1,3}}(?:[hm][ ]?[0-9]|s[ ])"
    rf"|(?:{TITLE})?[A-Z\u00c0-\u00de\u0410-\u042f]{{2}}|[QA]\.?[ \t]"
    r"|[^\s.]{1,200}\.(?:wav|mp3|flac)[ ]|\S{1,60}(?:[ \t][0-9]+\.[0-9]+){2}[ \t]*\Z"
    r"|[*_]|[0-9]+\.[0-9]|(?=[^\s0-9]{0,300}[0-9])\w[^\s,;]{0,300}[,;]"
    r"|\"[^\s\"]{1,300}\"[ \t,:]{1,9}\")"
)
"""A beginning without any of them has no turns, unless names are alone."""

UTTERANCE = lazy_pattern(
    r"([A-Za-z0-9]+(?:[-_][A-Za-z0-9]+)*[-_][0-9]{3,})(?:[ \t][A-Za-z' \t]*)?\Z"
)
"""A line of Kaldi's text: an identifier of an utterance and words."""


def may_have_turns(lines: Sequence[str]) -> bool:
    """Return False if a text surely has no turns: no signs of turns, and no name occurs twice.

    A text of utterances with different identifiers has none either; its names are not tried.
    """
    utterances = [UTTERANCE.match(line) for line in lines if line and not line.isspace()]
    identifiers = {utterance[1] for utterance in utterances if utterance}
    if len(identifiers) == len(utterances):
        return False
    if any(mark in line for line in lines for mark in MARKS) or any(map(BEGIN.match, lines)):
        return True
    short = Counter(
        text for line in lines
        if 0 < len(text := strip_blanks(line)) <= LONGEST and not text[0].islower()
    )  # fmt: skip
    again = [text for text, count in short.items() if count > 1]
    return any(text.istitle() or text.isupper() or is_label(text) for text in again)


class Trust(IntEnum):
    """How far a layout explains a text, against the reading without turns."""

    PLAIN = 0
    """It explains too little: the text is plain."""
    LIKELY = 1
    """Some lines look like turns: a remark names them."""
    NAMED = 2
    """It explains most lines, which is enough if the user named the format."""
    DOUBTFUL = 3
    """It explains too many lines for prose, but too few for certainty."""
    SURE = 4


class LayoutChoice(NamedTuple):
    """The layout that explains most of a text, how far it does, and the lines; `None` for prose."""

    trust: Trust
    layout: TurnLayout | None = None
    text: TurnText | None = None


def choice_of(lines: Lines) -> LayoutChoice:
    """Return the layout that explains most of a text: the same for every question about it.

    That of a short text is cached, as its detection and its reading ask.
    """
    return _kept_choice(tuple(lines)) if len(lines) <= SAMPLE else _choice_of(lines)


@lru_cache(maxsize=1)
def _kept_choice(lines: tuple[tuple[int, str], ...]) -> LayoutChoice:
    """Return the choice, which is cached."""
    return _choice_of(list(lines))


def _choice_of(lines: Lines) -> LayoutChoice:
    """Return the layout that explains most of a text."""
    if not may_have_turns([line for _, line in lines]):
        return LayoutChoice(Trust.PLAIN)
    text = TurnText(lines)
    are_records = _are_records(text)
    trusts = [
        Trust.SURE if not are_records and _fits(layout, text) else _trust(layout, text)
        for layout in text.layouts
    ]
    most = max(trusts, default=Trust.PLAIN)
    if most is Trust.PLAIN:
        return LayoutChoice(most)
    best = [layout for layout, trust in zip(text.layouts, trusts, strict=True) if trust is most]
    return LayoutChoice(most, _best(best, text), text)


def _trust(layout: TurnLayout, text: TurnText) -> Trust:
    """Return how far a layout explains a text that does not have it for sure."""
    pattern, heads, paragraphs, speakers = layout[:4]
    row = row_of(pattern)
    if row is not None and (row.names == IDS or speakers < row.fewest):
        return Trust.PLAIN  # nobody speaks identifiers, and `A box` is prose
    is_likely = (
        speakers <= max(2, heads / 2)
        or (speakers < heads and heads >= 0.3 * paragraphs and pattern not in SOUNDS_TOO)
        or (heads >= SEPARATED * paragraphs and pattern in WRITTEN_UNTIMED)
    )
    is_likely = is_likely and (heads >= LEAST or 1 < heads == paragraphs)
    is_most = heads >= DOUBTFUL * max(paragraphs, heads + layout.left)
    if is_likely and is_most and (layout.timed or speakers < heads):
        return Trust.DOUBTFUL if _is_strong(layout, text) else Trust.NAMED
    if pattern in WRITTEN_UNTIMED and _are_all_heads(pattern, text):
        return Trust.NAMED
    return Trust.LIKELY if is_likely else Trust.PLAIN


def _are_all_heads(pattern: str, text: TurnText) -> bool:
    """Return True if each line begins a turn, also those that a document may have otherwise."""
    filled = (folded for folded in text.folded if folded.line)
    return all(head_of(pattern, folded) is not None for folded in filled)


def _is_strong(layout: TurnLayout, text: TurnText) -> bool:
    """Return True if the heads of a layout that does not fit are a sign of turns in any text."""
    pattern, heads, _, speakers = layout[:4]
    row = row_of(pattern)
    if heads <= LEAST or speakers == heads or pattern in SOUNDS_TOO:
        return False
    if row is not None and (row.fewest or row.is_paced):
        return False
    begins = text.heads(pattern).values() if pattern not in (BLOCKS, INSIDE) else ()
    if not layout.timed and _are_records_of_log(begins):
        return False
    names = Counter(head.name or "" for head in begins)
    returning = sum(count for name, count in names.items() if count > 1 or is_label(name))
    return pattern not in NOTATIONS or 2 * returning >= heads  # otherwise sentences with colons


def _are_records(text: TurnText) -> bool:
    """Return True if a text has fields on consecutive lines: ``Time: 0:01``, ``Text: so``."""
    if not any(layout.pattern == UNTIMED for layout in text.layouts):
        return False
    heads = text.heads(UNTIMED).values()
    is_most = 2 * len(heads) >= sum(text.is_filled)
    return is_most and are_fields(head.name or "" for head in heads)


def _best(layouts: Sequence[TurnLayout], text: TurnText) -> TurnLayout | None:
    """Return the layout that explains most lines."""
    named = [layout for layout in layouts if layout.pattern != INSIDE and layout.speakers > 1]
    layouts = named if any(layout.pattern == INSIDE for layout in layouts) and named else layouts
    most = max(layout.heads for layout in layouts)
    timed = [x for x in named if 2 * x.timed > x.heads >= SEPARATED * most and x.timed > LEAST]
    layouts = timed or layouts  # the text after a name may begin with the time
    return max(
        layouts,
        key=lambda x: (
            x.pattern == BLOCKS,
            x.heads - x.left // 2,
            x.pattern not in NOTATIONS,
            x.speakers > 0,
            x.timed,
            -x.left,
        ),
        default=None,
    )


def _fits(layout: TurnLayout, text: TurnText) -> bool:
    """Return True if a layout explains enough of a text."""
    pattern, heads, paragraphs, speakers = layout[:4]
    if pattern == INSIDE:
        return _has_times_inside(layout, text)
    if pattern == BLOCKS:
        return heads >= 0.6 * paragraphs
    begins = text.heads(pattern)
    if _are_no_turns(layout, begins, text):
        return False
    row = row_of(pattern)
    timed = text.is_stamped if layout.timed else text.is_time_alone
    if row is not None and len(timed - begins.keys()) > 0.5 * heads:
        return False  # of lines that begin with a time too many are no heads
    if row is None or (2 * layout.timed < heads and _are_named(begins.values())):
        return _have_speakers(begins.values(), layout, text)
    if is_mostly_above(min(begins), text):
        return False
    is_few = heads < row.least and _is_every_line(begins, text)
    least = 1 if is_few else row.least
    if 2 * sum(map(_has_time_left, begins.values())) > heads:
        return False
    is_whole = _is_timed_throughout(layout, text)
    if not _meets_conditions(row, layout, begins, text, is_whole=is_whole):
        return False
    if heads < least or (
        speakers > max(2, heads / 2)
        and not is_whole
        and not _are_labels(layout, text)
        and not (layout.timed and are_participants(begins, text))
        and not (row.is_dated and row.names == "any")
    ):
        return False
    if row.is_dated and not _are_dated_throughout(begins, text):
        return False  # of the records of a log some have a colon
    if row.is_dated and row.names and heads >= CHATTED * (heads + layout.left):
        return True
    if row.share:
        is_enough = layout.left > 0 or heads >= LEAST_ALONE * paragraphs
        return is_enough and heads >= row.share * (heads + layout.left)
    is_most = heads >= 0.6 * paragraphs
    if is_most or not speakers or not layout.timed:
        return is_most
    # Names with times are no prose: the other paragraphs go on their turns.
    starts = [head.start for head in begins.values() if head.start is not None]
    return heads >= 4 and heads >= 0.1 * paragraphs and starts == sorted(starts)


def _are_named(heads: Collection[TurnHead]) -> bool:
    """Return True if most heads have a name."""
    return 2 * sum(bool(head.name) for head in heads) >= len(heads)


def _have_speakers(heads: Collection[TurnHead], layout: TurnLayout, text: TurnText) -> bool:
    """Return True if names in a layout without times are speakers, unlike ``Note:``."""
    if not _are_named(heads) or _are_records_of_log(heads):
        return False
    are_labels = layout.pattern == VOICE or all(is_label(head.name or "") for head in heads)
    are_enough = len(heads) >= LEAST or (are_labels and len(heads) > 1)
    return are_enough and score_of(layout, text) > 0


def _are_no_turns(layout: TurnLayout, heads: Mapping[int, TurnHead], text: TurnText) -> bool:
    """Return True if heads are sounds, fields, names of nothing, or beside the times of others."""
    are_alone = len(heads) == sum(text.is_filled) and not any(x.text for x in heads.values())
    if are_alone and (not layout.timed or "{_}" in layout.pattern):
        return True  # a list of names, or ids and times, as in Kaldi's segments
    if _are_sounds(heads.values()):
        return True  # they say nothing
    if layout.timed:
        return _are_below_texts(heads, text)
    return _are_over_times(heads, text) or _have_fields(heads.values())


def _meets_conditions(
    row: TextLayout, layout: TurnLayout, heads: Mapping[int, TurnHead], text: TurnText, *,
    is_whole: bool,
) -> bool:  # fmt: skip
    """Return True if heads meet the conditions of their layout on ids, names and pace."""
    if row.names == IDS and not _are_utterances(heads.values()):
        return False
    if row.fewest and not is_whole and not _are_several(row.fewest, heads.values()):
        return False
    if row.share and not layout.timed and _are_records_of_log(heads.values()):
        return False
    if row.is_dated and not row.names and not _are_spoken(heads.values()):
        return False  # the records of a log have dates, too
    do_return = layout.speakers > 1 and layout.heads >= max(MANY, MANY_TURNS * layout.speakers)
    return not row.is_paced or do_return or _is_paced(heads, text)


def _are_dated_throughout(heads: Mapping[int, TurnHead], text: TurnText) -> bool:
    """Return True if most lines that begin with a date and a time are messages with a name."""
    dated = sum(DATE_AND_TIME.match(folded.text) is not None for folded in text.folded)
    return len(heads) >= DOUBTFUL * dated


def _are_sounds(heads: Iterable[TurnHead]) -> bool:
    """Return True if most names are those of sounds, such as applause."""
    names = [head.name for head in heads if head.name and not is_label(head.name)]
    return 2 * sum(map(is_sound, names)) > len(names)


def _have_fields(heads: Iterable[TurnHead]) -> bool:
    """Return True if a name is that of a field of records, or of a text for a comparison."""
    counts = Counter(head.name or "" for head in heads)
    return any(n in FIELDS or (n.casefold() in FIELDS and counts[n] > 1) for n in counts)


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


def _are_over_times(heads: Mapping[int, TurnHead], text: TurnText) -> bool:
    """Return True if nearly all heads are only names, and a line with a time follows each."""
    alone = [n for n, head in heads.items() if not head.text]
    if len(alone) < SEPARATED * len(heads):
        return False
    size = len(text.lines)
    below = (
        next((m for m in range(n + 1, min(n + MOST_BETWEEN, size)) if text.is_spoken(m)), n)
        for n in alone
    )
    return sum(map(text.begins_with_time, below)) >= SEPARATED * len(alone)


def _is_every_line(heads: Mapping[int, TurnHead], text: TurnText) -> bool:
    """Return True if each line has a time and a text, and the times have the pace of speech."""
    if _are_spans_over_texts(heads, text):
        return _is_paced(heads, text)
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
    return are_clocks and are_full and is_forward and _is_paced(heads, text)


def _are_spans_over_texts(heads: Mapping[int, TurnHead], text: TurnText) -> bool:
    """Return True if a text is below each start and end, and each turn ends before the next one."""
    filled = [n for n, is_filled in enumerate(text.is_filled) if is_filled]
    if len(heads) < FEWEST_OF_WHOLE or filled[0] not in heads or filled[-1] in heads:
        return False
    are_over = all(b not in heads for a, b in itertools.pairwise(filled) if a in heads)
    times = [(head.start, head.end) for head in heads.values() if not head.text]
    borders = [time for pair in times for time in pair if time is not None]
    return are_over and len(borders) == 2 * len(heads) and borders == sorted(borders)


def _has_time_left(head: TurnHead) -> bool:
    """Return True if the text after a head begins with a sign and another time."""
    return TIME_LEFT.match(head.text) is not None


def _are_several(fewest: int, heads: Iterable[TurnHead]) -> bool:
    """Return True if enough names repeat, and no single name begins nearly all turns."""
    counts = Counter(head.name or "" for head in heads)
    if len(counts) > 1 and all(map(is_label, counts)):
        return True
    returning = [count for count in counts.values() if count > 1]
    most = MOST_OF_ONE * counts.total()
    return len(returning) >= fewest and max(returning) <= most and 2 * len(counts) <= counts.total()


def _are_records_of_log(heads: Collection[TurnHead]) -> bool:
    """Return True if names are levels of a log (`ERROR`), or numbers follow most names."""
    values = sum(head.text != "" and not any(map(str.isalpha, head.text)) for head in heads)
    levels = sum(head.name in LOG_WORDS - {"NOTE", "TODO"} for head in heads)
    return levels > len(heads) // 20 or values > MOST_VALUES * len(heads)


def _are_spoken(heads: Collection[TurnHead]) -> bool:
    """Return True if most texts end like sentences, and none begins with a level of a log."""
    said = sum(
        not is_brief(head) or (head.text.islower() and PLAIN_WORDS.match(head.text) is not None)
        for head in heads
    )
    levels = (head.text.split(maxsplit=1)[:1] for head in heads)
    is_log = any(word[0].strip("[]:-") in LOG_WORDS for word in levels if word)
    return said >= DOUBTFUL * len(heads) and not is_log


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


def _word_count(text: str) -> int:
    """Return the number of words; two characters of a script without blanks count as a word."""
    return len(text.split()) + len(NO_BLANKS.findall(text)) // 2


def _is_timed_throughout(layout: TurnLayout, text: TurnText) -> bool:
    """Return True if nearly every line begins with a time and a name, and times increase."""
    heads = text.heads(layout.pattern)
    starts = [head.start for head in heads.values() if head.name and head.start is not None]
    are_behind = all(head.text for head in heads.values())
    are_behind = are_behind or _are_over_turns(heads, layout, text)
    is_most = len(starts) == len(heads) >= 0.8 * (len(heads) + layout.left)
    if not (are_behind and is_most) or starts != sorted(starts):
        return False
    names = {head.name or "" for head in heads.values()}
    are_names = all(
        is_label(x) or (is_name(x) and (len(x) <= LEAST or not any(map(str.isdigit, x))))
        for x in names
    )
    return len(names) < len(heads) or (
        are_names and _is_paced(heads, text) and are_said(with_texts(layout.pattern, text))
    )


def _are_over_turns(heads: Mapping[int, TurnHead], layout: TurnLayout, text: TurnText) -> bool:
    """Return True if names return, are in capitals, and all over the texts of nearly all turns."""
    words = [word for head in heads.values() for word in (head.name or "").split()]
    are_over = all(n + 1 not in heads and text.is_filled[n + 1 : n + 2] == [True] for n in heads)
    are_alone = not any(head.text for head in heads.values()) and len(heads) > layout.speakers
    is_most = len(heads) >= DOUBTFUL * layout.paragraphs
    return are_over and are_alone and is_most and not any(word[0].islower() for word in words)


def _are_labels(layout: TurnLayout, text: TurnText) -> bool:
    """Return True if turns have times, and all names are generic labels, such as Speaker 1."""
    names = {head.name for head in text.heads(layout.pattern).values() if head.name}
    return layout.timed > 0 and all(map(is_label, names))


def _has_times_inside(layout: TurnLayout, text: TurnText) -> bool:
    filled = list(filter(None, (strip_blanks(line) for _, line in text.lines)))
    times = times_inside(filled)
    times = [time for time in times_after_midnight(times) or times if time is not None]
    back = sum(second < first for first, second in itertools.pairwise(times))
    first = sum(STAMP.match(line) is not None for line in filled)
    least = 1 if first == len(filled) == len(times) else LEAST
    is_inside = len(times) >= least and back <= 0.05 * len(times)
    is_most = first >= 0.6 * len(filled) or layout.heads >= 0.6 * layout.paragraphs
    return is_inside and (is_most or _are_throughout(filled))


def _are_throughout(filled: Sequence[str]) -> bool:
    """Return True if times go from the head of a document to the second half of the text."""
    stamped = [n for n, line in enumerate(filled) if STAMP.search(line)]
    above = sum(map(len, filled[: stamped[0]])) if stamped else 0
    return (
        len(stamped) >= max(FEWEST_STAMPS, 0.1 * len(filled))
        and above <= MOST_OF_HEAD * sum(map(len, filled)) and stamped[-1] >= len(filled) / 2
    )  # fmt: skip
