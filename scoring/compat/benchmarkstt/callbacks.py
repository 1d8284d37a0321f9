"""Normalize, measure, or both: what remote methods do with a class and its arguments."""

from __future__ import annotations

import json
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from io import StringIO
from typing import Any

from scoring.compat.benchmarkstt.input import PlainText
from scoring.compat.benchmarkstt.normalization import Config, CSVParserError
from scoring.compat.benchmarkstt.normalization_log import NormalizedLogItem, listening, log_record
from scoring.compat.benchmarkstt.schema import Schema
from scoring.compat.benchmarkstt.segmentation import Normalizes


class InvalidParametersError(AssertionError):
    """Arguments that mean nothing. What is wrong is the text, often JSON with a `message`."""


def normalization(
    cls: Callable[..., Normalizes],
    text: str,
    return_logs: object = None,
    *args: Any,
    **kwargs: Any,
) -> dict[str, Any]:
    """A normalizer applied to a text.

    >>> from scoring.compat.benchmarkstt.normalization import Replace
    >>> normalization(Replace, "HELLO", False, "E", "A")
    {'text': 'HALLO'}
    """
    try:
        normalizer = cls(*args, **kwargs)
    except CSVParserError as error:
        raise csv_refusal(error) from error
    logs: list[dict[str, object]] = []
    with _recorded(logs, None, return_logs):
        normalized = normalizer.normalize(text)
    return {"text": normalized, "logs": logs} if return_logs else {"text": normalized}


def metrics(cls: Callable[..., Any], ref: str, hyp: str, *args: Any, **kwargs: Any) -> Any:
    """What a metric says of two texts.

    >>> from scoring.compat.benchmarkstt.metrics import WER
    >>> metrics(WER, "HELLO WORLD", "GOODBYE WORLD")
    0.5
    """
    return jsonable(cls(*args, **kwargs).compare(_schema(ref, None), _schema(hyp, None)))


def benchmark(
    cls: Callable[..., Any],
    ref: str,
    hyp: str,
    config: str | None = None,
    return_logs: object = None,
    *args: Any,
    **kwargs: Any,
) -> dict[str, Any]:
    """What a metric says of two texts that are normalized first."""
    normalizer = None
    if config is not None and config.strip():
        try:
            normalizer = Config(StringIO(config))
        except CSVParserError as error:
            raise csv_refusal(error) from error
    metric = cls(*args, **kwargs)
    logs: list[dict[str, object]] = []
    sides = []
    for title, text in (("Reference", ref), ("Hypothesis", hyp)):
        with _recorded(logs, title, return_logs):
            sides.append(_schema(text, normalizer))
    result = {cls.__name__.lower(): jsonable(metric.compare(*sides))}
    return {**result, "logs": logs} if return_logs else result


def _schema(text: str, normalizer: Normalizes | None) -> Schema:
    return Schema(PlainText(text, normalizer=normalizer))


def _recorded(
    logs: list[dict[str, object]], title: str | None, wanted: object
) -> AbstractContextManager[object]:
    """Keep what steps change, if that is wanted: the difference of texts takes long to find."""
    if not wanted:
        return nullcontext()

    def listener(item: NormalizedLogItem) -> None:
        logs.append(log_record(item, title))

    return listening(listener)


def jsonable(result: Any) -> Any:
    """A result as JSON can say it: named tuples as objects."""
    return result._asdict() if hasattr(result, "_asdict") else result


def csv_refusal(error: CSVParserError) -> InvalidParametersError:
    """What is wrong with a config or a file of rules, and where."""
    doc = (type(error).__doc__ or "").strip().partition("\n")[0]
    place = f"on line {error.line}, character {error.char}"
    return InvalidParametersError(
        json.dumps(
            {
                "message": f"{doc}\n{error.message}\n{place}",
                "line": error.line,
                "char": error.char,
                "index": error.index,
                "field": "config",
            }
        )
    )
