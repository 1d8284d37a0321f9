"""Our rover against the original: stored runs, random runs, refusals."""

import os
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from scoring.cli.nist.drop_in import usage
from tests.each_case import each_case
from tests.golden_case import Golden, golden_cases
from tests.judge import MISSING, judge
from tests.judges.rover.cases import Case, draw, draw_long
from tests.judges.rover.run import difference, run_original, run_ours, without_remarks

GOLDENS = golden_cases("rover")
SEED = 20
CASES = 30
LONG_CASES = 2
needs_judge = pytest.mark.skipif(judge("rover") is None, reason=MISSING)
WORDS = b"m A 0 .5 x\nm A .5 .5 y\n"
TWO = ["-h", "a", "ctm", "-h", "b", "ctm"]
VOTED = [*TWO, "-o", "out", "-m", "meth1"]


def ours(arguments: list[str], **files: bytes) -> tuple[int, str, str, bytes | None]:
    """Status, output, error output and output file of a run of ours."""
    run = run_ours(Case(arguments, files))
    stdout, stderr = (stream.decode("latin-1") for stream in (run.stdout, run.stderr))
    return run.status or 0, stdout, stderr, run.files.get("out")


def test_there_are_goldens() -> None:
    assert GOLDENS


@each_case("case", GOLDENS, ids=lambda case: case.name)
def test_golden(case: Golden, tmp_path: Path, capfdbinary: pytest.CaptureFixture[bytes]) -> None:
    from scoring.cli.nist.rover import main

    work = tmp_path / "work"
    case.lay_out(work)
    before = set(os.listdir(work))
    here = os.getcwd()
    os.chdir(work)
    try:
        status = main(case.arguments)
    finally:
        os.chdir(here)
    sys.stdout.flush()
    captured = capfdbinary.readouterr()
    found = {name: (work / name).read_bytes() for name in {*os.listdir(work)} - before}
    found["stdout"] = captured.out
    found["status"] = b"%d\n" % status
    if stderr := without_remarks(captured.err):
        found["stderr"] = stderr
    assert found == case.expected, case.text("what")


@needs_judge
def test_random_cases_give_the_same_bytes() -> None:
    program = judge("rover")
    assert program is not None
    crashed = 0
    for number in range(CASES):
        case = draw(SEED, number)
        truth = run_original(program, case)
        crashed += not truth.finished
        found = difference(truth, run_ours(case))
        assert not found, f"case {number}: rover {shlex.join(case.arguments)}\n{found}"
    assert crashed < CASES // 4


@needs_judge
@pytest.mark.release
@pytest.mark.parametrize("number", range(LONG_CASES))
def test_files_longer_than_the_window_give_the_same_bytes(number: int) -> None:
    program = judge("rover")
    assert program is not None
    case = draw_long(SEED, number)
    assert not difference(run_original(program, case), run_ours(case))


@each_case(
    ("arguments", "problem"),
    [
        ([], "Req'd Hyp File names, 2 or more"),
        (["-h"], "Not enough Hyp arguments"),
        (["-h", "-o"], "Req'd Hyp File name"),
        (["-h", "a", "ctm", "-h", "b"], "Hyp formats must all be identical\n"),
        ([*TWO, "-o", "-m"], "Req'd Output Filename"),
        ([*TWO, "-o"], "Not enough Output arguments"),
        (TWO, "Req'd Output File name"),
        ([*TWO, "-o", "out"], "Req'd method"),
        ([*TWO, "-m", "best"], "Illegal method"),
        (["-m"], "Not enough Method arguments"),
        (["-a"], "Not enough alpha arguments"),
        (["-c"], "Not enough null_conf arguments"),
        (["-f"], "Not enough Feedback arguments"),
        (["-l"], "Not enough Line Width arguments"),
        (["-h", "a", "ctm"] * 51, "more than 50 hypothesis files"),
    ],
)
def test_refused_command_lines(arguments: list[str], problem: str) -> None:
    assert ours(arguments) == (1, "", f"{usage('rover')}rover: {problem}\n\n", None)


def test_unknown_options_are_named_on_standard_output() -> None:
    assert ours(["-q"]) == (1, "Illegal argument: -q\n", usage("rover"), None)


def test_other_formats_do_nothing() -> None:
    status, stdout, stderr, output = ours(["-h", "a", "-h", "b", "-o", "out", "-m", "meth1"])
    assert (status, stdout, output) == (0, "", None)
    assert stderr.startswith("rover: warning: format 'trn'")


@pytest.mark.parametrize(
    ("first", "second", "message"),
    [
        (b"", b"", "a: expected words, found none in any file"),
        (b"", WORDS, "expected words of conversation 'm', of which b:1 has some"),
        (WORDS, b"m A 0 .5 x\n;c\nm A 1\n", "b:3:6: expected at least five fields"),
        (WORDS, WORDS + b" \n", "b:3:2: expected at least five fields"),
    ],
)
def test_what_the_original_crashes_on_is_an_error(
    first: bytes, second: bytes, message: str
) -> None:
    status, stdout, stderr, output = ours(VOTED, a=first, b=second)
    assert (status, stdout, output) == (1, "", None)
    assert without_remarks(stderr.encode()).decode().startswith("rover: ")
    assert message in stderr


