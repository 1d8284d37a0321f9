"""Columns of any library as sides: the same numbers as of lists, frames of them."""

import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import scoring
from scoring.alignment import kernel
from scoring.alignment.texts import ColumnWords
from scoring.model.errors import InputError
from scoring.peers.metrics import WordErrorRate
from scoring.sides.matching import DifferentLengthsError, MatchingError, MissingTextError
from tests.each_case import each_case

pa: Any = pytest.importorskip("pyarrow")
REFERENCES = ["a b c", "Der große Bär", "x", "", "日本 [unk] ab", "it's  50"]
HYPOTHESES = ["a x c", "der GROSSE bär", "", "y", "日 [unk] ab", "it is 50"]
WITHOUT = [text or None for text in HYPOTHESES]
CHOICES: list[dict[str, Any]] = [
    {},
    {"ignore_case": True},
    {"unit": "char"},
    {"unit": "char", "ignore_case": True},
    {"unit": "grapheme"},
    {"unit": "mixed"},
    {"profile": "kaldi"},
    {"normalize": ["lowercase", "contractions"]},
    {"jobs": 2},
]


def library(name: str) -> Callable[[list[str | None]], Any]:
    if name == "numpy":
        return lambda texts: np.array(texts, dtype=object if None in texts else None)
    if name == "numpy strings":
        if np.lib.NumpyVersion(np.__version__) < "2.0.0":
            pytest.skip("numpy 2 has strings")
        kind = np.dtypes.StringDType(na_object=None)
        return lambda texts: np.array(texts, dtype=kind)
    if name == "generator":
        return lambda texts: (text for text in texts)
    if name == "pandas":
        pandas = pytest.importorskip("pandas")
        return lambda texts: pandas.Series(texts)
    if name == "pandas objects":
        pandas = pytest.importorskip("pandas")
        return lambda texts: pandas.Series(texts, dtype=object)
    if name.startswith("polars"):
        polars = pytest.importorskip("polars")
        kind = polars.Categorical if name == "polars categories" else polars.String
        return lambda texts: polars.Series(texts, dtype=polars.String).cast(kind)
    if name == "duckdb":
        duckdb = pytest.importorskip("duckdb")

        def relation(texts: list[str | None]) -> Any:
            table = pa.table({"place": range(len(texts)), "text": texts})
            return duckdb.from_arrow(table).order("place").project("text")

        return relation
    if name == "nanoarrow":
        nanoarrow = pytest.importorskip("nanoarrow")
        return lambda texts: nanoarrow.Array(texts, nanoarrow.string())
    kind = {"pyarrow": pa.string(), "large": pa.large_string(), "views": pa.string_view()}[name]
    return lambda texts: pa.array(texts, kind)


LIBRARIES = ["pyarrow", "large", "views", "polars", "polars categories", "pandas", "duckdb"]
LIBRARIES += ["pandas objects", "numpy", "numpy strings", "generator", "nanoarrow"]


@each_case("name", LIBRARIES)
def test_numbers_are_those_of_lists(name: str) -> None:
    column = library(name)
    for choices in CHOICES:
        wanted = scoring.wer(REFERENCES, HYPOTHESES, **choices)
        rates = scoring.wer(column([*REFERENCES]), column([*HYPOTHESES]), **choices)
        assert rates.to_dict() == wanted.to_dict()
        assert [one.letters for one in rates.aligned] == [one.letters for one in wanted.aligned]
    wanted = scoring.cer(REFERENCES, HYPOTHESES)
    assert scoring.cer(column([*REFERENCES]), HYPOTHESES).counts == wanted.counts


