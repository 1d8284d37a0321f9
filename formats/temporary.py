"""Files and folders beside their final place, until they are complete.

Their names contain machine and process. The next run removes files of a killed process, but nothing
that another process, or another machine on the same disk, is still writing.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from typing import TypeVar

Made = TypeVar("Made")

NAME = re.compile(r"\.sclite-kit-([0-9a-f]{8})-([0-9]{1,10})-[0-9]{1,10}\.tmp\Z")
_tidied: set[str] = set()


def create_beside(path: str) -> tuple[str, int]:
    """A new empty file in the folder of `path`: its own path, and a descriptor to write to."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    return _made_beside(path, lambda temporary: os.open(temporary, flags, 0o666))


def folder_beside(path: str) -> str:
    """A new empty folder beside `path`; errors as of `create_beside`."""
    return _made_beside(path, os.mkdir)[0]


def _made_beside(path: str, make: Callable[[str], Made]) -> tuple[str, Made]:
    folder = os.path.dirname(path)
    if folder not in _tidied:
        _tidied.add(folder)
        _remove_left_behind(folder)
    number = 0
    while True:
        name = f".sclite-kit-{_machine()}-{os.getpid()}-{number}.tmp"
        temporary = os.path.join(folder, name)
        try:
            return temporary, make(temporary)
        except FileExistsError:
            number += 1
        except BaseException:
            # A signal that comes while it is made raises before anybody has its name.
            _remove(temporary)
            raise


def _machine() -> str:
    """A short sign for this machine, or container: processes of others cannot be asked for."""
    import zlib

    try:
        numbering = os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        numbering = 0
    name = os.uname().nodename if hasattr(os, "uname") else ""
    return f"{zlib.crc32(f'{name} {numbering}'.encode('utf-8', 'surrogateescape')):08x}"


def _remove_left_behind(folder: str) -> None:
    """Remove files that ended processes of this machine left in a folder."""
    if os.name != "posix":
        return  # to ask for a process would end it there
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return
    for name in names:
        match = NAME.match(name)
        if match is None or match[1] != _machine() or not _is_gone(int(match[2])):
            continue
        _remove(os.path.join(folder, name))


def _remove(path: str) -> None:
    try:
        if os.path.isdir(path) and not os.path.islink(path):
            import shutil

            shutil.rmtree(path)
        else:
            os.unlink(path)
    except OSError:
        return


def _is_gone(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False  # it is there, and somebody else's
    return False
