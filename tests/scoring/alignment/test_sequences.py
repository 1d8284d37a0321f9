"""What people call: one pair or many, of any tokens."""

import pickle
import random
import subprocess
import sys
from ast import literal_eval
from collections.abc import Hashable
from copy import copy, deepcopy
from inspect import isroutine, signature
from itertools import product
from sys import getsizeof
from types import ModuleType
from typing import Any, get_args
from weakref import ref

import pytest

import scoring
from scoring import SCLITE_COSTS, UNIT_COSTS, Alignment, Costs, Counts, Ties
from scoring.alignment import kernel, plain
from tests.each_case import each_case
from tests.scoring.alignment.implementations import SEED

MIXED: list[list[Hashable]] = [
    ["a", "b", "ü", "字", "a" * 40, ""],
    ["a" * 40, "", "字", "x", "b"],
    [1, 2.0, 3, (4, 5), None, -1, -2, True],
    [1.0, 2, (4, 5), 3, None, -2, -1],
    [b"x", "x", frozenset({1})],
    ["x", b"x", frozenset({1})],
    [],
]


def test_iterators_are_consumed_once() -> None:
    for reference, hypothesis in (("ab", "ab"), ("abc", "xb"), ("", "a")):
        sides: list[Any] = [iter(reference), iter(hypothesis)]
        alignment = scoring.align(*sides)
        assert alignment == scoring.align(list(reference), list(hypothesis))
        assert alignment.reference == tuple(reference)


def random_pairs(count: int, seed: int) -> tuple[list[list[str]], list[list[str]]]:
    rng = random.Random(seed)
    sides: tuple[list[list[str]], list[list[str]]] = ([], [])
    for _ in range(count):
        for side in sides:
            # joined and split: equal words, different objects
            side.append(" ".join(rng.choices("abcdé", k=rng.randint(0, 8))).split())
    return sides


@each_case("ties", get_args(Ties))
@each_case("costs", [SCLITE_COSTS, UNIT_COSTS, Costs(2, 1, 1)])
def test_one_at_a_time_or_all_at_once(costs: Costs, ties: Ties) -> None:
    references, hypotheses = random_pairs(200, SEED)
    singles = [
        scoring.align(a, b, costs=costs, ties=ties)
        for a, b in zip(references, hypotheses, strict=True)
    ]
    counts = [
        scoring.edit_distance(a, b, costs=costs, ties=ties)
        for a, b in zip(references, hypotheses, strict=True)
    ]
    batch = scoring.align_batch(references, hypotheses, costs=costs, ties=ties)
    table = scoring.edit_distance_batch(references, hypotheses, costs=costs, ties=ties)
    assert list(batch) == singles
    assert list(table) == list(batch.counts) == counts
    assert [alignment.counts() for alignment in singles] == counts
    assert table.total() == sum(counts, Counts())
    for alignment, reference, hypothesis in zip(singles, references, hypotheses, strict=True):
        pairs = alignment.pairs()
        assert [pair.reference for pair in pairs if pair.reference is not None] == reference
        assert [pair.hypothesis for pair in pairs if pair.hypothesis is not None] == hypothesis


def test_tokens_of_any_kind() -> None:
    lefts = [left for left in MIXED for _ in MIXED]
    rights = [right for _ in MIXED for right in MIXED]
    assert kernel.align_token_pairs(lefts, rights, 4, 3, 3, 0, 1) == plain.align_token_pairs(
        lefts, rights, 4, 3, 3, 0, 1
    )
    for left, right in zip(lefts, rights, strict=True):
        tuples = tuple(left), tuple(right)
        expected = plain.align_tokens(*tuples, (4, 3, 3), 0)
        assert kernel.align_tokens(left, right, (4, 3, 3), 0) == expected
        assert kernel.align_tokens(*tuples, (4, 3, 3), 0) == expected
        assert kernel.count_tokens(left, right, (4, 3, 3), 0) == expected[1]


