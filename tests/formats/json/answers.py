"""Reading answers that tests make of dictionaries."""

import json
from io import StringIO
from typing import Any

import pytest

import formats
from formats import Segment, Transcript

__all__ = ["detected", "diagnostics", "located", "read", "refusal", "shown"]


def read(name: str, *values: Any, tolerance: str = "default") -> Transcript:
    """What the format reads in these values, one after another in one file."""
    text = "\n".join(v if isinstance(v, str) else json.dumps(v) for v in values)
    return formats.read(StringIO(text), name, recording="rec", tolerance=tolerance)


def refusal(name: str, *values: Any) -> str:
    """The message with which the values are refused."""
    with pytest.raises(formats.FormatError) as caught:
        read(name, *values)
    return str(caught.value)


def diagnostics(transcript: Transcript) -> list[str]:
    """All that was remarked."""
    return [str(entry) for entry in transcript.diagnostics]


def shown(segment: Segment) -> list[str]:
    """The words as people read them."""
    displays = segment.displays or (None,) * len(segment.words)
    return [w if d is None else d for w, d in zip(segment.words, displays, strict=True)]


def located(value: Any, found: str | None, message: str) -> str:
    """The message after the place at which `found` last stands in the value; `None`: the file."""
    if found is None:
        return f"<stream>: {message}"
    text = value if isinstance(value, str) else json.dumps(value)
    return f"<stream>:1:{text.rindex(found) + 1}: {message}"


def detected(*values: Any) -> str:
    """The format that these values are recognised as."""
    return formats.detect(StringIO("\n".join(map(json.dumps, values))))
