"""Forgiven differences: places where the chosen alternative is not the written form.

The result keeps the alternatives of both sides and the branches that the aligner chose. With
several references, and in meetings, the chosen words determine the branches.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import accumulate, chain, groupby
from typing import TYPE_CHECKING, Protocol

from formats.schema import NamedTuple
from scoring.alignment.results import Alignments, taken
from scoring.alignment.texts import ColumnWords
from scoring.model.counts import (
    CHARACTERS_AND_BLANKS,
    NO_HYPOTHESIS,
    NO_REFERENCE,
    Alignment,
    Edit,
)
from scoring.results.written import OPTIONAL, Taken, Writing, first_words
from scoring.sides.braced import BracedTexts
from scoring.sides.corpus import NO_PARTNER, Corpus
from scoring.sides.rows import ChosenWays, TakenBranch, first_words_of, items_of

if TYPE_CHECKING:
    from typing import TypeAlias

    from formats.schema.model import Segment
    from formats.schema.words import Words
    from scoring.alignment.plain_references import MarkedRow
    from scoring.options import Rules
    from scoring.sides.variants import VariantTable
    from scoring.text.settled_forms import SettledForm, SettledForms

    SettledSides: TypeAlias = tuple[SettledForms, SettledForms]
    """The settled forms of references and hypotheses in blocks; empty if there are none."""

REFERENCE, HYPOTHESIS = "reference", "hypothesis"
COMPOUND = "compound"
_PLURALS = {OPTIONAL: "optional words"}
_TELLING = (
    Edit.SKIPPED_REFERENCE,
    Edit.SKIPPED_HYPOTHESIS,
    Edit.JOINED_REFERENCE,
    Edit.JOINED_HYPOTHESIS,
)
_IN_EDITS = re.compile(b"[%c%c]|[%c%c]+." % _TELLING, re.DOTALL)


class Forgiven(NamedTuple):
    """A place where an alternative other than the written one was chosen.

    `kind` is the source of the alternative: `alternative` of a file, `optional`, `variant`,
    `compound`, `reference 2`, the kind of a step (`number`, `contraction`, `filler`, `glm rule`, …)
    or the name of a step. `side` is `reference` or `hypothesis`. `written` and `chosen` are words;
    if characters of a reference were compared, they are characters. `place` is the position of the
    first such word among the side's words in the alignment. `size` is the number of these words, 0
    if words are omitted.
    """

    utterance: str
    kind: str
    side: str
    written: tuple[str, ...]
    chosen: tuple[str, ...]
    place: int
    size: int


def several(kind: str, number: int) -> str:
    """Return a number of places and their kind as text.

    >>> several("number", 14), several("reference 2", 1), several("optional", 2)
    ('14 numbers', '1 of reference 2', '2 optional words')
    """
    if kind.startswith(f"{REFERENCE} "):
        return f"{number} of {kind}"
    return f"{number} {kind}" if number == 1 else f"{number} {_PLURALS.get(kind, f'{kind}s')}"


def by_frequency(kinds: Mapping[str, int]) -> dict[str, int]:
    """Return the number of places of each kind, the most frequent kinds first."""
    return dict(sorted(kinds.items(), key=lambda item: (-item[1], item[0])))


def kinds_of(aligned: Alignments, forgiveness: Forgiveness | None) -> Counter[str]:
    """Return the number of forgiven places of each kind."""
    kinds: Counter[str] = Counter()
    if forgiveness is not None:
        settled, rest = forgiveness.without_blocks()
        for forms in settled:
            kinds += forms.forgiven_kinds()
        for _, places in rest.by_row(aligned):
            kinds.update([passage.kind for passage in places if passage.is_forgiven])
    for _, places in _by_row_in_edits(aligned):
        kinds.update([passage.kind for passage in places])
    return kinds


class PlacesSource(Protocol):
    """A source of the forgiven places of some utterances."""

    number: int  # of utterances

    def candidates(self, row: int) -> bool:
        """Return True if an utterance may have forgiven places."""

    def all_candidates(self, aligned: Alignments) -> Iterable[int]:
        """Return the utterances that may have forgiven places, in the order of these alignments."""

    def known(self, row: int) -> Sequence[Taken] | None:
        """Return the places of an utterance; None if they depend on the chosen words."""

    def places(self, row: int, words: Words, heard: Words) -> Sequence[Taken]:
        """Return the places where an utterance has alternatives, given both sides' chosen words.

        The result includes places where the written words were chosen.
        """

    def without_blocks(self) -> tuple[SettledSides | tuple[()], PlacesSource]:
        """Return the written forms with decided readings, and a source of the remaining places."""


class Listed:
    """A source that has a list of the forgiven places of utterances.

    Places that are not in the list are written forms whose readings are decided (`settled`).
    """

    def __init__(
        self,
        number: int,
        places: Mapping[int, Sequence[Taken]],
        settled: SettledSides | tuple[()] = (),
    ) -> None:
        self.number, self._places, self._settled = number, places, settled

    def candidates(self, row: int) -> bool:
        """Return True if an utterance may have forgiven places."""
        return row in self._places or any(row in forms for forms in self._settled)

    def all_candidates(self, aligned: Alignments) -> Iterable[int]:
        """Return the utterances that may have forgiven places, in order."""
        return sorted({*self._places, *chain.from_iterable(self._settled)})

    def known(self, row: int) -> Sequence[Taken]:
        """Return the forgiven places of an utterance, as a record lists them."""
        places = self._places.get(row)
        if places is not None:
            return places
        return places_of_settled(*(forms.get(row, ()) for forms in self._settled))

    def places(self, row: int, words: Words, heard: Words) -> Sequence[Taken]:
        """Return the forgiven places of an utterance; the words are not used."""
        return self.known(row)

    def without_blocks(self) -> tuple[SettledSides | tuple[()], Listed]:
        """Return the written forms with decided readings, and a source of the remaining places."""
        return self._settled, Listed(self.number, self._places)


class WrittenPaths:
    """Both normalised sides before paths are chosen; forgiven places are computed on access."""

    def __init__(
        self,
        references: Sequence[Corpus],
        hypothesis: Corpus,
        partners: Sequence[int],
        writings: tuple[Writing, Writing],
        chosen: Sequence[tuple[int, ...]] = (),
        ways: ChosenWays = (),
    ) -> None:
        self.number = len(partners)
        self._ways = ways
        self._references, self._hypothesis, self._partners = references, hypothesis, partners
        self._writings, self._chosen = writings, chosen
        self._settled = references[0].settled, hypothesis.settled

    def candidates(self, row: int) -> bool:
        """Return True if an utterance may have forgiven places."""
        return (
            self._writings[0].table is not None
            or row in self._references[0].special
            or self._partners[row] in self._hypothesis.special
            or row in self._settled[0]
            or self._partners[row] in self._settled[1]
            or (len(self._references) > 1 and self._chosen[row] != (1,))
        )

    def all_candidates(self, aligned: Alignments) -> Iterable[int]:
        """Return the utterances that may have forgiven places, in order."""
        is_in_order = self._partners == range(self.number)
        if not is_in_order or self._writings[0].table is not None or len(self._references) > 1:
            return filter(self.candidates, range(self.number))
        left, right = self._references[0].special, self._hypothesis.special
        kept = [
            {*chain.from_iterable(ways[side].kept(rows) for rows, ways in self._ways)}
            for side in (0, 1)
        ]
        mine = _perhaps_changed(left, self._writings[0], aligned.references, kept[0])
        theirs = _perhaps_changed(right, self._writings[1], aligned.hypotheses, kept[1])
        return sorted({*mine, *theirs, *self._settled[0], *self._settled[1]})

    def known(self, row: int) -> Sequence[Taken] | None:
        """Return the places of an utterance if its readings are all decided."""
        partner = self._partners[row]
        mine, theirs = self._settled
        left = mine.get(row, ())
        right = theirs.get(partner, ())
        if not left and not right:
            return None
        if row in self._references[0].special or partner in self._hypothesis.special:
            return None
        return places_of_settled(left, right)

    def without_blocks(self) -> tuple[SettledSides | tuple[()], WrittenPaths]:
        """Return the written forms with decided readings, and a source of the remaining places."""
        every = [*self._settled]
        if not any(every):
            return (), self
        from copy import copy

        from scoring.text.settled_forms import SettledForms

        first, hypothesis = self._references[0], self._hypothesis
        is_plain = self._partners == range(self.number) and len(self._references) == 1
        special = chain(first.special, hypothesis.special)
        if not is_plain or any(row in forms for row in special for forms in every):
            return (), self
        left, right = (
            forms if isinstance(forms, SettledForms) else SettledForms((), forms) for forms in every
        )
        rest = copy(self)
        rest._settled = left.apart, right.apart
        return (SettledForms(left.blocks), SettledForms(right.blocks)), rest

    def places(self, row: int, words: Words, heard: Words) -> Sequence[Taken]:
        """Return the places where an utterance has alternatives, given both sides' chosen words."""
        sources = self._chosen[row] if len(self._references) > 1 else (1,)
        if sources in ((1,), ()):
            left = self._own(0, row, words, heard)
        else:
            left = self._of_other_references(row, sources, words, heard)
        partner, special = self._partners[row], self._hypothesis.special
        if partner not in special:
            return left
        return [*left, *self._on_side(1, special, partner, row, (), (), heard)]

    def _own(self, number: int, row: int, words: Words, heard: Words) -> Sequence[Taken]:
        """Return the places where the path through one reference has alternatives."""
        side = self._references[number]
        if self._writings[0].table is not None:
            # before words are cut
            partner = self._partners[row]
            spoken = self._hypothesis.special.get(partner)
            heard = () if partner == NO_PARTNER else tuple(self._hypothesis.words[partner])
            if spoken is not None:
                heard = tuple([token.text for token in spoken.all_tokens()])
        elif row not in side.special:
            return ()
        plain = () if row in side.special else tuple(side.words[row])
        return self._on_side(0, side.special, row, row, plain, heard, words)

    def _on_side(
        self,
        number: int,
        special: Mapping[int, Segment],
        position: int,
        row: int,
        words: Words,
        heard: Words,
        path: Words,
    ) -> Sequence[Taken]:
        """Return the places on the chosen path of one side of an utterance."""
        writing = self._writings[number]
        branches = self._branches(number, row)
        if branches == []:
            return ()  # as written
        texts = special.texts if isinstance(special, BracedTexts) and writing.is_plain else {}
        if branches is not None and position in texts:
            return writing.taken(writing.nodes_of_text(texts[position]), branches)
        segment = special.get(position)
        nodes = writing.nodes_of(words, heard) if segment is None else writing.nodes(segment, heard)
        if branches is not None:
            return writing.taken(nodes, branches)
        return writing.along(nodes, writing.row(segment, words, heard), path) or ()

    def _branches(self, number: int, row: int) -> list[TakenBranch] | None:
        """Return the branches chosen on one side of an utterance; None if they are unknown."""
        for rows, ways in self._ways:
            at = bisect_left(rows, row)
            if at < len(rows) and rows[at] == row:
                return ways[number].of_row(at)
        return None

    def _of_other_references(
        self, row: int, sources: Sequence[int], words: Words, heard: Words
    ) -> Sequence[Taken]:
        """Return the places whose chosen words come from a reference other than the first."""
        first = self._written(0, row)
        others = [source for source in sources if source != 1]
        if len(sources) == 1:
            # what is written there, and what was chosen of it
            own = self._own(others[0] - 1, row, words, heard)
            spans = _differences(first, self._written(others[0] - 1, row))
            kind = f"{REFERENCE} {others[0]}"
            return [
                *own,
                *(_span(kind, first, words, (a, b, *_on_path(c, d, own))) for a, b, c, d in spans),
            ]
        there = {source: set(self._written(source - 1, row)) for source in others}
        return from_others(first, words, there)

    def _written(self, number: int, row: int) -> Words:
        """Return the written words of a reference as they are compared."""
        side, writing = self._references[number], self._writings[0]
        if row not in side.special and writing.table is None:
            return tuple(side.words[row])  # cut already
        segment = side.special.get(row)
        words = side.words[row] if segment is None else first_words(writing.nodes(segment))
        pieces = writing.pieces(words)
        return pieces[1:] if writing.unit == CHARACTERS_AND_BLANKS else pieces


