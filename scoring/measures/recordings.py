"""Whole recordings: borders of segments, and changes of errors and times along a recording."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from formats.schema.messages import Message
from scoring.measures.columns import spread
from scoring.measures.messages import DEALT_BY_TIME
from scoring.measures.settings import choice_of
from scoring.measures.spans import MILLISECOND, matched_borders, milliseconds, moves
from scoring.measures.timing import paired_words
from scoring.measures.view import UNTIMED, times_of
from scoring.model.arrays import Integers
from scoring.results.counted import Sums
from scoring.results.measured import (
    TIMES,
    Figure,
    MeasuredValues,
    MeasureSetting,
    MeasureSpec,
    f1_figures,
)
from scoring.sides.corpus import lies_in_time

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from scoring.measures.view import View

TENTHS = 10


class Recordings(NamedTuple):
    """The segments of both sides as read, and the recording of each segment.

    Row n is reference segment n.
    """

    segments: tuple[Sequence[Segment], Sequence[Segment]]
    owners: tuple[Integers, Integers]
    number: int


def recordings_of(view: View, name: str) -> Recordings:
    """Return the recordings of a result for the measure `name`.

    Raises InputError if the hypothesis has no segments because its words were assigned by time.
    """
    sources = view.rates.sources
    assert sources is not None  # `needs` asks for them
    if sources.streams:
        groups = [(stream, len([*rows])) for stream, rows in groupby(sources.stream_of)]
        parts = [sources.streams[stream] for stream, _ in groups]
        owners = spread([size for _, size in groups])[0], spread([len(part) for part in parts])[0]
        return Recordings((sources.references, [*chain(*parts)]), owners, len(groups))
    if view.rates.matching_summary.matched_by.startswith("time") and len(view.hypothesis.ids):
        raise view.error(Message(DEALT_BY_TIME, {"measure": name}))
    pairs = [(row, part) for row, part in enumerate(sources.hypotheses) if part is not None]
    owners = np.arange(len(view)), np.array([row for row, _ in pairs], np.int64)
    return Recordings((sources.references, [part for _, part in pairs]), owners, len(view))


def count_borders(view: View) -> dict[str, Any]:
    """Count segment borders of both sides (once per recording) and matching borders."""
    window, names = view.settings["boundary_window"], _BORDERS[view.settings["boundaries"]]
    recordings = recordings_of(view, "boundaries")
    times, places = zip(*(_borders(part, names) for part in recordings.segments), strict=True)
    owners = [owner[place] for owner, place in zip(recordings.owners, places, strict=True)]
    both = np.concatenate(times)
    axis = moves(both, both, np.concatenate(owners), recordings.number, window + 1)
    (left, ours), (right, theirs) = (
        np.unique(time + axis[owner], return_index=True)
        for time, owner in zip(times, owners, strict=True)
    )
    matched = [border for border, _ in matched_borders(left.tolist(), right.tolist(), window)]
    rows = {
        "reference": places[0][ours],
        "matched": places[0][ours][np.searchsorted(left, np.array(matched, np.int64))],
        # the first row of the recording
        "hypothesis": np.searchsorted(recordings.owners[0], owners[1][theirs]),
    }
    return {name: np.bincount(column, minlength=len(view)) for name, column in rows.items()}


_BORDERS = {"begin": ("start_ns",), "end": ("end_ns",), "both": ("start_ns", "end_ns")}


def _borders(segments: Sequence[Segment], names: Sequence[str]) -> tuple[Integers, Integers]:
    """Return the times of segment borders in order, and the index of the segment of each border."""
    times = np.stack([times_of(segments, name) for name in names], axis=1)
    places, kinds = np.nonzero(times != UNTIMED)
    return times[places, kinds], places


def count_drift(view: View) -> dict[str, Any]:
    """Count errors and reference words, and sum time shifts, in each tenth of the recordings."""
    tenths = _tenths(view)
    before = np.maximum.accumulate(np.where(view.left >= 0, view.left, 0))
    # insertions belong to the reference word before them, or to the first of their utterance
    first = np.minimum(view.reference.offsets[:-1], max(len(tenths) - 1, 0))[view.utterances]
    place = tenths[np.maximum(before, first)] if len(tenths) else np.zeros(len(before), np.int64)
    sums = {
        **_by_tenth("errors", view, place[view.wrong], view.utterances[view.wrong]),
        **_by_tenth("words", view, tenths, view.reference.utterances),
    }
    if view.reference.has("starts_ns") and view.hypothesis.has("starts_ns"):
        ours, theirs, rows = paired_words(view, "matches")
        begins = (
            view.reference.column("starts_ns")[ours],
            view.hypothesis.column("starts_ns")[theirs],
        )
        keep = (begins[0] != UNTIMED) & (begins[1] != UNTIMED)
        places = view.reference.raw.first_of(tenths, -1)[ours[keep]]
        shifts = (begins[1] - begins[0])[keep] // 1000
        sums |= _by_tenth("shift_us", view, places, rows[keep], shifts)
        sums |= _by_tenth("timed", view, places, rows[keep])
    return sums


def _tenths(view: View) -> Integers:
    """Return, for each reference word, the tenth (0 to 9) of its recording that contains the word.

    A tenth has a tenth of the words of a recording. An utterance without times is a recording of
    its own, except if its segment names only a recording: then it belongs to this recording.
    """
    names: dict[object, int] = {}
    places_of = (
        (part.recording, part.channel)
        if lies_in_time(part) or (part.utterance is None and part.recording != "-")
        else row
        for row, part in enumerate(view.segments)
    )
    numbers = [names.setdefault(place, len(names)) for place in places_of]
    owners = np.array(numbers, np.int64)[view.reference.utterances]
    sizes = np.bincount(owners)
    places = np.empty(len(owners), np.int64)
    places[np.argsort(owners, kind="stable")] = spread(sizes)[1]
    return places * TENTHS // sizes[owners]


def _by_tenth(
    name: str, view: View, places: Integers, rows: Integers, weights: Integers | int = 1
) -> dict[str, Integers]:
    """Return, for each tenth, a column with the number of words of each utterance.

    With `weights`, words count by their weights.
    """
    sums = np.zeros((len(view), TENTHS), np.int64)
    np.add.at(sums, (rows, places), weights)
    return {f"{name}_{tenth + 1}": sums[:, tenth] for tenth in range(TENTHS)}


def drift_changes(totals: Sums) -> MeasuredValues:
    """Return how much each figure changes from the first to the last tenth of the recordings."""
    of = {figure.name: figure.of(totals) for figure in _TENTHS}
    changes = {}
    for name in ("rate_{}", "shift_{}_ms"):
        first, last = of[name.format(1)], of[name.format(TENTHS)]
        if first is not None and last is not None:
            changes[name.format("change")] = last - first
    return changes


_milliseconds = partial(Figure, better="none", low=None, high=None, form="number", factor=1e-3)
_TENTHS = (
    *(
        Figure(f"rate_{n}", f"error rate, tenth {n}", f"errors_{n} / words_{n}", high=None)
        for n in range(1, TENTHS + 1)
    ),
    *(
        _milliseconds(f"shift_{n}_ms", f"shift, tenth {n} (ms)", f"shift_us_{n} / timed_{n}")
        for n in range(1, TENTHS + 1)
    ),
)
BOUNDARIES = MeasureSpec(
    name="boundaries",
    title="Borders of segments",
    question=TIMES,
    definition="In each recording, the begins and ends of the segments of both sides are matched "
    "one to one, as many as possible that are at most boundary_window apart. "
    "Precision and recall divide the matched borders by the borders of the hypothesis "
    "and of the reference. The numbers are those of mir_eval's boundary detection, "
    "except that the result is n/a, not 0, if a side has no borders.",
    figures=tuple(
        f1_figures(
            "matched", "reference", "hypothesis", "borders_", names=("f1", "precision", "recall")
        )
    ),
    columns=("matched", "reference", "hypothesis"),
    count=count_borders,
    needs=frozenset({"sources"}),
    parameters=(
        choice_of(
            "boundaries", ("both", "begin", "end"), "which borders to match: begin, end or both"
        ),
        MeasureSetting(
            "boundary_window",
            200 * MILLISECOND,
            milliseconds,
            "milliseconds that matched borders may be apart (default: 200)",
        ),
    ),
)
DRIFT = MeasureSpec(
    name="drift",
    title="Drift over recordings",
    question="Does it get worse towards the end of a recording?",
    definition="Each recording (or each utterance, if there are no times) is cut into ten parts "
    "with the same number of reference words. The rate of a part is its errors "
    "divided by its reference words. An inserted word counts in the part of the "
    "reference word before it. The shift of a part is the mean difference between the "
    "begins of its right words on both sides, if both have times. A clock that runs "
    "too fast or too slow shows as a trend. The changes are the values of the last "
    "part minus those of the first.",
    figures=(
        Figure("rate_change", "error rate: last tenth minus first", "", "none", None, None),
        _milliseconds("shift_change_ms", "shift: last tenth minus first (ms)"),
        *_TENTHS,
    ),
    columns=tuple(
        f"{name}_{tenth}" for name in ("errors", "words") for tenth in range(1, TENTHS + 1)
    ),
    count=count_drift,
    numbers=drift_changes,
    kind="bins",
    needs=frozenset({"sources"}),
)
