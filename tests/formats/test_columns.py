"""Records cut into columns: the compiled cutter and the plain one."""

from __future__ import annotations

import gc
import re
from contextlib import suppress
from itertools import chain
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

import formats.native
from formats.columns import Cutter, cutter
from formats.lines import split_words
from formats.times import parse_time

SIGNS, MARKS = "{[", ("IGNORE_IT", "IGNOREIT")
FIELDS = st.sampled_from(
    [
        *("a", "1", "0.5", "12.25", "007.5", "1234567890.5", "1.", ".5", "-1", "0.1234567891"),
        *("<o>", "ß", "ignoreit", "xIgnore_Itx", "\u0131gnoreit", "a{", "слово", "語" * 9),
        *("longer_than_any_that_is_kept", "a\u2003b", "a\xa0b", "\u2030", "\u200b"),
        *("\x85", "\x1c", "\0", "\v"),
        *("(a-1)", "(b_longer_than_any_that_is_kept)", "(_)", "(c)", "()", "(", "d(", "(x)(é-2)"),
    ]
)
LINES = st.lists(FIELDS | st.text("a1.\u3000é", max_size=9), max_size=5).map(" \t".join)
LINES |= st.tuples(LINES, st.sampled_from([" (a-1)", " (a_b-c) ", "\t(é_1)"])).map("".join)
TEXTS = st.lists(LINES | st.sampled_from([";a b", " ;a 1", "a 1", "a\t 0.5 "]), min_size=1).map(
    "\n".join
)
NATIVE = cutter("") if type(cutter("")) is not Cutter else None


@pytest.mark.skipif(NATIVE is None, reason="the compiled cutter is not there, or not wanted")
@given(
    st.lists(TEXTS, max_size=3),
    st.sampled_from(["s", "st", "ts", "sw", "stw", "w", "stss", "wi", "wip", "stwi"]),
)
def test_compiled_columns_are_those_of_plain_python(texts: list[str], kinds: str) -> None:
    plain, native = Cutter(";", SIGNS, MARKS), cutter(";", SIGNS, MARKS)
    for text in texts:  # what it remembers of one does not change what it makes of another
        expected, found = plain.cut(text, kinds), native.cut(text, kinds)
        if expected is not None:
            assert found == expected
        elif found is not None:  # it takes more times, and marks outside of words
            as_texts = Cutter(";", SIGNS).cut(text, kinds.replace("t", "s"))
            assert as_texts is not None
            for kind, column, written in zip(kinds, found, as_texts, strict=True):
                assert column == (list(map(parse_time, written)) if kind == "t" else written)
                if kind == "w":
                    said = " ".join(chain.from_iterable(written)).upper()
                    assert not any(mark in said for mark in MARKS)


@pytest.mark.parametrize("made", [Cutter, cutter])
def test_columns(made: type[Cutter]) -> None:
    cut = made(";", "{", ("IGNORE_THIS",)).cut
    rec = "recording_with_a_long_name"
    text = f" {rec} 0.25\tanne Grüße\n{rec} 12.5 語\n{rec} 3.000000001 "
    words = [("anne", "Grüße"), ("語",), ()]
    assert cut(text, "stw") == [[rec] * 3, [250_000_000, 12_500_000_000, 3_000_000_001], words]
    assert cut("a b\nc d", "ss") == [["a", "c"], ["b", "d"]]


@pytest.mark.parametrize("made", [Cutter, cutter])
@pytest.mark.parametrize(
    "line",
    [
        *("", "  ", ";", "a", "a 1.5 {", "a -1 b", "a 1e3 b", "a 1,5", "a .5", "a 5.", "a\v 1.5"),
        *("a 0.1234567891", "a 1.5 xIgnore_This", "a 1.5 \u0131gnore_thi\u017f", "a\xa0b 1.5"),
        "a 1.5 b\u2028c",
    ],
)
def test_what_is_odd_is_left_to_a_closer_look(made: type[Cutter], line: str) -> None:
    cut = made(";", "{", ("IGNORE_THIS",)).cut
    assert cut("a 1.5 b", "stw") is not None
    assert cut(f"a 1.5 b\n{line}", "stw") is None
    assert cut(f"{line}\na 1.5 b", "stw") is None
    assert cut("a b c", "ss") is None


