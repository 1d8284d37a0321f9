"""The runs of both versions over the same units, for comparison, tests and resampling."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from formats.schema.messages import message_of
from scoring.model.errors import StatisticsError
from scoring.options import Rules
from scoring.regression import messages
from scoring.regression.allowances import MISSING, NONE, REFERENCES
from scoring.regression.comparison import Comparison, SignificanceTest
from scoring.regression.equivalence import Equivalence, Margin, equivalence
from scoring.regression.significance import ALL_TESTS, TestName, compare_tables
from scoring.regression.task_figures import WORDS
from scoring.regression.units import UnitSums, UnitTable, refused
from scoring.regression.version_runs import TEST
from scoring.score.table import BlockName, ScoreTable, blocks_of
from scoring.sides.corpus import ListedNames
from scoring.sides.matching import MatchingError
from scoring.stats.blocks import Blocks, choose_blocks, measured
from scoring.stats.bootstrapping import Bootstrap
from scoring.stats.deciding import DEFAULT_TEST
from scoring.stats.intervals import Resampling
from scoring.stats.spread import SpreadTest, spread_test

if TYPE_CHECKING:
    from scoring.model.arrays import Floats, Integers
    from scoring.options import Options

TESTS: tuple[TestName, ...] = (DEFAULT_TEST, "bootstrap", "matched-pairs", "mcnemar")
OF_NUMBERS: tuple[TestName, ...] = (DEFAULT_TEST, "bootstrap")
"""Tests that do not need words or a right or wrong outcome per unit."""


class Request(NamedTuple):
    """The options of a comparison."""

    rules: Rules | None = None  # for both sides of words; None: those of the baseline
    allow: Collection[str] = NONE  # of `ALLOWANCES`: what may differ between the sides
    test: str = DEFAULT_TEST  # the test that decides
    block: BlockName = "auto"  # `auto`, `utterance` or `speaker`: what is resampled as a whole
    resampling: Resampling | None = None  # replications, seed and level; None: as `scoring.compare`
    options: Options | None = None  # names and settings of measures; None: those of both sides
    grouping: Options | None = None  # `by` and `metadata`; None: no groups
    equal_within: Margin | None = None  # the largest change that counts as none


USUAL = Request()


class Change(NamedTuple):
    """The sums of both versions over the same units."""

    name: str  # a unit, a speaker, or what else was counted
    baseline: UnitSums  # over the runs of the side, where there are several
    new: UnitSums
    runs: tuple[int, int] = (1, 1)  # how many runs of each side were summed

    @property
    def more(self) -> int | float:
        """The additional errors per run of the new version; negative if it has fewer errors."""
        if self.runs == (1, 1):
            return self.new.wrong - self.baseline.wrong
        return self.new.wrong / self.runs[1] - self.baseline.wrong / self.runs[0]

    @property
    def rate(self) -> float | None:
        """The new main number minus the baseline's; None if one of the numbers is missing."""
        old, new = self.baseline.value, self.new.value
        return None if old is None or new is None else new - old

    @property
    def relative(self) -> float | None:
        """The change as a fraction of the baseline's number; None if that is 0 or missing."""
        change, old = self.rate, self.baseline.value
        return change / old if change is not None and old else None


