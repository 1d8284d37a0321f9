"""From words to segments: what reading the JSON of any recogniser or service has in common.

Words without a time are placed between their neighbours, masks for what was taken out are found,
and all that was done to the words of a file is counted and told once.
"""

from __future__ import annotations

import re
from operator import attrgetter

from formats.errors import SyntaxFormatError, quoted
from formats.json.displays import cut_text
from formats.json.spoken_words import Columns, fill_times, single_words
from formats.model import Segment
from formats.times import SECOND, format_time
from formats.words import unless_empty

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from formats.json.spoken_words import Hypothesis, SpokenWord
    from formats.source import Source

__all__ = ["Reading"]

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
    """Makes segments of words, and counts what was done to them, to be told once: see `tell`.

    Attributes
    ----------
    source: the input.
    partial: results that were not final, passed over.
    segments, words: what was made.
    latest_ns: the latest end of a word or segment so far, in nanoseconds.
    """

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
        items: Iterable[SpokenWord] | Columns,
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

        Parameters
        ----------
        low_ns, high_ns: bounds of what is placed where the segment itself has no times.
        spans_words: whether the segment, having no times of its own, is as long as its words.
        places_all: whether the words share the time of the segment if none of them has one.
        """
        columns: list[tuple[Any, ...]] = [()] * 7
        whole = items if isinstance(items, Columns) and items.texts and items.are_whole() else None
        if whole is not None:
            columns[:4] = map(tuple, whole[:4])
        else:
            words = single_words(items.spoken() if isinstance(items, Columns) else items)
            columns = list(zip(*map(COLUMNS, words), strict=True)) or columns
            starts, ends = columns[1:3]
            if (None in starts or None in ends) and (
                places_all or starts.count(None) + ends.count(None) < 2 * len(words)
            ):
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
            starts_ns=starts if whole else unless_empty(starts),
            ends_ns=ends if whole else unless_empty(ends),
            confidences=unless_empty(sure),
            kinds=unless_empty(kinds) if kinds else None,
            displays=unless_empty(shown) if shown else None,
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

    def tell(self) -> None:
        """Say once per kind what was counted: warnings, but a note for partial results."""
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

    def tell_of_text(
        self, code: str, text: str, words: Sequence[str], line: int | None = None
    ) -> None:
        """Warn if a text beside the list of words has other words than the list, which is read."""
        said = cut_text(text)
        if said == list(words):
            return
        for number, (one, other) in enumerate(zip(said, words, strict=False), 1):
            if one != other:
                differs = (
                    f"word {number} is {quoted(one)} in the text and {quoted(other)} in the list"
                )
                break
        else:
            differs = f"the text has {len(said)} words, the list {len(words)}"
        self.source.log.warn(code, f"text and words differ: {differs}; the list is read", line)

    def refuse_partial(self) -> None:
        """Refuse a file of nothing but results that are not final; in lenient reading remember it.

        Raises
        ------
        SyntaxFormatError
        """
        self.source.log.reject("PARTIAL-ONLY", self._only_partial())

    def _only_partial(self) -> SyntaxFormatError:
        found = f"only results that are not final: {self.partial}"
        return SyntaxFormatError(path=self.source.name, expected="final results", found=found)

    def check_unit(self, duration_ns: int, *, tells_excess: bool = False) -> None:
        """Warn if times run beyond the audio, whose length the file states, as in another unit.

        Parameters
        ----------
        tells_excess: whether to warn, too, where no unit explains it.
        """
        if not duration_ns or self.latest_ns <= duration_ns + SECOND * tells_excess:
            return
        ratio = self.latest_ns / duration_ns
        length, last = format_time(duration_ns, 3), format_time(self.latest_ns)
        seen = f"the last word ends at {last} s, the audio at {length} s"
        likely = [name for factor, name in UNITS if 0.5 * factor < ratio < 1.1 * factor]
        if likely:
            self.source.log.warn("UNIT?", f"{seen}: the times may be {likely[0]}")
        elif tells_excess:
            self.source.log.warn("BEYOND-AUDIO", seen)
