"""What changed between two sides, each a table of units × columns: in all, by unit, by group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from scoring.model.errors import StatisticsError
from scoring.options import Rules
from scoring.regression import messages
from scoring.regression.comparison import Comparison, SignificanceTest
from scoring.regression.significance import ALL_TESTS, TestName, compare_tables
from scoring.regression.task_figures import WORDS
from scoring.regression.units import UnitSums, UnitTable, refused
from scoring.regression.version_runs import TEST, RepeatedRuns, VersionRuns
from scoring.results.groups import SPEAKER
from scoring.results.measured import Figure
from scoring.score.rates import ErrorRates
from scoring.score.table import BlockName, ScoreTable, blocks_of
from scoring.sides.corpus import ListedNames
from scoring.stats.blocks import Blocks, choose_blocks, measured
from scoring.stats.bootstrapping import Bootstrap, paired_bootstrap
from scoring.stats.deciding import DEFAULT_TEST
from scoring.stats.intervals import Resampling
from scoring.stats.paired_tests import holm
from scoring.stats.spread import SpreadTest, spread_test

if TYPE_CHECKING:
    from scoring.measures.intervals import FigureChange
    from scoring.model.arrays import Floats, Integers
    from scoring.options import Options
    from scoring.results.groups import Groups

TESTS: tuple[TestName, ...] = (DEFAULT_TEST, "bootstrap", "matched-pairs", "mcnemar")
OF_NUMBERS: tuple[TestName, ...] = (DEFAULT_TEST, "bootstrap")
"""Tests that need neither words nor units that are right or wrong."""
NO_VALUE = "(none)"


class Request(NamedTuple):
    """The options of a comparison."""

    rules: Rules | None = None  # for both sides of words; None: those of the baseline
    common_only: bool = False  # skip units that one side lacks instead of raising
    references_may_differ: bool = False  # compare even if the references differ
    test: str = DEFAULT_TEST  # the test that decides
    block: BlockName = "auto"  # `auto`, `utterance` or `speaker`: what is resampled as a whole
    resampling: Resampling | None = None  # replications, seed and level; None: as `scoring.compare`
    options: Options | None = None  # names and settings of measures; None: those of both sides
    grouping: Options | None = None  # `by` and `metadata`; None: no groups


USUAL = Request()


class Change(NamedTuple):
    """The sums of the same units in both sides."""

    name: str  # a unit, a speaker, or what else was counted
    baseline: UnitSums  # over the runs of the side, where there are several
    new: UnitSums
    runs: tuple[int, int] = (1, 1)  # how many runs of each side were summed

    @property
    def more(self) -> int | float:
        """How much more is wrong per run, in words of errors; negative if there is less."""
        if self.runs == (1, 1):
            return self.new.wrong - self.baseline.wrong
        return self.new.wrong / self.runs[1] - self.baseline.wrong / self.runs[0]

    @property
    def rate(self) -> float | None:
        """New number less the baseline's; None where one is missing."""
        old, new = self.baseline.value, self.new.value
        return None if old is None or new is None else new - old

    @property
    def relative(self) -> float | None:
        """That change as a share of the baseline's number; None where there is no such share."""
        change, old = self.rate, self.baseline.value
        return change / old if change is not None and old else None


class NumberChange(NamedTuple):
    """A number of both sides."""

    figure: Figure
    baseline: float | None
    new: float | None
    difference: Bootstrap | SpreadTest | None  # None where it follows from no sums, or of few units

    @property
    def change(self) -> float | None:
        """The new number less the baseline's."""
        return None if self.baseline is None or self.new is None else self.new - self.baseline


class UnitChange(NamedTuple):
    """A unit that got worse or better, and its place among the common ones."""

    change: Change
    place: int


class GroupChange(NamedTuple):
    """A group of units in both sides."""

    column: str  # of `--by`
    change: Change
    difference: Bootstrap | SpreadTest | None  # of the main number; None with too few units
    test: SignificanceTest  # the one that decides, adjusted for the number of groups of a column

    @property
    def title(self) -> str:
        """The group with its column."""
        return f"{self.column} {self.change.name}"


