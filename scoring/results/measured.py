"""A measure and its counts: columns per utterance, and figures computed from their sums.

Groups, intervals, tests, shards, tables and reports use only `CountedColumns` and
`MeasureSpec.value`. `scoring.measures` has the measures and explains how to write one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, TypeAlias

import numpy as np

from scoring.drawing import decimal, percent
from scoring.drawing.blocks import Block, Fact, Heading, Note, Table
from scoring.model.arrays import Integers
from scoring.model.errors import OptionValueError
from scoring.results.counted import CountedColumns, Sums

if TYPE_CHECKING:
    from scoring.alignment.results import Alignments
    from scoring.results.groups import Group, Groups
    from scoring.stats.intervals import ConfidenceInterval

Better: TypeAlias = Literal["lower", "higher", "none"]
Form: TypeAlias = Literal["percent", "number", "count"]
MeasuredValues: TypeAlias = Mapping[str, "float | None"]
MeasureKind: TypeAlias = Literal["sums", "bins", "sample"]
Need: TypeAlias = Literal["raw", "times", "segments", "sources", "confidences"]
LISTED = 10  # utterances that a report lists of a measure

# The rest of a figure that is a count, or a number per hour, divided by milliseconds.
COUNT: tuple[Better, float, None, Form] = ("lower", 0, None, "count")
PER_HOUR: tuple[Better, float, None, Form, float] = ("lower", 0, None, "number", 3_600_000)

# Questions that several measures answer.
INVENTION = "Does the system invent or lose text?"
NAMES = "Are names and terms recognised?"
WRITING = "Are punctuation and case right?"
CONFIDENCES = "Can the confidences be trusted?"
TIMES = "Are the times right?"
LATENCY = "How late are the words?"


class Figure(NamedTuple):
    """A figure of a measure: name, title, formula, which values are better, and bounds.

    `ratio` is a formula with names of columns. "errors - numbers / words" divides errors minus
    numbers by words. A formula without `/` is a plain number. "max length column" means the
    greatest value in the columns of `bins_by_value`; in a table that has only sums, the column of
    `MeasureSpec.greatest`. `MeasureSpec.numbers` computes a figure without formula.
    """

    name: str
    title: str
    ratio: str = ""
    better: Better = "lower"
    low: float | None = 0
    high: float | None = 1
    form: Form = "percent"
    factor: float = 1

    def of(self, totals: Sums) -> float | None:
        """Return the value of the figure; None if its denominator is 0.

        >>> Figure("rate", "rate", "errors - numbers / words").of(Sums({"errors": 3, "words": 4}))
        0.75
        """
        if self.ratio.startswith("max "):
            return totals.greatest(*self.ratio[4:].split(" "))
        part, *whole = (
            sum(sign * totals[name] for sign, name in side) for side in _sides(self.ratio)
        )
        if not whole:
            return part
        return self.factor * part / whole[0] if whole[0] else None

    @property
    def heading(self) -> str:
        """The title with the unit."""
        return self.title + " %" * (self.form == "percent")

    def text(self, value: float | None) -> str:
        """Return a value as text in the form that reports use."""
        if value is None or self.form == "percent":
            return percent(value)
        return f"{value + 0.0:g}" if self.form == "count" else decimal(value, 4)


@cache
def _sides(ratio: str) -> list[list[tuple[int, str]]]:
    """Return the columns of the numerator and the denominator of a formula, with their signs."""
    sides = (side.replace(" - ", " + -").split(" + ") for side in ratio.split(" / "))
    return [[(-1 if name[0] == "-" else 1, name.lstrip("-")) for name in side] for side in sides]


def f1_figures(
    hits: str,
    reference: str,
    hypothesis: str,
    prefix: str = "",
    title: str = "{}",
    names: Sequence[str] = ("precision", "recall", "f1"),
) -> Iterator[Figure]:
    """Yield precision, recall and F1 of `hits`; ``{}`` in `title` is replaced by each name.

    >>> [figure.title for figure in f1_figures("hits", "words", "found", title="{}, all words")]
    ['precision, all words', 'recall, all words', 'F1, all words']
    """
    ratios = {
        "precision": f"{hits} / {hypothesis}",
        "recall": f"{hits} / {reference}",
        "f1": f"{hits} + {hits} / {reference} + {hypothesis}",
    }
    for name in names:
        text = title.format(name.replace("f1", "F1"))
        yield Figure(prefix + name, text, ratios[name], "higher")


class MeasureSetting(NamedTuple):
    """A setting of a measure: its name, default, parser (which may raise ValueError) and help.

    If `is_file` is True, a text is a file name, and the service rejects such texts.
    """

    name: str
    default: Any
    read: Callable[[Any], Any]
    text: str
    is_file: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasureSpec:
    """A measure: its definition, what it counts in each utterance, and its figures.

    Attributes
    ----------
    name, title
        The name for options, and the title for reports.
    question
        The question that the measure answers; reports have a section or tab for each question.
    definition
        What the documentation and `scoring measures` print: formulas, edge cases, defaults.
    figures
        The numbers; the first figure is the headline.
    columns
        Names of the columns in tables. A measure may add columns, for example one per mark.
    greatest
        Columns with a maximum instead of a sum over several utterances.
    kind
        `sums`, `bins` (sums of bins) or `sample` (values of words that determine the figures).
    count
        Function from a `scoring.measures.view.View` to columns by name: a number or flag per
        utterance, numbers by position of the utterance, or a `Sample`. Missing columns are 0.
    numbers
        Function from `Sums` to the figures without a formula; a missing figure is None.
    needs
        Required data: `raw` (words as read), `times` (of words on both sides), `segments` (times of
        reference segments and hypothesis words), `sources` (segments as read, in order of the
        recordings) or `confidences` (of hypothesis words).
    parameters
        The settings of the measure.
    worst
        The column by which reports sort utterances, greatest first; empty for no list.
    details
        Function from totals to additional tables.
    corpus_setting
        The setting without which counts depend on the whole corpus; tables in batches require it.
    version
        Version of a user's function, or package and version of a plug-in; empty for our measures.
    monotone
        Figures that cannot improve when a right word becomes a wrong one (unit costs).
    alignment
        Words that the measure itself aligns, for the signature; empty if it uses the score's
        alignment.
    more
        Figures that a setting or a user's function adds, from names of columns or of figures.
    """

    name: str
    title: str
    question: str
    definition: str
    figures: tuple[Figure, ...]
    columns: tuple[str, ...]
    count: Callable[[Any], Mapping[str, Any]]
    numbers: Callable[[Sums], MeasuredValues] = lambda totals: {}
    greatest: frozenset[str] = frozenset()
    kind: MeasureKind = "sums"
    needs: frozenset[Need] = frozenset()
    parameters: tuple[MeasureSetting, ...] = ()
    worst: str = ""
    details: Callable[[Sums], Iterable[Block]] = lambda totals: ()
    corpus_setting: str = ""
    version: str = ""
    monotone: tuple[str, ...] = ()
    alignment: str = ""
    more: Callable[[Iterable[str]], Iterable[Figure]] = lambda names: ()

    def extended(self, names: Iterable[str]) -> MeasureSpec:
        """Return the measure with the figures that `more` adds for columns of these names."""
        figures = {figure.name: figure for figure in (*self.figures, *self.more(names))}
        return replace(self, figures=tuple(figures.values()))

    def value(self, totals: Sums) -> MeasuredValues:
        """Return the figures by name; None if a denominator is 0."""
        numbers = self.numbers(totals)
        return {
            figure.name: figure.of(totals) if figure.ratio else numbers.get(figure.name)
            for figure in self.figures
        }

    def settings(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Return the parsed settings of this measure; settings of other measures are ignored.

        An invalid setting raises ValueError.
        """
        settings = {}
        for name, default, read, *_ in self.parameters:
            try:
                settings[name] = read(values[name]) if name in values else default
            except ValueError as problem:
                raise OptionValueError(name, str(problem)) from None
        return settings

    def settings_text(self, values: Mapping[str, Any]) -> str:
        """Return the settings that differ from the defaults, for the signature."""
        settings = self.settings(values)
        changed = (item.name for item in self.parameters if settings[item.name] != item.default)
        return ",".join(f"{name}:{settings[name]}" for name in changed)


