"""A loop that converts a ctm file to JSON lines with nothing but `split` and `json.dumps`.

    python benchmarks/ctm_loop.py INPUT OUTPUT

It is the yardstick of the row `timed-files`: for a correct file without comments, with a confidence
for each word and at most three decimals, it writes what `formats convert` writes, byte for byte.
It checks nothing.
"""

from __future__ import annotations

import json
import sys
from typing import IO, Any

PAUSE = 0.5
"""Seconds of silence that end a segment."""


def main() -> None:
    """Convert the first file to the second."""
    words: list[dict[str, Any]] = []
    place: tuple[str, str] | None = None
    with open(sys.argv[1]) as lines, open(sys.argv[2], "w") as output:
        for line in lines:
            recording, channel, begin, duration, word, confidence = line.split()
            start = float(begin)
            end = round(start + float(duration), 3)
            is_same = place == (recording, channel)
            if place is not None and not (is_same and start - words[-1]["end"] <= PAUSE):
                put(output, place, words)
                words = []
            place = recording, channel
            words.append(
                {"word": word, "start": start, "end": end, "confidence": float(confidence)}
            )
        if place is not None:
            put(output, place, words)


def put(output: IO[str], place: tuple[str, str], words: list[dict[str, Any]]) -> None:
    """Write a segment as a line of JSON."""
    record = {
        "recording": place[0],
        "channel": place[1],
        "start": words[0]["start"],
        "end": words[-1]["end"],
        "text": " ".join([word["word"] for word in words]),
        "words": words,
    }
    output.write(json.dumps(record) + "\n")


if __name__ == "__main__":
    main()
