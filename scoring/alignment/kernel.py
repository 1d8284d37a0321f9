"""The aligners in use: the compiled ones, or their equivalents in plain Python.

`IMPLEMENTATION` is "native" or "plain"; `scoring.alignment` explains the choice.
`scoring.alignment.plain` describes the arguments and results of the functions.
"""

from __future__ import annotations

from scoring.alignment import load_core

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from scoring.alignment.plain import *  # noqa: F403

_core: Any = load_core()
IMPLEMENTATION: Final[str] = "plain" if _core is None else "native"
if _core is None:
    from scoring.alignment import plain as _core
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """Return a function of the core."""
        value = globals()[name] = getattr(_core, name)
        return value


# Orders of preference among equally cheap alignments, by the numbers of the aligners.
TIE_NUMBERS = {"sclite": 0, "align-text": 1, "compute-wer": 2, "rapidfuzz": 3}
tie_number = TIE_NUMBERS.__getitem__
