"""Recorded alignments in columns: the same document as without, and damage is found."""

import json
import zlib

import pytest

import scoring
from scoring.regression.packing import COLUMNS, ERRORS, pack_alignments, unpack_alignments
from scoring.results.record import document_lines, summary

COLUMNAR = {
    "one": scoring.wer(["a b c d"] * 9, ["a x y d"] * 8 + ["a b c d e"]),
    "none": scoring.wer([], []),
    "empty": scoring.wer(["a", "", "b"], ["", "x", ""]),
    "case": scoring.wer("Hello b", "hello B c", ignore_case=True),
    "characters": scoring.cer("abc d", "abx"),
    "bytes": scoring.wer("a \udc80 b", "a \udc80 c"),
}
WITH_MORE = {
    "measures": scoring.wer("a b", "a c", measures=["repetition"]),
}


@pytest.mark.parametrize("name", [*COLUMNAR, *WITH_MORE])
def test_the_document_is_the_same(name: str) -> None:
    rates = (COLUMNAR | WITH_MORE)[name]
    packed = pack_alignments(rates, summary(rates))
    assert packed.startswith(COLUMNS) == (name in COLUMNAR)
    [ours, expected] = map(
        json.loads, (unpack_alignments(packed), b"".join(document_lines([rates])))
    )
    assert ours == expected
    assert list(ours["systems"][0]) == list(expected["systems"][0])


def test_former_layouts_are_read() -> None:
    text = b"".join(document_lines([COLUMNAR["one"]]))
    assert unpack_alignments(zlib.compress(text)) == text


def test_damage_is_found() -> None:
    rates = COLUMNAR["one"]
    packed = pack_alignments(rates, summary(rates))
    text = unpack_alignments(packed)
    for place in range(0, len(packed), 7):
        damaged = packed[:place] + bytes([packed[place] ^ 4]) + packed[place + 1 :]
        try:
            assert unpack_alignments(damaged) == text
        except ERRORS:
            continue
    for size in range(0, len(packed), 11):
        with pytest.raises(ERRORS):
            unpack_alignments(packed[:size])
