"""Our asclite against the original on random cases.

    python tests/judges/asclite/run.py [--cases N] [--seed S] [--first K]

A case the original cannot finish must end in a message of ours; all others must give the same bytes,
but for what `programs.comparable` takes out.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.judge import MISSING, judge
from tests.judges.asclite.cases import draw
from tests.judges.asclite.programs import difference, in_a_folder

LOST = b"lies in no segment of its group"


def compare(program: str, seed: int, number: int) -> tuple[bool, str]:
    """Whether the original finished a case, and in what ours differs."""
    case = draw(seed, number)
    truth = in_a_folder(case.files, case.arguments, program)
    ours = in_a_folder(case.files, case.arguments, None)
    if truth.status < 0:
        told = ours.status in (0, 3) or (ours.status in (5, 6) and b"asclite: " in ours.stderr)
        return False, "" if told else f"the original crashed, ours ended with {ours.status}"
    if truth.status == ours.status == 6 and LOST in ours.stderr:
        return True, ""  # both end there; the original says it in three lines
    return True, difference(truth, ours)


def main() -> int:
    """Compare so many cases; 1 if any differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    given = parser.parse_args()
    program = judge("asclite")
    if program is None:
        print(MISSING, file=sys.stderr)
        return 2
    differing = crashed = 0
    for number in range(given.first, given.first + given.cases):
        finished, found = compare(program, given.seed, number)
        crashed += not finished
        if found:
            differing += 1
            print(
                f"case {number}: asclite {shlex.join(draw(given.seed, number).arguments)}\n{found}"
            )
    print(f"{given.cases} cases of seed {given.seed}: {crashed} crashed, {differing} differ")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
