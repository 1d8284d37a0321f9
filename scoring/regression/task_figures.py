"""The numbers of tasks other than words: what gates limit, and what two results are compared by."""

from __future__ import annotations

from collections.abc import Mapping

from scoring.results.measured import Figure

# The first number of a task is its main one, which `--fail-increase` limits.
TASK_FIGURES: Mapping[str, tuple[Figure, ...]] = {
    "der": (
        Figure("error_rate", "diarisation error rate", high=None),
        Figure("missed_rate", "missed speaker time"),
        Figure("false_alarm_rate", "false speaker time", high=None),
        Figure("confusion_rate", "confused speaker time"),
        Figure("jaccard_error_rate", "Jaccard error rate"),
        Figure("purity", "purity", better="higher"),
        Figure("coverage", "coverage", better="higher"),
        Figure("detection_cost", "detection cost", form="number"),
    ),
    "kws": (
        Figure("atwv", "actual term-weighted value", better="higher", low=None, form="number"),
        Figure("mtwv", "maximum term-weighted value", better="higher", low=None, form="number"),
        Figure("otwv", "optimum term-weighted value", better="higher", low=None, form="number"),
        Figure("stwv", "supremum term-weighted value", better="higher", form="number"),
        Figure("p_miss", "probability of a miss", form="number"),
        Figure("p_fa", "probability of a false alarm", form="number"),
        Figure("map", "mean average precision", better="higher", form="number"),
    ),
    "per": (
        Figure("error_rate", "phoneme error rate", high=None),
        Figure("sentence_error_rate", "utterances with an error"),
    ),
    "labels": (
        Figure("error_rate", "error rate", high=None),
        Figure("accuracy", "accuracy", better="higher", low=None),
        Figure("precision", "precision", better="higher"),
        Figure("recall", "recall", better="higher"),
        Figure("f_measure", "F measure", better="higher"),
        Figure("false_rejection_rate", "false rejection rate"),
        Figure("false_alarm_rate", "false alarm rate", high=None, form="number"),
        Figure("false_alarms_per_hour", "false alarms per hour", high=None, form="number"),
        Figure("term_weighted_value", "term-weighted value", better="higher", form="number"),
    ),
}
# The task, and the newest version that is read.
SCHEMAS = {
    "sclite-kit/diarisation": ("der", 1),
    "sclite-kit/keyword-search": ("kws", 1),
    "sclite-kit/phoneme-error-rates": ("per", 1),
    "sclite-kit/labels": ("labels", 1),
}


def task_of(path: str) -> str | None:
    """Return the task whose JSON a file holds; None of other files."""
    try:
        with open(path, "rb") as file:
            head = file.read(256)
    except OSError:
        return None
    if not head.lstrip().startswith(b"{"):
        return None
    return next((task for name, (task, _) in SCHEMAS.items() if f'"{name}"'.encode() in head), None)
