"""Readers beside the fastest of their family: microseconds of a processor for each record.

    python benchmarks/families.py [FAMILY …]

reads the long file of the tests of contracts, for each format that has one, and prints what a
record takes, and how many times as much as one of the fastest of its kind in the family. Of one
kind are formats whose files are of one make (text, XML, JSON) and whose records give the same: a
segment, a segment of words with times, a word with times, or words alone. How it is beside the
fastest of the whole family is shown, too, and words a record, as a cue of three may take longer
than one.
"""

from __future__ import annotations

import argparse
import sys
import time
from io import BytesIO
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import formats
from formats.registry import by_name
from tests.formats.case import Case
from tests.formats.test_contract import FAMILIES

NAMES = (
    *("nist", "kaldi", "tiers", "labels", "tools", "tables", "corpora", "subtitles", "captions"),
    *("meetings", "recognisers", "aligners", "services", "keywords"),
)
BOUND = 2.0


class Speed(NamedTuple):
    """What a record of a format takes, in microseconds, with its words and what it gives."""

    name: str
    microseconds: float
    words: float
    gives: str


def speed(case: Case, repeat: int) -> Speed:
    """The least of some runs."""
    best, words, segments = float("inf"), 0, 0
    with TemporaryDirectory() as folder:
        data, options = case.long(Path(folder))
        for _ in range(repeat):
            begin = time.process_time()
            found = formats.read(BytesIO(data), case.name, recording="rec", **options)
            best = min(best, time.process_time() - begin)
            words, segments = sum(len(segment.words) for segment in found), len(found)
    is_timed = any(segment.starts_ns is not None for segment in found)
    gives = "timed words" if is_timed else "words"
    if segments > case.records / 2:
        gives = "segments of timed words" if is_timed else "segments"
    gives += f", {by_name(case.name).shape}"
    return Speed(case.name, best / case.records * 1e6, words / case.records, gives)


def main() -> None:
    """Measure and print the table; it is for reading, its bound is said by a mark."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("families", nargs="*", metavar="FAMILY", help=", ".join(NAMES))
    parser.add_argument("--repeat", type=int, default=3)
    arguments = parser.parse_args()
    unknown = set(arguments.families) - set(NAMES)
    if unknown:
        parser.error(f"no such family: {', '.join(sorted(unknown))}")
    print("| family | a record is | format | µs | words | of its kind | of all | |")
    print("|---|---|---|---|---|---|---|---|")
    for family, module in zip(NAMES, FAMILIES, strict=True):
        if arguments.families and family not in arguments.families:
            continue
        found = [speed(case, arguments.repeat) for case in module.CASES if case.line is not None]
        for gives in sorted({one.gives for one in found}):
            alike = sorted((one for one in found if one.gives == gives), key=lambda one: one[1])
            for one in alike:
                ratio = one.microseconds / alike[0].microseconds
                of_all = one.microseconds / min(other.microseconds for other in found)
                print(
                    f"| {family} | {gives} | {one.name} | {one.microseconds:.1f} | {one.words:.1f} "
                    f"| {ratio:.1f}x | {of_all:.1f}x | {'beyond' if ratio > BOUND else ''} |",
                    flush=True,
                )


if __name__ == "__main__":
    main()
