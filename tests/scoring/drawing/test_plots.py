"""Plots of changes: their axis holds zero and all intervals, and colours mean what is certain."""

import re

from scoring.drawing.blocks import ChangePlot, ChangePoint, TrendLine, TrendPoint
from scoring.drawing.plots import axis_of, kind_of, plot_drawing, plot_lines, trend_drawing
from tests.each_case import each_case


@each_case("scale", [1e-4, 0.003, 0.02, 0.17, 1.0, 30.0])
@each_case("bounds", [(-1.0, -0.2), (-0.4, 0.7), (0.3, 1.0)])
def test_an_axis_holds_zero_and_every_bound(scale: float, bounds: tuple[float, float]) -> None:
    low, high = (scale * bound for bound in bounds)
    axis = axis_of([ChangePoint("a", (low + high) / 2, (low, high))])
    assert axis.low <= min(low, 0)
    assert axis.high >= max(high, 0)
    assert 0.0 in axis.ticks
    assert 2 <= len(axis.ticks) <= 8


def test_without_any_change_there_is_an_axis() -> None:
    assert axis_of([]).ticks[0] == 0.0
    assert len(list(plot_lines(ChangePlot([ChangePoint("a", None)], "points")))) == 2


def test_only_intervals_without_zero_are_coloured() -> None:
    points = [
        ChangePoint("better", -0.1, (-0.2, -0.05)),
        ChangePoint("worse", 0.1, (0.05, 0.2)),
        ChangePoint("chance", 0.1, (-0.05, 0.2)),
        ChangePoint("unknown", 0.1),
    ]
    assert list(map(kind_of, points)) == ["better", "worse", "", ""]
    drawing = "".join(plot_drawing(ChangePlot(points, "change in points")))
    # for desks, and for phones
    assert drawing.count('<g class="better">') == drawing.count('<g class="worse">') == 2
    assert drawing.count(">change in points</text>") == 2


def test_texts_beside_the_axis_have_room() -> None:
    """A flag is a line of its own, and the axis is as much shorter as the longest text needs."""
    flag = "utterances of a speaker are alike, design effect 6.5"
    plain, flagged = (
        "".join(plot_drawing(ChangePlot([ChangePoint("all", -0.1, (-0.2, -0.05), text)], "points")))
        for text in ("", flag)
    )
    assert f">{flag}</text>" in flagged
    starts = [
        float(re.findall(r'x="([0-9.]+)" y="[0-9]+">-10.00', drawing)[0])
        for drawing in (plain, flagged)
    ]
    assert starts[0] - starts[1] > 100
    # letters of the font of pages are at most this wide on average
    assert starts[1] + 6.1 * len(flag) <= 860


def test_intervals_of_many_points_are_one_band() -> None:
    points = [TrendPoint(f"run {at}", 0.1, None if at == 60 else (0.05, 0.2)) for at in range(120)]
    drawing = "".join(trend_drawing(TrendLine(points)))
    # two bands in drawings for three widths of screens
    assert (drawing.count('class="band"'), drawing.count('class="whisker"')) == (3 * 2, 0)
    few = "".join(trend_drawing(TrendLine(points[:50])))
    assert (few.count('class="band"'), few.count('class="whisker"')) == (0, 3 * 50)
