"""The evaluator of segments."""

import pytest

from scoring.tasks.labels.aligners import InvariantSegmentAligner, LabelError
from scoring.tasks.labels.outcome import Outcome
from scoring.tasks.labels.segments import SegmentEvaluation, SegmentEvaluator


def test_seconds() -> None:
    evaluation = SegmentEvaluator().evaluate(
        {
            "u1": [("speech", 0, 100.4), ("music", 110, 130)],
            "u2": [("speech", 0, 24.5), ("mix", 24.5, 40.9), ("music", 40.9, 49.2)],
        },
        {
            "u1": [("speech", 0, 100.4), ("mix", 110, 130)],
            "u2": [("speech", 0, 40.9), ("music", 50, 51.7)],
        },
    )
    assert isinstance(evaluation, SegmentEvaluation)
    whole = evaluation.confusion
    assert (whole.correct, whole.insertions, whole.deletions) == (124.9, 1.7, 8.3)
    assert (whole.substitutions, whole.substitutions_out, whole.total) == (36.4, 36.4, 169.6)
    assert whole.instances["mix"].substitutions == 16.4
    assert len(evaluation.utt_to_segments["u1"]) == 2
    assert len(evaluation.segments) == 6
    assert evaluation.failing_utterances == ["u1", "u2"]


def test_time_without_labels_is_in_no_segment() -> None:
    evaluation = SegmentEvaluator().evaluate([("a", 0, 1), ("a", 5, 6)], [("a", 0, 1)])
    assert [str(segment) for segment in evaluation.segments] == [
        "0 - 1 REF: a HYP: a",
        "5 - 6 REF: a HYP: None",
    ]


def test_overlap_is_refused_with_its_labels() -> None:
    with pytest.raises(
        LabelError,
        match=r"utterance 'u3': Overlapping labels in reference\. \('a' from 0 to 3 s and 'b' from "
        r"2 to 5 s overlap from 2 to 3 s\)",
    ):
        SegmentEvaluator().evaluate({"u3": [("a", 0, 3), ("b", 2, 5)]}, {"u3": []})
    with pytest.raises(LabelError, match=r"Overlapping labels in hypothesis\."):
        SegmentEvaluator().evaluate([], [("a", 0, 3), ("a", 2, 5)])


def test_labels_that_last_to_the_end() -> None:
    sides = {"u": [("a", 0, 3), ("b", 3, -1)]}, {"u": [("a", 0)]}
    evaluation = SegmentEvaluator().evaluate(*sides, durations={"u": 10})
    assert (evaluation.confusion.correct, evaluation.confusion.substitutions) == (3, 7)
    with pytest.raises(LabelError, match="utterance 'u': expected the duration of the utterance"):
        SegmentEvaluator().evaluate(*sides)


@pytest.mark.parametrize(
    ("labels", "message"),
    [
        ([("a", 17.5, 17.3)], "Label-end 17.3 is smaller than label-start 17.5!"),
        ([("a", 3, 3)], "utterance 'noname': expected a label with a length, found 'a' from 3 to"),
        ([("a",)], "utterance 'noname': expected a label with a start"),
    ],
)
def test_impossible_times(labels: list[tuple[str, float]], message: str) -> None:
    with pytest.raises(LabelError, match=message):
        SegmentEvaluator().evaluate([("b", 0, 30)], labels)


def test_ignored_stretches_are_cut_out() -> None:
    reference = Outcome({"u": [("a", 0, 10)]}, ignored={"u": [(2.0, 4.0)]})
    whole = SegmentEvaluator().evaluate(reference, {"u": [("a", 0, 3), ("b", 3, 5)]}).confusion
    assert (whole.correct, whole.substitutions, whole.deletions) == (2, 1, 5)


def test_the_threshold_is_the_aligners() -> None:
    sides = [("a", 0, 1)], [("a", 0.05, 1)]
    assert SegmentEvaluator().evaluate(*sides).confusion.deletions == 0.05
    coarse = SegmentEvaluator(InvariantSegmentAligner(0.1))
    assert coarse.evaluate(*sides).confusion.deletions == 0


def test_another_list_of_a_corpus() -> None:
    assert SegmentEvaluator.default_label_list_idx() == "domain"
