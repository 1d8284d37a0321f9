"""What is compiled of `formats`, for those who have the same in plain Python."""

from __future__ import annotations

import os
from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

__all__ = ["compiled"]


def compiled(name: str) -> Any:
    """A function or class of the compiled module.

    `None` where that is not there, or ``SCORING_ALIGN`` is ``plain``.
    """
    if os.environ.get("SCORING_ALIGN") == "plain":
        return None
    try:
        # without the compiled file the folder of its sources is an empty package
        return getattr(import_module("formats._native"), name, None)
    except ImportError:
        return None
