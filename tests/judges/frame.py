"""The frame of the judges: runs of an original and of ours, the loop over cases, smaller cases."""

import argparse
import os
import re
import signal
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar, cast

from tests.forks import call_with_files, shared_forks
from tests.judge import JUDGES, MISSING, judge
from tests.judges.sclite.case import read_files
from tests.judges.sclite.compare import Outcome

SECONDS = 10  # of a processor
PATIENCE = 300  # seconds after which a program waits for ever, however busy the machine is
LARGEST_FILE = 20_000_000  # bytes: an original can write without end
BLOCK = 512  # bytes: the unit of `ulimit -f`
ENVIRONMENT = {"PATH": os.environ.get("PATH", ""), "LC_ALL": "C", "TZ": "UTC"}
STOPPED = (-signal.SIGXCPU, -signal.SIGXFSZ, -signal.SIGKILL)
FAILURES = ("different", "traceback")
PART = re.compile(r"^(?:---|\+\+\+) (?:original|ours)/(\S+)|^(<?\w+>?):", re.MULTILINE)
CHANGED = re.compile(r"^[-+](?!-- |\+\+ ).*", re.MULTILINE)
WORD = re.compile(r"\w+")
REPEATED = re.compile(r"(.{1,8}?)\1+")
WHERE = f"add its folder to {JUDGES}"
WORDS = ("options", "arguments", "words")
STDIN = "<stdin>"
NEWLINE = "\\n"
LARGEST_SHOWN = 2000  # bytes
TRIES = 300
Drawn = TypeVar("Drawn")


class Verdict(NamedTuple):
    """What a comparison came to, what to print of it, and the files that show it."""

    name: str
    report: str = ""
    files: Mapping[str, bytes] = {}

    def marks(self) -> set[str]:
        """Names of what differs and shapes of lines that do, as the report has them.

        A smaller case that has no other marks shows the same difference.
        """
        names = {name for names in PART.findall(self.report) for name in names if name}
        # the first line may be the command
        changed = CHANGED.findall(self.report.partition("\n")[2])
        return names | set(map(_shape, changed))


def _shape(line: str) -> str:
    """A line in which words are alike, and what is repeated is there once."""
    shape, before = WORD.sub("w", line), ""
    while shape != before:
        shape, before = REPEATED.sub(r"\1", shape), shape
    return shape


def original(program: str) -> str:
    """The path of an original program; an error where it is not installed."""
    path = judge(program)
    if path is None:
        raise FileNotFoundError(MISSING)
    return path


def limited(
    command: Sequence[str], seconds: int = SECONDS, largest: int = LARGEST_FILE
) -> list[str]:
    """A command whose time and output are bounded.

    A shell sets the limits. `preexec_fn` of Python would copy all memory of a process that tests
    have filled, which takes longer than most originals do.
    """
    script = f'ulimit -t {seconds}; ulimit -f {largest // BLOCK}; ulimit -c 0; exec "$@"'
    return ["/bin/sh", "-c", script, "limited", *command]


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
                limited(command, seconds, largest),
                cwd=directory,
                stdin=stdin,
                stdout=stdout,
                stderr=stderr,
                env=environment,
                timeout=PATIENCE,
            )
        except subprocess.TimeoutExpired:
            return None
    return None if finished.returncode in STOPPED else finished.returncode


def run_forked(
    main: Callable[[list[str]], int], arguments: Sequence[str], directory: Path, streams: Path
) -> int | None:
    """Run a command of ours in a fork of a small process, under a limit of time."""
    called = [main.__module__, main.__qualname__, str(6 * SECONDS)]
    words = ["tests.forks", *called, str(streams), *arguments]
    return shared_forks().run(words, directory, {}, call_with_files.__name__, os.environ)


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


@dataclass(frozen=True)
class Judge(Generic[Drawn]):
    """Random cases of a program, and how ours is compared with the original on one of them.

    A case is a tuple with names or a data class. What is made smaller of one that differs are its
    fields `files`, `stdin`, and `options`, `arguments` or `words`.
    """

    description: str | None
    program: str  # the original that must be there
    draw: Callable[[argparse.Namespace, int], Drawn]  # the same for the same options and number
    compare: Callable[[argparse.Namespace, Drawn], Verdict]
    cases: int  # how many, if the command line does not say
    add_options: Callable[[argparse.ArgumentParser], object] = lambda parser: None
    first_words: int = 0  # of `words`: those that stay

    def options(self, words: Sequence[str] | None = None) -> argparse.Namespace:
        """The options of a command line."""
        parser = argparse.ArgumentParser(description=(self.description or "").partition("\n")[0])
        add_options(parser, self.cases)
        parser.add_argument("--first", type=int, default=0)
        self.add_options(parser)
        return parser.parse_args(words)

    def run(self, options: argparse.Namespace) -> Counter[str]:
        """Draw and compare; print what differs, and return how many cases came to what."""
        verdicts: Counter[str] = Counter()
        for number in range(options.first, options.first + options.cases):
            case = self.draw(options, number)
            verdict = self.compare(options, case)
            verdicts[verdict.name] += 1
            if verdict.name not in FAILURES:
                continue
            text = ""
            if options.shrink:
                is_still = partial(self._is_still, options, verdict)
                small = smallest(case, is_still, self.first_words)
                text = f"drawn with {size(case)} bytes, smallest found: {size(small)}\n"
                verdict = self.compare(options, small)
            print(f"case {number}, {verdict.name}: {text}{verdict.report[:3000]}")
            print(f"{shown_files(verdict.files)}\n", flush=True)
            if options.keep is not None:
                _keep(options.keep / f"{options.seed}-{number}", verdict)
            if failures(verdicts) >= options.most:
                break
        counts = ", ".join(f"{count} {name}" for name, count in sorted(verdicts.items()))
        print(f"seed {options.seed}: {counts or 'no cases'}", flush=True)
        return verdicts

    def _is_still(self, options: argparse.Namespace, verdict: Verdict, case: Drawn) -> bool:
        try:
            other = self.compare(options, case)
        except Exception:  # a judge may need what the case no longer has
            return False
        return other.name == verdict.name and other.marks() <= verdict.marks()


