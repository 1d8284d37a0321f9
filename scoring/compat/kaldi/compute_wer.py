"""`compute-wer`: word and sentence error rates of a table of transcripts."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.alignment.batch import edit_distance_batch
from scoring.compat.kaldi.messages import KaldiError, Warn
from scoring.compat.kaldi.tables import Lookup, Tokens, read_table
from scoring.model import UNIT_COSTS
from scoring.pages.kaldi_lines import TableScore

MODES = ("present", "all", "strict")


def check_mode(mode: str) -> None:
    """Refuse a mode that is none.

    Raises
    ------
    KaldiError
        Kaldi's text.
    """
    if mode not in MODES:
        expected = "|".join(f'"{name}"' for name in MODES)
        raise KaldiError(f"--mode option invalid: expected {expected}, got {mode}")


def error_rates(reference: str, hypothesis: str, mode: str, warn: Warn) -> TableScore:
    """Score a table against another.

    Parameters
    ----------
    reference, hypothesis
        Rspecifiers.
    mode
        What to do with a reference key that the hypothesis has not: `strict` is an error,
        `present` skips it, `all` takes it for an empty hypothesis.
    warn
        Receives what Kaldi leaves unsaid.

    Raises
    ------
    KaldiError
        If a table cannot be read, the mode is none, or a key is missing and the mode strict.
    """
    check_mode(mode)
    entries = read_table(reference, warn)
    lookup = Lookup(hypothesis, warn)
    references: list[Tokens] = []
    hypotheses: list[Tokens] = []
    absent = 0
    for key, tokens, _ in entries:
        found = lookup.get(key)
        if found is None:
            absent += 1
            if mode == "strict":
                raise KaldiError(f"No hypothesis for key {key} and strict mode specifier.")
            if mode == "present":
                continue
        references.append(tokens)
        hypotheses.append(found or [])
    lookup.close()
    return _rates(references, hypotheses, absent)


def _rates(references: Sequence[Tokens], hypotheses: Sequence[Tokens], absent: int) -> TableScore:
    table = edit_distance_batch(references, hypotheses, costs=UNIT_COSTS, ties="compute-wer")
    wrong = sum(a != b for a, b in zip(references, hypotheses, strict=True))
    return TableScore(table.total(), len(references), wrong, absent)
