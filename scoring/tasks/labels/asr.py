"""Evaluation of words: labels are split into words and aligned by order."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import ClassVar

from formats.schema.messages import Message
from formats.schema.times import SECOND
from formats.schema.words import Label
from scoring.tasks.labels.aligners.levenshtein import LevenshteinAligner
from scoring.tasks.labels.aligners.spans import OPEN, LabelError, described, span_of
from scoring.tasks.labels.evaluation import Evaluator, naming
from scoring.tasks.labels.events import EventEvaluation
from scoring.tasks.labels.outcome import AnyLabel, Outcome, as_label

OVERLAP_THRESHOLD = 0.1


class ASREvaluation(EventEvaluation):
    """The evaluation of aligned words."""

    unit: ClassVar[str] = "words"
    title: ClassVar[str] = "Words"


class ASREvaluator(Evaluator[ASREvaluation]):
    """Scores words in the order of their labels' times.

    `scoring.wer` is faster, and supports alternations, optional words and case.

    Parameters
    ----------
    aligner
        Default: `LevenshteinAligner` with sclite's costs of 3, 3 and 4.

    Examples
    --------
    >>> evaluation = ASREvaluator().evaluate([("good morning", 0, 2)], [("good", 0, 1)])
    >>> evaluation.label_pairs, evaluation.confusion.error_rate
    ([LabelPair(good, good), LabelPair(morning, -)], 0.5)
    """

    evaluation = ASREvaluation
    default_aligner = LevenshteinAligner

    def _evaluation(
        self,
        reference: Outcome,
        hypothesis: Outcome,
        remarks: tuple[Message, ...],
        choices: Mapping[str, str],
    ) -> ASREvaluation:
        words = reference.changed(self._words), hypothesis.changed(self._words)
        return super()._evaluation(words[0], words[1], remarks, choices)

    def _words(self, utterance: str, labels: Sequence[Label]) -> list[Label]:
        with naming(utterance):
            return self.tokenize(labels)

    @staticmethod
    def tokenize(
        labels: Iterable[AnyLabel], overlap_threshold: float = OVERLAP_THRESHOLD
    ) -> list[Label]:
        """Split labels into words; each word gets the times of its label.

        Labels are sorted by start, then by end; labels with equal or missing times keep their
        order. Words are separated by spaces.

        Parameters
        ----------
        overlap_threshold
            Seconds. Labels that overlap by this much or more have no order. Open ends overlap with
            nothing, because the length of the label is unknown.

        Raises `LabelError` if labels overlap, or if only some have times.
        """
        ordered = [as_label(label) for label in labels]
        if any(label.start is not None for label in ordered):
            ordered.sort(key=span_of)
            latest, longest = -OPEN, None
            for label in ordered:
                start, end = span_of(label)
                if longest and latest - start >= round(overlap_threshold * SECOND):
                    raise LabelError(
                        "Labels overlap, not able to define the correct order "
                        f"({described(longest)} and {described(label)})"
                    )
                if latest < end < OPEN:
                    latest, longest = end, label
        return [
            label._replace(value=token)
            for label in ordered
            for token in map(str.strip, label.value.split(" "))
            if token
        ]
