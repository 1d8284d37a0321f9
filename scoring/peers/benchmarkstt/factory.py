"""Registries of classes by name; commands derive their options from the constructors."""

from __future__ import annotations

import inspect
import logging
from collections.abc import Iterable, Iterator, Sequence
from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

from scoring.peers.benchmarkstt.modules import load_object
from scoring.peers.benchmarkstt.registry import Registry

Kind = TypeVar("Kind")
LOGGER = logging.getLogger("benchmarkstt.factory")


class ClassConfig(NamedTuple):
    """A registered class: its name, and the arguments of its constructor."""

    name: str
    cls: type[Any]
    docs: str
    optional_args: list[str]
    required_args: list[str]


class Factory(Registry, Generic[Kind]):
    """A registry of the classes of one kind, by name; case is ignored.

    Parameters
    ----------
    base_class
        The class from which all classes of this kind are derived.
    namespaces
        Names of modules whose classes of this kind are registered; None: the module of the base
        class.
    methods
        Classes that have these methods are also of this kind.
    """

    def __init__(
        self,
        base_class: type[Any],
        namespaces: Iterable[str] | None = None,
        methods: Sequence[str] | None = None,
    ) -> None:
        super().__init__()
        self.base_class = base_class
        self.methods = tuple(methods or ())
        self.namespaces = [base_class.__module__] if namespaces is None else list(namespaces)
        for namespace in self.namespaces:
            self.register_namespace(namespace)

    def __getitem__(self, item: str) -> type[Kind]:
        try:
            found: type[Kind] = super().__getitem__(self.normalize_class_name(item))
        except KeyError:
            known = ", ".join(self.names())
            raise ImportError(f"Could not find class {item!r}, available: {known}") from None
        return found

    def __contains__(self, item: object) -> bool:
        if isinstance(item, str):
            return super().__contains__(self.normalize_class_name(item))
        return item in self._registry.values()

    def __delitem__(self, key: Any) -> None:
        super().__delitem__(self.normalize_class_name(getattr(key, "__name__", key)))

    def __iter__(self) -> Iterator[ClassConfig]:
        for name in self.names():
            cls = self._registry[name]
            if cls.__doc__ is None:
                LOGGER.warning("No docstring for %r", name)
            required, optional = arguments_of(cls)
            yield ClassConfig(name, cls, inspect.getdoc(cls) or "", optional, required)

    def names(self) -> list[str]:
        """Return the registered names in ascending order."""
        return sorted(self._registry)

    def create(self, alias: str, *args: Any, **kwargs: Any) -> Kind:
        """Create an object of the class with this name."""
        return self[alias](*args, **kwargs)

    @staticmethod
    def normalize_class_name(clsname: str) -> str:
        """Return the lower-case name under which a class is registered."""
        return clsname.lower()

    def is_valid(self, tocheck: object) -> bool:
        """Return True if an object is a class of this kind without abstract methods."""
        if not inspect.isclass(tocheck) or tocheck is self.base_class:
            return False
        if inspect.isabstract(tocheck):
            return False
        if issubclass(tocheck, self.base_class):
            return True
        return bool(self.methods) and all(
            callable(getattr(tocheck, method, None)) for method in self.methods
        )

    def register_namespace(self, namespace: str | ModuleType) -> None:
        """Register all classes of this kind in a module."""
        module = import_module(namespace) if isinstance(namespace, str) else namespace
        for name in dir(module):
            cls = getattr(module, name)
            if self.is_valid(cls):
                self.register(cls, name)

    def register_classname(self, name: str, alias: str | None = None) -> None:
        """Register a class, given its dotted name.

        It is registered under `alias`, or else under the dotted name.
        """
        self.register(load_object(name), alias or name)

    def register(self, cls: type[Any], alias: str | None = None) -> type[Any]:
        """Register a class under `alias`, or else under its own name in lower case.

        Raises ValueError if the class is not of this kind, or the name is already registered.
        """
        if not self.is_valid(cls):
            raise ValueError(f"Invalid class, not recognized as a {self.base_class.__name__}")
        self[self.normalize_class_name(alias or cls.__name__)] = cls
        return cls


class CoreFactory(Factory[Kind]):
    """The classes of one kind: those of BenchmarkSTT, and those in modules that a user adds."""

    _factories: ClassVar[list[CoreFactory[Any]]] = []

    def __init__(self, base_class: type[Any], methods: Sequence[str] = ()) -> None:
        super().__init__(base_class, (), methods)
        self._factories.append(self)

    def keys(self) -> list[str]:  # type: ignore[override]
        """Return the registered names in ascending order."""
        return self.names()

    def register(self, cls: type[Any], alias: str | None = None) -> type[Any]:
        """Register a class like `Factory`, except that a class may be registered twice."""
        name = self.normalize_class_name(alias or str(getattr(cls, "__name__", "")))
        is_known = name in self._registry and self._registry[name] is cls
        return cls if is_known else super().register(cls, alias)

    def __delitem__(self, key: Any) -> None:
        names = [name for name, cls in self._registry.items() if key in (name, cls)]
        if not names:
            raise KeyError(key)
        for name in names:
            Registry.__delitem__(self, name)

    @classmethod
    def add_supported_namespace(cls, namespace: str | ModuleType) -> None:
        """Register the classes that a module defines, each in the registry of its kind."""
        module = import_module(namespace) if isinstance(namespace, str) else namespace
        for candidate in vars(module).values():
            if not inspect.isclass(candidate):
                continue
            if not f"{candidate.__module__}.".startswith(f"{module.__name__}."):
                continue
            valid = [factory for factory in cls._factories if factory.is_valid(candidate)]
            valid.sort(key=lambda factory: not issubclass(candidate, factory.base_class))
            for factory in valid[:1]:
                factory.register(candidate)


def arguments_of(cls: type[Any]) -> tuple[list[str], list[str]]:
    """Return the names of a constructor's required arguments, and of its optional arguments."""
    required: list[str] = []
    optional: list[str] = []
    for parameter in inspect.signature(cls).parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            continue
        empty = parameter.default is parameter.empty
        (required if empty else optional).append(parameter.name)
    return required, optional
