"""Alignment of texts as in jiwer, with jiwer's measures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any, NamedTuple, TypeAlias

from scoring.alignment.kernel import (
    align_text_pairs,
    align_token_pairs,
    character_distances,
    count_token_pairs,
    sum_counts,
    text_kind,
    tie_number,
)
from scoring.model.counts import UNIT_COSTS, Counts, Edit
from scoring.peers.jiwer.transformations import cer_default, wer_default

__all__ = [
    "AlignmentChunk",
    "CharacterOutput",
    "WordOutput",
    "process_characters",
    "process_words",
]

Texts: TypeAlias = str | list[str]
Transform: TypeAlias = Callable[[Any], Any]
Words: TypeAlias = list[list[str]]

_PRICES = (*UNIT_COSTS, tie_number("rapidfuzz"), 1)
PRINTABLE = 2  # the `text_kind` of printable ASCII; greater ones are, too
_TYPES = {
    Edit.CORRECT: "equal",
    Edit.SUBSTITUTION: "substitute",
    Edit.DELETION: "delete",
    Edit.INSERTION: "insert",
}


@dataclass
class AlignmentChunk:
    """A run of words with the same kind of edit: `equal`, `substitute`, `insert` or `delete`."""

    type: str
    ref_start_idx: int
    ref_end_idx: int
    hyp_start_idx: int
    hyp_end_idx: int

    def __post_init__(self) -> None:
        if self.type not in {"replace", "insert", "delete", "equal", "substitute"}:
            raise ValueError(f"type: expected {', '.join(_TYPES.values())}, found {self.type!r}")
        if self.type == "replace":
            self.type = "substitute"
        for side in ("ref", "hyp"):
            start, end = getattr(self, f"{side}_start_idx"), getattr(self, f"{side}_end_idx")
            if start > end:
                raise ValueError(f"{side}_start_idx={start} is larger than {side}_end_idx={end}")


@dataclass
class WordOutput:
    """Words of both sides, alignments and measures; each list has one element per text."""

    references: Words
    hypotheses: Words
    alignments: list[list[AlignmentChunk]]
    wer: float
    mer: float
    wil: float
    wip: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


@dataclass
class CharacterOutput:
    """Characters of both sides, alignments and measures; each list has one element per text."""

    references: Words
    hypotheses: Words
    alignments: list[list[AlignmentChunk]]
    cer: float
    hits: int
    substitutions: int
    insertions: int
    deletions: int


class Measures(NamedTuple):
    """jiwer's measures, computed from counts.

    If references are empty, the measures have the values that jiwer gives them.
    """

    wer: float
    mer: float
    wil: float
    wip: float

    @classmethod
    def of(cls, counts: Counts) -> Measures:
        """Return jiwer's measures for counts of errors."""
        spoken, heard = counts.reference_tokens, counts.hypothesis_tokens
        if not spoken:
            wip: float = 0 if heard else 1
            return cls(counts.insertions, 1 - wip, 1 - wip, wip)
        errors = float(counts.errors)
        wip = (counts.correct / spoken) * (counts.correct / heard) if heard else 0
        return cls(errors / spoken, errors / (spoken + counts.insertions), 1 - wip, wip)


def process_words(
    reference: Texts,
    hypothesis: Texts,
    reference_transform: Transform = wer_default,
    hypothesis_transform: Transform = wer_default,
) -> WordOutput:
    """Align the words of equally many references and hypotheses.

    Raises ValueError if a transform does not return a list of lists of strings, or if the sides
    have different numbers of texts.

    >>> output = process_words("the cat sat", "the bat sat")
    >>> [chunk.type for chunk in output.alignments[0]]
    ['equal', 'substitute', 'equal']
    """
    sides = transformed(reference, hypothesis, reference_transform, hypothesis_transform)
    edits, offsets, numbers = align_token_pairs(*sides, *_PRICES)
    counts = _sum(numbers)
    return WordOutput(
        *sides,
        list(_chunks(edits, memoryview(offsets).cast("q").tolist())),
        **Measures.of(counts)._asdict(),
        hits=counts.correct,
        substitutions=counts.substitutions,
        insertions=counts.insertions,
        deletions=counts.deletions,
    )


