"""Joint choice of paths and partners for turns (segments) whose words have alternatives.

A turn is a graph of words; the turns of a stream follow each other. Without times, paths share
arcs. With times, words have different times on each path, so that paths share no arcs. A turn with
too many paths is first reduced to a single path: the path that best matches the other side's words
at that time.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import accumulate, chain, product
from typing import NamedTuple

from scoring.alignment.kernel import (
    align_graphs,
    best_paths,
    combine_graphs,
    combine_graphs_greedily,
)
from scoring.alignment.plain_joined import with_all_joined
from scoring.alignment.plain_network import NULL_WORD, WILDCARD, Draft
from scoring.alignment.plain_references import BAR, WILDCARD_TYPE, MarkedRow, merged_network
from scoring.alignment.plain_speaker_graphs import GraphArrays
from scoring.model.counts import Edit
from scoring.sides.matching.by_speaker import (
    AssignedPair,
    Problem,
    SegmentSearch,
    cheapest_columns,
    check_speakers,
    positions_by_speaker,
)
from scoring.sides.matching.word_times import Turn, WordTiming

# A turn with times has at most so many paths.
MOST_PATHS = 64
# The times of a null word, which no other meets.
_NEVER = 2**62, -1
# The words of turns, by position.
WordsOfTurns = dict[int, tuple[str, ...]]
# A path: words, and wildcards.
_Path = tuple["str | int", ...]


class Chosen(NamedTuple):
    """Both sides with the words of the chosen paths."""

    reference: list[Turn]
    hypothesis: list[Turn]
    # The edits of each pair; None: those of the words
    edits: list[bytes] | None = None


class _Pair(NamedTuple):
    """The chosen words of a speaker and of a stream, by turn, and the cost of their alignment."""

    cost: int
    words: WordsOfTurns
    heard: WordsOfTurns


class _Followed(NamedTuple):
    """The chosen words of a speaker and of a stream, by turn, and the edits between them."""

    edits: bytes
    words: WordsOfTurns
    heard: WordsOfTurns
    # Whether words were joined, or left to a wildcard: the edits say what the words alone do not
    is_special: bool

    @property
    def errors(self) -> int:
        """The number of errors."""
        return sum(map(self.edits.count, (Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION)))


class _Graph(NamedTuple):
    """Consecutive turns as a graph: its arcs, and the times of words."""

    draft: Draft
    times: list[tuple[int, int]]


def has_choices(turns: Iterable[Turn]) -> bool:
    """Return True if a turn has several paths through its words."""
    return any(turn.row is not None or turn.others for turn in turns)


class GraphProblem(Problem):
    """Both sides of a session; each turn is a graph.

    `compounds` is passed to `best_paths`; problems with times have no compounds.
    """

    def __init__(
        self,
        reference: Sequence[Turn],
        hypothesis: Sequence[Turn],
        clock: WordTiming | None = None,
        compounds: int = 0,
    ) -> None:
        if clock is not None:
            reference = _with_few_paths(reference, hypothesis, clock)
            hypothesis = _with_few_paths(hypothesis, reference, clock)
        super().__init__(reference, hypothesis, clock)
        self.compounds = compounds
        self._prefers_length = any(turn.others for turn in reference)
        self._numbers: dict[str, int] = {}
        self._graphs = self._timed_graphs() if clock is not None else self._plain_graphs()
        # the fewest words that there may be
        self.words = [sum(graph.draft.shortest() for graph in side) for side in self._graphs]

    def _number(self, word: str) -> int:
        return self._numbers.setdefault(word, len(self._numbers) + 1)

    def _network(self, turn: Turn) -> Draft:
        rows = [_row(turn), *turn.others]
        numbered = [
            [self._number(item) if isinstance(item, str) else item for item in row] for row in rows
        ]
        return _closed(merged_network(numbered))

    def _plain_graphs(self) -> list[list[_Graph]]:
        sides: list[list[_Graph]] = []
        for side in self.sides:
            sides.append([])
            for position, turn in enumerate(side):
                if has_choices([turn]):
                    draft = self._network(turn)
                else:
                    draft = self._parallel([turn.words])
                draft.places[:] = [position] * len(draft.types)
                sides[-1].append(_Graph(draft, []))
        return sides

    def _parallel(self, paths: Sequence[_Path]) -> Draft:
        """Return a network of these paths, in which each path has its own arcs."""
        draft = Draft.empty()
        ends: dict[int, int] = {}
        for path in paths:
            last = 0
            for item in path:
                is_word = isinstance(item, str)
                draft.types.append(self._number(item) if isinstance(item, str) else WILDCARD_TYPE)
                draft.places.append(0)
                draft.marks.append(0 if is_word else WILDCARD)
                draft.before.append({last: 1})
                last = len(draft.types)
            ends[last] = 1
        draft.before.append(ends)
        return _closed(draft)

    def _timed_graphs(self) -> list[list[_Graph]]:
        """Return the paths of each turn, with the times of the words on each path."""
        assert self.clock is not None
        paths = [[self._paths(turn) for turn in side] for side in self.sides]
        spoken = [
            [
                part
                for turn, every in zip(side, ways, strict=True)
                for path in every
                for part in _as_turns(turn, path)
            ]
            for side, ways in zip(self.sides, paths, strict=True)
        ]
        starts, ends = self.clock.ranks(*spoken)
        times = iter(zip(starts, ends, strict=True))
        sides: list[list[_Graph]] = []
        for side, ways in zip(self.sides, paths, strict=True):
            sides.append([])
            for position, (turn, every) in enumerate(zip(side, ways, strict=True)):
                draft = self._parallel(every)
                draft.places[:] = [position] * len(draft.types)
                of_arcs: list[tuple[int, int]] = []
                for path in every:
                    parts = _as_turns(turn, path)
                    of_parts = [[next(times) for _ in part.words] for part in parts]
                    of_arcs += _in_order(path, of_parts)
                of_arcs += [_NEVER] * (len(draft.types) - len(of_arcs))
                sides[-1].append(_Graph(draft, of_arcs))
        return sides

    def _paths(self, turn: Turn) -> list[_Path]:
        if not has_choices([turn]):
            return [turn.words]
        draft = self._network(turn)
        texts = dict(zip(self._numbers.values(), self._numbers, strict=True))
        unique = dict.fromkeys(
            tuple(
                texts[draft.types[arc - 1]] if not draft.marks[arc - 1] else WILDCARD_TYPE
                for arc in arcs
                if draft.marks[arc - 1] != NULL_WORD
            )
            for arcs in _paths_of(draft)
        )
        return list(unique)

    def untimed(self) -> GraphProblem:
        """Return the problem without times."""
        return GraphProblem(*self.sides)

    def says_something(self, number: int, position: int) -> bool:
        """Return True if any path of a turn has words."""
        return any(mark != NULL_WORD for mark in self._graphs[number][position].draft.marks)

    def occurrences(self, number: int) -> tuple[Mapping[str, int], Mapping[str, int]]:
        """Return the smallest and largest number of occurrences of each word of a side."""
        texts = list(self._numbers)
        least, most = Counter[str](), Counter[str]()
        for graph in self._graphs[number]:
            draft = graph.draft
            # of each place the arcs that lead past it, by where they begin and end
            over = [0] * (len(draft.types) + 2)
            for arc, before in enumerate(draft.before[:-1], 1):
                for last in before:
                    over[last + 1] += 1
                    over[arc] -= 1
            passed = list(accumulate(over))
            for arc, (kind, mark) in enumerate(zip(draft.types, draft.marks, strict=True), 1):
                if not mark:
                    most[texts[kind - 1]] += 1
                    least[texts[kind - 1]] += not passed[arc]
        drafts = [graph.draft for graph in self._graphs[1 - number]]
        if self.compounds or any(WILDCARD in draft.marks for draft in drafts):
            least.clear()  # all may match what is spelled otherwise, or anything
        return least, most

    def search(
        self, moving: int, segments: Iterable[Sequence[int]], streams: Iterable[Sequence[int]]
    ) -> SegmentSearch:
        """Return the search that assigns segments of one side to streams of the other."""
        lefts = [self._joined(moving, group) for group in segments]
        rights = [self._joined(1 - moving, group) for group in streams]
        lefts, rights = self._with_compounds(lefts, rights)
        sides = self._arrays(lefts), self._arrays(rights)
        return SegmentSearch(*sides, combine_graphs, combine_graphs_greedily)

    def _with_compounds(
        self, lefts: list[_Graph], rights: list[_Graph]
    ) -> tuple[list[_Graph], list[_Graph]]:
        """Return both sides, with further arcs for words that spell a word of the other side."""
        if not self.compounds:
            return lefts, rights
        left, right = ([graph.draft for graph in side] for side in (lefts, rights))
        joined = with_all_joined(left, right, list(self._numbers), self.compounds)
        first, second = ([_Graph(_closed(draft), []) for draft in side] for side in joined)
        return first, second

    def _joined(self, number: int, group: Sequence[int]) -> _Graph:
        """Return consecutive turns as one graph."""
        return _one_after_the_other([self._graphs[number][position] for position in group])

    def _arrays(self, graphs: Sequence[_Graph]) -> GraphArrays:
        """Return the graphs of a side as columns, the arguments of `combine_graphs`."""
        ids, begins, ends, bounds = array("i"), array("q"), array("q"), array("q", [0])
        marks, offsets, predecessors = bytearray(), array("i", [0]), array("i")
        for graph in graphs:
            draft = graph.draft
            ids.extend(max(kind, 0) for kind in draft.types)
            marks += bytes(draft.marks)
            for before in draft.before[:-1]:
                predecessors.extend(before)
                offsets.append(len(predecessors))
            begins.extend(begin for begin, _ in graph.times)
            ends.extend(end for _, end in graph.times)
            bounds.append(len(ids))
        return ids, begins, ends, bounds, bytes(marks), offsets, predecessors

    def followed(
        self, pairs: Iterable[tuple[Sequence[int], Sequence[int]]], moving: int = 0
    ) -> Iterator[_Followed]:
        """Yield the paths of reference turns and hypothesis turns, pair by pair.

        On the side `moving`, the words of a compound must be in the same turn.
        """
        for pair in pairs:
            graphs = [
                [
                    self._joined(number, group)
                    for group in ([[turn] for turn in turns] if number == moving else [turns])
                ]
                for number, turns in enumerate(pair)
            ]
            left, right = map(_one_after_the_other, self._with_compounds(*graphs))
            sides = self._arrays([left]), self._arrays([right])
            steps, _ = align_graphs(*sides, self._prefers_length)
            yield self._read(left, right, array("i", steps))

    def _read(self, left: _Graph, right: _Graph, steps: Sequence[int]) -> _Followed:
        texts = list(self._numbers)
        words: tuple[dict[int, list[str]], dict[int, list[str]]] = {}, {}
        edits = bytearray()
        is_special = False
        last = 0

        def take(side: int, arcs: Sequence[int]) -> int:
            draft = (left, right)[side].draft
            with_words = [arc for arc in arcs if not draft.marks[arc - 1]]
            for arc in with_words:
                kept = words[side].setdefault(draft.places[arc - 1], [])
                kept.append(texts[draft.types[arc - 1] - 1])
            return len(with_words)

        for arc, facing in zip(steps[::2], steps[1::2], strict=True):
            if facing and not arc and last and left.draft.marks[last - 1] == WILDCARD:
                is_free = not right.draft.marks[facing - 1] and (
                    not left.times or _meet(left.times[last - 1], right.times[facing - 1])
                )
                if is_free:
                    is_special = True
                    continue
            last = arc or last
            up = take(0, left.draft.parts.get(arc, (arc,)) if arc else ())
            back = take(1, right.draft.parts.get(facing, (facing,)) if facing else ())
            if up and back:
                is_special |= up + back > 2
                is_same = left.draft.types[arc - 1] == right.draft.types[facing - 1]
                edits += bytes([Edit.JOINED_REFERENCE]) * (up - 1)
                edits += bytes([Edit.JOINED_HYPOTHESIS]) * (back - 1)
                edits.append(Edit.CORRECT if is_same else Edit.SUBSTITUTION)
            elif up or back:
                edits.append(Edit.DELETION if up else Edit.INSERTION)
        spoken, heard = (
            {position: tuple(texts) for position, texts in side.items()} for side in words
        )
        return _Followed(bytes(edits), spoken, heard, is_special)

    def chosen(self, pairs: Sequence[AssignedPair], moving: int = 0) -> Chosen:
        """Return both sides with the words of the paths that `followed` yields."""
        positions = [(pair.references, pair.hypotheses) for pair in pairs]
        followed = list(self.followed(positions, moving))
        chosen: tuple[WordsOfTurns, WordsOfTurns] = {}, {}
        for paths in followed:
            chosen[0].update(paths.words)
            chosen[1].update(paths.heard)
        left, right = (
            _with_words(side, {at: words.get(at, ()) for at in range(len(side))})
            for side, words in zip(self.sides, chosen, strict=True)
        )
        # words alone would be joined across turns, too
        is_special = bool(self.compounds) or any(paths.is_special for paths in followed)
        return Chosen(left, right, [paths.edits for paths in followed] if is_special else None)


def _one_after_the_other(graphs: Sequence[_Graph]) -> _Graph:
    """Return consecutive graphs as one graph."""
    joined = _Graph(Draft.empty(), [])
    draft = joined.draft
    for graph in graphs:
        shift = len(draft.types)
        draft.types.extend(graph.draft.types)
        draft.places.extend(graph.draft.places)
        draft.marks.extend(graph.draft.marks)
        draft.before.extend(
            {last + shift: mask for last, mask in before.items()}
            for before in graph.draft.before[:-1]
        )
        for arc, parts in graph.draft.parts.items():
            draft.parts[arc + shift] = tuple([part + shift for part in parts])
        joined.times.extend(graph.times)
    draft.before.append({len(draft.types): 1})
    return joined


def _meet(left: tuple[int, int], right: tuple[int, int]) -> bool:
    return left[0] < right[1] and right[0] < left[1]


def _closed(draft: Draft) -> Draft:
    """Return the network with a single last arc.

    If there are several, a null word is added after them.
    """
    last = len(draft.types)
    if list(draft.before[-1]) != [last]:
        draft.types.append(BAR)
        draft.places.append(0)
        draft.marks.append(NULL_WORD)
        draft.before.append({last + 1: 1})
    return draft


def _paths_of(draft: Draft) -> Iterator[tuple[int, ...]]:
    """Yield the arcs of all paths."""
    ways: list[list[tuple[int, ...]]] = [[()]]
    for arc, before in enumerate(draft.before[:-1], 1):
        ways.append([(*way, arc) for last in before for way in ways[last]])
    for last in draft.before[-1]:
        yield from ways[last]


def _number_of_paths(draft: Draft) -> int:
    ways = [1]
    for before in draft.before:
        ways.append(sum(ways[last] for last in before))
    return ways[-1]


def _as_turns(turn: Turn, path: _Path) -> list[Turn]:
    """Return the words of a path as a turn, and its wildcards as another turn."""
    words = tuple([item for item in path if isinstance(item, str)])
    is_plain = words == path == turn.words and not has_choices([turn])
    spoken = turn if is_plain else turn._replace(words=words, times=None)
    if len(words) == len(path):
        return [spoken]
    return [spoken, turn._replace(words=("*",), times=None)]


def _in_order(path: _Path, times: Sequence[list[tuple[int, int]]]) -> list[tuple[int, int]]:
    """Return the times of the words and wildcards on a path, in the order of the path."""
    words = iter(times[0])
    return [next(words) if isinstance(item, str) else times[1][0] for item in path]


def _with_few_paths(
    side: Sequence[Turn], others: Sequence[Turn], clock: WordTiming
) -> Sequence[Turn]:
    """Return the turns; a turn with too many paths keeps the path closest to the other side."""
    numbers: dict[str, int] = {}
    turns: list[Turn] = []
    for turn in side:
        if has_choices([turn]):
            rows = [
                [
                    numbers.setdefault(item, len(numbers) + 1) if isinstance(item, str) else item
                    for item in row
                ]
                for row in (_row(turn), *turn.others)
            ]
            if _number_of_paths(merged_network(rows)) > MOST_PATHS:
                [turn] = _choose_at_times([turn], others, clock)
        turns.append(turn)
    return turns


def choose_turns(problem: GraphProblem) -> tuple[Chosen, list[list[int]]]:
    """Return the turns of a session with the words of the best paths under the best assignment.

    Also return the costs of all pairs of speakers and streams. Raises TooManySpeakersError, as
    `Problem` does.
    """
    sides = problem.sides
    groups = [list(positions_by_speaker(side).values()) for side in sides]
    size = check_speakers(*map(len, groups))
    # beyond the speakers or streams that are there, nobody
    speakers, streams = ([*own, *([[]] * (size - len(own)))] for own in groups)
    if problem.clock is not None:
        errors = [paths.errors for paths in problem.followed(list(product(speakers, streams)))]
        costs = [errors[row * size : (row + 1) * size] for row in range(size)]
        pairs = [
            AssignedPair(None, None, tuple(speakers[row]), tuple(streams[column]))
            for row, column in enumerate(cheapest_columns(costs))
        ]
        return problem.chosen(pairs), costs
    ways = [
        [_choose(sides, (own, heard), problem.compounds) for heard in streams] for own in speakers
    ]
    costs = [[pair.cost for pair in row] for row in ways]
    chosen: tuple[WordsOfTurns, WordsOfTurns] = {}, {}
    for row, column in enumerate(cheapest_columns(costs)):
        pair = ways[row][column]
        chosen[0].update(pair.words)
        chosen[1].update(pair.heard)
    left, right = (_with_words(side, words) for side, words in zip(sides, chosen, strict=True))
    return Chosen(left, right), costs


def _with_words(side: Sequence[Turn], chosen: WordsOfTurns) -> list[Turn]:
    """Return the turns with the words that were chosen from their alternatives."""
    return [
        _chosen(turn, chosen[position])
        if has_choices([turn]) or chosen[position] != turn.words
        else turn
        for position, turn in enumerate(side)
    ]


def _chosen(turn: Turn, words: tuple[str, ...]) -> Turn:
    """Return a turn with the words chosen from its alternatives; their times are unknown."""
    return turn._replace(words=words, times=None, row=None, others=())


def _choose(
    sides: tuple[Sequence[Turn], Sequence[Turn]],
    groups: tuple[Sequence[int], Sequence[int]],
    compounds: int,
) -> _Pair:
    """Return the words of the cheapest pair of paths of a speaker and a stream."""
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
    places, said, cuts = array("i", paths[1]), array("i", paths[6]), array("i", paths[4])
    # what a wildcard matches is not scored
    for begin, end in zip(cuts[2::4], cuts[3::4], strict=True):
        said[begin:end] = array("i", [-1] * (end - begin))
    words = _words_by_turn(list(chain.from_iterable(rows)), [*groups[0]] * len(rows), places)
    scored = [place for place in said if place >= 0]
    cost = int(array("d", paths[8])[0])
    return _Pair(cost, words, _words_by_turn(spoken, groups[1], scored))


def _row(turn: Turn) -> MarkedRow:
    """Return the words of a turn, with marks around alternatives."""
    return turn.words if turn.row is None else turn.row


def _words_by_turn(
    rows: Sequence[MarkedRow], group: Sequence[int], places: Sequence[int]
) -> WordsOfTurns:
    """Group the words at the given positions of joined rows by the turn of the row."""
    begins = list(accumulate(map(len, rows), initial=0))
    dealt: dict[int, list[str]] = {position: [] for position in group}
    for place in places:
        number = bisect_right(begins, place) - 1
        word = rows[number][place - begins[number]]
        assert isinstance(word, str)
        dealt[group[number]].append(word)
    return {position: tuple(words) for position, words in dealt.items()}


def _choose_at_times(side: Sequence[Turn], others: Sequence[Turn], clock: WordTiming) -> list[Turn]:
    """Return the turns with the alternatives that best match the simultaneous words of `others`."""
    chosen: list[Turn] = []
    for turn in side:
        reach = clock.collar
        if isinstance(turn.start, Decimal):
            reach = Decimal(str(reach))
        near = [
            facing
            for facing in others
            if facing.start < turn.end + reach and turn.start < facing.end + reach
        ]
        heard = list(chain.from_iterable(_row(facing) for facing in near))
        rows = [_row(turn), *turn.others]
        paths = best_paths(rows, [heard], len(rows), prefers_length=len(rows) > 1)
        [words] = _words_by_turn(rows, [0] * len(rows), array("i", paths[1])).values()
        chosen.append(_chosen(turn, words))
    return chosen
