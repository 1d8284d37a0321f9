"""Scores appended to tables: those of `scoring.wer` row by row, in any number of batches."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

import scoring
from scoring.model.errors import InputError
from scoring.text.pipeline import Pipeline
from tests.each_case import each_case
from tests.tables import table_of

pa: Any = pytest.importorskip("pyarrow")
ROWS = [
    ("a b c", "a x c", 1, ["q"]),
    ("Der Bär", "der bär", 2, []),
    ("", "y", 3, None),
    ("x", None, 4, ["r", "s"]),
    (None, "z", 5, None),
    (None, None, 6, []),
    ("日本 [unk]", "日 [unk] e", 7, ["t"]),
]
NAMES = ("text", "pred_text", "id", "tags")
TABLE = pa.table({name: [row[at] for row in ROWS] for at, name in enumerate(NAMES)})
LENIENT: dict[str, Any] = {"missing": "delete", "allow_unmatched": True}


def expected(row: tuple[Any, ...], unit: str, choices: dict[str, Any]) -> tuple[Any, ...]:
    if row[0] is None or (row[1] is None and choices.get("missing") == "skip"):
        return (None,) * 6
    rates = scoring.wer([row[0]], [row[1] or ""], **{**choices, "unit": unit})
    return (rates.counts.error_rate, *rates.counts, rates.alignment_at(0).letters)


class WithoutPyarrow:
    """What speaks Arrow with the help of a library that is not there, as data frames do."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        raise ImportError("pyarrow")


@each_case("choices", table_of(__file__, "scores_are_those_of_each_row"))
@each_case("rows", [1, 2, 100])
def test_scores_are_those_of_each_row(choices: dict[str, Any], rows: int) -> None:
    settings = {**LENIENT, **choices}
    reader = pa.RecordBatchReader.from_batches(TABLE.schema, TABLE.to_batches(rows))
    scored = scoring.score_columns(
        reader, keep=["tags", "id"], measures=["wer", "cer"], edits=True, **settings
    )
    table = scored.to_arrow()
    table.validate(full=True)
    columns = [f"_{name}" for name in scoring.Counts._fields]
    measures = [m + end for m in ("wer", "cer") for end in ("", *columns, "_edits")]
    assert table.column_names == scored.columns == ["tags", "id", *measures]
    characters = choices.get("unit", "char+space")
    for row, made in zip(ROWS, table.to_pylist(), strict=True):
        assert (made["tags"], made["id"]) == (row[3], row[2])
        wanted = expected(row, "word", settings) + expected(row, characters, settings)
        assert tuple(made[name] for name in measures) == wanted
    skipped = 3 if settings["missing"] == "skip" else 2
    assert (scored.rows, scored.unscored) == (len(ROWS), skipped)
    total = sum(
        (scoring.Counts(*row[1:5]) for row in map(_words(table), range(len(ROWS)))),
        start=scoring.Counts(),
    )
    assert scored.counts["wer"] == total


def _words(table: Any) -> Any:
    names = ["id", *(f"wer_{name}" for name in scoring.Counts._fields)]
    return lambda at: [table[name][at].as_py() or 0 for name in names]


def test_all_libraries() -> None:
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    duckdb = pytest.importorskip("duckdb")
    wanted = scoring.score_columns(TABLE, **LENIENT).to_arrow()
    assert wanted.column_names[:4] == list(NAMES)
    frame = scoring.score_columns(polars.from_arrow(TABLE), **LENIENT).to_polars()
    assert frame["wer"].to_list() == wanted["wer"].to_pylist()
    series = scoring.score_columns(TABLE.to_pandas(), **LENIENT).to_pandas()["wer_correct"]
    assert [None if pandas.isna(one) else one for one in series] == wanted[
        "wer_correct"
    ].to_pylist()
    scored = scoring.score_columns(duckdb.from_arrow(TABLE).order("id"), keep=["id"], **LENIENT)
    assert duckdb.from_arrow(pa.table(scored)).aggregate("sum(wer_correct)").fetchall() == [(3,)]
    batches: Iterator[Any] = iter(TABLE.to_batches(2))
    assert scoring.score_columns(batches, **LENIENT).to_arrow().equals(wanted.combine_chunks())
    assert scoring.score_columns(TABLE.slice(0, 0)).to_arrow().num_rows == 0


@pytest.mark.parametrize(
    ("rows", "choices", "problem"),
    [
        (
            (3, 4),
            {"missing": "error"},
            "<pred_text>: expected a text, found null in row 1 (missing='delete' or ",
        ),
        ((0, 4), {"missing": "error"}, "<pred_text>: expected a text, found null in row 4 ("),
        ((4, 5), {}, "<text>: expected a text, found null in row 1 (allow_unmatched=True scores"),
    ],
)
def test_nulls_that_are_not_allowed(
    rows: tuple[int, int], choices: dict[str, Any], problem: str
) -> None:
    table = TABLE.slice(rows[0], rows[1] - rows[0])
    for take in ("to_arrow", "to_polars", "to_pandas"):
        scored = scoring.score_columns(iter(table.to_batches(2)), **choices)
        with pytest.raises(InputError, match=re.escape(problem)):
            getattr(scored, take)()


