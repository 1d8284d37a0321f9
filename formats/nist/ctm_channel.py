"""The words of one channel of a ctm recording, while they are read: columns, not objects."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import compress, pairwise
from operator import gt, ne, sub
from typing import Any, NamedTuple

from formats.io.source import Source
from formats.nist.messages import CTM_EMPTY_ALT, CTM_END_NOT_DUR, CTM_NULL, CTM_ORDER, OVERLAP_WORD
from formats.reading.lines import Line
from formats.schema.model import Segment, are_apart
from formats.schema.words import NULL, Alternation, Token

WORDS, STARTS, ENDS, CONFIDENCES, KINDS, SPEAKERS, OPTIONAL = range(7)


class Choice(NamedTuple):
    """An alternation: the number of words before it, its start, its speaker."""

    position: int
    start: int
    speaker: str | None
    content: Alternation


class Channel:
    """One channel of the recording being read; two million plain words fit in its columns."""

    def __init__(self, source: Source, recording: str, channel: str, line: int) -> None:
        self.source = source
        self.recording = recording
        self.channel = channel
        self.line = line
        self._columns: list[list[Any]] = [[] for _ in range(7)]
        self._choices: list[Choice] = []
        self._last = 0
        self._latest_end = 0
        self._is_sorted = True
        self._branches: list[list[Token]] | None = None
        self._opened = 0
        self._has_words = False
        self._speaker: str | None = None

    def add(self, number: int, token: Token, speaker: str | None) -> None:
        """Take one word."""
        is_null = token.text == "@" and not token.optional
        start, end = token.start_ns or 0, token.end_ns or 0
        if self._branches is not None:
            self._speaker = speaker
            self._has_words = True
            if not is_null:
                self._branches[-1].append(token)
            return
        if start < self._last:
            self._note_disorder(number)
        elif start < self._latest_end:
            self.source.log.say(OVERLAP_WORD, number)
        self._last = start
        self._latest_end = max(self._latest_end, end)
        if is_null:
            self.source.log.say(CTM_NULL, number)
            self._choices.append(Choice(len(self._columns[WORDS]), start, speaker, NULL))
            return
        row = token.text, start, end, token.confidence, token.kind, speaker, token.optional
        for column, value in zip(self._columns, row, strict=True):
            column.append(value)

    def extend(self, first: int, columns: Sequence[list[Any]]) -> None:
        """Take words of lines that follow one another, none of them null or optional."""
        words, starts, ends, *_ = columns
        before = max(self._last, self._latest_end)
        if self._branches is not None or not are_apart(before, starts, ends):
            for number, (*values, speaker) in enumerate(zip(*columns, strict=True), first):
                self.add(number, Token(*values), speaker)
            return
        for column, values in zip(self._columns, (*columns, [False] * len(words)), strict=True):
            column += values
        self._last, self._latest_end = starts[-1], ends[-1]

    def _note_disorder(self, number: int) -> None:
        self._is_sorted = False
        self.source.log.say(CTM_ORDER, number)

    def mark(self, line: Line) -> None:
        """Take one marker of an alternation."""
        name = line.columns[4].upper()
        if name == "<ALT_BEGIN>" and self._branches is None:
            self._branches = [[]]
            self._opened = line.number
            self._has_words = False
            self._speaker = None
        elif name == "<ALT>" and self._branches is not None:
            self._branches.append([])
        elif name == "<ALT_END>" and self._branches is not None:
            self._close(line.number)
        else:
            expected = {
                "<ALT_BEGIN>": f"<ALT_END> for the <ALT_BEGIN> of line {self._opened} first",
                "<ALT>": "<ALT_BEGIN> before <ALT>",
                "<ALT_END>": "<ALT_BEGIN> before <ALT_END>",
            }
            raise line.error(4, expected.get(name, "<ALT_BEGIN>, <ALT> or <ALT_END>"))

    def _close(self, number: int) -> None:
        branches, self._branches = self._branches or [[]], None
        starts = [token.start_ns or 0 for branch in branches for token in branch]
        start = min(starts, default=self._last)
        if not self._has_words:
            self.source.log.say(CTM_EMPTY_ALT, number)
        if start < self._last:
            self._note_disorder(self._opened)
        self._last = start
        position = len(self._columns[WORDS])
        self._choices.append(Choice(position, start, self._speaker, Alternation(branches)))

    def segments(self) -> Iterator[Segment]:
        """The words in order of begin, cut where the speaker changes."""
        if self._branches is not None:
            found = f"none in {self.recording} {self.channel}"
            expected = "<ALT_END> for this <ALT_BEGIN>"
            error = self.source.syntax_error(self._opened, expected, found)
            self.source.log.reject("CTM-ALT", error)
        self._check_durations()
        items = self._items()
        speakers = self._columns[SPEAKERS]
        if not isinstance(items, range):
            speakers = [self._choices[~i].speaker if i < 0 else speakers[i] for i in items]
        size = len(items)
        bounds = [0, size]
        if size and speakers.count(speakers[0]) != size:
            bounds[1:1] = compress(range(1, size), map(ne, speakers, speakers[1:]))
        for begin, stop in pairwise(bounds if size else ()):
            yield self._segment(items[begin:stop], speakers[begin])

    def _items(self) -> Sequence[int]:
        """Indices of the words in order of begin; among them ``~index`` of each alternation."""
        size = len(self._columns[WORDS])
        if self._is_sorted and not self._choices:
            return range(size)
        items: list[int] = []
        for index, choice in enumerate(self._choices):
            items += range(len(items) - index, choice.position)
            items.append(~index)
        items += range(len(items) - len(self._choices), size)
        starts = self._columns[STARTS]
        if not self._is_sorted:  # what begins together stays in the order of the file
            items.sort(key=lambda i: self._choices[~i].start if i < 0 else starts[i])
        return items

    def _segment(self, items: Sequence[int], speaker: str | None) -> Segment:
        columns: list[tuple[Any, ...]]
        choices: list[tuple[int, Alternation]] = []
        if isinstance(items, range):
            begin, stop = items.start, items.stop
            is_all = stop - begin == len(self._columns[WORDS])
            columns = [tuple(c if is_all else c[begin:stop]) for c in self._columns]
        else:
            words = [index for index in items if index >= 0]
            columns = [tuple([column[index] for index in words]) for column in self._columns]
            places = [row for row, index in enumerate(items) if index < 0]
            for before, row in enumerate(places):
                choices.append((row - before, self._choices[~items[row]].content))
        has_words = bool(columns[WORDS])
        confidences, kinds = columns[CONFIDENCES], columns[KINDS]
        return Segment(
            self.recording,
            columns[WORDS],
            channel=self.channel,
            speaker=speaker,
            starts_ns=columns[STARTS] if has_words else None,
            ends_ns=columns[ENDS] if has_words else None,
            confidences=None if confidences.count(None) == len(confidences) else confidences,
            kinds=None if kinds.count(None) == len(kinds) else kinds,
            optional=columns[OPTIONAL] if True in columns[OPTIONAL] else None,
            alternations=tuple(choices),
            line=self.line,
        )

    def _check_durations(self) -> None:
        starts, ends = self._columns[STARTS], self._columns[ENDS]
        if len(starts) > 4 and all(map(gt, map(sub, ends, starts), starts)):
            self.source.log.say(
                CTM_END_NOT_DUR, self.line, recording=self.recording, channel=self.channel
            )
