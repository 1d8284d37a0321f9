"""Segments: stretches of time, right or wrong, in seconds."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from formats.words import Label
from formats.working import told
from scoring.labels.aggregation import AggregatedConfusion, create_from_segments
from scoring.labels.aligners.pairs import ListLikeTuple
from scoring.labels.aligners.segments import (
    OVERLAPS,
    REFUSE,
    InvariantSegmentAligner,
    Overlaps,
    SegmentAligner,
    SegmentPair,
    flattened,
)
from scoring.labels.evaluation import SCORE, Evaluation, Evaluator, Missing, naming, utterances_of
from scoring.labels.outcome import Outcome, cut


class SegmentEvaluation(Evaluation[SegmentPair]):
    """Stretches of time with at most one label of each side, in seconds.

    Time in which neither side has a label is in no segment.
    """

    __slots__ = ()

    unit: ClassVar[str] = "seconds"
    title: ClassVar[str] = "Segments"

    @property
    def utt_to_segments(self) -> dict[str, ListLikeTuple[SegmentPair]]:
        """Segments by utterance."""
        return self.aligned

    @property
    def segments(self) -> list[SegmentPair]:
        """Those of all utterances."""
        return self.items

    @staticmethod
    def _confused(items: Iterable[SegmentPair]) -> AggregatedConfusion:
        return create_from_segments(items)


class SegmentEvaluator(Evaluator[SegmentEvaluation]):
    """Scores segments by time.

    Parameters
    ----------
    aligner
        Default: `InvariantSegmentAligner`.
    overlaps
        What becomes of labels of one side that overlap: ``refuse`` (the default, as in evalmate) or
        ``match``, see `scoring.labels.aligners.segments.flattened`.
    missing
        See `Evaluator`.

    Notes
    -----
    A label that lasts to the end of an utterance needs the utterance's duration. (evalmate scores
    infinite seconds.)

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

    def __init__(
        self,
        aligner: SegmentAligner | None = None,
        *,
        overlaps: Overlaps = REFUSE,
        missing: Missing = SCORE,
    ) -> None:
        super().__init__(missing=missing)
        if overlaps not in OVERLAPS:
            raise ValueError(f"overlaps: expected one of {', '.join(OVERLAPS)}, found {overlaps!r}")
        self.aligner = aligner or InvariantSegmentAligner()
        self.overlaps = overlaps

    @classmethod
    def default_label_list_idx(cls) -> str:
        """Which list of labels of a corpus is taken if none is named."""
        return "domain"

    def _evaluation(
        self, reference: Outcome, hypothesis: Outcome, remarks: tuple[str, ...]
    ) -> SegmentEvaluation:
        ours, theirs = reference.label_lists, hypothesis.label_lists
        durations = reference.utterance_durations
        segments = {}
        for utterance in told(utterances_of(reference, hypothesis), "utterances"):
            sides = ours.get(utterance, ()), theirs.get(utterance, ())
            with naming(utterance):
                aligned = self.aligner.align(*sides, duration=durations.get(utterance))
                segments[utterance] = flattened(aligned, self.overlaps)
                for segment in segments[utterance]:
                    # an end that nobody knows is found out here, where the utterance is known
                    _ = segment.nanoseconds
        return SegmentEvaluation(reference, hypothesis, segments, remarks)

    def _outside(
        self, labels: Iterable[Label], stretches: tuple[tuple[float, float], ...]
    ) -> list[Label]:
        return cut(labels, stretches)
