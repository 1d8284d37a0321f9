"""What takes long to make: the first worker that asks for it makes it, for all workers of a run."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], object]) -> Path:
    """Return a path, which `make` writes, by itself or as a folder; nobody may change what is there.

    Other workers wait meanwhile. If `make` fails, the next one that asks tries again.
    """
    folder = factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    path = folder / f"made_once_{name}"
    if sys.platform == "win32":
        path = factory.mktemp(name) / name
        make(path)
        return path
    import fcntl

    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not path.exists():
            unfinished = factory.mktemp(name) / name
            make(unfinished)
            unfinished.rename(path)
    return path
