"""Repetition without a reference: repeated 4-grams, and Whisper's compression ratio."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np

from scoring.measures.invention import QUESTION
from scoring.rates.measured import CountedColumns, Figure, MeasureSpec, Sums, Values

if TYPE_CHECKING:
    from scoring.measures.view import View

WORDS = 4
THRESHOLD = 2.4  # from which Whisper decodes a segment again


def count_ngrams(view: View) -> CountedColumns:
    """The 4-grams of each answer, and how many of them differ."""
    tokens, number = view.hypothesis.raw.tokens, len(view)
    grams = np.maximum(0, np.diff(tokens.offsets) - WORDS + 1)
    ids = tokens.ids.astype(np.int64)
    begins = np.arange(max(0, len(ids) - WORDS + 1))
    inside = tokens.utterances[begins] == tokens.utterances[begins + WORDS - 1]
    begins = begins[inside]
    rows = np.stack([tokens.utterances[begins], *(ids[begins + n] for n in range(WORDS))], axis=1)
    order = np.lexsort(rows.T[::-1])
    rows = rows[order]
    new = np.ones(len(rows), np.bool_)
    new[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    different = np.bincount(rows[new, 0], minlength=number)
    return CountedColumns(
        number,
        {"ngrams": grams, "different": different, "repeated": grams - different},
    )


def count_bytes(view: View) -> CountedColumns:
    """Bytes of each answer as read, and after compression."""
    raw = view.hypothesis.raw
    bounds = zip(raw.offsets[:-1].tolist(), raw.offsets[1:].tolist(), strict=True)
    types, ids = raw.types, raw.ids.tolist()
    texts = [" ".join([types[word] for word in ids[a:b]]).encode() for a, b in bounds]
    sizes = np.array([len(text) for text in texts], np.int64)
    compressed = np.array([len(zlib.compress(text)) if text else 0 for text in texts], np.int64)
    answered = (sizes > 0).astype(np.int64)
    above = (sizes > THRESHOLD * compressed).astype(np.int64)
    columns = {"bytes": sizes, "compressed": compressed, "answered": answered, "above": above}
    return CountedColumns(len(view), columns)


REPETITION = MeasureSpec(
    name="repetition",
    title="Repeated 4-grams",
    question=QUESTION,
    definition="1 − different 4-grams / 4-grams of the answers (words as read, in lower case, "
    "without marks), each utterance by itself. An answer of fewer than 4 words has none. The "
    "reference plays no part, so refrains that were spoken count, too.",
    figures=(Figure("repetition_4", "repeated 4-grams"),),
    columns=("ngrams", "different", "repeated"),
    count=count_ngrams,
    value=lambda totals: {"repetition_4": totals.ratio("repeated", "ngrams")},
    needs=frozenset({"raw"}),
    worst="repeated",
)


def value_bytes(totals: Sums) -> Values:
    """The ratio of all answers, and the share of answers above the threshold."""
    return {
        "compression_ratio": totals.ratio("bytes", "compressed"),
        "above_share": totals.ratio("above", "answered"),
    }


COMPRESSION = MeasureSpec(
    name="compression",
    title="Compression ratio",
    question=QUESTION,
    definition="Bytes of the answers in UTF-8 / bytes after zlib (level 6), each utterance by "
    "itself, and the share of answers whose ratio is above 2.4, where Whisper decodes a segment "
    "again. This is a rule for segments of 30 s and no measure of errors: it grows with length, "
    "an ordinary long list exceeds 2.4, and a phrase said three times does not. It depends on "
    "the zlib that Python was built with.",
    figures=(
        Figure("compression_ratio", "compression ratio", "none", high=None, form="number"),
        Figure("above_share", "answers above 2.4"),
    ),
    columns=("bytes", "compressed", "answered", "above"),
    count=count_bytes,
    value=value_bytes,
    needs=frozenset({"raw"}),
    worst="",
)
