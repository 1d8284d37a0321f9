"""The graph aligner: sclite's examples, both implementations on random graphs, refusals."""

from __future__ import annotations

import random
from array import array
from collections.abc import Sequence
from types import ModuleType
from typing import Any

import pytest

from scoring.alignment import kernel, plain
from scoring.alignment.network import NO_INTEGERS, Graph, Network, build
from tests.each_case import each_case
from tests.scoring.alignment.implementations import SEED
from tests.tables import table_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.alignment.network import NetworkItem


NULL = 0
WILDCARD = 2
NAN, INFINITY = float("nan"), float("inf")


def network(items: Sequence[NetworkItem], rng: random.Random | None = None) -> Network:
    """Type 0 is the null word; random times and weights if asked for."""
    graph = build(items)

    def draw() -> float:
        return rng.choice([0.1, 0.25, 1.0, 1.7]) if rng else 1.0

    return Network(
        *graph,
        nulls=bytes(word == NULL for word in graph.types),
        singles=array("d", (0.001 if word == NULL else 3.0 for word in graph.types)),
        weights=array("d", (0.0 if word == NULL else draw() for word in graph.types)),
        starts=array("d", (draw() for _ in graph.types)),
        ends=array("d", (draw() + 1 for _ in graph.types)),
    )


def parse(text: str) -> list[NetworkItem]:
    """Words of one letter, `@`, and alternations `{a b/c}` without blanks around `/`."""
    stack: list[list[list[NetworkItem]]] = [[[]]]
    for character in text:
        if character == "{":
            stack.append([[]])
        elif character == "/":
            stack[-1].append([])
        elif character == "}":
            branches = stack.pop()
            stack[-1][-1].append(tuple(branches))
        elif character != " ":
            stack[-1][-1].append(NULL if character == "@" else ord(character))
    return stack[0][0]


def shown(module: ModuleType, reference: str, hypothesis: str) -> str:
    """The alignment as sclite reports it: steps between null words and nothing are dropped."""
    left, right = network(parse(reference)), network(parse(hypothesis))
    steps = memoryview(module.align_network(left, right, 0)[0]).cast("i")
    places = []
    for a, b in zip(steps[::2], steps[1::2], strict=True):
        first = left.types[a - 1] if a else NULL
        second = right.types[b - 1] if b else NULL
        if first and second:
            edit = "C" if first == second else "S"
            places.append(edit + chr(first) + ("" if first == second else chr(second)))
        elif first or second:
            places.append(("D" if first else "I") + chr(first or second))
    return " ".join(places)


@each_case(
    ("reference", "hypothesis", "expected"), table_of(__file__, "alternatives_as_sclite_takes_them")
)
def test_alternatives_as_sclite_takes_them(
    module: ModuleType, reference: str, hypothesis: str, expected: str
) -> None:
    assert shown(module, reference, hypothesis) == expected


def random_items(rng: random.Random, length: int, depth: int) -> list[NetworkItem]:
    items: list[NetworkItem] = []
    for _ in range(length):
        if depth and rng.random() < 0.3:
            branches = range(rng.randint(1, 3))
            items.append(tuple(random_items(rng, rng.randint(1, 2), depth - 1) for _ in branches))
        else:
            items.append(rng.randint(0, 4))
    return items


@each_case("mode", range(4))
@each_case("depth", range(4))
def test_native_equals_plain(mode: int, depth: int) -> None:
    rng = random.Random(SEED + 10 * mode + depth)
    for _ in range(60):
        left = network(random_items(rng, rng.randint(0, 7), depth), rng)
        right = network(random_items(rng, rng.randint(0, 7), depth), rng)
        cells = len(left.types) * len(right.types)
        matches = rng.choice([None, bytes(rng.choice([0, 1]) for _ in range(cells))])
        expected = plain.align_network(left, right, mode, matches)
        assert kernel.align_network(left, right, mode, matches) == expected


@pytest.mark.parametrize(("branches", "more"), [(260, ()), (30, (30, 30))])
def test_many_branches_on_both_sides(branches: int, more: tuple[int, ...]) -> None:
    rng = random.Random(SEED)

    def forks() -> list[NetworkItem]:
        return [tuple([rng.randint(1, 60)] for _ in range(size)) for size in (branches, *more)]

    left, right = network([*forks(), 5]), network([*forks(), 5])
    assert kernel.align_network(left, right, 0) == plain.align_network(left, right, 0)


