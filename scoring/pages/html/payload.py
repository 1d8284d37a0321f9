"""The data of the utterances on a page, in columns.

Words are indices into one list of distinct words. A hypothesis word is stored only if it differs
from the aligned reference word; the edits determine all other words.
"""

from __future__ import annotations

from array import array
from collections.abc import Hashable, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from scoring.model.counts import AS_SKIPPED, NO_HYPOTHESIS, NO_REFERENCE, Edit
from scoring.pages.html.columns import Columns, folded, optional_steps
from scoring.pages.html.extras import NO_EXTRAS, Extras
from scoring.pages.html.lanes import Meeting, lanes_of
from scoring.results.scored_side import Known, ScoredSide

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from scoring.results import Rates
    from scoring.results.sources import WordOrigin

FORMAT = 1
# An edit of the page alone: right, but spelled otherwise than in the reference.
SPELLED_OTHERWISE = 8
PARTS_PER_UNIT = 1_000_000  # of a confidence
NANOSECONDS = 1_000_000  # in a millisecond
LATEST = 1 << 31  # milliseconds; times beyond count as unknown


class ForgivenWords(NamedTuple):
    """A range of words to mark on side 0 or 1, and a tooltip with the forgiven difference."""

    utterance: int
    side: int
    begin: int
    end: int
    title: str


class SystemHead(NamedTuple):
    """The entry of a system in the page's header."""

    name: str
    reference: int  # the numbers of its sides
    hypothesis: int
    rows: bool  # whether it has rows of its own
    # Its sessions, where speakers were assigned and times are known
    meetings: Sequence[Meeting] = ()
    forgiven: Sequence[ForgivenWords] = ()
    counted: bool = False  # whether it has counts of its own, not those of its edits


class NumberedThings:
    """Distinct items, numbered from 0 in order of appearance."""

    def __init__(self) -> None:
        self._numbers: dict[Hashable, int] = {}

    def __call__(self, things: Iterable[Hashable]) -> array[int]:
        """Return the number of each item; an item that is new gets a new number."""
        numbers = self._numbers
        return array("q", (numbers.setdefault(value, len(numbers)) for value in things))

    def listed(self) -> list[Hashable]:
        """Return the items by number."""
        return list(self._numbers)


def payload(systems: Sequence[Rates], names: Sequence[str], extras: Extras = NO_EXTRAS) -> str:
    """Return the utterances of all systems for the page, as compressed text."""
    return _Payload(systems, extras).packed(names)


