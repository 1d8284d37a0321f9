"""Conversion of bytes to text: gzip with limits, byte-order marks, encodings, NUL bytes."""

from __future__ import annotations

import codecs

from formats.schema import NamedTuple, lazy_pattern
from formats.schema.errors import OptionError, quoted
from formats.schema.messages import Entry, Message

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any

    from formats.schema.diagnostics import DiagnosticLog

BLOCK = 1 << 16
GZIP = b"\x1f\x8b"
"""The first bytes of files that gzip compressed."""
LARGEST_INPUT = 1 << 30
LARGEST_EXPANSION = 4
LARGEST_RATIO = 200
RATIO_COUNTS_FROM = 1 << 26

GUESSED = (
    *("cp1252", "cp1250", "cp1254", "cp1251", "koi8_r", "cp1253", "cp1255", "cp1256", "cp874"),
    *("gb18030", "big5", "cp932", "euc_jp", "cp949"),
)
"""The encodings that `auto` detects, by their names in charset-normalizer."""
GUESSED_FROM = 1 << 16
ASCII = bytes(range(128))
PUNCTUATION = frozenset(b"\x85\x91\x92\x93\x94\x96\x97\xa0")
"""Quotes, dashes and the ellipsis of Windows, alike in its encodings of Europe."""
PAIRED = lazy_pattern(rb"[\x80-\xff]{3}")
"""More such bytes in a row than English has."""
PUNCTUATION_OF_MAC = lazy_pattern(
    rb"(?<=[a-z0-9.,!?])[\xc9\xd1\xd3\xd5]|(?<=[\s(])[\xd2\xd4](?=[A-Za-z])"
    rb"|(?<=[\s.,!?])[\xd0\xd1](?=\s)|(?<=[a-z0-9])[\xd0](?=[a-z0-9])"
)
"""Quotes, dashes and the ellipsis of Mac Roman, where no capital letters of Windows can be."""
OPENING_OF_MAC = frozenset((b"\xd2", b"\xd4"))
"""Those before words, where capital letters of Windows can be, too."""
LAST_OF_ALPHABETS = "\u2e7f"
JOINERS = "\xa0\xad\xb4\xb7\u2010\u2013\u2014\u2018\u2019\u2026"
READABLE = frozenset("\t\n\r\f\v\xa0\xad\u3000")
"""Characters of text that Python does not count as printable."""
LATIN_LETTERS = {
    "cp1252": tuple(
        map(
            frozenset,
            (
                *("àâæçéèêëîïôœùûüÿ", "àèéìíîòóùú", "áéíñóúü", "áàâãçéêíóôõúü", "äöüß"),
                *("æøåéèêóòô", "åäöéü", "áæðéíóöúýþ", "éèêëïöü", "àçéèíïóòúü"),
            ),
        )
    ),
    "cp1250": tuple(
        map(
            frozenset,
            (
                *("ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž"),
                *("áéíóöőúüű", "čćđšž", "ăâîşţ"),
            ),
        )
    ),
}
"""Letters beside ASCII of the languages that are written in an encoding."""
HIRAGANA = frozenset(map(chr, range(0x3041, 0x3097)))
FREQUENT = {
    "cp932": HIRAGANA,
    "euc_jp": HIRAGANA,
    "gb18030": frozenset(
        "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里"
        "用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实"
    ),
    "big5": frozenset(
        "的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡"
        "用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實"
    ),
    "cp949": frozenset(
        "이다는에고의가을하지를은한도로기서있나사시아어리자그해대만으정일인스수보요니"
    ),
}
"""Letters that texts in an encoding of East Asia hardly lack: kana, characters or syllables."""
LEAST_FREQUENT, FEWEST_LETTERS = 0.2, 8
"""The share of such letters in a text of an encoding, and the fewest letters that show it."""
KNOWN_LETTERS = 0.98
MOST_DOUBTFUL = 0.0001
"""The share of bytes that may be damaged, or other characters in another likely encoding."""
CONFIDENCE = 0.9
MARGIN = 0.05
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
        most = MOST_DOUBTFUL * (trial.before + len(data))
        if trial.is_damaged:
            text = data[start:].decode("utf-8", "replace")
            if (damaged := text.count("\ufffd")) <= most:
                log.say(FEW_DAMAGED, count=damaged)
                return _without_nul(iter((text,)))
            self.rest = _without_nul(_keep_bytes(data[start:], iter(())))
            return None
        names = sorted(_likely_encodings(data), key="cp1252".__ne__)
        doubtful = _differing(data, names) if names else 0
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
    if isinstance(first, str):
        yield from _without_nul(_chain(first.removeprefix("\ufeff"), blocks))
        return
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
            yield from _without_nul(_decode_by_trial(_chain(first, blocks), log.side))
            return
        yield from _without_nul(_decode_blocks(_chain(first, blocks), encoding, log.side))
    except BadTextError as trouble:
        if (content := binary_content(first, encoding)) is None:
            raise
        trouble.value, trouble.has_place, trouble.trial = Message(content), False, None
        raise


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
    is_damaged = not is_ascii or _is_damaged_utf8(data)
    if not is_damaged:
        start = next(n for n, byte in enumerate(data) if byte > 127)
    trial = Trial(data, start, blocks, is_damaged, max(0, size - len(data)))
    yield data[:start].decode("utf-8", "ignore")
    found = f"byte 0x{data[start : start + 1].hex().upper()}"
    from formats.io.messages import OTHER_ENCODING

    value = Message(OTHER_ENCODING, {"encoding": "UTF-8", "found": found}, side)
    rest = _without_nul(_keep_bytes(data[start:], blocks))
    raise BadTextError("UTF-8 text", found, rest, value=value, trial=trial)


