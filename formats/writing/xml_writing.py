"""Checks that characters are valid in XML, and output of whole XML documents."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from xml.etree.ElementTree import Element, tostring

from formats.detection.spec import DerivedSegments, SegmentSource
from formats.io.sink import Sink
from formats.schema.loss import refused
from formats.schema.model import Segment

# The characters that XML 1.0 has no way to write, not even as references.
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def check_characters(texts: Iterable[str | None], segment: Segment, path: str | None) -> None:
    """Reject control and other characters of a segment that XML cannot represent."""
    character = UNWRITABLE.search("".join(text for text in texts if text))
    if character is not None:
        raise refused(
            path, segment.line, "characters that XML can hold", f"U+{ord(character[0]):04X}"
        )


def checked(segments: SegmentSource) -> DerivedSegments:
    """Check each segment for characters that XML cannot represent; return the segments."""

    def check_each() -> Iterator[Segment]:
        for segment in segments:
            names = (segment.recording, segment.speaker, segment.tier)
            check_characters((*names, *segment.words), segment, segments.source)
            yield segment

    return DerivedSegments(segments, check_each())


def writable(text: str) -> str:
    """Remove the characters that XML cannot represent from a text."""
    return UNWRITABLE.sub("", text)


def write_document(root: Element, sink: Sink, document_type: str = "") -> None:
    """Write the XML declaration, a document type if there is one, and a finished tree."""
    for element in root.iter():
        if element.text == "":  # two tags, where no text is one
            element.text = "\0"
    text = tostring(root, encoding="unicode")
    # as lxml writes it; none of these has another source, because & and > are escaped
    for written, wanted in ((" />", "/>"), ("&#09;", "&#9;"), ("\r", "&#13;"), ("\0", "")):
        text = text.replace(written, wanted)
    name = "UTF-8" if sink.encoding.lower() in ("utf8", "utf-8") else sink.encoding
    sink.write(f'<?xml version="1.0" encoding="{name}"?>\n{document_type}')
    sink.write(f"{text}\n")
