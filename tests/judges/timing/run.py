"""SubER, its cut, and SimulEval's latency against the packages of these names, on random cases.

    python tests/judges/timing/run.py [--cases N] [--seed S]

Needs `pip install subtitle-edit-rate==0.4.0 simuleval==1.1.4`; what is not installed is skipped aloud.
"""

import argparse
import io
import random
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import numpy as np

from formats.schema.model import Segment
from scoring.alignment.direction import direction_edits
from scoring.measures.simuleval import FIGURES, simuleval
from scoring.measures.suber import COUNTS, Parts, Subtitles, count_edits

NAMES = {"start_offset": "StartOffset", "end_offset": "EndOffset"}
KINDS = {"equal": 0, "replace": 1, "delete": 2, "insert": 3}
Cue = tuple[int, int, str]


def clock(time: int) -> str:
    return (
        f"{time // 3600000:02d}:{time // 60000 % 60:02d}:{time // 1000 % 60:02d},{time % 1000:03d}"
    )


def cues(chance: random.Random, letters: str, scale: int) -> list[Cue]:
    """Subtitles in order of time, some of which overlap or touch."""
    time, made = 0, []
    for _ in range(chance.randrange(6 * scale)):
        time += chance.choice((0, 0, 0, 200, 900))
        length = chance.choice((30, 500, 1000, 2000))
        lines = (
            " ".join(chance.choices(letters, k=chance.randrange(1, 6 * scale)))
            for _ in range(chance.choice((1, 2)))
        )
        made.append((time, time + length, "\n".join(lines)))
        time += length if chance.random() < 0.9 else length // 2
    return made


def changed(chance: random.Random, reference: list[Cue]) -> list[Cue]:
    """The same subtitles with words moved, blocks left out and delayed."""
    made = []
    for begin, end, text in reference:
        words = text.split(" ")
        if chance.random() < 0.5:
            words.insert(chance.randrange(len(words)), words.pop(chance.randrange(len(words))))
        delay = chance.choice((0, 0, 300))
        if chance.random() < 0.9:
            made.append((begin + delay, end + delay, " ".join(words)))
    return sorted(made, key=lambda cue: cue[0])


def judge_suber(chance: random.Random) -> bool:
    """Whether all edits by kind are equal."""
    suber = import_module("suber.metrics.suber")
    collector = import_module("suber.metrics.suber_statistics").SubERStatisticsCollector()
    reader = import_module("suber.file_readers.srt_file_reader").SRTFileReader
    letters, scale = "abcdefghijkl"[: chance.choice((3, 5, 12))], chance.choice((1, 1, 3))
    left = cues(chance, letters, scale)
    right = changed(chance, left) if chance.random() < 0.6 else cues(chance, letters, scale)
    files = [
        io.StringIO(
            "".join(f"{n}\n{clock(b)} --> {clock(e)}\n{t}\n\n" for n, (b, e, t) in enumerate(s))
        )
        for s in (left, right)
    ]
    ours, theirs = (reader._parse_lines(object.__new__(reader), file) for file in files)
    suber.calculate_SubER(theirs, ours, statistics_collector=collector)
    expected = {name.removeprefix("num_"): n for name, n in collector.get_statistics().items()}
    sides = [
        Subtitles(
            [Segment("-", (), start_ns=b, end_ns=e, properties=(("lines", t),)) for b, e, t in side]
        )
        for side in (left, right)
    ]
    begins, ends = (
        np.concatenate([getattr(side, name) for side in sides]) for name in ("begins", "ends")
    )
    edits = count_edits(sides, Parts.of(begins, ends, np.arange(len(begins))))
    return dict(zip(COUNTS, edits.sum(axis=0).tolist(), strict=True)) == expected


def judge_cut(chance: random.Random) -> bool:
    """Whether both alignments, ties included, are equal."""
    levenshtein = import_module("suber.lib_levenshtein")
    letters = "abcde"[: chance.choice((2, 3, 5))]
    left, right = ("".join(chance.choices(letters, k=chance.randrange(90))) for _ in range(2))
    if chance.random() < 0.5:
        right = "".join(letter for letter in left if chance.random() < 0.8)
    expected = bytearray()
    for kind, *(a, b, c, d) in levenshtein.opcodes(left, right):
        expected += bytes([KINDS[kind]] * max(b - a, d - c))
    return direction_edits(left, right) == bytes(expected)


def judge_simuleval(chance: random.Random) -> bool:
    """Whether all figures are equal, with the time of computing and without."""
    scorers = import_module("simuleval.evaluator.scorers.latency_scorer").LATENCY_SCORERS_DICT
    base = import_module("simuleval.evaluator.instance").TextOutputInstance
    length, words = chance.randrange(500, 6000), chance.randrange(1, 9)
    step = chance.choice((1, 100))
    number = chance.randrange(1, 9)
    delays = sorted(float(chance.randrange(100, length + 800, step)) for _ in range(number))
    elapsed, spent = [], 0
    for delay in delays:
        spent += chance.randrange(300)
        elapsed.append(delay + spent)
    members = {"delays": delays, "elapsed": elapsed, "source_length": length, "reference": "a"}
    members |= {"reference_length": words, "prediction_length": number, "__init__": lambda _: None}
    instance = type("Instance", (base,), {**members, "metrics": {}})()
    for aware in (False, True):
        times = np.array([elapsed]) if aware else None
        ours = simuleval(np.array([delays]), np.array([length]), np.array([words]), times)
        for name in FIGURES:
            scorer = scorers[NAMES.get(name, name.upper())]
            theirs = scorer(computation_aware=aware, use_ref_len=True)({0: instance})
            if abs(theirs - np.nan_to_num(ours[name][0])) > 1e-6:
                return False
    return True


JUDGES: dict[str, tuple[str, Callable[[random.Random], bool]]] = {
    "SubER": ("suber", judge_suber),
    "cut": ("suber", judge_cut),
    "latency": ("simuleval", judge_simuleval),
}


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--cases", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    options: Any = parser.parse_args()
    status = 0
    for name, (package, judge) in JUDGES.items():
        try:
            import_module(package)
        except ModuleNotFoundError:
            print(f"{name}: skipped, {package} is not installed", file=sys.stderr)
            continue
        seeds = [f"{name} {options.seed} {case}" for case in range(options.cases)]
        different = [seed for seed in seeds if not judge(random.Random(seed))]
        print(f"{name}: {options.cases} cases, {len(different)} different", *different[:5])
        status |= bool(different)
    return status


if __name__ == "__main__":
    sys.exit(main())
