"""The command beyond one file: several inputs, folders, parts, figures, JSON."""

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from formats.cli import main
from formats.cli.messages import LOST, LOST_BY_RULE, NOT_TAKEN
from formats.io.messages import FILE_PROPERTIES, NO_MEMBER, UNKNOWN_BUT
from formats.schema.messages import Message
from tests.each_case import each_case
from tests.formats.checks import lost, message_text, remark_line
from tests.remarks import says
from tests.tables import table_of

WriteFile = Callable[[str, "str | bytes"], str]
RunCommand = Callable[..., "tuple[int, str, str]"]

STM = (
    ';; LABEL "F" "Female" ""\n'
    "f 1 anne 0 1 <F> hello world\nf 1 bob 1 2.5 { a / b } (c)\ng 2 anne 1 2 <F> x\n"
)
CTM = "f 1 0.0 0.5 hello 0.5\nf 1 0.5 0.5 world 1.0\nf 1 4.0 0.5 again 0.75\n"


def test_several_inputs_make_one_output(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.stm", STM)
    write_file("b.stm", "h 1 eve 0 1 hi\n")
    write_file("c.trn", "bye (carl-1)\n")
    assert run_command("convert", "a.stm", "b.stm", "all.stm", "--precision", "1") == (0, "", "")
    assert Path("all.stm").read_text() == (
        ';; LABEL "F" "Female" ""\n'
        "f 1 anne 0.0 1.0 <F> hello world\nf 1 bob 1.0 2.5 { a / b } (c)\n"
        "g 2 anne 1.0 2.0 <F> x\nh 1 eve 0.0 1.0 hi\n"
    )
    status, output, errors = run_command("convert", "b.stm", "c.trn", "-", "--to", "trn")
    assert (status, output) == (0, "hi (eve-000)\nbye (carl-1)\n")
    assert f"{lost('recordings', 2)}; {lost('channels', 1)}" in errors


def test_what_is_told_of_several_inputs_names_the_right_one(
    write_file: WriteFile, run_command: RunCommand
) -> None:
    write_file("a.trn", "hello (anne-1)\n")
    write_file("b.trn", "\nyes { no / maybe } (anne-2)\n")
    write_file("c.trn", "bye (anne-1)\n")
    status, output, errors = run_command(
        "convert", "a.trn", "b.trn", "-", "--to", "txt", "--explain-loss"
    )
    assert (status, output) == (0, "hello\nyes no\n")
    assert errors.splitlines() == [
        (
            "formats: loss: "
            + remark_line(LOST, 1, file="a.trn", format="txt", what="speakers", count=2)
        ),
        (
            "formats: loss: "
            + remark_line(LOST, 1, file="a.trn", format="txt", what="utterance ids", count=2)
        ),
        (
            "formats: loss: "
            + remark_line(LOST, 2, file="b.trn", format="txt", what="recordings", count=1)
        ),
        (
            "formats: loss: "
            + remark_line(
                LOST_BY_RULE,
                2,
                file="b.trn",
                format="txt",
                what="alternations",
                count=1,
                rule="only the first branch is written",
            )
        ),
        (
            "formats: loss: "
            + remark_line(LOST, 2, file="b.trn", format="txt", what="segment boundaries", count=1)
        ),
    ]
    assert run_command("convert", "a.trn", "b.trn", "c.trn", "-", "--to", "trn") == (
        2,
        "",
        'formats: error: c.trn:1: expected a unique utterance id, found "anne-1"\n',
    )


def test_a_bad_input_among_several_leaves_no_output(
    write_file: WriteFile, run_command: RunCommand
) -> None:
    write_file("a.stm", STM)
    write_file("b.stm", "h 1 eve 0\n")
    status, _, errors = run_command("convert", "a.stm", "b.stm", "all.stm")
    assert status == 2
    assert errors.startswith("formats: error: b.stm:1:10: expected")
    assert sorted(os.listdir()) == ["a.stm", "b.stm"]


def test_losses_name_the_file_they_are_of(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.trn", "x (s-1)\n")
    write_file("b.stm", STM)
    errors = run_command("convert", "a.trn", "b.stm", "-", "--to", "trn", "--explain-loss")[2]
    assert (
        "formats: loss: "
        + remark_line(LOST, 2, file="b.stm", format="trn", what="segment times", count=3)
        + "\n"
    ) in errors


def test_a_folder_that_is_not_there(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.stm", STM)
    assert run_command("convert", "a.stm", "new/", "--to", "trn")[0] == 0
    assert os.listdir("new") == ["a.trn"]
    status, _, errors = run_command("convert", "a.stm", "no/new/", "--to", "trn")
    assert (status, errors) == (
        2,
        "formats: error: no/new/: cannot be created: no such file or directory\n",
    )
    write_file("bad.stm", "f 1 anne 0\n")
    assert run_command("convert", "bad.stm", "other/", "--to", "trn")[0] == 2
    assert sorted(os.listdir()) == ["a.stm", "bad.stm", "new"]


ONE_RECORDING = (
    "srt",
    "vtt",
    "ass",
    "ttml",
    "microdvd",
    "textgrid",
    "eaf",
    "trs",
    "whisper",
)


@each_case("target", ONE_RECORDING)
def test_several_recordings_are_refused_where_a_file_holds_one_and_the_way_out_is_named(
    write_file: WriteFile, run_command: RunCommand, target: str
) -> None:
    write_file("a.stm", "f 1 anne 0 1 hello world\ng 1 bob 1 2 bye\n")
    more: tuple[str, ...] = ("--fps", "25") if target == "microdvd" else ()
    more += ("--interpolate", "uniform") if target == "whisper" else ()
    arguments = ("convert", "a.stm", "--to", target, *more)
    status, _, errors = run_command(*arguments, "out")
    assert status == 2
    assert "--only-recording" in errors
    assert "out/" in errors
    assert sorted(os.listdir()) == ["a.stm"]
    assert run_command(*arguments, "--only-recording", "f", "out")[0] == 0
    assert run_command(*arguments, "folder/")[0] == 0
    assert sorted(name.partition(".")[0] for name in os.listdir("folder")) == ["f", "g"]


def test_recordings_in_a_folder_are_whole_and_told_once(
    write_file: WriteFile, run_command: RunCommand
) -> None:
    write_file("a.stm", "f/1 1 anne 0 1 hello\ng 1 bob 1 2 bye\nf/1 1 anne 3 3 again\n")
    status, _, errors = run_command("convert", "a.stm", "out/", "--to", "srt")
    assert status == 0
    assert errors.count("STM-NO-TIME") == 1
    assert sorted(os.listdir("out")) == ["f_1.srt", "g.srt"]
    assert "hello" in Path("out/f_1.srt").read_text()
    assert "again" in Path("out/f_1.srt").read_text()
    assert "bye" in Path("out/g.srt").read_text()
    assert run_command("convert", "--no-clobber", "a.stm", "out/", "--to", "srt")[0] == 2


def test_a_folder_gets_one_file_each(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.trn", "x (s-1)\n")
    write_file("b.trn.gz", "y (s-1)\n")
    os.mkdir("out")
    assert run_command("convert", "a.trn", "b.trn.gz", "out", "--to", "trn") == (0, "", "")
    assert sorted(os.listdir("out")) == ["a.trn", "b.trn"]
    os.mkdir("more")
    write_file("more/a.stm", STM)
    status, _, errors = run_command("convert", "a.trn", "more/a.stm", "out", "--to", "txt")
    assert status == 2
    assert errors == ("formats: error: a.trn and more/a.stm would both be written to out/a.txt\n")
    assert sorted(os.listdir("out")) == ["a.trn", "b.trn"]


def test_standard_input_twice_is_refused(run_command: RunCommand) -> None:
    assert run_command("convert", "-", "-", "x.trn")[::2] == (
        2, "formats: error: standard input can be read only once\n",
    )  # fmt: skip


def test_parts(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.stm", STM)
    status, output, errors = run_command(
        "convert", "a.stm", "-", "--to", "stm", "--only-speaker", "anne", "--only-recording", "f"
    )
    assert (status, errors) == (
        0,
        ("formats: loss: " + remark_line(NOT_TAKEN, file="<stdout>", segments=2, words=4) + "\n"),
    )
    assert output.endswith("f 1 anne 0.000 1.000 <F> hello world\n")
    write_file("a.ctm", CTM)
    status, output, errors = run_command(
        "convert", "a.ctm", "-", "--to", "ctm", "--begin", "0.4", "--end", "3"
    )
    assert (status, output) == (0, "f 1 0.500 0.500 world 1.0\n")
    assert errors == (
        "formats: loss: " + remark_line(NOT_TAKEN, file="<stdout>", segments=0, words=2) + "\n"
    )


def test_marks_and_line_ends(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.trn", "x (s-1)\ny (s-2)\n")
    run_command("convert", "a.trn", "b.trn", "--bom", "--newline", "crlf")
    assert Path("b.trn").read_bytes() == b"\xef\xbb\xbfx (s-1)\r\ny (s-2)\r\n"
    run_command("convert", "a.trn", "b.trn", "--bom", "--output-encoding", "utf-16")
    assert Path("b.trn").read_bytes().decode("utf-16") == "x (s-1)\ny (s-2)\n"


def test_max_bytes(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.trn", "x (s-1)\n")
    assert run_command("validate", "a.trn", "--max-bytes", "5") == (
        2, "", "formats: error: a.trn: larger than 5 bytes\n",
    )  # fmt: skip


def test_info(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.stm", STM)
    write_file("b.ctm", CTM)
    assert run_command("info", "a.stm", "b.ctm") == (
        0,
        "a.stm: stm\n"
        "  segments   3 segment\n"
        "  words      6, 6 distinct\n"
        "  choices    1 alternations, 1 optional words\n"
        "  channels   1, 2\n"
        "  labels     F\n"
        "  recording  f: 2 segments, 5 words, 0.000 to 2.500 s, 2.500 s covered\n"
        "  recording  g: 1 segment, 1 word, 1.000 to 2.000 s, 1.000 s covered\n"
        "  speaker    anne: 2 segments, 3 words, 0.000 to 2.000 s, 2.000 s covered\n"
        "  speaker    bob: 1 segment, 3 words, 1.000 to 2.500 s, 1.500 s covered\n"
        "b.ctm: ctm\n"
        "  segments     1 segment\n"
        "  words        3, 3 distinct, 3 with times\n"
        "  confidences  3 words, 0.500 to 1.000, mean 0.750\n"
        "  channels     1\n"
        "  recording    f: 1 segment, 3 words, 0.000 to 4.500 s, 1.500 s covered\n",
        "",
    )


def test_what_a_terminal_would_obey_is_shown(
    write_file: WriteFile, run_command: RunCommand
) -> None:
    write_file("a.stm", "f\x1b[31m 1 an\u202ene\x9b 0 1 \x1b[2J\n")
    status, output, errors = run_command("info", "a.stm")
    assert (status, errors) == (0, "")
    assert output.splitlines()[-2:] == [
        "  recording  f\\u001b[31m: 1 segment, 1 word, 0.000 to 1.000 s, 1.000 s covered",
        "  speaker    an\\u202ene\\u009b: 1 segment, 1 word, 0.000 to 1.000 s, 1.000 s covered",
    ]
    _, output, _ = run_command("info", "a.stm", "--json", "-")
    (found,) = json.loads(output)["files"]
    assert found["recordings"][0]["name"] == "f\x1b[31m"
    assert found["speakers"][0]["name"] == "an\u202ene\x9b"
    assert "\u202e" not in output


@pytest.mark.parametrize(
    ("name", "text", "words"),
    table_of(__file__, "what_describes_an_event_or_is_looked_for_counts_as_no_word"),
)
def test_what_describes_an_event_or_is_looked_for_counts_as_no_word(
    write_file: WriteFile, run_command: RunCommand, name: str, text: str, words: int
) -> None:
    write_file(name, text)
    (told,) = json.loads(run_command("info", name, "--json", "-")[1])["files"]
    assert (told["word_count"], told["distinct_words"]) == (words, words)
    assert sum(share["word_count"] for share in told["recordings"]) == words
    (told,) = json.loads(run_command("validate", name, "--json", "-")[1])["files"]
    assert told["word_count"] == words
    assert f" {words} word" in run_command("validate", name)[1]


def test_info_as_json(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("b.ctm", CTM)
    write_file("c.ctm", "f 1 x\n")
    status, output, errors = run_command("info", "b.ctm", "c.ctm", "--json", "-")
    assert (status, errors.count("\n")) == (2, 1)
    found = json.loads(output)
    assert found["version"] == 1
    (only,) = found["files"]
    assert (only["path"], only["format"], only["word_count"]) == ("b.ctm", "ctm", 3)
    assert only["confidences"] == {"word_count": 3, "min": 0.5, "mean": 0.75, "max": 1.0}
    assert only["recordings"] == [
        {"name": "f", "segment_count": 1, "word_count": 3, "start": 0.0, "end": 4.5, "covered": 1.5}
    ]


@pytest.mark.parametrize(
    ("text", "status"),
    [("x (s-1)\n", 0), ("x (s-1) y\n", 3), ("x (s-1\n", 2), ("x (s-1) y\nx (s-2\n", 2)],
)
def test_validate_tells_the_worst(
    write_file: WriteFile, run_command: RunCommand, text: str, status: int
) -> None:
    write_file("a.trn", text)
    write_file("b.trn", "x (s-1)\n")
    assert run_command("validate", "a.trn", "b.trn")[0] == status
    assert run_command("validate", "b.trn", "a.trn", "--json", "-")[0] == status


def test_validate_as_json(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.trn", "x (s-1) y\nx (s-2\n")
    status, output, errors = run_command("validate", "a.trn", "none", "--json", "-")
    assert (status, errors) == (2, "")
    found = json.loads(output)
    assert found["version"] == 1
    first, second = found["files"]
    assert (first["format"], first["segment_count"], first["skipped"]) == ("trn", 1, 1)
    assert [(d["severity"], d["code"], d["line"], d["column"]) for d in first["remarks"]] == [
        ("warning", "TRN-TRAILING", 1, 8), ("error", "TRN-SYNTAX", 2, 7),
    ]  # fmt: skip
    assert second["format"] is None
    assert second["remarks"][0]["text"] == "expected a readable file, found no such file"


def test_what_a_file_says_of_itself_is_not_lost_in_silence(
    write_file: WriteFile, run_command: RunCommand
) -> None:
    write_file("a.ttml", '<tt xml:lang="en"><body><p begin="0s" end="1s">hi</p></body></tt>')
    options = ("convert", "a.ttml", "-", "--explain-loss")
    note = "formats: note: <stdout>: " + message_text(FILE_PROPERTIES, names=["language"])
    assert note in run_command(*options, "--to", "txt")[2]
    assert note not in run_command(*options, "--to", "ttml")[2]


def test_detect_tells_why(write_file: WriteFile, run_command: RunCommand) -> None:
    write_file("a.stm", STM)
    status, output, errors = run_command("detect", "a.stm", "--explain")
    assert (status, errors) == (0, "")
    assert output.splitlines()[:3] == [
        "a.stm: stm",
        "  its name means stm",
        "  stm: sure: lines of file, channel, speaker, begin, end, words",
    ]
    write_file("b.json", '{"hypotheses": [], "words": [{"word": "a"}]}')
    status, output, errors = run_command("detect", "b.json", "--explain")
    assert status == 2
    assert output.startswith("b.json: no format that is sure\n  its name may be aeneas, ")
    missing = Message(NO_MEMBER, {"member": "punct"})
    assert f'  bbc-kaldi: wanted "words" with "word" and "punct"; {missing}\n' in output
    assert says(errors, UNKNOWN_BUT)
    write_file("c.trn", "hello (a-1)\nbye\n")
    output = run_command("detect", "c.trn", "--explain")[1]
    assert (
        '  trn: wanted words and "(id)" at the end of each line; line 2: expected "(id)" at the end '
        "of the line, found no parentheses\n"
    ) in output
    os.mkdir("data")
    Path("data/text").write_text("a-1 hello\n")
    assert run_command("detect", "data", "--explain")[1].splitlines() == [
        "data: kaldi",
        "  kaldi: a folder or a pattern, known by the names of the files there",
    ]


def test_lint_takes_the_language_of_the_file_and_names_that_of_the_shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    text = "1\n00:00:01,000 --> 00:00:03,000\nGuten Abend und willkommen im Hafen.\n"
    paths = {tag: tmp_path / f"hafen{tag}.srt" for tag in ("", ".de", ".ja", ".en")}
    for path in paths.values():
        path.write_text(text)

    def lint(tag: str, *options: str) -> tuple[int, str]:
        status = main(["lint", str(paths[tag]), *options])
        output, errors = capsys.readouterr()
        assert f"for {'German' if status else 'English'}, 1 cue," in output
        return status, errors

    assert lint("") == (0, "")
    assert lint(".en") == (0, "")
    status, errors = lint(".de")
    assert (status, "[LIMITS-LANGUAGE]" in errors, "--rules-language LANG" in errors) == (3, 1, 1)
    assert lint(".de", "--rules-language", "en") == (0, "")
    status, errors = lint(".ja")
    assert (status, "[LIMITS-LANGUAGE]" in errors, "--rules-language" in errors) == (0, 1, 0)
    monkeypatch.setenv("LANG", "de_DE.UTF-8")
    status, errors = lint("")
    assert (status, "--rules-language de" in errors) == (0, True)
    assert lint("", "--rules-language", "de") == (3, "")
    assert lint("", "--rules", "bbc") == (0, "")
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    assert lint("") == (0, "")
