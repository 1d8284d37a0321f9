"""Search for the best pair of paths through two word graphs; part of `scoring.alignment.plain`.

A graph is written as a row of words and marks. OPEN, BAR and CLOSE enclose and separate
alternatives (`{a|b|}`, where the last alternative is empty); WILDCARD_TYPE matches any words.
Several references of an utterance are joined at their common words.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate, count, pairwise
from math import floor, inf
from typing import TYPE_CHECKING, TypeAlias, Union

from formats.schema import NamedTuple
from scoring.alignment.arguments import (
    MOST_THREADS,
    buffer,
    check_overflow,
    checked_costs,
    require,
    tokens,
    whole,
)
from scoring.alignment.limits import look
from scoring.alignment.plain_joined import with_joined
from scoring.alignment.plain_network import ERRORS, NULL_WORD, WILDCARD, Draft, align_network
from scoring.model.counts import Edit

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer

# A text, or words and marks.
MarkedRow: TypeAlias = Union[str, Sequence[Union[str, int]]]  # noqa: UP007

OPEN, BAR, CLOSE, WILDCARD_TYPE, NULL_TYPE = -1, -2, -3, -4, -5
_MARKS: dict[str | int, int] = {"{": OPEN, "@": NULL_TYPE, "/": BAR, "}": CLOSE}
# sclite's costs of a word, a null word and a wildcard without a partner.
SCLITE_SINGLES = 3.0, 0.001, 3.0
# References are bits of a word.
MOST_REFERENCES = 64
# What neighbours that are written apart may match: nothing, words that are written together, and
# others written apart in other places.
COMPOUNDS = range(3)
# Utterances between two checks of the time limit.
A_WHILE = 64


class Paths(NamedTuple):
    """The chosen paths of all utterances, as buffers.

    - `whole` (int32): the reference that a path follows from start to end, otherwise -1.
    - `places`, `sources` (int32, one per word of the paths): the word's position in the references
      of the utterance, and the reference from which it comes.
    - `offsets` (int64): where the words of each utterance begin, and where the last ones end.
    - `cuts` (int32, four per wildcard on a path): the utterance, the number of path words before
      the wildcard, and the range of the hypothesis path that it matches.
    - `shortest` (int32): the number of words of the shortest path.
    - `heard` (int32), `heard_offsets` (int64): `places` and `offsets` of the hypotheses.
    - `costs` (float64): the cost of the cheapest alignment of both paths.
    """

    whole: bytes
    places: bytes
    sources: bytes
    offsets: bytes
    cuts: bytes
    shortest: bytes
    heard: bytes
    heard_offsets: bytes
    costs: bytes


class _Rules(NamedTuple):
    """The costs of edits, and the rules for ties and compounds."""

    substitution: int
    deletion: int
    insertion: int
    prefers_length: bool
    compounds: int


def best_paths(
    references: Sequence[MarkedRow],
    hypotheses: Sequence[MarkedRow],
    number: int,
    substitution: int = 1,
    deletion: int = 1,
    insertion: int = 1,
    prefers_length: bool = True,
    compounds: int = 0,
) -> Paths:
    """Return, per utterance, the cheapest pair of paths through the references and the hypothesis.

    Row u * `number` + r of `references` is reference r of utterance u: a text, which is split at
    its blanks, or a list of words and marks.

    The references of an utterance are merged into one network. They are first sorted, longer
    references before shorter ones, so that their order has no effect. Then each reference is
    aligned with the network of the preceding references at sclite's costs, and paired equal words
    become one arc.

    If several pairs of paths are equally cheap and `prefers_length` is true, those with the longest
    reference path remain; then the aligner's rules decide.

    With `compounds` 1, adjacent words on a path match, at no cost, a word of the other side that
    they spell together. With 2, they also match several words that they spell.
    """
    count = whole(number, "number", 1, MOST_REFERENCES)
    costs = checked_costs(substitution, deletion, insertion)
    kind = whole(compounds, "compounds", COMPOUNDS[0], COMPOUNDS[-1])
    require(
        len(references) == count * len(hypotheses),
        f"references: expected {count} of {len(hypotheses)} utterances, found {len(references)}",
    )
    rules = _Rules(*costs, bool(prefers_length), kind)
    return _paths(references, hypotheses, count, rules, CLOSE)


def _paths(
    references: Sequence[MarkedRow],
    hypotheses: Sequence[MarkedRow],
    count: int,
    rules: _Rules,
    last_heard: int,
) -> Paths:
    """Return the cheapest pair of paths of each utterance, through references and hypothesis.

    Hypotheses may contain marks, from OPEN to `last_heard`.
    """
    columns = _Columns._make(map(array, "iiiqiiiqd"))
    columns.offsets.append(0)
    columns.heard_offsets.append(0)
    for utterance, hypothesis in enumerate(hypotheses):
        if (utterance + 1) % A_WHILE == 0:
            look()
        rows, words = _items_of(references[utterance * count : (utterance + 1) * count], hypothesis)
        check_overflow(rules[:3], sum(map(len, rows)) + len(words))
        types, heard_types, texts = typed(rows, words, last_heard)
        draft, heard = merged_network(types), _parsed(heard_types, 0, 1, "hypotheses")
        columns.shortest.append(draft.shortest())
        if rules.compounds:
            draft, heard = with_joined(draft, heard, texts, rules.compounds)
        _choose(draft, heard, rules, columns)
    return Paths(*(column.tobytes() for column in columns))


class PathTexts(NamedTuple):
    """The words of the chosen paths of all utterances, as buffers.

    `references` and `hypotheses` are UTF-8; `reference_ends` and `hypothesis_ends` (int32) are 0
    and the end of each utterance's words. `edits`, `offsets` (int64) and `counts` (int32, four
    each) are those of sclite's alignments, as from `align_linear`, and empty for other alignments.
    `places`, `heard` and their offsets are those of `Paths`: the place of each path word among the
    words and marks.
    """

    references: bytes
    reference_ends: bytes
    hypotheses: bytes
    hypothesis_ends: bytes
    edits: bytes
    offsets: bytes
    counts: bytes
    places: bytes
    place_offsets: bytes
    heard: bytes
    heard_offsets: bytes


def best_texts(
    references: Sequence[MarkedRow],
    hypotheses: Sequence[MarkedRow],
    compared_references: Sequence[MarkedRow],
    compared_hypotheses: Sequence[MarkedRow],
    substitution: int,
    deletion: int,
    insertion: int,
    compounds: int,
    by_sclite: bool,
    threads: int,
) -> PathTexts:
    """Return the words on the cheapest paths through one reference and the hypothesis.

    Texts have alternatives in braces, `{ a / b c / @ }`, where `@` stands for no word. The compared
    sides are the same texts with the changes of normalisation, such as folded case. With
    `by_sclite`, the paths are those of sclite's alignment, which has other costs.
    """
    whole(threads, "threads", 0, MOST_THREADS)
    lefts, rights = (
        [braced_items(row) for row in side] for side in (compared_references, compared_hypotheses)
    )
    if by_sclite:
        return _by_sclite(references, hypotheses, lefts, rights)
    costs = checked_costs(substitution, deletion, insertion)
    kind = whole(compounds, "compounds", COMPOUNDS[0], COMPOUNDS[-1])
    paths = _paths(lefts, rights, 1, _Rules(*costs, False, kind), NULL_TYPE)
    left = _texts_along(references, array("i", paths.places), array("q", paths.offsets))
    right = _texts_along(hypotheses, array("i", paths.heard), array("q", paths.heard_offsets))
    ways = paths.places, paths.offsets, paths.heard, paths.heard_offsets
    return PathTexts(*left, *right, b"", array("q", [0]).tobytes(), b"", *ways)


def taken_branches(
    rows: Sequence[MarkedRow], places: ReadableBuffer, offsets: ReadableBuffer
) -> tuple[bytes, bytes]:
    """Return the alternatives (branches) that paths take through rows with braces.

    `places` (int32) and `offsets` (int64) are those of `Paths`.

    Returns two buffers. The first (int32) has three numbers for each choice on a path, from left to
    right: the number of the branch, and the start and end of its words on the path. A choice inside
    a branch comes after the choice that contains the branch. The second (int64) has the number of
    choices before each row, and their total.

    If the path has no word of a choice, the branch is the first that may be empty.
    """
    every, bounds = buffer(places, "int32", "places"), buffer(offsets, "int64", "offsets")
    require(len(bounds) == len(rows) + 1, "offsets: expected one for each row, and the end")
    branches, numbers = array("i"), array("q", [0])
    for row, (begin, end) in zip(rows, pairwise(bounds), strict=True):
        require(0 <= begin <= end <= len(every), "offsets: expected numbers that rise")
        items = braced_items(row) if isinstance(row, str) else _items(row, "rows")
        reader = _BranchReader(items, every[begin:end])
        branches.extend(number for choice in reader.branches()[0] for number in choice)
        numbers.append(len(branches) // 3)
    return branches.tobytes(), numbers.tobytes()


_Branch: TypeAlias = tuple[int, int, int]


class _BranchReader:
    """Reads the branches of a row that a path takes, given the positions of its words."""

    def __init__(self, items: Sequence[str | int], places: Sequence[int]) -> None:
        self._items, self._places = items, frozenset(places)
        self._at = self._words = 0

    def branches(self, depth: int = 0) -> tuple[list[_Branch], bool]:
        """Return the branches up to the end of the current branch, and True if it may be empty."""
        branches: list[_Branch] = []
        needs_none = True
        while self._at < len(self._items):
            item = self._items[self._at]
            if item == OPEN:
                choices, may_be_empty = self._choice(depth + 1)
                branches += choices
                needs_none = needs_none and may_be_empty
                continue
            if item in (BAR, CLOSE):
                require(depth > 0, "rows: expected a mark that opens alternatives")
                break
            self._words += self._at in self._places
            needs_none = needs_none and not isinstance(item, str)
            self._at += 1
        return branches, needs_none

    def _choice(self, depth: int) -> tuple[list[_Branch], bool]:
        begin, may_be_empty = self._words, False
        chosen: dict[bool, tuple[int, list[_Branch]]] = {}  # by whether it has words
        for number in count():
            self._at += 1
            first = self._words
            inner, needs_none = self.branches(depth)
            if self._words > first or needs_none:
                chosen.setdefault(self._words > first, (number, inner))
            may_be_empty = may_be_empty or needs_none
            expected = "rows: expected a mark that closes alternatives, found none"
            require(self._at < len(self._items), expected)
            if self._items[self._at] == CLOSE:
                break
        self._at += 1
        number, inner = chosen.get(True, chosen.get(False, (0, [])))
        return [(number, begin, self._words), *inner], may_be_empty


def _by_sclite(
    references: Sequence[MarkedRow],
    hypotheses: Sequence[MarkedRow],
    lefts: Sequence[Sequence[str | int]],
    rights: Sequence[Sequence[str | int]],
) -> PathTexts:
    places, heard, edits = array("i"), array("i"), bytearray()
    offsets, heard_offsets, edit_offsets = (array("q", [0]) for _ in range(3))
    counts = array("i")
    for utterance, (words, spoken) in enumerate(zip(lefts, rights, strict=True), 1):
        if utterance % A_WHILE == 0:
            look()
        rows, types, _ = typed([words], spoken, NULL_TYPE)
        sides = _parsed(rows[0], 0, 1), _parsed(types, 0, 1, "hypotheses")
        left, right = (side.network(*SCLITE_SINGLES) for side in sides)
        steps = array("i", align_network(left, right, 0)[0])
        begin = len(edits)
        for pair in zip(steps[::2], steps[1::2], strict=True):
            marks = [
                side.marks[arc - 1] if arc else NULL_WORD
                for side, arc in zip(sides, pair, strict=True)
            ]
            if marks == [NULL_WORD, NULL_WORD]:
                continue
            for column, side, arc in zip((places, heard), sides, pair, strict=True):
                column.extend([side.places[arc - 1]] if arc else ())
            edits.append(_edit_of(pair, left.types, right.types))
        counts.extend(map(edits[begin:].count, range(4)))
        for column, size in ((offsets, places), (heard_offsets, heard), (edit_offsets, edits)):
            column.append(len(size))
    texts = (
        *_texts_along(references, places, offsets),
        *_texts_along(hypotheses, heard, heard_offsets),
    )
    aligned = bytes(edits), edit_offsets.tobytes(), counts.tobytes()
    ways = places.tobytes(), offsets.tobytes(), heard.tobytes(), heard_offsets.tobytes()
    return PathTexts(*texts, *aligned, *ways)


def _edit_of(pair: tuple[int, int], left: Sequence[int], right: Sequence[int]) -> Edit:
    arc, facing = pair
    if not (arc and facing):
        return Edit.DELETION if arc else Edit.INSERTION
    return Edit.CORRECT if left[arc - 1] == right[facing - 1] else Edit.SUBSTITUTION


def braced_items(row: MarkedRow) -> Sequence[str | int]:
    """Return the words and marks of a text with braces; marks are numbers.

    `/` is a mark only in braces.
    """
    words = _items(row, "references")
    if not isinstance(row, str):
        return [*words]
    items: list[str | int] = []
    depth = 0
    for word in words:
        mark = _MARKS.get(word, 0)
        if mark:
            mark = 0 if mark in (BAR, CLOSE) and not depth else mark
            depth += (mark == OPEN) - (mark == CLOSE)
        items.append(mark or word)
    return items


def _texts_along(
    rows: Sequence[MarkedRow], places: Sequence[int], offsets: Sequence[int]
) -> tuple[bytes, bytes]:
    """Return the words at the given positions of each row as texts, and their ends."""
    texts: list[bytes] = []
    for row, (begin, end) in zip(rows, pairwise(offsets), strict=True):
        items = _items(row, "references")
        words = [str(items[place]) for place in places[begin:end]]
        texts.append(" ".join(words).encode("utf-8", "surrogatepass"))
    return b"".join(texts), array("i", accumulate(map(len, texts), initial=0)).tobytes()


class _Columns(NamedTuple):
    """The columns of `Paths` under construction."""

    whole: array[int]
    places: array[int]
    sources: array[int]
    offsets: array[int]
    cuts: array[int]
    shortest: array[int]
    heard: array[int]
    heard_offsets: array[int]
    costs: array[float]


def _items_of(
    references: Sequence[MarkedRow], hypothesis: MarkedRow
) -> tuple[list[Sequence[str | int]], Sequence[str | int]]:
    """Return the words and marks of an utterance's references and hypothesis."""
    return [_items(row, "references") for row in references], _items(hypothesis, "hypotheses")


