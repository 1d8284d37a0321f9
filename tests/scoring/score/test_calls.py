"""Calls of the scoring functions: tables with columns, and advice after a wrong call."""

import pickle
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import scoring
from tests.each_case import each_case

ROWS = {
    "id": ["u1", "u2", "u3"],
    "text": ["a b", "c d", "e f"],
    "pred": ["a b", "c x", None],
    "room": ["b", "a", None],
}
wer: Callable[..., Any] = scoring.wer
mer: Callable[..., Any] = scoring.mer


def tables() -> list[Any]:
    pandas = pytest.importorskip("pandas")
    return [pa.table(ROWS), pandas.DataFrame(ROWS)]


@pytest.mark.parametrize("number", [0, 1])
def test_two_columns_of_a_table_are_scored(number: int) -> None:
    table = tables()[number]
    rates = wer(table, reference="text", hypothesis="pred")
    assert (rates.counts.errors, rates.corpus_rate) == (3, 0.5)
    groups = wer(table, reference="text", hypothesis="pred", by="room").by("room")
    assert {name: group.corpus_rate for name, group in groups.items()} == {
        "a": 0.5,
        "b": 0.0,
        None: 1.0,
    }
    assert list(groups) == ["a", "b", None]
    named = wer(table, reference="text", hypothesis="pred", by=["room"])
    assert list(named.identifiers) == ROWS["id"]
    assert named.select([1]).corpus_rate == 0.5
    bootstrap = scoring.compare(named, named).bootstrap
    assert bootstrap is not None
    assert bootstrap.difference.estimate == 0


def test_a_result_shows_the_groups_that_were_asked_for() -> None:
    rates = wer(pa.table(ROWS), reference="text", hypothesis="pred", by="room")
    assert repr(rates).endswith(", % by room: a 50.00, b 0.00, (no room) 100.00>")
    rows = [line.split() for line in str(rates).splitlines()]
    assert [row[-1] for row in rows if row and row[0] in ("a", "b", "(no", "sum")] == [
        "50.00",
        "0.00",
        "100.00",
        "50.00",
    ]
    assert "(no room)" in rates._repr_html_()
    names = [f"take {number}" for number in range(100)]
    many = wer(
        pa.table({"text": ["a"] * 100, "pred": ["a"] * 100, "take": names}),
        reference="text",
        hypothesis="pred",
        by="take",
    )
    assert "and 40 more groups" in str(many)
    assert repr(many).endswith(", and 95 more>")


def test_numbers_of_a_table_are_cut_and_unscored_rows_keep_their_place() -> None:
    table = pa.table({**ROWS, "pred": ["a b", None, "e x"], "level": [1.0, 20.0, 30.0]})
    choices = {"reference": "text", "hypothesis": "pred", "by": "level", "bins": [10]}
    rates = wer(table, **choices, missing="skip")
    rows = {name: group.counts.errors for name, group in rates.by("level").items()}
    assert rows == {"< 10": 0, ">= 10": 1}
    assert list(rates.identifiers) == ["u1", "u3"]


def test_rows_with_equal_identifiers_are_numbered() -> None:
    table = pa.table({**ROWS, "id": ["u", "u", "v"]})
    rates = wer(table, reference="text", hypothesis="pred", by="room")
    assert list(rates.identifiers) == ["000001", "000002", "000003"]


@each_case(
    ("sides", "choices", "expected"),
    [
        ((), {"reference": "a", "hypotheses": "b"}, "did you mean 'hypothesis'"),
        ((), {"ref": "a", "hypothesis": "b"}, "did you mean 'reference'"),
        (("a",), {}, r"wer\(reference, hypothesis\)"),
        (("a", "b", "c"), {}, r"wer\(reference, \{"),
        ((pa.table(ROWS), "text", "pred"), {}, r"wer\(table, reference="),
        (("a", "b"), {"lowercase": True}, "ignore_case"),
    ],
)
def test_a_wrong_call_says_what_to_write(
    sides: tuple[Any, ...], choices: dict[str, Any], expected: str
) -> None:
    with pytest.raises(TypeError, match=expected):
        wer(*sides, **choices)


