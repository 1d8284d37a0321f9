"""The rows of the table of benchmarks. A row has a task, the figures of both sides, and the bounds.

The yardstick is the program or library with which ours is compared. A figure is a time in seconds
or a size in bytes.
"""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TypeAlias

from benchmarks.processes import Comparison, Sample
from formats.schema import VERSION

FOLDER = Path(__file__).resolve().parent
MEGABYTE = 1_000_000

LONGEST_REMARK = 200


@dataclass(frozen=True)
class Criterion:
    """A bound on our figure. It may depend on the yardstick's figure."""

    text: str
    met: Callable[[float, float], bool]  # yardstick, ours
    needs_yardstick: bool = True


def times(factor: float) -> Criterion:
    """Require that our figure is at most the yardstick's figure divided by `factor`."""
    text = "as good" if factor == 1 else f"{factor:g}x" if factor > 1 else f"{1 / factor:g}x slower"
    return Criterion(text, lambda yardstick, ours: ours * factor <= yardstick)


def plus(milliseconds: float) -> Criterion:
    """Require that our time is at most the yardstick's time plus `milliseconds`."""
    return Criterion(
        f"+ {milliseconds:g} ms", lambda yardstick, ours: ours <= yardstick + milliseconds / 1000
    )


def under(bound: float, text: str) -> Criterion:
    """Require that our figure is at most `bound`."""
    return Criterion(text, lambda _, ours: ours <= bound, needs_yardstick=False)


Bounds: TypeAlias = tuple["Criterion", "Criterion"]  # at least, aim
ANY = Criterion("-", lambda _, ours: True, needs_yardstick=False)


@dataclass(frozen=True)
class Row:
    """A row of the table. Figures are seconds, or bytes if `memory` is true."""

    work: str
    yardstick: str
    at_least: Criterion
    aim: Criterion
    yardstick_value: float | None
    our_value: float | None
    memory: bool = False
    remark: str = ""
    peaks: tuple[float | None, float | None] = (None, None)  # bytes of either process

    def judged(self, criterion: Criterion) -> bool | None:
        """Return whether the criterion is met; `None` if a figure is missing."""
        if self.our_value is None:
            return None
        if self.yardstick_value is None:
            return criterion.met(0.0, self.our_value) if not criterion.needs_yardstick else None
        return criterion.met(self.yardstick_value, self.our_value)

    @property
    def verdict(self) -> str:
        """The result: `aim met`, `met`, `not met` or `not measured`; `shown` without a bound."""
        at_least, aim = self.judged(self.at_least), self.judged(self.aim)
        if at_least is None:
            return "not measured"
        if not at_least:
            return "not met"
        if self.aim is ANY:
            return "shown"
        return "aim met" if aim else "met"

    @property
    def ratio(self) -> str:
        """The yardstick's figure divided by ours, as text; ``-`` if one is missing."""
        if self.yardstick_value is None or not self.our_value:
            return "-"
        return f"{self.yardstick_value / self.our_value:.2f}x"

    def figure(self, value: float | None) -> str:
        """Format a figure with its unit."""
        if value is None:
            return "-"
        if self.memory:
            return f"{value / MEGABYTE:.0f} MB"
        return f"{value:.2f} s" if value >= 1 else f"{value * 1000:.2f} ms"

    def cells(self) -> list[str]:
        """Return the texts of the row, in the order of `HEADINGS`."""
        figures = [self.figure(self.yardstick_value), self.figure(self.our_value)]
        peaks = ["-" if peak is None else f"{peak / MEGABYTE:.0f} MB" for peak in self.peaks]
        bounds = [self.at_least.text, self.aim.text]
        return [self.work, self.yardstick, *figures, self.ratio, *peaks, *bounds, self.verdict]


HEADINGS = ["work", "yardstick", "its figure", "ours", "ratio", "its memory", "our memory"]
HEADINGS += ["at least", "aim", "verdict"]