def typed(
    references: Sequence[Sequence[str | int]],
    hypothesis: Sequence[str | int],
    last_heard: int = CLOSE,
) -> tuple[list[list[int]], list[int], list[str]]:
    """Return rows of numbers and the texts of words.

    Marks are negative numbers, and words are numbered from 1.
    """
    every = [*references, hypothesis]
    words = sorted({word for row in every for word in row if isinstance(word, str)})
    numbers: dict[str | int, int] = dict(zip(words, range(1, len(words) + 1), strict=True))

    def types(row: Sequence[str | int], name: str, last: int) -> list[int]:
        return [
            numbers[word] if isinstance(word, str) else whole(word, name, last, OPEN)
            for word in row
        ]

    rows = [types(row, "references", min(WILDCARD_TYPE, last_heard)) for row in references]
    return rows, types(hypothesis, "hypotheses", last_heard), words


def _items(row: MarkedRow, name: str) -> Sequence[str | int]:
    return [word for word in row.split(" ") if word] if isinstance(row, str) else tokens(row, name)


def merged_network(rows: Sequence[Sequence[int]]) -> Draft:
    """Return one network in which all references of an utterance are merged."""
    first_places, masks, place = dict[tuple[int, ...], int](), dict[tuple[int, ...], int](), 0
    for number, row in enumerate(map(tuple, rows)):
        first_places.setdefault(row, place)
        masks[row] = masks.get(row, 0) | 1 << number
        place += len(row)
    network: Draft | None = None
    for row in sorted(masks, key=lambda row: (-len(row), row)):
        draft = _parsed(row, first_places[row], masks[row])
        network = draft if network is None else _joined(network, draft)
    assert network is not None
    return network


