"""The metadata of a channel, in md-eval's steps: alignment, mapping, counts, display."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NoReturn

import numpy as np

from scoring.tasks.speakers.der.exclusion import NOSCORE, TURN, overlaps, remaining, zones
from scoring.tasks.speakers.evaluation import ChannelEvaluation, Kinds
from scoring.tasks.speakers.md_eval_records import (
    METADATA,
    Stretch,
    TimedRecord,
    Turns,
    died,
    fatal,
)
from scoring.tasks.speakers.metadata.chronology import chronology
from scoring.tasks.speakers.metadata.details import heading, word_details
from scoring.tasks.speakers.metadata.events import (
    CLOSE,
    UNIT,
    MetadataCounts,
    Zones,
    count_events,
    drop_outside,
    drop_subtype,
    map_events,
    map_to_words,
)
from scoring.tasks.speakers.metadata.words import TimeMap, align_words, mark_words

COMPLEX, UNANNOTATED = ("EDIT", "complex"), (UNIT, "unannotated")


class ChannelMetadata:
    """The metadata of both sides of a channel.

    Parameters
    ----------
    evaluation
        Both sides, the options and the report.
    spans
        The evaluated time spans.
    """

    def __init__(self, evaluation: ChannelEvaluation, spans: Sequence[Stretch]) -> None:
        self.evaluation, self.conditions = evaluation, evaluation.conditions.metadata
        self.zones = Zones(spans)
        self._times: TimeMap | None = None
        if self.conditions.by_alignment or self.conditions.show_chronology:
            self._align_words()
        # zones from which nothing is left are no limit in md-eval
        evaluated = _without(spans, evaluation.spoken.marks, self.conditions.not_evaluated)
        self.evaluated = Zones(evaluated or None)
        if evaluation.spoken.metadata:
            scored: Sequence[Stretch] = evaluated
            if self.conditions.not_scored:
                scored = _without(scored, evaluation.spoken.marks, self.conditions.not_scored)
            if evaluation.conditions.single:
                scored = remaining(scored, overlaps(turn_spans(evaluation.spoken.marks)))
            mark_scoreable(evaluation.spoken.words, scored)

    @property
    def times(self) -> TimeMap | None:
        """The mapping of times by aligned words; None if the options do not request it."""
        return self._times if self.conditions.by_alignment else None

    def _align_words(self) -> None:
        """Align the words, and report about them; if there are no words, end as md-eval does."""
        evaluation, conditions = self.evaluation, self.conditions
        name, report = evaluation.label, evaluation.report
        required = "\n              Words are required for word-mediated alignment"
        spoken, heard = evaluation.spoken.words, evaluation.heard.words
        if conditions.by_alignment and not spoken:
            fatal(f":  no reference words for {name}", report.death)
        if conditions.by_alignment and not heard:
            fatal(f":  no system output words for {name}{required}", report.death)
        for side, words in (("reference", spoken), ("system", heard)):
            records = (evaluation.spoken if side == "reference" else evaluation.heard).marks
            try:
                mark_words(records, words)
            except IndexError:
                self._die(f"expected words beside the metadata of the {side}, found none")
        if not any(self.zones.has_time(word.middle) for word in spoken):
            fatal(f":  no reference words in UEM portion of {name}", report.death)
        if not any(self.zones.has_time(word.middle) for word in heard):
            if conditions.by_alignment:
                problem = f":  no system output words in UEM portion of {name}{required}"
                fatal(problem, report.death)
            return
        gap = conditions.word_gap
        align_words(spoken, heard, gap, conditions.word_margin, per_speaker=conditions.per_speaker)
        self._times = TimeMap(heard)
        for word in heard:
            word.moved_begin, word.moved_end = map(self._times.moved, (word.begin, word.end))
        if conditions.show_words:
            where = f"channel {evaluation.channel} of file {evaluation.file}"
            report.text.append(f"\nWord alignment and scoring details for {where}\n")
            report.text.append(heading(by_alignment=conditions.by_alignment))
            report.text.extend(
                word_details(spoken, heard, gap, by_alignment=conditions.by_alignment)
            )

    def _die(self, problem: str) -> NoReturn:
        """Raise the error with which md-eval ends if metadata have the given problem."""
        evaluation = self.evaluation
        name = f"{evaluation.file} {evaluation.channel}"
        raise died(f"md-eval.pl: {name}: {problem}\n", evaluation.report.death)

    def counts(self) -> Iterator[tuple[str, MetadataCounts]]:
        """Yield the counts of each type of metadata in the reference."""
        evaluation, conditions = self.evaluation, self.conditions
        for kind in sorted(evaluation.spoken.metadata):
            if not evaluation.spoken.words:
                fatal(f":  no reference words for {evaluation.label}", evaluation.report.death)
            spoken = evaluation.spoken.metadata[kind]
            heard = evaluation.heard.metadata.get(kind, [])
            map_to_words(evaluation, spoken, heard, self.times)
            spoken = drop_outside(evaluation, spoken, self.evaluated, "REF")
            if not spoken:
                continue
            map_events(spoken, heard, conditions)
            if kind == COMPLEX[0] and conditions.without_complex:
                spoken, heard = drop_subtype(*COMPLEX, spoken, heard)
            if kind == UNIT:
                spoken, heard = drop_subtype(*UNANNOTATED, spoken, heard)
            heard = drop_outside(evaluation, heard, self.evaluated, "SYS")
            yield kind, count_events(evaluation, kind, spoken, heard)

    def moved_turns(self) -> dict[str, Turns]:
        """Convert the system's turns to the reference's times; warn about turns without words."""
        evaluation, times = self.evaluation, self.times
        if times is None and not self.conditions.by_words:
            return evaluation.heard.turns
        spoken, heard = (
            [
                record
                for name in sorted(side.records)
                for record in sorted(side.records[name], key=lambda record: record.middle)
            ]
            for side in evaluation.sides
        )
        map_to_words(evaluation, spoken, heard, times)
        if times is None:
            return evaluation.heard.turns
        return {
            name: _moved(turns, evaluation.heard.records[name], times)
            for name, turns in evaluation.heard.turns.items()
        }

    def chronology(self, speakers: Mapping[str, str]) -> Iterator[str]:
        """Yield the display of all records; `speakers` maps the system's speakers to partners."""
        evaluation = self.evaluation
        if not evaluation.heard.marks:
            self._die("expected records of the system, found none")
        spoken, heard = (
            [
                record
                for record in side.marks
                if record.kind != "LEXEME" or record.partner or self.zones.holds(record)
            ]
            for side in evaluation.sides
        )
        spoken = [record for record in spoken if self._is_kept(record)]
        if self.conditions.without_complex:
            spoken, heard = drop_subtype(*COMPLEX, spoken, heard)
        spoken, heard = drop_subtype(*UNANNOTATED, spoken, heard)
        heard = [record for record in heard if self._is_kept(record)]
        yield from chronology(evaluation, spoken, heard, speakers)

    def _is_kept(self, record: TimedRecord) -> bool:
        """Return True if a record is mapped or evaluated, or is not metadata."""
        is_other = record.kind not in METADATA or record.partner is not None
        return is_other or self.evaluated.holds(record)


