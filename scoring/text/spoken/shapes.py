"""Readings of amounts, adapted from the readings of an amount with the same shape.

The readings of `$611,098` are names of 611,098 between other words. Such a place is read once with
marks instead of these names. For another amount, its names replace the marks.

This is exact, because readers only copy names and compare them with each other. Two amounts whose
lists of names have the same pattern of equal names therefore have the same readings, apart from the
names. An amount is read separately if its readings may depend on more: if it does not have three,
five or six digits, has decimals, is a multiple of 1,000 or of a unit in which the table counts, is
a multiple of 100 below 1,000, or if its reader uses names of another number. Before a shape is used
for other amounts, its readings are compared with those of a place that was read without marks.

In a language whose digits are alike, the names themselves are adapted, too (`alike`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

from scoring.text.readings import FIRST_SLOT, FormPattern, PatternedForm, WrittenForm
from scoring.text.spoken.alike import AlikeDigits, NameTemplate
from scoring.text.spoken.names import NumberNames
from scoring.text.spoken.table import SpokenTable

_LARGE = re.compile(r"(\D*)([1-9][0-9]{1,2})(\D?)([0-9]{3})(\D*)")
_SMALL = re.compile(r"(\D*)()()([1-9][0-9]{2})(\D*)")
_DIGIT = re.compile(r"\d")
_MARK = re.compile("[\ue000-\uf8ff\n]")
_FIRST_WITH_HYPHENS, _FIRST_MARK, _FIRST_OF_DIGITS = 0xE000, 0xF000, 0xF800
_PIECES = re.compile("([\ue000-\uefff].|[\uf000-\uf8ff])")
_MOST_NAMES = 400
_MARKS = tuple(map(chr, range(_FIRST_MARK, _FIRST_MARK + _MOST_NAMES)))
_MARKS_WITH_HYPHENS = tuple(
    (f"{mark}-", f"{mark} ")
    for mark in map(chr, range(_FIRST_WITH_HYPHENS, _FIRST_WITH_HYPHENS + _MOST_NAMES))
)
_KEPT, _KEPT_MODELS = 1 << 12, 1 << 14

PlaceText = tuple[str, tuple[str, ...], bool]
"""A place: what is before it, its words, and whether the text is in capitals."""
_Pattern = tuple[tuple[str, ...], ...]
"""Marks in place of the names in several lists; equal names have equal marks."""


class _UnfitAmountError(Exception):
    """Raised if the readings of an amount depend on more than its lists of names."""


class _Amount(NamedTuple):
    """An amount from 10,000 to 999,999, or from 100 to 999, which has no thousands."""

    thousands: str
    rest: str

    @property
    def digits(self) -> str:
        """The digits without a sign between them."""
        return self.thousands + self.rest


class _Shape:
    """Cached readings of written forms that differ only in their amount.

    They are stored by the pattern of equal names in the amount's lists of names.
    """

    def __init__(self) -> None:
        self.is_fit = True
        self.is_compared = False
        """True if readings with marks equalled the readings of a place without marks."""
        self.lists: tuple[str, ...] | None = None
        """The requested lists of names, in order of the requests; None before the first place."""
        self.forms: dict[_Pattern, _Form | None] = {}


class _Form(NamedTuple):
    """The pattern of the readings of a written form, and the mark in place of each slot."""

    pattern: FormPattern
    marks: tuple[str, ...]


class _NamedAmount(NamedTuple):
    """The lists of names of an amount, with marks in place of the names."""

    pattern: _Pattern
    marks: tuple[str, ...]
    """The marks of the names and of digits."""
    names: Sequence[str]
    """The name in place of each mark; digits in place of the marks of digits."""

    def form(self, marked: _Form) -> PatternedForm:
        """Return a form with the names of the amount instead of the marks."""
        places = _places_of(self.marks, marked.marks)
        return PatternedForm(marked.pattern, "\n".join(map(self.names.__getitem__, places)))


@lru_cache(1 << 12)
def _places_of(marks: tuple[str, ...], chosen: tuple[str, ...]) -> tuple[int, ...]:
    """Return the positions of chosen marks among all marks."""
    return tuple(map(marks.index, chosen))


class _NamesOfModel(NamedTuple):
    """The lists of names of an amount whose digits may be replaced by digits that are alike."""

    pattern: _Pattern
    marks: tuple[str, ...]
    """The marks of the names and of digits."""
    template: NameTemplate
    """The names, a line each."""


class _Names(NumberNames):
    """A substitute for `NumberNames`.

    It returns marks instead of names, and records which lists of names a reader used.
    """

    def __init__(self, names: NumberNames, amount: _Amount) -> None:
        self._names, self._of_lists = names, lists_of(names, amount)
        self._number, self._text = int(amount.digits), amount.digits
        self.asked: dict[str, None] = {}
        self._marked: dict[str, tuple[str, ...]] = {}
        self.cardinals = self._cardinals
        self.digits = self._by_digit
        self.groups = self._in_groups
        self.ordinals = self._ordinals
        self.years = self._years

    def expect(self, lists: Sequence[str], pattern: _Pattern) -> None:
        """Set which lists of names return marks. Equal names have equal marks, by `pattern`."""
        self._marked = dict(zip(lists, pattern, strict=True))

    def _list(self, name: str, is_own: bool) -> tuple[str, ...]:
        if not is_own:
            raise _UnfitAmountError
        self.asked[name] = None
        if not self._marked:
            return self._of_lists[name]()
        if name not in self._marked:
            raise _UnfitAmountError
        return self._marked[name]

    def _cardinals(self, number: int) -> tuple[str, ...]:
        return self._list("cardinals", number == self._number)

    def _by_digit(self, text: str) -> tuple[str, ...]:
        return self._list("digits", text == self._text)

    def _in_groups(self, text: str) -> tuple[str, ...]:
        return self._list("groups", text == self._text)

    def hundreds(self, number: int) -> tuple[str, ...]:
        """Return nothing, because no number of this size is counted in hundreds."""
        return self._none(number == self._number)

    def of_month(self, month: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return names, because an amount of a shape is no month: all of them have the same."""
        return self._names.of_month(month)

    def _none(self, is_own: bool = False) -> tuple[str, ...]:
        if not is_own:
            raise _UnfitAmountError
        return ()

    def _ordinals(self, number: int) -> tuple[str, ...]:
        return self._none()

    def _years(self, number: int) -> tuple[str, ...]:
        return self._list("years", number == self._number)

    def feminine(self, number: int) -> tuple[str, ...]:
        """Raise an error: no recorded list has such names."""
        return self._none()

    def digit(self, digit: int) -> tuple[str, ...]:
        """Raise an error: no recorded list has such names."""
        return self._none()

    def repeated(self, text: str) -> tuple[str, ...]:
        """Raise an error: no recorded list has such names."""
        return self._none()

    def respelled(self, kind: str, names: object) -> tuple[str, ...]:
        """Raise an error: no recorded list has such names."""
        return self._none()


