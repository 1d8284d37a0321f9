"""kwslist: what a system found of the keywords, with scores and decisions.

==============================  =======================================================
its word                        ours
==============================  =======================================================
``kw``                          a `Segment` of tier ``kws``; its one word is the keyword's
                                identifier, timed as the segment
``file``, ``channel``           `Segment.recording` (without directories and the ending of an
                                audio file; as written in the property ``file`` where that is
                                something else), `Segment.channel`
``tbeg``, ``dur``, ``score``    start, end and confidence of segment and word
``decision``                    the property ``decision``, ``YES`` or ``NO``
``search_time``, ``oov_count``  properties of the same names
a keyword nothing is found of   a `Segment` of kind ``query``
attributes of ``kwslist``       properties of the transcript
==============================  =======================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from sys import intern
from typing import TYPE_CHECKING

from formats.errors import SyntaxFormatError, quoted
from formats.keywords.ecf import file_of, stem
from formats.keywords.elements import (
    DECIMAL,
    FLOAT,
    LONGEST,
    Shape,
    attribute_error,
    elements,
    nothing_there,
    number,
    whole_number,
    xml_error,
)
from formats.keywords.markup import attributes, time_and_duration
from formats.keywords.model import (
    DetectedKeyword,
    Detection,
    Kwslist,
    KwslistHeader,
    SearchedKeyword,
)
from formats.loss import refused
from formats.model import Segment
from formats.sink import Sink
from formats.source import Source, recording_of
from formats.spec import FormatSpec, Option, SegmentSource, decimals
from formats.times import nanoseconds
from formats.xml_document import line_of

if TYPE_CHECKING:
    from lxml.etree import _Element

WHOLE = re.compile(r"[+-]?[0-9]+")
DECISIONS = {"YES": True, "NO": False}
USUAL_ORDER = ["file", "channel", "tbeg", "dur", "score", "decision"]
NUMBERS = re.compile(f"{DECIMAL.pattern} {DECIMAL.pattern} {FLOAT.pattern} {WHOLE.pattern}")
SHAPES = {
    "kwslist": Shape("", ("kwlist_filename", "language", "system_id"), ("min_score", "max_score")),
    "detected_kwlist": Shape("kwslist", ("kwid", "search_time", "oov_count"), is_record=True),
    "kw": Shape("detected_kwlist", tuple(USUAL_ORDER), is_record=True),
}


def stream_kwslist(source: Source) -> Iterator[KwslistHeader | SearchedKeyword | Detection]:
    """What the file says, as it comes: the header; each keyword searched, then its detections.

    Memory does not grow with the file.
    """
    is_there = False
    for event in _stream(source):
        is_there = True
        yield event
    if not is_there:
        raise nothing_there(source, "kwslist")


def _stream(source: Source) -> Iterator[KwslistHeader | SearchedKeyword | Detection]:
    """`stream_kwslist`; nothing of an empty file."""
    header = KwslistHeader("", "", "")
    keyword = ""
    read_detection = _DetectionReader(source)
    for opens, element in elements(source, "kwslist", SHAPES):
        if not opens:
            continue
        if element.tag == "kw":
            try:
                yield read_detection(element, keyword, header)
            except SyntaxFormatError as error:
                source.log.reject("KWSLIST-DETECTION", error)
        elif element.tag == "detected_kwlist":
            searched = _searched(source, element)
            keyword = searched.keyword
            yield searched
        else:
            header = _header(source, element)
            yield header


def read_kwslist(source: Source) -> Kwslist:
    """The whole file as one object; a detection takes some 500 bytes."""
    header = KwslistHeader("", "", "")
    keywords: list[tuple[SearchedKeyword, list[Detection]]] = []
    for event in stream_kwslist(source):
        if isinstance(event, Detection):
            keywords[-1][1].append(event)
        elif isinstance(event, SearchedKeyword):
            keywords.append((event, []))
        else:
            header = event
    return Kwslist(header, tuple(DetectedKeyword(one, tuple(found)) for one, found in keywords))


def _header(source: Source, element: _Element) -> KwslistHeader:
    bounds: list[float | None] = []
    for name in ("min_score", "max_score"):
        given = element.get(name) is not None
        bounds.append(number(source, element, name, FLOAT) if given else None)
    lowest, highest = bounds
    if (lowest is None) != (highest is None):
        raise xml_error(source, element, "both min_score and max_score, or neither", "one of them")
    if lowest is not None and highest is not None and lowest > highest:
        raise attribute_error(source, element, "max_score", "no less than min_score")
    return KwslistHeader(
        element.get("kwlist_filename", ""),
        element.get("language", ""),
        element.get("system_id", ""),
        lowest,
        highest,
    )


def _searched(source: Source, element: _Element) -> SearchedKeyword:
    number(source, element, "search_time")
    count = element.get("oov_count", "")
    if count != "NA" and not (count.isascii() and count.isdigit()):
        raise attribute_error(source, element, "oov_count", "NA or a whole number")
    return SearchedKeyword(
        element.get("kwid", ""),
        element.get("search_time", ""),
        None if count == "NA" else int(count[:18]),
        line_of(element),
    )


class _DetectionReader:
    """Reads one detection after the other."""

    def __init__(self, source: Source) -> None:
        self.source = source

    def __call__(self, element: _Element, keyword: str, header: KwslistHeader) -> Detection:
        if element.keys() == USUAL_ORDER:
            file, channel, begin, duration, score, decision = element.values()
        else:
            file, channel, begin, duration, score, decision = (
                str(element.get(name)) for name in USUAL_ORDER
            )
        if NUMBERS.fullmatch(f"{begin} {duration} {score} {channel}") is None:
            for name in ("tbeg", "dur"):
                number(self.source, element, name)
            number(self.source, element, "score", FLOAT)
            channel = whole_number(self.source, element, "channel")
            begin, duration, score = begin.strip(), duration.strip(), score.strip()
        if max(abs(float(begin)), abs(float(duration))) > LONGEST:
            for name in ("tbeg", "dur"):
                number(self.source, element, name)
        detection = Detection(
            keyword,
            intern(file),
            intern(channel),
            float(begin),
            float(duration),
            float(score),
            decision == "YES",
            begin,
            duration,
            score,
            line_of(element),
        )
        if decision not in DECISIONS:
            detection = detection._replace(decision=self._decision(element))
        total = detection.begin + detection.duration + detection.score
        if detection.duration <= 0 or header.min_score is not None or total - total != 0:
            self._check(element, detection, header)
        return detection

    def _decision(self, element: _Element) -> bool:
        decided = DECISIONS.get(element.get("decision", "").strip().upper())
        if decided is None:
            raise attribute_error(self.source, element, "decision", "YES or NO")
        self.source.log.note(
            "KWSLIST-DECISION",
            f"decision {quoted(element.get('decision', ''))} read in capitals",
            line_of(element),
        )
        return decided

    def _check(self, element: _Element, detection: Detection, header: KwslistHeader) -> None:
        if detection.duration <= 0:
            if detection.duration < 0:
                raise attribute_error(self.source, element, "dur", "a duration of 0 or more")
            self.source.log.warn("KWSLIST-DURATION", "a duration of 0", detection.line)
        for value in (detection.begin, detection.duration, detection.score):
            if value - value != 0:
                raise xml_error(
                    self.source, element, "numbers of reasonable size", quoted(f"{value}")
                )
        lowest, highest = header.min_score, header.max_score
        if lowest is None or highest is None:
            return
        if detection.score < lowest:
            problem = f"Score < File 'min_score' [{detection.score_text} < {lowest:.15g}]"
        elif detection.score > highest:
            problem = f"Score > File 'max_score' [{detection.score_text} > {highest:.15g}]"
        else:
            return
        raise SyntaxFormatError(problem, path=self.source.name, line=detection.line)


def read(source: Source) -> Iterator[Segment]:
    """One segment per detection, and one of kind ``query`` per keyword nothing was found of."""
    lines: dict[str, int | None] = {}
    waiting: SearchedKeyword | None = None
    of_search: dict[str, str] = {}
    for event in _stream(source):
        if isinstance(event, Detection):
            waiting = None
            yield _segment(source, event, of_search)
        elif isinstance(event, SearchedKeyword):
            if waiting is not None:
                yield _query(source, waiting, of_search)
            if event.keyword in lines:
                raise source.syntax_error(
                    event.line,
                    f"keywords searched once (first in line {lines[event.keyword]})",
                    quoted(event.keyword),
                )
            lines[event.keyword] = event.line
            waiting = event
            of_search = {
                "oov_count": "NA" if event.oov_count is None else f"{event.oov_count}",
                "search_time": event.search_time,
            }
        else:
            for name, value in event._asdict().items():
                if value is not None:
                    source.properties[name] = value if isinstance(value, str) else f"{value:.15g}"
    if waiting is not None:
        yield _query(source, waiting, of_search)


def _query(source: Source, searched: SearchedKeyword, of_search: dict[str, str]) -> Segment:
    return Segment(
        source.recording, (searched.keyword,), tier="kws", properties=tuple(of_search.items()),
        kind="query", line=searched.line,
    )  # fmt: skip


def _segment(source: Source, detection: Detection, of_search: dict[str, str]) -> Segment:
    recording = stem(detection.file)
    if not recording:
        raise source.syntax_error(detection.line, "the name of a file", '""')
    named = () if recording == detection.file else (("file", detection.file),)
    begin = nanoseconds(detection.begin)
    end = begin + nanoseconds(detection.duration)
    decision = "YES" if detection.decision else "NO"
    return Segment(
        recording, (detection.keyword,), channel=detection.channel, start_ns=begin, end_ns=end,
        starts_ns=(begin,), ends_ns=(end,), confidences=(detection.score,), tier="kws",
        properties=(("decision", decision), *named, *of_search.items()), line=detection.line,
    )  # fmt: skip


def write(
    segments: SegmentSource,
    sink: Sink,
    *,
    precision: int = 3,
    decision: str = "YES",
    channel: str = "1",
) -> None:
    """Write every word as a detection, keyword by keyword in the order of their first ones.

    Parameters
    ----------
    precision: decimals of times, 0 to 9; begins and ends are rounded, and durations lie between.
    decision, channel: of segments that do not say.

    Scores have at most six decimals. A word alone in its segment may have the segment's times and
    confidence.
    """
    path = segments.source
    found: dict[str, list[Segment]] = {}
    searches: dict[str, dict[str, str]] = {}
    written: list[Segment] = []
    for segment in segments:
        if segment.kind == "query" and len(segment.words) == 1:
            found.setdefault(segment.words[0], [])
            written.append(segment)
            _count_of_query(segment, segments, sink)
            searches.setdefault(segment.words[0], dict(segment.properties))
        elif segment.kind == "query":
            sink.losses.add("queries", 1, "not of one word", path, segment.line)
        else:
            cut = max(segment.word_count - 1, 0)
            rule = "a detection for each word"
            sink.losses.add("segment boundaries", cut, rule, path, segment.line)
            for single in _single_words(segment, path, sink):
                found.setdefault(single.words[0], []).append(single)
                written.append(single)
    searched = [s for s in written if s.kind == "query"]
    for n, segment in enumerate(searched):
        again = found[segment.words[0]] or segment.words[0] in (s.words[0] for s in searched[:n])
        rule = "of a keyword that is there"
        sink.losses.add("queries", int(bool(again)), rule, path, segment.line)
    places = {keyword: place for place, keyword in enumerate(found)}
    sink.losses.in_order(written, lambda single: places[single.words[0]], "by keyword", path)
    given = dict(segments.properties)
    header = {name: given.get(name, "") for name in ("kwlist_filename", "language", "system_id")}
    header.update({n: given[n] for n in ("min_score", "max_score") if n in given})
    sink.write(f"<kwslist{attributes(header)}>\n")
    for keyword, own in found.items():
        properties = searches[keyword] if keyword in searches else dict(own[0].properties)
        pairs = {
            "kwid": keyword,
            "search_time": properties.get("search_time", "0.000"),
            "oov_count": properties.get("oov_count", "NA"),
        }
        sink.write(f"<detected_kwlist{attributes(pairs)}>\n")
        for segment in own:
            sink.write(_row(segment, path, sink, precision, decision, channel))
        sink.write("</detected_kwlist>\n")
    sink.write("</kwslist>\n")


def _count_of_query(query: Segment, segments: SegmentSource, sink: Sink) -> None:
    """Where and when somebody looked for a keyword has no place in the file."""
    path = segments.source
    is_named = path is not None and query.recording != recording_of(path)
    for what, lost in (
        ("recordings", is_named),
        ("channels", query.channel is not None),
        ("segment times", query.start_ns is not None or query.end_ns is not None),
    ):
        sink.losses.add(what, int(lost), "of queries", path, query.line)


def _single_words(segment: Segment, path: str | None, sink: Sink) -> Iterator[Segment]:
    """A segment for every word, with its times and its confidence."""
    if segment.alternations:
        raise refused(path, segment.line, "keywords without alternatives", "an alternation")
    for index in range(len(segment.words)):
        token = segment.token(index)
        alone = len(segment.words) == 1
        start = segment.start_ns if token.start_ns is None and alone else token.start_ns
        end = segment.end_ns if token.end_ns is None and alone else token.end_ns
        times = segment.start_ns, segment.end_ns
        is_other = not index and times not in ((None, None), (start, end))
        rule = "those of the words kept"
        sink.losses.add("segment times", int(is_other), rule, path, segment.line)
        confidence = token.confidence
        if confidence is None and alone:
            confidence = segment.confidence
        yield Segment(
            segment.recording, (token.text,), channel=segment.channel, start_ns=start,
            end_ns=end, confidence=confidence, properties=segment.properties, line=segment.line,
        )  # fmt: skip


def _row(
    segment: Segment, path: str | None, sink: Sink, precision: int, decision: str, channel: str
) -> str:
    begin, duration, _ = time_and_duration(segment, path, sink, precision)
    score = segment.confidence
    properties = dict(segment.properties)
    decided = properties.get("decision", decision)
    of_channel = segment.channel or channel
    for holds, expected, shown in (
        (score is not None, "a detection with a confidence", "none"),
        (decided in DECISIONS, "a decision YES or NO", quoted(decided)),
        (WHOLE.fullmatch(of_channel), "a channel that is a whole number", quoted(of_channel)),
    ):
        if not holds:
            raise refused(path, segment.line, expected, shown)
    assert score is not None
    text = f"{score:.6f}".rstrip("0").rstrip(".")
    if float(text) != score:
        sink.losses.add("decimals of confidences", 1, "rounded to 6", path, segment.line)
    pairs = {
        "file": file_of(segment, "file", path, sink),
        "channel": of_channel,
        "tbeg": begin,
        "dur": duration,
        "score": "0" if text == "-0" else text,
        "decision": decided,
    }
    return f"<kw{attributes(pairs)}/>\n"


def kwslist_text(kwslist: Kwslist) -> Iterator[str]:
    """The file as NIST's validators rewrite it: keywords sorted, times with three decimals."""
    names = ("kwlist_filename", "language", "system_id")
    yield f"<kwslist{attributes({name: getattr(kwslist.header, name) for name in names})}>\n"
    for keyword in sorted(kwslist.keywords, key=lambda k: k.searched.keyword):
        searched = keyword.searched
        pairs = {
            "kwid": searched.keyword,
            "search_time": searched.search_time,
            "oov_count": "NA" if searched.oov_count is None else f"{searched.oov_count}",
        }
        yield f"  <detected_kwlist{attributes(pairs)}>\n"
        for detection in keyword.detections:
            pairs = {
                "file": detection.file,
                "channel": detection.channel,
                "tbeg": f"{detection.begin:.3f}",
                "dur": f"{detection.duration:.3f}",
                "score": detection.score_text or f"{detection.score:.15g}",
                "decision": "YES" if detection.decision else "NO",
            }
            yield f"    <kw{attributes(pairs)}/>\n"
        yield "  </detected_kwlist>\n"
    yield "</kwslist>\n"


SPEC = FormatSpec(
    title="detections of keyword search, with scores and decisions",
    sign="the root element kwslist",
    read=read,
    write=write,
    holds=(
        *("words", "recordings", "channels", "segment times", "word times", "confidences"),
        *("tiers", "queries", "segment boundaries"),
    ),
    properties=("decision", "file", "oov_count", "search_time"),
    needs=("word times", "confidences"),
    write_options=(
        decimals(),
        Option("decision", "YES", "of detections that do not say", ("YES", "NO")),
        Option("channel", "1", "of detections that do not say"),
    ),
    manual="One entry per detection: file, channel, begin, duration, score, decision.",
)
