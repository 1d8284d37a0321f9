"""Case of right words, and what formatting costs."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.alignment.sequences import edit_distance_batch
from scoring.measures.slots import ENDS, MARKS, SlotWords, reduced, slots_of
from scoring.model import Edit
from scoring.rates.counted import Integers
from scoring.rates.measured import WRITING, Figure, MeasureSpec, f1_figures

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
    """The class of a word: lower, title, upper, mixed, or none without letters of a case.

    >>> list(map(case_of, ("we", "We", "I", "NATO", "iPhone", "12")))
    [0, 1, 1, 2, 3, 4]
    """
    cased = [letter for letter in word if letter.isupper() or letter.islower()]
    if not cased:
        return NONE
    upper = [letter.isupper() for letter in cased]
    if not any(upper):
        return LOWER
    if upper[0] and not any(upper[1:]):
        return TITLE
    return UPPER if all(upper) else MIXED


def _cases(tokens: list[str]) -> Integers:
    classes: dict[str, int] = {}
    for token in tokens:
        if token not in classes:
            classes[token] = case_of(token)
    return np.array([*(classes[token] for token in tokens), NONE], np.int64)


def count(view: View) -> dict[str, Any]:
    """Capitalised words of both sides, the same class, and right words of another case."""
    slots, number = slots_of(view), len(view)
    left = _cases(slots.reference.cased)[slots.left]
    right = _cases(slots.hypothesis.cased)[slots.right]
    correct = slots.edits == Edit.CORRECT
    paired = (correct | (slots.edits == Edit.SUBSTITUTION)) & (left != NONE) & (right != NONE)
    ends = [reduced(text, MARKS, "usual") in ENDS for text in slots.reference.texts]
    closing = np.array(ends, np.bool_)[slots.reference.after]
    begins = np.zeros(len(slots.reference.cased) + 1, np.bool_)
    begins[1:] = closing
    begins[slots.reference.offsets[:-1]] = True
    start = begins[slots.left]
    said, heard = left != LOWER, right != LOWER
    hits = said & (left == right)
    columns: dict[str, Integers] = {}
    scopes = {
        "": correct,
        "start_": correct & start,
        "inside_": correct & ~start,
        "all_": paired,
    }
    for scope, chosen in scopes.items():
        for name, flags in (("hits", hits), ("reference", said), ("hypothesis", heard)):
            inside = chosen & paired & flags
            columns[scope + name] = np.bincount(slots.rows[inside], minlength=number)
    texts = (slots.reference.cased, slots.hypothesis.cased)
    differs = np.zeros(len(correct), np.bool_)
    places = np.flatnonzero(correct)
    differs[places] = [
        texts[0][a] != texts[1][b]
        for a, b in zip(slots.left[places].tolist(), slots.right[places].tolist(), strict=True)
    ]
    columns["right"] = np.bincount(slots.rows[correct], minlength=number)
    columns["case_errors"] = np.bincount(slots.rows[differs], minlength=number)
    return columns


MEASURE = MeasureSpec(
    name="case",
    title="Case",
    question=WRITING,
    definition="Words as in `punctuation`, of which those count that are equal without case. "
    "Classes: lower; title (the first letter is upper case, the others lower; also single "
    "letters); upper (two letters or more); mixed. Words without letters of a case are "
    "excluded. A word is capitalised if it is not lower. Hit: both sides have the same class, "
    "which is not lower; a capitalised word of the answer of another class is a false alarm, "
    "one of the reference a miss. The F1 at the start is of first words and of words after . ? "
    "! …, the one inside of all others; F1 of all words includes substituted words. Case error "
    "rate: words that are right but for case / words that are right without case.",
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
)


def _with_marks(side: SlotWords, tokens: list[str]) -> list[tuple[str, ...]]:
    """Tokens and marks, each mark a token, utterance by utterance."""
    marks = [tuple(character for character in text if character in MARKS) for text in side.texts]
    rows = side.utterances(tokens)
    bounds, after = side.offsets.tolist(), side.after.tolist()
    has_marks = side.first > 0
    has_marks[np.repeat(np.arange(len(rows)), np.diff(side.offsets))[side.after > 0]] = True
    for row in np.flatnonzero(has_marks).tolist():
        words = list(marks[side.first[row]])
        for token, text in zip(rows[row], after[bounds[row] : bounds[row + 1]], strict=True):
            words += (token, *marks[text])
        rows[row] = tuple(words)
    return rows


def count_forms(view: View) -> dict[str, Any]:
    """Errors and reference words of each form."""
    slots = slots_of(view)
    sides = (slots.reference, slots.hypothesis)
    texts = {
        "cased": [side.utterances(side.cased) for side in sides],
        "punctuated": [_with_marks(side, side.lower) for side in sides],
        "formatted": [_with_marks(side, side.cased) for side in sides],
    }
    counts = {"plain": slots.counts}
    for form, pair in texts.items():
        table = edit_distance_batch(*pair, costs=slots.costs, ties=slots.ties)
        counts[form] = np.asarray(table.array, np.int64).reshape(-1, 4)
    columns: dict[str, Integers] = {}
    for form in FORMS:
        columns[f"{form}_errors"] = counts[form][:, 1:].sum(axis=1)
        columns[f"{form}_words"] = counts[form][:, :3].sum(axis=1)
    return columns


FORMATTING = MeasureSpec(
    name="formatting",
    title="What formatting costs",
    question=WRITING,
    definition="Four error rates of the words as read, with the score's costs and ties: plain, "
    "without marks and case; cased, without marks; punctuated, without case, marks are words of "
    "their own; formatted, with case and marks. Marks are those of `punctuation`; quotes, "
    "brackets and dashes around words never count.",
    figures=tuple(
        Figure(f"wer_{form}", f"{form} error rate", f"{form}_errors / {form}_words", high=None)
        for form in FORMS
    ),
    columns=tuple(f"{form}_{name}" for form in FORMS for name in ("errors", "words")),
    count=count_forms,
    needs=frozenset({"raw"}),
    worst="formatted_errors",
)
