"""Ranges in which two sequences are equal or differ, and the number of differing items."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from scoring.model.counts import NO_HYPOTHESIS, NO_REFERENCE, Alignment, Edit

EQUAL, REPLACE, INSERT, DELETE = "equal", "replace", "insert", "delete"
TAGS = (EQUAL, REPLACE, INSERT, DELETE)


class Opcode(NamedTuple):
    """One operation on a range of items, as in `difflib`: keep, replace, insert or delete."""

    tag: str  # `equal`, `replace`, `insert` or `delete`
    reference_begin: int  # positions, the ends not included
    reference_end: int
    hypothesis_begin: int
    hypothesis_end: int


class OpcodeCounts(NamedTuple):
    """How many items are equal, replaced, inserted and deleted."""

    equal: int
    replace: int
    insert: int
    delete: int


def count_opcodes(opcodes: Iterable[tuple[str, int, int, int, int]]) -> OpcodeCounts:
    """Return how many items are equal, replaced, inserted and deleted.

    A range that replaces p items by q items counts as min(p, q) replacements; the remaining items
    count as insertions or deletions.

    >>> count_opcodes([("equal", 0, 2, 0, 2), ("replace", 2, 5, 2, 3)])
    OpcodeCounts(equal=2, replace=1, insert=0, delete=2)
    """
    numbers = dict.fromkeys(TAGS, 0)
    for tag, reference_begin, reference_end, hypothesis_begin, hypothesis_end in opcodes:
        old, new = reference_end - reference_begin, hypothesis_end - hypothesis_begin
        if tag == REPLACE:
            numbers[REPLACE] += min(old, new)
            numbers[DELETE] += max(old - new, 0)
            numbers[INSERT] += max(new - old, 0)
        elif tag in numbers:
            numbers[tag] += new if tag == INSERT else old
        else:
            raise ValueError(f"opcode: expected one of {', '.join(TAGS)}, found {tag!r}")
    return OpcodeCounts(**numbers)


def opcodes_of(alignment: Alignment) -> list[Opcode]:
    """Return the ranges of an alignment; adjacent errors form one range.

    Omitted optional words are deleted or inserted, although they are not errors.

    >>> from scoring.alignment.sequences import align
    >>> [opcode.tag for opcode in opcodes_of(align("a b c d".split(), "a x c".split()))]
    ['equal', 'replace', 'equal', 'delete']
    """
    opcodes: list[Opcode] = []
    reference = hypothesis = 0
    for equal, run in groupby(alignment.edits, Edit.CORRECT.__eq__):
        codes = bytes(run)
        old = len(codes) - sum(map(codes.count, NO_REFERENCE))
        new = len(codes) - sum(map(codes.count, NO_HYPOTHESIS))
        tag = EQUAL if equal else REPLACE if old and new else DELETE if old else INSERT
        begins = reference, hypothesis
        reference, hypothesis = reference + old, hypothesis + new
        opcodes.append(Opcode(tag, begins[0], reference, begins[1], hypothesis))
    return opcodes
