"""Laws of the linear aligners, and the examples that pin sclite's and Kaldi's choices."""

import random
import tracemalloc
from array import array
from functools import lru_cache
from itertools import chain
from types import ModuleType

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scoring.alignment import kernel, plain
from scoring.alignment.limits import look, time_limit
from scoring.alignment.network import Graph, Network
from tests.each_case import each_case
from tests.scoring.alignment.implementations import SEED, columns, cost_of, edits, garbled, words
from tests.tables import table_of

SCLITE = (4, 3, 3)
UNIT = (1, 1, 1)
COSTS = [SCLITE, UNIT, (8, 6, 6), (2, 1, 1), (5, 2, 3), (0, 1, 1), (1, 0, 2), (0, 0, 0), (10, 1, 9)]

sequences = st.lists(st.integers(0, 3), max_size=7)
costs_drawn = st.tuples(*[st.integers(0, 6)] * 3)
ties_drawn = st.integers(0, 2)  # of rapidfuzz, equal ends come first


def letters(codes: bytes) -> str:
    return "".join("CSDI"[code] for code in codes)


def all_alignments(reference: tuple[int, ...], hypothesis: tuple[int, ...]) -> list[bytes]:
    """Every alignment there is, in no particular order."""

    @lru_cache(None)
    def of(i: int, j: int) -> list[bytes]:
        if i == j == 0:
            return [b""]
        found = []
        if i and j:
            last = bytes([0 if reference[i - 1] == hypothesis[j - 1] else 1])
            found += [path + last for path in of(i - 1, j - 1)]
        if i:
            found += [path + b"\2" for path in of(i - 1, j)]
        if j:
            found += [path + b"\3" for path in of(i, j - 1)]
        return found

    return of(len(reference), len(hypothesis))


def cost(path: bytes, costs: tuple[int, int, int]) -> int:
    return sum((0, *costs)[code] for code in path)


@given(
    reference=st.lists(st.integers(0, 2), max_size=4),
    hypothesis=st.lists(st.integers(0, 2), max_size=4),
    costs=costs_drawn,
    ties=ties_drawn,
)
@settings(max_examples=150, deadline=None)
def test_cheapest_of_all_and_preferred_among_equals(
    module: ModuleType,
    reference: list[int],
    hypothesis: list[int],
    costs: tuple[int, int, int],
    ties: int,
) -> None:
    paths = all_alignments(tuple(reference), tuple(hypothesis))
    cheapest = min(cost(path, costs) for path in paths)
    # preference from the end: the rank of each edit, compared like words read backwards
    ranks = {0: (0, 0, 2, 1), 1: (0, 0, 1, 2), 2: (2, 2, 1, 0)}[ties]
    best = min(
        (path for path in paths if cost(path, costs) == cheapest),
        key=lambda path: [ranks[code] for code in reversed(path)],
    )
    assert edits(module, [(reference, hypothesis)], costs, ties)[0] == [best]


@pytest.mark.share(3)
@pytest.mark.parametrize("ties", range(4))
@pytest.mark.parametrize("costs", COSTS)
def test_native_equals_plain(costs: tuple[int, int, int], ties: int) -> None:
    rng = random.Random(SEED + ties)
    pairs = [
        (words(rng, rng.randint(0, 9), 4), words(rng, rng.randint(0, 9), 4)) for _ in range(300)
    ]
    for _ in range(20):
        reference = words(rng, rng.randint(0, 140), rng.choice([1, 2, 6, 90]))
        pairs.append((reference, garbled(rng, reference, rng.choice([0.1, 0.5, 1.5]), 6)))
    assert edits(kernel, pairs, costs, ties) == edits(plain, pairs, costs, ties)


@pytest.mark.share(5)
@pytest.mark.parametrize("length", [63, 64, 65, 127, 128, 129, 192, 256])
@pytest.mark.parametrize("costs", [SCLITE, UNIT])
def test_lengths_around_machine_words(costs: tuple[int, int, int], length: int) -> None:
    rng = random.Random(SEED + length)
    pairs = []
    for vocabulary in (1, 2, 40):
        reference = words(rng, length, vocabulary)
        pairs.append((reference, garbled(rng, reference, 0.4, vocabulary)))
        pairs.append((reference, words(rng, 70, vocabulary)))
        pairs.append((words(rng, 70, vocabulary), reference))
    for ties in range(4):
        assert edits(kernel, pairs, costs, ties) == edits(plain, pairs, costs, ties)