def _parsed(row: Sequence[int], place: int, mask: int, name: str = "references") -> Draft:
    """Return the network of a row."""
    draft = Draft.empty()
    arriving, is_empty = [0], False
    stack: list[tuple[list[int], list[int]]] = []

    def add(at: int, kind: int, mark: int) -> list[int]:
        draft.types.append(kind)
        draft.places.append(at)
        draft.marks.append(mark)
        draft.before.append(dict.fromkeys(arriving, mask))
        return [len(draft.types)]

    for at, kind in enumerate(row, place):
        if kind == OPEN:
            stack.append((arriving, []))
            is_empty = True
        elif kind in (BAR, CLOSE):
            require(bool(stack), f"{name}: expected a mark that opens alternatives")
            start, ends = stack[-1]
            ends += add(at, BAR, NULL_WORD) if is_empty else arriving
            is_empty = kind == BAR
            arriving = start if is_empty else ends
            if not is_empty:
                stack.pop()
        else:
            mark = {WILDCARD_TYPE: WILDCARD, NULL_TYPE: NULL_WORD}.get(kind, 0)
            arriving = add(at, BAR if kind == NULL_TYPE else kind, mark)
            is_empty = False
    require(not stack, f"{name}: expected a mark that closes alternatives, found none")
    draft.before.append(dict.fromkeys(arriving, mask))
    return draft


