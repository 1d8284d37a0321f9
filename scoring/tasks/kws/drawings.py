"""Drawings of a keyword search as SVG: DET curve, value by threshold, outcomes over time."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import isfinite
from typing import NamedTuple

import numpy as np

from scoring.drawing.markup import html_text
from scoring.drawing.plots import axis_titles
from scoring.tasks.kws.det import LINE_VALUE, deviates, line_of_equal_value
from scoring.tasks.kws.evaluation import KeywordSearchScores
from scoring.tasks.kws.measures import Curve, Point, SetScores
from scoring.tasks.kws.tables import VALUE, formatted

WIDTH = 640  # pixels
LEFT, RIGHT, TOP, FOOT = 70, 16, 14, 46  # around the axes
DET_BOTTOM = TOP + 400
MOST_COLORS = 8  # of systems
# percent
FALSE_ALARM_TICKS = (0.0001, 0.001, 0.01, 0.1, 1, 10, 40)
MISS_TICKS = (1, 5, 10, 20, 40, 60, 80, 90, 95, 99)
FALSE_ALARM_RANGE, MISS_RANGE = (1e-6, 0.4), (0.01, 0.99)
LOWEST_VALUE = -1.0
VALUE_TICKS = (-1.0, -0.5, 0.0, 0.5, 1.0)
# Point and its name.
MARKS = (("actual", "ATWV"), ("maximum", "MTWV"), ("optimum", "OTWV"), ("supremum", "STWV"))
VALUE_MARKS = MARKS[:2]
SHAPES = (
    "M-5,0a5,5 0 1,0 10,0a5,5 0 1,0 -10,0z",
    "M0,-6L6,5H-6z",
    "M-5,-5H5V5H-5z",
    "M0,-7L6,0L0,7L-6,0z",
)
MARK_SIZES = (0.9, 0.9, 1.7, 1.7)
MARK_RADIUS = 7  # pixels, of a mark of size 1
LETTER, ASCENT, DESCENT = 9.2, 13, 5  # pixels, of the letters of labels on a phone, the largest
LINE_STEP = 4  # pixels between the points at which labels avoid a line
# How far below its point the base of a label is, the best first.
DROPS = (-8, 16, 4, -22, 30, -36, 44, -50, 58, -64, 72, -78, 86)
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
LANE, LEGEND = 84, 30  # heights of a recording and of the legend
MOST_LANES, MOST_MARKS = 50, 5000


class Box(NamedTuple):
    """The edges of a text or a mark, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    def overlap(self, second: Box) -> float:
        """Return the common area of two boxes in square pixels."""
        width = min(self.right, second.right) - max(self.left, second.left)
        height = min(self.bottom, second.bottom) - max(self.top, second.top)
        return max(width, 0.0) * max(height, 0.0)


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
    for keyword, (reference, row, label) in alignment.table():
        if keyword not in chosen:
            continue
        if row < 0:
            missed = alignment.references[reference]
            begin, text = clock.seconds(missed.begin), missed.begin_text
            events.append(SearchEvent(MISS, keyword, missed.place, begin, text, None, ""))
            continue
        begin_text, score_text = alignment.detections.written(row)
        recording, begin = int(columns.places[row]), float(columns.begins[row])
        score, outcome = float(columns.scores[row]), names.get(label, REJECTED)
        events.append(
            SearchEvent(outcome, keyword, recording, begin, begin_text, score, score_text)
        )
    return events


def det_elements(scores: SetScores, points: Curve) -> Iterator[str]:
    """Yield the curve of P(miss) over P(false alarm), in normal deviates, and its marked points."""
    yield from _det_axes()
    corners = _det_places(points.p_fa, points.p_miss)
    yield f'<polyline class="line system0" points="{" ".join(corners)}"/>'
    marks = [
        (number, position, f"{label} {formatted(point.twv, VALUE)}")
        for number, (name, label) in enumerate(MARKS)
        for point, position in _marked_point(scores, name)
    ]
    covered = _boxes_of_line(corners)
    yield from _equal_value(scores, covered, lambda: _marks(marks, covered, DET_BOTTOM))
    yield from _end("false alarms in %", "misses in %", DET_BOTTOM)


def compared_det_elements(systems: Sequence[tuple[str, SetScores, Curve]]) -> Iterator[str]:
    """Yield the curves of several systems with their decisions marked, and a legend."""
    yield from _det_axes()
    covered, positions = [], []
    for number, (_, scores, points) in enumerate(systems):
        corners = _det_places(points.p_fa, points.p_miss)
        yield f'<polyline class="line {_color(number)}" points="{" ".join(corners)}"/>'
        covered += _boxes_of_line(corners)
        for _, position in _marked_point(scores, "actual"):
            positions.append((number, position))
    first = systems[0][1]
    yield from _equal_value(first, covered, lambda: _mark_shapes(positions, covered))
    yield from _end("false alarms in %", "misses in %", DET_BOTTOM, _legend(systems))


