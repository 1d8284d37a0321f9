"""Make the goldens of `sclite/` again, with the original and nothing else.

    python tests/golden/make.py [name …]

A case is a folder with `command` (the arguments, quoted for a shell), `what` (one line) and the
input files. This script runs Debian's sclite in a copy of the folder and rewrites `expected/`
(standard output, exit status, error output if any, every file written) and `ORIGIN.md`. Our own
sclite takes no part, so the two can disagree.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1]))

from tests.differential.compare import without_dates, without_usage
from tests.differential.programs import Original, run_in

CASES = FOLDER / "sclite"
NOT_INPUT = ("command", "what", "expected", "ORIGIN.md")
ORIGIN = """Made by sclite of Debian's package sctk {version} with

    sctk sclite {command}

on input files written for this case. The date of creation was replaced by CREATION-DATE and the
usage text cut out of the error output; nothing else was changed.
"""


def package_version() -> str:
    """The version of the installed package, as the package manager gives it."""
    query = ["dpkg-query", "--showformat=${Version}", "--show", "sctk"]
    return subprocess.run(query, capture_output=True, text=True, check=True).stdout


def make(case: Path, original: Original, version: str) -> None:
    """Run one case and store what came out."""
    command = (case / "command").read_text("utf-8").strip()
    with tempfile.TemporaryDirectory(prefix="sclite-golden-") as place:
        work, streams = Path(place, "work"), Path(place, "streams")
        shutil.copytree(case, work, ignore=shutil.ignore_patterns(*NOT_INPUT))
        streams.mkdir()
        outcome = run_in(original, shlex.split(command), work, streams)
    if not outcome.finished:
        raise SystemExit(f"{case.name}: the original did not finish (status {outcome.status})")
    contents = {
        **outcome.files,
        "stdout": outcome.stdout,
        "status": b"%d\n" % (outcome.status or 0),
    }
    stderr = without_usage(outcome.stderr)
    if stderr:
        contents["stderr"] = stderr
    shutil.rmtree(case / "expected", ignore_errors=True)
    for name, content in contents.items():
        path = case / "expected" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(without_dates(content))
    (case / "ORIGIN.md").write_text(ORIGIN.format(version=version, command=command), "utf-8")


def main(names: Sequence[str]) -> int:
    """Make the named cases, or all."""
    known = sorted(path.parent.name for path in CASES.glob("*/command"))
    unknown = sorted({*names} - {*known})
    if unknown:
        print(f"no such case: {', '.join(unknown)}", file=sys.stderr)
        return 2
    original, version = Original(), package_version()
    for name in names or known:
        make(CASES / name, original, version)
    print(f"{len(names or known)} cases made with sctk {version}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
