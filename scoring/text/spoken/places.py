"""Find the written forms in a text, each with its readings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from copy import copy
from functools import cache, lru_cache
from itertools import compress

from scoring.text.readings import BEFORE, BEGINS, ENDS, UPPER, PatternedForm, WrittenForm
from scoring.text.spoken.alike import ALIKE
from scoring.text.spoken.amounts import (
    FormReader,
    SpokenAmounts,
    read_measures,
    read_money,
    read_numbers,
    read_ordinals,
    read_percent,
)
from scoring.text.spoken.calendar import read_dates, read_decades, read_ranges, read_times
from scoring.text.spoken.combining import MOST, combine, in_turn
from scoring.text.spoken.names import NumberNames
from scoring.text.spoken.shapes import AmountShapes, PlaceText
from scoring.text.spoken.table import SpokenTable, TableRows
from scoring.text.spoken.texts import (
    read_acronyms,
    read_addresses,
    read_romans,
    read_serials,
    read_spellings,
    read_symbols,
    read_telephones,
    read_titles,
    read_varieties,
)
from scoring.text.spoken.view import CLOSING, OPENING, FoundForm, WordsView

NUMBERS = ("cardinal", "ordinal", "decimal", "fraction", "negative", "year", "digits")
CLASSES = (
    *NUMBERS,
    "date",
    "time",
    "range",
    "percent",
    "money",
    "measure",
    "decade",
    "roman",
    "title",
    "acronym",
    "electronic",
    "telephone",
    "serial",
    "symbol",
    "spelling",
    "variety",
)
_READERS: tuple[tuple[frozenset[str], FormReader], ...] = (
    (frozenset((*NUMBERS, "range", "telephone")), read_numbers),
    (frozenset(("ordinal",)), read_ordinals),
    (frozenset(("date",)), read_dates),
    (frozenset(("time",)), read_times),
    (frozenset(("range",)), read_ranges),
    (frozenset(("percent",)), read_percent),
    (frozenset(("money", "range")), read_money),
    (frozenset(("measure",)), read_measures),
    (frozenset(("decade",)), read_decades),
    (frozenset(("roman",)), read_romans),
    (frozenset(("title",)), read_titles),
    (frozenset(("acronym",)), read_acronyms),
    (frozenset(("electronic",)), read_addresses),
    (frozenset(("telephone",)), read_telephones),
    (frozenset(("symbol",)), read_symbols),
    (frozenset(("spelling",)), read_spellings),
    (frozenset(("variety",)), read_varieties),
)


# A sign and a letter that together are no comparison but a mark such as `<b>` or `</i>`.
_MARKUP = re.compile(r"</?[^\W\d]|[^\W\d]/?>")

_ROMAN_LETTERS = frozenset("IVXLCDM")
# The word in place of all that a written form cannot have, and the longest form in words.
INERT = "\ufffc"
LONGEST_FORM = 9
_BEFORE_BITS = {"1": 1, "A": 2, "a": 3}
# the bits of a lower-case word: no form begins with it, and every form ends before it
_USUAL = _BEFORE_BITS["a"] << BEFORE | ENDS
# The largest number of paths through the forms of a place; of these the largest forms have MOST.
MOST_PATHS = 96
KEPT = 1 << 15


class _KnownWords(dict[str, bool]):
    """A cache of True or False for words. It is emptied when it has KEPT entries."""

    def __init__(self, answer: Callable[[str], bool]) -> None:
        self._answer = answer

    def __missing__(self, word: str) -> bool:
        if len(self) >= KEPT:
            self.clear()
        self[word] = answer = self._answer(word)
        return answer


class FormFinder:
    """Finds the written forms of some classes in a language; `kind` names the alternatives."""

    longest = LONGEST_FORM

    def __init__(
        self, lang: str, classes: frozenset[str], kind: str = "", rows: TableRows = ()
    ) -> None:
        self._kind = kind
        self._amounts = SpokenAmounts(lang, rows)
        self._table: SpokenTable = self._amounts.table
        self._classes = classes
        self._readers = [reader for kinds, reader in _READERS if kinds & classes]
        self._last_readers = [read_serials] if "serial" in classes else []
        self._triggers = self._trigger_words()
        self._joining = self._joining_words()
        self._special = self._triggers | self._joining
        # a user's rows may treat digits differently
        alike = "" if rows else ALIKE.get(lang, "")
        self._shapes = AmountShapes(self.read, self._amounts.names, self._table, alike)
        self._form_at = lru_cache(KEPT)(self._shapes.form_at)
        self.place = lru_cache(KEPT)(self._whole_form)
        self.concerns = _KnownWords(self._concerns).__getitem__
        self._is_inert = _KnownWords(self._ends_forms).__getitem__

    def _concerns(self, word: str) -> bool:
        """Return True if a written form may begin with the word."""
        if word.isalpha() and not word.isupper():
            return word.casefold() in self._triggers or word[-1] == "ᵉ"
        if _MARKUP.search(word):
            return False
        if not word.isascii() or not word.isalpha():
            if any(map(str.isdecimal, word)):
                return True
            bare = word.strip(OPENING + CLOSING + "-")
            core = bare.rstrip(".")
            if {bare.casefold(), core.casefold()} & self._triggers:
                return True
            if core.isalpha():
                return core.isupper() and len(core) > 1
            return not core.replace("'", "").replace("-", "").replace("’", "").isalpha()
        return len(word) > 1 or word in "VX"

    def has_sign(self, word: str) -> bool:
        """Return True if the word has signs besides letters, so that a form may be inside it."""
        return not word.isalpha() and not _MARKUP.search(word)

    def places(self, words: Sequence[str]) -> Iterator[WrittenForm]:
        """Yield the written forms in a text, from left to right."""
        capitals, end = None, 0
        for begin in compress(range(len(words)), map(self.concerns, words)):
            if begin < end:
                continue
            if capitals is None:
                text = " ".join(words[:8])
                capitals = len(words) > 2 and text.upper() == text
            place = self._nearby(words, begin, capitals)
            if place is not None:
                kind, _, size, readings = place
                end = begin + size
                yield WrittenForm(kind, begin, size, readings)

    def _nearby(self, words: Sequence[str], at: int, capitals: bool) -> WrittenForm | None:
        """Return the written form at position `at`, which depends only on the words near it."""
        before = _before(words[at - 1]) if at else ""
        last, is_inert = min(at + LONGEST_FORM, len(words)), self._is_inert
        end = at + 1
        while end < last and not is_inert(words[end]):
            end += 1
        around = (*words[at:end], INERT) if end < len(words) else tuple(words[at:end])
        return self.place(before, around, capitals)

    def place_in(
        self, before: str, words: Sequence[str], capitals: bool, is_closed: bool
    ) -> WrittenForm | PatternedForm | None:
        """Return the written form at the first of some words (`FormsInWords.place_in`)."""
        return self._form_at((before, (*words, INERT) if is_closed else tuple(words), capitals))

    def bits(self, words: Sequence[str]) -> bytes:
        """Return properties of words as bits, which `scoring.text.readings` defines."""
        return bytes([_USUAL if self._is_usual(word) else self._bits(word) for word in words])

    def _is_usual(self, word: str) -> bool:
        """Return True if a word has only lower-case letters and is in no table of forms."""
        return (
            word.isascii()
            and word.islower()
            and word.isalpha()
            and word not in self._special
            and bool(word.strip("ivxlcdm"))
        )

    def _bits(self, word: str) -> int:
        kind = _BEFORE_BITS[_before(word)] << BEFORE
        upper = UPPER if word.upper() == word else 0
        ends = ENDS if self._is_inert(word) else 0
        return kind | upper | ends | (BEGINS if self.concerns(word) else 0)

    def _ends_forms(self, word: str) -> bool:
        """Return True if every written form ends before the word."""
        if self._table.before_romans and set(word.upper()) <= _ROMAN_LETTERS:
            return False
        return word.isalpha() and word.casefold() not in self._joining

    def _whole_form(
        self, before: str, around: tuple[str, ...], capitals: bool
    ) -> WrittenForm | None:
        """Return the written form at a position with its readings."""
        form = self._form_at((before, around, capitals))
        return form.written_form() if isinstance(form, PatternedForm) else form

    def read(self, place: PlaceText, names: NumberNames | None = None) -> WrittenForm | None:
        """Return the written form at a place. `names` replaces the language's names of numbers."""
        if names is None:
            return self._place(*place)
        finder = copy(self)
        finder._amounts = self._amounts.with_names(names)
        return finder._place(*place)

    def _place(self, before: str, around: Sequence[str], capitals: bool) -> WrittenForm | None:
        words, at = (before, *around) if before else around, 1 if before else 0
        view = WordsView(words, at, self._table, self._amounts.names, capitals, self._classes)
        # letters and digits as such are the last resort
        forms = self._found(view, self._readers) or self._found(view, self._last_readers)
        if not forms:
            return None
        size, readings = self._paths(view, forms)
        start, after = _edges(words[at], words[at + size - 1])
        texts = readings
        if any("-" in reading for reading in readings):
            texts = (*(reading.replace("-", " ") for reading in readings), *readings)
        written = " ".join(words[at : at + size])
        if start or after:
            texts = tuple([start + text + after for text in texts])
        whole = dict.fromkeys(texts)
        whole.pop(written, None)
        return (
            WrittenForm(self._kind or _largest(forms)[0].kind, at, size, tuple(whole)[:MOST_PATHS])
            if whole
            else None
        )

    def _paths(self, view: WordsView, start: Sequence[FoundForm]) -> tuple[int, tuple[str, ...]]:
        """Return the number of words at a place, and the texts of all paths through its forms.

        A place ends where no form continues. If forms of several lengths start at a word, each
        length gives paths, and paths with the longest form come first. A word outside of forms
        stays as written; a word with digits is always part of a form. A phrase of the table, such
        as Vietnamese `thứ 4`, is read as a whole.
        """
        largest = _largest(start)
        size = largest[0].size
        if size == 1 or largest[0].kind == "title":
            return size, _fair(largest)
        forms, at = {0: list(start)}, 1
        while at < size:
            forms[at] = self._found(view.moved(at), self._readers)
            size = max([size, *(at + form.size for form in forms[at])])
            at += 1
        ends: dict[int, Sequence[str]] = {size: ("",)}
        for begin in reversed(range(size)):
            ends[begin] = self._paths_from(view, begin, forms[begin], ends)
        return size, tuple(filter(None, ends[0]))

    def _paths_from(
        self,
        view: WordsView,
        begin: int,
        forms: Sequence[FoundForm],
        ends: Mapping[int, Sequence[str]],
    ) -> tuple[str, ...]:
        """Return the texts from word `begin` on; `ends` has those from later words on."""
        lists: list[Sequence[str]] = []
        for form_size in sorted({form.size for form in forms}, reverse=True):
            same = [form for form in forms if form.size == form_size]
            lists.append(list(_joined(_fair(same), ends[begin + form_size])))
        word = view.words[view.place + begin]
        if not any(map(str.isdecimal, word)):
            lists.append(list(_joined((word,), ends[begin + 1])))
        if begin or not lists:
            return in_turn(lists, MOST_PATHS)
        paths = dict.fromkeys((*lists[0][:MOST], *in_turn(lists[1:], MOST_PATHS), *lists[0]))
        return tuple(paths)[:MOST_PATHS]

    def _found(self, view: WordsView, readers: Iterable[FormReader]) -> list[FoundForm]:
        """Return the forms that the readers find at a place."""
        return [
            form
            for reader in readers
            for form in reader(view, self._amounts)
            if form.readings and form.kind in self._classes
        ]

    def _joining_words(self) -> frozenset[str]:
        """Return the words that can continue a written form."""
        table = self._table
        tables: tuple[Iterable[str], ...] = (
            *(table.units, table.currencies, table.scales, table.periods, table.zones),
            *(table.months, table.hour_marks, table.minute_marks, table.date_marks),
            *(table.date_links, table.abbreviations, table.percents),
        )
        return frozenset(
            part.casefold() for known in tables for name in known for part in _parts(name)
        )

    def _trigger_words(self) -> frozenset[str]:
        table = self._table
        tables = (
            table.titles,
            table.after,
            table.abbreviations,
            table.months,
            table.spellings,
            table.symbols,
            table.varieties if "variety" in self._classes else {},
        )
        words = {name.split()[0] for known in tables for name in known}
        words |= table.joined | table.before_romans
        words |= {form for form in table.currencies if form.isalpha()}
        return frozenset(word.casefold().rstrip(".") for word in words) | frozenset(words)