def lists_of(names: NumberNames, amount: _Amount) -> dict[str, Callable[[], tuple[str, ...]]]:
    """Return the lists of names that may occur in readings of an amount."""
    return {
        "cardinals": lambda: names.cardinals(int(amount.digits)),
        "digits": lambda: names.digits(amount.digits),
        "groups": lambda: names.groups(amount.digits),
        "years": lambda: names.years(int(amount.digits)),
    }


ReadPlace = Callable[[PlaceText, NumberNames | None], "WrittenForm | None"]
"""Reads a place with other names of numbers than those of the language, if any are given."""


class AmountShapes:
    """Readings of written forms that begin with an amount, cached by shape."""

    def __init__(
        self, read: ReadPlace, names: NumberNames, table: SpokenTable, alike: str = ""
    ) -> None:
        self._read, self._names, self._digits_alike = read, names, alike
        self._groups = ("", *table.groups)
        self._units = tuple(table.counts)
        self._has_rests = any("+" in words for words in table.counts.values())
        self._shapes: dict[tuple[object, ...], _Shape] = {}
        # an amount is in several shapes
        self._named = lru_cache(_KEPT)(self._name_alike if alike else self._name)
        self._of_model = lru_cache(_KEPT_MODELS)(self._name_model)

    @cached_property
    def _alike(self) -> AlikeDigits:
        return AlikeDigits(self._names, self._digits_alike)

    def form_at(self, place: PlaceText) -> WrittenForm | PatternedForm | None:
        """Return the written form at a place, from cached readings of its shape if possible."""
        before, (word, *others), capitals = place
        match = _LARGE.fullmatch(word) or _SMALL.fullmatch(word)
        if match is None or self._has_rests:
            return self._read(place, None)
        start, thousands, sign, rest, end = match.groups()
        number = int(thousands + rest)
        if (
            rest == "000"
            or (rest[1:] == "00" and not thousands)
            or any(number * 4 % unit == 0 for unit in self._units)
        ):
            return self._read(place, None)
        key = (before, start, len(thousands), sign, end, *others, capitals)
        shape = self._shapes.get(key)
        if shape is None:
            if len(self._shapes) >= _KEPT:
                self._shapes.clear()
            shape = self._shapes[key] = _Shape()
            shape.is_fit = not _MARK.search(word) and not any(
                _MARK.search(text) or _DIGIT.search(text) for text in others
            )
        if not shape.is_fit:
            return self._read(place, None)
        return self._of_shape(shape, place, _Amount(thousands, rest))

    def _of_shape(
        self, shape: _Shape, place: PlaceText, amount: _Amount
    ) -> WrittenForm | PatternedForm | None:
        if shape.lists is None:
            names = _Names(self._names, amount)
            try:
                form = self._read(place, names)
            except _UnfitAmountError:
                shape.is_fit = False
                return self._read(place, None)
            shape.lists = tuple(names.asked)
            return form
        named = self._named(amount, shape.lists)
        if named is None:
            return self._read(place, None)
        pattern = named.pattern
        known = shape.forms.get(pattern)
        if known is not None:
            return named.form(known)
        if pattern in shape.forms or len(shape.forms) >= _KEPT:
            return self._read(place, None)
        marked = self._with_marks(shape.lists, place, amount, pattern)
        if marked is None or not shape.is_compared:
            form = self._read(place, None)
            shape.is_compared = marked is not None and named.form(marked).written_form() == form
            shape.forms[pattern] = marked if shape.is_compared else None
            return form
        shape.forms[pattern] = marked
        return named.form(marked)

    def _name_alike(self, amount: _Amount, chosen: tuple[str, ...]) -> _NamedAmount | None:
        """Return the chosen lists of names, adapted from those of the amount's model."""
        number, own = self._alike.model_of(amount.digits)
        model = self._of_model(number, chosen)
        if model is None:
            return None
        lines = [model.template.fill(self._alike.words_of(own))]
        lines += [sign.join(amount) for sign in self._groups]
        return _NamedAmount(model.pattern, model.marks, "\n".join(lines).split("\n"))

    def _name_model(self, number: str, chosen: tuple[str, ...]) -> _NamesOfModel | None:
        """Return the chosen lists of names of a model; None if marks cannot replace them."""
        named = self._name(_Amount(number[:-3], number[-3:]), chosen)
        if named is None:
            return None
        names = named.names[: -len(self._groups)]
        template = self._alike.template_of("\n".join(names))
        return _NamesOfModel(named.pattern, named.marks, template)

    def _name(self, amount: _Amount, chosen: tuple[str, ...]) -> _NamedAmount | None:
        """Return the chosen lists of names of an amount; None if marks cannot replace them."""
        lists = lists_of(self._names, amount)
        named = [lists[name]() for name in chosen]
        marks = _marks_of(named)
        if marks is None:
            return None
        pattern = tuple([tuple(map(marks.__getitem__, texts)) for texts in named])
        of_digits = map(chr, range(_FIRST_OF_DIGITS, _FIRST_OF_DIGITS + len(self._groups)))
        names = [*marks, *(sign.join(amount) for sign in self._groups)]
        return _NamedAmount(pattern, (*marks.values(), *of_digits), names)

    def _with_marks(
        self, lists: Sequence[str], place: PlaceText, amount: _Amount, pattern: _Pattern
    ) -> _Form | None:
        """Return the form at a place with marks instead of names; None if digits remain."""
        names = _Names(self._names, amount)
        names.expect(lists, pattern)
        try:
            form = self._read(place, names)
        except _UnfitAmountError:
            return None
        if form is None:
            return None
        lines = "\n".join(form.readings)
        for number, sign in enumerate(self._groups, _FIRST_OF_DIGITS):
            lines = lines.replace(sign.join(amount), chr(number))
        return None if _DIGIT.search(lines) else _form_of(form, lines)


