"""The words, segments and speakers of asclite: a graph of words with times in milliseconds.

Texts are byte text: a `str` with one character per byte.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cached_property
from itertools import pairwise

from formats.schema import NamedTuple
from scoring.nist.asclite.grid import BEGINNING, END, WHOLE
from scoring.nist.report.rounding import single

GAP = "inter_segment_gap"
UNKNOWN = -1


class Numbering:
    """Numbers for segments, words and groups in order of creation, for logs and `-only-SG`."""

    def __init__(self) -> None:
        self._last = 0

    def take(self, count: int = 1) -> int:
        """Reserve `count` numbers; return the first of them."""
        first = self._last + 1
        self._last += count
        return first


class Wording(NamedTuple):
    """The rules for reading a word: how case, fragments and optional words are treated."""

    case_sensitive: bool = False  # option `-s`
    # Option `-F`: a hyphen in front marks the end of a word, one after it its beginning
    fragments: bool = False
    # Option `-D`, for this side: parentheses mark a word that need not be there
    optional: bool = False

    def read(self, text: str) -> tuple[str, bool, int]:
        """Return the text of a word without marks, whether the word is optional, and its part.

        The part is `WHOLE`, `BEGINNING` or `END` (of a word).

        >>> Wording(fragments=True, optional=True).read("(Ab-)")
        ('Ab', True, 1)
        >>> Wording().read("(uh)")
        ('(uh)', False, 0)
        """
        begin, size, part = 0, len(text), WHOLE
        optional = self.optional and text.startswith("(") and text.endswith(")")
        if optional:
            begin, size = 1, size - 2
        if self.fragments:
            if text[begin : begin + 1] == "-":
                part, begin, size = END, begin + 1, size - 1
            if begin + size > 0 and text[begin + size - 1] == "-":
                part, size = BEGINNING, size - 1
        # a lone hyphen is both marks at once: asclite then takes all after it
        return text[begin:] if size < 0 else text[begin : begin + size], optional, part


class NetworkWord:
    """A word of a segment; `before` and `after` are the words linked to it.

    `begin` and `end` are the word's own times in milliseconds, -1 without a time. `text` is the
    byte text in the file. `spelling` is the part of it that is compared. `part` is `WHOLE` for a
    whole word, and `BEGINNING` or `END` for a fragment.
    """

    def __init__(
        self,
        number: int,
        begin: int,
        end: int,
        text: str,
        segment: NetworkSegment,
        spelling: str = "",
        optional: bool = False,
        part: int = WHOLE,
    ) -> None:
        self.number = number
        self.begin = begin
        self.end = end
        self.text = text
        self.segment = segment
        self.spelling = spelling
        self.optional = optional
        self.part = part
        self.confidence: float | None = None
        self.before: list[NetworkWord] = []
        self.after: list[NetworkWord] = []

    @property
    def timed(self) -> bool:
        """True if the word itself has times."""
        return self.begin >= 0 and self.end >= 0

    @property
    def interval(self) -> tuple[int, int]:
        """The times of the word, or the times of its segment if the word has none."""
        segment = self.segment
        return (
            self.begin if self.begin >= 0 else segment.begin,
            self.end if self.end >= 0 else segment.end,
        )

    def folded(self, case_sensitive: bool) -> str:
        """Return the spelling for comparison, in lower case unless case matters."""
        return self.spelling if case_sensitive else lower(self.spelling)

    def shown(self, case_sensitive: bool) -> str:
        """Return the word for reports, with the marks that the reader removed."""
        text = self.folded(case_sensitive)
        text = f"-{text}" if self.part == END else f"{text}-" if self.part == BEGINNING else text
        return f"({text})" if self.optional else text

    def set_confidence(self, value: float) -> None:
        """Set the confidence, rounded to single precision as in asclite."""
        self.confidence = single(value)


class NetworkSegment:
    """Words between two times; a path begins in one of `first` and ends in one of `last`.

    `line` and `sequence` count from 0, as in asclite. A segment with `ignored` excludes its whole
    group from the score.
    """

    def __init__(
        self,
        number: int,
        begin: int,
        end: int,
        file: str = "",
        channel: str = "",
        speaker: str = "",
        identifier: str = "",
        line: int = 0,
        sequence: int = 0,
    ) -> None:
        self.number = number
        self.begin = begin
        self.end = end
        self.file = file
        self.channel = channel
        self.speaker = speaker
        self.identifier = identifier
        self.line = line
        self.sequence = sequence
        self.label = ""
        self.ignored = False
        self.first: list[NetworkWord] = []
        self.last: list[NetworkWord] = []

    @property
    def middle(self) -> int:
        """The midpoint of the segment in milliseconds, truncated towards zero."""
        total = self.begin + self.end
        return total // 2 if total >= 0 else -(-total // 2)

    def words(self) -> list[NetworkWord]:
        """Return the words in the order of a depth-first search from the first words.

        As in asclite, a first word is listed twice if it follows another first word.
        """
        reached: list[NetworkWord] = []
        words: set[NetworkWord] = set()
        for start in self.first:
            reached.append(start)
            words.add(start)
            pending = [] if start in self.last else [iter(start.after)]
            while pending:
                word = next(pending[-1], None)
                if word is None:
                    pending.pop()
                elif word not in words:
                    reached.append(word)
                    words.add(word)
                    if word not in self.last:
                        pending.append(iter(word.after))
        return reached


class Chain:
    """The segments of one speaker in one recording and channel, in the order of the file."""

    def __init__(self, segments: list[NetworkSegment]) -> None:
        self.segments = segments

    @cached_property
    def _ends(self) -> list[int] | None:
        """The ends of the segments; None if they are not in ascending order."""
        ends = [segment.end for segment in self.segments]
        return ends if all(a <= b for a, b in pairwise(ends)) else None

    @cached_property
    def _middles(self) -> list[int] | None:
        middles = [segment.middle for segment in self.segments]
        return middles if all(a <= b for a, b in pairwise(middles)) else None

    def at(self, time: int) -> NetworkSegment | None:
        """Return the segment that contains a time, or else the first segment after it, or None."""
        if self._ends is not None:
            index = bisect_right(self._ends, time)
            return self.segments[index] if index < len(self.segments) else None
        before = 0
        for segment in self.segments:
            if segment.end > time >= before:
                return segment
            before = segment.end
        return None

    def within(self, begin: int, end: int) -> list[NetworkSegment]:
        """Return the segments with `begin` <= midpoint < `end`."""
        if self._middles is not None:
            low, high = bisect_left(self._middles, begin), bisect_left(self._middles, end)
            return self.segments[low:high]
        return [segment for segment in self.segments if begin <= segment.middle < end]


class Speech:
    """The segments of one speaker, or of one stream of a hypothesis."""

    def __init__(self) -> None:
        self.segments: list[NetworkSegment] = []

    def chains(self) -> dict[tuple[str, str], Chain]:
        """Return the segments by recording and channel, in file order."""
        segments_of: dict[tuple[str, str], list[NetworkSegment]] = {}
        for segment in self.segments:
            segments_of.setdefault((segment.file, segment.channel), []).append(segment)
        return {stream: Chain(segments) for stream, segments in segments_of.items()}


class Speeches:
    """One file: its speakers or streams, sorted by name as bytes, and its label definitions."""

    def __init__(self, name: str, title: str = "") -> None:
        self.name = name
        self.title = title
        self.speeches: list[Speech] = []
        self.labels: list[tuple[str, str, str, str]] = []

    def segments(self) -> Iterator[NetworkSegment]:
        """Iterate over the segments, speaker by speaker."""
        for speech in self.speeches:
            yield from speech.segments


def lower(text: str) -> str:
    """Return byte text with its ASCII letters in lower case.

    >>> lower("ÉT")
    'Ét'
    """
    return text.encode("latin-1").lower().decode("latin-1")


def link(ends: list[NetworkWord], starts: list[NetworkWord]) -> None:
    """Link each of the words `ends` to each of the words `starts`."""
    for end in ends:
        for start in starts:
            end.after.append(start)
            start.before.append(end)


def unlink(segment: NetworkSegment) -> None:
    """Remove the words of a segment from the graph.

    The first word before the segment is then linked to all words after the segment. As in asclite,
    no other word before the segment gets new links. A word without a predecessor may begin a path.
    """
    before, after = [], []
    for word in segment.first:
        for linked in list(word.before):
            before.append(linked)
            linked.after.remove(word)
    for word in segment.last:
        for linked in list(word.after):
            after.append(linked)
            linked.before.remove(word)
    link(before[:1], after)
