"""Normalised cross entropy: how well the confidences of a hypothesis predict its errors."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import log, nan
from weakref import WeakKeyDictionary

from formats.schema import NamedTuple
from scoring.alignment.system import HYPOTHESIS_CONFIDENCES, System
from scoring.model.counts import NO_HYPOTHESIS, Counts, Edit

IS_RIGHT = bytes(edit in (Edit.CORRECT, Edit.SKIPPED_HYPOTHESIS) for edit in range(256))
_PER_LN2 = 1.4426950408889634074
_LOWEST = 0.0000001
_HIGHEST = 0.9999999


class ConfidenceSums(NamedTuple):
    """Sums over the words of a hypothesis, for the cross entropy."""

    words: int = 0  # how many there are
    # Sums of log2 of the confidence of the correct ones, and of log2 of 1 - confidence of the
    # others. A confidence counts as at least 0.0000001 and at most 0.9999999
    correct: float = 0.0
    incorrect: float = 0.0
    outside: int = 0  # how many confidences are below 0 or above 1


class CrossEntropies(NamedTuple):
    """Normalised cross entropy by speaker and over all words."""

    speakers: list[float]
    overall: float


class SpokenWords(NamedTuple):
    """The confidences of the hypothesis words that have a text; no others count."""

    confidences: Sequence[float]  # double per word; empty if the system has none
    begins: Sequence[int]  # per utterance, where its words begin in `confidences`
    edits: bytes  # as in `System`, with words that do not count turned into deletions


# Of every system that is there, since several reports show them.
_SUMS: WeakKeyDictionary[System, list[ConfidenceSums]] = WeakKeyDictionary()


def spoken_words(
    system: System, confidences: Sequence[float], *, all_wrong: bool = False
) -> SpokenWords:
    """Select the hypothesis words that have a text, as sclite does.

    With `all_wrong`, incorrect words without a text are also selected.
    """
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
        for slot in range(system.offsets[utterance], system.offsets[utterance + 1]):
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
    """Return True if there are utterances, and each of them has confidences."""
    seen = set(system.utterances.attributes)
    return bool(seen) and all(bits & HYPOTHESIS_CONFIDENCES for bits in seen)


def cross_entropies(
    system: System, counts: Sequence[Counts], warn: Callable[[str], None]
) -> CrossEntropies | None:
    """Return the cross entropies of a system, or None if any utterance lacks confidences."""
    confidences = system.hypothesis.confidences
    if confidences is None or not has_confidences(system):
        if any(bits & HYPOTHESIS_CONFIDENCES for bits in set(system.utterances.attributes)):
            warn("Warning: Ignoring confidence scores in output\n")
        return None
    sums = _sums_of_speakers(system)
    whole = ConfidenceSums(*(sum(column) for column in zip(*sums, strict=True)))
    everything = sum(counts, Counts())
    if whole.outside:
        warn(
            f"Warning: {whole.outside} of {everything.hypothesis_tokens} confidence scores "
            "were not in the range (0.0,1.0)\n"
        )
    return CrossEntropies(
        [_normalised(row, row_counts) for row, row_counts in zip(sums, counts, strict=True)],
        _normalised(whole, everything, default=nan),
    )


def _sums_of_speakers(system: System) -> list[ConfidenceSums]:
    """Return the sums of each speaker; several reports of one system show them."""
    sums = _SUMS.get(system)
    if sums is None:
        confidences = system.hypothesis.confidences
        assert confidences is not None
        words, groups = spoken_words(system, confidences), system.utterances_of
        sums = [_confidence_sums(words, system.offsets, group) for group in groups]
        _SUMS[system] = sums
    return sums


def _confidence_sums(
    words: SpokenWords, offsets: Sequence[int], utterances: Iterable[int]
) -> ConfidenceSums:
    """Return the sums over the words of the given utterances, in sclite's order of operations."""
    count = outside = 0
    correct = incorrect = 0.0
    for utterance in utterances:
        edits = words.edits[offsets[utterance] : offsets[utterance + 1]]
        rights = edits.translate(IS_RIGHT, bytes(NO_HYPOTHESIS))
        begin = words.begins[utterance]
        confidences = words.confidences[begin : begin + len(rights)]
        count += len(rights)
        for is_right, confidence in zip(rights, confidences, strict=True):
            if not _LOWEST <= confidence <= _HIGHEST:
                # a confidence that is not a number is not counted as outside
                outside += confidence < 0.0 or confidence > 1.0
                if confidence > _HIGHEST:
                    confidence = _HIGHEST
                if confidence < _LOWEST:
                    confidence = _LOWEST
            if is_right:
                correct += log(confidence) * _PER_LN2
            else:
                incorrect += log(1.0 - confidence) * _PER_LN2
    return ConfidenceSums(count, correct, incorrect, outside)


def _normalised(sums: ConfidenceSums, counts: Counts, default: float = 0.0) -> float:
    """Return the normalised cross entropy; `default` if there are no words.

    As in sclite, the default is 0 for a speaker and NaN for all words together. The result is NaN
    if no word, or every word, is correct.
    """
    if not sums.words:
        return default
    correct, incorrect = counts.correct, counts.substitutions + counts.insertions
    if not correct or not incorrect:
        return nan  # sclite multiplies zero by the logarithm of zero
    rate = correct / (correct + incorrect)
    entropy = -(correct * (log(rate) * _PER_LN2) + incorrect * (log(1.0 - rate) * _PER_LN2))
    return (entropy + sums.correct + sums.incorrect) / entropy
