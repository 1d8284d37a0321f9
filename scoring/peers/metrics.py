"""Metrics that sum batches, with the interfaces of torchmetrics and Hugging Face evaluate.

`WordErrorRate` and `CharErrorRate` have the methods `update`, `compute` and `reset` of
torchmetrics. `load` returns an object like that of `evaluate.load`. Neither torch nor evaluate is
needed. `compute` returns a float. Only counts are kept, so that a long evaluation takes little
memory.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal, TypeAlias

from scoring.model.aliases import Unit
from scoring.model.counts import Counts
from scoring.model.errors import NoReferenceError
from scoring.options import Options, ProfileName, unit_of_characters
from scoring.score import wer
from scoring.score.rates import ErrorRates

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from scoring.options import ChoicesOfCharacters

__all__ = ["CharErrorRate", "LoadedMetric", "MatchErrorRate", "WordErrorRate", "load"]


def score_batch(
    preds: str | Sequence[str], target: str | Sequence[str], options: Options
) -> ErrorRates | None:
    """Compute the rates of a batch of equally many predictions and targets.

    Return None if the batch is empty.
    """
    sides = [[item] if isinstance(item, str) else list(item) for item in (target, preds)]
    for position, text in enumerate(sides[1]):
        if text is None:  # an error in the originals
            raise TypeError(f"preds: expected a text, found None at position {position}")
    return wer(*sides, options=options) if any(sides) else None


def count_batch(
    preds: str | Sequence[str], target: str | Sequence[str], options: Options
) -> Counts:
    """Return the counts of a batch of equally many predictions and targets."""
    rates = score_batch(preds, target, options)
    return Counts() if rates is None else rates.counts


class WordErrorRate:
    """The word error rate of all batches so far.

    As in torchmetrics, predictions come before targets, and every error costs 1. The numbers are
    those of torchmetrics; with `profile="sclite"`, they are those of `scoring.wer`.

    Parameters
    ----------
    profile
        As in `scoring.wer`, independent of `options`; with a recipe, the recipe's profile. None:
        `levenshtein`.
    options, **choices
        As in `scoring.wer`, except `unit`.

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
    usual_profile: ProfileName = "levenshtein"

    def __init__(
        self,
        *,
        profile: ProfileName | None = None,
        options: Options | None = None,
        **choices: Unpack[ChoicesOfCharacters],
    ) -> None:
        chosen = Options() if options is None else options
        unit = self.unit if chosen.unit in (None, "word") else chosen.unit
        like = choices.get("like", chosen.like)
        if like is None:
            chosen = chosen.changed(profile=profile or self.usual_profile)
        elif unit != "word":
            unit = unit_of_characters(like)
        self.options = chosen.changed(**choices, unit=unit)
        self.counts = Counts()

    def update(self, preds: str | Sequence[str], target: str | Sequence[str]) -> None:
        """Count a batch of equally many predictions and targets (texts).

        Raises DifferentLengthsError, and counts nothing, if their numbers differ.
        """
        self.counts += count_batch(preds, target, self.options)

    def compute(self) -> float:
        """Return the errors per reference token of all batches, as a ratio.

        Raises NoReferenceError if there are no reference tokens, because there is no rate then.
        """
        if not self.counts.reference_tokens:
            raise NoReferenceError(
                "expected words in the references, found none: call update first"
            )
        return self._rate()

    def _rate(self) -> float:
        return self.counts.errors / self.counts.reference_tokens

    def reset(self) -> None:
        """Remove the counts of all batches."""
        self.counts = Counts()

    def __call__(self, preds: str | Sequence[str], target: str | Sequence[str]) -> float:
        """Count a batch; return the rate of this batch alone, as torchmetrics does."""
        before = self.counts
        self.counts = Counts()
        try:
            self.update(preds, target)
            return self.compute()
        finally:
            self.counts = before + self.counts


class CharErrorRate(WordErrorRate):
    """The character error rate of all batches so far; the blank between two words is a character.

    >>> metric = CharErrorRate()
    >>> metric.update(["the hat"], ["the cat"])
    >>> metric.compute()
    0.14285714285714285
    """

    unit: Unit = "char+space"


class MatchErrorRate(WordErrorRate):
    """The match error rate of all batches so far: errors per pair of the alignment.

    Texts are aligned as by jiwer (`profile="jiwer"`), which Hugging Face's package `evaluate` uses.

    >>> metric = MatchErrorRate()
    >>> metric.update(["the cat sat down"], ["the cat sat"])
    >>> metric.compute()
    0.25
    """

    usual_profile = "jiwer"

    def _rate(self) -> float:
        return self.counts.errors / (self.counts.reference_tokens + self.counts.insertions)


class LoadedMetric:
    """A named metric with the methods of evaluate's metrics.

    `compute` returns the value and then removes all counts.

    >>> metric = load("wer", normalize="lowercase")
    >>> metric.name, metric.compute(predictions=["the cat"], references=["The hat"])
    ('wer', 0.5)
    >>> metric.add(prediction="sat", reference="sat")
    >>> metric.add_batch(predictions=["the cat"], references=["the hat"])
    >>> metric.compute()
    0.3333333333333333
    """

    def __init__(
        self, metric: WordErrorRate, empty: Literal["error", "nan"] = "error", name: str = "wer"
    ) -> None:
        self._metric = metric
        self._empty = empty
        self.name = name

    def add(self, *, prediction: str, reference: str) -> None:
        """Add a prediction and its reference."""
        self._metric.update(prediction, reference)

    def add_batch(self, *, predictions: Sequence[str], references: Sequence[str]) -> None:
        """Add equally many predictions and references."""
        self._metric.update(predictions, references)

    def compute(
        self,
        *,
        predictions: Sequence[str] = (),
        references: Sequence[str] = (),
        concatenate_texts: bool = False,
    ) -> float:
        """Return the errors per reference token, as a ratio.

        Both these texts and the texts added before count.
        """
        self.add_batch(predictions=predictions, references=references)
        try:
            return self._metric.compute()
        except NoReferenceError:
            if self._empty == "error":
                raise
            return math.nan
        finally:
            self._metric.reset()


MetricName: TypeAlias = Literal["wer", "cer", "mer"]
METRICS: dict[str, type[WordErrorRate]] = {
    "wer": WordErrorRate,
    "cer": CharErrorRate,
    "mer": MatchErrorRate,
}


def load(
    name: MetricName,
    *,
    empty: Literal["error", "nan"] = "error",
    profile: ProfileName | None = None,
    options: Options | None = None,
    **choices: Unpack[ChoicesOfCharacters],
) -> LoadedMetric:
    """Return a metric by its name in `evaluate.load`; other arguments are those of `WordErrorRate`.

    Without reference words, `compute` raises an error, or returns NaN with `empty="nan"`.

    The numbers are evaluate's: costs are 1, and `cer` counts one blank between two words. Raises
    ValueError for an unknown metric.
    """
    if name not in METRICS:
        raise ValueError(f"expected {', '.join(METRICS)}, found {name!r}")
    if empty not in ("error", "nan"):
        raise ValueError(f"empty: expected 'error' or 'nan', found {empty!r}")
    return LoadedMetric(METRICS[name](profile=profile, options=options, **choices), empty, name)
