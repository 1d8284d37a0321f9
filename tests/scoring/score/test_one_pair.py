"""Texts and lists of texts with nothing chosen take a short way to the same result."""

import random
import warnings
from collections.abc import Callable
from typing import Any

import pytest

import scoring

Scorer = Callable[..., scoring.ErrorRates]
both = pytest.mark.parametrize("score", [scoring.wer, scoring.cer])
PIECES = ["ab", "c", " ", "  ", "é", ".", " d", "\n", "&amp;", "日", "/x", "it's 50.", "a.txt"]


def shown(result: scoring.ErrorRates) -> object:
    """All that a result has."""
    basis = result.basis
    assert basis is not None
    [read] = basis.references
    columns = [list(column) for column in (read.identifiers, read.words, read.speakers)]
    rest = read._replace(identifiers=[], words=[], speakers=[])
    return (
        (result.reference, result.hypothesis, result.rules, result.matching_summary),
        (list(result.identifiers), list(result.speakers), list(result.aligned), result.counts),
        (list(map(str, result.remarks)), result.groups, result.sources, result.forgiveness),
        (columns, rest, basis.options, dict(basis.sources), basis[2:5]),
        (str(result), result.corpus_rate, result.mean_of_utterances),
    )


def is_same(score: Scorer, reference: Any, hypothesis: Any) -> bool:
    """Return True if a score is the same with and without options, warnings and errors included."""
    results: list[object] = []
    for choices in ({}, {"options": scoring.Options()}):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                result: object = shown(score(reference, hypothesis, **choices))
            except (TypeError, ValueError, scoring.ScoringError) as error:
                result = repr(error)
        results.append((result, [str(warning.message) for warning in caught]))
    return results[0] == results[1]


@both
def test_the_short_way_has_the_same_result(score: Scorer) -> None:
    rng = random.Random(2)
    for _ in range(40):
        pieces = PIECES[: rng.choice([3, 8, len(PIECES)])]
        sides = ["".join(rng.choices(pieces, k=rng.randint(0, 6))) for _ in range(2)]
        assert is_same(score, *sides)


@both
@pytest.mark.parametrize("size", [1, 2, 7, 40])
def test_the_short_way_of_lists_has_the_same_result(score: Scorer, size: int) -> None:
    rng = random.Random(size)
    for _ in range(20):
        pieces = PIECES[: rng.choice([3, 8, len(PIECES)])]
        reference = ["".join(rng.choices(pieces, k=rng.randint(0, 6))) for _ in range(size)]
        hypothesis = [rng.choice([text, f"{text} b", "x"]) for text in reference]
        assert is_same(score, reference, hypothesis)


@both
@pytest.mark.parametrize(
    ("reference", "hypothesis"),
    [
        ([], []),
        (["a"], [None]),
        ([None], ["a"]),
        (["a"], ["a", "b"]),
        (["a b"], [["a"]]),
        ([["a"]], [["a"]]),
        ("a", ["a"]),
        (("a",), ("b",)),
        ({"u": "a"}, {"u": "b"}),
        (["setup.cfg"], ["setup.cfg"]),
        ("setup.cfg", "talk.srt"),
        (["one two three"] * 900, ["four five"] * 900),
    ],
)
def test_other_sides_take_the_long_way(score: Scorer, reference: Any, hypothesis: Any) -> None:
    assert is_same(score, reference, hypothesis)


@both
def test_the_short_way_makes_no_plan(score: Scorer, monkeypatch: pytest.MonkeyPatch) -> None:
    score("a", "a")

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("expected the plan that exists already")

    monkeypatch.setattr("scoring.score.plan_of", refuse)
    assert score(["a b", "c"], ["a x", "c"]).counts.substitutions == 1
