"""Corrections of turns: units of time, frames, times of day, and names inside texts."""

from __future__ import annotations

import datetime
import itertools
import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial

from formats.io.messages import FRAMES_ASSUMED, PAUSES_LEFT
from formats.io.source import Source
from formats.meetings.messages import (
    CHANGES_LEFT,
    CHAT_OF_DAYS,
    CHAT_OVER_DAYS,
    FIELDS_LEFT,
    LENGTH_LEFT,
    NAMES_INSIDE,
    NAMES_ODD,
    STAMPS_INSIDE,
    TAGS_LEFT,
    TIME_AGAIN,
    TIME_BACK,
    TIME_BACK_FEW,
    TIME_OF_DAY,
    TIMES_ARE_PAGES,
    TIMES_EVEN,
    TIMES_IN_HOURS,
    TIMES_IN_MS,
    TOO_FAST,
    TOO_SLOW,
    TURN_NAMES,
    TURNS_ALIKE,
    TURNS_ODD,
    UNSEEN_LEFT,
)
from formats.meetings.turns.accounts import TurnLayout
from formats.meetings.turns.completed import DAY
from formats.meetings.turns.evidence import FIELDS
from formats.meetings.turns.heads import CLOCK, CLOCK_ANYWHERE, row_of
from formats.meetings.turns.inside import say_between
from formats.meetings.turns.lines import BARE_STAMP, STAMP_IN_TEXT
from formats.meetings.turns.margins import is_day
from formats.meetings.turns.persons import without_role
from formats.meetings.turns.plain import LEAST, MOST_ALIKE, SAMPLE, Lines
from formats.reading.frames import given_rate, usual_rate
from formats.reading.line_beginnings import beginnings_of
from formats.reading.lines import split_words
from formats.reading.marks import PAUSES, TAG, UNSEEN, pauses_in, say_brackets, without_pauses
from formats.reading.patterns import FRAMES, TITLE_OF_MEMBER, parse_stamp
from formats.reading.residue import doubt_of_turns
from formats.reading.speakers import LANGUAGE_CODE, NOBODY, common_prefix, is_label, is_name
from formats.reading.time_values import FASTEST, SLOWEST, word_count
from formats.schema import lazy_pattern
from formats.schema.model import Segment
from formats.schema.times import SECOND, format_clock, format_time

HALF_OF_DAY = re.compile(
    r"[*_`#> ]{0,8}[\[(]?[0-9]{1,2}(?::[0-9]{2}){1,2}[ \u202f]?[AaPp]\.?[Mm]\b"
)
"""A line that begins with a time of day."""
FEWEST_ROUND, MOST_OF_ITEM = 6, 6
"""The fewest times that show that all are round, and the most words of an item of a schedule."""
FEW_FRAMES = 0.1
"""The share of turns with which times with frames are in texts."""
HAS_FRAMES = re.compile(rf"(?<![0-9:]){FRAMES}(?![0-9:.,])")
FULL_NAME = re.compile(
    r"([A-Z][a-z]{1,20} [A-Z][a-z]{1,20}|(?:Speaker|SPEAKER)[ _][0-9]{1,3}) (?=\S)"
)
FEWEST_NAMED, SHARE_NAMED_INSIDE = 6, 0.1
"""The fewest names, and the least share of turns that have the same name inside."""
ENDS_OF_SENTENCES = frozenset('.?!…—–-)]"”»*')
"""What ends a sentence, a direction or a quotation before a name inside a line."""
FEWEST_BEGUN, SHORTEST_BEGUN = 3, 3
"""The turns and the characters of a name in capitals that also begins turns inside lines."""
FEWEST_THROUGHOUT, SHARE_THROUGHOUT, MOST_WORDS_INSIDE = 5, 0.2, 3
"""How many turns have the name of a speaker inside, their share, and the words of such a name."""
FEWEST_KNOWN, FEWEST_OF_KNOWN = 2, 6
"""How many speakers with turns of their own are named inside lines, and how often together."""
GLUED = re.compile(r"(.{0,60}[.?!…])([^\W\d_]\w{1,30}):\Z")
"""The end of a sentence, perhaps behind a blank, and a name: ``so.Ann:``, ``so .Ann:``."""
HALF_BEHIND = re.compile(rf"{CLOCK}[ \u202f]?[AaPp]\.?[Mm]\b")
SIGN_OF_HALF = re.compile(r"[0-9][ \u202f]?[AaPp]\.?[Mm]\b")
LONGEST_HEAD, LONGEST_TIME, FIRST_WORDS = 120, 40, 4
"""Characters of a line that begins a turn, those of a time, and words by which a text is found."""
CHANGES, DASH = frozenset((">>", ">>>", "&gt;&gt;", "&gt;&gt;&gt;")), ("-",)
HOUR, MINUTE = 3600 * SECOND, 60 * SECOND
MORNING = 5 * HOUR
"""Earlier times are those of a part of a long recording, and not times of day."""
DAY_IN_DIGITS = re.compile(r"(?<![0-9])[0-9]{1,4}([./-])[0-9]{1,2}\1[0-9]{1,4}(?![0-9])")
DAY_ALONE = re.compile(
    r"(?<![0-9])([0-9]{1,4})[./年년-][ ]?([0-9]{1,2})[./月월-][ ]?([0-9]{1,4})(?![0-9])"
)
"""A date in digits on a line of its own."""
NO_DAY = " \t,-–—T\u200e"
"""A day before a time of day, and what may stand between them and around other days."""
IS_EXACT = re.compile(r":[0-9]{2}(?:[.,]|:[0-9]{2}[:;.,])[0-9]")
"""Parts of a second or frames, which times of day do not have."""
THREE_PARTS = re.compile(r"[0-9]:[0-9]{1,2}:[0-9]")
LOG_PACE, LOG_TURNS, FEW_PACE = 0.05, 5, 0.001
"""Words a second below which hardly anybody speaks, in so many turns; and in fewer turns."""
MANY_WORDS, FAST = 50, 4
"""Words that show a pace, and the words a second that nobody says for long."""
FEWEST_OF_CHAT, MOST_MINUTES, FEWEST_SIZES = 20, 0.6, 3
"""The fewest messages of a chat, the share that is in a minute of its own, and minutes' sizes."""
LEAST_ANSWERS, LEAST_CROWDED = 0.2, 0.2
"""The share of messages in the minute of the message above that are by another person, and of
minutes in which more is written than anybody says in as many seconds."""
FEWEST_PAGED, MOST_LINES = 12, 28
"""The fewest turns that show that times are pages and lines, and the most lines of a page."""
FEWEST_WORDS, FEWEST_EVEN = 5, 6
LANGUAGES = (
    "english|spanish|french|german|italian|portuguese|dutch|russian|ukrainian|polish|turkish"
    "|arabic|persian|farsi|hebrew|hindi|urdu|bengali|tamil|chinese|mandarin|cantonese|japanese"
    "|korean|vietnamese|thai|indonesian|greek|swedish|deutsch|español|français|italiano|português"
    "|русский|中文|英文|日本語|한국어"
)
SCORE = (
    r"[\[(](?:(?:conf(?:idence)?|prob(?:ability)?|score)(?:=|:[ ]?)-?[0-9]{1,3}(?:\.[0-9]{1,9})?%?"
    rf"|[01]\.[0-9]{{1,9}}|[0-9]{{1,3}}%|{LANGUAGE_CODE}"
    rf"|(?i:{LANGUAGES}))[\])]"
)
SCORES = lazy_pattern(rf"\A{SCORE}[ ]?:?[ ]{{0,3}}"), lazy_pattern(rf"[ ]{{0,3}}{SCORE}\Z")
SHARE_OF_SCORES = 0.8
"""Languages and confidences in brackets at either end of a text, and the share that has one."""
TITLE_FIRST = lazy_pattern(rf"\A(?:{TITLE_OF_MEMBER})")
"""The title before the name of a member of a parliament."""
UNSEEN_SIGNS = "".join(UNSEEN)
STAMP_AND_LENGTH = lazy_pattern(rf"{STAMP_IN_TEXT}(?:\[[0-9]{{1,4}}\.[0-9]{{1,3}}\])?")
"""A time in brackets, perhaps with the seconds since the time before: ``[0:12][2.9]``."""
MOST_WORDS_OF_NAME, FEWEST_ONCE, SHARE_ONCE, SHARE_OF_TURNS_ONCE = 4, 4, 0.6, 0.25
"""Words of a name; names with one turn that are reported, as shares of the names and the turns."""


