"""The words of one channel of a ctm recording, while they are read: columns, not objects."""

from __future__ import annotations

from itertools import repeat
from operator import gt, le, sub

from formats.errors import quoted
from formats.lines import column_of_field
from formats.model import Segment
from formats.words import NULL, Alternation, Token

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import TypeAlias, TypeVar

    from formats.source import Source

    T = TypeVar("T")
    Choice: TypeAlias = "tuple[int, int, str | None, Alternation]"
    Row: TypeAlias = "tuple[int, int, Choice | None]"

__all__ = ["Channel"]


class Channel:
    """One channel of the recording being read.

    Two million words have to fit: plain words are kept as columns, and only alternations, which
    are rare, as objects.
    """

    def __init__(self, source: Source, recording: str, channel: str, line: int) -> None:
        self.source = source
        self.recording = recording
        self.channel = channel
        self.line = line
        self._words: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        self._confidences: list[float | None] = []
        self._kinds: list[str | None] = []
        self._optional: list[bool] = []
        self._speakers: list[str | None] = []
        # Position, start, speaker and content of what is no plain word.
        self._choices: list[Choice] = []
        self._last = 0
        self._latest_end = 0
        self._is_sorted = True
        self._branches: list[list[Token]] | None = None
        self._opened = 0
        self._said = 0
        self._speaker: str | None = None

    def add(
        self,
        number: int,
        text: str,
        start: int,
        end: int,
        confidence: float | None,
        kind: str | None,
        optional: bool,
        speaker: str | None,
    ) -> None:
        """Take one word."""
        is_null = text == "@" and not optional
        if self._branches is not None:
            self._speaker = speaker
            self._said += 1
            if not is_null:
                self._branches[-1].append(Token(text, start, end, confidence, kind, optional))
            return
        if start < self._last:
            self._note_disorder(number)
        elif start < self._latest_end:
            self.source.log.note("OVERLAP", "begins before the end of a word above it", number)
        self._last = start
        if end > self._latest_end:
            self._latest_end = end
        if is_null:
            self.source.log.note("CTM-NULL", "the time of a null word @ is not kept", number)
            self._choices.append((len(self._words), start, speaker, NULL))
            return
        self._words.append(text)
        self._starts.append(start)
        self._ends.append(end)
        self._confidences.append(confidence)
        self._kinds.append(kind)
        self._optional.append(optional)
        self._speakers.append(speaker)

    def extend(
        self,
        first: int,
        words: list[str],
        starts: list[int],
        ends: list[int],
        confidences: list[float | None],
        kinds: list[str | None],
        speakers: list[str | None],
    ) -> None:
        """Take words of lines that follow one another, none of them null or optional."""
        before = [max(self._last, self._latest_end), *ends]
        if self._branches is not None or not all(map(le, before, starts)):
            rows = zip(words, starts, ends, confidences, kinds, speakers, strict=True)
            for number, (word, start, end, sure, kind, speaker) in enumerate(rows, first):
                self.add(number, word, start, end, sure, kind, False, speaker)
            return
        self._words += words
        self._starts += starts
        self._ends += ends
        self._confidences += confidences
        self._kinds += kinds
        self._optional += repeat(False, len(words))
        self._speakers += speakers
        self._last, self._latest_end = starts[-1], ends[-1]

    def _note_disorder(self, number: int) -> None:
        self._is_sorted = False
        if "CTM-ORDER" not in self.source.log.counts:
            self.source.log.warn(
                "CTM-ORDER",
                "begins before the word above it, as further ones may: words are sorted by "
                "begin (sclite would score them in the order of the file)",
                number,
            )

    def mark(self, number: int, line: str, marker: str) -> None:
        """Take one marker of an alternation."""
        name = marker.upper()
        if name == "<ALT_BEGIN>" and self._branches is None:
            self._branches = [[]]
            self._opened = number
            self._said = 0
            self._speaker = None
        elif name == "<ALT>" and self._branches is not None:
            self._branches.append([])
        elif name == "<ALT_END>" and self._branches is not None:
            self._close(number)
        else:
            expected = {
                "<ALT_BEGIN>": f"<ALT_END> for the <ALT_BEGIN> of line {self._opened} first",
                "<ALT>": "<ALT_BEGIN> before <ALT>",
                "<ALT_END>": "<ALT_BEGIN> before <ALT_END>",
            }.get(name, "<ALT_BEGIN>, <ALT> or <ALT_END>")
            raise self.source.syntax_error(
                number, expected, quoted(marker), column=column_of_field(line, 4)
            )

    def _close(self, number: int) -> None:
        branches, self._branches = self._branches or [[]], None
        starts = [token.start_ns or 0 for branch in branches for token in branch]
        start = min(starts, default=self._last)
        if not self._said:
            self.source.log.warn("CTM-EMPTY-ALT", "an alternation without any word", number)
        if start < self._last:
            self._note_disorder(self._opened)
        self._last = start
        self._choices.append((len(self._words), start, self._speaker, Alternation(branches)))

    def segments(self) -> Iterator[Segment]:
        """What was taken, in order of begin, cut where the speaker changes."""
        if self._branches is not None:
            error = self.source.syntax_error(
                self._opened,
                "<ALT_END> for this <ALT_BEGIN>",
                f"none in {self.recording} {self.channel}",
            )
            self.source.log.reject("CTM-ALT", error)
        if not self._is_sorted:
            self._sort()
        self._check_durations()
        yield from self._cut()

    def _sort(self) -> None:
        """Order by begin; what begins together stays in the order of the file."""
        rows = sorted(self._rows(), key=_start_of)
        order = [index for _, index, choice in rows if choice is None]
        self._choices = []
        words_before = 0
        for _, _, choice in rows:
            if choice is None:
                words_before += 1
            else:
                self._choices.append((words_before, *choice[1:]))
        self._words = _ordered(self._words, order)
        self._starts = _ordered(self._starts, order)
        self._ends = _ordered(self._ends, order)
        self._confidences = _ordered(self._confidences, order)
        self._kinds = _ordered(self._kinds, order)
        self._optional = _ordered(self._optional, order)
        self._speakers = _ordered(self._speakers, order)

    def _rows(self) -> Iterator[Row]:
        """Words and choices in the order of the file: begin, index of a word, or a choice."""
        at = 0
        for index in range(len(self._words) + 1):
            while at < len(self._choices) and self._choices[at][0] == index:
                yield self._choices[at][1], index, self._choices[at]
                at += 1
            if index < len(self._words):
                yield self._starts[index], index, None

    def _cut(self) -> Iterator[Segment]:
        """The segments: neighbours of one speaker belong together."""
        size = len(self._words)
        if size and not self._choices and self._speakers.count(self._speakers[0]) == size:
            yield self._segment(0, size, 0, 0, self._speakers[0])
            return
        choices = [*self._choices, (size + 1, 0, None, NULL)]
        first, first_choice, at = 0, 0, 0
        speaker: str | None = None
        is_first = True
        for index in range(size + 1):
            while choices[at][0] == index:
                if not is_first and choices[at][2] != speaker:
                    yield self._segment(first, index, first_choice, at, speaker)
                    first, first_choice = index, at
                speaker, is_first = choices[at][2], False
                at += 1
            if index == size:
                break
            if not is_first and self._speakers[index] != speaker:
                yield self._segment(first, index, first_choice, at, speaker)
                first, first_choice = index, at
            speaker, is_first = self._speakers[index], False
        if not is_first:
            yield self._segment(first, size, first_choice, at, speaker)

    def _segment(
        self, first: int, stop: int, first_choice: int, stop_choice: int, speaker: str | None
    ) -> Segment:
        confidences = tuple(self._confidences[first:stop])
        kinds = tuple(self._kinds[first:stop])
        optional = tuple(self._optional[first:stop])
        has_words = stop > first
        return Segment(
            self.recording,
            tuple(self._words[first:stop]),
            channel=self.channel,
            speaker=speaker,
            starts_ns=tuple(self._starts[first:stop]) if has_words else None,
            ends_ns=tuple(self._ends[first:stop]) if has_words else None,
            confidences=None if confidences.count(None) == len(confidences) else confidences,
            kinds=None if kinds.count(None) == len(kinds) else kinds,
            optional=optional if True in optional else None,
            alternations=tuple(
                (place - first, choice)
                for place, _, _, choice in self._choices[first_choice:stop_choice]
            ),
            line=self.line,
        )

    def _check_durations(self) -> None:
        lengths = map(sub, self._ends, self._starts)
        if len(self._words) > 4 and all(map(gt, lengths, self._starts)):
            self.source.log.warn(
                "CTM-END-NOT-DUR?",
                f"every word of {self.recording} {self.channel} lasts longer than its begin: "
                "is the fourth field an end time instead of a duration?",
                self.line,
            )


def _start_of(row: Row) -> int:
    return row[0]


def _ordered(column: list[T], order: Sequence[int]) -> list[T]:
    return [column[index] for index in order]
