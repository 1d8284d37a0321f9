"""The compiled reader of Arrow's columns and its twin: the same texts, the same refusals."""

from __future__ import annotations

import gc
import pickle
import random
import sys
from array import array
from itertools import accumulate, pairwise
from types import ModuleType
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formats.schema import words_of_text
from scoring.alignment import load_core, plain, plain_arrow, texts
from scoring.alignment.frames import buffers_of
from scoring.alignment.texts import ColumnWords, column_of, folds
from scoring.model.special_errors import RowError
from scoring.text.units import split_in_units
from tests.each_case import each_case

pa: Any = pytest.importorskip("pyarrow")
NATIVE = load_core()
TWINS = {"plain": plain_arrow} if NATIVE is None else {"plain": plain_arrow, "native": NATIVE}
# The plain core leaves lines to the formats' readers.
needs_native = pytest.mark.skipif(NATIVE is None, reason="the native core is not built")
LINES = st.lists(st.none() | st.text("ab  cÄß\n日[]<>!SIL😀", max_size=14), max_size=6)
KINDS = [pa.string(), pa.large_string(), pa.string_view()]
KINDS += [pa.dictionary(pa.int8(), pa.string()), pa.dictionary(pa.uint32(), pa.large_string())]


@pytest.fixture(params=TWINS, scope="module")
def arrow(request: pytest.FixtureRequest) -> ModuleType:
    return TWINS[request.param]


def open_stream(arrow: ModuleType, source: Any) -> Any:
    if arrow is plain_arrow:
        return arrow.Stream(source)
    if hasattr(source, "__arrow_c_stream__"):
        return arrow.Stream(source.__arrow_c_stream__())
    return arrow.Stream(*source.__arrow_c_array__())


def texts_of(arrow: ModuleType, column: Any) -> Any:
    stream = open_stream(arrow, column)
    texts = arrow.Texts()
    texts.add(stream, stream.next(), 0)
    assert stream.next() is None
    return texts


def chunks_of(arrow: ModuleType, table: Any, column: int = 0) -> Any:
    stream, texts = open_stream(arrow, table), arrow.Texts()
    while (batch := stream.next()) is not None:
        texts.add(stream, batch, column)
    return texts


@given(lines=LINES, kind=st.sampled_from(KINDS), cut=st.integers(0, 3))
def test_columns_of_any_layout(
    arrow: ModuleType, lines: list[str | None], kind: Any, cut: int
) -> None:
    column = pa.array(["before", *lines, "a long text after the others"], pa.string()).cast(kind)
    texts = texts_of(arrow, column.slice(1, len(lines)))
    assert texts.texts(0, len(texts)) == lines
    assert list(array("q", texts.nulls())) == [
        row for row, text in enumerate(lines) if text is None
    ]
    table = pa.table({"n": range(len(column)), "text": column}).slice(1, len(lines))
    texts = chunks_of(arrow, pa.concat_tables([table.slice(0, cut), table.slice(cut)]), 1)
    assert texts.texts(0, len(texts)) == lines
    for steps in (range(0, len(lines), 2), range(len(lines) - 1, -2, -1), range(7, 7)):
        some = texts.chosen(steps)
        assert some.texts(0, len(some)) == [None if row < 0 else lines[row] for row in steps]
    for beyond in (range(len(lines) + 1), range(-2, 0), range(0, -3, -2)):
        with pytest.raises(ValueError, match="rows"):
            texts.chosen(beyond)


@given(
    lines=st.lists(st.tuples(*[st.text("ab  AcÄäßſS\n日[]<>!IL", max_size=14)] * 2), max_size=6),
    unit=st.integers(0, 1),
    folded=st.booleans(),
    costs=st.sampled_from([(4, 3, 3), (1, 1, 1), (3, 2, 5)]),
    ties=st.integers(0, 3),
    threads=st.integers(0, 3),
)
def test_alignment_is_that_of_tokens(
    arrow: ModuleType,
    lines: list[tuple[str, str]],
    unit: int,
    folded: bool,
    costs: tuple[int, int, int],
    ties: int,
    threads: int,
) -> None:
    sides = [[pair[at] for pair in lines] for at in (0, 1)]
    tokens = [
        [split_in_units(words_of_text(text), ("word", "char")[unit]) for text in side]
        for side in sides
    ]
    if folded:
        tokens = [[tuple(map(str.casefold, words)) for words in side] for side in tokens]
    prices = (*costs, ties, threads)
    expected = plain.align_token_pairs(tokens[0], tokens[1], *prices)
    left, right = (texts_of(arrow, pa.array(side, pa.string())) for side in sides)
    table = folds() if folded else None
    assert arrow.align_columns(left, right, unit, table, *prices) == expected
    assert arrow.count_columns(left, right, unit, table, *prices) == expected[2]


