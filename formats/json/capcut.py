"""capcut: text elements of a CapCut or JianYing draft (``draft_content.json``).

=====================================  ==========================================================
in the file                            in the schema
=====================================  ==========================================================
``segments`` of ``tracks`` of texts    a `Segment` for each: ``target_timerange`` in microseconds
``materials.texts`` of its             words: ``content``, JSON with ``text`` or, in old drafts,
``material_id``                        text without tags and brackets; otherwise ``recognize_text``
``words`` of the text                  times of the words in milliseconds from the segment's begin;
                                       ignored if the words differ from the text
the track, if there are several        `Segment.tier`
videos, effects, styles, sounds        not read
=====================================  ==========================================================

An encrypted draft is not JSON and gives an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial

from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.json.spoken_words import SpokenWord, plain_words
from formats.json.value import JsonDocument, JsonValue
from formats.json.words_to_segments import Reading
from formats.reading.lines import split_words, strip_blanks
from formats.schema.model import Segment

MICROSECONDS, MILLISECONDS = 1_000_000, 1000
TAG = re.compile(r"<[^<>]{0,400}>")


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per text on a track, sorted by begin."""
    for value in JsonDocument(source).values:
        source.is_silent = True
        reading = Reading(source)
        texts = {
            text.required("id").name(): text for text in value.at("materials").elements("texts")
        }
        tracks = [track for track in value.required("tracks").elements() if _holds(track, texts)]
        segments: list[Segment] = []
        for number, track in enumerate(tracks, 1):
            name = track.text_of("name") or f"texts {number}"
            read_segment = partial(_segment, reading, texts, name if len(tracks) > 1 else None)
            parts = track.elements("segments")
            segments += source.log.accepted("CAPCUT-SEGMENT", read_segment, parts)
        yield from sorted(segments, key=lambda segment: segment.start_ns or 0)
        reading.report()


def _holds(track: JsonValue, texts: dict[str, JsonValue]) -> bool:
    """Return True if a track has texts, not sounds or stickers."""
    kind = track.text_of("type")
    return (
        kind in ("text", "subtitle")
        if kind
        else any(part.name_of("material_id") in texts for part in track.elements("segments"))
    )


def _segment(
    reading: Reading, texts: dict[str, JsonValue], tier: str | None, part: JsonValue
) -> Iterator[Segment]:
    material = texts.get(part.required("material_id").name())
    if material is None:
        return
    times = part.required("target_timerange")
    start = times.required("start").nanoseconds(per_second=MICROSECONDS)
    end = start + times.required("duration").nanoseconds(per_second=MICROSECONDS)
    text = _text(material)
    lines = [" ".join(split_words(line)) for line in text.split("\n") if strip_blanks(line)]
    timed = _timed(material, start, " ".join(lines))
    yield reading.segment(
        timed or plain_words(" ".join(lines)),
        span=(start, end),
        tier=tier,
        properties={"lines": "\n".join(lines)} if len(lines) > 1 else None,
    )


def _text(material: JsonValue) -> str:
    if not material.has("content", "recognize_text"):
        material.required("content")
    content = material.text_of("content") or ""
    if content.lstrip().startswith("{"):
        text = _said(material)
    else:
        text = TAG.sub("", content)
        text = text[1:-1] if text[:1] == "[" and text[-1:] == "]" else text
    return (text or material.text_of("recognize_text") or "").replace("\r", "\n")


def _said(material: JsonValue) -> str:
    content = material.required("content").embedded()
    has_other = material.has("recognize_text")
    return content.text_of("text") or ("" if has_other else content.required("text").text())


def _timed(material: JsonValue, start: int, text: str) -> list[SpokenWord]:
    """Return the words with their times; an empty list if the times are not those of the text."""
    words = material.get("words")
    if words is None or not isinstance(words.value, dict):
        return []
    columns = [list(words.elements(name)) for name in ("text", "start_time", "end_time")]
    if not columns[0] or len(set(map(len, columns))) > 1:
        return []
    found = []
    for said, begin, stop in zip(*columns, strict=True):
        if strip_blanks(said.text()):
            first, last = (start + x.nanoseconds(per_second=MILLISECONDS) for x in (begin, stop))
            found.append(SpokenWord(strip_blanks(said.text()), first, max(first, last)))
    return found if [word.text for word in found] == text.split(" ") else []


SPEC = FormatSpec(
    title="drafts of CapCut and JianYing: the texts on their tracks, in JSON",
    sign='"tracks" with "target_timerange", and "materials"',
    read=read,
    has_one_recording=True,
    properties=("lines",),
)