def _is_damaged_utf8(data: bytes) -> bool:
    """Return True if bytes have half as many characters of UTF-8 as bytes that are not UTF-8."""
    text = data.decode("utf-8", "surrogateescape")
    damaged = sum("\udc80" <= character <= "\udcff" for character in text)
    return 2 * (len(text) - damaged - sum(map(str.isascii, text))) > damaged


def _likely_encodings(data: bytes) -> list[str]:
    """Return the likely encodings of bytes that are not UTF-8; of damaged UTF-8, none."""
    if _is_damaged_utf8(data):
        return []
    if set(data.translate(None, ASCII)) <= PUNCTUATION and not PAIRED.search(data):
        return ["cp1252"]
    signs = PUNCTUATION_OF_MAC.findall(data)
    if len(signs) == len(data.translate(None, ASCII)) and not {*signs} <= OPENING_OF_MAC:
        return ["mac_roman"]
    lines = (line for line in data.splitlines(keepends=True) if not line.isascii())
    sample = b"".join(lines)[:GUESSED_FROM]
    asian = _asian_encodings(sample)
    names = asian if len(asian) == 1 else [name for name, _ in _readings(sample)]
    if names and {*names} <= {*LATIN_LETTERS, "another"}:
        names = _latin_encodings(data)
    if len(names) != 1:
        return names
    try:
        text = data.decode(names[0])
    except UnicodeDecodeError:
        return []
    return names if all(c.isprintable() or c in READABLE for c in text) else []


def _asian_encodings(sample: bytes) -> list[str]:
    """Return the encodings of East Asia in which a text has the letters that are frequent there.

    >>> _asian_encodings("それはそうですね。".encode("cp932"))
    ['cp932']
    >>> _asian_encodings("c'était déjà l'été".encode("cp1252"))
    []
    """
    encodings = []
    for name, frequent in FREQUENT.items():
        decoder = codecs.getincrementaldecoder(name)()  # the last letter may be cut
        try:
            letters = [c for c in decoder.decode(sample) if not c.isascii() and c.isalpha()]
        except UnicodeDecodeError:
            continue
        known = sum(letter in frequent for letter in letters)
        if len(letters) >= FEWEST_LETTERS and known >= LEAST_FREQUENT * len(letters):
            encodings.append(name)
    return encodings


