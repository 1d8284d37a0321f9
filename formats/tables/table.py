"""Reads csv and tsv (`formats.tables.delimited`), and the rows of a workbook."""

from __future__ import annotations

import csv
import re
from ast import literal_eval
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import partial
from operator import ne
from typing import Any, NamedTuple, TypeAlias

from formats.detection.head import Head
from formats.detection.spec import TIME_UNITS, Sniff
from formats.io.messages import FRAMES_ASSUMED, NO_TEXT
from formats.io.source import Source
from formats.json.displays import untagged
from formats.json.messages import KEYS_LEFT, KINDS_LEFT, SPEAKERS_AGAIN, TAG, TIMES_OF_DATE
from formats.json.rows import SPAN
from formats.manifests.documents_within import DocumentsWithin, NamesWithin, documents_in
from formats.manifests.keyed_texts import speakers_with_keys, without_key
from formats.manifests.kinds_of_rows import OF_MODELS, is_unspoken, kinds_in, left_kinds
from formats.manifests.records import (
    first_twice,
    name_within,
    segments_by_halves,
    segments_of_columns,
    without_shared_name,
)
from formats.manifests.roles import Roles, has_text
from formats.reading.accounting import columns_left
from formats.reading.dates import DATES_OF_MESSAGES, date_of
from formats.reading.frames import FrameRate, given_rate, usual_rate
from formats.reading.label_speakers import reads_labels
from formats.reading.lines import cells_between_bars
from formats.reading.member_names import (
    MOST_TRIED,
    NAMES,
    are_columns,
    columns_or_members,
    field_role,
    likely_names,
    mapped_members,
    plain_name,
)
from formats.reading.member_values import PAIR_OF_TURNS
from formats.reading.silence import SILENCES
from formats.reading.speakers import NO_ONE, is_label, without_own_names
from formats.reading.time_values import TIME_CODE, TIME_SPAN, is_time, seconds_of, times_of_span
from formats.schema import lazy_pattern
from formats.schema.errors import FormatError, quoted
from formats.schema.model import Segment
from formats.schema.times import parse_time, plain_times
from formats.tables import COLUMNS
from formats.tables.cells import (
    RowBatches,
    are_cut_texts,
    are_in_quotes,
    date_columns,
    name_in_object,
    number_columns,
    oldest_first,
    plain_rows,
    title_rows,
    value_in_header,
    with_inner_text,
    with_joined_text,
    with_parts_behind_blanks,
    with_quotes_behind_blanks,
    without_byte_order_marks,
    without_quotes,
)
from formats.tables.csv_file import (
    batches_between_bars,
    csv_batches,
    delimiter_of,
    divided_again,
    header_over_rule,
    is_written,
    without_quoted,
)
from formats.tables.messages import (
    CELLS_MISSING,
    COLUMN_COPIED,
    COLUMNS_LEFT,
    CUT_TEXTS,
    HEADER_AGAIN,
    HEADER_OF_VALUES,
    LISTS_IN_TEXT,
    MESSAGES_IN_CELLS,
    NO_HEADER,
    PARTIES,
    PARTIES_WRITTEN,
    PARTS_BEHIND,
    QUOTES_BEHIND,
    ROWS_LEFT,
    SHEET_TIMES,
    SILENCES_LEFT,
    SPANS,
    SPEAKERS_LEFT,
    TEXT_JOINED,
    TEXTS_WITHOUT_NAMES,
    TIME_UNIT,
    TIMES_NOT_WHOLE,
    UNITS_READ,
)
from formats.tables.messages_in_cells import (
    MessagesColumn,
    PartyColumns,
    messages_column,
    party_columns,
)
from formats.tables.without_header import (
    BOTH_TIMES,
    audio_column,
    labels_of_cells,
    names_without_header,
    texts_below_value,
)

STARTS = ("start", "starttime", "begin", "begintime", "from")
LOOSE_QUOTE = re.compile(r'\t"[^"\t]*"[^"\t]')
"""A quoted part at the beginning of a field, with text behind it: the quotes are of the text."""
MOST_COLUMNS = 1 << 14
"""As many as a sheet of Excel has: beyond them a line of signs is looked at, no header."""
RowsConverter: TypeAlias = Callable[[Sequence[list[str]]], list[list[str]]]
LEAST_OF_OTHERS = 3
"""The fewest rows of the usual size that show what the other columns of a longer row may have."""
SUMS = frozenset(("total", "totals", "sum", "summe", "gesamt", "suma", "totale", "итого", "合计"))
"""The first cell of a row of sums below a table."""
LEAST_BELOW = 2
"""The fewest rows below a header whose values show roles."""
SHORTEST = 100
"""Frames per second that are tried where none are given."""
SHEET_TIME = lazy_pattern(r"([0-9]{2,3}):([0-5][0-9]):00\Z", re.ASCII)
HOURS_OF_DAY = 24


