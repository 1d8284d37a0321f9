"""Values: frozen, their fields in slots, quick to make and defined without loading `dataclasses`.

`value` makes of a class what ``dataclass(frozen=True, slots=True)`` makes of it, with the same
rules for fields, defaults, ``_: KW_ONLY``, ``__post_init__``, equality, hash, `repr` and `pickle`.
Where there is a compiled module the objects are its own: they are made in a fraction of the time,
in bulk from columns (`in_bulk`) in less, and the class itself costs next to nothing, which counts
for a command that reads two lines. Otherwise they are data classes. The functions of `dataclasses`
take both.

A value must not hold what leads back to it: the compiled ones are not looked through for circles.
A class below one of values has no ``__init__`` of its own.
"""

from __future__ import annotations

import os
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from dataclasses import KW_ONLY
    from inspect import Signature
    from typing import Any, TypeVar

    from typing_extensions import dataclass_transform

    T = TypeVar("T")

__all__ = ["KW_ONLY", "as_tuple", "field", "fields_of", "fill", "in_bulk", "replaced", "value"]

try:
    if os.environ.get("SCORING_ALIGN") == "plain":
        raise ImportError
    # without the compiled file the folder of its sources is an empty package
    _native: Any = import_module("formats._native")
    _native.in_bulk  # noqa: B018
except (ImportError, AttributeError):
    if os.environ.get("SCORING_ALIGN") == "native":
        raise
    import dataclasses

    _native = None
IS_COMPILED = _native is not None

if not TYPE_CHECKING:
    KW_ONLY = None if _native else dataclasses.KW_ONLY

    def dataclass_transform(**_: object) -> Callable[[T], T]:
        """Say nothing to those who do not check types."""
        return lambda made: made


MISSING = object()


class Field:
    """A field of a class of values: its name, its default, and what else is said of it."""

    def __init__(
        self, default: Any, default_factory: Any, metadata: Mapping[str, Any], init: bool
    ) -> None:
        self.name = self.type = ""
        self.default = default
        self.default_factory = default_factory
        self.metadata = metadata
        self.init = init


def field(
    *,
    default: Any = MISSING,
    default_factory: Any = MISSING,
    metadata: Mapping[str, Any] | None = None,
    init: bool = True,
) -> Any:
    """A field of which more is said, as that of a data class.

    Parameters
    ----------
    default, default_factory: what it is where it is not given, or what makes that.
    metadata: what `fields_of` gives with it.
    init: whether it can be given; those that cannot be stand last.
    """
    if _native is not None:
        return Field(default, default_factory, metadata or {}, init)
    given = {"default": default, "default_factory": default_factory}
    told: dict[str, Any] = {name: one for name, one in given.items() if one is not MISSING}
    return dataclasses.field(**told, metadata=metadata, init=init)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(
    *, init: bool = True, frozen: bool = True, eq: bool = True, kw_only: bool = False
) -> Callable[[type[T]], type[T]]:
    """Make a class one of values.

    Parameters
    ----------
    init: whether the fields are what a call gives; else the class has an ``__init__`` of its own,
        which gives them with `fill`.
    frozen: whether they stay as they are; else they have no hash, if they have `eq`.
    eq: whether those of the same fields are equal.
    kw_only: whether all are given by name.

    Raises
    ------
    TypeError
        If the class is below one of values, of builtin objects, or one without ``__slots__``, has
        ``__slots__`` of its own, or a field that has to be given after one that has not.
    ValueError
        If a default can be changed, as a list can.

    Examples
    --------
    >>> @value()
    ... class Span:
    ...     start: int
    ...     end: int = 7
    >>> Span(5), Span(5) == Span(5, end=7), replaced(Span(5), start=6)
    (Span(start=5, end=7), True, Span(start=6, end=7))
    """

    def decorated(kind: type[T]) -> type[T]:
        if any(
            base.__basicsize__ > object.__basicsize__ or base.__dictoffset__
            for base in kind.__bases__
        ):
            raise TypeError(f"a class of values is below none that has fields: {kind.__qualname__}")
        if _native is None:
            data_class = dataclasses.dataclass(
                init=init, frozen=frozen, eq=eq, kw_only=kw_only, slots=True
            )
            made = data_class(kind)
            made.__reduce__ = _reduced  # type: ignore[method-assign]
            return made
        return _compiled(kind, init, frozen, eq, kw_only)

    return decorated


