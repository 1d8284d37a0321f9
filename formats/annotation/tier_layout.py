"""Assignment of segments to tiers, so that `formats.annotation.tier_reading` can restore them.

A tier holds no overlaps, so overlapping segments go to additional tiers ``name#2``, ``name#3``, ….
Words with times go to a separate tier: ``anne - words`` for the tier ``anne``. A tier name is
chosen from which the reader gets the same kind and speaker. If no such name exists, each segment
whose kind or speaker is not preserved is counted.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter
from typing import TypeAlias

from formats.annotation.messages import (
    DURATION,
    RULE_CONFUSED,
    RULE_MADE_LONG,
    RULE_NO_LENGTH,
    RULE_OF_ANOTHER_NAME,
    RULE_OF_EVENTS,
    RULE_ON_FURTHER_TIERS,
    RULE_ONE_OF_TWO,
    RULE_OWN_POINTS,
    RULE_READ_AS_SILENCE,
    RULE_SORTED_TIER,
    RULE_TIER_NAME,
    RULE_TIER_NAMES,
    RULE_UNNAMED_LENGTH,
    RULE_WIDENED,
)
from formats.annotation.tier_reading import PAUSE, owned_columns
from formats.annotation.tiers import (
    SPEAKER_NAMES,
    SYLLABLES,
    Tier,
    TierRules,
    guess_kind,
    is_about_speech,
    is_no_speech,
    split_name,
    unnumbered,
)
from formats.detection.spec import SegmentSource
from formats.io.messages import RULE_EMPTY_NAME, RULE_MADE_LF
from formats.io.sink import Sink
from formats.reading.silence import is_silence
from formats.schema.errors import quoted
from formats.schema.messages import Message
from formats.schema.model import Segment
from formats.schema.times import parse_time
from formats.writing.out import Out

TimedText: TypeAlias = tuple[int, int, str]
PlacedSegment: TypeAlias = tuple[int, int, Segment]

MOST_TIERS = 1000


@dataclass(slots=True)
class OutputTier:
    """A tier to be written. The `owner` of a tier of words is its tier of utterances."""

    name: str
    participant: str | None = None
    is_points: bool = False
    owner: "OutputTier | None" = None
    labels: list[TimedText] = field(default_factory=list)
    placed: list[Segment] = field(default_factory=list)
    end_ns: int = 0

    def add(self, begin: int, end: int, text: str) -> None:
        """Append a label to the tier."""
        self.labels.append((begin, end, text))
        self.end_ns = end


@dataclass(slots=True)
class TierLayout:
    """The tiers of one recording. `recording` is `None` if there are no segments."""

    recording: str | None = None
    duration_ns: int = 0
    tiers: list[OutputTier] = field(default_factory=list)


def lay_out(
    segments: SegmentSource, sink: Sink, *, precision: int, has_points: bool, has_participants: bool
) -> TierLayout:
    """Assign all segments to tiers.

    In a format without points, a segment without duration gets the shortest possible interval.
    """
    builder = _Builder(sink, precision, has_points, has_participants)
    for segment in segments:
        builder.take(segment)
    layout = builder.finish()
    duration = dict(segments.properties).get("duration")
    if duration is not None:
        try:
            layout.duration_ns = max(layout.duration_ns, parse_time(duration))
        except ValueError:
            sink.log.say(DURATION, duration=duration)
    return layout


class _Builder:
    def __init__(
        self, sink: Sink, precision: int, has_points: bool, has_participants: bool
    ) -> None:
        self.sink = sink
        self.precision = precision
        self.unit = 10 ** (9 - precision)
        self.has_points = has_points
        self.has_participants = has_participants
        self.layout = TierLayout()
        self.groups: dict[tuple[str, str | None, bool], list[PlacedSegment]] = {}
        self.names: set[str] = set()
        self.segments: list[Segment] = []

    def take(self, segment: Segment) -> None:
        """Add a segment to the group of segments with the same tier."""
        out = Out(segment, self.sink)
        out.no_empty_word()
        self.layout.recording = segment.recording
        names = {"speaker": segment.speaker, "tier": segment.tier}
        odd = {n: text for n, text in names.items() if text and "\r" in text}
        if odd and not self.has_participants:
            out.lost("line ends in names", len(odd), RULE_MADE_LF)
            mended = {n: t.replace("\r\n", "\n").replace("\r", "\n") for n, t in odd.items()}
            segment = segment.replace(**mended)
        begin, end = self._times(out)
        is_point = False
        if segment.kind == "event" and begin == end and self.has_points:
            is_point = True
        elif begin == end and not self.has_points:
            end += self.unit
            out.lost(
                "segments without length",
                1,
                Message(RULE_MADE_LONG, {"milliseconds": self.unit // 10**6}),
            )
        if segment.kind == "event" and not segment.words and not is_point:
            out.lost("events", 1, RULE_UNNAMED_LENGTH)
            return
        name = self._name(segment, is_point)
        out.lost("speakers", int(segment.speaker == ""), RULE_EMPTY_NAME)
        speaker = segment.speaker or None
        self.groups.setdefault((name, speaker, is_point), []).append((begin, end, segment))
        self.segments.append(segment)

    def _times(self, out: Out) -> tuple[int, int]:
        """Return start and end of the segment, rounded and extended to enclose all its words."""
        segment = out.segment
        begin, end = segment.start_ns, segment.end_ns
        if begin is None or end is None or not 0 <= begin <= end:
            times = "none" if begin is None or end is None else f"{segment.start} to {segment.end}"
            raise out.refuse("a segment with times in order", times)
        starts = [n for n in segment.starts_ns or () if n is not None and n >= 0]
        ends = [n for n in segment.ends_ns or () if n is not None]
        first, last = min((begin, *starts)), max((end, *ends))
        changed = (first != begin) + (last != end)
        out.lost("segment times", changed, RULE_WIDENED)
        first, last = out.round(self.precision, first, last)
        return first, last

    def _name(self, segment: Segment, is_point: bool) -> str:
        """Return the first tier name from which the reader gets the segment's kind and speaker."""
        speaker = segment.speaker or None
        is_event = segment.kind == "event"
        level = "events" if is_event else "segments"
        for name in (segment.tier, None if is_event else speaker):
            if name and self._fits(name, speaker, is_event, is_point):
                return name
        return level if speaker is None else f"{speaker} - {level}"

    def _fits(self, name: str, speaker: str | None, is_event: bool, is_point: bool) -> bool:
        kinds = ("event", "phone") if is_event else ("segment",)
        if not is_event and (
            SPEAKER_NAMES.fullmatch(name) or is_about_speech(name) or is_no_speech(name)
        ):
            return False  # read as no speech beside other tiers
        if not is_point and guess_kind(name) not in kinds:
            return False
        part = split_name(unnumbered(name))[0]
        return self.has_participants or speaker in (part, None) or (part is None and is_point)

    def finish(self) -> TierLayout:
        """Return all tiers. Overlapping segments of a group are distributed over several tiers."""
        intervals = {name for name, _, is_point in self.groups if not is_point}
        self.names.update(intervals)
        done: set[str] = set()
        for (name, speaker, is_point), placed in self.groups.items():
            placed.sort(key=itemgetter(0, 1))
            if is_point:
                self._points(name, speaker, placed)
                continue
            # Two speakers on tiers of one name: the second needs another.
            free_name = self._free(name) if name in done else name
            done.add(free_name)
            self._intervals(free_name, speaker, placed)
        self._count_what_reads_back_otherwise()
        # Where one segment stands twice either place will do.
        ordered = [segment for tier in self.layout.tiers for segment in tier.placed]
        ranks = {id(segment): rank for rank, segment in enumerate(ordered)}
        self.sink.losses.in_order(
            self.segments, lambda segment: ranks[id(segment)], RULE_SORTED_TIER, self.sink.source
        )
        self.layout.duration_ns = max((tier.end_ns for tier in self.layout.tiers), default=0)
        return self.layout

    def _free(self, name: str) -> str:
        """Reserve the first of the names ``name#2``, ``name#3``, … that is unused; return it."""
        number = 2
        while f"{name}#{number}" in self.names:
            number += 1
        self.names.add(f"{name}#{number}")
        return f"{name}#{number}"

    def _tier(self, name: str, speaker: str | None, **more: object) -> OutputTier:
        tier = OutputTier(name, speaker if self.has_participants else None, **more)  # type: ignore[arg-type]
        self.names.add(name)
        self.layout.tiers.append(tier)
        return tier

    def _points(self, name: str, speaker: str | None, placed: Iterable[PlacedSegment]) -> None:
        if name in self.names:
            level = "events" if speaker is None else f"{speaker} - events"
            name = level if level not in self.names else self._free(level)
        tier = self._tier(name, speaker, is_points=True)
        for begin, end, segment in placed:
            tier.add(begin, end, " ".join(segment.words))
            tier.placed.append(segment)

    def _intervals(self, name: str, speaker: str | None, placed: Iterable[PlacedSegment]) -> None:
        tracks: list[_Track] = []
        points: list[PlacedSegment] = []
        for begin, end, segment in placed:
            out = Out(segment, self.sink)
            if begin == end:
                points.append((begin, end, segment))
                out.lost("segments without length", 1, RULE_OWN_POINTS)
                out.lost("word times", _count_timed(segment), RULE_NO_LENGTH)
                continue
            track = next((t for t in tracks if t.tier.end_ns <= begin), None)
            if track is None:
                _check_size(len(tracks), out)
                free_name = self._free(name) if tracks else name
                track = _Track(self, self._tier(free_name, speaker), speaker)
                tracks.append(track)
            out.lost("overlapping segments", int(track is not tracks[0]), RULE_ON_FURTHER_TIERS)
            track.add(begin, end, out)
        if points:
            base = name.removesuffix("#points")
            number, free_name = 2, f"{base}#points"
            while free_name in self.names:
                free_name, number = f"{base}#{number}#points", number + 1
            self._points(free_name, speaker, points)

    def _count_what_reads_back_otherwise(self) -> None:
        tiers = [
            Tier(t.name, is_points=t.is_points, participant=t.participant)
            for t in self.layout.tiers
        ]
        has_syllables = any(SYLLABLES.fullmatch(tier.name) for tier in tiers)
        for segment in self.segments if has_syllables else ():
            if segment.kind != "event" and PAUSE in segment.words:
                expected = f"another word beside a tier of syllables, where {PAUSE} is a pause"
                raise Out(segment, self.sink).refuse(expected, quoted(PAUSE))
        roles = TierRules().roles(tiers, single_is_speaker=self.has_participants)
        for tier, role in zip(self.layout.tiers, roles, strict=True):
            for segment in tier.placed:
                out, speaker = Out(segment, self.sink), segment.speaker or None
                if segment.tier and segment.tier != tier.name:
                    out.lost("tiers", 1, RULE_OF_ANOTHER_NAME)
                if role.speaker != speaker and speaker is None:
                    out.lost("speakers invented", 1, RULE_TIER_NAME)
                elif role.speaker != speaker:
                    out.lost("speakers", 1, RULE_TIER_NAMES)


