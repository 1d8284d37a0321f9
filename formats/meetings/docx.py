"""docx: transcripts of Teams, Word, Meet and others in Word documents.

=====================================  ========================================================
in the file                            in the schema
=====================================  ========================================================
``0:0:0.0 --> 0:0:1.510``, name, text  `Segment.start_ns`, `Segment.end_ns`, `Segment.speaker`,
in three lines (Teams, to 2023)        words; milliseconds follow the point
``Name   0:03`` above lines (Teams)    `Segment.start_ns`, `Segment.speaker`, words
``00:00:01,000 --> 00:00:02,500``      cues of SubRip, by `formats.subtitles.srt`
``Start Dur. Speaker Transcription``   a table of Amazon Transcribe: `Segment.start_ns` with
                                       hundredths after the point, `Segment.end_ns` to a tenth;
                                       marks of analyses such as ``[ISSUE]`` are no words
``Time Speaker Content``               a table of tscribe, a tool for the same service
rows of other tables, other lines      turns, by the patterns of `formats.meetings.turns`
a document without turns              one segment with all words, by `formats.nist.txt`
tracked insertions, content controls   read like any other text
tracked deletions, moved text at its   dropped, counted in a note
old position
pictures, text boxes, comments         not read
=====================================  ========================================================

This package has its own parser, because python-docx 1.2.0 silently drops the text of insertions and
content controls. Only the document's part of the archive is read, up to 256 MiB and 200 times its
compressed size.
"""

from __future__ import annotations

import io
import itertools
import re
import zipfile
import zlib
from collections.abc import Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from formats.detection import by_name
from formats.detection.head import Head
from formats.detection.spec import FormatSpec, Sniff
from formats.io.errors import SizeLimitError
from formats.io.source import LARGEST_TEXT, Source, open_source
from formats.meetings.messages import (
    DOCX_MARKS,
    DOCX_PROSE,
    DOCX_TRACKED,
    TURN_EMPTY_AT,
    TURN_END,
    TURNS_ABOVE,
)
from formats.meetings.speaker_text import CLOSE_GAPS
from formats.meetings.turns.corrections import checked_turns
from formats.meetings.turns.plain import Lines
from formats.meetings.turns.reading import segments_of_turns
from formats.reading.lines import split_words, strip_blanks
from formats.reading.xml_document import local_name, stream_xml
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.schema.times import parse_clock, parse_time

if TYPE_CHECKING:
    from lxml.etree import _Element

