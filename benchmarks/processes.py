"""Measurement of the time and the peak memory of whole processes."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from resource import RUSAGE_SELF, getrusage
from statistics import median
from time import perf_counter

ROOT = Path(__file__).resolve().parents[1]
# What the installed `sclite` script runs, without depending on an installation.
OURS = (
    sys.executable,
    "-c",
    "from scoring.cli.start import sclite; sclite()",
)
BARE = (sys.executable, "-c", "pass")
UNIT_OF_PEAKS = 1 if sys.platform == "darwin" else 1024
IMPORT = (sys.executable, "-c", "import scoring")


class ProcessFailedError(Exception):
    """A measured process ended with a status other than 0."""


@dataclass(frozen=True)
class Sample:
    """The measurement of a process: elapsed and processor seconds, peak memory in bytes."""

    seconds: float
    processor: float
    peak: int


def original(name: str = "sclite") -> tuple[str, ...] | None:
    """Return the command of a program in Debian's package of SCTK; `None` if it is missing."""
    from tests.judge import judge

    program = judge(name)
    return None if program is None else (program,)


def sample(command: Sequence[str], directory: Path) -> Sample:
    """Run a command once, and measure it.

    The peak memory of a process includes that of the process that forked it. The caller must
    therefore stay small: corpora are created, and library functions measured, in other processes.
    """
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "LC_ALL": "C"}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # what is installed is compiled
    with open(directory / "stderr", "wb") as stderr:
        start = perf_counter()
        process = subprocess.Popen(
            command,
            cwd=directory,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=stderr,
        )
        _, state, usage = os.wait4(process.pid, 0)
        elapsed = perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(state)
    if process.returncode != 0:
        lines = (directory / "stderr").read_text("utf-8", "replace").strip().splitlines()
        raise ProcessFailedError(
            f"status {process.returncode}: {lines[-1] if lines else 'no message'}"
        )
    return Sample(elapsed, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * UNIT_OF_PEAKS)


def peak_of_caller() -> int:
    """Return the peak memory of this process in bytes; no sample has less."""
    return getrusage(RUSAGE_SELF).ru_maxrss * UNIT_OF_PEAKS


@dataclass(frozen=True)
class Comparison:
    """The medians of two commands that ran alternately.

    A side is `None` if it is missing or failed. The yardstick is the command with which ours is
    compared.
    """

    yardstick: Sample | None
    ours: Sample | None
    remark: str = ""


def middle(samples: Sequence[Sample]) -> Sample | None:
    """Return the medians of times and peak memory; `None` without samples."""
    if not samples:
        return None
    return Sample(
        median(one.seconds for one in samples),
        median(one.processor for one in samples),
        int(median(one.peak for one in samples)),
    )


def compared(
    yardstick: Sequence[str] | None, ours: Sequence[str], directory: Path, repeat: int
) -> Comparison:
    """Run both commands alternately, `repeat` times each; without a yardstick, run only ours."""
    sides: list[Sequence[str] | None] = [yardstick, ours]
    samples: list[list[Sample]] = [[], []]
    remarks: list[str] = []
    for _ in range(repeat):
        for position, command in enumerate(sides):
            if command is None:
                continue
            try:
                samples[position].append(sample(command, directory))
            except ProcessFailedError as problem:
                remarks.append(f"{'ours' if position else 'yardstick'}: {problem}")
                sides[position] = None
    return Comparison(middle(samples[0]), middle(samples[1]), "; ".join(remarks))


def peak_of(command: Sequence[str], directory: Path) -> float | None:
    """Run a command; return its peak memory in bytes, or `None` if it failed."""
    found = compared(None, command, directory, 1).ours
    return None if found is None else float(found.peak)
