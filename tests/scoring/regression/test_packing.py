"""Recorded alignments in columns: the same document as without, and damage is found."""

import json

import pytest

import scoring
from scoring.regression.packing import (
    APART,
    ERRORS,
    Packed,
    pack_alignments,
    unpack_alignments,
)
from scoring.results.record import document_lines, summary
from tests.each_case import each_case

COLUMNAR = {
    "one": scoring.wer(["a b c d"] * 9, ["a x y d"] * 8 + ["a b c d e"]),
    "none": scoring.wer([], []),
    "empty": scoring.wer(["a", "", "b"], ["", "x", ""]),
    "case": scoring.wer("Hello b", "hello B c", ignore_case=True),
    "characters": scoring.cer("abc d", "abx"),
    "bytes": scoring.wer("a \udc80 b", "a \udc80 c"),
    "many words": scoring.wer(" ".join(map(str, range(70_000))), "0 2"),
    "phrases": scoring.wer(["the same words again and again"] * 99, ["the same words"] * 99),
}
WITH_MORE = {
    "measures": scoring.wer("a b", "a c", measures=["repetition"]),
}


def unpacked(packed: Packed, own: bytes | None = None) -> bytes:
    parts = {packed.digest: packed.common()}
    return unpack_alignments(packed.of_run if own is None else own, parts.__getitem__)


@each_case("name", [*COLUMNAR, *WITH_MORE])
def test_the_document_is_the_same(name: str) -> None:
    rates = (COLUMNAR | WITH_MORE)[name]
    packed = pack_alignments(rates, summary(rates))
    assert packed.of_run.startswith(APART) == (name in COLUMNAR)
    [ours, expected] = map(json.loads, (unpacked(packed), b"".join(document_lines([rates]))))
    assert ours == expected
    assert list(ours["systems"][0]) == list(expected["systems"][0])


def test_runs_of_one_reference_have_a_part_in_common() -> None:
    references = ["a b", "c"]
    digests = [
        pack_alignments(rates, summary(rates)).digest
        for rates in (
            scoring.wer(references, ["a x", "c"]),
            scoring.wer(references, ["a b", ""]),
            scoring.wer(["a", "b c"], ["a x", "c"]),
            scoring.wer({"x": "a b", "y": "c"}, {"x": "a b", "y": "c"}),
        )
    ]
    # where utterances begin is a part of the edits
    assert digests[0] == digests[1] == digests[2] != digests[3]


def test_damage_is_found() -> None:
    rates = COLUMNAR["one"]
    packed = pack_alignments(rates, summary(rates))
    text, common = unpacked(packed), packed.common()
    for place in range(0, len(packed.of_run), 7):
        damaged = (
            packed.of_run[:place] + bytes([packed.of_run[place] ^ 4]) + packed.of_run[place + 1 :]
        )
        try:
            assert unpacked(packed, damaged) == text
        except ERRORS:
            continue
    for place in range(0, len(common), 7):
        other = common[:place] + bytes([common[place] ^ 4]) + common[place + 1 :]
        try:
            assert unpack_alignments(packed.of_run, {packed.digest: other}.__getitem__) == text
        except ERRORS:
            continue
    for size in range(0, len(packed.of_run), 11):
        with pytest.raises(ERRORS):
            unpacked(packed, packed.of_run[:size])