PART = "word/document.xml"
MARK = "PK\x03\x04"
OLE = b"\xd0\xcf\x11\xe0"
LARGEST_RATIO = 200
RATIO_COUNTS_FROM = 1 << 24
WORKBOOK = "xl/workbook.xml"
OTHERS = {
    WORKBOOK: "a workbook of Excel: name its format, xlsx",
    "ppt/presentation.xml": "slides of PowerPoint",
    "content.xml": "an OpenDocument file: save it as .docx",
    "META-INF/container.xml": "an EPUB book",
}
LEFT_OUT = frozenset(
    ("del", "moveFrom", "delText", "instrText", "Fallback", "drawing", "pict", "txbxContent",
     "object")
)  # fmt: skip
SIGNS = {"tab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
STAMP = r"[0-9]{1,3}:[0-9]{1,2}:[0-9]{1,2}\.[0-9]{1,3}"
TIMES = re.compile(rf"\s*{STAMP}\s*-->\s*{STAMP}\s*\Z")
CUE = re.compile(r"\s*[0-9]{1,3}:[0-9]{2}:[0-9]{2},[0-9]{3}\s*-->")
"""The beginning of a timing line of SubRip, which has commas."""
HEADINGS = (("start", "dur.", "speaker", "transcription"), ("time", "speaker", "content"))
"""Cells above the transcripts of Amazon Transcribe and of tscribe; others may be between them."""
STAMP_CELL = re.compile(r"([0-9]{1,3}:[0-5][0-9]:[0-5][0-9])(?:\.([0-9]{1,2}))?\Z|\Z")
DURATION = re.compile(r"[0-9]{1,6}\.[0-9]s\Z")
MARKS = re.compile(
    r"\[(?:INTERRUPTION|ISSUE|ACTION|OUTCOME|Topic [0-9]{1,4})\]"
    r"|(?<![^ ])Guardrail(?: \w+ \([0-9]{1,3}%\))+\Z"
)
CATEGORY = "[CATEGORY]"


def read(source: Source, *, close_gaps: bool = False) -> Iterator[Segment]:
    """Yield one segment per turn."""
    data = source.data()
    if not data:
        return
    if data.startswith(OLE):
        expected, kind = "a document of Word (.docx)", "an old .doc, or one with a password"
        raise source.syntax_error(None, expected, f"{kind}: save it as .docx")
    stream = io.BytesIO(_part(source, data))
    stream.name = source.name
    with open_source(stream, recording=source.recording, tolerance=source.log.tolerance) as inside:
        source.log.follow(inside.log)
        lines = list(enumerate(_lines(inside), 1))
    if any(CUE.match(line) for _, line in lines):
        yield from _cues(source, lines)
        return
    if any(TIMES.match(line) for _, line in lines):
        yield from _three_lines(source, lines)
        return
    for heading in HEADINGS:
        cells = [tuple(filter(None, _cells(line.lower()))) for _, line in lines]
        if heading in cells:
            turns = list(_table(source, lines[cells.index(heading) :]))
            yield from checked_turns(source, turns, close_gaps=close_gaps)
            return
    expected = 'turns, as "Name   0:03" over text, or times, name and text in three lines'
    prose = partial(_prose, source, lines)
    yield from segments_of_turns(source, lines, None, expected, close_gaps=close_gaps, prose=prose)


def _prose(source: Source, lines: Lines) -> Iterator[Segment]:
    """Yield the text of a document without turns as one segment, and say so."""
    source.log.say(DOCX_PROSE)
    yield from _read_as("txt", source, "\n".join(line for _, line in lines))


def _read_as(name: str, source: Source, text: str) -> Iterator[Segment]:
    """Yield the segments of a text in another format."""
    stream = io.StringIO(text)
    stream.name = source.name
    with open_source(stream, recording=source.recording, tolerance=source.log.tolerance) as inside:
        source.log.follow(inside.log)
        yield from by_name(name).read(inside)


def _cues(source: Source, lines: Sequence[tuple[int, str]]) -> Iterator[Segment]:
    """Yield the cues of SubRip in the lines. Each line of a cue may be a paragraph of its own."""
    yield from _read_as("srt", source, "\n".join(line for _, line in lines if strip_blanks(line)))


def _cells(line: str) -> list[str]:
    """Return the cells of a table row."""
    return line.split("\t")


def _table(source: Source, lines: Lines) -> Iterator[Segment]:
    """Yield the rows below a table's heading as turns.

    In `lines`, an empty line follows each row.
    """
    columns = [name.lower() for name in _cells(lines[0][1])]
    rows = itertools.takewhile(lambda line: "\t" in line[1], lines[2::2])
    marks = categories = 0

    def turn(line: tuple[int, str]) -> Iterator[Segment]:
        nonlocal marks, categories
        cells = _cells(line[1])
        if len(cells) == 2 and cells[1].startswith(CATEGORY):
            categories += 1
            return
        row = dict(zip(columns, cells, strict=False))
        stamp, duration = STAMP_CELL.match(cells[0]), row.get("dur.")
        is_timed = duration is None or (DURATION.match(duration) and cells[0])
        if len(cells) != len(columns) or stamp is None or not is_timed:
            expected = f"a row of {len(columns)} cells that begins with a time"
            raise source.syntax_error(None, expected, quoted(line[1]))
        # The tools write hundredths as a number: ".4" is 0.04 s.
        start = parse_clock(f"{stamp[1]}.{stamp[2] or 0:0>2}") if stamp[1] else None
        text, count = MARKS.subn("", cells[-1])
        marks += count
        yield Segment(
            source.recording,
            tuple(split_words(text)),
            speaker=row["speaker"] or None,
            start_ns=start,
            end_ns=None if start is None or not duration else start + parse_time(duration[:-1]),
        )

    yield from source.log.accepted("DOCX-ROW", turn, rows)
    if marks or categories:
        source.log.say(DOCX_MARKS, marks=marks, categories=categories)


def _part(source: Source, data: bytes) -> bytes:
    """Return the XML of the document; `data` is the whole docx file."""
    expected = f"a zip archive with {PART}"
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            names = frozenset(archive.namelist())
            if PART not in names:
                kinds = (kind for name, kind in OTHERS.items() if name in names)
                raise source.syntax_error(None, expected, next(kinds, "another one"))
            packed = min(archive.getinfo(PART).compress_size, len(data))
            most = min(LARGEST_TEXT, max(RATIO_COUNTS_FROM, packed * LARGEST_RATIO))
            with archive.open(PART) as part:
                text = part.read(most + 1)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError) as problem:
        raise source.syntax_error(None, expected, f"damage ({problem})") from None
    except (NotImplementedError, RuntimeError, ValueError, UnicodeError) as problem:
        raise source.syntax_error(
            None, expected, f"an archive that cannot be unpacked ({problem})"
        ) from None
    if len(text) > most:
        raise SizeLimitError(f"{PART} expands beyond what a transcript does", path=source.name)
    return text


