"""Every option the usage text names does something, and nothing else is understood."""

import inspect
import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from scoring.cli.nist import sclite_options
from scoring.cli.nist.drop_in import usage
from scoring.cli.nist.nist_arguments import leading_number
from scoring.cli.scoring import main as run_scoring
from tests.each_case import each_case
from tests.judges.sclite.programs import Ours, run_in, shared_ours
from tests.programs import wrong_value

OPTION = re.compile(r"^    (-\S+)", re.MULTILINE)

# Small inputs on which every option shows.
FILES: Mapping[str, bytes] = {
    "ref.trn": b"the Cat sat (uh) ab- \xc3\x89t\xc3\xa9 (spk-1-a)\non the mat (spo-2)\n",
    "hyp.trn": b"the cat sad abc \xc3\xa9t\xc3\xa9 (spk-1-a)\non a mat (spo-2)\n",
    "ref.stm": b";; LABEL \"o\" \"All\" \"\"\nf 1 s 1 2 <o> the cat\nf 1 s 2 3 <o> sat down\n",
    "hyp.ctm": b"f 1 0.2 0.1 early 0.5\nf 1 1.1 0.2 the 0.9\nf 1 1.5 0.2 cap 0.3\n"
    b"f 1 2.1 0.2 sat 0.8\nf 1 2.5 0.2 down 0.7\n",
    "ref.ctm": b"f 1 0.2 0.1 the\nf 1 1.6 0.2 cat\nf 1 2.1 0.2 sat\nf 1 2.5 0.2 down\n",
    "hyp.txt": b"the cat sat round\n",
    "hyp.srt": b"1\n00:00:01,000 --> 00:00:03,000\nthe cat sat, of course, down\n",
    "words.wwl": b"cat 5\nthe 1\n",
    "words.lex": b"cat\nsat\n",
    "model.arpa": b"\\data\\\nngram 1=4\n\n\\1-grams:\n-0.6 <UNK>\n-0.5 the\n-1.5 cat\n-1 </s>\n\n\\end\\\n",
}  # fmt: skip
TRN = ["-r", "ref.trn", "-h", "hyp.trn", "-i", "spu_id"]
STM = ["-r", "ref.stm", "stm", "-h", "hyp.ctm", "ctm"]
SRT = ["-r", "ref.ctm", "ctm", "-h", "hyp.srt", "srt", "-f", "0"]
CTM = ["-r", "ref.ctm", "ctm", "-h", "hyp.ctm", "ctm"]
QUIET = ["-f", "0", "-o", "sgml", "prf", "stdout"]

# A run without the option, and the same run with it.
EXERCISES: Mapping[str, tuple[list[str], list[str]]] = {
    "-r": (CTM[2:] + QUIET, CTM + QUIET),
    "-h": (STM + QUIET, [*STM, "-h", "hyp.txt", "txt", "words", *QUIET]),
    "-i": ([*TRN[:-1], "sp", *QUIET], TRN + QUIET),
    "-P": (QUIET, ["-P", *QUIET]),
    "-s": (TRN + QUIET, [*TRN, "-s", *QUIET]),
    "-F": (TRN + QUIET, [*TRN, "-F", *QUIET]),
    "-D": (TRN + QUIET, [*TRN, "-D", *QUIET]),
    "-T": (CTM + QUIET, [*CTM, "-T", *QUIET]),
    "-d": (STM + QUIET, [*STM, "-d", *QUIET]),
    "-w": (TRN + QUIET, [*TRN, "-w", "words.wwl", *QUIET, "wws"]),
    "-L": (TRN + QUIET, [*TRN, "-L", "arpa:model.arpa", *QUIET, "wws"]),
    "-S": (TRN + QUIET, [*TRN, "-S", "algo1", "words.lex", "ASCIITOO", *QUIET]),
    "-m": (STM + QUIET, [*STM, "-m", "hyp", *QUIET]),
    "-e": (TRN + QUIET, [*TRN, "-e", "utf-8", "babel_kazakh", "-c", *QUIET]),
    "-c": (TRN + QUIET, [*TRN, "-c", *QUIET]),
    "-O": (TRN + QUIET[:-1], [*TRN, "-O", "out", *QUIET[:-1]]),
    "-n": (TRN + QUIET[:-1], [*TRN, "-n", "name", *QUIET[:-1]]),
    "-f": ([*TRN, "-f", "0"], [*TRN, "-f", "2"]),
    "-l": (TRN + QUIET, [*TRN, "-l", "12", *QUIET]),
    "-o": (TRN, [*TRN, "-o", "dtl", "stdout"]),
    "-C": (STM + QUIET, [*STM, *QUIET, "-C", "hist", "bhist", "sbhist", "det"]),
    "--plots": ([*STM, "-C", "hist"], [*STM, "-C", "hist", "--plots", "svg"]),
    "-p": (TRN, [*TRN, "-p"]),
    "--interpolate": (
        [*SRT, "--interpolate", "uniform", "-o", "prf", "stdout"],
        [*SRT, "--interpolate", "chars", "-o", "prf", "stdout"],
    ),
}
PIPED = b'<SYSTEM title="x">\n<SPEAKER id="s">\n<PATH id="(s-1)" sequence="0">\nC,"a","a"\n</PATH>\n</SPEAKER>\n</SYSTEM>\n'


