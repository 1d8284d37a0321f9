"""Benchmark of conversions between all formats, and of the memory that a long file needs.

    python benchmarks/conversions.py [--words 15000] [--long 2000000]

First, the program writes a ctm of `--long` words (5,000 words per recording), and converts it to
JSON lines in another process. It prints the seconds and the peak resident memory of this process.

Then it draws a 90-minute transcript with word times and a fixed seed. It writes and reads the
transcript in every format that can be written, and prints the seconds of both (the lowest of three
runs). The slowest conversion is that from the format with the slowest reader to the format with the
slowest writer; its bound is one second.
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
from formats.detection import all_formats
from formats.detection.spec import FormatSpec

WORD_SECONDS = 0.36
SEGMENT = 15
OPTIONS: dict[str, dict[str, object]] = {"microdvd": {"fps": "25"}, "timit": {"rate": 16000}}


def main() -> int:
    """Measure all conversions, and print the figures."""
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
    """Draw a recording of two speakers who speak alternately, in segments of a few words."""
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
    """Write a transcript; return the data and the seconds.

    Return `None` if the format cannot hold the transcript.
    """
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
    """Read a file in a format; return the seconds."""
    known = {option.name for option in spec.read_options}
    options = {n: v for n, v in OPTIONS.get(spec.name, {}).items() if n in known}
    best = float("inf")
    for _ in range(3):
        begin = time.perf_counter()
        formats.read(BytesIO(data), spec.name, recording="talk", **options)  # type: ignore[arg-type]
        best = min(best, time.perf_counter() - begin)
    return best


def convert_long(words: int) -> None:
    """Convert a long ctm to JSON lines in a separate process; print its seconds and memory."""
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
