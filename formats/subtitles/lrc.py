"""LRC: lyrics and other texts; each line has a start, and words may have times.

================================  ==========================================================
in the file                       in the schema
================================  ==========================================================
``[00:00.50]hello``               `Segment.start_ns`; the end is the begin of the next line
``[00:03.90]`` without text       the end of the previous line
``[00:01.00][00:09.00]again``     a segment for each time
``<00:00.90>world`` (enhanced)    word times; a word ends at the next time; ``[00:00.90]`` after
                                  text is read in the same way
``[offset:500]``                  milliseconds by which all times become *earlier*, with a warning,
                                  because some programs make them later (``lrc_offset``)
``[ti:…]``, ``[length:…]``, …     properties of the file: ``title``, ``artist``, …
================================  ==========================================================

Lines are sorted by time.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, zip_longest
from typing import Any

from formats.detection.spec import Option, SegmentSource, Sniff
from formats.io.sink import Sink
from formats.io.source import Source
from formats.reading.lines import Line, filled_lines, strip_blanks
from formats.schema.errors import quoted
from formats.schema.times import SECOND
from formats.subtitles.credits import SONG_CREDIT
from formats.subtitles.cue_reading import reads_cues
from formats.subtitles.cue_text import SPEAKER_PREFIX, begins_of, cues_out
from formats.subtitles.cues import Cue, Run, shifted, until_next
from formats.subtitles.messages import (
    LRC_CREDITS,
    LRC_OFFSET,
    LRC_OFFSET_IGNORED,
    LRC_OFFSET_TEXT,
    LRC_ORDER,
    LRC_UNTIMED,
)
from formats.subtitles.segmentation import WORD_TIMES, cue_format

TIME = r"(?:[0-9]{1,4}:)?[0-9]{1,8}:[0-9]{1,2}(?:[.:][0-9]{1,3})?"
STAMP = re.compile(rf"[ \t]*\[({TIME})\]")
INNER = re.compile(rf"[<\[]({TIME})[>\]]")
TAG = re.compile(r"[ \t]*\[([A-Za-z#]{1,12}):(.*)\][ \t]*\Z")
OFFSET = re.compile(r"[ \t]*(?:([+-])[ \t]*)?([0-9]{1,9})[ \t]*(?:ms[ \t]*)?\Z")
NAMES = {"ti": "title", "ar": "artist", "al": "album", "au": "author", "la": "language"}
FIRST_LINES = 20
TITLE, AT_BEGIN = re.compile(r"[^\n]{1,60}[ ][-–—/][ ][^\n]{0,60}[^\s.?!…,]\Z"), SECOND
"""The title of a song and who sings it, and the latest time of this line."""
TURN = re.compile(r"\[[^\]]*\] (?:- |[^:\[\]]{1,60}:)")
"""A turn of a speaker, ``[0:12] Name: text`` or ``[0:12] - Name``."""
OFFSETS = ("sooner", "later", "ignore")
OFFSET_OPTION = Option(
    "lrc_offset",
    "sooner",
    "what a positive [offset:] in an lrc file means: sooner subtracts it "
    "from all times, later adds it, ignore does neither",
    OFFSETS,
)
CENTISECOND = SECOND // 100


def parse_stamp(text: str) -> int:
    """Parse ``minutes:seconds.fraction`` or ``minutes:seconds:fraction``; return nanoseconds.

    Hours may precede the minutes.
    """
    whole, point, fraction = text.partition(".")
    parts = whole.split(":")
    if len(parts) == 3 and not point:
        fraction = parts.pop()
    seconds = 0
    for part in parts:
        seconds = seconds * 60 + int(part)
    return seconds * SECOND + int(fraction.ljust(9, "0"))


@reads_cues
def read(source: Source, *, lrc_offset: str = "sooner") -> Iterator[Cue]:
    """Yield one cue for each time of a line, sorted by time."""
    marks: list[tuple[int, Cue | None]] = []
    shift = first_text = before = 0
    for line in filled_lines(source):
        tag = TAG.match(line.text)
        stamps: list[int] = []
        end = 0
        while (match := STAMP.match(line.text, end)) is not None:
            stamps.append(parse_stamp(match[1]))
            end = match.end()
        if not stamps and tag is not None and tag[1].lower() == "offset":
            shift = read_offset(line, strip_blanks(tag[2]), lrc_offset, shift)
        elif not stamps and tag is not None:
            source.properties[NAMES.get(tag[1].lower(), tag[1].lower())] = strip_blanks(tag[2])
        elif not stamps:
            first_text = first_text or line.number
            line.say(LRC_UNTIMED, text=line.text)
        if len(stamps) == 1:
            if stamps[0] < before:
                line.say(LRC_ORDER)
            before = stamps[0]
        text = line.text[end:]
        for n, start in enumerate(stamps):
            cue = None
            if strip_blanks(text):
                runs = (Run(INNER.sub("", text)),) if n else tuple(_runs(text, start))
                cue = Cue(start, None, runs, line.number, (), "words only")
            marks.append((start, cue))
    if first_text and not marks:
        raise source.syntax_error(first_text, "a line with a time like [00:12.50]", "none")
    marks.sort(key=lambda mark: mark[0])
    _say_credits(source, marks[:FIRST_LINES])
    for cue in until_next(source, marks):
        ends = [run.end_ns for run in cue.runs if run.end_ns is not None]
        last = cue.end_ns if cue.end_ns is not None else max(ends, default=None)
        runs = tuple(
            run._replace(end_ns=last) if run.chunk is not None and run.end_ns is None else run
            for run in cue.runs
        )
        cue = cue._replace(end_ns=last, runs=runs)
        yield shifted(cue, shift, 0) if shift else cue


def _say_credits(source: Source, marks: Sequence[tuple[int, Cue | None]]) -> None:
    """Tell of first lines that name a maker of the song, as ``Lyrics: Anne Example``."""
    cues = [cue for _, cue in marks if cue is not None]
    texts = ["".join([run.text for run in cue.runs]).strip() for cue in cues]
    begin = (cues[0].start_ns or 0) if cues else 0
    titles = [text for text in texts[:1] if TITLE.match(text) and begin <= AT_BEGIN]
    makers = [text for text in texts if SONG_CREDIT.match(text)]
    if titles or (makers and (len(makers) > 1 or SONG_CREDIT.match(texts[0]))):
        first, *_ = titles or makers
        source.log.say(LRC_CREDITS, lines=len({*titles, *makers}), text=first)


def read_offset(line: Line, value: str, rule: str, before: int) -> int:
    """Return the time shift of a tag ``[offset:…]`` in nanoseconds."""
    match = OFFSET.match(value)
    if match is None:
        line.say(LRC_OFFSET_TEXT, text=value)
        return before
    shift = int((match[1] or "") + match[2]) * (SECOND // 1000)
    if shift:
        entry = LRC_OFFSET_IGNORED if rule == "ignore" else LRC_OFFSET
        line.say(entry, milliseconds=value, **({} if rule == "ignore" else {"rule": rule}))
    return {"sooner": -shift, "later": shift}.get(rule, 0)


def _runs(text: str, start: int) -> Iterator[Run]:
    """Yield the pieces of a text; the times inside the text divide it."""
    pieces = INNER.split(text)
    if len(pieces) == 1:
        yield Run(text)
        return
    times = [start, *map(parse_stamp, pieces[1::2])]
    if any(first > second for first, second in pairwise(times)):
        yield Run("".join(pieces[::2]))
        return
    for chunk, piece in enumerate(pieces[::2]):
        end = times[chunk + 1] if chunk + 1 < len(times) else None
        if piece:
            yield Run(piece, None, chunk, times[chunk], end)


def write(
    segments: SegmentSource, sink: Sink, *, word_times: bool = False, speaker_prefix: bool = False,
    **limits: Any,
) -> None:  # fmt: skip
    """Write one line per segment, sorted by start, and an empty line before each gap."""
    rows: list[tuple[int, int, str]] = []
    for cue in cues_out(segments, sink, 2, limits, speaker_prefix):
        text = cue.prefix + " ".join(cue.lines())
        if INNER.search(text):
            raise cue.refuse("text without times in brackets", quoted(text))
        times = cue.word_times(word_times)
        if times is not None:
            text = cue.prefix
            starts = [start for start, _ in times[1:]]
            for word, (first, last), after in zip_longest(cue.segment.words, times, starts):
                text += f"<{_stamp(first)}>{word}"
                text += f"<{_stamp(last)}>" if after != last else ""
                text += " " if after is not None else ""
        rows.append((cue.start, cue.end, text))
    title = dict(segments.properties).get("title")
    if title:
        sink.write(f"[ti:{' '.join(title.split())}]\n")
    for start, text in begins_of(rows, sink):
        sink.write(f"[{_stamp(start)}]{text}\n")


def _stamp(time: int) -> str:
    count = time // CENTISECOND
    return f"{count // 6000:02d}:{count // 100 % 60:02d}.{count % 100:02d}"


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if 60 % of the lines begin with a time or tag, and two times have fractions."""
    filled = [line for line in lines if strip_blanks(line)]
    stamped = list(filter(None, map(STAMP.match, filled)))
    tags = sum(TAG.match(line) is not None and STAMP.match(line) is None for line in filled)
    exact = sum("." in stamp[1] for stamp in stamped)
    if any(stamp[1].count(":") == 2 and stamp[1][-2:] > "59" for stamp in stamped):
        exact += sum(stamp[1].count(":") == 2 for stamp in stamped)  # hundredths after a colon
    if len(stamped) < 2 or len(stamped) + tags < 0.6 * len(filled):
        return Sniff.NO
    turns = sum(TURN.match(line) is not None for line in filled)
    is_lyrics = exact > 0.5 * len(stamped) and turns < 0.5 * len(filled)
    return Sniff.SURE if is_lyrics else Sniff.MAYBE


SPEC = cue_format(
    title="LRC lyrics: lines with their begins, plain or with the times of words",
    sign="lines of [minutes:seconds.hundredths]text",
    read=read,
    write=write,
    sniff=sniff,
    holds=("words", "speakers", "segment times", "word times", "segment boundaries"),
    properties=(),
    read_options=(OFFSET_OPTION,),
    write_options=(WORD_TIMES, SPEAKER_PREFIX),
)
