"""scc: Scenarist's closed captions, the bytes of line 21 (CEA-608) with their time codes.

================================  ===========================================================
its word                          ours
================================  ===========================================================
``00:00:01;00``, a pair a frame   times of 30000/1001 frames a second, ``;`` dropping numbers
pop-on: ``942f`` to ``942c``      a segment from the frame in which it is shown to the one in
                                  which it goes, or the next is shown
roll-up: ``94ad``                 a segment for each row, once, up to the next
paint-on: ``9429``                a segment from its first characters to its end
rows                              blanks; lines are the property ``lines``
the second channel                property ``caption_channel``: ``CC2``
colours, italics, places          not kept
================================  ===========================================================

State goes on from line to line of the file. A byte of wrong parity counts as the character that it
is without, in a warning. A control pair that stands twice in a row counts once. An extended
character replaces the plain one before it and no other, so that no letter is lost.
"""

import re
from codecs import charmap_decode
from collections.abc import Iterator, Sequence
from contextlib import suppress
from operator import itemgetter, ne
from typing import Any
from unicodedata import normalize

from formats.errors import quoted
from formats.lines import split_words, strip_blanks
from formats.model import Segment
from formats.sink import Sink
from formats.source import Source
from formats.spec import Option, SegmentSource, Sniff
from formats.subtitles.cue_reading import segments_of
from formats.subtitles.cue_text import SPEAKER_PREFIX, CueOut, cues_out
from formats.subtitles.cues import Cue, Run
from formats.subtitles.segmentation import cue_format
from formats.times import SECOND

MARK = "Scenarist_SCC"
LINE = re.compile(
    r"[ \t]*([0-9]{2}):([0-9]{2}):([0-9]{2})([:;.,])([0-9]{2})[ \t]+(.*)\Z", re.DOTALL
)
WORD = re.compile(r"[0-9A-Fa-f]{4}\Z")
MODES = {0x20: "pop", 0x29: "paint"}
MODES |= dict.fromkeys((0x25, 0x26, 0x27), "roll") | dict.fromkeys((0x2A, 0x2B), "text")
WITHOUT_PARITY = bytes(byte & 0x7F for byte in range(256))
WITH_PARITY = bytes(byte for byte in range(256) if byte.bit_count() % 2)
DATA = re.compile(r"[0-9]{2}:[0-9]{2}:[0-9]{2}[:;.,][0-9]{2}[ \t]+[0-9A-Fa-f]{4}(?:[ \t]|\Z)")
BASIC = {code: chr(code) for code in range(0x20, 0x80)} | dict(
    zip(b"\x2a\x5c\x5e\x5f\x60\x7b\x7c\x7d\x7e\x7f", "áéíóúç÷Ññ█", strict=True)
)
BASIC_SIGNS = "".join(BASIC.get(code, "\0") for code in range(0x80))
CONTROLS = bytes(range(0x20))
PIECE = re.compile(rb"(?:[\x20-\x7f].)+|([\x10-\x1f].)\1?|..", re.DOTALL)
"""Characters, two in each pair; or a control pair, as most are twice; or another pair."""
SPECIAL = "®°½¿™¢£♪à èâêîôû"
EXTENDED = {0x12: "ÁÉÓÚÜü‘¡*'—©℠•“”ÀÂÇÈÊËëÎÏïÔÙùÛ«»", 0x13: "ÃãÍÌìÒòÕõ{}\\^_|~ÄäÖöß¥¤│ÅåØø┌┐└┘"}
ROWS = {
    (1, 0x40): 1, (1, 0x60): 2, (2, 0x40): 3, (2, 0x60): 4, (5, 0x40): 5, (5, 0x60): 6,
    (6, 0x40): 7, (6, 0x60): 8, (7, 0x40): 9, (7, 0x60): 10, (0, 0x40): 11, (3, 0x40): 12,
    (3, 0x60): 13, (4, 0x40): 14, (4, 0x60): 15,
}  # fmt: skip
DAY = 24 * 3600 * SECOND
RATE, OVER = 30_000, 1001
COLUMNS_OF_ROW, MOST_ROWS = 32, 4
Pair = tuple[int, int]
LATER = "moved, as bytes take a frame a pair"
LOAD, ERASE_HIDDEN, SHOW, ERASE = (0x14, 0x20), (0x14, 0x2E), (0x14, 0x2F), (0x14, 0x2C)
_PLAIN = {sign: (code, 0) for code, sign in BASIC.items()}
_SPECIAL = {sign: (0x11, 0x30 + n) for n, sign in enumerate(SPECIAL) if sign != " "}
_EXTENDED = {
    sign: (first, 0x20 + n) for first, signs in EXTENDED.items() for n, sign in enumerate(signs)
}


