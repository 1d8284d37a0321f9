"""Scores of a keyword search as JSON; the same text for the same scores."""

from __future__ import annotations

from math import isfinite
from typing import TYPE_CHECKING, Any, TypeAlias

from scoring.version import VERSION

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from scoring.kws.evaluation import KeywordSearchScores
    from scoring.kws.measures import KeywordScore, Point, SetScores

__all__ = ["SCHEMA", "SCHEMA_VERSION", "document_lines", "signature"]

SCHEMA = "sclite-kit/keyword-search"
SCHEMA_VERSION = 1
Json: TypeAlias = dict[str, Any]


def signature(scores: KeywordSearchScores) -> str:
    """Everything the numbers depend on besides the data, in one line."""
    parameters = scores.parameters
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
) -> Iterator[bytes]:
    """The JSON text, a keyword a line."""
    parameters = scores.parameters
    head: Json = {
        "schema": SCHEMA,
        "version": SCHEMA_VERSION,
        "generator": f"sclite-kit {VERSION}",
        "signature": signature(scores),
        "parameters": {
            **parameters._asdict(),
            "rules": parameters.rules._asdict(),
            "beta": parameters.beta,
        },
        "system": scores.alignment.detections.header.system_id,
        "account": scores.alignment.account._asdict(),
        "warnings": [*scores.warnings, *warnings],
    }
    yield b"{\n"
    for name, value in head.items():
        yield _encoded(name) + b": " + _encoded(value) + b",\n"
    yield b'"overall": '
    yield from _set_lines(scores.overall)
    yield b',\n"groups": ['
    for number, group in enumerate(groups):
        yield b",\n" if number else b"\n"
        yield from _set_lines(group)
    yield b"\n]\n}\n"


def _set_lines(scores: SetScores) -> Iterator[bytes]:
    chosen = scores.evaluated
    summary: Json = {
        "name": scores.trials.name,
        "trials": scores.trials.trials,
        "duration": scores.trials.duration,
        "keywords_evaluated": len(chosen),
        "targets": sum(s.targets for s in chosen),
        "correct": sum(s.correct for s in chosen),
        "false_alarms": sum(s.false_alarms for s in chosen),
        "misses": sum(s.misses for s in chosen),
        "detections": sum(s.detections for s in chosen),
        "actual": _point(scores.actual),
        "maximum": _point(scores.maximum),
        "optimum": _point(scores.optimum),
        "supremum": _point(scores.supremum),
        "mean_average_precision": scores.mean_average_precision,
    }
    yield b"{\n"
    for name, value in summary.items():
        yield _encoded(name) + b": " + _encoded(value) + b",\n"
    yield b'"keywords": ['
    for number, score in enumerate(scores.keywords):
        yield (b",\n" if number else b"\n") + _encoded(_keyword(score))
    yield b"\n]\n}"


def _keyword(score: KeywordScore) -> Json:
    return {
        "keyword": score.block.identifier,
        "text": score.block.text,
        "evaluated": score.evaluated,
        "targets": score.targets,
        "correct": score.correct,
        "false_alarms": score.false_alarms,
        "misses": score.misses,
        "correct_rejections": score.correct_rejections,
        "p_fa": score.p_fa,
        "p_miss": score.p_miss,
        "twv": score.twv,
        "optimum": _point(score.optimum),
        "supremum": _point(score.supremum),
        "average_precision": score.average_precision,
    }


def _point(point: Point) -> Json:
    found = point._asdict()
    if point.threshold is not None and not isfinite(point.threshold):
        found["threshold"] = None
    return found


def _encoded(value: object) -> bytes:
    import json

    return json.dumps(value, ensure_ascii=False, allow_nan=False).encode(
        "utf-8", "backslashreplace"
    )
