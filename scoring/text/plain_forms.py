"""The Python version of the compiled class `FormPairs`, which finds forms in columns of texts."""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, chain
from operator import add, eq
from typing import TYPE_CHECKING

from formats.schema import words_of_text
from scoring.model.counts import Costs
from scoring.text.facing import (
    ChosenText,
    PairSearch,
    PlaceChoices,
    SaidReadings,
    SettledPath,
    settled_path,
)
from scoring.text.readings import BEFORE, BEGINS, ENDS, FIRST_SLOT, UPPER, WrittenForm, is_slot

if TYPE_CHECKING:
    from formats.schema.words import Words
    from scoring.alignment.plain_arrow import Texts

_IN_CAPITALS = 8

Window = tuple[int, "Words", bool, bool]
"""Kind of the word before, words, whether the text is in capitals, and whether more words follow.
"""
NO_PLACES, SETTLED, LEFT_OVER = range(3)


class _Row:
    """An utterance, and the places found in it so far."""

    def __init__(self, words: Words) -> None:
        self.words, self.cursor, self.is_open = words, 0, True
        self.pending: int | None = None
        self.places: list[tuple[int, int]] = []


class _Lattice:
    """An utterance with all readings of its places, and the words of the other side.

    If two paths have equal costs, the utterance stays undecided, so that no tie is broken here.
    """

    def __init__(
        self,
        runs: Sequence[Words],
        texts: Sequence[Sequence[Words]],
        heard: Words,
        costs: Costs,
    ) -> None:
        self._runs, self._texts, self._heard, self._costs = runs, texts, heard, costs

    def path(self) -> SettledPath | None:
        """Return the only path of least cost; None if there are several.

        Also return None if the other side lacks a reading of the path, word for word, or if the
        path changes no word.
        """
        befores, total = self._rows(self._runs, self._texts, self._heard)
        backwards = [[words[::-1] for words in texts] for texts in self._texts[::-1]]
        runs = [run[::-1] for run in self._runs[::-1]]
        afters = self._rows(runs, backwards, self._heard[::-1])[0][::-1]
        chosen: list[Words] = []
        for before, after, texts in zip(befores, afters, self._texts, strict=True):
            cheapest = {
                words
                for words in texts
                if min(map(add, self._row(before, words, self._heard), after[::-1])) == total
            }
            written = texts[0]
            if len(cheapest) > 1 or not written or all(words == written for words in texts):
                return None
            chosen += cheapest
            if not self._is_heard(chosen[-1], before, after, total):
                return None
        if not total and all(map(eq, chosen, (texts[0] for texts in self._texts))):
            return None
        return settled_path(
            self._runs,
            [
                ChosenText("", texts[0], text, max(map(len, texts)))
                for text, texts in zip(chosen, self._texts, strict=True)
            ],
        )

    def _rows(
        self, runs: Sequence[Words], texts: Sequence[Sequence[Words]], heard: Words
    ) -> tuple[list[list[int]], int]:
        """Return the costs of aligning the words before each place, and the cost of all words.

        Entry n of a place's costs is the cost of aligning all words before it with `heard[:n]`.
        """
        row = [number * self._costs.insertion for number in range(len(heard) + 1)]
        rows: list[list[int]] = []
        for run, readings in zip(runs, [*texts, [()]], strict=True):
            rows.append(self._row(row, run, heard))
            through = (self._row(rows[-1], words, heard) for words in readings)
            row = list(map(min, zip(*through, strict=True)))
        return rows[:-1], row[-1]

    def _row(self, row: list[int], words: Words, heard: Words) -> list[int]:
        """Return the costs of `row` after appending `words` to the words that it aligns."""
        for word in words:
            last, row = row, [row[0] + self._costs.deletion]
            for column, other in enumerate(heard):
                paired = last[column] + (0 if word == other else self._costs.substitution)
                unpaired = last[column + 1] + self._costs.deletion
                row.append(min(paired, unpaired, row[-1] + self._costs.insertion))
        return row

    def _is_heard(self, text: Words, before: list[int], after: list[int], total: int) -> bool:
        """Return True if a path of cost `total` pairs `text` with equal adjacent words.

        `before` and `after` are the costs before and after the place, as from `_rows`.
        """
        heard, size = self._heard, len(text)
        return size > 0 and any(
            heard[begin : begin + size] == text
            and before[begin] + after[len(heard) - begin - size] == total
            for begin in range(len(heard) - size + 1)
        )


