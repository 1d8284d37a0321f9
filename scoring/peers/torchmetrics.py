"""Metrics for torchmetrics 1.x; this package counts their errors.

Each class is a `torchmetrics.Metric`: it works in a `MetricCollection` and in `self.log` of
Lightning, moves with `.to`, and can be cloned, added and saved. Its states are counts, which are
summed over processes: in each process, `compute` returns the rate over all processes. Without
torchmetrics use `scoring.peers.metrics`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar, Literal, TypeAlias, get_args

from scoring.alignment.sequences import edit_distance_batch
from scoring.model.counts import Costs, Counts
from scoring.options import FIELDS
from scoring.peers import metrics

try:
    import torch
    from torchmetrics.metric import Metric
except ImportError:

    class Metric:  # type: ignore[no-redef]
        """Stands in for the base class of torchmetrics if torchmetrics is not installed."""

        def __init__(self, **_: object) -> None:
            raise ImportError(
                "expected torchmetrics (pip install torchmetrics), found none; the metrics of "
                "scoring.peers.metrics need no other package"
            )


__all__ = [
    "CharErrorRate",
    "EditDistance",
    "MatchErrorRate",
    "WordErrorRate",
    "WordInfoLost",
    "WordInfoPreserved",
    "char_error_rate",
    "edit_distance",
    "match_error_rate",
    "word_error_rate",
    "word_information_lost",
    "word_information_preserved",
]

Texts: TypeAlias = str | Sequence[str]
Reduction: TypeAlias = Literal["mean", "sum", "none"] | None
REDUCTIONS = (*get_args(get_args(Reduction)[0]), None)


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
    # scripts of torch (`torch.jit.script`) leave out what these compute
    __jit_unused_properties__: ClassVar[list[str]] = [
        *getattr(Metric, "__jit_unused_properties__", ()),
        "counts",
    ]

    def __init__(self, **choices: Any) -> None:
        own = {name: choices.pop(name) for name in ("options", *FIELDS) if name in choices}
        super().__init__(**choices)
        self.options = self.counter(**own).options
        for name in Counts._fields:
            self.add_state(name, torch.tensor(0), dist_reduce_fx="sum")

    def update(self, preds: str | Sequence[str], target: str | Sequence[str]) -> None:
        """Count a batch of equally many predictions and targets."""
        batch = metrics.count_batch(preds, target, self.options)
        for name, number in batch._asdict().items():
            setattr(self, name, getattr(self, name) + number)

    def compute(self) -> torch.Tensor:
        """Return errors per reference token; NaN before the first token."""
        errors = self.substitutions + self.deletions + self.insertions
        return errors / (self.correct + self.substitutions + self.deletions)

    @property
    def counts(self) -> Counts:
        """The counts of this process; those of all processes while they are synchronised."""
        return Counts(*(int(getattr(self, name)) for name in Counts._fields))


class CharErrorRate(WordErrorRate):
    """The character error rate of all batches of all processes; a blank is a character."""

    counter = metrics.CharErrorRate


class MatchErrorRate(WordErrorRate):
    """The match error rate of all batches of all processes, as torchmetrics defines it.

    Torchmetrics divides the errors by the words of the longer text of each pair. An alignment can
    have more pairs than that, so `scoring.wer(…).mer` can be a little lower.
    """

    def __init__(self, **choices: Any) -> None:
        super().__init__(**choices)
        self.add_state("longer", torch.tensor(0), dist_reduce_fx="sum")

    def update(self, preds: str | Sequence[str], target: str | Sequence[str]) -> None:
        """Count a batch of equally many predictions and targets."""
        rates = metrics.score_batch(preds, target, self.options)
        for counts in [] if rates is None else rates.per_utterance:
            for name, number in counts._asdict().items():
                setattr(self, name, getattr(self, name) + number)
            self.longer += counts.reference_tokens + max(counts.insertions - counts.deletions, 0)

    def compute(self) -> torch.Tensor:
        """Return errors per word of the longer texts; NaN before the first word."""
        return (self.substitutions + self.deletions + self.insertions) / self.longer


class WordInfoPreserved(MatchErrorRate):
    """The word information preserved of all batches and processes, as torchmetrics defines it."""

    higher_is_better = True

    def compute(self) -> torch.Tensor:
        """Return the share of correct words in the reference, times that in the predictions.

        Return NaN before the first words.
        """
        spoken = self.correct + self.substitutions
        equal = self.longer - self.substitutions - self.deletions - self.insertions
        return (equal / (spoken + self.deletions)) * (equal / (spoken + self.insertions))


class WordInfoLost(WordInfoPreserved):
    """The word information lost: one minus the word information preserved."""

    higher_is_better = False

    def compute(self) -> torch.Tensor:
        """Return one minus the value of `WordInfoPreserved`."""
        return 1 - super().compute()


class EditDistance(Metric):  # type: ignore[misc]
    """The edit distance in characters: one number per text, the sum, or the mean.

    Parameters
    ----------
    substitution_cost
        Cost of a substitution, a whole number from 0; insertions and deletions cost 1.
    reduction
        `mean`: mean per text; `sum`: sum of all texts; `none` or None: one number for each text.
    **choices
        Choices of `torchmetrics.Metric`.

    Raises
    ------
    ValueError
        If an argument has an invalid value; in `update`, if the sides have different lengths or are
        not texts.
    """

    is_differentiable = False
    higher_is_better = False
    full_state_update = False
    plot_lower_bound = 0.0

    def __init__(
        self, substitution_cost: int = 1, reduction: Reduction = "mean", **choices: Any
    ) -> None:
        super().__init__(**choices)
        whole: object = substitution_cost
        if not isinstance(whole, int) or whole < 0:
            raise ValueError(
                "Expected argument `substitution_cost` to be a positive integer, but got "
                f"{substitution_cost}"
            )
        if reduction not in REDUCTIONS:
            raise ValueError(
                f"Expected argument `reduction` to be one of {REDUCTIONS}, but got {reduction}"
            )
        self.substitution_cost = substitution_cost
        self.reduction = reduction
        if self.is_reduced:
            self.add_state("edit_scores", torch.tensor(0), dist_reduce_fx="sum")
            self.add_state("num_elements", torch.tensor(0), dist_reduce_fx="sum")
        else:
            self.add_state("edit_scores_list", [], dist_reduce_fx="cat")

    __jit_unused_properties__: ClassVar[list[str]] = [
        *getattr(Metric, "__jit_unused_properties__", ()),
        "is_reduced",
    ]

    @property
    def is_reduced(self) -> bool:
        """True if the result is a single number."""
        return self.reduction in ("mean", "sum")

    def update(self, preds: Texts, target: Texts) -> None:
        """Add a batch of equally many predictions and targets."""
        distances = _distances(preds, target, self.substitution_cost)
        if self.is_reduced:
            self.edit_scores += sum(distances)
            self.num_elements += len(distances)
        else:
            self.edit_scores_list.append(torch.tensor(distances, dtype=torch.int))

    def compute(self) -> torch.Tensor:
        """Return the distances, or their mean or sum; 0 without texts."""
        if not self.is_reduced:
            parts = self.edit_scores_list  # one tensor once processes are in step
            parts = [parts] if isinstance(parts, torch.Tensor) else parts
            return torch.cat(parts) if parts else torch.tensor(0, dtype=torch.int32)
        if self.reduction == "sum" or not self.num_elements:
            return self.edit_scores
        return self.edit_scores / self.num_elements


def _distances(preds: Texts, target: Texts, substitution: int) -> list[int]:
    """Return the edit distance in characters of each pair of texts."""
    sides = {}
    for name, texts in (("preds", preds), ("target", target)):
        sides[name] = [texts] if isinstance(texts, str) else list(texts)
        if not all(isinstance(text, str) for text in sides[name]):
            raise ValueError(
                f"Expected all values in argument `{name}` to be string type, but got {texts}"
            )
    if len(sides["preds"]) != len(sides["target"]):
        lengths = f"{len(sides['preds'])} and {len(sides['target'])}"
        raise ValueError(
            f"Expected argument `preds` and `target` to have same length, but got {lengths}"
        )
    costs = Costs(substitution, 1, 1)
    counts = edit_distance_batch(
        [list(text) for text in sides["target"]],
        [list(text) for text in sides["preds"]],
        costs=costs,
    )
    return [row.substitutions * substitution + row.deletions + row.insertions for row in counts]


def _function(metric: type[WordErrorRate], preds: Texts, target: Texts, choices: Any) -> Any:
    """Return the value of a metric for a single batch."""
    counter = metric(**choices)
    counter.update(preds, target)
    return counter.compute()


def word_error_rate(preds: Texts, target: Texts, **choices: Any) -> torch.Tensor:
    """Return the word error rate of predictions as a tensor; see `WordErrorRate`."""
    return _function(WordErrorRate, preds, target, choices)


def char_error_rate(preds: Texts, target: Texts, **choices: Any) -> torch.Tensor:
    """Return the character error rate of predictions as a tensor; see `CharErrorRate`."""
    return _function(CharErrorRate, preds, target, choices)


def match_error_rate(preds: Texts, target: Texts, **choices: Any) -> torch.Tensor:
    """Return the match error rate of predictions as a tensor; see `MatchErrorRate`."""
    return _function(MatchErrorRate, preds, target, choices)


def word_information_preserved(preds: Texts, target: Texts, **choices: Any) -> torch.Tensor:
    """Return the word information preserved as a tensor; see `WordInfoPreserved`."""
    return _function(WordInfoPreserved, preds, target, choices)


def word_information_lost(preds: Texts, target: Texts, **choices: Any) -> torch.Tensor:
    """Return the word information lost as a tensor; see `WordInfoLost`."""
    return _function(WordInfoLost, preds, target, choices)


def edit_distance(
    preds: Texts, target: Texts, substitution_cost: int = 1, reduction: Reduction = "mean"
) -> torch.Tensor:
    """Return the edit distance of characters as a tensor; see `EditDistance`."""
    metric = EditDistance(substitution_cost, reduction)
    if not metric.is_reduced:  # a metric gives a single number without a dimension
        return torch.tensor(_distances(preds, target, substitution_cost), dtype=torch.int)
    metric.update(preds, target)
    return metric.compute()
