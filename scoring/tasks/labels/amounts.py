"""The five amounts that evaluations count, and the rates computed from them.

For a value, *correct* counts reference labels that were recognised as this value, *deletions*
reference labels that were not recognised, and *substitutions* reference labels that were recognised
as another value. *Insertions* counts recognised labels without reference, and *substitutions out*
recognised labels whose reference is another value. The formulas are the usual ones, as in the
Python package evalmate. A rate with divisor 0 is None here and 0 in evalmate.
"""

from __future__ import annotations

from typing import Any, NamedTuple


class Amounts(NamedTuple):
    """Five integers: numbers of events, or nanoseconds; sums are exact in any order."""

    correct: int = 0
    insertions: int = 0
    deletions: int = 0
    substitutions: int = 0
    substitutions_out: int = 0


class KeywordRates(NamedTuple):
    """Rates of keywords; fields have the names used in reports. None if a duration is unknown."""

    false_rejection_rate: float
    false_alarm_rate: float | None
    term_weighted_value: float | None


def _sum(meaning: str, *names: str) -> Any:
    """Return a property that is the sum of the named amounts, in events or seconds."""

    def total(measures: Measures) -> float:
        amounts = measures.amounts
        return measures.in_units(sum(getattr(amounts, name) for name in names))

    return property(total, doc=meaning)


class Measures:
    """Base of results with five amounts (events or seconds), and rates computed from them."""

    __slots__ = ()

    @property
    def amounts(self) -> Amounts:
        """The five amounts, which can be added."""
        return Amounts(*(getattr(self, name) for name in Amounts._fields))

    @property
    def per_unit(self) -> int:
        """The divisor of an amount: 1 for events, 10⁹ for seconds."""
        return 1

    def in_units(self, amount: int) -> float:
        """Convert an amount to the unit of reports: events or seconds."""
        return amount if self.per_unit == 1 else amount / self.per_unit

    correct = _sum("Recognised as what it is.", "correct")
    insertions = _sum("Recognised where nothing was.", "insertions")
    deletions = _sum("Not recognised as anything.", "deletions")
    substitutions = _sum("Recognised as something else.", "substitutions")
    substitutions_out = _sum("Recognised where something else was.", "substitutions_out")
    total = _sum("All of the reference.", "correct", "deletions", "substitutions")
    true_positives = _sum("The same as `correct`.", "correct")
    false_negatives = _sum("Deletions and substitutions.", "deletions", "substitutions")
    false_positives = _sum("Insertions, substitutions out.", "insertions", "substitutions_out")

    @property
    def error_rate(self) -> float | None:
        """Substitutions, deletions and insertions divided by the reference total; may exceed 1."""
        correct, inserted, deleted, substituted, _ = self.amounts
        return _ratio(substituted + deleted + inserted, correct + deleted + substituted)

    @property
    def accuracy(self) -> float | None:
        """Correct divided by the sum of the reference total and insertions."""
        return _ratio(self.amounts.correct, sum(self.amounts[:4]))

    @property
    def precision(self) -> float | None:
        """Correct divided by all recognised labels."""
        correct, inserted, _, _, out = self.amounts
        return _ratio(correct, correct + inserted + out)

    @property
    def recall(self) -> float | None:
        """Correct divided by the reference total."""
        correct, _, deleted, substituted, _ = self.amounts
        return _ratio(correct, correct + deleted + substituted)

    def f_measure(self, beta: float = 1) -> float | None:
        """Return the weighted harmonic mean of precision and recall.

        Recall has `beta` times the weight of precision.
        """
        if not beta >= 0:
            raise ValueError(f"beta: expected a number from 0, found {beta}")
        correct, inserted, deleted, substituted, out = self.amounts
        missed, invented, weight = deleted + substituted, inserted + out, beta * beta
        if not (correct or missed or invented):
            return None
        whole = (1 + weight) * correct + weight * missed + invented
        return (1 + weight) * correct / whole if correct else 0.0

    def __repr__(self) -> str:
        amounts = ", ".join(
            f"{name}={getattr(self, name):g}" for name in Amounts._fields if getattr(self, name)
        )
        return f"<{type(self).__name__}{self._repr_name()}: {amounts or 'nothing'}>"

    def _repr_name(self) -> str:
        return ""


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
