"""Running sc_stats: the original as a process under limits, ours in a fork of this process."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import tempfile
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.judge import judge
from tests.judges.sc_stats.generate import Case
from tests.judges.sclite.case import read_files

SECONDS = 10
LARGEST_FILE = 20_000_000  # bytes: the original can write without end
OWN_MARK = b"sc_stats: warning: "
USAGE_START = b"sc_stats: <OPTIONS>"


@dataclass(frozen=True)
class Outcome:
    """What a run left behind; a negative status is a signal, None means it was stopped."""

    status: int | None
    stdout: bytes
    stderr: bytes
    files: Mapping[str, bytes]

    @property
    def crashed(self) -> bool:
        """Whether it did not end by itself."""
        return self.status is None or self.status < 0

    def parts(self) -> dict[str, bytes]:
        """All there is to compare, by name; what only we say is left out."""
        kept = [
            line for line in self.stderr.splitlines(keepends=True) if not line.startswith(OWN_MARK)
        ]
        streams = {
            "<status>": b"%d" % (-1 if self.status is None else self.status),
            "<stdout>": self.stdout,
            "<stderr>": without_usage(b"".join(kept)),
        }
        return {**self.files, **streams}


def without_usage(stderr: bytes) -> bytes:
    """Cut the usage text, whose wording is each program's own; its last line is the message."""
    begin = stderr.find(USAGE_START)
    if begin < 0:
        return stderr
    end = stderr.rfind(b"\nsc_stats: ")
    return stderr[:begin] + (stderr[end + 1 :] if end > begin else b"")


def run_original(case: Case) -> Outcome:
    """Debian's sc_stats."""
    program = judge("sc_stats")
    if program is None:
        raise FileNotFoundError("sctk is not installed: there is no judge")

    def execute(directory: Path, streams: Path) -> int | None:
        with (
            open(streams / "stdin", "rb") as stdin,
            open(streams / "stdout", "wb") as stdout,
            open(streams / "stderr", "wb") as stderr,
        ):
            try:
                done = subprocess.run(
                    [program, *case.arguments],
                    cwd=directory,
                    stdin=stdin,
                    stdout=stdout,
                    stderr=stderr,
                    env={"LC_ALL": "C", "TZ": "UTC"},
                    timeout=2 * SECONDS,
                    preexec_fn=limit,
                )
            except subprocess.TimeoutExpired:
                return None
        stopped = (-signal.SIGXCPU, -signal.SIGXFSZ, -signal.SIGKILL)
        return None if done.returncode in stopped else done.returncode

    return _run(case, execute)


def limit() -> None:
    """Bound the time and the output of the process about to start."""
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (LARGEST_FILE, LARGEST_FILE))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_ours(case: Case) -> Outcome:
    """Our sc_stats."""
    import scoring.cli.sc_stats  # noqa: F401 loaded once, for all forks

    def execute(directory: Path, streams: Path) -> int | None:
        child = os.fork()
        if child == 0:
            _be_sc_stats(case.arguments, directory, streams)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])

    return _run(case, execute)


def _be_sc_stats(arguments: Sequence[str], directory: Path, streams: Path) -> None:
    status = 99
    try:
        signal.setitimer(signal.ITIMER_PROF, 6 * SECONDS)
        for descriptor, name, flags in (
            (0, "stdin", os.O_RDONLY),
            (1, "stdout", os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
            (2, "stderr", os.O_WRONLY | os.O_CREAT | os.O_TRUNC),
        ):
            os.dup2(os.open(streams / name, flags, 0o644), descriptor)
        sys.stdin = open(0, encoding="latin-1", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="latin-1", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="latin-1", closefd=False)  # noqa: SIM115
        os.chdir(directory)
        from scoring.cli.sc_stats import main

        status = main(list(arguments))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status)


def _run(case: Case, execute: Callable[[Path, Path], int | None]) -> Outcome:
    with tempfile.TemporaryDirectory(prefix="sc_stats-case-") as place:
        directory, streams = Path(place, "work"), Path(place, "streams")
        (directory / "dir").mkdir(parents=True)
        streams.mkdir()
        (streams / "stdin").write_bytes(case.stdin)
        status = execute(directory, streams)
        return Outcome(
            status,
            (streams / "stdout").read_bytes(),
            (streams / "stderr").read_bytes(),
            read_files(directory),
        )
