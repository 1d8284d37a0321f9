"""csv and tsv: tables with a header and one utterance per row.

Columns are recognised by their usual names (`formats.manifests.roles`): the words (``text``,
``sentence``, …; with ``field="pred_text"`` those of a recogniser), ``id``, ``recording`` or an
audio file, ``speaker``, ``channel``, ``start``, and ``end`` or ``duration``. Non-empty cells of
other columns become properties. Fields are quoted as in RFC 4180; the separator is the most
frequent of comma, semicolon and tab in the header.
"""

from __future__ import annotations

import csv
import re
from ast import literal_eval
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain, pairwise
from operator import le, ne
from threading import Lock
from typing import Any, NamedTuple, TypeAlias

from formats.detection.rules import Head
from formats.detection.spec import TEXT_FIELD, FormatSpec, Option, SegmentSource, Sniff, decimals
from formats.io.messages import FRAMES_ASSUMED, RULE_EMPTY_NAME, RULE_MADE_LF, RULE_NO_COLON
from formats.io.sink import Sink
from formats.io.source import Source
from formats.json.messages import NO_TEXT, SPEAKERS_AGAIN, TIMES_OF_DATE
from formats.json.numbers import TIME_UNITS, UNIT_OPTION
from formats.json.rows import SPAN
from formats.manifests.documents_within import DocumentsWithin, documents_in
from formats.manifests.records import (
    RecordOut,
    first_twice,
    recording_of_audio,
    segments_by_halves,
    segments_of_columns,
)
from formats.manifests.roles import Roles, has_text
from formats.reading.accounting import columns_left
from formats.reading.frames import FPS, FrameRate, given_rate, usual_rate
from formats.reading.label_speakers import LABEL_IS, reads_labels
from formats.reading.member_names import (
    MEMBER,
    MOST_TRIED,
    TIME_CODE,
    TIME_SPAN,
    are_links,
    columns_or_members,
    is_time,
    likely_names,
    mapped_members,
    plain_name,
    seconds_of,
    times_of_span,
    word_count,
)
from formats.reading.speakers import NO_ONE, is_label, without_own_names
from formats.schema import lazy_pattern
from formats.schema.errors import FormatError, SizeLimitError, quoted
from formats.schema.model import Segment
from formats.schema.shared_options import HELP_OF
from formats.schema.times import parse_time, plain_times
from formats.tables.cells import (
    COLUMNS,
    MOST_TITLES,
    RowBatches,
    are_texts_alone,
    date_columns,
    name_in_object,
    plain_rows,
    title_rows,
    value_in_header,
    with_joined_text,
)
from formats.tables.messages import (
    CELLS_MISSING,
    COLUMN_COPIED,
    COLUMNS_LEFT,
    HEADER_AGAIN,
    HEADER_OF_VALUES,
    LISTS_IN_TEXT,
    MESSAGES_IN_CELLS,
    NO_HEADER,
    PARTIES,
    SHEET_TIMES,
    SPANS,
    TEXT_JOINED,
    TIME_UNIT,
    TIMES_NOT_WHOLE,
)
from formats.tables.messages_in_cells import (
    MessagesColumn,
    PartyColumns,
    messages_column,
    party_columns,
)
from formats.writing.out import guarded

DELIMITERS = ",;\t"
STARTS = ("start", "starttime", "begin", "begintime", "from")
LOOSE_QUOTE = re.compile(r'\t"[^"\t]*"[^"\t]')
"""A quoted part at the beginning of a field, with text behind it: the quotes are of the text."""
LONGEST_FIELD = 1 << 26
MOST_COLUMNS = 1 << 14
"""As many as a sheet of Excel has: beyond them a line of signs is looked at, no header."""
ROWS = 1 << 10
RowsConverter: TypeAlias = Callable[[Sequence[list[str]]], list[list[str]]]
SHORTEST = 100
"""Frames per second that are tried where none are given."""
SOUNDS = frozenset(
    ("speech", "voice", "male", "female", "music", "noise", "silence", "noenergy", "nonspeech")
)
"""Labels of sounds, which are no words if there are no others."""
LEAST_OF_PROSE = 8
"""The fewest words on average of the texts of a table without a header, times and speakers."""
LONGEST_RECORDING = 1e9
"""Seconds, or smaller units of a long recording, from which a number is an identifier."""
LEAST_ROWS, FEW_COLUMNS, FORWARD = 4, 4, 0.9
"""The fewest rows and columns of a table without a header, and the share of starts in order."""
CLOCK = lazy_pattern(r"[0-9]:[0-5][0-9]", re.ASCII)
"""The sign of a clock time."""
SHEET_TIME = lazy_pattern(r"([0-9]{2,3}):([0-5][0-9]):00\Z", re.ASCII)
HOURS_OF_DAY = 24


