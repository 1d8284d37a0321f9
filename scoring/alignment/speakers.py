"""Which words of several speakers belong to which of several streams: numbers only.

The functions are described in `scoring.alignment.plain_speakers`; here is the compiled one of each,
or its twin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.native import load

if TYPE_CHECKING:
    from scoring.alignment.plain_speakers import *  # noqa: F403
else:
    _core = load()
    if _core is None:
        from scoring.alignment import plain_speakers as _core
    align_timed, distances = _core.align_timed, _core.distances
    combine, combine_greedily = _core.combine, _core.combine_greedily
