"""html: pages of the web with turns, read as a browser shows them.

===========================================  ================================================
in the file                                  in the schema
===========================================  ================================================
an element whose class, ``data-…`` name,     `Segment.speaker`, `Segment.start_ns`, words
or tag says that it is a speaker, a time
or a text, as ``<b class="from_name">``
any other page with turns                    what the formats ``speaker-text`` and
                                             ``markdown`` read in the lines that are shown
a page without turns                         one text of its paragraphs, with a warning
scripts, styles, menus, buttons, ``head``    no words, counted in a note
===========================================  ================================================

A text without a name has the speaker of the text above it, as in exports of chats. Dates with a
time of day count from the first.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Container, Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from formats.detection.head import Head
from formats.detection.spec import FormatSpec, Sniff
from formats.io.errors import SizeLimitError
from formats.io.source import Source
from formats.meetings.messages import PAGE_HIDDEN, PAGE_OTHERS, PAGE_PROSE, PAGE_TIMES
from formats.meetings.speaker_text import CLOSE_GAPS
from formats.meetings.turns.choice import Trust, choice_of
from formats.meetings.turns.corrections import checked_turns, since_first
from formats.meetings.turns.dense_script import play_of
from formats.meetings.turns.heads import TurnHead
from formats.meetings.turns.plain import Lines
from formats.meetings.turns.reading import segments_of_turns, turn_segment
from formats.reading.dates import is_month_first, seconds_of_date
from formats.reading.frames import FPS
from formats.reading.lines import split_words, strip_blanks
from formats.reading.member_names import field_role, name_parts
from formats.reading.time_values import seconds_of
from formats.schema.errors import OptionError
from formats.schema.model import Segment
from formats.schema.times import parse_time

if TYPE_CHECKING:
    from lxml.etree import _Element

HIDDEN = frozenset(
    (
        *("head", "script", "style", "template", "noscript", "nav", "svg", "math"),
        *("button", "select", "textarea", "iframe", "canvas", "audio", "video", "object"),
        *("form",),
    )
)
"""Elements that a browser does not show as text of the page, and menus."""
PARAGRAPHS = frozenset(
    (
        *("p", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "section", "article"),
        *("main", "header", "footer", "aside", "table", "dl", "ul", "ol", "figure", "hr"),
        *("pre", "body", "html"),
    )
)
"""Elements with a blank line above and below."""
BLOCKS = PARAGRAPHS | frozenset(
    (
        *("div", "li", "dt", "dd", "tr", "caption", "address", "figcaption", "details"),
        *("summary",),
    )
)
"""Elements that begin a line."""
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
BOLD = ("b", "strong")
CELLS = ("td", "th")
BLANKS = re.compile(r"[ \t\r\n\f]+")
NAMES, DATES = ("name", "label"), ("date", "day")
"""Last words of classes that mean a speaker behind a word for one, and a time."""
BESIDE = ("speaker", "start")
"""What is beside a text."""
ROLES = ("text", *BESIDE)
ROOTS = ("html", "head", "body", "!doctype")
EXPECTED = "turns in most paragraphs of the page"
FEWEST = 2
"""The fewest texts with a speaker or a time."""
SHARE = 0.5
"""The least share of texts that have a speaker or a time."""
DAY = 86400
"""Seconds of a day."""
LONGEST_NAME = 80


class _Part(NamedTuple):
    """An element that is a speaker, a time or a text, and the value of its attribute, if any."""

    role: str
    element: _Element
    value: str = ""

    @property
    def text(self) -> str:
        """The value if it is a time, otherwise what the element shows."""
        return self.value or _shown_text(self.element)

    @property
    def line(self) -> int:
        """The line at which the element begins."""
        return self.element.sourceline or 1


class PageTurn(NamedTuple):
    """A speaker and a time as they are written (or empty), and a text of a page."""

    speaker: str
    start: str
    said: _Part


class ShownPage(NamedTuple):
    """What a page shows: its lines, its entries, the lines beside these, and what is hidden."""

    lines: Lines
    entries: list[PageTurn]
    others: Lines
    hidden: Counter[str]


def page_of(text: str) -> ShownPage:
    """Return what a page shows.

    >>> page = page_of("<body><h1>Talk</h1><p><b>Ann:</b> so it is<p>yes</body>")
    >>> [line for _, line in page.lines]
    ['# Talk', '', '**Ann:** so it is', '', 'yes']
    >>> page = page_of("<i class=speaker>Ann</i><q class=text>no</q><i class=speaker>Bo</i>"
    ...                "<q class=text>yes</q>")
    >>> [(entry.speaker, entry.said.text) for entry in page.entries]
    [('Ann', 'no'), ('Bo', 'yes')]
    """
    root = _parsed(text)
    if root is None:
        return ShownPage([], [], [], Counter())
    shown = _Shown()
    parts = _parts(root)
    entries = _entries(parts)
    if entries:
        said = {entry.said.element for entry in entries}
        shown.walk(root, {part.element for part in parts if part.role != "text"} | said)
        return ShownPage([], entries, [row for row in shown.finish() if row[1]], shown.hidden)
    _mark_names(parts or _terms(root))
    shown.walk(root)
    return ShownPage(shown.finish(), [], [], shown.hidden)


def _parsed(text: str) -> _Element | None:
    """Parse a page as browsers do, whatever is missing; `None` if it has no element."""
    from lxml import etree

    parser = etree.HTMLParser(
        encoding="utf-8", remove_comments=True, remove_pis=True, no_network=True,
        recover=True, collect_ids=False,
    )  # fmt: skip
    try:
        root: _Element | None = etree.fromstring(text.encode("utf-8", "replace"), parser)
    except etree.XMLSyntaxError:  # nothing but blanks and comments
        return None
    if any(error.type_name == "ERR_RESOURCE_LIMIT" for error in parser.error_log):
        raise SizeLimitError("has elements in each other to a depth that no page has")
    return root


class _Shown:
    """Collects the lines that a browser shows. Each has a number of its own, even in one line."""

    def __init__(self) -> None:
        self.lines: list[tuple[int, str]] = []
        self.hidden: Counter[str] = Counter()
        self._line: list[str] = []
        self._number = 1
        self._bold: int | None = None
        """The place in the line at which a bold text begins."""

    def walk(self, root: _Element, without: Container[_Element] = ()) -> None:
        """Add the text of all elements but those of `without`."""
        from lxml.etree import iterwalk

        walker = iterwalk(root, events=("start", "end"))
        inside = 0
        for event, element in walker:
            tag = element.tag
            if event == "start":
                if tag in HIDDEN or element in without:
                    self.hidden.update([tag] if tag in HIDDEN else [])
                    walker.skip_subtree()
                    continue
                self._begin(tag, element.sourceline or 1)
                inside += tag == "pre"
                self._add(element.text, element.sourceline or 1, is_kept=inside > 0)
                continue
            if tag not in HIDDEN and element not in without:
                self._end(tag)
                inside -= tag == "pre"
            if element is root:
                break
            self._add(element.tail, element.sourceline or 1, is_kept=inside > 0)

    def _begin(self, tag: str, number: int) -> None:
        """Begin an element."""
        if tag in BLOCKS or tag == "br":
            self._break(number)
        if tag in PARAGRAPHS:
            self._blank(number)
        if tag in HEADINGS:
            self._line.append("# ")
        elif tag in CELLS and any(map(str.strip, self._line)):
            self._line.append("\t")
        elif tag in BOLD and not any(map(str.strip, self._line)):
            self._bold = len(self._line)

    def _end(self, tag: str) -> None:
        """End an element."""
        if tag in BOLD and self._bold is not None:
            begin, self._bold = self._bold, None
            said = "".join(self._line[begin:]).strip()
            if said and "\n" not in said:
                self._line[begin:] = [f"**{said}**"]
        if tag in BLOCKS:
            self._break(self._number)
        if tag in PARAGRAPHS:
            self._blank(self._number)

    def _add(self, text: str | None, number: int, *, is_kept: bool) -> None:
        """Add text to the line; in ``pre``, line ends and blanks are kept."""
        if not text:
            return
        if not self._line:
            self._number = number
        if not is_kept:
            self._line.append(BLANKS.sub(" ", text))
            return
        first, *others = text.split("\n")
        self._line.append(first)
        for other in others:
            self._break(number, is_kept=True)
            self._line.append(other)

    def _break(self, number: int, *, is_kept: bool = False) -> None:
        """End the line."""
        line = "".join(self._line)
        line = line.rstrip() if is_kept else re.sub(r" {2,}", " ", line).strip(" ")
        if line.strip(" #") or is_kept:
            above = self.lines[-1][0] if self.lines else 0
            self.lines.append((max(self._number, above + 1), line))
        self._line, self._bold, self._number = [], None, number

    def _blank(self, number: int) -> None:
        """Add a blank line, unless one is above."""
        if self.lines and self.lines[-1][1]:
            self.lines.append((max(number, self.lines[-1][0] + 1), ""))

    def finish(self) -> Lines:
        """Return all lines, without blank ones at the end."""
        self._break(self._number)
        while self.lines and not self.lines[-1][1].strip():
            del self.lines[-1]
        return self.lines


def _parts(root: _Element) -> list[_Part]:
    """Return the elements with a role in the order of the page.

    A text has no other text inside it. What is inside a speaker or a time has no role.
    """
    from lxml.etree import iterwalk

    parts: list[_Part] = []
    walker = iterwalk(root, events=("start",))
    for _, element in walker:
        if element.tag in HIDDEN:
            walker.skip_subtree()
            continue
        role, value = _role_of(element)
        if role in BESIDE:
            walker.skip_subtree()
        if role:
            parts.append(_Part(role, element, value))
    around = {
        above for part in parts if part.role == "text" for above in part.element.iterancestors()
    }
    return [part for part in parts if part.role != "text" or part.element not in around]


@lru_cache(maxsize=4096)
def _role(name: str) -> str:
    """Return what a class says of an element.

    >>> _role("from_name"), _role("chatlog__content"), _role("speakerLabel"), _role("content-box")
    ('speaker', 'text', 'speaker', '')
    """
    *others, last = name_parts(name) or [""]
    role = field_role(name) or field_role(last)
    if last in NAMES and others:
        return "speaker" if not {*BESIDE}.isdisjoint(map(field_role, others)) else ""
    return "start" if last in DATES else role if role in ROLES else ""


def _role_of(element: _Element) -> tuple[str, str]:
    """Return the role of an element, and the time that an attribute has."""
    value = element.get("datetime") or element.get("title") or ""
    value = value if seconds_of(value) or seconds_of_date(value) else ""
    if element.tag == "time":
        return "start", value
    for name in (element.get("class") or "").split():
        if role := _role(name):
            return role, value if role == "start" else ""
    return ("speaker", "") if element.tag == "cite" else ("", "")


def _terms(root: _Element) -> list[_Part]:
    """Return the terms of lists if they return, as speakers do."""
    terms = [_Part("speaker", element) for element in root.iter("dt")]
    return terms if len({part.text for part in terms}) < len(terms) else []


def _shown_text(element: _Element) -> str:
    """Return what an element shows, on one line, without speakers and times in it."""
    within = (
        part for part in element.iterdescendants() if _role_of(part)[0] in ("speaker", "start")
    )
    shown = _Shown()
    shown.walk(element, {*within})
    return " ".join(line for _, line in shown.finish() if line).replace("**", "")


def _entries(parts: Sequence[_Part]) -> list[PageTurn]:
    """Return the texts of a page with their speakers and times; none if most have neither.

    What is around a text and no other text is its entry, whose speaker and time may be behind the
    text. Speakers and times outside of entries belong to the texts below them. If most entries have
    a speaker or a time, texts without both are notices and titles.
    """
    texts = Counter(
        above for part in parts if part.role == "text" for above in part.element.iterancestors()
    )
    around = [_entry_of(part, texts) for part in parts]
    inside: dict[_Element, dict[str, _Part]] = {}
    for part, entry in zip(parts, around, strict=True):
        if part.role != "text" and entry is not None:
            inside.setdefault(entry, {}).setdefault(part.role, part)
    total = sum(part.role == "text" for part in parts)
    own = sum(part.role == "text" and e in inside for part, e in zip(parts, around, strict=True))
    are_own = own >= max(FEWEST, SHARE * total)
    entries: list[PageTurn] = []
    speaker, start = "", ""
    for part, entry in zip(parts, around, strict=True):
        if part.role == "text" and (entry in inside or not are_own):
            beside = {} if entry is None else inside.get(entry, {})
            speaker = _name(beside["speaker"].text) if "speaker" in beside else speaker
            start = beside["start"].text if "start" in beside else start
            entries.append(PageTurn(speaker, start, part))
            start = ""
        elif part.role == "speaker" and entry is None:
            speaker = _name(part.text)
        elif part.role == "start" and entry is None:
            start = part.text
    while entries and not (entries[0].speaker or entries[0].start):
        del entries[0]
    are_names = all(len(entry.speaker) <= LONGEST_NAME for entry in entries)
    is_most = len(entries) >= max(FEWEST, SHARE * total)
    return entries if is_most and are_names else []


def _entry_of(part: _Part, texts: Counter[_Element]) -> _Element | None:
    """Return the largest element around a part that has one text; `None` if there is none."""
    entry = None
    for above in part.element.iterancestors():
        if texts[above] > 1:
            break
        entry = above if texts[above] else entry
    return entry


def _name(text: str) -> str:
    """Return the name of a speaker without colon and brackets."""
    return strip_blanks(strip_blanks(text).strip("[]()").removesuffix(":"))


def _mark_names(parts: Sequence[_Part]) -> None:
    """Write a colon behind speakers, and brackets around times, so that lines show them."""
    speakers = [part for part in parts if part.role == "speaker"]
    times = [part for part in parts if part.role == "start" and seconds_of(part.text)]
    for part in speakers if len(speakers) >= FEWEST else ():
        if part.text.endswith((":", "：")):
            continue
        if len(part.element):
            part.element[-1].tail = f"{(part.element[-1].tail or '').rstrip()}:"
        else:
            part.element.text = f"{(part.element.text or '').rstrip()}:"
    for part in times if len(times) >= FEWEST else ():
        time = part.text.strip("[]()")
        for inner in [*part.element]:
            part.element.remove(inner)
        part.element.text = f"[{time}]"
        part.element.tail = f" {part.element.tail or ''}"


def read(source: Source, *, close_gaps: bool = False, fps: str = "") -> Iterator[Segment]:
    """Yield one segment per turn; the words of a page without turns are one segment."""
    try:
        page = page_of(source.text())
    except ModuleNotFoundError:
        raise OptionError(
            path=source.name,
            expected="lxml to read pages (pip install lxml), or the text that the page shows",
            found="neither",
        ) from None
    except SizeLimitError as error:
        raise SizeLimitError(str(error), path=source.name) from None
    if page.hidden:
        source.log.say(PAGE_HIDDEN, count=page.hidden.total(), names=list(page.hidden))
    if page.entries:
        if page.others:
            number, line = page.others[0]
            source.log.say(PAGE_OTHERS, number, lines=len(page.others), text=line)
        yield from checked_turns(source, _turns(source, page.entries), close_gaps=close_gaps)
        return
    if not page.lines:
        return
    is_doubtful = choice_of(page.lines).trust < Trust.DOUBTFUL
    if is_doubtful and play_of(page.lines) is None:
        yield from _prose(source, page.lines)
        return
    yield from segments_of_turns(
        source, page.lines, 1, EXPECTED, close_gaps=close_gaps, least=Trust.NAMED, fps=fps
    )


def _turns(source: Source, entries: Sequence[PageTurn]) -> list[Segment]:
    """Return the turns of entries; dates count from the first one, and times of day from theirs."""
    seconds, unread = _seconds_of(entries)
    if unread:
        source.log.say(PAGE_TIMES, count=len(unread), text=unread[0])
    turns: list[Segment] = []
    lines: list[tuple[int, str]] = []
    for number, (entry, time) in enumerate(zip(entries, seconds, strict=True), 1):
        said = entry.said.text
        head = TurnHead(entry.speaker or None, None if time is None else parse_time(time), None, "")
        turns.append(turn_segment(source, head, split_words(said), number))
        lines.append((number, f"{entry.start} {entry.speaker}: {said}"))
    turns = since_first(source, lines, turns)
    return [t.replace(line=entry.said.line) for t, entry in zip(turns, entries, strict=True)]


def _seconds_of(entries: Sequence[PageTurn]) -> tuple[list[str | None], list[str]]:
    """Return the time of each entry in seconds, as text or `None`, and what is no time.

    A time of day between dates is on the day of the date above it.
    """
    seconds: list[str | None] = []
    unread: list[str] = []
    first = day = None
    are_american = is_month_first(entry.start for entry in entries)
    for entry in entries:
        date = seconds_of_date(entry.start, is_month_first=are_american)
        if date is None and day is not None:
            of_day = seconds_of_date(f"1970-01-01 {entry.start}")
            date = None if of_day is None else day + of_day
        if date is None:
            seconds.append(clock := seconds_of(entry.start))
            unread += [entry.start] if entry.start and clock is None else []
            continue
        first, day = date if first is None else first, date - date % DAY
        seconds.append(f"{max(date - first, 0):.3f}")
    return seconds, unread


def _prose(source: Source, lines: Lines) -> Iterator[Segment]:
    """Yield the words of a page without turns."""
    shown = [(number, line) for number, line in lines if line]
    spoken = [(number, line) for number, line in shown if not line.startswith("# ")]
    source.log.say(PAGE_PROSE, spoken[0][0] if spoken else 1, lines=len(spoken))
    words = [word for _, line in spoken for word in split_words(line.replace("**", ""))]
    yield source.segment_type()(source.recording, tuple(words), line=1)


def sniff(head: Head) -> Sniff:
    """Return `SURE` for a page with turns, `MAYBE` for one that may have them or has sentences."""
    if head.shape != "xml" or (head.root or "").lower() not in ROOTS:
        return Sniff.NO
    try:
        page = page_of(head.text)
    except (ModuleNotFoundError, SizeLimitError):  # without lxml
        return Sniff.NO
    if page.entries or play_of(page.lines) is not None:
        return Sniff.SURE
    trust = choice_of(page.lines).trust
    return Sniff.SURE if trust is Trust.SURE else Sniff.MAYBE if page.lines else Sniff.NO


SPEC = FormatSpec(
    title="pages of the web: turns, messages of exported chats, or one text",
    sign="a page that shows text",
    read=read,
    sniff=sniff,
    has_one_recording=True,
    read_options=(CLOSE_GAPS, FPS),
)
