"""Alignment of whole recordings, which is then cut at the segments of one side."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, chain, pairwise
from typing import TYPE_CHECKING, TypeAlias

from scoring.alignment.results import Alignments
from scoring.alignment.sequences import align_batch
from scoring.model.counts import NO_HYPOTHESIS, NO_REFERENCE, UNIT_COSTS, Alignment, Edit
from scoring.options import CutMode, Rules
from scoring.results.forgiven import Forgiveness, Listed, WrittenPaths, in_parts, written_paths
from scoring.score.aligned import Sides, align_corpora
from scoring.sides.corpus import NO_PARTNER, Corpus, joined_side

if TYPE_CHECKING:
    from formats.schema.model import Segment
    from formats.schema.words import Alternation, Token, Words
    from scoring.results.written import Taken
    from scoring.sides.matching import Cut
    from scoring.sides.rows import ChosenWays

# Normalises a side and cuts it in units; the second argument is `reference` or `hypothesis`.
Prepare: TypeAlias = Callable[[Corpus, str], Corpus]
ROLES = ("reference", "hypothesis")
_ABSENT = (NO_REFERENCE, NO_HYPOTHESIS)  # edits without a word of each side


def cut_recordings(
    reference: Corpus,
    hypothesis: Corpus,
    cut: Cut,
    prepare: Prepare,
    rules: Rules,
    threads: int,
    mode: CutMode | None = None,
) -> Sides:
    """Align whole recordings, then cut both sides and the alignment at the segments of one side.

    Texts are normalised as a whole, so that the score does not depend on the cuts. With
    `plain-alignment`, both sides are cut like in SubER's tool and are not aligned yet. With
    `hypothesis`, the cuts are at the segments of the hypothesis.
    """
    is_plain, own = mode == "plain-alignment", int(mode == "hypothesis")
    other = 1 - own
    read = reference, hypothesis
    left, right = map(prepare, read, ROLES)
    aligned, ways = align_corpora(left, right, cut.partners, rules, threads)
    segments = prepare(cut.segments, ROLES[own])
    edits: list[bytes] = []
    texts: tuple[list[Words], list[Words]] = [], []
    speakers: list[str | None] = []
    shares: list[Segment] = []  # of the other side
    present: list[int] = []
    forgiven: list[tuple[int, Taken]] = []
    written = _written_paths(left, right, cut.partners, rules, ways)
    for row, (size, partner) in enumerate(zip(cut.sizes, cut.partners, strict=True)):
        parts = range(len(speakers), len(speakers) + size)
        speakers += [left.speakers[row] if own else None] * size
        both = aligned.references[row], aligned.hypotheses[row]
        path = _suber_path(*both) if is_plain else aligned.edits_of(row)
        starts = _starts_of_parts(segments, parts, both[own])
        places = _places(path, starts, _ABSENT[own])
        edits += [path[begin:end] for begin, end in pairwise(places)]
        bounds = [_consumed(path, places, without) for without in _ABSENT]
        forgiven += _forgiven_in_parts(written, row, both, bounds, parts)
        for side, whole, borders in zip(texts, both, bounds, strict=True):
            side += [tuple(whole[begin:end]) for begin, end in pairwise(borders)]
        if partner != NO_PARTNER:
            present += parts
        if read[other].segments:
            place = row if own else partner
            shared = read[other].segments[place] if place != NO_PARTNER else None
            shares += _shares(shared, both[other], bounds[other], read[other], prepare, other)
    # the alignment holds the chosen alternatives
    kept = segments._replace(words=texts[own], special={})
    made = (left, right)[other]._replace(
        identifiers=segments.identifiers,
        speakers=speakers,
        words=texts[other],
        lines=[None] * len(speakers),
        special={},
        segments=shares,
    )
    matched = set(cut.partners)
    rest = right.select([row for row in range(len(right.identifiers)) if row not in matched])
    sides = (made, kept) if own else (kept, made)
    cut_sides = sides[0], joined_side([sides[1].select(present), rest._replace(special={})])
    forgiveness = _forgiveness(forgiven, len(speakers))
    if is_plain:
        return Sides(*cut_sides, None, forgiveness)
    columns = zip(edits, *texts, strict=True)
    pairs = [Alignment(path, spoken, heard, 0.0) for path, spoken, heard in columns]
    return Sides(*cut_sides, Alignments.of(pairs, aligned.costs), forgiveness)


def _written_paths(
    left: Corpus, right: Corpus, partners: Sequence[int], rules: Rules, ways: ChosenWays
) -> WrittenPaths | None:
    """Return both sides with their alternatives; None if neither side has any."""
    has_choices = left.special or right.special
    return written_paths([left], right, partners, rules, ways=ways) if has_choices else None


def _forgiven_in_parts(
    written: WrittenPaths | None,
    row: int,
    chosen: tuple[Words, Words],
    bounds: Sequence[Sequence[int]],
    parts: range,
) -> Iterator[tuple[int, Taken]]:
    """Yield the forgiven places of a recording, each with the index of its segment."""
    if written is not None:
        borders = dict(zip(ROLES, bounds, strict=True))
        for part, place in in_parts(written.places(row, *map(tuple, chosen)), borders):
            yield parts[part], place


def _forgiveness(forgiven: Iterable[tuple[int, Taken]], number: int) -> Forgiveness | None:
    """Return the forgiven places of the utterances; None if there are none."""
    places: dict[int, list[Taken]] = {}
    for row, place in forgiven:
        places.setdefault(row, []).append(place)
    return Forgiveness.of(Listed(number, places)) if places else None


def _suber_path(spoken: Words, heard: Words) -> bytes:
    """Return the edits between two texts; case and punctuation are ignored.

    Ties are resolved as in SubER.
    """
    from scoring.alignment.direction import direction_edits
    from scoring.measures.suber import plain_word

    sides = ([plain_word(word, True) for word in side] for side in (spoken, heard))
    return direction_edits(*sides)


def _places(
    path: bytes, starts: Sequence[int], without: frozenset[Edit] = NO_REFERENCE
) -> list[int]:
    """Return the positions in `path` where parts begin, and the end of `path`.

    Each part begins at a word; `starts` are the indices of these words.

    >>> _places(bytes([Edit.INSERTION, 0, 0, Edit.INSERTION, 0]), [0, 2])
    [0, 4, 5]
    """
    places = [index for index, edit in enumerate(path) if edit not in without]
    places.append(len(path))
    return [0, *(places[start] for start in starts[1:]), len(path)]


def _consumed(path: bytes, places: Sequence[int], without: frozenset[Edit]) -> list[int]:
    """Return for each position in `places` how many edits precede it in `path`.

    Skip edits in `without`.
    """
    words = list(accumulate((edit not in without for edit in path), initial=0))
    return [words[index] for index in places]


def _starts(parts: Sequence[Words], whole: Words) -> list[int]:
    """Return the position where each part begins in a text that nearly equals the joined parts.

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


