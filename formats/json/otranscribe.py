"""otranscribe: JSON files of oTranscribe: text in HTML with time stamps.

=====================================  =========================================================
in the file                            in the schema
=====================================  =========================================================
``<span class="timestamp">``           the start of a segment; ``data-timestamp`` in seconds, in old
                                       files as ``0:12``. A segment ends at the next mark; the last
                                       segment has no end
text before the first mark             a segment without times
a mark without text after it           the end of the segment before it
``<b>Name</b>:`` before a text         `Segment.speaker`; if no name is bold, a plain ``Name:``
                                       counts if most texts begin with one (see
                                       `formats.reading.speakers`)
any other markup, ``&nbsp;``           read as blanks
``media``                              `Segment.recording`: the stem of the file
=====================================  =========================================================
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser

from formats.detection.spec import FormatSpec, SegmentSource
from formats.io.messages import RULE_SORTED_BY_BEGIN
from formats.io.sink import Sink
from formats.io.source import Source, recording_of
from formats.json.messages import OTR_ORDER, RULE_ENDS_WHERE_NEXT_BEGINS
from formats.json.output import JsonOut, json_text
from formats.json.spoken_words import plain_words
from formats.json.value import JsonDocument, JsonValue
from formats.json.words_to_segments import Reading
from formats.reading.lines import replace_long_references
from formats.reading.speakers import is_name
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.schema.times import SECOND, format_clock, format_time, parse_clock, parse_time
from formats.writing.out import Out

BLANKS = " \t\n\r\v\f\xa0"
BOLD = ("b", "strong")
BLOCKS = ("p", "div", "br", "li", "h1", "h2", "h3")
SPEAKER = re.compile(r"[ \t\n]*([^\n:：]{1,60})[:：](?=[ \t\n]|\Z)[ ]?")
CLOCK = re.compile(r"(?:[0-9]{1,4}:)?[0-9]{1,3}:[0-9]{2}(?:\.[0-9]{1,9})?\Z")


@dataclass(slots=True)
class _Part:
    """The text from one time stamp to the next."""

    mark: str | None
    text: str = ""
    bold: str = ""


class _Text(HTMLParser):
    """Parses the HTML text, and divides it at time stamps."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.parts = [_Part(None)]
        self._mark: list[str] | None = None
        self._inside = 0
        self._is_bold = False

    def updatepos(self, i: int, j: int) -> int:  # the place in lines, which nobody asks for
        """Do nothing: the parser need not keep its position."""
        return j

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Process an opening HTML tag."""
        given = dict(attrs)
        if tag in BLOCKS:
            self.handle_data("\n")
        elif tag in BOLD:
            self._is_bold = not self.parts[-1].text.strip(BLANKS)
        elif tag == "span" and self._mark is not None:
            self._inside += 1
        elif tag == "span" and "timestamp" in (given.get("class") or "").split():
            self._mark = [given.get("data-timestamp") or ""]

    def handle_endtag(self, tag: str) -> None:
        """Process a closing tag."""
        if tag in BLOCKS:
            self.handle_data("\n")
        elif tag in BOLD:
            self._is_bold = False
        elif tag == "span" and self._inside:
            self._inside -= 1
        elif tag == "span" and self._mark is not None:
            self.parts.append(_Part(self._mark[0] or "".join(self._mark[1:])))
            self._mark, self._is_bold = None, False

    def handle_data(self, data: str) -> None:
        """Process text between tags."""
        if self._mark is not None:
            self._mark.append(data)
            return
        self.parts[-1].text += data
        if self._is_bold:
            self.parts[-1].bold += data


def _recording(media: str) -> str:
    """Return the recording name from a media path, which may have Windows notation."""
    return recording_of(media.replace("\\", "/"))


def read(source: Source) -> Iterator[Segment]:
    """Yield one segment per interval between time stamps."""
    for value in JsonDocument(source).values:
        text = value.required("text")
        media = value.get("media")
        if media is not None and isinstance(media.value, str) and media.value:
            source.recording = _recording(media.value) or source.recording
        source.is_silent = True
        yield from _html_segments(source, text)


def _html_segments(source: Source, text: JsonValue) -> Iterator[Segment]:
    parser = _Text()
    parser.feed(replace_long_references(text.text()))
    parser.close()
    parts = parser.parts
    times = [_time(text, part.mark) for part in parts]
    texts = [part.text.replace("\xa0", " ") for part in parts]
    heads = [SPEAKER.match(part_text) for part_text in texts]
    names = [head[1] for head in heads if head is not None and is_name(head[1])]
    filled = sum(bool(part_text.strip(BLANKS)) for part_text in texts)
    is_bold = any(
        part.bold and part_text.lstrip(BLANKS).startswith(f"{part.bold}:")
        for part, part_text in zip(parts, texts, strict=True)
    )
    # who marks names marks them all
    has_names = not is_bold and len(names) >= 0.6 * filled
    has_names = has_names and len(set(names)) <= max(2, len(names) / 2)
    reading = Reading(source)
    latest = 0
    ends = [*times[1:], None]
    for part, begin, end, part_text, head in zip(parts, times, ends, texts, heads, strict=True):
        if begin is not None and begin < latest:
            source.log.say(OTR_ORDER, time=begin / SECOND)
        latest = latest if begin is None else begin
        if not part_text.strip(BLANKS):
            continue
        speaker, bare = part.bold, part_text.lstrip(BLANKS)
        if speaker and bare.startswith(f"{speaker}:"):
            part_text = bare[len(speaker) + 1 :]
        elif has_names and head is not None and is_name(head[1]):
            speaker, part_text = head[1], part_text[head.end() :]
        else:
            speaker = ""
        span = begin, end if begin is not None and end is not None and end >= begin else None
        yield reading.segment(plain_words(part_text), speaker=speaker or None, span=span)
    reading.report()


def _time(text: JsonValue, mark: str | None) -> int | None:
    if mark is None:
        return None
    with suppress(ValueError):
        time = parse_clock(mark.strip()) if CLOCK.match(mark.strip()) else parse_time(mark.strip())
        if time >= 0:
            return time
    raise text.error("marks of time in seconds or as 0:12", quoted(mark.strip()))


def write(segments: SegmentSource, sink: Sink) -> None:
    """Write one paragraph per segment, sorted by start.

    The end of a segment gets its own time stamp unless another segment begins there.
    """
    rows = list(segments)
    for segment in rows:
        out = JsonOut(segment, sink, 9)
        if segment.start_ns is None:
            raise out.refuse("a segment with a begin", "none")
        name, speaker = segment.recording, segment.speaker
        if _recording(f"{name}.wav") != name:
            raise out.refuse("a recording without folders", quoted(name))
        if speaker is not None and (not speaker or speaker != speaker.strip(BLANKS)):
            raise out.refuse("a speaker without blanks at its ends", quoted(speaker))
        if "\xa0" in f"{speaker}{''.join(segment.words)}":
            expected = "words and speakers without no-break spaces, which are blanks"
            raise out.refuse(expected, "one")
    ordered = sink.losses.in_order(
        rows, lambda s: s.start_ns or 0, RULE_SORTED_BY_BEGIN, segments.source
    )
    paragraphs = []
    for number, segment in enumerate(ordered, 1):
        following = ordered[number].start_ns if number < len(ordered) else None
        speaker = "" if segment.speaker is None else f"<b>{escape(segment.speaker)}</b>: "
        text = escape(" ".join(segment.words), quote=False)
        text = f"{_mark(segment.start_ns or 0)}&nbsp;{speaker}{text}"
        if segment.end_ns is not None and (following is None or segment.end_ns < following):
            text += f" {_mark(segment.end_ns)}"
        elif segment.end_ns != following:
            Out(segment, sink).lost("segment times", 1, RULE_ENDS_WHERE_NEXT_BEGINS)
        paragraphs.append(f"<p>{text}</p>")
    name = f"{rows[0].recording}.wav" if rows else ""
    content = {"text": "\n".join(paragraphs), "media": name, "media-time": 0}
    sink.write(json_text(content) + "\n")


def _mark(time: int) -> str:
    seconds = format_time(time, 9).rstrip("0").rstrip(".")
    shown = format_clock(time, decimals=0, hour_digits=1)
    return f'<span class="timestamp" data-timestamp="{seconds}">{shown}</span>'


SPEC = FormatSpec(
    title="oTranscribe's files: a text in HTML with marks of time, in JSON",
    sign='"text" in HTML, and "media"',
    read=read,
    write=write,
    holds=("words", "recordings", "speakers", "segment times", "segment boundaries"),
    needs=("segment times",),
    has_one_recording=True,
)
