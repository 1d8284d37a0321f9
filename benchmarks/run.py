"""Run the benchmarks and print one table: our figures, those of other programs, and the bounds.

    python benchmarks/run.py [--quick] [--rows NAME,NAME] [--repeat N]

Both sides of a row run alternately, so that a slow or busy machine slows both: only the ratio
counts. The file README.md in this folder explains the table.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks import commands, keywords, meetings, peers, reading
from benchmarks.processes import Comparison, compared, original, peak_of, peak_of_caller
from benchmarks.rows import (
    FOLDER,
    MEGABYTE,
    Criterion,
    Row,
    Settings,
    corpus,
    figure_rows,
    megabytes,
    peak,
    seconds,
    table,
    times,
    versions,
    within,
)


class Measured(NamedTuple):
    """The seconds of the yardstick and of our function, a remark, and the peak bytes of each."""

    yardstick: float | None = None
    ours: float | None = None
    remark: str = ""
    peaks: tuple[float | None, float | None] = (None, None)

    def row(self, work: str, yardstick: str, at_least: Criterion, aim: Criterion) -> Row:
        """Return the row for these figures."""
        figures = (self.yardstick, self.ours)
        return Row(work, yardstick, at_least, aim, *figures, remark=self.remark, peaks=self.peaks)


def library(
    settings: Settings, work: str, pairs: int, words: int, errors: float, runs: int = 1
) -> Measured:
    """Measure one function with `library.py`; each side has a separate process for its memory."""
    command = [sys.executable, str(FOLDER / "library.py"), work, "--pairs", str(pairs)]
    command += ["--words", str(words), "--errors", str(errors)]
    return both_sides(settings, command, runs if pairs > 1 else 10)


def both_sides(settings: Settings, command: Sequence[str], runs: int) -> Measured:
    """Measure both sides of a comparison with a program that prints them as JSON."""
    repeat = str(runs * settings.repeat)
    finished = subprocess.run([*command, "--repeat", repeat], capture_output=True, text=True)
    if finished.returncode != 0:
        lines = finished.stderr.strip().splitlines()
        return Measured(remark=lines[-1] if lines else f"status {finished.returncode}")
    result = json.loads(finished.stdout)
    remark = "; ".join(result["remarks"])
    return Measured(result["yardstick"], result["ours"], remark, peaks(settings, command, result))


def peaks(
    settings: Settings, command: Sequence[str], result: Mapping[str, object]
) -> tuple[float | None, float | None]:
    """Measure the peak memory of each side in bytes; `None` for a missing side.

    Each side runs in a separate process.
    """
    theirs, ours = (
        None
        if result[side] is None
        else peak_of([*command, "--repeat", "1", "--only", side], settings.directory)
        for side in ("yardstick", "ours")
    )
    return theirs, ours


def pair_rows(
    work: str,
    name: str,
    yardstick: str,
    *bounds: Criterion,
    most: int = 100_000,
    words: int = 20,
    runs: int = 1,
) -> Callable[[Settings], list[Row]]:
    """Return a benchmark of a library function with many pairs."""

    def rows(settings: Settings) -> list[Row]:
        pairs = settings.size(most, 10_000)
        found = library(settings, work, pairs, words, 0.1, runs)
        at_least, aim = bounds
        return [found.row(f"{name}, {pairs:,} pairs", yardstick, at_least, aim)]

    return rows


def peer_rows(name: str) -> Callable[[Settings], list[Row]]:
    """Return the benchmarks of a group of comparisons with other libraries: processor time."""
    group = peers.GROUPS[name]

    def rows(settings: Settings) -> list[Row]:
        found = []
        for number, peer in enumerate(group.peers):
            command = [sys.executable, str(FOLDER / "peers.py"), name, str(number)]
            texts = "one text" if group.pairs == 1 else f"{group.pairs:,} pairs"
            work = f"{peer.ours}, {texts} of {group.words:,} words: processor time"
            bounds = times(peer.least), times(2 * peer.least)
            found.append(both_sides(settings, command, 3).row(work, peer.theirs, *bounds))
        return found

    return rows


def long_library(settings: Settings) -> list[Row]:
    """Measure a library function with one long pair, against the original sclite and rapidfuzz."""
    words = settings.size(6000, 2000)
    both = library(settings, "long-align", 1, words, 0.2)
    work = f"scoring.align, one pair of {words:,} words, 20 % errors"
    program = original()
    found = None
    if program is not None:
        folder = corpus(settings, 1, words, 0.2, even=False)
        command = (*program, *commands.SCLITE)
        found = compared(None, command, folder, settings.repeat).ours
    return [
        Row(
            *(work, "sctk sclite", times(500), times(1000), seconds(found), both.ours),
            peaks=(peak(found), both.peaks[1]),
        ),
        both.row(work, "rapidfuzz editops", times(1), times(2)),
    ]


def bootstrapping(settings: Settings) -> list[Row]:
    """Measure an error rate with its interval, computed from lists of words."""
    pairs = 2620
    found = library(settings, "bootstrap", pairs, 20, 0.1)
    work = f"scoring.confidence_interval, 10,000 replications, {pairs:,} pairs"
    return [found.row(work, "kaldialign bootstrap", times(10), times(12))]


def matching_labels(settings: Settings) -> list[Row]:
    """Measure the matching of labels by overlap in time, including the creation of the labels."""
    labels = settings.size(10_000, 2_000)
    found = library(settings, "match-labels", 1, labels, 0.1)
    work = f"BipartiteMatchingAligner, {labels:,} labels against as many"
    return [found.row(work, "none", within(1), within(0.5))]


def keyword_search(settings: Settings) -> list[Row]:
    """Measure a keyword search with every report: processor seconds and memory."""
    sizes = settings.size(1_000, 100), settings.size(100, 10), settings.size(1_000_000, 20_000)
    found = keywords.measured(keywords.Shape(*sizes), settings.repeat)
    work = "scoring kws, {:,} keywords, {:,} hours, {:,} detections".format(*sizes)
    most = keywords.MOST_BYTES / MEGABYTE
    bounds = (within(keywords.MOST_SECONDS), within(15)), (megabytes(most), megabytes(most / 2))
    return figure_rows(work, "none", Comparison(None, found), *bounds)


def meeting_rows(settings: Settings) -> list[Row]:
    """Measure error rates of meetings against meeteval, and diarisation against pyannote."""
    bounds = {"der": (times(2), times(4))}
    rows: list[Row] = []
    for name, speakers, length, _, _ in meetings.CASES:
        ours, theirs = (meetings.of_process(side, name) for side in meetings.SIDES)
        yardstick = "pyannote.metrics" if name == "der" else "meeteval"
        work = f"{name}, {speakers} speakers, {length / 60:g} minutes: processor time"
        pair = theirs.get("seconds"), ours.get("seconds")
        added = (side["megabytes"] * MEGABYTE if side else None for side in (theirs, ours))
        peaks = next(added), next(added)
        remark = "" if theirs.get("errors") == ours["errors"] else "the errors differ"
        if not theirs:
            remark = f"{yardstick} is not there"
        at_least, aim = bounds.get(name, (times(6), times(10)))
        rows.append(Row(work, yardstick, at_least, aim, *pair, remark=remark, peaks=peaks))
    return rows


def reading_rows(name: str, at_least: Criterion, aim: Criterion) -> Callable[[Settings], list[Row]]:
    """Return a benchmark of one of our readers, against another library's reader of the file."""

    def rows(settings: Settings) -> list[Row]:
        words = settings.size(100_000, 20_000)
        path = settings.directory / f"talk-{name}.{name.partition('-')[0]}"
        command = [sys.executable, str(FOLDER / "reading.py"), name]
        subprocess.run([*command, "--words", str(words), "--write", str(path)], check=True)
        command += ["--file", str(path)]
        timed = [*command, "--repeat", str(settings.repeat)]
        finished = subprocess.run(timed, capture_output=True, text=True, check=True)
        result = json.loads(finished.stdout)
        both = result["yardstick"], result["ours"], result["remark"]
        found = Measured(*both, peaks(settings, command, result))
        work = f"formats.read of {name}, {words:,} words: processor time"
        return [found.row(work, reading.YARDSTICKS[name][0], at_least, aim)]

    return rows


