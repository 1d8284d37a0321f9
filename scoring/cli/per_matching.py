"""Which predicted phonemes belong to which reference words, and what has no partner."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from scoring.error_rate.account import Account
from scoring.error_rate.corpus import Corpus
from scoring.error_rate.in_common import in_common
from scoring.errors import InputError
from scoring.matching import Listed, Matching, MatchingError, first_repeated, match


class Matched(NamedTuple):
    """Both sides with identifiers.

    Attributes
    ----------
    by
        `identifier`, `time` or `file`.
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


def matched(reference: Corpus, hypothesis: Corpus, *, all_must_match: bool) -> Matched:
    """Match two sides by identifier, without any by time, or as whole files.

    Raises
    ------
    InputError
        If an identifier stands twice.
    MatchingError
        If nothing matches, or something has no partner and that is not allowed.
    """
    reference, hypothesis, by, ignored = in_common(reference, hypothesis)
    for side in (reference, hypothesis):
        _refuse_repeated(side)
    pairs = match(reference.identifiers, hypothesis.identifiers)
    _refuse_unmatched(reference, hypothesis, pairs, all_must_match)
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


def _refuse_repeated(side: Corpus) -> None:
    repeated = first_repeated(side.identifiers)
    if repeated is not None:
        first, second = repeated
        raise InputError(
            side.name,
            side.lines[second],
            None,
            f"expected an identifier not used before, found {side.identifiers[second]!r}, "
            f"which stands at {side.place(first)} already",
        )


def _refuse_unmatched(
    reference: Corpus, hypothesis: Corpus, pairs: Matching, all_must_match: bool
) -> None:
    missing = Listed.of([reference.identifiers[at] for at in pairs.reference_only])
    extra = Listed.of([hypothesis.identifiers[at] for at in pairs.hypothesis_only])
    if (
        missing.number == len(reference.identifiers) > 0
        and extra.number == len(hypothesis.identifiers) > 0
    ):
        raise MatchingError(
            f"{hypothesis.name}: expected identifiers of {reference.name}, such as "
            f"{missing.identifiers[0]!r}, found others only, such as {extra.identifiers[0]!r}"
        )
    if all_must_match and missing.number:
        raise MatchingError(
            f"{hypothesis.name}: expected a hypothesis for every reference of {reference.name}, "
            f"found none for {missing}"
        )
    if all_must_match and extra.number:
        raise MatchingError(
            f"{hypothesis.name}: expected identifiers of {reference.name} only, found others, "
            f"{extra}"
        )
