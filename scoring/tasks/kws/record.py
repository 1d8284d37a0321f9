"""Scores of a keyword search as JSON; equal scores give equal text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isfinite

from formats.schema import VERSION
from formats.schema.messages import WARNING
from formats.schema.remarks import Remark, remark_records
from formats.schema.value_records import to_builtins
from scoring.drawing.data import Members, head_of, json_file
from scoring.model.aliases import Json
from scoring.tasks.kws.evaluation import KeywordSearchScores
from scoring.tasks.kws.measures import KeywordScore, Point, SetScores
from scoring.tasks.kws.parameters import Parameters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.schema.remarks import AnyMessage

SCHEMA = "sclite-kit/keyword-search"
SCHEMA_VERSION = 1


def signature(parameters: Parameters) -> str:
    """Return a line with every choice, other than the data, that determines the numbers."""
    rules = [name for name, value in parameters.rules._asdict().items() if value]
    named = "f4de" if len(rules) == len(parameters.rules) else "+".join(rules) or "sound"
    parts = {
        "unit": "segment" if parameters.segments else "occurrence",
        "beta": f"{parameters.beta:.15g}",
        "gap": f"{parameters.largest_gap:g}",
        "tolerance": f"{parameters.tolerance:g}",
        "rate": f"{parameters.trials_per_second:g}",
        "untargeted": "evaluated" if parameters.with_untargeted else "left-out",
        "unsearched": "left-out" if parameters.searched_only else "missed",
        "pooled": "yes" if parameters.pooled else "no",
        "rules": named,
        "v": VERSION,
    }
    return "|".join(["kws", *(f"{name}:{value}" for name, value in parts.items())])


def document_lines(
    scores: KeywordSearchScores,
    groups: Sequence[SetScores] = (),
    warnings: Sequence[str] = (),
    remarks: Iterable[AnyMessage] = (),
) -> Iterator[bytes]:
    """Yield the lines of the JSON text, one per keyword.

    `remarks` are the remarks on the files.
    """
    system = system_members(
        scores, scores.alignment.detections.header.system_id, groups, warnings, remarks
    )
    return document_of([system])


def document_of(systems: Iterable[Json]) -> Iterator[bytes]:
    """Yield the lines of the JSON text of systems."""
    head = head_of(SCHEMA, SCHEMA_VERSION)
    return json_file({**head, "systems": map(Members, systems)})


def system_members(
    scores: KeywordSearchScores,
    name: str,
    groups: Sequence[SetScores] = (),
    warnings: Sequence[str] = (),
    remarks: Iterable[AnyMessage] = (),
) -> Json:
    """Return the members of a system."""
    parameters = scores.parameters
    return {
        "signature": signature(parameters),
        "parameters": {
            **_parameters(parameters._asdict()),
            "rules": parameters.rules._asdict(),
            "beta": parameters.beta,
        },
        "name": name,
        "account": _account(scores),
        "remarks": [
            *remark_records(remarks),
            *(to_builtins(Remark(text, WARNING, "KWS")) for text in (*scores.warnings, *warnings)),
        ],
        "overall": _set_record(scores.overall),
        "groups": map(_set_record, groups),
    }


def _parameters(values: Json) -> Json:
    return {"unit_is_segment": values.pop("segments"), **values}


def _account(scores: KeywordSearchScores) -> Json:
    account = scores.alignment.account._asdict()
    return {"detection_count": account.pop("detections"), **account}


_COUNTED = ("targets", "correct", "false_alarms", "misses")


def _set_record(scores: SetScores) -> Members:
    chosen = scores.evaluated
    points = ("actual", "maximum", "optimum", "supremum")
    values: Json = {
        "name": scores.trials.name,
        "trials": scores.trials.trials,
        "duration": scores.trials.duration,
        "evaluated_count": len(chosen),
        **{name: sum(getattr(score, name) for score in chosen) for name in _COUNTED},
        "detection_count": sum(score.detections for score in chosen),
        **{name: _point(getattr(scores, name)) for name in points},
        "mean_average_precision": scores.mean_average_precision,
        "keywords": map(_keyword, scores.keywords),
    }
    return Members(values)


def _keyword(score: KeywordScore) -> Json:
    plain = ("evaluated", *_COUNTED, "correct_rejections", "p_fa", "p_miss", "twv")
    return {
        "keyword": score.block.identifier,
        "text": score.block.text,
        **{name: getattr(score, name) for name in plain},
        "optimum": _point(score.optimum),
        "supremum": _point(score.supremum),
        "average_precision": score.average_precision,
    }


def _point(point: Point) -> Json:
    record = point._asdict()
    if point.threshold is not None and not isfinite(point.threshold):
        record["threshold"] = None
    return record
