"""Keyword spotting as the Python package evalmate understands it.

Every label of the hypothesis is a detection: there are no scores and no thresholds. For scores,
thresholds and NIST's own definition of the term-weighted value see `scoring.kws`; the numbers of
the two have little in common but the name (docs/evaluators.md has the differences).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from math import fsum
from typing import ClassVar, Final

from scoring.labels.aligners.bipartite import BipartiteMatchingAligner
from scoring.labels.aligners.pairs import EventAligner, LabelPair
from scoring.labels.aligners.spans import LabelError
from scoring.labels.amounts import KeywordRates
from scoring.labels.confusion import Confusion
from scoring.labels.evaluation import SCORE, Missing
from scoring.labels.events import EventEvaluation, PairEvaluator
from scoring.labels.outcome import Outcome

_set = object.__setattr__

BETA: Final = 0.1 / 1.0 * (1 / 0.0001 - 1)
"""What a false alarm weighs: its cost over the value of a hit, times the odds against a keyword."""


@dataclass(frozen=True, slots=True, init=False, repr=False)
class KWSEvaluation(EventEvaluation):
    """Aligned keywords and the rates of misses and false alarms.

    Wherever keywords are asked for: None or an empty list are all values of reference and
    hypothesis, a string is one of them.
    """

    unit: ClassVar[str] = "keywords"
    title: ClassVar[str] = "Keywords"

    _seconds: float | None = field(compare=False)  # follows from the rest

    def __init__(
        self,
        ref_outcome: Outcome,
        hyp_outcome: Outcome,
        aligned: Mapping[str, Iterable[LabelPair]],
        remarks: Iterable[str] = (),
    ) -> None:
        EventEvaluation.__init__(self, ref_outcome, hyp_outcome, aligned, remarks)
        # every keyword's rate of false alarms asks for it
        durations = self.utterance_durations
        complete = all(utterance in durations for utterance, _ in self._aligned)
        _set(self, "_seconds", ref_outcome.total_duration if complete else None)

    def keywords(self) -> list[str]:
        """The values of the reference, sorted."""
        return sorted(self.ref_outcome.all_values)

    def false_rejection_rate(self, keywords: str | Iterable[str] | None = None) -> float:
        """Deletions and substitutions per occurrence in the reference; of several the plain mean.

        A ratio, 0 of a keyword that does not occur (nothing can be missed), and as such it takes
        part in the mean. OpenKWS leaves such keywords out: `false_rejection_rate(self.keywords())`
        does, and is greater. 0 if there are no values at all.

        Raises
        ------
        LabelError
            If there is no such keyword.
        """
        return _mean(self._confusions(keywords), _rejected) or 0.0

    def false_alarm_rate(self, keywords: str | Iterable[str] | None = None) -> float | None:
        """Insertions and substitutions out per chance of one; of several the plain mean.

        There is a chance in each second of the reference, all utterances together, that does not
        belong to an occurrence of the keyword, an occurrence taking a second. None if there are no
        such seconds (evalmate: an error or a negative rate), or no values at all.

        Raises
        ------
        LabelError
            If the duration of an utterance is not known, or there is no such keyword.
        """
        seconds = self.total_duration

        def alarmed(confusion: Confusion) -> float | None:
            chances = seconds - confusion.total
            return confusion.false_positives / chances if chances > 0 else None

        return _mean(self._confusions(keywords), alarmed)

    def term_weighted_value(self, keywords: str | Iterable[str] | None = None) -> float | None:
        """1 - (FRR + 999.9 FAR): 1 is perfect, 0 as good as silence; there is no least value.

        OpenKWS leaves out keywords that do not occur in the reference, matches each keyword on its
        own and looks at scores. Compare with its values only `term_weighted_value(self.keywords())`
        and even then with care. None if there is no false alarm rate.

        Raises
        ------
        LabelError
            As of `false_alarm_rate`.
        """
        _ = self.total_duration
        return self.keyword_rates(keywords).term_weighted_value

    def keyword_rates(self, keywords: str | Iterable[str] | None = None) -> KeywordRates:
        """All three rates; those that need durations are None where one is unknown."""
        rejections = self.false_rejection_rate(keywords)
        if not self.knows_durations:
            return KeywordRates(rejections, None, None)
        alarms = self.false_alarm_rate(keywords)
        value = None if alarms is None else 1 - (rejections + BETA * alarms)
        return KeywordRates(rejections, alarms, value)

    @property
    def total_duration(self) -> float:
        """Seconds of all utterances.

        Raises
        ------
        LabelError
            If the duration of an utterance is not known.
        """
        if self._seconds is not None:
            return self._seconds
        _ = self.hyp_outcome.total_duration
        return self.ref_outcome.total_duration

    @property
    def knows_durations(self) -> bool:
        """Whether there are rates of false alarms."""
        return self._seconds is not None

    def _confusions(self, keywords: str | Iterable[str] | None) -> list[Confusion]:
        requested = [keywords] if isinstance(keywords, str) else list(keywords or ())
        if not requested:
            return list(self.confusion.confusions)
        confusions = []
        for keyword in requested:
            confusion = self.confusion.instances.get(keyword)
            if confusion is None:
                raise LabelError(f"expected a keyword that occurs, found {keyword!r}")
            confusions.append(confusion)
        return confusions


def _rejected(confusion: Confusion) -> float:
    return confusion.false_negatives / confusion.total if confusion.total else 0.0


def _mean(confusions: list[Confusion], rate: Callable[[Confusion], float | None]) -> float | None:
    rates = []
    for confusion in confusions:
        value = rate(confusion)
        if value is None:
            return None
        rates.append(value)
    return fsum(rates) / len(rates) if rates else None


class KWSEvaluator(PairEvaluator[KWSEvaluation]):
    """Scores keywords.

    All keywords are aligned together, so a detection may stand for another keyword.

    Parameters
    ----------
    aligner
        Default: `BipartiteMatchingAligner`.
    missing
        See `Evaluator`.

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

    def __init__(self, aligner: EventAligner | None = None, *, missing: Missing = SCORE) -> None:
        super().__init__(aligner or BipartiteMatchingAligner(), missing=missing)
