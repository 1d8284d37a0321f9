"""`scoring diff` and `scoring beer`: files of any format, outputs, refusals."""

import json
from pathlib import Path

import pytest

from scoring.cli.formats import main as formats_main
from scoring.cli.messages import NOTHING_SCORED
from scoring.cli.scoring import main
from scoring.pages.messages import CASE, DELETED, UNSEEN
from scoring.results.messages import UNSCORED
from tests.formats.checks import message_text
from tests.scoring.score.test_schema import complaints
from tests.tables import table_of

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture(autouse=True)
def folder(current_folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("NO_COLOR", raising=False)
    (current_folder / "ref.trn").write_text(
        "The cat sat (anne_1)\nin New York (bob_1)\nsame (bob_2)\n"
    )
    (current_folder / "hyp.trn").write_text(
        "the cat sat (anne_1)\nin Newark (bob_1)\nsame (bob_2)\n"
    )
    (current_folder / "ref.stm").write_text("talk 1 anne 0.0 2.0 in New York\n")
    (current_folder / "hyp.ctm").write_text("talk 1 0.1 0.3 in\ntalk 1 0.5 0.5 Newark\n")
    (current_folder / "entities.json").write_text('{"New York": 3, "cat": 1}')
    return current_folder


def test_diff(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "ref.trn", "hyp.trn"]) == 0
    captured = capsys.readouterr()
    assert (
        captured.err
        == f"scoring: hint: {message_text(CASE[0], number=1, errors=3)} [{CASE[0].code}]\n"
    )
    assert captured.out.splitlines()[:5] == [
        "anne_1 (anne): 1 error in 3 words, 33.33 %",
        "  [-The-] {+the+} cat sat",
        "bob_1 (bob): 2 errors in 3 words, 66.67 %",
        "  in [-New York-] {+Newark+}",
        "2 of 3 utterances differ: 2 substitutions, 1 deletions, 0 insertions in 7 words, 42.86 %",
    ]


def test_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "ref.trn", "hyp.trn", "--normalize", "lowercase", "--all"]) == 0
    out = capsys.readouterr().out
    assert "1 of 3 utterances differ" in out
    assert "  the cat sat\n" in out
    assert "|norm:lowercase" in out
    assert main(["diff", "ref.trn", "hyp.trn", "--ignore-case", "--colour", "always"]) == 0
    assert "  in \x1b[31mNew York\x1b[0m \x1b[32mNewark\x1b[0m\n" in capsys.readouterr().out
    assert main(["diff", "ref.trn", "hyp.trn", "--layout", "rows", "--unit", "char"]) == 0
    assert "  reference:   T h e c a t s a t\n" in capsys.readouterr().out
    assert main(["diff", "ref.trn", "hyp.trn", "--context", "0"]) == 0
    assert "  [-The-] {+the+} …\n" in capsys.readouterr().out


@pytest.mark.parametrize(("flags", "shown"), [
    ([], "… c d e [-x-] {+y+} f g h …"), (["--context", "all"], "a b c d e [-x-] {+y+} f g h i j"),
])  # fmt: skip
def test_three_equal_words_are_shown_around_a_difference(
    flags: list[str], shown: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, word in (("a", "x"), ("b", "y")):
        (folder / f"{name}.trn").write_text(f"a b c d e {word} f g h i j (u-1)\n")
    assert main(["diff", "a.trn", "b.trn", *flags]) == 0
    assert f"  {shown}\n" in capsys.readouterr().out
    assert formats_main(["diff", "a.trn", "b.trn", *flags]) == 3
    assert f"  {shown.strip('… ')}\n" in capsys.readouterr().out


def test_other_formats(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "ref.stm", "hyp.ctm"]) == 0
    assert "  in [-New York-] {+Newark+}\n" in capsys.readouterr().out


def test_options_of_readers(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "both.jsonl").write_text(
        '{"audio_filepath": "a.wav", "duration": 1, "text": "a b", "pred_text": "a c"}\n'
    )
    (folder / "utt2spk").write_text("a anne\n")
    given = ["both.jsonl", "both.jsonl", "--hypothesis-option", "field=pred_text"]
    given += ["--interpolate", "uniform"]
    assert main(["diff", *given]) == 0
    assert "  a [-b-] {+c+}\n" in capsys.readouterr().out
    assert main(["diff", "ref.trn", "hyp.trn", "--utt2spk", "utt2spk"]) == 2
    assert main(["diff", "ref.trn", "hyp.trn", "--reference-option", "field"]) == 2
    assert "expected NAME=VALUE, found 'field'" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["restructuredtext", "markdown", "html", "json"])
