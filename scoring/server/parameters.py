"""Parameters of methods: bound by name or place, checked by type, before anything is done.

msgspec would check kinds as well, but does not say what it has found (``Expected `int` <= 9``) nor
under which name of an object (`$[...]`), takes half a character for a text, and speaks of Python's
kinds; answers speak the language of JSON.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from scoring.server.errors import InvalidFieldError, InvalidParamsError

REQUIRED: Any = object()
LONGEST_SHOWN = 60


class WrongKindError(Exception):
    """A value of another kind than the parameter's; says what was expected and what was found."""


class MethodParameter(NamedTuple):
    """An argument of a method.

    Attributes
    ----------
    name
        As requests say it.
    check
        From a value of JSON to what the method takes; raises `WrongKindError`.
    title
        For people.
    default
        `REQUIRED` without; null is taken where it is None.
    """

    name: str
    check: Callable[[Any], Any]
    title: str
    default: Any = REQUIRED


def bound(parameters: Sequence[MethodParameter], given: object) -> dict[str, Any]:
    """The arguments of a call, each checked.

    Parameters
    ----------
    given
        An object (by name) or a list (by place) of JSON.

    Raises
    ------
    InvalidParamsError
        If one is missing, unknown or too many.
    InvalidFieldError
        If one is of another kind.

    Examples
    --------
    >>> times = MethodParameter("times", whole(1, 9), "", 1)
    >>> bound([MethodParameter("text", text, ""), times], ["a"])
    {'text': 'a', 'times': 1}
    """
    named = _named(parameters, given)
    arguments = {}
    for parameter in parameters:
        if parameter.name not in named:
            if parameter.default is REQUIRED:
                raise InvalidParamsError(f"missing a required argument: {parameter.name!r}")
            arguments[parameter.name] = parameter.default
            continue
        value = named[parameter.name]
        if value is None and parameter.default is None:
            arguments[parameter.name] = None
            continue
        try:
            arguments[parameter.name] = parameter.check(value)
        except WrongKindError as error:
            raise InvalidFieldError(parameter.name, str(error)) from None
    return arguments


def _named(parameters: Sequence[MethodParameter], given: object) -> Mapping[str, Any]:
    names = [parameter.name for parameter in parameters]
    if isinstance(given, Mapping):
        for name in given:
            if name not in names:
                raise InvalidParamsError(
                    f"got an unexpected keyword argument {name[:LONGEST_SHOWN]!r}"
                )
        return given
    assert isinstance(given, Sequence)
    if len(given) > len(names):
        raise InvalidParamsError("too many positional arguments")
    return dict(zip(names, given, strict=False))


def kind(value: object) -> str:
    """What a value of JSON is, in a word or two."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return "a number"
    if isinstance(value, str):
        return "a text"
    return "a list" if isinstance(value, list) else "an object"


def text(value: object) -> str:
    """A text that can be encoded."""
    if not isinstance(value, str):
        raise WrongKindError(f"expected a text, found {kind(value)}")
    if not value.isascii():
        try:
            value.encode("utf-8")
        except UnicodeEncodeError as problem:
            raise WrongKindError(
                f"expected a text of Unicode, found half a character at {problem.start + 1}"
            ) from None
    return value


def flag(value: object) -> bool:
    """True or false."""
    if not isinstance(value, bool):
        raise WrongKindError(f"expected true or false, found {kind(value)}")
    return value


def whole(least: int, most: int) -> Callable[[object], int]:
    """Whole numbers of a range."""

    def check(value: object) -> int:
        is_whole = isinstance(value, int) and not isinstance(value, bool)
        if not is_whole or not least <= value <= most:  # type: ignore[operator]
            found = f"{value}"[:LONGEST_SHOWN] if is_whole else kind(value)
            raise WrongKindError(f"expected a whole number from {least} to {most}, found {found}")
        return value  # type: ignore[return-value]

    return check


def number(least: float, most: float) -> Callable[[object], float]:
    """Numbers of a range, its ends included."""

    def check(value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise WrongKindError(f"expected a number, found {kind(value)}")
        if not least <= value <= most or not math.isfinite(value):
            raise WrongKindError(
                f"expected a number from {least:g} to {most:g}, found {f'{value}'[:LONGEST_SHOWN]}"
            )
        return float(value)

    return check


def one_of(choices: Sequence[str]) -> Callable[[object], str]:
    """One of a few texts."""

    def check(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            found = repr(value[:LONGEST_SHOWN]) if isinstance(value, str) else kind(value)
            raise WrongKindError(f"expected {', '.join(choices)}, found {found}")
        return value

    return check


def tokens(value: object) -> tuple[str, ...] | str:
    """A text, or a list of tokens."""
    if isinstance(value, str):
        return text(value)
    if not isinstance(value, list):
        raise WrongKindError(f"expected a text or a list of tokens, found {kind(value)}")
    return tuple(map(text, value))


def texts(value: object) -> list[str] | str:
    """A text, or a list of texts."""
    return text(value) if isinstance(value, str) else listed(text)(value)


def listed(check: Callable[[Any], Any]) -> Callable[[object], list[Any]]:
    """A list of what `check` takes."""

    def check_all(value: object) -> list[Any]:
        if not isinstance(value, list):
            raise WrongKindError(f"expected a list, found {kind(value)}")
        return [_at(f"{place}", check, one) for place, one in enumerate(value)]

    return check_all


def mapped(check: Callable[[Any], Any]) -> Callable[[object], dict[str, Any]]:
    """An object of what `check` takes."""

    def check_all(value: object) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise WrongKindError(f"expected an object, found {kind(value)}")
        return {
            _at(f"{name[:LONGEST_SHOWN]!r}", text, name): _at(
                f"{name[:LONGEST_SHOWN]!r}", check, one
            )
            for name, one in value.items()
        }

    return check_all


def _at(place: str, check: Callable[[Any], Any], value: object) -> Any:
    """What `check` makes of a value; an error names its place."""
    try:
        return check(value)
    except WrongKindError as error:
        raise WrongKindError(f"[{place}]: {error}") from None


def utterances(value: object) -> list[Any] | dict[str, Any]:
    """One text; a list of texts or of token lists; or an object from identifiers to these.

    A single text is an utterance, and given as a list of one: it is never taken for a file's name.
    """
    if isinstance(value, str):
        return [text(value)]
    given: list[Any] | dict[str, Any]
    if isinstance(value, list):
        given = listed(tokens)(value)
    elif isinstance(value, dict):
        given = mapped(tokens)(value)
    else:
        raise WrongKindError(f"expected a text, a list or an object, found {kind(value)}")
    every = given.values() if isinstance(given, dict) else given
    if len({isinstance(one, str) for one in every}) > 1:
        raise WrongKindError("expected texts or token lists, found both")
    return given


def scalar(value: object) -> str | int | float | bool:
    """A text, a number, true or false."""
    if isinstance(value, str):
        return text(value)
    if not isinstance(value, (int, float, bool)):
        raise WrongKindError(f"expected a text, a number, true or false, found {kind(value)}")
    return value
