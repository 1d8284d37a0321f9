"""Input and output of bytes: sources, archives, folders, decoding, sinks, temporary files."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

before_temporary: Callable[[], None] | None = None
"""Called before a temporary file or folder is created: commands make signals remove it."""
