"""Rates of false rejections and false alarms, and the value made of them."""

from __future__ import annotations

from statistics import mean

import pytest

from scoring.labels.aligners import LabelError
from scoring.labels.keywords import BETA, KWSEvaluation, KWSEvaluator

# keyword: correct, taken for, deleted, inserted
SPOTTED: dict[str, tuple[int, list[str], int, int]] = {
    "one": (5, ["two"], 1, 0),
    "two": (3, ["three"], 0, 2),
    "three": (4, ["two"], 1, 1),
    "four": (2, ["five"], 0, 1),
    "five": (3, [], 1, 2),
}
Labels = dict[str, list[tuple[str, float, float]]]


def spotted() -> KWSEvaluation:
    """Each occurrence in a place of its own, over two utterances of 150.4 s together."""
    reference: Labels = {"u1": [], "u2": []}
    hypothesis: Labels = {"u1": [], "u2": []}
    number = 0
    for keyword, (correct, taken_for, deleted, inserted) in SPOTTED.items():
        places: list[tuple[str | None, str | None]] = [(keyword, keyword)] * correct
        places += [(keyword, substitute) for substitute in taken_for]
        places += [(keyword, None)] * deleted + [(None, keyword)] * inserted
        for left, right in places:
            number += 1
            utterance = "u1" if number % 2 else "u2"
            if left is not None:
                reference[utterance].append((left, number, number + 0.7))
            if right is not None:
                hypothesis[utterance].append((right, number + 0.1, number + 0.8))
    durations = {"u1": 100.4, "u2": 50.0}
    return KWSEvaluator().evaluate(reference, hypothesis, durations=durations)


def test_counts() -> None:
    whole = spotted().confusion
    assert (whole.total, whole.correct) == (24, 17)
    assert (whole.substitutions, whole.deletions, whole.insertions) == (4, 3, 6)


def test_rates_are_means_of_the_keywords() -> None:
    evaluation = spotted()
    assert evaluation.total_duration == pytest.approx(150.4)
    rejections = [2 / 7, 1 / 4, 2 / 6, 1 / 3, 1 / 4]
    alarms = [0 / 143.4, 4 / 146.4, 2 / 144.4, 1 / 147.4, 3 / 146.4]
    assert evaluation.false_rejection_rate() == pytest.approx(mean(rejections))
    assert evaluation.false_alarm_rate() == pytest.approx(mean(alarms))
    assert evaluation.term_weighted_value() == pytest.approx(
        1 - (mean(rejections) + 999.9 * mean(alarms))
    )
    assert evaluation.false_rejection_rate("five") == pytest.approx(1 / 4)
    assert evaluation.false_alarm_rate("five") == pytest.approx(3 / 146.4)
    assert evaluation.false_rejection_rate([]) == evaluation.false_rejection_rate()
    assert evaluation.keywords() == ["five", "four", "one", "three", "two"]


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
    assert evaluation.false_rejection_rate() == 0.375
    assert evaluation.false_alarm_rate() == pytest.approx(0.05)
    assert evaluation.term_weighted_value() == pytest.approx(1 - 0.375 - 999.9 * 0.05)
    assert evaluation.false_alarm_rate("left") == pytest.approx(0.1)
    assert evaluation.term_weighted_value(["up", "down"]) == pytest.approx(0.25)
    # keywords that do not occur take part in the mean unless they are left out
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
