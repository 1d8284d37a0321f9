"""The compiled readers and their plain twins agree on every input."""

import math
import struct
from array import array
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.alignment import load_core
from scoring.nist.transcripts import plain
from scoring.nist.transcripts.input_files import characters_of

native: Any = load_core()
pytestmark = pytest.mark.skipif(native is None, reason="the native core is not built")

PIECES = [
    b"a", b"bc", b"(", b")", b"(s-1)", b"{", b"}", b" ", b"\t", b"\n", b"\r", b"\v", b"\f", b"\0",
    b";", b";;", b"*", b"**", b"@", b"\xa0", b"\x85", b"<ALT>", b"NA", b"1.5", b"&&2", b"-3e2",
    b"0x1p3", b"nan", b"inf", b"f 1 0.1 0.2 w 0.5\n", b"f 1 0.1 0.2 w\n", b"g 2 1 1 x NA lex spk\n",
]  # fmt: skip
texts = st.lists(st.sampled_from(PIECES), max_size=40).map(b"".join)


@given(texts)
def test_trn(data: bytes) -> None:
    assert native.scan_trn(data) == plain.scan_trn(data)


@given(texts)
def test_words(data: bytes) -> None:
    begins, ends, *_ = plain.scan_trn(data)
    ours, theirs = native.TokenTable(), plain.TokenTable()
    for _ in range(2):
        assert ours.tokenize(data, data, begins, ends) == theirs.tokenize(data, data, begins, ends)
    assert ours.texts() == theirs.texts()
    assert len(ours) == len(theirs)


@given(texts, st.sampled_from(["gb", "utf-8"]))
def test_words_and_fields_of_long_characters(data: bytes, encoding: str) -> None:
    data = data.replace(b"a", b"\xc3")
    shape = characters_of(encoding).shape(data)
    begins, ends, *_ = plain.scan_trn(data)
    ours, theirs = native.TokenTable(), plain.TokenTable()
    assert ours.tokenize(data, shape, begins, ends) == theirs.tokenize(data, shape, begins, ends)
    assert native.scan_ctm(data, shape, ours)[3:] == plain.scan_ctm(data, shape, theirs)[3:]
    assert ours.texts() == theirs.texts()


@pytest.mark.parametrize("module", [native, plain])
def test_the_shape_tells_where_words_end(module: Any) -> None:
    table = module.TokenTable()
    data, shape = b"\xc3 b c", b"\xff\xffb c"
    table.tokenize(data, shape, array("q", [0]).tobytes(), array("q", [len(data)]).tobytes())
    assert table.texts() == [b"\xc3 b", b"c"]
    with pytest.raises(ValueError, match="differ in length"):
        table.tokenize(data, b"", b"", b"")
    with pytest.raises(ValueError, match="differ in length"):
        module.scan_ctm(data, b"", table)


@given(texts)
def test_ctm(data: bytes) -> None:
    ours, theirs = native.TokenTable(), plain.TokenTable()
    fast, slow = native.scan_ctm(data, data, ours), plain.scan_ctm(data, data, theirs)
    for left, right in zip(fast[:3], slow[:3], strict=True):
        assert array("d", left).tolist() == pytest.approx(
            array("d", right).tolist(), abs=0, rel=0, nan_ok=True
        )
    assert fast[3:] == slow[3:]
    assert ours.texts() == theirs.texts()


@given(
    st.one_of(
        st.floats(0, 1e9).map(lambda value: f"{value:.3f}".encode()),
        st.floats(allow_nan=False).map(lambda value: repr(value).encode()),
        st.text("0123456789.eE+-xXaAfFinp &", max_size=12).map(str.encode),
        st.integers(0, 10**25).map(lambda value: b"%d.%d" % (value, value)),
    )
)
def test_numbers(field: bytes) -> None:
    fast, slow = native.number(field), plain.number(field)
    assert struct.pack("d", fast) == struct.pack("d", slow) or (
        math.isnan(fast) and math.isnan(slow)
    )


@pytest.mark.parametrize("twin", [native, plain], ids=["native", "plain"])
def test_spans_are_checked(twin: object) -> None:
    table = twin.TokenTable()  # type: ignore[attr-defined]
    for begin, end in ((-1, 1), (2, 1), (0, 4)):
        with pytest.raises(ValueError, match="a span lies outside the data"):
            table.tokenize(
                b"abc", b"abc", array("q", [begin]).tobytes(), array("q", [end]).tobytes()
            )
    with pytest.raises(ValueError, match="begins and ends differ in length"):
        table.tokenize(b"abc", b"abc", array("q", [0]).tobytes(), b"")


@pytest.mark.parametrize("twin", [native, plain], ids=["native", "plain"])
def test_many_words_keep_their_numbers(twin: object) -> None:
    table = twin.TokenTable()  # type: ignore[attr-defined]
    words = [b"w%d" % number for number in range(20_000)]
    assert [table.intern(word) for word in words] == list(range(20_000))
    assert [table.intern(word) for word in words] == list(range(20_000))
    assert table.texts(19_998) == words[19_998:]
