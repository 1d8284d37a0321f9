"""The graphs of the confidence reports, drawn by matplotlib.

sclite writes gnuplot scripts. This module draws the same graphs as image files, from the same data.
Only this module imports matplotlib, at the first graph.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from matplotlib.axes import Axes

# Percentages marked on a DET curve, and their normal deviates as sclite's script places them.
DEVIATES = {
    "0.1": -3.08, "0.5": -2.57, "2": -2.05, "5": -1.64, "10": -1.28, "20": -0.84, "30": -0.52,
    "40": -0.25, "50": 0.0, "60": 0.25, "70": 0.52, "80": 0.84, "90": 1.28, "95": 1.64,
    "98": 2.05, "99.5": 2.57, "99.9": 3.08,
}  # fmt: skip
DET_LIMIT = 3.290527
PlotRows = Sequence[Sequence[float]]


def is_available() -> bool:
    """Return True if matplotlib is installed."""
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None


def draw(report: str, data: bytes, title: str, picture: str) -> bytes:
    """Draw one graph, and return the bytes of the image."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    rows = [[float(field) for field in line.split()] for line in data.splitlines()]
    with mpl.rc_context({"svg.hashsalt": "sclite-kit", "svg.fonttype": "none"}):
        figure = Figure(figsize=(7, 5), layout="constrained")
        axes = figure.add_subplot()
        axes.set_title(title.encode("latin-1").decode("utf-8", "replace"), parse_math=False)
        GRAPHS[report](axes, rows)
        stream = io.BytesIO()
        # a date or a version in the picture would make it differ from run to run
        metadata: dict[str, Any] = {"Date": None} if picture == "svg" else {"Software": None}
        figure.savefig(stream, format=picture, metadata=metadata)
    return stream.getvalue()


def _det(axes: Axes, rows: PlotRows) -> None:
    axes.plot([row[1] for row in rows], [row[0] for row in rows], color="C0")
    axes.set(
        xlabel="Incorrect words retained (in %)",
        ylabel="Correct words removed (in %)",
        xlim=(-DET_LIMIT, DET_LIMIT),
        ylim=(-DET_LIMIT, DET_LIMIT),
        aspect="equal",
    )
    axes.set_xticks(list(DEVIATES.values()), list(DEVIATES), rotation=90)
    axes.set_yticks(list(DEVIATES.values()), list(DEVIATES))
    axes.grid(alpha=0.4)


def _percent_by_confidence(axes: Axes, rows: PlotRows) -> None:
    """Draw bars of different widths: the percentage of correct words over the confidence."""
    axes.bar(
        [row[0] for row in rows],
        [row[1] for row in rows],
        width=[row[4] for row in rows],
        edgecolor="C0",
        facecolor="none",
        label="True",
    )
    axes.plot([0, 1], [0, 100], color="C1", label="Predicted")
    axes.set(xlabel="Confidence scores", ylabel="% hypothesis correct", xlim=(0, 1), ylim=(0, 100))
    axes.legend()


def _histogram(axes: Axes, rows: PlotRows) -> None:
    for column, label in ((1, "All"), (2, "Correct"), (3, "Incorrect")):
        axes.plot([row[0] for row in rows], [row[column] for row in rows], label=label)
    axes.set(xlabel="Confidence measure", ylabel="Counts", xlim=(0, 1))
    axes.legend()


GRAPHS: dict[str, Callable[[Axes, PlotRows], None]] = {
    "det": _det,
    "bhist": _percent_by_confidence,
    "hist": _histogram,
    "sbhist": _percent_by_confidence,
}
