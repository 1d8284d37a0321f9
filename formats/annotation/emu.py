"""emu: annotations of the EMU speech database and of OCTRA, as JSON with levels of items.

====================================  ============================================================
in the file                           in the schema
====================================  ============================================================
level ``SEGMENT``                     a tier (`formats.annotation.tiers`)
level ``EVENT``                       a tier of points
level ``ITEM``                        a tier; an item lasts as long as the segments to which its
                                      ``links`` lead; without links, it has no times
label named like its level            the text; for words, the label ``Text``, ``ORT`` or similar
                                      if there is one (``--attribute`` names another)
levels linked to a level of words     events, unless the name of the level means utterances
label ``Speaker`` of an item (OCTRA)  `Segment.speaker`
``sampleStart``, ``sampleDur``        times, divided by ``sampleRate``; an item ends one sample
                                      after start plus duration, unless most items begin where the
                                      preceding item has this sum
``name``, otherwise ``annotates``     `Segment.recording`
====================================  ============================================================
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil
from operator import sub
from typing import NamedTuple

from formats.annotation.messages import EMU_LINKS
from formats.annotation.tier_reading import segments_of_tiers
from formats.annotation.tiers import (
    TIER_OPTIONS,
    Tier,
    TierLabel,
    TierRules,
    guess_kind,
    split_name,
)
from formats.detection.spec import FormatSpec, Option
from formats.io.source import Source, recording_of
from formats.json.numbers import LATEST
from formats.json.value import JsonDocument, JsonValue
from formats.reading.frames import FrameRate
from formats.schema.model import Segment

SPELLINGS = ("text", "ort", "orthography", "orth", "word")
WORDS = ("ort", "orthography", "orth")
SPEAKER = "Speaker"
MOST_SAMPLES = 10**9


class EmuItem(NamedTuple):
    """A segment, a point, or an item that gets its times from linked items.

    Times are numbers of samples.
    """

    id: int
    labels: list[tuple[str, str]]
    start: int | None
    length: int | None
    point: int | None
    line: int | None

    def text(self, name: str) -> str | None:
        """Return the label with the given name, or `None`."""
        names = (text for label, text in self.labels if label.lower() == name.lower())
        return next(names, None)


class Level(NamedTuple):
    """A level: a named list of items."""

    name: str
    type: str
    items: list[EmuItem]


def read(
    source: Source, *, tier_map: str = "", speaker_from: str = "auto", attribute: str = ""
) -> Iterator[Segment]:
    """Yield the segments of all levels, in the order of the file."""
    rules = TierRules(tier_map, speaker_from)
    for value in JsonDocument(source).values:
        value = value.get("annotation") or value
        source.is_silent = True
        document = _Document(source, value)
        yield from segments_of_tiers(source, document.recording, document.tiers(attribute), rules)


class _Document:
    """The annotation of a recording: its levels, and a mapping from item numbers to times."""

    def __init__(self, source: Source, value: JsonValue) -> None:
        self.source = source
        rate = value.required("sampleRate").number()
        if not 1 <= rate <= MOST_SAMPLES:
            expected = f"a rate of 1 to {MOST_SAMPLES} samples a second"
            raise value.required("sampleRate").error(expected)
        self.rate = FrameRate(*Fraction(rate).as_integer_ratio())
        self.most_samples = ceil(LATEST * Fraction(rate))
        source.properties["sample_rate"] = f"{rate:.12g}"
        name = value.text_of("name") or recording_of(value.text_of("annotates") or "")
        self.recording = name or source.recording
        self.levels: list[Level] = []
        for level in value.elements("levels"):
            rows = level.elements("items")
            items = list(source.log.accepted("EMU-ITEM", self._item, rows))
            name, kind = level.required("name").text(), level.required("type").text()
            self.levels.append(Level(name, kind, items))
        self.one_more = self._ends_behind_last()
        self.spans = {
            item.id: span
            for level in self.levels
            for item in level.items
            if (span := self._own_span(level, item)) is not None
        }
        links = [
            (link.required("fromID").whole(), link.required("toID").whole())
            for link in value.elements("links")
        ]
        self.is_linked = bool(links)
        if links:
            self._inherit(value, links)

    def _item(self, value: JsonValue) -> Iterator[EmuItem]:
        samples: list[int | None] = []
        for name in ("sampleStart", "sampleDur", "samplePoint"):
            member = value.get(name)
            samples.append(None if member is None else member.whole())
            total = sum(filter(None, samples))
            if member is not None and ((samples[-1] or 0) < 0 or total >= self.most_samples):
                raise member.error("a number of samples, 0 or more, within 292 years")
        labels = [
            (label.text_of("name") or "", "" if text is None else str(text.value))
            for label in value.elements("labels")
            for text in (label.get("value"),)
        ]
        start, length, point = samples
        yield EmuItem(value.required("id").whole(), labels, start, length, point, value.line)

    def _ends_behind_last(self) -> int:
        """Return 1 if items end one sample after start plus duration, otherwise 0.

        They do if most items begin one sample after this sum of the preceding item.
        """
        gaps: Counter[int] = Counter()
        for level in self.levels:
            timed = [item for item in level.items if item.start is not None]
            starts = [item.start or 0 for item in timed]
            lasts = [start + (item.length or 0) for start, item in zip(starts, timed, strict=True)]
            gaps.update(map(sub, starts[1:], lasts))
        return int(gaps[1] >= gaps[0])

    def _own_span(self, level: Level, item: EmuItem) -> tuple[int, int] | None:
        if level.type == "EVENT":
            ends = item.point, item.point
        else:
            ends = item.start, (item.start or 0) + (item.length or 0) + self.one_more
        first, last = ends
        if first is None or last is None:
            return None
        return self.rate.time(first), self.rate.time(last)

    def _inherit(self, value: JsonValue, links: Sequence[tuple[int, int]]) -> None:
        """Give each item without times the span of the segments to which it links."""
        kinds: dict[int, str] = {}
        for level in self.levels:
            for item in level.items:
                if item.id in kinds:
                    error = value.error("an id that no other item has", f"{item.id} twice")
                    self.source.log.reject("EMU-IDS", error)
                kinds[item.id] = level.type
        above: dict[int, list[int]] = defaultdict(list)
        waiting: Counter[int] = Counter()
        missing = 0
        for upper, lower in links:
            if upper in kinds and lower in kinds:
                above[lower].append(upper)
                waiting[upper] += 1
            else:
                missing += 1
        if missing:
            self.source.log.say(EMU_LINKS, links=missing)
        done = [number for number in kinds if not waiting[number]]
        for number in done:
            span = None if kinds[number] == "EVENT" else self.spans.get(number)
            for upper in above[number]:
                if span is not None and kinds[upper] == "ITEM":
                    begin, end = self.spans.get(upper, span)
                    self.spans[upper] = min(begin, span[0]), max(end, span[1])
                waiting[upper] -= 1
                if not waiting[upper]:
                    done.append(upper)
        if len(done) < len(kinds):
            raise value.error("links from higher to lower levels", "circular links")

    def tiers(self, attribute: str) -> list[Tier]:
        """Return the levels as tiers. A level of an OCTRA file becomes one tier per speaker."""
        tiers: dict[str, Tier] = {}
        has_words = False
        for level in self.levels:
            items = level.items
            is_orthography = self.is_linked and level.name.lower() in WORDS
            is_words = is_orthography or guess_kind(level.name) == "word"
            names = (attribute,) if attribute else SPELLINGS if is_words else ()
            has_words = has_words or (is_words and bool(items))
            spelling = next((n for n in names if any(i.text(n) is not None for i in items)), "")
            for item in items:
                speaker = item.text(SPEAKER) or None if level.name != SPEAKER else None
                name = level.name if speaker is None else f"{speaker} - {level.name}"
                if name not in tiers:
                    level_name = "word" if is_words else None
                    is_points = level.type == "EVENT"
                    tiers[name] = Tier(
                        name, participant=speaker, is_points=is_points, level=level_name
                    )
                text = item.text(spelling) if spelling else item.text(level.name)
                text = item.labels[0][1] if text is None and item.labels else text or ""
                start, end = self.spans.get(item.id, (None, None))
                tiers[name].labels.append(TierLabel(start, end, text, item.line))
        for tier in tiers.values() if has_words and self.is_linked else ():
            if tier.level is None and guess_kind(tier.name) == "segment":
                is_utterance = split_name(tier.name)[1] == "segment" or tier.participant
                tier.level = None if is_utterance else "comment"
        return list(tiers.values())


SPEC = FormatSpec(
    title="annotations of EMU and OCTRA: levels of items with times in samples, in JSON",
    sign='"annotates", "sampleRate" and "levels"',
    read=read,
    has_one_recording=True,
    read_options=(
        *TIER_OPTIONS,
        Option("attribute", "", "attribute definition whose labels are read from emu files"),
    ),
)
