"""Hugging Face evaluate's `load`, with the error rates of `scoring.peers.metrics`.

>>> load("wer").compute(predictions=["the cat sat"], references=["the cat sat down"])
0.25
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, cast

from scoring.peers import metrics
from scoring.peers.metrics import METRICS, MetricName

__all__ = ["load"]


def load(path: str, *arguments: Any, **keywords: Any) -> Any:
    """Load a metric by name: `wer`, `cer` and `mer` are ours, all others are those of evaluate.

    Keywords of our metrics are those of `scoring.peers.metrics.load`. All other arguments of
    evaluate's `load` (for example storage and version) have no effect on our metrics. If evaluate
    is not installed, any other name raises ImportError.
    """
    name = path.rstrip("/").rpartition("/")[2]  # evaluate-metric/wer, ./metrics/wer
    if name in METRICS:
        own = {key: value for key, value in keywords.items() if key not in _STORAGE}
        return metrics.load(cast("MetricName", name), **own)
    try:
        original = import_module("evaluate.loading")
    except ImportError:
        raise ImportError(
            f"expected one of {', '.join(METRICS)}, or the package evaluate (pip install evaluate) "
            f"for other metrics, found {path!r}"
        ) from None
    return original.load(path, *arguments, **keywords)


# where evaluate keeps what is added, and what it downloads
_STORAGE = frozenset(
    {
        *("config_name", "module_type", "process_id", "num_process", "cache_dir", "revision"),
        *("experiment_id", "keep_in_memory", "download_config", "download_mode"),
    }
)
