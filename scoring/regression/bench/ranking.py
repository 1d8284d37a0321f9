"""Rank systems by their mean error rate over test sets, with intervals and tests."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from scoring.model.arrays import Floats, Integers
from scoring.model.errors import StatisticsError
from scoring.regression.bench.runs import ScoredCell, Speed
from scoring.regression.missing import MissingHypotheses
from scoring.regression.pair_tests import PairTests, decide_pairs, resampling_of_set
from scoring.score.table import BlockName, ScoreTable, matched_places, shared_blocks
from scoring.stats.blocks import Blocks
from scoring.stats.bootstrapping import (
    METHOD,
    Bootstrap,
    described,
    weighted_sum,
    with_limits_of_rate,
)
from scoring.stats.deciding import (
    DEFAULT_TEST,
    ResamplingTest,
    level_of_tests,
)
from scoring.stats.intervals import Resampling
from scoring.stats.random_words import below, stream_starts, words_of
from scoring.stats.resampling import resampled_sums
from scoring.stats.units import error_rate, make_units, score_of
from scoring.text.recipes import recipe_named

# The seed of draws of runs differs from that of utterances in these bits.
_RUNS = 0x72756E73


def ratio(part: float, whole: float) -> float | None:
    """Return a ratio; None if the denominator is 0."""
    return part / whole if whole else None


class SetResult(NamedTuple):
    """The result of one system on one set; its numbers are means over the system's runs."""

    runs: Sequence[ScoredCell]
    errors: float  # mean of the runs
    words: int
    utterances: int
    empty: float  # answers without words, mean of the runs
    looping: float  # answers with a loop, mean of the runs
    missing: int  # references without a hypothesis, the most of a run
    rates: tuple[float | None, ...]  # of each run
    headline: float | None  # mean of the runs as the recipe's original prints it
    interval: Bootstrap | None  # None without words, or with too few utterances
    speed: Speed
    table: ScoreTable  # mean errors and words of each utterance
    draws: Floats | None  # errors and words of each replication

    @property
    def rate(self) -> float | None:
        """Errors per reference word."""
        return ratio(self.errors, self.words)

    @property
    def loop_rate(self) -> float | None:
        """Share of hypotheses with a loop."""
        return ratio(self.looping, self.utterances)

    @property
    def deviation(self) -> float | None:
        """Standard deviation between runs; None for a single run."""
        rates = [rate for rate in self.rates if rate is not None]
        return float(np.std(rates, ddof=1)) if len(rates) > 1 else None


class SystemResult(NamedTuple):
    """The results of one system on all sets by one recipe."""

    system: str
    sets: dict[str, SetResult]
    # All are None if a set is missing
    macro: float | None = None  # mean of the rates of the sets
    macro_interval: Bootstrap | None = None
    headline: float | None = None  # of all sets as the recipe's original averages them
    ranks: tuple[int, int] | None = None  # best and worst rank that the tests allow

    @property
    def missing(self) -> MissingHypotheses:
        """The references without a hypothesis of all sets."""
        cells = {name: row.runs[0] for name, row in self.sets.items()}
        is_skipped = any(run.cell.options.missing == "skip" for run in cells.values())
        return MissingHypotheses({name: row.missing for name, row in self.sets.items()}, is_skipped)

    @property
    def micro(self) -> float | None:
        """Errors per reference word over all sets together."""
        return ratio(self.total("errors"), self.total("words"))

    @property
    def speed(self) -> Speed:
        """Audio length and processing time over all sets."""
        return Speed.total(row.speed for row in self.sets.values())

    def total(self, name: str) -> float:
        """Return the sum of a number over the sets."""
        return float(sum(getattr(row, name) for row in self.sets.values()))


