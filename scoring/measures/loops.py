"""Loops: words and phrases that the system repeats, although nobody repeated them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.measures.columns import bins_by_value
from scoring.measures.settings import items_of
from scoring.model.arrays import Integers
from scoring.model.counts import Edit
from scoring.results.measured import COUNT, INVENTION, PER_HOUR, Figure, MeasureSetting, MeasureSpec
from scoring.results.repeats import LEAST_REPEATED, LIMITS, loops_of

if TYPE_CHECKING:
    from scoring.measures.columns import WordColumns
    from scoring.measures.view import View


def repeated(tokens: WordColumns) -> Integers:
    """Return, for each utterance, its number of tokens minus its number of distinct tokens."""
    types, utterances = len(tokens.types) + 1, len(tokens.offsets) - 1
    keys = np.sort(tokens.utterances * types + tokens.ids)
    return np.bincount(keys[1:][keys[1:] == keys[:-1]] // types, minlength=utterances)


def count(view: View) -> dict[str, Any]:
    """Count loops, and the words and edits in their surplus copies.

    Surplus copies are those that nobody said.
    """
    limits = view.settings["loop"]
    raw = view.hypothesis.raw
    tokens, spoken = raw.tokens, view.reference.raw.tokens
    number = len(view)
    names = ("loops", "spoken", "excess_words", "longest")
    columns = {name: np.zeros(number, np.int64) for name in names}
    excess = np.zeros(len(raw.ids), np.bool_)
    for row in np.flatnonzero(repeated(tokens) >= LEAST_REPEATED).tolist():
        for loop in loops_of(tokens.texts(row), spoken.texts(row), limits):
            columns["loops" if loop.excess else "spoken"][row] += 1
            columns["excess_words"][row] += loop.excess
            stop = tokens.offsets[row] + loop.start + loop.length * loop.copies
            excess[tokens.words[stop - loop.excess : stop]] = True
            if loop.excess:
                size = loop.length * loop.copies
                columns["longest"][row] = max(size, columns["longest"][row])
    side = view.hypothesis
    wrong = np.isin(side.edits, (Edit.SUBSTITUTION, Edit.INSERTION)) & (raw.origins >= 0)
    wrong[wrong] = excess[raw.origins[wrong]]
    return {
        **columns,
        **bins_by_value("loop", columns["longest"]),
        "utterances": np.ones(number),
        "looping": columns["loops"] > 0,
        "loop_errors": side.sums(wrong),
        "errors": view.errors,
        "words": np.diff(tokens.offsets),
        "milliseconds": view.milliseconds,
        "timed_loops": columns["loops"] * (view.milliseconds > 0),
    }


def read_limits(text: Any) -> tuple[int, int, int]:
    """Parse three integers that limit loops.

    Returns the fewest copies of a word, the fewest copies of a phrase, and the most words of a
    phrase.
    """
    try:
        numbers = list(map(int, items_of(text)))
    except ValueError:
        numbers = []
    if len(numbers) != 3 or min(numbers[:2]) < 2 or numbers[2] < 1:
        raise ValueError(f"expected COPIES,COPIES,WORDS such as 4,3,24, found {text!r}")
    return numbers[0], numbers[1], numbers[2]


MEASURE = MeasureSpec(
    name="loops",
    title="Loops",
    question=INVENTION,
    definition="Words as read, in lower case and without marks around them. A loop is a unit of "
    "n words (at most 24) that an answer repeats: at least 4 times in a row if n = 1, "
    "at least 3 times if n > 1. The shortest such unit at a position counts, and the "
    "search continues after its last whole copy. Text in a script without blanks is "
    "cut into characters, of which 6 copies are needed. If the answer has k copies, "
    "and the reference at most r copies in a row, the loop has n·max(0, k − max(1, "
    "r)) excess words. A loop without excess words was spoken and does not count. "
    "Loop rate: utterances with a loop, divided by all utterances. Share of errors: "
    "substituted and inserted words in the excess copies (the last ones), divided by "
    "all errors. Longest loop: n·k words. Loops per hour are counted in utterances "
    "that have times.",
    figures=(
        Figure("loop_rate", "utterances with a loop", "looping / utterances"),
        Figure("loop_error_share", "share of the errors", "loop_errors / errors"),
        Figure("excess_share", "share of the hypothesis's words", "excess_words / words"),
        Figure("loops_per_hour", "loops per hour", "timed_loops / milliseconds", *PER_HOUR),
        Figure("longest_loop", "words of the longest loop", "max loop longest", *COUNT),
        Figure("spoken_loops", "spoken loops, not counted", "spoken", "none", 0, None, "count"),
    ),
    columns=(
        *("utterances", "looping", "loops", "spoken", "excess_words", "words", "loop_errors"),
        *("errors", "timed_loops", "milliseconds", "longest"),
    ),
    greatest=frozenset({"longest"}),
    count=count,
    kind="bins",
    needs=frozenset({"raw"}),
    parameters=(
        MeasureSetting(
            "loop",
            LIMITS,
            read_limits,
            "fewest copies of a word, fewest copies of a phrase, words of the longest phrase",
        ),
    ),
    worst="excess_words",
)
