"""`scoring cer`: `scoring wer` of characters, as jiwer, evaluate and torchmetrics count them."""

from __future__ import annotations

from collections.abc import Sequence

from scoring.cli.wer import run


def main(argv: Sequence[str]) -> int:
    """Run the command; the exit status."""
    return run(argv, "cer", "Character", {"unit": "char+space", "profile": "levenshtein"})
