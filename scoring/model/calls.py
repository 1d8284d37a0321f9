"""Wrong keywords of a call: the error names the keyword that was probably meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])


def suggesting(synonyms: Mapping[str, str]) -> Callable[[_Function], _Function]:
    """Return a decorator: the error of an unknown keyword suggests a keyword of the function.

    `synonyms` has names that other programs use, each with the keyword of the function.

    >>> @suggesting({"uem": "region"})
    ... def score(region=None): ...
    >>> score(uem="a.uem")
    Traceback (most recent call last):
    TypeError: score() got an unexpected keyword argument 'uem'; did you mean 'region'?
    """

    def decorated(function: _Function) -> _Function:
        @wraps(function)
        def called(*values: Any, **choices: Any) -> Any:
            try:
                return function(*values, **choices)
            except TypeError as problem:
                meant = _meant(function, choices, synonyms) if is_of_call(problem) else None
                if meant is None:
                    raise
                raise TypeError(f"{function.__name__}() {meant}") from None

        return cast("_Function", called)

    return decorated


def is_of_call(problem: TypeError) -> bool:
    """Return True if arguments did not fit a function, and no line of the function was run.

    The error must be caught where the function is called.
    """
    return problem.__traceback__ is not None and problem.__traceback__.tb_next is None


def _meant(
    function: Callable[..., Any], choices: Mapping[str, Any], synonyms: Mapping[str, str]
) -> str | None:
    """Return the error of the first unknown keyword, with the keyword that it probably means.

    Return None if no keyword is near.
    """
    from inspect import signature

    from formats.schema.errors import close_names

    known = signature(function).parameters
    unknown = next((name for name in choices if name not in known), None)
    if unknown is None:
        return None
    near = next(iter(close_names(unknown, [*known, *synonyms])), None)
    if near is None:
        return None
    meant = synonyms.get(near, near)
    return f"got an unexpected keyword argument {unknown!r}; did you mean {meant!r}?"
