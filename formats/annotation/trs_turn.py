"""One turn of a trs document: stretches of text between time stamps, speakers, events."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import accumulate, chain, compress, pairwise, repeat
from operator import and_, le, lt, sub
from typing import NamedTuple

from formats.annotation.tier_reading import is_blank, words_of
from formats.annotation.trs_text import clean
from formats.errors import quoted
from formats.model import Segment
from formats.times import is_finer_than_a_nanosecond, parse_time, plain_time, plain_times
from formats.values import in_bulk
from formats.xml_document import attributes_in, found_in, has_references, local_name, xml_error

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence
    from typing import Any

    from lxml.etree import _Element

    from formats.source import Source

__all__ = ["SpeakerEntry", "TurnReader", "seconds_of"]

TEXT_EVENTS = frozenset({"pronounce", "lexical", "language", "entities"})
CONTROLS = re.compile("[\x80-\x9f]")


class SpeakerEntry(NamedTuple):
    """A declared speaker: what to call it, and what the file says of it."""

    name: str | None
    properties: Mapping[str, str]


KEPT = ("channel", "fidelity", "mode")
IN_TURNS = frozenset({"Sync", "Who", "Event", "Vocal", "Background", "Comment"})
FEW = 8
"""Turns that are read one by one."""
NOBODY = SpeakerEntry(None, {})


class _Passage(NamedTuple):
    """Turns in columns, and the elements in them; times in nanoseconds.

    Attributes
    ----------
    ends: of the turns.
    named: speakers of each turn, and its attributes of `KEPT`.
    places: where in `inner` the elements of each turn begin, and where the last ones end.
    begins, stops: of what follows an element in its turn.
    are_plain: whether an element is a time stamp in its place.
    """

    turns: Sequence[_Element]
    ends: Sequence[int]
    named: Sequence[tuple[str | None, ...]]
    places: Sequence[int]
    inner: Sequence[_Element]
    begins: Sequence[int]
    stops: Sequence[int]
    are_plain: Sequence[bool]


def _passage(section: _Element, count: int) -> _Passage | None:
    """The first turns of a section, if nothing is odd about their attributes or around them."""
    turns, inner = found_in(section, "Turn"), found_in(section, "Turn/*")
    tags = [element.tag for element in inner]
    size, syncs = len(turns), tags.count("Sync")
    if size != len(section) or not IN_TURNS.issuperset(tags) or has_references(section):
        return None
    if found_in(section, "boolean(Turn/*/*)") or "".join(found_in(section, "text()")).strip():
        return None
    texts: list[Any] = attributes_in(section, "Turn", "startTime", size)
    texts += attributes_in(section, "Turn", "endTime", size)
    texts += attributes_in(section, "Turn/Sync", "time", syncs)
    times = None if None in texts else plain_times(texts)
    places = [0, *accumulate(map(len, turns[:count]))]
    if times is None or not all(map(lt, places, places[1:])):
        return None
    ends, begins = times[size : size + count], times[2 * size :]
    if syncs < len(tags):
        stamps = iter(begins)
        begins = [next(stamps) if tag == "Sync" else -1 for tag in tags]
    # a time stamp stands after the begin of its turn or the one before it, and before the next
    lows, stops = [0, *begins], [*begins[1:], 0]
    for begin, end, first, last in zip(times[:count], ends, places, places[1:], strict=False):
        lows[first], stops[last - 1] = begin, end
    are_plain = map(and_, map(le, lows, begins), map(le, begins, stops))
    named = (attributes_in(section, "Turn", name, size) for name in ("speaker", *KEPT))
    return _Passage(
        turns[:count],
        ends,
        list(zip(*named, strict=True))[:count],
        places,
        inner[: places[-1]],
        begins,
        stops,
        list(are_plain)[: places[-1]],
    )


class _Stretch:
    """What one speaker says between two time stamps."""

    __slots__ = ("begin", "line", "properties", "speaker", "text")

    def __init__(self, begin: int, speaker: SpeakerEntry, line: int | None) -> None:
        self.begin = begin
        self.speaker = speaker
        self.line = line
        self.text: list[str] = []
        self.properties: dict[str, list[str]] = {}


class _Sound(NamedTuple):
    """An event, or the begin of one."""

    begin: int
    words: str
    kind: str
    line: int | None


_usual_time = lru_cache(maxsize=8)(plain_time)
"""Of a few: one turn begins where another ends, and its first time stamp stands there, too."""


def seconds_of(
    source: Source, element: _Element, attribute: str, named: Mapping[str, str] | None = None
) -> int:
    """Nanoseconds of an attribute in seconds; `named` are all of the element, if at hand.

    Raises
    ------
    SyntaxFormatError: it is missing, no decimal number, or negative.
    """
    text = (element if named is None else named).get(attribute)
    if text is None:
        raise xml_error(source, element, f"the attribute {attribute} in seconds", "none")
    plain = _usual_time(text)
    if plain is not None:
        return plain
    try:
        value = parse_time(text.strip())
    except ValueError:
        value = -1
    if value < 0:
        raise xml_error(source, element, f"{attribute} in seconds, 0 or more", quoted(text))
    if is_finer_than_a_nanosecond(text.strip()):
        message = f"{quoted(text)} rounded to a nanosecond"
        source.log.note("TIME-DIGITS", message, element.sourceline)
    return value


class TurnReader:
    """Reads turn after turn; the background goes on from one to the next.

    Attributes
    ----------
    speakers: by id.
    is_latin_1: whether the file says that it is ISO-8859-1.
    keeps_empty: whether stretches without text are events without words.
    """

    def __init__(self, source: Source, *, rules: str, keep_empty: bool) -> None:
        self.source = source
        self.recording = source.recording
        self.speakers: dict[str, SpeakerEntry] = {}
        self.is_latin_1 = False
        self._rules = rules
        self.keeps_empty = keep_empty
        self._background: tuple[int, str, str | None, int | None] | None = None
        self._background_end = 0
        self._alone = 0

    def read_on(self, turn: _Element, topic: str | None) -> Iterator[Segment]:
        """The segments and events of a turn, and of those after it that are finished.

        These are taken out of their section then.
        """
        section = turn.getparent()
        if self._alone or section is None:
            self._alone = max(self._alone - 1, 0)
            yield from self.read(turn, topic)
            return
        del section[: section.index(turn)]
        is_closed = section.tail is not None or section.getnext() is not None
        count = len(section) if is_closed else len(section) - 1
        is_plain = self._rules == "none" and not self.keeps_empty and count >= FEW
        if is_plain and self.is_latin_1:
            is_plain = not CONTROLS.search("".join(found_in(section, "Turn/text()")))
        passage = _passage(section, count) if is_plain else None
        if passage is None:
            self._alone = max(count - 1, 0)
            yield from self.read(turn, topic)
            return
        yield from self._read_passage(passage, topic)
        del section[:count]

    def read(self, turn: _Element, topic: str | None) -> Iterator[Segment]:
        """The segments and events of a turn, in its order."""
        named = dict(turn.items())
        begin = seconds_of(self.source, turn, "startTime", named)
        end = seconds_of(self.source, turn, "endTime", named)
        if end < begin:
            expected = f"an endTime after {turn.get('startTime')}"
            raise xml_error(self.source, turn, expected, quoted(turn.get("endTime", "")))
        self._background_end = end
        return _OneTurn(self, turn, begin, end, named, topic).read()

    def _read_passage(self, passage: _Passage, topic: str | None) -> Iterator[Segment]:
        """The segments and events of turns; of plain ones many at once."""
        turns, places, are_plain = passage.turns, passage.places, passage.are_plain
        by_names = {names: self._told_of(names, topic) for names in set(passage.named)}
        told = [by_names[names] for names in passage.named]
        before = [turn.text or "" for turn in turns]
        odd: Sequence[int] = ()
        if not all(are_plain) or None in told or not is_blank("".join(before)):
            odd = [
                number
                for number, (first, last) in enumerate(pairwise(places))
                if not all(are_plain[first:last])
                or told[number] is None
                or not is_blank(before[number])
            ]
        done = 0
        for number in (*odd, len(turns)):
            if done < number:
                self._background_end = passage.ends[number - 1]
                yield from self._segments(passage, done, number, told)
            if number < len(turns):
                yield from self.read(turns[number], topic)
            done = number + 1

    def _segments(
        self, passage: _Passage, first: int, last: int, told: Sequence[Any]
    ) -> list[Segment]:
        """The segments of turns that are plain."""
        places = passage.places[first : last + 1]
        where = slice(places[0], places[-1])
        inner = passage.inner[where]
        words = [tuple(words_of(element.tail or "")) for element in inner]
        sizes = map(sub, places[1:], places)
        speakers, properties = zip(
            *chain.from_iterable(map(repeat, told[first:last], sizes)), strict=True
        )
        lines = [element.sourceline for element in inner]
        columns = words, speakers, properties, passage.begins[where], passage.stops[where], lines
        names = ("words", "speaker", "properties", "start_ns", "end_ns", "line")
        kept = [list(column if all(words) else compress(column, words)) for column in columns]
        named: dict[str, Any] = dict(zip(names, kept, strict=True))
        return in_bulk(Segment, len(kept[0]), recording=self.recording, **named)

    def _told_of(
        self, named: tuple[str | None, ...], topic: str | None
    ) -> tuple[str | None, tuple[tuple[str, str], ...]] | None:
        """The speaker of a turn and its properties; `None` if there are several, or none such."""
        ids, *kept = named
        speakers = [self.speakers.get(id_) for id_ in (ids or "").split()] or [NOBODY]
        speaker = speakers[0]
        if speaker is None or len(speakers) > 1:
            return None
        properties = {name: text for name, text in zip(KEPT, kept, strict=True) if text}
        if topic:
            properties["topic"] = topic
        return speaker.name, tuple(sorted({**speaker.properties, **properties}.items()))

    def declared(self, turn: _Element, ids: str) -> list[SpeakerEntry]:
        """The speakers of a turn."""
        made: list[SpeakerEntry] = []
        for id_ in ids.split():
            if id_ not in self.speakers:
                raise xml_error(self.source, turn, "the id of a declared speaker", quoted(id_))
            made.append(self.speakers[id_])
        return made

    def background(self, element: _Element) -> Iterator[Segment]:
        """The background that ends where another one begins."""
        time = seconds_of(self.source, element, "time")
        yield from self._finished_background(time)
        kind, level = element.get("type"), element.get("level")
        if kind and level != "off":
            self._background = time, kind, level, element.sourceline

    def last_background(self) -> Iterator[Segment]:
        """The background that goes on until the last turn ends."""
        yield from self._finished_background(self._background_end)

    def _finished_background(self, end: int) -> Iterator[Segment]:
        if self._background is None:
            return
        begin, kind, level, line = self._background
        self._background = None
        yield Segment(
            self.recording,
            tuple(words_of(kind)),
            start_ns=begin,
            end_ns=max(begin, end),
            tier="background",
            properties=(("level", level),) if level else (),
            kind="event",
            line=line,
        )

    def segments(self, stretch: _Stretch, end: int, properties: Mapping[str, str]) -> list[Segment]:
        """The segment of a stretch, after the events that its text names."""
        if not stretch.text and not self.keeps_empty:
            return []
        text = "".join(stretch.text)
        if self.is_latin_1:
            self._check_controls(text, stretch.line)
        begin, end = stretch.begin, max(end, stretch.begin)
        if is_blank(text):
            if self.keeps_empty and begin < end:
                return [self.event(begin, end, "", stretch.speaker, stretch.line)]
            return []
        made = clean(text, self._rules)
        if made.remarks:
            message = f"{made.remarks} remarks of the text left out"
            self.source.log.note("TRS-REMARK", message, stretch.line)
        events = [
            self.event(begin, begin, event, stretch.speaker, stretch.line) for event in made.events
        ]
        if not made.words:
            return events
        told = properties
        if stretch.properties or stretch.speaker.properties:
            told = {name: "; ".join(texts) for name, texts in stretch.properties.items()}
            told = {**told, **stretch.speaker.properties, **properties}
        segment = Segment(
            self.recording,
            tuple(made.words),
            speaker=stretch.speaker.name,
            start_ns=begin,
            end_ns=end,
            kinds=tuple(made.kinds) if any(made.kinds) else None,
            properties=tuple(sorted(told.items())) if told else (),
            line=stretch.line,
        )
        return [*events, segment]

    def _check_controls(self, text: str, line: int | None) -> None:
        found = CONTROLS.search(text)
        if found is not None:
            self.source.log.warn(
                "TRS-ENCODING",
                f"the control character U+{ord(found[0]):04X}: the file says ISO-8859-1, but looks "
                "like Windows-1252 (--encoding cp1252 reads it so)",
                line,
            )

    def event(
        self,
        begin: int,
        end: int,
        words: str,
        speaker: SpeakerEntry,
        line: int | None,
        kind: str = "noise",
    ) -> Segment:
        """Something heard."""
        return Segment(
            self.recording,
            tuple(words_of(words)),
            speaker=speaker.name,
            start_ns=begin,
            end_ns=end,
            properties=() if kind == "noise" else (("type", kind),),
            kind="event",
            line=line,
        )


class _OneTurn:
    """The elements of one turn, one after the other."""

    def __init__(
        self,
        reader: TurnReader,
        turn: _Element,
        begin: int,
        end: int,
        named: Mapping[str, str],
        topic: str | None,
    ) -> None:
        self.reader = reader
        self.source = reader.source
        self.turn = turn
        self.begin = begin
        self.end = end
        self.speakers = reader.declared(turn, named.get("speaker", ""))
        self.time = begin
        self.line = turn.sourceline
        self.current = self._first()
        self.stretches = [self.current]
        self.sounds: list[_Sound] = []
        self.properties = {name: text for name, text in named.items() if name in KEPT and text}
        if topic:
            self.properties["topic"] = topic

    def _first(self) -> _Stretch:
        return _Stretch(self.time, self.speakers[0] if self.speakers else NOBODY, self.line)

    def read(self) -> Iterator[Segment]:
        """All segments and events."""
        self._text(self.turn.text)
        for element in self.turn:
            name = local_name(element)
            if name == "Sync":
                yield from self._sync(element)
            elif name == "Who":
                self._who(element)
            elif name == "Background":
                yield from self.reader.background(element)
            elif name == "Comment":
                self.source.log.note("COMMENT", "comment not kept", element.sourceline)
            elif name in ("Event", "Vocal"):
                yield from self._event(element, name)
            elif name:
                message = f"element {quoted(name)} not known: only its text is read"
                self.source.log.warn("TRS-ELEMENT", message, element.sourceline)
                self._text("".join(element.itertext()))
            self._text(element.tail)
        yield from self._finish(self.end)
        for sound in self.sounds:
            message = f"event {quoted(sound.words)} begins and does not end in its turn"
            self.source.log.note("TRS-EVENT", message, sound.line)
            yield self._heard(sound, self.end)

    def _text(self, text: str | None) -> None:
        if text:
            self.current.text.append(text)

    def _finish(self, end: int) -> list[Segment]:
        if len(self.stretches) == 1 and len(self.speakers) < 2:
            return self.reader.segments(self.current, end, self.properties)
        if len(self.speakers) > 1 and not is_blank("".join(self.stretches[0].text)):
            message = "text before the first Who of several speakers: it is given to the first"
            self.source.log.warn("TRS-WHO", message, self.stretches[0].line)
        made: list[Segment] = []
        for number, stretch in enumerate(self.stretches):
            # What stands before the first Who is empty where there is one.
            if number or len(self.stretches) == 1 or not is_blank("".join(stretch.text)):
                made += self.reader.segments(stretch, end, self.properties)
        return made

    def _sync(self, element: _Element) -> list[Segment]:
        time = seconds_of(self.source, element, "time")
        if time < self.time and time >= self.begin:
            message = f"Sync at {time / 1e9:g} s comes after one at {self.time / 1e9:g} s"
            self.source.log.warn("TRS-ORDER", message, element.sourceline)
        elif not self.begin <= time <= self.end:
            turn = f"{self.begin / 1e9:g} to {self.end / 1e9:g} s"
            message = f"Sync at {time / 1e9:g} s lies outside of its turn, {turn}"
            self.source.log.warn("TRS-SYNC", message, element.sourceline)
        current = self.current
        is_alone = len(self.stretches) == 1 and not current.properties
        if not is_alone or self.reader.keeps_empty or not is_blank("".join(current.text)):
            made = self._finish(time)
            self.time, self.line = time, element.sourceline
            self.current = self._first()
            self.stretches = [self.current]
            return made
        # As at the begin of most turns: nothing was said before it.
        current.text.clear()
        self.time = current.begin = time
        self.line = current.line = element.sourceline
        return []

    def _who(self, element: _Element) -> None:
        text = element.get("nb", "")
        number = int(text) if text.isascii() and text.isdigit() and len(text) < 9 else 0
        if not 1 <= number <= len(self.speakers):
            size = len(self.speakers)
            expected = f"the number (nb) of one of the {size} speakers of the turn"
            raise xml_error(self.source, element, expected, quoted(text))
        self.current = _Stretch(self.time, self.speakers[number - 1], element.sourceline)
        self.stretches.append(self.current)

    def _event(self, element: _Element, name: str) -> Iterator[Segment]:
        kind = element.get("type") or ("noise" if name == "Event" else "vocal")
        words, extent = element.get("desc", ""), element.get("extent", "instantaneous")
        if kind in TEXT_EVENTS:
            if extent != "end":
                self.current.properties.setdefault(kind, []).append(words)
            self.source.log.note("TRS-EXTENT", "extent of an event not kept", element.sourceline)
            return
        sound = _Sound(self.time, words, kind, element.sourceline)
        if extent == "begin":
            self.sounds.append(sound)
        elif extent == "end" and (begun := self._begun(sound)) is not None:
            yield self._heard(begun, self.time)
        else:
            yield self._heard(sound, self.time)

    def _begun(self, ended: _Sound) -> _Sound | None:
        """The sound that ends here, taken out of those that go on."""
        for number, sound in enumerate(self.sounds):
            if sound[1:3] == ended[1:3]:
                return self.sounds.pop(number)
        return None

    def _heard(self, sound: _Sound, end: int) -> Segment:
        return self.reader.event(
            sound.begin,
            max(sound.begin, end),
            sound.words,
            self.current.speaker,
            sound.line,
            sound.kind,
        )
