"""What the compiled core refuses its plain twins refuse, with the same words, and nothing crashes.

Costs of 2**62 and more once ended the process in `align_compounds`.
"""

import random
from array import array
from collections.abc import Callable
from types import ModuleType, SimpleNamespace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from scoring import alignment
from scoring.alignment import plain as plain_alignment
from scoring.alignment.network import Graph, Network
from scoring.nist.transcripts import plain as plain_columns
from tests.each_case import each_case


def compiled() -> ModuleType:
    return alignment.load_core() or pytest.skip("the native core is not built")


class Indexed:
    """A number to those who ask for an index."""

    def __index__(self) -> int:
        return 2


class Failing:
    """An object that fails whatever is asked of it."""

    def __index__(self) -> int:
        raise ZeroDivisionError("not now")

    def __float__(self) -> float:
        raise ZeroDivisionError("not now")

    def __iter__(self) -> None:
        raise ZeroDivisionError("not now")

    def __hash__(self) -> int:
        raise ZeroDivisionError("not now")


ODD: list[object] = [
    None, True, -1, 0, 3, 2**31, 2**62, 2**62 + 1, 2**63, 2**64, -(2**63), -(2**70), 1.0, float("nan"),
    "", "a", "12", "a b", "\ud800", "\u0130", b"", b"\0" * 8, b"\xff" * 7, bytearray(b"ab"), [], [1], [[]],
    ["a"], ["a", "b", "ab"], [None], ["\ud800"], [[1, 2], [3]], [1.5], ["a", 1], (), ("a",), {}, {"a": 1},
    object, object(), Indexed(), Failing(), [Failing()], [Indexed()], range(3), iter([1]), np.int64(2), np.float64(2),
    array("i", [1]), array("q", [1, 2]), array("d", [1.0]), array("I", [1]), array("b", [1]), memoryview(b"abcd")[::2],
    memoryview(array("i", [1, 2, 3, 4]))[::2], memoryview(bytes(8)).cast("i", [1, 2]), np.zeros((2, 2), np.int64),
    np.zeros((0, 1), np.uint64), np.zeros(2, ">i4"), np.zeros(3, np.int32), np.array(1), np.zeros((2, 2)).T,
]  # fmt: skip

LINEAR = (array("i", [1, 2]), array("q", [0]), array("q", [2])) * 2
COSTS = (4, 3, 3)
TABLE = object()  # stands for a table of tokens of the twin under test
NUMBERS = array("d", [1.0, 1.0])
NETWORK = Network(*Graph(array("i", [1, 2])), bytes(2), NUMBERS, NUMBERS, NUMBERS, NUMBERS)

Call = tuple[Callable[..., object], Callable[..., object], tuple[object, ...]]


def calls() -> dict[str, tuple[ModuleType, tuple[object, ...]]]:
    """Per function: the module of its plain twin, good arguments."""
    pairs = (["a", "b"], ["c"]), (["a"], ["c"])
    return {
        "align_linear": (plain_alignment, (*LINEAR, *COSTS, 0, 1)),
        "align_tokens": (plain_alignment, (["a", "b"], ["b"], COSTS, 0)),
        "count_tokens": (plain_alignment, (["a", "b"], ["b"], COSTS, 0)),
        "align_token_pairs": (plain_alignment, (*pairs, *COSTS, 0, 1)),
        "align_text_pairs": (plain_alignment, (["a b"], ["a"], *COSTS, 0, 1)),
        "align_character_pairs": (plain_alignment, (["a b"], ["a"], *COSTS, 0, 1)),
        "character_distances": (plain_alignment, (["a b"], ["a"])),
        "text_kind": (plain_alignment, (["a b", "é"],)),
        "count_token_pairs": (plain_alignment, (*pairs, *COSTS, 0, 1)),
        "align_network": (plain_alignment, (NETWORK, NETWORK, 1, bytes(4))),
        "align_compounds": (plain_alignment, (["a", "b"], ["ab"], *COSTS)),
        "number": (plain_columns, (b"1.5",)),
        "scan_trn": (plain_columns, (b"a (b)\n",)),
        "scan_ctm": (plain_columns, (b"f 1 0 1 a\n", b"f 1 0 1 a\n", TABLE)),
        "TokenTable.intern": (plain_columns, (TABLE, b"a")),
        "TokenTable.texts": (plain_columns, (TABLE, 0)),
        "TokenTable.tokenize": (
            plain_columns,
            (TABLE, b"a b", b"a b", array("q", [0]).tobytes(), array("q", [3]).tobytes()),
        ),
    }


