"""What confidences are worth: the files of option `-C` (DET curve and three histograms).

Each report is a file of data and a gnuplot script that draws it. All of them look at the words of
the hypothesis that stand in an alignment, in the order of speakers and utterances.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, nan, sqrt
from typing import NamedTuple

from scoring.alignment.system import System
from scoring.errors import NoIncorrectWordError
from scoring.model import NO_HYPOTHESIS, Edit
from scoring.nist.report.entropy import spoken_words
from scoring.nist.report.rounding import single

RIGHT = frozenset({Edit.CORRECT, Edit.SKIPPED_HYPOTHESIS})

Warn = Callable[[str], None]


class Contents(NamedTuple):
    """One file: what is added to the root of the output names, and the bytes."""

    suffix: str
    content: bytes


class ScoredWords(NamedTuple):
    """Confidences of the words of a hypothesis, and whether each word is correct."""

    confidences: list[float]
    correct: list[bool]


def scored_words(system: System, *, all_wrong: bool = False) -> ScoredWords:
    """The words of a system's hypothesis, in the order of speakers.

    Where the hypothesis has no confidences at all, sclite gives a word -1 if it has a time (it
    was read from a ctm), else 0. Words without a text do not count, but for the DET curve sclite
    counts those among them that are wrong (`all_wrong`).
    """
    column = system.hypothesis.confidences
    if column is None:
        missing = -1.0 if system.hypothesis.starts is not None else 0.0
        column = [missing] * len(system.hypothesis.types)
    words = spoken_words(system, column, all_wrong=all_wrong)
    confidences: list[float] = []
    correct: list[bool] = []
    for group in system.utterances_of:
        for utterance in group:
            word = words.begins[utterance]
            begin, end = system.edit_offsets[utterance], system.edit_offsets[utterance + 1]
            for edit in words.edits[begin:end]:
                if edit in NO_HYPOTHESIS:
                    continue
                confidences.append(words.confidences[word])
                correct.append(edit in RIGHT)
                word += 1
    return ScoredWords(confidences, correct)


# --- DET curve ---

_SENTINEL = 9e99
_DEVIATE_LOW, _DEVIATE_HIGH = 2.2204e-16, 1 - 2.2204e-16
_DEVIATE_RANGE = 3.290527
_TICKS = (
    '("0.1" -3.08, "0.5" -2.57, "2" -2.05, "5" -1.64, "10" -1.28, "20" -0.84, "30" -0.52, '
    '"40" -0.25, "50" 0.0, "60" 0.25, "70" 0.52, "80" 0.84, "90" 1.28, "95" 1.64, "98" 2.05, '
    '"99.5" 2.57, "99.9" 3.08)'
)


def normal_deviate(probability: float) -> float:
    """The normal deviate of a probability, by the rational approximation sclite uses.

    Examples
    --------
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
    """The DET curve: the script first, then the data, as sclite opens them.

    Raises
    ------
    NoIncorrectWordError
        Where sclite crashes: no incorrect word among two or more of which some but the least
        confident has a confidence above 0, or no word at all.
    """
    words = scored_words(system, all_wrong=True)
    data = "".join(f"{x} {y}\n" for x, y in det_points(words))
    return (
        Contents(".det.plt", det_script(root, [system.title]).encode("latin-1")),
        Contents(".det.dat.00", data.encode("latin-1")),
    )


def det_points(words: ScoredWords) -> list[tuple[str, str]]:
    """The points of the curve: share of correct words lost, of incorrect words kept.

    The first word of either list is never looked at, as in sclite.

    Raises
    ------
    NoIncorrectWordError
        Where sclite crashes, see `det`.
    """
    pairs = list(zip(words.confidences, words.correct, strict=True))
    right = sorted(confidence for confidence, correct in pairs if correct)
    wrong = sorted(confidence for confidence, correct in pairs if not correct)
    if not wrong and (not right or (len(right) > 1 and right[-1] > 0)):
        raise NoIncorrectWordError("DET curve: expected an incorrect word, found none")
    counted_right, counted_wrong = len(right), len(wrong)
    right.append(_SENTINEL)
    # without any incorrect word sclite looks behind the list and finds a zero there
    wrong += [_SENTINEL] if wrong else [_SENTINEL, 0.0]
    points = [(0.0005, 0.5)]
    a = b = 1
    while a < counted_right or b < counted_wrong:
        if a < counted_right and right[a] <= wrong[b]:
            a += 1
        else:
            b += 1
        points.append(
            (
                _ratio(a - 1, counted_right),
                _ratio(counted_wrong - (b - 1), counted_wrong),
            )
        )
    shown = points[: counted_right + counted_wrong - 1]
    return [(_deviate_text(x), _deviate_text(y)) for x, y in shown]


