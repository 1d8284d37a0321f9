"""Results as CSV: an utterance a row, or a place of an alignment a row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from scoring.pages.data import csv_rows

if TYPE_CHECKING:
    from scoring.scored.rates import ErrorRates


UTTERANCE_COLUMNS = (
    "hypothesis_file",
    "utterance",
    "speaker",
    "correct",
    "substitutions",
    "deletions",
    "insertions",
    "reference_words",
    "errors",
    "rate",
    "edits",
    "reference",
    "hypothesis",
)
PAIR_COLUMNS = ("hypothesis_file", "utterance", "place", "edit", "reference", "hypothesis")


def utterance_rows(systems: Sequence[ErrorRates]) -> Iterator[bytes]:
    """A row for each utterance; the rate is a ratio, empty without reference words.

    Groups other than speakers have a column each after that of the speakers.
    """
    names = [name for rates in systems[:1] for name in rates.groups if name != "speaker"]
    head, tail = UTTERANCE_COLUMNS[:3], UTTERANCE_COLUMNS[3:]
    return csv_rows((*head, *names, *tail), _utterances(systems, names))


def pair_rows(systems: Sequence[ErrorRates]) -> Iterator[bytes]:
    """A row for each place of each alignment; the side without a word is empty."""
    return csv_rows(PAIR_COLUMNS, _pairs(systems))


def _utterances(systems: Sequence[ErrorRates], names: Sequence[str]) -> Iterator[Sequence[object]]:
    for rates in systems:
        for position, (identifier, speaker, counts) in enumerate(rates):
            alignment = rates.alignment_at(position)
            yield (
                rates.hypothesis.path,
                identifier,
                speaker,
                *(rates.groups[name][position] for name in names),
                *counts,
                counts.reference_tokens,
                counts.errors,
                counts.error_rate,
                alignment.letters,
                " ".join(alignment.reference),
                " ".join(alignment.hypothesis),
            )


def _pairs(systems: Sequence[ErrorRates]) -> Iterator[Sequence[object]]:
    for rates in systems:
        for position, identifier in enumerate(rates.identifiers):
            for place, pair in enumerate(rates.alignment_at(position), 1):
                yield (
                    rates.hypothesis.path,
                    identifier,
                    place,
                    pair.edit.letter,
                    pair.reference,
                    pair.hypothesis,
                )
