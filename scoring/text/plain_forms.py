"""The plain twin of the compiled `FormPairs`: columns of texts in which Python finds forms."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from typing import TYPE_CHECKING

from formats.schema import words_of_text
from scoring.model.counts import Costs
from scoring.text.facing import PairSearch, PlaceChoices, SaidReadings
from scoring.text.readings import BEFORE, BEGINS, ENDS, UPPER, WrittenForm

if TYPE_CHECKING:
    from formats.schema.words import Words
    from scoring.alignment.plain_arrow import Texts

_IN_CAPITALS = 8

Window = tuple[int, "Words", bool, bool]
"""Kind of the word before, words, whether the text is in capitals, and whether more words follow.
"""
NO_PLACES, SETTLED, LEFT_OVER = range(3)


class _Row:
    """An utterance, and the places that were found in it so far."""

    def __init__(self, words: Words) -> None:
        self.words, self.cursor, self.is_open = words, 0, True
        self.pending: int | None = None
        self.places: list[tuple[int, int]] = []


class FormPairs:
    """Two columns of texts; the caller is asked for distinct words and distinct windows only.

    A window is the text from which the form at a word is found. `longest` is the number of words of
    the longest window.
    """

    def __init__(self, left: Texts, right: Texts, longest: int) -> None:
        self._sides, self._longest = (left, right), longest
        self._words: list[str] = []
        self._numbers: dict[str, int] = {}
        self._flags = bytearray()
        self._finals: list[str] = []
        self._choices: list[list[Words]] = []
        self._rows: tuple[list[_Row], list[_Row]] = [], []
        self._windows: tuple[dict[Window, int], dict[Window, int]] = {}, {}

    def number(self) -> None:
        """Number all words of the left side."""
        for words in self._all():
            self._add(words)

    def touched(self) -> bytes:
        """Return the rows (int64) of the left side with a word that begins forms."""
        rows = [row for row, words in enumerate(self._all()) if any(map(self._begins, words))]
        return array("q", rows).tobytes()

    def open(self, rows: Sequence[int]) -> None:
        """Number the words of these rows on both sides, and forget earlier rows."""
        self._rows = [], []
        self._windows = {}, {}
        for texts, side in zip(self._sides, self._rows, strict=True):
            for row in rows:
                text = texts.texts(row, row + 1)[0] if row < len(texts) else None
                side.append(_Row(words_of_text(text or "")))
                self._add(side[-1].words)

    def unflagged(self) -> list[str]:
        """Return the words that have no bits yet."""
        return self._words[len(self._flags) :]

    def set_flags(self, flags: bytes) -> None:
        """Set the bits of the words that had none."""
        self._flags += flags

    def walk(self, right: bool, sizes: Sequence[int]) -> list[Window]:
        """Walk on in the open rows of a side, and return new windows; empty at the end.

        `sizes` has the number of words of the form in each known window, 0 without a form. On the
        right side, only rows with places on the left are read, up to their first form.
        """
        windows = self._windows[right]
        known = len(windows)
        for row, left in zip(self._rows[right], self._rows[0], strict=True):
            if right and not left.places:
                row.is_open = False
            while row.is_open:
                if row.pending is not None:
                    if row.pending >= len(sizes):
                        break
                    size = sizes[row.pending]
                    if size:
                        row.places.append((row.cursor, row.pending))
                    row.cursor += max(size, 1)
                    row.pending = None
                    if size and right:
                        row.is_open = False
                        break
                rest = range(row.cursor, len(row.words))
                row.cursor = next((at for at in rest if self._begins(row.words[at])), -1)
                row.is_open = row.cursor >= 0
                if row.is_open:
                    row.pending = windows.setdefault(self._window(row), len(windows))
        return list(windows)[known:]

    def add_choices(self, lines: str) -> int:
        """Add the words of a written form and its readings, a line each; return their number."""
        self._choices.append([words_of_text(line) for line in lines.split("\n")])
        self._add(chain.from_iterable(self._choices[-1]))
        return len(self._choices) - 1

    def forget_choices(self) -> None:
        """Forget all choices; numbers begin at 0 again."""
        self._choices.clear()

    def unfinished(self) -> list[str]:
        """Return the words that have no final text yet."""
        return self._words[len(self._finals) :]

    def set_finals(self, texts: list[str]) -> None:
        """Set the final texts of the words that had none."""
        self._finals += texts

    def settle(
        self, choices: Sequence[int], substitution: int, deletion: int, insertion: int
    ) -> tuple[bytes, bytes, bytes, bytes, list[str]]:
        """Settle the open rows; `choices` has the number of the choices of each left window.

        Returns
        -------
        The state of each row (uint8); the texts of the settled rows in UTF-8; 0 and the end of each
        text (int32); seven numbers for each form (int32): row, window, written text, chosen text,
        first word, first written word, words of the longest text; and the texts they refer to.
        """
        rules = SaidReadings(Costs(substitution, deletion, insertion), self._final)
        states, data, forms = bytearray(), [b""], array("i")
        texts: dict[tuple[int, Words], int] = {}
        for position, (row, other) in enumerate(zip(*self._rows, strict=True)):
            states.append(LEFT_OVER if row.places else NO_PLACES)
            if other.places or not row.places:
                continue
            numbers = [choices[window] for _, window in row.places]
            search = self._search(rules, row, numbers, other.words)
            path = search.path()
            if path is None:
                continue
            states[-1] = SETTLED
            data.append(" ".join(path.words).encode())
            for form, number, (_, window) in zip(path.forms, numbers, row.places, strict=True):
                written, chosen = (
                    texts.setdefault((number, words), len(texts))
                    for words in (form.written, form.chosen)
                )
                spans = form.begin, form.written_begin, form.longest
                forms.extend((position, window, written, chosen, *spans))
        ends = array("i", accumulate(map(len, data)))
        named = [" ".join(words) for _, words in texts]
        return bytes(states), b"".join(data), ends.tobytes(), forms.tobytes(), named

    def _search(
        self, rules: SaidReadings, row: _Row, numbers: Sequence[int], heard: Words
    ) -> PairSearch:
        """Compare a row with the words of the other side."""
        places: list[WrittenForm] = []
        choices: list[PlaceChoices] = []
        runs: list[Words] = []
        end = 0
        for (begin, _), number in zip(row.places, numbers, strict=True):
            written, *readings = self._choices[number]
            runs.append(self._final(row.words[end:begin]))
            end = begin + len(written)
            texts = [" ".join(self._final(words)) for words in readings]
            places.append(WrittenForm("", begin, len(written), ()))
            choices.append(PlaceChoices(self._final(written), texts, texts))
        runs.append(self._final(row.words[end:]))
        return PairSearch(rules, places, choices, runs, self._final(heard))

    def _all(self) -> Iterator[Words]:
        return map(words_of_text, (text or "" for text in self._sides[0].texts(0, self._size)))

    @property
    def _size(self) -> int:
        return len(self._sides[0])

    def _add(self, words: Iterable[str]) -> None:
        for word in words:
            if word not in self._numbers:
                self._numbers[word] = len(self._words)
                self._words.append(word)

    def _bits(self, word: str) -> int:
        return self._flags[self._numbers[word]]

    def _begins(self, word: str) -> int:
        return self._bits(word) & BEGINS

    def _final(self, words: Words) -> Words:
        texts = (self._finals[self._numbers[word]] for word in words)
        return tuple(chain.from_iterable(map(words_of_text, texts)))

    def _window(self, row: _Row) -> Window:
        """Return the window at the cursor of a row."""
        words, at = row.words, row.cursor
        last = min(at + self._longest, len(words))
        ends = (end for end in range(at + 1, last) if self._bits(words[end]) & ENDS)
        end = next(ends, last)
        before = self._bits(words[at - 1]) >> BEFORE if at else 0
        capitals = len(words) > 2 and all(self._bits(word) & UPPER for word in words[:_IN_CAPITALS])
        return before, words[at:end], capitals, end < len(words)