def corrected_turns(
    source: Source, lines: Lines, turns: list[Segment], layout: TurnLayout, fps: str
) -> list[Segment]:
    """Return the turns with corrected times, and without time stamps in their texts."""
    turns = _without_stamps(source, _without_unseen(source, turns))
    turns = _without_scores(source, _without_changes(source, turns))
    turns = _cut_at_names(turns)
    _say_names_inside(source, turns)
    _say_odd_names(source, turns)
    if not any(turn.speaker for turn in turns):
        turns = _with_speakers(source, turns)
    turns = _without_pauses(source, _without_length(source, turns))
    turns = _with_frames(source, lines, without_tags(source, turns), fps)
    clocks = sum(CLOCK_ANYWHERE.search(line, 0, LONGEST_TIME) is not None for _, line in lines)
    if 2 * clocks < len(turns):
        turns = _in_milliseconds(source, turns)
    row = row_of(layout.pattern)
    if row is not None and row.is_dated:
        return _of_chat(source, lines, turns)
    if _are_pages(lines, turns):
        source.log.say(TIMES_ARE_PAGES, count=len(turns), most=MOST_LINES)
        return [turn.replace(start_ns=None, end_ns=None) for turn in turns]
    return since_first(source, lines, turns)


def _without_unseen(source: Source, turns: list[Segment]) -> list[Segment]:
    """Remove signs that nobody sees from both ends of words, and words of such signs alone."""
    words = [word for turn in turns for word in turn.words if not word.isascii()]
    count = sum(len(word) - len(word.strip(UNSEEN_SIGNS)) for word in words)
    if not count:
        return turns
    source.log.say(UNSEEN_LEFT, None, count=count)
    return [
        turn.replace(
            words=tuple(seen for word in turn.words if (seen := word.strip(UNSEEN_SIGNS)))
        ) if not UNSEEN.isdisjoint("".join(turn.words)) else turn
        for turn in turns
    ]  # fmt: skip


def _without_pauses(source: Source, turns: list[Segment]) -> list[Segment]:
    """Remove the slashes that mean pauses from texts."""
    pauses = pauses_in([word for turn in turns for word in turn.words])
    if not pauses:
        return turns
    source.log.say(PAUSES_LEFT, count=len(pauses), text=pauses[0])
    return [
        turn if PAUSES.isdisjoint(turn.words)
        else turn.replace(words=tuple(without_pauses(turn.words)))
        for turn in turns
    ]  # fmt: skip


