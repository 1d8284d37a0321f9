"""Silences that all recognisers have at the same time; they cut a section into chunks."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from itertools import compress, islice, repeat
from operator import add, and_, gt, le, not_

TYPE_CHECKING = False
if TYPE_CHECKING:
    from array import array
    from collections.abc import Iterator, Sequence

    from scoring.nist.rover.word_list import CtmWordList, Section

SHORTEST_SILENCE = 1.0  # seconds, in the first file
END_OF_TIME = 9999999.9


class SharedSilences:
    """The silences of several files; those of the first file are the longest ones."""

    def __init__(self, files: Sequence[CtmWordList]) -> None:
        self._files = files
        self._long = _before_long_gaps(files[0].starts, files[0].finishes)
        self._unsorted = [_out_of_order(file.starts, file.finishes) for file in files[1:]]

    def chunks(self, sections: Sequence[Section]) -> Iterator[list[range]]:
        """Cut one section of all files into chunks, and mark the words of the chunks as used.

        A chunk has one range of positions per file. Chunks are aligned separately. As in NIST's
        rover, if a file has no words left in its section, every chunk that ends in a shared silence
        gets the first word of the file's next section.
        """
        files = self._files
        others = [
            _Gaps(file, section, positions)
            for file, section, positions in zip(
                files[1:], sections[1:], self._unsorted, strict=True
            )
        ]
        lasts = [section.end - 1 for section in sections]
        while any(file.at <= last for file, last in zip(files, lasts, strict=True)):
            ends = self._common_silence(lasts[0], others) or lasts
            chunk: list[range] = []
            for file, last, end in zip(files, lasts, ends, strict=True):
                chunk.append(range(file.at, min(end + 1, file.held)))
                file.at = end + 1 if end <= last else end
            yield chunk

    def _common_silence(self, last: int, others: Sequence[_Gaps]) -> list[int] | None:
        """Find the next silence that all files share; return the last word before it in each file.

        Returns None if there is none.
        """
        for position, begin, end in self._long_gaps(last):
            ends = [position]
            for gaps in others:
                silence = gaps.overlapping(begin, end)
                if silence is None:
                    break
                position, begin, end = silence
                ends.append(position)
            else:
                return ends
        return None

    def _long_gaps(self, last: int) -> Iterator[tuple[int, float, float]]:
        """Yield each gap of the first file, up to its word `last`, that is long enough for a cut.

        A gap is the word before it, its start and its end. The gap after the last word has no end.
        """
        file = self._files[0]
        starts, finishes, long = file.starts, file.finishes, self._long
        for index in range(bisect_left(long, file.at), bisect_left(long, last)):
            position = long[index]
            yield position, finishes[position], starts[position + 1]
        if file.at <= last and finishes[last] + SHORTEST_SILENCE < END_OF_TIME:
            yield last, finishes[last], END_OF_TIME


class _Gaps:
    """The gaps of a section in one file: from the end of each unused word to the next word."""

    def __init__(self, file: CtmWordList, section: Section, unsorted: Sequence[int]) -> None:
        self._file = file
        self._last = section.end - 1
        following = bisect_right(unsorted, section.begin)
        self._is_sorted = following == len(unsorted) or unsorted[following] >= section.end

    def overlapping(self, begin: float, end: float) -> tuple[int, float, float] | None:
        """Return the first gap that overlaps a time span, or None.

        Returns the word before the gap, and the start and end of the overlap. The gap after the
        last word has no end.
        """
        starts, finishes, last = self._file.starts, self._file.finishes, self._last
        position = self._file.at
        if position > last:
            return position, begin, end
        if self._is_sorted:
            position = bisect_right(starts, begin, position + 1, last + 1) - 1
        while position <= last:
            gap_begin = finishes[position]
            gap_end = starts[position + 1] if position < last else END_OF_TIME
            # spelt so that what is no number decides as in the original, also below
            latest = gap_begin if begin < gap_begin else begin
            earliest = end if end < gap_end else gap_end
            if earliest > latest:
                return position, begin if begin > gap_begin else gap_begin, earliest
            if self._is_sorted and gap_begin >= end:
                return None
            position += 1
        return None


def _before_long_gaps(starts: array[float], finishes: array[float]) -> list[int]:
    """Return the words that a gap long enough for a cut follows."""
    latest = map(add, finishes, repeat(SHORTEST_SILENCE))
    return [*compress(range(len(starts)), map(gt, islice(starts, 1, None), latest))]


def _out_of_order(starts: array[float], finishes: array[float]) -> list[int]:
    """Return the words that start or finish before the word in front of them."""
    orders = (map(le, times, islice(times, 1, None)) for times in (starts, finishes))
    return [*compress(range(1, len(starts)), map(not_, map(and_, *orders)))]
