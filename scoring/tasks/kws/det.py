"""Curves of detection error trade-off as data: miss against false-alarm probability.

Probabilities are also converted to normal deviates, for the scale of DET curves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import isnan
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from scoring.alignment import load_core
from scoring.tasks.kws.measures import Curve, Point, SetScores, curve
from scoring.tasks.kws.tables import plain

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.tasks.kws.plain_rows import rows_of_numbers as rows_of_numbers
else:
    _module = load_core()
    if _module is None:
        from scoring.tasks.kws import plain_rows as _module
    rows_of_numbers = _module.rows_of_numbers

SMALLEST = 2.2204e-16
# coefficients of AS 111, the highest power first: numerator, denominator
MIDDLE_ENDS = 0.42
MIDDLE = (
    (-25.44106049637, 41.39119773534, -18.61500062529, 2.50662823884),
    (3.13082909833, -21.06224101826, 23.08336743743, -8.47351093090, 1.0),
)
TAIL = (
    (2.32121276858, 4.85014127135, -2.29796479134, -2.78718931138),
    (1.63706781897, 3.54388924762, 1.0),
)
REPLACED = frozenset(" /!@#$%^&*()[]{}'\"?:;<>\0")
LONGEST = 20
COLUMNS = (
    "score nd(PMiss) nd(PFA) PMiss PFA TWV nd(PMiss-2SE) nd(PFA-2SE) nd(PMiss+2SE) nd(PFA+2SE) "
    "PMiss-2SE PFA-2SE PMiss+2SE PFA+2SE TWV-2SE TWV+2SE"
)
MARKED = (
    "bestScore bestTWV bestPMiss bestPFA nd(bestPMiss) nd(bestPFA), then TWV PMiss PFA "
    "nd(PMiss) nd(PFA) of actual, optimum, supremum"
)
LINE_VALUE = 0.3
ROWS_TOGETHER = 4096


class DetFile(NamedTuple):
    """A file that is written with the reports: its suffix and its lines."""

    ending: str
    lines: Iterable[str]


def deviates(probabilities: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return normal deviates; probabilities are limited to `SMALLEST` and 1 - `SMALLEST`.

    The algorithm is AS 111 (Beasley and Springer, *The percentage points of the normal
    distribution*, Applied Statistics 26, 1977), as in the original. Six decimals are correct for
    probabilities down to 1e-4, five down to 1e-5, three at 1e-12.

    >>> [round(float(x), 4) for x in deviates([0.0, 0.5, 0.975])]
    [-8.1264, 0.0, 1.96]
    """
    limited = np.clip(np.asarray(probabilities, dtype=np.float64), SMALLEST, 1 - SMALLEST)
    q = limited - 0.5
    square = q * q
    middle = q * np.polyval(MIDDLE[0], square) / np.polyval(MIDDLE[1], square)
    root = np.sqrt(-np.log(np.where(q > 0, 1 - limited, limited)))
    tail = np.polyval(TAIL[0], root) / np.polyval(TAIL[1], root)
    outer = np.where(q > 0, tail, -tail)
    return np.asarray(np.where(np.abs(q) <= MIDDLE_ENDS, middle, outer), dtype=np.float64)


def file_names(names: Sequence[str]) -> list[str]:
    """Return, for the name of each set of keywords, a distinct text to use in file names."""
    unique: list[str] = []
    for name in names:
        safe = "".join("_" if c in REPLACED or not c.isprintable() else c for c in name)[:LONGEST]
        chosen, number = safe, 0
        while chosen in unique:
            number += 1
            chosen = f"{safe}_{number}"
        unique.append(chosen)
    return unique


def set_files(scores: SetScores) -> Iterator[DetFile]:
    """Yield the files of a set: the curve, its marked points, and the line of the value 0.3."""
    yield DetFile(".dat.1", _curve_lines(curve(scores.trials), scores.trials.name))
    yield DetFile(".dat.2", _marked_lines(scores))
    yield DetFile(".isometriclines", _line_lines(scores.trials.parameters.beta))


def _curve_lines(points: Curve, name: str) -> Iterator[str]:
    yield f"# {' '.join(name.split())}: a line per threshold; SE over {points.keywords} keywords"
    yield f"# {COLUMNS}"
    columns = [
        points.thresholds,
        deviates(points.p_miss),
        deviates(points.p_fa),
        points.p_miss,
        points.p_fa,
        points.twv,
    ]
    spread = points.keywords > 1
    if spread:
        root = np.sqrt(points.keywords)
        deviations = (points.p_miss_deviation, points.p_fa_deviation, points.twv_deviation)
        miss, alarm, value = (2 * deviation / root for deviation in deviations)
        bounds = [
            points.p_miss - miss,
            points.p_fa - alarm,
            points.p_miss + miss,
            points.p_fa + alarm,
        ]
        columns += [*(deviates(bound) for bound in bounds), *bounds]
        columns += [points.twv - value, points.twv + value]
    ending = "" if spread else " NA" * 8
    columns = [np.ascontiguousarray(column, dtype=np.float64) for column in columns]
    for low in range(0, len(columns[0]), ROWS_TOGETHER):
        rows = rows_of_numbers([column[low : low + ROWS_TOGETHER] for column in columns])
        for line in rows.replace("nan", "NA").split("\n"):
            yield line + ending


def _number(value: float | None) -> str:
    return "NA" if value is None or isnan(value) else plain(value)


def _marked_lines(scores: SetScores) -> Iterator[str]:
    yield f"# {MARKED}"
    fields = [_number(scores.maximum.threshold), *_fields(scores.maximum)]
    for point in (scores.actual, scores.optimum, scores.supremum):
        fields += _fields(point)
    yield " ".join(fields)


def _fields(point: Point) -> list[str]:
    probabilities = [point.p_miss, point.p_fa]
    scaled = [None if p is None else float(deviates([p])[0]) for p in probabilities]
    return [_number(value) for value in (point.twv, *probabilities, *scaled)]


def line_of_equal_value(
    beta: float, value: float = LINE_VALUE, points: int = 200
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return P_FA and P_miss of points that all have the term-weighted value `value`."""
    p_fa: npt.NDArray[np.float64] = np.geomspace(1e-7, (1 - value) / beta, points, dtype=np.float64)
    p_miss: npt.NDArray[np.float64] = np.clip(1 - value - beta * p_fa, 0.0, 1.0)
    return p_fa, p_miss


def _line_lines(beta: float) -> Iterator[str]:
    yield f"# TWV = {LINE_VALUE}: nd(PFA) nd(PMiss) PFA PMiss"
    p_fa, p_miss = line_of_equal_value(beta)
    for row in zip(
        *(x.tolist() for x in (deviates(p_fa), deviates(p_miss), p_fa, p_miss)), strict=True
    ):
        yield " ".join(map(_number, row))
