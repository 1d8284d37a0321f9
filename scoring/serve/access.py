"""Limits on the files that a request may open: files below one directory, or no files.

Within `guarded`, the interpreter itself rejects opening any other file, listing a folder, starting
programs, network connections and writing.
"""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

from scoring.model.special_errors import FORBIDDEN, SecurityError
from scoring.text.downloads import cache_folder

# Of the interpreter's audit events: what no method of the service has any reason to do.
_REFUSED = {
    *("ctypes.dlopen", "ftplib.connect", "http.client.connect", "pty.spawn", "shutil.rmtree"),
    *("socket.bind", "socket.connect", "subprocess.Popen", "urllib.Request", "os.chmod"),
    *("os.chown", "os.exec", "os.fork", "os.forkpty", "os.kill", "os.link", "os.mkdir"),
    *("os.posix_spawn", "os.putenv", "os.remove", "os.rename", "os.rmdir", "os.spawn"),
    *("os.startfile", "os.symlink", "os.system", "os.truncate"),
}
_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND


def _lies_in(path: str, directory: str) -> bool:
    try:
        return os.path.commonpath([directory, path]) == directory
    except ValueError:
        return False


def _code_directories() -> tuple[str, ...]:
    """Return the directories of modules, of their tables, and of installed recipes."""
    package = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    named = (sysconfig.get_path(name) for name in ("stdlib", "platstdlib", "purelib", "platlib"))
    # those of the user, of the system beneath a virtual environment, of a distribution
    installed = (path for path in sys.path if path.endswith(("site-packages", "dist-packages")))
    formats = os.path.join(os.path.dirname(package), "formats")
    paths = (*named, *installed, package, formats, cache_folder())
    return tuple(dict.fromkeys(os.path.realpath(path) for path in paths if path))


_CODE = _code_directories()
# The root of the block; empty: no file; None: outside of such blocks.
_guarding: ContextVar[str | None] = ContextVar("_guarding", default=None)
_is_installed = False


@contextmanager
def guarded(root: str | None) -> Iterator[None]:
    """Raise SecurityError if the block opens a file that is neither code nor below the root.

    If the root is None, the block may open only code.
    """
    global _is_installed
    if not _is_installed:
        # there is no way to take it out again; outside of such blocks it does nothing
        sys.addaudithook(_judge)
        _is_installed = True
    token = _guarding.set("" if root is None else os.path.realpath(root))
    try:
        yield
    finally:
        _guarding.reset(token)


def _judge(event: str, arguments: tuple[object, ...]) -> None:
    if event not in ("open", "os.scandir") and event not in _REFUSED:
        return
    root = _guarding.get()
    if root is None:
        return
    if event == "os.scandir":  # names of files, such as suggestions for a misspelt name, stay here
        folder = arguments[0]
        if isinstance(folder, (str, bytes)) and not _is_code(os.path.realpath(os.fsdecode(folder))):
            raise PermissionError(FORBIDDEN)
        return
    # importing goes on without its cache when it meets a PermissionError
    if event == "os.mkdir":
        raise PermissionError(FORBIDDEN)
    if event != "open":
        raise SecurityError(f"{event} refused")
    path, _, flags = arguments
    if not isinstance(path, (str, bytes)):
        # a descriptor that is open already
        return
    if isinstance(flags, int) and flags & _WRITING:
        raise PermissionError(FORBIDDEN)
    resolved = os.path.realpath(os.fsdecode(path))
    if root and _lies_in(resolved, root):
        return
    if not _is_code(resolved) and not _is_module(resolved):
        raise SecurityError(FORBIDDEN)


def _is_code(path: str) -> bool:
    """Return True if a path is that of a module, of a table of modules, or of a recipe."""
    return any(_lies_in(path, directory) for directory in _CODE)


def _is_module(path: str) -> bool:
    """Return True if the path may be a module that is about to be imported."""
    if not path.endswith((".py", ".pyc")):
        return False
    # PYTHONPYCACHEPREFIX keeps compiled modules away from their sources
    places = (*sys.path, sys.pycache_prefix)
    return any(_lies_in(path, os.path.realpath(entry)) for entry in places if entry)
