"""All exceptions of the package, as one tree; those that are rarely raised are in other modules.

::

    FormatError                 root of all errors about files
    ├── SyntaxFormatError       a record breaks the grammar of its format
    ├── EncodingFormatError     not text in the chosen encoding, or a damaged gzip stream
    ├── SizeLimitError          the input is larger than the limits allow
    ├── UnreadableFileError     the input is missing, a directory, not permitted, on a bad disk
    ├── UnwritableFileError     the output cannot be opened or written, or the disk is full
    ├── UnknownFormatError      no format of that name, or none that fits the content
    ├── AmbiguousFormatError    several formats match the content equally well
    ├── OptionError             the format lacks an option, or the option rejects a value
    ├── ConversionError         the target format needs something that the source lacks
    └── LossError               the target format cannot hold something that must not be lost

Each has `path`, `line`, `column` (both from 1; `None` if unknown), `expected` and
`found`, prints as ``path:line:column: expected …, found …``, and survives pickling.
"""

from __future__ import annotations

from formats.schema import reason_of as reason_of
from formats.schema.messages import ERROR, EXPECTED, Entry, Message
from formats.schema.messages import quoted as quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

LONGEST_MESSAGE = 400
# What moves the cursor of a terminal, ends a line, colours it, turns the direction of writing, or
# is no character at all.
COMMANDS = "\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff"


def message_line(text: str) -> str:
    r"""Return a message as one printable line.

    A text longer than 400 characters is shortened: words in the middle are dropped.
    """
    if len(text) > 2 * LONGEST_MESSAGE:
        text = text[:LONGEST_MESSAGE] + text[-LONGEST_MESSAGE:]
    line = text if text.isprintable() else _without_commands(text)
    if len(line) <= LONGEST_MESSAGE:
        return line
    half = LONGEST_MESSAGE // 2
    start, end = line[: half - 1], line[-half:]
    if " " not in start or " " not in end:
        return f"{start}…{end}"
    return f"{start.rpartition(' ')[0]} … {end.partition(' ')[2]}"


def _without_commands(text: str) -> str:
    """Return a text with the escapes of characters that command a terminal."""
    import re

    return re.sub(f"[{COMMANDS}]", lambda match: f"\\u{ord(match[0]):04x}", text)


def located(path: str | None, line: int | None, column: int | None, text: str) -> str:
    """Return `text` after the known parts of ``path:line:column: ``."""
    places = [] if path is None else [path]
    if line is not None:
        places.append(str(line))
        if column is not None:
            places.append(str(column))
    return ":".join(places) + ": " + text if places else text


def close_names(name: str, names: Sequence[str]) -> tuple[str, ...]:
    """Return the known names that are most similar to `name`, best first; may be empty."""
    from difflib import get_close_matches

    return tuple(get_close_matches(name.lower(), names, n=3, cutoff=0.6))


def release_frames(error: BaseException | None) -> None:
    """Clear the local variables in the traceback of an error; keep the traceback.

    The variables refer to the file, and often to the error itself; without this call, both stay in
    memory until a garbage collection. Use the function only for errors about files, because the
    variables help to explain programming errors.
    """
    while isinstance(error, Exception):
        trace = error.__traceback__
        while trace is not None:
            frame, trace = trace.tb_frame, trace.tb_next
            try:
                frame.clear()
            except RuntimeError:
                continue  # of a function that still runs
        error = error.__context__


class FileLine(int):
    """A line number with the path of its file, for several files that are read as one input.

    >>> line = FileLine(3, "monday.trn")
    >>> line, line.path
    (3, 'monday.trn')
    """

    path: str

    def __new__(cls, number: int, path: str) -> FileLine:
        """Create the line `number` of the file `path`."""
        line = int.__new__(cls, number)
        line.path = path
        return line

    def __getnewargs__(self) -> tuple[int, str]:  # type: ignore[override]
        return int(self), self.path


