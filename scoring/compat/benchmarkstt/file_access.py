"""Files that are read, and who may read which.

Commands may read everything. Requests from elsewhere may read what lies under a directory, links
followed; within `restricted` every file is checked, those that rule files name as well.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from scoring.compat.benchmarkstt.helpers import default_encoding
from scoring.errors import FORBIDDEN
from scoring.errors import SecurityError as SecurityError

_allowed: ContextVar[str | None] = ContextVar("_allowed", default=None)


def is_safe_path(path: str | os.PathLike[str], root: str | os.PathLike[str] | None = None) -> bool:
    """Whether a path, links followed, lies in a directory (default: the working directory)."""
    base = os.path.realpath(os.getcwd() if root is None else root)
    resolved = os.path.realpath(os.path.join(base, os.fspath(path)))
    return os.path.commonpath([base, resolved]) == base


@contextmanager
def restricted(root: str | os.PathLike[str]) -> Iterator[None]:
    """Let nothing be read within this block but what lies under a directory."""
    token = _allowed.set(os.fspath(root))
    try:
        yield
    finally:
        _allowed.reset(token)


def checked_path(path: str | os.PathLike[str]) -> str:
    """The path, if it may be read."""
    root = _allowed.get()
    name = os.fspath(path)
    if root is not None and (not name or "\0" in name or not is_safe_path(name, root)):
        raise SecurityError(FORBIDDEN)
    return name


def read_text(path: str | os.PathLike[str], encoding: str | None = None) -> str:
    """What is in a file, with line feeds as ends of lines."""
    with open(checked_path(path), encoding=encoding or default_encoding()) as file:
        return file.read()
