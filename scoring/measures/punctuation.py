"""Punctuation: slot error rate, NeMo's rate, and F1 of each mark."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.drawing import percent
from scoring.drawing.blocks import Block, Table
from scoring.measures.columns import AlignedColumns, PieceColumns, align_numbers, numbers_of, placed
from scoring.measures.settings import choice_of, flag, items_of
from scoring.measures.slots import MARKS, NO_MARK, reduced, slots_of
from scoring.model.arrays import Integers
from scoring.results.counted import Sums, f1_of
from scoring.results.measured import (
    WRITING,
    Figure,
    MeasuredValues,
    MeasureSetting,
    MeasureSpec,
    f1_figures,
)

if TYPE_CHECKING:
    from scoring.measures.columns import Flags
    from scoring.measures.view import View

SCOPES = ("", "right_")
KINDS = ("correct", "substitutions", "deletions", "insertions")
SETTINGS = ("punctuation-marks", "punctuation-slot", "punctuation-fold")
NEMO_MARKS = ".,?!"
OPENING_MARKS = "¿¡"


def kinds_of(left: Integers, right: Integers) -> dict[str, Flags]:
    """Return a column of flags for each kind of edit, given the mark of each side in each slot.

    A mark of 0 means that a side has no mark.
    """
    return {
        "correct": (left > 0) & (left == right),
        "substitutions": (left > 0) & (right > 0) & (left != right),
        "deletions": (left > 0) & (right == 0),
        "insertions": (left == 0) & (right > 0),
    }


def count(view: View) -> dict[str, Any]:
    """Count slots with equal marks, with different marks, or with a mark on one side only.

    Also count each pair of marks.
    """
    slots, number = slots_of(view), len(view)
    names, left, right, rows = slots.marks(*map(view.settings.__getitem__, SETTINGS))
    columns: dict[str, Any] = {}
    kinds = kinds_of(left, right)
    keys = left * len(names) + right
    for scope, chosen in zip(SCOPES, (keys > 0, slots.comparable & (keys > 0)), strict=True):
        for kind, flags in kinds.items():
            columns[scope + kind] = np.bincount(rows[chosen & flags], minlength=number)
        for key in np.flatnonzero(np.bincount(keys[chosen])).tolist():
            pair = f"{scope}{names[key // len(names)]} {names[key % len(names)]}"
            columns[pair] = np.bincount(rows[chosen & (keys == key)], minlength=number)
    columns["errors"] = sum(columns[kind] for kind in KINDS[1:])
    return columns


def marks_of(totals: Sums, scope: str) -> dict[str, tuple[int, int, int]]:
    """Return three numbers of slots for each mark.

    The numbers are the slots with the mark on both sides, in the reference, and in the hypothesis.
    """
    hits, said, heard = Counter[str](), Counter[str](), Counter[str]()
    for name, times in totals.items():
        left, blank, right = name.removeprefix(scope).partition(" ")
        if blank and times and name.startswith("right_") == bool(scope):
            hits[left] += times * (left == right)
            said[left] += times
            heard[right] += times
    marks = sorted({*said, *heard} - {NO_MARK})
    return {mark: (hits[mark], said[mark], heard[mark]) for mark in marks}


def numbers(totals: Sums) -> MeasuredValues:
    """Return the mean F1 of the reference's marks, for all slots and for comparable slots."""
    values: dict[str, float | None] = {}
    for scope in SCOPES:
        marks = marks_of(totals, scope).values()
        f1s = [2 * hits / (said + heard) for hits, said, heard in marks if said]
        values[f"{scope}macro_f1"] = sum(f1s) / len(f1s) if f1s else None
    return values


def tables(totals: Sums) -> Iterator[Block]:
    """Yield a table with precision, recall and F1 of each mark, and a table of confusions."""
    rows = []
    right_words = marks_of(totals, "right_")
    for mark, numbers in marks_of(totals, "").items():
        f1s = f1_of(*numbers).values(), [f1_of(*right_words.get(mark, (0, 0, 0)))["f1"]]
        rows.append((mark, *map(str, numbers[1:]), *map(percent, chain(*f1s))))
    if not rows:
        return
    headings = ("mark", "reference", "hypothesis", "precision %", "recall %", "F1 %")
    yield Table((*headings, "F1 % of right words"), rows)
    names = [row[0] for row in rows]
    cells = [
        (
            left or "(none)",
            *(str(totals[f"{left} {right}"]) if left or right else "" for right in ("", *names)),
        )
        for left in ("", *names)
    ]
    yield Table(("reference", "(none)", *names), cells)


def count_nemo(view: View) -> dict[str, Any]:
    """Count marks like NeMo: marks are tokens beside words, and any two marks may be paired.

    A pair of different marks counts as a substitution.
    """
    marks = view.settings["nemo-marks"]
    find = re.compile(rf"[\w']+|[{re.escape(marks)}]").findall
    numbers = {mark: place for place, mark in enumerate(marks, 1)}
    pieces = [PieceColumns(side.raw, find) for side in (view.reference, view.hypothesis)]
    marked = [side.sums(side.by_type(numbers.__contains__, np.bool_)) for side in pieces]
    utterances = np.flatnonzero(marked[0] + marked[1])
    sides = [side.select(utterances) for side in pieces]
    # one key for all marks, so that any two of them may be a pair
    ids = numbers_of(sides, lambda token: token not in numbers and token)
    pairing = AlignedColumns(align_numbers(sides, ids))
    left, right = (
        placed(side.by_type(lambda token: numbers.get(token, 0)), places, 0)
        for side, places in zip(sides, (pairing.left, pairing.right), strict=True)
    )
    columns = {kind: pairing.sums(flags) for kind, flags in kinds_of(left, right).items()}
    places = utterances.tolist()
    return {kind: dict(zip(places, sums, strict=True)) for kind, sums in columns.items()}