@reads_labels
def read(
    source: Source, *, field: str = "text", time_unit: str = "auto", columns: str = "",
    member: str = "", fps: str = "",
) -> Iterator[Segment]:  # fmt: skip
    """Yield one segment per row."""
    head = source.head_lines()
    delimiter = delimiter_of(head)
    first = without_quoted(next(filter(str.strip, head), ""))
    is_loose = first.partition(delimiter)[2][:1] == " "
    names, member = columns_or_members(columns, member)
    is_whole = time_unit == "auto" and not names and _is_of_whisper(head)
    if is_whole:
        source.log.say(TIME_UNIT)
        time_unit = "ms"
    are_quoted = delimiter != "\t" or not _has_loose_quotes(head)
    if header := header_over_rule(head):
        batches = batches_between_bars(source, header)
    else:
        batches = csv_batches(source, delimiter, is_loose=is_loose, are_quoted=are_quoted)
        batches = divided_again(source, batches, delimiter)
        batches = _without_labels(batches) if delimiter == "\t" and not names else batches
    columns_read = ColumnsRead(
        field, time_unit, names, member, is_whole, fps, delimiter + " " * is_loose
    )
    yield from segments_of_rows(source, batches, columns_read)


def _has_loose_quotes(head: Sequence[str]) -> bool:
    r"""Return True if quotation marks in lines with tabs are parts of the texts.

    A quoted part has text behind it, or the marks at the beginning of fields do not come in pairs
    though each line has all fields.

    >>> _has_loose_quotes(["id\ttext", '1\t"so it is', "2\tno"])
    True
    >>> _has_loose_quotes(["id\ttext", '1\t"so it is,', 'well"', '2\t"no"'])
    False
    """
    lines = [line for line in head if line.strip()]
    are_whole = len({line.count("\t") for line in lines}) == 1
    is_odd = any('\t"' in line and line.count('"') % 2 for line in lines)
    return any(map(LOOSE_QUOTE.search, head)) or (are_whole and is_odd)


def _without_labels(batches: RowBatches) -> RowBatches:
    """Yield batches of rows; if their cells begin with names (LTSV), with these as the header."""
    names: list[str] | None = None
    for numbers, rows in batches:
        if names is None:
            names = labels_of_cells(rows)
            if names:
                yield [numbers[0]], [names]
        if names:
            rows = [[cell.partition(":")[2] for cell in row] for row in rows]
        yield numbers, rows


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
    again, turns, size = list[int](), 0, 0
    plain = plain_rows(source, batches, has_header=not names)
    for numbers, rows in plain if names or members else oldest_first(source, plain):
        if header is not None and header in rows:
            numbers, rows = _without(header, again, numbers, rows)
        if table is None:
            line = None if names else numbers[0]
            is_usual = chosen.field == "text" and not members
            if not names and is_usual and (names := names_without_header(_once(rows))):
                source.log.say(NO_HEADER, line, names=names)
            if not names:
                header = rows[0]
                has_names = not is_usual or has_text(header)
                others = [row for row in rows[1:] if row != header]
                if not has_names:
                    _refuse_values(source, numbers[0], [header, *others])
                names = _header(source, numbers[0], header, rows[1:])
                numbers, rows = _without(header, again, numbers[1:], rows[1:])
            messages = _messages_in(source, line or 1, names, rows) if is_usual else None
            if messages is not None:
                numbers, rows = _spread(source, messages, numbers, rows, size := len(names))
                names, in_seconds = _dates_in(source, line, messages.names(names), rows)
            else:
                names, members, in_seconds = _times_in_cells(source, line, names, rows, members)
            rows = rows if in_seconds is None else in_seconds(rows)
            read = names if messages is None else messages.names_read
            columns = _columns_of(names, rows, chosen.delimiter)
            values = {name: columns[name] for name in read if name in columns}
            roles = Roles(read, chosen.field, source, line or 1, members=members, values=values)
            roles.add_talks(names, [] if messages or in_seconds or members else rows)
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
            table.set_texts(values)
            table.set_kinds(columns if is_usual and messages is None else {})
            table.set_joints(chosen.delimiter, [*columns.values()] if messages is None else [])
        else:
            if messages is not None:
                numbers, rows = _spread(source, messages, numbers, rows, size)
            rows = rows if in_seconds is None else in_seconds(rows)
        turns += len(rows) if in_seconds is _with_empty_text else 0
        yield from table.segments(numbers, rows)
    if table is not None:
        table.say_counts(turns, again)


