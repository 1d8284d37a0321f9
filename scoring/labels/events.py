"""Events: whole labels, right or wrong, counted."""

from __future__ import annotations

from collections.abc import Iterable

from formats.working import told
from scoring.labels.aggregation import AggregatedConfusion, create_from_label_pairs
from scoring.labels.aligners.bipartite import BipartiteMatchingAligner
from scoring.labels.aligners.pairs import EventAligner, LabelPair, ListLikeTuple
from scoring.labels.evaluation import (
    SCORE,
    Evaluation,
    Evaluator,
    Missing,
    Result,
    naming,
    utterances_of,
)
from scoring.labels.outcome import Outcome


class EventEvaluation(Evaluation[LabelPair]):
    """Aligned events, counted."""

    __slots__ = ()

    @property
    def utt_to_label_pairs(self) -> dict[str, ListLikeTuple[LabelPair]]:
        """Aligned labels by utterance."""
        return self.aligned

    @property
    def label_pairs(self) -> list[LabelPair]:
        """Those of all utterances."""
        return self.items

    @staticmethod
    def _confused(items: Iterable[LabelPair]) -> AggregatedConfusion:
        return create_from_label_pairs(items)


class PairEvaluator(Evaluator[Result]):
    """Whatever aligns whole labels."""

    evaluation: type[Result]

    def __init__(self, aligner: EventAligner, *, missing: Missing = SCORE) -> None:
        super().__init__(missing=missing)
        self.aligner = aligner

    def _evaluation(
        self, reference: Outcome, hypothesis: Outcome, remarks: tuple[str, ...]
    ) -> Result:
        ours, theirs = reference.label_lists, hypothesis.label_lists
        aligned = {}
        for utterance in told(utterances_of(reference, hypothesis), "utterances"):
            with naming(utterance):
                aligned[utterance] = self.aligner.align(
                    ours.get(utterance, ()), theirs.get(utterance, ())
                )
        return self.evaluation(reference, hypothesis, aligned, remarks)


class EventEvaluator(PairEvaluator[EventEvaluation]):
    """Scores events.

    Parameters
    ----------
    aligner
        Default: `BipartiteMatchingAligner`. (evalmate has no default.)
    missing
        See `Evaluator`.

    Examples
    --------
    >>> evaluation = EventEvaluator().evaluate(
    ...     [("bell", 1, 2), ("bark", 5, 6)], [("bell", 1.2, 2), ("knock", 5, 6), ("bark", 8, 9)]
    ... )
    >>> evaluation.confusion
    <AggregatedConfusion: correct=1, insertions=1, substitutions=1, substitutions_out=1>
    >>> evaluation.confusion.instances["bark"].recall
    0.0
    """

    evaluation = EventEvaluation

    def __init__(self, aligner: EventAligner | None = None, *, missing: Missing = SCORE) -> None:
        super().__init__(aligner or BipartiteMatchingAligner(), missing=missing)
