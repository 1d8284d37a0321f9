"""Intervals, tests and comparisons of systems that are scored already, as tables of counts.

`scoring.stats` computes the numbers from the counts of `scoring.score.table`.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from formats.schema.messages import Message, message_of
from scoring.model.errors import StatisticsError
from scoring.regression.comparison import Comparison, SignificanceTest
from scoring.regression.nist_tests import BY_SPEAKER, NIST_TESTS, NistTestName, PairedSystems
from scoring.score.table import (
    SINGLE,
    BlockOfUtterances,
    ScoreTable,
    blocks_of,
    labels_of,
    matched_places,
    shared_blocks,
)
from scoring.stats.blocks import Blocks
from scoring.stats.bootstrapping import PairedBootstrap, bootstrap, paired_bootstrap
from scoring.stats.intervals import ConfidenceInterval, Resampling
from scoring.stats.randomisation import approximate_randomisation
from scoring.stats.units import Score, error_rate

TestName: TypeAlias = Literal["bootstrap", "randomisation"] | NistTestName
# those that are made unless others are asked for
TESTS: tuple[TestName, ...] = ("bootstrap", "randomisation")
ALL_TESTS: tuple[TestName, ...] = (*TESTS, *NIST_TESTS)
DEFAULT = Resampling()


def interval_of(
    table: ScoreTable, block: BlockOfUtterances, resampling: Resampling
) -> ConfidenceInterval:
    """Return the interval of a score table, or the reason why there is no interval."""
    return _interval(table, blocks_of(table, block), resampling)


def intervals_of(
    tables: Sequence[ScoreTable], blocks: Sequence[BlockOfUtterances], resampling: Resampling
) -> list[ConfidenceInterval]:
    """Return the intervals of the systems of one table, which have the same unit."""
    return [
        _interval(table, own, resampling)
        for table, own in zip(tables, shared_blocks(tables, blocks), strict=True)
    ]


def _interval(table: ScoreTable, blocks: Blocks, resampling: Resampling) -> ConfidenceInterval:
    try:
        interval = bootstrap(table.statistics, blocks=blocks.labels, **resampling._asdict())
    except StatisticsError as problem:
        return ConfidenceInterval(table.title, blocks.name, None, str(problem))
    return ConfidenceInterval(table.title, blocks.name, blocks.mark(interval), None)


def compare_tables(
    left: ScoreTable,
    right: ScoreTable,
    tests: Sequence[TestName],
    block: BlockOfUtterances,
    resampling: Resampling,
    score: Score = error_rate,
    *,
    lower_is_better: bool = True,
) -> Comparison:
    """Compare systems by errors and tokens per utterance, or by another score of column sums."""
    places = matched_places(left, right)
    pair = (left.statistics, right.statistics[places])
    blocks = blocks_of(left, block, pair[1])
    labels = blocks.labels
    resampled: PairedBootstrap | None = None
    reason: Message | None = None
    try:
        choices = resampling._asdict() | {"score": score}
        resampled = paired_bootstrap(
            *pair, blocks=labels, lower_is_better=lower_is_better, **choices
        )
        rates = [resampled.baseline, resampled.new]
        sides = [left._replace(statistics=statistics) for statistics in pair]
        # the rates may have another unit than the difference
        for place, own in enumerate(shared_blocks(sides, [block, block])):
            if own.name != blocks.name:
                rates[place] = bootstrap(pair[place], blocks=own.labels, **choices)
            rates[place] = own.mark(rates[place])
        resampled = resampled._replace(
            baseline=rates[0], new=rates[1], difference=blocks.mark(resampled.difference)
        )
    except StatisticsError as problem:
        reason = message_of(problem)

    def made(test: TestName) -> SignificanceTest:
        if test != "bootstrap" and test != "randomisation":
            return _nist_test(test, left, right, places, block)
        if resampled is None:
            return SignificanceTest(test, None, None, str(reason or ""))
        return _test(test, pair, labels, resampled, resampling, score)

    return Comparison(
        left.title, right.title, blocks.name, resampled, tuple(map(made, tests)), reason
    )


def decide(
    left: ScoreTable,
    right: ScoreTable,
    test: TestName,
    block: BlockOfUtterances,
    resampling: Resampling,
) -> tuple[SignificanceTest, str]:
    """Test two systems as `compare_tables` does; also return the resampling unit of the test."""
    places = matched_places(left, right)
    blocks = blocks_of(left, block, right.statistics[places])
    if test == "bootstrap":
        [result] = compare_tables(left, right, [test], block, resampling).tests
    elif test == "randomisation":
        pair = (left.statistics, right.statistics[places])
        result = _randomised(pair, blocks.labels, resampling)
    else:
        result = _nist_test(test, left, right, places, block)
    return result, blocks.name


def _nist_test(
    test: NistTestName,
    left: ScoreTable,
    right: ScoreTable,
    places: NDArray[np.int64],
    block: BlockOfUtterances,
) -> SignificanceTest:
    by_speaker = test in BY_SPEAKER
    return NIST_TESTS[test](pairing_of(left, right, places, block, by_speaker=by_speaker))


def pairing_of(
    left: ScoreTable,
    right: ScoreTable,
    places: NDArray[np.int64],
    block: BlockOfUtterances,
    *,
    by_speaker: bool,
) -> PairedSystems:
    """Convert both systems to the form that NIST's tests need."""
    if by_speaker and block in SINGLE and left.knows_speakers and right.knows_speakers:
        block = "speaker"
    labels, name = labels_of(left, block)
    alignments = None
    if left.edits is not None and right.edits is not None:
        alignments = zip(
            map(left.edits, range(len(places))), map(right.edits, places.tolist()), strict=True
        )
    return PairedSystems(
        left.statistics.tolist(),
        right.statistics[places].tolist(),
        alignments,
        labels,
        name.removesuffix("s"),
    )


def _test(
    name: str,
    pair: tuple[NDArray[np.int64], NDArray[np.int64]],
    labels: Sequence[Hashable] | None,
    bootstrapped: PairedBootstrap,
    resampling: Resampling,
    score: Score,
) -> SignificanceTest:
    if name == "bootstrap":
        flag = bootstrapped.difference.flag
        remark = f"paired bootstrap, {resampling.replications:,} replications"
        remark = f"{remark}; {flag}" if flag else remark
        return SignificanceTest(name, bootstrapped.p_value, None, remark)
    return _randomised(pair, labels, resampling, score)


def _randomised(
    pair: tuple[NDArray[np.int64], NDArray[np.int64]],
    labels: Sequence[Hashable] | None,
    resampling: Resampling,
    score: Score = error_rate,
) -> SignificanceTest:
    name = "randomisation"
    try:
        result = approximate_randomisation(
            *pair,
            score=score,
            blocks=labels,
            trials=resampling.replications,
            seed=resampling.seed,
        )
    except StatisticsError as problem:
        return SignificanceTest(name, None, None, str(problem))
    return SignificanceTest(name, result.p_value, None, result.exchanges)