def fields_of(kind: type) -> Sequence[Field]:
    """The fields of a class of values, in order."""
    if _native is not None:
        return kind.__fields__  # type: ignore[attr-defined, no-any-return]
    return dataclasses.fields(kind)  # type: ignore[return-value]


def as_tuple(one: object) -> tuple[Any, ...]:
    """What a value holds, in the order of its fields."""
    if _native is not None:
        return _native.as_tuple(one)  # type: ignore[no-any-return]
    return tuple(getattr(one, field.name) for field in fields_of(type(one)))


def replaced(one: T, /, **changes: Any) -> T:
    """A value like another, with some fields changed.

    Raises
    ------
    TypeError
        If there is no such field.
    """
    if _native is None:
        return dataclasses.replace(one, **changes)  # type: ignore[type-var]
    kind = type(one)
    if kind.__init__ is object.__init__:
        return _native.replaced(one, changes)  # type: ignore[no-any-return]
    names = (one.name for one in fields_of(kind))
    return kind(**{**dict(zip(names, as_tuple(one), strict=True)), **changes})


def fill(one: object, /, **fields: Any) -> None:
    """Give a value that is being made its fields: for an ``__init__`` of its own."""
    if _native is not None:
        _native.fill(one, fields)
        return
    for name, given in fields.items():
        object.__setattr__(one, name, given)


def in_bulk(kind: type[T], count: int, /, **columns: Any) -> list[T]:
    """As many values at once: a list has one item for each, anything else is the same for all.

    For readers whose columns are right: what ``__post_init__`` would say may not be asked for.

    Raises
    ------
    TypeError
        If there is no such field, or one has to be given and is not.
    ValueError
        If a list is of another length.

    Examples
    --------
    >>> from formats.words import Token
    >>> in_bulk(Token, 2, text=["a", "b"], kind="lex")
    [Token('a', kind='lex'), Token('b', kind='lex')]
    """
    if _native is not None:
        return _native.in_bulk(kind, count, columns)  # type: ignore[no-any-return]
    lists = {name: column for name, column in columns.items() if isinstance(column, list)}
    if any(len(column) != count for column in lists.values()):
        raise ValueError("columns differ in length")
    return [
        kind(**{**columns, **{name: column[row] for name, column in lists.items()}})
        for row in range(count)
    ]


class _Signature:
    """The signature of a class of values, worked out for those who ask."""

    def __get__(self, _: object, kind: type) -> Signature:
        from inspect import Parameter, Signature

        if kind.__init__ is not object.__init__:  # type: ignore[misc]
            raise AttributeError("__signature__")
        positional = kind.__match_args__  # type: ignore[attr-defined]

        def parameter(one: Field) -> Parameter:
            is_named = one.name not in positional
            how = Parameter.KEYWORD_ONLY if is_named else Parameter.POSITIONAL_OR_KEYWORD
            default = Parameter.empty if one.default is MISSING else one.default
            if one.default_factory is not MISSING:
                default = one.default_factory()
            return Parameter(one.name, how, default=default, annotation=one.type)

        return Signature([parameter(one) for one in fields_of(kind) if one.init])


