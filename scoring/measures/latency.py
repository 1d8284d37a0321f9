"""Latency of streaming recognisers: from the end of a word to the moment when it was shown.

The hypothesis is a log of results (`stream-events`, `openbench`) or of words with delays
(`simuleval`). Readers keep when each word was shown as properties of segments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import accumulate, chain, groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoring.measures.spans import MILLISECOND
from scoring.measures.timing import paired_words
from scoring.measures.view import UNTIMED, shared
from scoring.rates.counted import Sample, Sums
from scoring.rates.measured import LATENCY, Figure, MeasureSpec, Values, choice_of

if TYPE_CHECKING:
    from formats.model import Segment
    from scoring.measures.view import View

PERCENTS = (50, 90, 95, 99)
POINTS = ("mean", *(f"p{percent}" for percent in PERCENTS))
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


def stream_of(segment: Segment, is_log: bool) -> WordStream | None:
    """The stream of a segment; None where nothing says when its words were shown.

    In a log of words with delays (`is_log`) words begin when they were emitted.
    """
    properties = dict(segment.properties)
    emitted, final, elapsed = (
        list(map(int, properties.get(name, "").split()))
        for name in ("emission_ns", "final_ns", "elapsed_ns")
    )
    if not emitted and is_log and segment.starts_ns:
        emitted = [time for time in segment.starts_ns if time is not None]
    if len(emitted) != len(segment.words):
        return None
    source = properties.get("source_ns", segment.end_ns if is_log else None)
    length = None if source is None else int(source)
    counts = (int(properties.get(name, "0")) for name in ("words_shown", "words_retracted"))
    return WordStream(emitted, final, elapsed, length, *counts)


@shared
def streams_of(view: View) -> list[WordStream | None]:
    """The stream of each utterance's hypothesis."""
    sources = view.rates.sources
    assert sources is not None  # `needs` asks for them
    is_log = view.rates.hypothesis.format == "simuleval"
    streams: list[WordStream | None] = []
    if sources.streams:
        for number, rows in groupby(range(len(view)), sources.stream_of.__getitem__):
            parts = [stream_of(segment, is_log) for segment in sources.streams[number]]
            heard = [sources.hypotheses[row] for row in rows]
            streams += _shares(parts, [len(segment.words) if segment else 0 for segment in heard])
    else:
        streams += [
            None if segment is None else stream_of(segment, is_log)
            for segment in sources.hypotheses
        ]
    if any(stream is not None and stream.emitted for stream in streams):
        return streams
    side, matched_by = view.rates.hypothesis, view.rates.matching_summary.matched_by
    raise view.error(
        "measures of latency: expected the times when words appeared (formats stream-events, "
        "openbench, simuleval, or a property emission_ns), found none "
        f"(format {side.format}, matched by {matched_by})"
    )


def _shares(
    parts: Sequence[WordStream | None], sizes: Sequence[int]
) -> Iterator[WordStream | None]:
    """The share of each utterance in the streams of its recording, which was cut."""
    streams = [part for part in parts if part is not None]
    times = [list(chain.from_iterable(column)) for column in list(zip(*streams, strict=True))[:3]]
    if len(streams) < len(parts) or not times or len(times[0]) != sum(sizes):
        yield from [None] * len(sizes)
        return
    for place, (size, end) in enumerate(zip(sizes, accumulate(sizes), strict=True)):
        emitted, final, elapsed = (column[end - size : end] for column in times)
        length = streams[-1].source_ns if place + 1 == len(sizes) else None
        counts = [(0, 0)] if place else [(part.shown, part.retracted) for part in streams]
        yield WordStream(emitted, final, elapsed, length, *map(sum, zip(*counts, strict=True)))


def count(view: View) -> dict[str, Any]:
    """Delays of words and utterances, and how many words were taken back."""
    streams = streams_of(view)
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
    ends = view.reference.column("ends_ns")
    ours, theirs, rows = paired_words(view, "matches")
    sizes = np.diff(view.hypothesis.raw.offsets).tolist()
    samples = {}
    for name, attribute in (("word", "emitted"), ("final_word", "final")):
        columns = (getattr(stream, attribute, ()) for stream in streams)
        whole = (
            column if len(column) == size else [UNTIMED] * size
            for size, column in zip(sizes, columns, strict=True)
        )
        times = np.fromiter(chain.from_iterable(whole), np.int64, sum(sizes))
        keep = (ends[ours] != UNTIMED) & (times[theirs] != UNTIMED)
        samples[name] = view.sample(times[theirs[keep]] - ends[ours[keep]], 0, rows[keep])
    return samples


def _utterance_delays(view: View, streams: Sequence[WordStream | None]) -> dict[str, Sample]:
    """Delays of the first and the last word shown, and of the last final result."""
    begins, ends = (view.reference.column(name) for name in ("starts_ns", "ends_ns"))
    first = begins if view.settings["first_token"] == "begin" else ends
    offsets = view.reference.raw.offsets
    spoken = np.flatnonzero(np.diff(offsets)).tolist()
    shown = {row: stream for row in spoken if (stream := streams[row]) and stream.emitted}
    rows = np.fromiter(shown, np.int64)
    started, ended = first[offsets[rows]], ends[offsets[rows + 1] - 1]
    if view.settings["latency_end"] == "audio":
        lengths = (stream.source_ns for stream in shown.values())
        ended = np.array([UNTIMED if length is None else length for length in lengths], np.int64)
    last = [stream.final[-1] if stream.final else UNTIMED for stream in shown.values()]
    moments = {
        "first_token": (started, [stream.emitted[0] for stream in shown.values()]),
        "last_token": (ended, [stream.emitted[-1] for stream in shown.values()]),
        "endpoint": (ended, last),
    }
    samples = {}
    for name, (origin, times) in moments.items():
        reached = np.array(times, np.int64)
        keep = (origin != UNTIMED) & (reached != UNTIMED)
        samples[name] = view.sample((reached - origin)[keep], 0, rows[keep])
    return samples


def numbers(totals: Sums) -> Values:
    """Mean and percentiles of each delay."""
    delays: dict[str, float] = {}
    for name, (values, *_) in totals.samples.items():
        if len(values):
            points = np.mean(values), *np.percentile(values, PERCENTS)
            for point, number in zip(POINTS, points, strict=True):
                delays[f"{name}_{point}_ms"] = float(number) / MILLISECOND
    return delays


_number = partial(Figure, high=None, form="number")
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
    figures=(
        *(
            _number(f"{name}_{point}_ms", f"{title}: {point} (ms)", low=None)
            for name, title in DELAYS.items()
            for point in POINTS
        ),
        _number("stability", "words shown per word kept", "words_shown / words_kept", low=1),
        _number("flicker", "words retracted per word kept", "words_retracted / words_kept"),
        Figure("no_output", "utterances without output", "no_output / utterances"),
    ),
    columns=("utterances", "no_output", "words_kept", "words_shown", "words_retracted"),
    count=count,
    numbers=numbers,
    kind="sample",
    needs=frozenset({"sources"}),
    parameters=(
        choice_of(
            "first_token",
            ("end", "begin"),
            "moment of the first reference word for the first token: end or begin",
        ),
        choice_of(
            "latency_end",
            ("word", "audio"),
            "end of speech: word (end of the last reference word) or audio",
        ),
    ),
)
