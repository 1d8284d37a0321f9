"""Rows of tables with the words of both sides; Arrow tables are scored without copying texts."""

from __future__ import annotations

import os
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain
from operator import add
from typing import TYPE_CHECKING, Any, cast

from formats.io.folders import files_of_table
from formats.io.source import is_collection, is_url, open_source
from formats.manifests.messages import NEAR_COLUMN, NO_COLUMN, TEXT_COLUMN
from formats.manifests.records import text_of
from formats.manifests.roles import VAGUE, Roles, names_in_line
from formats.reading import detect_source, stream
from formats.reading.member_names import NAMES
from formats.schema import is_installed
from formats.schema.errors import FormatError, OptionError, SyntaxFormatError
from formats.schema.messages import Advice, Message
from formats.tables.arrow import (
    ARROW,
    PARQUET,
    STREAM,
    ArrowFile,
    first_values,
    open_tables,
    units_per_second,
    values_of,
)
from formats.tables.nested import (
    column_paths,
    holds_texts,
    holds_tokens,
    odd_tokens,
    texts_of,
)
from scoring.alignment.results import LazyColumn, taken
from scoring.alignment.texts import Texts, stream_from
from scoring.model.errors import InputError, ScoringError
from scoring.model.special_errors import RowError
from scoring.results.groups import CodedColumn
from scoring.results.metadata import Metadata, read_metadata
from scoring.score import planned_score, score, streaming
from scoring.score.conditions import ConditionColumns, column_named, columns_of_condition
from scoring.score.plan import WORDS
from scoring.score.streaming import StreamedScore, may_stream
from scoring.score.text_tables import BatchedText, NotPlainError, TextInput, rows_to_stream
from scoring.score.threads import in_order
from scoring.sides.corpus import Corpus, NamedRows, RowNumbers, SideRemark
from scoring.sides.given import Given, References, read_transcript, resolve, side_of_texts
from scoring.sides.matching.in_common import first_repeated
from scoring.sides.side_files import from_segments, is_manifest

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from scoring.options import Options
    from scoring.results.record import Shard
    from scoring.score.plan_report import PlannedScore
    from scoring.score.rates import ErrorRates

# Columns of a side that a column of a table gives.
COLUMNS = {"id": "identifiers", "speaker": "speakers"}


class TableInputs:
    """The rows of files, folders and patterns, one table at a time in bounded memory.

    For a shard, only the row groups with rows of the shard are read.
    """

    def __init__(self, paths: Sequence[str], shard: Shard | None = None) -> None:
        self._paths = paths
        self.rows = 0
        self._bytes = self._before = 0
        self._place = (0, 1, 1)
        self._chosen: range | None = None
        if shard is not None:
            self._sizes = [table.group_sizes() for table in self._tables()]
            self._chosen = shard.rows(list(chain.from_iterable(self._sizes)))
            self._bytes = self._before = 0

    @property
    def begin(self) -> int:
        """The number of rows before the first row that is read."""
        return 0 if self._chosen is None else self._chosen.start

    def __iter__(self) -> Iterator[ArrowFile]:
        if self._chosen is None:
            yield from self._tables()
            return
        row, has_rows = 0, False
        for table, sizes in zip(self._tables(), self._sizes, strict=True):
            count = sum(sizes)
            first, last = (
                min(max(border - row, 0), count) for border in (self.begin, self._chosen.stop)
            )
            row += count
            # the last one has the columns of a shard without rows
            if first < last or (not has_rows and row >= self._chosen.stop):
                has_rows = True
                table.narrow(range(first, last))
                yield table
            if row >= self._chosen.stop:
                break

    def _tables(self) -> Iterator[ArrowFile]:
        for path in self._paths:
            if path != "-":
                with open_source(path) as source:
                    self._bytes += sum(map(_size, source.parts or [path]))
        names = set[str]()
        for path in self._paths:
            # read batch by batch, whatever its size
            with open_source(path, max_bytes=1 << 62) as source:
                is_table = False
                for table in open_tables(source):
                    is_table, size = True, _size(table.name)
                    target = os.path.realpath(table.name)
                    if target in names and size:
                        raise OptionError(
                            path=table.name, expected="each table once", found="twice"
                        )
                    names.add(target)
                    self._place = (self.rows, table.rows or 0, size)
                    yield table
                    self._before += size
                if not is_table:
                    raise OptionError(path=source.name, expected="a table", found="an empty file")

    def read(self, rows: int) -> float:
        """Count `rows` as read.

        Return the fraction of the tables that has been read, from 0 to 1.
        """
        self.rows += rows
        if self._chosen is not None:
            return min(1.0, self.rows / max(1, len(self._chosen)))
        begin, count, size = self._place
        share = (self.rows - begin) / count if count else 0.0
        return min(1.0, (self._before + share * size) / max(1, self._bytes))


def _size(path: str) -> int:
    return os.path.getsize(path) if os.path.isfile(path) else 0


