"""Statistics of the lengths of labels."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from math import fsum
from statistics import median
from typing import Any

from formats.schema.words import Label
from scoring.tasks.labels.aligners.pairs import ListLikeTuple, duration

STATISTICS = ("total", "min", "max", "mean", "median", "variance")
_set = object.__setattr__


def _statistic(meaning: str, function: Callable[[Sequence[float]], float]) -> Any:
    """Return a property with a statistic of the lengths; None without lengths."""

    def statistic(labels: LabelSet) -> float | None:
        return function(labels.label_lengths) if labels.label_lengths else None

    return property(statistic, doc=meaning)


def _mean(lengths: Sequence[float]) -> float:
    return fsum(lengths) / len(lengths)


def _variance(lengths: Sequence[float]) -> float:
    mean = _mean(lengths)
    return _mean([(length - mean) ** 2 for length in lengths])


@dataclass(frozen=True, slots=True, init=False, repr=False)
class LabelSet:
    """A set of labels and the statistics of their lengths.

    Lengths are in seconds. Labels without times or without an end have no length; `without_length`
    is their number. Statistics are None without any lengths.

    >>> lengths = LabelSet([Label("a", 0, 1), Label("a", 5, 8), Label("a", 8, 10), Label("a")])
    >>> lengths.count, lengths.length_mean, lengths.length_median, lengths.without_length
    (4, 2.0, 2.0, 1)
    """

    labels: ListLikeTuple[Label]
    label_lengths: ListLikeTuple[float]

    def __init__(self, labels: Iterable[Label] = ()) -> None:
        _set(self, "labels", ListLikeTuple(labels))
        lengths = (
            duration(label.start, label.end)
            for label in self.labels
            if label.start is not None and label.end is not None
        )
        _set(self, "label_lengths", ListLikeTuple(lengths))

    @property
    def count(self) -> int:
        """The number of labels."""
        return len(self.labels)

    @property
    def without_length(self) -> int:
        """The number of labels without an end or without times."""
        return len(self.labels) - len(self.label_lengths)

    @property
    def total_length(self) -> float:
        """The sum of the lengths."""
        return fsum(self.label_lengths)

    length_min = _statistic("The least.", min)
    length_max = _statistic("The greatest.", max)
    length_mean = _statistic("The mean.", _mean)
    length_median = _statistic("The median: of two in the middle their mean.", median)
    length_variance = _statistic("That of the population (by n), in seconds squared.", _variance)

    @property
    def statistics(self) -> dict[str, float | None]:
        """The statistics named in `STATISTICS`."""
        names = ("total_length" if name == "total" else f"length_{name}" for name in STATISTICS)
        return dict(zip(STATISTICS, (getattr(self, name) for name in names), strict=True))

    def __repr__(self) -> str:
        return f"<LabelSet of {self.count} labels, {self.total_length:g} s>"
