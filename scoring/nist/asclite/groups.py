"""Groups of overlapping segments of a recording, with the hypothesis words inside each group."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import pairwise
from math import prod

from scoring.nist.asclite.choices import INFO, INVALID, Log
from scoring.nist.asclite.network_words import (
    Chain,
    NetworkSegment,
    NetworkWord,
    Numbering,
    Speeches,
)

ChainsByChannel = dict[tuple[str, str], list[Chain]]


class SegmentGroup:
    """Segments that are aligned together, in a list for each axis (a speaker or a stream).

    `gap` is True for an artificial gap between segments (asclite's inter-segment gap).
    """

    def __init__(
        self,
        number: int,
        references: list[list[NetworkSegment]],
        hypotheses: list[list[NetworkSegment]],
        gap: bool = False,
    ) -> None:
        self.number = number
        self.references = references
        self.hypotheses = hypotheses
        self.gap = gap

    @cached_property
    def words(self) -> tuple[list[list[NetworkWord]], list[list[NetworkWord]]]:
        """The words of every axis, the axes of the reference first."""
        return _words(self.references), _words(self.hypotheses)

    @property
    def cells(self) -> int:
        """The number of cells of the grid, as asclite counts them."""
        return prod(len(axis) + 1 for side in self.words for axis in side)

    @property
    def begin(self) -> int:
        """The earliest start of all segments and words, in milliseconds."""
        return min(segment.begin for segment in self._axis_segments())

    @property
    def end(self) -> int:
        """The latest end of all segments and words, in milliseconds; 0 without times."""
        return max(0, *(segment.end for segment in self._axis_segments()))

    def _axis_segments(self) -> Iterator[NetworkSegment]:
        for axis in (*self.references, *self.hypotheses):
            yield from axis

    def describe(self) -> str:
        """Return asclite's log line about the group."""
        sides = [",".join(str(len(axis)) for axis in side) for side in self.words]
        counts = [len(self.references), len(self.hypotheses)]
        return (
            f"Align SG {self.number} [REF:{counts[0]}({sides[0]}) HYP:{counts[1]}({sides[1]})] "
            f"{sum(counts)} dimensions, Difficulty: {self.cells} ({size_of(self.cells)}) ---> "
            f"bt={self.begin / 1000:.3f} et={self.end / 1000:.3f}"
        )


def _words(axes: list[list[NetworkSegment]]) -> list[list[NetworkWord]]:
    return [[word for segment in axis for word in segment.words()] for axis in axes]


def size_of(cells: int) -> str:
    """Format the memory for cells of four bytes as asclite does.

    >>> size_of(600), size_of(2**29)
    ('2.34 kB', '2.00 GB')
    """
    kilobytes = cells / 1024 * 4
    for power, unit in ((3, "TB"), (2, "GB"), (1, "MB")):
        if kilobytes / 1024**power > 1:
            return f"{kilobytes / 1024**power:.2f} {unit}"
    return f"{kilobytes:.2f} kB"


def _channels(files: Sequence[Speeches]) -> ChainsByChannel:
    """Return each speaker's segments (a chain), grouped by recording and channel."""
    channels: ChainsByChannel = {}
    for file in files:
        for speech in file.speeches:
            for stream, chain in speech.chains().items():
                channels.setdefault(stream, []).append(chain)
    return channels


def groups(
    references: Sequence[Speeches], hypotheses: Sequence[Speeches], numbers: Numbering, log: Log
) -> Iterator[SegmentGroup]:
    """Yield the groups of overlapping segments.

    They are ordered by channel (in byte order), then by time. Without references, the hypothesis
    segments are grouped.
    """
    spoken, heard = _channels(references or hypotheses), _channels(hypotheses)
    places = sorted(spoken)
    for place, following in zip(places, [*places[1:], None], strict=False):
        if place == places[0]:
            _announce(place, log)
        chains, others = spoken[place], heard.get(place, [])
        start = _first(chains, 0)
        while start is not None:
            end = _last(chains, start).end
            if not any(chain.within(start.begin, end) for chain in (*chains, *others)):
                if end > start.begin:
                    raise log.refuse(
                        INVALID, f"{start.identifier}: a group without words or segments"
                    )
                start.end = end = start.begin + 1
                log.remark(
                    f"{start.identifier}: a segment at {start.begin / 1000:.3f} without a length "
                    "counts as 1 ms long"
                )
                chains = _renewed(chains)
            number = numbers.take()
            spans = [chain.within(start.begin, end) for chain in chains]
            sounds = [chain.within(start.begin, end) for chain in others]
            start = _first(chains, end)
            if start is None and following is not None:
                _announce(following, log)
            yield SegmentGroup(
                number,
                [span for span in spans if span] if references else [],
                [sound for sound in sounds if sound],
            )


def _announce(stream: tuple[str, str], log: Log) -> None:
    log.say(INFO, f"Prepare to process source({stream[0]}) channel({stream[1]})")


def _renewed(chains: list[Chain]) -> list[Chain]:
    return [Chain(chain.segments) for chain in chains]


def _first(chains: list[Chain], time: int) -> NetworkSegment | None:
    """Return the earliest segment, of any speaker, that contains a time or begins after it."""
    segments = [segment for chain in chains if (segment := chain.at(time)) is not None]
    return min(segments, key=lambda segment: segment.begin, default=None)


def _last(chains: list[Chain], start: NetworkSegment) -> NetworkSegment:
    """Return the last segment that overlaps `start` directly or through a series of overlaps."""
    last = start
    while True:
        end = last.end
        for chain in chains:
            segment = chain.at(last.end)
            if segment is not None and segment.begin < last.end:
                last = segment
        if last.end == end:
            return last


def utterances(
    reference: Speeches, hypothesis: Speeches, numbers: Numbering, log: Log
) -> Iterator[SegmentGroup]:
    """Yield one group per utterance of a trn reference, in byte order of the identifiers."""
    by_id: list[dict[str, NetworkSegment]] = [{}, {}]
    for found, file in zip(by_id, (reference, hypothesis), strict=True):
        for segment in file.segments():
            if found.setdefault(segment.identifier, segment) is not segment:
                log.remark(
                    f"{file.name}: utterance {segment.identifier} is there twice, the first counts"
                )
    unknown = len(by_id[1].keys() - by_id[0].keys())
    if unknown:
        log.remark(f"{hypothesis.name}: the reference has no utterance for {unknown} of them")
    for identifier in sorted(by_id[0]):
        heard = by_id[1].get(identifier)
        if heard is None:
            log.remark(
                f"{hypothesis.name}: no utterance {identifier}, all its words count as deleted"
            )
            heard = NetworkSegment(numbers.take(3), -1, -1)
        yield SegmentGroup(numbers.take(), [[by_id[0][identifier]]], [[heard]])


def unsorted(file: Speeches) -> int:
    """Return how many segments begin before the end of the same speaker's preceding segment."""
    return sum(
        following.begin < segment.end
        for speech in file.speeches
        for chain in speech.chains().values()
        for segment, following in pairwise(chain.segments)
    )
