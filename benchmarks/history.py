"""Benchmark of the history of runs: the size and time of a run, and the time of a trend.

    python benchmarks/history.py [--utterances 100000] [--runs 1000] [--text FILE]

First, the program records three runs with alignments: a test set of `--utterances` utterances of
ten words, with different errors in each run. It prints the size and the processor time of each run.
Then it records `--runs` runs without alignments. It prints the processor time and the peak memory
of `scoring history trend`, and the size of the file. The bounds are 1.5 MB and 2 s for a run of
100,000 utterances, and 10 s for the trend of 1,000 such runs.

Words are drawn independently, with the frequencies of a language: phrases do not repeat. Therefore
no program can store the first run in less than the entropy of its words and edits, which is also
printed. With `--text`, the words are those of a file in their order, because speech has phrases.
The reference of a test set is stored once for all runs.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import scoring
from scoring.regression.history import History

ROOT = Path(__file__).resolve().parents[1]
WORDS, VOCABULARY, RUNS = 10, 20_000, 3
MOST_MEGABYTES, MOST_SECONDS, MOST_SECONDS_OF_TREND = 1.5, 2, 10


def _files(folder: Path, utterances: int, draws: random.Random, text: str = "") -> list[Path]:
    """Write a reference, and hypotheses with some 9 % errors, as trn."""
    prose = re.findall(r"[^\W\d_']+", text.lower())
    words = [*dict.fromkeys(prose)] or [
        f"{number:x}word"[: draws.randint(3, 8)] for number in range(VOCABULARY)
    ]
    # of frequencies as words of a language have them
    weights = [1 / (rank + 1) for rank in range(len(words))]
    paths = [folder / "reference.trn", *(folder / f"h{run}.trn" for run in range(RUNS))]
    with ExitStack() as stack:
        reference, *hypotheses = (stack.enter_context(path.open("w")) for path in paths)
        for number in range(utterances):
            spoken = (
                prose[number * WORDS : (number + 1) * WORDS]
                if prose
                else draws.choices(words, weights, k=WORDS)
            )
            name = f"(speaker{number // 500:04d}-{number:07d})"
            reference.write(f"{' '.join(spoken)} {name}\n")
            for hypothesis in hypotheses:
                heard = []
                for word in spoken:
                    draw = draws.random()
                    if draw > 0.03:
                        heard.append(draws.choice(words) if draw < 0.09 else word)
                hypothesis.write(f"{' '.join(heard)} {name}\n")
    return paths


def _entropy(rates: scoring.ErrorRates) -> float:
    """Return the entropy of a run in megabytes.

    It is the sum for the reference words, for the edits, and for the hypothesis words that differ.
    """
    references = [word for words in rates.aligned.references for word in words]
    edits = b"".join(map(rates.aligned.edits_of, range(len(rates))))
    changed = [
        pair.hypothesis
        for row in range(len(rates))
        if any(rates.aligned.edits_of(row))
        for pair in rates.alignment_at(row)
        if pair.hypothesis not in (None, pair.reference)
    ]
    return sum(map(_bits, (references, edits, changed))) / 8e6


def _bits(values: Sequence[object]) -> float:
    numbers = Counter(values).values()
    return sum(number * math.log2(len(values) / number) for number in numbers)


def _trend_cost(path: Path) -> tuple[float, float]:
    """Run the command for the trend; return its processor seconds and its peak memory in MB."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "scoring", "history", "trend", str(path)]
    subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return seconds, after.ru_maxrss / 1e3


def main(argv: Sequence[str] | None = None) -> None:
    """Measure the history, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--utterances", type=int, default=100_000)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--text", type=Path, metavar="FILE")
    arguments = parser.parse_args(argv)
    text = "" if arguments.text is None else arguments.text.read_text("utf-8")
    if text and len(text.split()) < arguments.utterances * WORDS:
        parser.error(f"expected {arguments.utterances * WORDS:,} words in {arguments.text}")
    with tempfile.TemporaryDirectory(prefix="history-") as place:
        folder, draws = Path(place), random.Random(0)
        paths = _files(folder, arguments.utterances, draws, text)
        sizes, seconds = [0.0], []
        for path in paths[1:]:
            rates = scoring.wer(paths[0], path)
            with History(folder / "whole.db", create=True) as history:
                begin = time.process_time()
                history.record(rates)
                seconds.append(time.process_time() - begin)
            sizes.append(os.path.getsize(folder / "whole.db") / 1e6)
        print(
            f"| {arguments.utterances:,} utterances, {arguments.runs:,} runs | measured | bound |"
        )
        print("|---|---|---|")
        print(f"| the first run of a test set with its words, MB | {sizes[1]:.2f} | |")
        print(f"| entropy of its words and edits, MB | {_entropy(rates):.2f} | |")
        later = (sizes[-1] - sizes[1]) / (RUNS - 1)
        print(f"| each further run with its words, MB | {later:.2f} | {MOST_MEGABYTES} |")
        print(f"| recording the first, processor s | {seconds[0]:.2f} | {MOST_SECONDS} |")
        print(f"| recording a further one | {min(seconds[1:]):.2f} | {MOST_SECONDS} |")
        with History(folder / "trend.db", create=True) as history:
            for _ in range(arguments.runs):
                history.record(rates, alignments=False)
        size = os.path.getsize(folder / "trend.db") / arguments.runs / 1e6
        print(f"| a run without words, MB | {size:.2f} | |")
        trend, memory = _trend_cost(folder / "trend.db")
        print(f"| `history trend`, processor s | {trend:.2f} | {MOST_SECONDS_OF_TREND} |")
        print(f"| its greatest memory, MB | {memory:.0f} | |")


if __name__ == "__main__":
    main()
