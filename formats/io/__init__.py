"""Input and output of bytes: sources, archives, folders, decoding, sinks, temporary files."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

before_temporary: Callable[[str | None], None] | None = None
"""Called with the path of a temporary file before it is created, and with `None` before a folder.

Commands make signals remove it.
"""
