"""Our asclite against the original on random cases.

    python tests/judges/asclite/run.py [--cases N] [--seed S] [--first K]

A case the original cannot finish must end in a message of ours; all others must give the same bytes,
but for what `programs.comparable` takes out.
"""

import argparse
import shlex
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.judges.asclite.cases import Case, draw
from tests.judges.asclite.programs import difference, in_a_folder
from tests.judges.frame import Judge, Verdict, judge_cases, original

LOST = b"lies in no segment of its group"


def compare(program: str, case: Case) -> tuple[bool, str]:
    """Whether the original finished a case, and in what ours differs."""
    truth = in_a_folder(case.files, case.arguments, program)
    ours = in_a_folder(case.files, case.arguments, None)
    if truth.status < 0:
        is_reported = ours.status in (5, 6) and b"asclite: " in ours.stderr
        if ours.status in (0, 3) or is_reported:
            return False, ""
        return False, f"the original crashed, ours ended with {ours.status}"
    if truth.status == ours.status == 6 and LOST in ours.stderr:
        return True, ""  # both end there; the original says it in three lines
    return True, difference(truth, ours)


def verdict(options: argparse.Namespace, case: Case) -> Verdict:
    """Run both on a case."""
    has_finished, text = compare(original("asclite"), case)
    name = "different" if text else "same" if has_finished else "original crashes"
    return Verdict(name, f"asclite {shlex.join(case.arguments)}\n{text}", case.files)


JUDGE = Judge(__doc__, "asclite", lambda options, number: draw(options.seed, number), verdict, 500)

if __name__ == "__main__":
    sys.exit(judge_cases(JUDGE))
