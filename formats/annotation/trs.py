"""trs: Transcriber documents in XML: turns of speakers, divided by time stamps.

=====================================  ======================================================
in the file                            in the schema
=====================================  ======================================================
text between two ``Sync``              a segment, from this ``Sync`` to the next or to the turn's
                                       end
``Who nb="k"``                         the k-th speaker of the turn says the following text, at the
                                       same time as the other speakers
``Speaker`` name (id)                  `Segment.speaker` (``speaker_from="id"``: the id)
``mode``, ``fidelity``, ``channel``    properties with the same names (``channel`` is how the sound
of a turn                              was transmitted, not a channel of the recording)
type, dialect, accent, scope of a      properties ``speaker_type``, ``dialect``, ``accent``,
speaker                                ``scope``
topic of a section                     property ``topic``
section of type ``nontrans``           an ``ignored`` segment, after its turns
``Event`` of type noise, ``Vocal``     an ``event`` at the preceding ``Sync``, or from its begin to
                                       its end
``Event`` of other types               a property with the name of the type; the text is unchanged
``Background``                         an ``event`` of the tier ``background``, which ends at the
                                       next ``Background``
``audio_filename``                     `Segment.recording`; without this attribute, the file's stem
``version``, ``scribe``, ``xml:lang``  ``version``, ``scribe``, ``language`` of the file
``Comment``                            dropped; a note reports this
=====================================  ======================================================

Files usually declare ISO-8859-1, but many are Windows-1252; a warning reports this. The document
type is accepted and never loaded. Conventions inside the text (``^^``, ``[…]``) are interpreted
only if the option `trs_clean` names a rule set (`formats.annotation.trs_text`).
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from formats.annotation.messages import (
    TRS_ELEMENT,
    TRS_ENCODING,
    TRS_EVENT,
    TRS_EXTENT,
    TRS_NAMES,
    TRS_ORDER,
    TRS_REMARK,
    TRS_SYNC,
    TRS_TEXT,
    TRS_TURNS,
    TRS_WHO,
)
from formats.annotation.tier_reading import is_blank, words_of
from formats.annotation.tiers import KEEP_EMPTY
from formats.annotation.trs_text import RULE_SETS
from formats.annotation.trs_writer import write
from formats.detection.spec import FormatSpec, Option, decimals
from formats.io.messages import COMMENT
from formats.io.source import Source
from formats.reading.xml_document import (
    Element,
    local_name,
    required,
    seconds,
    stream_xml,
    xml_error,
    xml_span,
)
from formats.schema.errors import OptionError, quoted
from formats.schema.model import Segment

DECLARES_LATIN_1 = re.compile(
    r"""\s*<\?xml[^>]*encoding\s*=\s*["'](?:iso-?8859-?1|latin-?1)["']""", re.I
)
CONTROLS = re.compile("[\x80-\x9f]")
LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
SPEAKER_SOURCES = ("auto", "id", "none")
OF_FILE = {"version": "version", "scribe": "scribe", LANGUAGE: "language"}
OF_SPEAKER = {"type": "speaker_type", "dialect": "dialect", "accent": "accent", "scope": "scope"}
OF_TURN = {"channel": "channel", "fidelity": "fidelity", "mode": "mode"}
ABOUT_TEXT = ("pronounce", "lexical", "language", "entities")


def read(
    source: Source, *, speaker_from: str = "auto", keep_empty: bool = False, trs_clean: str = "none"
) -> Iterator[Segment]:
    """Yield the segments and events in the order of the file."""
    if speaker_from not in SPEAKER_SOURCES:
        expected = f"speaker from {', '.join(SPEAKER_SOURCES)}"
        raise OptionError(expected=expected, found=quoted(speaker_from))
    return _TrsReader(source, speaker_from, keep_empty, trs_clean).segments()


class TranscriberSpeaker(NamedTuple):
    """The name and the properties of a speaker."""

    name: str | None = None
    properties: Mapping[str, str] = MappingProxyType({})


class SpeakerStretch:
    """The words that one speaker says between two time stamps."""

    def __init__(self, begin: int, speaker: TranscriberSpeaker, line: int | None) -> None:
        self.begin, self.speaker, self.line = begin, speaker, line
        self.text = ""
        self.properties: dict[str, list[str]] = {}


class Sound(NamedTuple):
    """An event that has begun and whose end may still follow."""

    begin: int
    words: str
    kind: str
    line: int | None


