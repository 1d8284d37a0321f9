"""Times, numbers and words in the values of members and columns: forms, units and pace."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice, pairwise
from operator import eq, le, lt

from formats.schema import lazy_pattern
from formats.schema.times import SECOND, parse_clock

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

UNITS = dict.fromkeys(("s", "sec", "secs", "second", "seconds", "detik", "sek", "sekunden"), 1)
UNITS |= dict.fromkeys(("ms", "msec", "millis", "millisecond", "milliseconds"), 1000)
UNITS |= dict.fromkeys(("us", "usec", "micros", "microsecond", "microseconds"), 1_000_000)
UNITS |= dict.fromkeys(("ns", "nsec", "nanos", "nanosecond", "nanoseconds"), SECOND)
UNITS["ticks"] = 10_000_000
"""How many units of each name make a second."""
LONG_UNITS = dict.fromkeys(("m", "min", "mins", "minute", "minutes"), 60)
LONG_UNITS |= dict.fromkeys(("h", "hour", "hours"), 3600)
"""The seconds of each longer unit."""
JOINED_CLOCK = lazy_pattern(r"[0-9]{2}_[0-5][0-9]_[0-5][0-9]\Z", re.ASCII)
"""A time of day without the signs that names of files may not have."""
TIME_CODE = lazy_pattern(r"([0-9]{1,3})[:;]([0-5][0-9])[:;]([0-5][0-9])[:;]([0-9]{2})\Z", re.ASCII)
MILLISECONDS = lazy_pattern(r"\A([0-9]{1,3}:[0-5][0-9]:[0-5][0-9]):([0-9]{3})\Z", re.ASCII)
"""A clock time with a third colon before its milliseconds."""
HALF_OF_DAY = lazy_pattern(
    r"([0-9]{1,2}:[0-5][0-9](?::[0-5][0-9])?)\s?([AP])\.?M\.?\Z", re.IGNORECASE
)
"""A time of day with AM or PM."""
DAYS = lazy_pattern(r"(?:([0-9]{1,3}) days?,? )?([0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]{1,9})?)\Z")
"""A duration as Python and pandas write it: ``0 days 00:01:30``."""
ISO = lazy_pattern(
    r"P?T?(?:(\d+)H)?(?:(\d+)M)?(\d+(?:[.,]\d*)?) ?S(?:EC(?:OND)?S?)?\Z", re.IGNORECASE
)
TIME_OF_SPAN = r"[0-9]{1,6}(?::[0-9]{1,2}){0,2}(?:[.,][0-9]{1,9})?"
CLOCK_OF_SPAN = r"[0-9]{1,6}(?::[0-9]{1,2}){1,2}(?:[.,][0-9]{1,9})?"
TIME_SPAN = lazy_pattern(
    rf"\s*\[?({TIME_OF_SPAN})\s*(?:-?->|→)\s*({TIME_OF_SPAN})\]?\s*\Z"
    rf"|\s*\[?({CLOCK_OF_SPAN})\s*[-–]\s*({CLOCK_OF_SPAN})\]?\s*\Z"
    r"|\s*[\[(]([0-9]{1,6}\.[0-9]{1,9}),\s+([0-9]{1,6}\.[0-9]{1,9}|None)[\])]\s*\Z"
    r"|\s*\[?([0-9]{1,6}\.[0-9]{1,9})\s?s?\s*[-–]\s*([0-9]{1,6}\.[0-9]{1,9})\s?s?\]?\s*\Z"
    r"|\s*\[?([0-9]{1,6})\s?s\s*[-–]\s*([0-9]{1,6})\s?s\]?\s*\Z"
)
"""A start and an end in one text."""
BRACKETS = frozenset(("[]", "()", "<>"))
"""Brackets that a clock time may be in."""
DAY = 86_400
LARGEST = 1 << 63
FEWEST_TIMES, MOST_FALLS = 3, 0.1
"""The fewest clock times, and the most that may be before the previous, of a column of times."""


PLAUSIBLE_UNITS = (1, 1000, 100, 10_000_000, 1_000_000)
"""Units per second that are tried, the likeliest first: 100 ns are ticks."""
RATES = (0.3, 10.0)
"""Words per second that people speak, pauses included."""
SHORTEST_TURN, LONGEST_TURN = 0.1, 600.0
"""Seconds of turns: the usual turn of a conversation is neither shorter nor longer."""
FEWEST_WORDS = 5
NO_BLANKS = lazy_pattern(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\u0e00-\u0e7f]")
"""Characters of scripts that leave no blanks between words."""


def clock_names(columns: Mapping[str, Sequence[Any]]) -> list[str]:
    """Return the names of the column of starts and of the column of ends, as their values show.

    Starts are clock times (`0:12`, `00:00:12.5`) in at least three rows, which hardly ever
    decrease. Ends are clock times that are not before the starts. The list is shorter if a column
    is missing. Spans that several rows share are those of chunks.

    >>> times = ["0:01", "0:05", "0:09"]
    >>> clock_names({"tiempo": times, "hasta": ["0:04", "0:08", "0:12"], "frase": ["so"] * 3})
    ['tiempo', 'hasta']
    """
    clocks: dict[str, list[float]] = {}
    for name, values in columns.items():
        filled = [v for v in values if v not in (None, "")]
        times = [seconds_of(v) if isinstance(v, str) and ":" in v else None for v in filled]
        known = [float(time) for time in times if time is not None]
        if len(known) == len(times) >= FEWEST_TIMES and len({*known}) > 1:
            clocks[name] = known
    for name, starts in clocks.items():
        falls = sum(first > second for first, second in pairwise(starts))
        if falls <= MOST_FALLS * len(starts):
            ends = (
                other for other, times in clocks.items()
                if other != name and len(times) == len(starts) and all(map(le, starts, times))
            )  # fmt: skip
            named = [name, *islice(ends, 1)]
            spans = {*zip(*(clocks[each] for each in named), strict=True)}
            return named if len(named) < 2 or 2 * len(spans) > len(starts) else []
    return []


def span_names(
    columns: Mapping[str, Sequence[Any]], texts: Sequence[Any], start: str = ""
) -> list[str]:
    """Return the two columns of numbers that may be starts and ends of texts; empty if unclear.

    Starts increase, ends are behind them and hardly ever behind the next start, and people can say
    the texts in that time. Numbers that count the words of the texts are no times. With `start`,
    the starts are in this column. Without ends, the only column of increasing decimals is returned
    if each text can be said before the next begins.

    >>> texts = ["so it is", "well then", "and so on it goes"]
    >>> span_names({"s": [0.5, 2, 3.5], "e": [2, 3, 6], "n": [1, 2, 3], "m": [2, 3, 4]}, texts)
    ['s', 'e']
    >>> span_names({"s": [0, 3, 5], "e": [3, 5, 10]}, texts)
    []
    >>> span_names({"s": [0.5, 2.25, 3.5], "n": [1, 2, 3]}, texts)
    ['s']
    """
    counts = [word_count(text) if isinstance(text, str) else 0 for text in texts]
    numbers: dict[str, list[float]] = {}
    for name, values in columns.items():
        known = [number for value in values if (number := time_number(value)) is not None]
        rises = sum(first < second for first, second in pairwise(known))
        is_rising = rises >= (1 - MOST_FALLS) * (len(known) - 1)
        is_whole = len(known) == len(values) == len(texts) >= FEWEST_TIMES
        is_count = all(second - first == 1 for first, second in pairwise(known))
        are_own = 2 * len({*known}) > len(known)  # others are times of chunks
        if is_whole and is_rising and are_own and not is_count:
            numbers[name] = known
    pairs = [
        [name, other]
        for name, starts in numbers.items()
        if start in ("", name)
        for other, ends in numbers.items()
        if all(map(lt, starts, ends)) and _are_spans(starts, ends, counts)
        and plausible_units(list(zip(starts, ends, map(str, texts), strict=True)))
    ]  # fmt: skip
    alone = [name for name, starts in numbers.items() if _are_starts(starts, counts)]
    alone = alone if len(alone) == 1 and not (pairs or start) else []
    return pairs[0] if len(pairs) == 1 else alone


def _are_starts(starts: Sequence[float], counts: Sequence[float]) -> bool:
    """Return True for increasing seconds with fractions, so far apart that texts can be said."""
    has_fractions = 2 * sum(start % 1 > 0 for start in starts) > len(starts)
    paces = [
        count / (b - a) if b > a else 0
        for count, (a, b) in zip(counts, pairwise(starts), strict=False)
    ]
    slow, fast = RATES
    fitting = sum(slow <= pace <= fast for pace in paces)
    return has_fractions and starts[0] >= 0 and fitting >= (1 - MOST_FALLS) * len(paces)


def _are_spans(starts: Sequence[float], ends: Sequence[float], counts: Sequence[float]) -> bool:
    """Return True if hardly any end is behind the next start, and the lengths count no words."""
    steps = zip(pairwise(starts), ends, strict=False)  # the last end has no start behind it
    late = sum(end > after >= start for (start, after), end in steps)
    lengths = [end - start for start, end in zip(starts, ends, strict=True)]
    return late <= MOST_FALLS * len(starts) and sum(map(eq, lengths, counts)) * 2 <= len(counts)


def are_offsets(spans: Iterable[tuple[float, float | None, str]]) -> bool:
    """Return True if starts and ends count characters: most differences are lengths of texts.

    >>> are_offsets([(0, 8, "so it is"), (9, 16, "and now")]), are_offsets([(0, 8, "yes")] * 2)
    (True, False)
    """
    lengths = [(end - start, text) for start, end, text in spans if end is not None]
    fitting = sum(length == len(text) > 1 for length, text in lengths)
    return len(lengths) > 1 and fitting * 2 > len(lengths)


def is_time(value: Any) -> bool:
    """Return True if a value is a number, or a text that `seconds_of` can parse."""
    if isinstance(value, str):
        return seconds_of(value) is not None
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def is_time_code(value: Any) -> bool:
    """Return True if a value is a time code ``hours:minutes:seconds:frames``."""
    return isinstance(value, str) and TIME_CODE.match(value.strip()) is not None


def times_of_span(text: Any) -> list[str]:
    """Return start and end in a text such as ``00:00:01,5 --> 00:00:02``; empty for other texts.

    >>> times_of_span("[00:01 --> 00:02.5]"), times_of_span("so --> be it")
    (['00:01', '00:02.5'], [])
    >>> times_of_span("(0.0, 2.48)"), times_of_span("(2.48, None)"), times_of_span("(1, 2)")
    (['0.0', '2.48'], ['2.48', ''], [])
    >>> times_of_span("0.0s - 2.48s"), times_of_span("2.5-4.0"), times_of_span("2 - 4")
    (['0.0', '2.48'], ['2.5', '4.0'], [])
    """
    span = TIME_SPAN.match(text) if isinstance(text, str) else None
    return [time.replace("None", "") for time in span.groups() if time] if span else []


def is_pair(value: Any) -> bool:
    """Return True for a list of start and end, of which the end may be null, and for `None`."""
    if value is None:
        return True
    if not isinstance(value, list) or len(value) != 2 or value[0] is None:
        return False
    return all(time is None or is_time(time) for time in value)


def seconds_of(text: str) -> str | None:
    """Convert a clock time or duration to a number of seconds, as text; `None` for any other text.

    >>> seconds_of("[0:05]"), seconds_of("(5)"), seconds_of("00:00:01:250")
    ('5.000000000', None, '1.250000000')
    >>> seconds_of("00: 01: 05")
    '65.000000000'
    >>> seconds_of("0 days 00:01:05"), seconds_of("1:00 PM")
    ('65.000000000', '46800.000000000')
    """
    text = MILLISECONDS.sub(r"\1.\2", text.strip().replace(": ", ":"))
    if ":" in text and text[:1] + text[-1:] in BRACKETS:
        text = text[1:-1].strip()
    if JOINED_CLOCK.match(text):
        text = text.replace("_", ":")
    try:
        if days := DAYS.match(text):
            time = int(days[1] or 0) * DAY * SECOND + parse_clock(days[2])
        elif half := HALF_OF_DAY.match(text):
            time = _time_of_half_day(*half.groups())
        elif ":" in text:
            time = parse_clock(text)
        elif parts := ISO.match(text):
            hours, minutes, rest = parts.groups()
            whole, _, fraction = rest.replace(",", ".").partition(".")
            time = (int(hours or 0) * 60 + int(minutes or 0)) * 60 + int(whole)
            time = time * SECOND + int(fraction.ljust(9, "0")[:9])
        else:
            return text if re.fullmatch(r"[0-9]{1,15}(?:\.[0-9]*)?", text) else None
    except ValueError:
        return None
    return f"{time // SECOND}.{time % SECOND:09d}"


def _time_of_half_day(clock: str, half: str) -> int:
    """Return a time of day with AM or PM in nanoseconds after midnight."""
    hour, _, rest = clock.partition(":")
    seconds = rest if ":" in rest else f"{rest}:00"
    return parse_clock(f"{int(hour) % 12 + 12 * (half in 'Pp'):02d}:{seconds}")


def number_of(value: object) -> float | None:
    """Convert a number or numeric text to a number, or return `None`; whole numbers stay whole."""
    if isinstance(value, str) and value.isascii() and value.replace(".", "", 1).isdigit():
        value = float(value) if "." in value else int(value[:18])
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    return value if is_number and abs(value) < LARGEST else None  # type: ignore[return-value, arg-type]


def time_number(value: object) -> float | None:
    """Convert a number or clock time to a number in the unit of the file, or return `None`."""
    return number_of(seconds_of(value) if isinstance(value, str) else value)


def plausible_units(
    spans: Sequence[tuple[float, float | None, str]], rates: tuple[float, float] = RATES
) -> list[int]:
    """Return the units of time (how many make a second) that give speech a natural pace.

    Each span has a start, an end and a text. If ends are missing, a text lasts until the next
    start; then the median pace is used, so that a long pause has no effect. The result is empty for
    fewer than five words.

    >>> plausible_units([(0, 2100, "so we begin with"), (2100, 3000, "the minutes")])
    [1000]
    """
    timed = [
        (end - start, word_count(text))
        for start, end, text in spans
        if end is not None and end >= start
    ]
    length = sum(length for length, _ in timed)
    words = sum(words for _, words in timed)
    if not timed and spans:
        lengths = [max(0, after[0] - before[0]) for before, after in pairwise(spans)]
        counts = [word_count(text) for _, _, text in spans[:-1]]
        words = sum(counts)
        paces = sorted(
            length / count for length, count in zip(lengths, counts, strict=True) if count
        )
        length = words * paces[len(paces) // 2] if paces else 0
    if words < FEWEST_WORDS or not length:
        return []
    return [unit for unit in PLAUSIBLE_UNITS if rates[0] <= words * unit / length <= rates[1]]


def unit_of_turns(spans: Sequence[tuple[float, float | None, str]]) -> int:
    """Return the unit (how many make a second) that gives turns usual lengths; 0 if unclear.

    >>> unit_of_turns([(0, 4100, ""), (4100, 4300, ""), (4300, 9000, "")])
    1000
    >>> unit_of_turns([(0, 4, ""), (4, 9, "")]), unit_of_turns([(0, 300, "")])
    (1, 0)
    """
    lengths = sorted(end - start for start, end, _ in spans if end is not None)
    usual = lengths[len(lengths) // 2] if lengths else 0
    if usual > LONGEST_TURN:
        return 1000
    return 1 if 0 < usual < 1000 * SHORTEST_TURN else 0


SLOWEST, FASTEST = 0.3, 10
"""Words a second that people speak, pauses included."""


def count_up(values: Sequence[Any]) -> bool:
    """Return True if all values are whole numbers, none less than the one before it.

    >>> count_up([0, "0", "1"]), count_up(["2", "1"]), count_up([])
    (True, False, False)
    """
    numbers = [int(text) for text in map(str, values) if text.isdecimal()]
    return bool(values) and len(numbers) == len(values) and numbers == sorted(numbers)


def word_count(text: str) -> float:
    """Count the words of a text; in scripts without blanks, a character counts as half a word."""
    without_blanks = 0 if text.isascii() else len(NO_BLANKS.findall(text))
    return without_blanks / 2 if without_blanks else len(text.split())
