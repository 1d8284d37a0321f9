"""aeneas: sync maps, which align a text with a recording, in JSON, tables, XML or SMIL.

====================================  ==========================================================
in the file                           in the schema
====================================  ==========================================================
a fragment without children           a segment: begin and end in seconds or as ``0:00:01.500``
its id                                `Segment.utterance`
its lines                             its words, without times
children that each have one word             the timed words of one segment
a fragment without text               nothing, because it is the head or tail of the audio; such
                                      fragments are counted
``id,begin,end,"text"``               the table ``csv``; the quotes around a text are removed, and
                                      quotes inside it are kept
``begin end id "text"``               the table ``ssv``
``id begin end "text"``               the table ``txt``
``begin<TAB>end<TAB>text``            the table ``audh`` if the times are clock times; if they are
                                      seconds, the file is a label track of Audacity
``begin<TAB>end<TAB>f000001``         the table ``tsv``: a segment without words, because the text
                                      is in another file; aeneas creates the ids
SMIL: ``par`` with ``text`` and       a segment without words, because the text is in the book;
``audio``                             ``src`` becomes the property ``ref``
====================================  ==========================================================
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from formats.annotation.audacity import FRAGMENT_ID
from formats.annotation.messages import AENEAS_EMPTY
from formats.detection.head import Head
from formats.detection.spec import FormatSpec, Sniff
from formats.io.source import Source
from formats.json.displays import cut_text
from formats.json.value import JsonDocument, JsonValue
from formats.reading.lines import Line, filled_lines, strip_blanks
from formats.reading.xml_document import Element, line_of, local_name, parse_xml, xml_error
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.model import Segment
from formats.schema.times import parse_clock, parse_time
from formats.schema.words import Token

HMS = r"[0-9]{1,9}(?::[0-9]{2}){2}(?:[.,][0-9]{1,9})?"
TIME = rf"(?:[0-9]{{1,9}}\.[0-9]{{1,9}}|{HMS})"
CSV = re.compile(rf'(?P<id>[^,"]{{1,200}}),(?P<begin>{TIME}),(?P<end>{TIME}),(?P<text>"?.*)\Z')
SSV = re.compile(rf'(?P<begin>{TIME}) (?P<end>{TIME}) (?P<id>[^ "]{{1,200}}) (?P<text>".*")\Z')
TXT = re.compile(rf'(?P<id>[^ "]{{1,200}}) (?P<begin>{TIME}) (?P<end>{TIME}) (?P<text>".*")\Z')
TSV = re.compile(rf"(?P<begin>{TIME})\t(?P<end>{TIME})\t(?P<id>{FRAGMENT_ID.pattern})\Z")
AUD = re.compile(rf"(?P<begin>{HMS})\t(?P<end>{HMS})\t(?P<text>[^\t]*)\Z")
TABLES = (CSV, SSV, TXT, TSV, AUD)
CLOCK = re.compile(r"([0-9.]*)(h|min|s|ms|)\Z")
ROOTS = ("map", "syncmap", "smil")
CLOCKS = {"h": 3600, "min": 60, "s": 1, "ms": 0.001}


def nanoseconds_of(text: str) -> int:
    """Parse a time in seconds or as a clock time; return nanoseconds.

    A clock time of SMIL may lack the hours, and a number of SMIL may have a unit.
    """
    text = strip_blanks(text).removeprefix("npt=")
    if ":" in text:
        return parse_clock(text)
    number, unit = CLOCK.match(text[:40]).groups()  # type: ignore[union-attr]
    if unit in ("", "s"):
        return parse_time(number)
    return round(parse_time(number) * CLOCKS[unit])


class WrittenTime(NamedTuple):
    """A time as written in the file; `error` creates the error for an invalid time."""

    text: str
    error: Callable[[str], SyntaxFormatError]


class Fragment(NamedTuple):
    """A fragment of the text, with its child fragments."""

    begin: WrittenTime
    end: WrittenTime
    id: str | None
    lines: list[str]
    children: list["Fragment"]

    def span(self) -> tuple[int, int]:
        """Return the begin and the end of the fragment in nanoseconds."""
        times = []
        for clock in (self.begin, self.end):
            try:
                times.append(nanoseconds_of(clock.text))
            except (ValueError, AttributeError):
                raise clock.error("a time in seconds, or hours, minutes and seconds") from None
        if times[1] < times[0]:
            raise self.end.error(f"an end not before {self.begin.text}")
        return times[0], times[1]


def _table_of(lines: Sequence[str]) -> re.Pattern[str] | None:
    """Return the pattern of the table layout that most lines fit; `None` if no layout fits."""
    counts = {table: sum(table.match(line) is not None for line in lines) for table in TABLES}
    return max(TABLES, key=lambda table: counts[table]) if any(counts.values()) else None


class _Map:
    """Converts the fragments of a sync map to segments."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.silent = 0

    def segments(self, fragment: Fragment, line: int | None) -> Iterator[Segment]:
        """Yield the segment of a fragment; if it has child fragments, their segments instead."""
        children = fragment.children
        texts = [cut_text(" ".join(child.lines)) for child in children]
        if children and not all(len(text) == 1 for text in texts):
            for child in children:
                yield from self.segments(child, line)
            return
        start, end = fragment.span()
        words = [text[0] for text in texts] or cut_text(" ".join(fragment.lines))
        if not words:
            self.silent += 1
            return
        is_timed = bool(children) and not any(child.children for child in children)
        spans = [child.span() if is_timed else (None, None) for child in children]
        tokens = [Token(*word) for word in zip(words, *zip(*spans, strict=True), strict=True)]
        plain = Segment(
            self.source.recording, tuple(words), utterance=fragment.id, start_ns=start,
            end_ns=end, line=line,
        )  # fmt: skip
        yield plain.with_items(tokens) if is_timed else plain

    def of_json(self) -> Iterator[Segment]:
        """Yield the segments of a sync map in JSON."""
        for value in JsonDocument(self.source).values:
            rows = value.required("fragments").elements()
            yield from self.source.log.accepted(
                "AENEAS", lambda row: self.segments(_of_value(row), row.line), rows
            )

    def of_table(self) -> Iterator[Segment]:
        """Yield the segments of a sync map in one of the table layouts in `TABLES`."""
        table = _table_of(self.source.head_lines())

        def row(line: Line) -> Iterator[Segment]:
            match = table.match(line.text) if table else None
            if match is None:
                expected = 'id,begin,end,"text" or begin end id "text"'
                raise self.source.syntax_error(line.number, expected, quoted(line.text), 1)
            begin, end = (
                WrittenTime(time, lambda expected, time=time: self.source.syntax_error(  # type: ignore[misc]
                    line.number, expected, quoted(time)))
                for time in match.group("begin", "end")
            )  # fmt: skip
            fields = match.groupdict()
            fragment = Fragment(begin, end, fields.get("id"), [fields.get("text", "")], [])
            if table is TSV:
                start_ns, end_ns = fragment.span()
                yield Segment(self.source.recording, utterance=fragment.id, start_ns=start_ns,
                              end_ns=end_ns, line=line.number)  # fmt: skip
                return
            text = fragment.lines[0]
            if table is not AUD and len(text) > 1 and text[0] == text[-1] == '"':
                fragment = fragment._replace(lines=[text[1:-1]])
            yield from self.segments(fragment, line.number)

        return self.source.log.accepted("AENEAS", row, filled_lines(self.source))

    def of_xml(self) -> Iterator[Segment]:
        """Yield the segments of a sync map in XML or SMIL."""
        source, root = self.source, parse_xml(self.source, [*ROOTS, "SyncMap"])
        if root is None:
            return
        if local_name(root) == "smil":
            pars = root.iter("{*}par")
            yield from source.log.accepted("AENEAS", lambda par: [_of_par(source, par)], pars)
            return
        elements = root.iterchildren("{*}fragment", "{*}Fragment")
        yield from source.log.accepted(
            "AENEAS", lambda part: self.segments(_of_element(source, part), line_of(part)), elements
        )


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment for each fragment without child fragments, in the order of the file."""
    sync_map = _Map(source)
    head = source.head()[0].lstrip()
    if head.startswith("<"):
        yield from sync_map.of_xml()
    elif head.startswith(("{", "[")):
        yield from sync_map.of_json()
    else:
        yield from sync_map.of_table()
    source.is_silent = True
    if sync_map.silent:
        source.log.say(AENEAS_EMPTY, silent=sync_map.silent)


def _of_value(value: JsonValue) -> Fragment:
    begin, end = (value.required(name) for name in ("begin", "end"))
    lines = [line.text() for line in value.elements("lines")]
    children = [_of_value(child) for child in value.elements("children")]
    first, last = (WrittenTime(str(time.value), time.error) for time in (begin, end))
    return Fragment(first, last, value.name_of("id"), lines, children)


def _of_element(source: Source, element: Element) -> Fragment:
    def clock(name: str) -> WrittenTime:
        text = element.get(name)
        if text is None:
            raise xml_error(source, element, 'a fragment with "begin" and "end"', "none")
        return WrittenTime(
            text, lambda expected: xml_error(source, element, expected, quoted(text))
        )

    lines = ["".join(line.itertext()) for line in element.iterchildren("{*}line", "{*}Line")]
    children = [
        _of_element(source, child)
        for group in element.iterchildren("{*}children", "{*}Children")
        for child in group.iterchildren("{*}fragment", "{*}Fragment")
    ]
    return Fragment(clock("begin"), clock("end"), element.get("id"), lines, children)


def _of_par(source: Source, par: Element) -> Segment:
    text, audio = (next(par.iterchildren(f"{{*}}{name}"), None) for name in ("text", "audio"))
    if audio is None:
        raise xml_error(source, par, 'a "par" with "audio"', "none")
    begin, end = (audio.get(f"clip{n}") or audio.get(f"clip-{n.lower()}") for n in ("Begin", "End"))
    try:
        start, stop = (None if time is None else nanoseconds_of(time) for time in (begin, end))
    except (ValueError, AttributeError):
        raise xml_error(source, audio, "clipBegin and clipEnd", f"{begin} and {end}") from None
    if start is not None and stop is not None and stop < start:
        raise xml_error(source, audio, f"a clipEnd not before {begin}", quoted(str(end)))
    reference = None if text is None else text.get("src")
    return Segment(
        source.recording, utterance=par.get("id"), start_ns=start, end_ns=stop, line=line_of(par),
        properties=() if reference is None else (("ref", reference),),
    )  # fmt: skip


def sniff(head: Head) -> Sniff:
    """Return `SURE` for JSON or XML of aeneas, or if most lines fit a table layout of aeneas."""
    if head.shape == "xml":
        root = (head.root or "").lower()
        is_map = any("fragment" in line.lower() or "<par" in line for line in head)
        return Sniff.SURE if root in ROOTS and is_map else Sniff.NO
    if head.shape == "json":
        fragments = head.first_object.get("fragments")
        first = fragments[0] if isinstance(fragments, list) and fragments else None
        is_map = isinstance(first, dict) and {"begin", "lines"} <= first.keys()
        return Sniff.SURE if is_map else Sniff.NO
    lines = [line for line in head if strip_blanks(line)]
    table = _table_of(lines)
    rows = [match for line in lines if table and (match := table.match(line))]
    if table not in (TSV, AUD):
        rows = [row for row in rows if row["text"][:1] == '"' == row["text"][-1:]]
    is_headed = bool(rows) and rows[0].string != lines[0]  # a table of columns with names
    return Sniff.SURE if rows and not is_headed and len(rows) >= 0.95 * len(lines) else Sniff.NO


SPEC = FormatSpec(
    title="sync maps of aeneas: fragments of a text with their times (JSON, XML, tables, SMIL)",
    sign='"fragments" with "begin", or lines of id,begin,end,"text"',
    read=read,
    sniff=sniff,
)
