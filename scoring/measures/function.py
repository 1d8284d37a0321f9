"""A user's own function as a measure: `--measure-function module:function`.

The function takes two lists of texts, the references and the hypotheses of a batch of utterances,
and returns a list: a number per pair, or a mapping from names to numbers; None is no number. The
figure is the mean, weighted by reference words, or by a member `weight` of the mapping. If there
are several numbers, an attribute `figures` of the function has their names.
"""

from __future__ import annotations

import math
import os
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np

from scoring.errors import InputError
from scoring.rates.counted import Sums
from scoring.rates.measured import Figure, MeasureSpec, Values

if TYPE_CHECKING:
    from scoring.measures.view import View

Score = Callable[[list[str], list[str]], Sequence[Any]]
BATCH = 1000
WEIGHT = "_weight"
_UNIT = 2**32  # numbers are counted in parts of one, so that sums do not depend on their order


def function_measure(name: str) -> MeasureSpec:
    """The measure of a function `module:function`; ValueError if there is none."""
    module_name, _, attribute = name.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    try:
        function: Any = getattr(import_module(module_name), attribute)
    except (ImportError, AttributeError) as problem:
        raise ValueError(f"expected module:function, found {name!r}: {problem}") from None
    if not callable(function):
        raise ValueError(f"expected a function, found {name!r}, a {type(function).__name__}")
    version = str(getattr(sys.modules[module_name], "__version__", ""))
    figures = tuple(map(str, getattr(function, "figures", ("score",))))
    text = (function.__doc__ or "It has no description.").strip()
    return _specification(name, figures, partial(_count, function, name, figures), text, version)


def recorded_function(name: str, columns: Iterable[str]) -> MeasureSpec:
    """The measure of a function as a file records its columns, which cannot be counted again."""
    figures = [column.removesuffix(WEIGHT) for column in columns if column.endswith(WEIGHT)]

    def refuse(view: View) -> dict[str, Any]:
        raise ValueError(f"measure {name}: expected a function, found the record of one")

    return _specification(name, tuple(figures), refuse, "It was read from a file.", "")


def _specification(
    name: str,
    figures: tuple[str, ...],
    count: Callable[[View], dict[str, Any]],
    text: str,
    version: str,
) -> MeasureSpec:
    return MeasureSpec(
        name=name,
        title=name,
        question="What does your own measure say?",
        definition="A function of the user: its numbers per utterance, weighted by reference words "
        f"or by its column weight. {text}",
        figures=tuple(Figure(name, name, "", "none", None, None, "number") for name in figures),
        columns=tuple(column for name in figures for column in (name, name + WEIGHT)),
        count=count,
        numbers=partial(_means, figures),
        version=version,
    )


def _count(function: Score, name: str, figures: tuple[str, ...], view: View) -> dict[str, Any]:
    """What the function gives for each utterance, in parts of one, and its weight."""
    sides = [
        [" ".join(words) for words in side.words] for side in (view.reference, view.hypothesis)
    ]
    words = np.diff(view.reference.offsets).tolist()
    columns = {
        column: np.zeros(len(view), np.int64)
        for figure in figures
        for column in (figure, figure + WEIGHT)
    }
    for begin in range(0, len(view), BATCH):
        batch = [side[begin : begin + BATCH] for side in sides]
        rows = range(begin, begin + len(batch[0]))
        for row, numbers in zip(rows, _called(function, name, batch, rows, view), strict=True):
            record = numbers if isinstance(numbers, Mapping) else {figures[0]: numbers}
            weight = record.get("weight", words[row])
            for figure in figures:
                number = record.get(figure)
                if number is None:
                    continue
                if not (_is_number(number) and _is_number(weight) and weight >= 0):
                    raise _error(view, name, row, f"expected a number, found {figure}={number!r}")
                try:
                    columns[figure][row] = round(number * weight * _UNIT)
                    columns[figure + WEIGHT][row] = round(weight * _UNIT)
                except OverflowError:
                    raise _error(view, name, row, f"the number {number!r} is too large") from None
    return columns


def _called(
    function: Score, name: str, batch: list[list[str]], rows: range, view: View
) -> Sequence[Any]:
    """What the function returns; where it fails, the utterance that it fails for is named."""
    try:
        numbers = list(function(*batch))
    except Exception as problem:
        if len(rows) == 1:
            text = f"{type(problem).__name__}: {problem}"
            raise _error(view, name, rows[0], text) from problem
        single = [
            _called(
                function, name, [[side[place]] for side in batch], rows[place : place + 1], view
            )
            for place in range(len(rows))
        ]
        return [number for [number] in single]
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


def _means(figures: tuple[str, ...], totals: Sums) -> Values:
    weights = ((name, totals[name + WEIGHT]) for name in figures)
    return {name: totals[name] / weight if weight else None for name, weight in weights}
