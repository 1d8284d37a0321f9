"""Benchmark of measures: processor seconds of each, and of all together with their bound.

    python benchmarks/measures.py [--utterances 100000] [--words 10]

The program scores a drawn corpus. Its words have times, confidences, and the times at which a
streaming recogniser showed them. Then it counts each measure in the finished alignment. The bound
is ten seconds for 100,000 utterances of ten words, and in proportion for other sizes.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import scoring
from benchmarks.corpus import PAUSE_SECONDS, WORD_SECONDS, Shape, generate
from formats.console.process import collect_rarely
from scoring.measures import MEASURES, all_measures, count_measures
from scoring.results import Rates
from scoring.results.measured import MeasureSpec

MOST_SECONDS = 10
BOUND_WORDS = 1_000_000
SIDES = ("reference", "hypothesis")


def supervision(number: int, speaker: str, words: Sequence[str]) -> dict[str, object]:
    """Return a supervision of Lhotse.

    Every word has times, a confidence and the time at which it was shown.
    """
    recording, position = divmod(number, 100)
    start = 20.0 * position
    begins = [round(start + PAUSE_SECONDS + WORD_SECONDS * place, 2) for place in range(len(words))]
    items = [
        [word, begin, WORD_SECONDS, (number + place) % 100 / 100]
        for place, (word, begin) in enumerate(zip(words, begins, strict=True))
    ]
    shown = " ".join(str(round((begin + 2 * WORD_SECONDS) * 1e9)) for begin in begins)
    times = {"emission_ns": shown, "final_ns": shown, "elapsed_ns": shown}
    return {
        "id": f"u{number}",
        "recording_id": f"r{recording}",
        "start": start,
        "duration": 2 * PAUSE_SECONDS + WORD_SECONDS * max(len(words), 1),
        "channel": 0,
        "text": " ".join(words),
        "speaker": speaker,
        **({"alignment": {"word": items}, "custom": times} if words else {}),
    }


def processor_seconds(rates: Rates, measures: Sequence[MeasureSpec]) -> float:
    """Count some measures and compute their values; return the processor seconds."""
    begin = time.process_time()
    for measured in count_measures(rates, measures, {}).values():
        dict(measured.values)
    return time.process_time() - begin


def main() -> int:
    """Print the seconds of each measure, and of all measures."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--utterances", type=int, default=100_000)
    parser.add_argument("--words", type=int, default=10, help="of an utterance")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    collect_rarely()
    with tempfile.TemporaryDirectory() as name:
        paths = [Path(name) / f"{side}.jsonl" for side in SIDES]
        corpus = generate(Shape(options.utterances, options.words))
        for side, path in zip(SIDES, paths, strict=True):
            with path.open("w", encoding="utf-8") as file:
                for item in corpus:
                    record = supervision(item.number, item.speaker, getattr(item, side))
                    file.write(f"{json.dumps(record)}\n")
        begin = time.process_time()
        rates = scoring.wer(*paths, keep_sources=True)
        print(f"score: {time.process_time() - begin:.2f} s")
    for measure in all_measures():
        print(f"{measure.name}: {processor_seconds(rates, [measure]):.2f} s")
    seconds = min(processor_seconds(rates, list(all_measures())) for _ in range(options.runs))
    bound = MOST_SECONDS * options.utterances * options.words / BOUND_WORDS
    print(f"all {len(MEASURES)}: {seconds:.2f} s, bound {bound:g} s, ratio {bound / seconds:.2f}")
    return int(seconds > bound)


if __name__ == "__main__":
    sys.exit(main())
