"""The gap between the scores of groups, and its p-value.

The gap is the score of the worst group minus the score of the best group. Its p-value comes from
permuting the groups of the units: the share of arrangements with a gap at least as large. Its
interval is a bootstrap within each of these two groups. Not the interval but the p-value decides
about significance, because the two groups were chosen by their scores. Each group is also compared
with all others together, two-sided.

If each speaker belongs to only one group, whole speakers are permuted. The utterances of a speaker
have similar error rates, so permuting single utterances would find gaps that do not exist. If the
group varies within speakers, as noise does, the groups are permuted within each speaker.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from itertools import chain
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from scoring.model.arrays import Floats, Integers
from scoring.stats.bootstrapping import (
    METHOD,
    Bootstrap,
    described,
    weighted_sum,
    with_limits_of_rate,
)
from scoring.stats.group_tests import DRAWN, GroupedUnits, GroupTests
from scoring.stats.intervals import Resampling
from scoring.stats.paired_tests import CORRECTIONS, adjusted
from scoring.stats.resampling import check_numbers, resampled_sums
from scoring.stats.units import error_rate

T = TypeVar("T", bound=Hashable)
LEAST_WORDS, LEAST_UNITS = 100, 2
UTTERANCE, SPEAKER, WITHIN = "utterance", "speaker", "utterance within speaker"


class GroupScore(NamedTuple):
    """The score of one group, compared with all other groups together."""

    name: str | None  # None: utterances without a group
    units: int
    words: int
    rate: float | None  # errors per word of all its units together; None without words
    is_small: bool  # it has too few words or units to be compared
    difference: float | None  # its rate less that of all others; None where one of both has none
    p_value: float | None  # of the difference, two-sided; None: not tested
    adjusted: float | None  # the same, corrected for the number of groups


class GroupComparison(NamedTuple):
    """A comparison of groups. Small groups are listed in `groups`, but they are not tested."""

    groups: tuple[GroupScore, ...]  # in order of first appearance
    mean_of_groups: float | None  # mean of the rates, each group with the same weight
    unit: str  # what is permuted: `utterance`, `speaker`, `utterance within speaker`
    exact: bool  # all arrangements were tried for the gap
    correction: str
    seed: int
    worst: int | None = None  # places in `groups`; None unless two groups are large enough
    best: int | None = None
    gap: float | None = None  # difference and ratio of the highest and the lowest rate
    ratio: float | None = None  # None if the lowest is 0
    p_value: float | None = None  # of the gap; None: not tested
    interval: Bootstrap | None = None  # of worst less best; None where the data give none

    @property
    def signature(self) -> str:
        """The settings of the p-values as text."""
        tests = "exact" if self.exact else f"drawn:{DRAWN}|seed:{self.seed}"
        return f"unit:{self.unit.replace(' ', '-')}|{tests}|correction:{self.correction}"


def compare_groups(
    statistics: ArrayLike,
    groups: Sequence[tuple[str | None, ...]],
    speakers: Sequence[str | None] | None = None,
    *,
    least_words: int = LEAST_WORDS,
    least_units: int = LEAST_UNITS,
    correction: str = "holm",
    resampling: Resampling | None = None,
) -> GroupComparison:
    """Compare the error rates of groups of utterances.

    Parameters
    ----------
    statistics
        Errors and reference words of each utterance.
    groups
        For each utterance, its groups (each may be None).
    speakers
        The speaker of each utterance, None if unknown; None instead of a list: no speakers.
    least_words, least_units
        Groups with fewer words or units are marked as small.
    correction
        The correction of the groups' p-values: `holm`, `bonferroni` or `fdr_bh`. Two groups that
        contain all utterances are one comparison without correction.
    resampling
        Replications and level of the interval, and the seed.

    Raises
    ------
    ValueError
        If an argument is out of range, or lengths differ.
    """
    resampling = resampling or Resampling()
    check_numbers(resampling.replications, resampling.seed)
    if correction not in CORRECTIONS:
        raise ValueError(f"correction: expected {', '.join(CORRECTIONS)}, found {correction!r}")
    names, units = _units(statistics, groups, speakers)
    columns = [np.ones(len(units.sets)), *units.values.T]
    of_sets = [np.bincount(units.sets, column, units.set_count) for column in columns]
    number_of, *columns = units.of_groups(np.array(of_sets).T).T
    sums = np.array(columns).T
    rates = error_rate(sums)
    differences = rates - error_rate(units.values.sum(axis=0) - sums)
    large = (sums[:, 1] >= least_words) & (number_of >= least_units)
    compared = np.flatnonzero(large)
    gap, worst, best = None, 0, 0
    if len(compared) > 1:
        worst, best = (int(compared[pick(rates[compared])]) for pick in (np.argmax, np.argmin))
        gap = float(rates[worst] - rates[best])
    is_tested = large & (number_of > 1) & (number_of < len(units.sets) - 1)
    tests = GroupTests(units, resampling.seed)
    p_values, p_of_gap = tests.p_values(
        np.where(is_tested, differences, np.nan),
        compared,
        gap if gap is not None and number_of[compared].min() > 1 else None,
    )
    is_pair = len(names) == 2 and len(units.members) == units.set_count == 2
    corrected = p_values if is_pair else adjusted(p_values, correction)
    sizes = number_of.astype(np.int64).tolist(), sums[:, 1].astype(np.int64).tolist()
    numbers = _numbers(rates), (~large).tolist(), _numbers(differences)
    comparison = GroupComparison(
        tuple(map(GroupScore, names, *sizes, *numbers, p_values, corrected)),
        float(np.mean(rates[compared])) if len(compared) else None,
        units.kind,
        tests.exact,
        correction,
        resampling.seed,
    )
    if gap is None:
        return comparison
    return comparison._replace(
        worst=worst,
        best=best,
        gap=gap,
        ratio=float(rates[worst] / rates[best]) if rates[best] else None,
        p_value=p_of_gap,
        interval=_interval(units, worst, best, resampling),
    )


def _numbers(values: Floats) -> list[float | None]:
    """Return the values; NaN becomes None."""
    return [None if np.isnan(value) else value for value in values.tolist()]


def _numbered(values: Iterable[T]) -> tuple[list[T], Integers]:
    """Return the distinct values in order of appearance, and the index of each value in them."""
    places: dict[T, int] = {}
    numbers = [places.setdefault(value, len(places)) for value in values]
    return list(places), np.array(numbers, np.int64)


def _units(
    statistics: ArrayLike,
    groups: Sequence[tuple[str | None, ...]],
    speakers: Sequence[str | None] | None,
) -> tuple[list[str | None], GroupedUnits]:
    """Return the names of the groups, and the units: speakers if each belongs to one group."""
    values = np.asarray(statistics, dtype=np.float64)
    if values.ndim != 2 or len(values) != len(groups):
        raise ValueError(f"statistics: expected {len(groups)} rows, found shape {values.shape}")
    distinct, sets = _numbered(groups)
    names, numbers = _numbered(chain.from_iterable(distinct))
    owners = np.repeat(np.arange(len(distinct)), list(map(len, distinct)))
    members = np.unique(np.column_stack([numbers, owners]), axis=0)
    blocks = np.zeros(len(sets), np.int64)
    if speakers is None or all(speaker is None for speaker in speakers):
        return names, GroupedUnits(values, sets, blocks, members, UTTERANCE)
    # an utterance without speaker is one of its own
    _, owners = _numbered(n if name is None else name for n, name in enumerate(speakers))
    firsts = sets[np.unique(owners, return_index=True)[1]]
    if (firsts[owners] != sets).any():
        return names, GroupedUnits(values, sets, owners, members, WITHIN)
    sums = np.array([np.bincount(owners, column) for column in values.T], np.float64).T
    return names, GroupedUnits(sums, firsts, blocks[: len(sums)], members, SPEAKER)


def _interval(
    grouped: GroupedUnits, worst: int, best: int, resampling: Resampling
) -> Bootstrap | None:
    """Return the interval of a difference of two groups; None if they share units or lack words."""
    members = [grouped.inside(group) for group in (worst, best)]
    if (members[0] & members[1]).any():
        return None
    scores: list[Floats] = []
    sides: list[Bootstrap] = []
    for side, inside in enumerate(members):
        # two seeds, so that the draws of one group do not depend on those of the other
        seed, units = (resampling.seed + side) % 2**64, grouped.values[inside]
        sums = resampled_sums(
            units.astype(np.int64), replications=resampling.replications, seed=seed
        )
        rates = error_rate(sums.astype(np.float64))
        if not np.isfinite(rates).all():
            return None
        scores.append(rates)
        estimate = float(error_rate(units.sum(axis=0)))
        choices = resampling.level, len(units), seed, METHOD, resampling.interval
        found = described(estimate, rates, *choices)
        if resampling.interval == "auto":
            found = with_limits_of_rate(found, units[:, 0], units)
        sides.append(found)
    difference = weighted_sum(sides, (1.0, -1.0), scores[0] - scores[1])
    return difference._replace(block=grouped.kind.partition(" ")[0], seed=resampling.seed)
