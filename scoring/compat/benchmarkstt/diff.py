"""Algorithms that find what differs, and how differences are written down."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Sequence
from typing import Any

from scoring.compat.benchmarkstt.factory import CoreFactory
from scoring.pages.diff.dialects import (
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
from scoring.pages.diff.opcodes import Opcode
from scoring.pages.diff.ratcliff_obershelp import differences

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
    """The matcher of Ratcliff and Obershelp; see `scoring.pages.diff.ratcliff_obershelp`.

    Examples
    --------
    >>> [opcode.tag for opcode in RatcliffObershelp("abc", "adc").get_opcodes()]
    ['equal', 'replace', 'equal']
    """

    def __init__(self, a: Sequence[Hashable], b: Sequence[Hashable]) -> None:
        self._sides = a, b

    def get_opcodes(self) -> list[Opcode]:
        """The stretches in which they are equal or differ."""
        return differences(*self._sides)


factory: CoreFactory[Differ] = CoreFactory(Differ)
factory.register(RatcliffObershelp)
