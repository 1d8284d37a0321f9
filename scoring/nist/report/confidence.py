"""The confidence reports of option `-C`: the DET curve and three histograms.

Each report consists of a data file and a gnuplot script. The reports use the aligned hypothesis
words, in the order of speakers and utterances.

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from math import isnan, log, sqrt
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

from scoring.alignment import load_core
from scoring.model.counts import NO_HYPOTHESIS
from scoring.model.errors import ScoringError
from scoring.nist.report.entropy import IS_RIGHT, spoken_words
from scoring.nist.report.rounding import single

if TYPE_CHECKING:
    from scoring.alignment.system import System
    from scoring.model.aliases import Say

_IS_WRONG = bytes([1, 0]) + bytes(254)
# Of every system that is there, since several reports look at the same words.
_READ: WeakKeyDictionary[System, dict[bool, ScoredWords]] = WeakKeyDictionary()


class NoIncorrectWordError(ScoringError):
    """Raised if no word is incorrect, so that there is no DET curve.

    Sclite crashes in this case.
    """


class Contents(NamedTuple):
    """One output file: the suffix of its name and its bytes."""

    suffix: str
    content: bytes

    @classmethod
    def of(cls, suffix: str, text: str) -> Contents:
        """Return the content of a file from byte text."""
        return cls(suffix, text.encode("latin-1"))


class ScoredWords(NamedTuple):
    """Confidences in ascending order, and a byte per word: 1 if the word is correct.

    Words of equal confidence are in word order. If a confidence for a DET curve is NaN, all words
    are in word order.
    """

    confidences: array[float]
    correct: bytes


def scored_words(system: System, *, all_wrong: bool = False) -> ScoredWords:
    """Return a system's scored hypothesis words. Words of equal confidence are in speaker order.

    If the hypothesis has no confidences, sclite assigns -1 to words with a time (from a ctm) and 0
    to other words. Words without a text are skipped. With `all_wrong` (for the DET curve), only
    correct words without a text are skipped.
    """
    read = _READ.setdefault(system, {})
    if all_wrong in read:
        return read[all_wrong]
    column = system.hypothesis.confidences
    if column is None:
        missing = -1.0 if system.hypothesis.starts is not None else 0.0
        column = array("d", [missing]) * len(system.hypothesis.types)
    words = spoken_words(system, column, all_wrong=all_wrong)
    confidences = array("d")
    correct = bytearray()
    for group in system.utterances_of:
        for utterance in group:
            begin, end = system.offsets[utterance], system.offsets[utterance + 1]
            correct += words.edits[begin:end].translate(IS_RIGHT, bytes(NO_HYPOTHESIS))
            word = words.begins[utterance]
            confidences.extend(words.confidences[word : word + len(correct) - len(confidences)])
    unordered = isnan(sum(confidences))
    if all_wrong and unordered:
        # the DET curve sorts correct and incorrect words apart, and NaNs make that another order
        read[True] = ScoredWords(confidences, bytes(correct))
        return read[True]
    ranks = read[all_wrong] = ranked(confidences, bytes(correct))
    if words.confidences is column and not unordered:
        read[not all_wrong] = ranks  # without words that have no text, both are the same
    return ranks


def ranked(confidences: array[float], correct: bytes) -> ScoredWords:
    r"""Sort words by confidence.

    >>> ranked(array("d", [0.5, 0.25, 0.5]), bytes([1, 0, 0])).correct
    b'\x00\x01\x00'
    """
    native = None if isnan(sum(confidences)) else load_core()
    if native is not None:
        values, correct = native.ranked(confidences, correct)
        return ScoredWords(array("d", values), correct)
    order = _ascending(confidences)
    values = array("d", map(confidences.__getitem__, order))
    return ScoredWords(values, bytes(map(correct.__getitem__, order)))


def _ascending(values: Sequence[float]) -> list[int]:
    """Return the indices of values in ascending order, as sclite's merge sort orders them.

    A NaN equals every value, so its place depends on which values the sort compares.

    >>> nan = float("nan")
    >>> _ascending([0.5, nan, 0.25]), _ascending([nan, 0.5, 0.25, 0.75])
    ([0, 1, 2], [0, 2, 1, 3])
    """
    numbers = range(len(values))
    if not isnan(sum(values)):
        return sorted(numbers, key=values.__getitem__)
    return _merge_sorted(numbers, values)


def _merge_sorted(numbers: Sequence[int], values: Sequence[float]) -> list[int]:
    """Return `numbers` merge-sorted by their `values`; equal values keep their order."""
    if len(numbers) < 2:
        return list(numbers)
    middle = len(numbers) // 2
    left = _merge_sorted(numbers[:middle], values)
    right = _merge_sorted(numbers[middle:], values)
    merged: list[int] = []
    first = second = 0
    while first < len(left) and second < len(right):
        if values[left[first]] > values[right[second]]:
            merged.append(right[second])
            second += 1
        else:
            merged.append(left[first])
            first += 1
    return [*merged, *left[first:], *right[second:]]


# --- DET curve ---

_DEVIATE_LOW, _DEVIATE_HIGH = 2.2204e-16, 1 - 2.2204e-16
_DEVIATE_RANGE = 3.290527
_TICKS = (
    '("0.1" -3.08, "0.5" -2.57, "2" -2.05, "5" -1.64, "10" -1.28, "20" -0.84, "30" -0.52, '
    '"40" -0.25, "50" 0.0, "60" 0.25, "70" 0.52, "80" 0.84, "90" 1.28, "95" 1.64, "98" 2.05, '
    '"99.5" 2.57, "99.9" 3.08)'
)


def normal_deviate(probability: float) -> float:
    """Return the normal deviate of a probability, by sclite's rational approximation.

    >>> f"{normal_deviate(0.0005):f} {normal_deviate(1):f} {normal_deviate(0):f}"
    '-3.290527 8.126358 -8.126360'
    """
    p = probability
    if p >= 1.0:
        p = _DEVIATE_HIGH
    elif p <= 0.0:
        p = _DEVIATE_LOW
    q = p - 0.5
    if abs(q) <= 0.42:
        r = q * q
        return (
            q
            * (((-25.4410604963 * r + 41.3911977353) * r - 18.6150006252) * r + 2.5066282388)
            / (
                (((3.1308290983 * r - 21.0622410182) * r + 23.0833674374) * r - 8.4735109309) * r
                + 1.0
            )
        )
    r = sqrt(-log(p if q < 0 else 1.0 - p))
    value = (((2.3212127685 * r + 4.8501412713) * r - 2.2979647913) * r - 2.7871893113) / (
        (1.6370678189 * r + 3.5438892476) * r + 1.0
    )
    return -value if q < 0 else value


def det(system: System, root: str) -> tuple[Contents, Contents]:
    """Return the files of the DET curve in sclite's order: the script, then the data."""
    words = scored_words(system, all_wrong=True)
    data = det_data(words)
    return (
        Contents.of(".det.plt", det_script(root, [system.title])),
        Contents(".det.dat.00", data),
    )


