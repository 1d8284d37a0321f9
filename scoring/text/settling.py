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
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from formats.io.source import PausedCollection
from formats.schema.words import Words
from scoring.alignment import load_core
from scoring.alignment.texts import Texts, add_texts
from scoring.model.counts import Costs
from scoring.text.readings import FormPattern, FormsInWords, PatternedForm, WrittenForm
from scoring.text.settled_forms import SettledForms, block_of

if TYPE_CHECKING:
    from scoring.text.plain_forms import FormPairs as FormPairs
else:
    _core = load_core()
    if _core is None:
        from scoring.text import plain_forms as _core
    FormPairs = _core.FormPairs

_BEFORE = ("", "1", "A", "a")
"""An example of each kind of word before: none, with a digit, a capital, or another sign."""
_ROWS = 1 << 15
_KEPT = 1 << 15


class SettlingColumns:
    """Two columns of utterances as read; only the first column has written forms.

    `finals` returns the text of each of the given words after all steps.
    """

    def __init__(
        self, pairs: FormPairs, forms: FormsInWords, finals: Callable[[list[str]], list[str]]
    ) -> None:
        self._pairs, self._finder, self._finals = pairs, forms, finals
        self._forget()
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
        """Decide readings where possible, and return the utterances that are not decided."""
        left_over: list[int] = []
        with PausedCollection():  # readings have no reference cycles
            for begin in range(0, len(rows), _ROWS):
                left_over += self._settle(rows[begin : begin + _ROWS], costs)
        return left_over

    def _forget(self) -> None:
        """Forget all windows; blocks keep what they need of them."""
        self._pairs.forget()
        # of the windows of each side, the number of words in their forms
        self._sizes = array("i"), array("i")
        # of the windows of the first side: the number of their choices; their kinds of forms
        self._choices = array("i")
        self._kinds: list[str] = []
        self._patterns: dict[FormPattern, int] = {}
        self._texts: list[Words] = []

    def _settle(self, rows: Sequence[int], costs: Costs) -> Iterable[int]:
        pairs = self._pairs
        if max(map(len, self._sizes)) >= _KEPT:
            self._forget()
        pairs.open(array("q", rows))
        self._set_flags()
        for words, form in self._windows(False):
            self._choices.append(-1 if form is None else self._add_choices(words, form))
            self._kinds.append("" if form is None else _outline(form).kind)
        for _ in self._windows(True):
            pass  # the sizes of forms on this side are all that matters
        pairs.set_finals(self._finals(pairs.unfinished()))
        states, data, ends, forms, texts = pairs.settle(self._choices, *costs[:3])
        add_texts(self.texts, data, ends)
        self._texts += [tuple(text.split(" ")) for text in texts]
        block = block_of(rows, array("i", forms), self._kinds, self._texts)
        self.forms.blocks.append(block)
        self.rows += block.rows
        return [row for row, state in zip(rows, states, strict=True) if state == 2]

    def _add_choices(self, words: Words, form: WrittenForm | PatternedForm) -> int:
        """Add the written words and the readings of a form; return the number of the choices."""
        written = " ".join(words[: _outline(form).size])
        if isinstance(form, PatternedForm) and form.pattern.has_whole_words:
            number = self._patterns.get(form.pattern)
            if number is None:
                number = self._pairs.add_pattern(form.pattern.lines)
                self._patterns[form.pattern] = number
            choices = f"{written}\n{form.names}" if form.names else written
            return self._pairs.add_choices(choices, number)
        readings = form.written_form() if isinstance(form, PatternedForm) else form
        return self._pairs.add_choices("\n".join((written, *readings.readings)), -1)

    def _windows(self, right: bool) -> Iterator[tuple[Words, WrittenForm | PatternedForm | None]]:
        """Yield the new windows in the open rows of a side, each with its form."""
        sizes = self._sizes[right]
        while windows := self._pairs.walk(right, sizes):
            for before, words, capitals, is_closed in windows:
                form = self._finder.place_in(_BEFORE[before], words, capitals, is_closed)
                sizes.append(0 if form is None else _outline(form).size)
                yield words, form

    def _set_flags(self) -> None:
        self._pairs.set_flags(self._finder.bits(self._pairs.unflagged()))


def _outline(form: WrittenForm | PatternedForm) -> WrittenForm | FormPattern:
    """Return what has the class of a form and the number of its words."""
    return form.pattern if isinstance(form, PatternedForm) else form


class TurnedPairs(NamedTuple):
    """Columns of both sides whose words are numbered, for the other direction.

    `words` is the column of utterances that has the written forms in this direction.
    """

    words: Sequence[Words]
    forms: FormsInWords
    pairs: FormPairs

    def fits(self, words: Sequence[Words], forms: FormsInWords) -> bool:
        """Return True if the pairs have these utterances, and the bits that `forms` returns."""
        return words is self.words and forms is self.forms
