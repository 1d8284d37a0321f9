from __future__ import annotations

import random
from array import array
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any

import pytest

from scoring.alignment import load_core
from scoring.alignment.numbered import NumberedWords, WordType
from scoring.alignment.results import CountsTable
from scoring.alignment.system import System, Utterances, Vocabulary
from scoring.nist.report.blocks import PlainBlockRenderer, renderer
from scoring.nist.report.sgml import NEWLINES, ON_ONE_LINE, PlainPathWriter, path_writer
from tests.each_case import each_case

if TYPE_CHECKING:
    from scoring.nist.report.blocks import BlockRenderer

LINE_WIDTHS = [-1, 0, 7, 20, 40, 1000]


@pytest.fixture(scope="module")
def native() -> ModuleType:
    return load_core() or pytest.skip("the native core is not built")


@pytest.fixture
def native_renderer(
    native: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> Callable[[System], BlockRenderer]:
    del native
    monkeypatch.setenv("SCORING_ALIGN", "native")
    return renderer


def widened(text: str) -> str:
    """An upper case that takes more bytes for one letter, fewer for another."""
    return text.replace("c", "\xc4\xb0").replace("\xe9\xe9", "E").upper().replace("\xc9", "\xe9")


NUMBERS = [0, 0.5, 1, 1.005, 12.345, -1, 123456.785, float("nan"), float("-nan"), float("-inf")]


def numbers(random_: random.Random, size: int) -> array[float]:
    return array("d", random_.choices(NUMBERS, k=size))


def random_system(seed: int, utterances: int = 12) -> System:
    random_ = random.Random(seed)
    texts = ["a", "b", "c", "dd", "\xe9\xe9", "word", "x" * 15, "y" * 16, "z" * 17, "w" * 300]
    types = [WordType(text, (None, None), text, False, False, False) for text in texts]
    edits, offsets = bytearray(), array(random_.choice("iq"), [0])
    sides = [(array("i"), array("q"), array("q")) for _ in range(2)]
    counts = array("i")
    for _ in range(utterances):
        own = bytes(
            random_.choices(range(8), [9, 2, 2, 2, 1, 1, 1, 1], k=random_.choice([0, 1, 9, 40]))
        )
        for (words, begins, ends), missing in zip(sides, ({3, 5}, {2, 4}), strict=True):
            words.extend([0] * random_.choice([0, 2]))
            begins.append(len(words))
            words.extend(random_.choices(range(len(texts)), k=sum(e not in missing for e in own)))
            ends.append(len(words))
        edits += own
        offsets.append(len(edits))
        counts.extend([sum(own.count(e) for e in (0, 4, 5)), *(own.count(e) for e in (1, 2, 3))])
    optional = [None if random_.random() < 0.3 else f"<l{number}>" for number in range(utterances)]
    columns = [
        NumberedWords(
            words,
            begins,
            ends,
            *(numbers(random_, len(words)) if random_.random() < 0.8 else None for _ in range(4)),
        )
        for words, begins, ends in sides
    ]
    return System(
        title="title",
        reference_name=None,
        hypothesis_name=None,
        creation_date=None,
        fragments_correct=False,
        optional_deletable=True,
        weights_name=None,
        labels=[],
        categories=[],
        speakers=["s", "t", "u"],
        utterances=Utterances(
            [f"(u\xe9-{number})" for number in range(utterances)],
            random_.choices([0, 2], k=utterances),
            array("i", (random_.getrandbits(10) for _ in range(utterances))),
            range(utterances),
            optional,
            random_.choice([None, optional]),
            None,
            numbers(random_, utterances),
            numbers(random_, utterances),
        ),
        vocabulary=Vocabulary(types, widened, random_.choice([None, numbers(random_, len(texts))])),
        reference=columns[0],
        hypothesis=columns[1],
        edits=bytes(edits),
        offsets=offsets,
        counts=CountsTable(counts.tobytes()),
    )


@pytest.mark.parametrize("seed", range(20))
def test_native_blocks_are_the_plain_ones(
    native_renderer: Callable[[System], BlockRenderer], seed: int
) -> None:
    system = random_system(seed)
    plain, fast = PlainBlockRenderer(system), native_renderer(system)
    assert type(fast) is not type(plain)
    chosen = array("i", range(len(system)))
    for line_width in LINE_WIDTHS:
        for full in (False, True):
            assert fast.render(chosen, line_width, full) == plain.render(chosen, line_width, full)
            assert fast.block(3, line_width, full) == plain.block(3, line_width, full)
    assert fast.render([], 80, False) == b""


@each_case("seed", range(20))
def test_native_sgml_is_the_plain_one(
    native: ModuleType, monkeypatch: pytest.MonkeyPatch, seed: int
) -> None:
    del native
    monkeypatch.setenv("SCORING_ALIGN", "native")
    system = random_system(seed)
    types = system.vocabulary.types
    assert isinstance(types, list)
    types[1] = types[1]._replace(tags=(None, "tag"), text="b;c")
    for separators in (ON_ONE_LINE, NEWLINES):
        plain, fast = PlainPathWriter(system, separators), path_writer(system, separators)
        assert type(fast) is not type(plain)
        assert fast.write(range(len(system))) == plain.write(range(len(system)))
        assert fast.write([5, 2]) == plain.write([5, 2])


@pytest.mark.parametrize("form", ["list", "memoryview", "bytes cast"])
def test_columns_may_be_any_sequence(
    native_renderer: Callable[[System], BlockRenderer], form: str
) -> None:
    system = random_system(1)
    expected = PlainBlockRenderer(system).render(range(len(system)), 80, True)
    forms: dict[str, Callable[[Any], Any]] = {
        "list": list,
        "memoryview": memoryview,
        "bytes cast": lambda column: memoryview(column.tobytes()).cast("i"),
    }
    for side in (system.reference, system.hypothesis):
        side.types = forms[form](side.types)
    assert native_renderer(system).render(range(len(system)), 80, True) == expected


def test_long_reports_grow(native_renderer: Callable[[System], BlockRenderer]) -> None:
    system = random_system(2, 600)
    everything = range(len(system))
    expected = PlainBlockRenderer(system).render(everything, 1000, False)
    assert len(expected) > 500_000
    assert native_renderer(system).render(everything, 1000, False) == expected


class TestInconsistentSystems:
    """What no alignment can be is refused instead of read beyond its end."""

    def test_no_such_utterance(self, native_renderer: Callable[[System], BlockRenderer]) -> None:
        with pytest.raises(IndexError):
            native_renderer(random_system(0)).block(12, 80, False)
        with pytest.raises(IndexError):
            native_renderer(random_system(0)).block(-1, 80, False)

    def test_more_words_than_there_are(
        self, native_renderer: Callable[[System], BlockRenderer]
    ) -> None:
        system = random_system(0)
        system.reference.ends = array("q", system.reference.begins)
        with pytest.raises(IndexError, match="more words than its utterance"):
            native_renderer(system).render(range(12), 80, False)

    def test_words_outside_the_vocabulary(
        self, native_renderer: Callable[[System], BlockRenderer]
    ) -> None:
        for wrong in (-1, 10):
            system = random_system(0)
            system.hypothesis.types = array("i", [wrong] * len(system.hypothesis.types))
            with pytest.raises(IndexError, match="not in the vocabulary"):
                native_renderer(system).render(range(12), 80, False)

    def test_unknown_edits(self, native_renderer: Callable[[System], BlockRenderer]) -> None:
        system = random_system(0)
        system.edits = b"\x08" * len(system.edits)
        with pytest.raises(ValueError, match="edits from 0 to 7"):
            native_renderer(system).render(range(12), 80, False)

    def test_offsets_outside_the_edits(
        self, native_renderer: Callable[[System], BlockRenderer]
    ) -> None:
        system = random_system(0)
        system.edits = b""
        with pytest.raises(IndexError, match="outside the column of edits"):
            native_renderer(system).render(range(12), 80, False)

    def test_texts_that_are_not_bytes(
        self, native_renderer: Callable[[System], BlockRenderer]
    ) -> None:
        system = random_system(0)
        types = system.vocabulary.types
        assert isinstance(types, list)
        types[0] = types[0]._replace(text="\u0130")
        with pytest.raises(ValueError, match="byte text"):
            native_renderer(system)

    def test_sgml_of_what_is_not_there(
        self, native: ModuleType, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        del native
        monkeypatch.setenv("SCORING_ALIGN", "native")
        for wrong in (-1, 12):
            with pytest.raises(IndexError):
                path_writer(random_system(0), ON_ONE_LINE).write([wrong])
        system = random_system(0)
        system.reference.types = array("i", [10] * len(system.reference.types))
        with pytest.raises(IndexError, match="not in the vocabulary"):
            path_writer(system, ON_ONE_LINE).write(range(12))
