"""The rows of the table: a work, the figures of both sides, and the bounds."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from benchmarks.processes import Comparison, Sample

FOLDER = Path(__file__).resolve().parent
MEGABYTE = 1_000_000

LONGEST_REMARK = 200


@dataclass(frozen=True)
class Criterion:
    """A bound on our figure, possibly relative to the yardstick's."""

    text: str
    met: Callable[[float, float], bool]  # yardstick, ours
    needs_yardstick: bool = True


def times(factor: float) -> Criterion:
    """Our figure is at most the yardstick's divided by the factor."""
    text = "as good" if factor == 1 else f"{factor:g}x" if factor > 1 else f"{1 / factor:g}x slower"
    return Criterion(text, lambda yardstick, ours: ours * factor <= yardstick)


def plus(milliseconds: float) -> Criterion:
    """Our time is at most the yardstick's plus so many milliseconds."""
    return Criterion(
        f"+ {milliseconds:g} ms", lambda yardstick, ours: ours <= yardstick + milliseconds / 1000
    )


def under(bound: float, text: str) -> Criterion:
    """Our figure is at most the bound."""
    return Criterion(text, lambda _, ours: ours <= bound, needs_yardstick=False)


Bounds: TypeAlias = tuple["Criterion", "Criterion"]  # at least, aim
ANY = Criterion("-", lambda _, ours: True, needs_yardstick=False)


@dataclass(frozen=True)
class Row:
    """One line of the table: seconds, or bytes where `memory` is true."""

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
        """Whether the criterion is met; None if a figure is missing."""
        if self.our_value is None:
            return None
        if self.yardstick_value is None:
            return criterion.met(0.0, self.our_value) if not criterion.needs_yardstick else None
        return criterion.met(self.yardstick_value, self.our_value)

    @property
    def verdict(self) -> str:
        """One of `aim met`, `met`, `not met`, `not measured`; `shown` without a bound."""
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
        """How many times smaller our figure is."""
        if self.yardstick_value is None or not self.our_value:
            return "-"
        return f"{self.yardstick_value / self.our_value:.2f}x"

    def figure(self, value: float | None) -> str:
        """A figure with its unit."""
        if value is None:
            return "-"
        if self.memory:
            return f"{value / MEGABYTE:.0f} MB"
        return f"{value:.2f} s" if value >= 1 else f"{value * 1000:.2f} ms"

    def cells(self) -> list[str]:
        """The row's texts, in the order of `HEADINGS`."""
        figures = [self.figure(self.yardstick_value), self.figure(self.our_value)]
        peaks = ["-" if peak is None else f"{peak / MEGABYTE:.0f} MB" for peak in self.peaks]
        bounds = [self.at_least.text, self.aim.text]
        return [self.work, self.yardstick, *figures, self.ratio, *peaks, *bounds, self.verdict]


HEADINGS = ["work", "yardstick", "its figure", "ours", "ratio", "its memory", "our memory"]
HEADINGS += ["at least", "aim", "verdict"]


def seconds(sample: Sample | None) -> float | None:
    """The time of a process, if it ran."""
    return None if sample is None else sample.seconds


def peak(sample: Sample | None) -> float | None:
    """The memory of a process in bytes, if it ran."""
    return None if sample is None else float(sample.peak)


def processor(sample: Sample | None) -> float | None:
    """The processor time of a process, if it ran."""
    return None if sample is None else sample.processor


def megabytes(bound: float) -> Criterion:
    """Our memory, or the size of our file, is at most so many megabytes."""
    return under(bound * MEGABYTE, f"{bound:g} MB")


def within(bound: float) -> Criterion:
    """Our time is at most so many seconds."""
    return under(bound, f"{bound:g} s")


def figure_rows(
    work: str,
    yardstick: str,
    found: Comparison,
    time: Bounds,
    memory: Bounds = (ANY, ANY),
    clock: Callable[[Sample | None], float | None] = processor,
) -> list[Row]:
    """The time of two commands with the memory of either, and a row for memory that has bounds."""
    times_of = clock(found.yardstick), clock(found.ours)
    peaks = peak(found.yardstick), peak(found.ours)
    name = f"{work}: processor time" if clock is processor else work
    rows = [Row(name, yardstick, *time, *times_of, remark=found.remark, peaks=peaks)]
    if memory != (ANY, ANY):
        rows.append(Row(f"{work}: peak memory", yardstick, *memory, *peaks, memory=True))
    return rows


@dataclass(frozen=True)
class Settings:
    """Sizes and repetitions of one run of the benchmarks."""

    directory: Path
    repeat: int
    quick: bool

    def size(self, number: int, quick: int) -> int:
        """The size of a work, smaller in a quick run."""
        return quick if self.quick else number


def corpus(
    settings: Settings,
    utterances: int,
    words: int,
    errors: float,
    even: bool,
    formats: str = "trn",
) -> Path:
    """A folder with files of that shape, made by another process."""
    folder = settings.directory / f"{utterances}x{words}x{errors}-{formats}"
    if not folder.exists():
        command = [sys.executable, str(FOLDER / "corpus.py"), str(folder), "--formats", formats]
        command += ["--utterances", str(utterances), "--words", str(words)]
        command += ["--errors", str(errors), "--speakers", str(min(50, utterances))]
        subprocess.run(command + ([] if even else ["--same-length"]), check=True)
    return folder


def table(rows: Sequence[Row]) -> str:
    """The rows under their headings, remarks below."""
    cells = [HEADINGS, *[row.cells() for row in rows]]
    widths = [max(len(line[column]) for line in cells) for column in range(len(HEADINGS))]
    lines = [
        "  ".join(text.ljust(width) for text, width in zip(line, widths, strict=True)).rstrip()
        for line in cells
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    remarks = [f"{row.work}: {row.remark[:LONGEST_REMARK]}" for row in rows if row.remark]
    return "\n".join([*lines, *([""] if remarks else []), *remarks])
