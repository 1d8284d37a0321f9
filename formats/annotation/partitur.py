"""partitur: BAS Partitur files: tiers as lines of keys, linked by the numbers of words.

=======================================  =======================================================
its word                                 ours
=======================================  =======================================================
``ORT: 0 good``                          a word; its number is what other tiers refer to
``WOR: 8000 3999 0 good``                times of the word: begin and length in samples
``MAU: 8000 3999 0 g``                   where there is no ``WOR``, from the first to the last
                                         segment of the word
``<p:>``, ``<nib>``, ``<usb>`` of        an ``event``
``WOR``, or of ``MAU`` where that counts
``TRN: 8000 12000 0,1 good day``         a segment of these words; without any all words make one
``SPK: 0 anne``, ``SPN: anne``           `Segment.speaker` of the words, or of all
``KAN: 0 gUd``                           property ``canonical`` of the segment
``SAM: 16000``                           samples per second; `rate` where there is none
``NCH`` and other headers                not read
other tiers                              not read, named in a note
=======================================  =======================================================

An item ends one sample after its last, unless more neighbours begin at the very sum of begin and
length, as `formats.annotation.emu` has it.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import NamedTuple

from formats.errors import OptionError, SyntaxFormatError, quoted
from formats.lines import split_fields, split_words, strip_blanks
from formats.model import Segment
from formats.out import Out
from formats.sink import Sink
from formats.source import Source
from formats.spec import FormatSpec, Option, SegmentSource, Sniff
from formats.times import SECOND
from formats.words import Token

LINE = re.compile(r"([A-Z][A-Z0-9]{2}):(?:[ \t]+(.*))?\Z", re.S)
LINKS = re.compile(r"-?[0-9]{1,9}(?:[,;]-?[0-9]{1,9})*\Z")
PAUSES = ("<p:>", "<p>", "<nib>", "<usb>", "<p:", "#")
TIMED = ("WOR", "MAU", "TRN")
LINKED = ("ORT", "KAN", "SPK")
HEADERS = frozenset({"LHD", "LBD", "SAM", "NCH", "SPN", "REP", "SNB", "SBF", "SSB", "RED", "RET"})
MOST_SAMPLES = 10**9
LARGEST = 2**62


class _Item(NamedTuple):
    """A line of a timed tier."""

    start: int
    length: int
    links: list[int]
    text: str
    line: int


def read(source: Source, *, rate: int = 0) -> Iterator[Segment]:
    """The segments of the tier ``TRN``, or one of all words; then pauses and noises."""
    if rate < 0:
        raise OptionError(expected="a rate of 1 sample per second or more", found=str(rate))
    file = _File(source, rate)
    for number, line in source.lines():
        if strip_blanks(line):
            try:
                file.take(number, line)
            except SyntaxFormatError as error:
                source.log.reject("PARTITUR-SYNTAX", error)
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
        self._is_any = False

    def take(self, number: int, line: str) -> None:
        """Take one line."""
        found = LINE.match(strip_blanks(line))
        if found is None:
            raise self.source.syntax_error(number, "a key of three letters: KEY:", quoted(line), 1)
        self._is_any = True
        key, rest = found[1], found[2] or ""
        if key == "SAM":
            text = strip_blanks(rest)
            if not (text.isascii() and text.isdigit() and 0 < int(text[:10]) <= MOST_SAMPLES):
                raise self.source.syntax_error(number, "samples per second", quoted(text))
            self.rate = int(text)
        elif key == "SPN":
            self.speaker = strip_blanks(rest) or None
        elif key in LINKED:
            links, text = self._links(number, line, rest)
            for link in links:
                if link >= 0:
                    self.linked[key].setdefault(link, text)
                    self.lines.setdefault(link, number)
        elif key in TIMED:
            self._timed(number, line, key, rest)
        elif key not in HEADERS:
            self._unread[key] += 1

    def _links(self, number: int, line: str, rest: str) -> tuple[list[int], str]:
        first = split_fields(rest)[:1]
        if not first or not LINKS.match(first[0]):
            expected = "the numbers of words, as 0 or 0,1"
            raise self.source.syntax_error(number, expected, quoted(line))
        text = strip_blanks(strip_blanks(rest)[len(first[0]) :])
        # A semicolon stands between words: what is there belongs to none.
        links = [] if ";" in first[0] else [int(one) for one in first[0].split(",")]
        return links, text

    def _timed(self, number: int, line: str, key: str, rest: str) -> None:
        fields = split_fields(rest)
        is_plain = len(fields) > 2 and all(f.isascii() and f.isdigit() for f in fields[:2])
        if key == "TRN" and not (is_plain and LINKS.match(fields[2])):
            # In its other form a turn has words and no times.
            self._unread["TRN without times"] += 1
            return
        if not is_plain or max(len(fields[0]), len(fields[1])) > 18:
            expected = "begin and length in samples, the number of a word, text"
            raise self.source.syntax_error(number, expected, quoted(line))
        behind = strip_blanks(rest)
        for field in fields[:2]:
            behind = strip_blanks(behind[len(field) :])
        links, text = self._links(number, line, behind)
        self.timed[key].append(_Item(int(fields[0]), int(fields[1]), links, text, number))

    def segments(self) -> Iterator[Segment]:
        """What has been taken."""
        if self._unread:
            named = ", ".join(f"{key} ({count})" for key, count in self._unread.items())
            self.source.log.note("PARTITUR-TIERS", f"tiers that are not read: {named}")
        if not self._is_any:
            return
        items = self.timed["WOR"] or self.timed["MAU"]
        if (items or self.timed["TRN"]) and not self.rate:
            expected = "SAM: samples per second (or --rate, usually 16000)"
            raise self.source.syntax_error(None, expected, "none")
        more = self._one_more(items)
        spans: dict[int, tuple[int, int]] = {}
        events: list[_Item] = []
        words = self.linked["ORT"]
        for item in items:
            span = self._span(item, more)
            real = [link for link in item.links if link in words]
            for link in real:
                known = spans.get(link, span)
                spans[link] = min(known[0], span[0]), max(known[1], span[1])
            if not real and item.text:
                events.append(item)
        if not words and items:
            raise self.source.syntax_error(None, "words, in lines ORT:", "none")
        taken: set[int] = set()
        for turn in self.timed["TRN"]:
            own = [link for link in turn.links if link in words and link not in taken]
            taken.update(own)
            if own:
                yield self._segment(own, spans, self._span(turn, more), turn.line)
        left = sorted(words.keys() - taken)
        if left:
            yield self._segment(left, spans, None, self.lines[left[0]])
        for item in events:
            start, end = self._span(item, more)
            yield Segment(
                self.source.recording, (item.text,), start_ns=start, end_ns=end, kind="event",
                line=item.line,
            )  # fmt: skip

    def _one_more(self, items: Sequence[_Item]) -> int:
        gaps = Counter(other.start - one.start - one.length for one, other in pairwise(items))
        return int(gaps[1] >= gaps[0])

    def _span(self, item: _Item, more: int) -> tuple[int, int]:
        times = [item.start, item.start + item.length + more]
        made = [round(Fraction(time * SECOND, self.rate)) for time in times]
        if made[1] > LARGEST:
            raise self.source.syntax_error(item.line, "times within 146 years", str(times[1]))
        return made[0], made[1]

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
        said = [self.linked["KAN"].get(link, "-") for link in links]
        canonical = " | ".join(said) if set(said) != {"-"} else ""
        return Segment.from_items(
            self.source.recording,
            tokens,
            speaker=speakers.pop() if len(speakers) == 1 else self.speaker,
            start_ns=None if span is None else span[0],
            end_ns=None if span is None else span[1],
            properties=(("canonical", canonical),) if canonical else (),
            line=line,
        )


def write(segments: SegmentSource, sink: Sink, *, rate: int = 16000) -> None:
    """Write words as ORT, segments with times as TRN, words with times as WOR."""
    if not 0 < rate <= MOST_SAMPLES:
        raise OptionError(expected="a rate of 1 sample per second or more", found=str(rate))
    words: list[str] = []
    speakers: list[str] = []
    turns: list[str] = []
    places: list[str] = []

    def sample(time: int, out: Out) -> int:
        number = round(Fraction(time * rate, SECOND))
        changed = round(Fraction(number * SECOND, rate)) != time
        out.lost("decimals of times", int(changed), f"rounded to 1/{rate} s")
        return number

    for segment in segments:
        out, first, who = Out(segment, sink), len(words), segment.speaker
        if who is not None and (not who or who != strip_blanks(who) or set(who) & set("\r\n")):
            expected = "a speaker without line ends, and blanks at its ends"
            raise out.refuse(expected, quoted(who))
        for token in segment.all_tokens():
            if not split_words(token.text):
                found = quoted(token.text) if token.text else "an empty word"
                raise out.refuse("a word that the format can hold", found)
            number = len(words)
            words.append(f"ORT: {number} {token.text}\n")
            if who is not None:
                speakers.append(f"SPK: {number} {who}\n")
            if token.start_ns is None or token.end_ns is None:
                lost = (token.start_ns is not None) + (token.end_ns is not None)
                out.lost("word times", lost, "one of two")
                continue
            begin, end = sample(token.start_ns, out), sample(token.end_ns, out)
            if end > begin:
                places.append(f"WOR: {begin} {end - begin - 1} {number} {token.text}\n")
            else:
                out.lost("word times", 1, "of words without length")
        if segment.start_ns is None or segment.end_ns is None:
            raise out.refuse("a segment with times", "none")
        begin, end = sample(segment.start_ns, out), sample(segment.end_ns, out)
        if end <= begin:
            out.lost("segments without length", 1, "made a sample long")
            end = begin + 1
        links = ",".join(map(str, range(first, len(words))))
        turns.append(f"TRN: {begin} {end - begin - 1} {links} {' '.join(segment.words)}\n")
    sink.write(f"LHD: Partitur 1.3.3\nSAM: {rate}\nNCH: 1\nLBD:\n")
    for tier in (words, speakers, turns, places):
        sink.write("".join(tier))


def sniff(lines: Sequence[str]) -> Sniff:
    """Sure if the first line is ``LHD:``, or ``LBD:`` stands above and most lines have keys."""
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
    write=write,
    sniff=sniff,
    holds=("words", "speakers", "segment times", "word times", "segment boundaries"),
    needs=("segment times",),
    read_options=(Option("rate", 0, "samples per second, where the file does not say"),),
    write_options=(Option("rate", 16000, "samples per second"),),
    manual="A header, and tiers whose lines refer to words by number; times in samples.",
)