def test_times_beyond_measure_are_refused_by_time_only() -> None:
    endless = b"m A 0 .5 x\nm A .5 1e9 y\n"
    status, _, stderr, output = ours([*VOTED, "-T"], a=endless, b=WORDS)
    assert (status, output) == (1, None)
    assert "a:2: expected times of at most 100000000 seconds" in stderr
    assert ours(VOTED, a=endless, b=WORDS)[0] == 0


def test_an_input_is_not_overwritten() -> None:
    status, stdout, stderr, _ = ours([*TWO, "-o", "b", "-m", "meth1"], a=WORDS, b=WORDS)
    assert (status, stdout) == (1, "")
    assert stderr == "rover: b: expected an output file that is not read as well\n"


def test_files_that_cannot_be_opened() -> None:
    output = ours([*TWO, "-o", "no/such", "-m", "meth1"], a=WORDS, b=WORDS)
    assert output == (1, "", "Error: unable to open output file 'no/such'\n", None)
    status, stdout, stderr, left = ours(VOTED, a=WORDS)
    assert (status, stdout, left) == (1, "", b"")
    assert stderr == "Can't open input hypothesis file b\n"


@each_case(
    ("first", "second", "remark"),
    [
        (b"m A 0 1 x\nn A 0 1 y\n", b"m A 0 1 x\nn A 0 1 y\n", "a:2: the last section is not"),
        (WORDS, WORDS.replace(b"A", b"B"), "b:1: channel 'b' is combined with channel 'a' of a"),
        (WORDS, WORDS.replace(b"\n", b"\r\n"), "b:1: found a carriage return"),
        (WORDS, b"m A .5 .5 y\nm A 0 .5 x\n", "b:2: found a word that begins before"),
        (WORDS, b"m A z .5 x\n", "b:1: expected begin and duration in seconds"),
        (WORDS, b"m A 0 .5 x\n\xef\xbb\xbf" + bytes(1) + b"\n", "b:2"),
        (b"m A 0 1 x\nm A 5 1 y\nn A 0 1 z\nn A 1 1 z\n", b"m A 0 1 x\nn A 0 1 z\nn A 1 1 z\n", "b:2: the first word of a section also takes part in the one before"),
        (WORDS, b"m A * * <ALT_BEGIN>\nm A * * <ALT>\nm A 0 .5 x\nm A * * <ALT_END>\n", "b:3: found a word after an empty alternative, which is lost"),
    ],
)  # fmt: skip
def test_what_is_odd_is_said(first: bytes, second: bytes, remark: str) -> None:
    stderr = ours(VOTED, a=first, b=second)[2]
    assert remark in stderr
    assert "sclite" not in stderr


def run_as_process(arguments: list[str], folder: Path, redirection: str) -> tuple[int, str, str]:
    """Status, output and error output under a shell that redirects."""
    for name in ("a", "b"):
        (folder / name).write_bytes(WORDS)
    command = shlex.join([sys.executable, "-m", "scoring.cli.nist.rover", *arguments])
    root = str(Path(__file__).resolve().parents[3])
    done = subprocess.run(
        f"{command} {redirection}",
        shell=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": root},
        capture_output=True,
        text=True,
    )
    return done.returncode, done.stdout, done.stderr


def test_devices_take_the_output(tmp_path: Path) -> None:
    arguments = [*TWO, "-o", "/dev/stdout", "-m", "meth1"]
    status, stdout, stderr = run_as_process(arguments, tmp_path, "")
    assert (status, stderr) == (0, "")
    assert stdout.startswith("m a 0.000 0.500 x -1.000000\n")
    assert "Working on conversation" in stdout


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
@pytest.mark.parametrize(
    ("arguments", "redirection", "place"),
    [
        (VOTED, ">/dev/full", "standard output"),
        (["-q"], ">/dev/full", "standard output"),
        ([*TWO, "-o", "/dev/full", "-m", "meth1"], "", "/dev/full"),
    ],
)
def test_a_full_disk_is_said(
    arguments: list[str], redirection: str, place: str, tmp_path: Path
) -> None:
    status, stdout, stderr = run_as_process(arguments, tmp_path, redirection)
    assert (status, stdout) == (2, "")
    assert stderr == f"rover: {place}: cannot be written: No space left on device\n"


def test_closed_standard_output_is_told_and_leaves_the_file(tmp_path: Path) -> None:
    said = "rover: standard output: cannot be written: it is closed\n"
    assert run_as_process(VOTED, tmp_path, ">&-") == (2, "", said)
    assert (tmp_path / "out").read_bytes().startswith(b"m a 0.000 0.500 x ")


def test_ignored_arguments_are_said() -> None:
    assert "from 'then' on are ignored" in ours([*VOTED, "then"], a=WORDS, b=WORDS)[2]