# How many times as fast as its yardstick a reader is at least, and is meant to be.
READERS = {
    "nemo": (0.5, 1),
    "aws": (0.45, 0.5),
    "whisper": (0.4, 0.5),
    "rttm": (2, 3),
    "rttm-overlaps": (2, 3),
    "ctm": (4, 5),
    "stm": (2, 5),
    "srt": (3, 4),
    "vtt": (3, 4),
    "textgrid": (3, 5),
}

ROWS: dict[str, Callable[[Settings], list[Row]]] = {
    "large": commands.whole_large,
    "medium": commands.whole_medium,
    "timed": commands.whole_timed,
    "characters": commands.whole_characters,
    "time-mediated": commands.whole_time_mediated,
    "start": commands.start_up,
    "html": commands.html_page(100_000, ((8, 4), (400, 200), (8, 4))),
    "html-large": commands.html_page(1_000_000, ((80, 40), (2000, 1000), (80, 40))),
    "sgml": commands.alignments_read,
    "plain": commands.normalised_table,
    "filters": commands.filtering,
    "hubscr": commands.hub_chain,
    "overlap": commands.overlapping,
    "rover": commands.voting,
    "diarisation": commands.diarisation,
    "long": commands.whole_long,
    "long-library": long_library,
    "huge": commands.whole_huge,
    "wer-trn": commands.plain_files("trn"),
    "wer-kaldi": commands.plain_files("kaldi"),
    "compare": commands.comparison,
    "choices": commands.choices,
    "forms": commands.written_forms,
    "timed-files": commands.timed_files,
    "align-batch": pair_rows(
        "align-batch", "scoring.align_batch", "kaldialign align", times(8), times(12)
    ),
    "align-calls": pair_rows(
        "align-calls", "scoring.align call by call", "kaldialign align", times(2), times(4)
    ),
    "counts-batch": pair_rows(
        "counts-batch",
        "scoring.edit_distance_batch",
        "kaldialign edit_distance",
        times(8),
        times(12),
    ),
    "counts-columns": pair_rows(
        "counts-columns",
        "scoring.edit_distance_batch of two Arrow columns",
        "kaldialign edit_distance on lists",
        times(10),
        times(30),
    ),
    "table": pair_rows(
        "table",
        "scoring.score_columns of a table: processor time",
        "jiwer process_words on lists",
        times(20),
        times(40),
    ),
    "counts-calls": pair_rows(
        "counts-calls",
        "scoring.edit_distance call by call",
        "kaldialign edit_distance",
        times(2),
        times(4),
    ),
    "unit-counts": pair_rows(
        "unit-counts",
        "scoring.edit_distance_batch, unit costs",
        "rapidfuzz distance",
        times(1),
        times(2),
    ),
    "sentences": pair_rows(
        "sentences", "scoring.wer, sentences", "jiwer process_words", times(10), times(15)
    ),
    "unit-calls": pair_rows(
        "unit-calls",
        "scoring.edit_distance call by call, unit costs",
        "rapidfuzz distance",
        times(0.5),
        times(1),
    ),
    "wer-calls": pair_rows(
        "wer-calls",
        "scoring.wer of two texts, call by call",
        "jiwer wer",
        times(1),
        times(2),
        most=10_000,
    ),
    "cer-calls": pair_rows(
        "cer-calls",
        "scoring.cer of two texts, call by call",
        "jiwer cer",
        times(1),
        times(2),
        most=10_000,
    ),
    "cer-lists": pair_rows(
        "cer-lists",
        "scoring.cer of lists: processor time",
        "rapidfuzz distance in a loop",
        times(1),
        times(2),
        most=200_000,
        runs=5,
    ),
    "words": pair_rows(
        "words",
        "scoring.wer of lists: processor time",
        "universal-edit-distance",
        times(1),
        times(2),
        runs=5,
    ),
    "compat-jiwer": pair_rows(
        "compat-jiwer",
        "compat.jiwer.wer of lists: processor time",
        "our scoring.wer",
        times(1),
        times(1),
    ),
    "several": pair_rows(
        "several",
        "scoring.wer with five references of ten words as a network",
        "kaldialign edit_distance with each",
        times(1),
        times(2),
        words=10,
    ),
    "bootstrap": bootstrapping,
    "match-labels": matching_labels,
    "meetings": meeting_rows,
    "keyword-search": keyword_search,
    **{name: peer_rows(name) for name in peers.GROUPS},
    **{
        f"read-{name}": reading_rows(name, times(at_least), times(aim))
        for name, (at_least, aim) in READERS.items()
    },
}


