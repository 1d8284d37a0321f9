"""Selection of segments by recording, channel, speaker, tier and time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from formats.schema.errors import OptionError
from formats.schema.times import SECOND

TYPE_CHECKING = False
if TYPE_CHECKING:
    from formats.schema.model import Segment
    from formats.schema.words import Alternation, Token

LONGEST = 9e9
"""Seconds that nanoseconds of 64 bits can hold."""


class Selection:
    """A selection of segments; fields that are not set select everything."""

    def __init__(
        self,
        *,
        recordings: Sequence[str] = (),
        channels: Sequence[str] = (),
        speakers: Sequence[str] = (),
        tiers: Sequence[str] = (),
        begin: float | None = None,
        end: float | None = None,
    ) -> None:
        for name, value in (("begin", begin), ("end", end)):
            if value is not None and not abs(value) < LONGEST:
                raise OptionError(expected=f"{name} in seconds", found=f"{value}")
        if begin is not None and end is not None and not begin < end:
            expected = f"an end after the begin of {begin:g} s"
            raise OptionError(expected=expected, found=f"an end of {end:g} s")
        names = (
            ("recording", recordings),
            ("channel", channels),
            ("speaker", speakers),
            ("tier", tiers),
        )
        self._names = [(attribute, frozenset(values)) for attribute, values in names if values]
        self._begin = None if begin is None else round(begin * SECOND)
        self._end = None if end is None else round(end * SECOND)
        self.segments_left = 0
        self.words_left = 0

    @property
    def excluded(self) -> int:
        """The number of segments and words that were not selected so far."""
        return self.segments_left + self.words_left

    def of(self, segments: Iterable[Segment]) -> Iterator[Segment]:
        """Yield the selected segments; of a segment that is selected in part, only this part."""
        for segment in segments:
            selected: Segment | None = segment
            if any(getattr(segment, name) not in values for name, values in self._names):
                selected = None
            elif self._begin is not None or self._end is not None:
                selected = self._inside(segment)
            self.words_left += segment.word_count - (selected.word_count if selected else 0)
            if selected is None:
                self.segments_left += 1
            else:
                yield selected

    def _inside(self, segment: Segment) -> Segment | None:
        if segment.starts_ns is None or not segment.is_timed:
            inside = self._holds(segment.start_ns, segment.end_ns)
            return segment if inside else None
        items = [item for item in segment.items() if self._holds_item(item)]
        if not items:
            return None
        selected = segment.with_items(items)
        start, end = segment.start_ns, segment.end_ns
        if start is not None and self._begin is not None:
            start = max(start, self._begin)
        if end is not None and self._end is not None:
            end = min(end, self._end)
        return selected.replace(start_ns=start, end_ns=end)

    def _holds_item(self, item: Token | Alternation) -> bool:
        from formats.schema.grouping import span

        stretch = span(item)
        return stretch is not None and self._holds(*stretch)

    def _holds(self, start: int | None, end: int | None) -> bool:
        if start is None:
            return False
        middle = start if end is None else (start + end) // 2
        return (self._begin is None or middle >= self._begin) and (
            self._end is None or middle < self._end
        )
