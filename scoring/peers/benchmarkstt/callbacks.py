"""Remote methods: they normalize texts, compute a metric, or do both."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from io import StringIO
from typing import Any

from scoring.peers.benchmarkstt.input import PlainText
from scoring.peers.benchmarkstt.normalization import Config, CSVParserError
from scoring.peers.benchmarkstt.normalization_log import listening, log_record
from scoring.peers.benchmarkstt.schema import Schema, jsonable
from scoring.peers.benchmarkstt.segmentation import Normalizes


class InvalidParametersError(AssertionError):
    """Invalid arguments. The text describes the error, often as a JSON object with a `message`."""


def normalization(
    cls: Callable[..., Normalizes],
    text: str,
    return_logs: object = None,
    *args: Any,
    **kwargs: Any,
) -> dict[str, Any]:
    """Apply a normalizer to a text.

    >>> from scoring.peers.benchmarkstt.normalization import Replace
    >>> normalization(Replace, "HELLO", False, "E", "A")
    {'text': 'HALLO'}
    """
    with _csv_errors():
        normalizer = cls(*args, **kwargs)
    logs: list[dict[str, object]] = []
    # finding the difference of texts takes long
    with _recorded(logs, None) if return_logs else nullcontext():
        normalized = normalizer.normalize(text)
    return {"text": normalized, "logs": logs} if return_logs else {"text": normalized}


def metrics(cls: Callable[..., Any], ref: str, hyp: str, *args: Any, **kwargs: Any) -> Any:
    """Return the result of a metric for a reference and a hypothesis.

    >>> from scoring.peers.benchmarkstt.metrics import WER
    >>> metrics(WER, "HELLO WORLD", "GOODBYE WORLD")
    0.5
    """
    sides = Schema(PlainText(ref)), Schema(PlainText(hyp))
    return jsonable(cls(*args, **kwargs).compare(*sides))


def benchmark(
    cls: Callable[..., Any],
    ref: str,
    hyp: str,
    config: str | None = None,
    return_logs: object = None,
    *args: Any,
    **kwargs: Any,
) -> dict[str, Any]:
    """Normalize two texts, compute a metric, and return its result."""
    normalizer = None
    if config is not None and config.strip():
        with _csv_errors():
            normalizer = Config(StringIO(config))
    metric = cls(*args, **kwargs)
    logs: list[dict[str, object]] = []
    sides = []
    for title, text in (("Reference", ref), ("Hypothesis", hyp)):
        with _recorded(logs, title) if return_logs else nullcontext():
            sides.append(Schema(PlainText(text, normalizer=normalizer)))
    result = {cls.__name__.lower(): jsonable(metric.compare(*sides))}
    return {**result, "logs": logs} if return_logs else result


def _recorded(logs: list[dict[str, object]], title: str | None) -> AbstractContextManager[None]:
    """Append each change by a normalizer during a `with` block to `logs`."""
    return listening(lambda item: logs.append(log_record(item, title)))


@contextmanager
def _csv_errors() -> Iterator[None]:
    """Convert errors in rule files during a `with` block to InvalidParametersError.

    The text of the error has the file and the line.
    """
    try:
        yield
    except CSVParserError as error:
        doc = (type(error).__doc__ or "").strip().partition("\n")[0]
        place = f"on line {error.line}, character {error.char}"
        message = {
            "message": f"{doc}\n{error.message}\n{place}",
            "line": error.line,
            "char": error.char,
            "index": error.index,
            "field": "config",
        }
        raise InvalidParametersError(json.dumps(message)) from error