def count_opening(view: View) -> dict[str, Any]:
    """Count marks before words, as `count` counts marks after words."""
    slots = slots_of(view)
    sides = []
    for side, places in zip(slots.sides, (slots.left, slots.right), strict=True):
        texts = (reduced(text, OPENING_MARKS, "last") for text in side.slot_texts)
        marks = np.array([OPENING_MARKS.find(text or "-") + 1 for text in texts])
        sides.append(placed(marks[side.before], places, 0))
    return {kind: slots.sums(flags) for kind, flags in kinds_of(sides[0], sides[1]).items()}


def read_marks(value: Any) -> str:
    """Return the characters that count as punctuation marks, as one text."""
    marks = "".join(dict.fromkeys(value if isinstance(value, str) else "".join(items_of(value))))
    if not marks or any(mark.isalnum() or mark.isspace() for mark in marks):
        raise ValueError(f"expected marks such as .,?!, found {value!r}")
    return marks


def _figures(scope: str = "", suffix: str = "") -> Iterator[Figure]:
    correct, wrong, deleted, inserted = (scope + kind for kind in KINDS)
    errors, marks = f"{wrong} + {deleted} + {inserted}", f"{correct} + {wrong} + {deleted}"
    yield Figure(f"{scope}ser", f"slot error rate{suffix}", f"{errors} / {marks}", high=None)
    text = f"errors per slot with marks (PER){suffix}"
    yield Figure(f"{scope}per", text, f"{errors} / {marks} + {inserted}")
    answers = f"{correct} + {wrong} + {inserted}"
    yield from f1_figures(correct, marks, answers, scope, f"{{}}{suffix}")


MEASURE = MeasureSpec(
    name="punctuation",
    title="Punctuation",
    question=WRITING,
    definition="Words as read are aligned without punctuation marks and case, with the costs and "
    "ties of the score (align:stripped). A slot is the place after a word, or before "
    "the first word, and holds the marks there. If a slot has several marks, the last "
    "one counts; ?! counts as ? and ... as …. The slots after aligned words are "
    "compared. The slot after a deleted or inserted word has no partner. H: both "
    "slots have the same mark. S: they have different marks. D: only the reference "
    "has a mark. I: only the hypothesis has one. Slot error rate: (S + D + I) / (H + "
    "S + D), which may exceed 1. PER: (S + D + I) / (H + S + D + I). Precision H / (H "
    "+ S + I), recall H / (H + S + D), F1 2H / (2H + 2S + D + I). Macro F1: mean of "
    "the F1 of each mark that the reference has. Numbers for right words count only "
    "slots between two right words, or after a last word that is right. Apostrophes "
    "and hyphens inside words, quotes, brackets and dashes are not marks.",
    figures=(
        *_figures(),
        Figure("macro_f1", "macro F1", better="higher"),
        *_figures("right_", ", right words"),
        Figure("right_macro_f1", "macro F1, right words", better="higher"),
    ),
    columns=(*KINDS, *(f"right_{kind}" for kind in KINDS), "errors"),
    count=count,
    numbers=numbers,
    needs=frozenset({"raw"}),
    parameters=(
        MeasureSetting("punctuation-marks", MARKS, read_marks, "marks to count, for example .,?"),
        choice_of(
            "punctuation-slot",
            ("usual", "first", "last", "run"),
            "which of several marks in a slot counts: usual (see above), first, last, or run "
            "(all as one)",
        ),
        MeasureSetting(
            "punctuation-fold",
            False,
            flag,
            "yes: compare classes of marks (。 counts as .); all other marks are one class",
        ),
    ),
    worst="errors",
    details=tables,
    alignment="stripped",
)
OPENING = MeasureSpec(
    name="opening",
    title="Opening marks",
    question=WRITING,
    definition="The marks ¿ and ¡ directly before words; if there are several, the last one "
    "counts. Words are aligned and the numbers defined as in `punctuation`, which "
    "does not count these two marks.",
    figures=tuple(_figures()),
    columns=KINDS,
    count=count_opening,
    needs=frozenset({"raw"}),
    alignment="stripped",
)
NEMO = MeasureSpec(
    name="nemo-per",
    title="Punctuation error rate of NeMo",
    question=WRITING,
    definition="Tokens are runs of word characters and ', or single marks out of .,?!; "
    "everything else is dropped. Tokens are aligned with unit costs and with case; "
    "while aligning, all marks are equal. Two aligned marks are right or a "
    "substitution; other marks of the reference are deletions, other marks of the "
    "hypothesis insertions. PER: (S + D + I) / (H + S + D + I), at most 1. Without "
    "any marks there is no rate; NeMo reports 0.",
    figures=(Figure("nemo_per", "PER of NeMo", f"{' + '.join(KINDS[1:])} / {' + '.join(KINDS)}"),),
    columns=KINDS,
    count=count_nemo,
    needs=frozenset({"raw"}),
    parameters=(MeasureSetting("nemo-marks", NEMO_MARKS, read_marks, "the marks"),),
)
