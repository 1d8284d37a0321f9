"""Which folders are corpora: what lies in those that a format reads as one input.

A folder is known by names alone, no file in it is opened. Its format's reader gets it as a source
without text, and opens what it needs (`formats.source.Source.below`, `beside`).
"""

from __future__ import annotations

import glob
import os

__all__ = ["TREES", "tree_of"]

TREES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("commonvoice", ("validated.tsv", "clips")),
    ("commonvoice", ("train.tsv", "test.tsv", "clips")),
    ("nxt", ("[Ww]ords/*.words.xml", "[Ss]egments/*.segments.xml")),
    *(
        ("librispeech", (f"{'*/' * depth}*.trans.{ending}",))
        for depth in range(4)
        for ending in ("txt", "tsv")
    ),
    *(
        ("librispeech", (f"{'*/' * depth}transcripts.txt", f"{'*/' * depth}segments.txt"))
        for depth in range(2)
    ),
)
"""Names of formats, and patterns that all fit something in a folder of theirs."""


def tree_of(folder: str | os.PathLike[str]) -> str | None:
    """Name of the format whose corpus a folder is, or `None`.

    Looking ends at the first file that fits; a folder of single transcripts is no corpus.
    """
    for name, patterns in TREES:
        found = (glob.iglob(pattern, root_dir=folder) for pattern in patterns)
        if all(next(names, None) is not None for names in found):
            return name
    return None