class RecipeRanking(NamedTuple):
    """A ranking of systems by one recipe, best first.

    Systems without a result on some set are last.
    """

    recipe: str
    signature: str
    sets: tuple[str, ...]
    systems: tuple[SystemResult, ...]
    # of every two systems that have all sets, by their places in `tested`
    tests: PairTests
    tested: tuple[str, ...]
    resampling: Resampling
    block: BlockName
    test: ResamplingTest

    @property
    def macros(self) -> dict[str, float | None]:
        """The mean error rate over the sets, for each system."""
        return {row.system: row.macro for row in self.systems}

    def pairs(self) -> Iterator[dict[str, object]]:
        """Yield JSON records of pairs of systems: difference of mean rates, and its test."""
        macros = self.macros
        for pair in self.tests.pairs:
            names = [self.tested[place] for place in pair.places]
            left, right = (macros[name] or 0.0 for name in names)
            yield {
                "systems": names,
                "difference": right - left,
                "p_value": pair.p_value,
                "adjusted_p_value": pair.adjusted,
                "differ": self.tests.differ(pair),
            }


def ranking_of(
    cells: Sequence[ScoredCell],
    sets: Sequence[str],
    resampling: Resampling,
    block: BlockName,
    test: ResamplingTest = DEFAULT_TEST,
) -> RecipeRanking:
    """Rank the systems of one recipe.

    The bootstrap and the paired tests resample each set separately: see
    `scoring.regression.pair_tests`.
    """
    runs: dict[str, dict[str, list[ScoredCell]]] = {}
    for scored in cells:
        runs.setdefault(scored.cell.system, {}).setdefault(scored.cell.set, []).append(scored)
    systems: dict[str, dict[str, SetResult]] = {name: {} for name in runs}
    for number, entry in enumerate(sets):
        present = {name: of_sets[entry] for name, of_sets in runs.items() if entry in of_sets}
        tables = list(map(_mean_table, present.values()))
        units = shared_blocks(tables, [block] * len(tables))
        for name, table, own in zip(present, tables, units, strict=True):
            chosen = resampling_of_set(resampling, number)
            systems[name][entry] = _set_result(present[name], table, own, chosen)
    whole = {
        name: list(rows.values())
        for name, rows in systems.items()
        if len(rows) == len(sets) and all(row.words for row in rows.values())
    }
    tests = decide_pairs(
        [[row.table for row in rows] for rows in whole.values()],
        test,
        [block] * len(whole),
        resampling,
        level_of_tests(resampling.level),
    )
    tested = tuple(whole)
    macros = [sum(row.errors / row.words for row in rows) for rows in whole.values()]
    wins, losses = Counter[str](), Counter[str]()
    for pair in filter(tests.differ, tests.pairs):
        worse, better = sorted(pair.places, key=macros.__getitem__, reverse=True)
        losses[tested[worse]] += 1
        wins[tested[better]] += 1
    recipe, signature = cells[0].cell.recipe, str(cells[0].run.summary["signature"])
    results = {name: SystemResult(name, rows) for name, rows in systems.items()}
    for name, rows in whole.items():
        ranks = 1 + losses[name], len(whole) - wins[name]
        macro, headline = _macro(rows, resampling), _headline(rows, recipe)
        results[name] = SystemResult(name, systems[name], *macro, headline, ranks)
    order = sorted(results.values(), key=lambda row: (row.macro is None, row.macro or 0.0))
    return RecipeRanking(
        recipe, signature, tuple(sets), tuple(order), tests, tested, resampling, block, test
    )


def _errors_of(runs: Sequence[ScoredCell]) -> Integers:
    """Return the errors of each utterance (rows) in each run (columns)."""
    table = runs[0].table
    return np.column_stack(
        [run.table.statistics[matched_places(table, run.table), 0] for run in runs]
    )


def _mean_table(runs: Sequence[ScoredCell]) -> ScoreTable:
    """Return the mean errors and the words of each utterance over runs of a system."""
    table = runs[0].table
    means = np.column_stack([_errors_of(runs).mean(axis=1), table.statistics[:, 1]])
    return table._replace(statistics=means)


