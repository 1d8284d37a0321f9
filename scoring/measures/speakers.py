"""Speakers of words: the word diarisation error rate (WDER)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from scoring.alignment.assignment import Edge, best_matching
from scoring.results.measured import Figure, MeasureSpec

if TYPE_CHECKING:
    from scoring.measures.view import AlignedWords, View
    from scoring.results.sources import Sources, WordOrigin

OptionalNames: TypeAlias = "Sequence[str | None]"


def count(view: View) -> dict[str, Any]:
    """Count pairs of aligned words, and the pairs in which the speakers do not correspond."""
    sources = view.rates.sources
    assert sources is not None  # `needs` asks for them
    slots = np.flatnonzero((view.left >= 0) & (view.right >= 0))
    said = _speakers(sources.said, [part.speaker for part in sources.references], view.reference)
    heard = (
        _speakers(sources.heard, [], view.hypothesis) if sources.heard else _heard(view, sources)
    )
    pairs = [
        (row, said[left], heard[right])
        for row, left, right in zip(
            *(column[slots].tolist() for column in (view.utterances, view.left, view.right)),
            strict=True,
        )
    ]
    met: defaultdict[str, Counter[tuple[str, str]]] = defaultdict(Counter)
    for row, ours, theirs in pairs:
        if ours is not None and theirs is not None:
            met[view.segments[row].recording][ours, theirs] += 1
    partners = {recording: speaker_partners(counted) for recording, counted in met.items()}
    columns = {name: np.zeros(len(view), np.int64) for name in MEASURE.columns}
    for row, ours, theirs in pairs:
        if ours is None or theirs is None:
            columns["unknown"][row] += 1
        else:
            columns["paired"][row] += 1
            mapped = partners[view.segments[row].recording].get(ours)
            columns["wrong_speaker"][row] += mapped != theirs
    return columns


def speaker_partners(counted: Counter[tuple[str, str]]) -> dict[str, str]:
    """Return the one-to-one mapping of speakers that maximises the number of matching words.

    >>> speaker_partners(Counter({("anne", "s1"): 5, ("ben", "s1"): 4, ("anne", "s2"): 3}))
    {'anne': 's2', 'ben': 's1'}
    """
    ours, theirs = (sorted({pair[side] for pair in counted}) for side in (0, 1))
    edges = [
        Edge(ours.index(left), theirs.index(right), float(number))
        for (left, right), number in sorted(counted.items())
    ]
    return {ours[left]: theirs[right] for left, right in best_matching(edges).items()}


def _speakers(
    origins: Sequence[Sequence[WordOrigin]], names: OptionalNames, side: AlignedWords
) -> OptionalNames:
    """Return the speaker of each scored word: the word's own speaker, or its segment's."""
    if origins:
        return [origin.speaker for words in origins for origin in words]
    return [names[row] for row in side.utterances.tolist()]


def _heard(view: View, sources: Sources) -> OptionalNames:
    """Return the speaker of each hypothesis word.

    If whole recordings were cut into utterances, the speakers are those of the recording's
    segments.
    """
    side = view.hypothesis
    if not sources.streams:
        names = [None if part is None else part.speaker for part in sources.hypotheses]
        return _speakers((), names, side)
    # the words as read of a recording's utterances are those of its segments, in order
    sizes = np.bincount(
        np.array(sources.stream_of, np.int64),
        np.diff(side.raw.offsets),
        minlength=len(sources.streams),
    )
    speakers = []
    for stream, size in zip(sources.streams, sizes.astype(int).tolist(), strict=True):
        words = [part.speaker for part in stream for _ in part.all_tokens()]
        # words of segments that are not scored: unknown which
        speakers.append(words if len(words) == size else [None] * size)
    whole = [*chain.from_iterable(speakers), None]
    return [whole[origin] for origin in side.raw.origins.tolist()]


MEASURE = MeasureSpec(
    name="wder",
    title="Word diarisation error rate",
    question="Does each word have the right speaker?",
    definition="WDER of Shafey, Soltau and Shafran (2019, Joint Speech Recognition and Speaker "
    "Diarization via Sequence Transduction): of the correct and substituted words, "
    "the share whose speaker is wrong. Deleted and inserted words do not count. In "
    "each recording the speakers of both sides are paired one to one so that the "
    "fewest words have a wrong speaker. Words of a speaker without partner count as "
    "wrong. Words without speaker on a side do not count either; their number is "
    "reported.",
    figures=(
        Figure("wder", "word diarisation error rate", "wrong_speaker / paired"),
        Figure("unknown", "aligned words without speaker", "unknown", high=None, form="count"),
    ),
    columns=("paired", "wrong_speaker", "unknown"),
    count=count,
    needs=frozenset({"sources"}),
    worst="wrong_speaker",
)
