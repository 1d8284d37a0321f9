"""Names of a package that are loaded when they are first used, so that importing it is cheap.

Not the package lazy-loader: importing that costs `sclite` several milliseconds at its start (it
needs ``ast`` and more for its type stubs), and it knows nothing of forks.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["lazy_names"]


def _finish_imports() -> None:
    """Wait for the imports that other threads are in.

    A forked process has none of those threads, but their locks, and waits for ever where it needs
    one of these modules. As names are loaded on first use, a thread may well be in an import when
    another one forks. (There is no public way to wait for an import; without this one nothing is
    worse than it was.)
    """
    machinery = sys.modules["_frozen_importlib"]
    waited: set[str] = set()
    while names := getattr(machinery, "_module_locks", {}).keys() - waited:
        for name in names:
            getattr(machinery, "_lock_unlock_module")(name)  # noqa: B009 -- nobody declares it
        waited |= names


# what `os` has them from, which is there already
_system = sys.modules.get("posix")
if _system is not None and hasattr(_system, "register_at_fork"):
    _system.register_at_fork(before=_finish_imports)


def lazy_names(
    package: str, homes: Mapping[str, str]
) -> tuple[Callable[[str], object], Callable[[], list[str]]]:
    """The functions `__getattr__` and `__dir__` of a package.

    Parameters
    ----------
    package: its name, `__name__`.
    homes: names that it offers, and the modules that have them; a module that begins with a point
        lies in the package.

    Examples
    --------
    >>> look_up, names = lazy_names("formats", {"Segment": ".model"})
    >>> look_up("Segment")
    <class 'formats.model.Segment'>
    >>> look_up("Segmnt")
    Traceback (most recent call last):
    AttributeError: module 'formats' has no attribute 'Segmnt'
    """

    def look_up(name: str) -> object:
        home = homes.get(name)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        from importlib import import_module

        found: object = getattr(import_module(home, package), name)
        vars(sys.modules[package])[name] = found
        return found

    def names() -> list[str]:
        # the modules that happen to be loaded are none of them
        return sorted({*(name for name in vars(sys.modules[package]) if name[:2] == "__"), *homes})

    return look_up, names
