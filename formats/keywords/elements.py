"""XML elements of keyword search files, checked against a schema.

Elements have no namespace. An unknown element, attribute or text is an error. Memory use does not
grow with the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from formats.io.source import Source
from formats.reading.xml_document import line_of, xml_error, xml_events
from formats.schema.errors import FormatError, SyntaxFormatError, quoted
from formats.schema.times import LARGEST, SECOND

if TYPE_CHECKING:
    from lxml.etree import _Element

DECIMAL = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)")
FLOAT = re.compile(r"[+-]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")
BLANKS = re.compile(r"[ \t\r\n]+")
WHOLE = re.compile(r"[+-]?[0-9]+")
# records without content that stand in memory together before they are thrown away
CLOSED_KEPT = 64


class Shape(NamedTuple):
    """The schema of an element.

    Attributes
    ----------
    parent: name of the enclosing element; empty for the root.
    required, optional: names of its attributes.
    has_text: whether the element may contain text.
    is_record: whether the element is removed after reading, and may be skipped if it is invalid.
    """

    parent: str
    required: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    has_text: bool = False
    is_record: bool = False


def elements(
    source: Source,
    root: str,
    shapes: Mapping[str, Shape],
    change: Callable[[Iterable[str]], Iterable[str]] = iter,
) -> Iterator[tuple[bool, _Element]]:
    """Yield every element twice: at its start tag (True) and at its end tag (False).

    They are those of the text as `change` returns its blocks.
    """
    skipped: _Element | None = None
    above = [""]
    closed = 0
    accepted: set[tuple[str, ...]] = set()  # element, the one around it, and its attributes
    for event, element in xml_events(source, (root,), None, change):
        name = element.tag
        if event == "start":
            above.append(name)
            if skipped is not None:
                continue
            shape = shapes.get(name)
            if len(above) == 2:
                _check_document(source, element)
            names = (name, above[-2], *element.keys())
            try:
                if names not in accepted:
                    _check(source, element, above[-2], shapes)
                    accepted.add(names)
            except SyntaxFormatError as error:
                if shape is None or not shape.is_record:
                    raise
                source.log.reject("XML-RECORD", error)
                skipped = element
                continue
            yield True, element
            continue
        above.pop()
        if skipped is not None:
            if skipped is element:
                skipped = None
            continue
        shape = shapes[name]
        if not shape.has_text:
            _check_texts(source, element)
        yield False, element
        if shape.is_record:
            closed += 1
            if len(element) or closed % CLOSED_KEPT == 0:
                _throw_away(source, element)


def _check_document(source: Source, root: _Element) -> None:
    """Reject a document type declaration, with which unknown entities would be dropped."""
    if root.getroottree().docinfo.doctype:
        raise source.syntax_error(1, f"an element {root.tag}", "a DOCTYPE")


def _check(source: Source, element: _Element, above: str, shapes: Mapping[str, Shape]) -> None:
    """Raise an error if the element, or one of its attributes, is not allowed inside `above`."""
    name = str(element.tag)
    shape = shapes.get(name)
    if shape is None or shape.parent != above:
        names = [quoted(child) for child, its in shapes.items() if its.parent == above]
        expected = f"an element {' or '.join(names)}" if names else "no element"
        where = f" in {above}" if above else ""
        raise xml_error(source, element, expected + where, quoted(name))
    present = [str(attribute) for attribute in element.keys()]  # noqa: SIM118
    for attribute in shape.required:
        if attribute not in present:
            raise xml_error(source, element, f"an attribute {attribute} of {name}", "none")
    allowed = (*shape.required, *shape.optional)
    for attribute in present:
        if attribute not in allowed:
            expected = f"attributes {', '.join(allowed)} of {name}" if allowed else "no attribute"
            raise xml_error(source, element, expected, quoted(attribute))


def _check_texts(source: Source, element: _Element) -> None:
    _check_text(source, element, element.tag, element.text)
    for child in element:
        _check_text(source, child, element.tag, child.tail)


def _check_text(source: Source, before: _Element, name: str, text: str | None) -> None:
    """Reject a text in an element of a name, after the start or the end of another."""
    if text is not None and not text.isspace():
        line = (line_of(before) or 1) + text[: -len(text.lstrip())].count("\n")
        raise source.syntax_error(line, f"no text in {name}", quoted(text.strip()))


def _throw_away(source: Source, element: _Element) -> None:
    element.clear(keep_tail=True)
    parent = element.getparent()
    if parent is None:
        return
    previous = element.getprevious()
    while previous is not None:
        _check_text(source, previous, parent.tag, previous.tail)
        parent.remove(previous)
        previous = element.getprevious()


def text_of(source: Source, element: _Element) -> str:
    """Return the text of an element that has no inner elements, with single blanks between words.

    Only XML blanks separate words; NBSP and U+3000 belong to words.
    """
    for child in element:
        raise xml_error(
            source, element, f"text without entities in {element.tag}", quoted(child.text or "")
        )
    return " ".join(BLANKS.sub(" ", element.text or "").strip(" ").split(" "))


def attribute_error(
    source: Source, element: _Element, name: str, expected: str
) -> SyntaxFormatError:
    """Create an error about the value of an attribute."""
    return xml_error(
        source, element, f"{expected} in {name} of {element.tag}", quoted(element.get(name, ""))
    )


LONGEST = LARGEST / SECOND / 2
"""Seconds; a begin and a duration together are a time of 64 bits, too."""
TIMES = frozenset({"tbeg", "dur", "search_time", "source_signal_duration"})


def number(
    source: Source, element: _Element, name: str, grammar: re.Pattern[str] = DECIMAL
) -> float:
    """Return the value of a numeric attribute, which must be finite."""
    text = element.get(name, "").strip()
    if grammar.fullmatch(text) is None:
        raise attribute_error(source, element, name, "a decimal number")
    value = float(text)
    if value - value != 0 or (name in TIMES and abs(value) > LONGEST):
        raise attribute_error(source, element, name, "a number of reasonable size")
    return value


def whole_number(source: Source, element: _Element, name: str) -> str:
    """Return the text of an attribute that must be a whole number."""
    text: str = element.get(name, "").strip()
    if WHOLE.fullmatch(text) is None:
        raise attribute_error(source, element, name, "a whole number")
    return text


def one_of(source: Source, element: _Element, name: str, allowed: tuple[str, ...]) -> str:
    """Return the text of an attribute that must have one of the allowed values."""
    text: str = element.get(name, "")
    if text not in allowed:
        raise attribute_error(source, element, name, " or ".join(map(quoted, allowed)))
    return text


def nothing_there(source: Source, root: str) -> FormatError:
    """Create the error for a file without root element."""
    return source.syntax_error(1, f"an element {root}", "an empty file")
