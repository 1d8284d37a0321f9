"""Processes that answer requests, each stopped and replaced when it takes too long.

Short requests have a process of their own beside the others, and of the others a client keeps only
its share busy, so that whoever sends requests that take long waits for himself.

Libraries of process pools (pebble) end what takes too long, too. They know neither shares of
clients nor, once a process is gone, which calls of a batch are still to be answered. All processes
of such a pool take their work from one pipe: one that has no memory for a request ends in the
middle of it, and breaks the pool for everybody. So processes are kept here, each with pipes of its
own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import sys
from collections import Counter, deque
from typing import NamedTuple

from scoring.server.errors import BusyError, MethodError, TimeLimitError
from scoring.server.protocol import (
    Answer,
    CallOutcome,
    RpcRequest,
    Single,
    failed,
    is_short,
    refusal,
)
from scoring.server.settings import Settings
from scoring.server.worker import ANSWER, CALLS, HEAD, READY, REQUEST, framed

LOG = logging.getLogger("scoring.server")
START_SECONDS = 60.0
RETRY_SECONDS = 1.0
# How long a process whose time is up may take to say so itself.
LATE = 0.5
# The path is set before anything is imported, lest the working directory offer modules.
_START = "import sys; sys.path[:] = sys.argv[1:]; from scoring.server.worker import main; main()"
_ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")


class WorkerError(Exception):
    """A process ended, or did not begin."""


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
        """Whether it runs."""
        return self._process.returncode is None and not self.is_spent

    @classmethod
    async def started(cls, settings: Settings) -> Worker:
        """A process that is ready for requests.

        Raises
        ------
        WorkerError
            If it does not get so far.
        """
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            "-c",
            _START,
            *_search_path(settings.root),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            start_new_session=True,
            env={**os.environ, **dict.fromkeys(_ONE_THREAD, "1")},
        )
        worker = cls(process)
        record = {
            "root": settings.root,
            "limits": settings.limits._asdict(),
            "faces": settings.faces,
            "modules": settings.modules,
        }
        try:
            worker._send(REQUEST, json.dumps(record).encode("ascii"))
            kind, _ = await asyncio.wait_for(worker._received(), START_SECONDS)
        except (WorkerError, asyncio.TimeoutError):
            await worker.end()
            raise WorkerError("a process of the service did not start") from None
        except BaseException:
            await worker.end()
            raise
        assert kind == READY
        return worker

    async def reply(self, body: bytes, seconds: float) -> Answer:
        """The answer to a request.

        What aligns, counts or draws ends by itself when its time is up, and its process lives on;
        a process that has not answered `LATE` after that is ended.
        """
        request: RpcRequest | None = None
        error: MethodError
        deadline = asyncio.get_running_loop().time() + seconds + LATE
        try:
            self._send(REQUEST, body)
            while True:
                left = deadline - asyncio.get_running_loop().time()
                kind, content = await asyncio.wait_for(self._received(), max(left, 0.0))
                if kind == ANSWER:
                    return self._understood(content)
                assert kind == CALLS
                request = _calls(content)
        except asyncio.TimeoutError:
            error = TimeLimitError(f"stopped after {seconds:g} s")
        except WorkerError:
            LOG.error("process %d ended in the middle of a request", self.pid)
            error = MethodError("the process that did the work has ended")
        except BaseException:
            self.kill()
            raise
        await self.end()
        answer = refusal(error) if request is None else failed(request, error)
        return answer._replace(outcomes=[CallOutcome("?", one.code) for one in answer.outcomes])

    def _understood(self, content: bytes) -> Answer:
        head, _, body = content.partition(b"\n")
        record = json.loads(head)
        self.is_spent = record["replace"]
        for name, code, cause in record["outcomes"]:
            if cause is not None:
                LOG.error("%s: %d: %s", name, code, cause)
        outcomes = [CallOutcome(name, code) for name, code, _ in record["outcomes"]]
        return Answer(record["status"], body, outcomes)

    def _send(self, kind: bytes, content: bytes) -> None:
        # not drained: the pipe takes what the limits allow, and an answer follows only after it
        assert self._process.stdin is not None
        self._process.stdin.write(framed(kind, content))

    async def _received(self) -> tuple[bytes, bytes]:
        assert self._process.stdout is not None
        try:
            head = await self._process.stdout.readexactly(HEAD)
            size = int.from_bytes(head[1:], "big")
            return head[:1], await self._process.stdout.readexactly(size)
        except (asyncio.IncompleteReadError, ConnectionError):
            raise WorkerError from None

    def kill(self) -> None:
        """End the process at once."""
        self.is_spent = True
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()

    async def end(self) -> None:
        """End the process and wait until it is gone."""
        self.kill()
        await self._process.wait()
        # one that was gone before leaves its pipes to a loop that may not run again
        self._process._transport.close()  # type: ignore[attr-defined]


def _search_path(root: str | None) -> list[str]:
    """Where modules are looked for; not below the root, unless this package lies there itself."""
    package = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    found = [package]
    for entry in sys.path:
        path = os.path.abspath(entry) if entry else ""
        inside = root is not None and os.path.realpath(path).startswith(os.path.join(root, ""))
        is_own = inside and "site-packages" not in path
        if path and path not in found and not is_own and os.path.realpath(path) != root:
            found.append(path)
    return found


def _calls(content: bytes) -> RpcRequest:
    is_batch, calls = json.loads(content)
    return RpcRequest(
        [Single("?" if known else "", (), identity, silent) for known, identity, silent in calls],
        is_batch,
    )


class Waiting(NamedTuple):
    """Somebody who waits for a process."""

    client: str
    future: asyncio.Future[Worker]


class Lane:
    """A number of processes, and those who wait for one.

    Parameters
    ----------
    settings
        How long processes may work, how many requests may wait, and how long.
    size
        How many processes.
    share
        How many of them a client may keep busy.
    """

    def __init__(self, settings: Settings, size: int, share: int) -> None:
        self._settings = settings
        self._size, self._share = size, share
        self._idle: deque[Worker] = deque()
        self._busy: set[Worker] = set()
        self._of_client: Counter[str] = Counter()
        self._waiting: deque[Waiting] = deque()
        self._starting: dict[asyncio.Task[None], Worker] = {}
        self._is_closed = False

    @property
    def ready(self) -> int:
        """How many processes there are."""
        return len(self._idle) + len(self._busy)

    def is_free(self, client: str) -> bool:
        """Whether a request of this client is taken at once."""
        return bool(self._idle) and self._may_have(client)

    def _may_have(self, client: str) -> bool:
        return self._of_client[client] < self._share

    @property
    def waiting(self) -> int:
        """How many requests wait for a process."""
        return len(self._waiting)

    async def start(self) -> None:
        """Start all processes.

        Raises
        ------
        WorkerError
            If one does not start.
        """
        starting = (Worker.started(self._settings) for _ in range(self._size))
        found = await asyncio.gather(*starting, return_exceptions=True)
        self._idle.extend(one for one in found if isinstance(one, Worker))
        for one in found:
            if isinstance(one, BaseException):
                await self.close()
                raise one

    async def reply(self, body: bytes, client: str) -> Answer:
        """The answer to a request, after waiting for a process.

        Raises
        ------
        BusyError
            If too many wait already, or none has become free in time.
        """
        worker = await self._acquired(client)
        try:
            return await worker.reply(body, self._settings.limits.seconds)
        finally:
            self._give_back(worker, client)

    async def _acquired(self, client: str) -> Worker:
        limits = self._settings.limits
        # whoever waits while a process is idle has had his share
        while self._idle and self._may_have(client):
            worker = self._idle.popleft()
            if worker.is_alive:
                self._hand_over(worker, client)
                return worker
            self._replace(worker)
        if len(self._waiting) >= limits.queue:
            raise BusyError(f"{limits.queue} requests are waiting already")
        future: asyncio.Future[Worker] = asyncio.get_running_loop().create_future()
        self._waiting.append(Waiting(client, future))
        try:
            return await asyncio.wait_for(asyncio.shield(future), limits.queue_seconds)
        except asyncio.TimeoutError:
            if future.done():
                return future.result()
            raise BusyError(f"no process became free in {limits.queue_seconds:g} s") from None
        except asyncio.CancelledError:
            if future.done() and not future.cancelled():
                self._give_back(future.result(), client)
            raise
        finally:
            if not future.done():
                future.cancel()
                with contextlib.suppress(ValueError):
                    self._waiting.remove(Waiting(client, future))

    def _hand_over(self, worker: Worker, client: str) -> None:
        self._busy.add(worker)
        self._of_client[client] += 1

    def _give_back(self, worker: Worker, client: str) -> None:
        self._busy.discard(worker)
        self._of_client[client] -= 1
        if not self._of_client[client]:
            del self._of_client[client]
        self._release(worker)

    def _release(self, worker: Worker) -> None:
        """Give what is idle to whoever has the fewest, of these to whoever waits longest.

        A process that is no good any more is replaced.
        """
        if worker.is_alive:
            self._idle.append(worker)
        else:
            self._replace(worker)
        while self._idle and (
            allowed := [one for one in self._waiting if self._may_have(one.client)]
        ):
            following = min(allowed, key=lambda one: self._of_client[one.client])
            self._waiting.remove(following)
            if following.future.done():
                continue
            idle = self._idle.popleft()
            self._hand_over(idle, following.client)
            following.future.set_result(idle)

    def _replace(self, worker: Worker) -> None:
        if self._is_closed:
            return
        task = asyncio.get_running_loop().create_task(self._replaced(worker))
        self._starting[task] = worker
        task.add_done_callback(self._starting.pop)

    async def _replaced(self, worker: Worker) -> None:
        await worker.end()
        while not self._is_closed:
            try:
                new = await Worker.started(self._settings)
            except WorkerError as error:
                LOG.error("%s; trying again", error)
                await asyncio.sleep(RETRY_SECONDS)
                continue
            if self._is_closed:
                await new.end()
            else:
                self._release(new)
            return

    async def close(self) -> None:
        """End all processes."""
        self._is_closed = True
        workers = [*self._starting.values()]  # which those who replace them may not have ended
        for task in tuple(self._starting):
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)
        for _, future in self._waiting:
            future.cancel()
        workers += [*self._idle, *self._busy]
        self._idle.clear()
        self._busy.clear()
        await asyncio.gather(*(worker.end() for worker in workers), return_exceptions=True)


class Pool:
    """The lanes of a service: one for short requests, one for all others.

    Parameters
    ----------
    settings
        How many processes, how long they may work, how many requests may wait, and how long.
    """

    def __init__(self, settings: Settings) -> None:
        self._limits = settings.limits
        self._long = Lane(settings, settings.processes, settings.share)
        self._short = Lane(settings, 1, 1)

    @property
    def ready(self) -> int:
        """How many processes there are, that for short requests aside."""
        return self._long.ready

    @property
    def waiting(self) -> int:
        """How many requests wait for a process."""
        return self._long.waiting + self._short.waiting

    async def start(self) -> None:
        """Start all processes.

        Raises
        ------
        WorkerError
            If one does not start.
        """
        try:
            await asyncio.gather(self._long.start(), self._short.start())
        except BaseException:
            await self.close()
            raise

    def lane(self, body: bytes, client: str) -> Lane:
        """Where a request is to be answered: a short one wherever there is room first."""
        is_elsewhere = self._long.is_free(client) or not is_short(body, self._limits)
        return self._long if is_elsewhere else self._short

    async def reply(self, body: bytes, client: str = "") -> Answer:
        """The answer to a request of a client, after waiting for a process.

        Raises
        ------
        BusyError
            If too many wait already, or none has become free in time.
        """
        return await self.lane(body, client).reply(body, client)

    def is_free(self, body: bytes, client: str) -> bool:
        """Whether a request is taken at once."""
        return self.lane(body, client).is_free(client)

    async def close(self) -> None:
        """End all processes."""
        await asyncio.gather(self._long.close(), self._short.close())
