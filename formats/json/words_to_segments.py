"""From words to segments: what reading the JSON of any recogniser or service has in common.

Words without a time are placed between their neighbours, masks of removed words are counted, and
every change to the words of a file is reported once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from operator import attrgetter
from typing import Any

from formats.errors import SyntaxFormatError, quoted
from formats.json.displays import cut_text
from formats.json.spoken_words import Hypothesis, SpokenWord, fill_times, single_words
from formats.model import Segment
from formats.source import Source
from formats.times import SECOND, format_time
from formats.words import unless_empty

SOUNDS = "NOISE|MUSIC|LAUGH|SILENCE|BLANK|APPLAUSE|COUGH|BREATH|INAUDIBLE|CROSSTALK|FOREIGN|UNK"
MASKED = re.compile(
    rf"\[(?!{SOUNDS})[A-Z][A-Z0-9_-]*\]|<(?!{SOUNDS})[A-Z][A-Z0-9_]*>|[\[<](?i:redacted)[\]>]"
    r"|<profanity>|#{3,}|X{3}[X-]*\Z"
)
MASKS = "[<#X*"
"""One of these is in every mask."""
UNITS = (
    (10, "tenths of a second"),
    (100, "hundredths of a second or frames"),
    (1000, "milliseconds"),
    (10_000, "tenths of a millisecond"),
    (16_000, "samples"),
    (1_000_000, "microseconds"),
    (10_000_000, "ticks of 100 ns"),
)
COLUMNS = attrgetter("text", "start_ns", "end_ns", "confidence", "kind", "display", "interpolated")


class Reading:
    """Creates segments from words and counts the changes, which `report` reports once."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.partial = 0
        self.segments = 0
        self.words = 0
        self.latest_ns = 0
        self._interpolated = 0
        self._untimed = 0
        self._masked = 0
        self._first_masked = ""
        self._last_start_ns = 0

    def segment(
        self,
        items: Iterable[SpokenWord],
        *,
        channel: str | None = None,
        speaker: str | None = None,
        start_ns: int | None = None,
        end_ns: int | None = None,
        low_ns: int | None = None,
        high_ns: int | None = None,
        spans_words: bool = False,
        places_all: bool = False,
        confidence: float | None = None,
        properties: Mapping[str, str] | None = None,
        nbest: Sequence[Hypothesis] = (),
        kind: str = "segment",
        line: int | None = None,
    ) -> Segment:
        """A segment of items as read: cut at blanks, missing times filled in and counted.

        Where some words have times and others lack them, these are placed between their neighbours
        and the ends of the segment. Where none has, none gets one, unless `places_all`. A column
        that says nothing is left out, and so is a display form that equals its word.
        """
        words = single_words(items)
        columns: list[tuple[Any, ...]] = list(zip(*map(COLUMNS, words), strict=True)) or [()] * 7
        starts, ends = columns[1:3]
        missing = starts.count(None) + ends.count(None)
        if missing and (places_all or missing < 2 * len(words)):
            low = low_ns if start_ns is None else start_ns
            high = high_ns if end_ns is None else end_ns
            self._interpolated += fill_times(words, low, high)
            columns = list(zip(*map(COLUMNS, words), strict=True))
            self._untimed += sum(None in pair for pair in zip(*columns[1:3], strict=True))
        texts, starts, ends, sure, kinds, shown, placed = columns
        if spans_words and starts and not (None in starts or None in ends):
            start_ns, end_ns = min(starts), max(ends)
        if shown and shown.count(None) != len(shown):
            shown = tuple(
                [None if form == word else form for word, form in zip(texts, shown, strict=True)]
            )
        self._see(texts, starts, ends)
        return Segment(
            self.source.recording,
            texts,
            channel=channel,
            speaker=speaker,
            start_ns=start_ns,
            end_ns=end_ns,
            starts_ns=unless_empty(starts),
            ends_ns=unless_empty(ends),
            confidences=unless_empty(sure),
            kinds=unless_empty(kinds),
            displays=unless_empty(shown),
            interpolated=placed if True in placed else None,
            confidence=confidence,
            properties=tuple(sorted(properties.items())) if properties else (),
            nbest=tuple(nbest),
            kind=kind,
            line=line,
        )

    def _see(
        self,
        words: Sequence[str],
        starts: Sequence[int | None],
        ends: Sequence[int | None],
    ) -> None:
        """Count the words of one segment, and those among them that are masks."""
        self.segments += 1
        self.words += len(words)
        whole = " ".join(words)
        if not any(map(whole.__contains__, MASKS)):
            return
        for word in words:
            if word.isalnum() and word[0] != "X":
                continue
            if "**" in word or (word[:1] in ("[", "<", "#", "X") and MASKED.match(word)):
                self._masked += 1
                self._first_masked = self._first_masked or word

    def in_order(self, segment: Segment) -> Segment:
        """The segment, with notes if it begins before the one above it or takes no time."""
        start = segment.start_ns
        if start is not None:
            if start < self._last_start_ns:
                self.source.log.note(
                    "ORDER", "begins before the segment above it: the order is kept", segment.line
                )
            if segment.end_ns == start:
                self.source.log.note("NO-LENGTH", "a segment that takes no time", segment.line)
            self._last_start_ns = start
        if segment.end_ns is not None and segment.end_ns > self.latest_ns:
            self.latest_ns = segment.end_ns
        return segment

    def report(self) -> None:
        """Report each kind once: warnings, but a note for partial results."""
        log = self.source.log
        if self.segments and not self.words:
            log.warn("NO-TEXT", f"segments: {self.segments}, words: none")
        if self._interpolated:
            log.warn(
                "WORD-TIMES",
                f"words without times: {self._interpolated}, placed between their neighbours",
            )
        if self._untimed:
            log.warn("WORD-UNTIMED", f"words without times and without a place: {self._untimed}")
        if self.partial:
            log.note("PARTIAL", f"results that are not final, passed over: {self.partial}")
        if self._masked:
            log.warn(
                "MASKED",
                f"words that are masks for what was taken out: {self._masked}, first "
                f"{quoted(self._first_masked)}; kept as words, they count as errors when scored",
            )

    def warn_of_text(
        self, code: str, text: str, words: Sequence[str], line: int | None = None
    ) -> None:
        """Warn if a text beside the list of words has other words than the list, which is read."""
        texts = cut_text(text)
        if texts == list(words):
            return
        pairs = enumerate(zip(texts, words, strict=False), 1)
        differs = next(
            (
                f"word {number} is {quoted(a)} in the text and {quoted(b)} in the list"
                for number, (a, b) in pairs
                if a != b
            ),
            f"the text has {len(texts)} words, the list {len(words)}",
        )
        self.source.log.warn(code, f"text and words differ: {differs}; the list is read", line)

    def refuse_partial(self) -> None:
        """Reject a file that has only results that are not final."""
        self.source.log.reject("PARTIAL-ONLY", self._only_partial())

    def _only_partial(self) -> SyntaxFormatError:
        found = f"only results that are not final: {self.partial}"
        return SyntaxFormatError(path=self.source.name, expected="final results", found=found)

    def check_unit(self, duration_ns: int, *, reports_excess: bool = False) -> None:
        """Warn if times run beyond the audio, whose length the file states, as in another unit."""
        if not duration_ns or self.latest_ns <= duration_ns + SECOND * reports_excess:
            return
        ratio = self.latest_ns / duration_ns
        length, last = format_time(duration_ns, 3), format_time(self.latest_ns)
        seen = f"the last word ends at {last} s, the audio at {length} s"
        likely = [name for factor, name in UNITS if 0.5 * factor < ratio < 1.1 * factor]
        if likely:
            self.source.log.warn("UNIT?", f"{seen}: the times may be {likely[0]}")
        elif reports_excess:
            self.source.log.warn("BEYOND-AUDIO", seen)