def test_short_pairs_are_aligned_as_long_ones() -> None:
    """Up to a machine word of strings or numbers a pair is aligned in a way of its own."""
    rng = random.Random(SEED)
    sizes = [0, 1, 2, 5, 9, 9, 17, 17]
    for round_ in range(60):
        words = rng.choice([2, 5, 40])
        kinds: list[list[Hashable]] = [
            [f"{'é' * (round_ % 2)}{number}" for number in range(words)],
            [number * 3 - 2 for number in range(words)],
            [2**64 + number % 3 if number % 4 else number for number in range(words)],
        ]
        token = kinds[round_ % 3]
        left = rng.choices(token, k=rng.choice(sizes) if round_ % 10 else rng.choice([63, 64, 65]))
        right = [word for word in left if rng.random() > 0.2]
        right[len(right) // 2 :] += rng.choices(token, k=rng.choice([0, 1, 3]))
        for ties in range(4):
            prices = rng.choice([(4, 3, 3), (1, 1, 1)])
            expected = plain.align_tokens(left, right, prices, ties)
            assert kernel.align_tokens(left, right, prices, ties) == expected
            assert kernel.count_tokens(left, right, prices, ties) == expected[1]
            texts: tuple[list[Any], list[Any]] = left, right
            made = kernel.align_tokens(*texts, prices, ties, Alignment)
            assert made == plain.align_tokens(*texts, prices, ties, Alignment)
            assert made.edits == expected[0]
    repeated, others = [1, 2, 3] * 20, [3, 1, 4] * 64 + [2]
    expected = plain.align_tokens(repeated, others, (4, 3, 3), 0)
    assert kernel.align_tokens(repeated, others, (4, 3, 3), 0) == expected
    assert kernel.count_tokens(repeated, others, (4, 3, 3), 0) == expected[1]
    assert kernel.count_tokens(["a"], [1], (4, 3, 3), 0) == (0, 1, 0, 0)
    for one, other in ((["a"], ["a"]), (["a"] * 300, ["a", "b"]), ([], [])):
        counts = kernel.count_tokens(one, other, (4, 3, 3), 0, Counts)
        assert type(counts) is Counts
        assert counts == kernel.count_tokens(one, other, (4, 3, 3), 0)
    assert kernel.count_tokens([True], [1], (1, 1, 1), 0) == (1, 0, 0, 0)
    with pytest.raises(ValueError, match="ties"):
        kernel.count_tokens(["a"], ["b"], (4, 3, 3), 4)
    wrong: list[Any] = [(4, 3), 4, "abcd"]
    for costs in wrong:
        with pytest.raises(TypeError, match=r"^costs: expected three whole numbers, found "):
            kernel.count_tokens(["a"], ["b"], costs, 0)


def test_equal_first_and_last_words_do_not_change_the_choice() -> None:
    """A short pair is aligned between its first and last equal words."""
    for reference, hypothesis in product(
        *[[list(text) for size in range(5) for text in product("ab", repeat=size)]] * 2
    ):
        for prices, ties in product(((4, 3, 3), (1, 1, 1)), range(4)):
            expected = plain.align_tokens(reference, hypothesis, prices, ties)
            assert kernel.align_tokens(reference, hypothesis, prices, ties) == expected
            assert kernel.count_tokens(reference, hypothesis, prices, ties) == expected[1]


@pytest.mark.parametrize("size", [3, 300])
def test_an_alignment_has_its_own_copies_of_the_words(size: int) -> None:
    reference, hypothesis = [*map(str, range(size))], [*map(str, range(1, size))]
    once: Any = iter(hypothesis)
    alignment = scoring.align(reference, once)
    reference.clear()
    assert alignment.reference == tuple(map(str, range(size)))
    assert alignment.hypothesis == tuple(hypothesis)
    assert alignment.cost == 3.0
    assert type(alignment.cost) is float


@each_case(
    ("words", "others"),
    [
        (
            ["a", "", "ü", "字", "𝄞", "word" * 30, "é" * 40, "q"],
            ["a", "x", "ü", "字字", "𝄞", "é" * 40],
        ),
        ([1, -(2**63), 2**63 - 1, 0, 7], [2, -(2**63), 0, 2**62, 7]),
        (["w" * 5000, "b"], ["w" * 5000, "c"]),
        (["w" * size for size in (248, 249, 250, 251)], ["é" * 249, "w" * 249, "w" * 250]),
        (["字" * 500] * 9, ["字" * 500] * 8),
        ([], ["a"]),
        ([1], []),
        ([], []),
    ],
)
def test_an_alignment_of_short_lists_is_like_any_other(words: list[Any], others: list[Any]) -> None:
    """Its words lie in it as bytes until somebody asks for them."""
    for left, right, (costs, ties) in product(
        (words, words[::-1]), (others, others[1:]), product(((4, 3, 3), (1, 1, 1)), range(4))
    ):
        expected = plain.align_tokens(left, right, costs, ties, Alignment)
        for attribute in ("hypothesis", "reference", "cost", "edits"):
            made = kernel.align_tokens(left, right, costs, ties, Alignment)
            assert isinstance(made, Alignment)
            for _ in range(2):
                assert getattr(made, attribute) == getattr(expected, attribute)
        assert made == expected
        assert (repr(made), hash(made)) == (repr(expected), hash(expected))
        for copied in (pickle.loads(pickle.dumps(made)), copy(made), deepcopy(made)):
            assert copied == expected
        assert getsizeof(made) > 0


def test_a_call_of_two_lists_gives_what_one_with_every_option_gives() -> None:
    options: Any = {"costs": SCLITE_COSTS, "ties": "sclite"}
    for left, right in zip(MIXED, MIXED[::-1], strict=True):
        pair: Any = (left, right)
        for function in (scoring.align, scoring.edit_distance):
            expected = function(*pair, **options)
            assert function(*pair) == expected
            assert function(reference=pair[0], hypothesis=pair[1]) == expected
            assert function(pair[0], hypothesis=pair[1]) == expected


@pytest.mark.parametrize("function", [scoring.align, scoring.edit_distance])
def test_what_stands_before_a_function_passes_for_it(function: Any) -> None:
    """Pools of processes pickle it, tools ask for its parameters, classes make methods of it."""
    assert pickle.loads(pickle.dumps(function)) is function
    assert deepcopy(function) is function
    assert ref(function)() == function
    assert list(signature(function).parameters) == ["reference", "hypothesis", "costs", "ties"]
    assert isroutine(function)
    assert function.__module__ == "scoring.alignment.sequences"
    assert repr(function).startswith(f"<function {function.__name__} at")
    assert getattr(function, "__doc__", "").startswith(("Return the cheapest", "Count the"))
    taking = type("Tokens", (list,), {"compared": function})
    assert taking(["a"]).compared(["b"]) == function(["a"], ["b"])
    wrong: tuple[tuple[tuple[Any, ...], str], ...] = (
        ((), "2 required positional arguments"),
        ((["a"],), "1 required positional argument"),
        ((["a"], ["b"], SCLITE_COSTS), "takes 2 positional arguments"),
        (("ab", ["b"]), "split it into tokens first"),
    )
    for arguments, problem in wrong:
        with pytest.raises(TypeError, match=problem):
            function(*arguments)


def test_the_attributes_of_an_alignment_can_be_replaced() -> None:
    for alignment in (scoring.align(["a"], ["b"]), scoring.align(["a"] * 300, ["b"])):
        alignment.cost = 1.5
        alignment.reference = ("c",)
        assert (alignment.cost, alignment.reference, alignment.hypothesis) == (1.5, ("c",), ("b",))


@pytest.mark.parametrize("size", [2, 300])
def test_a_kind_of_any_class_gets_what_an_alignment_has(module: ModuleType, size: int) -> None:
    def made(*found: object) -> object:
        return found

    edits, left, right, cost = module.align_tokens(["a"] * size, ["b"], (4, 2, 3), 0, made)
    assert (len(edits), left, right, cost) == (size, ("a",) * size, ("b",), 2.0 * size + 2)


def test_a_long_pair_of_words() -> None:
    rng = random.Random(SEED)
    reference = [str(rng.randrange(50)) for _ in range(300)]
    hypothesis = [str(rng.randrange(50)) for _ in range(280)]
    assert kernel.align_tokens(reference, hypothesis, (4, 3, 3), 0) == plain.align_tokens(
        reference, hypothesis, (4, 3, 3), 0
    )


def test_a_string_is_no_sequence_of_tokens(module: ModuleType) -> None:
    align_tokens, many = module.align_tokens, module.count_token_pairs
    with pytest.raises(
        TypeError,
        match=r"^hypothesis: expected a sequence of tokens, found str; split it into tokens first$",
    ):
        align_tokens(["a"], "a", (4, 3, 3), 0)
    with pytest.raises(TypeError, match=r"^reference: expected a sequence of tokens, found int$"):
        align_tokens(3, ["a"], (4, 3, 3), 0)
    with pytest.raises(TypeError, match=r"^references\[1\]: expected .* found str; split"):
        many([["a"], "b c"], [["a"], ["b"]], 4, 3, 3, 0, 1)
    with pytest.raises(TypeError, match=r"^references: expected .* found str"):
        many("a", [["a"]], 4, 3, 3, 0, 1)
    with pytest.raises(ValueError, match="as many hypotheses as references, found 1 and 2"):
        many([["a"], ["b"]], [["a"]], 4, 3, 3, 0, 1)
    with pytest.raises(TypeError, match="unhashable type"):
        align_tokens([["a"]], ["a"], (4, 3, 3), 0)


class Hostile:
    """Empties the list it stands in when compared."""

    def __init__(self, victim: list[object]) -> None:
        self.victim = victim

    def __hash__(self) -> int:
        return 7

    def __eq__(self, other: object) -> bool:
        self.victim.clear()
        return True


def test_tokens_that_change_their_list_do_no_harm() -> None:
    victim: list[object] = []
    victim.extend(Hostile(victim) for _ in range(5))
    others = [Hostile(victim) for _ in range(5)]
    assert kernel.count_tokens(victim, others, (4, 3, 3), 0) == (5, 0, 0, 0)
    assert victim == []


class Faulty:
    def __hash__(self) -> int:
        return 7

    def __eq__(self, other: object) -> bool:
        raise RuntimeError("not comparable")


def test_errors_of_tokens_come_through() -> None:
    with pytest.raises(RuntimeError, match="not comparable"):
        scoring.edit_distance([Faulty()], [Faulty()])
    many: list[list[Hashable]] = [["a"]] * 3000
    with pytest.raises(RuntimeError, match="not comparable"):
        scoring.edit_distance_batch([*many, [Faulty()]], [*many, [Faulty()]])


def test_results_are_sequences_and_can_be_pickled() -> None:
    references, hypotheses = random_pairs(9, SEED)
    batch = scoring.align_batch(references, hypotheses)
    table = scoring.edit_distance_batch(references, hypotheses)
    assert len(batch) == len(table) == 9
    assert batch[-1] == batch[8]
    assert batch[2:4] == [batch[2], batch[3]]
    assert list(table[1:8:3]) == [table[1], table[4], table[7]]
    rows: object = table.array.tolist()
    assert rows == [list(counts) for counts in table]
    with pytest.raises(IndexError):
        table[9]
    with pytest.raises(IndexError):
        batch[9]
    assert pickle.loads(pickle.dumps(batch)) == batch
    assert pickle.loads(pickle.dumps(table)) == table
    assert hash(table) == hash(batch.counts)
    assert "9" in repr(batch)
    assert "9" in repr(table)
    assert len(scoring.edit_distance_batch([], []).array) == 0
    assert scoring.edit_distance_batch([], []).total() == Counts()


def test_importing_scoring_imports_little() -> None:
    program = (
        "import sys; before = set(sys.modules); import scoring; print(set(sys.modules) - before)"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, check=True)
    assert literal_eval(shown.stdout.decode()) <= {
        "scoring",
        "formats",
        "formats.schema",
        "__future__",
        "_collections",  # a part of the interpreter
    }


def test_the_public_list_is_complete() -> None:
    offered = [name for name in dir(scoring) if name[0] != "_" and name not in vars(scoring)]
    for name in offered:
        assert getattr(scoring, name) is vars(scoring)[name]
    assert {"align", "Alignments"} <= {*vars(scoring)}
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = scoring.nothing
