"""Evaluation of events: each whole label is right or wrong."""

from __future__ import annotations

from typing import Any

from scoring.tasks.labels.aligners.bipartite import BipartiteMatchingAligner
from scoring.tasks.labels.aligners.pairs import LabelPair, ListLikeTuple
from scoring.tasks.labels.evaluation import Evaluation, Evaluator


class EventEvaluation(Evaluation):
    """The evaluation of aligned events."""

    @property
    def utt_to_label_pairs(self) -> dict[str, ListLikeTuple[LabelPair]]:
        """Aligned labels by utterance."""
        return self.aligned

    @property
    def label_pairs(self) -> list[LabelPair]:
        """The label pairs of all utterances."""
        return self.items

    @property
    def template_data(self) -> dict[str, Any]:
        """The names that a report template can use, including the pairs of labels."""
        return {
            **super().template_data,
            "utt_to_label_pairs": self.utt_to_label_pairs,
            "label_pairs": self.label_pairs,
        }


class EventEvaluator(Evaluator[EventEvaluation]):
    """Scores events.

    Parameters
    ----------
    aligner
        The aligner of labels; by default `BipartiteMatchingAligner`. In evalmate, it has no
        default.

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
    default_aligner = BipartiteMatchingAligner