class FormPairs:
    """Two columns of texts; the caller processes only distinct words and distinct windows.

    A form is a group of words as they are written, such as ``$5 million``, with its spoken
    readings. A window is the text from which the form at a word is found. The argument `longest` is
    the number of words of the longest window. The bits of a word (see `scoring.text.readings`) say,
    for example, whether a form may begin with it. The final text of a word is its text after all
    steps.
    """

    def __init__(self, left: Texts, right: Texts, longest: int) -> None:
        self._sides, self._longest = (left, right), longest
        self._words: list[str] = []
        self._numbers: dict[str, int] = {}
        self._flags = bytearray()
        self._finals: list[str] = []
        self._rows: tuple[list[_Row], list[_Row]] = [], []
        self.forget()

    def turned(self) -> FormPairs:
        """Return the same columns with the sides exchanged; words and their bits are shared."""
        left, right = self._sides
        pairs = FormPairs(right, left, self._longest)
        pairs._words, pairs._numbers, pairs._flags = self._words, self._numbers, self._flags
        return pairs

    def number(self) -> None:
        """Number all words of the left side."""
        for words in self._all():
            self._add(words)

    def touched(self) -> bytes:
        """Return the rows (int64) of the left side that have a word with which forms may begin."""
        rows = [row for row, words in enumerate(self._all()) if any(map(self._begins, words))]
        return array("q", rows).tobytes()

    def open(self, rows: Sequence[int]) -> None:
        """Number the words of these rows on both sides, and close earlier rows."""
        self._rows = [], []
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
        """Go to the next possible form in each open row of a side; return the new windows.

        The list is empty when all rows are at their ends.

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

    def add_choices(self, lines: str, pattern: int) -> int:
        """Add the choices at a place: a line with the written form, and a line for each reading.

        With the number of a pattern instead of -1, the lines after the first have the names for the
        slots of the pattern. Return the number by which `settle` knows these choices.
        """
        written, *rest = map(words_of_text, lines.split("\n"))
        self._add(chain(written, *rest))
        if pattern >= 0:
            slots = {chr(FIRST_SLOT + number): name for number, name in enumerate(rest)}
            rest = [
                tuple(chain.from_iterable(slots.get(word, (word,)) for word in words))
                for words in self._patterns[pattern]
            ]
        self._choices.append([written, *rest])
        return len(self._choices) - 1

    def add_pattern(self, lines: str) -> int:
        """Add the lines of a `FormPattern` whose slots are words, and return its number."""
        self._patterns.append([words_of_text(line) for line in lines.split("\n")])
        words = chain.from_iterable(self._patterns[-1])
        self._add(word for word in words if not is_slot(word))
        return len(self._patterns) - 1

    def forget(self) -> None:
        """Forget all windows, choices, patterns and named texts; numbers begin at 0 again."""
        self._windows: tuple[dict[Window, int], dict[Window, int]] = {}, {}
        self._choices: list[list[Words]] = []
        self._patterns: list[list[Words]] = []
        self._texts: dict[tuple[int, Words], int] = {}

    def unfinished(self) -> list[str]:
        """Return the words that have no final text yet."""
        return self._words[len(self._finals) :]

    def set_finals(self, texts: list[str]) -> None:
        """Set the final texts of the words that had none."""
        self._finals += texts

    def settle(
        self, choices: Sequence[int], substitution: int, deletion: int, insertion: int
    ) -> tuple[bytes, bytes, bytes, bytes, list[str]]:
        """Decide the readings of the open rows where possible.

        `choices` has, for each window of the left side, the number that `add_choices` returned.

        Returns
        -------
        The state of each row (uint8); the texts of the settled rows in UTF-8; 0 and the end of each
        text (int32); seven numbers for each form (int32): row, window, written text, chosen text,
        first word, first written word, words of the longest text; and the texts they refer to,
        without those that earlier calls returned.
        """
        rules = SaidReadings(Costs(substitution, deletion, insertion), self._final)
        states, data, forms = bytearray(), [b""], array("i")
        texts = self._texts
        known = len(texts)
        for position, (row, other) in enumerate(zip(*self._rows, strict=True)):
            states.append(LEFT_OVER if row.places else NO_PLACES)
            if other.places or not row.places:
                continue
            numbers = [choices[window] for _, window in row.places]
            search, lattice = self._search(rules, row, numbers, other.words)
            is_found = len(search.decided) == len(numbers)
            path = search.path() if is_found else lattice.path()
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
        named = [" ".join(words) for _, words in list(texts)[known:]]
        return bytes(states), b"".join(data), ends.tobytes(), forms.tobytes(), named

    def _search(
        self, rules: SaidReadings, row: _Row, numbers: Sequence[int], heard: Words
    ) -> tuple[PairSearch, _Lattice]:
        """Return the comparison of a row with the other side, and the row with all its readings."""
        places: list[WrittenForm] = []
        every: list[list[Words]] = []
        choices: list[PlaceChoices] = []
        runs: list[Words] = []
        end = 0
        for (begin, _), number in zip(row.places, numbers, strict=True):
            written = self._choices[number][0]
            runs.append(self._final(row.words[end:begin]))
            end = begin + len(written)
            every.append([self._final(words) for words in self._choices[number]])
            texts = list(map(" ".join, every[-1][1:]))
            places.append(WrittenForm("", begin, len(written), ()))
            choices.append(PlaceChoices(self._final(written), texts, texts))
        runs.append(self._final(row.words[end:]))
        words = self._final(heard)
        lattice = _Lattice(runs, every, words, rules.costs)
        return PairSearch(rules, places, choices, runs, words), lattice

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
