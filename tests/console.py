"""The console sessions of a page: commands with what is shown below them."""

import configparser
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from doctest import ELLIPSIS, OutputChecker
from functools import cache
from pathlib import Path

from formats.schema import VERSION
from tests.forks import Forks

ROOT = Path(__file__).resolve().parents[1]
OF_SHELL = re.compile(r"[^\w ./:,@%+='\"-]")
"""What a shell reads otherwise than a list of words."""


def console_steps(text: str) -> Iterator[tuple[str, str]]:
    """Each command, its continued lines joined, with the lines that follow it."""
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        joined = block.replace("\\\n", "")
        for step in re.split(r"^\$ ", joined, flags=re.MULTILINE)[1:]:
            command, _, shown = step.partition("\n")
            yield command, shown


@cache
def console_scripts() -> dict[str, tuple[str, str]]:
    """The programs that are installed: module and function by name."""
    settings = configparser.ConfigParser()
    settings.read(ROOT / "setup.cfg")
    lines = settings["options.entry_points"]["console_scripts"].split("\n")
    scripts = (line.partition("=") for line in lines if line)
    return {
        name.strip(): (place.strip().split(":")[0], place.strip().split(":")[1])
        for name, _, place in scripts
    }


def session_environment() -> dict[str, str]:
    """The environment of commands, apart from the folders in which programs are found."""
    environment = {name: value for name, value in os.environ.items() if name[:7] != "GITHUB_"}
    environment |= {"PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
    environment.pop("PYTHONWARNINGS", None)
    # what is printed may wait for what others print, as it does for users
    environment.pop("PYTHONUNBUFFERED", None)
    return environment


def script_of(module: str, function: str) -> str:
    """The text of an installed program."""
    return (
        f"#!{sys.executable}\nimport sys\nfrom {module} import {function}\nsys.exit({function}())\n"
    )


def run_sessions(
    page: Path,
    folder: Path,
    files: Path | None = None,
    forks: Forks | None = None,
) -> int:
    """Run the commands of a page, one after the other, among copies of files; how many there were.

    They find all programs, and `resources` in the place they are in unless the page copies it; what they put into `/tmp`
    goes into `folder`. `cat FILE`, of a file that is not there, tells what it holds.
    `...` stands for anything. A command may end otherwise than with 0 if `echo $?` follows, or if
    it prints where in a file an error is. Programs run in `forks` if there are
    any; a command of one program and plain words then needs no shell.
    """
    work, programs, temporary = (folder / name for name in ("work", "programs", "tmp"))
    for made in (work, programs, temporary):
        made.mkdir()
    if files is not None:
        shutil.copytree(files, work, dirs_exist_ok=True)
    if "\n$ scoring docs --resources\n" not in page.read_text("utf-8"):
        (work / "resources").symlink_to(ROOT / "resources")
    program_of = forks.client if forks else script_of
    for name, (module, function) in console_scripts().items():
        (programs / name).write_text(program_of(module, function))
    (programs / "python").write_text(f"#!/bin/sh\nexec '{sys.executable}' \"$@\"\n")
    for program in programs.iterdir():
        program.chmod(0o755)
    path = f"{programs}:{os.environ['PATH']}"
    environment = session_environment() | {"PATH": path}
    status, commands = 0, 0
    for command, told in console_steps(page.read_text("utf-8")):
        expected = re.sub(r"(?<=\|v:)[\d.]+", VERSION, told)
        if command == "echo $?":
            assert expected == f"{status}\n"
            status = 0
            continue
        assert status == 0, f"the command before: {command}"
        told_file = re.fullmatch(r"cat ([\w./-]+)", command)
        if told_file and not (work / told_file[1]).exists():
            (work / told_file[1]).parent.mkdir(parents=True, exist_ok=True)
            (work / told_file[1]).write_text(told, "utf-8")
            continue
        if command.startswith("PATH=$PWD/"):
            first = work / command.partition("/")[2].partition(":")[0]
            environment["PATH"] = f"{first}:{path}"
            continue
        line = command.replace("/tmp/", f"{temporary}/")
        name, *words = [""] if OF_SHELL.search(line) else shlex.split(line)
        with tempfile.TemporaryFile() as printed:
            if forks and name in console_scripts() and environment["PATH"] == path:
                arguments = [str(programs / name), *words]
                place = console_scripts()[name]
                code = forks.call(place, arguments, work, environment, printed.fileno())
            else:
                code = subprocess.run(
                    ["/bin/sh", "-c", line],
                    cwd=work,
                    env=environment,
                    stdout=printed,
                    stderr=subprocess.STDOUT,
                    check=False,
                ).returncode
            printed.seek(0)
            shown = printed.read()
        status = 0 if re.match(r"scoring: error: [\w.]+:\d+: ", told) else code
        output = shown.decode("utf-8").replace(f"{temporary}/", "/tmp/")
        assert OutputChecker().check_output(expected, output, ELLIPSIS), f"{command}\n{output}"
        commands += 1
    assert status == 0
    return commands
