"""Installed commands from their first import on: an interruption there leaves no traceback."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.console import console_scripts

ROOT = Path(__file__).parents[3]
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
@pytest.mark.parametrize(("module", "function"), ENTRIES, ids=lambda value: value)
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
