"""From scored systems to confidence intervals and comparisons, one call each.

The numbers come from `scoring.stats`, the counts from `scoring.score_table`.
"""

from __future__ import annotations

import os
from collections.abc import Hashable, Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from scoring.errors import StatisticsError
from scoring.nist.session import ScoreRequest
from scoring.score_table import (
    Block,
    Scorable,
    ScoreTable,
    labels_of,
    matched_places,
    score_table,
)
from scoring.stats.bootstrapping import PairedBootstrap, bootstrap, paired_bootstrap
from scoring.stats.comparison import (
    Comparison,
    Comparisons,
    ConfidenceInterval,
    Resampling,
    SignificanceTest,
)
from scoring.stats.corrections import holm
from scoring.stats.nist_tests import BY_SPEAKER, NIST_TESTS, Pairing
from scoring.stats.randomisation import approximate_randomisation

TESTS = ("bootstrap", "randomisation")  # those that are made unless others are asked for
ALL_TESTS = (*TESTS, *NIST_TESTS)
DEFAULT = Resampling()


def confidence_interval(
    scored: Scorable,
    *,
    reference: str | os.PathLike[str] | None = None,
    block: Block = "utterance",
    resampling: Resampling = DEFAULT,
    request: ScoreRequest | None = None,
) -> ConfidenceInterval:
    """The word error rate of a system with its bootstrap confidence interval.

    Parameters
    ----------
    scored
        Counts, alignments, a `System`, or the path of a hypothesis file.
    reference
        Path of the reference file; with a path only.
    block
        What is drawn as a whole: `utterance`; `speaker` or `recording` (of systems and files); or
        what each utterance belongs to, in order.
    resampling
        Replications, seed and level.
    request
        Options of scoring, with a path only. By default those of `sclite` without options.

    Returns
    -------
    ConfidenceInterval
        Without numbers, but with the reason, where there are less than two units or there are no
        reference tokens.

    Raises
    ------
    StatisticsError
        If the systems do not know their speakers or recordings.
    ScoringError
        If a file cannot be read or scored.
    TypeError, ValueError
        If an argument is of another kind or out of range.

    Examples
    --------
    >>> from scoring import edit_distance_batch
    >>> references = [["a", "b", "c"], ["d", "e"], ["f", "g", "h"]]
    >>> table = edit_distance_batch(references, [["a", "b"], ["d", "e"], ["f", "g", "x"]])
    >>> print(confidence_interval(table))  # doctest: +NORMALIZE_WHITESPACE
    counts: 25.00 % [0.00, 33.33] (95 % percentile bootstrap, 3 units by utterance,
    10,000 replications, seed 0)
    """
    table = score_table(scored, reference, request, block)
    labels, name = labels_of(table, block)
    try:
        found = bootstrap(table.statistics, blocks=labels, **resampling._asdict())
    except StatisticsError as problem:
        return ConfidenceInterval(table.title, name, None, str(problem))
    return ConfidenceInterval(table.title, name, found, None)


