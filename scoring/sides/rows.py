"""Utterances as rows: words, with marks around alternatives.

A row, the input of `scoring.alignment.kernel.best_paths`, is a graph of words in linear notation.
Functions from rows to rows extend it step by step: with the alternatives and optional words of a
file, with the equivalents in a table, and with units of words.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, pairwise
from typing import TYPE_CHECKING, Any, TypeAlias

from formats.schema import NamedTuple
from scoring.alignment.kernel import best_paths, taken_branches
from scoring.alignment.plain_references import (
    BAR,
    CLOSE,
    OPEN,
    WILDCARD_TYPE,
    MarkedRow,
    Paths,
    braced_items,
)
from scoring.alignment.texts import ColumnWords
from scoring.model.counts import BLANK, CHARACTERS_AND_BLANKS
from scoring.sides.braced import (
    BAR_SIGN,
    CLOSE_SIGN,
    NULL_SIGN,
    OPEN_SIGN,
    SIGNS,
    BracedTexts,
)
from scoring.sides.corpus import Corpus, PlainTexts, words_at
from scoring.sides.variants import VariantTable

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from formats.schema.words import Alternation, Token, Words


def rows_of(side: Corpus, unit: str, has_optional: bool) -> Sequence[MarkedRow]:
    """Return the utterances of a side as rows. Plain words must already be split into units."""
    texts = side.words.rows if isinstance(side.words, PlainTexts) else side.words
    if unit == CHARACTERS_AND_BLANKS:
        texts = list(map(with_leading_blank, side.words))
    if not side.special:
        return texts
    rows: list[MarkedRow] = list(texts)
    for row, segment in side.special.items():
        rows[row] = row_of(segment, unit, has_optional)
    return rows


def row_of(segment: Segment, unit: str, has_optional: bool) -> MarkedRow:
    """Return an utterance as a row with its alternatives and its optional words."""
    return cut_row(list(_flat(segment.items(), has_optional)), unit)


def with_leading_blank(pieces: Words) -> Words:
    """Return characters with a blank before each word that may begin a path."""
    return (BLANK, *pieces) if pieces else pieces


def cut_row(row: MarkedRow, unit: str) -> MarkedRow:
    """Return a row cut into units. If the unit includes blanks, a blank precedes each word."""
    if unit == "word":
        return row
    from scoring.text.units import split_in_units

    cut: list[str | int] = []
    for item in items_of(row):
        if not isinstance(item, str):
            cut.append(item)
            continue
        pieces = split_in_units((item,), unit)
        cut += with_leading_blank(pieces) if unit == CHARACTERS_AND_BLANKS else pieces
    return cut


def _flat(items: Iterable[Token | Alternation], has_optional: bool) -> Iterator[str | int]:
    from formats.schema.words import WILDCARD_KIND, Alternation

    for item in items:
        if isinstance(item, Alternation):
            yield from _marked(_flat(branch, has_optional) for branch in item.branches)
        elif item.kind == WILDCARD_KIND:
            yield WILDCARD_TYPE
        else:
            words: Words = (item.text,)
            yield from (_marked([words, ()]) if item.optional and has_optional else words)


def _marked(branches: Iterable[Iterable[str | int]]) -> Iterator[str | int]:
    """Yield alternatives, with marks before, between and after the branches."""
    for number, branch in enumerate(branches):
        yield BAR if number else OPEN
        yield from branch
    yield CLOSE


# Of a choice on a path the number of its branch, and the range of the branch's words on the path.
TakenBranch: TypeAlias = tuple[int, int, int]


class Ways(NamedTuple):
    """The branches on the chosen paths of utterances, in the order of the words.

    `branches` (int32) has three numbers for each choice, as in `TakenBranch`; choices inside the
    branch follow. `offsets` (int64) has the number of choices before each utterance, and the total.
    """

    branches: Sequence[int]
    offsets: Sequence[int]

    @classmethod
    def of(cls, rows: Sequence[MarkedRow], places: bytes, offsets: bytes) -> Ways:
        """Return the branches on paths, given the word positions that `best_paths` returns."""
        branches, numbers = taken_branches(rows, array("i", places), array("q", offsets))
        return cls(array("i", branches), array("q", numbers))

    def of_row(self, number: int) -> list[TakenBranch]:
        """Return the branches of an utterance."""
        begin, end = (3 * self.offsets[at] for at in (number, number + 1))
        numbers = iter(self.branches[begin:end])
        return list(zip(numbers, numbers, numbers, strict=True))

    def kept(self, rows: Iterable[int]) -> Iterator[int]:
        """Yield those of the utterances `rows` that take the first branch of each choice."""
        numbers, bounds = self.branches[::3], pairwise(self.offsets)
        for row, (begin, end) in zip(rows, bounds, strict=True):
            if not any(numbers[begin:end]):
                yield row


# The ways of both sides of some utterances, with these in order.
ChosenWays: TypeAlias = Sequence[tuple[Sequence[int], tuple[Ways, Ways]]]


def branches_along(row: MarkedRow, path: MarkedRow, ignore_case: bool) -> list[TakenBranch] | None:
    """Return the branches that a path with these words takes; None if there is no such path."""
    sides = [folded(row), folded(path)] if ignore_case else [row, path]
    paths = Paths._make(best_paths(sides[:1], sides[1:], 1))
    if array("d", paths.costs)[0]:
        return None
    return Ways.of([row], paths.places, paths.offsets).of_row(0)


def written_length(row: MarkedRow, unit: str) -> int:
    """Return the length of a reference in units; each choice counts as its first alternative."""
    written = _as_written(row)
    if unit == "word":
        # characters are cut already: the blank before the first word is none
        return len(written) - (written[:1] == [BLANK])
    from scoring.text.units import split_in_units

    return len(split_in_units(tuple(written), unit))


def _as_written(row: MarkedRow) -> list[str]:
    """Return the words of a reference with all first alternatives."""
    firsts = [True]  # whether the alternatives being read are first ones, for each open brace
    words: list[str] = []
    for word in items_of(row):
        if word == OPEN:
            firsts.append(firsts[-1])
        elif word == BAR:
            firsts[-1] = False
        elif word == CLOSE:
            firsts.pop()
        elif isinstance(word, str) and firsts[-1]:
            words.append(word)
    return words


def first_words_of(text: str) -> list[str]:
    """Return the words of a text with all first alternatives.

    >>> first_words_of("we paid { $5 / { five / 5 } dollars } { @ / uh }")
    ['we', 'paid', '$5']
    """
    before, has_choice, rest = f" {text} ".partition(f" {OPEN_SIGN} ")
    if not has_choice:
        return [word for word in text.split(" ") if word and word != NULL_SIGN]
    inside, is_closed, after = f" {rest}".partition(f" {CLOSE_SIGN} ")
    if is_closed and OPEN_SIGN not in inside:
        first = inside.partition(f" {BAR_SIGN} ")[0]
        return first_words_of(f"{before}{first} {after}")
    return _as_written(braced_items(text))


def with_table(
    column: Sequence[MarkedRow], heard: Sequence[MarkedRow], table: VariantTable
) -> list[MarkedRow]:
    """Return the references with equivalents from a table as alternatives."""
    longest = max(map(len, table.phrases), default=0)
    starts = {phrase[0] for phrase in table.phrases}
    rows: list[MarkedRow] = []
    for row, words in zip(column, heard, strict=True):
        changed = items = items_of(row)
        if not starts.isdisjoint(items):
            changed = list(_with_phrases(items, table, longest))
        if table.parts:
            changed = _with_spellings(changed, words, table)
        rows.append(changed if len(changed) > len(items) else row)
    return rows


def _with_phrases(row: list[Any], table: VariantTable, longest: int) -> Iterator[str | int]:
    """Yield a row with alternatives for phrases of the table, from left to right, longest first."""
    position = 0
    while position < len(row):
        phrases = (tuple(row[position : position + size]) for size in range(longest, 0, -1))
        phrase = next(filter(table.phrases.__contains__, phrases), ())
        branches = [phrase, *table.phrases[phrase]] if phrase else []
        yield from _marked(branches) if branches else row[position : position + 1]
        position += len(phrase) or 1


def _with_spellings(row: list[Any], heard: MarkedRow, table: VariantTable) -> list[Any]:
    """Return a row with the equivalent spellings in the hypothesis as alternatives of its words."""
    keys = table.spellings(item for item in items_of(heard) if isinstance(item, str))
    changed: list[str | int] = []
    for word in row:
        equals = keys.get(table.key(word), ()) if isinstance(word, str) else ()
        others = [(other,) for other in equals if other != word]
        changed += _marked([(word,), *others]) if others else [word]
    return changed


def items_of(*rows: MarkedRow) -> list[Any]:
    """Return the words and marks of some rows."""
    return list(chain.from_iterable(row.split() if isinstance(row, str) else row for row in rows))


def folded(row: MarkedRow) -> Any:
    """Return a row whose words are case-folded."""
    if isinstance(row, str):
        return row.casefold()
    return [word.casefold() if isinstance(word, str) else word for word in row]


def braced_texts(side: Corpus, rows: Sequence[int], may_omit: bool) -> list[str | None]:
    """Return the texts of utterances (empty for -1); None if texts cannot represent an utterance.

    With `may_omit`, optional words may be omitted; texts cannot represent this.
    """
    special = side.special
    written = special.texts if isinstance(special, BracedTexts) else {}
    texts = list(map(written.get, rows))
    others = [position for position, text in enumerate(texts) if text is None]
    plain = _plain_texts(words_at(side.words, [rows[position] for position in others]))
    braces = _Braces(may_omit)
    for position, text in zip(others, plain, strict=True):
        segment = special.get(rows[position])
        texts[position] = text if segment is None else braces.text_of(segment)
    return texts


def _plain_texts(column: Sequence[Words]) -> Sequence[str | None]:
    """Return words as texts; None for utterances in which a blank or a mark is a word."""
    if isinstance(column, ColumnWords):
        texts = [text or "" for text in column.texts.texts(0, len(column))]
        every = "".join(texts)
        # cut at blanks alone
        if every.isprintable() and NULL_SIGN not in every and OPEN_SIGN not in every:
            return texts
    return list(map(_plain_text, column))


def _plain_text(words: Sequence[str]) -> str | None:
    """Return words as one text; None if splitting this text would not give the same words."""
    if not SIGNS.isdisjoint(words) or "" in words:
        return None
    text = " ".join(words)
    return text if not words or text.count(" ") == len(words) - 1 else None


class _Braces:
    """Converts alternatives to texts with braces, and caches the results."""

    def __init__(self, may_omit: bool) -> None:
        self._may_omit = may_omit
        # with the alternatives themselves, so that no other ones get their identity
        self._made: dict[int, tuple[Alternation, str | None]] = {}

    def text_of(self, segment: Segment) -> str | None:
        """Return the text of an utterance; None if a text cannot represent it."""
        from formats.schema.words import WILDCARD_KIND

        has_wildcards = segment.kinds is not None and WILDCARD_KIND in segment.kinds
        if has_wildcards or (self._may_omit and segment.optional is not None):
            return None
        parts: list[str | None] = []
        begin = 0
        for place, alternation in segment.alternations:
            parts += _plain_text(segment.words[begin:place]), self._text(alternation)
            begin = place
        return _joined([*parts, _plain_text(segment.words[begin:])])

    def _text(self, alternation: Alternation) -> str | None:
        made_before = self._made.get(id(alternation))
        if made_before is None:
            made_before = self._made[id(alternation)] = alternation, self._text_of(alternation)
        return made_before[1]

    def _text_of(self, alternation: Alternation) -> str | None:
        from formats.schema.words import plain_words

        branches: list[str] = []
        for branch in alternation.branches:
            words = plain_words(branch)
            text = (
                _joined([self._text_in_branch(part) for part in branch])
                if words is None
                else _plain_text(words)
            )
            if text is None:
                return None
            branches.append(text or NULL_SIGN)
        return f"{OPEN_SIGN} {f' {BAR_SIGN} '.join(branches)} {CLOSE_SIGN}"

    def _text_in_branch(self, part: Token | Alternation) -> str | None:
        from formats.schema.words import WILDCARD_KIND, Alternation

        if isinstance(part, Alternation):
            return self._text(part)
        needs_more = part.kind == WILDCARD_KIND or (self._may_omit and part.optional)
        return None if needs_more else _plain_text((part.text,))


def _joined(parts: Sequence[str | None]) -> str | None:
    """Return the parts joined with blanks; None if any part is None."""
    return None if None in parts else " ".join(filter(None, parts))
