"""nxt and mrt: transcripts of the AMI and ICSI meeting corpora in XML.

``nxt``, the NITE toolkit's folder of AMI (or one ``words.xml`` of it):

======================================  ======================================================
in the file                             in the schema
======================================  ======================================================
``words/MEETING.A.words.xml``           recording ``MEETING``, speaker ``A``
``w`` with ``starttime``, ``endtime``   a word; its type is ``frag`` if it has ``trunc``
``w`` with ``punc``                     added to the display form of the word before
``vocalsound``, ``disfmarker`` …        an ``event``, named by its type or otherwise by the element
``segments/MEETING.A.segments.xml``     one segment per element; it has the words from the first to
                                        the last word to which it refers, in the order of the file
``transcriber_start``, ``…_end``        `Segment.start`, `Segment.end`
``channel``                             `Segment.channel`; if missing, the channel in
                                        ``meetings.xml``
``global_name`` of ``meetings.xml``     property
======================================  ======================================================

``mrt``, ICSI's own file for each meeting:

======================================  ======================================================
in the file                             in the schema
======================================  ======================================================
``Segment`` with ``Participant``        a segment, its speaker; all text inside is words
``StartTime``, ``EndTime``              times in seconds
``Channel`` of the participant          `Segment.channel`
``VocalSound``, ``NonVocalSound`` …     an ``event``, called by its description
``DigitTask``                           property ``digit_task``: digits read aloud
======================================  ======================================================
"""

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import chain

import msgspec

from formats.annotation.messages import (
    NXT_NO_SEGMENTS,
    NXT_OUTSIDE,
    NXT_POINTER,
    NXT_SEGMENTS,
    NXT_TIMES,
)
from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.reading.lines import split_words
from formats.reading.xml_document import (
    Element,
    line_of,
    local_name,
    parse_xml,
    seconds,
    stream_xml,
    xml_error,
    xml_span,
)
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.schema.words import unless_empty

ROOTS = ("root", "stream")
SPACE = "http://nite.sourceforge.net/"
NITE_ID = f"{{{SPACE}}}id"
POINTER = re.compile(r"#id\(([^()]+)\)(?:\.\.id\(([^()]+)\))?\Z")
NAMED = re.compile(r"(.+)\.([^.]+)\.words\Z")


class _Piece(msgspec.Struct, gc=False):
    """An entry in a file of words. `is_word` is `False` for sounds, `None` for punctuation."""

    id: str
    text: str
    start_ns: int | None
    end_ns: int | None
    kind: str | None
    is_word: bool | None
    line: int | None


def read(source: Source) -> Iterator[Segment]:
    """Yield the segments of every meeting, sorted by time.

    A file of words without a file of segments gives one segment.
    """
    if source.folder is None:
        root = parse_xml(source, ROOTS)
        if root is None:
            return
        named = NAMED.match(root.get(NITE_ID) or source.recording)
        whole = Segment(
            named[1] if named else source.recording, speaker=named[2] if named else None
        )
        pieces = list(source.log.accepted("NXT-WORD", partial(_piece, source), root))
        if pieces:
            source.log.say(NXT_SEGMENTS)
        yield from _of_pieces(whole, pieces)
        return
    people = _people(source)
    meetings: dict[str, list[tuple[str, str]]] = {}
    for path in source.below("[Ww]ords/*.words.xml"):
        stem = os.path.basename(path)[: -len(".words.xml")]
        meeting, _, agent = stem.rpartition(".")
        meetings.setdefault(meeting or stem, []).append((agent if meeting else "", path))
    tables = {os.path.basename(path): path for path in source.below("[Ss]egments/*.segments.xml")}
    for meeting, files in meetings.items():
        segments: list[Segment] = []
        for agent, path in files:
            whole = people.get((meeting, agent), Segment(meeting, speaker=agent or None))
            name = os.path.basename(path).replace(".words.xml", ".segments.xml")
            segments += _of_files(source, path, tables.get(name), whole)
        yield from sorted(segments, key=lambda segment: segment.start_ns or 0)


def _of_files(
    source: Source, path: str, table_path: str | None, whole: Segment
) -> Iterator[Segment]:
    """Yield the words of one person, in the segments that the file `table_path` defines.

    Without this file, all words form one segment.
    """
    with source.beside(path) as words:
        root = parse_xml(words, ROOTS)
        elements = () if root is None else root
        pieces = list(words.log.accepted("NXT-WORD", partial(_piece, words), elements))
    if table_path is None:
        source.log.say(NXT_NO_SEGMENTS, path=path)
        yield from _of_pieces(whole, pieces)
        return
    index = {piece.id: number for number, piece in enumerate(pieces)}
    in_segments: set[int] = set()

    def segment(element: Element) -> Iterator[Segment]:
        numbers = list(chain.from_iterable(_pointed(table, element, index)))
        start, end = (
            seconds(table, element, f"transcriber_{name}", f"{name}time")
            for name in ("start", "end")
        )
        if start is not None and end is not None and end < start:
            table.log.say(NXT_TIMES, line_of(element))
            start = end = None
        in_segments.update(numbers)
        channel = element.get("channel") or whole.channel
        line = line_of(element)
        part = whole.replace(start_ns=start, end_ns=end, line=line, channel=channel)
        yield from _of_pieces(part, [pieces[number] for number in numbers])

    with source.beside(table_path) as table:
        root = parse_xml(table, ROOTS)
        elements = () if root is None else root.iter("segment")
        yield from table.log.accepted("NXT-SEGMENT", segment, elements)
    outside = [piece for number, piece in enumerate(pieces) if number not in in_segments]
    if count := sum(piece.is_word is True for piece in outside):
        source.log.say(NXT_OUTSIDE, table_path=table_path, count=count)
    yield from _of_pieces(whole, outside)


