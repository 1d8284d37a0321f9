"""Input: files, standard input, streams; gzip, byte-order marks, encodings, limits.

Every reader gets text without byte-order mark and NUL, decoded as UTF-8, or in another encoding if
only one is likely. Lines end only at LF, CRLF or a lone CR (`str.splitlines` would also cut at
eight other characters, such as U+2028). Every error has a position. Input is read in blocks, so
that memory use does not grow with the file.
"""

from __future__ import annotations

import gc
import io
import os
import sys
from itertools import chain

from formats.io.decoding import (
    BLOCK,
    GZIP,
    LARGEST_INPUT,
    REMARKS,
    BadTextError,
    are_cues_joined,
    check_encoding,
    decode,
    gunzip_if_needed,
)
from formats.io.progress import is_heard, tell
from formats.schema import lazy_pattern
from formats.schema.diagnostics import DiagnosticLog
from formats.schema.errors import UNREADABLE, FormatError, SyntaxFormatError, near_file, quoted
from formats.schema.messages import Entry, Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import IO, Any, TypeAlias

    from formats.io.library_objects import SSAFile, TextGrid
    from formats.schema.model import Segment
    from formats.schema.words import Definition

Readable: TypeAlias = (
    "str | os.PathLike[str] | IO[Any] | Source | PackedFolder | SSAFile | TextGrid"
)

HEAD = 1 << 16
SIGNATURE = 8
ZIP = b"PK\x03\x04"
NAMELESS = "stream"
"""The recording of an input without a name."""
FARTHEST_HEAD = 1 << 23
LONGEST_LINE = 1 << 26
LARGEST_TEXT = 1 << 28
MOST_COMMAS = 8
INSTRUCTIONS = ("You are", "Act as", "Your ", "Summari", "Transcribe", "Translate", "Please")
"""The most commas of few lines of speech, and how instructions to a language model begin."""
LONGEST_WORDS_ONLY = 1000
LONGEST_SHORT = 4000
"""Characters of a short text."""
TEXT_ENDINGS = (".txt", ".text", ".md", ".transcript")
"""Endings of files of texts; in other formats ``\\n`` may be part of the format."""
ARCHIVES = (".zip", ".tar", ".tar.gz", ".tgz")


class PausedCollection:
    """A context without garbage collection, because data from files have no reference cycles.

    With `does_pause=False` it does nothing: reading a stream may run code of the caller.
    """

    def __init__(self, *, does_pause: bool = True) -> None:
        self._was_enabled = does_pause and gc.isenabled()

    def __enter__(self) -> None:
        if self._was_enabled:
            gc.disable()

    def __exit__(self, *_: object) -> None:
        if self._was_enabled:
            gc.enable()


class PackedFolder:
    """A folder in an archive that is one input of its own (`formats.io.archive`)."""

    name: str
    tree: str | None

    def below(self, pattern: str) -> Iterator[str]:
        """Yield relative paths in the folder that match a pattern, in no particular order."""
        raise NotImplementedError

    def open(self, name: str) -> IO[bytes] | None:
        """Open a file of the folder; return `None` if it is missing."""
        raise NotImplementedError