def _spread(
    source: Source,
    messages: MessagesColumn | PartyColumns,
    numbers: Sequence[int],
    rows: Sequence[list[str]],
    width: int,
) -> tuple[list[int], list[list[str]]]:
    """Return a row for each message or text of a party.

    In rows with more than `width` cells, parts behind a comma and a blank belong to the cell
    before; other rows of another length are rejected.
    """
    whole = [with_parts_behind_blanks(row, width, ",") if len(row) > width else row for row in rows]
    if joined := sum(map(ne, map(len, rows), map(len, whole))):
        source.log.say(PARTS_BEHIND, numbers[0], rows=joined)
    fitting: list[tuple[int, list[str]]] = []
    for number, row in zip(numbers, whole, strict=True):
        if len(row) > width:
            source.log.reject("TABLE-FIELDS", _error_of_size(source, number, width, len(row)))
        else:
            fitting.append((number, row))
    return messages.spread(source, [n for n, _ in fitting], [row for _, row in fitting])


def _error_of_size(source: Source, number: int, width: int, cells: int) -> FormatError:
    """Create the error about a row with more or fewer cells than the header."""
    expected = f"{width} fields, as many as in the header"
    hint = " (put a text that contains the separator in double quotes)"
    return source.syntax_error(number, expected, f"{cells}{hint if cells > width else ''}")


def _refuse_values(source: Source, line: int, rows: Sequence[Sequence[str]]) -> None:
    """Raise an error if the first row has values and not the names of columns."""
    if are_cut_texts(rows):
        raise source.error_of(CUT_TEXTS, line, text=", ".join(map(str.strip, rows[0])))
    value = value_in_header(rows[0], rows[1:])
    if value and len(places := texts_below_value(rows)) > 1:
        names = [f"column {n + 1}" for n in range(len(rows[0]))]
        found = [names[place] for place in places]
        columns = ",".join("text" if name == found[0] else name for name in names)
        raise source.error_of(TEXTS_WITHOUT_NAMES, line, found=found, columns=columns)
    if value:
        raise source.error_of(HEADER_OF_VALUES, line, value=value)


def _columns_of(
    names: Sequence[str], rows: Sequence[list[str]], delimiter: str
) -> dict[str, tuple[str, ...]]:
    """Return the first values of each column; a text in the last one may have separators."""
    some, size = without_byte_order_marks(names, rows[:MOST_TRIED]), len(names)
    if names and field_role(names[-1]) == "text" and delimiter:
        some = [with_joined_text(r, size, delimiter) if len(r) > size else r for r in some]
    whole = [row for row in some if len(row) == size]
    return dict(zip(names, zip(*whole, strict=True), strict=True)) if whole else {}


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
    if not members and (found := number_columns(names, rows)):
        columns, roles = found
        parts = [names[n] for units in columns.parts.values() for n in units]
        source.log.say(UNITS_READ, line or 1, names=parts)
        return names, roles, columns.in_seconds
    if members:
        return names, members, None
    names, in_seconds = _dates_in(source, line, names, rows)
    return names, members, in_seconds


def _dates_in(
    source: Source, line: int | None, names: list[str], rows: Sequence[Sequence[str]]
) -> tuple[list[str], RowsConverter | None]:
    """Return the names and the converter of cells with dates, with a note; `None` without any.

    A date that is the start of a message is called ``time``.
    """
    dates = date_columns(names, rows)
    if dates is None:
        return names, None
    source.log.say(TIMES_OF_DATE, line or 1, first=date_of(min(dates.firsts.values())))
    dated = [
        n for n in dates.numbers if plain_name(names[n])[0] in DATES_OF_MESSAGES and n != dates.day
    ]
    return ["time" if n in dated[:1] else name for n, name in enumerate(names)], dates.in_seconds


