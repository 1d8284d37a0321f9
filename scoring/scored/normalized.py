"""One side after normalisation, with an account of what that did."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.errors import InputError
from scoring.normalize.utterances import normalize_utterances
from scoring.sides.account import Listed
from scoring.sides.corpus import Corpus

if TYPE_CHECKING:
    from scoring.normalize.pipeline import Pipeline


def normalized(corpus: Corpus, pipeline: Pipeline, side: str) -> Corpus:
    """The same utterances after the steps for a side.

    Utterances that had words and have none are told by name, and how many words the steps met
    that count.

    Parameters
    ----------
    side
        `reference` or `hypothesis`.

    Raises
    ------
    InputError
        If a step refuses a text.
    """
    steps = pipeline.steps(side)
    if not steps:
        return corpus
    try:
        found = normalize_utterances(corpus.words, corpus.special, steps)
    except ValueError as problem:
        raise InputError(corpus.name, None, None, str(problem)) from None
    remarks = list(corpus.remarks)
    if found.emptied:
        listed = Listed.of([corpus.identifiers[at] for at in found.emptied])
        what = "reference" if side == "reference" else "hypothesis"
        remarks.append(f"{corpus.name}: normalisation left no words of {what} {listed}")
    remarks += [
        f"note: {corpus.name}: {step}: words met: {number}" for step, number in found.counts
    ]
    return corpus._replace(words=found.words, special=found.special, remarks=tuple(remarks))
