"""Align whole files: costs of words, and the words of all utterances of two sides, in columns.

Most utterances are plain sequences and go to the linear aligner in one batch. Utterances with
alternations, null words or optional words are aligned singly as word graphs. So are all utterances
with word weights or time-mediated costs, and utterances whose words are not in the required order
of time.
"""

from __future__ import annotations

from itertools import accumulate, compress, count, islice, pairwise

from formats.schema import IntEnum, NamedTuple
from scoring.alignment import kernel
from scoring.alignment.numbered import NumberedSide, WordType, int64s
from scoring.model.counts import SCLITE_COSTS, Counts, Edit
from scoring.model.errors import ScoringError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Collection, Iterator, Sequence
    from typing import TypeAlias, TypeVar

    from scoring.alignment.network import Network
    from scoring.alignment.numbered import NumberColumn

    _Number = TypeVar("_Number", int, float)

NULL_COST = 0.001
OPTIONAL_COST = 2.0
WORD_COST = 3.0


class CostMode(IntEnum):
    """The source of the edit costs.

    FIXED: a substitution costs 4; an insertion or deletion costs 3, of an optional word 2, of a
    null word 0.001. WEIGHTS: the weight of a word; a substitution costs both weights. TIMES: the
    duration of a word; a pair costs the distance of the start times plus the distance of the end
    times.
    """

    FIXED = 0
    WEIGHTS = 1
    TIMES = 2


class WordCosts:
    """The costs of words, and the rule that decides which words match.

    `weights` (double per word number) apply to sides that have no weights. `matches` decides
    whether a fragment matches a word; None without `-F`. Other words match if their `values` (a
    number per word number) are equal. `plain` is true if all values differ.
    """

    def __init__(
        self,
        types: Sequence[WordType],
        mode: CostMode = CostMode.FIXED,
        weights: Sequence[float] | None = None,
        matches: Callable[[WordType, WordType], bool] | None = None,
    ) -> None:
        self.types = types
        self.mode = mode
        self._matches = matches
        numbers: dict[str, int] = {}
        self.values = [numbers.setdefault(t.value, n) for n, t in enumerate(types)]
        self.plain = len(numbers) == len(types)
        self._nulls = bytes(word.null for word in types)
        self._has_nulls = 1 in self._nulls
        self._weights: Sequence[float] = () if weights is None else weights

    def special(self) -> frozenset[int]:
        """Return the words that need a word graph: null, optional and fragment words."""
        return frozenset(
            number
            for number, word in enumerate(self.types)
            if word.null or word.optional or word.fragment
        )

    def match(self, reference: int, hypothesis: int) -> bool:
        """Return True if two words match."""
        if self._matches is not None:
            mine, theirs = self.types[reference], self.types[hypothesis]
            if mine.fragment or theirs.fragment:
                return self._matches(mine, theirs)
        return self.values[reference] == self.values[hypothesis]

    def network(self, side: NumberedSide, utterance: int) -> tuple[Network, Sequence[int]]:
        """Return the word graph of an utterance, and the word position of each arc."""
        from array import array

        from scoring.alignment.network import CHAIN, Graph, Network, build

        graph = side.graphs.get(utterance)
        if graph is None:
            shape = CHAIN
            positions: Sequence[int] = range(side.begins[utterance], side.ends[utterance])
        else:
            shape = graph if isinstance(graph, Graph) else build(graph)
            positions = shape.types
        numbers = _at(side.growing()[0], positions)
        nulls = (
            bytes(map(self._nulls.__getitem__, numbers)) if self._has_nulls else bytes(len(numbers))
        )
        values = array("i", map(self.values.__getitem__, numbers))
        costs = self._costs(side, positions, numbers, nulls)
        return Network(*shape._replace(types=values), nulls, *costs), positions

    def _costs(
        self, side: NumberedSide, positions: Sequence[int], numbers: Sequence[int], nulls: bytes
    ) -> tuple[array[float], Sequence[float], Sequence[float], Sequence[float]]:
        """Return, for each word, its cost without a partner, its weight, its start and its end."""
        from array import array
        from math import isfinite
        from operator import sub

        from scoring.alignment.network import NO_NUMBERS

        weights = starts = finishes = NO_NUMBERS
        if self.mode == CostMode.TIMES:
            if side.starts is None or side.finishes is None:
                raise ValueError("time-mediated costs need words with times")
            starts, finishes = _at(side.starts, positions), _at(side.finishes, positions)
            singles = array("d", map(sub, finishes, starts))
            if not isfinite(sum(singles)) or min(singles, default=0.0) < -1e18:
                raise ScoringError(
                    "time-mediated alignment: expected times that are finite numbers"
                )
        elif self.mode == CostMode.WEIGHTS:
            if side.weights is None:
                weights = array("d", map(self._weights.__getitem__, numbers))
            else:
                weights = _at(side.weights, positions)
            singles = array("d", weights)
        else:
            types = map(self.types.__getitem__, numbers)
            singles = array("d", [OPTIONAL_COST if t.optional else WORD_COST for t in types])
        position = nulls.find(1)
        while position >= 0:
            singles[position] = NULL_COST
            position = nulls.find(1, position + 1)
        return singles, weights, starts, finishes

    def match_table(
        self,
        reference: NumberedSide,
        mine: Sequence[int],
        hypothesis: NumberedSide,
        theirs: Sequence[int],
    ) -> bytes | None:
        """Return a byte per pair of words (1: match).

        Returns None if the match depends only on the `values` of the words.
        """
        if self._matches is None:
            return None
        left = [reference.types[position] for position in mine]
        right = [hypothesis.types[position] for position in theirs]
        if not any(self.types[number].fragment for number in (*left, *right)):
            return None
        return bytes([self.match(word, facing) for word in left for facing in right])


