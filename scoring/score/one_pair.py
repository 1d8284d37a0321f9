"""Two texts scored by the defaults, whose plan is always the same."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from msgspec import structs

from scoring.options import Options, Rules
from scoring.score.aligned import align_words, may_mislead
from scoring.score.plan import CHARACTERS, WORDS, ScorePlan, plan_of
from scoring.score.rates import ErrorRates
from scoring.sides.corpus import Account, Basis, CharacterTexts, Corpus, InputFile, RowNumbers
from scoring.sides.given import listed, warning_of_file_names
from scoring.sides.matching.identifier import POSITION

_ONE = RowNumbers(range(1))
_FILES = InputFile("<reference>"), InputFile("<hypothesis>")
_ACCOUNT = Account(POSITION, 1, 1, 1)


@lru_cache(maxsize=2)
def _plan(is_of_characters: bool) -> tuple[ScorePlan, Rules]:
    """Return the plan of the defaults, and its rules as in the result."""
    plan = plan_of(Options(), usual=CHARACTERS if is_of_characters else WORDS)
    return plan, structs.replace(plan.rules, matched_by=POSITION)


def score_pair(reference: str, hypothesis: str, usual: Mapping[str, Any]) -> ErrorRates | None:
    """Return what `scoring.score.score.score` returns; None if there is something to warn of."""
    both = reference + hypothesis
    if ("." in both or "/" in both or os.sep in both) and warning_of_file_names(
        reference, hypothesis
    ):
        return None
    plan, rules = _plan(usual is CHARACTERS)
    left, right = _side("reference", reference), _side("hypothesis", hypothesis)
    words = left.words, right.words
    if rules.unit != "word":
        words = CharacterTexts.of(words[0]), CharacterTexts.of(words[1])
    aligned = align_words(*words, rules, 1)
    if may_mislead(aligned, rules.unit):
        return None
    basis = Basis((left,), plan.options, sources=plan.sources)
    named = *_FILES, rules, _ACCOUNT, left.identifiers, left.speakers
    return ErrorRates(*named, aligned, basis=basis)


def _side(role: str, text: str) -> Corpus:
    """Return a side of one text, as `resolve` does."""
    return listed(role, _ONE, [text], is_by_position=True)
