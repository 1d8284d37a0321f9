"""Meetings on an engine. One worker gets all rows of a meeting, and scores them like a file."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from scoring.model.counts import Counts
from scoring.model.errors import OptionValueError
from scoring.options import Options
from scoring.score import score
from scoring.score.engines.plan import PROBLEM, Summing
from scoring.score.meetings import check_sessions
from scoring.sides.given import File
from scoring.sides.matching import MatchingError

if TYPE_CHECKING:
    from scoring.score.engines.summary import TableSums
    from scoring.score.rates import ErrorRates

# Which side a row is of; what the rows of both are ordered by.
SIDE = "meeting_side"
_SIDES = ("reference", "hypothesis")


@dataclass(frozen=True, slots=True)
class MeetingPlan:
    """The rules for scoring meetings from rows of segments.

    `session` is the column with the name of the meeting. The other columns, for example `speaker`,
    `text`, `start` and `end`, are the same as in a file of segments.
    """

    options: Options
    session: str
    order: str

    @classmethod
    def of(cls, session: str, order: str, options: Options) -> MeetingPlan:
        """Create a plan; raise OptionValueError if the option `meeting` is missing or `auto`."""
        if options.meeting is None or options.meeting == "auto":
            found = repr(options.meeting)
            raise OptionValueError("meeting", expected="a measure such as 'cp'", found=found)
        return cls(options.changed(jobs=1), session, order)

    @property
    def summing(self) -> Summing:
        """The rules of the sums, with one group per meeting."""
        return Summing(by=[self.session], sides=_SIDES)

    def schema(self) -> Any:
        """Return the `pyarrow.Schema` of the table of scored meetings."""
        import pyarrow as pa

        counts = [pa.field(f"wer_{name}", pa.int64()) for name in Counts._fields]
        names = [self.session, *_SIDES, PROBLEM]
        return pa.schema([*(pa.field(name, pa.string()) for name in names), *counts])

    def check(self, names: Sequence[str]) -> None:
        """Reject a table without the columns that identify and order the rows of a meeting."""
        for option, name in (("session", self.session), ("order", self.order)):
            if name not in names:
                expected = f"one of the columns {', '.join(names)}"
                raise OptionValueError(option, expected=expected, found=repr(name))

    def scored(self, table: Any) -> Any:
        """Score a meeting from all rows of both sides; return a table with one row of counts."""
        import pyarrow as pa
        import pyarrow.compute as compute

        name = str(table.column(self.session)[0])
        table = table.sort_by(self.order)
        sides = [
            table.filter(compute.equal(table.column(SIDE), side)).drop_columns([SIDE])
            for side in _SIDES
        ]
        is_there = [side if len(rows) else None for side, rows in zip(_SIDES, sides, strict=True)]
        counts: Sequence[int | None] = [None] * len(Counts._fields)
        problem = None
        if is_there[0] and (is_there[1] or self.options.missing not in ("error", "skip")):
            try:
                rates = self._rates(sides)
                counts = rates.counts
            except MatchingError as declined:
                # a meeting that is too large for the search
                problem = str(declined)
        values = [name, *is_there, problem, *counts]
        columns = [[value] for value in values]
        return pa.table(dict(zip(self.schema().names, columns, strict=True)), self.schema())

    def scored_each(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Yield the counts of meetings, given record batches with all their rows."""
        import pyarrow as pa
        import pyarrow.compute as compute

        parts = list(batches)
        table = pa.Table.from_batches(parts)
        scored = [
            self.scored(table.filter(compute.equal(table.column(self.session), name)))
            for name in table.column(self.session).unique()
        ]
        yield from pa.concat_tables([self.schema().empty_table(), *scored]).to_batches()

    def _rates(self, sides: Sequence[Any]) -> ErrorRates:
        """Return the result of both sides of a meeting."""
        import pyarrow.parquet as parquet

        with TemporaryDirectory() as folder:
            paths = [os.path.join(folder, f"{side}.parquet") for side in _SIDES]
            for path, rows in zip(paths, sides, strict=True):
                parquet.write_table(rows, path)
            reference, hypothesis = map(File, paths)
            return score(reference, hypothesis, self.options)

    def signature(self) -> str:
        """Return the signature of the plan, computed from a meeting of one word."""
        import pyarrow as pa

        row = {self.session: "m", "speaker": "s", "text": "w", "start": 0.0, "end": 1.0}
        return self._rates([pa.Table.from_pylist([row])] * len(_SIDES)).signature

    def checked(self, sums: TableSums) -> TableSums:
        """Return the sums; reject missing meetings unless the options allow them."""
        lacking, extra = (
            [str(group.values[0]) for group in sums.groups if getattr(group, kind)]
            for kind in ("missing", "extra")
        )
        sides = {"path": "hypothesis", "reference": "reference"}
        is_none_common = len(lacking) + len(extra) == len(sums.groups)
        rules = self.options.missing, self.options.allow_unmatched
        check_sessions(sides, lacking, extra, *rules, is_none_common=is_none_common)
        return sums
