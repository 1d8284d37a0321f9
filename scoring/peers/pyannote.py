"""The metrics of pyannote.metrics 4 under its names, computed by `scoring.der` by pyannote's rules.

The two sides have the forms that `scoring.der` accepts for a recording: an `Annotation` or
`Timeline` of pyannote.core, or turns as (speaker, start, end). A metric sums the recordings with
which it is called. Speaker time is the sum of the durations of all turns: a second in which two
speakers talk counts twice.

>>> metric = DiarizationErrorRate()
>>> metric([("anne", 0, 10)], [("x", 0, 8), ("y", 8, 12)])
0.4
>>> details = metric([("anne", 0, 10)], [("x", 0, 10)], detailed=True)
>>> details["total"], details["correct"], abs(metric)
(10.0, 10.0, 0.2)
>>> DetectionRecall()([("anne", 0, 10)], [("x", 0, 8)])
0.8
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

from formats.schema.times import SECOND
from scoring.tasks.speakers.der.diarisation_errors import RecordingErrors
from scoring.tasks.speakers.der.rules import Mapping as MappingRule
from scoring.tasks.speakers.der.score import der

__all__ = [
    "DetectionAccuracy",
    "DetectionCostFunction",
    "DetectionErrorRate",
    "DetectionPrecision",
    "DetectionPrecisionRecallFMeasure",
    "DetectionRecall",
    "DiarizationCompleteness",
    "DiarizationCoverage",
    "DiarizationErrorRate",
    "DiarizationHomogeneity",
    "DiarizationPurity",
    "GreedyDiarizationErrorRate",
    "IdentificationErrorRate",
    "IdentificationPrecision",
    "IdentificationRecall",
    "JaccardErrorRate",
    "SegmentationCoverage",
    "SegmentationPrecision",
    "SegmentationPurity",
    "SegmentationPurityCoverageFMeasure",
    "SegmentationRecall",
]

CORRECT, MISSED, FOUND = "correct", "missed detection", "relevant retrieved"
Parts = Mapping[str, float]


def _ratio(part: float, whole: float, empty: float = 1.0) -> float:
    """Return `part / whole`, or `empty` if `whole` is 0."""
    return part / whole if whole else empty


def _f_measure(precision: float, recall: float, beta: float) -> float:
    """Return the weighted harmonic mean of precision and recall; 0 if both are 0."""
    weight = beta * beta
    return _ratio((1 + weight) * precision * recall, weight * precision + recall, 0.0)


class Metric:
    """A metric that sums recordings; `components` are the names of the summed numbers."""

    title: ClassVar[str]
    components: ClassVar[tuple[str, ...]]
    mapping: ClassVar[MappingRule] = "best"
    collar = 0.0
    skip_overlap = False
    tolerance = 0.0

    def __init__(self) -> None:
        self.reset()

    def parts(self, errors: RecordingErrors) -> dict[str, float]:
        """Return the components of one recording."""
        raise NotImplementedError

    def _seconds(self, *amounts: int) -> dict[str, float]:
        """Return the components in seconds; `amounts` are in nanoseconds."""
        seconds = (amount / SECOND for amount in amounts)
        return dict(zip(self.components, seconds, strict=True))

    def compute_metric(self, detail: Parts) -> float:
        """Compute the metric from its components."""
        raise NotImplementedError

    @classmethod
    def metric_name(cls) -> str:
        """Return the name of the metric."""
        return cls.title

    @classmethod
    def metric_components(cls) -> list[str]:
        """Return the names of the metric's components."""
        return list(cls.components)

    @property
    def name(self) -> str:
        """The name of the metric."""
        return self.title

    def reset(self) -> None:
        """Remove the results of all recordings."""
        self.accumulated_ = dict.fromkeys(self.components, 0.0)
        self.results_: list[tuple[str, dict[str, float]]] = []

    def __call__(
        self,
        reference: Any,
        hypothesis: Any,
        detailed: bool = False,
        uri: str | None = None,
        uem: Iterable[Any] | None = None,
    ) -> Any:
        """Score a recording.

        Return the value of the metric; if `detailed` is true, return the components and the value.

        `uem` has the time spans to score: a `Timeline`, or (start, end) in seconds. Errors are
        those of `scoring.der`.
        """
        name = uri or getattr(reference, "uri", None) or "NA"
        details = self.parts(self._scored(reference, hypothesis, name, uem))
        details[self.title] = self.compute_metric(details)
        self.results_.append((name, details))
        for component in self.components:
            self.accumulated_[component] += details[component]
        return details if detailed else details[self.title]

    def _scored(
        self, reference: Any, hypothesis: Any, name: str, uem: Iterable[Any] | None
    ) -> RecordingErrors:
        spans = None
        if uem is not None:
            spans = {name: [(float(start), float(end)) for start, end in uem]}
        [errors] = der(
            {name: reference},
            {name: hypothesis},
            like="pyannote",
            collar=self.collar,
            skip_overlap=self.skip_overlap,
            region=spans,
            missing="score",
            mapping=self.mapping,
            tolerance=self.tolerance,
        ).recordings
        return errors

    def report(self, display: bool = False) -> Any:
        """Return a data frame with a row per recording and a total row; `display` prints it.

        Raises ImportError without pandas.
        """
        import pandas as pd

        total = {**self.accumulated_, self.title: abs(self)}
        rows = [*self.results_, ("TOTAL", total)]
        items = pd.Index([name for name, _ in rows], name="item")
        table = pd.DataFrame([self._cells(parts) for _, parts in rows], index=items)
        table.columns = pd.MultiIndex.from_tuples(table.columns)
        table = table[[self.title, *self.components]]
        if display:
            print(table.to_string(sparsify=False, justify="right", float_format="{:.2f}".format))
        return table

    def _cells(self, parts: Parts) -> dict[tuple[str, str], float]:
        """Return the cells of a recording's row: its components, and their percentages."""
        cells = {(self.title, "%"): 100 * parts[self.title]}
        for name in self.components:
            cells[name, ""] = parts[name]
            if "total" in self.components and name != "total":
                cells[name, "%"] = _ratio(100 * parts[name], parts["total"], float("nan"))
        return cells

    def __str__(self) -> str:
        """Return the report as text."""
        return str(self.report().to_string(sparsify=False, float_format="{:.2f}".format))

    def __abs__(self) -> float:
        """Return the value of the metric over all recordings so far."""
        return self.compute_metric(self.accumulated_)

    def __getitem__(self, component: str | slice) -> Any:
        """Return the sum of a component over all recordings so far, or with `[:]` all sums."""
        if isinstance(component, slice):
            return dict(self.accumulated_)
        return self.accumulated_[component]

    def __iter__(self) -> Iterator[tuple[str, dict[str, float]]]:
        """Yield the name and the components of each recording so far."""
        return iter(self.results_)


