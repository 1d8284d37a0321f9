"""The functions of the package kaldialign (0.12), to be imported in its place.

`from scoring import kaldialign` has `align`, `edit_distance`, `batch_error_rate` and
`bootstrap_wer_ci`. They give the same alignments, numbers, keys and errors, several times faster;
many pairs in one call are for `scoring.align_batch` and `scoring.edit_distance_batch`. Where they
differ:

- `align` refuses an `eps_symbol` that is one of the symbols, with a ValueError. kaldialign does
  so only when it is compiled for debugging, else it returns pairs that cannot be told apart.
- Where kaldialign fails on a number that is no whole number or too great, the TypeError is
  worded differently.

Examples
--------
>>> from scoring import kaldialign
>>> kaldialign.align("a b c".split(), "a s x c".split(), "*")
[('a', 'a'), ('b', 's'), ('*', 'x'), ('c', 'c')]
>>> kaldialign.edit_distance("white paper".split(), ["whitepaper"], merge_compounds=True)["total"]
0
"""

from __future__ import annotations

from scoring.peers.kaldialign.error_rates import (
    BootstrapResult,
    PairedBootstrapResult,
    batch_error_rate,
    bootstrap_wer_ci,
)
from scoring.peers.kaldialign.pairs import align, edit_distance

__all__ = [
    "BootstrapResult",
    "PairedBootstrapResult",
    "align",
    "batch_error_rate",
    "bootstrap_wer_ci",
    "edit_distance",
]
