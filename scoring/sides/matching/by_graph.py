"""Speakers and streams whose words offer a choice: paths and partners that cost least together.

Each speaker is aligned with each stream, both as graphs; the partners at the least sum of costs
decide which paths are taken. Where times matter, a segment is aligned with what the other side
says at its time, and the cost is that of the words chosen, with their times.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from decimal import Decimal
from itertools import accumulate, chain
from typing import NamedTuple

from scoring.alignment.kernel import best_paths
from scoring.alignment.plain_references import MarkedRow
from scoring.sides.matching.by_speaker import (
    Problem,
    cheapest_columns,
    check_speakers,
    positions_by_speaker,
)
from scoring.sides.matching.word_times import Turn, WordTiming

# The words of turns, by position.
WordsOfTurns = dict[int, tuple[str, ...]]


class Chosen(NamedTuple):
    """Both sides with the words of the paths that were taken, and the costs of all pairs."""

    reference: list[Turn]
    hypothesis: list[Turn]
    costs: list[list[int]]


class _Pair(NamedTuple):
    """The words chosen of a speaker and a stream."""

    cost: int
    words: WordsOfTurns
    heard: WordsOfTurns


def has_choices(turns: Iterable[Turn]) -> bool:
    """Return True if a turn has several paths."""
    return any(turn.row is not None or turn.others for turn in turns)


def choose_turns(
    reference: Sequence[Turn],
    hypothesis: Sequence[Turn],
    clock: WordTiming | None,
    compounds: int,
) -> Chosen:
    """Return the turns of a session with the words of the best paths under the best assignment.

    `compounds` is as of `best_paths`. TooManySpeakersError as of `Problem`.
    """
    sides = reference, hypothesis
    groups = [list(positions_by_speaker(side).values()) for side in sides]
    size = check_speakers(*map(len, groups))
    # beyond the speakers or streams that are there, nobody
    speakers, streams = ([*own, *([[]] * (size - len(own)))] for own in groups)
    pairs = [
        [_choose(sides, (speaker, stream), clock, compounds) for stream in streams]
        for speaker in speakers
    ]
    costs = [[pair.cost for pair in row] for row in pairs]
    chosen: tuple[WordsOfTurns, WordsOfTurns] = {}, {}
    for row, column in enumerate(cheapest_columns(costs)):
        pair = pairs[row][column]
        chosen[0].update(pair.words)
        chosen[1].update(pair.heard)
    left, right = (_with_words(side, words) for side, words in zip(sides, chosen, strict=True))
    return Chosen(left, right, costs)


def _with_words(side: Sequence[Turn], chosen: WordsOfTurns) -> list[Turn]:
    """Return the turns with the words that were chosen."""
    return [
        _chosen(turn, chosen[position]) if has_choices([turn]) else turn
        for position, turn in enumerate(side)
    ]


def _choose(
    sides: tuple[Sequence[Turn], Sequence[Turn]],
    groups: tuple[Sequence[int], Sequence[int]],
    clock: WordTiming | None,
    compounds: int,
) -> _Pair:
    """Return the paths of a speaker and a stream that cost least together."""
    if clock is None:
        return _choose_whole(sides, groups, compounds)
    left, right = (
        [side[position] for position in group] for side, group in zip(sides, groups, strict=True)
    )
    left = _choose_at_times(left, right, clock)
    right = _choose_at_times(right, left, clock)
    costs = Problem(left, right, clock).costs if left or right else [[0]]
    words, heard = (
        {position: turn.words for position, turn in zip(group, turns, strict=True)}
        for group, turns in zip(groups, (left, right), strict=True)
    )
    return _Pair(costs[0][0], words, heard)


def _chosen(turn: Turn, words: tuple[str, ...]) -> Turn:
    """Return a turn with the words that were chosen, whose own times are not known."""
    return turn._replace(words=words, times=None, row=None, others=())


def _choose_whole(
    sides: tuple[Sequence[Turn], Sequence[Turn]],
    groups: tuple[Sequence[int], Sequence[int]],
    compounds: int,
) -> _Pair:
    turns, heard = (
        [side[position] for position in group] for side, group in zip(sides, groups, strict=True)
    )
    # a row for each reference: all that a speaker says
    rows = [list(map(_row, turns))]
    rows += [list(others) for others in zip(*(turn.others for turn in turns), strict=True)]
    spoken = list(map(_row, heard))
    paths = best_paths(
        [list(chain.from_iterable(own)) for own in rows],
        [list(chain.from_iterable(spoken))],
        len(rows),
        prefers_length=len(rows) > 1,
        compounds=compounds,
    )
    places = array("i", paths[1]), array("i", paths[6])
    words = _words_by_turn(list(chain.from_iterable(rows)), [*groups[0]] * len(rows), places[0])
    return _Pair(int(array("d", paths[8])[0]), words, _words_by_turn(spoken, groups[1], places[1]))


def _row(turn: Turn) -> MarkedRow:
    """Return the words of a turn, with marks around alternatives."""
    return turn.words if turn.row is None else turn.row


def _words_by_turn(
    rows: Sequence[MarkedRow], group: Sequence[int], places: Sequence[int]
) -> WordsOfTurns:
    """Collect the words at these places of the joined rows; the key is the turn of each row."""
    begins = list(accumulate(map(len, rows), initial=0))
    dealt: dict[int, list[str]] = {position: [] for position in group}
    for place in places:
        number = bisect_right(begins, place) - 1
        word = rows[number][place - begins[number]]
        assert isinstance(word, str)
        dealt[group[number]].append(word)
    return {position: tuple(words) for position, words in dealt.items()}


def _choose_at_times(own: Sequence[Turn], others: Sequence[Turn], clock: WordTiming) -> list[Turn]:
    """The turns, with those words of each alternative that fit the other side at that time."""
    chosen: list[Turn] = []
    for turn in own:
        if not has_choices([turn]):
            chosen.append(turn)
            continue
        reach = clock.collar
        if isinstance(turn.start, Decimal):
            reach = Decimal(str(reach))
        near = [
            other
            for other in others
            if other.start < turn.end + reach and turn.start < other.end + reach
        ]
        heard = list(chain.from_iterable(_as_written(other) for other in near))
        rows = [_row(turn), *turn.others]
        paths = best_paths(rows, [heard], len(rows), prefers_length=len(rows) > 1)
        [words] = _words_by_turn(rows, [0] * len(rows), array("i", paths[1])).values()
        chosen.append(_chosen(turn, words))
    return chosen


def _as_written(turn: Turn) -> Sequence[str | int]:
    """Return the words of a turn, with its alternatives if they are not chosen yet."""
    return list(_row(turn))
