"""Error rates with meeteval's fields, in its order: they add up and print as its own do."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any


@dataclass(frozen=True)
class SelfOverlap:
    """How long speakers overlap themselves, of how long they speak, in the unit of the times.

    >>> SelfOverlap(1, 4)
    SelfOverlap(overlap_rate=0.25, overlap_time=1, total_time=4)
    """

    overlap_rate: Any = field(init=False)
    overlap_time: Any
    total_time: Any

    def __post_init__(self) -> None:
        rate = self.overlap_time / self.total_time if self.total_time > 0 else 0
        object.__setattr__(self, "overlap_rate", rate)

    def __add__(self, other: SelfOverlap) -> SelfOverlap:
        return SelfOverlap(
            self.overlap_time + other.overlap_time, self.total_time + other.total_time
        )


@dataclass(frozen=True, repr=False)
class ErrorRate:
    """Errors of one or more sessions.

    Attributes
    ----------
    error_rate
        Errors per word of the reference; None without such words.
    errors, length
        How many, and words of the reference.
    insertions, deletions, substitutions
        Which.
    reference_self_overlap, hypothesis_self_overlap
        None without times.

    Examples
    --------
    >>> ErrorRate(1, 2, 0, 0, 1) + ErrorRate(0, 2, 0, 0, 0)
    ErrorRate(error_rate=0.25, errors=1, length=4, insertions=0, deletions=0, substitutions=1)
    """

    error_rate: float | None = field(init=False)
    errors: int
    length: int
    insertions: int
    deletions: int
    substitutions: int
    reference_self_overlap: SelfOverlap | None = None
    hypothesis_self_overlap: SelfOverlap | None = None

    def __post_init__(self) -> None:
        found = self.insertions + self.deletions + self.substitutions
        if found != self.errors or min(self.errors, self.length) < 0:
            raise ValueError(
                f"errors: expected the sum of their kinds, {found}, and no less than 0"
            )
        rate = self.errors / self.length if self.length else None
        object.__setattr__(self, "error_rate", rate)

    def __add__(self, other: ErrorRate) -> ErrorRate:
        overlaps = []
        for name in ("reference_self_overlap", "hypothesis_self_overlap"):
            one, two = getattr(self, name), getattr(other, name)
            overlaps.append(None if one is None or two is None else one + two)
        sums = (getattr(self, name) + getattr(other, name) for name in _COUNTS)
        made: Any = self._sum_type()
        return made(*sums, *overlaps, **self._more(other))  # type: ignore[no-any-return]

    def __radd__(self, other: object) -> ErrorRate:
        return self if other == 0 else NotImplemented

    def _sum_type(self) -> type[ErrorRate]:
        return ErrorRate

    def _more(self, other: ErrorRate) -> Mapping[str, int]:
        return {}

    def __repr__(self) -> str:
        shown = (
            f"{one.name}={value!r}"
            for one in fields(self)
            if (value := getattr(self, one.name)) is not None
        )
        return f"{type(self).__name__}({', '.join(shown)})"


_COUNTS = ("errors", "length", "insertions", "deletions", "substitutions")


@dataclass(frozen=True, repr=False)
class CPErrorRate(ErrorRate):
    """Errors with speakers assigned to streams.

    Attributes
    ----------
    missed_speaker, falarm_speaker, scored_speaker
        Speakers without a stream, streams without a speaker, speakers of the reference.
    assignment
        Pairs of speaker and stream, None for nobody; None of several sessions.
    """

    missed_speaker: int = 0
    falarm_speaker: int = 0
    scored_speaker: int = 0
    assignment: tuple[tuple[Any, Any], ...] | None = None

    def _sum_type(self) -> type[ErrorRate]:
        return CPErrorRate

    def _more(self, other: ErrorRate) -> Mapping[str, int]:
        names = ("missed_speaker", "falarm_speaker", "scored_speaker")
        return {name: getattr(self, name) + getattr(other, name) for name in names}


@dataclass(frozen=True, repr=False)
class OrcErrorRate(ErrorRate):
    """Errors with each segment of the reference on a stream: `assignment`, in the given order."""

    assignment: tuple[Any, ...] | None = None


@dataclass(frozen=True, repr=False)
class DICPErrorRate(OrcErrorRate):
    """Errors with each segment of the hypothesis at a speaker: `assignment`, in the given order."""


@dataclass(frozen=True, repr=False)
class MimoErrorRate(ErrorRate):
    """Errors with segments of each speaker on streams, pairs of both in the order of the path."""

    assignment: list[tuple[Any, Any]] | None = None


def combine_error_rates(
    *rates: ErrorRate | Mapping[Any, ErrorRate] | Sequence[ErrorRate],
) -> ErrorRate:
    """The sum of error rates, of a dictionary or list of them; a single one is itself.

    >>> combine_error_rates({"a": ErrorRate(1, 2, 0, 0, 1), "b": ErrorRate(0, 2, 0, 0, 0)}).errors
    1
    """
    every: list[ErrorRate] = []
    for one in rates:
        if isinstance(one, ErrorRate):
            every.append(one)
        else:
            every.extend(one.values() if isinstance(one, Mapping) else one)
    if not every:
        return ErrorRate(0, 0, 0, 0, 0)
    total = every[0]
    for rate in every[1:]:
        total = total + rate
    return total