def det_of_systems(
    systems: Sequence[System], titles: Sequence[str], description: str, root: str
) -> Iterator[Contents]:
    """Yield the plot script of several systems' DET curves, then the data file of each system.

    As in sc_stats, the lists are not emptied between systems: the lists of a system begin with as
    many zeros as the system before it had words. Therefore, only the curve of the first system is
    correct.
    """
    yield Contents.of(".det.plt", det_script(root, titles, description))
    correct = incorrect = 0
    for number, system in enumerate(systems):
        scored = scored_words(system, all_wrong=True)
        words = ScoredWords(
            array("d", bytes(8 * (correct + incorrect))) + scored.confidences,
            b"\1" * correct + b"\0" * incorrect + scored.correct,
        )
        correct = sum(words.correct)
        incorrect = len(words.correct) - correct
        yield Contents(f".det.dat.{number:02d}", det_data(words))


def det_data(words: ScoredWords) -> bytes:
    """Return the points of the DET curve as text.

    As in sclite, the least confident correct word and the least confident incorrect word are
    ignored.
    """
    confidences, correct = words
    if len(correct) == 0 or (0 not in correct and len(correct) > 1 and max(confidences) > 0):
        raise NoIncorrectWordError("DET curve: expected an incorrect word, found none")
    native = None if isnan(sum(confidences)) else load_core()
    data: bytes = (native.det_data if native else plain_det_data)(confidences, correct)
    return data


