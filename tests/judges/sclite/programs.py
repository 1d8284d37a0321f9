"""Running sclite: the original as a process under limits, ours in a forking worker."""

from __future__ import annotations

import atexit
import os
import subprocess
import sys
from collections.abc import Sequence
from functools import cache, partial
from pathlib import Path
from typing import IO, Protocol

from tests.judges.frame import ENVIRONMENT, original, run_limited, run_with
from tests.judges.sclite.case import Case, read_files
from tests.judges.sclite.compare import Outcome

ROOT = Path(__file__).resolve().parents[3]
SANITIZERS = ("LD_PRELOAD", "ASAN_OPTIONS", "UBSAN_OPTIONS", "PYTHONMALLOC")


class Program(Protocol):
    """Something that runs sclite in a directory."""

    def execute(self, arguments: Sequence[str], directory: Path, streams: Path) -> int | None:
        """Run with the arguments in `directory`; output goes to `streams`/stdout and /stderr."""


def run_case(program: Program, case: Case) -> Outcome:
    """Run a case in a directory of its own and collect all it wrote."""
    execute = partial(program.execute, case.arguments)
    return run_with(case.files, execute, folders=case.directories)


def run_in(program: Program, arguments: Sequence[str], directory: Path, streams: Path) -> Outcome:
    """Run in an existing directory; report the files that were not there before, or changed."""
    before = read_files(directory)
    status = program.execute(arguments, directory, streams)
    after = read_files(directory)
    written = {name: data for name, data in after.items() if before.get(name) != data}
    stdout = (streams / "stdout").read_bytes()
    return Outcome(status, stdout, (streams / "stderr").read_bytes(), written)


class Original:
    """Debian's sclite."""

    def __init__(self) -> None:
        self.command = [original("sclite")]

    def execute(self, arguments: Sequence[str], directory: Path, streams: Path) -> int | None:
        """Run the original under the limits."""
        return run_limited([*self.command, *arguments], directory, streams)


def our_environment(core: str) -> dict[str, str]:
    """The environment of our runs: this checkout first, the given alignment core.

    Sanitizers that watch the tests watch our runs, too (never those of the original).
    """
    watching = {name: os.environ[name] for name in SANITIZERS if name in os.environ}
    paths = [str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])]
    return {**ENVIRONMENT, **watching, "PYTHONPATH": os.pathsep.join(paths), "SCORING_ALIGN": core}


class Ours:
    """Our sclite in a worker that imports it once and forks for every run.

    A worker handles one run at a time; use one worker per thread. The core (`native` or `plain`)
    is chosen by the environment when the worker starts.
    """

    def __init__(self, core: str) -> None:
        worker = Path(__file__).with_name("worker.py")
        self._process = subprocess.Popen(
            [sys.executable, str(worker)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=our_environment(core),
        )

    def close(self) -> None:
        """End the worker."""
        self._process.kill()
        self._process.communicate()

    def execute(self, arguments: Sequence[str], directory: Path, streams: Path) -> int | None:
        """Run in a fork of the worker; `streams`/stdin is standard input, if it is there."""
        request = [str(directory), str(streams), *arguments]
        line = b"\0".join(os.fsencode(word) for word in request).hex() + "\n"
        pipe(self._process.stdin).write(line.encode("ascii"))
        pipe(self._process.stdin).flush()
        answer = pipe(self._process.stdout).readline()
        if not answer:
            raise RuntimeError("the worker that runs our sclite ended; its error is on stderr")
        return None if answer == b"stopped\n" else int(answer)


@cache
def shared_ours(core: str = os.environ.get("SCORING_ALIGN") or "native") -> Ours:
    """Our sclite, for as long as this process runs."""
    started = Ours(core)
    atexit.register(started.close)
    return started


def pipe(stream: IO[bytes] | None) -> IO[bytes]:
    """The stream of a process started with a pipe."""
    if stream is None:
        raise ValueError("the process was started without this pipe")
    return stream
