"""Look for what readers, writers, compiled functions and commands cannot stand.

    python -m tests.fuzz --seconds 60 --seed 1
    python -m tests.fuzz --most 3000 --seed 1
    python -m tests.fuzz --seed 1 --case 17 --keep tests/fuzz/corpus

tries inputs drawn from the seed: until the time is up, or as many as ``--most`` says, the same on
every machine (if the time is up before, the last line says so). Inputs are documents of the
contract suite spoiled in many ways and read, random transcripts written and read back, the compiled
functions beside their plain twins, commands. Each kind of fault is printed once, with the line that
shows it again; then the exit status is 1. ``--keep`` writes the inputs into a folder; those of the
corpus are tried by ``tests/fuzz/test_corpus.py`` ever after.
"""

from __future__ import annotations

import argparse
import math
import sys
from collections.abc import Sequence
from pathlib import Path

from tests.fuzz.inputs import Finding, Input
from tests.fuzz.trials import check, drawn
from tests.fuzz.worker import Limits, results, within

ENDLESS = 1 << 40


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser("python -m tests.fuzz", description=__doc__, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument(
        "--seconds", type=float, help="how long to look at most (60 without --most)"
    )
    parser.add_argument("--most", type=int, help="how many inputs to try")
    parser.add_argument("--seed", type=int, default=1, help="where the inputs come from")
    parser.add_argument("--case", type=int, help="try this one input alone")
    parser.add_argument("--only", help="a part of the kind and name of what is tried")
    parser.add_argument("--keep", type=Path, help="folder to write what is found to")
    arguments = parser.parse_args(argv)
    if arguments.case is not None:
        return _one(drawn(arguments.seed, arguments.case), arguments.keep)

    def try_it(given: Input) -> None:
        if arguments.only is None or arguments.only in f"{given.kind} {given.name}":
            check(given)

    most = ENDLESS if arguments.most is None else arguments.most
    seconds = arguments.seconds or (60 if arguments.most is None else math.inf)
    found: dict[str, int] = {}
    tried = 0
    cases = results(
        lambda n: drawn(arguments.seed, n),
        try_it,
        Limits(),
        range(most),
        seconds,
    )
    for number, key, message in cases:
        tried += 1
        if key and key not in found:
            print(
                f"{message}\n    python -m tests.fuzz --seed {arguments.seed} --case {number}",
                flush=True,
            )
        if key:
            found[key] = found.get(key, 0) + 1
    print(f"{tried} inputs, {sum(found.values())} faults of {len(found)} kinds")
    if tried < most < ENDLESS:
        print(f"the time was up before the other {most - tried} inputs")
    return 1 if found else 0


def _one(given: Input, keep: Path | None) -> int:
    try:
        within(Limits(), given, check)
    except Finding as finding:
        print(finding)
        if keep is not None:
            print(finding.input.keep(keep))
        return 1
    print(f"{given.kind} {given.name}: nothing found")
    return 0


if __name__ == "__main__":
    sys.exit(main())
