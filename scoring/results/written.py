"""The written words of an utterance with their alternatives, and a chosen path through them.

A node is a run of words without alternatives, or a choice between alternatives.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

from formats.schema import NamedTuple
from scoring.alignment.plain_references import BAR, CLOSE, OPEN, MarkedRow, braced_items
from scoring.model.counts import BLANK, BY_PATH, CHARACTERS_AND_BLANKS, PIECES
from scoring.sides.rows import (
    TakenBranch,
    branches_along,
    cut_row,
    items_of,
    row_of,
    with_table,
)
from scoring.sides.variants import VARIANT, VariantTable

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from formats.schema.words import Alternation, Words

ALTERNATIVE, OPTIONAL = "alternative", "optional"


class PlainRun(NamedTuple):
    """A run of words without alternatives, and the forms in which these words are compared."""

    words: Words
    pieces: Words


class WrittenChoice(NamedTuple):
    """A choice between alternatives (`branches`), which come from a source (`kind`).

    The first alternative is the form in the text; `written` has its words as they are compared.

    `longest` is the number of units in the longest alternative if a normalisation step created the
    alternatives, otherwise 0.
    """

    kind: str
    branches: Sequence[Sequence[WrittenNode]]
    written: Words
    size: int
    longest: int = 0


WrittenNode: TypeAlias = "PlainRun | WrittenChoice"


class _PlainBranches(Sequence[Sequence[WrittenNode]]):
    """Branches that consist of words only; they are converted on access."""

    def __init__(self, words: Sequence[Words]) -> None:
        self._words = words

    def __len__(self) -> int:
        return len(self._words)

    def __getitem__(self, place: Any) -> Any:
        return [PlainRun(self._words[place], self._words[place])]


# Choices that have the words of the chosen path: of files, of the user, of other tools' rules.
_GIVEN = frozenset((ALTERNATIVE, OPTIONAL, VARIANT)) | BY_PATH


class Taken(NamedTuple):
    """A place with alternatives on a path, with its range on the path and in the written words.

    `is_forgiven` is True if the path takes an alternative other than the written words. If a
    normalisation step created the readings, `longest` is the number of words of the longest
    reading. If `longest` is 0, the place counts the words of the path, as in sclite.
    """

    kind: str
    side: str
    written: Words
    chosen: Words
    begin: int
    end: int
    written_begin: int = 0
    written_end: int = 0
    is_forgiven: bool = True
    longest: int = 0


class Writing:
    """The rules by which words of a side become nodes: unit, optional words and equivalents."""

    def __init__(
        self,
        side: str,
        unit: str,
        may_omit: bool = False,
        table: VariantTable | None = None,
        ignore_case: bool = False,
    ) -> None:
        self.side, self.unit, self.table = side, unit, table
        self._may_omit, self._ignore_case = may_omit, ignore_case
        self._has_blanks = unit == CHARACTERS_AND_BLANKS
        self._keeps_words = unit == "word" and not ignore_case
        self.is_plain = self._keeps_words and table is None
        # with the alternatives themselves, so that no other ones get their identity
        self._choices: dict[int, tuple[Alternation, WrittenChoice]] = {}

    def nodes(self, segment: Segment, heard: Sequence[str] = ()) -> Sequence[WrittenNode]:
        """Return the words and alternatives of an utterance.

        `heard` has the words of the hypothesis, which determine the equivalent spellings to add.
        """
        if self.table is not None or segment.kinds or (segment.optional and self._may_omit):
            return self.nodes_of(segment.items(), heard)
        nodes: list[WrittenNode] = []
        begin = 0
        for place, alternation in segment.alternations:
            if place > begin:
                nodes.append(self._run(segment.words[begin:place]))
            begin = place
            nodes.append(self._choice(alternation, heard))
        nodes.append(self._run(segment.words[begin:]))
        return nodes

    def nodes_of(self, items: Iterable[object], heard: Sequence[str] = ()) -> Sequence[WrittenNode]:
        """Return the words and alternatives of tokens, alternations and plain words."""
        from formats.schema.words import WILDCARD_KIND, Alternation, Token

        def is_certain(item: object) -> bool:
            """Return True if every path contains the word `item`."""
            if not isinstance(item, Token):
                return isinstance(item, str)
            return item.kind != WILDCARD_KIND and not (item.optional and self._may_omit)

        nodes: list[WrittenNode] = []
        for is_plain, group in groupby(items, is_certain):
            if is_plain:
                nodes += self._plain(
                    tuple([item.text if isinstance(item, Token) else str(item) for item in group]),
                    heard,
                )
                continue
            for item in group:
                if isinstance(item, Alternation):
                    nodes.append(self._choice(item, heard))
                elif isinstance(item, Token) and item.kind != WILDCARD_KIND:
                    nodes.append(self._choice_of(OPTIONAL, [self._plain((item.text,), heard), []]))
        return nodes

    def pieces(self, words: Words) -> Words:
        """Return words after normalisation, cut into units.

        In characters with blanks, a blank precedes each word.
        """
        if self._keeps_words:
            return words
        if self._ignore_case:
            words = tuple(map(str.casefold, words))
        if self.unit == "word":
            return words
        from scoring.text.units import split_in_units

        pieces = split_in_units(words, self.unit)
        return (BLANK, *pieces) if self._has_blanks and words else pieces

    def taken(
        self, nodes: Sequence[WrittenNode], branches: Iterable[TakenBranch]
    ) -> Sequence[Taken]:
        """Return the places with alternatives on a path that takes the given branches."""
        places = self._along(nodes, iter(branches))[2]
        if not self._has_blanks:
            return places
        # the blank before the first word is in no path
        ranges = "begin", "end", "written_begin", "written_end"
        return [
            place._replace(**{name: max(getattr(place, name) - 1, 0) for name in ranges})
            for place in places
        ]

    def row(self, segment: Segment | None, words: Words, heard: Words) -> MarkedRow:
        """Return an utterance as a row with alternatives; without a segment, only its words."""
        if self.table is None:
            return words if segment is None else row_of(segment, self.unit, self._may_omit)
        row = words if segment is None else row_of(segment, "word", self._may_omit)
        return cut_row(with_table([row], [heard], self.table)[0], self.unit)

    def along(
        self, nodes: Sequence[WrittenNode], row: MarkedRow, path: Words
    ) -> Sequence[Taken] | None:
        """Return the places on the path with the given words, or None if there is no such path."""
        if self._has_blanks and path:
            path = (BLANK, *path)
        branches = branches_along(row, path, self._ignore_case)
        return None if branches is None else self.taken(nodes, branches)

    def nodes_of_text(self, text: str) -> Sequence[WrittenNode]:
        """Return the words and alternatives of a text with braces."""
        return self._of_row(braced_items(text), ALTERNATIVE)

    def _run(self, words: Words) -> PlainRun:
        return PlainRun(words, self.pieces(words))

    def _plain(self, words: Words, heard: Sequence[str]) -> list[WrittenNode]:
        """Return the nodes of plain words; words with equivalents in the table become choices."""
        if self.table is None:
            return [self._run(words)]
        return self._of_row(items_of(with_table([words], [heard], self.table)[0]), VARIANT)

    def _of_row(self, row: Iterable[str | int], kind: str) -> list[WrittenNode]:
        """Return the nodes of a row; all of its choices get the same kind."""
        nodes: list[WrittenNode] = []
        stack: list[list[list[WrittenNode]]] = []
        for are_words, group in groupby(row, _is_word):
            if are_words:
                words = tuple(map(str, group))
                runs = [words] if self._keeps_words else [(word,) for word in words]
                (stack[-1][-1] if stack else nodes).extend(map(self._run, runs))
                continue
            for mark in group:
                if mark == OPEN:
                    stack.append([[]])
                elif mark == BAR:
                    stack[-1].append([])
                elif mark == CLOSE:
                    choice = self._choice_of(kind, stack.pop())
                    (stack[-1][-1] if stack else nodes).append(choice)
        return nodes

    def _choice(self, alternation: Alternation, heard: Sequence[str]) -> WrittenChoice:
        from formats.schema.words import plain_words

        known = self._choices.get(id(alternation))
        if known is not None:
            return known[1]
        kind = alternation.origin or ALTERNATIVE
        words: list[Words] = []
        if self.is_plain:
            words = [plain for branch in alternation.branches if (plain := plain_words(branch))]
        if len(words) == len(alternation.branches):
            longest = 0 if kind in _GIVEN else max(map(len, words))
            choice = WrittenChoice(kind, _PlainBranches(words), words[0], len(words[0]), longest)
        else:
            branches = [self.nodes_of(branch, heard) for branch in alternation.branches]
            choice = self._choice_of(kind, branches)
        if self.table is None:
            self._choices[id(alternation)] = alternation, choice
        return choice

    def _choice_of(self, kind: str, branches: Sequence[Sequence[WrittenNode]]) -> WrittenChoice:
        written = first_words(branches[0])
        longest = 0 if kind in _GIVEN else max(map(_longest, branches))
        return WrittenChoice(kind, branches, written, len(self.pieces(written)), longest)

    def _along(
        self, nodes: Sequence[WrittenNode], branches: Iterator[TakenBranch]
    ) -> tuple[int, Words, list[Taken]]:
        """Return the number of written pieces of a path, its words, and its places with choices.

        If the chosen reading of a step differs from the written form, the whole reading is one
        place. In the written form and in alternatives of the file, the inner choices are separate
        places.
        """
        size = 0
        words: list[str] = []
        places: list[Taken] = []
        for node in nodes:
            if isinstance(node, PlainRun):
                size += len(node.pieces)
                words += node.words
                continue
            branch = next(branches)
            inner_size, chosen, inner = self._along(node.branches[branch[0]], branches)
            if size and inner:
                inner = [_moved(inside, size) for inside in inner]
            is_first = node.kind == PIECES or not branch[0]
            if is_first:
                if inner_size != node.size:
                    # words in pieces are as many as written
                    inner = [inside._replace(longest=0) for inside in inner]
                places += inner
            if not is_first or (node.longest and not any(inside.longest for inside in inner)):
                span = *branch[1:], size, size + node.size
                column = node.kind, self.side, node.written, chosen
                places.append(Taken(*column, *span, not is_first, node.longest))
            if not is_first and not node.longest:
                # the words of the path count, with readings of steps among them
                steps = [inside for inside in inner if inside.longest]
                places += [inside._replace(is_forgiven=False) for inside in steps]
            size += inner_size if is_first else node.size
            words += chosen
        return size, tuple(words), places


def _is_word(item: str | int) -> bool:
    """Return True for a word of a row, False for a mark."""
    return isinstance(item, str)


def _moved(place: Taken, written: int) -> Taken:
    """Return a place moved to the right by `written` written words."""
    begin, end = place.written_begin + written, place.written_end + written
    return place._replace(written_begin=begin, written_end=end)


def _longest(nodes: Iterable[WrittenNode]) -> int:
    """Return the number of pieces on the longest path."""
    return sum(
        len(node.pieces) if isinstance(node, PlainRun) else max(map(_longest, node.branches))
        for node in nodes
    )


def first_words(nodes: Iterable[WrittenNode]) -> Words:
    """Return the written words of a list of nodes."""
    words: list[str] = []
    for node in nodes:
        words += node.words if isinstance(node, PlainRun) else node.written
    return tuple(words)
