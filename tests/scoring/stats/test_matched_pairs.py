"""Matched pairs of segments against definitions, examples worked by hand, and scipy."""

import random

import pytest
import scipy

from scoring.alignment import load_core
from scoring.model.counts import Edit
from scoring.stats.distributions import normal_below
from scoring.stats.matched_pairs import (
    MatchedSegment,
    all_segments,
    matched_pairs_test,
    segments,
)
from scoring.stats.nist_tables import NORMAL
from scoring.stats.sample import moments, ranks
from tests.each_case import each_case

LETTERS = {"C": 0, "S": 1, "D": 2, "I": 3}


def edits(letters: str) -> bytes:
    return bytes(map(LETTERS.__getitem__, letters))


@each_case(
    ("first", "second", "expected"),
    [
        ("", "", []),
        ("CCCC", "CCCC", []),
        ("CCCCCCCC", "CSCCCICDC", [MatchedSegment(4, 0, 1), MatchedSegment(5, 0, 2)]),
        ("S", "C", [MatchedSegment(1, 1, 0)]),
        ("CCCCSCCCC", "CCCCCCCCC", [MatchedSegment(5, 1, 0)]),
        ("I", "", [MatchedSegment(0, 1, 0)]),
        ("", "I", [MatchedSegment(0, 0, 1)]),
        # the two words between the errors belong to both segments
        ("CCSCCSCC", "CCCCCCCC", [MatchedSegment(5, 1, 0), MatchedSegment(5, 1, 0)]),
        # a single word between them joins them
        ("CCSCSCC", "CCCCCCC", [MatchedSegment(7, 2, 0)]),
    ],
)
def test_segments_worked_by_hand(first: str, second: str, expected: list[MatchedSegment]) -> None:
    assert segments(edits(first), edits(second)) == expected
    mirrored = [MatchedSegment(words, right, left) for words, left, right in expected]
    assert segments(edits(second), edits(first)) == mirrored


def aligned(rng: random.Random, words: int) -> bytes:
    places = bytearray()
    for _ in range(words):
        while rng.random() < 0.05:
            places.append(Edit.INSERTION)
        places.append(rng.choices((0, 1, 2), (8, 1, 1))[0])
    return bytes(places)


@pytest.mark.parametrize("boundary_words", [1, 2, 3, 10])
def test_no_error_is_lost_or_counted_twice(boundary_words: int) -> None:
    rng = random.Random(7)
    for _ in range(300):
        words = rng.randrange(30)
        pair = aligned(rng, words), aligned(rng, words)
        found = segments(*pair, boundary_words)
        errors = [len(one) - one.count(Edit.CORRECT) for one in pair]
        assert [sum(one[1] for one in found), sum(one[2] for one in found)] == errors


@pytest.mark.parametrize("core", ["native", "plain"])
@pytest.mark.parametrize("boundary_words", [1, 2, 3, 10])
def test_all_segments_are_those_of_each_pair(
    core: str, boundary_words: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if core == "native" and load_core() is None:
        pytest.skip("there is no compiled core")
    monkeypatch.setenv("SCORING_ALIGN", core)
    rng = random.Random(11)
    pairs = [
        # alignments of other references, too: what the original makes of them is kept
        (aligned(rng, rng.randrange(12)), bytes(rng.choices(range(8), k=rng.randrange(12))))
        for _ in range(300)
    ]
    pairs += [(one[:size], one) for one, _ in pairs[:50] for size in (0, len(one))]
    expected = [segment for pair in pairs for segment in segments(*pair, boundary_words)]
    columns = all_segments(pairs, boundary_words)
    assert list(map(MatchedSegment, *columns)) == expected
    kept = [segment for segment in expected if any(segment[1:])]
    assert list(map(MatchedSegment, *columns.with_errors())) == kept
    assert columns.differences == [first - second for _, first, second in expected]


def test_the_statistic_is_the_textbook_s() -> None:
    rng = random.Random(3)
    for _ in range(100):
        values = [float(rng.randint(-3, 5)) for _ in range(rng.randint(2, 60))]
        if len(set(values)) == 1:
            continue
        result = matched_pairs_test(values)
        textbook = scipy.stats.ttest_1samp(values, 0.0)
        assert result.moments.z == pytest.approx(textbook.statistic, rel=1e-9)
        exact = 2 * scipy.stats.norm.sf(abs(result.moments.z))
        assert result.verdict.probability >= exact - 1e-6
        assert result.verdict.probability == pytest.approx(exact, abs=0.009)


@pytest.mark.parametrize(
    ("values", "better"), [([1.0] * 9, 0), ([2, 1] * 9, 1), ([-2, -1] * 9, -1)]
)
def test_equal_differences_are_never_significant(values: list[float], better: int) -> None:
    assert matched_pairs_test(values).verdict.better == better


def test_no_segment_is_no_difference() -> None:
    result = matched_pairs_test([])
    assert result.verdict == (0, 1.0)
    assert result.moments.mean != result.moments.mean


def test_the_normal_table_is_near_the_distribution() -> None:
    assert len(NORMAL) == 515
    for position, value in enumerate(NORMAL):
        assert value == pytest.approx(scipy.stats.norm.cdf(position / 100), abs=5e-7)
    for z in (0.0, 0.004, 0.0999999, 0.1, 0.99, 1.96, 1.9599, 5.14, 80.0, float("inf")):
        assert -1e-6 < scipy.stats.norm.cdf(z) - normal_below(z) < 0.005
        assert normal_below(-z) == normal_below(z)
    assert normal_below(float("nan")) == NORMAL[-1]


def test_ranks_and_moments_are_the_textbook_s() -> None:
    rng = random.Random(5)
    for _ in range(50):
        values = [rng.choice((0.5, 1.0, 2.5, rng.random())) for _ in range(rng.randint(2, 30))]
        assert ranks(values) == list(scipy.stats.rankdata(values))
        assert moments(values).deviation == pytest.approx(
            scipy.stats.tstd(values), rel=1e-9, abs=1e-12
        )