def _set_result(
    runs: Sequence[ScoredCell], table: ScoreTable, blocks: Blocks, resampling: Resampling
) -> SetResult:
    """Return a system's result on a set, computed from runs over the same utterances."""
    errors, means = _errors_of(runs), table.statistics.astype(np.float64)
    words = runs[0].table.statistics[:, 1]
    interval, draws = None, None
    total, mean = int(words.sum()), float(errors.sum()) / len(runs)
    numbers = [run.run.summary["rates"].get("headline") for run in runs]
    try:
        draws = _draws(errors, words, blocks.labels, resampling)
        scores = score_of(error_rate, draws, "replications")
        interval = blocks.mark(_interval(means, blocks.labels, scores, resampling, len(runs)))
    except StatisticsError:
        draws = None
    return SetResult(
        runs,
        mean,
        total,
        len(words),
        sum(run.empty for run in runs) / len(runs),
        sum(run.looping for run in runs) / len(runs),
        max(run.missing for run in runs),
        tuple(run.run.rate if total else None for run in runs),
        None if None in numbers else sum(numbers) / len(numbers),
        interval,
        Speed.total(run.speed for run in runs),
        table,
        draws,
    )


def _interval(
    means: Floats,
    labels: Sequence[Hashable] | None,
    scores: Floats,
    resampling: Resampling,
    runs: int,
) -> Bootstrap:
    """Return the interval of a system's mean rate over its runs; `scores` has the replications."""
    [units] = make_units([means], labels)
    values, number = units.values(units.numbers), len(units.numbers)
    estimate = float(means[:, 0].sum() / means[:, 1].sum())
    choices = resampling.level, number, resampling.seed, METHOD, resampling.interval
    found = described(estimate, scores, *choices)
    if resampling.interval == "percentile":
        return found
    # runs vary, too: their part of the error is in the replications only
    error = None if runs == 1 else found.standard_error * (number / (number - 1)) ** 0.5
    return with_limits_of_rate(found, means[:, 0], values, error=error)


def _draws(
    errors: Integers,
    words: Integers,
    blocks: Sequence[Hashable] | None,
    resampling: Resampling,
) -> Floats:
    """Return, for each bootstrap replication, the mean number of errors of the runs and the words.

    Units and runs are drawn with replacement.
    """
    [units] = make_units([np.column_stack([errors, words])], blocks)
    trials, seed = resampling.replications, resampling.seed
    sums = units.values(resampled_sums(units.numbers, replications=trials, seed=seed))
    number = errors.shape[1]
    starts = stream_starts(seed ^ _RUNS, 0, trials)[:, None]
    drawn = below(number, words_of(starts, np.arange(number)[None]))
    means = np.take_along_axis(sums[:, :number], drawn, axis=1).mean(axis=1)
    return np.column_stack([means, sums[:, number]])


def _headline(rows: Sequence[SetResult], recipe: str) -> float | None:
    """Return the mean of the sets' rates, rounded as the recipe prescribes; None if undefined."""
    numbers = [row.headline for row in rows if row.headline is not None]
    if not recipe or len(numbers) < len(rows):
        return None
    headline = recipe_named(recipe).headline
    return headline.mean(numbers) if headline.sets == "mean" else None


def _macro(
    rows: Sequence[SetResult], resampling: Resampling
) -> tuple[float | None, Bootstrap | None]:
    """Return the mean of the sets' rates, and its interval."""
    macro = sum(row.errors / row.words for row in rows) / len(rows)
    draws = [error_rate(row.draws) for row in rows if row.draws is not None]
    parts = [row.interval for row in rows if row.interval is not None]
    if len(draws) < len(rows) or len(parts) < len(rows):
        return macro, None
    found = weighted_sum(parts, [1 / len(parts)] * len(parts), np.mean(draws, axis=0))
    return macro, found._replace(seed=resampling.seed)