class WordPair(NamedTuple):
    """The words of both sides, for listings."""

    baseline: ErrorRates
    new: ErrorRates
    common: Sequence[tuple[int, int]]  # positions of the common units in either


class Changes(NamedTuple):
    """A comparison."""

    baseline: UnitTable
    new: UnitTable
    units: Sequence[str]  # those of both sides; empty where only sums are known
    baseline_only: ListedNames
    new_only: ListedNames
    total: Change  # over the common units
    numbers: Sequence[NumberChange]  # the main one first
    comparison: Comparison  # intervals and tests of `scoring.compare`
    tests: Sequence[SignificanceTest]  # all tests, the deciding one first; empty without units
    speakers: Sequence[Change] = ()  # by speaker, in order of first appearance
    worse: Sequence[UnitChange] = ()  # the greatest change first
    better: Sequence[UnitChange] = ()
    groups: Sequence[GroupChange] = ()  # the groups that were asked for
    repeated: RepeatedRuns | None = None  # several runs of a side, whose sums the totals are
    measures: Sequence[FigureChange] = ()  # the numbers of the measures of both sides
    words: WordPair | None = None

    @property
    def noun(self) -> str:
        """The unit of comparison: utterance, session, recording or keyword."""
        return self.baseline.unit


class PairedRuns(NamedTuple):
    """The runs of both sides over the same units, in the same order."""

    baselines: Sequence[UnitTable]
    news: Sequence[UnitTable]
    request: Request

    @property
    def old(self) -> UnitTable:
        """The first run of the baseline."""
        return self.baselines[0]

    @property
    def is_repeated(self) -> bool:
        """True if a side has several runs."""
        return len(self.baselines) > 1 or len(self.news) > 1

    @property
    def resampling(self) -> Resampling:
        """How intervals are made."""
        return self.request.resampling or Resampling()

    def sum_of(self, name: str, places: Sequence[int] | slice) -> Change:
        """Return the sums of some units over all runs."""
        old, new = (
            UnitSums(
                side[0].layout,
                tuple(map(sum, zip(*(run.sum_of(places).numbers for run in side), strict=True))),
            )
            for side in (self.baselines, self.news)
        )
        return Change(name, old, new, (len(self.baselines), len(self.news)))

    def select(self, places: Sequence[int]) -> PairedRuns:
        """Return the same of some units."""
        old, new = ([run.select(places) for run in side] for side in (self.baselines, self.news))
        return PairedRuns(old, new, self.request)

    def score_tables(self) -> tuple[ScoreTable, ScoreTable]:
        """Return the first run of either side, for tests."""
        speakers = self.old.speakers
        known = None if speakers is None or None in speakers else speakers
        left, right = self.old.score_table(), self.news[0].score_table()
        return left._replace(speakers=known), right._replace(speakers=known)

    def compare(self, tests: Sequence[TestName]) -> Comparison:
        """Return intervals and tests of the main number."""
        layout = self.old.layout
        is_lower = layout.main.better != "higher"
        try:
            return compare_tables(
                *self.score_tables(),
                tests,
                self.request.block,
                self.resampling,
                layout.score,
                lower_is_better=is_lower,
            )
        except ValueError as problem:
            raise refused(messages.PROBLEM, problem=str(problem)) from None

    def test(
        self, units: Sequence[object], block: str
    ) -> tuple[Bootstrap | SpreadTest | None, SignificanceTest]:
        """Return the difference of the main number, and the test that decides."""
        if not self.is_repeated:
            names = [name for name in ALL_TESTS if name == self.request.test]
            comparison = self.compare(names)
            found = comparison.bootstrap
            return None if found is None else found.difference, comparison.tests[0]
        try:
            old, new = (_matrix(side, units) for side in (self.baselines, self.news))
            result = spread_test(old, new, level=self.resampling.level)
        except StatisticsError as problem:
            return None, SignificanceTest(TEST, None, None, str(problem))
        remark = (
            f"Student's t with {result.freedom:.1f} degrees of freedom, {len(set(units)):,} "
            f"{block}s, {len(self.baselines)} against {len(self.news)} runs"
        )
        return result, SignificanceTest(TEST, result.p_value, None, remark)

    def blocks(self) -> Blocks:
        """Return what is drawn as a whole: units or speakers."""
        left, right = self.score_tables()
        if not self.is_repeated:
            return blocks_of(left, self.request.block, right.statistics)
        if self.request.block == "speaker":
            return Blocks(left.speakers, "speaker")
        rows = [
            np.mean([run.layout.ratio(run.rows) for run in side], axis=0)
            for side in (self.baselines, self.news)
        ]
        decide = choose_blocks if self.request.block == "auto" else measured
        return decide(rows, left.speakers, left.unit)


