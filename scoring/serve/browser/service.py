"""The page as a local service; every task runs in its own process, which can be stopped."""

from __future__ import annotations

import asyncio

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scoring.serve.application import HEADERS, Application
from scoring.serve.browser.page import page_of_service
from scoring.serve.browser.processes import Processes
from scoring.serve.runs import Runs
from scoring.serve.settings import Settings

ENTRY, HISTORY, PROGRESS = "/tasks", "/history", "/progress"


def ended_with_client(application: ASGIApp) -> ASGIApp:
    """Return an application that stops work on a request when its client disconnects."""

    async def call(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await application(scope, receive, send)
        messages: asyncio.Queue[Message] = asyncio.Queue(1)

        async def listen() -> None:
            while (message := await receive())["type"] != "http.disconnect":
                await messages.put(message)
            work.cancel()

        work = asyncio.ensure_future(application(scope, messages.get, send))
        listener = asyncio.ensure_future(listen())
        try:
            await work
        except asyncio.CancelledError:
            if not work.cancelled():
                raise
        finally:
            listener.cancel()

    return call


def application(settings: Settings, history: str | None) -> ASGIApp:
    """Return the application that serves the page, its tasks, and the pages of a history file."""
    page = page_of_service(ENTRY, None if history is None else HISTORY + "/")

    async def show(_request: Request) -> Response:
        policy = {"Content-Security-Policy": "frame-ancestors 'none'"}
        return HTMLResponse(page, headers={**HEADERS, **policy})

    processes = Processes(settings)

    async def progress(request: Request) -> Response:
        report = processes.progress.get(request.path_params["name"], {})
        return JSONResponse(report, headers=HEADERS)

    routes: list[Route | Mount] = [
        Route("/", show, methods=["GET"]),
        Route(f"{PROGRESS}/{{name}}", progress, methods=["GET"]),
    ]
    if history is not None:
        routes.append(Mount(HISTORY, Runs(history, settings.hosts)))
    settings = settings._replace(entrypoint=ENTRY)
    return ended_with_client(Application(settings, processes, routes))
