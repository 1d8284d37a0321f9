"""Wrong calls and attributes: the error suggests what was probably meant."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from typing import Any, TypeVar, cast

_Function = TypeVar("_Function", bound=Callable[..., Any])
_Class = TypeVar("_Class", bound=type)


def suggesting(
    synonyms: Mapping[str, str], example: str | Callable[[tuple[Any, ...]], str] = ""
) -> Callable[[_Function], _Function]:
    """Return a decorator: the error of an unknown keyword suggests a keyword of the function.

    `synonyms` has names that other programs use, each with the keyword of the function. `example`
    is a right call, which the error of any other wrong call shows; or a function that returns it,
    given the positional arguments.

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
                advice = advice_on_call(problem, called, (values, choices), synonyms, example)
                if advice is None:
                    raise
                raise TypeError(advice) from None

        return cast("_Function", called)

    return decorated


def advice_on_call(
    problem: TypeError,
    function: Callable[..., Any],
    arguments: tuple[tuple[Any, ...], Mapping[str, Any]],
    synonyms: Mapping[str, str],
    example: str | Callable[[tuple[Any, ...]], str],
) -> str | None:
    """Return the error of a call as `suggesting` words it; None if the function ran, or no example.

    `arguments` are the positional arguments and the keywords.
    """
    from inspect import unwrap

    values, choices = arguments
    if _fits(unwrap(function), values, choices):
        return None
    meant = _meant(function, values, choices, synonyms)
    if meant is not None:
        return f"{function.__name__}() {meant}"
    right = example if isinstance(example, str) else example(values)
    return f"{problem}; write {right}" if right else None


def _fits(
    function: Callable[..., Any], values: tuple[Any, ...], choices: Mapping[str, Any]
) -> bool:
    """Return True if a function takes these arguments, so that an error comes from its lines."""
    from inspect import signature

    try:
        signature(function).bind(*values, **choices)
    except TypeError:
        return False
    return True


def _meant(
    function: Callable[..., Any],
    values: tuple[Any, ...],
    choices: Mapping[str, Any],
    synonyms: Mapping[str, str],
) -> str | None:
    """Return the error of the first unknown keyword, with the keyword that it probably means.

    Return None if no keyword is near that has no value yet.
    """
    from inspect import signature

    from formats.schema.errors import close_names

    known = list(signature(function).parameters)
    unknown = next((name for name in choices if name not in known), None)
    if unknown is None:
        return None
    free = [name for name in known[len(values) :] if name not in choices]
    names = [*free, *(name for name, keyword in synonyms.items() if keyword in free)]
    near = next(iter(close_names(unknown, names)), None)
    if near is None:
        return None
    meant = synonyms.get(near, near)
    return f"got an unexpected keyword argument {unknown!r}; did you mean {meant!r}?"


def suggesting_attributes(synonyms: Mapping[str, str] = {}) -> Callable[[_Class], _Class]:
    """Return a decorator of a class: the error of an unknown attribute suggests a known attribute.

    `synonyms` has names that people try, each with the expression that they mean.

    >>> @suggesting_attributes({"wer": "error_rate"})
    ... class Score:
    ...     error_rate = 0.5
    >>> Score().wer
    Traceback (most recent call last):
    AttributeError: 'Score' object has no attribute 'wer'; did you mean 'error_rate'?
    """

    def missing(self: object, name: str) -> Any:
        return missing_attribute(self, name, synonyms)

    def decorated(kind: _Class) -> _Class:
        kind.__getattr__ = missing  # type: ignore[attr-defined]
        return kind

    return decorated


def missing_attribute(value: object, name: str, synonyms: Mapping[str, str]) -> Any:
    """Raise the AttributeError of an unknown attribute, with the attribute that is meant.

    The error of a property is raised again with its message.
    """
    if hasattr(type(value), name):
        return object.__getattribute__(value, name)
    text = f"{type(value).__name__!r} object has no attribute {name!r}"
    meant = synonyms.get(name)
    if meant is None and name[:1] != "_":  # which Python and notebooks look up
        meant = _near_attribute(name, dir(value), synonyms)
    # without an object, or Python adds a guess of its own
    raise AttributeError(f"{text}; did you mean {meant!r}?" if meant else text, name=name)


def _near_attribute(name: str, known: Sequence[str], synonyms: Mapping[str, str]) -> str | None:
    """Return the public attribute, or the meaning of the synonym, with the most similar name."""
    from formats.schema.errors import close_names

    public = {attribute: attribute for attribute in known if attribute[:1] != "_"}
    meanings = {**synonyms, **public}
    return next((meanings[near] for near in close_names(name, list(meanings))), None)