def compare_units(
    baselines: Sequence[UnitTable], news: Sequence[UnitTable], request: Request = USUAL
) -> Changes:
    """Compare two sides, each of one or several runs, unit by unit, or by their sums.

    Raises MatchingError if the sides are of other tasks or rules, have other units or references,
    or an option of the request needs what they lack.
    """
    baselines, news = _of_same_columns(baselines, news)
    baseline, new = baselines[0], news[0]
    for side in (*baselines[1:], *news):
        _refuse_other_rules(baseline, side)
    lacking = [side.name for side in (*baselines, *news) if not len(side.units) and any(side.sums)]
    if lacking:
        return _compare_sums(baselines, news, request, lacking)
    pairing, only = _paired(baselines, news, request)
    _check_request(pairing)
    blocks = pairing.blocks()
    numbers = len(pairing.old.units)
    units: Sequence[object] = blocks.labels or range(numbers)
    total = pairing.sum_of("total", slice(None))
    if not pairing.is_repeated:
        total = _in_all(pairing.old, pairing.news[0])
    repeated = None
    if pairing.is_repeated:
        difference, test = pairing.test(units, blocks.name)
        assert difference is None or isinstance(difference, SpreadTest)
        comparison = Comparison(baseline.name, new.name, blocks.name, None, (test,), "several runs")
        runs = [
            VersionRuns([run.name for run in side], [run.total().value for run in side])
            for side in (pairing.baselines, pairing.news)
        ]
        repeated = RepeatedRuns(runs[0], runs[1], difference, blocks.name)
        tests: list[SignificanceTest] = [test]
    else:
        comparison = pairing.compare(_tests_of(pairing))
        tests = sorted(comparison.tests, key=lambda test: test.name != request.test)
    worse, better = _moved(pairing)
    return Changes(
        baseline,
        new,
        pairing.old.units,
        *only,
        total,
        _numbers(pairing, comparison, repeated, blocks, total),
        comparison,
        tests,
        _by_speaker(pairing),
        worse,
        better,
        _groups(pairing, blocks),
        repeated,
    )


def _of_same_columns(
    baselines: Sequence[UnitTable], news: Sequence[UnitTable]
) -> tuple[list[UnitTable], list[UnitTable]]:
    """Return the sides with the columns that all have: kinds of errors may be unknown."""
    task = baselines[0].layout.task
    for side in news:
        if side.layout.task != task:
            fields = {"path": side.name, "other": baselines[0].name}
            tasks = {"expected": task.name, "found": side.layout.task.name}
            raise refused(messages.OTHER_TASK, **fields, **tasks)
    columns = tuple(
        name
        for name in baselines[0].layout.columns
        if all(name in side.layout.columns for side in (*baselines, *news))
    )
    left, right = ([side.narrowed(columns) for side in sides] for sides in (baselines, news))
    return left, right