def outcome(module: ModuleType, name: str, arguments: tuple[object, ...]) -> object:
    """The result, or the kind of error and its words."""
    owner, _, method = name.partition(".")
    own = getattr(module, "TokenTable", None)
    given_ = [own() if own and one is TABLE else one for one in arguments]
    function = getattr(module, owner)
    if method:
        if not isinstance(given_[0], function):
            return None  # not this class's method any more
        function = getattr(function, method)
    try:
        found = function(*given_)
    except Exception as error:
        return type(error), str(error)
    return found.tobytes() if isinstance(found, np.ndarray) else repr(found)


def assert_alike(name: str, arguments: tuple[object, ...]) -> None:
    plain, _ = calls()[name]
    assert outcome(compiled(), name, arguments) == outcome(plain, name, arguments)


@each_case("name", calls())
def test_good_arguments_are_taken(name: str) -> None:
    plain, arguments = calls()[name]
    found = outcome(plain, name, arguments)
    assert not isinstance(found, tuple), found
    assert outcome(compiled(), name, arguments) == found


@each_case("name", calls())
def test_every_odd_argument_in_every_place(name: str) -> None:
    good = calls()[name][1]
    for place in range(len(good)):
        for number, odd in enumerate(ODD):
            if hasattr(odd, "__next__"):
                continue  # can be read only once
            arguments = (*good[:place], odd, *good[place + 1 :])
            try:
                assert_alike(name, arguments)
            except AssertionError as error:
                raise AssertionError(f"argument {place}, odd object {number}: {odd!r}") from error


@each_case("name", calls())
def test_many_odd_arguments_at_once(name: str) -> None:
    random_ = random.Random(name)
    good = calls()[name][1]
    odd = [one for one in ODD if not hasattr(one, "__next__")]
    for _ in range(200):
        assert_alike(name, tuple(random_.choice([one, random_.choice(odd)]) for one in good))


@each_case("field", Network._fields)
def test_every_odd_column(field: str) -> None:
    for odd in ODD:
        if not hasattr(odd, "__next__"):
            columns = SimpleNamespace(**{**NETWORK._asdict(), field: odd})
            assert_alike("align_network", (columns, NETWORK, 1, bytes(4)))


costs = st.one_of(
    st.integers(0, 12),
    st.integers(-3, 2**64),
    st.sampled_from([2**61, 2**62 - 1, 2**62, 2**62 + 1, 2**63 - 1, 2**63, 3 * 2**60, 2**58]),
)
words = st.lists(st.sampled_from(["a", "b", "ab", "aba"]), max_size=7)


@given(words, words, costs, costs, costs, st.integers(0, 2))
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
def test_odd_costs(
    reference: list[str], hypothesis: list[str], first: int, second: int, third: int, ties: int
) -> None:
    prices = (first, second, third)
    assert_alike("align_compounds", (reference, hypothesis, *prices))
    assert_alike("align_tokens", (reference, hypothesis, prices, ties))
    assert_alike("count_token_pairs", ([reference], [hypothesis], *prices, ties, 1))
    texts = [" ".join(reference)], [" ".join(hypothesis)]
    assert_alike("align_text_pairs", (*texts, *prices, ties, 2))
    types = {"a": 1, "b": 2, "ab": 3, "aba": 4}
    sides = [
        (array("i", map(types.__getitem__, side)), array("q", [0]), array("q", [len(side)]))
        for side in (reference, hypothesis)
    ]
    assert_alike("align_linear", (*sides[0], *sides[1], *prices, ties, 1))
