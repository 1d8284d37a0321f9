"""Joined arcs, for adjacent words that together spell words of the other side.

Such an arc represents several words, its parts. It matches, at no cost, only words with the same
spelling.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, product

from scoring.alignment.limits import look
from scoring.alignment.plain_network import JOINED, JOINED_ALIKE, NULL_WORD, Draft

# Arcs one after the other, null words among them, and what they spell.
Spelled = tuple[tuple[int, ...], str]


def with_joined(
    left: Draft, right: Draft, texts: Sequence[str], compounds: int
) -> tuple[Draft, Draft]:
    """Return both networks with joined arcs.

    `texts` has the text of each word type, numbered from 1.

    With `compounds` 1, adjacent words match one word of the other side; with 2, also several words
    that they spell.
    """
    [first], [second] = with_all_joined([left], [right], texts, compounds)
    return first, second


def with_all_joined(
    lefts: Sequence[Draft], rights: Sequence[Draft], texts: Sequence[str], compounds: int
) -> tuple[list[Draft], list[Draft]]:
    """Return the networks of both sides with joined arcs, so that any two networks can be aligned.

    Only adjacent words within a network are joined. The arguments are those of `with_joined`.
    """
    numbers = {text: number for number, text in enumerate(texts, 1)}
    sides = [[_TextGraph(draft, texts) for draft in drafts] for drafts in (lefts, rights)]
    joined: list[list[set[Spelled]]] = [[set() for _ in side] for side in sides]
    for (i, left), (j, right) in product(*map(enumerate, sides)):
        into = joined[0][i], joined[1][j]
        if compounds == 1:
            into[0].update(_words(left, right))
            into[1].update(_words(right, left))
            continue
        for pair in _regions(left, right):
            for every, spelled in zip(into, pair, strict=True):
                if len(spelled[0]) > 1:
                    every.add(spelled)
    mark = JOINED if compounds == 1 else JOINED_ALIKE
    for every in chain.from_iterable(joined):
        for _, text in sorted(every):
            numbers.setdefault(text, len(numbers) + 1)
    first, second = (
        [
            _with_arcs(draft, sorted(every), numbers, mark)
            for draft, every in zip(drafts, own, strict=True)
        ]
        for drafts, own in zip((lefts, rights), joined, strict=True)
    )
    return first, second


class _TextGraph:
    """A network, and the words that may follow each arc."""

    def __init__(self, draft: Draft, texts: Sequence[str]) -> None:
        self.draft = draft
        self.after: list[list[int]] = [[] for _ in draft.before]
        for arc, before in enumerate(draft.before[:-1], 1):
            for other in before:
                self.after[other].append(arc)
        self.texts = {
            arc: texts[kind - 1]
            for arc, (kind, mark) in enumerate(zip(draft.types, draft.marks, strict=True), 1)
            if not mark
        }

    def longer(self, arcs: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """Yield each path that is one word longer than `arcs`.

        If there are null words before the new word, they are also new in the path.
        """
        for arc in self.after[arcs[-1]]:
            if arc in self.texts:
                yield (*arcs, arc)
            elif self.draft.marks[arc - 1] == NULL_WORD:
                yield from self.longer((*arcs, arc))


def _words(parts: _TextGraph, whole: _TextGraph) -> Iterator[Spelled]:
    """Yield adjacent words of one side that spell a word of the other side."""
    words = set(whole.texts.values())
    for begin, first in parts.texts.items():
        look()
        longer = {word for word in words if word.startswith(first) and word != first}
        spelled: list[Spelled] = [((begin,), first)] if longer else []
        while spelled:
            arcs, text = spelled.pop()
            if text in longer:
                yield arcs, text
            for more in parts.longer(arcs):
                together = text + parts.texts[more[-1]]
                if any(word.startswith(together) for word in longer):
                    spelled.append((more, together))


def _regions(left: _TextGraph, right: _TextGraph) -> Iterator[tuple[Spelled, Spelled]]:
    """Yield adjacent words with equal spelling on both sides, at least two words on one side.

    Of the regions with the same start, only the shortest are yielded.
    """
    for begin, first in left.texts.items():
        look()
        for start, other in right.texts.items():
            pairs: list[tuple[Spelled, Spelled]] = [(((begin,), first), ((start,), other))]
            while pairs:
                (arcs, ours), (facing, theirs) = pairs.pop()
                if ours == theirs:
                    if len(arcs) + len(facing) > 2:
                        yield (arcs, ours), (facing, theirs)
                elif theirs.startswith(ours):
                    pairs += [
                        ((more, ours + left.texts[more[-1]]), (facing, theirs))
                        for more in left.longer(arcs)
                    ]
                elif ours.startswith(theirs):
                    pairs += [
                        ((arcs, ours), (more, theirs + right.texts[more[-1]]))
                        for more in right.longer(facing)
                    ]


def _with_arcs(
    draft: Draft, joined: Sequence[Spelled], numbers: dict[str, int], mark: int
) -> Draft:
    """Return the network with an arc for each joined word, numbered after the arcs of its parts."""
    made = Draft.empty()
    new = [0]  # the number of each old arc
    beside: dict[int, list[int]] = {}  # the joined arcs that end where an arc ends
    ends: dict[int, list[Spelled]] = {}
    for spelled in joined:
        ends.setdefault(spelled[0][-1], []).append(spelled)

    def connect(arc: int) -> None:
        into: dict[int, int] = {}
        for before, mask in draft.before[arc - 1].items():
            for other in (new[before], *beside.get(before, ())):
                into[other] = mask
        made.before.append(into)

    def add(kind: int, place: int, mark: int, arc: int) -> int:
        connect(arc)
        made.types.append(kind)
        made.places.append(place)
        made.marks.append(mark)
        return len(made.types)

    for arc, (kind, place, own) in enumerate(
        zip(draft.types, draft.places, draft.marks, strict=True), 1
    ):
        new.append(add(kind, place, own, arc))
        for arcs, text in ends.get(arc, ()):
            number = add(numbers[text], place, mark, arcs[0])
            made.parts[number] = tuple([new[part] for part in arcs])
            beside.setdefault(arc, []).append(number)
    connect(len(draft.types) + 1)
    return made
