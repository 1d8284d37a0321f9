"""Pages of a history: trends by tag, a run, and any two of them down to utterances.

Pages need no script, and no request changes a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files
from typing import Any, TypeAlias

from jinja2 import Environment, StrictUndefined
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from formats.errors import FormatError
from scoring.drawing.blocks import Block
from scoring.drawing.markup import html_elements
from scoring.drawing.numbers import percent
from scoring.errors import ScoringError
from scoring.regression.history import History, HistoryError, RecordedRun, tags_of
from scoring.regression.runs import interval_of_run, page_of_run, page_of_two, rate_text, tags_text
from scoring.server.application import HEADERS, refused_of, source
from scoring.server.settings import LOOPBACK, Settings
from scoring.server.transport import log_to_standard_error, serve_application
from scoring.stats.bootstrapping import Bootstrap
from scoring.stats.intervals import Resampling

LAST = 50  # runs on the page, unless more are asked for
WIDTH, HEIGHT, LEFT, TOP, BOTTOM, RIGHT = 1000, 320, 60, 15, 15, 20
# Okabe and Ito's colours, which people who confuse colours can tell apart.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9")
MARKS = 5
Page: TypeAlias = Callable[[History, Request], Mapping[str, object]]


class Runs:
    """The pages of a history file, which is opened anew for every page; an ASGI application."""

    def __init__(self, path: str, hosts: Sequence[str] = ()) -> None:
        self.path = path
        self.hosts = hosts
        # runs do not change
        self._intervals: dict[str, Bootstrap | None] = {}
        assets = files("scoring.server").joinpath("assets")
        self._style = assets.joinpath("runs.css").read_text("utf-8")
        policy = (
            f"default-src 'none'; style-src {source(self._style)}; form-action 'self'; "
            "base-uri 'none'; frame-ancestors 'none'"
        )
        self._headers = {**HEADERS, "Content-Security-Policy": policy}
        environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
        self._template = environment.from_string(assets.joinpath("runs.html").read_text("utf-8"))
        pages = {"/": self._index, "/run/{number}": self._run, "/compare": self._comparison}
        routes = [Route(address, self._endpoint(page)) for address, page in pages.items()]
        self._starlette = Starlette(routes=routes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        refused = refused_of(scope, self.hosts) if scope["type"] == "http" else None
        await (refused or self._starlette)(scope, receive, send)

    def _endpoint(self, page: Page) -> Callable[[Request], Response]:
        # not a coroutine: starlette calls it in a thread, so that other requests do not wait
        def respond(request: Request) -> Response:
            status = 200
            try:
                with History(self.path) as history:
                    values = page(history, request)
            except (ScoringError, FormatError) as problem:
                status = 404 if isinstance(problem, HistoryError) else 422
                values = {"title": "There is no such page", "problem": str(problem)}
            text = self._template.render(style=self._style, **values)
            return HTMLResponse(text.encode("utf-8", "backslashreplace"), status, self._headers)

        return respond

    def _index(self, history: History, request: Request) -> Mapping[str, object]:
        query = request.query_params
        chosen = tags_of(filter(None, query.getlist("tag")))
        by, last = query.get("by", ""), query.get("last", "")
        count = int(last) if last.isdecimal() and len(last) < 10 else LAST
        values: dict[str, set[str]] = {}
        for run in history.runs():
            for name, value in run.tags.items():
                values.setdefault(name, set()).add(value)
        runs = history.runs(chosen)[-count:] if count else []
        intervals = {run.number: self._interval(history, run) for run in runs}
        methods = (interval.how("utterance") for interval in intervals.values() if interval)
        return {
            "title": f"Runs of {history.path}",
            "tags": sorted((name, sorted(names)) for name, names in values.items()),
            "chosen": chosen,
            "by": by,
            "last": count,
            "method": next(methods, "none"),
            "chart": chart_of(runs, intervals, by),
            "rows": [
                {
                    "number": run.number,
                    "texts": (run.recorded_at, run.name, tags_text(run)),
                    "numbers": (
                        run.summary["sentences"]["scored"],
                        *reversed(run.errors_and_tokens),
                        rate_text(run),
                        _bounds(intervals[run.number]),
                    ),
                }
                for run in runs
            ],
        }

    def _run(self, history: History, request: Request) -> Mapping[str, object]:
        run = history.find(request.path_params["number"])
        return {"title": f"Run {run.number}: {run.name}", "body": _html(page_of_run(run))}

    def _comparison(self, history: History, request: Request) -> Mapping[str, object]:
        selectors = (request.query_params.get(name, "") for name in ("baseline", "new"))
        baseline, new = map(history.find, selectors)
        blocks = page_of_two(history, baseline, new, Resampling())
        return {"title": f"Run {new.number} against run {baseline.number}", "body": _html(blocks)}

    def _interval(self, history: History, run: RecordedRun) -> Bootstrap | None:
        if run.key not in self._intervals:
            self._intervals[run.key] = interval_of_run(history, run, Resampling())
        return self._intervals[run.key]


def chart_of(
    runs: Sequence[RecordedRun], intervals: Mapping[int, Bootstrap | None], by: str
) -> dict[str, Any] | None:
    """Rates with bands for the template, in the order of the runs; None where no run has a rate.

    `intervals` are by the numbers of the runs; `by` is a tag whose values have a line each.
    """
    rated = [run for run in runs if run.errors_and_tokens[1]]
    if not rated:
        return None
    bounds = {}
    for run in rated:
        interval = intervals[run.number]
        bounds[run.number] = interval.percentile if interval else (run.rate, run.rate)
    top = max(high for _, high in bounds.values()) or 0.01
    step = (WIDTH - LEFT - RIGHT) / max(len(rated) - 1, 1)
    columns = {run.number: round(LEFT + column * step, 1) for column, run in enumerate(rated)}

    def height(rate: float) -> float:
        return round(HEIGHT - BOTTOM - rate / top * (HEIGHT - BOTTOM - TOP), 1)

    groups: dict[str, list[RecordedRun]] = {}
    for run in rated:
        groups.setdefault(run.tags.get(by, "(none)") if by else "all runs", []).append(run)
    lines = []
    for index, (name, members) in enumerate(groups.items()):
        lower, upper = (
            [f"{columns[run.number]},{height(bounds[run.number][end])}" for run in members]
            for end in (0, 1)
        )
        dots = [
            {
                "number": run.number,
                "x": columns[run.number],
                "y": height(run.rate),
                "text": f"run {run.number}: {rate_text(run)} % "
                f"({_bounds(intervals[run.number])}), {run.name} {tags_text(run)}",
            }
            for run in members
        ]
        lines.append(
            {
                "name": name,
                "colour": COLOURS[index % len(COLOURS)],
                "points": " ".join(f"{dot['x']},{dot['y']}" for dot in dots),
                "band": " ".join([*upper, *reversed(lower)]),
                "dots": dots,
            }
        )
    rates = [top * mark / MARKS for mark in range(MARKS + 1)]
    marks = [{"y": height(rate), "text": percent(rate, 1)} for rate in rates]
    return {"lines": lines, "marks": marks, "width": WIDTH, "height": HEIGHT, "left": LEFT}


def _bounds(interval: Bootstrap | None) -> str:
    return "n/a" if interval is None else " to ".join(map(percent, interval.percentile))


def _html(blocks: Iterable[Block]) -> str:
    return "\n".join(html_elements(blocks))


def serve_runs(path: str, host: str, port: int, hosts: Sequence[str] = ()) -> int:
    """Serve the pages of a history until a signal ends it; the exit status. Raises ListenError.

    Without `hosts` pages on this machine's own address answer to its names only.
    """
    log_to_standard_error("INFO")
    names = hosts or (LOOPBACK if host in LOOPBACK else ())
    return serve_application(Runs(path, names), Settings(entrypoint="/"), host, port)
