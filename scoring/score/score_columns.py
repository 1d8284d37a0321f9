"""Scores appended to a table, batch by batch, in the memory of one batch."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from formats.schema.errors import close_names
from formats.tables.nested import (
    column_at,
    holds_texts,
    holds_tokens,
    selectable,
    selected,
    texts_of,
)
from scoring.alignment.frames import Values, buffers_of, rates_of_counts
from scoring.alignment.results import Framed
from scoring.alignment.texts import Batch, Stream, Texts, stream_from, stream_of
from scoring.model.combinations import SCORE_COLUMNS, check
from scoring.model.counts import CHARACTER_UNITS, CHARACTERS_AND_BLANKS, Counts, Edit
from scoring.model.errors import InputError, OptionValueError
from scoring.options import Options
from scoring.score import score
from scoring.score.doubts import DoubtsOfBatches
from scoring.sides.given import side_of_rows

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from typing_extensions import Unpack

    from formats.schema.messages import Message
    from formats.tables.nested import ColumnPath
    from scoring.options import ChoicesOfTables, Unit
    from scoring.results.measured import MeasureSpec
    from scoring.score.rates import ErrorRates

Made: TypeAlias = "tuple[int, list[tuple[Any, ...]]]"
_Sum = TypeVar("_Sum")
_ROWS_OF_DATASET = 1 << 14
MEASURES = ("wer", "cer")
COUNTS = Counts._fields
_LETTERS = bytes(ord(edit.letter) for edit in Edit).ljust(256, b"?")


class ScoredColumns(Framed):
    """A table with its scores: a stream that can be read once, in the original row order.

    Any library that reads Arrow accepts it; see also `to_arrow`, `to_polars`, `to_pandas`.

    Attributes
    ----------
    counts
        A mapping from a measure's name to the sum of its counts over all rows. ValueError before
        the last row is read.
    rows, unscored
        Number of rows, and of rows without a score because a text is null. ValueError before the
        last row is read.
    columns
        Names of the columns: first the kept columns, then the columns of each measure.
    doubts
        Warnings of scores that are probably not intended, for example because of garbled letters or
        texts of other recordings. They come from the batches of the first 10,000 rows. ValueError
        before the last row is read.
    problem
        The error that ended the stream early, for libraries that report only a text.
    """

    def __init__(
        self,
        stream: Stream,
        places: tuple[int, int],
        kept: Sequence[int],
        measures: Sequence[str],
        edits: bool,
        options: Options,
        counted: Sequence[MeasureSpec] = (),
    ) -> None:
        self._stream = stream
        self._places = places
        self._kept = kept
        self._edits = edits
        self._options = options
        self._counted = counted
        self.problem: Exception | None = None
        self._taken = False
        self._is_whole = False
        self._counts = {measure: Counts() for measure in measures}
        self._rows = self._unscored = 0
        self._doubts = DoubtsOfBatches()
        self._fields: list[tuple[Any, str | int]] = [(stream, position) for position in kept]
        for measure in measures:
            self._fields += [(measure, "g"), *((f"{measure}_{name}", "i") for name in COUNTS)]
            if edits:
                self._fields.append((f"{measure}_edits", "U"))
        self._fields += [
            (f"{spec.name}_{column}", "l") for spec in counted for column in spec.columns
        ]
        names = stream.names()
        self.columns = [
            name if isinstance(name, str) else names[int(field)] for name, field in self._fields
        ]

    def without_doubts(self) -> ScoredColumns:
        """Turn off the checks for doubtful scores, which need the words; return this object."""
        self._doubts.most_rows = 0
        return self

    def __repr__(self) -> str:
        return (
            f"<ScoredColumns with {', '.join(self.columns)}: "
            "read them once with to_pandas(), to_polars() or to_arrow()>"
        )

    @property
    def counts(self) -> dict[str, Counts]:
        """A mapping from a measure's name to the sum of its counts over all rows."""
        return self._sum("counts", self._counts)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return self._sum("rows", self._rows)

    @property
    def unscored(self) -> int:
        """The number of rows without scores."""
        return self._sum("unscored", self._unscored)

    @property
    def doubts(self) -> list[Message]:
        """Warnings about scores that probably are not what the user intended."""
        return self._sum("doubts", self._doubts.messages())

    def _sum(self, name: str, value: _Sum) -> _Sum:
        if not self._is_whole:
            raise OptionValueError(
                name,
                "known only after the table has been read to its end, for example by to_arrow()",
            )
        return value

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        if self._taken:
            raise ValueError(
                "the table has been read already, which is possible once: call score_columns again"
            )
        self._taken = True
        return stream_of(self._fields, self._batches())

    def to_arrow(self) -> Any:
        """Return a `pyarrow.Table`; needs pyarrow."""
        return self._whole(super().to_arrow)

    def to_polars(self) -> Any:
        """Return a `polars.DataFrame`; needs polars."""
        return self._whole(super().to_polars)

    def to_pandas(self) -> Any:
        """Return a `pandas.DataFrame`; needs pandas and pyarrow."""
        return self.to_arrow().to_pandas()

    def _whole(self, take: Any) -> Any:
        try:
            return take()
        except Exception:
            # the library hands on only the text of our error
            if self.problem is not None:
                raise self.problem from None
            raise

    def _batches(self) -> Iterator[Made]:
        try:
            while (batch := self._stream.next()) is not None:
                yield len(batch), self._scored(batch)
            self._is_whole = True
        except Exception as problem:
            # pyarrow appends the traceback of an iterator that failed
            message, detail, _ = str(problem).partition(". Detail: Python exception")
            self.problem = ValueError(message.removeprefix("Invalid: ")) if detail else problem
            raise self.problem from None

    def _scored(self, batch: Batch) -> list[tuple[Any, ...]]:
        import numpy as np

        names, texts = self._stream.names(), []
        for position in self._places:
            column = Texts()
            try:
                column.add(self._stream, batch, position)
            except ValueError as problem:
                reason = (
                    f"{problem} ({self._rows} rows before these)" if self._rows else str(problem)
                )
                raise InputError(f"<{names[position]}>", None, None, reason) from None
            texts.append(column)
        missing = [np.frombuffer(column.nulls(), np.int64) for column in texts]
        scored = np.ones(len(batch), bool)
        scored[missing[0]] = False
        lacking = np.setdiff1d(missing[1], missing[0])
        extra = np.setdiff1d(missing[0], missing[1])
        rule, spare = self._options.missing, self._options.allow_unmatched
        for rows, position, allowed, way_out in (
            (lacking, 1, rule != "error", "missing='delete' or 'skip'"),
            (extra, 0, spare and rule != "error", "allow_unmatched=True"),
        ):
            if len(rows) and not allowed:
                null = f"expected a text, found null in row {self._rows + int(rows[0]) + 1}"
                name = f"<{names[self._places[position]]}>"
                message = f"{null} ({way_out} scores the table nevertheless)"
                raise InputError(name, None, None, message)
        if rule == "skip":
            scored[lacking] = False
        chosen = np.flatnonzero(scored).astype(np.int64)
        sides = [
            side_of_rows(names[position], column.chosen(chosen.data), range(len(chosen)))
            for position, column in zip(self._places, texts, strict=True)
        ]
        buffers: list[tuple[Any, ...]] = [(batch, position) for position in self._kept]
        measures = [spec.name for spec in self._counted]
        counted: list[tuple[Any, ...]] = []
        for measure in self._counts:
            unit = self._options.value("unit")
            # what is asked for alone is counted in the unit that was chosen
            if len(self._counts) > 1 or measure == "cer":
                unit = unit_of(measure, unit)
            settings = self._options.measure_options if measures else {}
            options = self._options.changed(unit=unit, measures=measures, measure_options=settings)
            is_doubted = measure == next(iter(self._counts)) and self._doubts.is_open
            rates = score(sides[0], sides[1], options, is_doubted=is_doubted)
            buffers += self._columns_of(measure, rates, scored)
            if is_doubted:
                self._doubts.add(rates.remarks, len(chosen))
            # of words and characters, measures are of words
            counted = counted or list(self._measured_of(rates, scored))
            measures = []
        buffers += counted
        self._rows += len(batch)
        self._unscored += len(batch) - len(chosen)
        return buffers

    def _columns_of(
        self, measure: str, rates: ErrorRates, scored: NDArray[np.bool_]
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the buffers of a measure's columns."""
        import numpy as np

        self._counts[measure] += rates.counts
        counts = np.zeros((len(scored), 4), np.int32)
        counts[scored] = np.asarray(rates.aligned.counts.array, np.int32).reshape(-1, 4)
        values: list[Values] = [np.ma.array(counts[:, number], mask=~scored) for number in range(4)]
        for column in (rates_of_counts(counts), *values):
            yield buffers_of(column)[1]
        if self._edits:
            offsets = np.zeros(len(scored) + 1, np.int64)
            offsets[1:][scored] = np.diff(np.asarray(rates.aligned.offsets, np.int64))
            valid = None if scored.all() else np.packbits(scored, bitorder="little")
            yield valid, np.cumsum(offsets), bytes(rates.aligned.edits).translate(_LETTERS)

    def _measured_of(
        self, rates: ErrorRates, scored: NDArray[np.bool_]
    ) -> Iterator[tuple[Any, ...]]:
        """Yield the buffers of the columns of measures, null in rows without a score."""
        import numpy as np

        for spec in self._counted:
            numbers = np.zeros((len(scored), len(spec.columns)), np.int64)
            numbers[scored] = rates.measured[spec.name].columns.matrix(spec.columns)
            for column in numbers.T:
                yield buffers_of(np.ma.array(column, mask=~scored))[1]


def unit_of(measure: str, unit: Unit) -> Unit:
    """Return the unit of a measure; `unit` is the user's option."""
    if measure == "cer":
        return unit if unit in CHARACTER_UNITS else CHARACTERS_AND_BLANKS
    return "word" if unit in CHARACTER_UNITS else unit


def _measures_of_texts(options: Options, names: Sequence[str]) -> Sequence[MeasureSpec]:
    """Return the measures with these names; reject measures that need more than texts."""
    from scoring.measures import checked_options

    measures = checked_options(options.changed(measures=names))
    for measure in measures:
        needs = measure.needs - {"raw"}
        if needs or measure.kind == "sample":
            raise OptionValueError(
                "measures",
                expected="measures of texts",
                found=f"{measure.name}, which needs "
                f"{' and '.join(sorted(needs)) or 'values of words'}",
            )
        words = measure.settings(options.measure_options).get("words")
        if getattr(words, "by_utterance", None) is not None:
            raise OptionValueError(
                "words", expected="one list for all rows", found="lists of utterances"
            )
        if measure.corpus_setting and measure.corpus_setting not in options.measure_options:
            raise OptionValueError(
                "measure_options",
                expected=f"{measure.corpus_setting!r} for {measure.name}, which otherwise depends "
                "on all rows",
                found="none",
            )
    return measures


def _reader_of(batches: Iterator[Any], schema: Any = None) -> Any:
    """Return a reader of record batches; all batches get the columns of the first batch."""
    import pyarrow as pa

    schema = schema or getattr(batches, "schema", None)
    if schema is None:
        first = next(batches, None)
        if first is None:
            raise ValueError("expected batches of a table, found none")
        schema, batches = first.schema, chain([first], batches)
    return pa.RecordBatchReader.from_batches(schema, _fitted(schema, batches))


def _reader_of_dataset(data: Any) -> Any:
    """Return a reader of a Hugging Face data set, in the order of its selected rows."""
    if not hasattr(data, "iter"):
        splits = ", ".join(map(repr, data)) if isinstance(data, dict) else "none"
        raise TypeError(f"expected a data set, found a {type(data).__name__} of splits: {splits}")
    tables = data.with_format("arrow").iter(_ROWS_OF_DATASET)
    batches = chain.from_iterable(table.to_batches() for table in tables)
    first = next(batches, None)
    if first is None:
        import pyarrow as pa

        return pa.RecordBatchReader.from_batches(data.features.arrow_schema, [])
    return _reader_of(chain([first], batches))


def _lazy_rows(table: object, needed: Sequence[str] | None) -> object:
    """Return a reader of a polars query or of Arrow files that reads rows when they are scored.

    Only the columns in `needed` are read; None reads all columns.
    """
    data: Any = table
    kind = f"{type(table).__module__.partition('.')[0]}.{type(table).__name__}"
    if kind == "polars.LazyFrame":
        empty = data.limit(0).collect().to_arrow()
        if needed is not None and (paths := selectable(empty.schema, needed)):
            data = data.select(_columns_of_polars(paths))
            empty = data.limit(0).collect().to_arrow()
        frames = data.collect_batches(maintain_order=True)
        batches = (batch for frame in frames for batch in frame.to_arrow().to_batches())
        return _reader_of(chain(empty.to_batches(), batches), empty.schema)
    if kind.startswith("pyarrow.") and hasattr(data, "scanner"):
        columns: Any = data.schema.names
        if needed is not None and (paths := selectable(data.schema, needed)):
            import pyarrow.compute as pc

            columns = {name: pc.field(*path.names) for name, path in paths.items()}
        return data.scanner(columns=columns).to_reader()
    return table


def _columns_of_polars(paths: Mapping[str, ColumnPath]) -> Iterator[Any]:
    """Yield polars expressions that select columns by their paths and name them as requested."""
    import polars

    for name, path in paths.items():
        first, *members = path.names
        column = polars.col(first)
        for member in members:
            column = column.struct.field(member)
        yield column.alias(name)


def _fitted(schema: Any, batches: Iterator[Any]) -> Iterator[Any]:
    """Yield the batches with the columns of `schema`, selected by name and cast if necessary."""
    import pyarrow as pa

    for number, batch in enumerate(batches, 1):
        try:
            if batch.schema.equals(schema):
                yield batch
                continue
            fitted = pa.table(batch).select(schema.names)
            for expected, field in zip(schema, fitted.schema, strict=True):
                is_changed = holds_tokens(expected.type) != holds_tokens(field.type)
                if holds_texts(expected.type) and (is_changed or not holds_texts(field.type)):
                    raise TypeError(f"column {field.name!r} of type {field.type}")
            yield from fitted.cast(schema).to_batches()
        except (pa.ArrowException, AttributeError, KeyError, TypeError, ValueError) as problem:
            reason = " ".join(str(problem.args[0] if problem.args else problem).split())[:200]
            raise ValueError(
                f"record batch {number}: expected the columns of the first, found {reason}"
            ) from None


def score_columns(
    table: object,
    *,
    reference: str = "text",
    hypothesis: str = "pred_text",
    keep: Sequence[str] | None = None,
    measures: Sequence[str] = ("wer",),
    edits: bool = False,
    options: Options | None = None,
    **choices: Unpack[ChoicesOfTables],
) -> ScoredColumns:
    """Append score columns to a table, in batches with bounded memory.

    For each measure the columns are `wer` (float64; null without reference words), `wer_correct`,
    `wer_substitutions`, `wer_deletions`, `wer_insertions` (int32) and, on request, `wer_edits`
    (letters C, S, D, I). All these columns are null in rows without a score.

    Parameters
    ----------
    table
        Anything with `__arrow_c_stream__` (a table of pyarrow, polars, pandas, DuckDB, a reader of
        record batches), an iterator of pyarrow's record batches, a data set of pyarrow or a lazy
        frame of polars, of which only the needed columns are read.
    reference, hypothesis
        The columns of texts, or of lists of tokens, which are joined by blanks. `meta.text` is the
        member `text` of the column `meta` of structs, if no column has this name.
    keep
        Columns to copy, of any type, or paths of nested columns; None for all columns.
    measures
        `wer` counts words, or `mixed` units if `unit` is `mixed`. `cer` counts characters in the
        given `unit` (default: `char+space`). `profile` applies to both; with `levenshtein`, `cer`
        equals `scoring.cer`. If `wer` is the only measure, it counts in any `unit`, like
        `scoring.wer`. Names from `scoring measures` may follow; their columns are int64, for
        example `empty_words`.
    edits
        True if the alignments are added as a column.
    options, choices
        As in `scoring.wer`. A null in the hypothesis is a missing hypothesis: all words of the
        reference count as deleted, unless `missing` is `skip` or `error`. A null in the reference
        is an error, unless `allow_unmatched` is set; its row is not scored.

    Raises
    ------
    ValueError
        If a column does not exist (similar names are listed), or a new column has the name of a
        kept column; during iteration, if a record batch lacks columns of the first record batch
        (columns are selected by name and cast if necessary).
    TypeError
        If the argument is not a table, or a column contains no texts.
    InputError
        If a null is not allowed, or a text is not UTF-8; raised during iteration, with the row.

    Examples
    --------
    >>> import pyarrow
    >>> table = pyarrow.table({"id": [7, 8], "text": ["a b", ""], "pred_text": ["a", "c"]})
    >>> scored = score_columns(table, keep=["id"])
    >>> scored.to_arrow().to_pylist()[0]  # doctest: +NORMALIZE_WHITESPACE
    {'id': 7, 'wer': 0.5, 'wer_correct': 1, 'wer_substitutions': 0, 'wer_deletions': 1,
     'wer_insertions': 0}
    >>> scored.counts["wer"]
    Counts(correct=1, substitutions=0, deletions=1, insertions=1)
    """
    chosen = Options(**choices) if options is None else options.changed(**choices)
    check({**chosen.features(), "rows": SCORE_COLUMNS})
    if chosen.normalize is not None:
        from scoring.text.pipeline_files import as_pipeline

        chosen = chosen.changed(normalize=as_pipeline(chosen.normalize))
    needed = None if keep is None else [reference, hypothesis, *keep]
    rows = _lazy_rows(table, needed)
    stream, places, kept = _stream_of_table(rows, (reference, hypothesis), keep)
    names = stream.names()
    more = [] if isinstance(measures, str) else [name for name in measures if name not in MEASURES]
    measures = [] if isinstance(measures, str) else [name for name in measures if name in MEASURES]
    if not measures:
        raise OptionValueError(
            "measures", expected=f"some of {', '.join(MEASURES)}", found=repr(more)
        )
    counted = _measures_of_texts(chosen, more) if more else ()
    for position in places:
        is_text, kind = stream.kinds()[position]
        if not is_text:
            raise TypeError(f"column {names[position]!r}: expected texts, found {kind}")
    names_of_rates = tuple(dict.fromkeys(measures))
    scored = ScoredColumns(stream, places, kept, names_of_rates, edits, chosen, counted)
    twice = [name for name in scored.columns if scored.columns.count(name) > 1]
    if twice:
        raise ValueError(
            f"expected a table without a column {twice[0]!r}, because scoring adds a column of "
            "that name: name the columns to keep"
        )
    return scored


def position_of(name: str, names: Sequence[str]) -> int:
    """Return the position of a column; ValueError with similar names if there is none."""
    if name in names:
        return names.index(name)
    near = close_names(name, tuple(names))
    meant = f"; did you mean {' or '.join(near)}?" if near else ""
    raise ValueError(f"expected a column {name!r}, found {', '.join(names) or 'none'}{meant}")


def _stream_of_table(
    table: object, sides: tuple[str, str], keep: Sequence[str] | None
) -> tuple[Stream, tuple[int, int], Sequence[int]]:
    """Return the table as a stream, the indices of both text columns, and of the kept columns."""
    if type(table).__module__.startswith("datasets."):
        table = _reader_of_dataset(table)
    if isinstance(table, Iterator):
        table = _reader_of(table)
    stream, schema = None, getattr(table, "schema", None)
    if schema is not None and type(table).__module__.startswith("pyarrow."):
        # a reader can be read only once
        import pyarrow.types as types

        names = schema.names
        nested = {field.name for field in schema if types.is_nested(field.type)}
    else:
        stream = _stream_of(table)
        names = stream.names()
        kinds = zip(names, stream.kinds(), strict=True)
        nested = {name for name, (_, kind) in kinds if kind.endswith("nested values")}
    width, wanted = len(names), (*sides, *(keep or ()))
    if nested and (not nested.isdisjoint(sides) or not set(names).issuperset(wanted)):
        stream = None  # which DuckDB needs before another
        stream = _stream_of(_with_paths(table, sides, keep or ()))
        reference, hypothesis, *others = range(width, width + len(wanted))
    else:
        reference, hypothesis, *others = [position_of(name, names) for name in wanted]
        stream = stream or _stream_of(table)
    return stream, (reference, hypothesis), range(width) if keep is None else others


def _with_paths(table: Any, sides: Sequence[str], keep: Sequence[str]) -> Any:
    """Return a reader of a table to which the columns that nested paths name are appended."""
    import pyarrow as pa

    def widened(batch: Any) -> Any:
        more = [texts_of(column_at(batch, name)) for name in sides]
        kept = selected(batch, keep)
        texts = [pa.field(name, column.type) for name, column in zip(sides, more, strict=True)]
        fields = [*batch.schema, *texts, *kept.schema]
        columns = [*batch.columns, *more, *kept.columns]
        return pa.RecordBatch.from_arrays(columns, schema=pa.schema(fields))

    reader = pa.RecordBatchReader.from_stream(table)
    schema = widened(pa.RecordBatch.from_pylist([], reader.schema)).schema
    return pa.RecordBatchReader.from_batches(schema, map(widened, reader))


def _stream_of(table: object) -> Stream:
    """Return a table as a stream of batches; TypeError for anything else."""
    try:
        stream = stream_from(table)
    except ImportError:  # reported below, with the kind of table
        stream = None
    if stream is None or not stream.is_table():
        needs = hasattr(table, "__arrow_c_stream__")
        hint = ", which needs pyarrow for it (pip install 'sclite-kit[arrow]')" if needs else ""
        raise TypeError(
            f"expected a table with the Arrow interface, found {type(table).__name__}{hint}"
        )
    return stream
