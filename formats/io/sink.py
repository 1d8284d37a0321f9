"""Output files that appear only when they are complete.

A file is written under a temporary name next to its final path, and renamed when it is complete. A
full disk, an interrupt or an error thus never leaves half a file; an old file is replaced only by a
complete one. The next run removes temporary files of a killed run. Output with a name ending in
``.gz`` is compressed without a time stamp, so that equal transcripts give equal bytes.

A format of several files writes into a folder. A new folder appears with all its files at once. In
an existing folder, the files are moved to their paths when all of them are complete.
"""

from __future__ import annotations

import codecs
import errno
import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from formats.io.decoding import check_encoding
from formats.io.errors import UnwritableFileError
from formats.io.messages import TEMPORARY
from formats.io.progress import clear as clear_progress
from formats.io.source import is_url
from formats.io.temporary import create_beside, folder_beside, stream_of
from formats.schema.diagnostics import DiagnosticLog
from formats.schema.errors import reason_unwritten
from formats.schema.loss import Losses
from formats.schema.refusals import LossError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, TypeAlias

Writable: TypeAlias = "str | os.PathLike[str] | IO[Any]"

BLOCK = 1 << 16


class Sink:
    """One output being written; a context manager that keeps the file only on success.

    `name` is the name in messages: the path, ``<stdout>`` or ``<stream>``. `source` is the file
    that the segments come from, and `segments` the number of written segments. `folder` is the
    output folder of formats that write several files (`beside`).
    """

    def __init__(
        self, target: Writable, encoding: str, tolerance: str, mark: bool, newline: str
    ) -> None:
        self.log = DiagnosticLog(None, tolerance)
        self.losses = Losses()
        self.segments = 0
        self.is_binary = False
        self.source: str | None = None
        self.encoding = encoding
        self.newline = newline
        self._pieces: list[str] = ["\ufeff"] if mark and not _marks(encoding) else []
        self._size = 0
        self._lines = 0
        self._temporary: str | None = None
        self._raw: IO[Any] | None = None
        self.folder: str | None = None
        self._stream: Any = None
        self._files: list[Sink] = []
        self._staging: str | None = None
        self._has_mark = mark
        self._has_begun = self._is_remote = False
        if isinstance(target, (str, os.PathLike)):
            path = os.fspath(target)
            self.name = "<stdout>" if path == "-" else path
            self._is_remote = is_url(path)
            self._final = path if self._is_remote else os.path.realpath(path)
            if path.endswith("/") or os.path.isdir(path):
                self.folder = path.rstrip("/") or "/"
            try:
                self._stream = None if self.folder is not None else self._open(path)
            except BaseException:
                self._discard()
                raise
        else:
            name = getattr(target, "name", None)
            self.name = name if isinstance(name, str) else "<stream>"
            self._stream = target
        self.log.path = self.name
        self._is_text = hasattr(self._stream, "encoding") and hasattr(self._stream, "newlines")
        self._encode = codecs.getincrementalencoder(encoding)()

    def _open(self, path: str) -> Any:
        if path == "-" and sys.stdout is None:
            raise UnwritableFileError("cannot be written: it is closed", path=self.name)
        if path == "-":
            return getattr(sys.stdout, "buffer", sys.stdout)
        try:
            raw = self._open_file(path)
        except (OSError, ValueError) as problem:
            raise self._unwritable(problem) from None
        self._raw = raw
        if not path.lower().endswith(".gz"):
            return raw
        import gzip

        with self._errors_reported():
            return gzip.GzipFile("", "wb", compresslevel=6, fileobj=raw, mtime=0)

    def _open_file(self, path: str) -> IO[bytes]:
        if self._is_remote:
            from tempfile import mkstemp

            descriptor, self._temporary = mkstemp(prefix="sclite-kit-")
            return open(descriptor, "wb")
        try:
            mode = os.stat(path).st_mode
        except FileNotFoundError:
            mode = 0
        if stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, "is a directory")
        stream = stream_of(path)
        if stream is not None:
            return open(os.dup(stream), "wb")
        if mode and not stat.S_ISREG(mode):
            return open(path, "wb")
        if mode and not os.access(path, os.W_OK):
            raise PermissionError(errno.EACCES, "permission denied")
        self._temporary, descriptor = create_beside(self._final)
        if mode:
            os.chmod(self._temporary, stat.S_IMODE(mode))
        return open(descriptor, "wb")

    def _check_file(self) -> None:
        if self.folder is not None:
            raise self._unwritable(IsADirectoryError(errno.EISDIR, "is a directory"))

    def write(self, text: str) -> None:
        """Write text whose line ends are LF."""
        self._check_file()
        self._pieces.append(text)
        self._size += len(text)
        if self._size > BLOCK:
            self._flush()

    def write_bytes(self, data: bytes) -> None:
        """Write bytes unchanged, for a binary format."""
        self._check_file()
        if self._is_text:
            raise self._unwritable(ValueError("a binary format needs a stream of bytes"))
        self._has_begun = True
        self.is_binary = True
        self._pieces.clear()  # no byte order mark
        with self._errors_reported():
            self._stream.write(data)

    def beside(self, name: str) -> Sink:
        """Open another output file in the output folder; it is closed together with this output."""
        assert self.folder is not None, "only a folder holds files"
        directory = self._final
        if not os.path.isdir(self._final):
            if self._staging is None:
                with self._errors_reported():
                    self._staging = folder_beside(self._final)
            directory = self._staging
        file = Sink(
            os.path.join(directory, name),
            self.encoding,
            self.log.tolerance,
            self._has_mark,
            self.newline,
        )
        file.name = f"{self.folder}/{name}"
        file.log, file.losses, file.source = self.log, self.losses, self.source
        self._files.append(file)
        return file

    def _flush(self) -> None:
        text = "".join(self._pieces)
        self._pieces.clear()
        self._size = 0
        if text and not self._has_begun:
            self._has_begun = True
            text = self._behind_mark(text)
        if "\0" in text:
            nul = "a NUL character, which no text file holds"
            raise self._loss(text[: text.index("\0")], "text", nul)
        if self.newline != "\n":
            text = text.replace("\n", self.newline)
        if self.name == "<stdout>":
            clear_progress()
        with self._errors_reported():
            try:
                self._stream.write(text if self._is_text else self._encode.encode(text))
            except UnicodeEncodeError as problem:
                code = f"U+{ord(text[problem.start]):04X}"
                expected = f"a character of {self.encoding}"
                raise self._loss(text[: problem.start], expected, code) from None
        self._lines += text.count("\n")

    def _loss(self, before: str, expected: str, found: str) -> LossError:
        """Create the error about a character that cannot be written, after the text `before`."""
        return LossError(
            path=self.name,
            line=self._lines + before.count("\n") + 1,
            column=len(before) - before.rfind("\n"),
            expected=expected,
            found=found,
        )

    @contextmanager
    def _errors_reported(self) -> Iterator[None]:
        """Convert `OSError` to `UnwritableFileError`, except for a broken pipe."""
        try:
            yield
        except BrokenPipeError:
            raise
        except OSError as problem:
            raise self._unwritable(problem) from None

    def _behind_mark(self, text: str) -> str:
        """Return the first text of an output.

        If it begins with U+FEFF, put a byte-order mark before it, so that readers keep the
        character.
        """
        is_marked = self._has_mark or _marks(self.encoding)
        return text if is_marked or not text.startswith("\ufeff") else f"\ufeff{text}"

    def _unwritable(self, problem: OSError | ValueError) -> UnwritableFileError:
        reason = reason_unwritten(problem) if isinstance(problem, OSError) else str(problem)
        return UnwritableFileError(
            f"cannot be written: {reason[:1].lower()}{reason[1:]}", path=self.name
        )

    def close(self, *, keep: bool = True) -> None:
        """Finish the output and move it to its final path, or remove it with ``keep=False``."""
        try:
            if keep and self.folder is not None:
                self._finish_folder()
            elif keep:
                self._flush()
                self._finish()
                self._put_in_place()
        finally:
            self._discard()

    def _finish_folder(self) -> None:
        if not self._files:
            self._check_file()
        for file in self._files:
            file._flush()
            file._finish()
        for file in self._files:
            file._put_in_place()
        if self._staging is not None:
            with self._errors_reported():
                os.rename(self._staging, self._final)
            self._staging = None

    def _finish(self) -> None:
        with self._errors_reported():
            if self._raw is not None:
                self._stream.close()
                self._raw.close()
            elif hasattr(self._stream, "flush"):
                self._stream.flush()

    def _put_in_place(self) -> None:
        if self._temporary is not None and self._is_remote:
            from formats.io.remote import put_file

            put_file(self._temporary, self._final)
        elif self._temporary is not None:
            with self._errors_reported():
                os.replace(self._temporary, self._final)
            self._temporary = None

    def _discard(self) -> None:
        """Remove the unfinished output.

        Errors are ignored, because they would hide the first error.
        """
        for file in self._files:
            file._discard()
        if self._staging is not None:
            import shutil

            shutil.rmtree(self._staging, ignore_errors=True)
            self._staging = None
        for stream in (self._stream, self._raw):
            if self._raw is not None and stream is not None:
                try:
                    stream.close()
                except OSError:
                    continue
        self._raw = None
        if self._temporary is not None:
            temporary, self._temporary = self._temporary, None
            try:
                os.unlink(temporary)
            except OSError:
                self.log.say(TEMPORARY, path=temporary)

    def __enter__(self) -> Sink:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.close(keep=kind is None)


def _marks(encoding: str) -> bool:
    """Return True if the codec itself writes a byte-order mark."""
    return encoding.lower().endswith(("16", "32", "sig"))


def open_sink(
    target: Writable,
    *,
    encoding: str = "utf-8",
    tolerance: str = "default",
    mark: bool = False,
    newline: str = "\n",
) -> Sink:
    """Open a path, ``"-"`` (standard output) or a stream of text or bytes for writing.

    A path that is a folder or ends in a slash is for formats of several files (`Sink.folder`). With
    `mark` the text begins with a byte-order mark; UTF-16 always has it.
    """
    check_encoding(encoding)
    return Sink(target, encoding, tolerance, mark, newline)