def _are_turns_without_words(names: Sequence[str], rows: Sequence[Sequence[str]]) -> bool:
    """Return True if a table has starts, ends or durations, and speakers, but no text."""
    some = [row for row in rows[:MOST_TRIED] if len(row) == len(names)]
    columns = dict(zip(names, zip(*some, strict=True), strict=True)) if some else {}
    starts = likely_names("start", columns)[:1]
    ends = [*likely_names("end", columns), *likely_names("duration", columns)][:1]
    speakers = [
        name for name in likely_names("speaker", columns)
        if "speaker" in name.lower() or all(map(is_label, columns[name]))
    ][:1]  # fmt: skip
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
        columns = [party or names[n] for n, party in parties.parties.items()]
        is_written = {*PAIR_OF_TURNS} == {*parties.parties.values()}
        source.log.say(PARTIES_WRITTEN if is_written else PARTIES, line, names=columns)
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
    header: list[str], again: list[int], numbers: Sequence[int], rows: list[list[str]]
) -> tuple[Sequence[int], list[list[str]]]:
    """Return the line numbers and rows without rows that repeat the header.

    The line numbers of these are added to `again`.
    """
    kept = [n for n, row in enumerate(rows) if row != header]
    if len(kept) == len(rows):
        return numbers, rows
    again += (numbers[n] for n, row in enumerate(rows) if row == header)
    return [numbers[n] for n in kept], [rows[n] for n in kept]


def _are_lists(cells: Sequence[str]) -> bool:
    """Return True if the texts are Python lists of texts."""
    filled = [cell for cell in cells if cell.strip()]
    return bool(filled) and all(
        cell[:2] in ("['", '["') and cell.rstrip().endswith("]") for cell in filled
    )


def _joined(cell: str) -> str:
    """Join the texts of a Python list to one text; return any other cell unchanged."""
    try:
        parts = literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return cell
    are_texts = isinstance(parts, list) and all(isinstance(part, str) for part in parts)
    return " ".join(parts) if are_texts else cell


def _spans_column(names: Sequence[str], rows: Sequence[Sequence[str]]) -> int | None:
    """Return the column with start and end in each cell (``00:00:01,5 --> 00:00:02``), or `None`.

    Return `None` also if another column has starts.
    """
    some = [row for row in rows[:MOST_TRIED] if len(row) == len(names)]
    columns = (
        n
        for n in range(len(names))
        if any(row[n] for row in some) and all(TIME_SPAN.match(row[n]) for row in some if row[n])
    )
    column = next(columns, None) if some else None
    starts = (n for n, name in enumerate(names) if n != column and plain_name(name)[0] in STARTS)
    are_times = (all(map(is_time, filter(None, (row[n] for row in some)))) for n in starts)
    return None if any(are_times) else column


def _say_left(source: Source, line: int | None, left: dict[str, list[str]]) -> None:
    """Log the columns that look like times, speakers or texts but are not read."""
    if left:
        role = next(iter(left))
        listed = [column for columns in left.values() for column in columns]
        name = left[role][0]
        source.log.say(COLUMNS_LEFT, line, columns=len(listed), names=listed, role=role, name=name)


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