def name_of(paths: Sequence[str]) -> str:
    """Return the path of a single table, or the folder of the first of several tables.

    Commands may write reports beside this path.
    """
    is_one = len(paths) == 1 and (os.path.exists(paths[0]) or is_url(paths[0]))
    if is_one:
        return paths[0].rstrip("/")
    here = os.path.dirname(paths[0]) or os.path.basename(os.getcwd())
    return here or "tables"


def of_this_machine(paths: Sequence[str]) -> list[str]:
    """Return the files, folders and patterns that exist on this machine."""
    here = [path for path in paths if path != "-" and not is_url(path)]
    return [path for path in here if is_binary_table(path) is not None]


def wer_of_tables(
    paths: Sequence[str],
    references: Sequence[str],
    hypotheses: Sequence[str],
    options: Options,
    progress: Callable[[int, float], object] = lambda rows, share: None,
    *,
    is_streamed: bool = False,
    shard: Shard | None = None,
) -> list[ErrorRates]:
    """Score hypothesis columns against a reference column over files; return the error rates.

    With `is_streamed`, large tables of Parquet, CSV, TSV and JSON lines are scored in parts, and
    only counts stay in memory. With `shard`, only the rows of this shard are read, from Parquet or
    Arrow tables.
    """
    chosen = options.changed(by=(), speakers=None, metadata=None, bins=())
    is_streamed = is_streamed and len(references) == 1 and may_stream(chosen)
    sides = references, hypotheses
    if any(map(is_binary_table, paths)):
        size = size_to_stream(paths) if is_streamed else 0
        tables = TableInputs(paths, shard)
        again = partial(TableInputs, paths)
        systems = _by_columns(tables, size, again, name_of(paths), *sides, options, progress, shard)
        if systems is None:
            return wer_of_tables(paths, *sides, options, progress)
        return [
            _with_warnings(rates, paths, (*references, column))
            for rates, column in zip(systems, hypotheses, strict=True)
        ]
    systems = _of_large_text(paths, *sides, options, progress) if is_streamed else None
    if systems is None:
        left, others = _sides_of_rows(paths, *sides, options)
        systems = [score(left, right, options) for right in others]
        systems = list(map(_with_column, systems, hypotheses))
    return systems


def _of_large_text(
    paths: Sequence[str],
    references: Sequence[str],
    hypotheses: Sequence[str],
    options: Options,
    progress: Callable[[int, float], object],
) -> list[ErrorRates] | None:
    """Return the error rates of a large text table in batches; None if it is read as a whole."""
    [path, *others] = paths
    lines = 0 if others or options.speakers or options.metadata else rows_to_stream(path)
    if not lines or not is_installed("pyarrow"):
        return None
    sides = references, hypotheses
    try:
        names = (*options.by, *names_of(options))
        table = BatchedText(path, (*references, *hypotheses), names, options.encoding)
    except (NotPlainError, FormatError):  # which the reader of the whole reports
        return None
    tables = TextInput(table, lines)
    try:
        systems = _by_columns(
            tables, lines, lambda: tables, name_of(paths), *sides, options, progress
        )
    except NotPlainError:
        return None
    return systems and [
        rates._replace(reader_messages=(*table.remarks, *rates.reader_messages))
        for rates in systems
    ]


def _by_columns(
    tables: TableInputs | TextInput,
    size: int,
    again: Callable[[], Iterable[ArrowFile | BatchedText]],
    name: str,
    references: Sequence[str],
    hypotheses: Sequence[str],
    options: Options,
    progress: Callable[[int, float], object],
    shard: Shard | None = None,
) -> list[ErrorRates] | None:
    """Score columns of tables; None if tables in parts have no row with both texts.

    A `size` above 0 is the number of rows, which are then scored in parts; `again` opens the tables
    another time.
    """
    metadata = read_metadata(options)
    by = [name for name in options.by if name not in metadata.columns]
    where = [name for name in names_of(options) if name not in metadata.columns]
    names = ("id", "speaker") if options.metadata is None else ("id", "speaker", "recording")
    read = _Columns(references, hypotheses, names, by, tables.begin, again, where)
    chosen = options.changed(by=(), speakers=None, metadata=None, bins=())
    if len(where) < len(names_of(options)):
        size = 0  # the level of the metadata follows from all rows
    parts = [
        StreamedScore(chosen, size, _Again(again, (*references, hypothesis), name).sides, shard)
        for hypothesis in (hypotheses if size else ())
    ]
    for table in tables:
        for rows in read.add(table, options.jobs):
            share = tables.read(rows)
            progress(tables.rows, share)
            if parts and len(read) - read.before >= streaming.PART:
                _add_part(parts, read.take(name))
    if parts and len(read) > read.before:
        _add_part(parts, read.take(name))
    read.check_names(name)
    results = [part.result() for part in parts]
    systems = [rates for rates in results if rates is not None]
    if len(systems) < len(results):
        return None
    if not parts:
        sides = read.sides(name)
        sides[0] = _with_joined(sides[0], metadata, read, options)
        left, others = _one_or_several(sides, len(references))
        systems = [score(left, right, chosen, shard) for right in others]
    systems = [read.named(rates, (*by, *names[2:])) for rates in systems]
    systems = [
        rates._replace(reader_messages=(*rates.reader_messages, *read.remarks)) for rates in systems
    ]
    systems = list(map(_with_column, systems, hypotheses))
    if not options.by and options.metadata is None and not options.bins:
        return systems
    return [_with_metadata(rates, metadata, options, name) for rates in systems]


