"""Alignments through a pipe: `-p` writes them, `-P` reads them back."""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.each_case import each_case
from tests.judge import MISSING, judge
from tests.judges.frame import ENVIRONMENT, limited
from tests.judges.sclite.case import read_files
from tests.judges.sclite.compare import translated, without_dates, without_own_words, without_usage
from tests.judges.sclite.generate import cases
from tests.judges.sclite.programs import Original, our_environment, run_case
from tests.tables import table_of

ROOT = Path(__file__).resolve().parents[3]
DEMO = ROOT / "resources" / "demo"
OURS = [sys.executable, "-m", "scoring.cli.nist.sclite"]
NOT_OF_THE_FIRST_RUN = {"-o", "-C", "-O", "-n", "-f", "-l", "-p"}
REPORTS = ["sum", "rsum", "pra", "prf", "sgml", "nl.sgml", "snt", "spk", "dtl", "lur", "stdout"]


def run(
    command: list[str], folder: Path, given: bytes, environment: dict[str, str]
) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        limited(command),
        cwd=folder,
        input=given,
        env=environment,
        capture_output=True,
        timeout=300,
        check=False,
    )


def ours(folder: Path, *arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    environment = our_environment(os.environ.get("SCORING_ALIGN", "native"))
    return run([*OURS, *arguments], folder, given, environment)


def demo(*arguments: str) -> list[str]:
    files = ["-r", str(DEMO / "reference.stm"), "stm"]
    for system in ("baseline", "improved"):
        files += ["-h", str(DEMO / f"{system}.ctm"), "ctm", system]
    return [*files, "-D", *arguments]


@pytest.mark.parametrize("first", [["-o", "sgml", "stdout"], ["-o", "none", "-p"]])
def test_reports_are_those_of_a_single_run(tmp_path: Path, first: list[str]) -> None:
    aligned = ours(tmp_path, *demo(*first))
    assert (aligned.returncode, aligned.stderr) == (0, b"")
    reports = ["-o", "sum", "rsum", "pra", "dtl", "spk", "stdout"]
    direct = ours(tmp_path, *demo(*reports))
    piped = ours(tmp_path, "-P", *reports, given=aligned.stdout)
    assert (piped.returncode, piped.stderr) == (0, b"")
    assert piped.stdout == direct.stdout
    assert piped.stdout.count(b"SYSTEM SUMMARY") == 4


def test_files_are_called_after_the_titles(tmp_path: Path) -> None:
    aligned = ours(tmp_path, *demo("-o", "sgml", "stdout"))
    piped = ours(tmp_path, "-P", "-o", "sum", given=aligned.stdout)
    assert piped.stdout == (
        b"sclite: 2.10 TK Version 1.3\nLoading Piped input. . . 2 systems loaded.\n"
        b"    Writing scoring report to 'baseline.sys'\n"
        b"    Writing scoring report to 'improved.sys'\n\nSuccessful Completion\n"
    )
    assert sorted(read_files(tmp_path)) == ["baseline.sys", "improved.sys"]


def test_a_pipe_and_files_are_scored_one_after_the_other(tmp_path: Path) -> None:
    """The original crashes here."""
    aligned = ours(tmp_path, *demo("-o", "sgml", "stdout"))
    both = ours(tmp_path, "-P", *demo("-o", "sum", "-O", "."), given=aligned.stdout)
    assert (both.returncode, both.stdout.count(b"Begin alignment")) == (0, 2)
    assert sorted(read_files(tmp_path)) == [
        "baseline.ctm.sys", "baseline.sys", "improved.ctm.sys", "improved.sys",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (b"<SYSTEM>\n", b"Error: load_SCORES_sgml Unable to parse SGML tag '<SYSTEM>\n'\nload_SCORES_sgml Failed\n"),
        (b'<SPEAKER id="s">\n', b"Error: load_SCORES_sgml SPEAKER tag '<SPEAKER id=\"s\">\n' found outside of SYSTEM tag\nload_SCORES_sgml Failed\n"),
    ],
)  # fmt: skip
def test_malformed_input(tmp_path: Path, given: bytes, error: bytes) -> None:
    piped = ours(tmp_path, "-P", "-o", "sum", "-f", "0", given=given)
    assert (piped.returncode, piped.stdout, piped.stderr) == (1, b"", error)
    assert read_files(tmp_path) == {}


def test_nothing_in_the_pipe(tmp_path: Path) -> None:
    piped = ours(tmp_path, "-P", "-o", "sum", given=b"")
    assert (piped.returncode, piped.stderr) == (0, b"")
    assert b"0 systems loaded" in piped.stdout


@each_case(("arguments", "error"), table_of(__file__, "refusals"))
def test_refusals(tmp_path: Path, arguments: list[str], error: bytes) -> None:
    done = ours(tmp_path, *arguments)
    assert (done.returncode, done.stdout) == (1, b"")
    assert done.stderr.endswith(b"\nsclite: Error, " + error + b"\n\n")


