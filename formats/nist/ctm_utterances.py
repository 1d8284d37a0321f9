"""Recordings and speakers of the words of a ctm, from a second file.

Kaldi's ctm has utterances instead of recordings, and times that count from the beginning of each
utterance. Kaldi's ``segments`` has the recordings and times of the utterances. An rttm has the
speakers.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import accumulate
from operator import itemgetter
from typing import NamedTuple, TypeAlias

from formats.io.source import Source
from formats.nist.messages import CTM_BEYOND_SEGMENT, CTM_NOBODY
from formats.schema.errors import quoted
from formats.schema.grouping import group_by_pause
from formats.schema.model import Segment
from formats.schema.words import Alternation, Token

ChannelName: TypeAlias = "tuple[str, str | None]"

SLACK = 500_000_000
"""Nanoseconds by which words may go on after their utterance."""


def placed_words(
    source: Source, path: str, beside: Iterable[Segment], segments: Iterable[Segment]
) -> Iterator[Segment]:
    """Yield the words of utterances; add the starts in Kaldi's ``segments`` to their times."""
    places = {place.utterance: place for place in beside}

    def placed(segment: Segment) -> Iterator[Segment]:
        utterance = places.get(segment.recording)
        if utterance is None:
            raise source.syntax_error(
                segment.line, f"an utterance of {path}", quoted(segment.recording), column=1
            )
        yield _placed(source, segment, utterance)

    return source.log.accepted("CTM-UTTERANCE", placed, segments)


def _placed(source: Source, segment: Segment, utterance: Segment) -> Segment:
    moved = segment.with_items(_moved(segment.items(), utterance.start_ns or 0))
    latest = max((t.end_ns or 0 for t in moved.all_tokens()), default=0)
    if utterance.end_ns is not None and latest > utterance.end_ns + SLACK:
        source.log.say(
            CTM_BEYOND_SEGMENT,
            segment.line,
            recording=segment.recording,
            seconds=(latest - utterance.end_ns) / 1e9,
        )
    return moved.replace(
        recording=utterance.recording,
        channel=utterance.channel if utterance.channel is not None else segment.channel,
        utterance=segment.recording,
        start_ns=utterance.start_ns,
        end_ns=utterance.end_ns,
    )


def _moved(items: Iterable[Token | Alternation], shift: int) -> Iterator[Token | Alternation]:
    for item in items:
        if isinstance(item, Alternation):
            yield Alternation([_moved(branch, shift) for branch in item.branches])
        else:
            start, end = item.start_ns or 0, item.end_ns or 0
            yield item.replace(start_ns=start + shift, end_ns=end + shift)


def words_in_turns(
    speakers: SpeakersOfWords, segments: Iterable[Segment], gap: int
) -> Iterator[Segment]:
    """Yield segments split at pauses; warn about words without a speaker."""
    for segment in segments:
        yield from group_by_pause(segment, gap)
    speakers.warn_of_nobody()


class SortedTurns(NamedTuple):
    """Turns sorted by start.

    `latest` has, for each turn, the latest end of all turns up to this one.
    """

    turns: list[tuple[int, int, str]]
    starts: list[int]
    latest: list[int]


class SpeakersOfWords:
    """Looks up in an rttm file who speaks at a given time."""

    def __init__(self, source: Source, path: str) -> None:
        from formats.nist.rttm import read

        self.source = source
        self.path = path
        self._nobodys: list[int] = []
        turns: dict[ChannelName, list[tuple[int, int, str]]] = {}
        with source.beside(path) as table:
            # turns that overlap are merged, for the option to merge them is not one of this format
            for segment in read(table, rttm_merge=True):
                start, end, name = segment.start_ns, segment.end_ns, segment.speaker
                if segment.kind == "segment" and name and start is not None and end is not None:
                    key = segment.recording, segment.channel
                    turns.setdefault(key, []).append((start, end, name))
        self._turns: dict[ChannelName, SortedTurns] = {}
        for key, rows in turns.items():
            rows.sort(key=itemgetter(0))
            latest = list(accumulate((end for _, end, _ in rows), max))
            self._turns[key] = SortedTurns(rows, [start for start, _, _ in rows], latest)

    def at(self, recording: str, channel: str, middle: int, line: int) -> str | None:
        """Return the speaker at the middle of a word.

        If several speakers talk then, return the one whose turn began first.
        """
        turns, starts, latest = self._turns.get((recording, channel), ([], [], []))
        index, speaker = bisect_right(starts, middle) - 1, None
        while index >= 0 and latest[index] >= middle:
            if turns[index][1] >= middle:
                speaker = turns[index][2]
            index -= 1
        if speaker is None:
            self._nobodys.append(line)
        return speaker

    def warn_of_nobody(self) -> None:
        """Warn about words outside all turns."""
        if self._nobodys:
            self.source.log.say(
                CTM_NOBODY, self._nobodys[0], path=self.path, words=len(self._nobodys)
            )
