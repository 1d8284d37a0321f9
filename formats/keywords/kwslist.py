"""kwslist: the detections of keywords by a system, with scores and decisions.

==============================  ================================================================
in the file                     in the schema
==============================  ================================================================
``kw``                          a `Segment` of tier ``kws``; its only word is the keyword's
                                identifier, with the times of the segment
``file``                        `Segment.recording`, without directories and audio suffix; if it
                                has
                                these, the full name is the property ``file``
``channel``                     `Segment.channel`
``tbeg``, ``dur``, ``score``    start, end and confidence of segment and word
``decision``                    the property ``decision``, ``YES`` or ``NO``
``search_time``, ``oov_count``  properties of the same names
a keyword without detections    a `Segment` of kind ``query``
attributes of ``kwslist``       properties of the transcript
==============================  ================================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import count, repeat
from operator import attrgetter
from sys import intern
from typing import TYPE_CHECKING

from formats.detection.spec import FormatSpec, Option, SegmentSource, decimals
from formats.io.sink import Sink
from formats.io.source import Source, recording_of
from formats.keywords.ecf import file_of, stem
from formats.keywords.elements import (
    FLOAT,
    Shape,
    attribute_error,
    elements,
    nothing_there,
    number,
    whole_number,
)
from formats.keywords.markup import attributes, channel_of, time_and_duration
from formats.keywords.messages import (
    KWSLIST_DECISION,
    KWSLIST_DURATION,
    RULE_NOT_ONE_WORD,
    RULE_OF_QUERIES,
    RULE_PER_WORD,
    RULE_REPEATED,
    RULE_ROUNDED_TO_6,
    RULE_SORTED_BY_KEYWORD,
    RULE_THOSE_WORDS_KEPT,
)
from formats.keywords.model import (
    DetectedKeyword,
    Detection,
    Kwslist,
    KwslistHeader,
    SearchedKeyword,
)
from formats.reading.xml_document import line_of, xml_error
from formats.schema.errors import SyntaxFormatError, quoted
from formats.schema.model import Segment
from formats.schema.times import nanoseconds
from formats.writing.out import Out

if TYPE_CHECKING:
    from lxml.etree import _Element

DECISIONS = {"YES": True, "NO": False}
DURATION = attrgetter("duration")
_NUMBER = r"[0-9]{1,9}(?:\.[0-9]+)?"
# the line of nearly every detection, whose six values need no further check
_USUAL = (
    r'[ \t]*<kw file="[ !#-%\'-;=?-~]*" channel="[0-9]+" '
    rf'tbeg="{_NUMBER}" dur="{_NUMBER}" '
    rf'score="-?{_NUMBER}(?:e-?[0-9]{{1,2}})?" decision="(?:YES|NO)" ?/>\n'
)
# the line that begins the detections of a keyword, usual detections, another detection, others
_LINES = re.compile(
    rf"([ \t]*<detected_kwlist [^<>]*[^<>/]>\n)|((?:{_USUAL})+)|([ \t]*<kw [^<>\n]*/>\n)"
    r"|[^\n]+\n?|\n"
)
_IN_PLACE = '<kw file="" channel="" tbeg="" dur="" score="" decision="#{}"/>'
SHAPES = {
    "kwslist": Shape("", ("kwlist_filename", "language", "system_id"), ("min_score", "max_score")),
    "detected_kwlist": Shape("kwslist", ("kwid", "search_time", "oov_count"), is_record=True),
    "kw": Shape(
        "detected_kwlist",
        ("file", "channel", "tbeg", "dur", "score", "decision"),
        is_record=True,
    ),
}


def stream_kwslist(source: Source) -> Iterator[KwslistHeader | SearchedKeyword | Detection]:
    """Yield the header of the file, then each keyword with its detections.

    Memory use does not grow with the file.
    """
    event = None
    for event in _stream(source):
        yield event
    if event is None:
        raise nothing_there(source, "kwslist")


class _Runs:
    """Lines of usual detections, which are read without a parser.

    The parser gets one detection in place of each run of them; its decision is the run's key.
    """

    def __init__(self) -> None:
        self._line = 1
        self._is_list = False
        self._runs: dict[str, tuple[int, str]] = {}

    def cut(self, blocks: Iterable[str]) -> Iterator[str]:
        """Yield the text of some blocks without the runs, but with all line ends."""
        rest, is_usual = "", True
        for block in blocks:
            rest += block
            end = rest.rfind("\n") + 1 or len(rest)
            is_usual = is_usual and "<!" not in rest  # a comment, or a section of text
            yield _LINES.sub(self._replace, rest[:end]) if is_usual else rest[:end]
            rest = rest[end:]
        yield rest

    def _replace(self, match: re.Match[str]) -> str:
        text, kind, line = match[0], match.lastindex, self._line
        size = text.count("\n")
        self._line += size
        if kind == 2 and self._is_list:
            self._runs[f"#{line}"] = line, text
            return _IN_PLACE.format(line) + "\n" * size
        self._is_list = kind == 1 or (kind == 3 and self._is_list)
        return text

    def detections(self, key: str, keyword: str) -> list[Detection] | None:
        """Return the detections of a run; None if no run has this key."""
        if key not in self._runs:
            return None
        line, text = self._runs.pop(key)
        values = text.split('"')
        files, channels, begins, durations, scores, decisions = (
            values[place::12] for place in range(1, 12, 2)
        )
        rows = zip(
            repeat(keyword), map(intern, files), map(intern, channels), map(float, begins),
            map(float, durations), map(float, scores), map(DECISIONS.__getitem__, decisions),
            begins, durations, scores, count(line), strict=False,
        )  # fmt: skip
        return list(map(partial(tuple.__new__, Detection), rows))


def _stream(source: Source) -> Iterator[KwslistHeader | SearchedKeyword | Detection]:
    """Yield what `stream_kwslist` yields; nothing for an empty file."""
    header = KwslistHeader("", "", "")
    keyword, runs = "", _Runs()
    for opens, element in elements(source, "kwslist", SHAPES, runs.cut):
        if not opens:
            continue
        if element.tag == "kw":
            yield from _scored(source, header, runs, element, keyword)
        elif element.tag == "detected_kwlist":
            searched = _searched(source, element)
            keyword = searched.keyword
            yield searched
        else:
            header = _header(source, element)
            yield header


def read_kwslist(source: Source) -> Kwslist:
    """Read the whole file as one object; each detection takes about 500 bytes of memory."""
    header = KwslistHeader("", "", "")
    keywords: list[tuple[SearchedKeyword, list[Detection]]] = []
    for event in stream_kwslist(source):
        if isinstance(event, Detection):
            keywords[-1][1].append(event)
        elif isinstance(event, SearchedKeyword):
            keywords.append((event, []))
        else:
            header = event
    detected = (DetectedKeyword(search, tuple(detections)) for search, detections in keywords)
    return Kwslist(header, tuple(detected))


def _header(source: Source, element: _Element) -> KwslistHeader:
    lowest, highest = (
        None if element.get(name) is None else number(source, element, name, FLOAT)
        for name in ("min_score", "max_score")
    )
    if (lowest is None) != (highest is None):
        raise xml_error(source, element, "both min_score and max_score, or neither", "one of them")
    if lowest is not None and highest is not None and lowest > highest:
        raise attribute_error(source, element, "max_score", "no less than min_score")
    file, language, system = (element.get(name, "") for name in SHAPES["kwslist"].required)
    return KwslistHeader(file, language, system, lowest, highest)


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


def _scored(
    source: Source, header: KwslistHeader, runs: _Runs, element: _Element, keyword: str
) -> Iterator[Detection]:
    """Yield the detection of an element, or those in whose place it is.

    Detections with errors, or with scores out of bounds, are rejected.
    """
    found: Sequence[Detection] | None = runs.detections(element.get("decision", ""), keyword)
    if found is None:
        try:
            found = (_detection(source, element, keyword),)
        except SyntaxFormatError as error:
            source.log.reject("KWSLIST-DETECTION", error)
            return
    lowest, highest = header.min_score, header.max_score
    if lowest is None and highest is None and all(map(DURATION, found)):
        yield from found
        return
    for detection in found:
        if not detection.duration:
            source.log.say(KWSLIST_DURATION, detection.line)
        if lowest is not None and detection.score < lowest:
            problem = f"Score < File 'min_score' [{detection.score_text} < {lowest:.15g}]"
        elif highest is not None and detection.score > highest:
            problem = f"Score > File 'max_score' [{detection.score_text} > {highest:.15g}]"
        else:
            yield detection
            continue
        beyond = SyntaxFormatError(problem, path=source.name, line=detection.line)
        source.log.reject("KWSLIST-DETECTION", beyond)


def _detection(source: Source, element: _Element, keyword: str) -> Detection:
    """Return the detection of an element."""
    begin, duration = (number(source, element, name) for name in ("tbeg", "dur"))
    score = number(source, element, "score", FLOAT)
    channel = whole_number(source, element, "channel")
    decision_text = element.get("decision", "")
    decision = DECISIONS.get(decision_text.strip().upper())
    line = line_of(element)
    if decision is None:
        raise attribute_error(source, element, "decision", "YES or NO")
    if decision_text not in DECISIONS:
        source.log.say(KWSLIST_DECISION, line, text=decision_text)
    if duration < 0:
        raise attribute_error(source, element, "dur", "a duration of 0 or more")
    tbeg, dur, written = (element.get(name, "").strip() for name in ("tbeg", "dur", "score"))
    return Detection(
        keyword, intern(element.get("file", "")), intern(channel), begin, duration, score,
        decision, tbeg, dur, written, line,
    )  # fmt: skip


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per detection, and one of kind ``query`` per keyword without detections."""
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
                    f"a keyword that occurs once (it is also in line {lines[event.keyword]})",
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
    """Write every word as a detection; keywords are in the order of their first detections.

    Scores have at most six decimals. If a segment has a single word without times or confidence,
    those of the segment are written.
    """
    by_keyword: dict[str, list[Segment]] = {}
    searches: dict[str, dict[str, str]] = {}
    written: list[Segment] = []
    for segment in segments:
        if segment.kind == "query" and len(segment.words) == 1:
            by_keyword.setdefault(segment.words[0], [])
            written.append(segment)
            _count_of_query(Out(segment, sink))
            searches.setdefault(segment.words[0], dict(segment.properties))
        elif segment.kind == "query":
            Out(segment, sink).lost("queries", 1, RULE_NOT_ONE_WORD)
        else:
            out = Out(segment, sink)
            cut = max(segment.word_count - 1, 0)
            out.lost("segment boundaries", cut, RULE_PER_WORD)
            for single in _single_words(out):
                by_keyword.setdefault(single.words[0], []).append(single)
                written.append(single)
    searched = [s for s in written if s.kind == "query"]
    for n, segment in enumerate(searched):
        (keyword,) = segment.words
        again = by_keyword[keyword] or keyword in (query.words[0] for query in searched[:n])
        Out(segment, sink).lost("queries", int(bool(again)), RULE_REPEATED)
    order = {keyword: index for index, keyword in enumerate(by_keyword)}
    sink.losses.in_order(
        written, lambda single: order[single.words[0]], RULE_SORTED_BY_KEYWORD, sink.source
    )
    texts, shape = dict(segments.properties), SHAPES["kwslist"]
    header = {name: texts.get(name, "") for name in shape.required}
    header |= {name: texts[name] for name in shape.optional if name in texts}
    sink.write(f"<kwslist{attributes(header)}>\n")
    for keyword, detections in by_keyword.items():
        properties = searches[keyword] if keyword in searches else dict(detections[0].properties)
        pairs = {
            "kwid": keyword,
            "search_time": properties.get("search_time", "0.000"),
            "oov_count": properties.get("oov_count", "NA"),
        }
        sink.write(f"<detected_kwlist{attributes(pairs)}>\n")
        for segment in detections:
            sink.write(_row(Out(segment, sink), precision, decision, channel))
        sink.write("</detected_kwlist>\n")
    sink.write("</kwslist>\n")


