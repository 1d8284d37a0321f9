"""Writer of Parquet and Arrow tables: one row per segment, in row groups of 16,384 rows.

======================================  ==================================================
in the schema                           its column
======================================  ==================================================
recording, id, channel, speaker,        texts with these names, null if missing
tier, kind, text
start, end, confidence                  numbers; times in seconds
words, labels, nbest                    lists, as in `formats.json.json_lines`
a property in the first 16,384 rows     a text column with its name
a property only in later rows, or with  a member of the map ``properties``
the name of another column
alternations                            the first branch; alternations are counted as lost
======================================  ==================================================
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

from formats.detection.spec import SegmentSource
from formats.io.sink import Sink
from formats.json.json_lines import record_of_segment
from formats.manifests.records import RecordOut
from formats.schema.errors import OptionError
from formats.schema.refusals import LossError

UNIT = "time_unit"
"""The key in the metadata of a table that names the unit of its times."""

ArrowRow = dict[str, Any]

ROWS = 1 << 14
WORDS = 1 << 22
MOST_COLUMNS = 200
# What a column of that name would be read as.
OTHERS = frozenset({"audio", "duration"})


class _Bytes:
    """The sink as a file object for pyarrow, which closes files even after an error."""

    closed = False

    def __init__(self, sink: Sink) -> None:
        self._sink: Sink | None = sink
        self._place = 0

    def write(self, data: bytes) -> int:
        if self._sink is not None:
            self._sink.write_bytes(bytes(data))
        self._place += len(data)
        return len(data)

    def tell(self) -> int:
        return self._place

    def flush(self) -> None:
        """Do nothing: the sink flushes itself."""

    def abandon(self) -> None:
        """Discard the output, so that nobody mistakes the partial file for a complete one."""
        self._sink = None


class TableWriter:
    """Writer of record batches: each becomes one row group. After a failure, there is no table."""

    def __init__(self, sink: Sink, schema: Any, *, is_parquet: bool = True) -> None:
        import pyarrow as pa
        import pyarrow.parquet as parquet

        self._out = _Bytes(sink)
        opened = parquet.ParquetWriter if is_parquet else pa.ipc.new_file
        self._writer = opened(pa.PythonFile(self._out, "w"), schema)

    def write(self, batch: Any) -> None:
        """Add a record batch that has the table's schema."""
        self._writer.write_batch(batch)

    def __enter__(self) -> TableWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, *more: object) -> None:
        try:
            if kind is None:
                self._writer.close()
        finally:
            # pyarrow closes what is not closed
            self._out.abandon()
            self._writer.close()


def write(is_parquet: bool, segments: SegmentSource, sink: Sink, *, precision: int = 9) -> None:
    """Write a Parquet file or an Arrow file (Feather version 2)."""
    try:
        import pyarrow as pa
        import pyarrow.parquet
    except ImportError:
        raise OptionError(
            path=sink.name, expected="pyarrow to write it (the extra arrow)", found="none"
        ) from None
    parts = _some_at_once(segments, sink, precision)
    first = next(parts)
    names = _columns_of_properties(first)
    try:
        schema = _schema(names)
        with TableWriter(sink, schema, is_parquet=is_parquet) as writer:
            for records in chain([first], parts):
                for record in records:
                    _spread(record, names)
                writer.write(pa.RecordBatch.from_pylist(records, schema))
    except UnicodeEncodeError as problem:
        character = f"U+{ord(problem.object[problem.start]):04X}"
        raise LossError(path=sink.name, expected="a character of UTF-8", found=character) from None


def _some_at_once(segments: SegmentSource, sink: Sink, precision: int) -> Iterator[list[ArrowRow]]:
    """Yield lists of records, one per row group. Without segments, yield one empty list."""
    records: list[ArrowRow] = []
    words, is_first = 0, True
    for segment in segments:
        records.append(record_of_segment(RecordOut(segment, sink, precision)))
        words += len(segment.words)
        if len(records) == ROWS or words > WORDS:
            yield records
            records, words, is_first = [], 0, False
    if records or is_first:
        yield records


def _columns_of_properties(records: Iterable[ArrowRow]) -> list[str]:
    """Return the names of properties that become columns of their own."""
    reserved = OTHERS.union(_schema(()).names)
    names = {name for record in records for name in record.get("properties", ())}
    free = sorted(name for name in names if name and "\0" not in name)
    return [name for name in free if name.lower() not in reserved][:MOST_COLUMNS]


def _spread(record: ArrowRow, names: Iterable[str]) -> None:
    """Move properties to the columns that have their names."""
    properties: dict[str, str] = record.pop("properties", {})
    for name in names:
        record[name] = properties.pop(name, None)
    record["properties"] = list(properties.items()) or None


def _schema(properties: Iterable[str]) -> Any:
    import pyarrow as pa

    text, number = pa.string(), pa.float64()
    word = {"word": text, "start": number, "end": number, "confidence": number, "type": text}
    word |= {"display": text, "optional": pa.bool_(), "interpolated": pa.bool_()}
    columns = dict.fromkeys(("recording", "id", "channel", "speaker", "tier"), text)
    columns |= {"start": number, "end": number, "kind": text, "text": text}
    columns |= {"words": pa.list_(pa.struct(word)), "labels": pa.list_(text), "confidence": number}
    columns["nbest"] = pa.list_(pa.struct({"score": number, "words": pa.list_(text)}))
    columns |= dict.fromkeys(properties, text)
    columns["properties"] = pa.map_(text, text)
    return pa.schema(columns, {UNIT: "s"})
