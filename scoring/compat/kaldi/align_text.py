"""`align-text`: the alignments of two tables of transcripts, as text."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from scoring.alignment.results import Alignments
from scoring.alignment.sequences import align_batch
from scoring.compat.kaldi.options import KaldiError, Warn
from scoring.compat.kaldi.tables import Lookup, Tokens, read_table
from scoring.compat.kaldialign.pairs import symbol_pairs
from scoring.model import UNIT_COSTS


class AlignedTable(NamedTuple):
    """Alignments of the keys that both tables have."""

    keys: list[str]
    alignments: Alignments
    failed: list[str]
    epsilon: str
    failure: KaldiError | None = None

    def lines(self, separator: str = ";") -> Iterator[str]:
        """The alignments, a line each, without line ends; every token is followed by a blank.

        >>> alignments = align_batch([["a", "b"], []], [["a"], []])
        >>> list(AlignedTable(["u1", "u2"], alignments, [], "<eps>").lines())
        ['u1 a a ; b <eps> ', 'u2 ']
        """
        between = f" {separator} "
        for key, alignment in zip(self.keys, self.alignments, strict=True):
            reference, hypothesis = list(alignment.reference), list(alignment.hypothesis)
            pairs = symbol_pairs(alignment.edits, reference, hypothesis, self.epsilon)
            text = between.join(map(" ".join, pairs))
            yield f"{key} {text} " if pairs else f"{key} "


def align_tables(first: str, second: str, epsilon: str, warn: Warn) -> AlignedTable:
    """Align a table with another: unit costs, ties as Kaldi's `align-text` breaks them."""
    entries = read_table(first, warn)
    lookup = Lookup(second, warn)
    keys: list[str] = []
    references: list[Tokens] = []
    hypotheses: list[Tokens] = []
    failed: list[str] = []
    failure = None
    try:
        for key, tokens, _ in entries:
            other_tokens = lookup.get(key)
            if other_tokens is None:
                warn(f"Key {key} is in {first}, but not in {second}")
                failed.append(key)
                continue
            _check("text1", key, tokens, epsilon)
            _check("text2", key, other_tokens, epsilon)
            keys.append(key)
            references.append(tokens)
            hypotheses.append(other_tokens)
        lookup.close()
    except KaldiError as problem:
        failure = problem
    aligned = align_batch(references, hypotheses, costs=UNIT_COSTS, ties="align-text")
    return AlignedTable(keys, aligned, failed, epsilon, failure)


def _check(name: str, key: str, tokens: Tokens, epsilon: str) -> None:
    if epsilon in tokens:
        raise KaldiError(
            f"In {name}, the utterance {key} contains the special symbol '{epsilon}'. "
            "This is not allowed."
        )
    text = "".join(tokens)
    if text.isascii() and text.isprintable():
        return
    for place, token in enumerate(tokens, 1):
        bad = next((c for c in token if c < " " or c in "\x7f\xff"), None)
        if bad is not None:
            raise KaldiError(
                f"In {name}, the utterance {key} contains unprintable characters. "
                f"Found the byte 0x{ord(bad):02x} in word {place}."
            )
