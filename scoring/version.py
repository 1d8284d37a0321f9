"""The version of this package, as reports sign it."""

from __future__ import annotations

VERSION = "0.1.0"