SMALL = 40 * MEGABYTE
"""What this program needs at most: a process that it starts seems to need at least as much."""


def main(words: Sequence[str] | None = None) -> int:
    """Measure the chosen rows; return 1 if a bound is not met."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--quick", action="store_true", help="smaller sizes, for a first look")
    options.add_argument("--rows", default=",".join(ROWS), help=f"of {', '.join(ROWS)}")
    options.add_argument("--repeat", type=int, default=3, help="runs of each side (default 3)")
    arguments = options.parse_args(words)
    chosen = arguments.rows.split(",")
    unknown = sorted({*chosen} - {*ROWS})
    if unknown or arguments.repeat < 1:
        options.error(f"no such row: {', '.join(unknown)}" if unknown else "--repeat is below 1")
    rows: list[Row] = []
    with tempfile.TemporaryDirectory(prefix="sclite-benchmark-") as place:
        settings = Settings(Path(place), arguments.repeat, arguments.quick)
        for name in chosen:
            print(f"measuring {name} …", file=sys.stderr, flush=True)
            rows += ROWS[name](settings)
            if (own := peak_of_caller()) > SMALL:
                remark = f"the row left this program with a peak of {own // MEGABYTE} MB"
                print(f"{name}: {remark}: so have the rows below", file=sys.stderr)
    print(table(rows))
    print(f"\n{versions()}")
    if arguments.quick:
        print("\nA quick run: the bounds are meant for larger works.")
        return 0
    return int(any(row.verdict == "not met" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
