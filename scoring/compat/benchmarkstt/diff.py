"""Algorithms that find what differs, and how differences are written down."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher
from typing import Any

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
from scoring.drawing.opcodes import Opcode

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
    """Base of algorithms; made of two sequences."""

    @abstractmethod
    def __init__(self, a: Sequence[Any], b: Sequence[Any]) -> None:
        """Compare two sequences of items that can be hashed."""

    @abstractmethod
    def get_opcodes(self) -> Sequence[tuple[str, int, int, int, int]]:
        """How to turn one into the other, as `difflib.SequenceMatcher.get_opcodes` says it."""


class RatcliffObershelp(Differ):
    """The matcher of Ratcliff and Obershelp: longest common stretch first, then beside it.

    It is not minimal: an alignment of least errors may have fewer. Frequent items are anchors, too.

    Examples
    --------
    >>> [opcode.tag for opcode in RatcliffObershelp("abc", "adc").get_opcodes()]
    ['equal', 'replace', 'equal']
    """

    def __init__(self, a: Sequence[Hashable], b: Sequence[Hashable]) -> None:
        self._matcher = SequenceMatcher(None, a, b, autojunk=False)

    def get_opcodes(self) -> list[Opcode]:
        """The stretches in which they are equal or differ."""
        return [Opcode(*one) for one in self._matcher.get_opcodes()]


factory: CoreFactory[Differ] = CoreFactory(Differ)
factory.register(RatcliffObershelp)
