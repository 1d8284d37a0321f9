"""A result in words: a sentence with its rate, and its most frequent errors."""

from __future__ import annotations

import os
from collections.abc import Sequence
from itertools import takewhile
from typing import TYPE_CHECKING

from scoring.drawing import percent
from scoring.pages.hint import differing_words

if TYPE_CHECKING:
    from scoring.model.counts import Counts
    from scoring.results import Rates

SMALL = 0.01  # rates below have two decimals in the sentence
FREQUENT = 5
UNITS = {
    "word": ("Word error rate", "words"),
    "char": ("Character error rate", "characters"),
    "grapheme": ("Grapheme error rate", "graphemes"),
    "phoneme": ("Phoneme error rate", "phonemes"),
    "mixed": ("Mixed error rate", "words and characters"),
}


def names_of_systems(systems: Sequence[Rates]) -> list[str]:
    """Return the names of the systems, as `short_names` of their files."""
    return short_names([rates.hypothesis.title for rates in systems])


def short_names(paths: Sequence[str]) -> list[str]:
    """Return the names of files, with folders if the names repeat.

    Folders that contain all files are omitted.
    """
    short = [os.path.basename(path) or path for path in paths]
    if len(set(short)) == len(short):
        return short
    if len(set(paths)) < len(paths):
        return [f"{path} ({number})" for number, path in enumerate(paths, 1)]
    parts = [path.split("/") for path in paths]
    shared = list(takewhile(lambda folders: len({*folders}) == 1, zip(*parts, strict=False)))
    return ["/".join(names[len(shared) :]) for names in parts]


def rate_sentence(rates: Rates) -> str:
    """Return the rate as a sentence.

    >>> from scoring import wer
    >>> rate_sentence(wer("the cat sat", "the bat"))
    '2 of 3 words are wrong: 66.7 %'
    """
    things = UNITS[rates.rules.unit.partition("+")[0]][1]
    if rates.rules.noun != "word" and rates.rules.unit == "word":
        things = f"{rates.rules.noun}s"
    return sentence_of(rates.counts, rates.corpus_rate, things)


def sentence_of(counts: Counts, error_rate: float | None, things: str) -> str:
    """Return counts and their rate as a sentence; `things` is the plural of the counted unit."""
    errors, tokens = counts.errors, counts.reference_tokens
    if not tokens:
        return f"There are no reference {things}, so there is no rate"
    if not errors:
        return f"No errors: 0.0 % ({tokens:,} {things})"
    rate = percent(error_rate, 1 if errors >= SMALL * tokens else 2)
    if errors > tokens:
        return f"{errors:,} errors in {tokens:,} {things}: {rate} %"
    return f"{errors:,} of {tokens:,} {things} are wrong: {rate} %"


def frequent_errors(rates: Rates) -> list[tuple[str, str, str]]:
    """Return the most frequent errors: how often each occurs, and the words of both sides.

    >>> from scoring import wer
    >>> frequent_errors(wer("a b a", "a x a x"))
    []
    """
    return [
        (f"{number:,}", reference or "", hypothesis or "")
        for (reference, hypothesis), number in frequent_pairs(rates)
        if number > 1
    ]


def frequent_pairs(rates: Rates) -> list[tuple[tuple[str | None, str | None], int]]:
    """Return the most frequent errors, and the most frequent error of each kind.

    So a hypothesis with many deletions shows its substitutions, too.

    >>> from scoring import wer
    >>> [pair for pair, _ in frequent_pairs(wer("a b c d e f g", "x g"))][-1]
    ('f', 'x')
    """
    ranked = sorted(differing_words(rates.aligned).items(), key=lambda item: -item[1])
    kinds: dict[tuple[bool, bool], tuple[str | None, str | None]] = {}
    for (reference, hypothesis), _ in ranked:
        kinds.setdefault((reference is None, hypothesis is None), (reference, hypothesis))
    chosen = {*(pair for pair, _ in ranked[:FREQUENT]), *kinds.values()}
    return [(pair, number) for pair, number in ranked if pair in chosen]
