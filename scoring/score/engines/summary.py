"""Sums of the rows of a table: totals, groups, confidence interval."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from heapq import nlargest
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import to_builtins

from formats.schema.remarks import remark_records
from scoring.drawing import sentence_line, wer_line
from scoring.drawing.blocks import Block, Heading, Table
from scoring.drawing.data import counts_record, head_of, json_file
from scoring.model.errors import StatisticsError
from scoring.pages import group_table
from scoring.pages.sentence import UNITS, sentence_of
from scoring.score.engines.groups import (
    LISTED_GROUPS,
    MOST_GROUPS,
    GroupRows,
    GroupSum,
    greatest_columns,
    sum_of,
    sums_by_values,
)
from scoring.score.engines.sums_files import SCHEMA, SCHEMA_VERSION
from scoring.stats.bootstrapping import Bootstrap, described
from scoring.stats.limits import FEW_ERRORS, POISSON, Interval, limits_of_moments
from scoring.stats.units import error_rate, score_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from formats.schema.remarks import AnyMessage
    from scoring.results.record import Shard
    from scoring.stats.intervals import Resampling
    from scoring.stats.limits import IntervalName

METHOD = "Poisson percentile bootstrap"


class Drawn(NamedTuple):
    """The sums of bootstrap replications, and the settings by which they were drawn.

    The sums of several parts of a table can be added.
    """

    pairs: Sequence[tuple[int, int]]  # errors and words
    seed: int
    level: float
    interval: IntervalName
    block: str  # what is drawn as a whole
    rows: Sequence[int] = ()  # of each replication; none in the sums of an earlier version

    @property
    def rows_of_name(self) -> float:
        """Average number of rows with the same name; 0 if unknown.

        Each name is drawn a Poisson-distributed number of times. The variance of the number of
        drawn rows is therefore the sum of the squared numbers of rows per name.
        """
        import numpy as np

        if len(self.rows) < 2 or not any(self.rows):
            return 0.0
        drawn = np.array(self.rows, float)
        return float(drawn.var(ddof=1) / drawn.mean())

    @property
    def has_repeated_names(self) -> bool:
        """True if `rows_of_name` is above 1 by more than the noise of the draws."""
        noise = float((2 / max(1, len(self.rows))) ** 0.5)
        return self.rows_of_name > 1 + 4 * noise

    def added(self, others: Sequence[Drawn]) -> Drawn:
        """Return the total of these sums and the sums of other parts."""
        parts = [self, *others]
        pairs = [
            (sum(errors for errors, _ in pair), sum(words for _, words in pair))
            for pair in zip(*(part.pairs for part in parts), strict=True)
        ]
        has_rows = all(part.rows for part in parts)
        rows = list(map(sum, zip(*(part.rows for part in parts), strict=True))) if has_rows else ()
        return self._replace(pairs=pairs, rows=rows)


@dataclass(frozen=True, slots=True)
class TableSums:
    """The sums over all rows of a table, independent of its partitions.

    Attributes
    ----------
    signature
        The signature: every option that affects the numbers.
    by
        The grouping columns.
    groups
        The groups, sorted by their values.
    interval
        Interval of the error rate; None if not requested.
    reason
        Why a requested interval is missing; otherwise None.
    block
        The resampling unit.
    measures
        Names of the counted measures.
    name
        Name of the summed tables; empty if unnamed or for several parts.
    drawn
        The replication sums, from which the interval is computed.
    shard
        The summed part of the tables; None for all rows.
    remarks
        The messages of the merged parts; empty for sums that were computed here.
    """

    signature: str
    by: Sequence[str]
    groups: Sequence[GroupSum]
    interval: Bootstrap | None = None
    reason: str | None = None
    block: str = ""
    measures: Sequence[str] = ()
    name: str = ""
    drawn: Drawn | None = None
    shard: Shard | None = None
    remarks: Sequence[AnyMessage] = ()

    @property
    def hypothesis(self) -> str:
        """The hypothesis column; empty if the tables have no name."""
        return self.name.rpartition(":")[2]

    @property
    def way(self) -> list[str | int | float]:
        """The number of replications and their settings; equal in all parts of a run.

        The list is empty if there are no replications.
        """
        drawn = self.drawn
        return [] if drawn is None else [len(drawn.pairs), *drawn[1:5]]

    @property
    def total(self) -> GroupSum:
        """The sum over all groups."""
        if isinstance(self.groups, GroupRows):
            return self.groups.total
        return sum_of(self.groups, (), greatest_columns(self.measures))

    @property
    def group_count(self) -> int:
        """The number of all groups. A cluster sends only those that reports list."""
        return self.groups.number if isinstance(self.groups, GroupRows) else len(self.groups)

    def grouped(self, by: Sequence[str]) -> TableSums:
        """Return the sums grouped by some of the columns, in the order of their values."""
        if list(by) == list(self.by):
            return self
        places = [self.by.index(name) for name in by]
        if isinstance(self.groups, GroupRows):
            return replace(self, by=by, groups=self.groups.grouped(places))
        parts = ((tuple(group.values[place] for place in places), group) for group in self.groups)
        return replace(self, by=by, groups=sums_by_values(parts, self.measures))

    def with_interval(self, sums: NDArray[Any], resampling: Resampling, block: str) -> TableSums:
        """Return the sums with the interval of their replications."""
        pairs = [(errors, words) for errors, words, _ in sums.tolist()]
        choices = resampling.seed, resampling.level, resampling.interval
        return self.with_drawn(Drawn(pairs, *choices, block, sums[:, 2].tolist()))

    def with_drawn(self, drawn: Drawn) -> TableSums:
        """Return the sums with the interval of the given replication sums."""
        import numpy as np

        from scoring.stats.intervals import Resampling

        sums, block = np.array(drawn.pairs, np.int64).reshape(-1, 2), drawn.block
        resampling = Resampling(len(sums), drawn.seed, drawn.level, drawn.interval)
        kept = replace(self, drawn=drawn, block=block)
        total = self.total
        words = total.counts.reference_tokens
        rest = 1 - resampling.level
        try:
            if not words or resampling.replications * rest < 2:
                raise StatisticsError("too few replications, or no words in the reference")
            rates = score_of(error_rate, sums.astype(float), "replications")
        except StatisticsError as problem:
            return replace(kept, reason=str(problem))
        units = total.rows - total.failed
        estimate = total.counts.errors / words
        choices = resampling.level, units, resampling.seed, METHOD, resampling.interval
        found = described(estimate, rates, *choices)._replace(block=block)
        if resampling.interval == "auto":
            found = _exact(found, total.counts.errors, float(sums[:, 0].var()), words)
        return replace(kept, interval=found)

    def to_dict(self) -> dict[str, Any]:
        """Return the sums as dictionaries, lists and numbers."""
        return self._record(list(self._group_records()))

    def _group_records(self) -> Iterator[dict[str, Any]]:
        """Yield the record of each group."""
        for group in self.groups if self.by else ():
            yield {
                "group": dict(zip(self.by, group.values, strict=True)),
                "rows": group.rows,
                "failed_rows": group.failed,
                "with_errors": group.wrong,
                **_more_of(group),
                **counts_record(group.counts),
                **self._measures(group),
            }

    def _record(self, groups: object, remarks: Iterable[AnyMessage] = ()) -> dict[str, Any]:
        total, interval = self.total, None
        if self.interval is not None:
            interval = self.interval.record()
        elif self.reason is not None:
            interval = {"reason": self.reason}
        drawn = {}
        if self.drawn is not None:
            errors, words = zip(*self.drawn.pairs, strict=True) if self.drawn.pairs else ((), ())
            _, seed, level, interval_name, block, rows = self.drawn
            pairs = {"errors": list(errors), "reference_counts": list(words)}
            pairs |= {"row_counts": list(rows)} if rows else {}
            choices = {"seed": seed, "level": level, "method": interval_name, "block": block}
            drawn = {"drawn": {**pairs, **choices}}
        return {
            **({"name": self.name} if self.name else {}),
            **({"shard": to_builtins(self.shard)} if self.shard is not None else {}),
            "signature": self.signature,
            "remarks": remark_records([*self.remarks, *remarks]),
            "rows": total.rows,
            "failed_rows": total.failed,
            "with_errors": total.wrong,
            **_more_of(total),
            "counts": counts_record(total.counts),
            "groups": groups,
            "interval": interval,
            **drawn,
            **self._measures(total),
        }

    def _measures(self, group: GroupSum) -> dict[str, Any]:
        """Return the numbers of the measures of a group, for JSON."""
        values = {name: dict(group.values_of(name)) for name in self.measures}
        return {"measures": values} if values else {}

    def json_lines(self, remarks: Iterable[AnyMessage] = ()) -> Iterator[bytes]:
        """Return the record of `to_dict`, with remarks, as lines of a JSON file."""
        groups: object = self._group_records() if self.by else []
        return json_file({**head_of(SCHEMA, SCHEMA_VERSION), **self._record(groups, remarks)})

    @property
    def sentence(self) -> str:
        """The total in words."""
        rules = dict(part.partition(":")[::2] for part in self.signature.split("|"))
        _, things = UNITS[rules.get("unit", "word").partition("+")[0]]
        return sentence_of(self.total.counts, self.total.counts.error_rate, things)

    def lines(self) -> Iterator[str]:
        """Yield the totals as text."""
        total = self.total
        yield wer_line(total.counts, partial=total.missing > 0)
        yield sentence_line(total.wrong, total.rows - total.failed)
        yield f"rows: {total.rows - total.failed:,} scored, {total.failed:,} without scores"
        if self.by and self.group_count > MOST_GROUPS:
            yield (
                f"groups: {self.group_count:,}, of which the {LISTED_GROUPS} with the most errors "
                "are listed (--json has all)"
            )
        if self.interval is not None:
            bounds = self.interval.bounds(unit=" %")
            yield f"confidence interval: {bounds} ({self.interval.how()})"
        elif self.reason is not None:
            yield f"confidence interval: none, {self.reason}"
        yield f"signature: {self.signature}"

    def _measure_tables(self) -> Iterator[Block]:
        """Yield the table of each measure, with a row for each group and a row for all groups."""
        from scoring.measures import measure_named

        for name in self.measures:
            measure = measure_named(name)
            titles = [figure.title for figure in measure.figures]
            rows = []
            for group in (*self._listed(), self.total):
                values = group.values_of(name)
                first = "/".join(value or "-" for value in group.values) or "all"
                rows.append([first, *(item.text(values[item.name]) for item in measure.figures)])
            yield Heading(measure.title, 3)
            yield Table(("", *titles), rows)

    @property
    def numbers(self) -> list[str]:
        """The grouping columns of numbers that a score of all utterances would cut into ranges."""
        from scoring.results.metadata import is_cut

        groups = self._listed()
        return [
            name
            for place, name in enumerate(self.by)
            if is_cut(name, [group.values[place] for group in groups])
        ]

    def _listed(self) -> Sequence[GroupSum]:
        """Return the groups that reports list: all, or the groups with the most errors."""
        if not self.by:
            return ()
        if isinstance(self.groups, GroupRows):
            return self.groups.listed()
        if len(self.groups) <= MOST_GROUPS:
            return self.groups
        return nlargest(LISTED_GROUPS, self.groups, key=lambda group: group.counts.errors)

    def blocks(self) -> Iterator[Block]:
        """Yield the table of groups, if there are groups, and the tables of measures."""
        if self.by:
            rows = [(group.values, group.numbers) for group in self._listed()]
            yield group_table(self.by, rows, self.total.numbers, "words", len(self.by))
        yield from self._measure_tables()


def _more_of(group: GroupSum) -> dict[str, Any]:
    """Return the additional numbers of a group for JSON, without numbers that are 0.

    These are the rows without a text, and the sums of measures.
    """
    rows = {
        "rows_without_hypothesis": group.missing,
        "rows_without_reference": group.extra,
    }
    sums = {"sums": dict(group.counted)} if group.counted else {}
    return {**{name: number for name, number in rows.items() if number}, **sums}


def _exact(found: Bootstrap, errors: int, variance: float, words: int) -> Bootstrap:
    """Return an interval, whose limits are exact if there are few errors.

    Every unit is drawn a Poisson-distributed number of times. The variance of the drawn errors is
    therefore the sum of the squared errors per unit, which the exact limits need. The number of
    units with errors is estimated as `errors ** 2 / variance`.
    """
    events = errors**2 / variance if variance > 0 else float(errors)
    if errors >= FEW_ERRORS and (events >= FEW_ERRORS or 2 * events > found.units):
        return found
    size = variance / errors if errors else 0.0
    bounds = limits_of_moments(errors, variance, size, found.level)
    limits = Interval(
        min(found.estimate, bounds.low / words), max(found.estimate, bounds.high / words)
    )
    return found._replace(limits=limits, method=POISSON)