def _at(column: array[_Number], positions: Sequence[int]) -> array[_Number]:
    """Return the values of a column at the given positions."""
    if isinstance(positions, range):
        return column[positions.start : positions.stop]
    from array import array

    return array(column.typecode, map(column.__getitem__, positions))


CORRECT, SUBSTITUTION, DELETION, INSERTION = map(
    int, (Edit.CORRECT, Edit.SUBSTITUTION, Edit.DELETION, Edit.INSERTION)
)
# A byte for each edit: 1 for a word without a partner.
_UNPAIRED = bytearray(256)
_UNPAIRED[Edit.DELETION] = _UNPAIRED[Edit.INSERTION] = 1
# A step of an alignment: positions of the words, -1 without a partner, and the edit.
AlignmentStep: TypeAlias = tuple[int, int, int]


class Edits(NamedTuple):
    """The alignments of all utterances.

    The fields are the `Edit` bytes of all utterances, their offsets (int64), the counts (int32:
    correct, substitutions, deletions, insertions), and the utterances in which two null words were
    paired, once per pair.
    """

    edits: bytes
    offsets: NumberColumn
    counts: NumberColumn
    null_pairs: list[int]


def align_sides(
    reference: NumberedSide,
    hypothesis: NumberedSide,
    costs: WordCosts,
    *,
    by_time: bool = False,
    threads: int = 0,
) -> Edits:
    """Align each utterance of one side with the utterance of the same number on the other side.

    Both sides are changed: each utterance keeps only the words that its alignment uses.
    """
    special = set(reference.graphs) | set(hypothesis.graphs)
    if costs.mode != CostMode.FIXED:
        special.update(range(len(reference.begins)))
    for side in (reference, hypothesis):
        special.update(with_words(side, costs.special()))
        if by_time and not side.in_order:
            special.update(_unsorted(side))
    plain = _align_plain(reference, hypothesis, costs, special, threads)
    if not special:
        return plain
    return _merged(plain, sorted(special), _GraphAligner(reference, hypothesis, costs, by_time))


def with_words(side: NumberedSide, words: Collection[int]) -> Iterator[int]:
    """Yield the utterances that contain any of these words."""
    if words:
        positions = (position for position, number in enumerate(side.types) if number in words)
        yield from _around(side, positions)


def _unsorted(side: NumberedSide) -> Iterator[int]:
    """Yield the utterances in which a word starts before its predecessor."""
    from operator import le, not_

    starts = side.starts
    if starts is None:
        raise ValueError("expected words with times")
    unordered = compress(count(), map(not_, map(le, starts, islice(starts, 1, None))))
    last = {end - 1 for end in side.ends}
    yield from _around(side, (position for position in unordered if position not in last))


def _around(side: NumberedSide, positions: Iterator[int]) -> Iterator[int]:
    """Yield the utterances that contain words at any of the given positions."""
    from bisect import bisect_right  # words are rarely out of order

    spans = zip(side.begins, side.ends, count(), strict=False)
    filled = sorted(span for span in spans if span[0] < span[1])
    begins = [begin for begin, _, _ in filled]
    for position in positions:
        number = bisect_right(begins, position) - 1
        if number >= 0 and position < filled[number][1]:
            yield filled[number][2]


def _spans(side: NumberedSide, special: Collection[int]) -> tuple[NumberColumn, NumberColumn]:
    """Return where a side's utterances start and end; `special` utterances become empty."""
    if not special:
        return side.begins, side.ends
    begins, ends = (column[:] for column in side.growing()[1:])
    for utterance in special:
        begins[utterance] = ends[utterance] = 0
    return begins, ends


def _align_plain(
    reference: NumberedSide,
    hypothesis: NumberedSide,
    costs: WordCosts,
    special: Collection[int],
    threads: int,
) -> Edits:
    """Align plain utterances under fixed costs.

    Between two pairs of words there are either deletions or insertions, never both, because a
    substitution costs less. Sorting by time therefore changes nothing if words are in order.
    """
    left, right = reference.types, hypothesis.types
    if not costs.plain:
        from array import array

        left, right = (array("i", map(costs.values.__getitem__, types)) for types in (left, right))
    ours, theirs = _spans(reference, special), _spans(hypothesis, special)
    edits, offsets, counts = kernel.align_linear(
        left, *ours, right, *theirs, *SCLITE_COSTS, 0, threads
    )
    return Edits(edits, int64s(offsets), memoryview(counts).cast("i"), [])


