"""podcast-html: podcast transcripts in HTML, as specified by the Podcasting 2.0 namespace.

=================================  ==========================================================
in the file                        in the schema
=================================  ==========================================================
``<cite>Ann:</cite>``              `Segment.speaker` of the next turn, without the colon
``<time>0:53</time>``              `Segment.start_ns` of the next turn
``<p>text</p>``                    words; paragraphs below one name or time are one turn
any other element                  no words, counted in a note
=================================  ==========================================================

A turn may lack the name, the time or both. A name or time applies to one turn only. In a paragraph,
``cite`` is the title of a book unless a time follows directly. If the end tag of a paragraph is
missing, a name with a colon and a clock time also end it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from formats.detection.spec import FormatSpec
from formats.io.source import Source
from formats.meetings.messages import PODCAST_TEXT
from formats.meetings.speaker_text import CLOSE_GAPS
from formats.meetings.turns.corrections import checked_turns
from formats.meetings.turns.heads import TurnHead
from formats.meetings.turns.reading import turn_segment
from formats.reading.lines import replace_long_references, split_words, strip_blanks
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.schema.times import parse_clock

PARTS = ("cite", "time", "p")
HIDDEN = ("script", "style", "title")
TAG = re.compile(
    r"<(?:(?P<comment>!--)|(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9-]{0,30})(?:[\s/][^<>]{0,2000})?>"
    r"|[!?][^<>]{0,2000}>)"
)
CLOCK = r"<time(?:\s[^<>]{0,2000})?>\s{0,99}[0-9]{1,9}:[0-9:.]{1,9}\s{0,99}</time>"
NAME = r"<cite(?:\s[^<>]{0,2000})?>[^<>]{1,200}"
HEAD = re.compile(rf"{NAME}</cite>\s{{0,99}}{CLOCK}", re.IGNORECASE)
"""A name and a time, which begin a turn wherever they are."""
PART = re.compile(rf"(?:{NAME}:\s{{0,99}}</(cite)>|{CLOCK[:-5]}(time)>)", re.IGNORECASE)
"""A name or a time that ends a paragraph without an end tag."""
PARAGRAPH = re.compile(r"<(/?)p(?=[\s/>])|\Z", re.IGNORECASE)


class _Turns:
    """Collects the turns of a document. Inside a paragraph, other elements are part of its text."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.turns: list[Segment] = []
        self.others = 0
        self._line = 1
        self._element = ""
        self._text = ""
        self._head: TurnHead | None = None
        self._words: list[str] | None = None
        self._begin = 0
        self._next_paragraph = PARAGRAPH.search("")
        self._interrupting = ""
        """The part of a turn after which an interrupted paragraph goes on."""

    def read(self, text: str) -> None:
        """Parse a whole document; an unclosed comment extends to its end."""
        position = 0
        while (tag := TAG.search(text, position)) is not None:
            self._take(text[position : tag.start()])
            position = tag.end()
            if tag["comment"]:
                end = text.find("-->", position)
                position = len(text) if end < 0 else end + len("-->")
            self._line += text.count("\n", tag.start(), position)
            name = (tag["name"] or "").lower()
            if tag["end"] and name == self._element:
                self._close()
                if name == self._interrupting:
                    self._element, self._interrupting = "p", ""
            elif not tag["end"] and self._element not in HIDDEN:
                if self._element == "p" and (last := self._last_of_head(text, tag.start())):
                    self._interrupting = last
                    self._close()
                self._open(name)
        self._take(text[position:])
        self._close()
        self._end_turn()

    def _last_of_head(self, text: str, position: int) -> str:
        """Return the element with which the name and time of a turn end."""
        if HEAD.match(text, position):
            return "time"
        following = self._next_paragraph
        if following is None or following.start() < position:
            following = self._next_paragraph = PARAGRAPH.search(text, position)
        is_open = following is not None and not following[1]
        part = PART.match(text, position) if is_open else None
        return "" if part is None else part[1] or part[2]

    def _open(self, name: str) -> None:
        """Begin a part of a turn. Inside a paragraph, names and times are part of its text."""
        if name in HIDDEN or (name in PARTS and (name == "p" or self._element != "p")):
            self._close()
            self._element = name
        elif name == "br":
            self._text += " "

    def _take(self, text: str) -> None:
        """Add text of the document to the current part."""
        self._line += text.count("\n")
        if self._element:
            self._text += text
        else:
            self.others += bool(text.strip())

    def _close(self) -> None:
        element, self._element = self._element, ""
        text, self._text = unescape(replace_long_references(self._text)).replace("\n", " "), ""
        if element not in PARTS:
            return
        if element != "p" and self._words is not None:
            self._end_turn()
        head = self._head or TurnHead(None, None, None, "")
        self._begin = self._begin if self._head else self._line
        if element == "cite":
            name = strip_blanks(strip_blanks(text).removesuffix(":"))
            self._head = head._replace(name=name or None)
        elif element == "time":
            self._head = head._replace(start=self._time(strip_blanks(text)))
        else:
            self._head = head
            self._words = [] if self._words is None else self._words
            self._words.extend(split_words(text))

    def _time(self, text: str) -> int | None:
        """Parse a clock time; return nanoseconds.

        Other text is rejected: the turn gets no start.
        """
        try:
            return parse_clock(text)
        except ValueError:
            expected = "a time as 0:53 or 1:00:53"
            error = self.source.syntax_error(self._line, expected, quoted(text))
        self.source.log.reject("PODCAST-TIME", error)
        return None

    def _end_turn(self) -> None:
        if self._head is not None:
            self.turns.append(turn_segment(self.source, self._head, self._words or [], self._begin))
        self._head, self._words = None, None


def read(source: Source, *, close_gaps: bool = False) -> Iterator[Segment]:
    """Yield one segment per turn."""
    parser = _Turns(source)
    parser.read("\n".join(line for _, line in source.lines()))
    if parser.others:
        source.log.say(PODCAST_TEXT, texts=parser.others)
    yield from checked_turns(source, parser.turns, close_gaps=close_gaps)


SPEC = FormatSpec(
    title="transcripts of podcasts in HTML (Podcasting 2.0): names, times and paragraphs",
    sign="the root element cite",
    read=read,
    has_one_recording=True,
    read_options=(CLOSE_GAPS,),
)