def _once(rows: Sequence[Sequence[str]]) -> Sequence[Sequence[str]]:
    """Return rows without copies of the first one if this is a header, which may come again."""
    if not has_text(rows[0]):
        return rows
    return [rows[0], *(row for row in rows[1:] if row != rows[0])]


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
        self.joins_lists = self.is_quoted = False
        self.documents: DocumentsWithin | NamesWithin | None = None
        self.joint = ""
        """The sign between the parts of a text that has more cells than columns are left."""
        self.inner_joint = self.delimiter = ""
        """The same, if the text is before another column; its parts are found by the others."""
        self.columns: Sequence[Sequence[str]] = ()
        """The first values of each column."""
        self.joined = self.quoted = self.behind = self.own_names = self.tags = self.unnamed = (
            self.named
        ) = self.wordless = 0
        self.has_words = tuple(names) == COLUMNS
        self.silences = Counter[str]()
        self.kinds: dict[int, set[str]] = {}
        """The values of kinds that nobody says, by the place of their column."""
        self.of_kinds = Counter[str]()
        self.marks: frozenset[str] = frozenset()
        """Speakers whose texts are their names, such as ``New tape``: marks, which nobody says."""
        self._is_of_words: bool | None = None
        self.no_rows: list[str] = []
        """The first cell of each row without a text whose times are no times."""
        self.no_one: Counter[str] = Counter()
        self.text_name = roles.by_role["text"]
        self._by_folder = roles.named_by_folder
        self._around = roles.around
        self.with_keys: Collection[str] = ()
        """Speakers whose texts are keys of prompts with the words in brackets behind them."""
        self.keys = 0
        self._has_minutes = self._has_sheet_times = False

    def set_joints(self, delimiter: str, columns: Sequence[Sequence[str]]) -> None:
        """Set the sign between the parts of a text that has separators.

        A text before other columns needs their values. A speaker in the last column has none.
        """
        self.delimiter = delimiter if columns else ""
        if self.text_name == self._names[-1]:
            self.joint = delimiter
        elif columns and len(columns[0]) >= LEAST_OF_OTHERS:
            self.inner_joint, self.columns = delimiter, columns

    def segments(self, numbers: Sequence[int], rows: Sequence[list[str]]) -> Iterator[Segment]:
        """Yield the segments of rows; invalid rows are rejected.

        `numbers` has the line at which each row begins.
        """
        size = len(self._names)
        if self.delimiter and max(map(len, rows), default=0) > size:
            whole = [
                with_quotes_behind_blanks(row, size, self.delimiter) if len(row) > size else row
                for row in rows
            ]
            self.quoted += sum(map(ne, map(len, rows), map(len, whole)))
            rows = whole
            whole = [
                row
                if self.joint or len(row) <= size
                else with_parts_behind_blanks(row, size, self.delimiter)
                for row in rows
            ]
            self.behind += sum(map(ne, map(len, rows), map(len, whole)))
            rows = whole
        if self.joint and max(map(len, rows), default=0) > size:
            self.joined += sum(len(row) > size for row in rows)
            rows = [
                with_joined_text(row, size, self.joint) if len(row) > size else row for row in rows
            ]
        if self.inner_joint and max(map(len, rows), default=0) > size:
            place, joint = self._names.index(self.text_name), self.inner_joint
            whole = [
                with_inner_text(row, self.columns, place, joint) if len(row) > size else row
                for row in rows
            ]
            self.joined += sum(map(ne, map(len, rows), map(len, whole)))
            rows = whole
        if self.kinds:
            numbers, rows = self._without_kinds(numbers, rows)
        if self.marks:
            numbers, rows = self._without_marks(numbers, rows)
        numbers, rows = self._without_sums(numbers, rows)
        numbers, rows = self._without_silences(numbers, rows)
        return segments_by_halves(numbers, rows, self._made, self._reject)

    def set_texts(self, columns: Mapping[str, Sequence[str]]) -> None:
        """Find the signs around texts, and the keys of prompts before them, from first values."""
        texts = columns.get(self.text_name, ())
        self.is_quoted = are_in_quotes(texts)
        speakers = columns.get(self._by_role.get("speaker", ""), ())
        self.with_keys = speakers_with_keys(texts, speakers)

    def set_kinds(self, columns: Mapping[str, Sequence[str]]) -> None:
        """Find the columns whose values tell rows of speech from others, from first values."""
        if tuple(self._names) != COLUMNS:
            self._set_marks(columns)
        for name in kinds_in(columns):
            kinds = left_kinds(name, Counter(filter(None, columns[name])))
            is_kind = name not in self._by_role.values() or plain_name(name)[0] in OF_MODELS
            if kinds and is_kind:
                self.kinds[self._names.index(name)] = {*kinds}

    def _set_marks(self, columns: Mapping[str, Sequence[str]]) -> None:
        """Find the speakers of whom each of several texts is the name, from first values."""
        speakers = columns.get(self._by_role.get("speaker", ""), ())
        texts: dict[str, set[str]] = {}
        for speaker, text in zip(speakers, columns.get(self.text_name, ()), strict=False):
            texts.setdefault(speaker.strip(), set()).add(text.strip())
        marks = (name for name, said in texts.items() if name and said == {name})
        self.marks = frozenset(name for name in marks if speakers.count(name) > 1)

    def _without_marks(
        self, numbers: Sequence[int], rows: Sequence[list[str]]
    ) -> tuple[Sequence[int], Sequence[list[str]]]:
        """Return the rows without those whose speaker and text are the same mark."""
        places = [self._names.index(name) for name in (self._by_role["speaker"], self.text_name)]
        pairs = [[row[p].strip() if p < len(row) else "" for p in places] for row in rows]
        kept = [n for n, (name, text) in enumerate(pairs) if name != text or name not in self.marks]
        self.of_kinds.update(name for name, text in pairs if name == text and name in self.marks)
        return [numbers[n] for n in kept], [rows[n] for n in kept]

    def _without_kinds(
        self, numbers: Sequence[int], rows: Sequence[list[str]]
    ) -> tuple[Sequence[int], Sequence[list[str]]]:
        """Return the rows without those of kinds that nobody says."""
        for place, kinds in self.kinds.items():
            cells = [row[place] if place < len(row) else "" for row in rows]
            kinds.update(filter(is_unspoken, {*cells}))
            self.of_kinds.update(cell for cell in cells if cell in kinds)
            kept = [n for n, cell in enumerate(cells) if cell not in kinds]
            numbers, rows = [numbers[n] for n in kept], [rows[n] for n in kept]
        return numbers, rows

    def _without_sums(
        self, numbers: Sequence[int], rows: Sequence[list[str]]
    ) -> tuple[Sequence[int], Sequence[list[str]]]:
        """Return the rows without sums: a last row with such a name first and without a start."""
        start, row = self._by_role.get("start", ""), [*rows[-1:], []][0]
        is_ours = tuple(self._names) == COLUMNS
        if not start or is_ours or len(rows) < LEAST_OF_OTHERS or len(row) != len(self._names):
            return numbers, rows
        place, name = self._names.index(start), next(filter(str.strip, row), "").strip()
        is_sum = name.lower().rstrip(":") in SUMS and not row[place].strip()
        if not is_sum or not all("".join(r[place : place + 1]).strip() for r in rows[:-1]):
            return numbers, rows
        self.no_rows.append(name)
        return numbers[:-1], rows[:-1]

    def _without_silences(
        self, numbers: Sequence[int], rows: Sequence[list[str]]
    ) -> tuple[Sequence[int], Sequence[list[str]]]:
        """Return the rows, in a table of words with times without labels of silence."""
        place, size = self._names.index(self.text_name), len(self._names)
        if self._is_of_words is None:
            cells = [row[place].split() for row in rows[:MOST_TRIED] if len(row) == size]
            has_times = "start" in self._by_role and bool({"end", "duration"} & {*self._by_role})
            is_ours = tuple(self._names) == COLUMNS
            self._is_of_words = has_times and not is_ours and max(map(len, cells), default=2) < 2
        if not self._is_of_words:
            return numbers, rows
        texts = ["".join(row[place : place + 1]).strip() for row in rows]
        kept = [n for n, text in enumerate(texts) if text.lower() not in SILENCES]
        if len(kept) < len(texts):
            self.silences.update(text for text in texts if text.lower() in SILENCES)
        return [numbers[n] for n in kept], [rows[n] for n in kept]

    def say_counts(self, turns: int, again: Sequence[int]) -> None:
        """Log what was counted in the rows.

        `turns` is the number of turns without words, and `again` has the lines that repeat the
        header.
        """
        log = self._source.log
        if again:
            log.say(HEADER_AGAIN, again[0], rows=len(again))
        if turns := turns or (0 if self.has_words else self.wordless):
            log.say(NO_TEXT, segments=turns)
        if self.of_kinds:
            log.say(KINDS_LEFT, rows=self.of_kinds.total(), kinds=[*self.of_kinds])
        if self.silences:
            log.say(SILENCES_LEFT, rows=self.silences.total(), cell=next(iter(self.silences)))
        if self.no_rows:
            log.say(ROWS_LEFT, rows=len(self.no_rows), cell=self.no_rows[0])
        if self.unnamed and self.named:
            name = self._by_role["speaker"]
            log.say(SPEAKERS_LEFT, rows=self.unnamed, name=name)
        if self.quoted:
            log.say(QUOTES_BEHIND, rows=self.quoted)
        if self.behind:
            log.say(PARTS_BEHIND, rows=self.behind)
        if self.joined:
            log.say(TEXT_JOINED, rows=self.joined, name=self.text_name)
        for value, cells in self.no_one.items():
            log.say(CELLS_MISSING, cells=cells, value=value)
        if self.tags:
            log.say(TAG, count=self.tags)
        if self.keys:
            log.say(KEYS_LEFT, texts=self.keys)
        if self.own_names:
            log.say(SPEAKERS_AGAIN, count=self.own_names)

    def _reject(self, row: list[str], error: FormatError) -> None:
        is_whole = len(row) == len(self._names)
        if is_whole and not row[self._names.index(self.text_name)].strip():
            self.no_rows.append(next(filter(str.strip, row), ""))
            return
        self._source.log.reject("TABLE-SYNTAX" if is_whole else "TABLE-FIELDS", error)

    def _made(self, numbers: Sequence[int], rows: Sequence[list[str]]) -> list[Segment]:
        """Create the segments of a batch of rows; raise an error if any row is invalid."""
        names, source, first = self._names, self._source, rows[0]
        if set(map(len, rows)) != {len(names)}:
            raise _error_of_size(source, numbers[0], len(names), len(first))
        if self._is_whole and any("." in row[0] + row[1] for row in rows):
            raise source.error_of(TIMES_NOT_WHOLE, numbers[0], start=first[0], end=first[1])
        rows = without_byte_order_marks(names, rows)
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
        ends = (":",) if tuple(names) == COLUMNS else (":", " ", "\n")
        if any(name is not None and name[-1:] in ends for name in columns.get(speaker, ())):
            names_alone = (name and name.strip().removesuffix(":") for name in columns[speaker])
            columns[speaker] = [name or None for name in names_alone]
        texts: Sequence[str] = [*map(_joined, cells[text])] if self.joins_lists else cells[text]
        plain = texts
        if tuple(names) != COLUMNS:  # what we wrote is read as it is
            plain, tags = untagged(texts)
            self.tags += tags
            if self.is_quoted:
                plain, signs = without_quotes(plain)
                self.tags += signs
        columns[text] = (*plain,)
        if speaker and tuple(names) != COLUMNS:
            columns[text], count = without_own_names(columns[text], columns[speaker])
            self.own_names += count
        if self.with_keys:
            pairs = [*zip(columns[text], columns[speaker], strict=True)]
            columns[text] = [without_key(t) if s in self.with_keys else t for t, s in pairs]
            self.keys += sum(map(ne, columns[text], (t for t, _ in pairs)))
        if self._by_folder:
            audio = self._by_role["recording"]
            columns[audio] = [
                path and without_shared_name(path, self._by_folder) for path in columns[audio]
            ]
        if self._around:
            talk = self._by_role["recording"]
            columns[talk] = [*map(name_within, cells[self._around], cells[talk])]
        times = [self._times(role, numbers, cells) for role in SPAN]
        others, recording = self._others, source.recording
        segments = segments_of_columns(numbers, columns, self._by_role, times, others, recording)
        if speaker and tuple(names) != COLUMNS:
            spoken = [segment.speaker for segment in segments if segment.words]
            self.named += len(spoken) - spoken.count(None)
            self.unnamed += spoken.count(None)
        self.has_words = self.has_words or any(segment.words for segment in segments)
        self.wordless += len(segments)
        if self.documents is not None:
            has_marks = isinstance(self.documents, DocumentsWithin) and self.documents.has_marks
            return self.documents.segments(segments, texts if has_marks else columns[text])
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
        text = text.strip()
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