def _with_joined(side: Corpus, metadata: Metadata, read: _Columns, options: Options) -> Corpus:
    """Return a reference with the metadata columns by which its rows are chosen."""
    names = [name for name in names_of(options) if name in metadata.columns]
    if not names:
        return side
    columns = metadata.values(read.keys(), options.metadata_key)
    return side._replace(columns={**side.columns, **{name: columns[name] for name in names}})


def names_of(options: Options) -> list[str]:
    """Return the names of the properties by which rows are chosen."""
    if not options.where:
        return []
    from scoring.model.row_conditions import conditions_of

    return list(dict.fromkeys(condition.name for condition in conditions_of(options.where)))


def _add_part(parts: Sequence[StreamedScore], sides: Sequence[Corpus]) -> None:
    """Add the next rows to each system's score in `parts`; the first side is the reference."""
    left, *others = sides
    for part, right in zip(parts, others, strict=True):
        part.add(left, right)


def columns_to_stream(path: str, options: Options) -> tuple[str, str] | None:
    """Return the columns of both sides of a large table that is named alone.

    The result is None if the table is small, if its words are needed as a whole, or if names do not
    show the columns of both sides and of all groups.
    """
    plain = options.changed(by=(), bins=(), where=())
    if options.metadata is not None or options.speakers is not None or not may_stream(plain):
        return None
    is_binary = is_binary_table(path)
    if not (size_to_stream([path]) if is_binary else rows_to_stream(path)):
        return None
    sides: list[str] = []
    for side in ("reference", "hypothesis"):
        column = column_of_side(side, [path], sides, options.encoding)
        if column is None:
            return None
        sides.append(column)
    names = _names_of_columns(path, None, options.encoding)
    if is_binary:
        table = next(iter(TableInputs([path])))
        if not all(holds_texts(table.path(name).kind) for name in sides):
            return None
        names = table.schema.names
    roles = roles_of(names, sides[0])
    known = {*names, *(["speaker"] if "speaker" in roles else [])}
    # whatever else these are in the segments of a table
    known -= {roles.get("id", ""), "recording", "channel", "label"}
    is_known = known.issuperset((*options.by, *names_of(options)))
    return (sides[0], sides[1]) if is_known else None


def size_to_stream(paths: Sequence[str]) -> int:
    """Return the number of rows of large tables; 0 if they are small or cannot be read twice."""
    if "-" in paths:
        return 0
    rows = 0
    for table in TableInputs(paths):
        if table.rows is None:
            return 0
        rows += table.rows
    return rows if rows > streaming.LARGE else 0


class _Again:
    """Reads ranges of table rows again. Consecutive ranges are read in one pass."""

    def __init__(
        self,
        tables: Callable[[], Iterable[ArrowFile | BatchedText]],
        columns: Sequence[str],
        name: str,
    ) -> None:
        self._tables, self._columns, self._name = tables, columns, name
        self._batches: Iterator[Any] = iter(())
        self._row = -1

    def sides(self, begin: int, end: int) -> tuple[Corpus, Corpus]:
        """Return both sides of the rows from `begin` to `end`."""
        read = _Columns(self._columns, ())
        read.before, read.format = begin, "parquet"
        for batch in self._rows(begin, end):
            for side, texts in read.texts.items():
                _add_texts(texts, batch, self._name, side, 0)
        left, right = read.sides(self._name)
        return left, right

    def names(self, begin: int, end: int) -> list[str | None]:
        """Return the names in the only column, in the rows from `begin` to `end`."""
        return [
            name
            for batch in self._rows(begin, end)
            for name in _names_of_rows(batch.column(0), self._name)
        ]

    def _rows(self, begin: int, end: int) -> Iterator[Any]:
        """Yield the batches of the rows from `begin` to `end`."""
        if begin != self._row:
            self._batches = self._from(begin)
        self._row = begin
        while self._row < end:
            batch = next(self._batches, None)
            if batch is None:
                return
            if len(batch) > end - self._row:
                rest = batch.slice(end - self._row)
                batch, self._batches = batch.slice(0, end - self._row), chain([rest], self._batches)
            yield batch
            self._row += len(batch)

    def _from(self, begin: int) -> Iterator[Any]:
        """Yield the batches of rows from row `begin` on."""
        row = 0
        for table in self._tables():
            for group in range(table.groups):
                size = table.group_rows(group)
                if row + size > begin:
                    for batch in table.batches(self._columns, group=group):
                        if row + len(batch) > begin:
                            yield batch.slice(max(0, begin - row))
                        row += len(batch)
                else:
                    row += size


