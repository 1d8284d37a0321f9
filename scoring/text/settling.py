"""Decide, where possible, which readings of written forms are right, in columns of utterances.

Python is called only for distinct words and windows: whether a word may begin or end a form, the
form in a window of words, and the final text of a word. The compiled core (or the Python version)
cuts the utterances into windows, and searches each pair of utterances for equal words and readings.
`scoring.text.facing` proves that this search is exact. If it does not decide a place, the core
compares the costs of all paths. If a single path has the least cost, and the other side has the
readings of this path word for word, the aligner would choose the path in any case. All other
utterances are searched one at a time, and so are utterances with forms on both sides.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from formats.schema.words import Words
from scoring.alignment.native import load
from scoring.alignment.texts import ColumnWords, Texts, add_texts
from scoring.model.counts import Costs
from scoring.text.readings import FormsInWords, WrittenForm
from scoring.text.settled_forms import SettledForms, block_of

if TYPE_CHECKING:
    from scoring.text.plain_forms import FormPairs as FormPairs
else:
    _core = load()
    if _core is None:
        from scoring.text import plain_forms as _core
    FormPairs = _core.FormPairs

_BEFORE = ("", "1", "A", "a")
"""What `FormsInWords.place` knows of the word before: none, a digit, a capital, another sign."""
_ROWS = 1 << 15
_KEPT = 1 << 15


class SettlingColumns:
    """Two columns of utterances as read; only the first column has written forms."""

    def __init__(
        self,
        words: ColumnWords,
        heard: ColumnWords,
        forms: FormsInWords,
        final: Callable[[Words], Words] | None,
    ) -> None:
        self._pairs = FormPairs(words.texts, heard.texts, forms.longest)
        self._finder, self._final = forms, final
        # with the places, which keep the identity of their readings
        self._choices: dict[tuple[int, Words], tuple[WrittenForm, int]] = {}
        self.rows: list[int] = []
        """The settled utterances."""
        self.texts = Texts()
        """The words of the settled utterances on their paths, after all steps."""
        self.forms = SettledForms()

    def touched(self) -> list[int]:
        """Return the utterances with a word that may begin a form."""
        self._pairs.number()
        self._set_flags()
        return array("q", self._pairs.touched()).tolist()

    def settle(self, rows: Sequence[int], costs: Costs) -> list[int]:
        """Decide the readings of utterances where possible.

        Return the utterances that are not decided.
        """
        left_over: list[int] = []
        for begin in range(0, len(rows), _ROWS):
            left_over += self._settle(rows[begin : begin + _ROWS], costs)
        return left_over

    def _settle(self, rows: Sequence[int], costs: Costs) -> Iterable[int]:
        pairs = self._pairs
        if len(self._choices) >= _KEPT:
            self._choices.clear()
            pairs.forget_choices()
        pairs.open(array("q", rows))
        self._set_flags()
        windows = self._windows(False)
        self._windows(True)
        choices = array("i", [self._choices_of(words, form) for words, form in windows])
        words = pairs.unfinished()
        final = self._final
        pairs.set_finals(words if final is None else [" ".join(final((word,))) for word in words])
        states, data, ends, forms, texts = pairs.settle(choices, *costs[:3])
        add_texts(self.texts, data, ends)
        kinds = ["" if form is None else form.kind for _, form in windows]
        block = block_of(rows, array("i", forms), kinds, texts)
        self.forms.blocks.append(block)
        self.rows += block.rows
        return [row for row, state in zip(rows, states, strict=True) if state == 2]

    def _windows(self, right: bool) -> list[tuple[Words, WrittenForm | None]]:
        """Return the windows in the open rows of a side, each with its form."""
        places: list[tuple[Words, WrittenForm | None]] = []
        sizes = array("i")
        while windows := self._pairs.walk(right, sizes):
            for before, words, capitals, is_closed in windows:
                form = self._finder.place_in(_BEFORE[before], words, capitals, is_closed)
                places.append((words, form))
                sizes.append(0 if form is None else form.size)
        return places

    def _choices_of(self, words: Words, form: WrittenForm | None) -> int:
        """Return the number that identifies the choices of a form; -1 if there is no form."""
        if form is None:
            return -1
        written = words[: form.size]
        key = id(form.readings), written
        cached = self._choices.get(key)
        if cached is None:
            lines = "\n".join((" ".join(written), *form.readings))
            cached = self._choices[key] = form, self._pairs.add_choices(lines)
        return cached[1]

    def _set_flags(self) -> None:
        self._pairs.set_flags(bytes(map(self._finder.bits, self._pairs.unflagged())))