class CollarMetric(Metric):
    """A metric with a collar.

    Parameters
    ----------
    collar
        Seconds around each boundary of the reference that are not scored, half on each side.
    skip_overlap
        Skip time in which several speakers of the reference talk.
    """

    def __init__(self, collar: float = 0.0, skip_overlap: bool = False) -> None:
        self.collar, self.skip_overlap = collar, skip_overlap
        super().__init__()


class IdentificationErrorRate(CollarMetric):
    """Missed, false and confused speech per second of reference speech.

    Speakers of both sides correspond if they have the same name.
    """

    title = "identification error rate"
    components: ClassVar[tuple[str, ...]] = ("total", CORRECT, "false alarm", MISSED, "confusion")
    mapping: ClassVar[MappingRule] = "names"

    def parts(self, errors: RecordingErrors) -> dict[str, float]:
        """Return the seconds of each error type and of reference speech."""
        total, missed = errors.scored_seconds, errors.missed_seconds
        confusion = errors.confusion_seconds
        times = total, total - missed - confusion, errors.false_alarm_seconds, missed, confusion
        return dict(zip(self.components, times, strict=True))

    def compute_metric(self, detail: Parts) -> float:
        """Return the rate.

        Without reference speech, the rate is 1 if there are errors, and 0 if there are none.
        """
        wrong = sum(detail[name] for name in ("false alarm", MISSED, "confusion"))
        return _ratio(wrong, detail["total"], float(wrong > 0))


class DiarizationErrorRate(IdentificationErrorRate):
    """The diarisation error rate, with the mapping of speakers that maximises the shared time."""

    title = "diarization error rate"
    mapping: ClassVar[MappingRule] = "best"

    def optimal_mapping(
        self, reference: Any, hypothesis: Any, uem: Iterable[Any] | None = None
    ) -> dict[str, str]:
        """Return the mapping from hypothesis speakers to reference speakers."""
        pairs = self._scored(reference, hypothesis, "NA", uem).mapping.items()
        return {partner: speaker for speaker, partner in pairs if partner is not None}


