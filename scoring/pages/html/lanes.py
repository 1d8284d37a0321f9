"""Sessions of many speakers as lanes over time: who speaks when, on which stream.

A lane is a speaker, together with the stream that has most of the speaker's words. Each stream that
belongs to no such lane is a lane of its own. A word has a wrong speaker if it is aligned with a
word on another lane. It also has one if the same word is wrong on two lanes at about the same time:
on one in the reference, on the other in the hypothesis.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from scoring.model.counts import NO_HYPOTHESIS, NO_REFERENCE, Edit

if TYPE_CHECKING:
    from scoring.results import Rates
    from scoring.results.sources import WordOrigin

# Times of the same word on two lanes that differ by less are those of one word.
REACH_NS = 5 * 10**9


class Meeting(NamedTuple):
    """The entry of a session in the page's header."""

    name: str
    utterances: int  # number of its utterances
    lanes: Sequence[tuple[str | None, str | None]]  # speaker and stream of each; None: nobody


class Lanes(NamedTuple):
    """The sessions of a result, and the lane of each word."""

    meetings: Sequence[Meeting]  # in the order of their utterances
    spoken: Sequence[int]  # the lane of each word of the reference
    heard: Sequence[int]  # the lane of each word of the hypothesis
    moved: Sequence[tuple[int, int]]  # positions there of words given to another speaker


class _Word(NamedTuple):
    """A word with its position, its text, its origin, and whether it is wrong."""

    position: int
    text: str
    origin: WordOrigin
    wrong: bool


_Pair = tuple["_Word | None", "_Word | None"]


def lanes_of(rates: Rates) -> Lanes | None:
    """Return the lanes of a result; None without assigned speakers, or without times of words."""
    sources = rates.sources
    if sources is None or not any(
        origin.start_ns is not None
        for origins in (*sources.said, *sources.heard)
        for origin in origins
    ):
        return None
    meetings: list[Meeting] = []
    spoken: list[int] = []
    heard: list[int] = []
    moved: list[tuple[int, int]] = []
    for name, group in groupby(range(len(rates)), key=rates.session_of.__getitem__):
        utterances = list(group)
        pairs = list(_pairs(rates, utterances, len(spoken), len(heard)))
        left = [word for word, _ in pairs if word is not None]
        right = sorted(word for _, word in pairs if word is not None)
        lanes = _lanes(pairs, left, right)
        of_speaker = {speaker: lane for lane, (speaker, _) in enumerate(lanes)}
        of_stream = {stream: lane for lane, (_, stream) in enumerate(lanes)}
        spoken += [of_speaker[word.origin.speaker] for word in left]
        heard += [of_stream[word.origin.speaker] for word in right]
        moved += _moved(pairs, spoken, heard)
        meetings.append(Meeting(name, len(utterances), lanes))
    return Lanes(meetings, spoken, heard, sorted(moved))


def _pairs(rates: Rates, utterances: Sequence[int], left: int, right: int) -> Iterator[_Pair]:
    """Yield the pairs of aligned words in the given utterances.

    `left` and `right` are the positions of their first reference word and first hypothesis word.
    """
    sources, aligned = rates.sources, rates.aligned
    assert sources is not None
    for row in utterances:
        words = zip(aligned.references[row], sources.said[row], strict=True)
        heard = zip(aligned.hypotheses[row], sources.heard[row], strict=True)
        for edit in aligned.edits_of(row):
            wrong = edit != Edit.CORRECT
            pair: list[_Word | None] = [None, None]
            if edit not in NO_REFERENCE:
                pair[0] = _Word(left, *next(words), wrong)
                left += 1
            if edit not in NO_HYPOTHESIS:
                pair[1] = _Word(right, *next(heard), wrong)
                right += 1
            yield pair[0], pair[1]


def _lanes(
    pairs: Sequence[_Pair], spoken: Sequence[_Word], heard: Sequence[_Word]
) -> list[tuple[str | None, str | None]]:
    common = Counter(
        (left.origin.speaker, right.origin.speaker)
        for left, right in pairs
        if left is not None and right is not None
    )
    partners: dict[str, str] = {}
    for (speaker, stream), _ in common.most_common():
        if speaker not in partners and stream not in partners.values():
            partners[speaker] = stream
    speakers = dict.fromkeys(word.origin.speaker for word in spoken)
    streams = dict.fromkeys(word.origin.speaker for word in heard)
    return [
        *((speaker, partners.get(speaker)) for speaker in speakers),
        *((None, stream) for stream in streams if stream not in partners.values()),
    ]


def _moved(
    pairs: Sequence[_Pair], spoken: Sequence[int], heard: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Yield the pairs of words with a wrong speaker.

    Words that are aligned across two lanes come first. Then come equal words that are wrong on two
    lanes, the nearest in time first.
    """
    wrong: tuple[list[_Word], list[_Word]] = ([], [])
    for pair in pairs:
        left, right = pair
        positions = (-1, -1) if left is None or right is None else (left.position, right.position)
        if min(positions) >= 0 and spoken[positions[0]] != heard[positions[1]]:
            yield positions
            continue
        for word, words in zip(pair, wrong, strict=True):
            if word is not None and word.wrong and word.origin.start_ns is not None:
                words.append(word)
    by_text: dict[str, list[_Word]] = {}
    for word in sorted(wrong[1], key=_start):
        by_text.setdefault(word.text, []).append(word)
    near = []
    for word in wrong[0]:
        same, start = by_text.get(word.text, []), _start(word)
        begin = bisect_left(same, start - REACH_NS, key=_start)
        end = bisect_left(same, start + REACH_NS, key=_start)
        near += [
            (abs(_start(twin) - start), word.position, twin.position)
            for twin in same[begin:end]
            if spoken[word.position] != heard[twin.position]
        ]
    matched: tuple[set[int], set[int]] = (set(), set())
    for _, position, twin_position in sorted(near):
        if position not in matched[0] and twin_position not in matched[1]:
            matched[0].add(position)
            matched[1].add(twin_position)
            yield position, twin_position


def _start(word: _Word) -> int:
    return word.origin.start_ns or 0
