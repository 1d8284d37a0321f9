"""Word graphs: sequences of words, some of which have alternatives.

Each side of an alignment is a graph whose *arcs* carry one word each. Arcs are numbered from 1, and
an arc comes after all arcs that may precede it. Arc 0 is the beginning and carries no word. For
every arc, the graph lists its *predecessors*: the arcs that end where the arc begins. Among equally
cheap paths, the alignment takes the predecessor listed first.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence

from formats.schema import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias, Union

    # A word type, or alternatives: branches to choose from, each a sequence of items.
    NetworkItem: TypeAlias = Union[int, "NetworkBranches"]  # noqa: UP007
    NetworkBranches: TypeAlias = tuple[Sequence[NetworkItem], ...]

NO_INTEGERS: Sequence[int] = memoryview(b"").cast("i")
NO_NUMBERS: Sequence[float] = memoryview(b"").cast("d")


class Network(NamedTuple):
    """A word graph and the costs of its arcs; each column is a buffer with one entry per arc.

    Arcs with equal `types` (int32) match. The predecessors of arc a are
    `predecessors[predecessor_offsets[a - 1]:predecessor_offsets[a]]` (int32), in this order; both
    columns are empty for a chain, in which each arc follows the preceding arc. `finals` (int32)
    lists the arcs that may be last, in order; if empty, only the last arc. `nulls` (bytes) marks
    the null word, which matches nothing. `singles` (float64, used in single precision) is the cost
    of an arc without a partner. `weights` are for mode 1 of `align_network`, `starts` and `ends`
    (seconds) for mode 2.
    """

    types: Sequence[int]
    predecessor_offsets: Sequence[int]
    predecessors: Sequence[int]
    finals: Sequence[int]
    nulls: Sequence[int]
    singles: Sequence[float]
    weights: Sequence[float] = NO_NUMBERS
    starts: Sequence[float] = NO_NUMBERS
    ends: Sequence[float] = NO_NUMBERS


class Graph(NamedTuple):
    """The shape of a word graph, with the columns of `Network`.

    Empty columns mean a plain sequence.
    """

    types: Sequence[int]
    predecessor_offsets: Sequence[int] = NO_INTEGERS
    predecessors: Sequence[int] = NO_INTEGERS
    finals: Sequence[int] = NO_INTEGERS

    @property
    def is_chain(self) -> bool:
        """True if each word has only the preceding word as predecessor."""
        count = len(self.types)
        before, last = list(self.predecessors), list(self.finals) or [count]
        return (before or list(range(count))) == list(range(count)) and last == [count]


# The shape of all sequences without alternatives.
CHAIN = Graph(NO_INTEGERS)


def build(items: Sequence[NetworkItem]) -> Graph:
    """Return the graph of a sequence of words and alternatives.

    Arcs are numbered in the order of the text. At the end of alternatives, the last arcs of the
    branches are listed in the order of the text. If a branch itself ends with alternatives, the
    last arcs of these alternatives are listed instead. sclite prefers arcs in this order.

    Examples
    --------
    The words 1 { 2 / { 3 4 / 5 } } 6, where 6 may follow 2, 4 or 5:

    >>> graph = build([1, ([2], [([3, 4], [5])]), 6])
    >>> list(graph.types), list(graph.predecessor_offsets)
    ([1, 2, 3, 4, 5, 6], [0, 1, 2, 3, 4, 5, 8])
    >>> list(graph.predecessors), list(graph.finals)
    ([0, 1, 1, 3, 1, 2, 4, 5], [6])
    >>> build([1, 2, 3]).predecessors.tolist()
    []
    """
    builder = _Builder()
    finals = builder.append(items, array("i", [0]))
    if builder.chain:
        return Graph(builder.types)
    return Graph(builder.types, builder.offsets, builder.predecessors, finals)


class _Builder:
    """Builds the columns of a graph, arc by arc."""

    def __init__(self) -> None:
        self.types = array("i")
        self.offsets = array("i", [0])
        self.predecessors = array("i")
        self.chain = True

    def append(self, items: Sequence[NetworkItem], arriving: array[int]) -> array[int]:
        """Add items after the arcs `arriving`; return the last arcs of the items."""
        for item in items:
            if isinstance(item, int):
                self.types.append(item)
                self.predecessors.extend(arriving)
                self.offsets.append(len(self.predecessors))
                arriving = array("i", [len(self.types)])
            else:
                arriving = self.fork(item, arriving)
        return arriving

    def fork(self, branches: NetworkBranches, arriving: array[int]) -> array[int]:
        """Add every branch after the same arcs; return the last arcs of all branches."""
        self.chain = False
        if not branches or not all(branches):
            raise ValueError("alternatives: expected at least one word in every branch, found none")
        ends = array("i")
        for branch in branches:
            ends.extend(self.append(branch, arriving))
        return ends
