"""A back-off model based on counts, as in the CMU-Cambridge toolkit."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from scoring.model.aliases import Say
from scoring.nist.language_model.discounting import Discount
from scoring.nist.language_model.model import UNKNOWN, ModelError

# A pointer holds 16 bits; a table tells how many times this has to be added to it.
POINTER_STEP = 65000
BITS_PER_NAT = 1.4426950408889634074


class NgramLevel(NamedTuple):
    """The n-grams of one length, sorted by their history (the words before the last)."""

    # The last word of each; empty for single words, which are their own position
    words: Sequence[int]
    counts: Sequence[int]  # how often each was seen
    # What the probability of a continuation never seen is multiplied with; as it is, or as a code
    # of two bytes. Empty for the longest n-grams
    back_offs: Sequence[float]
    pointers: Sequence[int]  # where in the next level the continuations of each begin
    pointer_table: Sequence[int]

    def start(self, entry: int) -> int:
        """Return the position in the next level at which the continuations of an n-gram begin."""
        steps = max(bisect_right(self.pointer_table, entry) - 1, 0)
        return POINTER_STEP * steps + self.pointers[entry]


class BackOffCodes(NamedTuple):
    """Decodes back-off weights that are stored in two bytes.

    >>> codes = BackOffCodes(-2.0, 2.0, 4, [0.5, 3.0])
    >>> codes.weight(0), codes.weight(2), codes.weight(4), codes.weight(5)
    (0.01, 1.0, 100.0, 1000.0)
    """

    lowest: float  # decimal logarithms of the weights of code 0 and of `last`
    highest: float
    # The highest of the codes that lie evenly between these; codes above it count through `others`
    last: int
    others: Sequence[float]  # decimal logarithms of further weights

    def weight(self, code: int) -> float:
        """Return the back-off weight of a code."""
        if code > self.last:
            if code - self.last >= len(self.others):
                raise LookupError(f"code {code}")
            logarithm = self.others[code - self.last]
        else:
            span = self.highest - self.lowest
            logarithm = self.lowest + (code * span / self.last if self.last else 0.0)
        return power_of_ten(logarithm)


def power_of_ten(logarithm: float) -> float:
    """Return C's `pow(10, x)`, which is infinity if the result is too large."""
    try:
        return float(10.0**logarithm)
    except OverflowError:
        return math.inf


def quotient(dividend: float, divisor: float) -> float:
    """Return C's quotient of doubles, which is infinity or NaN if the divisor is 0."""
    if divisor:
        return dividend / divisor
    return math.nan if not dividend or math.isnan(dividend) else math.copysign(math.inf, dividend)


class CountModel:
    """A model that computes probabilities from counts on request."""

    def __init__(
        self,
        name: str,  # of the file, for messages
        words: dict[bytes, int],  # the number of each word
        marginals: Sequence[int],  # per word, how often it was seen as the beginning of an n-gram
        unigrams: Sequence[float],  # per word, its probability without history
        levels: Sequence[NgramLevel],  # one per length of n-gram
        discounts: Sequence[Discount],  # one per level; that of single words is not used
        codes: BackOffCodes | None,  # what back-off weights mean; None if they stand as they are
    ) -> None:
        self.name = name
        self.order = len(levels)
        self.words = words
        self._marginals = marginals
        self._unigrams = unigrams
        self._levels = levels
        self._discounts = discounts
        self._codes = codes

    def number(self, word: bytes) -> int:
        """Return the number of a word, 0 if the word is not in the model."""
        return self.words.get(word, UNKNOWN)

    def bits(self, words: tuple[int, ...], say: Say) -> float:
        """Return the surprisal, in bits, of the last of `words`, given the words before it."""
        probability = self.probability(words, say)
        if not probability >= 0:
            raise self._contradiction(f"a probability of {probability:g}")
        if not probability:
            return math.inf
        return math.log(quotient(1.0, probability)) * BITS_PER_NAT

    def probability(self, words: tuple[int, ...], say: Say) -> float:
        """Return the probability of the last of `words`, given the words before it."""
        history = len(words) - 1
        entries = self._find(words) if history else []
        if not history:
            result = self._unigrams[words[0]]
            if result <= 0 or result >= 1:
                say(f"Warning : P( {words[0]} ) == {result:g}\n")
        elif len(entries) > history:
            result = self._seen(words[0], entries, say)
        else:
            result = self.probability(words[1:], say)
            if len(entries) == history:
                stored = self._levels[history - 1].back_offs[entries[-1]]
                try:
                    result *= stored if self._codes is None else self._codes.weight(int(stored))
                except LookupError as unknown:
                    problem = f"a back-off weight of unknown {unknown}"
                    raise self._contradiction(problem) from None
        if result > 1:
            before = "".join(f"{number} " for number in words[:-1])
            raise ModelError(f"Error : P( {words[-1]} | {before}) = {result:g}\n")
        return result

    def _find(self, words: tuple[int, ...]) -> list[int]:
        """Return the entries of `words[:1]`, `words[:2]` and so on, up to an unknown n-gram."""
        entry = words[0]
        if self._marginals[entry] <= 0:
            return []
        entries = [entry]
        for level, word in enumerate(words[1:], 1):
            begin, end = self._continuations(level - 1, entry)
            column = self._levels[level].words
            entry = bisect_left(column, word, begin, end)
            if entry == end or column[entry] != word:
                break
            entries.append(entry)
        return entries

    def _continuations(self, level: int, entry: int) -> tuple[int, int]:
        """Return the range of an entry's continuations in the next level."""
        current, size = self._levels[level], len(self._levels[level + 1].words)
        begin = current.start(entry)
        end = current.start(entry + 1) if entry + 1 < len(current.counts) else size
        if not begin <= end <= size:
            raise self._contradiction(
                f"continuations from {begin} to {end} of {size}, for entry {entry} of length "
                f"{level + 1}"
            )
        return begin, end

    def _seen(self, first: int, entries: list[int], say: Say) -> float:
        """Return the probability of the last word of an n-gram that occurs in the model."""
        level = len(entries) - 1
        count = self._levels[level].counts[entries[-1]]
        of_history = (
            self._marginals[first] if level == 1 else self._levels[level - 1].counts[entries[-2]]
        )
        begin, end = self._continuations(level - 1, entries[-2])
        left = self._discounts[level](count, of_history, end - begin)
        result = quotient(left, of_history)
        if result <= 0 or result >= 1:
            say(f"Warning : P({first}) = {result:g} ({left:g} / {of_history})\n")
            say(f"ncount = {count}\n")
        return result

    def _contradiction(self, found: str) -> ModelError:
        return ModelError(f"sclite: {self.name}: the language model contradicts itself: {found}\n")
