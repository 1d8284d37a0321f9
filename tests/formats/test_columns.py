"""Records cut into columns by the compiled module; without it there are none."""

import gc
import io
import json
import re
from contextlib import suppress
from itertools import chain
from unittest.mock import patch

import pytest
from hypothesis import given
from hypothesis import strategies as st

import formats
from formats.reading.lines import cutter, split_words
from formats.schema import compiled
from formats.schema.times import parse_time
from tests.each_case import each_case

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
pytestmark = pytest.mark.skipif(
    cutter("")("a", "s") is None, reason="the compiled cutter is not there, or not wanted"
)


def columns_of(text: str, kinds: str) -> list[list[object]]:
    """The columns of a text that `cut` accepts, cut with the functions for single lines."""
    rows: list[list[object]] = []
    for line in text.split("\n"):
        fields: list[str] = split_words(line)
        row: list[object] = []
        for kind in kinds.partition("w")[0]:
            field = fields.pop(0)
            row.append(parse_time(field) if kind == "t" else field)
        if "i" in kinds:
            name = fields.pop()[1:-1]
            row += [tuple(fields), name]
        elif "w" in kinds:
            row.append(tuple(fields))
        if "p" in kinds:
            row.append(name.partition("-" if "-" in name else "_")[0])
        assert len(row) == len(kinds)
        rows.append(row)
    return [list(column) for column in zip(*rows, strict=True)]


@given(
    st.lists(TEXTS, max_size=3),
    st.sampled_from(["s", "st", "ts", "sw", "stw", "w", "stss", "wi", "wip", "stwi"]),
)
def test_columns_are_those_of_single_lines(texts: list[str], kinds: str) -> None:
    for text in texts:  # what it remembers of one does not change what it makes of another
        columns = cutter(";", SIGNS, MARKS)(text, kinds)
        if columns is None:
            continue
        assert columns == columns_of(text, kinds)
        assert not text.startswith(";")
        assert "\n;" not in text
        assert not any(sign in text for sign in SIGNS)
        if "w" in kinds:
            words = " ".join(chain.from_iterable(columns[kinds.index("w")])).upper()
            assert not any(mark in words for mark in MARKS)


def test_columns() -> None:
    cut = cutter(";", "{", ("IGNORE_THIS",))
    rec = "recording_with_a_long_name"
    text = f" {rec} 0.25\tanne Grüße\n{rec} 12.5 語\n{rec} 3.000000001 "
    words = [("anne", "Grüße"), ("語",), ()]
    assert cut(text, "stw") == [[rec] * 3, [250_000_000, 12_500_000_000, 3_000_000_001], words]
    assert cut("a b\nc d", "ss") == [["a", "c"], ["b", "d"]]


@each_case(
    "line",
    [
        *("", "  ", ";", "a", "a 1.5 {", "a -1 b", "a 1e3 b", "a 1,5", "a .5", "a 5.", "a\v 1.5"),
        *("a 0.1234567891", "a 1.5 xIgnore_This", "a 1.5 \u0131gnore_thi\u017f", "a\xa0b 1.5"),
        "a 1.5 b\u2028c",
    ],
)
def test_what_is_odd_is_left_to_a_closer_look(line: str) -> None:
    cut = cutter(";", "{", ("IGNORE_THIS",))
    assert cut("a 1.5 b", "stw") is not None
    assert cut(f"a 1.5 b\n{line}", "stw") is None
    assert cut(f"{line}\na 1.5 b", "stw") is None
    assert cut("a b c", "ss") is None


@given(
    st.lists(
        st.floats(0, 1).map(repr)
        | st.decimals(0, 2, places=3).map(str)
        | st.text("019.eE-+", min_size=1, max_size=20)
        | st.sampled_from(["1", "1.0", "0.1234567890123456789", "1e-400", "1e400", "NA", "-0.5"]),
        min_size=1,
        max_size=3,
    )
)
def test_confidences_are_the_numbers_of_json(texts: list[str]) -> None:
    columns = cutter("")("\n".join(texts), "c")
    expected = []
    for text in texts:
        with suppress(ValueError):
            expected.append(float(json.loads(text)))
    is_plain = (
        len(expected) == len(texts) and max(expected) <= 1 and "-" not in {t[0] for t in texts}
    )
    if columns is not None:
        assert is_plain
        assert columns == [expected]
    elif is_plain:  # no plain number of up to forty characters is left to a closer look
        assert not all(re.fullmatch(r"[0-9](\.[0-9]+)?([eE][-+]?[0-9]+)?", text) for text in texts)


