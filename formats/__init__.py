"""Transcript formats: read, write, detect and convert, through one common label schema.

>>> import formats, io
>>> transcript = formats.read(io.StringIO("hello world (anne-1)"), "trn")
>>> transcript[0].words
('hello', 'world')

`read`, `stream`, `write` and `detect` are all that most programs need. Nothing is loaded before
it is used: importing this package costs next to nothing.
"""

from __future__ import annotations

from formats.lazy import lazy_names

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
    from formats.files import SegmentStream, detect, read, stream
    from formats.loss import Loss
    from formats.model import Segment, Transcript
    from formats.words import NULL, Alternation, Definition, Label, Token
    from formats.writing import write

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

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        ".diagnostics": "Diagnostic",
        ".errors": "AmbiguousFormatError ConversionError EncodingFormatError FormatError LossError "
        "OptionError SizeLimitError SyntaxFormatError UnknownFormatError UnreadableFileError "
        "UnwritableFileError",
        ".files": "SegmentStream detect read stream",
        ".loss": "Loss",
        ".model": "Segment Transcript",
        ".words": "NULL Alternation Definition Label Token",
        ".writing": "write",
    },
)
