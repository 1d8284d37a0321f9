"""The command `scoring normalize`."""

import gzip
import io
import json
import sys
from pathlib import Path

import pytest

from scoring.cli.messages import ALL_REMOVED, AS_PLAIN_TEXT, REMOVED, WORDS_MET
from scoring.cli.scoring import main
from scoring.text import messages as of_text
from scoring.text.bundled import BUNDLED
from scoring.text.registry import STEPS
from tests.each_case import each_case
from tests.formats.checks import message_text
from tests.remarks import says
from tests.tables import table_of


def run(
    capsys: pytest.CaptureFixture[str], *arguments: str, status: int = 0
) -> tuple[list[str], str]:
    assert main(["normalize", *arguments]) == status
    captured = capsys.readouterr()
    return captured.out.splitlines(), captured.err


def test_texts_of_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = run(capsys, "--normalize", "plain", "--text", "Hello,  World!", "--text", "I’m A\nB")
    assert out == ["hello world", "i'm a", "b"]
    assert err == ""


def test_files_one_after_the_other(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.txt").write_bytes("É!\r\n\r\nx".encode("latin-1"))
    (tmp_path / "b.txt.gz").write_bytes(gzip.compress(b"Y\n"))
    flags = ["--normalize", "plain", "--encoding", "latin-1"]
    out, _ = run(capsys, *flags, str(tmp_path / "a.txt"), str(tmp_path / "b.txt.gz"))
    assert out == ["é", "", "x", "y"]
    target = tmp_path / "out.txt"
    out, _ = run(capsys, *flags, str(tmp_path / "a.txt"), "--output", str(target))
    assert out == []
    assert target.read_text("utf-8") == "é\n\nx\n"


def test_standard_input(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO("Ünï\n".encode()), "utf-8"))
    assert run(capsys, "--normalize", "lowercase")[0] == ["ünï"]


def test_what_was_removed_is_told_by_script(capsys: pytest.CaptureFixture[str]) -> None:
    _, err = run(capsys, "--normalize", "whisper-basic", "--text", "हिन्दी (noise)", "--text", "!")
    kinds = [
        message_text(of_text.REMOVED[kind], number=number, script=script)
        for kind, number, script in (("letters", 5, "Latin"), ("marks", 3, "Devanagari"))
    ]
    assert f"note: {message_text(REMOVED, step='whisper-basic', kinds=kinds)}" in err
    assert f"warning: {message_text(ALL_REMOVED, number=1, rows='lines')}" in err
    _, err = run(capsys, "--normalize", "whisper-basic-safe", "--text", "हिन्दी")
    assert err == ""


def test_alternatives_and_counts(capsys: pytest.CaptureFixture[str]) -> None:
    out, err = run(
        capsys, "--normalize", "fillers", "--normalize", "contractions", "--text", "uh don't um"
    )
    assert out == ["{ uh / @ } { don't / do not } { um / @ }"]
    assert message_text(WORDS_MET, step="fillers(policy=optional, lang=en)", words=2) in err


def test_a_side_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.json"
    path.write_text(json.dumps({"steps": [{"step": "lowercase", "side": "reference"}]}), "utf-8")
    flags = ["--normalize", str(path), "--text", "A"]
    assert run(capsys, *flags)[0] == ["A"]
    assert run(capsys, *flags, "--side", "reference")[0] == ["a"]


def test_every_step_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    flags = [
        "--normalize", "lowercase", "--normalize", "whitespace", "--normalize", "numbers:lang=de",
    ]  # fmt: skip
    out, _ = run(capsys, *flags, "--show-steps", "--text", "Nur 21")
    assert out == [
        "Nur 21",
        "  lowercase: nur 21",
        "  numbers(lang=de): nur { 21 / einundzwanzig / ein und zwanzig / zwei eins / zwo eins }",
    ]


