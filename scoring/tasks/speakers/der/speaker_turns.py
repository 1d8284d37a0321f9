"""Speaker turns, read from files of any format with speakers, or passed as objects."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Union, cast

from formats.schema.messages import Message
from formats.schema.model import Segment
from formats.schema.times import nanoseconds
from formats.schema.transcript import Transcript
from scoring.model.errors import InputError, OptionTypeError, OptionValueError
from scoring.sides.corpus import SideRemark
from scoring.sides.given import File, Reading, file_of, read_transcript, reading_of
from scoring.tasks.messages import LOOSE_WORDS
from scoring.tasks.speakers.der.exclusion import NOSCORE, SOUND, TURN, WORD, Mark
from scoring.tasks.speakers.der.spans import ScoredSpan

if TYPE_CHECKING:
    from typing import Any, Protocol

    from formats.io.library_objects import SSAFile, TextGrid

    class PyannoteAnnotation(Protocol):
        """The members of pyannote.core's `Annotation` that are used."""

        uri: Any

        def itertracks(self, yield_label: Any = ...) -> Iterator[Any]:
            """Yield segment, track and label."""

    class Timeline(Protocol):
        """The members of pyannote.core's `Timeline` that are used."""

        uri: Any

        def __iter__(self) -> Iterator[Any]: ...


# A file, its segments, or turns by recording: who, and seconds from and to.
GivenTurns: TypeAlias = Union[
    str,
    "os.PathLike[str]",
    File,
    "SSAFile",
    "TextGrid",
    "PyannoteAnnotation",
    "Timeline",
    Transcript,
    Iterable[Segment],
    Mapping[str, "Iterable[tuple[str, float, float]] | PyannoteAnnotation | Timeline"],
]
UNNAMED = "recording"
"""The name of the recording of a pyannote object without `uri`."""
SPEECH = "speech"
"""The speaker of the segments of a pyannote `Timeline`."""
# What is scored: a uem file, or spans by recording, in seconds.
GivenRegion: TypeAlias = Union[
    str,
    "os.PathLike[str]",
    "Timeline",
    Mapping[str, "Iterable[tuple[float, float]] | Timeline"],
]
NAMED = 10
"""The maximum number of names in a message; further names are only counted."""


class SpeakerError(InputError):
    """Raised if a file does not say who speaks when."""

    status = 2


@dataclass(slots=True)
class RecordingTurns:
    """The turns and marks of one side of a recording."""

    turns: dict[str, list[ScoredSpan]] = field(default_factory=dict)  # by speaker, in nanoseconds
    ignored: list[ScoredSpan] = field(default_factory=list)  # stretches that are not to be scored
    marks: list[Mark] = field(default_factory=list)
    extents: list[ScoredSpan] = field(
        default_factory=list
    )  # all that md-eval takes the region from
    channel: str | None = None  # which of its recording, where channels are apart

    def add(self, speaker: str, begin: int, end: int) -> None:
        """Add a turn."""
        self.turns.setdefault(speaker, []).append((begin, end))
        self.marks.append(Mark(TURN, begin, end))
        self.extents.append((begin, end))


TurnsByRecording: TypeAlias = dict[str, RecordingTurns]


def turns_by_recording(
    turns: GivenTurns, name: str, reading: Reading, remarks: list[SideRemark], apart: bool = False
) -> tuple[TurnsByRecording, str | None]:
    """Return the turns of a side by recording, and the source file."""
    if (kind := pyannote_kind(turns)) is not None:
        named = cast("PyannoteAnnotation", turns)
        return _of_turns({str(named.uri or UNNAMED): _pyannote_turns(named, kind)}, name), None
    file = File(turns) if isinstance(turns, str) else file_of(turns)
    if file is not None:
        file_reading = reading_of(file, reading)
        stem = None if file.name in (None, "-") else Path(file.name or "").stem
        transcript = read_transcript(
            file.path,
            file_reading.format,
            file_reading.encoding,
            dict(file_reading.options),
            name,
            stem,
        )
        path = file.name or transcript.source or ""
        remarks += [remark for remark in transcript.diagnostics if remark.is_shown]
        return _of_segments(transcript, path, remarks, apart), path
    if isinstance(turns, Mapping):
        return _of_turns(turns, name), None
    source = turns.source if isinstance(turns, Transcript) else None
    if isinstance(turns, (list, tuple)) and turns and not isinstance(turns[0], Segment):
        raise OptionTypeError(
            name,
            expected="turns by recording, such as {'talk': [('anne', 0.0, 2.5)]}",
            found=f"a {type(turns).__name__} of {type(turns[0]).__name__}",
        )
    segments = cast("Iterable[Segment]", turns)
    return _of_segments(segments, source or f"<{name}>", remarks, apart), source


def pyannote_kind(given: object) -> str | None:
    """Return the kind of a pyannote.core object, `Annotation` or `Timeline`, or None.

    >>> pyannote_kind({"talk": []}) is None
    True
    """
    for base in type(given).__mro__:
        if base.__module__.startswith("pyannote.core."):
            return base.__name__ if base.__name__ in ("Annotation", "Timeline") else None
    return None


def _pyannote_turns(
    given: PyannoteAnnotation | Timeline, kind: str
) -> Iterator[tuple[str, float, float]]:
    """Yield the turns in a pyannote.core object."""
    if kind == "Annotation":
        for segment, _, label in cast("PyannoteAnnotation", given).itertracks(yield_label=True):
            yield str(label), float(segment.start), float(segment.end)
    else:
        for segment in cast("Timeline", given):
            yield SPEECH, float(segment.start), float(segment.end)


