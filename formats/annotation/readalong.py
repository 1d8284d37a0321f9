"""readalong: XML of ReadAlong Studio, texts aligned with audio.

=================================  ============================================================
in the file                        in the schema
=================================  ============================================================
``<s>``                            a `Segment`; words outside ``<s>`` form a segment for each
                                   ``<p>``
``<w time="0.5" dur="1.75">``      a word with its times; nested elements ``<w>`` are parts of the
                                   word
text outside ``<w>``, punctuation  joined to the previous word, or to the next word if there is a
                                   blank before it
``<s>`` without ``<w>``            its words, without times
``<anchor time="1.62s"/>``         not read
``do-not-align="true"``            read like any other text, with property ``not_aligned``
``xml:lang``                       property ``language``
``<meta name="title">``            not read
=================================  ============================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.reading.lines import split_words
from formats.reading.xml_document import Element, line_of, local_name, parse_xml, seconds, xml_error
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.schema.words import Token

LANGUAGE = "{http://www.w3.org/XML/1998/namespace}lang"
TimesOfPiece = tuple[int | None, int | None]
BLANKS = " \t\r\n"
RUN_OF_BLANKS = re.compile(r"[ \t\r\n]+")


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per sentence."""
    root = parse_xml(source, ["read-along"])
    if root is None:
        return
    yield from source.log.accepted("READALONG", lambda e: _segment(source, e), _sentences(root))


def _sentences(element: Element) -> Iterator[Element]:
    """Yield the sentences in order. A paragraph that has words but no sentences is a sentence."""
    for child in element:
        name = local_name(child)
        if name == "s" or (name == "p" and not any(local_name(x) == "s" for x in child.iter())):
            yield child
        else:
            yield from _sentences(child)


def _segment(source: Source, element: Element) -> Iterator[Segment]:
    pieces = list(_pieces(source, element))
    tokens: list[Token] = []
    is_open = False
    for text, span in pieces:
        words = split_words(RUN_OF_BLANKS.sub(" ", text))
        if words and is_open and text[:1] not in BLANKS:
            last = tokens[-1]
            start = last.start_ns if last.start_ns is not None else span[0]
            end = span[1] if span[1] is not None else last.end_ns
            tokens[-1] = last.replace(text=last.text + words.pop(0), start_ns=start, end_ns=end)
        tokens += [Token(word, *span) for word in words]
        is_open = bool(tokens) and text[-1] not in BLANKS if text else is_open
    times = [t for t in tokens if t.start_ns is not None and t.end_ns is not None]
    properties = []
    if language := _inherited(element, LANGUAGE):
        properties.append(("language", language))
    if _inherited(element, "do-not-align") == "true":
        properties.append(("not_aligned", "true"))
    yield Segment(
        source.recording,
        utterance=element.get("id") or None,
        start_ns=min((t.start_ns or 0 for t in times), default=None),
        end_ns=max((t.end_ns or 0 for t in times), default=None),
        properties=tuple(properties),
        line=line_of(element),
    ).with_items(tokens)


def _inherited(element: Element, name: str) -> str | None:
    """Return an attribute of an element, or of its nearest ancestor with this attribute."""
    for each in (element, *element.iterancestors()):
        if value := each.get(name):
            return str(value)
    return None


def _pieces(source: Source, element: Element) -> Iterator[tuple[str, TimesOfPiece]]:
    """Yield the text of an element in pieces, each with start and end; only words have times."""
    if element.text:
        yield element.text, (None, None)
    for child in element:
        name = local_name(child)
        if name == "w":
            start, length = seconds(source, child, "time"), seconds(source, child, "dur")
            if (start is None) != (length is None):
                raise xml_error(source, child, "time and dur of a word", quoted(str(child.attrib)))
            end = None if start is None or length is None else start + length
            yield "".join(child.itertext()), (start, end)
        elif name and name != "anchor":
            yield from _pieces(source, child)
        if child.tail:
            yield child.tail, (None, None)


SPEC = FormatSpec(
    title="ReadAlong Studio: a text aligned with its audio, in XML",
    sign="the root element read-along",
    read=read,
    has_one_recording=True,
)
