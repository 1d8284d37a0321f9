"""Candidates, and bipartite matching against all matchings there are, and case by case."""

import random
from collections.abc import Sequence
from math import inf

import pytest
import scipy  # whose parts load when they are used
from hypothesis import given, settings
from hypothesis import strategies as st

from formats import Label
from scoring.alignment.assignment import Edge, best_matching
from scoring.tasks.labels.aligners import (
    BipartiteMatchingAligner,
    CandidateFinder,
    Candidates,
    FullMatchingAligner,
    LabelError,
    LabelPair,
    OverlapCandidateFinder,
    StartEndCandidateFinder,
    bipartite,
    overlap_percentage,
    overlap_time,
)
from tests.each_case import each_case

Spans = list[tuple[float, float | None]]


def texts(pairs: Sequence[LabelPair]) -> list[str]:
    return [
        f"{pair.ref.value if pair.ref else '-'}/{pair.hyp.value if pair.hyp else '-'}"
        for pair in pairs
    ]


def parsed(text: str) -> list[Label]:
    """Labels as value, start and end in seconds, with commas between them."""
    rows = [row.split() for row in text.split(",") if row]
    return [Label(value, float(start), float(end)) for value, start, end in rows]


@each_case(
    ("reference", "hypothesis", "expected"),
    [
        ("up 1 2, down 5 6, up 8 9", "up 1.1 2, left 5 6, stop 3 4", "up/up down/left up/- -/stop"),
        ("a 0 2", "b 0 2, a 1.5 4", "a/a -/b"),  # equal values are preferred to overlap
        ("Up 0 1, up 2 3", "up 0 1, up 2 3", "Up/up up/up"),
        # open ends on both sides: in the original the penalty is not a number
        ("a 0 3, b 4 inf", "a 0 3, b 4 -1, b 5 inf", "a/a b/b -/b"),
        ("a 0 1, a 0 1, a 0 1", "a 0 1, a 0 1", "a/a a/a a/-"),
        ("", "", ""),
        ("a 0 1, b 4 5", "", "a/- b/-"),
        ("", "b 4 5, a 0 1", "-/b -/a"),
    ],
)
def test_who_stands_for_whom(reference: str, hypothesis: str, expected: str) -> None:
    pairs = BipartiteMatchingAligner().align(parsed(reference), parsed(hypothesis))
    assert texts(pairs) == expected.split()


def test_a_long_hypothesis_costs_nothing() -> None:
    aligner = BipartiteMatchingAligner()
    assert penalty_of(aligner, aligner.align([Label("a", 5, 6)], [Label("a", 0, 100)])) == 0
    assert penalty_of(aligner, aligner.align([Label("a", 0, 100)], [Label("a", 5, 6)])) == 0.99


def test_a_pair_is_made_if_it_costs_less_than_both_labels_alone() -> None:
    """In the original it must cost less than the insertion alone."""
    reference, hypothesis = [Label("a", 0, 1)], [Label("b", 0, 1)]
    for insertion, deletion, size in ((10, 10, 1), (20, 1, 1), (5, 10, 2), (7, 8, 2)):
        aligner = BipartiteMatchingAligner(None, 1, 15, insertion, deletion)
        assert len(aligner.align(reference, hypothesis)) == size


def test_another_finder() -> None:
    aligner = BipartiteMatchingAligner(StartEndCandidateFinder(0.5))
    assert texts(aligner.align([Label("a", 1, 1.1)], [Label("a", 1.4, 1.5)])) == ["a/a"]


def test_impossible_penalties_and_labels() -> None:
    with pytest.raises(ValueError, match="insertion_penalty: expected a number from 0, found -1"):
        BipartiteMatchingAligner(insertion_penalty=-1)
    with pytest.raises(ValueError, match="substitution_penalty: expected a number from 0, found n"):
        BipartiteMatchingAligner(substitution_penalty=float("nan"))
    with pytest.raises(LabelError, match="Label-end 1 is smaller than label-start 2!"):
        BipartiteMatchingAligner().align([Label("a", 2, 1)], [Label("a", 0, 9)])


def penalty_of(aligner: BipartiteMatchingAligner, pairs: Sequence[LabelPair]) -> float:
    """What an alignment costs, by the definition."""
    total = 0.0
    for pair in pairs:
        if pair.ref is None or pair.hyp is None:
            total += aligner.deletion_penalty if pair.ref else aligner.insertion_penalty
        else:
            uncovered = 1 - overlap_percentage(pair.ref, pair.hyp)
            total += aligner.non_overlap_penalty_weight * uncovered
            total += aligner.substitution_penalty * (pair.ref.value != pair.hyp.value)
    return total


