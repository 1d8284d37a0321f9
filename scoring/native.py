"""Choose between the compiled and the plain twin of a module.

Every compiled module of this package has a twin in plain Python with the same functions and the
same results. The environment variable `SCORING_ALIGN` forces one: `native` (an error if it is not
there) or `plain`. Unset, the compiled one is taken, and its absence is announced once.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module
from types import ModuleType

VARIABLE = "SCORING_ALIGN"
_announced: set[str] = set()


def load(name: str) -> ModuleType | None:
    """The compiled module `name`, or None if the plain twin is to be used.

    Raises
    ------
    ImportError
        If `SCORING_ALIGN=native` and there is no compiled module.
    ValueError
        If `SCORING_ALIGN` is set to anything but `native` or `plain`.
    """
    choice = os.environ.get(VARIABLE, "")
    if choice not in ("", "native", "plain"):
        raise ValueError(f"{VARIABLE}: expected native or plain, found {choice!r}")
    if choice == "plain":
        return None
    try:
        return import_module(name)
    except ImportError:
        if choice == "native":
            raise
        if not _announced:
            _announced.add(name)
            print(
                "scoring: the native core is not installed; the plain one gives the same results, "
                "many times slower",
                file=sys.stderr,
            )
        return None
