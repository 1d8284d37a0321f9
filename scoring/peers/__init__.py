"""Interfaces of other packages and programs, such as kaldialign, Kaldi's tools and ESPnet."""

from __future__ import annotations

from types import ModuleType


def __getattr__(name: str) -> ModuleType:
    if name != "kaldialign":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return import_module(f"{__name__}.{name}")
