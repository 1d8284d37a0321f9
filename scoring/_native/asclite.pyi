from collections.abc import Sequence

from scoring.nist.asclite.plain import Axis, Prices

def align_grid(
    axes: Sequence[Axis],
    streams: int,
    prices: Prices,
    texts: Sequence[bytes],
    parts: bytes,
    wrong: bytes,
    slow: int,
    fast: int,
    block: int,
) -> tuple[int, bytes]: ...
