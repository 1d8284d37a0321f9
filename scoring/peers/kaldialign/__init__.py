"""A replacement for the package kaldialign (0.12).

`from scoring import kaldialign` has `align`, `edit_distance`, `batch_error_rate` and
`bootstrap_wer_ci`. They return the same alignments and numbers under the same keys, and raise the
same errors, several times faster. For many pairs in one call, use `scoring.align_batch` and
`scoring.edit_distance_batch`. Differences:

- `align` refuses an `eps_symbol` that is one of the symbols, with a ValueError. kaldialign does so
  only if it is compiled for debugging; otherwise it returns ambiguous pairs.
- If a number is not whole or is too great, the message of the TypeError differs.

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
