"""XML parsing in a stream, without entities, document types and network access.

A ``<!DOCTYPE Trans SYSTEM "trans-14.dtd">`` is accepted and never loaded. Definitions inside the
file and entities are rejected: no annotation tool needs them, and attacks use them.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, TypeAlias

from formats.io.errors import SizeLimitError
from formats.io.messages import (
    NOT_XML,
    TIME_DIGITS,
    XML_CUT,
    XML_IN_TAG,
    XML_MISMATCH,
    XML_REASONS,
    XML_UNCLOSED,
)
from formats.io.source import LARGEST_TEXT, Source
from formats.schema.errors import SyntaxFormatError, message_line, quoted
from formats.schema.messages import Entry, Message
from formats.schema.times import is_finer_than_a_nanosecond, parse_time

if TYPE_CHECKING:
    from lxml.etree import _Element

    Element: TypeAlias = _Element
else:
    Element = Any  # lxml is loaded where a document is read

LONGEST_TAG = 10_000_000
LONGEST_REFERENCE = 64
LAST_LINE_KNOWN = 65_535
"""Beyond, an element of the library has the line of the first text in or after it."""
REFERENCE = re.compile(r"&(?!(?:amp|lt|gt|quot|apos);)[A-Za-z_][\w.-]{0,60};")


def local_name(element: Element) -> str:
    """Return the name of an element without its namespace; empty for a comment."""
    tag = element.tag
    return tag.rpartition("}")[2] if type(tag) is str else ""


def line_of(element: Element) -> int | None:
    """Return the line on which an element begins.

    After line 65,535, lxml gives the line of the first text in or after the element.
    """
    line: int | None = element.sourceline
    if line is None or line <= getattr(element, "last_line_known", LAST_LINE_KNOWN):
        return line
    text = element.text
    node: Element | None = element
    while text is None and not len(element) and node is not None:
        text, node = node.tail, node.getnext()
    return line - (0 if text is None else text.count("\n"))


def xml_error(source: Source, element: Element, expected: str, found: str) -> SyntaxFormatError:
    """Create an error about an element, with its line."""
    return source.syntax_error(line_of(element), expected, found)


def required(source: Source, element: Element, name: str) -> str:
    """Return the value of an attribute that must be present and not empty."""
    text: str | None = element.get(name)
    if not text:
        value = "none" if text is None else quoted(text)
        raise xml_error(source, element, f'a {local_name(element)} with "{name}"', value)
    return text


def seconds(source: Source, element: Element, *names: str) -> int | None:
    """Parse the first of these attributes that exists, in seconds; return nanoseconds or `None`."""
    for name in names:
        if text := element.get(name):
            try:
                time = parse_time(text.strip())
            except ValueError:
                time = -1
            if time < 0:
                raise xml_error(source, element, f"{name} in seconds, 0 or more", quoted(text))
            if is_finer_than_a_nanosecond(text.strip()):
                source.log.say(TIME_DIGITS, line_of(element), text=text)
            return time
    return None


def milliseconds(source: Source, element: Element, name: str) -> int | None:
    """Parse an attribute in whole milliseconds; return nanoseconds, `None` if missing or blank."""
    text = (element.get(name) or "").strip()
    if text and not (text.isascii() and text.isdigit() and len(text) < 13):
        raise xml_error(source, element, f"a {name} in whole milliseconds", quoted(text))
    return int(text) * 10**6 if text else None


def xml_span(
    source: Source, element: Element, begin: str, end: str
) -> tuple[int | None, int | None]:
    """Parse two attributes in seconds; return nanoseconds, each `None` if missing."""
    start, stop = seconds(source, element, begin), seconds(source, element, end)
    if start is not None and stop is not None and stop < start:
        expected = f"an {end} not before {element.get(begin)}"
        raise xml_error(source, element, expected, quoted(element.get(end) or ""))
    return start, stop


def parse_xml(source: Source, roots: Sequence[str]) -> Element | None:
    """Parse a file and return the root element; `None` for an empty file.

    The local name of the root must be in `roots`, unless `roots` is empty.
    """
    root = None
    for _, root in xml_events(source, roots, LARGEST_TEXT):  # noqa: B007 -- it closes last
        pass
    if root is not None:
        check_references(source, root)
    return root


def stream_xml(
    source: Source,
    roots: Sequence[str],
    parts: Sequence[str],
    *,
    texts: Sequence[str] = (),
    entry: Entry | None = None,
) -> Iterator[Element]:
    """Yield the root element at its start, then each element named in `parts` at its end.

    Each part is removed after use, so that memory use stays bounded; the root keeps only its
    attributes. Names are local names. Text outside the elements named in `texts` is reported with
    the message `entry`.
    """
    tags = frozenset(parts)
    outside = _Outside(source, frozenset(texts), entry) if texts and entry else None
    root = None
    for event, element in xml_events(source, roots):
        if root is None:
            root = element
            yield element
        elif event == "end" and (parent := element.getparent()) is not None:
            if local_name(element) not in tags:
                continue
            if outside is not None:
                outside.until(element)
            check_references(source, element)
            yield element
            element.clear(keep_tail=outside is not None)
            while (before := element.getprevious()) is not None:
                parent.remove(before)
    if root is not None:
        if outside is not None:
            outside.all_of(root)
        check_references(source, root)


class _Outside:
    """Warns about text in unexpected elements; such text is ignored."""

    def __init__(self, source: Source, inside: frozenset[str], entry: Entry) -> None:
        self.source = source
        self.inside = inside
        self.entry = entry
        self._parent: Element | None = None
        self._part: Element | None = None
        self._is_inside = False

    def until(self, part: Element) -> None:
        """Report the text between the last finished part and `part`."""
        parent = part.getparent()
        if parent is None:
            return
        if parent is not self._parent:
            self._parent = parent
            around = [parent, *parent.iterancestors()]
            self._is_inside = any(local_name(element) in self.inside for element in around)
        if self._is_inside:
            return
        before, self._part = self._part, part
        if before is not None and before is part.getprevious() and local_name(part) in self.inside:
            self._tell(before.tail, parent, before)
            return
        if parent.text is not None:
            self._tell(parent.text, parent, parent)
            parent.text = None
        # Parts before this one have been taken out, but for the last, which is empty.
        for element in parent:
            self.all_of(element)
            if element is part:
                break
            self._tell(element.tail, parent, element)

    def all_of(self, element: Element) -> None:
        """Warn about text inside an element, at any depth."""
        if local_name(element) in self.inside:
            return
        self._tell(element.text, element, element)
        for child in element:
            self.all_of(child)
            self._tell(child.tail, element, child)

    def _tell(self, text: str | None, around: Element, before: Element) -> None:
        """Warn about a text that is not blank, at the line of the element before it."""
        if text and not text.isspace():
            fields = {"element": local_name(around), "text": " ".join(text.split())}
            self.source.log.say(self.entry, line_of(before), **fields)


def xml_events(
    source: Source,
    roots: Sequence[str],
    limit: int | None = None,
    change: Callable[[Iterable[str]], Iterable[str]] = iter,
) -> Iterator[tuple[str, Any]]:
    """Check the input; yield the starts and ends of elements, up to the end of the root.

    The parser gets the blocks of text as `change` returns them.
    """
    parser = _parser(source)
    is_new = True
    for _ in _fed(parser, source, change(source.blocks(limit))):
        for event, element in parser.read_events():
            if is_new:
                _check_start(source, element, roots)
                is_new = False
            yield event, element


def _parser(source: Source) -> Any:
    """Create a parser that gets text in blocks: of lxml, otherwise of the standard library."""
    try:
        return _LxmlParser(source)
    except ModuleNotFoundError:
        from formats.reading.expat import ExpatParser

        return ExpatParser(source)


class _LxmlParser:
    """Parses a text that comes in blocks, and builds its elements."""

    def __init__(self, source: Source) -> None:
        from lxml import etree

        # The text is decoded already: what its declaration says of the encoding is overruled.
        self._parser = etree.XMLPullParser(
            ("start", "end"),
            encoding="utf-8",
            resolve_entities=False,
            no_network=True,
            load_dtd=False,
            dtd_validation=False,
            attribute_defaults=False,
            huge_tree=False,
            remove_comments=True,
            remove_pis=True,
            # Otherwise an xml:id that is no name, or stands twice, ends the parsing.
            collect_ids=False,
        )
        self._source = source
        self._end = 1, 1  # line and column after the text so far
        self._problem = etree.XMLSyntaxError
        self.read_events = self._parser.read_events

    def feed(self, text: str) -> None:
        """Parse a block; raise `SyntaxFormatError` for invalid XML."""
        self._checked(self._parser.feed, text.encode("utf-8", "surrogatepass"))
        if lines := text.count("\n"):
            self._end = self._end[0] + lines, len(text) - text.rindex("\n")
        else:
            self._end = self._end[0], self._end[1] + len(text)
        # A reference that it does not know ends the document: it leaves out the rest of the
        # block and would take the next one for another document, all without an exception.
        for wrong in self._parser.feed_error_log.filter_from_fatals():
            raise self._error((wrong.line, wrong.column), wrong.type, wrong.message)

    def close(self) -> None:
        """Finish the document; raise `SyntaxFormatError` if it is incomplete."""
        try:
            self._parser.close()
        except self._problem as problem:
            is_cut = problem.code in XML_IN_TAG and problem.position >= self._end
            code = XML_CUT if is_cut else problem.code
            raise self._error(problem.position, code, problem.msg or "") from None

    def _checked(self, parse: Callable[..., object], *arguments: bytes) -> None:
        try:
            parse(*arguments)
        except self._problem as problem:
            raise self._error(problem.position, problem.code, problem.msg or "") from None

    def _error(self, position: tuple[int, int], code: int, text: str) -> SyntaxFormatError:
        line, column = (number or None for number in position)
        return self._source.error_of(NOT_XML, line, column, reason=_reason(code, text))


def _reason(code: int, text: str) -> Message | str:
    """Return why libxml2 rejects a text: one of our messages, or otherwise the library's text."""
    if names := re.match(r"Opening and ending tag mismatch: (\S+) line (\d+) and ([^\s,]+)", text):
        open_tag, line, end = names.groups()
        return Message(
            XML_MISMATCH, {"open": f"<{open_tag}>", "line": int(line), "found": f"</{end}>"}
        )
    if names := re.match(r"Premature end of data in tag (\S+) line (\d+)", text):
        return Message(XML_UNCLOSED, {"open": f"<{names[1]}>", "line": int(names[2])})
    if code in XML_REASONS:
        return Message(XML_REASONS[code])
    return message_line(re.sub(r", line \d+, column \d+$", "", (text or "none").splitlines()[0]))