def compare(
    baseline: Scorable,
    new: Scorable,
    *,
    reference: str | os.PathLike[str] | None = None,
    tests: Sequence[str] = TESTS,
    block: Block = "utterance",
    resampling: Resampling = DEFAULT,
    request: ScoreRequest | None = None,
) -> Comparison:
    """Is the new system better than the baseline?

    Systems and files are matched by utterance identifier, everything else by position.

    Parameters
    ----------
    baseline, new
        As `scored` of `confidence_interval`.
    tests
        Which tests to make, by name, in this order:

        - `bootstrap`, `randomisation`: of units as `block` says;
        - `matched-pairs`: NIST's MAPSSWE on segments of the alignments, which systems, files and
          `Alignments` have and counts have not;
        - `mcnemar`: of utterances with and without errors;
        - `sign`, `wilcoxon`: of error rates by `block`; but with `block="utterance"` by speaker
          where both systems know theirs, as `sc_stats` does. A list such as `range(len(system))`
          makes utterances the units. A trn file tells its speakers only with `block="speaker"`.

        The last four have the statistics of `sc_stats` and exact two-sided p-values, where those
        of `sc_stats` come from a coarse table or, beyond 20 differences of `mcnemar` and `sign`,
        are far too small: `scoring.stats.nist_tests` says how verdicts can differ. They are made
        even where the data are too few for the bootstrap.

    Other parameters and errors as of `confidence_interval`; besides, `StatisticsError` if the two
    were not scored on the same utterances.

    Examples
    --------
    >>> from scoring import edit_distance_batch
    >>> references = [["a", "b", "c"], ["d", "e"], ["f", "g", "h"]]
    >>> old = edit_distance_batch(references, [["a"], ["d", "x"], ["f", "g", "x"]])
    >>> new = edit_distance_batch(references, [["a", "b"], ["d", "e"], ["f", "g", "x"]])
    >>> comparison = compare(old, new)
    >>> comparison.bootstrap.difference.estimate
    -0.25
    >>> [(test.name, test.p_value) for test in comparison.tests][1]
    ('randomisation', 0.5)
    """
    unknown = [test for test in tests if test not in ALL_TESTS]
    if unknown:
        raise ValueError(f"tests: expected some of {', '.join(ALL_TESTS)}, found {unknown[0]!r}")
    left = score_table(baseline, reference, request, block)
    right = score_table(new, reference, request, block)
    places = matched_places(left, right)
    pair = (left.statistics, right.statistics[places])
    labels, name = labels_of(left, block)
    found, reason = None, None
    try:
        found = paired_bootstrap(*pair, blocks=labels, **resampling._asdict())
    except StatisticsError as problem:
        reason = str(problem)

    def made(test: str) -> SignificanceTest:
        if test in NIST_TESTS:
            by_speaker = test in BY_SPEAKER
            return NIST_TESTS[test](_pairing(left, right, places, block, by_speaker=by_speaker))
        if found is None:
            return SignificanceTest(test, None, None, reason or "")
        return _test(test, pair, labels, found, resampling)

    return Comparison(left.title, right.title, name, found, tuple(map(made, tests)), reason)


def compare_all(
    baseline: Scorable,
    systems: Iterable[Scorable],
    *,
    reference: str | os.PathLike[str] | None = None,
    tests: Sequence[str] = TESTS,
    block: Block = "utterance",
    resampling: Resampling = DEFAULT,
    request: ScoreRequest | None = None,
) -> Comparisons:
    """Several systems against one baseline, p-values adjusted for their number.

    The adjustment is Holm's, over the systems, for each test by itself. Parameters and errors as
    of `compare`.
    """
    found = [
        compare(
            baseline,
            system,
            reference=reference,
            tests=tests,
            block=block,
            resampling=resampling,
            request=request,
        )
        for system in systems
    ]
    columns = [holm([one.tests[place].p_value for one in found]) for place in range(len(tests))]
    return Comparisons(
        one._replace(
            tests=tuple(
                test._replace(adjusted=column[row])
                for test, column in zip(one.tests, columns, strict=True)
            )
        )
        for row, one in enumerate(found)
    )


def _pairing(
    left: ScoreTable,
    right: ScoreTable,
    places: NDArray[np.int64],
    block: Block,
    *,
    by_speaker: bool,
) -> Pairing:
    """Both systems as NIST's tests want them."""
    if by_speaker and block == "utterance" and left.knows_speakers and right.knows_speakers:
        block = "speaker"
    labels, name = labels_of(left, block)
    alignments = None
    if left.edits is not None and right.edits is not None:
        alignments = zip(
            map(left.edits, range(len(places))), map(right.edits, places.tolist()), strict=True
        )
    return Pairing(
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
    found: PairedBootstrap,
    resampling: Resampling,
) -> SignificanceTest:
    if name == "bootstrap":
        remark = f"paired bootstrap, {resampling.replications:,} replications"
        return SignificanceTest(name, found.p_value, None, remark)
    try:
        result = approximate_randomisation(
            *pair, blocks=labels, trials=resampling.replications, seed=resampling.seed
        )
    except StatisticsError as problem:
        return SignificanceTest(name, None, None, str(problem))
    remark = f"{'all' if result.exact else 'random'} {result.trials:,} exchanges"
    return SignificanceTest(name, result.p_value, None, remark)
