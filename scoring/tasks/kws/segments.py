"""Segments as trials: time spans of speech and of silence."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.tasks.kws.audio import Audio
from scoring.tasks.kws.word_table import SpeakerTurn


class TrialSegment(NamedTuple):
    """A time span of a file's channel, in ticks.

    `speakers` is empty for silence. `excerpt` is the index of the excerpt that contains the
    segment. `begin_text` is the start time as written in the first turn, or empty.
    """

    place: int
    begin: float
    end: float
    excerpt: int
    speakers: frozenset[str]
    begin_text: str = ""


class Segmentation:
    """The segments of the scored audio; immutable.

    An excerpt is cut by the turns inside it, in the order of their start times. A turn that
    overlaps the preceding speech extends that segment. A turn that begins exactly at the end of the
    preceding speech is a new segment. Time without turns is silence, which also counts as a
    segment.
    """

    def __init__(self, audio: Audio, turns: Iterable[SpeakerTurn]) -> None:
        by_place: dict[int, list[tuple[float, float, str, str]]] = {}
        clock = audio.clock
        for turn in turns:
            place = audio.places.get((turn.file, turn.channel))
            if place is not None:
                begin, end = clock.time(turn.begin), clock.end(turn.begin, turn.duration)
                written = (begin, end, turn.speaker, turn.begin_text)
                by_place.setdefault(place, []).append(written)
        for spans in by_place.values():
            spans.sort(key=lambda span: span[0])
        segments: list[TrialSegment] = []
        ranges: list[list[tuple[int, int]]] = [[] for _ in audio.by_place]
        for index, stretch in enumerate(audio.stretches):
            first = len(segments)
            inside = [
                span
                for span in by_place.get(stretch.place, ())
                if span[0] >= stretch.begin and span[1] <= stretch.end
            ]
            segments.extend(_cut(stretch.place, index, stretch.begin, stretch.end, inside))
            ranges[stretch.place].append((first, len(segments)))
        self.segments = tuple(segments)
        self._ranges = ranges
        self._ends = [segment.end for segment in segments]

    def __len__(self) -> int:
        return len(self.segments)

    def of_words(self, place: int, begin: float, end: float, speaker: str | None) -> int:
        """Return the segment of a speaker (None: any speaker) that contains a word, or -1."""
        if place < 0:
            return -1
        for first, last in self._ranges[place]:
            for index in range(bisect_left(self._ends, begin, first, last), last):
                segment = self.segments[index]
                if segment.begin > begin:
                    break
                is_own = segment.speakers if speaker is None else speaker in segment.speakers
                if is_own and end <= segment.end:
                    return index
        return -1

    def of_middles(
        self, places: npt.NDArray[np.int64], middles: npt.NDArray[np.float64]
    ) -> npt.NDArray[np.int64]:
        """Return the first segment that contains each time, limits included, or -1."""
        segments = np.full(len(places), -1, dtype=np.int64)
        begins = np.array([segment.begin for segment in self.segments])
        ends = np.array(self._ends)
        order = np.argsort(places, kind="stable")
        bounds = np.searchsorted(places[order], np.arange(len(self._ranges) + 1))
        for number, ranges in enumerate(self._ranges):
            rows = order[bounds[number] : bounds[number + 1]]
            for first, last in reversed(ranges):
                if first == last or not len(rows):
                    continue
                index = first + np.searchsorted(ends[first:last], middles[rows], side="left")
                inside = index < last
                inside[inside] &= begins[index[inside]] <= middles[rows][inside]
                segments[rows[inside]] = index[inside]
        return segments


def _cut(
    place: int,
    excerpt: int,
    begin: float,
    end: float,
    turns: Sequence[tuple[float, float, str, str]],
) -> list[TrialSegment]:
    cut: list[TrialSegment] = []
    covered = begin
    for turn_begin, turn_end, speaker, text in turns:
        speakers = frozenset((speaker,))
        if turn_begin < covered:
            last = cut.pop()
            turn_begin, speakers, text = last.begin, last.speakers | speakers, last.begin_text
            turn_end = max(turn_end, last.end)
        elif turn_begin > covered:
            cut.append(TrialSegment(place, covered, turn_begin, excerpt, frozenset()))
        cut.append(TrialSegment(place, turn_begin, turn_end, excerpt, speakers, text))
        covered = turn_end
    if covered < end:
        cut.append(TrialSegment(place, covered, end, excerpt, frozenset()))
    return cut