def damaged(text: bytes, source: random.Random) -> bytes:
    """Now and then a line lost, added or changed."""
    lines = text.split(b"\n")
    place = source.randrange(len(lines))
    chance = source.random()
    if chance < 0.04:
        del lines[place]
    elif chance < 0.08:
        extra = [b"", b'<X y="1">', b"</>", b"junk", b"</S>", b'<LABEL id="a" title="b" desc="c">']
        lines.insert(place, source.choice(extra))
    elif chance < 0.12 and lines[place]:
        line = bytearray(lines[place])
        line[source.randrange(len(line))] = source.choice(b'",:<> =+ABMT')
        lines[place] = bytes(line)
    return b"\n".join(lines)


def piped_inputs(seed: int, count: int) -> Iterator[bytes]:
    """What the original writes for random input, damaged now and then."""
    source = random.Random(seed)
    for case in cases(["trn", "stm", "ctm"], seed, count):
        options = [option for option in case.options if option[0] not in NOT_OF_THE_FIRST_RUN]
        options.append(("-o", "sgml", "stdout", "-f", "0"))
        aligned = run_case(Original(), replace(case, options=tuple(options)))
        if aligned.status == 0 and aligned.stdout.startswith(b"<SYSTEM"):
            yield damaged(aligned.stdout, source)


@pytest.mark.skipif(judge("sclite") is None, reason=MISSING)
def test_differs_from_the_original_in_nothing(tmp_path: Path) -> None:
    judge = Original().command
    source = random.Random(8)
    judged = 0
    for number, given in enumerate(piped_inputs(8, 12)):
        arguments = ["-P", "-o", *source.sample(REPORTS, source.randint(1, 5))]
        arguments += ["-f", str(source.choice([0, 1, 2]))]
        outcomes = []
        for name, command, environment in (
            ("original", judge, ENVIRONMENT),
            ("ours", OURS, our_environment("native")),
        ):
            folder = tmp_path / f"{name}{number}"
            (folder / "sub").mkdir(parents=True)
            (folder / "out" / "deep").mkdir(parents=True)
            done = run([*command, *arguments], folder, given, environment)
            outcomes.append((done, read_files(folder)))
        (truth, expected), (found, files) = outcomes
        if truth.returncode < 0:  # a crash judges nothing
            assert found.returncode in (0, 1)
            continue
        judged += 1
        assert found.returncode == truth.returncode, given
        assert without_dates(found.stdout) == translated("<stdout>", truth.stdout)
        assert without_own_words(without_usage(found.stderr), truth.stderr) == without_usage(
            truth.stderr
        )
        assert {name: without_dates(content) for name, content in files.items()} == {
            name: translated(name, content) for name, content in expected.items()
        }
    assert judged >= 8


@each_case("word", [b'D,"x\xff",', b'S,"c","x\xff"', b'I,,"x\xff"'])
@each_case("report", ["pralign", "prf", "snt"])
def test_words_that_are_no_utf_8_end_the_reports_that_change_their_case(
    tmp_path: Path, word: bytes, report: str
) -> None:
    """Status and error are the original's; it leaves half a report."""
    given = (
        b'<SYSTEM title="h" ref_fname="r" hyp_fname="h" creation_date="none" format="2.4" '
        b'frag_corr="FALSE" opt_del="FALSE" weight_ali="FALSE" weight_filename="">\n'
        b'<SPEAKER id="s">\n<PATH id="(s-1)" word_cnt="2" sequence="0">\n'
        b'C,"a","a":%b\n</PATH>\n</SPEAKER>\n</SYSTEM>\n' % word
    )
    arguments = ["-P", "-e", "utf-8", "-o", report, "-O", ".", "-n", "n"]
    done = ours(tmp_path, *arguments, given=given)
    message = b"Error: UTF-8 parsing of character size failed. first char ff \xff\n"
    assert (done.returncode, done.stderr) == (1, message)
    assert not [*tmp_path.iterdir()]
    original = judge("sclite")
    if original is not None:
        truth = run([original, *arguments], tmp_path, given, ENVIRONMENT)
        assert (truth.returncode, truth.stderr) == (1, message)


def test_remarks_on_null_words_precede_the_alignments(tmp_path: Path) -> None:
    (tmp_path / "ref.trn").write_text("dirozi nerotule dirozi @ (0zz_0)\nmugo (0zz_1)\n")
    (tmp_path / "hyp.trn").write_text("ve dirozi nomo @ (0zz_0)\nmugo (0zz_1)\n")
    sides = ["-i", "wsj", "-w", "unity", "-r", "ref.trn", "-h", "hyp.trn"]
    remark = b"substition of to nulls\n"
    for level in (["-p"], ["-f", "0"], ["-f", "1"]):  # as of the original
        assert ours(tmp_path, *sides, *level).stdout.count(remark) == 1
    assert ours(tmp_path, *sides, "-p").stdout.startswith(remark + b"<SYSTEM ")
