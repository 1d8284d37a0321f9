"""Empty answers: utterances for which the system gave no word although somebody spoke."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from scoring.rates.measured import CountedColumns, Figure, MeasureSpec, Sums, Values

if TYPE_CHECKING:
    from scoring.measures.view import View


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


MEASURE = MeasureSpec(
    name="empty",
    title="Empty answers",
    question="Does the system invent or lose text?",
    definition="An answer is empty if the hypothesis of an utterance has no word and the reference "
    "has at least one. The first share divides the number of empty answers by the number of "
    "utterances with reference words; the second divides the reference words of these utterances "
    "by all reference words.",
    figures=(
        Figure("empty_share", "empty answers"),
        Figure("words_lost_share", "words in them"),
    ),
    columns=("spoken", "empty", "words", "words_lost"),
    count=count,
    value=value,
    worst="words_lost",
)
