"""Lookup of objects by dotted name, and of the modules of sub-commands.

>>> load_object("scoring.peers.benchmarkstt.registry.REGISTRY").__name__
'Registry'
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from types import ModuleType
from typing import Any

NAMES = ("normalization", "metrics", "benchmark", "api")


class HiddenModuleError(Exception):
    """Raised for a module whose `hidden` is true."""


class Modules:
    """The modules `normalization`, `metrics`, `benchmark` and `api` of `cli` or of `api`.

    Modules are available as attributes and as items. IndexError is raised for an unknown name or a
    module whose `hidden` is true; iteration skips hidden modules.

    Parameters
    ----------
    sub_module
        `cli` or `api`.
    """

    def __init__(self, sub_module: str | None = None) -> None:
        self._part = sub_module or ""

    def __iter__(self) -> Iterator[tuple[str, ModuleType]]:
        for name in NAMES:
            try:
                module = self._load(name)
            except (ImportError, HiddenModuleError):
                continue
            yield name, module

    def __getattr__(self, name: str) -> ModuleType:
        return self[name]

    def __getitem__(self, key: str) -> ModuleType:
        try:
            return self._load(key)
        except ImportError:
            raise IndexError("Module not found", key) from None
        except HiddenModuleError:
            raise IndexError("Module is hidden", key) from None

    def keys(self) -> list[str]:
        """Return the names of the available modules."""
        return [name for name, _ in self]

    def _load(self, name: str) -> ModuleType:
        path = f"sclite_kit.compat.benchmarkstt.{self._part}.entrypoints.{name}"
        module = import_module(path)
        if getattr(module, "hidden", False):
            raise HiddenModuleError(path)
        return module


def load_object(name: str, transform: Callable[[str], str] | bool | None = None) -> Any:
    """Return an object by its dotted name.

    Parameters
    ----------
    transform
        A function that is applied to the wanted name and to each name in the module before both are
        compared. None: `str.lower`; False: no function.

    Raises
    ------
    ImportError
        If there is no such module, or no such object in it.
    """
    folder, _, wanted = name.rpartition(".")
    change: Callable[[str], str] = transform if callable(transform) else str.lower
    if transform is False:
        change = str
    if folder:
        module = import_module(folder)
        for candidate in dir(module):
            if change(candidate) == change(wanted):
                return getattr(module, candidate)
    raise ImportError(f"Could not find an object for {name!r}")
