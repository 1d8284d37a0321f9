"""Sessions of many speakers as lanes over time: who says what when, and on which stream it is.

A lane is a speaker with the stream that has most of its words; streams left over have lanes of
their own. A word was given to another speaker if it is aligned with a word on another lane, or if
the same word is wrong on two lanes at about the same time, once on either side.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple

from scoring.model import NO_HYPOTHESIS, NO_REFERENCE, Edit

if TYPE_CHECKING:
    from scoring.rates.result import Rates
    from scoring.rates.sources import WordOrigin

# So far apart the same word may be said and heard to be taken for one.
REACH_NS = 5 * 10**9


class Meeting(NamedTuple):
    """A session in the head of the page.

    Attributes
    ----------
    name
        Of the session.
    utterances
        How many utterances are its.
    lanes
        Speaker and stream of each lane; None: nobody.
    """

    name: str
    utterances: int
    lanes: Sequence[tuple[str | None, str | None]]


class Lanes(NamedTuple):
    """All sessions of a result, and where their words are.

    Attributes
    ----------
    meetings
        The sessions, in the order of their utterances.
    said, heard
        The lane of each word of the reference, and of the hypothesis, in the order of utterances.
    given
        Pairs of positions in these columns: words given to another speaker.
    """

    meetings: Sequence[Meeting]
    said: Sequence[int]
    heard: Sequence[int]
    given: Sequence[tuple[int, int]]


class _Word(NamedTuple):
    """A word with its position, its text and whether it is wrong."""

    place: int
    text: str
    said: WordOrigin
    wrong: bool


_Pair = tuple["_Word | None", "_Word | None"]


def lanes_of(rates: Rates) -> Lanes | None:
    """The lanes of a result; None where speakers were not assigned, or no times are known."""
    sources = rates.sources
    if sources is None or not any(
        one.start_ns is not None for words in (*sources.said, *sources.heard) for one in words
    ):
        return None
    meetings: list[Meeting] = []
    said: list[int] = []
    heard: list[int] = []
    given: list[tuple[int, int]] = []
    for name, group in groupby(range(len(rates)), key=rates.session_of.__getitem__):
        utterances = list(group)
        pairs = list(_pairs(rates, utterances, len(said), len(heard)))
        left = [one for one, _ in pairs if one is not None]
        right = sorted(one for _, one in pairs if one is not None)
        lanes = _lanes(pairs, left, right)
        of_speaker = {one: at for at, (one, _) in enumerate(lanes)}
        of_stream = {one: at for at, (_, one) in enumerate(lanes)}
        own = [of_speaker[one.said.speaker] for one in left]
        others = [of_stream[one.said.speaker] for one in right]
        said += own
        heard += others
        given += _given(pairs, said, heard)
        meetings.append(Meeting(name, len(utterances), lanes))
    return Lanes(meetings, said, heard, sorted(given))


def _pairs(rates: Rates, utterances: Sequence[int], left: int, right: int) -> Iterator[_Pair]:
    """What is aligned with what; positions begin with these."""
    assert rates.sources is not None
    for at in utterances:
        ours, theirs = (
            [(words[place], one) for place, one in enumerate(known)]
            for words, known in (
                (rates.aligned.references[at], rates.sources.said[at]),
                (rates.aligned.hypotheses[at], rates.sources.heard[at]),
            )
        )
        own, other = iter(ours), iter(theirs)
        for edit in rates.aligned.edits_of(at):
            wrong = edit != Edit.CORRECT
            pair: list[_Word | None] = [None, None]
            if edit not in NO_REFERENCE:
                pair[0] = _Word(left, *next(own), wrong)
                left += 1
            if edit not in NO_HYPOTHESIS:
                pair[1] = _Word(right, *next(other), wrong)
                right += 1
            yield pair[0], pair[1]


def _lanes(
    pairs: Sequence[_Pair], said: Sequence[_Word], heard: Sequence[_Word]
) -> list[tuple[str | None, str | None]]:
    common = Counter(
        (one.said.speaker, other.said.speaker)
        for one, other in pairs
        if one is not None and other is not None
    )
    partners: dict[str, str] = {}
    taken: set[str] = set()
    for (speaker, stream), _ in common.most_common():
        if speaker not in partners and stream not in taken:
            partners[speaker] = stream
            taken.add(stream)
    speakers = dict.fromkeys(one.said.speaker for one in said)
    streams = dict.fromkeys(one.said.speaker for one in heard)
    return [
        *((one, partners.get(one)) for one in speakers),
        *((None, one) for one in streams if one not in taken),
    ]


def _given(
    pairs: Sequence[_Pair], said: Sequence[int], heard: Sequence[int]
) -> Iterator[tuple[int, int]]:
    """Words on two lanes that are aligned, then those that are wrong on both, nearest first."""
    wrong: tuple[list[_Word], list[_Word]] = ([], [])
    for one, other in pairs:
        if one is not None and other is not None and said[one.place] != heard[other.place]:
            yield one.place, other.place
            continue
        for word, words in zip((one, other), wrong, strict=True):
            if word is not None and word.wrong and word.said.start_ns is not None:
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
            (abs(_start(other) - start), word.place, other.place)
            for other in same[begin:end]
            if said[word.place] != heard[other.place]
        ]
    taken: tuple[set[int], set[int]] = (set(), set())
    for _, one_place, other_place in sorted(near):
        if one_place not in taken[0] and other_place not in taken[1]:
            taken[0].add(one_place)
            taken[1].add(other_place)
            yield one_place, other_place


def _start(word: _Word) -> int:
    return word.said.start_ns or 0
