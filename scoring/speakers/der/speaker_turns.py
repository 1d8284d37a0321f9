"""Who speaks when, out of files of any format with speakers, or as it is given."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias, Union

from formats.model import Segment, Transcript
from formats.times import nanoseconds
from scoring.errors import InputError
from scoring.sides.given import File, reading_of
from scoring.sides.side_files import Reading, read_transcript
from scoring.speakers.der.exclusion import NOSCORE, SOUND, TURN, WORD, Mark
from scoring.speakers.der.spans import Span

if TYPE_CHECKING:
    from collections.abc import Iterator

# A file, its segments, or turns by recording: who, and seconds from and to.
Turns: TypeAlias = Union[
    str,
    "os.PathLike[str]",
    File,
    Transcript,
    Iterable[Segment],
    Mapping[str, Iterable[tuple[str, float, float]]],
]
NAMED = 10
"""So many names are told before the others are counted."""


class SpeakerError(InputError):
    """A file that does not say who speaks when."""

    status = 2


@dataclass(slots=True)
class RecordingSide:
    """What one side says of a recording."""

    turns: dict[str, list[Span]] = field(default_factory=dict)  # by speaker, in nanoseconds
    ignored: list[Span] = field(default_factory=list)  # stretches that are not to be scored
    marks: list[Mark] = field(default_factory=list)
    extents: list[Span] = field(default_factory=list)  # all that md-eval takes the region from
    channel: str | None = None  # which of its recording, where channels are apart

    def add(self, speaker: str, begin: int, end: int) -> None:
        """A turn."""
        self.turns.setdefault(speaker, []).append((begin, end))
        self.marks.append(Mark(TURN, begin, end))
        self.extents.append((begin, end))


Sides: TypeAlias = dict[str, RecordingSide]


def sides_of(
    given: Turns, what: str, reading: Reading, remarks: list[str], apart: bool = False
) -> tuple[Sides, str | None]:
    """One side by recording, and the file it was read from."""
    if isinstance(given, (str, os.PathLike)):
        given = File(given)
    if isinstance(given, File):
        path, own = os.fspath(given.path), reading_of(given, reading)
        stem = None if path == "-" else Path(path).stem
        transcript = read_transcript(path, own.format, own.encoding, dict(own.options), what, stem)
        remarks += [str(one) for one in transcript.diagnostics if one.severity != "note"]
        return _of_segments(transcript, path, remarks, apart), path
    if isinstance(given, Transcript):
        return _of_segments(given, given.source or f"<{what}>", remarks, apart), given.source
    if isinstance(given, Mapping):
        return _of_turns(given, what), None
    return _of_segments(given, f"<{what}>", remarks, apart), None


def _of_turns(given: Mapping[str, Iterable[tuple[str, float, float]]], what: str) -> Sides:
    sides: Sides = {}
    for recording, turns in given.items():
        side = sides.setdefault(recording, RecordingSide())
        for speaker, begin, end in turns:
            if end < begin:
                raise ValueError(
                    f"{what}: expected an end not before the begin, found {begin} to {end} of "
                    f"{speaker!r} in {recording!r}"
                )
            side.add(speaker, nanoseconds(begin), nanoseconds(end))
    return sides


def _session(one: Segment, apart: bool) -> str:
    return f"{one.recording} {one.channel}" if apart and one.channel else one.recording


def _of_segments(segments: Iterable[Segment], path: str, remarks: list[str], apart: bool) -> Sides:
    sides: Sides = {}
    loose = 0
    # words outside of turns there may be in rttm only, where turns have lines of their own
    has_turns = isinstance(segments, Transcript) and segments.format == "rttm"
    for one in segments:
        side = sides.setdefault(
            _session(one, apart), RecordingSide(channel=one.channel if apart else None)
        )
        words = [
            (begin, end)
            for begin, end in zip(one.starts_ns or (), one.ends_ns or (), strict=False)
            if begin is not None and end is not None
        ]
        side.marks += [Mark(WORD, *span) for span in words]
        side.extents += words
        span = None
        if one.start_ns is not None and one.end_ns is not None:
            span = one.start_ns, one.end_ns
        elif words and len(words) == len(one.words) and not has_turns:
            span = min(begin for begin, _ in words), max(end for _, end in words)
        if one.kind == "segment" and span is None and has_turns:
            loose += len(words)
        elif one.kind == "segment":
            side.add(*_turn(one, span, path))
        elif span is not None:
            _add_other(side, one, span)
    for side in sides.values():
        side.marks.sort(key=lambda mark: mark.begin + mark.end)
    if loose:
        remarks.append(f"{path}: words outside of turns say nothing of who speaks: {loose}")
    return sides


def _turn(one: Segment, span: Span | None, path: str) -> tuple[str, int, int]:
    if one.speaker is None:
        problem = "expected who speaks in every segment, found no speaker"
        raise SpeakerError(path, one.line, None, problem)
    if span is None or span[1] < span[0]:
        problem = "expected when every segment begins and ends"
        raise SpeakerError(path, one.line, None, f"{problem}, found no times or none in order")
    return one.speaker, *span


def _add_other(side: RecordingSide, one: Segment, span: Span) -> None:
    if one.kind == "ignored" and one.tier is None:
        side.ignored.append(span)
        side.marks.append(Mark(NOSCORE, *span))
    elif one.kind == "scored" or (one.kind == "event" and one.tier != "NON-SPEECH"):
        side.extents.append(span)
        if one.tier == SOUND:
            side.marks.append(Mark(SOUND, *span))


def regions_of(
    given: str | os.PathLike[str] | Mapping[str, Iterable[tuple[float, float]]],
    remarks: list[str],
    apart: bool = False,
) -> dict[str, list[Span]]:
    """The regions to be scored by recording, of a uem file or as they are given, in seconds."""
    found: dict[str, list[Span]] = {}
    if isinstance(given, Mapping):
        for recording, spans in given.items():
            found[recording] = [(nanoseconds(one), nanoseconds(two)) for one, two in spans]
        return found
    transcript = read_transcript(given, "uem", "utf-8", {}, "")
    remarks += [str(one) for one in transcript.diagnostics if one.severity != "note"]
    for one in transcript:
        found.setdefault(_session(one, apart), []).append((one.start_ns or 0, one.end_ns or 0))
    return found


def listed(names: Iterable[str]) -> str:
    """The first names, and how many more there are.

    >>> listed("abcdefghijkl")
    'a, b, c, d, e, f, g, h, i, j and 2 more'
    """
    every = list(names)
    shown = ", ".join(every[:NAMED])
    return shown if len(every) <= NAMED else f"{shown} and {len(every) - NAMED} more"


def spans_of(sides: Iterable[RecordingSide]) -> Iterator[Span]:
    """All turns of some sides."""
    return chain.from_iterable(spans for side in sides for spans in side.turns.values())