def test_errors_that_steps_remove(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ref.trn").write_text("The end (a-1)\nright (a-2)\n", "utf-8")
    (tmp_path / "hyp.trn").write_text("the end (a-1)\nwrong (a-2)\n", "utf-8")
    sides = ["--reference", str(tmp_path / "ref.trn"), "--hypothesis", str(tmp_path / "hyp.trn")]
    out, _ = run(capsys, "--normalize", "lowercase", "--show-steps", *sides)
    assert [line.split() for line in out] == [
        ["step", "words", "errors", "change", "sub", "del", "ins", "rate", "%"],
        ["as", "given", "3", "2", "2", "0", "0", "66.67"],
        ["lowercase", "3", "1", "-1", "1", "0", "0", "33.33"],
        ["gone:", "1", "x", "The", "->", "the"],
        out[4].split(),
    ]
    assert out[4].startswith("signature: lowercase#")


def test_everything_is_listed(capsys: pytest.CaptureFixture[str]) -> None:
    out, _ = run(capsys, "--list")
    text = "\n".join(out)
    for spec in STEPS:
        assert f"\n  {spec.name} " in text
        for parameter in spec.parameters:
            assert f"    {parameter.name}: {parameter.title}" in text
    for one in BUNDLED:
        assert f"\n  {one.name} " in text
    flagged = {line.split()[0] for line in out if "[may remove letters or marks]" in line}
    assert {"whisper-basic", "regex", "glm", "transliterate", "fillers"} <= flagged
    assert not flagged & {"casefold", "unicode", "punctuation", "contractions", "numbers"}


@each_case(("arguments", "status", "text"), table_of(__file__, "refusals"))
def test_refusals(
    capsys: pytest.CaptureFixture[str], arguments: list[str], status: int, text: str
) -> None:
    _, err = run(capsys, *arguments, status=status)
    assert text in err
    assert "Traceback" not in err


def test_text_in_the_wrong_encoding_leaves_no_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.txt").write_bytes(b"good\nbad \xff\n")
    target = tmp_path / "out.txt"
    _, err = run(
        capsys, "--normalize", "plain", str(tmp_path / "a.txt"), "--output", str(target), status=2
    )
    assert "a.txt" in err
    assert not target.exists()
    assert list(tmp_path.iterdir()) == [tmp_path / "a.txt"]


def test_identifiers_and_times_of_transcripts_stay(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """They were normalised away, as if they were words."""
    monkeypatch.chdir(tmp_path)
    flags = ["--normalize", "plain"]
    Path("x.trn").write_text("Hello, World! (Anne-1)\n{ Um / @ } It's (Anne-2)\n", "utf-8")
    assert run(capsys, *flags, "x.trn")[0] == ["hello world (Anne-1)", "{ um / @ } it's (Anne-2)"]
    assert run(capsys, *flags, "x.trn", "--output", "y.trn")[0] == []
    assert Path("y.trn").read_text("utf-8") == "hello world (Anne-1)\n{ um / @ } it's (Anne-2)\n"
    Path("x.ctm").write_text("M A 0 0.5 Yes.\nM A 0.5 0.5 -\nM A 1 0.5 X\n", "utf-8")
    out, _ = run(capsys, *flags, "x.ctm")
    assert [line.split() for line in out] == [
        ["M", "A", "0.000", "0.500", "yes"],
        ["M", "A", "1.000", "0.500", "x"],
    ]
    Path("x.srt").write_text("1\n00:00:01,000 --> 00:00:02,000\nHello, World!\n", "utf-8")
    out, _ = run(capsys, *flags, "x.srt")
    assert out[:3] == ["1", "00:00:01,000 --> 00:00:02,000", "hello world"]


def test_transcripts_as_plain_text_if_that_is_meant(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("x.trn").write_text("Hello, World! (Anne-1)\n", "utf-8")
    Path("p.txt").write_text("Hello, World!\n", "utf-8")
    flags = ["--normalize", "plain"]
    assert run(capsys, *flags, "--from", "txt-lines", "x.trn")[0] == ["hello world anne 1"]
    assert run(capsys, *flags, "p.txt")[0] == ["hello world"]
    _, errors = run(capsys, *flags, "p.txt", "x.trn", status=2)
    assert "expected files of one format, found trn, txt-lines" in errors
    _, errors = run(capsys, *flags, "--from", "nothing", "x.trn", status=2)
    assert "nothing" in errors


def given(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode()), "utf-8"))


def test_a_transcript_on_standard_input_keeps_its_identifiers(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It was taken for plain text, identifiers for words, with status 0."""
    flags = ["--normalize", "plain"]
    given(monkeypatch, "Hello, World! (Anne-1)\n")
    assert run(capsys, *flags) == (["hello world (Anne-1)"], "")
    given(monkeypatch, "M A 0 0.5 Yes.\n")
    assert run(capsys, *flags, "-")[0] == ["M A 0.000 0.500 yes"]
    given(monkeypatch, "Hello, World! (Anne-1)\n")
    assert run(capsys, *flags, "--from", "txt-lines")[0] == ["hello world anne 1"]


def test_what_is_taken_for_plain_text_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    flags = ["--normalize", "plain"]
    given(monkeypatch, "u1 Hello\nu2 World\n")
    out, err = run(capsys, *flags)
    assert out == ["u1 hello", "u2 world"]
    assert says(err, AS_PLAIN_TEXT, path="<stdin>")
    (tmp_path / "unknown").write_text("Hello\n", "utf-8")
    _, err = run(capsys, *flags, str(tmp_path / "unknown"), "--remarks", "json")
    [fields] = [
        record["fields"]
        for record in map(json.loads, err.splitlines())
        if (record["code"], record.get("variant")) == (AS_PLAIN_TEXT.code, AS_PLAIN_TEXT.variant)
    ]
    assert fields["path"] == str(tmp_path / "unknown")
    assert "likely" in fields["problem"]["fields"]


def test_transcripts_are_explained_by_their_words_alone(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Their identifiers were explained as if they were words."""
    monkeypatch.chdir(tmp_path)
    Path("x.trn").write_text("{ UH / @ } No (Anne-1)\nyes (Anne-2)\n", "utf-8")
    out, _ = run(capsys, "--normalize", "lowercase", "--show-steps", "x.trn")
    assert out == ["{ UH / @ } No (Anne-1)", "  lowercase: { uh / @ } no", "yes (Anne-2)"]
    given(monkeypatch, "M A 0 0.5 Yes\n")
    out, _ = run(capsys, "--normalize", "lowercase", "--show-steps")
    assert out == ["Yes (M)", "  lowercase: yes"]


@each_case(
    ("search", "replace", "expected"),
    table_of(__file__, "words_changed_together_share_the_time_of_the_old_ones"),
)
def test_words_changed_together_share_the_time_of_the_old_ones(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    search: str,
    replace: str,
    expected: list[str],
) -> None:
    """All words of the segment lost their times, which ctm then refused."""
    (tmp_path / "x.ctm").write_text(
        "M A 1 2 have\nM A 4 2 twenty\nM A 6 2 one\nM A 10 1 dogs\n", "utf-8"
    )
    (tmp_path / "p.json").write_text(
        json.dumps({"steps": [{"step": "regex", "search": search, "replace": replace}]}), "utf-8"
    )
    flags = ["--normalize", str(tmp_path / "p.json")]
    out, _ = run(capsys, *flags, str(tmp_path / "x.ctm"))
    found = [line.split() for line in out]
    rows = [f"{word} {float(start):.1f} {float(span):.1f}" for _, _, start, span, word in found]
    for row, begin in zip(rows, expected, strict=False):
        assert row.startswith(begin)
    assert len(rows) >= len(expected)


def test_a_format_that_is_only_read_is_written_as_another(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    chat = "@UTF8\n@Begin\n@Languages:\teng\n@Participants:\tCHI Target_Child\n"
    chat += "@ID:\teng|x|CHI|||||Target_Child|||\n*CHI:\tHello there .\n@End\n"
    Path("x.cha").write_text(chat, "utf-8")
    flags = ["--normalize", "lowercase"]
    out, err = run(capsys, *flags, "x.cha", status=2)
    assert out == []
    assert "x.cha: expected a format that can be written, found chat" in err
    assert "--to stm" in err
    assert "--to txt-lines" in err
    given(monkeypatch, chat)
    assert "<stdin>: expected a format that can be written" in run(capsys, *flags, status=2)[1]
    assert run(capsys, *flags, "--to", "txt-lines", "x.cha")[0] == ["hello there"]
    assert run(capsys, *flags, "--to", "trn", "x.cha")[0][0].startswith("hello there (CHI")
    _, err = run(capsys, *flags, "--to", "trn", "--text", "x", status=2)
    assert "--to is for files" in err