def test_many_rows_in_threads(arrow: ModuleType) -> None:
    count = 20_000 if arrow is NATIVE else 300
    references = [f"a b{at % 7} c d{at % 3}" for at in range(count)]
    hypotheses = [f"a b{at % 5} c d{at % 4}" for at in range(count)]
    expected = plain.align_token_pairs(
        list(map(str.split, references)), list(map(str.split, hypotheses)), 4, 3, 3, 0, 1
    )
    left, right = (texts_of(arrow, pa.array(side)) for side in (references, hypotheses))
    for threads in (0, 1, 4):
        assert arrow.align_columns(left, right, 0, None, 4, 3, 3, 0, threads) == expected


def strings(offsets: list[int], data: bytes = b"abcdef", kind: Any = None) -> Any:
    """Texts whose offsets are changed behind the back of pyarrow, which would refuse them."""
    kind = kind or pa.string()
    places = array("i" if kind == pa.string() else "q", offsets).tobytes()
    memory = bytearray(len(places))
    buffers = [None, pa.py_buffer(memory), pa.py_buffer(data)]
    made = pa.Array.from_buffers(kind, len(offsets) - 1, buffers)
    memory[:] = places
    return made


def views(*rows: tuple[int, int, int]) -> Any:
    cells = b"".join(array("i", [size, 0, block, offset]).tobytes() for size, block, offset in rows)
    memory = bytearray(len(cells))
    buffers = [None, pa.py_buffer(memory), pa.py_buffer(b"x" * 40)]
    made = pa.Array.from_buffers(pa.string_view(), len(rows), buffers)
    memory[:] = cells
    return made


def entries(indices: list[int]) -> Any:
    kind = pa.array(indices, pa.int8())
    return pa.DictionaryArray.from_arrays(kind, pa.array(["a", "b"]), safe=False)


HOSTILE = {
    "row 2: expected an offset of 3 or more, found 1": strings([0, 3, 1]),
    "row 1: expected an offset of 0 or more, found -4": strings([-4, 3]),
    "row 1: expected an offset of 5 or more, found 2": strings([5, 2], kind=pa.large_string()),
    "row 2: expected UTF-8, found the byte 0xFF at position 2": strings([0, 1, 3], b"ab\xff"),
    "row 1: expected UTF-8, found the byte 0xC3 at position 1": strings([0, 1, 2], "é".encode()),
    "row 1: expected UTF-8, found the byte 0xED at position 1": strings([0, 3], b"\xed\xa0\x80"),
    "row 1: expected UTF-8, found the byte 0xF4 at position 1": strings(
        [0, 4], b"\xf4\x90\x80\x80"
    ),
    "row 1: expected UTF-8, found the byte 0xC0 at position 1": strings([0, 2], b"\xc0\xaf"),
    "row 1: expected a length of 0 or more, found -3": views((-3, 0, 0)),
    "row 2: expected one of 1 blocks, found number 1": views((20, 0, 0), (20, 1, 0)),
    "row 1: expected one of 1 blocks, found number -1": views((20, -1, 0)),
    "row 1: expected a text within a block of 40 bytes, found bytes 30 to 50": views((20, 0, 30)),
    "row 1: expected a text within a block of 40 bytes, found bytes -2 to 18": views((20, 0, -2)),
    "row 2: expected one of 2 entries, found number 2": entries([1, 2]),
    "row 1: expected one of 2 entries, found number -1": entries([-1]),
}


@each_case("problem", HOSTILE)
def test_hostile_columns(problem: str) -> None:
    has_row = "UTF-8" in problem
    with pytest.raises(
        ValueError, match=problem.partition("found")[0] if has_row else "."
    ) as caught:
        texts_of(plain_arrow, HOSTILE[problem])
    if has_row:
        assert isinstance(caught.value, RowError)
        assert caught.value.row == int(problem[len("row ")])
    if NATIVE is not None:
        with pytest.raises(ValueError, match="expected") as caught:
            texts_of(NATIVE, HOSTILE[problem])
        assert str(caught.value) == problem
        assert isinstance(caught.value, RowError)
        assert f"row {caught.value.row}: {caught.value.problem}" == problem
        assert str(pickle.loads(pickle.dumps(caught.value))) == problem


