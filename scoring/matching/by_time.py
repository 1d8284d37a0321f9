"""Transcripts without common identifiers: words dealt out to the reference's segments by time.

By sclite's rule: within a recording's channel a segment takes the words whose middle lies before
its end and that no segment before it took; the last one takes what is left. Where the reference has
words and no segments, both sides are cut where they pause together, as sclite cuts two ctm files.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from operator import add, sub
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from scoring.alignment.gaps import PauseSearch, TimedWords
from scoring.errors import InputError
from scoring.matching.identifier import MatchingError
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
    Utterances without identifier are named `RECORDING-CHANNEL-NUMBER`. Where a side's format has
    no notion of recordings, and both sides hold one each, these are taken for the same. Where a
    side names no channel of a recording, that is the only one the other side names, else `1`.

    Parameters
    ----------
    keep
        Whether utterances are to have segments, with all that is known of their words.

    Raises
    ------
    InputError
        If words of the hypothesis have no times, or segments of the reference neither.
    MatchingError
        If the sides have no channel in common.
    """
    hypothesis = _of_same_recording(reference, hypothesis)
    ours = _by_channel(reference, hypothesis)
    theirs = _by_channel(hypothesis, reference)
    if ours and theirs and ours.keys().isdisjoint(theirs):
        raise _other_channels(reference, hypothesis, list(ours), list(theirs))
    remarks = [*hypothesis.remarks, *_remarks(reference, hypothesis, ours, theirs)]
    hypothesis = hypothesis._replace(remarks=tuple(remarks))
    spoken = {channel: _in_order(group, hypothesis, keep) for channel, group in theirs.items()}
    left, right = _Side(), _Side()
    ignored = 0
    for channel, group in ours.items():
        timed = spoken.pop(channel, None)
        for name, segment, share in _shared(channel, group, reference, timed, keep):
            if segment.kind == "ignored":
                ignored += len(share)
                continue
            left.add_segment(name, segment.speaker, segment)
            if timed is not None:
                right.add(name, segment.speaker, share)
    for channel, timed in spoken.items():
        right.add(_name(channel), None, timed.items)
    return Dealt(left.corpus(reference, keep), right.corpus(hypothesis, keep), ignored)


def _of_same_recording(reference: Corpus, hypothesis: Corpus) -> Corpus:
    """The hypothesis with the name of the reference's recording, where a name is only a file's."""
    if not (reference.named_by_file or hypothesis.named_by_file):
        return hypothesis
    ours = {segment.recording for segment in reference.segments}
    theirs = {segment.recording for segment in hypothesis.segments}
    if len(ours) != 1 or len(theirs) != 1 or ours == theirs:
        return hypothesis
    [name], [other] = ours, theirs
    remark = f"note: {hypothesis.name}: its only recording, {other}, is taken for {name}"
    renamed = tuple(segment.replace(recording=name) for segment in hypothesis.segments)
    return hypothesis._replace(segments=renamed, remarks=(*hypothesis.remarks, remark))


def _name(channel: Channel) -> str:
    return f"{channel[0]}-{channel[1]}"


def channels_of(segments: Iterable[Segment]) -> list[Channel]:
    """The channels, by recording and name, `1` where they have no name; in order of the file."""
    return list(dict.fromkeys((one.recording, one.channel or ONLY_CHANNEL) for one in segments))


def _by_channel(side: Corpus, other: Corpus) -> dict[Channel, list[Segment]]:
    """The segments of each channel; one without a name is the only one that `other` names."""
    named = {(one.recording, one.channel) for one in other.segments if one.channel is not None}
    counts = Counter(recording for recording, _ in named)
    only = {recording: name for recording, name in named if counts[recording] == 1}
    groups: dict[Channel, list[Segment]] = {}
    for segment in side.segments:
        name = segment.channel or only.get(segment.recording) or ONLY_CHANNEL
        groups.setdefault((segment.recording, name), []).append(segment)
    return groups


def _other_channels(
    reference: Corpus, hypothesis: Corpus, ours: Sequence[Channel], theirs: Sequence[Channel]
) -> MatchingError:
    """The error of sides of which no channel is the same."""
    expected, found = ours[0], theirs[0]
    hint = ""
    heard = {recording for recording, _ in theirs}
    same = [one for one in ours if one[0] in heard]
    if same:
        expected = same[0]
        found = next(one for one in theirs if one[0] == expected[0])
        hint = f" (--channel-alias {found[1]}={expected[1]} takes it for that)"
    return MatchingError(
        f"{hypothesis.name}: expected channels of {reference.name}, such as {expected[1]!r} of "
        f"{expected[0]!r}, found others only, such as {found[1]!r} of {found[0]!r}{hint}"
    )


def _remarks(
    reference: Corpus,
    hypothesis: Corpus,
    ours: Mapping[Channel, Sequence[Segment]],
    theirs: Mapping[Channel, Sequence[Segment]],
) -> Iterator[str]:
    """What to warn of: times in another unit, segments that overlap notably."""
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
            f"time in channel {channel!r} of {recording!r}{more}: matched by time with one after "
            "the other, right words count as errors; the measure for such speech is cpWER"
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
    reference: Corpus,
    timed: _Timed | None,
    keep: bool,
) -> Iterator[tuple[str, Segment, Sequence[Item]]]:
    """The segments of a channel in order of time, their names, and the words they take."""
    timed = timed or _Timed([], [], [])
    middles, items = timed.middles, timed.items
    # where does each segment lie? The end of the last one is not needed
    open_ended = [segment.start_ns for segment in group if segment.end_ns is None]
    latest = open_ended[0] if open_ended else None
    if open_ended and (
        len(open_ended) > 1
        or latest is None
        or any(one.start_ns is None or one.start_ns > latest for one in group)
    ):
        speakers = {segment.speaker for segment in group}
        speaker = speakers.pop() if len(speakers) == 1 else None
        own = _in_order(group, reference, keep)
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
    ordered = sorted(
        group,
        key=lambda one: (one.start_ns or 0, one.end_ns is None, one.end_ns or 0),
    )
    at = 0
    for number, segment in enumerate(ordered, 1):
        begin, at = at, len(items)
        if number < len(ordered):
            assert segment.end_ns is not None
            at = bisect_left(middles, 2 * segment.end_ns, begin)
        name = segment.utterance or f"{_name(channel)}-{number:04d}"
        yield name, segment, items[begin:at]


def _in_order(group: Sequence[Segment], side: Corpus, keep: bool) -> _Timed:
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
        _extend(timed, segment, side, keep)
    middles = timed.middles
    order = sorted(range(len(middles)), key=middles.__getitem__)
    if order == list(range(len(middles))):
        return timed
    return _Timed(*([column[at] for at in order] for column in timed))  # type: ignore[arg-type]


def _extend(timed: _Timed, segment: Segment, side: Corpus, keep: bool) -> None:
    """Add the words of a segment one by one."""
    from formats.words import Token

    last = (0, 0)
    for item in segment.items():
        stretches = []
        for token in (item,) if isinstance(item, Token) else tuple(item.tokens()):
            if token.start_ns is None or token.end_ns is None:
                raise InputError(
                    side.name,
                    segment.line,
                    None,
                    "expected times of every word to match by, since there are no common "
                    f"identifiers; found none of {token.text!r} (--interpolate works them out from "
                    "those of segments)",
                )
            stretches.append((token.start_ns, token.end_ns))
        # a null word of its own has no time: it stays with the word before
        last = max(stretches, key=sum, default=last)
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
