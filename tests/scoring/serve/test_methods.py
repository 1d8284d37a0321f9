"""What methods give, and how they refuse."""

import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

import scoring
from formats.detection import all_formats
from scoring.measures import all_measures
from scoring.options import USUAL, options_in
from scoring.results.messages import UNSCORED
from scoring.serve.errors import (
    InvalidFieldError,
    InvalidParamsError,
    MethodError,
    MethodNotFoundError,
)
from scoring.serve.measures import COMPARE, WER
from scoring.serve.methods import Methods, descriptions
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.tables import table_of

METHODS = Methods()
STM = {"content": "", "format": "srt", "to": "stm"}
SRT = "1\n00:00:01,000 --> 00:00:02,500\nhello world\n"


def refused(name: str, params: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    with pytest.raises(InvalidParamsError) as caught:
        METHODS(name, params)
    error = caught.value.as_error()
    assert error["code"] == -32602
    data = error["data"]
    return data if isinstance(data, dict) else {"message": data}


def test_help_lists_all_and_itself_last() -> None:
    names = list(descriptions())
    assert names[0] == "version"
    assert names[-1] == "help"
    assert {"align", "wer", "compare", "convert", "detect", "normalize"} < set(names)
    assert all(descriptions().values())
    assert METHODS("help", []) == descriptions()
    assert set(names) == METHODS.names


def test_unknown_method_and_its_name_is_cut() -> None:
    with pytest.raises(MethodNotFoundError) as caught:
        METHODS("x" * 5000, {})
    assert caught.value.data == "x" * 100


@each_case(("params", "message"), table_of(__file__, "parameters_are_checked"))
def test_parameters_are_checked(params: Any, message: str) -> None:
    assert message in refused("align", params)["message"]


def test_align() -> None:
    result = METHODS("align", {"reference": "A b c", "hypothesis": "a c", "ignore_case": True})
    assert result["edits"] == "CDC"
    assert result["pairs"] == [["A", "a"], ["b", None], ["c", "c"]]
    assert result["counts"]["error_rate"] == pytest.approx(1 / 3)
    assert result["cost"] == 3
    assert METHODS("align", [["a b", "c"], ["a b"]])["pairs"] == [["a b", "a b"], ["c", None]]


def test_align_follows_the_profile() -> None:
    pair = ["a b", "b c"]
    for profile in ("sclite", "kaldi"):
        assert METHODS("align", [*pair, profile])["counts"]["errors"] == 2
    assert METHODS("align", [*pair, "kaldi"])["cost"] == 2


def test_wer_is_that_of_the_library() -> None:
    reference = {"u1": "a b c", "u2": "d e", "u3": ""}
    hypothesis = {"u2": "d", "u1": "a x c", "u3": "f"}
    result = METHODS("wer", {"reference": reference, "hypothesis": hypothesis})
    ours = scoring.wer(reference, hypothesis)
    assert result["signature"] == ours.signature
    assert result["rates"]["error_rate"] == ours.corpus_rate
    assert result["counts"]["errors"] == ours.counts.errors == 3
    assert [row["id"] for row in result["utterances"]] == ["u1", "u2", "u3"]
    assert [row["error_rate"] for row in result["utterances"]] == [pytest.approx(1 / 3), 0.5, None]
    assert result["interval"] is None
    assert sum(row["errors"] for row in result["utterances"]) == result["counts"]["errors"]


def test_wer_with_everything() -> None:
    result = METHODS(
        "wer",
        {
            "reference": ["It's 50, uh!", "a b"],
            "hypothesis": ["it is fifty", "a c"],
            "normalize": ["plain", "fillers:policy=ignore", "contractions", {"step": "numbers"}],
            "speakers": {"000001": "anne", "000002": "bob"},
            "confidence_interval": True,
            "block": "speaker",
            "level": 0.9,
            "replications": 200,
            "seed": 3,
            "alignments": True,
        },
    )
    assert result["rules"]["normalization"].startswith("plain+fillers+contractions+numbers#")
    assert result["counts"]["errors"] == 1
    interval = result["interval"]
    assert (interval["replications"], interval["seed"], interval["level"]) == (200, 3, 0.9)
    assert 0 <= interval["low"] <= interval["high"]
    assert [row["speaker"] for row in result["speakers"]] == ["anne", "bob"]
    assert result["utterances"][1]["pairs"] == [["a", "a"], ["b", "c"]]


def test_lists_of_different_lengths_are_refused_unless_asked_for() -> None:
    sides = {"reference": ["a"], "hypothesis": ["a", "b c"]}
    data = refused("wer", sides)
    assert data["kind"] == "DifferentLengths"
    assert (
        "for matching by position, expected 1 utterance as in <reference>, found 2 (allow_unmatched scores"
        in (data["message"])
    )
    result = METHODS("wer", {**sides, "allow_unmatched": True})
    assert result["rates"]["error_rate"] == 0
    fields = {"path": "<hypothesis>", "words": 2, "unit": "word", "number": 1, "names": ["000002"]}
    [remark] = result["remarks"]
    unscored = message_text(UNSCORED, **fields)
    assert (remark["text"], remark["code"], remark["fields"]) == (unscored, "UNSCORED", fields)
    assert refused("wer", {"reference": ["a", "b"], "hypothesis": ["a"]})["kind"] == data["kind"]
    both = {"reference": ["a"], "baseline": ["a"], "new": ["a", "b"]}
    assert refused("compare", both)["kind"] == data["kind"]


def test_unasked_hypotheses_are_remarked_and_no_python_warning() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = METHODS("wer", {"reference": {"a": "a"}, "hypothesis": {"a": "a", "z": "b"}})
    assert len(result["remarks"]) == 1


def test_wer_counts_what_is_missing() -> None:
    sides = {"reference": {"u1": "a b", "u2": "c"}, "hypothesis": {"u1": "a b"}}
    result = METHODS("wer", sides)
    assert result["account"]["reference_only"] == {"count": 1, "ids": ("u2",)}
    assert result["counts"]["deletions"] == 1
    assert METHODS("wer", {**sides, "missing": "skip"})["account"]["skipped_words"] == 1
    data = refused("wer", {**sides, "missing": "error"})
    assert data["kind"] == "Matching"
    assert "u2" in data["message"]


@each_case(
    ("more", "field", "message"),
    [
        ({"unit": "words"}, "unit", "expected word, char, char+space, grapheme, mixed"),
        ({"level": 2}, "level", "expected a number from 0.5 to 0.9999, found 2"),
        ({"replications": 10**9}, "replications", "expected a whole number from 1 to 100000"),
        ({"replications": 1.5}, "replications", "found a number"),
        ({"seed": True}, "seed", "found true"),
        ({"speakers": {"u1": 3}}, "speakers", "['u1']: expected a text"),
        ({"reference": ["a", ["b"]]}, "reference", "found both"),
        ({"reference": 5}, "reference", "found a number"),
        ({"reference": {"u1": None}}, "reference", "['u1']: expected a text or a list"),
        (
            {"hypothesis": {"u1": "a"}},
            "hypothesis",
            "expected reference and hypothesis to be both objects",
        ),
        ({"block": "speaker", "confidence_interval": True}, "block", "expected a speaker"),
        ({"normalize": "nope"}, "normalize", "expected the name of a step or pipeline, or a file"),
        ({"normalize": [3]}, "normalize", "found a number"),
        ({"normalize": {"search": "a"}}, "normalize", "an object without step"),
        ({"normalize": "casefold:lang"}, "normalize", "expected NAME=VALUE"),
        ({"normalize": {"step": "regex", "search": "(", "replace": ""}}, "normalize", "missing )"),
        ({"normalize": {"step": "regex", "search": "a" * 3000}}, "normalize", "at most 2000 char"),
        (
            {"normalize": {"step": "lowercase", "side": 1}},
            "normalize",
            "side: expected reference or",
        ),
        ({"normalize": {"step": "lowercase", "side": "x"}}, "normalize", "expected reference"),
    ],
)
def test_wer_refuses(more: dict[str, object], field: str, message: str) -> None:
    data = refused("wer", {"reference": ["a"], "hypothesis": ["b"], **more})
    assert data["field"] == field
    assert message in data["message"]


def test_single_text_is_never_a_file(current_folder: Path) -> None:
    (current_folder / "secret.txt").write_text("a b c", "utf-8")
    for text in ("secret.txt", ["secret.txt"], {"u1": "secret.txt"}):
        result = METHODS("wer", {"reference": text, "hypothesis": text})
        assert result["counts"]["reference_count"] == 1


def test_compare() -> None:
    arguments = {
        "reference": {"u1": "a b c", "u2": "d e", "u3": "f"},
        "baseline": {"u1": "a b c", "u2": "d x", "u3": "f"},
        "new": {"u1": "a x y", "u2": "d e", "u3": "f"},
        "replications": 300,
        "fail_above": ["50%"],
        "fail_increase": ["5%"],
    }
    result = METHODS("compare", arguments)
    assert result["overall"]["error_change"] == 1
    assert [row["id"] for row in result["worse"]] == ["u1"]
    assert [row["id"] for row in result["better"]] == ["u2"]
    assert [row["has_failed"] for row in result["findings"]] == [False, True]
    assert result["passed"] is False
    assert result["difference"]["replications"] == 300


def test_compare_refuses_in_the_words_of_parameters() -> None:
    arguments = {"reference": {"u1": "a", "u2": "b"}, "baseline": {"u1": "a", "u2": "b"}}
    data = refused("compare", {**arguments, "new": {"x": "a"}})
    assert data["kind"] == "Matching"
    data = refused("compare", {**arguments, "new": {"u1": "a", "u2": "b"}, "fail_above": ["much"]})
    assert data["field"] == "fail_above"
    lacking = {**arguments, "new": {"u1": "a"}}
    message = refused("compare", {**lacking, "like": "kaldi"})["message"]
    assert "allow" in message
    assert "--" not in message
    assert METHODS("compare", {**lacking, "allow": ["missing"]})["utterance_count"] == 1
    assert METHODS("compare", lacking)["overall"]["new"]["deletions"] == 1


def test_convert() -> None:
    result = METHODS("convert", {"content": SRT, "to": "stm", "write_options": {"precision": 1}})
    assert result["content"] == "recording 1 recording-1 1.0 2.5 hello world\n"
    assert (result["format"], result["segment_count"]) == ("srt", 1)
    assert {
        "what": "channels invented",
        "count": 1,
        "rule": "written as channel 1",
        "line": 2,
    } in result["losses"]
    back = METHODS("convert", {"content": result["content"], "format": "stm", "to": "srt"})
    assert "00:00:01,000 --> 00:00:02,500\nhello world" in back["content"]


def test_convert_tells_what_the_reader_says() -> None:
    content = "b (anne-1)\n\x0c\na (anne-1"
    result = METHODS(
        "convert", {"content": content, "format": "trn", "to": "txt-lines", "tolerance": "lenient"}
    )
    assert [row["severity"] for row in result["remarks"]].count("error") == 1
    assert result["remarks"][-1]["line"] == 3


@each_case(
    ("params", "field", "message"),
    [
        ({"content": SRT, "to": "nope"}, "to", "found 'nope'"),
        ({"content": SRT, "to": "google"}, "to", "google is only read"),
        ({**STM, "tolerance": "x"}, "tolerance", "strict, default, limited, lenient"),
        ({**STM, "pause": -1}, "pause", "from 0"),
        ({**STM, "read_options": {"x": 1}}, "read_options", 'found "x"'),
        ({**STM, "write_options": {"precision": 77}}, "write_options", "expected precision out"),
        ({**STM, "write_options": {"precision": 10**9}}, "write_options", "from 0 to 1000000"),
        ({**STM, "write_options": {"escape_markup": 3}}, "write_options", "escape_markup"),
    ],
)
def test_convert_refuses(params: dict[str, object], field: str, message: str) -> None:
    data = refused("convert", params)
    assert data["field"] == field
    assert message in data["message"]


def test_what_is_wrong_with_a_transcript_has_a_place() -> None:
    data = refused("convert", {"content": "a (u-1)\nb (u", "format": "trn", "to": "stm"})
    assert (data["kind"], data["line"], data["column"]) == ("SyntaxFormat", 2, 5)
    assert data["expected"] == '")" after the id'
    data = refused("convert", {"content": "who,x\n1,2\n", "format": "csv", "to": "trn"})
    assert "(field NAME names it)" in data["message"]
    data = refused("detect", ["zzz"])
    assert data["kind"] == "UnknownFormat"
    assert "--" not in data["message"]


def test_every_option_that_names_a_file_is_kept_from_requests() -> None:
    words = ("scp", "segments", "utt2", "spk2", "reco2", "path", "file")
    options = [
        (spec.name, member, option)
        for spec in all_formats()
        for member in ("read_options", "write_options")
        for option in getattr(spec, member)
    ]
    assert all(item.is_path for *_, item in options if any(w in item.name for w in words))
    paths = {(name, member, option.name) for name, member, option in options if option.is_path}
    assert len(paths) > 9
    for name, member, option in sorted(paths):
        sides = (name, "stm") if member == "read_options" else ("trn", name)
        params = {"content": "x", "format": sides[0], "to": sides[1], member: {option: "x"}}
        assert f"found {option!r}" in refused("convert", params)["message"]
    settings = {
        item.name: (measure, item) for measure in all_measures() for item in measure.parameters
    }
    of_files = ("file ", "folder ")
    files = {name for name, (_, item) in settings.items() if item.text.startswith(of_files)}
    assert files == {
        *("phrases", "words", "distractors", "vocabulary", "corrected", "leaderboard"),
    }
    for name in files:
        choices = {"measures": [settings[name][0].name], "measure_options": {name: __file__}}
        data = refused("wer", {"reference": ["a"], "hypothesis": ["b"], **choices})
        assert data["message"].endswith("expected no file, which the service does not read")


def test_detect_and_lists() -> None:
    assert METHODS("detect", [SRT])["format"] == "srt"
    assert METHODS("list.formats", {})["stm"].startswith("NIST")
    assert {"plain", "regex", "numbers"} <= set(METHODS("list.steps", {}))


def test_normalize() -> None:
    result = METHODS("normalize", {"text": "Hello, WORLD!", "normalize": "plain"})
    assert result["text"] == "hello world"
    assert result["signature"].startswith("plain(2)#")
    rules = [{"step": "replace", "search": "#", "replace": "", "side": "hypothesis"}]
    both = [
        METHODS("normalize", {"text": ["#a"], "normalize": rules, "side": side})["text"]
        for side in ("reference", "hypothesis")
    ]
    assert both == [["#a"], ["a"]]


def test_text_of_what_was_not_foreseen_stays_inside(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("/home/anne/secret")

    monkeypatch.setattr("scoring.serve.measures.align", broken)
    with pytest.raises(MethodError) as caught:
        METHODS("align", ["a", "b"])
    assert caught.value.as_error() == {"code": -32000, "message": "Server error", "data": None}
    assert isinstance(caught.value.__cause__, KeyError)


def test_field_errors_are_method_errors() -> None:
    error = InvalidFieldError("unit", "expected more", line=3, column=None)
    assert isinstance(error, MethodError)
    assert error.as_error()["data"] == {"message": "expected more", "field": "unit", "line": 3}


def test_choices_of_scoring_are_those_of_every_command() -> None:
    shared = [row for row in (*WER, *COMPARE) if row.name in USUAL]
    assert {row.name for row in shared} == {
        *options_in("aligning"),
        *("allow_unmatched", "measure_options", "measures", "missing", "normalize"),
        *("metadata", "references", "speakers", "variants", "variants_length", "where"),
    }
    # a parameter that is not given is what applies then
    assert all(row.default == USUAL[row.name] for row in shared)