def places_of_settled(
    left: Iterable[SettledForm] = (), right: Iterable[SettledForm] = ()
) -> list[Taken]:
    """Return the places of the written forms of both sides whose readings are decided."""
    return [
        *(_of_settled(REFERENCE, form) for form in left),
        *(_of_settled(HYPOTHESIS, form) for form in right),
    ]


def _of_settled(side: str, form: SettledForm) -> Taken:
    """Return the place of a written form whose reading is already decided."""
    kind, written, chosen, begin, written_begin, longest = form
    span = begin, begin + len(chosen), written_begin, written_begin + len(written)
    return Taken(kind, side, written, chosen, *span, chosen != written, longest)


def _perhaps_changed(
    special: Mapping[int, Segment], writing: Writing, paths: Sequence[Words], kept: Set[int]
) -> Iterable[int]:
    """Return the utterances, not among `kept`, whose path may differ from the written words."""
    texts = special.texts if isinstance(special, BracedTexts) and writing.is_plain else {}
    rows = [row for row in texts if row not in kept]
    column = taken(paths, rows)
    if not isinstance(column, ColumnWords):
        return special
    chosen = dict(zip(rows, column.texts.texts(0, len(rows)), strict=True))
    return [
        row
        for row in special
        if row not in texts
        or (row in chosen and chosen[row] != " ".join(first_words_of(texts[row])))
    ]


