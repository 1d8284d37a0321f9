"""A line of the report on errors that nobody's words caused: loops and invented text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from formats.console.terminal import shown
from scoring.drawing.numbers import percent
from scoring.model.counts import NO_HYPOTHESIS, Edit
from scoring.results.repeats import LEAST_REPEATED, loops_of, pieces_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoring.results.result import Rates

NOTABLE = 0.01
"""The share of the errors from which they are worth a line."""
FEWEST = 5
"""Errors that are worth a line."""
_RUN = re.compile(b"\\x03{5,}")
_WRONG = (Edit.SUBSTITUTION, Edit.INSERTION)
_SHOWN = 3


def invention_line(rates: Rates) -> str | None:
    """One line if loops, answers to silence and long insertions exceed a hundredth of the errors.

    Only utterances without reference words and those with three insertions or more are searched,
    so that it costs next to nothing; words that were normalised or cut in units are not.

    >>> from scoring import wer
    >>> print(invention_line(wer({"u1": "yes"}, {"u1": "yes no no no no no no"})).partition(";")[0])
    loops and invented text: 6 of 6 errors (100.00 %), most in u1
    """
    rules, total = rates.rules, rates.counts
    if rules.normalization != "none" or rules.unit != "word" or rates.session_of:
        return None
    if total.insertions < FEWEST:
        return None
    numbers = {row: number for row, number in _invented(rates) if number}
    number = sum(numbers.values())
    if number < FEWEST or number <= NOTABLE * total.errors:
        return None
    worst = sorted(numbers, key=lambda row: (-numbers[row], row))[:_SHOWN]
    names = ", ".join(shown(rates.identifiers[row]) for row in worst)
    return (
        f"loops and invented text: {number} of {total.errors} errors "
        f"({percent(number / total.errors)} %), most in {names}; "
        "see --measures loops,silence,runs"
    )


def _invented(rates: Rates) -> Iterator[tuple[int, int]]:
    """Positions of utterances, and how many of their errors are invented."""
    counts, aligned = rates.aligned.counts, rates.aligned
    for row, insertions in enumerate(counts.columns()[3]):
        if not insertions:
            continue
        if not counts[row].reference_tokens:
            yield row, insertions
        elif insertions >= LEAST_REPEATED:
            edits = aligned.edits_of(row)
            heard, said = aligned.hypotheses[row], aligned.references[row]
            yield row, len(_positions(edits, heard, said))


def _positions(edits: bytes, heard: Sequence[str], said: Sequence[str]) -> set[int]:
    """The slots of insertions in runs, and of wrong words in copies that nobody said."""
    slots = {place for run in _RUN.finditer(edits) for place in range(*run.span())}
    pieces = [(token, place) for place, word in enumerate(heard) for token in pieces_of(word)]
    tokens = [token for token, _ in pieces]
    spoken = [token for word in said for token in pieces_of(word)]
    excess: set[int] = set()
    for loop in loops_of(tokens, spoken):
        stop = loop.start + loop.length * loop.copies
        excess.update(place for _, place in pieces[stop - loop.excess : stop])
    if excess:
        places = (slot for slot, edit in enumerate(edits) if edit not in NO_HYPOTHESIS)
        wrong = (slot for place, slot in enumerate(places) if place in excess)
        slots.update(slot for slot in wrong if edits[slot] in _WRONG)
    return slots
