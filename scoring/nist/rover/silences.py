"""Silences that all recognisers have at the same time; they cut a section into chunks."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from operator import le

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator, Sequence

    from scoring.nist.rover.word_list import CtmWordList, Section

SHORTEST_SILENCE = 1.0  # seconds, in the first file
END_OF_TIME = 9999999.9


def chunks(files: Sequence[CtmWordList], sections: Sequence[Section]) -> Iterator[list[range]]:
    """Cut one section of all files into chunks, and mark the words of the chunks as used.

    A chunk has one range of positions per file. Chunks are aligned separately. As in NIST's rover,
    if a file has no words left in its section, every chunk that ends in a shared silence gets the
    first word of the file's next section.
    """
    gaps = [_Gaps(file, section) for file, section in zip(files, sections, strict=True)]
    while any(file.at < section.end for file, section in zip(files, sections, strict=True)):
        ends = _common_silence(gaps)
        if ends is None:
            ends = [section.end - 1 for section in sections]
        chunk = [
            range(file.at, min(end + 1, file.held)) for file, end in zip(files, ends, strict=True)
        ]
        for file, section, end in zip(files, sections, ends, strict=True):
            file.at = end + 1 if end < section.end else end
        yield chunk


def _common_silence(gaps: Sequence[_Gaps]) -> list[int] | None:
    """Find the next silence that all files share; return the last word before it in each file.

    Returns None if there is none.
    """
    first, *others = gaps
    for position, begin, end in first.long_ones():
        ends = [position]
        for channel_gaps in others:
            silence = channel_gaps.overlapping(begin, end)
            if silence is None:
                break
            position, begin, end = silence
            ends.append(position)
        else:
            return ends
    return None


class _Gaps:
    """The gaps of a section in one file: from the end of each unused word to the next word."""

    def __init__(self, file: CtmWordList, section: Section) -> None:
        self._file = file
        self._last = section.end - 1
        self._long: list[int] | None = None
        self._section = section
        self._sorted: bool | None = None

    def long_ones(self) -> Iterator[tuple[int, float, float]]:
        """Yield each gap that is long enough for a cut.

        A gap is the word before it, its start and its end.
        """
        starts, finishes, last = self._file.starts, self._file.finishes, self._last
        if self._long is None:
            index = min(self._file.at, last + 1)
            ends = [*starts[index + 1 : last + 1], END_OF_TIME]
            gaps = zip(finishes[index : last + 1], ends, strict=False)
            self._long = [
                position
                for position, (begin, end) in enumerate(gaps, index)
                if end > begin + SHORTEST_SILENCE
            ]
        for position in self._long[bisect_left(self._long, self._file.at) :]:
            following = starts[position + 1] if position < last else END_OF_TIME
            yield position, finishes[position], following

    def overlapping(self, begin: float, end: float) -> tuple[int, float, float] | None:
        """Return the first gap that overlaps a time span, or None.

        Returns the word before the gap, and the start and end of the overlap. The gap after the
        last word has no end.
        """
        starts, finishes, last = self._file.starts, self._file.finishes, self._last
        position = self._file.at
        if position > last:
            return position, begin, end
        if self._sorted is None:  # the first file is not searched
            section = self._section
            self._sorted = _ascending(starts, section) and _ascending(finishes, section)
        if self._sorted:
            position = bisect_right(starts, begin, position + 1, last + 1) - 1
        while position <= last:
            gap_begin = finishes[position]
            gap_end = starts[position + 1] if position < last else END_OF_TIME
            # spelt so that what is no number decides as in the original, also below
            latest = gap_begin if begin < gap_begin else begin
            earliest = end if end < gap_end else gap_end
            if earliest > latest:
                return position, begin if begin > gap_begin else gap_begin, earliest
            if self._sorted and gap_begin >= end:
                return None
            position += 1
        return None


def _ascending(times: array[float], section: Section) -> bool:
    begin, end = section.begin, section.end
    return all(map(le, times[begin : end - 1], times[begin + 1 : end]))
