"""Metrics that are fed batch by batch, as in torchmetrics and Hugging Face evaluate.

`WordErrorRate` and `CharErrorRate` have `update`, `compute` and `reset` of torchmetrics; `load`
returns what `evaluate.load` does. Neither torch nor evaluate is needed. `compute` returns a float;
only the counts of batches are kept, so that a long evaluation takes little memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from scoring.model.counts import Counts, Unit
from scoring.model.errors import NoReferenceError
from scoring.options import ChoicesOfCharacters, Options, ProfileName, unit_of_characters
from scoring.score.score import wer

if TYPE_CHECKING:
    from typing_extensions import Unpack

__all__ = ["CharErrorRate", "LoadedMetric", "WordErrorRate", "load"]


class WordErrorRate:
    """The word error rate of all batches so far.

    Predictions come first, as in torchmetrics, and costs are 1, so that the numbers are those of
    torchmetrics. `profile="sclite"` gives those of `scoring.wer`.

    Parameters
    ----------
    profile
        As of `scoring.wer`, whatever `options` holds; with a recipe, that of the recipe.
    options, **choices
        As of `scoring.wer`, but the unit.

    Examples
    --------
    >>> metric = WordErrorRate(normalize="lowercase")
    >>> metric.update(["the cat"], ["The hat"])
    >>> metric.update("sat", "sat")
    >>> metric.compute(), metric.counts.reference_tokens
    (0.3333333333333333, 3)
    >>> metric.reset()
    >>> metric(["a b"], ["a c"])
    0.5
    """

    unit: Unit = "word"

    def __init__(
        self,
        *,
        profile: ProfileName = "levenshtein",
        options: Options | None = None,
        **choices: Unpack[ChoicesOfCharacters],
    ) -> None:
        chosen = Options() if options is None else options
        unit = self.unit if chosen.unit == "word" else chosen.unit
        like = choices.get("like", chosen.like)
        if like is None:
            chosen = chosen.changed(profile=profile)
        elif unit != "word":
            unit = unit_of_characters(like)
        self.options = chosen.changed(**choices, unit=unit)
        self.counts = Counts()

    def update(self, preds: str | Sequence[str], target: str | Sequence[str]) -> None:
        """Count a batch of as many predictions as targets, texts each.

        Raises DifferentLengthsError if their numbers differ; nothing is counted then.
        """
        sides = [[item] if isinstance(item, str) else list(item) for item in (target, preds)]
        if any(sides):
            self.counts += wer(*sides, options=self.options).counts

    def compute(self) -> float:
        """Errors per reference token of all batches, a ratio.

        Raises NoReferenceError without reference tokens: there is no rate then.
        """
        rate = self.counts.error_rate
        if rate is None:
            raise NoReferenceError("expected words in the references, found none: update first")
        return rate

    def reset(self) -> None:
        """Forget all batches."""
        self.counts = Counts()

    def __call__(self, preds: str | Sequence[str], target: str | Sequence[str]) -> float:
        """Count a batch, and return the rate of this batch alone, as torchmetrics does."""
        before = self.counts
        self.counts = Counts()
        try:
            self.update(preds, target)
            return self.compute()
        finally:
            self.counts = before + self.counts


class CharErrorRate(WordErrorRate):
    """The character error rate of all batches so far; one blank between words is a character.

    >>> metric = CharErrorRate()
    >>> metric.update(["the hat"], ["the cat"])
    >>> metric.compute()
    0.14285714285714285
    """

    unit: Unit = "char+space"


class LoadedMetric:
    """A metric as evaluate has them: `compute` forgets what was added.

    >>> metric = load("wer", normalize="lowercase")
    >>> metric.compute(predictions=["the cat"], references=["The hat"])
    0.5
    >>> metric.add(prediction="sat", reference="sat")
    >>> metric.add_batch(predictions=["the cat"], references=["the hat"])
    >>> metric.compute()
    0.3333333333333333
    """

    def __init__(self, metric: WordErrorRate) -> None:
        self._metric = metric

    def add(self, *, prediction: str, reference: str) -> None:
        """Add a pair."""
        self._metric.update(prediction, reference)

    def add_batch(self, *, predictions: Sequence[str], references: Sequence[str]) -> None:
        """Add as many predictions as references."""
        self._metric.update(predictions, references)

    def compute(
        self,
        *,
        predictions: Sequence[str] = (),
        references: Sequence[str] = (),
        concatenate_texts: bool = False,
    ) -> float:
        """Errors per reference token of these and of all that was added since the last time."""
        self.add_batch(predictions=predictions, references=references)
        try:
            return self._metric.compute()
        finally:
            self._metric.reset()


def load(
    name: Literal["wer", "cer"],
    *,
    profile: ProfileName = "levenshtein",
    options: Options | None = None,
    **choices: Unpack[ChoicesOfCharacters],
) -> LoadedMetric:
    """A metric by its name in `evaluate.load`; other arguments as of `WordErrorRate`.

    The numbers are evaluate's: costs are 1, and `cer` counts one blank between two words. Raises
    ValueError if there is no such metric.
    """
    metrics = {"wer": WordErrorRate, "cer": CharErrorRate}
    if name not in metrics:
        raise ValueError(f"expected {' or '.join(metrics)}, found {name!r}")
    return LoadedMetric(metrics[name](profile=profile, options=options, **choices))
