"""Units of resampling, with integer statistics.

Sums of floating-point numbers depend on their order. Statistics with fractions are therefore stored
as multiples of a power of two, as fine as 62 bits allow. Their sums are exact and do not depend on
the number of threads.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from formats.schema.messages import Message
from scoring.model.arrays import Floats, Integers
from scoring.model.errors import StatisticsError
from scoring.stats.messages import NO_TOKENS, NO_TOKENS_OF_SOME, TOO_FEW

# From sums of statistics (last axis) to a score each; not finite where there is none.
Score: TypeAlias = Callable[[Floats], Floats]


def error_rate(sums: Floats) -> Floats:
    """Divide errors by reference tokens; NaN without tokens.

    The last axis of `sums` has these two numbers.

    Examples
    --------
    >>> error_rate(np.array([[3.0, 12.0], [1.0, 2.0]])).tolist()
    [0.25, 0.5]
    """
    errors, tokens = sums[..., 0], sums[..., 1]
    rates = np.full(np.shape(tokens), np.nan)
    np.divide(errors, tokens, out=rates, where=tokens > 0)
    return rates


def errors_and_tokens(counts: object) -> Integers:
    """Return errors and reference tokens from four counts per utterance, ordered like `Counts`."""
    rows = np.asarray(counts, dtype=np.int64).reshape(-1, 4)
    return np.column_stack([rows[:, 1:].sum(axis=1), rows[:, :3].sum(axis=1)])


class Units(NamedTuple):
    """The statistics of each unit as integers: unit `u` has the values `numbers[u] * 2.0**-places`.

    `places` has one element per column of `numbers`.
    """

    numbers: Integers
    places: NDArray[np.int32]

    @property
    def totals(self) -> Floats:
        """The sums over all units, in a single row."""
        return self.values(self.numbers.sum(axis=0)[None])

    def values(self, sums: Integers) -> Floats:
        """Convert integer sums to floating-point numbers."""
        return np.ldexp(sums.astype(np.float64), -self.places)


def score_of(score: Score, sums: Floats, label: str) -> Floats:
    """Return the scores of sums; raise StatisticsError if a score is not finite."""
    scores = np.asarray(score(sums), dtype=np.float64)
    if scores.shape != sums.shape[:-1]:
        raise ValueError(
            f"score: expected an array of shape {sums.shape[:-1]}, found {scores.shape}"
        )
    undefined = int(np.count_nonzero(~np.isfinite(scores)))
    if undefined:
        if undefined == scores.size:
            raise StatisticsError(Message(NO_TOKENS, {"sums": label}))
        fields = {"number": undefined, "total": scores.size, "sums": label}
        raise StatisticsError(Message(NO_TOKENS_OF_SOME, fields))
    return scores


def make_units(
    systems: Sequence[ArrayLike], blocks: Sequence[Hashable] | None
) -> tuple[Units, ...]:
    """Create units from one or more systems that were scored on the same utterances."""
    arrays = [np.asarray(system, dtype=np.float64) for system in systems]
    for array in arrays:
        if array.ndim != 2 or array.shape[1] == 0:
            raise ValueError(f"statistics: expected a row per utterance, found shape {array.shape}")
        if not np.isfinite(array).all():
            raise ValueError("statistics: expected finite numbers, found infinity or NaN")
    shapes = {array.shape for array in arrays}
    if len(shapes) > 1:
        raise ValueError(f"statistics: expected the same shape of all, found {sorted(shapes)}")
    length = len(arrays[0])
    if blocks is not None:
        if len(blocks) != length:
            raise ValueError(f"blocks: expected {length}, one per utterance, found {len(blocks)}")
        units: dict[Hashable, int] = {}
        numbers = [units.setdefault(block, len(units)) for block in blocks]
        # summed in order, hence the same each time
        arrays = [
            np.column_stack([np.bincount(numbers, column, len(units)) for column in array.T])
            for array in arrays
        ]
    if len(arrays[0]) < 2:
        unit = "utterance" if blocks is None else "block"
        raise StatisticsError(Message(TOO_FEW, {"unit": unit, "number": len(arrays[0])}))
    places = _places(arrays).astype(np.int32)
    return tuple(
        Units(np.rint(np.ldexp(array, places)).astype(np.int64), places) for array in arrays
    )


def _places(arrays: Sequence[Floats]) -> Integers:
    """Return the binary places of each column: 0 for integers, otherwise as many as fit.

    A column is of integers only if it is so in each system.
    """
    room = np.max([np.abs(array).max(axis=0) for array in arrays], axis=0) * len(arrays[0])
    if (room >= 2.0**62).any():
        raise ValueError("statistics: their sums would not fit into 62 bits")
    _, bits = np.frexp(room)
    whole = np.all([(array == np.rint(array)).all(axis=0) for array in arrays], axis=0)
    # beyond 1000 places powers of two leave the range of floating-point numbers
    return np.where(whole, 0, np.minimum(62 - bits, 1000)).astype(np.int64)