def test_a_dictionary_counts_no_rows() -> None:
    words = pa.DictionaryArray.from_arrays(pa.array([0], pa.int8()), strings([0, 1], b"\xff"))
    if NATIVE is not None:
        with pytest.raises(ValueError, match=r"^dictionary: row 1: expected UTF-8") as caught:
            texts_of(NATIVE, words)
        assert not isinstance(caught.value, RowError)


def test_other_columns(arrow: ModuleType) -> None:
    for column, kind in (
        (pa.array([1, 2]), "numbers (int64)"),
        (pa.array([[1.5]]), "lists or other nested values"),
        (pa.array([b"a"]), "bytes"),
        (pa.array([1, 1]).dictionary_encode(), "a dictionary of numbers (int64)"),
        (pa.array([True]), "truth values"),
        (pa.array([1], pa.decimal128(4, 1)), "numbers (decimal)"),
        (pa.array([1], pa.timestamp("s")), "times"),
    ):
        stream = open_stream(arrow, column)
        assert stream.kinds() == [(False, kind)]
        batch = stream.next()
        with pytest.raises(ValueError, match="expected texts, found"):
            arrow.Texts().add(stream, batch, 0)
    assert texts_of(arrow, pa.nulls(2)).texts(0, 2) == [None, None]
    texts = texts_of(arrow, pa.array(["a"]))
    for rows in ([1], [-2]):
        with pytest.raises(ValueError, match="rows: expected -1 to 0, found"):
            texts.chosen(array("q", rows))
    with pytest.raises(ValueError, match="expected as many hypotheses as references"):
        arrow.count_columns(texts, arrow.Texts(), 0, None, 4, 3, 3, 0, 1)


def test_plain_columns_need_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    class Column:
        def __arrow_c_stream__(self, requested_schema: object = None) -> object:
            raise AssertionError("nobody asks")

    monkeypatch.setattr(texts, "Stream", plain_arrow.Stream)
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ImportError, match="reading columns of tests needs pyarrow here"):
        texts.stream_from(Column())


@needs_native
def test_capsules_are_taken_once() -> None:
    arrow: Any = NATIVE
    for odd in (None, "a", 5):
        with pytest.raises(TypeError, match="column: expected a capsule of Arrow"):
            arrow.Stream(odd)
    capsule = pa.table({"a": ["b"]}).__arrow_c_stream__()
    arrow.Stream(capsule)
    with pytest.raises(ValueError, match="taken already"):
        arrow.Stream(capsule)


def test_a_stream_that_breaks_off(arrow: ModuleType) -> None:
    def batches() -> Any:
        yield pa.record_batch({"a": ["b"]})
        raise OSError("the disk is gone")

    reader = pa.RecordBatchReader.from_batches(pa.schema([("a", pa.string())]), batches())
    stream = open_stream(arrow, reader)
    assert len(stream.next()) == 1
    with pytest.raises(ValueError, match="the disk is gone"):
        stream.next()


class Handed:
    def __init__(self, arrow: ModuleType, fields: Any, batches: Any) -> None:
        self.capsule = arrow.stream_of(fields, batches)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self.capsule


def test_columns_are_handed_on(arrow: ModuleType) -> None:
    table = pa.table(
        {
            "list": [[1, 2], None, [3], []],
            "kind": pa.array(["x", "y", None, "x"]).dictionary_encode(),
            "deep": [{"a": 1, "b": "c"}, None, {"a": None, "b": ""}, {"a": 2, "b": "d"}],
            "text": ["a", None, "c", "d"],
        }
    ).slice(1)
    stream = open_stream(arrow, table)

    def batches() -> Any:
        while (batch := stream.next()) is not None:
            letters = buffers_of(["p", None, "q"])[1]
            numbers = (b"\x05", array("i", [7, 8, 9]))
            yield len(batch), [(batch, 0), numbers, (batch, 1), letters, (batch, 2)]

    fields = [(stream, 0), ("number", "i"), (stream, 1), ("letter", "U"), (stream, 2)]
    made = pa.table(Handed(arrow, fields, batches()))
    gc.collect()
    made.validate(full=True)
    for name in ("list", "kind", "deep"):
        assert made[name].to_pylist() == table[name].to_pylist()
        assert made[name].type == table[name].type
    assert made["number"].to_pylist() == [7, None, 9]
    assert made["letter"].to_pylist() == ["p", None, "q"]


