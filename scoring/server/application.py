"""The service as an ASGI application: addresses, limits on bodies, health."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, MutableMapping, Sequence
from typing import Any, Protocol, TypeAlias
from urllib.parse import urlsplit

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route

from formats.version import VERSION
from scoring.server.errors import BusyError, MethodError, RequestTooLargeError, TooSlowError
from scoring.server.explorer import PAGE, POLICY
from scoring.server.in_process import Client, Inline
from scoring.server.pool import Pool, WorkerError
from scoring.server.protocol import Answer, CallOutcome, refusal
from scoring.server.settings import Settings, checked

LOG = logging.getLogger("scoring.server")
RETRY_AFTER = "1"
ALWAYS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}

Scope: TypeAlias = MutableMapping[str, Any]
Receive: TypeAlias = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send: TypeAlias = Callable[[MutableMapping[str, Any]], Awaitable[None]]


class Answering(Protocol):
    """Whoever answers requests: a pool of processes, or this process."""

    @property
    def ready(self) -> int:
        """How many requests can be worked on at a time."""

    def is_free(self, body: bytes, client: str) -> bool:
        """Whether a request of a client is taken at once."""

    @property
    def waiting(self) -> int:
        """How many requests wait."""

    async def start(self) -> None:
        """Get ready."""

    async def reply(self, body: bytes, client: str) -> Answer:
        """The answer to a request of a client."""

    async def close(self) -> None:
        """Stop."""


class GoneError(Exception):
    """Whoever asked is no longer there."""


class Application:
    """The service; an ASGI application.

    Parameters
    ----------
    settings
        As `checked` gives them.
    answering
        Who does the work; None: a pool of processes, started with the application.
    """

    def __init__(self, settings: Settings, answering: Answering | None = None) -> None:
        self.settings = settings
        self._answering: Answering = Pool(settings) if answering is None else answering
        self._held = 0
        methods = ["POST", "GET"] if settings.with_explorer else ["POST"]
        self._starlette = Starlette(
            routes=[
                Route(settings.entrypoint, self._entry, methods=methods),
                Route("/health", self._health, methods=["GET"]),
            ],
            lifespan=self._lifespan,
        )
        self._starlette.router.redirect_slashes = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection's request, as ASGI says."""
        if scope["type"] == "http":
            refused = refused_of(scope, self.settings.hosts)
            if refused is not None:
                await refused(scope, receive, send)
                return
        await self._starlette(scope, receive, send)

    def test_client(self) -> Client:
        """A client that calls this service within the process: no socket, no other processes."""
        return Client(Application(self.settings, Inline(self.settings)))

    @contextlib.asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        try:
            await self._answering.start()
        except WorkerError as error:
            LOG.error("%s", error)
            raise
        try:
            yield
        finally:
            await self._answering.close()

    async def _health(self, _request: Request) -> Response:
        # said here, by the process that is asked: processes that are being replaced are no illness
        record = {
            "status": "ok",
            "version": VERSION,
            "processes": self._answering.ready,
            "waiting": self._answering.waiting,
        }
        return JSONResponse(record, 200, ALWAYS)

    async def _entry(self, request: Request) -> Response:
        if request.method != "POST":
            return HTMLResponse(PAGE, headers={**ALWAYS, "Content-Security-Policy": POLICY})
        start = time.perf_counter()
        held = 0
        try:
            body = await self._body(request)
            held = len(body)
            self._held += held
            if self._held > self.settings.limits.held:
                raise BusyError("too many bytes are waiting already")
            reply = await self._reply(request, body)
        except MethodError as error:
            reply = refusal(error)._replace(outcomes=[CallOutcome("-", error.code)])
        except GoneError:
            reply = Answer(499, b"", [CallOutcome("-")])
        finally:
            self._held -= held
        _log(request, reply, held, time.perf_counter() - start)
        return _response(reply)

    async def _body(self, request: Request) -> bytes:
        """The body, if it is not too large; it is not read any further once it is.

        Raises
        ------
        TooLargeError, TooSlowError, BusyError, GoneError
        """
        limits = self.settings.limits
        declared = request.headers.get("content-length", "")
        if declared.isdigit() and int(declared[:20]) > limits.body:
            raise RequestTooLargeError(f"expected at most {limits.body} bytes")
        deadline = time.monotonic() + limits.read_seconds
        chunks: list[bytes] = []
        size = 0
        try:
            while True:
                left = max(deadline - time.monotonic(), 0.0)
                message = await asyncio.wait_for(request.receive(), left)
                if message["type"] == "http.disconnect":
                    raise GoneError
                chunk = message.get("body", b"")
                size += len(chunk)
                self._held += len(chunk)
                chunks.append(chunk)
                if size > limits.body:
                    raise RequestTooLargeError(f"expected at most {limits.body} bytes")
                if self._held > limits.held:
                    raise BusyError("too many bytes are waiting already")
                if not message.get("more_body", False):
                    return b"".join(chunks)
        except asyncio.TimeoutError:
            raise TooSlowError(f"the body took more than {limits.read_seconds:g} s") from None
        finally:
            self._held -= size

    async def _reply(self, request: Request, body: bytes) -> Answer:
        """The answer; whoever goes away while waiting for a process gives up the place."""
        client = request.client.host if request.client else ""
        if self._answering.is_free(body, client):
            return await self._answering.reply(body, client)
        work = asyncio.ensure_future(self._answering.reply(body, client))
        gone = asyncio.ensure_future(request.receive())
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                raise GoneError
            return work.result()
        finally:
            gone.cancel()
            if not work.done():
                work.cancel()
                with contextlib.suppress(asyncio.CancelledError, MethodError):
                    await work


