"""How a command ends that was told to, or whose output nobody reads any more."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def end_on_signals() -> None:
    """Leave by `SystemExit` when told to end, so that half a file is removed on the way out.

    The status is 128 plus the signal's number, as shells report it.
    """
    import signal

    def stop(number: int, _frame: object) -> NoReturn:
        raise SystemExit(128 + number)

    for name in ("SIGTERM", "SIGHUP"):
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), stop)


def abandon_output() -> None:
    """Send what is left in the buffer nowhere, or the interpreter would complain at its exit."""
    try:
        number = sys.stdout.fileno()
    except (AttributeError, OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, number)
    os.close(nowhere)
