"""`scoring events` and `scoring segments`: files in, reports out, refusals that say where."""

import json
import re
from pathlib import Path

import pytest

from scoring.cli.messages import NOTHING_SCORED
from scoring.tasks.messages import ONLY_REFERENCE, OTHER_RECORDING, WITHOUT_DURATION
from tests.formats.checks import message_text
from tests.programs import printed, python, refused, told, wrong_value
from tests.scoring.score.test_schema import check
from tests.tables import table_of

FILES = {
    "ref.ctm": "rec1 1 1.0 1.0 bell\nrec1 1 5.0 1.0 bark\nrec2 1 2 1 bell\n",
    "hyp.ctm": "rec1 1 1.2 0.8 bell\nrec1 1 5.0 1.0 knock\nrec2 1 2.1 1 bell\n",
    "ref.stm": "talk 1 anne 0 4 speech\ntalk 1 anne 4 6 music\n",
    "hyp.stm": "talk 1 x 0 5 speech\n",
    "other.stm": "broadcast A x 0 5 speech\n",
    "overlap.stm": "talk 1 x 0 5 speech\ntalk 1 x 4 6 music\n",
    "utt2dur": "rec1/1 60\nrec2/1 40\n",
}


@pytest.fixture(autouse=True)
def among_files(current_folder: Path) -> None:
    for name, text in FILES.items():
        (current_folder / name).write_text(text)


def row(output: str, name: str) -> list[str]:
    found = re.search(rf"^{re.escape(name)}  +(.*)$", output, re.MULTILINE)
    assert found is not None, name
    return found[1].split()


def test_events(capsys: pytest.CaptureFixture[str]) -> None:
    status, output, errors = told(capsys, "events", "ref.ctm", "hyp.ctm")
    assert (status, errors) == (0, "")
    assert output.startswith(
        "Events: hyp.ctm against ref.ctm\n1 of 3 events are wrong: 33.3 %\n\nOverall\n#######\n"
    )
    assert row(output, "recall") == ["66.67", "%"]
    assert row(output, "bell")[:5] == ["2", "2", "0", "0", "0"]
    assert "Utterances" not in output
    _, output, _ = told(capsys, "events", "ref.ctm", "hyp.ctm", "--per-utterance")
    assert "rec1/1: 1 correct, 1 sub, 0 del, 0 ins\n" in output
    assert "S     bark       knock         5.000  6.000        5.000      6.000\n" in output


def test_segments(capsys: pytest.CaptureFixture[str]) -> None:
    status, output, errors = told(capsys, "segments", "ref.stm", "hyp.stm")
    assert (status, errors) == (0, "")
    assert row(output, "N") == ["6.00"]
    assert row(output, "error rate") == ["33.33", "%"]


def test_keywords(capsys: pytest.CaptureFixture[str]) -> None:
    flags = ["--as-keywords", "--durations", "utt2dur"]
    status, output, errors = told(capsys, "events", "ref.ctm", "hyp.ctm", *flags)
    assert (status, errors) == (0, "")
    assert row(output, "duration") == ["100.00", "s"]
    assert row(output, "FAR") == ["0.0033"]
    _, output, _ = told(capsys, "events", "ref.ctm", "hyp.ctm", "--as-keywords", "--duration", "50")
    assert row(output, "duration") == ["100.00", "s"]
    _, output, _ = told(capsys, "events", "ref.ctm", "hyp.ctm", "--as-keywords")
    assert row(output, "TWV") == ["n/a"]
    Path("others").write_text("rec1 50\n")
    _, output, errors = told(
        capsys, "events", "ref.ctm", "hyp.ctm", "--as-keywords", "--durations", "others"
    )
    assert row(output, "TWV") == ["n/a"]
    lacking = message_text(WITHOUT_DURATION, path="others", names=["rec1/1", "rec2/1"])
    assert errors == f"scoring: warning: {lacking} [DURATION]\n"


@pytest.mark.parametrize(("flags", "correct"), table_of(__file__, "ways_to_align"))
def test_ways_to_align(flags: list[str], correct: str, capsys: pytest.CaptureFixture[str]) -> None:
    _, output, _ = told(capsys, "events", "ref.ctm", "hyp.ctm", *flags)
    assert row(output, "correct") == [correct]


