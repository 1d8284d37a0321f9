"""The changes between two tables of units and columns: overall, by unit and by group."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from formats.schema.messages import Message
from scoring.model.errors import StatisticsError
from scoring.regression import messages
from scoring.regression.allowances import MISSING, REFERENCES, RULES
from scoring.regression.comparison import Comparison, SignificanceTest
from scoring.regression.contributions import (
    UNIT,
    Contribution,
    columns_of,
    largest,
    part_contributions,
    word_contributions,
)
from scoring.regression.equivalence import Equivalence, equivalence
from scoring.regression.paired_runs import (
    USUAL,
    Change,
    PairedRuns,
    Request,
    check_request,
    pair_runs,
    tests_of,
)
from scoring.regression.task_figures import WORDS
from scoring.regression.unit_groups import GroupChange, groups_of
from scoring.regression.units import UnitTable, refused
from scoring.regression.version_runs import RepeatedRuns, VersionRuns
from scoring.results.groups import SPEAKER
from scoring.results.measured import Figure
from scoring.score.rates import ErrorRates
from scoring.sides.corpus import ListedNames
from scoring.stats.blocks import Blocks
from scoring.stats.bootstrapping import Bootstrap, paired_bootstrap
from scoring.stats.spread import SpreadTest

if TYPE_CHECKING:
    from scoring.measures.intervals import FigureChange
    from scoring.model.arrays import Integers


class NumberChange(NamedTuple):
    """A number of the baseline and of the new version, with the difference."""

    figure: Figure
    baseline: float | None
    new: float | None
    difference: Bootstrap | SpreadTest | None  # None where it follows from no sums, or of few units

    @property
    def change(self) -> float | None:
        """The new number minus the baseline's; None if one of the numbers is missing."""
        return None if self.baseline is None or self.new is None else self.new - self.baseline


class UnitChange(NamedTuple):
    """A unit that got worse or better, with its index among the units of both versions."""

    change: Change
    place: int


class WordPair(NamedTuple):
    """The scores of both versions with their words, for listings."""

    baseline: ErrorRates
    new: ErrorRates
    common: Sequence[tuple[int, int]]  # positions of the common units in either


class Changes(NamedTuple):
    """The results of a comparison."""

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
    contributions: Sequence[Contribution] = ()  # what the change comes from, the largest first
    equivalence: Equivalence | None = None  # whether the change counts as none, if asked for
    # hypotheses that the baseline has and the new version lacks; None: unknown
    lost: ListedNames | None = None
    lost_speakers: Sequence[str] = ()  # those that have no hypothesis any more

    def explained(self) -> Changes:
        """Return the comparison with the word differences that contribute most to its change."""
        groups = part_contributions(self.total, columns_of(self.speakers, self.groups, SPEAKER))
        differences: list[Contribution] = []
        if self.words is not None and self.repeated is None:
            differences = word_contributions(self.total, *self.words)
        elif self.baseline.layout.task is not WORDS:
            moved = [row.change for row in (*self.worse, *self.better)]
            differences = part_contributions(self.total, {self.noun: moved}, UNIT)
        return self._replace(contributions=largest(differences, groups))

    @property
    def noun(self) -> str:
        """The unit of comparison: utterance, session, recording or keyword."""
        return self.baseline.unit


def compare_units(
    baselines: Sequence[UnitTable], news: Sequence[UnitTable], request: Request = USUAL
) -> Changes:
    """Compare two versions with one or several runs each, unit by unit, or by their sums.

    Raises MatchingError if the versions differ in their tasks, rules, units or references, or if
    they lack data for a requested option.
    """
    baselines, news = _of_same_columns(baselines, news)
    baseline, new = baselines[0], news[0]
    for side in (*baselines[1:], *news) if RULES not in request.allow else ():
        _refuse_other_rules(baseline, side)
    lacking = [side.name for side in (*baselines, *news) if not len(side.units) and any(side.sums)]
    if lacking:
        return _compare_sums(baselines, news, request, lacking)
    pairing, only = pair_runs(baselines, news, request)
    check_request(pairing)
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
        reason = Message(messages.SEVERAL_RUNS)
        comparison = Comparison(baseline.name, new.name, blocks.name, None, (test,), reason)
        runs = [
            VersionRuns([run.name for run in side], [run.total().value for run in side])
            for side in (pairing.baselines, pairing.news)
        ]
        repeated = RepeatedRuns(runs[0], runs[1], difference, blocks.name)
        tests: list[SignificanceTest] = [test]
    else:
        comparison = pairing.compare(tests_of(pairing))
        tests = sorted(comparison.tests, key=lambda test: test.name != request.test)
    worse, better = _moved(pairing)
    changes = Changes(
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
        groups_of(pairing, blocks),
        repeated,
        equivalence=pairing.equivalence(units, blocks.name, total.baseline.value),
        lost=lost_of(baselines, news, request),
        lost_speakers=[] if MISSING in request.allow else _lost_speakers(baselines, news),
    )
    return changes.explained()


def lost_of(
    baselines: Sequence[UnitTable], news: Sequence[UnitTable], request: Request
) -> ListedNames | None:
    """Return the hypotheses that the baseline has and a new run lacks; None if unknown.

    If a side does not list all names, the number is the least possible one: the difference of the
    numbers of both sides. None are lost if the user allows missing utterances, which are skipped.
    """
    if MISSING in request.allow:
        return ListedNames()
    lost = ListedNames()
    before = _missing_before(baselines)
    if before is None:
        return None
    for run in news:
        if run.missing is None:
            return None
        of_baseline, names = {*before.identifiers}, _lost_names(before, run.missing)
        more = run.missing.number - before.number
        if len(of_baseline) < before.number:
            if more <= 0 < run.missing.number:
                return None
            names = ()  # the baseline may lack them, too
        number = min(len(names), run.missing.number)
        if any(len(side.identifiers) < side.number for side in (before, run.missing)):
            number = max(more, number)
        lost = lost.merged(ListedNames(number, names))
    return lost


