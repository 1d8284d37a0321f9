"""Metrics: hand-computed scores, sums, signatures, the registry."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.compat.metrics.counting import MODES
from scoring.compat.metrics.metric import add, evaluate
from scoring.compat.metrics.rates import (
    CharacterErrorRate,
    DifferenceCounts,
    MatchErrorRate,
    SentenceErrorRate,
    WordErrorRate,
    WordInformationLost,
    WordInformationPreserved,
)
from scoring.compat.metrics.registry import METRICS, metric, spec_named
from scoring.compat.metrics.word_differences import WordDifferences
from scoring.score import wer

PAIRS = st.lists(
    st.tuples(
        st.lists(st.sampled_from("abc"), max_size=8), st.lists(st.sampled_from("abc"), max_size=8)
    ),
    max_size=6,
)


@pytest.mark.parametrize(
    ("reference", "hypothesis", "strict", "hunt", "levenshtein"),
    [
        ("aa bb cc dd", "aa bb cc dd", 0, 0, 0),
        ("aa bb cc dd", "aa bb ee dd", 0.25, 0.25, 0.25),
        ("aa bb cc dd", "aa aa bb cc dd dd", 0.5, 0.25, 0.5),
        ("aa bb cc dd", "", 1, 0.5, 1),
        ("a", "a b c d", 3, 1.5, 3),
        ("a b c d e f g h i j", "a b e d c f g h i j", 0.4, 0.2, 0.2),
    ],
)
def test_word_error_rate(
    reference: str, hypothesis: str, strict: float, hunt: float, levenshtein: float
) -> None:
    sides = reference.split(), hypothesis.split()
    assert WordErrorRate("strict").of(*sides) == strict
    assert WordErrorRate("hunt").of(*sides) == hunt
    assert WordErrorRate("levenshtein").of(*sides) == levenshtein


def test_without_reference_there_is_no_rate() -> None:
    for kind in (WordErrorRate, CharacterErrorRate, WordInformationLost):
        assert kind().of([], ["a"]) is None
    assert MatchErrorRate().of([], []) is None
    assert MatchErrorRate().of([], ["a"]) == 1
    assert SentenceErrorRate().score((0, 0)) is None


@given(PAIRS)
def test_rates_agree_with_scoring_wer(pairs: list[tuple[list[str], list[str]]]) -> None:
    sides = [list(side) for side in zip(*pairs, strict=True)] or [[], []]
    rates = wer(reference=sides[0], hypothesis=sides[1])
    assert evaluate(WordErrorRate(), pairs).score == rates.corpus
    assert evaluate(MatchErrorRate(), pairs).score == rates.match_error_rate
    preserved = evaluate(WordInformationPreserved(), pairs).score
    assert preserved == rates.word_information_preserved
    assert evaluate(WordInformationLost(), pairs).score == rates.word_information_lost
    assert evaluate(SentenceErrorRate(), pairs).score == rates.sentence_error_rate


@given(PAIRS)
def test_the_score_comes_from_the_sum(pairs: list[tuple[list[str], list[str]]]) -> None:
    for spec in METRICS:
        one = metric(spec.name, entities=["a", "b c"]) if spec.name == "beer" else metric(spec.name)
        whole = evaluate(one, pairs)
        parts = [evaluate(one, pairs[:2]).total, evaluate(one, pairs[2:]).total]
        assert add(parts, len(one.components)) == whole.total
        assert one.score(whole.total) == whole.score
        assert all(len(vector) == len(one.components) for vector in whole.statistics)
        assert all(isinstance(number, int) for number in whole.total)


@given(PAIRS)
def test_no_mode_finds_fewer_errors_than_levenshtein(
    pairs: list[tuple[list[str], list[str]]],
) -> None:
    least = sum(evaluate(WordErrorRate("levenshtein"), pairs).total[1:])
    for mode in MODES:
        assert sum(evaluate(WordErrorRate(mode), pairs).total[1:]) >= least


def test_characters_without_blanks() -> None:
    assert CharacterErrorRate().of(["ab", "cd"], ["abcd"]) == 0
    assert CharacterErrorRate().of(["日本"], ["日木"]) == 0.5


def test_difference_counts_and_word_differences() -> None:
    sides = ["a", "b", "c"], ["a", "x", "y", "c"]
    assert DifferenceCounts("strict").of(*sides) == (2, 1, 1, 0)
    assert WordDifferences("text", "strict").of(*sides) == (2, 1, 1, 0)
    strict = WordDifferences("html", "strict").show(*sides)
    assert strict == ' a<span class="delete"> b</span><span class="insert"> x y</span> c'
    assert WordDifferences("html").show(*sides) == strict
    assert WordDifferences("list").show(["a"], [])[0]["type"] == "delete"


def test_signatures_name_every_choice() -> None:
    seen = set()
    for spec in METRICS:
        for mode in spec.modes or (None,):
            options: dict[str, Any] = {} if mode is None else {"mode": mode}
            if spec.name == "beer":
                options["entities"] = ["a"]
            one = metric(spec.name, **options)
            assert one.signature.startswith(f"{spec.name}|")
            assert mode is None or f"|mode:{mode}|" in one.signature
            seen.add(one.signature)
            assert pickle.loads(pickle.dumps(one)) == one
    assert len(seen) == sum(max(len(spec.modes), 1) for spec in METRICS)
    assert WordErrorRate("strict") != WordErrorRate("hunt")
    assert metric("worddiffs", dialect="html").signature.startswith("worddiffs|mode:sclite|dial")


def test_options_are_those_of_the_constructor() -> None:
    from inspect import signature

    for spec in METRICS:
        assert set(spec.options) == set(signature(spec.metric).parameters)


def test_refusals() -> None:
    with pytest.raises(ValueError, match=r"metric: expected one of .*, found 'weer' \(near: wer"):
        spec_named("weer")
    with pytest.raises(ValueError, match="mode: expected one of sclite, levenshtein"):
        metric("wer", mode="best")
    with pytest.raises(ValueError, match="Unknown diff dialect"):
        metric("worddiffs", dialect="best")
    with pytest.raises(TypeError):
        metric("ser", mode="strict")
    with pytest.raises(AttributeError, match="immutable"):
        WordErrorRate().mode = "hunt"
