"""Alignment of reference and hypothesis: correct, substituted, deleted and inserted words.

`sequences` aligns token sequences of any kind, one pair or many. It calls `kernel` and `network`,
which work on numbers. `kernel` has each function twice, compiled and in plain Python. `network`
aligns word graphs, in which words have alternatives. `docs/alignment.md` explains the algorithms.
"""

from __future__ import annotations

from formats.schema import lazy_names

# what type checkers look for, without the cost of importing `typing`
TYPE_CHECKING = False

if TYPE_CHECKING:
    from scoring.alignment.kernel import align_network as align_network
    from scoring.alignment.limits import OutOfTimeError as OutOfTimeError
    from scoring.alignment.limits import time_limit as time_limit
    from scoring.alignment.network import Graph as Graph
    from scoring.alignment.network import Network as Network
    from scoring.alignment.network import build as build

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        ".kernel": "align_network",
        ".limits": "OutOfTimeError time_limit",
        ".network": "Graph Network build",
    },
)