class _Payload:
    """The columns of the page's data, filled system by system."""

    def __init__(self, systems: Sequence[Rates], extras: Extras) -> None:
        self._systems = systems
        self._extras = extras
        self._columns = Columns()
        self._words = NumberedThings()
        self._sides: list[dict[str, object]] = []
        self._rows = list(
            dict.fromkeys(chain.from_iterable(rates.identifiers for rates in systems))
        )

    def packed(self, names: Sequence[str]) -> str:
        """Return the whole data as compressed text."""
        rules = self._systems[0].rules
        head: dict[str, object] = {"format": FORMAT, "unit": rules.unit}
        head["ignoreCase"] = rules.ignore_case
        head["verdicts"] = self._verdicts()
        head |= self._facts()
        entries: list[SystemHead] = []
        for number, (name, rates) in enumerate(zip(names, self._systems, strict=True)):
            entries.append(self._system(number, name, rates, entries))
        vocabulary = self._extras.vocabulary
        if vocabulary is not None:
            words = map(str, self._words.listed())
            if rules.ignore_case:
                words = map(str.lower, words)
                vocabulary = frozenset(map(str.lower, vocabulary))
            self._columns.add("outside", (word not in vocabulary for word in words))
        head |= {
            "utterances": self._rows,
            "systems": [
                {**entry._asdict(), "meetings": [meeting._asdict() for meeting in entry.meetings]}
                for entry in entries
            ],
            "sides": self._sides,
            "words": self._words.listed(),
        }
        return self._columns.packed(head)

    def _verdicts(self) -> list[object]:
        """Return the decisions on differences, of all systems and without duplicates."""
        files = (rates.verdicts.decisions for rates in self._systems if rates.verdicts is not None)
        return list(map(msgspec.to_builtins, dict.fromkeys(chain.from_iterable(files))))

    def _facts(self) -> dict[str, object]:
        """Return what is known of the utterances: speaker, recording, times, labels."""
        speakers, segments = self._by_row()
        people, recordings, sets = NumberedThings(), NumberedThings(), NumberedThings()
        self._columns.add("speaker", people(speakers))
        heads: dict[str, object] = {"speakers": people.listed()}
        named = {
            identifier: name
            for rates in self._systems
            if rates.groups
            for identifier, name in zip(rates.identifiers, rates.group_names(), strict=True)
        }
        if named:
            groups = NumberedThings()
            self._columns.add("group", groups([named.get(row) for row in self._rows]))
            titles = dict.fromkeys(name for rates in self._systems for name in rates.groups)
            heads |= {"groups": groups.listed(), "groupTitle": " / ".join(titles).capitalize()}
        if any(segment is not None and segment.start_ns is not None for segment in segments):
            for name in ("start", "end"):
                times = (getattr(segment, f"{name}_ns", None) for segment in segments)
                self._columns.add(name, (_milliseconds(time) + 1 for time in times))
        places = [_place(segment) for segment in segments]
        if any(recording is not None for recording in places):
            self._columns.add("recording", recordings(places))
            heads["recordings"] = recordings.listed()
        if self._extras.audio:
            sounds = NumberedThings()
            self._columns.add("sound", sounds(map(self._extras.audio.get, self._rows)))
            heads["sounds"] = sounds.listed()
        if any(segment is not None and segment.labels for segment in segments):
            labels = [() if segment is None else segment.labels for segment in segments]
            self._columns.add("labels", sets(labels))
            heads |= {"labelSets": sets.listed(), "labelTitles": self._titles()}
        return heads

    def _by_row(self) -> tuple[list[str | None], list[Segment | None]]:
        """Return the speaker of every utterance, and the reference segment of every utterance.

        A value is that of the first system that knows it.
        """
        speakers: dict[str, str | None] = {}
        segments: dict[str, Segment] = {}
        for rates in self._systems:
            for identifier, speaker in zip(rates.identifiers, rates.speakers, strict=True):
                if speakers.get(identifier) is None:
                    speakers[identifier] = speaker
            if rates.sources is not None:
                for identifier, segment in zip(
                    rates.identifiers, rates.sources.references, strict=True
                ):
                    segments.setdefault(identifier, segment)
        return [speakers[row] for row in self._rows], [segments.get(row) for row in self._rows]

    def _titles(self) -> dict[str, str]:
        return {
            definition.id: definition.title
            for rates in self._systems
            if rates.sources is not None
            for definition in rates.sources.definitions
            if definition.keyword == "LABEL" and definition.title
        }

    def _system(
        self, number: int, title: str, rates: Rates, earlier: Sequence[SystemHead]
    ) -> SystemHead:
        """Add the columns of a system; return its entry in the header."""
        aligned, name = rates.aligned, f"system{number}"
        identifiers = list(rates.identifiers)
        if identifiers != self._rows:
            row_of = {row: index for index, row in enumerate(self._rows)}
            self._columns.add(f"{name}.rows", (row_of[identifier] for identifier in identifiers))
        same = self._same_reference(number)
        references, hypotheses = list(aligned.references), list(aligned.hypotheses)
        reference = self._words(chain.from_iterable(references))
        hypothesis = self._words(chain.from_iterable(hypotheses))
        edits, kept = _shortened(bytes(aligned.edits).translate(AS_SKIPPED), reference, hypothesis)
        places = (end - begin for begin, end in pairwise(aligned.offsets))
        self._columns.add(f"{name}.places", places)
        self._columns.add(f"{name}.edits", edits)
        by_places = rates.rules.is_by_places
        if by_places:
            self._columns.add(f"{name}.counts", aligned.counts.numbers)
        self._columns.add(f"{name}.words", kept)
        if same is None:
            self._columns.add(f"side{len(self._sides)}.lengths", map(len, references))
            self._columns.add(f"side{len(self._sides)}.words", reference)
            side = self._side(rates, "reference")
        else:
            side = earlier[same].reference
        spoken = self._side(rates, "hypothesis")
        meetings = self._add_lanes(name, rates)
        has_rows = identifiers != self._rows
        forgiven = list(_forgiven_words(rates))
        return SystemHead(title, side, spoken, has_rows, meetings, forgiven, by_places)

    def _add_lanes(self, name: str, rates: Rates) -> Sequence[Meeting]:
        """Add the lanes and the times of words; return the sessions (empty without lanes)."""
        lanes = lanes_of(rates)
        if lanes is None or rates.sources is None:
            return ()
        for side, words, numbers in (
            ("said", rates.sources.said, lanes.spoken),
            ("heard", rates.sources.heard, lanes.heard),
        ):
            self._add_times(f"{name}.{side}", list(chain.from_iterable(words)))
            self._columns.add(f"{name}.{side}.lanes", numbers)
        self._columns.add(f"{name}.given.said", (position for position, _ in lanes.moved))
        self._columns.add(f"{name}.given.heard", (position for _, position in lanes.moved))
        return lanes.meetings

    def _same_reference(self, number: int) -> int | None:
        """Return the number of the first system with an equal reference, or None."""
        rates = self._systems[number]
        for earlier, candidate in enumerate(self._systems[:number]):
            if (
                candidate.reference == rates.reference
                and candidate.rules == rates.rules
                and (candidate.sources is None) == (rates.sources is None)
                and list(candidate.identifiers) == list(rates.identifiers)
                and list(candidate.aligned.references) == list(rates.aligned.references)
            ):
                return earlier
        return None

    def _side(self, rates: Rates, name: str) -> int:
        """Add the times, confidences and stages of a side; return the number of the side."""
        number = len(self._sides)
        entry: dict[str, object] = {"timed": False, "confident": False, "stages": []}
        self._sides.append(entry)
        if rates.sources is None:
            return number
        side = ScoredSide(rates, name)
        timed, confident = side.is_timed, side.is_confident
        words = list(side.known()) if timed or confident else []
        if timed:
            self._add_times(f"side{number}", words)
        if confident:
            self._columns.add(f"side{number}.confidences", map(_confidence, words))
        entry |= {"timed": timed, "confident": confident}
        entry["stages"] = self._add_stages(f"side{number}", side)
        entry["steps"] = list(map(str, side.steps))
        return number

    def _add_times(self, name: str, words: Sequence[Known | WordOrigin]) -> None:
        starts = [_milliseconds(word.start_ns) for word in words]
        ends = [_milliseconds(word.end_ns) for word in words]
        self._columns.add(f"{name}.starts", optional_steps(starts))
        lengths = (
            0 if start < 0 or end < 0 else folded(end - start) + 1
            for start, end in zip(starts, ends, strict=True)
        )
        self._columns.add(f"{name}.durations", lengths)

    def _add_stages(self, name: str, side: ScoredSide) -> list[str]:
        """Add the length of each text after every normalisation stage; return the stages' titles.

        A stored length is 0 for an unchanged text, otherwise length + 1.
        """
        titles = []
        for stage, (title, texts) in enumerate(side.stages()):
            lengths = array("q", (0 if text is None else len(text) + 1 for text in texts))
            if stage == 0 and not any(lengths):
                return []
            self._columns.add(f"{name}.stage{stage}.lengths", lengths)
            words = chain.from_iterable(text for text in texts if text is not None)
            self._columns.add(f"{name}.stage{stage}.words", self._words(words))
            titles.append(title)
        return titles


