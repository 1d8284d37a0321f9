"""The best path through several references: both cores, all paths of tiny networks, any order."""

import random
from collections.abc import Iterator, Sequence
from functools import cache
from types import ModuleType
from typing import Any

import pytest

from scoring.alignment import kernel, plain
from scoring.alignment.plain_network import Draft
from scoring.alignment.plain_references import (
    BAR,
    CLOSE,
    OPEN,
    WILDCARD_TYPE,
    MarkedRow,
    Paths,
    merged_network,
    typed,
)
from tests.each_case import each_case
from tests.scoring.alignment.implementations import SEED

WORDS = "0123"
MARKS = {"{": OPEN, "|": BAR, "}": CLOSE, "*": WILDCARD_TYPE}


def marked(text: str) -> list[str | int]:
    """Letters and the marks `{ | }` and `*`, without blanks."""
    return [MARKS.get(letter, letter) for letter in text]


def paths(module: ModuleType, references: Sequence[MarkedRow], hypothesis: MarkedRow) -> Paths:
    return Paths(*module.best_paths(references, [hypothesis], len(references)))


def path(module: ModuleType, references: Sequence[str], hypothesis: str) -> tuple[str, list[int]]:
    """The letters of the best path, and the references that they were taken from."""
    result = paths(module, list(map(marked, references)), marked(hypothesis))
    text = "".join(references)
    return (
        "".join(text[place] for place in memoryview(result.places).cast("i")),
        list(memoryview(result.sources).cast("i")),
    )


@each_case(
    ("references", "hypothesis", "words", "sources"),
    [
        # paths switch where references share a word, and nowhere else
        (["abcd", "axce"], "axcd", "axcd", [1, 1, 1, 0]),
        (["abc", "ayx"], "abx", "abc", [0, 0, 0]),
        (["abc", "abc"], "abc", "abc", [0, 0, 0]),
        # of equally few errors the longer path
        (["ab", "abc"], "abd", "abc", [1, 1, 1]),
        (["", "a"], "", "", []),
        (["", "a"], "b", "a", [1]),
        # alternatives, one of them empty
        (["a{b|c d|}e"], "ae", "ae", [0, 0]),
        (["a{b{c|}|}e"], "abe", "abe", [0, 0, 0]),
        (["a{b}"], "a", "ab", [0, 0]),
    ],
)
def test_best_path(
    module: ModuleType, references: list[str], hypothesis: str, words: str, sources: list[int]
) -> None:
    assert path(module, references, hypothesis) == (words, sources)


def test_wildcards_stand_for_any_words(module: ModuleType) -> None:
    result = paths(module, [marked("a*b{*|}c")], "a x y b c")
    assert memoryview(result.places).cast("i").tolist() == [0, 2, 7]
    assert memoryview(result.cuts).cast("i")[:4].tolist() == [0, 1, 1, 3]
    assert memoryview(result.shortest).cast("i").tolist() == [3]


def draw(rng: random.Random, base: Sequence[str], depth: int) -> list[str | int]:
    """The words with errors, alternatives and wildcards."""
    row: list[str | int] = []
    for word in base:
        kind = rng.random()
        if kind < 0.1:
            continue
        if depth and kind > 0.85:
            row.append(OPEN)
            for branch in range(rng.randint(1, 3)):
                row += [BAR] * (branch > 0)
                row += draw(rng, rng.choices(WORDS, k=rng.randint(0, 2)), depth - 1)
            row.append(CLOSE)
        elif depth and kind > 0.8:
            row.append(WILDCARD_TYPE)
        else:
            row.append(rng.choice(WORDS) if kind < 0.25 else word)
    return row


def cases(seed: int, number: int) -> Iterator[tuple[list[MarkedRow], MarkedRow]]:
    rng = random.Random(SEED + seed)
    for _ in range(number):
        base = rng.choices(WORDS, k=rng.randint(0, 5))
        depth = rng.choice([0, 0, 2])
        yield ([draw(rng, base, depth) for _ in range(rng.randint(1, 3))], draw(rng, base, 0))


def test_native_equals_plain() -> None:
    for references, hypothesis in cases(1, 1500):
        assert paths(kernel, references, hypothesis) == paths(plain, references, hypothesis)


