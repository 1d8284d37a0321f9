"""Exact search for the pronunciations with the least edit distance to a prediction.

A reference is a network: a sequence of words, each with its pronunciations as parallel paths.
Dynamic programming computes one row per phoneme of the network, for all positions of the prediction
together. The time is proportional to the length of the prediction times the number of phonemes in
the network.

A row needs no loop: let v[j] be the least cost up to position j of the prediction after r phonemes
of a path, and store w[j] = v[j] - (j + r) * c, where c is the cost of an edit. In w, deletions and
insertions cost nothing, a substitution saves c, a match saves 2c, and insertions are a running
minimum.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    CostColumn: TypeAlias = NDArray[np.int64]

Pronunciation: TypeAlias = tuple[str, ...]
# The ways to say one word, in order of preference where nothing else decides.
Alternatives: TypeAlias = tuple[Pronunciation, ...]

# Most numbers to keep of the rows at which words end, and of those that say where phonemes match.
KEPT_NUMBERS = 1 << 22
WIDTH = 63


class _Stage(NamedTuple):
    """A stage of the network: phonemes without alternatives, or the parallel paths of a word.

    `word` is the index of the word; -1 if the stage has a single path.
    """

    word: int
    paths: Alternatives


def choose(words: Sequence[Alternatives], prediction: Sequence[Hashable]) -> tuple[int, ...]:
    """Return the pronunciations whose concatenation has the least edit distance to the prediction.

    Of several choices with equally few errors, the longest is returned, so that the number of
    reference phonemes is as large as possible. Of equally long choices, earlier pronunciations of
    the lexicon are preferred, beginning with the last word.

    >>> either = (("a", "b", "c"), ("d", "b", "e"))
    >>> choose([either, either], list("abedbe"))
    (0, 1)
    """
    if not all(words):
        raise ValueError("expected at least one pronunciation of every word, found none")
    chosen = [0] * len(words)
    if all(len(paths) == 1 for paths in words):
        return tuple(chosen)
    stages = _stages(words)
    for stage, path in zip(stages, _Search(stages, prediction).paths(), strict=True):
        if stage.word >= 0:
            chosen[stage.word] = path
    return tuple(chosen)


def _stages(words: Sequence[Alternatives]) -> list[_Stage]:
    """Return the stages of the network. Adjacent phonemes without alternatives are one stage."""
    stages: list[_Stage] = []
    fixed: Pronunciation = ()
    for position, paths in enumerate(words):
        before, middles, after = _divided(paths)
        fixed += before
        if len(middles) > 1:
            if fixed:
                stages.append(_Stage(-1, (fixed,)))
            stages.append(_Stage(position, middles))
            fixed = after
    if fixed:
        stages.append(_Stage(-1, (fixed,)))
    return stages


@lru_cache(maxsize=1 << 16)
def _divided(paths: Alternatives) -> tuple[Pronunciation, Alternatives, Pronunciation]:
    """Return the common beginning of pronunciations, the parts that differ, and the common end."""
    first = paths[0]
    if len(paths) == 1:
        return first, ((),), ()
    begin, end = shared_ends(paths)
    cut = len(first) - end
    return first[:begin], tuple(path[begin : len(path) - end] for path in paths), first[cut:]


def shared_ends(sequences: Sequence[Sequence[Hashable]]) -> tuple[int, int]:
    """Return the lengths of the common prefix and of the common suffix after it."""
    first, shortest = sequences[0], min(map(len, sequences))
    begin = end = 0
    while begin < shortest and all(items[begin] == first[begin] for items in sequences):
        begin += 1
    while end < shortest - begin and all(s[-1 - end] == first[-1 - end] for s in sequences):
        end += 1
    return begin, end


class _Search:
    """The dynamic programming over one utterance.

    A number in a row has three parts, from high to low bits: the cost (an edit weighs more than any
    difference in length), the path of the stage, and the position in the prediction where the stage
    began. The least number therefore has the best cost and the earliest path, and allows tracing
    back.
    """

    def __init__(self, stages: Sequence[_Stage], prediction: Sequence[Hashable]) -> None:
        import numpy as np

        self._stages = stages
        self._size = len(prediction)
        longest = [max(map(len, stage.paths)) for stage in stages]
        shortest = [min(map(len, stage.paths)) for stage in stages]
        self._edit = 1 + sum(longest) - sum(shortest)
        self._place_bits = self._size.bit_length()
        paths = max(len(stage.paths) for stage in stages)
        self._low_bits = self._place_bits + (paths - 1).bit_length()
        greatest = self._edit * (2 * (self._size + sum(longest)) + 1)
        if greatest.bit_length() + self._low_bits > WIDTH:
            raise ValueError(
                f"expected an utterance short enough for numbers of 64 bits, found {self._size} "
                f"predicted phonemes and up to {sum(longest)} in the reference"
            )
        numbers: dict[Hashable, int] = {}
        codes = [numbers.setdefault(phoneme, len(numbers)) for phoneme in prediction]
        self._numbers = numbers
        self._codes = np.array(codes, dtype=np.int64)
        self._places = np.arange(self._size + 1, dtype=np.int64)
        self._row = np.empty(self._size + 1, dtype=np.int64)
        self._tail, self._head = self._row[1:], self._row[:-1]
        self._diagonal = np.empty(self._size, dtype=np.int64)
        self._earnings: dict[Hashable, CostColumn] = {}

    def paths(self) -> list[int]:
        """Return the path taken through each stage.

        Long utterances are processed twice, block by block, to limit memory.
        """
        import numpy as np

        stages = len(self._stages)
        block = stages
        if stages * (self._size + 1) > KEPT_NUMBERS:
            block = int(stages**0.5) + 1
        starts: list[CostColumn] = [np.zeros(self._size + 1, dtype=np.int64)]
        first_ends: list[CostColumn] = []
        for begin in range(0, stages, block):
            first_ends = self._ends(starts[-1], begin, min(begin + block, stages))
            starts.append(first_ends[-1] >> self._low_bits)
        taken: list[int] = []
        position = self._size
        for number in reversed(range(len(starts) - 1)):
            begin = number * block
            end = min(begin + block, stages)
            ends = first_ends if end == stages else self._ends(starts[number], begin, end)
            for row in reversed(ends):
                best = int(row[position])
                taken.append((best & ((1 << self._low_bits) - 1)) >> self._place_bits)
                position = best & ((1 << self._place_bits) - 1)
        taken.reverse()
        return taken

    def _ends(self, costs: CostColumn, begin: int, end: int) -> list[CostColumn]:
        """Return the row of costs at the end of each stage from `begin` to `end`."""
        rows: list[CostColumn] = []
        for stage in self._stages[begin:end]:
            row = self._through(stage, (costs << self._low_bits) | self._places)
            costs = row >> self._low_bits
            rows.append(row)
        return rows

    def _through(self, stage: _Stage, start: CostColumn) -> CostColumn:
        """Return the row of costs after a stage: the minimum over all its paths."""
        import numpy as np

        longest = max(map(len, stage.paths))
        best: CostColumn | None = None
        row, tail, head, diagonal = self._row, self._tail, self._head, self._diagonal
        for number, path in enumerate(stage.paths):
            np.copyto(row, start)
            for phoneme in path:
                np.subtract(head, self._earning(phoneme), out=diagonal)
                np.minimum(tail, diagonal, out=tail)
                np.minimum.accumulate(row, out=row)
            cost = len(path) * self._edit + longest - len(path)
            ended = row + ((cost << self._low_bits) + (number << self._place_bits))
            best = ended if best is None else np.minimum(best, ended, out=best)
        assert best is not None
        return best

    def _earning(self, phoneme: Hashable) -> CostColumn:
        """Return the costs saved if a phoneme is paired, at each position of the prediction."""
        import numpy as np

        earning = self._earnings.get(phoneme)
        if earning is None:
            if (len(self._earnings) + 1) * self._size > KEPT_NUMBERS:
                self._earnings.clear()
            edit = self._edit << self._low_bits
            match = self._codes == self._numbers.get(phoneme, -1)
            earning = self._earnings[phoneme] = np.where(match, 2 * edit, edit)
        return earning
