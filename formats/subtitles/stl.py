"""stl: EBU's binary subtitles (Tech 3264): a header of 1024 bytes and blocks of 128 bytes.

==============================  ============================================================
in the file                     in the schema
==============================  ============================================================
``TCI``, ``TCO``                `Segment.start_ns`, `Segment.end_ns`: frames at the rate in the
                                header (``STL25.01``)
``TF``, in extension blocks     words; new lines (8A) and codes of teletext are blanks; lines are
                                the property ``lines``
``CCT``                         ISO 6937, or ISO 8859-5 to 8859-8
``CS``                          property ``cumulative``: ``first``, ``middle``, ``last``
``OPT``, ``LC``, ``TCP``        properties ``title``, ``language_code``, ``programme_start`` of the
                                file
``CF``, ``EBN`` of user data    comments and user data are dropped, counted in notes
==============================  ============================================================

Times are those of the time codes: they are unchanged even if the programme starts at ten hours.
"""

import re
from codecs import charmap_decode
from collections.abc import Iterator, Sequence
from typing import Any
from unicodedata import normalize

from formats.detection.spec import Option, SegmentSource, Sniff
from formats.io.sink import Sink
from formats.io.source import Source
from formats.reading.frames import FrameRate
from formats.schema.errors import SyntaxFormatError, quoted
from formats.subtitles.cue_reading import reads_cues
from formats.subtitles.cue_text import SPEAKER_PREFIX, CueOut, cues_out
from formats.subtitles.cues import Cue, timed_cue
from formats.subtitles.messages import (
    RULE_ROUNDED_FRAME,
    STL_COMMENT,
    STL_COUNT,
    STL_DATA,
    STL_RATE,
    STL_START,
    STL_TABLE,
    STL_TRUNCATED,
)
from formats.subtitles.segmentation import cue_format

HEAD, BLOCK, TEXT = 1024, 128, 112
MARK = re.compile(rb"STL([0-9]{2})\.[0-9]{2}")
RATES = {
    23: FrameRate(24_000, 1001),
    24: FrameRate(24, 1),
    25: FrameRate(25, 1),
    30: FrameRate(30_000, 1001),
    50: FrameRate(50, 1),
}
TABLES = {b"01": "iso8859_5", b"02": "iso8859_6", b"03": "iso8859_7", b"04": "iso8859_8"}
CUMULATIVE = {1: "first", 2: "middle", 3: "last"}
NEW_LINE, FILLER, LAST, START_BOX = 0x8A, 0x8F, 0xFF, 0x0B
DIACRITICS = dict(
    zip(
        (*range(0xC1, 0xC9), 0xCA, 0xCB, 0xCD, 0xCE, 0xCF),
        "\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u0327\u030b\u0328\u030c",
        strict=True,
    )
)
SIGNS = {code: chr(code) for code in range(0x20, 0x7F)} | {
    first + n: sign
    for first, signs in (
        (0xA0, "\xa0¡¢£$¥\0§¤‘“«←↑→↓°±²³×µ¶·÷’”»¼½¾¿"),
        (0xD0, "―¹®©™♪¬¦\0\0\0\0⅛⅜⅝⅞ΩÆĐªĦ\0ĲĿŁØŒºÞŦŊŉĸæđðħıĳŀłøœßþŧŋ"),
    )
    for n, sign in enumerate(signs)
    if sign != "\0"
}
UNUSED = bytes(code for code in range(0x7F, 0xA0) if code != NEW_LINE)
MARKED = re.compile(f"([{''.join(DIACRITICS.values())}]+)(.?)", re.DOTALL)
CODES = {sign: code for code, sign in reversed(SIGNS.items())}
MARKS = {sign: code for code, sign in DIACRITICS.items()}


