"""The service as an ASGI application: addresses, limits on bodies, health."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import hashlib
import logging
import re
import time
from collections import Counter
from collections.abc import AsyncIterator, Collection, Sequence
from importlib.resources import files

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from formats.schema import VERSION
from scoring.serve.errors import BusyError, MethodError, RequestTooLargeError, TooSlowError
from scoring.serve.in_process import Client, Inline
from scoring.serve.pool import Pool, WorkerError
from scoring.serve.protocol import Answer, refusal
from scoring.serve.settings import Settings, checked

LOG = logging.getLogger("scoring.serve")
# How long the work of a client that is gone may go on: a new process would cost more.
GONE_SECONDS = 1.0
# An address in brackets or a name, and a port; versions of urllib differ in what they take.
HOST = re.compile(r"(?:\[([0-9a-f:.]+)\]|([a-z0-9_.-]+))(?::\d*)?")
HEADERS = {"X-Content-Type-Options": "nosniff", "Cache-Control": "no-store"}


class Application:
    """The service as an ASGI application; `settings` must have passed through `checked`."""

    def __init__(
        self,
        settings: Settings,
        workers: Pool | Inline | None = None,
        pages: Sequence[BaseRoute] = (),
    ) -> None:
        self.settings = settings
        self._workers = workers or Pool(settings)
        self._short = Inline(settings) if workers is None else None
        # bytes of all bodies
        self._size = 0
        methods = ["POST", "GET"] if settings.with_explorer else ["POST"]
        routes = [
            Route(settings.entrypoint, self._entry, methods=methods),
            Route("/health", self._health, methods=["GET"]),
            *pages,
        ]
        self._starlette = Starlette(routes=routes, lifespan=self._lifespan)
        self._starlette.router.redirect_slashes = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request: the entry point of ASGI."""
        refused = refused_of(scope, self.settings.hosts) if scope["type"] == "http" else None
        await (refused or self._starlette)(scope, receive, send)

    def test_client(self) -> Client:
        """Return a client that calls this service in the same process, without a socket."""
        return Client(Application(self.settings, Inline(self.settings)))

    @contextlib.asynccontextmanager
    async def _lifespan(self, _app: Starlette) -> AsyncIterator[None]:
        try:
            await self._workers.start()
        except WorkerError as error:
            LOG.error("%s", error)
            raise
        try:
            yield
        finally:
            await self._workers.close()

    async def _health(self, _request: Request) -> Response:
        workers = self._workers
        record = {"processes": workers.ready, "waiting": workers.waiting}
        return JSONResponse({"status": "ok", "version": VERSION, **record}, headers=HEADERS)

    async def _entry(self, request: Request) -> Response:
        if request.method != "POST":
            page, policy = page_and_policy("explorer")
            return HTMLResponse(page, headers={**HEADERS, "Content-Security-Policy": policy})
        start = time.perf_counter()
        seconds = self.settings.limits.read_seconds
        chunks: list[bytes] = []
        body = b""
        try:
            await asyncio.wait_for(self._read(request, chunks), seconds)
            body = b"".join(chunks)
            answer = await self._answer(request, body)
        except asyncio.TimeoutError:
            answer = refusal(TooSlowError(f"the body took more than {seconds:g} s"))
        except MethodError as error:
            answer = refusal(error)
        except ClientDisconnect:
            return Response(status_code=400)
        finally:
            self._size -= sum(map(len, chunks))
        _log(request, answer, len(body), time.perf_counter() - start)
        return _response(answer)

    async def _answer(self, request: Request, body: bytes) -> Answer:
        """Return the answer to a request; raise ClientDisconnect if the client has disconnected.

        In this case, a waiting request leaves the queue. The process of a running request is
        replaced unless it ends soon.
        """
        client = request.client.host if request.client else ""
        work = asyncio.ensure_future(self._work(body, client))
        gone = asyncio.ensure_future(_is_gone(request))
        try:
            await asyncio.wait((work, gone), return_when=asyncio.FIRST_COMPLETED)
            if not work.done():
                await asyncio.wait((work,), timeout=GONE_SECONDS if gone.result() else None)
            if not work.done():
                LOG.info("%s gone before the answer", client or "-")
                raise ClientDisconnect
            return work.result()
        finally:
            gone.cancel()
            work.cancel()

    async def _work(self, body: bytes, client: str) -> Answer:
        """Return the answer to a request: short requests run here, others in another process."""
        if self._short is not None and self._short.takes(body):
            return await asyncio.to_thread(self._short.answer, body)
        return await self._workers.reply(body, client)

    async def _read(self, request: Request, chunks: list[bytes]) -> None:
        """Read the chunks of a body within the limits."""
        limits = self.settings.limits
        too_large = RequestTooLargeError(f"expected at most {limits.body} bytes")
        declared = request.headers.get("content-length", "")
        if declared.isdigit() and int(declared[:20]) > limits.body:
            raise too_large
        size = 0
        async for chunk in request.stream():
            chunks.append(chunk)
            size += len(chunk)
            self._size += len(chunk)
            if size > limits.body:
                raise too_large
            if self._size > limits.held:
                raise BusyError("too many bytes of other requests are waiting; try again later")


