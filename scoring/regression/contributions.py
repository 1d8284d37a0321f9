"""Explain a change of the error rate by the word differences that contribute most, with examples.

Each word error belongs to one difference: a confusion of two words, a lost word, an inserted word,
or a run of lost or inserted words. Differences of one class (numbers, fillers, spelling,
capitalised words) share a line, and so do small differences of one kind. Speakers, groups, and
units of tasks without words have lines of their own. Shares of different kinds therefore overlap.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from formats.io.progress import tell
from scoring.model.counts import NO_REFERENCE, Alignment
from scoring.regression.paired_runs import Change
from scoring.regression.word_errors import (
    CONFUSION,
    INSERTED,
    LOST,
    RUNS,
    DifferenceKey,
    ErrorColumns,
    errors_of,
)
from scoring.text.language_tables import table_rows

if TYPE_CHECKING:
    from scoring.regression.unit_groups import GroupChange
    from scoring.score.rates import ErrorRates

MOST = 5
"""Largest number of contributions that are shown."""
LEAST_SHARE = 0.02
"""Smallest share of a change that is shown."""
LEAST_NUMBER = 2
"""Smallest number of errors with which a difference has its own line."""
NUMBERS, FILLERS, SPELLING, CAPITALISED = "numbers", "fillers", "spelling", "capitalised words"
CONFUSIONS, ALL_LOST, ALL_INSERTED = "confusions", "words lost", "words inserted"
GROUP, UNIT = "group", "unit"
_NAMED = 3  # differences that the name of a class lists
_CONTEXT = 1  # words of the context on either side of an example
_OF_KINDS = {CONFUSION: CONFUSIONS, LOST: ALL_LOST, INSERTED: ALL_INSERTED}


class ExamplePlace(NamedTuple):
    """A place where a difference occurs, with the surrounding words."""

    utterance: str
    reference: str
    baseline: str | None  # None if the baseline has another reference
    new: str


class Contribution(NamedTuple):
    """A part of a change: its name, its additional errors, and its share of the change."""

    kind: str  # confusion, lost, inserted, a run, a class, group or unit
    name: str
    more: float  # errors (or what else is wrong) more than in the baseline, per run
    share: float  # of the whole change; above 1 where other parts changed the other way
    size_share: float | None = None  # of a group or unit: its share of the words, seconds …
    example: ExamplePlace | None = None


class _RankedDifference(NamedTuple):
    """One difference, or the sum of all differences of a class, with its size for ranking."""

    name: str
    more: int
    key: DifferenceKey  # the one that moved most


def part_contributions(
    total: Change, columns: Mapping[str, Sequence[Change]], kind: str = GROUP
) -> list[Contribution]:
    """Return the groups and units whose share of the change exceeds their share of the words.

    They are sorted by the difference of the two shares, largest first. For example, a group with
    half of the words and half of the change explains nothing.
    """
    ranked = []
    for column, parts in columns.items():
        for part in parts if len(parts) > 1 else ():
            share = part.more / total.more if total.more else 0.0
            whole = max(total.baseline.size, total.new.size)
            size = max(part.baseline.size, part.new.size) / whole if whole else 0.0
            if share > size and share >= LEAST_SHARE:
                name = f"{column} {part.name}"
                excess = (share - size) * abs(total.more)
                ranked.append((excess, Contribution(kind, name, part.more, share, size)))
    ranked.sort(key=lambda row: (-row[0], row[1].name))
    return [part for _, part in ranked]


def columns_of(
    speakers: Sequence[Change], groups: Iterable[GroupChange], speaker: str
) -> dict[str, list[Change]]:
    """Return the changes of speakers and of groups by column.

    Changes of speakers are in the column `speaker`, unless a group column has this name.
    """
    columns: dict[str, list[Change]] = defaultdict(list)
    for group in groups:
        columns[group.column].append(group.change)
    columns.setdefault(speaker, list(speakers))
    return columns


def word_contributions(
    total: Change, old: ErrorRates, new: ErrorRates, common: Sequence[tuple[int, int]]
) -> list[Contribution]:
    """Return the word differences between two systems, largest first."""
    if not total.more:
        return []
    sign = 1 if total.more > 0 else -1
    tell("explaining the change", 0, 0)
    columns = ErrorColumns(old, new, common, old.rules.ignore_case)
    chosen: list[Contribution] = []
    least = max(LEAST_NUMBER, LEAST_SHARE * abs(total.more))
    for name, number, key in _differences(columns.more, sign, old, least):
        share = number / total.more
        if share < LEAST_SHARE or len(chosen) == MOST:
            break
        example = _example(key, sign, columns.place_of(key, sign), old, new, common)
        kind = key.kind if name == key.title else name.partition(":")[0]
        chosen.append(Contribution(kind, name, number, share, None, example))
    return chosen


def largest(*ranked: Sequence[Contribution]) -> list[Contribution]:
    """Return the largest contributions from several lists, largest first.

    Groups and units with the same share of the change are chosen by their share of the words: the
    smaller share of words comes first.
    """

    def weight(part: Contribution) -> float:
        return abs(part.more) * (1 - (part.size_share or 0.0) / part.share)

    parts = sorted(chain.from_iterable(ranked), key=weight, reverse=True)[:MOST]
    return sorted(parts, key=lambda part: abs(part.more), reverse=True)


def _differences(
    more: Counter[DifferenceKey], sign: int, old: ErrorRates, least: float
) -> list[_RankedDifference]:
    """Return the differences, largest first.

    All differences of a class count as one difference, and so do all small differences of a kind.
    """
    moved = [key for key, number in more.items() if sign * number > 0]
    moved.sort(key=lambda key: (-sign * more[key], key))
    lower: set[str] = set()
    if any(key.reference[:1].isupper() for key in moved):
        lower = {str(word) for words in old.aligned.references for word in words}
    names: dict[DifferenceKey, str] = {}
    for key, number in more.items():
        is_small = key.kind in _OF_KINDS and abs(number) < least
        names[key] = _class_of(key, lower) or (_OF_KINDS[key.kind] if is_small else key.title)
    members: dict[str, list[DifferenceKey]] = defaultdict(list)
    sums: Counter[str] = Counter()
    for key in moved:
        members[names[key]].append(key)
    for key, number in more.items():
        sums[names[key]] += sign * number
    rows = [(sums[name], _listed(name, keys), keys[0]) for name, keys in members.items()]
    rows.sort(key=lambda row: (-row[0], row[1]))
    return [_RankedDifference(name, sign * number, key) for number, name, key in rows if number > 0]


def _listed(name: str, keys: Sequence[DifferenceKey]) -> str:
    """Return the name of a class with its largest differences, or a single difference's title."""
    if name == keys[0].title or (len(keys) == 1 and name == _OF_KINDS.get(keys[0].kind)):
        return keys[0].title
    is_of_words = name in (ALL_LOST, ALL_INSERTED)
    titles = [key.reference or key.hypothesis if is_of_words else key.title for key in keys]
    return f"{name}: {', '.join(titles[:_NAMED])}" + ", …" * (len(titles) > _NAMED)


