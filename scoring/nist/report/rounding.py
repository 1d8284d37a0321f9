"""Numbers of sclite's reports: its rounding, which differs from printf, and counts by speaker.

`rounded` is for percentages, means and entropies in the summaries and detail reports. Times and
confidences in alignments and SGML are printed without this rounding.
"""

from __future__ import annotations

from formats.schema import NamedTuple
from scoring.alignment.kernel import sum_counts
from scoring.model.counts import Counts, left_to_right

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from scoring.alignment.system import System

INT_MIN = -(2**31)
_INT_LIMIT = 2.0**31


def truncated(value: float) -> int:
    """Convert a double to a 32-bit int as C does: toward zero, INT_MIN if the value does not fit.

    >>> truncated(-2.9), truncated(float("nan")), truncated(1e10)
    (-2, -2147483648, -2147483648)
    """
    if -_INT_LIMIT - 1 < value < _INT_LIMIT:
        return int(value)
    return INT_MIN


def single(value: float) -> float:
    """Round to the nearest single-precision number.

    >>> single(0.7)
    0.699999988079071
    """
    number = memoryview(bytearray(4)).cast("f")
    number[0] = value
    return number[0]


def rounded(value: float, places: int) -> float:
    """Round half away from zero to `places` decimals, as sclite does.

    The number is scaled, moved by one half away from zero, truncated to a 32-bit int and stored in
    single precision. Then the number is scaled back. The result is never a negative zero. NaN,
    infinities and values beyond 32 bits become the scaled INT_MIN: an undefined normalised cross
    entropy prints as -2147483.648.

    >>> rounded(6.25, 1), rounded(-0.01, 1), rounded(float("nan"), 3)
    (6.3, 0.0, -2147483.648)
    """
    scale = 10.0**places
    scaled = value * scale
    return single(truncated(scaled + 0.5 if value > 0 else scaled - 0.5)) / scale


def percentage(part: float, whole: float) -> float:
    """Return `part` as a percentage of `whole`; 0 if `whole` is 0.

    >>> percentage(1, 16), percentage(3, 0)
    (6.25, 0.0)
    """
    return part / whole * 100.0 if whole != 0 else 0.0


def mean(values: Sequence[float]) -> float:
    """Return the arithmetic mean; 0 without values.

    >>> mean([1.0, 2.0]), mean([])
    (1.5, 0.0)
    """
    return left_to_right(values) / len(values) if values else 0.0


def standard_deviation(values: Sequence[float]) -> float:
    """Return the sample standard deviation (n - 1), 0 with fewer than two values.

    >>> standard_deviation([1.0, 2.0, 3.0]), standard_deviation([7.0])
    (1.0, 0.0)
    """
    centre = mean(values)
    # a product: raising to a power complains where the product is infinite
    total = left_to_right((value - centre) * (value - centre) for value in values)
    # one value that is NaN or infinite leaves a NaN total over zero degrees of freedom
    if total == 0.0 or total != total:
        return total
    from math import sqrt  # one value has no deviation

    return sqrt(total / (len(values) - 1))


def median(values: Sequence[float]) -> float:
    """Return the middle value or the mean of the two middle values; 0 without values.

    The values are sorted as by sclite's merge sort, which matters only for NaN. NaN compares equal
    to every value, so that its position depends on the order of `values`.

    >>> median([3.0, 1.0, 2.0]), median([4.0, 1.0]), median([])
    (2.0, 2.5, 0.0)
    """
    if not values:
        return 0.0
    ordered = _merge_sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    return (ordered[middle - 1] + ordered[middle]) / 2


def _merge_sorted(values: Sequence[float]) -> list[float]:
    if len(values) < 2:
        return list(values)
    half = len(values) // 2
    left, right = _merge_sorted(values[:half]), _merge_sorted(values[half:])
    merged: list[float] = []
    i = j = 0
    while i < len(left) and j < len(right):
        if left[i] - right[j] > 0:
            merged.append(right[j])
            j += 1
        else:
            merged.append(left[i])
            i += 1
    return merged + left[i:] + right[j:]


class Tally(NamedTuple):
    """Counts over utterances: words by kind of edit, and utterances that have such an edit."""

    utterances: int = 0
    correct: int = 0
    substitutions: int = 0
    deletions: int = 0
    insertions: int = 0
    utterances_with_errors: int = 0
    utterances_with_substitutions: int = 0
    utterances_with_deletions: int = 0
    utterances_with_insertions: int = 0

    @property
    def counts(self) -> Counts:
        """The word counts alone."""
        return Counts(self.correct, self.substitutions, self.deletions, self.insertions)


def total(tallies: Sequence[Tally]) -> Tally:
    """Return the sum of tallies.

    >>> total([Tally(1, 5), Tally(2, 7, 1, utterances_with_errors=1)])[:3]
    (3, 12, 1)
    """
    return Tally(*(sum(column) for column in zip(*tallies, strict=True)))


def by_speaker(system: System) -> list[Tally]:
    """Return one tally per speaker of a system, in the order of `System.speakers`."""
    numbers = system.counts.numbers
    return [_tally(numbers, group) for group in system.utterances_of]


def _tally(numbers: memoryview[int], utterances: Sequence[int]) -> Tally:
    first, last = (utterances[0], utterances[-1] + 1) if utterances else (0, 0)
    own = numbers[4 * first : 4 * last]
    if last - first != len(utterances):  # as a rule a speaker's stand together
        rows = (numbers[4 * place : 4 * place + 4] for place in utterances)
        own = memoryview(b"".join(rows)).cast("i")
    *counts, wrong, _, _, substituted, deleted, inserted = sum_counts(own)
    return Tally._make([len(utterances), *counts, wrong, substituted, deleted, inserted])
