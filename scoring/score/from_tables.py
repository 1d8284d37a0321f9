"""Rows of tables with the words of both sides; Arrow tables are scored without copying texts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from operator import add
from typing import TYPE_CHECKING, Any, cast

from formats.schema import is_installed
from formats.schema.errors import FormatError, OptionError, SyntaxFormatError
from formats.schema.messages import Message
from formats.tables.arrow import (
    ArrowFile,
)
from formats.tables.nested import (
    holds_texts,
    holds_tokens,
    odd_tokens,
)
from scoring.alignment.results import LazyColumn
from scoring.model.errors import ScoringError
from scoring.results.groups import CodedColumn
from scoring.results.metadata import Metadata, read_metadata
from scoring.score import planned_score, score, streaming
from scoring.score.plan import WORDS
from scoring.score.streaming import StreamedScore, may_stream
from scoring.score.table_columns import RowsAgain, TableColumns, text_batch
from scoring.score.table_inputs import (
    TableInputs,
    advise_column,
    check_columns,
    check_is_table,
    column_of_side,
    is_binary_table,
    name_of,
    names_of_columns,
    of_this_machine,
    roles_of,
)
from scoring.score.text_tables import BatchedText, NotPlainError, TextInput, rows_to_stream
from scoring.sides.corpus import Corpus, RowNumbers, SideRemark
from scoring.sides.given import Given, References, read_transcript, resolve
from scoring.sides.side_files import from_segments

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from scoring.options import Options
    from scoring.results.record import Shard
    from scoring.score.plan_report import PlannedScore
    from scoring.score.rates import ErrorRates


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
    read = TableColumns(references, hypotheses, names, by, tables.begin, again, where)
    chosen = options.changed(by=(), speakers=None, metadata=None, bins=())
    if len(where) < len(names_of(options)):
        size = 0  # the level of the metadata follows from all rows
    parts = [
        StreamedScore(chosen, size, RowsAgain(again, (*references, hypothesis), name).sides, shard)
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


def _with_joined(side: Corpus, metadata: Metadata, read: TableColumns, options: Options) -> Corpus:
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
    names = names_of_columns(path, None, options.encoding)
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
        TableColumns(references, hypotheses),
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


def _sides_of_rows(
    paths: Sequence[str], references: Sequence[str], hypotheses: Sequence[str], options: Options
) -> tuple[Given, Sequence[Corpus]]:
    """Return columns of text tables: one reference (or several), and the hypotheses."""
    columns = {"reference": references, "hypothesis": hypotheses}
    names = (*references, *hypotheses)
    sides = [_rows(paths, name, side, names, options) for side in columns for name in columns[side]]
    return _one_or_several(sides, len(references))


def _rows(
    paths: Sequence[str], column: str, side: str, sides: Sequence[str], options: Options
) -> Corpus:
    """Return the utterances in a column of all files; `sides` are the columns of both sides."""
    segments: list[Segment] = []
    remarks: list[SideRemark] = []
    for path in paths:
        check_is_table(path)
        try:
            table = read_transcript(path, None, options.encoding, {"field": column}, "")
        except (SyntaxFormatError, OptionError) as error:
            advise_column(error, side, sides)
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


class _ReferenceTokens(LazyColumn[int]):
    """The number of reference tokens of each utterance, computed on access."""

    __slots__ = ()

    def value(self, row: Any) -> int:
        """Return the number of the tokens of an utterance."""
        return int(row.reference_tokens)