def test_identifiers_at_the_end() -> None:
    cut = cutter(";", "{")
    text = "how are you (anne_long-utterance_one)\n(b_2)\nfine (é-1-2) "
    words, ids = [("how", "are", "you"), (), ("fine",)], ["anne_long-utterance_one", "b_2", "é-1-2"]
    assert cut(text, "wi") == [words, ids]
    assert cut(text, "wip") == [words, ids, ["anne_long", "b", "é"]]
    assert cut("1.5 a (c)\n2 (d)", "twi") == [[1_500_000_000, 2 * 10**9], [("a",), ()], ["c", "d"]]


@each_case(
    "line",
    ["b", "b ()", "(b-1) c", "(a) (b-1)", "b(b-1)", "b (b-1", "b b-1)", "(b 1)", ")b-1(", "(b-1){"],
)
def test_what_ends_in_no_identifier(line: str) -> None:
    for text in (line, f"{line}\na (a-1)", f"a (a-1)\n{line}", f"(a-1)(c-1)\n{line}"):
        assert cutter(";", "{")(text, "wip") is None
    for line in ("b (b1)", "b (-1)", "b (_b)"):
        assert cutter(";", "{")(line, "wi") is not None
        assert cutter(";", "{")(f"a (a-1)\n{line}", "wip") is None


def test_one_call_within_another_does_not_change_it() -> None:
    """Python's collector may run what is not ours while a text is cut."""
    cut = cutter(";")
    text = "\n".join(f"rec{line} a{line} b c" for line in range(300))
    expected = cutter(";")(text, "sw")

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
    cut = cutter(";")
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
    assert cutter(";")("a \ud800", "ss") in (None, [["a"], ["\ud800"]])


@given(st.text("ab \t\v\f\n\ré\xa0\u2028\ud800", max_size=12))
def test_words_are_cut_at_blanks_of_ascii(text: str) -> None:
    expected = [word for word in re.split("[ \t\v\f]", text) if word]
    assert split_words(text) == expected
    with patch("formats.schema._split", None):
        assert split_words(text) == expected


def test_plain_python_cuts_no_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("formats.reading.lines.compiled", lambda name: None)
    assert cutter("")("a b", "ss") is None
    monkeypatch.setenv("SCORING_ALIGN", "plain")
    assert compiled("Cutter") is None
    monkeypatch.delenv("SCORING_ALIGN")
    monkeypatch.setattr("formats.schema.module_named", lambda name: name)
    assert compiled("Cutter") is None


def test_readers_share_what_remembers_texts() -> None:
    # each holds half a megabyte, and what failed goes only when its circles are found
    first, again, other = (cutter(";", SIGNS), cutter(";", SIGNS), cutter(";"))
    assert first.__self__ is again.__self__  # type: ignore[attr-defined]
    assert first.__self__ is not other.__self__  # type: ignore[attr-defined]


MIXED = """the cat sat (ann_1)
 on  the\tmat (ann_2)
{ a / b } (so) @ x- (ben_1)
no speaker (x)
;; a comment

caf\u00e9 (ben_2)
the cat sat (ann_1)
"""


@pytest.mark.parametrize("name", ["trn", "txt-lines"])
def test_short_texts_are_read_as_long_ones(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def reading() -> tuple[list[object], list[str]]:
        transcript = formats.read(io.StringIO(MIXED), name)
        return list(transcript), list(map(str, transcript.diagnostics))

    short = reading()
    assert len(short[0]) >= 5
    assert short[1] or name == "txt-lines"
    monkeypatch.setattr("formats.io.source.LONGEST_SHORT", 0)
    assert reading() == short
