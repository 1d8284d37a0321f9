"""Small things under the names BenchmarkSTT gives them."""

from __future__ import annotations

import os

from scoring.compat.benchmarkstt.dialects import make_printable

__all__ = ["default_encoding", "make_printable"]


def default_encoding() -> str:
    """The encoding of files: environment variable `DEFAULT_ENCODING`, UTF-8 without."""
    return os.environ.get("DEFAULT_ENCODING") or "utf-8"
