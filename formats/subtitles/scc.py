"""scc: Scenarist's closed captions: bytes of line 21 (CEA-608) with time codes.

================================  ===========================================================
in the file                       in the schema
================================  ===========================================================
``00:00:01;00``, then byte pairs  one pair per frame, at 30000/1001 frames per second; ``;`` means
                                  drop-frame time codes
pop-on: ``942f`` to ``942c``      a segment from the frame of its display to the frame in which it
                                  is erased or the next caption is displayed
roll-up: ``94ad``                 one segment per row, up to the next row
paint-on: ``9429``                a segment from its first characters to its end
rows                              blanks; lines are the property ``lines``
the second channel                property ``caption_channel``: ``CC2``
colours, italics, positions       dropped
================================  ===========================================================

The state of the screen continues from line to line. A byte with wrong parity is read without the
parity bit, and there is a warning. A repeated control pair counts once. An extended character
replaces the character before it only if that is a plain character, so that no letter is lost.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from operator import ne
from typing import Any, NamedTuple
from unicodedata import normalize

from formats.detection.spec import Option, SegmentSource, Sniff
from formats.io.sink import Sink
from formats.io.source import Source
from formats.reading.frames import FrameRate
from formats.reading.lines import Line, filled_lines, split_words, strip_blanks
from formats.schema.errors import quoted
from formats.schema.times import SECOND
from formats.subtitles.cue_reading import reads_cues
from formats.subtitles.cue_text import SPEAKER_PREFIX, CueOut, cues_out
from formats.subtitles.cues import Cue, Run
from formats.subtitles.messages import (
    CAPTION_OPEN,
    RULE_LATER,
    RULE_ROUNDED_FRAME,
    SCC_DROP_FRAME,
    SCC_HEAD,
    SCC_NEVER_SHOWN,
    SCC_NO_PARITY,
    SCC_ORDER,
    SCC_PARITY,
    SCC_ROWS,
    SCC_TEXT,
)
from formats.subtitles.segmentation import cue_format

MARK = "Scenarist_SCC"
LINE = re.compile(
    r"[ \t]*([0-9]{2}):([0-9]{2}):([0-9]{2})([:;.,])([0-9]{2})[ \t]+(.*)\Z", re.DOTALL
)
WORD = re.compile(r"[0-9A-Fa-f]{4}\Z")
DATA = re.compile(r"[0-9]{2}:[0-9]{2}:[0-9]{2}[:;.,][0-9]{2}[ \t]+[0-9A-Fa-f]{4}(?:[ \t]|\Z)")
MODES = {0x20: "pop", 0x29: "paint"}
MODES |= dict.fromkeys((0x25, 0x26, 0x27), "roll") | dict.fromkeys((0x2A, 0x2B), "text")
WITHOUT_PARITY = bytes(byte & 0x7F for byte in range(256))
WITH_PARITY = bytes(byte for byte in range(256) if byte.bit_count() % 2)
BASIC = {code: chr(code) for code in range(0x20, 0x80)} | dict(
    zip(b"\x2a\x5c\x5e\x5f\x60\x7b\x7c\x7d\x7e\x7f", "áéíóúç÷Ññ█", strict=True)
)
SPECIAL = "®°½¿™¢£♪à èâêîôû"
EXTENDED = {0x12: "ÁÉÓÚÜü‘¡*'—©℠•“”ÀÂÇÈÊËëÎÏïÔÙùÛ«»", 0x13: "ÃãÍÌìÒòÕõ{}\\^_|~ÄäÖöß¥¤│ÅåØø┌┐└┘"}
ROWS = [(first, second) for first in (1, 2, 5, 6, 7, 0, 3, 4) for second in (0x40, 0x60)]
ROWS.remove((0, 0x60))
"""The bits of control pairs that name a row, from the first row on."""
DAY = 24 * 3600 * SECOND
RATE = FrameRate(30_000, 1001)
COLUMNS_OF_ROW, MOST_ROWS = 32, 4
BytePair = tuple[int, int]
LOAD, ERASE_HIDDEN, SHOW, ERASE = (0x14, 0x20), (0x14, 0x2E), (0x14, 0x2F), (0x14, 0x2C)
_PLAIN = {sign: code for code, sign in BASIC.items()}
_SPECIAL = {sign: (0x11, 0x30 + n) for n, sign in enumerate(SPECIAL) if sign != " "}
_EXTENDED = {
    sign: (first, 0x20 + n) for first, signs in EXTENDED.items() for n, sign in enumerate(signs)
}


def frame_of(hours: int, minutes: int, seconds: int, frames: int, *, drops: bool) -> int:
    """Return the frame number of a time code.

    Drop-frame codes skip two frame numbers in most minutes.
    """
    minute = hours * 60 + minutes
    count = (minute * 60 + seconds) * 30 + frames
    return count - 2 * (minute - minute // 10) if drops else count


def time_code(frame: int, *, drops: bool) -> str:
    """Return the time code of a frame number. Drop-frame codes have ``;``."""
    if drops:
        tens, rest = divmod(frame, 17_982)
        frame += 18 * tens + 2 * max((rest - 2) // 1798, 0)
    seconds, frames = divmod(frame, 30)
    minutes, seconds = divmod(seconds, 60)
    mark = ";" if drops else ":"
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}{mark}{frames:02d}"


class _Screen:
    """The hidden and the displayed memory of a caption channel."""

    def __init__(self, channel: int) -> None:
        self.properties = () if channel == 1 else (("caption_channel", f"CC{channel}"),)
        self.mode = "pop"
        self.hidden: dict[int, list[str]] = {}
        self.visible: dict[int, list[str]] = {}
        self.since: int | None = None
        self.row = 15
        self.line = 0
        self.unread = 0

    @property
    def rows(self) -> dict[int, list[str]]:
        """The rows into which new characters are written, by row number."""
        return self.hidden if self.mode == "pop" else self.visible

    def add(self, signs: str, frame: int, *, replaces: bool = False) -> None:
        """Write characters into the current row.

        With `replaces`, they replace a plain character before them.
        """
        if self.mode == "text":
            self.unread += len(signs)
            return
        row = self.rows.setdefault(self.row, [])
        if replaces and row and row[-1] in _PLAIN:
            row.pop()
        if self.mode != "pop" and self.since is None:
            self.since = frame
        row += signs

    def end(self, frame: int | None) -> Iterator[Cue]:
        """Yield the cue that was visible up to a frame."""
        text, self.visible = _text(self.visible), {}
        start, self.since = self.since, None
        if text and start is not None:
            end = None if frame is None else RATE.time(frame)
            yield Cue(RATE.time(start), end, (Run(text),), self.line, self.properties)

    def control(self, first: int, second: int, frame: int, line: int) -> Iterator[Cue]:
        """Execute a pair of control bytes, in the form of channel 1; yield the completed cues."""
        if second >= 0x40:
            codes = first & 7, second & 0x60
            if codes in ROWS and self.mode != "roll":
                self.row = ROWS.index(codes) + 1
                if row := self.rows.get(self.row):
                    row.append(" ")
        elif first in (0x14, 0x15) and second >= 0x20:
            yield from self._command(second, frame, line)
        elif first == 0x11 and second >= 0x30:
            self.add(SPECIAL[second - 0x30], frame)
        elif first in EXTENDED and second >= 0x20:
            self.add(EXTENDED[first][second - 0x20], frame, replaces=True)
        elif (first == 0x11 and second >= 0x20) or (first == 0x17 and 0x21 <= second <= 0x23):
            self.add(" ", frame)

    def _command(self, code: int, frame: int, line: int) -> Iterator[Cue]:
        mode = MODES.get(code, self.mode)
        is_erased = code in (0x2C, 0x2F) or (code == 0x2D and self.mode == "roll")
        if is_erased or (mode != self.mode and mode in ("roll", "paint")):
            yield from self.end(frame)
        self.mode = mode
        if code == 0x2E:
            self.hidden = {}
        elif code == 0x2F:
            self.visible, self.hidden, self.since = self.hidden, {}, frame
            self.mode, self.line = "pop", line
        elif code == 0x21 and (row := self.rows.get(self.row)):
            row.pop()
        if self.since is None and self.mode in ("roll", "paint"):
            self.line = line


def _text(rows: dict[int, list[str]]) -> str:
    lines = [" ".join(split_words("".join(rows[row]))) for row in sorted(rows)]
    return "\n".join(filter(None, lines))


@reads_cues
def read(source: Source) -> Iterator[Cue]:
    """Yield one cue per caption or row."""
    lines = filled_lines(source)
    first_line = next(lines, None)
    if first_line is not None and not first_line.text.lstrip("\ufeff").startswith(MARK):
        first_line.say(SCC_HEAD, 0, mark=MARK)
        lines = chain([first_line], lines)
    yield from captions_of(source, source.log.accepted("SCC", _timed_bytes, lines))


class CaptionBytes(NamedTuple):
    """The caption bytes of a line (two per frame), and the number of their first frame.

    There are 30000/1001 frames per second.
    """

    number: int
    frame: int
    data: bytes
    continues: bool = False
    """True if no frame lies between these bytes and those of the line before."""


def captions_of(source: Source, lines: Iterable[CaptionBytes]) -> Iterator[Cue]:
    """Yield one cue per caption or per row, from the bytes of lines."""
    screens = _Screen(1), _Screen(2)
    channel = odd = count = before = 0
    is_7_bit, is_xds = True, False
    last: bytes | None = None
    for number, frame, data, continues in lines:
        if frame < before:
            source.log.say(SCC_ORDER, number)
        before = frame
        count += len(data)
        odd += len(data.translate(None, WITH_PARITY))
        is_7_bit &= data.isascii()
        data = data.translate(WITHOUT_PARITY)
        if not continues:
            last, is_xds = None, False
        for index in range(0, len(data), 2):
            pair, now = data[index : index + 2], frame + index // 2
            if pair[0] >= 0x20:
                last = None
                if not is_xds:
                    signs = "".join([BASIC[code] for code in pair if code >= 0x20])
                    screens[channel].add(signs, now)
            elif 0 < pair[0] < 0x10:
                is_xds = pair[0] != 0x0F
            elif not pair[0] or pair == last:  # a control pair that stands twice counts once
                last = None
            else:
                last, is_xds, channel = pair, False, pair[0] >> 3 & 1
                yield from screens[channel].control(pair[0] & 0x17, pair[1], now, number)
    if is_7_bit and count:
        source.log.say(SCC_NO_PARITY)
    elif odd:
        source.log.say(SCC_PARITY, odd=odd, count=count)
    for screen in screens:
        for cue in screen.end(None):
            source.log.say(CAPTION_OPEN, cue.line)
            yield cue
        if text := _text(screen.hidden):
            source.log.say(SCC_NEVER_SHOWN, text=" ".join(text.split()))
        if screen.unread:
            source.log.say(SCC_TEXT, unread=screen.unread)


def _timed_bytes(line: Line) -> Iterator[CaptionBytes]:
    """Yield the caption bytes of a line, with its line number and its first frame number."""
    match = LINE.match(line.text)
    if match is None:
        raise line.error(0, "a time code like 00:00:01;00 and data", quoted(line.text))
    hours, minutes, seconds, frames = map(int, match.group(1, 2, 3, 5))
    drops = match[4] != ":"
    if minutes > 59 or seconds > 59 or frames > 29:
        raise line.error(0, "minutes and seconds below 60, frames below 30", quoted(line.text[:11]))
    if drops and frames < 2 and not seconds and minutes % 10:
        line.say(SCC_DROP_FRAME, text=line.text[:11])
        frames = 2
    words = split_words(match[6])
    for word in words:
        if WORD.match(word) is None:
            column = line.text.find(word) + 1
            expected = "four hexadecimal digits"
            error = line.source.syntax_error(line.number, expected, quoted(word), column)
            line.source.log.reject("SCC", error)
    data = bytes.fromhex("".join(filter(WORD.match, words)))
    yield CaptionBytes(line.number, frame_of(hours, minutes, seconds, frames, drops=drops), data)


def write(
    segments: SegmentSource, sink: Sink, *, drop_frame: bool = True, speaker_prefix: bool = False,
    **limits: Any,
) -> None:  # fmt: skip
    """Write pop-on captions; each appears in the frame nearest to its start."""
    rows: list[tuple[int, int, list[BytePair], CueOut]] = []
    for cue in cues_out(segments, sink, 9, limits, speaker_prefix):
        times = cue.start, cue.end
        start, end = map(RATE.frame_upwards, times)
        if cue.end >= DAY:
            raise cue.refuse("times below 24 hours", f"{cue.end // SECOND} s")
        rounded = sum(map(ne, map(RATE.time, (start, end)), times))
        cue.lost("decimals of times", rounded, RULE_ROUNDED_FRAME)
        rows.append((start, end, _loaded(cue), cue))
    sink.write(f"{MARK} V1.0\n")
    free = 0
    ending: int | None = None
    for start, end, pairs, cue in rows:
        if ending is not None and ending > start:
            raise cue.refuse("segments one after the other", "two at the same time")
        if ending is not None and ending < start:
            begin = max(ending, free)
            if begin + 2 <= start - len(pairs):
                _send(sink, begin, [ERASE, ERASE], drop_frame)
                free = begin + 2
            else:
                first = start - len(pairs) - 2
                index = max(ending - first, 0)
                while 0 < index < len(pairs) and pairs[index] == pairs[index - 1]:
                    index += 1
                pairs[index:index] = [ERASE, ERASE]
                begin = first + index
            cue.lost("ends of captions", begin != ending, RULE_LATER)
        begin = max(start - len(pairs), free)
        visible = begin + len(pairs)
        cue.lost("begins of captions", visible != start, RULE_LATER)
        # what stood there ends where this is shown
        cue.lost("ends of captions", ending == start != visible, RULE_LATER)
        _send(sink, begin, [*pairs, SHOW, SHOW], drop_frame)
        free = visible + 2
        ending = max(end, visible)
        cue.lost("ends of captions", ending != end, RULE_LATER)
    if ending is not None:
        sink.losses.add("ends of captions", free > ending, RULE_LATER, sink.source)
        _send(sink, max(ending, free), [ERASE, ERASE], drop_frame)


def _send(sink: Sink, frame: int, pairs: Sequence[BytePair], drops: bool) -> None:
    words = "".join(f" {_odd(first):02x}{_odd(second):02x}" for first, second in pairs)
    sink.write(f"\n{time_code(frame, drops=drops)}\t{words[1:]}\n")


def _odd(code: int) -> int:
    return code | (0 if code.bit_count() % 2 else 0x80)


def _loaded(cue: CueOut) -> list[BytePair]:
    """Return the byte pairs that load a caption into memory, without the pair that displays it."""
    lines = cue.prefixed_lines()
    if len(lines) > MOST_ROWS or any(len(line) > COLUMNS_OF_ROW for line in lines):
        longest, columns = max(map(len, lines)), COLUMNS_OF_ROW
        raise cue.error_of(
            SCC_ROWS, most=MOST_ROWS, columns=columns, lines=len(lines), longest=longest
        )
    pairs = [LOAD, LOAD, ERASE_HIDDEN, ERASE_HIDDEN]
    for line, (first, second) in zip(lines, ROWS[len(ROWS) - len(lines) :], strict=True):
        pairs += [(0x10 | first, second | 0x10)] * 2
        half: int | None = None
        for code in (code for sign in line for code in _codes(sign, line, cue)):
            if isinstance(code, tuple):
                pairs += [code, code] if half is None else [(half, 0), code, code]
                half = None
            elif half is None:
                half = code
            else:
                pairs.append((half, code))
                half = None
        pairs += [] if half is None else [(half, 0)]
    return pairs


def _codes(sign: str, line: str, cue: CueOut) -> list[int | BytePair]:
    """Return the codes of a character: its byte, or a byte pair after a substitute character."""
    if sign in _PLAIN:
        return [_PLAIN[sign]]
    if sign in _SPECIAL:
        return [_SPECIAL[sign]]
    if sign in _EXTENDED:
        return [_PLAIN.get(normalize("NFD", sign)[0], _PLAIN["?"]), _EXTENDED[sign]]
    raise cue.refuse("characters of CEA-608", f"U+{ord(sign):04X} in {quoted(line)}")


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if line 1 has ``Scenarist_SCC``, or if three lines have captions."""
    filled = [line for line in lines if strip_blanks(line)]
    is_marked = bool(filled) and filled[0].startswith(MARK)
    return Sniff.SURE if is_marked or sum(map(bool, map(DATA.match, filled))) > 2 else Sniff.NO


SPEC = cue_format(
    title="Scenarist closed captions (CEA-608): bytes of line 21 with time codes",
    sign='a first line "Scenarist_SCC V1.0"',
    read=read,
    write=write,
    sniff=sniff,
    holds=("words", "speakers", "segment times", "segment boundaries"),
    properties=("lines",),
    write_options=(
        Option("drop_frame", True, "write drop-frame time codes, for 29.97 frames per second"),
        SPEAKER_PREFIX,
    ),
)
