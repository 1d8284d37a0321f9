"""Files at URLs such as ``s3://bucket/table.parquet``, opened by fsspec (the extra ``remote``).

Files are read in place; for a table, only the requested bytes are transferred. An output is first
written to a local temporary file and copied when it is complete.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from formats.io.errors import UnreadableFileError, UnwritableFileError
from formats.schema.errors import OptionError


class RemoteFile(io.RawIOBase):
    """A file at a URL, open for reading; failures raise `OSError` with a one-line message."""

    def __init__(self, url: str) -> None:
        super().__init__()
        self.url = url
        system, path = _place(url)
        with _errors(url):
            self._file: Any = system.open(path, "rb")

    def readable(self) -> bool:
        """Return True."""
        return True

    def seekable(self) -> bool:
        """Return True if the file supports random access."""
        return bool(self._file.seekable())

    def seek(self, offset: int, whence: int = 0) -> int:
        """Move to a byte position and return the new position."""
        with _errors(self.url):
            return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        """Return the position of the next byte."""
        return int(self._file.tell())

    def readinto(self, buffer: Any) -> int:
        """Read bytes into a buffer."""
        with _errors(self.url):
            data = self._file.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the file."""
        if not self.closed:
            self._file.close()
        super().close()


def files_at(url: str, suffixes: tuple[str, ...]) -> list[str]:
    """Return the URLs that match a pattern, or the URLs of a folder's files with these suffixes.

    The URLs are sorted. The list is empty for the URL of a single file. Failures raise OSError.
    """
    has_name = "." in url.rstrip("/").rpartition("/")[2]
    is_pattern = "*" in url
    if not is_pattern and has_name:
        return []
    system, path = _place(url)
    with _errors(url):
        if is_pattern:
            names = system.glob(path)
        elif system.isdir(path):
            names = [name for name in system.ls(path, detail=False) if _ends(name, suffixes)]
        else:
            return []
        return [str(system.unstrip_protocol(name)) for name in sorted(map(str, names))]


def _ends(name: str, suffixes: tuple[str, ...]) -> bool:
    base = name.rpartition("/")[2]
    return base.lower().endswith(suffixes) and not base.startswith((".", "_"))


def is_there(url: str) -> bool:
    """Return True if a file or folder exists at a URL."""
    system, path = _place(url)
    with _errors(url):
        return bool(system.exists(path))


def make_folder(url: str) -> None:
    """Create a folder at a URL; do nothing on servers without folders."""
    system, path = _place(url)
    with _errors(url):
        system.makedirs(path, exist_ok=True)


def remove(url: str) -> None:
    """Remove the file or the folder at a URL if it exists."""
    system, path = _place(url)
    with _errors(url):
        if system.exists(path):
            system.rm(path, recursive=True)


def token_of(url: str) -> str:
    """Return a text that changes whenever the file at a URL changes; empty if there is none."""
    system, path = _place(url)
    with _errors(url):
        return str(system.ukey(path))


def put_file(path: str, url: str) -> None:
    """Copy a local file to a URL; raise `UnwritableFileError` on failure."""
    system, target = _place(url)
    try:
        system.put_file(path, target)
    except Exception as problem:  # of any package
        is_missing = isinstance(problem, FileNotFoundError)
        reason = "its folder does not exist" if is_missing else _line(problem)
        raise UnwritableFileError(f"cannot be written: {reason}", path=url) from None


def _place(url: str) -> tuple[Any, str]:
    """Return the file system of a URL, and the path in this file system."""
    try:
        from fsspec.core import url_to_fs
    except ImportError:
        expected = "fsspec for URLs (the extra remote)"
        raise OptionError(path=url, expected=expected, found="none") from None
    try:
        system, path = url_to_fs(url)
    except ImportError as problem:
        expected = f"the package for {url.partition('://')[0]}:// (the extra remote)"
        raise OptionError(path=url, expected=expected, found=_line(problem)) from None
    except Exception as problem:
        raise UnreadableFileError(f"cannot be read: {_line(problem)}", path=url) from None
    return system, str(path)


@contextmanager
def _errors(url: str) -> Iterator[None]:
    """Convert any error of a file system to an `OSError` with a one-line message."""
    try:
        yield
    except FileNotFoundError:
        found = "no such file"
        raise UnreadableFileError(path=url, expected="a readable file", found=found) from None
    except PermissionError as problem:
        raise PermissionError(_line(problem)) from None
    except Exception as problem:  # of any package
        raise OSError(_line(problem)) from None


def _line(problem: Exception) -> str:
    """Shorten the message of an error to one line of at most 200 characters."""
    return " ".join(f"{problem}".split())[:200] or type(problem).__name__
