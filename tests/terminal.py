"""A program with a terminal for all its streams."""

import os
import sys
from pathlib import Path

import pytest

ROOT = str(Path(__file__).resolve().parents[1])
needs_terminal = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a terminal of its own")
# A line of progress is shown at once, so that nothing depends on how long work takes.
AT_ONCE = "import sys; from formats.cli import progress; progress.SHOWN_AFTER = progress.SECONDS_BETWEEN = 0.0;"


def on_a_terminal(command: str, *arguments: str, **environment: str) -> tuple[int, str]:
    """The status of a command and all it shows.

    Parameters
    ----------
    command
        The module whose `main` is called.
    environment
        Variables that are set beside a terminal of 200 columns.
    """
    import pty

    code = f"{AT_ONCE} from {command} import main; sys.exit(main(sys.argv[1:]))"
    child, terminal = pty.fork()
    if child == 0:
        os.environ.pop("CI", None)
        os.environ.update({"PYTHONPATH": ROOT, "TERM": "xterm", "COLUMNS": "200", **environment})
        os.execv(sys.executable, [sys.executable, "-c", code, *arguments])
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
