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
                # an error of the call itself is raised here, and others in the function
                if problem.__traceback__ is None or problem.__traceback__.tb_next is not None:
                    raise
                near = _meant(function, choices, synonyms)
                if near is None or "Did you mean" in str(problem):  # as Python 3.13 asks
                    raise
                raise TypeError(f"{problem}; did you mean {near!r}?") from None

        return cast("_Function", called)

    return decorated


def _meant(
    function: Callable[..., Any], choices: Mapping[str, Any], synonyms: Mapping[str, str]
) -> str | None:
    """Return the keyword that the first unknown keyword probably means."""
    from inspect import signature

    from formats.schema.errors import close_names

    known = signature(function).parameters
    unknown = next((name for name in choices if name not in known), None)
    if unknown is None:
        return None
    near = next(iter(close_names(unknown, [*known, *synonyms])), None)
    return None if near is None else synonyms.get(near, near)