def _without_length(source: Source, turns: list[Segment]) -> list[Segment]:
    """Remove the end that all turns share: a player shows the length beside each time, `0:03/1:20`.

    >>> from io import BytesIO
    >>> from formats.io.source import open_source
    >>> turns = [Segment("a", ("so",), start_ns=n, end_ns=80 * SECOND) for n in range(4)]
    >>> {turn.end_ns for turn in _without_length(open_source(BytesIO(b"")), turns)}
    {None}
    """
    ends = {turn.end_ns for turn in turns}
    starts = {turn.start_ns for turn in turns}
    (end,) = ends if len(ends) == 1 else (None,)
    if end is None or len(starts) < LEAST:
        return turns
    source.properties["duration"] = format_time(end)
    source.log.say(LENGTH_LEFT, count=len(turns), length=format_clock(end, decimals=0))
    return [turn.replace(end_ns=None) for turn in turns]


def _are_pages(lines: Lines, turns: Sequence[Segment]) -> bool:
    """Return True if times are rather pages and lines of a document: ``[4:02]``, ``[4:11]``.

    No second number is more than a page has lines, and there are several pages.
    """
    if len(turns) < FEWEST_PAGED or not all(
        turn.start_ns is not None and 0 < turn.start_ns % MINUTE <= MOST_LINES * SECOND
        for turn in turns
    ):
        return False
    pages = {(turn.start_ns or 0) // MINUTE for turn in turns}
    heads = _lines_of(lines, turns)
    are_clocks = any(map(IS_EXACT.search, heads)) or any(_with_halves(heads))
    are_clocks = are_clocks or any(map(THREE_PARTS.search, heads))
    return 1 < len(pages) <= len(turns) / 2 and not are_clocks


def since_first(source: Source, lines: Lines, turns: list[Segment]) -> list[Segment]:
    """Convert times of day to times since the first turn, and check the pace of speech.

    Times of day have AM or PM, pass midnight, are whole seconds from five in the morning on, are
    those of several messages a minute, or give the pace of speech only as hours and minutes.
    """
    if all(turn.start_ns is None for turn in turns):
        return turns
    heads = _lines_of(lines, turns)
    if dates := _dates_between(lines, turns, heads):
        return _of_days(source, turns, dates, _unit_of_day(turns, heads))
    if (hours := in_hours(source, lines, turns, heads)) is not None:
        return from_first(source, hours)
    if _are_minutes_of_day(turns, heads):
        return from_first(source, _moved(turns, lambda time: 60 * time))
    have = _with_halves(heads)
    turns = like_halves(turns, heads, have)
    has_halves = any(HALF_OF_DAY.match(line) for _, line in lines[:SAMPLE]) or (
        2 * sum(have) > len(heads)
    )
    if has_halves or is_past_midnight(turns):
        turns = from_first(source, turns)
    elif are_of_day(heads):
        turns = from_first(source, turns, MORNING)
    say_pace(source, turns, are_halves=has_halves)
    return turns


def _are_minutes_of_day(turns: Sequence[Segment], heads: Sequence[str]) -> bool:
    """Return True if times such as ``17:05`` are of a chat, which has several messages a minute.

    The number of messages a minute varies, several persons write in the same minute, the times
    increase, and in some minutes more is written than anybody says in as many seconds. Turns of one
    part of a recording may have the time of the part, but they can be said in it.
    """
    starts = [turn.start_ns for turn in turns if turn.start_ns is not None]
    sizes = Counter(starts).values()
    again = [
        after.speaker != before.speaker
        for before, after in itertools.pairwise(turns) if before.start_ns == after.start_ns
    ]  # fmt: skip
    return (
        sum(again) > LEAST_ANSWERS * len(again)
        and len(starts) >= FEWEST_OF_CHAT
        and len(sizes) <= MOST_MINUTES * len(starts)
        and len({*sizes}) >= FEWEST_SIZES
        and starts[0] >= MINUTE
        and starts == sorted(starts)
        and starts[-1] < DAY / 60
        and any(start % (5 * SECOND) for start in starts)
        and not any(map(THREE_PARTS.search, heads))
        and not any(map(IS_EXACT.search, heads))
        and not any(_with_halves(heads))
        and _are_crowded(turns)
    )


def _dates_between(lines: Lines, turns: Sequence[Segment], heads: Sequence[str]) -> dict[int, str]:
    """Return the dates alone on lines above and between turns; nothing if they are of one day.

    The times below each date are times of day: the first is not before five in the morning.
    """
    dates = {
        number: text for number, line in lines
        if len(line) <= LONGEST_HEAD and (text := line.strip()) and is_day(text)
    }  # fmt: skip
    starts = [(turn.line or 0, turn.start_ns) for turn in turns if turn.start_ns is not None]
    dates = {number: text for number, text in dates.items() if number < starts[-1][0]}
    days = len({*dates.values()})
    if days < MOST_ALIKE or max(dates) < starts[0][0] or any(map(IS_EXACT.search, heads)):
        return {}
    latest = max(start for _, start in starts)
    size = _unit_of_day(turns, heads)
    firsts = [
        next((start for line, start in starts if line > number), DAY) for number in dates
    ]  # fmt: skip
    return dates if size * latest < DAY and size * min(firsts) >= MORNING else {}


def _unit_of_day(turns: Sequence[Segment], heads: Sequence[str]) -> int:
    """Return 60 if times that were read as minutes and seconds are hours and minutes; else 1."""
    latest = max((turn.start_ns or 0 for turn in turns), default=0)
    has_three = any(map(THREE_PARTS.search, heads))
    return 1 if has_three or any(_with_halves(heads)) or 60 * latest >= DAY else 60


def _of_days(
    source: Source, turns: list[Segment], dates: dict[int, str], size: int
) -> list[Segment]:
    """Count times of day from the first message, if the dates between turns are in digits.

    Otherwise, remove the times.
    """
    written = ["-".join(match.groups()) for x in dates.values() if (match := DAY_ALONE.search(x))]
    days = days_since_first(written) if len(written) == len(dates) else []
    first = turns[0].start_ns
    if not days or first is None or (turns[0].line or 0) < min(dates):
        source.log.say(CHAT_OF_DAYS, days=len({*dates.values()}))
        return [turn.replace(start_ns=None, end_ns=None) for turn in turns]
    places = [*dates]
    of_turns = [days[bisect_right(places, turn.line or 0) - 1] for turn in turns]
    scaled = [
        turn if turn.start_ns is None else turn.replace(start_ns=size * turn.start_ns)
        for turn in turns
    ]
    return _over_days(source, scaled, of_turns, len({*days}), written[0])


def _over_days(
    source: Source, turns: Sequence[Segment], days: Sequence[int], count: int, date: str
) -> list[Segment]:
    """Count times of day from the first message, on `date`; `days` has the day of each turn."""
    first = turns[0].start_ns or 0
    shown = f"{date} {format_clock(first, decimals=0)}"
    source.log.say(CHAT_OVER_DAYS, days=count, first=shown)
    return [
        turn if turn.start_ns is None
        else turn.replace(start_ns=max(0, day * DAY + turn.start_ns - first), end_ns=None)
        for turn, day in zip(turns, days, strict=True)
    ]  # fmt: skip


def _are_crowded(turns: Sequence[Segment]) -> bool:
    """Return True if often more is written at one time than anybody says until the next."""
    words: Counter[int] = Counter()
    for turn in turns:
        if turn.start_ns is not None:
            words[turn.start_ns] += len(turn.words)
    crowded = sum(
        words[start] * SECOND > FASTEST * (after - start)
        for start, after in itertools.pairwise(words)
    )
    return crowded >= LEAST_CROWDED * len(words)


def are_of_day(heads: Iterable[str]) -> bool:
    """Return True if the times in heads may be times of day: they have no parts of a second."""
    return not any(map(IS_EXACT.search, heads))


def _with_halves(heads: Sequence[str]) -> list[bool]:
    """Return for each head whether it has a time with AM or PM."""
    may_have = SIGN_OF_HALF.search("\n".join(heads)) is not None
    return [may_have and HALF_BEHIND.search(head) is not None for head in heads]


def like_halves(turns: list[Segment], heads: list[str], have: list[bool]) -> list[Segment]:
    """Read ``10:01`` as hours and minutes beside ``10:00 AM``, if the times then increase."""
    if not any(have) or all(have) or any(map(THREE_PARTS.search, heads)):
        return turns
    moved = [
        turn if has_half or turn.start_ns is None else turn.replace(start_ns=60 * turn.start_ns)
        for turn, has_half in zip(turns, have, strict=True)
    ]
    starts = [turn.start_ns for turn in moved if turn.start_ns is not None]
    return moved if starts == sorted(starts) else turns


def is_past_midnight(turns: Sequence[Segment]) -> bool:
    """Return True if turns begin before and after midnight, with a day added to the latter."""
    starts = [turn.start_ns for turn in turns if turn.start_ns is not None]
    return bool(starts) and DAY / 2 <= starts[0] < DAY <= max(starts)


def say_pace(source: Source, turns: Sequence[Segment], *, are_halves: bool = False) -> None:
    """Warn if there are so few words per second that the text may be a log, or the unit another.

    If all times are whole minutes, ``[00:08:00]`` may mean eight seconds and no frames, unless
    times have AM or PM (`are_halves`).
    """
    starts = [turn.start_ns for turn in turns if turn.start_ns is not None]
    words = round(sum(word_count(" ".join(turn.words)) for turn in turns))
    seconds = (max(starts, default=0) - min(starts, default=0)) / SECOND
    pace = LOG_PACE if len(starts) >= LOG_TURNS else FEW_PACE
    are_minutes = (
        len(starts) >= FEWEST_EVEN
        and not are_halves
        and not any(start % MINUTE for start in starts)
    )
    if len(starts) < LEAST or not words:
        return
    if are_minutes and SLOWEST * seconds / 60 <= words < min(SLOWEST, FASTEST / 60) * seconds:
        source.log.say(TIMES_EVEN, words=words, seconds=seconds)
    elif words < pace * seconds or (
        words < SLOWEST * seconds and words <= MOST_OF_ITEM * len(starts) and _are_round(starts)
    ):
        source.log.say(TOO_SLOW, words=words, seconds=seconds)


def _are_round(starts: Sequence[int]) -> bool:
    """Return True if all times are late and have round seconds, as the hours of a schedule.

    >>> _are_round([n * SECOND for n in (540, 570, 600, 660, 690, 780)])
    True
    """
    is_late = len(starts) >= FEWEST_ROUND and min(starts) >= 5 * MINUTE
    return is_late and not any(start % (5 * SECOND) for start in starts)


def _in_milliseconds(source: Source, turns: list[Segment]) -> list[Segment]:
    """Divide the times of turns by 1,000 if only this gives the pace of speech."""
    lengths = [
        turn.end_ns - turn.start_ns
        for turn in turns
        if turn.start_ns is not None and turn.end_ns is not None
    ]
    words = round(sum(word_count(" ".join(x.words)) for x in turns if x.end_ns is not None))
    seconds = sum(lengths) / SECOND
    pace = words / seconds if seconds else 0.0
    if words < FEWEST_WORDS or not pace < SLOWEST <= 1000 * pace:
        return turns
    source.log.say(TIMES_IN_MS, words=words, seconds=seconds)
    return _moved(turns, lambda time: time // 1000)


def _moved(turns: list[Segment], change: Callable[[int], int]) -> list[Segment]:
    """Return the turns with changed times."""
    times = [
        [time if time is None else change(time) for time in (turn.start_ns, turn.end_ns)]
        for turn in turns
    ]
    return [
        turn.replace(start_ns=start, end_ns=end)
        for turn, (start, end) in zip(turns, times, strict=True)
    ]


def in_hours(
    source: Source, lines: Lines, turns: list[Segment], heads: list[str]
) -> list[Segment] | None:
    """Read ``10:12`` as hours and minutes if speech would otherwise be too fast.

    Return `None` if the pace is plausible. Warn if times are no clocks, or hours are too slow.
    """
    timed = [turn for turn in turns if turn.start_ns is not None]
    starts = [turn.start_ns or 0 for turn in timed]
    seconds = (max(starts, default=0) - min(starts, default=0)) / SECOND
    words = round(sum(word_count(" ".join(turn.words)) for turn in timed[:-1]))
    fastest = FAST if starts and _may_be_morning(starts) else FASTEST
    if words < MANY_WORDS or not seconds or words <= fastest * seconds:
        return None
    are_seconds = not any(map(CLOCK_ANYWHERE.search, heads))
    has_three = any(THREE_PARTS.search(line) for _, line in lines[:SAMPLE])
    if (
        are_seconds
        or has_three
        or words < LOG_PACE * 60 * seconds
        or words > FASTEST * 60 * seconds
    ):
        source.log.say(TOO_FAST, words=words, seconds=seconds)
        return None
    source.log.say(TIMES_IN_HOURS, words=words, seconds=seconds)
    return _moved(turns, lambda time: 60 * time)


def _may_be_morning(starts: Sequence[int]) -> bool:
    """Return True if minutes and seconds may be hours and minutes from five in the morning on."""
    is_forward = list(starts) == sorted(starts)
    return is_forward and 60 * starts[0] >= MORNING and 60 * starts[-1] < DAY


def _with_frames(
    source: Source, lines: Lines, turns: list[Segment], fps: str
) -> list[Segment]:  # fmt: skip
    """Convert the frames in the times of turns with the frame rate `fps`.

    Without it, the rate is the lowest usual one that all frames are less than.
    """
    framed = sum(HAS_FRAMES.search(line) is not None for _, line in lines[:SAMPLE])
    if framed <= FEW_FRAMES * min(SAMPLE, len(turns)):
        return turns  # none, or in the texts of a few turns
    codes = [match[0] for _, line in lines for match in HAS_FRAMES.finditer(line)]
    if not fps:
        fps = str(usual_rate([int(code[-2:]) for code in codes]))
        source.log.say(FRAMES_ASSUMED, fps=fps)
    rate = given_rate(fps)
    exact = partial(parse_stamp, fps=rate.above / rate.below)
    of_file = {parse_stamp(code): exact(code) for code in codes}

    def moved(time: int | None, line: str) -> int | None:
        if time is None:
            return None
        days, time = divmod(time, DAY)
        of_line = {parse_stamp(code): exact(code) for code in HAS_FRAMES.findall(line)}
        return days * DAY + of_line.get(time, of_file.get(time, time))

    heads = _lines_of(lines, turns)
    return [
        turn.replace(start_ns=moved(turn.start_ns, head), end_ns=moved(turn.end_ns, head))
        for turn, head in zip(turns, heads, strict=True)
    ]


def _without_stamps(source: Source, turns: list[Segment]) -> list[Segment]:
    """Remove times in brackets from among the words of turns, if these times increase.

    Who then has no words is no speaker: ``Break: [02:22]``.
    """
    stamps = [
        parse_stamp(time)
        for turn in turns if "[" in "".join(turn.words)
        for word in turn.words if "[" in word
        for time in BARE_STAMP.findall(word)
    ]  # fmt: skip
    back = sum(second < first for first, second in itertools.pairwise(stamps))
    if len(stamps) < LEAST or back > 0.05 * len(stamps):
        return turns
    source.log.say(STAMPS_INSIDE, count=len(stamps))

    def cut(word: str) -> list[str]:
        return split_words(STAMP_AND_LENGTH.sub(" ", word)) if "[" in word else [word]

    plain = [
        turn.replace(words=tuple(part for word in turn.words for part in cut(word)))
        for turn in turns
    ]
    speaking = {turn.speaker for turn in plain if turn.words}
    is_pause = [
        bool(before.words and turn.speaker) and turn.speaker not in speaking
        for turn, before in zip(plain, turns, strict=True)
    ]
    pauses = itertools.compress(plain, is_pause)
    say_between(source, [(turn.line or 0, turn.speaker or "") for turn in pauses])
    return [turn for turn, is_left in zip(plain, is_pause, strict=True) if not is_left]


def without_tags(source: Source, turns: list[Segment]) -> list[Segment]:
    """Remove tags with attributes, and those around words, from the texts of turns."""
    texts = [" ".join(turn.words) if ">" in "".join(turn.words) else "" for turn in turns]
    tags = [match[0] for text in texts for match in TAG.finditer(text)]
    if not tags:
        return turns
    source.log.say(TAGS_LEFT, count=len(tags), text=tags[0])
    return [
        turn.replace(words=tuple(split_words(TAG.sub("", text)))) if text else turn
        for turn, text in zip(turns, texts, strict=True)
    ]


def _without_scores(source: Source, turns: list[Segment]) -> list[Segment]:
    """Remove the language or the confidence in brackets where most texts begin or end with one."""
    for score in SCORES:
        some = [match for turn in turns[:SAMPLE] if (match := score.search(" ".join(turn.words)))]
        if len(some) < max(LEAST, SHARE_OF_SCORES * len(turns[:SAMPLE])):
            continue
        source.log.say(TAGS_LEFT, count=len(some), text=some[0][0].strip())
        turns = [
            turn.replace(words=tuple(split_words(score.sub("", " ".join(turn.words)))))
            for turn in turns
        ]
    return turns


def _without_changes(source: Source, turns: list[Segment]) -> list[Segment]:
    """Remove marks such as ``>>``, which mean a change of speaker, from turns."""
    first = sum(turn.words[:1] == DASH and turn.speaker is None for turn in turns)
    changes = CHANGES.union(DASH) if first >= LEAST else CHANGES
    signs = [word for turn in turns for word in turn.words if word in changes]
    if not signs:
        return turns
    source.log.say(CHANGES_LEFT, count=len(signs), text=signs[0])
    return [
        turn
        if changes.isdisjoint(turn.words)
        else turn.replace(words=tuple(word for word in turn.words if word not in changes))
        for turn in turns
    ]


def _cut_at_names(turns: list[Segment]) -> list[Segment]:
    """Begin a turn at a speaker's name that directly follows a sentence: ``so?Ann: no``.

    A name in capitals that begins other turns may follow a blank: ``so? ANN EX: no``; and so may a
    name that many turns have inside.
    """
    counts = Counter(turn.speaker for turn in turns)
    names: dict[str, list[tuple[str, ...]]] = {}
    begun = {
        name for name, count in counts.items()
        if name and count >= FEWEST_BEGUN and name.isupper() and len(name) >= SHORTEST_BEGUN
    }  # fmt: skip
    has_name = [":" in "".join(turn.words) for turn in turns]
    named = [*itertools.compress(turns, has_name)]
    throughout = _names_throughout(named, len(turns), counts) if any(counts) else set()
    for name in begun | throughout:
        *before, end = name.split()
        names.setdefault(f"{end}:", []).append((*before,))
    if not named or not (len(counts) > 1 or names):
        return turns
    cut = []
    for turn, may_be_cut in zip(turns, has_name, strict=True):
        first = 0
        for n, word in enumerate(turn.words if may_be_cut else ()):
            if word[-1] != ":":
                continue
            match = GLUED.match(word)
            if match is not None and (counts[match[2]] > 1 or match[2] in throughout):
                words, speaker = _with_end(turn.words[first:n], match[1]), match[2]
            else:
                lengths = [
                    len(above) for above in names.get(word, ())
                    if turn.words[n - len(above) : n] == above and n - len(above) > first
                ]  # fmt: skip
                place = n - max(lengths) if lengths else 0
                if not place or turn.words[place - 1][-1] not in ENDS_OF_SENTENCES:
                    continue
                words, speaker = turn.words[first:place], " ".join(turn.words[place:n])
                speaker = f"{speaker} {word[:-1]}".strip()
            cut.append(turn.replace(words=words, end_ns=None))
            turn = turn.replace(speaker=speaker, start_ns=None, properties=())
            first = n + 1
        cut.append(turn.replace(words=turn.words[first:]) if first else turn)
    return cut


def _with_end(words: tuple[str, ...], end: str) -> tuple[str, ...]:
    """Return words with a last word; a sign alone ends the word before it."""
    if any(map(str.isalnum, end)):
        return (*words, end)
    return (*words[:-1], f"{words[-1]}{end}") if words else ()


def _names_throughout(
    turns: Sequence[Segment], total: int, speakers: Mapping[str | None, int]
) -> set[str]:
    """Return the names with a colon behind sentences that many turns have: ``so. Ann: no``.

    A blank may be missing: ``so.Ann: no``. `turns` are those with a colon, of `total` turns. Fewer
    are enough if several `speakers`, who have turns of their own, are named so.
    """
    counts: Counter[str] = Counter()
    for turn in turns:
        words = turn.words
        for n, word in enumerate(words):
            if word[-1] != ":" or not n:
                continue
            if (glued := GLUED.match(word)) is not None:
                counts[glued[2]] += not glued[1][:-1].isdigit()  # ``1.Pros:`` is an item
                continue
            begin = n
            while begin > max(0, n - MOST_WORDS_INSIDE) and words[begin][:1].isupper():
                if words[begin - 1][-1] in ENDS_OF_SENTENCES:
                    counts[" ".join(words[begin : n + 1])[:-1]] += 1
                    break
                begin -= 1
    least = max(FEWEST_THROUGHOUT, SHARE_THROUGHOUT * total)
    known = [name for name in counts if name in speakers]
    if len(known) < FEWEST_KNOWN or sum(map(counts.__getitem__, known)) < FEWEST_OF_KNOWN:
        known = []
    return {
        name for name, count in counts.items()
        if (count >= least or name in known)
        and (is_name(name) or is_label(name)) and not NOBODY.match(name)
    }  # fmt: skip


BEFORE_NAME, SHOWN_AROUND = frozenset((*ENDS_OF_SENTENCES, *'"”’»)]')), 6
"""What is before the name of a next speaker, and the words that are shown around such a name."""


def _say_names_inside(source: Source, turns: Sequence[Segment]) -> None:
    """Report names with a colon among the words: they may be turns inside a line."""
    names = {turn.speaker for turn in turns if turn.speaker}
    if not names:
        return
    before: dict[str, set[tuple[str, ...]]] = {}
    for name in names:
        *words, end = name.split()
        before.setdefault(f"{end}:", set()).add(tuple(words))
    again = Counter(
        word for turn in turns for above, word in itertools.pairwise(turn.words)
        if word[-1] == ":" and above[-1] in ENDS_OF_SENTENCES and word[0].isupper()
    )  # fmt: skip
    least = max(FEWEST_NAMED, SHARE_NAMED_INSIDE * len(turns))
    for word, count in again.items():
        if count >= least:
            before.setdefault(word, {()})
    named = [
        (turn, n, len(words)) for turn in turns if not before.keys().isdisjoint(turn.words)
        for n, word in enumerate(turn.words)
        if n and word in before and len(word) > 2
        for words in [
            next((w for w in before[word] if turn.words[max(0, n - len(w)) : n] == w), None)
        ]
        if words is not None
    ]  # fmt: skip
    turn, n, size = named[0] if named else (turns[0], 0, 0)
    is_said = len(named) == 1 and n > size and turn.words[n - size - 1][-1] not in BEFORE_NAME
    if named and not is_said:  # "and for you, Ben:" is said
        text = " ".join(turn.words[max(0, n - size - SHOWN_AROUND) : n + SHOWN_AROUND])
        source.log.say(NAMES_INSIDE, turn.line, count=len(named), text=text)


def _say_odd_names(source: Source, turns: Sequence[Segment]) -> None:
    """Warn about names that are longer than names, or of which most have only one turn."""
    counts = Counter(turn.speaker for turn in turns if turn.speaker)
    bare = {name: TITLE_FIRST.sub("", without_role(name)) for name in counts}
    odd = [name for name in counts if len(bare[name].split()) > MOST_WORDS_OF_NAME]
    once = [name for name, count in counts.items() if count == 1]
    titles = {name.split()[0] for name, count in counts.items() if count > 1 and _is_titled(name)}
    once = [name for name in once if name.split()[0] not in titles or not _is_titled(name)]
    least = max(FEWEST_ONCE, SHARE_ONCE * len(counts), SHARE_OF_TURNS_ONCE * len(turns))
    odd += once if len(once) >= least else []
    if odd:
        first = next(turn.line for turn in turns if turn.speaker == odd[0])
        source.log.say(NAMES_ODD, first, count=len(set(odd)), total=len(counts), text=odd[0])


def _is_titled(name: str) -> bool:
    """Return True if a name may be a title and a last name, such as ``Commissioner Doe``."""
    words = name.split()
    return len(words) > 1 and all(word[0].isupper() for word in words) and not is_label(name)


def _with_speakers(source: Source, turns: list[Segment]) -> list[Segment]:
    """Use names at the beginning of turns' texts as speakers, by the rule for subtitles.

    Nobody speaks under a field of records: ``Full text: so it was``.
    """
    texts = [" ".join(turn.words) for turn in turns]
    prefix = common_prefix(texts)
    cuts = _full_names(texts) if prefix is None else [prefix.cut(text) for text in texts]
    if not cuts:
        return turns
    notation = "Name text" if prefix is None else prefix.notation
    count = sum(name is not None for name, _ in cuts)
    names = {name: name.casefold() for name, _ in cuts if name}
    if FIELDS.issuperset(names.values()):
        source.log.say(FIELDS_LEFT, None, count=count, names=list(names))
        return [
            turn.replace(words=tuple(split_words(text)))
            for turn, (_, text) in zip(turns, cuts, strict=True)
        ]
    source.log.say(TURN_NAMES, count=count, total=len(turns), notation=notation)
    return [
        turn if name is None else turn.replace(speaker=name, words=tuple(split_words(text)))
        for turn, (name, text) in zip(turns, cuts, strict=True)
    ]


def _full_names(texts: Sequence[str]) -> list[tuple[str | None, str]]:
    """Divide each text into the name at its beginning (first name and last name) and the rest.

    The result is empty unless all texts begin with names, at least two names occur, and each name
    occurs several times.

    >>> _full_names(["Ann Ex so", "Bob Le no", "Ann Ex well"] * 2)[:2]
    [('Ann Ex', 'so'), ('Bob Le', 'no')]
    """
    names = [match[1] if (match := FULL_NAME.match(text)) else "" for text in texts]
    counts = Counter(names)
    if len(texts) < FEWEST_NAMED or "" in counts or not 1 < len(counts) <= len(texts) / 3:
        return []
    if min(counts.values()) == 1:
        return []
    return [(name, text[len(name) + 1 :]) for name, text in zip(names, texts, strict=True)]


def _lines_of(lines: Lines, turns: Sequence[Segment]) -> list[str]:
    """Return what the lines have on which turns begin, up to the words of the turns."""
    texts = dict(lines)
    return [_head_of(texts.get(turn.line or 0, "")[:LONGEST_HEAD], turn.words) for turn in turns]


def _head_of(line: str, words: Sequence[object]) -> str:
    """Return what a line has before the words of a turn, if a time is there; else the line.

    >>> _head_of("17:44 - Ann: Today 8:52 pm was", ("Today", "8:52", "pm", "was"))
    '17:44 - Ann: '
    >>> _head_of("Ann: so it was (17:44)", ("so", "it", "was"))
    'Ann: so it was (17:44)'
    """
    said = " ".join(map(str, words[:FIRST_WORDS]))
    head = line[: max(0, line.rfind(said))]
    return head if CLOCK_ANYWHERE.search(head) else line


def _of_chat(source: Source, lines: Lines, turns: list[Segment]) -> list[Segment]:
    """Convert the times of day of chat messages to times since the first message.

    If the messages are of several days, remove their times.
    """
    heads = _lines_of(lines, turns)
    clocks = [CLOCK_ANYWHERE.search(head) for head in heads]
    before = [
        head[: clock.start()].removeprefix(turn.speaker or "")
        for turn, head, clock in zip(turns, heads, clocks, strict=True)
        if clock is not None
    ]
    dates = [DAY_IN_DIGITS.search(text) for text in before]
    days = {
        date[0] if date else text.rpartition("[")[2].strip(NO_DAY)
        for text, date in zip(before, dates, strict=True)
    }
    written = [date[0] for date in dates if date is not None]
    numbers = days_since_first(written)
    is_dated = len(numbers) == len(turns) and all(turn.start_ns is not None for turn in turns)
    if len(days) > 1 and not is_dated:
        source.log.say(CHAT_OF_DAYS, days=len(days))
        return [turn.replace(start_ns=None, end_ns=None) for turn in turns]
    has_parts = any(THREE_PARTS.search(head) or HALF_BEHIND.search(head) for head in heads)
    if not has_parts:
        turns = [
            turn if turn.start_ns is None else turn.replace(start_ns=60 * turn.start_ns)
            for turn in turns
        ]
    if len(days) < 2:
        return from_first(source, turns, 1 if is_dated else HOUR)
    return _over_days(source, turns, numbers, len(days), written[0])


def days_since_first(dates: Sequence[str]) -> list[int]:
    """Return how many days after the first each date is; nothing if they do not go forward.

    Day and month are in the order that makes all of them dates, and the time between the first and
    the last the shortest.

    >>> days_since_first(["31/01/24", "01/02/24", "01/02/24"])
    [0, 1, 1]
    >>> days_since_first(["2024-5-12", "2024-6-12"]), days_since_first(["5/6/24", "4/6/24"])
    ([0, 31], [])
    """
    kinds: list[list[int]] = []
    parts = [[*map(int, re.split("[./-]", date))] for date in dates]
    for year, month, day in ((0, 1, 2), (2, 1, 0), (2, 0, 1)):
        try:
            numbers = [
                datetime.date(
                    row[year] + 2000 * (row[year] < 100), row[month], row[day]
                ).toordinal()
                for row in parts
            ]
        except ValueError:
            continue
        if numbers == sorted(numbers):
            kinds.append([number - numbers[0] for number in numbers])
    return min(kinds, key=lambda numbers: numbers[-1:], default=[])


def _begin_again(times: Sequence[int]) -> int | None:
    """Return the index from which times begin again with lower values; `None` if they never do."""
    latest = 0
    for n, time in enumerate(times[: 1 - LEAST]):
        if n >= LEAST and time < latest / 2 and all(t < latest for t in times[n : n + LEAST]):
            return n
        latest = max(latest, time)
    return None


def checked_turns(
    source: Source, turns: Sequence[Segment], *, close_gaps: bool, are_sparse: bool = False
) -> Iterator[Segment]:
    """Yield the turns; report each turn that starts before the preceding turn.

    `are_sparse` means that only some turns have times in this layout.
    """
    texts = [" ".join(turn.words) for turn in turns if turn.words]
    say_brackets(source, texts)
    if beginnings := beginnings_of(texts):
        source.log.say(
            TURNS_ALIKE, None, count=len(beginnings), total=len(texts), text=beginnings[0]
        )
    starts = [turn.start_ns for turn in turns]
    doubt = doubt_of_turns(
        [(len(turn.words), are_sparse or turn.start_ns is not None) for turn in turns]
    )
    if doubt is not None:
        source.log.say(TURNS_ODD[doubt.kind], None, count=doubt.count, total=doubt.total)
    timed = [start for start in starts if start is not None]
    places = [turn.line for turn in turns if turn.start_ns is not None]
    back = sum(second < first for first, second in itertools.pairwise(timed))
    if (again := _begin_again(timed)) is not None:
        source.log.say(TIME_AGAIN, places[again], time=format_clock(timed[again]))
    elif back:
        is_odd = back > 0.05 * len(timed) and back > 1
        source.log.say(TIME_BACK if is_odd else TIME_BACK_FEW, turns=back)
    for turn, end in zip(turns, [*starts[1:], None], strict=False):
        start = turn.start_ns if close_gaps and turn.end_ns is None else None
        is_open = start is not None and end is not None and end >= start
        yield turn.replace(end_ns=end) if is_open else turn


def from_first(source: Source, segments: list[Segment], least: int = HOUR) -> list[Segment]:
    """Convert times of day, which begin at `least` or later, to times since the first turn."""
    first = next((s.start_ns for s in segments if s.start_ns is not None), None)
    if first is None or first < least:
        return segments
    source.log.say(TIME_OF_DAY, first=format_clock(first, decimals=0))
    return _moved(segments, partial(_since, first))


def _since(first: int, time: int) -> int:
    """Return the nanoseconds between two times of day; the second may be after midnight."""
    return max(0, time - first + (24 * HOUR if time < first - 12 * HOUR else 0))
