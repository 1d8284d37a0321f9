"""Run work in several threads, and return its results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

from scoring.alignment.limits import AbandonableWork

T = TypeVar("T")


def in_order(work: Callable[[int], T], count: int, jobs: int) -> Iterator[T]:
    """Yield the results of a function for the numbers from 0 up to `count`, in order.

    At most `jobs` unread results are computed and kept. The caller's `time_limit` applies in the
    threads. If the caller ends early, by Ctrl-C or an error, the threads end, too.

    >>> list(in_order(lambda number: number * number, 4, jobs=2))
    [0, 1, 4, 9]
    """
    abandonable = AbandonableWork()
    with ThreadPoolExecutor(jobs) as pool:
        begun: deque[Future[T]] = deque()
        try:
            for number in range(count):
                begun.append(pool.submit(copy_context().run, abandonable.run, work, number))
                if len(begun) > jobs:
                    yield begun.popleft().result()
            while begun:
                yield begun.popleft().result()
        finally:
            abandonable.abandon()
            for future in begun:
                future.cancel()
