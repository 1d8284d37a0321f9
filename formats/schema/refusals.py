"""Errors of writing: what a target format needs or cannot hold; see `formats.schema.errors`."""

from __future__ import annotations

from formats.schema.errors import FormatError


class ConversionError(FormatError):
    """The target format needs data, such as times, that the source does not have."""


class LossError(FormatError):
    """The target format cannot represent some content, and dropping it was not allowed."""
