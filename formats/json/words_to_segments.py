"""Conversion of words to segments, shared by the readers of JSON formats.

Missing word times are interpolated, and masks such as ``***`` are counted. Each kind of change to
the words of a file is reported once.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from operator import attrgetter
from typing import Any

from formats.io.messages import NO_TEXT
from formats.io.source import Source
from formats.json.displays import cut_text, words_in_text
from formats.json.messages import (
    BEYOND_AUDIO,
    MASKED_WORDS,
    NO_LENGTH,
    ORDER,
    PARTIAL,
    TEXT_DIFFERS,
    TEXT_WORD_DIFFERS,
    TEXT_WORDS,
    UNIT_LIKELY,
    WORD_ENDS,
    WORD_TIMES,
    WORD_UNTIMED,
)
from formats.json.spoken_words import RecognizedWords, SpokenWord, fill_times, renamed, single_words
from formats.json.value import JsonDocument
from formats.reading.lines import SENTENCE_ENDS
from formats.reading.speakers import SOUNDS
from formats.schema.messages import Entry
from formats.schema.model import Segment
from formats.schema.times import SECOND, format_time
from formats.schema.words import unless_empty

MASKED = re.compile(
    rf"\[(?!{SOUNDS})[A-Z][A-Z0-9_-]*\](?!\()|<(?!{SOUNDS})[A-Z][A-Z0-9_]*>|[\[<](?i:redacted)[\]>]"
    r"|<profanity>|#{3,}(?![^\W\d])|X{3}[X-]*\Z"
)
HEADING = re.compile(r"#{3,6}\Z")
"""The signs of a heading in Markdown, at the beginning of a text or behind a sentence."""
BOLD = re.compile(r"(?:(?<![\w*])|(?<=\\[nt]))\*\*\w|[^\w*]\*\*\Z")
"""The beginning or the end of bold text in Markdown, which hides no word."""
RULE = "---"
"""A line across a page in Markdown."""
MASKS = "[<#X*"
"""One of these is in every mask."""
OpenSpan = tuple[int | None, int | None]
COLUMNS = attrgetter("text", "start_ns", "end_ns", "confidence", "kind", "display", "interpolated")


def _has_headings(words: Sequence[str]) -> bool:
    """Return True if a text has several headings of Markdown: no word in small letters is below.

    >>> [_has_headings(text.split()) for text in ("### Plan so ### 2. Go", "### and ###")]
    [True, False]
    """
    below = [after for word, after in pairwise((*words, "a")) if HEADING.match(word)]
    return len(below) > 1 and not any(after[0].islower() for after in below)


class Reading:
    """Creates segments from words. At the end, `report` reports each kind of change once."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.partial = self.segments = self.words = self.latest_ns = 0
        self._counts: dict[Entry, int] = {}
        self._first_masked = ""
        self._last_start_ns = 0

    def count(self, entry: Entry, count: int = 1) -> None:
        """Increase the count of a message that `report` will log."""
        if count:
            self._counts[entry] = self._counts.get(entry, 0) + count

    def completed(self, words: list[SpokenWord], text: str) -> list[SpokenWord]:
        """Return the words; if `text` has more words, return the words of `text`.

        A word of `text` gets the times of the listed word that it matches.
        """
        if not words or text.count(" ") < len(words):
            return words
        items = single_words(words)
        rows = words_in_text([word.text for word in items], cut_text(text))
        if rows is None:
            return words
        self.count(TEXT_WORDS)
        return [SpokenWord(form) if n is None else renamed(items[n], form) for form, n in rows]

    def segment(
        self,
        items: Iterable[SpokenWord],
        *,
        span: OpenSpan = (None, None),
        low_ns: int | None = None,
        high_ns: int | None = None,
        spans_words: bool = False,
        places_all: bool = False,
        properties: Mapping[str, str] | None = None,
        nbest: Sequence[RecognizedWords] = (),
        **fields: Any,
    ) -> Segment:
        """Create a segment from items; an item with blanks is split into words.

        Missing word times are interpolated between adjacent words. At the ends, the times of the
        segment are used; if they are missing, `low_ns` and `high_ns`. If no word has a time, times
        are added only if `places_all` is true. With `spans_words`, a segment without times
        lasts from its first to its last word.
        """
        start_ns, end_ns = span
        words = single_words(items)
        columns: list[tuple[Any, ...]] = list(zip(*map(COLUMNS, words), strict=True)) or [()] * 7
        starts, ends = columns[1:3]
        missing = starts.count(None) + ends.count(None)
        if missing and (places_all or missing < 2 * len(words)):
            low = low_ns if start_ns is None else start_ns
            high = high_ns if end_ns is None else end_ns
            filled = fill_times(words, low, high)
            self.count(WORD_TIMES if None in starts else WORD_ENDS, filled)
            columns = list(zip(*map(COLUMNS, words), strict=True))
            untimed = sum(None in pair for pair in zip(*columns[1:3], strict=True))
            self.count(WORD_UNTIMED, untimed)
        starts, ends = columns[1:3]
        if spans_words and starts and not (None in starts or None in ends):
            start_ns, end_ns = min(starts), max(ends)
        return self.segment_of(
            columns, span=(start_ns, end_ns), properties=properties, nbest=tuple(nbest), **fields
        )

    def segment_of(
        self,
        columns: Sequence[tuple[Any, ...]],
        *,
        span: OpenSpan,
        properties: Mapping[str, str] | None = None,
        **fields: Any,
    ) -> Segment:
        """Return a segment from columns, in the order of `COLUMNS`.

        The last three columns are optional.
        """
        texts, starts, ends, sure, *others = columns
        if others:
            kinds, forms, interpolated = others
            if forms.count(None) != len(forms):
                pairs = zip(texts, forms, strict=True)
                forms = tuple([None if form == word else form for word, form in pairs])
            fields["kinds"], fields["displays"] = unless_empty(kinds), unless_empty(forms)
            fields["interpolated"] = interpolated if True in interpolated else None
        self._see(texts, starts, ends)
        return Segment(
            self.source.recording,
            texts,
            start_ns=span[0],
            end_ns=span[1],
            starts_ns=unless_empty(starts),
            ends_ns=unless_empty(ends),
            confidences=unless_empty(sure),
            properties=tuple(sorted(properties.items())) if properties else (),
            **fields,
        )

    def _see(
        self, words: Sequence[str], starts: Sequence[int | None], ends: Sequence[int | None]
    ) -> None:
        """Count the words of a segment, and those that a mask replaces."""
        self.segments += 1
        self.words += len(words)
        whole = " ".join(words)
        if not any(map(whole.__contains__, MASKS)):
            return
        is_markdown = RULE in words or _has_headings(words)
        for index, word in enumerate(words):
            if word.isalnum() and word[0] != "X":
                continue
            is_first = is_markdown or not index or words[index - 1].endswith(SENTENCE_ENDS)
            if is_first and HEADING.match(word):
                continue
            is_bold = BOLD.search(word) is not None
            if ("**" in word and not is_bold) or (
                word[:1] in ("[", "<", "#", "X")
                and (mask := MASKED.match(word))
                and f"</{mask[0][1:]}" not in whole  # the tag of an element
            ):
                self._first_masked = self._first_masked or word
                self.count(MASKED_WORDS)

    def in_order(self, segment: Segment) -> Segment:
        """Return the segment unchanged.

        Report a duration of zero, or a start before that of the preceding segment.
        """
        start = segment.start_ns
        if start is not None:
            if start < self._last_start_ns:
                self.source.log.say(ORDER, segment.line)
            if segment.end_ns == start:
                self.source.log.say(NO_LENGTH, segment.line)
            self._last_start_ns = start
        if segment.end_ns is not None and segment.end_ns > self.latest_ns:
            self.latest_ns = segment.end_ns
        return segment

    def report(self, document: JsonDocument | None = None) -> None:
        """Report the counts, one message for each kind.

        With `document`, report unexpected members.
        """
        log = self.source.log
        if self.segments and not self.words:
            log.say(NO_TEXT, segments=self.segments)
        self.count(PARTIAL, self.partial)
        for entry, count in self._counts.items():
            fields = {"word": self._first_masked} if entry is MASKED_WORDS else {}
            log.say(entry, count=count, **fields)
        if document is not None:
            document.note_unknown()

    def warn_of_text(
        self, code: str, text: str, words: Sequence[str], line: int | None = None
    ) -> None:
        """Warn (with `code`) if a text differs from the words of its word list."""
        texts = cut_text(text)
        if texts == list(words):
            return
        log = self.source.log
        for number, (first, second) in enumerate(zip(texts, words, strict=False), 1):
            if first != second:
                entry = TEXT_WORD_DIFFERS._replace(code=code)
                log.say(entry, line, number=number, text=first, listed=second)
                return
        log.say(TEXT_DIFFERS._replace(code=code), line, text=len(texts), listed=len(words))

    def refuse_partial(self, code: str = "PARTIAL-ONLY") -> None:
        """Reject a file that contains only partial results."""
        found = f"only results that are not final: {self.partial}"
        self.source.log.reject(code, self.source.syntax_error(None, "final results", found))

    def check_unit(self, duration_ns: int, *, reports_excess: bool = False) -> None:
        """Warn about times after the end of the audio, which suggest a wrong unit of times."""
        if not duration_ns or self.latest_ns <= duration_ns + SECOND * reports_excess:
            return
        ratio = self.latest_ns / duration_ns
        ends = {"end": format_time(self.latest_ns), "duration": format_time(duration_ns, 3)}
        likely = [factor for factor in UNIT_LIKELY if 0.5 * factor < ratio < 1.1 * factor]
        if likely:
            self.source.log.say(UNIT_LIKELY[likely[0]], **ends)
        elif reports_excess:
            self.source.log.say(BEYOND_AUDIO, **ends)
