"""via: VGG Image Annotator 3 projects with segments of audio or video.

===================================  ===========================================================
in the file                          in the schema
===================================  ===========================================================
a record with two times in ``z``     one `Segment` in seconds; a record with one time is an
                                     ``event`` without length
the first attribute for text         the words; a record without text becomes an ``event``, whose
                                     word is the chosen option
attribute whose name means speakers  `Segment.speaker`
other attributes                     properties with their names; for choices, the chosen options
``fname`` of the file of the view    `Segment.recording`: the stem
a record without times               skipped and counted: it annotates an image
===================================  ===========================================================

Records are sorted by file and begin. Projects of version 2 (images) and CSV tables are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from formats.detection.spec import FormatSpec
from formats.io.source import Source, recording_of
from formats.json.messages import VIA_IMAGES
from formats.json.spoken_words import plain_words
from formats.json.value import JsonDocument, JsonValue
from formats.json.words_to_segments import Reading
from formats.schema.model import Segment

SPEAKER = re.compile(r"speaker|person|participant|who\Z", re.IGNORECASE)
TEXT = 1
"""The type of attributes that are typed in; the others are chosen."""


class Attribute:
    """An attribute that a project defines for its records."""

    def __init__(self, value: JsonValue) -> None:
        self.name = value.required("aname").text()
        kind, options = value.get("type"), value.get("options")
        self.is_text = kind is None or kind.whole() == TEXT
        members = () if options is None else options.members()
        self.options = {name: option.text() for name, option in members}

    def shown(self, value: str) -> str:
        """Return the text of a value: the typed text, or the names of the chosen options."""
        if self.is_text or not self.options:
            return value
        return ",".join(self.options.get(choice, choice) for choice in value.split(","))


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per record that has two times."""
    for value in JsonDocument(source).values:
        reading = Reading(source)
        source.is_silent = True
        attributes = {name: Attribute(v) for name, v in value.required("attribute").members()}
        files = {name: v.required("fname").text() for name, v in value.required("file").members()}
        views = {
            name: [file.name() for file in v.required("fid_list").elements()]
            for name, v in value.required("view").members()
        }

        read_record = partial(_read_record, reading, views, files, attributes)
        records = (record for _, record in value.required("metadata").members())
        segments = source.log.accepted("VIA-RECORD", read_record, records)
        yield from sorted(segments, key=lambda s: (s.recording, s.start_ns or 0))
        reading.report()


def _read_record(
    reading: Reading, views: dict[str, list[str]], files: dict[str, str],
    attributes: dict[str, Attribute], record: JsonValue,
) -> Iterator[Segment]:  # fmt: skip
    """Yield the segment of a record with times."""
    times = [time.nanoseconds() for time in record.required("z").elements()]
    if times[-1:] < times[:1]:
        raise record.required("z").error("an end not before its begin")
    view = views.get(record.required("vid").name())
    if not view:
        raise record.required("vid").error("a view with a file")
    texts = {name: v.text() for name, v in record.required("av").members()}
    if times:
        segment = _segment(reading, texts, attributes, times)
        path = files.get(view[0], "").replace("\\", "/")
        yield segment.replace(recording=recording_of(path) or reading.source.recording)
    else:
        reading.count(VIA_IMAGES)


def _segment(
    reading: Reading, values: dict[str, str], attributes: dict[str, Attribute], times: list[int]
) -> Segment:
    chosen = {key: a.shown(values[key]) for key, a in attributes.items() if values.get(key)}
    speakers = [key for key in chosen if SPEAKER.search(attributes[key].name)]
    texts = [key for key, a in attributes.items() if a.is_text and key not in speakers]
    text = chosen.get(texts[0], "") if texts else ""
    used = speakers[:1] + texts[:1]
    rest = {attributes[key].name: value for key, value in chosen.items() if key not in used}
    is_event = len(times) == 1 or (not text and bool(rest))
    return reading.segment(
        plain_words(text or " ".join(rest.values())),
        speaker=chosen[speakers[0]] if speakers else None,
        span=(times[0], times[-1]),
        properties=rest if text or not is_event else None,
        kind="event" if is_event else "segment",
    )


SPEC = FormatSpec(
    title="projects of VGG VIA 3: stretches of audio and video with attributes, in JSON",
    sign='"attribute", "metadata" and "view"',
    read=read,
)