class GroupedUtterances(Protocol):
    """The attributes of `scoring.results.Rates` that the reports of measures need."""

    identifiers: Sequence[str]
    aligned: Alignments
    groups: Groups

    def per_group(self) -> list[Group]:
        """Return the groups of the option `by`."""


@dataclass(frozen=True, slots=True)
class Measured:
    """A measure of a result: its settings, and its columns with one row per utterance.

    `settings` is a text for the signature, without settings that have their default. `intervals`
    maps names of figures to their intervals. `texts` maps positions of the utterances that reports
    list to their raw words.
    """

    measure: MeasureSpec
    settings: str
    columns: CountedColumns
    intervals: Mapping[str, ConfidenceInterval] = field(default_factory=dict)
    texts: Mapping[int, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        object.__setattr__(self, "measure", self.measure.extended(self.columns.sums))

    @property
    def values(self) -> MeasuredValues:
        """The figures of all utterances together, by name; None if a denominator is 0."""
        return self.measure.value(self.totals())

    def with_columns(self, columns: CountedColumns) -> Measured:
        """Return the same measure with other columns."""
        return replace(self, columns=columns)

    def totals(self) -> Sums:
        """Return the sums of all utterances, maxima for the columns in `MeasureSpec.greatest`."""
        return self.columns.totals(greatest=self.measure.greatest)

    def __getitem__(self, name: str) -> float | None:
        return self.values[name]

    @property
    def signature(self) -> str:
        """The measure's name, its alignment, and its settings that differ from the defaults."""
        name = "@".join(filter(None, (self.measure.name, self.measure.version)))
        alignment = self.measure.alignment and f"align:{self.measure.alignment}"
        details = ",".join(filter(None, (alignment, self.settings)))
        return f"{name}({details})" if details else name

    def select(self, positions: Sequence[int] | Integers) -> Measured:
        """Return the measure restricted to some utterances."""
        return replace(self, columns=self.columns.select(positions), intervals={}, texts={})

    @property
    def listed(self) -> Integers:
        """The positions of the utterances with the worst values, worst first."""
        column = self.columns.sums.get(self.measure.worst, np.zeros(0, np.int64))
        order = np.argsort(-column, kind="stable")[:LISTED]
        return order[column[order] > 0]

    def blocks(self, rates: GroupedUtterances) -> Iterator[Block]:
        """Yield the blocks of a report: figures, figures by group, tables, worst utterances."""
        measure, totals = self.measure, self.totals()
        yield Heading(measure.title, 3)
        yield from self._numbers(measure.value(totals))
        if rates.groups:
            headings = (*rates.groups, *(figure.title for figure in measure.figures))
            rows = []
            for group in rates.per_group():
                values = self.select(group.positions).values
                named = zip(rates.groups, group.values, strict=True)
                key = [value or f"(no {name})" for name, value in named]
                rows.append((*key, *(item.text(values[item.name]) for item in measure.figures)))
            yield Table(headings, rows, len(rates.groups))
        yield from measure.details(totals)
        yield from self._listed(rates)
        yield Fact("measure", self.signature)

    def _numbers(self, values: MeasuredValues) -> Iterator[Block]:
        rows, remarks = [], []
        for figure in self.measure.figures:
            row = [figure.heading, figure.text(values[figure.name])]
            if interval := self.intervals.get(figure.name):
                bootstrap = interval.bootstrap
                remarks += [bootstrap.how()] if bootstrap else []
                row.append(bootstrap.bounds(figure.text) if bootstrap else "n/a")
            rows.append(row)
        yield Table(("", "value", *(["interval"] if self.intervals else [])), rows)
        yield from map(Note, remarks[:1])

    def _listed(self, rates: GroupedUtterances) -> Iterator[Block]:
        """Yield the worst utterances with their words."""
        listed, name, scored = self.listed.tolist(), self.measure.worst, rates.aligned.hypotheses
        if not listed:
            return
        column = self.columns.sums[name]
        texts = [self.texts.get(row, " ".join(scored[row])) for row in listed]
        numbers = map(str, column[listed].tolist())
        rows = list(zip([rates.identifiers[row] for row in listed], texts, numbers, strict=True))
        yield Table(("utterance", "hypothesis", name.replace("_", " ")), rows, 2)
        if np.count_nonzero(column) > len(rows):
            yield Note(f"the {len(rows)} worst of {np.count_nonzero(column)} utterances")
