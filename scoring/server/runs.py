"""Pages of a history of runs: trends by tag, one run, and any two of them down to utterances.

Pages are made here and need no script. Nothing is written: there is no request that changes a run.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any, NamedTuple

from jinja2 import Environment, StrictUndefined
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

from formats.errors import FormatError
from scoring.drawing.blocks import Block
from scoring.drawing.markup import html_elements
from scoring.drawing.numbers import percent
from scoring.errors import ScoringError
from scoring.regression.history import History, HistoryError, RecordedRun, tags_of
from scoring.regression.runs import (
    interval_of_run,
    page_of_run,
    page_of_two,
    rate_text,
    tags_text,
)
from scoring.server.application import ALWAYS, Receive, Scope, Send, refused_of
from scoring.server.settings import LOOPBACK, Settings
from scoring.server.transport import log_to_standard_error, serve_application
from scoring.stats.bootstrapping import Bootstrap
from scoring.stats.intervals import Resampling

LAST = 50  # runs that are shown, unless more are asked for
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, RIGHT = 1000, 320, 60, 15, 15, 20
# Okabe and Ito's colours, which people who confuse colours can tell apart.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
MARKS = 5


class Runs:
    """The pages of one history; an ASGI application.

    Parameters
    ----------
    path
        The file, which is opened anew for every page: others may write it.
    hosts
        Names by which it may be called; empty: any.
    resampling
        Of the intervals.
    """

    def __init__(self, path: str, hosts: Sequence[str] = (), resampling: Resampling | None = None):
        self.path = path
        self.hosts = hosts
        self.resampling = resampling or Resampling()
        # of runs that do not change
        self._intervals: dict[str, Bootstrap | None] = {}
        assets = files("scoring.server").joinpath("assets")
        self._style = assets.joinpath("runs.css").read_text("utf-8")
        digest = hashlib.sha256(self._style.encode()).digest()
        source = f"'sha256-{base64.b64encode(digest).decode('ascii')}'"
        parts = ("default-src 'none'", f"style-src {source}", "form-action 'self'")
        policy = "; ".join((*parts, "base-uri 'none'", "frame-ancestors 'none'"))
        self._headers = {**ALWAYS, "Content-Security-Policy": policy}
        environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
        self._template = environment.from_string(assets.joinpath("runs.html").read_text("utf-8"))
        self._starlette = Starlette(
            routes=[
                Route("/", self._answer_of(self._index)),
                Route("/run/{number}", self._answer_of(self._one)),
                Route("/compare", self._answer_of(self._two)),
            ]
        )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request, as ASGI says."""
        refused = refused_of(scope, self.hosts) if scope["type"] == "http" else None
        await (refused or self._starlette)(scope, receive, send)

    def _answer_of(self, page: Any) -> Any:
        """A function of a request that answers with a page, or with what is wrong."""

        # not a coroutine: the framework calls it in a thread, so that others do not wait
        def answer(request: Request) -> Response:
            try:
                with History(self.path) as history:
                    values = page(history, request)
                status = 200
            except (ScoringError, FormatError) as problem:
                status = 404 if isinstance(problem, HistoryError) else 422
                values = {"title": "There is no such page", "problem": str(problem)}
            text = self._template.render(style=self._style, **values)
            return HTMLResponse(text.encode("utf-8", "backslashreplace"), status, self._headers)

        return answer

    def _index(self, history: History, request: Request) -> Mapping[str, object]:
        asked = request.query_params
        chosen = tags_of(filter(None, asked.getlist("tag")))
        by = asked.get("by", "")
        shown = asked.get("last", "")
        last = int(shown) if shown.isdecimal() and len(shown) < 10 else LAST
        every = history.runs()
        known: dict[str, dict[str, None]] = {}
        for run in every:
            for name, value in run.tags.items():
                known.setdefault(name, {})[value] = None
        runs = history.runs(chosen)[-last:] if last else []
        intervals = {run.number: self._interval(history, run) for run in runs}
        how = next((one.how("utterance") for one in intervals.values() if one is not None), "none")
        return {
            "title": f"Runs of {history.path}",
            "known": sorted((name, sorted(values)) for name, values in known.items()),
            "chosen": chosen,
            "by": by,
            "last": last,
            "how": how,
            "chart": chart_of(runs, intervals, by),
            "rows": [
                {
                    "number": run.number,
                    "texts": (run.recorded_at, run.name, tags_text(run)),
                    "numbers": (
                        run.summary["sentences"]["scored"],
                        run.errors_and_tokens[1],
                        run.errors_and_tokens[0],
                        rate_text(run),
                        _bounds(intervals[run.number]),
                    ),
                }
                for run in runs
            ],
        }

    def _one(self, history: History, request: Request) -> Mapping[str, object]:
        run = history.find(request.path_params["number"])
        return {"title": f"Run {run.number}: {run.name}", "body": _drawn(page_of_run(run))}

    def _two(self, history: History, request: Request) -> Mapping[str, object]:
        asked = request.query_params
        baseline, new = (history.find(asked.get(name, "")) for name in ("baseline", "new"))
        blocks = page_of_two(history, baseline, new, self.resampling)
        return {"title": f"Run {new.number} against run {baseline.number}", "body": _drawn(blocks)}

    def _interval(self, history: History, run: RecordedRun) -> Bootstrap | None:
        if run.key not in self._intervals:
            self._intervals[run.key] = interval_of_run(history, run, self.resampling)
        return self._intervals[run.key]


