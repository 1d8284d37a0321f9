"""Out-of-vocabulary words: their number, and how the system transcribes them."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.measures.columns import placed
from scoring.measures.settings import whole_from
from scoring.measures.word_list import character_edits
from scoring.model.counts import Edit
from scoring.results.counted import Sums
from scoring.results.measured import NAMES, Figure, MeasuredValues, MeasureSetting, MeasureSpec
from scoring.results.vocabulary import read_vocabulary

if TYPE_CHECKING:
    from collections.abc import Callable

    from scoring.measures.columns import Flags
    from scoring.measures.view import View


def _outside(view: View) -> tuple[Callable[[str], str], Flags]:
    """Return the function that folds case, and True for each out-of-vocabulary reference word."""
    known, least = view.settings["vocabulary"], view.settings["vocabulary_min"]
    fold = str.casefold if view.rates.rules.ignore_case else str
    if known is None:
        return fold, np.zeros(len(view.reference.ids), np.bool_)
    words = set(map(fold, known.frequent(least)))
    return fold, view.reference.by_type(lambda word: fold(word) not in words, np.bool_)


def count_types(view: View) -> dict[str, Any]:
    """Return a sample of the reference words, with a number (a hash) for each word.

    The label of a word is True if it is out of vocabulary.
    """
    fold, outside = _outside(view)
    types = view.reference.by_type(lambda word: _number(fold(word)), np.float64)
    end = len(types) if view.settings["vocabulary"] is not None else 0
    return {"types": view.sample(types[:end], outside[:end], view.reference.utterances[:end])}


def _number(word: str) -> int:
    """Return a stable hash of a word, an integer below 2⁵²."""
    digest = blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 12


def type_numbers(totals: Sums) -> MeasuredValues:
    """Return the number of distinct words, and the number of those out of vocabulary."""
    sample = totals.samples.get("types")
    labels = () if sample is None else sample.labels[np.unique(sample.values, return_index=True)[1]]
    types, oov = len(labels), int(np.sum(labels))
    return {"oov_type_rate": oov / types if types else None, "types": types, "oov_types": oov}


def count(view: View) -> dict[str, Any]:
    """Count out-of-vocabulary words, their errors, and the characters of the system's attempts.

    An attempt is what the system recognised in place of such a word.
    """
    side = view.reference
    fold, outside = _outside(view)
    edits = side.edits
    columns = {
        "words": np.diff(side.offsets) * (view.settings["vocabulary"] is not None),
        "oov_words": side.sums(outside),
        "oov_errors": side.sums(outside & np.isin(edits, (Edit.SUBSTITUTION, Edit.DELETION))),
        "oov_deleted": side.sums(outside & (edits == Edit.DELETION)),
    }
    attempts = np.zeros((2, len(side.ids)), np.int64)
    paired = (view.left >= 0) & (view.right >= 0)
    for slot in np.flatnonzero(paired & placed(outside, view.left, False)).tolist():
        place = view.left[slot]
        word = fold(side.types[side.ids[place]])
        attempts[:, place] = len(word), _attempt(view, slot, word, fold)
    columns["attempt_characters"], columns["attempt_edits"] = map(side.sums, attempts)
    return columns


def _attempt(view: View, slot: int, word: str, fold: Callable[[str], str]) -> int:
    """Return the fewest character edits between a word and what the system recognised for it.

    Adjacent inserted words may be part of what was recognised.
    """
    heard, (begin, end) = view.hypothesis, view.offsets[view.utterances[slot] :][:2]
    before, middle, after = (
        fold(heard.types[heard.ids[view.right[place]]])
        if begin <= place < end and (place == slot or view.edits[place] == Edit.INSERTION)
        else ""
        for place in (slot - 1, slot, slot + 1)
    )
    forms = {middle, before + middle, middle + after, before + middle + after}
    return min(character_edits(word, form) for form in forms)


PARAMETERS = (
    MeasureSetting("vocabulary", None, read_vocabulary, "file with a word on each line", True),
    MeasureSetting("vocabulary_min", 0, whole_from(0), "least number in a line's second field"),
)
TYPES = MeasureSpec(
    name="vocabulary-types",
    title="Different words outside the vocabulary",
    question=NAMES,
    definition="Counts the different words of the reference, as scored, and the share of them "
    "that is not in the vocabulary. A word that occurs several times counts once. "
    "Words are compared by 52-bit hashes, so very rarely two different words count as "
    "one.",
    figures=(
        Figure("oov_type_rate", "OOV types", "", "none"),
        Figure("types", "types", "", "none", high=None, form="count"),
        Figure("oov_types", "types outside", "", "none", high=None, form="count"),
    ),
    columns=(),
    count=count_types,
    numbers=type_numbers,
    kind="sample",
    parameters=PARAMETERS,
)
MEASURE = MeasureSpec(
    name="vocabulary",
    title="Words outside the vocabulary",
    question=NAMES,
    definition="A reference word is out of vocabulary (OOV) if the vocabulary file does not have "
    "it. Words are compared as scored. The OOV rate divides OOV words by all "
    "reference words. The OOV error rate divides substituted and deleted OOV words by "
    "OOV words. The character error rate of attempts is that of OOV words that are "
    "right or substituted: the character edits between them and their aligned words, "
    "divided by the characters of the OOV words. If the word before or after is an "
    "insertion, the two words are compared as one if that gives fewer edits. Deleted "
    "OOV words are counted separately. Without a vocabulary file there are no rates.",
    figures=(
        Figure("oov_wer", "error rate of OOV words", "oov_errors / oov_words"),
        Figure("oov_rate", "OOV words", "oov_words / words", "none"),
        Figure(
            "oov_attempt_cer",
            "character error rate of attempts",
            "attempt_edits / attempt_characters",
            high=None,
        ),
        Figure("oov_deleted", "deleted OOV words", "oov_deleted / oov_words"),
    ),
    columns=(
        *("words", "oov_words", "oov_errors", "oov_deleted"),
        *("attempt_characters", "attempt_edits"),
    ),
    count=count,
    parameters=PARAMETERS,
    worst="oov_errors",
)
