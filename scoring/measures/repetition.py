"""Repetition, measured without a reference: repeated 4-grams, compression, Whisper's statistics."""

from __future__ import annotations

import operator
import zlib
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.measures.columns import spread
from scoring.measures.loops import repeated
from scoring.measures.view import properties_of
from scoring.results.measured import INVENTION, Figure, MeasureSpec

if TYPE_CHECKING:
    from scoring.measures.view import View

WORDS = 4
THRESHOLD = 2.4  # from which Whisper decodes a segment again
# Statistics that Whisper writes of a segment, and which values are bad.
STATISTICS = {
    "compression_ratio": (operator.gt, THRESHOLD, "above"),
    "avg_logprob": (operator.lt, -1, "below"),
    "no_speech_prob": (operator.gt, 0.6, "above"),
}
STATISTIC_COLUMNS = tuple(f"{name}_{part}" for name in STATISTICS for part in ("segments", "bad"))


def count_ngrams(view: View) -> dict[str, Any]:
    """Count the 4-grams and the distinct 4-grams of each hypothesis."""
    tokens, again = view.hypothesis.raw.tokens, np.zeros(len(view), np.int64)
    grams = np.maximum(0, np.diff(tokens.offsets) - WORDS + 1)
    # the tokens of a repeated 4-gram are repeated
    for row in np.flatnonzero(repeated(tokens) >= WORDS).tolist():
        words = tokens.texts(row)
        different = {tuple(words[place : place + WORDS]) for place in range(grams[row])}
        again[row] = grams[row] - len(different)
    return {"ngrams": grams, "different": grams - again, "repeated": again}


def count_statistics(view: View) -> dict[str, Any]:
    """Count the segments that have each of Whisper's statistics, and those with a bad value."""
    columns = {name: np.zeros(len(view)) for name in STATISTIC_COLUMNS}
    rows, _ = spread(list(map(len, view.heard)))
    texts = properties_of([*chain.from_iterable(view.heard)], STATISTICS)
    for (name, (is_bad, limit, _)), column in zip(STATISTICS.items(), texts, strict=True):
        for position, text in column.items():
            if not text:
                continue
            try:
                columns[f"{name}_bad"][rows[position]] += is_bad(float(text), limit)
            except ValueError:
                raise view.error(f"expected a number as {name}, found {text!r}") from None
            columns[f"{name}_segments"][rows[position]] += 1
    return columns


def count_bytes(view: View) -> dict[str, Any]:
    """Count the bytes of each hypothesis before and after compression."""
    texts = [" ".join(words).encode() for words in view.hypothesis.raw.words]
    sizes = np.array([len(text) for text in texts], np.int64)
    compressed = np.array([len(zlib.compress(text)) if text else 0 for text in texts], np.int64)
    above = sizes > THRESHOLD * compressed
    counted = {"bytes": sizes, "compressed": compressed, "answered": sizes > 0, "above": above}
    return counted | count_statistics(view)


REPETITION = MeasureSpec(
    name="repetition",
    title="Repeated 4-grams",
    question=INVENTION,
    definition="1 − (different 4-grams) / (all 4-grams) of the answers (words as read, in lower "
    "case, without marks), each utterance by itself. An answer of fewer than 4 words "
    "has no 4-grams. The reference is not used, so refrains that were spoken count, "
    "too.",
    figures=(Figure("repetition_4", "repeated 4-grams", "repeated / ngrams"),),
    columns=("ngrams", "different", "repeated"),
    count=count_ngrams,
    needs=frozenset({"raw"}),
    worst="repeated",
)


COMPRESSION = MeasureSpec(
    name="compression",
    title="Compression ratio",
    question=INVENTION,
    definition="The compression ratio is the bytes of the answers in UTF-8, divided by their "
    "bytes after zlib (level 6), which compresses each answer by itself. Also "
    "reported is the share of answers whose ratio is above 2.4, the limit above which "
    "Whisper decodes a segment again. That limit is meant for segments of 30 s and "
    "does not measure errors. The ratio grows with length: an ordinary long list "
    "exceeds 2.4, a phrase said three times does not. The ratio depends on the zlib "
    "that Python was built with. The other numbers come from Whisper's JSON: shares "
    "of the segments that have these statistics. Words that were matched by time have "
    "none.",
    figures=(
        Figure(
            "compression_ratio",
            "compression ratio",
            "bytes / compressed",
            "none",
            0,
            None,
            "number",
        ),
        Figure("above_share", "answers above 2.4", "above / answered"),
        *(
            Figure(f"{name}_share", f"{name} {word} {limit}", f"{name}_bad / {name}_segments")
            for name, (_, limit, word) in STATISTICS.items()
        ),
    ),
    columns=("bytes", "compressed", "answered", "above", *STATISTIC_COLUMNS),
    count=count_bytes,
    needs=frozenset({"raw"}),
)
