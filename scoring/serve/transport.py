"""HTTP on a socket: limits for slow connections, shutdown on signals, and the log.

uvicorn itself limits idle connections, their number and the shutdown time. Without this module, it
would wait without limit for slow request headers, and for clients that do not read their answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import os
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextvars import ContextVar
from typing import Any

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send

from scoring.model.errors import ScoringError
from scoring.serve.application import Application
from scoring.serve.settings import LOOPBACK, Limits, Settings, checked

LOG = logging.getLogger("scoring.serve")
BACKLOG = 2048


class ListenError(ScoringError):
    """The service cannot listen at the given address."""

    status = 2


class Connection(asyncio.Protocol):
    """A connection that is closed if the client sends headers or reads an answer too slowly.

    All received data go to `inner`, uvicorn's protocol.
    """

    def __init__(self, inner: asyncio.Protocol, limits: Limits) -> None:
        self.limits = limits
        self._inner = inner
        self._transport: asyncio.Transport | None = None
        self._clock: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Store the transport of a new connection."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._inner.connection_made(transport)
        self.end_after(self.limits.read_seconds)

    def data_received(self, data: bytes) -> None:
        """Pass on received bytes; requests that begin in these bytes belong to this connection."""
        _connection.set(self)
        self._inner.data_received(data)

    def eof_received(self) -> bool | None:
        """Process the end of the client's data."""
        return self._inner.eof_received()

    def connection_lost(self, exc: Exception | None) -> None:
        """Remove the connection."""
        self.end_after(0)
        self._inner.connection_lost(exc)

    def pause_writing(self) -> None:
        """Pause the answer until the slow client has read more of it."""
        self._inner.pause_writing()

    def resume_writing(self) -> None:
        """Resume sending the answer."""
        self._inner.resume_writing()

    def end_after(self, seconds: float) -> None:
        """Abort the connection after some seconds; 0 sets no limit."""
        if self._clock is not None:
            self._clock.cancel()
        if seconds and self._transport is not None and not self._transport.is_closing():
            self._clock = asyncio.get_running_loop().call_later(seconds, self._abort)

    def _abort(self) -> None:
        assert self._transport is not None
        if self._transport.get_write_buffer_size():
            LOG.warning("connection ended: the answer was not taken")
        self._transport.abort()


_connection: ContextVar[Connection] = ContextVar("_connection")


def _timed(application: ASGIApp) -> ASGIApp:
    """Return an application that pauses the time limits of a connection during a request.

    After a request, the client must read the answer and send the next headers within the limits.
    """

    async def call(scope: Scope, receive: Receive, send: Send) -> None:
        connection = _connection.get(None) if scope["type"] == "http" else None
        if connection is None:
            return await application(scope, receive, send)
        connection.end_after(0)
        try:
            await application(scope, receive, send)
        finally:
            connection.end_after(connection.limits.write_seconds)

    return call


class _Server(uvicorn.Server):
    """A server that prints its address when it has started, at every log level.

    With port 0, which selects any free port, this line shows which port it is.
    """

    address = ""
    announce: Callable[[str], object] | None = None

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        print(f"scoring: serving on {self.address}", file=sys.stderr, flush=True)
        if self.announce is not None:
            await asyncio.to_thread(self.announce, self.address)


class _Lines(logging.Formatter):
    """A formatter that writes one line per message.

    Texts of exceptions may contain data and are therefore not logged.
    """

    def formatException(self, ei: Any) -> str:  # noqa: N802
        return f"({getattr(ei[0], '__name__', 'exception')})"

    def format(self, record: logging.LogRecord) -> str:
        return super().format(record).replace("\r", " ").replace("\n", " ")