@pytest.fixture(scope="module")
def ours() -> Ours:
    return shared_ours()


def outcome(
    ours: Ours, folder: Path, arguments: list[str]
) -> tuple[int | None, bytes, Mapping[str, bytes]]:
    """Status, standard output without dates, and the files written."""
    work, streams = folder / "work", folder / "streams"
    (work / "out").mkdir(parents=True)
    streams.mkdir()
    for name, content in FILES.items():
        (work / name).write_bytes(content)
    (streams / "stdin").write_bytes(PIPED)
    done = run_in(ours, arguments, work, streams)
    assert b"Traceback" not in done.stderr, done.stderr
    dates = re.compile(rb"\w{3} \w{3} +\d+ \d+:\d+:\d+ \d{4}")
    return done.status, dates.sub(b"", done.stdout), done.files


def test_the_usage_text_names_all_options() -> None:
    scanned = set(re.findall(r'"(--?\w+)": ', inspect.getsource(sclite_options)))
    assert set(OPTION.findall(usage("sclite"))) == scanned == set(EXERCISES)


@each_case("option", sorted(EXERCISES))
def test_every_option_does_something(ours: Ours, tmp_path: Path, option: str) -> None:
    if option == "--plots":
        pytest.importorskip("matplotlib")
    without, given = EXERCISES[option]
    plain = outcome(ours, tmp_path / "without", without)
    status, output, files = outcome(ours, tmp_path / "with", given)
    assert status == 0
    assert (output, files) != plain[1:]
    assert output or files


@each_case("word", re.findall(r"[a-z.]+", "sum rsum pralign prf all sgml nl.sgml lur snt spk dtl utt"))  # fmt: skip
def test_every_report_is_made(ours: Ours, tmp_path: Path, word: str) -> None:
    status, output, files = outcome(ours, tmp_path / "run", [*STM, "-f", "0", "-o", word])
    assert (status, output) == (0, b"")
    assert files
    assert all(files.values())


@each_case("argument", ["-x", "--help", "-", "-rr", "-R"])
def test_anything_else_is_refused(ours: Ours, tmp_path: Path, argument: str) -> None:
    status, output, files = outcome(ours, tmp_path / "run", [*TRN, argument])
    assert (status, output) == (1, f"Illegal argument: {argument}\n".encode())
    assert files == {}


@pytest.mark.parametrize(
    ("text", "number"),
    [("9" * 30, 2**31 - 1), ("-" + "9" * 5000, -(2**31)), ("0" * 5000 + "7x", 7), ("+3", 3)],
)
def test_numbers_beyond_those_of_c(text: str, number: int) -> None:
    assert leading_number(text) == number


@pytest.mark.parametrize("flag", ["--jobs", "--width", "--replications", "--seed"])
def test_numbers_beyond_64_bits_are_usage_errors(
    flag: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "r.trn"
    path.write_text("a b (s-1)\n")
    assert run_scoring(["wer", str(path), str(path), flag, "9" * 30]) == 2
    assert wrong_value(flag, "expected a whole number from") in capsys.readouterr().err
