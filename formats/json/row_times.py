"""Times of the rows of any JSON: the forms in which they are written, their unit and their origin.

========================================  ==============================================
in the file                               read as
========================================  ==============================================
``{"seconds": 1, "nanos": 5}``            seconds
``[1.5, 2.0]``, ``"0:01 --> 0:02"``       a start and an end
``"1,5"``                                 ``"1.5"``
``2024-05-01T10:00:00``                   seconds since 1970, then since the first time
frames, ``00:00:01:12``                   seconds, by the frame rate of the file
times that begin again in each chunk      times of the recording, by the start of the chunk
========================================  ==============================================
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import groupby, pairwise
from typing import Any, NamedTuple

from formats.detection.spec import TIME_UNITS
from formats.io.messages import END_EARLY, TIMES_AGAIN
from formats.io.source import Source
from formats.json.messages import (
    EARLY_TIMES,
    OFFSETS,
    TIME_UNIT_OPEN,
    TIMES_ARE_FLAGS,
    TIMES_OF_DATE,
)
from formats.json.paths import first_of
from formats.json.shapes import Names
from formats.json.value import JsonValue
from formats.manifests.messages import CHARACTER_OFFSETS, UNIT_OPEN
from formats.reading.accounting import WHOLE_CLOCK
from formats.reading.data_texts import times_again
from formats.reading.dates import (
    DATES_OF_MESSAGES,
    are_times_of_day,
    date_of,
    is_day,
    is_month_first,
    seconds_of_date,
)
from formats.reading.frames import FrameRate, parse_rate, usual_rate
from formats.reading.member_names import (
    MOST_TRIED,
    NAMES,
    PAIRS,
    likely_names,
    name_parts,
    name_without_unit,
    plain_name,
    role_of_time,
    time_role,
)
from formats.reading.time_values import (
    LONG_UNITS,
    TIME_CODE,
    UNITS,
    are_offsets,
    is_pair,
    is_time,
    number_of,
    plausible_units,
    time_number,
    times_of_span,
    unit_of_turns,
    word_count,
)
from formats.schema import lazy_pattern
from formats.schema.times import SECOND

FIRST_DATE = 1e9
"""Seconds since 1970, in 2001, from which times are those of a date: no recording lasts so long."""
MOST_TALKS = 0.2
"""The share of rows at which the dates of another talk begin again."""
TIMES = frozenset(name for role in ("start", "end") for name in NAMES[role].plain)
"""Names of starts and ends."""
SECONDS = {
    "relative": 1.0,
    **LONG_UNITS,
    **{name: 1 / per_second for name, per_second in UNITS.items()},
}
"""The seconds that each member of a time that is an object counts."""
WHOLE_TIMES = ("total", "original")
"""Members of such an object that hold the whole time, beside its parts or those of others."""
MOST_FITTING = 0.9
"""The share of rows in which times are as expected."""
COMMA = lazy_pattern(r"[0-9]{1,9}(,[0-9]{1,9})?\Z")
"""A number, perhaps with a decimal comma."""
MILLISECONDS = lazy_pattern("[0-9]{3}\\Z")
MILLISECOND_PARTS = frozenset(("ms", "msec", "millis", "millisecond", "milliseconds"))
"""The three digits of milliseconds, and what these are called."""
RATES = ("fps", "framerate", "framespersecond")
"""Names of members that hold the frame rate of the file."""
RATES_OF_ANY = (0.03, 60.0)
"""Words per second that no other unit makes more likely, though few people speak so."""
FRAME_PARTS = frozenset(("frame", "frames"))
DEEPEST = 16
"""Levels of lists and objects in which times in frames are looked for."""
NAMES_OF_UNITS = {1: "s", 1000: "ms"}
OF_RECORDINGS = frozenset(NAMES["recording"].plain)
OFFSET_PARTS = frozenset(("start", "begin", "offset"))
"""Parts of names of the time at which a chunk begins."""
NO_OFFSETS = frozenset(("char", "character", "byte", "index", "token", "frame", "frames", "line"))
"""Parts of names of starts that are no times."""


def flatten_times(rows: Sequence[Any]) -> None:
    """Replace times that are objects by seconds, in elements and in the lists of words in them.

    An empty text as a time is none.

    >>> rows = [{"text": "so", "start": {"seconds": 1, "nanos": 500000000}, "end": {"relative": 2}}]
    >>> flatten_times(rows)
    >>> rows[0]["start"], rows[0]["end"]
    (1.5, 2.0)
    >>> rows = [{"text": "so", "startMs": 500, "duration": {"seconds": 2}}]
    >>> flatten_times(rows)
    >>> rows[0]["duration"]  # in the unit of the start
    2000.0
    """
    first = rows[0] if rows and isinstance(rows[0], dict) else {}
    named = [name for name in first if _is_time_or_duration(name)]
    for row in rows if named else ():
        for name in named if isinstance(row, dict) else ():
            if row.get(name) == "":
                row[name] = None
    plain = [name for name in named if not isinstance(first[name], dict)]
    starts = [name for name in plain if role_of_time(name) == "start"]
    per_second = plain_name(starts[0])[1] if starts else 1
    times = [
        name for name in named
        if isinstance(first[name], dict) and (per_second or role_of_time(name) != "duration")
    ]  # fmt: skip
    lists = [name for name, value in first.items() if isinstance(value, list)]
    for row in rows if times or lists else ():
        for name in times if isinstance(row, dict) else ():
            seconds = _seconds_of_parts(row.get(name))
            if seconds is not None and role_of_time(name) == "duration":
                row[name] = seconds * (per_second or 1)
            elif seconds is not None:
                row[name] = seconds
        for name in lists if isinstance(row, dict) else ():
            inner = row.get(name)
            if isinstance(inner, list) and inner and isinstance(inner[0], dict):
                flatten_times(inner)


def _is_time(name: str) -> bool:
    return bool(time_role(name)) or name_without_unit(name) in TIMES


def _is_time_or_duration(name: str) -> bool:
    return _is_time(name) or role_of_time(name) == "duration"


def _seconds_of_parts(value: Any) -> float | None:
    """Return the seconds of a time that is an object; `None` if no member is a part of a time."""
    parts = value.items() if isinstance(value, dict) else ()
    for name, part in parts:
        if name.lower() in WHOLE_TIMES and (time := time_number(part)) is not None:
            return time
    counts = [
        number * SECONDS[name.lower()]
        for name, part in parts
        if name.lower() in SECONDS and (number := number_of(part)) is not None
    ]
    return round(sum(counts), 9) if counts else None


def spread_times(
    objects: Sequence[dict[str, Any]], rows: list[Any], members: Mapping[str, str]
) -> list[str]:
    """Give rows a start and an end that are numbers, clock times, or seconds since 1970.

    Return the members that were replaced by a start and an end, as `_spread_spans` does.
    """
    _join_milliseconds(objects, rows)
    _spread_pairs(objects, rows)
    spread = _spread_spans(objects, rows, members)
    _use_points(objects, rows)
    _count_dates(objects, rows)
    return spread


def _join_milliseconds(objects: Sequence[dict[str, Any]], rows: Sequence[Any]) -> None:
    """Add the milliseconds behind clock times in whole seconds to these times.

    They are three digits behind each of several times, or in a member that is called so.

    >>> rows = [{"start": "0:01", "a": "250", "end": "0:02", "b": "075", "text": "so it is"}]
    >>> _join_milliseconds(rows, rows)
    >>> rows
    [{'start': '0:01.250', 'end': '0:02.075', 'text': 'so it is'}]
    """
    behind: dict[str, str] = {}
    for name, next_name in pairwise(objects[0]):
        texts = [str(row.get(name)) for row in objects] if _is_time(name) else ["?"]
        parts = [str(row.get(next_name)) for row in objects]
        if all(map(WHOLE_CLOCK.match, texts)) and all(map(MILLISECONDS.match, parts)):
            behind[name] = next_name
    are_called = all(not MILLISECOND_PARTS.isdisjoint(name_parts(name)) for name in behind.values())
    if not behind or (len(behind) < 2 and not are_called):
        return
    for row in rows:
        for name, next_name in behind.items() if isinstance(row, dict) else ():
            part = str(row.get(next_name))
            if isinstance(row.get(name), str) and MILLISECONDS.match(part):
                row[name] = f"{row[name]}.{row.pop(next_name)}"


def _spread_pairs(objects: Sequence[dict[str, Any]], rows: list[Any]) -> None:
    """Replace a list of start and end, such as ``timestamp: [1.5, 2.0]``, by two members."""
    for name in [name for name in objects[0] if plain_name(name)[0] in PAIRS]:
        pairs = [row.get(name) for row in objects]
        if any(pairs) and _are_times_of_words(objects, pairs):
            for row in rows:
                times = row.pop(name, None) if isinstance(row, dict) else None
                if isinstance(times, list) and times:
                    row[f"{name} start"] = times[0]
            continue
        if not any(pairs) or not all(map(is_pair, pairs)):
            continue
        for row in rows:
            if isinstance(row, dict) and isinstance(pair := row.get(name), list) and is_pair(pair):
                row[f"{name} start"], row[f"{name} end"] = row.pop(name)


def _are_times_of_words(objects: Sequence[dict[str, Any]], values: Sequence[Any]) -> bool:
    """Return True if values are lists of numbers that rise, one for each word of a text.

    >>> row = {"said": "so it is", "times": [0.5, 0.75, 1]}
    >>> _are_times_of_words([row], [row["times"]]), _are_times_of_words([row], [[0.5, 1]])
    (True, False)
    """
    lists = [v for v in values if isinstance(v, list) and all(type(t) in (int, float) for t in v)]
    if len(lists) < len(values) or max(map(len, lists)) <= 2:
        return False
    rise = all(a <= b for times in lists for a, b in pairwise(times))
    fitting = sum(
        any(len(text.split()) == len(times) for text in row.values() if isinstance(text, str))
        for row, times in zip(objects, lists, strict=True)
    )
    return rise and fitting >= MOST_FITTING * len(lists)


def _spread_spans(
    objects: Sequence[dict[str, Any]], rows: list[Any], members: Mapping[str, str]
) -> list[str]:
    """Split each text with a start and an end, such as ``00:01 --> 00:02``, into two members."""
    spread = []
    for name in list(objects[0]):
        texts = [row.get(name) for row in objects]
        if not all(isinstance(text, str) and times_of_span(text) for text in texts):
            continue
        for row in rows:
            times = times_of_span(row.get(name)) if isinstance(row, dict) else None
            if times:
                del row[name]
                start = name if members.get("start") == name else f"{name} start"
                row[start], row[f"{name} end"] = times
        spread.append(name)
    return spread


def _use_points(objects: Sequence[dict[str, Any]], rows: Sequence[Any]) -> None:
    """Replace decimal commas by points, in members for times of which all values are texts.

    Numbers without a comma beside ``1,250`` may be thousands: these members are unchanged.
    """
    for name in objects[0]:
        if not (_is_time(name) or name_without_unit(name) in NAMES["duration"].plain):
            continue
        texts = [row[name] for row in objects if row.get(name) is not None]
        numbers = [COMMA.match(text) if isinstance(text, str) else None for text in texts]
        commas = [number[1] for number in numbers if number is not None and number[1]]
        if not commas or None in numbers:
            continue
        if len(commas) < len(texts) and all(len(comma) == 4 for comma in commas):
            continue
        for row in rows:
            if isinstance(row, dict) and isinstance(row.get(name), str):
                row[name] = row[name].replace(",", ".", 1)


def _count_dates(objects: Sequence[dict[str, Any]], rows: list[Any]) -> None:
    """Replace dates with a time of day by seconds since 1970, in the members for times.

    The date may be in another member. Objects that name different recordings are unchanged, and so
    are dates in no order: there, a date is when a recording was made. Of several talks in turn, the
    dates may begin again. ``date`` is a time if the rows have speakers and no other time.

    >>> rows = [{"date": "2026-05-01", "time": f"10:0{n}", "text": "so"} for n in range(2)]
    >>> _count_dates(rows, rows)
    >>> rows[1]["time (s)"] - rows[0]["time (s)"]
    60.0
    """
    if any(name.lower() in NAMES["recording"].usual for name in objects[0]):
        return
    are_days = (n for n in objects[0] if all(is_day(str(row.get(n))) for row in objects))
    day = next(are_days, "")
    has_ends = any(
        role_of_time(name) == "end" and any(is_time(row.get(name)) for row in objects)
        for name in objects[0]
    )  # else addressees in ``to``
    has_times = any(
        (plain_name(name)[0] in TIMES or time_role(name)) and is_time(objects[0][name])
        for name in objects[0]
    )
    are_messages = not has_times and bool(likely_names("speaker", objects[0]))
    for name in list(objects[0]):
        is_message = are_messages and name_without_unit(name) in DATES_OF_MESSAGES
        is_named = plain_name(name)[0] in TIMES or time_role(name) or is_message
        given = [row for row in objects if row.get(name)] if is_named and name != day else []
        ways = {"": [str(row[name]) for row in given]}
        if day and not has_ends and are_times_of_day(ways[""]):
            ways[day] = [f"{row[day]} {row[name]}" for row in given]
        for member, texts in ways.items():
            is_first = is_month_first(texts)
            dates = [seconds_of_date(text, is_month_first=is_first) or 0 for text in texts]
            if len(dates) > 1 and min(dates) >= FIRST_DATE and dates_go_on(dates):
                target = f"{name} start (s)"
                target = target if time_role(target) == "start" else "start (s)"
                _replace_dates(rows, name, member, target if is_message else "", is_first)
                break


def dates_go_on(dates: Sequence[float]) -> bool:
    """Return True if dates rise or all fall, but for few at which another talk may begin.

    >>> dates_go_on([1, 2, 3, 4, 5, 1, 2]), dates_go_on([3, 2, 1]), dates_go_on([1, 1])
    (True, True, True)
    >>> dates_go_on([3, 1, 2])
    False
    """
    falls = sum(first > second for first, second in pairwise(dates))
    return falls <= MOST_TALKS * (len(dates) - 1) or [*dates] == sorted(dates, reverse=True)


def join_durations(value: Any, levels: int = DEEPEST, *, is_inside: bool = False) -> int:
    """Give the rows of lists in objects, which have durations alone, starts; return their number.

    Each row begins at the end of the row before it. There are texts with the pace of speech, and no
    audio files.

    >>> lines = [{"text": "so it is then", "length": 1500}, {"text": "well", "length": 500}]
    >>> join_durations({"lines": lines}), lines[1]["start (ms)"]
    (2, 1500.0)
    """
    are_rows = isinstance(value, list) and is_inside and value and isinstance(value[0], dict)
    if are_rows and (count := _join_durations(value)):
        return count
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    is_inside = is_inside or isinstance(value, dict)
    parts = (part for part in inner if levels and isinstance(part, (dict, list)))
    return sum(join_durations(part, levels - 1, is_inside=is_inside) for part in parts)


def _join_durations(rows: Sequence[Any]) -> int:
    """Give rows starts as `join_durations` does; return 0 if they have no durations, or others."""
    names = {name: plain_name(name)[0] for row in rows if isinstance(row, dict) for name in row}
    length = next(iter(likely_names("duration", names)), "")
    text = next(
        iter(likely_names("text", [n for n in names if isinstance(rows[0].get(n), str)])), ""
    )
    has_others = any(map(_is_time, names)) or not set(names.values()).isdisjoint(OF_RECORDINGS)
    if not (length and text) or has_others or not all(isinstance(row, dict) for row in rows):
        return 0
    spans: list[tuple[float, float | None, str]] = []
    start = 0.0
    for row in rows:
        number = number_of(row.get(length))
        if number is None or number <= 0:
            return 0
        spans.append((start, start + number, str(row.get(text) or "")))
        start = round(start + number, 9)
    named = plain_name(length)[1]
    units = [
        unit for unit in plausible_units(spans) if unit in NAMES_OF_UNITS and named in (None, unit)
    ]
    if not units:
        return 0
    for row, (first, _, _) in zip(rows, spans, strict=True):
        row[f"start ({NAMES_OF_UNITS[units[0]]})"] = first
    return len(rows)


def _replace_dates(rows: list[Any], name: str, day: str, target: str, is_first: bool) -> None:
    """Replace the dates of a member, with their days in another or none, by seconds since 1970.

    The seconds are in the member `target`, or in one with the name of the dates and the unit.
    `is_first` means that the month is before the day.
    """
    for row in rows:
        if isinstance(row, dict) and name in row:
            value = row.pop(name)
            date = f"{row.get(day)} {value}" if day else value
            seconds = seconds_of_date(date, is_month_first=is_first)
            row[target or f"{name} (s)"] = value if seconds is None else seconds


def frame_rate(top: Sequence[Any]) -> tuple[FrameRate | None, int]:
    """Return the frame rate, and the usual rate that is assumed for time codes or 0.

    The rate is a member of the file, or the lowest usual rate that fits the time codes. It is
    `None` if the file has neither.
    """
    for rate in _rates_in(top, 3):
        try:
            return parse_rate(rate), 0
        except ValueError:
            continue
    frames = [
        int(code[4])
        for rows in _timed_rows(top)
        for row in rows
        for name, value in row.items()
        if isinstance(value, str) and _is_time(name) and (code := TIME_CODE.match(value.strip()))
    ]
    if not frames:
        return None, 0
    usual = usual_rate(frames)
    return FrameRate(usual, 1), usual


def _rates_in(value: Any, levels: int) -> Iterator[str]:
    """Yield the values of members whose names say frame rate, the outermost first."""
    inner = value[:1] if isinstance(value, list) else list(value.values())
    for name, part in value.items() if isinstance(value, dict) else ():
        if name_without_unit(name) in RATES and number_of(part) is not None:
            yield str(part)
    for part in inner if levels else ():
        if isinstance(part, (dict, list)):
            yield from _rates_in(part, levels - 1)


def _timed_rows(value: Any, levels: int = DEEPEST) -> Iterator[list[dict[str, Any]]]:
    """Yield the lists of objects whose first object has a time in frames or a time code."""
    if isinstance(value, list) and value and isinstance(value[0], dict):
        has_frames = any(
            _frame_role(name) or (isinstance(time, str) and TIME_CODE.match(time.strip()))
            for name, time in value[0].items()
        )
        if has_frames and all(isinstance(row, dict) for row in value):
            yield value
            return
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    for part in inner if levels else ():
        if isinstance(part, (dict, list)):
            yield from _timed_rows(part, levels - 1)


def _frame_role(name: str) -> str:
    """Return ``start`` or ``end`` for the name of a time in frames, otherwise an empty text.

    >>> [_frame_role(name) for name in ("start_frame", "frameEnd", "frame", "end")]
    ['start', 'end', '', '']
    """
    parts = name_parts(name)
    return (
        ""
        if FRAME_PARTS.isdisjoint(parts)
        else time_role(" ".join(part for part in parts if part not in FRAME_PARTS))
    )


def frames_to_seconds(top: Sequence[Any], rate: FrameRate) -> None:
    """Replace times in frames, and time codes, by seconds.

    >>> rows = [{"start_frame": 50, "end": "00:00:04:05", "text": "so it is"}]
    >>> frames_to_seconds([rows], FrameRate(25, 1))
    >>> rows
    [{'end': 4.2, 'text': 'so it is', 'start': 2.0}]
    """
    for rows in _timed_rows(top):
        names = {name: role for name in rows[0] if (role := _frame_role(name))}
        for row in rows:
            for name, role in names.items():
                frame = number_of(row.get(name))
                if frame is not None and role not in row:
                    row[role] = rate.time(round(row.pop(name) if type(frame) is int else frame))
                    row[role] /= SECOND
            for name, value in list(row.items()):
                code = TIME_CODE.match(value.strip()) if isinstance(value, str) else None
                if code and _is_time(name):
                    with suppress(ValueError):  # more frames than the rate: an error of the reader
                        row[name] = rate.time_of_code(*code.groups()) / SECOND


def time_unit_of(
    value: JsonValue, names: Names, rows: Sequence[dict[str, Any]], option: str
) -> int:
    """Return the number of time units per second, such as 1000 for milliseconds.

    An uncertain unit is an error.
    """
    if not names.start:
        return 1
    if option != "auto":
        return TIME_UNITS[option]
    (start,) = names.start
    named = plain_name(start)[1]
    if named is not None:
        return named
    spans = [span for row in rows if (span := _numbers(row, names))]
    if not spans:
        return 1  # clock times
    first = min(start for start, _, _ in spans)
    if first >= FIRST_DATE:  # since 1970
        return next(unit for unit in (SECOND, 1_000_000, 1000, 1) if first >= FIRST_DATE * unit)
    if not any(text for _, _, text in spans) and (unit := unit_of_turns(spans)):
        return unit
    has_ends = any(end is not None for _, end, _ in spans)
    slow = [unit for unit in plausible_units(spans, RATES_OF_ANY) if unit != 100]
    numbers = [number for start, end, _ in spans for number in (start, end)]
    is_whole = not any(isinstance(number, float) and number % 1 for number in numbers)
    per_second = [u for u in plausible_units(spans) if u != 100 or (has_ends and is_whole)]
    if per_second:
        return per_second[0]
    if any(isinstance(number, float) for number in numbers):
        return 1
    if slow == [1]:
        value.document.source.log.say(UNIT_OPEN, name=start)
        return 1
    raise value.error_of(
        TIME_UNIT_OPEN,
        path=value.path,
        member=start,
        words=sum(word_count(text) for _, _, text in spans),
    )


def without_offsets(
    source: Source, names: Names, rows: Sequence[dict[str, Any]], option: str
) -> Names:
    """Return the names without those of times that count characters of a text or are flags."""
    is_open = bool(names.start) and option == "auto" and plain_name(names.start[0])[1] is None
    spans = [span for row in rows if is_open and (span := _numbers(row, names))]
    if _are_flags(spans):
        source.log.say(TIMES_ARE_FLAGS, name=names.start[0])
        return names.without_times()
    if not are_offsets(spans):
        return names
    source.log.say(CHARACTER_OFFSETS, first=names.start[0], last=(names.end or names.length)[0])
    return names.without_times()


def _are_flags(spans: Sequence[tuple[float, float | None, str]]) -> bool:
    """Return True if all times of several texts are 0 or 1: not times, but whether something is so.

    >>> _are_flags([(1, 0, "so it is"), (0, 0, "well then"), (0, 1, "no not at all")])
    True
    >>> _are_flags([(0, 1, "so"), (1, None, "well")])
    False
    """
    times = [start for start, _, _ in spans]
    ends = {end for _, end, _ in spans} - {None}
    is_back = any(b < a for a, b in pairwise(times))
    return len(spans) > 2 and {*times} | ends <= {0, 1} and is_back


def _numbers(row: dict[str, Any], names: Names) -> tuple[float, float | None, str] | None:
    """Return start, end and text of an element whose times are numbers; otherwise `None`."""
    start, end, length = (
        number_of(first_of(row, role)) for role in (names.start, names.end, names.length)
    )
    if start is None:
        return None
    if end is None and length is not None:
        end = start + length
    text = first_of(row, names.text)
    if not isinstance(text, str):
        words = row.get(names.words) or ()
        text = " ".join("x" for _ in words)
    return start, end, text


def count_from_first(
    source: Source, recordings: Sequence[Sequence[tuple[Sequence[dict[str, Any]], Names, int]]]
) -> None:
    """Subtract the first time of each recording from its times, if they are since 1970.

    A recording has lists of rows, their names and the number of their units per second.
    """
    firsts = []
    for lists in recordings:
        starts = [
            number / per_second
            for rows, names, per_second in lists
            for row in rows
            if (number := number_of(first_of(row, names.start))) is not None
        ]
        first = min(starts, default=0)
        if first < FIRST_DATE:
            continue
        firsts.append(first)
        for rows, names, per_second in lists:
            for row in rows:
                for name in (*names.start, *names.end):
                    number = number_of(row.get(name))
                    if number is not None and number / per_second >= first:
                        row[name] = round(number - first * per_second, 6)
    if firsts:
        source.log.say(TIMES_OF_DATE, first=date_of(min(firsts)))


def drop_early_ends(source: Source, words: Sequence[Any], names: Names) -> None:
    """Drop each end of a word that is before its start, and warn."""
    for word in (w for w in words if isinstance(w, dict)):
        start, end = (time_number(first_of(word, role)) for role in (names.start, names.end))
        if start is not None and end and end < start:
            word.update(dict.fromkeys(names.end))
            source.log.say(END_EARLY)


def words_of(row: dict[str, Any], names: Names) -> list[dict[str, Any]]:
    """Return the objects of the word list inside an element."""
    values = row.get(names.words)
    return [v for v in values if isinstance(v, dict)] if isinstance(values, list) else []


def start_after_words(names: Names, word: Names, rows: Sequence[dict[str, Any]]) -> bool:
    """Return True if the starts of nearly all elements are not before their last words.

    Such times are not starts, and the words show when an element begins.
    """
    if not (names.start and word.start) or names.end or names.length:
        return False
    late = 0
    timed = 0
    for row in rows[:MOST_TRIED]:
        starts = [time_number(first_of(inner, word.start)) for inner in words_of(row, names)]
        known = [start for start in starts if start is not None]
        own = time_number(first_of(row, names.start))
        if own is not None and len(known) > 1:
            timed += 1
            late += known[0] < own >= known[-1]
    return timed > 0 and late >= MOST_FITTING * timed


def count_from_chunks(
    source: Source,
    parts: Sequence[tuple[Mapping[str, Any], Sequence[dict[str, Any]]]],
    names: Names,
    word: Names,
) -> bool:
    """Make times that begin again in each chunk count from the start of the recording.

    The times of words may also count from the start of their turn. Return True if the lists in
    `parts` are chunks of one recording.
    """
    name, chunks = chunks_of(parts, names)
    count = add_offsets(name, chunks, names) if names.start else 0
    if word.start:
        inner = [Chunk(o, [w for row in rows for w in words_of(row, names)]) for o, rows in chunks]
        count = max(count, add_offsets(name, inner, word))
    if count:
        source.log.say(OFFSETS, name=name, chunks=count)
    rows = [row for _, part in parts for row in part]
    if word.start and names.start:
        (start,) = names.start
        turns = [Chunk(time_number(row.get(start)), words_of(row, names)) for row in rows]
        if within := add_offsets(start, turns, word):
            source.log.say(OFFSETS, name=start, chunks=within)
    return bool(count)


class Chunk(NamedTuple):
    """A run of rows that one chunk of the recording has, and when the chunk begins."""

    offset: float | None
    rows: Sequence[dict[str, Any]]


def chunks_of(
    parts: Sequence[tuple[Mapping[str, Any], Sequence[dict[str, Any]]]], names: Names
) -> tuple[str, list[Chunk]]:
    """Return the member with the start of each chunk, and the chunks; empty if there is none.

    `parts` has the lists of rows with the object around each. The member is in these objects, or
    in the rows.
    """
    owners = [owner for owner, _ in parts]
    if len(parts) > 1:
        for name in filter(_is_offset, owners[0]):
            offsets = [time_number(owner.get(name)) for owner in owners]
            return name, [Chunk(o, rows) for o, (_, rows) in zip(offsets, parts, strict=True)]
    rows = [row for _, rows in parts for row in rows]
    for name in filter(_is_offset, rows[0] if rows else ()):
        if name not in names.used:
            runs = groupby(rows, lambda row: time_number(row.get(name)))  # noqa: B023
            return name, [Chunk(offset, list(run)) for offset, run in runs]
    return "", []


def _is_offset(name: str) -> bool:
    """Return True for the name of the start of a chunk.

    >>> [_is_offset(name) for name in ("chunk_start", "offsetMs", "start", "char_offset", "ends")]
    [True, True, True, False, False]
    """
    parts = name_parts(name)
    return not OFFSET_PARTS.isdisjoint(parts) and NO_OFFSETS.isdisjoint(parts)


def add_offsets(name: str, chunks: Sequence[Chunk], names: Names) -> int:
    """Add the start of each chunk to its times, if the times begin again in each chunk.

    Return the number of chunks; 0 if the times were not changed.
    """
    spans = [(chunk, _starts(chunk.rows, names)) for chunk in chunks]
    spans = [(chunk, starts) for chunk, starts in spans if starts]
    offsets = [chunk.offset for chunk, _ in spans]
    if len(spans) < 2 or None in offsets:
        return 0
    scale = _scale(name, names)
    known = [(offset or 0) * scale for offset in offsets]
    pairs = list(pairwise(zip(known, spans, strict=True)))
    again = sum(after[1][1][0] < before[1][1][-1] for before, after in pairs)
    goes_on = all(
        before[0] < after[0]
        and before[0] + before[1][1][0] <= after[0] + after[1][1][0]
        and before[0] + before[1][1][-1] <= after[0] + (after[0] - before[0])
        for before, after in pairs
    )
    if not goes_on or again < MOST_FITTING * len(pairs):
        return 0
    for offset, (chunk, _) in zip(known, spans, strict=True):
        for row in chunk.rows:
            for member in (*names.start, *names.end):
                number = time_number(row.get(member))
                if number is not None:
                    row[member] = round(number + offset, 9)
    return len(spans)


def _scale(name: str, names: Names) -> float:
    """Return how many units of the rows a unit of the start of a chunk is."""
    units = [plain_name(member)[1] for member in (name, *names.start)]
    return (units[1] or units[0] or 1) / (units[0] or units[1] or 1)


def _starts(rows: Sequence[dict[str, Any]], names: Names) -> list[float]:
    """Return the starts of rows; empty if the first or the last has none."""
    starts = [time_number(first_of(row, names.start)) for row in rows]
    known = [start for start in starts if start is not None]
    return known if known and starts[0] is not None and starts[-1] is not None else []


def warn_of_restarts(source: Source, rows: Sequence[dict[str, Any]], names: Names) -> None:
    """Warn if the times of rows begin again, as those of several recordings or chunks do."""
    timed = [(row, time_number(first_of(row, names.start))) for row in rows]
    labels = [
        [None if (label := first_of(row, role)) is None else str(label) for role in roles]
        for row, start in timed
        if start is not None and (roles := (names.speaker, names.channel))
    ]
    if again := times_again(labels, [start for _, start in timed if start is not None]):
        source.log.say(TIMES_AGAIN, again=again)


def start_at_zero(source: Source, *lists: tuple[Sequence[dict[str, Any]], Names]) -> None:
    """Replace times before the beginning of the recording by 0, and count them.

    Only the first rows begin there; a negative time behind others is a mistake.
    """
    early = 0
    for rows, names in lists:
        for row in rows:
            times = {name: row.get(name) for name in (*names.start, *names.end)}
            negative = [name for name, t in times.items() if isinstance(t, (int, float)) and t < 0]
            if not negative:
                break
            row.update(dict.fromkeys(negative, 0))
            early += len(negative)
    if early:
        source.log.say(EARLY_TIMES, count=early)
