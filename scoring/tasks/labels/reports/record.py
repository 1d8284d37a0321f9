"""An evaluation as JSON. Keys have a fixed order; an undefined rate is null."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from formats.schema.remarks import remark_records
from scoring.drawing.data import head_of
from scoring.tasks.labels.aligners.pairs import ActiveStretch, Aligned
from scoring.tasks.labels.aligners.spans import LabelLike
from scoring.tasks.labels.amounts import Measures
from scoring.tasks.labels.label_set import LabelSet
from scoring.tasks.labels.scored import AlignedOutcomes
from scoring.tasks.labels.thresholds import ThresholdReport

SCHEMA = "sclite-kit/labels"
SCHEMA_VERSION = 1
_MEASURES = (
    *("correct", "substitutions", "deletions", "insertions", "substitutions_out"),
    *("precision", "recall", "accuracy", "error_rate"),
)


def record_of(
    evaluation: AlignedOutcomes, names: tuple[str, str], operation: ThresholdReport | None = None
) -> dict[str, Any]:
    """Return the evaluation as dictionaries and lists."""
    whole = evaluation.confusion
    means = {"precision_mean": whole.precision_mean, "recall_mean": whole.recall_mean}
    record: dict[str, Any] = {
        "signature": evaluation.signature,
        "kind": evaluation.title.lower(),
        "unit": evaluation.unit,
        "reference": names[0],
        "hypothesis": names[1],
        "remarks": remark_records(evaluation.remarks),
        "overall": {**_measures(whole), **means},
    }
    spotting = _rates(evaluation, None)
    if spotting is not None:
        occurring = sorted(evaluation.ref_outcome.all_values)
        in_reference = _rates(evaluation, occurring) if occurring else None
        record["overall"]["keyword_spotting"] = spotting
        record["overall"]["keyword_spotting_in_reference"] = in_reference
        record["overall"]["false_alarms_per_hour"] = evaluation.false_alarms_per_hour()
    if operation is not None:
        record["thresholds"] = operation.document()
    record["classes"] = _classes(evaluation)
    outcomes = {"reference": evaluation.ref_outcome, "hypothesis": evaluation.hyp_outcome}
    record["durations"] = {
        side: _lengths(outcome.label_set()) for side, outcome in outcomes.items()
    }
    durations = evaluation.utterance_durations
    record["utterances"] = [
        {
            "id": utterance,
            "duration": durations.get(utterance),
            "aligned": [_pair(pair) for pair in pairs],
        }
        for utterance, pairs in evaluation.aligned.items()
    ]
    return {**head_of(SCHEMA, SCHEMA_VERSION), "systems": [record]}


def _measures(measures: Measures) -> dict[str, Any]:
    """Return amounts (numbers or seconds) and their rates, for JSON."""
    values = {name: getattr(measures, name) for name in _MEASURES}
    return {"reference_count": measures.total, **values, "f_measure": measures.f_measure()}


def _rates(
    evaluation: AlignedOutcomes, keywords: str | Sequence[str] | None
) -> dict[str, float | None] | None:
    rates = evaluation.keyword_rates(keywords)
    return None if rates is None else rates._asdict()


def _classes(evaluation: AlignedOutcomes) -> list[dict[str, Any]]:
    outcomes = {"reference": evaluation.ref_outcome, "hypothesis": evaluation.hyp_outcome}
    sets = {side: outcome.label_sets() for side, outcome in outcomes.items()}
    classes = []
    for value, confusion in sorted(evaluation.confusion.instances.items()):
        record = {
            "value": value,
            **_measures(confusion),
            "taken_for": dict(confusion.substitutions_by_count()),
            "durations": {side: _lengths(sets[side].get(value, LabelSet())) for side in sets},
        }
        spotting = _rates(evaluation, value)
        if spotting is not None:
            record["keyword_spotting"] = spotting
        classes.append(record)
    return classes


def _lengths(labels: LabelSet) -> dict[str, Any]:
    """Return the statistics of lengths, in seconds."""
    statistics = dict(labels.statistics)
    counts = {"count": labels.count, "without_duration": labels.without_length}
    return {**counts, "sum": statistics.pop("total"), **statistics}


def _pair(pair: Aligned) -> dict[str, Any]:
    record: dict[str, Any] = {"edit": pair.edit.letter}
    if isinstance(pair, ActiveStretch):
        record |= {"start": pair.start, "end": pair.end}
    return record | {"reference": _label(pair.ref), "hypothesis": _label(pair.hyp)}


def _label(label: LabelLike | None) -> dict[str, Any] | None:
    if label is None:
        return None
    return {"value": label.value, "start": label.start, "end": label.end}