@each_case("name", LIBRARIES)
def test_rows_without_a_text(name: str) -> None:
    column = library(name)
    with pytest.raises(MissingTextError, match=r"row 3 \(allow_unmatched=True"):
        scoring.wer(column(WITHOUT), column([*REFERENCES]))
    error: type[Exception] = ValueError if "pandas" in name else DifferentLengthsError
    with pytest.raises(error, match="found"):
        scoring.wer(column([*REFERENCES]), column(WITHOUT[:-1]))
    deleted = scoring.wer(column([*REFERENCES]), column(WITHOUT))
    chosen = scoring.wer(column([*REFERENCES]), column(WITHOUT), missing="delete")
    assert (chosen.counts, chosen.signature) == (deleted.counts, deleted.signature)
    assert deleted.counts == scoring.wer(REFERENCES, HYPOTHESES).counts
    assert deleted.matching_summary.reference_only.identifiers == ("000003",)
    skipped = scoring.wer(column([*REFERENCES]), column(WITHOUT), missing="skip")
    assert list(skipped.identifiers) == ["000001", "000002", "000004", "000005", "000006"]
    assert skipped.counts.deletions == deleted.counts.deletions - 1
    more = scoring.wer(column(WITHOUT), column([*REFERENCES]), allow_unmatched=True)
    assert (len(more), more.matching_summary.unscored_words) == (5, 1)


@pytest.mark.parametrize("missing", [None, "delete", "skip", "error"])
def test_none_in_a_list_or_a_mapping_is_a_null_of_a_column(missing: Any) -> None:
    choices = {} if missing is None else {"missing": missing}
    names = [f"{row:06d}" for row in range(1, len(WITHOUT) + 1)]

    def scored(measure: Any, reference: Any, hypothesis: Any, **more: Any) -> Any:
        try:
            rates = measure(reference, hypothesis, **choices, **more)
        except MatchingError as problem:
            return str(problem)
        return rates.to_dict()

    for measure in (scoring.wer, scoring.cer):
        wanted = scored(measure, REFERENCES, pa.array(WITHOUT))
        assert isinstance(wanted, str) is (missing == "error")
        assert scored(measure, REFERENCES, WITHOUT) == wanted
        assert scored(measure, pa.array(REFERENCES), tuple(WITHOUT)) == wanted
        named = dict(zip(names, REFERENCES, strict=True))
        lacking = {
            name: text for name, text in zip(names, WITHOUT, strict=True) if text is not None
        }
        wanted = scored(measure, named, lacking)
        assert scored(measure, named, dict(zip(names, WITHOUT, strict=True))) == wanted
        # rows keep their places beside names
        by_position = scored(measure, named, WITHOUT, match="position")
        assert by_position == scored(measure, named, pa.array(WITHOUT), match="position")
        if missing != "error":
            assert by_position["counts"] == wanted["counts"]
    tokens = [text if text is None else text.split() for text in WITHOUT]
    assert scored(scoring.wer, [text.split() for text in REFERENCES], tokens) == scored(
        scoring.wer, [text.split() for text in REFERENCES], iter(tokens)
    )


def test_none_in_the_hypotheses_of_several_systems() -> None:
    sides: dict[str, Any] = {"A": ["a b", None], "B": [None, "c"], "C": [None, None]}
    found = scoring.wer(["a b", "c"], scoring.Systems(sides))
    assert [rates.counts for rates in found.values()] == [(2, 0, 1, 0), (1, 0, 2, 0), (0, 0, 3, 0)]
    named = {name: dict(zip("xy", side, strict=True)) for name, side in sides.items()}
    again = scoring.wer({"x": "a b", "y": "c"}, named)
    assert [rates.counts for rates in again.values()] == [rates.counts for rates in found.values()]
    several = scoring.References([["a b", "c"], ["a x", "c"]])
    assert scoring.wer(several, ["a b", None]).counts == (2, 0, 1, 0)


def test_none_elsewhere_is_an_error() -> None:
    expected = "reference: expected a text .* found NoneType at position 2"
    for hypothesis in (["a", "b"], ["a", None]):
        with pytest.raises(TypeError, match=expected):
            scoring.wer(["a", None], hypothesis)
    with pytest.raises(TypeError, match=r"hypothesis: expected a text .* found int at position 2"):
        scoring.wer(["a", "b"], [None, 3])  # type: ignore[list-item]
    with pytest.raises(DifferentLengthsError, match=r"expected 2 .*, found 3"):
        scoring.wer(["a", "b"], ["a", None, "b"])
    with pytest.raises(DifferentLengthsError, match=r"expected 3 .*, found 2"):
        scoring.wer({"x": "a", "y": "b", "z": "c"}, ["a", None], match="position")
    with pytest.raises(MissingTextError, match="row 2"):
        scoring.wer(pa.array(["a", None]), ["a", "b"])
    with pytest.raises(TypeError, match="preds: expected a text, found None at position 0"):
        WordErrorRate().update([None], ["a"])  # type: ignore[list-item]


