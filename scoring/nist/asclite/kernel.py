"""The grid in use: the compiled one, or its twin in plain Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.alignment.native import load

if TYPE_CHECKING:
    from scoring.nist.asclite.plain import align_grid
else:
    _module = load()
    if _module is None:
        from scoring.nist.asclite import plain as _module
    align_grid = _module.align_grid

__all__ = ["align_grid"]
