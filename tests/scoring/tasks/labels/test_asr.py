"""Words out of labels, in order."""

import io
from typing import Any

import pytest

import formats
from formats import Label
from scoring.tasks.labels.aligners import LabelError, LabelPair
from scoring.tasks.labels.asr import ASREvaluation, ASREvaluator
from scoring.tasks.labels.transcripts import TranscriptError


def words(labels: list[Any], **arguments: float) -> list[str]:
    return [label.value for label in ASREvaluator.tokenize(labels, **arguments)]


def test_labels_are_put_in_order_and_taken_apart() -> None:
    assert words([("c d", 5, 6), ("a  b", 0, 2), (" e ", 6, 7)]) == ["a", "b", "c", "d", "e"]


def test_blanks_only_separate() -> None:
    assert words([("a\tb c", 0, 1)]) == ["a\tb", "c"]
    assert words([("", 0, 1), ("  ", 1, 2)]) == []


def test_words_keep_the_times_of_their_labels() -> None:
    """They lose them in the original."""
    assert ASREvaluator.tokenize([("a b", 1, 2)]) == [Label("a", 1.0, 2.0), Label("b", 1.0, 2.0)]


def test_a_little_overlap_is_no_overlap() -> None:
    assert words([("a", 0, 1.09), ("b", 1, 2)]) == ["a", "b"]
    for start in range(50):
        with pytest.raises(LabelError, match="Labels overlap, not able to define the correct"):
            words([("a", start, start + 1.1), ("b", start + 1, start + 2)])
    assert words([("a", 0, 1.5), ("b", 1, 2)], overlap_threshold=0.6) == ["a", "b"]


def test_overlap_names_its_labels_and_utterance() -> None:
    with pytest.raises(
        LabelError, match=r"utterance 'u': Labels .* \('a' from 0 to 9 s and 'c' from 4 to 5 s\)"
    ):
        ASREvaluator().evaluate({"u": [("a", 0, 9), ("b", 8.95, 9.5), ("c", 4, 5)]}, {"u": []})


def test_all_earlier_labels_are_looked_at() -> None:
    """The original looks at the one before only: b ends at 2."""
    assert words([("a", 0, 1.05), ("b", 0.96, 1.02), ("c", 0.97, 3)]) == ["a", "b", "c"]
    with pytest.raises(LabelError, match="'a' from 0 to 9 s and 'b'"):
        words([("a", 0, 9), ("b", 0.01, 0.02), ("c", 0.03, 8)])


def test_words_without_times() -> None:
    """In the original two labels of which the first is open cannot be scored."""
    assert words([("c",), ("a",), ("b a",)]) == ["c", "a", "b", "a"]
    assert words([("c", 0), ("a", 0, -1), ("b", 0, float("inf"))]) == ["c", "a", "b"]
    assert words([("b", 3), ("a", 1)]) == ["a", "b"]
    with pytest.raises(LabelError, match="expected a label with a start, found 'b' without times"):
        words([("a", 0, 1), ("b",)])


def test_evaluation() -> None:
    evaluation = ASREvaluator().evaluate([("a b a d", 0, 3), ("f a b", 3, 5)], [("a b d f i b",)])
    assert isinstance(evaluation, ASREvaluation)
    assert [pair.edit.letter for pair in evaluation.label_pairs] == list("CCDCCSC")
    assert evaluation.confusion.error_rate == 2 / 7
    assert evaluation.label_pairs[2] == LabelPair(Label("a", 0.0, 3.0), None)


def test_transcripts_need_times() -> None:
    """Others are for `scoring.wer`."""
    texts = ("a 1 0 1 good\na 1 1 2 day\n", "a 1 1 2 day\na 1 0 1 bad\n")
    timed = [formats.read(io.StringIO(text), "ctm") for text in texts]
    evaluation = ASREvaluator().evaluate(timed[0], timed[1])
    assert [repr(pair) for pair in evaluation.label_pairs] == [
        "LabelPair(good, bad)",
        "LabelPair(day, day)",
    ]
    untimed = formats.read(io.StringIO("good day (anne-1)\n"), "trn")
    with pytest.raises(TranscriptError, match="every label needs its start and end, and 'good"):
        ASREvaluator().evaluate(untimed, untimed)