def _forgiven_words(rates: Rates) -> Iterator[ForgivenWords]:
    """Yield the words to mark for each forgiven difference.

    If words were omitted, the mark is on an adjacent word.
    """
    for row, places in rates.forgiven_by_row.items():
        sides = len(rates.aligned.references[row]), len(rates.aligned.hypotheses[row])
        for place in places:
            side = int(place.side == "hypothesis")
            if not sides[side]:
                continue
            begin = place.place if place.size else min(place.place, sides[side] - 1)
            chosen = f"chosen “{' '.join(place.chosen)}”" if place.chosen else "omitted"
            written = f"written “{' '.join(place.written)}”" if place.written else "not written"
            title = f"{place.kind}: {written}, {chosen}"
            yield ForgivenWords(row, side, begin, begin + max(place.size, 1), title)


def _shortened(
    edits: bytes, reference: Iterable[int], hypothesis: Iterable[int]
) -> tuple[bytes, list[int]]:
    """Return the edits, and the hypothesis words that the edits do not determine.

    A word that is correct but has another spelling gets its own edit code.
    """
    references, hypotheses = iter(reference), iter(hypothesis)
    codes, kept = bytearray(edits), []
    for index, edit in enumerate(edits):
        left = None if edit in NO_REFERENCE else next(references)
        right = None if edit in NO_HYPOTHESIS else next(hypotheses)
        if edit == Edit.CORRECT and left == right:
            continue
        if edit == Edit.CORRECT:
            codes[index] = SPELLED_OTHERWISE
        if right is not None:
            kept.append(right)
    return bytes(codes), kept


def _place(segment: Segment | None) -> str | None:
    """Return the recording and the channel of a segment that has times, otherwise None."""
    if segment is None or segment.recording == "-" or segment.start_ns is None:
        return None
    return segment.recording + (f" · {segment.channel}" if segment.channel else "")


def _milliseconds(time: int | None) -> int:
    """Return a time in milliseconds; -1 if it is unknown or too large for a column."""
    rounded = -1 if time is None or time < 0 else (time + NANOSECONDS // 2) // NANOSECONDS
    return rounded if rounded < LATEST else -1


def _confidence(word: Known) -> int:
    """Return a confidence in millionths plus 1; 0 if it is missing or not between 0 and 1."""
    value = word.confidence
    if value is None or not 0 <= value <= 1:
        return 0
    return round(value * PARTS_PER_UNIT) + 1
