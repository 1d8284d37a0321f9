"""Temporary files and folders next to their final path, until they are complete.

The name of a temporary file contains the machine and the process. The next run that writes into the
folder removes the files that a killed process of this machine left. Files of other machines, or of
containers that no longer exist, are removed after a month without a change. A path that names an
open stream of this process, as `/dev/stdout` does, has no temporary file.
"""

from __future__ import annotations

import os
import time

import formats.io as io

# Of 32 bits. Loading zlib for a check sum takes a short run 2 % of its time.
_LARGEST_PRIME = 4_294_967_291
TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    Made = TypeVar("Made")


STREAMS = {"/dev/stdout": "/dev/fd/1", "/dev/stderr": "/dev/fd/2"}
NAME = r"\.sclite-kit-([0-9a-f]{8})-([0-9]{1,10})-[0-9]{1,10}\.tmp\Z"
MONTH, DAY = 30 * 86400, 86400  # seconds
_tidied: set[str] = set()


def stream_of(path: str) -> int | None:
    """Return the descriptor of the open stream that a path names (`/dev/stdout`, `/dev/fd/3`).

    The stream may be a file. It is written where it stands: opening it by its name would empty it.
    """
    folder, _, number = STREAMS.get(path, path).rpartition("/")
    is_open = folder in ("/dev/fd", "/proc/self/fd") and number.isdecimal()
    return int(number) if is_open else None


def is_stream(path: str) -> bool:
    """Return True if an output is an open stream: ``-``, or a path that names one."""
    return path == "-" or stream_of(path) is not None


def create_beside(path: str) -> tuple[str, int]:
    """Create an empty file in the folder of `path`; return its path and a file descriptor."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
    return _made_beside(path, lambda temporary: os.open(temporary, flags, 0o666))


def folder_beside(path: str) -> str:
    """Create an empty folder next to `path` and return it; errors are those of `create_beside`."""
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
        if io.before_temporary is not None:
            io.before_temporary(None if make is os.mkdir else temporary)
        try:
            return temporary, make(temporary)
        except FileExistsError:
            number += 1
        except BaseException:
            # A signal that comes while it is made raises before anybody has its name.
            _remove(temporary)
            raise


def _machine() -> str:
    """Return an identifier of this machine or container, in which process numbers are valid."""
    try:
        numbering = os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        numbering = 0
    name = os.uname().nodename if hasattr(os, "uname") else ""
    machine = f"{name} {numbering}".encode("utf-8", "surrogateescape")
    return f"{int.from_bytes(machine, 'big') % _LARGEST_PRIME:08x}"


def _remove_left_behind(folder: str) -> None:
    """Remove the temporary files in a folder that ended processes of this machine left there."""
    if os.name != "posix":
        return  # to ask for a process would end it there
    try:
        names = os.listdir(folder or ".")
    except OSError:
        return
    for name in names:
        if not name.startswith(".sclite-kit-"):
            continue
        import re  # few folders have such files

        match = re.match(NAME, name)
        if match is None:
            continue
        path = os.path.join(folder, name)
        is_ours = match[1] == _machine()
        if _is_gone(int(match[2]), path) if is_ours else _changed_before(path, time.time() - MONTH):
            _remove(path)


def _changed_before(path: str, moment: float) -> bool:
    try:
        return os.lstat(path).st_mtime < moment
    except OSError:
        return False  # somebody else has removed it


def _remove(path: str) -> None:
    try:
        if os.path.isdir(path) and not os.path.islink(path):
            import shutil

            shutil.rmtree(path)
        else:
            os.unlink(path)
    except OSError:
        return


def _is_gone(process: int, path: str) -> bool:
    """Return True if the process that created a file has ended.

    A new process may have the same number; then the file is more than a day older than the process.
    """
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        pass  # it is there, and somebody else's
    start = _start_of(process)
    # a disk of the network may have a clock that is wrong by hours
    return start is not None and _changed_before(path, start - DAY)


def _start_of(process: int) -> float | None:
    """Return when a process started (seconds since the epoch); `None` if the system hides it."""
    try:
        with open(f"/proc/{process}/stat", "rb") as file:
            # the name of the program, in parentheses, may hold blanks
            ticks = int(file.read().rpartition(b")")[2].split()[19])
        with open("/proc/stat", "rb") as file:
            [boot] = (line.split()[1] for line in file if line.startswith(b"btime "))
        return int(boot) + ticks / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError, IndexError):
        return None
