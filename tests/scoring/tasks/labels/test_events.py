"""The evaluator of events, and what all evaluators have in common."""

import pickle
from typing import Any

import pytest

from formats import Label, Segment, Transcript
from scoring.tasks.labels.aligners import (
    FullMatchingAligner,
    LabelError,
    LabelPair,
    LevenshteinAligner,
)
from scoring.tasks.labels.events import EventEvaluation, EventEvaluator
from scoring.tasks.labels.outcome import Outcome
from tests.each_case import each_case
from tests.remarks import said

REFERENCE = {"u1": [("bell", 1, 2), ("bark", 5, 6)], "u2": [("bell", 1, 2)], "u3": []}
HYPOTHESIS = {"u1": [("bell", 1, 2), ("knock", 5, 6)], "u2": [("bell", 1.1, 2)], "u3": []}


class Utterance:
    def __init__(self, idx: str, duration: float, labels: list[Any]) -> None:
        self.idx = idx
        self.duration = duration
        self.label_lists = {"word-transcript": labels}


class Corpus:
    def __init__(self, *utterances: Utterance) -> None:
        self.utterances = {utterance.idx: utterance for utterance in utterances}


def test_dictionaries() -> None:
    evaluation = EventEvaluator().evaluate(REFERENCE, HYPOTHESIS)
    assert isinstance(evaluation, EventEvaluation)
    assert list(evaluation.utt_to_label_pairs) == ["u1", "u2", "u3"]
    assert len(evaluation.label_pairs) == 3
    assert (evaluation.confusion.correct, evaluation.confusion.substitutions) == (2, 1)
    assert evaluation.failing_utterances == ["u1"]
    assert evaluation.correct_utterances == ["u2", "u3"]
    assert evaluation.remarks == ()


def test_outcomes_labels_transcripts_and_a_corpus_are_the_same() -> None:
    bell, bark = Label("bell", 1, 2), Label("bark", 5, 6)
    evaluator = EventEvaluator()
    expected = evaluator.evaluate([bell, bark], [bell]).confusion
    assert expected.deletions == 1
    outcomes = [Outcome({"u": [bell, bark]}), Outcome({"u": [bell]})]
    assert evaluator.evaluate(outcomes[0], outcomes[1]).confusion == expected
    assert evaluator.do_evaluate(outcomes[0], outcomes[1]).confusion == expected
    assert evaluator.evaluate_label_lists([bell, bark], [bell], 10).confusion == expected
    corpus = Corpus(Utterance("u", 9, [bell, bark]))
    against = evaluator.evaluate_label_lists_against_corpus(corpus, {"u": [bell]})
    assert against.confusion == expected
    assert against.utterance_durations == {"u": 9}
    sides = [
        Transcript([Segment.of("rec", ["bell", "bark"], starts=[1, 5], ends=[2, 6])]),
        Transcript([Segment.of("rec", ["bell"], start=1, end=2)]),
    ]
    from_transcripts = evaluator.evaluate(sides[0], sides[1])
    assert list(from_transcripts.aligned) == ["rec"]
    assert from_transcripts.confusion.amounts == expected.amounts


def test_labels_alone_are_one_utterance() -> None:
    evaluation = EventEvaluator().evaluate([("a", 0, 1)], [])
    assert list(evaluation.aligned) == [EventEvaluator.DEFAULT_UTT_IDX] == ["noname"]


def test_another_aligner() -> None:
    labels = [("a", 0, 10)], [("a", 0, 4), ("a", 5, 9)]
    assert EventEvaluator(FullMatchingAligner()).evaluate(*labels).confusion.correct == 2
    assert EventEvaluator().evaluate(*labels).confusion.insertions == 1
    untimed = EventEvaluator(LevenshteinAligner()).evaluate([("a",), ("b",)], [("b",)])
    assert untimed.label_pairs == [LabelPair(Label("a"), None), LabelPair(Label("b"), Label("b"))]


def test_utterances_of_one_side_are_scored_and_remarked_on() -> None:
    """In the original the first is a KeyError, and the second counts nothing."""
    evaluation = EventEvaluator().evaluate(
        {"u1": [("a", 0, 1)], "u2": [("a", 0, 1)]}, {"u1": [("a", 0, 1)], "u3": [("b", 0, 1)]}
    )
    assert evaluation.confusion.deletions == 1
    assert evaluation.confusion.insertions == 1
    assert said(evaluation.remarks) == [
        ("ONE-SIDED.deleted", {"number": 1, "names": ["u2"]}),
        ("ONE-SIDED.inserted", {"number": 1, "names": ["u3"]}),
    ]


def test_labels_after_the_end_of_their_utterance_are_remarked_on() -> None:
    sides = {"u": [("a", 1, 2), ("b", 5, 5.3)]}, {"u": [("a", 1, 2), ("c", 7, 8)]}
    assert EventEvaluator().evaluate(*sides, durations={"u": 8}).remarks == ()
    remarks = EventEvaluator().evaluate(*sides, durations={"u": 5}).remarks
    assert said(remarks) == [("LATE", {"labels": 2})]


@each_case(
    ("sides", "message"),
    [
        ((Corpus(Utterance("u7", 9, [])), {}), "There is no hypothesis label-list with idx u7"),
        (("text", []), r"Invalid arguments! \(expected labels, found str\)"),
        ((7, []), r"Invalid arguments! \(expected labels, found int\)"),
        (([("a", 2, 1)], []), "Label-end 1.0 is smaller than label-start 2.0!"),
        (({"u5": [("a",)]}, {"u5": []}), "utterance 'u5': expected a label with a start"),
        (
            ([Label("a", 0, 1, recording="r1"), Label("a", 0, 1, recording="r2")], []),
            "expected labels of one utterance, found recordings 'r1', 'r2'",
        ),
        ((Outcome({"u": []}, {"u": 3}), Outcome({"u": []}, {"u": 4})), "utterance 'u': expected one duration"),
    ],
)  # fmt: skip
def test_refusals(sides: tuple[Any, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        EventEvaluator().evaluate(*sides)


def test_a_corpus_needs_the_list_that_is_asked_for() -> None:
    corpus = Corpus(Utterance("u7", 9, []))
    with pytest.raises(LabelError, match="expected labels 'domain' of every utterance, found none"):
        EventEvaluator().evaluate(corpus, {"u7": []}, "domain")


def test_evaluations_are_values_that_add_up() -> None:
    evaluator = EventEvaluator()
    whole = evaluator.evaluate(REFERENCE, HYPOTHESIS)
    parts = [
        evaluator.evaluate({name: REFERENCE[name]}, {name: HYPOTHESIS[name]}) for name in REFERENCE
    ]
    assert parts[0] + parts[1] + parts[2] == whole
    back = pickle.loads(pickle.dumps(whole))
    assert (back, back.confusion, hash(back)) == (whole, whole.confusion, hash(whole))
    assert whole not in parts
    with pytest.raises(LabelError, match="found 'u1' twice"):
        _ = whole + parts[0]


def test_ignored_stretches_are_not_scored() -> None:
    reference = Outcome({"u": [("a", 0, 1), ("b", 4, 5)]}, ignored={"u": [(3.0, 8.0)]})
    evaluation = EventEvaluator().evaluate(
        reference, {"u": [("a", 0, 1), ("c", 6, 7), ("d", 7, 9)]}
    )
    assert (evaluation.confusion.correct, evaluation.confusion.insertions) == (1, 1)
    assert evaluation.confusion.total == 1
    assert said(evaluation.remarks) == [("NOT-SCORED", {"labels": 2})]