class GreedyDiarizationErrorRate(DiarizationErrorRate):
    """The diarisation error rate; the speakers that share most time are mapped first."""

    mapping: ClassVar[MappingRule] = "greedy"


class JaccardErrorRate(DiarizationErrorRate):
    """The mean Jaccard error over the speakers of the reference."""

    title = "jaccard error rate"
    components = ("speaker count", "speaker error")

    def parts(self, errors: RecordingErrors) -> dict[str, float]:
        """Return the number of reference speakers, and the sum of their Jaccard errors."""
        total = float(sum(speaker.jaccard_error for speaker in errors.speakers))
        return {"speaker count": len(errors.speakers), "speaker error": total}

    def compute_metric(self, detail: Parts) -> float:
        """Return the mean; 1 if the reference has no speakers."""
        return _ratio(detail["speaker error"], detail["speaker count"])


class IdentificationPrecision(IdentificationErrorRate):
    """The share of hypothesis speaker time in which the reference has the same speaker."""

    title = "precision"
    components = ("# retrieved", f"# {FOUND}")

    def parts(self, errors: RecordingErrors) -> dict[str, float]:
        """Return the speaker time of the hypothesis, and its correct time, in seconds."""
        present = errors.scored_seconds - errors.missed_seconds
        right = present - errors.confusion_seconds
        return dict(
            zip(self.components, (present + errors.false_alarm_seconds, right), strict=True)
        )

    def compute_metric(self, detail: Parts) -> float:
        """Return the precision, computed from its parts; 1 if the denominator is 0."""
        return _ratio(detail[self.components[1]], detail[self.components[0]])


class IdentificationRecall(IdentificationPrecision):
    """The share of reference speaker time in which the hypothesis has the same speaker."""

    title = "recall"
    components = ("# relevant", f"# {FOUND}")

    def parts(self, errors: RecordingErrors) -> dict[str, float]:
        """Return the speaker time of the reference, and its correct time, in seconds."""
        right = errors.scored_seconds - errors.missed_seconds - errors.confusion_seconds
        return dict(zip(self.components, (errors.scored_seconds, right), strict=True))


class DiarizationPurity(Metric):
    """The share of the hypothesis's speaker time in which the main reference speaker talks.

    The main reference speaker of a hypothesis speaker is the one that shares most time with it. As
    in pyannote.metrics, all turns count, and `uem` is ignored.
    """

    title = "purity"
    components = ("total", CORRECT)

    def _scored(
        self, reference: Any, hypothesis: Any, name: str, uem: Iterable[Any] | None
    ) -> RecordingErrors:
        return super()._scored(reference, hypothesis, name, None)

    def parts(self, errors: RecordingErrors) -> dict[str, float]:
        """Return the speaker time of the hypothesis, and its pure time, in seconds."""
        return self._seconds(errors.agreement.clustered, errors.agreement.pure)

    def compute_metric(self, detail: Parts) -> float:
        """Return the value of the metric, from 0 to 1; 1 if its denominator is 0."""
        return _ratio(detail[CORRECT], detail["total"])


class DiarizationCoverage(DiarizationPurity):
    """The share of the reference's speaker time in which the main hypothesis speaker talks.

    The main hypothesis speaker of a reference speaker is the one that shares most time with it.
    """

    title = "coverage"

    def parts(self, errors: RecordingErrors) -> dict[str, float]:
        """Return the speaker time of the reference, and its covered time, in seconds."""
        return self._seconds(errors.agreement.spoken, errors.agreement.covered)


class DiarizationHomogeneity(CollarMetric):
    """1 minus the share of the reference's entropy that remains if the hypothesis is known."""

    title = "homogeneity"
    components = ("entropy", "cross-entropy")

    def parts(self, errors: RecordingErrors) -> dict[str, float]:
        """Return the entropy of the reference, and its conditional entropy, in nats."""
        entropies = errors.entropies
        return {"entropy": entropies.reference, "cross-entropy": entropies.reference_beyond}

    def compute_metric(self, detail: Parts) -> float:
        """Return the value of the metric.

        If the entropy is 0, the value is 1, or 0 if the conditional entropy is above 0.
        """
        left, entropy = detail["cross-entropy"], detail["entropy"]
        return 1.0 - left / entropy if entropy else float(not left)


class DiarizationCompleteness(DiarizationHomogeneity):
    """1 minus the share of the hypothesis's entropy that remains if the reference is known."""

    title = "completeness"

    def parts(self, errors: RecordingErrors) -> dict[str, float]:
        """Return the entropy of the hypothesis, and its conditional entropy, in nats."""
        entropies = errors.entropies
        return {"entropy": entropies.hypothesis, "cross-entropy": entropies.hypothesis_beyond}


