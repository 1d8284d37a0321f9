"""bliss: corpus files of RASR and RETURNN in XML: segments with texts and speakers.

====================================  ===========================================================
in the file                           in the schema
====================================  ===========================================================
``segment`` of a ``recording``        one `Segment`; ``start`` and ``end`` are seconds, ``inf``
                                      means no end
names of corpora, recording, segment  `Segment.utterance`: the names joined by slashes (the tag in
                                      RETURNN); segments without names are numbered from 1
``name`` of the recording             `Segment.recording`
``orth``                              words; other texts of a segment are ignored
``speaker``                           `Segment.speaker`: the speaker of the segment, or of the
                                      recording, or of the nearest corpus
``speaker-description``               properties ``gender``, ``age``, ``speaker_name``,
                                      ``native_language``
``track``, from 0                     `Segment.channel`, from 1
``include``                           rejected: other files are not read
====================================  ===========================================================
"""

from __future__ import annotations

from collections.abc import Iterator

from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.reading.lines import split_words
from formats.reading.xml_document import (
    Element,
    check_references,
    line_of,
    local_name,
    required,
    seconds,
    xml_error,
    xml_events,
    xml_span,
)
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.schema.words import Properties

SECTIONS = ("corpus", "subcorpus", "recording")
CLEARED = ("subcorpus", "recording", "segment")
DESCRIPTIONS = {
    "gender": "gender",
    "age": "age",
    "name": "speaker_name",
    "native-language": "native_language",
}


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment for each ``segment`` element of a recording, in the order of the file."""
    corpus = _Corpus(source)
    for event, element in xml_events(source, ("corpus",)):
        name = local_name(element)
        if event == "start":
            corpus.enter(element, name)
            continue
        yield from source.log.accepted("BLISS-SEGMENT", corpus.leave, [element])
        if name in CLEARED:
            element.clear()
            before = element.getprevious()
            if before is not None and local_name(before) in CLEARED:
                before.getparent().remove(before)


class _Corpus:
    """Creates segments. A segment may get its speaker from the recording or an enclosing corpus."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.names: list[str] = []
        self.count = 0
        self.defaults: dict[tuple[str, ...], str] = {}
        self.descriptions: dict[tuple[str, ...], Properties] = {}

    def enter(self, element: Element, name: str) -> None:
        """Process the start of an XML element."""
        if name in SECTIONS:
            self.names.append(required(self.source, element, "name"))
        self.count = 0 if name == "recording" else self.count + (name == "segment")

    def leave(self, element: Element) -> Iterator[Segment]:
        """Process the end of an XML element; yield its segment if it is a ``segment`` element."""
        name, speaker = local_name(element), element.get("name")
        parent = element.getparent()
        if name in SECTIONS:
            self.defaults.pop(tuple(self.names), None)
            self.names.pop()
        elif name == "segment":
            check_references(self.source, element)
            yield self._segment(element)
        elif name == "include":
            file = required(self.source, element, "file")
            raise xml_error(self.source, element, "a corpus in one file", f"an include of {file}")
        elif name == "speaker-description" and speaker:
            self.descriptions[(*self.names, speaker)] = _properties(element)
        elif name == "speaker" and parent is not None and local_name(parent) in SECTIONS:
            self.defaults[tuple(self.names)] = required(self.source, element, "name")

    def _scopes(self) -> Iterator[tuple[str, ...]]:
        """Yield tuples of names, innermost scope first.

        The first leads to the recording, the others to the corpora around it.
        """
        return (tuple(self.names[:depth]) for depth in range(len(self.names), 0, -1))

    def _segment(self, element: Element) -> Segment:
        source, parent = self.source, element.getparent()
        if parent is None or local_name(parent) != "recording":
            raise xml_error(source, element, "a segment in a recording", "one outside")
        if (element.get("end") or "").strip().lower() == "inf":
            start, end = seconds(source, element, "start"), None
        else:
            start, end = xml_span(source, element, "start", "end")
        texts = ["".join(part.itertext()) for part in element.iterchildren("{*}orth")]
        if len(texts) > 1:
            raise xml_error(source, element, 'a segment with one "orth"', f"{len(texts)}")
        track = element.get("track")
        if track is not None and not (track.isascii() and track.isdigit() and len(track) < 10):
            raise xml_error(source, element, "a track as a whole number", quoted(track))
        speakers = [required(source, part, "name") for part in element.iterchildren("{*}speaker")]
        speakers += [self.defaults[scope] for scope in self._scopes() if scope in self.defaults]
        speaker = speakers[0] if speakers else None
        described = (self.descriptions.get((*scope, speaker or "")) for scope in self._scopes())
        return Segment(
            self.names[-1],
            tuple(split_words("".join(texts).replace("\n", " "))),
            utterance="/".join([*self.names, element.get("name") or str(self.count)]),
            channel=None if track is None else str(int(track) + 1),
            speaker=speaker,
            start_ns=start,
            end_ns=end,
            properties=next(filter(None, described), ()),
            line=line_of(element),
        )


def _properties(description: Element) -> Properties:
    """Read the properties of a speaker from the elements or attributes of a description."""
    texts = {local_name(part): "".join(part.itertext()) for part in description}
    texts.setdefault("gender", description.get("gender") or "")
    kept = ((name, texts.get(element, "").strip()) for element, name in DESCRIPTIONS.items())
    return tuple((name, text) for name, text in kept if text)


SPEC = FormatSpec(
    title="corpora of RASR and RETURNN (Bliss): segments of recordings, in XML",
    sign="the root element corpus",
    read=read,
)