def _joined(left: Draft, right: Draft) -> Draft:
    """Return two networks as one network; aligned equal words share an arc."""
    first, second = left.network(3.0, 0.001, 3.0), right.network(3.0, 0.001, 3.0)
    steps = array("i", align_network(first, second, 0)[0])
    joined = Draft.empty()
    numbers: tuple[list[int], list[int]] = [0], [0]
    sides = left, right

    def add(side: int, arc: int) -> None:
        draft = sides[side]
        joined.types.append(draft.types[arc - 1])
        joined.places.append(draft.places[arc - 1])
        joined.marks.append(draft.marks[arc - 1])
        joined.before.append({})
        numbers[side].append(len(joined.types))
        connect(side, arc)

    def connect(side: int, arc: int) -> None:
        into = joined.before[-1]
        for before, mask in sides[side].before[arc - 1].items():
            number = numbers[side][before]
            into[number] = into.get(number, 0) | mask

    ends = len(left.types) + 1, len(right.types) + 1
    for pair in [*zip(steps[::2], steps[1::2], strict=True), ends]:
        is_end = pair == ends
        if not is_end and not (all(pair) and left.types[pair[0] - 1] == right.types[pair[1] - 1]):
            continue
        for side in (0, 1):
            for arc in range(len(numbers[side]), pair[side]):
                add(side, arc)
        if is_end:
            joined.before.append({})
            connect(0, pair[0])
        else:
            add(0, pair[0])
            numbers[1].append(len(joined.types))
        connect(1, pair[1])
    return joined


