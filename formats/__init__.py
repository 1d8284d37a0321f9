"""Transcript formats: read, write, detect and convert, through one common label schema.

>>> import formats, io
>>> transcript = formats.read(io.StringIO("hello world (anne-1)"), "trn")
>>> transcript[0].words
('hello', 'world')

Most programs need only `read`, `stream`, `write` and `detect`. Importing this package is fast,
because each part is loaded at its first use.
"""

from __future__ import annotations

from formats.schema import lazy_names

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.detection.errors import AmbiguousFormatError, UnknownFormatError
    from formats.io.errors import (
        EncodingFormatError,
        SizeLimitError,
        UnreadableFileError,
        UnwritableFileError,
    )
    from formats.reading import SegmentStream, detect, read, stream
    from formats.schema.diagnostics import Diagnostic
    from formats.schema.errors import FormatError, OptionError, SyntaxFormatError
    from formats.schema.loss import Loss
    from formats.schema.model import Segment
    from formats.schema.refusals import ConversionError, LossError
    from formats.schema.transcript import Transcript
    from formats.schema.words import NULL, Alternation, Definition, Label, Token
    from formats.writing.files import to_pysubs2, to_textgrid, write

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
    "to_pysubs2",
    "to_textgrid",
    "write",
]

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        ".schema.diagnostics": "Diagnostic",
        ".schema.errors": "FormatError OptionError SyntaxFormatError",
        ".schema.refusals": "ConversionError LossError",
        ".io.errors": "EncodingFormatError SizeLimitError UnreadableFileError UnwritableFileError",
        ".detection.errors": "AmbiguousFormatError UnknownFormatError",
        ".reading": "SegmentStream detect read stream",
        ".schema.loss": "Loss",
        ".schema.model": "Segment",
        ".schema.transcript": "Transcript",
        ".schema.words": "NULL Alternation Definition Label Token",
        ".writing.files": "to_pysubs2 to_textgrid write",
    },
)
