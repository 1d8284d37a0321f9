"""Align reference and hypothesis: which words are right, substituted, deleted, inserted.

For token sequences of any kind:

- `align` and `edit_distance` for one pair,
- `align_batch` and `edit_distance_batch` for many.

Beneath them, on numbers: `scoring.alignment.kernel`, whose functions exist twice, compiled and in
plain Python, and `scoring.alignment.network` for words that offer alternatives. How it works is
told in `docs/alignment.md`.
"""

from __future__ import annotations

# what type checkers look for, without the cost of importing `typing`
TYPE_CHECKING = False

if TYPE_CHECKING:
    from scoring.alignment.batch import Alignments as Alignments
    from scoring.alignment.batch import CountsTable as CountsTable
    from scoring.alignment.batch import align_batch as align_batch
    from scoring.alignment.batch import edit_distance_batch as edit_distance_batch
    from scoring.alignment.sequences import align as align
    from scoring.alignment.sequences import edit_distance as edit_distance

_HOMES = {
    "Alignments": "batch",
    "CountsTable": "batch",
    "align": "sequences",
    "align_batch": "batch",
    "edit_distance": "sequences",
    "edit_distance_batch": "batch",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(f"{__name__}.{home}"), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
