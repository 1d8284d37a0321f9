"""From texts and files to items, and from results to print."""

import json
from collections import namedtuple
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.peers.benchmarkstt import input as inputs
from scoring.peers.benchmarkstt import output
from scoring.peers.benchmarkstt.input import File, PlainText
from scoring.peers.benchmarkstt.normalization import Lowercase, Replace
from scoring.peers.benchmarkstt.schema import Schema
from scoring.peers.benchmarkstt.segmentation import Simple
from tests.each_case import each_case
from tests.tables import table_of


def segmented(text: str, **options: Any) -> list[tuple[str, str]]:
    return [(item["item"], item["@raw"]) for item in Simple(text, **options)]


@each_case(("text", "expected"), table_of(__file__, "words"))
def test_words(text: str, expected: list[tuple[str, str]]) -> None:
    assert segmented(text) == expected
    assert all(item["type"] == "word" for item in Simple(text))


@given(st.text(alphabet="ab \n\t\u00a0é"))
def test_raw_texts_restore_the_text(text: str) -> None:
    assert "".join(raw for _, raw in segmented(text)) == text
    assert [word for word, _ in segmented(text) if word] == text.split()


def test_other_separators() -> None:
    assert segmented("-a--b-", pattern="-+") == [("a", "-a--"), ("b", "b-")]
    assert segmented("ab", pattern="x*") == [("ab", "ab")]


def test_the_whole_text_is_normalized_first() -> None:
    assert segmented("a b", normalizer=Replace(" ", "-")) == [("a-b", "a-b")]
    assert list(PlainText("A b", normalizer=Lowercase())) == list(PlainText("a b"))


def test_inputs_can_be_read_again() -> None:
    text = PlainText("a b")
    assert list(text) == list(text)
    assert Schema(text) == [
        {"item": "a", "type": "word", "@raw": "a "},
        {"item": "b", "type": "word", "@raw": "b"},
    ]


def test_another_segmenter() -> None:
    def letters(text: str, normalizer: Any = None) -> Simple:
        return Simple(" ".join(text), normalizer=normalizer)

    assert [item["item"] for item in PlainText("ab", segmenter=letters)] == ["a", "b"]


@pytest.mark.parametrize("name", ["words.txt", "words.TXT"])
def test_files(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_text("two words\n", "utf-8")
    for kind in (None, "infer", "plaintext", "PlainText", PlainText):
        assert [item["item"] for item in File(path, kind)] == ["two", "words"]


def test_files_of_other_types(tmp_path: Path) -> None:
    path = tmp_path / "words.xml"
    path.write_text("<a>")
    message = "Cannot infer input file type for files of extension xml"
    with pytest.raises(ValueError, match=message):
        File(path)
    with pytest.raises(ValueError, match="Cannot infer input file type of files without an exte"):
        File("words")
    with pytest.raises(ImportError, match="Could not find class 'speech', available: file, plai"):
        File(path, "speech")
    assert [item["item"] for item in File(path, "plaintext")] == ["<a>"]
    with pytest.raises(FileNotFoundError):
        File(tmp_path / "none.txt")


def test_encodings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "latin.txt"
    path.write_bytes("é".encode("latin-1"))
    file = File(path)
    with pytest.raises(UnicodeDecodeError):
        list(file)
    monkeypatch.setenv("DEFAULT_ENCODING", "latin-1")
    assert [item["item"] for item in file] == ["é"]


def test_available_types() -> None:
    assert list(File.available_types()) == ["plaintext"]
    assert [config.name for config in inputs.factory] == ["file", "plaintext"]


Pair = namedtuple("Pair", "one two")
VALUES: list[tuple[Any, str, str]] = [
    (0.42, "0.420000", "0.42"),
    (1, "1", "1"),
    (0, "0", "0"),
    (1e-9, "0.000000", "1e-09"),
    ("text", "text", '"text"'),
    ({"a": 1.5, "b": "q"}, "a: 1.5\nb: 'q'", '{"a": 1.5, "b": "q"}'),
    (Pair(1, 2), "one: 1\ntwo: 2", '{"one": 1, "two": 2}'),
    ([1, 2], "[1, 2]", "[1, 2]"),
    (None, "None", "null"),
]


@pytest.mark.parametrize(("value", "text", "_json"), VALUES)
def test_text_outputs(
    value: Any, text: str, _json: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with output.factory.create("restructuredtext") as printer:
        printer.result("title", value)
    assert capsys.readouterr().out == f"title\n=====\n\n{text}\n\n"
    with output.factory.create("markdown") as printer:
        printer.result("title", value)
    assert capsys.readouterr().out == f"# title\n\n{text}\n\n"


def test_json_output(capsys: pytest.CaptureFixture[str]) -> None:
    with output.factory.create("json") as printer:
        for value, _, _ in VALUES:
            printer.result("é", value)
    found = capsys.readouterr().out
    rows = ",\n".join(f'\t{{"title": "\\u00e9", "result": {text}}}' for _, _, text in VALUES)
    assert found == f"[\n{rows}\n]\n"
    assert len(json.loads(found)) == len(VALUES)


def test_json_output_without_results(capsys: pytest.CaptureFixture[str]) -> None:
    with output.factory.create("json"):
        pass
    assert json.loads(capsys.readouterr().out) == []


def test_json_output_is_opened_once(capsys: pytest.CaptureFixture[str]) -> None:
    printer = output.factory.create("json")
    with pytest.raises(ValueError, match="Already open"), printer, printer:
        raise AssertionError("never gets here")
    with pytest.raises(ValueError, match="Not open"):
        output.factory.create("json").result("a", 1)
    with printer:
        printer.result("a", 1)
    assert capsys.readouterr().out.endswith('[\n\t{"title": "a", "result": 1}\n]\n')


def test_an_output_of_ones_own(capsys: pytest.CaptureFixture[str]) -> None:
    class Loud:
        def result(self, title: str, result: object) -> None:
            print(title.upper(), result)

    maker: Callable[[], Any] = Loud
    output.factory.register(Loud)
    try:
        assert output.factory["LOUD"] is maker
        output.factory.create("loud").result("wer", 1)
    finally:
        del output.factory[Loud]
    assert capsys.readouterr().out == "WER 1\n"
    assert "loud" not in output.factory
