"""jams: lyrics and sections in the JSON Annotated Music Specification (JAMS).

=========================================  =======================================================
in the file                                in the schema
=========================================  =======================================================
an observation of the namespace            a `Segment`: ``value`` is its words, ``time`` its start
``lyrics``                                 times in seconds, the end is ``time`` plus ``duration``;
                                           ``confidence``, if it is a number
an observation of the namespaces           an ``event`` with the label; ``level`` is a property
``segment_…`` or ``multi_segment``
several annotations of these namespaces    tiers: ``lyrics``, ``lyrics-2``, ``segment_open``
annotations of other namespaces            skipped and counted: chords, beats, tags
``file_metadata.duration``                 property ``duration``
=========================================  =======================================================

Data may be a list of observations, or separate lists of times, durations, values and confidences.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import filterfalse

from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.json.answer import Answer
from formats.json.messages import NAMESPACE
from formats.json.value import JsonDocument, JsonValue
from formats.schema import split_words
from formats.schema.model import Segment

LYRICS = "lyrics"
SECTIONS = ("segment_", "multi_segment")
COLUMNS = ("time", "duration", "value", "confidence")


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per observation of lyrics, and one event per section."""
    document = JsonDocument(source)
    answer = Answer(source, "JAMS", "JAMS")
    for top in document.values:
        annotations = list(top.required("annotations").elements())
        names = [value.required("namespace").text() for value in annotations]
        used = list(map(_is_read, names))
        if annotations and not any(used):
            found = ", ".join(dict.fromkeys(names))
            raise top.required("annotations").error("annotations of lyrics or segments", found)
        audio = top.inner("file_metadata").get("duration")
        if audio is not None:
            answer.set_duration(audio.nanoseconds())
        seen: Counter[str] = Counter()
        for value, name, is_used in zip(annotations, names, used, strict=True):
            seen[name] += 1
            tier = name if seen[name] == 1 else f"{name}-{seen[name]}"
            if is_used:
                part = partial(_segment, answer, tier if sum(used) > 1 else None, name == LYRICS)
                yield from answer.gather(_observations(value.required("data")), part)
        for name in filterfalse(_is_read, seen):
            source.log.say(NAMESPACE, name=name, annotations=seen[name])
        answer.spoke = True
    answer.finish(document)


def _is_read(namespace: str) -> bool:
    """Return True if annotations of this namespace are read."""
    return namespace == LYRICS or namespace.startswith(SECTIONS)


def _observations(data: JsonValue) -> Iterator[JsonValue]:
    """Yield the observations of an annotation, whose data may be a list or columns."""
    if not isinstance(data.value, dict):
        yield from data.elements()
        return
    columns = [list(data.required(name).elements()) for name in COLUMNS[:3]]
    if len({len(column) for column in columns}) > 1:
        raise data.error("lists of the same length")
    sure = data.get("confidence")
    for number, row in enumerate(zip(*columns, strict=True)):
        members = dict(zip(COLUMNS, (cell.value for cell in row), strict=False))
        if sure is not None and isinstance(sure.value, list) and number < len(sure.value):
            members["confidence"] = sure.value[number]
        yield JsonValue(members, row[0].document, row[0].parent, row[0].step)


def _segment(
    answer: Answer, tier: str | None, is_lyrics: bool, value: JsonValue
) -> Iterator[Segment]:
    """Yield the segment of one observation."""
    content = value.required("value")
    level = None
    if isinstance(content.value, dict):
        level, content = content.get("level"), content.required("label")
    start_ns = value.required("time").nanoseconds()
    sure = value.value.get("confidence")
    is_number = isinstance(sure, (int, float)) and not isinstance(sure, bool)
    text = content.text()
    answer.spoke = True
    yield Segment(
        answer.source.recording,
        tuple(split_words(text.replace("\n", " "))) if is_lyrics else (text,),
        start_ns=start_ns,
        end_ns=start_ns + value.required("duration").nanoseconds(),
        confidence=value.confidence_of("confidence") if is_number else None,
        tier=tier,
        properties=() if level is None else (("level", level.name()),),
        kind="segment" if is_lyrics else "event",
        line=value.line,
    )


SPEC = FormatSpec(
    title="JAMS: lyrics and segments of the JSON Annotated Music Specification",
    sign='"annotations" with a "namespace"',
    read=read,
)