def test_documents(form: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", "ref.trn", "hyp.trn", "-f", form, "--output", "out"]) == 0
    assert capsys.readouterr().out == ""
    text = (folder / "out").read_text()
    if form == "json":
        assert len(json.loads(text)["systems"][0]["utterances"]) == 2
    else:
        marked = {
            "restructuredtext": ":diffdelete:`New York` :diffinsert:`Newark`",
            "markdown": "~~New York~~ **Newark**",
            "html": "<del>New York</del> <ins>Newark</ins></p>",
        }
        assert f"in {marked[form]}\n" in text.replace("<span>in</span>", "in")
    assert main(["diff", "ref.trn", "hyp.trn", "-f", form]) == 0
    assert capsys.readouterr().out == text


def test_characters_that_nobody_sees_are_shown(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "r.txt").write_text(
        "co\xadop caf\xe9 \u0646\u200c\u0647 a\ufeffb ok\u200b\n", "utf-8"
    )
    (folder / "h.txt").write_text("coop cafe\u0301 \u0646\u200c\u0647 ab ok\u200b\n", "utf-8")
    assert main(["diff", "r.txt", "h.txt"]) == 0
    output, errors = capsys.readouterr()
    assert r"[-co\xadop caf" in output
    assert r"cafe\u0301+}" in output
    assert r"[-a\ufeffb-] {+ab+}" in output
    assert "\u0646\u200c\u0647" in output
    assert "ok\u200b" in output
    unseen = UNSEEN["controls", "unicode"][0]
    assert message_text(unseen, number=3, errors=3) in errors
    assert main(["diff", "r.txt", "h.txt", "-f", "json"]) == 0
    assert "a\ufeffb" in capsys.readouterr().out


def test_beer(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["beer", "ref.trn", "hyp.trn", "--entity-weights", "entities.json"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[1:4]] == [
        ["New", "York", "0.750", "1", "0", "1.000"],
        ["cat", "0.250", "1", "1", "0.000"],
        ["weighted", "average", "2", "1", "0.375"],
    ]
    assert lines[4].startswith("signature: beer|entities:2|sha256:")


def test_beer_of_other_formats_normalized(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["beer", "ref.stm", "hyp.ctm", "--entity-weights", "entities.json", "-f", "json"]
    assert main([*given, "--normalize", "lowercase"]) == 2
    nothing = message_text(NOTHING_SCORED, path="ref.stm: entities of entities.json")
    assert f"scoring: error: {nothing} [NOTHING-SCORED]\n" in capsys.readouterr().err
    assert main([*given, "--normalize", "lowercase", "--allow-empty"]) == 0
    [found] = json.loads(capsys.readouterr().out)["systems"]
    assert [one["reference_count"] for one in found["entities"]] == [0, 0]
    assert "|norm:lowercase" in found["signature"]
    assert found["weighted_average"] is None


def test_what_has_no_partner_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "hyp.trn").write_text("the cat sat (anne_1)\nx (new_1)\n")
    assert main(["diff", "ref.trn", "hyp.trn"]) == 0
    captured = capsys.readouterr()
    about = {"path": "hyp.trn", "unit": "word"}
    deleted = message_text(DELETED, **about, number=2, names=["bob_1", "bob_2"])
    unscored = message_text(UNSCORED, **about, words=1, number=1, names=["new_1"])
    assert deleted in captured.err
    assert unscored in captured.err
    assert "  [-in New York-]\n" in captured.out
    assert main(["beer", "ref.trn", "hyp.trn", "--entity-weights", "entities.json"]) == 0
    assert deleted in capsys.readouterr().err


@pytest.mark.parametrize(("arguments", "status", "message"), table_of(__file__, "refusals"))
def test_refusals(
    arguments: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == status
    captured = capsys.readouterr()
    assert message in captured.err
    assert captured.out == ""


def test_empty_files(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "ref.trn").write_text("")
    (folder / "hyp.trn").write_text("")
    given = ["--reference-format", "trn", "--hypothesis-format", "trn"]
    assert main(["diff", "ref.trn", "hyp.trn", *given]) == 2
    found = capsys.readouterr()
    assert message_text(NOTHING_SCORED, path="ref.trn") in found.err
    assert found.out == ""
    assert main(["diff", "ref.trn", "hyp.trn", *given, "--allow-empty"]) == 0
    assert capsys.readouterr().out.startswith("0 of 0 utterances differ")
    assert main(["beer", "ref.trn", "hyp.trn", *given, "--entity-weights", "entities.json"]) == 2
    assert message_text(NOTHING_SCORED, path="ref.trn") in capsys.readouterr().err


@pytest.mark.parametrize(("arguments", "name"), table_of(__file__, "json_is_what_its_schema_says"))
def test_json_is_what_its_schema_says(
    arguments: list[str], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main([*arguments, "-f", "json"]) == 0
    schema = json.loads((ROOT / "resources" / "schemas" / f"{name}.json").read_text())
    assert complaints(json.loads(capsys.readouterr().out), schema, schema) == []
