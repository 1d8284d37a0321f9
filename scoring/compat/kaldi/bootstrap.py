"""`compute-wer-bootci`: word error rates with bootstrap intervals, and a comparison of two."""

from __future__ import annotations

import math

from scoring.alignment.batch import edit_distance_batch
from scoring.compat.kaldi.compute_wer import check_mode
from scoring.compat.kaldi.messages import KaldiError, Warn
from scoring.compat.kaldi.tables import Lookup, Tokens, read_table
from scoring.model import UNIT_COSTS
from scoring.pages.numbers import decimals, single

TYPE_CHECKING = False
if TYPE_CHECKING:
    from scoring.stats.kaldi import KaldiBootstrap, ReplicatedRate


def bootstrap_text(
    reference: str, hypotheses: list[str], mode: str, replications: int, warn: Warn
) -> str:
    """What `compute-wer-bootci` prints, with Kaldi's own random numbers and rounding.

    Parameters
    ----------
    reference, hypotheses
        Rspecifiers, of one hypothesis or two.
    mode
        As of `compute_wer.error_rates`. With two hypotheses a key must be in both; if it is in one
        of them only, `all` counts the other one's reference words as errors.
    replications
        How many, from 1.

    Raises
    ------
    KaldiError
        As of `compute_wer.error_rates`.
    """
    check_mode(mode)
    if replications < 1:
        raise KaldiError(f"--replications: expected a number from 1, found {replications}")
    sides = _sides(reference, hypotheses, mode, warn)
    words = [len(tokens) for tokens in sides[0]]
    errors = [
        [counts.errors for counts in edit_distance_batch(sides[0], side, costs=UNIT_COSTS)]
        for side in sides[1:]
    ]
    from scoring.stats.kaldi import kaldi_bootstrap

    return _text(
        kaldi_bootstrap(
            errors[0], words, *errors[1:], replications=replications, allow_undefined=True
        )
    )


def _sides(reference: str, hypotheses: list[str], mode: str, warn: Warn) -> list[list[Tokens]]:
    """References and hypotheses of the utterances that take part."""
    entries = read_table(reference, warn)
    lookups = [Lookup(hypothesis, warn) for hypothesis in hypotheses]
    sides: list[list[Tokens]] = [[] for _ in range(1 + len(lookups))]
    for key, tokens, _ in entries:
        found = [lookup.get(key) for lookup in lookups]
        if None in found and mode == "strict":
            raise KaldiError(_missing(key, len(found)))
        if None in found and mode == "present":
            continue
        for side, one in zip(sides, [tokens, *found], strict=True):
            side.append(one or [])
    for lookup in lookups:
        lookup.close()
    return sides


def _missing(key: str, hypotheses: int) -> str:
    if hypotheses == 1:
        return f"No hypothesis for key {key} and strict mode specifier."
    return f"No hypothesis for key {key} in both transcripts comparison is not possible."


def _text(found: KaldiBootstrap) -> str:
    text = _line("Set1", found.first)
    if found.second is None or found.probability_of_improvement is None:
        return text
    probability = decimals(single(100 * single(found.probability_of_improvement)))
    return f"{text}{_line('Set2', found.second)}Probability of Set2 improving Set1: {probability}\n"


def _line(name: str, rate: ReplicatedRate) -> str:
    mean, low, high = (
        decimals(math.nan if number is None else number) for number in rate.percentages()
    )
    return f"{name}: %WER {mean} 95% Conf Interval [ {low}, {high} ]\n"
