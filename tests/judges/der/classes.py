"""Every metric of `sclite_kit.compat.pyannote` beside pyannote.metrics, on random turns.

    SIDE/bin/python tests/judges/der/classes.py [--cases N] [--seed S]

The interpreter has pyannote.metrics. Times are multiples of 1/64 s, so that sums are exact; the
Jaccard error may differ where two mappings have equally much time in common.
"""

import argparse
import random
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

import scoring.peers.pyannote as ours

ROOMS = ("diarization", "detection", "segmentation", "identification")
GRID = 64


def draw(chance: random.Random, names: str, core: Any) -> Any:
    """Return turns of some speakers, sometimes none."""
    turns = core.Annotation(uri="talk")
    least = int(chance.random() > 0.1)
    for name in chance.sample(names, chance.randint(least, len(names))):
        time = chance.randrange(200)
        while time < 900:
            end = time + chance.randint(1, 120)
            turns[core.Segment(time / GRID, end / GRID), f"{name}{time}"] = name
            time = end + chance.choice((0, 1, chance.randint(0, 200)))
    return turns


def arguments_of(name: str, chance: random.Random) -> dict[str, Any]:
    """Return random arguments of a metric."""
    chosen: dict[str, Any] = {}
    if name.startswith("Segmentation"):
        chosen["tolerance"] = chance.choice((0, 0.25, 0.5, 1))
    elif name not in ("DiarizationPurity", "DiarizationCoverage"):
        chosen = {"collar": chance.choice((0, 0.25, 0.5)), "skip_overlap": chance.random() < 0.3}
    return {**chosen, "beta": chance.choice((0.5, 1, 2))} if name.endswith("FMeasure") else chosen


def main() -> int:
    """Print how many calls of each metric differ; 1 if any does."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    core = import_module("pyannote.core")
    rooms = [import_module(f"pyannote.metrics.{room}") for room in ROOMS]
    originals = {
        name: next(
            vars(room)[name]
            for room in rooms
            if getattr(vars(room).get(name), "__module__", "") == room.__name__
        )
        for name in ours.__all__
    }
    different: Counter[str] = Counter()
    for number in range(arguments.cases):
        chance = random.Random(f"classes {arguments.seed} {number}")
        sides = draw(chance, "ABCD", core), draw(chance, "ABxyz", core)
        uem = None
        if chance.random() < 0.4:
            begin, end = sorted(chance.sample(range(1000), 2))
            uem = core.Timeline([core.Segment(begin / GRID, end / GRID)], uri="talk")
        for name, original in originals.items():
            chosen = arguments_of(name, chance)
            theirs = original(**chosen)(*sides, uem=uem, detailed=True)
            parts = getattr(ours, name)(**chosen)(*sides, uem=uem, detailed=True)
            different[name] += theirs.keys() != parts.keys() or any(
                abs(theirs[part] - parts[part]) > 1e-9 for part in theirs
            )
    for name in ours.__all__:
        print(f"{name}: {arguments.cases} calls, {different[name]} differ")
    return int(different.total() > 0)


if __name__ == "__main__":
    sys.exit(main())