@pytest.mark.parametrize("made", [Cutter, cutter])
def test_identifiers_at_the_end(made: type[Cutter]) -> None:
    cut = made(";", "{").cut
    text = "how are you (anne_long-utterance_one)\n(b_2)\nfine (é-1-2) "
    words, ids = [("how", "are", "you"), (), ("fine",)], ["anne_long-utterance_one", "b_2", "é-1-2"]
    assert cut(text, "wi") == [words, ids]
    assert cut(text, "wip") == [words, ids, ["anne_long", "b", "é"]]
    assert cut("1.5 a (c)\n2 (d)", "twi") == [[1_500_000_000, 2 * 10**9], [("a",), ()], ["c", "d"]]


@pytest.mark.parametrize("made", [Cutter, cutter])
@pytest.mark.parametrize(
    "line",
    ["b", "b ()", "(b-1) c", "(a) (b-1)", "b(b-1)", "b (b-1", "b b-1)", "(b 1)", ")b-1(", "(b-1){"],
)
def test_what_ends_in_no_identifier(made: type[Cutter], line: str) -> None:
    for text in (line, f"{line}\na (a-1)", f"a (a-1)\n{line}", f"(a-1)(c-1)\n{line}"):
        assert made(";", "{").cut(text, "wip") is None
    for line in ("b (b1)", "b (-1)", "b (_b)"):
        assert made(";", "{").cut(line, "wi") is not None
        assert made(";", "{").cut(f"a (a-1)\n{line}", "wip") is None


def test_one_call_within_another_does_not_change_it() -> None:
    """Python's collector may run what is not ours while a text is cut."""
    cut = cutter(";").cut
    text = "\n".join(f"rec{line} a{line} b c" for line in range(300))
    expected = Cutter(";").cut(text, "sw")

    class Circle:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            cut("another text\nof other lines", "sw")

    before = gc.get_threshold()
    gc.set_threshold(1, 1, 1)
    try:
        for _ in range(50):
            for _ in range(20):
                Circle()
            assert cut(text, "sw") == expected
    finally:
        gc.set_threshold(*before)


def test_no_memory_is_told_as_such() -> None:
    memory = pytest.importorskip("_testcapi")
    cut = cutter(";").cut
    text = "\n".join(f"rec{line} {line}.5 a b c" for line in range(20))

    def without(allocation: int) -> None:
        memory.set_nomemory(allocation, allocation + 1)
        try:
            cut(text, "stw")
        finally:
            memory.remove_mem_hooks()

    for allocation in range(150):
        with suppress(MemoryError):
            without(allocation)


def test_half_a_character_is_no_trouble() -> None:
    assert cutter(";").cut("a \ud800", "ss") in (None, [["a"], ["\ud800"]])


@given(st.text("ab \t\v\f\n\ré\xa0\u2028\ud800", max_size=12))
def test_words_are_cut_at_blanks_of_ascii(text: str) -> None:
    expected = [word for word in re.split("[ \t\v\f]", text) if word]
    assert split_words(text) == expected
    with patch("formats.lines._split", None):
        assert split_words(text) == expected


def test_the_plain_cutter_is_there_for_those_who_ask(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SCORING_ALIGN", "plain")
    assert type(cutter("")) is Cutter
    monkeypatch.delenv("SCORING_ALIGN")
    monkeypatch.setattr(formats.native, "import_module", lambda name: name)
    assert type(cutter("")) is Cutter


def test_readers_share_what_remembers_texts() -> None:
    # each holds half a megabyte, and what failed goes only when its circles are found
    assert cutter(";", SIGNS) is cutter(";", SIGNS)
    assert cutter(";", SIGNS) is not cutter(";")