class Source:
    """One input being read: its text, its name and the messages about it.

    Use the source as a context manager, or call `close`.

    Attributes
    ----------
    name: the name of the input in messages: the path as given, ``<stdin>`` or ``<stream>``.
    recording: name of the recording if the content has none; the file's stem.
    properties: properties of the file by name, which readers fill in.
    folder: the directory, if the input is a directory (possibly in an archive).
    tree: the format of a corpus directory (`formats.io.trees.tree_of`); the directory has no text,
        and the reader opens the files in it (`below`, `beside`).
    document: the object of a library that is read in place of a text
        (`formats.io.library_objects`).
    parts: the files of a table, if a folder or pattern of files was named; otherwise empty.
    signature: the first eight bytes, once some text was read; empty for a stream of text.
    path_to_answer: the names of the members of JSON objects in which the content is, from the
        outermost to the innermost, if detection found it there.
    lines_of_words: lines with a list of words in this package's layout. Tokens of a model stay in
        these words.
    names_recordings: True if members or columns have the names that our own writers give them.
    layouts: the patterns of the turns that the reader of turns has read, the likeliest first. If
        they are known before, from texts beside this one, it has one of them, or no turns.
    has_plain_segments: True if readers make a `PlainSegment` where a segment has words and names
        only.
    is_silent: True if the content declares, as its format defines, that it has no speech.
        Without this declaration, JSON without segments is an error.
    """

    def __init__(
        self, name: str, recording: str, blocks: Iterator[str], log: DiagnosticLog
    ) -> None:
        self.name = name
        self.recording = recording
        self.log = log
        self.definitions: list[Definition] = []
        self.properties: dict[str, str] = {}
        self.folder: str | None = None
        self._packed: PackedFolder | None = None
        self.tree: str | None = None
        self.document: Any = None
        self.parts: tuple[str, ...] = ()
        self.signature = b""
        self.path_to_answer: tuple[str, ...] = ()
        self.lines_of_words: set[int] = set()
        self.has_plain_segments = False
        self.is_silent = False
        self.names_recordings = False
        self.layouts: tuple[str, ...] = ()
        self.encoding = "utf-8"
        self.max_bytes = LARGEST_INPUT
        self._blocks = blocks
        self._ahead: list[str] = []
        self._failure: BadTextError | None = None
        self._is_in_head = False  # whether `head` has seen the whole text
        self._keeps_bytes = False
        self._tries_encodings = True
        self._keeps_nul = False
        self._closing: list[IO[Any]] = []

    @property
    def stem(self) -> str:
        """The recording name, derived from the file name alone."""
        return recording_of(self.name)

    def segment_type(self) -> type[Segment]:
        """Return the class of segments that have words and names only; see `has_plain_segments`."""
        if self.has_plain_segments:
            from formats.schema.transcript import PlainSegment

            return PlainSegment  # type: ignore[return-value]
        from formats.schema.model import Segment

        return Segment

    def head(self, length: int = HEAD) -> tuple[str, bool]:
        """Return about the first 64 KiB of the text, and True if the file ends there.

        The text ends before a character that cannot be decoded. The position for reading does not
        change: later reads begin at the start of the file.
        """
        size = sum(map(len, self._ahead))
        while size < length and self._failure is None:
            block = self._next_block(is_ahead=True)
            if block is None:
                self._is_in_head = size <= HEAD
                return "".join(self._ahead), True
            self._ahead.append(block)
            size += len(block)
        return "".join(self._ahead), False

    def head_lines(self, length: int = HEAD) -> list[str]:
        """Return the complete lines of `head`. A last line without a line end is also complete."""
        text, whole = self.head(length)
        lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
        # Of a file that begins with blank lines the first that says something stays, unfinished.
        is_cut = not whole and any(line.strip() for line in lines[:-1])
        if is_cut or (not lines[-1] and len(lines) > 1):
            lines.pop()
        return lines

    def is_short(self) -> bool:
        """Return True if the whole text is so short that readers parse it line by line.

        That takes less time than loading the compiled module. Call this before reading.
        """
        text, is_whole = self.head()
        return is_whole and len(text) <= LONGEST_SHORT

    def has_words_only(self) -> bool:
        """Return True if the whole text is one or two lines of words, in ASCII and without digits.

        In so few lines nothing returns that could be a layout, so only plain text looks so, and
        there is nothing in it to remark on. A line that ends in one letter may be a name
        (`Speaker A`), a line whose words all begin with capitals a heading (`Act III`), many commas
        a list, and subtitles begin with `WEBVTT`.
        """
        text, is_whole = self.head()
        lines = text.removesuffix("\n").split("\n")
        if not is_whole or len(text) > LONGEST_WORDS_ONLY or len(lines) > 2:
            return False
        if text.count(",") > MOST_COMMAS or text.startswith(INSTRUCTIONS):
            return False
        letters = "".join(lines)
        for sign in " '.,?!-":
            letters = letters.replace(sign, "")
        if not letters.isascii() or not letters.isalpha() or letters.startswith("WEBVTT"):
            return False
        for line in lines:
            if line[-2:-1] in ("", " ") or not any(word[0].islower() for word in line.split()):
                return False
        return True

    def syntax_error(
        self, line: int | None, expected: str, found: str, column: int | None = None
    ) -> SyntaxFormatError:
        """Create an error at a position of this input, to raise or to pass to ``log.reject``."""
        return SyntaxFormatError(
            path=self.name, line=line, column=column, expected=expected, found=found
        )

    def error_of(
        self, entry: Entry, line: int | None, column: int | None = None, /, **fields: Any
    ) -> SyntaxFormatError:
        """Create an error at a position of this input from a catalogue entry that gives advice."""
        value = Message(entry, fields, self.log.side)
        return SyntaxFormatError(value=value, path=self.name, line=line, column=column)

    def check_head(self) -> bool:
        """Raise an error if the first 64 KiB are not text.

        Return True if they are in another encoding than UTF-8, so that `head` is longer now.
        """
        self.head()
        if self._failure is None:
            return False
        if self._decode_otherwise():
            return True
        for _ in self.lines():
            pass
        return False

    def lines(self) -> Iterator[tuple[int, str]]:
        """Yield each line with its number (from 1) and without its line end.

        The last line counts even without a line end.
        """
        return chain.from_iterable(enumerate(lines, first) for first, lines in self.batches())

    def batches(self) -> Iterator[tuple[int, list[str]]]:
        """Yield blocks of lines, each block with the number of its first line."""
        for first, text in self.passages():
            yield first, text.split("\n")

    def passages(self) -> Iterator[tuple[int, str]]:
        """Yield blocks of text that end at line ends, each with the number of its first line.

        A text of which `head` has seen all is one block, also if its last line has no line end.
        """
        if self._is_in_head and self._failure is None:
            whole = "".join(self._blocks_of_text())
            if whole:
                yield 1, whole.removesuffix("\n")
            return
        number = 0
        pieces: list[str] = []
        size = 0
        try:
            for block in self._blocks_of_text():
                cut = block.rfind("\n")
                if cut < 0:
                    pieces.append(block)
                    size += len(block)
                    if size > LONGEST_LINE:
                        excess = f"line longer than {LONGEST_LINE} characters"
                        raise _too_large(excess, self.name, number + 1)
                    continue
                text = "".join(pieces) + block[:cut]
                pieces = [block[cut + 1 :]]
                size = len(pieces[0])
                yield number + 1, text
                number += block.count("\n")
        except BadTextError as trouble:
            column = sum(map(len, pieces)) + 1
            raise self._bad_text(trouble, number + 1, column) from None
        last = "".join(pieces)
        if last:
            yield number + 1, last

    def text(
        self,
        limit: int | None = LARGEST_TEXT,
        *,
        keep_bytes: bool = False,
        tries_encodings: bool = True,
    ) -> str:
        """Return the whole text with LF line ends, up to a size limit.

        With `keep_bytes`, bytes that are not UTF-8 become lone surrogates (``surrogateescape``); in
        other encodings such bytes are an error. Without `tries_encodings`, no other encoding is
        tried, for formats whose files are often in encodings that cannot be told apart.
        """
        self._keeps_bytes, self._tries_encodings = keep_bytes, tries_encodings
        return "".join(self.blocks(limit))

    def keep_nul(self) -> None:
        """Accept NUL characters in the text, for formats that define their meaning."""
        self._keeps_nul = True

    def data(self) -> bytes:
        """Return the whole input as bytes, for formats with a binary variant."""
        self._keeps_bytes = self._keeps_nul = True
        pieces, size = [], 0
        while (block := self._ahead.pop(0) if self._ahead else self._next_block()) is not None:
            pieces.append(block)
            size += len(block)
            if size > LARGEST_TEXT:
                raise _too_large(f"larger than {LARGEST_TEXT} characters", self.name)
        if self._failure is not None:
            from formats.io.errors import EncodingFormatError
            from formats.io.messages import BINARY

            raise EncodingFormatError(value=Message(BINARY, {}, self.log.side), path=self.name)
        try:
            return "".join(pieces).encode("utf-8", "surrogateescape")
        except UnicodeEncodeError as problem:  # of a text stream that is given
            from formats.io.errors import EncodingFormatError

            half = quoted(problem.object[problem.start])
            raise EncodingFormatError(path=self.name, expected="bytes", found=half) from None

    def archive_parts(self) -> frozenset[str]:
        """Return the file names in a zip archive; empty for any other file.

        The bytes of the input can still be read afterwards.
        """
        if not self.signature.startswith(ZIP):
            return frozenset()
        import zipfile

        data = self.data()
        self._ahead = [data.decode("utf-8", "surrogateescape")]
        try:
            with zipfile.ZipFile(io.BytesIO(data)) as archive:
                return frozenset(archive.namelist())
        except (zipfile.BadZipFile, EOFError, OSError, ValueError, NotImplementedError):
            return frozenset()

    def path_or_data(self) -> str | bytes:
        """Return the path of a seekable file, or the data of any other input.

        It serves readers of formats with an index.
        """
        if is_url(self.name) and not self.signature.startswith(GZIP):
            return self.name
        if not os.path.isfile(self.name):
            return self.data()
        with open(self.name, "rb") as file:
            if file.read(2) == GZIP:
                return self.data()
        if os.path.getsize(self.name) > self.max_bytes:
            raise _too_large(f"larger than {self.max_bytes} bytes", self.name)
        return self.name

    def blocks(self, limit: int | None = None) -> Iterator[str]:
        """Yield the text in blocks with LF line ends; the errors are those of `text`."""
        line = column = 1
        size = 0
        try:
            for block in self._blocks_of_text():
                size += len(block)
                if limit is not None and size > limit:
                    raise _too_large(f"larger than {limit} characters", self.name)
                yield block
                line += block.count("\n")
                last = block.rfind("\n")
                column = column + len(block) if last < 0 else len(block) - last
        except BadTextError as trouble:
            raise self._bad_text(trouble, line, column) from None

    def _bad_text(self, trouble: BadTextError, line: int, column: int) -> FormatError:
        from formats.io.errors import EncodingFormatError

        if not trouble.has_place:
            return EncodingFormatError(path=self.name, value=trouble.value)
        return EncodingFormatError(
            path=self.name,
            line=line,
            column=column,
            expected=trouble.expected,
            found=trouble.found,
            value=trouble.value,
        )

    def beside(self, path: str) -> Source:
        """Open another file with the same encoding, tolerance and limits.

        Messages of the other file are reported together with those of this file, under the other
        file's name. Close the other file after use.
        """
        source = open_source(
            self._member(path) or path,
            encoding=self.encoding,
            recording=self.recording,
            tolerance=self.log.tolerance,
            max_bytes=self.max_bytes,
            side=self.log.side,
        )
        self.log.follow(source.log)
        return source

    def below(self, pattern: str) -> list[str]:
        """Return the sorted paths in the folder that match a pattern such as ``*/*.trans.txt``.

        Names that begin with a point are skipped, as in a shell.
        """
        import glob

        assert self.folder is not None, "only a folder has files"
        if self._packed is not None:
            names = self._packed.below(pattern)
        else:
            names = glob.iglob(pattern, root_dir=self.folder)
        paths = (os.path.join(self.folder, name) for name in sorted(names))
        return [path for path in paths if self.is_there(path)]

    def is_there(self, path: str) -> bool:
        """Return True if `beside` can open the file with this path."""
        return os.path.isfile(path) or self._member(path) is not None

    def _member(self, path: str) -> IO[bytes] | None:
        """Open a file of a folder in an archive; `None` if there is no such folder or file."""
        if self._packed is None or not path.startswith(f"{self.folder}/"):
            return None
        return self._packed.open(path[len(self._packed.name) + 1 :])

    def _signed(self, blocks: Iterator[bytes | str]) -> Iterator[bytes | str]:
        """Yield the blocks unchanged, and store the first bytes as the signature."""
        for block in blocks:
            if isinstance(block, bytes) and len(self.signature) < SIGNATURE:
                self.signature = (self.signature + block)[:SIGNATURE]
            yield block

    def _blocks_of_text(self) -> Iterator[str]:
        """Yield the blocks of text in which every line end is LF."""
        ends_in_return = False
        while True:
            block = self._ahead.pop(0) if self._ahead else self._next_block()
            if block is None:
                break
            if ends_in_return:
                block = "\r" + block
            ends_in_return = block.endswith("\r")
            if ends_in_return:
                block = block[:-1]
            if "\r" in block:
                block = block.replace("\r\n", "\n").replace("\r", "\n")
            yield block
        if ends_in_return:
            yield "\n"
        if self._failure is not None:
            raise self._failure.bare()

    def _next_block(self, *, is_ahead: bool = False) -> str | None:
        """Return the next block of text; `None` at the end, or before a character that is bad.

        With `is_ahead`, no other encoding is tried: the reader may still ask for the bytes.
        """
        while True:
            if self._failure is not None:
                keeps = self._keeps_nul if self._failure.is_nul else self._keeps_bytes
                may_try = self._tries_encodings and not (keeps or is_ahead)
                if may_try and self._decode_otherwise():
                    continue
                if not keeps or self._failure.rest is None:
                    return None
                self._blocks, self._failure = self._failure.rest, None
            try:
                return next(self._blocks, None)
            except BadTextError as trouble:
                self._failure = trouble.bare()
                if trouble.rest is None:
                    return None

    def _decode_otherwise(self) -> bool:
        """Go on in another encoding if only one is likely; otherwise return False."""
        blocks = self._failure and self._failure.decode_otherwise(self.log)
        if not blocks:
            return False
        self._blocks, self._failure = blocks, None
        return True

    def keep_text(self) -> Callable[[], Source]:
        """Keep the text in memory as it is read; return a function that opens it again."""
        kept = list(self._ahead)

        def keep(blocks: Iterator[str]) -> Iterator[str]:
            for block in blocks:
                kept.append(block)
                yield block

        def open_again() -> Source:
            log = DiagnosticLog(self.name, self.log.tolerance, self.log.side)
            source = Source(self.name, self.recording, iter(kept), log)
            for remark in self.log.entries():
                if remark.code in REMARKS:
                    log.repeat(remark)
            source.encoding = self.encoding
            source.signature, source.max_bytes = self.signature, self.max_bytes
            source.has_plain_segments = self.has_plain_segments
            return source

        self._blocks = keep(self._blocks)
        return open_again

    def close(self) -> None:
        """Close the files that this object opened, but not a stream that the caller passed."""
        for stream in self._closing:
            stream.close()

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_source(
    target: Readable,
    *,
    encoding: str = "auto",
    recording: str | None = None,
    tolerance: str = "default",
    max_bytes: int = LARGEST_INPUT,
    side: str = "",
) -> Source:
    """Open a path, ``"-"`` (standard input) or a stream of text or bytes for reading.

    A `Source` is returned unchanged, so that its format can be detected before it is read. The
    parameters are those of `formats.stream`. ``encoding="auto"`` means UTF-8; if the bytes are not
    UTF-8, it means the only encoding that is likely to charset-normalizer, with a warning. A
    byte-order mark of UTF-8 or UTF-16 has priority over any encoding. gzip data may expand to four
    times `max_bytes`.
    """
    if isinstance(target, Source):
        return target
    if not isinstance(target, (str, os.PathLike, PackedFolder, io.IOBase)):
        source = _source_of_object(target, recording, tolerance)
        if source is not None:
            return source
    packed = target if isinstance(target, PackedFolder) else None
    path = os.fspath(target) if isinstance(target, (str, os.PathLike)) else ""
    folder = packed.name if packed else _kaldi_folder(path)
    parts = () if folder else _parts(path)
    tree = packed.tree if packed else None if folder or parts else _tree(path)
    stream: IO[Any] = io.BytesIO()
    is_ours = True
    if tree is not None:
        name = folder = folder or path.rstrip("/") or "/"
    else:
        text = packed.open("text") if packed else f"{folder}/text" if folder else None
        name, stream, is_ours = _open_stream(text or (*parts, target)[0])  # type: ignore[arg-type]
    if parts:
        name = path
    log = DiagnosticLog(name, tolerance, side)
    if encoding != "auto":
        check_encoding(encoding)
    data = gunzip_if_needed(_read_blocks(stream, name, max_bytes), name, max_bytes)
    stem = os.path.basename(os.path.abspath(folder)) if folder else recording_of(name)
    source = Source(name, recording or stem, iter(()), log)
    if tree is None:
        source._blocks = _unwrapped(decode(source._signed(data), encoding, log), name, log)
    source.tree = tree
    source.folder, source.encoding, source.max_bytes = folder, encoding, max_bytes
    source.parts, source._packed = parts, packed
    if is_ours:
        source._closing.append(stream)
    return source


