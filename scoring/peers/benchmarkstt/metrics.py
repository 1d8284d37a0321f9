"""Metrics by name: objects that compare a reference with a hypothesis.

Names, modes and conventions for empty references are BenchmarkSTT's. For a corpus use
`scoring.wer`.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

from scoring.alignment.sequences import edit_distance
from scoring.drawing.opcodes import OpcodeCounts as OpcodeCounts
from scoring.drawing.opcodes import count_opcodes
from scoring.model.counts import UNIT_COSTS
from scoring.peers.benchmarkstt.diff import Differ, RatcliffObershelp, format_diff
from scoring.peers.benchmarkstt.diff import factory as differs
from scoring.peers.benchmarkstt.factory import CoreFactory
from scoring.peers.benchmarkstt.file_access import SecurityError, read_text
from scoring.results.entities import BagOfEntities, EntityError, EntityErrors, shares

STRICT, HUNT, LEVENSHTEIN = "strict", "hunt", "levenshtein"
# the weight of an insertion or deletion in the mode `hunt`
HALF = 0.5
# digits of the rates of entities
DIGITS = 3
Items = Iterable[Mapping[str, Any]]
Opcodes = Sequence[tuple[str, int, int, int, int]]
get_opcode_counts = count_opcodes


class Metric(ABC):
    """Base of metrics."""

    @abstractmethod
    def compare(self, ref: Items, hyp: Items) -> Any:
        """Return the result for a reference and a hypothesis.

        They are schemas or other sequences of items.
        """
        raise NotImplementedError


def traversible(schema: Items, key: str | None = None) -> list[Any]:
    """Return one field of every item; if the key is None, the field `item`."""
    return [item["item" if key is None else key] for item in schema]


def words_of(items: Items) -> list[Any]:
    """Return the field `item` of every item; metrics compare these words."""
    return traversible(items)


def get_differ(a: Items, b: Items, differ_class: type[Differ] | None) -> Differ:
    """Create the object that compares two schemas.

    `differ_class` None means `RatcliffObershelp`.
    """
    kind: Any = RatcliffObershelp if differ_class is None else differ_class
    differ: Differ = kind(words_of(a), words_of(b))
    return differ


@lru_cache(maxsize=2)
def _usual_opcodes(reference: tuple[Any, ...], hypothesis: tuple[Any, ...]) -> Opcodes:
    # several metrics need the same
    return RatcliffObershelp(reference, hypothesis).get_opcodes()


class _ByOpcodes(Metric):
    MODE_LEVENSHTEIN = LEVENSHTEIN

    def __init__(
        self, mode: str | None = None, differ_class: str | type[Differ] | None = None
    ) -> None:
        self._mode = mode
        self._differ = differs[differ_class] if isinstance(differ_class, str) else differ_class

    def _opcodes(self, reference: Sequence[Any], hypothesis: Sequence[Any]) -> Opcodes:
        if self._differ is None or self._differ is RatcliffObershelp:
            return _usual_opcodes(tuple(reference), tuple(hypothesis))
        return self._differ(reference, hypothesis).get_opcodes()


class WER(_ByOpcodes):
    """Word error rate: replaced, inserted and deleted words per word of the reference.

    Parameters
    ----------
    mode
        `strict` (default): differences found by the Ratcliff-Obershelp matcher, which may be more
        than the minimum. `hunt`: the same, but insertions and deletions count one half.
        `levenshtein`: the minimum number of differences.
    differ_class
        Another algorithm, by class or name.

    Notes
    -----
    If the reference is empty, the rate is 0 for an empty hypothesis, and otherwise 1. An unknown
    mode means `strict`.
    """

    MODE_STRICT, MODE_HUNT = STRICT, HUNT
    DEL_PENALTY = INS_PENALTY = SUB_PENALTY = 1.0

    def compare(self, ref: Items, hyp: Items) -> float:
        """Return the word error rate as a ratio (0 for no errors)."""
        reference, hypothesis = words_of(ref), words_of(hyp)
        if not reference:
            return int(bool(hypothesis))
        if self._mode == LEVENSHTEIN:
            return _least_errors(reference, hypothesis) / len(reference)
        counts = count_opcodes(self._opcodes(reference, hypothesis))
        weight = HALF if self._mode == HUNT else 1.0
        errors = (
            counts.replace * self.SUB_PENALTY
            + counts.insert * self.INS_PENALTY * weight
            + counts.delete * self.DEL_PENALTY * weight
        )
        return errors / len(reference)


def _least_errors(reference: Sequence[Any], hypothesis: Sequence[Any]) -> int:
    return edit_distance(reference, hypothesis, costs=UNIT_COSTS).errors


class CER(Metric):
    """Character error rate: the minimum number of errors per character of the reference.

    Whitespace is ignored: words are joined before they are compared.

    Parameters
    ----------
    mode
        `levenshtein`, the default and only mode.
    differ_class
        Not used.
    """

    MODE_LEVENSHTEIN = LEVENSHTEIN

    def __init__(self, mode: str | None = None, differ_class: object = None) -> None:
        self._mode = mode

    def compare(self, ref: Items, hyp: Items) -> float:
        """Return the character error rate as a ratio.

        Raise NotImplementedError for a mode other than `levenshtein`.
        """
        if self._mode not in (None, "", LEVENSHTEIN):
            raise NotImplementedError("CER is only implemented for Levenshtein distance")
        reference, hypothesis = "".join(words_of(ref)), "".join(words_of(hyp))
        if not reference:
            return int(bool(hypothesis))
        return _least_errors(list(reference), list(hypothesis)) / len(reference)


class DiffCounts(_ByOpcodes):
    """The numbers of words that are equal, replaced, inserted and deleted.

    Parameters
    ----------
    mode
        `levenshtein` raises NotImplementedError; any other value has no effect.
    differ_class
        Another algorithm, by class or name.
    """

    def compare(self, ref: Items, hyp: Items) -> OpcodeCounts:
        """Return the counts; raise NotImplementedError for the mode `levenshtein`."""
        if self._mode == LEVENSHTEIN:
            raise NotImplementedError("diffcounts is not implemented for Levenshtein distance")
        return count_opcodes(self._opcodes(words_of(ref), words_of(hyp)))


class WordDiffs(_ByOpcodes):
    """The words of both texts, with differing words marked.

    Parameters
    ----------
    dialect
        The output format: `ansi`, `html`, `json`, `list`, `rst` or `text`. On command lines `ansi`
        is the default, or `list` if the output is JSON; elsewhere the default is `text`.
    differ_class
        Another algorithm, by class or name.
    """

    def __init__(
        self, dialect: str | None = None, differ_class: str | type[Differ] | None = None
    ) -> None:
        super().__init__(None, differ_class)
        self._dialect = dialect

    def compare(self, ref: Items, hyp: Items) -> Any:
        """Return a text, or a list for the dialect `list`.

        Raise ValueError for an unknown dialect.
        """
        reference, hypothesis = words_of(ref), words_of(hyp)
        opcodes = self._opcodes(reference, hypothesis)
        return format_diff(reference, hypothesis, opcodes, self._dialect)


class BEER(Metric):
    """Bag of Entities Error Rate: the relative difference of entity counts.

    The BEER of an entity with n occurrences in the reference and m in the hypothesis is |n - m| /
    n. The weighted average `w_av_beer` is the sum over all entities of weight · |n - m|, divided by
    the number of occurrences of all entities in the reference; weights are normalised to the sum 1.

    Parameters
    ----------
    entities_file
        A JSON file with an object that maps entities (words with blanks between them) to weights.
        Negative weights count as 0.
    """

    def __init__(self, entities_file: str | None = None) -> None:
        self._error: str | None = "Missing .json input file"
        self._entities: list[str] = []
        self._weights: list[float] | None = None
        if entities_file is not None:
            self._error = self._read(entities_file)

    def _read(self, file: str) -> str | None:
        """Read the entities from a file; return a message if the file is invalid."""
        try:
            content: object = json.loads(read_text(file))
            if not isinstance(content, dict):
                kind = type(content).__name__
                return f"expected an object from entities to weights, found {kind}"
            self.set_entities(list(content))
            self.set_weight(list(content.values()))
        except SecurityError:
            raise
        except (OSError, ValueError, RecursionError) as problem:
            return str(problem)
        return None

    def get_entities(self) -> list[str]:
        """Return the entities."""
        return self._entities

    def set_entities(self, entities: Iterable[str]) -> None:
        """Set the entities; their weights are equal until `set_weight` changes them."""
        self._entities = list(entities)
        self._error = None

    def get_weight(self) -> list[float]:
        """Return the weights in the order of the entities; their sum is 1, or all weights are 0."""
        return list(shares([1] * len(self._entities)) if self._weights is None else self._weights)

    def set_weight(self, weight: Iterable[float]) -> None:
        """Set the weights, which must be finite numbers; negative weights count as 0."""
        self._weights = list(shares(weight))

    def compare(self, ref: Items, hyp: Items) -> dict[str, Any]:
        """Return `beer` (three digits) and `occurrence_ref` for each entity, then `w_av_beer`.

        Returns `{"Error": message}` if there are no entities, or if their file cannot be read.
        Raises ValueError if the numbers of weights and entities differ.
        """
        if self._error is not None:
            return {"Error": self._error}
        bag = BagOfEntities.of(entity for entity in self._entities if entity.split())
        errors = bag.errors([(words_of(ref), words_of(hyp))])
        return self._result(
            {entity.entity: (entity.reference, entity.hypothesis) for entity in errors.entities}
        )

    def compute_beer(
        self, list_hypothesis_entity: Sequence[str], list_reference_entity: Sequence[str]
    ) -> dict[str, Any]:
        """Return the result of `compare` for lists of entity names.

        The lists may come from any entity recogniser.
        """
        sides = Counter(list_reference_entity), Counter(list_hypothesis_entity)
        return self._result(
            {entity: (sides[0][entity], sides[1][entity]) for entity in self._entities}
        )

    def _result(self, counted: Mapping[str, tuple[int, int]]) -> dict[str, Any]:
        weights = self.get_weight()
        if len(weights) != len(self._entities):
            raise ValueError(
                f"expected {len(self._entities)} weights, one per entity, found {len(weights)}"
            )
        rows = zip(self._entities, weights, strict=True)
        errors = EntityErrors(
            tuple(EntityError(name, weight, *counted.get(name, (0, 0))) for name, weight in rows)
        )
        rates = [(error.entity, error.rate, error.reference) for error in errors.entities]
        return {
            name: {"beer": 0 if rate is None else round(rate, DIGITS), "occurrence_ref": count}
            for name, rate, count in (
                *rates,
                ("w_av_beer", errors.weighted_average, errors.occurrences),
            )
        }


factory: CoreFactory[Metric] = CoreFactory(Metric, ("compare",))
for _kind in (BEER, CER, DiffCounts, WER, WordDiffs):
    factory.register(_kind)
