"""tei, folker: transcripts of speech in XML, whose utterances contain markup.

====================================  ==========================================================
in the file                           in the schema
====================================  ==========================================================
TEI ``u``, also in an                 one `Segment`; ``who`` refers to the ``person`` whose name is
``annotationBlock``                   the speaker
TEI ``sp`` of a play                  one `Segment`; its speaker is that of ``who`` (the name of a
                                      ``person`` or ``role``), otherwise the text of ``speaker``
``when`` of the ``timeline``          times: ``absolute`` is a number in the unit of the timeline or
                                      a clock time; ``interval`` counts from another ``when``
FOLKER ``contribution``               one `Segment`; ``name`` is its speaker
``timepoint``                         times: ``absolute-time`` in seconds
``start``, ``end``, ``synch``         start and end of an utterance or a word, as ids of points
text, ``w``                           words; ``pc`` is added to the display form of the previous
                                      word
``anchor``, ``time``, ``segment``     the preceding word ends at this time, the next word begins
``vocal``, ``incident``, ``kinesic``  an ``event``
``non-phonological``
``pause``, ``breathe``, ``gap``       dropped; a note counts them
``unintelligible``
``choice``, ``uncertain``             the first alternative
``del``, ``note``, ``spanGrp``        not read
``stage`` of a play                   not read; a note counts them
other elements                        their content
====================================  ==========================================================

Words without times are counted and get times between those of their neighbours.
"""

from collections.abc import Iterator

from formats.annotation.messages import TEI_ORDER, TEI_PAUSES, TEI_STAGES
from formats.annotation.tier_reading import is_blank
from formats.detection.spec import FormatSpec
from formats.io.source import Source, recording_of
from formats.json.spoken_words import SpokenWord, last_shown
from formats.json.words_to_segments import Reading
from formats.reading.xml_document import Element, line_of, local_name, parse_xml, xml_error
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.model import Segment
from formats.schema.times import SECOND, parse_clock, parse_time

ID = "{http://www.w3.org/XML/1998/namespace}id"
UNITS = {"ms": 1000, "s": 1, "min": -60, "h": -3600}
"""The number of units in a second; if negative, the number of seconds in a unit."""
ANCHORS = frozenset({"anchor", "time"})
EVENTS = frozenset({"vocal", "incident", "kinesic", "writing", "non-phonological"})
PAUSES = frozenset({"pause", "breathe", "gap", "unintelligible"})
UNREAD = frozenset({"del", "note", "desc", "spanGrp", "fs", "speaker", "stage", "fw"})
PLACES = frozenset({"synch", "start", "start-reference", "end", "end-reference"})
CHOICES = frozenset({"choice", "uncertain"})
PARTS = frozenset({"seg", "segment", "event", "line", "phrase", "unparsed", "l", "lg", "p", "s"})
"""Elements whose borders end words."""
LATEST = 2**62
DEEPEST = 200


def _named(text: str | None) -> list[str]:
    """Return the ids in an attribute value that refers to elements, such as ``#T1 #T2``."""
    return [name.removeprefix("#") for name in text.replace(",", " ").split()] if text else []


