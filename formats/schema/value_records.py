"""Values in JSON: written and read as if their classes were msgspec structs."""

from __future__ import annotations

from functools import cache
from typing import Any, TypeVar

import msgspec

from formats.schema.values import REQUIRED, NamedFields, ValueDefinition, field_types

T = TypeVar("T")
_AT = " - at `"


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
    """Return a struct with the fields of a class of values and with its form in JSON."""
    fields = [
        (name, text, default) if default is not REQUIRED else (name, text)
        for (name, _, default, _), text in zip(
            kind._filled_rows(), field_types(kind).values(), strict=True
        )
    ]
    form = {"module": kind.__module__, "kw_only": True, **kind._record_form}
    return msgspec.defstruct(kind.__name__, fields, **form)


def _read(kind: type, content: object) -> object:
    """Return the value of a class from types of JSON; an error has the path within the value."""
    if not isinstance(kind, ValueDefinition):
        raise NotImplementedError
    try:
        struct = msgspec.convert(content, struct_of(kind), dec_hook=_read)
    except msgspec.ValidationError as problem:
        # of a ValueError msgspec completes the path
        raise ValueError(str(problem)) from None
    return kind(**msgspec.structs.asdict(struct))
