"""Pages of diarisation errors: by recording, by speaker, and why tools differ."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from formats.schema.times import format_time
from scoring.drawing import decimal, percent
from scoring.drawing.blocks import Block, Fact, Heading, Lead, Note, Sentence, Table
from scoring.tasks.speakers.der.diarisation_errors import (
    RATES,
    SECONDS,
    DiarisationErrors,
    Rated,
    RecordingErrors,
    error_cells,
    second_cells,
)

if TYPE_CHECKING:
    from scoring.tasks.speakers.der.explain import Explained

OF_SPEAKERS = (
    *("recording", "reference", "hypothesis", "scored s", "missed or confused s", "of scored %"),
    *("either s", "wrong s", "JER %"),
)
FURTHER = {
    "Speech, overlap and speaker changes": {
        f"{kind} {rate} %": f"{kind}_{name}"
        for kind in ("speech", "overlap", "change")
        for rate, name in (("P", "precision"), ("R", "recall"), ("F1", "f1"))
    },
    "Segments and clusters": {
        "segment purity %": "segmentation_purity",
        "segment coverage %": "segmentation_coverage",
        "homogeneity %": "homogeneity",
        "completeness %": "completeness",
        "B3 P %": "b3_precision",
        "B3 R %": "b3_recall",
        "B3 F1 %": "b3_f1",
    },
    "Information in frames of 10 ms": {
        "tau(ref, hyp)": "tau_of_hypothesis",
        "tau(hyp, ref)": "tau_of_reference",
        "H(ref|hyp) bits": "entropy_of_reference",
        "H(hyp|ref) bits": "entropy_of_hypothesis",
        "mutual bits": "mutual_information",
        "normalized": "normalized_mutual_information",
    },
}
"""Tables of further rates: columns by heading, and the names of their rates."""
AGREEMENT = ("purity %", "coverage %", "detection accuracy %", "detection cost")
NOBODY, NONE = "(nobody)", "(none)"


def page_of(
    errors: DiarisationErrors, per_speaker: bool = False, all_rates: bool = False
) -> Iterator[Block]:
    """Yield the errors of each recording and their sum.

    On request, also yield the errors of each speaker, and all further rates.
    """
    yield Lead(errors.sentence())
    yield Heading("Diarisation errors", remark=f"{percent(errors.error_rate)} % of speaker time")
    yield errors.table()
    if errors.by is not None:
        groups = [
            (name or NONE, *error_cells(recording)) for name, recording in errors.per_group.items()
        ]
        yield Table((errors.by, *SECONDS, *RATES), groups)
    if per_speaker:
        yield Heading("Speakers")
        speakers = [row for recording in errors.recordings for row in _speakers(recording)]
        yield Table(OF_SPEAKERS, speakers, text_columns=3)
    yield Heading("Speech detection, clusters")
    rated: list[tuple[str, Rated]] = [(part.recording, part) for part in errors.recordings]
    agreements = [(name, *_agreement(part)) for name, part in (*rated, ("sum", errors))]
    yield Table(("recording", *AGREEMENT), agreements)
    for heading, columns in FURTHER.items() if all_rates else ():
        yield Heading(heading)
        parts = [(name, part.further_rates()) for name, part in (*rated, ("sum", errors))]
        form = decimal if heading.startswith("Information") else percent
        yield Table(
            ("recording", *columns),
            [(name, *(form(rates[rate]) for rate in columns.values())) for name, rates in parts],
        )
    yield Fact("signature", errors.signature)


def _agreement(rated: Rated) -> tuple[str, ...]:
    shares = percent(rated.purity), percent(rated.coverage), percent(rated.detection_accuracy)
    return (*shares, decimal(rated.detection_cost, 4))


def _speakers(recording: RecordingErrors) -> Iterator[tuple[str, ...]]:
    for speaker in recording.speakers:
        lost = [format_time(ns, 3) for ns in (speaker.scored_ns, speaker.lost_ns)]
        times = [format_time(ns, 3) for ns in (speaker.either_ns, speaker.wrong_ns)]
        rates = percent(speaker.lost_rate), percent(float(speaker.jaccard_error))
        names = recording.recording, speaker.name, speaker.partner or NOBODY
        yield (*names, *lost, rates[0], *times, rates[1])
    for name in recording.unmapped:
        yield (recording.recording, NOBODY, name, *[""] * (len(OF_SPEAKERS) - 3))


def page_of_differences(comparison: Explained) -> Iterator[Block]:
    """Yield the results of all tools; for each rule, its effect compared with md-eval."""
    yield Heading("The same turns by the rules of five tools")
    results = [(tool, *error_cells(errors)) for tool, errors in comparison.results.items()]
    yield Table(("tool", *SECONDS, *RATES), results)
    for tool, steps in comparison.steps.items():
        moving = [step for step in steps if any(step.moved)]
        if not steps:
            continue
        yield Heading(f"From md-eval to {tool}", 3)
        if not moving:
            yield Sentence("No differing rule changes the result")
            continue
        rows = [(step.rule, *second_cells(step.moved, "+")) for step in moving]
        yield Table(("rule", *SECONDS), rows)
        if len(moving) < len(steps):
            yield Note(
                f"other rules that differ without changing the result: {len(steps) - len(moving)}"
            )
