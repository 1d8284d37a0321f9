"""Empty answers: utterances for which the system gave no word although somebody spoke."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoring.rates.measured import CountedColumns, Figure, MeasureSpec, Sums, Values

if TYPE_CHECKING:
    from scoring.measures.view import View


APART = 10
"""Words that a long or short answer is apart from the reference."""
FASTEST = 7
"""Words per second that nobody exceeds."""


def count(view: View) -> CountedColumns:
    """Utterances with reference words, those of them without answer, and their words."""
    words = np.diff(view.reference.offsets)
    spoken = words > 0
    empty = spoken & (np.diff(view.hypothesis.offsets) == 0)
    return CountedColumns(
        len(view),
        {
            "spoken": spoken.astype(np.int64),
            "empty": empty.astype(np.int64),
            "words": words,
            "words_lost": np.where(empty, words, 0),
        },
    )


def value(totals: Sums) -> Values:
    """Share of utterances, and of reference words, without answer."""
    return {
        "empty_share": totals.ratio("empty", "spoken"),
        "words_lost_share": totals.ratio("words_lost", "words"),
    }


def count_length(view: View) -> CountedColumns:
    """Answers that are much longer or shorter than the reference, and those spoken too fast."""
    said = np.diff(view.reference.raw.tokens.offsets)
    heard = np.diff(view.hypothesis.raw.tokens.offsets)
    apart = np.abs(heard - said) >= APART
    milliseconds = view.milliseconds
    timed = milliseconds > 0
    columns = {
        "too_long": apart & (heard > 2 * said),
        "too_short": apart & (2 * heard < said),
        "timed": timed,
        "too_fast": timed & (1000 * heard > FASTEST * milliseconds),
        "utterances": np.ones(len(view), np.bool_),
    }
    numbers = {name: flags.astype(np.int64) for name, flags in columns.items()}
    return CountedColumns(len(view), {**numbers, "words_apart": np.where(apart, heard, 0)})


def value_length(totals: Sums) -> Values:
    """Shares of the utterances."""
    return {
        "too_long_share": totals.ratio("too_long", "utterances"),
        "too_short_share": totals.ratio("too_short", "utterances"),
        "too_fast_share": totals.ratio("too_fast", "timed"),
    }


MEASURE = MeasureSpec(
    name="empty",
    title="Empty answers",
    question="Does the system invent or lose text?",
    definition="An answer is empty if the hypothesis of an utterance has no word and the "
    "reference has at least one. The first share divides the number of empty answers by the "
    "number of utterances with reference words; the second divides the reference words of these "
    "utterances by all reference words.",
    figures=(
        Figure("empty_share", "empty answers"),
        Figure("words_lost_share", "words in them"),
    ),
    columns=("spoken", "empty", "words", "words_lost"),
    count=count,
    value=value,
    worst="words_lost",
)
LENGTH = MeasureSpec(
    name="length",
    title="Answers of odd length",
    question="Does the system invent or lose text?",
    definition="An answer is too long if it has more than twice the words of the reference, too "
    "short if it has less than half, and is at least 10 words apart in both cases (words as "
    "read, without marks). It is too fast if it has more than 7 words per second of the "
    "utterance. The shares are of all utterances; the last one of those with times.",
    figures=(
        Figure("too_long_share", "too long"),
        Figure("too_short_share", "too short"),
        Figure("too_fast_share", "more than 7 words per second"),
    ),
    columns=("utterances", "too_long", "too_short", "timed", "too_fast", "words_apart"),
    count=count_length,
    value=value_length,
    needs=frozenset({"raw"}),
    worst="words_apart",
)
