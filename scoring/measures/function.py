"""A user's own function as a measure: `--measure-function module:function`.

The function takes two lists of texts, the references and the hypotheses of a batch of utterances.
It returns a list with an item for each pair: a number, a mapping from names to numbers, or None for
no number. It may also return a mapping from names to lists, one list per column. The figure is the
mean, weighted by reference words, or by a member `weight` of the mapping. If there are several
numbers, the function's attribute `figures` selects and orders those that reports show.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.model.counts import CHARACTER_UNITS
from scoring.model.errors import InputError
from scoring.results.counted import Sums
from scoring.results.measured import Figure, MeasuredValues, MeasureSpec

if TYPE_CHECKING:
    from scoring.measures.view import View

PairScore = Callable[[list[str], list[str]], Any]
BATCH = 1000
SCORE, WEIGHT = "score", "_weight"
# Numbers are counted in parts of one, so that sums do not depend on their order.
_UNIT = 2**24
MOST = 2**60


def function_measure(name: str) -> MeasureSpec:
    """Return the measure of a function `module:function`; raise ValueError if there is none."""
    module_name, _, attribute = name.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        function: Any = getattr(import_module(module_name), attribute)
    except (Exception, SystemExit) as problem:
        found = f"found {name!r}: {type(problem).__name__}: {problem}"
        raise ValueError(f"expected module:function, {found}") from None
    if not callable(function):
        raise ValueError(f"expected a function, found {name!r}, a {type(function).__name__}")
    version = str(getattr(sys.modules[module_name], "__version__", ""))
    figures = tuple(map(str, getattr(function, "figures", ())))
    text = (function.__doc__ or "It has no description.").strip()
    return _specification(name, figures, partial(_count, function, name, figures), text, version)


def recorded_function(name: str) -> MeasureSpec:
    """Return the measure of a user's function from a record, which has its counts.

    The function is not called.
    """

    def refuse(view: View) -> dict[str, Any]:
        raise ValueError(f"measure {name}: expected a function, found the record of one")

    return _specification(name, (), refuse, "It was read from a file.", "")


def _specification(
    name: str,
    figures: tuple[str, ...],
    count: Callable[[View], dict[str, Any]],
    text: str,
    version: str,
) -> MeasureSpec:
    measure = MeasureSpec(
        name=name,
        title=name,
        question="What does your own measure say?",
        definition="A function of the user gives numbers for each utterance. Their means are "
        "weighted by the number of reference words, or by a column named weight. "
        f"{text}",
        figures=(),
        columns=(),
        count=count,
        numbers=_means,
        version=version,
        more=_figures,
    )
    return measure.extended(figures)


def _figures(names: Iterable[str]) -> Iterator[Figure]:
    """Yield a figure for each name; a name of weights belongs to the figure without its suffix."""
    for name in dict.fromkeys(name.removesuffix(WEIGHT) for name in names):
        yield Figure(name, name, "", "none", None, None, "number")


def _count(function: PairScore, name: str, figures: tuple[str, ...], view: View) -> dict[str, Any]:
    """Return the function's results and weights by utterance, as multiples of a small unit."""
    blank = "" if view.rates.rules.unit in CHARACTER_UNITS else " "
    sides = [
        [blank.join(words) for words in side.words] for side in (view.reference, view.hypothesis)
    ]
    words = np.diff(view.reference.offsets).tolist()
    columns: dict[str, dict[int, int]] = {}
    for begin in range(0, len(view), BATCH):
        batch = [side[begin : begin + BATCH] for side in sides]
        rows = range(begin, begin + len(batch[0]))
        for row, results in zip(rows, _called(function, name, batch, rows, view), strict=True):
            record = results if isinstance(results, Mapping) else {(*figures, SCORE)[0]: results}
            weight = record.get(WEIGHT[1:], words[row])
            for figure in figures or (key for key in record if key != WEIGHT[1:]):
                number = record.get(figure)
                numbers, weights = (columns.setdefault(figure + end, {}) for end in ("", WEIGHT))
                if number is None:
                    continue
                for key, value in ((figure, number), (WEIGHT[1:], weight)):
                    if not _is_number(value) or (key == WEIGHT[1:] and value < 0):
                        text = f"expected a number, found {key}={value!r}"
                        raise _error(view, name, row, text)
                numbers[row], weights[row] = round(number * weight * _UNIT), round(weight * _UNIT)
    for column, values in columns.items():
        if sum(map(abs, values.values())) > MOST:
            raise view.error(f"measure {name}: the numbers {column!r} are too large")
    return columns


def _called(
    function: PairScore, name: str, batch: list[list[str]], rows: range, view: View
) -> Sequence[Any]:
    """Call the function and return its result; if it fails, raise an error with the utterance."""
    try:
        results = function(*map(list, batch))
        if isinstance(results, Mapping):  # columns
            rows_of = zip(*results.values(), strict=True)
            results = [dict(zip(results, row, strict=True)) for row in rows_of]
        numbers = list(results)
    except (Exception, SystemExit) as problem:
        if len(rows) == 1:
            text = f"{type(problem).__name__}: {problem}"
            raise _error(view, name, rows[0], text) from problem
        singles = zip(*([[text] for text in side] for side in batch), rows, strict=True)
        return [
            number
            for left, right, row in singles
            for number in _called(function, name, [left, right], range(row, row + 1), view)
        ]
    if len(numbers) != len(rows):
        text = f"expected {len(rows)} results, found {len(numbers)}"
        raise _error(view, name, rows[0], text)
    return numbers


def _is_number(value: object) -> bool:
    try:
        return math.isfinite(value)  # type: ignore[arg-type]
    except TypeError:
        return False


def _error(view: View, name: str, row: int, text: str) -> InputError:
    return view.error(f"measure {name}: utterance {view.rates.identifiers[row]!r}: {text}")


def _means(totals: Sums) -> MeasuredValues:
    sums = ((name, totals[name + WEIGHT]) for name in totals if not name.endswith(WEIGHT))
    return {name: totals[name] / weight if weight else None for name, weight in sums}
