"""Writer of trs documents: one section, in which a new turn begins where the speakers change."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import pairwise
from xml.etree.ElementTree import Element, SubElement

from formats.annotation.messages import (
    RULE_AS_PAUSES,
    RULE_BLANK_NAME,
    RULE_FIRST_SPEAKER,
    RULE_MERGED,
    RULE_NOT_SAME_THROUGHOUT,
    RULE_OF_EVENTS,
    RULE_OF_NO_SPEAKER,
    RULE_OF_SOME_LENGTH,
    RULE_SORTED_BY_TIME,
    RULE_STAMP_BEFORE,
    RULE_WHERE_OTHERS_OVERLAP,
)
from formats.annotation.tier_reading import is_blank
from formats.detection.spec import SegmentSource
from formats.io.messages import RULE_DROPPED
from formats.io.sink import Sink
from formats.schema.model import Segment
from formats.schema.times import format_time
from formats.writing.out import Out
from formats.writing.xml_writing import check_characters, writable, write_document

DOCUMENT_TYPE = '<!DOCTYPE Trans SYSTEM "trans-14.dtd">\n'
TURN_PROPERTIES = ("mode", "fidelity", "channel")
SPEAKER_PROPERTIES = {"speaker_type": "type"} | {
    name: name for name in ("dialect", "accent", "scope")
}


class _Cell:
    """An interval without a change of speakers.

    One speaker (known or unknown), several speakers or nobody talks in it.
    """

    __slots__ = ("begin", "end", "events", "segments")

    def __init__(self, begin: int, end: int) -> None:
        self.begin = begin
        self.end = end
        self.segments: list[Segment] = []
        self.events: list[Segment] = []

    def key(self) -> tuple[object, ...]:
        """Return the speakers and the properties of a turn; they are equal in all its cells."""
        first = self.segments[0] if self.segments else None
        turn = tuple(first.get(name) if first else None for name in TURN_PROPERTIES)
        return (*turn, *(segment.speaker for segment in self.segments))


def write(segments: SegmentSource, sink: Sink, *, precision: int = 3) -> None:
    """Write one document for one recording, sorted by time. Pauses are empty intervals."""
    builder = _Builder(sink, precision)
    for segment in segments:
        builder.take(segment)
    cells = builder.cells()
    properties = {name: writable(text) for name, text in segments.properties}
    root = Element("Trans", scribe=properties.get("scribe", ""))
    root.set("audio_filename", builder.recording or "")
    root.set("version", properties.get("version", "1"))
    if language := properties.get("language"):
        root.set("{http://www.w3.org/XML/1998/namespace}lang", language)
    speakers = SubElement(root, "Speakers")
    for name, id_ in builder.ids.items():
        details = {SPEAKER_PROPERTIES[key]: text for key, text in builder.details[name].items()}
        SubElement(speakers, "Speaker", {"id": id_, "name": name, **details})
    episode = SubElement(root, "Episode")
    if cells:
        _add_section(episode, cells, builder)
    write_document(root, sink, DOCUMENT_TYPE)


class _Builder:
    """Collects segments, and divides their time into cells that do not overlap."""

    def __init__(self, sink: Sink, precision: int) -> None:
        self.sink = sink
        self.precision = precision
        self.recording: str | None = None
        self.ids: dict[str, str] = {}
        self.details: dict[str, dict[str, str]] = {}
        self._segments: list[Segment] = []
        self._spoken: list[tuple[int, int, Segment]] = []
        self._events: list[tuple[int, Segment]] = []

    def take(self, segment: Segment) -> None:
        """Add a segment with rounded times."""
        out = Out(segment, self.sink)
        if segment.kind != "event" and not (segment.words or segment.speaker):
            out.lost("empty segments", 1, RULE_DROPPED)
            return
        out.no_empty_word()
        named = (text for _, text in segment.properties)
        names = (segment.recording, segment.speaker, *named)
        check_characters((*names, *segment.words), segment, self.sink.source)
        first, last = out.span(self.precision)
        if segment.kind != "event" and not segment.words and first == last:
            out.lost("empty segments", 1, RULE_DROPPED)
            return
        self.recording = segment.recording
        if segment.speaker is not None and is_blank(segment.speaker):
            out.lost("speakers", 1, RULE_BLANK_NAME)
            segment = segment.replace(speaker=None)
        if segment.kind != "event":
            self._know_speaker(out)
            self._spoken.append((first, last, segment))
        elif segment.start_ns != segment.end_ns:
            out.lost("events", 1, RULE_OF_SOME_LENGTH)
            return
        else:
            self._events.append((first, segment))
        self._segments.append(segment)

    def _know_speaker(self, out: Out) -> None:
        speaker = out.segment.speaker
        values = ((name, out.segment.get(name)) for name in SPEAKER_PROPERTIES)
        properties = {name: text for name, text in values if text is not None}
        if speaker is None:
            out.lost("properties", len(properties), RULE_OF_NO_SPEAKER)
            return
        self.ids.setdefault(speaker, f"spk{len(self.ids) + 1}")
        before = self.details.setdefault(speaker, properties)
        changed = len(set(before.items()) ^ set(properties.items()))
        out.lost("properties", changed, RULE_NOT_SAME_THROUGHOUT)

    def cells(self) -> list[_Cell]:
        """Return consecutive cells that do not overlap, each with the segments spoken in it."""
        self._spoken.sort(key=lambda spoken: spoken[:2])
        bare = [Out(segment, self.sink) for *_, segment in self._spoken if not segment.words]
        if len(bare) == len(self._spoken):
            self._spoken = self._apart()
        else:
            for out in bare:
                out.lost("turns without words", 1, RULE_AS_PAUSES)
        cells: list[_Cell] = []
        for begin, end, segment in self._spoken:
            last = cells[-1] if cells else None
            if last is not None and (last.begin, last.end) == (begin, end):
                self._check_company(last, segment)
            elif last is not None and begin < last.end:
                expected = "overlapping segments of equal times"
                raise Out(segment, self.sink).refuse(expected, _pair(segment, last.segments[0]))
            if last is None or (last.begin, last.end) != (begin, end):
                cells.append(last := _Cell(begin, end))
            last.segments.append(segment)
        cells = self._with_events(self._without_gaps(cells))
        # Of one stretch of time what is heard stands before what is said.
        ordered = [segment for cell in cells for segment in (*cell.events, *cell.segments)]
        ranks: dict[int, int] = {}
        for rank, segment in enumerate(ordered):
            ranks.setdefault(id(segment), rank)
        losses, path = self.sink.losses, self.sink.source
        written = [segment for segment in self._segments if id(segment) in ranks]
        losses.in_order(written, lambda segment: ranks[id(segment)], RULE_SORTED_BY_TIME, path)
        return cells

    def _apart(self) -> list[tuple[int, int, Segment]]:
        """Return the turns without words, each with its start and end.

        A turn is divided where another turn begins or ends.
        """
        times = sorted({time for begin, end, _ in self._spoken for time in (begin, end)})
        pieces: dict[tuple[int, int, str | None], Segment] = {}
        for begin, end, segment in self._spoken:
            inside = times[bisect_left(times, begin) : bisect_right(times, end)]
            cuts = list(pairwise(inside)) or [(begin, end)]
            Out(segment, self.sink).lost("turns cut", int(len(cuts) > 1), RULE_WHERE_OTHERS_OVERLAP)
            for first, last in cuts:
                before = pieces.setdefault((first, last, segment.speaker), segment)
                merged = int(before is not segment)
                Out(segment, self.sink).lost("overlapping turns of a speaker", merged, RULE_MERGED)
        return sorted(((*key[:2], s) for key, s in pieces.items()), key=lambda piece: piece[:2])

    def _check_company(self, cell: _Cell, segment: Segment) -> None:
        company = (*cell.segments, segment)
        speakers = [member.speaker for member in company]
        if None in speakers or len(set(speakers)) < len(speakers):
            expected = "overlapping segments of different speakers"
            raise Out(segment, self.sink).refuse(expected, _pair(segment, cell.segments[0]))
        turns = {tuple(member.get(name) for name in TURN_PROPERTIES) for member in company}
        if len(turns) > 1:
            lost = sum(1 for name in TURN_PROPERTIES if segment.get(name) is not None)
            rule = RULE_FIRST_SPEAKER
            Out(segment, self.sink).lost("properties", max(lost, 1), rule)

    def _without_gaps(self, cells: list[_Cell]) -> list[_Cell]:
        """Add empty cells in the gaps between the cells.

        A gap is divided where events begin or end.
        """
        filled: list[_Cell] = []
        done = 0
        event_times = {time for time, _ in self._events}
        times = sorted(event_times)
        latest = max((*times, *(cell.end for cell in cells)), default=0)
        for cell in (*cells, _Cell(latest, latest)):
            cuts = times[bisect_right(times, done) : bisect_left(times, cell.begin)]
            for begin, end in zip((done, *cuts), (*cuts, cell.begin), strict=True):
                if begin < end:
                    filled.append(_Cell(begin, end))
            if cell.segments or cell.begin in event_times:
                filled.append(cell)
            done = max(done, cell.end)
        return filled

    def _with_events(self, cells: list[_Cell]) -> list[_Cell]:
        starts = [cell.begin for cell in cells]
        for time, event in sorted(self._events, key=lambda pair: pair[0]):
            # Of cells that begin then, one without length is the first.
            index = bisect_left(starts, time)
            is_exact = index < len(cells) and starts[index] == time
            cell = cells[index if is_exact else max(index - 1, 0)]
            cell.events.append(event)
            out = Out(event, self.sink)
            out.lost("event times", int(cell.begin != time), RULE_STAMP_BEFORE)
            speaker = cell.segments[0].speaker if cell.segments else None
            out.lost("speakers", int(event.speaker != speaker), RULE_OF_EVENTS)
        return cells


def _pair(*segments: Segment) -> str:
    """Return the text of two overlapping segments for a message."""
    return " with ".join(f"{s.start} to {s.end} ({s.speaker or 'no speaker'})" for s in segments)


def _add_section(episode: Element, cells: list[_Cell], builder: _Builder) -> None:
    def time(value: int) -> str:
        return format_time(value, builder.precision)

    span = {"startTime": time(cells[0].begin), "endTime": time(cells[-1].end)}
    section = SubElement(episode, "Section", {"type": "report", **span})
    turn, key = None, None
    for cell in cells:
        if turn is None or cell.key() != key:
            turn, key = SubElement(section, "Turn"), cell.key()
            if ids := [builder.ids[s.speaker] for s in cell.segments if s.speaker]:
                turn.set("speaker", " ".join(ids))
            turn.set("startTime", time(cell.begin))
            for name in TURN_PROPERTIES:
                if cell.segments and (text := cell.segments[0].get(name)):
                    turn.set(name, text)
            turn.text = "\n"
        turn.set("endTime", time(cell.end))
        _add_cell(turn, cell, time(cell.begin))


def _add_cell(turn: Element, cell: _Cell, begin: str) -> None:
    last = SubElement(turn, "Sync", time=begin)
    last.tail = "\n"
    for event in cell.events:
        kind = event.get("type") or "noise"
        last = SubElement(
            turn, "Event", desc=" ".join(event.words), type=kind, extent="instantaneous"
        )
        last.tail = "\n"
    for number, segment in enumerate(cell.segments, 1):
        if len(cell.segments) > 1:
            last = SubElement(turn, "Who", nb=str(number))
            last.tail = "\n"
        last.tail = f"\n{' '.join(segment.words)}\n"
