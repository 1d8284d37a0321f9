"""Wrong calls: the error names the keyword that was probably meant, or says what to write."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])


def suggesting(synonyms: Mapping[str, str], example: str = "") -> Callable[[_Function], _Function]:
    """Return a decorator: the error of an unknown keyword suggests a keyword of the function.

    `synonyms` has names that other programs use, each with the keyword of the function. `example`
    is a right call, which the error of any other wrong call shows.

    >>> @suggesting({"uem": "region"})
    ... def score(region=None): ...
    >>> score(uem="a.uem")
    Traceback (most recent call last):
    TypeError: score() got an unexpected keyword argument 'uem'; did you mean 'region'?
    >>> @suggesting({}, "score([], region='a')")
    ... def score(turns, *, region=None): ...
    >>> score([], "a")
    Traceback (most recent call last):
    TypeError: score() takes 1 positional argument but 2 were given; write score([], region='a')
    """

    def decorated(function: _Function) -> _Function:
        @wraps(function)
        def called(*values: Any, **choices: Any) -> Any:
            try:
                return function(*values, **choices)
            except TypeError as problem:
                if not is_of_call(problem):
                    raise
                meant = _meant(function, choices, synonyms)
                if meant is None and not example:
                    raise
                text = f"{problem}; write {example}"
                raise TypeError(f"{function.__name__}() {meant}" if meant else text) from None

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
