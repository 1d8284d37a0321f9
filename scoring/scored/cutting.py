"""Whole recordings aligned exactly, and the alignment cut at the segments of the reference.

Each word of the hypothesis goes to the segment of the reference word it is paired with; an inserted
word to the segment of the reference word before it in the path, before the first to the first
segment. So the errors of segments add up to those of the recording.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, TypeAlias

from scoring.alignment.results import Alignments, CountsTable
from scoring.alignment.sequences import align_batch
from scoring.model import NO_HYPOTHESIS, NO_REFERENCE, UNIT_COSTS, Counts, Edit
from scoring.options import Rules
from scoring.scored.aligned import Sides, align_corpora
from scoring.sides.account import NO_PARTNER
from scoring.sides.corpus import Corpus, Words

if TYPE_CHECKING:
    from formats.model import Segment
    from formats.words import Alternation
    from scoring.matching.identifier import Cut

# Normalises a side and cuts it in units; the second argument is `reference` or `hypothesis`.
Prepare: TypeAlias = Callable[[Corpus, str], Corpus]


def cut_recordings(
    reference: Corpus,
    hypothesis: Corpus,
    cut: Cut,
    prepare: Prepare,
    rules: Rules,
    threads: int,
    by_suber: bool = False,
) -> Sides:
    """Align whole recordings and cut both sides and the alignment at the reference's segments.

    Texts are normalised as a whole, so that the score does not depend on where they are cut. With
    `by_suber` both sides are cut along the alignment of SubER's tool, and are not aligned yet.
    """
    left, right = prepare(reference, "reference"), prepare(hypothesis, "hypothesis")
    aligned = align_corpora(left, right, cut.partners, rules, threads)
    segments = prepare(cut.segments, "reference")
    edits: list[bytes] = []
    texts: tuple[list[Words], list[Words]] = [], []
    names: list[str] = []
    words: list[Words] = []
    sources: list[Segment] = []
    first = 0
    for row, (size, partner) in enumerate(zip(cut.sizes, cut.partners, strict=True)):
        segment_range = slice(first, first + size)
        first += size
        spoken, heard = aligned.references[row], aligned.hypotheses[row]
        path = _suber_path(spoken, heard) if by_suber else aligned.edits_of(row)
        places = _places(path, _starts(segments.words[segment_range], spoken))
        edits += [path[begin:end] for begin, end in pairwise(places)]
        bounds = [_consumed(path, places, without) for without in (NO_REFERENCE, NO_HYPOTHESIS)]
        for side, whole, borders in zip(texts, (spoken, heard), bounds, strict=True):
            side += [tuple(whole[begin:end]) for begin, end in pairwise(borders)]
        if partner == NO_PARTNER:
            continue
        names += segments.identifiers[segment_range]
        words += texts[1][segment_range]
        if hypothesis.segments:
            whole_segment = hypothesis.segments[partner]
            sources += _shares(whole_segment, heard, bounds[1][:-1], hypothesis, prepare)
    matched = set(cut.partners)
    rest = right.select([row for row in range(len(right.identifiers)) if row not in matched])
    right_side = right._replace(
        identifiers=[*names, *rest.identifiers],
        speakers=[*([None] * len(names)), *rest.speakers],
        words=[*words, *rest.words],
        lines=[*([None] * len(names)), *rest.lines],
        special={},
        segments=[*sources, *rest.segments],
    )
    # the alignment holds the chosen alternatives
    left_side = segments._replace(words=texts[0], special={})
    return Sides(left_side, right_side, None if by_suber else _alignments(texts, edits, aligned))


def _suber_path(spoken: Words, heard: Words) -> bytes:
    """The edits of two texts without case and punctuation, with the ties of SubER's tool."""
    from scoring.alignment.direction import direction_edits
    from scoring.measures.suber import plain_word

    sides = ([plain_word(word, True) for word in side] for side in (spoken, heard))
    return direction_edits(*sides)


def _alignments(
    sides: tuple[list[Words], list[Words]], edits: Sequence[bytes], whole: Alignments
) -> Alignments:
    counts = array("i")
    for path in edits:
        counts.extend(Counts.of(path))
    return Alignments(
        *sides,
        b"".join(edits),
        array("q", accumulate(map(len, edits), initial=0)),
        CountsTable(counts.tobytes()),
        whole.costs,
    )


def _places(path: bytes, starts: Sequence[int]) -> list[int]:
    """Where each part of the reference begins in a path, and where the last one ends.

    >>> _places(bytes([Edit.INSERTION, 0, 0, Edit.INSERTION, 0]), [0, 2])
    [0, 4, 5]
    """
    places = [index for index, edit in enumerate(path) if edit not in NO_REFERENCE]
    places.append(len(path))
    return [0, *(places[start] for start in starts[1:]), len(path)]


def _consumed(path: bytes, places: Sequence[int], without: frozenset[Edit]) -> list[int]:
    """The number of words of a side before each position of a path."""
    words = list(accumulate((edit not in without for edit in path), initial=0))
    return [words[index] for index in places]


def _starts(parts: Sequence[Words], whole: Words) -> list[int]:
    """Where each part begins in a text that nearly equals all parts together.

    >>> _starts([("a",), (), ("b", "c")], ("a", "b", "c"))
    [0, 1, 1]
    >>> _starts([("a", "twenty"), ("five", "c")], ("a", "25", "c"))
    [0, 1]
    """
    starts = list(accumulate(map(len, parts), initial=0))[:-1]
    words = tuple(chain.from_iterable(parts))
    if words == tuple(whole):
        return starts
    path = align_batch([words], [whole], costs=UNIT_COSTS).edits_of(0)
    return _consumed(path, _places(path, starts)[:-1], NO_HYPOTHESIS)


def _shares(
    whole: Segment, heard: Words, starts: Sequence[int], hypothesis: Corpus, prepare: Prepare
) -> list[Segment]:
    """The words of a recording as read, each in the part of its normalised words."""
    from formats.model import Segment
    from formats.words import Token

    items = list(whole.items())
    texts = [
        item.text if isinstance(item, Token) else " ".join(token.text for token in item.tokens())
        for item in items
    ]
    different = list(dict.fromkeys(texts))
    single = hypothesis._replace(
        identifiers=different, words=[tuple(text.split()) for text in different], special={}
    )
    prepared = dict(zip(different, prepare(single, "hypothesis").words, strict=True))
    shares: list[list[Token | Alternation]] = [[] for _ in starts]
    for item, start in zip(items, _starts([prepared[text] for text in texts], heard), strict=True):
        shares[max(bisect_right(starts, min(start, len(heard) - 1)) - 1, 0)].append(item)
    return [Segment.from_items("-", share) for share in shares]
