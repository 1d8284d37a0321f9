"""Reading a text as a format, as the tests of recognisers need it."""

from io import BytesIO
from typing import Any

import pytest

import formats
from formats import FormatError, Transcript

__all__ = ["read", "refusal", "said"]


def read(text: str | bytes, name: str, tolerance: str = "default", **options: Any) -> Transcript:
    """What the text says, its recording called ``rec``."""
    data = text.encode() if isinstance(text, str) else text
    return formats.read(BytesIO(data), name, recording="rec", tolerance=tolerance, **options)


def refusal(text: str | bytes, name: str, **options: Any) -> str:
    """The message with which the text is refused."""
    with pytest.raises(FormatError) as caught:
        read(text, name, **options)
    return str(caught.value)


def said(transcript: Transcript) -> list[str]:
    """The reader's remarks, each as it is printed, without the name of the stream."""
    return [str(d).removeprefix("<stream>:").lstrip() for d in transcript.diagnostics]