def seconds(sample: Sample | None) -> float | None:
    """Return the elapsed seconds of a process; `None` if it did not run."""
    return None if sample is None else sample.seconds


def peak(sample: Sample | None) -> float | None:
    """Return the peak memory of a process in bytes; `None` if it did not run."""
    return None if sample is None else float(sample.peak)


def processor(sample: Sample | None) -> float | None:
    """Return the processor seconds of a process; `None` if it did not run."""
    return None if sample is None else sample.processor


def megabytes(bound: float) -> Criterion:
    """Require that our memory, or the size of our file, is at most `bound` megabytes."""
    return under(bound * MEGABYTE, f"{bound:g} MB")


def within(bound: float) -> Criterion:
    """Require that our time is at most `bound` seconds."""
    return under(bound, f"{bound:g} s")


def figure_rows(
    work: str,
    yardstick: str,
    found: Comparison,
    time: Bounds,
    memory: Bounds = (ANY, ANY),
    clock: Callable[[Sample | None], float | None] = processor,
) -> list[Row]:
    """Return a row for the time of two commands; if memory has bounds, also a row for memory."""
    times_of = clock(found.yardstick), clock(found.ours)
    peaks = peak(found.yardstick), peak(found.ours)
    name = f"{work}: processor time" if clock is processor else work
    rows = [Row(name, yardstick, *time, *times_of, remark=found.remark, peaks=peaks)]
    if memory != (ANY, ANY):
        rows.append(Row(f"{work}: peak memory", yardstick, *memory, *peaks, memory=True))
    return rows


@dataclass(frozen=True)
class Settings:
    """The settings of a run of the benchmarks: folder, repetitions, and whether it is quick."""

    directory: Path
    repeat: int
    quick: bool

    def size(self, number: int, quick: int) -> int:
        """Return the size of a task: `quick` in a quick run, otherwise `number`."""
        return quick if self.quick else number


def corpus(
    settings: Settings,
    utterances: int,
    words: int,
    errors: float,
    even: bool,
    formats: str = "trn",
) -> Path:
    """Return a folder with files of a corpus of this shape, which another process has created."""
    folder = settings.directory / f"{utterances}x{words}x{errors}-{formats}"
    if not folder.exists():
        command = [sys.executable, str(FOLDER / "corpus.py"), str(folder), "--formats", formats]
        command += ["--utterances", str(utterances), "--words", str(words)]
        command += ["--errors", str(errors), "--speakers", str(min(50, utterances))]
        subprocess.run(command + ([] if even else ["--same-length"]), check=True)
    return folder


def table(rows: Sequence[Row]) -> str:
    """Return the rows under their headings; remarks follow the table."""
    cells = [HEADINGS, *[row.cells() for row in rows]]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEADINGS))]
    lines = [
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in cells
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    remarks = [f"{row.work}: {row.remark[:LONGEST_REMARK]}" for row in rows if row.remark]
    return "\n".join([*lines, *([""] if remarks else []), *remarks])


PEERS = (
    *("jiwer", "kaldialign", "rapidfuzz", "universal-edit-distance", "meeteval"),
    *("werpy", "editdistance", "edit-distance", "texterrors", "torchmetrics"),
    *("pyannote.metrics", "pysubs2", "webvtt-py", "praatio", "msgspec", "numpy", "pyarrow"),
)
"""Packages whose versions may decide a ratio: other programs, and what ours is built on."""


def versions() -> str:
    """Return a line with the versions of both sides' programs and the load of the machine."""
    known = [f"Python {platform.python_version()}", f"sclite-kit {VERSION}"]
    asked = subprocess.run(
        ["sh", "-c", "dpkg-query -W -f '${Version}' sctk"], capture_output=True, text=True
    )
    if asked.returncode == 0:
        known.append(f"sctk {asked.stdout}")
    for name in PEERS:
        try:
            known.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    load = f"{os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    return f"versions: {', '.join(known)}; load of the machine at the end: {load}"