class Points:
    """The times of the named points of a document in nanoseconds; `None` means unknown."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.times: dict[str, int | None] = {}

    def add(self, element: Element, name: str | None, time: int | None) -> None:
        """Store the time of a named point. A point without a name is an error."""
        if not name:
            raise xml_error(self.source, element, "a point in time with an id", "none")
        self.times[name] = None if time is not None and time > LATEST else time

    def seconds(self, element: Element, text: str | None, unit: int = 1) -> int | None:
        """Parse a clock time, or a number of units of `unit` seconds; return nanoseconds."""
        if not text:
            return None
        text = text.strip(" \t\n")
        try:
            if ":" in text:
                return parse_clock(text)
            time = parse_time(text)
        except ValueError:
            raise xml_error(self.source, element, "a time", quoted(text)) from None
        return time // unit if unit > 0 else time * -unit

    def span(self, *elements: Element | None) -> tuple[int | None, int | None]:
        """Return the times of the first element that names its start or end (`None` if unknown)."""
        for element in elements:
            if element is None or PLACES.isdisjoint(element.keys()):
                continue
            synch = _named(element.get("synch"))
            begin = _named(element.get("start") or element.get("start-reference")) or synch[:1]
            end = _named(element.get("end") or element.get("end-reference")) or synch[1:2]
            if begin or end:
                start_ns, end_ns = (
                    self.times.get(name[0]) if name else None for name in (begin, end)
                )
                return start_ns, end_ns
        return None, None


class Walk:
    """Collects the words, events and pauses of one utterance at a time."""

    def __init__(self, source: Source, points: Points) -> None:
        self.points = points
        self.reading = Reading(source)
        self.pauses = 0
        self.backward = 0
        self._items: list[SpokenWord] = []
        self._events: list[Segment] = []
        self._begin: int | None = None
        self._now: int | None = None
        self._is_open = False

    def segments(
        self, element: Element, speaker: str | None, *around: Element | None
    ) -> list[Segment]:
        """Return the segment of an utterance, then its events.

        An utterance without words gives only its events. If an element in `around` has times, the
        segment gets these times.
        """
        start, end = self.points.span(*around, element)
        if start is not None and end is not None and end < start:
            expected = f"an end not before its begin at {start / SECOND:g} s"
            raise xml_error(self.points.source, element, expected, f"{end / SECOND:g}")
        self._items, self._events, self._is_open = [], [], False
        self._begin, self._now = None, start
        if len(element):
            self._inside(element, DEEPEST)
        else:
            self._items += map(SpokenWord, (element.text or "").split())
        for item in self._items if len(element) else ():
            begin, stop = item.start_ns, item.end_ns
            if begin is not None and stop is not None and stop < begin:
                self.backward += 1
                item.start_ns = item.end_ns = None
        line = line_of(element)
        events = [event.replace(speaker=speaker, line=line) for event in self._events]
        if not self._items:
            return events
        segment = self.reading.segment(self._items, speaker=speaker, span=(start, end), line=line)
        return [segment, *events]

    def _inside(self, element: Element, depth: int) -> None:
        if not depth:
            raise xml_error(self.points.source, element, "markup less deep", "too deep")
        self._text(element.text)
        for child in element:
            self._element(child, depth - 1)
            self._text(child.tail)

    def _element(self, element: Element, depth: int) -> None:
        name = local_name(element)
        if name in ANCHORS:
            for point in _named(element.get("synch") or element.get("timepoint-reference"))[:1]:
                self._anchor(self.points.times.get(point))
        elif name == "w":
            self._word(element)
        elif name == "pc":
            mark, last = "".join(element.itertext()).strip(), last_shown(self._items)
            if last is not None:
                last.display = (last.text if last.display is None else last.display) + mark
            self._is_open = False
        elif name in EVENTS:
            text = element.get("description") or " ".join("".join(element.itertext()).split())
            event = Segment(self.reading.source.recording, (text or element.get("type") or name,))
            self._events.append(event.replace(start_ns=self._now, end_ns=self._now, kind="event"))
        elif name in PAUSES:
            self.pauses += 1
        elif name in CHOICES:
            words = list(element.iterchildren("{*}w"))
            for child in words or list(element)[:1]:
                self._element(child, depth)
        elif name not in UNREAD and name:
            start, end = self.points.span(element)
            self._is_open = self._is_open and name not in PARTS
            self._anchor(start)
            self._inside(element, depth)
            self._is_open = self._is_open and name not in PARTS
            self._anchor(end)

    def _anchor(self, time: int | None) -> None:
        if time is None:
            return
        if self._items and self._items[-1].end_ns is None and not self._is_open:
            self._items[-1].end_ns = time
        self._begin = self._now = time

    def _word(self, element: Element) -> None:
        text = "".join(part for part in element.itertext() if isinstance(part, str))
        start, end = self.points.span(element)
        inner = [
            time
            for child in element.iter("{*}time", "{*}anchor")
            for name in _named(child.get("synch") or child.get("timepoint-reference"))[:1]
            if (time := self.points.times.get(name)) is not None
        ]
        if not is_blank(text):
            begin, self._begin = self._begin, None
            self._items.append(SpokenWord(text.strip(), begin if start is None else start, end))
        self._begin = inner[-1] if inner else self._begin
        self._is_open = False

    def _text(self, text: str | None) -> None:
        if not text:
            return
        if is_blank(text):
            self._is_open = False
            return
        words = text.split()
        if self._is_open and not text[0].isspace() and self._items:
            self._items[-1].text += words.pop(0)
        for word in words:
            begin, self._begin = self._begin, None
            self._items.append(SpokenWord(word, begin))
        self._is_open = not text[-1].isspace()

    def report(self) -> None:
        """Report the elements that were skipped."""
        log = self.reading.source.log
        if self.pauses:
            log.say(TEI_PAUSES, pauses=self.pauses)
        if self.backward:
            log.say(TEI_ORDER, backward=self.backward)
        self.reading.report()


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per utterance, then the events in the utterance."""
    root = parse_xml(source, ["TEI", "teiCorpus"])
    if root is None:
        return
    files = [
        media.get("url") or media.get("target") or media.text or ""
        for recording in root.iter("{*}recording")
        for media in recording.iter("{*}media", "{*}ref")
    ]
    if files and not is_blank(files[0]):
        source.recording = recording_of(files[0].strip().replace("\\", "/")) or source.recording
    walk = Walk(source, _timeline(source, root))
    names = _names(root)
    element = None
    for element in root.iter("{*}u", "{*}sp"):
        parent = element.getparent()
        is_block = parent is not None and local_name(parent) == "annotationBlock"
        block = parent if is_block else None
        who = element.get("who") or (block.get("who") if block is not None else None)
        try:
            yield from walk.segments(element, _speaker(element, who, names), block)
        except SyntaxFormatError as error:
            source.log.reject("TEI-UTTERANCE", error)
    if element is None:
        raise xml_error(source, root, "speech in u, or a play in sp", "none")
    if stages := sum(1 for _ in root.iter("{*}stage")):
        source.log.say(TEI_STAGES, stages=stages)
    walk.report()


