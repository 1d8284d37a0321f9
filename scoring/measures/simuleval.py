"""Latency as defined by SimulEval, for comparison with published numbers."""

from __future__ import annotations

from statistics import fmean
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scoring.measures.columns import placed
from scoring.measures.latency import streams_of
from scoring.measures.spans import MILLISECOND
from scoring.measures.view import UNTIMED
from scoring.model.arrays import Integers
from scoring.results.counted import Sums
from scoring.results.measured import LATENCY, Figure, MeasuredValues, MeasureSpec

if TYPE_CHECKING:
    from scoring.measures.view import View

Milliseconds: TypeAlias = NDArray[np.float64]
_PIECE = 300.0  # milliseconds of source of ATD
FIGURES = {
    "al": "AL (ms)",
    "laal": "LAAL (ms)",
    "dal": "DAL (ms)",
    "ap": "AP",
    "atd": "ATD (ms)",
    "start_offset": "start offset (ms)",
    "end_offset": "end offset (ms)",
    "rtf": "last word per audio",
}
_AWARE = ("", "_ca")


def simuleval(
    delays: Milliseconds,
    sources: Milliseconds,
    references: Integers,
    elapsed: Milliseconds | None = None,
) -> dict[str, Milliseconds]:
    """Return SimulEval's latency figures for utterances that have equally many words.

    Rows are utterances, columns are words. Undefined figures are nan.

    `delays` are in the time of the audio; `elapsed` also includes the computing time. Times and
    figures are in milliseconds; `references` are numbers of words.
    """
    times = delays if elapsed is None else elapsed
    number = times.shape[1]
    due = np.arange(number) * (sources / number)[:, None]
    spoken = sources * references
    with np.errstate(divide="ignore", invalid="ignore"):
        return {
            "al": _average_lag(times, sources, references),
            "laal": _average_lag(times, sources, np.maximum(references, number)),
            "dal": np.maximum.accumulate(times - due, axis=1).mean(axis=1),
            "ap": np.where(spoken > 0, times.sum(axis=1) / spoken, np.nan),
            "atd": _token_delay(delays, 0 * delays if elapsed is None else elapsed - delays),
            "start_offset": times[:, 0],
            "end_offset": times[:, -1] - sources,
            "rtf": np.where(sources > 0, times[:, -1] / sources, np.nan),
        }


def _average_lag(delays: Milliseconds, sources: Milliseconds, words: Integers) -> Milliseconds:
    """Return the mean lag behind an ideal system, which outputs words at equal intervals.

    Words after the end of the audio do not count.
    """
    rows, number = np.arange(len(delays)), delays.shape[1]
    lags = delays - np.arange(number) * sources[:, None] / words[:, None]
    ended = delays >= sources[:, None]
    last = np.where(ended.any(axis=1), ended.argmax(axis=1), number - 1)
    means = np.cumsum(lags, axis=1)[rows, last] / (last + 1)
    return np.where(delays[:, 0] > sources, delays[:, 0], np.where(words > 0, means, np.nan))


def _token_delay(delays: Milliseconds, computing: Milliseconds) -> Milliseconds:
    """Return the mean time from the audio of each word to its output.

    Words with equal delays form a chunk, and the audio of a chunk is divided into pieces of 300 ms.
    A word belongs to the piece with the word's number; the number is shifted by the words for which
    earlier chunks had no piece. The output time of a word includes the computing time since the
    preceding word.
    """
    size, number = delays.shape
    places = np.arange(number)
    begins = np.ones((size, number), np.bool_)
    begins[:, 1:] = delays[:, 1:] != delays[:, :-1]
    # the audio that was read before each chunk and with it, and the pieces of it
    read = np.maximum.accumulate(np.maximum(delays, 0), axis=1)
    before = _moved(read)
    pieces = np.where(begins, np.maximum(np.ceil((delays - before) / _PIECE), 0), 0)
    ends = np.cumsum(pieces, axis=1).astype(np.int64)
    passed = ends - pieces.astype(np.int64)
    # a chunk that has fewer pieces before it than words is short of them
    first = np.maximum.accumulate(np.where(begins, places, 0), axis=1)
    short = np.take_along_axis(np.maximum(places - passed, 0), first, axis=1)
    wanted = np.minimum(places + 1 - short, ends)
    # the first chunk that has the piece of each word
    rows = np.arange(size)[:, None] * (int(ends.max()) + 1)
    chunk = np.searchsorted((ends + rows).ravel(), (np.maximum(wanted, 1) + rows).ravel())
    chunk = np.minimum(chunk, ends.size - 1)
    reached = before.ravel()[chunk] + (wanted.ravel() - passed.ravel()[chunk]) * _PIECE
    spoken = np.minimum(reached, read.ravel()[chunk]).reshape(size, number)
    clock = np.maximum.accumulate(np.maximum(delays - _moved(computing), 0), axis=1) + computing
    return np.array((clock - np.where(wanted > 0, spoken, 0)).mean(axis=1))


