"""The version of this distribution, as reports sign it."""

from __future__ import annotations

from formats.version import VERSION as VERSION

__version__ = VERSION
