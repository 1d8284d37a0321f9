"""Mapping and counting of the metadata of a channel."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from scoring.tasks.speakers.der.exclusion import LEAST_REACH, TURN
from scoring.tasks.speakers.evaluation import ChannelEvaluation, MetadataConditions
from scoring.tasks.speakers.md_eval_records import Stretch, TimedRecord
from scoring.tasks.speakers.metadata.alignment import Neighbours, PathSearch
from scoring.tasks.speakers.metadata.details import aligned_pairs, detail, heading
from scoring.tasks.speakers.metadata.words import SPANS, TimeMap, WordPlaces

CLOSE = LEAST_REACH / 1e9
POINTS = frozenset({"IP", "CB"})
UNIT = "SU"
COUNTED = ("REF", "DEL", "INS", "SUB")
SUBTYPE_FACTOR, END_FACTOR = 1.1, 1.001


class Zones:
    """The scored time: sorted disjoint time spans, or all time (None)."""

    def __init__(self, stretches: Sequence[Stretch] | None) -> None:
        self.stretches = stretches or ()
        self.is_everything = stretches is None
        self._begins = [begin for begin, _ in self.stretches]

    def has_time(self, time: float) -> bool:
        """Return True if the zones contain a time."""
        place = bisect_right(self._begins, time) - 1
        return self.is_everything or (place >= 0 and time <= self.stretches[place][1])

    def holds(self, record: TimedRecord) -> bool:
        """Return True if a single zone contains the whole record."""
        if self.is_everything:
            return True
        place = bisect_right(self._begins, record.begin + 2 * CLOSE) - 1
        while place >= 0 and record.begin < self._begins[place] - CLOSE:
            place -= 1
        return place >= 0 and record.end <= self.stretches[place][1] + CLOSE


@dataclass(slots=True)
class MetadataCounts:
    """The counts of a type of metadata in a channel."""

    # Words of the reference: `REF`, `DEL`, `INS` and `SUB`; none if no word is scored
    words: dict[str, int] = field(default_factory=dict)
    # By border, how many words it is off
    offsets: dict[str, Counter[int]] = field(default_factory=dict)
    # By kind of count, speaker and subtype
    events: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    # By subtypes of both sides
    confusions: Counter[tuple[str, str]] = field(default_factory=Counter)


def map_to_words(
    evaluation: ChannelEvaluation,
    spoken: Iterable[TimedRecord],
    heard: Sequence[TimedRecord],
    times: TimeMap | None,
) -> None:
    """Map the system's times to the reference's; find the reference words in each record."""
    places = WordPlaces(evaluation.spoken.words)
    for record in heard:
        record.moved_begin, record.moved_end = record.begin, record.end
        if times is not None:
            record.moved_begin, record.moved_end = map(times.moved, (record.begin, record.end))
        record.first_word, record.last_word = places.within(record.moved_begin, record.moved_end)
    by_words = times is not None or evaluation.conditions.metadata.by_words
    for record in spoken:
        record.first_word, record.last_word = places.within(record.begin, record.end)
        is_empty = record.last_word < record.first_word and record.kind not in POINTS
        if is_empty and (by_words or record.kind != TURN):
            _warn_of_no_words(evaluation, record, "reference", "reference")
    if times is None:
        return
    places = WordPlaces(evaluation.heard.words)
    for record in heard:
        first, last = places.within(record.begin, record.end)
        if last < first and record.kind not in POINTS:
            _warn_of_no_words(evaluation, record, "system output", "system output")


def _warn_of_no_words(
    evaluation: ChannelEvaluation, record: TimedRecord, side: str, words: str
) -> None:
    evaluation.report.remarks.append(
        f"\nWARNING:  {side} metadata event subsumes no {words} words\n"
        f"    file='{evaluation.file}', chnl='{evaluation.channel}', tbeg='{record.begin_text}',"
        f" tend='{record.end:.15g}', type='{record.kind}', subtype='{record.subtype}'"
    )


def drop_outside(
    evaluation: ChannelEvaluation, records: Iterable[TimedRecord], zones: Zones, side: str
) -> list[TimedRecord]:
    """Return the records that are mapped or in zones; warn of dropped records with scored words."""
    kept, words = [], evaluation.spoken.words
    places = WordPlaces(words)
    for record in records:
        if record.partner is not None or zones.holds(record):
            kept.append(record)
            continue
        first, last = places.within(record.begin, record.end)
        if any(
            word.is_scoreable and zones.has_time(word.middle) for word in words[first : last + 1]
        ):
            evaluation.report.remarks.append(
                f"\nWARNING:  A {side} metadata event is being deleted that covers evaluated "
                f"reference LEXEMEs\n    (type={record.kind}, subtype={record.subtype}, "
                f"spkr={record.speaker}, TBEG={record.begin_text}, TEND={record.end:.15g})"
            )
    return kept


def drop_subtype(
    kind: str, subtype: str, spoken: Iterable[TimedRecord], heard: Iterable[TimedRecord]
) -> tuple[list[TimedRecord], list[TimedRecord]]:
    """Return both sides without the reference records of a subtype and their counterparts.

    A system record of the kind is dropped if its partner has the subtype. Without a partner, it is
    dropped if its middle lies in a dropped reference record.
    """
    kept: list[TimedRecord] = []
    dropped: list[TimedRecord] = []
    for record in spoken:
        (dropped if (record.kind, record.subtype) == (kind, subtype) else kept).append(record)
    rest = []
    for record in heard:
        partner = record.partner
        if record.kind == kind and partner is not None:
            is_dropped = bool(dropped) and partner.subtype == subtype
        else:
            # Perl takes a time that was never found for 0
            middle = record.moved_middle or 0.0
            is_dropped = record.kind == kind and any(
                other.begin <= middle <= other.end for other in dropped
            )
        if not is_dropped:
            rest.append(record)
    return kept, rest


def map_events(
    spoken: Sequence[TimedRecord], heard: Sequence[TimedRecord], conditions: MetadataConditions
) -> None:
    """Pair the metadata records of both sides, and set the `partner` of each paired record."""
    scores = _EventScores(heard, conditions)
    alignment = PathSearch(
        len(spoken),
        [0.0] * len(heard),
        lambda place: 0.0,
        lambda place: scores.of(spoken[place]),
        conditions.margin,
    )
    alignment.extend(range(len(spoken)))
    if heard:
        for place, other in alignment.pairs(len(spoken) - 1):
            spoken[place].partner, heard[other].partner = heard[other], spoken[place]


class _EventScores:
    """Scores of the system's records for a reference record: by common time, or common words."""

    def __init__(self, heard: Sequence[TimedRecord], conditions: MetadataConditions) -> None:
        self._heard, self._conditions = heard, conditions
        self._spans = [self._span(record, is_moved=True) for record in heard]
        self._neighbours = Neighbours(self._spans)

    def _span(self, record: TimedRecord, *, is_moved: bool) -> tuple[float, float]:
        """Return the start and end of a record, or of the last part of a long unit.

        They are in seconds, or in word positions if the options measure in words.
        """
        by_words, limit = self._conditions.by_words, self._conditions.longest_unit
        begin, end = (
            (record.first_word, record.last_word) if by_words else (record.begin, record.end)
        )
        if is_moved and not by_words:
            begin, end = record.moved_begin or 0.0, record.moved_end or 0.0
        if record.kind == UNIT:
            begin = max(begin, end - (limit - 1 if by_words else limit))
        return begin, end

    def of(self, spoken: TimedRecord) -> Iterator[tuple[int, float]]:
        """Yield positions of records near a reference record, each with its score."""
        gap, is_point = self._conditions.gap, spoken.kind in POINTS
        more = 1 if self._conditions.by_words else 0
        begin, end = self._span(spoken, is_moved=False)
        length = end - begin + more
        for place in self._neighbours.near(begin, end, gap + 1):
            heard_begin, heard_end = self._spans[place]
            overlap = min(end, heard_end) - max(begin, heard_begin) + more
            if is_point:
                overlap += CLOSE
            overlap += gap
            if overlap < 0:
                continue
            heard = self._heard[place]
            if spoken.subtype == heard.subtype:
                overlap *= SUBTYPE_FACTOR
            if spoken.last_word == heard.last_word:
                overlap *= END_FACTOR
            least = max(length, CLOSE)
            if length + gap >= least:
                overlap = overlap * least / (length + gap)
            yield place, overlap