def _class_of(key: DifferenceKey, lower: set[str]) -> str:
    """Return the class of a difference; empty if it belongs to no class.

    A word is capitalised if its lower-case form is not in `lower`, the reference's words.
    """
    reference, hypothesis = key.reference, key.hypothesis
    if key.is_beside_number or key.has_digit:
        return NUMBERS
    if reference.casefold() in _fillers() or hypothesis.casefold() in _fillers():
        return FILLERS
    if reference and hypothesis and _letters(reference) == _letters(hypothesis):
        return SPELLING
    if reference[:1].isupper() and lower and reference.lower() not in lower:
        return CAPITALISED if reference[1:].islower() else ""
    return ""


def _letters(word: str) -> str:
    return "".join(filter(str.isalnum, word.casefold()))


@lru_cache
def _fillers() -> frozenset[str]:
    """Return the English filler words, such as "uh"."""
    return frozenset(row[0].casefold() for row in table_rows("fillers", "en"))


def _example(
    key: DifferenceKey,
    sign: int,
    index: int,
    old: ErrorRates,
    new: ErrorRates,
    common: Sequence[tuple[int, int]],
) -> ExamplePlace:
    """Return the first occurrence of a difference in an utterance, with the surrounding words."""
    a, b = common[index]
    sides = old.alignment_at(a), new.alignment_at(b)
    fold = old.rules.ignore_case
    errors = [[error for error in errors_of(side, fold) if error.key == key] for side in sides]
    worse = sides[sign > 0]
    elsewhere = {error.start for error in errors[sign < 0]}
    of_key = errors[sign > 0]
    first = next((error for error in of_key if error.start not in elsewhere), of_key[0])
    start, end = max(first.start - _CONTEXT, 0), first.end + _CONTEXT
    if key.kind in RUNS:
        last = first
        for error in of_key[of_key.index(first) :]:
            last = error if error.start <= last.end else last
        end = last.end + _CONTEXT
    reference = list(map(str, worse.reference))
    is_shared = reference == list(map(str, sides[sign < 0].reference))
    heard = [_heard(side, start, end) for side in sides]
    return ExamplePlace(
        old.identifiers[a],
        " ".join(reference[start:end]),
        heard[0] if is_shared or sign < 0 else None,
        heard[1],
    )


def _heard(alignment: Alignment, start: int, end: int) -> str:
    """Return the hypothesis words that are aligned with a range of reference words."""
    words, index = [], 0
    for edit, _, hypothesis in alignment:
        is_inserted = edit in NO_REFERENCE
        if hypothesis is not None and (
            start <= index < end or (is_inserted and start <= index <= end)
        ):
            words.append(str(hypothesis))
        index += not is_inserted
    return " ".join(words)