def _refuse_other_rules(baseline: UnitTable, side: UnitTable) -> None:
    rules = baseline.rules, side.rules
    if None not in rules and rules[0] != rules[1]:
        entry = messages.OTHER_RULES
        if baseline.kind in ("run", "sums") or side.kind in ("run", "sums"):
            entry = messages.OTHER_RULES_OF_RUNS
        fields = {"path": side.name, "other": baseline.name}
        raise refused(entry, **fields, expected=rules[0], found=rules[1])
    kinds = [table.signature.partition("|")[0] for table in (baseline, side)]
    if kinds[0] != kinds[1] and None in rules:
        fields = {"path": side.name, "other": baseline.name}
        raise refused(messages.OTHER_UNIT, **fields, expected=kinds[0], found=kinds[1])


def _compare_sums(
    baselines: Sequence[UnitTable],
    news: Sequence[UnitTable],
    request: Request,
    lacking: Sequence[str],
) -> Changes:
    """Compare sides of which at least one has no units."""
    if len(baselines) > 1 or len(news) > 1:
        raise refused(messages.SEVERAL_SUMS, path=lacking[0])
    if request.grouping is not None:
        raise refused(messages.SUMS_IN_GROUPS, path=lacking[0])
    if request.block != "auto":
        raise refused(messages.SUMS_IN_BLOCKS, path=lacking[0])
    [old], [new] = baselines, news
    total = _in_all(old, new)
    sizes = total.baseline.size, total.new.size
    if sizes[0] != sizes[1] and not request.references_may_differ:
        fields = {"path": new.name, "other": old.name}
        raise refused(messages.OTHER_SIZE, **fields, expected=sizes[0], found=sizes[1])
    reason = f"{' and '.join(lacking)} has only sums, not the errors of each utterance"
    none = ListedNames()
    main = NumberChange(old.layout.main, total.baseline.value, total.new.value, None)
    comparison = Comparison(old.name, new.name, old.unit, None, (), reason)
    return Changes(old, new, (), none, none, total, [main], comparison, ())


def _in_all(old: UnitTable, new: UnitTable) -> Change:
    """Return the sums of both sides, of the columns that both have."""
    left, right = old.total(), new.total()
    columns = [name for name in left.layout.columns if name in right.layout.columns]
    return Change("total", left.narrowed(columns), right.narrowed(columns))


def _paired(
    baselines: Sequence[UnitTable], news: Sequence[UnitTable], request: Request
) -> tuple[PairedRuns, tuple[ListedNames, ListedNames]]:
    """Return the common units of all runs; refuses those of one side, and other references."""
    baseline, new = baselines[0], news[0]
    at = [
        [{name: place for place, name in enumerate(run.units)} for run in side]
        for side in (baselines, news)
    ]
    everywhere = [places for side in at for places in side]
    common = [name for name in baseline.units if all(name in places for places in everywhere)]
    if not common and (len(baseline.units) or len(new.units)):
        first = [
            repr(side.units[0]) if len(side.units) else "none at all" for side in (baseline, new)
        ]
        fields = {"path": new.name, "other": baseline.name, "unit": baseline.unit}
        raise refused(messages.NOTHING_COMMON, **fields, expected=first[0], found=first[1])
    only = ListedNames(), ListedNames()
    for run, places in zip((*baselines[1:], *news), (*at[0][1:], *at[1]), strict=True):
        lists = (
            ListedNames.of(name for name in baseline.units if name not in places),
            ListedNames.of(name for name in run.units if name not in at[0][0]),
        )
        if run is new:
            only = lists
        pairs = ((run, baseline, lists[0]), (baseline, run, lists[1]))
        for side, opposite, listed in pairs if not request.common_only else ():
            if listed.number:
                fields = {"path": side.name, "other": opposite.name, "unit": baseline.unit}
                raise refused(messages.MISSING_UNITS, **fields, missing=str(listed))
    sides = [
        [
            run.select([places[name] for name in common])
            for run, places in zip(side, of, strict=True)
        ]
        for side, of in zip((baselines, news), at, strict=True)
    ]
    pairing = PairedRuns(sides[0], sides[1], request)
    for run in (*sides[0][1:], *sides[1]) if not request.references_may_differ else ():
        ours, theirs = pairing.old.references, run.references
        if ours is None or theirs is None or ours == theirs:
            continue
        different = ListedNames.of(
            name for name, a, b in zip(common, ours, theirs, strict=True) if a != b
        )
        if different.number:
            fields = {"path": run.name, "other": baseline.name, "names": str(different)}
            is_words = baseline.layout.task is WORDS
            raise refused(messages.OTHER_WORDS if is_words else messages.OTHER_REFERENCE, **fields)
    return pairing, only


