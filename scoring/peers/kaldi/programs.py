"""Kaldi's programs: `compute-wer`, `compute-wer-bootci` and `align-text`.

`compute-wer` computes the error rates of a table of transcripts. `compute-wer-bootci` computes
bootstrap intervals, and compares two tables. `align-text` writes the alignments of two tables as
text.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from scoring.alignment.results import Alignments
from scoring.alignment.sequences import align_batch, edit_distance_batch
from scoring.drawing import TableScore, decimals, single
from scoring.model.counts import UNIT_COSTS
from scoring.peers.kaldi.options import KaldiError, Warn
from scoring.peers.kaldi.tables import Lookup, Tokens, read_table
from scoring.peers.kaldialign.pairs import symbol_pairs

if TYPE_CHECKING:
    from scoring.stats.kaldi import ReplicatedRate

MODES = ("present", "all", "strict")


def error_rates(
    reference: str, hypothesis: str, mode: str, warn: Warn, *, run_commands: bool = False
) -> TableScore:
    """Compute the error rates of a table.

    `run_commands` allows commands inside script files to run.
    """
    (references, hypotheses), absent = _sides(
        reference, [hypothesis], mode, warn, run_commands=run_commands
    )
    table = edit_distance_batch(references, hypotheses, costs=UNIT_COSTS, ties="compute-wer")
    wrong = sum(a != b for a, b in zip(references, hypotheses, strict=True))
    return TableScore(table.total(), len(references), wrong, absent)


def bootstrap_text(
    reference: str,
    hypotheses: list[str],
    mode: str,
    replications: int,
    warn: Warn,
    *,
    run_commands: bool = False,
) -> str:
    """Return the output of `compute-wer-bootci`, with Kaldi's random numbers and rounding."""
    if mode in MODES and replications < 1:
        raise KaldiError(f"--replications: expected a number from 1, found {replications}")
    (references, *sides), _ = _sides(reference, hypotheses, mode, warn, run_commands=run_commands)
    errors = [
        [counts.errors for counts in edit_distance_batch(references, side, costs=UNIT_COSTS)]
        for side in sides
    ]
    from scoring.stats.kaldi import kaldi_bootstrap

    words = list(map(len, references))
    bootstrap = kaldi_bootstrap(
        errors[0], words, *errors[1:], replications=replications, allow_undefined=True
    )
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


def _sides(
    reference: str, hypotheses: list[str], mode: str, warn: Warn, *, run_commands: bool
) -> tuple[list[list[Tokens]], int]:
    """Return the scored utterances of each table, and how many references have no hypothesis."""
    if mode not in MODES:
        expected = "|".join(f'"{name}"' for name in MODES)
        raise KaldiError(f"--mode option invalid: expected {expected}, got {mode}")
    entries = read_table(reference, warn, run_commands=run_commands)
    lookups = [Lookup(hypothesis, warn, run_commands=run_commands) for hypothesis in hypotheses]
    sides: list[list[Tokens]] = [[] for _ in range(1 + len(lookups))]
    absent = 0
    for key, tokens in entries:
        tokens_of_sides = [lookup.get(key) for lookup in lookups]
        if None in tokens_of_sides:
            absent += 1
            if mode == "strict":
                reason = "and strict mode specifier."
                if len(lookups) > 1:
                    reason = "in both transcripts comparison is not possible."
                raise KaldiError(f"No hypothesis for key {key} {reason}")
            if mode == "present":
                continue
        for side, tokens_of_side in zip(sides, [tokens, *tokens_of_sides], strict=True):
            side.append(tokens_of_side or [])
    for lookup in lookups:
        lookup.close()
    return sides, absent


class AlignedTable(NamedTuple):
    """The alignments of the keys that are in both tables."""

    keys: list[str]
    alignments: Alignments
    failed: int
    epsilon: str
    failure: KaldiError | None = None

    def lines(self, separator: str = ";") -> Iterator[str]:
        """Yield one line for each alignment, without a line end; a blank follows every token."""
        between = f" {separator} "
        for key, alignment in zip(self.keys, self.alignments, strict=True):
            reference, hypothesis = list(alignment.reference), list(alignment.hypothesis)
            pairs = symbol_pairs(alignment.edits, reference, hypothesis, self.epsilon)
            text = between.join(map(" ".join, pairs))
            yield f"{key} {text} " if pairs else f"{key} "


def align_tables(
    first: str, second: str, epsilon: str, warn: Warn, *, run_commands: bool = False
) -> AlignedTable:
    """Align two tables with unit costs; ties are resolved as in Kaldi's `align-text`."""
    entries = read_table(first, warn, run_commands=run_commands)
    lookup = Lookup(second, warn, run_commands=run_commands)
    rows: list[tuple[str, Tokens, Tokens]] = []
    failed, failure = 0, None
    try:
        for key, tokens in entries:
            other_tokens = lookup.get(key)
            if other_tokens is None:
                warn(f"Key {key} is in {first}, but not in {second}")
                failed += 1
                continue
            _check("text1", key, tokens, epsilon)
            _check("text2", key, other_tokens, epsilon)
            rows.append((key, tokens, other_tokens))
        lookup.close()
    except KaldiError as problem:
        failure = problem
    references, hypotheses = [row[1] for row in rows], [row[2] for row in rows]
    aligned = align_batch(references, hypotheses, costs=UNIT_COSTS, ties="align-text")
    return AlignedTable([row[0] for row in rows], aligned, failed, epsilon, failure)


def _check(name: str, key: str, tokens: Tokens, epsilon: str) -> None:
    head = f"In {name}, the utterance {key} contains"
    if epsilon in tokens:
        raise KaldiError(f"{head} the special symbol '{epsilon}'. This is not allowed.")
    text = "".join(tokens)
    if text.isascii() and text.isprintable():
        return
    for number, token in enumerate(tokens, 1):
        bad = next((c for c in token if c < " " or c in "\x7f\xff"), None)
        if bad is not None:
            byte = f"Found the byte 0x{ord(bad):02x} in word {number}."
            raise KaldiError(f"{head} unprintable characters. {byte}")