class _TrsReader:
    def __init__(self, source: Source, speaker_from: str, keep_empty: bool, rules: str) -> None:
        self.source, self.log = source, source.log
        self.speaker_from, self.keep_empty, self.rules = speaker_from, keep_empty, rules
        self.is_latin_1 = DECLARES_LATIN_1.match(source.head()[0][:300]) is not None
        self.recording = source.recording
        self.speakers: dict[str, TranscriberSpeaker] = {}
        self.topics: dict[str, str] = {}
        self.background: Sound | None = None
        self.turn_end = 0
        self.has_words = False
        self.bare_turns: list[Segment] = []

    def segments(self) -> Iterator[Segment]:
        parts = ("Speakers", "Topics", "Turn", "Section")
        for element in stream_xml(self.source, ["Trans"], parts, texts=parts[:3], entry=TRS_TEXT):
            match local_name(element):
                case "Turn":
                    yield from self.log.accepted("TRS-TURN", self.turn, [element])
                case "Section" if element.get("type") == "nontrans":
                    begin, end = self.span(element)
                    yield self.segment(begin, end, (), element.sourceline, kind="ignored")
                case "Speakers":
                    self.speakers = self.declared(element)
                case "Topics":
                    self.topics |= {topic.get("id", ""): topic.get("desc", "") for topic in element}
                case "Trans":
                    self.recording = element.get("audio_filename") or self.recording
                    self.source.properties |= _properties(element, OF_FILE)
        yield from self.end_background(self.turn_end)
        if self.bare_turns and not self.has_words:
            count = len(self.bare_turns)
            self.log.say(TRS_TURNS, turns=count)
            yield from self.bare_turns

    def declared(self, speakers: Element) -> dict[str, TranscriberSpeaker]:
        elements = [element for element in speakers if local_name(element) == "Speaker"]
        uses = Counter(element.get("name", "") for element in elements)
        declared: dict[str, TranscriberSpeaker] = {}
        for element in elements:
            id_, name = element.get("id"), element.get("name", "")
            if not id_:
                raise xml_error(self.source, element, "a speaker with an id", "none")
            if id_ in declared:
                expected = "a speaker whose id no other speaker has"
                raise xml_error(self.source, element, expected, quoted(id_))
            is_named = self.speaker_from == "auto" and not is_blank(name)
            if is_named and uses[name] > 1:
                self.log.say(TRS_NAMES, element.sourceline, name=name)
                is_named = False
            speaker = name if is_named else None if self.speaker_from == "none" else id_
            declared[id_] = TranscriberSpeaker(speaker, _properties(element, OF_SPEAKER))
        return declared

    def turn(self, turn: Element) -> Iterator[Segment]:
        begin, end = self.span(turn)
        self.turn_end = end
        speakers = []
        for id_ in turn.get("speaker", "").split():
            if id_ not in self.speakers:
                raise xml_error(self.source, turn, "the id of a declared speaker", quoted(id_))
            speakers.append(self.speakers[id_])
        first = speakers[0] if speakers else TranscriberSpeaker()
        properties = _properties(turn, OF_TURN)
        section = turn.getparent()
        if section is not None and (topic := section.get("topic")):
            properties["topic"] = self.topics.get(topic) or topic
        time = begin
        stretches = [SpeakerStretch(begin, first, turn.sourceline)]
        stretches[0].text = turn.text or ""
        sounds: list[Sound] = []
        for element in turn:
            line, name = element.sourceline, local_name(element)
            if name == "Sync":
                stamp = self.seconds(element, "time")
                self.check_stamp(stamp, time, begin, end, line)
                yield from self.spoken(stretches, len(speakers), stamp, properties)
                time = stamp
                stretches = [SpeakerStretch(time, first, line)]
            elif name == "Who":
                by_number = {str(n): speaker for n, speaker in enumerate(speakers, 1)}
                number = element.get("nb", "").lstrip("0")
                if number not in by_number:
                    expected = f"the number (nb) of one of the {len(speakers)} speakers of the turn"
                    raise xml_error(self.source, element, expected, quoted(element.get("nb", "")))
                stretches.append(SpeakerStretch(time, by_number[number], line))
            elif name == "Background":
                stamp = self.seconds(element, "time")
                yield from self.end_background(stamp)
                kind, level = element.get("type"), element.get("level")
                if kind and level != "off":
                    self.background = Sound(stamp, kind, level or "", line)
            elif name == "Comment":
                self.log.say(COMMENT, line)
            elif name in ("Event", "Vocal"):
                kind = element.get("type") or ("noise" if name == "Event" else "vocal")
                sound = Sound(time, element.get("desc", ""), kind, line)
                yield from self.sound(element.get("extent", ""), sound, sounds, stretches[-1])
            elif name:
                self.log.say(TRS_ELEMENT, line, name=name)
                stretches[-1].text += "".join(element.itertext())
            stretches[-1].text += element.tail or ""
        yield from self.spoken(stretches, len(speakers), end, properties)
        for sound in sounds:
            self.log.say(TRS_EVENT, sound.line, event=sound.words)
            yield self.event(sound, end, stretches[-1].speaker)

    def sound(
        self, extent: str, sound: Sound, begun: list[Sound], stretch: SpeakerStretch
    ) -> Iterator[Segment]:
        """Process the mark of an event.

        The mark begins or ends an event, or gives the text a property.
        """
        if sound.kind in ABOUT_TEXT:
            if extent != "end":
                stretch.properties.setdefault(sound.kind, []).append(sound.words)
            self.log.say(TRS_EXTENT, sound.line)
        elif extent == "begin":
            begun.append(sound)
        else:
            same = [other for other in begun if extent == "end" and other[1:3] == sound[1:3]]
            if same:
                begun.remove(same[0])
            yield self.event((same or [sound])[0], sound.begin, stretch.speaker)

    def spoken(
        self, stretches: list[SpeakerStretch], speakers: int, end: int, properties: dict[str, str]
    ) -> Iterator[Segment]:
        """Yield the events and the words of each speaker up to the time `end`."""
        if speakers > 1 and not is_blank(stretches[0].text):
            self.log.say(TRS_WHO, stretches[0].line)
        for number, stretch in enumerate(stretches):
            begin, who, line = stretch.begin, stretch.speaker, stretch.line
            stop = max(begin, end)
            if self.is_latin_1 and (control := CONTROLS.search(stretch.text)):
                self.log.say(TRS_ENCODING, line, character=ord(control[0]))
            if is_blank(stretch.text):
                if begin < stop and (number or len(stretches) == 1):
                    yield from self.empty(begin, stop, line, who.name)
                continue
            self.has_words = True
            text = RULE_SETS[self.rules](stretch.text)
            if text.remarks:
                self.log.say(TRS_REMARK, line, remarks=text.remarks)
            for words in text.events:
                yield self.event(Sound(begin, words, "noise", line), begin, who)
            if text.words:
                about = {name: "; ".join(texts) for name, texts in stretch.properties.items()}
                yield self.segment(
                    begin, stop, text.words, line, speaker=who.name,
                    kinds=tuple(text.kinds) if any(text.kinds) else None,
                    properties=tuple(sorted({**about, **who.properties, **properties}.items())),
                )  # fmt: skip

    def empty(
        self, begin: int, end: int, line: int | None, speaker: str | None
    ) -> Iterator[Segment]:
        """Yield an interval without text as an event if `keep_empty` is true.

        Otherwise, store the interval of a speaker. It becomes a turn if the file has no words.
        """
        if self.keep_empty:
            yield self.segment(begin, end, (), line, speaker=speaker, kind="event")
        elif speaker is not None and not self.has_words:
            self.bare_turns.append(self.segment(begin, end, (), line, speaker=speaker))

    def end_background(self, end: int) -> Iterator[Segment]:
        if self.background is not None:
            begin, kind, level, line = self.background
            properties = (("level", level),) if level else ()
            about = {"tier": "background", "properties": properties, "kind": "event"}
            yield self.segment(begin, max(begin, end), words_of(kind), line, **about)
        self.background = None

    def event(self, sound: Sound, end: int, speaker: TranscriberSpeaker) -> Segment:
        begin, words, kind, line = sound
        properties = () if kind == "noise" else (("type", kind),)
        about = {"speaker": speaker.name, "properties": properties, "kind": "event"}
        return self.segment(begin, max(begin, end), words_of(words), line, **about)

    def segment(self, begin: int, end: int, words: Any, line: int | None, **more: Any) -> Segment:
        return Segment(self.recording, tuple(words), start_ns=begin, end_ns=end, line=line, **more)

    def check_stamp(self, stamp: int, before: int, begin: int, end: int, line: int | None) -> None:
        if not begin <= stamp <= end:
            fields = {"time": stamp / 1e9, "begin": begin / 1e9, "end": end / 1e9}
            self.log.say(TRS_SYNC, line, **fields)
        elif stamp < before:
            self.log.say(TRS_ORDER, line, time=stamp / 1e9, before=before / 1e9)

    def seconds(self, element: Element, name: str) -> int:
        """Parse a required attribute as seconds; return nanoseconds."""
        required(self.source, element, name)
        return seconds(self.source, element, name) or 0

    def span(self, element: Element) -> tuple[int, int]:
        for name in ("startTime", "endTime"):
            required(self.source, element, name)
        begin, end = xml_span(self.source, element, "startTime", "endTime")
        return begin or 0, end or 0


def _properties(element: Element, names: dict[str, str]) -> dict[str, str]:
    """Return attributes of an element as properties; `names` maps attributes to properties."""
    return {name: text for key, name in names.items() if (text := element.get(key))}


SPEC = FormatSpec(
    title="Transcriber documents: turns of speakers with time stamps, in XML",
    sign="the root element Trans",
    read=read,
    write=write,
    has_one_recording=True,
    holds="words, recordings, speakers, segment times, properties, empty segments, events, "
    "segment boundaries",
    properties=("accent", "channel", "dialect", "fidelity", "mode", "scope", "speaker_type"),
    needs=("segment times",),
    read_options=(
        Option("speaker_from", "auto", "source of the speakers: auto (their names), id, none"),
        KEEP_EMPTY,
        Option("trs_clean", "none", "rules that clean the text of trs files", tuple(RULE_SETS)),
    ),
    write_options=(decimals(),),
)
