"""Lexicons in memory and from files of every form, good and bad."""

import gzip
import io
import pickle
from pathlib import Path
from typing import Any

import pytest

from formats.schema.errors import FormatError, OptionError
from scoring.tasks.messages import LEXICON_EMPTY
from scoring.tasks.phonemes import PronunciationLexicon, read_lexicon
from scoring.tasks.phonemes.lexicon_files import LEXICON_FORMATS
from tests.each_case import each_case
from tests.formats.checks import remark_line
from tests.tables import table_of


def read(text: str, *arguments: str, **options: str) -> PronunciationLexicon:
    return read_lexicon(io.StringIO(text), *arguments, **options)


def plain(lexicon: PronunciationLexicon) -> dict[str, list[str]]:
    return {word: [" ".join(path) for path in paths] for word, paths in lexicon.items()}


@each_case(("text", "entries"), table_of(__file__, "forms_are_seen_in_the_content"))
def test_forms_are_seen_in_the_content(text: str, entries: dict[str, list[str]]) -> None:
    assert plain(read(text)) == entries


def test_names_of_cmu_files(tmp_path: Path) -> None:
    for name in ("cmudict-0.7b", "small.dict"):
        path = tmp_path / name
        path.write_text("## head\n#SHARP  SH AA R P\nA(2)  Y # last\n")
        assert plain(read_lexicon(path)) == {"#SHARP": ["SH AA R P"], "A": ["Y"]}
    path = tmp_path / "words.json"
    path.write_text("[1]")
    with pytest.raises(FormatError, match=r"words.json:1:1: expected an object .* found a list"):
        read_lexicon(path)


def test_a_named_form_wins() -> None:
    text = "A(2) 0.5 x\n"
    assert plain(read(text, "kaldi")) == {"A(2)": ["0.5 x"]}
    assert plain(read(text, "kaldi-probabilities")) == {"A(2)": ["x"]}
    assert plain(read(text, "cmu")) == {"A": ["0.5 x"]}


def test_stress() -> None:
    text = "THE  DH AH0\nTHE(2)  DH AH1\nTHE(3)  DH IY0\n"
    assert plain(read(text))["THE"] == ["DH AH0", "DH AH1", "DH IY0"]
    assert plain(read(text, stress="strip"))["THE"] == ["DH AH", "DH IY"]


def test_encodings_and_gzip(tmp_path: Path) -> None:
    data = "CAFÉ  K AE F EY\n".encode("latin-1")
    assert plain(read_lexicon(io.BytesIO(data), encoding="latin-1")) == {"CAFÉ": ["K AE F EY"]}
    with pytest.raises(FormatError, match=r":1:4: expected UTF-8 text"):
        read_lexicon(io.BytesIO(data))
    path = tmp_path / "lexicon.txt.gz"
    path.write_bytes(gzip.compress("\ufeffa x\n".encode()))
    assert plain(read_lexicon(path)) == {"a": ["x"]}


def test_what_is_odd_is_remarked() -> None:
    lexicon = read("a\nb x\nb x\n")
    assert plain(lexicon) == {"a": [""], "b": ["x"]}
    assert tuple(map(str, lexicon.remarks)) == (remark_line(LEXICON_EMPTY, 1, 1, word="a"),)
    assert read("a 0.5 x\nb y\n").remarks[0].code == "LEXICON-NUMBER"
    assert read("").remarks[-1].code == "LEXICON-NO-WORDS"
    assert read("b x\n").remarks == ()


@each_case(
    ("name", "text", "message"), table_of(__file__, "bad_files_are_refused_with_their_place")
)
def test_bad_files_are_refused_with_their_place(name: str, text: str, message: str) -> None:
    with pytest.raises(FormatError) as refused:
        read(text, name)
    assert str(refused.value) == f"<stream>:{message}"


def test_deep_json_is_refused() -> None:
    with pytest.raises(FormatError, match="expected JSON of words"):
        read('{"a":' + "[" * 100_000, "json")


def test_missing_files_and_options(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="found no such file"):
        read_lexicon(tmp_path / "none")
    with pytest.raises(OptionError, match=f"expected a lexicon format out of {', '.join(LEXICON_FORMATS)}"):  # fmt: skip
        read("", "xml")
    with pytest.raises(OptionError, match="expected stress keep or strip"):
        read("", stress="remove")


def test_a_lexicon_cannot_be_changed() -> None:
    entries = {"a": [["x"], ["x"], ["y"]]}
    lexicon = PronunciationLexicon(entries)
    entries["a"].append(["z"])
    assert lexicon["a"] == (("x",), ("y",))
    assert "b" not in lexicon
    assert lexicon == {"a": (("x",), ("y",))}
    assert pickle.loads(pickle.dumps(lexicon)) == lexicon
    anything: Any = lexicon
    with pytest.raises(TypeError):
        anything["b"] = [["x"]]


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        ({"a": "x"}, "a list of pronunciations of 'a', found str"),
        ({"a": ["x"]}, "pronunciations of 'a' as lists of phonemes, found str"),
        ({"a": [[1]]}, "phonemes of type str in 'a', found int"),
        ({"a": None}, "a list of pronunciations of 'a', found NoneType"),
    ],
)
def test_what_is_no_lexicon(entries: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        PronunciationLexicon(entries)


def test_without_phonemes() -> None:
    lexicon = PronunciationLexicon({"a": [["SIL", "x"], ["x"]], "b": [["SIL"]]})
    assert plain(lexicon.without_phonemes(["SIL"])) == {"a": ["x"], "b": [""]}
    assert lexicon.phonemes == {"SIL", "x"}
