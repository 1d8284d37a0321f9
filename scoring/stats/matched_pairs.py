"""Matched pairs test (MAPSSWE): do two systems make equally many errors per segment?

The test of Gillick and Cox (1989) as in NIST's MAPSSWE. Utterances are cut where both systems have
two correct words in a row, so that errors in one segment are independent of errors in the next. The
differences of errors per segment are tested for a mean of 0.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Sequence
from itertools import compress
from typing import NamedTuple

from scoring.alignment import load_core
from scoring.model.counts import Edit
from scoring.stats.paired_tests import Verdict, z_verdict
from scoring.stats.sample import Moments, moments

BOUNDARY_WORDS = 2
_SPOTLESS = bytes([Edit.CORRECT])
_WRONG = re.compile(b"[^%c]" % Edit.CORRECT)


class MatchedSegment(NamedTuple):
    """A segment between two boundaries, with the errors of both systems."""

    words: int  # reference words, the mean of both systems, rounded down
    first_errors: int  # places of each system's alignment that are not correct
    second_errors: int


class MatchedSegments(NamedTuple):
    """Segments of many utterances in columns of int32."""

    words: array[int]
    first_errors: array[int]
    second_errors: array[int]

    @property
    def differences(self) -> list[int]:
        """Errors of the first system minus errors of the second, per segment."""
        return [first - second for first, second in zip(*self[1:], strict=True)]

    def with_errors(self) -> MatchedSegments:
        """Return the segments in which at least one system has an error."""
        kept = [bool(first or second) for first, second in zip(*self[1:], strict=True)]
        if all(kept):
            return self
        return MatchedSegments(*(array("i", compress(column, kept)) for column in self))


class MatchedPairs(NamedTuple):
    """The result of the matched pairs test."""

    moments: Moments  # of the differences, first minus second; the mean is NaN without any segment
    verdict: Verdict  # two-tailed at 1.96; better is the system with fewer errors per segment


def segments(
    first: bytes, second: bytes, boundary_words: int = BOUNDARY_WORDS
) -> list[MatchedSegment]:
    """Cut an utterance that two systems recognised into segments around errors.

    Both alignments are traversed in parallel without insertions, so that both are always at the
    same reference word. As in the original, a segment includes the correct words around it, and two
    close segments both include the words between them. A segment may have no error of either
    system; the original warns about such a segment and drops it.

    >>> for segment in segments(bytes(8), bytes([0, 1, 0, 0, 0, 3, 0, 2, 0])):
    ...     print(segment)
    MatchedSegment(words=4, first_errors=0, second_errors=1)
    MatchedSegment(words=5, first_errors=0, second_errors=2)
    """
    if not first.strip(_SPOTLESS) and len(second) == len(first) and not second.strip(_SPOTLESS):
        return []
    matched: list[MatchedSegment] = []
    i = j = last_i = last_j = 0
    run = 0  # words in a row both have right, within a segment
    inside = False
    correct, insertion = Edit.CORRECT.value, Edit.INSERTION.value
    first_end, second_end = len(first), len(second)
    margin = boundary_words - 1

    def close(end_i: int, end_j: int) -> None:
        sides = (
            first[max(0, last_i - margin) : end_i + 1],
            second[max(0, last_j - margin) : end_j + 1],
        )
        words = sum(len(edits) - edits.count(insertion) for edits in sides)
        matched.append(
            MatchedSegment(words // 2, *(len(edits) - edits.count(correct) for edits in sides))
        )

    while i < first_end:
        while i < first_end and first[i] == insertion:
            i, inside, run = i + 1, True, 0
        while j < second_end and second[j] == insertion:
            j, inside, run = j + 1, True, 0
        both = i < first_end and j < second_end and first[i] == correct and second[j] == correct
        if not both:
            inside, run = True, 0
        elif not inside:
            # straight to the last word that both have right before the next mistake of either
            ahead = min(_correct_from(first, i), _correct_from(second, j)) - 1
            i, j = i + ahead, j + ahead
            last_i, last_j = i, j
        else:
            run += 1
            if run == boundary_words:
                close(i, j)
                last_i, last_j, inside, run = i, j, False, 0
        i += i < first_end
        j += j < second_end
    if inside or j < second_end:
        close(first_end - 1, second_end - 1)
    return matched


def all_segments(
    pairs: Sequence[tuple[bytes, bytes]], boundary_words: int = BOUNDARY_WORDS
) -> MatchedSegments:
    """Cut many utterances like `segments`, with the compiled core if it is installed.

    >>> all_segments([(bytes(8), bytes([0, 1, 0, 0, 0, 3, 0, 2, 0]))]).words.tolist()
    [4, 5]
    """
    native = load_core()
    if native is not None:
        columns = native.matched_segments(pairs, boundary_words)
        return MatchedSegments(*(array("i", column) for column in columns))
    every = [segment for pair in pairs for segment in segments(*pair, boundary_words)]
    return MatchedSegments(
        *(array("i", [segment[place] for segment in every]) for place in range(3))
    )


def _correct_from(edits: bytes, begin: int) -> int:
    """Return the number of consecutive correct places from a position."""
    wrong = _WRONG.search(edits, begin)
    return (wrong.start() if wrong else len(edits)) - begin


def matched_pairs_test(differences: Sequence[float]) -> MatchedPairs:
    """Test differences of errors (first minus second, one per segment) for a mean of 0.

    The statistic is `mean / (deviation / sqrt(n))`, compared with the normal distribution, as in
    textbooks. Unlike in textbooks, the p-value comes from NIST's table. If all differences are
    equal (for example with a single segment), z is 0 and the result is not significant; in
    textbooks z is undefined or infinite.

    Examples
    --------
    >>> matched_pairs_test([1, 2, 1, 0, 2, 1, 1, 2]).verdict.better
    1
    """
    sample = moments([float(difference) for difference in differences])
    return MatchedPairs(sample, z_verdict(sample.z, sample.mean < 0))