def from_others(first: Words, path: Words, others: Mapping[int, Set[str]]) -> list[Taken]:
    """Return the places where the chosen words come from a reference other than the first."""
    places: list[Taken] = []
    for span in _differences(first, path):
        chosen = set(path[span[2] : span[3]])
        source = next((number for number, words in others.items() if chosen <= words), min(others))
        places.append(_span(f"{REFERENCE} {source}", first, path, span))
    return places


def places_of_turn(
    segment: Segment, others: Sequence[MarkedRow], words: Words, writing: Writing
) -> Sequence[Taken]:
    """Return the places with alternatives on the path that has a segment's chosen words.

    `others` are rows of the other references.
    """
    nodes = writing.nodes(segment)
    places = writing.along(nodes, writing.row(segment, (), ()), words)
    if places is not None or not others:
        return places or ()
    there = {number: set(items_of(row)) for number, row in enumerate(others, 2)}
    return from_others(writing.pieces(first_words(nodes)), words, there)


def in_parts(
    places: Iterable[Taken], bounds: Mapping[str, Sequence[int]]
) -> Iterator[tuple[int, Taken]]:
    """Yield the places of a recording, each with the number of the part that contains it.

    `bounds` has, for each side, the number of words before each part, and the total at the end.
    """
    for place in places:
        borders = bounds[place.side]
        part = min(bisect_right(borders, place.begin), len(borders) - 1) - 1
        begin, end = (
            min(word, borders[part + 1]) - borders[part] for word in (place.begin, place.end)
        )
        cut = place._replace(begin=begin, end=end)
        # across a border it has its words of the path
        yield part, cut if place.end <= borders[part + 1] else cut._replace(longest=0)


