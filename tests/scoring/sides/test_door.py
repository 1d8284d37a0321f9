"""The door resolves what a side is given as once: a file, or texts in columns."""

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from zipfile import ZipFile

import pytest

import scoring
from formats import FormatError
from formats.io.source import is_collection
from scoring.model.errors import InputError
from scoring.sides.corpus import Corpus
from scoring.sides.given import File, SideFile, resolve
from tests.each_case import each_case

GIVEN: list[Callable[[], object]] = [
    lambda: ["a b", "c"],
    lambda: ("a b", "c"),
    lambda: [["a", "b"], ["c"]],
    lambda: {"000001": "a b", "000002": "c"},
    lambda: iter(["a b", "c"]),
]


@each_case("side", GIVEN)
def test_texts_become_columns_whatever_holds_them(side: Callable[[], object]) -> None:
    corpus = resolve(side(), "reference")
    assert isinstance(corpus, Corpus)
    assert list(corpus.identifiers) == ["000001", "000002"]
    assert list(corpus.words) == [("a", "b"), ("c",)]
    assert resolve(corpus, "reference") is corpus


def test_a_path_becomes_a_file_that_is_not_read() -> None:
    file = resolve(Path("absent.trn"), "reference")
    assert file == SideFile(Path("absent.trn"))
    assert resolve(file, "reference") is file


def test_a_file_that_changed_is_looked_at_again_by_the_next_call(tmp_path: Path) -> None:
    given = File(tmp_path / "a.trn")
    for text in ("a (u1)\n", "a b (u1)\n"):
        (tmp_path / "a.trn").write_text(text)
        assert resolve(given, "reference") == SideFile(given.path, size=len(text))


@each_case("name", ["plain.trn", "folder", "all.zip", "*.trn", "absent.trn"])
def test_the_door_alone_asks_what_a_path_names(name: str, tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    for place in ("plain.trn", "folder/a.trn"):
        (tmp_path / place).write_text("a b (u1)\n")
    with ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.write(tmp_path / "plain.trn", "plain.trn")
    path = tmp_path / name
    side = resolve(path, "reference")
    assert isinstance(side, SideFile)
    assert side.is_collection == is_collection(str(path))
    assert (side.size is not None) == path.is_file()
    askers: set[str] = set()

    def look(frame: FrameType, event: str, _argument: object) -> None:
        caller = frame.f_back
        if event == "call" and frame.f_code.co_name in ("isfile", "is_collection", "side_file"):
            askers.add("" if caller is None else str(caller.f_globals.get("__name__")))

    text = tmp_path / "hyp.trn"
    text.write_text("a b (u1)\n")
    sys.setprofile(look)
    try:
        with suppress(FormatError, scoring.ScoringError):
            scoring.wer(path, text)
    finally:
        sys.setprofile(None)
    assert {asker for asker in askers if asker.startswith("scoring")} == {"scoring.sides.given"}


def test_names_of_files_in_the_rows_of_matched_series_are_texts_with_a_warning(
    tmp_path: Path,
) -> None:
    pandas = pytest.importorskip("pandas")
    path = tmp_path / "a.trn"
    path.write_text("a (u1)\n")
    texts = pandas.Series(["a"], index=["u1"])
    with pytest.warns(UserWarning, match="is the name of a file, and was scored as a text"):
        scoring.wer(pandas.Series([str(path)], index=["u1"]), texts, match="index")


def test_a_column_has_no_speakers_to_assign() -> None:
    numpy = pytest.importorskip("numpy")
    column = numpy.array(["a b", "c"])
    with pytest.raises(InputError, match="expected a file with speakers"):
        scoring.wer(column, column, meeting="cp")
