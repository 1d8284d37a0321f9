"""The door resolves what a side is given as once: a file, or texts in columns."""

from collections.abc import Callable
from pathlib import Path

import pytest

import scoring
from scoring.model.errors import InputError
from scoring.sides.corpus import Corpus
from scoring.sides.given import File, resolve

GIVEN: list[Callable[[], object]] = [
    lambda: ["a b", "c"],
    lambda: ("a b", "c"),
    lambda: [["a", "b"], ["c"]],
    lambda: {"000001": "a b", "000002": "c"},
    lambda: iter(["a b", "c"]),
]


@pytest.mark.parametrize("side", GIVEN)
def test_texts_become_columns_whatever_holds_them(side: Callable[[], object]) -> None:
    corpus = resolve(side(), "reference")
    assert isinstance(corpus, Corpus)
    assert list(corpus.identifiers) == ["000001", "000002"]
    assert list(corpus.words) == [("a", "b"), ("c",)]
    assert resolve(corpus, "reference") is corpus


def test_a_path_becomes_a_file_that_is_not_read() -> None:
    file = resolve(Path("absent.trn"), "reference")
    assert file == File(Path("absent.trn"))
    assert resolve(file, "reference") is file


def test_names_of_files_are_refused_in_the_rows_of_matched_series(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "a.trn"
    path.write_text("a (u1)\n")
    texts = pandas.Series(["a"], index=["u1"])
    with pytest.raises(ValueError, match="is the text of one utterance"):
        scoring.wer(pandas.Series([str(path)], index=["u1"]), texts, match="index")


def test_a_column_has_no_speakers_to_assign() -> None:
    numpy = pytest.importorskip("numpy")
    column = numpy.array(["a b", "c"])
    with pytest.raises(InputError, match="expected a file with speakers"):
        scoring.wer(column, column, measure="cp")
