"""Our rover against the original on random cases.

    python tests/judges/rover/run.py [--cases N] [--seed S] [--core native|plain] [--long] [--keep FOLDER]

A case the original cannot finish (it crashes, or writes without end) must end in a message of
ours; all others must give the same bytes.
"""

import argparse
import os
import sys
from functools import partial
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.judges.frame import (
    Judge,
    Verdict,
    judge_cases,
    original,
    run_forked,
    run_limited,
    run_with,
)
from tests.judges.rover.cases import Case, draw_long
from tests.judges.rover.cases import draw as draw_short
from tests.judges.sclite.compare import Outcome
from tests.judges.sclite.programs import our_environment

REMARK = b"rover: warning: "
LARGEST_FILE = 200_000  # bytes
OUTPUT = "out"


def run_original(program: str, case: Case) -> Outcome:
    """Run the original under limits of time and space: it can write without end."""
    largest = LARGEST_FILE + 50 * sum(map(len, case.files.values()))
    command = [program, *case.arguments]
    return run_with(case.files, partial(run_limited, command, seconds=1, largest=largest))


def run_ours(case: Case) -> Outcome:
    """Run ours in a fork of this process."""
    from scoring.cli.nist.rover import main

    return run_with(case.files, partial(run_forked, main, case.arguments))


def without_remarks(stderr: bytes) -> bytes:
    """The error stream without our own remarks."""
    lines = stderr.splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(REMARK))


def difference(truth: Outcome, ours: Outcome) -> str:
    """What is wrong with our outcome; empty if nothing is."""
    if b"Traceback" in ours.stderr:
        return f"a traceback:\n{ours.stderr.decode('latin-1')}"
    text = without_remarks(ours.stderr)
    if not truth.finished:
        is_refusal = text.startswith(b"rover: ") and text.count(b"\n") == 1
        is_clean = ours.status == 1 and is_refusal and not ours.stdout and OUTPUT not in ours.files
        return "" if is_clean else f"the original crashes ({truth.status}), ours gives {ours}"
    expected = (truth.status, truth.stdout, truth.stderr, truth.files.get(OUTPUT))
    result = (ours.status, ours.stdout, text, ours.files.get(OUTPUT))
    parts = zip(("status", "stdout", "stderr", OUTPUT), expected, result, strict=True)
    return "\n".join(f"{name}:\n{a!r}\n{b!r}" for name, a, b in parts if a != b)


def draw(options: argparse.Namespace, number: int) -> Case:
    """A case."""
    return (draw_long if options.long else draw_short)(options.seed, number)


def compare(options: argparse.Namespace, case: Case) -> Verdict:
    """Run both on a case."""
    os.environ["SCORING_ALIGN"] = our_environment(options.core)["SCORING_ALIGN"]
    truth = run_original(original("rover"), case)
    text = difference(truth, run_ours(case))
    name = "different" if text else "same" if truth.finished else "original crashes"
    return Verdict(name, f"rover {' '.join(case.arguments)}\n{text}", case.files)


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this judge alone."""
    parser.add_argument("--core", choices=("native", "plain"), default="native")
    parser.add_argument("--long", action="store_true", help="thousands of words per file")


JUDGE = Judge(__doc__, "rover", draw, compare, 1000, add_options)

if __name__ == "__main__":
    sys.exit(judge_cases(JUDGE))