def _check_request(pairing: PairedRuns) -> None:
    """Reject a block or test that the sides cannot have."""
    old, request = pairing.old, pairing.request
    speakers = old.speakers or [None] * len(old.units)
    if request.block == "speaker":
        if old.unit == "session":
            raise refused(messages.SPEAKERS_OF_SESSIONS)
        if None in speakers:
            name = old.units[speakers.index(None)] if len(speakers) else ""
            raise refused(messages.NO_SPEAKER, unit=old.unit, name=name)
    task = old.layout.task.name
    if pairing.is_repeated:
        if not old.layout.is_ratio:
            raise refused(messages.NO_RATIO, task=task, number=old.layout.main.name)
        return
    if request.test not in (*OF_NUMBERS, *_tests_of(pairing)):
        raise refused(messages.NO_SUCH_TEST, test=request.test, task=task)
    if request.test == "matched-pairs":
        for side in (old, pairing.news[0]):
            if side.edits is None:
                raise refused(messages.TEST_OF_WORDS, test=request.test, path=side.name)


def _tests_of(pairing: PairedRuns) -> tuple[TestName, ...]:
    return TESTS if pairing.old.layout.task.name == "wer" else OF_NUMBERS


def _matrix(side: Sequence[UnitTable], units: Sequence[object]) -> Floats:
    """What is wrong and the size, by run and unit."""
    numbers = {unit: number for number, unit in enumerate(dict.fromkeys(units))}
    of_unit = [numbers[unit] for unit in units]
    sums = np.zeros((len(side), len(numbers), 2), np.float64)
    for run, table in enumerate(side):
        np.add.at(sums[run], of_unit, table.layout.ratio(table.rows))
    return sums


def _numbers(
    pairing: PairedRuns,
    comparison: Comparison,
    repeated: RepeatedRuns | None,
    blocks: Blocks,
    total: Change,
) -> list[NumberChange]:
    """Return the numbers of the task, each with the interval of its change."""
    numbers = []
    old, new = pairing.old, pairing.news[0]
    layout = old.layout
    for figure in layout.task.figures:
        difference: Bootstrap | SpreadTest | None = None
        if repeated is not None:
            values = [_mean(figure, side) for side in (pairing.baselines, pairing.news)]
            difference = repeated.test if figure == layout.main else None
        else:
            sums = zip((old, new), (total.baseline, total.new), strict=True)
            values = [side.values.get(figure.name, part.number(figure)) for side, part in sums]
            if figure == layout.main:
                difference = comparison.bootstrap and comparison.bootstrap.difference
            elif figure.name in layout.scores:
                difference = _interval(pairing, figure, blocks)
        if figure == layout.main or values != [None, None]:
            numbers.append(NumberChange(figure, values[0], values[1], difference))
    return numbers


def _mean(figure: Figure, side: Sequence[UnitTable]) -> float | None:
    """Return the mean of a number over runs; None where a run has none."""
    values = [run.values.get(figure.name, run.total().number(figure)) for run in side]
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if len(known) == len(values) else None


def _interval(pairing: PairedRuns, figure: Figure, blocks: Blocks) -> Bootstrap | None:
    """Return the interval of the change of a number that is not the main one."""
    score = pairing.old.layout.scores[figure.name]
    rows = pairing.old.rows, pairing.news[0].rows
    choices = pairing.resampling._asdict()
    try:
        found = paired_bootstrap(*rows, score=score, blocks=blocks.labels, **choices)
    except StatisticsError:
        return None
    return blocks.mark(found.difference)