def plain_det_data(confidences: Sequence[float], correct: bytes) -> bytes:
    """Return the points of the DET curve; there must be at least one word.

    If the confidence of a correct word is NaN, sclite reads beyond its lists. Here the correct
    words that remain come after the last incorrect word.
    """
    right = _ordered([*compress(confidences, correct)])
    wrong = _ordered([*compress(confidences, correct.translate(_IS_WRONG))])
    # each share makes many points
    lost = _deviates(n / len(right) for n in range(len(right)))
    kept = _deviates((len(wrong) - n) / len(wrong) for n in range(len(wrong)))
    lines = [f"{normal_deviate(0.0005):f} {normal_deviate(0.5):f}\n"]
    passed = 1
    for number, share in enumerate(kept, 1):
        # correct words that are not surer than the next incorrect one go first
        more = passed if number < len(wrong) else len(right)
        while more < len(right) and right[more] <= wrong[number]:
            more += 1
        if passed < more:
            end = f" {share}\n"
            lines += end.join(lost[passed:more]), end
            passed = more
        if number < len(wrong):
            lines.append(f"{lost[passed - 1]} {kept[number]}\n")
    data = "".join(lines)
    # a list without a word has one of none, whose point is not drawn
    return (data if right and wrong else data[: data.rfind("\n", 0, -1) + 1]).encode("ascii")


def _ordered(values: Sequence[float]) -> list[float]:
    """Return values in ascending order."""
    return [*map(values.__getitem__, _ascending(values))]


def _deviates(shares: Iterable[float]) -> list[str]:
    """Return the normal deviates of probabilities as texts."""
    values = tuple(map(normal_deviate, shares))
    return ("%f " * len(values) % values).split() or ["nan"]


def det_script(root: str, titles: Sequence[str], description: str = "") -> str:
    """Return the gnuplot script for the DET curves of one or several systems."""
    span = f"[{-_DEVIATE_RANGE:f}:{_DEVIATE_RANGE:f}]"
    heading = "set title 'DET plot'\n"
    if len(titles) == 1:
        heading = f"set title 'DET plot for {root}'\nset nokey\n"
    elif description:
        heading = f"set title 'DET plot for {description} Test'\n"
    curves = ", \\\n".join(
        f" '{root}.det.dat.{number:02d}' using 2:1 title \"{title}\" with lines"
        for number, title in enumerate(titles)
    )
    curves += "\n" if titles else ""
    return f"""\
## GNUPLOT command file
set style data lines
set size 0.78, 1.0
set noxtics
set noytics
{heading}set ylabel "Correct Words Removed (in %)"
set xlabel "Incorrect Words Retained (in %)"
set grid
set ytics {_TICKS}
set xtics {_TICKS}
plot {span} {span} \\
{curves}set ytics
set xtics
set size 1.0, 1.0
set key
"""


# --- histograms ---


def _binned(words: ScoredWords, count: int, warn: Say) -> list[tuple[int, int]]:
    """Return the numbers of words and of correct words in `count` bins of confidence.

    The bins divide the range from 0 to 1.
    """
    bins = [[0, 0] for _ in range(count)]
    outside = stop = 0
    confidences, right = words
    unordered = isnan(sum(confidences))
    while stop < len(confidences):
        confidence, begin = confidences[stop], stop
        # those that are equal, unless what is not a number makes an order impossible
        stop = begin + 1 if unordered else bisect_right(confidences, confidence, begin)
        scaled = confidence / 1.0 * count
        # cut toward zero, so the first bin starts below 0; 1.0 belongs to the last bin
        bin_index = int(scaled) if abs(scaled) < 2.0**31 else -1
        if bin_index == count and scaled <= count:
            bin_index = count - 1
        if 0 <= bin_index < count:
            bins[bin_index][0] += stop - begin
            bins[bin_index][1] += right.count(1, begin, stop)
        else:
            outside += stop - begin
    if outside:
        warn(f"Warning: {outside} Confidence scores out of binning range {0.0:f}:{1.0:f}\n")
    return [(total, correct) for total, correct in bins]


