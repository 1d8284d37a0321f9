"""mcc: MacCaption's closed captions: video data packets with time codes.

=====================================  ==========================================================
in the file                            in the schema
=====================================  ==========================================================
``00:00:01:00`` and packet             one packet per frame, at the frame rate that the packet
                                       names, or otherwise at ``Time Code Rate``
letters from ``G`` on                  abbreviations of frequent bytes
captions of CEA-608, first field       segments, by the rules of `formats.subtitles.scc`
second field, CEA-708                  not read, counted
``Creation Program=…``                 property of the file
=====================================  ==========================================================

If time codes count 24, 30 or 60 frames per second, a frame lasts 1001/24000, 1001/30000 or
1001/60000 s, unless the packets name a whole frame rate.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from formats.detection.spec import FormatSpec, Sniff
from formats.io.source import Source
from formats.reading.frames import FrameRate
from formats.reading.lines import Line, filled_lines, strip_blanks
from formats.schema.errors import quoted
from formats.subtitles.cue_reading import READ_OPTIONS, reads_cues
from formats.subtitles.cues import Cue
from formats.subtitles.messages import MCC_708, MCC_NOT_READ
from formats.subtitles.scc import RATE, CaptionBytes, captions_of

MARK = "File Format=MacCaption_MCC"
LINE = re.compile(r"[ \t]*([0-9]{2}):([0-9]{2}):([0-9]{2})[:;.,]([0-9]{2})[ \t]+(.*)\Z", re.DOTALL)
FIELD = re.compile(r"([A-Za-z][A-Za-z ]{0,40})=(.*)\Z", re.DOTALL)
CODE_RATE = re.compile(r"(24|25|30|50|60)(DF)?\Z")
DATA = re.compile(r"[0-9A-Fa-fG-UZ]+\Z")
SHORT = {chr(ord("G") + n): "FA0000" * (n + 1) for n in range(9)}
SHORT |= {"P": "FB8080", "Q": "FC8080", "R": "FD8080", "S": "9669", "T": "6101"}
SHORT |= {"U": "E1000000", "Z": "00"}
SHORTHAND = str.maketrans(SHORT)
RATES = {
    1: FrameRate(24_000, 1001), 2: FrameRate(24, 1), 3: FrameRate(25, 1),
    4: FrameRate(30_000, 1001), 5: FrameRate(30, 1), 6: FrameRate(50, 1),
    7: FrameRate(60_000, 1001), 8: FrameRate(60, 1),
}  # fmt: skip
"""Frames per second by their number in a packet."""
OF_CODES = {24: 1, 25: 3, 30: 4, 50: 6, 60: 7}
CAPTIONS, LINE_21 = b"\x61\x01", b"\x61\x02"
TIME_CODE, DATA_608_708, SERVICES, FOOTER = 0x71, 0x72, 0x73, 0x74
EMPTY_PAIRS = (b"\x80\x80", b"\x00\x00")


class _Packets:
    """The header fields of a file, and counts of the packet data that are not read."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.nominal = 30
        self.drops = False
        self.rate: FrameRate | None = None
        self.second_field = self.digital = self.first_field = 0
        self.last = -3

    def bytes_of(self, line: Line) -> Iterator[CaptionBytes]:
        """Yield the caption bytes of field 1 in a line; headers and comments have no bytes."""
        text = strip_blanks(line.text)
        if text.startswith("//"):
            return
        if field := FIELD.match(text):
            self._take_field(line, field[1], strip_blanks(field[2]))
            return
        match = LINE.match(line.text)
        if match is None or DATA.match(data := strip_blanks(match[5])) is None:
            expected = "a time code like 00:00:01:00 and hexadecimal data"
            raise line.error(0, expected, quoted(text[:60]))
        digits = data.translate(SHORTHAND)
        if len(digits) % 2:
            raise line.error(1, "two hexadecimal digits a byte", quoted(digits[-1]))
        pairs = self._pairs(line, bytes.fromhex(digits))
        frame = RATE.frame(self._time(line, match))
        if pairs:
            yield CaptionBytes(line.number, frame, pairs, frame - self.last <= 2)
            self.last = frame

    def _take_field(self, line: Line, name: str, value: str) -> None:
        if name == "Time Code Rate":
            match = CODE_RATE.match(value)
            if match is None:
                raise line.error(0, "a rate of 24, 25, 30, 30DF, 50, 60 or 60DF", quoted(value))
            self.nominal, self.drops = int(match[1]), bool(match[2])
        elif name == "Creation Program" and value:
            self.source.properties["program"] = value

    def _time(self, line: Line, match: re.Match[str]) -> int:
        hours, minutes, seconds, frames = map(int, match.group(1, 2, 3, 4))
        if minutes > 59 or seconds > 59 or frames >= self.nominal:
            expected = f"minutes and seconds below 60, frames below {self.nominal}"
            raise line.error(0, expected, quoted(strip_blanks(line.text)[:11]))
        minute = hours * 60 + minutes
        count = (minute * 60 + seconds) * self.nominal + frames
        if self.drops:
            count -= self.nominal // 15 * (minute - minute // 10)
        return (self.rate or RATES[OF_CODES[self.nominal]]).time(count)

    def _pairs(self, line: Line, packet: bytes) -> bytes:
        """Return the byte pairs of CEA-608 that a packet has for the first video field."""
        kind, size, data = packet[:2], packet[2:3], packet[3:]
        if not size or len(data) < size[0]:
            expected = f"{size[0] if size else 1} bytes of a packet"
            raise line.error(1, expected, str(len(data)))
        data = data[: size[0]]
        if kind == LINE_21 and len(data) > 2:
            is_first = data[0] & 0x80 or not data[0]
            return self._pair(0xFC if is_first else 0xFD, data[1:3])
        if kind != CAPTIONS:
            return b""
        if data[:2] != b"\x96\x69" or len(data) < 7:
            raise line.error(1, "a packet that begins with 96 69", quoted(data[:2].hex()))
        self.rate = RATES.get(data[3] >> 4, self.rate)
        if self.rate and self.rate.nominal != self.nominal:
            self.rate = None
        found, position = b"", 7
        while position < len(data) and data[position] != FOOTER:
            section = data[position]
            if section == DATA_608_708 and position + 1 < len(data):
                count = data[position + 1] & 0x1F
                triples = data[position + 2 : position + 2 + 3 * count]
                if len(triples) < 3 * count:
                    raise line.error(1, f"{3 * count} bytes of captions", str(len(triples)))
                for n in range(0, len(triples), 3):
                    found += self._pair(triples[n], triples[n + 1 : n + 3])
                position += 2 + 3 * count
            elif section == TIME_CODE:
                position += 5
            elif section == SERVICES and position + 1 < len(data):
                position += 2 + 7 * (data[position + 1] & 0x0F)
            else:
                break
        return found

    def _pair(self, head: int, pair: bytes) -> bytes:
        """Return a byte pair of the first field.

        Pairs of other fields are dropped and counted, unless they are empty.
        """
        if head & 3 == 0:
            if not head & 4:
                return b"\x80\x80"
            self.first_field += pair not in EMPTY_PAIRS
            return pair
        if head & 4:
            if head & 3 == 1:
                self.second_field += pair not in EMPTY_PAIRS
            else:
                self.digital += 1
        return b""


@reads_cues
def read(source: Source) -> Iterator[Cue]:
    """Yield one cue per caption or row."""
    packets = _Packets(source)
    lines = filled_lines(source)
    first = next(lines, None)
    if first is None:
        return
    if not first.text.lstrip("\ufeff").startswith(MARK):
        raise first.error(0, MARK, quoted(first.text[:60]))
    items = source.log.accepted("MCC", packets.bytes_of, chain(lines))
    yield from captions_of(source, items)
    if packets.digital and not packets.first_field:
        source.log.say(MCC_708)
    elif packets.second_field:
        source.log.say(MCC_NOT_READ, pairs=packets.second_field)


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if the first line is the signature of MacCaption files."""
    return Sniff.SURE if lines and lines[0].lstrip("\ufeff").startswith(MARK) else Sniff.NO


SPEC = FormatSpec(
    title="MacCaption's closed captions: packets of a video with time codes",
    sign=f"{MARK} in the first line",
    read=read,
    sniff=sniff,
    has_one_recording=True,
    properties=("lines", "caption_channel"),
    read_options=READ_OPTIONS,
)
