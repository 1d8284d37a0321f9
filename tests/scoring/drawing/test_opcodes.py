"""Stretches of the matcher and of alignments, and how many items of them differ."""

import pytest

from scoring.drawing.opcodes import Opcode, OpcodeCounts, count_opcodes, opcodes_of
from scoring.model.counts import Alignment
from scoring.peers.benchmarkstt.diff import RatcliffObershelp
from tests.each_case import each_case
from tests.tables import table_of


def stretches(reference: list[str], hypothesis: list[str]) -> list[Opcode]:
    return RatcliffObershelp(reference, hypothesis).get_opcodes()


def test_frequent_words_are_anchors_too() -> None:
    # the library's own habit of leaving frequent items out of long sequences would lose these
    a, b = ["the"] * 300, ["the"] * 299 + ["end"]
    assert count_opcodes(stretches(a, b)) == OpcodeCounts(299, 1, 0, 0)


@each_case(("reference", "hypothesis", "counts"), table_of(__file__, "counts"))
def test_counts(reference: str, hypothesis: str, counts: tuple[int, int, int, int]) -> None:
    assert count_opcodes(stretches(reference.split(), hypothesis.split())) == counts


def test_an_unknown_tag_is_refused() -> None:
    with pytest.raises(ValueError, match="expected one of equal, replace, insert, delete"):
        count_opcodes([("moved", 0, 1, 0, 1)])


def test_stretches_of_an_alignment() -> None:
    alignment = Alignment(bytes([0, 1, 2, 0, 3]), "abcd", "axdy", 0)
    assert opcodes_of(alignment) == [
        Opcode("equal", 0, 1, 0, 1),
        Opcode("replace", 1, 3, 1, 2),
        Opcode("equal", 3, 4, 2, 3),
        Opcode("insert", 4, 4, 3, 4),
    ]
