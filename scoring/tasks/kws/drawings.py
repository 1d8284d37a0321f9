"""Drawings of a keyword search as SVG: DET curve, value by threshold, outcomes over time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import dist, isfinite
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.drawing.markup import html_text
from scoring.drawing.plots import axis_titles, round_axis
from scoring.tasks.kws.alignment import LABELS
from scoring.tasks.kws.det import LINE_VALUE, deviates, line_of_equal_value
from scoring.tasks.kws.evaluation import KeywordSearchScores
from scoring.tasks.kws.measures import Curve, Point, SetScores
from scoring.tasks.kws.tables import VALUE, formatted

WIDTH = 640  # pixels
LEFT, RIGHT, TOP, FOOT = 80, 16, 14, 54  # around the axes
BOTTOM = TOP + 400
MOST_COLORS = 8  # of systems
# percent; an axis has at least the first two
FALSE_ALARM_TICKS = (0.0001, 0.001, 0.01, 0.1, 1, 10, 40)
MISS_TICKS = (99, 95, 90, 80, 60, 40, 20, 10, 5, 1)
LOWEST_VALUE = -1.0
# Point, its name, and what it is.
MARKS = (
    ("actual", "ATWV", "the decisions of the system"),
    ("maximum", "MTWV", "the best threshold"),
    ("optimum", "OTWV", "the best threshold of each keyword"),
    ("supremum", "STWV", "all detected references, no false alarm"),
)
VALUE_MARKS = MARKS[:2]
OPEN_MARKS = "open mark: the best threshold of a system (MTWV)"
SHAPES = (
    "M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0z",
    "M0,-6L6,5H-6z",
    "M-5,-5H5V5H-5z",
    "M0,-7L6,0L0,7L-6,0z",
)
MARK_SIZES = (1.3, 1.3, 1.9, 1.9)
WIDTH_KEPT = 'vector-effect="non-scaling-stroke"'
NEAR = 12  # pixels between marks that would cover each other
CROSS = "M-5,-5L5,5M-5,5L5,-5"
HIT, MISS, REJECTED, FALSE_ALARM, REJECTION = (
    *("hit", "miss", "rejected hit", "false alarm", "correct rejection"),
)
OUTCOMES = {
    HIT: ("hit", SHAPES[0]),
    FALSE_ALARM: ("alarm", SHAPES[1]),
    MISS: ("missed", CROSS),
    REJECTED: ("missed", SHAPES[3]),
    REJECTION: ("rejection", "M-3,0a3,3 0 1,0 6,0a3,3 0 1,0 -6,0z"),
}
TIME_STEPS = (0.2, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200)  # seconds
LANE = 84  # height of a recording
MOST_LANES, MOST_MARKS = 50, 5000


class DrawnSet(NamedTuple):
    """A set of keywords with its curve; the name is that of its system."""

    name: str
    scores: SetScores
    curve: Curve


class MarkedPoint(NamedTuple):
    """A point with a mark: the number of the mark or the system, and what the legend says of it."""

    number: int
    point: Point
    text: str = ""  # without a text, another line of the legend explains the mark
    is_open: bool = False


class LegendEntry(NamedTuple):
    """A line of a legend: the number of a mark or a system, and what it means."""

    number: int
    text: str
    has_mark: bool = True
    has_line: bool = False
    is_open: bool = False


class DetAxes(NamedTuple):
    """The ticks of both axes of a DET curve, in percent."""

    false_alarms: Sequence[float]
    misses: Sequence[float]  # from the top to the bottom

    def places(self, p_fa: object, p_miss: object) -> list[str]:
        """Return the distinct places of points between the axes, at normal deviates."""
        across = _shares(p_fa, (self.false_alarms[0], self.false_alarms[-1]))
        down = _shares(p_miss, (self.misses[0], self.misses[-1]))
        x = LEFT + (WIDTH - LEFT - RIGHT) * across
        y = TOP + (BOTTOM - TOP) * down
        corners = zip(x.tolist(), y.tolist(), strict=True)
        return list(dict.fromkeys(f"{a:.1f},{b:.1f}" for a, b in corners))


class SearchEvent(NamedTuple):
    """A scored detection or a missed reference."""

    outcome: str  # one of `OUTCOMES`
    keyword: int  # its number
    place: int  # number of its file and channel
    begin: float  # seconds
    begin_text: str
    score: float | None  # None without a detection
    score_text: str


def events_of(scores: KeywordSearchScores) -> list[SearchEvent]:
    """Return the outcomes by keyword and time, as the alignment lists them."""
    alignment = scores.alignment
    columns, clock = alignment.detections.columns(), alignment.audio.clock
    chosen = set(scores.keywords)
    names = {"CORR": HIT, "FA": FALSE_ALARM, "CORR!DET": REJECTION}
    events = []
    lines = zip(*(column.tolist() for column in alignment.table()), strict=True)
    for keyword, reference, row, label in lines:
        if keyword not in chosen:
            continue
        if row < 0:
            missed = alignment.references[reference]
            begin, text = clock.seconds(missed.begin), missed.begin_text
            events.append(SearchEvent(MISS, keyword, missed.place, begin, text, None, ""))
            continue
        begin_text, score_text = alignment.detections.written(row)
        recording, begin = int(columns.places[row]), float(columns.begins[row])
        score, outcome = float(columns.scores[row]), names.get(LABELS[label], REJECTED)
        events.append(
            SearchEvent(outcome, keyword, recording, begin, begin_text, score, score_text)
        )
    return events


def det_elements(sets: Sequence[DrawnSet]) -> Iterator[str]:
    """Yield curves of P(miss) over P(false alarm), in normal deviates, with marks and a legend.

    The marks of a single set are its values and its limits. Otherwise they are the decisions and
    the best thresholds of the systems.
    """
    axes = _det_axes(sets)
    yield from _det_frame(axes)
    equal = axes.places(*line_of_equal_value(sets[0].scores.trials.parameters.beta))
    yield f'<polyline class="diagonal" points="{" ".join(equal)}"/>'
    for number, row in enumerate(sets):
        corners = axes.places(row.curve.p_fa, row.curve.p_miss)
        yield f'<polyline class="line {_color(number)}" points="{" ".join(corners)}"/>'
    points = _marked_points(sets, MARKS)
    yield from _marks(
        points, [axes.places([row.point.p_fa], [row.point.p_miss])[0] for row in points]
    )
    legend = [*_entries(sets, points)]
    legend.append(LegendEntry(0, f"points with the value {LINE_VALUE:g}", has_mark=False))
    yield from _end("false alarms in %", "misses in %", _legend(legend))


def value_elements(sets: Sequence[DrawnSet]) -> Iterator[str]:
    """Yield the term-weighted value by threshold; a threshold accepts scores at or above it."""
    points = [
        marked
        for marked in _marked_points(sets, VALUE_MARKS)
        if marked.point.twv is not None
        and marked.point.threshold is not None
        and isfinite(marked.point.threshold)
    ]
    thresholds = [threshold for row in sets for threshold in row.curve.thresholds.tolist()]
    thresholds += [point.threshold for _, point, *_ in points if point.threshold is not None]
    lowest = min(float(row.curve.twv.min()) for row in sets)
    x_axis = round_axis(min(thresholds), max(thresholds))
    y_axis = round_axis(max(min(lowest, 0.0), LOWEST_VALUE), 1.0)

    def position(threshold: float, value: float) -> str:
        across = LEFT + (WIDTH - LEFT - RIGHT) * x_axis.share(threshold)
        return f"{across:.1f},{BOTTOM - (BOTTOM - TOP) * y_axis.share(max(value, y_axis.low)):.1f}"

    yield from _begin(BOTTOM + FOOT, "Term-weighted value by threshold")
    for tick in y_axis.ticks:
        yield from _tick_up(position(x_axis.low, tick).partition(",")[2], f"{tick:g}")
    for tick in x_axis.ticks:
        yield from _tick_across(position(tick, 0.0).partition(",")[0], f"{tick:g}")
    for number, row in enumerate(sets):
        steps, values = row.curve.thresholds.tolist(), row.curve.twv.tolist()
        corners = [position(steps[0], values[0])]
        for before, after, value in zip(steps, steps[1:], values[1:], strict=False):
            corners += [position(x, value) for x in (before, after)]
        line = " ".join(dict.fromkeys(corners))
        yield f'<polyline class="line {_color(number)}" points="{line}"/>'
    places = [position(row.point.threshold or 0.0, row.point.twv or 0.0) for row in points]
    yield from _marks(points, places)
    yield from _end("threshold (score)", "value (TWV)", _legend(_entries(sets, points)))


def _entries(sets: Sequence[DrawnSet], points: Iterable[MarkedPoint]) -> Iterator[LegendEntry]:
    """Yield the lines of a legend; one line explains the open marks of all systems."""
    has_line, has_open = len(sets) > 1, False
    for number, _, text, is_open in points:
        has_open |= is_open
        if text:
            yield LegendEntry(number, text, has_line=has_line)
    if has_open:
        yield LegendEntry(0, OPEN_MARKS, is_open=True)


def _marked_points(
    sets: Sequence[DrawnSet], marks: Sequence[tuple[str, str, str]]
) -> list[MarkedPoint]:
    """Return the marks of curves.

    These are the points `marks` of a single set, or the decisions and the best thresholds of
    several systems.
    """
    rows = []
    if len(sets) > 1:
        for number, row in enumerate(sets):
            actual, best = row.scores.actual, row.scores.maximum
            text = f"{row.name}: ATWV {_value(actual)}, MTWV {_value(best)}"
            rows.append(MarkedPoint(number, actual, text))
            rows.append(MarkedPoint(number, best, is_open=True))
    else:
        for number, (name, label, meaning) in enumerate(marks):
            point = getattr(sets[0].scores, name)
            text = f"{label} {_value(point)}{_at(point)}{meaning}"
            rows.append(MarkedPoint(number, point, text))
    return [row for row in rows if row.point.p_fa is not None and row.point.p_miss is not None]


def _value(point: Point) -> str:
    """Return the value of a point as the tables show it."""
    return formatted(point.twv, VALUE).strip()


def _at(point: Point) -> str:
    """Return the threshold of a point and a comma; a colon if no threshold holds for all."""
    is_known = point.threshold is not None and isfinite(point.threshold)
    return f" at {point.threshold:.3f}, " if is_known else ": "


def _det_axes(sets: Sequence[DrawnSet]) -> DetAxes:
    """Return axes that hold the curves and marks of the sets.

    Probabilities beyond the first or the last tick of all are drawn at the edge.
    """
    p_fa = [value for row in sets for value in row.curve.p_fa.tolist()]
    p_miss = [value for row in sets for value in row.curve.p_miss.tolist()]
    for _, point, *_ in _marked_points(sets, MARKS):
        p_fa.append(point.p_fa)
        p_miss.append(point.p_miss)
    most, least = 100 * max(p_fa), 100 * min(p_miss)
    inner = [
        sum(tick < most for tick in FALSE_ALARM_TICKS),
        sum(tick > least for tick in MISS_TICKS),
    ]
    across, down = (max(number + 1, 2) for number in inner)
    return DetAxes(FALSE_ALARM_TICKS[:across], MISS_TICKS[:down])


def _shares(probabilities: object, limits: tuple[float, float]) -> NDArray[np.float64]:
    """Return the shares of an axis, 0 to 1, at which probabilities are; `limits` are in percent."""
    first, last = deviates(np.array(limits) / 100).tolist()
    positions = deviates(probabilities)  # type: ignore[arg-type]
    shares: NDArray[np.float64] = np.clip((positions - first) / (last - first), 0.0, 1.0)
    return shares


def _det_frame(axes: DetAxes) -> Iterator[str]:
    title = "DET curve: probability of misses over that of false alarms"
    yield from _begin(BOTTOM + FOOT, title)
    for tick in axes.false_alarms:
        [position] = axes.places([tick / 100], [0.5])
        yield from _tick_across(position.partition(",")[0], f"{tick:g}")
    for tick in axes.misses:
        [position] = axes.places([0.01], [tick / 100])
        yield from _tick_up(position.partition(",")[2], f"{tick:g}")


def _legend(entries: Iterable[LegendEntry]) -> Iterator[str]:
    """Yield a list of what the marks and lines of a drawing mean."""
    yield '<ul class="legend">'
    for number, text, has_mark, has_line, is_open in entries:
        yield '<li><svg class="chart sample" viewBox="0 0 40 26" aria-hidden="true">'
        line = f"line {_color(number)}" if has_line else "diagonal"
        yield from [f'<path class="{line}" d="M1,13H39"/>'] * (has_line or not has_mark)
        yield from [_mark_shape(number, "20,13", is_open=is_open)] * has_mark
        yield f'</svg><span dir="auto">{html_text(text)}</span></li>'
    yield "</ul>"


def _color(number: int) -> str:
    return f"system{number % MOST_COLORS}"


def timeline_elements(scores: KeywordSearchScores, events: Sequence[SearchEvent]) -> Iterator[str]:
    """Yield a lane for each recording; the height of a mark is its score.

    The time ends after the last mark, so that audio without marks takes no room from them.
    """
    audio = scores.alignment.audio
    recordings = list(dict.fromkeys(event.place for event in events))[:MOST_LANES]
    lanes = {recording: number for number, recording in enumerate(sorted(recordings))}
    names = list(audio.places)
    ends = [audio.clock.seconds(part.end) for part in audio.stretches if part.place in lanes]
    latest = max([*(event.begin for event in events), 1.0])
    end = max([*ends, latest])
    last = min(end, 1.05 * latest)
    known = [event.score for event in events if event.score is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    bottom = LANE * len(lanes)

    def across(seconds: float) -> str:
        return f"{2 + 95 * seconds / last:.2f}%"

    # as wide as the page, with marks of one size
    yield f'<figure class="wide"><svg class="search over-time" role="img" height="{bottom + FOOT}" '
    yield 'width="100%" aria-label="Hits, misses and false alarms over time"><g class="chart">'
    for recording, number in lanes.items():
        top = LANE * number
        name = html_text(" ".join(names[recording]))
        yield f'<rect class="weight" x="0" y="{top}" width="100%" height="{LANE - 8}"/>'
        yield f'<text class="name" x="8" y="{top + 15}">{name}</text>'
    step = next((step for step in TIME_STEPS if last <= 8 * step), last / 8)
    for number in range(int(last / step) + 1):
        time = step * number
        yield f'<text class="tick middle" x="{across(time)}" y="{bottom + 14}">{time:g}</text>'
    for event in [event for event in events if event.place in lanes][:MOST_MARKS]:
        share = 0.0 if event.score is None else (event.score - low) / ((high - low) or 1.0)
        y = LANE * lanes[event.place] + LANE - 16 - 42 * share
        kind, shape = OUTCOMES[event.outcome]
        keyword = scores.alignment.keywords[event.keyword]
        score = f", score {event.score_text}" if event.score_text else ""
        title = (
            f"{keyword.text} ({keyword.identifier}): {event.outcome}, {event.begin_text} s{score}"
        )
        yield (
            f'<svg x="{across(event.begin)}" y="{y:.1f}"><path class="outcome {kind}" d="{shape}">'
            f"<title>{html_text(title)}</title></path></svg>"
        )
    yield f'<text class="axis middle" x="50%" y="{bottom + 36}">time in s</text>'
    yield '</g></svg><ul class="legend">'
    for name, (kind, shape) in OUTCOMES.items():
        mark = f'<path class="outcome {kind}" transform="translate(20,13)" d="{shape}"/>'
        yield f'<li><svg class="chart sample" viewBox="0 0 40 26" aria-hidden="true">{mark}</svg>'
        yield f"{name}</li>"
    yield "</ul>"
    if end > last:
        yield f"<p>The audio lasts until {end:g} s.</p>"
    yield "</figure>"


def value_bar(value: float | None) -> str:
    """Return a bar from 0 to a value, to the left of the middle for negative values.

    The bar of a value below -1 ends in a point.
    """
    if value is None:
        return ""
    size = 50 * min(abs(value), 1.0)
    start, kind = (50, "gain") if value >= 0 else (50 - size, "loss")
    bar = f'<rect class="{kind}" x="{start:.1f}" width="{size:.1f}" height="10"/>'
    if value < -1:
        bar = f'<polygon class="{kind}" points="50,0 12,0 0,5 12,10 50,10"/>'
    return (
        f'<svg class="value-bar" viewBox="0 0 100 10" aria-hidden="true">{bar}'
        '<path d="M50,0V10"/></svg>'
    )


def _begin(height: int, label: str) -> Iterator[str]:
    yield '<figure class="wide" tabindex="0">'
    yield f'<svg class="chart search" role="img" viewBox="0 0 {WIDTH} {height}" '
    yield f'aria-label="{label}">'


def _tick_across(x: str, text: str) -> Iterator[str]:
    yield f'<line class="grid" x1="{x}" x2="{x}" y1="{TOP}" y2="{BOTTOM}"/>'
    yield f'<text class="tick middle" x="{x}" y="{BOTTOM + 24}">{text}</text>'


def _tick_up(y: str, text: str) -> Iterator[str]:
    yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>'
    yield f'<text class="tick end" x="{LEFT - 14}" y="{float(y) + 4:.1f}">{text}</text>'


def _marks(points: Sequence[MarkedPoint], places: Sequence[str]) -> Iterator[str]:
    """Yield the marks of points; of marks in about one place, each surrounds the last.

    The small ones are drawn last, over the large ones.
    """
    shapes: list[str] = []
    keeps_kinds = any(row.is_open for row in points)  # an open mark has a meaning of its own
    corners = [tuple(map(float, place.split(","))) for place in places]
    for row, place, corner in zip(points, places, corners, strict=True):
        near = sum(dist(corner, before) < NEAR for before in corners[: len(shapes)])
        is_open = row.is_open or (near > 0 and not keeps_kinds)
        shapes.append(_mark_shape(row.number, place, is_open=is_open, around=near))
    yield from reversed(shapes)


def _mark_shape(number: int, position: str, *, is_open: bool, around: int = 0) -> str:
    """Return a mark in the colour of its point or system; `around` counts the marks inside."""
    kind = "mark open" if is_open else "mark"
    size = MARK_SIZES[number % len(MARK_SIZES)]
    scale = 1.3 + 0.8 * around if around else size
    transform = f"translate({position}) scale({scale:.2g})"
    shape = SHAPES[number % len(SHAPES)]
    return (
        f'<path class="{kind} {_color(number)}" transform="{transform}" {WIDTH_KEPT} d="{shape}"/>'
    )


def _end(across: str, up: str, caption: Iterable[str] = ()) -> Iterator[str]:
    """Yield the titles of the axes, the end of the drawing, and what is below it."""
    yield from axis_titles(across, (LEFT + WIDTH) / 2, BOTTOM + 46, up, TOP + BOTTOM)
    yield from ("</svg>", *caption, "</figure>")
