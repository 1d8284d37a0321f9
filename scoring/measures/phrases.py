"""Known phrases: what recognisers are known to invent, in a list of the user's own."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.rates.measured import INVENTION, Figure, MeasureSetting, MeasureSpec
from scoring.rates.repeats import pieces_of

if TYPE_CHECKING:
    from scoring.measures.view import View

Phrases = tuple[tuple[str, ...], ...]


def read_phrases(value: Any) -> Phrases:
    """The tokens of each phrase: of a file with a phrase per line, or of a list of texts.

    >>> read_phrases(["Thank you.", "Bye!"])
    (('thank', 'you'), ('bye',))
    """
    lines: Iterable[str] = value if not isinstance(value, str) else _lines(value)
    phrases = [tuple(piece for word in line.split() for piece in pieces_of(word)) for line in lines]
    return tuple(dict.fromkeys(filter(None, phrases)))


def _lines(path: str) -> list[str]:
    from formats.source import open_source

    with open_source(path) as source:
        return [line for _, line in source.lines() if not line.startswith("#")]


def occurrences(phrase: Sequence[str], tokens: Sequence[str]) -> int:
    """How often a phrase is there, from left to right without overlap.

    >>> occurrences(("a", "a"), ("a", "a", "a", "b", "a", "a"))
    2
    """
    number, place, length = 0, 0, len(phrase)
    while place <= len(tokens) - length:
        if tuple(tokens[place : place + length]) == tuple(phrase):
            number += 1
            place += length
        else:
            place += 1
    return number


def count(view: View) -> dict[str, Any]:
    """Phrases in the answers, in the references, and those that nobody said."""
    number = len(view)
    columns = {name: np.zeros(number, np.int64) for name in ("heard", "said", "invented")}
    sides = view.hypothesis.raw.tokens, view.reference.raw.tokens
    for phrase in view.settings["phrases"]:
        heard, said = sides
        known = {token: place for place, token in enumerate(heard.types)}
        first = known.get(phrase[0])
        if first is None:
            continue
        for row in np.unique(heard.utterances[heard.ids == first]).tolist():
            times = occurrences(phrase, heard.texts(row))
            spoken = occurrences(phrase, said.texts(row)) if times else 0
            columns["heard"][row] += times
            columns["said"][row] += min(times, spoken)
            columns["invented"][row] += max(0, times - spoken)
    invented = columns["invented"] > 0
    return {**columns, "with_phrase": invented, "utterances": np.ones(number)}


MEASURE = MeasureSpec(
    name="phrases",
    title="Known phrases",
    question=INVENTION,
    definition="Occurrences of the phrases of a file, one per line, in the answer less those in "
    "the reference of the same utterance, at least 0 (words as read, in lower case, without "
    "marks; from left to right without overlap). The rates divide by all utterances, and by all "
    "occurrences in the answers.",
    figures=(
        Figure("invented_phrases", "invented phrases", "invented", high=None, form="count"),
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
