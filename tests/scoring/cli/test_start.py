"""Installed commands from their first import on: an interruption there leaves no traceback."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from scoring.alignment.kernel import IMPLEMENTATION
from tests.console import console_scripts
from tests.each_case import each_case

ROOT = Path(__file__).parents[3]
DEMO = ROOT / "resources" / "demo"
REFERENCE, BASELINE = str(DEMO / "reference.trn"), str(DEMO / "baseline.trn")
# Modules that short runs do without; each takes up to a fifth of a run.
UNNEEDED = {
    *("argparse", "ast", "contextlib", "copyreg", "csv", "dataclasses", "decimal", "difflib"),
    *("enum", "fnmatch", "fractions", "functools", "gettext", "importlib", "inspect", "json"),
    *("locale", "logging", "lxml", "msgspec", "multiprocessing", "numbers", "numpy", "pathlib"),
    *("random", "re", "regex", "shutil", "signal", "statistics", "string", "struct", "subprocess"),
    *("tempfile", "textwrap", "threading", "typing", "unicodedata", "warnings", "weakref"),
}
NOT_FOR_SCLITE = {
    *("array", "collections", "contextvars", "errno", "keyword", "operator", "reprlib"),
    *("formats.schema.errors", "formats.schema.messages"),
    "scoring.alignment.network",
}
# Files are written with messages of what may fail.
NOT_FOR_REPORTS = NOT_FOR_SCLITE - {"errno", "formats.schema.errors", "formats.schema.messages"}
# What a run of `scoring wer` without tables, files and remarks does without, too.
NOT_FOR_WER = {
    *("array", "bisect", "collections", "contextvars", "errno", "hashlib", "keyword", "math"),
    *("operator", "reprlib"),
    *("formats.kaldi", "formats.schema.remarks", "scoring.alignment.texts"),
    *("scoring.cli.messages", "scoring.cli.nist_reports", "scoring.nist"),
    *("formats.detection.data_kinds", "formats.detection.line_shapes", "formats.schema.plugins"),
    *("formats.console.terminal", "formats.detection.json_beginnings", "formats.detection.rules"),
    *("formats._native", "formats.nist.markup"),
    *("formats.nist.markdown_text", "formats.nist.txt_remarks", "formats.reading.data_texts"),
    *("formats.io.messages", "formats.nist.messages", "formats.reading.marks"),
    *("formats.reading.document_heads", "formats.reading.part_titles", "formats.reading.speakers"),
    *("scoring.drawing.blocks", "scoring.pages.messages"),
    *("scoring.drawing.forms", "scoring.drawing.text", "scoring.nist.transcripts"),
    *("scoring.results.groups", "scoring.results.hashes", "scoring.results.value_order"),
    *("scoring.sides.matching.outcome", "scoring.sides.messages"),
}
# Interrupts the process when the first module of a command is looked for.
INTERRUPTED = """
import os, signal, sys

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name.startswith(("scoring.cli.", "scoring.serve")) and name != "scoring.cli.start":
            os.kill(os.getpid(), signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
"""
ENTRIES = sorted(set(console_scripts().values()))


def run(code: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@each_case(("module", "function"), ENTRIES, ids=lambda value: value)
def test_an_interruption_while_a_command_is_loaded(module: str, function: str) -> None:
    done = run(f"{INTERRUPTED}\nfrom {module} import {function} as command\ncommand()")
    assert (done.stdout, done.stderr) == ("", "")
    # shells report 130
    assert done.returncode == -signal.SIGINT


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_an_interruption_that_is_ignored_stays_so() -> None:
    code = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\n"
    code += f"{INTERRUPTED}\nfrom scoring.cli.start import scoring as command\ncommand()"
    done = run(code, "--version")
    assert done.stdout.startswith("sclite-kit ")
    assert (done.stderr, done.returncode) == ("", 0)


@pytest.mark.skipif(IMPLEMENTATION == "plain", reason="the plain core loads more")
@pytest.mark.parametrize(
    ("program", "arguments", "shown", "used", "unused"),
    [
        (
            "sclite",
            ["-r", REFERENCE, "-h", BASELINE, "-i", "rm"],
            "Successful Completion",
            "scoring.nist.session",
            NOT_FOR_SCLITE,
        ),
        (
            "sclite",
            ["-r", REFERENCE, "-h", BASELINE, "-i", "rm", "-o", "all", "-O", "{folder}"],
            "Successful Completion",
            "scoring.nist.report.alignments",
            NOT_FOR_REPORTS,
        ),
        (
            "scoring",
            ["wer", "{folder}/reference.trn", "{folder}/hypothesis.trn"],
            "%WER ",
            "scoring.cli.wer",
            NOT_FOR_WER | {"scoring.score.messages"},
        ),
        (
            "scoring",
            ["wer", "{folder}/reference.txt", "{folder}/hypothesis.txt"],
            "%WER ",
            "scoring.cli.wer",
            NOT_FOR_WER,
        ),
    ],
    ids=["sclite", "sclite -o all", "wer", "wer of texts"],
)
def test_a_short_run_loads_few_modules(
    program: str, arguments: list[str], shown: str, used: str, unused: set[str], tmp_path: Path
) -> None:
    """What the environment itself loads does not count."""
    for side, words in (("reference", "cat sat"), ("hypothesis", "cat sad")):
        (tmp_path / f"{side}.txt").write_text(f"the {words}\non the mat\n")
        (tmp_path / f"{side}.trn").write_text(f"the {words} (a-1)\non the mat (a-2)\n")
    code = """
import os, sys
sys.path.insert(0, ROOT)
before = set(sys.modules)
os._exit = lambda status: print(status, *sorted(set(sys.modules) - before), file=sys.stderr)
from scoring.cli.start import PROGRAM
PROGRAM()
"""
    code = code.replace("ROOT", repr(str(ROOT))).replace("PROGRAM", program)
    named = [argument.format(folder=tmp_path) for argument in arguments]
    command = [sys.executable, "-S", "-c", code, *named]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=120)
    assert shown in done.stdout
    status, *loaded = done.stderr.splitlines()[-1].split()
    assert status == "0"
    assert used in loaded
    assert (UNNEEDED | unused).intersection(loaded) == set()


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
@each_case("number", [signal.SIGTERM, signal.SIGHUP])
@each_case("files", [0, 1, 40])
@each_case("module", ["nist.sclite", "scoring"])
def test_a_signal_ends_a_program_and_removes_files(
    number: signal.Signals, files: int, module: str, tmp_path: Path
) -> None:
    """A process that the program has started removes none; the core has no room for 40 files."""
    code = """
import os, sys, time
from formats.io.temporary import create_beside
import scoring.cli.MODULE as program

def main():
    paths = [create_beside(sys.argv[3])[0] for _ in range(int(sys.argv[4]))]
    child = os.fork()
    if child:
        assert os.waitpid(child, 0)[1]
        assert all(map(os.path.exists, paths))
    try:
        os.kill(os.getpid(), int(sys.argv[2]))
        time.sleep(60)
    except SystemExit:
        for path in paths if child else ():
            os.unlink(path)
        raise

program.main = main
program.run()
"""
    code = code.replace("MODULE", module)
    command = [sys.executable, "-c", code, "wer", str(int(number)), str(tmp_path / "report")]
    done = subprocess.run(
        [*command, str(files)],
        capture_output=True,
        text=True,
        cwd=ROOT,
        timeout=120,
        # whoever started the tests may ignore the signal
        preexec_fn=lambda: signal.signal(number, signal.SIG_DFL),
    )
    assert (done.returncode, done.stdout, done.stderr) == (128 + number, "", "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Unix")
def test_a_signal_that_is_ignored_does_not_end_sclite() -> None:
    code = """
import os, signal, sys
signal.signal(signal.SIGHUP, signal.SIG_IGN)
import scoring.cli.nist.sclite as program
program.main = lambda: os.kill(os.getpid(), signal.SIGHUP) or 7
program.run()
"""
    assert run(code).returncode == 7


def test_commands_are_interrupted_as_before_once_they_run() -> None:
    code = """
import signal
import scoring.cli.scoring as target
from scoring.cli.start import scoring as command
target.run = lambda: print(signal.getsignal(signal.SIGINT) is signal.default_int_handler)
command()
"""
    assert run(code).stdout == "True\n"


@pytest.mark.parametrize(
    ("name", "text"), [("sclite", "sclite: <OPTIONS>"), ("x", "usage: scoring")]
)
def test_the_program_is_the_one_that_the_process_is_called_by(name: str, text: str) -> None:
    code = f"import sys; sys.argv = [{name!r}, '--help']\n"
    code += "from scoring.cli.start import main; main()"
    assert run(code).stdout.startswith(text)
