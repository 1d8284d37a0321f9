"""Latency of streaming recognisers: from the end of a word to the moment when it was shown.

The hypothesis is a log of results (`stream-events`, `openbench`) or of words with delays
(`simuleval`). Readers keep when each word was shown as properties of segments.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import accumulate, groupby
from operator import attrgetter
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoring.measures.spans import MILLISECOND, percentile
from scoring.measures.timing import paired_words
from scoring.measures.view import UNTIMED
from scoring.rates.counted import Sample, Sums
from scoring.rates.measured import LATENCY, Figure, MeasureSetting, MeasureSpec, Values, choice_of

if TYPE_CHECKING:
    from formats.model import Segment
    from scoring.measures.view import View
    from scoring.rates.sources import Sources

PERCENTS = (50, 90, 95, 99)
# Samples, and what reports call them.
DELAYS = {
    "word": "word delay",
    "final_word": "word delay, final",
    "first_token": "first token",
    "last_token": "last token",
    "endpoint": "endpoint",
}


class WordStream(NamedTuple):
    """When the words of one utterance were shown, became final, and were shown by the clock.

    All in nanoseconds; `source_ns` is the length of the audio, None where unknown.
    """

    emitted: Sequence[int]
    final: Sequence[int]
    elapsed: Sequence[int]
    source_ns: int | None
    shown: int
    retracted: int


_TIMES: tuple[Callable[[WordStream], Sequence[int]], ...] = (
    attrgetter("emitted"),
    attrgetter("final"),
    attrgetter("elapsed"),
)


def stream_of(segment: Segment, is_log: bool) -> WordStream | None:
    """The stream of a segment; None where nothing says when its words were shown.

    In a log of words with delays (`is_log`) words begin when they were emitted.
    """
    properties = dict(segment.properties)

    def numbers(name: str) -> list[int]:
        return [int(text) for text in properties.get(name, "").split()]

    emitted = numbers("emission_ns")
    if not emitted and is_log and segment.starts_ns:
        emitted = [time for time in segment.starts_ns if time is not None]
    if len(emitted) != len(segment.words):
        return None
    source = properties.get("source_ns")
    length = segment.end_ns if source is None and is_log else source
    return WordStream(
        emitted,
        numbers("final_ns"),
        numbers("elapsed_ns"),
        None if length is None else int(length),
        int(properties.get("words_shown", "0")),
        int(properties.get("words_retracted", "0")),
    )


def streams_of(view: View, name: str) -> list[WordStream | None]:
    """The stream of each utterance's hypothesis."""
    sources = view.rates.sources
    assert sources is not None  # `needs` asks for them
    is_log = view.rates.hypothesis.format == "simuleval"
    if sources.streams:
        streams = _shared_streams(sources, is_log)
    else:
        streams = [
            None if segment is None else stream_of(segment, is_log)
            for segment in sources.hypotheses
        ]
    if any(stream is not None and stream.emitted for stream in streams):
        return streams
    side, matched_by = view.rates.hypothesis, view.rates.matching_summary.matched_by
    raise view.error(
        f"measure {name}: expected when words were shown (formats stream-events, openbench, "
        "simuleval, or a property emission_ns), found none "
        f"(format {side.format}, matched by {matched_by})"
    )


def _shared_streams(sources: Sources, is_log: bool) -> list[WordStream | None]:
    """The share of each utterance in the stream of its recording, which was cut."""
    shares: list[WordStream | None] = []
    for number, rows in groupby(range(len(sources.stream_of)), sources.stream_of.__getitem__):
        parts = [stream_of(segment, is_log) for segment in sources.streams[number]]
        segments = [sources.hypotheses[row] for row in rows]
        sizes = [len(segment.words) if segment else 0 for segment in segments]
        streams = [part for part in parts if part is not None]
        emitted, final, elapsed = (
            [time for part in streams for time in times(part)] for times in _TIMES
        )
        if not streams or len(streams) < len(parts) or len(emitted) != sum(sizes):
            shares += [None] * len(sizes)
            continue
        for place, (size, end) in enumerate(zip(sizes, accumulate(sizes), strict=True)):
            share = slice(end - size, end)
            counted = [] if place else streams
            shares.append(
                WordStream(
                    emitted[share],
                    final[share],
                    elapsed[share],
                    streams[-1].source_ns if place + 1 == len(sizes) else None,
                    sum(part.shown for part in counted),
                    sum(part.retracted for part in counted),
                )
            )
    return shares


def count(view: View) -> dict[str, Any]:
    """Delays of words and utterances, and how many words were taken back."""
    streams = streams_of(view, "latency")
    spoken = np.diff(view.reference.raw.offsets)
    silent = np.diff(view.hypothesis.raw.offsets) == 0
    shown, retracted = (
        [getattr(stream, name) if stream else 0 for stream in streams]
        for name in ("shown", "retracted")
    )
    return {
        "utterances": spoken > 0,
        "no_output": (spoken > 0) & silent,
        "words_kept": np.subtract(shown, retracted),
        "words_shown": shown,
        "words_retracted": retracted,
        **_word_delays(view, streams),
        **_utterance_delays(view, streams),
    }


