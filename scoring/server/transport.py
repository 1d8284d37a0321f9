"""HTTP on a socket: connections that are slow or too many, the end on signals, the log.

uvicorn itself limits idle connections and the end; heads of requests that arrive byte by byte, and
answers that nobody takes, it waits for without limit.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
import socket
import sys
from collections.abc import Iterator
from typing import Any

import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle

from scoring.errors import ScoringError
from scoring.server.application import RETRY_AFTER, Application
from scoring.server.settings import LOOPBACK, Limits, Settings, checked

LOG = logging.getLogger("scoring.server")
LAST_PORT = 65_535
BACKLOG = 2048
KEEP_ALIVE_SECONDS = 5
# Descriptors that are needed besides those of connections.
SPARE_DESCRIPTORS = 100
FULL = (
    b"HTTP/1.1 503 Service Unavailable\r\nRetry-After: " + RETRY_AFTER.encode("ascii") + b"\r\n"
    b"Content-Length: 0\r\nConnection: close\r\n\r\n"
)


class ListenError(ScoringError):
    """There is no listening at that address."""

    status = 2


class Connection(H11Protocol):
    """A connection that ends if the head of a request, or the reader of an answer, is too slow."""

    limits = Limits()
    _deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take a connection, unless there are too many."""
        if len(self.connections) >= self.limits.connections:
            LOG.warning("connection refused: there are %d already", len(self.connections))
            transport.write(FULL)
            transport.close()
            # what uvicorn looks for when the connection ends
            self.transport = transport
            return
        super().connection_made(transport)
        self._expect_head()

    def data_received(self, data: bytes) -> None:
        """Take bytes; the clock runs while the head of a request is incomplete."""
        if self not in self.connections:
            return
        super().data_received(data)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the connection."""
        self._stop_clock()
        if self.flow is not None:
            super().connection_lost(exc)

    def on_response_complete(self) -> None:
        """Wait for the next request, and for the answer to be taken."""
        super().on_response_complete()
        self._expect_head()
        if self.transport.get_write_buffer_size():
            self.loop.call_later(self.limits.write_seconds, self._give_up_writing)

    def _is_at_work(self) -> bool:
        # before the first request there is no cycle, whatever the types say
        cycle: RequestResponseCycle | None = self.cycle
        return cycle is not None and not cycle.response_complete

    def _expect_head(self) -> None:
        if self._is_at_work():
            self._stop_clock()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(self.limits.read_seconds, self._give_up)

    def _stop_clock(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _give_up(self) -> None:
        self._deadline = None
        # while an answer is being taken, that clock runs
        if not self._is_at_work() and not self.transport.get_write_buffer_size():
            self.transport.abort()

    def _give_up_writing(self) -> None:
        if self.transport.get_write_buffer_size():
            LOG.warning("connection ended: the answer was not taken")
            self.transport.abort()


class Server(uvicorn.Server):
    """Ends when it is told to, after requests at hand; told again, at once."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """Take signals for this service only; the process goes on when it has ended."""
        before: dict[signal.Signals, Any] = {}
        for one in (signal.SIGINT, signal.SIGTERM):
            with contextlib.suppress(ValueError):
                # refused outside of the main thread
                before[one] = signal.signal(one, self._end)
        try:
            yield
        finally:
            for one, handler in before.items():
                signal.signal(one, handler)

    def _end(self, _number: int, _frame: object) -> None:
        if self.should_exit:
            self.force_exit = True
        self.should_exit = True


class _Lines(logging.Formatter):
    """One line for everything; of exceptions the kind only, since their text may be a payload."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def formatException(self, ei: Any) -> str:  # noqa: N802
        return f"({getattr(ei[0], '__name__', 'exception')})"

    def formatStack(self, stack_info: str) -> str:  # noqa: N802
        return ""

    def format(self, record: logging.LogRecord) -> str:
        return super().format(record).replace("\r", " ").replace("\n", " ")


