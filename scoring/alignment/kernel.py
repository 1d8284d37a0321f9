"""The aligners in use: the compiled ones, or their twins in plain Python.

`IMPLEMENTATION` is "native" or "plain"; `scoring.native` says how to choose. Arguments and results
of the functions are described in `scoring.alignment.plain`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from scoring.native import load

if TYPE_CHECKING:
    from scoring.alignment.plain import (
        align_chains,
        align_compounds,
        align_linear,
        align_network,
        align_text_pairs,
        align_token_pairs,
        align_tokens,
        count_token_pairs,
        count_tokens,
        sum_counts,
    )
else:
    _module = load("alignment")
    if _module is None:
        from scoring.alignment import plain as _module
    align_chains = _module.align_chains
    align_compounds = _module.align_compounds
    align_linear = _module.align_linear
    align_network = _module.align_network
    align_text_pairs = _module.align_text_pairs
    align_token_pairs = _module.align_token_pairs
    align_tokens = _module.align_tokens
    count_token_pairs = _module.count_token_pairs
    count_tokens = _module.count_tokens
    sum_counts = _module.sum_counts

IMPLEMENTATION: Final[str] = "plain" if align_linear.__module__.endswith("plain") else "native"

__all__ = [
    "IMPLEMENTATION",
    "align_chains",
    "align_compounds",
    "align_linear",
    "align_network",
    "align_text_pairs",
    "align_token_pairs",
    "align_tokens",
    "count_token_pairs",
    "count_tokens",
    "sum_counts",
]
