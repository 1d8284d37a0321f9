"""Metrics of torchmetrics that count with this package; torchmetrics (1.x) has to be installed.

Each class is a `torchmetrics.Metric`: it goes into a `MetricCollection` and into `self.log` of
Lightning, moves with `.to`, and can be cloned, added and saved. Its states are counts, which are
summed over processes: `compute` returns the rate of all of them in each process. Without
torchmetrics use `scoring.peers.metrics`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from scoring.model.counts import Counts
from scoring.options import FIELDS
from scoring.peers import metrics

try:
    import torch
    from torchmetrics import Metric
except ImportError:

    class Metric:  # type: ignore[no-redef]
        """The base class of torchmetrics, which is not installed."""

        def __init__(self, **_: object) -> None:
            raise ImportError(
                "expected torchmetrics (pip install torchmetrics), found none; the metrics of "
                "scoring.peers.metrics need no other package"
            )


__all__ = [
    "CharErrorRate",
    "MatchErrorRate",
    "WordErrorRate",
    "WordInfoLost",
    "WordInfoPreserved",
]


class WordErrorRate(Metric):  # type: ignore[misc]
    """The word error rate of all batches of all processes, as a tensor.

    Parameters
    ----------
    profile, options
        As in `scoring.peers.metrics.WordErrorRate`.
    **choices
        Choices of `scoring.wer`, such as `normalize="plain"`, and those of `torchmetrics.Metric`.
    """

    is_differentiable = False
    higher_is_better = False
    full_state_update = False
    plot_lower_bound = 0.0
    counter = metrics.WordErrorRate

    def __init__(self, **choices: Any) -> None:
        own = {name: choices.pop(name) for name in ("options", *FIELDS) if name in choices}
        super().__init__(**choices)
        self.options = self.counter(**own).options
        for name in Counts._fields:
            self.add_state(name, torch.tensor(0), dist_reduce_fx="sum")

    def update(self, preds: str | Sequence[str], target: str | Sequence[str]) -> None:
        """Count a batch of as many predictions as targets."""
        batch = metrics.count_batch(preds, target, self.options)
        for name, number in batch._asdict().items():
            setattr(self, name, getattr(self, name) + number)

    def compute(self) -> torch.Tensor:
        """Errors per reference token; not a number before the first token."""
        errors = self.substitutions + self.deletions + self.insertions
        return errors / (self.correct + self.substitutions + self.deletions)

    @property
    def counts(self) -> Counts:
        """The counts of this process, or of all of them while they are in step."""
        return Counts(*(int(getattr(self, name)) for name in Counts._fields))


class CharErrorRate(WordErrorRate):
    """The character error rate of all batches of all processes; a blank is a character."""

    counter = metrics.CharErrorRate


class MatchErrorRate(WordErrorRate):
    """The match error rate of all batches of all processes, with torchmetrics' number.

    Torchmetrics divides the errors by the words of the longer text of each pair. An alignment can
    have more pairs than that, so `scoring.wer(…).mer` can be a little lower.
    """

    def __init__(self, **choices: Any) -> None:
        super().__init__(**choices)
        self.add_state("longer", torch.tensor(0), dist_reduce_fx="sum")

    def update(self, preds: str | Sequence[str], target: str | Sequence[str]) -> None:
        """Count a batch of as many predictions as targets."""
        rates = metrics.score_batch(preds, target, self.options)
        for counts in [] if rates is None else rates.per_utterance:
            for name, number in counts._asdict().items():
                setattr(self, name, getattr(self, name) + number)
            self.longer += counts.reference_tokens + max(counts.insertions - counts.deletions, 0)

    def compute(self) -> torch.Tensor:
        """Errors per word of the longer texts; not a number before the first word."""
        return (self.substitutions + self.deletions + self.insertions) / self.longer


class WordInfoPreserved(MatchErrorRate):
    """The word information preserved of all batches of all processes, with torchmetrics' number."""

    higher_is_better = True

    def compute(self) -> torch.Tensor:
        """The share of both sides that is equal; not a number before the first words."""
        spoken = self.correct + self.substitutions
        equal = self.longer - self.substitutions - self.deletions - self.insertions
        return (equal / (spoken + self.deletions)) * (equal / (spoken + self.insertions))


class WordInfoLost(WordInfoPreserved):
    """The word information lost of all batches of all processes, with torchmetrics' number."""

    higher_is_better = False

    def compute(self) -> torch.Tensor:
        """One minus `WordInfoPreserved`."""
        return 1 - super().compute()
