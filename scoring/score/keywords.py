"""The scoring functions as the package exports them, with each option as a keyword in their help.

Here they also take a table with the names of its two columns, and the error of a wrong call says
what to write instead. Commands import `scoring.score.score` directly, because creating the
signatures takes longer than scoring two lines.
"""

from __future__ import annotations

import re
from dataclasses import fields
from functools import wraps
from inspect import Parameter, cleandoc, signature
from typing import TYPE_CHECKING, Any, TypeVar, cast

from scoring.model.errors import ScoringError
from scoring.options import Options
from scoring.score import score

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["cer", "mer", "ser", "wer", "wil", "wip"]
_SIDES = ("reference", "hypothesis")
_Scorer = TypeVar("_Scorer", bound="Callable[..., Any]")


def _with_advice(function: _Scorer) -> _Scorer:
    """Return a scoring function that also takes a table and columns, and explains wrong calls."""

    @wraps(function)
    def scored(*sides: Any, **choices: Any) -> Any:
        if len(sides) == 1 and all(isinstance(choices.get(name), str) for name in _SIDES):
            from scoring.score.frames import score_table

            return score_table(function, sides[0], choices)
        try:
            return function(*sides, **choices)
        except TypeError as problem:
            from scoring.model.calls import is_of_call

            if not is_of_call(problem):
                raise
            raise TypeError(f"{problem}{_advice(function.__name__, sides, choices)}") from None
        except ScoringError as problem:
            # a mapping of lists has utterances, and often was meant to have systems
            from scoring.sides.matching.identifier import MatchingError

            is_match = isinstance(problem, MatchingError) and len(sides) == len(_SIDES)
            if is_match and _are_lists(*sides):
                text = f"{problem}; lists of several systems: Systems({{'A': [...], 'B': [...]}})"
                problem.args = (text, *problem.args[1:])
            raise

    scored.__module__ = __name__  # by which pickle finds it
    return cast("_Scorer", scored)


def _are_lists(reference: Any, hypothesis: Any) -> bool:
    """Return True for a list of references, and lists of the same length by name."""
    return (
        isinstance(reference, list)
        and isinstance(hypothesis, dict)
        and all(
            isinstance(texts, list) and len(texts) == len(reference)
            for texts in hypothesis.values()
        )
    )


def _advice(name: str, sides: tuple[Any, ...], choices: dict[str, Any]) -> str:
    """Return what to write in place of a wrong call."""
    if len(sides) > len(_SIDES):
        if hasattr(sides[0], "columns") or hasattr(sides[0], "column_names"):
            return f"; for a table write {name}(table, reference='text', hypothesis='pred')"
        return f"; several systems are a mapping: {name}(reference, {{'A': first, 'B': second}})"
    for side in _SIDES[len(sides) :]:
        for keyword in choices:
            if side not in choices and keyword[:3] == side[:3] and keyword not in _KEYWORDS:
                return f"; did you mean {side!r} instead of {keyword!r}?"
    return f"; write {name}(reference, hypothesis)"


_KEYWORDS = {
    field.name: Parameter(
        field.name,
        Parameter.KEYWORD_ONLY,
        default={} if callable(field.default_factory) else field.default,
        annotation=field.type,
    )
    for field in fields(Options)
}


def _tell_keywords() -> None:
    """Set signatures and a docstring that have each option; the source has `**choices`."""
    options = cleandoc(Options.__doc__ or "").partition("Attributes\n----------\n")[2]
    listed = "\n".join(f"    {line}".rstrip() for line in options.partition("\n\n")[0].splitlines())
    for function in (wer, cer, mer, wil, wip, ser):
        parameters = signature(function)
        named = [
            field for field in parameters.parameters.values() if field.kind != Parameter.VAR_KEYWORD
        ]
        others = _KEYWORDS.keys() - {field.name for field in named}
        every = [*named, *(field for name, field in _KEYWORDS.items() if name in others)]
        vars(function)["__signature__"] = parameters.replace(parameters=every)
    wer.__doc__ = re.sub(r"    \*\*choices\n.*\n", lambda _: f"{listed}\n", wer.__doc__ or "")


wer = _with_advice(score.wer)
cer = _with_advice(score.cer)
mer = _with_advice(score.mer)
wil = _with_advice(score.wil)
wip = _with_advice(score.wip)
ser = _with_advice(score.ser)
_tell_keywords()
