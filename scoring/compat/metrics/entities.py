"""Bag of Entities Error Rate (BEER): are the names there, wherever they stand?

For an entity that the reference has `n` times and the hypothesis `m` times the rate is |n - m| / n.
The weighted average of several is the sum of the weights times |n - m|, divided by how often the
reference has any of them; weights are divided by their sum first, as BenchmarkSTT does, so that the
average of equally weighted entities is smaller the more entities there are.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from scoring.compat.metrics.metric import Metric, Statistics, Words, fill
from scoring.errors import InputError
from scoring.version import VERSION

DIGITS = 3


class EntityError(NamedTuple):
    """How an entity fared.

    Attributes
    ----------
    entity, weight
        Its words, joined by blanks, and its share of all weights.
    reference, hypothesis
        How often it is there.
    """

    entity: str
    weight: float
    reference: int
    hypothesis: int

    @property
    def difference(self) -> int:
        """How many are too few or too many."""
        return abs(self.reference - self.hypothesis)

    @property
    def rate(self) -> float | None:
        """Too few or too many per occurrence in the reference; None if it is not there."""
        return self.difference / self.reference if self.reference else None


class EntityErrors(NamedTuple):
    """How all entities fared."""

    entities: tuple[EntityError, ...]

    @property
    def occurrences(self) -> int:
        """Of any of them in the reference."""
        return sum(one.reference for one in self.entities)

    @property
    def weighted_average(self) -> float | None:
        """Over the entities that the reference has; None if it has none."""
        if not self.occurrences:
            return None
        known = [one for one in self.entities if one.reference]
        return sum(one.weight * one.difference for one in known) / self.occurrences


class BagOfEntitiesErrorRate(Metric):
    """Error rates of entities, each of one or more words.

    Entities match whole words, upper and lower case told apart, do not overlap themselves but may
    overlap one another, and do not reach over the end of an utterance. The order of the
    text plays no part: what one utterance lacks another may make up for.

    Parameters
    ----------
    entities
        From entities to weights; negative weights count as 0. Names alone have equal weights.

    Raises
    ------
    ValueError
        If an entity has no words, or a weight is no finite number.

    Examples
    --------
    >>> beer = BagOfEntitiesErrorRate({"new york": 3, "rain": 1})
    >>> found = beer.of("rain in new york".split(), "rain in newark rain".split())
    >>> [(one.entity, one.rate) for one in found.entities], found.weighted_average
    ([('new york', 1.0), ('rain', 1.0)], 0.5)
    """

    __slots__ = ("_sought", "entities", "weights")
    name = "beer"
    entities: tuple[str, ...]
    weights: tuple[float, ...]
    _sought: tuple[tuple[str, ...], ...]

    def __init__(self, entities: Mapping[str, float] | Iterable[str]) -> None:
        if not isinstance(entities, Mapping):
            entities = dict.fromkeys(entities, 1.0)
        sought = tuple(tuple(entity.split()) for entity in entities)
        if () in sought:
            raise ValueError("entities: expected words, found an entity without any")
        fill(
            self,
            entities=tuple(entities),
            weights=shares(entities.values()),
            _sought=sought,
        )

    @property
    def components(self) -> tuple[str, ...]:
        """For every entity how often it is in the reference, and in the hypothesis."""
        return tuple(
            f"{side}:{entity}" for entity in self.entities for side in ("reference", "hypothesis")
        )

    def statistics(self, reference: Words, hypothesis: Words) -> Statistics:
        """The occurrences in one utterance."""
        sides = [_Places(reference), _Places(hypothesis)]
        return tuple(side.occurrences(entity) for entity in self._sought for side in sides)

    def score(self, total: Sequence[int]) -> EntityErrors:
        """The rates of all entities, and their average."""
        sides = zip(total[::2], total[1::2], strict=True)
        return EntityErrors(
            tuple(
                EntityError(entity, weight, *numbers)
                for entity, weight, numbers in zip(self.entities, self.weights, sides, strict=True)
            )
        )

    @property
    def signature(self) -> str:
        """How many entities there are, and a mark of which."""
        import hashlib

        listed = "\n".join(
            f"{entity}\t{weight!r}"
            for entity, weight in zip(self.entities, self.weights, strict=True)
        )
        mark = hashlib.sha256(listed.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        return f"{self.name}|entities:{len(self.entities)}|sha256:{mark}|v:{VERSION}"


def shares(weights: Iterable[float]) -> tuple[float, ...]:
    """Weights divided by their sum; negative ones count as 0.

    >>> shares([3, 1, -5]), shares([0, 0])
    ((0.75, 0.25, 0.0), (0, 0))

    Raises
    ------
    ValueError
        If one is no finite number.
    """
    given = []
    for weight in weights:
        number: object = weight
        if not isinstance(number, (int, float)) or not math.isfinite(number):
            raise ValueError(f"weight: expected a finite number, found {weight!r}")
        given.append(max(number, 0))
    whole = sum(given)
    return tuple(weight / whole for weight in given) if whole else tuple(given)


class _Places:
    """Where every word of a text stands."""

    def __init__(self, words: Words) -> None:
        self._words = list(words)
        self._places: dict[str, list[int]] = {}
        for place, word in enumerate(self._words):
            self._places.setdefault(word, []).append(place)

    def occurrences(self, entity: Sequence[str]) -> int:
        """How often an entity is there, from left to right without overlap."""
        starts = self._places.get(entity[0], [])
        if len(entity) == 1:
            return len(starts)
        number = free = 0
        for start in starts:
            if start >= free and self._words[start : start + len(entity)] == list(entity):
                number += 1
                free = start + len(entity)
        return number


def read_entities(path: str) -> dict[str, float]:
    r"""Entities and weights from a JSON file, an object from entities to weights.

    Raises
    ------
    InputError
        If it cannot be read, is no JSON or no such object, or says one entity twice.
    """
    import json

    def pairs(found: list[tuple[str, object]]) -> list[tuple[str, object]]:
        return found

    try:
        with open(path, encoding="utf-8-sig") as file:
            given: object = json.load(file, object_pairs_hook=pairs)
    except OSError as problem:
        raise InputError(path, None, None, f"cannot be read: {problem.strerror}") from None
    except json.JSONDecodeError as problem:
        found = f"expected JSON, found an error: {problem.msg}"
        raise InputError(path, problem.lineno, problem.colno, found) from None
    except (UnicodeDecodeError, RecursionError) as problem:
        raise InputError(path, None, None, f"expected JSON in UTF-8, found {problem}") from None
    return _entities(path, given)


def _entities(path: str, given: object) -> dict[str, float]:
    wanted = 'expected an object from entities to weights, such as {"New York": 1}'
    if not isinstance(given, list) or any(not isinstance(pair, tuple) for pair in given):
        raise InputError(path, None, None, f"{wanted}, found {type(given).__name__}")
    entities: dict[str, float] = {}
    for entity, weight in given:
        if isinstance(weight, bool) or not isinstance(weight, (int, float)):
            raise InputError(
                path, None, None, f"{entity!r}: expected a number as weight, found {weight!r}"
            )
        if entity in entities:
            raise InputError(path, None, None, f"expected an entity once, found {entity!r} again")
        if not entity.split():
            raise InputError(path, None, None, f"expected words, found the entity {entity!r}")
        if not math.isfinite(weight):
            raise InputError(
                path, None, None, f"{entity!r}: expected a finite number, found {weight}"
            )
        entities[entity] = weight
    return entities
