"""From bytes to text: gzip with limits, byte-order marks, encodings, NUL bytes."""

from __future__ import annotations

import codecs

from formats.errors import EncodingFormatError, OptionError, SizeLimitError, quoted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from formats.diagnostics import DiagnosticLog

__all__ = ["BLOCK", "LARGEST_INPUT", "BadTextError", "check_encoding", "decode", "gunzip_if_needed"]

BLOCK = 1 << 18
LARGEST_INPUT = 1 << 30
LARGEST_EXPANSION = 4
LARGEST_RATIO = 200
RATIO_COUNTS_FROM = 1 << 26

# Those of UTF-32 first: that of UTF-16 is the beginning of one of them.
MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


class BadTextError(Exception):
    """Raised between blocks: the text before it is good, the next character is not.

    `rest` is what comes from there on, bytes that are no text as lone surrogates; `None` where
    nothing sensible can follow, and for encodings other than UTF-8.
    """

    def __init__(self, expected: str, found: str, rest: Iterator[str] | None = None) -> None:
        super().__init__(expected, found)
        self.expected = expected
        self.found = found
        self.rest = rest


def gunzip_if_needed(blocks: Iterator[bytes | str], name: str, limit: int) -> Iterator[bytes | str]:
    """The blocks, decompressed if they begin as gzip does; all members of the stream.

    Raises
    ------
    EncodingFormatError: damaged or truncated data.
    SizeLimitError: more than four times `limit` bytes, or more than 200-fold, come out.
    """
    first = next(blocks, None)
    if first is None:
        return
    if isinstance(first, str) or not first.startswith(b"\x1f"):
        yield first
        yield from blocks
        return
    if len(first) == 1:
        first += next(blocks, b"")  # type: ignore[operator]
    if first.startswith(b"\x1f\x8b"):
        yield from _gunzip(first, blocks, name, limit)
    else:
        yield first
        yield from blocks


def _gunzip(first: bytes, blocks: Iterator[bytes | str], name: str, limit: int) -> Iterator[bytes]:
    import zlib

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
    """Text blocks without byte-order mark; `BadTextError` after the last good one."""
    first = _gather(blocks)
    if first is None:
        log.warn("EMPTY", "the file is empty")
        return
    if isinstance(first, str):
        yield from _without_nul(_chain(first.removeprefix("\ufeff"), blocks))
        return
    for mark, name in MARKS:
        if first.startswith(mark):
            first, encoding = first[len(mark) :], name
            if name != "utf-8":
                log.note("ENCODING", f"decoded as {name} because of its byte-order mark")
            break
    else:
        if encoding in ("utf-8", "auto") and (declared := _declared_by_xml(first[:1024])):
            encoding = declared
        if encoding in ("utf-8", "auto") and (guess := _unmarked_utf16(first[:4096])):
            encoding = guess
            log.warn("UTF-16", f"decoded as {guess}: every other byte of the beginning is NUL")
    if encoding == "auto":
        data = first + b"".join(b for b in blocks if isinstance(b, bytes))
        yield from _without_nul(iter((_decode_by_trial(data, log),)))
        return
    yield from _without_nul(_decode_blocks(_chain(first, blocks), encoding))


def _gather(blocks: Iterator[bytes | str]) -> bytes | str | None:
    """The first block; a short one, as pipes give, is filled up to see marks and NULs."""
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


def check_encoding(name: str) -> None:
    """Refuse what is no encoding of text: Python has codecs as ``base64`` and ``rot13``, too.

    Raises
    ------
    OptionError
    """
    try:
        is_text = getattr(codecs.lookup(name), "_is_text_encoding", True)
    except LookupError:
        is_text = False
    if not is_text:
        raise OptionError(expected="the name of an encoding", found=quoted(name))


def _declared_by_xml(head: bytes) -> str | None:
    """The encoding that an XML declaration names, if Python knows it."""
    if not head.lstrip().startswith(b"<?xml"):
        return None
    import re

    found = re.match(rb"""\s*<\?xml[^>]*?\sencoding\s*=\s*["']([A-Za-z][\w.-]*)["']""", head)
    if found is None:
        return None
    name = found[1].decode("ascii")
    try:
        codec = codecs.lookup(name)
    except LookupError:
        return None
    # A file whose declaration can be read byte by byte is in no encoding of wider units.
    is_text = getattr(codec, "_is_text_encoding", True)
    is_wide = codec.name.startswith(("utf-16", "utf-32", "utf-7"))
    return codec.name if is_text and not is_wide else None


def _unmarked_utf16(head: bytes) -> str | None:
    pairs = len(head) // 2
    odd, even = head[1::2].count(0), head[::2].count(0)
    if pairs > 1 and odd > 0.4 * pairs and even == 0:
        return "utf-16-le"
    if pairs > 1 and even > 0.4 * pairs and odd == 0:
        return "utf-16-be"
    return None


def _decode_by_trial(data: bytes, log: DiagnosticLog) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        text = data.decode("cp1252")
    except UnicodeDecodeError:
        text = "\x01"
    if all(c.isprintable() or c in "\t\n\r\f\v" for c in text):
        log.warn("ENCODING", "decoded as cp1252 because it is not UTF-8")
        return text
    raise EncodingFormatError(
        expected="UTF-8 or printable Windows-1252 text", found="neither", path=log.path
    )


def _decode_blocks(blocks: Iterator[bytes], encoding: str) -> Iterator[str]:
    decoder = codecs.getincrementaldecoder(encoding)()
    try:
        for block in blocks:
            yield decoder.decode(block)
        yield decoder.decode(b"", True)
    except UnicodeDecodeError as problem:
        good = problem.object[: problem.start].decode(problem.encoding, "ignore")
        if good:
            yield good
        found = problem.object[problem.start : problem.start + 1].hex().upper()
        rest = None
        if codecs.lookup(encoding).name == "utf-8":
            rest = _without_nul(_keep_bytes(problem.object[problem.start :], blocks))
        raise BadTextError(
            f"{encoding.upper()} text (name another with --encoding, or auto)",
            f"byte 0x{found}",
            rest,
        ) from None
    except UnicodeError as problem:
        raise BadTextError(f"{encoding} text", str(problem)) from None


def _keep_bytes(first: bytes, blocks: Iterator[bytes]) -> Iterator[str]:
    """UTF-8 whose undecodable bytes are lone surrogates, as Python's ``surrogateescape`` has it."""
    decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
    yield decoder.decode(first)
    for block in blocks:
        yield decoder.decode(block)
    yield decoder.decode(b"", True)


def _without_nul(blocks: Iterator[str]) -> Iterator[str]:
    for block in blocks:
        if "\0" in block:
            yield block[: block.index("\0")]
            raise BadTextError("text", "a NUL byte: the file is binary or damaged")
        yield block
