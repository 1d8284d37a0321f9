"""Keyword spotting by the definitions of the Python package evalmate.

Every label of the hypothesis is a detection; `scoring.tasks.labels.thresholds` chooses some by
their scores. NIST's own definition of the term-weighted value is in `scoring.tasks.kws`; both
definitions share little more than the name (docs/evaluators.md lists the differences).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import cached_property
from math import fsum
from typing import Any, ClassVar, Final

from scoring.tasks.labels.aligners.bipartite import BipartiteMatchingAligner
from scoring.tasks.labels.aligners.spans import LabelError
from scoring.tasks.labels.amounts import KeywordRates
from scoring.tasks.labels.confusion import Confusion
from scoring.tasks.labels.evaluation import Evaluator
from scoring.tasks.labels.events import EventEvaluation
from scoring.tasks.labels.thresholds import OperatingCurve, operating_curve

BETA: Final = 0.1 / 1.0 * (1 / 0.0001 - 1)
"""The weight of a false alarm: cost divided by value, times the odds against a keyword."""


class KWSEvaluation(EventEvaluation):
    """Aligned keywords, and their rates of misses and false alarms.

    Methods that take keywords accept a list of them, a single string, or None (also an empty list)
    for all values of reference and hypothesis.
    """

    unit: ClassVar[str] = "keywords"
    title: ClassVar[str] = "Keywords"

    def keywords(self) -> list[str]:
        """Return the values of the reference, sorted."""
        return sorted(self.ref_outcome.all_values)

    def false_rejection_rate(self, keywords: str | Iterable[str] | None = None) -> float:
        """Return deletions and substitutions divided by the occurrences in the reference.

        For several keywords, the result is the unweighted mean.

        A keyword without occurrences has the rate 0 and is included in the mean. OpenKWS excludes
        such keywords, as does `false_rejection_rate(self.keywords())`, which is therefore greater.
        Without any keywords the result is 0.

        Raises `LabelError` if there is no such keyword.
        """

        def rejected(confusion: Confusion) -> float:
            return confusion.false_negatives / confusion.total if confusion.total else 0.0

        rate: float | None = self._mean(keywords, rejected)
        return rate or 0.0

    def false_alarm_rate(self, keywords: str | Iterable[str] | None = None) -> float | None:
        """Return the false alarms per trial; for several keywords, the mean of their rates.

        The number of trials is the seconds of all utterances minus one second for each occurrence
        of the keyword. The result is None without trials or without keywords.

        Raises `LabelError` if a keyword, or the duration of an utterance, is unknown.
        """
        seconds = self.total_duration

        def alarmed(confusion: Confusion) -> float | None:
            chances = seconds - confusion.total
            return confusion.false_positives / chances if chances > 0 else None

        rate: float | None = self._mean(keywords, alarmed)
        return rate

    def false_alarms_per_hour(self, keyword: str | None = None) -> float | None:
        """Return the false alarms of a keyword, or of all keywords, per hour of audio.

        None if there is no audio, or the duration of an utterance is unknown. Raises `LabelError`
        if there is no such keyword.
        """
        seconds = self.total_duration if self.knows_durations else 0
        instances = self.confusion.instances
        if keyword is not None and keyword not in instances:
            raise LabelError(f"expected a keyword that occurs, found {keyword!r}")
        chosen = instances.values() if keyword is None else [instances[keyword]]
        alarms = sum(confusion.false_positives for confusion in chosen)
        return 3600 * alarms / seconds if seconds else None

    def operating_curve(self, aligner: Any = None) -> OperatingCurve:
        """Return the errors at each threshold; the thresholds are the scores of the detections.

        `aligner` is the aligner of the evaluator. Raises `LabelError` if a detection has no score,
        or if the duration of an utterance is unknown.
        """
        return operating_curve(self.ref_outcome, self.hyp_outcome, aligner)

    def term_weighted_value(self, keywords: str | Iterable[str] | None = None) -> float | None:
        """Return 1 - (FRR + 999.9 FAR): 1 is perfect, 0 equals no detections; there is no minimum.

        OpenKWS excludes keywords that do not occur in the reference, matches each keyword
        separately and uses scores. Its values are comparable only to
        `term_weighted_value(self.keywords())`, and only roughly. The result is None if the false
        alarm rate is undefined.

        Raises `LabelError` like `false_alarm_rate`.
        """
        _ = self.total_duration
        return self.keyword_rates(keywords).term_weighted_value

    def keyword_rates(self, keywords: str | Iterable[str] | None = None) -> KeywordRates:
        """Return the three rates; rates that need durations are None if a duration is unknown."""
        rejections = self.false_rejection_rate(keywords)
        alarms = self.false_alarm_rate(keywords) if self.knows_durations else None
        value = None if alarms is None else 1 - (rejections + BETA * alarms)
        return KeywordRates(rejections, alarms, value)

    @cached_property
    def total_duration(self) -> float:
        """The duration of all utterances, in seconds.

        Raises `LabelError` if the duration of an utterance is not known.
        """
        if not self.knows_durations:
            _ = self.hyp_outcome.total_duration
        return self.ref_outcome.total_duration

    @cached_property
    def knows_durations(self) -> bool:
        """True if rates of false alarms can be computed."""
        return self.aligned.keys() <= self.utterance_durations.keys()

    def _mean(
        self,
        keywords: str | Iterable[str] | None,
        rate: Callable[[Confusion], float | None],
    ) -> Any:
        """Return the mean of a rate over keywords; None without keywords or if a rate is None."""
        instances = self.confusion.instances
        requested = [keywords] if isinstance(keywords, str) else list(keywords or ())
        rates = []
        for keyword in requested or instances:
            if keyword not in instances:
                raise LabelError(f"expected a keyword that occurs, found {keyword!r}")
            rates.append(rate(instances[keyword]))
        values = [value for value in rates if value is not None]
        return fsum(values) / len(values) if values and len(values) == len(rates) else None


class KWSEvaluator(Evaluator[KWSEvaluation]):
    """Scores keywords.

    All keywords are aligned together, so that a detection may be paired with another keyword.

    Parameters
    ----------
    aligner
        Default: `BipartiteMatchingAligner`.

    Examples
    --------
    >>> evaluation = KWSEvaluator().evaluate_label_lists(
    ...     [("up", 1, 2), ("down", 5, 6), ("up", 8, 9)],
    ...     [("up", 1.1, 2), ("left", 5, 6), ("stop", 3, 4)],
    ...     duration=10,
    ... )
    >>> evaluation.false_rejection_rate(), round(evaluation.false_alarm_rate(), 4)
    (0.375, 0.05)
    >>> round(evaluation.term_weighted_value(), 2), evaluation.term_weighted_value(["up", "down"])
    (-49.37, 0.25)
    """

    evaluation = KWSEvaluation
    default_aligner = BipartiteMatchingAligner
