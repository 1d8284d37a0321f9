"""Check of output paths: reject a path that would overwrite an input or another output."""

from __future__ import annotations

import os
import stat
import sys

from formats.io.temporary import is_stream

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import IO, Any

    from formats.io.errors import UnwritableFileError


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
    named = [os.fspath(output) for output in outputs if output]
    for path in named if no_clobber else ():
        if _is_something(path):
            raise _unwritable(path, "")
    clash = find_clash(named, inputs)
    if clash is not None:
        raise _unwritable(*clash)


def find_clash(
    outputs: Iterable[str], inputs: Iterable[str | os.PathLike[str] | None]
) -> tuple[str, str] | None:
    """Return the name of an output that is also an input, or repeats another, and what it is."""
    read = {identity: str(path) for path in inputs if path for identity in _read(str(path))}
    written: dict[object, str] = {}
    for path in outputs:
        identity = _written(path)
        if identity is None:
            continue
        for paths in (read, written):
            clash = paths.get(identity)
            if clash is None and paths is read and path != "-" and os.path.isfile(path):
                clash = next((read[folder] for folder in _above(path) if folder in read), None)
            if clash is None:
                continue
            who = "" if clash == path else f", as {'<stdin>' if clash == '-' else clash}"
            name = "<stdout>" if path == "-" else path
            return (
                name,
                f"{'one of the inputs' if paths is read else 'another of the outputs'}{who}",
            )
        written[identity] = path
    return None


def _unwritable(name: str, clash: str) -> UnwritableFileError:
    """Return the error about an output that clashes with another file, or that exists."""
    from formats.io.errors import UnwritableFileError
    from formats.io.messages import EXISTS
    from formats.schema.messages import Message

    if clash:
        return UnwritableFileError(f"cannot be written: it is {clash}", path=name)
    return UnwritableFileError(value=Message(EXISTS), path=name)


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
