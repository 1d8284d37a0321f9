"""Inventions and losses of words.

The measures count output for silence, words in gaps, runs of insertions or deletions, empty
hypotheses, and hypotheses that are much too long, too short or too fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.measures.columns import bins_by_value
from scoring.measures.settings import whole_from
from scoring.measures.spans import moves
from scoring.measures.view import UNTIMED
from scoring.model.counts import Edit
from scoring.results.measured import COUNT, INVENTION, PER_HOUR, Figure, MeasureSetting, MeasureSpec

if TYPE_CHECKING:
    from scoring.measures.view import View

MARGIN_NS = 250_000_000
NANOSECONDS = 1_000_000
APART = 10
"""Difference in words from which a hypothesis is much longer or shorter than the reference."""
FASTEST = 7
"""Words per second that no speaker exceeds."""


def count_silence(view: View) -> dict[str, Any]:
    """Count utterances without reference words, and the hypothesis words in them."""
    silent = np.diff(view.reference.raw.tokens.offsets) == 0
    words = np.diff(view.hypothesis.raw.tokens.offsets)
    return {
        "silent": silent,
        "answered": silent & (words > 0),
        "silent_errors": view.errors * silent,
        "errors": view.errors,
        "invented_words": np.where(silent, words, 0),
        "words": words,
        "timed_words": words * (silent & (view.milliseconds > 0)),
        "milliseconds": np.where(silent, view.milliseconds, 0),
    }


def count_runs(view: View) -> dict[str, Any]:
    """Count runs of insertions and runs of deletions, and the words in them."""
    edits, number = view.edits, len(view)
    first = np.ones(len(edits), np.bool_)
    first[1:] = (edits[1:] != edits[:-1]) | (view.utterances[1:] != view.utterances[:-1])
    begins = np.flatnonzero(first)
    sizes = np.diff(np.append(begins, len(edits)))
    columns: dict[str, Any] = {}
    for name, edit in (("insertion", Edit.INSERTION), ("deletion", Edit.DELETION)):
        chosen = (edits[begins] == edit) & (sizes >= view.settings["run"])
        owners, longest = view.utterances[begins[chosen]], np.zeros(number, np.int64)
        np.maximum.at(longest, owners, sizes[chosen])
        columns[f"{name}_runs"] = np.bincount(owners, minlength=number)
        columns[f"{name}_run_words"] = np.bincount(owners, sizes[chosen], number)
        columns[f"{name}s"] = view.counts[:, 3 if edit == Edit.INSERTION else 2]
        columns |= bins_by_value(name, longest)
    columns["run_words"] = columns["insertion_run_words"] + columns["deletion_run_words"]
    columns["errors"] = view.errors
    return columns


def count_gaps(view: View) -> dict[str, Any]:
    """Count words inserted between reference segments, and the time after each segment.

    The time ends at the next segment of the recording.
    """
    rows = np.flatnonzero(np.all([times != UNTIMED for times in view.spans], axis=0))
    owners, count = view.recordings[rows], len(view)
    begins, ends = view.spans[0][rows] - MARGIN_NS, view.spans[1][rows] + MARGIN_NS
    axis = moves(begins, ends, owners, count, 1)
    begins, ends = begins + axis[owners], ends + axis[owners]
    order = np.lexsort((ends, begins))
    begins, latest, owners = begins[order], np.maximum.accumulate(ends[order]), owners[order]
    gaps = np.zeros(count, np.int64)
    pauses = np.maximum(begins[1:] - latest[:-1], 0) // NANOSECONDS
    gaps[rows[order[:-1]]] = np.where(owners[1:] == owners[:-1], pauses, 0)

    side, raw = view.hypothesis, view.hypothesis.raw
    inserted = np.flatnonzero((side.edits == Edit.INSERTION) & (raw.origins >= 0))
    times = [side.column(name)[raw.origins[inserted]] for name in ("starts_ns", "ends_ns")]
    present = np.bincount(owners, minlength=count) > 0
    keep = (times[0] != UNTIMED) & (times[1] != UNTIMED)
    keep &= present[view.recordings[side.utterances[inserted]]]
    places = side.utterances[inserted[keep]]
    spoken = view.recordings[places]
    first, last = (np.searchsorted(owners, spoken, end) for end in ("left", "right"))
    middles = times[0][keep] + (times[1] - times[0])[keep] // 2 + axis[spoken]
    middles = np.clip(middles, begins[first] - 1, latest[last - 1] + 1)
    earlier = np.searchsorted(begins, middles, "right")
    outside = (earlier == 0) | (middles > latest[earlier - 1])
    words = np.bincount(places[outside], minlength=count)
    return {"gap_words": words, "insertions": view.counts[:, 3], "gap_milliseconds": gaps}


def count_empty(view: View) -> dict[str, Any]:
    """Count utterances with reference words, and the empty hypotheses among them.

    Also count the reference words of all these utterances, and of those with an empty hypothesis.
    """
    words = np.diff(view.reference.offsets)
    empty = (words > 0) & (np.diff(view.hypothesis.offsets) == 0)
    lost = np.where(empty, words, 0)
    counted = {"spoken": words > 0, "empty": empty, "words": words, "words_lost": lost}
    return {**counted, "errors": view.errors}


def count_length(view: View) -> dict[str, Any]:
    """Count hypotheses much longer or shorter than the reference, or impossibly fast."""
    said = np.diff(view.reference.raw.tokens.offsets)
    heard = np.diff(view.hypothesis.raw.tokens.offsets)
    distance = np.abs(heard - said)
    apart = (distance >= APART) & ((heard > 2 * said) | (2 * heard < said))
    timed = view.milliseconds > 0
    return {
        "too_long": apart & (heard > said),
        "too_short": apart & (heard < said),
        "timed": timed,
        "too_fast": timed & (1000 * heard > FASTEST * view.milliseconds),
        "utterances": np.ones(len(view)),
        "words_apart": distance * apart,
    }


SILENCE = MeasureSpec(
    name="silence",
    title="Answers to silence",
    question=INVENTION,
    definition="Utterances whose reference has no word (words as read, without marks) are "
    "silent. The numbers are: the share of silent utterances with an answer; the "
    "words of these answers, divided by all words of the hypothesis; these words per "
    "hour of silent utterances that have times; and the errors of silent utterances, "
    "divided by all errors.",
    figures=(
        Figure("answered_share", "silent utterances with an answer", "answered / silent"),
        Figure("invented_share", "share of the hypothesis's words", "invented_words / words"),
        Figure(
            "invented_per_hour",
            "words per hour of silence",
            "timed_words / milliseconds",
            *PER_HOUR,
        ),
        Figure("silent_error_share", "share of the errors", "silent_errors / errors"),
    ),
    columns=(
        *("silent", "answered", "invented_words", "words", "timed_words", "milliseconds"),
        *("silent_errors", "errors"),
    ),
    count=count_silence,
    needs=frozenset({"raw"}),
    worst="invented_words",
)
RUNS = MeasureSpec(
    name="runs",
    title="Runs of insertions and deletions",
    question=INVENTION,
    definition="A run is a maximal sequence of at least 5 insertions, or at least 5 deletions, "
    "in the alignment of an utterance; any other edit ends it. The numbers are: the "
    "words in runs, divided by all errors; the words in runs of insertions, divided "
    "by all insertions; the words in runs of deletions, divided by all deletions; how "
    "many runs there are; and the words of the longest run of each kind.",
    figures=(
        Figure("run_error_share", "share of the errors", "run_words / errors"),
        Figure("insertion_share", "share of the insertions", "insertion_run_words / insertions"),
        Figure("deletion_share", "share of the deletions", "deletion_run_words / deletions"),
        Figure("runs", "runs", "insertion_runs + deletion_runs", *COUNT),
        Figure("longest_insertion_run", "longest run of insertions", "max insertion", *COUNT),
        Figure("longest_deletion_run", "longest run of deletions", "max deletion", *COUNT),
    ),
    columns=(
        *("insertion_runs", "insertion_run_words", "insertions", "deletion_runs"),
        *("deletion_run_words", "deletions", "run_words", "errors"),
    ),
    count=count_runs,
    kind="bins",
    parameters=(
        MeasureSetting(
            "run", 5, whole_from(2), "fewest insertions or deletions in a row that are a run"
        ),
    ),
    worst="run_words",
)
GAPS = MeasureSpec(
    name="gaps",
    title="Words in gaps",
    question=INVENTION,
    definition="Inserted words whose middle lies outside all reference segments of the "
    "recording and channel, each widened by 0.25 s on both sides. The first number divides them "
    "by the minutes between the widened segments, the second by all insertions. Inserted words "
    "without times are not in gaps.",
    figures=(
        Figure(
            "gap_words_per_minute",
            "words per minute of gap",
            "gap_words / gap_milliseconds",
            high=None,
            form="number",
            factor=60_000,
        ),
        Figure("gap_share", "share of the insertions", "gap_words / insertions"),
    ),
    columns=("gap_words", "insertions", "gap_milliseconds"),
    count=count_gaps,
    needs=frozenset({"raw", "segments"}),
    worst="gap_words",
)
EMPTY = MeasureSpec(
    name="empty",
    title="Empty answers",
    question=INVENTION,
    definition="An answer is empty if the hypothesis of an utterance has no word and the "
    "reference has at least one. The first share is the number of empty answers, "
    "divided by the number of utterances with reference words. The others are the "
    "reference words of the empty answers, divided by all reference words and by all "
    "errors.",
    figures=(
        Figure("empty_share", "empty answers", "empty / spoken"),
        Figure("words_lost_share", "words in them", "words_lost / words"),
        Figure("lost_error_share", "share of the errors", "words_lost / errors"),
    ),
    columns=("spoken", "empty", "words", "words_lost", "errors"),
    count=count_empty,
    worst="words_lost",
    monotone=("empty_share", "words_lost_share"),
)
LENGTH = MeasureSpec(
    name="length",
    title="Answers of odd length",
    question=INVENTION,
    definition="An answer is too long if it has more than twice as many words as the reference, "
    "and too short if it has less than half as many. In both cases the difference "
    "must be at least 10 words (words as read, without punctuation marks). It is too "
    "fast if it has more than 7 words per second of the utterance. The first two "
    "shares are of all utterances, the last one of those with times.",
    figures=(
        Figure("too_long_share", "too long", "too_long / utterances"),
        Figure("too_short_share", "too short", "too_short / utterances"),
        Figure("too_fast_share", "more than 7 words per second", "too_fast / timed"),
    ),
    columns=("utterances", "too_long", "too_short", "timed", "too_fast", "words_apart"),
    count=count_length,
    needs=frozenset({"raw"}),
    worst="words_apart",
)
