"""aeneas: sync maps of aeneas, a text laid onto its reading: JSON, tables, XML, and SMIL.

====================================  ==========================================================
its word                              ours
====================================  ==========================================================
a fragment without children           a segment: begin and end in seconds or as ``0:00:01.500``
its id                                `Segment.utterance`
its lines                             its words, without times
children of one word each             the timed words of one segment
a fragment without text               nothing: the head or tail of the audio; counted
``id,begin,end,"text"``               the table ``csv``; quotes are taken off the ends, and those
                                      inside stand for themselves
``begin end id "text"``               the table ``ssv``
``id begin end "text"``               the table ``txt``
SMIL: ``par`` of ``text``, ``audio``  a segment without words, whose text stands in the book; its
                                      ``src`` is the property ``ref``
====================================  ==========================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from formats.beginning import Head
from formats.clock import parse_clock
from formats.errors import SyntaxFormatError, quoted
from formats.json.displays import cut_text
from formats.json.document import JsonDocument
from formats.json.record import Name, Record, WrongError
from formats.lines import strip_blanks
from formats.model import Segment
from formats.source import Source
from formats.spec import FormatSpec, Sniff
from formats.times import parse_time
from formats.xml_document import line_of, local_name, parse_xml, xml_error

if TYPE_CHECKING:
    from lxml.etree import _Element

TIME = r"[0-9]{1,9}(?:\.[0-9]{1,9}|(?::[0-9]{2}){2}(?:[.,][0-9]{1,9})?)"
CSV = re.compile(rf'(?P<id>[^,"]{{1,200}}),(?P<begin>{TIME}),(?P<end>{TIME}),(?P<text>"?.*)\Z')
SSV = re.compile(rf'(?P<begin>{TIME}) (?P<end>{TIME}) (?P<id>[^ "]{{1,200}}) (?P<text>".*")\Z')
TXT = re.compile(rf'(?P<id>[^ "]{{1,200}}) (?P<begin>{TIME}) (?P<end>{TIME}) (?P<text>".*")\Z')
TABLES = (CSV, SSV, TXT)
CLOCK = re.compile(r"([0-9.]*)(h|min|s|ms|)\Z")
ROOTS = ("map", "syncmap", "smil")
CLOCKS = {"h": 3600, "min": 60, "s": 1, "ms": 0.001}


def nanoseconds_of(text: str) -> int:
    """A time in seconds, or as a clock; SMIL may leave the hours out or name a unit."""
    text = strip_blanks(text).removeprefix("npt=")
    if ":" in text:
        return parse_clock(text)
    number, unit = CLOCK.match(text[:40]).groups()  # type: ignore[union-attr]
    if unit in ("", "s"):
        return parse_time(number)
    return round(parse_time(number) * CLOCKS[unit])


class Fragment(Record):
    """A piece of the text, and the pieces of that."""

    begin: str | float
    end: str | float
    id: Name = None
    lines: list[str] | None = None
    children: list[Fragment] | None = None

    def place(self) -> tuple[int, int]:
        """Begin and end in nanoseconds."""
        times = []
        for member in ("begin", "end"):
            try:
                times.append(nanoseconds_of(str(getattr(self, member))))
            except (ValueError, AttributeError):
                expected = "a time in seconds, or hours, minutes and seconds"
                raise WrongError(member, expected, record=self) from None
        if times[1] < times[0]:
            raise WrongError("end", f"an end not before {self.begin}", record=self)
        return times[0], times[1]


class _Map:
    """Makes segments of fragments."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.silent = 0

    def segments(self, one: Fragment, line: int | None) -> Iterator[Segment]:
        """Those of a fragment."""
        below = one.children or []
        texts = [cut_text(" ".join(child.lines or ())) for child in below]
        if below and not all(len(text) == 1 for text in texts):
            for child in below:
                yield from self.segments(child, line)
            return
        start, end = one.place()
        words = [text[0] for text in texts] or cut_text(" ".join(one.lines or ()))
        if not words:
            self.silent += 1
            return
        places = [child.place() for child in below if not child.children]
        is_timed = bool(below) and len(places) == len(below)
        yield Segment(
            self.source.recording,
            tuple(words),
            utterance=one.name_of("id"),
            start_ns=start,
            end_ns=end,
            starts_ns=tuple(place[0] for place in places) if is_timed else None,
            ends_ns=tuple(place[1] for place in places) if is_timed else None,
            line=line,
        )

    def tell(self) -> None:
        """Say what was left out."""
        self.source.is_silent = True
        if self.silent:
            message = f"fragments without text, left out: {self.silent}"
            self.source.log.note("AENEAS-EMPTY", message)


def read(source: Source) -> Iterator[Segment]:
    """One segment per fragment that has no fragments below it, in the order of the file."""
    made = _Map(source)
    head = source.head()[0].lstrip()
    if head.startswith("<"):
        yield from _of_xml(source, made)
    elif head.startswith(("{", "[")):
        yield from _of_json(source, made)
    else:
        yield from _of_table(source, made)
    made.tell()


