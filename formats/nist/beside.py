"""Times of utterances from a second file, such as an stm or Kaldi's ``segments``."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate

from formats.detection import by_name
from formats.io.source import Source
from formats.nist.messages import CTM_OUTSIDE, TRN_NO_SEGMENT, TRN_SEGMENTS
from formats.reading import detect_source
from formats.schema.errors import FormatError, quoted
from formats.schema.grouping import span
from formats.schema.model import Segment
from formats.schema.times import LARGEST
from formats.schema.words import Alternation, Token

PLAIN = ("txt", "txt-lines", "kaldi", "csv")
"""Formats that Kaldi's ``segments`` under another name may be taken for."""


def segments_beside(source: Source, path: str) -> list[Segment]:
    """Read the segments of a second file that has times, in any format (default: Kaldi's)."""
    with source.beside(path) as table:
        try:
            spec = detect_source(table)
        except FormatError:
            spec = by_name("kaldi-segments")
        if spec.name in PLAIN:
            spec = by_name("kaldi-segments")
        segments = [s for s in spec.read(table) if s.kind == "segment" and s.start_ns is not None]
    return segments


def placed_utterances(source: Source, path: str, segments: Iterable[Segment]) -> Iterator[Segment]:
    """Yield the utterances. Each gets the times of the segment that has the same id or number."""
    places = segments_beside(source, path)
    by_id = {place.utterance: place for place in places if place.utterance is not None}
    mine = list(segments)
    if any(segment.utterance in by_id for segment in mine):
        for segment in mine:
            place = by_id.get(segment.utterance or "")
            if place is None:
                source.log.say(
                    TRN_NO_SEGMENT, segment.line, utterance=segment.utterance or "", path=path
                )
            yield segment if place is None else _at(segment, place)
        return
    if len(mine) != len(places):
        expected = f"as many utterances as {path} has segments, {len(places)}, or their ids"
        raise source.syntax_error(None, expected, str(len(mine)))
    source.log.say(TRN_SEGMENTS, path=path)
    for segment, place in zip(mine, places, strict=True):
        names = [name for name in (place.recording, place.speaker) if name]
        if not any(name in (segment.utterance or "") for name in names):
            expected = f"an id that names {' or '.join(map(quoted, names))}, as segment of {path}"
            raise source.syntax_error(segment.line, expected, quoted(segment.utterance or ""))
        yield _at(segment, place)


def _at(segment: Segment, place: Segment) -> Segment:
    """Return the utterance with the recording, the channel and the times of another segment."""
    return segment.replace(
        recording=place.recording,
        channel=place.channel,
        speaker=place.speaker or segment.speaker,
        start_ns=place.start_ns,
        end_ns=place.end_ns,
    )


def cut_by(
    source: Source, path: str, places: Sequence[Segment], segments: Iterable[Segment]
) -> Iterator[Segment]:
    """Yield the words of recordings, divided into segments by the middle time of each word.

    If several segments overlap at this time, the segment that begins last gets the word. Words
    outside all segments become additional segments.
    """
    by_channel: dict[tuple[str, str | None], list[Segment]] = {}
    for place in sorted(places, key=lambda place: place.start_ns or 0):
        by_channel.setdefault((place.recording, place.channel), []).append(place)
    outside: list[int] = []
    for segment in segments:
        mine = by_channel.get((segment.recording, segment.channel), [])
        if not mine:
            channels = [key for key in by_channel if key[0] == segment.recording]
            mine = by_channel[channels[0]] if len(channels) == 1 else []
        shares: dict[int, list[Token | Alternation]] = {}
        starts = [place.start_ns or 0 for place in mine]
        latest = list(accumulate(map(_end, mine), max))
        for item in segment.items():
            shares.setdefault(_index(mine, starts, latest, item), []).append(item)
        for number, items in sorted(shares.items()):
            if number < 0:
                outside += [segment.line or 1] * len(items)
                yield segment.with_items(items)
            else:
                place = mine[number]
                yield _at(segment.with_items(items), place).replace(utterance=place.utterance)
    if outside:
        source.log.say(CTM_OUTSIDE, outside[0], words=len(outside), path=path)


def _end(place: Segment) -> int:
    """Return the end of a segment, or the largest time if the end is unknown."""
    return LARGEST if place.end_ns is None else place.end_ns


def _index(
    places: Sequence[Segment],
    starts: Sequence[int],
    latest: Sequence[int],
    item: Token | Alternation,
) -> int:
    """Return the index of the segment that contains the middle of a word; -1 if there is none."""
    stretch = span(item)
    if stretch is None:
        return -1
    middle = sum(stretch) // 2
    index = bisect_right(starts, middle) - 1
    while index >= 0 and latest[index] > middle:
        if _end(places[index]) > middle:
            return index
        index -= 1
    return -1
