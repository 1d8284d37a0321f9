"""Values in JSON: written and read as if their classes were msgspec structs."""

from __future__ import annotations

from abc import ABCMeta
from functools import cache
from types import UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

import msgspec

from formats.schema.values import REQUIRED, NamedFields, ValueDefinition, field_types

T = TypeVar("T")
_AT = " - at `"
_TAG = "type"


def to_builtins(content: Any) -> Any:
    """Convert structs and values to types of JSON."""
    return msgspec.to_builtins(content, enc_hook=plain_value)


def convert(content: object, kind: type[T]) -> T:
    """Convert types of JSON to a struct that may contain values.

    Raises
    ------
    msgspec.ValidationError
        If a member is missing, or if it has the wrong type; the text ends with its path.
    """
    try:
        return msgspec.convert(content, kind, dec_hook=_read)
    except msgspec.ValidationError as problem:
        text, *paths = str(problem).split(_AT)
        if len(paths) < 2:
            raise
        inner = [path.rstrip("`").removeprefix("$") for path in reversed(paths)]
        raise msgspec.ValidationError(f"{text}{_AT}${''.join(inner)}`") from None


def plain_value(value: object) -> object:
    """Return a path or line without its additional attributes, and a value as a struct."""
    if isinstance(value, NamedFields):
        return struct_of(type(value))(**value._asdict())
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, int):
        return int(value)
    raise TypeError(f"expected a text or a number, found {type(value).__name__}")


@cache
def struct_of(kind: ValueDefinition) -> type[msgspec.Struct]:
    """Return a struct with the fields of a class of values and with its form in JSON.

    The values of a field can be of several classes if each has a tag, like those of this class.
    """
    types: dict[str, Any] = dict(field_types(kind))
    if "tag" in kind._record_form:
        types |= {name: _with_choices(each) for name, each in get_type_hints(kind).items()}
    fields = [
        (name, types[name], default) if default is not REQUIRED else (name, types[name])
        for name, _, default, _ in kind._filled_rows()
    ]
    form = {"module": kind.__module__, "kw_only": True, **kind._record_form}
    return msgspec.defstruct(kind.__name__, fields, **form)


class _Choice:
    """Stands for one of several classes of values, which their tags tell apart."""

    kinds: tuple[ValueDefinition, ...]


def _with_choices(kind: Any) -> Any:
    """Return a type where a choice between classes of values is one class, as msgspec demands."""
    parts = get_args(kind)
    if isinstance(kind, UnionType) and all(isinstance(part, ValueDefinition) for part in parts):
        choice = ABCMeta("Choice", (_Choice,), {"kinds": parts})
        for part in parts:
            choice.register(part)  # their instances are instances of it
        return choice
    origin = get_origin(kind)
    if origin is None or origin is UnionType:
        return kind
    return origin[tuple([part if part is ... else _with_choices(part) for part in parts])]


def _chosen(kind: type[_Choice], content: object) -> type:
    """Return the class that the tag of a value in JSON names."""
    tag = content.get(_TAG) if isinstance(content, dict) else None
    for each in kind.kinds:
        if each._record_form["tag"] == tag:
            return each
    raise ValueError(f"Invalid value {tag!r} - at `$.{_TAG}`")


def _read(kind: type, content: object) -> object:
    """Return the value of a class from types of JSON; an error has the path within the value."""
    if issubclass(kind, _Choice):
        kind = _chosen(kind, content)
    if not isinstance(kind, ValueDefinition):
        raise NotImplementedError
    try:
        struct = msgspec.convert(content, struct_of(kind), dec_hook=_read)
    except msgspec.ValidationError as problem:
        # of a ValueError msgspec completes the path
        raise ValueError(str(problem)) from None
    return kind(**msgspec.structs.asdict(struct))
