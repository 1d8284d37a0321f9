"""Commands in processes forked from one that has loaded the packages: they need not load them again.

A forked command has arguments, environment, folder and streams of its own, and ends as any process does. What is
shared is what Python does before: it starts, reads PYTHON… and SCORING_ALIGN, loads modules, and fills tables that are
made at their first use. A test of that starts Python itself.

`python -m tests.forks LISTENER` forks for each request that comes through this socket.
"""

import atexit
import contextlib
import gc
import importlib
import json
import os
import pkgutil
import runpy
import select
import signal
import socket
import subprocess
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any, NoReturn

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("formats", "scoring.cli", "scoring.pages")
LIBRARIES = (
    *("charset_normalizer", "importlib.metadata", "jinja2", "lxml.etree"),
    *("numpy.ma", "regex", "unicode_rbnf"),
)
"""What is loaded when it is needed."""
PAIRS = (
    ("reference.stm", "baseline.ctm"),
    ("reference.trn", "baseline.trn"),
    ("interview.TextGrid", "interview.json"),
    ("museum.srt", "museum_v1.json"),
)
"""Files of the demo: to score them compiles the patterns and fills the tables that most commands need."""
TALK = b"Ann: Shall we go?\nBen: Not yet, it rains.\n" * 3
"""A text: its formats have the most patterns."""
PATIENCE = 600
"""Seconds that a command may take."""
CLIENT = """\
#!{python} -IS
import json, os, socket, sys
environment = dict(os.environ)
if {{name: text for name, text in environment.items() if name.startswith(("PYTHON", "SCORING_"))}} != {fixed!r}:
    code = "import sys; from {module} import {function}; sys.exit({function}())"
    os.execv(sys.executable, [sys.executable, "-c", code, *sys.argv[1:]])
request = {{"module": {module!r}, "function": {function!r}, "words": sys.argv, "folder": os.getcwd()}}
with socket.socket(socket.AF_UNIX) as line:
    line.connect({address!r})
    socket.send_fds(line, [b" "], [0, 1, 2])
    line.sendall(json.dumps({{**request, "environment": environment, "streams": [0, 1, 2]}}).encode())
    line.shutdown(socket.SHUT_WR)
    sys.exit(int(line.recv(16) or 1))
"""
"""A program that runs in a fork with the streams that it was started with, unless the environment asks for more."""


class Forks:
    """A process that has loaded the packages, and forks for each command."""

    def __init__(self, environment: Mapping[str, str]) -> None:
        self._environment = {**environment, "PYTHONPATH": str(ROOT)}
        self._folder = tempfile.TemporaryDirectory()
        self._address = f"{self._folder.name}/socket"
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(self._address)
            listener.listen(64)
            number = os.dup(listener.fileno())
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "tests.forks", str(number)],
                env=self._environment,
                pass_fds=[number],
            )
        finally:
            os.close(number)

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()

    def client(self, module: str, function: str) -> str:
        """The text of a program that calls a function of a module in a fork."""
        kept = ("PYTHON", "SCORING_")
        fixed = {name: text for name, text in self._environment.items() if name.startswith(kept)}
        return CLIENT.format(
            python=sys.executable,
            address=self._address,
            module=module,
            function=function,
            fixed=fixed,
        )

    def run(
        self,
        words: Sequence[str],
        folder: Path,
        streams: Mapping[int, int],
        function: str = "",
        environment: Mapping[str, str] | None = None,
        closed: Sequence[int] = (),
    ) -> int:
        """Run `python -m WORDS`, or a function of this module, in a folder, with some of its streams.

        Streams that are `closed` are so as if they had been when Python started. Returns the exit
        status as a shell has it. What was patched in this process stays here.
        """
        request: dict[str, Any] = {"module": words[0], "words": words, "folder": str(folder)}
        request |= {"closed": [*closed]}
        request |= {"function": function} if function else {}
        request |= {"environment": dict(environment or self._environment)}
        return self._status(request, streams)

    def call(
        self,
        program: tuple[str, str],
        words: Sequence[str],
        folder: Path,
        environment: Mapping[str, str],
        output: int,
    ) -> int:
        """Call the module's function of a program in a folder, as the program of `client` does.

        Both streams of output go to the same place, and the input is empty.
        """
        module, function = program
        request = {"module": module, "function": function, "words": words, "folder": str(folder)}
        with open(os.devnull) as nothing:
            streams = {0: nothing.fileno(), 1: output, 2: output}
            return self._status({**request, "environment": dict(environment)}, streams)

    def _status(self, request: Mapping[str, Any], streams: Mapping[int, int]) -> int:
        """Ask for a command; its exit status."""
        request = {**request, "streams": list(streams)}
        with socket.socket(socket.AF_UNIX) as line:
            line.settimeout(PATIENCE)
            line.connect(self._address)
            socket.send_fds(line, [b" "], list(streams.values()))
            line.sendall(json.dumps(request).encode())
            line.shutdown(socket.SHUT_WR)
            return int(line.recv(16))


@cache
def shared_forks() -> Forks:
    """A process that forks, for as long as we run."""
    started = Forks(os.environ)
    atexit.register(started.close)
    return started