def test_one_recording_is_taken_for_the_other(capsys: pytest.CaptureFixture[str]) -> None:
    status, output, errors = told(capsys, "segments", "ref.stm", "other.stm")
    assert status == 0
    note = message_text(OTHER_RECORDING, recording="broadcast/A", target="talk/1")
    assert errors == f"scoring: note: {note} [ONLY-RECORDING]\n"
    assert row(output, "correct") == ["4.00"]


def test_recordings_of_one_side_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("some.ctm").write_text("rec1 1 1 1 bell\n")
    status, output, errors = told(capsys, "events", "ref.ctm", "some.ctm")
    assert status == 0
    assert row(output, "del") == ["2"]
    assert (
        errors
        == f"scoring: warning: {message_text(ONLY_REFERENCE, names=['rec2/1'])} [{ONLY_REFERENCE.code}]\n"
    )


def test_overlaps(capsys: pytest.CaptureFixture[str]) -> None:
    errors = refused(capsys, "segments", "ref.stm", "overlap.stm")
    assert errors == (
        "scoring: error: utterance 'talk/1': Overlapping labels in hypothesis. ('speech' from 0 to 5 s "
        "and 'music' from 4 to 6 s overlap from 4 to 5 s)\n"
    )


def test_every_file(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("markdown", "html", "json")
    flags = [part for name in names for part in (f"--{name}", f"out.{name}")]
    output = printed(capsys, "segments", "ref.stm", "hyp.stm", *flags)
    assert output.startswith("Segments: hyp.stm against ref.stm\n")
    assert Path("out.markdown").read_text().startswith("# Segments: hyp.stm against ref.stm\n")
    assert "<summary" in Path("out.html").read_text()
    assert json.loads(Path("out.json").read_text())["systems"][0]["overall"]["correct"] == 4.0


@pytest.mark.parametrize(
    "arguments",
    table_of(__file__, "json_is_what_the_schema_says"),
    ids=" ".join,
)  # fmt: skip
def test_json_is_what_the_schema_says(
    arguments: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    Path("empty.ctm").write_text("")
    assert told(capsys, *arguments, "--json", "out.json")[0] == 0
    check(Path("out.json"), "labels-1.json")


def test_notes_of_readers_are_not_told(capsys: pytest.CaptureFixture[str]) -> None:
    Path("dense.ctm").write_text("rec1 1 1 5 bell\nrec1 1 2 1 bark\n")
    assert told(capsys, "events", "dense.ctm", "dense.ctm")[2] == ""


def test_one_report_on_standard_output() -> None:
    done = python(
        "-m scoring events ref.ctm - --json -", input=FILES["hyp.ctm"], text=True, check=True
    )
    assert json.loads(done.stdout)["systems"][0]["overall"]["correct"] == 2


def test_an_unwritable_report_leaves_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    status, _, errors = told(capsys, "events", "ref.ctm", "hyp.ctm", "--html", "nowhere/x.html")
    assert status == 2
    assert errors.startswith("scoring: error: nowhere/x.html: cannot be written: ")
    assert not Path("nowhere").exists()


@pytest.mark.parametrize(
    ("arguments", "text"),
    table_of(__file__, "wrong_usage"),
)  # fmt: skip
def test_wrong_usage(
    arguments: list[str], text: str | list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    said = text if isinstance(text, str) else wrong_value(*text)
    assert said in refused(capsys, *arguments)


@pytest.mark.parametrize(
    ("arguments", "error"),
    table_of(__file__, "bad_input_says_where"),
)  # fmt: skip
def test_bad_input_says_where(
    arguments: list[str], error: str, capsys: pytest.CaptureFixture[str]
) -> None:
    Path("bad.ctm").write_text("rec1 1 1 1 bell\nrec1 1 5 x bark\n")
    Path("words.trn").write_text("hello (anne-1)\n")
    Path("bad2dur").write_text("rec1/1 60\nrec1/1 40\n")
    errors = refused(capsys, *arguments)
    assert errors.startswith(f"scoring: error: {error}")
    assert "Traceback" not in errors


def test_empty_files(capsys: pytest.CaptureFixture[str]) -> None:
    Path("empty.ctm").write_text("")
    for command in ("events", "segments"):
        for hypothesis in ("empty.ctm", "hyp.ctm"):
            errors = refused(capsys, command, "empty.ctm", hypothesis)
            assert message_text(NOTHING_SCORED, path="empty.ctm") in errors
    output = printed(capsys, "events", "empty.ctm", "empty.ctm", "--allow-empty")
    assert row(output, "error rate") == ["n/a", "%"]