def process_characters(
    reference: Texts,
    hypothesis: Texts,
    reference_transform: Transform = cer_default,
    hypothesis_transform: Transform = cer_default,
) -> CharacterOutput:
    """Align the characters of equally many references and hypotheses; blanks are characters.

    >>> process_characters("a cat", "a bat").cer
    0.2
    """
    output = process_words(reference, hypothesis, reference_transform, hypothesis_transform)
    return CharacterOutput(
        references=output.references,
        hypotheses=output.hypotheses,
        alignments=output.alignments,
        cer=output.wer,
        hits=output.hits,
        substitutions=output.substitutions,
        insertions=output.insertions,
        deletions=output.deletions,
    )


def measured(
    reference: Texts | None,
    hypothesis: Texts | None,
    reference_transform: Transform,
    hypothesis_transform: Transform,
) -> Measures:
    """Return the measures of both sides; no alignment is built."""
    texts = _plain_texts(reference, hypothesis)
    if texts is not None and reference_transform is hypothesis_transform is wer_default:
        # these words are cut at blanks
        return Measures.of(_sum(align_text_pairs(*texts, *_PRICES)[2]))
    sides = transformed(reference, hypothesis, reference_transform, hypothesis_transform)
    return Measures.of(_sum(count_token_pairs(*sides, *_PRICES)))


def character_rate(
    reference: Texts | None,
    hypothesis: Texts | None,
    reference_transform: Transform,
    hypothesis_transform: Transform,
) -> float:
    """Return the character error rate of `process_characters`; no alignment is built."""
    texts = _plain_texts(reference, hypothesis)
    if texts is not None and reference_transform is hypothesis_transform is cer_default:
        stripped = ([text.strip() for text in side] for side in texts)
        _, errors, spoken, _ = character_distances(*stripped)
        return errors / spoken if spoken else errors
    return measured(reference, hypothesis, reference_transform, hypothesis_transform).wer


def _plain_texts(
    reference: Texts | None, hypothesis: Texts | None
) -> tuple[list[str], list[str]] | None:
    """Return both sides as lists of texts; None if any text is not printable ASCII."""
    left, right = ([side] if isinstance(side, str) else side for side in (reference, hypothesis))
    if not (isinstance(left, list) and isinstance(right, list) and len(left) == len(right) > 0):
        return None
    return (left, right) if min(text_kind(left), text_kind(right)) >= PRINTABLE else None


def _sum(numbers: bytes) -> Counts:
    return Counts(*sum_counts(memoryview(numbers).cast("i"))[:4])


def transformed(
    reference: Texts | None,
    hypothesis: Texts | None,
    reference_transform: Transform,
    hypothesis_transform: Transform,
) -> tuple[Words, Words]:
    """Apply the transforms; return both sides as lists of word lists, one per text."""
    sides = (
        _words(reference, reference_transform, "reference"),
        _words(hypothesis, hypothesis_transform, "hypothesis"),
    )
    if len(sides[0]) != len(sides[1]):
        raise ValueError(
            "After applying the transforms on the reference and hypothesis sentences, "
            "their lengths must match. "
            f"Instead got {len(sides[0])} reference and {len(sides[1])} hypothesis sentences."
        )
    return sides


def _words(texts: Texts | None, transform: Transform, side: str) -> Words:
    words = transform([texts] if isinstance(texts, str) else texts)
    if not (
        isinstance(words, list)
        and all(isinstance(text, list) for text in words)
        and all(isinstance(word, str) for text in words for word in text)
    ):
        raise ValueError(
            f"After applying the transformation, each {side} should be a "
            "list of strings, with each string being a single word or character."
            "Please ensure the given transformation reduces the input "
            "to a list of list strings."
        )
    return words


def _chunks(edits: bytes, offsets: list[int]) -> Iterator[list[AlignmentChunk]]:
    """Yield, for each alignment, its runs of equal edits.

    `offsets` are the positions in `edits` at which the alignments begin.
    """
    for start, end in pairwise(offsets):
        chunks, reference, hypothesis = [], 0, 0
        for edit, run in groupby(edits[start:end]):
            size = len(list(run))
            spoken = reference + (size if edit != Edit.INSERTION else 0)
            heard = hypothesis + (size if edit != Edit.DELETION else 0)
            chunks.append(AlignmentChunk(_TYPES[Edit(edit)], reference, spoken, hypothesis, heard))
            reference, hypothesis = spoken, heard
        yield chunks
