"""Registry of values by name. A name can be registered only once.

>>> registry = Registry()
>>> registry.register("a", int)
>>> "a" in registry, registry["a"], list(registry.keys())
(True, <class 'int'>, ['a'])
>>> registry.unregister("a")
>>> "a" in registry
False
"""

from __future__ import annotations

from collections.abc import KeysView
from typing import Any


class Registry:
    """A registry of values by name. Registering a name twice raises ValueError."""

    def __init__(self) -> None:
        self._registry: dict[str, Any] = {}

    def __contains__(self, item: Any) -> bool:
        return item in self._registry

    def __getitem__(self, item: str) -> Any:
        return self._registry[item]

    def __setitem__(self, key: str, value: Any) -> None:
        if key in self._registry:
            holder = getattr(self._registry[key], "__module__", self._registry[key])
            raise ValueError(f"Conflict: alias {key!r} is already registered by {holder!r}")
        self._registry[key] = value

    def __delitem__(self, key: Any) -> None:
        del self._registry[key]

    def register(self, key: Any, value: Any, /) -> Any:
        """Add a value."""
        self[key] = value

    def unregister(self, key: str) -> None:
        """Remove a value; raise KeyError if the name is unknown."""
        del self[key]

    def keys(self) -> KeysView[str]:
        """Return the names."""
        return self._registry.keys()