class DetectionErrorRate(CollarMetric):
    """Missed and false speech per second of reference speech, without regard to speakers."""

    title = "detection error rate"
    components = ("total", "false alarm", "miss")

    def parts(self, errors: RecordingErrors) -> dict[str, float]:
        """Return the seconds of each error type and of reference speech."""
        times = errors.agreement
        amounts = times.speech, times.false_alarm_speech, times.missed_speech
        return self._seconds(*amounts)

    def compute_metric(self, detail: Parts) -> float:
        """Return the rate.

        Without reference speech, the rate is 1 if there are errors, and 0 if there are none.
        """
        wrong = detail["false alarm"] + detail["miss"]
        return _ratio(wrong, detail["total"], float(wrong > 0))


class DetectionAccuracy(CollarMetric):
    """The share of the scored time in which both sides agree on speech or silence."""

    title = "detection accuracy"
    components = ("true positive", "true negative", "false positive", "false negative")

    def parts(self, errors: RecordingErrors) -> dict[str, float]:
        """Return the seconds in which the sides agree or differ, by type."""
        evaluated, speech, missed, alarms, *_ = errors.agreement
        amounts = speech - missed, evaluated - speech - alarms, alarms, missed
        return self._seconds(*amounts)

    def compute_metric(self, detail: Parts) -> float:
        """Return the value of the metric, from 0 to 1; 1 if its denominator is 0."""
        right = detail["true positive"] + detail["true negative"]
        return _ratio(right, sum(detail[name] for name in self.components))


class DetectionPrecision(CollarMetric):
    """The share of the hypothesis's speech time in which the reference also has speech."""

    title = "detection precision"
    components: ClassVar[tuple[str, ...]] = ("retrieved", FOUND)

    def parts(self, errors: RecordingErrors) -> dict[str, float]:
        """Return the seconds of correct speech, and of speech in the denominator."""
        _, speech, missed, alarms, *_ = errors.agreement
        times = {"retrieved": speech - missed + alarms, "relevant": speech, FOUND: speech - missed}
        return {name: times[name] / SECOND for name in self.components}

    def compute_metric(self, detail: Parts) -> float:
        """Return the value of the metric, from 0 to 1; 1 if its denominator is 0."""
        return _ratio(detail[FOUND], detail[self.components[0]])


class DetectionRecall(DetectionPrecision):
    """The share of the reference's speech time in which the hypothesis also has speech."""

    title = "detection recall"
    components = ("relevant", FOUND)


class DetectionPrecisionRecallFMeasure(DetectionPrecision):
    """The F-measure of speech; with `beta` above 1, recall has more weight."""

    title = "F[precision|recall]"
    components = ("retrieved", "relevant", FOUND)

    def __init__(self, collar: float = 0.0, skip_overlap: bool = False, beta: float = 1.0) -> None:
        self.beta = beta
        super().__init__(collar, skip_overlap)

    def compute_metrics(self, detail: Parts | None = None) -> tuple[float, float, float]:
        """Return precision, recall and F-measure.

        Without `detail`, they are those of all recordings so far.
        """
        sums = self.accumulated_ if detail is None else detail
        precision, recall = (_ratio(sums[FOUND], sums[name]) for name in self.components[:2])
        return precision, recall, _f_measure(precision, recall, self.beta)

    def compute_metric(self, detail: Parts) -> float:
        """Return the F-measure."""
        return self.compute_metrics(detail)[2]


class DetectionCostFunction(CollarMetric):
    """The weighted sum of two shares: missed speech in all speech, false speech in all silence."""

    title = "detection cost function"
    components = ("positive class total", "negative class total", "false alarm", "miss")

    def __init__(
        self,
        collar: float = 0.0,
        skip_overlap: bool = False,
        fa_weight: float = 0.25,
        miss_weight: float = 0.75,
    ) -> None:
        self.fa_weight, self.miss_weight = fa_weight, miss_weight
        super().__init__(collar, skip_overlap)

    def parts(self, errors: RecordingErrors) -> dict[str, float]:
        """Return the seconds of missed and false speech, and of all speech and all silence."""
        evaluated, speech, missed, alarms, *_ = errors.agreement
        amounts = speech, evaluated - speech, alarms, missed
        return self._seconds(*amounts)

    def compute_metric(self, detail: Parts) -> float:
        """Return the cost.

        If the reference has no speech, the share of missed speech is 0; if it has no silence, the
        share of false speech is 0.
        """
        speech, silence, alarms, missed = (detail[name] for name in self.components)
        share = self.fa_weight * _ratio(alarms, silence, float(alarms > 0))
        return share + self.miss_weight * _ratio(missed, speech, float(missed > 0))


