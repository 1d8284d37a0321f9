"""SubER: edits of subtitles, with words, line breaks and block breaks that overlap in time.

Wilken, Georgakopoulou and Matusov (2022). Both files are cut where neither has a subtitle. In each
part the translation edit rate counts insertions, deletions, substitutions and shifts of runs of
tokens, where two tokens may be paired only if both or neither are breaks and their blocks overlap.
Limits and the order of preference are those of version 0.4.0 of the tool.
"""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import NamedTuple, TypeAlias

from scoring.alignment.sequences import align_batch
from scoring.model import UNIT_COSTS

END_OF_LINE, END_OF_BLOCK = "<eol>", "<eob>"
BREAKS = (END_OF_LINE, END_OF_BLOCK)
_BAND = 100  # columns to each side of the diagonal
_LONGEST_SHIFT, _FARTHEST_SHIFT = 10, 50
_MOST_CANDIDATES = 1000
_FAR = 10**9
_NO_PUNCTUATION = str.maketrans("", "", string.punctuation)
_NO_MARKS = str.maketrans("", "", string.punctuation + "…")
# The values of `scoring.model.Edit`.
_CORRECT, _SUBSTITUTION, _DELETION, _INSERTION = range(4)

# The cost of pairing a token of the hypothesis with each token of the reference.
Row: TypeAlias = list[int]


class SubtitleBlock(NamedTuple):
    """A subtitle: begin and end in nanoseconds, words as written, and the break behind each word.

    The break is that of the line or of the block, or an empty text.
    """

    start_ns: int
    end_ns: int
    words: Sequence[str]
    breaks: Sequence[str]

    @classmethod
    def of(cls, start_ns: int, end_ns: int, lines: Iterable[Sequence[str]]) -> SubtitleBlock:
        """From the words of each line."""
        words: list[str] = []
        breaks: list[str] = []
        for line in filter(None, lines):
            words += line
            breaks += [*[""] * (len(line) - 1), END_OF_LINE]
        breaks[-1:] = [END_OF_BLOCK] * bool(breaks)
        return cls(start_ns, end_ns, words, breaks)

    @property
    def break_count(self) -> int:
        """How many of its words have a break behind them."""
        return len(self.breaks) - self.breaks.count("")


class SubtitleTokens(NamedTuple):
    """Words without case and punctuation, and breaks, and the block of each."""

    texts: list[str]
    blocks: list[SubtitleBlock]


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


@cache
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


def with_breaks(words: Iterable[str], breaks: Iterable[str]) -> list[str]:
    """The words, each with the break behind it."""
    return [token for pair in zip(words, breaks, strict=True) for token in pair if token]


def tokens_of(blocks: Iterable[SubtitleBlock]) -> SubtitleTokens:
    """The tokens of some blocks."""
    tokens = SubtitleTokens([], [])
    for block in blocks:
        texts = with_breaks(map(plain_word, block.words), block.breaks)
        tokens.texts.extend(texts)
        tokens.blocks.extend([block] * len(texts))
    return tokens


def edits_of(
    references: Sequence[SubtitleTokens], hypotheses: Sequence[SubtitleTokens]
) -> Iterator[SubtitleEdits]:
    """The edits of each part; only a part in which a shift is possible is searched for shifts."""
    texts = [[tokens.texts for tokens in side] for side in (references, hypotheses)]
    aligned = align_batch(*texts, costs=UNIT_COSTS)
    for number, (left, right) in enumerate(zip(references, hypotheses, strict=True)):
        path, heard, shifts = aligned.edits_of(number), right.texts, 0
        if not _is_final(left, right, path):
            search = _Search(left, right)
            shifts = search.shift()
            path, heard = search.path(search.table()), [token.text for token in search.tokens]
        yield _counted(left.texts, heard, path, shifts)


def _is_final(left: SubtitleTokens, right: SubtitleTokens, path: bytes) -> bool:
    """Whether an alignment of the texts is the one of SubER, and no shift is possible.

    It pairs only tokens that may be paired, so it is the cheapest, and tokens that are wrong on one
    side are not on the other, while only a run with wrong tokens on both may be shifted.
    """
    if len(left.texts) >= _BAND:  # farther from the diagonal nothing is compared
        return False
    wrong: tuple[set[str], set[str]] = set(), set()
    i = j = 0
    for edit in path:
        if edit <= _SUBSTITUTION:
            ours, theirs = left.texts[i], right.texts[j]
            if not _overlap(left.blocks[i], right.blocks[j]):
                return False
            if edit and (ours in BREAKS) != (theirs in BREAKS):
                return False
        if edit and edit != _INSERTION:
            wrong[0].add(left.texts[i])
        if edit and edit != _DELETION:
            wrong[1].add(right.texts[j])
        i += edit != _INSERTION
        j += edit != _DELETION
    return wrong[0].isdisjoint(right.texts) or wrong[1].isdisjoint(left.texts)