def written_paths(
    references: Sequence[Corpus],
    hypothesis: Corpus,
    partners: Sequence[int],
    rules: Rules,
    variants: bool = False,
    table: VariantTable | None = None,
    chosen: Sequence[tuple[int, ...]] = (),
    ways: ChosenWays = (),
) -> WrittenPaths:
    """Return both sides with their alternatives, and the chosen sources and branches."""
    writings = (
        Writing(REFERENCE, rules.unit, variants or rules.forgive_optional, table),
        Writing(HYPOTHESIS, rules.unit, rules.forgive_optional),
    )
    return WrittenPaths(references, hypothesis, partners, writings, chosen, ways)


class Forgiveness(NamedTuple):
    """The forgiven places of a result: their sources, and each utterance's row in all sources."""

    sources: Sequence[PlacesSource]
    rows: Sequence[int]

    @classmethod
    def of(cls, source: PlacesSource) -> Forgiveness:
        """Return the forgiven places of a result whose utterances have a single source."""
        return cls([source], range(source.number))

    def select(self, positions: Sequence[int]) -> Forgiveness:
        """Return the forgiven places of the utterances at the given positions."""
        return self._replace(rows=taken(self.rows, positions))

    def without_blocks(self) -> tuple[SettledSides | tuple[()], Forgiveness]:
        """Return the written forms whose readings are decided, and the remaining places."""
        if len(self.sources) > 1 or self.rows != range(self.sources[0].number):
            return (), self
        settled, rest = self.sources[0].without_blocks()
        return settled, Forgiveness.of(rest)

    def by_row(self, aligned: Alignments) -> Iterator[tuple[int, Sequence[Taken]]]:
        """Yield the index and the places of each utterance with forgiven places, in order."""
        candidates = list(self._candidates(aligned))
        known = [source.known(row) for _, source, row in candidates]
        positions = [
            position
            for (position, _, _), places in zip(candidates, known, strict=True)
            if places is None
        ]
        paths = zip(
            *(taken(side, positions) for side in (aligned.references, aligned.hypotheses)),
            strict=True,
        )
        for (position, source, row), places in zip(candidates, known, strict=True):
            if places is None:
                left, right = next(paths)
                places = source.places(row, tuple(left), tuple(right))
            if places:
                yield position, places

    def _candidates(self, aligned: Alignments) -> Iterator[tuple[int, PlacesSource, int]]:
        """Yield the index of each utterance that may have places, a source, and its row there."""
        if len(self.sources) == 1 and self.rows == range(self.sources[0].number):
            [source] = self.sources
            yield from ((row, source, row) for row in source.all_candidates(aligned))
            return
        borders = list(accumulate((source.number for source in self.sources), initial=0))
        for position, row in enumerate(self.rows):
            number = bisect_right(borders, row) - 1
            source, own = self.sources[number], row - borders[number]
            if source.candidates(own):
                yield position, source, own


