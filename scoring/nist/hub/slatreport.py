"""`slatreport.pl`: how long after an object the system outputs it; means and distributions.

Objects are records of an rttm, such as words.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from scoring.nist.hub.lines import leading_number
from scoring.nist.hub.rttm_tools import DiedError
from scoring.nist.hub.validators import lines_of

FIELDS = 10
# Which field of a record each choice is about, in the order of the report.
CHOICES: Mapping[str, int] = {"FILE": 1, "CHANNEL": 2, "NAME": 7, "TYPE": 0, "SUBTYPE": 6}
NO_DATA = "No data found in files regarding criteria for Latency.\n"
ONE_POINT = "No distribution with one data point.\n"


class SlatClass(NamedTuple):
    """One class of a distribution: its limits in seconds, and the number of delays in it."""

    least: float
    most: float
    held: int


class Latencies(NamedTuple):
    """The delays of the outputs, in seconds, from a reference point of each object; never empty."""

    point: str  # `Begin`, `Mid-point` or `End`
    values: Sequence[float]  # in an order in which the original can sum them

    @property
    def name(self) -> str:
        """The name in the report, such as `SPLb` for delays from the start of the objects."""
        return f"SPL{self.point[0].lower()}"

    def classes(self, count: int) -> list[SlatClass]:
        """Divide the range of delays into `count` equal classes; return the non-empty classes."""
        values = sorted(self.values)
        width = (values[-1] - values[0]) / count
        classes = []
        for number in range(count):
            least = values[0] + number * width
            bound = most = least + width
            if number == count - 1:
                bound += width
            held = bisect_left(values, bound) - bisect_left(values, least)
            if held > 0:
                classes.append(SlatClass(least, most, held))
        return classes

    def report(self, count: int) -> str:
        """Return the report on these delays as text, with a distribution of `count` classes."""
        values = self.values
        mean = sum(values) / len(values)
        lines = [
            f"Sample Processing Latency {self.point} Time Based ({self.name}):",
            f"  Mean: {mean:.3f}",
        ]
        if len(values) > 1:
            squares = sum((value - mean) * (value - mean) for value in values)
            deviation = math.sqrt(squares / len(values))
            lines.append(f"  Standard Deviation: {deviation:.3f}")
        text = "\n".join([*lines, "  Distribution:\n"])
        if len(values) == 1:
            return text + ONE_POINT
        return text + "".join(
            f"    {least:6.3f} - {most:6.3f}: {held}\n" for least, most, held in self.classes(count)
        )


def latencies(
    data: bytes, name: str, chosen: Mapping[str, Collection[bytes]]
) -> tuple[Latencies, ...]:
    """Return the delays from the start, from the middle and from the end of the objects.

    If an object occurs several times, its last occurrence counts. `chosen` has the values to which
    the objects are restricted, by option.
    """
    conditions = [(CHOICES[choice], values) for choice, values in chosen.items() if values]
    outputs: dict[tuple[bytes, ...], tuple[float, float]] = {}
    for fields in _records(data, name):
        if b"<NA>" not in fields[9] and all(
            fields[index] in values for index, values in conditions
        ):
            key = (*fields[:3], fields[6], fields[7], fields[3])
            duration = 0.0 if b"<NA>" in fields[4] else leading_number(fields[4])
            outputs[key] = duration, leading_number(fields[9])
    if not outputs:
        return ()
    # The original keeps objects in nested tables, so that it sums those of equal type, then of
    # equal file and so on, together. The order of the groups changes from run to run; ours is that
    # of their first objects.
    places: dict[tuple[bytes, ...], int] = {}
    for key in outputs:
        for depth in range(1, len(key)):
            places.setdefault(key[:depth], len(places))
    ordered = sorted(
        outputs.items(),
        key=lambda row: [places[row[0][:depth]] for depth in range(1, len(row[0]))],
    )
    rows = [
        [put_out - (leading_number(key[-1]) + part) for part in (0.0, duration / 2, duration)]
        for key, (duration, put_out) in ordered
    ]
    points = ("Begin", "Mid-point", "End")
    return tuple(Latencies(*pair) for pair in zip(points, zip(*rows, strict=True), strict=True))


def _records(data: bytes, name: str) -> Iterator[list[bytes]]:
    for line in lines_of(data):
        fields = line.split()
        if line.startswith(b";;") or not fields:
            continue
        if len(fields) != FIELDS or line[:1].isspace():
            problem = "is not properly formated: SLAT information missing"
            raise DiedError(f"This file '{name}' {problem}\n")
        yield fields