def test_long_chain_with_null_words_adds_in_single_precision() -> None:
    rng = random.Random(SEED)
    left, right = (network([rng.randint(0, 3) for _ in range(size)]) for size in (130, 120))
    assert kernel.align_network(left, right, 0) == plain.align_network(left, right, 0)


def test_too_dear_a_path_is_empty(module: ModuleType) -> None:
    dear = Network(
        *Graph(array("i", [1, 2])), bytes(2), array("d", [6e5] * 2), array("d", [6e5] * 2)
    )
    cheap = Network(*Graph(array("i", [3])), bytes(1), array("d", [1.0]), array("d", [1.0]))
    assert module.align_network(dear, cheap, 1) == (b"", 999999.875)


@pytest.mark.parametrize("text", ["{}", "{a/}", "{/a}", "a {b/{}}"])
def test_empty_branches_are_refused(text: str) -> None:
    with pytest.raises(ValueError, match="at least one word in every branch"):
        build(parse(text))


@each_case(
    ("mode", "change", "message"),
    [
        (1, {"nulls": b""}, "expected one null mark per arc"),
        (1, {"singles": array("d")}, "expected one single cost per arc"),
        (1, {"weights": array("d")}, "expected one weight per arc"),
        (1, {"finals": array("i", [9])}, "expected final arcs of the network"),
        (1, {"predecessor_offsets": array("i", [0, 1])}, "expected predecessor offsets"),
        (1, {"predecessors": array("i", [0, 2, 1, 1])}, "predecessors with lower numbers"),
        (1, {"predecessor_offsets": array("i", [0, 0, 2, 4])}, "one predecessor per arc"),
        (0, {"singles": array("d", [NAN] * 3)}, "expected costs of at least -1e18"),
        (0, {"singles": array("d", [-1e300] * 3)}, "expected costs of at least -1e18"),
        (1, {"weights": array("d", [-INFINITY] * 3)}, "expected costs of at least -1e18"),
        (2, {"starts": array("d", [NAN] * 3)}, "expected times that are finite numbers"),
        (2, {"ends": array("d", [INFINITY] * 3)}, "expected times that are finite numbers"),
        (4, {}, "mode: expected a whole number from 0 to 3, found 4"),
    ],
)
def test_refuses_broken_networks(
    module: ModuleType, mode: int, change: dict[str, Any], message: str
) -> None:
    sound = network([([1], [2]), 3])
    sides = {"reference": (sound._replace(**change), sound)}
    sides["hypothesis"] = sides["reference"][::-1]
    for side, pair in sides.items():
        with pytest.raises(ValueError, match=message if mode == 4 else f"{side}: .*{message}"):
            module.align_network(*pair, mode)


@pytest.mark.parametrize("cost", [INFINITY, -0.5])
def test_costs_may_be_infinite_or_negative(module: ModuleType, cost: float) -> None:
    sound = network([1])
    assert module.align_network(sound, sound._replace(singles=array("d", [cost])), 0)


def test_a_chain_has_no_lists() -> None:
    graph = build([1, 2, 3])
    assert list(graph.types) == [1, 2, 3]
    assert graph[1:] == (NO_INTEGERS,) * 3


def test_the_table_of_a_long_chain_is_filled_in_blocks_alike() -> None:
    rng = random.Random(SEED)
    for case in range(120):
        words = [[rng.choice([1, 2, 3, NULL]) for _ in range(rng.randrange(30))] for _ in range(2)]
        left: list[NetworkItem] = [*words[0]]
        for place in sorted(
            rng.sample(range(len(left) + 1), min(case % 4, len(left))), reverse=True
        ):
            left[place:place] = [([1, 2], [3])]
        sides = network(left, rng), network([*words[1]], rng)
        cells = len(sides[0].types) * len(sides[1].types)
        matches = bytes(rng.choice([0, 1]) for _ in range(cells)) if case % 3 == 0 else None
        for mode in range(4):
            whole = kernel.align_network(*sides, mode, matches)
            assert kernel.align_network(*sides, mode, matches, most_bytes=1) == whole
            assert plain.align_network(*sides, mode, matches) == whole


def test_errors_against_wildcards_are_counted_in_blocks_alike() -> None:
    rng = random.Random(SEED)
    for _ in range(60):
        sides = [network(random_items(rng, rng.randint(0, 30), depth), rng) for depth in (2, 0)]
        left, right = (
            side._replace(nulls=bytes(rng.choice([0, 0, 0, 1, WILDCARD]) for _ in side.types))
            for side in sides
        )
        whole = kernel.align_network(left, right, 3)
        assert kernel.align_network(left, right, 3, most_bytes=1) == whole
        assert plain.align_network(left, right, 3) == whole
