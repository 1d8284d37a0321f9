"""qrc: lyrics of QQ Music (.qrc), KuGou (.krc) and NetEase (.yrc) with syllable times.

=====================================  ==========================================================
in the file                            in the schema
=====================================  ==========================================================
``[500,1750]``                         `Segment.start_ns` and the duration in milliseconds
``hello(500,400)`` (QQ Music)          a word, its begin and its duration; pieces without a blank
                                       between them are one word
``<0,400,0>hello`` (KuGou)             the same, with the start relative to the line's start
``(500,400,0)hello`` (NetEase)         the same, with the start relative to the song's start
``[ti:…]``, ``[offset:…]``             as in lrc
``LyricContent="…"``                   the lines of QQ Music, inside XML
=====================================  ==========================================================

The music programs encrypt these files. The reader needs the decoded text and rejects encrypted
files.
"""

import re
from collections.abc import Iterator, Sequence

from formats.detection.spec import FormatSpec, Sniff
from formats.io.source import Source
from formats.reading.lines import Line, filled_lines, sniff_share, strip_blanks
from formats.schema.errors import quoted
from formats.schema.times import SECOND
from formats.subtitles.cue_reading import READ_OPTIONS, reads_cues
from formats.subtitles.cues import Cue, Run, decode_entities, shifted
from formats.subtitles.lrc import NAMES, OFFSET_OPTION, TAG, read_offset

MILLISECOND = SECOND // 1000
LINE = re.compile(r"[ \t]*\[([0-9]{1,9}),([0-9]{1,9})\]")
AFTER = re.compile(r"\(([0-9]{1,9}),([0-9]{1,9})\)")
BEFORE = re.compile(r"([<(])([0-9]{1,9}),([0-9]{1,9}),[0-9]{1,9}[>)]")
OPENING = re.compile(r"\bLyricContent=\"")
CLOSING = re.compile(r"\"[ \t]*/?>[ \t]*\Z")
ENCRYPTED = re.compile(r"krc1|[0-9A-Fa-f]{64,}[ \t]*\Z")


@reads_cues
def read(source: Source, *, lrc_offset: str = "sooner") -> Iterator[Cue]:
    """Yield one cue per line."""
    shift = 0
    cues: list[Cue] = []
    lines = _plain(source)
    for line in lines:
        tag = TAG.match(line.text)
        if tag is None:
            cues += source.log.accepted("QRC-SYNTAX", _cues, [line])
        elif tag[1].lower() == "offset":
            shift = read_offset(line, strip_blanks(tag[2]), lrc_offset, shift)
        else:
            source.properties[NAMES.get(tag[1].lower(), tag[1].lower())] = strip_blanks(tag[2])
    yield from (shifted(cue, shift, 0) if shift else cue for cue in cues)


def _plain(source: Source) -> Iterator[Line]:
    """Yield the lines of the lyrics. The file may hold them inside XML."""
    is_inside: bool | None = None
    line: Line | None = None
    for line in filled_lines(source):
        text = line.text
        opening = OPENING.search(text)
        if opening is not None:
            is_inside, text = True, text[opening.end() :]
        elif is_inside is None and not text.lstrip("\ufeff \t").startswith("<"):
            is_inside = False
            if ENCRYPTED.match(text):
                raise source.syntax_error(line.number, "decrypted lyrics", "encrypted ones", 1)
        if is_inside is None or (is_inside and text.startswith("</")):
            continue
        if is_inside and (closing := CLOSING.search(text)):
            text = text[: closing.start()]
        text = decode_entities(text) if is_inside else text
        if strip_blanks(text):
            yield Line(source, line.number, text)
    if line is not None and is_inside is None:
        raise source.syntax_error(1, "XML with lyrics (LyricContent)", "XML without them", 1)


def _cues(line: Line) -> Iterator[Cue]:
    match = LINE.match(line.text)
    if match is None:
        raise line.error(0, "a line with times like [500,1750]", quoted(line.text))
    start = int(match[1]) * MILLISECOND
    rest = line.text[match.end() :]
    runs = tuple(_before(rest, start) if BEFORE.match(rest) else _after(rest))
    yield Cue(start, start + int(match[2]) * MILLISECOND, runs, line.number, (), "words only")


def _after(text: str) -> Iterator[Run]:
    """Yield the pieces of a text in which times follow their piece; 0 and 0 mean no times."""
    position = 0
    for chunk, stamp in enumerate(AFTER.finditer(text)):
        yield from _run(text[position : stamp.start()], chunk, int(stamp[1]), int(stamp[2]))
        position = stamp.end()
    if position < len(text):
        yield Run(text[position:])


def _before(text: str, start: int) -> Iterator[Run]:
    """Yield the pieces of a text in which times are before their piece.

    KuGou's times count from the start of the line.
    """
    stamps = list(BEFORE.finditer(text))
    ends = [stamp.start() for stamp in stamps[1:]] + [len(text)]
    for chunk, (stamp, end) in enumerate(zip(stamps, ends, strict=True)):
        from_line = start // MILLISECOND if stamp[1] == "<" else 0
        begin = int(stamp[2]) + from_line
        yield from _run(text[stamp.end() : end], chunk, begin, int(stamp[3]))


def _run(text: str, chunk: int, begin: int, length: int) -> Iterator[Run]:
    if not text:
        return
    if not length and not strip_blanks(text):
        yield Run(text)
        return
    yield Run(text, None, chunk, begin * MILLISECOND, (begin + length) * MILLISECOND)


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` for lines with two integers in brackets, some with more integers inside."""
    plain = [line[m.end() :] if (m := OPENING.search(line)) else line for line in lines]
    timed = [line for line in plain if LINE.match(line)]
    if not any(AFTER.search(line) or BEFORE.search(line) for line in timed):
        return Sniff.NO
    return sniff_share(plain, LINE.match, ignored=lambda x: TAG.match(x) or x.lstrip()[:1] == "<")


SPEC = FormatSpec(
    title="lyrics of QQ Music, KuGou or NetEase: lines with the times of their syllables",
    sign="lines of [begin,length] in milliseconds, with (begin,length) or <begin,length,0> inside",
    read=read,
    sniff=sniff,
    has_one_recording=True,
    properties=(),
    read_options=(OFFSET_OPTION, *READ_OPTIONS),
)
