"""Conversions: seconds between all formats for a 90-minute transcript, and memory of a long one.

    python benchmarks/conversions.py [--words 15000] [--long 2000000]

draws a transcript of timed words with a fixed seed, writes it in every format that can be written
and reads it back, in one process, and prints the seconds of both (the least of three) and the
slowest conversion, that is the slowest reader into the slowest writer; the bound is a second.
Before that it writes a ctm of `--long` words in recordings of 5,000 and converts it to JSON lines
in a process of its own: its seconds and its peak resident memory.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from io import BytesIO
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import formats
from benchmarks.corpus import vocabulary
from benchmarks.processes import sample
from formats.detection.registry import all_formats
from formats.detection.spec import FormatSpec

WORD_SECONDS = 0.36
SEGMENT = 15
OPTIONS: dict[str, dict[str, object]] = {"microdvd": {"fps": "25"}, "timit": {"rate": 16000}}


def main() -> int:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--words", type=int, default=15_000)
    parser.add_argument("--long", type=int, default=2_000_000)
    arguments = parser.parse_args()
    # First: the peak of a process includes that of the one it was forked from.
    convert_long(arguments.long)
    transcript = drawn(arguments.words)
    slowest: dict[str, tuple[float, str]] = {"write": (0.0, ""), "read": (0.0, "")}
    print(
        f"{arguments.words} timed words\n\n| format | write, s | read, s | kB |\n|---|---|---|---|"
    )
    for spec in all_formats():
        if spec.write is None or "words" not in spec.holds or spec.name == "kwlist":
            continue
        written = measured_writing(transcript, spec)
        if written is None:
            print(f"| {spec.name} | does not fit | | |")
            continue
        data, writing = written
        reading = measured_reading(data, spec)
        print(f"| {spec.name} | {writing:.3f} | {reading:.3f} | {len(data) // 1000} |")
        slowest["write"] = max(slowest["write"], (writing, spec.name))
        slowest["read"] = max(slowest["read"], (reading, spec.name))
    total = slowest["write"][0] + slowest["read"][0]
    names = f"{slowest['read'][1]} to {slowest['write'][1]}"
    print(f"\nslowest conversion of formats that are written, too: {names}, {total:.2f} s")
    return 0


def drawn(words: int) -> formats.Transcript:
    """One recording of two speakers in turn, in segments of some words."""
    random = Random(1)
    # In HTK's label files this one is a pause.
    known = [word for word in vocabulary(5000, random) if word != "sil"]
    segments = []
    for first in range(0, words, SEGMENT):
        said = random.choices(known, k=min(SEGMENT, words - first))
        starts = [round((first + n) * WORD_SECONDS, 3) for n in range(len(said))]
        ends = [round(start + 0.3, 3) for start in starts]
        speaker = "anne" if first // SEGMENT % 2 else "bob"
        segments.append(
            formats.Segment.of(
                "talk", said, channel="1", speaker=speaker, utterance=f"{speaker}-{first:07d}",
                start=starts[0], end=ends[-1], starts=starts, ends=ends,
                confidences=[round(random.random(), 2) for _ in said],
            )
        )  # fmt: skip
    return formats.Transcript(segments, source="talk")


def measured_writing(
    transcript: formats.Transcript, spec: FormatSpec
) -> tuple[bytes, float] | None:
    """The file and the seconds, or nothing where the format cannot hold the transcript."""
    known = {option.name for option in spec.write_options}
    options = {n: v for n, v in OPTIONS.get(spec.name, {}).items() if n in known}
    best = float("inf")
    for _ in range(3):
        output = BytesIO()
        begin = time.perf_counter()
        try:
            formats.write(transcript, output, spec.name, interpolate="uniform", **options)  # type: ignore[arg-type]
        except formats.FormatError:
            return None
        best = min(best, time.perf_counter() - begin)
    return output.getvalue(), best


def measured_reading(data: bytes, spec: FormatSpec) -> float:
    """The seconds it takes to read the file."""
    known = {option.name for option in spec.read_options}
    options = {n: v for n, v in OPTIONS.get(spec.name, {}).items() if n in known}
    best = float("inf")
    for _ in range(3):
        begin = time.perf_counter()
        formats.read(BytesIO(data), spec.name, recording="talk", **options)  # type: ignore[arg-type]
        best = min(best, time.perf_counter() - begin)
    return best


def convert_long(words: int) -> None:
    """A long ctm to JSON lines, in a process of its own."""
    random = Random(2)
    known = vocabulary(5000, random)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (folder / "long.ctm").open("w") as file:
            for number in range(words):
                start = number % 5000 * 0.4
                word = random.choice(known)
                file.write(f"rec{number // 5000:05d} 1 {start:.3f} 0.250 {word} 0.98\n")
        command = [sys.executable, "-m", "formats", "convert", "long.ctm", "long.jsonl"]
        used = sample(command, folder)
        print(f"ctm of {words} words to jsonl: {used.seconds:.1f} s, {used.peak / 1e6:.0f} MB\n")


if __name__ == "__main__":
    sys.exit(main())
