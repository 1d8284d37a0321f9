"""The history of runs: size and processor time of a run, and the time of a trend of many.

    python benchmarks/history.py [--utterances 100000] [--runs 1000]

records a run of that many utterances of ten words with its alignments, three times, and prints the
size of the file for each run and the least processor time. Then it records that many runs without
alignments, with the same utterances and other errors, and prints the processor time of
`scoring history trend` and the size of the file. The bounds are 1.5 MB and 2 s for a run of 100,000
utterances, and 10 s for the trend of 1,000 such runs.
Each word is drawn alone, by the frequencies of a language: no phrase repeats. Recording
1,000 runs takes some ten minutes.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import scoring
from scoring.regression.history import History

ROOT = Path(__file__).resolve().parents[1]
WORDS, VOCABULARY, REPEATS = 10, 20_000, 3
MOST_MEGABYTES, MOST_SECONDS, MOST_SECONDS_OF_TREND = 1.5, 2, 10


def _files(folder: Path, utterances: int, draws: random.Random) -> tuple[Path, Path]:
    """Write a reference and a hypothesis with some 9 % errors, as trn."""
    words = [f"{number:x}word"[: draws.randint(3, 8)] for number in range(VOCABULARY)]
    # of frequencies as words of a language have them
    weights = [1 / (rank + 1) for rank in range(VOCABULARY)]
    paths = folder / "reference.trn", folder / "hypothesis.trn"
    with paths[0].open("w") as reference, paths[1].open("w") as hypothesis:
        for number in range(utterances):
            spoken = draws.choices(words, weights, k=WORDS)
            heard = []
            for word in spoken:
                draw = draws.random()
                if draw > 0.03:
                    heard.append(draws.choice(words) if draw < 0.09 else word)
            name = f"(speaker{number // 500:04d}-{number:07d})"
            reference.write(f"{' '.join(spoken)} {name}\n")
            hypothesis.write(f"{' '.join(heard)} {name}\n")
    return paths


def _trend_seconds(path: Path) -> float:
    """Return the processor seconds of the command, start included."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "scoring", "history", "trend", str(path)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main(argv: Sequence[str] | None = None) -> None:
    """Measure and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--utterances", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=1000)
    arguments = parser.parse_args(argv)
    with tempfile.TemporaryDirectory(prefix="history-") as place:
        folder, draws = Path(place), random.Random(0)
        paths = _files(folder, arguments.utterances, draws)
        seconds = []
        with History(folder / "whole.db", create=True) as history:
            for _ in range(REPEATS):
                rates = scoring.wer(*paths)
                begin = time.process_time()
                history.record(rates)
                seconds.append(time.process_time() - begin)
        size = os.path.getsize(folder / "whole.db") / REPEATS / 1e6
        print(
            f"| {arguments.utterances:,} utterances, {arguments.runs:,} runs | measured | bound |"
        )
        print("|---|---|---|")
        print(f"| a run with its words, MB | {size:.2f} | {MOST_MEGABYTES} |")
        print(f"| recording it, processor s | {min(seconds):.2f} | {MOST_SECONDS} |")
        with History(folder / "trend.db", create=True) as history:
            for _ in range(arguments.runs):
                history.record(rates, alignments=False)
        size = os.path.getsize(folder / "trend.db") / arguments.runs / 1e6
        print(f"| a run without words, MB | {size:.2f} | |")
        trend = _trend_seconds(folder / "trend.db")
        print(f"| `history trend`, processor s | {trend:.2f} | {MOST_SECONDS_OF_TREND} |")


if __name__ == "__main__":
    main()