def cheapest(
    aligner: BipartiteMatchingAligner, reference: Sequence[Label], hypothesis: Sequence[Label]
) -> float:
    """The least penalty of all matchings, tried one by one."""
    if not reference:
        return aligner.insertion_penalty * len(hypothesis)
    first, rest = reference[0], reference[1:]
    best = aligner.deletion_penalty + cheapest(aligner, rest, hypothesis)
    for index, label in enumerate(hypothesis):
        if not aligner.candidate_finder.find([first], [label]).pairs:
            continue
        others = [*hypothesis[:index], *hypothesis[index + 1 :]]
        penalty = penalty_of(aligner, [LabelPair(first, label)])
        best = min(best, penalty + cheapest(aligner, rest, others))
    return best


def random_labels(rng: random.Random) -> list[Label]:
    labels = []
    for _ in range(rng.randrange(5)):
        start = rng.randrange(12) / 4
        end = None if rng.random() < 0.05 else start + rng.randrange(9) / 4
        labels.append(Label(rng.choice("abc"), start, end))
    return labels


@each_case("block", range(5))
def test_as_cheap_as_the_cheapest_of_all_matchings(block: int) -> None:
    rng = random.Random(block)
    for _ in range(500):
        reference, hypothesis = random_labels(rng), random_labels(rng)
        aligner = BipartiteMatchingAligner(
            non_overlap_penalty_weight=rng.choice([0, 1, 3]),
            substitution_penalty=rng.choice([0, 2, 5]),
            insertion_penalty=rng.choice([1, 3, 10]),
            deletion_penalty=rng.choice([1, 2, 10]),
        )
        pairs = aligner.align(reference, hypothesis)
        assert penalty_of(aligner, pairs) == pytest.approx(cheapest(aligner, reference, hypothesis))
        assert [pair.ref for pair in pairs if pair.ref] == reference
        partners = [pair.hyp for pair in pairs if pair.hyp]
        assert sorted(map(repr, partners)) == sorted(map(repr, hypothesis))
        for pair in pairs:
            if pair.ref and pair.hyp:
                assert aligner.candidate_finder.find([pair.ref], [pair.hyp]).pairs


edges = st.lists(
    st.tuples(st.integers(0, 11), st.integers(0, 11), st.integers(1, 50)),
    unique_by=lambda edge: edge[:2],
    max_size=60,
)


@settings(deadline=None, max_examples=100)
@given(edges)
def test_the_saving_is_that_of_a_table_solved_by_scipy(triples: list[tuple[int, int, int]]) -> None:
    graph = [Edge(left, right, float(saving)) for left, right, saving in triples]
    savings = {edge[:2]: edge.saving for edge in graph}
    table = [[savings.get((row, column), 0.0) for column in range(12)] for row in range(12)]
    matching = best_matching([Edge(*pair, saving) for pair, saving in savings.items()])
    assert len(set(matching.values())) == len(matching)
    rows, columns = scipy.optimize.linear_sum_assignment(table, maximize=True)
    total = sum(table[row][column] for row, column in zip(rows, columns, strict=True))
    assert sum(savings[pair] for pair in matching.items()) == total


def test_everything_overlaps_with_everything() -> None:
    labels = [Label("ab"[index % 2], index / 100) for index in range(250)]
    pairs = BipartiteMatchingAligner().align(labels, labels[::-1])
    assert all(pair.ref and pair.hyp and pair.ref.value == pair.hyp.value for pair in pairs)


def test_more_candidates_than_memory_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bipartite, "MOST_PAIRS", 99)
    labels = [Label("a", index) for index in range(10)]
    assert len(BipartiteMatchingAligner().align(labels[:9], labels)) == 10
    with pytest.raises(
        LabelError, match=r"in at most 99 pairs, found more .a label without an end"
    ):
        BipartiteMatchingAligner().align(labels, labels)


def test_a_chain_of_thousands_is_one_part() -> None:
    """Labels end to end, hypotheses half a label late: everything hangs together."""
    reference = [Label("a", index, index + 1) for index in range(3000)]
    hypothesis = [Label("a", index + 0.4, index + 1.4) for index in range(3000)]
    pairs = BipartiteMatchingAligner().align(reference, hypothesis)
    assert pairs == list(map(LabelPair, reference, hypothesis))


def test_all_pairs_then_deletions_then_insertions() -> None:
    reference = [Label("r1", 0, 2), Label("r2", 9, 10), Label("r3", 1, 3)]
    hypothesis = [Label("h1", 20, 21), Label("h2", 1.5, 4), Label("h3", 0, 0.5)]
    assert repr(FullMatchingAligner().align(reference, hypothesis)) == (
        "[LabelPair(r1, h2), LabelPair(r1, h3), LabelPair(r3, h2), LabelPair(r2, -), "
        "LabelPair(-, h1)]"
    )


def test_the_least_overlap_of_full_matching_counts() -> None:
    """The original always takes 0.05 seconds."""
    reference, hypothesis = [Label("a", 0, 1)], [Label("a", 0.98, 2)]
    assert len(FullMatchingAligner().align(reference, hypothesis)) == 1
    assert len(FullMatchingAligner(0.05).align(reference, hypothesis)) == 2
    assert FullMatchingAligner(0.05).min_overlap == 0.05


