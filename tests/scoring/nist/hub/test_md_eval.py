"""md-eval.pl against runs of the original, and beyond what those tell."""

import re
import subprocess
from pathlib import Path

import pytest

from scoring.cli.nist.sctk import main as sctk
from scoring.cli.tasks.md_eval import main
from tests.golden_case import Golden, golden_cases
from tests.judge import MISSING, judge
from tests.judges.md_eval.cases import Case, draw
from tests.judges.md_eval.run import (
    OF_PERL,
    OUR_END,
    run_original,
    run_ours,
    without_usage,
)
from tests.tables import table_of

STAMP = re.compile(rb"\(run on [^)]*\)")
REFERENCE = "SPEAKER m 1 0.00 4.00 <NA> <NA> A <NA>\nSPEAKER m 1 5.00 3.00 <NA> <NA> B <NA>\n"
MAPPING = "File,Channel,RefSpeaker,SysSpeaker,isMapped,timeOverlap\n"
SYSTEM = "SPEAKER m 1 0.00 3.00 <NA> <NA> x <NA>\nSPEAKER m 1 4.50 3.50 <NA> <NA> y <NA>\n"


@pytest.fixture
def folder(current_folder: Path) -> Path:
    (current_folder / "r").write_text(REFERENCE)
    (current_folder / "s").write_text(SYSTEM)
    return current_folder