def test_what_is_handed_out_is_checked(arrow: ModuleType) -> None:
    def failing() -> Any:
        yield 1, [(None, array("i", [1]))]
        raise RuntimeError("nothing more")

    for batches, problem in (
        (failing(), "nothing more"),
        (iter([(1, [])]), "expected 1 columns, found 0"),
        (iter([(2, [(None, array("i", [1]))])]), r"expected a.* 8 byte.* 4"),
        (iter([(1, [(None,)])]), "expected 2 buffers, found 1|expected number of buffers"),
    ):
        with pytest.raises(Exception, match=problem):
            pa.table(Handed(arrow, [("a", "i")], batches))
    Handed(arrow, [("a", "i")], iter([]))  # nobody takes it
    assert pa.table(Handed(arrow, [("a", "i")], iter([]))).num_rows == 0


@given(lines=LINES, steps=st.lists(st.integers(0, 3), max_size=4), draw=st.randoms())
def test_rows_of_rows(
    arrow: ModuleType, lines: list[str | None], steps: list[int], draw: random.Random
) -> None:
    texts = texts_of(arrow, pa.array(lines, pa.string()))
    for step in steps:
        rows: range | array[int] = range(draw.randrange(2), len(lines), step or 1)
        if not step:
            rows = array("q", draw.choices(range(-1, len(lines)), k=3))
        elif draw.random() < 0.5:
            rows = rows[::-1]
        texts = texts.chosen(rows)
        lines = [None if row < 0 else lines[row] for row in rows]
        assert texts.texts(0, len(texts)) == lines
    with pytest.raises(ValueError, match="rows: expected"):
        texts.chosen(range(len(lines) + 1))


@given(lines=LINES)
def test_rows_with_other_words(arrow: ModuleType, lines: list[str | None]) -> None:
    asked: list[str] = []

    def other(word: str) -> str:
        asked.append(word)
        return {"a": "", "b": "two words", "ab": "ä"}.get(word, word.upper())

    texts = texts_of(arrow, pa.array(lines, pa.string()))
    words = [words_of_text(line or "") for line in lines]
    assert list(array("q", texts.wordless())) == [row for row, one in enumerate(words) if not one]
    rewriting, begin = arrow.Rewriting(other), 0
    rewritten: list[str] = []
    is_other = False
    while begin < len(lines):
        data, ends, is_other_now = rewriting.rows(texts, begin)
        is_other = is_other or is_other_now
        places = array("i", ends)
        rewritten += [data[a:b].decode() for a, b in pairwise(places)]
        begin += len(places) - 1
    assert len(asked) == len(set(asked))
    assert is_other == any(other(word) != word for one in words for word in one)
    assert rewritten == [" ".join(filter(None, map(other, one))) for one in words]
    del texts  # the words of another column, after the first one is gone, are not asked for again
    before = len(asked)
    others = texts_of(arrow, pa.array(lines[::-1], pa.string()))
    if lines:
        data, ends, _ = rewriting.rows(others, 0)
        places = array("i", ends)
        again = [data[a:b].decode() for a, b in pairwise(places)]
        assert len(asked) == before
        assert again == rewritten[::-1][: len(again)]


def test_many_rows_with_other_words(arrow: ModuleType) -> None:
    rows = ["a\tword " + "long " * (row % 7) for row in range(10_000)]
    texts = texts_of(arrow, pa.array(rows))
    rewriting, begin, rewritten = arrow.Rewriting(lambda word: word * 2_000), 0, 0
    while begin < len(rows):
        _, ends, _ = rewriting.rows(texts, begin)
        rewritten += 1
        begin += len(ends) // 4 - 1
    assert begin == len(rows)
    assert rewritten > 2
    with pytest.raises(ZeroDivisionError):
        arrow.Rewriting(lambda word: str(1 // 0)).rows(texts, 0)


def test_words_of_a_column_are_replaced_and_found() -> None:
    rows = ["a b", "", "c  d\te", "b"]
    ends = array("i", accumulate(map(len, rows), initial=0)).tobytes()
    column = ColumnWords(column_of("".join(rows).encode(), ends))
    assert list(column) == [("a", "b"), (), ("c", "d", "e"), ("b",)]
    assert column.vocabulary() == {"a", "b", "c", "d", "e"}
    assert column.rows_with({"b"}) == [0, 3]
    assert column.rows_with({"e"}) == [2]
    changed = column.with_words([1, 2], [("ü", "b"), ()])
    assert changed is not None
    assert list(changed) == [("a", "b"), ("ü", "b"), (), ("b",)]
    assert changed.vocabulary() == {"a", "b", "ü"}
    # no text is cut into these
    for words in [("a b",), ("",), ("a", "")]:
        assert column.with_words([0], [words]) is None