def _count_of_query(out: Out) -> None:
    """Count the times and the recording of a query as lost."""
    query, path = out.segment, out.sink.source
    is_named = path is not None and query.recording != recording_of(path)
    out.lost("recordings", int(is_named), RULE_OF_QUERIES)
    out.lost("channels", int(query.channel is not None), RULE_OF_QUERIES)
    is_timed = query.start_ns is not None or query.end_ns is not None
    out.lost("segment times", int(is_timed), RULE_OF_QUERIES)


def _single_words(out: Out) -> Iterator[Segment]:
    """Yield a segment for every word, with its times and its confidence."""
    segment = out.segment
    if segment.alternations:
        raise out.refuse("keywords without alternatives", "an alternation")
    alone = len(segment.words) == 1
    for index, token in enumerate(segment.all_tokens()):
        start = segment.start_ns if token.start_ns is None and alone else token.start_ns
        end = segment.end_ns if token.end_ns is None and alone else token.end_ns
        times = segment.start_ns, segment.end_ns
        is_other = not index and times not in ((None, None), (start, end))
        out.lost("segment times", int(is_other), RULE_THOSE_WORDS_KEPT)
        is_whole = token.confidence is None and alone
        yield Segment(
            segment.recording, (token.text,), channel=segment.channel, start_ns=start,
            end_ns=end, confidence=segment.confidence if is_whole else token.confidence,
            properties=segment.properties, line=segment.line,
        )  # fmt: skip


