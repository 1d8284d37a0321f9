"""`sclite` with files of formats that NIST's program does not read."""

import re
from pathlib import Path

import pytest

from formats.detection import names
from scoring.cli.nist.sclite import main
from tests.each_case import each_case
from tests.programs import python

DEMO = Path(__file__).resolve().parents[3] / "resources" / "demo"
REFERENCE, HYPOTHESIS = str(DEMO / "interview.TextGrid"), str(DEMO / "interview.json")
TWO = ["-r", REFERENCE, "textgrid", "-h", HYPOTHESIS, "aws"]
SCORES = re.compile(r"^Scores: \(#C #S #D #I\) (\d+) (\d+) (\d+) (\d+)$", re.MULTILINE)


@pytest.mark.parametrize("formats", [("textgrid", "aws"), ("auto", "auto"), ("auto", "aws")])
def test_a_textgrid_and_a_cloud_answer_have_reports(
    formats: tuple[str, str], tmp_path: Path
) -> None:
    command = ["-r", REFERENCE, formats[0], "-h", HYPOTHESIS, formats[1], "answer"]
    assert main([*command, "-o", "all", "snt", "prf", "-O", str(tmp_path), "-n", "x"]) == 0
    written = sorted(path.name for path in tmp_path.iterdir())
    assert written == ["x.pra", "x.prf", "x.raw", "x.snt.guest", "x.snt.host", "x.sys"]
    alignments = (tmp_path / "x.pra").read_text()
    assert "System name:   answer\n" in alignments
    counts = [sum(map(int, column)) for column in zip(*SCORES.findall(alignments), strict=True)]
    assert counts == [78, 4, 3, 0]
    [total] = [line for line in (tmp_path / "x.raw").read_text().split("\n") if "Sum" in line]
    assert re.findall(r"\d+", total)[:8] == ["10", "85", "78", "4", "3", "0", "7", "4"]


def test_options_mean_what_they_mean_for_sclites_own_formats(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    reference, hypothesis = tmp_path / "r.srt", tmp_path / "h.vtt"
    reference.write_text("1\n00:00:00,000 --> 00:00:02,000\nThe cat\n")
    hypothesis.write_text("WEBVTT\n\n00:00.000 --> 00:02.000\nthe  cut\n")
    sides = ["-r", str(reference), "srt", "-h", str(hypothesis), "vtt", "-o", "rsum", "stdout"]
    sides += ["--interpolate", "uniform"]
    for options, errors in (([], 1), (["-s"], 2), (["-c"], 1), (["-c", "-s"], 2)):
        assert main([*sides, *options]) == 0
        [total] = [line for line in capfdbinary.readouterr().out.split(b"\n") if b"Sum" in line]
        words = 6 if "-c" in options else 2
        assert list(map(int, re.findall(rb"\d+", total)))[:3] == [1, words, words - errors]


@each_case(
    "option", [["-F"], ["-d"], ["-c", "NOASCII"], ["-e", "euc"], ["-i", "wsj"], ["-w", "UNITY"]]
)
def test_options_without_meaning_for_other_formats_are_refused_by_name(
    option: list[str], capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    assert main([*TWO, *option]) == 1
    said = capfdbinary.readouterr().err.decode()
    assert f"Error, {option[0]}" in said
    assert "not for textgrid with aws" in said


def test_found_formats_that_the_original_scores_are_scored_as_it_does(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    sides = [str(DEMO / "reference.stm"), str(DEMO / "improved.ctm")]
    written = []
    for formats in (("stm", "ctm"), ("auto", "auto")):
        command = ["-r", sides[0], formats[0], "-h", sides[1], formats[1], "-o", "all", "stdout"]
        assert main(command) == 0
        written.append(capfdbinary.readouterr())
    assert written[0] == written[1]


def test_systems_of_several_formats_are_numbered_through(tmp_path: Path) -> None:
    sides = ["-r", str(DEMO / "reference.stm"), "stm", "-h", str(DEMO / "improved.ctm"), "ctm"]
    more = ["-h", str(DEMO / "reference.stm"), "stm", "--interpolate", "chars"]
    more += ["-o", "sgml", "-O", str(tmp_path)]
    assert main([*sides, *more]) == 0
    first, second = (
        re.findall(r'sequence="(\d+)"', (tmp_path / f"{name}.sgml").read_text())
        for name in ("improved.ctm", "reference.stm")
    )
    assert sorted(map(int, first)) == list(range(len(first)))
    assert sorted(map(int, second)) == list(range(len(first), len(first) + len(second)))


def test_what_cannot_be_read_or_matched_ends_with_one_line(
    tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    broken = tmp_path / "ä.json"
    broken.write_text('{"results": [')
    assert main(["-r", REFERENCE, "textgrid", "-h", str(broken), "aws"]) == 1
    assert capfdbinary.readouterr().err.decode().startswith(f"sclite: {broken}:1")


def test_unknown_formats_are_refused_in_the_originals_words(
    capfdbinary: pytest.CaptureFixture[bytes],
) -> None:
    assert main(["-r", REFERENCE, "textgird", "-h", HYPOTHESIS, "aws"]) == 1
    assert b"Reference file format 'textgird' not acceptable" in capfdbinary.readouterr().err
    assert {"textgrid", "aws", "stm"} < set(names())


def test_sclites_own_formats_load_nothing_of_the_others() -> None:
    command = ["-r", str(DEMO / "reference.trn"), "-h", str(DEMO / "improved.trn"), "-i", "spu_id"]
    code = (
        "import sys\nfrom scoring.cli.nist.sclite import main\n"
        f"main({command!r})\n"
        "print([name for name in sys.modules if name.startswith(('formats.detection', "
        "'scoring.score.', 'scoring.sides.side_files', 'dataclasses')) or name == 'scoring.score'], file=sys.stderr)"
    )
    assert python("-c", code, text=True, check=True).stderr == "[]\n"