def sniff(own: str, head: Head) -> Sniff:
    """Return `MAYBE` if the first line names a text column, perhaps beside starts or speakers.

    Return `SURE` if all names are columns that `write` writes with this separator, if each line has
    a text followed by an audio file, or for a table in Markdown.
    """
    if own == "," and (header := header_over_rule(head)):
        sizes = {len(cells_between_bars(line)) for line in head[header - 1 :] if line.strip()}
        names = cells_between_bars(head[header - 1])
        is_table = len(sizes) == 1 and (has_text(names) or are_columns(names))
        below = [line for line in head[header + 1 :][:MOST_TRIED] if line.strip()]
        rows = list(map(cells_between_bars, below))
        is_table = is_table or (len(sizes) == 1 and _show_roles(names, rows))
        return Sniff.SURE if is_table else Sniff.NO
    titles = head.once(_above_columns)[1]
    if is_written(head[titles] if head else "", own):
        return Sniff.SURE
    rows = [line.split(own) for line in head[:MOST_TRIED] if line.strip()] if own == "\t" else []
    if len({*map(len, rows)}) == 1 and (audio_column(rows) or 0) > 0:
        return Sniff.SURE
    if has_text(labels := labels_of_cells(rows)) or are_columns(labels):
        return Sniff.SURE
    return Sniff.MAYBE if head.once(_has_columns) else Sniff.NO