@reads_labels
def read(
    source: Source, *, field: str = "text", time_unit: str = "auto", columns: str = "",
    member: str = "", fps: str = "",
) -> Iterator[Segment]:  # fmt: skip
    """Yield one segment per row."""
    head = source.head_lines()
    first = next(filter(str.strip, head), "")
    delimiter = delimiter_of(head)
    names, member = columns_or_members(columns, member)
    is_whole = time_unit == "auto" and not names and _is_of_whisper(head)
    if is_whole:
        source.log.say(TIME_UNIT)
        time_unit = "ms"
    are_quoted = delimiter != "\t" or not any(map(LOOSE_QUOTE.search, head))
    batches = csv_batches(
        source, delimiter, is_loose=f"{delimiter} " in first, are_quoted=are_quoted
    )
    columns_read = ColumnsRead(field, time_unit, names, member, is_whole, fps, delimiter)
    yield from segments_of_rows(source, batches, columns_read)


class ColumnsRead(NamedTuple):
    """The options for reading a table. `is_whole` means that times are whole milliseconds."""

    field: str
    time_unit: str
    names: list[str]
    member: str
    is_whole: bool = False
    fps: str = ""
    delimiter: str = ""


def segments_of_rows(source: Source, batches: RowBatches, chosen: ColumnsRead) -> Iterator[Segment]:
    """Yield one segment per row of a table.

    If the options give no column names, the first row has the names.
    """
    names = chosen.names
    members = mapped_members(chosen.member, side=source.log.side)
    table: _Table | None = None
    in_seconds: RowsConverter | None = None
    messages: MessagesColumn | PartyColumns | None = None
    header: list[str] | None = None
    turns = 0
    for numbers, rows in plain_rows(source, batches, has_header=not names):
        if header is not None and header in rows:
            numbers, rows = _without(header, source, numbers, rows)
        if table is None:
            line = None if names else numbers[0]
            is_usual = chosen.field == "text" and not members
            if not names and is_usual and (names := _without_header(rows) or _beside_text(rows)):
                source.log.say(NO_HEADER, line, names=names)
            if not names:
                header = rows[0]
                has_names = not is_usual or has_text(header)
                if not has_names and (value := value_in_header(header, rows[1:])):
                    raise source.error_of(HEADER_OF_VALUES, numbers[0], value=value)
                names = _header(source, numbers[0], header, rows[1:])
                numbers, rows = _without(header, source, numbers[1:], rows[1:])
            messages = _messages_in(source, line or 1, names, rows) if is_usual else None
            if messages is not None:
                numbers, rows = messages.spread(source, numbers, rows)
                names = messages.names(names)
            else:
                names, members, in_seconds = _times_in_cells(source, line, names, rows, members)
                rows = rows if in_seconds is None else in_seconds(rows)
            read = names if messages is None else messages.names_read
            whole = [row for row in rows[:MOST_TRIED] if len(row) == len(names)]
            values = dict(zip(names, zip(*whole, strict=True), strict=True)) if whole else {}
            values = {name: values[name] for name in read if name in values}
            roles = Roles(read, chosen.field, source, line or 1, members=members, values=values)
            texts = values.get(roles.by_role["text"], ())
            documents = documents_in(source, texts, roles.by_role, line)
            joins_lists = _are_lists(texts)
            if joins_lists:
                source.log.say(LISTS_IN_TEXT, line, name=roles.by_role["text"])
            if not members and chosen.field == "text":
                # beside a prediction the reference is no word that was left
                _say_left(source, line, columns_left(values, roles.by_role))
            unit = roles.per_second(_unit_of(chosen.time_unit, names))
            table = _Table(names, roles, source, unit, chosen.is_whole)
            table.rate = _rate_of(source, roles, values, chosen.fps)
            table.joins_lists, table.documents = joins_lists, documents
            # a speaker in the last column has no separators
            table.joint = chosen.delimiter if roles.by_role["text"] == names[-1] else ""
        elif messages is not None:
            numbers, rows = messages.spread(source, numbers, rows)
        elif in_seconds is not None:
            rows = in_seconds(rows)
        turns += len(rows) if in_seconds is _with_empty_text else 0
        yield from table.segments(numbers, rows)
    if table is not None:
        table.say_counts(turns)


