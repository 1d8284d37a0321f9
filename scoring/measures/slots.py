"""Words without punctuation and case, and the marks between them: input of other measures.

Both sides are computed from the words as read. A slot after each word holds the marks up to the
next word. A slot before the first word holds the marks at the beginning of the utterance.
"""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from scoring.measures.columns import (
    AlignedColumns,
    Flags,
    PieceColumns,
    WordColumns,
    align_numbers,
    numbers_of,
    placed,
)
from scoring.measures.view import View, shared
from scoring.model.arrays import Integers
from scoring.model.counts import UNIT_COSTS, Edit
from scoring.options import PROFILES
from scoring.results.repeats import cut_word

if TYPE_CHECKING:
    from scoring.measures.view import RawWords

# Classes of marks for comparison between scripts; the first mark of each names it.
FULL_STOPS = ".。।።։។"
COMMAS = ",،，、፣"
QUESTIONS = "?؟？\u037e፧՞"
EXCLAMATIONS = "!！՜"
OTHERS = ";:…॥؛；：፤"
CLASSES = (FULL_STOPS, COMMAS, QUESTIONS, EXCLAMATIONS, OTHERS)
FOLDED = str.maketrans({mark: group[0] for group in CLASSES for mark in group})
MARKS = "".join(CLASSES)
ENDS = frozenset(FULL_STOPS + QUESTIONS + EXCLAMATIONS + "…॥")
"""Marks that end a sentence."""
NO_MARK = ""


def reduced(text: str, marks: str, choice: str) -> str:
    """Return the punctuation mark in a text between two words; empty if there is none.

    `marks` are the characters that count. If there are several, `choice` selects the `first`, the
    `last` or the `usual` one, or keeps all of them (`run`).
    """
    run = "".join(character for character in text if character in marks)
    if choice == "run" or len(run) < 2:
        return run
    if choice == "usual":
        questions = [mark for mark in run if mark in QUESTIONS]
        if questions and set(run) <= set(QUESTIONS + EXCLAMATIONS):
            return questions[0]
        if "..." in text or set(run) == {"…"}:
            return "…"
    return run[0 if choice == "first" else -1]


class SlotWords(WordColumns):
    """The tokens of a side, and the slots before and after them.

    Attributes
    ----------
    after, first
        The characters after each token, and at the beginning of each utterance, as indices into
        `slot_texts`.
    """

    def __init__(self, raw: RawWords) -> None:
        pieces = PieceColumns(raw, cut_word)
        numbers = {NO_MARK: 0}
        is_token = pieces.by_type(lambda piece: piece[0] != "", np.bool_)
        slots = pieces.by_type(lambda piece: numbers.setdefault(piece[1], len(numbers)))
        super().__init__(pieces.types, pieces.ids[is_token], pieces.sums(is_token))
        self.after = slots[is_token]
        self.first = np.zeros(len(raw.offsets) - 1, np.int64)
        tokens = np.cumsum(is_token)
        texts = list(numbers)
        # marks before a token belong to the slot of the token before it
        for place in np.flatnonzero(~is_token).tolist():
            row, token = int(pieces.utterances[place]), int(tokens[place]) - 1
            is_first = token < self.offsets[row]
            slot, column = (row, self.first) if is_first else (token, self.after)
            text = f"{texts[column[slot]]} {texts[slots[place]]}".strip()
            column[slot] = numbers.setdefault(text, len(texts))
            texts += [text] * (len(numbers) - len(texts))
        self.slot_texts = texts

    @property
    def before(self) -> Integers:
        """The characters before each token, as indices into `slot_texts`."""
        before = np.append(0, self.after)
        before[self.offsets[:-1]] = self.first
        return before[:-1]


class Slots(AlignedColumns):
    """Both sides as words and slots, aligned by the words without punctuation and case."""

    def __init__(self, view: View) -> None:
        self.reference = SlotWords(view.reference.raw)
        self.hypothesis = SlotWords(view.hypothesis.raw)
        self.sides = (self.reference, self.hypothesis)
        rules = view.rates.rules
        self.costs = UNIT_COSTS if rules.meeting else PROFILES[rules.profile].costs  # type: ignore[index]
        self.ties = PROFILES[rules.profile].ties  # type: ignore[index]
        self.lower = numbers_of(self.sides, lambda piece: piece[0].casefold())
        self.cased = numbers_of(self.sides, lambda piece: piece[0])
        super().__init__(align_numbers(self.sides, self.lower, self.costs, self.ties))

    @cached_property
    def comparable(self) -> Flags:
        """A flag per slot: True if the words before and after the slot are correct.

        The end of an utterance counts as a correct word. Slots at the beginning of utterances come
        first, as in `marks`.
        """
        correct: Flags = self.edits == Edit.CORRECT
        begins, ends = self.offsets[:-1], self.offsets[1:]
        # what follows the last slot of an utterance is no word
        following = np.append(correct, True)
        first = following[begins] | (begins == ends)
        following[ends[begins < ends]] = True
        return np.concatenate([first, correct & following[1:]])

    def marks(
        self, marks: str, choice: str = "usual", is_folded: bool = False
    ) -> tuple[list[str], Integers, Integers, Integers]:
        """Return the names of marks, and three columns with an entry per slot.

        The columns are the mark of the reference, the mark of the hypothesis, and the utterance.
        Marks are numbers; 0 means that there is no mark. Slots at the beginning of utterances come
        first.
        """
        names: dict[str, int] = {NO_MARK: 0}
        sides, fold = [], FOLDED if is_folded else {}
        for side, places in zip(self.sides, (self.left, self.right), strict=True):
            texts = (reduced(text, marks, choice).translate(fold) for text in side.slot_texts)
            numbers = np.array([names.setdefault(mark, len(names)) for mark in texts], np.int64)
            sides.append(
                np.concatenate([numbers[side.first], placed(numbers[side.after], places, 0)])
            )
        rows = np.concatenate([np.arange(len(self.counts)), self.utterances])
        return list(names), sides[0], sides[1], rows


slots_of = shared(Slots)
"""The slots of a result, computed once for all measures."""
