"""Align reference and hypothesis: which words are right, substituted, deleted, inserted.

`sequences` aligns token sequences of any kind, single pairs and many. Beneath it, on numbers:
`kernel`, whose functions exist twice, compiled and in plain Python, and `network` for words that
offer alternatives. `docs/alignment.md` explains how it works.
"""

from __future__ import annotations

from formats.schema import lazy_names

# what type checkers look for, without the cost of importing `typing`
TYPE_CHECKING = False

if TYPE_CHECKING:
    from scoring.alignment.kernel import align_network as align_network
    from scoring.alignment.native import OutOfTimeError as OutOfTimeError
    from scoring.alignment.native import time_limit as time_limit
    from scoring.alignment.network import Graph as Graph
    from scoring.alignment.network import Network as Network
    from scoring.alignment.network import build as build

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        ".kernel": "align_network",
        ".native": "OutOfTimeError time_limit",
        ".network": "Graph Network build",
    },
)