@reads_cues
def read(source: Source) -> Iterator[Cue]:
    """Yield one cue per subtitle."""
    data = source.data()
    if not data:
        return
    mark = MARK.match(data, 3)
    rate = RATES.get(int(mark[1])) if mark is not None else None
    if rate is None or len(data) < HEAD:
        expected = "a block of 1024 bytes with STL25.01, STL30.01 or the like"
        content = f"{len(data)} bytes with {quoted(data[3:11].decode('latin-1'))}"
        if data.startswith(b"solid"):
            content = "a mesh of three dimensions"
        raise source.syntax_error(None, expected, content)
    if rate == RATES[30]:
        source.log.say(STL_RATE)
    signs = _signs_of(_head(source, data))
    count, rest = divmod(len(data) - HEAD, BLOCK)
    if rest:
        source.log.say(STL_TRUNCATED, bytes=rest)
    skipped = {STL_DATA: 0, STL_COMMENT: 0}
    text = b""
    for number in range(1, count + 1):
        block = data[HEAD + (number - 1) * BLOCK : HEAD + number * BLOCK]
        if 0xF0 <= block[3] < LAST:
            skipped[STL_DATA] += 1
            continue
        text += block[16:].split(bytes((FILLER,)))[0]
        if block[3] != LAST and number < count:
            continue
        subtitle, text = text, b""
        if block[15] == 1:
            skipped[STL_COMMENT] += 1
            continue
        codes = block[5:9], block[9:13]
        try:
            start, end = (_time(source, number, code, rate) for code in codes)
        except SyntaxFormatError as error:
            source.log.reject("STL-TIME", error)
            continue
        shown = f"block {number}: {' '.join('-'.join(map(str, code)) for code in codes)}"
        cue = timed_cue(source, None, start, end, shown, _decoded(subtitle, signs))
        if block[4] in CUMULATIVE:
            properties = (*cue.properties, ("cumulative", CUMULATIVE[block[4]]))
            cue = cue._replace(properties=properties)
        yield cue
    for entry, blocks in skipped.items():
        if blocks:
            source.log.say(entry, blocks=blocks)


def _head(source: Source, data: bytes) -> str | None:
    """Parse the header block; return the codec of the texts, or `None` for ISO 6937."""
    fields = {"title": data[16:48], "language_code": data[14:16], "programme_start": data[256:264]}
    for name, field in fields.items():
        value = field.decode("latin-1").strip(" \0")
        if value.isprintable() and value.strip("0"):
            source.properties[name] = value
    if source.properties.get("programme_start"):
        start = source.properties["programme_start"]
        source.log.say(STL_START, time=start)
    stated = data[238:243].decode("latin-1").strip(" \0")
    count = (len(data) - HEAD) // BLOCK
    if not (stated.isdecimal() and int(stated) == count):
        source.log.say(STL_COUNT, count=count, stated=stated)
    code = data[12:14]
    if code not in TABLES and code != b"00":
        source.log.say(STL_TABLE, table=code.decode("latin-1"))
    return TABLES.get(code)


def _time(source: Source, number: int, code: bytes, rate: FrameRate) -> int:
    hours, minutes, seconds, frames = code
    if hours > 23 or minutes > 59 or seconds > 59 or frames >= rate.nominal:
        expected = f"a time code below 24 hours with frames below {rate.nominal}"
        shown = f"{hours}-{minutes}-{seconds}-{frames} in block {number}"
        raise source.syntax_error(None, expected, shown)
    return rate.time(((hours * 60 + minutes) * 60 + seconds) * rate.nominal + frames)


def _decoded(data: bytes, signs: str) -> str:
    """Decode the text of a subtitle.

    Line ends become LF, control codes become blanks, and accents are combined with letters.
    """
    text = charmap_decode(data.translate(None, UNUSED), "strict", signs)[0]
    return text if text.isascii() else MARKED.sub(_accented, text)


def _accented(letter: re.Match[str]) -> str:
    marks, sign = letter.groups()
    return normalize("NFC", sign + marks[-1]) if sign > " " else sign