def count_events(
    evaluation: ChannelEvaluation,
    kind: str,
    spoken: Sequence[TimedRecord],
    heard: Sequence[TimedRecord],
) -> MetadataCounts:
    """Count the words, borders and events of a type of metadata; add its details to the report."""
    words = evaluation.spoken.words
    counts = MetadataCounts(_word_errors(kind, spoken, heard, words))
    for record in spoken:
        partner = record.partner
        if partner is not None:
            for border, own, other in (
                ("BEG", record.first_word, partner.first_word),
                ("END", record.last_word, partner.last_word),
            ):
                offset = words_between(border, own, other, words)
                counts.offsets.setdefault(border, Counter())[offset] += 1
    conditions = evaluation.conditions.metadata
    lines: list[str] = []
    for pair in aligned_pairs(spoken, heard):
        wrong = 1
        if pair.spoken is None:
            assert pair.heard is not None
            speaker = _speaker_of(pair.heard, words)
            counts.events["INS", speaker, pair.heard.subtype] += 1
        else:
            speaker, subtype = pair.spoken.speaker, pair.spoken.subtype
            counts.events["REF", speaker, subtype] += 1
            if pair.heard is None:
                counts.events["DEL", speaker, subtype] += 1
            else:
                wrong = int(subtype != pair.heard.subtype)
                counts.events["SUB", speaker, subtype] += wrong
                counts.confusions[subtype, pair.heard.subtype] += 1
        is_spoken = int(pair.spoken is not None)
        lines.append(detail(pair, is_spoken, wrong, by_alignment=conditions.by_alignment))
    if conditions.show_events:
        where = f"channel {evaluation.channel} of file {evaluation.file}"
        text = evaluation.report.text
        text.append(f"\n{kind} alignment and scoring details for {where}\n")
        text.append(heading(by_alignment=conditions.by_alignment))
        text.extend(lines)
    return counts


