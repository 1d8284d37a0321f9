"""Our further figures of diarisation against pyannote.metrics, spyder and dscore, on random turns.

    python tests/judges/der/union.py --python SIDE/bin/python --dscore FOLDER [--cases N] [--seed S]

The originals run in an interpreter of their own (`originals.py`), so that this one needs none of
them. Half of the cases lie on a grid of 1/64 s, where doubles are exact: there everything must be
equal. On decimals pyannote's and spyder's rounding decides which of two equal distances or mappings
they take; cases with such ties are left aside for the figures that depend on them.

`--golden FILE` writes the cases and the originals' answers, with their versions and this command.
"""

import argparse
import json
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from scoring.tasks.speakers.der.diarisation_errors import FURTHER_RATES
from scoring.tasks.speakers.der.pieces import overlaps_of
from scoring.tasks.speakers.der.rules import rules_like
from scoring.tasks.speakers.der.score import der, matched_turns, read

GRID = 64
AMOUNTS = ("total", "missed detection", "false alarm", "confusion")
OF_CHANGES = ("change_precision", "change_recall", "segmentation_purity", "segmentation_coverage")
OF_FRAMES = {
    "bcubed_precision": "b3_precision",
    "bcubed_recall": "b3_recall",
    "bcubed_f1": "b3_f1",
    "tau_ref_sys": "tau_of_hypothesis",
    "tau_sys_ref": "tau_of_reference",
    "ce_ref_sys": "entropy_of_reference",
    "ce_sys_ref": "entropy_of_hypothesis",
    "mi": "mutual_information",
    "nmi": "normalized_mutual_information",
}
REGIONS = ("all", "single", "overlap", "nonoverlap")


def draw(seed: int, number: int) -> dict[str, Any]:
    """Return a case: turns of both sides with some names in common, and options."""
    chance = random.Random(f"union {seed} {number}")
    steps = chance.choice((GRID, GRID, 100, 1000))
    case: dict[str, Any] = {"grid": steps}
    for side, names in (("reference", "ABCD"), ("hypothesis", "ABwxy")):
        turns = []
        for name in chance.sample(names, chance.randint(1, 4)):
            time = chance.randrange(5 * steps)
            while time < 30 * steps:
                end = time + 1 + int(chance.choice((0.3, 1, 4)) * chance.random() * steps)
                turns.append((name, time / steps, end / steps))
                time = end + chance.choice((0, 1, int(chance.expovariate(0.4) * steps)))
                time -= steps if chance.random() < 0.03 and time - steps >= 0 else 0
        case[side] = turns
    case["collar"] = chance.choice((0.0, 0.0, 0.125, 0.25, 0.5))
    case["skip_overlap"] = chance.random() < 0.3
    case["tolerance"] = chance.choice((0.125, 0.5, 1.0))
    case["regions"] = chance.choice(REGIONS)
    case["uem"] = None
    if chance.random() < 0.4:
        borders = sorted(chance.sample(range(34 * steps), chance.choice((2, 4))))
        spans = zip(borders[::2], borders[1::2], strict=True)
        case["uem"] = [(begin / steps, end / steps) for begin, end in spans]
    return case


def ours(case: dict[str, Any], like: str, **more: Any) -> Any:
    """Return our errors of a case by the rules of a tool."""
    region = None if case["uem"] is None else {"r": [tuple(span) for span in case["uem"]]}
    sides = ({"r": [tuple(turn) for turn in case[name]]} for name in ("reference", "hypothesis"))
    options = {"collar": case["collar"], "collar_is": "each-side", "region": region}
    return der(*sides, like=like, **(options | more))  # type: ignore[arg-type]


def figures(case: dict[str, Any]) -> Iterator[tuple[str, float | None, float]]:
    """Yield the name of each figure, ours, and what the original reports if there is none."""
    options = {"skip_overlap": case["skip_overlap"], "tolerance": case["tolerance"]}
    errors = ours(case, "pyannote", mapping="names", **options)
    for name, ns in zip(AMOUNTS, errors.amounts, strict=True):
        yield f"identification {name}", ns / 1e9, 0.0
    greedy = ours(case, "pyannote", mapping="greedy", **options)
    for name, ns in zip(AMOUNTS, greedy.amounts, strict=True):
        yield f"greedy {name}", ns / 1e9, 0.0
    rates = errors.further_rates()
    for name in FURTHER_RATES[: FURTHER_RATES.index("b3_precision")]:
        yield name, rates[name], 1.0
    spyder = ours(case, "spyder", speaking=case["regions"])
    amounts = [ns / 1e9 for ns in spyder.amounts]
    yield "spyder duration", amounts[0], 0.0
    for name, seconds in zip(("miss", "falarm", "conf"), amounts[1:], strict=True):
        yield f"spyder {name}", seconds / amounts[0] if amounts[0] else None, 0.0
    dscore = ours(case, "dscore", skip_overlap=case["skip_overlap"])
    rate = dscore.jaccard_error_rate
    yield "dscore jer", None if rate is None else 100 * rate, 100.0
    rates = dscore.further_rates()
    for name, our_name in OF_FRAMES.items():
        yield f"dscore {name}", rates[our_name], float("nan")


