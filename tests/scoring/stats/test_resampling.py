"""The engine of the bootstrap: the twins agree, and what they draw has the right distribution."""

import hashlib
from itertools import product
from typing import Any

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from scoring.alignment import load_core
from scoring.stats import plain, resampling
from scoring.stats.resampling import (
    ResamplingPlan,
    distinct_rows,
    plan,
    poisson_tables,
    resampled_sums,
)
from tests.each_case import each_case

Integers = NDArray[np.int64]
ROWS = st.integers(1, 3).flatmap(
    lambda width: st.lists(
        st.lists(st.integers(-5, 20), min_size=width, max_size=width), min_size=1, max_size=40
    )
)


def alike(number: int, seed: int = 5) -> Integers:
    """Units as test sets have them: many with the same statistics."""
    random = np.random.RandomState(seed)
    return np.column_stack([random.poisson(0.7, number), random.randint(3, 7, number)])


def one_by_one(units: Integers) -> ResamplingPlan:
    nothing = np.empty(0, np.int64)
    none = np.empty((0, units.shape[1]), np.int64)
    return ResamplingPlan(units, none, nothing, none, -1, np.empty((0, 1), np.uint64), nothing)


@each_case("width", [1, 2, 3, 4, 5])
@each_case("number", [1, 7, 300])
def test_twins_agree(width: int, number: int) -> None:
    native: Any = load_core() or pytest.skip("the native core is not built")
    units = np.column_stack([alike(number, seed) for seed in range(3)])[:, :width].copy()
    for chosen in (plan(units), one_by_one(units)):
        found = native.resample(*chosen, seed=11, replications=200, threads=1)
        assert found.tobytes() == plain.resample(*chosen, 11, 200, 0).tobytes()


def test_groups_are_used() -> None:
    chosen = plan(alike(300))
    assert 0 < len(chosen.groups) < 40
    assert chosen.singles_table >= 0
    assert not len(plan(np.arange(300)[:, None]).groups)


@pytest.mark.parametrize("threads", [1, 2, 3, 7])
def test_threads_do_not_matter(threads: int) -> None:
    units = alike(2000)
    found = resampled_sums(units, replications=999, seed=3, threads=threads)
    assert found.tobytes() == resampled_sums(units, replications=999, seed=3).tobytes()


def test_seeds_are_kept() -> None:
    found = resampled_sums(alike(500), replications=100, seed=2024)
    assert hashlib.sha256(found.astype("<i8").tobytes()).hexdigest()[:16] == "29a73953fcd1b27d"


def test_replications_do_not_depend_on_their_number() -> None:
    units = alike(200)
    few = resampled_sums(units, replications=10, seed=1)
    assert np.array_equal(few, resampled_sums(units, replications=5000, seed=1)[:10])


@pytest.mark.parametrize("grouped", [True, False])
def test_moments(grouped: bool) -> None:
    units = alike(400)
    chosen = plan(units) if grouped else one_by_one(units)
    assert bool(len(chosen.groups)) == grouped
    sums = resampling.resample(*chosen, seed=8, replications=20_000, threads=0)
    number = len(units)
    deviation = np.sqrt(number * units.var(axis=0))
    assert np.all(np.abs(sums.mean(axis=0) - units.sum(axis=0)) < 5 * deviation / 20_000**0.5)
    assert np.allclose(np.cov(sums.T), number * np.cov(units.T, bias=True), atol=0.06 * number)


def test_grouped_and_single_draws_have_one_distribution() -> None:
    units = alike(60)
    assert len(plan(units).groups)
    ways = [
        resampling.resample(*chosen, seed=seed, replications=30_000, threads=0)
        for seed, chosen in enumerate((plan(units), one_by_one(units)))
    ]
    for column in range(2):
        values, numbers = np.unique(
            np.concatenate([way[:, column] for way in ways]), return_inverse=True
        )
        table = np.array(
            [np.bincount(part, minlength=len(values)) for part in np.split(numbers, 2)]
        )
        frequent = table.sum(axis=0) >= 20
        assert scipy.stats.chi2_contingency(table[:, frequent]).pvalue > 0.001


@each_case("mean", [0.5, 1.0, 7.3, 480.0, 12_345.6])
def test_poisson_tables(mean: float) -> None:
    thresholds, least = poisson_tables(np.array([mean, 3.0]))
    assert thresholds[0, -1] == 2**64 - 1
    assert np.all(np.diff(thresholds[0].astype(np.float64)) >= 0)
    numbers = int(least[0]) + np.arange(thresholds.shape[1])
    shares = thresholds[0].astype(np.float64) / 2.0**64
    assert np.allclose(shares, scipy.stats.poisson(mean).cdf(numbers), rtol=0, atol=1e-12)


@given(ROWS)
def test_distinct_rows(rows: list[list[int]]) -> None:
    units = np.array(rows, np.int64)
    firsts, numbers, sizes = distinct_rows(units)
    assert np.array_equal(units[firsts][numbers], units)
    assert list(firsts) == sorted(firsts)
    assert sizes.sum() == len(units)
    assert len(firsts) == len({tuple(row) for row in rows})
    assert np.array_equal(distinct_rows(np.ascontiguousarray(units[:, ::-1]))[1], numbers)


@given(ROWS, st.integers(0, 2**64 - 1))
@settings(max_examples=40)
def test_sums_stay_within_what_can_be_drawn(rows: list[list[int]], seed: int) -> None:
    units = np.array(rows, np.int64)
    sums = resampled_sums(units, replications=20, seed=seed)
    assert np.all(sums >= len(units) * units.min(axis=0))
    assert np.all(sums <= len(units) * units.max(axis=0))
    flipped = resampled_sums(np.ascontiguousarray(units[:, ::-1]), replications=20, seed=seed)
    assert np.array_equal(flipped[:, ::-1], sums)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"replications": 0}, "replications: expected at least 1, found 0"),
        ({"seed": -1}, "seed: expected a number from 0"),
        ({"seed": 2**64}, "seed: expected a number from 0"),
    ],
)
def test_refusals(change: dict[str, int], problem: str) -> None:
    arguments = {"replications": 10, "seed": 0, **change}
    with pytest.raises(ValueError, match=problem):
        resampled_sums(alike(3), **arguments)


def test_refuses_sums_too_great() -> None:
    with pytest.raises(ValueError, match="63 bits"):
        resampled_sums(np.array([[2**62], [2**62]]), replications=1, seed=0)
    with pytest.raises(ValueError, match="row per unit"):
        resampled_sums(np.empty((0, 2), np.int64), replications=1, seed=0)


def test_native_refuses_nonsense() -> None:
    native: Any = load_core() or pytest.skip("the native core is not built")
    good = plan(alike(300))
    for change in (
        {"units": good.units[:0]},
        {"groups": good.groups[:, :1].copy()},
        {"group_tables": good.group_tables + 1000},
        {"singles_table": 10_000},
        {"thresholds": good.thresholds[:, :-1] // np.uint64(2)},
        {"firsts": good.firsts[1:]},
    ):
        with pytest.raises(ValueError):
            native.resample(*good._replace(**change), seed=0, replications=1, threads=1)
    odd: tuple[Any, ...] = (None, "x", b"12345678", 1.5, [1], np.zeros(3), np.zeros((2, 2)).T)
    for field, wrong in product(good._fields, odd):
        with pytest.raises((TypeError, ValueError)):
            native.resample(*good._replace(**{field: wrong}), seed=0, replications=1, threads=1)
