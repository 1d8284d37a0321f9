"""Settings of a service: address, root of readable files, limits."""

from __future__ import annotations

import os
from typing import NamedTuple

from scoring.model.errors import OptionValueError

MEBIBYTE = 1 << 20
LOOPBACK = ("localhost", "127.0.0.1", "::1")


class Limits(NamedTuple):
    """Limits of requests, in seconds and bytes."""

    body: int = 16 * MEBIBYTE  # of a request
    held: int = 256 * MEBIBYTE  # of all requests that have arrived and are not answered
    answer: int = 64 * MEBIBYTE
    batch: int = 100  # calls
    seconds: float = 30.0  # for the work of a request; then its process is ended
    # Concurrent requests of one client, which is an address; 0: all processes but one, or the only.
    share: int = 0
    queue: int = 256  # requests that wait for a process
    queue_seconds: float = 30.0  # how long they wait
    read_seconds: float = 20.0  # in which the head of a request has to arrive, and then its body
    write_seconds: float = 60.0  # in which a client has to take an answer
    connections: int = 1000  # concurrent
    memory: int = 2048 * MEBIBYTE  # address space of a process
    pattern: int = 2000  # characters of a regular expression


class Settings(NamedTuple):
    """Settings of a service."""

    entrypoint: str = "/api"  # path of the address that takes requests
    with_explorer: bool = False  # whether that address shows a page to try methods on
    root: str | None = None  # folder below which requests may have files read; None: none anywhere
    workers: int = 0  # processes that do the work; 0: one per processor, two at least
    hosts: tuple[str, ...] = ()  # names the service may be called by (header `Host`); empty: any
    # Modules to import, whose normalizers and metrics become methods: of the operator, never of a
    # request.
    modules: tuple[str, ...] = ()
    grace: float = 10.0  # seconds to finish requests after the service gets the signal to stop
    limits: Limits = Limits()

    @property
    def processes(self) -> int:
        """Number of working processes; by default at least two, for two clients at a time."""
        return self.workers or max(2, os.cpu_count() or 1)

    @property
    def share(self) -> int:
        """The number of processes that one client may use at the same time."""
        return self.limits.share or max(1, self.processes - 1)


def checked(settings: Settings) -> Settings:
    """Check settings and resolve the real path of the root; raise ValueError if one is invalid."""
    path = settings.entrypoint
    if not path.startswith("/") or path == "/health" or any(c in path for c in "{}?#"):
        raise ValueError(f"entry point: expected a path such as /api, found {path!r}")
    numbers = {"workers": settings.workers, **settings.limits._asdict()}
    for name, value in numbers.items():
        may_be_zero = name in ("queue", "share", "workers")
        if value < 0 or not (value or may_be_zero):
            expected = "a number from 0" if may_be_zero else "more than 0"
            raise OptionValueError(name, expected=expected, found=f"{value}")
    if settings.root is None:
        return settings
    if not os.path.isdir(settings.root):
        raise OptionValueError("root", expected="a directory", found=repr(settings.root))
    return settings._replace(root=os.path.realpath(settings.root))