def _of_json(source: Source, made: _Map) -> Iterator[Segment]:
    for value in JsonDocument(source).values:
        for line, one in value.required("fragments").numbered_elements():
            try:
                yield from one.take(Fragment, lambda f, line=line: list(made.segments(f, line)))  # type: ignore[misc]
            except SyntaxFormatError as error:
                source.log.reject("AENEAS", error)


def _of_table(source: Source, made: _Map) -> Iterator[Segment]:
    table = None
    for number, line in source.lines():
        if not strip_blanks(line):
            continue
        table = table or next((one for one in TABLES if one.match(line)), None)
        found = table.match(line) if table else None
        try:
            if found is None:
                expected = 'id,begin,end,"text" or begin end id "text"'
                raise source.syntax_error(number, expected, quoted(line), 1)
            text = found["text"]
            text = text[1:-1] if len(text) > 1 and text[0] == text[-1] == '"' else text
            one = Fragment(found["begin"], found["end"], found["id"], [text])
            yield from _checked(source, number, one, made)
        except SyntaxFormatError as error:
            source.log.reject("AENEAS", error)


def _checked(source: Source, line: int | None, one: Fragment, made: _Map) -> list[Segment]:
    try:
        return list(made.segments(one, line))
    except WrongError as wrong:
        found = getattr(wrong.record, wrong.member or "begin")
        raise source.syntax_error(line, wrong.expected, quoted(str(found))) from None


def _of_xml(source: Source, made: _Map) -> Iterator[Segment]:
    root = parse_xml(source, [*ROOTS, "SyncMap"])
    if root is None:
        return
    is_smil = local_name(root) == "smil"
    wanted = root.iter("{*}par") if is_smil else root.iterchildren("{*}fragment", "{*}Fragment")
    for element in wanted:
        try:
            if is_smil:
                yield _of_par(source, element)
            else:
                one = _fragment(source, element)
                yield from _checked(source, line_of(element), one, made)
        except SyntaxFormatError as error:
            source.log.reject("AENEAS", error)


def _fragment(source: Source, element: _Element) -> Fragment:
    begin, end = (element.get(name) for name in ("begin", "end"))
    if begin is None or end is None:
        raise xml_error(source, element, 'a fragment with "begin" and "end"', "none")
    return Fragment(
        begin,
        end,
        element.get("id"),
        ["".join(line.itertext()) for line in element.iterchildren("{*}line", "{*}Line")],
        [
            _fragment(source, child)
            for below in element.iterchildren("{*}children", "{*}Children")
            for child in below.iterchildren("{*}fragment", "{*}Fragment")
        ],
    )


def _of_par(source: Source, par: _Element) -> Segment:
    text, audio = (next(par.iterchildren(f"{{*}}{name}"), None) for name in ("text", "audio"))
    if audio is None:
        raise xml_error(source, par, 'a "par" with "audio"', "none")
    begin, end = (audio.get(f"clip{n}") or audio.get(f"clip-{n.lower()}") for n in ("Begin", "End"))
    try:
        times = [None if time is None else nanoseconds_of(time) for time in (begin, end)]
    except (ValueError, AttributeError):
        raise xml_error(source, audio, "clipBegin and clipEnd", f"{begin} and {end}") from None
    if None not in times and times[1] < times[0]:  # type: ignore[operator]
        raise xml_error(source, audio, f"a clipEnd not before {begin}", quoted(str(end)))
    reference = None if text is None else text.get("src")
    named: dict[str, Any] = {"start_ns": times[0], "end_ns": times[1], "line": line_of(par)}
    properties = () if reference is None else (("ref", reference),)
    return Segment(source.recording, utterance=par.get("id"), properties=properties, **named)


def sniff(head: Head) -> Sniff:
    """Sure of fragments with lines, of the root elements, and of a table most of whose lines fit.

    A table of commas has to have quotes around its texts.
    """
    if head.shape == "xml":
        root = (head.root or "").lower()
        is_own = root in ROOTS and any(
            "fragment" in line.lower() or "<par" in line for line in head
        )
        return Sniff.SURE if is_own else Sniff.NO
    if head.shape == "json":
        found = head.first_object.get("fragments")
        first = found[0] if isinstance(found, list) and found else None
        is_known = isinstance(first, dict) and {"begin", "lines"} <= first.keys()
        return Sniff.SURE if is_known else Sniff.NO
    lines = [line for line in head if strip_blanks(line)]
    fitting = max(
        sum(
            found["text"][:1] == '"' and found["text"][-1:] == '"'
            for line in lines
            if (found := table.match(line))
        )
        for table in TABLES
    )
    return Sniff.SURE if lines and fitting >= 0.95 * len(lines) else Sniff.NO


SPEC = FormatSpec(
    title="sync maps of aeneas: fragments of a text with their times (JSON, XML, tables, SMIL)",
    sign='"fragments" with "begin", or lines of id,begin,end,"text"',
    read=read,
    sniff=sniff,
    manual="Fragments with id, begin, end and text, in any of the shapes aeneas writes.",
)