def test_full_matching_of_no_labels() -> None:
    assert FullMatchingAligner().align([], []) == []


def stretches(*spans: tuple[float, float | None]) -> list[Label]:
    return [Label("x", start, end) for start, end in spans]


@each_case(
    ("finder", "reference", "hypothesis", "expected"),
    [
        (OverlapCandidateFinder(), [(0, 1), (1, 2), (5, 6)], [(0.5, 1.5), (7, 8), (1.98, 2.5)], "00 10"),
        # open ends overlap
        (OverlapCandidateFinder(), [(0, None), (3, -1)], [(9, inf), (1, 2)], "00 01 10"),
        # the original looks for 0.05 seconds whatever is asked for
        (OverlapCandidateFinder(0.01), [(0, 1)], [(0.6, 2)], "00"),
        (OverlapCandidateFinder(0.4), [(0, 1)], [(0.6, 2)], "00"),
        (OverlapCandidateFinder(0.41), [(0, 1)], [(0.6, 2)], ""),
        # of any length, but not of none: in the original 0 would accept labels far apart
        (OverlapCandidateFinder(0), [(0, 1)], [(0.999999, 2)], "00"),
        (OverlapCandidateFinder(0), [(0, 1)], [(1, 2), (50, 51)], ""),
        (OverlapCandidateFinder(0), [(0.5, 0.5)], [(0, 1)], ""),
        (StartEndCandidateFinder(0.1), [(1, 2), (5, 9)], [(5.5, 6), (1.1, 7), (0.9, 1), (5, 5)], "01 02 13"),
        # ends that differ by just the threshold match; in the original 0 matches nothing
        (StartEndCandidateFinder(0, 0.1), [(1, 2)], [(1, 2.1), (1, 1.9), (1, 2.11), (1, 2)], "00 01 03"),
        (StartEndCandidateFinder(0, 0), [(1, 2)], [(1, 2.1), (1, 1.9), (1, 2.11), (1, 2)], "03"),
        # open ends are alike; in the original their difference is not a number
        (StartEndCandidateFinder(0.5, 0.5), [(1, None), (1, inf), (1, 3)], [(1, -1), (1, 2.5)], "00 10 21"),
    ],
)  # fmt: skip
def test_candidates(
    finder: CandidateFinder, reference: Spans, hypothesis: Spans, expected: str
) -> None:
    pairs = [(int(pair[0]), int(pair[1])) for pair in expected.split()]
    assert finder.find(stretches(*reference), stretches(*hypothesis)) == Candidates(
        pairs,
        set(range(len(reference))) - {left for left, _ in pairs},
        set(range(len(hypothesis))) - {right for _, right in pairs},
    )


def test_an_overlap_of_just_the_least_is_enough_anywhere_in_time() -> None:
    """As floats 2.05 - 2 is less than 0.05, 1.05 - 1 is more."""
    for start in range(1000):
        sides = stretches((start, start + 0.05)), stretches((start - 1, start + 7))
        assert OverlapCandidateFinder().find(*sides).pairs == [(0, 0)], start


@each_case("seed", range(60))
def test_the_sweep_finds_what_all_pairs_would(seed: int) -> None:
    rng = random.Random(seed)
    sides = []
    for _ in range(2):
        side = []
        for _ in range(rng.randrange(25)):
            start = rng.randrange(40) / 20
            end = None if rng.random() < 0.05 else start + rng.randrange(20) / 20
            side.append(Label("x", start, end))
        sides.append(side)
    least = rng.choice([0, 0.05, 0.2])
    expected = [
        (i, j)
        for i, left in enumerate(sides[0])
        for j, right in enumerate(sides[1])
        if overlap_time(left, right) >= least and overlap_time(left, right) > 0
    ]
    candidates = OverlapCandidateFinder(least).find(*sides)
    assert candidates.pairs == expected
    assert candidates.unmatched_reference == set(range(len(sides[0]))) - {i for i, _ in expected}
    assert candidates.unmatched_hypothesis == set(range(len(sides[1]))) - {j for _, j in expected}


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: OverlapCandidateFinder(-0.1), "min_overlap: expected seconds from 0, found -0.1"),
        (lambda: OverlapCandidateFinder(float("nan")), "min_overlap: expected seconds"),
        (lambda: StartEndCandidateFinder(-1), "start_delta_threshold: expected seconds from 0"),
        (lambda: StartEndCandidateFinder(1, float("nan")), "end_delta_threshold: expected"),
    ],
)
def test_impossible_thresholds(make: type, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        make()


def test_labels_need_times() -> None:
    for finder in (OverlapCandidateFinder(), StartEndCandidateFinder(1)):
        with pytest.raises(LabelError, match="expected a label with a start, found 'x' without"):
            finder.find([Label("x")], stretches((0, 1)))
