"""The page as a local service; every task runs in its own process, which can be stopped."""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Mount, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from scoring.cli.docs import PACKAGES
from scoring.serve.application import HEADERS, Application
from scoring.serve.browser.page import page_of_service
from scoring.serve.errors import MethodError
from scoring.serve.in_process import Inline
from scoring.serve.protocol import Answer, CallOutcome
from scoring.serve.runs import Runs
from scoring.serve.settings import Settings

ENTRY, HISTORY, PROGRESS = "/tasks", "/history", "/progress"
NOTHING_YET = b"{}"


class Processes(Inline):
    """Answers each request in a separate process; limits the number of processes."""

    def __init__(self, settings: Settings) -> None:
        self._free = asyncio.Semaphore(settings.processes)
        # the last line of each process, by the name that its request has
        self.progress: dict[str, bytes] = {}
        self.ready = settings.processes

    async def reply(self, body: bytes, _client: str) -> Answer:
        """Return the answer to a request; raises MethodError if the process ends early."""
        pipe = asyncio.subprocess.PIPE
        command = (sys.executable, "-m", "scoring.serve.browser.tasks")
        # modules come from beside this package, never from where the service was started
        async with self._free:
            process = await asyncio.create_subprocess_exec(
                *command, stdin=pipe, stdout=pipe, stderr=pipe, cwd=PACKAGES
            )
            name = _name_of(body)
            try:
                output = await self._output(process, body, name)
            finally:
                self.progress.pop(name, None)
                with contextlib.suppress(ProcessLookupError):  # it has ended
                    process.kill()
        if process.returncode or not output:
            raise MethodError("the process that worked on the request has ended")
        return Answer(200, output, [CallOutcome("task")])

    async def _output(self, process: asyncio.subprocess.Process, body: bytes, name: str) -> bytes:
        """Return the output of a process for a request.

        Store its progress while the process runs.
        """
        stdin, stdout, stderr = process.stdin, process.stdout, process.stderr
        assert stdin is not None
        assert stdout is not None
        assert stderr is not None

        async def give() -> None:
            with contextlib.suppress(BrokenPipeError, ConnectionResetError):
                stdin.write(body)
                await stdin.drain()
                stdin.close()

        async def listen() -> None:
            async for line in stderr:
                if line.startswith(b"{"):
                    self.progress[name] = line
                else:
                    sys.stderr.write(line.decode("utf-8", "replace"))

        output, *_ = await asyncio.gather(stdout.read(), give(), listen())
        await process.wait()
        return output


def _name_of(body: bytes) -> str:
    """Return the name under which a request's progress is stored; empty if it has none."""
    try:
        return str(json.loads(body.partition(b"\n")[0]).get("id", ""))
    except (ValueError, AttributeError, RecursionError):
        return ""


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
        line = processes.progress.get(request.path_params["name"], NOTHING_YET)
        return Response(line, media_type="application/json", headers=HEADERS)

    routes: list[Route | Mount] = [
        Route("/", show, methods=["GET"]),
        Route(f"{PROGRESS}/{{name}}", progress, methods=["GET"]),
    ]
    if history is not None:
        routes.append(Mount(HISTORY, Runs(history, settings.hosts)))
    settings = settings._replace(entrypoint=ENTRY)
    return ended_with_client(Application(settings, processes, routes))
