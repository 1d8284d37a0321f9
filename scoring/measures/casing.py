"""Case of correct words, and errors that case and punctuation add."""

from __future__ import annotations

from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.alignment.sequences import edit_distance_batch
from scoring.measures.columns import Flags, WordColumns, placed, spread
from scoring.measures.slots import ENDS, MARKS, SlotWords, reduced, slots_of
from scoring.model.arrays import Integers
from scoring.model.counts import Edit
from scoring.results.measured import WRITING, Figure, MeasureSpec, f1_figures

if TYPE_CHECKING:
    from scoring.measures.view import View

LOWER, TITLE, UPPER, MIXED, NONE = range(5)
SIDES = ("hits", "reference", "hypothesis")
SCOPES = {
    "start_": "{} at the start of sentences",
    "inside_": "{} inside sentences",
    "all_": "{} with substituted words",
}
FORMS = ("plain", "cased", "punctuated", "formatted")


def case_of(word: str) -> int:
    """Return the case of a word: lower, title, upper, mixed, or none if no letter has a case.

    >>> list(map(case_of, ("we", "We", "I", "NATO", "iPhone", "12")))
    [0, 1, 1, 2, 3, 4]
    """
    upper = [letter.isupper() for letter in word if letter.isupper() or letter.islower()]
    if not upper:
        return NONE
    if not any(upper):
        return LOWER
    if upper[0] and not any(upper[1:]):
        return TITLE
    return UPPER if all(upper) else MIXED


def count(view: View) -> dict[str, Any]:
    """Count capitalised words of each side, and correct words with equal and different case."""
    slots = slots_of(view)
    left, right = (
        placed(side.by_type(lambda piece: case_of(piece[0])), places, NONE)
        for side, places in zip(slots.sides, (slots.left, slots.right), strict=True)
    )
    correct = slots.edits == Edit.CORRECT
    paired = (correct | (slots.edits == Edit.SUBSTITUTION)) & (left != NONE) & (right != NONE)
    side = slots.reference
    ends = np.array([reduced(text, MARKS, "usual") in ENDS for text in side.slot_texts], np.bool_)
    begins = np.append(ends[side.before], True)
    begins[side.offsets[:-1]] = True
    start = begins[slots.left]
    said, heard = left != LOWER, right != LOWER
    columns: dict[str, Any] = {}
    scopes = {"": correct, "start_": correct & start, "inside_": correct & ~start, "all_": paired}
    for scope, chosen in scopes.items():
        for name, flags in zip(SIDES, (said & (left == right), said, heard), strict=True):
            columns[scope + name] = slots.sums(chosen & paired & flags)
    cased = placed(slots.cased[0], slots.left, -1) != placed(slots.cased[1], slots.right, -1)
    columns["right"] = slots.sums(correct)
    columns["case_errors"] = slots.sums(correct & cased)
    return columns


MEASURE = MeasureSpec(
    name="case",
    title="Case",
    question=WRITING,
    definition="Words are aligned as in `punctuation`. Only pairs that are equal without case "
    "count. Classes: lower; title (the first letter is upper case, the others lower; "
    "also single letters); upper (two letters or more); mixed. Words without letters "
    "of a case are excluded. A word is capitalised if it is not lower. Hit: both "
    "words have the same class, and it is not lower. If the classes differ, a "
    "capitalised word of the answer is a false alarm, and a capitalised word of the "
    "reference is a miss. F1 at the start is that of the first word of a text and of "
    "words after . ? ! …; F1 inside is that of all other words. F1 with substituted "
    "words includes pairs of different words. Case error rate: words that differ only "
    "in case, divided by all words that are right without case.",
    figures=(
        *f1_figures(*SIDES, title="{} of capitalised words", names=("f1",)),
        *f1_figures(*SIDES, names=("precision", "recall")),
        *(
            figure
            for scope, title in SCOPES.items()
            for figure in f1_figures(
                f"{scope}hits", f"{scope}reference", f"{scope}hypothesis", scope, title, ("f1",)
            )
        ),
        Figure("case_error_rate", "case error rate", "case_errors / right"),
    ),
    columns=("hits", "reference", "hypothesis", "right", "case_errors"),
    count=count,
    needs=frozenset({"raw"}),
    worst="case_errors",
    alignment="stripped",
)


def _with_marks(side: SlotWords, ids: Integers, chosen: Flags) -> list[list[int]]:
    """Return the words and the marks of the `chosen` utterances as numbers; a mark is a token."""
    marks = [[-1 - ord(letter) for letter in text if letter in MARKS] for text in side.slot_texts]
    sizes = np.array(list(map(len, marks)), np.int64)
    flat = np.array([*chain.from_iterable(marks), 0], np.int64)
    # the beginning of each utterance is a slot behind no token
    begins = side.offsets[:-1]
    tokens, texts = np.insert(ids, begins, -1), np.insert(side.after, begins, side.first)
    rows = np.insert(side.utterances, begins, np.arange(len(begins)))
    tokens, texts, rows = (column[chosen[rows]] for column in (tokens, texts, rows))
    slots, places = spread(sizes[texts] + (tokens >= 0))
    places -= tokens[slots] >= 0
    after = flat[(np.cumsum(sizes) - sizes)[texts[slots]] + places]
    words = np.where(places < 0, tokens[slots], after)
    sizes = np.bincount(rows[slots], minlength=len(begins))
    return WordColumns((), words, sizes[chosen]).rows(words)


def count_forms(view: View) -> dict[str, Any]:
    """Count errors and reference words with case, with punctuation, with both, and with neither."""
    slots = slots_of(view)
    has_case, has_marks = np.zeros((2, len(view)), np.bool_)
    for side in slots.sides:
        has_case |= side.sums(side.by_type(lambda piece: piece[0] != piece[0].casefold())) > 0
        has_marks |= (side.first > 0) | (side.sums(side.after > 0) > 0)
    counts = {"plain": slots.counts}
    # the other utterances are as without marks and case
    for form, chosen, rows_of, ids in (
        ("cased", has_case, WordColumns.rows, slots.cased),
        ("punctuated", has_marks, _with_marks, slots.lower),
        ("formatted", has_case | has_marks, _with_marks, slots.cased),
    ):
        left, right = (rows_of(*pair, chosen) for pair in zip(slots.sides, ids, strict=True))
        table = edit_distance_batch(left, right, costs=slots.costs, ties=slots.ties)
        counts[form] = slots.counts.copy()
        counts[form][chosen] = np.asarray(table.array, np.int64).reshape(-1, 4)
    columns: dict[str, Any] = {}
    for form in FORMS:
        columns[f"{form}_errors"] = counts[form][:, 1:].sum(axis=1)
        columns[f"{form}_words"] = counts[form][:, :3].sum(axis=1)
    return columns


FORMATTING = MeasureSpec(
    name="formatting",
    title="What formatting costs",
    question=WRITING,
    definition="Four error rates of the words as read, with the costs and ties of the score. "
    "plain: without punctuation marks and case. cased: with case. punctuated: with "
    "marks, each as a word of its own. formatted: with case and marks. Marks are "
    "those of `punctuation`; quotes, brackets and dashes around words never count.",
    figures=tuple(
        Figure(f"wer_{form}", f"{form} error rate", f"{form}_errors / {form}_words", high=None)
        for form in FORMS
    ),
    columns=tuple(f"{form}_{name}" for form in FORMS for name in ("errors", "words")),
    count=count_forms,
    needs=frozenset({"raw"}),
    worst="formatted_errors",
    alignment="stripped",
    monotone=tuple(f"wer_{form}" for form in FORMS),
)
