"""Rates of languages and at points of interest, against PIER's own program."""

import json
from pathlib import Path
from typing import Any

import pytest

import scoring
from scoring.drawing.text import text_lines
from tests.scoring.measures.corpora import counted

GOLDEN = json.loads(
    Path(__file__).parents[2].joinpath("golden/measures/languages-pier.json").read_text("utf-8")
)
UNTAG = "regex:search=<tag|>,replace="


def check(case: dict[str, Any]) -> None:
    sides = [
        {f"u{row:02d}": text for row, text in enumerate(case[side])} for side in ("refs", "hyps")
    ]
    more: dict[str, Any] = {"normalize": UNTAG} if case["tagged"] else {}
    if not case["tagged"]:
        more["measure_options"] = {"matrix": "Hang"}
    part = scoring.wer(*sides, profile="jiwer", measures=["languages"], **more).measured[
        "languages"
    ]
    totals = part.columns.totals()
    for prefix, kind, size in (("poi", "poi", "poiWords"), ("rest", "rest", "otherWords")):
        expected = case["pier"][kind]
        for name in ("insertions", "deletions", "substitutions"):
            assert totals[f"{prefix}_{name}"] == expected[name], name
        assert totals[f"{prefix}_words"] == expected[size]
    rate = part["pier"]
    assert (0.0 if rate is None else 100 * rate) == pytest.approx(case["pier"]["poi"]["PIER"])


def test_pier_is_that_of_its_program() -> None:
    assert GOLDEN["cases"]
    for case in GOLDEN["cases"]:
        check(case)


def test_rates_of_languages_and_at_switches() -> None:
    part = counted("languages", "나는 bug 42 고친다 오늘", "나는 hug 42 고친다")
    totals = part.columns.totals().by_label("language")
    assert totals["Latin"] == {"substitutions": 1, "deletions": 0, "insertions": 0, "words": 2}
    assert totals["Hangul"] == {"substitutions": 0, "deletions": 1, "insertions": 0, "words": 3}
    assert (part["pier"], part["rest_rate"]) == (1 / 2, 1 / 3)
    assert part["switch_rate"] == 1 / 4  # all words but the last are beside a change
    text = "\n".join(text_lines(list(part.measure.details(part.columns.totals()))))
    assert "Hangul        3              0          1           0   33.33" in text


def test_the_mean_of_utterances_leaves_out_those_without_points() -> None:
    part = counted(
        "languages",
        {"a": "나는 bug 를", "b": "나는 bug big 를", "c": "나는"},
        {"a": "나는 hug 를", "b": "나는 bug pig 를", "c": "너는"},
        matrix="Hang",
    )
    assert (part["pier"], part["pier_mean"]) == (2 / 3, 3 / 4)


def test_japanese_is_one_language_and_the_matrix_may_be_set() -> None:
    part = counted("languages", "東京 は big です", "東京 は pig です", matrix="Han")
    assert set(part.columns.totals().by_label("language")) == {"Japanese", "Latin"}
    assert part["pier"] == 1
    other = counted("languages", "東京 は big です", "東京 は pig です", matrix="Latin")
    assert (other["pier"], other["rest_rate"]) == (0, 1)
    shared = counted("languages", "東京 big", "東京 pig", matrix="Hira")
    assert (shared["pier"], set(shared.columns.totals().by_label("language"))) == (
        1,
        {"Japanese", "Latin"},
    )
    chinese = counted("languages", "北京 big", "北京 big")
    assert set(chinese.columns.totals().by_label("language")) == {"Han", "Latin"}


def test_one_language_and_nothing_have_no_rate() -> None:
    for reference in ("the cat", "", "42"):
        part = counted("languages", reference, "a")
        assert (part["pier"], part["switch_rate"]) == (None, None)