def _differing(data: bytes, names: Sequence[str]) -> int:
    """Return how many characters are not the same in all encodings, or are in none of the first.

    If a character has several bytes in one of them, all are different.
    """
    if len(names) < 2:
        return 0
    texts = [data.decode(name, "replace") for name in names]
    if {*map(len, texts)} != {len(data)}:
        return len(data)
    return sum(len({*signs}) > 1 for signs in zip(*texts, strict=True))


def _latin_encodings(data: bytes) -> list[str]:
    """Return the encodings in which nearly all letters of a text are those of one language.

    Those of Western and of Central Europe have many letters in common; a text of these alone is
    the same in both.
    """
    from collections import Counter

    if data.decode("cp1252", "replace") == data.decode("cp1250", "replace"):
        return ["cp1252"]
    fitting = []
    for name, alphabets in LATIN_LETTERS.items():
        text = data.decode(name, "replace")
        foreign = Counter(c for c in text.lower() if c.isalpha() and not c.isascii())
        known = (sum(foreign[letter] for letter in letters) for letters in alphabets)
        is_known = max(known) >= KNOWN_LETTERS * sum(foreign.values())
        if is_known and not _mixes_scripts(text):
            fitting.append(name)
    return fitting if len(fitting) == 1 else [*LATIN_LETTERS]


def _readings(sample: bytes) -> list[tuple[str, str]]:
    """Return the most likely encodings of a text, each with the decoded text.

    The confidence is 1 - `chaos` of charset-normalizer, and within `MARGIN` of the best. If Western
    and Central European letters are both likely, without a language, there are two readings.
    """
    from charset_normalizer import from_bytes

    matches = from_bytes(sample, cp_isolation=list(GUESSED), enable_fallback=False)
    likely = [m for m in matches if 1 - m.chaos >= CONFIDENCE and not _mixes_scripts(str(m))]
    if not likely:
        return []
    most = max(1 - m.chaos for m in likely)
    likely = [m for m in likely if 1 - m.chaos > most - MARGIN]
    readings: dict[str, str] = {}
    for match in likely:
        names = {match.encoding, *match.could_be_from_charset}
        name = "cp1252" if "cp1252" in names else match.encoding
        readings.setdefault(str(match), name)
    distinct = [(name, text) for text, name in readings.items()]
    is_latin = len(distinct) > 1 and all(name in ("cp1252", "cp1250") for name, _ in distinct)
    if is_latin and not any(match.coherence for match in likely):
        distinct.append(("another", ""))
    return distinct


def _mixes_scripts(text: str) -> bool:
    """Return True if words mix Latin letters with symbols or with letters of other alphabets.

    Most ideographs stand beside others; one within a Latin word is a wrong reading of its letters.
    """
    import unicodedata

    others = mixed = ideographs = lone = 0
    for before, sign, after in zip(f" {text}", text, f"{text[1:]} ", strict=False):
        if sign > LAST_OF_ALPHABETS:
            ideographs += 1
            is_beside = any(c.isascii() and c.isalpha() for c in (before, after))
            lone += is_beside and max(before, after) <= LAST_OF_ALPHABETS
        if sign.isascii() or sign > LAST_OF_ALPHABETS or sign in JOINERS:
            continue
        others += 1
        if not unicodedata.name(sign, "").startswith("LATIN"):
            neighbours = sum(unicodedata.name(c, "").startswith("LATIN") for c in (before, after))
            is_letter = sign.isalnum() or unicodedata.category(sign) == "Mn"
            mixed += neighbours > (0 if is_letter else 1)
    return mixed > others / 50 or 2 * lone > ideographs


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