def _form_of(form: WrittenForm, lines: str) -> _Form:
    """Return the pattern of readings with marks, a line each."""
    pieces = _PIECES.split(lines)
    marks = {mark: chr(slot) for slot, mark in enumerate(dict.fromkeys(pieces[1::2]), FIRST_SLOT)}
    pieces[1::2] = map(marks.__getitem__, pieces[1::2])
    return _Form(FormPattern(form.kind, form.begin, form.size, "".join(pieces)), tuple(marks))


def _marks_of(lists: Sequence[Sequence[str]]) -> dict[str, str] | None:
    """Return a mark for each different name; None if two names differ only in hyphens.

    The mark of a hyphenated name has a hyphen, because some readers replace hyphens by blanks.
    """
    every = dict.fromkeys(chain.from_iterable(lists))
    if "" in every or len(every) > _MOST_NAMES:
        return None
    marks: dict[str, str] = {}
    hyphenated = [name for name in every if "-" in name]
    for name, (mark, mark_with_blank) in zip(hyphenated, _MARKS_WITH_HYPHENS, strict=False):
        blank = name.replace("-", " ")
        if blank in marks:
            return None
        marks[name], marks[blank] = mark, mark_with_blank
    others = [name for name in every if name not in marks]
    marks.update(zip(others, _MARKS, strict=False))
    return marks
