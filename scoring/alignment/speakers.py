"""Which words of several speakers belong to which of several streams: numbers only.

The functions are described in `scoring.alignment.plain_speakers`; here is the compiled one of each,
or its twin.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from scoring.native import load

if TYPE_CHECKING:
    from scoring.alignment.plain_speakers import (
        align_timed,
        combine,
        combine_greedily,
        distances,
        rank_times,
    )
else:
    _module = load("speakers")
    if _module is None:
        from scoring.alignment import plain_speakers as _module
    align_timed = _module.align_timed
    combine = _module.combine
    combine_greedily = _module.combine_greedily
    distances = _module.distances
    rank_times = _module.rank_times

__all__ = ["align_timed", "combine", "combine_greedily", "distances", "rank_times"]
