"""Plain sequences whose costs differ from word to word: both implementations and the graph aligner."""

from __future__ import annotations

import random
from array import array
from itertools import pairwise
from types import ModuleType

import pytest

from scoring.alignment import kernel, plain
from scoring.alignment.network import Chains
from scoring.alignment.numbered import Side, WordType
from scoring.alignment.sides import align_sides
from scoring.alignment.word_costs import CostMode, WordCosts
from tests.scoring.alignment.implementations import SEED

WEIGHTS, TIMES = 1, 2


def chains(rng: random.Random, utterances: int, longest: int) -> Chains:
    """Random words and costs; between utterances lies a word that belongs to none."""
    types, begins, ends = array("i"), array("q"), array("q")
    for _ in range(utterances):
        begins.append(len(types))
        types.extend(rng.randrange(3) for _ in range(rng.randrange(longest)))
        ends.append(len(types))
        types.append(99)
    draw = [0.1, 0.25, 0.7, 1.0, 1.15]
    weights = array("d", [rng.choice(draw) for _ in types])
    starts = array("d", [place * 0.3 + rng.choice(draw) for place in range(len(types))])
    finishes = array("d", [start + rng.choice(draw) for start in starts])
    return Chains(types, begins, ends, weights, weights, starts, finishes)


def from_graphs(left: Chains, right: Chains, mode: int) -> list[bytes]:
    """The edits as the aligner of word graphs finds them."""
    found = []
    for utterance in range(len(left.begins)):
        mine, theirs = left.network(utterance), right.network(utterance)
        steps = array("i", kernel.align_network(mine, theirs, mode)[0])
        pairs = zip(steps[::2], steps[1::2], strict=True)
        found.append(
            bytes(
                3 if not a else 2 if not b else mine.types[a - 1] != theirs.types[b - 1]
                for a, b in pairs
            )
        )
    return found


@pytest.mark.parametrize("mode", [0, WEIGHTS, TIMES])
def test_all_aligners_agree(mode: int) -> None:
    rng = random.Random(SEED)
    left, right = chains(rng, 60, 9), chains(rng, 60, 9)
    edits, packed = kernel.align_chains(left, right, mode)
    offsets = memoryview(packed).cast("q")
    assert [edits[begin:end] for begin, end in pairwise(offsets)] == from_graphs(left, right, mode)
    assert plain.align_chains(left, right, mode) == (edits, packed)


@pytest.mark.parametrize("module", [kernel, plain])
def test_what_nobody_can_afford_is_empty(module: ModuleType) -> None:
    types, dear = array("i", [1, 2]), array("d", [600_000.0, 600_000.0])
    one = Chains(types, array("q", [0]), array("q", [2]), dear, dear)
    none = Chains(array("i"), array("q", [0]), array("q", [0]), array("d"), array("d"))
    assert module.align_chains(one, none, WEIGHTS) == (b"", array("q", [0, 0]).tobytes())


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"ends": array("q", [9])}, "ranges inside"),
        ({"begins": array("q", [-1])}, "ranges inside"),
        ({"singles": array("d")}, "one single cost per word"),
        ({"weights": array("d")}, "one weight per word"),
        ({"ends": array("q")}, "as many begins as ends"),
        ({"begins": array("q"), "ends": array("q")}, "as many hypotheses as references"),
    ],
)
@pytest.mark.parametrize("module", [kernel, plain])
def test_columns_that_do_not_fit_are_refused(
    module: ModuleType, change: dict[str, array[int]], problem: str
) -> None:
    costs = array("d", [1.0])
    good = Chains(array("i", [1]), array("q", [0]), array("q", [1]), costs, costs)
    with pytest.raises(ValueError, match=problem):
        module.align_chains(good, good._replace(**change), WEIGHTS)


def timed(words: list[tuple[int, float]]) -> Side:
    """One utterance of words of one second."""
    starts = array("d", [start for _, start in words])
    return Side(
        array("i", [word for word, _ in words]),
        array("q", [0]),
        array("q", [len(words)]),
        None,
        starts,
        array("d", [start + 1 for start in starts]),
        array("d", [0.0] * len(words)),
    )


VOCABULARY = [WordType(text, (None, None), text, False, False, False) for text in "abcd"]


def test_runs_of_unpaired_words_are_sorted_by_time() -> None:
    reference = timed([(0, 0.0), (1, 10.0), (0, 30.0)])
    hypothesis = timed([(0, 0.0), (2, 5.0), (3, 20.0), (0, 30.0)])
    costs = WordCosts(VOCABULARY, CostMode.TIMES)
    found = align_sides(reference, hypothesis, costs, by_time=True)
    assert found.edits == bytes([0, 3, 2, 3, 0])
    assert found.counts.tolist() == [2, 0, 1, 2]


@pytest.mark.parametrize("mode", [CostMode.FIXED, CostMode.TIMES])
def test_words_out_of_order_change_places(mode: CostMode) -> None:
    reference = timed([])
    hypothesis = timed([(2, 7.0), (1, 5.0)])
    found = align_sides(reference, hypothesis, WordCosts(VOCABULARY, mode), by_time=True)
    assert found.edits == bytes([3, 3])
    begin, end = hypothesis.begins[0], hypothesis.ends[0]
    assert hypothesis.types[begin:end].tolist() == [1, 2]


def test_an_utterance_nobody_can_afford_has_no_words_left() -> None:
    reference, hypothesis = timed([(0, 0.0), (1, 1.0)]), timed([(2, 0.0)])
    costs = WordCosts(VOCABULARY, CostMode.WEIGHTS, [600_000.0] * 4)
    found = align_sides(reference, hypothesis, costs)
    assert found.edits == b""
    assert reference.begins == reference.ends
    assert hypothesis.begins == hypothesis.ends
