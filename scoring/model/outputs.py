"""Destinations of output: a file that is written completely or not at all, or a stream."""

from __future__ import annotations

import os
import stat
import sys

from formats.console.process import abandon_output
from formats.schema import reason_of
from scoring.model.errors import ScoringError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterable
    from typing import BinaryIO

# A path that cannot be opened for these reasons makes sclite write to standard output instead.
UNOPENABLE = (
    *("ENOENT", "ENOTDIR", "EACCES", "EPERM", "EISDIR"),
    *("EROFS", "ENAMETOOLONG", "ELOOP", "ENXIO", "ETXTBSY"),
)


LONGEST_NAME = 255


class OutputError(ScoringError):
    """Raised for output that could not be written in full, for example because the disk is full."""

    status = 2


class UnopenableError(Exception):
    """Raised for a path that cannot be opened for writing; `reason` is the cause."""

    def __init__(self, problem: OSError) -> None:
        super().__init__(problem.strerror)
        from formats.schema.errors import reason_unwritten

        self.reason = reason_unwritten(problem)


def standard_output() -> BinaryIO:
    """Flush all text printed before, and return the byte stream of standard output."""
    if sys.stdout is None:
        raise OutputError("standard output: cannot be written: it is closed")
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise OutputError(f"standard output: cannot be written: {reason_of(problem)}") from None
    return sys.stdout.buffer


def write_to_stream(
    stream: BinaryIO, chunks: Iterable[bytes], name: str = "standard output"
) -> None:
    """Write chunks to a stream, for example to standard output."""
    try:
        for chunk in chunks:
            stream.write(chunk)
        stream.flush()
    except BrokenPipeError:
        raise
    except OSError as problem:
        raise OutputError(f"{name}: cannot be written: {reason_of(problem)}") from None


def write_file(name: str, chunks: Iterable[bytes]) -> None:
    """Write a temporary file in the same folder, then rename it to `name`.

    `name` is the path as byte text (a `str` with one character per byte). If an error or an
    interruption ends the writing early, an existing file is unchanged, and a new one is not
    created. Devices and pipes are written to directly.
    """
    import errno

    from formats.io.temporary import create_beside, stream_of

    path = name.encode("latin-1")
    try:
        # of /dev/stdout in a pipe the link cannot be followed by name
        mode = _mode_of(path)
        if mode is not None and stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if mode is not None and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        stream = stream_of(name)
        if stream is not None:
            _write_device(name, os.fdopen(os.dup(stream), "wb"), chunks)
            return
        if mode is not None and not stat.S_ISREG(mode):
            _write_device(name, open(path, "wb"), chunks)  # noqa: SIM115
            return
        target = os.path.realpath(path) if os.path.islink(path) else path
        if len(os.path.basename(target)) > LONGEST_NAME:
            raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
        temporary, descriptor = create_beside(os.fsdecode(target))
    except BrokenPipeError:
        raise
    except OSError as problem:
        if errno.errorcode.get(problem.errno or 0) in UNOPENABLE:
            raise UnopenableError(problem) from None
        raise _unwritten(name, problem) from None
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.writelines(chunks)
        if mode is not None:
            os.chmod(temporary, stat.S_IMODE(mode))
        os.replace(temporary, target)
    except BaseException as problem:
        if os.path.lexists(temporary):
            os.unlink(temporary)
        if isinstance(problem, OSError):
            raise _unwritten(name, problem) from None
        raise


def _unwritten(name: str, problem: OSError) -> OutputError:
    from formats.schema.errors import reason_unwritten

    return OutputError(f"{name}: cannot be written: {reason_unwritten(problem)}")


def _mode_of(path: bytes) -> int | None:
    """Return the permissions of a file, following links; None if it does not exist."""
    try:
        return os.stat(path).st_mode
    except FileNotFoundError:
        return None


def _write_device(name: str, device: BinaryIO, chunks: Iterable[bytes]) -> None:
    """Write to a device or a pipe and close it; an error during closing is ignored."""
    try:
        write_to_stream(device, chunks, name)
    finally:
        _close(device)


def _close(device: BinaryIO) -> None:
    try:
        device.close()
    except OSError:
        return


def refuse_input(name: str, inputs: Iterable[str | None]) -> None:
    """Reject an output path that is also an input of this run.

    NIST's programs would overwrite the input.
    """
    from formats.console.outputs import find_clash

    clash = find_clash([os.fsdecode(name.encode("latin-1"))], inputs)
    if clash is not None:
        raise OutputError(f"{clash[0]}: cannot be written: it is {clash[1]}")


def clear_progress() -> None:
    """Clear the progress bar, if one is shown, because other output follows."""
    from formats.io.progress import clear

    clear()


def put(path: str, chunks: Iterable[bytes], *, is_drawn: bool = False) -> None:
    """Write a file completely or not at all, or write to standard output.

    On a terminal, control characters that change the writing direction are escaped. With
    `is_drawn`, the text is already escaped by `formats.console.terminal`.
    """
    clear_progress()
    if path == "-":
        try:
            output = standard_output()
            if output.isatty():
                chunks = map(_without_progress if is_drawn else _escaped, chunks)
            write_to_stream(output, chunks)
        except OutputError:
            abandon_output()  # the rest would fail, and be reported, again
            raise
        return
    if "://" in path:
        from formats.io.sink import open_sink

        with open_sink(path) as sink:
            for chunk in chunks:
                sink.write_bytes(chunk)
        return
    name = os.fsencode(path).decode("latin-1")
    try:
        write_file(name, chunks)
    except UnopenableError as problem:
        raise OutputError(f"{path}: cannot be written: {problem.reason}") from None


def put_text(lines: Iterable[str], path: str = "-") -> None:
    """Write lines (without line ends) as UTF-8 in any locale to a file or standard output."""
    encoded = (line.encode("utf-8", "backslashreplace") + b"\n" for line in lines)
    put(path, encoded, is_drawn=True)


def _without_progress(chunk: bytes) -> bytes:
    """Clear the progress bar, and return the chunk unchanged."""
    clear_progress()
    return chunk


def show_lines(lines: Iterable[str]) -> None:
    """Write lines to standard output; on a terminal, break them between words at its width."""
    from formats.console.terminal import on_screen

    put_text(on_screen(line, sys.stdout) for line in lines)


def _escaped(chunk: bytes) -> bytes:
    """Escape the direction control characters U+202A to U+202E and U+2066 to U+2069."""
    import re  # for terminals alone

    clear_progress()  # chunks may be computed while they are written

    def escape(found: re.Match[bytes]) -> bytes:
        return b"\\u%04x" % ord(found[0].decode("utf-8"))

    return re.sub(rb"\xe2(?:\x80[\xaa-\xae]|\x81[\xa6-\xa9])", escape, chunk)
