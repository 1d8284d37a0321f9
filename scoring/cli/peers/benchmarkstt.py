"""The `benchmarkstt` command: arguments, output and exit status of BenchmarkSTT 1.1.

Exit status: 0 success, 1 input error (a one-line message instead of BenchmarkSTT's traceback), 2
usage error, 130 interrupted, 141 output pipe closed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Sequence
from functools import partial

from formats.console.process import ended
from formats.console.process import run as run_command
from formats.schema.errors import message_line

BAD_INPUT = 1


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; return the exit status."""
    from scoring.peers.benchmarkstt.main import PROGRAM
    from scoring.peers.benchmarkstt.main import main as work

    return status_of(PROGRAM, lambda: work(argv))


def status_of(program: str, work: Callable[[], None]) -> int:
    """Run a function and return the exit status; print errors like the other commands."""

    def run() -> int:
        try:
            work()
        except (ValueError, LookupError, ImportError, NotImplementedError, re.error) as problem:
            _complain(program, _text_of(problem))
            return BAD_INPUT
        return 0

    return ended(run, lambda text: _complain(program, str(text)), lost=BAD_INPUT)


# Entry point of the installed command.
run = partial(run_command, main, at_once=False)


def _text_of(problem: Exception) -> str:
    if isinstance(problem, UnicodeDecodeError):
        return (
            f"expected text in {problem.encoding}, found {problem.reason} at byte "
            f"{problem.start + 1} (DEFAULT_ENCODING names another encoding)"
        )
    if len(problem.args) > 1 and all(isinstance(argument, str) for argument in problem.args):
        return f"{problem.args[0]}: {', '.join(map(str, problem.args[1:]))}"
    return str(problem) or type(problem).__name__


def _complain(program: str, text: str) -> None:
    line = message_line(" ".join(f"{program}: error: {text}".split()))
    try:
        print(line, file=sys.stderr)
    except UnicodeEncodeError:
        print(f"{line!a}", file=sys.stderr)
    except OSError:
        pass  # nowhere is left to report it


if __name__ == "__main__":
    run()