@pytest.mark.release
def test_memory_of_plain() -> None:
    """A byte for a pair of words: an hour of speech fits into a browser."""
    size = 400
    tracemalloc.start()
    plain.align_tokens(range(size), range(size, 0, -1), SCLITE, 0)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2 * size**2


def as_network(types: list[int]) -> Network:
    return Network(*Graph(array("i", types)), bytes(len(types)), array("d", [3.0] * len(types)))


def through_network(reference: list[int], hypothesis: list[int]) -> bytes:
    """The same alignment by the full table of the graph aligner, which knows no band."""
    steps, _ = kernel.align_network(as_network(reference), as_network(hypothesis), 0)
    arcs = memoryview(steps).cast("i")
    codes = bytearray()
    for a, b in zip(arcs[::2], arcs[1::2], strict=True):
        codes.append((reference[a - 1] != hypothesis[b - 1]) if a and b else 2 if a else 3)
    return bytes(codes)


LONG = 900 if kernel.IMPLEMENTATION == "native" else 150


@pytest.mark.parametrize("vocabulary", [1, 2, 20, 1000])
def test_band_is_exact_on_long_pairs(vocabulary: int) -> None:
    rng = random.Random(SEED + vocabulary)
    reference = words(rng, LONG, vocabulary)
    moved = reference[LONG // 2 :] + reference[: LONG // 2]
    cut = reference[: LONG // 3] + reference[LONG // 2 :]
    pairs = [
        (reference, garbled(rng, reference, 0.2, vocabulary)),
        (reference, moved),
        (reference, cut),
        (cut, reference),
        (reference, words(rng, LONG, vocabulary)),
        (reference, words(rng, LONG // 7, vocabulary)),
        (words(rng, LONG // 7, vocabulary), reference),
        (words(rng, LONG // 5, 3), words(rng, 4 * LONG, 3)),
    ]
    expected = [through_network(left, right) for left, right in pairs]
    assert edits(kernel, pairs, SCLITE, 0)[0] == expected


@pytest.mark.skipif(kernel.IMPLEMENTATION == "plain", reason="too slow in plain Python")
@pytest.mark.parametrize("costs", [SCLITE, UNIT])
def test_more_directions_than_are_kept_at_a_time(costs: tuple[int, int, int]) -> None:
    rng = random.Random(SEED)
    reference = words(rng, 21_000, 2)
    hypothesis = words(rng, 21_000, 2)
    found, counted = edits(kernel, [(reference, hypothesis)], costs, 0)
    i = j = 0
    for code in found[0]:
        assert code > 1 or (code == 0) == (reference[i] == hypothesis[j])
        i += code != 3
        j += code != 2
    assert (i, j) == (21_000, 21_000)
    back = edits(kernel, [(reference[::-1], hypothesis[::-1])], costs, 0)[1]
    assert cost_of(counted[0], costs) == cost_of(back[0], costs)


@given(reference=sequences, hypothesis=sequences, costs=costs_drawn, ties=ties_drawn)
@settings(deadline=None)
def test_cost_is_symmetric_and_bounded(
    reference: list[int], hypothesis: list[int], costs: tuple[int, int, int], ties: int
) -> None:
    substitution, deletion, insertion = costs
    found, counted = edits(kernel, [(reference, hypothesis)], costs, ties)
    total = cost_of(counted[0], costs)
    assert counted[0] == tuple(found[0].count(code) for code in range(4))
    assert sum(counted[0][:3]) == len(reference)
    assert counted[0][0] + counted[0][1] + counted[0][3] == len(hypothesis)
    surplus = len(reference) - len(hypothesis)
    assert total >= (surplus * deletion if surplus > 0 else -surplus * insertion)
    assert total <= len(reference) * deletion + len(hypothesis) * insertion
    assert (total == 0) or reference != hypothesis
    swapped = edits(kernel, [(hypothesis, reference)], (substitution, insertion, deletion), ties)
    assert cost_of(swapped[1][0], (substitution, insertion, deletion)) == total


@each_case(
    ("reference", "hypothesis", "expected"),
    table_of(__file__, "sclite_takes_the_diagonal_then_the_insertion"),
)
def test_sclite_takes_the_diagonal_then_the_insertion(
    module: ModuleType, reference: str, hypothesis: str, expected: str
) -> None:
    pair = ([ord(word) for word in reference], [ord(word) for word in hypothesis])
    assert letters(edits(module, [pair], SCLITE, 0)[0][0]) == expected


@pytest.mark.parametrize(
    ("reference", "hypothesis", "align_text", "compute_wer"),
    [("abc", "asxc", "CISC", "CSIC"), ("ab", "bc", "SS", "DCI"), ("ABC", "DCA", "SSS", "SDCI")],
)
def test_kaldi_has_two_orders(
    module: ModuleType, reference: str, hypothesis: str, align_text: str, compute_wer: str
) -> None:
    pair = ([ord(word) for word in reference], [ord(word) for word in hypothesis])
    assert letters(edits(module, [pair], UNIT, 1)[0][0]) == align_text
    assert letters(edits(module, [pair], UNIT, 2)[0][0]) == compute_wer


@pytest.mark.parametrize("threads", [0, 1, 3])
def test_threads_change_nothing(threads: int) -> None:
    rng = random.Random(SEED)
    references = [words(rng, rng.randint(0, 40), 9) for _ in range(4000)]
    pairs = [(reference, garbled(rng, reference, 0.3, 9)) for reference in references]
    if kernel.IMPLEMENTATION == "plain":
        pairs = pairs[:50]
    assert edits(kernel, pairs, SCLITE, 0, threads) == edits(kernel, pairs, SCLITE, 0)


def test_any_type_numbers() -> None:
    pair = ([-5, 2**31 - 1, 7, -(2**31)], [-5, 7, -(2**31), 2**31 - 1])
    assert letters(edits(kernel, [pair], SCLITE, 0)[0][0]) == "CDCCI"
    assert edits(kernel, [pair], SCLITE, 0) == edits(plain, [pair], SCLITE, 0)
    assert edits(kernel, [], SCLITE, 0) == ([], [])


@each_case(
    ("place", "value", "message"),
    [
        (0, array("d", [1.0]), "reference_types: .* a contiguous buffer of int32, found array"),
        (5, array("i", [1]), "hypothesis_ends: .* a contiguous buffer of int64, found array"),
        (1, array("q", [0]), "reference: expected as many ends as begins, found 2 and 1"),
        (1, array("q", [-1, 0]), "reference, pair 0: .* 5 types, found -1 to 2"),
        (2, array("q", [2, 9]), "reference, pair 1: .* 5 types, found 3 to 9"),
        (5, array("q", [2, 1]), "hypothesis, pair 1: .* found 3 to 1"),
        (8, -3, "insertion: expected a whole number from 0 to 4611686018427387904, found -3"),
        (9, 4, "ties: expected a whole number from 0 to 3, found 4"),
        (10, -1, "threads: expected a whole number from 0 to 2147483647, found -1"),
    ],
)
def test_refuses_what_cannot_be(
    module: ModuleType, place: int, value: object, message: str
) -> None:
    arguments: list[object] = [*columns([([1, 2], [1, 2]), ([3], [3])]), *SCLITE, 0, 1]
    arguments[place] = value
    with pytest.raises((TypeError, ValueError), match=message):
        module.align_linear(*arguments)


def test_refuses_sides_of_different_lengths(module: ModuleType) -> None:
    good, empty = columns([([1], [1])]), columns([])
    with pytest.raises(ValueError, match="as many hypotheses as references, found 0 and 1"):
        module.align_linear(*good[:3], *empty[3:], *SCLITE, 0, 1)


def test_costs_beyond_the_integers_are_an_error(module: ModuleType) -> None:
    with pytest.raises(OverflowError, match="costs are too large"):
        edits(module, [([1], [2])], (2**62 - 1, 2**62, 2**62 - 3), 0)
    with pytest.raises(OverflowError, match="costs are too large"):  # before the text of pair 2
        module.align_text_pairs(["a b", "é"], ["a c", "x"], 2**62 - 1, 1, 0, 2, 1)
    big = (2**40 + 1, 2**40, 2**39)
    assert edits(kernel, [([1, 2], [2])], big, 0) == edits(plain, [([1, 2], [2])], big, 0)


@given(pairs=st.lists(st.tuples(*[st.integers(0, 2**31 - 1) | st.integers(0, 2)] * 4)))
def test_sums_of_counts(module: ModuleType, pairs: list[tuple[int, ...]]) -> None:
    numbers = array("i", chain.from_iterable(pairs))
    *sums, wrong, rated, rates, substituted, deleted, inserted = module.sum_counts(numbers)
    assert tuple(sums) == tuple(map(sum, zip((0, 0, 0, 0), *pairs, strict=True)))
    assert wrong == sum(any(pair[1:]) for pair in pairs)
    by_kind = [sum(pair[kind] > 0 for pair in pairs) for kind in range(1, 4)]
    assert [substituted, deleted, inserted] == by_kind
    rated_pairs = [pair for pair in pairs if any(pair[:3])]
    total = 0.0
    for pair in rated_pairs:
        total += sum(pair[1:]) / sum(pair[:3])
    assert (rated, rates) == (len(rated_pairs), total)


@given(
    pairs=st.lists(st.tuples(*[st.integers(0, 3) | st.integers(0, 2**31 - 1)] * 4)),
    fewest=st.integers(1, 4),
)
def test_rows_of_insertions(module: ModuleType, pairs: list[tuple[int, ...]], fewest: int) -> None:
    numbers = array("i", chain.from_iterable(pairs))
    expected = [
        row
        for row, pair in enumerate(pairs)
        if pair[3] >= fewest or (pair[3] > 0 and pair[:3] == (0, 0, 0))
    ]
    assert array("q", module.rows_of_insertions(numbers, fewest)).tolist() == expected


def test_rows_of_insertions_of_other_numbers(module: ModuleType) -> None:
    with pytest.raises(ValueError, match="counts: expected four for each pair, found 5"):
        module.rows_of_insertions(array("i", range(5)), 3)


def test_sums_of_other_numbers(module: ModuleType) -> None:
    with pytest.raises(ValueError, match="counts: expected four for each pair, found 5"):
        module.sum_counts(array("i", range(5)))
    with pytest.raises(TypeError, match="counts: expected a contiguous buffer of int32"):
        module.sum_counts(array("q", range(4)))


def _multiplied(numbers: np.ndarray, factor: int) -> np.ndarray:
    with np.errstate(over="ignore"):
        return numbers * np.uint64(factor)


def test_nobody_can_choose_words_that_collide() -> None:
    """Words of eight letters that a hash without a key sends to one place of its table.

    Each looked for its own behind all before it: half a million took minutes.
    """
    count, factor = 500_000, 0xD6E8FEB86659FD93
    inverse = pow(factor, -1, 1 << 64)
    halves = np.arange(1, count + 1, dtype=np.uint64)
    numbers = halves << np.uint64(32) | halves  # whose halves cancel out
    shift = np.uint64(29)
    numbers = _multiplied(numbers ^ numbers >> shift ^ numbers >> (shift + shift), inverse)
    numbers = _multiplied(numbers ^ numbers >> np.uint64(32), inverse)
    data = (numbers ^ np.uint64(0x9E3779B97F4A7C15 ^ 8)).astype("<u8").tobytes()
    words = [data[at : at + 8].decode("latin-1") for at in range(0, len(data), 8)]
    with time_limit(60):
        _, counts = kernel.align_tokens(words, words[::-1][:1], (4, 3, 3), 0)
        look()  # raises if the limit is reached
    assert tuple(counts) == (1, 0, count - 1, 0)
