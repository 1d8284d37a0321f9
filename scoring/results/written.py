"""The written words of an utterance with their choices, and a path of chosen words along them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from scoring.alignment.plain_references import BAR, CLOSE, OPEN
from scoring.model.counts import BLANK, CHARACTERS_AND_BLANKS
from scoring.sides.rows import items_of, with_table
from scoring.sides.variants import VARIANT, VariantTable
from scoring.text.readings import BY_PATH, PIECES

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from formats.schema.words import Alternation, Words

ALTERNATIVE, OPTIONAL = "alternative", "optional"


class PlainRun(NamedTuple):
    """Words without a choice, and what they are compared as."""

    words: Words
    pieces: Words


class WrittenChoice(NamedTuple):
    """Alternatives, the written one first, and what made them; the pieces of the written one.

    `longest` are the pieces of the longest alternative if a step of ours made them, otherwise 0.
    """

    kind: str
    branches: Sequence[Sequence[WrittenNode]]
    written: Words
    size: int
    longest: int = 0


WrittenNode: TypeAlias = "PlainRun | WrittenChoice"
# A way to read the words of a path up to a place: pieces of the written words up to there, chosen
# words since the alternatives began, places, and how many of these leave what is written.
_Way: TypeAlias = "tuple[int, Words, tuple[Taken, ...], int]"
# Choices that have the words of the chosen path: of files, of the user, of other tools' rules.
_GIVEN = frozenset((ALTERNATIVE, OPTIONAL, VARIANT)) | BY_PATH


class Taken(NamedTuple):
    """A place of a path where there is a choice, with its range there and among the written words.

    `is_forgiven`: the path leaves the written words there. `longest`: the words of the longest
    reading if the readings are those of a step; 0: the place has its words of the path, as in
    sclite.
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
        # with the alternatives themselves, so that no other ones get their identity
        self._choices: dict[int, tuple[Alternation, WrittenChoice]] = {}

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
        """Return the places where a path has a choice; None if it leaves these words.

        As few as possible leave what is written.
        """
        whole = tuple(path)
        if self._has_blanks and whole:
            whole = (BLANK, *whole)
        way = self._ways(nodes, whole, 0, keeps_words=False).get(len(whole))
        if way is None:
            return None
        if not self._has_blanks:
            return way[2]
        # the blank before the first word is in no path
        ranges = "begin", "end", "written_begin", "written_end"
        return [
            place._replace(**{name: max(getattr(place, name) - 1, 0) for name in ranges})
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
        known = self._choices.get(id(alternation))
        if known is not None:
            return known[1]
        branches = [self.nodes_of(branch, heard) for branch in alternation.branches]
        choice = self._choice_of(alternation.origin or ALTERNATIVE, branches)
        if self.table is None:
            self._choices[id(alternation)] = alternation, choice
        return choice

    def _choice_of(self, kind: str, branches: Sequence[Sequence[WrittenNode]]) -> WrittenChoice:
        written = first_words(branches[0])
        longest = 0 if kind in _GIVEN else max(map(_longest, branches))
        return WrittenChoice(kind, branches, written, len(self.pieces(written)), longest)

    def _ways(
        self, nodes: Sequence[WrittenNode], whole: Words, begin: int, keeps_words: bool = True
    ) -> dict[int, _Way]:
        """Return the best way to each place that some words may end at."""
        ways: dict[int, _Way] = {begin: (0, (), (), 0)}
        for node in nodes:
            after: dict[int, _Way] = {}
            for at, (size, words, places, number) in ways.items():
                if isinstance(node, PlainRun):
                    end = at + len(node.pieces)
                    if whole[at:end] == node.pieces:
                        kept = (*words, *node.words) if keeps_words else ()
                        after[end] = size + len(node.pieces), kept, places, number
                    continue
                for end, step in self._branches(node, whole, at, size):
                    if end not in after or number + step[3] < after[end][3]:
                        kept = (*words, *step[1]) if keeps_words else ()
                        following = (*places, *step[2]), number + step[3]
                        after[end] = (size + step[0], kept, *following)
            ways = after
        return ways

    def _branches(
        self, choice: WrittenChoice, whole: Words, at: int, written: int
    ) -> Iterator[tuple[int, _Way]]:
        """Yield the ends of each alternative.

        A reading of a step is a place as a whole; where it is the written one, or alternatives
        stand in the file, their own readings are.
        """
        for number, branch in enumerate(choice.branches):
            for end, (size, words, inner, forgiven) in self._ways(branch, whole, at).items():
                span = at, end, written, written + choice.size
                place = Taken(choice.kind, self.side, choice.written, words, *span)
                place = place._replace(longest=choice.longest)
                if choice.kind == PIECES or not number:
                    places = [_moved(inside, written) for inside in inner]
                    if size != choice.size:
                        # words in pieces are as many as written
                        places = [inside._replace(longest=0) for inside in places]
                    if choice.longest and not any(inside.longest for inside in places):
                        places.append(place._replace(is_forgiven=False))
                    yield end, (size, words, tuple(places), forgiven)
                else:
                    places = [place]
                    if not choice.longest:
                        # the words of the path count, with readings of steps among them
                        steps = [_moved(inside, written) for inside in inner if inside.longest]
                        places += [inside._replace(is_forgiven=False) for inside in steps]
                    yield end, (choice.size, words, tuple(places), 1)


def _moved(place: Taken, written: int) -> Taken:
    """Return a place after so many written words."""
    begin, end = place.written_begin + written, place.written_end + written
    return place._replace(written_begin=begin, written_end=end)


def _longest(nodes: Iterable[WrittenNode]) -> int:
    """Return the pieces of the longest path."""
    return sum(
        len(node.pieces) if isinstance(node, PlainRun) else max(map(_longest, node.branches))
        for node in nodes
    )


def first_words(nodes: Iterable[WrittenNode]) -> Words:
    """Return the words as written."""
    words: list[str] = []
    for node in nodes:
        words += node.words if isinstance(node, PlainRun) else node.written
    return tuple(words)
