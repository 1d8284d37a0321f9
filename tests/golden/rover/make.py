"""Make the goldens of rover again, with the original and nothing else.

    python tests/golden/rover/make.py [name …]

A case is a folder with `arguments` (quoted for a shell), `what` (one line) and the input files.
This script runs Debian's rover in a copy of the folder and rewrites `expected/` (standard output,
exit status, error output if any, every file written) and `ORIGIN.md`. Our own rover takes no part.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.rover.run import limit, original

CASES = Path(__file__).resolve().parent
NOT_INPUT = ("arguments", "what", "expected", "ORIGIN.md")
ORIGIN = """Made by rover of Debian's package sctk {version} with

    sctk rover {arguments}

on input files written for this case. Nothing was changed.
"""


def package_version() -> str:
    """The version of the installed package, as the package manager gives it."""
    query = ["dpkg-query", "--showformat=${Version}", "--show", "sctk"]
    return subprocess.run(query, capture_output=True, text=True, check=True).stdout


def make(case: Path, program: str, version: str) -> None:
    """Run one case and store what came out."""
    arguments = (case / "arguments").read_text("utf-8").strip()
    with tempfile.TemporaryDirectory(prefix="rover-golden-") as place:
        work = Path(place, "work")
        shutil.copytree(case, work, ignore=shutil.ignore_patterns(*NOT_INPUT))
        inputs = {path.name for path in work.iterdir()}
        done = subprocess.run(
            [program, *shlex.split(arguments)], cwd=work, capture_output=True, preexec_fn=limit
        )
        written = {path.name: path.read_bytes() for path in work.iterdir()}
    if done.returncode < 0:
        raise SystemExit(f"{case.name}: the original did not finish (status {done.returncode})")
    contents = {name: data for name, data in written.items() if name not in inputs}
    contents["stdout"] = done.stdout
    contents["status"] = b"%d\n" % done.returncode
    if done.stderr:
        contents["stderr"] = done.stderr
    shutil.rmtree(case / "expected", ignore_errors=True)
    (case / "expected").mkdir()
    for name, content in contents.items():
        (case / "expected" / name).write_bytes(content)
    origin = ORIGIN.format(version=version, arguments=arguments)
    (case / "ORIGIN.md").write_text(origin, "utf-8")


def main(names: Sequence[str]) -> int:
    """Make the named cases, or all."""
    program = original()
    if program is None:
        print("sctk is not installed", file=sys.stderr)
        return 1
    version = package_version()
    cases = [CASES / name for name in names] or sorted(p.parent for p in CASES.glob("*/arguments"))
    for case in cases:
        make(case, program, version)
    print(f"{len(cases)} cases made with sctk {version}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
