"""Our diarisation errors against pyannote.metrics and meeteval on random turns.

    python tests/judges/der/run.py [--cases N] [--seed S]

Both are asked as libraries of this interpreter; what is not installed is left out. meeteval runs
md-eval: it gets the one of SCTK, its times printed with six decimals as meeteval expects them.
Where two mappings are equally good (`tied`), errors may differ after a collar. Differences are left
aside where a turn begins before 0, since meeteval's region loses its sign in md-eval.
"""

import argparse
import os
import random
import re
import subprocess
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from itertools import permutations
from pathlib import Path
from typing import Any, TypeAlias

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from scoring.tasks.speakers.der.diarisation_errors import MAPPING_FREE
from scoring.tasks.speakers.der.score import der
from scoring.tasks.speakers.der.spans import collars, covered, without
from tests.judge import judge

Turns: TypeAlias = list[tuple[str, float, float]]
Case: TypeAlias = tuple[Turns, Turns, float, bool]


def draw(seed: int, number: int) -> Case:
    """Turns of both sides, a collar on each side, and whether overlap is skipped."""
    rng = random.Random(f"der {seed} {number}")
    decimals = rng.choice((1, 2, 3))
    sides = []
    for names in ("ABCD", "wxyz"):
        turns: Turns = []
        for name in rng.sample(names, rng.randint(1, 4)):
            time = rng.uniform(0, 5)
            while time < 30:
                end = time + rng.choice((0.3, 1, 4)) * (0.2 + rng.random())
                turns.append((name, round(time, decimals), round(end, decimals)))
                # turns of a speaker that overlap are rare
                time = end + rng.expovariate(0.4) - (1.0 if rng.random() < 0.03 else 0)
        sides.append(turns)
    return *sides, rng.choice((0.0, 0.1, 0.25, 0.5)), rng.random() < 0.3  # type: ignore[return-value]


def of_pyannote(case: Case) -> list[float]:
    """Amounts, the Jaccard error rate, and the rates that no mapping decides."""
    detection = import_module("pyannote.metrics.detection")
    core, metrics = import_module("pyannote.core"), import_module("pyannote.metrics.diarization")
    sides: list[Any] = []
    for turns in case[:2]:
        side = core.Annotation()
        for number, (name, begin, end) in enumerate(turns):
            side[core.Segment(begin, end), number] = name
        sides.append(side)
    options = {"collar": 2 * case[2], "skip_overlap": case[3]}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = metrics.DiarizationErrorRate(**options)(*sides, detailed=True)
        rates = [metrics.JaccardErrorRate(**options)(*sides)]
        rates += [metrics.DiarizationPurity()(*sides), metrics.DiarizationCoverage()(*sides)]
        rates.append(detection.DetectionAccuracy(**options)(*sides))
        rates.append(detection.DetectionCostFunction(**options)(*sides))
    names = ("total", "missed detection", "false alarm", "confusion")
    return [*(found[name] for name in names), *rates]


def of_meeteval(case: Case, function: str) -> list[float]:
    """Amounts by one of its functions."""
    api, io = import_module("meeteval.der.api"), import_module("meeteval.io")
    sides = [
        io.SegLST(
            [
                {"session_id": "r", "speaker": who, "start_time": a, "end_time": b, "words": ""}
                for who, a, b in turns
            ]
        )
        for turns in case[:2]
    ]
    regions = "nooverlap" if case[3] else "all"
    found = getattr(api, function)(*sides, collar=case[2], regions=regions)["r"]
    names = ("scored_speaker", "missed_speaker", "falarm_speaker", "speaker_error")
    return [float(getattr(found, f"{name}_time")) for name in names]


def _region(case: Case, collar: float, skip: bool) -> list[tuple[float, float]]:
    """What is scored of both sides' extent, in seconds."""
    # what pyannote leaves, which maps after the collar: turns without length have none there
    spans = [(round(a * 1e9), round(b * 1e9)) for _, a, b in case[0] if a < b]
    times = [time for turns in case[:2] for _, *turn in turns for time in turn]
    region = [(round(min(times) * 1e9), round(max(times) * 1e9))]
    borders = [time for span in spans for time in span]
    region = without(region, collars(borders, round(collar * 1e9)))
    region = without(region, covered(spans, 2) if skip else [])
    return [(begin / 1e9, end / 1e9) for begin, end in region]


