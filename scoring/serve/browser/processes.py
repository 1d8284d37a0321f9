"""A process for each task of the page, which ends with its task.

Where the system can fork, one process loads the packages once, and each task is a fork of it, which
is ready within milliseconds. Elsewhere, each task loads the packages again.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import multiprocessing
import os
import pkgutil
import signal
import sys
import time
from collections.abc import Mapping
from multiprocessing.connection import Connection
from multiprocessing.context import BaseContext
from typing import Any

from scoring.cli.docs import PACKAGES
from scoring.serve.browser.tasks import answer
from scoring.serve.errors import MethodError
from scoring.serve.in_process import Inline
from scoring.serve.protocol import Answer, CallOutcome
from scoring.serve.settings import Settings

FORKS = "forkserver" in multiprocessing.get_all_start_methods()
# What tasks load when they need it.
_ROOMS = ("formats", "scoring/cli", "scoring/pages", "scoring/score", "scoring/tasks")
_LIBRARIES = ("charset_normalizer", "jinja2", "lxml.etree", "regex")
SECONDS_BETWEEN = 0.1  # reports of progress


class Processes(Inline):
    """Answers each request in a separate process; limits the number of processes."""

    def __init__(self, settings: Settings) -> None:
        self._free = asyncio.Semaphore(settings.processes)
        # the last report of each process, by the name that its request has
        self.progress: dict[str, Mapping[str, Any]] = {}
        self.ready = settings.processes

    async def start(self) -> None:
        """Start the process that loads the packages and forks for each task."""
        self._context = multiprocessing.get_context("forkserver" if FORKS else "spawn")
        if FORKS:
            self._context.set_forkserver_preload(list(_modules()))
            _start_fork_server()

    async def reply(self, body: bytes, _client: str) -> Answer:
        """Return the answer to a request; raises MethodError if the process ends early."""
        name = _name_of(body)
        async with self._free:
            starting = asyncio.ensure_future(asyncio.to_thread(_Task, self._context))
            try:
                task = await asyncio.shield(starting)
                output = await asyncio.to_thread(self._output, task, body, name)
            finally:
                # a start cannot be stopped: what starts yet ends then
                starting.add_done_callback(_end)
                self.progress.pop(name, None)
        if not output:
            raise MethodError("the process that worked on the request has ended")
        return Answer(200, output, [CallOutcome("task")])

    def _output(self, task: _Task, body: bytes, name: str) -> bytes:
        """Return the output of a task, and store its progress; empty if its process ends early."""
        with task.connection, contextlib.suppress(EOFError, OSError):
            task.connection.send_bytes(body)
            while not isinstance(message := task.connection.recv(), bytes):
                self.progress[name] = message
            return message
        return b""


class _Task:
    """A process that works on a request."""

    def __init__(self, context: BaseContext) -> None:
        self.connection, its_own = context.Pipe()
        self._process = context.Process(target=_work, args=(its_own,))  # type: ignore[attr-defined]
        with its_own:
            self._process.start()

    def end(self) -> None:
        self._process.kill()


def _end(started: asyncio.Future[_Task]) -> None:
    if not started.cancelled() and started.exception() is None:
        started.result().end()


def _modules() -> list[str]:
    """Return the names of the modules that tasks may load."""
    rooms = [
        module.name
        for room in _ROOMS
        for module in pkgutil.walk_packages([str(PACKAGES / room)], f"{room.replace('/', '.')}.")
        if not module.name.endswith("__main__")
    ]
    return [__name__, *rooms, *_LIBRARIES]


def _start_fork_server() -> None:
    """Start the process that forks, in the folder from which it loads modules."""
    from multiprocessing.forkserver import ensure_running

    before = os.getcwd()
    os.chdir(PACKAGES)
    try:
        ensure_running()
    finally:
        os.chdir(before)


def _work(connection: Connection) -> None:
    """Answer the request that comes through a connection; send reports of progress before that."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the service ends what it has started
    started_in = os.path.realpath(os.getcwd())
    folders = [path for path in sys.path if os.path.realpath(path) != started_in]
    sys.path[:] = [str(PACKAGES), *folders]
    last = 0.0

    def report(stage: str, done: int, of: int) -> None:
        nonlocal last
        now = time.monotonic()
        if now - last >= SECONDS_BETWEEN:
            last = now
            connection.send({"stage": stage, "done": done, "of": of})

    # without a service there is nobody to answer
    with contextlib.suppress(EOFError, ConnectionError):
        connection.send(answer(connection.recv_bytes(), report))


def _name_of(body: bytes) -> str:
    """Return the name under which a request's progress is stored; empty if it has none."""
    try:
        return str(json.loads(body.partition(b"\n")[0]).get("id", ""))
    except (ValueError, AttributeError, RecursionError):
        return ""
