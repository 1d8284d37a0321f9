"""Statistics of the lengths of labels."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from math import fsum
from statistics import median

from formats.words import Label
from scoring.labels.aligners.pairs import ListLikeTuple, duration

STATISTICS = ("total", "min", "max", "mean", "median", "variance")
_set = object.__setattr__


@dataclass(frozen=True, slots=True, init=False, repr=False)
class LabelSet:
    """Some labels and the statistics of their lengths.

    Lengths are seconds; labels that have none, as they are open or without times, do not take part,
    and `without_length` counts them. Statistics of no lengths are None.

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
        """How many labels."""
        return len(self.labels)

    @property
    def without_length(self) -> int:
        """How many of them have no end, or no times."""
        return len(self.labels) - len(self.label_lengths)

    @property
    def total_length(self) -> float:
        """All lengths together."""
        return fsum(self.label_lengths)

    @property
    def length_min(self) -> float | None:
        """The least."""
        return min(self.label_lengths, default=None)

    @property
    def length_max(self) -> float | None:
        """The greatest."""
        return max(self.label_lengths, default=None)

    @property
    def length_mean(self) -> float | None:
        """The mean."""
        return self.total_length / len(self.label_lengths) if self.label_lengths else None

    @property
    def length_median(self) -> float | None:
        """The median: of two in the middle their mean."""
        return median(self.label_lengths) if self.label_lengths else None

    @property
    def length_variance(self) -> float | None:
        """The variance of the population (divided by n), in seconds squared."""
        mean, lengths = self.length_mean, self.label_lengths
        if mean is None:
            return None
        return fsum((length - mean) ** 2 for length in lengths) / len(lengths)

    @property
    def statistics(self) -> dict[str, float | None]:
        """Those of `STATISTICS`."""
        names = ("total_length" if name == "total" else f"length_{name}" for name in STATISTICS)
        return dict(zip(STATISTICS, (getattr(self, name) for name in names), strict=True))

    def __repr__(self) -> str:
        return f"<LabelSet of {self.count} labels, {self.total_length:g} s>"