def _check_size(count: int, out: Out) -> None:
    if count >= MOST_TIERS:
        expected = f"at most {MOST_TIERS} segments or words of one tier at one time"
        raise out.refuse(expected, "more")


def _count_timed(segment: Segment) -> int:
    """Return the number of words that have a start or an end."""
    no_times = (None,) * len(segment.words)
    times = zip(segment.starts_ns or no_times, segment.ends_ns or no_times, strict=True)
    return sum(1 for both in times if both != (None, None))


class _Track:
    """A tier of utterances, and the tiers of the words in these utterances."""

    def __init__(self, builder: _Builder, tier: OutputTier, speaker: str | None) -> None:
        self.builder = builder
        self.tier = tier
        self.speaker = speaker
        self.words: list[OutputTier] = []
        self.points: OutputTier | None = None

    def add(self, begin: int, end: int, out: Out) -> None:
        segment = out.segment
        self.tier.add(begin, end, " ".join(segment.words))
        self.tier.placed.append(segment)
        is_pause = len(segment.words) == 1 and is_silence(segment.words[0])
        out.lost("words", int(is_pause and segment.kind != "event"), RULE_READ_AS_SILENCE)
        lost = _count_timed(segment)
        if not lost:
            return
        if segment.kind == "event":
            out.lost("word times", lost, RULE_OF_EVENTS)
            return
        # A word without length at the end might as well belong to the next segment.
        timed = [
            word
            for word in self._timed_words(out)
            if word[1] < word[2] or (self.builder.has_points and word[2] < end)
        ]
        fitted = owned_columns(segment.words, [word[3] for word in timed]) if timed else None
        read_back = [n for n, place in enumerate(fitted[1]) if place is not None] if fitted else []
        rule = RULE_CONFUSED
        is_in_order = all(a[1:3] <= b[1:3] for a, b in pairwise(timed))
        if read_back == [word[0] for word in timed] and is_in_order:
            lost, rule = lost - len(timed), RULE_ONE_OF_TWO
            self._place(timed, out)
        out.lost("word times", lost, rule)

    def _timed_words(self, out: Out) -> Iterator[tuple[int, int, int, str]]:
        """Yield the index, the rounded start and end, and the text of each word with times."""
        for n, token in enumerate(out.segment.all_tokens()):
            begin, end = token.start_ns, token.end_ns
            if begin is not None and end is not None and 0 <= begin <= end:
                first, last = out.round(self.builder.precision, begin, end)
                yield n, first, last, token.text

    def _place(self, timed: list[tuple[int, int, int, str]], out: Out) -> None:
        for _, begin, end, text in timed:
            if begin == end:
                if self.points is None:
                    name = f"{self._words_name()}#points"
                    self.points = self.builder._tier(name, self.speaker, is_points=True)
                self.points.add(begin, begin, text)
                continue
            tier = next((t for t in self.words if t.end_ns <= begin), None)
            if tier is None:
                _check_size(len(self.words), out)
                name = self._words_name()
                name = self.builder._free(name) if self.words else name
                tier = self.builder._tier(name, self.speaker, owner=self.tier)
                self.words.append(tier)
            tier.add(begin, end, text)

    def _words_name(self) -> str:
        """Return a name from which the reader knows that a tier of words belongs to this tier."""
        if self.words:
            return self.words[0].name
        name = "words" if self.tier.name == "segments" else f"{self.tier.name} - words"
        return name if name not in self.builder.names else self.builder._free(name)
