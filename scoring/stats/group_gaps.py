"""How far the scores of groups are apart, and whether chance explains it.

The gap is the score of the worst group less that of the best. Its p-value comes from permuting
the groups of the units: the share of arrangements with a gap at least as great. Its interval
describes the difference of the two groups that the data chose, by a bootstrap within each group;
the p-value decides. A group is compared with all others together, two-sided.

A unit is a speaker where each speaker is in one group. Utterances of a speaker are good or bad
together, so permuting them finds gaps that are not there. Where the group varies within speakers,
as with noise, groups of utterances are permuted within each speaker.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from scoring.stats.bootstrapping import Bootstrap, described
from scoring.stats.group_tests import DRAWN, GroupedUnits, GroupTests
from scoring.stats.intervals import Resampling
from scoring.stats.paired_tests import CORRECTIONS as CORRECTIONS
from scoring.stats.paired_tests import adjusted
from scoring.stats.random_words import Integers
from scoring.stats.resampling import check_numbers, resampled_sums
from scoring.stats.units import Score, error_rate

LEAST_WORDS, LEAST_UNITS = 100, 2
UTTERANCE, SPEAKER, WITHIN = "utterance", "speaker", "utterance within speaker"


class GroupScore(NamedTuple):
    """A group among others.

    Attributes
    ----------
    name
        None: utterances without a group.
    units, words
        How many there are of it.
    score
        Of all its units together; None without words.
    is_small
        It has too few words or units to be compared.
    difference
        Its score less that of all others together; None where one of both has none.
    p_value, adjusted
        Of the difference, two-sided; corrected for the number of groups. None: not tested.
    """

    name: str | None
    units: int
    words: int
    score: float | None
    is_small: bool
    difference: float | None = None
    p_value: float | None = None
    adjusted: float | None = None


class GroupComparison(NamedTuple):
    """Groups side by side; small ones take no part in anything but `groups`.

    Attributes
    ----------
    groups
        In order of first appearance.
    worst, best
        Places in `groups`; None unless two groups are large enough.
    gap, ratio
        Difference and ratio of the highest and the lowest score; the ratio is None if that is 0.
    mean_of_groups
        Mean of the scores, each group with the same weight.
    p_value
        Of the gap; None: not tested.
    interval
        Of the difference of worst and best; None where the data give none.
    unit
        What is resampled and permuted: `utterance`, `speaker`, `utterance within speaker`.
    exact
        All arrangements were tried for the gap.
    correction, seed
        As given.
    """

    groups: tuple[GroupScore, ...]
    worst: int | None
    best: int | None
    gap: float | None
    ratio: float | None
    mean_of_groups: float | None
    p_value: float | None
    interval: Bootstrap | None
    unit: str
    exact: bool
    correction: str
    seed: int

    @property
    def signature(self) -> str:
        """Every choice behind the p-values."""
        tests = "exact" if self.exact else f"drawn:{DRAWN}|seed:{self.seed}"
        return f"unit:{self.unit.replace(' ', '-')}|{tests}|correction:{self.correction}"


def compare_groups(
    statistics: ArrayLike,
    groups: Sequence[str | tuple[str, ...] | None],
    speakers: Sequence[Hashable] | None = None,
    *,
    words: ArrayLike | None = None,
    score: Score = error_rate,
    lower_is_better: bool = True,
    least_words: int = LEAST_WORDS,
    least_units: int = LEAST_UNITS,
    correction: str = "holm",
    resampling: Resampling | None = None,
) -> GroupComparison:
    """Compare the scores of groups of utterances.

    Parameters
    ----------
    statistics
        A row per utterance of whole numbers that add up to the score, by default errors and
        reference words.
    groups
        Of each utterance its group, or a tuple where it has several.
    speakers
        Of each utterance, None where unknown; None: no speakers.
    words
        Reference words of each utterance; None: the second column of the statistics.
    score, lower_is_better
        From sums of rows (last axis) to a score each, not finite where there is none.
    least_words, least_units
        Groups with fewer are small.
    correction
        Of the p-values of groups: `holm`, `bonferroni` or `fdr_bh`. Two groups that hold
        everything are one comparison, and nothing is corrected.
    resampling
        Replications and level of the interval, and the seed.

    Raises
    ------
    ValueError
        If an argument is out of range, or lengths differ.

    Examples
    --------
    >>> rows = [[1, 60], [0, 60], [2, 60], [9, 60], [7, 60], [8, 60]]
    >>> result = compare_groups(rows, ["a", "a", "a", "b", "b", "b"])
    >>> f"{result.gap:.3f}", result.p_value, result.exact
    ('0.117', 0.1, True)
    """
    resampling = resampling or Resampling()
    check_numbers(resampling.replications, resampling.seed)
    if correction not in CORRECTIONS:
        raise ValueError(f"correction: expected {', '.join(CORRECTIONS)}, found {correction!r}")
    names, units = _units(statistics, groups, speakers, words)
    inside = units.members[units.sets].astype(bool)
    number_of, sums = inside.sum(axis=0), inside.T.astype(np.int64) @ units.values
    words_of_group = inside.T.astype(np.int64) @ units.words
    scores = score(sums.astype(np.float64))
    rest = score((units.values.sum(axis=0) - sums).astype(np.float64))
    has_score = np.isfinite(scores) & (words_of_group > 0)
    large = has_score & (words_of_group >= least_words) & (number_of >= least_units)
    tests = GroupTests(units, score, large, resampling.seed)
    p_values = _p_values(tests, inside, large, scores - rest)
    held = np.flatnonzero(number_of)
    is_pair = len(held) == 2 and bool((inside[:, held].sum(axis=1) == 1).all())
    corrected = p_values if is_pair else adjusted(p_values, correction)
    sizes = number_of.tolist(), words_of_group.tolist()
    numbers = _numbers(scores, has_score), (~large).tolist()
    differences = _numbers(scores - rest, has_score & np.isfinite(rest))
    rows = tuple(map(GroupScore, names, *sizes, *numbers, differences, p_values, corrected))
    compared = [n for n in range(len(rows)) if large[n]]
    mean = float(np.mean(scores[compared])) if compared else None
    if len(compared) < 2:
        empty = (None, None, None, None, mean, None, None)
        return GroupComparison(rows, *empty, units.kind, False, correction, resampling.seed)
    low, high = (pick(compared, key=lambda n: scores[n]) for pick in (min, max))
    worst, best = (high, low) if lower_is_better else (low, high)
    gap = float(scores[high] - scores[low])
    is_tested = number_of[compared].min() > 1
    interval = _interval(units, inside[:, worst], inside[:, best], score, resampling)
    return GroupComparison(
        rows,
        worst,
        best,
        gap,
        float(scores[high] / scores[low]) if scores[low] else None,
        mean,
        tests.of_gap(gap) if is_tested else None,
        interval,
        units.kind,
        tests.exact,
        correction,
        resampling.seed,
    )


def _numbers(values: NDArray[np.float64], is_known: NDArray[np.bool_]) -> list[float | None]:
    """The values as numbers, None where there is none."""
    return [
        value if known else None for value, known in zip(values.tolist(), is_known, strict=True)
    ]


def _p_values(
    tests: GroupTests,
    inside: NDArray[np.bool_],
    large: NDArray[np.bool_],
    differences: NDArray[np.float64],
) -> list[float | None]:
    """Of each group against the others; None for small groups and those without others."""
    p_values: list[float | None] = [None] * len(large)
    for place in map(int, np.flatnonzero(large & np.isfinite(differences))):
        number = int(inside[:, place].sum())
        if min(number, len(inside) - number) > 1:
            p_values[place] = tests.of_group(place, float(differences[place]))
    return p_values


def _units(
    statistics: ArrayLike,
    groups: Sequence[str | tuple[str, ...] | None],
    speakers: Sequence[Hashable] | None,
    words: ArrayLike | None,
) -> tuple[list[str | None], GroupedUnits]:
    """The names of the groups, and the units: speakers if each is in one group."""
    values = np.asarray(statistics, dtype=np.int64)
    if values.ndim != 2 or len(values) != len(groups):
        raise ValueError(f"statistics: expected {len(groups)} rows, found shape {values.shape}")
    weights = values[:, 1] if words is None else np.asarray(words, dtype=np.int64)
    numbers: dict[tuple[str | None, ...], int] = {}
    sets = np.array(
        [
            numbers.setdefault(group if isinstance(group, tuple) else (group,), len(numbers))
            for group in groups
        ],
        np.int64,
    )
    names: dict[str | None, int] = {}
    for several in numbers:
        for name in several:
            names.setdefault(name, len(names))
    members = np.zeros((len(numbers), len(names)), np.int64)
    for several, row in numbers.items():
        members[row, [names[name] for name in several]] = 1
    blocks, kind = np.zeros(len(sets), np.int64), UTTERANCE
    if speakers is not None and any(speaker is not None for speaker in speakers):
        found: dict[Hashable, int] = {}
        owners = np.array(
            [
                # an utterance without speaker is one of its own
                found.setdefault((n,) if speaker is None else (speaker, None), len(found))
                for n, speaker in enumerate(speakers)
            ]
        )
        firsts = np.full(len(found), -1)
        firsts[owners[::-1]] = sets[::-1]
        if (firsts[owners] == sets).all():
            values = np.column_stack([_added(owners, column) for column in values.T])
            weights, sets, kind = _added(owners, weights), firsts, SPEAKER
            blocks = np.zeros(len(sets), np.int64)
        else:
            blocks, kind = owners, WITHIN
    return list(names), GroupedUnits(values, weights, sets, blocks, members, kind)


def _added(owners: Integers, column: Integers) -> Integers:
    """The sums of a column by owner."""
    sums = np.zeros(int(owners.max()) + 1, np.int64)
    np.add.at(sums, owners, column)
    return sums


def _interval(
    units: GroupedUnits,
    worst: NDArray[np.bool_],
    best: NDArray[np.bool_],
    score: Score,
    resampling: Resampling,
) -> Bootstrap | None:
    """The interval of a difference of two groups; None if they share units or lack words."""
    if (worst & best).any():
        return None
    pair = [units.values[inside] for inside in (worst, best)]
    # two seeds, so that the draws of one group do not depend on those of the other
    scores = [
        score(
            resampled_sums(
                values,
                replications=resampling.replications,
                seed=(resampling.seed + side) % 2**64,
            ).astype(np.float64)
        )
        for side, values in enumerate(pair)
    ]
    differences = scores[0] - scores[1]
    if not np.isfinite(differences).all():
        return None
    totals = [score(values.sum(axis=0).astype(np.float64)[None])[0] for values in pair]
    number = len(pair[0]) + len(pair[1])
    estimate = float(totals[0] - totals[1])
    return described(estimate, differences, resampling.level, number, resampling.seed)
