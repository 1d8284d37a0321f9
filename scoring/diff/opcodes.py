"""Stretches in which two sequences are equal or differ, and how many items differ."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from scoring.model import Alignment, Edit

EQUAL, REPLACE, INSERT, DELETE = "equal", "replace", "insert", "delete"
TAGS = (EQUAL, REPLACE, INSERT, DELETE)


class Opcode(NamedTuple):
    """One stretch, as `difflib` describes them.

    Attributes
    ----------
    tag
        `equal`, `replace`, `insert` or `delete`.
    reference_begin, reference_end, hypothesis_begin, hypothesis_end
        Positions, the ends not included.
    """

    tag: str
    reference_begin: int
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
    """The items of stretches, by kind.

    A stretch that replaces p items by q is counted as the smaller number of replacements, and the
    difference of the two as insertions or deletions.

    Examples
    --------
    >>> count_opcodes([("equal", 0, 2, 0, 2), ("replace", 2, 5, 2, 3)])
    OpcodeCounts(equal=2, replace=1, insert=0, delete=2)
    """
    found = dict.fromkeys(TAGS, 0)
    for tag, reference_begin, reference_end, hypothesis_begin, hypothesis_end in opcodes:
        old, new = reference_end - reference_begin, hypothesis_end - hypothesis_begin
        if tag == REPLACE:
            found[REPLACE] += min(old, new)
            found[DELETE] += max(old - new, 0)
            found[INSERT] += max(new - old, 0)
        elif tag in found:
            found[tag] += new if tag == INSERT else old
        else:
            raise ValueError(f"opcode: expected one of {', '.join(TAGS)}, found {tag!r}")
    return OpcodeCounts(**found)


_TAG_OF = {
    Edit.CORRECT: EQUAL,
    Edit.SUBSTITUTION: REPLACE,
    Edit.DELETION: DELETE,
    Edit.INSERTION: INSERT,
    Edit.SKIPPED_REFERENCE: DELETE,
    Edit.SKIPPED_HYPOTHESIS: INSERT,
    Edit.MERGED: REPLACE,
    Edit.SPLIT: REPLACE,
}


def opcodes_of(alignment: Alignment) -> list[Opcode]:
    """The stretches of an alignment; errors that touch are one stretch.

    Examples
    --------
    >>> from scoring.alignment.sequences import align
    >>> [opcode.tag for opcode in opcodes_of(align("a b c d".split(), "a x c".split()))]
    ['equal', 'replace', 'equal', 'delete']
    """
    found: list[Opcode] = []
    reference = hypothesis = 0
    for pair in alignment:
        tag = _TAG_OF[pair.edit]
        ends = (
            reference + (pair.reference is not None),
            hypothesis + (pair.hypothesis is not None),
        )
        if found and (found[-1].tag == EQUAL) == (tag == EQUAL):
            last = found.pop()
            tag = tag if tag == last.tag else REPLACE
            begins = (last.reference_begin, last.hypothesis_begin)
        else:
            begins = (reference, hypothesis)
        reference, hypothesis = ends
        found.append(Opcode(tag, begins[0], reference, begins[1], hypothesis))
    return found
