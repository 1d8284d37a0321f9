"""Align the matched utterances of two corpora, each pair once; all numbers derive from that."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from scoring.alignment.kernel import TIE_NUMBERS, align_text_pairs, align_token_pairs
from scoring.alignment.results import Alignments, CountsTable
from scoring.model.counts import Alignment
from scoring.model.errors import InputError
from scoring.options import Rules, profile_named
from scoring.sides.corpus import NO_PARTNER, Corpus, PlainTexts, Words, is_column, words_at

# Pairs that are aligned between two reports of progress.
PART = 10_000


class Sides(NamedTuple):
    """Both sides, and their alignment where that is there already."""

    reference: Corpus
    hypothesis: Corpus
    aligned: Alignments | None = None


def align_words(
    references: Sequence[Words], hypotheses: Sequence[Words], rules: Rules, threads: int
) -> Alignments:
    """Align utterances of plain words."""
    if rules.compounds == "regions":
        from scoring.score.compounds import join_regions

        references, hypotheses = join_regions(references, hypotheses, rules.ignore_case)
    profile = profile_named(rules.profile)
    prices = *profile.costs, TIE_NUMBERS[profile.ties], threads
    align: Callable[..., tuple[bytes, Any, bytes]] = align_token_pairs
    choices: tuple[Any, ...] = prices
    columns: tuple[Any, Any] = references, hypotheses
    left: Sequence[Any] = references
    right: Sequence[Any] = hypotheses
    if is_column(references) and is_column(hypotheses):
        align, choices = type(columns[0]).aligned_with, (rules.ignore_case, prices)
    elif rules.ignore_case:
        left, right = (
            [tuple(map(str.casefold, words)) for words in side] for side in (left, right)
        )
    elif isinstance(references, PlainTexts) and isinstance(hypotheses, PlainTexts):
        align, left, right = align_text_pairs, references.rows, hypotheses.rows
    edits, places, counts = _aligned(align, left, right, choices)
    aligned = Alignments(references, hypotheses, edits, places, CountsTable(counts), profile.costs)
    if not rules.compounds:
        return aligned
    from scoring.score.compounds import merge_compounds

    return merge_compounds(aligned, rules)


def _aligned(
    align: Callable[..., tuple[bytes, Any, bytes]],
    left: Sequence[Any],
    right: Sequence[Any],
    choices: tuple[Any, ...],
) -> tuple[bytes, array[int], bytes]:
    """Align all pairs in one call, or in parts while progress is shown."""
    size = max(len(left), 1)
    if size > PART:
        from formats.io.progress import is_heard, tell

        size = PART if is_heard() else size
    if size >= len(left):
        edits, offsets, counts = align(left, right, *choices)
        return edits, array("q", offsets), counts
    places = array("q", [0])
    pieces: list[tuple[bytes, bytes]] = []
    for begin in range(0, len(left), size):
        tell("aligning", begin, len(left))
        part = range(begin, min(begin + size, len(left)))
        sides = (words_at(side, part) for side in (left, right))
        edits, offsets, counts = align(*sides, *choices)
        base = places[-1]
        places.extend(base + offset for offset in array("q", offsets)[1:])
        pieces.append((edits, counts))
    all_edits, all_counts = (b"".join(column) for column in zip(*pieces, strict=True))
    return all_edits, places, all_counts


def align_corpora(
    reference: Corpus, hypothesis: Corpus, partners: Sequence[int], rules: Rules, threads: int
) -> Alignments:
    """Align each reference with its partner; one without is aligned with nothing."""
    words = hypothesis.words
    in_order = range(len(words))
    same = partners == in_order or list(partners) == list(in_order)
    hypotheses = words if same else words_at(words, partners)
    plain = align_words(reference.words, hypotheses, rules, threads)
    # the references whose words, or whose partner's, are not a plain sequence
    special: list[int] = []
    for side, is_in_order in ((reference, True), (hypothesis, same)):
        rows = sorted(side.special)
        everywhere = enumerate(partners if rows else ())
        for position, row in zip(rows, rows, strict=True) if is_in_order else everywhere:
            segment = side.special.get(row)
            if segment is None or not (segment.alternations or rules.forgive_optional):
                continue
            if rules.profile != "sclite" or rules.unit != "word" or rules.compounds:
                problem = (
                    f"expected plain words with profile {rules.profile} and unit {rules.unit}"
                    f"{', without merging compounds' * bool(rules.compounds)}, "
                    f"found alternatives or optional words in {side.identifiers[row]!r}: they "
                    "are defined with profile sclite and unit word"
                )
                raise InputError(side.name, side.lines[row], None, problem)
            special.append(position)
    if not special:
        return plain
    return _with_choices(plain, reference, hypothesis, partners, special, rules)


def best_by_words(
    reference: Corpus, hypothesis: Corpus, partners: Sequence[int], rules: Rules
) -> tuple[Corpus, Corpus]:
    """Both sides with one of each alternatives, as the best alignment of words takes them.

    For units smaller than words, in which alternatives cannot be aligned.
    """
    rules = rules._replace(unit="word", profile="sclite")
    rows = [
        {row for row, segment in side.special.items() if segment.alternations}
        for side in (reference, hypothesis)
    ]
    chosen: list[dict[int, Words]] = [{}, {}]
    for row, partner in enumerate(partners):
        if row not in rows[0] and partner not in rows[1]:
            continue
        left = reference.select([row])
        right = hypothesis.select([partner] if partner >= 0 else [])
        aligned = align_corpora(left, right, [0 if partner >= 0 else NO_PARTNER], rules, 1)[0]
        for number, place, words in ((0, row, aligned.reference), (1, partner, aligned.hypothesis)):
            if place in rows[number]:
                chosen[number][place] = tuple(words)
    left, right = map(_with_words, (reference, hypothesis), chosen)
    return left, right


def _with_words(side: Corpus, chosen: dict[int, Words]) -> Corpus:
    """A side with these words in place of alternatives."""
    if not chosen:
        return side
    words: list[Words] = list(side.words)
    for row, best in chosen.items():
        words[row] = best
    note = (
        f"note: {side.name}: alternatives in {len(chosen)} utterances: of each, the best "
        "alignment of words takes one, which is cut in units"
    )
    special = {row: item for row, item in side.special.items() if row not in chosen}
    return side._replace(words=words, special=special, remarks=(*side.remarks, note))


def _with_choices(
    plain: Alignments,
    reference: Corpus,
    hypothesis: Corpus,
    partners: Sequence[int],
    special: Sequence[int],
    rules: Rules,
) -> Alignments:
    """The same alignments, those of some utterances made anew with their alternatives."""
    from formats.schema.words import Token
    from scoring.score.choices import align_choices

    fold = str.casefold if rules.ignore_case else str
    chosen: dict[int, Alignment] = {}
    for position in special:
        left, right = reference.special.get(position), hypothesis.special.get(partners[position])
        chosen[position] = align_choices(
            tuple(map(Token, plain.references[position]) if left is None else left.items()),
            tuple(map(Token, plain.hypotheses[position]) if right is None else right.items()),
            fold,
            rules.forgive_optional,
        )
    return plain.amended(chosen)