class ToleranceMetric(Metric):
    """Base of metrics for borders of segments.

    Parameters
    ----------
    tolerance
        Seconds. For purity and coverage: up to this length, a gap between two turns of a speaker is
        filled. For precision and recall: the largest distance between two borders that match.
    """

    def __init__(self, tolerance: float = 0.5) -> None:
        self.tolerance = tolerance
        super().__init__()


class SegmentationCoverage(ToleranceMetric):
    """The share of reference time that the best hypothesis segments cover.

    The best hypothesis segment for a reference segment is the one that overlaps it most; no other
    counts.
    """

    title = "segmentation coverage"
    components = ("total duration", "intersection duration")

    def parts(self, errors: RecordingErrors) -> dict[str, float]:
        """Return the time of all segments, and the covered time, in seconds."""
        sums = errors.segmentation
        return self._seconds(sums.partitioned, sums.covered)

    def compute_metric(self, detail: Parts) -> float:
        """Return the value of the metric, from 0 to 1; 1 if its denominator is 0."""
        return _ratio(detail[self.components[1]], detail[self.components[0]])


class SegmentationPurity(SegmentationCoverage):
    """The share of hypothesis time that the best reference segments cover.

    The best reference segment for a hypothesis segment is the one that overlaps it most; no other
    counts.
    """

    title = "segmentation purity"

    def parts(self, errors: RecordingErrors) -> dict[str, float]:
        """Return the time of all segments, and the pure time, in seconds."""
        sums = errors.segmentation
        return self._seconds(sums.partitioned, sums.pure)


class SegmentationPurityCoverageFMeasure(ToleranceMetric):
    """The F-measure of purity and coverage; with `beta` above 1, coverage has more weight."""

    title = "segmentation F[purity|coverage]"
    components = (
        *("pty total duration", "pty intersection duration"),
        *("cvg total duration", "cvg intersection duration"),
    )

    def __init__(self, tolerance: float = 0.5, beta: float = 1) -> None:
        self.beta = beta
        super().__init__(tolerance)

    def parts(self, errors: RecordingErrors) -> dict[str, float]:
        """Return the seconds of all segments and the covered seconds.

        They are given twice: for purity, then for coverage.
        """
        sums = errors.segmentation
        amounts = sums.partitioned, sums.pure, sums.partitioned, sums.covered
        return self._seconds(*amounts)

    def compute_metrics(self, detail: Parts | None = None) -> tuple[float, float, float]:
        """Return purity, coverage and F-measure.

        Without `detail`, they are those of all recordings so far.
        """
        sums = self.accumulated_ if detail is None else detail
        whole, pure, again, covered = (sums[name] for name in self.components)
        purity, coverage = _ratio(pure, whole), _ratio(covered, again)
        return purity, coverage, _f_measure(purity, coverage, self.beta)

    def compute_metric(self, detail: Parts) -> float:
        """Return the F-measure."""
        return self.compute_metrics(detail)[2]


class SegmentationPrecision(ToleranceMetric):
    """The share of the hypothesis's borders that match a border of the reference."""

    title = "segmentation precision"
    components = ("number of matches", "number of boundaries")

    def __init__(self, tolerance: float = 0.0) -> None:
        super().__init__(tolerance)

    def parts(self, errors: RecordingErrors) -> dict[str, float]:
        """Return the number of matches, and the number of the hypothesis's borders."""
        sums = errors.segmentation
        numbers = sums.precise, sums.hypothesis_changes
        return dict(zip(self.components, map(float, numbers), strict=True))

    def compute_metric(self, detail: Parts) -> float:
        """Return the value of the metric, from 0 to 1; 1 if its denominator is 0."""
        return _ratio(*(detail[name] for name in self.components))


class SegmentationRecall(SegmentationPrecision):
    """The share of the reference's borders that match a border of the hypothesis."""

    title = "segmentation recall"

    def parts(self, errors: RecordingErrors) -> dict[str, float]:
        """Return the number of matches, and the number of the reference's borders."""
        sums = errors.segmentation
        numbers = sums.recalled, sums.reference_changes
        return dict(zip(self.components, map(float, numbers), strict=True))
