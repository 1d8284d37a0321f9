"""Conversion of bytes to text: gzip with limits, byte-order marks, encodings, NUL bytes."""

from __future__ import annotations

import codecs

from formats.schema import NamedTuple, lazy_pattern
from formats.schema.errors import OptionError, quoted
from formats.schema.messages import Entry, Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from formats.schema.diagnostics import DiagnosticLog

BLOCK = 1 << 16
GZIP = b"\x1f\x8b"
"""The first bytes of files that gzip compressed."""
LARGEST_INPUT = 1 << 30
LARGEST_EXPANSION = 4
LARGEST_RATIO = 200
RATIO_COUNTS_FROM = 1 << 26

CUES_OF_LINE, FEWEST_JOINED = 2, 3
"""The fewest cues of a line of subtitles whose line ends are gone, and of such a file."""
MOST_DOUBTFUL, FEWEST_FOR_ONE = 0.0001, 1000
"""The share of bytes that may be damaged, or other characters in another likely encoding, and the
bytes of a text in which one may be.
"""
# Codecs that Python counts among those of text, and that no file is written in.
NO_CHARSETS = frozenset({"unicode-escape", "raw-unicode-escape", "idna", "punycode", "undefined"})

TABLES = (b"PAR1", b"ARROW1", b"\xff\xff\xff\xff")
"""The first bytes of binary tables, in which every other byte may be NUL."""
CONTROLS = bytes({*range(32), 127} - {*b"\t\n\v\f\r\x15\x1a\x1b"})
"""Control characters that text hardly has: other than blanks, line ends, and marks of editors."""
BINARY_HEAD = 1 << 14
FEWEST_CONTROLS = 8
LEAST_SHARE = 0.02
SOUNDS = (
    *(b"RIFF", b"RF64", b"FORM", b"caff", b".snd", b"fLaC", b"OggS", b"NIST_1A", b"#!AMR"),
    *(b"\xff\xfb", b"\xff\xfa", b"\xff\xf3", b"\xff\xf2", b"\x1aE\xdf\xa3"),
)
"""The first bytes of files of sound and video; MP4 has the name of its first part at byte four."""
PDF_START, OFFICE_START = b"%PDF-", b"\xd0\xcf\x11\xe0"
PICTURES = (b"\x89PNG", b"\xff\xd8\xff")
TAGS = (b"ID3\2", b"ID3\3", b"ID3\4")
POINTERS = b"version https://git-lfs.github.com/spec/", b"/annex/objects/"
"""The beginnings of files that Git LFS and git-annex have in place of others."""
NO_TEXTS = (PDF_START, OFFICE_START, *PICTURES, *TAGS)
"""The first bytes of binary files that no text has."""
# Those of UTF-32 first: that of UTF-16 is the beginning of one of them.
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


TWICE = lazy_pattern(
    "[\u00c2-\u00f4][\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc"
    "\u2013\u2014\u2018-\u201e\u2020-\u2022\u2026\u2030\u2039\u203a\u20ac\u2122]"
)
"""What a character of UTF-8 looks like when it is read as Windows-1252: ``Ã©``."""
REMARKS = frozenset({"EMPTY", "ENCODING", "UTF-16"})
"""The codes of what `decode` logs."""


