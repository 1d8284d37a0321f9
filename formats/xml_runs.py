"""Paragraphs alike that follow one another, cut from the text of a document without parsing it.

Where the parser has just read ``<p begin="1s">hello<br/>you</p>``, what follows with the same signs
around other values is as well formed, and means the same. The parser gets blanks in its place, so
that all other lines and columns stay what they are.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Any, TypeAlias

    from lxml.etree import _Element

    AlikeParagraph: TypeAlias = "tuple[tuple[str, ...], list[str], list[str], int]"

__all__ = ["LAST_LINE_KNOWN", "AlikeParagraphs"]

LAST_LINE_KNOWN = 65_535
"""Beyond, an element of the library has the line of the first text in or after it."""
NONE = r"\ud800-\udfff\ufffe\uffff"
"""What XML does not take for characters, besides most of those that control something."""
TEXT = rf"[^<>&\0-\x08\x0b-\x1f{NONE}]*"
PARAGRAPH = re.compile(
    rf"<(([\w.-]+:|)p[^<>&\0-\x1f{NONE}]*)>({TEXT}(?:<\2br ?/>{TEXT})*)</\2p>([ \t\n]*)"
)
"""One of attributes, text and line breaks: its tag, and what is in it and after it."""
LINE_BREAK = re.compile(r"<[^<>]*>")
MOST_TRIES = 8
"""Paragraphs in a block that may be looked at and have none alike after them."""
MOST_SHAPES, LONGEST_TAG = 64, 1000
"""Forms of paragraphs that are known, and letters in the tag of one."""


class AlikeParagraphs:
    """Stands before a parser of ``p`` elements, and takes those alike from the text.

    They have attributes, and text and line breaks (``br``) in them: nothing else, no references.

    Attributes
    ----------
    following: those that were taken after the element given last, whose next siblings they are:
        names of attributes and what they say, what is between the line breaks, the line.
    """

    def __init__(self) -> None:
        self.following: list[AlikeParagraph] = []
        self._line = 1
        self._is_over = False
        self._namespaces: dict[str | None, str] = {}
        self._shapes: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._given: list[tuple[str, _Element, list[AlikeParagraph]]] = []

    def read_events(self) -> Iterator[tuple[str, _Element]]:
        """The events of what was fed, `following` set beside each."""
        given, self._given = self._given, []
        for event, element, self.following in given:
            yield event, element
        self.following = []

    def feed(self, parser: Any, block: str) -> None:
        """Give the parser a block of the text, with blanks for what is taken from it."""
        begin = 0
        tries = MOST_TRIES
        self._is_over = False
        found = PARAGRAPH.search(block)
        while found is not None and tries:
            if begin < found.start():
                self._parse(parser, block[begin : found.start()])
            begin = last = end = found.end()
            if self._learn(found, self._parse(parser, found[0])):
                last, end, found = self._take(block, begin)
            else:
                found = PARAGRAPH.search(block, end)
            tries -= begin == last
            if begin < last:
                lines = block.count("\n", begin, last)
                columns = last - max(begin, block.rfind("\n", begin, last) + 1)
                self._parse(parser, "\n" * lines + " " * columns)
            if last < end:  # what comes next may be told to stand after it
                self._parse(parser, block[last:end])
            begin = end
        if begin < len(block) or not block:
            self._parse(parser, block[begin:])

    def _parse(self, parser: Any, text: str) -> list[tuple[str, _Element]]:
        """The events of a text."""
        if self._is_over:
            return []
        parser.feed(text.encode("utf-8", "surrogatepass"))
        # after a reference that it does not know it says nothing and leaves out the rest of a block
        self._is_over = bool(parser.feed_error_log.filter_from_fatals())
        self._line += text.count("\n")
        events = list(parser.read_events())
        self._given += [(event, element, []) for event, element in events]
        return events

    def _learn(self, found: re.Match[str], events: Sequence[tuple[str, _Element]]) -> bool:
        """Whether a text is the element that the parser has made of it, and no other."""
        opening, _, body, _ = found.groups()
        parts = opening.split('"')
        pieces = LINE_BREAK.split(body)
        if len(events) != 1 or len(opening) > LONGEST_TAG:
            return False
        element = events[0][1]
        line = self._line - found[0].count("\n")
        if (
            element.getparent() is None
            or element.values() != parts[1::2]
            or [one or "" for one in (element.text, *[br.tail for br in element])] != pieces
            or element.sourceline != line
            or (line > LAST_LINE_KNOWN and not pieces[0])
        ):
            return False
        if element.nsmap != self._namespaces or len(self._shapes) == MOST_SHAPES:
            self._shapes.clear()
        self._namespaces = element.nsmap
        self._shapes[tuple(parts[::2])] = tuple(element.keys())
        return True

    def _take(self, block: str, begin: int) -> tuple[int, int, re.Match[str] | None]:
        """Take what follows but for the last; where that begins and ends, what may come next."""
        last = end = begin
        line = self._line
        taken = self._given[-1][2]
        for found in PARAGRAPH.finditer(block, begin):
            opening, _, body, blanks = found.groups()
            parts = opening.split('"')
            names = self._shapes.get(tuple(parts[::2]))
            pieces = body.split("<br/>")
            if body.count("<") >= len(pieces):
                pieces = LINE_BREAK.split(body)
            if names is None or found.start() != end:
                break
            if len(parts) % 2 == 0:  # a quotation mark without another
                break
            if line > LAST_LINE_KNOWN and (not pieces[0] or "\n" in pieces[0]):
                break
            taken.append((names, parts[1::2], pieces, line))
            line += body.count("\n") + blanks.count("\n")
            last, end = end, found.end()
        else:
            found = None
        if taken:
            taken.pop()
        return last, end, found
