"""Labels from transcripts of any format, and durations of utterances.

Durations are read from a file with a name and a number of seconds per line (utt2dur).
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from math import inf
from typing import Final

from formats.schema.messages import Message
from formats.schema.model import Segment
from formats.schema.transcript import Transcript
from formats.schema.words import Label
from scoring.model.errors import InputError
from scoring.sides.given import each_utterance
from scoring.tasks.labels.outcome import Outcome, listed
from scoring.tasks.messages import MIXED_TIMES, SEVERAL_TIERS, WITHOUT_TEXT

AUTO: Final = "auto"
WORDS: Final = "words"
SEGMENTS: Final = "segments"
SPEAKERS: Final = "speakers"
UNITS = (AUTO, WORDS, SEGMENTS, SPEAKERS)

# Regions to be scored and keywords to be searched are no labels.
_LABELLED = ("segment", "event")


class TranscriptError(InputError):
    """The transcript lacks data that labels need."""

    status = 2


def outcome_of_transcript(
    transcript: Transcript,
    *,
    unit: str = AUTO,
    tier: str | None = None,
) -> Outcome:
    """Return the labels of a transcript by recording, or by channel if it has channels.

    >>> turns = Transcript([Segment.of("rec1", ["good", "day"], speaker="anne", start=0, end=1.5)])
    >>> outcome_of_transcript(turns).label_lists
    {'rec1': (<segment 'good day' 0.0..1.5 of 'rec1'>,)}
    >>> outcome_of_transcript(turns, unit="speakers").all_values
    {'anne'}
    """
    if unit not in UNITS:
        raise ValueError(f"unit: expected one of {', '.join(UNITS)}, found {unit!r}")
    path = transcript.source or "<transcript>"
    segments = _of_tier(transcript, path, tier)
    if unit == AUTO:
        unit = _unit_of(segments, path)
    labels: dict[str, list[Label]] = {}
    silent = 0
    ignored: dict[str, list[tuple[float, float]]] = {}
    for segment in segments:
        channel = "" if segment.channel is None else f"/{segment.channel}"
        utterance = segment.recording + channel
        utterance_labels = labels.setdefault(utterance, [])
        if segment.kind == "ignored":
            if segment.start is not None and segment.end is not None:
                ignored.setdefault(utterance, []).append((segment.start, segment.end))
        elif segment.kind in _LABELLED:
            if unit == SEGMENTS and not (segment.words or segment.alternations):
                silent += 1
            else:
                utterance_labels += _labels_of(segment, unit, path)
    fields = {"path": path, "segments": silent}
    remarks = [Message(WITHOUT_TEXT, fields)] if silent else []
    seconds = _number(dict(transcript.properties).get("duration"))
    durations: dict[str, float] = {}
    if seconds is not None and len(labels) == 1:
        durations = dict.fromkeys(labels, seconds)
    return Outcome(labels, durations, ignored, remarks)


def _of_tier(transcript: Transcript, path: str, tier: str | None) -> list[Segment]:
    tiers = list(dict.fromkeys(item.tier for item in transcript if item.tier is not None))
    if tier is None:
        if len(tiers) > 1:
            raise TranscriptError(path, None, None, Message(SEVERAL_TIERS, {"names": tiers}))
        return list(transcript)
    if tier not in tiers:
        names = listed(tiers) if tiers else "none"
        raise TranscriptError(path, None, None, f"expected a tier {tier!r}, found {names}")
    return [item for item in transcript if item.tier == tier]


def _unit_of(segments: list[Segment], path: str) -> str:
    spoken = [segment for segment in segments if segment.kind in _LABELLED and segment.words]
    untimed = [segment for segment in spoken if segment.starts_ns is None]
    if len(untimed) == len(spoken):
        return SEGMENTS
    if untimed:
        raise TranscriptError(path, untimed[0].line, None, Message(MIXED_TIMES))
    return WORDS


def _labels_of(segment: Segment, unit: str, path: str) -> Iterator[Label]:
    labels = segment.word_labels() if unit == WORDS else [segment.label()]
    for label in labels:
        problem = None
        if unit == SPEAKERS:
            if segment.speaker is None:
                problem = "expected a speaker of every segment, found none"
            else:
                label = label._replace(value=segment.speaker, confidence=None, type=None)
        if label.start is None:
            problem = (
                problem or f"every label needs its start and end, and {label.value!r} has none"
            )
        elif label.end is not None and label.end < label.start:
            problem = problem or (
                f"expected an end not before the start, found {label.start:g} to {label.end:g} s "
                f"of {label.value!r}"
            )
        if problem is not None:
            raise TranscriptError(path, segment.line, None, problem)
        yield label


def read_durations(path: str | os.PathLike[str], encoding: str = "utf-8") -> dict[str, float]:
    """Read the durations of utterances in seconds."""
    durations: dict[str, float] = {}
    for line in each_utterance(path, "seconds", encoding):
        utterance, text = line.columns
        seconds = _number(text)
        if seconds is None or not 0 <= seconds < inf:
            raise line.error(1, "seconds from 0")
        durations[utterance] = seconds
    return durations


def _number(text: str | None) -> float | None:
    try:
        return None if text is None else float(text)
    except ValueError:
        return None
