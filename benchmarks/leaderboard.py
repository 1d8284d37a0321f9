"""Benchmark of the Open ASR Leaderboard's English normaliser and pipeline: ours and the original.

    python benchmarks/leaderboard.py [CLONE] [--pairs 20000]

CLONE is a clone of huggingface/open_asr_leaderboard at the commit of 2026-08-21; its default is the
path in OPEN_ASR_LEADERBOARD. The packages `regex` and kaldialign must be installed. The lines are
random: invented words by Zipf's law, English function words, numbers in words and digits,
contractions, fillers, capitals and punctuation. Both sides run five times alternately; the lowest
processor time of a side counts.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from random import Random
from resource import RUSAGE_CHILDREN, getrusage
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.corpus import corrupt, vocabulary, zipfian

_words = str.split
COMMON = _words(
    "the of and to a in that is was he for it with as his on be at by i this had not are but from "
    "or have an they which one you were all her she there would their we him been has when who"
)
RARE = _words(
    "it's don't I'm he'd they've won't gonna Mr. Dr. uh um hmm mhm okay p.m. U.S. e-mail wi-fi "
    "colour centre favourite Stephen Alan twenty twenty-one three hundred thousand million fifty "
    "first second third percent dollars point half double oh zero five seven 1990s 20% $5.50 3.5 "
    "1,200 42 7 [noise] (laughs) café all right how ever"
)
RUNS = 5


def draw_lines(number: int, seed: int) -> tuple[list[str], list[str]]:
    """Draw references and hypotheses of about twenty words."""
    rng = Random(seed)
    words = vocabulary(10_000, rng)
    others = zipfian(words, rng)
    sides: tuple[list[str], list[str]] = ([], [])
    for _ in range(number):
        spoken = [
            next(others) if draw > 0.5 else rng.choice(RARE if draw < 0.07 else COMMON)
            for draw in (rng.random() for _ in range(rng.randint(5, 35)))
        ]
        heard = corrupt(spoken, 0.1, rng, others)
        for side, texts in zip(sides, (spoken, heard), strict=True):
            marks = [text + rng.choice(",.?") if rng.random() < 0.1 else text for text in texts]
            side.append(" ".join(marks).capitalize())
    return sides


def in_turns(*works: Callable[[], object]) -> list[float]:
    """Run the functions alternately; return the lowest processor seconds of each."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(RUNS):
        for work, seconds in zip(works, times, strict=True):
            begin = process_time()
            work()
            seconds.append(process_time() - begin)
    return list(map(min, times))


def command_seconds(arguments: Sequence[str]) -> float:
    """Run a command several times; return the lowest processor seconds."""
    seconds: list[float] = []
    for _ in range(RUNS):
        before = getrusage(RUSAGE_CHILDREN)
        subprocess.run(arguments, check=True, stdout=subprocess.DEVNULL)
        after = getrusage(RUSAGE_CHILDREN)
        seconds.append(sum(after[:2]) - sum(before[:2]))  # of the user and of the system
    return min(seconds)


def main() -> None:
    """Print lines per second of both normalisers, seconds of both pipelines, and the ratios."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    clone = os.environ.get("OPEN_ASR_LEADERBOARD", "")
    parser.add_argument("clone", nargs="?", default=clone, help="folder of the repository")
    parser.add_argument("--pairs", type=int, default=20_000)
    arguments = parser.parse_args()
    os.environ["OPEN_ASR_LEADERBOARD"] = arguments.clone
    sys.path.insert(0, arguments.clone)
    try:
        from kaldialign import batch_error_rate
        from normalizer.normalizer import EnglishTextNormalizer  # type: ignore[import-not-found]
    except ImportError as problem:
        print(f"not measured: the original is not installed ({problem})")
        return
    from scoring.text import leaderboard

    references, hypotheses = draw_lines(arguments.pairs, 1)
    original = EnglishTextNormalizer()
    few = references[: min(2000, arguments.pairs)]

    def ours(lines: Sequence[str]) -> list[str]:
        leaderboard._english.cache_clear()  # every run begins without cached words
        return list(map(leaderboard.LeaderboardEnglish(), lines))

    assert ours(few) == list(map(original, few))
    theirs, here = in_turns(lambda: list(map(original, few)), lambda: ours(references))
    speeds = len(few) / theirs, len(references) / here
    print(f"normaliser: original {speeds[0]:,.0f} lines/s, ours {speeds[1]:,.0f} lines/s,", end=" ")
    print(f"{speeds[1] / speeds[0]:.0f}x")

    def pipeline() -> object:
        sides = [[tuple(original(text).split()) for text in side] for side in (few, hypotheses)]
        return batch_error_rate(sides[0], sides[1], merge_compounds=True)

    hypotheses_all, hypotheses = hypotheses, hypotheses[: len(few)]
    begin = process_time()
    pipeline()
    theirs = (process_time() - begin) * arguments.pairs / len(few)
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for name, lines in (("ref", references), ("hyp", hypotheses_all)):
            files.append(os.path.join(folder, name))
            Path(files[-1]).write_text("\n".join([*islice(lines, arguments.pairs), ""]))
        formats = ("--reference-format", "txt-lines", "--hypothesis-format", "txt-lines")
        command = [sys.executable, "-m", "scoring", "wer", *files, *formats]
        here = command_seconds([*command, "--like", "open-asr@2026-08"])
    print(
        f"pipeline of {arguments.pairs:,} pairs: original {theirs:.1f} s,",
        f"whole command {here:.2f} s,",
        end=" ",
    )
    print(f"{theirs / here:.0f}x")


if __name__ == "__main__":
    main()
