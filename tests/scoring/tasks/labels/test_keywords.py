"""Rates of false rejections and false alarms, and the value made of them."""

import pytest

from scoring.tasks.labels.aligners import LabelError
from scoring.tasks.labels.keywords import BETA, KWSEvaluation, KWSEvaluator


def test_the_weight_of_a_false_alarm() -> None:
    assert pytest.approx(999.9) == BETA


def small() -> KWSEvaluation:
    return KWSEvaluator().evaluate_label_lists(
        [("up", 1, 2), ("down", 5, 6), ("up", 8, 9)],
        [("up", 1.1, 2), ("left", 5, 6), ("stop", 3, 4)],
        duration=10,
    )


def test_the_example_of_ten_seconds() -> None:
    evaluation = small()
    assert evaluation.total_duration == 10
    assert evaluation.false_rejection_rate() == evaluation.false_rejection_rate([]) == 0.375
    assert evaluation.false_alarm_rate() == pytest.approx(0.05)
    assert evaluation.term_weighted_value() == pytest.approx(1 - 0.375 - 999.9 * 0.05)
    assert evaluation.false_alarm_rate("left") == pytest.approx(0.1)
    assert evaluation.term_weighted_value(["up", "down"]) == pytest.approx(0.25)
    # keywords that do not occur take part in the mean unless they are dropped
    assert evaluation.keywords() == ["down", "up"]
    assert evaluation.false_rejection_rate(evaluation.keywords()) == 0.75


def test_the_example_of_two_utterances() -> None:
    evaluation = KWSEvaluator().evaluate(
        {
            "u1": [("tiger", 10, 10.5), ("tiger", 30, 30.5), ("lynx", 50, 50.6)],
            "u2": [("tiger", 5, 5.5), ("wolf", 7, 7.5)],
        },
        {
            "u1": [("tiger", 10.1, 10.5), ("lynx", 30, 30.5), ("fox", 55, 55.5)],
            "u2": [("tiger", 5.46, 5.9), ("wolf", 7, 7.5), ("wolf", 7.4, 7.9)],
        },
        durations={"u1": 60, "u2": 40},
    )
    expected = {
        "fox": (0, 0, 0, 0, 1, 0.0, 1 / 100, -8.999),
        "lynx": (1, 0, 0, 1, 1, 1.0, 1 / 99, -10.100),
        "tiger": (3, 1, 1, 1, 1, 2 / 3, 1 / 97, -9.974914),
        "wolf": (1, 1, 0, 0, 1, 0.0, 1 / 99, -9.100),
    }
    for keyword, (total, correct, substituted, deleted, false, *rates) in expected.items():
        confusion = evaluation.confusion.instances[keyword]
        assert (confusion.total, confusion.correct) == (total, correct), keyword
        assert (confusion.substitutions, confusion.deletions) == (substituted, deleted), keyword
        assert confusion.false_positives == false, keyword
        assert evaluation.false_rejection_rate(keyword) == pytest.approx(rates[0]), keyword
        assert evaluation.false_alarm_rate(keyword) == pytest.approx(rates[1]), keyword
        assert evaluation.term_weighted_value(keyword) == pytest.approx(rates[2], abs=1e-5), keyword
    whole = evaluation.confusion
    assert (whole.total, whole.correct, whole.substitutions, whole.deletions) == (5, 2, 1, 2)
    assert whole.false_positives == 4
    assert evaluation.false_rejection_rate() == pytest.approx(0.416667, abs=1e-6)
    assert evaluation.false_alarm_rate() == pytest.approx(0.01012782, abs=1e-8)
    assert evaluation.term_weighted_value() == pytest.approx(-9.543479, abs=1e-5)


def test_nothing_in_the_reference() -> None:
    evaluation = KWSEvaluator().evaluate_label_lists([], [("four", 1, 2)], duration=10)
    assert evaluation.false_rejection_rate() == 0
    assert evaluation.false_alarm_rate() == pytest.approx(0.1)
    silent = KWSEvaluator().evaluate_label_lists([], [], duration=10)
    assert silent.false_rejection_rate() == 0
    assert silent.false_alarm_rate() is None
    assert silent.term_weighted_value() is None


def test_no_time_for_false_alarms() -> None:
    """A division by zero, or a negative rate, in the original."""
    for duration in (1, 0.5):
        evaluation = KWSEvaluator().evaluate_label_lists(
            [("up", 0, 0.3)], [("up", 0, 0.4), ("up", 0.3, 0.5)], duration=duration
        )
        assert evaluation.false_alarm_rate() is None
        assert evaluation.term_weighted_value() is None


def test_durations_are_needed() -> None:
    evaluation = KWSEvaluator().evaluate({"u": [("up", 1, 2)]}, {"u": []})
    assert evaluation.false_rejection_rate() == 1
    assert not evaluation.knows_durations
    with pytest.raises(LabelError, match=r"Missing durations for some utterances! \('u'\)"):
        evaluation.false_alarm_rate()


def test_a_keyword_that_does_not_occur() -> None:
    for ask in (small().false_rejection_rate, small().false_alarm_rate):
        with pytest.raises(LabelError, match="expected a keyword that occurs, found 'right'"):
            ask("right")


def test_false_accepts_are_counted_per_hour() -> None:
    spoken = {"a": [("hey", 1.0, 2.0), ("stop", 5.0, 6.0)]}
    heard = {"a": [("hey", 1.0, 2.0), ("hey", 30.0, 31.0), ("stop", 40.0, 41.0)]}
    evaluation = KWSEvaluator().evaluate(spoken, heard, durations={"a": 1800.0})
    assert evaluation.false_alarms_per_hour() == 4.0
    assert evaluation.false_alarms_per_hour("hey") == 2.0
    with pytest.raises(LabelError):
        evaluation.false_alarms_per_hour("go")
