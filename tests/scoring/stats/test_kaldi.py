"""The bootstrap of Kaldi and kaldialign: to the last bit."""

from itertools import islice

import numpy as np
import pytest
from hypothesis import strategies as st

from scoring.model.errors import StatisticsError
from scoring.stats import kaldi_bootstrap, kaldialign_bootstrap
from scoring.stats.kaldi import GlibcRandom

WORDS = st.lists(st.sampled_from("abc"), min_size=1, max_size=8)


def words_one_by_one(seed: int) -> list[int]:
    """The first words of the C library's generator, by its definition."""
    state = [seed]
    for _ in range(30):
        state.append(16807 * state[-1] % (2**31 - 1))
    for place in range(31, 34):
        state.append(state[place - 31])
    for place in range(34, 344 + 200):
        state.append((state[place - 3] + state[place - 31]) % 2**32)
    return [word >> 1 for word in state[344:]]


@pytest.mark.parametrize("seed", [1, 2, 987_654_321])
def test_glibc_random(seed: int) -> None:
    assert GlibcRandom(seed).take(200).tolist() == words_one_by_one(seed)


def test_glibc_random_in_lanes() -> None:
    at_once, in_parts = GlibcRandom(), GlibcRandom()
    long = at_once.take(100_000)
    parts = [in_parts.take(count) for count in (1, 33_000, 31, 40_000, 999, 25_969)]
    assert np.array_equal(long, np.concatenate(parts))
    assert at_once.take(5).tolist() == in_parts.take(5).tolist()


def test_glibc_random_refuses() -> None:
    with pytest.raises(ValueError, match="seed"):
        GlibcRandom(0)


def shown(percentages: tuple[float, float | None, float | None]) -> list[str]:
    return [f"{value:.2f}" for value in percentages if value is not None]


def test_kaldi_as_printed() -> None:
    # utterances "a b c" and "d e f", recognised as "a b d", "e f f" and as "a b c", "e e f"
    found = kaldi_bootstrap([1, 2], [3, 3], [0, 1])
    assert found.second is not None
    assert shown(found.first.percentages()) == ["49.81", "26.98", "72.64"]
    assert shown(found.second.percentages()) == ["16.58", "-6.54", "39.71"]
    assert found.probability_of_improvement == 1.0


def test_kaldi_rounds_in_single_precision() -> None:
    # one utterance has no spread
    assert shown(kaldi_bootstrap([1], [3]).first.percentages()) == ["33.33", "33.14", "33.52"]


def test_kaldi_by_its_definition() -> None:
    errors, words, other = [1, 0, 3, 2, 0], [4, 2, 5, 9, 1], [0, 1, 3, 1, 0]
    numbers = iter(GlibcRandom().take(50 * 5 * 3).tolist())
    single = np.float32
    rates = []
    for column in (errors, other):
        total = squares = single(0)
        for _ in range(50):
            drawn = [number % 5 for number in islice(numbers, 5)]
            rate = single(sum(column[k] for k in drawn)) / single(sum(words[k] for k in drawn))
            total = total + rate
            squares = squares + rate * rate
        mean = total / single(50)
        variance = squares / single(50) - mean * mean
        rates.append((float(mean), float(single(1.96 * float(variance) ** 0.5))))
    gains = [
        sum(errors[number % 5] - other[number % 5] for number in islice(numbers, 5))
        for _ in range(50)
    ]
    found = kaldi_bootstrap(errors, words, other, replications=50)
    assert found.second is not None
    assert [tuple(found.first), tuple(found.second)] == rates
    better = sum(gain > 0 for gain in gains)
    assert found.probability_of_improvement == float(single(better) / single(50))


def test_negative_variance_is_no_number() -> None:
    found = [kaldi_bootstrap([errors], [words]).first for words in range(2, 9) for errors in (1, 2)]
    assert {rate.half_width is None for rate in found} == {True, False}
    without = [rate.percentages() for rate in found if rate.half_width is None]
    assert {rate[1:] for rate in without} == {(None, None)}


def test_kaldialign_many_draws() -> None:
    kaldialign = pytest.importorskip("kaldialign")
    random = np.random.RandomState(1)
    references = [[f"{k}" for k in range(random.randint(1, 30))] for _ in range(700)]
    hypotheses = [[w for w in words if random.rand() > 0.1] for words in references]
    theirs = kaldialign.bootstrap_wer_ci(references, hypotheses, replications=3000)
    words = [len(reference) for reference in references]
    errors = [
        len(reference) - len(hypothesis)
        for reference, hypothesis in zip(references, hypotheses, strict=True)
    ]
    ours = kaldialign_bootstrap(errors, words, replications=3000)
    assert tuple(ours.first) == (theirs["wer"], theirs["ci95"])
    assert ours.second is None


def test_kaldialign_reference_values() -> None:
    found = kaldialign_bootstrap([1, 2], [3, 3], [0, 1])
    assert found.second is not None
    assert tuple(found.first) == (0.4997833333333324, 0.23017794491407295)
    assert tuple(found.second) == (0.1664500000000052, 0.23017794491406984)


@pytest.mark.parametrize("function", [kaldi_bootstrap, kaldialign_bootstrap])
def test_refusals(function: object) -> None:
    assert callable(function)
    with pytest.raises(StatisticsError, match="of 10000 replications drew no reference words"):
        function([1, 1], [0, 4])
    with pytest.raises(StatisticsError, match="at least one utterance"):
        function([], [])
    with pytest.raises(ValueError, match="as many errors as words"):
        function([1], [2, 3])
    with pytest.raises(ValueError, match="as many errors as words"):
        function([1, 1], [2, 3], [1])
    with pytest.raises(ValueError, match="from 0"):
        function([-1], [3])
    with pytest.raises(ValueError, match="replications"):
        function([1], [3], replications=0)


def test_kaldialign_refuses_seeds() -> None:
    with pytest.raises(ValueError, match="seed"):
        kaldialign_bootstrap([1], [3], seed=2**32)