def _pointed(source: Source, element: Element, index: Mapping[str, int]) -> Iterator[Sequence[int]]:
    """Yield, for each child of a segment element, the indices of the words and sounds in it."""
    for child in element:
        href = child.get("href") or ""
        match = POINTER.search(href)
        if match is None:
            raise xml_error(source, child, "href to words such as #id(a)..id(b)", quoted(href))
        first, last = index.get(match[1]), index.get(match[2] or match[1])
        if first is None or last is None:
            source.log.say(NXT_POINTER, line_of(child), href=href)
        elif last < first:
            raise xml_error(source, child, "a pointer from a word to a later one", quoted(href))
        else:
            yield range(first, last + 1)


def _piece(source: Source, element: Element) -> Iterator[_Piece]:
    start, end = xml_span(source, element, "starttime", "endtime")
    name = local_name(element)
    is_word: bool | None = name == "w"
    text = "_".join(split_words((element.text or "").replace("\n", " ")))
    kind = None
    if not is_word:
        text = element.get("type") or name
    elif element.get("punc") == "true":
        is_word = None
    elif element.get("trunc") == "true":
        kind = "frag"
    if text:
        yield _Piece(element.get(NITE_ID) or "", text, start, end, kind, is_word, line_of(element))


def _of_pieces(whole: Segment, pieces: Sequence[_Piece]) -> Iterator[Segment]:
    """Yield the words as a segment, then the sounds as events."""
    words: list[_Piece] = []
    displays: list[str | None] = []
    for piece in pieces:
        if piece.is_word:
            words.append(piece)
            displays.append(None)
        elif piece.is_word is None and words:
            displays[-1] = (displays[-1] or words[-1].text) + piece.text
    if words or whole.start_ns is not None:
        line = whole.line if whole.line is not None else pieces[0].line
        yield whole.replace(
            words=tuple([word.text for word in words]),
            starts_ns=unless_empty(tuple([word.start_ns for word in words])),
            ends_ns=unless_empty(tuple([word.end_ns for word in words])),
            kinds=unless_empty(tuple([word.kind for word in words])),
            displays=unless_empty(tuple(displays)), line=line,
        )  # fmt: skip
    for piece in pieces:
        if piece.is_word is False:
            yield whole.replace(
                words=(piece.text,), start_ns=piece.start_ns, end_ns=piece.end_ns, kind="event",
                line=piece.line,
            )  # fmt: skip


def _people(source: Source) -> dict[tuple[str, str], Segment]:
    """Return a template for each speaker in ``meetings.xml``: a segment without words.

    The keys are pairs (meeting, letter of the speaker).
    """
    people: dict[tuple[str, str], Segment] = {}
    for path in source.below("[Cc]orpus[Rr]esources/meetings.xml"):
        with source.beside(path) as table:
            root = parse_xml(table, ROOTS)
        for element in () if root is None else root.iter("speaker"):
            parent = element.getparent()
            meeting = parent.get("observation") if parent is not None else None
            agent, name = element.get("nxt_agent"), element.get("global_name")
            if meeting and agent:
                people[meeting, agent] = Segment(
                    meeting, speaker=agent, channel=element.get("channel") or None,
                    properties=(("global_name", name),) if name else (),
                )  # fmt: skip
    return people


def read_mrt(source: Source) -> Iterator[Segment]:
    """Yield one segment per ``Segment`` element with text, then the sounds in it as events."""
    channels: dict[str, str] = {}

    def segments(element: Element) -> Iterator[Segment]:
        name = local_name(element)
        if name == "Meeting":
            source.recording = element.get("Session") or source.recording
        elif name == "Participant":
            channels[element.get("Name") or ""] = element.get("Channel") or ""
        else:
            yield from _of_meeting(source, element, channels)

    elements = stream_xml(source, ["Meeting"], ["Participant", "Segment"])
    return source.log.accepted("MRT-SEGMENT", segments, elements)


def _of_meeting(source: Source, element: Element, channels: Mapping[str, str]) -> list[Segment]:
    start, end = (seconds(source, element, name) for name in ("StartTime", "EndTime"))
    if start is None or end is None or end < start:
        expected = "a StartTime and an EndTime not before it"
        times = " to ".join(quoted(element.get(name) or "") for name in ("StartTime", "EndTime"))
        raise xml_error(source, element, expected, times)
    speaker = element.get("Participant") or None
    segment = Segment(
        source.recording, tuple(split_words("".join(element.itertext()).replace("\n", " "))),
        channel=channels.get(speaker or "") or None, speaker=speaker, start_ns=start,
        end_ns=end,
        properties=(("digit_task", "true"),) if element.get("DigitTask") == "true" else (),
        line=line_of(element),
    )  # fmt: skip
    sounds = [sound for part in element.iter() if (sound := part.get("Description"))]
    events = [segment.replace(words=(sound,), kind="event", properties=()) for sound in sounds]
    return [segment, *events] if segment.words or not sounds else events


SPEC = FormatSpec(
    title="the NITE toolkit's folder of meetings (AMI), words and segments in XML",
    sign="the root element root of NITE's name space",
    read=read,
)
MRT_SPEC = FormatSpec(
    title="meetings of the ICSI corpus: segments of their speakers, in XML",
    sign="the root element Meeting",
    read=read_mrt,
    has_one_recording=True,
)