def refused_of(scope: Scope, hosts: Collection[str]) -> Response | None:
    """A refusal of a request of two lengths, and of what a browser sends for somebody else's page.

    A page may make a browser call this machine; without this a page whose name is made to lead here
    could read the answers.
    """
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    if b"content-length" in headers and b"transfer-encoding" in headers:
        # two lengths of one body: a proxy in front may have taken the other
        response = _plain("Content-Length and Transfer-Encoding exclude each other.", 400)
        response.headers["Connection"] = "close"
        return response
    host = headers.get(b"host", "")
    name = urlsplit(f"//{host}").hostname if _is_host(host) else None
    if hosts and name not in hosts:
        return _plain("This name does not belong to the service.", 400)
    origin = headers.get(b"origin")
    if origin is not None and urlsplit(origin).netloc.lower() != host.lower():
        return _plain("Pages of other sites may not call the service.", 403)
    return None


def _is_host(host: str) -> bool:
    return bool(host) and all(c.isalnum() or c in ".-:[]_" for c in host)


def _plain(text: str, status: int) -> Response:
    return Response(text + "\n", status, ALWAYS, media_type="text/plain")


def _response(answer: Answer) -> Response:
    headers: dict[str, str] = dict(ALWAYS)
    if answer.status == BusyError.status:
        headers["Retry-After"] = RETRY_AFTER
    if answer.status in (RequestTooLargeError.status, TooSlowError.status):
        # what else comes is not read
        headers["Connection"] = "close"
    if not answer.body:
        return Response(b"", answer.status, headers)
    return Response(answer.body, answer.status, headers, media_type="application/json")


def _log(request: Request, reply: Answer, size: int, seconds: float) -> None:
    """A line for a request: what it cost, and nothing of what it says."""
    if not LOG.isEnabledFor(logging.INFO):
        return
    client = request.client.host if request.client else "-"
    calls = _counted(reply.outcomes)
    LOG.info(
        "%s %d %s %d bytes in, %d bytes out, %.1f ms",
        client,
        reply.status,
        calls,
        size,
        len(reply.body),
        1000 * seconds,
    )


def _counted(outcomes: Sequence[CallOutcome]) -> str:
    found = Counter(f"{one.method}({one.code})" if one.code else one.method for one in outcomes)
    return ",".join(name if count == 1 else f"{name}*{count}" for name, count in found.items())


def create_app(
    entrypoint: str = "/api",
    with_explorer: bool = False,
    root: str | None = None,
    settings: Settings | None = None,
) -> Application:
    """The service as an application for any ASGI server.

    Parameters
    ----------
    entrypoint
        Path of the address that takes requests.
    with_explorer
        Whether that address shows a page to try methods on.
    root
        Directory below which requests may have files read; None: none anywhere.
    settings
        Everything, instead of the other arguments.

    Raises
    ------
    ValueError
        If a setting means nothing.

    Examples
    --------
    >>> client = create_app().test_client()
    >>> client.post("/api", json={"jsonrpc": "2.0", "method": "version", "id": 1}).data
    b'{"jsonrpc": "2.0", "result": "1.1", "id": 1}'
    >>> client.get("/api").status_code
    405
    """
    if settings is None:
        settings = Settings(entrypoint, with_explorer, root)
    return Application(checked(settings))