def _word_delays(view: View, streams: Sequence[WordStream | None]) -> dict[str, Sample]:
    """From the end of each right word in the reference to its emission."""
    ends = view.reference.times("ends_ns")
    ours, theirs, rows = paired_words(view, "matches")
    samples = {}
    for name, attribute in (("word", "emitted"), ("final_word", "final")):
        times = np.full(len(view.hypothesis.raw.ids), UNTIMED)
        begins = view.hypothesis.raw.offsets.tolist()
        for row, stream in enumerate(streams):
            moments = getattr(stream, attribute, ())
            if len(moments) == begins[row + 1] - begins[row]:
                times[begins[row] : begins[row + 1]] = moments
        keep = (ends[ours] != UNTIMED) & (times[theirs] != UNTIMED)
        delays = times[theirs[keep]] - ends[ours[keep]]
        samples[name] = view.sample(delays, np.zeros(len(delays)), rows[keep])
    return samples


def _utterance_delays(view: View, streams: Sequence[WordStream | None]) -> dict[str, Sample]:
    """Delays of the first and the last word shown, and of the last final result."""
    begins, ends = (view.reference.times(name) for name in ("starts_ns", "ends_ns"))
    first = begins if view.settings["first_token"] == "begin" else ends
    offsets = view.reference.raw.offsets.tolist()
    delays: dict[str, list[tuple[int, int]]] = {
        name: [] for name in ("first_token", "last_token", "endpoint")
    }
    for row, stream in enumerate(streams):
        if stream is None or not stream.emitted or offsets[row] == offsets[row + 1]:
            continue
        started, ended = int(first[offsets[row]]), int(ends[offsets[row + 1] - 1])
        if view.settings["latency_end"] == "audio":
            ended = UNTIMED if stream.source_ns is None else stream.source_ns
        if started != UNTIMED:
            delays["first_token"].append((row, stream.emitted[0] - started))
        if ended != UNTIMED:
            delays["last_token"].append((row, stream.emitted[-1] - ended))
            if stream.final:
                delays["endpoint"].append((row, stream.final[-1] - ended))
    samples = {}
    for name, pairs in delays.items():
        rows, values = ([pair[n] for pair in pairs] for n in (0, 1))
        samples[name] = view.sample(values, np.zeros(len(rows)), np.asarray(rows, np.int64))
    return samples


def numbers(totals: Sums) -> Values:
    """Mean and percentiles of each delay."""
    delays: dict[str, float | None] = {}
    for name in DELAYS:
        values = totals.samples[name].values if name in totals.samples else np.empty(0)
        delays[f"{name}_mean_ms"] = float(np.mean(values)) / MILLISECOND if len(values) else None
        for percent in PERCENTS:
            point = percentile(values, percent)
            delays[f"{name}_p{percent}_ms"] = None if point is None else point / MILLISECOND
    return delays


def _figures() -> tuple[Figure, ...]:
    figures = []
    for name, title in DELAYS.items():
        for point in ("mean", *(f"p{percent}" for percent in PERCENTS)):
            text = f"{title}: {point} (ms)"
            figures.append(Figure(f"{name}_{point}_ms", text, low=None, high=None, form="number"))
    figures += [
        *(
            Figure(name, title, f"{column} / words_kept", low=low, high=None, form="number")
            for name, title, column, low in (
                ("stability", "words shown per word kept", "words_shown", 1),
                ("flicker", "words retracted per word kept", "words_retracted", 0),
            )
        ),
        Figure("no_output", "utterances without output", "no_output / utterances"),
    ]
    return tuple(figures)


MEASURE = MeasureSpec(
    name="latency",
    title="Latency",
    question=LATENCY,
    definition="The delay of a right word is the time when it was first shown at its place and "
    "not retracted later, minus the end of the word in the reference; word delay, final takes the "
    "first final result with the word. First token: when the first word was shown minus the end "
    "of the first reference word (first_token=begin: its begin). Last token: when the last word "
    "was shown minus the end of speech, which is the end of the last reference word "
    "(latency_end=audio: of the audio). Endpoint: the last final result minus the end of speech. "
    "Delays may be negative. Percentiles are linear between neighbours. Utterances without output "
    "have no delay and are counted. A result that changes a word retracts it and all behind it.",
    figures=_figures(),
    columns=("utterances", "no_output", "words_kept", "words_shown", "words_retracted"),
    count=count,
    numbers=numbers,
    kind="sample",
    needs=frozenset({"sources"}),
    parameters=(
        MeasureSetting(
            "first_token",
            "end",
            choice_of("end", "begin"),
            "moment of the first reference word for the first token: end or begin",
        ),
        MeasureSetting(
            "latency_end",
            "word",
            choice_of("word", "audio"),
            "end of speech: word (end of the last reference word) or audio",
        ),
    ),
)
