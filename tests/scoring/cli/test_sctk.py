"""The launcher that runs NIST's programs by one name, and that it is not taken for the original's."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from scoring.cli.nist.sctk import PROGRAMS
from tests.judge import _of_sctk, judge

ROOT = Path(__file__).resolve().parents[3]
LAUNCHER = f"#!{sys.executable}\nfrom scoring.cli.nist.sctk import run\nrun()\n"


OTHERS = ("KWSEval", "compute-wer", "compute-wer-bootci", "align-text")


@pytest.fixture
def launcher(tmp_path: Path) -> Path:
    path = tmp_path / "bin" / "sctk"
    path.parent.mkdir()
    path.write_text(LAUNCHER, "utf-8")
    path.chmod(0o755)
    return path


def ran(launcher: Path, *arguments: str, stdin: bytes = b"") -> tuple[int, bytes, bytes]:
    done = subprocess.run(
        [launcher, *arguments],
        cwd=launcher.parent,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        input=stdin,
        capture_output=True,
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


def test_it_runs_the_programs(launcher: Path) -> None:
    for name, text in (("r", "a b (s-1)\n"), ("h", "a c (s-1)\n")):
        (launcher.parent / name).write_text(text, "utf-8")
    scored = ran(launcher, "sclite", "-r", "r", "-h", "h", "-i", "spu_id", "-o", "sgml", "stdout")
    assert scored[::2] == (0, b"")
    assert b'C,"a","a":S,"b","c"' in scored[1]
    alignments = scored[1][scored[1].index(b"<SYSTEM") :].partition(b"</SYSTEM>\n")
    compared = ran(
        launcher, "sc_stats", "-p", "-r", "es", "-n", "-", stdin=b"".join(alignments[:2])
    )
    assert compared[0] == 0
    assert b"50.0" in compared[1]
    assert ran(launcher, "rover")[0] == 1


def test_a_name_that_is_none_is_an_error(launcher: Path) -> None:
    status, output, said = ran(launcher, "nothing")
    assert (status, output) == (1, b"")
    known = ", ".join(PROGRAMS)
    expected = (
        f"sctk: expected one of {known}, install, path, help, found 'nothing'\nsee sctk help\n"
    )
    assert said.decode() == expected


def test_a_name_that_was_meant_is_told(launcher: Path) -> None:
    status, _, said = ran(launcher, "sclit")
    assert status == 1
    assert said.endswith(b"found 'sclit' (did you mean sclite?)\nsee sctk help\n")


def test_a_name_may_lack_its_ending(launcher: Path) -> None:
    for name in ("hubscr", "hubscr.pl"):
        assert ran(launcher, name, "sortCTM", stdin=b"f A 1\nf A 0\n") == (
            0,
            b"f A 0\nf A 1\n",
            b"",
        )


def test_they_are_installed_into_a_folder_and_taken_away(launcher: Path) -> None:
    folder = launcher.parent / "new" / "bin"
    kept = launcher.parent / "new" / "bin" / "rover.before-sclite-kit"
    folder.mkdir(parents=True)
    (folder / "rover").write_bytes(b"original")
    install = ("install", "--into", str(folder))
    planned = ran(launcher, *install, "--dry-run")
    assert os.listdir(folder) == ["rover"]
    assert ran(launcher, *install) == (0, planned[1].replace(b"would write", b"wrote"), b"")
    assert {*os.listdir(folder)} == {*PROGRAMS, *OTHERS, kept.name}
    done = subprocess.run(
        [folder / "hubscr.pl", "sortCTM"], input=b"f A 1\nf A 0\n", capture_output=True, env={}
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"f A 0\nf A 1\n", b"")
    assert ran(launcher, *install, "--undo")[0] == 0
    assert [path.read_bytes() for path in folder.iterdir()] == [b"original"]
    assert ran(launcher, "install")[0] == 2


def test_programs_of_other_packages_are_installed_beside_other_files(launcher: Path) -> None:
    folder = launcher.parent / "tools"
    folder.mkdir()
    (folder / "mine").write_bytes(b"mine")
    install = ("install", "--into", str(folder))
    assert ran(launcher, *install)[0] == 0
    for name, line in (("r", "u a b\n"), ("h", "u a c\n")):
        (launcher.parent / name).write_text(line, "utf-8")
    texts = [f"ark:{launcher.parent / name}" for name in "rh"]
    done = subprocess.run([folder / "compute-wer", *texts], capture_output=True, env={})
    assert done.stdout.startswith(b"%WER 50.00 [ 1 / 2, 0 ins, 0 del, 1 sub ]")
    assert ran(launcher, *install, "--undo")[0] == 0
    assert [path.read_bytes() for path in folder.iterdir()] == [b"mine"]


@pytest.mark.parametrize("name", OTHERS)
def test_a_program_of_another_package_is_not_replaced(launcher: Path, name: str) -> None:
    foreign = launcher.parent / "tools" / name
    foreign.parent.mkdir()
    foreign.write_bytes(b"foreign")
    status, output, said = ran(launcher, "install", "--into", str(foreign.parent))
    assert (status, output) == (2, b"")
    expected = f"{foreign}: expected no file or one of ours, found another program\n"
    assert said.decode().endswith(expected)
    assert os.listdir(foreign.parent) == [name]


@pytest.mark.skipif(sys.platform == "win32", reason="pipes end otherwise there")
def test_a_reader_that_has_gone_ends_an_installation_quietly(launcher: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    done = subprocess.run(
        [launcher, "install", "--into", launcher.parent / "new"],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=writer,
        stderr=subprocess.PIPE,
    )
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_help_goes_to_standard_output(launcher: Path) -> None:
    for arguments in ((), ("help",)):
        status, output, said = ran(launcher, *arguments)
        assert (status, said) == (0, b"")
        assert all(name in output for name in (b"sclite", b"sc_stats", b"rover"))
    _, output, said = ran(launcher, "help", "sclite")
    assert b"-r FILE" in output
    assert said == b""


def test_path_is_where_the_programs_are(launcher: Path) -> None:
    assert ran(launcher, "path") == (0, os.fsencode(launcher.parent) + b"\n", b"")


def test_our_launcher_is_not_taken_for_the_judge(
    launcher: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(launcher.parent))
    # other tests have asked before: their answer is kept
    monkeypatch.setattr("tests.judge._of_sctk", _of_sctk.__wrapped__)
    assert judge.__wrapped__("sclite") is None
