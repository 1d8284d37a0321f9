"""Compare our sc_stats with the original on random ensembles.

    python tests/judges/sc_stats/run.py --cases 1000 --seed 1 [--scored]

With `--scored` the original sclite makes the alignments, otherwise they are drawn as they are.
Differences are saved below `differences/` (standard input, arguments, a diff). The exit status is
1 if there is any.
"""

from __future__ import annotations

import argparse
import shlex
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.judges.sc_stats.generate import Case, generate
from tests.judges.sc_stats.programs import Outcome, run_original, run_ours
from tests.judges.sc_stats.scored import scored_case
from tests.judges.sclite.compare import unified_difference


def judge(case: Case) -> tuple[str, str, Outcome]:
    """`same`, `different`, `traceback` or `original fails`; the difference; what we gave."""
    truth, ours = run_original(case), run_ours(case)
    difference = unified_difference(truth.parts(), ours.parts())
    if ours.crashed or b"Traceback (most recent call last)" in ours.stderr:
        return "traceback", difference + ours.stderr.decode("latin-1"), ours
    if truth.crashed:
        return "original fails", "", ours
    return "different" if difference else "same", difference, ours


def main(words: Sequence[str] | None = None) -> int:
    """Run the command."""
    options = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    options.add_argument("--cases", type=int, default=1000)
    options.add_argument("--first", type=int, default=0)
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--scored", action="store_true", help="alignments by the original sclite")
    options.add_argument("--save", type=Path, default=Path("differences"), metavar="DIR")
    options.add_argument("--most", type=int, default=10, help="differences after which to stop")
    arguments = options.parse_args(words)
    verdicts: Counter[str] = Counter()
    exercised: Counter[str] = Counter()
    for number in range(arguments.first, arguments.first + arguments.cases):
        case = (scored_case if arguments.scored else generate)(arguments.seed, number)
        verdict, difference, _ = judge(case)
        verdicts[verdict] += 1
        if verdict == "same":
            exercised.update(set(case.arguments))
        if verdict in ("different", "traceback"):
            place = arguments.save / case.name
            place.mkdir(parents=True, exist_ok=True)
            (place / "stdin").write_bytes(case.stdin)
            (place / "arguments").write_text(shlex.join(case.arguments) + "\n", "utf-8")
            (place / "difference.diff").write_text(difference + "\n", "latin-1")
            print(f"{verdict}: {place}: {shlex.join(case.arguments)}")
            if verdicts["different"] + verdicts["traceback"] >= arguments.most:
                break
    print(", ".join(f"{count} {verdict}" for verdict, count in sorted(verdicts.items())))
    print(", ".join(f"{name} {count}" for name, count in sorted(exercised.items())))
    return int(verdicts["different"] + verdicts["traceback"] > 0)


if __name__ == "__main__":
    sys.exit(main())
