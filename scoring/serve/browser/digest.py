"""Summary of a result for the page: rate, text with marked errors, and frequent errors."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from scoring.model.counts import BLANK, CHARACTER_UNITS, Edit
from scoring.pages.sentence import frequent_pairs

if TYPE_CHECKING:
    from scoring.model.counts import Pair
    from scoring.results.result import Rates

MOST_WORDS = 2_000
ERRORS = (Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION)


def digest(rates: Rates) -> dict[str, Any]:
    """Return a result's counts, its text with marked errors, and its most frequent errors.

    >>> from scoring import wer
    >>> found = digest(wer({"a": "the cat sat"}, {"a": "the bat sat"}))
    >>> found["errors"], found["of"], found["frequent"]
    (1, 3, [['cat', 'bat', 1]])
    >>> found["text"]
    [['a', '', [['', 'the'], ['S', 'cat', 'bat'], ['', 'sat']]]]
    """
    is_character = rates.rules.unit in CHARACTER_UNITS
    join = "" if is_character else " "
    text = list(_text(rates, join))
    total, length = rates.counts, rates.length
    return {
        "name": rates.hypothesis.title,
        "unit": "char" if is_character else "word",
        "errors": total.errors,
        "of": length,
        "rate": rates.corpus_rate,
        "characters": _characters(rates),
        "text": text,
        "is_whole": len(text) == len(rates) and not any(part[3:] for part in text),
        "measures": list(_measures(rates)),
        "groups": list(_groups(rates)),
        "frequent": [
            [_word(left), _word(right), number] for (left, right), number in frequent_pairs(rates)
        ],
    }


def _characters(rates: Rates) -> dict[str, Any] | None:
    """Return the counts of character errors of a word result; None if they were not counted."""
    part = rates.measured.get("characters")
    if part is None:
        return None
    totals = part.totals()
    counts = {"errors": totals["errors"], "of": totals["characters"], "rate": part["cer"]}
    return {"unit": "char", **counts}


def _measures(rates: Rates) -> Iterator[dict[str, Any]]:
    """Yield name, title and figures of each measure that the result has."""
    for name, measured in rates.measured.items():
        if name == "characters":
            continue
        measure, values = measured.measure, measured.values
        figures = [[each.heading, each.text(values[each.name])] for each in measure.figures]
        yield {"name": name, "title": measure.title, "figures": figures}


def _groups(rates: Rates) -> Iterator[list[Any]]:
    """Yield name, errors and divisor (the number of words) of each group."""
    for group in rates.per_group() if rates.groups else ():
        name = "/".join(value or "-" for value in group.values)
        yield [name, group.counts.errors, rates.length_of(group.counts, group.positions)]


def _text(rates: Rates, join: str) -> Iterator[list[Any]]:
    """Yield the utterances with their speakers and pieces, up to a maximum length.

    If this length cuts an utterance, the utterance is marked.
    """
    left = MOST_WORDS
    for position in range(len(rates)):
        if left <= 0:
            return
        alignment = rates.aligned[position]
        speaker = rates.speakers[position] or ""
        utterance = [rates.identifiers[position], speaker, _pieces(islice(alignment, left), join)]
        yield utterance if len(alignment) <= left else [*utterance, True]
        left -= len(alignment)


def _pieces(pairs: Iterable[Pair], join: str) -> list[list[str]]:
    """Return the pieces of a text: joined correct words, or an error.

    An error has the letter of its kind, the reference word and the hypothesis word.
    """
    pieces: list[list[str]] = []
    for edit, reference, hypothesis in pairs:
        if edit in ERRORS:
            pieces.append([edit.letter, _word(reference), _word(hypothesis)])
            continue
        word = _word(hypothesis if reference is None else reference)
        if pieces and not pieces[-1][0]:
            pieces[-1][1] += join + word
        else:
            pieces.append(["", word])
    return pieces


def _word(word: str | None) -> str:
    """Return a word as the page shows it; a scored blank becomes a visible sign."""
    return "" if word is None else "␣" if word == BLANK else word