class BadTextError(Exception):
    """Raised if the next character is invalid. All text before this character was yielded.

    `rest` is the text from the invalid character on, with invalid bytes as lone surrogates. It is
    `None` if no useful text can follow, and for encodings other than UTF-8. If `has_place` is
    false, the file is not a text file, and the position has no meaning. `trial` is what remains if
    the text may be in another encoding (see `Trial`).
    """

    def __init__(
        self,
        expected: str,
        found: str,
        rest: Iterator[str] | None = None,
        *,
        is_nul: bool = False,
        has_place: bool = True,
        value: Message | None = None,
        trial: Trial | None = None,
    ) -> None:
        super().__init__(expected, found)
        self.trial = trial
        self.is_nul = is_nul
        self.has_place = has_place
        self.expected = expected
        self.found = found
        self.rest = rest
        self.value = value

    def bare(self) -> BadTextError:
        """Return the error without its traceback, which would keep objects in memory."""
        return BadTextError(
            self.expected,
            self.found,
            self.rest,
            is_nul=self.is_nul,
            has_place=self.has_place,
            value=self.value,
            trial=self.trial,
        )

    def decode_otherwise(self, log: DiagnosticLog) -> Iterator[str] | None:
        """Return the rest of the text in the only encoding that is likely, with a warning.

        Several are as good as one if hardly any byte differs; so is UTF-8 with hardly any damage.
        If no encoding or several are likely, return `None`; the error then says so.
        """
        if self.trial is None:
            return None
        from formats.io.likely_encodings import (
            ASCII,
            differing,
            is_damaged_utf8,
            likely_encodings,
        )
        from formats.io.messages import (
            FEW_DAMAGED,
            FEW_DOUBTFUL,
            LIKELY_ENCODINGS,
            NO_LIKELY_ENCODING,
            NOT_UTF8,
            UNCERTAIN,
        )

        trial = self.trial
        data, start, self.trial = trial.data + b"".join(trial.blocks), trial.start, None
        size = trial.before + len(data)
        most = max(MOST_DOUBTFUL * size, int(size >= FEWEST_FOR_ONE))
        if trial.is_damaged or is_damaged_utf8(data):
            text = data[start:].decode("utf-8", "replace")
            if (damaged := text.count("\ufffd")) <= most:
                log.say(FEW_DAMAGED, count=damaged)
                return _without_nul(iter((text,)))
            self.rest = _without_nul(_keep_bytes(data[start:], iter(())))
            return None
        names = sorted(likely_encodings(data), key="cp1252".__ne__)
        if names and len(data.translate(None, ASCII)) <= most:  # too few to show any other
            names = [*dict.fromkeys(("cp1252", *names))]
        doubtful = differing(data, names) if names else 0
        if len(names) == 1 or 0 < doubtful <= most:
            if doubtful:
                log.say(FEW_DOUBTFUL, encoding=names[0], count=doubtful, names=names[1:])
            else:
                log.say(NOT_UTF8, encoding=names[0])
            return _without_nul(iter((data[start:].decode(names[0], "replace"),)))
        found = Message(NO_LIKELY_ENCODING)
        if names:
            found = Message(LIKELY_ENCODINGS, {"names": names[:4]})
        self.value = Message(UNCERTAIN, {"found": found}, log.side)
        self.rest = _without_nul(_keep_bytes(data[start:], iter(())))
        return None


class Trial(NamedTuple):
    """Bytes that are not UTF-8: those at hand, the first that is not ASCII, what follows them.

    If the text is UTF-8 with damage (`is_damaged`), `start` is the first damaged byte. `before` is
    the number of bytes before those at hand.
    """

    data: bytes
    start: int
    blocks: Iterator[bytes]
    is_damaged: bool = False
    before: int = 0


def gunzip_if_needed(blocks: Iterator[bytes | str], name: str, limit: int) -> Iterator[bytes | str]:
    """Yield the blocks. gzip data is decompressed, even if it consists of several gzip streams.

    A ``.gz`` file that ends within its first bytes is reported as truncated.
    """
    first = next(blocks, None)
    if first == b"\x1f":
        first += next(blocks, b"")  # type: ignore[operator]
    if first in (None, b"\x1f") and name.lower().endswith(".gz"):
        from formats.io.errors import EncodingFormatError

        found = "an empty file" if first is None else "a truncated file"
        raise EncodingFormatError(expected="the end of the gzip data", found=found, path=name)
    if isinstance(first, bytes) and first.startswith(GZIP):
        yield from _gunzip(first, blocks, name, limit)
    elif first is not None:
        yield from _chain(first, blocks)


