"""The path through rover's prices: our own search against the general aligner, and time marks."""

import random
from array import array
from collections.abc import Callable, Iterator, Sequence
from unittest.mock import patch

import pytest

from scoring.alignment.network import Graph, Network
from scoring.alignment.plain_network import cheapest_path
from scoring.nist.rover.lattice import Lattice
from scoring.nist.rover.pricing import Pricing
from tests.each_case import each_case


class Texts:
    """As much of the words of a run as prices by text need."""

    def __init__(self, texts: list[str]) -> None:
        self.texts = texts
        self.null_text = texts.index("@")
        self.has_null_words = True
        self.starts: list[float] = []
        self.finishes: list[float] = []


def prices(texts: list[str]) -> Pricing:
    return Pricing(Texts(texts), by_time=False)  # type: ignore[arg-type]


@pytest.fixture
def searched() -> Iterator[list[int]]:
    """Counts the alignments that our own search makes: it alone asks for prices of pairs."""
    made: list[int] = []
    prices_of = Pricing._prices

    def counted(
        pricing: Pricing, left: Network, right: Network
    ) -> Callable[[int], Sequence[float]]:
        made.append(1)
        return prices_of(pricing, left, right)

    with patch.object(Pricing, "_prices", counted):
        yield made


def own_path(
    prices: Pricing, left: Graph, own: Sequence[int], right: Graph, others: Sequence[int]
) -> list[int]:
    networks = prices._network(left, own), prices._network(right, others)
    return list(array("i", cheapest_path(*networks, prices._prices(*networks))[0]))


@each_case("number", range(40))
def test_search_finds_the_path_between_lattices(number: int) -> None:
    source = random.Random(number)
    by_text = prices(["@", "a", "b", "c", "d"])
    drawn = []
    for words in ([0, 1, 2, 3], [1, 2, 3, 4]):
        items = [
            tuple(
                tuple(source.choice(words) for _ in range(source.choice([1, 1, 2])))
                for _ in range(source.choice([1, 1, 2, 3]))
            )
            for _ in range(source.randrange(1, 6))
        ]
        numbered = Lattice(items).number()
        drawn.append((numbered.graph(array("i", numbered.words)), numbered.words))
    (left, own), (right, others) = drawn
    assert own_path(by_text, left, own, right, others) == list(
        by_text.path(left, own, right, others)
    )


def test_null_words_and_time_marks_to_be_added_are_searched_for_here(searched: list[int]) -> None:
    by_text = prices(["@", "a", "b", "%sync%time1"])

    def path(own: list[int], others: list[int]) -> list[int]:
        left, right = (Lattice(words).number().graph(array("i", words)) for words in (own, others))
        return list(by_text.path(left, own, right, others))

    assert path([1, 2], [1, 2]) == [1, 1, 2, 2]
    assert not searched
    # an agreed time mark pulls the words beside it apart
    assert path([1, 3], [3, 2]) == [1, 0, 2, 1, 0, 2]
    # the null word costs 1 instead of a word, and next to nothing alone
    assert path([1, 2], [0, 2]) == [1, 1, 2, 2]
    # two of them rather stand alone than face each other
    assert path([0], [0]) == [1, 0, 0, 1]
    assert len(searched) >= 3
