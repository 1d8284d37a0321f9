"""Which hypothesis belongs to which reference, and an account of those that have no partner."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from scoring.errors import ScoringError

SHOWN = 10
NO_PARTNER = -1


class MatchingError(ScoringError):
    """Identifiers that cannot be matched."""

    status = 2


class DifferentLengthsError(MatchingError, ValueError):
    """Sides that are matched by position, and are not equally long."""


class Listed(NamedTuple):
    """How many there are of something, and the first ten by name."""

    number: int = 0
    identifiers: tuple[str, ...] = ()

    @classmethod
    def of(cls, identifiers: Iterable[str]) -> Listed:
        """Count identifiers.

        >>> Listed.of(["a", "b"])
        Listed(number=2, identifiers=('a', 'b'))
        """
        every = list(identifiers)
        return cls(len(every), tuple(every[:SHOWN]))

    def __str__(self) -> str:
        more = ", …" if self.number > len(self.identifiers) else ""
        names = f": {', '.join(self.identifiers)}{more}" if self.identifiers else ""
        return f"{self.number}{names}"


class Matching(NamedTuple):
    """For each reference the position of its hypothesis, -1 without; and what has no partner."""

    partners: Sequence[int]
    reference_only: Sequence[int]
    hypothesis_only: Sequence[int]


def match(reference: Sequence[str], hypothesis: Sequence[str]) -> Matching:
    """Match by identifier; the order of the two sides need not be the same.

    The identifiers of a side must differ, see `first_repeated`.

    Examples
    --------
    >>> match(["a", "b"], ["c", "a"])
    Matching(partners=array('q', [1, -1]), reference_only=[1], hypothesis_only=[0])
    """
    if list(reference) == list(hypothesis):
        return Matching(array("q", range(len(reference))), [], [])
    places = {identifier: position for position, identifier in enumerate(hypothesis)}
    partners = array("q", [places.pop(identifier, NO_PARTNER) for identifier in reference])
    missing = [position for position, partner in enumerate(partners) if partner < 0]
    return Matching(partners, missing, sorted(places.values()))


def first_repeated(identifiers: Sequence[str]) -> tuple[int, int] | None:
    """Positions of the first identifier that is there twice; None if all differ.

    Examples
    --------
    >>> first_repeated(["a", "b", "a"])
    (0, 2)
    """
    if len(set(identifiers)) == len(identifiers):
        return None
    first: dict[str, int] = {}
    for position, identifier in enumerate(identifiers):
        if identifier in first:
            return first[identifier], position
        first[identifier] = position
    return None
