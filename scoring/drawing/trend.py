"""A line of rates: small bars for text, and a drawing for HTML."""

from __future__ import annotations

from formats.console import shown
from formats.console.terminal import width
from scoring.drawing import percent
from scoring.drawing.blocks import TrendLine

BARS = "▁▂▃▄▅▆▇█"
MOST_BARS = 60
WIDEST_BAR = 6  # columns


def trend_text(line: TrendLine, columns: int = 0) -> str:
    r"""Return bars for the last points, then the first, the last and the lowest of all rates.

    If `columns` is set, the bars of few points are wider, and take the space that texts leave.

    >>> from scoring.drawing.blocks import TrendPoint
    >>> line = TrendLine([TrendPoint("run 1", 0.2), TrendPoint("run 2", 0.1)])
    >>> print(trend_text(line), trend_text(line, 60), sep="\n")
    █▁  20.00 → 10.00 %, lowest 10.00 % (run 2)
    ██████▁▁▁▁▁▁  20.00 → 10.00 %, lowest 10.00 % (run 2)
    """
    points = line.points[-MOST_BARS:]
    rates = [point.rate for point in points]
    low, span = min(rates), max(rates) - min(rates)
    last = len(BARS) - 1
    best = min(line.points, key=lambda point: point.rate)
    remark = ""
    if len(line.points) > MOST_BARS:
        remark = f" (last {MOST_BARS} of {len(line.points):,})"
    ends = f"{percent(line.points[0].rate)} → {percent(points[-1].rate)} %"
    above = sum(point.is_above for point in line.points)
    failed = f", limit {percent(line.limit)} %" if line.limit is not None else ""
    failed += f", above the limit: {above}" if above else ""
    text = f"{remark}  {ends}, lowest {percent(best.rate)} % ({shown(best.label)}){failed}"
    wide = max(1, min((columns - width(text)) // len(points), WIDEST_BAR))
    bars = (BARS[round(last * (rate - low) / span) if span else 0] * wide for rate in rates)
    return "".join(bars) + text
