"""Plots: changes of rates with their intervals along an axis, and trend lines.

A flag is a short remark on an interval, such as `only 3 utterances`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from html import escape
from itertools import groupby
from typing import NamedTuple

from formats.console import SIGNS, shown
from formats.console.terminal import coloured, padded, width
from scoring.drawing import percent
from scoring.drawing.blocks import ChangePlot, ChangePoint, RateCurve, TrendLine, TrendPoint
from scoring.drawing.trend import trend_text

STEPS = (1, 2, 5, 10)
LEAST_SPAN = 0.001  # of an axis, as a ratio
TEXT_COLUMNS = 41
LEAST_AXIS, MOST_AXIS = 15, 81  # columns of an axis on terminals
LONGEST_LABEL = 28
_WIDTH, _TOP = 860, 8  # pixels
_HEIGHT, _MARGIN, _EDGE = 180, 76, 12  # of the drawing of a trend
_MOST_MARKS = 100  # points with large marks
_LABELS, _LETTER = 18, 6.5  # height of a line of labels, and width of one of their letters
_GAP, _FLAG = 12, 14  # between texts and an axis, and the height of a line of flags
_LEAST_AXIS = 200  # pixels


class PlotLayout(NamedTuple):
    """The positions of texts in a drawing of changes, in pixels.

    The drawing has several layouts; browsers choose one of them by the width of the page.
    """

    name: str
    width: int
    margins: tuple[int, int]  # before and after the axis
    row: int
    marks: int  # from the upper edge of a row to its interval
    base: int  # and to the base of its texts
    is_stacked: bool  # label and value stand above the interval, and the title is in two lines

    @property
    def label(self) -> tuple[float, str]:
        """The horizontal position and the CSS class of labels."""
        return (0, "") if self.is_stacked else (self.margins[0] - _GAP, "end")

    @property
    def value(self) -> tuple[float, str]:
        """The horizontal position and the CSS class of values, and of the flags below them."""
        return (self.width, "end") if self.is_stacked else (self.width - self.margins[1] + _GAP, "")

    def fitted(self, points: Sequence[ChangePoint]) -> PlotLayout:
        """Return the layout with room for the labels, values and flags of its points."""
        flags = [point.flag for point in points if point.flag]
        row = self.row + _FLAG * bool(flags)
        if self.is_stacked:
            return self._replace(row=row, marks=self.marks + _FLAG * bool(flags))
        texts = [_shortened(point.label) for point in points], [*map(bounds_text, points), *flags]
        before, after = (
            max(margin, round(_LETTER * max(map(width, side), default=0)) + 2 * _GAP)
            for margin, side in zip(self.margins, texts, strict=True)
        )
        return self._replace(
            row=row, margins=(before, min(after, self.width - before - _LEAST_AXIS))
        )


class TrendLayout(NamedTuple):
    """The size of a drawing of a trend, in pixels."""

    name: str
    width: int
    margin: int  # before the axis

    def across(self, index: int, points: int) -> float:
        """Return the horizontal position of a point."""
        return self.margin + (self.width - self.margin - _EDGE) * index / max(1, points - 1)


TREND_LAYOUTS = (
    TrendLayout("broad", 1180, _MARGIN),
    TrendLayout("roomy", _WIDTH, _MARGIN),
    TrendLayout("tight", 340, 62),
)
WIDE = PlotLayout("roomy", _WIDTH, (190, 190), 28, 14, 18, False)
NARROW = PlotLayout("tight", 340, (18, 20), 46, 30, 16, True)


class PlotAxis(NamedTuple):
    """The range of an axis and its ticks, as ratios."""

    low: float
    high: float
    ticks: Sequence[float]

    def share(self, value: float) -> float:
        """Return the position of a value on the axis, from 0 to 1."""
        return (value - self.low) / (self.high - self.low)

    @property
    def digits(self) -> int:
        """The number of decimals that the ticks need as percentages, at most 2."""
        sizes = (0, 1)
        return next(
            (size for size in sizes if all(_has_digits(100 * each, size) for each in self.ticks)), 2
        )


def axis_of(points: Sequence[ChangePoint]) -> PlotAxis:
    """Return an axis that includes zero and every interval, with three to eight round ticks.

    >>> axis_of([ChangePoint("a", -0.06, (-0.1, -0.02))]).ticks
    (-0.1, -0.08, -0.06, -0.04, -0.02, 0.0)
    """
    bounds = [0.0]
    for point in points:
        bounds += [] if point.change is None else [point.change]
        bounds += point.interval or ()
    return round_axis(min(bounds), max(bounds))


def round_axis(low: float, high: float) -> PlotAxis:
    """Return an axis with three to eight round ticks that includes a range.

    >>> round_axis(0.05, 0.99).ticks
    (0.0, 0.2, 0.4, 0.6, 0.8, 1.0)
    """
    span = max(high - low, LEAST_SPAN)
    unit = 10.0 ** math.floor(math.log10(span / 4))
    step = unit * next(size for size in STEPS if size * unit * 6 >= span)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    last = max(last, first + 1)
    ticks = tuple(round(number * step, 9) + 0.0 for number in range(first, last + 1))
    return PlotAxis(ticks[0], ticks[-1], ticks)


def value_text(point: ChangePoint, sign: str = "+") -> str:
    """Return a change and its interval in percentage points, as text.

    >>> value_text(ChangePoint("a", 0.01, (-0.02, 0.04)))
    '+1.00 (-2.00 to +4.00)'
    """
    text = bounds_text(point, sign)
    return f"{text[:-1]}; {point.flag})" if point.flag and point.interval is not None else text


def bounds_text(point: ChangePoint, sign: str = "+") -> str:
    """Return the interval of a change as text, without its flag."""
    text = percent(point.change, sign=sign)
    if point.interval is None:
        return text
    return f"{text} ({' to '.join(percent(bound, sign=sign) for bound in point.interval)})"


def kind_of(point: ChangePoint, is_higher_better: bool = False) -> str:
    """Return `better` or `worse` if the interval excludes zero, otherwise an empty text."""
    if point.interval is None or point.interval[0] <= 0 <= point.interval[1]:
        return ""
    return "better" if (point.interval[1] < 0) != is_higher_better else "worse"


def _kind_in(plot: ChangePlot, point: ChangePoint) -> str:
    return "" if plot.is_of_rates else kind_of(point, plot.is_higher_better)


def plot_lines(plot: ChangePlot, columns: int = 0, *, colour: bool = False) -> Iterator[str]:
    r"""Yield a row for each change: its interval as a line, zero as a bar, and the numbers.

    If `columns` is set, all lines fit this width, the axis takes the space that texts leave, and a
    sign and a colour mark each interval that excludes zero.

    >>> plot = ChangePlot([ChangePoint("all", -0.06, (-0.1, -0.02))], "points")
    >>> print(*plot_lines(plot), sep="\n")
    points
    all  ├───────────────●───────────────┤       │  -6.00 (-10.00 to -2.00)
    """
    if columns:
        yield from _screen_rows(plot, columns, colour=colour)
        return
    axis = axis_of(plot.points)
    lead = max((width(shown(point.label)) for point in plot.points), default=0) + 2
    yield shown(plot.title)
    for point in plot.points:
        row = _text_row(point, axis)
        yield f"{padded(shown(point.label), lead)}{row}  {value_text(point, plot.sign)}"


def _screen_rows(plot: ChangePlot, columns: int, *, colour: bool) -> Iterator[str]:
    """Yield the rows of a plot; values are below their intervals if the terminal is narrow."""
    from formats.console.screen import wrapped

    axis = axis_of(plot.points)
    labels = [shown(point.label) for point in plot.points]
    kinds = [_kind_in(plot, point) for point in plot.points]
    values = [
        ((SIGNS[kind == "better"] if kind else "  ") + value_text(point, plot.sign))
        for kind, point in zip(kinds, plot.points, strict=True)
    ]
    texts = max(map(width, labels), default=0) + max(map(width, values), default=0) + 4
    is_beside = columns - texts >= LEAST_AXIS
    room = min(columns - texts, MOST_AXIS) if is_beside else columns
    yield from wrapped(shown(plot.title), columns, 2)
    for point, label, kind, value in zip(plot.points, labels, kinds, values, strict=True):
        code = {"better": "32", "worse": "31"}.get(kind, "")
        row = coloured(_text_row(point, axis, room), code, colour and bool(kind))
        shown_value = coloured(value, code, colour and bool(kind))
        if is_beside:
            yield f"{padded(label, max(map(width, labels)) + 2)}{row}  {shown_value}".rstrip()
            continue
        for line in wrapped(f"{label}: {value.strip()}", columns, 2):
            yield coloured(line, code, colour and bool(kind))
        yield row.rstrip()


def _text_row(point: ChangePoint, axis: PlotAxis, columns: int = TEXT_COLUMNS) -> str:
    def column(value: float) -> int:
        return round((columns - 1) * axis.share(value))

    cells = [" "] * columns
    if point.interval is not None:
        low, high = map(column, point.interval)
        cells[low : high + 1] = "─" * (high + 1 - low)
        cells[low], cells[high] = "├", "┤"
    cells[column(0.0)] = "│"
    if point.change is not None:
        cells[column(point.change)] = "●"
    return "".join(cells)


def plot_drawing(plot: ChangePlot) -> Iterator[str]:
    """Yield the plot as SVG for wide and narrow screens.

    Colours mark the intervals that exclude zero.
    """
    yield '<figure tabindex="0">'
    for layout in (WIDE, NARROW):
        yield from _changes_drawing(plot, layout)
    yield "</figure>"


def _changes_drawing(plot: ChangePlot, layout: PlotLayout) -> Iterator[str]:
    layout = layout.fitted(plot.points)
    axis, bottom = axis_of(plot.points), _TOP + layout.row * len(plot.points)
    before, after = layout.margins

    def across(value: float) -> str:
        return f"{before + (layout.width - before - after) * axis.share(value):.1f}"

    texts = "; ".join(f"{point.label} {value_text(point, plot.sign)}" for point in plot.points)
    titles = plot.title.replace(" (", "\n(").split("\n") if layout.is_stacked else [plot.title]
    yield (
        f'<svg class="chart changes {layout.name}" role="img" '
        f'viewBox="0 0 {layout.width} {bottom + 30 + 18 * len(titles)}" '
        f'aria-label="{escape(shown(f"{plot.title}: {texts}"))}">'
    )
    # lines do not cross texts
    rows = range(_TOP, bottom, layout.row) if layout.is_stacked else []
    spans = [(row + layout.marks - 8, row + layout.row) for row in rows] or [(_TOP, bottom)]
    digits = axis.digits
    for tick in axis.ticks:
        kind, place = "zero" if tick == 0 else "grid", across(tick)
        for above, below in spans:
            yield f'<line class="{kind}" x1="{place}" x2="{place}" y1="{above}" y2="{below}"/>'
        text = "0" if tick == 0 else percent(tick, digits, sign=plot.sign)
        yield f'<text class="tick middle" x="{place}" y="{bottom + 18}">{text}</text>'
    for line, title in enumerate(titles):
        middle = (before + layout.width - after) / 2
        yield from axis_titles(title, middle, bottom + 40 + 18 * line)
    for number, point in enumerate(plot.points):
        top = _TOP + layout.row * number
        height, base = top + layout.marks, top + layout.base
        for (start, anchor), text, y in (
            (layout.label, _shortened(point.label), base),
            (layout.value, bounds_text(point, plot.sign), base),
            (layout.value, point.flag, base + _FLAG),
        ):
            if text:
                yield f'<text class="{anchor}" x="{start}" y="{y}">{_text(text)}</text>'
        yield f'<g class="{_kind_in(plot, point)}">'
        if point.interval is not None:
            low, high = map(across, point.interval)
            yield f'<line class="whisker" x1="{low}" x2="{high}" y1="{height}" y2="{height}"/>'
        if point.change is not None:
            yield f'<circle class="dot" cx="{across(point.change)}" cy="{height}" r="5"/>'
        yield "</g>"
    yield "</svg>"


def _has_digits(number: float, digits: int) -> bool:
    return round(number, 6) == round(number, digits)


def axis_titles(
    across: str, middle: float, base: float, up: str = "", height: float = 0
) -> Iterator[str]:
    """Yield the title `across` below a drawing and, if it is not empty, the title `up` beside it.

    `middle` is the centre of the horizontal axis, `base` the baseline of its title, and `height`
    the height of the drawing.
    """
    yield f'<text class="axis middle" x="{middle:.0f}" y="{base:.0f}">{_text(across)}</text>'
    if up:
        turned = f"rotate(-90 12 {height / 2:.0f})"
        yield f'<text class="axis middle" x="12" y="{height / 2:.0f}" transform="{turned}">'
        yield f"{_text(up)}</text>"


def trend_drawing(line: TrendLine) -> Iterator[str]:
    """Yield the line as SVG for three widths of screens, with the titles of the axes.

    Each rate is a point with its interval. A limit is a broken line in steps. Rates above the limit
    have large red marks. Where the level of the rates changes or another series begins, there is a
    pale vertical line with a label.
    """
    yield '<figure class="over-time" tabindex="0">'
    for layout in TREND_LAYOUTS:
        yield from _trend_drawing(line, layout)
    yield "</figure>"


def _trend_drawing(line: TrendLine, layout: TrendLayout) -> Iterator[str]:
    bounds = [bound for point in line.points for bound in point.interval or (point.rate,)]
    bounds += [point.limit for point in line.points if point.limit is not None]
    axis = round_axis(min(bounds), max(bounds))
    top = _EDGE + _LABELS * any(point.change for point in line.points)
    bottom = top + _HEIGHT - 2 * _EDGE

    def height(rate: float) -> str:
        return f"{bottom - (bottom - top) * axis.share(rate):.1f}"

    places = [layout.across(index, len(line.points)) for index in range(len(line.points))]
    xs = [f"{place:.1f}" for place in places]
    role = "group" if any(point.link for point in line.points) else "img"  # an image has no links
    yield (
        f'<svg class="chart trend {layout.name}" role="{role}" '
        f'viewBox="0 0 {layout.width} {bottom + _EDGE + 34}" '
        f'aria-label="{escape(trend_text(line))}">'
    )
    for rate in axis.ticks:
        y = height(rate)
        yield f'<line class="grid" x1="{layout.margin}" x2="{layout.width}" y1="{y}" y2="{y}"/>'
        text = f"{percent(rate, axis.digits)} %"
        yield f'<text class="tick end" x="{layout.margin - 8}" y="{float(y) + 4:.1f}">{text}</text>'
    yield from _changes(line, layout, top, bottom)
    yield from _limit(line, layout, xs, height)
    corners = " ".join(
        f"{x},{height(point.rate)}" for x, point in zip(xs, line.points, strict=True)
    )
    is_dense = len(line.points) > _MOST_MARKS
    if is_dense:
        yield from _band(line, xs, height)
    yield f'<polyline class="line system0" points="{corners}"/>'
    radius = 2 if is_dense else 5
    for x, point in zip(xs, line.points, strict=True):
        if point.interval is not None and not is_dense:
            ends = f'y1="{height(point.interval[0])}" y2="{height(point.interval[1])}"'
            yield f'<line class="whisker" x1="{x}" x2="{x}" {ends}/>'
        kind = "failed" if point.is_above else "system0"
        circle = f'cx="{x}" cy="{height(point.rate)}" r="{radius + 2 * point.is_above}"'
        mark = f'<circle class="mark {kind}" {circle}><title>{_point_title(point)}</title></circle>'
        if point.link:
            name = escape(shown(_full_name(point)))
            mark = f'<a href="{escape(point.link)}" aria-label="{name}">{mark}</a>'
        yield mark
    yield from _labels(line, layout, bottom)
    foot = (layout.margin + layout.width) / 2, bottom + 40
    yield from axis_titles("runs, the latest last", *foot, "error rate in %", top + bottom)
    yield "</svg>"


def _labels(line: TrendLine, layout: TrendLayout, bottom: int) -> Iterator[str]:
    """Yield the labels of the first and the last point, and of those between that have room."""
    labels = [_shortened(point.label) for point in line.points]
    last = len(labels) - 1
    room = _LETTER * max(map(width, labels)) + _GAP
    apart = (layout.width - layout.margin - _EDGE) / max(1, last)
    step = max(1, math.ceil(room / apart))
    positions = [*range(0, max(1, last - step + 1), step), *([last] if last else [])]
    for index in positions:
        kind = "end" if index == last and last else "middle" if index else ""
        x = f"{layout.across(index, len(labels)):.1f}"
        yield f'<text class="tick {kind}" x="{x}" y="{bottom + 22}">{_text(labels[index])}</text>'


def _band(line: TrendLine, xs: Sequence[str], height: Callable[[float], str]) -> Iterator[str]:
    """Yield the intervals of many points as pale bands.

    A band covers consecutive points that have an interval.
    """
    marked = zip(xs, line.points, strict=True)
    for has_interval, neighbours in groupby(marked, lambda pair: pair[1].interval is not None):
        if has_interval:
            rows = [(x, *(point.interval or (0.0, 0.0))) for x, point in neighbours]
            corners = [f"{x},{height(high)}" for x, _, high in rows]
            corners += [f"{x},{height(low)}" for x, low, _ in reversed(rows)]
            yield f'<polygon class="band" points="{" ".join(corners)}"/>'


def _limit(
    line: TrendLine, layout: TrendLayout, xs: Sequence[str], height: Callable[[float], str]
) -> Iterator[str]:
    """Yield the limit as a broken line in steps, and its label."""
    limits = [
        (x, height(point.limit))
        for x, point in zip(xs, line.points, strict=True)
        if point.limit is not None
    ]
    if not limits:
        return
    steps = [limits[0][0], limits[0][1]]
    for x, y in limits[1:]:
        steps += [x, steps[-1], x, y]
    corners = " ".join(map(",".join, zip(steps[::2], steps[1::2], strict=True)))
    yield f'<polyline class="limit" points="{corners}"/>'
    # where the last mark is not
    label_y = float(limits[-1][1]) + (14 if line.points[-1].is_above else -4)
    text = f"limit {percent(line.limit)} %"
    yield f'<text class="tick end" x="{layout.width}" y="{label_y:.1f}">{text}</text>'


def _changes(line: TrendLine, layout: TrendLayout, top: int, bottom: int) -> Iterator[str]:
    """Yield a pale vertical line where a new level begins, with a label if there is room for it."""
    free = 0.0  # from here on no label stands
    for index, point in enumerate(line.points):
        if not point.change:
            continue
        x = layout.across(index, len(line.points))
        yield f'<line class="change" x1="{x:.1f}" x2="{x:.1f}" y1="{top}" y2="{bottom}"/>'
        label = _shortened(point.change)
        size = _LETTER * len(label)
        start = max(0.0, min(x - 4, layout.width - size))
        if start >= free:
            yield f'<text class="tick" x="{start:.1f}" y="{top - 6}">{_text(label)}</text>'
            free = start + size + _LETTER


def _full_name(point: TrendPoint) -> str:
    return f"{point.label} {point.name}".rstrip()


def _point_title(point: TrendPoint) -> str:
    """Return the tooltip of a point."""
    parts = [f"{_full_name(point)}: {percent(point.rate)} %"]
    if point.interval is not None:
        low, high = map(percent, point.interval)
        parts.append(f"interval {low} to {high} %")
    if point.limit is not None:
        where = "above" if point.is_above else "within"
        parts.append(f"{where} the limit of {percent(point.limit)} %")
    if point.change:
        parts.append(point.change)
    return _text(", ".join(parts))


def curve_drawing(curve: RateCurve) -> Iterator[str]:
    """Yield the curve as SVG: rates over amounts, a tick per power of ten, a tooltip per point."""
    amounts = [amount for amount, _, _ in curve.points if amount > 0] or [1.0]
    low, high = math.floor(math.log10(min(amounts))), math.ceil(math.log10(max(amounts)))
    low -= any(amount == 0 for amount, _, _ in curve.points) or low == high
    room = _WIDTH - _MARGIN - _EDGE

    def across(amount: float) -> str:
        share = (math.log10(amount) - low) / (high - low) if amount > 0 else 0
        return f"{_MARGIN + room * share:.1f}"

    def height(rate: float) -> str:
        return f"{_EDGE + (_HEIGHT - 2 * _EDGE) * (1 - rate):.1f}"

    label = escape(shown(f"{curve.rate} over {curve.amount}"))
    yield (
        '<figure tabindex="0"><svg class="chart trend" role="img" '
        f'viewBox="0 0 {_WIDTH} {_HEIGHT + 34}" aria-label="{label}">'
    )
    for rate in (0.0, 0.5, 1.0):
        y = height(rate)
        yield f'<line class="grid" x1="{_MARGIN}" x2="{_WIDTH}" y1="{y}" y2="{y}"/>'
        yield f'<text class="tick end" x="{_MARGIN - 8}" y="{y}">{percent(rate, 0)} %</text>'
    for power in range(low, high + 1):
        x = across(10.0**power)
        yield f'<line class="grid" x1="{x}" x2="{x}" y1="{_EDGE}" y2="{_HEIGHT - _EDGE}"/>'
        yield f'<text class="tick middle" x="{x}" y="{_HEIGHT + 10}">{10.0**power:g}</text>'
    corners = " ".join(f"{across(amount)},{height(rate)}" for amount, rate, _ in curve.points)
    yield f'<polyline class="line system0" points="{corners}"/>'
    for amount, rate, title in curve.points:
        yield f'<circle class="mark system0" cx="{across(amount)}" cy="{height(rate)}" r="4">'
        yield f"<title>{_text(title)}</title></circle>"
    foot = (_MARGIN + _WIDTH) / 2, _HEIGHT + 28
    yield from axis_titles(curve.amount, *foot, curve.rate, _HEIGHT)
    yield "</svg></figure>"


def _shortened(label: str, longest: int = LONGEST_LABEL) -> str:
    text = shown(label)
    return text if len(text) <= longest else text[: longest - 1] + "…"


def _text(text: str) -> str:
    return escape(shown(text))