def _signs_of(table: str | None) -> str:
    """Return the character for each byte; diacritics of ISO 6937 become combining marks."""
    signs = [" "] * 0x20
    for code in range(0x20, 0x100):
        if table is not None:
            signs.append(bytes((code,)).decode(table, "replace"))
        else:
            signs.append(DIACRITICS.get(code) or SIGNS.get(code, "\ufffd"))
    signs[NEW_LINE] = "\n"
    return "".join(signs)


def write(
    segments: SegmentSource, sink: Sink, *, stl_rate: int = 25, speaker_prefix: bool = False,
    **limits: Any,
) -> None:  # fmt: skip
    """Write one subtitle per segment for teletext level 1, in as many blocks as necessary."""
    rate = RATES[stl_rate]
    blocks: list[bytes] = []
    count = 0
    first = bytes(4)
    for count, cue in enumerate(cues_out(segments, sink, 9, limits, speaker_prefix), 1):
        codes: list[bytes] = []
        for time in (cue.start, cue.end):
            frame = rate.frame_upwards(time)
            cue.lost("decimals of times", rate.time(frame) != time, RULE_ROUNDED_FRAME)
            seconds, frames = divmod(frame, rate.nominal)
            if seconds >= 86_400 or count > 0xFFFF:
                expected = "times below 24 hours and at most 65,535 segments"
                raise cue.refuse(expected, f"{seconds} s, number {count}")
            codes.append(bytes((seconds // 3600, seconds // 60 % 60, seconds % 60, frames)))
        first = codes[0] if count == 1 else first
        lines = cue.prefixed_lines()
        text = bytes((NEW_LINE,)).join(_encoded(line, cue) for line in lines)
        pieces = [text[start : start + TEXT] for start in range(0, len(text), TEXT)] or [b""]
        if len(pieces) > 0xF0:
            raise cue.refuse("at most 240 blocks of text", str(len(pieces)))
        row = max(22 - 2 * (len(lines) - 1), 1)
        for number, piece in zip((*range(len(pieces) - 1), LAST), pieces, strict=True):
            head = bytes((0, count & 0xFF, count >> 8, number, 0, *codes[0], *codes[1], row, 2, 0))
            blocks.append(head + piece.ljust(TEXT, bytes((FILLER,))))
    title = dict(segments.properties).get("title", "")
    sink.write_bytes(_first_block(title, stl_rate, len(blocks), count, first))
    for block in blocks:
        sink.write_bytes(block)


def _encoded(line: str, cue: CueOut) -> bytes:
    """Encode a line for teletext in ISO 6937, between the codes that begin and end a box."""
    codes = bytearray((START_BOX,))
    for sign in line:
        base, mark = (*normalize("NFD", sign), "")[:2]
        if sign in CODES:
            codes.append(CODES[sign])
        elif mark in MARKS and base in CODES and len(normalize("NFD", sign)) == 2:
            codes += bytes((MARKS[mark], CODES[base]))
        else:
            raise cue.refuse("characters of ISO 6937", f"U+{ord(sign):04X} in {quoted(line)}")
    return bytes(codes)


def _first_block(title: str, rate: int, blocks: int, count: int, first: bytes) -> bytes:
    start = "".join(f"{part:02d}" for part in first)
    title = title.encode("ascii", "replace").decode()[:32]
    return (
        f"850STL{rate}.01100  {title:<208}000101000101  {min(blocks, 99999):05d}{count:05d}0014023"
        f"100000000{start}11"
    ).encode("ascii").ljust(HEAD)  # fmt: skip


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if a code such as ``STL25.01`` follows the first three characters."""
    start = lines[0][:16].encode("utf-8", "replace") if lines else b""
    return Sniff.SURE if MARK.match(start, 3) else Sniff.NO


SPEC = cue_format(
    title="EBU STL (Tech 3264): binary subtitles of broadcasters",
    sign="STL25.01 after three characters",
    read=read,
    write=write,
    sniff=sniff,
    write_options=(
        Option(
            "stl_rate",
            25,
            "frames per second of the stl file to write; 30 means 30000/1001",
            (25, 30),
        ),
        SPEAKER_PREFIX,
    ),
)
