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

from collections.abc import Iterator
from html.parser import HTMLParser

from formats.clock import parse_clock
from formats.errors import quoted
from formats.lines import split_words, strip_blanks
from formats.meetings.speaker_text import CLOSE_GAPS
from formats.meetings.turns import TurnHead, checked_turns, turn_segment
from formats.model import Segment
from formats.source import Source
from formats.spec import FormatSpec

PARTS = ("cite", "time", "p")
HIDDEN = ("script", "style", "title")


class _Turns(HTMLParser):
    """Collects turns; elements within a paragraph are part of its text."""

    def __init__(self, source: Source) -> None:
        super().__init__(convert_charrefs=True)
        self.source = source
        self.turns: list[Segment] = []
        self.others = 0
        self._element = ""
        self._text = ""
        self._head: TurnHead | None = None
        self._words: list[str] | None = None
        self._line = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Begin a part of a turn."""
        if tag in HIDDEN or (tag in PARTS and (tag == "p" or self._element != "p")):
            self._close()
            self._element = tag
        elif tag == "br":
            self._text += " "

    def handle_endtag(self, tag: str) -> None:
        """End a part of a turn."""
        if tag == self._element:
            self._close()

    def handle_data(self, data: str) -> None:
        """Collect text."""
        if self._element:
            self._text += data
        else:
            self.others += bool(data.strip())

    def finish(self) -> None:
        """End the last turn."""
        self.close()
        self._close()
        self._end_turn()

    def _close(self) -> None:
        element, self._element = self._element, ""
        text, self._text = self._text.replace("\n", " "), ""
        if element not in PARTS:
            return
        if element != "p" and self._words is not None:
            self._end_turn()
        head = self._head or TurnHead(None, None, None, "")
        self._line = self._line if self._head else self.getpos()[0]
        if element == "cite":
            name = strip_blanks(strip_blanks(text).removesuffix(":"))
            self._head = head._replace(name=name or None)
        elif element == "time":
            self._head = head._replace(start=self._time(strip_blanks(text)))
        else:
            self._head = head
            self._words = (self._words or []) + split_words(text)

    def _time(self, text: str) -> int | None:
        """Nanoseconds of a clock; rejects any other text, and the turn then has no begin."""
        try:
            return parse_clock(text)
        except ValueError:
            error = self.source.syntax_error(
                self.getpos()[0], "a time as 0:53 or 1:00:53", quoted(text)
            )
        self.source.log.reject("PODCAST-TIME", error)
        return None

    def _end_turn(self) -> None:
        if self._head is not None:
            self.turns.append(turn_segment(self.source, self._head, self._words or [], self._line))
        self._head, self._words = None, None


def read(source: Source, *, close_gaps: bool = False) -> Iterator[Segment]:
    """A segment for each turn."""
    parser = _Turns(source)
    try:
        parser.feed("\n".join(line for _, line in source.lines()))
        parser.finish()
    except AssertionError as problem:  # the parser gives up on some declarations
        raise source.syntax_error(parser.getpos()[0], "HTML", str(problem)) from None
    if parser.others:
        message = f"texts outside of cite, time and p, which are no words: {parser.others}"
        source.log.note("PODCAST-TEXT", message)
    yield from checked_turns(source, parser.turns, close_gaps=close_gaps)


SPEC = FormatSpec(
    title="transcripts of podcasts in HTML (Podcasting 2.0): names, times and paragraphs",
    sign="the root element cite",
    read=read,
    has_one_recording=True,
    read_options=(CLOSE_GAPS,),
    manual="Turns of cite, time and p, one after the other.",
)