def _gunzip(first: bytes, blocks: Iterator[bytes | str], name: str, limit: int) -> Iterator[bytes]:
    import zlib

    from formats.io.errors import EncodingFormatError, SizeLimitError

    most = limit * LARGEST_EXPANSION
    packed = unpacked = 0
    decoder = zlib.decompressobj(31)
    fresh = False
    block: bytes | str | None = first
    while block is not None:
        assert isinstance(block, bytes)
        packed += len(block)
        while True:
            if fresh:
                block = block.lstrip(b"\0")
                if not block:
                    break
                decoder, fresh = zlib.decompressobj(31), False
            try:
                piece = decoder.decompress(block, BLOCK)
            except zlib.error as problem:
                raise EncodingFormatError(
                    expected="gzip data", found=f"damage ({problem})", path=name
                ) from None
            unpacked += len(piece)
            if unpacked > most:
                raise SizeLimitError(f"expands to more than {most} bytes", path=name)
            if unpacked > RATIO_COUNTS_FROM and unpacked > packed * LARGEST_RATIO:
                raise SizeLimitError(
                    f"expands more than {LARGEST_RATIO}-fold, which no transcript does", path=name
                )
            if piece:
                yield piece
            if decoder.eof:
                block, fresh = decoder.unused_data, True
            else:
                block = decoder.unconsumed_tail
                if not block and len(piece) < BLOCK:
                    break
        block = next(blocks, None)
    if not fresh:
        raise EncodingFormatError(
            expected="the end of the gzip data", found="a truncated file", path=name
        )


def decode(blocks: Iterator[bytes | str], encoding: str, log: DiagnosticLog) -> Iterator[str]:
    """Yield decoded text without byte-order mark; raise `BadTextError` at an invalid character."""
    first = _gather(blocks)
    if first is None:
        from formats.io.messages import EMPTY

        log.say(EMPTY)
        return
    if isinstance(first, bytes) and first.startswith(PDF_START):  # it may be ASCII
        from formats.io.messages import PDF

        raise BadTextError("text", "a PDF", has_place=False, value=Message(PDF))
    if isinstance(first, bytes) and first.startswith(POINTERS):
        from formats.io.messages import POINTER

        raise BadTextError("text", "a pointer of Git", has_place=False, value=Message(POINTER))
    if isinstance(first, str):
        yield from _without_nul(_chain(first.removeprefix("\ufeff"), blocks))
        return
    is_guessed = encoding == "auto"
    for mark, name in MARKS:
        if first.startswith(mark):
            first, encoding = first[len(mark) :], name
            if name != "utf-8":
                from formats.io.messages import BYTE_ORDER_MARK

                log.say(BYTE_ORDER_MARK, encoding=name)
            break
    else:
        if encoding in ("utf-8", "auto") and (declared := _declared_by_xml(first[:1024])):
            encoding = declared
        is_text = encoding in ("utf-8", "auto") and not first.startswith(TABLES)
        if is_text and (guess := _unmarked_utf16(first[:4096])):
            encoding = guess
            from formats.io.messages import UTF_16

            log.say(UTF_16, encoding=guess)
    try:
        if encoding == "auto":
            texts = _decode_by_trial(_chain(first, blocks), log.side)
        else:
            texts = _decode_blocks(_chain(first, blocks), encoding, log.side)
        # a score is that of what a system wrote; the remark GARBLED tells of such letters
        may_repair = is_guessed and encoding in ("auto", "utf-8") and not log.side
        yield from _without_nul(_decoded_again(texts, log) if may_repair else texts)
    except BadTextError as trouble:
        if (content := binary_content(first, encoding)) is None:
            raise
        trouble.value, trouble.has_place, trouble.trial = Message(content), False, None
        raise


