"""Latency of streaming recognisers: how long after its end a word is shown.

The hypothesis is a log of results (`stream-events`, `openbench`) or of words with delays
(`simuleval`). Readers store the time when each word was shown as properties of segments.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from itertools import chain, groupby
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from scoring.measures.columns import placed, spread
from scoring.measures.settings import choice_of
from scoring.measures.spans import MILLISECOND
from scoring.measures.timing import paired_words
from scoring.measures.view import UNTIMED, properties_of, shared
from scoring.model.arrays import Integers
from scoring.results.counted import Sample, Sums
from scoring.results.measured import LATENCY, Figure, MeasuredValues, MeasureSpec

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from scoring.measures.view import View
    from scoring.results.sources import Sources

PERCENTS = (50, 90, 95, 99)
POINTS = ("mean", *(f"p{percent}" for percent in PERCENTS))
# Of segments: times of words, the length of the audio, numbers of words.
PROPERTIES = (
    *("emission_ns", "final_ns", "elapsed_ns"),
    *("source_ns", "words_shown", "words_retracted"),
)
# Samples, and what reports call them.
DELAYS = {
    "word": "word delay",
    "final_word": "word delay, final",
    "first_token": "first token",
    "last_token": "last token",
    "endpoint": "endpoint",
}


class Streams(NamedTuple):
    """When the words of each utterance were shown and became final.

    `emitted`, `final` and `elapsed` have an entry per word: the time in the audio when the word was
    shown, when it became final, and the wall-clock time when it was shown. `source_ns` is the
    length of the audio. All times are in nanoseconds, `UNTIMED` if unknown. `shown` and `retracted`
    are numbers of words. `offsets` has the first word of each utterance. An utterance has words
    only if the times of all its words are known.
    """

    offsets: Integers
    emitted: Integers
    final: Integers
    elapsed: Integers
    source_ns: Integers
    shown: Integers
    retracted: Integers


def _sizes(segments: Sequence[Segment | None]) -> Integers:
    return np.array([len(segment.words) if segment else 0 for segment in segments], np.int64)


def _read(segments: Sequence[Segment | None], is_log: bool) -> Streams:
    """Return the times of each segment's words.

    `is_log`: the segments are from a log of words with delays.
    """
    properties = dict(zip(PROPERTIES, properties_of(segments, PROPERTIES), strict=True))
    number = len(segments)
    if is_log:
        present = [(place, segment) for place, segment in enumerate(segments) if segment]
        begins = {
            place: " ".join([str(time) for time in segment.starts_ns or () if time is not None])
            for place, segment in present
        }
        ends = {place: item.end_ns for place, item in present if item.end_ns is not None}
        properties["emission_ns"] = begins | properties["emission_ns"]
        properties["source_ns"] = ends | properties["source_ns"]
    words = sizes = _sizes(segments)
    columns: list[Integers] = []
    for name in PROPERTIES[:3]:
        texts = [properties[name].get(place, "") for place in range(number)]
        lengths = np.array([len(text.split()) for text in texts], np.int64)
        read = np.fromstring(" ".join(texts).strip(), np.int64, sep=" ")
        sizes = sizes if columns else np.where(lengths == sizes, sizes, 0)
        column = np.full(int(sizes.sum()), UNTIMED)
        column[np.repeat(lengths == sizes, sizes)] = read[np.repeat(lengths == sizes, lengths)]
        columns.append(column)
    for name, default in zip(PROPERTIES[3:], (UNTIMED, 0, 0), strict=True):
        column = np.full(number, default)
        column[[*properties[name]]] = [*map(int, properties[name].values())]
        columns.append(np.where(sizes == words, column, default))
    return Streams(np.append(0, np.cumsum(sizes)), *columns)


@shared
def streams_of(view: View) -> Streams:
    """Return the streams of the hypothesis."""
    sources = view.rates.sources
    assert sources is not None  # `needs` asks for them
    is_log = view.rates.hypothesis.format == "simuleval"
    streams = _cut(sources, is_log) if sources.streams else _read(sources.hypotheses, is_log)
    if len(streams.emitted) or not len(view.hypothesis.ids):
        return streams
    side, matched_by = view.rates.hypothesis, view.rates.matching_summary.matched_by
    raise view.error(
        "measures of latency: expected the times when words appeared (formats stream-events, "
        "openbench, simuleval, or a property emission_ns), found none "
        f"(format {side.format}, matched by {matched_by})"
    )


def _cut(sources: Sources, is_log: bool) -> Streams:
    """Divide the stream of each recording among its utterances, and return the parts."""
    groups = [(number, len(list(rows))) for number, rows in groupby(sources.stream_of)]
    parts = [sources.streams[number] for number, _ in groups]
    whole = _read(list(chain.from_iterable(parts)), is_log)
    owners, rows = (
        spread(sizes)[0] for sizes in ([len(part) for part in parts], [size for _, size in groups])
    )
    sizes, read = _sizes(sources.hypotheses), np.diff(whole.offsets)
    fits = np.bincount(rows, sizes) == np.bincount(owners, read, len(parts))
    kept = np.repeat(fits[owners], read)
    sizes = np.where(fits[rows], sizes, 0)
    first, last = (np.flatnonzero(np.diff(rows, **{end: -1})) for end in ("prepend", "append"))
    lengths, *numbers = np.full((3, len(rows)), [[UNTIMED], [0], [0]])
    ends = np.searchsorted(owners, np.arange(len(parts)), "right") - 1
    lengths[last] = placed(whole.source_ns, ends, UNTIMED)
    for column, total in zip(numbers, (whole.shown, whole.retracted), strict=True):
        column[first] = np.where(fits, np.bincount(owners, total, len(parts)), 0)
    emitted, final, elapsed = (column[kept] for column in whole[1:4])
    offsets = np.append(0, np.cumsum(sizes))
    return Streams(offsets, emitted, final, elapsed, lengths, *numbers)


def count(view: View) -> dict[str, Any]:
    """Return the delays of words and of utterances, and how many words were shown and retracted."""
    streams = streams_of(view)
    if view.settings["latency_clock"] == "elapsed":  # final results have no such times
        unknown = np.full_like(streams.final, UNTIMED)
        streams = streams._replace(emitted=streams.elapsed, final=unknown)
    spoken = np.diff(view.reference.raw.offsets)
    silent = np.diff(view.hypothesis.raw.offsets) == 0
    return {
        "utterances": spoken > 0,
        "no_output": (spoken > 0) & silent,
        "words_kept": streams.shown - streams.retracted,
        "words_shown": streams.shown,
        "words_retracted": streams.retracted,
        **_word_delays(view, streams),
        **_utterance_delays(view, streams),
    }


def _word_delays(view: View, streams: Streams) -> dict[str, Sample]:
    """Return the times from the end of each correct word in the reference until it is shown."""
    ends = view.reference.column("ends_ns")
    ours, theirs, rows = paired_words(view, "matches")
    words, sizes = np.diff(view.hypothesis.raw.offsets), np.diff(streams.offsets)
    samples = {}
    for name, column in (("word", streams.emitted), ("final_word", streams.final)):
        times = np.full(int(words.sum()), UNTIMED)
        times[np.repeat(words == sizes, words)] = column[np.repeat(words == sizes, sizes)]
        keep = (ends[ours] != UNTIMED) & (times[theirs] != UNTIMED)
        samples[name] = view.sample(times[theirs[keep]] - ends[ours[keep]], 0, rows[keep])
    return samples


def _utterance_delays(view: View, streams: Streams) -> dict[str, Sample]:
    """Return the delays of an utterance's first word, last word and last final result."""
    begins, ends = (view.reference.column(name) for name in ("starts_ns", "ends_ns"))
    first = begins if view.settings["first_token"] == "begin" else ends
    offsets = view.reference.raw.offsets
    rows = np.flatnonzero((np.diff(offsets) > 0) & (np.diff(streams.offsets) > 0))
    started, ended = first[offsets[rows]], ends[offsets[rows + 1] - 1]
    if view.settings["latency_end"] == "audio":
        ended = streams.source_ns[rows]
    last = streams.offsets[rows + 1] - 1
    samples = {}
    for name, origin, reached in (
        ("first_token", started, streams.emitted[streams.offsets[rows]]),
        ("last_token", ended, streams.emitted[last]),
        ("endpoint", ended, streams.final[last]),
    ):
        keep = (origin != UNTIMED) & (reached != UNTIMED)
        samples[name] = view.sample((reached - origin)[keep], 0, rows[keep])
    return samples