def _unwrapped(blocks: Iterator[str], name: str, log: DiagnosticLog) -> Iterator[str]:
    """Yield the text of the file `name`; a text that may be in a wrapping is read as a whole."""
    first = next(blocks, None)
    if first is None:
        return
    is_escaped = "\\n" in first and name.lower().endswith(TEXT_ENDINGS)
    if not (first.startswith("```") or is_escaped or are_cues_joined(first)):
        yield first
        yield from blocks
        return
    from formats.io.wrapping import unwrapped

    yield unwrapped(first + "".join(blocks), log, may_have_ends=is_escaped)


def _source_of_object(target: object, recording: str | None, tolerance: str) -> Source | None:
    """Return the source for an object of a known library; `None` for a stream.

    Raise `TypeError` for any other object.
    """
    from formats.io.library_objects import object_format

    kind = object_format(target)
    if kind is None and hasattr(target, "read"):
        return None
    if kind is None:
        raise TypeError(
            "expected a path, a stream, a pysubs2.SSAFile or a textgrid.TextGrid to read, found "
            f"{type(target).__name__}"
        )
    name = f"<{type(target).__name__}>"
    own_name = getattr(target, "name", None)
    stem = recording_of(own_name) if isinstance(own_name, str) and own_name else NAMELESS
    source = Source(name, recording or stem, iter(()), DiagnosticLog(name, tolerance))
    source.tree, source.document = kind, target
    return source


