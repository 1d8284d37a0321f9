"""Our md-eval.pl against the original on random cases: output, errors and status to the byte.

    python tests/judges/md_eval/run.py [--cases N] [--seed S] [--first N] [--keep FOLDER]

Not compared: the date, the usage text, our warnings that something is not scored (`same but for our
warning`), and the messages that Perl itself prints, about a value without content or a division by 0
(`same but for messages of Perl`). A word that is a rounding error outside of the scored time, in a
piece that a moved turn ends, sends the original into an endless loop.
Where the original's own result changes from run to run, with the order of its hashes, ours has to be
that of the order of names (`same in one order of hashes`): of a copy of the original whose loops over
hashes go by name.
"""

from __future__ import annotations

import argparse
import atexit
import contextlib
import difflib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from scoring.cli.tasks.md_eval import main as md_eval
from tests.judges.frame import STOPPED, Judge, Verdict, judge_cases, limited, original
from tests.judges.md_eval.cases import Case, draw

LOOP = re.compile(r"(foreach (?:my )?\$\w+ \()(keys %)")
STAMP = re.compile(rb"^command line .*\n")
USAGE = re.compile(rb"\n*Usage: .*", re.DOTALL)
OF_PERL = re.compile(rb"(?m)^.* at \S*md-eval\.pl line \d+(?:, <\w+> (?:line|chunk) \d+)?\.\n")
OUR_WARNING = re.compile(rb"(?m)^warning: .*\n")
OUR_END = re.compile(rb"(?m)^md-eval\.pl: .*\n")


def without_usage(stderr: bytes) -> bytes:
    """Cut the usage text, whose wording is each program's own."""
    return USAGE.sub(b"", stderr)


class Outcome(NamedTuple):
    """What a run leaves: its status, its output, its errors, the mapping's file."""

    status: int
    stdout: bytes
    stderr: bytes
    mapping: bytes | None

    def without_warning(self) -> Outcome:
        """Cut our warnings about what is not scored, which the original does not have."""
        return self._replace(stderr=OUR_WARNING.sub(b"", self.stderr))

    def without_perl(self) -> Outcome:
        """Cut the messages of Perl itself, and ours in place of its last."""
        stderr = OF_PERL.sub(b"", self.without_warning().stderr)
        return self._replace(stderr=OUR_END.sub(b"", stderr))


def outcome(status: int, stdout: bytes, stderr: bytes) -> Outcome:
    """What a run left in the current folder."""
    path = Path("map.csv")
    mapping = path.read_bytes() if path.exists() else None
    path.unlink(missing_ok=True)
    return Outcome(status, STAMP.sub(b"", stdout), without_usage(stderr), mapping)


def run_original(program: str, case: Case, *, by_names: bool = False) -> Outcome:
    """Run the original, with its hashes in any order or in that of names."""
    command = ["perl", "-w", _by_names(program)] if by_names else [program]
    done = subprocess.run(limited([*command, *case.arguments]), capture_output=True)
    return outcome(done.returncode, done.stdout, done.stderr)


@cache
def _by_names(program: str) -> str:
    """A copy of the original that takes the keys of hashes in order, for as long as we run."""
    folder = tempfile.mkdtemp(prefix="md-eval-by-names-")
    atexit.register(shutil.rmtree, folder)
    copy = Path(folder, "md-eval.pl")
    text = Path(program).read_text("latin-1")
    copy.write_text(LOOP.sub(r"\1sort \2", text), "latin-1")
    return str(copy)


def run_ours(case: Case) -> Outcome:
    """Run ours in this process."""
    out, err = (io.TextIOWrapper(io.BytesIO(), "latin-1") for _ in range(2))
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = md_eval(case.arguments)
    texts = (stream.detach().getvalue() for stream in (out, err))
    return outcome(status, *texts)


def compare(options: argparse.Namespace, case: Case) -> Verdict:
    """Run both on a case in a folder of its own."""
    program, here = original("md-eval.pl"), os.getcwd()
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
    if truth.status in STOPPED:
        return Verdict("the original never ends")
    if truth == ours:
        return Verdict("same")
    if truth == ours.without_warning():
        return Verdict("same but for our warning")
    truth, ours = truth.without_perl(), ours.without_perl()
    if truth == ours:
        return Verdict("same but for messages of Perl")
    if run_original(program, case, by_names=True).without_perl() == ours:
        return Verdict("same in one order of hashes")
    report = [f"md-eval.pl {' '.join(case.arguments)}"]
    for part in range(4):
        if truth[part] != ours[part]:
            expected, result = (_lines(outcome[part]) for outcome in (truth, ours))
            report += difflib.unified_diff(expected, result, lineterm="", n=0)
    return Verdict("different", "\n".join(report), case.files)


def _lines(part: object) -> list[str]:
    if isinstance(part, bytes):
        return part.decode("latin-1").splitlines()
    return [repr(part)]


JUDGE = Judge(
    __doc__, "md-eval.pl", lambda options, number: draw(options.seed, number), compare, 500
)

if __name__ == "__main__":
    sys.exit(judge_cases(JUDGE))
