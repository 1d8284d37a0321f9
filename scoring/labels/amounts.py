"""Five amounts of what was recognised, and the rates that derive from them.

*Correct* is a value taken for itself; *deletions* the value taken for nothing; *substitutions* the
value taken for something else; *insertions* the value where nothing was; *substitutions out* the
value where something else was. The formulas are the usual ones, and those of the Python package
evalmate, except that a rate with nothing to divide by is None here and 0 there.
"""

from __future__ import annotations

from typing import NamedTuple


class Amounts(NamedTuple):
    """Whole numbers: events, or nanoseconds, so that sums are exact in any order."""

    correct: int = 0
    insertions: int = 0
    deletions: int = 0
    substitutions: int = 0
    substitutions_out: int = 0


class KeywordRates(NamedTuple):
    """Rates of keywords by their names in reports; None where a duration is unknown."""

    false_rejection_rate: float
    false_alarm_rate: float | None
    term_weighted_value: float | None


class Measures:
    """The five amounts and what is derived from them."""

    __slots__ = ()

    @property
    def amounts(self) -> Amounts:
        """All five, as they are added up."""
        return Amounts(*(getattr(self, name) for name in Amounts._fields))

    @property
    def per_unit(self) -> int:
        """What an amount is divided by: 1 for events, 10⁹ for seconds."""
        return 1

    def shown(self, amount: int) -> float:
        """An amount as people read it: the number of events, or seconds."""
        return amount if self.per_unit == 1 else amount / self.per_unit

    @property
    def correct(self) -> float:
        """Recognised as what it is."""
        return self.shown(self.amounts.correct)

    @property
    def insertions(self) -> float:
        """Recognised where nothing was."""
        return self.shown(self.amounts.insertions)

    @property
    def deletions(self) -> float:
        """Not recognised as anything."""
        return self.shown(self.amounts.deletions)

    @property
    def substitutions(self) -> float:
        """Recognised as something else."""
        return self.shown(self.amounts.substitutions)

    @property
    def substitutions_out(self) -> float:
        """Recognised where something else was; over all values the same as `substitutions`."""
        return self.shown(self.amounts.substitutions_out)

    @property
    def total(self) -> float:
        """All of the reference: correct, deletions and substitutions."""
        return self.shown(self._total)

    @property
    def _total(self) -> int:
        return self.amounts.correct + self.amounts.deletions + self.amounts.substitutions

    @property
    def true_positives(self) -> float:
        """The same as `correct`."""
        return self.correct

    @property
    def false_negatives(self) -> float:
        """Deletions and substitutions."""
        return self.shown(self.amounts.deletions + self.amounts.substitutions)

    @property
    def false_positives(self) -> float:
        """Insertions and substitutions out."""
        return self.shown(self.amounts.insertions + self.amounts.substitutions_out)

    @property
    def error_rate(self) -> float | None:
        """Substitutions, deletions and insertions per total; may be greater than 1."""
        amounts = self.amounts
        return _ratio(amounts.substitutions + amounts.deletions + amounts.insertions, self._total)

    @property
    def accuracy(self) -> float | None:
        """Correct per total and insertions."""
        return _ratio(self.amounts.correct, self._total + self.amounts.insertions)

    @property
    def precision(self) -> float | None:
        """True positives per all that was recognised."""
        amounts = self.amounts
        return _ratio(
            amounts.correct, amounts.correct + amounts.insertions + amounts.substitutions_out
        )

    @property
    def recall(self) -> float | None:
        """Correct per total."""
        return _ratio(self.amounts.correct, self._total)

    def f_measure(self, beta: float = 1) -> float | None:
        """Weighted harmonic mean of precision and recall; a recall weighs `beta` times as much."""
        if not beta >= 0:
            raise ValueError(f"beta: expected a number from 0, found {beta}")
        amounts, weight = self.amounts, beta * beta
        missed, invented = (
            amounts.deletions + amounts.substitutions,
            amounts.insertions + amounts.substitutions_out,
        )
        if not (amounts.correct or missed or invented):
            return None
        whole = (1 + weight) * amounts.correct + weight * missed + invented
        return (1 + weight) * amounts.correct / whole if amounts.correct else 0.0

    def __repr__(self) -> str:
        shown = ", ".join(
            f"{name}={getattr(self, name):g}" for name in Amounts._fields if getattr(self, name)
        )
        return f"<{type(self).__name__}{self._repr_name()}: {shown or 'nothing'}>"

    def _repr_name(self) -> str:
        return ""


def _ratio(part: int, whole: int) -> float | None:
    return part / whole if whole else None
