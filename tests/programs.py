"""Commands as tests run them: in this process, or in a process of their own."""

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any

import pytest

from formats.console.command_line import CommandTable
from formats.console.command_parser import ARGUMENT, CommandParser
from formats.schema.messages import Message
from scoring.cli.scoring import main
from scoring.model.combinations import refusals
from tests.forks import shared_forks

ROOT = Path(__file__).resolve().parents[1]


def python(command: str, *words: object, **options: Any) -> subprocess.CompletedProcess[Any]:
    """Run Python on a command, cut at blanks, and further words; output is captured by default.

    It imports the packages of this checkout.
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    defaults = {"env": environment, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    line = [sys.executable, *command.split(), *map(str, words)]
    return subprocess.run(line, **{**defaults, "check": False, **options})


def forked(
    folder: Path,
    *words: str,
    stdin: bytes = b"",
    function: str = "",
    environment: Mapping[str, str] = os.environ,
) -> subprocess.CompletedProcess[bytes]:
    """Run Python on a module and its words, in a folder and as a fork of a process that knows our packages.

    Of the module a function is called, or all is run as a program.
    """
    if sys.platform != "linux":
        command = "-m"
        if function:
            command, words = "-c", (f"from {words[0]} import {function} as run\nrun()", *words[1:])
        own = {**environment, "PYTHONPATH": str(ROOT)}
        return python(command, *words, cwd=folder, input=stdin, env=own)
    with TemporaryFile() as given, TemporaryFile() as output, TemporaryFile() as errors:
        given.write(stdin)
        given.seek(0)
        streams = {number: file.fileno() for number, file in enumerate((given, output, errors))}
        status = shared_forks().run(words, folder, streams, function, environment)
        output.seek(0)
        errors.seek(0)
        return subprocess.CompletedProcess([*words], status, output.read(), errors.read())


def told(capture: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Exit status, output and error output of `scoring` in this process."""
    status = main(arguments)
    output, errors = capture.readouterr()
    return status, output, errors


def printed(capture: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The output of a command that ends with 0."""
    status, output, _ = told(capture, *arguments)
    assert status == 0
    return output


def refused(capture: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The error output of a command that ends with 2 and prints nothing."""
    status, output, errors = told(capture, *arguments)
    assert (status, output) == (2, "")
    return errors


def wrong_value(option: str, problem: str) -> str:
    """What a command says of a value that an option does not take, up to the problem's end."""
    text = str(Message(ARGUMENT, {"option": option, "problem": problem}))
    return text[: text.index(problem) + len(problem)]


def apart(**features: str) -> str:
    """What a command says of two features of the table that cannot go together, as typed."""
    return str(next(refusals(features)))


class FoundError(Exception):
    """A command's parser, about to parse."""


def line_of(call: Callable[[], object]) -> tuple[CommandTable, bool]:
    """The table of arguments that a command uses, and whether files may stand between options."""

    def stop(self: CommandTable, _words: object, *, intermixed: bool = False) -> None:
        raise FoundError(self, intermixed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CommandTable, "ordinary", stop)
        with pytest.raises(FoundError) as found:
            call()
    line, intermixed = found.value.args
    return line, intermixed


def parser_of(call: Callable[[], object]) -> CommandParser:
    """The parser that a command uses."""

    def stop(self: CommandTable | CommandParser, *_: object, **__: object) -> None:
        raise FoundError(self.parser() if isinstance(self, CommandTable) else self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(CommandTable, "ordinary", stop)
        for verb in ("parse_args", "parse_known_args", "parse_intermixed_args"):
            patch.setattr(CommandParser, verb, stop)
        with pytest.raises(FoundError) as found:
            call()
    parser: CommandParser = found.value.args[0]
    return parser
