"""The version of this distribution, shown in commands and reports."""

from __future__ import annotations

VERSION = "0.1.0"
