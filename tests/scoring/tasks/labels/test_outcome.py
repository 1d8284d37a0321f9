"""Labels by utterance, durations, statistics of lengths."""

import pickle
from math import inf, nan
from typing import Any

import pytest

from formats import Label
from scoring.tasks.labels.aligners import (
    ActiveStretch,
    InvariantSegmentAligner,
    LabelError,
    LabelPair,
)
from scoring.tasks.labels.asr import ASREvaluator
from scoring.tasks.labels.confusion import EventConfusion
from scoring.tasks.labels.events import EventEvaluator
from scoring.tasks.labels.label_set import LabelSet
from scoring.tasks.labels.outcome import Outcome, as_label
from scoring.tasks.labels.segments import SegmentEvaluator
from tests.each_case import each_case

BAD: Any = [17]
DICTIONARY: Any = [{"value": "a"}]


class Foreign:
    """A label as audiomate has it."""

    def __init__(self, value: str, start: float = 0, end: float = inf) -> None:
        self.value = value
        self.start = start
        self.end = end


def test_labels_come_in_many_ways() -> None:
    expected = (Label("a", 1.0, 2.0),)
    sources: list[Any] = [Label("a", 1.0, 2.0), ("a", 1, 2), ["a", 1, 2], Foreign("a", 1, 2)]
    for source in sources:
        assert Outcome({"u": [source]}).label_lists == {"u": expected}
    assert as_label(("a",)) == Label("a")
    assert as_label(("a", 1, 2, 0.5)).confidence == 0.5


@pytest.mark.parametrize("end", [None, inf, -1])
def test_open_ends_are_ends_of_the_utterance(end: float | None) -> None:
    labels = [("a", 1, end)]
    assert Outcome({"u": labels}).label_lists["u"][0].end is None
    assert Outcome({"u": labels}, {"u": 7}).label_lists["u"][0].end == 7
    assert Outcome({"u": labels}).with_durations({"u": 7}).label_lists["u"][0].end == 7


def test_order_and_repetitions_stay() -> None:
    """Audiomate's lists lose labels that are equal, and their order."""
    outcome = Outcome({"u": [("b",), ("a",), ("a",), ("b",)]})
    assert [label.value for label in outcome.label_lists["u"]] == ["b", "a", "a", "b"]


def test_values_and_durations() -> None:
    outcome = Outcome({"u1": [("a", 0, 1)], "u2": [("b", 0, 1), ("a", 2, 3)]}, {"u1": 2, "u2": 4})
    assert outcome.all_values == {"a", "b"}
    assert outcome.total_duration == 6
    # utterances without labels last, too
    assert Outcome({"u1": []}, {"u1": 2, "silence": 5}).total_duration == 7
    with pytest.raises(LabelError, match=r"Missing durations for some utterances! \('u2'\)"):
        _ = Outcome({"u1": [], "u2": []}, {"u1": 2}).total_duration


@each_case(
    ("make", "message"),
    [
        (lambda: Outcome([("u", []), ("u", [])]), "of different names, found 'u' twice"),
        (lambda: Outcome({"u": [("a", 3, 2)]}), "Label-end 2.0 is smaller than label-start 3.0!"),
        (lambda: Outcome({"u": [("a", None, 2)]}), "with a start, found 'a' with an end only"),
        (lambda: Outcome({"u": [("a", nan, 2)]}), "expected times in seconds"),
        (lambda: Outcome({"u": [("a", "1", 2)]}), "expected times in seconds, found '1' of label"),
        (lambda: Outcome({"u": [(1, 2)]}), "expected value, start, end and confidence of a label"),
        (lambda: Outcome({"u": BAD}), "expected a label, found 17"),
        (lambda: Outcome({"u": DICTIONARY}), "expected a label, found {'value': 'a'}"),
        (lambda: Outcome({"u": []}, {"u": -1}), "duration of 'u': expected seconds from 0"),
        (lambda: Outcome({"u": []}, {"u": inf}), "duration of 'u': expected seconds from 0"),
        (lambda: Outcome({"u": [("a", 9)]}, {"u": 5}), "'u': expected labels within its 5 s"),
        (lambda: Outcome({}, {"u": 5}).with_durations({"u": 6}), "'u': expected one duration, found 5 and 6 s"),
    ],
)  # fmt: skip
def test_refusals(make: Any, message: str) -> None:
    with pytest.raises(LabelError, match=message):
        make()


def test_statistics_of_lengths() -> None:
    lengths = LabelSet([Label("a", 0, 1), Label("a", 5, 8), Label("b", 8, 10), Label("b", 0, 1.5)])
    assert lengths.count == 4
    assert lengths.label_lengths == (1, 3, 2, 1.5)
    assert (lengths.length_min, lengths.length_max) == (1, 3)
    assert (lengths.length_mean, lengths.length_median) == (1.875, 1.75)
    # of the population: 0.765625 + 1.265625 + 0.015625 + 0.140625, over 4
    assert lengths.length_variance == 0.546875
    assert lengths.total_length == 7.5


