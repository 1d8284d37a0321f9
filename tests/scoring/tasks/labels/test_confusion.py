"""Amounts, rates and sums of confusions."""

import pickle
import random

import pytest

from formats import Label
from scoring.tasks.labels.aligners import ActiveStretch, LabelError, LabelPair, Segment
from scoring.tasks.labels.confusion import (
    AggregatedConfusion,
    Confusion,
    EventConfusion,
    SegmentConfusion,
    create_from_label_pairs,
    create_from_segments,
)

UP, DOWN, LEFT = Label("up", 1, 2), Label("down", 1, 2), Label("left", 1, 2)


def pair(ref: Label | None, hyp: Label | None) -> LabelPair:
    return LabelPair(ref, hyp)


def event_confusion() -> EventConfusion:
    return EventConfusion(
        "up",
        correct_pairs=[pair(UP, UP)] * 5,
        insertion_pairs=[pair(None, UP)] * 2,
        deletion_pairs=[pair(UP, None)] * 3,
        substitution_pairs={"left": [pair(UP, LEFT)], "down": [pair(UP, DOWN)]},
        substitution_out_pairs={"down": [pair(DOWN, UP)]},
    )


def test_amounts_of_events() -> None:
    confusion = event_confusion()
    assert (confusion.correct, confusion.insertions, confusion.deletions) == (5, 2, 3)
    assert (confusion.substitutions, confusion.substitutions_out, confusion.total) == (2, 1, 10)
    assert (confusion.true_positives, confusion.false_negatives, confusion.false_positives) == (
        5,
        5,
        3,
    )
    assert all(isinstance(amount, int) for amount in (confusion.correct, confusion.total))


def test_rates() -> None:
    confusion = event_confusion()
    assert confusion.error_rate == 7 / 10
    assert confusion.accuracy == 5 / 12
    assert confusion.precision == 5 / 8
    assert confusion.recall == 5 / 10
    assert confusion.f_measure() == pytest.approx(2 * (5 / 8) * 0.5 / (5 / 8 + 0.5))
    assert confusion.f_measure(2) == pytest.approx(5 * (5 / 8) * 0.5 / (4 * 5 / 8 + 0.5))
    assert confusion.f_measure(0) == confusion.precision
    with pytest.raises(ValueError, match="beta: expected a number from 0, found -1"):
        confusion.f_measure(-1)


def test_nothing_to_divide_by() -> None:
    """0 in the original, even with insertions; its F measure divides by zero."""
    empty = EventConfusion("up")
    rates = (empty.error_rate, empty.accuracy, empty.precision, empty.recall, empty.f_measure())
    assert rates == (None,) * 5
    inserted = EventConfusion("up", insertion_pairs=[pair(None, UP)])
    assert (inserted.error_rate, inserted.recall) == (None, None)
    assert (inserted.precision, inserted.accuracy, inserted.f_measure()) == (0, 0, 0)
    deleted = EventConfusion("up", deletion_pairs=[pair(UP, None)])
    assert (deleted.precision, deleted.recall, deleted.f_measure()) == (None, 0, 0)


def test_substitutions_by_count() -> None:
    confusion = EventConfusion(
        "up",
        substitution_pairs={
            "zoo": [pair(UP, Label("zoo"))],
            "left": [pair(UP, LEFT)] * 2,
            "down": [pair(UP, DOWN)],
        },
    )
    assert confusion.substitutions_by_count() == [("left", 2), ("down", 1), ("zoo", 1)]


def test_confusions_add_up() -> None:
    confusion = event_confusion()
    assert confusion == event_confusion()
    assert pickle.loads(pickle.dumps(confusion)) == confusion
    both = confusion + EventConfusion("up", substitution_pairs={"left": [pair(UP, LEFT)]})
    assert both.substitutions_by_count() == [("left", 2), ("down", 1)]
    assert confusion.substitutions == 2
    with pytest.raises(ValueError, match="expected a confusion of 'up', found one of 'down'"):
        _ = confusion + EventConfusion("down")


def test_amounts_of_segments_are_seconds_without_noise() -> None:
    tenths = [ActiveStretch(n / 10, (n + 1) / 10, UP, UP) for n in range(10)]
    confusion = SegmentConfusion(
        "up",
        tenths,
        deletion_segments=[ActiveStretch(1, 1.7, UP)],
        substitution_segments={"down": [ActiveStretch(2, 2.1, UP, DOWN)]},
    )
    # the same as floats is 0.9999999999999999
    assert confusion.correct == 1.0
    assert (confusion.deletions, confusion.substitutions, confusion.total) == (0.7, 0.1, 1.8)
    assert confusion.recall == pytest.approx(1 / 1.8)
    assert (confusion + confusion).total == 3.6
    with pytest.raises(LabelError, match="expected the duration of the utterance"):
        _ = SegmentConfusion("up", [ActiveStretch(0, float("inf"), UP, UP)]).correct


