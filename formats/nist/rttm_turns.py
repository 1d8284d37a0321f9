"""Assignment of words to turns in rttm: when a file is read, and to check a file before writing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, Protocol, TypeVar

from formats.io.messages import RULE_SORTED_BY_BEGIN
from formats.nist.messages import RULE_SORTED_CHANNEL, RULE_TURN_BY_TIME

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.schema.loss import Losses

R = TypeVar("R", bound="_Timed")

SLACK = 999_999
"""Nanoseconds by which a word may stick out of its turn: what rounding to milliseconds costs."""


class _Timed(Protocol):
    """An object with a start and an end in nanoseconds."""

    @property
    def start(self) -> int: ...
    @property
    def end(self) -> int: ...


def dealt(turns: Sequence[R], words: Iterable[R]) -> tuple[list[list[R]], list[list[R]]]:
    """Assign words to turns; return the words of each turn, and the words outside turns.

    Consecutive words outside turns form a list. Both inputs must be sorted by begin.
    """
    if not turns:
        run = list(words)
        return [], [run] if run else []
    starts = [turn.start for turn in turns]
    latest: list[int] = []
    for turn in turns:
        latest.append(max(turn.end, latest[-1] if latest else 0))
    inside: list[list[R]] = [[] for _ in turns]
    outside: list[list[R]] = []
    previous: int | None = -1
    for word in words:
        index = _turn_of(word, turns, starts, latest)
        if index is not None:
            inside[index].append(word)
        elif previous is None:
            outside[-1].append(word)
        else:
            outside.append([word])
        previous = index
    return inside, outside


def _turn_of(word: R, turns: Sequence[R], starts: list[int], latest: list[int]) -> int | None:
    index = bisect_right(starts, word.start + SLACK) - 1
    while index >= 0 and latest[index] >= word.end - SLACK:
        if turns[index].end >= word.end - SLACK:
            return index
        index -= 1
    return None


class WrittenRecord(NamedTuple):
    """A record to be written to an rttm file."""

    recording: str
    channel: str
    speaker: str
    kind: str
    start: int
    end: int
    segment: int
    line: int


def count_what_moves(marks: Iterable[WrittenRecord], losses: Losses, path: str | None) -> None:
    """Assign the words to turns as a reader will.

    A word that the reader would assign to another turn is counted as a loss.
    """

    def reading(piece: list[WrittenRecord]) -> tuple[str, str, int, bool, int]:
        first = piece[0]
        return *first[:2], first.start, first.kind == "other", first.line

    pieces = sorted(_pieces(marks), key=reading)
    pieces_of: dict[int, int] = {}
    mixed: set[int] = set()
    for piece in pieces:
        owners = {mark.segment for mark in piece}
        mixed.update(owners if len(owners) > 1 else ())
        pieces_of.update((owner, pieces_of.get(owner, 0) + 1) for owner in owners)
    mixed.update(owner for owner, count in pieces_of.items() if count > 1)
    rule = RULE_TURN_BY_TIME
    losses.add("segment boundaries", len(mixed), rule, path)
    firsts = list(dict.fromkeys(piece[0].segment for piece in pieces))
    places = {segment: rank for rank, segment in enumerate(firsts)}
    rule = RULE_SORTED_CHANNEL
    losses.in_order(sorted(firsts), places.__getitem__, rule, path)
    read = [mark for piece in pieces for mark in piece if mark.kind == "word"]
    spots = {mark.line: spot for spot, mark in enumerate(read)}
    # Where segments mix, words move between them; else those of one moved segment stay together.
    whole = {mark.line: -1 if mixed else mark.segment for mark in read}
    for _, lines in groupby(sorted(spots), whole.__getitem__):
        losses.in_order(
            list(lines), spots.__getitem__, RULE_SORTED_BY_BEGIN, path, "order of words"
        )


def _pieces(marks: Iterable[WrittenRecord]) -> Iterator[list[WrittenRecord]]:
    """Yield the records of each segment: a turn and its words, words without a turn, or others."""
    groups: dict[tuple[str, str, str], tuple[list[WrittenRecord], list[WrittenRecord]]] = {}
    for mark in sorted(marks, key=attrgetter("start")):
        if mark.kind == "other":
            yield [mark]
        else:
            turns, words = groups.setdefault(mark[:3], ([], []))
            (turns if mark.kind == "turn" else words).append(mark)
    for turns, words in groups.values():
        inside, outside = dealt(turns, words)
        yield from ([turn, *run] for turn, run in zip(turns, inside, strict=True))
        yield from outside
