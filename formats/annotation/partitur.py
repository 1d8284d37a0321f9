"""partitur: BAS Partitur files; a line has the key of its tier, and may refer to words by number.

=======================================  =======================================================
in the file                              in the schema
=======================================  =======================================================
``ORT: 0 good``                          a word; other tiers refer to its number
``WOR: 8000 3999 0 good``                times of the word: begin and length in samples
``MAU: 8000 3999 0 g``                   times of the word if there is no ``WOR``: from its first to
                                         its last segment
``<p:>``, ``<nib>``, ``<usb>`` of        an ``event``
``WOR``; without ``WOR``, of ``MAU``
``TRN: 8000 12000 0,1 good day``         a segment of these words; without ``TRN``, all words form
                                         one segment
``SPK: 0 anne``, ``SPN: anne``           `Segment.speaker` of these words, or of all words;
                                         ``unknown`` means no speaker
``KAN: 0 gUd``                           property ``canonical`` of the segment
``SAM: 16000``                           samples per second; the option `rate` if this line is
                                         missing
``NCH`` and other headers                not read
other tiers                              not read, named in a note
=======================================  =======================================================

An item ends at begin plus length plus one sample, because the length counts from the first sample
to the last. If more items begin exactly at begin plus length of the preceding item, every item ends
at begin plus length (as in `formats.annotation.emu`).
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from formats.annotation.messages import PARTITUR_RATE, PARTITUR_TIERS
from formats.detection.spec import FormatSpec, Option, Sniff
from formats.io.source import Source
from formats.reading.frames import FrameRate
from formats.reading.lines import Line, filled_lines, split_fields, split_words, strip_blanks
from formats.schema.errors import OptionError, SyntaxFormatError, quoted
from formats.schema.model import Segment
from formats.schema.words import Token

LINE = re.compile(r"([A-Z][A-Z0-9]{2}):(?:[ \t]+(.*))?\Z", re.S)
LINKS = re.compile(r"-?[0-9]{1,9}(?:[,;]-?[0-9]{1,9})*\Z")
TIMED = ("WOR", "MAU", "TRN")
LINKED = ("ORT", "KAN", "SPK")
HEADERS = frozenset({"LHD", "LBD", "SAM", "NCH", "SPN", "REP", "SNB", "SBF", "SSB", "RED", "RET"})
MOST_SAMPLES = 10**9
LARGEST = 2**62
UNKNOWN = ("", "unknown", "<na>", "none", "-")
"""Names of `SPN` that are no speaker's."""


class _Item(NamedTuple):
    """A line of a tier with times; the times are numbers of samples."""

    start: int
    length: int
    links: list[int]
    text: str
    line: int


def read(source: Source, *, rate: int = 0) -> Iterator[Segment]:
    """Yield one segment per entry of the tier ``TRN``, then pauses and noises as events.

    Without the tier ``TRN``, one segment has all words.
    """
    if rate < 0:
        raise OptionError(expected="a rate of 1 sample per second or more", found=str(rate))
    file = _File(source, rate)
    for _ in source.log.accepted("PARTITUR-SYNTAX", file.take, filled_lines(source)):
        pass
    yield from file.segments()