def _moved(values: Milliseconds) -> Milliseconds:
    """Return for each word the value of the preceding word; 0 for the first word."""
    return np.concatenate([np.zeros((len(values), 1)), values[:, :-1]], axis=1)


def count(view: View) -> dict[str, Any]:
    """Compute SimulEval's figures for each utterance with words and a known audio length."""
    streams, begins = streams_of(view), np.zeros(len(view), np.int64)
    lengths, sizes = streams.source_ns.copy(), np.diff(streams.offsets)
    if view.rates.sources and view.rates.sources.streams:
        # recordings were cut: the audio of each segment
        for row, part in enumerate(view.segments):
            if part.start_ns is not None and part.end_ns is not None:
                begins[row], lengths[row] = part.start_ns, part.end_ns - part.start_ns
    has_elapsed = placed(streams.elapsed, streams.offsets[:-1], UNTIMED) != UNTIMED
    kinds = np.where(lengths == UNTIMED, 0, 2 * sizes + has_elapsed)
    words = np.diff(view.reference.offsets)
    numbers = {name + aware: np.full(len(view), np.nan) for aware in _AWARE for name in FIGURES}
    no_output = np.ones(len(view), np.int64)
    for kind in set(kinds[(kinds > 0) & (sizes > 0)].tolist()):
        rows = np.flatnonzero(kinds == kind)
        places = streams.offsets[rows, None] + np.arange(kind // 2)
        sources = lengths[rows] / MILLISECOND
        delays, *elapsed = (
            (column[places] - begins[rows, None]) / MILLISECOND
            for column in (streams.emitted, *[streams.elapsed] * (kind % 2))
        )
        for aware, times in zip(_AWARE, (None, *elapsed), strict=False):
            for name, values in simuleval(delays, sources, words[rows], times).items():
                numbers[name + aware][rows] = values
        no_output[rows] = 0
    samples = {}
    for name, values in numbers.items():
        known = np.flatnonzero(~np.isnan(values))
        samples[name] = view.sample(values[known], 0, known)
    return {"no_output": no_output, **samples}


def means_of(totals: Sums) -> MeasuredValues:
    """Return unweighted means over utterances, as SimulEval does."""
    samples = totals.samples.items()
    return {name: fmean(sample.values) for name, sample in samples if len(sample.values)}


MEASURE = MeasureSpec(
    name="simuleval",
    title="Latency by SimulEval",
    question=LATENCY,
    definition="AL, LAAL, DAL, AP, ATD and offsets, as SimulEval 1.1.4 defines them for "
    "speech-to-text. They are unweighted means over utterances with output. AL and "
    "LAAL assume that words are evenly spread over the audio. Numbers with _ca "
    "include computing time, if the log has it. If recordings were cut at the "
    "reference's segments, each segment is an utterance. Delays then count from the "
    "begin of the segment, its audio ends with the segment, and LAAL is StreamLAAL.",
    figures=tuple(
        Figure(name + aware, title + mark, low=None, high=None, form="number")
        for aware, mark in zip(_AWARE, ("", " with computing"), strict=True)
        for name, title in FIGURES.items()
    ),
    columns=("no_output",),
    count=count,
    numbers=means_of,
    kind="sample",
    needs=frozenset({"sources"}),
)
