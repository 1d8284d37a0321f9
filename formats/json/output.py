"""What the writers of recognisers' JSON share: numbers, words with all their times.

Times are written as JSON numbers without needless zeros, rounded half to even at the chosen
decimal; a confidence as the shortest number that reads back as the same double.
"""

from __future__ import annotations

import re
from itertools import zip_longest
from operator import ne

from formats.loss import refused
from formats.times import SECOND, round_time

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from formats.model import Segment
    from formats.sink import Sink

__all__ = ["JsonOutput", "NumberText", "json_object", "json_text"]

NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?\Z")


class NumberText(str):
    """A number as it is to be written, digit by digit."""

    __slots__ = ()


def json_text(value: Any) -> str:
    """`value` as JSON on one line, in Unicode, not in escapes.

    >>> json_text({"word": "wörld", "start": 0.5})
    '{"word": "wörld", "start": 0.5}'
    """
    import json

    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def json_object(members: Mapping[str, Any]) -> str:
    """An object as JSON on one line, its members of type `NumberText` as they are.

    >>> json_object({"text": "hello", "temperature": NumberText("0.20")})
    '{"text": "hello", "temperature": 0.20}'
    """
    made = (
        f"{json_text(name)}: {value if isinstance(value, NumberText) else json_text(value)}"
        for name, value in members.items()
    )
    return "{" + ", ".join(made) + "}"


class JsonOutput:
    """Makes numbers of times and confidences, and counts what does not survive.

    Parameters
    ----------
    path: where the segments come from, for messages.
    precision: decimals of times, 0 to 9.
    """

    def __init__(self, sink: Sink, path: str | None, precision: int) -> None:
        self.sink = sink
        self.path = path
        self.precision = precision

    def seconds(self, time_ns: int, segment: Segment) -> float:
        """A time as a number of seconds.

        Raises
        ------
        LossError: a time before the beginning.
        """
        rounded = round_time(time_ns, self.precision)
        if rounded != time_ns:
            self.sink.losses.add(
                "decimals of times", 1, f"rounded to {self.precision}", self.path, segment.line
            )
        return rounded / SECOND

    def numbers(self, segment: Segment, names: Sequence[str]) -> dict[str, NumberText]:
        """Properties of the segment that are numbers, by name; others are counted lost."""
        made = {}
        for name in names:
            text = segment.get(name)
            if text is not None and NUMBER.match(text):
                made[name] = NumberText(text)
            elif text is not None:
                self.sink.losses.add("properties", 1, "not a number", self.path, segment.line)
        return made

    def words(
        self, segment: Segment, text: str, confidence: str, before: str = ""
    ) -> list[dict[str, Any]] | None:
        """Word objects with ``start`` and ``end``, or `None` if not every word has its times.

        The times and confidences that there are then count as lost.

        Parameters
        ----------
        text, confidence: names of the members.
        before: what is written before each word.
        """
        starts, ends = segment.starts_ns, segment.ends_ns
        if starts is None or ends is None or not segment.is_timed:
            self._count_lost_words(segment)
            return None
        sure = segment.confidences or (None,) * len(segment.words)
        made = []
        for word, start, end, value in zip(segment.words, starts, ends, sure, strict=True):
            assert start is not None
            assert end is not None
            item: dict[str, Any] = {
                text: before + word,
                "start": self.seconds(start, segment),
                "end": self.seconds(end, segment),
            }
            if value is not None:
                item[confidence] = value
            made.append(item)
        return made

    def refuse_empty_words(self, segment: Segment) -> None:
        """Refuse a segment with a word that says nothing.

        Raises
        ------
        LossError
        """
        if "" in segment.words:
            expected = "a word that the format can hold"
            raise refused(self.path, segment.line, expected, "an empty word")

    def count_segment_times(self, segment: Segment, *, is_timed: bool) -> None:
        """Count the times of a segment where only words have some: they are those of its words.

        Parameters
        ----------
        is_timed: whether the times of its words are written.
        """
        times: tuple[int | None, int | None] = (None, None)
        if is_timed and segment.starts_ns and segment.ends_ns:
            times = (
                min(t for t in segment.starts_ns if t is not None),
                max(t for t in segment.ends_ns if t is not None),
            )
        given = segment.start_ns, segment.end_ns
        if given == (None, None):
            return
        if self._rounded(given) == self._rounded(times):
            changed = sum(map(ne, given, times))
            rule = f"rounded to {self.precision}"
            self.sink.losses.add("decimals of times", changed, rule, self.path, segment.line)
            return
        rule = "those of the words kept" if is_timed else ""
        self.sink.losses.add("segment times", 1, rule, self.path, segment.line)

    def _rounded(self, times: tuple[int | None, int | None]) -> list[int | None]:
        return [None if time is None else round_time(time, self.precision) for time in times]

    def _count_lost_words(self, segment: Segment) -> None:
        starts, ends = segment.starts_ns or (), segment.ends_ns or ()
        timed = sum(1 for times in zip_longest(starts, ends) if times != (None, None))
        sure = sum(1 for value in segment.confidences or () if value is not None)
        for what, count in (("word times", timed), ("confidences", sure)):
            self.sink.losses.add(
                what, count, "not every word has its times", self.path, segment.line
            )
