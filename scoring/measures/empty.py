"""Empty answers: utterances for which the system gave no word although somebody spoke."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.rates.measured import INVENTION, Figure, MeasureSpec

if TYPE_CHECKING:
    from scoring.measures.view import View

APART = 10
"""Words that a long or short answer is apart from the reference."""
FASTEST = 7
"""Words per second that nobody exceeds."""


def count(view: View) -> dict[str, Any]:
    """Utterances with reference words, those of them without answer, and their words."""
    words = np.diff(view.reference.offsets)
    empty = (words > 0) & (np.diff(view.hypothesis.offsets) == 0)
    lost = np.where(empty, words, 0)
    return {"spoken": words > 0, "empty": empty, "words": words, "words_lost": lost}


def count_length(view: View) -> dict[str, Any]:
    """Answers that are much longer or shorter than the reference, and those spoken too fast."""
    said = np.diff(view.reference.raw.tokens.offsets)
    heard = np.diff(view.hypothesis.raw.tokens.offsets)
    apart = np.abs(heard - said) >= APART
    timed = view.milliseconds > 0
    return {
        "too_long": apart & (heard > 2 * said),
        "too_short": apart & (2 * heard < said),
        "timed": timed,
        "too_fast": timed & (1000 * heard > FASTEST * view.milliseconds),
        "utterances": np.ones(len(view)),
        "words_apart": np.where(apart, heard, 0),
    }


MEASURE = MeasureSpec(
    name="empty",
    title="Empty answers",
    question=INVENTION,
    definition="An answer is empty if the hypothesis of an utterance has no word and the "
    "reference has at least one. The first share divides the number of empty answers by the "
    "number of utterances with reference words; the second divides the reference words of these "
    "utterances by all reference words.",
    figures=(
        Figure("empty_share", "empty answers", "empty / spoken"),
        Figure("words_lost_share", "words in them", "words_lost / words"),
    ),
    columns=("spoken", "empty", "words", "words_lost"),
    count=count,
    worst="words_lost",
)
LENGTH = MeasureSpec(
    name="length",
    title="Answers of odd length",
    question=INVENTION,
    definition="An answer is too long if it has more than twice the words of the reference, too "
    "short if it has less than half, and is at least 10 words apart in both cases (words as "
    "read, without marks). It is too fast if it has more than 7 words per second of the "
    "utterance. The shares are of all utterances; the last one of those with times.",
    figures=(
        Figure("too_long_share", "too long", "too_long / utterances"),
        Figure("too_short_share", "too short", "too_short / utterances"),
        Figure("too_fast_share", "more than 7 words per second", "too_fast / timed"),
    ),
    columns=("utterances", "too_long", "too_short", "timed", "too_fast", "words_apart"),
    count=count_length,
    needs=frozenset({"raw"}),
    worst="words_apart",
)
