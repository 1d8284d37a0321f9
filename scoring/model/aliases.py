"""Names of types that several rooms use, each with one meaning.

The words of an utterance and their alternatives are `Words` and `Item` of `formats.schema.words`;
arrays are in `scoring.model.arrays`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, TypeAlias

Json: TypeAlias = dict[str, Any]
"""An object of JSON, by the names of its members."""
Say: TypeAlias = Callable[[str], None]
"""Takes a text for a person, with its line feed."""
CharacterUnit: TypeAlias = Literal["char", "char+space", "grapheme"]
"""A unit of characters."""
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
"""What words are cut into before they are compared.

Units with several scripts, as in `mixed+lao+thai`, are of this type, too: see `checked_unit` of
`scoring.model.counts`.
"""
Ties: TypeAlias = Literal["sclite", "align-text", "compute-wer", "rapidfuzz"]
"""The choice among equally cheap alignments.

By the order of preference when walking back from the end of both sequences:

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
"""The names of `REPORTS` of `scoring.nist.report.registry`, and `all`."""
