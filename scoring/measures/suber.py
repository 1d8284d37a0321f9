"""SubER: edits of subtitles; words, line breaks and block breaks are paired if they overlap.

Wilken, Georgakopoulou and Matusov (2022). Both files are cut at times at which neither file has a
subtitle. In each part, the translation edit rate counts insertions, deletions, substitutions and
shifts of runs of tokens. Two tokens may be paired only if both or neither are breaks, and if their
blocks overlap in time. Limits and the order of preference are those of version 0.4.0 of the tool.
"""

from __future__ import annotations

import string
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import chain
from operator import add
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from scoring.measures.columns import (
    AlignedColumns,
    WordColumns,
    align_numbers,
    numbered,
    numbers_of,
    placed,
    spread,
)
from scoring.measures.view import UNTIMED, properties_of, times_of
from scoring.model.arrays import Integers

if TYPE_CHECKING:
    from formats.schema.model import Segment

# What SubER counts: tokens of the reference and edits, of words and of breaks.
COUNTS = (
    *("reference_words", "reference_breaks"),
    *("word_substitutions", "word_deletions", "word_insertions"),
    *("break_substitutions", "break_deletions", "break_insertions", "shifts"),
)
# Texts with fixed numbers: nothing, and the breaks.
BREAKS = {"": 0, "<eol>": 1, "<eob>": 2}
END_OF_LINE, END_OF_BLOCK = 1, 2
_BAND = 100  # columns to each side of the diagonal
_LONGEST_SHIFT, _FARTHEST_SHIFT = 10, 50
_MOST_CANDIDATES = 1000
_FAR = 10**9
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_NO_MARKS = str.maketrans("", "", string.punctuation + "…")
# The values of `scoring.model.counts.Edit`.
_CORRECT, _SUBSTITUTION, _DELETION, _INSERTION = range(4)

# The cost of pairing a token of the hypothesis with each token of the reference.
CostRow: TypeAlias = list[int]


class Subtitles(WordColumns):
    """The subtitles of one side, with their words as written.

    Attributes
    ----------
    breaks
        The break behind each word: 0, `END_OF_LINE` or `END_OF_BLOCK`.
    begins, ends
        int64, the times of each subtitle in nanoseconds; -1 if either time is missing.
    """

    def __init__(self, segments: Sequence[Segment]) -> None:
        blocks: list[list[Sequence[str]]] = [[segment.words] for segment in segments]
        for place, text in properties_of(segments, ["lines"])[0].items():
            blocks[place] = [*map(str.split, text.split("\n"))]
        types, ids, sizes = numbered([*chain.from_iterable(blocks)])
        owners = spread(list(map(len, blocks)))[0]
        super().__init__(types, ids, np.bincount(owners, sizes, len(blocks)))
        self.begins, self.ends = (times_of(segments, name) for name in ("start_ns", "end_ns"))
        untimed = (self.begins == UNTIMED) | (self.ends == UNTIMED)
        self.begins[untimed] = self.ends[untimed] = -1
        self.breaks = np.zeros(len(ids), np.int64)
        self.breaks[np.cumsum(sizes)[sizes > 0] - 1] = END_OF_LINE
        self.breaks[self.offsets[1:][np.diff(self.offsets) > 0] - 1] = END_OF_BLOCK


class Parts(NamedTuple):
    """The subtitles of both sides in order of time, each with the part that contains it.

    Subtitles of the hypothesis are numbered after those of the reference. Parts are separated by
    times without a subtitle on either side.
    """

    order: Integers
    numbers: Integers
    size: int

    @classmethod
    def of(cls, begins: Integers, ends: Integers, chosen: Integers) -> Parts:
        """Return the parts of the `chosen` subtitles.

        `begins` and `ends` have the times of the reference's subtitles, then those of the
        hypothesis's.
        """
        order = chosen[np.argsort(begins[chosen], kind="stable")]
        latest = np.maximum.accumulate(ends[order])
        is_first = np.append(np.zeros(len(order[:1])), begins[order][1:] >= latest[:-1])
        numbers = np.cumsum(is_first).astype(np.int64)
        return cls(order, numbers, int(numbers[-1]) + 1 if len(numbers) else 0)


