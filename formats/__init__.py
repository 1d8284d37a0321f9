"""Transcript formats: read, write, detect and convert, through one common label schema.

>>> import formats, io
>>> transcript = formats.read(io.StringIO("hello world (anne-1)"), "trn")
>>> transcript[0].words
('hello', 'world')

`read`, `stream`, `write` and `detect` are all that most programs need. Nothing is loaded before
it is used: importing this package costs next to nothing.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.diagnostics import Diagnostic
    from formats.errors import (
        AmbiguousFormatError,
        ConversionError,
        EncodingFormatError,
        FormatError,
        LossError,
        OptionError,
        SizeLimitError,
        SyntaxFormatError,
        UnknownFormatError,
        UnreadableFileError,
        UnwritableFileError,
    )
    from formats.files import SegmentStream, detect, read, stream, write
    from formats.loss import Loss
    from formats.model import Segment, Transcript
    from formats.words import NULL, Alternation, Definition, Label, Token

__all__ = [
    "NULL",
    "Alternation",
    "AmbiguousFormatError",
    "ConversionError",
    "Definition",
    "Diagnostic",
    "EncodingFormatError",
    "FormatError",
    "Label",
    "Loss",
    "LossError",
    "OptionError",
    "Segment",
    "SegmentStream",
    "SizeLimitError",
    "SyntaxFormatError",
    "Token",
    "Transcript",
    "UnknownFormatError",
    "UnreadableFileError",
    "UnwritableFileError",
    "detect",
    "read",
    "stream",
    "write",
]

_HOMES = {
    "formats.diagnostics": ("Diagnostic",),
    "formats.files": ("SegmentStream", "detect", "read", "stream", "write"),
    "formats.loss": ("Loss",),
    "formats.model": ("Segment", "Transcript"),
    "formats.words": ("NULL", "Alternation", "Definition", "Label", "Token"),
}


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'formats' has no attribute {name!r}")
    import importlib

    homes = [home for home, names in _HOMES.items() if name in names]
    value: object = getattr(importlib.import_module(homes[0] if homes else "formats.errors"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
