"""Elements alike that follow one another, cut from the text of a document without parsing them.

Where the parser has just read ``<p begin="1s">hello<br/>you</p>``, what follows with the same signs
around other values is as well formed, and means the same. The parser gets blanks in its place, so
that all other lines and columns stay what they are.
"""

from __future__ import annotations

import re
from itertools import accumulate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any, TypeAlias

    from lxml.etree import _Element

    AlikeParagraph: TypeAlias = "tuple[tuple[str, ...], list[str], list[str], int]"

__all__ = ["BLANKS", "LAST_LINE_KNOWN", "TAG", "TEXT", "AlikeElements", "AlikeParagraphs"]

LAST_LINE_KNOWN = 65_535
"""Beyond, an element of the library has the line of the first text in or after it."""
NONE = r"\ud800-\udfff\ufffe\uffff"
"""What XML does not take for characters, besides most of those that control something."""
TEXT = rf"[^<>&\0-\x08\x0b-\x1f{NONE}]*"
VALUE = rf'[^<>&"\0-\x1f{NONE}]*'
TAG = rf'(?: [\w.-]+="{VALUE}")+'
"""Attributes in a tag."""
ATTRIBUTE = re.compile(rf' ([\w.-]+)="({VALUE})"')
BLANKS = r"[ \t\n]*"
PARAGRAPH = re.compile(
    rf"<(([\w.-]+:|)p[^<>&\0-\x1f{NONE}]*)>({TEXT}(?:<\2br ?/>{TEXT})*)</\2p>([ \t\n]*)"
)
"""One of attributes, text and line breaks: its tag, and what is in it and after it."""
LINE_BREAK = re.compile(r"<[^<>]*>")
MOST_TRIES = 8
"""Paragraphs in a block that may be looked at and have none alike after them."""
MOST_MISSES, FEWEST, LONGEST_PAUSE = 2, 8, 64
"""Records in a block that may have too few alike after them, how many are enough, and the blocks
that are given as they are after one in which there were too few.
"""
MOST_SHAPES, LONGEST_TAG = 64, 1000
"""Forms of paragraphs that are known, and letters in the tag of one."""


class _Alike:
    """Stands before a parser and takes from the text what is alike.

    Attributes
    ----------
    following: what was taken after the element given last.
    """

    def __init__(self) -> None:
        self.following: list[AlikeParagraph] = []
        self._line = 1
        self._is_over = False
        self._given: list[tuple[str, _Element, list[AlikeParagraph]]] = []

    def feed(self, parser: Any, block: str) -> None:
        """Give the parser a block of the text, with blanks for what is taken from it."""
        raise NotImplementedError

    def read_events(self) -> Iterator[tuple[str, _Element]]:
        """The events of what was fed, `following` set beside each."""
        given, self._given = self._given, []
        for event, element, self.following in given:
            yield event, element
        self.following = []

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

    def _pass_over(self, parser: Any, block: str, begin: int, end: int) -> None:
        """Give the parser blanks for what is taken."""
        lines = block.count("\n", begin, end)
        columns = end - max(begin, block.rfind("\n", begin, end) + 1)
        self._parse(parser, "\n" * lines + " " * columns)


class AlikeParagraphs(_Alike):
    """Stands before a parser of ``p`` elements, and takes those alike from the text.

    They have attributes, and text and line breaks (``br``) in them: nothing else, no references.

    Attributes
    ----------
    following: those that were taken after the element given last, whose next siblings they are:
        names of attributes and what they say, what is between the line breaks, the line.
    """

    def __init__(self) -> None:
        super().__init__()
        self._namespaces: dict[str | None, str] = {}
        self._shapes: dict[tuple[str, ...], tuple[str, ...]] = {}

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
                self._pass_over(parser, block, begin, last)
            if last < end:  # what comes next may be told to stand after it
                self._parse(parser, block[last:end])
            begin = end
        if begin < len(block) or not block:
            self._parse(parser, block[begin:])

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


