"""Compounds: several words on one side and one word on the other that match at no cost."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from scoring.alignment.kernel import align_compounds
from scoring.alignment.results import Alignments, taken
from scoring.alignment.texts import ColumnWords, folds, rows_of_compounds
from scoring.model.counts import (
    BLANK,
    MIXED,
    UNIT_COSTS,
    Alignment,
    Edit,
    characters_and_blanks,
)

if TYPE_CHECKING:
    from formats.schema.words import Words

_JOINED = bytes([Edit.JOINED_REFERENCE]), bytes([Edit.JOINED_HYPOTHESIS])
_SINGLE = {(0, 1): bytes([Edit.INSERTION]), (1, 0): bytes([Edit.DELETION])}
_PAIRS = bytes([Edit.SUBSTITUTION]), bytes([Edit.CORRECT])


CORE_COMPOUNDS = {"": 0, "regions": 0, "words": 1, "any": 2}
"""Code of each kind of compound in the aligners; `regions` has none: it joins after aligning."""


def has_compounds(compounds: str, unit: str) -> bool:
    """Return True if an option merges compounds, and blanks separate the words of the unit."""
    return bool(compounds) and (unit == "word" or unit.startswith(MIXED))


def core_compounds(compounds: str, unit: str) -> int:
    """Return the aligners' number for an option of compounds; 0 if compounds are not merged."""
    return CORE_COMPOUNDS[compounds] if has_compounds(compounds, unit) else 0


def merge_compounds(plain: Alignments, compounds: str, ignore_case: bool) -> Alignments:
    """Return the alignments with compounds merged in the utterances where this saves errors.

    In the changed utterances, ties are resolved as in kaldialign, independent of the profile.
    """
    fold = str.casefold if ignore_case else str
    several = compounds == "any"
    merged: list[tuple[int, Alignment]] = []
    for row in _rows_to_merge(plain, several, ignore_case):
        sides = plain.references[row], plain.hypotheses[row]
        left, right = (list(map(fold, words)) for words in sides)
        steps = align_compounds(left, right, *plain.costs, several=several)
        edits = _edits(left, right, memoryview(steps).cast("i")) if steps else b""
        if any(code in edits for code in _JOINED):
            merged.append((row, Alignment(edits, *sides, 0.0)))
    rows = [row for row, _ in merged]
    others = Alignments.of([alignment for _, alignment in merged], plain.costs)
    # the words are what they were
    others.references, others.hypotheses = (
        taken(plain.references, rows),
        taken(plain.hypotheses, rows),
    )
    return plain.overlaid(rows, others)


def _rows_to_merge(plain: Alignments, several: bool, ignore_case: bool) -> Sequence[int]:
    """Return the utterances whose errors may become fewer if compounds are merged."""
    left, right = plain.references, plain.hypotheses
    if isinstance(left, ColumnWords) and isinstance(right, ColumnWords):
        table = folds() if ignore_case else None
        counts = plain.counts.numbers
        return array("q", rows_of_compounds(left.texts, right.texts, table, several, counts))
    return [row for row, counts in enumerate(plain.counts) if counts.errors]


def _pairs(steps: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Yield how many reference words and how many hypothesis words each step covers.

    `steps` is the result of `align_compounds`.
    """
    return zip(steps[::2], steps[1::2], strict=True)


def _edits(left: Sequence[str], right: Sequence[str], steps: Sequence[int]) -> bytes:
    """Convert the steps of `align_compounds` to the bytes of edits."""
    edits: list[bytes] = []
    i = j = 0
    for up, back in _pairs(steps):
        if up and back:
            is_right = up + back > 2 or left[i] == right[j]
            edits += [_JOINED[0] * (up - 1), _JOINED[1] * (back - 1), _PAIRS[is_right]]
        else:
            edits.append(_SINGLE[up, back])
        i, j = i + up, j + back
    return b"".join(edits)


def join_regions(
    references: Sequence[Words], hypotheses: Sequence[Words], ignore_case: bool
) -> tuple[Sequence[Words], Sequence[Words]]:
    """Return both sides after joining words where the sides differ only in blanks.

    The regions are those of Python's `difflib.SequenceMatcher`.
    """
    from difflib import SequenceMatcher

    fold = str.casefold if ignore_case else str
    lefts, rights = list(references), list(hypotheses)
    for row, (left, right) in enumerate(zip(lefts, rights, strict=True)):
        sides = [list(map(fold, words)) for words in (left, right)]
        if len(left) + len(right) < 3 or sides[0] == sides[1]:
            continue
        joined: tuple[list[str], list[str]] = [], []
        for tag, *bounds in SequenceMatcher(None, sides[0], sides[1]).get_opcodes():
            (a, b), (c, d) = bounds[:2], bounds[2:]
            is_same = tag != "equal" and "".join(sides[0][a:b]) == "".join(sides[1][c:d])
            for words, part in zip(joined, (left[a:b], right[c:d]), strict=True):
                words += ["".join(part)] if is_same else part
        lefts[row], rights[row] = map(tuple, joined)
    return lefts, rights


def join_compounds(
    references: Sequence[Words], hypotheses: Sequence[Words], compounds: str, ignore_case: bool
) -> tuple[Sequence[Words], Sequence[Words]]:
    """Return both sides as characters; blanks inside merged compounds are removed."""
    fold = str.casefold if ignore_case else str
    sides: tuple[list[Words], list[Words]] = list(references), list(hypotheses)
    for row, pieces in enumerate(zip(references, hypotheses, strict=True)):
        words = ["".join(side).split(BLANK) for side in pieces]
        left, right = (list(map(fold, side)) for side in words)
        several = compounds != "words"
        steps = align_compounds(left, right, *UNIT_COSTS, several=several) if all(pieces) else b""
        if not steps:
            continue
        joined: tuple[list[str], list[str]] = [], []
        places = [0, 0]
        for sizes in _pairs(memoryview(steps).cast("i")):
            for number, size in enumerate(sizes):
                end = places[number] + size
                if size:
                    joined[number].append("".join(words[number][places[number] : end]))
                places[number] = end
        for side, whole in zip(sides, joined, strict=True):
            side[row] = characters_and_blanks(whole)
    return sides