def _row(out: Out, precision: int, decision: str, channel: str) -> str:
    begin, duration, _ = time_and_duration(out, precision)
    score = out.segment.confidence
    decided = out.segment.get("decision") or decision
    if score is None:
        raise out.refuse("a detection with a confidence", "none")
    if decided not in DECISIONS:
        raise out.refuse("a decision YES or NO", quoted(decided))
    number_of_channel = channel_of(out, channel)
    text = f"{score:.6f}".rstrip("0").rstrip(".")
    out.lost("decimals of confidences", int(float(text) != score), RULE_ROUNDED_TO_6)
    pairs = {
        "file": file_of(out, "file"),
        "channel": number_of_channel,
        "tbeg": begin,
        "dur": duration,
        "score": "0" if text == "-0" else text,
        "decision": decided,
    }
    return f"<kw{attributes(pairs)}/>\n"


def kwslist_text(kwslist: Kwslist) -> Iterator[str]:
    """Yield the text of the file as NIST's validators write it.

    Keywords are sorted, and times have three decimals.
    """
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
    holds="words, recordings, channels, segment times, word times, confidences, tiers, queries, "
    "segment boundaries",
    properties=("decision", "file", "oov_count", "search_time"),
    needs=("word times", "confidences"),
    write_options=(
        decimals(),
        Option(
            "decision",
            "YES",
            "decision to write for detections that have none (kwslist)",
            ("YES", "NO"),
        ),
        Option("channel", "1", "channel to write for segments that have none (ecf, kwslist)"),
    ),
)