def is_tied(case: dict[str, Any], like: str) -> bool:
    """Whether a greedy mapping has two equal choices, or several mappings are best."""
    region = None if case["uem"] is None else {"r": [tuple(span) for span in case["uem"]]}
    sides = ({"r": [tuple(turn) for turn in case[name]]} for name in ("reference", "hypothesis"))
    collar = round(case["collar"] * 1e9)
    rules = rules_like(
        like,
        collar_ns=collar,
        collar_is="each-side",
        skip_overlap=case["skip_overlap"] if like == "pyannote" else None,
    )
    [(_, turns)] = matched_turns(read(next(sides), next(sides), region), rules)
    common = overlaps_of(turns.decisive)
    if like == "pyannote":
        return len(set(common.values())) < len(common)
    left, right = (range(len(names)) for names in turns.names)
    partners: Sequence[int | None] = [*right, *[None] * len(left)]
    mappings = {
        tuple(
            (a, b)
            for a, b in zip(left, chosen, strict=True)
            if b is not None and common.get((a, b))
        )
        for chosen in permutations(partners, len(left))
    }
    sums = Counter(sum(common[pair] for pair in mapping) for mapping in mappings)
    return sums[max(sums)] > 1


def is_aside(name: str, case: dict[str, Any]) -> bool:
    """Whether rounding or a tie decides a figure."""
    if case["grid"] != GRID and name in OF_CHANGES:
        return True
    if name.startswith("spyder"):
        return is_tied(case, "spyder")
    return case["grid"] != GRID and name.startswith("greedy") and is_tied(case, "pyannote")


def asked(cases: list[dict[str, Any]], python: str, dscore: str) -> dict[str, Any]:
    """Return what the originals answer."""
    program = str(Path(__file__).with_name("originals.py"))
    done = subprocess.run(
        [python, program, dscore],
        input=json.dumps(cases),
        capture_output=True,
        text=True,
        check=True,
    )
    answers: dict[str, Any] = json.loads(done.stdout)
    return answers


def main() -> int:
    """Draw and compare; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", required=True)
    parser.add_argument("--dscore", required=True)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--golden", type=Path)
    options = parser.parse_args()
    cases = [draw(options.seed, number) for number in range(options.cases)]
    answers = asked(cases, options.python, options.dscore)
    compared, aside, differing, silent = (Counter[str]() for _ in range(4))
    for number, (case, expected) in enumerate(zip(cases, answers["answers"], strict=True)):
        for name, value, default in figures(case):
            if name not in expected:
                silent[name] += 1
                continue
            truth = expected[name]
            number_of_ours = default if value is None else value
            margin = 1e-5 if name.startswith("spyder") else 1e-6 if " " in name else 1e-9
            compared[name] += 1
            if abs(number_of_ours - truth) <= margin or truth != truth:
                continue
            if is_aside(name, case):
                aside[name] += 1
                continue
            differing[name] += 1
            if differing[name] <= 2:
                print(f"case {number}, {name}: {truth}, ours: {value}")
    for name in compared:
        print(
            f"{name}: {compared[name]} cases, {differing[name]} differ, {aside[name]} aside,"
            f" {silent[name]} without an answer of the original"
        )
    if options.golden is not None:
        command = f"tests/judges/der/union.py --cases {options.cases} --seed {options.seed}"
        golden = {"command": command, "versions": answers["versions"]}
        golden["cases"] = [
            {**case, "expected": expected}
            for case, expected in zip(cases, answers["answers"], strict=True)
        ]
        options.golden.write_text(json.dumps(golden, indent=None) + "\n", "utf-8")
    return int(differing.total() > 0)


if __name__ == "__main__":
    sys.exit(main())
