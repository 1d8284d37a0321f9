"""Statistics of a transcript: recordings, speakers, words, confidences, time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from math import inf

from formats.schema.model import UNSPOKEN_KINDS, Segment
from formats.schema.times import SECOND, format_time

SHOWN_NAMES = 10


@dataclass(slots=True, repr=False)
class Share:
    """The statistics of one recording or speaker; durations are in nanoseconds."""

    name: str
    segments: int = 0
    words: int = 0
    stretches: list[tuple[int, int]] = field(default_factory=list)

    def __repr__(self) -> str:
        return f"<Share {self.name}: {self.segments} segments, {self.words} words>"

    def add(self, segment: Segment) -> None:
        """Count a segment. If it has no times, those of its words are used."""
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

    def times(self) -> tuple[int | None, int | None, int]:
        """Return the earliest start, the latest end, and the time covered by segments or words."""
        if not self.stretches:
            return None, None, 0
        start = reached = min(first for first, _ in self.stretches)
        covered = 0
        for first, last in sorted(self.stretches):
            covered += max(0, last - max(first, reached))
            reached = max(reached, last)
        return start, reached, covered

    def as_dictionary(self) -> dict[str, object]:
        """Return the statistics as a dictionary for JSON; times are in seconds."""
        names = ("start", "end", "covered")
        times = (None if time is None else time / SECOND for time in self.times())
        head = {"name": self.name, "segment_count": self.segments, "word_count": self.words}
        return {**head, **dict(zip(names, times, strict=True))}

    def row(self) -> str:
        """Return the statistics as a line of text."""
        start, end, covered = self.times()
        sums = numbered(self.segments, "segment"), numbered(self.words, "word")
        text = f"{self.name}: {', '.join(sums)}"
        if start is None or end is None:
            return text
        span = f"{format_time(start)} to {format_time(end)} s"
        return f"{text}, {span}, {format_time(covered)} s covered"


class Summary:
    """Statistics of a transcript, updated segment by segment.

    Names are in order of first appearance. Segments without a speaker do not count in `speakers`.
    Events and queries have no words.
    """

    def __init__(self) -> None:
        self.kinds: Counter[str] = Counter()
        self.recordings: dict[str, Share] = {}
        self.speakers: dict[str, Share] = {}
        self.names: dict[str, dict[str, None]] = {"channels": {}, "tiers": {}, "labels": {}}
        self._counts: Counter[str] = Counter()
        self._vocabulary: set[str] = set()
        self._total, self._least, self._greatest = 0.0, inf, -inf

    def __repr__(self) -> str:
        return f"<Summary: {len(self.recordings)} recordings, {self.words} words>"

    @property
    def words(self) -> int:
        """The number of spoken words."""
        return self._counts["words"]

    @property
    def confidences(self) -> tuple[float, float, float] | None:
        """Minimum, mean and maximum confidence of the words that have a confidence."""
        count = self._counts["confident"]
        return (self._least, self._total / count, self._greatest) if count else None

    def add(self, segment: Segment) -> None:
        """Count a segment."""
        self.kinds[segment.kind] += 1
        for name, shares in (
            (segment.recording, self.recordings),
            (segment.speaker, self.speakers),
        ):
            if name is not None:
                shares.setdefault(name, Share(name)).add(segment)
        if segment.channel is not None:
            self.names["channels"][segment.channel] = None
        if segment.tier is not None:
            self.names["tiers"][segment.tier] = None
        self.names["labels"].update(dict.fromkeys(segment.labels))
        if segment.kind not in UNSPOKEN_KINDS:
            self._add_words(segment)

    def _add_words(self, segment: Segment) -> None:
        counts = self._counts
        counts["words"] += segment.word_count
        counts["alternations"] += len(segment.alternations)
        self._vocabulary.update(segment.words)
        for _, alternation in segment.alternations:
            self._vocabulary.update(token.text for token in alternation.tokens())
        counts["timed"] += sum(start is not None for start in segment.starts_ns or ())
        counts["interpolated"] += sum(segment.interpolated or ())
        counts["optional"] += sum(segment.optional or ())
        for value in segment.confidences or ():
            if value is not None:
                counts["confident"] += 1
                self._total += value
                self._least, self._greatest = min(self._least, value), max(self._greatest, value)

    def as_dictionary(self) -> dict[str, object]:
        """Return the statistics as a dictionary for JSON; times are in seconds."""
        counts = self._counts
        least, mean, greatest = self.confidences or (None, None, None)
        return {
            "counts": dict(self.kinds),
            "word_count": self.words,
            "distinct_words": len(self._vocabulary),
            "timed_words": counts["timed"],
            "interpolated_words": counts["interpolated"],
            "alternation_count": counts["alternations"],
            "optional_words": counts["optional"],
            "confidences": {
                "word_count": counts["confident"], "min": least, "mean": mean, "max": greatest,
            },
            **{noun: list(names) for noun, names in self.names.items()},
            "recordings": [share.as_dictionary() for share in self.recordings.values()],
            "speakers": [share.as_dictionary() for share in self.speakers.values()],
        }  # fmt: skip

    def rows(self) -> list[tuple[str, str]]:
        """Return the statistics as pairs of a name and a text."""
        counts = self._counts
        timed = f", {counts['timed']} with times" if counts["timed"] else ""
        invented = f" ({counts['interpolated']} interpolated)" if counts["interpolated"] else ""
        rows = [
            ("segments", ", ".join(f"{count} {kind}" for kind, count in self.kinds.items()) or "0"),
            ("words", f"{self.words}, {len(self._vocabulary)} distinct{timed}{invented}"),
        ]
        if counts["alternations"] or counts["optional"]:
            choices = f"{counts['alternations']} alternations, {counts['optional']} optional words"
            rows.append(("choices", choices))
        if self.confidences is not None:
            least, mean, greatest = self.confidences
            span = f"{least:.3f} to {greatest:.3f}, mean {mean:.3f}"
            rows.append(("confidences", f"{counts['confident']} words, {span}"))
        for noun, names in self.names.items():
            if names:
                more = [f"… and {len(names) - SHOWN_NAMES} more"][: len(names) > SHOWN_NAMES]
                rows.append((noun, ", ".join([*list(names)[:SHOWN_NAMES], *more])))
        for noun, shares in (("recording", self.recordings), ("speaker", self.speakers)):
            rows.extend((noun, share.row()) for share in list(shares.values())[:SHOWN_NAMES])
            if len(shares) > SHOWN_NAMES:
                rows.append((noun, f"… and {len(shares) - SHOWN_NAMES} more"))
        return rows


def summarize(segments: Iterable[Segment]) -> Summary:
    """Return the statistics of all segments, computed in one pass."""
    summary = Summary()
    for segment in segments:
        summary.add(segment)
    return summary


def numbered(number: int, noun: str, form: str = "") -> str:
    """Return a number with its noun; `form` is the format of the number.

    >>> numbered(1, "word"), numbered(1500, "word"), numbered(1500, "word", ",")
    ('1 word', '1500 words', '1,500 words')
    """
    return f"{number:{form}} {noun}" if number == 1 else f"{number:{form}} {noun}s"
