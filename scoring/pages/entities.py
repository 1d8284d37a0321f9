"""The error rates of entities as a page, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from scoring.drawing.blocks import Fact, Table
from scoring.drawing.data import head_of, json_text
from scoring.drawing.forms import FORMS, JSON, encoded, lines_of
from scoring.drawing.numbers import decimal

if TYPE_CHECKING:
    from scoring.rates.entities import EntityErrors

SCHEMA, SCHEMA_VERSION = "sclite-kit/entity-error-rates", 1
REPORTS = (*FORMS, JSON)
HEADINGS = ("entity", "weight", "reference", "hypothesis", "BEER")
AVERAGE = "weighted average"


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


def pieces_of(report: EntityReport, form: str) -> Iterator[bytes]:
    """The report in one of the forms of `REPORTS`; rates in JSON are not rounded."""
    if form != JSON:
        page = (Table(HEADINGS, _rows(report.errors)), Fact("signature", report.signature))
        return encoded(lines_of(page, form, "Bag of Entities Error Rate"))
    record = {
        **head_of(SCHEMA, SCHEMA_VERSION),
        "signature": report.signature,
        "reference": report.reference,
        "hypothesis": report.hypothesis,
        "utterances": report.utterances,
        "entities": [{**one._asdict(), "beer": one.rate} for one in report.errors.entities],
        "occurrences": report.errors.occurrences,
        "weighted_average": report.errors.weighted_average,
    }
    return encoded([json_text(record, indent=2)])


def _rows(errors: EntityErrors) -> list[tuple[str, ...]]:
    rows = [
        (
            one.entity,
            decimal(one.weight),
            str(one.reference),
            str(one.hypothesis),
            decimal(one.rate),
        )
        for one in errors.entities
    ]
    found = sum(one.hypothesis for one in errors.entities)
    average = decimal(errors.weighted_average)
    return [*rows, (AVERAGE, "", str(errors.occurrences), str(found), average)]
