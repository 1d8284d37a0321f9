"""Plots of the curves with matplotlib, which is imported only for drawing."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from scoring.tasks.kws.det import deviates, line_of_equal_value
from scoring.tasks.kws.measures import SetScores, curve

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOUR = "C0"
# percent
FALSE_ALARM_TICKS = (0.0001, 0.001, 0.004, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 40)
MISS_TICKS = (5, 10, 20, 40, 60, 80, 90, 95, 98)
MARKS = (("actual", "o"), ("maximum", "^"), ("optimum", "s"), ("supremum", "D"))
FINEST = 3  # decimals: what lies nearer to the point before is not drawn


def is_available() -> bool:
    """Return True if matplotlib is installed."""
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None


def det_picture(scores: SetScores, title: str, picture: str) -> bytes:
    """Draw P_miss against P_FA on the scale of normal deviates, as `svg` or `png`."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    with mpl.rc_context({"svg.hashsalt": "sclite-kit", "svg.fonttype": "none"}):
        figure = Figure(figsize=(7, 6), layout="constrained")
        axes = figure.add_subplot()
        axes.set_title(title, parse_math=False)
        _draw(axes, scores)
        axes.grid(alpha=0.4)
        axes.legend()
        stream = io.BytesIO()
        # a date or a version in the picture would make it differ from run to run
        metadata: dict[str, Any] = {"Date": None} if picture == "svg" else {"Software": None}
        figure.savefig(stream, format=picture, metadata=metadata)
    return stream.getvalue()


def _draw(axes: Axes, scores: SetScores) -> None:
    points = curve(scores.trials)
    x, y = _thinned(deviates(points.p_fa), deviates(points.p_miss))
    axes.plot(x, y, color=COLOUR, label=scores.trials.name)
    for name, marker in MARKS:
        point = getattr(scores, name)
        if point.p_fa is not None and point.p_miss is not None:
            deviations = deviates([point.p_fa]), deviates([point.p_miss])
            axes.plot(*deviations, marker=marker, color=COLOUR, ls="")
    p_fa, p_miss = line_of_equal_value(scores.trials.parameters.beta)
    axes.plot(deviates(p_fa), deviates(p_miss), color="0.6", linestyle=":", label="TWV = 0.3")
    for axis, ticks in ((axes.xaxis, FALSE_ALARM_TICKS), (axes.yaxis, MISS_TICKS)):
        axis.set_ticks(deviates([t / 100 for t in ticks]), [f"{t:g}" for t in ticks])
    axes.tick_params(axis="x", rotation=90)
    axes.set(
        xlabel="P_FA (in %)",
        ylabel="P_miss (in %)",
        xlim=tuple(deviates([0.000001, 0.4])),
        ylim=tuple(deviates([0.05, 0.98])),
    )


def _thinned(
    x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the points of a curve, without repetitions of the preceding point."""
    rough = np.round(np.stack([x, y]), FINEST)
    keep = np.ones(len(x), dtype=bool)
    keep[1:] = np.any(rough[:, 1:] != rough[:, :-1], axis=0)
    return x[keep], y[keep]
