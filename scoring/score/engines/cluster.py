"""Checks of a cluster before rows are read: address, workers, versions."""

from __future__ import annotations

import os
import shutil
import socket
from collections.abc import Callable
from concurrent.futures import Future
from concurrent.futures import TimeoutError as FutureTimeout
from threading import Thread
from time import monotonic
from typing import Any, NamedTuple, TypeVar
from urllib.parse import urlsplit

from formats.schema import VERSION
from formats.schema.messages import Entry, Message
from scoring.score.engines import messages
from scoring.score.engines.plan import EngineError

T = TypeVar("T")

TIMEOUT = 30.0
# How long Java may take to start on a busy machine, in seconds.
JAVA_TIMEOUT = 60.0
# Schemes of addresses that name a host and a port, of which one at least has to answer.
_WITH_HOSTS = ("spark", "sc", "ray", "")


class Cluster(NamedTuple):
    """The address of a cluster (empty: this machine), and its time limit in seconds."""

    address: str = ""
    timeout: float = TIMEOUT


class ClusterChecks:
    """The checks of a cluster, each with a time limit."""

    def __init__(self, engine: str, cluster: Cluster) -> None:
        self.engine = engine
        self.address = cluster.address or engine
        self.seconds = cluster.timeout

    def problem(self, entry: Entry, **fields: object) -> EngineError:
        """Return the error of a failed check."""
        known = {"path": self.address, "engine": self.engine, "seconds": self.seconds}
        return EngineError(Message(entry, {**known, **fields}))

    def within(self, entry: Entry, work: Callable[[], T], seconds: float | None = None) -> T:
        """Run `work` in a thread and return its result; raise an error after the time limit.

        `seconds` replaces the time limit of the cluster.

        After the time limit, the thread still runs, but it does not keep the process alive.
        """
        limit = self.seconds if seconds is None else seconds
        result: Future[T] = Future()

        def run() -> None:
            try:
                result.set_result(work())
            except BaseException as problem:
                result.set_exception(problem)

        Thread(target=run, daemon=True).start()
        try:
            return result.result(limit)
        except FutureTimeout:
            if result.done():
                raise
            raise self.problem(entry, seconds=limit) from None

    def connect(self) -> None:
        """Check that a server answers at the address.

        If there are several hosts, one must answer.
        """
        reason, end = "", monotonic() + self.seconds
        hosts = hosts_of(self.address)
        for host, port in hosts:
            try:
                socket.create_connection((host, port), max(0.1, end - monotonic())).close()
                return
            except TimeoutError:
                raise self.problem(messages.NO_ANSWER) from None
            except OSError as problem:
                reason = problem.strerror or str(problem)
        if hosts:
            raise self.problem(messages.NO_CLUSTER, reason=reason)

    def check_java(self) -> None:
        """Check that the Java installation that Spark needs exists."""
        home = os.environ.get("JAVA_HOME")
        program = os.path.join(home, "bin", "java") if home else "java"
        if shutil.which(program) is None:
            raise self.problem(messages.NO_JAVA, path=program)

    def check_version(self, version: str) -> None:
        """Check the version of this package on a worker.

        An empty version means that it is missing.
        """
        if version != VERSION:
            entry = messages.OTHER_VERSION if version else messages.NO_PACKAGE
            raise self.problem(entry, expected=VERSION, found=version)


def hosts_of(address: str) -> list[tuple[str, int]]:
    """Return the hosts and ports in a cluster address; empty for addresses without hosts.

    >>> hosts_of("spark://one:7077,two:7078"), hosts_of("sc://one/;token=x"), hosts_of("[::1]:6379")
    ([('one', 7077), ('two', 7078)], [('one', 15002)], [('::1', 6379)])
    >>> hosts_of("local[4]"), hosts_of("yarn"), hosts_of("k8s://https://one:443"), hosts_of("auto")
    ([], [], [], [])
    """
    scheme, colon, rest = address.partition("://")
    if not colon:
        scheme, rest = "", address
    if scheme not in _WITH_HOSTS:
        return []
    hosts = []
    for host in rest.partition("/")[0].split(","):
        try:
            parts = urlsplit(f"//{host}")
            port = parts.port or (15002 if scheme == "sc" else None)
        except ValueError:
            return []  # the engine says what is wrong with it
        if parts.hostname is None or port is None:
            return []
        hosts.append((parts.hostname, port))
    return hosts


def version_probe() -> Callable[[], str]:
    """Return a function that returns the version of this package on a worker.

    The whole function is sent to the worker, so that a worker without the package can run it.
    """

    def version() -> str:
        try:
            from formats.schema import VERSION
        except ImportError:
            return ""
        return VERSION

    return version


def checked_work(work: Callable[[Any], Any], version: str = VERSION) -> Callable[[Any], Any]:
    """Return a function for batches that raises an error on a worker with another version."""

    def checked(batches: Any) -> Any:
        from formats.schema import VERSION

        if version != VERSION:
            raise RuntimeError(
                f"OtherVersionError: expected sclite-kit {version} on the workers, found {VERSION}"
            )
        return work(batches)

    return checked