def _decoded_again(texts: Iterator[str], log: DiagnosticLog) -> Iterator[str]:
    """Yield the text; if it was encoded twice as a whole, yield it decoded once more.

    The first block shows whether this may be; then the text is read as a whole.
    """
    first = next(texts, "")
    if first.isascii() or TWICE.search(first) is None:
        yield first
        yield from texts
        return
    from formats.io.messages import ENCODED_TWICE, PERHAPS_TWICE
    from formats.io.twice_encoded import decoded_again, doubtful_places

    blocks = [first]
    if decoded_again(first.rpartition("\n")[0] or first) is not None:
        try:
            blocks += texts
        except BadTextError:
            yield "".join(blocks)
            raise
        whole = "".join(blocks)
        if (meant := decoded_again(whole)) is not None:
            log.say(ENCODED_TWICE, text=TWICE.findall(first)[0])
            yield meant
            return
    if places := doubtful_places("".join(blocks)):
        log.say(PERHAPS_TWICE, count=len(places), text=places[0])
    yield from blocks
    yield from texts


def binary_content(first: bytes, encoding: str) -> Entry | None:
    r"""Return what to say of a binary file from its first bytes; `None` if it may be text.

    Text has hardly any control characters. UTF-16 and UTF-32 are decoded before control characters
    are counted.

    >>> binary_content(b"ID3\x03" + bytes(range(32)), "utf-8").variant
    'sound'
    >>> binary_content(b"a\0b", "utf-8")
    """
    is_film = first[:3] == b"\0\0\0" and first[4:8] == b"ftyp"
    if not (is_film or first.startswith(NO_TEXTS) or _has_controls(first[:BINARY_HEAD], encoding)):
        return None
    from formats.io.messages import NOT_TEXT, OLD_OFFICE, PDF, PICTURE, SOUND

    if first.startswith(PDF_START):
        return PDF
    if first.startswith(PICTURES):
        return PICTURE
    if first.startswith(OFFICE_START):
        return OLD_OFFICE
    return SOUND if is_film or first.startswith((*TAGS, *SOUNDS)) else NOT_TEXT


def _has_controls(head: bytes, encoding: str) -> bool:
    """Return True if the first bytes of a file have more control characters than text has."""
    controls = len(head) - len(head.translate(None, CONTROLS))
    if encoding.replace("_", "-").lower().startswith(("utf-16", "utf-32")):
        text = head[: len(head) // 4 * 4].decode(encoding, "replace")
        wide = 4 * sum(not sign.isspace() and (sign < " " or sign == "\ufffd") for sign in text)
        controls = min(controls, wide)
    return controls >= FEWEST_CONTROLS and controls >= LEAST_SHARE * len(head)


def _gather(blocks: Iterator[bytes | str]) -> bytes | str | None:
    """Return the first block; add bytes up to 4 KiB, enough for byte-order marks and NULs."""
    first = next(blocks, None)
    while isinstance(first, bytes) and len(first) < 4096:
        more = next(blocks, None)
        if not isinstance(more, bytes):
            break
        first += more
    return first


def _chain(first: bytes | str, blocks: Iterator[bytes | str]) -> Iterator[Any]:
    yield first
    yield from blocks


def certain(encoding: str) -> str:
    """Return the encoding of a file beside transcripts, of which no warning tells; no guess."""
    return "utf-8" if encoding == "auto" else encoding


def check_encoding(name: str) -> None:
    """Reject Python codecs that are not text encodings, such as ``base64`` and ``rot13``."""
    if not _is_of_text(name):
        raise OptionError(expected="the name of an encoding of text", found=quoted(name))


def _is_of_text(name: str) -> bool:
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):
        return False
    is_text = getattr(codec, "_is_text_encoding", True)
    return is_text and codec.name.replace("_", "-") not in NO_CHARSETS