class _Tokens(WordColumns):
    """The tokens of each part as numbers, and the times of their subtitles.

    The lowest numbers are those of breaks.
    """

    def __init__(
        self, side: Subtitles, words: Integers, blocks: Integers, parts: Integers, count: int
    ) -> None:
        owners, places = spread(np.diff(side.offsets)[blocks])
        places += side.offsets[blocks][owners]
        ids, indices = with_breaks(words[places], side.breaks[places])
        owners = owners[indices]
        super().__init__((), ids, np.bincount(parts[owners], minlength=count))
        self.begins, self.ends = side.begins[blocks[owners]], side.ends[blocks[owners]]

    def part(self, number: int) -> tuple[Integers, Integers, Integers]:
        """Return the tokens of a part, and the start and end time of each token's subtitle."""
        bounds = slice(self.offsets[number], self.offsets[number + 1])
        return self.ids[bounds], self.begins[bounds], self.ends[bounds]


def with_breaks(words: Integers, breaks: Integers) -> tuple[Integers, Integers]:
    """Return the words, each followed by its break unless this is 0, and the word index of each.

    >>> [column.tolist() for column in with_breaks(np.array([3, 0, 4]), np.array([0, 1, 2]))]
    [[3, 1, 4, 2], [0, 1, 2, 2]]
    """
    pairs = np.stack([words, breaks], axis=1).reshape(-1)
    places = np.flatnonzero(pairs)
    return pairs[places], places // 2


@cache
def plain_word(word: str, keep_ellipsis: bool = False) -> str:
    """Return a word in lower case without ASCII punctuation; a word of punctuation is unchanged.

    >>> plain_word("Don't…"), plain_word("-")
    ('dont', '-')
    """
    word = word.lower()
    return word.translate(_NO_PUNCTUATION if keep_ellipsis else _NO_MARKS) or word


def count_edits(sides: Sequence[Subtitles], parts: Parts) -> Integers:
    """Return the edit counts of each part, one row of `COUNTS` per part."""
    numbers = numbers_of(sides, plain_word, dict(BREAKS))
    first = len(sides[0].begins)
    is_left = parts.order < first
    left, right = (
        _Tokens(side, words, parts.order[chosen] - before, parts.numbers[chosen], parts.size)
        for side, words, chosen, before in zip(
            sides, numbers, (is_left, ~is_left), (0, first), strict=True
        )
    )
    aligned = AlignedColumns(align_numbers((left, right), (left.ids, right.ids)))
    heard = placed(right.ids, aligned.right, 0)
    tokens = np.where(aligned.left >= 0, placed(left.ids, aligned.left, 0), heard)
    counts = _counted(aligned.edits, tokens, aligned.utterances, parts.size)
    for part in np.flatnonzero(~_are_final(left, right, aligned)).tolist():
        search = _Search(left.part(part), right.part(part))
        shifts, path = search.shift()
        edits = np.frombuffer(path, np.uint8)
        tokens = np.array(search.tokens_of(path))
        counts[part] = _counted(edits, tokens, np.zeros(len(edits), np.int64), 1)
        counts[part, -1] = shifts
    return counts


def _counted(edits: Any, tokens: Any, parts: Integers, count: int) -> Integers:
    """Return a row of `COUNTS` for each part; `tokens` has the token or the break of each edit."""
    kinds = 4 * (tokens <= END_OF_BLOCK) + edits
    table = np.bincount(8 * parts + kinds, minlength=8 * count).reshape(count, 8)
    spoken = table[:, :_INSERTION].sum(axis=1), table[:, 4 : 4 + _INSERTION].sum(axis=1)
    return np.column_stack([*spoken, table[:, 1:4], table[:, 5:], np.zeros(count, np.int64)])


