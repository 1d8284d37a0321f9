"""Metrics that are fed batch by batch, as torchmetrics and Hugging Face evaluate have them.

`WordErrorRate` and `CharErrorRate` have `update`, `compute` and `reset` of torchmetrics; `load`
gives what `evaluate.load` does. Neither torch nor evaluate is needed. `compute` gives a float;
results of batches are kept in counts alone, so that a long evaluation takes little memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

from scoring.errors import NoReferenceError
from scoring.model import Counts, Unit
from scoring.options import ChoicesOfCharacters, Options, ProfileName
from scoring.scored.score import wer

if TYPE_CHECKING:
    from typing_extensions import Self, Unpack

__all__ = ["CharErrorRate", "LoadedMetric", "WordErrorRate", "load"]


class WordErrorRate:
    """The word error rate of all batches so far.

    Predictions come first, as in torchmetrics, and costs are 1, so that the numbers are those of
    torchmetrics. `profile="sclite"` gives those of `scoring.wer`.

    Parameters
    ----------
    profile
        As of `scoring.wer`, whatever `options` holds.
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
        self.options = chosen.changed(**choices, unit=unit, profile=profile)
        self.counts = Counts()

    def update(self, preds: str | Sequence[str], target: str | Sequence[str]) -> None:
        """Score a batch of as many predictions as targets, texts each.

        Raises
        ------
        DifferentLengthsError
            If there are not as many of both; the batch is then not counted.
        """
        sides = [[item] if isinstance(item, str) else list(item) for item in (target, preds)]
        if any(sides):
            self.counts += wer(*sides, options=self.options).counts

    def compute(self) -> float:
        """Errors per reference token of all batches, a ratio.

        Raises
        ------
        NoReferenceError
            If there was no token in the references, so that there is no rate.
        """
        rate = self.counts.error_rate
        if rate is None:
            raise NoReferenceError("expected words in the references, found none: update first")
        return rate

    def reset(self) -> None:
        """Forget all batches."""
        self.counts = Counts()

    def __call__(self, preds: str | Sequence[str], target: str | Sequence[str]) -> float:
        """Count a batch, and give the rate of this batch alone, as torchmetrics does."""
        before = self.counts
        self.counts = Counts()
        try:
            self.update(preds, target)
            return self.compute()
        finally:
            self.counts = before + self.counts

    def __add__(self, other: object) -> Self:
        """Both together, such as those of several processes."""
        if not isinstance(other, type(self)) or other.options != self.options:
            return NotImplemented
        made = type(self)(options=self.options, profile=self.options.profile)
        made.counts = self.counts + other.counts
        return made


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
    """A metric by the name that `evaluate.load` has for it.

    The numbers are evaluate's: costs are 1, and `cer` counts one blank between two words.

    Parameters
    ----------
    profile
        As of `scoring.wer`, whatever `options` holds.
    options, **choices
        As of `scoring.wer`, but the unit.

    Raises
    ------
    ValueError
        If there is no such metric.
    """
    known = {"wer": WordErrorRate, "cer": CharErrorRate}
    if name not in known:
        raise ValueError(f"expected {' or '.join(known)}, found {name!r}")
    return LoadedMetric(known[name](profile=profile, options=options, **choices))
