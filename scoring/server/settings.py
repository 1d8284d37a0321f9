"""Settings of a service: address, root of readable files, limits."""

from __future__ import annotations

import os
from typing import NamedTuple

MEBIBYTE = 1 << 20
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Limits(NamedTuple):
    """Limits of requests.

    Attributes
    ----------
    body
        Bytes of a request.
    held
        Bytes of all requests that have arrived and are not answered.
    answer
        Bytes of an answer.
    batch
        Calls in a batch.
    seconds
        Time for the work of a request; then its process is ended.
    share
        Requests of one client that are worked on at a time; 0: all processes but one, or the only
        one. A client is an address.
    queue
        Requests that wait for a process.
    queue_seconds
        How long they wait.
    read_seconds
        Time in which the head of a request has to arrive, and then its body.
    write_seconds
        Time in which a client has to take an answer.
    connections
        Connections at a time.
    memory
        Bytes of address space of a process.
    pattern
        Characters of a regular expression.
    """

    body: int = 16 * MEBIBYTE
    held: int = 256 * MEBIBYTE
    answer: int = 64 * MEBIBYTE
    batch: int = 100
    seconds: float = 30.0
    share: int = 0
    queue: int = 256
    queue_seconds: float = 30.0
    read_seconds: float = 20.0
    write_seconds: float = 60.0
    connections: int = 1000
    memory: int = 2048 * MEBIBYTE
    pattern: int = 2000


class Settings(NamedTuple):
    """Settings of a service.

    Attributes
    ----------
    entrypoint
        Path of the address that takes requests.
    with_explorer
        Whether that address shows a page to try methods on.
    root
        Directory below which requests may have files read; None: none anywhere.
    workers
        Processes that do the work; 0: one per processor, two at least.
    hosts
        Names by which the service may be called (header `Host`); empty: any.
    modules
        Names of modules to import, whose normalizers and metrics become methods. The operator
        names them, never a request.
    grace
        Seconds in which requests may be finished when the service is told to end.
    limits
        Limits of requests.
    """

    entrypoint: str = "/api"
    with_explorer: bool = False
    root: str | None = None
    workers: int = 0
    hosts: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    grace: float = 10.0
    limits: Limits = Limits()

    @property
    def processes(self) -> int:
        """Number of processes that do the work; by default two at least, one for other clients."""
        return self.workers or max(2, os.cpu_count() or 1)

    @property
    def share(self) -> int:
        """Number of processes that one client may keep busy."""
        return self.limits.share or max(1, self.processes - 1)


def checked(settings: Settings) -> Settings:
    """The settings with the real path of the root; ValueError if one is invalid."""
    path = settings.entrypoint
    if not path.startswith("/") or path == "/health" or any(c in path for c in "{}?#"):
        raise ValueError(f"entry point: expected a path such as /api, found {path!r}")
    numbers = {"workers": settings.workers, **settings.limits._asdict()}
    for name, value in numbers.items():
        may_be_zero = name in ("queue", "share", "workers")
        if value < 0 or not (value or may_be_zero):
            expected = "a number from 0" if may_be_zero else "more than 0"
            raise ValueError(f"{name}: expected {expected}, found {value}")
    if settings.root is None:
        return settings
    if not os.path.isdir(settings.root):
        raise ValueError(f"root: expected a directory, found {settings.root!r}")
    return settings._replace(root=os.path.realpath(settings.root))