def _are_final(left: _Tokens, right: _Tokens, aligned: AlignedColumns) -> NDArray[np.bool_]:
    """Return a flag for each part: True if SubER's search would not change its alignment."""
    count = len(aligned.counts)
    paired = np.flatnonzero((aligned.left >= 0) & (aligned.right >= 0))
    ours, theirs = aligned.left[paired], aligned.right[paired]
    allowed = _overlap(left.begins[ours], left.ends[ours], right.begins[theirs], right.ends[theirs])
    allowed &= (left.ids[ours] <= END_OF_BLOCK) == (right.ids[theirs] <= END_OF_BLOCK)
    final = np.diff(left.offsets) < _BAND  # farther from the diagonal nothing is compared
    final[aligned.utterances[paired[~allowed]]] = False
    most = 1 + max((int(side.ids.max()) for side in (left, right) if len(side.ids)), default=0)
    keys = [side.utterances * most + side.ids for side in (left, right)]
    movable = np.ones(count, np.bool_)
    for places, side, other in ((aligned.left, *keys), (aligned.right, *keys[::-1])):
        wrong = side[places[(aligned.edits != _CORRECT) & (places >= 0)]]
        present = np.append(np.sort(other), -1)
        equal = present[np.searchsorted(present[:-1], wrong)] == wrong
        movable &= np.bincount(wrong[equal] // most, minlength=count) > 0
    return final & ~movable


def _overlap(begins: Integers, ends: Integers, others: Integers, other_ends: Integers) -> Any:
    return (begins < other_ends) == (others < ends)


class _Token(NamedTuple):
    """A token of the hypothesis, the costs of its pairs, and the positions of equal tokens."""

    number: int
    costs: CostRow
    equal: list[int]


class _Search:
    """The greedy search for shifts of hypothesis tokens in a part."""

    def __init__(self, reference: Sequence[Integers], hypothesis: Sequence[Integers]) -> None:
        self.reference = reference[0].tolist()
        self.size = len(self.reference)
        ids, *times = (column[:, None] for column in hypothesis)
        allowed = _overlap(*reference[1:], *times)
        allowed &= (reference[0] <= END_OF_BLOCK) == (ids <= END_OF_BLOCK)
        equal = allowed & (reference[0] == ids)
        costs = np.where(equal, 0, np.where(allowed, 1, _FAR))
        places = map(np.flatnonzero, equal)
        columns = zip(ids[:, 0].tolist(), costs.tolist(), places, strict=True)
        self.tokens = [_Token(number, row, place.tolist()) for number, row, place in columns]
        # shifts do not change the number of tokens
        self.bands = [self._band(row) for row in range(len(self.tokens) + 1)]
        self.candidates = 0

    def shift(self) -> tuple[int, bytes]:
        """Shift runs of the hypothesis while this reduces the distance.

        Returns the number of shifts, and the edits after them.
        """
        shifts = 0
        while True:
            table = [list(range(self.size + 1))]
            self._fill(table, self.tokens, len(self.tokens))
            path = self.path(table)
            best = self._best_shift(table, path)
            if self.candidates >= _MOST_CANDIDATES or best is None or best[0] <= 0:
                return shifts, path
            _, length, start, target = best
            self.tokens = _shifted(self.tokens, -start, length, -target)
            shifts += 1

    def _fill(self, table: list[CostRow], tokens: Sequence[_Token], end: int) -> None:
        """Add a row of costs to the table for each of the first `end` tokens that has no row yet.

        Row h, column r is the cost of the first h tokens against the first r reference tokens.
        """
        for row in range(len(table), end + 1):
            low, high = self.bands[row]
            before, pairs = table[-1], tokens[row - 1].costs
            current = [_FAR] * (self.size + 1)
            last = _FAR
            if low == 0:
                last = current[0] = before[0] + 1
            for column in range(max(low, 1), high):
                cost = before[column - 1] + pairs[column - 1]
                if before[column] < cost:
                    cost = before[column] + 1
                if last < cost:
                    cost = last + 1
                current[column] = last = cost
            table.append(current)

    def _band(self, row: int) -> tuple[int, int]:
        """Return the first column of a row that is compared, and the one after the last."""
        number = len(self.tokens)
        if row == 0:
            return 0, self.size + 1
        ratio = self.size / number
        band = _BAND if ratio / 2 <= _BAND else -int(-(ratio / 2 + _BAND) // 1)
        middle = int(row * ratio)
        end = self.size + 1 if row == number else min(self.size + 1, middle + band)
        return max(0, middle - band), end

    def _rests(self) -> list[CostRow]:
        """Return the cost of the other tokens against the other reference tokens, as a table."""
        size, after = self.size, [_FAR] * (self.size + 1)
        table: list[CostRow] = []
        for row in range(len(self.tokens), -1, -1):
            low, high = self.bands[row]
            pairs = self.tokens[row].costs if row < len(self.tokens) else [_FAR] * size
            current = [_FAR] * (size + 1)
            last = _FAR
            if high == size + 1:
                last = current[size] = after[size] + 1 if table else 0
            for column in range(min(high, size) - 1, low - 1, -1):
                cost = after[column + 1] + pairs[column]
                if after[column] < cost:
                    cost = after[column] + 1
                if last < cost:
                    cost = last + 1
                current[column] = last = cost
            table.append(current)
            after = current
        return table[::-1]

    def path(self, table: list[CostRow]) -> bytes:
        """Return the edits of the cheapest path; pairs are preferred, then insertions."""
        path = bytearray()
        i, j = len(self.tokens), self.size
        while i or j:
            cost = table[i][j]
            pair = self.tokens[i - 1].costs[j - 1] if i and j else _FAR
            if i and j and table[i - 1][j - 1] + pair == cost:
                i, j = i - 1, j - 1
                path.append(_SUBSTITUTION if pair else _CORRECT)
            elif i and table[i - 1][j] + 1 == cost:
                i -= 1
                path.append(_INSERTION)
            else:
                j -= 1
                path.append(_DELETION)
        return bytes(reversed(path))

    def tokens_of(self, path: bytes) -> list[int]:
        """Return the token that each edit concerns: the inserted token, or the reference token."""
        ours, theirs = iter(self.reference), iter(self.tokens)
        tokens = []
        for edit in path:
            heard = next(theirs).number if edit != _DELETION else 0
            tokens.append(next(ours) if edit != _INSERTION else heard)
        return tokens

    def _best_shift(self, table: list[CostRow], path: bytes) -> tuple[int, int, int, int] | None:
        """Return the best shift, or None if no shift gains anything.

        A shift is its gain, its length, its negated source, and its negated target.
        """
        places, wrong_reference, wrong_hypothesis = self._errors(path)
        distance = table[-1][-1]
        best: tuple[int, int, int, int] | None = None
        rests: list[CostRow] = []
        for start, facing, length in self._runs():
            run = slice(start, start + length)
            if not any(wrong_hypothesis[run]) or start <= places[facing] < start + length:
                continue
            if not any(wrong_reference[facing : facing + length]):
                continue
            targets = (places[n] + 1 if n >= 0 else 0 for n in range(facing - 1, facing + length))
            for target in dict.fromkeys(targets):
                self.candidates += 1
                # no shift of so many tokens gains more than twice their number
                if best is not None and 2 * length < best[0]:
                    continue
                # behind the tokens that move, all is as before
                rests = rests or self._rests()
                end = max(start + length, target if target > start + length else target + length)
                end = min(end, len(self.tokens))
                rows = table[: min(start, target) + 1]
                self._fill(rows, _shifted(self.tokens, start, length, target), end)
                candidate = distance - min(map(add, rows[-1], rests[end])), length, -start, -target
                if best is None or candidate > best:
                    best = candidate
            if self.candidates >= _MOST_CANDIDATES:
                break
        return best

    def _errors(self, path: bytes) -> tuple[list[int], list[bool], list[bool]]:
        """Return the position of each reference token in the hypothesis, and flags of wrong tokens.

        The flags are those of the reference, then those of the hypothesis.
        """
        places: list[int] = []
        wrong: tuple[list[bool], list[bool]] = [], []
        for edit in path:
            if edit != _DELETION:
                wrong[1].append(edit > 0)
            if edit != _INSERTION:
                wrong[0].append(edit > 0)
                places.append(len(wrong[1]) - 1)
        return places, wrong[0], wrong[1]

    def _runs(self) -> Iterator[tuple[int, int, int]]:
        """Yield runs that are equal on both sides: hypothesis start, reference start, length."""
        for start, token in enumerate(self.tokens):
            for facing in token.equal:
                if abs(facing - start) > _FARTHEST_SHIFT:
                    continue
                longest = min(_LONGEST_SHIFT, len(self.tokens) - start, self.size - facing)
                for length in range(1, longest + 1):
                    if self.tokens[start + length - 1].costs[facing + length - 1]:
                        break
                    yield start, facing, length


def _shifted(tokens: list[_Token], start: int, length: int, target: int) -> list[_Token]:
    """Return the tokens with a run moved before the token at `target`.

    If `target` lies inside the run, the run moves behind as many following tokens as `target` is
    behind its start.
    """
    run, rest = tokens[start : start + length], tokens[:start] + tokens[start + length :]
    if target > start:
        target = target - length if target > start + length else target
    return rest[:target] + run + rest[target:]