def _missing_before(baselines: Sequence[UnitTable]) -> ListedNames | None:
    """Return the references without hypothesis in the most complete run; None if unknown."""
    known = [run.missing for run in baselines if run.missing is not None]
    if len(known) < len(baselines):
        return None
    return min(known, key=lambda missing: missing.number)


def _lost_names(before: ListedNames, after: ListedNames) -> tuple[str, ...]:
    of_baseline = {*before.identifiers}
    return tuple(name for name in after.identifiers if name not in of_baseline)


def _lost_speakers(baselines: Sequence[UnitTable], news: Sequence[UnitTable]) -> list[str]:
    """Return the speakers of whom a new run has no hypothesis, but the baseline has some."""
    speakers, before = baselines[0].speakers, _missing_before(baselines)
    if speakers is None or before is None or len({*speakers}) == len(speakers):
        return []
    lost: dict[str, None] = {}
    for run in news:
        names = {*_lost_names(before, run.missing or ListedNames())}
        remaining: dict[str, bool] = {}
        for unit, speaker in zip(baselines[0].units, speakers, strict=True) if names else ():
            if speaker is not None and unit not in before.identifiers:
                remaining[str(speaker)] = remaining.get(str(speaker), False) or unit not in names
        lost.update(dict.fromkeys(speaker for speaker, has_any in remaining.items() if not has_any))
    return list(lost)


def _of_same_columns(
    baselines: Sequence[UnitTable], news: Sequence[UnitTable]
) -> tuple[list[UnitTable], list[UnitTable]]:
    """Return both sides with only their common columns; some have no counts by kind of error."""
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
    """Compare versions if at least one of them has no units."""
    if len(baselines) > 1 or len(news) > 1:
        raise refused(messages.SEVERAL_SUMS, path=lacking[0])
    if request.grouping is not None:
        raise refused(messages.SUMS_IN_GROUPS, path=lacking[0])
    if request.block != "auto":
        raise refused(messages.SUMS_IN_BLOCKS, path=lacking[0])
    [old], [new] = baselines, news
    total = _in_all(old, new)
    sizes = total.baseline.size, total.new.size
    if sizes[0] != sizes[1] and REFERENCES not in request.allow:
        fields = {"path": new.name, "other": old.name}
        raise refused(messages.OTHER_SIZE, **fields, expected=sizes[0], found=sizes[1])
    reason = Message(messages.ONLY_SUMS, {"paths": lacking})
    none = ListedNames()
    main = NumberChange(old.layout.main, total.baseline.value, total.new.value, None)
    comparison = Comparison(old.name, new.name, old.unit, None, (), reason)
    equal = request.equal_within and equivalence(request.equal_within, total.baseline.value, None)
    changes = Changes(old, new, (), none, none, total, [main], comparison, ())
    return changes._replace(equivalence=equal, lost=lost_of(baselines, news, request))


def _in_all(old: UnitTable, new: UnitTable) -> Change:
    """Return the total sums of both versions, in the columns that both have."""
    left, right = old.total(), new.total()
    columns = [name for name in left.layout.columns if name in right.layout.columns]
    return Change("total", left.narrowed(columns), right.narrowed(columns))


def _numbers(
    pairing: PairedRuns,
    comparison: Comparison,
    repeated: RepeatedRuns | None,
    blocks: Blocks,
    total: Change,
) -> list[NumberChange]:
    """Return the numbers of the task in both versions, each with the interval of its change."""
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
    """Return the mean of a number over runs; None if any run lacks the number."""
    values = [run.values.get(figure.name, run.total().number(figure)) for run in side]
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if len(known) == len(values) else None


def _interval(pairing: PairedRuns, figure: Figure, blocks: Blocks) -> Bootstrap | None:
    """Return the interval of the change of a number that is not the main number."""
    score = pairing.old.layout.scores[figure.name]
    rows = pairing.old.rows, pairing.news[0].rows
    choices = pairing.resampling._asdict()
    try:
        found = paired_bootstrap(*rows, score=score, blocks=blocks.labels, **choices)
    except StatisticsError:
        return None
    return blocks.mark(found.difference)


def _moved(pairing: PairedRuns) -> tuple[list[UnitChange], list[UnitChange]]:
    """Return the units that got worse and the units that got better, largest change first."""
    layout = pairing.old.layout
    means = [
        sum(layout.ratio(run.rows)[:, 0] for run in side) / len(side)
        for side in (pairing.baselines, pairing.news)
    ]
    more = np.asarray(means[1] - means[0])
    order = np.argsort(-np.abs(more), kind="stable")

    def rows(places: Integers) -> list[UnitChange]:
        changes = pairing.changes_of(places)
        return [UnitChange(*row) for row in zip(changes, places.tolist(), strict=True)]

    return rows(order[more[order] > 0]), rows(order[more[order] < 0])


def _by_speaker(pairing: PairedRuns) -> list[Change]:
    """Return the sums of each speaker in order of appearance; empty if a speaker is unknown."""
    speakers = pairing.old.speakers
    if speakers is None or None in speakers:
        return []
    places: dict[object, list[int]] = {}
    for place, speaker in enumerate(speakers):
        places.setdefault(speaker, []).append(place)
    return [pairing.sum_of(str(speaker), of) for speaker, of in places.items()]
