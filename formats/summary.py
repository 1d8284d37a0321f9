"""What a transcript holds, in figures: recordings, speakers, words, confidences, time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from math import inf

from formats.model import UNSPOKEN_KINDS, Segment
from formats.times import SECOND, format_time

SHOWN_NAMES = 10


@dataclass(frozen=True, slots=True, repr=False)
class Share:
    """What one recording, or one speaker, has of a transcript.

    Attributes
    ----------
    name: of the recording or speaker.
    segments, words: how many; words of all branches of alternations count, names of events do not.
    start_ns, end_ns: earliest start and latest end in nanoseconds, `None` without times.
    covered_ns: nanoseconds during which at least one segment, or word where segments have no
        times, goes on.
    """

    name: str
    segments: int
    words: int
    start_ns: int | None
    end_ns: int | None
    covered_ns: int

    def __repr__(self) -> str:
        return f"<Share {self.name}: {self.segments} segments, {self.words} words>"

    def as_dictionary(self) -> dict[str, object]:
        """For JSON; times in seconds."""
        return {
            "name": self.name,
            "segments": self.segments,
            "words": self.words,
            "start": None if self.start_ns is None else self.start_ns / SECOND,
            "end": None if self.end_ns is None else self.end_ns / SECOND,
            "covered": self.covered_ns / SECOND,
        }


@dataclass(frozen=True, slots=True, repr=False)
class Summary:
    """What a transcript holds.

    Attributes
    ----------
    kinds: number of segments by kind, pairs.
    recordings, speakers: a `Share` each, in order of first appearance; segments without a speaker
        are in no share of `speakers`.
    channels, tiers, labels: names in order of first appearance.
    words, timed_words, interpolated_words, distinct_words: how many were said; what describes an
        event, or is looked for, is none.
    alternations, optional_words: how many.
    confident_words: how many words have a confidence.
    confidences: least, mean and greatest of them, or `None`.
    """

    alternations: int
    channels: tuple[str, ...]
    confidences: tuple[float, float, float] | None
    confident_words: int
    distinct_words: int
    interpolated_words: int
    kinds: tuple[tuple[str, int], ...]
    labels: tuple[str, ...]
    optional_words: int
    recordings: tuple[Share, ...]
    speakers: tuple[Share, ...]
    tiers: tuple[str, ...]
    timed_words: int
    words: int

    def __repr__(self) -> str:
        return f"<Summary: {len(self.recordings)} recordings, {self.words} words>"

    def as_dictionary(self) -> dict[str, object]:
        """For JSON; times in seconds."""
        least, mean, greatest = self.confidences or (None, None, None)
        return {
            "segments": dict(self.kinds),
            "words": self.words,
            "distinct_words": self.distinct_words,
            "timed_words": self.timed_words,
            "interpolated_words": self.interpolated_words,
            "alternations": self.alternations,
            "optional_words": self.optional_words,
            "confidences": {
                "words": self.confident_words, "least": least, "mean": mean, "greatest": greatest,
            },
            "channels": list(self.channels),
            "tiers": list(self.tiers),
            "labels": list(self.labels),
            "recordings": [share.as_dictionary() for share in self.recordings],
            "speakers": [share.as_dictionary() for share in self.speakers],
        }  # fmt: skip

    def rows(self) -> list[tuple[str, str]]:
        """Names and texts for people."""
        timed = f", {self.timed_words} with times" if self.timed_words else ""
        interpolated = (
            f" ({self.interpolated_words} interpolated)" if self.interpolated_words else ""
        )
        rows = [
            ("segments", ", ".join(f"{count} {kind}" for kind, count in self.kinds) or "0"),
            ("words", f"{self.words}, {self.distinct_words} distinct{timed}{interpolated}"),
        ]
        if self.alternations or self.optional_words:
            rows.append(("choices", f"{self.alternations} alternations, {self.optional_words} "
                         "optional words"))  # fmt: skip
        if self.confidences is not None:
            least, mean, greatest = self.confidences
            rows.append(("confidences", f"{self.confident_words} words, {least:.3f} to "
                         f"{greatest:.3f}, mean {mean:.3f}"))  # fmt: skip
        for noun in ("channels", "tiers", "labels"):
            names: tuple[str, ...] = getattr(self, noun)
            if names:
                rows.append((noun, _shown(names)))
        for noun, shares in (("recording", self.recordings), ("speaker", self.speakers)):
            rows.extend((noun, _share_row(share)) for share in shares[:SHOWN_NAMES])
            if len(shares) > SHOWN_NAMES:
                rows.append((noun, f"… and {len(shares) - SHOWN_NAMES} more"))
        return rows


def _shown(names: tuple[str, ...]) -> str:
    more = f", … and {len(names) - SHOWN_NAMES} more" if len(names) > SHOWN_NAMES else ""
    return ", ".join(names[:SHOWN_NAMES]) + more


def _share_row(share: Share) -> str:
    text = f"{share.name}: {share.segments} segments, {share.words} words"
    if share.start_ns is None or share.end_ns is None:
        return text
    span = f"{format_time(share.start_ns)} to {format_time(share.end_ns)} s"
    return f"{text}, {span}, {format_time(share.covered_ns)} s covered"


class _Part:
    """A share in the making: stretches of time are joined as they come."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.segments = 0
        self.words = 0
        self.stretches: list[tuple[int, int]] = []

    def add(self, segment: Segment) -> None:
        self.segments += 1
        self.words += segment.word_count
        if segment.start_ns is not None:
            self._cover(segment.start_ns, segment.end_ns)
        elif segment.starts_ns is not None:
            ends = segment.ends_ns or (None,) * len(segment.starts_ns)
            for start, end in zip(segment.starts_ns, ends, strict=True):
                if start is not None:
                    self._cover(start, end)

    def _cover(self, start: int, end: int | None) -> None:
        last = start if end is None else max(start, end)
        if self.stretches and self.stretches[-1][0] <= start <= self.stretches[-1][1]:
            begin, before = self.stretches[-1]
            self.stretches[-1] = begin, max(before, last)
        else:
            self.stretches.append((start, last))

    def finish(self) -> Share:
        start = min((first for first, _ in self.stretches), default=None)
        end = max((last for _, last in self.stretches), default=None)
        covered = 0
        reached = start or 0
        for first, last in sorted(self.stretches):
            covered += max(0, last - max(first, reached))
            reached = max(reached, last)
        return Share(self.name, self.segments, self.words, start, end, covered)