def log_to_standard_error(level: str) -> None:
    """Write log messages of the service to standard error, from a given level on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines("%(asctime)s %(levelname)s %(message)s"))
    for name, least in (("scoring.serve", level), ("uvicorn.error", "WARNING")):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(max(logging.getLevelName(level), logging.getLevelName(least)))
        logger.propagate = False


def listening(host: str, port: int) -> socket.socket:
    """Return a listening socket.

    Raises ListenError if the address is in use, unknown or not one of this machine.
    """
    try:
        infos = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = infos[0]
        listener = socket.create_server((address[0], port), family=family, backlog=BACKLOG)
    except (OSError, OverflowError, UnicodeError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise ListenError(f"{host}:{port}: cannot listen at this address: {reason}") from None
    # connections inherit it: small answers are sent without delay
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    listener.setblocking(False)
    return listener


def serve(
    settings: Settings | None = None,
    host: str = "127.0.0.1",
    port: int = 8080,
    log_level: str = "INFO",
) -> int:
    """Serve until a signal, and return the exit status; 0 after an orderly shutdown.

    The processes import the main module again. Therefore, a script must call `serve` under `if
    __name__ == "__main__":`.

    Parameters
    ----------
    settings
        Settings of the service. If the service listens at this machine's own address and `hosts` is
        empty, it accepts only the names of this machine, so that pages of other sites cannot read
        it.
    host, port
        The address to listen at; port 0 selects any free port.
    log_level
        The lowest level of messages that are written to standard error.

    Raises
    ------
    ListenError
        If the service cannot listen at the address.
    ValueError
        If a setting is invalid.
    """
    settings = checked(Settings() if settings is None else settings)
    if host in LOOPBACK and not settings.hosts:
        settings = settings._replace(hosts=LOOPBACK)
    log_to_standard_error(log_level)
    with _safe_paths():
        return serve_application(Application(settings), settings, host, port)


@contextlib.contextmanager
def _safe_paths() -> Iterator[None]:
    """Keep the working directory out of the path of processes started meanwhile (Python 3.11)."""
    before = os.environ.get("PYTHONSAFEPATH")
    os.environ["PYTHONSAFEPATH"] = "1"
    try:
        yield
    finally:
        if before is None:
            del os.environ["PYTHONSAFEPATH"]
        else:
            os.environ["PYTHONSAFEPATH"] = before


def serve_application(
    application: ASGIApp,
    settings: Settings,
    host: str,
    port: int,
    announce: Callable[[str], object] | None = None,
) -> int:
    """Serve any ASGI application until a signal; return the exit status; raises ListenError.

    `announce` is called with the address when the service has started.
    """
    listener = listening(host, port)
    configuration = uvicorn.Config(
        _timed(application),
        http="h11",
        loop="asyncio",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        # a connection is one of those that it counts
        limit_concurrency=settings.limits.connections + 1,
        timeout_graceful_shutdown=max(1, round(settings.grace)),
    )
    configuration.load()
    protocol: Callable[..., asyncio.Protocol] = configuration.http_protocol_class

    def limited(**given: Any) -> Connection:
        """Create uvicorn's protocol inside a `Connection`, which enforces the limits."""
        return Connection(protocol(**given), settings.limits)

    configuration.http_protocol_class = limited  # type: ignore[assignment]
    server = _Server(configuration)
    name, number = listener.getsockname()[:2]
    server.address = f"http://{f'[{name}]' if ':' in name else name}:{number}{settings.entrypoint}"
    server.announce = announce
    try:
        with _ignored_signals():
            server.run(sockets=[listener])
    except SystemExit:
        # uvicorn exits like this when the application does not start
        return 1
    finally:
        listener.close()
        for process in multiprocessing.active_children():
            # after a second signal nobody has ended them
            process.kill()
    LOG.info("ended")
    return 0


@contextlib.contextmanager
def _ignored_signals() -> Iterator[None]:
    """Ignore the signal that ended uvicorn, because uvicorn sends the signal again."""
    handlers: dict[signal.Signals, Any] = {}
    if threading.current_thread() is threading.main_thread():
        for number in (signal.SIGINT, signal.SIGTERM):
            handlers[number] = signal.signal(number, signal.SIG_IGN)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)