class AlikeElements(_Alike):
    """Stands before a parser of records in the children of the root, and takes those alike.

    Parameters
    ----------
    record: one with the blanks after it: elements with `TAG`, and one with text (``value``) last.
    value: how the element with text is written; its only group is the text.
    take: given a record as it stands in the text and the element that the parser has made of it;
        of those alike after it the lines on which they begin and, by name, what their attributes
        say and (without a name) their texts. It says whether it takes them.
    """

    def __init__(
        self,
        record: re.Pattern[str],
        value: str,
        take: Callable[[str, _Element, list[int], dict[str, list[str]]], bool],
    ) -> None:
        super().__init__()
        self._record = record
        self._value = value
        self._take = take
        self._root: _Element | None = None
        self._pause, self._longest_pause = 0, 1

    def feed(self, parser: Any, block: str) -> None:
        """Give the parser a block of the text, with blanks for what is taken from it."""
        self._is_over = False
        at = misses = 0
        tries = 0 if self._pause else MOST_MISSES
        while misses < tries and self._line < LAST_LINE_KNOWN:
            found = self._record.search(block, at)
            if found is None:
                break
            self._parse(parser, block[at : found.start()])
            part, size = self._part()
            self._parse(parser, found[0])
            at = found.end()
            misses += 1
            if part is None or self._part() != (part, size + 1):
                continue
            lines, columns, end = self._following(found, block)
            if lines and self._take(found[0], part[-1], lines, columns):
                self._pass_over(parser, block, at, end)
                at, misses, self._longest_pause = end, 0, 1
        if self._pause:
            self._pause -= 1
        elif misses == tries:
            self._pause = self._longest_pause = min(2 * self._longest_pause, LONGEST_PAUSE)
        if at < len(block) or not block:
            self._parse(parser, block[at:])

    def _part(self) -> tuple[_Element | None, int]:
        """The last child of the root, and how many children it has."""
        if self._root is None and self._given:
            self._root = self._given[0][1].getroottree().getroot()
        part = self._root[-1] if self._root is not None and len(self._root) else None
        return part, 0 if part is None else len(part)

    def _following(
        self, found: re.Match[str], block: str
    ) -> tuple[list[int], dict[str, list[str]], int]:
        """Lines and columns of the records after one, and where they end."""
        record = found[0]
        names, alike = _alike_to(found, self._value)
        text = block[found.end() :]
        step = len(names) + 1
        count = most = FEWEST
        pieces: list[str] = []
        while count == most:
            most *= 8
            pieces = alike.split(text, most)
            count = next((n for n, one in enumerate(pieces[::step]) if one), len(pieces) // step)
        if count < FEWEST:
            return [], {}, 0
        if count < len(pieces) // step:
            pieces = alike.split(text, count)
        columns = {name: pieces[n::step] for n, name in enumerate(names, 1)}
        columns[""] = [one or "" for one in columns.get("", ())]
        end = len(block) - len(pieces[-1])
        breaks = record.count("\n") - (found["value"] or "").count("\n")
        steps = [breaks + one.count("\n") for one in columns[""]] or [breaks] * count
        lines = list(accumulate(steps[:-1], initial=self._line))
        if self._line + sum(steps) > LAST_LINE_KNOWN:
            lines = []
        return lines, columns, end


def _alike_to(found: re.Match[str], value: str) -> tuple[list[str], re.Pattern[str]]:
    """Names of the values of a record, and a pattern of it with any values."""
    record, begin = found[0], found.start()
    value_begin, value_end = (one - begin for one in found.span("value"))
    names: list[str] = []
    pattern, at = "", 0
    for attribute in ATTRIBUTE.finditer(record, 0, max(value_begin, 0) or len(record)):
        names.append(attribute[1])
        pattern += f"{re.escape(record[at : attribute.start(2)])}({VALUE})"
        at = attribute.end(2)
    if found["value"] is not None:
        names.append("")
        pattern += f"{re.escape(record[at:value_begin])}(?:{value})"
        at = value_end
    return names, re.compile(pattern + re.escape(record[at:]))