class _File:
    """The tiers of one file."""

    def __init__(self, source: Source, rate: int) -> None:
        self.source = source
        self.rate = rate
        self.linked: dict[str, dict[int, str]] = {key: {} for key in LINKED}
        self.timed: dict[str, list[_Item]] = {key: [] for key in TIMED}
        self.lines: dict[int, int] = {}
        self.speaker: str | None = None
        self._unread: Counter[str] = Counter()
        self._is_empty = True

    def take(self, line: Line) -> tuple[()]:
        """Process one line. The result is always empty."""
        match = LINE.match(strip_blanks(line.text))
        if match is None:
            raise line.error(0, "a key of three letters: KEY:", quoted(line.text))
        self._is_empty = False
        key, rest = match[1], strip_blanks(match[2] or "")
        if key == "SAM":
            if not (rest.isascii() and rest.isdigit() and 0 < int(rest[:10]) <= MOST_SAMPLES):
                raise self._error(line, "samples per second", rest)
            self.rate = int(rest)
        elif key == "SPN":
            self.speaker = rest if rest.lower() not in UNKNOWN else None
        elif key in LINKED:
            links, text = self._links(line, rest)
            for link in links:
                if link >= 0:
                    self.linked[key].setdefault(link, text)
                    self.lines.setdefault(link, line.number)
        elif key in TIMED:
            self._timed(line, key, rest)
        elif key not in HEADERS:
            self._unread[key] += 1
        return ()

    def _error(self, line: Line, expected: str, text: str) -> SyntaxFormatError:
        return self.source.syntax_error(line.number, expected, quoted(text))

    def _links(self, line: Line, rest: str) -> tuple[list[int], str]:
        first = "".join(split_fields(rest)[:1])
        if not LINKS.match(first):
            raise self._error(line, "the numbers of words, as 0 or 0,1", line.text)
        # A semicolon stands between words: what is there belongs to none.
        links = [] if ";" in first else [int(link) for link in first.split(",")]
        return links, strip_blanks(rest[len(first) :])

    def _timed(self, line: Line, key: str, rest: str) -> None:
        fields = split_fields(rest)
        is_plain = len(fields) > 2 and all(f.isascii() and f.isdigit() for f in fields[:2])
        if key == "TRN" and not (is_plain and LINKS.match(fields[2])):
            # In its other form a turn has words and no times.
            self._unread["TRN without times"] += 1
            return
        if not is_plain or max(len(fields[0]), len(fields[1])) > 18:
            expected = "begin and length in samples, the number of a word, text"
            raise self._error(line, expected, line.text)
        for field in fields[:2]:
            rest = strip_blanks(rest[len(field) :])
        links, text = self._links(line, rest)
        self.timed[key].append(_Item(int(fields[0]), int(fields[1]), links, text, line.number))

    def segments(self) -> Iterator[Segment]:
        """Yield the segments of all lines that were processed."""
        if self._unread:
            tiers = [f"{key} ({count})" for key, count in self._unread.items()]
            self.source.log.say(PARTITUR_TIERS, tiers=tiers)
        if self._is_empty:
            return
        items = self.timed["WOR"] or self.timed["MAU"]
        if (items or self.timed["TRN"]) and not self.rate:
            raise self.source.error_of(PARTITUR_RATE, None)
        gaps = Counter(after.start - item.start - item.length for item, after in pairwise(items))
        more = int(gaps[1] >= gaps[0])
        spans: dict[int, tuple[int, int]] = {}
        events: list[_Item] = []
        words = self.linked["ORT"]
        for item in items:
            span = self._span(item, more)
            links = [link for link in item.links if link in words]
            for link in links:
                begin, end = spans.get(link, span)
                spans[link] = min(begin, span[0]), max(end, span[1])
            if not links and item.text:
                events.append(item)
        if not words and items:
            raise self.source.syntax_error(None, "words, in lines ORT:", "none")
        in_turns: set[int] = set()
        for turn in self.timed["TRN"]:
            links = [link for link in turn.links if link in words and link not in in_turns]
            in_turns.update(links)
            if links:
                yield self._segment(links, spans, self._span(turn, more), turn.line)
        if links := sorted(words.keys() - in_turns):
            yield self._segment(links, spans, None, self.lines[links[0]])
        for item in events:
            start, end = self._span(item, more)
            yield Segment(
                self.source.recording, (item.text,), start_ns=start, end_ns=end, kind="event",
                line=item.line,
            )  # fmt: skip

    def _span(self, item: _Item, more: int) -> tuple[int, int]:
        last = item.start + item.length + more
        begin, end = map(FrameRate(self.rate, 1).time, (item.start, last))
        if end > LARGEST:
            raise self.source.syntax_error(item.line, "times within 146 years", str(last))
        return begin, end

    def _segment(
        self,
        links: Sequence[int],
        spans: dict[int, tuple[int, int]],
        span: tuple[int, int] | None,
        line: int,
    ) -> Segment:
        tokens = [
            Token(word, *spans.get(link, (None, None)))
            for link in links
            for word in split_words(self.linked["ORT"][link])
        ]
        speakers = {self.linked["SPK"].get(link, self.speaker) for link in links}
        forms = [self.linked["KAN"].get(link, "-") for link in links]
        is_canonical = set(forms) != {"-"}
        start, end = (None, None) if span is None else span
        return Segment.from_items(
            self.source.recording, tokens, start_ns=start, end_ns=end, line=line,
            speaker=speakers.pop() if len(speakers) == 1 else self.speaker,
            properties=(("canonical", " | ".join(forms)),) if is_canonical else (),
        )  # fmt: skip


def sniff(lines: Sequence[str]) -> Sniff:
    """Return `SURE` if the first line is ``LHD:``, or if most lines after ``LBD:`` have keys."""
    filled = [strip_blanks(line) for line in lines if strip_blanks(line)]
    if filled and filled[0].startswith("LHD:"):
        return Sniff.SURE
    fitting = sum(LINE.match(line) is not None for line in filled)
    has_end = any(line.startswith("LBD:") for line in filled[:40])
    return Sniff.SURE if has_end and fitting >= 0.9 * len(filled) else Sniff.NO


SPEC = FormatSpec(
    title="BAS Partitur files: words, segments and turns with times in samples",
    sign="a first line LHD:",
    read=read,
    sniff=sniff,
    has_one_recording=True,
    read_options=(
        Option(
            "rate",
            0,
            "samples per second of timit files (default: 16000), and of partitur files without "
            "a SAM line",
        ),
    ),
)
