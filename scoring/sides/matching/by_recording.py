"""Matching of whole recordings channel by channel, for words that cannot be matched by time.

The two sides are aligned channel by channel. The reference's segments are kept, so that the
alignment can be cut at their borders: see `scoring.score.cutting`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from scoring.sides.corpus import NO_PARTNER, Corpus, lies_in_time
from scoring.sides.matching import Cut, MatchedSides
from scoring.sides.matching.by_time import ChannelKey, by_channel, in_order, name_of

if TYPE_CHECKING:
    from formats.schema.messages import Message
    from formats.schema.model import Segment

RegionNs: TypeAlias = tuple[int, int]  # start and end in nanoseconds


def whole_recordings(
    reference: Corpus, hypothesis: Corpus, keep: bool, is_file: bool, by_hypothesis: bool = False
) -> MatchedSides:
    """Join the words of each channel into one utterance, and keep the segments of one side.

    With `is_file`, names of recordings are ignored.
    """
    regions: dict[ChannelKey, list[RegionNs]] = {}
    ours: dict[ChannelKey, list[tuple[str, Segment]]] = {}
    for channel, group in by_channel(reference.segments).items():
        for number, segment in enumerate(in_order(group), 1):
            if segment.kind != "ignored":
                part = name_of(segment, channel, number), segment
                ours.setdefault(channel, []).append(part)
            elif segment.start_ns is not None and segment.end_ns is not None:
                regions.setdefault(channel, []).append((segment.start_ns, segment.end_ns))
    counts = Counter[str]()
    theirs = {
        channel: [
            _outside(segment, regions.get(channel, ()), counts) for segment in in_order(group)
        ]
        for channel, group in by_channel(hypothesis.spoken).items()
    }
    names = dict.fromkeys(ours, "000001") if is_file else _names(ours)
    for channel, parts in ours.items():
        [(_, first), *rest] = parts
        if not rest and not lies_in_time(first):
            parts[0] = first.utterance or names[channel], first
    their_names = _names(theirs) | names
    positions = {channel: position for position, channel in enumerate(theirs)}
    remarks = (*hypothesis.remarks, *_remarks(hypothesis.name, counts, by_hypothesis))
    hypothesis = hypothesis._replace(remarks=remarks)
    groups, side, streams = list(ours.values()), reference, [theirs.get(c, []) for c in ours]
    texts = [_joined([segment for _, segment in group]) for group in groups]
    if by_hypothesis:
        groups, side, streams = list(map(_named, streams, names.items())), hypothesis, []
    whole = [part for group in groups for part in group]
    return MatchedSides(
        reference.with_utterances(list(names.values()), texts, keep),
        hypothesis.with_utterances(
            [their_names[channel] for channel in theirs], list(map(_joined, theirs.values())), keep
        ),
        "file" if is_file else "recording",
        counts["words"],
        Cut(
            side.with_utterances(
                [name for name, _ in whole], [segment for _, segment in whole], keep
            ),
            list(map(len, groups)),
            [positions.get(channel, NO_PARTNER) for channel in ours],
            streams,
        ),
    )


def _named(
    segments: Sequence[Segment], recording: tuple[ChannelKey, str]
) -> list[tuple[str, Segment]]:
    """Return the segments of a recording, each with its name.

    If there are no segments, return one empty segment under the name of the recording.
    """
    channel, name = recording
    parts = [(name_of(part, channel, number), part) for number, part in enumerate(segments, 1)]
    return parts or [(name, _joined(segments))]


def joined_recordings(side: Corpus, keep: bool) -> Corpus:
    """Return a side with one utterance for each recording, named after the recording."""
    groups: dict[str, list[Segment]] = {}
    for segment in side.spoken:
        groups.setdefault(segment.recording, []).append(segment)
    segments = [_joined(in_order(group)) for group in groups.values()]
    return side.with_utterances(list(groups), segments, keep)


def _names(channels: Collection[ChannelKey]) -> dict[ChannelKey, str]:
    """Return the names of recordings, with the channel if a recording has several channels."""
    numbers = Counter(recording for recording, _ in channels)
    return {
        (recording, channel): recording if numbers[recording] == 1 else f"{recording}-{channel}"
        for recording, channel in channels
    }


def _outside(segment: Segment, regions: Sequence[RegionNs], counts: Counter[str]) -> Segment:
    """Return the segment without the words that are in ignored regions.

    A word (or segment) is in a region if its middle is in the region.

    `counts` collects the dropped `words`, the untimed words whose segment is `crossing` the border
    of a region, and the words that are `unplaced` because neither they nor their segment have
    times.
    """
    if not regions:
        return segment
    from formats.schema.words import Token

    start, end = segment.start_ns, segment.end_ns
    middle = None if start is None else start + (start if end is None else end)
    items = list(segment.items())
    kept = []
    untimed = 0
    for item in items:
        twice = middle
        if isinstance(item, Token) and item.start_ns is not None and item.end_ns is not None:
            twice = item.start_ns + item.end_ns
        else:
            untimed += 1
        counts["unplaced"] += twice is None
        if twice is None or not any(2 * begin <= twice < 2 * stop for begin, stop in regions):
            kept.append(item)
    if start is not None and end is not None:
        overlaps = any(begin < end and start < stop for begin, stop in regions)
        inside = any(begin <= start and end <= stop for begin, stop in regions)
        counts["crossing"] += untimed * (overlaps and not inside)
    counts["words"] += len(items) - len(kept)
    return segment if len(kept) == len(items) else segment.with_items(kept)


def _remarks(name: str, counts: Counter[str], by_hypothesis: bool) -> Iterator[Message]:
    """Yield warnings of words at the border of an ignored region, and of segments without words."""
    from scoring.sides import messages

    if by_hypothesis:
        yield messages.Message(messages.OWN_SEGMENTS, {"path": name})
    for kind, entry in (
        ("crossing", messages.CROSSING_REGION),
        ("unplaced", messages.PERHAPS_IGNORED),
    ):
        if counts[kind]:
            yield messages.Message(entry, {"path": name, "words": counts[kind]})


def _joined(segments: Sequence[Segment]) -> Segment:
    """Join several segments into one."""
    if len(segments) == 1:
        return segments[0]
    from formats.schema.model import Segment

    speakers = {segment.speaker for segment in segments}
    return Segment.from_items(
        segments[0].recording if segments else "-",
        [item for segment in segments for item in segment.items()],
        speaker=speakers.pop() if len(speakers) == 1 else None,
        line=segments[0].line if segments else None,
    )