def all_paths(network: Draft, arc: int) -> Iterator[list[int]]:
    """The words and wildcards of every path that ends with an arc."""
    if not arc:
        yield []
        return
    kind, mark = network.types[arc - 1], network.marks[arc - 1]
    for before in network.before[arc - 1]:
        for types in all_paths(network, before):
            yield types if mark == 1 else [*types, kind]


def distance(reference: tuple[int, ...], hypothesis: tuple[int, ...]) -> int:
    """Levenshtein distance; a wildcard stands for any words."""

    @cache
    def rest(a: int, b: int) -> int:
        if a == len(reference):
            return len(hypothesis) - b
        if reference[a] == WILDCARD_TYPE:
            return min(rest(a + 1, later) for later in range(b, len(hypothesis) + 1))
        deleted = 1 + rest(a + 1, b)
        if b == len(hypothesis):
            return deleted
        return min(
            deleted, 1 + rest(a, b + 1), (reference[a] != hypothesis[b]) + rest(a + 1, b + 1)
        )

    return rest(0, 0)


def test_path_is_the_best_of_all_paths() -> None:
    for references, hypothesis in cases(2, 150):
        types, heard, _ = typed(references, hypothesis)
        network = merged_network(types)
        every = {tuple(types) for arc in network.before[-1] for types in all_paths(network, arc)}
        scores = {
            types: (distance(types, tuple(heard)), types.count(WILDCARD_TYPE) - len(types))
            for types in every
        }
        result = paths(kernel, references, hypothesis)
        flat = [kind for row in types for kind in row]
        words = [flat[place] for place in memoryview(result.places).cast("i")]
        # wildcards are back in their places
        cuts = memoryview(result.cuts).cast("i").tolist()
        for at in range(len(cuts) - 4, -1, -4):
            words.insert(cuts[at + 1], WILDCARD_TYPE)
        assert scores[tuple(words)] == min(scores.values())
        shortest = min(len(types) - types.count(WILDCARD_TYPE) for types in every)
        assert memoryview(result.shortest).cast("i").tolist() == [shortest]


def test_order_of_references_does_not_matter() -> None:
    rng = random.Random(SEED)
    for references, hypothesis in cases(3, 300):
        outcomes = set()
        for _ in range(3):
            rng.shuffle(references)
            result = paths(kernel, references, hypothesis)
            flat = [word for reference in references for word in reference]
            words = tuple(flat[place] for place in memoryview(result.places).cast("i"))
            outcomes.add((words, result.cuts, result.shortest))
        assert len(outcomes) == 1


def test_long_texts_are_exact() -> None:
    rng = random.Random(SEED)
    length = 500 if kernel.IMPLEMENTATION == "plain" else 4000
    reference = rng.choices("0123456789", k=length)
    other = [word if rng.random() > 0.01 else "other" for word in reference]
    hypothesis = [word if rng.random() > 0.01 else "wrong" for word in other]
    result = paths(kernel, [reference, other], hypothesis)
    assert len(memoryview(result.places).cast("i")) == length


@each_case(
    ("references", "number", "error", "message"),
    [
        (["a"], 0, ValueError, "number: expected a whole number from 1 to 64, found 0"),
        (["a"], 2, ValueError, "references: expected 2 of 1 utterances, found 1"),
        ([[-1, "a"]], 1, ValueError, "references: expected a mark that closes alternatives"),
        ([["a", -3]], 1, ValueError, "references: expected a mark that opens alternatives"),
        ([["a", -7]], 1, ValueError, "references: expected a whole number from -4 to -1, found -7"),
        ([["a", None]], 1, TypeError, "references: expected a whole number, found NoneType"),
    ],
)
def test_refuses_what_is_no_row(
    module: ModuleType, references: Any, number: int, error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        module.best_paths(references, ["a"], number)


def test_words_of_any_script_are_told_apart(module: ModuleType) -> None:
    # "ab" and U+6261 have the same bytes in memory
    rows = [["ab", "\u00e9", "\ud800"], ["\u6261", "e\u0301", "\ud800"]]
    result = paths(module, rows, ["\u6261", "e\u0301", "\ud800"])
    assert memoryview(result.whole).cast("i").tolist() == [1]
    assert paths(module, ["a  b ", " a c"], "a c").whole == b"\1\0\0\0"
