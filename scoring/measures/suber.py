"""SubER: edits of subtitles, with words, line breaks and block breaks that overlap in time.

Wilken, Georgakopoulou and Matusov (2022). Both files are cut where neither has a subtitle. In each
part the translation edit rate counts insertions, deletions, substitutions and shifts of runs of
tokens, where two tokens may be paired only if both or neither are breaks and their blocks overlap.
Limits and the order of preference are those of version 0.4.0 of the tool.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple, TypeAlias

END_OF_LINE, END_OF_BLOCK = "<eol>", "<eob>"
BREAKS = (END_OF_LINE, END_OF_BLOCK)
_BAND = 100  # columns to each side of the diagonal
_LONGEST_SHIFT, _FARTHEST_SHIFT = 10, 50
_MOST_CANDIDATES = 1000
_FAR = 10**9
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_NO_MARKS = str.maketrans("", "", string.punctuation + "…")

# The cost of pairing a token of the hypothesis with each token of the reference.
Row: TypeAlias = list[int]


class SubtitleBlock(NamedTuple):
    """A subtitle: begin and end in nanoseconds, and the words of each line, as written."""

    start_ns: int
    end_ns: int
    lines: tuple[tuple[str, ...], ...]

    @property
    def words(self) -> list[str]:
        """The words of all lines."""
        return list(chain.from_iterable(self.lines))

    @property
    def breaks(self) -> list[str]:
        """The break behind each word: of the line, of the block, or an empty text."""
        lines = [line for line in self.lines if line]
        ends = [*[END_OF_LINE] * (len(lines) - 1), END_OF_BLOCK]
        return [mark for line, end in zip(lines, ends, strict=False) for mark in _behind(line, end)]


def _behind(line: Sequence[str], end: str) -> list[str]:
    return [*[""] * (len(line) - 1), end]


class SubtitleToken(NamedTuple):
    """A word without case and punctuation, or a break, and the times of its block."""

    text: str
    start_ns: int
    end_ns: int


class SubtitleEdits(NamedTuple):
    """What SubER counts: tokens of the reference and edits, of words and of breaks."""

    reference_words: int = 0
    reference_breaks: int = 0
    word_substitutions: int = 0
    word_deletions: int = 0
    word_insertions: int = 0
    break_substitutions: int = 0
    break_deletions: int = 0
    break_insertions: int = 0
    shifts: int = 0


class Part(NamedTuple):
    """Positions of blocks between two moments at which neither file has a subtitle."""

    reference: list[int]
    hypothesis: list[int]


def plain_word(word: str, keep_ellipsis: bool = False) -> str:
    """A word in small letters, without ASCII punctuation unless it has nothing else.

    >>> plain_word("Don't…"), plain_word("-")
    ('dont', '-')
    """
    word = word.lower()
    return word.translate(_NO_PUNCTUATION if keep_ellipsis else _NO_MARKS) or word


def parts(
    reference: Sequence[SubtitleBlock], hypothesis: Sequence[SubtitleBlock]
) -> Iterator[Part]:
    """The parts of two files, in order of time."""
    events = [(block.start_ns, 0, n, block.end_ns) for n, block in enumerate(reference)]
    events += [(block.start_ns, 1, n, block.end_ns) for n, block in enumerate(hypothesis)]
    part, latest = Part([], []), 0
    for start, side, position, end in sorted(events):
        if any(part) and start >= latest:
            yield part
            part, latest = Part([], []), end
        part[side].append(position)
        latest = max(latest, end)
    if any(part):
        yield part


def edits_of(
    reference: Sequence[SubtitleBlock], hypothesis: Sequence[SubtitleBlock]
) -> SubtitleEdits:
    """The edits of one part."""
    left, right = _tokens(reference), _tokens(hypothesis)
    breaks = sum(token.text in BREAKS for token in left)
    edits = SubtitleEdits(len(left) - breaks, breaks)
    if not left:
        breaks = sum(token.text in BREAKS for token in right)
        return edits._replace(word_insertions=len(right) - breaks, break_insertions=breaks)
    search = _Search(left, right)
    shifts = search.shift()
    counts = {"shifts": shifts}
    for step, token in search.steps():
        name = f"{'break' if token.text in BREAKS else 'word'}_{step}"
        counts[name] = counts.get(name, 0) + 1
    return edits._replace(**counts)


def with_breaks(words: Iterable[str], breaks: Iterable[str]) -> list[str]:
    """The words, each with the break behind it."""
    return [token for pair in zip(words, breaks, strict=True) for token in pair if token]


def _tokens(blocks: Sequence[SubtitleBlock]) -> list[SubtitleToken]:
    return [
        SubtitleToken(text, block.start_ns, block.end_ns)
        for block in blocks
        for text in with_breaks(map(plain_word, block.words), block.breaks)
    ]


def _cost(ours: SubtitleToken, theirs: SubtitleToken) -> int:
    """0 for equal tokens, 1 for a substitution; far too much where neither is possible."""
    if (ours.text in BREAKS) != (theirs.text in BREAKS):
        return _FAR
    if (ours.start_ns < theirs.end_ns) != (theirs.start_ns < ours.end_ns):
        return _FAR
    return int(ours.text != theirs.text)


class _Search:
    """The greedy search for shifts in one part."""

    def __init__(
        self, reference: Sequence[SubtitleToken], hypothesis: Sequence[SubtitleToken]
    ) -> None:
        self.reference = reference
        rows: dict[SubtitleToken, Row] = {}
        for token in hypothesis:
            if token not in rows:
                rows[token] = [_cost(token, facing) for facing in reference]
        self.tokens = list(hypothesis)
        self.costs = [rows[token] for token in hypothesis]
        self.first = list(range(len(reference) + 1))
        self.candidates = 0

    def shift(self) -> int:
        """Shift runs of the hypothesis while that lowers the distance; how many were shifted."""
        shifts = 0
        while True:
            table = self._table()
            best = self._best_shift(table)
            if self.candidates >= _MOST_CANDIDATES or best is None or best[0] <= 0:
                return shifts
            _, length, start, target = best
            self.tokens = _shifted(self.tokens, -start, length, -target)
            self.costs = _shifted(self.costs, -start, length, -target)
            shifts += 1

    def steps(self) -> Iterator[tuple[str, SubtitleToken]]:
        """The edits of the tokens as shifted, each with a token that is its subject."""
        for i, j, is_wrong in self._path(self._table()):
            if i is None:
                assert j is not None
                yield "deletions", self.reference[j]
            elif j is None:
                yield "insertions", self.tokens[i]
            elif is_wrong:
                yield "substitutions", self.reference[j]

    def _table(self) -> list[Row]:
        table = [self.first]
        self._fill(table, self.costs)
        return table

    def _fill(self, table: list[Row], costs: Sequence[Row]) -> None:
        """Add the rows of the hypothesis tokens that are not in the table yet."""
        size, number = len(self.reference), len(self.costs)
        ratio = size / number if number else 1.0
        band = _BAND if ratio / 2 <= _BAND else -int(-(ratio / 2 + _BAND) // 1)
        for row in range(len(table), number + 1):
            middle = int(row * ratio)
            low = max(0, middle - band)
            end = size + 1 if row == number else min(size + 1, middle + band)
            before, pairs = table[-1], costs[row - 1]
            current = [_FAR] * (size + 1)
            last = _FAR
            if low == 0:
                last = current[0] = before[0] + 1
            for column in range(max(low, 1), end):
                cost = before[column - 1] + pairs[column - 1]
                if before[column] < cost:
                    cost = before[column] + 1
                if last < cost:
                    cost = last + 1
                current[column] = last = cost
            table.append(current)

    def _path(self, table: list[Row]) -> list[tuple[int | None, int | None, bool]]:
        """Positions in the hypothesis and the reference that the cheapest path pairs."""
        path: list[tuple[int | None, int | None, bool]] = []
        i, j = len(self.costs), len(self.reference)
        while i or j:
            cost = table[i][j]
            if i and j and table[i - 1][j - 1] + self.costs[i - 1][j - 1] == cost:
                i, j = i - 1, j - 1
                path.append((i, j, self.costs[i][j] > 0))
            elif i and table[i - 1][j] + 1 == cost:
                i -= 1
                path.append((i, None, True))
            else:
                j -= 1
                path.append((None, j, True))
        return path[::-1]

    def _best_shift(self, table: list[Row]) -> tuple[int, int, int, int] | None:
        """Gain, length, negative source and negative target of the best shift."""
        places, wrong_reference, wrong_hypothesis = self._errors(table)
        distance = table[-1][-1]
        best: tuple[int, int, int, int] | None = None
        for start, facing, length in self._runs():
            run = slice(start, start + length)
            if not any(wrong_hypothesis[run]) or start <= places[facing] < start + length:
                continue
            if not any(wrong_reference[facing : facing + length]):
                continue
            before = -1
            for place in range(facing - 1, facing + length):
                target = 0 if place < 0 else places[place] + 1
                if target == before:
                    continue
                before = target
                self.candidates += 1
                # no shift of so many tokens gains more than twice their number
                if best is not None and 2 * length < best[0]:
                    continue
                shifted = _shifted(self.costs, start, length, target)
                rows = table[: min(start, target) + 1]
                self._fill(rows, shifted)
                candidate = distance - rows[-1][-1], length, -start, -target
                if best is None or candidate > best:
                    best = candidate
            if self.candidates >= _MOST_CANDIDATES:
                break
        return best

    def _errors(self, table: list[Row]) -> tuple[list[int], list[bool], list[bool]]:
        """Where each reference token is in the hypothesis, and which tokens are wrong."""
        places, wrong = [], [[True] * len(self.reference), [True] * len(self.costs)]
        place = -1
        for i, j, is_wrong in self._path(table):
            place = place if i is None else i
            if j is not None:
                places.append(place)
                wrong[0][j] = is_wrong
            if i is not None:
                wrong[1][i] = is_wrong
        return places, wrong[0], wrong[1]

    def _runs(self) -> Iterator[tuple[int, int, int]]:
        """Equal runs of both sides: source, place in the reference, length."""
        number, size = len(self.costs), len(self.reference)
        for start in range(number):
            row = self.costs[start]
            nearest = max(start - _FARTHEST_SHIFT, 0)
            for facing in range(nearest, min(start + _FARTHEST_SHIFT + 1, size)):
                if row[facing]:
                    continue
                longest = min(_LONGEST_SHIFT, number - start, size - facing)
                for length in range(1, longest + 1):
                    if self.costs[start + length - 1][facing + length - 1]:
                        break
                    yield start, facing, length


def _shifted(items: list, start: int, length: int, target: int) -> list:  # type: ignore[type-arg]
    """The items with a run of them before the one at a target; within the run, behind it."""
    run, rest = items[start : start + length], items[:start] + items[start + length :]
    if target > start:
        target = target - length if target > start + length else target
    return rest[:target] + run + rest[target:]