def begins_before_0(case: Case) -> bool:
    """Whether a turn of either side begins before 0: md-eval reads a region from -0.2 as 0.2."""
    return any(begin < 0 for turns in case[:2] for _, begin, _ in turns)


def is_tied(case: Case) -> bool:
    """Whether some mapping other than ours has as much time in common, as it decides here."""
    for collar, skip in ((0.0, False), case[2:]):
        for like in ("meeteval", "pyannote"):
            names = sorted({who for who, *_ in case[0]}), sorted({who for who, *_ in case[1]})
            times = {}
            for who in names[0]:
                for other in names[1]:
                    pair = [
                        [turn for turn in turns if turn[0] in (who, other)] for turns in case[:2]
                    ]
                    region = {"r": _region(case, collar, skip)}
                    found = der({"r": pair[0]}, {"r": pair[1]}, region=region, like=like)
                    amounts = found.amounts
                    times[who, other] = amounts.scored - amounts.missed - amounts.confusion
            sums = Counter[int]()
            seen = set()
            heard = [*names[1], *(f"nobody {who}" for who in names[0])]
            for chosen in permutations(heard, len(names[0])):
                pairs = tuple(one for one in zip(names[0], chosen, strict=True) if times.get(one))
                if pairs not in seen:
                    seen.add(pairs)
                    sums[sum(times[one] for one in pairs)] += 1
            if sums[max(sums)] > 1:
                return True
    return False


def main() -> int:
    """Draw and compare; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    judges: dict[str, tuple[str, Callable[[Case], list[float]], float]] = {}
    if find_spec("pyannote") is not None:
        judges["pyannote"] = ("pyannote", of_pyannote, 1e-6)
    program = judge("md-eval.pl")
    with tempfile.TemporaryDirectory(prefix="der-") as folder:
        if find_spec("meeteval") is not None and program is not None:
            exact = Path(folder, "md-eval-22.pl")
            text = Path(program).read_text("latin-1")
            exact.write_text(re.sub(r"=%10\.2f secs", "=%f secs", text), "latin-1")
            exact.chmod(0o755)
            os.environ["PATH"] = f"{folder}{os.pathsep}{os.environ['PATH']}"
            judges["meeteval dscore"] = ("meeteval", lambda one: of_meeteval(one, "dscore"), 2e-6)
            judges["meeteval md_eval_22"] = (
                "md-eval",
                lambda one: of_meeteval(one, "md_eval_22"),
                2e-6,
            )
        if not judges:
            print("neither pyannote.metrics nor meeteval with md-eval is installed")
            return 1
        differing = Counter[str]()
        tied = Counter[str]()
        failed = aside = 0
        for number in range(options.cases):
            case = draw(options.seed, number)
            for name, (like, truth, margin) in judges.items():
                errors = der(
                    {"r": case[0]},
                    {"r": case[1]},
                    collar=case[2],
                    collar_is="each-side",
                    skip_overlap=case[3],
                    like=like,  # type: ignore[arg-type]
                )
                ours = [ns / 1e9 for ns in errors.amounts]
                if name == "pyannote":
                    # where no speaker of the reference is scored we have no rate, pyannote 1
                    rate = errors.jaccard_error_rate
                    ours.append(1.0 if rate is None else rate)
                    # likewise 1, and a cost of 0
                    rates = [getattr(errors, name) for name in MAPPING_FREE]
                    ours += [
                        default if rate is None else rate
                        for rate, default in zip(rates, (1.0, 1.0, 1.0, 0.0), strict=True)
                    ]
                try:
                    expected = truth(case)
                except subprocess.CalledProcessError:
                    failed += 1  # md-eval has nothing to divide by
                    continue
                if all(abs(one - two) <= margin for one, two in zip(ours, expected, strict=True)):
                    continue
                if name == "meeteval dscore" and begins_before_0(case):
                    aside += 1
                    continue
                if is_tied(case):
                    tied[name] += 1
                    continue
                differing[name] += 1
                print(f"case {number}, {name}: {expected}\n{' ' * 20}ours: {ours}")
    print(f"md-eval had nothing to divide by: {failed} runs; turns before 0: {aside} runs")
    for name in judges:
        print(
            f"seed {options.seed}, {name}: {options.cases} cases, {differing[name]} differ, {tied[name]} tied mappings come out otherwise"
        )
    return int(differing.total() > 0)


if __name__ == "__main__":
    sys.exit(main())