def _ratio(part: int, whole: int) -> float:
    return part / whole if whole else nan


def _deviate_text(probability: float) -> str:
    return "nan" if probability != probability else f"{normal_deviate(probability):f}"


def det_script(root: str, titles: Sequence[str], description: str = "") -> str:
    """The script that draws the curves of one or several systems.

    Parameters
    ----------
    titles
        Of the systems; the data of each lie in `root.det.dat.00`, `.01` and so on.
    description
        Of several systems, for the title of the plot.
    """
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


class _Bins(NamedTuple):
    """Words by confidence, in bins of equal width from 0 to 1."""

    totals: list[int]
    correct: list[int]


def _binned(words: ScoredWords, count: int, warn: Warn) -> _Bins:
    bins = _Bins([0] * count, [0] * count)
    outside = 0
    for confidence, correct in zip(words.confidences, words.correct, strict=True):
        scaled = confidence / 1.0 * count
        # cut toward zero, so the first bin starts below 0; 1.0 belongs to the last bin
        place = int(scaled) if abs(scaled) < 2.0**31 else -1
        if place == count and scaled <= count:
            place = count - 1
        if 0 <= place < count:
            bins.totals[place] += 1
            bins.correct[place] += correct
        else:
            outside += 1
    if outside:
        warn(f"Warning: {outside} Confidence scores out of binning range {0.0:f}:{1.0:f}\n")
    return bins


def binned_histogram(system: System, root: str, warn: Warn) -> tuple[Contents, Contents]:
    """`bhist`: percent correct in ten bins of confidence; data, then script."""
    bins = _binned(scored_words(system), 10, warn)
    data = "".join(
        f"{number * 0.1 + 0.05:.4f} {correct / total * 100.0 if total else 0.0:f} 1 1 0.1\n"
        for number, (total, correct) in enumerate(zip(*bins, strict=True))
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
    return _pair(".bhist.dat1", data, ".bhist.plt", script)


def histogram(system: System, root: str, warn: Warn) -> tuple[Contents, Contents]:
    """`hist`: words, correct and incorrect ones in a hundred bins of confidence; data, script."""
    bins = _binned(scored_words(system), 100, warn)
    width = 1.0 / 100
    data = "".join(
        f"{edge * width:f} {total:f} {correct:f} {total - correct:f}\n"
        for number, (total, correct) in enumerate(zip(*bins, strict=True))
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
    return _pair(".hist.dat", data, ".hist.plt", script)


def scaled_histogram(system: System, root: str) -> tuple[Contents, Contents]:
    """`sbhist`: percent correct in some twenty bins of as many words each; data, then script."""
    words = scored_words(system)
    pairs = sorted(zip(words.confidences, words.correct, strict=True), key=lambda pair: pair[0])
    data = "".join(_scaled_line(pairs[begin:end]) for begin, end in _chunks(len(pairs)))
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
    return _pair(".sbhist.dat", data, ".sbhist.plt", script)


def _chunks(size: int) -> list[tuple[int, int]]:
    step = size // 20
    chunks = []
    begin, end = 0, step
    while begin < end and begin < size:
        chunks.append((begin, end))
        begin, end = end, end + step
        if end + step > size:
            end = size
    return chunks


def _scaled_line(pairs: Sequence[tuple[float, bool]]) -> str:
    low, high = pairs[0][0], pairs[-1][0]
    share = single(sum(correct for _, correct in pairs) / len(pairs)) * 100.0
    return f"{(low + high) / 2:f} {share:f} 1 1 {high - low:f}\n"


def _pair(
    data_suffix: str, data: str, script_suffix: str, script: str
) -> tuple[Contents, Contents]:
    return (
        Contents(data_suffix, data.encode("latin-1")),
        Contents(script_suffix, script.encode("latin-1")),
    )
