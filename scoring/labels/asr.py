"""Words: labels of any length taken apart into words, aligned by their order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from msgspec.structs import replace

from formats.times import SECOND
from formats.words import Label
from scoring.labels.aligners.levenshtein import LevenshteinAligner
from scoring.labels.aligners.pairs import EventAligner
from scoring.labels.aligners.spans import OPEN, LabelError, described, span_of
from scoring.labels.evaluation import SCORE, Missing, naming
from scoring.labels.events import EventEvaluation, PairEvaluator
from scoring.labels.outcome import AnyLabel, Outcome, as_label
from scoring.labels.transcripts import UTTERANCE

OVERLAP_THRESHOLD = 0.1


class ASREvaluation(EventEvaluation):
    """Aligned words, counted."""

    __slots__ = ()

    unit: ClassVar[str] = "words"
    title: ClassVar[str] = "Words"


class ASREvaluator(PairEvaluator[ASREvaluation]):
    """Scores words, in the order of the times of their labels.

    `scoring.wer` is faster, and knows more of words: alternations, optional words, case.

    Parameters
    ----------
    aligner
        Default: `LevenshteinAligner` with sclite's costs of 3, 3 and 4.
    missing
        See `Evaluator`.
    overlap_threshold
        Seconds; see `tokenize`.

    Examples
    --------
    >>> evaluation = ASREvaluator().evaluate([("good morning", 0, 2)], [("good", 0, 1)])
    >>> evaluation.label_pairs, evaluation.confusion.error_rate
    ([LabelPair(good, good), LabelPair(morning, -)], 0.5)
    """

    evaluation = ASREvaluation
    timed = False
    group_by = UTTERANCE

    def __init__(
        self,
        aligner: EventAligner | None = None,
        *,
        missing: Missing = SCORE,
        overlap_threshold: float = OVERLAP_THRESHOLD,
    ) -> None:
        super().__init__(aligner or LevenshteinAligner(), missing=missing)
        self.overlap_threshold = overlap_threshold

    def _evaluation(
        self, reference: Outcome, hypothesis: Outcome, remarks: tuple[str, ...]
    ) -> ASREvaluation:
        tokens = []
        for side in (reference, hypothesis):
            lists = {}
            for utterance, labels in side.label_lists.items():
                with naming(utterance):
                    lists[utterance] = self.tokenize(labels, self.overlap_threshold)
            tokens.append(Outcome(lists, side.utterance_durations))
        return super()._evaluation(tokens[0], tokens[1], remarks)

    @staticmethod
    def tokenize(
        labels: Iterable[AnyLabel], overlap_threshold: float = OVERLAP_THRESHOLD
    ) -> list[Label]:
        """The words of labels, each with the times of the label it comes from.

        Labels are put in the order of their starts, then of their ends; those that have no times,
        or the same, stay in the order given. Words are what stands between blanks. (In evalmate
        words lose their times, and labels that last to the end of the utterance can only come last,
        so that words without times cannot be scored; and a label is compared with the one before
        only.)

        Parameters
        ----------
        overlap_threshold
            Seconds. Labels that overlap by this much or more have no order. An open end overlaps
            with nothing: nobody knows how long the label lasts.

        Raises
        ------
        LabelError
            If labels overlap, or some have times and others none.
        """
        ordered = [as_label(label) for label in labels]
        if any(label.start is not None for label in ordered):
            ordered = _in_order(ordered, round(overlap_threshold * SECOND))
        return [
            replace(label, value=token)
            for label in ordered
            for token in map(str.strip, label.value.split(" "))
            if token
        ]


def _in_order(labels: list[Label], threshold: int) -> list[Label]:
    """Labels sorted by time, with no overlap to speak of."""
    spans = [(span_of(label), label) for label in labels]
    spans.sort(key=lambda entry: (entry[0].start, entry[0].end))
    latest, longest = None, None
    for span, label in spans:
        if latest is not None and longest is not None and latest - span.start >= threshold:
            raise LabelError(
                "Labels overlap, not able to define the correct order "
                f"({described(longest)} and {described(label)})"
            )
        if span.end != OPEN and (latest is None or span.end > latest):
            latest, longest = span.end, label
    return [label for _, label in spans]
