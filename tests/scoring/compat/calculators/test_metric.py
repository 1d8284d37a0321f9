"""The metric for validation: batches and processes in any order give the same numbers."""

from __future__ import annotations

import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.compat.calculators import ErrorTotals, TokenErrorRate
from scoring.model import Counts

TOKENS = ["<blank>", "a", "b", "cd", "<space>"]
ROW = st.lists(st.integers(-1, 4), max_size=6)
Batch = list[tuple[list[int], list[int]]]
BATCH = st.lists(st.tuples(ROW, ROW), max_size=4)


def metric_of(*batches: Batch, **options: Any) -> TokenErrorRate:
    metric = TokenErrorRate(TOKENS, **options)
    for batch in batches:
        metric.update([row for row, _ in batch], [row for _, row in batch])
    return metric


@given(BATCH, BATCH, BATCH)
def test_merging_is_associative_commutative_and_has_a_zero(
    one: Batch, two: Batch, three: Batch
) -> None:
    together = metric_of(one, two, three).compute()
    left, right, other = metric_of(one), metric_of(two), metric_of(three)
    right.merge(other)
    left.merge(right)
    assert left.compute() == together
    first, second = metric_of(one), metric_of(three)
    first.merge(metric_of(two))
    first.merge(second)
    assert first.compute() == together
    reverse = metric_of(three)
    reverse.merge(metric_of(two), metric_of(one), metric_of())
    assert reverse.compute() == together
    assert metric_of([*one, *two, *three]).compute() == together


@given(BATCH, BATCH)
def test_states_of_processes_add_up_number_by_number(one: Batch, two: Batch) -> None:
    states = [metric_of(batch).state_dict() for batch in (one, two)]
    summed = np.array([list(state.values()) for state in states], dtype=float).sum(axis=0)
    metric = metric_of()
    metric.load_state_dict(dict(zip(states[0], summed.tolist(), strict=True)))
    assert metric.compute() == metric_of(one, two).compute()
    assert metric.state_dict() == metric_of(one, two).state_dict()


@given(BATCH)
def test_states_are_plain_and_come_back(batch: Batch) -> None:
    metric = metric_of(batch)
    state = metric.state_dict()
    assert {type(value) for value in state.values()} == {int}
    fresh = metric_of()
    fresh.load_state_dict(state)
    assert fresh.compute() == metric.compute()
    copied = pickle.loads(pickle.dumps(metric))
    assert copied.compute() == metric.compute()
    copied.merge(metric)
    assert copied.compute() == metric.compute() + metric.compute()
    metric.reset()
    assert metric.compute() == ErrorTotals()


@given(BATCH)
def test_nothing_is_wrong_with_what_was_asked_for(batch: Batch) -> None:
    targets = [row for _, row in batch]
    totals = TokenErrorRate(TOKENS).update(targets, targets)
    assert totals.characters is not None
    assert totals.words is not None
    for rate, counts in ((totals.cer, totals.characters), (totals.wer, totals.words)):
        assert counts.errors == 0
        assert rate == (0.0 if counts.reference_tokens else None)


def test_rates_are_of_the_whole() -> None:
    metric = TokenErrorRate.for_transducer(TOKENS)
    assert metric.update([[1]], [[2]]).cer == 1.0
    assert metric.update([[1, 1, 1]], [[1, 1, 1]]).cer == 0.0
    assert metric.compute().cer == 0.25
    assert metric.compute().wer == 0.5
    assert repr(metric).startswith("<TokenErrorRate of 2 utterances, {'characters_correct': 3")


def test_the_three_kinds() -> None:
    rows = [[1, 1, 2, 2]], [[1, 2, -1, -1]]
    assert TokenErrorRate.for_attention(TOKENS).update(*rows).characters == Counts(1, 1)
    assert TokenErrorRate.for_ctc(TOKENS).update(*rows).characters == Counts(2)
    assert TokenErrorRate.for_transducer(TOKENS).update(*rows).characters == Counts(2, 0, 0, 2)
    assert TokenErrorRate.for_ctc(TOKENS, collapse=False).rules.collapse is False


def test_a_refused_batch_adds_nothing() -> None:
    metric = metric_of([([1], [1])])
    before = metric.compute()
    with pytest.raises(IndexError):
        metric.update([[1], [7]], [[1], [1]])
    assert metric.compute() == before


def test_other_rules_do_not_merge() -> None:
    for other in (metric_of(unit="token"), metric_of(report_wer=False), metric_of(drop=[1])):
        with pytest.raises(ValueError, match="a metric of the same rules"):
            metric_of().merge(other)


def test_what_is_not_asked_for_is_none() -> None:
    totals = metric_of([([1], [2])], report_wer=False).compute()
    assert (totals.cer, totals.wer, totals.words) == (1.0, None, None)
    with pytest.raises(ValueError, match="that both count words"):
        totals + ErrorTotals()
    assert (totals + totals).words is None
    with pytest.raises(ValueError, match="a metric that reports the same"):
        metric_of().load_state_dict(totals.numbers())


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"utterances": -1}, "utterances: expected a whole number from 0, found -1"),
        ({"words_correct": 0.5}, "words_correct: expected a whole number from 0, found 0.5"),
        ({"other": 1}, "found 'other'"),
        ({"words_correct": None}, "found None"),
    ],
)
def test_states_that_are_none(change: dict[str, Any], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        metric_of().load_state_dict(metric_of().state_dict() | change)
    state = metric_of().state_dict()
    del state["words_correct"]
    with pytest.raises(ValueError, match="expected numbers words_correct, words_substitutions"):
        metric_of().load_state_dict(state)


def test_ids_without_tokens() -> None:
    rows = [[1, 2, 3]], [[1, 3, -1]]
    metric = TokenErrorRate(unit="token", report_wer=False)
    assert metric.update(*rows).characters == Counts(2, 0, 0, 1)
    with pytest.raises(ValueError, match="words: expected tokens, or a list of them"):
        TokenErrorRate(unit="token").update(*rows)
    with pytest.raises(ValueError, match="expected tokens, or a list of them"):
        TokenErrorRate(report_wer=False).update(*rows)
    assert TokenErrorRate().update([["ab", "<space>"]], [["ab"]]).cer == 0.0


def test_padding_of_texts() -> None:
    metric = TokenErrorRate(padding="<pad>", cut_to_reference=True)
    totals = metric.update([["a", "b", "c"]], [["a", "<pad>", "<pad>"]])
    assert totals.characters == Counts(1)


def test_empty_references() -> None:
    rows = [[1, 2], [1]], [[-1, -1], [1, -1]]
    assert metric_of(empty_references="count").update(*rows).cer == 2.0
    totals = metric_of(empty_references="skip").update(*rows)
    assert (totals.cer, totals.empty_references, totals.left_out) == (0.0, 1, 2)
