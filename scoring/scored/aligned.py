"""Align the matched utterances of two corpora, each pair once; all numbers derive from that."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from itertools import accumulate, chain
from typing import NamedTuple

from scoring.alignment.batch import CountsTable
from scoring.alignment.kernel import align_text_pairs, align_token_pairs
from scoring.alignment.sequences import tie_number
from scoring.errors import InputError
from scoring.model import Alignment
from scoring.options import Rules, profile_named
from scoring.sides.account import NO_PARTNER
from scoring.sides.corpus import Corpus, PlainTexts, Words


class Aligned(NamedTuple):
    """Alignments in columns.

    Attributes
    ----------
    references, hypotheses
        The words of each utterance that took part; where there were alternatives those taken.
    edits, offsets
        `edits[offsets[u]:offsets[u + 1]]` are the `Edit` bytes of utterance u.
    counts
        Of each utterance.
    """

    references: Sequence[Words]
    hypotheses: Sequence[Words]
    edits: bytes
    offsets: Sequence[int]
    counts: CountsTable

    def edits_of(self, utterance: int) -> bytes:
        """The `Edit` bytes of an utterance."""
        return bytes(self.edits[self.offsets[utterance] : self.offsets[utterance + 1]])

    def only(self, positions: Sequence[int]) -> Aligned:
        """The alignments of some utterances, in this order."""
        pieces = list(map(self.edits_of, positions))
        counts = array("i", chain.from_iterable(map(self.counts.__getitem__, positions)))
        return Aligned(
            [self.references[at] for at in positions],
            [self.hypotheses[at] for at in positions],
            b"".join(pieces),
            array("q", accumulate(map(len, pieces), initial=0)),
            CountsTable(counts.tobytes()),
        )

    def part(self, begin: int, end: int) -> Aligned:
        """The alignments from one position to another."""
        base = self.offsets[begin]
        return Aligned(
            self.references[begin:end],
            self.hypotheses[begin:end],
            bytes(self.edits[base : self.offsets[end]]),
            [offset - base for offset in self.offsets[begin : end + 1]],
            self.counts[begin:end],
        )


def concatenated(parts: Sequence[Aligned]) -> Aligned:
    """The alignments of several parts, one after the other."""
    offsets = array("q", [0])
    for part in parts:
        base = offsets[-1]
        offsets.extend([base + offset for offset in part.offsets[1:]])
    return Aligned(
        [words for part in parts for words in part.references],
        [words for part in parts for words in part.hypotheses],
        b"".join([bytes(part.edits) for part in parts]),
        offsets,
        CountsTable(b"".join([bytes(part.counts.array) for part in parts])),
    )


def in_columns(alignments: Sequence[Alignment]) -> Aligned:
    """Alignments that were made one by one."""
    offsets = array("q", [0])
    for one in alignments:
        offsets.append(offsets[-1] + len(one.edits))
    counts = array("i", [number for one in alignments for number in one.counts()])
    return Aligned(
        [tuple(one.reference) for one in alignments],
        [tuple(one.hypothesis) for one in alignments],
        b"".join([bytes(one.edits) for one in alignments]),
        offsets,
        CountsTable(counts.tobytes()),
    )


class Sides(NamedTuple):
    """Both sides, and their alignment where that is there already."""

    reference: Corpus
    hypothesis: Corpus
    aligned: Aligned | None = None


def align_words(
    references: Sequence[Words], hypotheses: Sequence[Words], rules: Rules, threads: int
) -> Aligned:
    """Align utterances of plain words.

    Parameters
    ----------
    threads
        At most this many; the result does not depend on it.
    """
    profile = profile_named(rules.profile)
    prices = *profile.costs, tie_number(profile.ties), threads
    left, right = references, hypotheses
    if rules.ignore_case:
        left, right = (
            [tuple(map(str.casefold, words)) for words in side] for side in (left, right)
        )
    if isinstance(left, PlainTexts) and isinstance(right, PlainTexts):
        edits, offsets, counts = align_text_pairs(left.texts, right.texts, *prices)
    else:
        edits, offsets, counts = align_token_pairs(left, right, *prices)
    # an array, unlike a view of the bytes, can be pickled
    places = array("q")
    places.frombytes(offsets)
    return Aligned(references, hypotheses, edits, places, CountsTable(counts))


def align_corpora(
    reference: Corpus, hypothesis: Corpus, partners: Sequence[int], rules: Rules, threads: int
) -> Aligned:
    """Align each reference with its partner; one without is aligned with nothing.

    Raises
    ------
    InputError
        If there are alternatives, and the rules are not sclite's for words.
    """
    words = hypothesis.words
    if list(partners) == list(range(len(words))):
        hypotheses: Sequence[Words] = words
    else:
        hypotheses = [() if at == NO_PARTNER else words[at] for at in partners]
    special = _special(reference, hypothesis, partners, rules)
    plain = align_words(reference.words, hypotheses, rules, threads)
    if not special:
        return plain
    if rules.profile != "sclite" or rules.unit != "word":
        side, position = next(
            (side, at)
            for pair in special
            for side, at in zip((reference, hypothesis), pair, strict=True)
            if at in side.special
        )
        raise InputError(
            side.name,
            side.lines[position],
            None,
            f"expected plain words with profile {rules.profile} and unit {rules.unit}, found "
            f"alternatives or optional words in {side.identifiers[position]!r}: they are defined "
            "with profile sclite and unit word",
        )
    return _with_choices(plain, reference, hypothesis, special, rules)


def _special(
    reference: Corpus, hypothesis: Corpus, partners: Sequence[int], rules: Rules
) -> list[tuple[int, int]]:
    def counts(corpus: Corpus, position: int) -> bool:
        segment = corpus.special.get(position)
        if segment is None:
            return False
        return bool(segment.alternations) or rules.forgive_optional

    if not reference.special and not hypothesis.special:
        return []
    return [
        (at, partner)
        for at, partner in enumerate(partners)
        if counts(reference, at) or counts(hypothesis, partner)
    ]


def _with_choices(
    plain: Aligned,
    reference: Corpus,
    hypothesis: Corpus,
    special: Sequence[tuple[int, int]],
    rules: Rules,
) -> Aligned:
    """The same alignments, those of some utterances made anew with their alternatives."""
    from formats.words import Token
    from scoring.scored.choices import align_choices

    fold = str.casefold if rules.ignore_case else str
    references, hypotheses = list(plain.references), list(plain.hypotheses)
    pieces: list[bytes] = []
    lengths = array("q", [b - a for a, b in zip(plain.offsets, plain.offsets[1:], strict=False)])
    counts = array("i", bytes(plain.counts.array))
    done = 0
    for at, partner in special:
        own = reference.special.get(at)
        other = hypothesis.special.get(partner)
        chosen = align_choices(
            tuple(map(Token, references[at])) if own is None else tuple(own.items()),
            tuple(map(Token, hypotheses[at])) if other is None else tuple(other.items()),
            fold,
            rules.forgive_optional,
        )
        pieces += [plain.edits[plain.offsets[done] : plain.offsets[at]], chosen.edits]
        done = at + 1
        lengths[at] = len(chosen.edits)
        counts[4 * at : 4 * at + 4] = array("i", chosen.counts)
        references[at], hypotheses[at] = chosen.reference, chosen.hypothesis
    pieces.append(plain.edits[plain.offsets[done] :])
    offsets = array("q", [0])
    for length in lengths:
        offsets.append(offsets[-1] + length)
    return Aligned(references, hypotheses, b"".join(pieces), offsets, CountsTable(counts.tobytes()))
