"""The error rates of entities as a document: for terminals, reStructuredText, Markdown, JSON.

*Adding a form* is one function and one entry of `REPORTS`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from scoring.pages.terminal import shown, table, width
from scoring.version import VERSION

if TYPE_CHECKING:
    from scoring.scored.entities import EntityErrors

SCHEMA, SCHEMA_VERSION = "sclite-kit/entity-error-rates", 1
HEADINGS = ("entity", "weight", "reference", "hypothesis", "BEER")
AVERAGE = "weighted average"
_MARKDOWN = re.compile(r"([\\`*_\[\]<>~|#&])")
_RESTRUCTURED = re.compile(r"([\\`*_|])")


class EntityReport(NamedTuple):
    """What there is to tell.

    Attributes
    ----------
    reference, hypothesis
        Files the words come from.
    utterances
        How many were compared.
    errors
        How the entities fared.
    signature
        Every choice behind the numbers.
    """

    reference: str
    hypothesis: str
    utterances: int
    errors: EntityErrors
    signature: str


def _number(rate: float | None) -> str:
    return "n/a" if rate is None else f"{rate:.3f}"


def _rows(errors: EntityErrors) -> list[tuple[str, ...]]:
    rows = [
        (
            shown(one.entity),
            _number(one.weight),
            str(one.reference),
            str(one.hypothesis),
            _number(one.rate),
        )
        for one in errors.entities
    ]
    found = sum(one.hypothesis for one in errors.entities)
    average = _number(errors.weighted_average)
    return [*rows, (AVERAGE, "", str(errors.occurrences), str(found), average)]


def terminal(report: EntityReport) -> Iterator[str]:
    """A table for people."""
    yield from table([HEADINGS, *_rows(report.errors)])
    yield f"signature: {report.signature}"


def restructured_text(report: EntityReport) -> Iterator[str]:
    """A simple table."""
    rows = [HEADINGS, *_rows(report.errors)]
    cells = [[_RESTRUCTURED.sub(r"\\\1", cell) or "\\" for cell in row] for row in rows]
    columns = [max(map(width, column)) for column in zip(*cells, strict=True)]
    rule = "  ".join("=" * size for size in columns)
    yield from ("Bag of Entities Error Rate", "=" * 26, "")
    for place, row in enumerate(cells):
        if place < 2:
            yield rule
        yield "  ".join(
            cell + " " * (size - width(cell)) for cell, size in zip(row, columns, strict=True)
        ).rstrip()
    yield from (rule, "", f"Signature: ``{report.signature}``")


def markdown(report: EntityReport) -> Iterator[str]:
    """A table."""
    yield from ("# Bag of Entities Error Rate", "")
    yield "| " + " | ".join(HEADINGS) + " |"
    yield "|---" + "|---:" * (len(HEADINGS) - 1) + "|"
    for row in _rows(report.errors):
        yield "| " + " | ".join(_MARKDOWN.sub(r"\\\1", cell) for cell in row) + " |"
    yield from ("", f"Signature: `{report.signature}`")


def json_lines(report: EntityReport) -> Iterator[str]:
    """A JSON document; rates are not rounded, null where there is none."""
    import json

    record = {
        "schema": SCHEMA,
        "version": SCHEMA_VERSION,
        "generator": f"sclite-kit {VERSION}",
        "signature": report.signature,
        "reference": report.reference,
        "hypothesis": report.hypothesis,
        "utterances": report.utterances,
        "entities": [{**one._asdict(), "beer": one.rate} for one in report.errors.entities],
        "occurrences": report.errors.occurrences,
        "weighted_average": report.errors.weighted_average,
    }
    yield json.dumps(record, ensure_ascii=False, allow_nan=False, indent=2)


REPORTS: dict[str, Callable[[EntityReport], Iterator[str]]] = {
    "terminal": terminal,
    "restructuredtext": restructured_text,
    "markdown": markdown,
    "json": json_lines,
}
