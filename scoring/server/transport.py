"""HTTP on a socket: connections that are slow or too many, the end on signals, the log.

uvicorn itself limits idle connections and the end. It waits without limit for heads of requests
that arrive byte by byte, and for clients that do not take their answer.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import sys
from collections.abc import Iterator
from contextvars import ContextVar
from typing import Any

import uvicorn
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from scoring.errors import ScoringError
from scoring.server.application import Application
from scoring.server.settings import LOOPBACK, Limits, Settings, checked

LOG = logging.getLogger("scoring.server")
LAST_PORT = 65_535
BACKLOG = 2048
# Descriptors that are needed besides those of connections.
SPARE_DESCRIPTORS = 100
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: 1\r\nContent-Length: 0\r\n"
    b"Connection: close\r\n\r\n"
)


class ListenError(ScoringError):
    """The service cannot listen at that address."""

    status = 2


class Connection(H11Protocol):
    """A connection that ends if the head of a request, or the client of an answer, is too slow."""

    limits = Limits()
    _open: set[Connection]
    _clock: asyncio.TimerHandle | None = None
    _requests = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, unless there are too many."""
        super().connection_made(transport)
        self._stream = transport
        if len(self._open) >= self.limits.connections:
            LOG.warning("connection refused: there are %d already", len(self._open))
            transport.write(FULL)
            transport.close()
            return
        self._open.add(self)
        self._start_clock()

    def data_received(self, data: bytes) -> None:
        """Take bytes; requests that begin with them belong to this connection."""
        if not self._stream.is_closing():
            _connection.set(self)
            super().data_received(data)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._open.discard(self)
        self._stop_clock()
        super().connection_lost(exc)

    @contextlib.contextmanager
    def request(self) -> Iterator[None]:
        """A request in progress: the connection has time."""
        self._requests += 1
        self._stop_clock()
        try:
            yield
        finally:
            self._requests -= 1
            if not self._requests and self in self._open:
                self._start_clock()

    def _stop_clock(self) -> None:
        if self._clock is not None:
            self._clock.cancel()

    def _start_clock(self) -> None:
        """Wait for the client to take its answer, then for the head of the next request."""
        is_writing = self._stream.get_write_buffer_size() > 0
        seconds = self.limits.write_seconds if is_writing else self.limits.read_seconds
        loop = asyncio.get_running_loop()
        self._clock = loop.call_later(seconds, self._give_up, is_writing)

    def _give_up(self, is_writing: bool) -> None:
        if is_writing and not self._stream.get_write_buffer_size():
            self._start_clock()
            return
        if is_writing:
            LOG.warning("connection ended: the answer was not taken")
        self._stream.abort()


_connection: ContextVar[Connection] = ContextVar("_connection")


def _timed(application: ASGIApp) -> ASGIApp:
    """The application, with clocks of connections that stand still during its requests."""

    async def call(scope: Scope, receive: Receive, send: Send) -> None:
        connection = _connection.get(None) if scope["type"] == "http" else None
        with connection.request() if connection else contextlib.nullcontext():
            await application(scope, receive, send)

    return call


class _Lines(logging.Formatter):
    """One line for everything; of exceptions the kind only, since their text may be a payload."""

    def formatException(self, ei: Any) -> str:  # noqa: N802
        return f"({getattr(ei[0], '__name__', 'exception')})"

    def format(self, record: logging.LogRecord) -> str:
        return super().format(record).replace("\r", " ").replace("\n", " ")


def log_to_standard_error(level: str) -> None:
    """Write the log of the service to standard error, from a level on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines("%(asctime)s %(levelname)s %(message)s"))
    for name, least in (("scoring.server", level), ("uvicorn.error", "WARNING")):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(max(logging.getLevelName(level), logging.getLevelName(least)))
        logger.propagate = False


def listening(host: str, port: int) -> socket.socket:
    """A listening socket; ListenError if the address is in use, not of this machine, or unknown."""
    try:
        if not 0 <= port <= LAST_PORT:
            # the system would take the remainder of a division
            raise OverflowError("there is no such port")
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = infos[0]
        listener = socket.create_server(address[:2], family=family, backlog=BACKLOG)
    except (OSError, OverflowError, UnicodeError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise ListenError(f"{host}:{port}: cannot listen there: {reason}") from None
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
    """Serve until a signal ends it; the exit status, 0 after an orderly end.

    Parameters
    ----------
    settings
        Settings of the service. Without `hosts` a service on this machine's own address answers to
        its names only, which keeps pages in browsers from reading it.
    host, port
        Where to listen; port 0: any that is free.
    log_level
        From which level on to write to standard error.

    Raises
    ------
    ListenError
        If it cannot listen there.
    ValueError
        If a setting is invalid.
    """
    settings = checked(Settings() if settings is None else settings)
    if host in LOOPBACK and not settings.hosts:
        settings = settings._replace(hosts=LOOPBACK)
    log_to_standard_error(log_level)
    return serve_application(Application(settings), settings, host, port)


def serve_application(application: ASGIApp, settings: Settings, host: str, port: int) -> int:
    """Serve any application until a signal ends it; the exit status. Raises ListenError."""
    _allow_descriptors(settings.limits.connections + SPARE_DESCRIPTORS)
    listener = listening(host, port)
    name, number = listener.getsockname()[:2]
    address = f"http://{f'[{name}]' if ':' in name else name}:{number}{settings.entrypoint}"
    configuration = uvicorn.Config(
        _timed(application),
        http=type("Connection", (Connection,), {"limits": settings.limits, "_open": set()}),
        loop="asyncio",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=max(1, round(settings.grace)),
    )
    server = uvicorn.Server(configuration)

    async def run() -> None:
        task = asyncio.ensure_future(server.serve(sockets=[listener]))
        while not server.started and not task.done():
            await asyncio.sleep(0.01)
        if server.started:
            # whatever the level of the log: with port 0 nobody could know the address otherwise
            print(f"scoring: serving on {address}", file=sys.stderr, flush=True)
        await task

    try:
        with _surviving_signals(server):
            asyncio.run(run())
    except SystemExit:
        # uvicorn exits like this when the application does not start
        return 1
    finally:
        listener.close()
    LOG.info("ended")
    return 0


@contextlib.contextmanager
def _surviving_signals(server: uvicorn.Server) -> Iterator[None]:
    """Let the process survive the signal that ended uvicorn, which raises it once more."""

    def end(_number: int, _frame: object) -> None:
        if not server.should_exit:
            raise SystemExit

    handlers: dict[signal.Signals, Any] = {}
    for number in (signal.SIGINT, signal.SIGTERM):
        with contextlib.suppress(ValueError):
            # outside of the main thread
            handlers[number] = signal.signal(number, end)
    try:
        yield
    finally:
        for number, handler in handlers.items():
            signal.signal(number, handler)


def _allow_descriptors(count: int) -> None:
    """Raise the limit of open files, as far as the system allows."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        most = count if hard == resource.RLIM_INFINITY else min(count, hard)
        if soft < most:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
