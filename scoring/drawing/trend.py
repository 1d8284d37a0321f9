"""A line of rates: small bars for text, and a drawing for HTML."""

from __future__ import annotations

from collections.abc import Iterator

from formats.console.terminal import shown
from scoring.drawing.blocks import TrendLine
from scoring.drawing.numbers import percent

BARS = "▁▂▃▄▅▆▇█"
MOST_BARS = 60
_WIDTH, _HEIGHT, _MARGIN = 640, 160, 44


def trend_text(line: TrendLine) -> str:
    r"""A bar for each of the last points, the first and the last rate, and the lowest.

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
    ends = f"{percent(points[0].rate)} → {percent(points[-1].rate)} %"
    return f"{bars}  {ends}, lowest {percent(best.rate)} % ({shown(best.label)})"


def trend_drawing(line: TrendLine) -> Iterator[str]:
    """The line as SVG: a point with its label and its interval for each rate."""
    from html import escape

    bounds = [bound for point in line.points for bound in point.interval or (point.rate,)]
    low, high = min(bounds), max(bounds)
    span, room = high - low or 1.0, _HEIGHT - 2 * 12
    step = (_WIDTH - _MARGIN - 12) / max(1, len(line.points) - 1)

    def height(rate: float) -> str:
        return f"{12 + room * (high - rate) / span:.1f}"

    places = [f"{_MARGIN + step * index:.1f}" for index in range(len(line.points))]
    yield (
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}" role="img" '
        f'aria-label="{escape(trend_text(line))}">'
    )
    for rate in dict.fromkeys((high, low)):
        yield f'<text x="0" y="{height(rate)}" font-size="11" fill="currentColor">'
        yield f"{percent(rate)} %</text>"
    corners = " ".join(
        f"{place},{height(point.rate)}" for place, point in zip(places, line.points, strict=True)
    )
    yield f'<polyline points="{corners}" fill="none" stroke="currentColor"/>'
    for place, point in zip(places, line.points, strict=True):
        if point.interval is not None:
            ends = f'y1="{height(point.interval[0])}" y2="{height(point.interval[1])}"'
            yield f'<line x1="{place}" x2="{place}" {ends} stroke="currentColor" opacity="0.4"/>'
        title = escape(f"{shown(point.label)}: {percent(point.rate)} %")
        yield f'<circle cx="{place}" cy="{height(point.rate)}" r="4" fill="currentColor">'
        yield f"<title>{title}</title></circle>"
    yield "</svg>"
