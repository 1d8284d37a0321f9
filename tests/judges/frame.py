"""The frame of the judges: runs of an original and of ours in a folder, and the loop over cases."""

import argparse
import os
import resource
import signal
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.judge import MISSING, judge
from tests.judges.sclite.case import read_files
from tests.judges.sclite.compare import Outcome

SECONDS = 10
LARGEST_FILE = 20_000_000  # bytes: an original can write without end
ENVIRONMENT = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC"}
STOPPED = (-signal.SIGXCPU, -signal.SIGXFSZ, -signal.SIGKILL)
FAILURES = ("different", "traceback")


class Verdict(NamedTuple):
    """What a comparison came to, what to print of it, and the files that show it."""

    name: str
    report: str = ""
    files: Mapping[str, bytes] = {}


def original(program: str) -> str:
    """The path of an original program; an error where it is not installed."""
    path = judge(program)
    if path is None:
        raise FileNotFoundError(MISSING)
    return path


def limit(seconds: int = SECONDS, largest: int = LARGEST_FILE) -> None:
    """Bound the time and the output of the process about to start."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_FSIZE, (largest, largest))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def run_limited(
    command: Sequence[str],
    directory: Path,
    streams: Path,
    *,
    seconds: int = SECONDS,
    largest: int = LARGEST_FILE,
    environment: Mapping[str, str] = ENVIRONMENT,
) -> int | None:
    """Run a command under the limits; None if it had to be stopped."""
    stdin_path = streams / "stdin"
    with (
        open(stdin_path if stdin_path.exists() else os.devnull, "rb") as stdin,
        open(streams / "stdout", "wb") as stdout,
        open(streams / "stderr", "wb") as stderr,
    ):
        try:
            finished = subprocess.run(
                command,
                cwd=directory,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                env=environment,
                timeout=2 * SECONDS + seconds,
                preexec_fn=partial(limit, seconds, largest),
            )
        except subprocess.TimeoutExpired:
            return None
    return None if finished.returncode in STOPPED else finished.returncode


def run_forked(
    main: Callable[[list[str]], int], arguments: Sequence[str], directory: Path, streams: Path
) -> int | None:
    """Run a command of ours in a fork of this process, under a limit of time."""
    child = os.fork()
    if child == 0:
        _be(main, arguments, directory, streams)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _be(
    main: Callable[[list[str]], int], arguments: Sequence[str], directory: Path, streams: Path
) -> None:
    status = 99
    try:
        signal.setitimer(signal.ITIMER_PROF, 6 * SECONDS)  # of a processor, however busy it is
        stdin_path = streams / "stdin"
        os.dup2(os.open(stdin_path if stdin_path.exists() else os.devnull, os.O_RDONLY), 0)
        for descriptor, name in ((1, "stdout"), (2, "stderr")):
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
            os.dup2(os.open(streams / name, flags, 0o644), descriptor)
        # under pytest they lead elsewhere
        sys.stdin = open(0, encoding="latin-1", closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", encoding="latin-1", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", encoding="latin-1", closefd=False)  # noqa: SIM115
        os.chdir(directory)
        status = main(list(arguments))
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status & 0xFF)


def run_with(
    files: Mapping[str, bytes],
    execute: Callable[[Path, Path], int | None],
    stdin: bytes | None = None,
    folders: Sequence[str] = (),
) -> Outcome:
    """What a run leaves behind in a new folder with some files: those it wrote, and its streams."""
    with tempfile.TemporaryDirectory(prefix="judge-case-") as place:
        directory, streams = Path(place, "work"), Path(place, "streams")
        for folder in (directory, streams, *(directory / name for name in folders)):
            folder.mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            path = directory / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if stdin is not None:
            (streams / "stdin").write_bytes(stdin)
        status = execute(directory, streams)
        written = {n: data for n, data in read_files(directory).items() if files.get(n) != data}
        stdout = (streams / "stdout").read_bytes()
        return Outcome(status, stdout, (streams / "stderr").read_bytes(), written)


def judge_cases(
    description: str | None,
    program: str,
    compare: Callable[[argparse.Namespace, int], Verdict],
    cases: int,
    add_options: Callable[[argparse.ArgumentParser], object] = lambda parser: None,
) -> int:
    """Draw and compare by the command line; 1 if anything differs."""
    parser = argparse.ArgumentParser(description=(description or "").partition("\n")[0])
    parser.add_argument("--cases", type=int, default=cases)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most", type=int, default=10, help="differences after which to stop")
    parser.add_argument("--keep", type=Path, help="folder for the cases that differ")
    add_options(parser)
    options = parser.parse_args()
    if judge(program) is None:
        print(MISSING, file=sys.stderr)
        return 1
    verdicts: Counter[str] = Counter()
    for number in range(options.first, options.first + options.cases):
        verdict = compare(options, number)
        verdicts[verdict.name] += 1
        if verdict.name not in FAILURES:
            continue
        print(f"case {number}, {verdict.name}: {verdict.report[:3000]}\n", flush=True)
        if options.keep is not None:
            folder = options.keep / f"{options.seed}-{number}"
            folder.mkdir(parents=True, exist_ok=True)
            for name, content in {**verdict.files, "report": verdict.report.encode()}.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes(content)
        if sum(verdicts[name] for name in FAILURES) >= options.most:
            break
    counts = ", ".join(f"{count} {name}" for name, count in sorted(verdicts.items()))
    print(f"seed {options.seed}: {counts or 'no cases'}")
    return int(any(verdicts[name] for name in FAILURES))