def log_to_standard_error(level: str) -> None:
    """Where the service's log goes, from which level on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Lines())
    for name, least in (("scoring.server", level), ("uvicorn.error", "WARNING")):
        logger = logging.getLogger(name)
        logger.handlers = [handler]
        logger.setLevel(max(logging.getLevelName(level), logging.getLevelName(least)))
        logger.propagate = False


def listening(host: str, port: int) -> socket.socket:
    """A socket that takes connections.

    Raises
    ------
    ListenError
        If the address is taken, not ours, or unknown.
    """
    try:
        if not 0 <= port <= LAST_PORT:
            # the system would take the rest of a division
            raise OverflowError("there is no such port")
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
        family, _, _, _, address = found[0]
        server = socket.create_server(
            (str(address[0]), int(address[1])), family=family, backlog=BACKLOG
        )
        # asyncio sends small answers without delay on sockets that say they are of TCP, and those
        # of `create_server` do not
        made = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP, server.detach())
    except (OSError, OverflowError, UnicodeError) as problem:
        reason = getattr(problem, "strerror", None) or problem
        raise ListenError(f"{host}:{port}: cannot listen there: {reason}") from None
    made.setblocking(False)
    return made


def serve(
    settings: Settings | None = None,
    host: str = "127.0.0.1",
    port: int = 8080,
    log_level: str = "INFO",
) -> int:
    """Serve until told to end; the exit status, 0 after an orderly end.

    Parameters
    ----------
    settings
        What is served. Without `hosts` a service on this machine's own address answers to its
        names only, which keeps pages in browsers from reading it.
    host, port
        Where to listen; port 0: any that is free.
    log_level
        From which level on to write to standard error.

    Raises
    ------
    ListenError
        If there is no listening there.
    ValueError
        If a setting means nothing.
    """
    known = checked(Settings() if settings is None else settings)
    if host in LOOPBACK and not known.hosts:
        known = known._replace(hosts=LOOPBACK)
    log_to_standard_error(log_level)
    return serve_application(Application(known), known, host, port)


def serve_application(application: Any, settings: Settings, host: str, port: int) -> int:
    """Serve any application until told to end; the exit status.

    Parameters
    ----------
    application
        As ASGI says.
    settings
        Its limits, its path, and how long it may take to end.

    Raises
    ------
    ListenError
        If there is no listening there.
    """
    settings = settings._replace(limits=_within_descriptors(settings.limits))
    bound = listening(host, port)
    name, number = bound.getsockname()[:2]
    shown = f"[{name}]" if ":" in name else name
    server = Server(_configuration(application, settings))

    async def run() -> None:
        task = asyncio.ensure_future(server.serve(sockets=[bound]))
        while not server.started and not task.done():
            await asyncio.sleep(0.01)
        if server.started:
            # whatever the level of the log: with port 0 nobody would know otherwise
            address = f"http://{shown}:{number}{settings.entrypoint}"
            print(f"scoring: serving on {address}", file=sys.stderr, flush=True)
        await task

    try:
        asyncio.run(run())
    except SystemExit:
        # uvicorn leaves so when the application does not start
        return 1
    finally:
        bound.close()
    LOG.info("ended")
    return 0


def _configuration(application: Any, settings: Settings) -> uvicorn.Config:
    kind = type("Connection", (Connection,), {"limits": settings.limits})
    return uvicorn.Config(
        application,
        http=kind,
        loop="asyncio",
        ws="none",
        lifespan="on",
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=max(1, round(settings.grace)),
    )


def _within_descriptors(limits: Limits) -> Limits:
    """As many connections as the system lets this process have."""
    try:
        import resource
    except ImportError:
        return limits
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = limits.connections + SPARE_DESCRIPTORS
    if soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
            soft = most
    if soft >= wanted:
        return limits
    LOG.warning("only %d connections: the system allows %d descriptors", soft // 2, soft)
    return limits._replace(connections=max(1, soft // 2))
