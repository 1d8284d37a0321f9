"""Latency as SimulEval defines it, for comparison with published numbers."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence
from statistics import fmean
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.measures.latency import streams_of
from scoring.measures.spans import MILLISECOND
from scoring.rates.counted import Sums
from scoring.rates.measured import LATENCY, Figure, MeasureSpec, Values

if TYPE_CHECKING:
    from scoring.measures.view import View

_PIECE = 300.0  # milliseconds of source of ATD
FIGURES = {
    "al": ("AL (ms)", None),
    "laal": ("LAAL (ms)", None),
    "dal": ("DAL (ms)", None),
    "ap": ("AP", 0.0),
    "atd": ("ATD (ms)", None),
    "start_offset": ("start offset (ms)", 0.0),
    "end_offset": ("end offset (ms)", None),
    "rtf": ("last word per audio", 0.0),
}
_AWARE = ("", "_ca")


def simuleval(
    delays: Sequence[float], source: float, reference: int, elapsed: Sequence[float] = ()
) -> dict[str, float | None]:
    """SimulEval's figures of one utterance, in milliseconds; None where there are no words.

    Parameters
    ----------
    delays, elapsed
        When each word was written, on the clock of the audio, and with the time of computing.
    source
        Length of the audio.
    reference
        Number of reference words.
    """
    if not delays:
        return dict.fromkeys(FIGURES)
    times = elapsed or delays
    lag = _average_lag(times, source, reference)
    step = source / len(times)
    latest, spread = -np.inf, []
    for number, time in enumerate(times):
        latest = max(time, latest + step) if number else time
        spread.append(latest - number * step)
    return {
        "al": lag,
        "laal": _average_lag(times, source, max(reference, len(times))),
        "dal": fmean(spread),
        "ap": sum(times) / (source * reference) if source and reference else None,
        "atd": _token_delay(delays, elapsed),
        "start_offset": times[0],
        "end_offset": times[-1] - source,
        "rtf": times[-1] / source if source else None,
    }


def _average_lag(delays: Sequence[float], source: float, words: int) -> float | None:
    """The mean lag behind a speaker whose words are evenly spread, up to the end of the audio."""
    if delays[0] > source:
        return delays[0]
    if not words:
        return None
    lags = []
    for number, delay in enumerate(delays):
        lags.append(delay - number * source / words)
        if delay >= source:
            break
    return fmean(lags)


def _token_delay(delays: Sequence[float], elapsed: Sequence[float]) -> float:
    """ATD: how far words are behind pieces of 300 ms of the audio; equal delays are a chunk.

    The clock of a word adds what computing took since the word before it.
    """
    # the number of pieces up to each chunk, and the times between which the chunk was read
    ends, bounds = [0], [0.0]
    lags: list[float] = []
    clock = spent = 0.0
    shortage = 0
    for number, delay in enumerate(delays):
        if not number or delay != delays[number - 1]:
            shortage = max(0, number - ends[-1])
            ends.append(ends[-1] + max(math.ceil((delay - bounds[-1]) / _PIECE), 0))
            bounds.append(max(delay, bounds[-1]))
        computing = elapsed[number] - delay if elapsed else 0.0
        clock = max(delay, clock) + computing - spent
        spent = computing
        place = min(number + 1 - shortage, ends[-1])
        chunk = bisect_left(ends, place)
        read = bounds[chunk - 1] + (place - ends[chunk - 1]) * _PIECE if chunk else 0.0
        lags.append(clock - min(read, bounds[chunk]))
    return fmean(lags)


def count(view: View) -> dict[str, Any]:
    """SimulEval's figures of each utterance with an answer and a known length of audio."""
    streams = streams_of(view, "simuleval")
    words = np.diff(view.reference.offsets).tolist()
    numbers: dict[str, list[tuple[int, float]]] = {
        name + aware: [] for aware in _AWARE for name in FIGURES
    }
    no_output = np.zeros(len(view), np.int64)
    for row, stream in enumerate(streams):
        if stream is None or not stream.emitted or stream.source_ns is None:
            no_output[row] = 1
            continue
        delays, elapsed = (
            [time / MILLISECOND for time in times] for times in (stream.emitted, stream.elapsed)
        )
        length = stream.source_ns / MILLISECOND
        for aware, times in (("", ()), ("_ca", elapsed)):
            if aware and len(times) != len(delays):
                continue
            for name, number in simuleval(delays, length, words[row], times).items():
                if number is not None:
                    numbers[name + aware].append((row, number))
    samples = {
        name: view.sample(
            [number for _, number in pairs], 0, np.array([row for row, _ in pairs], np.int64)
        )
        for name, pairs in numbers.items()
    }
    return {"no_output": no_output, **samples}


def means_of(totals: Sums) -> Values:
    """Means over utterances, which SimulEval does not weight."""
    means: dict[str, float | None] = {name + aware: None for aware in _AWARE for name in FIGURES}
    return means | {
        name: fmean(sample.values) for name, sample in totals.samples.items() if len(sample.values)
    }


MEASURE = MeasureSpec(
    name="simuleval",
    title="Latency by SimulEval",
    question=LATENCY,
    definition="AL, LAAL, DAL, AP, ATD and offsets as SimulEval 1.1.4 defines them for text from "
    "speech: means over utterances with output, not weighted. AL and LAAL assume that words are "
    "evenly spread over the audio. Figures with _ca add the time of computing, if the log has it.",
    figures=tuple(
        Figure(
            name + aware,
            title + (" with computing" if aware else ""),
            low=low,
            high=None,
            form="number",
        )
        for aware in _AWARE
        for name, (title, low) in FIGURES.items()
    ),
    columns=("no_output",),
    count=count,
    numbers=means_of,
    kind="sample",
    needs=frozenset({"sources"}),
)
