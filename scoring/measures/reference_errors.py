"""Errors of a reference that a system repeats, found with the help of a corrected reference.

A system that transcribes the audio agrees with the correction. A system that was fitted to the
reference repeats its errors. All three texts are compared word by word as `difflib` does, not along
the alignment of the score, so that the numbers are those of the Open ASR Leaderboard's audit
(`benchmark_fitting` of 2026-08-21).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from formats.schema.errors import FormatError
from scoring.alignment.blocks import matching_blocks
from scoring.alignment.sequences import edit_distance
from scoring.model.counts import UNIT_COSTS
from scoring.results.forgiven import REFERENCE
from scoring.results.measured import COUNT, Figure, MeasureSetting, MeasureSpec
from scoring.results.sources import normalized
from scoring.results.written import Writing, first_words
from scoring.sides.corpus import Corpus
from scoring.sides.given import AS_FOUND, KALDI, File, reading_of, resolve

if TYPE_CHECKING:
    from formats.schema.words import Words
    from scoring.measures.view import View

# A text must have this share of the reference's words, and at most so many words per word of it.
LEAST_SHARE, MOST_WORDS = 0.5, 3.0
# Spans that differ by fewer edits per character, without blanks, are the same words.
LEAST_DISTANCE = 0.3
QUESTION = "Is the system fitted to the references?"
VERDICTS = ("original", "corrected", "neither")
COLUMNS = (*VERDICTS, "decided", "uncorrected")


class CorrectedTexts(NamedTuple):
    """Corrected references as read, in each format that their file may have."""

    readings: tuple[Corpus, ...]

    def __str__(self) -> str:
        texts = _written(self.readings[0], "word")
        content = json.dumps(texts).encode("utf-8", "replace")
        return f"{len(texts)} texts#{sha256(content).hexdigest()[:8]}"


def _written(side: Corpus, unit: str) -> dict[str, Words]:
    """Return the compared words of each utterance, with the first branch of alternatives."""
    writing = Writing(REFERENCE, unit)
    return {
        name: writing.pieces(
            first_words(writing.nodes(side.special[row])) if row in side.special else tuple(words)
        )
        for row, (name, words) in enumerate(zip(side.identifiers, side.words, strict=True))
    }


class _Change(NamedTuple):
    """A range of the reference's words, and the words that another text has instead."""

    begin: int
    end: int
    words: Words


def read_corrected(value: Any) -> CorrectedTexts:
    """Return the texts of a file or a mapping from identifiers; ValueError if it is neither."""
    from scoring.sides.side_files import read_corpus, read_with_lines

    if isinstance(value, CorrectedTexts):
        return value
    try:
        side = resolve(File(value) if isinstance(value, str) else value, REFERENCE)
    except TypeError as problem:
        raise ValueError(str(problem)) from None
    if isinstance(side, Corpus):
        return CorrectedTexts((side,))
    detected = read_with_lines(side, reading_of(side, AS_FOUND))
    if detected.lines is None:
        return CorrectedTexts((detected.required(),))
    readings = [detected.lines]
    with suppress(FormatError):  # lines that do not all begin with another word
        kaldi = side._replace(format=KALDI)
        readings.insert(0, read_corpus(kaldi, reading_of(kaldi, AS_FOUND)))
    return CorrectedTexts(tuple(readings))


def _changes(reference: Sequence[str], other: Sequence[str]) -> list[_Change]:
    """Return the ranges in which a text differs from a reference; the words around them match."""
    changes, begin, facing = [], 0, 0
    ends = [*matching_blocks(reference, other), (len(reference), len(other), 0)]
    for start, opposite, size in ends:
        if (begin, facing) != (start, opposite):
            changes.append(_Change(begin, start, tuple(other[facing:opposite])))
        begin, facing = start + size, opposite + size
    return changes


def _is_alike(reference: Sequence[str], changes: Sequence[_Change]) -> bool:
    """Return True if a text with these changes shares enough words with the reference."""
    changed = sum(change.end - change.begin for change in changes)
    return len(reference) - changed >= int(LEAST_SHARE * len(reference))


def _is_other(reference: Sequence[str], change: _Change) -> bool:
    """Return True if a correction really changes the text `reference`.

    It adds words at the beginning or end, or replaces words by clearly different ones.
    """
    if change.begin == change.end:
        return change.begin in (0, len(reference))
    before, after = "".join(reference[change.begin : change.end]), "".join(change.words)
    edits = edit_distance(list(before), list(after), costs=UNIT_COSTS).errors
    return edits / len(before) >= LEAST_DISTANCE