def _without(
    spans: Sequence[Stretch], records: Iterable[TimedRecord], excluded: Kinds
) -> list[Stretch]:
    """Return the time spans without the zones of the excluded records."""
    marks = (
        (
            NOSCORE if (record.kind, record.subtype) in excluded else record.kind,
            record.begin,
            record.end,
        )
        for record in records
    )
    return remaining(spans, zones(marks, [NOSCORE], CLOSE))


def turn_spans(records: Iterable[TimedRecord]) -> list[Stretch]:
    """Return the spans of the turns among records."""
    return [(record.begin, record.end) for record in records if record.kind == TURN]


def mark_scoreable(words: Iterable[TimedRecord], scored: Sequence[Stretch]) -> None:
    """Set flags of scored words; as in md-eval, all words are scored if no time remains."""
    zones_ = Zones(scored or None)
    for word in words:
        word.is_scoreable = zones_.has_time(word.middle)


def _moved(turns: Turns, records: Sequence[TimedRecord], times: TimeMap) -> Turns:
    """Return the turns after mapping the system's times to the reference's times."""
    begins, ends = (
        [times.anchored(time) for time in column.tolist()] for column in (turns.begins, turns.ends)
    )
    texts = [
        text or f"{time:.15g}" if times.has_anchors else record.begin_text
        for (time, text), record in zip(begins, records, strict=True)
    ]
    return Turns(
        np.array([time for time, _ in begins]),
        np.array([time for time, _ in ends]),
        turns.middles,
        texts,
        [text or f"{time:.15g}" for time, text in ends],
        np.array([record.duration > 0 for record in records]),
    )
