"""Numbers in texts: how many are recognised with value and unit, missing or invented.

Numbers in digits are the written forms of `scoring.text.spoken`. Numbers in words are runs of names
of numbers. Either side may write a number in either way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import product
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from scoring.model.arrays import Integers
from scoring.results.measured import COUNT, Figure, MeasureSetting, MeasureSpec

if TYPE_CHECKING:
    from scoring.measures.view import AlignedWords, View

CLASSES = ("amount", "date", "time", "phone", "code")
PARTS = ("reference", "value", "whole", "missing", "invented")
_CLASS_OF = {
    "date": "date",
    "decade": "date",
    "time": "time",
    "telephone": "phone",
    "digits": "code",
    "serial": "code",
}
_FORMS = (
    *("numbers", "date", "time", "range", "percent", "money", "measure", "decade"),
    *("telephone", "serial"),
)
_DIGITS = re.compile(r"\d[\d.,]*(?:[/:]\d+)?")
_MARKS = "()[]{}\"'“”„«»‘’¿¡?!.,:;…"
_LONGEST_UNIT = 4
_WINDOW = 6
"""Words beside a number in which its reading may begin or end: `half past` ten."""

NumberPairs: TypeAlias = dict[tuple[int, int], tuple[bool, bool]]


class NumberPlace(NamedTuple):
    """A number in a text: its kind, its range of words, and its readings with and without unit."""

    kind: str
    begin: int
    end: int
    whole: frozenset[str]
    value: frozenset[str]
    is_written: bool


def _folded(text: str) -> str:
    """Return a text in lower case, without hyphens and without punctuation around words.

    >>> _folded("Twenty-five, (5)")
    'twenty five 5'
    """
    words = (word.strip(_MARKS) for word in text.casefold().replace("-", " ").split())
    return " ".join(filter(None, words))


class NumberFinder:
    """Finds numbers in texts of one language."""

    def __init__(self, lang: str) -> None:
        from scoring.text.spoken.names import names_of
        from scoring.text.spoken.places import finder_of
        from scoring.text.spoken.table import table_of

        self._finder = finder_of(lang, _FORMS)
        self._names = names_of(lang)
        self._table = table_of(lang)

    @cached_property
    def _ones(self) -> frozenset[str]:
        """The names of 1, which are articles in many languages."""
        return frozenset(map(_folded, self._names.cardinals(1)))

    @cached_property
    def _number_words(self) -> frozenset[str]:
        """The words that occur in names of numbers, without words that only link numbers."""
        scales = (10**power for power in range(3, 13))
        names = [name for n in (*range(1000), *scales) for name in self._names.cardinals(n)]
        names += [name for n in range(1, 100) for name in self._names.ordinals(n)]
        words = {word for name in names for word in _folded(name).split() if len(word) > 1}
        # in languages without blanks inside numbers also a letter alone is one
        words |= {_folded(name) for n in range(10) for name in self._names.cardinals(n)[:2]}
        return frozenset(words - self._links)

    @cached_property
    def _links(self) -> frozenset[str]:
        """The words, such as `and`, that may be between the words of a number."""
        points = (word for words in self._table.points.values() for word in words)
        words = (*self._table.values("and"), *points)
        return frozenset(_folded(word) for word in words if word)

    @cached_property
    def _unit_words(self) -> frozenset[str]:
        """The words of names of units, currencies and per cent."""
        table = self._table
        names = [
            name
            for known in (table.units, table.percents)
            for row in known.values()
            for name in row
        ]
        names += [name for row in table.currencies.values() for name in (*row.major, *row.minor)]
        words = {word for name in names for word in _folded(name.replace("{n}", "")).split()}
        return frozenset(words - self._number_words - self._links)

    def find(self, words: Sequence[str]) -> tuple[NumberPlace, ...]:
        """Return the numbers of a text, from left to right."""
        folded = [_folded(word) for word in words]
        places: list[NumberPlace] = []
        covered = 0
        for place in self._finder.places(words):
            end = place.begin + place.size
            if not any(map(str.isdecimal, "".join(words[place.begin : end]))):
                continue
            places += self._spoken(folded, covered, place.begin)
            after, kind = self._units(folded, end), _CLASS_OF.get(place.kind, "amount")
            unit = " ".join(["", *folded[end:after]]) if kind == "amount" else ""
            written = " ".join(words[place.begin : end])
            texts = frozenset(_folded(text) + unit for text in (written, *place.readings))
            value = self._values(written) if kind == "amount" else texts
            covered = after if unit else end
            places.append(NumberPlace(kind, place.begin, covered, texts, value, True))
        return (*places, *self._spoken(folded, covered, len(words)))

    def _values(self, written: str) -> frozenset[str]:
        """Return the readings of a number without its unit."""
        match = _DIGITS.search(written)
        digits = match[0].rstrip(".,") if match is not None else written
        place = self._finder.place("", (digits,), False)
        readings = place.readings if place is not None else ()
        return frozenset(map(_folded, (digits, *readings)))

    def _units(self, folded: Sequence[str], begin: int) -> int:
        """Return the position after the names of units that start at position `begin`."""
        end = begin
        while end < min(len(folded), begin + _LONGEST_UNIT) and folded[end] in self._unit_words:
            end += 1
        return end

    def _spoken(self, folded: Sequence[str], begin: int, end: int) -> Iterator[NumberPlace]:
        """Yield the numbers in words within a range of words."""
        at = begin
        while at < end:
            last = at
            while last < end and self._is_number(folded[last]):
                last += 1
                links = last
                while links < end and folded[links] in self._links:
                    links += 1
                if last < links < end and self._is_number(folded[links]):
                    last = links
            if last > at and not (last == at + 1 and folded[at] in self._ones):
                value = " ".join(folded[at:last])
                after = min(end, self._units(folded, last))
                whole = frozenset([" ".join(folded[at:after])])
                yield NumberPlace("amount", at, after, whole, frozenset([value]), False)
                last = after
            at = max(last, at + 1)

    def _is_number(self, text: str) -> bool:
        parts = text.split()
        return bool(parts) and all(part in self._number_words for part in parts)


finder_for = cache(NumberFinder)


def _language(value: Any) -> str:
    """Return a language with a number table and blanks between words; ValueError for others."""
    from scoring.text.language_tables import languages
    from scoring.text.spoken.table import table_of

    known = [lang for lang in languages("spoken") if table_of(lang).has_blanks]
    if value not in known:
        raise ValueError(f"expected one of {', '.join(known)}, found {str(value)!r}")
    return str(value)


def compared(number: NumberPlace, opposite: NumberPlace) -> tuple[bool, bool]:
    """Return two flags: the numbers have equal values; they have equal values and units."""
    is_same = not number.whole.isdisjoint(opposite.whole)
    return is_same or not number.value.isdisjoint(opposite.value), is_same


def _said(
    number: NumberPlace, folded: Sequence[str], near: Sequence[NumberPlace]
) -> NumberPlace | None:
    """Return the longest reading of a number in digits that occurs around the numbers `near`.

    The result is the range of this reading in words; None if no reading occurs there.
    """
    low = max(0, near[0].begin - _WINDOW)
    high = min(len(folded), near[-1].end + _WINDOW)
    tokens = [(part, at) for at in range(low, high) for part in folded[at].split()]
    texts = [part for part, _ in tokens]
    longest: tuple[int, int] = (0, 0)
    for reading in number.whole:
        parts = reading.split()
        for begin in range(len(texts) - len(parts) + 1 if len(parts) > longest[1] else 0):
            if texts[begin : begin + len(parts)] == parts:
                longest = begin, len(parts)
                break
    begin, size = longest
    if not size:
        return None
    words = frozenset([" ".join(texts[begin : begin + size])])
    first, last = tokens[begin][1], tokens[begin + size - 1][1]
    return NumberPlace(number.kind, first, last + 1, words, words, False)


def joined(
    numbers: Sequence[NumberPlace],
    places: Sequence[tuple[int, int]],
    opposites: Sequence[NumberPlace],
    opposite_places: Sequence[tuple[int, int]],
    folded: Sequence[str],
) -> tuple[list[NumberPlace], list[tuple[int, int]]]:
    """Join adjacent numbers in words that together are a reading of a number on the other side.

    `two dollars fifty cents` is one number if the other side has `$2.50`.
    """
    result = list(zip(numbers, places, strict=True))
    for opposite, slots_of_it in zip(opposites, opposite_places, strict=True):
        near = [row for row in result if not row[0].is_written and _overlap(row[1], slots_of_it)]
        reading = (
            _said(opposite, folded, [row[0] for row in near])
            if opposite.is_written and near
            else None
        )
        if reading is None:
            continue
        inside = [row for row in near if row[0].begin < reading.end and reading.begin < row[0].end]
        if not inside:
            continue
        slots = min(row[1][0] for row in inside), max(row[1][1] for row in inside)
        result = [row for row in result if row not in inside]
        result.append((reading, slots))
        result.sort(key=lambda row: row[0].begin)
    return [row[0] for row in result], [row[1] for row in result]


def _overlap(first: tuple[int, int], second: tuple[int, int]) -> bool:
    return first[0] < second[1] and second[0] < first[1]


def paired(pairs: NumberPairs, sizes: tuple[int, int]) -> list[tuple[int, int]]:
    """Return the pairs of numbers with the least total cost; pairs never cross.

    A pair costs 0 if value and unit are equal, 1 if only the unit differs, and 2 if the value
    differs. A number without a partner costs 2.
    """
    costs = np.zeros((sizes[0] + 1, sizes[1] + 1), np.int64)
    costs[:, 0], costs[0] = 2 * np.arange(sizes[0] + 1), 2 * np.arange(sizes[1] + 1)
    for left, right in product(range(sizes[0]), range(sizes[1])):
        alone = min(costs[left, right + 1], costs[left + 1, right]) + 2
        flags = pairs.get((left, right))
        together = alone if flags is None else costs[left, right] + 2 - sum(flags)
        costs[left + 1, right + 1] = min(alone, together)
    chosen = []
    left, right = sizes
    while left and right:
        flags = pairs.get((left - 1, right - 1))
        if flags is not None and costs[left, right] == costs[left - 1, right - 1] + 2 - sum(flags):
            left, right = left - 1, right - 1
            chosen.append((left, right))
        elif costs[left, right] == costs[left - 1, right] + 2:
            left -= 1
        else:
            right -= 1
    return chosen[::-1]


class _Ranges:
    """Finds the slots of a range of words as read."""

    def __init__(self, view: View, side: AlignedWords) -> None:
        size = len(side.raw.ids)
        self._begins = np.full(size, len(side.slots), np.int64)
        self._ends = np.full(size, -1, np.int64)
        slots = np.flatnonzero(side.slots >= 0)
        words = side.raw.origins[side.slots[slots]]
        slots, words = slots[words >= 0], words[words >= 0]
        np.minimum.at(self._begins, words, slots)
        np.maximum.at(self._ends, words, slots)
        self._offsets = side.raw.offsets
        self._wrong = view.wrong
        self._bounds: Integers = view.offsets

    def of(self, utterance: int, number: NumberPlace) -> tuple[int, int]:
        """Return the first and the last slot of a number, including the errors beside it."""
        low, high = int(self._bounds[utterance]), int(self._bounds[utterance + 1])
        first, after = self._offsets[utterance], self._offsets[utterance + 1]
        begin, end = int(first) + number.begin, int(first) + number.end
        # words of a reading may have no raw word: a number ends where its neighbours begin
        before = self._ends[int(first) : begin]
        later = self._begins[end : int(after)][self._ends[end : int(after)] >= 0]
        start = max(low, int(before.max(initial=low - 1)) + 1)
        stop = min(high, int(later.min(initial=high)))
        while start > low and self._wrong[start - 1]:
            start -= 1
        while stop < high and self._wrong[stop]:
            stop += 1
        return start, stop


def count(view: View) -> dict[str, Any]:
    """Count reference numbers by class, and correct, missing and invented numbers."""
    finder = finder_for(view.settings["numbers_in"])
    sides = (view.reference, view.hypothesis)
    ranges = [_Ranges(view, side) for side in sides]
    columns = {
        f"{kind}_{part}": np.zeros(len(view), np.int64) for kind in CLASSES for part in PARTS
    }
    rows = zip(*(side.raw.words for side in sides), strict=True)
    for row, texts in enumerate(rows):
        numbers = [finder.find(words) for words in texts]
        if not any(numbers):
            continue
        places = [
            [slots.of(row, number) for number in listed]
            for slots, listed in zip(ranges, numbers, strict=True)
        ]
        for name in _counted(numbers, places, texts):
            columns[name][row] += 1
    return columns


def _counted(
    numbers: Sequence[Sequence[NumberPlace]],
    places: Sequence[Sequence[tuple[int, int]]],
    texts: Sequence[Sequence[str]],
) -> Iterator[str]:
    """Yield the names of the columns that count the numbers of an utterance."""
    folded = [[_folded(word) for word in words] for words in texts]
    left_side = joined(numbers[0], places[0], numbers[1], places[1], folded[0])
    right_side = joined(numbers[1], places[1], *left_side, folded[1])
    numbers, places = (left_side[0], right_side[0]), (left_side[1], right_side[1])
    pairs: NumberPairs = {}
    for left, right in product(range(len(numbers[0])), range(len(numbers[1]))):
        if _overlap(places[0][left], places[1][right]):
            pairs[left, right] = compared(numbers[0][left], numbers[1][right])
    chosen = dict(paired(pairs, (len(numbers[0]), len(numbers[1]))))
    for left, number in enumerate(numbers[0]):
        partner = chosen.get(left)
        kind = number.kind
        if partner is None:
            yield f"{kind}_reference"
            yield f"{kind}_missing"
            continue
        if not number.is_written:
            kind = numbers[1][partner].kind
        yield f"{kind}_reference"
        has_value, has_all = pairs[left, partner]
        yield from _named(kind, {"value": has_value, "whole": has_all})
    for right in {*range(len(numbers[1]))} - {*chosen.values()}:
        yield f"{numbers[1][right].kind}_invented"


def _named(kind: str, flags: dict[str, bool]) -> Iterable[str]:
    return (f"{kind}_{name}" for name, is_set in flags.items() if is_set)


def _sum(part: str) -> str:
    return " + ".join(f"{kind}_{part}" for kind in CLASSES)


MEASURE = MeasureSpec(
    name="numbers",
    title="Numbers",
    question="Which errors change the meaning?",
    definition="A number is a written form with a digit (as the step spoken-forms finds them) or "
    "a run of words that name numbers; the word for one alone is none. Names of units after it "
    "belong to it. Numbers of both sides can be pairs if the alignment of the score puts "
    "them, with the errors beside them, at the same place; pairs keep the order and are "
    "chosen so that the most are right. The value is right if both have a reading without "
    "unit in common, value and unit if both have a reading in common. A number of the "
    "reference without a pair is missing, one of the hypothesis is invented. Classes: dates, "
    "times, telephone numbers, codes (letters and digits, leading zeros), amounts (all "
    "others). A pair has the class of the side with digits.",
    figures=(
        Figure("right_value", "right value", f"{_sum('value')} / {_sum('reference')}", "higher"),
        Figure(
            "right_all", "right value and unit", f"{_sum('whole')} / {_sum('reference')}", "higher"
        ),
        Figure("missing", "missing", f"{_sum('missing')} / {_sum('reference')}"),
        Figure("invented", "invented", f"{_sum('invented')} / {_sum('reference')}", high=None),
        Figure(
            "reference_numbers", "numbers of the reference", _sum("reference"), "none", *COUNT[1:]
        ),
        *(
            figure
            for kind in CLASSES
            for figure in (
                Figure(
                    f"{kind}_right",
                    f"{kind}: right value and unit",
                    f"{kind}_whole / {kind}_reference",
                    "higher",
                ),
                Figure(
                    f"{kind}_numbers", f"{kind}: numbers", f"{kind}_reference", "none", *COUNT[1:]
                ),
            )
        ),
    ),
    columns=tuple(f"{kind}_{part}" for kind in CLASSES for part in PARTS),
    count=count,
    needs=frozenset({"raw"}),
    parameters=(
        MeasureSetting("numbers_in", "en", _language, "language of the numbers (default: en)"),
    ),
)