def _legend(systems: Sequence[tuple[str, SetScores, Curve]]) -> Iterator[str]:
    """Yield a list of the systems: the line and the mark of each, its name and its value."""
    yield '<ul class="legend">'
    for number, (name, scores, _) in enumerate(systems):
        yield '<li><svg viewBox="0 0 40 16" width="40" height="16" aria-hidden="true">'
        yield f'<path class="line {_color(number)}" d="M1,8H39"/>'
        yield f"{_mark_shape(number, '20,8')}</svg>"
        value = formatted(scores.actual.twv, VALUE).strip()
        yield f'<span dir="auto">{html_text(name)}: ATWV {value}</span></li>'
    yield "</ul>"


def _color(number: int) -> str:
    return f"system{number % MOST_COLORS}"


def _marked_point(scores: SetScores, name: str) -> Iterator[tuple[Point, str]]:
    """Yield a point of a set and its place in the diagram, if its probabilities are known."""
    point: Point = getattr(scores, name)
    if point.p_fa is not None and point.p_miss is not None:
        yield point, _det_places([point.p_fa], [point.p_miss])[0]


def _det_places(p_fa: object, p_miss: object) -> list[str]:
    """Return the distinct places of points in the diagram of normal deviates, within its axes."""
    low_x, high_x = deviates(FALSE_ALARM_RANGE).tolist()
    low_y, high_y = deviates(MISS_RANGE).tolist()
    x = np.clip(deviates(p_fa), low_x, high_x)  # type: ignore[arg-type]
    y = np.clip(deviates(p_miss), low_y, high_y)  # type: ignore[arg-type]
    across = LEFT + (WIDTH - LEFT - RIGHT) * (x - low_x) / (high_x - low_x)
    down = DET_BOTTOM - (DET_BOTTOM - TOP) * (y - low_y) / (high_y - low_y)
    corners = zip(across.tolist(), down.tolist(), strict=True)
    return list(dict.fromkeys(f"{a:.1f},{b:.1f}" for a, b in corners))


def _det_axes() -> Iterator[str]:
    title = "DET curve: probability of misses over that of false alarms"
    yield from _begin(DET_BOTTOM + FOOT, title)
    for tick in FALSE_ALARM_TICKS:
        [position] = _det_places([tick / 100], [0.5])
        yield from _tick_across(position.partition(",")[0], f"{tick:g}", DET_BOTTOM)
    for tick in MISS_TICKS:
        [position] = _det_places([0.01], [tick / 100])
        yield from _tick_up(position.partition(",")[2], f"{tick:g}")


def _equal_value(
    scores: SetScores, covered: list[Box], draw_marks: Callable[[], Iterator[str]]
) -> Iterator[str]:
    """Yield the line of equal value, the marks, and the label of the line, which avoids them."""
    line = _det_places(*line_of_equal_value(scores.trials.parameters.beta))
    yield f'<polyline class="diagonal" points="{" ".join(line)}"/>'
    covered += _boxes_of_line(line)
    yield from draw_marks()
    text, middle = f"value {LINE_VALUE:g}", len(line) // 2
    nearest = sorted(range(len(line)), key=lambda number: abs(number - middle))
    corners = [line[number] for number in nearest]
    boxes = (box for corner in corners for box in _beside(corner, text, 6))
    box = _free_box(boxes, covered, DET_BOTTOM)
    yield f'<text class="tick" x="{box.left:.1f}" y="{box.top + ASCENT:.1f}">{text}</text>'


