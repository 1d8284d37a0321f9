"""Evaluation of segments: time spans are right or wrong, in seconds."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from formats.schema.words import Label
from scoring.tasks.labels.aligners.pairs import ActiveStretch, ListLikeTuple
from scoring.tasks.labels.aligners.segments import InvariantSegmentAligner, flattened
from scoring.tasks.labels.confusion import SegmentConfusion
from scoring.tasks.labels.evaluation import Evaluation, Evaluator


class SegmentEvaluation(Evaluation):
    """The evaluation of time spans with at most one label per side, in seconds.

    Time without labels on both sides belongs to no segment.
    """

    unit: ClassVar[str] = "seconds"
    title: ClassVar[str] = "Segments"
    confusion_type = SegmentConfusion

    @property
    def utt_to_segments(self) -> dict[str, ListLikeTuple[ActiveStretch]]:
        """Segments by utterance."""
        return self.aligned

    @property
    def segments(self) -> list[ActiveStretch]:
        """The time spans of all utterances."""
        return self.items

    @property
    def template_data(self) -> dict[str, Any]:
        """The names that a report template can use, including `utt_to_segments`."""
        return {**super().template_data, "utt_to_segments": self.utt_to_segments}


class SegmentEvaluator(Evaluator[SegmentEvaluation]):
    """Scores segments by time.

    Labels of one side must not overlap. A label without an end lasts to the end of its utterance,
    whose duration must then be known.

    Parameters
    ----------
    aligner
        Default: `InvariantSegmentAligner`.

    Examples
    --------
    >>> evaluation = SegmentEvaluator().evaluate(
    ...     [("speech", 0, 4), ("music", 4, 6)], [("speech", 0, 5)]
    ... )
    >>> evaluation.confusion
    <AggregatedConfusion: correct=4, deletions=1, substitutions=1, substitutions_out=1>
    >>> evaluation.segments
    [0 - 4 REF: speech HYP: speech, 4 - 5 REF: music HYP: speech, 5 - 6 REF: music HYP: None]
    """

    evaluation = SegmentEvaluation
    default_aligner = InvariantSegmentAligner
    cuts_labels = True

    @classmethod
    def default_label_list_idx(cls) -> str:
        """Return the name of the label list that is read from a corpus by default."""
        return "domain"

    @staticmethod
    def flatten_overlapping_labels(
        aligned_segments: Iterable[ActiveStretch],
    ) -> list[ActiveStretch]:
        """Return segments with one label, or None, on each side.

        Raises `LabelError` if labels overlap.
        """
        return flattened(aligned_segments)

    def _aligned(
        self, references: Sequence[Label], hypotheses: Sequence[Label], duration: float | None
    ) -> list[ActiveStretch]:
        """Return segments with at most one label on each side; raise LabelError for an open end."""
        aligned = self.aligner.align(references, hypotheses, duration=duration)
        segments = flattened(aligned)
        for segment in segments:
            _ = segment.nanoseconds
        return segments
