"""Type aliases that several packages share.

The types `Words` and `Item`, for the words of an utterance and their alternatives, are in
`formats.schema.words`. Array types are in `scoring.model.arrays`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

Json: TypeAlias = dict[str, Any]
"""A JSON object: a dict from member names to values."""
Say: TypeAlias = Callable[[str], None]
"""A function that prints a text for a person; the text includes its line feed."""
CharacterUnit: TypeAlias = Literal["char", "char+space", "grapheme"]
"""A unit made of characters, such as `char` or `grapheme`."""
Unit: TypeAlias = Literal[
    "word",
    "char",
    "char+space",
    "grapheme",
    "mixed",
    "mixed+hangul",
    "mixed+khmer",
    "mixed+lao",
    "mixed+myanmar",
    "mixed+thai",
]
"""The unit of comparison: words or a kind of character.

Units with several scripts, such as `mixed+lao+thai`, are of this type, too; see `checked_unit` of
`scoring.model.counts`.
"""
Ties: TypeAlias = Literal["sclite", "align-text", "compute-wer", "rapidfuzz"]
"""The tie rule: which of several equally cheap alignments is chosen.

Each rule is an order of preference, walking back from the end of both sequences:

sclite
    diagonal, insertion, deletion: NIST's sclite.
align-text
    diagonal, deletion, insertion: Kaldi's `align-text`, hence `per_utt` and `ops`.
compute-wer
    insertion, deletion, diagonal: Kaldi's `compute-wer`, and the package kaldialign.
rapidfuzz
    equal words at the beginning, then at the end; between them deletion, substitution, insertion,
    equal words: the package rapidfuzz, hence jiwer 4 (up to some 2,000 words on each side, beyond
    which rapidfuzz cuts texts in halves).
"""
ReportName: TypeAlias = Literal[
    "sum", "wws", "rsum", "snt", "spk", "dtl", "lur", "pralign", "pra", "prf", "sgml", "nl.sgml",
    "utt", "all",
]  # fmt: skip
"""The name of one of sclite's reports, or `all`: see `REPORTS` of `scoring.nist.report.registry`.
"""
