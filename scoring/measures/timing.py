"""Times of words: how far starts and ends are from those of the reference, and overlap."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from scoring.drawing.blocks import Block, Table
from scoring.measures.settings import choice_of
from scoring.measures.spans import MILLISECOND, covered, milliseconds
from scoring.measures.view import UNTIMED, AlignedWords, shared
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

if TYPE_CHECKING:
    from scoring.measures.view import View

SIDES = ("begin", "end")
WITHIN = (20, 50, 100, 200)
PERCENTS = (50, 90, 95)
POINTS = {
    "mean": "mean",
    "mean_abs": "mean distance",
    "median_abs": "median distance",
    "p90_abs": "90 % of distances up to",
    "p95_abs": "95 % of distances up to",
    "sd": "standard deviation",
}
_IOU_UNIT = 2**40
_HISTOGRAM = (-2000, -500, -200, -100, -50, -20, 0, 20, 50, 100, 200, 500, 2000)


def _firsts(side: AlignedWords) -> NDArray[np.bool_]:
    """Return a flag for each scored word: True for the first scored word of each raw word."""
    origins = side.raw.origins
    flags = origins >= 0
    flags[1:] &= origins[1:] != origins[:-1]
    return flags


@shared
def paired_words(view: View, which: str) -> tuple[Integers, Integers, Integers]:
    """Return the positions of paired words among the raw words of each side, and their utterances.

    With `which` "matches", only correct words count. Raw words are the words as read. If a raw word
    has several scored words, the first of them represents it.
    """
    left, right = view.reference, view.hypothesis
    slots = (view.left >= 0) & (view.right >= 0)
    ours, theirs = view.left[slots], view.right[slots]
    keep = _firsts(left)[ours] & _firsts(right)[theirs]
    if which == "matches":
        for side, places in ((left, ours), (right, theirs)):
            # a word as read is right only if all words made of it are
            keep &= side.raw.all_of(side.right)[side.raw.origins[places]]
    return (
        left.raw.origins[ours[keep]],
        right.raw.origins[theirs[keep]],
        view.utterances[slots][keep],
    )


def count(view: View) -> dict[str, Any]:
    """Return the columns of time shifts, boundaries, overlap and coverage."""
    return _columns(view, *view.settings.values())


@shared
def _columns(view: View, which: str, interpolated: str, collar: int) -> dict[str, Any]:
    """Return the time shifts of paired words, and the sums for boundaries, overlap and coverage."""
    times = [
        [side.column(name) for name in ("starts_ns", "ends_ns")]
        for side in (view.reference, view.hypothesis)
    ]
    ours, theirs, utterances = paired_words(view, which)
    begin, end = ([times[0][n][ours], times[1][n][theirs]] for n in (0, 1))
    timed = np.all([column != UNTIMED for column in (*begin, *end)], axis=0)
    guessed = view.reference.column("interpolated")[ours]
    guessed |= view.hypothesis.column("interpolated")[theirs]
    left_out = timed & guessed & (interpolated == "skip")
    keep = timed & ~left_out
    begin, end = ([column[keep] for column in pair] for pair in (begin, end))
    rows, size = utterances[keep], len(view)
    shifts = begin[1] - begin[0], end[1] - end[0]
    hits = (np.abs(shifts[0]) <= collar) & (np.abs(shifts[1]) <= collar)
    return {
        "pairs": np.bincount(rows, minlength=size),
        "interpolated": np.bincount(utterances[left_out], minlength=size),
        "reference_words": np.diff(view.reference.raw.offsets),
        "hypothesis_words": np.diff(view.hypothesis.raw.offsets),
        "boundary_hits": np.bincount(rows[hits], minlength=size),
        "iou": _sums(np.rint(_iou(begin, end) * _IOU_UNIT), rows, size),
        **_coverage(view, times),
        **{name: view.sample(shift, 0, rows) for name, shift in zip(SIDES, shifts, strict=True)},
    }


def _sums(values: NDArray[np.float64], rows: Integers, size: int) -> Integers:
    totals = np.zeros(size, np.int64)
    np.add.at(totals, rows, values.astype(np.int64))
    return totals


def _iou(begin: list[Integers], end: list[Integers]) -> NDArray[np.float64]:
    """Return the intersection over union of each pair of intervals; 1 for two equal points."""
    union = np.maximum(*end) - np.minimum(*begin)
    both = np.maximum(np.minimum(*end) - np.maximum(*begin), 0)
    return np.where(union > 0, both / np.maximum(union, 1), 1.0)


def _coverage(view: View, times: list[list[Integers]]) -> dict[str, Integers]:
    """Return the time inside reference words, inside hypothesis words, and inside both."""
    parts = []
    for side, (begins, ends) in zip((view.reference, view.hypothesis), times, strict=True):
        keep = (begins != UNTIMED) & (ends != UNTIMED)
        parts.append((begins[keep], ends[keep], side.raw.utterances[keep]))
    both = [np.concatenate(pair) for pair in zip(*parts, strict=True)]
    left, right, union = (
        covered(begins, ends, rows, len(view)) for begins, ends, rows in (*parts, both)
    )
    return {
        "covered_reference": left,
        "covered_hypothesis": right,
        "covered_both": left + right - union,
    }


def numbers(totals: Sums, prefix: str = "") -> MeasuredValues:
    """Return means and percentiles of time shifts, shares, and the offset: the median start shift.

    The names begin with `prefix`. With a prefix, the offset is subtracted from the shifts.
    """
    columns = [totals.samples[side].values for side in SIDES if side in totals.samples]
    if not columns or not len(columns[0]):
        return {}
    offset = float(np.median(columns[0]))
    figures = {"offset_ms": offset / MILLISECOND}
    for side, column in zip(SIDES, columns, strict=True):
        values = column - offset if prefix else column
        size = np.sort(np.abs(values))
        points = np.mean(values), np.mean(size), *np.percentile(size, PERCENTS), np.std(values)
        for name, point in zip(POINTS, points, strict=True):
            figures[f"{prefix}{side}_{name}_ms"] = float(point) / MILLISECOND
        for limit in WITHIN:
            share = float(np.mean(size <= limit * MILLISECOND))
            figures[f"{prefix}{side}_within_{limit}ms"] = share
    return figures


def histogram(totals: Sums) -> Iterator[Block]:
    """Yield a histogram of the time shifts of words."""
    edges = np.array(_HISTOGRAM) * MILLISECOND
    names = [
        f"below {_HISTOGRAM[0]}",
        *(f"{low} to {high}" for low, high in pairwise(_HISTOGRAM)),
        f"from {_HISTOGRAM[-1]}",
    ]
    shifts = [totals.samples[side].values for side in SIDES if side in totals.samples]
    bins = [np.searchsorted(edges, column, "right") for column in shifts]
    columns = [np.bincount(column, minlength=len(names)) for column in bins]
    rows = [(name, *map(str, counts)) for name, *counts in zip(names, *columns, strict=True)]
    yield Table(("shift in ms", *(f"{side}s" for side in SIDES)), rows)


def _figures(prefix: str, title: str) -> Iterator[Figure]:
    for side in SIDES:
        name, text = f"{prefix}{side}", f"{side}s{title}"
        yield Figure(f"{name}_mean_ms", f"{text}: mean (ms)", "", "none", None, None, "number")
        for key, point in list(POINTS.items())[1:]:
            yield Figure(f"{name}_{key}_ms", f"{text}: {point} (ms)", high=None, form="number")
        for limit in WITHIN:
            yield Figure(f"{name}_within_{limit}ms", f"{text}: within {limit} ms", better="higher")


_SHIFT = (
    "The shift of a word is its time in the hypothesis minus its time in the reference. Only "
    "right words with begin and end on both sides count (timing=all adds substitutions); words "
    "with interpolated times are dropped, and their number is reported. "
)
MEASURE = MeasureSpec(
    name="timing",
    title="Times of words",
    question=TIMES,
    definition=_SHIFT + "Percentiles are interpolated linearly. The offset is the median shift "
    "of begins. IoU is the time in which a word's two intervals overlap, "
    "divided by the time of their union. A boundary hit is a right word "
    "whose begin and end are both within timing_collar; precision divides "
    "the hits by all words of the hypothesis, recall by all words of the "
    "reference. Coverage is the time inside words of both sides, divided by "
    "the time inside words of the hypothesis or of the reference.",
    figures=(
        *_figures("", ""),
        Figure("offset_ms", "offset (ms)", "", "none", None, None, "number"),
        Figure("mean_iou", "mean IoU", "iou / pairs", "higher", factor=1 / _IOU_UNIT),
        *f1_figures(
            *("boundary_hits", "reference_words", "hypothesis_words"),
            *("boundary_", "boundaries: {}"),
        ),
        *f1_figures(
            *("covered_both", "covered_reference", "covered_hypothesis"),
            *("coverage_", "coverage: {}"),
        ),
    ),
    columns=(
        *("pairs", "interpolated", "reference_words", "hypothesis_words", "boundary_hits", "iou"),
        *(f"covered_{side}" for side in ("reference", "hypothesis", "both")),
    ),
    count=count,
    numbers=numbers,
    kind="sample",
    needs=frozenset({"times"}),
    parameters=(
        choice_of(
            "timing",
            ("matches", "all"),
            "which words to compare: matches, or all (also substitutions)",
        ),
        choice_of(
            "timing_interpolated",
            ("skip", "use"),
            "what to do with words whose times are interpolated: skip or use",
        ),
        MeasureSetting(
            "timing_collar",
            50 * MILLISECOND,
            milliseconds,
            "largest difference of begin and of end for a boundary hit, in milliseconds "
            "(default: 50)",
        ),
    ),
    details=histogram,
)
ALIGNED = replace(
    MEASURE,
    name="timing-aligned",
    title="Times of words without the offset",
    definition=_SHIFT + "The offset, which is the median shift of begins, is subtracted from all "
    "shifts before they are summed. This removes a constant shift, such as "
    "an encoder delay.",
    figures=tuple(_figures("aligned_", " without offset")),
    numbers=partial(numbers, prefix="aligned_"),
    details=lambda totals: (),
)
