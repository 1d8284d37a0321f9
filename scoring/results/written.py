"""The written words of an utterance with their choices, and a path of chosen words along them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from scoring.alignment.plain_references import BAR, CLOSE, OPEN
from scoring.model.counts import BLANK, CHARACTERS_AND_BLANKS
from scoring.sides.rows import items_of, with_table
from scoring.sides.variants import VARIANT, VariantTable
from scoring.text.readings import PIECES

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from formats.schema.words import Alternation, Words

ALTERNATIVE, OPTIONAL = "alternative", "optional"


class PlainRun(NamedTuple):
    """Words without a choice, and what they are compared as."""

    words: Words
    pieces: Words


class WrittenChoice(NamedTuple):
    """Alternatives, the written one first, and what made them; the pieces of the written one."""

    kind: str
    branches: Sequence[Sequence[WrittenNode]]
    written: Words
    size: int


WrittenNode: TypeAlias = "PlainRun | WrittenChoice"
# A way to read the words of a path up to a place: pieces of the written words up to there, chosen
# words since the alternatives began, places.
_Way: TypeAlias = "tuple[int, Words, tuple[Taken, ...]]"


class Taken(NamedTuple):
    """A place where a path leaves the written words, with its range there and among these."""

    kind: str
    side: str
    written: Words
    chosen: Words
    begin: int
    end: int
    written_begin: int = 0
    written_end: int = 0


class Writing:
    """The way the words of a side are written: cut in a unit, with optional words and a table."""

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
        self._choices: dict[tuple[object, ...], WrittenChoice] = {}

    def nodes(self, segment: Segment, heard: Sequence[str] = ()) -> Sequence[WrittenNode]:
        """Return an utterance's words and choices; equivalents of a table fit what was heard."""
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
        """Return the words and choices among tokens, alternations and plain words."""
        from formats.schema.words import WILDCARD_KIND, Alternation, Token

        nodes: list[WrittenNode] = []
        for is_plain, group in groupby(items, self._is_certain):
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
        """Return words as they are compared.

        In characters with blanks one stands before each word.
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

    def walked(self, nodes: Sequence[WrittenNode], path: Sequence[str]) -> Sequence[Taken] | None:
        """Return the places of a path, as few as possible; None if it leaves these words."""
        whole = tuple(path)
        if self._has_blanks and whole:
            whole = (BLANK, *whole)
        way = self._ways(nodes, whole, 0, keeps_words=False).get(len(whole))
        if way is None:
            return None
        if not self._has_blanks:
            return way[2]
        # the blank before the first word is in no path
        return [
            place._replace(begin=max(place.begin - 1, 0), end=max(place.end - 1, 0))
            for place in way[2]
        ]

    def _is_certain(self, item: object) -> bool:
        """Return True of a word that every path has."""
        from formats.schema.words import WILDCARD_KIND, Token

        if not isinstance(item, Token):
            return isinstance(item, str)
        return item.kind != WILDCARD_KIND and not (item.optional and self._may_omit)

    def _run(self, words: Words) -> PlainRun:
        return PlainRun(words, self.pieces(words))

    def _plain(self, words: Words, heard: Sequence[str]) -> list[WrittenNode]:
        """Return words without marks of their own, with the equivalents of the table."""
        if self.table is None:
            return [self._run(words)]
        nodes: list[WrittenNode] = []
        stack: list[list[list[WrittenNode]]] = []
        for item in items_of(with_table([words], [heard], self.table)[0]):
            if item == OPEN:
                stack.append([[]])
            elif item == BAR:
                stack[-1].append([])
            else:
                node = (
                    self._choice_of(VARIANT, stack.pop()) if item == CLOSE else self._run((item,))
                )
                (stack[-1][-1] if stack else nodes).append(node)
        return nodes

    def _choice(self, alternation: Alternation, heard: Sequence[str]) -> WrittenChoice:
        key = alternation.origin, alternation.branches
        if key in self._choices:
            return self._choices[key]
        branches = [self.nodes_of(branch, heard) for branch in alternation.branches]
        choice = self._choice_of(alternation.origin or ALTERNATIVE, branches)
        if self.table is None:
            self._choices[key] = choice
        return choice

    def _choice_of(self, kind: str, branches: Sequence[Sequence[WrittenNode]]) -> WrittenChoice:
        written = first_words(branches[0])
        return WrittenChoice(kind, branches, written, len(self.pieces(written)))

    def _ways(
        self, nodes: Sequence[WrittenNode], whole: Words, begin: int, keeps_words: bool = True
    ) -> dict[int, _Way]:
        """Return the best way to each place that some words may end at."""
        ways: dict[int, _Way] = {begin: (0, (), ())}
        for node in nodes:
            after: dict[int, _Way] = {}
            for at, (size, words, places) in ways.items():
                if isinstance(node, PlainRun):
                    end = at + len(node.pieces)
                    if whole[at:end] == node.pieces:
                        kept = (*words, *node.words) if keeps_words else ()
                        after[end] = size + len(node.pieces), kept, places
                    continue
                for end, step in self._branches(node, whole, at, size):
                    following = (*places, *step[2])
                    if end not in after or len(following) < len(after[end][2]):
                        kept = (*words, *step[1]) if keeps_words else ()
                        after[end] = size + step[0], kept, following
            ways = after
        return ways

    def _branches(
        self, choice: WrittenChoice, whole: Words, at: int, written: int
    ) -> Iterator[tuple[int, _Way]]:
        """Yield the ends of each alternative."""
        for number, branch in enumerate(choice.branches):
            for end, way in self._ways(branch, whole, at).items():
                if number and choice.kind != PIECES:
                    span = at, end, written, written + choice.size
                    place = Taken(choice.kind, self.side, choice.written, way[1], *span)
                    yield end, (choice.size, way[1], (place,))
                else:
                    yield end, (way[0], way[1], tuple([_moved(place, written) for place in way[2]]))


def _moved(place: Taken, written: int) -> Taken:
    """Return a place after so many written words."""
    begin, end = place.written_begin + written, place.written_end + written
    return place._replace(written_begin=begin, written_end=end)


def first_words(nodes: Iterable[WrittenNode]) -> Words:
    """Return the words as written."""
    words: list[str] = []
    for node in nodes:
        words += node.words if isinstance(node, PlainRun) else node.written
    return tuple(words)
