"""Our md-eval.pl against the original on random cases.

    python tests/judges/md_eval/run.py [--cases N] [--seed S] [--first N] [--show]

Where two mappings of speakers are equally good, the original chooses by rounding and by the way it
search, so that such cases (`tied`) are compared only in what does not depend on the mapping.
Where the original's own result changes from run to run, with the order of its hashes, ours has to be one
of them (`shifting`).
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import io
import os
import re
import subprocess
import sys
import tempfile
from itertools import permutations
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from scoring.cli.md_eval import main as md_eval
from tests.judge import MISSING, judge
from tests.judges.md_eval.cases import Case, draw

ORDERS = 40
"""So many orders of hashes are tried."""
STAMP = re.compile(rb"^command line .*\n")
OF_THE_MAPPING = re.compile(
    rb"(?m)^( SPEAKER ERROR TIME| OVERALL|unknown|  FALSE|'|SPEAKER ERROR WORDS).*\n"
)
USAGE = re.compile(rb"\n*Usage: .*", re.DOTALL)
OF_METADATA = re.compile(
    rb"\n(?:\w+ alignment and scoring details for .*(?:\n .*)*\n"
    rb"|Chronological display .*\n(?:.+\n)*"
    rb"|\*\*\* Performance analysis for (?!Speaker)(?s:.*?)(?=\n\*\*\* Perf|\Z))"
)
ABOUT_METADATA = re.compile(
    rb"\nWARNING:  (?:A \w+|reference|system output) metadata .*\n.*\n"
    rb"|warning: metadata are not scored, .*\n"
)


def without_usage(stderr: bytes) -> bytes:
    """Cut the usage text, whose wording is each program's own."""
    return USAGE.sub(b"", stderr)


def without_metadata(stdout: bytes) -> bytes:
    """Cut the sections about metadata, which only the original has."""
    return OF_METADATA.sub(b"", stdout)


class Outcome(NamedTuple):
    """What one run gave: whether it ended well, its output, its warnings, the mapping's file."""

    good: bool
    stdout: bytes
    warnings: list[bytes]
    mapping: bytes | None

    def without_mapping(self) -> Outcome:
        """What does not depend on which of two equal mappings is taken."""
        stdout = OF_THE_MAPPING.sub(b"", self.stdout)
        mapping = None if self.mapping is None else self.mapping.replace(b"notmapped", b"mapped")
        return self._replace(stdout=stdout, mapping=mapping)


def is_same(truth: Outcome, ours: Outcome) -> bool:
    """Whether ours gave the same, or the same as far as the original came."""
    return truth == ours or (not truth.good and ours.stdout.startswith(truth.stdout))


def outcome(status: int, stdout: bytes, stderr: bytes) -> Outcome:
    """What stands in the current folder after a run."""
    warnings = sorted(line for line in stderr.splitlines() if line.startswith(b"WARNING:"))
    path = Path("map.csv")
    mapping = path.read_bytes() if path.exists() else None
    path.unlink(missing_ok=True)
    return Outcome(status == 0, STAMP.sub(b"", stdout), warnings, mapping)


def run_original(program: str, case: Case, order: int | None = None) -> Outcome:
    """Run the original, with a certain order of its hashes or any."""
    environment = None
    if order is not None:
        environment = {**os.environ, "PERL_HASH_SEED": str(order), "PERL_PERTURB_KEYS": "2"}
    done = subprocess.run([program, *case.arguments], capture_output=True, env=environment)
    return outcome(done.returncode, done.stdout, done.stderr)


def run_ours(case: Case) -> Outcome:
    """Run ours in this process."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "latin-1") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = md_eval(case.arguments)
    texts = (stream.detach().getvalue() for stream in (out, err))
    return outcome(status, *texts)


def is_tied(program: str, case: Case) -> bool:
    """Whether some file has several best mappings, as the original prints the times in common.

    It maps before it leaves anything out, so it is asked without what may leave it nothing to score.
    """
    arguments = [one for one in case.arguments if one not in ("-M", "map.csv", "-1")]
    if "-c" in arguments:
        at = arguments.index("-c")
        del arguments[at : at + 2]
    done = subprocess.run([program, "-M", "ties.csv", *arguments], capture_output=True)
    path = Path("ties.csv")
    rows = [line.split(",") for line in path.read_text().splitlines()[1:]]
    path.unlink()
    assert done.stdout
    for place in {tuple(row[:2]) for row in rows}:
        times = {(row[2], row[3]): float(row[5]) for row in rows if tuple(row[:2]) == place}
        told, heard = sorted({one for one, _ in times}), sorted({one for _, one in times})
        heard += [f"nobody{at}" for at in range(len(told))]
        mappings = {
            tuple(pair for pair in zip(told, chosen, strict=False) if pair in times)
            for chosen in permutations(heard, len(told))
        }
        sums = sorted((sum(times[pair] for pair in one) for one in mappings), reverse=True)
        if len(sums) > 1 and sums[0] - sums[1] < 1e-3:
            return True
    return False


def main() -> int:
    """Draw and compare; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=500)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    program = judge("md-eval.pl")
    if program is None:
        print(MISSING)
        return 1
    differing = tied = shifting = failed = 0
    with tempfile.TemporaryDirectory(prefix="md-eval-") as folder:
        os.chdir(folder)
        for number in range(options.first, options.first + options.cases):
            case = draw(options.seed, number)
            for old in Path().iterdir():
                old.unlink()
            for name, content in case.files.items():
                Path(name).write_bytes(content)
            truth, ours = run_original(program, case), run_ours(case)
            failed += not truth.good
            if is_same(truth, ours):
                continue
            is_tie = is_tied(program, case)
            if is_tie:
                tied += 1
                if is_same(truth.without_mapping(), ours.without_mapping()):
                    continue
            others = [run_original(program, case, order) for order in range(ORDERS)]
            if any(is_same(one, ours) for one in others) or (
                is_tie
                and any(is_same(one.without_mapping(), ours.without_mapping()) for one in others)
            ):
                shifting += 1
                continue
            differing += 1
            print(f"case {number}: md-eval.pl {' '.join(case.arguments)}")
            for part in (1, 2, 3):
                if truth[part] != ours[part]:
                    one, two = (_lines(each[part]) for each in (truth, ours))
                    print("\n".join(difflib.unified_diff(one, two, lineterm="", n=0)))
        os.chdir("/")
    print(
        f"seed {options.seed}: {options.cases} cases, {differing} differ, {tied} have tied "
        f"mappings that come out otherwise, {shifting} change with the original's hashes, it ends early on {failed}"
    )
    return int(differing > 0)


def _lines(part: object) -> list[str]:
    if isinstance(part, bytes):
        return part.decode("latin-1").splitlines()
    return [repr(one) for one in part] if isinstance(part, list) else [repr(part)]


if __name__ == "__main__":
    sys.exit(main())