class _WordTags:
    """The metadata that contain each reference word or end at it, by side and subtype."""

    def __init__(self) -> None:
        self.mapped: tuple[Counter[str], Counter[str]] = Counter(), Counter()
        self.unmapped = [0, 0]


def _word_errors(
    kind: str,
    spoken: Iterable[TimedRecord],
    heard: Iterable[TimedRecord],
    words: Sequence[TimedRecord],
) -> dict[str, int]:
    """Count the reference words in metadata or at their ends, and how many of them are wrong."""
    tags: dict[int, _WordTags] = {}
    last = len(words) - 1
    for side, records in enumerate((spoken, heard)):
        for record in records:
            final = min(record.last_word, last)
            # an end before all words is at the first
            first = max(record.first_word, 0) if kind in SPANS else max(final, 0)
            for place in range(first, (final if kind in SPANS else first) + 1):
                tag = tags.setdefault(place, _WordTags())
                if kind in SPANS or record.partner is not None:
                    tag.mapped[side][record.subtype] += 1
                else:
                    tag.unmapped[side] += 1
    if kind in SPANS:
        if not any(word.is_scoreable for word in words):
            return {}
        tags = {place: tag for place, tag in tags.items() if words[place].is_scoreable}
    errors = dict.fromkeys(COUNTED, 0)
    for tag in tags.values():
        here, there = tag.mapped[0].total() + tag.unmapped[0], tag.mapped[1].total()
        errors["REF"] += here
        errors["DEL"] += max(here - there, 0)
        errors["INS"] += max(there - here, 0) + tag.unmapped[1]
        errors["SUB"] += min(here, there) - (tag.mapped[0] & tag.mapped[1]).total()
    return errors


def words_between(border: str, spoken: int, heard: int, words: Sequence[TimedRecord]) -> int:
    """Count scored words from the reference's border to the system's.

    The number is negative if the system's border is earlier.
    """
    first, last = min(spoken, heard), max(spoken, heard)
    shift = int(border == "END")
    places = range(max(first + shift, 0), min(last + shift, len(words)))
    between = sum(words[place].is_scoreable for place in places)
    return between if heard > spoken else -between


def _speaker_of(record: TimedRecord, words: Sequence[TimedRecord]) -> str:
    """Return the speaker of the reference words in a system record; None if there are several."""
    first, last = sorted((record.first_word, record.last_word))
    speaker = ""
    for place in range(max(first, 0), min(last, len(words) - 1) + 1):
        # Perl takes a speaker called 0 for none
        if speaker in ("", "0"):
            speaker = words[place].speaker
        if words[place].speaker != speaker:
            return "unknown"
    return speaker or "unknown"
