"""Parameters of methods: matched by name or position, and checked by type before the work begins.

msgspec is not used for the checks: its messages lack the value and the name of an object's member,
and use Python's types instead of JSON's; it also accepts lone surrogates.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from scoring.serve.errors import InvalidFieldError, InvalidParamsError
from scoring.serve.settings import Limits

REQUIRED: Any = object()
LONGEST_SHOWN = 60


class WrongKindError(Exception):
    """A value has the wrong type; the text has the expected type and the actual value."""


class MethodParameter(NamedTuple):
    """A parameter: name, check (raises WrongKindError), description, default (or `REQUIRED`)."""

    name: str
    check: Callable[[Any], Any]
    title: str
    default: Any = REQUIRED


def table(*rows: Sequence[Any]) -> tuple[MethodParameter, ...]:
    """Create parameters from rows of name, check, description and an optional default."""
    return tuple(MethodParameter(*row) for row in rows)


def bound(parameters: Sequence[MethodParameter], values: object) -> dict[str, Any]:
    """Check the arguments of a call and return them by name.

    Null is valid if the default is None.
    """
    names = [parameter.name for parameter in parameters]
    if not isinstance(values, Mapping):
        assert isinstance(values, Sequence)
        if len(values) > len(names):
            raise InvalidParamsError("too many positional arguments")
        values = dict(zip(names, values, strict=False))
    unexpected = next((name for name in values if name not in names), None)
    if unexpected is not None:
        name = repr(unexpected[:LONGEST_SHOWN])
        raise InvalidParamsError(f"got an unexpected keyword argument {name}")
    arguments = {}
    for name, check, _, default in parameters:
        value = values.get(name, default)
        if value is REQUIRED:
            raise InvalidParamsError(f"missing a required argument: {name!r}")
        if name in values and not (value is None and default is None):
            try:
                value = check(value)
            except WrongKindError as error:
                raise InvalidFieldError(name, str(error)) from None
        arguments[name] = value
    return arguments


def kind(value: object) -> str:
    """Return the name of the type of a JSON value."""
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    kinds = {int: "a number", float: "a number", str: "a text", list: "a list"}
    return kinds.get(type(value), "an object")


def of_type(expected: str, *types: type) -> Callable[[object], Any]:
    """Create a check for values of these types.

    Texts must be valid Unicode, without lone surrogates.
    """

    def check(value: object) -> Any:
        if type(value) not in types:
            raise WrongKindError(f"expected {expected}, found {kind(value)}")
        try:
            if isinstance(value, str):
                value.encode("utf-8")
        except UnicodeEncodeError as problem:
            place = f"half a character at {problem.start + 1}"
            raise WrongKindError(f"expected a text of Unicode, found {place}") from None
        return value

    return check


text = of_type("a text", str)
flag = of_type("true or false", bool)
scalar = of_type("a text, a number, true or false", str, int, float, bool)


def number(least: float, most: float, whole: bool = False) -> Callable[[object], float]:
    """Create a check for numbers in a range, including its limits."""

    def check(value: object) -> float:
        kinds = int if whole else (int, float)
        is_number = isinstance(value, kinds) and not isinstance(value, bool)
        if not is_number or not least <= value <= most:  # type: ignore[operator]
            expected = f"a {'whole ' if whole else ''}number from {least} to {most}"
            shown = f"{value}"[:LONGEST_SHOWN] if is_number else kind(value)
            raise WrongKindError(f"expected {expected}, found {shown}")
        return value if whole else float(value)  # type: ignore[return-value, arg-type]

    return check


def choice(choices: Sequence[str]) -> Callable[[object], str]:
    """Create a check for one of several texts."""

    def check(value: object) -> str:
        if not isinstance(value, str) or value not in choices:
            shown = repr(value[:LONGEST_SHOWN]) if isinstance(value, str) else kind(value)
            raise WrongKindError(f"expected {', '.join(choices)}, found {shown}")
        return value

    return check


def either(*checks: Callable[[object], Any]) -> Callable[[object], Any]:
    """Create a check that tries checks in order; if all fail, the last reports the problem."""

    def check(value: object) -> Any:
        for check_first in checks[:-1]:
            with suppress(WrongKindError):
                return check_first(value)
        return checks[-1](value)

    return check


def tokens(value: object) -> tuple[str, ...] | str:
    """Check a text or a list of tokens, and return it."""
    of_type("a text or a list of tokens", str, list)(value)
    return tuple(map(text, value)) if isinstance(value, list) else text(value)


def texts(value: object) -> list[str] | str:
    """Check a text or a list of texts, and return it."""
    return text(value) if isinstance(value, str) else listed(text)(value)


def listed(check: Callable[[Any], Any]) -> Callable[[object], list[Any]]:
    """Create a check for a list in which `check` accepts each value."""

    def check_all(value: object) -> list[Any]:
        items = of_type("a list", list)(value)
        return [_checked(index, check, item) for index, item in enumerate(items)]

    return check_all


def mapped(check: Callable[[Any], Any]) -> Callable[[object], dict[str, Any]]:
    """Create a check for an object in which `check` accepts each value."""

    def check_all(value: object) -> dict[str, Any]:
        pairs = [
            (repr(name[:LONGEST_SHOWN]), name, item)
            for name, item in of_type("an object", dict)(value).items()
        ]
        return {
            _checked(shown, text, name): _checked(shown, check, item) for shown, name, item in pairs
        }

    return check_all


def _checked(position: object, check: Callable[[Any], Any], value: object) -> Any:
    try:
        return check(value)
    except WrongKindError as error:
        raise WrongKindError(f"[{position}]: {error}") from None


def utterances(value: object) -> list[Any] | dict[str, Any]:
    """Return a text, a list of texts or of token lists, or an object from identifiers to these.

    A single text becomes a list with one utterance: it is never used as a file name.
    """
    if isinstance(value, str):
        return [text(value)]
    of_type("a text, a list or an object", list, dict)(value)
    sides: Any = (listed if isinstance(value, list) else mapped)(tokens)(value)
    items = sides.values() if isinstance(sides, dict) else sides
    if len({isinstance(item, str) for item in items}) > 1:
        raise WrongKindError("expected texts or token lists, found both")
    return sides  # type: ignore[no-any-return]


class Method(NamedTuple):
    """A method of the service: name, title, parameters in order, and a function."""

    name: str
    title: str
    parameters: Sequence[MethodParameter]
    call: Callable[..., Any]

    @property
    def description(self) -> str:
        """The title, then two lines for every parameter that has a description."""
        lines = [""] if self.parameters else []
        for name, _, title, default in filter(lambda parameter: parameter.title, self.parameters):
            lines += [f"{name}{'' if default is REQUIRED else f' (default: {default!r})'}"]
            lines += [f"    {title}"]
        return "\n".join([self.title, *lines])


class Context(NamedTuple):
    """The directory with the readable files (None: no files), the limits, and the names in a call.

    `named` has the parameters that the call contains; all others have their defaults.
    """

    root: str | None
    limits: Limits
    named: frozenset[str] = frozenset()


def names_of(parameters: Sequence[MethodParameter], values: object) -> frozenset[str]:
    """Return the names of the parameters that a call contains, given by name or by position."""
    if isinstance(values, Mapping):
        return frozenset(values)
    assert isinstance(values, Sequence)
    return frozenset(parameter.name for parameter in parameters[: len(values)])