def _kaldi_folder(path: str) -> str | None:
    """Return the path of a Kaldi data directory without its final slash; `None` for other paths."""
    is_kaldi = os.path.isdir(path) and os.path.isfile(os.path.join(path, "text"))
    return (path.rstrip("/") or "/") if is_kaldi else None


def _tree(path: str) -> str | None:
    """Return the name of the format whose corpus a directory holds; `None` for any other path."""
    if not os.path.isdir(path):
        return None
    from formats.io.trees import tree_of

    return tree_of(path)


def _parts(path: str) -> tuple[str, ...]:
    """Return the files of the table that a folder, pattern or URL names; empty for other paths."""
    is_remote = is_url(path)
    if not (is_remote or os.path.isdir(path) or set("*?[").intersection(path)):
        return ()
    from formats.io.folders import files_of_table

    return files_of_table(path, is_remote=is_remote)


def is_url(path: str) -> bool:
    """Return True if a path is a URL and not a local file; `formats.io.remote` reads URLs.

    >>> is_url("s3://bucket/a.parquet"), is_url("a.parquet"), is_url("://"), is_url("c://a")
    (True, False, False, False)
    """
    if "://" not in path:
        return False
    scheme = path.partition("://")[0]
    return len(scheme) > 1 and scheme.isalnum() and not os.path.lexists(path)