def _starts_of_parts(segments: Corpus, rows: range, whole: Words) -> list[int]:
    """Return the position in `whole`, a recording's chosen words, where each segment begins."""
    starts = _starts_of_choices(segments, rows, whole)
    return _starts(segments.words[rows.start : rows.stop], whole) if starts is None else starts


def _starts_of_choices(side: Corpus, rows: range, whole: Words) -> list[int] | None:
    """Return the position of each part among the chosen words; None without alternatives.

    Also return None if the text no longer has the words of the parts, as after normalisation.
    """
    if side.special.keys().isdisjoint(rows):
        return None
    from formats.schema.words import Token

    begins: list[dict[int, int]] = []  # of each part, from the places that it may end at
    reached: Iterable[int] = [0]
    for row in rows:
        special = side.special.get(row)
        items = map(Token, side.words[row]) if special is None else special.items()
        part = list(items)
        begins.append({end: begin for begin in reached for end in _ends(part, whole, {begin})})
        reached = begins[-1]
    places = [len(whole)]
    for part_begins in reversed(begins):
        if places[-1] not in part_begins:
            return None
        places.append(part_begins[places[-1]])
    return places[:0:-1]


def _ends(items: Iterable[Token | Alternation], whole: Words, begins: set[int]) -> set[int]:
    """Return the positions in `whole` where `items` may end if they begin at one of `begins`."""
    from formats.schema.words import Token

    ends = begins
    for item in items:
        if isinstance(item, Token):
            after = {end + 1 for end in ends if whole[end : end + 1] == (item.text,)}
            ends = after | ends if item.optional else after
        else:
            ends = {end for branch in item.branches for end in _ends(branch, whole, ends)}
    return ends


def _shares(
    whole: Segment | None,
    scored: Words,
    bounds: Sequence[int],
    side: Corpus,
    prepare: Prepare,
    role: int,
) -> list[Segment]:
    """Divide the words of a recording as read.

    `bounds` are positions among its normalised words.
    """
    from formats.schema.model import Segment
    from formats.schema.words import Token

    if whole is None:
        return [Segment("-", ())] * (len(bounds) - 1)
    items = list(whole.items())
    texts = [
        item.text if isinstance(item, Token) else " ".join(token.text for token in item.tokens())
        for item in items
    ]
    different = list(dict.fromkeys(texts))
    single = side._replace(
        identifiers=different, words=[tuple(text.split()) for text in different], special={}
    )
    prepared = dict(zip(different, prepare(single, ROLES[role]).words, strict=True))
    begins = bounds[:-1]
    shares: list[list[Token | Alternation]] = [[] for _ in begins]
    for item, start in zip(items, _starts([prepared[text] for text in texts], scored), strict=True):
        shares[max(bisect_right(begins, min(start, len(scored) - 1)) - 1, 0)].append(item)
    name = "-" if role else whole.recording
    return [Segment.from_items(name, share) for share in shares]
