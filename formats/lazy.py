"""Names of a package that are loaded when they are first used, so that importing it is cheap."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["lazy_names"]


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
        return sorted({*vars(sys.modules[package]), *homes})

    return look_up, names
