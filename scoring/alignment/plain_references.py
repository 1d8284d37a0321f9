"""The best path through several references of an utterance; a part of `scoring.alignment.plain`.

References are rows of words with marks between them: OPEN, BAR and CLOSE enclose and separate
alternatives (`{a|b|}`; one without words is the empty alternative), WILDCARD_TYPE is any words.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias, Union

from scoring.alignment.arguments import require, tokens, whole
from scoring.alignment.network import Graph, Network
from scoring.alignment.plain_network import ERRORS, NULL_WORD, WILDCARD, align_network

# A text, or words and marks.
Row: TypeAlias = Union[str, Sequence[Union[str, int]]]  # noqa: UP007

OPEN, BAR, CLOSE, WILDCARD_TYPE = -1, -2, -3, -4
# References are bits of a word.
MOST_REFERENCES = 64


class Paths(NamedTuple):
    """The paths of all utterances, as buffers.

    `whole` (int32): the reference that a path follows from begin to end, otherwise -1. `places`
    (int32): of each word of the paths its place in the references of the utterance; `sources`
    (int32): the reference it was taken from; `offsets` (int64): where each utterance's words begin,
    and the end. `cuts` (int32, four each): the wildcards that paths contain: utterance, words of
    the path before it, and the range of the hypothesis that it matches. `shortest` (int32):
    words of the shortest path.
    """

    whole: bytes
    places: bytes
    sources: bytes
    offsets: bytes
    cuts: bytes
    shortest: bytes


class Draft(NamedTuple):
    """A word network under construction; arcs are numbered from 1, arc 0 is the beginning.

    `before` has the predecessors of each arc, then those of the end, and the references (bits) that
    have this step.
    """

    types: list[int]
    places: list[int]
    marks: list[int]
    before: list[dict[int, int]]

    def network(self, costs: tuple[float, float, float]) -> Network:
        """The network, with the costs of deleting a word, a null word and a wildcard."""
        offsets, predecessors = array("i", [0]), array("i")
        *steps, finals = self.before
        for arcs in steps:
            predecessors.extend(arcs)
            offsets.append(len(predecessors))
        singles = array("d", map(costs.__getitem__, self.marks))
        columns = array("i", self.types), offsets, predecessors, array("i", finals)
        return Network(*columns, bytes(self.marks), singles)

    def shortest(self) -> int:
        """Words of the shortest path."""
        words = [0]
        for mark, arcs in zip([*self.marks, NULL_WORD], self.before, strict=True):
            words.append(min(words[arc] for arc in arcs) + (not mark))
        return words[-1]


def best_paths(references: Sequence[Row], hypotheses: Sequence[Row], number: int) -> Paths:
    """The path with the fewest errors, then the longest, through the references of each utterance.

    Row u * `number` + r of `references` is reference r of utterance u: a text, cut at its blanks,
    or words and marks. The references of an utterance are sorted (longer ones first, then by marks
    and words) and merged: each is aligned with the network of those before it at sclite's costs,
    and equal words that face each other become one arc. Of equally good paths it is the first by
    the aligner's rules, whatever the order of the references.
    """
    count = whole(number, "number", 1, MOST_REFERENCES)
    require(
        len(references) == count * len(hypotheses),
        f"references: expected {count} of {len(hypotheses)} utterances, found {len(references)}",
    )
    columns = [array(code) for code in "iiiqii"]
    wholes, places, sources, ends, cuts, shortest = columns
    ends.append(0)
    for utterance, hypothesis in enumerate(hypotheses):
        rows, heard = typed(references[utterance * count : (utterance + 1) * count], hypothesis)
        draft = merged_network(rows)
        reference, path, gaps = _best(draft, heard)
        wholes.append(reference)
        for arc, source in path:
            places.append(draft.places[arc - 1])
            sources.append(source)
        ends.append(len(places))
        for gap in gaps:
            cuts.extend((utterance, *gap))
        shortest.append(draft.shortest())
    return Paths(*(column.tobytes() for column in columns))


def typed(references: Sequence[Row], hypothesis: Row) -> tuple[list[list[int]], list[int]]:
    """The rows of an utterance as types: marks, and words from 1 in their order; 0 is no word."""
    rows = [_items(row, "references") for row in references]
    words = sorted({word for row in rows for word in row if isinstance(word, str)})
    numbers: dict[str | int, int] = dict(zip(words, range(1, len(words) + 1), strict=True))
    return (
        [
            [
                numbers[word]
                if isinstance(word, str)
                else whole(word, "references", WILDCARD_TYPE, OPEN)
                for word in row
            ]
            for row in rows
        ],
        [numbers.get(word, 0) for word in _items(hypothesis, "hypotheses")],
    )


def _items(row: Row, name: str) -> Sequence[str | int]:
    return [word for word in row.split(" ") if word] if isinstance(row, str) else tokens(row, name)


def merged_network(rows: Sequence[Sequence[int]]) -> Draft:
    """The network of all references of an utterance."""
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


def _parsed(row: Sequence[int], place: int, mask: int) -> Draft:
    """The network of one reference."""
    draft = Draft([], [], [], [])
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
            require(bool(stack), "references: expected a mark that opens alternatives")
            start, ends = stack[-1]
            ends += add(at, BAR, NULL_WORD) if is_empty else arriving
            is_empty = kind == BAR
            arriving = start if is_empty else ends
            if not is_empty:
                stack.pop()
        else:
            arriving = add(at, kind, WILDCARD if kind == WILDCARD_TYPE else 0)
            is_empty = False
    require(not stack, "references: expected a mark that closes alternatives, found none")
    draft.before.append(dict.fromkeys(arriving, mask))
    return draft


def _joined(left: Draft, right: Draft) -> Draft:
    """Two networks as one, in which equal words that face each other are shared."""
    costs = 3.0, 0.001, 3.0
    steps = array("i", align_network(left.network(costs), right.network(costs), 0)[0])
    joined = Draft([], [], [], [])
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


def _best(
    draft: Draft, hypothesis: Sequence[int]
) -> tuple[int, list[tuple[int, int]], list[tuple[int, int, int]]]:
    """The reference that the best path follows, -1 for several; words and sources; wildcards."""
    # a whole edit weighs more than any difference in length
    step = 0.5 ** ((len(draft.types) + len(hypothesis)).bit_length() + 1)
    chain = Graph(array("i", hypothesis))
    heard = Network(*chain, bytes(len(hypothesis)), array("d", [1 + step] * len(hypothesis)))
    steps = array("i", align_network(draft.network((1 - step, 0.0, 0.0)), heard, ERRORS)[0])
    path: list[int] = []
    arcs: list[tuple[int, bool]] = []
    gaps: list[tuple[int, int, int]] = []
    last = place = 0
    for arc, facing in zip(steps[::2], steps[1::2], strict=True):
        if arc:
            last = arc
            arcs.append((arc, not draft.marks[arc - 1]))
            if draft.marks[arc - 1] == WILDCARD:
                gaps.append((len(path), place, place))
            elif not draft.marks[arc - 1]:
                path.append(arc)
        place += bool(facing)
        if not arc and last and draft.marks[last - 1] == WILDCARD:
            gaps[-1] = (*gaps[-1][:2], place)
    sources, reference = _sources(draft, arcs)
    return reference, list(zip(path, sources, strict=True)), gaps


def _sources(draft: Draft, arcs: Sequence[tuple[int, bool]]) -> tuple[list[int], int]:
    """The reference of each word of a path, and that of the whole path, -1 for several.

    Each reference is followed as far as possible; of several it is the first.
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
    """The lowest bit of a mask."""
    return (mask & -mask).bit_length() - 1