def test_what_cannot_be_scored() -> None:
    for arguments, kind, problem in (
        ({"hypothesis": "pred_txt"}, ValueError, "'pred_txt', found .*; did you mean pred_text?"),
        ({"keep": ["age"]}, ValueError, "expected a column 'age', found text, pred_text, id, tags"),
        ({"reference": "id"}, TypeError, r"'id': expected texts, found numbers \(int64\)"),
        ({"measures": ["ser"]}, ValueError, "measures: expected some of wer, cer"),
        ({"measures": []}, ValueError, "measures: expected some of wer, cer"),
        ({"keep": ["id", "id"]}, ValueError, "'id', because scoring adds a column"),
        ({"unit": "letter"}, ValueError, "unit"),
    ):
        with pytest.raises(kind, match=problem):
            scoring.score_columns(TABLE, **arguments)
    for odd in (None, "table.parquet", [1], pa.array(["a"])):
        with pytest.raises(TypeError, match="expected a table with the Arrow interface"):
            scoring.score_columns(odd)
    with pytest.raises(TypeError, match="found WithoutPyarrow, which needs pyarrow"):
        scoring.score_columns(WithoutPyarrow())
    with pytest.raises(ValueError, match="found none"):
        scoring.score_columns(iter([]))
    scored = scoring.score_columns(TABLE, **LENIENT)
    for name in ("counts", "rows", "unscored"):
        with pytest.raises(ValueError, match=f"{name}: known only after the table has been read"):
            getattr(scored, name)
    scored.to_arrow()
    with pytest.raises(ValueError, match="read already"):
        scored.to_arrow()


def test_a_table_that_breaks_off() -> None:
    def batches() -> Iterator[Any]:
        yield TABLE.slice(0, 2).to_batches()[0]
        raise OSError("the disk is gone")

    scored = scoring.score_columns(batches())
    with pytest.raises(ValueError, match="the disk is gone"):
        scored.to_arrow()


def batch(**columns: Any) -> Any:
    return pa.record_batch(list(columns.values()), list(columns))


def test_batches_are_fitted_to_the_first() -> None:
    text, predicted = pa.array(["a b c"]), pa.array(["a x"])
    first = batch(text=text, pred_text=predicted, id=pa.array([1], pa.int64()))
    others = [
        batch(pred_text=predicted, id=pa.array([1], pa.int8()), text=text),
        first.select(["pred_text", "id", "text"]),
        *(
            batch(text=text.cast(kind), pred_text=predicted, id=pa.array([1]), more=text)
            for kind in (pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), text.type))
        ),
    ]
    for one in others:
        for batches in ([first, one], [one.select(first.schema.names), first]):
            made = scoring.score_columns(iter(batches)).to_arrow().to_pylist()
            assert made[0] == made[1]
            assert list(made[0].values())[3:] == [2 / 3, 1, 1, 1, 0]
    reader = pa.RecordBatchReader.from_batches(first.schema, iter([first, others[0]]))
    scored = scoring.score_columns(reader)
    scored.to_arrow()
    assert scored.counts["wer"] == scoring.Counts(2, 2, 2, 0)
    nothing = pa.RecordBatchReader.from_batches(first.schema, [])
    assert len(scoring.score_columns(nothing).to_arrow()) == 0


@pytest.mark.parametrize(
    ("columns", "found"),
    [
        ({"text": ["a"]}, 'Field "pred_text" does not exist in schema'),
        ({"text": [1], "pred_text": ["a"]}, "column 'text' of type int64"),
        ({"text": [b"a"], "pred_text": ["a"]}, "column 'text' of type binary"),
        ({"text": [["a"]], "pred_text": ["a"]}, "column 'text' of type list"),
    ],
)
def test_batches_with_other_columns_are_rejected(columns: dict[str, Any], found: str) -> None:
    first = TABLE.select(["text", "pred_text"]).slice(0, 2).to_batches()[0]
    scored = scoring.score_columns(iter([first, pa.RecordBatch.from_pydict(columns)]))
    problem = f"record batch 2: expected the columns of the first, found {found}"
    with pytest.raises(ValueError, match=f"^{re.escape(problem)}"):
        scored.to_arrow()


def test_steps_are_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    scored = scoring.score_columns(TABLE, normalize="lowercase", **LENIENT)
    assert isinstance(scored._options.normalize, Pipeline)


@each_case("unit", ["char", "char+space", "grapheme", "mixed", "word"])
def test_words_alone_are_counted_in_any_unit_as_wer_counts(unit: Any) -> None:
    texts = ["a bc", "日本 x", ""], ["a bd", "日木 x", "y"]
    table = pa.table(dict(zip(("text", "pred_text"), texts, strict=True)))
    scored = scoring.score_columns(table, unit=unit)
    assert scored.to_arrow().num_rows == 3
    assert scored.counts["wer"] == scoring.wer(*texts, unit=unit).counts