def test_statistics_of_nothing() -> None:
    """An error in the original, which makes its report of segments fail."""
    unlabelled = LabelSet()
    assert (unlabelled.count, unlabelled.total_length) == (0, 0)
    for name in ("min", "max", "mean", "median", "variance"):
        assert getattr(unlabelled, f"length_{name}") is None
    untimed = LabelSet([Label("a"), Label("a", 1, None)])
    assert (untimed.count, untimed.without_length, untimed.length_mean) == (2, 2, None)


def test_sets_by_value() -> None:
    outcome = Outcome({"u1": [("b", 0, 1)], "u2": [("a", 0, 2), ("b", 2, 3)]})
    assert outcome.label_set().count == 3
    assert outcome.label_set_for_value("b").label_lengths == (1, 1)
    assert outcome.label_set_for_value("c").count == 0
    assert list(outcome.label_sets()) == ["b", "a"]
    assert outcome.label_sets()["b"] == outcome.label_set_for_value("b")


def test_outcomes_are_values_that_add_up() -> None:
    first, second = (
        Outcome({"u1": [("a", 0, 1)]}, {"u1": 2}),
        Outcome({"u2": [("b", 0)]}, {"u2": 5}),
    )
    both = first + second
    assert both == Outcome({"u1": [("a", 0, 1)], "u2": [("b", 0, 5)]}, {"u1": 2, "u2": 5})
    assert pickle.loads(pickle.dumps(both)) == both
    assert repr(both) == "<Outcome of 2 utterances, 2 labels>"
    with pytest.raises(LabelError, match="found 'u1' twice"):
        _ = first + first


def test_results_equal_lists_of_the_same() -> None:
    """Programs written for evalmate compare with lists, on either side."""
    up, down = Label("up", 1, 2), Label("down", 4, 5)
    outcome = Outcome({"u1": [up, down]})
    assert outcome.label_lists == {"u1": [up, down]}
    assert [up, down] == outcome.label_lists["u1"] == (up, down)
    assert outcome.label_lists["u1"] != [up]
    assert outcome.label_set().labels == [up, down]
    assert outcome.label_set().label_lengths == [1, 1]
    assert hash(outcome) == hash(Outcome({"u1": (up, down)}))
    events = EventEvaluator().evaluate([up], [up])
    assert events.utt_to_label_pairs == {"noname": [LabelPair(up, up)]}
    confusion = events.confusion.instances["up"]
    assert isinstance(confusion, EventConfusion)
    assert confusion.correct_pairs == [LabelPair(up, up)]
    segments = SegmentEvaluator().evaluate([("a", 0, 5)], [("b", 1, 5)])
    assert segments.utt_to_segments["noname"] == [
        ActiveStretch(0, 1, Label("a", 0, 5), None),
        ActiveStretch(1, 5, ref=Label("a", 0, 5), hyp=Label("b", 1, 5)),
    ]
    aligned = InvariantSegmentAligner().align([up], [])
    assert aligned == [ActiveStretch(1, 2, [up], [])]
    assert aligned[0].ref == [up]
    assert aligned[0].hyp == []


def test_pairs_equal_those_of_labels_of_other_packages() -> None:
    evaluation = ASREvaluator().evaluate([Foreign("a b")], [Foreign("a", 0, -1)])
    equal, deleted = evaluation.label_pairs
    assert evaluation.label_pairs == [
        LabelPair(Foreign("a"), Foreign("a")),
        LabelPair(Foreign("b", 0, -1), None),
    ]
    for label in (Foreign("A"), Foreign("a", 0, 9), Foreign("a", 1)):
        assert equal != LabelPair(label, Foreign("a"))
    assert deleted != LabelPair(Foreign("b"), Foreign("b"))
    assert equal != (equal.ref, equal.hyp)


def test_labels_pairs_and_segments_sort() -> None:
    first, second, third = Label("B", 1, 2), Label("c", 1, 2), Label("a", 1)
    untimed, open_end = Label("z"), Label("a", 1, -1)
    assert sorted([third, second, first, untimed]) == [untimed, first, second, third]
    assert first < second <= third
    assert third > second >= first
    assert open_end <= third
    assert open_end >= third
    pairs = [LabelPair(second, None), LabelPair(None, first)]
    assert sorted(pairs) == pairs[::-1]
    segments = [
        ActiveStretch(0, 1, first, None),
        ActiveStretch(0, 1, None, second),
        ActiveStretch(0, 1, first, second),
    ]
    assert sorted(segments) == [segments[1], segments[0], segments[2]]
    with pytest.raises(TypeError):
        _ = first < 3
