"""Alignment of reference and hypothesis: correct, substituted, deleted and inserted words.

`sequences` aligns token sequences of any kind, one pair or many. It calls `kernel` and `network`,
which work on numbers. `kernel` has each function twice, compiled and in plain Python. `network`
aligns word graphs, in which words have alternatives. `docs/alignment.md` explains the algorithms.

Every function and class of `scoring._native` has an equivalent in plain Python with the same
results. The environment variable `SCORING_ALIGN` forces `native` (an error without the compiled
core) or `plain`. By default the compiled core is used if it is installed; otherwise a warning
appears once.
"""

from __future__ import annotations

import os
import sys

from formats.schema import lazy_names

# what type checkers look for, without the cost of importing `typing`
TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import ModuleType
    from typing import Any

    from scoring.alignment.limits import OutOfTimeError as OutOfTimeError
    from scoring.alignment.limits import time_limit as time_limit
    from scoring.alignment.network import Graph as Graph
    from scoring.alignment.network import Network as Network
    from scoring.alignment.network import build as build

VARIABLE = "SCORING_ALIGN"
CORE = "scoring._native"
_announced: set[str] = set()

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        ".limits": "OutOfTimeError time_limit",
        ".network": "Graph Network build",
    },
)


def load_core() -> ModuleType | None:
    """Return the compiled core, or None if its plain equivalents are to be used.

    Raises
    ------
    ImportError
        If `SCORING_ALIGN=native` and there is no compiled core.
    ValueError
        If `SCORING_ALIGN` is set to anything but `native` or `plain`.
    """
    choice = os.environ.get(VARIABLE, "")
    if choice not in ("", "native", "plain"):
        raise ValueError(f"{VARIABLE}: expected native or plain, found {choice!r}")
    if choice == "plain":
        return None
    try:
        module = __import__(CORE, fromlist=("_native",))
        if module.__file__ is None:
            # without the compiled file the folder of its sources is an empty package
            raise ModuleNotFoundError(CORE)
    except ImportError as problem:
        is_there = not isinstance(problem, ModuleNotFoundError)
        reason = f"cannot be loaded ({problem})" if is_there else "is not installed"
        if choice == "native":
            raise ImportError(f"{VARIABLE}=native, but {CORE} {reason}") from None
        if not _announced:
            _announced.add(CORE)
            print(
                f"scoring: the native core {reason}; the Python core gives the same results, but "
                "is many times slower",
                file=sys.stderr,
            )
        return None
    return module


def exit_on_signals() -> Callable[[bytes], bool] | None:
    """Let SIGTERM and SIGHUP end the process with 128 plus their number; `None` without the core.

    A signal that is ignored, such as SIGHUP under `nohup`, stays ignored. The result is a function
    for the path of a file that these signals remove first; it returns False if it has no room.
    """
    core: Any = load_core()
    handle = getattr(core, "exit_on_signals", None)
    return core.remove_on_signal if handle is not None and handle() else None


def look() -> bool:
    """Check the limits on the time of a call; the compiled core calls this function."""
    from scoring.alignment.limits import look as check  # only long calls come here

    return check()