def _fed(parser: Any, source: Source, blocks: Iterable[str]) -> Iterator[None]:
    """Feed the text to the parser in blocks, without leading blanks; yield after each block."""
    is_empty = True
    open_for = 0
    tail = ""
    line = 1
    has_type = "<!DOCTYPE" in source.head()[0]
    for block in blocks:
        if is_empty:
            block = block.lstrip()
            is_empty = not block
        end = block.rfind(">")
        open_for = open_for + len(block) if end < 0 else len(block) - end
        if open_for > LONGEST_TAG:
            raise SizeLimitError(
                f"more than {LONGEST_TAG} characters between two tags", path=source.name
            )
        if not is_empty:
            parser.feed(block)
            yield None
        if has_type:
            _check_text(source, tail + block, line - tail.count("\n"))
            tail = block[-LONGEST_REFERENCE:]
            line += block.count("\n")
    if not is_empty:
        parser.close()
        yield None


def _check_text(source: Source, text: str, line: int) -> None:
    """Reject entity references, because the parser may drop them from attributes."""
    reference = REFERENCE.search(text)
    if reference is not None:
        raise source.syntax_error(
            line + text.count("\n", 0, reference.start()),
            "text without entities defined in the file",
            quoted(reference[0]),
        )


def _check_start(source: Source, root: Element, roots: Sequence[str]) -> None:
    definition = root.getroottree().docinfo.internalDTD
    if definition is not None and (list(definition.entities()) or list(definition.elements())):
        raise source.syntax_error(
            1, "XML without a DTD inside the file", "a DOCTYPE that defines entities or elements"
        )
    name = local_name(root)
    if roots and name not in roots:
        raise xml_error(
            source, root, f"a root element {' or '.join(map(quoted, roots))}", quoted(name)
        )


def check_references(source: Source, element: Element) -> None:
    """Reject entity references in an element."""
    for inner in element.iter():
        if type(inner.tag) is not str:
            raise xml_error(
                source, inner, "text without entities defined in the file", quoted(inner.text)
            )
