"""podcast-html: transcripts of podcasts in HTML, as the Podcasting 2.0 namespace describes them.

=================================  ==========================================================
in the file                        in the schema
=================================  ==========================================================
``<cite>Ann:</cite>``              `Segment.speaker` of the turn below, without the colon
``<time>0:53</time>``              `Segment.start_ns` of the turn below
``<p>text</p>``                    words; paragraphs below one name or time are one turn
any other element                  no words, counted in a note
=================================  ==========================================================

Names and times may both be missing, and hold for one turn only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import unescape

from formats.clock import parse_clock
from formats.errors import quoted
from formats.lines import replace_long_references, split_words, strip_blanks
from formats.meetings.speaker_text import CLOSE_GAPS
from formats.meetings.turns import TurnHead, checked_turns, turn_segment
from formats.model import Segment
from formats.source import Source
from formats.spec import FormatSpec

PARTS = ("cite", "time", "p")
HIDDEN = ("script", "style", "title")
TAG = re.compile(
    r"<(?:(?P<comment>!--)|(?P<end>/?)(?P<name>[A-Za-z][A-Za-z0-9-]{0,30})(?:[\s/][^<>]{0,2000})?>"
    r"|[!?][^<>]{0,2000}>)"
)


class _Turns:
    """Collects turns; elements within a paragraph are part of its text."""

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
            elif not tag["end"] and self._element not in HIDDEN:
                self._open(name)
        self._take(text[position:])
        self._close()
        self._end_turn()

    def _open(self, name: str) -> None:
        """Begin a part of a turn; in a paragraph names and times are text."""
        if name in HIDDEN or (name in PARTS and (name == "p" or self._element != "p")):
            self._close()
            self._element = name
        elif name == "br":
            self._text += " "

    def _take(self, text: str) -> None:
        """Collect text."""
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
        """Nanoseconds of a clock; rejects any other text, and the turn then has no begin."""
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
    """A segment for each turn."""
    parser = _Turns(source)
    parser.read("\n".join(line for _, line in source.lines()))
    if parser.others:
        message = f"texts outside of cite, time and p, which are no words: {parser.others}"
        source.log.note("PODCAST-TEXT", message)
    yield from checked_turns(source, parser.turns, close_gaps=close_gaps)


SPEC = FormatSpec(
    title="transcripts of podcasts in HTML (Podcasting 2.0): names, times and paragraphs",
    sign="the root element cite",
    has_one_recording=True,
    read_options=(CLOSE_GAPS,),
)
