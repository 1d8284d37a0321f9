"""kwlist: the keywords of a search.

============================  =========================================================
in the file                   in the schema
============================  =========================================================
``kw``                        a `Segment` of kind ``query``
``kwid``                      `Segment.utterance`
``kwtext``                    `Segment.words`, cut at blanks
``attr`` in ``kwinfo``        properties of the segment
attributes of ``kwlist``      properties of the transcript
============================  =========================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from formats.detection.spec import FormatSpec, SegmentSource
from formats.io.sink import Sink
from formats.io.source import Source
from formats.keywords.elements import Shape, elements, nothing_there, one_of, text_of
from formats.keywords.markup import attributes, escaped
from formats.keywords.messages import KWLIST_ATTRIBUTE
from formats.keywords.model import COMPARE_NORMALIZE, Keyword, KeywordList
from formats.reading.xml_document import line_of, xml_error
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.model import Segment
from formats.writing.out import Out

if TYPE_CHECKING:
    from lxml.etree import _Element

HEADER = ("ecf_filename", "version", "language", "encoding", "compareNormalize")
SHAPES = {
    "kwlist": Shape("", HEADER),
    "kw": Shape("kwlist", ("kwid",), is_record=True),
    "kwtext": Shape("kw", has_text=True),
    "kwinfo": Shape("kw"),
    "attr": Shape("kwinfo"),
    "name": Shape("attr", has_text=True),
    "value": Shape("attr", has_text=True),
}
ENCODING = re.compile(r"(?:utf-8|gb2312|gb2312-raw)?", re.IGNORECASE)


def read_kwlist(source: Source) -> KeywordList:
    """Read the whole file and return it as one object."""
    header: dict[str, str] = {}
    keywords = tuple(_keywords(source, header))
    if not header:
        raise nothing_there(source, "kwlist")
    names = ("compareNormalize", "ecf_filename", "version", "language", "encoding")
    return KeywordList(keywords, *(header[name] for name in names))


def _keywords(source: Source, header: dict[str, str]) -> Iterator[Keyword]:
    lines: dict[str, int | None] = {}
    for opens, element in elements(source, "kwlist", SHAPES):
        if opens and element.tag == "kwlist":
            header.update(_header(source, element))
        if opens or element.tag != "kw":
            continue
        try:
            keyword = _keyword(source, element)
            if keyword.identifier in lines:
                first = lines[keyword.identifier]
                raise SyntaxFormatError(
                    f"Term ID {keyword.identifier} already exists (in line {first}): expected "
                    "identifiers that differ",
                    path=source.name,
                    line=keyword.line,
                )
        except SyntaxFormatError as error:
            source.log.reject("KWLIST-KEYWORD", error)
            continue
        lines[keyword.identifier] = keyword.line
        yield keyword


def _header(source: Source, element: _Element) -> dict[str, str]:
    encoding = element.get("encoding", "")
    if ENCODING.fullmatch(encoding) is None:
        raise xml_error(source, element, "an encoding UTF-8 or GB2312", quoted(encoding))
    one_of(source, element, "compareNormalize", COMPARE_NORMALIZE)
    return {name: element.get(name, "") for name in HEADER}


def _keyword(source: Source, element: _Element) -> Keyword:
    parts = [str(child.tag) for child in element]
    if parts not in (["kwtext"], ["kwtext", "kwinfo"]):
        expected = "one kwtext, and perhaps a kwinfo after it, in kw"
        raise xml_error(source, element, expected, ", ".join(parts) or "nothing")
    text = text_of(source, element[0])
    if not text:
        raise xml_error(source, element, "at least one word in kwtext", "none")
    pairs = []
    for attr in element[1] if len(element) > 1 else ():
        names = [str(child.tag) for child in attr]
        if names != ["name", "value"]:
            children = ", ".join(names) or "nothing"
            raise xml_error(source, attr, "a name, then a value, in attr", children)
        pairs.append((text_of(source, attr[0]), text_of(source, attr[1])))
    if len(element) > 1 and not pairs:
        raise xml_error(source, element[1], "at least one attr in kwinfo", "none")
    return Keyword(element.get("kwid", ""), text, tuple(pairs), line_of(element))


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment of kind ``query`` per keyword.

    If an attribute is repeated, the last value is used.
    """
    header: dict[str, str] = {}
    for keyword in _keywords(source, header):
        source.properties.update(header)
        properties = dict(keyword.attributes)
        if len(properties) < len(keyword.attributes):
            source.log.say(KWLIST_ATTRIBUTE, keyword.line, keyword=keyword.identifier)
        yield Segment(
            source.recording, tuple(keyword.text.split(" ")), utterance=keyword.identifier,
            properties=tuple(sorted(properties.items())), kind="query", line=keyword.line,
        )  # fmt: skip
    source.properties.update(header)


def write(segments: SegmentSource, sink: Sink) -> None:
    """Write the segments of kind ``query`` as keywords."""
    defaults = {"version": "1", "encoding": "UTF-8", "compareNormalize": "lowercase"}
    rows: list[str] = []
    seen: set[str] = set()
    for segment in segments:
        if segment.kind != "query":
            continue
        out, identifier = Out(segment, sink), segment.utterance
        if identifier is None or identifier in seen:
            found = "none" if identifier is None else f"{quoted(identifier)} twice"
            raise out.refuse("an identifier of its own for every keyword", found)
        seen.add(identifier)
        text = " ".join(segment.words)
        if not text.split():
            raise out.refuse("a keyword with words", "")
        info = "".join(
            f"<attr><name>{escaped(name)}</name><value>{escaped(value)}</value></attr>"
            for name, value in segment.properties
        )
        rows.append(
            f"<kw{attributes({'kwid': identifier})}><kwtext>{escaped(text)}</kwtext>"
            f"{f'<kwinfo>{info}</kwinfo>' if info else ''}</kw>\n"
        )
    # of a stream they are known now
    properties = dict(segments.properties)
    header = {name: properties.get(name, defaults.get(name, "")) for name in HEADER}
    sink.write(f"<kwlist{attributes(header)}>\n")
    for row in rows:
        sink.write(row)
    sink.write("</kwlist>\n")


SPEC = FormatSpec(
    title="keyword list of keyword search: identifiers and texts",
    sign="the root element kwlist",
    read=read,
    write=write,
    holds=("utterance ids", "properties", "queries", "segment boundaries"),
    needs=("utterance ids",),
)
