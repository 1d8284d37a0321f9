"""Scores and sums of one partition of a table, for any engine.

The scores of a row depend only on the row, and integer sums do not depend on order. The number of
times that a replication draws a row depends on the row's name. Results are therefore independent of
the distribution of rows, even if a partition is computed again after a machine failed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypedDict

from formats.schema.errors import FormatError
from formats.tables.nested import column_at, column_path, selected, texts_of
from scoring.model.counts import Counts
from scoring.model.errors import OptionValueError, ScoringError
from scoring.options import Missing, Options
from scoring.score.conditions import column_named
from scoring.score.engines.groups import (
    ROW_NUMBERS,
    GroupRows,
    GroupSum,
    SumsByGroup,
    array_of,
    greatest_columns,
    numbers_of,
)
from scoring.score.engines.summary import TableSums
from scoring.score.plan import plan_of
from scoring.score.score_columns import MEASURES, score_columns, unit_of
from scoring.score.table_columns import name_values
from scoring.score.table_inputs import roles_of
from scoring.sides.corpus import ListedNames
from scoring.sides.matching import POSITION
from scoring.sides.matching.in_common import check_all, check_rows

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from scoring.options import ChoicesOfTables
    from scoring.stats.intervals import Resampling

    class PlanChoices(ChoicesOfTables, total=False):
        """The fields of `Plan` and of `Options`, as keywords."""

        reference: str
        hypothesis: str
        keep: Sequence[str] | None
        measures: Sequence[str]
        edits: bool
        options: Options

    class SumsChoices(PlanChoices, total=False):
        """The fields of `Plan`, and fields of `Summing` for groups and an interval, as keywords."""

        by: Sequence[str]
        resampling: Resampling | None
        block: str | None


PROBLEM = "problem"
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_BLOCKS = {"utterance": "id", "speaker": "speaker"}
# Numbers of each row that are summed beside its counts.
_SUMMED = (*ROW_NUMBERS, *Counts._fields)
_DRAWN = ("drawn_errors", "drawn_words", "drawn_rows")
# The number of groups, in the rows of totals.
_GROUPS = "groups"
# Rows of sums in a record batch.
_ROWS = 1 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The rules for scoring and summing rows."""

    # As of `scoring.score_columns`. A row without a reference, with a text that is no UTF-8 or that
    # normalisation refuses, has no scores and a reason in the column `problem`, which is null
    # elsewhere; so has a row without hypothesis if `missing` is `error` or `skip`
    reference: str = "text"
    hypothesis: str = "pred_text"
    keep: Sequence[str] | None = None
    measures: Sequence[str] = ("wer",)
    edits: bool = False
    options: Options = field(default_factory=Options)

    @classmethod
    def of(cls, **choices: Unpack[PlanChoices]) -> Plan:
        """Create a plan from its fields and from choices of `Options`."""
        settings = {name: choices.pop(name) for name in cls.__slots__ if name in choices}  # type: ignore[misc]
        options = settings.pop("options", Options())
        return cls(**settings, options=options.changed(**choices))

    def signature(self, measure: str) -> str:
        """Return the signature of a measure: every choice that determines its numbers."""
        options = self.options.changed(unit=unit_of(measure, self.options.value("unit")))
        return plan_of(options).rules.signature(POSITION)

    def schema(self, table_schema: Any) -> Any:
        """Return the `pyarrow.Schema` of the scored rows, given the schema of the table."""
        import pyarrow as pa

        # which checks the names
        score_columns(
            table_schema.empty_table(),
            reference=self.reference,
            hypothesis=self.hypothesis,
            keep=self.keep,
            measures=self.measures,
            options=self.options,
        )
        scored_schema = self._scored(
            pa.RecordBatch.from_pylist([], table_schema), self.options
        ).schema
        if scored_schema.names.count(PROBLEM) > 1:
            raise ValueError(
                f"expected a table without a column {PROBLEM!r}, because scoring writes there why "
                "a row has no scores: name the columns to keep without it"
            )
        return scored_schema

    def check_gaps(self, name: str, lacking: ListedNames, extra: ListedNames) -> None:
        """Reject rows with a text on one side only, unless the options allow them.

        `lacking` are rows without hypothesis and `extra` rows without reference; each may be a
        number.
        """
        reference, hypothesis = (f"{name}:{side}" for side in self.sides)
        check_rows(reference, hypothesis, extra, self.options.allow_unmatched)
        if self.options.value("missing") == "error":
            check_all(reference, hypothesis, lacking, extra)

    def checked(self, sums: TableSums) -> TableSums:
        """Return the sums unchanged; reject missing texts that the options do not allow."""
        total = sums.total
        self.check_gaps("rows", ListedNames(total.missing), ListedNames(total.extra))
        return sums

    def scored(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield the record batches of a partition with their scores added."""
        options = self.options
        if options.normalize is not None:
            from scoring.text.pipeline_files import as_pipeline

            options = options.changed(normalize=as_pipeline(options.normalize))
        for batch in batches:
            yield self._scored(batch, options)

    def _scored(self, batch: Any, options: Options) -> Any:
        import pyarrow as pa

        texts = [texts_of(column_at(batch, name)) for name in self.sides]
        problems: list[str | None] = [None] * len(batch)
        for name, column in zip(self.sides, texts, strict=True):
            is_checked = name == self.reference or options.missing not in (None, "delete")
            _find_problems(name, column, problems, is_checked)
        # a row without reference has no scores; what is kept stays as it is
        reasons = pa.nulls(len(batch), pa.string())
        if any(problems):
            places = [None if problem else row for row, problem in enumerate(problems)]
            texts = [column.take(pa.array(places, pa.int64())) for column in texts]
        both = pa.RecordBatch.from_arrays(texts, names=list(self.sides))
        scores = self._scores(both, options, problems, 0)
        if any(problems):
            reasons = pa.array(problems, pa.string())
        kept = batch if self.keep is None else selected(batch, self.keep)
        return pa.RecordBatch.from_arrays(
            [*kept.columns, *scores.columns, reasons],
            schema=pa.schema([*kept.schema, *scores.schema, pa.field(PROBLEM, pa.string())]),
        )

    @property
    def sides(self) -> tuple[str, str]:
        """The names of the reference and hypothesis columns."""
        return self.reference, self.hypothesis

    def _scores(self, texts: Any, options: Options, problems: list[str | None], begin: int) -> Any:
        """Return the scores of texts.

        Rows that normalisation rejects have null, and a reason in `problems`.
        """
        import pyarrow as pa

        # rows that are rejected have no text here
        missing: Missing = "delete" if options.missing in (None, "delete") else "skip"
        scored = score_columns(
            texts,
            reference=self.reference,
            hypothesis=self.hypothesis,
            keep=[],
            measures=self.measures,
            edits=self.edits,
            options=Options(
                **{
                    **vars(options),
                    "missing": missing,
                    "allow_unmatched": True,
                    "like": None,
                }
            ),
        ).without_doubts()
        reader = pa.RecordBatchReader.from_stream(scored)
        try:
            [scores] = list(reader) or [pa.RecordBatch.from_pylist([], reader.schema)]
        except pa.ArrowException:
            if all(column.null_count == len(texts) for column in texts.columns):
                raise  # no text is the cause
            if len(texts) > 1:
                middle = len(texts) // 2
                halves = [
                    self._scores(texts.slice(0, middle), options, problems, begin),
                    self._scores(texts.slice(middle), options, problems, begin + middle),
                ]
                [scores] = pa.Table.from_batches(halves).combine_chunks().to_batches()
                return scores
            problems[begin] = str(scored.problem)
            nulls = [pa.nulls(1, field.type) for field in texts.schema]
            texts = pa.RecordBatch.from_arrays(nulls, schema=texts.schema)
            return self._scores(texts, options, problems, begin)
        rated = [measure for measure in self.measures if measure in MEASURES]
        for measure in rated if self.edits else ():
            index = scores.schema.get_field_index(f"{measure}_edits")
            scores = scores.set_column(
                index, f"{measure}_edits", scores.column(index).cast(pa.string())
            )
        return scores


def _find_problems(name: str, column: Any, problems: list[str | None], is_checked: bool) -> None:
    """Store the reasons why rows of a column cannot be scored: null, no text, or not UTF-8."""
    import pyarrow as pa

    if column.null_count and is_checked:
        for row, is_null in enumerate(column.is_null().to_pylist()):
            if is_null:
                problems[row] = problems[row] or f"{name}: expected a text, found null"
    try:
        column.validate(full=True)
        return
    except pa.ArrowInvalid:
        pass
    for row in range(len(column)):
        try:
            column.slice(row, 1).validate(full=True)
        except pa.ArrowInvalid:
            problems[row] = f"{name}: expected UTF-8, found other bytes"


class SummingChoices(TypedDict, total=False):
    """The fields of `Summing` as keywords."""

    measure: str
    by: Sequence[str]
    resampling: Resampling | None
    block: str | None
    counted: Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Summing:
    """The rules for summing scored rows."""

    measure: str = "wer"  # which of the scores: `wer` or `cer`
    by: Sequence[str] = ()  # columns: rows with equal values are a group
    resampling: Resampling | None = None  # of the interval of the rate; None: without
    # The column that names what is drawn as a whole: the rows' own names, speakers
    block: str | None = None
    counted: Sequence[str] = ()  # names of measures, whose columns are summed, too
    sides: Sequence[str] = ()  # columns of texts, whose rows without hypothesis are counted
    # Of many groups only those that reports list, and the total, leave the cluster
    is_listed: bool = False

    def check(self, schema: Any) -> None:
        """Reject columns that are missing in a `pyarrow.Schema`."""
        if self.measure not in MEASURES:
            raise OptionValueError(
                "measure", expected=" or ".join(MEASURES), found=repr(self.measure)
            )
        if self.resampling is not None and self.block is None:
            raise OptionValueError(
                "block",
                expected="the column whose values, such as speakers, are drawn as a whole",
                found="none",
            )
        needed = [*self.by, *([] if self.block is None else [self.block]), *self.sides]
        for name in (*needed, f"{self.measure}_correct", *self._more, PROBLEM):
            column_path(schema, name)

    @property
    def _more(self) -> list[str]:
        """The columns that the measures add to the columns to be summed."""
        if not self.counted:
            return []
        from scoring.measures import measure_named

        specs = map(measure_named, self.counted)
        return [f"{spec.name}_{column}" for spec in specs for column in spec.columns]

    @property
    def columns(self) -> list[str]:
        """The columns of scored rows that are summed."""
        own = [*self.by, *([] if self.block is None else [self.block]), *self.sides]
        counts = [f"{self.measure}_{name}" for name in Counts._fields]
        return list(dict.fromkeys([*own, *counts, *self._more, PROBLEM]))

    @property
    def keys(self) -> list[str]:
        """The grouping columns of the sums."""
        return [f"by_{column}" for column in range(len(self.by))]

    @property
    def numbers(self) -> list[str]:
        """The number columns of the sums."""
        return [*_SUMMED, *self._more]

    @property
    def greatest(self) -> frozenset[str]:
        """The columns that hold a maximum instead of a sum."""
        return greatest_columns(self.counted)

    @property
    def drawn(self) -> Sequence[str]:
        """The columns with sums of replications (lists); empty without an interval."""
        return () if self.resampling is None else _DRAWN

    def schema(self) -> Any:
        """Return the `pyarrow.Schema` of sums."""
        import pyarrow as pa

        groups = [pa.field(name, pa.string()) for name in self.keys]
        numbers = [pa.field(name, pa.int64()) for name in self.numbers]
        return pa.schema(
            groups + numbers + [pa.field(name, pa.list_(pa.int64())) for name in _DRAWN]
        )

    def partial(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield the sums of a partition as record batches with one row per group.

        The first batch has the sums of replications.
        """
        import pyarrow as pa

        sums = self._begun()
        replications: Any = 0
        names = [*self.keys, *self.numbers]
        is_empty = True
        for batch in batches:
            numbers = self._numbers(batch)
            groups = [_texts_of(batch, name) for name in self.by]
            table = pa.table([*groups, *map(array_of, numbers)], names=names)
            sums.add(table)
            is_empty = False
            if self.resampling is not None:
                replications = replications + self._drawn(batch, numbers)
        if not is_empty:
            drawn = None if self.resampling is None else replications
            yield from self._with_drawn(sums.table(self.keys), drawn)

    def _begun(self) -> SumsByGroup:
        return SumsByGroup(len(self.by), self.numbers, self.greatest)

    def _with_drawn(self, table: Any, replications: Any) -> Iterator[Any]:
        """Yield record batches of sums. The first row also has the sums of the replications."""
        import numpy as np
        import pyarrow as pa

        schema = self.schema()
        for begin in range(0, max(1, len(table)), _ROWS):
            part = table.slice(begin, _ROWS)
            for column, name in enumerate(_DRAWN):
                lists = pa.nulls(len(part), pa.list_(pa.int64()))
                if replications is not None and not begin and len(part):
                    values = array_of(replications[:, column])
                    bounds = array_of(np.array([0, len(values)], np.int32))
                    first = pa.ListArray.from_arrays(bounds, values)
                    lists = pa.concat_arrays([first, lists.slice(1)])
                part = part.append_column(name, lists)
            part = part.cast(schema).combine_chunks()
            yield from part.to_batches() or [pa.RecordBatch.from_pylist([], schema)]

    def _numbers(self, batch: Any) -> list[Any]:
        """Return the columns of numbers that are summed."""
        import numpy as np
        import pyarrow as pa

        zero = array_of(np.zeros(1, np.int64))[0]

        def filled(column: Any) -> Any:
            whole = column.cast(pa.int64())
            return numbers_of(whole.fill_null(zero) if whole.null_count else whole)

        counts = []
        for name in Counts._fields:
            column = batch.column(f"{self.measure}_{name}")
            counts.append(filled(column))
        failed = numbers_of(column.is_null()).astype(np.int64)
        wrong = (counts[1] + counts[2] + counts[3] > 0).astype(np.int64)
        more = [filled(batch.column(name)) for name in self._more]
        missing, extra = np.zeros((2, len(batch)), np.int64)
        if self.sides:
            missing, extra = (flags.astype(np.int64) for flags in gaps_in(batch, self.sides))
        return [np.ones(len(batch), np.int64), failed, wrong, missing, extra, *counts, *more]

    def _drawn(self, batch: Any, numbers: Sequence[Any]) -> Any:
        import numpy as np

        from scoring.stats.poisson import weighted_sums

        assert self.resampling is not None
        assert self.block is not None
        failed = numbers[ROW_NUMBERS.index("failed")]
        correct, substitutions, deletions, insertions, *_more = numbers[len(ROW_NUMBERS) :]
        scored = failed == 0
        names = _texts_of(batch, self.block).to_pylist()
        names = [name for name, is_scored in zip(names, scored, strict=True) if is_scored]
        if None in names:
            raise ValueError(f"expected names in the column {self.block!r} of all rows, found null")
        errors = substitutions + deletions + insertions
        words = correct + substitutions + deletions
        statistics = np.stack([errors, words, np.ones_like(words)], axis=1)[scored]
        return weighted_sums(
            names, statistics, replications=self.resampling.replications, seed=self.resampling.seed
        )

    def listed(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield the total of record batches of sums, and the groups that reports list.

        The record batches must contain all rows of their groups.
        """
        import numpy as np
        import pyarrow as pa

        table, replications = self.added(batches)
        groups = self._rows(table)
        total = groups.grouped(()).table
        nulls = [pa.nulls(1, pa.string()) for _ in self.by]
        total = pa.table([*nulls, *total.columns], names=table.column_names)
        for part, number, drawn in (
            (total, groups.number, replications),
            (groups.listed().table, None, None),
        ):
            for batch in self._with_drawn(part, drawn):
                numbers = pa.nulls(len(batch), pa.int64())
                if number is not None:
                    numbers = array_of(np.full(len(batch), number, np.int64))
                yield batch.append_column(_GROUPS, numbers)

    def listed_schema(self) -> Any:
        """Return the `pyarrow.Schema` of the output of `listed`."""
        import pyarrow as pa

        return self.schema().append(pa.field(_GROUPS, pa.int64()))

    def merged_listed(self, table: Any, signature: str) -> TableSums:
        """Merge the output of `listed` from all partitions into one table."""
        import pyarrow.compute as pc

        is_total = table[_GROUPS].is_valid()
        totals = table.filter(is_total)
        whole = replace(self, by=())
        sums, replications = whole.added(totals.to_batches())
        everything = pc.sum(totals[_GROUPS]).as_py() or 0, whole._rows(sums).total
        rows, _ = self.added(table.filter(pc.invert(is_total)).to_batches())
        groups = self._rows(rows, everything).listed()
        return self._summary(groups, replications, signature)

    def reduced(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield the sums of record batches that contain all rows of their groups."""
        yield from self._with_drawn(*self.added(batches))

    def added(self, batches: Iterable[Any]) -> tuple[Any, Any]:
        """Merge partial sums into one row per group, with the sums of replications.

        Only the groups are kept in memory, independent of the number of partitions.
        """
        import numpy as np

        replications: Any = None
        if self.resampling is not None:
            replications = np.zeros((self.resampling.replications, len(_DRAWN)), np.int64)
        sums = self._begun()
        for batch in batches:
            for column, name in enumerate(self.drawn):
                # of several partitions, one after another
                values = numbers_of(batch.column(name).flatten())
                replications[:, column] += values.reshape(-1, len(replications)).sum(axis=0)
            sums.add(batch.select([*self.keys, *self.numbers]))
        return sums.table(self.keys), replications

    def merged(self, batches: Iterable[Any], signature: str) -> TableSums:
        """Merge the sums of all partitions, as record batches in any order."""
        return self.summary(*self.added(batches), signature)

    def summary(self, table: Any, replications: Any, signature: str) -> TableSums:
        """Return the sums of a table, given the result of `added`."""
        return self._summary(self._rows(table), replications, signature)

    def _rows(self, table: Any, all_groups: tuple[int, GroupSum] | None = None) -> GroupRows:
        return GroupRows(table, len(self.by), self._more, self.greatest, all_groups)

    def _summary(self, groups: GroupRows, replications: Any, signature: str) -> TableSums:
        summary = TableSums(signature, tuple(self.by), groups, measures=tuple(self.counted))
        if self.resampling is None:
            return summary
        return summary.with_interval(replications, self.resampling, self.block or "")


def gaps_in(batch: Any, sides: Sequence[str]) -> tuple[Any, Any]:
    """Return flags of rows without hypothesis, and flags of rows without reference."""
    reference, hypothesis = (
        numbers_of(column_at(batch, side).is_null()).astype(bool) for side in sides
    )
    return hypothesis & ~reference, reference & ~hypothesis


def rows_of(sums: Any) -> int:
    """Return the number of table rows for which a record batch has sums."""
    return sum(sums.column("rows").to_pylist())


def plan_of_sums(**choices: Unpack[SumsChoices]) -> tuple[Plan, Summing]:
    """Return the plans of scoring and of summing; the first of `measures` is `wer` or `cer`."""
    by: Sequence[str] = choices.pop("by", ())
    resampling, block = choices.pop("resampling", None), choices.pop("block", None)
    plan = Plan.of(**choices)  # type: ignore[misc]
    measure = next((name for name in plan.measures if name in MEASURES), MEASURES[0])
    counted = tuple(name for name in plan.measures if name not in MEASURES)
    return plan, Summing(
        measure=measure, by=by, resampling=resampling, block=block, counted=counted
    )


def sums_of_rows(plan: Plan, summing: Summing) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Return a function that scores and sums the record batches of a partition in one pass."""

    def sums(batches: Iterable[Any]) -> Iterator[Any]:
        return summing.partial(plan.scored(batches))

    return sums


def _texts_of(batch: Any, name: str) -> Any:
    """Return a column with its values converted to texts."""
    import pyarrow as pa

    column = column_at(batch, name)
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        try:
            column.validate(full=True)
            return column.cast(pa.string())
        except pa.ArrowInvalid:
            pass  # which is reported as below
    texts, places = name_values(column, name)
    return pa.array(texts, pa.string()).take(places)


def on_columns(plan: Plan, summing: Summing, names: Sequence[str]) -> tuple[Plan, Summing]:
    """Return the plans of scoring and of summing for a table with the given column names.

    Scored rows keep the columns that the sums need. They also keep the texts, so that missing texts
    are counted.
    """
    by_role = roles_of(names, plan.reference)
    by = [column_named(name, names, by_role) for name in summing.by]
    block = summing.block
    if block in _BLOCKS:
        block = by_role.get(_BLOCKS[block], _BLOCKS[block])
    kept = list(dict.fromkeys([*by, *([] if block is None else [block]), *plan.sides]))
    return replace(plan, keep=kept), replace(summing, by=by, block=block, sides=plan.sides)


class EngineError(ScoringError):
    """An engine is not installed or has failed."""

    status = 2


@contextmanager
def engine_errors(engine: str) -> Iterator[None]:
    """Convert the long error messages of an engine to errors with one line."""
    try:
        yield
    except (FormatError, ScoringError):
        raise
    except ImportError as problem:
        raise EngineError(
            f"{engine}: expected it to be installed (the extra {engine}), found {problem}"
        ) from None
    except Exception as problem:
        # the first line and the last cause
        plain = _COLOUR.sub("", str(problem))
        lines = [line.strip() for line in plain.splitlines() if line.strip()]
        first = lines[0] if lines else type(problem).__name__
        cause = next((line for line in reversed(lines) if "Error: " in line), "")
        raise EngineError(f"{engine}: {first[:200]} {cause[:200]}".strip()) from None
