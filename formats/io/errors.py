"""Errors of opening, decoding and writing files; see the tree in `formats.schema.errors`."""

from __future__ import annotations

from formats.schema.errors import FormatError


class EncodingFormatError(FormatError):
    """The bytes are not text in the current encoding, or a gzip stream is damaged."""


class SizeLimitError(FormatError):
    """The input, or its decompressed content, is larger than the limit."""


class UnreadableFileError(FormatError):
    """The input cannot be opened or read."""


class UnwritableFileError(FormatError):
    """The output cannot be opened or written."""