def _declared_by_xml(head: bytes) -> str | None:
    """Return the encoding that an XML declaration names, if Python knows it."""
    if not head.lstrip().startswith(b"<?xml"):
        return None
    import re

    match = re.match(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']""", head)
    if match is None or not _is_of_text(name := match[1].decode("ascii")):
        return None
    codec = codecs.lookup(name).name
    # A file whose declaration can be read byte by byte is in no encoding of wider units.
    return None if codec.startswith(("utf-16", "utf-32", "utf-7")) else codec


def _unmarked_utf16(head: bytes) -> str | None:
    pairs = len(head) // 2
    odd, even = head[1::2].count(0), head[::2].count(0)
    if pairs > 1 and odd > 0.4 * pairs and even == 0:
        return "utf-16-le"
    if pairs > 1 and even > 0.4 * pairs and odd == 0:
        return "utf-16-be"
    return None


def _decode_by_trial(blocks: Iterator[bytes], side: str) -> Iterator[str]:
    """Yield decoded UTF-8; if it is none, raise `BadTextError` with what may be tried.

    With other characters before the bytes that are not UTF-8, or many behind, the text is damaged.
    """
    decoder, is_ascii, size = codecs.getincrementaldecoder("utf-8")(), True, 0
    try:
        for block in blocks:
            size += len(block)
            text = decoder.decode(block)
            is_ascii = is_ascii and text.isascii()
            yield text
        yield decoder.decode(b"", True)
        return
    except UnicodeDecodeError as problem:
        start, data = problem.start, problem.object
    from formats.io.likely_encodings import is_damaged_utf8

    is_damaged = not is_ascii or is_damaged_utf8(data)
    if not is_damaged:
        start = next(n for n, byte in enumerate(data) if byte > 127)
    trial = Trial(data, start, blocks, is_damaged, max(0, size - len(data)))
    yield data[:start].decode("utf-8", "ignore")
    found = f"byte 0x{data[start : start + 1].hex().upper()}"
    from formats.io.messages import OTHER_ENCODING

    value = Message(OTHER_ENCODING, {"encoding": "UTF-8", "found": found}, side)
    rest = _without_nul(_keep_bytes(data[start:], blocks))
    raise BadTextError("UTF-8 text", found, rest, value=value, trial=trial)


def _decode_blocks(blocks: Iterator[bytes], encoding: str, side: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for block in blocks:
            yield decoder.decode(block)
        yield decoder.decode(b"", True)
    except UnicodeDecodeError as problem:
        good = problem.object[: problem.start].decode(problem.encoding, "ignore")
        if good:
            yield good
        byte = problem.object[problem.start : problem.start + 1].hex().upper()
        rest = None
        if codecs.lookup(encoding).name == "utf-8":
            rest = _without_nul(_keep_bytes(problem.object[problem.start :], blocks))
        expected, found = f"{encoding.upper()} text", f"byte 0x{byte}"
        from formats.io.messages import OTHER_ENCODING

        value = Message(OTHER_ENCODING, {"encoding": encoding.upper(), "found": found}, side)
        raise BadTextError(expected, found, rest, value=value) from None
    except UnicodeError as problem:
        expected, found = f"{encoding} text", str(problem)
        from formats.io.messages import OTHER_CODEC

        value = Message(OTHER_CODEC, {"encoding": encoding, "found": found}, side)
        raise BadTextError(expected, found, value=value) from None


def _keep_bytes(first: bytes, blocks: Iterator[bytes]) -> Iterator[str]:
    """Yield decoded UTF-8. Bytes that are not UTF-8 become surrogates (``surrogateescape``)."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    yield decoder.decode(first)
    for block in blocks:
        yield decoder.decode(block)
    yield decoder.decode(b"", True)


def _without_nul(blocks: Iterator[str]) -> Iterator[str]:
    for block in blocks:
        if "\0" in block:
            index = block.index("\0")
            yield block[:index]
            reason = "a NUL byte: the file is binary or damaged"
            raise BadTextError("text", reason, _chain(block[index:], blocks), is_nul=True)
        yield block


def are_cues_joined(text: str) -> bool:
    """Return True if a text may be subtitles with several cues on each line."""
    arrows = text.count("-->")
    return arrows >= FEWEST_JOINED and arrows >= CUES_OF_LINE * (text.count("\n") + 1)