class _NamesAgain(LazyColumn[str]):
    """The names of the rows of a large table, which are read again on access."""

    __slots__ = ("_begin", "_names", "_read")

    def __init__(self, rows: Sequence[int], read: Callable[[int, int], list[str | None]]) -> None:
        super().__init__(rows)
        self._read = read
        self._begin = 0
        self._names: list[str | None] = []

    def value(self, row: int) -> str:
        """Return the name of a row."""
        if not self._begin <= row < self._begin + len(self._names):
            self._begin = row - row % streaming.PART
            self._names = self._read(self._begin, self._begin + streaming.PART)
        return self._names[row - self._begin] or ""

    def of_rows(self, rows: Sequence[int]) -> _NamesAgain:
        """Return the names of the rows at the given positions."""
        return _NamesAgain(rows, self._read)


def plan_of_tables(
    paths: Sequence[str],
    references: Sequence[str],
    hypotheses: Sequence[str],
    options: Options,
    usual: Mapping[str, Any] = WORDS,
    *,
    counts_rows: bool = False,
) -> PlannedScore:
    """Return the plan of `wer_of_tables`; with `counts_rows`, the plan that engines use."""
    if not any(map(is_binary_table, paths)):
        left, others = _sides_of_rows(paths, references, hypotheses, options)
        return planned_score(left, others, options, usual)
    read, rows, columns = (
        _Columns(references, hypotheses),
        0,
        (*references, *hypotheses),
    )
    for table in TableInputs(paths):
        if not counts_rows or table.rows is None:
            rows += sum(read.add(table, options.jobs))
            continue
        check_columns(table, references, hypotheses)
        read.format = "parquet"
        rows += table.rows
    sides = read.sides(name_of(paths))
    if counts_rows:
        sides = [side._replace(identifiers=RowNumbers(range(rows))) for side in sides]
    left, others = _one_or_several(sides, len(references))
    planned = planned_score(left, others, options, usual)
    notes = (*planned.plan.notes, *warnings_of_tokens(paths, columns))
    planned.plan = planned.plan._replace(notes=notes)
    return planned


def warnings_of_tokens(paths: Sequence[str], columns: Sequence[str]) -> list[Message]:
    """Return a warning for each token list column whose tokens differ from the words of its text.

    All engines check the first rows of tables on this machine.
    """
    from formats.schema.messages import Message
    from formats.tables.messages import TABLE_TOKENS
    from scoring.score.doubts import SAMPLED_ROWS

    tokens, rows = {name: [0, 0] for name in columns}, 0
    for table in TableInputs(of_this_machine(paths)):
        lists = [name for name in tokens if holds_tokens(table.path(name).kind)]
        if not lists:
            break
        for batch in table.batches(lists):
            for name in lists:
                odd = odd_tokens(batch.column(name))
                tokens[name] = [*map(add, tokens[name], odd)]
            rows += len(batch)
            if rows >= SAMPLED_ROWS:
                break
        if rows >= SAMPLED_ROWS:
            break
    return [
        Message(TABLE_TOKENS, {"path": f"{name_of(paths)}:{name}", "tokens": odd, "total": total})
        for name, (odd, total) in tokens.items()
        if odd
    ]


def doubts_of_tables(
    paths: Sequence[str], columns: Sequence[str], options: Options
) -> list[Message]:
    """Return warnings about the first rows of tables on this machine, before an engine sums them.

    Rows that cannot be scored are skipped; the engine reports them.
    """
    import pyarrow as pa

    from scoring.score.doubts import SAMPLED_ROWS, among

    batches: list[Any] = []
    for table in TableInputs(of_this_machine(paths)):
        for batch in table.batches(columns):
            batches.append(text_batch(batch, columns))
            if sum(map(len, batches)) >= SAMPLED_ROWS:
                break
    if not batches:
        return []
    rows = pa.Table.from_batches(batches)
    rows = rows.slice(0, SAMPLED_ROWS).drop_null()
    try:
        sides = [
            cast("Corpus", resolve(rows.column(name), role))._replace(
                name=f"{name_of(paths)}:{name}", format="parquet"
            )
            for role, name in zip(("reference", "hypothesis"), columns, strict=True)
        ]
        return among(score(sides[0], sides[1], options.changed(by=(), measures=())).remarks)
    except (ScoringError, ValueError):
        return []


def _with_warnings(rates: ErrorRates, paths: Sequence[str], columns: Sequence[str]) -> ErrorRates:
    """Return the result with the warnings about its token columns."""
    warnings = warnings_of_tokens(paths, columns)
    messages = (*rates.reader_messages, *warnings)
    return rates._replace(reader_messages=messages) if warnings else rates


