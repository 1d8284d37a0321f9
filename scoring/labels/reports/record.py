"""An evaluation as JSON. Keys stand in a fixed order; a rate that is not defined is null."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from scoring.drawing.data import head_of, json_text
from scoring.labels.aligners.pairs import LabelPair
from scoring.labels.aligners.segments import ActiveStretch, SegmentPair
from scoring.labels.aligners.spans import LabelLike
from scoring.labels.amounts import Measures
from scoring.labels.confusion import substitutions_of
from scoring.labels.label_set import STATISTICS, LabelSet
from scoring.labels.reports.page import Reportable

SCHEMA = "sclite-kit/labels"
SCHEMA_VERSION = 1


def record_text(
    evaluation: Reportable,
    names: tuple[str, str],
    keyword_groups: Mapping[str, Sequence[str]],
    by: Sequence[str] = (),
) -> str:
    """The whole as JSON text."""
    return json_text(record_of(evaluation, names, keyword_groups, by), indent=1) + "\n"


def record_of(
    evaluation: Reportable,
    names: tuple[str, str],
    keyword_groups: Mapping[str, Sequence[str]],
    by: Sequence[str] = (),
) -> dict[str, Any]:
    """The whole as dictionaries and lists; groups where they are asked for."""
    record: dict[str, Any] = {
        **head_of(SCHEMA, SCHEMA_VERSION),
        "kind": evaluation.title.lower(),
        "unit": evaluation.unit,
        "reference": names[0],
        "hypothesis": names[1],
        "remarks": list(evaluation.remarks),
        "overall": {
            **measures_record(evaluation.confusion),
            "precision_mean": evaluation.confusion.precision_mean,
            "recall_mean": evaluation.confusion.recall_mean,
        },
    }
    spotting = _rates(evaluation, None)
    if spotting is not None:
        occurring = sorted(evaluation.ref_outcome.all_values)
        record["overall"]["keyword_spotting"] = spotting
        record["overall"]["keyword_spotting_in_reference"] = (
            _rates(evaluation, occurring) if occurring else None
        )
        record["keyword_groups"] = {
            group: _rates(evaluation, list(keywords)) for group, keywords in keyword_groups.items()
        }
    record["classes"] = _classes(evaluation)
    if by:
        record["groups"] = [
            {"by": dict(zip(by, values, strict=True)), **measures_record(whole)}
            for values, whole in evaluation.grouped(by).items()
        ]
    record["lengths"] = {
        "reference": lengths_record(evaluation.ref_outcome.label_set()),
        "hypothesis": lengths_record(evaluation.hyp_outcome.label_set()),
    }
    durations = evaluation.utterance_durations
    record["utterances"] = [
        {
            "identifier": utterance,
            "duration": durations.get(utterance),
            "aligned": [_item(item) for item in items],
        }
        for utterance, items in evaluation.aligned.items()
    ]
    return record


def measures_record(measures: Measures) -> dict[str, Any]:
    """Amounts and the rates derived from them."""
    names = ("total", "correct", "substitutions", "deletions", "insertions", "substitutions_out")
    rates = ("precision", "recall", "accuracy", "error_rate")
    values = {name: getattr(measures, name) for name in (*names, *rates)}
    return {**values, "f_measure": measures.f_measure()}


def _rates(
    evaluation: Reportable, keywords: str | Sequence[str] | None
) -> dict[str, float | None] | None:
    rates = evaluation.keyword_rates(keywords)
    return None if rates is None else rates._asdict()


def _classes(evaluation: Reportable) -> list[dict[str, Any]]:
    reference, hypothesis = evaluation.ref_outcome.label_sets(), evaluation.hyp_outcome.label_sets()
    classes = []
    for confusion in sorted(evaluation.confusion.confusions, key=lambda one: one.value):
        record = {
            "value": confusion.value,
            **measures_record(confusion),
            "taken_for": dict(substitutions_of(confusion)),
            "lengths": {
                "reference": lengths_record(reference.get(confusion.value, LabelSet())),
                "hypothesis": lengths_record(hypothesis.get(confusion.value, LabelSet())),
            },
        }
        spotting = _rates(evaluation, confusion.value)
        if spotting is not None:
            record["keyword_spotting"] = spotting
        classes.append(record)
    return classes


def lengths_record(labels: LabelSet) -> dict[str, Any]:
    """Statistics of lengths, in seconds."""
    counts = {"count": labels.count, "without_length": labels.without_length}
    return {**counts, **dict(zip(STATISTICS, labels.statistics, strict=True))}


def _item(item: LabelPair | SegmentPair) -> dict[str, Any]:
    record: dict[str, Any] = {"edit": item.edit.letter}
    if isinstance(item, ActiveStretch):
        record |= {"start": item.start, "end": item.end}
    return record | {"reference": _label(item.ref), "hypothesis": _label(item.hyp)}


def _label(label: LabelLike | None) -> dict[str, Any] | None:
    if label is None:
        return None
    return {"value": label.value, "start": label.start, "end": label.end}