@each_case("name", [one for one in LIBRARIES if one != "generator"])
def test_batches(name: str) -> None:
    column = library(name)
    wanted = scoring.wer(REFERENCES, HYPOTHESES)
    table = scoring.edit_distance_batch(column([*REFERENCES]), column([*HYPOTHESES]))
    assert list(table) == list(wanted.per_utterance)
    aligned = scoring.align_batch(column([*REFERENCES]), column([*HYPOTHESES]))
    assert [one.letters for one in aligned] == [one.letters for one in wanted.aligned]
    with pytest.raises(ValueError, match=r"hypotheses: expected a text in every row, .*row 3"):
        scoring.align_batch(column([*REFERENCES]), column(WITHOUT))


def test_batches_of_iterators_and_lists_of_tokens() -> None:
    def tokens() -> Iterator[list[str]]:
        yield ["a", "b"]
        yield ["c"]

    assert scoring.edit_distance_batch(tokens(), [["a"], ["c"]]).total().deletions == 1
    assert scoring.wer(pa.array([["a", "b"], ["c"]]), [["a"], ["c"]]).counts.deletions == 1


def test_what_is_no_column_of_texts() -> None:
    with pytest.raises(TypeError, match=r"reference: expected texts, found numbers \(int64\)"):
        scoring.wer(pa.array([1, 2]), ["a", "b"])
    table = pa.table({"text": ["a"], "pred_text": ["b"]})
    with pytest.raises(TypeError, match=r"a table of text, pred_text: .*table\['text'\]"):
        scoring.wer(table, ["a"])
    odd = pa.Array.from_buffers(
        pa.string(), 1, [None, pa.py_buffer(np.array([0, 1], np.int32)), pa.py_buffer(b"\xff")]
    )
    with pytest.raises(InputError, match=r"^<hypothesis>: row 1: expected UTF-8, found the byte"):
        scoring.wer(["a"], odd)
    with pytest.raises(TypeError, match="expected one dimension, found 2"):
        scoring.wer(np.array([["a"]]), ["a"])
    with pytest.raises(TypeError, match="expected a path, a str, a list, a column"):
        scoring.wer({"a", "b"}, ["a"])  # type: ignore[call-overload]


def test_a_row_of_a_million_words() -> None:
    times = 100_000 if kernel.IMPLEMENTATION == "native" else 10  # the plain twin fills the table
    words = "a b c d e f g h i j " * times
    rates = scoring.wer(pa.array([words, "a"]), pa.array([f"x {words}y", "a"]))
    assert rates.counts == (10 * times + 1, 0, 0, 2)


def test_frames() -> None:
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    rates = scoring.wer({"anne-1": "a b", "ben-1": ""}, {"anne-1": "a", "ben-1": "c"})
    names = ["correct", "substitutions", "deletions", "insertions", "error_rate"]
    table = rates.to_arrow()
    assert table.column_names == ["utterance", "speaker", *names]
    assert list(table.to_pylist()[0].values()) == ["anne-1", None, 1, 0, 1, 0, 0.5]
    assert table["error_rate"].to_pylist() == [0.5, None]
    assert rates.to_polars().equals(polars.from_arrow(table))
    frame = rates.to_pandas()
    assert frame["insertions"].tolist() == [0, 1]
    assert pandas.isna(frame["error_rate"][1])
    counts = rates.per_utterance
    assert counts.to_arrow().column_names == list(counts.to_polars().columns) == names
    assert list(counts.to_pandas().columns) == names
    assert scoring.wer([], []).to_arrow().num_rows == 0


def test_columns_stay_where_they_are() -> None:
    rates = scoring.wer(pa.array(["a b"]), pa.array(["a"]))
    assert isinstance(rates.aligned.references, ColumnWords)
    assert rates.aligned.references[-1] == ("a", "b")
    assert rates.aligned.references[::-1] == [("a", "b")]
    assert list(pickle.loads(pickle.dumps(rates.aligned)).references) == [("a", "b")]
    rates.identifiers = ["other"]
    assert rates.merge(scoring.wer(pa.array(["a"]), pa.array(["b"]))).counts.errors == 2
