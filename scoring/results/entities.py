"""Bag of Entities Error Rate (BEER): errors in the number of occurrences of each entity.

If the reference has an entity `n` times and the hypothesis `m` times, the rate is |n - m| / n. The
weighted average is the sum of the weights times |n - m|, divided by the number of occurrences of
all entities in the reference. The weights are first divided by their sum, as in BenchmarkSTT. With
equal weights, the average is therefore lower if more entities are listed.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from formats.schema import VERSION
from formats.schema.errors import reason_unread
from scoring.model.errors import InputError

WordSequence: TypeAlias = Sequence[str]


class EntityError(NamedTuple):
    """The errors of an entity."""

    entity: str  # its words, joined by blanks
    weight: float  # its share of all weights
    reference: int  # how often it is there
    hypothesis: int

    @property
    def difference(self) -> int:
        """The number of missing or surplus occurrences."""
        return abs(self.reference - self.hypothesis)

    @property
    def rate(self) -> float | None:
        """Missing or surplus occurrences per occurrence in the reference.

        None if the reference has none.
        """
        return self.difference / self.reference if self.reference else None


class EntityErrors(NamedTuple):
    """The errors of all entities."""

    entities: tuple[EntityError, ...]

    @property
    def occurrences(self) -> int:
        """The number of occurrences of entities in the reference."""
        return sum(entity.reference for entity in self.entities)

    @property
    def weighted_average(self) -> float | None:
        """The weighted average over the reference's entities; None without entities."""
        if not self.occurrences:
            return None
        rated = (entity for entity in self.entities if entity.reference)
        return sum(entity.weight * entity.difference for entity in rated) / self.occurrences


class BagOfEntities(NamedTuple):
    """Entities of one or more words, each with its share of the total weight.

    Entities match whole words, and case matters. Occurrences of one entity do not overlap, but
    occurrences of different entities may. An entity does not cross the end of an utterance. Only
    totals count: a surplus in one utterance can make up for a missing entity in another.

    Examples
    --------
    >>> bag = BagOfEntities.of({"new york": 3, "rain": 1})
    >>> found = bag.errors([("rain in new york".split(), "rain in newark rain".split())])
    >>> [(one.entity, one.rate) for one in found.entities], found.weighted_average
    ([('new york', 1.0), ('rain', 1.0)], 0.5)
    """

    entities: tuple[str, ...]
    weights: tuple[float, ...]

    @classmethod
    def of(cls, entities: Mapping[str, float] | Iterable[str]) -> BagOfEntities:
        """Create a bag from a mapping of entities to weights.

        Negative weights count as 0. A list of names gives each name the same weight.

        Raises
        ------
        ValueError
            If an entity has no words, or a weight is no finite number.
        """
        if not isinstance(entities, Mapping):
            entities = dict.fromkeys(entities, 1.0)
        if not all(map(str.split, entities)):
            raise ValueError(
                "entities: expected words in every entity, found an entity without words"
            )
        return cls(tuple(entities), shares(entities.values()))

    def errors(self, pairs: Iterable[tuple[WordSequence, WordSequence]]) -> EntityErrors:
        """Count the entities in utterances; each item has the words of reference and hypothesis."""
        counts = [[0, 0] for _ in self.entities]
        for _, side, number, _, _ in self.occurrences(pairs):
            counts[number][side] += 1
        rows = zip(self.entities, self.weights, counts, strict=True)
        return EntityErrors(tuple(EntityError(name, share, *pair) for name, share, pair in rows))

    def occurrences(
        self, pairs: Iterable[tuple[WordSequence, WordSequence]]
    ) -> Iterator[tuple[int, int, int, int, int]]:
        """Yield each occurrence: utterance, side (0: reference), entity, first word and end.

        >>> list(BagOfEntities.of(["new york"]).occurrences([(["in", "new", "york"], ["york"])]))
        [(0, 0, 0, 1, 3)]
        """
        sought = [entity.split() for entity in self.entities]
        for utterance, pair in enumerate(pairs):
            for side, words in enumerate(map(list, pair)):
                places: dict[str, list[int]] = {}
                for position, word in enumerate(words):
                    places.setdefault(word, []).append(position)
                for number, entity in enumerate(sought):
                    free = 0
                    # from left to right without overlap
                    for start in places.get(entity[0], ()):
                        if start >= free and words[start : start + len(entity)] == entity:
                            free = start + len(entity)
                            yield utterance, side, number, start, free

    @property
    def signature(self) -> str:
        """The number of entities, and a hash of their list."""
        import hashlib

        rows = zip(self.entities, self.weights, strict=True)
        listed = "\n".join(f"{entity}\t{weight!r}" for entity, weight in rows)
        mark = hashlib.sha256(listed.encode("utf-8", "surrogatepass")).hexdigest()[:12]
        return f"beer|entities:{len(self.entities)}|sha256:{mark}|v:{VERSION}"


def shares(weights: Iterable[float]) -> tuple[float, ...]:
    """Return weights divided by their sum; negative weights count as 0.

    >>> shares([3, 1, -5]), shares([0, 0])
    ((0.75, 0.25, 0.0), (0, 0))
    """
    amounts = []
    for weight in weights:
        number: object = weight
        if not isinstance(number, (int, float)) or not math.isfinite(number):
            raise ValueError(f"weight: expected a finite number, found {weight!r}")
        amounts.append(max(number, 0))
    whole = sum(amounts)
    return tuple(amount / whole for amount in amounts) if whole else tuple(amounts)


def read_entities(path: str) -> dict[str, float]:
    r"""Read entities and weights from a JSON file with an object from entities to weights."""
    import json

    try:
        with open(path, encoding="utf-8-sig") as file:
            # an object becomes a tuple of pairs, so that it differs from a list
            content: object = json.load(file, object_pairs_hook=tuple)
    except OSError as problem:
        raise InputError(path, None, None, reason_unread(problem)) from None
    except json.JSONDecodeError as problem:
        message = f"expected JSON, found an error: {problem.msg}"
        raise InputError(path, problem.lineno, problem.colno, message) from None
    except (ValueError, RecursionError) as problem:
        raise InputError(path, None, None, f"expected JSON in UTF-8, found {problem}") from None
    return _entities(path, content)


def _entities(path: str, content: object) -> dict[str, float]:
    if not isinstance(content, tuple):
        problem = 'expected an object from entities to weights, such as {"New York": 1}'
        raise InputError(path, None, None, f"{problem}, found {type(content).__name__}")
    entities: dict[str, float] = {}
    for entity, weight in content:
        if isinstance(weight, bool) or not isinstance(weight, (int, float)):
            raise InputError(
                path, None, None, f"{entity!r}: expected a number as weight, found {weight!r}"
            )
        if entity in entities:
            raise InputError(path, None, None, f"the entity {entity!r} appears twice: remove one")
        if not entity.split():
            raise InputError(path, None, None, f"expected words in every entity, found {entity!r}")
        if not abs(weight) <= sys.float_info.max:
            raise InputError(
                path, None, None, f"{entity!r}: expected a finite number, found {weight}"
            )
        entities[entity] = weight
    return entities
