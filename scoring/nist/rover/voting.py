"""The vote over each set of aligned words, and the lines of the output.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from math import copysign, inf, nan
from typing import NamedTuple

from scoring.model.errors import OriginalError
from scoring.nist.rover.rover_words import RoverWords

MOST_TEXTS = 49
DIRECTIVE = re.compile(r"%[.0-9]*[sf]")
# Option -m; those with `a` at the end differ from the others in the original's help only.
BY_MEAN = ("meth1", "meth1a", "oracle")
BY_LARGEST = ("maxconf", "maxconfa")
METHODS = (*BY_MEAN, *BY_LARGEST, "avgconf", "putat")


class NoBestWordError(OriginalError):
    """Raised if no word of a set has a score above -1."""

    def __init__(self) -> None:
        super().__init__("Error: No best word found\n")


class TooManyTextsError(OriginalError):
    """Raised if a set has 50 different words."""

    def __init__(self) -> None:
        super().__init__("Error: Too many words in print_linear\n")


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


class SetPlace(NamedTuple):
    """The conversation and the channel of a set, as the output has them."""

    conversation: str
    channel: str


CandidateScore = Callable[[Candidate, int, float], float]


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


class Vote:
    """Chooses the winner of each set of words, and formats it as a line of byte text."""

    def __init__(self, words: RoverWords, method: str, alpha: float, careful: bool) -> None:
        self._words = words
        self._method = method
        self._score = scorer(method, alpha)
        self._printed = _printed_odd if careful else str.__mod__

    def run(self, sets: Iterable[list[int]], location: SetPlace, lines: list[str]) -> None:
        """Vote over the sets in order; append the line of each winner to `lines`."""
        score, method = self._score, self._method
        mark = f"{location.conversation} {location.channel} * * <ALT"
        for members in sets:
            candidates, total = self._candidates(members)
            size = len(members)
            best, winner = -1.0, None
            for candidate in candidates:
                value = score(candidate, size, total)
                if value > best:
                    best, winner = value, candidate
            if winner is None:
                raise NoBestWordError
            if method == "putat":
                lines += self._putative(location, members)
            elif method != "oracle":
                if winner.text != self._words.null_text:
                    lines.append(self._line(location, winner))
            else:
                written = [self._line(location, candidate) for candidate in candidates]
                if len(written) == 1:
                    lines += written
                else:
                    every = f"{mark}>\n".join(written)
                    lines.append(f"{mark}_BEGIN>\n{every}{mark}_END>\n")

    def _candidates(self, members: list[int]) -> tuple[Iterable[Candidate], float]:
        """Return the different texts in order of appearance, and the sum of all confidences."""
        words = self._words
        voted, starts, finishes = words.voted, words.starts, words.finishes
        confidences = words.confidences
        candidates: dict[int, Candidate] = {}
        total = 0.0
        for word in members:
            text = voted[word]
            candidate = candidates.get(text)
            if candidate is None:
                if len(candidates) == MOST_TEXTS:
                    raise TooManyTextsError
                confidence = confidences[word]
                candidates[text] = Candidate(text, starts[word], finishes[word], confidence)
            else:
                confidence = confidences[word]
                candidate.count += 1
                # of two terms that are not numbers the first has the sign of the sum
                if candidate.starts == candidate.starts:
                    candidate.starts += starts[word]
                if candidate.finishes == candidate.finishes:
                    candidate.finishes += finishes[word]
                if candidate.confidences == candidate.confidences:
                    candidate.confidences += confidence
                if not candidate.largest > confidence:
                    candidate.largest = confidence
            total += confidence
        return candidates.values(), total

    def _line(self, location: SetPlace, candidate: Candidate) -> str:
        count, start = candidate.count, candidate.starts
        return self._printed(
            "%s %s %.3f %.3f %s %.6f\n",
            (
                *location,
                start / count,
                (candidate.finishes - start) / count,
                self._words.texts[candidate.text],
                candidate.confidences / count,
            ),
        )

    def _putative(self, location: SetPlace, members: Iterable[int]) -> Iterator[str]:
        words = self._words
        yield f"<putative_tag file={location.conversation} chan={location.channel} >\n"
        for word in members:
            values = (
                words.texts[words.voted[word]],
                words.starts[word],
                words.finishes[word],
                words.confidences[word],
                words.file_name(word),
            )
            template = '   <attrib tag="%s" t1="%f" t2="%f" conf="%f" tag1="%s">\n'
            yield self._printed(template, values)
        yield "</putative_tag >\n"


def _printed_odd(template: str, values: tuple[str | float, ...]) -> str:
    """Return values as C's printf prints them; NaN keeps its sign."""
    left = iter(values)

    def field(directive: re.Match[str]) -> str:
        value = next(left)
        if isinstance(value, float) and value != value:
            return "-nan" if copysign(1.0, value) < 0.0 else "nan"
        return directive[0] % value

    return DIRECTIVE.sub(field, template)
