"""Which predicted phonemes belong to which reference words, and what has no partner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scoring.matching.identifier import Matching, partners_of
from scoring.matching.in_common import in_common
from scoring.sides.account import Account, Listed
from scoring.sides.corpus import Corpus


class Matched(NamedTuple):
    """Both sides with identifiers.

    Attributes
    ----------
    by
        `identifier`, `recording`, `position`, `time` or `file`.
    ignored_words
        Predicted phonemes in segments the reference says not to score.
    pairs
        Which belongs to which.
    """

    reference: Corpus
    hypothesis: Corpus
    by: str
    ignored_words: int
    pairs: Matching


def matched(
    reference: Corpus, hypothesis: Corpus, missing: str | None, allow_unmatched: bool
) -> Matched:
    """Match two sides as `scoring.wer` does.

    Raises
    ------
    InputError, MatchingError
        As `scoring.matching.identifier.partners_of`.
    """
    reference, hypothesis, by, ignored = in_common(reference, hypothesis)
    pairs = partners_of(reference, hypothesis, by, missing, allow_unmatched)
    return Matched(reference, hypothesis, by, ignored, pairs)


def account_of(found: Matched, missing: Sequence[int], skipped: Sequence[int]) -> Account:
    """What became of the utterances; "words" of the hypothesis are phonemes.

    Parameters
    ----------
    missing
        The references without hypothesis to be told of.
    skipped
        Those left out for that.
    """
    reference, hypothesis, pairs = found.reference, found.hypothesis, found.pairs
    extra = pairs.hypothesis_only
    return Account(
        found.by,
        len(reference.identifiers),
        len(hypothesis.identifiers),
        len(reference.identifiers) - len(pairs.reference_only),
        Listed.of([reference.identifiers[at] for at in missing]),
        Listed.of([hypothesis.identifiers[at] for at in extra]),
        sum(len(hypothesis.words[at]) for at in extra),
        sum(len(reference.words[at]) for at in skipped),
        found.ignored_words,
        reference.repeated + hypothesis.repeated,
    )
