"""Words without marks and case, and the marks between them: what punctuation and case compare.

Both sides are cut from the words as read. After each word there is a slot with the marks up to the
next word; a slot before the first word belongs to the beginning of the utterance.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cached_property
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scoring.alignment.sequences import align_batch
from scoring.measures.view import Flags, RawWords, table_of
from scoring.model import NO_HYPOTHESIS, NO_REFERENCE, UNIT_COSTS, Edit
from scoring.options import PROFILES
from scoring.rates.counted import Integers
from scoring.rates.repeats import is_character

if TYPE_CHECKING:
    from scoring.measures.view import View

# Classes of marks for comparison between scripts; the first mark of each names it.
FULL_STOPS = ".。।።։។"
COMMAS = ",،，、፣"
QUESTIONS = "?؟？\u037e፧՞"
EXCLAMATIONS = "!！՜"
CLASSES = (FULL_STOPS, COMMAS, QUESTIONS, EXCLAMATIONS)
OTHERS = ";:…॥؛；：፤"
MARKS = "".join((*CLASSES, OTHERS))
ENDS = frozenset(FULL_STOPS + QUESTIONS + EXCLAMATIONS + "…॥")
"""Marks after which a sentence begins."""
NO_MARK = ""


def pieces_with_marks(word: str) -> tuple[str, list[tuple[str, str]]]:
    """The characters before the first token of a word, and each token with those after it.

    >>> pieces_with_marks('"Well,'), pieces_with_marks("你好，"), pieces_with_marks("?!")
    (('"', [('Well', ',')]), ('', [('你', ''), ('好', '，')]), ('?!', []))
    """
    begin, end = 0, len(word)
    while begin < end and _is_mark(word[begin]):
        begin += 1
    while end > begin and _is_mark(word[end - 1]):
        end -= 1
    inner = word[begin:end]
    if inner.isascii() or not any(map(is_character, inner)):
        return word[:begin], [(inner, word[end:])] if inner else []
    pieces: list[tuple[str, str]] = []
    for character in inner:
        if _is_mark(character):
            pieces[-1] = (pieces[-1][0], pieces[-1][1] + character)
        elif pieces and unicodedata.category(character)[0] == "M":
            pieces[-1] = (pieces[-1][0] + character, pieces[-1][1])
        else:
            pieces.append((character, ""))
    pieces[-1] = (pieces[-1][0], word[end:])
    return word[:begin], pieces


def _is_mark(character: str) -> bool:
    return not character.isalnum() and unicodedata.category(character)[0] in "PS"


def reduced(text: str, marks: str, choice: str) -> str:
    """The mark of a slot, from all characters between two words.

    >>> [reduced(text, MARKS, "usual") for text in ('".', "?!", "...", "-", ". .")]
    ['.', '?', '…', '', '.']
    """
    found = "".join(character for character in text if character in marks)
    if choice == "run" or len(found) < 2:
        return found
    if choice == "first":
        return found[0]
    if choice == "usual":
        if set(found) <= set(QUESTIONS + EXCLAMATIONS) and set(found) & set(QUESTIONS):
            return next(mark for mark in found if mark in QUESTIONS)
        if "..." in text or found == "…" * len(found):
            return "…"
    return found[-1]


class SlotWords:
    """The tokens of a side and the slots after them.

    Attributes
    ----------
    offsets
        Where the tokens of each utterance begin.
    after, first
        The characters after each token, and at the beginning of each utterance, as numbers of
        `texts`.
    """

    def __init__(self, raw: RawWords) -> None:
        self.texts: dict[str, int] = {NO_MARK: 0}
        pieces = [pieces_with_marks(word) for word in raw.types]
        flat = [piece for _, tokens in pieces for piece in tokens]
        sizes = np.fromiter((len(tokens) for _, tokens in pieces), np.int64, len(pieces))
        self._types = [token for token, _ in flat]
        marks = [self.texts.setdefault(text, len(self.texts)) for _, text in flat]
        lengths = sizes[raw.ids]
        begins = np.cumsum(lengths) - lengths  # the first token of each word
        within = np.arange(int(lengths.sum())) - np.repeat(begins, lengths)
        self._ids = np.repeat((np.cumsum(sizes) - sizes)[raw.ids], lengths) + within
        self.after = np.array(marks, np.int64)[self._ids]
        self.first = np.zeros(len(raw.offsets) - 1, np.int64)
        self.offsets = np.concatenate([[0], np.cumsum(raw.sums(lengths))]).astype(np.int64)
        texts = list(self.texts)
        begin_with_marks = np.array([bool(before) for before, _ in pieces], np.bool_)
        for word in np.flatnonzero(begin_with_marks[raw.ids]).tolist():
            row, place = int(raw.utterances[word]), int(begins[word])
            slots, slot = self.after, place - 1
            if place == self.offsets[row]:
                slots, slot = self.first, row
            text = f"{texts[slots[slot]]} {pieces[raw.ids[word]][0]}".strip()
            slots[slot] = self.texts.setdefault(text, len(texts))
            texts += [text] * (len(self.texts) - len(texts))

    def utterances(self, tokens: Sequence[str]) -> list[tuple[str, ...]]:
        """Texts of tokens, utterance by utterance."""
        bounds = self.offsets.tolist()
        return [tuple(tokens[a:b]) for a, b in pairwise(bounds)]

    @cached_property
    def cased(self) -> list[str]:
        """The tokens with their case."""
        return [self._types[token] for token in self._ids.tolist()]

    @cached_property
    def lower(self) -> list[str]:
        """The tokens without case."""
        types = [token.casefold() for token in self._types]
        return [types[token] for token in self._ids.tolist()]


class Slots:
    """Both sides of a result as tokens and slots, aligned by the tokens without marks and case."""

    def __init__(self, view: View) -> None:
        self.reference = SlotWords(view.reference.raw)
        self.hypothesis = SlotWords(view.hypothesis.raw)
        rules = view.rates.rules
        self.costs = UNIT_COSTS if rules.measure else PROFILES[rules.profile].costs  # type: ignore[index]
        self.ties = PROFILES[rules.profile].ties  # type: ignore[index]
        aligned = align_batch(
            self.reference.utterances(self.reference.lower),
            self.hypothesis.utterances(self.hypothesis.lower),
            costs=self.costs,
            ties=self.ties,
        )
        self.edits: NDArray[np.uint8] = np.frombuffer(bytes(aligned.edits), np.uint8)
        offsets = np.asarray(aligned.offsets, np.int64)
        self.rows: Integers = np.repeat(np.arange(len(view)), np.diff(offsets))
        has_left = ~table_of(NO_REFERENCE)[self.edits]
        has_right = ~table_of(NO_HYPOTHESIS)[self.edits]
        self.left = np.where(has_left, np.cumsum(has_left) - 1, -1)
        self.right = np.where(has_right, np.cumsum(has_right) - 1, -1)
        self.counts = np.asarray(aligned.counts.array, np.int64).reshape(-1, 4)
        correct: Flags = self.edits == Edit.CORRECT
        # a slot after a right word is comparable if the next word is right, or there is none
        last = np.ones(len(correct), np.bool_)
        last[:-1] = self.rows[1:] != self.rows[:-1]
        following = np.append(correct[1:], True)
        self.comparable: Flags = correct & (last | following)
        begins = offsets[:-1]
        self.first_comparable = np.ones(len(view), np.bool_)
        filled = np.diff(offsets) > 0
        self.first_comparable[filled] = correct[begins[filled]]

    def marks(self, settings: dict[str, Any]) -> tuple[list[str], Integers, Integers, Integers]:
        """The names of marks, and for each slot the mark of both sides and its utterance.

        Slots at the beginning of utterances come first. Mark 0 is none.
        """
        names: dict[str, int] = {NO_MARK: 0}
        sides = []
        for side, places in ((self.reference, self.left), (self.hypothesis, self.right)):
            table = []
            for text in side.texts:
                mark = reduced(text, settings["punctuation-marks"], settings["punctuation-slot"])
                if settings["punctuation-fold"]:
                    mark = "".join(map(folded, mark))
                table.append(names.setdefault(mark, len(names)))
            numbers = np.array(table, np.int64)
            after = np.append(numbers[side.after], 0)[places]  # place -1 is the added 0
            sides.append(np.concatenate([numbers[side.first], after]))
        rows = np.concatenate([np.arange(len(self.reference.first)), self.rows])
        return list(names), sides[0], sides[1], rows


def folded(mark: str) -> str:
    """The first mark of the class of a mark.

    >>> folded("。"), folded(";")
    ('.', ';')
    """
    return next((group[0] for group in CLASSES if mark in group), mark)


def slots_of(view: View) -> Slots:
    """The slots of a result, computed once for all measures."""
    if "slots" not in view.shared:
        view.shared["slots"] = Slots(view)
    slots: Slots = view.shared["slots"]
    return slots
