"""Shared code of the XML writers of keyword search: attributes and rounded times."""

from __future__ import annotations

from collections.abc import Mapping

from formats.keywords.elements import WHOLE
from formats.schema.errors import quoted
from formats.schema.refusals import LossError
from formats.schema.times import format_time
from formats.writing.out import Out

REFERENCES = {"&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "\t": "&#9;", "\n": "&#10;"}
# XML has no way to say these
UNSAYABLE = frozenset(map(chr, range(32))) - {"\t", "\n", "\r"} | {"\ufffe", "\uffff"}


def escaped(text: str) -> str:
    r"""Escape a text for XML; the result is also valid in attributes."""
    for character in text:
        if character in UNSAYABLE or "\ud800" <= character <= "\udfff":
            raise LossError(
                expected="characters of XML", found=f"U+{ord(character):04X} in {quoted(text)}"
            )
    for character, reference in REFERENCES.items():
        text = text.replace(character, reference)
    return text.replace("\r", "&#13;")


def attributes(pairs: Mapping[str, str]) -> str:
    """Return attributes as the text of a tag, with a blank before each attribute."""
    return "".join(f' {name}="{escaped(value)}"' for name, value in pairs.items())


def channel_of(out: Out, default: str) -> str:
    """Return the channel of a segment, or `default` if it has none. It must be a whole number."""
    channel = out.segment.channel or default
    if not WHOLE.fullmatch(channel):
        raise out.refuse("a channel that is a whole number", quoted(channel))
    return channel


def time_and_duration(out: Out, precision: int) -> tuple[str, str, int]:
    """Return the rounded start and duration as texts, and the rounded duration in nanoseconds."""
    if out.segment.start_ns is None or out.segment.end_ns is None:
        raise out.refuse("a segment with times", "none")
    start, end = out.round(precision, out.segment.start_ns, out.segment.end_ns)
    return format_time(start, precision), format_time(end - start, precision), end - start
