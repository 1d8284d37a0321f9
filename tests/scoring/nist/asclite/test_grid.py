"""The compiled grid against its plain twin: costs and paths, in any layout of memory."""

from array import array
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.alignment import load_core
from scoring.nist.asclite import plain
from scoring.nist.asclite.alignment import CELL, GridLayout, GridTooLargeError
from scoring.nist.asclite.grid import Axis, Prices

NATIVE = load_core()
needs_core = pytest.mark.skipif(NATIVE is None, reason="the compiled core is not built")
TEXTS = [b"a", b"ab", b"b", b"bb"]


def axis(random: Random, words: int, *, chained: bool) -> Axis:
    offsets, before = array("q", [0]), array("i")
    for word in range(words):
        choices = (
            [word]
            if chained
            else random.sample(range(word + 1), min(word + 1, random.choice((1, 1, 2))))
        )
        before.extend(choices)
        offsets.append(len(before))
    begins = [random.choice((-1, 0, 500, 1000, 2500)) for _ in range(words)]
    lasts = [words] if chained else random.sample(range(1, words + 1), min(words, 2))
    return Axis(
        array("i", (random.randrange(len(TEXTS)) for _ in range(words))),
        array("q", begins),
        array("q", (begin + 300 if begin >= 0 else -1 for begin in begins)),
        array("q", (random.choice((200, 300)) for _ in range(words))),
        bytes(random.randrange(2) for _ in range(words)),
        offsets,
        before,
        array("i", lasts if words else ()),
    )


@needs_core
@given(st.integers(0, 10**9))
def test_both_find_the_same_path(seed: int) -> None:
    random = Random(seed)
    multiple = random.random() < 0.2
    count = random.randint(1 if multiple else 2, 4)
    streams = 0 if multiple else random.randint(1, count - 1)
    chained = random.random() < 0.5
    axes = [axis(random, random.randint(0, 4), chained=chained) for _ in range(count)]
    prices = Prices(
        400,
        100,
        nearness=random.choice((0, 50)),
        duration=1000,
        widest=random.choice((-1, -1, 0, 600)),
        prune=random.choice((-1, -1, 100)),
        divider=random.choice((0, 0, 0, 10_000)),
        optional=300,
        letters=random.random() < 0.3,
        fragments=random.random() < 0.3,
        multiple=multiple,
    )
    parts = bytes(random.randrange(3) for _ in TEXTS)
    pairs = streams * (count - streams)
    wrong = bytes(random.randrange(2) for _ in range(pairs)) if random.random() < 0.3 else b""
    slow = random.randrange(count)
    fast = 1 if count == 1 else random.choice([one for one in range(count) if one != slow])
    given_ = (axes, streams, prices, TEXTS, parts, wrong, slow, fast, random.randint(1, 6))
    assert NATIVE is not None
    assert NATIVE.align_grid(*given_) == plain.align_grid(*given_)


@needs_core
@pytest.mark.parametrize("block", [1, 2, 7, 40])
def test_blocks_change_nothing(block: int) -> None:
    random = Random(7)
    axes = [axis(random, words, chained=True) for words in (30, 12, 15)]
    given_ = (axes, 1, Prices(400, 100), TEXTS, bytes(4), b"")
    assert NATIVE is not None
    assert NATIVE.align_grid(*given_, 0, 2, block) == NATIVE.align_grid(*given_, 0, 2, 31)


@needs_core
def test_what_does_not_fit_is_refused_by_both() -> None:
    good = axis(Random(1), 2, chained=True)
    dear = good._replace(singles=array("q", [300, 2**29 - 1]))
    assert NATIVE is not None
    for module in (NATIVE, plain):
        with pytest.raises(ValueError, match="axes: the costs are too large"):
            module.align_grid([dear, good], 1, Prices(400, 100), TEXTS, bytes(4), b"", 0, 1, 1)
    forward = good._replace(before=array("i", [0, 2]))
    with pytest.raises(ValueError, match=r"axes\[1\]: columns do not fit"):
        NATIVE.align_grid([good, forward], 1, Prices(400, 100), TEXTS, bytes(4), b"", 0, 1, 1)
    with pytest.raises(TypeError, match=r"axes\[0\]: expected eight columns, found int"):
        NATIVE.align_grid([1, good], 1, Prices(400, 100), TEXTS, bytes(4), b"", 0, 1, 1)


def test_a_layout_stays_within_its_memory() -> None:
    sizes = [1000, 50, 40]
    layer = 50 * 40 * CELL
    assert GridLayout.of(sizes, 1, 1000 * layer).block == 1000
    assert GridLayout.of(sizes, 1, 100 * layer) == GridLayout(0, 1, 31)
    with pytest.raises(GridTooLargeError) as error:
        GridLayout.of(sizes, 1, 10 * layer)
    assert GridLayout.of(sizes, 1, error.value.needed).slow == 0