async def _is_gone(request: Request) -> bool:
    """Wait for the message that follows the body; return True if the client has disconnected."""
    message = await request.receive()
    return bool(message["type"] == "http.disconnect")


def page_and_policy(name: str) -> tuple[str, str]:
    """Return a page with its style and script, and the policy that allows only these two."""
    assets = files("scoring.serve").joinpath("assets")
    style, script, page = (
        assets.joinpath(f"{name}.{suffix}").read_text("utf-8") for suffix in ("css", "js", "html")
    )
    rules = ("default-src 'none'", f"script-src {source(script)}", f"style-src {source(style)}")
    more = ("connect-src 'self'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'")
    page = page.replace("{style}", style).replace("{script}", script)
    return page, "; ".join((*rules, *more))


def source(text: str) -> str:
    """Return the source of a style or script for a content security policy."""
    digest = hashlib.sha256(text.encode("utf-8")).digest()
    return f"'sha256-{base64.b64encode(digest).decode('ascii')}'"


def refused_of(scope: Scope, hosts: Collection[str]) -> Response | None:
    """Return a response that rejects a request; None if the request is allowed.

    A request is rejected if it has two lengths or comes from another site's page. A page of another
    site may make a browser call this machine. Without this check, a page whose host name resolves
    to this machine could read the answers.
    """
    headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
    if b"content-length" in headers and b"transfer-encoding" in headers:
        # two lengths of one body: a proxy in front may have taken the other
        response = _plain("Content-Length and Transfer-Encoding exclude each other.", 400)
        response.headers["Connection"] = "close"
        return response
    host = headers.get(b"host", "").lower()
    parts = HOST.fullmatch(host)
    if hosts and (parts is None or (parts[1] or parts[2]) not in hosts):
        return _plain("This name does not belong to the service.", 400)
    origin = headers.get(b"origin")
    if origin is not None and origin.partition("://")[2].lower() != host:
        return _plain("Pages of other sites may not call the service.", 403)
    return None


def _plain(text: str, status: int) -> Response:
    return Response(text + "\n", status, HEADERS, media_type="text/plain")


def _response(answer: Answer) -> Response:
    headers = dict(HEADERS)
    if answer.status == BusyError.status:
        headers["Retry-After"] = "1"
    if answer.status in (RequestTooLargeError.status, TooSlowError.status):
        # the rest of the body is not read
        headers["Connection"] = "close"
    kind = "application/json" if answer.body else None
    return Response(answer.body, answer.status, headers, media_type=kind)


def _log(request: Request, answer: Answer, size: int, seconds: float) -> None:
    """Log a request without its content, and the errors of its methods."""
    for outcome in answer.outcomes:
        if outcome.cause is not None:
            LOG.error("%s: %d: %s", *outcome)
    counts = Counter(f"{o.method}({o.code})" if o.code else o.method for o in answer.outcomes)
    calls = ",".join(name if count == 1 else f"{name}*{count}" for name, count in counts.items())
    LOG.info(
        "%s %d %s %d bytes in, %d bytes out, %.1f ms",
        request.client.host if request.client else "-",
        answer.status,
        calls,
        size,
        len(answer.body),
        1000 * seconds,
    )


def create_app(
    entrypoint: str = "/api",
    with_explorer: bool = False,
    root: str | None = None,
    settings: Settings | None = None,
) -> Application:
    """Return the service as an application for any ASGI server.

    Parameters
    ----------
    entrypoint
        Path of the address to which requests are sent.
    with_explorer
        True if this address shows a page for trying methods.
    root
        Directory of the files that requests may read; None: requests may read no files.
    settings
        All settings; the other arguments are then ignored.

    Raises
    ------
    ValueError
        If a setting is invalid.

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