def _verdict(correction: _Change, changes: Sequence[_Change]) -> str:
    """Return which text a hypothesis agrees with at a correction.

    The result is `original`, `corrected` or `neither`.
    """
    begin, end, words = correction
    if begin == end:
        added = [change.words for change in changes if (change.begin, change.end) == (begin, end)]
        if not added:
            return "original"
        edge = added[0][-len(words) :] if begin == 0 else added[0][: len(words)]
        return "corrected" if edge == words else "neither"
    touching = [change for change in changes if max(begin, change.begin) < min(end, change.end)]
    if not touching:
        return "original"
    first = touching[0]
    is_whole = first.begin <= begin and end <= first.end
    return "corrected" if is_whole and first.words == words else "neither"


def verdicts(
    reference: Sequence[str], corrected: Sequence[str], hypothesis: Sequence[str]
) -> Iterator[str]:
    """Yield, for each error of a reference, which text a hypothesis agrees with there.

    `original`: the hypothesis has all words of the reference there. `corrected`: it has the words
    of the correction. `neither`: it has other words, or differs from the reference as a whole.

    >>> list(verdicts("we met mr brown".split(), "we met green".split(), "we met green".split()))
    ['corrected']
    """
    corrections = _changes(reference, corrected) if reference else []
    if not corrections or not _is_alike(reference, corrections):
        return
    changes = _changes(reference, hypothesis)
    is_usable = _is_alike(reference, changes) and len(hypothesis) <= MOST_WORDS * len(reference)
    for correction in corrections:
        if _is_other(reference, correction):
            yield _verdict(correction, changes) if is_usable else "neither"


def _texts_of(view: View, corrected: CorrectedTexts) -> Mapping[str, Words]:
    """Return the corrected words of utterances in compared form, by identifier."""
    names, sources = set(view.rates.identifiers), view.rates.sources
    side = max(corrected.readings, key=lambda side: len(names.intersection(side.identifiers)))
    if sources is not None and sources.pipeline is not None:
        side = normalized(side, sources.pipeline, REFERENCE)
    return _written(side, view.rates.rules.unit)


def count(view: View) -> dict[str, Any]:
    """Count the errors of the reference by verdict, and the utterances without a correction."""
    columns: dict[str, dict[int, int]] = {
        name: {} for name in (*VERDICTS, "decided", "uncorrected")
    }
    corrected = view.settings["corrected"]
    sides = view.hypothesis.raw, view.reference.words, view.hypothesis.words
    texts = {} if corrected is None else _texts_of(view, corrected)
    fold = str.casefold if view.rates.rules.ignore_case else str
    for row, (name, *words) in enumerate(zip(view.rates.identifiers, *sides[1:], strict=True)):
        if name not in texts:
            columns["uncorrected"][row] = 1
            continue
        left, right, middle = (tuple(map(fold, text)) for text in (*words, texts[name]))
        try:
            found = list(verdicts(left, middle, right))
        except ValueError as problem:  # too many equal words
            raise view.error(f"{name}: {problem}") from None
        for verdict in VERDICTS:
            columns[verdict][row] = found.count(verdict)
        columns["decided"][row] = len(found) > found.count("neither")
    return columns


MEASURE = MeasureSpec(
    name="reference-errors",
    title="Errors of the reference that are repeated",
    question=QUESTION,
    definition="The setting corrected names a file with corrected references, which are "
    "normalised as the reference is. An error of the reference is a run of its words that the "
    "correction replaces or leaves out, unless both spans differ by less than 0.3 edits per "
    "character without blanks; or words that the correction adds at the begin or end. The "
    "hypothesis follows the original if it has all words of the run (or adds none), the correction "
    "if it has its words in place of the run (or at the same end), and neither otherwise. It "
    "follows neither, too, if fewer than half of the reference's words match (rounded down), or "
    "if it is more than three times as long. Utterances whose correction matches fewer than half "
    "of the words have no errors. Words match as in Python's difflib. The share divides the "
    "errors that are repeated by those that follow either text. It is no error rate, and alone no "
    "proof of training on the test set.",
    figures=(
        Figure("repeated_share", "reference errors repeated", "original / original + corrected"),
        Figure("repeated", "repeated", "original", *COUNT),
        Figure("followed", "that follow the correction", "corrected", "higher", *COUNT[1:]),
        Figure("undecided", "that follow neither", "neither", *COUNT),
        Figure("clips", "utterances that follow either", "decided", *COUNT),
        Figure("uncorrected", "utterances without a correction", "uncorrected", *COUNT),
    ),
    columns=COLUMNS,
    count=count,
    needs=frozenset({"raw"}),
    parameters=(
        MeasureSetting(
            "corrected", None, read_corrected, "file with corrected references", is_file=True
        ),
    ),
    worst="original",
)