def is_one_input(path: str) -> bool:
    """Return True if a folder or pattern is one input: Kaldi data, a corpus or a table of files."""
    return bool(_kaldi_folder(path) or _parts(path) or _tree(path))


def is_collection(path: str) -> bool:
    """Return True if a path is a folder, an archive or a pattern that matches files."""
    if os.path.isdir(path):
        return not is_one_input(path)
    if is_url(path):
        return False
    if not os.path.lexists(path):
        return bool(set("*?[").intersection(path)) and not is_one_input(path)
    return is_archive(path) and os.path.isfile(path)


def is_archive(path: str) -> bool:
    """Return True if the file name has the suffix of an archive."""
    return path.lower().endswith(ARCHIVES)


def _open_stream(target: str | os.PathLike[str] | IO[Any]) -> tuple[str, IO[Any], bool]:
    if not isinstance(target, (str, os.PathLike)):
        name = getattr(target, "name", None)
        return name if isinstance(name, str) else "<stream>", target, False
    path = os.fspath(target)
    if path == "-" and sys.stdin is None:
        from formats.io.errors import UnreadableFileError

        raise UnreadableFileError("cannot be read: it is closed", path="<stdin>")
    if path == "-":
        return "<stdin>", getattr(sys.stdin, "buffer", sys.stdin), False
    try:
        if is_url(path):
            from formats.io.remote import RemoteFile

            remote: Any = RemoteFile(path)
            return path, remote, True
        if os.path.isdir(path):
            raise IsADirectoryError
        return path, open(path, "rb", buffering=0), True
    except (OSError, ValueError) as problem:
        raise _unreadable(path, problem) from None


