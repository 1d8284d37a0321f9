"""Score speech recognition, keyword spotting and labelled audio segments.

>>> import scoring
>>> scoring.align("a b a b".split(), "b a b a".split()).letters
'DCCCI'
>>> scoring.edit_distance("a b".split(), "a c".split()).error_rate
0.5

What is listed here is loaded when it is first used.
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
    from scoring.model import SCLITE_COSTS as SCLITE_COSTS
    from scoring.model import UNIT_COSTS as UNIT_COSTS
    from scoring.model import Alignment as Alignment
    from scoring.model import Costs as Costs
    from scoring.model import Counts as Counts
    from scoring.model import Edit as Edit
    from scoring.model import Pair as Pair
    from scoring.model import Ties as Ties

_HOMES = {
    "Alignment": "scoring.model",
    "Alignments": "scoring.alignment.batch",
    "Costs": "scoring.model",
    "Counts": "scoring.model",
    "CountsTable": "scoring.alignment.batch",
    "Edit": "scoring.model",
    "Pair": "scoring.model",
    "SCLITE_COSTS": "scoring.model",
    "Ties": "scoring.model",
    "UNIT_COSTS": "scoring.model",
    "align": "scoring.alignment.sequences",
    "align_batch": "scoring.alignment.batch",
    "edit_distance": "scoring.alignment.sequences",
    "edit_distance_batch": "scoring.alignment.batch",
}


def __getattr__(name: str) -> object:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    found = getattr(import_module(home), name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOMES})
