"""Preparation of cues for writing: rounded times, lines of text, speaker names, word times."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import zip_longest

from formats.detection.spec import Option, SegmentSource
from formats.io.sink import Sink
from formats.reading.lines import split_words
from formats.schema.errors import quoted
from formats.schema.model import Segment
from formats.subtitles.cues import DASHES, is_dashed, spoken_words
from formats.subtitles.messages import (
    RULE_DASHES,
    RULE_NEXT_LINE,
    RULE_SPEAKER_PREFIX,
    RULE_WORD_ORDER,
    RULE_WORD_TIMES,
)
from formats.subtitles.segmentation import cut_into_cues
from formats.writing.out import Out

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from typing import Any

SPEAKER_PREFIX = Option(
    "speaker_prefix", False, "write the name of the speaker and a colon before the text"
)
IMPOSSIBLE = "\n\r\0\t\v\f"
LOOK_ALIKES = str.maketrans("{}<>\\|,", "｛｝＜＞＼｜，")
"""Full-width characters that look like what is markup in some format."""


class CueOut(Out):
    """A cue that is written, with rounded times. `prefix` names the speaker, such as ``anne: ``."""

    __slots__ = ("end", "precision", "prefix", "start")

    def __init__(
        self, segment: Segment, sink: Sink, precision: int, speaker_prefix: bool | None = None
    ) -> None:
        super().__init__(segment, sink)
        begin, end = segment.start_ns, segment.end_ns
        if begin is None or end is None:
            raise self.refuse("a segment with times", "none")
        if begin < 0 or end < 0:
            raise self.refuse("times of 0 or more", f"{min(begin, end) / 1e9}")
        self.start, self.end = self.round(precision, begin, end)
        self.precision = precision
        self.prefix = ""
        words = segment.words
        if words and (is_dashed(words[0]) or not DASHES.isdisjoint(words)):
            self.lost("words", len(words) - len(spoken_words(" ".join(words))), RULE_DASHES)
        if segment.speaker is not None and speaker_prefix:
            self.prefix = f"{' '.join(split_words(segment.speaker))}: "
        elif segment.speaker is not None and speaker_prefix is not None:
            self.lost("speakers", 1, RULE_SPEAKER_PREFIX)

    def lines(self) -> list[str]:
        """Return the lines of text without the prefix.

        They are those of the property ``lines`` if it has the words of the cue; otherwise there is
        a single line.
        """
        words = self.segment.words
        text = " ".join(words)
        if any(c in text for c in IMPOSSIBLE) or len(split_words(text)) != len(words):
            bad = next(w for w in words if split_words(w) != [w] or any(map(w.count, IMPOSSIBLE)))
            shown = quoted(bad) if bad else "an empty word"
            raise self.refuse("words without blanks and line ends", shown)
        layout = self.segment.get("lines")
        if layout is not None and "\r" not in layout and "\0" not in layout:
            lines = layout.split("\n")
            if all(lines) and tuple(spoken_words(layout)) == words:
                return lines
        return [text] if text else []

    def prefixed_lines(self) -> list[str]:
        """Return the lines of text, with the prefix before the first; empty without words."""
        lines = self.lines()
        return [self.prefix + lines[0], *lines[1:]] if lines else []

    def unmarked(
        self, lines: Sequence[str], markup: re.Pattern[str], expected: str, escape: bool = False
    ) -> list[str]:
        """Return the lines without markup characters.

        If `escape` is true, markup characters are replaced; otherwise they are an error.
        """
        for line in lines if not escape else ():
            if mark := markup.search(line):
                word = next(filter(markup.search, split_words(line)), mark[0])
                raise self.refuse(expected, quoted(word))
        return [markup.sub(lambda mark: mark[0].translate(LOOK_ALIKES), line) for line in lines]

    def raw(self, text: str | None, format_name: str) -> list[str] | None:
        """Return the lines of `text`, which has the markup of the file that was read.

        Return `None` if its words are not those of the cue.
        """
        raw = self.segment.get("raw")
        if raw is None:
            return None
        lines = raw.split("\n")
        is_text = "\r" not in raw and "\0" not in raw and all(map(str.strip, lines))
        if is_text and text is not None and tuple(spoken_words(text)) == self.segment.words:
            return lines
        self.property_lost("raw", format_name)
        return None

    def word_times(self, is_asked: bool) -> list[tuple[int, int]] | None:
        """Return the rounded word times if the words are in order inside the segment.

        Otherwise, or if `is_asked` is false, count the times as lost and return `None`.
        """
        starts, ends = self.segment.starts_ns, self.segment.ends_ns
        if starts is None and ends is None:
            return None
        count = max(sum(1 for time in starts or () if time is not None), 1)
        if not is_asked:
            self.lost("word times", count, RULE_WORD_TIMES)
            return None
        done, end = self.segment.start_ns, self.segment.end_ns
        spans: list[tuple[int, int]] = []
        for first, last in zip(starts or (), ends or (), strict=False):
            if first is None or last is None or done is None or end is None:
                break
            if not done <= first <= last <= end:
                break
            done = last
            spans.append((first, last))
        if len(spans) != len(self.segment.words):
            rule = RULE_WORD_ORDER
            self.lost("word times", count, rule)
            return None
        return [self.round(self.precision, *span) for span in spans]  # type: ignore[misc]


def timed_lines(
    lines: Iterable[str], times: Iterable[tuple[int, int]]
) -> Iterator[list[tuple[str, int, int]]]:
    """Yield the words of each line, each word with its start and end in nanoseconds."""
    remaining = iter(times)
    for line in lines:
        yield [(word, *next(remaining)) for word in spoken_words(line)]


def begins_of(rows: Sequence[tuple[int, int, str]], sink: Sink) -> Iterator[tuple[int, str]]:
    """Yield the start and the text of each cue.

    Before a gap, also yield the end of the cue with an empty text.
    """
    for (start, end, text), after in zip_longest(rows, [row[0] for row in rows[1:]]):
        yield start, text
        if after is not None and (after < end or after == start):
            sink.losses.add("ends of segments", 1, RULE_NEXT_LINE, sink.source)
        elif after != end:
            yield end, ""


def cues_out(
    segments: SegmentSource, sink: Sink, precision: int, limits: Mapping[str, Any],
    speaker_prefix: bool | None = None,
) -> Iterator[CueOut]:  # fmt: skip
    """Yield the cues of segments; the limits may divide a segment into several cues.

    The prefix is `None` if the format has a field for speakers.
    """
    for segment in cut_into_cues(segments, sink, **limits):
        yield CueOut(segment, sink, precision, speaker_prefix)
