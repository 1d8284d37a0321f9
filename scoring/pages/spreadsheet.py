"""Results as CSV: an utterance a row, or a place of an alignment a row."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

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
    """A row for each utterance; the rate is a ratio, empty without reference words."""
    return csv_rows(UTTERANCE_COLUMNS, _utterances(systems))


def pair_rows(systems: Sequence[ErrorRates]) -> Iterator[bytes]:
    """A row for each place of each alignment; the side without a word is empty."""
    return csv_rows(PAIR_COLUMNS, _pairs(systems))


def _utterances(systems: Sequence[ErrorRates]) -> Iterator[Sequence[object]]:
    for rates in systems:
        for position, (identifier, speaker, counts) in enumerate(rates):
            alignment = rates.alignment_at(position)
            yield (
                rates.hypothesis.path,
                identifier,
                speaker,
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


def csv_rows(header: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[bytes]:
    """CSV in pieces."""
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerow(header)
    for row in rows:
        writer.writerow(row)
        if buffer.tell() > 1 << 16:
            yield _taken(buffer)
    yield _taken(buffer)


def _taken(buffer: io.StringIO) -> bytes:
    text = buffer.getvalue()
    buffer.seek(0)
    buffer.truncate()
    return text.encode("utf-8", "surrogateescape")