def _names(root: Element) -> dict[str, str]:
    """Return the names of persons and roles by their ids."""
    named = [
        (person, name) for person in root.iter("{*}person", "{*}personGrp")
        if (name := next(person.iter("{*}abbr", "{*}persName", "{*}name"), None)) is not None
    ]  # fmt: skip
    named += [(role, role) for role in root.iter("{*}role")]
    return {element.get(ID) or element.get("id") or "": _shown(name) for element, name in named}


def _shown(element: Element) -> str:
    """Return the text of an element on one line."""
    return " ".join("".join(element.itertext()).split())


def _speaker(element: Element, who: str | None, names: dict[str, str]) -> str | None:
    """Return the name of a speaker: of the person that `who` refers to, or as it is written."""
    whole = " ".join((who or "").split())
    if whole and "#" not in whole and local_name(element) == "sp":  # a name and no reference
        return names.get(whole) or whole
    if ids := _named(who):
        return names.get(ids[0]) or ids[0]
    written = next(element.iterchildren("{*}speaker"), None)
    return None if written is None else _shown(written).rstrip(".:, ") or None


def _timeline(source: Source, root: Element) -> Points:
    points = Points(source)
    for timeline in root.iter("{*}timeline"):
        unit = UNITS.get(timeline.get("unit") or "s")
        if unit is None:
            expected = f"a unit {', '.join(UNITS)}"
            raise xml_error(source, timeline, expected, quoted(timeline.get("unit") or ""))
        before: int | None = None
        for number, when in enumerate(timeline.iterchildren("{*}when")):
            absolute, interval = when.get("absolute"), when.get("interval")
            time = None
            if absolute and "T" not in absolute:
                time = points.seconds(when, absolute, unit)
            elif interval and not interval.startswith("-"):
                since = _named(when.get("since"))[:1]
                base = points.times.get(since[0]) if since else before
                length = points.seconds(when, interval, unit)
                time = None if base is None or length is None else base + length
            elif not number and not absolute:
                time = 0 if _named(timeline.get("origin"))[:1] == [when.get(ID)] else None
            points.add(when, when.get(ID), time)
            before = time
    return points


def read_folker(source: Source) -> Iterator[Segment]:
    """Yield one segment per contribution, then the events in the contribution."""
    root = parse_xml(source, ["folker-transcription"])
    if root is None:
        return
    points = Points(source)
    for point in root.iter("timepoint"):
        points.add(
            point, point.get("timepoint-id"), points.seconds(point, point.get("absolute-time"))
        )
    sound = next(root.iter("recording"), None)
    path = (sound.get("path") or "").replace("\\", "/") if sound is not None else ""
    source.recording = recording_of(path) or source.recording if path else source.recording
    names = {
        speaker.get("speaker-id") or "": " ".join((speaker.findtext("name") or "").split())
        for speaker in root.iter("speaker")
    }
    walk = Walk(source, points)
    for element in root.iter("contribution"):
        who = element.get("speaker-reference") or None
        try:
            yield from walk.segments(element, names.get(who or "") or who)
        except SyntaxFormatError as error:
            source.log.reject("FOLKER-CONTRIBUTION", error)
    walk.report()


SPEC = FormatSpec(
    title="TEI transcriptions of speech (also ISO 24624): utterances with words and times, in XML",
    sign="the root element TEI",
    read=read,
)
FOLKER_SPEC = FormatSpec(
    title="FOLKER and OrthoNormal transcriptions: contributions of speakers, in XML",
    sign="the root element folker-transcription",
    read=read_folker,
)