def summarize(segments: Iterable[Segment]) -> Summary:
    """The figures of all segments, taken in one pass.

    >>> from formats.model import Segment
    >>> summarize([Segment.of("rec1", ["a", "b"], speaker="anne", start=0.0, end=1.5)]).speakers
    (<Share anne: 1 segments, 2 words>,)
    """
    kinds: Counter[str] = Counter()
    counts: Counter[str] = Counter()
    recordings: dict[str, _Part] = {}
    speakers: dict[str, _Part] = {}
    names: dict[str, dict[str, None]] = {"channels": {}, "tiers": {}, "labels": {}}
    vocabulary: set[str] = set()
    total, least, greatest = 0.0, inf, -inf
    for segment in segments:
        kinds[segment.kind] += 1
        recordings.setdefault(segment.recording, _Part(segment.recording)).add(segment)
        if segment.speaker is not None:
            speakers.setdefault(segment.speaker, _Part(segment.speaker)).add(segment)
        if segment.channel is not None:
            names["channels"][segment.channel] = None
        if segment.tier is not None:
            names["tiers"][segment.tier] = None
        names["labels"].update(dict.fromkeys(segment.labels))
        if segment.kind in UNSPOKEN_KINDS:
            continue
        counts["words"] += segment.word_count
        counts["alternations"] += len(segment.alternations)
        vocabulary.update(segment.words)
        for _, alternation in segment.alternations:
            vocabulary.update(token.text for token in alternation.tokens())
        counts["timed_words"] += sum(start is not None for start in segment.starts_ns or ())
        counts["interpolated_words"] += sum(segment.interpolated or ())
        counts["optional_words"] += sum(segment.optional or ())
        for value in segment.confidences or ():
            if value is not None:
                counts["confident_words"] += 1
                total += value
                least, greatest = min(least, value), max(greatest, value)
    count = counts["confident_words"]
    return Summary(
        kinds=tuple(kinds.items()),
        recordings=tuple(part.finish() for part in recordings.values()),
        speakers=tuple(part.finish() for part in speakers.values()),
        distinct_words=len(vocabulary),
        confidences=(least, total / count, greatest) if count else None,
        words=counts["words"],
        timed_words=counts["timed_words"],
        interpolated_words=counts["interpolated_words"],
        alternations=counts["alternations"],
        optional_words=counts["optional_words"],
        confident_words=counts["confident_words"],
        **{noun: tuple(values) for noun, values in names.items()},
    )
