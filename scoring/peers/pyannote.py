"""The metrics of pyannote.metrics 4 under its names, counted by `scoring.der` with its rules.

Sides are what `scoring.der` takes for a recording: an `Annotation` of pyannote.core, or turns as
(speaker, start, end). A metric adds up the recordings that it is called with.

>>> metric = DiarizationErrorRate()
>>> metric([("anne", 0, 10)], [("x", 0, 8), ("y", 8, 12)])
0.4
>>> details = metric([("anne", 0, 10)], [("x", 0, 10)], detailed=True)
>>> details["total"], details["correct"], abs(metric)
(10.0, 10.0, 0.2)
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import Any, ClassVar

from scoring.tasks.speakers.der.diarisation_errors import DiarisationErrors
from scoring.tasks.speakers.der.rules import Mapping
from scoring.tasks.speakers.der.score import der

__all__ = ["DiarizationErrorRate", "GreedyDiarizationErrorRate", "IdentificationErrorRate"]

COMPONENTS = {
    "total": "scored_seconds",
    "false alarm": "false_alarm_seconds",
    "missed detection": "missed_seconds",
    "confusion": "confusion_seconds",
}


class IdentificationErrorRate:
    """Missed, false and confused speech per second of the reference; names are as they are.

    Parameters
    ----------
    collar
        Seconds around each boundary of the reference that are not scored, half on each side.
    skip_overlap
        Skip time in which several speakers of the reference talk.
    """

    title: ClassVar[str] = "identification error rate"
    mapping: ClassVar[Mapping] = "names"

    def __init__(self, collar: float = 0.0, skip_overlap: bool = False) -> None:
        self.collar, self.skip_overlap = collar, skip_overlap
        self.reset()

    @classmethod
    def metric_name(cls) -> str:
        """Return the name of the metric."""
        return cls.title

    @property
    def name(self) -> str:
        """The name of the metric."""
        return self.title

    def reset(self) -> None:
        """Forget all recordings."""
        self._errors: DiarisationErrors | None = None
        self.results_: list[tuple[str, dict[str, float]]] = []

    def __call__(
        self,
        reference: Any,
        hypothesis: Any,
        detailed: bool = False,
        uri: str | None = None,
        uem: Iterable[Any] | None = None,
    ) -> Any:
        """Score a recording: its rate, or with `detailed` a dictionary of its parts.

        `uem` are the stretches to score, a `Timeline` or (start, end) in seconds. Errors are those
        of `scoring.der`.
        """
        name = uri or getattr(reference, "uri", None) or "NA"
        spans = None
        if uem is not None:
            spans = {name: [(float(start), float(end)) for start, end in uem]}
        errors = der(
            {name: reference},
            {name: hypothesis},
            like="pyannote",
            collar=self.collar,
            skip_overlap=self.skip_overlap,
            region=spans,
            missing="score",
            mapping=self.mapping,
        )
        before = () if self._errors is None else self._errors.recordings
        self._errors = replace(errors, recordings=(*before, *errors.recordings))
        details = self._details(errors)
        self.results_.append((name, details))
        return details if detailed else details[self.title]

    def _details(self, errors: DiarisationErrors) -> dict[str, float]:
        parts: dict[str, float] = {
            name: getattr(errors, attribute) for name, attribute in COMPONENTS.items()
        }
        parts["correct"] = parts["total"] - parts["missed detection"] - parts["confusion"]
        rate = errors.error_rate
        if not errors.scored_seconds:
            rate = 1.0 if errors.false_alarm_seconds else 0.0
        return {**parts, self.title: rate or 0.0}

    def __abs__(self) -> float:
        """Return the rate of all recordings so far."""
        return 0.0 if self._errors is None else self._details(self._errors)[self.title]

    def __getitem__(self, component: str | slice) -> Any:
        """Return a part of all recordings so far, or with `[:]` all parts."""
        details = {} if self._errors is None else self._details(self._errors)
        return details if isinstance(component, slice) else details[component]

    def __iter__(self) -> Iterator[tuple[str, dict[str, float]]]:
        """Return names and parts of the recordings so far."""
        return iter(self.results_)


class DiarizationErrorRate(IdentificationErrorRate):
    """The diarisation error rate: speakers are mapped so that most time is common."""

    title = "diarization error rate"
    mapping: ClassVar[Mapping] = "best"

    def optimal_mapping(
        self, reference: Any, hypothesis: Any, uem: Iterable[Any] | None = None
    ) -> dict[str, str]:
        """Return the mapping from speakers of the hypothesis to those of the reference."""
        metric = type(self)(self.collar, self.skip_overlap)
        metric(reference, hypothesis, uem=uem)
        assert metric._errors is not None
        pairs = metric._errors.recordings[0].mapping.items()
        return {partner: speaker for speaker, partner in pairs if partner is not None}


class GreedyDiarizationErrorRate(DiarizationErrorRate):
    """The diarisation error rate; the pair of speakers with the most common time goes first."""

    mapping: ClassVar[Mapping] = "greedy"