def value_elements(scores: SetScores, points: Curve) -> Iterator[str]:
    """Yield the term-weighted value by threshold; a threshold accepts scores at or above it."""
    bottom = TOP + 230
    named = [
        (number, label, point.threshold, point.twv)
        for number, (name, label) in enumerate(VALUE_MARKS)
        if (point := getattr(scores, name)).twv is not None
        and point.threshold is not None
        and isfinite(point.threshold)
    ]
    thresholds, values = points.thresholds.tolist(), points.twv.tolist()
    everything = [*thresholds, *(row[2] for row in named)]
    low, high = min(everything), max(everything)
    if low == high:
        low, high = low - 0.5, high + 0.5

    def across(threshold: float) -> str:
        return f"{LEFT + (WIDTH - LEFT - RIGHT) * (threshold - low) / (high - low):.1f}"

    def height(value: float) -> str:
        share = (max(value, LOWEST_VALUE) - LOWEST_VALUE) / (1 - LOWEST_VALUE)
        return f"{bottom - (bottom - TOP) * share:.1f}"

    yield from _begin(bottom + FOOT, "Term-weighted value by threshold")
    for value in VALUE_TICKS:
        yield from _tick_up(height(value), f"{value:g}")
    for number in range(5):
        threshold = low + (high - low) * number / 4
        yield from _tick_across(across(threshold), f"{threshold:.3g}", bottom)
    corners = [f"{across(thresholds[0])},{height(values[0])}"]
    for before, after, value in zip(thresholds, thresholds[1:], values[1:], strict=False):
        corners += [f"{across(x)},{height(value)}" for x in (before, after)]
    yield f'<polyline class="line system0" points="{" ".join(dict.fromkeys(corners))}"/>'
    marks = [
        (
            number,
            f"{across(threshold)},{height(twv)}",
            f"{label} {formatted(twv, VALUE)} at {threshold:.3f}",
        )
        for number, label, threshold, twv in named
    ]
    yield from _marks(marks, _boxes_of_line(corners), bottom)
    yield from _end("threshold (score)", "value (TWV)", bottom)


def timeline_elements(scores: KeywordSearchScores, events: Sequence[SearchEvent]) -> Iterator[str]:
    """Yield a lane for each recording; the height of a mark is its score."""
    audio, width = scores.alignment.audio, 1000
    recordings = list(dict.fromkeys(event.place for event in events))[:MOST_LANES]
    lanes = {recording: number for number, recording in enumerate(sorted(recordings))}
    names = list(audio.places)
    ends = [audio.clock.seconds(part.end) for part in audio.stretches if part.place in lanes]
    last = max([*ends, *(event.begin for event in events), 1.0])
    known = [event.score for event in events if event.score is not None]
    low, high = min(known, default=0.0), max(known, default=1.0)
    bottom = LEGEND + LANE * len(lanes)

    def across(seconds: float) -> str:
        return f"{14 + (width - 34) * seconds / last:.1f}"

    yield from _begin(bottom + FOOT, "Hits, misses and false alarms over time", width)
    for number, (name, (kind, shape)) in enumerate(OUTCOMES.items()):
        x = 14 + 190 * number
        yield f'<path class="outcome {kind}" transform="translate({x},12)" d="{shape}"/>'
        yield f'<text x="{x + 12}" y="16">{name}</text>'
    for recording, number in lanes.items():
        top = LEGEND + LANE * number
        name = html_text(" ".join(names[recording]))
        yield f'<rect class="weight" x="2" y="{top}" width="{width - 4}" height="{LANE - 8}"/>'
        yield f'<text class="name" x="8" y="{top + 15}">{name}</text>'
    step = next((step for step in TIME_STEPS if last <= 8 * step), last / 8)
    for number in range(int(last / step) + 1):
        time = step * number
        yield f'<text class="tick middle" x="{across(time)}" y="{bottom + 14}">{time:g}</text>'
    for event in [event for event in events if event.place in lanes][:MOST_MARKS]:
        share = 0.0 if event.score is None else (event.score - low) / ((high - low) or 1.0)
        y = LEGEND + LANE * lanes[event.place] + LANE - 16 - 42 * share
        kind, shape = OUTCOMES[event.outcome]
        keyword = scores.alignment.keywords[event.keyword]
        score = f", score {event.score_text}" if event.score_text else ""
        title = (
            f"{keyword.text} ({keyword.identifier}): {event.outcome}, {event.begin_text} s{score}"
        )
        yield (
            f'<path class="outcome {kind}" transform="translate({across(event.begin)},{y:.1f})" '
            f'd="{shape}"><title>{html_text(title)}</title></path>'
        )
    yield from axis_titles("time in s", width / 2, bottom + 36)
    yield "</svg></figure>"


def value_bar(value: float | None) -> str:
    """Return a bar from 0 to a value, to the left of the middle for negative values."""
    if value is None:
        return ""
    size = 50 * min(abs(value), 1.0)
    start, kind = (50, "gain") if value >= 0 else (50 - size, "loss")
    return (
        '<svg class="value-bar" viewBox="0 0 100 10" aria-hidden="true">'
        f'<rect class="{kind}" x="{start:.1f}" width="{size:.1f}" height="10"/>'
        '<path d="M50,0V10"/></svg>'
    )