def _above_columns(head: Head) -> tuple[str, int]:
    """Return the separator of columns, and the number of title rows above them."""
    delimiter = delimiter_of(head)
    return delimiter, title_rows([line.split(delimiter) for line in head])


def _has_columns(head: Head) -> bool:
    """Return True if names of columns, or the values below, show a text."""
    delimiter, titles = head.once(_above_columns)
    first = head[titles] if head else ""
    names = [name.strip().strip('"') for name in first.split(delimiter)]
    is_named = len(names) > 1 and (has_text(names) or are_columns(names))
    is_named = is_named or _names_show_roles(head[titles:], delimiter)
    return is_named or _has_roles(head, delimiter)


def _are_quoted_where_needed(
    lines: Sequence[str], rows: Sequence[Sequence[str]], delimiter: str
) -> bool:
    """Return True if all rows have as many fields, because texts with the separator have quotes.

    >>> lines = ["Ann,So it is.", 'Ben,"Well, no."']
    >>> _are_quoted_where_needed(lines, [["Ann", "So it is."], ["Ben", "Well, no."]], ",")
    True
    """
    are_even = len({*map(len, rows)}) == 1
    return are_even and len({line.count(delimiter) for line in lines}) > 1 and any(
        '"' in line and without_quoted(line) != line for line in lines
    )  # fmt: skip


