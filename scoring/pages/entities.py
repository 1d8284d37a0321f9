"""The error rates of entities as a page, and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from formats.schema.remarks import remark_records
from scoring.drawing import decimal
from scoring.drawing.blocks import Fact, Table
from scoring.drawing.data import head_of, json_text
from scoring.drawing.forms import FORMS, JSON, encoded, lines_of

if TYPE_CHECKING:
    from formats.schema.diagnostics import Diagnostic
    from formats.schema.messages import Message
    from scoring.results.entities import EntityErrors

SCHEMA, SCHEMA_VERSION = "sclite-kit/entity-error-rates", 1
REPORTS = (*FORMS, JSON)
HEADINGS = ("entity", "weight", "reference", "hypothesis", "BEER")
AVERAGE = "weighted average"


class EntityReport(NamedTuple):
    """The data of the report on entities."""

    reference: str  # files the words come from
    hypothesis: str
    utterances: int  # how many were compared
    errors: EntityErrors  # how the entities fared
    signature: str  # every choice behind the numbers
    places: Sequence[Mapping[str, object]] = ()  # each occurrence, for JSON
    remarks: Sequence[Message | Diagnostic] = ()  # of the two files and their matching


def pieces_of(report: EntityReport, form: str) -> Iterator[bytes]:
    """Yield the report in one of the forms of `REPORTS`, in pieces of UTF-8.

    JSON has unrounded rates.
    """
    if form != JSON:
        page = (Table(HEADINGS, _rows(report.errors)), Fact("signature", report.signature))
        return encoded(lines_of(page, form, "Bag of Entities Error Rate"))
    record = {
        "signature": report.signature,
        "reference": report.reference,
        "hypothesis": report.hypothesis,
        "remarks": remark_records(report.remarks),
        "utterance_count": report.utterances,
        "entities": [
            {
                "entity": entity.entity,
                "weight": entity.weight,
                "reference_count": entity.reference,
                "hypothesis_count": entity.hypothesis,
                "beer": entity.rate,
            }
            for entity in report.errors.entities
        ],
        "occurrences": report.errors.occurrences,
        "weighted_average": report.errors.weighted_average,
        "places": list(report.places),
    }
    document = {**head_of(SCHEMA, SCHEMA_VERSION), "systems": [record]}
    return encoded([json_text(document, indent=2)])


def _rows(errors: EntityErrors) -> list[tuple[str, ...]]:
    rows = [
        (
            entity.entity,
            decimal(entity.weight),
            str(entity.reference),
            str(entity.hypothesis),
            decimal(entity.rate),
        )
        for entity in errors.entities
    ]
    hypotheses = sum(entity.hypothesis for entity in errors.entities)
    average = decimal(errors.weighted_average)
    return [*rows, (AVERAGE, "", str(errors.occurrences), str(hypotheses), average)]