def joined(parts: Sequence[tuple[Forgiveness | None, int]]) -> Forgiveness | None:
    """Return the forgiven places of several results as those of one result.

    Each part has its forgiven places and its number of utterances.
    """
    if all(part is None for part, _ in parts):
        return None
    sources: list[PlacesSource] = []
    rows: list[int] = []
    for part, number in parts:
        known = Forgiveness.of(Listed(number, {})) if part is None else part
        begin = sum(source.number for source in sources)
        sources += known.sources
        rows += [begin + row for row in known.rows]
    return Forgiveness(sources, rows)


def forgiven_by_row(
    identifiers: Sequence[str], aligned: Alignments, forgiveness: Forgiveness | None
) -> dict[int, list[Forgiven]]:
    """Return the forgiven places of each utterance that has any, by position of the utterance."""
    places: dict[int, list[Taken]] = {}
    if forgiveness is not None:
        for row, chosen in forgiveness.by_row(aligned):
            if forgiven := [passage for passage in chosen if passage.is_forgiven]:
                places[row] = forgiven
    for row, chosen in _by_row_in_edits(aligned):
        places.setdefault(row, []).extend(chosen)
    return {
        row: [
            Forgiven(identifiers[row], *passage[:4], passage.begin, passage.end - passage.begin)
            for passage in sorted(places[row], key=_order)
        ]
        for row in sorted(places)
    }


