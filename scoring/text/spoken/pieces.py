"""Written forms inside words: in languages without blanks, and numbers with endings attached."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from formats.schema.words import Alternation, Item, Token
from scoring.model.counts import PIECES
from scoring.text.readings import WrittenForm
from scoring.text.spoken.combining import MOST, combine, in_turn
from scoring.text.spoken.places import FormFinder
from scoring.text.spoken.table import SpokenTable

_JOINT = "~"
"""The separator of reading and ending in the rows `respell,ending`."""
_MOST_PLACES = 8
"""The largest number of places in a word with endings up to which their readings are combined."""


class _Block(NamedTuple):
    """Words `first` to `last`, and the written forms that begin among them."""

    first: int
    last: int
    places: list[WrittenForm]


class CutWords:
    """The words of a text, cut into pieces by the rules of the table."""

    def __init__(self, words: Sequence[str], finder: FormFinder, table: SpokenTable) -> None:
        self._words, self._table = words, table
        self._pieces: list[str] = []
        self._owners: list[int] = []
        self._begins: list[int] = []
        for number, word in enumerate(words):
            cut = [word]
            if table.pieces and finder.has_sign(word) and not self._is_address(word):
                cut = table.pieces.findall(word)
            cut = cut if "".join(cut) == word else [word]
            self._begins.append(len(self._pieces))
            self._pieces += cut
            self._owners += [number] * len(cut)
        self._begins.append(len(self._pieces))
        self._blocks = self._merged(finder.places(self._pieces))

    def _is_address(self, word: str) -> bool:
        """Return True for a web or e-mail address. Languages with blanks do not cut it."""
        has_sign = "@" in word or "://" in word or word.casefold().startswith("www.")
        return has_sign and self._table.has_blanks and not self._table.few_blanks

    def _merged(self, places: Iterable[WrittenForm]) -> Iterator[_Block]:
        """Yield the written forms as blocks; forms that share a word are in one block."""
        block: _Block | None = None
        for place in places:
            first = self._owners[place.begin]
            last = self._owners[place.begin + place.size - 1]
            if block is not None and first <= block.last:
                block = block._replace(last=last, places=[*block.places, place])
                continue
            if block is not None:
                yield block
            block = _Block(first, last, [place])
        if block is not None:
            yield block

    def items(self) -> list[Item]:
        """Return the words, with alternatives for written forms."""
        items: list[Item] = []
        at = 0
        for block in self._blocks:
            items += map(Token, self._words[at : block.first])
            items += self._block(block)
            at = block.last + 1
        return [*items, *map(Token, self._words[at:])]

    def _block(self, block: _Block) -> list[Item]:
        begin, end = self._begins[block.first], self._begins[block.last + 1]
        written = tuple(map(Token, self._words[block.first : block.last + 1]))
        only = block.places[0]
        if len(block.places) == 1 and (only.begin, only.size) == (begin, end - begin):
            readings = map(self._joined, self._spaced(only))
            return [_alternation(written, readings, only.kind)]
        if self._table.has_blanks:
            if len(block.places) > _MOST_PLACES:
                return list(written)
            return [_alternation(written, self._glued(block, begin, end), only.kind)]
        inner: list[Item] = []
        at = begin
        for place in block.places:
            inner += self._literal(at, place.begin)
            at = place.begin + place.size
            same = tuple(self._literal(place.begin, at))
            inner.append(_alternation(same, map(self._joined, place.readings), place.kind))
        inner += self._literal(at, end)
        return [Alternation([written, inner], PIECES, is_written=True)]

    def _literal(self, begin: int, end: int) -> list[Token]:
        """Return pieces as tokens. Pieces of the same word are joined again."""
        texts: dict[int, str] = {}
        for at in range(begin, end):
            owner = self._owners[at]
            texts[owner] = texts.get(owner, "") + self._pieces[at]
        return list(map(Token, texts.values()))

    def _spaced(self, place: WrittenForm) -> Sequence[str]:
        """Return the readings of a written form, with fewer blanks if the language needs none."""
        if not self._table.few_blanks:
            return place.readings
        glued = [reading.replace(" ", "") for reading in place.readings]
        ends = [_with_one_blank(*reading.rpartition(" ")) for reading in place.readings]
        starts = [_with_one_blank(*reading.partition(" ")) for reading in place.readings]
        return in_turn([glued, ends, starts, place.readings])

    def _joined(self, reading: str) -> str:
        """Return a reading without blanks, in languages without blanks."""
        if self._table.has_blanks:
            return reading
        words = reading.split()
        joined = words[:1]
        for word in words[1:]:
            keeps = word[0].isascii() and joined[-1][-1].isascii()
            joined[-1] += f" {word}" if keeps else word
        return "".join(joined)

    def _glued(self, block: _Block, begin: int, end: int) -> Sequence[str]:
        """Return the readings of words `begin` to `end`, in which forms are attached to letters."""
        parts: list[Sequence[str]] = []
        of_places: set[int] = set()
        at = begin
        for place in block.places:
            parts += [(token.text.strip("-'’"),) for token in self._literal(at, place.begin)]
            of_places.add(len(parts))
            parts.append(self._spaced(place))
            at = place.begin + place.size
        parts += [(token.text.strip("-'’"),) for token in self._literal(at, end)]
        most = MOST // 2
        glued = self._with_endings(combine(parts, most, _JOINT))
        ways = [list(glued), list(combine(parts, most, " "))]
        if self._table.few_blanks and len(of_places) > 1:
            # a blank before each place after the first: `일과 이분의 일`
            parts = [
                [f" {text}" for text in part] if at in of_places and at else part
                for at, part in enumerate(parts)
            ]
            ways.append(list(combine(parts, most, "")))
        return in_turn(ways)

    def _with_endings(self, texts: Iterable[str]) -> Iterator[str]:
        """Yield texts without `_JOINT`, the mark between a form and the letters attached to it.

        If an ending changes the spelling before it, the changed spelling is first: `főneveket`.
        """
        rows = [row for row in self._table.respellings if row.kind == "ending"]
        for text in texts:
            for row in rows:
                if row.pattern.search(text):
                    yield row.pattern.sub(row.replacement, text).replace(_JOINT, "")
            yield text.replace(_JOINT, "")


def _with_one_blank(before: str, blank: str, after: str) -> str:
    """Return the texts joined so that only one blank is between them."""
    return before.replace(" ", "") + blank + after.replace(" ", "")


def _alternation(
    written: Sequence[Token], readings: Iterator[str] | Sequence[str], kind: str
) -> Alternation:
    branches = [written, *(map(Token, text.split()) for text in readings)]
    return Alternation(branches, kind, is_written=True)