def _with_column(rates: ErrorRates, column: str) -> ErrorRates:
    """Return the result with options that read a hypothesis from a column of this name."""
    basis = rates.basis
    if basis is None or basis.options is None:
        return rates
    options = basis.options.changed(hypothesis_options={"field": column})
    return rates._replace(basis=basis._replace(options=options))


def _with_metadata(
    rates: ErrorRates, metadata: Metadata, options: Options, name: str
) -> ErrorRates:
    """Return the result with metadata columns as groups; numbers are grouped in ranges."""
    recordings = rates.groups.get("recording", CodedColumn(bytes(len(rates)), [None]))
    keys = {"utterance": rates.identifiers, "recording": recordings, "speaker": rates.speakers}
    words = _ReferenceTokens(rates.aligned.counts)
    groups, notes = metadata.groups(options, rates.groups, keys, words, name)
    return rates._replace(groups=groups, reader_messages=(*rates.reader_messages, *notes))


def _one_or_several(sides: Sequence[Corpus], number: int) -> tuple[Given, Sequence[Corpus]]:
    """Return the first `number` sides as the reference or references, and the remaining sides."""
    return sides[0] if number == 1 else References(sides[:number]), sides[number:]


def roles_of(names: Sequence[str], text: str) -> dict[str, str]:
    """Return the columns of names and groups by role.

    `text` is the text column, maybe a nested one.
    """
    return Roles(names if text in names else [*names, text], text).by_role


def may_read_part(paths: Sequence[str]) -> bool:
    """Return True if the rows of a shard can be read without reading the rest of the tables."""
    return "-" not in paths and all(map(is_binary_table, paths))


def is_binary_table(path: str) -> bool | None:
    """Return True if a path is Parquet or Arrow, False for other files, None if it is missing."""
    signatures = (PARQUET, ARROW[:4], STREAM)
    if is_url(path):
        with open_source(path) as source:
            source.head(1)
            return source.signature[:4] in signatures
    if os.path.isfile(path):
        with open(path, "rb") as file:
            return file.read(4) in signatures
    return path == "-" or bool(files_of_table(path)) or None


def _sides_of_rows(
    paths: Sequence[str], references: Sequence[str], hypotheses: Sequence[str], options: Options
) -> tuple[Given, Sequence[Corpus]]:
    """Return columns of text tables: one reference (or several), and the hypotheses."""
    columns = {"reference": references, "hypothesis": hypotheses}
    names = (*references, *hypotheses)
    sides = [_rows(paths, name, side, names, options) for side in columns for name in columns[side]]
    return _one_or_several(sides, len(references))


def column_of_side(
    side: str, paths: Sequence[str], chosen: Sequence[str], encoding: str
) -> str | None:
    """Return the only column that has the usual name of a side's words; None if there is no such.

    `chosen` are the columns of the other side. Several columns are none, except that `pred_text`
    is always the hypothesis. Only the first table is looked at, if it is on this machine.
    """
    try:
        columns = [
            name
            for name in _names_of_columns(paths[0], (*chosen, None)[0], encoding)
            if name not in chosen
        ]
    except (FormatError, OSError):
        # the table is read again, with its errors, such as that it has no column of that name
        if side == "hypothesis" or not chosen or len(paths) > 1:
            return None
        if (column := column_of_side(side, paths, [], encoding)) is None:
            raise
        return column
    usual = NAMES["text" if side == "reference" else "pred_text"].usual
    named = [name for name in columns if name.lower() in usual]
    certain = [name for name in named if name.lower() not in VAGUE] or named
    if side == "hypothesis" and usual[0] in certain:
        return usual[0]
    return certain[0] if len(certain) == 1 else None


def are_tables_of_both(folder: str) -> bool:
    """Return True if a folder has Parquet or Arrow tables with the words of both sides."""
    if not is_binary_table(folder):
        return False
    reference = column_of_side("reference", [folder], [], "auto")
    return reference is not None and bool(
        column_of_side("hypothesis", [folder], [reference], "auto")
    )


def _names_of_columns(path: str, column: str | None, encoding: str) -> list[str]:
    """Return the names of a table's columns; `column` is the name of one with texts.

    Without it, the first line of a text table shows the names.
    """
    if not of_this_machine([path]):
        return []
    if is_binary_table(path):
        return column_paths(next(iter(TableInputs([path]))).schema)
    if column is None:
        with open_source(path) as source:
            return names_in_line(next(iter(source.head_lines()), ""))
    _check_is_table(path)
    with stream(path, encoding=encoding, field=column) as segments:
        first = next(iter(segments), None)
    return [] if first is None else [name for name, _ in first.properties]


def is_table(path: str) -> bool:
    """Return True if a readable file is a table."""
    try:
        _check_is_table(path)
    except (FormatError, OSError):
        return False
    return True


