"""csv and tsv: tables with a header, one utterance per row, as data sets are listed.

Columns by their usual names (`formats.manifests.roles`): the words (``text``, ``sentence``, …; with
``field="pred_text"`` those of a recogniser), ``id``, ``recording`` or an audio file, ``speaker``,
``channel``, ``start`` and ``end`` or ``duration``. What has no role is a property, where it is not
empty. Fields are quoted as in RFC 4180; comma, semicolon or tab is what the header has most of.
"""

from __future__ import annotations

import csv
from operator import ne

from formats.clock import parse_clock
from formats.errors import SizeLimitError, SyntaxFormatError, quoted
from formats.json.jsonl import TIME_UNITS
from formats.lines import split_words
from formats.manifests.records import first_twice, joined_words, recording_of_audio
from formats.manifests.roles import Roles, has_text
from formats.model import Segment
from formats.spec import TEXT_FIELD, FormatSpec, Option, Sniff, decimals
from formats.times import format_time, parse_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from formats.beginning import Head
    from formats.sink import Sink
    from formats.source import Source
    from formats.spec import SegmentSource

__all__ = ["CSV_SPEC", "TSV_SPEC", "read", "sniff", "write_csv", "write_tsv"]

DELIMITERS = ",;\t"
LONGEST_FIELD = 1 << 26
SHORTEST = 100
COLUMNS = ("id", "recording", "channel", "speaker", "start", "end", "text")
NAMES = ("utterance ids", "channels", "speakers")
FORMULA_SIGNS = ("=", "+", "-", "@")


def read(
    source: Source, *, field: str = "text", time_unit: str = "auto", columns: str = ""
) -> Iterator[Segment]:
    """One segment per row.

    Parameters
    ----------
    field: which side's words to read, ``text`` or ``pred_text``, or the name of the column.
    time_unit: of starts, ends and durations: ``s``, ``ms``, ``us``; ``auto`` is seconds, but
        milliseconds in the table of whole numbers that Whisper writes, which is noted.
    columns: names of the columns, with commas between them, if the file has no header.

    Raises
    ------
    SyntaxFormatError: no header that means a text, a row with another number of fields,
        an unclosed quote, a time that is none.
    """
    head = source.head_lines()
    first = next((line for line in head if line.strip()), "")
    delimiter = max(DELIMITERS, key=first.count)
    rows = csv_rows(source, delimiter, is_loose=f"{delimiter} " in first)
    names = columns.split(",") if columns else []
    roles: Roles | None = Roles(names, field, source) if names else None
    is_whole = time_unit == "auto" and not names and _is_of_whisper(head)
    if is_whole:
        source.log.note("TIME-UNIT", "read as Whisper's table: times are whole milliseconds")
    time_unit = "ms" if is_whole else "s" if time_unit == "auto" else time_unit
    for number, row in rows:
        if roles is None:
            names = _header(source, number, row)
            roles = Roles(names, field, source, number)
            continue
        if len(row) != len(names):
            error = source.syntax_error(
                number, f"{len(names)} fields, as many as in the header", f"{len(row)}"
            )
            source.log.reject("TABLE-FIELDS", error)
            continue
        try:
            if is_whole and "." in row[0] + row[1]:
                raise source.syntax_error(
                    number,
                    "whole milliseconds as above (see --time-unit)",
                    f"{quoted(row[0])} and {quoted(row[1])}",
                )
            yield _segment(dict(zip(names, row, strict=True)), roles, source, number, time_unit)
        except SyntaxFormatError as error:
            source.log.reject("TABLE-SYNTAX", error)