class _AsDataClass:
    """What a data class of the same fields has under a name, for the functions of `dataclasses`."""

    def __init__(self, name: str, frozen: bool, eq: bool) -> None:
        self._name = name
        self._options: dict[str, Any] = {"frozen": frozen, "eq": eq}

    def __get__(self, _: object, kind: type) -> Any:
        from dataclasses import field as data_field
        from dataclasses import make_dataclass

        fields = []
        for one in fields_of(kind):
            given = {"default": one.default, "default_factory": one.default_factory}
            told: dict[str, Any] = {name: it for name, it in given.items() if it is not MISSING}
            made = data_field(**told, init=one.init, metadata=one.metadata)
            fields.append((one.name, one.type, made))
        # `repr` is false, so that `pprint` asks for ours
        like = make_dataclass(kind.__name__, fields, repr=False, kw_only=True, **self._options)
        return getattr(like, self._name)


def _compiled(kind: type[T], init: bool, frozen: bool, eq: bool, kw_only: bool) -> type[T]:
    space = dict(kind.__dict__)
    if "__slots__" in space:
        raise TypeError(f"{kind.__name__} already specifies __slots__")
    fields: list[Field] = []
    positional = 0 if kw_only else None
    for name, annotation in kind.__annotations__.items():
        if annotation == "KW_ONLY":
            positional = len(fields)
        elif not annotation.startswith("ClassVar"):
            given = space.pop(name, MISSING)
            if not isinstance(given, Field):
                given = Field(given, MISSING, {}, True)
            given.name, given.type = name, annotation
            if given.default.__hash__ is None:
                raise ValueError(
                    f"mutable default {type(given.default)} for field {name} is not allowed"
                )
            fields.append(given)
    given_fields = [one for one in fields if one.init]
    if positional is None:
        positional = len(given_fields)
    has_to_be_given = [
        one.default is MISSING and one.default_factory is MISSING for one in fields[:positional]
    ]
    if has_to_be_given != sorted(has_to_be_given, reverse=True):
        raise TypeError("non-default argument follows default argument")
    base = _native.base(
        f"{_native.__name__}.{kind.__name__}",
        [one.name for one in fields],
        positional,
        len(given_fields),
        {one.name: one.default for one in fields if one.default is not MISSING},
        {one.name: one.default_factory for one in fields if one.default_factory is not MISSING},
        not init or "__init__" in space,
        frozen,
        eq,
        hasattr(kind, "__post_init__"),
    )
    if frozen and eq and "__eq__" in space and space["__hash__"] is None:
        space["__hash__"] = base.__hash__  # Python gives a class that says what is equal none
    space = {
        "__fields__": tuple(fields),
        **{
            name: _AsDataClass(name, frozen, eq)
            for name in ("__dataclass_fields__", "__dataclass_params__")
        },
        "__match_args__": tuple(one.name for one in fields[:positional]),
        "__reduce__": _reduced,
        "__replace__": replaced,
        "__repr__": _shown,
        "__signature__": _Signature(),
        **({"__hash__": None} if eq and not frozen else {}),
        # a class that says itself what is equal says what is not
        **({"__ne__": object.__ne__} if "__eq__" in space else {}),
        **space,
        "__slots__": (),
    }
    for name in ("__dict__", "__weakref__"):
        space.pop(name, None)
    bases = (base, *(one for one in kind.__bases__ if one is not object))
    metaclass: Any = type(kind)
    made = metaclass(kind.__name__, bases, space)
    made.__qualname__ = kind.__qualname__
    _native.hasten(made)
    return made  # type: ignore[no-any-return]


def _shown(self: object) -> str:
    shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields_of(type(self)))
    return f"{type(self).__qualname__}({', '.join(shown)})"


def _reduced(self: object) -> tuple[object, ...]:
    return _remade, (type(self), as_tuple(self)), getattr(self, "__dict__", None)


def _remade(kind: type[T], fields: tuple[Any, ...]) -> T:
    """What was pickled: compiled and plain, as others may be elsewhere."""
    if _native is not None:
        return _native.remade(kind, fields)  # type: ignore[no-any-return]
    made = object.__new__(kind)
    names = [one.name for one in fields_of(kind)]
    if len(names) != len(fields):
        raise TypeError(f"{kind.__name__}: fields of another version")
    fill(made, **dict(zip(names, fields, strict=True)))
    return made
