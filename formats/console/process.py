"""Start and exit of every command: standard streams, signals and the exit status."""

from __future__ import annotations

import gc
import os
import sys

import formats.io as io
from formats.schema import absence, is_ours, reason_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import IO, Any, NoReturn

    from formats.schema.messages import Message

# As shells report a program that a signal has ended.
INTERRUPTED, PIPE_CLOSED = 128 + 2, 128 + 13
OUTPUT_LOST = 2
# where a package is not named as its module is
PACKAGES = {"yaml": "pyyaml", "charset_normalizer": "charset-normalizer"}


def collect_rarely() -> None:
    """Let the garbage collector run rarely.

    The data that commands read have no reference cycles, and frequent searches for cycles would
    take a quarter of the time.
    """
    gc.set_threshold(100_000, 10, 10)


def run(
    main: Callable[[], int],
    *,
    at_once: bool = True,
    exit_on_signals: Callable[[], Callable[[bytes], bool] | None] | None = None,
) -> NoReturn:
    """Run an installed command: call `main`, then exit.

    With `at_once`, exit without the cleanup of the interpreter. `exit_on_signals` makes signals end
    the process at once. It returns a function that takes a path: the signals first remove this
    file. The function returns False if it has no room. To load `signal` takes 2 ms.
    """
    collect_rarely()
    remove = None if exit_on_signals is None else exit_on_signals()
    if remove is None:
        end_on_signals()
    else:
        io.before_temporary = removed_by(remove)
    hold_standard_streams()
    try:
        status = main()
    except SystemExit as leaving:
        status = status_of_exit(leaving)
    for stream in (sys.stdout, sys.stderr):
        _last_flush(stream)
    if at_once:
        os._exit(status)
    sys.exit(status)


def removed_by(remove: Callable[[bytes], bool]) -> Callable[[str | None], None]:
    """Return what is called before temporary files: signals remove these, or raise in Python."""

    def before(path: str | None) -> None:
        if path is None or not remove(os.fsencode(os.path.abspath(path))):
            end_on_signals()

    return before


def ended(
    work: Callable[[], int],
    say: Callable[[str | Message], object],
    *,
    lost: int = OUTPUT_LOST,
    standard_output: str = "standard output",
) -> int:
    """Run a command and flush standard output; return the exit status.

    The status is that of the command, 130 after an interruption, 141 if the output pipe is closed,
    and `lost` if the output cannot be written, memory is full or a package is missing. `say` prints
    why a command was interrupted or ended with `lost`.
    """
    try:
        try:
            status = work()
        except SystemExit as leaving:
            status = status_of_exit(leaving)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except BrokenPipeError:
        abandon_output()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        say("interrupted")
        return INTERRUPTED
    except MemoryError:
        say("not enough memory")
        return lost
    except ModuleNotFoundError as problem:
        module = str(problem.name).partition(".")[0]
        if module in sys.stdlib_module_names:
            raise
        if is_ours(module):
            say(absence(problem))
            return lost
        from formats.console.messages import MISSING_PACKAGE
        from formats.schema.messages import Message

        package = PACKAGES.get(module, module)
        say(Message(MISSING_PACKAGE, {"package": package}))
        return lost
    except OSError as problem:
        abandon_output()
        if problem.filename is None:
            say(f"{standard_output}: cannot be written: {reason_of(problem)}")
        else:
            say(f"{os.fsdecode(problem.filename)}: {reason_of(problem)}")
        return lost


def status_of_exit(leaving: SystemExit) -> int:
    """Return the exit status of a `SystemExit`."""
    if isinstance(leaving.code, int):
        return leaving.code
    return 0 if leaving.code is None else 1


def end_on_signals() -> None:
    """Turn termination signals into `SystemExit`, so that incomplete files are removed.

    The exit status is 128 plus the signal's number, as in shells. A signal that is ignored, such as
    SIGHUP under `nohup`, stays ignored. Python allows the main thread alone to set a handler.
    """
    import signal

    io.before_temporary = None

    def stop(number: int, _frame: object) -> NoReturn:
        raise SystemExit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        number = getattr(signal, name, None)
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            try:
                signal.signal(number, stop)
            except ValueError:  # not the main thread
                return


def hold_standard_streams() -> None:
    """Open the standard streams that were closed at the start, to reserve their descriptors.

    Otherwise the first opened files would get these descriptors, and output to a stream would go to
    a file. Reading and writing fail on the reserved descriptors; messages on standard error are
    lost.
    """
    for number, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            if os.open(os.devnull, mode) == number:
                os.set_inheritable(number, True)
    if sys.stdout is None:
        sys.stdout = _standing_in_for(1)
    if sys.stderr is None:
        sys.stderr = _standing_in_for(2)


def _standing_in_for(number: int) -> Any:
    return open(number, "w", encoding="utf-8", errors="backslashreplace", closefd=False)


def abandon_output() -> None:
    """Discard unwritten output, which would otherwise cause an error message at exit."""
    _abandon(sys.stdout)


def _last_flush(stream: IO[Any] | None) -> None:
    """Flush a stream. Errors are ignored: they were reported before, or nobody reads the output."""
    try:
        if stream is not None:
            stream.flush()
    except (OSError, ValueError):
        _abandon(stream)


def _abandon(stream: IO[Any] | None) -> None:
    if stream is None:
        return
    try:
        number = stream.fileno()
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)
    except (AttributeError, OSError, ValueError):
        return
