"""Make the goldens of `sc_stats/` again, with the originals and nothing else.

    python tests/golden/make_sc_stats.py [name …]

A case is a folder with `what` (one line), `arguments` (of sc_stats, quoted for a shell) and
`scoring` (a line of sclite's arguments for every system, files from `sc_stats/systems`; the line
`text …` adds the rest of the line and a newline as it is). This script has Debian's sclite align
the systems into `stdin`, runs Debian's sc_stats on it and rewrites `expected/` and `ORIGIN.md`. Our
own programs take no part.
"""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parents[1]))

from tests.comparison.generate import Case
from tests.comparison.programs import limit, program_path, run_original, without_usage
from tests.differential.compare import without_dates

CASES = FOLDER / "sc_stats"
SYSTEMS = CASES / "systems"
ORIGIN = """Made by sclite and sc_stats of Debian's package sctk {version}:

{commands}

on the files in `systems/`, written for this project. The dates of creation were replaced by
CREATION-DATE and the usage text cut out of the error output; nothing else was changed.
"""


def package_version() -> str:
    """The version of the installed package, as the package manager gives it."""
    query = ["dpkg-query", "--showformat=${Version}", "--show", "sctk"]
    return subprocess.run(query, capture_output=True, text=True, check=True).stdout


def aligned(line: str) -> bytes:
    """The alignments of one line of `scoring`."""
    if line.startswith("text "):
        return line.removeprefix("text ").encode() + b"\n"
    program = program_path("sclite")
    if program is None:
        raise SystemExit("sctk is not installed: there is no judge")
    done = subprocess.run(
        [program, *shlex.split(line), "-o", "sgml", "stdout", "-f", "0"],
        cwd=SYSTEMS,
        capture_output=True,
        env={"LC_ALL": "C", "TZ": "UTC"},
        preexec_fn=limit,
        check=True,
    )
    return without_dates(done.stdout)


def make(case: Path, version: str) -> None:
    """Run one case and store what came out."""
    arguments = (case / "arguments").read_text("utf-8").strip()
    scoring = (case / "scoring").read_text("utf-8").splitlines()
    stdin = b"".join(map(aligned, scoring))
    (case / "stdin").write_bytes(stdin)
    outcome = run_original(Case(case.name, tuple(shlex.split(arguments)), stdin))
    if outcome.crashed:
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
        path.write_bytes(content)
    commands = [
        f"    sctk sclite {line} -o sgml stdout -f 0 >> stdin"
        for line in scoring
        if not line.startswith("text ")
    ]
    commands.append(f"    sctk sc_stats {arguments} < stdin")
    text = ORIGIN.format(version=version, commands="\n".join(commands))
    (case / "ORIGIN.md").write_text(text, "utf-8")


def main(names: Sequence[str]) -> int:
    """Make the named cases, or all."""
    known = sorted(path.parent.name for path in CASES.glob("*/arguments"))
    unknown = sorted({*names} - {*known})
    if unknown:
        print(f"no such case: {', '.join(unknown)}", file=sys.stderr)
        return 2
    version = package_version()
    for name in names or known:
        make(CASES / name, version)
    print(f"{len(names or known)} cases made with sctk {version}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
