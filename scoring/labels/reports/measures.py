"""Numbers as reports show them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.labels.aligners.pairs import LabelPair
from scoring.labels.aligners.segments import Segment, SegmentPair
from scoring.labels.amounts import Measures
from scoring.model import Edit
from scoring.pages.numbers import decimal

if TYPE_CHECKING:
    from typing_extensions import TypeIs

    from scoring.labels.evaluation import AnyEvaluation
    from scoring.labels.keywords import KWSEvaluation


def amount(number: float) -> str:
    """Events as they are, seconds with two decimals.

    >>> amount(3), amount(3.0)
    ('3', '3.00')
    """
    return f"{number}" if isinstance(number, int) else f"{number:.2f}"


def alarm_rate(rate: float | None) -> str:
    """A rate of false alarms; a small one with an exponent.

    >>> alarm_rate(0.05), alarm_rate(0.00012), alarm_rate(0)
    ('0.0500', '1.2e-04', '0.0000')
    """
    if rate is not None and 0 < rate < 0.001:
        return f"{rate:.1e}"
    return decimal(rate, 4)


def seconds(time: float | None) -> str:
    """A time of a label; nothing if there is none."""
    return "" if time is None else f"{time:.3f}"


def basic(measures: Measures) -> list[str]:
    """Total, correct, substitutions, deletions and insertions."""
    return [
        amount(measures.total),
        amount(measures.correct),
        amount(measures.substitutions),
        amount(measures.deletions),
        amount(measures.insertions),
    ]


def weight(item: LabelPair | SegmentPair) -> int:
    """How much an aligned item counts: 1, or its nanoseconds."""
    return item.nanoseconds if isinstance(item, Segment) else 1


def tallied(evaluation: AnyEvaluation, utterance: str) -> dict[Edit, float]:
    """Correct, substitutions, deletions and insertions of an utterance, events or seconds."""
    sums = dict.fromkeys((Edit.CORRECT, Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION), 0)
    for item in evaluation.aligned[utterance]:
        sums[item.edit] += weight(item)
    per_unit = 10**9 if evaluation.unit == "seconds" else 1
    return {edit: own if per_unit == 1 else own / per_unit for edit, own in sums.items()}


def spots_keywords(evaluation: AnyEvaluation) -> TypeIs[KWSEvaluation]:
    """Whether an evaluation is one of keywords, which has rates of its own."""
    return evaluation.unit == "keywords"