@pytest.mark.parametrize("case", golden_cases("hub/md-eval"), ids=lambda case: case.name)
def test_golden(case: Golden, folder: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    case.lay_out(folder)
    assert main(case.arguments[1:]) == int(case.text("expected/status"))
    out, err = capsysbinary.readouterr()
    assert STAMP.sub(b"(run on DATE)", out) == case.parts["expected/stdout"]
    complaints = OF_PERL.sub(b"", case.expected.get("stderr", b""))
    assert OUR_END.sub(b"", without_usage(err)) == complaints
    for name, content in case.expected.items():
        if name not in ("stdout", "stderr", "status"):
            assert (folder / name).read_bytes() == content


@pytest.mark.share(3)
@pytest.mark.parametrize("number", range(25))
def test_random_case(number: int, folder: Path) -> None:
    program = judge("md-eval.pl")
    if program is None:
        pytest.skip(MISSING)
    case = draw(7, number)
    for name, content in case.files.items():
        (folder / name).write_bytes(content)
    ours = run_ours(case).without_perl()
    truth = run_original(program, case).without_perl()
    if truth != ours:
        truth = run_original(program, case, by_names=True).without_perl()
    assert truth == ours


@pytest.mark.parametrize(("arguments", "told"), table_of(__file__, "command_lines_it_refuses"))
def test_command_lines_it_refuses(
    arguments: list[str], told: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(arguments) == (2 if "unable to open" in told else 255)
    out, err = capsys.readouterr()
    assert out.startswith("command line (run on ")
    assert told in err


@pytest.mark.parametrize(("line", "told"), table_of(__file__, "records_it_refuses"))
def test_records_it_refuses(
    line: str, told: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "r").write_text(f"{line}\n")
    is_fatal = "FATAL" in told or "unknown RTTM" in told
    assert main(["-r", "r", "-s", "s", "-M", "map.csv"]) == (25 if is_fatal else 1)
    out, err = capsys.readouterr()
    assert told in err
    assert "Performance analysis" not in out
    assert (folder / "map.csv").read_text() == MAPPING


def test_a_mapping_that_cannot_be_written_comes_before_all_else(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-r", "none", "-s", "s", "-M", "no/map.csv"]) == 2
    out, err = capsys.readouterr()
    assert err == "Error: Unable to open speaker map CSV file 'no/map.csv' for write\n"
    assert out.count("\n") == 1


def test_several_files_of_a_side_count_together(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Those of turns alone, those of other records, and the same in one file."""
    other = "; more\nNOSCORE m 1 3.00 1.00 <NA> <NA> <NA> <NA>\nSPEAKER n 1 0 1 <NA> <NA> A <NA>\n"
    (folder / "other").write_text(other)
    (folder / "both").write_text(REFERENCE + other)
    (folder / "list").write_text("r\nother\n")
    assert main(["-r", "both", "-s", "s", "-a", "f", "-1"]) == 0
    figures = capsys.readouterr().out.partition("***")[2]
    assert main(["-R", "list", "-s", "s", "-a", "f", "-1"]) == 0
    assert capsys.readouterr().out.partition("***")[2] == figures != ""


def test_nothing_to_divide_by_ends_as_the_original_does(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["-r", "r", "-s", "s", "-c", "2"]) == 255
    out, err = capsys.readouterr()
    assert out.endswith("  SCORED TIME =      0.00 secs (  0.0 percent of evaluated time)\n")
    assert err == "md-eval.pl: ALL: expected speech to score, found none\n"
    (folder / "s").write_text(SYSTEM + SYSTEM)
    assert main(["-r", "r", "-s", "s", "-c", "2"]) == 255
    first, *_, last = capsys.readouterr().err.splitlines(keepends=True)
    assert (first.partition(" speaker ")[0], last) == ("WARNING: ", err)


def test_what_is_not_scored_is_told(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (folder / "s").write_text(SYSTEM + "SPEAKER n 1 0 1 <NA> <NA> x <NA>\n")
    assert main(["-r", "r", "-s", "s"]) == 0
    assert capsys.readouterr().err == "warning: not in the reference, not scored: n 1\n"
    (folder / "r").write_text("")
    assert main(["-r", "r", "-s", "s"]) == 0
    assert "warning: nothing in the reference is scored\n" in capsys.readouterr().err


def test_of_equal_mappings_the_original_s_is_taken(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "s").write_text(
        "".join(f"SPEAKER m 1 0 8 <NA> <NA> {name} <NA>\n" for name in ("z", "y"))
    )
    (folder / "r").write_text(REFERENCE.replace("4.00", "3.00"))
    assert main(["-m", "-r", "r", "-s", "s"]) == 0
    lines = [line for line in capsys.readouterr().out.splitlines() if " => " in line]
    assert lines == ["'A' => 'y'", "'B' => 'z'"]


def test_lists_and_standard_input(
    folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "list").write_text("r\n")
    assert main(["-R", "list", "-s", "s"]) == 0
    figures = capsys.readouterr().out.partition("***")
    assert main(["-rr", "-ss"]) == 0
    assert capsys.readouterr().out.partition("***")[2] == figures[2] != ""


def test_the_call_of_recipes_by_the_launcher(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert sctk(["md-eval", "-1", "-c", "0.25", "-r", "r", "-s", "s"]) == 0
    out = capsys.readouterr().out
    rate = "OVERALL SPEAKER DIARIZATION ERROR = 16.67 percent of scored speaker time  `(ALL)"
    assert rate in out


def test_cases_are_drawn_alike() -> None:
    assert draw(1, 2) == draw(1, 2) != Case([], {})


def test_a_number_may_have_blanks_around_it(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    figures = []
    for collar in ("0.25", " 0.25", "0.25\t"):
        assert main(["-c", collar, "-r", "r", "-s", "s"]) == 0
        out = capsys.readouterr().out
        assert f"collar at SPEAKER boundaries is {collar} sec" in out
        figures.append(out.partition("***")[2])
    assert figures[0]
    assert figures[0] == figures[1] == figures[2]


@pytest.mark.parametrize(("mapping", "status"), [((), 255), (("-M", "map.csv"), 25)])
def test_the_status_without_speech_is_that_of_the_last_file(
    mapping: tuple[str, ...], status: int, current_folder: Path
) -> None:
    """md-eval.pl divides by zero, and Perl ends with the error that the file of `-M` leaves."""
    (current_folder / "r").write_text("SPEAKER talk 1 1.00 0.00 <NA> <NA> ann <NA>\n")
    (current_folder / "s").write_text("SPEAKER talk 1 1.00 2.00 <NA> <NA> one <NA>\n")
    assert main([*mapping, "-r", "r", "-s", "s"]) == status
    if (program := judge("md-eval.pl")) is not None:
        command = [program, *mapping, "-r", "r", "-s", "s"]
        assert subprocess.run(command, capture_output=True).returncode == status


@pytest.mark.parametrize(("begin", "shown"), [("-0", "  0.000"), ("-0.00", " -0.000")])
def test_an_integer_has_no_negative_zero(
    begin: str, shown: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("r", "s"):
        (folder / name).write_text(f"SPEAKER m 1 {begin} 4 <NA> <NA> {name} <NA>\n")
    assert main(["-v", "-r", "r", "-s", "s"]) == 0
    assert f"beg/dur/end = {shown}/" in capsys.readouterr().out
    if (program := judge("md-eval.pl")) is not None:
        command = [program, "-v", "-r", "r", "-s", "s"]
        out = subprocess.run(command, capture_output=True, text=True).stdout
        assert f"beg/dur/end = {shown}/" in out


def test_a_metadata_option_that_is_no_number_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for option in ("-t", "-T", "-p", "-P"):
        assert main([option, "1s", "-r", "r", "-s", "s"]) == 255
        assert f"ERROR:  {option}: expected a number, found '1s'" in capsys.readouterr().err


def test_an_alignment_that_never_ends_in_the_original_is_refused(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = "LEXEME m 1 1 1 a lex A <NA>\nLEXEME m 1 3 1 b lex A <NA>\n"
    (folder / "r").write_text(REFERENCE + words)
    (folder / "s").write_text(SYSTEM + words.splitlines()[0] + "\n")
    assert main(["-w", "-p", "0", "-r", "r", "-s", "s"]) == 1
    out, err = capsys.readouterr()
    assert "Performance analysis" not in out
    assert "expected a margin (-p, -P) that some alignment is within" in err


def test_metadata_without_words_end_as_the_original_does(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Where Perl dies, ours says what is missing; the status is the same."""
    word = "LEXEME m 1 1 1 a lex A <NA>\n"
    (folder / "r").write_text(REFERENCE + word)
    (folder / "s").write_text("SU m 1 0 4 <NA> statement x <NA>\n")
    assert main(["-e", "-r", "r", "-s", "s"]) == 255
    assert "expected words beside the metadata of the system" in capsys.readouterr().err
    (folder / "s").write_text("")
    assert main(["-e", "-r", "r", "-s", "s"]) == 255
    assert "m 1: expected records of the system, found none" in capsys.readouterr().err
    (folder / "s").write_text(SYSTEM)
    assert main(["-v", "-c", "9", "-M", "map.csv", "-r", "r", "-s", "s"]) == 25
    assert "expected pieces of scored time to show, found none" in capsys.readouterr().err
    if (program := judge("md-eval.pl")) is not None:
        command = [program, "-v", "-c", "9", "-M", "map.csv", "-r", "r", "-s", "s"]
        assert subprocess.run(command, capture_output=True).returncode == 25
