"""`compute-wer`: word and sentence error rates of a table of transcripts.

`compute-wer-bootci`: word error rates with bootstrap intervals, and a comparison of two.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from scoring.alignment.sequences import edit_distance_batch
from scoring.compat.kaldi.options import KaldiError, Warn
from scoring.compat.kaldi.tables import Lookup, Tokens, read_table
from scoring.drawing.numbers import decimals, single
from scoring.model import UNIT_COSTS
from scoring.pages.kaldi_lines import TableScore

if TYPE_CHECKING:
    from scoring.stats.kaldi import KaldiBootstrap, ReplicatedRate

MODES = ("present", "all", "strict")


def error_rates(reference: str, hypothesis: str, mode: str, warn: Warn) -> TableScore:
    """Score a table against another."""
    (references, hypotheses), absent = _sides(reference, [hypothesis], mode, warn)
    table = edit_distance_batch(references, hypotheses, costs=UNIT_COSTS, ties="compute-wer")
    wrong = sum(a != b for a, b in zip(references, hypotheses, strict=True))
    return TableScore(table.total(), len(references), wrong, absent)


def bootstrap_text(
    reference: str, hypotheses: list[str], mode: str, replications: int, warn: Warn
) -> str:
    """What `compute-wer-bootci` prints, with Kaldi's own random numbers and rounding."""
    if mode in MODES and replications < 1:
        raise KaldiError(f"--replications: expected a number from 1, found {replications}")
    sides, _ = _sides(reference, hypotheses, mode, warn)
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


def _sides(
    reference: str, hypotheses: list[str], mode: str, warn: Warn
) -> tuple[list[list[Tokens]], int]:
    """References and hypotheses of the utterances that take part; how many lack a hypothesis."""
    if mode not in MODES:
        expected = "|".join(f'"{name}"' for name in MODES)
        raise KaldiError(f"--mode option invalid: expected {expected}, got {mode}")
    entries = read_table(reference, warn)
    lookups = [Lookup(hypothesis, warn) for hypothesis in hypotheses]
    sides: list[list[Tokens]] = [[] for _ in range(1 + len(lookups))]
    absent = 0
    for key, tokens, _ in entries:
        tokens_of_sides = [lookup.get(key) for lookup in lookups]
        if None in tokens_of_sides:
            absent += 1
            if mode == "strict":
                raise KaldiError(
                    f"No hypothesis for key {key} and strict mode specifier."
                    if len(tokens_of_sides) == 1
                    else f"No hypothesis for key {key} in both transcripts comparison is not "
                    "possible."
                )
            if mode == "present":
                continue
        for side, tokens_of_side in zip(sides, [tokens, *tokens_of_sides], strict=True):
            side.append(tokens_of_side or [])
    for lookup in lookups:
        lookup.close()
    return sides, absent


def _text(bootstrap: KaldiBootstrap) -> str:
    text = _line("Set1", bootstrap.first)
    if bootstrap.second is None or bootstrap.probability_of_improvement is None:
        return text
    probability = decimals(single(100 * single(bootstrap.probability_of_improvement)))
    second = _line("Set2", bootstrap.second)
    return f"{text}{second}Probability of Set2 improving Set1: {probability}\n"


def _line(name: str, rate: ReplicatedRate) -> str:
    mean, low, high = (
        decimals(math.nan if number is None else number) for number in rate.percentages()
    )
    return f"{name}: %WER {mean} 95% Conf Interval [ {low}, {high} ]\n"