def _before(word: str) -> str:
    """Return the kind of a word before a form: it begins with a digit, a capital, or neither."""
    begins = word[0]
    return "1" if begins.isdecimal() else "A" if begins.isupper() else "a"


def _parts(name: str) -> Iterable[str]:
    """Return the words of a written form, and its characters if blanks do not separate them."""
    return (*name.split(), *name) if not name.isascii() else name.split()


def _largest(forms: Sequence[FoundForm]) -> list[FoundForm]:
    """Return the forms with the most words."""
    size = max(form.size for form in forms)
    return [form for form in forms if form.size == size]


def _joined(readings: Sequence[str], ends: Sequence[str]) -> Iterator[str]:
    """Yield each reading followed by each of the texts `ends`."""
    return combine([readings, ends], MOST_PATHS)


def _fair(forms: Sequence[FoundForm]) -> tuple[str, ...]:
    """Return the readings of several forms. Each form gets an equal share of the limit `MOST`."""
    room = MOST
    chosen: dict[str, None] = {}
    share = max(4, room // len(forms))
    for form in forms:
        chosen |= dict.fromkeys(form.readings[:share])
    for form in forms:
        for reading in form.readings[share:]:
            if len(chosen) >= room:
                break
            chosen[reading] = None
    return tuple(chosen)[:room]


def _edges(first: str, last: str) -> tuple[str, str]:
    """Return the punctuation before the first word and after the last word."""
    before = first[: len(first) - len(first.lstrip(OPENING))]
    kept = last.rstrip(CLOSING)
    return before, last[len(kept) :] if kept else ""


@cache
def finder_of(
    lang: str, classes: tuple[str, ...], kind: str = "", rows: TableRows = ()
) -> FormFinder:
    """Return the finder for some classes of forms. No class means all classes.

    The class `numbers` stands for all classes of plain numbers.
    """
    chosen = set(classes or CLASSES)
    if "numbers" in chosen:
        chosen |= {*NUMBERS}
    return FormFinder(lang, frozenset(chosen & set(CLASSES)), kind, rows)