def _order(passage: Taken) -> tuple[bool, int]:
    return passage.side == HYPOTHESIS, passage.begin


def _by_row_in_edits(aligned: Alignments) -> Iterator[tuple[int, list[Taken]]]:
    """Yield the places that edits alone show: compounds, and optional words that a side omits."""
    if not any(aligned.edits.find(code) >= 0 for code in _TELLING):
        return
    matches = _IN_EDITS.finditer(bytes(aligned.edits))
    for row, group in groupby(
        matches, lambda match: bisect_right(aligned.offsets, match.start()) - 1
    ):
        yield (
            row,
            list(_in_edits(aligned[row], [match.span() for match in group], aligned.offsets[row])),
        )


def _in_edits(alignment: Alignment, spans: Iterable[tuple[int, int]], base: int) -> Iterator[Taken]:
    edits = alignment.edits
    for begin, end in spans:
        ranges = [
            (
                _words_before(edits[: begin - base], lacking),
                _words_before(edits[: end - base], lacking),
            )
            for lacking in (NO_REFERENCE, NO_HYPOTHESIS)
        ]
        left, right = (
            tuple(words[slice(*bounds)])
            for words, bounds in zip(
                (alignment.reference, alignment.hypothesis), ranges, strict=True
            )
        )
        if not (left and right):
            number = int(not left)
            yield Taken(
                OPTIONAL, (REFERENCE, HYPOTHESIS)[number], left or right, (), *ranges[number]
            )
        elif len(left) > 1:
            yield Taken(COMPOUND, REFERENCE, left, right, *ranges[0])
        else:
            yield Taken(COMPOUND, HYPOTHESIS, right, left, *ranges[1])


def _words_before(edits: bytes, lacking: Iterable[int]) -> int:
    """Return how many words of a side are in a run of edits; those in `lacking` have none."""
    return len(edits) - sum(map(edits.count, lacking))


def listed(number: int, places: Mapping[int, Sequence[Taken]], aligned: Alignments) -> Forgiveness:
    """Return forgiven places of `number` utterances for a record, without those that edits show."""
    known = dict(_by_row_in_edits(aligned))
    kept = {
        row: [passage for passage in own if passage not in known.get(row, ())]
        for row, own in places.items()
    }
    return Forgiveness.of(Listed(number, {row: own for row, own in kept.items() if own}))


def _span(kind: str, written: Words, path: Words, span: tuple[int, int, int, int]) -> Taken:
    a, b, c, d = span
    d = min(d, len(path))
    return Taken(kind, REFERENCE, written[a:b], path[c:d], c, d, a, b)


def _differences(left: Words, right: Words) -> list[tuple[int, int, int, int]]:
    """Return the ranges in which two texts differ: begin and end in `left`, then in `right`."""
    from difflib import SequenceMatcher

    blocks = SequenceMatcher(None, left, right, autojunk=False).get_opcodes()
    return [(a, b, c, d) for tag, a, b, c, d in blocks if tag != "equal"]


def _on_path(begin: int, end: int, places: Sequence[Taken]) -> tuple[int, int]:
    """Convert a range of written words to the range of words on the path."""

    def shift(bound: int) -> int:
        return sum(
            passage.end - passage.begin - (passage.written_end - passage.written_begin)
            for passage in places
            if passage.is_forgiven
            and passage.written_end <= bound
            and (bound == end != begin or passage.written_begin < bound)
        )

    return begin + shift(begin), end + shift(end)