def _check_is_table(path: str) -> None:
    if is_collection(path):
        return
    with open_source(path) as source:
        name = detect_source(source).name
    if not is_manifest(name):
        expected = "a table (CSV, TSV, Excel, JSON lines, Parquet or Arrow)"
        raise OptionError(path=path, expected=expected, found=name)


def check_columns(
    table: ArrowFile | BatchedText, references: Sequence[str], hypotheses: Sequence[str]
) -> None:
    """Reject names of text columns that a table lacks, and columns without texts."""
    names = (*references, *hypotheses)
    for place, name in enumerate(names):
        try:
            table.check_texts(name)
        except OptionError as error:
            side = "reference" if place < len(references) else "hypothesis"
            _advise_column(error, side, names)
            raise


def _advise_column(error: FormatError, side: str, chosen: Sequence[str]) -> None:
    """Name the option of a missing column in the error; never suggest a column that was chosen."""
    value = error.value
    if value is None:
        return
    if value.entry in (NO_COLUMN, NEAR_COLUMN):
        near = [name for name in value.fields.get("near", ()) if name not in chosen]
        fields = {name: value.fields[name] for name in ("column", "names")}
        value = (
            Message(NEAR_COLUMN, {**fields, "near": near}) if near else Message(TEXT_COLUMN, fields)
        )
    error.value = value.with_option("field", Advice(f"{side}_column", "NAME"))
    error.message = str(error.value)


def _rows(
    paths: Sequence[str], column: str, side: str, sides: Sequence[str], options: Options
) -> Corpus:
    """Return the utterances in a column of all files; `sides` are the columns of both sides."""
    segments: list[Segment] = []
    remarks: list[SideRemark] = []
    for path in paths:
        _check_is_table(path)
        try:
            table = read_transcript(path, None, options.encoding, {"field": column}, "")
        except (SyntaxFormatError, OptionError) as error:
            _advise_column(error, side, sides)
            raise
        segments += table
        remarks += [remark for remark in table.diagnostics if remark.severity != "note"]
        kind = table.format
    is_named = all(segment.utterance is not None for segment in segments)
    if not is_named:
        segments = [
            segment.replace(utterance=f"{row:06d}") for row, segment in enumerate(segments, 1)
        ]
    name = f"{name_of(paths)}:{column}"
    corpus = from_segments(segments, name, kind, tuple(remarks))
    return corpus._replace(by_position=True)  # rows of one table


def name_values(column: Any, source: str) -> tuple[list[str | None], Any]:
    """Return the distinct values of a column as JSON text, and an array of value positions."""
    import pyarrow as pa
    import pyarrow.types as types

    if types.is_nested(column.type):
        raise InputError(source, None, None, f"expected texts or numbers, found {column.type}")
    try:
        if not types.is_dictionary(column.type):
            column = column.dictionary_encode()
        values = values_of(column.dictionary)
    except (pa.ArrowException, ValueError) as problem:
        raise InputError(source, None, None, " ".join(str(problem).split())) from None
    return [None if value is None else text_of(value) for value in values], column.indices


def _names_of_rows(column: Any, source: str) -> list[str | None]:
    """Return the name in each row of a column; None for null."""
    texts, indices = name_values(column, source)
    return [None if place is None else texts[place] for place in indices.to_pylist()]


class _Identifiers:
    """A column of identifiers: those of the rows read last, and the hashes of all.

    Identifiers that are not in memory are read again on access.
    """

    def __init__(self, begin: int, again: Callable[[int, int], list[str | None]]) -> None:
        self.begin = begin  # the number of the first row in `values`
        self.values: list[str | None] = []
        self.has_gaps = False
        self._hashes = array("q")
        self._again = _NamesAgain((), again)

    def add(self, column: Any, source: str) -> None:
        """Add the rows of a batch."""
        names = _names_of_rows(column, source)
        self.has_gaps = self.has_gaps or None in names
        self.values += names
        self._hashes.extend(map(hash, names))

    def forget(self) -> None:
        """Release the identifiers of the rows that were read so far."""
        self.begin += len(self.values)
        self.values = []

    def __getitem__(self, row: int) -> str | None:
        place = row - self.begin
        return self.values[place] if 0 <= place < len(self.values) else self._again.value(row)

    def of_rows(self, first: int, number: int) -> Sequence[Any]:
        """Return the identifiers of all rows, from row `first` on."""
        return self.values if self.begin == first else self._again.of_rows(range(number))

    def all_differ(self) -> bool:
        """Return True if no two hashes are equal. The hashes are used up."""
        import numpy as np

        hashes = np.frombuffer(self._hashes, np.int64)
        self._hashes = array("q")  # their memory is needed no more
        hashes.sort()
        return not bool((hashes[1:] == hashes[:-1]).any())