def test_lists_of_several_systems_are_suggested() -> None:
    lists = {"old": ["a", "b"], "new": ["a", "c"]}
    with pytest.raises(scoring.MatchingError, match=r"Systems\(\{"):
        wer(["a", "c"], lists)
    assert wer(["a", "c"], scoring.Systems(lists))["new"].corpus_rate == 0


@pytest.mark.parametrize(
    ("choices", "near"),
    [
        ({"reference": "text", "hypothesis": "prd"}, "pred"),
        ({"reference": "text", "hypothesis": "pred", "by": "rooms"}, "room"),
    ],
)
def test_a_column_that_the_table_lacks(choices: dict[str, Any], near: str) -> None:
    with pytest.raises(ValueError, match=f"did you mean '{near}'"):
        wer(pa.table(ROWS), **choices)


@pytest.mark.parametrize(
    ("value", "table"),
    [
        ("data.parquet", "pyarrow.parquet.read_table('data.parquet')"),
        (Path("data.parquet"), "pyarrow.parquet.read_table('data.parquet')"),
        (["so it is"], "table"),
    ],
)
def test_columns_of_something_without_columns(value: Any, table: str) -> None:
    advice = f"write wer({table}, reference='text', hypothesis='asr')"
    with pytest.raises(TypeError, match=re.escape(advice)):
        wer(value, reference="text", hypothesis="asr")


def test_functions_have_their_options_in_the_help_and_can_be_pickled() -> None:
    for name in ("wer", "cer", "mer", "wil", "wip", "ser"):
        function = getattr(scoring, name)
        assert pickle.loads(pickle.dumps(function)) is function
    listed = scoring.wer.__doc__ or ""
    assert "**choices" not in listed
    assert "\nmeasures\n" in listed
    assert listed.index("\nnormalize\n") < listed.index("\nRaises\n")


def test_scored_columns_name_themselves() -> None:
    scored = scoring.score_columns(pa.table(ROWS), reference="text", hypothesis="pred", keep=["id"])
    assert repr(scored).startswith("<ScoredColumns with id, wer, ")
    assert scored.to_arrow().num_rows == 3


SYSTEMS = {**ROWS, "other": ["a x", "c d", "e f"], "third": ["a", "c", "e"]}


@pytest.mark.parametrize("is_arrow", [True, False])
def test_several_columns_of_a_table_are_systems(is_arrow: bool) -> None:
    pandas = pytest.importorskip("pandas")
    table = pa.table(SYSTEMS) if is_arrow else pandas.DataFrame(SYSTEMS)
    systems = wer(table, reference="text", hypothesis=["pred", "other"])
    assert {name: rates.counts.errors for name, rates in systems.items()} == {"pred": 3, "other": 1}
    for name, rates in systems.items():
        alone = wer(table, reference="text", hypothesis=name)
        assert (rates.counts, rates.signature) == (alone.counts, alone.signature)
    assert str(systems).splitlines()[0].startswith("system ")
    grouped = wer(table, reference="text", hypothesis=["pred", "other"], by="room")
    groups = grouped["other"].by("room")
    assert {name: rates.counts.errors for name, rates in groups.items()} == {
        "a": 0,
        "b": 1,
        None: 0,
    }
    several = wer(table, reference=["text", "other"], hypothesis="third")
    assert several.counts.errors == 3
    one = scoring.cer(table, reference="text", hypothesis=["other"])
    assert list(one) == ["other"]


def test_wrong_columns_of_a_table_are_named() -> None:
    table = pa.table(SYSTEMS)
    for hypothesis, text in (
        (["pred", "othr"], r"found 'othr'; did you mean 'other'\?"),
        (["pred", "pred"], "found 'pred' twice"),
        (["pred", "text"], "found 'text' twice"),
    ):
        with pytest.raises(ValueError, match=text):
            wer(table, reference="text", hypothesis=hypothesis)
    with pytest.raises(TypeError, match=r"write wer\(table, reference='text', hypothesis='pred'\)"):
        wer(table, reference="text", hypothesis=["pred", 3])
    with pytest.raises(TypeError, match="found several systems"):
        mer(table, reference="text", hypothesis=["pred", "other"])


def test_positions_in_errors_count_from_one() -> None:
    with pytest.raises(TypeError, match="found NoneType at position 2"):
        wer(["a", None], ["a", "b"])
