"""Processes that answer requests, each stopped and replaced when it takes too long.

A client keeps only its share of the processes busy, so that a client whose requests take long waits
for itself.

`concurrent.futures` cannot end a single call, and one process that dies breaks its pool for
everybody; so every process has pipes of its own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections import Counter, deque
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from scoring.server.errors import BusyError, MethodError, TimeLimitError
from scoring.server.protocol import Answer, RpcRequest, Single, failed, refusal
from scoring.server.settings import Settings
from scoring.server.worker import Report

LOG = logging.getLogger("scoring.server")
START_SECONDS = 60.0
RETRY_SECONDS = 1.0
# Seconds after its time limit in which a process may report that itself.
LATE = 0.5
# The path is set before anything is imported, so that the working directory offers no modules.
_START = "import sys; sys.path[:] = sys.argv[1:]; from scoring.server.worker import main; main()"
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
# Returns once the client of a request has gone away.
Departure = Callable[[], Awaitable[object]]


class WorkerError(Exception):
    """A process ended, or did not start."""


class GoneError(Exception):
    """The client went away."""


class Worker:
    """A process, seen from the service."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.is_spent = False

    @property
    def pid(self) -> int:
        """Number of the process."""
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        """Whether it can take a request."""
        return self._process.returncode is None and not self.is_spent

    @classmethod
    async def started(cls, settings: Settings) -> Worker:
        """A process that is ready for requests; WorkerError if it does not start."""
        command = (sys.executable, "-c", _START, *_search_path(settings.root))
        try:
            process = await asyncio.create_subprocess_exec(
                *command,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                limit=sys.maxsize,  # of a line: processes limit their answers themselves
                start_new_session=True,
                env={**os.environ, **dict.fromkeys(_ONE_THREAD, "1")},
            )
        except OSError as problem:
            raise WorkerError(f"a process did not start: {problem.strerror}") from None
        worker = cls(process)
        try:
            worker._send(json.dumps(settings).encode("ascii"))
            await asyncio.wait_for(worker._received(), START_SECONDS)
        except (WorkerError, asyncio.TimeoutError):
            await worker.end()
            raise WorkerError("a process of the service did not start") from None
        except BaseException:
            await worker.end()
            raise
        return worker

    async def reply(self, body: bytes, seconds: float) -> Answer:
        """The answer to a request.

        Aligning, counting and drawing end by themselves after `seconds`, and the process lives on;
        a process that has not answered `LATE` after that is ended.
        """
        self._request = RpcRequest([])
        try:
            return await asyncio.wait_for(self._exchange(body), seconds + LATE)
        except asyncio.TimeoutError:
            error: MethodError = TimeLimitError(f"stopped after {seconds:g} s")
        except WorkerError:
            LOG.error("process %d ended in the middle of a request", self.pid)
            error = MethodError("the process that did the work has ended")
        except BaseException:
            self.kill()
            raise
        await self.end()
        return failed(self._request, error) if self._request.calls else refusal(error)

    async def _exchange(self, body: bytes) -> Answer:
        self._send(body)
        calls, is_batch = json.loads(await self._received())
        self._request = RpcRequest([Single(*call) for call in calls], is_batch)
        report = msgspec.json.decode(await self._received(), type=Report)
        body = await self._received()
        self.is_spent = report.is_spent
        for outcome in report.outcomes:
            if outcome.cause is not None:
                LOG.error("%s: %d: %s", *outcome)
        return Answer(report.status, body, report.outcomes)

    def _send(self, content: bytes) -> None:
        # not drained: the pipe takes what the limits allow, and an answer follows only after it
        assert self._process.stdin is not None
        self._process.stdin.write(b"%d\n%b" % (len(content), content))

    async def _received(self) -> bytes:
        assert self._process.stdout is not None
        try:
            return (await self._process.stdout.readuntil())[:-1]
        except (asyncio.IncompleteReadError, ConnectionError):
            raise WorkerError from None

    def kill(self) -> None:
        """End the process at once."""
        self.is_spent = True
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def end(self) -> None:
        """End the process and wait until it is gone and its pipes are closed."""
        self.kill()
        await self._process.wait()
        with contextlib.suppress(RuntimeError):
            # its output is still awaited, where the service ends in the middle of a request
            await self._process.communicate()