class FormatError(Exception):
    """A usage or input error about a file; the base of all errors of the package.

    Parameters
    ----------
    message: the problem; by default created from `expected` and `found`.
    path: the file as the caller named it, or ``<stdin>``, ``<stream>``.
    line, column: position, counted from 1; columns count characters, not bytes. If `line` is
        a `FileLine`, its path replaces `path`.
    expected, found: noun phrases for the message "expected X, found Y".
    value: the message with its code and fields, for programs. If both `message` and `value` are
        None, it is created from `expected` and `found`.
    """

    def __init__(
        self,
        message: str | None = None,
        *,
        path: str | None = None,
        line: int | None = None,
        column: int | None = None,
        expected: str | None = None,
        found: str | None = None,
        value: Message | None = None,
    ) -> None:
        if message is None:
            if value is None:
                value = Message(EXPECTED, {"expected": expected, "found": found})
            message = str(value)
        super().__init__(message)
        self.message = message
        self.value = value
        self.path = line.path if isinstance(line, FileLine) else path
        self.line = line
        self.column = column
        self.expected = expected
        self.found = found

    def advise(self, entry: Entry, side: str = "", /, **fields: object) -> None:
        """Replace the message by that of another entry.

        The field ``reason`` of the new message is the old message.
        """
        reason = self.message if self.value is None else self.value
        self.value = Message(entry, {"reason": reason, **fields}, side)
        self.message = str(self.value)

    def record(self) -> dict[str, Any]:
        """Return the message with its position as a dictionary for JSON."""
        record: dict[str, Any] = {"severity": ERROR, "code": type(self).__name__}
        record["text"] = self.message
        if self.value is not None:
            record = {**self.value.record(), **record}
        return {**record, "path": self.path, "line": self.line, "column": self.column}

    def __str__(self) -> str:
        return located(self.path, self.line, self.column, self.message)

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (self.message,), self.__dict__.copy()


class SyntaxFormatError(FormatError):
    """A record breaks the grammar of its format."""


class OptionError(FormatError):
    """The format lacks the option, or the option does not accept the value."""


UNREADABLE: tuple[tuple[type[Exception], str], ...] = (
    (FileNotFoundError, "no such file"),
    (IsADirectoryError, "a directory"),
    (PermissionError, "a file without permission to read it"),
)
"""What is found in place of a readable file."""


MOST_LISTED = 10_000  # names of a folder that are compared with a name


def near_file(path: str) -> str:
    """Return a text that suggests the nearest file name in the folder; empty if none is near.

    The folder may be a pattern: then the first matching folder with a near name counts.
    """
    import os
    from glob import glob, has_magic
    from itertools import islice

    folder, name = os.path.split(path)
    if has_magic(folder):
        matching = (os.path.join(each, name) for each in sorted(glob(folder)))
        return next(filter(None, map(near_file, matching)), "")
    try:
        with os.scandir(folder or ".") as entries:
            names = sorted(entry.name for entry in islice(entries, MOST_LISTED))
    except (OSError, ValueError):
        return ""
    stem = os.path.splitext(name)[0]
    # an equal suffix alone makes no name similar
    near = [
        each for each in close_names(name, names) if close_names(stem, [os.path.splitext(each)[0]])
    ]
    return f" (did you mean {os.path.join(folder, near[0])}?)" if near else ""


def reason_unread(problem: OSError) -> str:
    """Return why a file could not be read, to follow the name of the file in a message."""
    for kind, found in UNREADABLE:
        if isinstance(problem, kind):
            is_named = kind is FileNotFoundError and isinstance(problem.filename, str)
            near = near_file(problem.filename) if is_named else ""
            return f"expected a readable file, found {found}{near}"
    return f"cannot be read: {reason_of(problem)}"


def reason_unwritten(problem: OSError) -> str:
    """Return a short reason why a file could not be written."""
    from errno import ENOENT

    is_missing = problem.errno == ENOENT
    return "its folder does not exist" if is_missing else reason_of(problem)