def _choose(draft: Draft, heard: Draft, rules: _Rules, columns: _Columns) -> None:
    """Append the cheapest paths of an utterance to `columns`."""
    # a whole edit weighs more than any difference in length
    size = len(draft.types) + len(heard.types)
    step = 0.5 ** (size.bit_length() + 1) if rules.prefers_length else 0.0
    left = draft.network(rules.deletion - step, 0.0, 0.0)
    right = heard.network(rules.insertion + step, 0.0, inf)
    packed, cost = align_network(
        left, right, ERRORS, substitution=rules.substitution, free=rules.insertion
    )
    steps = array("i", packed)
    utterance, before = len(columns.whole), len(columns.heard)
    path: list[int] = []
    arcs: list[tuple[int, bool]] = []
    last = 0
    for arc, facing in zip(steps[::2], steps[1::2], strict=True):
        for part in _parts(draft, arc):
            last = part
            mark = draft.marks[part - 1]
            arcs.append((part, not mark))
            if mark == WILDCARD:
                place = len(columns.heard) - before
                columns.cuts.extend((utterance, len(path), place, place))
            elif not mark:
                path.append(part)
        for part in _parts(heard, facing):
            if not heard.marks[part - 1]:
                columns.heard.append(heard.places[part - 1])
        if not arc and last and draft.marks[last - 1] == WILDCARD:
            columns.cuts[-1] = len(columns.heard) - before
    sources, reference = _sources(draft, arcs)
    columns.whole.append(reference)
    columns.places.extend([draft.places[arc - 1] for arc in path])
    columns.sources.extend(sources)
    columns.offsets.append(len(columns.places))
    columns.heard_offsets.append(len(columns.heard))
    # what prefers long paths is less than half an edit
    columns.costs.append(floor(cost + 0.5))


def _parts(draft: Draft, arc: int) -> tuple[int, ...]:
    """Return the components of a joined arc; for any other arc, return the arc alone.

    The result is empty for arc 0.
    """
    return draft.parts.get(arc, (arc,)) if arc else ()


def _sources(draft: Draft, arcs: Sequence[tuple[int, bool]]) -> tuple[list[int], int]:
    """Return the source of each word of a path, and the reference that the whole path follows.

    A source is the index of a reference. It stays the same as long as the path follows this
    reference; then the first reference that has the next words is the source. If no reference has
    the whole path, the second result is -1.
    """
    sources: list[int] = []
    every = mask = -1
    last = begin = words = 0
    for arc, is_word in arcs:
        step = draft.before[arc - 1][last]
        every &= step
        if not mask & step:
            sources += [_first(mask)] * (words - begin)
            begin, mask = words, -1
        mask &= step
        words += is_word
        last = arc
    end = draft.before[-1][last]
    sources += [_first(mask & end or mask)] * (words - begin)
    return sources, _first(every & end) if every & end else -1


def _first(mask: int) -> int:
    """Return the index of the lowest set bit of a mask."""
    return (mask & -mask).bit_length() - 1
