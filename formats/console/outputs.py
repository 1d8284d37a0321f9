"""Check of output paths: reject a path that would overwrite an input or another output."""

from __future__ import annotations

import os
import stat
import sys

from formats.io.errors import UnwritableFileError
from formats.io.messages import EXISTS
from formats.io.temporary import is_stream
from formats.schema.messages import Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO, Any


def check_outputs(
    outputs: Iterable[str | os.PathLike[str] | None],
    inputs: Iterable[str | os.PathLike[str] | None],
    *,
    no_clobber: bool = False,
) -> None:
    """Reject an output path that is also an input, or that repeats another output.

    Paths that lead to the same file through links are the same. Devices and pipes may be named
    several times. A folder among the inputs stands for all files below it, and a pattern for all
    files that match. Call this function before the first input is opened.
    """
    read = {identity: str(path) for path in inputs if path for identity in _read(str(path))}
    written: dict[object, str] = {}
    for output in outputs:
        if not output:
            continue
        path = os.fspath(output)
        name = "<stdout>" if path == "-" else path
        if no_clobber and _is_something(path):
            raise UnwritableFileError(value=Message(EXISTS), path=name)
        identity = _written(path)
        if identity is None:
            continue
        for paths, noun in ((read, "inputs"), (written, "outputs")):
            clash = paths.get(identity)
            if clash is None and paths is read and path != "-" and os.path.isfile(path):
                clash = next((read[folder] for folder in _above(path) if folder in read), None)
            if clash is None:
                continue
            who = "" if clash == path else f", as {'<stdin>' if clash == '-' else clash}"
            number = "one" if paths is read else "another"
            raise UnwritableFileError(
                f"cannot be written: it is {number} of the {noun}{who}", path=name
            )
        written[identity] = path


def _read(path: str) -> Iterator[object]:
    """Yield the identity (inode or path) of an input; for a folder, those of its files."""
    status = _status(path, sys.stdin)
    if status is None and "://" in path:
        yield os.path.realpath(path)  # as of an output that is not here
        return
    if status is None:
        import glob

        from formats.io.trees import fitting

        for match in filter(os.path.exists, fitting(path) if glob.has_magic(path) else ()):
            yield from _read(match)
        return
    if stat.S_ISDIR(status.st_mode):
        yield status.st_dev, status.st_ino
        try:
            names = os.listdir(path)
        except OSError:
            return
        for name in names:
            yield from _number(_status(os.path.join(path, name), None))
    yield from _number(status)


def _above(path: str) -> Iterator[object]:
    """Yield the folders above a path, up to the root."""
    folder = os.path.dirname(os.path.realpath(path))
    while True:
        status = os.stat(folder)
        yield status.st_dev, status.st_ino
        if folder == os.path.dirname(folder):
            return
        folder = os.path.dirname(folder)


def _written(path: str) -> object:
    """Return the identity of an output: its inode, or the path of a new file; None for a device."""
    status = _status(path, sys.stdout)
    if status is not None and stat.S_ISDIR(status.st_mode):
        return status.st_dev, status.st_ino
    if status is None:
        return None if path == "-" else os.path.realpath(path)
    return next(_number(status), None)


def _number(status: os.stat_result | None) -> Iterator[object]:
    if status is not None and stat.S_ISREG(status.st_mode):
        yield status.st_dev, status.st_ino


def _is_something(path: str) -> bool:
    status = None if is_stream(path) else _status(path, None)
    if status is None:
        return False
    if stat.S_ISDIR(status.st_mode):
        return bool(os.listdir(path))
    return stat.S_ISREG(status.st_mode)


def _status(path: str, standard: IO[Any] | None) -> os.stat_result | None:
    """Return the `stat` of a path (``-``: of the standard stream); `None` on failure."""
    try:
        return os.fstat(standard.fileno()) if path == "-" and standard else os.stat(path)
    except (OSError, ValueError, AttributeError):
        return None
