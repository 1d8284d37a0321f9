"""Values with named fields, of classes that every start of a command loads.

A class has `NamedFields` if short runs load it: segments, messages, options, blocks of a page,
results. The compiled module makes the values of those that readers make by the thousand, such as
`Segment`, `Token` and `Label`. A class is a `msgspec.Struct` if it only exists to be read from JSON
or written to it: loading msgspec takes longer than the start of Python, so that short runs do not
load it. `formats.schema.value_records` writes values to JSON and reads them again.
"""

from __future__ import annotations

from formats.schema import compiled

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from inspect import Signature
    from typing import Any, ClassVar, TypeAlias

    from typing_extensions import Self, dataclass_transform
else:

    def dataclass_transform(**_: object) -> Callable[[type], type]:
        """Return a decorator that changes nothing; type checkers know the original."""
        return lambda kind: kind


# The name of a field, the function that sets it, its default, and whether instances share that.
FieldRow: TypeAlias = "tuple[str, Callable[[Any, Any], None], Any, bool]"
REQUIRED: Any = object()
"""Stands for the default of a field that has none."""
MUTABLE = (dict, list, set)


@dataclass_transform(frozen_default=True)
class ValueDefinition(type):
    """The metaclass of values: the fields are the annotated names of the class body.

    Parameters
    ----------
    frozen: True if the fields cannot be changed.
    kw_only: True if the fields of this body are arguments with keywords only.
    is_numerous: True if readers make values of this class, or of classes based on it, by the
        thousand: the compiled module makes them, and the collector of garbage does not look at
        them. Such values never refer to themselves, and their defaults cannot be changed.
    record_form: keywords of `msgspec.defstruct` for the form in JSON, such as `rename`.
    """

    _fields: tuple[str, ...]
    _field_defaults: Mapping[str, Any]
    _is_numerous: bool
    _rows: tuple[FieldRow, ...]
    _record_form: Mapping[str, Any]

    def __new__(
        cls,
        name: str,
        bases: tuple[type, ...],
        body: dict[str, Any],
        *,
        frozen: bool = True,
        kw_only: bool = False,
        is_numerous: bool = False,
        **record_form: Any,
    ) -> ValueDefinition:
        """Create the class with a slot for each field."""
        inherited: list[str] = []
        by_position: list[str] = []
        defaults: dict[str, Any] = {}
        for base in bases:
            if isinstance(base, ValueDefinition):
                is_numerous |= base._is_numerous
                inherited += base._fields
                by_position += base.__match_args__
                defaults |= base._field_defaults
        new: list[str] = []
        private: list[str] = []
        # in the body where annotations are texts: from Python 3.14 on nowhere else
        types: dict[str, str] = body.get("__annotations__", {})
        for field, text in types.items():
            if text[:8] == "ClassVar":
                continue
            if field[0] == "_":
                body.pop(field, None)
                private.append(field)
                continue
            if field in body:
                defaults[field] = body.pop(field)
            if field not in inherited:
                new.append(field)
        body["__slots__"] = (*new, *private)
        body["_fields"] = (*inherited, *new)
        body["__match_args__"] = tuple(by_position) if kw_only else (*by_position, *new)
        body["_field_defaults"] = defaults
        body["_is_numerous"] = is_numerous
        body["_record_form"] = record_form
        body["_rows"] = ()
        if not frozen:
            body["__setattr__"], body["__delattr__"] = object.__setattr__, object.__delattr__
        kind: Any = super().__new__(cls, name, bases, body)
        if is_numerous and (build_values := compiled("build_values")) is not None:
            completes = kind.__post_init__ is not NamedFields.__post_init__
            compares = kind.__eq__ is NamedFields.__eq__
            build_values(kind, kind.__post_init__ if completes else None, compares)
        return kind  # type: ignore[no-any-return]

    def _filled_rows(cls) -> tuple[FieldRow, ...]:
        """Return the rows of the fields, which the first value of the class needs."""
        if not cls._rows:
            every = ((field, cls._field_defaults.get(field, REQUIRED)) for field in cls._fields)
            cls._rows = tuple(
                (
                    *(field, getattr(cls, field).__set__, default),
                    default is not REQUIRED and type(default) not in MUTABLE,
                )
                for field, default in every
            )
        return cls._rows

    if TYPE_CHECKING:
        __match_args__: tuple[str, ...]
    else:

        def __init__(cls, *_: object, **__: object) -> None:
            """Accept the keywords of a class definition."""

    @property
    def __signature__(cls) -> Signature:
        """The constructor; its types are texts, as modules load some for type checkers only."""
        from inspect import Parameter, Signature

        types = field_types(cls)
        return Signature(
            [
                Parameter(
                    name,
                    Parameter.POSITIONAL_OR_KEYWORD
                    if name in cls.__match_args__
                    else Parameter.KEYWORD_ONLY,
                    default=cls._field_defaults.get(name, Parameter.empty),
                    annotation=types[name],
                )
                for name in cls._fields
            ]
        )


