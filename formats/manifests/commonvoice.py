"""commonvoice: the tab-separated lists of the Common Voice corpus.

===============================  ========================================================
in the file                      in the schema
===============================  ========================================================
path                             `Segment.recording`, `Segment.utterance`, without audio suffix
client_id                        `Segment.speaker`
sentence                         the words
anything else                    `Segment.properties`, if it is not empty
``clip_durations.tsv``           if a folder is read: `Segment.end`, in milliseconds from 0
name of the folder               if a folder is read and its table has no locale: property
                                 ``locale``
===============================  ========================================================

From the folder of a language, only one list is read: ``validated``, or the list that `split` names.

Fields are not quoted: a double quote is an ordinary character.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from itertools import compress
from operator import ne
from typing import TYPE_CHECKING

from formats.detection.spec import FormatSpec, Option, Sniff
from formats.io.messages import RULE_EMPTY_NAME, RULE_ID_KEPT
from formats.manifests.messages import COMMONVOICE_LIST, COMMONVOICE_SPLIT, RULE_BLANKS
from formats.manifests.records import (
    UTTERANCES,
    RecordOut,
    first_twice,
    recording_of_audio,
    segments_by_halves,
    segments_of_columns,
    usual_size,
    with_last_cells,
)
from formats.reading.member_names import MOST_TRIED
from formats.schema.errors import FormatError, OptionError, quoted
from formats.schema.messages import Message

if TYPE_CHECKING:
    from formats.detection.head import Head
    from formats.detection.spec import SegmentSource
    from formats.io.sink import Sink
    from formats.io.source import Source
    from formats.schema.model import Segment

OTHER_TABLES = frozenset(
    {"clip_durations", "reported", "validated_sentences", "unvalidated_sentences"}
)
REQUIRED = ("client_id", "path", "sentence")
ROLES = {"text": "sentence", "id": "path", "speaker": "client_id"}
ONE_BLANK = str.maketrans("\t\n\r", "   ")
WRITTEN = (
    *("client_id", "path", "sentence_id", "sentence", "sentence_domain", "up_votes"),
    *("down_votes", "age", "gender", "accents", "variant", "locale", "segment"),
)


def read(source: Source, *, split: str = "") -> Iterator[Segment]:
    """Yield one segment per line after the header."""
    if source.folder is not None:
        yield from _read_folder(source, split or "validated")
        return
    if split:
        value = Message(COMMONVOICE_LIST, {}, source.log.side)
        raise OptionError(value=value, path=source.name)
    yield from _read_list(source)


def _read_folder(source: Source, split: str) -> Iterator[Segment]:
    """Yield the segments of one list in a folder, with the durations of the clips."""
    lists = {os.path.basename(path)[: -len(".tsv")]: path for path in source.below("*.tsv")}
    path = lists.get(split)
    if path is None or split in OTHER_TABLES:
        there = [name for name in lists if name not in OTHER_TABLES]
        fields = {"lists": there, "split": split}
        value = Message(COMMONVOICE_SPLIT, fields, source.log.side)
        raise OptionError(value=value, path=source.name)
    durations: dict[str, int] = {}
    if "clip_durations" in lists:
        with source.beside(lists["clip_durations"]) as table:
            durations = dict(_durations(table))
    locale = os.path.basename(os.path.abspath(source.name))
    with source.beside(path) as table:
        for segment in _read_list(table):
            end = durations.get(segment.recording)
            if segment.get("locale") is None:
                properties = sorted([*segment.properties, ("locale", locale)])
                segment = segment.replace(properties=tuple(properties))
            yield segment if end is None else segment.replace(start_ns=0, end_ns=end)


def _durations(table: Source) -> Iterator[tuple[str, int]]:
    """Yield each recording with its duration in nanoseconds; the table gives milliseconds."""
    for number, line in table.lines():
        clip, _, length = line.partition("\t")
        if number == 1 or not line.strip():
            continue
        if not (length.isascii() and length.isdigit()) or len(length) > 12:
            error = table.syntax_error(number, "a clip and its milliseconds", quoted(line))
            table.log.reject("COMMONVOICE-DURATION", error)
            continue
        yield recording_of_audio(clip), int(length) * 1_000_000


def _read_list(source: Source) -> Iterator[Segment]:
    table: _List | None = None
    short = size = 0
    for first, lines in source.batches():
        numbers: Sequence[int] = range(first, first + len(lines))
        if table is None:
            names = _header(source, first, lines[0].split("\t"))
            table, size = _List(source, names), len(names)
            first_rows = filter(str.strip, lines[:MOST_TRIED])
            short = usual_size(source, [row.split("\t") for row in first_rows])
            numbers, lines = numbers[1:], lines[1:]
        if not all(map(str.strip, lines)):
            bare = list(map(str.strip, lines))
            numbers, lines = list(compress(numbers, bare)), list(compress(lines, bare))
        rows = [line.split("\t") for line in lines]
        rows = with_last_cells(rows, short, size) if short < size else rows
        yield from segments_by_halves(numbers, rows, table.segments, table.reject)


class _List:
    """Converts the rows of a list to segments; checks that each path occurs only once."""

    def __init__(self, source: Source, names: list[str]) -> None:
        self._source = source
        self._names = names
        self._others = sorted(set(names).difference(REQUIRED))
        self._seen: dict[str, int] = {}

    def segments(self, numbers: Sequence[int], rows: Sequence[list[str]]) -> list[Segment]:
        """Return the segments of rows. An error names the first row, whichever row is invalid."""
        names, seen = self._names, self._seen
        if set(map(len, rows)) != {len(names)}:
            expected = f"{len(names)} fields, as many as in the header"
            raise self._source.syntax_error(numbers[0], expected, f"{len(rows[0])}")
        cells = dict(zip(names, zip(*rows, strict=True), strict=True))
        clips = list(map(recording_of_audio, cells["path"]))
        if not all(clips) or len(set(clips)) < len(clips) or not seen.keys().isdisjoint(clips):
            path = quoted(cells["path"][0])
            raise self._source.syntax_error(
                numbers[0],
                "a unique path" if clips[0] else "a path",
                f"{path} as in line {seen.get(clips[0])}" if clips[0] else "none",
            )
        seen.update(zip(clips, numbers, strict=True))
        columns: dict[str, Sequence[str | None]] = {
            name: [cell or None for cell in column] for name, column in cells.items()
        }
        columns |= {"sentence": list(map(_unquoted, cells["sentence"])), "path": clips}
        times = [None, None, None]
        return segments_of_columns(numbers, columns, ROLES, times, self._others, clips)

    def reject(self, row: list[str], error: FormatError) -> None:
        """Report a rejected row."""
        kind = "PATH" if len(row) == len(self._names) else "FIELDS"
        self._source.log.reject(f"COMMONVOICE-{kind}", error)


def _unquoted(cell: str) -> str:
    r"""Return a cell without the quotation marks of CSV, if the marks in it are doubled.

    >>> _unquoted('"\"\"So,\"\" she said"'), _unquoted('"so it is"')
    ('"So," she said', '"so it is"')
    """
    inner = cell[1:-1] if len(cell) > 1 and cell[0] == cell[-1] == '"' else ""
    is_csv = '""' in inner and '"' not in inner.replace('""', "")
    return inner.replace('""', '"') if is_csv else cell


def _header(source: Source, number: int, names: list[str]) -> list[str]:
    missing = [name for name in REQUIRED if name not in names]
    twice = first_twice(names)
    if missing or twice is not None:
        found = f"no {' and no '.join(missing)}" if missing else f"{quoted(twice or '')} twice"
        raise source.syntax_error(
            number, "a header with the columns client_id, path and sentence", found
        )
    return names


def write(segments: SegmentSource, sink: Sink) -> None:
    """Write a header and one line per segment; the utterance id is the path."""
    seen: set[str] = set()
    sink.write("\t".join(WRITTEN) + "\n")
    for segment in segments:
        out = RecordOut(segment, sink)
        name = segment.utterance or ""
        is_other = recording_of_audio(name) != name or bool(set(name) & set("\t\r\n"))
        expected = "a unique utterance id without folders, tabs and audio endings"
        out.new_id(seen, expected, is_valid=bool(name.strip()) and not is_other)
        out.lost("recordings", int(segment.recording != name), RULE_ID_KEPT)
        row = {
            **dict(segment.properties),
            "path": name,
            "client_id": segment.speaker or "",
            "sentence": out.text(),
        }
        cells = [row.get(column, "") for column in WRITTEN]
        names = [key for key, _ in segment.properties]
        out.lost("properties", sum(key not in WRITTEN or key in REQUIRED for key in names))
        plain = [cell.translate(ONE_BLANK) for cell in cells]
        speaker, *changed = map(ne, cells, plain)
        out.lost("speakers", int(segment.speaker == ""), RULE_EMPTY_NAME)
        out.lost("blanks of speakers' names", int(speaker), RULE_BLANKS)
        out.lost("tabs and line ends in texts", sum(changed), RULE_BLANKS)
        sink.write("\t".join(plain) + "\n")


def sniff(head: Head) -> Sniff:
    """Return `SURE` for a header with the three columns that every release of the corpus has."""
    fields = head[0].split("\t") if head else []
    return Sniff.SURE if set(REQUIRED) <= set(fields) else Sniff.NO


SPEC = FormatSpec(
    title="Common Voice's lists: clips, speakers and sentences in a table",
    sign="the columns client_id, path, sentence",
    read=read,
    write=write,
    sniff=sniff,
    holds=(*UTTERANCES, "speakers"),
    needs=("utterance ids",),
    read_options=(
        Option("split", "", "list to read from a folder of Common Voice (default: validated)"),
    ),
)