def frame_of(hours: int, minutes: int, seconds: int, frames: int, *, drops: bool) -> int:
    """The number of a frame by its time code; one that drops leaves out two numbers a minute.

    >>> frame_of(1, 0, 0, 0, drops=False), frame_of(1, 0, 0, 0, drops=True)
    (108000, 107892)
    """
    minute = hours * 60 + minutes
    count = (minute * 60 + seconds) * 30 + frames
    return count - 2 * (minute - minute // 10) if drops else count


def time_code(frame: int, *, drops: bool) -> str:
    """The time code of a frame, with ``;`` where numbers are dropped.

    >>> time_code(107892, drops=True), time_code(1800, drops=True), time_code(1800, drops=False)
    ('01:00:00;00', '00:01:00;02', '00:01:00:00')
    """
    if drops:
        tens, rest = divmod(frame, 17_982)
        frame += 18 * tens + 2 * max((rest - 2) // 1798, 0)
    seconds, frames = divmod(frame, 30)
    minutes, seconds = divmod(seconds, 60)
    mark = ";" if drops else ":"
    return f"{minutes // 60:02d}:{minutes % 60:02d}:{seconds:02d}{mark}{frames:02d}"


def _time(frame: int) -> int:
    return (frame * OVER * SECOND * 2 + RATE) // (RATE * 2)


def read(source: Source, **options: Any) -> Iterator[Segment]:
    """A segment per caption or row; `options` are those of `CueReading`."""
    return segments_of(source, _cues(source), **options)


class _Screen:
    """What one channel has in its hidden memory and on the screen."""

    def __init__(self, channel: int) -> None:
        self.named = () if channel == 1 else (("caption_channel", f"CC{channel}"),)
        self.mode = "pop"
        self.hidden: dict[int, list[str]] = {}
        self.shown: dict[int, list[str]] = {}
        self.since: int | None = None
        self.row = 15
        self.line = 0
        self.untold = 0

    def add(self, signs: str, frame: int, *, replaces: bool = False) -> None:
        """Take characters."""
        if self.mode == "text":
            self.untold += len(signs)
            return
        rows = self.hidden if self.mode == "pop" else self.shown
        row = rows.setdefault(self.row, [])
        if replaces and row and row[-1] in _PLAIN:
            row.pop()
        if self.mode != "pop" and self.since is None:
            self.since = frame
        row += signs

    def end(self, frame: int | None) -> list[Cue]:
        """What is shown ends here."""
        text, self.shown = _text(self.shown) if self.shown else "", {}
        start, self.since = self.since, None
        if not text or start is None:
            return []
        end = None if frame is None else _time(frame)
        return [Cue(_time(start), end, (Run(text),), self.line, self.named)]

    def control(self, first: int, second: int, frame: int, line: int) -> Sequence[Cue]:
        """Do what a control pair says, its first byte as in the first channel; what ends by it."""
        if second >= 0x40:
            row = ROWS.get((first & 7, second & 0x60))
            if row is not None and self.mode != "roll":
                self.row = row
                rows = self.hidden if self.mode == "pop" else self.shown
                if rows.get(row):
                    rows[row].append(" ")
        elif first in (0x14, 0x15) and second >= 0x20:
            return self._command(second, frame, line)
        elif first == 0x11 and second >= 0x30:
            self.add(SPECIAL[second - 0x30], frame)
        elif first in EXTENDED and second >= 0x20:
            self.add(EXTENDED[first][second - 0x20], frame, replaces=True)
        elif (first == 0x11 and second >= 0x20) or (first == 0x17 and 0x21 <= second <= 0x23):
            self.add(" ", frame)
        return ()

    def _command(self, code: int, frame: int, line: int) -> Sequence[Cue]:
        ended: Sequence[Cue] = ()
        mode = MODES.get(code)
        if mode is not None and mode != self.mode:
            if mode in ("roll", "paint"):
                ended = self.end(frame)
            self.mode = mode
        if code == 0x2E:
            self.hidden = {}
        elif code == 0x2F:
            ended = self.end(frame)
            self.shown, self.hidden, self.since = self.hidden, {}, frame
            self.mode, self.line = "pop", line
        elif code == 0x2C or (code == 0x2D and self.mode == "roll"):
            ended = self.end(frame)
        elif code == 0x21:
            row = (self.hidden if self.mode == "pop" else self.shown).get(self.row)
            if row:
                row.pop()
        if self.since is None and self.mode in ("roll", "paint"):
            self.line = line
        return ended


def _text(rows: dict[int, list[str]]) -> str:
    lines = [" ".join(split_words("".join(rows[row]))) for row in sorted(rows)]
    return "\n".join(filter(None, lines))


def _cues(source: Source) -> Iterator[Cue]:
    screens = {1: _Screen(1), 2: _Screen(2)}
    odd = count = 0
    is_7_bit = True
    channel = 1
    before_frame = -1
    is_first = True
    for number, line in source.lines():
        if not line or not strip_blanks(line):
            continue
        if is_first:
            is_first = False
            if line.lstrip("\ufeff").startswith(MARK):
                continue
            source.log.warn("SCC-HEAD", f'expected "{MARK} V1.0" in the first line', number, 1)
        found = _pairs(source, number, line)
        if found is None:
            continue
        frame, data = found
        if frame < before_frame:
            source.log.warn("SCC-ORDER", "a time code before that of the line above", number)
        before_frame = frame
        last: bytes | None = None
        is_xds = False
        count += len(data)
        odd += len(data.translate(None, WITH_PARITY))
        is_7_bit &= data.isascii()
        for piece in PIECE.finditer(data.translate(WITHOUT_PARITY)):
            said = piece[0]
            first, at = said[0], frame + piece.start() // 2
            if first >= 0x20:
                last = None
                if not is_xds:
                    signs = charmap_decode(said.translate(None, CONTROLS), "strict", BASIC_SIGNS)
                    screens[channel].add(signs[0], at)
            elif first < 0x10:
                is_xds = first != 0x0F if first else is_xds
                last = last if first else None
            else:
                pair, is_twice = said[:2], len(said) > 2
                if pair == last:
                    last = None
                    if not is_twice:
                        continue
                    at, is_twice = at + 1, False
                last, is_xds = None if is_twice else pair, False
                channel = 2 if first & 8 else 1
                if ended := screens[channel].control(first & 0x17, pair[1], at, number):
                    yield from ended
    if is_7_bit and count:
        source.log.note("SCC-PARITY", "the bytes have no parity")
    elif odd:
        source.log.warn(
            "SCC-PARITY", f"{odd} of {count} bytes have a wrong parity: read without it"
        )
    for screen in screens.values():
        for cue in screen.end(None):
            source.log.warn("CUE-OPEN", "a caption that nothing ends", cue.line)
            yield cue
        if never := _text(screen.hidden):
            message = f"loaded and never shown: {quoted(' '.join(never.split()))}"
            source.log.warn("SCC-NEVER-SHOWN", message)
        if screen.untold:
            source.log.note("SCC-TEXT", f"characters of text mode not read: {screen.untold}")


def _pairs(source: Source, number: int, line: str) -> tuple[int, bytes] | None:
    """The frame of a line, and its bytes, two a frame."""
    found = LINE.match(line)
    if found is None:
        error = source.syntax_error(
            number, "a time code like 00:00:01;00 and data", quoted(line), 1
        )
        source.log.reject("SCC", error)
        return None
    hours, minutes, seconds, frames = map(int, found.group(1, 2, 3, 5))
    drops = found[4] != ":"
    if minutes > 59 or seconds > 59 or frames > 29:
        expected = "minutes and seconds below 60, frames below 30"
        source.log.reject("SCC", source.syntax_error(number, expected, quoted(line[:11]), 1))
        return None
    if drops and frames < 2 and not seconds and minutes % 10:
        source.log.warn("SCC-DROP", f"{line[:11]} is dropped: read as ;02", number)
        frames = 2
    frame = frame_of(hours, minutes, seconds, frames, drops=drops)
    said = found[6]
    with suppress(ValueError):
        data = bytes.fromhex(said)
        if len(data) * 5 == (len(said) + 1) * 2 and said[4::5].strip(" ") == "":
            return frame, data  # a blank after every fourth digit, and nowhere else
    words = split_words(said)
    for word in words:
        if WORD.match(word) is None:
            column = line.find(word) + 1
            error = source.syntax_error(number, "four hexadecimal digits", quoted(word), column)
            source.log.reject("SCC", error)
    return frame, bytes.fromhex("".join(filter(WORD.match, words)))


def write(
    segments: SegmentSource,
    sink: Sink,
    *,
    drop_frame: bool = True,
    speaker_prefix: bool = False,
    **limits: Any,
) -> None:
    """Pop-on captions, sent so that each is shown in the frame nearest to its begin."""
    rows: list[tuple[int, int, list[Pair], CueOut]] = []
    for cue in cues_out(segments, sink, 9, limits, speaker_prefix):
        times = cue.start, cue.end
        start, end = ((t * RATE * 2 + OVER * SECOND) // (OVER * SECOND * 2) for t in times)
        if cue.end >= DAY:
            raise cue.refuse("times below 24 hours", f"{cue.end // SECOND} s")
        moved = sum(map(ne, map(_time, (start, end)), times))
        cue.lost("decimals of times", moved, "rounded to a frame")
        rows.append((start, end, _loaded(cue), cue))
    sink.write(f"{MARK} V1.0\n")
    free = 0
    ending: int | None = None
    for start, end, pairs, cue in sink.losses.in_order(
        rows, itemgetter(0), "by begin", sink.source
    ):
        if ending is not None and ending > start:
            raise cue.refuse("segments one after the other", "two at the same time")
        if ending is not None and ending < start:
            begin = max(ending, free)
            if begin + 2 <= start - len(pairs):
                _send(sink, begin, [ERASE, ERASE], drop_frame)
                free = begin + 2
            else:
                first = start - len(pairs) - 2
                place = max(ending - first, 0)
                while 0 < place < len(pairs) and pairs[place] == pairs[place - 1]:
                    place += 1
                pairs[place:place] = [ERASE, ERASE]
                begin = first + place
            cue.lost("ends of captions", begin != ending, LATER)
        begin = max(start - len(pairs), free)
        shown = begin + len(pairs)
        cue.lost("begins of captions", shown != start, LATER)
        # what stood there ends where this is shown
        cue.lost("ends of captions", ending == start != shown, LATER)
        _send(sink, begin, [*pairs, SHOW, SHOW], drop_frame)
        free = shown + 2
        ending = max(end, shown)
        cue.lost("ends of captions", ending != end, LATER)
    if ending is not None:
        sink.losses.add("ends of captions", free > ending, LATER, sink.source)
        _send(sink, max(ending, free), [ERASE, ERASE], drop_frame)


def _send(sink: Sink, frame: int, pairs: Sequence[Pair], drops: bool) -> None:
    words = "".join(f" {_odd(first):02x}{_odd(second):02x}" for first, second in pairs)
    sink.write(f"\n{time_code(frame, drops=drops)}\t{words[1:]}\n")


def _odd(code: int) -> int:
    return code | (0 if code.bit_count() % 2 else 0x80)


def _loaded(cue: CueOut) -> list[Pair]:
    """The pairs that load a caption, all but the one that shows it."""
    lines = cue.prefixed_lines()
    if len(lines) > MOST_ROWS or any(len(line) > COLUMNS_OF_ROW for line in lines):
        expected = (
            f"at most {MOST_ROWS} lines of {COLUMNS_OF_ROW} characters (--cues fitted "
            f"--cue-line-length {COLUMNS_OF_ROW} cuts them)"
        )
        longest = max(map(len, lines))
        raise cue.refuse(expected, f"{len(lines)} of up to {longest}")
    pairs = [LOAD, LOAD, ERASE_HIDDEN, ERASE_HIDDEN]
    places = {row: codes for codes, row in ROWS.items()}
    for place, line in enumerate(lines):
        first, second = places[15 - len(lines) + place + 1]
        pairs += [(0x10 | first, second | 0x10)] * 2
        half: int | None = None
        for sign in line:
            plain = _PLAIN.get(sign)
            special = _SPECIAL.get(sign) or _EXTENDED.get(sign)
            if plain is None and special is None:
                found = f"U+{ord(sign):04X} in {quoted(line)}"
                raise cue.refuse("characters of CEA-608", found)
            if plain is None and sign in _EXTENDED:
                # What decoders show that do not know the sign, which replaces it.
                base = normalize("NFD", sign)[0]
                plain = _PLAIN.get(base, _PLAIN["?"])
            if plain is not None:
                pairs += [] if half is None else [(half, plain[0])]
                half = plain[0] if half is None else None
            if special is not None and _PLAIN.get(sign) is None:
                pairs += [] if half is None else [(half, 0)]
                half = None
                pairs += [special, special]
        pairs += [] if half is None else [(half, 0)]
    return pairs


def sniff(lines: Sequence[str]) -> Sniff:
    """Sure of ``Scenarist_SCC`` in the first line, or of three lines of data."""
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
        Option("drop_frame", True, "leave out numbers of frames, as 29.97 needs"),
        SPEAKER_PREFIX,
    ),
    manual="Captions with begin and end in frames; no speakers of their own.",
)
