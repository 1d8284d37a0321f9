"""The coverage of confidence intervals: how often they contain the true rate.

The program prints the tables of `docs/statistics.md`. It draws test sets with fixed seeds. A kind
of test sets has a number of speakers, a number of utterances (ten words on average), an error rate,
and the variation of this rate between speakers. `scoring.stats.bootstrap` computes every interval
with its defaults.

    python -m benchmarks.coverage [--sets 400]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

from scoring.model.arrays import Floats, Integers
from scoring.stats import bootstrap
from scoring.stats.blocks import choose_blocks
from scoring.stats.bootstrapping import Bootstrap
from scoring.stats.limits import error_of, influence, widened
from scoring.stats.resampling import resampled_sums
from scoring.stats.units import error_rate

REPLICATIONS, SETS, SEED = 1000, 400, 1
RATES = (0.005, 0.02, 0.05, 0.2)
NOMINAL = 0.95


class Cell(NamedTuple):
    """A kind of test sets; it corresponds to a cell of the tables."""

    speakers: int  # 0: utterances are independent and no speakers are known
    utterances: int  # of each speaker, or in all
    rate: float
    variation: float  # standard deviation of the rates of speakers over their mean

    @property
    def size(self) -> int:
        """The number of utterances."""
        return max(1, self.speakers) * self.utterances

    def draw(self, random: np.random.Generator) -> tuple[Integers, list[int] | None]:
        """Draw a test set: the errors and words of each utterance, and the speakers or `None`."""
        words = random.negative_binomial(3, 0.25, self.size) + 1
        rates = np.full(max(1, self.speakers), self.rate)
        if self.variation:
            shape = self.variation**-2
            rates = random.gamma(shape, self.rate / shape, len(rates))
        speakers = np.repeat(np.arange(len(rates)), self.utterances)
        errors = np.minimum(random.poisson(rates[speakers] * words), 2 * words)
        rows = np.column_stack([errors, words]).astype(np.int64)
        return rows, speakers.tolist() if self.speakers else None

    def sets(self, number: int) -> Iterator[tuple[Integers, list[int] | None]]:
        """Yield `number` test sets, which are the same in each run."""
        parts = self.speakers, self.utterances, round(self.rate * 1e4), round(self.variation * 10)
        random = np.random.default_rng([SEED, *parts])
        for _ in range(number):
            yield self.draw(random)


SINGLE = [Cell(0, size, rate, 0.0) for size in (8, 10, 20, 50, 100) for rate in RATES]
SPOKEN_ROWS = [
    [Cell(speakers, utterances, rate, variation) for rate in RATES]
    for speakers in (4, 10, 20, 50)
    for utterances in (5, 20)
    for variation in (0.0, 0.7)
]


class Coverage(NamedTuple):
    """The shares of intervals that contain the true rate, and the share that has a warning."""

    cell: Cell
    auto: float
    percentile: float  # the percentile bootstrap by utterance
    flagged: float


def interval(rows: Integers, speakers: Sequence[int] | None) -> Bootstrap:
    """Compute the default confidence interval."""
    blocks = choose_blocks([rows], speakers)
    return blocks.mark(bootstrap(rows, blocks=blocks.labels, replications=REPLICATIONS))


def coverage(cell: Cell, sets: int = SETS) -> Coverage:
    """Return the coverage for one kind of test sets."""
    inside, plain, flagged = 0, 0, 0
    for rows, speakers in cell.sets(sets):
        found = interval(rows, speakers)
        inside += found.limits.low <= cell.rate <= found.limits.high
        flagged += bool(found.flag)
        former = found
        if found.block != "utterance":
            former = bootstrap(rows, replications=REPLICATIONS, interval="percentile")
        plain += former.percentile.low <= cell.rate <= former.percentile.high
    return Coverage(cell, inside / sets, plain / sets, flagged / sets)


METHODS = ("percentile", "widened", "BCa", "studentised", "in use")


def methods(cell: Cell, sets: int = SETS) -> list[float]:
    """Return the coverage of each method, for test sets with independent utterances."""
    inside = np.zeros(len(METHODS))
    for rows, _ in cell.sets(sets):
        found = interval(rows, None)
        bounds = [found.percentile, *_others(rows.astype(np.float64)), found.limits]
        inside += [low <= cell.rate <= high for low, high in bounds]
    shares: list[float] = (inside / sets).tolist()
    return shares


def _others(rows: Floats) -> list[tuple[float, float]]:
    """Return the percentile interval (widened), the BCa interval and the studentised interval."""
    errors, words = rows.T
    moments = np.column_stack([errors, words, errors**2, errors * words, words**2])
    sums = resampled_sums(moments.astype(np.int64), replications=REPLICATIONS, seed=0)
    draws = error_rate(sums[:, :2].astype(np.float64))
    number, rate = len(rows), errors.sum() / words.sum()
    share = widened(0.025, number)
    effect = influence(errors, words)
    error = error_of(effect)
    if not error:
        return [(rate, rate)] * 3
    normal = NormalDist()
    below = np.clip(np.mean(draws < rate) + np.mean(draws == rate) / 2, 0.001, 0.999)
    bias = normal.inv_cdf(float(below))
    skew = (effect**3).sum() / (6 * (effect**2).sum() ** 1.5)
    ends = [bias + normal.inv_cdf(tail) for tail in (0.025, 0.975)]
    tails = [normal.cdf(float(bias + end / (1 - skew * end))) for end in ends]
    squares = sums[:, 2] - 2 * draws * sums[:, 3] + draws**2 * sums[:, 4]
    scale = np.sqrt(np.maximum(squares, 0) * number / (number - 1)) / sums[:, 1]
    with np.errstate(divide="ignore", invalid="ignore"):
        pivots = np.nan_to_num((draws - rate) / scale, nan=0.0, posinf=1e9, neginf=-1e9)
    low, high = np.quantile(pivots, (0.025, 0.975))
    return [
        (float(np.quantile(draws, share)), float(np.quantile(draws, 1 - share))),
        (float(np.quantile(draws, tails[0])), float(np.quantile(draws, tails[1]))),
        (max(0.0, rate - high * error), rate - low * error),
    ]


def percents(share: float) -> str:
    """Format a share as in the tables."""
    return f"{100 * share:.0f}"


def single_line(cell: Cell, sets: int = SETS) -> str:
    """Return a line of the first table, which is about independent utterances."""
    shares = " | ".join(map(percents, methods(cell, sets)))
    return f"| {cell.size} | {100 * cell.rate:g} | {shares} |"


def spoken_line(row: Sequence[Coverage]) -> str:
    """Return a line of the second table.

    In its test sets, only the error rate differs between speakers.
    """
    speakers, utterances, _, variation = row[0].cell
    cells = (f"{percents(found.percentile)} → {percents(found.auto)}" for found in row)
    flagged = percents(sum(found.flagged for found in row) / len(row))
    return (
        f"| {speakers} | {utterances} | {variation * 100:.0f} % | {' | '.join(cells)} | "
        f"{flagged} % |"
    )


def tables(sets: int = SETS) -> Iterator[str]:
    """Yield the lines of both tables in Markdown."""
    yield "| utterances | rate % | " + " | ".join(METHODS) + " |"
    yield "|---" * (2 + len(METHODS)) + "|"
    for cell in SINGLE:
        yield single_line(cell, sets)
    yield ""
    rates = " | ".join(f"{100 * rate:g} %" for rate in RATES)
    yield f"| speakers | utterances of each | speakers vary | {rates} | flagged |"
    yield "|---" * (4 + len(RATES)) + "|"
    for row in SPOKEN_ROWS:
        yield spoken_line([coverage(cell, sets) for cell in row])


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sets", type=int, default=SETS, help="test sets in each cell")
    for line in tables(parser.parse_args().sets):
        print(line, flush=True)


if __name__ == "__main__":
    main()