def _names_show_roles(head: Sequence[str], delimiter: str) -> bool:
    """Return True if the first line names a start or a speaker, and the values show the text."""
    lines = [line for line in head if line.strip()][:MOST_TRIED]
    if len(lines) <= LEAST_BELOW or lines[0].count(delimiter) < 1:
        return False
    try:
        names, *rows = csv.reader(lines, delimiter=delimiter)
    except csv.Error:
        return False
    if not {*map(len, rows)} == {len(names)} == {len({*names})}:
        return False
    if _name_utterances(names, rows):
        return _show_roles(names, rows, ("id", "recording"))
    has_roles = not {"start", "speaker"}.isdisjoint(map(field_role, names))
    return has_roles and _show_roles(names, rows)


def _name_utterances(names: Sequence[str], rows: Sequence[list[str]]) -> bool:
    """Return True if the first column has a usual name of ids or files, and their values.

    >>> _name_utterances(["utt_id", "prompt"], [["u1", "So it is."], ["u2", "Well, no."]])
    True
    >>> _name_utterances(["Audio", " said Ann"], [["So it is", " well"], ["Well", " no"]])
    False
    """
    usual = (*NAMES["id"].usual, *NAMES["recording"].usual)
    are_names = names[0].lower() in usual and all(name and name.split() == [name] for name in names)
    ids = [row[0].strip() for row in rows]
    have_digits = all(len(code.split()) == 1 and any(map(str.isdigit, code)) for code in ids)
    return are_names and have_digits and len({*ids}) == len(ids)


def _show_roles(
    names: list[str], rows: Sequence[list[str]], shown: Sequence[str] = ("start", "speaker")
) -> bool:
    """Return True if columns have one of the roles `shown`, and one is the only text."""
    columns = dict(zip(names, zip(*rows, strict=True), strict=True)) if rows else {}
    try:
        roles = Roles(names, values=columns).by_role
    except FormatError:
        return False
    return not roles.keys().isdisjoint(shown)


def _has_roles(head: Head, delimiter: str) -> bool:
    """Return True if the values of columns without names show a text, and times, names or ids."""
    lines = [line for line in head if line.strip()][:MOST_TRIED]
    if not all(delimiter in line for line in lines):
        return False
    try:
        rows = list(csv.reader(lines, delimiter=delimiter))
    except csv.Error:
        return False
    is_wide = min(map(len, rows), default=0) > 2 or all(line[:1] == '"' for line in lines)
    is_wide = is_wide or _are_quoted_where_needed(lines, rows, delimiter)
    names = names_without_header(rows)
    others = ("start", "speaker", "audio", "id", BOTH_TIMES) if is_wide else ("start", BOTH_TIMES)
    return "text" in names and any(name in names for name in others)
