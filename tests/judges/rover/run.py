"""Our rover against the original on random cases.

    python tests/judges/rover/run.py [--cases N] [--seed S] [--core native|plain] [--long] [--keep FOLDER]

A case the original cannot finish (it crashes, or writes without end) must end in a message of
ours; all others must give the same bytes.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.judge import judge
from tests.judges.rover.cases import Case, draw, draw_long
from tests.judges.sclite.programs import our_environment

REMARK = b"rover: warning: "
SECONDS = 5  # of a processor: however busy the machine is
LARGEST_FILE = 200_000  # bytes
OUTPUT = "out"


class Outcome(NamedTuple):
    """What one run gave; `output` is None if there is no file."""

    status: int
    stdout: bytes
    stderr: bytes
    output: bytes | None

    @property
    def crashed(self) -> bool:
        """Whether it was ended by a signal."""
        return self.status < 0


def limit(largest: int = LARGEST_FILE) -> None:
    """Bound the time and the output of the process about to start: it can write without end."""
    resource.setrlimit(resource.RLIMIT_CPU, (1, 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_original(program: str, case: Case) -> Outcome:
    """Run the original under limits of time and space."""
    with tempfile.TemporaryDirectory(prefix="rover-case-") as place:
        work, streams = make_room(case, Path(place))
        with open(streams / "1", "wb") as stdout, open(streams / "2", "wb") as stderr:
            done = subprocess.run(
                [program, *case.arguments],
                cwd=work,
                stdin=subprocess.DEVNULL,
                stdout=stdout,
                stderr=stderr,
                preexec_fn=lambda: limit(LARGEST_FILE + 50 * sum(map(len, case.files.values()))),
            )
        return collect(done.returncode, work, streams)


def make_room(case: Case, place: Path) -> tuple[Path, Path]:
    """A folder with the input files and one for the streams."""
    work, streams = place / "work", place / "streams"
    work.mkdir()
    streams.mkdir()
    for name, content in case.files.items():
        (work / name).write_bytes(content)
    return work, streams


def collect(status: int, work: Path, streams: Path) -> Outcome:
    """What a run left."""
    path = work / OUTPUT
    output = path.read_bytes() if path.exists() else None
    return Outcome(status, (streams / "1").read_bytes(), (streams / "2").read_bytes(), output)


def run_ours(case: Case) -> Outcome:
    """Run ours in a fork of this process."""
    with tempfile.TemporaryDirectory(prefix="rover-case-") as place:
        work, streams = make_room(case, Path(place))
        child = os.fork()
        if child == 0:
            _be_rover(case.arguments, work, streams)
        _, state = os.waitpid(child, 0)
        return collect(os.waitstatus_to_exitcode(state), work, streams)


def _be_rover(arguments: Sequence[str], work: Path, streams: Path) -> None:
    import traceback

    status = 99
    try:
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        for descriptor in (1, 2):
            target = os.open(streams / str(descriptor), os.O_WRONLY | os.O_CREAT)
            os.dup2(target, descriptor)
        os.chdir(work)
        from scoring.cli.rover import main

        with open(1, "w", closefd=False) as stdout, open(2, "w", closefd=False) as stderr:
            sys.stdout, sys.stderr = stdout, stderr  # under pytest they lead elsewhere
            status = main(list(arguments))
    except BaseException:
        os.write(2, traceback.format_exc().encode())
    finally:
        os._exit(status)


def without_remarks(stderr: bytes) -> bytes:
    """The error stream without our own remarks."""
    lines = stderr.splitlines(keepends=True)
    return b"".join(line for line in lines if not line.startswith(REMARK))


def difference(truth: Outcome, ours: Outcome) -> str:
    """What is wrong with our outcome; empty if nothing is."""
    if b"Traceback" in ours.stderr:
        return f"a traceback:\n{ours.stderr.decode('latin-1')}"
    if truth.crashed:
        text = without_remarks(ours.stderr)
        said = text.startswith(b"rover: ") and text.count(b"\n") == 1
        clean = ours.status == 1 and said and not ours.stdout and ours.output is None
        return "" if clean else f"the original crashes ({truth.status}), ours gives {ours}"
    ours = ours._replace(stderr=without_remarks(ours.stderr))
    parts = zip(Outcome._fields, truth, ours, strict=True)
    return "\n".join(f"{name}:\n{one!r}\n{two!r}" for name, one, two in parts if one != two)


def main() -> int:
    """Draw and compare; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--cases", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--core", choices=("native", "plain"), default="native")
    parser.add_argument("--long", action="store_true", help="thousands of words per file")
    parser.add_argument("--keep", type=Path, help="folder for the cases that differ")
    options = parser.parse_args()
    os.environ["SCORING_ALIGN"] = our_environment(options.core)["SCORING_ALIGN"]
    import scoring.cli.rover  # noqa: F401  (once, before forking)

    program = judge("rover")
    if program is None:
        print("sctk, the judge, is not installed (apt-get install sctk)")
        return 1
    differing = crashed = 0
    for number in range(options.cases):
        case = (draw_long if options.long else draw)(options.seed, number)
        truth = run_original(program, case)
        crashed += truth.crashed
        found = difference(truth, run_ours(case))
        if not found:
            continue
        differing += 1
        print(f"case {number}: rover {' '.join(case.arguments)}\n{found[:3000]}\n")
        if options.keep is not None:
            folder = options.keep / f"{options.seed}-{number}"
            folder.mkdir(parents=True, exist_ok=True)
            for name, content in case.files.items():
                (folder / name).write_bytes(content)
            (folder / "command").write_text(" ".join(case.arguments) + "\n", "latin-1")
    print(
        f"seed {options.seed}: {options.cases} cases, {differing} differ, "
        f"the original crashed on {crashed}"
    )
    return int(differing > 0)


if __name__ == "__main__":
    sys.exit(main())