def _begin(height: int, label: str, width: int = WIDTH) -> Iterator[str]:
    wide = " over-time" if width > WIDTH else ""
    yield '<figure tabindex="0">'
    yield f'<svg class="chart search{wide}" role="img" viewBox="0 0 {width} {height}" '
    yield f'aria-label="{label}">'


def _tick_across(x: str, text: str, bottom: int) -> Iterator[str]:
    yield f'<line class="grid" x1="{x}" x2="{x}" y1="{TOP}" y2="{bottom}"/>'
    yield f'<text class="tick middle" x="{x}" y="{bottom + 22}">{text}</text>'


def _tick_up(y: str, text: str) -> Iterator[str]:
    yield f'<line class="grid" x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y}" y2="{y}"/>'
    yield f'<text class="tick end" x="{LEFT - 14}" y="{float(y) + 4:.1f}">{text}</text>'


def _marks(marks: Sequence[tuple[int, str, str]], covered: list[Box], bottom: int) -> Iterator[str]:
    """Yield marks (number, position, label), and labels that overlap no mark, line or other label.

    Small marks are drawn over large ones, because best points are often in one place. The boxes of
    marks and labels are added to `covered`.
    """
    yield from _mark_shapes([(number, position) for number, position, _ in marks], covered)
    for number, position, text in marks:
        gap = MARK_RADIUS * _mark_size(number) + 2
        box = _free_box(_beside(position, text, gap), covered, bottom)
        is_left = box.left < float(position.partition(",")[0])
        kind, x = ("point end", box.right) if is_left else ("point", box.left)
        place = f'x="{x:.1f}" y="{box.top + ASCENT:.1f}"'
        yield f'<text class="{kind}" {place}>{html_text(text)}</text>'


def _mark_shapes(positions: Sequence[tuple[int, str]], covered: list[Box]) -> Iterator[str]:
    """Yield marks (number, position), the last at first; add their boxes to `covered`."""
    for number, position in reversed(positions):
        radius = MARK_RADIUS * _mark_size(number)
        x, y = map(float, position.split(","))
        covered.append(Box(x - radius, y - radius, x + radius, y + radius))
        yield _mark_shape(number, position)


def _mark_shape(number: int, position: str) -> str:
    """Return the mark of a point or a system, in its colour."""
    transform = f"translate({position}) scale({_mark_size(number)})"
    shape = SHAPES[number % len(SHAPES)]
    return f'<path class="mark {_color(number)}" transform="{transform}" d="{shape}"/>'


def _mark_size(number: int) -> float:
    return MARK_SIZES[number % len(MARK_SIZES)]


def _beside(position: str, text: str, gap: float) -> Iterator[Box]:
    """Yield the boxes that a label may have to the right and to the left of its point."""
    x, y = map(float, position.split(","))
    width = LETTER * len(text)
    for drop in DROPS:
        for left in (x + gap, x - gap - width):
            yield Box(left, y + drop - ASCENT, left + width, y + drop + DESCENT)


def _free_box(choices: Iterable[Box], covered: list[Box], bottom: int) -> Box:
    """Choose the box between the axes that overlaps least with `covered`; add it to `covered`."""
    inside = [
        box
        for box in choices
        if box.left >= LEFT and box.right <= WIDTH and box.top >= 0 and box.bottom <= bottom
    ]
    best = min(inside, key=lambda box: sum(map(box.overlap, covered)))
    covered.append(best)
    return best


def _boxes_of_line(corners: Sequence[str]) -> list[Box]:
    """Return small boxes along the line through these corners."""
    positions = np.array([corner.split(",") for corner in corners], dtype=np.float64)
    steps = np.hypot(*np.diff(positions, axis=0).T) if len(positions) > 1 else np.zeros(0)
    along = np.concatenate([[0.0], np.cumsum(steps)])
    marks = np.arange(0.0, along[-1] + LINE_STEP, LINE_STEP)
    points = np.stack([np.interp(marks, along, positions[:, axis]) for axis in (0, 1)], axis=1)
    corners_of_boxes = np.unique(np.floor(points / LINE_STEP), axis=0) * LINE_STEP
    return [Box(x, y, x + LINE_STEP, y + LINE_STEP) for x, y in corners_of_boxes.tolist()]


def _end(across: str, up: str, bottom: int, caption: Iterable[str] = ()) -> Iterator[str]:
    """Yield the titles of the axes, the end of the drawing, and what stands below it."""
    yield from axis_titles(across, (LEFT + WIDTH) / 2, bottom + 38, up, TOP + bottom)
    yield from ("</svg>", *caption, "</figure>")