def _is_of_whisper(head: Sequence[str]) -> bool:
    """Whether the first lines are of Whisper's own table, whose times are milliseconds.

    A table of whole seconds looks the same but for the lengths: all below a tenth of a second
    would be no transcript.
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


def csv_rows(
    source: Source, delimiter: str, *, is_loose: bool = False
) -> Iterator[tuple[int, list[str]]]:
    """Rows with the number of their first line; loose ones may have blanks before a quote."""
    if csv.field_size_limit() < LONGEST_FIELD:
        csv.field_size_limit(LONGEST_FIELD)
    lines = _Lines(source)
    reader = csv.reader(lines, delimiter=delimiter, strict=True, skipinitialspace=is_loose)
    while True:
        lines.begin = lines.number + 1
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as problem:
            if "field limit" in str(problem):
                raise SizeLimitError(
                    f"field longer than {LONGEST_FIELD} characters",
                    path=source.name,
                    line=lines.begin,
                ) from None
            raise source.syntax_error(
                lines.begin, "fields quoted as in RFC 4180", f"{problem}"
            ) from None
        if row:
            yield lines.begin, row


class _Lines:
    """The lines of a file with their ends, and how many have been taken."""

    def __init__(self, source: Source) -> None:
        self._lines = source.lines()
        self.number = 0
        self.begin = 1

    def __iter__(self) -> _Lines:
        return self

    def __next__(self) -> str:
        self.number, line = next(self._lines)
        return line + "\n"


def _header(source: Source, number: int, names: list[str]) -> list[str]:
    names = [name.strip() for name in names]
    twice = first_twice(names)
    if twice is not None:
        raise source.syntax_error(number, "column names used once", quoted(twice))
    return names


def _segment(
    row: dict[str, str], roles: Roles, source: Source, line: int, time_unit: str
) -> Segment:
    def text(role: str) -> str | None:
        name = roles.by_role.get(role)
        return None if name is None else row[name] or None

    def time(role: str) -> int | None:
        shown = text(role)
        if shown is None:
            return None
        try:
            value = parse_clock(shown) if ":" in shown else parse_time(shown)
            value = value if ":" in shown else value // TIME_UNITS[time_unit]
        except ValueError:
            value = -1
        if value < 0:
            raise source.syntax_error(line, f"a {role} of 0 or more", quoted(shown))
        return value

    start, end, duration = time("start"), time("end"), time("duration")
    if duration is not None and end is None:
        start = start or 0
        end = start + duration
    recording = text("recording")
    if recording is not None and roles.by_role["recording"] not in ("recording", "recording_id"):
        recording = recording_of_audio(recording)
    taken = set(roles.by_role.values())
    others = ((name, value) for name, value in row.items() if value and name not in taken)
    said = (text("text") or "").replace("\n", " ").replace("\r", " ")
    return Segment(
        recording or source.recording,
        tuple(split_words(said)),
        utterance=text("id"),
        channel=text("channel"),
        speaker=text("speaker"),
        start_ns=start,
        end_ns=end,
        properties=tuple(sorted(others)),
        line=line,
    )


def write_csv(
    segments: SegmentSource, sink: Sink, *, precision: int = 3, csv_safe: bool = False
) -> None:
    """Write a header and one row per segment, with commas.

    Parameters
    ----------
    precision: decimals of the times, 0 to 9.
    csv_safe: put an apostrophe before what a spreadsheet would take for a formula.
    """
    _write(segments, sink, ",", precision, csv_safe)


def write_tsv(
    segments: SegmentSource, sink: Sink, *, precision: int = 3, csv_safe: bool = False
) -> None:
    """Write a header and one row per segment, with tabs; parameters as for `write_csv`."""
    _write(segments, sink, "\t", precision, csv_safe)


def _write(
    segments: SegmentSource, sink: Sink, delimiter: str, precision: int, csv_safe: bool
) -> None:
    writer: Any = csv.writer(sink, delimiter=delimiter, lineterminator="\n")
    writer.writerow(COLUMNS)
    path = segments.source
    for segment in segments:
        row = [segment.utterance, segment.recording, segment.channel, segment.speaker]
        for what, name in zip(NAMES, (row[0], *row[2:]), strict=True):
            rule = "an empty name is none"
            sink.losses.add(what, int(name == ""), rule, path, segment.line)
        for time in (segment.start_ns, segment.end_ns):
            given = () if time is None else (time,)
            rounded = sink.losses.rounded(precision, path, segment.line, *given)
            row.append(format_time(rounded[0], precision) if rounded else None)
        row.append(joined_words(segment, path))
        if csv_safe:
            row = ["'" + cell if cell and cell[0] in FORMULA_SIGNS else cell for cell in row]
        cells = ["" if cell is None else cell for cell in row]
        plain = [cell.replace("\r\n", "\n").replace("\r", "\n") for cell in cells]
        mended = sum(map(ne, cells, plain))
        sink.losses.add("line ends in names", mended, "made LF", path, segment.line)
        writer.writerow(plain)


def sniff(head: Head) -> Sniff:
    """Possible if the first line has two columns or more, one of them named as texts are."""
    first = head[0] if head else ""
    delimiter = max(DELIMITERS, key=first.count)
    names = [name.strip().strip('"') for name in first.split(delimiter)]
    return Sniff.MAYBE if len(names) > 1 and has_text(names) else Sniff.NO


def _spec(title: str, write: Any) -> FormatSpec:
    return FormatSpec(
        title=title,
        sign="a header with a column of words, such as text",
        read=read,
        write=write,
        sniff=sniff,
        holds=(
            "words",
            "recordings",
            "channels",
            "speakers",
            "utterance ids",
            "segment times",
            "empty segments",
            "segment boundaries",
            "ends before begins",
        ),
        needs=("recordings",),
        read_options=(
            TEXT_FIELD,
            Option("time_unit", "auto", "unit of times", ("auto", *TIME_UNITS)),
            Option("columns", "", "names of the columns of a table without header"),
        ),
        write_options=(
            decimals(),
            Option("csv_safe", False, "guard cells that look like formulas", (False, True)),
        ),
        streams=True,
        manual="A header and one row per utterance: id, recording, speaker, start, end, text.",
    )


CSV_SPEC = _spec("tables with commas: one utterance per row", write_csv)
TSV_SPEC = _spec("tables with tabs: one utterance per row", write_tsv)