def _moved(pairing: PairedRuns) -> tuple[list[UnitChange], list[UnitChange]]:
    """Return the units that got worse, and those that got better, the greatest change first."""
    old, layout = pairing.old, pairing.old.layout
    means = [
        sum(layout.ratio(run.rows)[:, 0] for run in side) / len(side)
        for side in (pairing.baselines, pairing.news)
    ]
    more = np.asarray(means[1] - means[0])
    order = np.argsort(-np.abs(more), kind="stable")

    def rows(places: Integers) -> list[UnitChange]:
        return [
            UnitChange(pairing.sum_of(old.units[place], [place]), place)
            for place in places.tolist()
        ]

    return rows(order[more[order] > 0]), rows(order[more[order] < 0])


def _by_speaker(pairing: PairedRuns) -> list[Change]:
    """Return the sums of each speaker, in order of first appearance; empty if one is unknown."""
    speakers = pairing.old.speakers
    if speakers is None or None in speakers:
        return []
    places: dict[object, list[int]] = {}
    for place, speaker in enumerate(speakers):
        places.setdefault(speaker, []).append(place)
    return [pairing.sum_of(str(speaker), of) for speaker, of in places.items()]


def _groups(pairing: PairedRuns, blocks: Blocks) -> list[GroupChange]:
    """Each group with its test; p-values of a column's groups are adjusted by Holm's method."""
    groups: list[GroupChange] = []
    if pairing.request.grouping is None:
        return groups
    if pairing.old.unit == "session":
        raise refused(messages.GROUPS_OF_SESSIONS)
    for name, column in _columns(pairing, pairing.request.grouping).items():
        places: dict[str, list[int]] = {}
        for place, value in enumerate(column):
            places.setdefault(NO_VALUE if value is None else value, []).append(place)
        tested = []
        for value in sorted(places):
            of = places[value]
            labels = blocks.labels
            units = [place if labels is None else labels[place] for place in of]
            change = pairing.sum_of(value, of)
            tested.append(GroupChange(name, change, *pairing.select(of).test(units, blocks.name)))
        adjusted = holm([group.test.p_value for group in tested])
        groups += [
            group._replace(test=group.test._replace(adjusted=value))
            for group, value in zip(tested, adjusted, strict=True)
        ]
    return groups


def _columns(pairing: PairedRuns, options: Options) -> Groups:
    """Return the value of each unit by column, from metadata or whichever side has it."""
    old = pairing.old
    columns: dict[str, Sequence[str | None]] = {}
    for side in (pairing.news[0], old):
        columns.update(side.groups)
    speakers = old.speakers or ()
    if any(speaker is not None for speaker in speakers):
        columns[SPEAKER] = [None if name is None else str(name) for name in speakers]
    names = options.by or [name for name in columns if name != SPEAKER]
    # words that were scored beside the table have its columns
    has_columns = bool(names) and {*names} <= columns.keys()
    has_columns &= bool(options.by) or old.layout.task is WORDS
    if options.metadata is not None and not has_columns:
        of_table = _of_metadata(pairing, options, columns)
        columns, names = {**columns, **of_table}, options.by or list(of_table)
    missing = [name for name in names if name not in columns]
    if missing:
        fields = {"path": old.name, "unit": old.unit, "name": missing[0]}
        raise refused(messages.NO_GROUPS, **fields, found=list(columns) or ["none"])
    return {name: columns[name] for name in names}


def _of_metadata(
    pairing: PairedRuns, options: Options, columns: Groups
) -> Mapping[str, Sequence[str | None]]:
    """Return the columns of the table of metadata."""
    from scoring.results.metadata import read_metadata

    metadata, old = read_metadata(options), pairing.old
    sizes = old.layout.ratio(old.rows)[:, 1].tolist()
    groups = {name: columns[name] for name in options.by if name in columns}
    nothing: list[str | None] = [None] * len(old.units)
    keys: dict[str, Sequence[str | None]] = {
        "utterance": old.units,
        "recording": columns.get("recording", nothing),
        SPEAKER: columns.get(SPEAKER, nothing),
    }
    return metadata.groups(options, groups, keys, sizes, old.name)[0]
