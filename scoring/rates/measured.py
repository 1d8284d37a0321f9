"""What a measure is, and what it has counted: columns per utterance, and numbers from their sums.

Groups, intervals, tests, shards, tables and reports use only `CountedColumns` and
`MeasureSpec.value`. The measures themselves, and how to write one, are in `scoring.measures`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scoring.drawing.blocks import Block, Fact, Heading, Note, Table
from scoring.drawing.numbers import decimal, percent

if TYPE_CHECKING:
    from scoring.alignment.results import Alignments
    from scoring.rates.groups import Group, Groups
    from scoring.stats.intervals import ConfidenceInterval

Integers: TypeAlias = NDArray[np.int64]
Better: TypeAlias = Literal["lower", "higher", "none"]
Form: TypeAlias = Literal["percent", "number", "count"]
Values: TypeAlias = Mapping[str, "float | None"]
Kind: TypeAlias = Literal["sums", "bins", "sample"]
Need: TypeAlias = Literal["raw", "times", "segments", "sources", "confidences"]
LISTED = 10
"""How many utterances a report lists of a measure."""


class Sample(NamedTuple):
    """Values of words with a label each; those of utterance u are `values[offsets[u]:...]`."""

    values: NDArray[np.float64]
    labels: Integers
    offsets: Integers

    @classmethod
    def of(
        cls, values: Any, labels: Any, utterances: NDArray[np.integer[Any]], count: int
    ) -> Sample:
        """From values in the order of utterances; `utterances` has the position of each."""
        numbers = np.bincount(utterances, minlength=count)
        offsets = np.concatenate([[0], np.cumsum(numbers)]).astype(np.int64)
        return cls(np.asarray(values, np.float64), np.asarray(labels, np.int64), offsets)

    def select(self, positions: Integers) -> Sample:
        """The values of some utterances, in this order."""
        sizes = np.diff(self.offsets)[positions]
        offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        rows = np.repeat(self.offsets[positions] - offsets[:-1], sizes) + np.arange(offsets[-1])
        return Sample(self.values[rows], self.labels[rows], offsets)

    def ordered(self) -> Sample:
        """The values from the smallest on, labels second: the same for any order of utterances."""
        order = np.lexsort((self.labels, self.values))
        return self._replace(values=self.values[order], labels=self.labels[order])


class Sums(dict[str, int]):
    """Sums of the columns by name, 0 for those that no utterance has; samples in order of value."""

    def __init__(self, sums: Mapping[str, int], samples: Mapping[str, Sample] | None = None):
        super().__init__(sums)
        self.samples = samples or {}

    def __missing__(self, name: str) -> int:
        return 0

    def ratio(self, part: str | int, whole: str | int, factor: float = 1) -> float | None:
        """A part (a column or a number) per whole; None without a whole."""
        numbers = [self[item] if isinstance(item, str) else item for item in (part, whole)]
        return factor * numbers[0] / numbers[1] if numbers[1] else None


def f1_of(hits: int, reference: int, hypothesis: int) -> dict[str, float | None]:
    """Precision, recall and F1 from hits and the sizes of both sides; None without any.

    >>> f1_of(1, 2, 4)
    {'precision': 0.25, 'recall': 0.5, 'f1': 0.3333333333333333}
    """
    return {
        "precision": hits / hypothesis if hypothesis else None,
        "recall": hits / reference if reference else None,
        "f1": 2 * hits / (reference + hypothesis) if reference + hypothesis else None,
    }


class Figure(NamedTuple):
    """A number that a measure gives: its name, title, which values are better, and its bounds."""

    name: str
    title: str
    better: Better = "lower"
    low: float | None = 0
    high: float | None = 1
    form: Form = "percent"

    def text(self, value: float | None) -> str:
        """The number as reports show it."""
        if value is None or self.form == "percent":
            return percent(value)
        return f"{value:g}" if self.form == "count" else decimal(value, 4)


class MeasureSetting(NamedTuple):
    """A setting of a measure: name, default, reader of a text or value (ValueError), help.

    A text for a setting that `is_file` names a file, which the service does not read.
    """

    name: str
    default: Any
    read: Callable[[Any], Any]
    text: str
    is_file: bool = False


@dataclass(frozen=True, slots=True)
class CountedColumns:
    """What was counted in each utterance.

    `sums` maps names to int64, one per utterance; columns that are 0 everywhere may be absent.
    """

    utterances: int
    sums: Mapping[str, Integers]
    samples: Mapping[str, Sample] = field(default_factory=dict)

    def totals(self, weights: Integers | None = None) -> Sums:
        """The sums over all utterances; `weights`: over those drawn, with repetition."""
        part = self if weights is None else self.select(weights)
        sums = {name: int(column.sum()) for name, column in part.sums.items()}
        return Sums(sums, {name: sample.ordered() for name, sample in part.samples.items()})

    def select(self, positions: Sequence[int] | Integers) -> CountedColumns:
        """The columns of some utterances, in this order."""
        rows = np.asarray(positions, np.int64).reshape(-1)
        return CountedColumns(
            len(rows),
            {name: column[rows] for name, column in self.sums.items()},
            {name: sample.select(rows) for name, sample in self.samples.items()},
        )

    def matrix(self, names: Sequence[str]) -> Integers:
        """Some columns side by side, a row per utterance."""
        empty = np.zeros(self.utterances, np.int64)
        columns = [self.sums.get(name, empty) for name in names]
        return np.stack(columns, axis=1) if columns else np.empty((self.utterances, 0), np.int64)


def joined(parts: Sequence[CountedColumns]) -> CountedColumns:
    """The columns of several results, one after the other."""
    names = dict.fromkeys(name for part in parts for name in part.sums)
    sampled = dict.fromkeys(name for part in parts for name in part.samples)
    samples: dict[str, Sample] = {}
    for name in sampled:
        pieces = [part.samples.get(name, _no_sample(part.utterances)) for part in parts]
        sizes = np.concatenate([np.diff(piece.offsets) for piece in pieces])
        samples[name] = Sample(
            np.concatenate([piece.values for piece in pieces]),
            np.concatenate([piece.labels for piece in pieces]),
            np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64),
        )
    return CountedColumns(
        sum(part.utterances for part in parts),
        {name: np.concatenate([part.matrix([name])[:, 0] for part in parts]) for name in names},
        samples,
    )


def columns_of(rows: Sequence[Mapping[str, Any]]) -> CountedColumns:
    """The columns that `Measured.row` has given, row by row."""
    sums: dict[str, Integers] = {}
    pairs: dict[str, list[Sequence[tuple[float, int]]]] = {}
    for position, row in enumerate(rows):
        for name, value in row.items():
            if isinstance(value, int):
                sums.setdefault(name, np.zeros(len(rows), np.int64))[position] = value
            else:
                pairs.setdefault(name, [()] * len(rows))[position] = value
    samples = {
        name: Sample.of(
            [value for row in values for value, _ in row],
            [label for row in values for _, label in row],
            np.repeat(np.arange(len(rows)), list(map(len, values))),
            len(rows),
        )
        for name, values in pairs.items()
    }
    return CountedColumns(len(rows), sums, samples)


def _no_sample(utterances: int) -> Sample:
    return Sample(np.empty(0), np.empty(0, np.int64), np.zeros(utterances + 1, np.int64))


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureSpec:
    """A measure: a definition, what it counts in each utterance, and numbers from the sums.

    Attributes
    ----------
    name, title
        As people type it, and as reports show it.
    question
        The question it answers; reports have a section or tab for each question.
    definition
        What the documentation and `scoring measures` print: formulas, edge cases, defaults.
    figures
        The numbers that `value` gives; the first one is the headline.
    columns
        Names of the columns that tables have. Others may be added, for example one for each mark.
    kind
        `sums`; `bins`: sums of bins; `sample`: values of words, from which numbers are computed.
    count
        From a `scoring.measures.view.View` to `CountedColumns`.
    value
        From `Sums` to numbers by name, in the order of `figures`; None where there is none.
    needs
        What must be known: `raw`: words as read; `times`: of words on both sides; `segments`: times
        of reference segments and hypothesis words; `sources`: segments as read, in order of the
        recordings; `confidences`: of hypothesis words.
    parameters
        Its settings.
    worst
        The column by which reports list utterances, greatest first; empty: none are listed.
    details
        More tables, from totals.
    corpus_setting
        The setting without which counts depend on the whole corpus; tables in batches require it.
    version
        Version of a user's function; empty of other measures.
    """

    name: str
    title: str
    question: str
    definition: str
    figures: tuple[Figure, ...]
    columns: tuple[str, ...]
    count: Callable[[Any], CountedColumns]
    value: Callable[[Sums], Values]
    kind: Kind = "sums"
    needs: frozenset[Need] = frozenset()
    parameters: tuple[MeasureSetting, ...] = ()
    worst: str = ""
    details: Callable[[Sums], Iterable[Block]] | None = None
    corpus_setting: str = ""
    version: str = ""

    def settings(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """All settings, read; values for parameters of other measures are ignored.

        Raises
        ------
        ValueError
            If a value is invalid.
        """
        settings = {parameter.name: parameter.default for parameter in self.parameters}
        for parameter in self.parameters:
            if parameter.name in values:
                try:
                    settings[parameter.name] = parameter.read(values[parameter.name])
                except ValueError as problem:
                    raise ValueError(f"{parameter.name}: {problem}") from None
        return settings


class GroupedUtterances(Protocol):
    """What reports show of a result beside a measure: `scoring.rates.result.Rates`."""

    identifiers: Sequence[str]
    aligned: Alignments
    groups: Groups

    def per_group(self) -> list[Group]:
        """The groups that `by` asked for."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A measure of a result: its settings and columns, one row per utterance.

    `settings` are all that differ from the defaults, as one text for the signature; `intervals` are
    by name of figure.
    """

    measure: MeasureSpec
    settings: str
    columns: CountedColumns
    intervals: Mapping[str, ConfidenceInterval] = field(default_factory=dict)

    @property
    def values(self) -> Values:
        """The numbers of all utterances together, by name; None where there is no denominator."""
        return self.measure.value(self.columns.totals())

    def __getitem__(self, name: str) -> float | None:
        return self.values[name]

    @property
    def signature(self) -> str:
        """The name of the measure and the settings that differ from the defaults."""
        name = "@".join(filter(None, (self.measure.name, self.measure.version)))
        return f"{name}({self.settings})" if self.settings else name

    def select(self, positions: Sequence[int] | Integers) -> Measured:
        """The same of some utterances."""
        return replace(self, columns=self.columns.select(positions), intervals={})

    def of_groups(
        self, rates: GroupedUtterances
    ) -> Iterator[tuple[tuple[str | None, ...], Values]]:
        """The numbers of each group that `by` asked for."""
        for group in rates.per_group():
            yield group.values, self.select(group.positions).values

    def record(self) -> dict[str, Any]:
        """The numbers and totals, for JSON."""
        totals = self.columns.totals()
        record: dict[str, Any] = {
            "title": self.measure.title,
            "settings": self.settings,
            "values": dict(self.measure.value(totals)),
            "counts": {name: totals[name] for name in sorted(totals)},
        }
        if self.intervals:
            intervals = self.intervals.items()
            record["intervals"] = {name: interval.record() for name, interval in intervals}
        return record

    def row(self, position: int) -> dict[str, Any]:
        """What was counted in one utterance, for JSON; columns that are 0 are absent."""
        row: dict[str, Any] = {
            name: int(column[position])
            for name, column in self.columns.sums.items()
            if column[position]
        }
        for name, (values, labels, offsets) in self.columns.samples.items():
            begin, end = offsets[position], offsets[position + 1]
            if end > begin:
                pairs = zip(values[begin:end].tolist(), labels[begin:end].tolist(), strict=True)
                row[name] = list(pairs)
        return row

    def blocks(self, rates: GroupedUtterances) -> Iterator[Block]:
        """What reports show: the numbers, those of groups, more tables, the worst utterances."""
        measure, totals = self.measure, self.columns.totals()
        yield Heading(measure.title, 3)
        yield from self._numbers(measure.value(totals))
        if rates.groups:
            headings = (*rates.groups, *(figure.title for figure in measure.figures))
            rows = [
                (
                    *(
                        value or f"(no {name})"
                        for name, value in zip(rates.groups, key, strict=True)
                    ),
                    *(figure.text(values[figure.name]) for figure in measure.figures),
                )
                for key, values in self.of_groups(rates)
            ]
            yield Table(headings, rows, len(rates.groups))
        if measure.details is not None:
            yield from measure.details(totals)
        yield from self._listed(rates)
        yield Fact("measure", self.signature)

    def _numbers(self, values: Values) -> Iterator[Block]:
        rows, remark = [], ""
        for figure in self.measure.figures:
            title = figure.title + (" %" if figure.form == "percent" else "")
            row = [title, figure.text(values[figure.name])]
            if self.intervals:
                interval = self.intervals[figure.name]
                bootstrap = interval.bootstrap
                if bootstrap is None:
                    row.append("n/a")
                else:
                    row.append(" to ".join(map(figure.text, bootstrap.percentile)))
                    remark = remark or bootstrap.how(interval.block)
            rows.append(row)
        yield Table(("", "value", *(["interval"] if self.intervals else [])), rows)
        if remark:
            yield Note(remark)

    def _listed(self, rates: GroupedUtterances) -> Iterator[Block]:
        """The worst utterances with their words."""
        name = self.measure.worst
        column = self.columns.sums.get(name)
        if column is None or not column.any():
            return
        order = np.argsort(-column, kind="stable")[:LISTED]
        rows = [
            (
                rates.identifiers[row],
                " ".join(rates.aligned.hypotheses[row]),
                str(int(column[row])),
            )
            for row in order.tolist()
            if column[row]
        ]
        title = name.replace("_", " ")
        yield Table(("utterance", "hypothesis", title), rows, 2)
        number = int(np.count_nonzero(column))
        if number > len(rows):
            yield Note(f"the {len(rows)} worst of {number} utterances")
