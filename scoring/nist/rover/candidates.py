"""The texts of a set of aligned words as candidates of the vote, and their scores."""

from __future__ import annotations

from math import copysign, inf, nan

from formats.schema import NamedTuple
from scoring.model.errors import OriginalError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Callable, Iterable, Sequence
    from typing import TypeAlias

MOST_TEXTS = 49
# Option -m; those with `a` at the end differ from the others in the original's help only.
BY_MEAN = ("meth1", "meth1a", "oracle")
BY_LARGEST = ("maxconf", "maxconfa")
# Start, duration, text and confidence in a line of the output.
RESULT = "%.3f %.3f %s %.6f\n"
METHODS = (*BY_MEAN, *BY_LARGEST, "avgconf", "putat")


class NoBestWordError(OriginalError):
    """Raised if no word of a set has a score above -1."""

    def __init__(self) -> None:
        super().__init__("Error: No best word found\n")


class TooManyTextsError(OriginalError):
    """Raised if a set has 50 different words."""

    def __init__(self) -> None:
        super().__init__("Error: Too many words in print_linear\n")


class VotingColumns(NamedTuple):
    """Columns over words: the number of the text that is voted on, times, and confidences."""

    voted: array[int]
    starts: array[float]  # seconds, like the finishes
    finishes: array[float]
    confidences: array[float]


class Candidate:
    """A text in a set of aligned words, with sums over the words that have this text."""

    __slots__ = ("confidences", "count", "finishes", "largest", "starts", "text")

    def __init__(self, text: int, start: float, finish: float, confidence: float) -> None:
        self.text = text  # number of the text
        self.count = 1  # how many words have it
        # Sums over those words
        self.starts = 0.0 + start  # never -0.0
        self.finishes = 0.0 + finish
        self.confidences = 0.0 + confidence
        # Their largest confidence, at least 0
        self.largest = 0.0 if confidence < 0.0 else confidence

    def add(self, start: float, finish: float, confidence: float) -> None:
        """Add another word with this text."""
        self.count += 1
        # of two terms that are not numbers the first has the sign of the sum
        if self.starts == self.starts:
            self.starts += start
        if self.finishes == self.finishes:
            self.finishes += finish
        if self.confidences == self.confidences:
            self.confidences += confidence
        if not self.largest > confidence:
            self.largest = confidence

    def figures(self, texts: Sequence[str]) -> tuple[float, float, str, float]:
        """Return the fields of `RESULT`: means over the words, and the text."""
        count, start = self.count, self.starts
        duration = (self.finishes - start) / count
        return start / count, duration, texts[self.text], self.confidences / count


def candidates_of(members: Iterable[int], columns: VotingColumns) -> tuple[list[Candidate], float]:
    """Return the different texts in order of appearance, and the sum of all confidences."""
    candidates: dict[int, Candidate] = {}
    total = 0.0
    for word in members:
        text = columns.voted[word]
        figures = columns.starts[word], columns.finishes[word], columns.confidences[word]
        if text in candidates:
            candidates[text].add(*figures)
        elif len(candidates) == MOST_TEXTS:
            raise TooManyTextsError
        else:
            candidates[text] = Candidate(text, *figures)
        total += figures[2]
    return [*candidates.values()], total


CandidateScore: TypeAlias = "Callable[[Candidate, int, float], float]"


def scorer(method: str, alpha: float) -> CandidateScore:
    """Return a function that scores a candidate, given the size and confidence sum of its set.

    >>> candidate = Candidate(1, 0.0, 0.5, 0.9)
    >>> candidate.count, candidate.confidences = 2, 1.2
    >>> round(scorer("meth1", 0.5)(candidate, 4, 2.4), 6)
    0.55
    >>> round(scorer("maxconf", 0.5)(candidate, 4, 2.4), 6)
    0.7
    """
    rest = 1.0 - alpha

    def by_mean(candidate: Candidate, size: int, total: float) -> float:
        count = candidate.count
        return alpha * (count / size) + rest * (candidate.confidences / count)

    def by_largest(candidate: Candidate, size: int, total: float) -> float:
        return alpha * (candidate.count / size) + rest * candidate.largest

    def by_share(candidate: Candidate, size: int, total: float) -> float:
        share = _quotient(rest * candidate.confidences, total)
        return alpha * (candidate.count / size) + share

    def equal(candidate: Candidate, size: int, total: float) -> float:
        return 0.0

    if method in BY_MEAN:
        return by_mean
    if method in BY_LARGEST:
        return by_largest
    return by_share if method == "avgconf" else equal


def _quotient(numerator: float, denominator: float) -> float:
    """Return a quotient in floating-point arithmetic: infinity or NaN if the divisor is 0."""
    if denominator != 0.0:
        return numerator / denominator
    if numerator == 0.0 or numerator != numerator:
        return nan
    return copysign(inf, numerator) * copysign(1.0, denominator)


def winner_of(
    candidates: Iterable[Candidate], score: CandidateScore, size: int, total: float
) -> Candidate:
    """Return the first candidate with the best score, given the size and total of its set."""
    best, winner = -1.0, None
    for candidate in candidates:
        value = score(candidate, size, total)
        if value > best:
            best, winner = value, candidate
    if winner is None:
        raise NoBestWordError
    return winner