def _of_turns(
    mapping: Mapping[str, Iterable[tuple[str, float, float]] | PyannoteAnnotation | Timeline],
    name: str,
) -> TurnsByRecording:
    sides: TurnsByRecording = {}
    for recording, given in mapping.items():
        kind = pyannote_kind(given)
        turns = (
            cast("Iterable[tuple[str, float, float]]", given)
            if kind is None
            else _pyannote_turns(cast("PyannoteAnnotation", given), kind)
        )
        side = sides.setdefault(recording, RecordingTurns())
        for speaker, begin, end in turns:
            if end < begin:
                raise OptionValueError(
                    name,
                    expected="an end not before the begin",
                    found=f"{begin} to {end} of {speaker!r} in {recording!r}",
                )
            side.add(speaker, nanoseconds(begin), nanoseconds(end))
    return sides


def _session(segment: Segment, apart: bool) -> str:
    return (
        f"{segment.recording} {segment.channel}" if apart and segment.channel else segment.recording
    )


def _of_segments(
    segments: Iterable[Segment], path: str, remarks: list[SideRemark], apart: bool
) -> TurnsByRecording:
    sides: TurnsByRecording = {}
    loose = 0
    # words outside of turns there may be in rttm only, where turns have lines of their own
    has_turns = isinstance(segments, Transcript) and segments.format == "rttm"
    for segment in segments:
        side = sides.setdefault(
            _session(segment, apart), RecordingTurns(channel=segment.channel if apart else None)
        )
        words = [
            (begin, end)
            for begin, end in zip(segment.starts_ns or (), segment.ends_ns or (), strict=False)
            if begin is not None and end is not None
        ]
        side.marks += [Mark(WORD, *span) for span in words]
        side.extents += words
        span = None
        if segment.start_ns is not None and segment.end_ns is not None:
            span = segment.start_ns, segment.end_ns
        elif words and len(words) == len(segment.words) and not has_turns:
            span = min(begin for begin, _ in words), max(end for _, end in words)
        if segment.kind == "segment" and span is None and has_turns:
            loose += len(words)
        elif segment.kind == "segment":
            side.add(*_turn(segment, span, path))
        elif span is not None:
            _add_other(side, segment, span)
    for side in sides.values():
        side.marks.sort(key=lambda mark: mark.begin + mark.end)
    if loose:
        remarks.append(Message(LOOSE_WORDS, {"path": path, "words": loose}))
    return sides


def _turn(segment: Segment, span: ScoredSpan | None, path: str) -> tuple[str, int, int]:
    if segment.speaker is None:
        problem = "diarisation needs the speaker of every segment, and this one has none"
        raise SpeakerError(path, segment.line, None, problem)
    if span is None or span[1] < span[0]:
        problem = "diarisation needs the start and the end of every segment, and this one has none"
        if span is not None:
            problem = "the segment ends before it starts"
        raise SpeakerError(path, segment.line, None, problem)
    return segment.speaker, *span


def _add_other(side: RecordingTurns, segment: Segment, span: ScoredSpan) -> None:
    if segment.kind == "ignored" and segment.tier is None:
        side.ignored.append(span)
        side.marks.append(Mark(NOSCORE, *span))
    elif segment.kind == "scored" or (segment.kind == "event" and segment.tier != "NON-SPEECH"):
        side.extents.append(span)
        if segment.tier == SOUND:
            side.marks.append(Mark(SOUND, *span))


def regions_of(
    region: GivenRegion,
    remarks: list[SideRemark],
    recordings: Collection[str],
    apart: bool = False,
) -> dict[str, list[ScoredSpan]]:
    """Return the regions to score by recording, from a uem file or from times in seconds.

    A pyannote `Timeline` without `uri` is the region of every recording.
    """
    regions: dict[str, list[ScoredSpan]] = {}
    if pyannote_kind(region) == "Timeline":
        timeline = cast("Timeline", region)
        region = dict.fromkeys([timeline.uri] if timeline.uri else recordings, timeline)
    if isinstance(region, Mapping):
        for recording, spans in region.items():
            regions[recording] = [
                (nanoseconds(begin), nanoseconds(end)) for begin, end in _region_spans(spans)
            ]
        return regions
    region = cast("str | os.PathLike[str]", region)
    transcript = read_transcript(region, "uem", "utf-8", {}, "")
    remarks += [remark for remark in transcript.diagnostics if remark.is_shown]
    for segment in transcript:
        regions.setdefault(_session(segment, apart), []).append(
            (segment.start_ns or 0, segment.end_ns or 0)
        )
    return regions


def _region_spans(
    spans: Iterable[tuple[float, float]] | Timeline,
) -> Iterator[tuple[float, float]]:
    """Yield the start and the end of each span of a region."""
    if pyannote_kind(spans) is None:
        yield from cast("Iterable[tuple[float, float]]", spans)
    else:
        for segment in spans:
            yield float(segment.start), float(segment.end)  # type: ignore[union-attr]


def listed(names: Iterable[str]) -> str:
    """Return up to ten names, and the number of all further names, as text.

    >>> listed("abcdefghijkl")
    'a, b, c, d, e, f, g, h, i, j and 2 more'
    """
    every = list(names)
    listed_names = ", ".join(every[:NAMED])
    return listed_names if len(every) <= NAMED else f"{listed_names} and {len(every) - NAMED} more"