def load_packages() -> None:
    """Import and compute what commands need, so that no fork does it again."""
    for package in PACKAGES:
        root = importlib.import_module(package)
        for module in pkgutil.walk_packages(root.__path__, f"{package}."):
            if module.name.rpartition(".")[2] != "__main__":
                importlib.import_module(module.name)
    for library in LIBRARIES:
        importlib.import_module(library)
    score = importlib.import_module("scoring").wer
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for pair in PAIRS:
            steps = ("plain", "numbers") if pair == PAIRS[-1] else "plain"
            score(*(ROOT / "resources" / "demo" / name for name in pair), normalize=steps)
    importlib.import_module("formats").read(BytesIO(TALK))
    # the collector would copy all of it into each fork
    gc.collect()
    gc.freeze()


def fork() -> int:
    """Fork; threads of libraries, of which Python warns, wait for work."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        return os.fork()


def serve(listener: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """Return once for each request, in a process of its own, with the request and its streams."""
    parent = os.getppid()
    while True:
        while not select.select([listener], [], [], 1)[0]:
            if os.getppid() != parent:
                os._exit(0)
        line, _ = listener.accept()
        with line:
            if fork() == 0:
                listener.close()
                text, streams, _, _ = socket.recv_fds(line, 65536, 3)
                while piece := line.recv(65536):
                    text += piece
                child = fork()
                if child == 0:
                    return json.loads(text), streams
                _, status = os.waitpid(child, 0)
                code = os.waitstatus_to_exitcode(status)
                line.sendall(str(code if code >= 0 else 128 - code).encode())
                os._exit(0)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass


def close_stream(number: int) -> None:
    """Close a standard stream; Python has none in its place if it finds it closed at its start."""
    os.close(number)
    name = ("stdin", "stdout", "stderr")[number]
    setattr(sys, name, None)
    setattr(sys, f"__{name}__", None)


def run(request: dict[str, Any], streams: list[int]) -> None:
    """Run the command of a request."""
    for number, stream in zip(request["streams"], streams, strict=True):
        os.dup2(stream, number)
        os.close(stream)
    for number in request.get("closed", ()):
        close_stream(number)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    module = request["module"]
    sys.argv = request["words"]
    if "function" in request:
        sys.exit(getattr(importlib.import_module(module), request["function"])())
    sys.path[0] = request["folder"]
    if not hasattr(sys.modules.get(module), "__path__"):
        sys.modules.pop(module, None)
    runpy.run_module(module, run_name="__main__", alter_sys=True)


def leave(status: int) -> NoReturn:
    """Flush the output, and end a forked process at once."""
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status & 0xFF)


def call_with_files() -> NoReturn:
    """Call a function with arguments; its streams are files of a folder, in Latin-1.

    The words of this process are the function's module and name, the seconds that it may take, the
    folder, and its arguments.
    """
    _, module, function, seconds, folder, *arguments = sys.argv
    status, streams = 99, Path(folder)
    try:
        signal.setitimer(signal.ITIMER_PROF, int(seconds))  # of a processor, however busy it is
        stdin_path = streams / "stdin"
        os.dup2(os.open(stdin_path if stdin_path.exists() else os.devnull, os.O_RDONLY), 0)
        for descriptor, name in ((1, "stdout"), (2, "stderr")):
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            os.dup2(os.open(streams / name, flags, 0o644), descriptor)
        sys.stdin = open(0, encoding="latin-1", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="latin-1", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="latin-1", closefd=False)  # noqa: SIM115
        status = getattr(importlib.import_module(module), function)(arguments)
    except BaseException:
        traceback.print_exc()
    finally:
        leave(status)


def call_on_terminal() -> NoReturn:
    """Call a function with arguments, on a terminal.

    The words of this process are the function's module and name, whether messages have more words,
    and its arguments. The first line of progress appears without a delay. The terminal does not
    control this process: at the end of one that it controls, Linux drops what nobody has read.
    """
    from formats.cli import progress
    from tests.more_words import add_words

    _, module, function, has_words, *arguments = sys.argv
    status = 99
    try:
        sys.stdin = open(0, closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115
        progress.SHOWN_AFTER = progress.SECONDS_BETWEEN = 0.0
        with add_words() if has_words else contextlib.nullcontext():
            status = getattr(importlib.import_module(module), function)(arguments)
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        leave(status)


class Ending:
    """How a forked command ends: as Python lets it, but for freeing all that the packages hold.

    A fork would copy every page of it, which takes most of the time of a short command.
    """

    status: int | None = None

    def __init__(self) -> None:
        # what is registered first is called last
        atexit.register(self._leave)

    def run(self, command: Callable[[], None]) -> None:
        """Call a command, and note its status."""
        try:
            command()
            self.status = 0
        except SystemExit as leaving:
            # a text is printed by Python, which ends with 1
            self.status = 1
            if leaving.code is None or isinstance(leaving.code, int):
                self.status = leaving.code or 0
            raise

    def _leave(self) -> None:
        """End without freeing the packages, unless a signal, an error or a stream prevents it."""
        if self.status is not None:
            with contextlib.suppress(OSError, ValueError):
                for stream in (sys.stdout, sys.stderr):
                    if stream and not stream.closed:
                        stream.flush()
                os._exit(self.status & 0xFF)


def main() -> None:
    """Load the packages; then fork for each request."""
    ending = Ending()
    listener = socket.socket(fileno=int(sys.argv[1]))
    os.set_inheritable(listener.fileno(), False)
    load_packages()
    request, streams = serve(listener)
    ending.run(lambda: run(request, streams))


if __name__ == "__main__":
    main()
