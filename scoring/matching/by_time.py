"""Transcripts without common identifiers: words dealt out to the reference's segments by time.

By sclite's rule: within a recording's channel a segment takes the words whose middle lies before
its end and that no segment before it took; the last one takes what is left. Where the reference has
words and no segments, both sides are cut where they pause together, as sclite cuts two ctm files.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from operator import add, sub
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from scoring.alignment.gaps import PauseSearch, TimedWords
from scoring.sides.corpus import ONLY_CHANNEL, Corpus, Words

if TYPE_CHECKING:
    from formats.model import Segment
    from formats.words import Alternation, Token

Channel: TypeAlias = tuple[str, str]
# A plain word, or one that is optional, or alternatives.
Item: TypeAlias = "str | Token | Alternation"

LEAST_SECONDS = 60
# Share of the time beyond which overlapping segments are warned of.
NOTABLE_OVERLAP = 0.01
# Factors between times that tell of a mistaken unit, and what the greater times may be in.
UNITS = (
    (3, "frames of another length"),
    (10, "tenths of a second"),
    (100, "hundredths of a second"),
    (1000, "milliseconds"),
    (10_000, "tenths of a millisecond"),
    (16_000, "samples"),
    (1_000_000, "microseconds"),
    (10_000_000, "ticks of 100 ns"),
)


class Dealt(NamedTuple):
    """Both sides with common identifiers, and how many words stood in ignored segments."""

    reference: Corpus
    hypothesis: Corpus
    ignored_words: int


class _Timed(NamedTuple):
    """Words in order of time: their starts and ends in nanoseconds."""

    starts: list[int]
    ends: list[int]
    items: list[Item]

    @property
    def middles(self) -> list[int]:
        """Twice the middle of each word."""
        return list(map(add, self.starts, self.ends))


class _Side:
    """Utterances of one side, as they come."""

    def __init__(self) -> None:
        self._identifiers: list[str] = []
        self._speakers: list[str | None] = []
        self._words: list[Words] = []
        self._lines: list[int | None] = []
        self._special: dict[int, Segment] = {}
        self._segments: list[Segment] = []

    def add(self, name: str, speaker: str | None, items: Sequence[Item]) -> None:
        """Add an utterance of these words."""
        # no words at all make a segment like any other, so that each utterance has one
        if items and all(isinstance(item, str) for item in items):
            self._append(name, speaker, tuple(map(str, items)), None)
        else:
            self.add_segment(name, speaker, _segment(items))

    def add_segment(self, name: str, speaker: str | None, segment: Segment) -> None:
        """Add a segment as an utterance."""
        if segment.alternations or segment.optional is not None:
            self._special[len(self._words)] = segment
        self._segments.append(segment)
        self._append(name, speaker, segment.words, segment.line)

    def _append(self, name: str, speaker: str | None, words: Words, line: int | None) -> None:
        self._identifiers.append(name)
        self._speakers.append(speaker)
        self._words.append(words)
        self._lines.append(line)

    def corpus(self, side: Corpus, keep: bool) -> Corpus:
        """The utterances in place of the segments of `side`."""
        return side._replace(
            identifiers=self._identifiers,
            speakers=self._speakers,
            words=self._words,
            lines=self._lines,
            special=self._special,
            segments=(),
            sources=self._segments if keep else None,
        )


def deal_by_time(reference: Corpus, hypothesis: Corpus, keep: bool = False) -> Dealt:
    """Give both sides the same utterances.

    A reference whose words are timed but not in segments makes one utterance of each channel.
    Utterances without identifier are named `RECORDING-CHANNEL-NUMBER`. All words of the hypothesis
    have times, and so have the segments of the reference, or its words: see `has_times`.

    Parameters
    ----------
    keep
        Whether utterances are to have segments, with all that is known of their words.
    """
    ours, theirs = by_channel(reference.segments), by_channel(hypothesis.segments)
    spoken = {channel: _in_order(group, keep) for channel, group in theirs.items()}
    left, right = _Side(), _Side()
    ignored = 0
    for channel, group in ours.items():
        timed = spoken.pop(channel, None)
        for name, segment, share in _shared(channel, group, timed, keep):
            if segment.kind == "ignored":
                ignored += len(share)
                continue
            left.add_segment(name, segment.speaker, segment)
            if timed is not None:
                right.add(name, segment.speaker, share)
    for channel, timed in spoken.items():
        right.add(_name(channel), None, timed.items)
    return Dealt(left.corpus(reference, keep), right.corpus(hypothesis, keep), ignored)


def _name(channel: Channel) -> str:
    return f"{channel[0]}-{channel[1]}"


def name_of(segment: Segment, channel: Channel, number: int) -> str:
    """The identifier of a segment: its own, or its number in the channel."""
    return segment.utterance or f"{_name(channel)}-{number:04d}"


def by_channel(segments: Iterable[Segment]) -> dict[Channel, list[Segment]]:
    """The segments of each channel, `1` where it is unset; in order of the file."""
    groups: dict[Channel, list[Segment]] = {}
    for one in segments:
        groups.setdefault((one.recording, one.channel or ONLY_CHANNEL), []).append(one)
    return groups


def has_times(reference: Corpus, hypothesis: Corpus) -> bool:
    """Whether both sides can be matched by time: every word of the hypothesis has its times."""
    return all(one.is_timed for one in hypothesis.segments) and all(
        not _is_open_ended(group) or all(one.is_timed for one in group)
        for group in by_channel(reference.segments).values()
    )


def _is_open_ended(group: Sequence[Segment]) -> bool:
    """Whether segments of a channel lack a place in time; the end of the last one is not needed."""
    open_ended = [one.start_ns for one in group if one.end_ns is None]
    latest = open_ended[0] if open_ended else None
    return len(open_ended) > 1 or (
        bool(open_ended)
        and (latest is None or any(one.start_ns is None or one.start_ns > latest for one in group))
    )


def in_order(group: Sequence[Segment]) -> Sequence[Segment]:
    """Segments in order of time; as they are if the start of any is unknown."""
    starts = [
        next((time for time in (one.start_ns, *(one.starts_ns or ())) if time is not None), None)
        for one in group
    ]
    if None in starts:
        return group
    order = sorted(
        range(len(group)),
        key=lambda at: (starts[at] or 0, group[at].end_ns is None, group[at].end_ns or 0),
    )
    return [group[at] for at in order]


def timing_remarks(reference: Corpus, hypothesis: Corpus) -> Iterator[str]:
    """Warnings of times in another unit, and of segments with equal or overlapping times."""
    for side in (reference, hypothesis):
        yield from _simultaneous(side)
    ours, theirs = by_channel(reference.segments), by_channel(hypothesis.segments)
    said, heard = (
        max(
            (
                time
                for channel in ours.keys() & theirs.keys()
                for one in side[channel]
                for time in (one.end_ns, *(one.ends_ns or ())[-1:])
                if time
            ),
            default=0,
        )
        for side in (ours, theirs)
    )
    remark = unit_remark(hypothesis.name, heard / 1e9, said / 1e9)
    if remark is not None:
        yield remark
    found = {channel: _overlapping(group) for channel, group in ours.items()}
    notable = {channel: share for channel, share in found.items() if share > NOTABLE_OVERLAP}
    if notable:
        (recording, channel), share = max(notable.items(), key=lambda one: one[1])
        more = f", and in {len(notable) - 1} more channels" if len(notable) > 1 else ""
        yield (
            f"{reference.name}: warning: reference segments overlap for {100 * share:.1f} % of the "
            f"time in channel {channel!r} of {recording!r}{more}: compared with one after the "
            "other, right words count as errors (--measure auto is for such speech)"
        )


def _simultaneous(side: Corpus) -> Iterator[str]:
    """A warning of segments with the same times that no two speakers say."""
    first: dict[tuple[Channel, int, int], Segment] = {}
    pairs: list[tuple[Segment, Segment]] = []
    for one in side.segments:
        if one.tier is None and one.words and one.start_ns is not None and one.end_ns is not None:
            channel = (one.recording, one.channel or ONLY_CHANNEL)
            other = first.setdefault((channel, one.start_ns, one.end_ns), one)
            if other is not one and (one.speaker is None or one.speaker == other.speaker):
                pairs.append((other, one))
    if pairs:
        one, other = pairs[0]
        lines = "" if None in (one.line, other.line) else f" in lines {one.line} and {other.line}"
        yield (
            f"{side.name}: warning: segments have the same times, {len(pairs)} pairs, such as "
            f"{' '.join(one.words[:3])!r} and {' '.join(other.words[:3])!r}{lines}: the words of "
            "both are scored"
        )


def unit_remark(name: str, heard: float, said: float) -> str | None:
    """What to warn of if the latest times of both sides are as far apart as units are.

    Parameters
    ----------
    name
        Of the hypothesis.
    heard, said
        Latest times of hypothesis and reference, in seconds.

    Examples
    --------
    >>> unit_remark("talk.ctm", 301.5, 100.0)[:70]
    'talk.ctm: warning: times reach 301.5 s and those of the reference 100 '
    >>> unit_remark("talk.srt", 12.5, 60.0) is None
    True
    """
    if not said or not heard:
        return None
    for factor, unit in UNITS:
        nearness = 1.03 if factor < 10 else 1.25
        if factor < 10 and min(heard, said) < LEAST_SECONDS:
            continue  # where little is said, three times as much may well be heard
        for ratio, whose in ((heard / said, "its"), (said / heard, "the reference's")):
            if factor / nearness < ratio < factor * nearness:
                return (
                    f"{name}: warning: times reach {heard:.6g} s and those of the reference "
                    f"{said:.6g} s, a factor of about {factor}: {whose} times may be in {unit}"
                )
    return None


def _overlapping(group: Sequence[Segment]) -> float:
    """Share of the time of segments in which there are two of them or more."""
    bounds: list[tuple[int, int]] = []
    for one in group:
        if one.start_ns is not None and one.end_ns is not None and one.start_ns < one.end_ns:
            bounds += ((one.start_ns, 1), (one.end_ns, -1))
    bounds.sort()
    spoken = shared = speakers = 0
    for (at, step), (following, _) in pairwise(bounds):
        speakers += step
        spoken += (following - at) * (speakers > 0)
        shared += (following - at) * (speakers > 1)
    return shared / spoken if spoken else 0.0


def _shared(
    channel: Channel,
    group: Sequence[Segment],
    timed: _Timed | None,
    keep: bool,
) -> Iterator[tuple[str, Segment, Sequence[Item]]]:
    """The segments of a channel in order of time, their names, and the words they take."""
    timed = timed or _Timed([], [], [])
    middles, items = timed.middles, timed.items
    if _is_open_ended(group):
        speakers = {segment.speaker for segment in group}
        speaker = speakers.pop() if len(speakers) == 1 else None
        own = _in_order(group, keep)
        columns = []
        for side in (own, timed):
            # seconds as sclite has them: a pause shorter than what a double can hold is one to it
            starts = [start / 1e9 for start in side.starts]
            lengths = map(sub, side.ends, side.starts)
            finishes = [start + length / 1e9 for start, length in zip(starts, lengths, strict=True)]
            columns.append(TimedWords([0.0, *starts], [0.0, *finishes], bytes(len(starts) + 1)))
        for number, chunk in enumerate(PauseSearch(*columns).chunks()):
            segment = _segment(own.items[chunk.reference_begin : chunk.reference_end]).replace(
                recording=channel[0], channel=channel[1], speaker=speaker, line=group[0].line
            )
            share = items[chunk.hypothesis_begin : chunk.hypothesis_end]
            yield f"{_name(channel)}-{number:04d}", segment, share
        return
    ordered = in_order(group)
    at = 0
    for number, segment in enumerate(ordered, 1):
        begin, at = at, len(items)
        if number < len(ordered):
            assert segment.end_ns is not None
            at = bisect_left(middles, 2 * segment.end_ns, begin)
        yield name_of(segment, channel, number), segment, items[begin:at]


def _in_order(group: Sequence[Segment], keep: bool) -> _Timed:
    """The words of a channel in order of time, those of equal time as they stand.

    To keep what is known of plain words, they stay tokens.
    """
    timed = _Timed([], [], [])
    for segment in group:
        starts, ends = segment.starts_ns, segment.ends_ns
        plain = not segment.alternations and segment.optional is None and not keep
        if plain and None not in (starts or (None,)) and None not in (ends or (None,)):
            timed.starts.extend(starts)  # type: ignore[arg-type]
            timed.ends.extend(ends)  # type: ignore[arg-type]
            timed.items.extend(segment.words)
            continue
        _extend(timed, segment, keep)
    middles = timed.middles
    order = sorted(range(len(middles)), key=middles.__getitem__)
    if order == list(range(len(middles))):
        return timed
    return _Timed(*([column[at] for at in order] for column in timed))  # type: ignore[arg-type]


def _extend(timed: _Timed, segment: Segment, keep: bool) -> None:
    """Add the words of a segment one by one."""
    from formats.words import Token

    last = (0, 0)
    for item in segment.items():
        tokens = (item,) if isinstance(item, Token) else tuple(item.tokens())
        # a null word of its own has no time: it stays with the word before
        last = max(((one.start_ns or 0, one.end_ns or 0) for one in tokens), key=sum, default=last)
        timed.starts.append(last[0])
        timed.ends.append(last[1])
        if isinstance(item, Token) and not item.optional and not keep:
            timed.items.append(item.text)
        else:
            timed.items.append(item)


def _segment(items: Sequence[Item]) -> Segment:
    from formats.model import Segment
    from formats.words import Token

    parts = [Token(item) if isinstance(item, str) else item for item in items]
    return Segment.from_items("-", parts)
