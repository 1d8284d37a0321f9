"""Compare our sc_stats with the original on random ensembles.

    python tests/judges/sc_stats/run.py --cases 1000 --seed 1 [--scored] [--keep FOLDER]

With `--scored` the original sclite makes the alignments, otherwise they are drawn as they are.
"""

import argparse
import shlex
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.judges.frame import Judge, Verdict, judge_cases
from tests.judges.sc_stats.generate import Case, generate
from tests.judges.sc_stats.programs import parts_of, run_original, run_ours
from tests.judges.sc_stats.scored import scored_case
from tests.judges.sclite.compare import unified_difference


def draw(options: argparse.Namespace, number: int) -> Case:
    """A case."""
    return (scored_case if options.scored else generate)(options.seed, number)


def compare(options: argparse.Namespace, case: Case) -> Verdict:
    """Run both on a case."""
    truth, ours = run_original(case), run_ours(case)
    difference = unified_difference(parts_of(truth), parts_of(ours))
    report = f"{shlex.join(case.arguments)}\n{difference}"
    if not ours.finished or b"Traceback (most recent call last)" in ours.stderr:
        report += ours.stderr.decode("latin-1")
        return Verdict("traceback", report, {"stdin": case.stdin})
    if not truth.finished:
        return Verdict("original fails")
    return Verdict("different" if difference else "same", report, {"stdin": case.stdin})


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this judge alone."""
    parser.add_argument("--scored", action="store_true", help="alignments by the original sclite")


JUDGE = Judge(__doc__, "sc_stats", draw, compare, 1000, add_options)

if __name__ == "__main__":
    sys.exit(judge_cases(JUDGE))