def _times_in_cells(
    source: Source,
    line: int | None,
    names: list[str],
    rows: Sequence[list[str]],
    members: dict[str, str],
) -> tuple[list[str], dict[str, str], RowsConverter | None]:
    """Return the names, the roles, and a converter of cells with two times or with dates."""
    column = _spans_column(names, rows)
    if column is not None:
        source.log.say(SPANS, line or 1, name=names[column])
        names, members = _with_span(names, column, members)
        return names, members, partial(_with_spans, column)
    if not members and _are_turns_without_words(names, rows):
        return [*names, "text"], members, _with_empty_text
    dates = None if members else date_columns(names, rows)
    if dates is None:
        return names, members, None
    source.log.say(TIMES_OF_DATE, line or 1, first=f"{dates.first:.3f}")
    return names, members, dates.in_seconds


def _are_turns_without_words(names: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Return True if a table has starts, ends or durations, and speakers, but nothing like a text.

    >>> rows = [["0.5", "2.5", "S1"], ["2.7", "3.9", "S2"], ["4.0", "5.5", "S1"]]
    >>> _are_turns_without_words(["start", "end", "speaker"], rows)
    True
    >>> _are_turns_without_words(["start", "end", "speaker", "x"], [[*rows[0], "so it is"]])
    False
    """
    some = [row for row in rows[:MOST_TRIED] if len(row) == len(names)]
    columns = dict(zip(names, zip(*some, strict=True), strict=True)) if some else {}
    starts = likely_names("start", columns)[:1]
    ends = [*likely_names("end", columns), *likely_names("duration", columns)][:1]
    speakers = [name for name in likely_names("speaker", columns) if "speaker" in name.lower()][:1]
    cells = [cell.strip() for name in (*starts, *ends) for cell in columns[name]]
    if not (starts and ends and speakers) or not all(map(is_time, cells)):
        return False
    others = [name for name in names if name not in (*starts, *ends, *speakers)]
    words = (columns[name] for name in likely_names("text", others))
    has_words = any(len({*cells}) > 1 and not all(map(is_time, cells)) for cells in words)
    return (
        not has_words
        and not has_text(names)
        and all(len(cell.split()) < 2 for name in others for cell in columns[name])
    )


def _with_empty_text(rows: Sequence[list[str]]) -> list[list[str]]:
    """Add an empty text to each row."""
    return [[*row, ""] for row in rows]


def _unit_of(time_unit: str, names: Sequence[str]) -> int:
    """Return the number of units per second; 0 if the times must show it.

    Tables that this package wrote have seconds.
    """
    if time_unit == "auto" and tuple(names) == COLUMNS:
        time_unit = "s"
    return 0 if time_unit == "auto" else TIME_UNITS[time_unit]


def _messages_in(
    source: Source, line: int, names: Sequence[str], rows: Sequence[Sequence[str]]
) -> MessagesColumn | PartyColumns | None:
    """Return the columns that hold several turns per row, with a note; `None` without any."""
    if messages := messages_column(names, rows):
        source.log.say(MESSAGES_IN_CELLS, line, name=messages.name)
        return messages
    if parties := party_columns(names, rows):
        source.log.say(PARTIES, line, names=list(parties.parties.values()))
    return parties


def _rate_of(
    source: Source, roles: Roles, values: dict[str, Any], fps: str
) -> FrameRate | None:  # fmt: skip
    """Return the frame rate for times that count frames: `fps`, or the lowest usual rate that fits.

    A rate fits if all frame numbers are less than it. Return `None` if no time counts frames.
    """
    cells = [cell for role in SPAN for cell in values.get(roles.by_role.get(role, ""), ())]
    frames = [int(code[4]) for cell in cells if (code := TIME_CODE.match(cell.strip()))]
    if not frames or fps:
        return given_rate(fps, source.log.side) if frames else None
    usual = usual_rate(frames)
    source.log.say(FRAMES_ASSUMED, fps=usual)
    return FrameRate(usual, 1)


def _without(
    header: list[str], source: Source, numbers: Sequence[int], rows: list[list[str]]
) -> tuple[Sequence[int], list[list[str]]]:  # fmt: skip
    """Drop rows that repeat the header; return the remaining line numbers and rows."""
    kept = [n for n, row in enumerate(rows) if row != header]
    if len(kept) == len(rows):
        return numbers, rows
    again = next(n for n, row in enumerate(rows) if row == header)
    source.log.say(HEADER_AGAIN, numbers[again], rows=len(rows) - len(kept))
    return [numbers[n] for n in kept], [rows[n] for n in kept]


def _without_header(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return names for the columns if the first row has data, not names; otherwise an empty list.

    This requires a column of texts and a column of audio files, times, a count or repeated speaker
    names. If a table has more than four columns, other columns get their numbers as names. Then
    only one column may look like a text, and only one like a start.
    """
    some = rows[:MOST_TRIED]
    size = len(some[0]) if some else 0
    audio = audio_column(some)
    least = LEAST_ROWS if audio is None else 2
    is_wide = size > FEW_COLUMNS
    if are_texts_alone(some):
        return ["text"]
    if not (len(some) >= least and size > 1 and all(len(row) == size for row in some)):
        return []
    names: list[str] = []
    before: list[float] = []
    has_clocks = any(map(CLOCK.search, some[0]))
    for number, column in enumerate(zip(*some, strict=True), 1):
        times = [seconds_of(cell) for cell in column]
        seconds = [float(time) for time in times if time is not None]
        filled = [cell for cell in column if cell.strip()]
        words = sum(len(cell.split()) for cell in filled)
        other = f"column {number}" if is_wide else ""
        if number - 1 == audio:
            names.append("audio")
            continue
        if audio is not None and size == 2:
            names.append("text")
            continue
        if all(map(str.isdecimal, column)) and max(seconds) >= LONGEST_RECORDING:
            names.append(f"column {number}" if len({*column}) < len(column) else "id")
            continue
        if len(seconds) == len(column):
            # a count may begin again
            steps = {
                second - first
                for first, second in pairwise(seconds)
                if second > first or second != min(seconds) or len({*seconds}) == 1
            }
            is_size = audio is not None and all(map(str.isdecimal, column))
            is_end = "start" in names and all(map(le, before, seconds))
            name = "end" if is_end else "start"
            is_clock = any(map(CLOCK.search, column))
            is_count = steps in ({1.0}, {0.0}) or (has_clocks and steps <= {0.0, 1.0})
            is_count = is_count and not is_clock
            is_class = all(map(str.isdecimal, column)) and 4 * len({*seconds}) <= len(seconds)
            is_other = is_size or is_count or is_class or name in names
            is_other = is_other or (is_wide and not is_end and not _are_starts(column, seconds))
            names.append(f"column {number}" if is_other else name)
            before = before if is_other else seconds
        elif words >= 3 * len(filled) and len(column[0].split()) > 1:
            names.append("text")
        elif words <= 3 * len(column) and len(set(column)) <= len(column) / 3 + 1:
            are_names = column.count(column[0]) > 1 or all(map(is_label, column))
            is_speaker = all(map(is_label, column)) if is_wide else are_names
            names.append("speaker" if is_speaker else other)
        else:
            names.append(other)
    if {"start", "end"} <= set(names) and names.count("") == 1 and "text" not in names:
        place = names.index("")
        if {row[place].lower() for row in some} <= SOUNDS:
            return []  # what an audio has
        names[place] = "text"  # words with times
    has_roles = "text" in names and len(set(names)) == size and "" not in names
    is_sound = not is_wide or {"start", "end"} <= set(names) or "audio" in names
    return names if has_roles and is_sound else []


def _beside_text(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return names for the columns of a table of one column of prose beside web addresses.

    An address is no name of a column. The other columns have labels that return, or texts that are
    shorter by half.

    >>> _beside_text([["Talk", "so it is then and so on we go", "https://a.org/1"]] * 2)
    ['column 1', 'text', 'column 3']
    """
    some = rows[:MOST_TRIED]
    size = len(some[0]) if some else 0
    are_whole = len(some) > 1 and size > 1 and all(len(row) == size for row in some)
    if not are_whole or not any("://" in cell for cell in some[0]):
        return []
    columns = list(zip(*some, strict=True))
    counts = [sum(map(word_count, column)) for column in columns]
    place = max(range(size), key=counts.__getitem__)
    names: list[str] = []
    for number, column in enumerate(columns):
        is_label = 2 * len({*column}) <= len(column)
        if number == place:
            names.append("text")
        elif is_label or 2 * counts[number] <= counts[place]:
            names.append(f"column {number + 1}")
    is_prose = counts[place] >= LEAST_OF_PROSE * len(some) and not are_links(columns[place])
    return names if is_prose and len(names) == len({*names}) == size else []


def _are_starts(column: Sequence[str], seconds: Sequence[float]) -> bool:
    """Return True if a column has clock times or decimals, and most of them increase."""
    are_times = any(":" in cell or "." in cell for cell in column)
    forward = sum(map(le, seconds, seconds[1:]))
    return are_times and forward >= FORWARD * (len(seconds) - 1)


def _are_lists(cells: Sequence[str]) -> bool:
    """Return True if the texts are Python lists of texts."""
    filled = [cell for cell in cells if cell.strip()]
    return bool(filled) and all(
        cell[:2] in ("['", '["') and cell.rstrip().endswith("]") for cell in filled
    )


def _joined(cell: str) -> str:
    r"""Join the texts of a Python list to one text; return any other cell unchanged.

    >>> _joined("['so it is', \"that's it\"]"), _joined("[so]")
    ("so it is that's it", '[so]')
    """
    try:
        parts = literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return cell
    are_texts = isinstance(parts, list) and all(isinstance(part, str) for part in parts)
    return " ".join(parts) if are_texts else cell


def audio_column(rows: Sequence[Sequence[str]]) -> int | None:
    """Return the column whose cells all name an audio file, next to a column of texts; or `None`.

    >>> audio_column([["good morning", "a.wav"], ["hello", "b.wav"]])
    1
    >>> audio_column([["u1", "a.wav"], ["u2", "b.wav"]])
    """
    columns = [*zip(*rows, strict=False)] if len(rows) > 1 else []
    are_audio = [all(recording_of_audio(cell.strip()) != _base(cell) for cell in column)
                 for column in columns]  # fmt: skip
    texts = [column for column, is_audio in zip(columns, are_audio, strict=True) if not is_audio]
    has_texts = any(len(cell.split()) > 1 for column in texts for cell in column)
    return are_audio.index(True) if sum(are_audio) == 1 and has_texts else None


def _base(path: str) -> str:
    """Return the file name of a path, without folders."""
    return path.strip().replace("\\", "/").rstrip("/").rpartition("/")[2]


def _spans_column(names: Sequence[str], rows: Sequence[Sequence[str]]) -> int | None:
    """Return the column with start and end in each cell (``00:00:01,5 --> 00:00:02``), or `None`.

    Return `None` also if another column has starts.
    """
    some = [row for row in rows[:MOST_TRIED] if len(row) == len(names)]
    columns = (n for n in range(len(names)) if all(TIME_SPAN.match(row[n]) for row in some))
    column = next(columns, None) if some else None
    others = (name for n, name in enumerate(names) if n != column)
    return None if any(plain_name(name)[0] in STARTS for name in others) else column


def _say_left(source: Source, line: int | None, left: dict[str, list[str]]) -> None:
    """Log the columns that look like times, speakers or texts but are not read."""
    if left:
        role = next(iter(left))
        listed = [column for columns in left.values() for column in columns]
        source.log.say(COLUMNS_LEFT, line, names=listed, role=role, name=left[role][0])


def _with_span(
    names: list[str], column: int, members: dict[str, str]
) -> tuple[list[str], dict[str, str]]:
    """Return all column names and roles; start and end replace the column that has both."""
    name = names[column]
    start, end = f"{name} start", f"{name} end"
    members = {role: member for role, member in members.items() if member != name}
    return (
        [*names[:column], start, end, *names[column + 1 :]],
        {"start": start, "end": end, **members},
    )


def _with_spans(column: int, rows: Sequence[list[str]]) -> list[list[str]]:
    """Replace the cells with start and end in a column by two cells."""
    return [_with_times(row, column) for row in rows]


def _with_times(row: list[str], column: int) -> list[str]:
    """Replace the cell with start and end by two cells."""
    if len(row) <= column:
        return row
    times = times_of_span(row[column]) or ["", row[column]]
    return [*row[:column], *times, *row[column + 1 :]]


def _is_of_whisper(head: Sequence[str]) -> bool:
    """Return True if the first lines are a table of Whisper itself, whose times are milliseconds.

    A table in whole seconds looks the same; but if its numbers were milliseconds, all durations
    would be below 0.1 s.
    """
    lines = [line.split("\t") for line in head if line.strip()]
    header, rows = [name.strip().lower() for name in lines[0]] if lines else [], lines[1:]
    times = [row[:2] for row in rows if len(row) == 3]
    is_whole = all(text.isascii() and text.isdigit() for row in times for text in row)
    return (
        header == ["start", "end", "text"]
        and bool(times)
        and is_whole
        and any(float(end) - float(start) >= SHORTEST for start, end in times)
    )


def delimiter_of(head: Sequence[str]) -> str:
    r"""Return the separator of columns.

    It is a tab or bar if each line below the titles has the same number of them; otherwise the sign
    that is most frequent in the first line. The columns that `write` writes are sure.
    """
    lines = [line for line in head if line.strip()][:MOST_TRIED]
    signed = (line for line in lines if any(sign in line for sign in DELIMITERS))
    usual = max(DELIMITERS, key=next(signed, "").count)
    if lines and _is_written(lines[0], usual):
        return usual
    for sign in "\t|":
        title = next((n for n, line in enumerate(lines[:MOST_TITLES]) if sign in line), 0)
        counts = {line.count(sign) for line in lines[title:]}
        is_title = title > 0 and sign == "|" and any(map(lines[0].count, DELIMITERS))
        if len(lines) > title + 1 and len(counts) == 1 and 0 not in counts and not is_title:
            return sign
    return usual


def _is_written(header: str, delimiter: str) -> bool:
    """Return True if a line has the names of columns that `write` writes, and no others."""
    return {"recording", "text"} <= {*header.split(delimiter)} <= {*COLUMNS}


def csv_rows(source: Source, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield rows with their numbers. If `delimiter` is empty, `delimiter_of` finds it."""
    for numbers, rows in csv_batches(source, delimiter or delimiter_of(source.head_lines())):
        yield from zip(numbers, rows, strict=True)


def csv_batches(
    source: Source, delimiter: str, *, is_loose: bool = False, are_quoted: bool = True
) -> RowBatches:
    """Yield batches of rows, with the number of each row's first line.

    Empty lines are skipped.
    """
    lines = chain.from_iterable(lines for _, lines in source.batches())
    quoting = csv.QUOTE_MINIMAL if are_quoted else csv.QUOTE_NONE
    reader = _CsvReader(
        lines, delimiter=delimiter, strict=True, skipinitialspace=is_loose, quoting=quoting
    )
    numbers: list[int] = []
    rows: list[list[str]] = []
    begin = 1
    try:
        for row in reader:
            if row:
                numbers.append(begin)
                rows.append(row)
            begin = reader.line_count + 1
            if len(rows) == ROWS:
                yield numbers, rows
                numbers, rows = [], []
    except csv.Error as problem:
        if rows:
            yield numbers, rows
        if "field limit" in str(problem):
            message = f"field longer than {LONGEST_FIELD} characters"
            raise SizeLimitError(message, path=source.name, line=begin) from None
        expected = "fields quoted as in RFC 4180"
        raise source.syntax_error(begin, expected, f"{problem}") from None
    if rows:
        yield numbers, rows


class _CsvReader:
    """Reads rows from lines; fields may have any length.

    The module `csv` has a limit of 131,072 characters, which applies to the whole process. It is
    raised only while a row with a longer field is read again.
    """

    lock = Lock()

    def __init__(self, lines: Iterable[str], **dialect: Any) -> None:
        self.line_count = 0
        self._lines = iter(lines)
        self._row_lines: list[str] = []
        self._dialect = dialect

    def _next_lines(self) -> Iterator[str]:
        for line in self._lines:
            self._row_lines.append(line)
            yield f"{line}\n"

    def __iter__(self) -> Iterator[list[str]]:
        lines = self._next_lines()
        rows = csv.reader(lines, **self._dialect)
        while True:
            try:
                row = next(rows, None)
            except csv.Error as problem:
                begin = [f"{line}\n" for line in self._row_lines]
                if "field limit" not in str(problem):
                    if "escapechar" in self._dialect or not any('\\"' in line for line in begin):
                        raise
                    # as programs in C write quotes; what was read before has none of them
                    self._dialect |= {"escapechar": "\\"}
                    lines = chain(begin, lines)
                    rows = csv.reader(lines, **self._dialect)
                    self._row_lines = []
                    continue
                with self.lock:
                    limit = csv.field_size_limit(LONGEST_FIELD)
                    try:
                        row = next(csv.reader(chain(begin, lines), **self._dialect))
                    finally:
                        csv.field_size_limit(limit)
            if row is None:
                return
            self.line_count += len(self._row_lines)
            self._row_lines.clear()
            yield row


def _header(
    source: Source, number: int, names: list[str], rows: Sequence[Sequence[str]]
) -> list[str]:
    """Return the column names. A name that is used twice is an error unless the cells are equal."""
    if len(names) > MOST_COLUMNS:
        found = f"{len(names):,} columns"
        raise source.syntax_error(number, f"at most {MOST_COLUMNS:,} columns", found)
    names = [name.strip() or f"column {number}" for number, name in enumerate(names, 1)]
    names = _with_copies_renamed(source, number, names, rows)
    twice = first_twice(names)
    if twice is not None:
        raise source.syntax_error(number, "column names used once", quoted(twice))
    return names


def _with_copies_renamed(
    source: Source, number: int, names: Sequence[str], rows: Sequence[Sequence[str]]
) -> list[str]:
    """Return the column names with a number behind each name of a column that copies another."""
    whole = [row for row in rows if len(row) == len(names)]
    unique: list[str] = []
    for column, name in enumerate(names):
        first = names.index(name)
        is_copy = first < column and bool(whole) and all(row[first] == row[column] for row in whole)
        if is_copy:
            source.log.say(COLUMN_COPIED, number, name=name)
        unique.append(f"{name} ({names[:column].count(name) + 1})" if is_copy else name)
    return unique


class _Table:
    """Creates segments from rows."""

    def __init__(
        self, names: Sequence[str], roles: Roles, source: Source, unit: int, is_whole: bool
    ) -> None:
        self._names = names
        self._by_role = roles.by_role
        self._others = sorted(set(names).difference(roles.by_role.values()))
        self._source = source
        self._unit = unit
        self._is_whole = is_whole
        self.rate: FrameRate | None = None
        self.joins_lists = False
        self.documents: DocumentsWithin | None = None
        self.joint = ""
        """The sign between the parts of a text that has more cells than columns are left."""
        self.joined = self.own_names = 0
        self.no_one: Counter[str] = Counter()
        self.text_name = roles.by_role["text"]
        self._has_minutes = self._has_sheet_times = False

    def segments(self, numbers: Sequence[int], rows: Sequence[list[str]]) -> Iterator[Segment]:
        """Yield the segments of rows; invalid rows are rejected.

        `numbers` has the line at which each row begins.
        """
        size = len(self._names)
        if self.joint and max(map(len, rows), default=0) > size:
            self.joined += sum(len(row) > size for row in rows)
            rows = [
                with_joined_text(row, size, self.joint) if len(row) > size else row for row in rows
            ]
        return segments_by_halves(numbers, rows, self._made, self._reject)

    def say_counts(self, turns: int) -> None:
        """Log what was counted in the rows; `turns` is the number of turns without words."""
        log = self._source.log
        if turns:
            log.say(NO_TEXT, segments=turns)
        if self.joined:
            log.say(TEXT_JOINED, rows=self.joined, name=self.text_name)
        for value, cells in self.no_one.items():
            log.say(CELLS_MISSING, cells=cells, value=value)
        if self.own_names:
            log.say(SPEAKERS_AGAIN, count=self.own_names)

    def _reject(self, row: list[str], error: FormatError) -> None:
        is_whole = len(row) == len(self._names)
        self._source.log.reject("TABLE-SYNTAX" if is_whole else "TABLE-FIELDS", error)

    def _made(self, numbers: Sequence[int], rows: Sequence[list[str]]) -> list[Segment]:
        """Create the segments of a batch of rows; raise an error if any row is invalid."""
        names, source, first = self._names, self._source, rows[0]
        if set(map(len, rows)) != {len(names)}:
            expected = f"{len(names)} fields, as many as in the header"
            hint = " (put a text that contains the separator in double quotes)"
            found = f"{len(first)}{hint if len(first) > len(names) else ''}"
            raise source.syntax_error(numbers[0], expected, found)
        if self._is_whole and any("." in row[0] + row[1] for row in rows):
            raise source.error_of(TIMES_NOT_WHOLE, numbers[0], start=first[0], end=first[1])
        cells = dict(zip(names, zip(*rows, strict=True), strict=True))
        columns = {
            name: column if all(column) else [cell or None for cell in column]
            for name, column in cells.items()
        }
        text, speaker = self.text_name, self._by_role.get("speaker", "")
        if any(name is not None and name[:1] == "{" for name in columns.get(speaker, ())):
            columns[speaker] = [name and name_in_object(name) for name in columns[speaker]]
        if speaker and tuple(names) != COLUMNS and not NO_ONE.isdisjoint(columns[speaker]):
            self.no_one.update(name for name in columns[speaker] if name in NO_ONE)
            columns[speaker] = [None if name in NO_ONE else name for name in columns[speaker]]
        if any(name is not None and name.endswith(":") for name in columns.get(speaker, ())):
            names_alone = (name and name.removesuffix(":") for name in columns[speaker])
            columns[speaker] = [name or None for name in names_alone]
        columns[text] = [*map(_joined, cells[text])] if self.joins_lists else cells[text]
        if speaker and tuple(names) != COLUMNS:  # what we wrote is read as it is
            columns[text], count = without_own_names(columns[text], columns[speaker])
            self.own_names += count
        times = [self._times(role, numbers, cells) for role in SPAN]
        others, recording = self._others, source.recording
        segments = segments_of_columns(numbers, columns, self._by_role, times, others, recording)
        if self.documents is not None:
            return self.documents.segments(segments, columns[text])
        return segments

    def _times(
        self, role: str, numbers: Sequence[int], cells: dict[str, tuple[str, ...]]
    ) -> list[int | None] | None:
        name = self._by_role.get(role)
        if name is None:
            return None
        texts = cells[name]
        self._has_minutes = self._has_minutes or any(text.count(":") == 1 for text in texts)
        plain = plain_times(texts) if all(texts) else None
        if plain is not None:
            return [time // self._unit for time in plain]
        times = [self._time(text) for text in texts]
        if -1 in times:
            bad = times.index(-1)
            raise self._source.syntax_error(
                numbers[bad], f"{role} of 0 or more", quoted(texts[bad])
            )
        return times

    def _time(self, text: str) -> int | None:
        """Parse a time; return nanoseconds, -1 if it is invalid, or `None` for an empty cell."""
        if not text:
            return None
        try:
            sheet = SHEET_TIME.match(text) if self._has_minutes else None
            if sheet is not None and int(sheet[1]) >= HOURS_OF_DAY:
                minutes = f"{sheet[1]}:{sheet[2]}"
                if not self._has_sheet_times:
                    self._source.log.say(SHEET_TIMES, time=text, minutes=minutes)
                self._has_sheet_times = True
                text = minutes
            if self.rate is not None and (code := TIME_CODE.match(text.strip())):
                return self.rate.time_of_code(*code.groups())
            is_clock = ":" in text or "_" in text or text[-1] in "sS"
            seconds = seconds_of(text) if is_clock else None
            value = parse_time(text) // self._unit if seconds is None else parse_time(seconds)
        except ValueError:
            return -1
        return max(value, -1)


def write(
    delimiter: str,
    segments: SegmentSource,
    sink: Sink,
    *,
    precision: int = 3,
    csv_safe: bool = False,
) -> None:
    """Write a header and one row per segment."""
    writer: Any = csv.writer(sink, delimiter=delimiter, lineterminator="\n")
    writer.writerow(COLUMNS)
    for segment in segments:
        out = RecordOut(segment, sink)
        names = {"utterance ids": segment.utterance, "channels": segment.channel,
                 "speakers": segment.speaker}  # fmt: skip
        for noun, name in names.items():
            out.lost(noun, int(name == ""), RULE_EMPTY_NAME)
        has_colon = segment.speaker is not None and segment.speaker.endswith(":")
        out.lost("names of speakers", int(has_colon), RULE_NO_COLON)
        row = [segment.utterance, segment.recording, segment.channel, segment.speaker]
        for time in (segment.start_ns, segment.end_ns):
            row.append(None if time is None else out.time(time, precision))
        row.append(out.text())
        if csv_safe:
            row = list(map(guarded, row))
        cells = ["" if cell is None else cell for cell in row]
        plain = [cell.replace("\r\n", "\n").replace("\r", "\n") for cell in cells]
        out.lost("line ends in names", sum(map(ne, cells, plain)), RULE_MADE_LF)
        try:
            writer.writerow(plain)
        except csv.Error:  # Python 3.10 with a NUL character, which the output refuses
            sink.write(delimiter.join(plain) + "\n")


def sniff(own: str, head: Head) -> Sniff:
    """Return `MAYBE` if the first line has several columns, one with the name of a text column.

    Return `SURE` if all names are columns that `write` writes with this separator, or if each line
    has a text followed by an audio file.
    """
    delimiter = delimiter_of(head)
    titles = title_rows([line.split(delimiter) for line in head])
    first = head[titles] if head else ""
    if _is_written(first, own):
        return Sniff.SURE
    rows = [line.split(own) for line in head[:MOST_TRIED] if line.strip()] if own == "\t" else []
    if len({*map(len, rows)}) == 1 and (audio_column(rows) or 0) > 0:
        return Sniff.SURE
    names = [name.strip().strip('"') for name in first.split(delimiter)]
    return Sniff.MAYBE if len(names) > 1 and has_text(names) else Sniff.NO


READ_OPTIONS = (
    TEXT_FIELD,
    UNIT_OPTION,
    Option("columns", "", "names of columns without a header, or by role: start=Begin"),
    MEMBER,
    FPS,
)


def _spec(title: str, delimiter: str) -> FormatSpec:
    return FormatSpec(
        title=title,
        sign="a header with a column of words, such as text",
        read=read,
        write=partial(write, delimiter),
        sniff=partial(sniff, delimiter),
        holds="words, recordings, channels, speakers, utterance ids, segment times, "
        "empty segments, segment boundaries",
        needs=("recordings",),
        read_options=(*READ_OPTIONS, LABEL_IS),
        write_options=(
            decimals(),
            Option(
                "csv_safe",
                False,
                HELP_OF["--csv-safe"],
            ),
        ),
    )


CSV_SPEC = _spec("tables with commas: one utterance per row", ",")
TSV_SPEC = _spec("tables with tabs: one utterance per row", "\t")
