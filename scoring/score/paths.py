"""Choice of the best paths through the word graphs of both sides."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import chain, groupby, pairwise
from typing import TYPE_CHECKING, Any

from formats.schema import NamedTuple
from scoring.alignment.compounds import core_compounds
from scoring.alignment.kernel import best_paths
from scoring.alignment.plain_references import MarkedRow, Paths
from scoring.model.counts import CHARACTERS_AND_BLANKS, UNIT_COSTS, Costs
from scoring.options import Rules
from scoring.sides.corpus import PlainTexts
from scoring.sides.rows import Ways, folded, items_of

if TYPE_CHECKING:
    from formats.schema.words import Words


class Resolved(NamedTuple):
    """The chosen paths of each utterance.

    `words` and `heard` are the chosen words of the reference and of the hypothesis. `sources` are
    the numbers (from 1) of the references of an utterance's words. `cuts` are the wildcards: the
    number of path words before a wildcard, and its range in the hypothesis. `shortest` is the
    length of the shortest path. `ways` are the paths of both sides in their rows; None with several
    references.
    """

    words: Sequence[Words]
    heard: Sequence[Words]
    sources: Sequence[tuple[int, ...]]
    cuts: dict[int, list[tuple[int, ...]]]
    shortest: Sequence[int]
    ways: tuple[Ways, Ways] | None = None


def choose_paths(
    columns: Sequence[Sequence[MarkedRow]],
    heard: Sequence[MarkedRow],
    rules: Rules,
    costs: Costs = UNIT_COSTS,
    prefers_length: bool = True,
) -> Resolved:
    """Return the cheapest pair of paths per utterance, over all references and the hypothesis."""
    count = len(columns)
    if count == 1 and (only := _without_choice(columns[0], heard)) is not None:
        return only
    rows: list[Any] = list(chain.from_iterable(zip(*columns, strict=True)))
    compared: Sequence[MarkedRow] = rows
    spoken = heard
    if rules.ignore_case:
        compared, spoken = (list(map(folded, side)) for side in (compared, spoken))
    compounds = core_compounds(rules.compounds, rules.unit)
    paths = Paths._make(best_paths(compared, spoken, count, *costs, prefers_length, compounds))
    whole, places, sources, _, cuts, shortest, said = (array("i", column) for column in paths[:7])
    are_texts = set(map(type, rows)) == {str}
    numbers = [(number,) for number in range(1, count + 1)]
    words: list[Any] = []
    chosen: list[tuple[int, ...]] = []
    for base, (begin, end), reference in zip(
        range(0, len(rows), count), pairwise(array("q", paths[3])), whole, strict=True
    ):
        row = rows[base + reference]
        if reference < 0 or not isinstance(row, str | tuple):
            every = rows[base : base + count]
            items: list[Any] = " ".join(every).split() if are_texts else items_of(*every)
            path = [items[place] for place in places[begin:end]]
            row = " ".join(path) if are_texts else tuple(path)
        words.append(row if are_texts or not isinstance(row, str) else tuple(row.split()))
        if reference < 0:
            chosen.append(tuple([source + 1 for source, _ in groupby(sources[begin:end])]))
        else:
            chosen.append(numbers[reference])
    gaps: dict[int, list[tuple[int, ...]]] = {}
    for utterance, *gap in zip(*(cuts[at::4] for at in range(4)), strict=True):
        gaps.setdefault(utterance, []).append(tuple(gap))
    told = _words_along(heard, said, array("q", paths[7]))
    ways = None
    if count == 1:
        left = Ways.of(rows, paths.places, paths.offsets)
        ways = left, Ways.of(heard, paths.heard, paths.heard_offsets)
    column = PlainTexts(words) if are_texts else words
    resolved = Resolved(column, told, chosen, gaps, shortest, ways)
    return _without_blanks(resolved) if rules.unit == CHARACTERS_AND_BLANKS else resolved


def _without_choice(rows: Sequence[MarkedRow], heard: Sequence[MarkedRow]) -> Resolved | None:
    """Return both sides unchanged if they have no alternatives; otherwise None."""
    sides: list[Sequence[Any]] = []
    for side in (rows, heard):
        if set(map(type, side)) <= {str}:
            sides.append(PlainTexts(list(side)))
            continue
        if any(isinstance(item, int) for row in side for item in items_of(row)):
            return None
        sides.append([tuple(items_of(row)) for row in side])
    words, spoken = sides
    return Resolved(words, spoken, [(1,)] * len(rows), {}, list(map(len, words)))


def _words_along(rows: Sequence[MarkedRow], places: Sequence[int], offsets: Sequence[int]) -> Any:
    """Return the words of the paths through the hypotheses."""
    if set(map(type, rows)) <= {str}:
        return PlainTexts(list(rows))
    return [
        row
        if isinstance(row, tuple)
        else tuple([items_of(row)[place] for place in places[begin:end]])
        for row, (begin, end) in zip(rows, pairwise(offsets), strict=True)
    ]


def _without_blanks(resolved: Resolved) -> Resolved:
    """Remove the blank before the first word of each path, because no word precedes it."""
    words, heard = ([path[1:] for path in side] for side in (resolved.words, resolved.heard))
    cuts = {
        row: [tuple([max(place - 1, 0) for place in gap]) for gap in gaps]
        for row, gaps in resolved.cuts.items()
    }
    shortest = [max(size - 1, 0) for size in resolved.shortest]
    return resolved._replace(words=words, heard=heard, cuts=cuts, shortest=shortest)
