"""Written forms whose reading is decided before the alignment, in blocks."""

from __future__ import annotations

from array import array
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from formats.schema.words import Words

FORM_NUMBERS = 7
"""How many numbers `FormPairs.settle` returns for each form."""


class SettledForm(NamedTuple):
    """A written form with a known reading, and the positions of its words.

    `chosen` has the words on the path, which begin at `begin`; in the written words, the form
    begins at `written_begin`. `longest` is the number of words in its longest remaining form.
    """

    kind: str
    written: Words
    chosen: Words
    begin: int
    written_begin: int
    longest: int


class SettledBlock(NamedTuple):
    """The written forms of some utterances whose readings are all decided.

    `forms` has `FORM_NUMBERS` numbers for each form.
    """

    rows: array[int]
    """The utterances, in ascending order."""
    bounds: array[int]
    """The number of the first form of each utterance; at the end, the number of all forms."""
    forms: array[int]
    kinds: Sequence[str]
    texts: Sequence[Words]

    def form(self, number: int) -> SettledForm:
        """Return a form by its number in the block."""
        first = FORM_NUMBERS * number
        _, window, written, chosen, begin, written_begin, longest = self.forms[
            first : first + FORM_NUMBERS
        ]
        texts = self.texts
        return SettledForm(
            self.kinds[window], texts[written], texts[chosen], begin, written_begin, longest
        )

    def find(self, row: int) -> int:
        """Return the index of an utterance in the block; -1 if the block does not have it."""
        index = bisect_left(self.rows, row)
        return index if index < len(self.rows) and self.rows[index] == row else -1

    def lengths(self) -> array[int]:
        """Return the number of words of each text."""
        return array("i", map(len, self.texts))

    def forgiven_kinds(self) -> Iterator[tuple[str, int]]:
        """Yield, for each kind, the number of forms whose chosen text is not the written text."""
        forms, texts = self.forms, self.texts
        columns = (forms[column::FORM_NUMBERS] for column in (1, 2, 3))
        for (window, written, chosen), number in Counter(zip(*columns, strict=True)).items():
            if texts[written] != texts[chosen]:
                yield self.kinds[window], number


def block_of(
    rows: Sequence[int], forms: array[int], kinds: Sequence[str], texts: Sequence[Words]
) -> SettledBlock:
    """Return a block of forms. The first number of a form is an index in `rows`, the utterances."""
    positions = forms[::FORM_NUMBERS]
    bounds = array("i", range(len(positions) + 1))
    if len(set(positions)) < len(positions):
        numbers = range(1, len(positions))
        bounds = array("i", [0, *(n for n in numbers if positions[n] != positions[n - 1])])
        bounds.append(len(positions))
    own = array("q", [rows[positions[number]] for number in bounds[:-1]])
    return SettledBlock(own, bounds, forms, kinds, texts)


class SettledForms(Mapping[int, Sequence[SettledForm]]):
    """The written forms of utterances whose readings are decided, by position of the utterance.

    Forms in blocks are created on access.
    """

    def __init__(
        self,
        blocks: Sequence[SettledBlock] = (),
        apart: Mapping[int, Sequence[SettledForm]] = MappingProxyType({}),
    ) -> None:
        self.blocks = list(blocks)
        self.apart = dict(apart)
        """The utterances outside of all blocks."""

    def forgiven_kinds(self) -> Counter[str]:
        """Count by kind the forms in blocks whose chosen text is not the written text."""
        kinds: Counter[str] = Counter()
        for block in self.blocks:
            for kind, number in block.forgiven_kinds():
                kinds[kind] += number
        return kinds

    def __getitem__(self, row: int) -> Sequence[SettledForm]:
        """Return the forms of an utterance."""
        for block in self.blocks:
            if (index := block.find(row)) >= 0:
                numbers = range(block.bounds[index], block.bounds[index + 1])
                return list(map(block.form, numbers))
        return self.apart[row]

    def __iter__(self) -> Iterator[int]:
        yield from chain.from_iterable(block.rows for block in self.blocks)
        yield from self.apart

    def __len__(self) -> int:
        return sum(len(block.rows) for block in self.blocks) + len(self.apart)

    def __contains__(self, row: object) -> bool:
        return row in self.apart or (
            isinstance(row, int) and any(block.find(row) >= 0 for block in self.blocks)
        )