def test_aggregate() -> None:
    sides = [(UP, UP), (UP, DOWN), (DOWN, None), (None, LEFT), (None, None), (UP, UP)]
    whole = create_from_label_pairs(pair(*labels) for labels in sides)
    assert list(whole.instances) == ["up", "down", "left"]
    assert (whole.amounts, whole.total) == ((2, 1, 1, 1, 1), 4)
    assert whole.instances["down"].substitutions_out == 1
    assert whole.precision == 2 / 4
    assert whole.recall == 2 / 4
    # left is not in the reference and counts 0, as in the original
    assert whole.recall_mean == pytest.approx((2 / 3 + 0 + 0) / 3)
    assert whole.precision_mean == pytest.approx((1 + 0 + 0) / 3)


def test_no_values() -> None:
    """The means are not a number in the original, with a warning."""
    empty = create_from_label_pairs([])
    assert empty.precision_mean is None
    assert empty.recall_mean is None
    assert empty.total == 0
    assert empty == AggregatedConfusion()


def test_some_values_only() -> None:
    whole = create_from_label_pairs([pair(UP, DOWN), pair(LEFT, LEFT), pair(DOWN, None)])
    some = whole.get_confusion_with_instances(["left", "up"])
    assert list(some.instances) == ["left", "up"]
    assert some.instances["up"] is whole.instances["up"]
    assert (some.total, some.substitutions, some.substitutions_out) == (2, 1, 0)
    with pytest.raises(ValueError, match='Instance with key "right" not found!'):
        whole.get_confusion_with_instances(["up", "right"])


def test_aggregates_add_up_in_any_grouping() -> None:
    rng = random.Random(1)
    labels = [None, UP, DOWN, LEFT]
    pairs = [pair(rng.choice(labels), rng.choice(labels)) for _ in range(300)]
    whole = create_from_label_pairs(pairs)
    for cut in (0, 1, 100, 300):
        both = create_from_label_pairs(pairs[:cut]) + create_from_label_pairs(pairs[cut:])
        assert both.amounts == whole.amounts
        for value, instance in both.instances.items():
            assert instance.amounts == whole.instances[value].amounts
    segments = create_from_segments([ActiveStretch(0, 0.3, UP, DOWN)])
    assert (segments + segments).total == 0.6
    with pytest.raises(TypeError, match="events and seconds do not add up"):
        _ = create_from_label_pairs([pair(UP, DOWN)]) + segments


def test_a_value_twice_is_refused() -> None:
    with pytest.raises(ValueError, match="found a value twice"):
        AggregatedConfusion([EventConfusion("up"), EventConfusion("up")])


def test_a_confusion_can_be_built_up_and_rates_follow() -> None:
    """Programs written for evalmate fill the lists of an empty confusion."""
    confusion = EventConfusion("up")
    confusion.correct_pairs.extend([pair(UP, UP), pair(UP, UP)])
    assert confusion.recall == 1
    confusion.substitution_pairs["left"].append(pair(UP, LEFT))
    confusion.substitution_out_pairs["down"].append(pair(DOWN, UP))
    confusion.deletion_pairs = [pair(UP, None)]
    assert confusion.amounts == (2, 0, 1, 1, 1)
    assert confusion.recall == 2 / 4
    music = SegmentConfusion("music")
    music.correct_segments = [ActiveStretch(0, 3), ActiveStretch(88, 103)]
    music.insertion_segments.append(ActiveStretch(8, 19.5))
    music.substitution_out_segments = {"mix": [ActiveStretch(4, 7)]}
    assert (music.correct, music.insertions, music.false_positives) == (18, 11.5, 14.5)


class FiveAmounts(Confusion):
    """A confusion of its five amounts alone, as evalmate's abstract class asks for."""

    correct, insertions, deletions, substitutions, substitutions_out = 6.5, 1.5, 2.0, 1.5, 0.5


def test_a_class_of_five_amounts_is_a_confusion() -> None:
    whole = AggregatedConfusion()
    whole.instances.update(a=FiveAmounts(), b=EventConfusion("b", [pair(UP, UP)]))
    assert (whole.correct, whole.total, whole.insertions) == (7.5, 11.0, 1.5)
    assert whole.recall == 7.5 / 11
    assert whole.recall_mean == (6.5 / 10 + 1) / 2
    chosen = whole.get_confusion_with_instances(["a"])
    assert (list(chosen.instances), chosen.correct, chosen.total) == (["a"], 6.5, 10.0)
    assert list((chosen + AggregatedConfusion()).instances) == ["a"]
    with pytest.raises(TypeError, match="expected confusions of events or segments to add up"):
        _ = whole + whole


def test_a_segment_is_what_evalmate_calls_one() -> None:
    empty = Segment(1.0, 2.5)
    assert (empty.start, empty.end, empty.duration) == (1, 2.5, 1.5)
    assert (empty.ref, empty.hyp) == (None, None)
    assert Segment(0, 1, [UP], [DOWN]).ref == [UP]