def binned_histogram(system: System, root: str, warn: Say) -> tuple[Contents, Contents]:
    """Return the report `bhist` (data and script): percent correct in ten bins of confidence."""
    bins = _binned(scored_words(system), 10, warn)
    data = "".join(
        f"{number * 0.1 + 0.05:.4f} {correct / total * 100.0 if total else 0.0:f} 1 1 0.1\n"
        for number, (total, correct) in enumerate(bins)
    )
    script = f"""\
## GNUPLOT command file
set samples 1000
set key at 30.000000,90.000000
set xrange [0:1]
set yrange [0:100]
set nogrid
set ylabel '% Hypothesis Correct'
set xlabel 'Confidence Scores'
set title  'Binned Confidence scores for {root}'
set size 0.78,1
set nolabel
plot '{root}.bhist.dat1' using 1:2 '%lf%lf' title 'True' with boxes,\\
     x*100  title 'Predicted' with lines
set size 1.0, 1.0
"""
    return Contents.of(".bhist.dat1", data), Contents.of(".bhist.plt", script)


def histogram(system: System, root: str, warn: Say) -> tuple[Contents, Contents]:
    """Return the report `hist` (data and script): numbers of words in a hundred bins.

    Correct and incorrect words are counted separately.
    """
    bins = _binned(scored_words(system), 100, warn)
    width = 1.0 / 100
    data = "".join(
        f"{edge * width:f} {total:f} {correct:f} {total - correct:f}\n"
        for number, (total, correct) in enumerate(bins)
        for edge in (number, number + 1)
    )
    script = f"""\
set samples 1000
set xrange [0.000000:1.000000]
set autoscale y
set size 0.78, 1.0
set nogrid
set ylabel 'Counts'
set xlabel 'Confidence Measure'
set title  'Confidence scores for {root}'
plot '{root}.hist.dat' using 1:2 '%lf%lf' title 'All Conf.' with lines, \\
     '{root}.hist.dat' using 1:2 '%lf%*s%lf' title 'Correct Conf.' with lines, \\
     '{root}.hist.dat' using 1:2 '%lf%*s%*s%lf' title 'Incorrect Conf.' with lines
set size 1.0, 1.0
"""
    return Contents.of(".hist.dat", data), Contents.of(".hist.plt", script)


# From where sclite searches the least and the greatest confidence of a bin.
_LOW_START, _HIGH_START = 99999.0, -99999.9


def scaled_histogram(system: System, root: str) -> tuple[Contents, Contents]:
    """Return the report `sbhist` (data and script): percent correct in about 20 bins.

    The bins have equal numbers of words.
    """
    confidences, correct = scored_words(system)
    size = len(correct)
    step = size // 20
    data = ""
    begin, end = 0, step
    while begin < end and begin < size:
        numbers = [value for value in confidences[begin:end] if not isnan(value)]
        low, high = min([_LOW_START, *numbers]), max([_HIGH_START, *numbers])
        share = single(correct.count(1, begin, end) / (end - begin)) * 100.0
        data += f"{(low + high) / 2:f} {share:f} 1 1 {high - low:f}\n"
        begin, end = end, end + step
        if end + step > size:
            end = size
    script = f"""\
## GNUPLOT command file
set samples 1000
set key 30.000000,90.000000
set xrange [0:1]
set yrange [0:100]
set ylabel '% Hypothesis Correct'
set xlabel 'Confidence Scores'
set title  'Scaled Binned Confidence scores for {root}'
set nogrid
set size 0.78,1
set nolabel
plot '{root}.sbhist.dat'  title 'True' with boxes, x*100 title 'Expected'
set size 1.0, 1.0
set key
"""
    return Contents.of(".sbhist.dat", data), Contents.of(".sbhist.plt", script)
