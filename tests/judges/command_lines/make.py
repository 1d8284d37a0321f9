"""Makes the goldens of command lines that stand in public scripts, with the original programs.

    python -m tests.judges.command_lines.make --programs FOLDER --versions TEXT [NAME …]

FOLDER has Kaldi's compute-wer, compute-wer-bootci and align-text, and `KWSEval`, which starts F4DE's
KWSEval.pl. TEXT says which versions they are. A case of `tests/golden/command-lines` has `what` (the
script that has the line) and `command`, which a shell runs in a copy of `inputs`.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.golden_case import FOLDER, Golden, golden_cases

CASES = "command-lines"
SHELL = ("bash", "-o", "pipefail", "-c")
ORIGIN = "Made by {versions} with\n\n    {command}\n\nin a copy of `inputs`, written for this project. {changed}\n"
CHANGED = "Versions and line numbers of messages were\nreplaced by V and N; files below `dets` are not kept."
# compute-wer[5.5.1089~1-be22]:main():compute-wer.cc:99
PLACE = re.compile(rb"\((\w[\w-]*)\[[^\]]*\]:(\w+\(\)):(?:bin/)?([\w-]+\.cc):\d+\)")


def laid_out(place: Path) -> None:
    """Write the inputs of all cases below a folder."""
    source = FOLDER / CASES / "inputs"
    for path in source.rglob("*"):
        if path.is_file():
            target = place / path.relative_to(source)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(path.read_bytes())
    (place / "out").mkdir()


def run_line(command: str, programs: Path, place: Path) -> dict[str, bytes]:
    """What a command line writes, by the names of parts."""
    laid_out(place)
    before = {path for path in place.rglob("*") if path.is_file()}
    path = f"{programs}:/usr/local/bin:/usr/bin:/bin"
    done = subprocess.run(
        [*SHELL, command],
        cwd=place,
        env={"PATH": path, "LC_ALL": "C", "PERL_HASH_SEED": "0", "PERL_PERTURB_KEYS": "0"},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        check=False,
    )
    files = {
        path.relative_to(place).as_posix(): path.read_bytes()
        for path in sorted(place.rglob("*"))
        if path.is_file() and path not in before and "dets" not in path.parent.name
    }
    return {
        **files,
        "stdout": done.stdout,
        "stderr": PLACE.sub(rb"(\1[V]:\2:\3:N)", done.stderr),
        "status": b"%d\n" % done.returncode,
    }


def remade(case: Golden, programs: Path, versions: str) -> Golden:
    """A case with what the originals write."""
    with tempfile.TemporaryDirectory(prefix="command-line-") as place:
        results = run_line(case.text("command"), programs, Path(place))
    origin = ORIGIN.format(versions=versions, command=case.text("command"), changed=CHANGED)
    return case.with_results(results, origin)


def main() -> int:
    """Run the command; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--versions", required=True)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    for case in golden_cases(CASES):
        if not arguments.names or case.name in arguments.names:
            remade(case, arguments.programs, arguments.versions).save()
    return 0


if __name__ == "__main__":
    sys.exit(main())