def add_options(parser: argparse.ArgumentParser, cases: int, seed: int = 1) -> None:
    """The options that all judges have."""
    parser.add_argument("--cases", type=int, default=cases)
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--most", type=int, default=10, help="differences after which to stop")
    parser.add_argument("--keep", type=Path, help="folder for the cases that differ")
    parser.add_argument("--no-shrink", dest="shrink", action="store_false", help="as drawn")


def failures(verdicts: Counter[str]) -> int:
    """How many cases differ."""
    return sum(verdicts[name] for name in FAILURES)


def judge_cases(judged: Judge[Any]) -> int:
    """Draw and compare by the command line; 1 if anything differs."""
    options = judged.options()
    if judge(judged.program) is None:
        print(
            MISSING if judge("sclite") is None else f"{judged.program} is not there: {WHERE}",
            file=sys.stderr,
        )
        return 1
    return int(failures(judged.run(options)) > 0)


def _keep(folder: Path, verdict: Verdict) -> None:
    for name, content in {**verdict.files, "report": verdict.report.encode()}.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(content)


def shown_files(files: Mapping[str, bytes]) -> str:
    """Small files, to be printed."""
    return "\n".join(
        f"--- {name}\n{content.decode('latin-1').encode('unicode_escape').decode().replace(NEWLINE, chr(10))}"
        for name, content in files.items()
        if len(content) <= LARGEST_SHOWN
    )


# --- smaller cases ---


def _changed(case: Drawn, **fields: object) -> Drawn:
    if hasattr(case, "_replace"):
        return cast("Drawn", case._replace(**fields))
    return cast("Drawn", replace(cast("Any", case), **fields))


def _contents(case: object) -> dict[str, bytes]:
    stdin: bytes = getattr(case, "stdin", b"")
    return {**getattr(case, "files", {}), **({STDIN: stdin} if stdin else {})}


def size(case: object) -> int:
    """The bytes of a case's files."""
    return sum(map(len, _contents(case).values()))


def smallest(
    case: Drawn, is_still: Callable[[Drawn], bool], first_words: int = 0, tries: int = TRIES
) -> Drawn:
    """A case with fewer options, lines and fields that still differs, by so many tries at most."""
    left = tries

    def attempt(candidate: Drawn) -> bool:
        nonlocal left
        left -= 1
        return left >= 0 and is_still(candidate)

    before = None
    while before != case and left > 0:
        before = case
        case = _fewer_words(case, attempt, first_words)
        for name in _contents(case):
            for separator in (b"\n", b" "):
                case = _fewer_parts(case, name, separator, attempt)
    return case


def _fewer_words(case: Drawn, attempt: Callable[[Drawn], bool], first: int) -> Drawn:
    """Without options that make no difference."""
    field = next((name for name in WORDS if hasattr(case, name)), None)
    if field is None:
        return case
    units = [list(unit) if isinstance(unit, tuple) else [unit] for unit in getattr(case, field)]
    is_nested = any(isinstance(unit, tuple) for unit in getattr(case, field))
    if not is_nested:
        units = _grouped([unit[0] for unit in units], first)
    number = len(units)
    while number > first:
        number -= 1
        fewer = units[:number] + units[number + 1 :]
        words = (
            [tuple(unit) for unit in fewer] if is_nested else [w for unit in fewer for w in unit]
        )
        kind = type(getattr(case, field))
        candidate = _changed(case, **{field: kind(words)})
        if attempt(candidate):
            case, units = candidate, fewer
    return case


def _grouped(words: Sequence[str], first: int) -> list[list[str]]:
    """Every option with the words after it."""
    units: list[list[str]] = [[word] for word in words[:first]]
    for word in words[first:]:
        if units[first:] and not word.startswith("-"):
            units[-1].append(word)
        else:
            units.append([word])
    return units


def _fewer_parts(
    case: Drawn, name: str, separator: bytes, attempt: Callable[[Drawn], bool]
) -> Drawn:
    """Without lines, or fields, of a file: large pieces first."""
    parts = _contents(case)[name].split(separator)
    length = len(parts) // 2
    while length:
        begin = 0
        while begin < len(parts):
            fewer = parts[:begin] + parts[begin + length :]
            candidate = _with_content(case, name, separator.join(fewer))
            if fewer and attempt(candidate):
                case, parts = candidate, fewer
            else:
                begin += length
        length //= 2
    return case


def _with_content(case: Drawn, name: str, content: bytes) -> Drawn:
    if name == STDIN:
        return _changed(case, stdin=content)
    files = getattr(case, "files")  # noqa: B009
    return _changed(case, files={**files, name: content})
