"""A line of rates: small bars for text, and a drawing for HTML."""

from __future__ import annotations

from formats.console.terminal import shown
from scoring.drawing.blocks import TrendLine
from scoring.drawing.numbers import percent

BARS = "▁▂▃▄▅▆▇█"
MOST_BARS = 60


def trend_text(line: TrendLine) -> str:
    r"""Return bars for the last points, then the first, the last and the lowest of all rates.

    >>> from scoring.drawing.blocks import TrendPoint
    >>> print(trend_text(TrendLine([TrendPoint("run 1", 0.2), TrendPoint("run 2", 0.1)])))
    █▁  20.00 → 10.00 %, lowest 10.00 % (run 2)
    """
    points = line.points[-MOST_BARS:]
    rates = [point.rate for point in points]
    low, span = min(rates), max(rates) - min(rates)
    last = len(BARS) - 1
    bars = "".join(BARS[round(last * (rate - low) / span) if span else 0] for rate in rates)
    best = min(line.points, key=lambda point: point.rate)
    ends = f"{percent(line.points[0].rate)} → {percent(points[-1].rate)} %"
    if len(line.points) > MOST_BARS:
        bars = f"{bars} (last {MOST_BARS} of {len(line.points):,})"
    above = sum(point.is_above for point in line.points)
    failed = f", above the limit: {above}" if above else ""
    return f"{bars}  {ends}, lowest {percent(best.rate)} % ({shown(best.label)}){failed}"
