"""Results as CSV: one row per utterance, or one row per alignment slot."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scoring.model.counts import Alignment
    from scoring.results import Rates

_PAIR_COLUMNS = ("hypothesis_file", "utterance", "place", "edit", "reference", "hypothesis")


def utterance_table(systems: Sequence[Rates]) -> tuple[Sequence[str], Iterator[Sequence[object]]]:
    """Return the column names, and a row for each utterance; rates are ratios or None.

    Groupings have columns after that of the speaker.
    """
    groups = [name for rates in systems[:1] for name in rates.groups if name != "speaker"]
    counted = [
        (name, column)
        for rates in systems[:1]
        for name, item in rates.measured.items()
        for column in item.measure.columns or item.columns.sums
    ]
    columns = columns_of("word", groups, "reference", "hypothesis")
    rows = (row for rates in systems for row in _rows(rates, groups, counted))
    return (*columns, *(f"{name}.{column}" for name, column in counted)), rows


def _rows(
    rates: Rates, groups: Sequence[str], counted: Sequence[tuple[str, str]]
) -> Iterator[Sequence[object]]:
    """Yield a row for each utterance of a result; the columns of measures come after the words."""
    numbers = [rates.measured[name].columns.matrix([column])[:, 0] for name, column in counted]
    for position, cells in enumerate(cells_of(rates, _texts, groups)):
        yield (*cells, *(int(column[position]) for column in numbers))


def _texts(position: int, alignment: Alignment) -> tuple[str, ...]:
    return " ".join(alignment.reference), " ".join(alignment.hypothesis)


def columns_of(noun: str, groups: Sequence[str], *texts: str) -> tuple[str, ...]:
    """Return the column names for utterances: names, groups, counts, and the names in `texts`."""
    counts = ("correct", "substitutions", "deletions", "insertions", f"reference_{noun}s", "errors")
    head = ("hypothesis_file", "utterance", "speaker", *groups)
    return (*head, *counts, "error_rate", "edits", *texts)


def cells_of(
    rates: Rates, texts: Callable[[int, Alignment], tuple[str, ...]], groups: Sequence[str] = ()
) -> Iterator[Sequence[object]]:
    """Yield a row for each utterance of a result.

    `texts` returns the last cells, given the position and the alignment of the utterance.
    """
    for position, (identifier, speaker, counts) in enumerate(rates):
        alignment = rates.alignment_at(position)
        yield (
            *(rates.hypothesis.title, identifier, speaker),
            *(rates.groups[name][position] for name in groups),
            *(*counts, rates.length_of(counts, [position]), counts.errors),
            rates.rate_at(position),
            *(alignment.letters, *texts(position, alignment)),
        )


def pair_table(systems: Sequence[Rates]) -> tuple[Sequence[str], Iterator[Sequence[object]]]:
    """Return the column names, and a row for each alignment slot; None for a missing word."""
    return _PAIR_COLUMNS, _pairs(systems)


def _pairs(systems: Sequence[Rates]) -> Iterator[Sequence[object]]:
    for rates in systems:
        for position, identifier in enumerate(rates.identifiers):
            for pair_number, pair in enumerate(rates.alignment_at(position), 1):
                words = pair.reference, pair.hypothesis
                yield rates.hypothesis.title, identifier, pair_number, pair.edit.letter, *words
