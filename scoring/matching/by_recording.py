"""Whole recordings: all words of a channel in order of time, where words cannot be matched by time.

The two sides are aligned channel by channel. What is known of the reference's segments stays
beside them, so that the alignment can be cut at their borders: see `scoring.scored.cutting`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from scoring.matching.by_time import Channel, by_channel, in_order, name_of
from scoring.sides.account import NO_PARTNER
from scoring.sides.corpus import Corpus

if TYPE_CHECKING:
    from formats.model import Segment

# Start and end in nanoseconds.
Region: TypeAlias = tuple[int, int]


class Cut(NamedTuple):
    """The segments that whole recordings of the reference consist of.

    Attributes
    ----------
    segments
        All of them, recording by recording.
    sizes
        How many each recording has.
    partners
        The position of each recording in the hypothesis.
    """

    segments: Corpus
    sizes: Sequence[int]
    partners: Sequence[int]


class Wholes(NamedTuple):
    """Both sides with an utterance for each channel of a recording.

    Attributes
    ----------
    cut
        Where the reference has segments.
    ignored_words
        Words of the hypothesis in regions that the reference says not to score.
    """

    reference: Corpus
    hypothesis: Corpus
    cut: Cut
    ignored_words: int


def whole_recordings(reference: Corpus, hypothesis: Corpus, keep: bool, by_file: bool) -> Wholes:
    """Join the words of each channel.

    Parameters
    ----------
    keep
        Whether utterances are to have segments, with all that is known of their words.
    by_file
        Whether the names of recordings mean nothing.
    """
    regions: dict[Channel, list[Region]] = {}
    ours: dict[Channel, list[tuple[str, Segment]]] = {}
    for channel, group in by_channel(reference.segments).items():
        for number, one in enumerate(in_order(group), 1):
            if one.kind != "ignored":
                ours.setdefault(channel, []).append((name_of(one, channel, number), one))
            elif one.start_ns is not None and one.end_ns is not None:
                regions.setdefault(channel, []).append((one.start_ns, one.end_ns))
    theirs = {channel: in_order(group) for channel, group in by_channel(spoken(hypothesis)).items()}
    dropped = _Dropped()
    theirs = {
        channel: [dropped.outside(one, regions[channel]) for one in group]
        if channel in regions
        else group
        for channel, group in theirs.items()
    }
    names = ["000001"] if by_file else _names(ours)
    for channel, name in zip(ours, names, strict=False):
        if len(ours[channel]) == 1 and not _lies_in_time(ours[channel][0][1]):
            ours[channel] = [(ours[channel][0][1].utterance or name, ours[channel][0][1])]
    partners = {channel: at for at, channel in enumerate(theirs)}
    called = dict(zip(ours, names, strict=False))
    extra = dict(zip(theirs, _names(theirs), strict=True))
    parts = [part for group in ours.values() for part in group]
    remarks = (*hypothesis.remarks, *dropped.remarks(hypothesis.name))
    return Wholes(
        with_texts(reference, names, [[one for _, one in group] for group in ours.values()], keep),
        with_texts(
            hypothesis._replace(remarks=remarks),
            [called.get(channel, extra[channel]) for channel in theirs],
            list(theirs.values()),
            keep,
        ),
        Cut(
            with_texts(reference, [name for name, _ in parts], [[one] for _, one in parts], keep),
            [len(group) for group in ours.values()],
            [partners.get(channel, NO_PARTNER) for channel in ours],
        ),
        dropped.words,
    )


def spoken(side: Corpus) -> list[Segment]:
    """The segments that are scored."""
    return [segment for segment in side.segments if segment.kind != "ignored"]


def _names(channels: Iterable[Channel]) -> list[str]:
    """Recordings, with the channel where there are several."""
    every = list(channels)
    recordings = [recording for recording, _ in every]
    return [
        recording if recordings.count(recording) == 1 else f"{recording}-{channel}"
        for recording, channel in every
    ]


def _lies_in_time(segment: Segment) -> bool:
    return segment.start_ns is not None or segment.starts_ns is not None


class _Dropped:
    """Counts words of the hypothesis in regions that are not scored, and leaves them out.

    Attributes
    ----------
    words
        How many were dropped.
    crossing
        How many words without times are in segments across the border of a region.
    unplaced
        How many words are in segments without times.
    """

    def __init__(self) -> None:
        self.words = self.crossing = self.unplaced = 0

    def outside(self, segment: Segment, regions: Sequence[Region]) -> Segment:
        """The segment without the words that lie in a region by their middle, or by its own."""
        from formats.words import Token

        start, end = segment.start_ns, segment.end_ns
        middle = None if start is None else start + (start if end is None else end)
        items = list(segment.items())
        kept = []
        untimed = 0
        for item in items:
            at = middle
            timed = isinstance(item, Token) and item.start_ns is not None
            if timed and isinstance(item, Token) and item.end_ns is not None:
                at = (item.start_ns or 0) + item.end_ns
            else:
                untimed += 1
            if at is None:
                self.unplaced += 1
            if at is None or not any(2 * begin <= at < 2 * stop for begin, stop in regions):
                kept.append(item)
        if start is not None and end is not None:
            within = [begin < end and start < stop for begin, stop in regions]
            inside = any(begin <= start and end <= stop for begin, stop in regions)
            self.crossing += untimed * (any(within) and not inside)
        self.words += len(items) - len(kept)
        return segment if len(kept) == len(items) else segment.with_items(kept)

    def remarks(self, name: str) -> list[str]:
        """Warnings of words that may be on either side of a border."""
        remarks = []
        if self.crossing:
            remarks.append(
                f"{name}: warning: {self.crossing} words without times are in segments that cross "
                "the border of an ignored region of the reference: each segment counts as a whole, "
                "by its middle"
            )
        if self.unplaced:
            remarks.append(
                f"{name}: warning: {self.unplaced} words without times may lie in ignored regions "
                "of the reference: all of them are scored"
            )
        return remarks


def with_texts(
    side: Corpus, identifiers: list[str], groups: Sequence[Sequence[Segment]], keep: bool
) -> Corpus:
    """The side with an utterance for each group of segments."""
    whole = [_joined(group) for group in groups]
    return side._replace(
        identifiers=identifiers,
        speakers=[segment.speaker for segment in whole],
        words=[segment.words for segment in whole],
        lines=[segment.line for segment in whole],
        special={
            position: segment
            for position, segment in enumerate(whole)
            if segment.alternations or segment.optional is not None
        },
        segments=(),
        sources=whole if keep else None,
    )


def _joined(segments: Sequence[Segment]) -> Segment:
    """All words in one segment."""
    if len(segments) == 1:
        return segments[0]
    from formats.model import Segment

    speakers = {segment.speaker for segment in segments}
    return Segment.from_items(
        segments[0].recording if segments else "-",
        [item for segment in segments for item in segment.items()],
        speaker=speakers.pop() if len(speakers) == 1 else None,
        line=segments[0].line if segments else None,
    )