def _too_large(excess: str, name: str, line: int | None = None) -> FormatError:
    """Create the error about an input that is larger than a limit."""
    from formats.io.errors import SizeLimitError

    return SizeLimitError(excess, path=name, line=line)


def _unreadable(path: str, problem: OSError | ValueError) -> FormatError:
    from formats.io.errors import UnreadableFileError

    for kind, found in UNREADABLE:
        if isinstance(problem, kind):
            near = near_file(path) if kind is FileNotFoundError else ""
            return UnreadableFileError(
                path=path, expected="a readable file", found=f"{found}{near}"
            )
    reason = getattr(problem, "strerror", None) or str(problem)
    return UnreadableFileError(f"cannot be read: {reason}", path=path)


def recording_of(name: str) -> str:
    """Return the default recording name for a file: the file name without suffix and ``.gz``."""
    if name.startswith("<"):
        return name.strip("<>") or NAMELESS
    base = os.path.basename(name.rstrip("/"))
    if base.lower().endswith(".gz"):
        base = base[:-3]
    if base.lower().endswith(".trans.txt"):
        base = base[: -len(".trans.txt")]
        return base or NAMELESS
    stem = base.rpartition(".")[0]
    return (stem if stem.strip(".") else base) or NAMELESS


MEDIA = frozenset(
    {
        *("wav", "flac", "mp3", "ogg", "opus", "sph", "m4a", "webm", "mp4", "aac"),
        *("raw", "pcm", "wma", "aif", "aiff", "amr", "mkv", "mov"),
    }
)
"""Endings of audio and video files, in small letters."""
LANGUAGE = lazy_pattern(r"(?is)(.+)\.([a-z]{2,3}(?:[-_][a-z0-9]{2,8})*)\Z")


