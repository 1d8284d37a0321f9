"""A large CSV, TSV or JSON lines table, read in batches of rows like a Parquet table.

The readers of `formats` read the file once for each column with words, all at the same pace. So
each text has the words that it has in a small table, and memory does not grow with the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from typing import TYPE_CHECKING, Any

from formats.io.source import open_source
from formats.reading import detect_source, stream
from formats.schema import words_of_texts
from formats.schema.errors import FormatError
from scoring.results.groups import DURATION, value_of
from scoring.score import streaming

if TYPE_CHECKING:
    from formats.reading import SegmentStream
    from formats.schema.model import Segment
    from scoring.sides.corpus import SideRemark

FORMATS = ("csv", "tsv", "jsonl")
# Rows of a batch, and the first rows that show which columns there are.
ROWS = 1 << 12
LEAST_BYTES = 8  # of a row that is worth a part
BLOCK = 1 << 22
GZIP = b"\x1f\x8b"
# Columns that are not properties of segments, by the attributes of a segment.
ATTRIBUTES = {"id": "utterance", "speaker": "speaker"}
_PLAIN = ("segment", (), None)  # kind, alternations and optional words of a row with words alone


class NotPlainError(Exception):
    """Raised if rows have more than words, so that the table must be read as a whole."""


def rows_to_stream(path: str) -> int:
    """Return the number of rows, if each is a line; 0 for small tables and any other file."""
    if not os.path.isfile(path) or os.path.getsize(path) <= LEAST_BYTES * streaming.LARGE:
        return 0
    with open(path, "rb") as file:
        if file.read(2) == GZIP:
            return 0
        file.seek(0)
        lines, last = 0, b""
        while block := file.read(BLOCK):
            lines += block.count(b"\n")
            last = block[-1:]
    lines += last != b"\n"
    if lines <= streaming.LARGE:
        return 0
    try:
        with open_source(path, max_bytes=1 << 62) as source:
            name = detect_source(source).name
    except FormatError:
        return 0
    return 0 if name not in FORMATS else lines if name == "jsonl" else lines - 1  # the header


class BatchedText:
    """A text table whose columns are read in batches; it has the members of an `ArrowFile`.

    `sides` are the columns with words. `by` are columns of properties.
    """

    groups = 1
    first = 0

    def __init__(self, path: str, sides: Sequence[str], by: Sequence[str], encoding: str) -> None:
        self.name = path
        self.rows: int | None = None
        self.format = ""
        self.remarks: tuple[SideRemark, ...] = ()
        self._sides = tuple(dict.fromkeys(sides))
        self._encoding = encoding
        first = next(self._batches(), [()])[0]
        known = {key for segment in first for key, _ in segment.properties}
        known |= {"speaker"} if any(segment.speaker is not None for segment in first) else set()
        if any(value_of(segment, DURATION) is not None for segment in first):
            known.add(DURATION)
        if not known.issuperset(by):
            raise NotPlainError
        import pyarrow as pa

        columns = dict.fromkeys((*self._sides, *ATTRIBUTES, *by))
        self.schema = pa.schema([(name, pa.string()) for name in columns])

    def batches(
        self, columns: Sequence[str], leaves: Sequence[str] = (), group: int | None = None
    ) -> Iterator[Any]:
        """Yield record batches with these columns; `leaves` and `group` are ignored."""
        import pyarrow as pa

        del leaves, group
        for sides in self._batches():
            texts = {name: _texts(side) for name, side in zip(self._sides, sides, strict=True)}
            values = _values(sides[0], [name for name in columns if name not in texts])
            arrays = [pa.array({**texts, **values}[name], pa.string()) for name in columns]
            yield pa.RecordBatch.from_arrays(arrays, list(columns))

    def _batches(self) -> Iterator[list[Sequence[Segment]]]:
        """Yield the segments of batches of rows, for each column with words."""
        with ExitStack() as stack:
            streams = [stack.enter_context(self._stream(side)) for side in self._sides]
            self.format = streams[0].format
            while True:
                sides = [list(islice(segments, ROWS)) for segments in streams]
                first = [segment.line for segment in sides[0]]
                if any([segment.line for segment in side] != first for side in sides[1:]):
                    raise NotPlainError
                if not first:
                    break
                yield [*sides]
            self.remarks = tuple(
                remark
                for opened in streams
                for remark in opened.diagnostics
                if remark.severity != "note"
            )

    def _stream(self, side: str) -> SegmentStream:
        return stream(self.name, encoding=self._encoding, field=side, max_bytes=1 << 62)

    def group_rows(self, number: int) -> int:
        """Return more rows than any table has, because their number is unknown."""
        del number
        return 1 << 62

    def place(self, name: str) -> int:
        """Return the index of a column."""
        return int(self.schema.names.index(name))

    def check_texts(self, name: str) -> None:
        """Accept any column: the reader has checked the columns with words."""


def _texts(segments: Sequence[Segment]) -> list[str]:
    """Return the words of each segment as a text; NotPlainError if there is more than words."""
    words = [segment.words for segment in segments]
    texts = list(map(" ".join, words))
    are_plain = {(s.kind, s.alternations, s.optional) for s in segments} <= {_PLAIN}
    if not are_plain or list(words_of_texts(texts)) != words:
        raise NotPlainError
    return texts


def _values(segments: Sequence[Segment], names: Sequence[str]) -> dict[str, list[str | None]]:
    """Return the values of columns of names."""
    values: dict[str, list[str | None]] = {}
    facts = [dict(segment.properties) for segment in segments] if names else []
    for name in names:
        attribute = ATTRIBUTES.get(name)
        if attribute is not None:
            values[name] = [getattr(segment, attribute) for segment in segments]
        elif name == DURATION:
            values[name] = [value_of(segment, name) for segment in segments]
        else:
            values[name] = [fact.get(name) for fact in facts]
    return values


class TextInput:
    """A single text table as the input of a score; it has the members of `TableInputs`."""

    begin = 0

    def __init__(self, table: BatchedText, lines: int) -> None:
        self.table = table
        self.rows = 0
        self._lines = lines

    def __iter__(self) -> Iterator[BatchedText]:
        yield self.table

    def read(self, rows: int) -> float:
        """Count `rows` as read; return the fraction of the lines that has been read."""
        self.rows += rows
        return min(1.0, self.rows / self._lines)
