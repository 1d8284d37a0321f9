"""The aligners in use: the compiled ones, or their equivalents in plain Python.

`IMPLEMENTATION` is "native" or "plain"; `scoring.alignment` explains the choice.
`scoring.alignment.plain` describes the arguments and results of the functions.
"""

from __future__ import annotations

from scoring.alignment import load_core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from scoring.alignment.plain import *  # noqa: F403
else:
    _core = load_core()
    if _core is None:
        from scoring.alignment import plain as _core
    align_character_pairs = _core.align_character_pairs
    align_compounds, align_timed = _core.align_compounds, _core.align_timed
    align_linear = _core.align_linear
    align_network = _core.align_network
    align_text_pairs = _core.align_text_pairs
    align_token_pairs = _core.align_token_pairs
    align_tokens = _core.align_tokens
    best_paths, best_texts = _core.best_paths, _core.best_texts
    taken_branches = _core.taken_branches
    character_distances = _core.character_distances
    combine, combine_greedily = _core.combine, _core.combine_greedily
    count_token_pairs = _core.count_token_pairs
    count_tokens, distances = _core.count_tokens, _core.distances
    replace_rows, sum_counts = _core.replace_rows, _core.sum_counts
    text_kind = _core.text_kind
    align_graphs, combine_graphs = _core.align_graphs, _core.combine_graphs
    combine_graphs_greedily = _core.combine_graphs_greedily

IMPLEMENTATION: Final[str] = "plain" if align_linear.__module__.endswith("plain") else "native"


class _TieNumbers(dict[str, int]):
    def __missing__(self, ties: str) -> int:
        raise ValueError(f"ties: expected one of {', '.join(self)}, found {ties!r}")


# Orders of preference among equally cheap alignments, by the numbers of the aligners.
TIE_NUMBERS = _TieNumbers({"sclite": 0, "align-text": 1, "compute-wer": 2, "rapidfuzz": 3})
tie_number = TIE_NUMBERS.__getitem__
