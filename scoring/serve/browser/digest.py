"""Summary of a result for the page: rate, text with marked errors, and frequent errors."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TYPE_CHECKING, Any

from formats.detection import has_captions
from scoring.model.counts import BLANK, CHARACTER_UNITS, Edit
from scoring.options import TITLES
from scoring.pages.sentence import frequent_pairs

if TYPE_CHECKING:
    from scoring.model.counts import Pair
    from scoring.results import Rates

MOST_WORDS = 2_000
ERRORS = (Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION)


def digest(rates: Rates) -> dict[str, Any]:
    """Return a result's counts, its text with marked errors, and its most frequent errors.

    >>> from scoring import wer
    >>> found = digest(wer({"a": "the cat sat"}, {"a": "the bat sat"}))
    >>> found["errors"], found["of"], found["frequent"]
    (1, 3, [['cat', 'bat', 1]])
    >>> [utterance] = found["text"]
    >>> utterance["pieces"], utterance["start"]
    ([['', 'the'], ['S', 'cat', 'bat'], ['', 'sat']], None)
    """
    is_character = rates.rules.unit in CHARACTER_UNITS
    join = "" if is_character else " "
    text, is_whole = _text(rates, join)
    total, length = rates.counts, rates.length
    return {
        "name": rates.hypothesis.title,
        "unit": "char" if is_character else "word",
        "errors": total.errors,
        "of": length,
        "rate": rates.corpus_rate,
        "meeting": TITLES.get(rates.rules.meeting.partition("(")[0], ""),
        "characters": _characters(rates),
        "text": text,
        "is_whole": is_whole,
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


def _text(rates: Rates, join: str) -> tuple[list[dict[str, Any]], bool]:
    """Return the utterances up to a maximum length, and whether they are the whole text.

    An utterance has its speaker and its pieces, the start time of its reference in seconds and, in
    subtitles, the number of its cue; both are None if unknown.
    """
    text: list[dict[str, Any]] = []
    left = MOST_WORDS
    references = () if rates.sources is None else rates.sources.references
    cues = Counter[str]()
    is_of_captions = has_captions(rates.reference.format)
    for position in range(len(rates)):
        if left <= 0:
            return text, False
        alignment = rates.aligned[position]
        segment = references[position] if references else None
        start_ns = None if segment is None else segment.start_ns
        if is_of_captions and segment is not None:
            cues[segment.recording] += 1
        utterance = {
            "speaker": rates.speakers[position] or "",
            "pieces": _pieces(islice(alignment, left), join),
            "start": None if start_ns is None else start_ns / 1e9,
            "cue": cues[segment.recording] if is_of_captions and segment is not None else None,
        }
        text.append(utterance)
        left -= len(alignment)
    return text, left >= 0


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
