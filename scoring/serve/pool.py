"""Processes that answer requests; a process that ends or takes too long is replaced.

A client can use only its share of the processes, so that slow requests delay only their own client.
Every process is a separate pool, so that the end of one process does not break others.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import multiprocessing
import os
import signal
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from weakref import WeakValueDictionary

from scoring.serve.errors import BusyError, MethodError, NotEnoughMemoryError, TimeLimitError
from scoring.serve.protocol import Answer, failed
from scoring.serve.settings import Settings
from scoring.serve.worker import reply, start

LOG = logging.getLogger("scoring.serve")
RETRY_SECONDS = 1.0


class WorkerError(Exception):
    """A process of the service did not start."""


class Worker:
    """A process that answers requests."""

    def __init__(self, executor: ProcessPoolExecutor, pid: int) -> None:
        self.executor = executor
        self.pid = pid

    @classmethod
    async def started(cls, settings: Settings) -> Worker:
        """Start a process and wait until it is ready; raises WorkerError if it does not start."""
        context = multiprocessing.get_context("spawn")
        arguments = settings, _search_path(settings.root)
        executor = ProcessPoolExecutor(1, context, start, arguments)
        try:
            return cls(executor, await asyncio.wrap_future(executor.submit(os.getpid)))
        except (OSError, BrokenProcessPool):
            raise WorkerError("a process of the service did not start") from None

    def end(self, wait: bool = False) -> None:
        """End the process immediately."""
        with contextlib.suppress(OSError):
            os.kill(self.pid, signal.SIGTERM)
        self.executor.shutdown(wait)


def _search_path(root: str | None) -> list[str]:
    """Return the search path of modules. The root is removed unless it contains this package."""
    paths = [os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))]
    for path in map(os.path.abspath, filter(None, sys.path)):
        real = os.path.realpath(path)
        is_below = root is not None and os.path.join(real, "").startswith(os.path.join(root, ""))
        if not is_below or (real != root and "site-packages" in path):
            paths.append(path)
    return list(dict.fromkeys(paths))


class Pool:
    """The processes of a service, and the requests that wait for a free process."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._workers: set[Worker] = set()
        self._idle: asyncio.Queue[Worker] = asyncio.Queue()
        self._shares: WeakValueDictionary[str, asyncio.Semaphore] = WeakValueDictionary()
        self._starting: set[asyncio.Task[None]] = set()
        self._is_closed = False
        self.waiting = 0  # requests that wait for a process

    @property
    def ready(self) -> int:
        """The number of processes."""
        return len(self._workers)

    async def start(self) -> None:
        """Start all processes; raises WorkerError if a process does not start."""
        starts = (self._add() for _ in range(self._settings.processes))
        for result in await asyncio.gather(*starts, return_exceptions=True):
            if isinstance(result, BaseException):
                await self.close()
                raise result

    async def _add(self) -> None:
        worker = await Worker.started(self._settings)
        self._workers.add(worker)
        self._idle.put_nowait(worker)

    async def reply(self, body: bytes, client: str) -> Answer:
        """Return the answer to a request, after waiting for a free process; raises BusyError."""
        share = self._shares.setdefault(client, asyncio.Semaphore(self._settings.share))
        worker = await self._acquired(share)
        try:
            return await self._answered(worker, body)
        finally:
            share.release()

    async def _acquired(self, share: asyncio.Semaphore) -> Worker:
        limits = self._settings.limits
        if not share.locked() and not self._idle.empty():
            return await self._next(share)
        if self.waiting >= limits.queue:
            raise BusyError(f"{limits.queue} requests are waiting already")
        self.waiting += 1
        try:
            return await asyncio.wait_for(self._next(share), limits.queue_seconds)
        except asyncio.TimeoutError:
            raise BusyError(f"no process became free in {limits.queue_seconds:g} s") from None
        finally:
            self.waiting -= 1

    async def _next(self, share: asyncio.Semaphore) -> Worker:
        await share.acquire()
        try:
            return await self._idle.get()
        except BaseException:
            share.release()
            raise

    async def _answered(self, worker: Worker, body: bytes) -> Answer:
        limits, begin = self._settings.limits, time.monotonic()
        is_spent = True
        try:
            answer, is_spent = await asyncio.wrap_future(worker.executor.submit(reply, body))
            return answer
        except BrokenProcessPool:
            error: MethodError = TimeLimitError(f"stopped after {limits.seconds:g} s")
            if time.monotonic() - begin < limits.seconds:
                LOG.error("process %d ended in the middle of a request", worker.pid)
                error = MethodError("the process that worked on the request has ended")
        except MemoryError:
            error = NotEnoughMemoryError()
        finally:
            if is_spent:
                self._replace(worker)
            else:
                self._idle.put_nowait(worker)
        return await asyncio.to_thread(failed, body, error, limits)

    def _replace(self, worker: Worker) -> None:
        worker.end()
        self._workers.discard(worker)
        if self._is_closed:
            return
        task = asyncio.get_running_loop().create_task(self._replaced())
        self._starting.add(task)
        task.add_done_callback(self._starting.discard)

    async def _replaced(self) -> None:
        while True:
            try:
                return await self._add()
            except WorkerError as error:
                LOG.error("%s; trying again", error)
                await asyncio.sleep(RETRY_SECONDS)

    async def close(self) -> None:
        """End all processes."""
        self._is_closed = True
        starting = tuple(self._starting)
        for task in starting:
            task.cancel()
        await asyncio.gather(*starting, return_exceptions=True)
        for worker in self._workers:
            await asyncio.to_thread(worker.end, wait=True)