class NamedFields(metaclass=ValueDefinition):
    """Base class of values with named fields: compared by value, hashable and picklable.

    The fields of a subclass are the annotated names in its body, with their defaults; fields with
    keywords only are the last. A dictionary, list or set as default is copied for each value.
    `__post_init__` is called at the end of the constructor. An annotated name that begins with `_`
    is no field: `__post_init__` sets it, and copies do not have its value.
    """

    if TYPE_CHECKING:
        _fields: ClassVar[tuple[str, ...]]
        _field_defaults: ClassVar[Mapping[str, Any]]
        _rows: ClassVar[tuple[FieldRow, ...]]

    else:

        def __init__(self, *values: Any, **named: Any) -> None:
            """Take the values of the fields in order, or by name."""
            number = len(values)
            if number > len(self.__match_args__):
                most = len(self.__match_args__)
                raise TypeError(f"expected at most {most} values without names, found {number}")
            rows = self._rows or type(self)._filled_rows()
            for value, (_, put, _, _) in zip(values, rows, strict=False):
                put(self, value)
            for name, put, default, is_shared in rows[number:]:
                if name in named:
                    put(self, named.pop(name))
                elif is_shared:
                    put(self, default)
                elif default is REQUIRED:
                    raise TypeError(f"missing required argument {name!r}")
                else:
                    put(self, default.copy())
            if named:
                name = next(iter(named))
                has_two = "two values for" if name in self._fields else "unexpected"
                raise TypeError(f"{has_two} argument {name!r}")
            self.__post_init__()

        def __hash__(self) -> int:
            return hash((type(self), *self._astuple()))

    def __post_init__(self) -> None:
        """Check or complete a new value; a subclass sets fields by `object.__setattr__`."""

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"immutable type: {type(self).__name__!r}")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"immutable type: {type(self).__name__!r}")

    def __eq__(self, other: object) -> bool:
        if type(self) is not type(other):
            return NotImplemented
        return self._astuple() == other._astuple()

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self._asdict().items())
        return f"{type(self).__name__}({shown})"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self._asdict())

    def _astuple(self) -> tuple[Any, ...]:
        """Return the values of the fields in order."""
        return tuple([getattr(self, name) for name in self._fields])

    def _asdict(self) -> dict[str, Any]:
        """Return the values of the fields by name."""
        return {name: getattr(self, name) for name in self._fields}

    def _replace(self, **changes: Any) -> Self:
        """Return a copy with other values of some fields."""
        return type(self)(**{**self._asdict(), **changes})

    __replace__ = _replace


def _restored(kind: type[NamedFields], fields: Mapping[str, Any]) -> NamedFields:
    """Return a value with the fields of a pickled one."""
    return kind(**fields)


def field_types(kind: ValueDefinition) -> dict[str, str]:
    """Return the texts of the types of a class's fields by name."""
    from inspect import get_annotations

    types: dict[str, str] = {}
    for base in reversed(kind.__mro__):
        types |= get_annotations(base)
    return {name: types[name] for name in kind._fields}
