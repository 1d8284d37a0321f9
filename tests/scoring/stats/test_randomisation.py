"""Approximate randomisation: against scipy's permutation test, and by hand."""

from itertools import product

import numpy as np
import pytest
import scipy
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.model.errors import StatisticsError
from scoring.stats import approximate_randomisation
from scoring.stats.random_words import stream_starts, words_of
from scoring.stats.randomisation import exchange_gains

PAIRS = st.lists(
    st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(1, 12)), min_size=2, max_size=9
)
Pairs = list[tuple[int, int, int]]


def sides(rows: Pairs) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    return [(a, words) for a, _, words in rows], [(b, words) for _, b, words in rows]


@given(PAIRS)
@settings(max_examples=60)
def test_exact_by_enumeration(rows: Pairs) -> None:
    observed = abs(sum(b - a for a, b, _ in rows))
    greater = [
        abs(sum(sign * (b - a) for sign, (a, b, _) in zip(signs, rows, strict=True))) >= observed
        for signs in product((1, -1), repeat=len(rows))
    ]
    found = approximate_randomisation(*sides(rows))
    assert (found.exact, found.trials, found.seed) == (True, 2 ** len(rows), None)
    assert found.p_value == sum(greater) / len(greater)
    assert found.difference == pytest.approx(
        sum(b - a for a, b, _ in rows) / sum(words for _, _, words in rows)
    )


@given(PAIRS, st.integers(0, 2**64 - 1))
@settings(max_examples=40)
def test_laws(rows: Pairs, seed: int) -> None:
    old, new = sides(rows * 4)
    found = approximate_randomisation(old, new, trials=300, seed=seed)
    turned = approximate_randomisation(new, old, trials=300, seed=seed)
    assert found._replace(difference=-found.difference) == turned
    assert found == approximate_randomisation(
        old, new, trials=300, seed=seed, blocks=range(len(old))
    )
    assert 0 < found.p_value <= 1
    assert approximate_randomisation(old, old, trials=300, seed=seed).p_value == 1.0


def test_each_bit_of_a_word_exchanges_a_unit() -> None:
    # more units and trials than are summed at a time; the last column has no change
    random = np.random.RandomState(7)
    change = np.column_stack([random.randint(-3, 4, (1500, 2)), np.zeros(1500, np.int64)])
    trials = 1100
    words = words_of(stream_starts(5, 0, trials)[:, None], np.arange(24)[None])
    coins = np.unpackbits(words.astype("<u8").view(np.uint8), axis=1, bitorder="little")[:, :1500]
    assert np.array_equal(exchange_gains(change, trials, 5), coins.astype(np.int64) @ change)


def test_agrees_with_scipy() -> None:
    random = np.random.RandomState(4)
    words = random.randint(5, 20, 40)
    old, new = random.binomial(words, 0.25), random.binomial(words, 0.2)
    ours = approximate_randomisation(
        np.column_stack([old, words]), np.column_stack([new, words]), trials=50_000
    )
    theirs = scipy.stats.permutation_test(
        (old, new),
        lambda a, b, axis: (b.sum(axis=axis) - a.sum(axis=axis)) / words.sum(),
        permutation_type="samples",
        n_resamples=50_000,
        vectorized=True,
        rng=np.random.default_rng(5),
    )
    assert ours.exact is False
    assert ours.difference == pytest.approx(theirs.statistic)
    assert ours.p_value == pytest.approx(theirs.pvalue, abs=0.01)


def test_reference_tokens_may_differ() -> None:
    # alternatives in a reference can be of different length for each system
    old, new = [[3, 10], [2, 9], [4, 8]], [[1, 11], [1, 9], [2, 7]]
    rates = []
    for turned in product((0, 1), repeat=3):
        sums = [
            np.sum([(old, new)[side ^ turn][row] for row, turn in enumerate(turned)], axis=0)
            for side in (0, 1)
        ]
        rates.append(abs(sums[1][0] / sums[1][1] - sums[0][0] / sums[0][1]))
    share = np.mean(np.array(rates) >= rates[0] - 1e-12)
    assert approximate_randomisation(old, new).p_value == share


def test_blocks_are_exchanged_as_a_whole() -> None:
    rows: Pairs = [(number % 4, number % 3, 5) for number in range(60)]
    old, new = sides(rows)
    blocks = [number // 12 for number in range(60)]
    summed = [
        [np.sum(side[first : first + 12], axis=0) for first in range(0, 60, 12)]
        for side in (old, new)
    ]
    found = approximate_randomisation(old, new, blocks=blocks)
    assert found == approximate_randomisation(*summed)
    assert found.trials == 32


def test_chance_is_found_rarely() -> None:
    random = np.random.RandomState(6)
    words = np.full((60, 1), 10)
    found = [
        approximate_randomisation(
            np.hstack([random.binomial(10, 0.2, (60, 1)), words]),
            np.hstack([random.binomial(10, 0.2, (60, 1)), words]),
            trials=400,
            seed=seed,
        ).p_value
        for seed in range(200)
    ]
    assert scipy.stats.kstest(found, "uniform").pvalue > 0.001


def test_refusals() -> None:
    with pytest.raises(StatisticsError, match="at least two utterances"):
        approximate_randomisation([[1, 2]], [[0, 2]])
    with pytest.raises(StatisticsError, match="no reference tokens"):
        approximate_randomisation([[1, 0], [1, 0]], [[0, 0], [0, 0]])
    with pytest.raises(ValueError, match="replications"):
        approximate_randomisation([[1, 2], [0, 1]], [[0, 2], [0, 1]], trials=0)
