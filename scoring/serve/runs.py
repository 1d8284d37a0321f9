"""Pages of a history file: runs by tag, a single run, and two runs compared by utterance.

Pages need no script, and no request changes a run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from importlib.resources import files
from typing import TypeAlias

from jinja2 import Environment, StrictUndefined
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from formats.schema.errors import FormatError
from scoring.drawing.blocks import Block, Note
from scoring.drawing.markup import STYLES, html_elements
from scoring.drawing.templates import embedded
from scoring.model.errors import ScoringError
from scoring.regression.conditions import Amount, parse_amount
from scoring.regression.history import History, HistoryError, tags_of
from scoring.regression.runs import (
    RUN_HEADINGS,
    TrendView,
    page_of_run,
    page_of_two,
    run_cells,
    series_of,
    tag_of_series,
    trend_lines,
)
from scoring.serve.application import HEADERS, refused_of, source
from scoring.serve.settings import LOOPBACK, Settings
from scoring.serve.transport import log_to_standard_error, serve_application
from scoring.stats.intervals import Resampling

Page: TypeAlias = Callable[[History, Request], Mapping[str, object]]


class Runs:
    """The pages of a history file as an ASGI application; each page reads the file again."""

    def __init__(self, path: str, hosts: Sequence[str] = ()) -> None:
        self.path = path
        self.hosts = hosts
        assets = files("scoring.serve").joinpath("assets")
        own = assets.joinpath("runs.css").read_text("utf-8")
        self._style = str(embedded(STYLES, (), style=own)["style"])
        policy = (
            f"default-src 'none'; style-src {source(self._style)}; form-action 'self'; "
            "base-uri 'none'; frame-ancestors 'none'"
        )
        self._headers = {**HEADERS, "Content-Security-Policy": policy}
        environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True)
        self._template = environment.from_string(assets.joinpath("runs.html").read_text("utf-8"))
        pages = {"/": _index, "/run/{number}": _run, "/compare": _comparison}
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
                title = "There is no such page" if status == 404 else "This cannot be shown"
                values = {"title": title, "problem": str(problem)}
            root = request.scope.get("root_path", "")
            text = self._template.render(style=self._style, root=root, **values)
            return HTMLResponse(text.encode("utf-8", "backslashreplace"), status, self._headers)

        return respond


def _limit(amount: str) -> Amount:
    """Parse a limit in an address; for an invalid limit, raise an error that the page shows."""
    try:
        return parse_amount(amount)
    except ValueError as problem:
        raise ScoringError(f"limit: {problem}") from None


def _index(history: History, request: Request) -> Mapping[str, object]:
    tags = list(filter(None, request.query_params.getlist("tag")))
    runs = history.runs(tags_of(tags))
    by = request.query_params.get("by", "").strip() or tag_of_series(runs)
    latest = [members[-2:] for members in series_of(runs, by).values()]
    compared = max(latest, key=lambda pair: pair[-1].number if pair else 0)
    cells = [run_cells(run) for run in reversed(runs)]
    rows = [
        {
            "number": row[0],
            "texts": zip(RUN_HEADINGS[1:4], row[1:4], strict=True),
            "numbers": row[4:],
        }
        for row in cells
    ]
    amount = request.query_params.get("limit", "").strip()
    groups = bool(request.query_params.get("groups"))
    address = f"{request.scope.get('root_path', '')}/compare?baseline={{baseline}}&new={{new}}"
    view = TrendView(_limit(amount) if amount else None, groups, address)
    trend = _html(trend_lines(runs, by, view))
    return {
        "title": f"Runs of {history.path}",
        "tags": [*tags, ""],
        "by": by or "",
        "compared": [str(run.number) for run in compared],
        "rows": rows,
        "trend": trend,
        "limit": amount,
        "groups": groups,
    }


def _run(history: History, request: Request) -> Mapping[str, object]:
    run = history.find(request.path_params["number"])
    return {"title": f"Run {run.number}: {run.name}", "body": _html(page_of_run(run))}


def _comparison(history: History, request: Request) -> Mapping[str, object]:
    new = history.find(request.query_params.get("new", ""))
    choice = history.baseline(request.query_params.get("baseline", ""), new)
    baseline, note = choice.run, choice.note(history.path)
    notes = [] if note is None else [Note(str(note))]
    blocks = [*notes, *page_of_two(history, baseline, new, Resampling())]
    return {"title": f"Run {new.number} against run {baseline.number}", "body": _html(blocks)}


def _html(blocks: Iterable[Block]) -> str:
    return "\n".join(html_elements(blocks))


def serve_runs(path: str, host: str, port: int, hosts: Sequence[str] = ()) -> int:
    """Serve the pages of a history until a signal; return the exit status; raises ListenError.

    Without `hosts`, a service on the loopback address accepts only the names of this machine.
    """
    log_to_standard_error("INFO")
    names = hosts or (LOOPBACK if host in LOOPBACK else ())
    return serve_application(Runs(path, names), Settings(entrypoint="/"), host, port)
