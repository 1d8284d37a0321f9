"""Benchmark of readers: microseconds of processor time per record, by family of formats.

    python benchmarks/families.py [FAMILY …]

For each format whose contract tests have a long file, the program reads this file and prints the
time per record. It also prints the ratio to the fastest reader of the family that has the same kind
of records: words with times, segments, times without words, or words without times. If words with
times are in segments, a segment of the file has ten words.

The ratio to the fastest reader of the whole family is also printed, and the words per record,
because a cue of three words may take longer than a cue of one word.
"""

from __future__ import annotations

import argparse
import gc
import sys
import time
from io import BytesIO
from itertools import chain
from multiprocessing import get_context
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import formats
from tests.formats.case import TOGETHER, Case
from tests.formats.test_contract import CASES, FAMILIES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from formats import Transcript

NAMES = (
    *("nist", "kaldi", "tiers", "labels", "tools", "tables", "corpora", "subtitles", "captions"),
    *("meetings", "recognisers", "aligners", "services", "keywords"),
)
BOUND = 2.0


class Speed(NamedTuple):
    """The microseconds per record of a format, the words per record and the kind of records."""

    name: str
    microseconds: float
    words: float
    record: str


def speeds(name: str, repeat: int) -> list[Speed]:
    """Measure a format: its segments, its words with times, or both."""
    gc.collect()
    gc.freeze()  # the collector is to look at what is read, not at all that tests import
    return list(_speeds(next(case for case in CASES if case.name == name), repeat))


def _speeds(case: Case, repeat: int) -> Iterator[Speed]:
    if case.line is not None:
        with TemporaryDirectory() as folder:
            data, options = case.long(Path(folder))
            seconds, found = fastest(case, data, options, repeat)
        is_timed = any(segment.starts_ns is not None for segment in found)
        if not (is_timed and case.utterance):
            record = "timed word" if is_timed else "words"
            record = "segment" if len(found) > case.records / 2 else record
            words = sum(len(segment.words) for segment in found)
            record = record if words else "stretch of time"
            yield Speed(case.name, seconds / case.records * 1e6, words / case.records, record)
    if case.utterance is not None:
        data = case.packed(case.utterance, case.records // TOGETHER)
        seconds, found = fastest(case, data, dict(case.read_options), repeat)
        words = sum(len(segment.words) for segment in found)
        yield Speed(case.name, seconds / words * 1e6, 1.0, "timed word")


def fastest(
    case: Case, data: bytes, options: dict[str, Any], repeat: int
) -> tuple[float, Transcript]:
    """Read a file several times; return the seconds of the fastest run, and the transcript."""
    best = float("inf")
    for _ in range(repeat):
        begin = time.process_time()
        found = formats.read(BytesIO(data), case.name, recording="rec", **options)
        best = min(best, time.process_time() - begin)
    return best, found


def main() -> None:
    """Measure and print the table.

    A mark shows a reader beyond the bound; the status is always 0.
    """
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(NAMES))
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    unknown = set(arguments.families) - set(NAMES)
    if unknown:
        parser.error(f"no such family: {', '.join(sorted(unknown))}")
    print("| family | a record is a | format | µs | words | of the same | of all | |")
    print("|---|---|---|---|---|---|---|---|")
    # Each in a process of its own, as a command reads: none uses again the memory of another.
    with get_context("spawn").Pool(1, maxtasksperchild=1) as pool:
        for family, module in zip(NAMES, FAMILIES, strict=True):
            if not arguments.families or family in arguments.families:
                tasks = [(case.name, arguments.repeat) for case in module.CASES]
                found = pool.starmap(speeds, tasks, chunksize=1)
                show(family, list(chain.from_iterable(found)))


def show(family: str, found: Sequence[Speed]) -> None:
    """Print the rows of one family."""
    for record in sorted({one.record for one in found}):
        alike = sorted((one for one in found if one.record == record), key=lambda one: one[1])
        for one in alike:
            ratio = one.microseconds / alike[0].microseconds
            of_all = one.microseconds / min(other.microseconds for other in found)
            row = (family, record, one.name, f"{one.microseconds:.1f}", f"{one.words:.1f}")
            mark = "beyond" if ratio > BOUND else ""
            print(f"| {' | '.join(row)} | {ratio:.1f}x | {of_all:.1f}x | {mark} |", flush=True)


if __name__ == "__main__":
    main()