def numbers(totals: Sums) -> MeasuredValues:
    """Return the mean and percentiles of each delay."""
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
    definition="The delay of a right word is the time from its end in the reference until it was "
    "first shown at its place without being retracted later. For `word delay, final` "
    "it is the time until the first final result with the word. First token: the time "
    "from the end of the first reference word (first_token=begin: from its begin) "
    "until the first word was shown. Last token: the time from the end of speech "
    "until the last word was shown. Speech ends with the last reference word "
    "(latency_end=audio: with the audio). Endpoint: the time from the end of speech "
    "until the last final result. Delays may be negative. Percentiles are "
    "interpolated linearly. Utterances without output have no delay; their number is "
    "reported. With latency_clock=elapsed delays include computing time, as users "
    "perceive them; there are then no delays of final results. A result that changes "
    "a word retracts this word and all words after it.",
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
            "where the delay of the first token starts: at the end or begin of the first "
            "reference word",
        ),
        choice_of(
            "latency_end",
            ("word", "audio"),
            "end of speech: word (end of the last reference word) or audio (end of the audio)",
        ),
        choice_of(
            "latency_clock",
            ("audio", "elapsed"),
            "clock for the time when words are shown: audio (position in the audio) or "
            "elapsed (also computing time)",
        ),
    ),
)
