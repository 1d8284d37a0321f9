"""Normalised cross entropy: how much the confidences of a hypothesis tell about its errors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import log, nan
from typing import NamedTuple, TypeVar

from scoring.alignment.arguments import buffer, decimals, whole_numbers
from scoring.alignment.system import HYPOTHESIS_CONFIDENCES, System
from scoring.model import NO_HYPOTHESIS, Counts, Edit
from scoring.native import load
from scoring.nist.report.tallies import checked_speakers, speaker_of

_Number = TypeVar("_Number", int, float)
_PER_LN2 = 1.4426950408889634074
_LOWEST = 0.0000001
_HIGHEST = 0.9999999


class ConfidenceSums(NamedTuple):
    """Sums over the words of a hypothesis."""

    words: int = 0  # how many there are
    # Sums of log2 of the confidence of the correct ones, and of log2 of 1 - confidence of the
    # others. A confidence counts as at least 0.0000001 and at most 0.9999999
    correct: float = 0.0
    incorrect: float = 0.0
    outside: int = 0  # how many confidences are not within [0, 1]


class CrossEntropies(NamedTuple):
    """Normalised cross entropy by speaker and of all words together."""

    speakers: list[float]
    overall: float


def confidence_sums(
    confidences: Sequence[float],
    begins: Sequence[int],
    edits: Sequence[int],
    edit_offsets: Sequence[int],
    speakers: Sequence[int],
    number_of_speakers: int,
) -> list[tuple[int, float, float, int]]:
    """The fields of `ConfidenceSums` for every speaker."""
    values = decimals(confidences, "confidences")
    firsts = whole_numbers(begins, "begins")
    codes = buffer(edits, "bytes", "edits").cast("B")
    offsets = whole_numbers(edit_offsets, "edit_offsets")
    owners = whole_numbers(speakers, "speakers")
    rows = [[0, 0.0, 0.0, 0] for _ in range(checked_speakers(number_of_speakers))]
    for utterance, speaker in enumerate(owners):
        row = rows[speaker_of(speaker, rows)]
        word = _item(firsts, utterance)
        begin, end = _item(offsets, utterance), _item(offsets, utterance + 1)
        if not 0 <= begin <= end <= len(codes):
            raise IndexError("an alignment lies outside the column of edits")
        for edit in codes[begin:end]:
            if edit in NO_HYPOTHESIS:
                continue
            confidence = _item(values, word)
            word += 1
            row[0] += 1
            row[3] += not 0.0 <= confidence <= 1.0
            if confidence > _HIGHEST:
                confidence = _HIGHEST
            if confidence < _LOWEST:
                confidence = _LOWEST
            if edit == Edit.CORRECT or edit == Edit.SKIPPED_HYPOTHESIS:
                row[1] += log(confidence) * _PER_LN2
            else:
                row[2] += log(1.0 - confidence) * _PER_LN2
    return [(int(words), correct, wrong, int(outside)) for words, correct, wrong, outside in rows]


def _item(column: Sequence[_Number], place: int) -> _Number:
    if not 0 <= place < len(column):
        raise IndexError("a column is shorter than expected")
    return column[place]


class SpokenWords(NamedTuple):
    """The words of a hypothesis whose confidences count: all but those without a text."""

    confidences: Sequence[float]  # double per word; empty if the system has none
    begins: Sequence[int]  # per utterance, where its words begin in `confidences`
    edits: bytes  # as in `System`, with words that do not count turned into deletions


def spoken_words(
    system: System, confidences: Sequence[float], *, all_wrong: bool = False
) -> SpokenWords:
    """Leave out words without a text, as sclite does wherever confidences count."""
    words = system.hypothesis
    empty = {number for number, word in enumerate(system.vocabulary.types) if not word.text}
    if not empty or empty.isdisjoint(words.types):
        return SpokenWords(confidences, words.begins, system.edits)
    kept: list[float] = []
    begins: list[int] = []
    edits = bytearray(system.edits)
    for utterance in range(len(system)):
        begins.append(len(kept))
        position = words.begins[utterance]
        for slot in range(system.edit_offsets[utterance], system.edit_offsets[utterance + 1]):
            if edits[slot] in NO_HYPOTHESIS:
                continue
            wrong = edits[slot] in (Edit.SUBSTITUTION, Edit.INSERTION)
            if words.types[position] in empty and not (all_wrong and wrong):
                edits[slot] = Edit.DELETION
            else:
                kept.append(confidences[position])
            position += 1
    return SpokenWords(kept, begins, bytes(edits))


def has_confidences(system: System) -> bool:
    """Whether every utterance has confidences, and there is an utterance."""
    seen = set(system.utterances.attributes)
    return bool(seen) and all(bits & HYPOTHESIS_CONFIDENCES for bits in seen)


def cross_entropies(
    system: System, counts: Sequence[Counts], warn: Callable[[str], None]
) -> CrossEntropies | None:
    """The cross entropies of a system, or None if some utterance has no confidences."""
    confidences = system.hypothesis.confidences
    if confidences is None or not has_confidences(system):
        if any(bits & HYPOTHESIS_CONFIDENCES for bits in set(system.utterances.attributes)):
            warn("Warning: Ignoring confidence scores in output\n")
        return None
    native = load("blocks")
    summed = native.confidence_sums if native else confidence_sums
    words = spoken_words(system, confidences)
    rows = summed(
        words.confidences,
        words.begins,
        words.edits,
        system.edit_offsets,
        system.utterances.speakers,
        len(system.speakers),
    )
    sums = [ConfidenceSums(*row) for row in rows]
    whole = ConfidenceSums(*(sum(column) for column in zip(*sums, strict=True)))
    everything = sum(counts, Counts())
    if whole.outside:
        warn(
            f"Warning: {whole.outside} of {everything.hypothesis_tokens} confidence scores "
            "were not in the range (0.0,1.0)\n"
        )
    return CrossEntropies(
        [_normalised(row, own) for row, own in zip(sums, counts, strict=True)],
        _normalised(whole, everything, default=nan),
    )


def _normalised(sums: ConfidenceSums, counts: Counts, default: float = 0.0) -> float:
    """The cross entropy; `default` without any word (0 for a speaker, not a number for all)."""
    if not sums.words:
        return default
    correct, incorrect = counts.correct, counts.substitutions + counts.insertions
    if not correct or not incorrect:
        return nan  # sclite multiplies zero by the logarithm of zero
    rate = correct / (correct + incorrect)
    entropy = -(correct * (log(rate) * _PER_LN2) + incorrect * (log(1.0 - rate) * _PER_LN2))
    return (entropy + sums.correct + sums.incorrect) / entropy
