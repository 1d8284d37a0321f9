"""The version of this distribution, as commands and reports tell it."""

from __future__ import annotations

VERSION = "0.1.0"