class _Names:
    """A column of names of groups, as codes."""

    def __init__(self) -> None:
        self._codes = array("i")
        self._known: dict[str | None, int] = {}

    def add(self, column: Any, source: str) -> None:
        """Add the rows of a batch."""
        import numpy as np

        texts, indices = name_values(column, source)
        every = self._known
        codes = [every.setdefault(text, len(every)) for text in texts]
        if indices.null_count:
            # the last one, which -1 names
            codes.append(every.setdefault(None, len(every)))
            indices = indices.fill_null(-1)
        places = indices.to_numpy(zero_copy_only=False)
        self._codes.frombytes(np.array(codes, np.int32)[places].tobytes())

    @property
    def values(self) -> Sequence[str | None]:
        """The names of all rows."""
        return CodedColumn(self._codes, list(self._known))


class _ReferenceTokens(LazyColumn[int]):
    """The number of reference tokens of each utterance, computed on access."""

    __slots__ = ()

    def value(self, row: Any) -> int:
        """Return the number of the tokens of an utterance."""
        return int(row.reference_tokens)


class _Columns:
    """The columns of all rows: texts in Arrow's memory, names and groups as Python objects."""

    def __init__(
        self,
        references: Sequence[str],
        hypotheses: Sequence[str],
        named: Sequence[str] = (),
        by: Sequence[str] = (),
        begin: int = 0,
        again: Callable[[], Iterable[ArrowFile | BatchedText]] = tuple,
        where: Sequence[str] = (),
    ) -> None:
        self._again = again
        self._references, self._hypotheses = references, hypotheses
        self.texts = {side: Texts() for side in (*references, *hypotheses)}
        self.format = ""
        self._begin = begin  # the number of the first row
        self.before = begin  # rows before the texts: those that were taken, or are not read
        self._named = named
        self._by = by
        # of the rows that were read last, the values by which rows are chosen
        self._values: dict[str, list[str | None]] = {name: [] for name in where}
        self.remarks: list[Message] = []
        self._names: dict[str, _Names | _Identifiers] = {}

    def sides(self, name: str) -> list[Corpus]:
        """Return the text columns as sides; `name` is the name of the tables."""
        sides = [
            side_of_texts(side, texts, self.before)._replace(
                name=f"{name}:{side}", format=self.format
            )
            for side, texts in self.texts.items()
        ]
        if self._values:
            sides[0] = sides[0]._replace(columns=self._values, begin=self.before)
        column = self._names.get("id")
        if not isinstance(column, _Identifiers) or column.has_gaps:
            return sides
        rows = (cast("RowNumbers", side.identifiers).rows for side in sides)
        identifiers = (NamedRows(of_side, column, 0) for of_side in rows)
        return [
            side._replace(identifiers=ids) for side, ids in zip(sides, identifiers, strict=True)
        ]

    def take(self, name: str) -> list[Corpus]:
        """Return the texts read since the last call, as sides, and release their memory."""
        sides = self.sides(name)
        self.before += len(next(iter(self.texts.values())))
        self.texts = {side: Texts() for side in self.texts}
        self._values = {name: [] for name in self._values}
        if isinstance(column := self._names.get("id"), _Identifiers):
            column.forget()
        return sides

    def __len__(self) -> int:
        return self.before - self._begin + len(next(iter(self.texts.values())))

    def add(self, table: ArrowFile | BatchedText, jobs: int) -> Iterator[int]:
        """Read all rows of a table; yield the number of rows read so far."""
        check_columns(table, self._references, self._hypotheses)
        columns = self._columns_of(table)
        if self.format and set(columns) != set(self._names):
            name = min(set(columns) ^ set(self._names))
            raise OptionError(
                path=table.name, expected=f"a column {name!r} in all files or none", found="some"
            )
        if isinstance(table, BatchedText):
            self.format = table.format
        else:
            self.format = "arrow" if table.rows is None else "parquet"
        for name in columns:
            if name not in self._names:
                self._names[name] = _Names()
                if name == "id":
                    names = _Again(self._again, [columns[name]], table.name).names
                    self._names[name] = _Identifiers(self.before, names)
        # errors count the rows of the file
        begin = self._begin + len(self) - table.first
        conditions = self._columns_of_conditions(table)
        chosen_by = chain.from_iterable(each.names for each in conditions.values())
        selected = list(dict.fromkeys((*self.texts, *columns.values(), *chosen_by)))
        batches = table.batches(selected)
        if jobs > 1:

            def group(number: int) -> list[Any]:
                return list(table.batches(selected, group=number))

            batches = chain.from_iterable(in_order(group, table.groups, jobs))
        for batch in batches:
            for side, texts in self.texts.items():
                _add_texts(texts, batch, table.name, side, begin - self.before)
            for name, column in columns.items():
                self._names[name].add(batch.column(column), f"{table.name}: {column}")
            for name, each in conditions.items():
                values = [
                    _names_of_rows(batch.column(column), f"{table.name}: {column}")
                    for column in each.names
                ]
                self._values[name] += each.values(values)
            yield len(batch)

    def _columns_of(self, table: ArrowFile | BatchedText) -> dict[str, str]:
        """Return the columns of names and groups by their roles."""
        by_role = roles_of(table.schema.names, next(iter(self.texts)))
        columns_by_role: dict[str, str] = {
            name: by_role[name]
            for name in self._named
            # sound itself is no name of a recording
            if name in by_role
            and (name != "recording" or holds_texts(table.schema.field(by_role[name]).type))
        }
        for name in self._by:
            columns_by_role[name] = column_named(name, table.schema.names, by_role)
        for column in columns_by_role.values():
            table.place(column)
        return columns_by_role

    def _columns_of_conditions(self, table: ArrowFile | BatchedText) -> dict[str, ConditionColumns]:
        """Return the columns by which rows are chosen, by the names in conditions."""
        if not self._values:
            return {}
        text = next(iter(self.texts))
        by_role = roles_of(table.schema.names, text)
        first = partial(_first_rows, table)
        unit = units_per_second(table) if isinstance(table, ArrowFile) else 0
        columns = {
            name: columns_of_condition(name, table.schema.names, by_role, text, first, unit)
            for name in self._values
        }
        for each in columns.values():
            for column in each.names:
                table.place(column)
            if (remark := each.remark(table.name)) and remark not in self.remarks:
                self.remarks.append(remark)
        return columns

    def keys(self) -> dict[str, Sequence[str | None]]:
        """Return the identifiers of all rows by level, as metadata name them; None if unknown."""
        unknown = CodedColumn(bytes(len(self)), [None])
        numbers = RowNumbers(range(self._begin, self._begin + len(self)))
        values: dict[str, Sequence[str | None]] = {
            name: names.values for name, names in self._names.items() if name != "id"
        }
        return {
            "utterance": self._identifiers if "id" in self._names else numbers,
            "recording": values.get("recording", unknown),
            "speaker": values.get("speaker", unknown),
        }

    def check_names(self, path: str) -> None:
        """Reject repeated identifiers; drop an identifier column with missing values."""
        column = self._names.get("id")
        if not isinstance(column, _Identifiers):
            return
        if column.has_gaps or not len(self):
            del self._names["id"]
        elif not column.all_differ() and (repeated := first_repeated(list(self._identifiers))):
            row = repeated[1]
            problem = f"expected an identifier not used before, found {self._identifiers[row]!r}"
            raise InputError(path, row + 1, None, problem)

    @property
    def _identifiers(self) -> Sequence[Any]:
        """The identifiers of all rows."""
        column = self._names["id"]
        assert isinstance(column, _Identifiers)
        return column.of_rows(self._begin, len(self))

    def named(self, rates: ErrorRates, by: Sequence[str]) -> ErrorRates:
        """Return the result with the names and groups of its rows."""
        assert isinstance(rates.identifiers, RowNumbers)
        rows = rates.identifiers.rows
        every: dict[str, Any] = {
            name: self._identifiers if name == "id" else names.values
            for name, names in self._names.items()
        }
        are_all = len(rows) == len(self)
        if self._begin and not are_all:
            rows = [row - self._begin for row in rows]
        chosen = every if are_all else {name: taken(every[name], rows) for name in every}
        basis = rates.basis
        if basis is not None:
            changes = {COLUMNS[name]: every[name] for name in every if name in COLUMNS}
            if "id" in every:
                changes["by_position"] = False
            named = tuple(side._replace(**changes) for side in basis.references)
            basis = basis._replace(references=named)
        unknown = CodedColumn(bytes(len(rates)), [None])
        return rates._replace(
            basis=basis,
            identifiers=chosen.get("id", rates.identifiers),
            speakers=chosen.get("speaker", rates.speakers),
            groups={name: chosen.get(name, unknown) for name in by},
        )


def text_batch(batch: Any, columns: Sequence[str]) -> Any:
    """Return text columns as a record batch, with the tokens of lists joined."""
    import pyarrow as pa

    return pa.RecordBatch.from_arrays([texts_of(batch.column(n)) for n in columns], list(columns))


def _first_rows(table: ArrowFile | BatchedText) -> dict[str, list[Any]]:
    """Return the values of the first rows; none if the reader of a text converts the times."""
    return {} if isinstance(table, BatchedText) else first_values(table)


def _add_texts(texts: Texts, batch: Any, path: str, name: str, begin: int) -> None:
    """Add the rows of a column; errors report row numbers relative to `begin`."""
    stream = stream_from(text_batch(batch, [name]))
    assert stream is not None
    rows = stream.next()
    assert rows is not None
    try:
        texts.add(stream, rows, 0)
    except RowError as error:
        raise InputError(path, error.row - begin, None, f"{name}: {error.problem}") from None
    except ValueError as problem:
        raise InputError(path, None, None, f"{name}: {problem}") from None
