"""The kinds of results (words, seconds, keywords, phonemes, labels) and their numbers.

Gates limit these numbers, and comparisons of two results use them.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from scoring.drawing.data import head_of
from scoring.results.measured import Figure

SCHEMA, SCHEMA_VERSION = "sclite-kit/task-comparison", 1
ERROR_RATE = Figure("error_rate", "error rate", "errors / words", high=None)


class Task(NamedTuple):
    """A kind of result: columns that add up over units, and the numbers computed from their sums.

    Attributes
    ----------
    name, unit
        The names of the task and of one row of its table.
    figures
        The numbers, the main number first. A number without a formula cannot be computed from
        column sums.
    columns
        The columns of every table; a table may have more.
    wrong, size
        The columns whose sums are the errors of a unit and its size.
    counted
        Plural noun for the units in the size.
    lost
        What the sums of `wrong` are, as a heading; empty for errors in the units of `counted`.
    is_value
        True if a unit's value is its size less its `wrong`, so that reports show the value.
    """

    name: str
    unit: str
    figures: tuple[Figure, ...]
    columns: tuple[str, ...]
    wrong: tuple[str, ...]
    size: tuple[str, ...]
    counted: str
    lost: str = ""
    is_value: bool = False

    @property
    def wrong_title(self) -> str:
        """The heading of columns that show how much is wrong."""
        return self.lost or f"wrong {self.counted}"


WORDS = Task(
    "wer",
    "utterance",
    (ERROR_RATE,),
    ("errors", "words"),
    ("errors",),
    ("words",),
    "words",
    "errors",
)
TASKS: Mapping[str, Task] = {
    task.name: task
    for task in (
        WORDS,
        Task(
            "der",
            "recording",
            (
                Figure(
                    "error_rate",
                    "diarisation error rate",
                    "missed + false_alarm + confusion / scored",
                    high=None,
                ),
                Figure("missed_rate", "missed speaker time", "missed / scored"),
                Figure("false_alarm_rate", "false speaker time", "false_alarm / scored", high=None),
                Figure("confusion_rate", "confused speaker time", "confusion / scored"),
                Figure("jaccard_error_rate", "Jaccard error rate"),
                Figure("purity", "purity", better="higher"),
                Figure("coverage", "coverage", better="higher"),
                Figure("detection_cost", "detection cost", form="number"),
            ),
            ("scored", "missed", "false_alarm", "confusion"),
            ("missed", "false_alarm", "confusion"),
            ("scored",),
            "seconds",
        ),
        Task(
            "kws",
            "keyword",
            (
                Figure(
                    "atwv", "actual term-weighted value", better="higher", low=None, form="number"
                ),
                Figure(
                    "mtwv", "maximum term-weighted value", better="higher", low=None, form="number"
                ),
                Figure(
                    "otwv", "optimum term-weighted value", better="higher", low=None, form="number"
                ),
                Figure("stwv", "supremum term-weighted value", better="higher", form="number"),
                Figure("p_miss", "probability of a miss", "p_miss / targeted", form="number"),
                Figure("p_fa", "probability of a false alarm", "p_fa / evaluated", form="number"),
                Figure("map", "mean average precision", better="higher", form="number"),
            ),
            ("p_miss", "targeted", "p_fa", "evaluated", "loss"),
            ("loss",),
            ("targeted",),
            "keywords",
            "value (TWV)",
            is_value=True,
        ),
        Task(
            "per",
            "utterance",
            (
                Figure("error_rate", "phoneme error rate", "errors / phonemes", high=None),
                Figure("sentence_error_rate", "utterances with an error", "wrong / utterances"),
            ),
            ("errors", "phonemes", "wrong", "utterances"),
            ("errors",),
            ("phonemes",),
            "phonemes",
        ),
        Task(
            "labels",
            "utterance",
            (
                Figure("error_rate", "error rate", "S + D + I / C + S + D", high=None),
                Figure("accuracy", "accuracy", better="higher", low=None),
                Figure("precision", "precision", "C / C + S + I", better="higher"),
                Figure("recall", "recall", "C / C + S + D", better="higher"),
                Figure("f_measure", "F measure", better="higher"),
                Figure("false_rejection_rate", "false rejection rate"),
                Figure("false_alarm_rate", "false alarm rate", high=None, form="number"),
                Figure("false_alarms_per_hour", "false alarms per hour", high=None, form="number"),
                Figure(
                    "term_weighted_value", "term-weighted value", better="higher", form="number"
                ),
            ),
            ("C", "S", "D", "I"),
            ("S", "D", "I"),
            ("C", "S", "D"),
            "labels",
        ),
    )
}
# The numbers of tasks that conditions name, the main one first.
TASK_FIGURES: Mapping[str, tuple[Figure, ...]] = {
    name: task.figures for name, task in TASKS.items() if task is not WORDS
}
# The task, and the newest version that is read.
SCHEMAS = {
    "sclite-kit/diarisation": ("der", 1),
    "sclite-kit/keyword-search": ("kws", 1),
    "sclite-kit/phoneme-error-rates": ("per", 1),
    "sclite-kit/labels": ("labels", 1),
}


def comparison_head() -> dict[str, Any]:
    """Return the members that begin the JSON of each comparison for a task."""
    return head_of(SCHEMA, SCHEMA_VERSION)


def task_of(path: str) -> str | None:
    """Return the task of a JSON result; None for other files."""
    try:
        with open(path, "rb") as file:
            head = file.read(256)
    except OSError:
        return None
    if not head.lstrip().startswith(b"{"):
        return None
    return next((task for name, (task, _) in SCHEMAS.items() if f'"{name}"'.encode() in head), None)
