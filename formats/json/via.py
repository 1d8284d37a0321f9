"""via: projects of the VGG Image Annotator 3 with stretches of audio or video.

===================================  ===========================================================
its word                             ours
===================================  ===========================================================
a record with two times in ``z``     one `Segment` in seconds; one time is a point, which is an
                                     ``event`` without length
the first attribute of text          its words; of records without, an ``event`` of what is chosen
an attribute called like a speaker   `Segment.speaker`
other attributes                     properties by their names; of choices the chosen ones
``fname`` of the file of the view    `Segment.recording`: the stem
a record without times               of an image: counted
===================================  ===========================================================

Records are sorted by file and begin. Projects of version 2, which are of images, and tables in CSV
are not read.
"""

from __future__ import annotations

import re

from formats.errors import SyntaxFormatError
from formats.json.document import JsonDocument
from formats.json.record import Name, Record
from formats.json.spoken_words import plain_words
from formats.json.words_to_segments import Reading
from formats.model import Segment
from formats.source import recording_of
from formats.spec import FormatSpec

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from formats.json.document import JsonValue
    from formats.source import Source

__all__ = [
    "SPEC",
    "read",
]

SPEAKER = re.compile(r"speaker|person|participant|who\Z", re.IGNORECASE)
TEXT = 1
"""The type of attributes that are typed in; the others are chosen."""


class Attribute(Record):
    """What may be said of a record."""

    aname: str
    type: int = TEXT
    options: dict[str, str] | None = None

    def shown(self, value: str) -> str:
        """What was typed, or the names of what was chosen."""
        if self.type == TEXT or not self.options:
            return value
        return ",".join(self.options.get(one, one) for one in value.split(","))


class File(Record):
    """A file."""

    fname: str


class View(Record):
    """What is shown at once: the files of which it is."""

    fid_list: list[Name]


class Entry(Record):
    """One thing said of a stretch of a view."""

    vid: Name
    z: list[float | int]
    av: dict[str, str]


def read(source: Source) -> Iterator[Segment]:
    """One segment per record with two times.

    Raises
    ------
    SyntaxFormatError: no JSON, members missing or of a wrong type, an end before its begin.
    """
    for value in JsonDocument(source).values:
        reading = Reading(source)
        source.is_silent = True
        attributes = {
            name: one.record(Attribute) for name, one in value.required("attribute").members()
        }
        files = {name: one.record(File).fname for name, one in value.required("file").members()}
        views = {name: one.record(View) for name, one in value.required("view").members()}
        made: list[Segment] = []
        images = 0
        for _, one in value.required("metadata").members():
            try:
                entry = one.record(Entry)
                times = [time.nanoseconds() for time in one.elements("z")]
                if times[-1:] < times[:1]:
                    raise one.required("z").error("an end not before its begin")
                name = _recording(one, entry, views, files) or source.recording
            except SyntaxFormatError as error:
                source.log.reject("VIA-RECORD", error)
                continue
            images += not times
            if times:
                made.append(_segment(reading, entry, attributes, times, name))
        if images:
            source.log.note("VIA-IMAGES", f"records without times, left out: {images}")
        yield from sorted(made, key=lambda s: (s.recording, s.start_ns or 0))
        reading.tell()


def _recording(
    value: JsonValue, entry: Entry, views: dict[str, View], files: dict[str, str]
) -> str:
    view = views.get(str(entry.vid))
    if view is None or not view.fid_list:
        raise value.required("vid").error("a view with a file")
    path = files.get(str(view.fid_list[0]), "")
    return recording_of(path.replace("\\", "/"))


def _segment(
    reading: Reading,
    entry: Entry,
    attributes: dict[str, Attribute],
    times: list[int],
    recording: str,
) -> Segment:
    said = {key: one.shown(entry.av[key]) for key, one in attributes.items() if entry.av.get(key)}
    own = [key for key in said if SPEAKER.search(attributes[key].aname)]
    texts = [key for key, one in attributes.items() if one.type == TEXT and key not in own]
    text = said.get(texts[0], "") if texts else ""
    rest = {
        attributes[key].aname: value
        for key, value in said.items()
        if key not in own[:1] + texts[:1]
    }
    is_event = len(times) == 1 or (not text and bool(rest))
    words = plain_words(text or " ".join(rest.values()))
    made = reading.segment(
        words,
        speaker=said[own[0]] if own else None,
        start_ns=times[0],
        end_ns=times[-1],
        properties=rest if text or not is_event else None,
        kind="event" if is_event else "segment",
    )
    return made.replace(recording=recording)


SPEC = FormatSpec(
    title="projects of VGG VIA 3: stretches of audio and video with attributes, in JSON",
    sign='"attribute", "metadata" and "view"',
    read=read,
    manual="Files, views, attributes, and records with times and attributes.",
)