def _merged(plain: Edits, special: Sequence[int], solver: _GraphAligner) -> Edits:
    from array import array

    every = array("i", plain.counts.tobytes())
    pieces = [plain.edits[begin:end] for begin, end in pairwise(plain.offsets)]
    null_pairs: list[int] = []
    for utterance in special:
        pieces[utterance], dropped = solver.align(utterance)
        null_pairs += [utterance] * dropped
        counts = array("i", Counts.of(pieces[utterance]))
        every[4 * utterance : 4 * utterance + 4] = counts
    offsets = array("q", accumulate(map(len, pieces), initial=0))
    return Edits(b"".join(pieces), offsets, every, null_pairs)


class _GraphAligner:
    """Aligns single utterances as word graphs."""

    def __init__(
        self, reference: NumberedSide, hypothesis: NumberedSide, costs: WordCosts, by_time: bool
    ) -> None:
        self._reference = reference
        self._hypothesis = hypothesis
        self._costs = costs
        self._by_time = by_time
        self._special = costs.special()
        from functools import cache  # few runs have word graphs

        self._edit_of = cache(self._edit)

    def align(self, utterance: int) -> tuple[bytes, int]:
        """Return the edits of an utterance, and how many pairs of null words were dropped."""
        from array import array

        left, mine = self._costs.network(self._reference, utterance)
        right, theirs = self._costs.network(self._hypothesis, utterance)
        table = self._costs.match_table(self._reference, mine, self._hypothesis, theirs)
        steps = array("i", kernel.align_network(left, right, int(self._costs.mode), table)[0])
        ours, others = steps[::2], steps[1::2]
        words, facing = [-1, *mine], [-1, *theirs]
        places = map(words.__getitem__, ours), map(facing.__getitem__, others)
        sides = (self._reference, mine), (self._hypothesis, theirs)
        types = [_at(side.growing()[0], positions) for side, positions in sides]
        null_pairs = 0
        if all(map(self._special.isdisjoint, types)):
            values = [-1, *left.types], [-1, *right.types]
            pairs = map(values[0].__getitem__, ours), map(values[1].__getitem__, others)
            edits = bytes(
                [
                    CORRECT
                    if value == faced
                    else INSERTION
                    if value < 0
                    else DELETION
                    if faced < 0
                    else SUBSTITUTION
                    for value, faced in zip(*pairs, strict=True)
                ]
            )
            path = list(zip(*places, edits, strict=True))
        else:
            left_types: list[int | None] = [None, *types[0]]
            right_types: list[int | None] = [None, *types[1]]
            numbers = map(left_types.__getitem__, ours), map(right_types.__getitem__, others)
            every = list(zip(*places, map(self._edit_of, *numbers), strict=True))
            path = [(word, faced, edit) for word, faced, edit in every if edit is not None]
            null_pairs = sum(step[2] is None and min(step[:2]) >= 0 for step in every)
            edits = bytes([edit for _, _, edit in path])
        if self._by_time:
            self._sort_by_time(path, edits.translate(_UNPAIRED))
            edits = bytes([edit for _, _, edit in path])
        self._reference.keep(utterance, [word for word, _, _ in path if word >= 0])
        self._hypothesis.keep(utterance, [word for _, word, _ in path if word >= 0])
        return edits, null_pairs

    def _sort_by_time(self, path: list[AlignmentStep], unpaired: bytes) -> None:
        """Sort each run of neighbouring deletions and insertions by start time, stably."""
        begin = unpaired.find(b"\1\1")
        while begin >= 0:
            end = unpaired.find(0, begin)
            end = len(path) if end < 0 else end
            path[begin:end] = sorted(path[begin:end], key=self._start)
            begin = unpaired.find(b"\1\1", end)

    def _edit(self, mine: int | None, theirs: int | None) -> int | None:
        """Return the edit of two aligned words; None if each is a null word or missing."""
        types = self._costs.types
        if mine is not None and theirs is not None:
            if types[mine].null and types[theirs].null:
                return None
            return Edit.CORRECT if self._costs.match(mine, theirs) else Edit.SUBSTITUTION
        if mine is not None:
            word = types[mine]
            edit = Edit.SKIPPED_REFERENCE if word.optional else Edit.DELETION
        else:
            assert theirs is not None
            word = types[theirs]
            edit = Edit.SKIPPED_HYPOTHESIS if word.optional else Edit.INSERTION
        return None if word.null else edit

    def _start(self, step: AlignmentStep) -> float:
        word, facing, _ = step
        starts = self._hypothesis.starts if word < 0 else self._reference.starts
        assert starts is not None
        return starts[facing if word < 0 else word]
