"""Align reference and hypothesis: which words are right, substituted, deleted, inserted.

For token sequences of any kind:

- `align` and `edit_distance` for one pair,
- `align_batch` and `edit_distance_batch` for many.

Beneath them, on numbers: `scoring.alignment.kernel`, whose functions exist twice, compiled and in
plain Python, and `scoring.alignment.network` for words that offer alternatives. How it works is
told in `docs/alignment.md`.
"""

from __future__ import annotations

from formats.lazy import lazy_names

# what type checkers look for, without the cost of importing `typing`
TYPE_CHECKING = False

if TYPE_CHECKING:
    from scoring.alignment.results import Alignments as Alignments
    from scoring.alignment.results import CountsTable as CountsTable
    from scoring.alignment.sequences import align as align
    from scoring.alignment.sequences import align_batch as align_batch
    from scoring.alignment.sequences import edit_distance as edit_distance
    from scoring.alignment.sequences import edit_distance_batch as edit_distance_batch

__getattr__, __dir__ = lazy_names(
    __name__,
    {
        "Alignments": ".results",
        "CountsTable": ".results",
        "align": ".sequences",
        "align_batch": ".sequences",
        "edit_distance": ".sequences",
        "edit_distance_batch": ".sequences",
    },
)
