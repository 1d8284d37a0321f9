"""Align the matched utterances of two corpora, each pair once."""

from __future__ import annotations

from itertools import accumulate, pairwise

from formats.schema import NamedTuple, lazy_pattern
from scoring.alignment.kernel import (
    TIE_NUMBERS,
    align_character_pairs,
    align_text_pairs,
    align_token_pairs,
    character_distances,
)
from scoring.alignment.results import Alignments, CountedAlignments, CountsTable, is_column
from scoring.model.counts import (
    CHARACTER_UNITS,
    CHARACTERS_AND_BLANKS,
    NO_HYPOTHESIS,
    NO_REFERENCE,
    UNIT_COSTS,
    Edit,
)
from scoring.options import Rules, profile_named
from scoring.sides.corpus import CharacterTexts, Corpus, PlainTexts, words_at

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from typing import Any

    from formats.schema.messages import Message
    from formats.schema.words import Words
    from scoring.results.forgiven import Forgiveness
    from scoring.score.paths import Resolved
    from scoring.sides.rows import ChosenWays, Ways

# Pairs whose offsets are a list: `array` and what it loads take a short run 1 ms.
FEW = 1_000
# Pairs that are aligned between two reports of progress.
PART = 10_000
# Utterances with errors that are looked at for what may mislead.
SEEN = 400
# The share of the shorter side's words below which poor agreement is looked into.
POOR_AGREEMENT = 0.35
# Words of a text that is long enough for a doubt, and how many times as many words as the
# reference a hypothesis of another recording may have.
WORDS_OF_TEXT, TIMES_AS_LONG = 20, 3
# Letters that may be garbled ones or those of another script, HTML's references, scripts without
# blanks between words.
_SUSPICIOUS = lazy_pattern(
    "[\u00c2-\u00f4][^\\x00-\\x7f]|&#?[a-zA-Z0-9]{1,31};|[\u0370-\u052f\u0e00-\u109f"
    "\u1780-\u17ff\u3040-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
# Of words on the wrong side of a border between segments: deleted here, inserted next door.
_KINDS = Edit.DELETION, Edit.INSERTION
_ABSENT = NO_REFERENCE, NO_HYPOTHESIS  # edits without a word of each side
_MOST = 200  # words without partner at a border that are compared


class Sides(NamedTuple):
    """Both sides of a score.

    The alignment and the forgiven differences are set if they are already known, otherwise None.
    """

    reference: Corpus
    hypothesis: Corpus
    aligned: Alignments | None = None
    forgiveness: Forgiveness | None = None

    def of_references(self, rows: Sequence[int], reference: Corpus | None = None) -> Sides:
        """Return the sides with some utterances of the reference; the hypothesis stays whole.

        `reference` is the reference with these utterances, if it is known.
        """
        return Sides(
            self.reference.select(rows) if reference is None else reference,
            self.hypothesis,
            None if self.aligned is None else self.aligned.select(rows),
            None if self.forgiveness is None else self.forgiveness.select(rows),
        )


def align_words(
    references: Sequence[Words], hypotheses: Sequence[Words], rules: Rules, threads: int
) -> Alignments:
    """Return the alignments of utterances that consist of plain words."""
    if rules.compounds and rules.unit == CHARACTERS_AND_BLANKS:
        from scoring.alignment.compounds import join_compounds

        references, hypotheses = join_compounds(
            references, hypotheses, rules.compounds, rules.ignore_case
        )
    elif rules.compounds == "regions":
        from scoring.alignment.compounds import join_regions

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
    elif isinstance(references, CharacterTexts) and isinstance(hypotheses, CharacterTexts):
        align, left, right = align_character_pairs, references.rows, hypotheses.rows
        if profile.costs == UNIT_COSTS and not rules.compounds:
            counted = character_distances(left, right)
            from functools import partial

            later = partial(_aligned, align, left, right, choices)
            return CountedAlignments(references, hypotheses, counted, later, profile.costs)
    edits, places, counts = _aligned(align, left, right, choices)
    aligned = Alignments(references, hypotheses, edits, places, CountsTable(counts), profile.costs)
    if not rules.compounds:
        return aligned
    from scoring.alignment.compounds import has_compounds, merge_compounds

    if not has_compounds(rules.compounds, rules.unit):
        return aligned

    return merge_compounds(aligned, rules.compounds, rules.ignore_case)


def _aligned(
    align: Callable[..., tuple[bytes, Any, bytes]],
    left: Sequence[Any],
    right: Sequence[Any],
    choices: tuple[Any, ...],
) -> tuple[bytes, Sequence[int], bytes]:
    """Align all pairs; return their edits, offsets and counts.

    The aligner is called once or, if progress is shown, several times.
    """
    size = max(len(left), 1)
    if size > PART:
        from formats.io.progress import is_heard, tell

        size = PART if is_heard() else size
    if size >= len(left):
        edits, offsets, counts = align(left, right, *choices)
        if len(left) == 1:
            return edits, (0, len(edits)), counts
        if len(left) <= FEW:
            return edits, list(memoryview(offsets).cast("B").cast("q")), counts
        from array import array

        return edits, array("q", offsets), counts
    from array import array

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


def align_chosen(resolved: Resolved, rules: Rules, threads: int) -> Alignments:
    """Align the chosen words of both sides.

    The words between two wildcards are aligned separately.
    """
    if not resolved.cuts:
        return align_words(resolved.words, resolved.heard, rules, threads)
    pieces: tuple[list[Words], list[Words]] = [], []
    bounds = [0]
    for row, sides in enumerate(zip(resolved.words, resolved.heard, strict=True)):
        gaps = resolved.cuts.get(row, ())
        ends = (
            [bound for gap in gaps for bound in (gap[0], gap[0])],
            [bound for gap in gaps for bound in gap[1:]],
        )
        for words, places, into in zip(sides, ends, pieces, strict=True):
            all_places = [0, *places, len(words)]
            into += [words[b:e] for b, e in zip(all_places[::2], all_places[1::2], strict=True)]
        bounds.append(len(pieces[0]))
    return align_words(*pieces, rules, threads).joined_at(bounds)


def align_corpora(
    reference: Corpus, hypothesis: Corpus, partners: Sequence[int], rules: Rules, threads: int
) -> tuple[Alignments, ChosenWays]:
    """Align each reference with its hypothesis; a reference without hypothesis is all deletions.

    Also returns the chosen branches of utterances with alternatives.
    """
    words = hypothesis.words
    in_order = range(len(words))
    same = partners == in_order or list(partners) == list(in_order)
    hypotheses = words if same else words_at(words, partners)
    plain = align_words(reference.words, hypotheses, rules, threads)
    if not (reference.special or hypothesis.special):
        return plain, ()
    from scoring.score.choices import choose

    chosen: list[tuple[Sequence[int], tuple[Ways, Ways]]] = []
    for rows, found, ways in choose(plain, reference, hypothesis, partners, rules, threads):
        if not isinstance(found, Alignments):
            found = align_chosen(found, rules, threads)
        plain = plain.overlaid(rows, found)
        if ways is not None:
            chosen.append((rows, ways))
    return plain, chosen


def wrong_rows(aligned: Alignments, step: int = 1) -> list[int]:
    """Return the indices of utterances with errors.

    With `step`, examine only every `step`-th one.
    """
    if isinstance(aligned, CountedAlignments):
        return [row for row in range(0, len(aligned), step) if aligned.distances[row]]
    numbers = aligned.counts.numbers
    return [
        row
        for row in range(0, len(aligned), step)
        if numbers[4 * row + 1] or numbers[4 * row + 2] or numbers[4 * row + 3]
    ]


def texts_of(side: Sequence[Words], rows: Sequence[int], unit: str) -> list[str]:
    """Return the texts of the given utterances, in words or characters."""
    if isinstance(side, (PlainTexts, CharacterTexts)):
        return [side.rows[row] for row in rows]
    if is_column(side):
        texts = side.texts.texts  # type: ignore[attr-defined]
        return [texts(row, row + 1)[0] or "" for row in rows]
    joint = "" if unit in CHARACTER_UNITS else " "
    return [joint.join(side[row]) for row in rows]


def may_mislead(aligned: Alignments, unit: str) -> bool:
    """Return True if few words match, or if letters may be garbled (see `scoring.score.doubts`).

    Only a sample of a long result is examined.
    """
    if disagrees(aligned):
        return True
    rows = [*range(len(aligned))[:1], *wrong_rows(aligned, sample_step(aligned))[:SEEN]]
    for side in (aligned.references, aligned.hypotheses):
        text = "\n".join(texts_of(side, rows, unit))
        if may_be_garbled(text):
            return True
    return False


def disagrees(aligned: Alignments) -> bool:
    """Return True if few words of both sides match, or if the hypothesis is far longer."""
    if isinstance(aligned, CountedAlignments):
        lengths = aligned.reference_tokens, aligned.hypothesis_tokens
        if aligned.fewest_correct >= POOR_AGREEMENT * min(lengths):
            return is_far_longer(*lengths)  # without an alignment
    correct, substitutions, deletions, insertions = aligned.counts.total()
    paired = correct + substitutions
    lengths = paired + deletions, paired + insertions
    return correct < POOR_AGREEMENT * min(lengths) or is_far_longer(*lengths)


def is_far_longer(words: int, heard: int) -> bool:
    """Return True if the hypothesis has several times as many words as a reference of some length.

    >>> is_far_longer(24, 89), is_far_longer(24, 60)
    (True, False)
    """
    return words >= WORDS_OF_TEXT and heard >= TIMES_AS_LONG * words


def may_be_garbled(text: str) -> bool:
    """Return True if a text has letters that may be garbled or that belong to unusual scripts."""
    return (not text.isascii() or "&" in text) and _SUSPICIOUS.search(text) is not None


def sample_step(aligned: Alignments) -> int:
    """Return the sampling interval for the utterances of a long result."""
    return -(-len(aligned) // (2 * SEEN)) or 1


def runs_of(runs: Sequence[int], kept: Sequence[int]) -> list[int]:
    """Return the lengths of runs of adjacent utterances after rows are removed.

    `runs` has the lengths before, and `kept` the rows that are not removed.

    >>> runs_of([2, 3], [0, 1, 4])
    [2, 1]
    """
    from bisect import bisect_left

    ends = [bisect_left(kept, end) for end in accumulate(runs, initial=0)]
    return [end - begin for begin, end in pairwise(ends)]


def words_across(aligned: Alignments, runs: Sequence[int], ignore_case: bool = False) -> int:
    """Count words that one segment lacks and the next segment has in excess, or the reverse.

    Words are compared in order between the last correct word of a segment and the first correct
    word of the next. `runs` are the lengths of runs of utterances that follow each other in time.

    >>> from scoring.alignment.sequences import align
    >>> from scoring.alignment.results import Alignments
    >>> pairs = [align(["a", "b", "c"], ["a", "b"]), align(["d"], ["c", "d"]), align(["c"], [])]
    >>> words_across(Alignments.of(pairs), [2, 1])
    1
    """
    _, _, deletions, insertions = aligned.counts.columns()
    number = 0
    for begin, end in pairwise(accumulate(runs, initial=0)):
        for row in range(begin, end - 1):
            if (deletions[row] and insertions[row + 1]) or (insertions[row] and deletions[row + 1]):
                before = _unpaired(aligned, row, True)
                after = _unpaired(aligned, row + 1, False)
                if ignore_case:
                    before, after = _folded(before), _folded(after)
                number += _in_common(before[0], after[1]) + _in_common(before[1], after[0])
    return number


def _unpaired(aligned: Alignments, row: int, is_end: bool) -> tuple[Words, Words]:
    """Return the deleted and inserted words at the end (or the beginning) of an utterance."""
    path, sides = aligned.edits_of(row), (aligned.references[row], aligned.hypotheses[row])
    begin, end = path.rfind(Edit.CORRECT) + 1, len(path)
    if not is_end:
        begin, end = 0, path.find(Edit.CORRECT) if begin else end
    found: list[Words] = []
    for kind, without, words in zip(_KINDS, _ABSENT, sides, strict=True):
        edits = [edit for edit in path if edit not in without]
        first = sum(edit not in without for edit in path[:begin])
        last = first + sum(edit not in without for edit in path[begin:end])
        found.append(tuple(words[place] for place in range(first, last) if edits[place] == kind))
    return found[0], found[1]


def remark_on_borders(
    aligned: Alignments, runs: Sequence[int], name: str, ignore_case: bool
) -> Iterator[Message]:
    """Yield a remark if words seem to be on the wrong side of a segment border."""
    words = words_across(aligned, runs, ignore_case)
    if words:
        from scoring.score.messages import ACROSS_BORDERS, Message

        errors = aligned.counts.total().errors
        yield Message(
            ACROSS_BORDERS, {"path": name, "words": words, "errors": 2 * words, "all": errors}
        )


def _folded(sides: tuple[Words, Words]) -> tuple[Words, Words]:
    deleted, inserted = (tuple(map(str.casefold, words)) for words in sides)
    return deleted, inserted


def _in_common(left: Words, right: Words) -> int:
    """Return the length of the longest common subsequence of two short word sequences."""
    lengths = [0] * (len(right[:_MOST]) + 1)
    for word in left[:_MOST]:
        above = lengths[:]
        for column, other in enumerate(right[:_MOST], 1):
            longest = max(above[column], lengths[column - 1])
            lengths[column] = above[column - 1] + 1 if word == other else longest
    return lengths[-1]
