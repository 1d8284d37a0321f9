"""A program with a terminal for all its streams."""

import os
import sys
import traceback
import warnings
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module

import pytest

from formats.cli import progress

needs_terminal = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a terminal of its own")


def on_a_terminal(command: str, *arguments: str, **environment: str) -> tuple[int, str]:
    """The status of a command and all it shows, in a fork of this process.

    Parameters
    ----------
    command
        The module whose `main` is called.
    environment
        Variables that are set beside a terminal of 200 columns.
    """
    import pty

    main = import_module(command).main
    with warnings.catch_warnings():
        # threads of libraries wait for work
        warnings.simplefilter("ignore", DeprecationWarning)
        child, terminal = pty.fork()
    if child == 0:
        _be(main, arguments, environment)
    shown = b""
    while True:
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:
            break
        if not piece:
            break
        shown += piece
    os.close(terminal)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), shown.decode()


def _be(
    main: Callable[[Sequence[str]], int], arguments: Sequence[str], environment: Mapping[str, str]
) -> None:
    """Run a command and end the process; the first line of progress appears without a delay."""
    status = 99
    try:
        os.environ.pop("CI", None)
        os.environ.update({"TERM": "xterm", "COLUMNS": "200", **environment})
        # under pytest they lead elsewhere
        sys.stdin = open(0, closefd=False)  # noqa: SIM115
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
        sys.stderr = open(2, "w", buffering=1, closefd=False)  # noqa: SIM115
        progress.SHOWN_AFTER = progress.SECONDS_BETWEEN = 0.0
        status = main(arguments)
    except SystemExit as leaving:
        status = leaving.code if isinstance(leaving.code, int) else int(leaving.code is not None)
    except BaseException:
        traceback.print_exc()
    finally:
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(status & 0xFF)