def _overlap(ours: SubtitleBlock, theirs: SubtitleBlock) -> bool:
    return (ours.start_ns < theirs.end_ns) == (theirs.start_ns < ours.end_ns)


def _counted(left: list[str], right: list[str], path: bytes, shifts: int) -> SubtitleEdits:
    breaks = sum(map(left.count, BREAKS))
    numbers = [len(left) - breaks, breaks, *[0] * 6, shifts]
    i = j = 0
    for edit in path:
        if edit:
            subject = right[j] if edit == _INSERTION else left[i]
            numbers[1 + edit + 3 * (subject in BREAKS)] += 1
        i += edit != _INSERTION
        j += edit != _DELETION
    return SubtitleEdits(*numbers)


class _Token(NamedTuple):
    """A token of the hypothesis, what pairing it costs, and the places of equal tokens."""

    text: str
    costs: Row
    equal: list[int]


class _Search:
    """The greedy search for shifts in one part."""

    def __init__(self, reference: SubtitleTokens, hypothesis: SubtitleTokens) -> None:
        self.size = len(reference.texts)
        self.tokens: list[_Token] = []
        # by block of the hypothesis, and whether a token is a break
        unequal: dict[tuple[int, bool], Row] = {}
        for text, block in zip(*hypothesis, strict=True):
            key = id(block), text in BREAKS
            if key not in unequal:
                unequal[key] = [
                    1 if (facing in BREAKS) == key[1] and _overlap(other, block) else _FAR
                    for facing, other in zip(*reference, strict=True)
                ]
            costs = list(unequal[key])
            equal = [n for n, facing in enumerate(reference.texts) if facing == text]
            equal = [n for n in equal if costs[n] == 1]
            for place in equal:
                costs[place] = 0
            self.tokens.append(_Token(text, costs, equal))
        self.candidates = 0

    def shift(self) -> int:
        """Shift runs of the hypothesis while that lowers the distance; how many were shifted."""
        shifts = 0
        while True:
            best = self._best_shift(self.table())
            if self.candidates >= _MOST_CANDIDATES or best is None or best[0] <= 0:
                return shifts
            _, length, start, target = best
            self.tokens = _shifted(self.tokens, -start, length, -target)
            shifts += 1

    def table(self) -> list[Row]:
        """The cost of each prefix of the hypothesis against each one of the reference."""
        table = [list(range(self.size + 1))]
        self._fill(table, self.tokens)
        return table

    def _fill(self, table: list[Row], tokens: Sequence[_Token]) -> None:
        """Add the rows of the hypothesis tokens that are not in the table yet."""
        size, number = self.size, len(tokens)
        ratio = size / number if number else 1.0
        band = _BAND if ratio / 2 <= _BAND else -int(-(ratio / 2 + _BAND) // 1)
        for row in range(len(table), number + 1):
            middle = int(row * ratio)
            low = max(0, middle - band)
            end = size + 1 if row == number else min(size + 1, middle + band)
            before, pairs = table[-1], tokens[row - 1].costs
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

    def path(self, table: list[Row]) -> bytes:
        """The edits of the cheapest path; pairs are preferred, then insertions."""
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
            targets = (places[n] + 1 if n >= 0 else 0 for n in range(facing - 1, facing + length))
            for target in dict.fromkeys(targets):
                self.candidates += 1
                # no shift of so many tokens gains more than twice their number
                if best is not None and 2 * length < best[0]:
                    continue
                rows = table[: min(start, target) + 1]
                self._fill(rows, _shifted(self.tokens, start, length, target))
                candidate = distance - rows[-1][-1], length, -start, -target
                if best is None or candidate > best:
                    best = candidate
            if self.candidates >= _MOST_CANDIDATES:
                break
        return best

    def _errors(self, table: list[Row]) -> tuple[list[int], list[bool], list[bool]]:
        """Where each reference token is in the hypothesis, and which tokens are wrong."""
        places: list[int] = []
        wrong: tuple[list[bool], list[bool]] = [], []
        for edit in self.path(table):
            if edit != _DELETION:
                wrong[1].append(edit > 0)
            if edit != _INSERTION:
                wrong[0].append(edit > 0)
                places.append(len(wrong[1]) - 1)
        return places, wrong[0], wrong[1]

    def _runs(self) -> Iterator[tuple[int, int, int]]:
        """Equal runs of both sides: source, place in the reference, length."""
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
    """The tokens with a run of them before the one at a target; within the run, behind it."""
    run, rest = tokens[start : start + length], tokens[:start] + tokens[start + length :]
    if target > start:
        target = target - length if target > start + length else target
    return rest[:target] + run + rest[target:]