def without_media(name: str) -> str:
    """Remove the suffix of a media file from a name; keep any other suffix.

    >>> without_media("wav/talk.WAV"), without_media("rec.1"), without_media(".wav")
    ('wav/talk', 'rec.1', '.wav')
    """
    return names_without_media([name])[0]


def names_without_media(names: Iterable[str]) -> list[str]:
    """Return the names without the suffixes of media files, as `without_media` does for each."""
    parts = [name.rpartition(".") for name in names]
    media = {ending for ending in {part[2] for part in parts} if ending.lower() in MEDIA}
    return [
        stem if stem and ending in media else f"{stem}{dot}{ending}" for stem, dot, ending in parts
    ]


def split_language(name: str) -> tuple[str, str]:
    """Remove the media suffix and the language tag from a file name; return name and tag.

    The tag is empty if there is none.

    >>> split_language("talk.en"), split_language("talk.pt-BR.wav"), split_language("talk.mp3")
    (('talk', 'en'), ('talk', 'pt-BR'), ('talk', ''))
    """
    name = without_media(name)
    tagged = LANGUAGE.match(name)
    return (without_media(tagged[1]), tagged[2]) if tagged else (name, "")


def _read_blocks(stream: IO[Any], name: str, limit: int) -> Iterator[bytes | str]:
    total = 0
    size = _size_of(stream) if is_heard() else 0
    # One system call at a time: a longer wait inside `read` would not notice an interrupt.
    read = stream.read1 if type(stream) is io.BufferedReader else stream.read
    while True:
        try:
            block = read(BLOCK)
        except UnicodeDecodeError as problem:
            from formats.io.errors import EncodingFormatError

            raise EncodingFormatError(
                f"the stream is not {problem.encoding}: {problem.reason}", path=name
            ) from None
        except (OSError, ValueError) as problem:
            raise _unreadable(name, problem) from None
        if not block:
            return
        total += len(block)
        if total > limit:
            raise _too_large(f"larger than {limit} bytes", name)
        if size:
            tell(f"reading {name}", total, size)
        yield block


def _size_of(stream: IO[Any]) -> int:
    """Return the size of a stream in bytes; 0 if it is unknown, as for a pipe."""
    size = getattr(stream, "size", None)
    if isinstance(size, int):
        return size
    try:
        return os.fstat(stream.fileno()).st_size
    except (AttributeError, OSError, ValueError):
        return 0
