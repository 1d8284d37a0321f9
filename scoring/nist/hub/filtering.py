"""Cutting, rewriting and joining in use: the compiled ones, or their twins in plain Python.

`IMPLEMENTATION` is "native" or "plain". Arguments and results are described in
`scoring.nist.hub.plain_filtering`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scoring.native import load

if TYPE_CHECKING:
    from scoring.nist.hub.plain_filtering import (
        cut,
        join,
        keep_freed_memory,
        ordered,
        rewrite,
        trimmed,
    )
else:
    _module = load("filtering")
    if _module is None:
        from scoring.nist.hub import plain_filtering as _module
    cut, join, rewrite = _module.cut, _module.join, _module.rewrite
    ordered, trimmed = _module.ordered, _module.trimmed
    keep_freed_memory = _module.keep_freed_memory

IMPLEMENTATION: Final[str] = "plain" if "plain" in cut.__module__ else "native"

__all__ = ["IMPLEMENTATION", "cut", "join", "keep_freed_memory", "ordered", "rewrite", "trimmed"]
