"""Our md-eval.pl against the original on random cases.

    python tests/judges/md_eval/run.py [--cases N] [--seed S] [--first N] [--keep FOLDER]

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

from scoring.cli.tasks.md_eval import main as md_eval
from tests.judges.frame import Verdict, judge_cases, original
from tests.judges.md_eval.cases import Case, draw

ORDERS = 40
"""So many orders of hashes are tried."""
STAMP = re.compile(rb"^command line .*\n")
OF_THE_MAPPING = re.compile(
    rb"(?m)^( SPEAKER ERROR TIME| OVERALL|unknown|  FALSE|'|SPEAKER ERROR WORDS).*\n"
)
PAIR = re.compile(rb"(?m)^'.*' => '")
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
        """What does not depend on which of two equal mappings is taken, with their sizes."""
        stdout = OF_THE_MAPPING.sub(b"", self.stdout)
        stdout += b"%d pairs" % len(PAIR.findall(self.stdout))
        mapping = self.mapping
        if mapping is not None:
            pairs = mapping.count(b",mapped,")
            mapping = mapping.replace(b"notmapped", b"mapped") + b"%d pairs" % pairs
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


def compare(options: argparse.Namespace, number: int) -> Verdict:
    """Draw a case and run both on it in a folder of its own."""
    program, case, here = original("md-eval.pl"), draw(options.seed, number), os.getcwd()
    with tempfile.TemporaryDirectory(prefix="md-eval-") as folder:
        os.chdir(folder)
        try:
            for name, content in case.files.items():
                Path(name).write_bytes(content)
            return _verdict(program, case)
        finally:
            os.chdir(here)


def _verdict(program: str, case: Case) -> Verdict:
    truth, ours = run_original(program, case), run_ours(case)
    if is_same(truth, ours):
        return Verdict("same" if truth.good else "same to the original's early end")
    is_tie = is_tied(program, case)
    if is_tie and is_same(truth.without_mapping(), ours.without_mapping()):
        return Verdict("tied mapping")
    for order in range(ORDERS):
        other = run_original(program, case, order)
        is_other = is_tie and is_same(other.without_mapping(), ours.without_mapping())
        if is_same(other, ours) or is_other:
            return Verdict("another order of hashes")
    report = [f"md-eval.pl {' '.join(case.arguments)}"]
    for part in (1, 2, 3):
        if truth[part] != ours[part]:
            expected, result = (_lines(outcome[part]) for outcome in (truth, ours))
            report += difflib.unified_diff(expected, result, lineterm="", n=0)
    return Verdict("different", "\n".join(report), case.files)


def _lines(part: object) -> list[str]:
    if isinstance(part, bytes):
        return part.decode("latin-1").splitlines()
    return [repr(one) for one in part] if isinstance(part, list) else [repr(part)]


if __name__ == "__main__":
    sys.exit(judge_cases(__doc__, "md-eval.pl", compare, 500))
