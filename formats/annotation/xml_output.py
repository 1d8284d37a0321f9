"""Writing XML documents: through lxml, in the sink's encoding, nothing that XML cannot hold."""

from __future__ import annotations

import re

from formats.loss import refused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from lxml.etree import _Element

    from formats.model import Segment
    from formats.sink import Sink

__all__ = ["check_characters", "writable", "write_document"]

# The characters that XML 1.0 has no way to write, not even as references.
UNWRITABLE = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def check_characters(texts: Iterable[str | None], segment: Segment, path: str | None) -> None:
    """Refuse control characters and the like in what is to be written of a segment.

    Raises
    ------
    LossError: naming the first of them and the segment's line.
    """
    found = UNWRITABLE.search("".join(text for text in texts if text))
    if found is not None:
        raise refused(path, segment.line, "characters that XML can hold", f"U+{ord(found[0]):04X}")


def writable(text: str) -> str:
    r"""The text without what XML cannot hold.

    >>> writable("anne\x1b")
    'anne'
    """
    return UNWRITABLE.sub("", text)


def write_document(root: _Element, sink: Sink, document_type: str = "") -> None:
    """Write a finished tree behind its declaration, and the document type if there is one."""
    from lxml import etree

    name = "UTF-8" if sink.encoding.lower() in ("utf8", "utf-8") else sink.encoding
    sink.write(f'<?xml version="1.0" encoding="{name}"?>\n{document_type}')
    sink.write(etree.tostring(root, encoding="unicode"))
    sink.write("\n")
