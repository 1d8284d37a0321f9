"""asclite's tables with a row per speaker: percentages (`sum`) and counts (`rsum`).

Byte text is a `str` with one character per byte.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property
from math import ceil, fsum, inf, log, nan, sqrt

from formats.schema import NamedTuple
from scoring.nist.asclite.alignment import (
    CORRECT,
    DELETED,
    INSERTED,
    MISTAKEN,
    SUBSTITUTED,
    AlignedSegment,
)
from scoring.nist.report.rounding import truncated

_LOG2_E = 1.442695041
_LEAST, _MOST = 0.0000001, 0.9999999
_UNKNOWN_CONFIDENCE = -1.0
NO_ENTROPY = -2000.0
_FOOT = """\
* No Reference words for this(these) speaker(s). Word counts supplied
  rather than percents.
# No Reference words for this(these) speaker(s). NCE not computable.
+ Speaker(s) with no reference data is(are) ignored.
"""


class SpeakerSums:
    """The counts of one speaker.

    `information` is the sum of the logarithms of confidences. `mistaken` counts correct words of
    the wrong speaker.
    """

    def __init__(self) -> None:
        self.segments = self.wrong_segments = 0
        self.correct = self.substituted = self.mistaken = self.deleted = self.inserted = 0
        self.information = 0.0

    @property
    def words(self) -> int:
        """The number of reference words.

        Optional hypothesis words that count as correct are added.
        """
        return self.correct + self.substituted + self.mistaken + self.deleted

    @property
    def errors(self) -> int:
        """The number of errors of all kinds."""
        return self.substituted + self.mistaken + self.deleted + self.inserted

    @property
    def entropy(self) -> float:
        """The normalised cross entropy as asclite computes it; -2000 if undefined.

        For an incorrect word, asclite takes the logarithm of the confidence. The definition and
        sclite take that of one minus the confidence. A missing confidence counts as one in ten
        million.
        """
        wrong = self.substituted + self.mistaken + self.inserted
        if self.correct + wrong == 0:
            return NO_ENTROPY
        right = min(max(_LEAST, self.correct / (self.correct + wrong)), _MOST)
        most = -self.correct * log(right) * _LOG2_E - wrong * log(1.0 - right) * _LOG2_E
        return NO_ENTROPY if most == 0.0 else (most + self.information) / most

    def add(self, aligned: AlignedSegment) -> None:
        """Count the words of an aligned segment."""
        self.segments += 1
        self.wrong_segments += any(pair.letter != CORRECT for pair in aligned.pairs)
        for pair in aligned.pairs:
            self.correct += pair.letter == CORRECT
            self.substituted += pair.letter == SUBSTITUTED
            self.mistaken += pair.letter == MISTAKEN
            self.deleted += pair.letter == DELETED
            self.inserted += pair.letter == INSERTED
            if pair.hypothesis is not None:
                confidence = pair.hypothesis.confidence
                value = _UNKNOWN_CONFIDENCE if confidence is None else confidence
                self.information += log(min(max(_LEAST, value), _MOST)) * _LOG2_E


class _Statistics:
    def __init__(self, values: Iterable[float]) -> None:
        self.values = sorted(values)
        self.total = 0.0
        for value in self.values:
            self.total += value

    @cached_property
    def mean(self) -> float:
        return self.total / len(self.values) if self.values else 0.0

    @cached_property
    def deviation(self) -> float:
        count = len(self.values)
        if count == 0:
            return 0.0
        squares = 0.0
        for value in self.values:
            squares += value * value
        if count == 1:
            return nan
        spread = (count * squares - self.total * self.total) / (count * (count - 1))
        return sqrt(spread) if spread >= 0 else nan

    @cached_property
    def median(self) -> float:
        count = len(self.values)
        if count == 0:
            return 0.0
        middle = self.values[count // 2]
        return middle if count % 2 else (middle + self.values[count // 2 - 1]) / 2.0

    @property
    def width(self) -> int:
        if not self.values:
            return 1
        sums = (self.total, self.mean, self.deviation, self.median)
        return max(0, *map(_digits, self.values), *(_digits(value) + 2 for value in sums))


def _digits(value: float) -> int:
    if value > 0 and value != inf:
        return ceil(log(value) / log(10.0))
    return truncated(nan)


def _fixed(value: float, places: int) -> str:
    scaled = value * 10**places
    return f"{truncated(scaled + 0.5 if value > 0 else scaled - 0.5) / 10**places:.{places}f}"


def _fit(text: str, width: int) -> str:
    """Return the last `width` characters of a text, or the whole text if it is shorter."""
    return text if len(text) <= width else "..." + text[len(text) - width + 3 :]


def _centred(text: str, width: int) -> str:
    text = _fit(text, width)
    left = (width - len(text)) // 2
    return (" " * left + text).ljust(width)


class _Column(NamedTuple):
    head: str
    value: Callable[[SpeakerSums], int]


_SEGMENTS = _Column("#Snt", lambda tally: tally.segments)
_WORDS = _Column("#Wrd", lambda tally: tally.words)
_MISTAKEN = _Column("SpSub", lambda tally: tally.mistaken)
_COUNTS = (
    _Column("Corr", lambda tally: tally.correct),
    _Column("Sub", lambda tally: tally.substituted),
    _MISTAKEN,
    _Column("Del", lambda tally: tally.deleted),
    _Column("Ins", lambda tally: tally.inserted),
    _Column("Err", lambda tally: tally.errors),
)
_WRONG = _Column("S.Err", lambda tally: tally.wrong_segments)


def render(
    title: str, segments: Iterable[AlignedSegment], *, counts: bool, speakers: bool
) -> Iterator[str]:
    """Return the lines of a summary (byte text)."""
    tallies: dict[str, SpeakerSums] = {}
    for aligned in segments:
        tallies.setdefault(aligned.segment.speaker, SpeakerSums()).add(aligned)
    return _Table(title, tallies, counts, speakers).lines()


class _Table:
    def __init__(
        self, title: str, tallies: dict[str, SpeakerSums], counts: bool, speakers: bool
    ) -> None:
        self._title = title
        self._names = sorted(tallies)
        self._tallies = [tallies[name] for name in self._names]
        self._counts = counts
        self._columns = [column for column in _COUNTS if speakers or column is not _MISTAKEN]
        self._spoken = [tally for tally in self._tallies if tally.words]
        self._mark = len(self._spoken) < len(self._tallies)
        self._speaker_width = max([7, *map(len, self._names)])
        self._widths = [max(5, self._all(_SEGMENTS).width), max(6, self._all(_WORDS).width)]
        self._widths += [
            max(6, self._all(column).width, self._own(column).width) + self._mark
            for column in self._columns
        ]
        self._widths.append(max(6, self._all(_WRONG).width, self._wrong_shares().width))
        self._line = 28 + speakers + self._speaker_width + sum(self._widths)

    def _all(self, column: _Column) -> _Statistics:
        return _Statistics(column.value(tally) for tally in self._tallies)

    def _own(self, column: _Column) -> _Statistics:
        return _Statistics(column.value(tally) for tally in self._spoken)

    def _shares(self, column: _Column) -> _Statistics:
        return _Statistics(100.0 * column.value(tally) / tally.words for tally in self._spoken)

    def _wrong_shares(self) -> _Statistics:
        return _Statistics(100.0 * tally.wrong_segments / tally.segments for tally in self._tallies)

    def lines(self) -> Iterator[str]:
        inner = self._line - 2
        yield _centred("SYSTEM SUMMARY PERCENTAGE by SPEAKER", self._line)
        yield f".{'-' * inner}."
        yield f"|{_centred(self._title, inner)}|"
        yield f"|{'-' * inner}|"
        heads = ["#Snt", "#Wrd", *(column.head for column in self._columns), "S.Err"]
        yield self._row("Speaker".ljust(self._speaker_width), heads, "NCE")
        for name, tally in zip(self._names, self._tallies, strict=True):
            yield f"|{'-' * inner}|"
            yield self._speaker(name, tally)
        yield f"|{'=' * inner}|"
        yield self._sum()
        yield f"|{'=' * inner}|"
        for name in ("mean", "deviation", "median"):
            yield self._statistic(name)
        yield f"'{'-' * inner}'"
        if self._mark:
            yield from _FOOT.splitlines()

    def _row(self, name: str, cells: Sequence[str], entropy: str) -> str:
        cells = [
            _fit(cell, width).rjust(width) for cell, width in zip(cells, self._widths, strict=True)
        ]
        first, rest = " ".join(cells[:2]), " ".join(cells[2:])
        return f"| {name} | {first} | {rest} | {_centred(entropy, 9)} |"

    def _speaker(self, name: str, tally: SpeakerSums) -> str:
        mark = " " if self._mark else ""
        if not tally.words and not self._counts:
            mark = "*"
        cells = [str(tally.segments), str(tally.words)]
        for column in self._columns:
            value = column.value(tally)
            if self._counts or not tally.words:
                cells.append(f"{value}{mark}")
            else:
                cells.append(f"{_fixed(100.0 * value / tally.words, 1)}{mark}")
        wrong = tally.wrong_segments
        cells.append(str(wrong) if self._counts else _fixed(100.0 * wrong / tally.segments, 1))
        if not tally.words:
            entropy = "#"
        elif abs(tally.entropy) <= 1000.0:
            entropy = _fixed(tally.entropy, 3)
        else:
            entropy = "-inf" if tally.entropy < 0 else "+inf"
        return self._row(name.ljust(self._speaker_width), cells, entropy)

    def _sum(self) -> str:
        whole = SpeakerSums()
        for tally in self._tallies:
            whole.segments += tally.segments
            whole.wrong_segments += tally.wrong_segments
            whole.correct += tally.correct
            whole.substituted += tally.substituted
            whole.mistaken += tally.mistaken
            whole.deleted += tally.deleted
            whole.inserted += tally.inserted
        whole.information = fsum(tally.information for tally in self._tallies)
        mark = " " if self._mark else ""
        cells = [str(whole.segments), str(whole.words)]
        for column in self._columns:
            value = column.value(whole)
            share = 100.0 * value / max(1, whole.words)
            cells.append(f"{value}{mark}" if self._counts else f"{_fixed(share, 1)}{mark}")
        wrong = whole.wrong_segments
        share = 100.0 * wrong / max(1, whole.segments)
        cells.append(str(wrong) if self._counts else _fixed(share, 1))
        name = "Sum" if self._counts else "Sum/Avg"
        return self._row(name.ljust(self._speaker_width), cells, _fixed(whole.entropy, 3))

    def _statistic(self, name: str) -> str:
        def value(statistics: _Statistics, places: int = 1) -> str:
            return _fixed(getattr(statistics, name), places)

        mark = "+" if self._mark else ""
        cells = [value(self._all(_SEGMENTS)), value(self._all(_WORDS))]
        for column in self._columns:
            cells.append(value(self._own(column) if self._counts else self._shares(column)) + mark)
        cells.append(value(self._all(_WRONG) if self._counts else self._wrong_shares()))
        entropies = _Statistics(
            tally.entropy for tally in self._spoken if abs(tally.entropy) <= 1000.0
        )
        title = {"mean": "Mean", "deviation": "S.D.", "median": "Median"}[name]
        return self._row(_centred(title, self._speaker_width), cells, value(entropies, 3))
