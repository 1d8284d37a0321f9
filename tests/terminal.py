"""A program with a terminal for all its streams."""

import os
from pathlib import Path
from threading import Thread

import pytest

from tests.forks import call_on_terminal, shared_forks
from tests.more_words import are_added

needs_terminal = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs a terminal of its own")


def on_a_terminal(command: str, *arguments: str, **environment: str) -> tuple[int, str]:
    """The status of a command and all it shows, in a fork of a small process.

    Parameters
    ----------
    command
        The module whose `main` is called.
    environment
        Variables that are set beside a terminal of 200 columns.
    """
    variables = {**os.environ, "TERM": "xterm", "COLUMNS": "200"}
    variables.pop("CI", None)
    shown: list[bytes] = []
    terminal, ours = os.openpty()
    reader = Thread(target=_read, args=(terminal, shown))
    reader.start()
    try:
        words = [call_on_terminal.__module__, command, "main", "yes" if are_added() else ""]
        status = shared_forks().run(
            [*words, *arguments],
            Path.cwd(),
            dict.fromkeys(range(3), ours),
            call_on_terminal.__name__,
            {**variables, **environment},
        )
    finally:
        os.close(ours)
        reader.join()
        os.close(terminal)
    return status, b"".join(shown).decode()


def _read(terminal: int, shown: list[bytes]) -> None:
    """Read what appears on a terminal until nobody has it any more."""
    while True:
        try:
            piece = os.read(terminal, 1 << 16)
        except OSError:
            return
        if not piece:
            return
        shown.append(piece)