def _search_path(root: str | None) -> list[str]:
    """Where modules are looked for; not below the root, unless this package lies there itself."""
    paths = [os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))]
    for path in map(os.path.abspath, filter(None, sys.path)):
        real = os.path.realpath(path)
        is_below = root is not None and os.path.join(real, "").startswith(os.path.join(root, ""))
        if not is_below or (real != root and "site-packages" in path):
            paths.append(path)
    return list(dict.fromkeys(paths))


class Pool:
    """The processes of a service and the requests that wait for one of them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._workers: set[Worker] = set()
        self._idle: deque[Worker] = deque()
        self._busy: Counter[str] = Counter()  # processes by client
        self._waiting: dict[asyncio.Future[Worker], str] = {}  # clients in order of arrival
        self._starting: set[asyncio.Task[None]] = set()
        self._is_closed = False

    @property
    def ready(self) -> int:
        """Number of processes."""
        return len(self._workers)

    @property
    def waiting(self) -> int:
        """Number of requests that wait for a process."""
        return len(self._waiting)

    async def start(self) -> None:
        """Start all processes; WorkerError if one does not start."""
        starts = (Worker.started(self._settings) for _ in range(self._settings.processes))
        results = await asyncio.gather(*starts, return_exceptions=True)
        self._workers.update(worker for worker in results if isinstance(worker, Worker))
        self._idle.extend(self._workers)
        for result in results:
            if isinstance(result, BaseException):
                await self.close()
                raise result

    async def reply(self, body: bytes, client: str, departure: Departure | None = None) -> Answer:
        """The answer to a request, after waiting for a process; raises BusyError, GoneError."""
        worker = await self._acquired(client, departure)
        try:
            return await worker.reply(body, self._settings.limits.seconds)
        finally:
            self._release(worker, client)

    async def _acquired(self, client: str, departure: Departure | None) -> Worker:
        limits = self._settings.limits
        turn: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._waiting[turn] = client
        self._hand_out()
        if turn.done():
            return turn.result()
        events: set[asyncio.Future[Any]] = {turn}
        try:
            if len(self._waiting) > limits.queue:
                raise BusyError(f"{limits.queue} requests are waiting already")
            if departure is not None:
                events.add(asyncio.ensure_future(departure()))
            done, _ = await asyncio.wait(
                events, timeout=limits.queue_seconds, return_when=asyncio.FIRST_COMPLETED
            )
            if turn.done():
                return turn.result()
            if done:
                raise GoneError
            raise BusyError(f"no process became free in {limits.queue_seconds:g} s")
        except asyncio.CancelledError:
            if turn.done():
                self._release(turn.result(), client)
            raise
        finally:
            self._waiting.pop(turn, None)
            for event in events:
                event.cancel()

    def _hand_out(self) -> None:
        """Give idle processes to the clients with the fewest, of these to who waits longest."""
        share = self._settings.share
        while self._idle:
            turns = [turn for turn, client in self._waiting.items() if self._busy[client] < share]
            if not turns:
                return
            worker = self._idle.popleft()
            if not worker.is_alive:
                self._replace(worker)
                continue
            turn = min(turns, key=lambda turn: self._busy[self._waiting[turn]])
            self._busy[self._waiting.pop(turn)] += 1
            turn.set_result(worker)

    def _release(self, worker: Worker, client: str) -> None:
        """Take a process back, or replace it."""
        self._busy[client] -= 1
        if not self._busy[client]:
            del self._busy[client]
        if worker.is_alive:
            self._idle.append(worker)
        else:
            self._replace(worker)
        self._hand_out()

    def _replace(self, worker: Worker) -> None:
        if not self._is_closed:
            task = asyncio.get_running_loop().create_task(self._replaced(worker))
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)

    async def _replaced(self, worker: Worker) -> None:
        await worker.end()
        self._workers.discard(worker)
        while True:
            try:
                new = await Worker.started(self._settings)
                break
            except WorkerError as error:
                LOG.error("%s; trying again", error)
                await asyncio.sleep(RETRY_SECONDS)
        self._workers.add(new)
        self._idle.append(new)
        self._hand_out()

    async def close(self) -> None:
        """End all processes."""
        self._is_closed = True
        starting = tuple(self._starting)
        for task in starting:
            task.cancel()
        await asyncio.gather(*starting, return_exceptions=True)
        await asyncio.gather(*(worker.end() for worker in self._workers), return_exceptions=True)