class TrendLine(NamedTuple):
    """The runs with one value of a tag, as the template draws them."""

    name: str
    colour: str
    points: str
    band: str
    dots: Sequence[Mapping[str, object]]


class Chart(NamedTuple):
    """Lines, and marks of rates, on a ground of a certain size."""

    lines: Sequence[TrendLine]
    marks: Sequence[Mapping[str, object]]
    width: int = WIDTH
    height: int = HEIGHT
    left: int = LEFT


def chart_of(
    runs: Sequence[RecordedRun], intervals: Mapping[int, Bootstrap | None], by: str
) -> Chart | None:
    """Rates with bands, in the order of the runs; None where no run has a rate.

    Parameters
    ----------
    intervals
        By the number of the run; a run without has a band as thin as its point.
    by
        A tag whose values have a line each; empty: all are one line.
    """
    rated = [run for run in runs if run.errors_and_tokens[1]]
    if not rated:
        return None
    bounds: dict[int, tuple[float, float]] = {}
    for run in rated:
        found = intervals[run.number]
        low, high = (run.rate, run.rate) if found is None else found.percentile
        bounds[run.number] = low, high
    top = max(high for _, high in bounds.values()) or 0.01
    room = WIDTH - LEFT - RIGHT
    step = room / max(len(rated) - 1, 1)
    places = {run.number: round(LEFT + at * step, 1) for at, run in enumerate(rated)}

    def height(rate: float) -> float:
        return round(HEIGHT - BOTTOM - rate / top * (HEIGHT - BOTTOM - TOP), 1)

    groups: dict[str, list[RecordedRun]] = {}
    for run in rated:
        groups.setdefault(run.tags.get(by, "(none)") if by else "all runs", []).append(run)
    lines = []
    for at, (name, own) in enumerate(groups.items()):
        upper = [f"{places[run.number]},{height(bounds[run.number][1])}" for run in own]
        lower = [f"{places[run.number]},{height(bounds[run.number][0])}" for run in own]
        dots = [
            {
                "number": run.number,
                "x": places[run.number],
                "y": height(run.rate),
                "text": f"run {run.number}: {rate_text(run)} % "
                f"({_bounds(intervals[run.number])}), {run.name} {tags_text(run)}",
            }
            for run in own
        ]
        points = " ".join(f"{dot['x']},{dot['y']}" for dot in dots)
        band = " ".join([*upper, *reversed(lower)])
        lines.append(TrendLine(name, COLOURS[at % len(COLOURS)], points, band, dots))
    marks = [top * at / MARKS for at in range(MARKS + 1)]
    shown = [{"y": height(rate), "text": percent(rate, 1)} for rate in marks]
    return Chart(lines, shown)


def _bounds(found: Bootstrap | None) -> str:
    return "n/a" if found is None else " to ".join(map(percent, found.percentile))


def _drawn(blocks: Iterable[Block]) -> str:
    return "\n".join(html_elements(blocks))


def serve_runs(path: str, host: str, port: int, hosts: Sequence[str] = ()) -> int:
    """Serve the pages of a history until told to end; the exit status.

    Parameters
    ----------
    hosts
        As of `Settings`; without, on this machine's own address, its names only.

    Raises
    ------
    ListenError
        If there is no listening there.
    """
    settings = Settings(entrypoint="/")
    log_to_standard_error("INFO")
    names = hosts or (LOOPBACK if host in LOOPBACK else ())
    return serve_application(Runs(path, names), settings, host, port)