def _lines(source: Source) -> Iterator[str]:
    """Yield the lines of each paragraph, then an empty line. A row of a table is one line."""
    elements = stream_xml(source, ("document",), ("p",))
    root = next(elements, None)
    counts = {"ins": 0, "del": 0}
    row: tuple[_Element | None, dict[_Element | None, str]] = (None, {})
    for element in elements:
        for change in element.iter("{*}ins", "{*}del"):
            counts[local_name(change)] += 1
        text = "".join(_text(element))
        around = next(element.iterancestors("{*}tr"), None)
        if row[1] and around is not row[0]:
            yield from ("\t".join(row[1].values()), "")
            row = (None, {})
        if around is None:
            yield from (*text.strip("\n").split("\n"), "")
            continue
        row = (around, row[1])
        cell = next(element.iterancestors("{*}tc"), None)
        words = split_words(text.replace("\n", " "))
        row[1][cell] = " ".join([row[1].get(cell, ""), *words]).strip()
    if row[1]:
        yield from ("\t".join(row[1].values()), "")
    if root is not None and any(counts.values()):
        source.log.say(DOCX_TRACKED, inserted=counts["ins"], deleted=counts["del"])


def _text(element: _Element) -> Iterator[str]:
    for child in element:
        name = local_name(child)
        if name in SIGNS:
            yield SIGNS[name]
        elif name == "t":
            yield child.text or ""
        elif name not in LEFT_OUT:
            yield from _text(child)


def _three_lines(source: Source, lines: Sequence[tuple[int, str]]) -> Iterator[Segment]:
    """Yield the turns of Teams, each with three lines: times, name and text."""
    begins = [index for index, (_, line) in enumerate(lines) if TIMES.match(line)]
    above = [line for _, line in lines[: begins[0]] if strip_blanks(line)]
    if above:
        source.properties["title"] = " ".join(above)
        source.log.say(TURNS_ABOVE, None, lines=len(above), text=above[0])
    for begin, following in zip(begins, [*begins[1:], len(lines)], strict=True):
        head, *turn = (strip_blanks(line) for _, line in lines[begin:following])
        times = re.findall(r"\b([0-9:]{1,15})\.([0-9]{1,9})", head)
        name, *text = [line for line in turn if line] or [""]
        try:
            start, end = (parse_clock(f"{clock}.{decimals:0>3}") for clock, decimals in times)
        except ValueError:
            expected, found = "minutes and seconds below 60", quoted(lines[begin][1])
            source.log.reject("DOCX-TIME", source.syntax_error(None, expected, found))
            continue
        if end < start:
            source.log.say(TURN_END, text=head)
        if not text:
            source.log.say(TURN_EMPTY_AT, text=head)
        yield Segment(
            source.recording,
            tuple(word for line in text for word in split_words(line)),
            speaker=name or None,
            start_ns=start,
            end_ns=end if end >= start else None,
        )


def sniff(head: Head) -> Sniff:
    """Return `SURE` for a zip archive that is not a workbook; the reader checks its contents."""
    is_archive = bool(head) and head[0].startswith(MARK)
    return Sniff.SURE if is_archive and WORKBOOK not in head.parts else Sniff.NO


SPEC = FormatSpec(
    title="documents of Word with turns of speakers: Teams, Meet, Word and others",
    sign="a zip archive with word/document.xml",
    read=read,
    sniff=sniff,
    has_one_recording=True,
    read_options=(CLOSE_GAPS,),
)
