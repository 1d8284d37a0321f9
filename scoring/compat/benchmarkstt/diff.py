"""Algorithms that find differences, and the dialects that write them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any

from scoring.alignment.blocks import matching_blocks
from scoring.compat.benchmarkstt.dialects import (
    ANSIDiffDialect,
    Dialect,
    DiffFormatter,
    HTMLDiffDialect,
    JSONDiffDialect,
    ListDialect,
    RestructuredTextDialect,
    UTF8Dialect,
    format_diff,
)
from scoring.compat.benchmarkstt.factory import CoreFactory
from scoring.drawing.opcodes import DELETE, EQUAL, INSERT, REPLACE, Opcode

__all__ = [
    "ANSIDiffDialect",
    "Dialect",
    "DiffFormatter",
    "Differ",
    "HTMLDiffDialect",
    "JSONDiffDialect",
    "ListDialect",
    "RatcliffObershelp",
    "RestructuredTextDialect",
    "UTF8Dialect",
    "factory",
    "format_diff",
]


class Differ(ABC):
    """Base of algorithms, created from two sequences."""

    @abstractmethod
    def __init__(self, a: Sequence[Any], b: Sequence[Any]) -> None:
        """Compare two sequences of items that can be hashed."""
        raise NotImplementedError

    @abstractmethod
    def get_opcodes(self) -> Sequence[tuple[str, int, int, int, int]]:
        """How to turn one into the other, as of `difflib.SequenceMatcher.get_opcodes`."""
        raise NotImplementedError


class RatcliffObershelp(Differ):
    """The matcher of Ratcliff and Obershelp: longest common stretch first, then beside it.

    It is not minimal: an alignment of least errors may have fewer. Frequent items are anchors, too.

    Examples
    --------
    >>> [opcode.tag for opcode in RatcliffObershelp("abc", "adc").get_opcodes()]
    ['equal', 'replace', 'equal']
    """

    def __init__(self, a: Sequence[Hashable], b: Sequence[Hashable]) -> None:
        self._sides = a, b

    def get_opcodes(self) -> list[Opcode]:
        """The stretches in which they are equal or differ.

        Raises
        ------
        ValueError
            If too many items are equal, see `scoring.alignment.blocks.MOST_PAIRS`.
        """
        reference, hypothesis = self._sides
        opcodes, row, column = [], 0, 0
        end = (len(reference), len(hypothesis), 0)
        for begin, first, size in [*matching_blocks(reference, hypothesis), end]:
            if row < begin or column < first:
                tag = REPLACE if row < begin and column < first else DELETE
                opcodes.append(Opcode(tag if row < begin else INSERT, row, begin, column, first))
            row, column = begin + size, first + size
            if size:
                opcodes.append(Opcode(EQUAL, begin, row, first, column))
        return opcodes


factory: CoreFactory[Differ] = CoreFactory(Differ)
factory.register(RatcliffObershelp)
