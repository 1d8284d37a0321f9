"""Invented phrases: phrases that recognisers often invent, from a list that the user supplies."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.measures.settings import items_of
from scoring.measures.word_list import Finder, ListEntry, read_word_list
from scoring.results.measured import COUNT, INVENTION, Figure, MeasureSetting, MeasureSpec
from scoring.results.repeats import pieces_of

if TYPE_CHECKING:
    from scoring.measures.view import View

Phrases = tuple[tuple[str, ...], ...]


def read_phrases(value: Any) -> Phrases:
    """Read phrases from a list, or from a file with one phrase per line; return their tokens."""
    lines = read_word_list(value, "lines").entries if isinstance(value, str) else items_of(value)
    phrases = [tuple(piece for word in line.split() for piece in pieces_of(word)) for line in lines]
    return tuple(dict.fromkeys(filter(None, phrases)))


def count(view: View) -> dict[str, Any]:
    """Count the phrases in hypotheses and in references, and the invented ones."""
    phrases = [ListEntry(phrase, "", None) for phrase in view.settings["phrases"]]
    firsts = {entry.words[0] for entry in phrases}
    finder = Finder(phrases, is_nested=True)
    sides = view.hypothesis.raw.tokens, view.reference.raw.tokens
    columns: dict[str, Any] = {"heard": {}, "said": {}, "invented": {}}
    begins = sides[0].by_type(lambda token: token in firsts, np.bool_)
    for row in np.unique(sides[0].utterances[begins]).tolist():
        heard, said = (
            Counter(entry for _, entry in finder.occurrences(side.texts(row))) for side in sides
        )
        for name, bag in (("heard", heard), ("said", heard & said), ("invented", heard - said)):
            columns[name][row] = bag.total()
    columns["with_phrase"] = {row: number > 0 for row, number in columns["invented"].items()}
    return {**columns, "utterances": np.ones(len(view))}


MEASURE = MeasureSpec(
    name="phrases",
    title="Known phrases",
    question=INVENTION,
    definition="Counts how often an answer has the phrases of a file (one per line) more than "
    "the reference of the same utterance has them. Words are taken as read, in lower "
    "case and without marks; phrases are found from left to right and do not overlap. "
    "One rate divides the utterances with such a phrase by all utterances; the other "
    "divides these occurrences by all occurrences in the answers.",
    figures=(
        Figure("invented_phrases", "invented phrases", "invented", *COUNT),
        Figure("phrase_rate", "utterances with one", "with_phrase / utterances"),
        Figure("invented_share", "share of the phrases heard", "invented / heard"),
    ),
    columns=("heard", "said", "invented", "with_phrase", "utterances"),
    count=count,
    needs=frozenset({"raw"}),
    parameters=(
        MeasureSetting("phrases", (), read_phrases, "file with a phrase per line", is_file=True),
    ),
    worst="invented",
)
