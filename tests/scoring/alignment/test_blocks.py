"""The blocks of difflib, in bounded time."""

import random
from collections.abc import Iterator
from difflib import SequenceMatcher
from typing import Any

import pytest

from scoring.alignment import blocks
from scoring.alignment.blocks import matching_blocks
from scoring.peers.benchmarkstt.diff import RatcliffObershelp


@pytest.mark.parametrize("few", [1 << 14, 0])
def test_blocks_and_opcodes_are_those_of_difflib(few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "FEW_PAIRS", few)
    monkeypatch.setattr(blocks, "_CHUNK", 5)
    chooser = random.Random(1)
    for _ in range(150):
        letters = "abcdef"[: chooser.choice([1, 2, 3, 6])]
        sides = [chooser.choices(letters, k=chooser.randint(0, 30)) for _ in range(2)]
        wanted = SequenceMatcher(None, sides[0], sides[1], autojunk=False)
        assert matching_blocks(*sides) == [tuple(one) for one in wanted.get_matching_blocks()[:-1]]
        assert RatcliffObershelp(*sides).get_opcodes() == wanted.get_opcodes()


def test_repetitive_words_are_searched_once(monkeypatch: pytest.MonkeyPatch) -> None:
    keys: list[tuple[int, int, int]] = []
    key = blocks._key

    def counted(size: int, at: int, other: int) -> int:
        keys.append((size, at, other))
        return key(size, at, other)

    monkeypatch.setattr(blocks, "_key", counted)
    monkeypatch.setattr(blocks, "FEW_PAIRS", 1 << 20)
    sides = [[word for at in range(150) for word in ("a", "b", "c", f"{x}{at}")] for x in "de"]
    assert matching_blocks(*sides) == [(4 * at, 4 * at, 3) for at in range(150)]
    assert len(keys) == 150**2


def test_stretches_within_blocks_are_dropped_many_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where words repeat, most stretches are dropped before Python looks at each."""
    chooser = random.Random(2)
    sides = [chooser.choices("abcd", k=1500) for _ in range(2)]
    seen: list[int] = []
    merged = blocks._merged

    def counted(*arguments: Any) -> Iterator[int]:
        for key in merged(*arguments):
            seen.append(key)
            yield key

    monkeypatch.setattr(blocks, "_merged", counted)
    monkeypatch.setattr(blocks, "_CHUNK", 1 << 12)
    wanted = SequenceMatcher(None, sides[0], sides[1], autojunk=False).get_matching_blocks()[:-1]
    assert matching_blocks(*sides) == [tuple(block) for block in wanted]
    assert len(seen) < len(blocks._runs(*sides)) / 10


def test_too_many_equal_words_are_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "MOST_PAIRS", 99)
    with pytest.raises(ValueError, match=r"at most 99 pairs of equal words .* found 100 pairs"):
        RatcliffObershelp("a" * 10, "a" * 10).get_opcodes()
