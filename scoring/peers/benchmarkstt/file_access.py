"""Functions that read files, if reading is allowed.

Commands may read every file. Within `restricted`, which remote requests use, every file (also a
file named in a rule file) must lie below a directory after links are followed.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from scoring.model.special_errors import FORBIDDEN
from scoring.model.special_errors import SecurityError as SecurityError

_allowed: ContextVar[str | None] = ContextVar("_allowed", default=None)


def default_encoding() -> str:
    """Return the encoding in the environment variable `DEFAULT_ENCODING`, by default UTF-8."""
    return os.environ.get("DEFAULT_ENCODING") or "utf-8"


def is_safe_path(path: str | os.PathLike[str], root: str | os.PathLike[str] | None = None) -> bool:
    """Return True if a path lies in the directory `root` after links are followed.

    The default for `root` is the working directory.
    """
    base = os.path.realpath(os.getcwd() if root is None else root)
    resolved = os.path.realpath(os.path.join(base, os.fspath(path)))
    return os.path.commonpath([base, resolved]) == base


@contextmanager
def restricted(root: str | os.PathLike[str]) -> Iterator[None]:
    """Reject files outside the directory `root` during a `with` block."""
    token = _allowed.set(os.fspath(root))
    try:
        yield
    finally:
        _allowed.reset(token)


def checked_path(path: str | os.PathLike[str]) -> str:
    """Return the path if this file may be read; otherwise raise an error."""
    root = _allowed.get()
    name = os.fspath(path)
    if root is not None and (not name or "\0" in name or not is_safe_path(name, root)):
        raise SecurityError(FORBIDDEN)
    return name


def read_text(path: str | os.PathLike[str], encoding: str | None = None) -> str:
    """Return the text of a file, with line feeds as line ends."""
    with open(checked_path(path), encoding=encoding or default_encoding()) as file:
        return file.read()
