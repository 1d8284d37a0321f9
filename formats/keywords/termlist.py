"""The older list of keywords, ``<termlist>``: read for checking only, nothing scores it."""

from __future__ import annotations

from formats.errors import quoted
from formats.keywords.elements import Shape, elements, nothing_there, text_of
from formats.source import Source
from formats.xml_document import xml_error

SHAPES = {
    "termlist": Shape(
        "", (), ("ecf_filename", "version", "language", "encoding", "compareNormalize")
    ),
    "term": Shape("termlist", ("termid",), is_record=True),
    "termtext": Shape("term", has_text=True),
    "terminfo": Shape("term"),
    "attr": Shape("terminfo"),
    "name": Shape("attr", has_text=True),
    "value": Shape("attr", has_text=True),
}


def read_termlist(source: Source) -> tuple[tuple[str, str], ...]:
    """Identifier and text of every term, repeated ones too."""
    terms = []
    is_there = False
    for opens, element in elements(source, "termlist", SHAPES):
        is_there = True
        if opens or element.tag != "term":
            continue
        texts = [child for child in element if child.tag == "termtext"]
        if len(texts) != 1:
            raise xml_error(source, element, "one termtext in term", quoted(f"{len(texts)}"))
        terms.append((element.get("termid", ""), text_of(source, texts[0])))
    if not is_there:
        raise nothing_there(source, "termlist")
    return tuple(terms)
