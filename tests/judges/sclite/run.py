"""Our sclite against the original on random cases.

    python tests/judges/sclite/run.py [--cases N] [--seed S] [--kinds K,K] [--core native|plain] [--keep FOLDER]

`--first N --cases 1` with the same seed and kinds draws case N again.
"""

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.judges.frame import Judge, Verdict, judge_cases
from tests.judges.sclite.case import Case
from tests.judges.sclite.compare import difference, not_judged
from tests.judges.sclite.generate import KINDS, generate
from tests.judges.sclite.programs import Original, run_case, shared_ours


def draw(options: argparse.Namespace, number: int) -> Case:
    """A case of one of the kinds, which take turns."""
    kinds = options.kinds
    return generate(kinds[number % len(kinds)], options.seed, number // len(kinds))


def compare(options: argparse.Namespace, case: Case) -> Verdict:
    """Run both programs on a case."""
    if not_judged(case) is not None:
        return Verdict("not judged")
    truth, result = run_case(Original(), case), run_case(shared_ours(options.core), case)
    report = f"{case.name}: sclite {' '.join(case.arguments)}\n{difference(truth, result)}"
    if b"Traceback (most recent call last)" in result.stderr or not result.finished:
        return Verdict("traceback", report, case.files)
    if not truth.finished:
        return Verdict("original fails")
    name = "different" if difference(truth, result) else "same"
    return Verdict(name, report, case.files)


def kinds_of(text: str) -> list[str]:
    """Kinds of cases, separated by commas."""
    kinds = text.split(",")
    if not {*kinds} <= {*KINDS}:
        raise argparse.ArgumentTypeError(f"expected some of {', '.join(KINDS)}, found {text}")
    return kinds


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this judge alone."""
    parser.add_argument("--core", choices=("native", "plain"), default="native")
    parser.add_argument("--kinds", type=kinds_of, default=[*KINDS], help=f"of {', '.join(KINDS)}")


JUDGE = Judge(__doc__, "sclite", draw, compare, 3000, add_options)

if __name__ == "__main__":
    sys.exit(judge_cases(JUDGE))