class PairedRuns(NamedTuple):
    """The runs of both versions over the same units, in the same order."""

    baselines: Sequence[UnitTable]
    news: Sequence[UnitTable]
    request: Request

    @property
    def old(self) -> UnitTable:
        """The first run of the baseline."""
        return self.baselines[0]

    @property
    def is_repeated(self) -> bool:
        """True if one of the versions has several runs."""
        return len(self.baselines) > 1 or len(self.news) > 1

    @property
    def resampling(self) -> Resampling:
        """The settings of the bootstrap: replications, seed and level."""
        return self.request.resampling or Resampling()

    def sum_of(self, name: str, places: Sequence[int] | slice) -> Change:
        """Return the sums over the given units and all runs, for both versions."""
        old, new = (
            UnitSums(
                side[0].layout,
                tuple(map(sum, zip(*(run.sum_of(places).numbers for run in side), strict=True))),
            )
            for side in (self.baselines, self.news)
        )
        return Change(name, old, new, (len(self.baselines), len(self.news)))

    def changes_of(self, places: Integers) -> list[Change]:
        """Return the change of each given unit, over all runs of both versions."""
        names = [self.old.units[place] for place in places.tolist()]
        runs = len(self.baselines), len(self.news)
        old, new = (
            [
                UnitSums(side[0].layout, tuple(map(sum, zip(*rows, strict=True))))
                for rows in zip(*(run.rows[places].tolist() for run in side), strict=True)
            ]
            for side in (self.baselines, self.news)
        )
        return [Change(*row, runs) for row in zip(names, old, new, strict=True)]

    def select(self, places: Sequence[int]) -> PairedRuns:
        """Return the same runs with only the given units."""
        old, new = ([run.select(places) for run in side] for side in (self.baselines, self.news))
        return PairedRuns(old, new, self.request)

    def score_tables(self) -> tuple[ScoreTable, ScoreTable]:
        """Return the score tables of the first run of each version, for tests."""
        speakers = self.old.speakers
        known = None if speakers is None or None in speakers else speakers
        left, right = self.old.score_table(), self.news[0].score_table()
        return left._replace(speakers=known), right._replace(speakers=known)

    def compare(self, tests: Sequence[TestName]) -> Comparison:
        """Return the intervals and the tests of the main number."""
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
            raise MatchingError(message_of(problem)) from None

    def test(
        self, units: Sequence[object], block: str
    ) -> tuple[Bootstrap | SpreadTest | None, SignificanceTest]:
        """Return the interval of the change of the main number, and its decisive test."""
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

    def equivalence(
        self, units: Sequence[object], block: str, baseline: float | None
    ) -> Equivalence | None:
        """Return the equivalence tests, given the baseline's number; None without a margin."""
        margin = self.request.equal_within
        if margin is None:
            return None
        at_level = self.resampling._replace(level=margin.coverage)
        request = self.request._replace(resampling=at_level, test="bootstrap")
        return equivalence(margin, baseline, self._replace(request=request).test(units, block)[0])

    def blocks(self) -> Blocks:
        """Return the blocks to resample: units or speakers."""
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


def pair_runs(
    baselines: Sequence[UnitTable], news: Sequence[UnitTable], request: Request
) -> tuple[PairedRuns, tuple[ListedNames, ListedNames]]:
    """Return the units that all runs share; reject missing units and different references."""
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
        for side, opposite, listed in pairs if MISSING not in request.allow else ():
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
    for run in (*sides[0][1:], *sides[1]) if REFERENCES not in request.allow else ():
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


def check_request(pairing: PairedRuns) -> None:
    """Reject a resampling unit or a test that is impossible for these versions."""
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
    if request.test not in (*OF_NUMBERS, *tests_of(pairing)):
        raise refused(messages.NO_SUCH_TEST, test=request.test, task=task)
    if request.test == "matched-pairs":
        for side in (old, pairing.news[0]):
            if side.edits is None:
                raise refused(messages.TEST_OF_WORDS, test=request.test, path=side.name)


def tests_of(pairing: PairedRuns) -> tuple[TestName, ...]:
    """Return the possible tests for the results of a task: all for words, fewer for other tasks."""
    return TESTS if pairing.old.layout.task.name == "wer" else OF_NUMBERS


def _matrix(side: Sequence[UnitTable], units: Sequence[object]) -> Floats:
    """Return an array of shape (runs, units, 2): errors and sizes, whose quotient is the rate."""
    numbers = {unit: number for number, unit in enumerate(dict.fromkeys(units))}
    of_unit = [numbers[unit] for unit in units]
    sums = np.zeros((len(side), len(numbers), 2), np.float64)
    for run, table in enumerate(side):
        np.add.at(sums[run], of_unit, table.layout.ratio(table.rows))
    return sums
