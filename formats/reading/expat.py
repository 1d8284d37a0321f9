"""XML parsing with the standard library if lxml is missing, with the interface of lxml.

The line of an element is the line on which its start tag ends, as in lxml. Entity definitions and
entities are rejected.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any
from weakref import ref
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from formats.io.messages import EXPAT_REASONS, NOT_XML
from formats.io.source import Source
from formats.schema.errors import SyntaxFormatError
from formats.schema.messages import Message

DEEPEST = 256
"""Elements within elements, as in lxml."""


class ExpatElement(Element):
    """An XML element with its line, its parent and the namespaces in scope."""

    last_line_known = sys.maxsize
    sourceline: int
    nsmap: dict[str, str]
    _parent: Callable[[], ExpatElement | None]  # no cycle of references
    _document: SimpleNamespace

    def getparent(self) -> ExpatElement | None:
        """Return the parent element."""
        return self._parent()

    def getprevious(self) -> Element | None:
        """Return the previous element within the same parent."""
        before, parent = None, self._parent()
        for element in () if parent is None else parent:
            if element is self:
                return before
            before = element
        return None

    def getroottree(self) -> SimpleNamespace:
        """Return the document, with its document type."""
        return self._document

    def iterancestors(self, *tags: str) -> Iterator[ExpatElement]:
        """Yield the ancestors of the element, nearest first."""
        element = self._parent()
        while element is not None:
            if _matches(element, tags):
                yield element
            element = element._parent()

    def iterchildren(self, *tags: str) -> Iterator[Element]:
        """Yield the child elements with these names; without names, all child elements."""
        return (element for element in self if _matches(element, tags))

    def iter(self, *tags: str) -> Any:  # type: ignore[override]
        """Yield the element and its descendants, in document order."""
        return (element for element in super().iter() if _matches(element, tags))

    def clear(self, *, keep_tail: bool = False) -> None:
        """Remove the children, text and attributes of the element."""
        tail = self.tail
        super().clear()
        if keep_tail:
            self.tail = tail


def _matches(element: Element, tags: tuple[str, ...]) -> bool:
    name = "{*}" + element.tag.rpartition("}")[2]
    return not tags or element.tag in tags or name in tags


class ExpatParser:
    """A parser that gets a text in blocks and builds elements."""

    def __init__(self, source: Source) -> None:
        self._source = source
        self._builder = TreeBuilder(ExpatElement)
        self._document = SimpleNamespace(docinfo=SimpleNamespace(doctype="", internalDTD=None))
        self._open: list[ExpatElement] = []
        self._spaces: dict[str, str] = {}
        self._events: list[tuple[str, ExpatElement]] = []
        self._begun: ExpatElement | None = None  # the end of its tag has not been seen
        parser = self._parser = expat.ParserCreate("utf-8", "}")
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        parser.CharacterDataHandler = self._text
        parser.CommentHandler = parser.ProcessingInstructionHandler = self._place
        parser.StartNamespaceDeclHandler = self._declare
        parser.StartDoctypeDeclHandler = self._see_type
        parser.EntityDeclHandler = parser.ElementDeclHandler = self._reject_definition
        parser.SkippedEntityHandler = self._reject_entity

    def feed(self, text: str, is_last: bool = False) -> None:
        """Parse a block; raise `SyntaxFormatError` for invalid XML."""
        try:
            self._parser.Parse(text.encode("utf-8", "surrogatepass"), is_last)
        except expat.ExpatError as problem:
            entry = EXPAT_REASONS.get(problem.code)
            reason = expat.ErrorString(problem.code) if entry is None else Message(entry)
            raise self._error(reason, problem.lineno, problem.offset) from None

    def close(self) -> None:
        """Finish the document; raise `SyntaxFormatError` if it is incomplete."""
        self.feed("", is_last=True)
        del self._parser  # it refers to this object

    def read_events(self) -> Iterator[tuple[str, ExpatElement]]:
        """Yield the starts and ends of elements that were parsed since the last call."""
        size = len(self._events) - (self._begun is not None)
        events, self._events = self._events[:size], self._events[size:]
        return iter(events)

    def _error(
        self, reason: Message | str, line: int, offset: int | None = None
    ) -> SyntaxFormatError:
        column = None if offset is None else offset + 1
        return self._source.error_of(NOT_XML, line, column, reason=reason)

    def _place(self, *_: object) -> None:
        """Set the source line of the element whose start tag ends here."""
        if self._begun is not None:
            self._begun.sourceline = self._parser.CurrentLineNumber
            self._begun = None

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._place()
        named = {_expanded(key): text for key, text in attributes.items()}
        element: Any = self._builder.start(_expanded(name), named)
        parent = self._open[-1] if self._open else None
        element._parent = (lambda: None) if parent is None else ref(parent)
        element._document = self._document
        element.nsmap = {**(parent.nsmap if parent is not None else {}), **self._spaces}
        self._spaces = {}
        self._open.append(element)
        self._begun = element
        self._events.append(("start", element))
        if len(self._open) > DEEPEST:
            reason = f"a depth of more than {DEEPEST} elements"
            raise self._error(reason, self._parser.CurrentLineNumber)

    def _end(self, name: str) -> None:
        self._place()
        self._builder.end(_expanded(name))
        self._events.append(("end", self._open.pop()))

    def _text(self, text: str) -> None:
        self._place()
        self._builder.data(text)

    def _declare(self, prefix: str | None, uri: str | None) -> None:
        self._place()
        self._spaces[prefix or ""] = uri or ""

    def _see_type(self, name: str, *_: object) -> None:
        self._document.docinfo.doctype = name

    def _reject_definition(self, *_: object) -> None:
        found = "a DOCTYPE that defines entities or elements"
        raise self._source.syntax_error(1, "XML without a DTD inside the file", found)

    def _reject_entity(self, name: str, _is_parameter: bool) -> None:
        line = self._parser.CurrentLineNumber
        expected = "text without entities defined in the file"
        raise self._source.syntax_error(line, expected, f'"&{name};"')


def _expanded(name: str) -> str:
    """Return a name with its namespace in braces: ``{namespace}name``."""
    return "{" + name if "}" in name else name
