"""Classes by name, with the arguments they take: what options of commands are made of."""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

Kind = TypeVar("Kind")


class ClassConfig(NamedTuple):
    """A class of a registry."""

    name: str
    cls: type[Any]
    docs: str
    optional_args: list[str]
    required_args: list[str]


class CoreFactory(Generic[Kind]):
    """Classes of one kind by name; upper and lower case are the same."""

    def __init__(self, base_class: type[Any], methods: Sequence[str] = ()) -> None:
        self.base_class = base_class
        self._methods = tuple(methods)
        self._classes: dict[str, type[Kind]] = {}

    def __getitem__(self, name: str) -> type[Kind]:
        try:
            return self._classes[name.lower()]
        except KeyError:
            known = ", ".join(self.keys())
            raise ImportError(f"Could not find class {name!r}, available: {known}") from None

    def __contains__(self, name: object) -> bool:
        if isinstance(name, str):
            return name.lower() in self._classes
        return name in self._classes.values()

    def __iter__(self) -> Iterator[ClassConfig]:
        for name in self.keys():
            cls = self._classes[name]
            required, optional = arguments_of(cls)
            yield ClassConfig(name, cls, inspect.getdoc(cls) or "", optional, required)

    def keys(self) -> list[str]:
        """The names, sorted."""
        return sorted(self._classes)

    def create(self, name: str, *args: Any, **kwargs: Any) -> Kind:
        """An object of the class of that name."""
        return self[name](*args, **kwargs)

    def is_valid(self, tocheck: object) -> bool:
        """True if something is a class of this kind."""
        if not inspect.isclass(tocheck):
            return False
        if issubclass(tocheck, self.base_class):
            return True
        return bool(self._methods) and all(
            callable(getattr(tocheck, method, None)) for method in self._methods
        )

    def register(self, cls: type[Any], alias: str | None = None) -> type[Any]:
        """Add a class, under its own name in lower case unless another is given."""
        if not self.is_valid(cls):
            raise ValueError(f"Invalid class, not recognized as a {self.base_class.__name__}")
        name = (alias or cls.__name__).lower()
        holder = self._classes.get(name)
        if holder is not None and holder is not cls:
            raise ValueError(
                f"Conflict: alias {name!r} is already registered by {holder.__module__!r}"
            )
        self._classes[name] = cls
        return cls

    def __delitem__(self, key: object) -> None:
        names = [name for name, cls in self._classes.items() if key in (name, cls)]
        if not names:
            raise KeyError(key)
        for name in names:
            del self._classes[name]


def arguments_of(cls: type[Any]) -> tuple[list[str], list[str]]:
    """The names of a constructor's arguments: those that are required, those that are not."""
    required: list[str] = []
    optional: list[str] = []
    for parameter in inspect.signature(cls).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        empty = parameter.default is parameter.empty
        (required if empty else optional).append(parameter.name)
    return required, optional
