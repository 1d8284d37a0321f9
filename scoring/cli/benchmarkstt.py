"""The `benchmarkstt` command: arguments, output and exit status of BenchmarkSTT 1.1.

Exit status: 0 measured, 1 input that cannot be served (where BenchmarkSTT shows a traceback, one
line says what is wrong), 2 wrong usage, 130 interrupted, 141 whoever read our output has gone.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Sequence
from typing import NoReturn

from formats.process import abandon_output, end_on_signals

BAD_INPUT, INTERRUPTED, PIPE_CLOSED = 1, 130, 141


def run() -> NoReturn:
    """Entry point of the installed command."""
    end_on_signals()
    sys.exit(main())


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command; the exit status."""
    from scoring.benchmarkstt.main import PROGRAM
    from scoring.benchmarkstt.main import main as work

    return status_of(PROGRAM, lambda: work(argv))


def status_of(program: str, work: Callable[[], None]) -> int:
    """Do something that may fail as commands do; the exit status.

    Whatever input brings about ends in one line on standard error.
    """
    try:
        work()
        if sys.stdout is not None:
            sys.stdout.flush()
    except SystemExit as leaving:
        if isinstance(leaving.code, int):
            return leaving.code
        return 0 if leaving.code is None else BAD_INPUT
    except BrokenPipeError:
        abandon_output()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        _complain(program, "interrupted")
        return INTERRUPTED
    except MemoryError:
        _complain(program, "not enough memory")
        return BAD_INPUT
    except OSError as problem:
        if problem.filename is None:
            abandon_output()
        name = problem.filename or "standard output"
        _complain(program, f"{os.fspath(name)!s}: {problem.strerror or problem}")
        return BAD_INPUT
    except (ValueError, LookupError, ImportError, NotImplementedError, re.error) as problem:
        _complain(program, _told(problem))
        return BAD_INPUT
    return 0


def _told(problem: Exception) -> str:
    if isinstance(problem, UnicodeDecodeError):
        return (
            f"expected text in {problem.encoding}, found {problem.reason} at byte "
            f"{problem.start + 1} (DEFAULT_ENCODING names another encoding)"
        )
    if len(problem.args) > 1 and all(isinstance(one, str) for one in problem.args):
        return f"{problem.args[0]}: {', '.join(map(str, problem.args[1:]))}"
    return str(problem) or type(problem).__name__


def _complain(program: str, text: str) -> None:
    line = " ".join(text.split())
    safe = line.encode("utf-8", "backslashreplace").decode("utf-8")
    try:
        print(f"{program}: error: {safe}", file=sys.stderr)
    except UnicodeEncodeError:
        print(f"{program}: error: {safe!a}", file=sys.stderr)
    except OSError:
        pass  # nowhere is left to say it


if __name__ == "__main__":
    run()
